//! Points sampled from a state: one for each boid, at a place that a hash of its cell chooses.

use crate::numbers::{BOID, ONE, Vector3};
use crate::state::State;

/// The most points of a sample; beyond it each stands for several boids.
const MOST_POINTS: u64 = 1 << 20;
/// How far from the middle of its cell a point lies at most, in Q16 of a cell. Less shows the lattice.
const SPREAD: i64 = 62_259;

/// A point of a swarm. Its layout in memory is that on a GPU.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Point {
    /// In Q16 of a cell.
    place: Vector3,
    /// In Q14 of a cell a step.
    velocity: [i16; 3],
    /// How much of it there is, from 0 to 65 535.
    presence: u16,
    /// A random number.
    key: u32,
}

/// Points of a swarm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Points {
    pub list: Vec<Point>,
    /// The boids for which a point stands.
    pub boids_each: u32,
}

impl Points {
    /// A point for every boid of a state: floor(D / BOID + hash) in a cell, spread around its middle.
    pub fn sample(state: &State) -> Self {
        let boids_each = (state.total() / u64::from(BOID)).div_ceil(MOST_POINTS).max(1) as u32;
        let each = u64::from(BOID) * u64::from(boids_each);
        let [width, height, slices] = state.extents.along_axes();
        let (mut list, mut index) = (Vec::new(), 0);
        for [z, y, x] in (0..slices).flat_map(|z| (0..height).flat_map(move |y| (0..width).map(move |x| [z, y, x]))) {
            let count = (u64::from(state.density[index]) + u64::from(hash(index as u32)) * each / (1 << 32)) / each;
            for number in 0..count as u32 {
                let key = hash(index as u32 ^ number.wrapping_mul(0x9e37_79b9));
                let mut word = key;
                let mut place = [x, y, z].map(|cell| {
                    word = hash(word);
                    // The difference of two even numbers is spread as a triangle.
                    let spread = i64::from(word & 0xffff) - i64::from(word >> 16);
                    (cell << 16 | 0x8000) as i32 + ((spread * SPREAD) >> 16) as i32
                });
                if state.extents.depth.is_none() {
                    place[2] = 0;
                }
                let velocity = state.velocity(index).map(|component| component as i16);
                list.push(Point { place, velocity, presence: u16::MAX, key });
            }
            index += 1;
        }
        Self { list, boids_each }
    }
}

impl Point {
    /// The place in cells.
    #[inline(always)]
    pub fn place(&self) -> [f32; 3] {
        self.place.map(|axis| axis as f32 * (1.0 / 65536.0))
    }

    /// The velocity in cells a step.
    #[inline(always)]
    pub fn velocity(&self) -> [f32; 3] {
        self.velocity.map(|axis| f32::from(axis) * (1.0 / ONE as f32))
    }

    /// How much of it there is, from 0 to 1.
    #[inline(always)]
    pub fn presence(&self) -> f32 {
        f32::from(self.presence) * (1.0 / 65535.0)
    }

    /// A random number.
    pub fn key(&self) -> u32 {
        self.key
    }
}

/// An integer hash with full avalanche (Chris Wellons' `lowbias32`).
fn hash(mut word: u32) -> u32 {
    word = (word ^ (word >> 16)).wrapping_mul(0x7feb_352d);
    word = (word ^ (word >> 15)).wrapping_mul(0x846c_a68b);
    word ^ (word >> 16)
}
