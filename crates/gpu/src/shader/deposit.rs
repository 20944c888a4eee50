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
    /// An individual in the list from which pictures draw individuals, 28 bytes. Its numbers are scalars, because WGSL
    /// aligns a `Vec3` to 16 bytes.
    StoredBody, STORED_BODY_WGSL {
        /// The position along x, in cells.
        x: f32,
        /// The position along y, in cells.
        y: f32,
        /// The position along z, in cells.
        z: f32,
        /// The velocity along x in the lower half and along y in the upper half, in 1/8192 cell a step.
        velocity_xy: u32,
        /// The velocity along z in the lower half. The upper half has the number of individuals in the cell of the flat
        /// lattice in which the individual lies. 0 there: the entry is empty.
        velocity_z_boids: u32,
        /// The mood, the species and the steps until the individual has perished, packed by `drawn_word` of the core. 0
        /// if the swarm has no lives.
        drawn_word: u32,
        /// The number, which is constant for the whole run.
        number: u32,
    }
}

structure! {
    /// A query for one individual, as kernels read it: the individual nearest to the middle of a line of sight, or else
    /// the individual with a number.
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
        /// The distance from the line within which an individual matches at the line's start, in cells.
        radius: f32,
        /// The growth of `radius` for each cell along the line, in cells.
        spread: f32,
        /// 1 if individuals along the line match, else 0.
        has_line: u32,
        /// 1 if the individual with the number `number` matches, else 0.
        has_number: u32,
        /// The number of the individual that matches if no individual is on the line.
        number: u32,
    }
}

/// The key that [`DepositKernel::Find`] writes if no individual matches.
pub const NOBODY: u32 = u32::MAX;

/// The number of words of the individuals' account (see `shaders/individuals/account.wgsl`).
pub const ACCOUNT_WORDS: u64 = 194;
/// The index of the word of the account with the number of individuals.
pub const LIVING: usize = 1;
/// The number of words of the sums over the conditions and needs of a species: 4 counts of one word, and 3 sums of two
/// words.
pub const LIFE_NEEDS: usize = 10;
/// The number of words of all sums over the lives of a species: conditions, needs and traits.
pub const LIFE_SUMS: u64 = (LIFE_NEEDS + Trait::ALL.len() * BYTES) as u64;
/// The number of words of the sums over places (see `shaders/deposit/sum_places.wgsl`).
pub const PLACE_SUMS: u64 = 18;
/// The number of words of the sums of one cell of the deposit.
pub const CELL_SUMS: u64 = 4;

/// The properties of a swarm of individuals on which the shaders of this module depend.
#[derive(Debug, Clone, Copy)]
pub struct DepositConfig {
    /// The extents of the lattice for the deposit, in cells.
    pub extents: Extents,
    /// The number of individuals for which each drawn individual stands.
    pub each: u32,
    /// Whether individuals have lives.
    pub has_lives: bool,
    /// The number of species, for sums over lives. 1 for other kernels.
    pub parts: usize,
}

/// A kernel of `shaders/deposit/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DepositKernel {
    /// Adds the boids and velocities of individuals to the sums of their cells.
    Deposit,
    /// Computes the density and the mean velocity from the sums.
    Means,
    /// Lists the individuals that are drawn: all, or each `each`-th one.
    ListBodies,
    /// Finds the least key of the individuals that match a query. A key has the distance from the line of sight in its
    /// high bits, and the index of the individual in its low bits.
    Find,
    /// Copies the individual whose key [`Self::Find`] has found.
    Found,
    /// Sums over the lives of the individuals of each species.
    SumLives,
    /// Sums the places of individuals along each axis, and finds the minimum and the maximum place along each axis.
    SumPlaces,
}

impl DepositKernel {
    /// All kernels of `shaders/deposit/`.
    pub const ALL: [Self; 7] =
        [Self::Deposit, Self::Means, Self::ListBodies, Self::Find, Self::Found, Self::SumLives, Self::SumPlaces];

    /// The name of the kernel's file, without the extension.
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

/// The whole shader of a kernel of `shaders/deposit/`.
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

/// Adds to a shader the buffer of the individuals, with or without lives, and the buffer of their account.
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
