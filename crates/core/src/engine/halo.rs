//! The halo of a slab: its depth, and its exchange between ranks.

use crate::cells::BuiltInKernel;
use crate::chain::plan::{Plan, PlannedPass, Slot, THE_PRESET};
use crate::error::{BadInput, Failure};
use crate::ranks::Ranks;
use crate::state::fields::{Field, Layout, Texel};
use crate::world::{Cuts, Edges, Extents, Slab, memory};

/// For each buffer that a pass writes: the number of pieces of a neighbouring slab that later passes read. The indices
/// are the phase, the pass, and the place of the buffer among those that the pass writes.
pub type HaloDepths = Vec<Vec<Vec<usize>>>;

/// The kernels of a plan, if all of them are built in. `refuse`: returns the problem and the advice for the name of a
/// kernel that is not built in.
///
/// # Errors
/// If a kernel is not built in.
pub fn built_in_kernels(
    plan: &Plan,
    refuse: impl Fn(&str) -> (String, &'static str),
) -> Result<Vec<BuiltInKernel>, BadInput> {
    let kernels = plan.kernels.iter().map(|kernel| {
        kernel.cpu().ok_or_else(|| {
            let (problem, cure) = refuse(&kernel.name);
            BadInput::new(&kernel.origin, problem, cure)
        })
    });
    kernels.collect()
}

/// Computes the [`HaloDepths`] of a plan. For each buffer that a pass writes, the later passes count up to the pass
/// that writes the buffer again. A pass that looks through a sight counts as reading `around` pieces.
pub fn halo_depths(plan: &Plan, kernels: &[BuiltInKernel], around: usize) -> HaloDepths {
    let passes: Vec<&PlannedPass> = plan.phases.iter().flatten().collect();
    let depth = |index: usize, slot: &Slot| {
        let mut deepest = 0;
        for later in (0..passes.len()).map(|after| passes[(index + 1 + after) % passes.len()]) {
            if later.read.contains(slot) {
                let reach = if later.sights.is_empty() { kernels[later.kernel].pieces_around() } else { around };
                deepest = deepest.max(reach);
            }
            if later.write.contains(slot) {
                break;
            }
        }
        deepest
    };
    let mut index = 0..;
    let of_pass = |pass: &PlannedPass, index| pass.write.iter().map(|slot| depth(index, slot)).collect();
    let of_phase =
        |passes: &Vec<PlannedPass>| passes.iter().zip(&mut index).map(|(pass, index)| of_pass(pass, index)).collect();
    plan.phases.iter().map(of_phase).collect()
}

/// Checks that the halo of each slab lies within the neighbouring slabs.
///
/// # Errors
/// If the slabs are thinner than the reach of a rule.
pub fn check_slabs(layout: &Layout, cuts: &Cuts) -> Result<(), BadInput> {
    let (ranks, pieces, around) = (cuts.ranks(), cuts.pieces() as usize, layout.around);
    if ranks == 1 || cuts.thinnest() as usize >= around {
        return Ok(());
    }
    let noun = if layout.extents.depth.is_some() { "slices" } else { "rows" };
    let problem =
        format!("{pieces} {noun} on {ranks} ranks are slabs thinner than the {around} {noun} that a rule reaches");
    let cure = match pieces / around {
        0 | 1 => "take one rank".to_string(),
        most => format!("take at most {most} ranks, or a larger world"),
    };
    Err(BadInput::new(THE_PRESET, problem, cure).at_key("world.size"))
}

/// Fills the halo of a field, `depth` pieces on each side, with pieces of the neighbouring ranks.
///
/// # Errors
/// If another rank has ended.
pub fn exchange(field: &mut Field, layout: &Layout, ranks: &dyn Ranks, depth: usize) -> Result<(), Failure> {
    if layout.slab.is_whole() || depth == 0 {
        return Ok(());
    }
    let (ends, halos) = field.ends_and_halos(depth);
    ranks.exchange(layout.edges == Edges::Torus, ends, halos)
}

/// The pieces at both ends of a slab whose fields are elsewhere, such as on a device. They send and receive the same
/// data as fields in memory.
pub struct BorderPieces {
    layout: Layout,
    amounts: Field,
    vectors: Field,
}

impl BorderPieces {
    /// The border of the slab of a layout.
    ///
    /// # Errors
    /// If there is too little memory.
    pub fn new(layout: &Layout) -> Result<Self, BadInput> {
        let slab = Slab { pieces: layout.slab.pieces.min(2 * layout.around as u32), ..layout.slab };
        let layout = Layout { slab, extents: slab.extents(), ..*layout };
        let field = |texel| Field::new(layout, texel).map_err(too_large);
        Ok(Self { layout, amounts: field(Texel::Amount)?, vectors: field(Texel::Vector)? })
    }

    /// Sends the first and the last `depth` pieces of the slab to the neighbouring ranks. Returns the `depth` pieces
    /// before the slab and the `depth` pieces after it; `None`: there is no such rank.
    ///
    /// # Errors
    /// If another rank has ended.
    pub fn exchange(
        &mut self,
        ranks: &dyn Ranks,
        texel: Texel,
        depth: usize,
        border: &[Vec<u32>; 2],
    ) -> Result<[Option<Vec<u32>>; 2], Failure> {
        let Self { layout, amounts, vectors } = self;
        let field = if texel == Texel::Amount { amounts } else { vectors };
        let pieces = layout.pieces();
        let of_piece = layout.extents.cells_of_piece() * field.words_of_cell();
        let mut words = vec![0; pieces * of_piece];
        words[(pieces - depth) * of_piece..].copy_from_slice(&border[1]);
        words[..depth * of_piece].copy_from_slice(&border[0]);
        field.load(&words);
        exchange(field, layout, ranks, depth)?;
        let [before, after] = ranks.neighbours(layout.edges == Edges::Torus);
        Ok([
            before.map(|_| words_of(field, layout, -(depth as i32), depth)),
            after.map(|_| words_of(field, layout, pieces as i32, depth)),
        ])
    }
}

/// The words of `count` pieces of a field or of its halo, from piece `first` on.
fn words_of(field: &Field, layout: &Layout, first: i32, count: usize) -> Vec<u32> {
    let Extents { width, height, depth } = layout.extents;
    let mut words = Vec::new();
    for piece in first..first + count as i32 {
        let rows = if depth.is_some() { 0..height as i32 } else { piece..piece + 1 };
        let piece = if depth.is_some() { piece } else { 0 };
        rows.for_each(|y| field.append_words(0, [y, piece], width as usize, &mut words));
    }
    words
}

/// The error if there is too little memory for the fields of a world.
pub fn too_large(problem: String) -> BadInput {
    BadInput::new(THE_PRESET, problem, memory::CURE).at_key("world.size")
}
