//! The shaders that put individuals on the lattice for pictures and metrics, list the individuals to draw, find an
//! individual, and sum over lives and places.

use super::Shader;
use super::structure::structure;
use murmuration_core::host::library::Library;
use murmuration_core::individuals::find::RANKS;
use murmuration_core::lives::measures::{BYTES, HAPPY};
use murmuration_core::lives::{HAPPIEST, Trait};
use murmuration_core::numbers::{BOID, ONE};
use murmuration_core::world::Extents;

structure! {
    /// An individual as it is stored for drawing. (A `Vec3` in a list would be aligned to 16 bytes.)
    StoredBody, STORED_BODY_WGSL {
        /// The position along x, in cells.
        x: f32,
        /// The position along y, in cells.
        y: f32,
        /// The position along z, in cells.
        z: f32,
        /// The velocity along x in the lower half and along y in the upper half, in 1/8192 cell a step.
        velocity_xy: u32,
        /// The velocity along z in the lower half, and the boids in its column of cells in the upper half. 0 boids: the
        /// entry is empty.
        velocity_z_boids: u32,
        /// The mood, the species and the steps until it has perished, packed by `drawn_word`. 0 if it has no life.
        drawn_word: u32,
        /// The number, which is constant for the whole run.
        number: u32,
    }
}

structure! {
    /// The query for an individual, as kernels read it (see [`murmuration_core::individuals::find`]).
    QueryNumbers, QUERY_WGSL {
        /// The start of the line along x, in cells.
        from_x: f32,
        /// The start of the line along y, in cells.
        from_y: f32,
        /// The start of the line along z, in cells.
        from_z: f32,
        /// The length of the line, in cells.
        length: f32,
        /// The x component of the line's direction, which has length 1.
        ahead_x: f32,
        /// The y component of the line's direction.
        ahead_y: f32,
        /// The z component of the line's direction.
        ahead_z: f32,
        /// The radius of the line at its start, in cells.
        radius: f32,
        /// The growth of the radius for each cell along the line.
        spread: f32,
        /// 1: individuals along the line match.
        has_line: u32,
        /// 1: the individual with the number matches.
        has_number: u32,
        /// The number of the individual that matches if none is on the line.
        number: u32,
    }
}

/// The key if no individual matches.
pub const NOBODY: u32 = u32::MAX;

/// The number of words of the individuals' account (see `shaders/individuals/account.wgsl`).
pub const ACCOUNT_WORDS: u64 = 194;
/// The index of the number of individuals in the account.
pub const LIVING: usize = 1;
/// The number of words of the sums over the conditions and needs of a species.
pub const LIFE_NEEDS: usize = 10;
/// The number of words of all sums over the lives of a species: conditions, needs and traits.
pub const LIFE_SUMS: u64 = (LIFE_NEEDS + Trait::ALL.len() * BYTES) as u64;
/// The number of words of the sums over places.
pub const PLACE_SUMS: u64 = 18;
/// The number of words of the sums of a cell.
pub const CELL_SUMS: u64 = 4;

/// The individuals on a device, and the lattice for their deposit.
#[derive(Debug, Clone, Copy)]
pub struct DepositConfig {
    /// The extents of the lattice, in cells.
    pub extents: Extents,
    /// The number of individuals for which each drawn individual stands.
    pub each: u32,
    /// Whether individuals have lives.
    pub has_lives: bool,
    /// The number of parts with separate sums: the species of sums over lives.
    pub parts: usize,
}

/// A kernel of `shaders/deposit/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DepositKernel {
    /// Adds the boids and velocities of individuals to the sums of their cells.
    Deposit,
    /// Computes the density and the mean velocity from the sums.
    Means,
    /// Lists the individuals that are drawn.
    ListBodies,
    /// Finds the least key along a line of sight.
    Find,
    /// Takes the individual with that key.
    Found,
    /// Sums over the lives of each species.
    SumLives,
    /// Sums the places, and finds their minimum and maximum.
    SumPlaces,
}

impl DepositKernel {
    /// All kernels of `shaders/deposit/`.
    pub const ALL: [Self; 7] =
        [Self::Deposit, Self::Means, Self::ListBodies, Self::Find, Self::Found, Self::SumLives, Self::SumPlaces];

    /// The name of its function, and of its file without the extension.
    pub fn name(self) -> &'static str {
        match self {
            Self::Deposit => "deposit",
            Self::Means => "means",
            Self::ListBodies => "list_bodies",
            Self::Find => "find",
            Self::Found => "found",
            Self::SumLives => "sum_lives",
            Self::SumPlaces => "sum_places",
        }
    }
}

/// The whole shader of a kernel.
pub fn assemble_deposit(library: &Library, kernel: DepositKernel, config: DepositConfig) -> Shader {
    let mut shader = Shader::new(library, &format!("deposit/{}", kernel.name()), []);
    let DepositConfig { extents: Extents { width, height, .. }, each, has_lives, parts } = config;
    shader.constant("EXTENT", "vec2<u32>", format_args!("vec2<u32>({width}u, {height}u)"));
    match kernel {
        DepositKernel::Means => {
            shader.constant("BOID", "u32", BOID);
            shader.constant("MAX_BOIDS", "u32", u32::MAX / BOID);
            shader.constant("ONE", "i32", ONE);
            shader.buffer("sums", "array<vec4<u32>>", false);
            shader.target("density_target", "r32uint");
            shader.target("control_target", "r32uint");
            return shader;
        }
        DepositKernel::ListBodies => {
            shader.constant("BOID", "u32", BOID);
            shader.constant("EACH", "u32", each);
            shader.add(STORED_BODY_WGSL);
            shader.texture("density_texture", "u32");
            shader.buffer("bodies", "array<StoredBody>", true);
            shader.buffer("listed", "array<atomic<u32>, 1>", true);
        }
        DepositKernel::Find => {
            shader.constant("RANKS", "u32", RANKS);
            shader.constant("NOBODY", "u32", NOBODY);
            shader.add(QUERY_WGSL);
            shader.uniform("query", "QueryNumbers");
            shader.buffer("least_key", "atomic<u32>", true);
        }
        DepositKernel::SumLives => {
            shader.constant("HAPPY", "i32", HAPPY);
            shader.constant("HAPPIEST", "i32", HAPPIEST);
            shader.constant("SPECIES", "u32", parts);
            shader.constant("LIFE_SUMS", "u32", LIFE_SUMS);
            shader.buffer("sad", format_args!("array<i32, {parts}>"), false);
            shader.buffer("sums", "array<atomic<u32>>", true);
        }
        DepositKernel::Found => {
            shader.constant("NOBODY", "u32", NOBODY);
            shader.buffer("least_key", "u32", false);
            shader.buffer("found", "Individual", true);
        }
        DepositKernel::Deposit | DepositKernel::SumPlaces => shader.buffer("sums", "array<atomic<u32>>", true),
    }
    add_individuals(&mut shader, library, has_lives);
    shader
}

/// Adds the individuals, with lives if they have any, and their account.
pub(crate) fn add_individuals(shader: &mut Shader, library: &Library, has_lives: bool) {
    shader.constant("LIVING", "u32", LIVING);
    shader.buffer("account", "array<u32>", false);
    shader.individual(library, has_lives);
    shader.buffer("individuals", "array<Individual>", false);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::library;
    use std::collections::BTreeSet;

    #[test]
    fn every_file_of_the_deposit_is_a_kernel() {
        let files: BTreeSet<_> = library().folder("shaders/deposit").map(|(stem, _)| stem).collect();
        assert_eq!(DepositKernel::ALL.map(DepositKernel::name).into_iter().collect::<BTreeSet<_>>(), files);
    }
}
