//! Whether a lattice or a number of individuals fits into the memory that is free, before anyone tries.
//!
//! A system that promises more memory than it has ends a program that believes it, without a word. So what it
//! needs is estimated beforehand.

use crate::readable::grouped;
use crate::world::Extents;

/// Bytes a cell of a run without a window: measured at 52 with the CPU engine (2048 × 2048 and 4096 × 2048).
pub const RUN: u64 = 52;
/// Bytes a cell of a run in a window, which has snapshots and a picture beside it: measured at 140 with a software
/// adapter, whose textures lie in the same memory (2048 × 2048).
pub const WINDOW: u64 = 140;
/// Bytes a cell of a start while it is made: state, solids, a picture, and the order in which cells are filled.
pub const PRESET: u64 = 20;
/// Bytes a cell of a run's engine beside its start and its solids.
pub const ENGINE: u64 = RUN - 9;
/// Bytes of an individual beside its lattice: measured at 169 with the CPU engine (1 048 576 and 4 194 304 of them), and in
/// a window a snapshot has it once more.
pub const INDIVIDUAL: u64 = 200;
/// Below so many bytes nothing is asked.
const LITTLE: u64 = 256 << 20;

/// Says what is wrong where a lattice needs more than is free: what it needs, and what there is.
///
/// To be asked where the memory is taken, and by whoever takes it.
pub fn check(extents: Extents, bytes_a_cell: u64, free: Option<u64>) -> Result<(), String> {
    admit(&lattice(extents), needed(extents, bytes_a_cell), free)
}

/// Says what is wrong where so many individuals need more than is free.
pub fn check_individuals(count: u64, free: Option<u64>) -> Result<(), String> {
    admit(&format!("{} individuals need", grouped(count)), count.saturating_mul(INDIVIDUAL), free)
}

/// The same for a run in a window, in which the lattice of another run may give way to it.
pub fn check_window(extents: Extents, before: Option<Extents>, free: Option<u64>) -> Result<(), String> {
    admit(&lattice(extents), needed_in_window(extents, before), free)
}

fn needed(extents: Extents, bytes_a_cell: u64) -> u64 {
    (extents.cells() as u64).saturating_mul(bytes_a_cell)
}

/// The other run stays until the new one has begun, so that it can go on where that fails; snapshots and pictures change
/// hands.
fn needed_in_window(extents: Extents, before: Option<Extents>) -> u64 {
    let all = needed(extents, WINDOW);
    match before {
        Some(before) => all.saturating_sub(needed(before, WINDOW)).max(needed(extents, RUN)),
        None => all,
    }
}

fn lattice(extents: Extents) -> String {
    format!("a lattice of {}x{} needs", extents.width, extents.height)
}

fn admit(what: &str, needed: u64, free: Option<u64>) -> Result<(), String> {
    match free {
        Some(free) if needed >= LITTLE => compare(what, needed, free),
        _ => Ok(()),
    }
}

/// What would be right.
pub const CURE: &str = "use a smaller size";

fn compare(what: &str, needed: u64, free: u64) -> Result<(), String> {
    if needed <= free {
        return Ok(());
    }
    let mebibytes = |bytes: u64| grouped(bytes >> 20);
    Err(format!("{what} some {} MiB of memory, and {} MiB are free", mebibytes(needed), mebibytes(free)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lattice_fits_exactly_where_its_bytes_are_free() {
        let extents = Extents { width: 16_384, height: 16_384 };
        let needed = (1 << 28) * RUN;
        assert_eq!(compare(&lattice(extents), needed, needed), Ok(()));
        let wrong = compare(&lattice(extents), needed, 2 << 30).unwrap_err();
        let [needed, free] = [13_312, 2048].map(grouped);
        assert_eq!(
            wrong,
            format!("a lattice of 16384x16384 needs some {needed} MiB of memory, and {free} MiB are free")
        );
    }

    #[test]
    fn a_lattice_that_gives_way_is_credited() {
        let [small, large] = [256, 16_384].map(|extent| Extents { width: extent, height: extent });
        assert_eq!(needed_in_window(large, None), (1 << 28) * WINDOW);
        assert_eq!(needed_in_window(large, Some(large)), (1 << 28) * RUN);
        assert_eq!(needed_in_window(small, Some(large)), (1 << 16) * RUN);
        assert_eq!(needed_in_window(large, Some(small)), ((1 << 28) - (1 << 16)) * WINDOW);
    }
}
