//! Points sampled from a state: one for each boid, at a place that a hash of its cell chooses.

use crate::numbers::{BOID, ONE, Vector3};
use crate::state::State;

/// The most points of a sample; beyond it each stands for several boids.
const MOST_POINTS: u64 = 1 << 20;
/// How far from the middle of its cell a point lies at most, in Q16 of a cell. Less shows the lattice.
const SPREAD: i32 = 62_259;

/// Points of a swarm.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Points {
    /// In Q16 of a cell.
    pub places: Vec<Vector3>,
    /// In Q14 of a cell a step.
    pub velocities: Vec<Vector3>,
    /// How much of each point there is, from 0 to 65 535.
    pub presences: Vec<u16>,
    /// The boids for which a point stands.
    pub boids_each: u32,
}

impl Points {
    /// A point for every boid of a state: floor(D / BOID + hash) in a cell, spread around its middle.
    pub fn sample(state: &State) -> Self {
        let boids_each = (state.total() / u64::from(BOID)).div_ceil(MOST_POINTS).max(1) as u32;
        let each = u64::from(BOID) * u64::from(boids_each);
        let [width, height, slices] = state.extents.along_axes();
        let mut points = Self { boids_each, ..Self::default() };
        let mut index = 0;
        for z in 0..slices {
            for y in 0..height {
                for x in 0..width {
                    let count =
                        (u64::from(state.density[index]) + u64::from(hash(index as u32)) * each / (1 << 32)) / each;
                    for number in 0..count as u32 {
                        let mut word = hash(index as u32 ^ number.wrapping_mul(0x9e37_79b9));
                        points.places.push([x, y, z].map(|cell| {
                            word = hash(word);
                            // The difference of two even numbers is spread as a triangle.
                            let spread = (word & 0xffff) as i32 - (word >> 16) as i32;
                            ((cell << 16) | 0x8000) as i32 + ((i64::from(spread) * i64::from(SPREAD)) >> 16) as i32
                        }));
                        points.velocities.push(state.velocity(index));
                    }
                    index += 1;
                }
            }
        }
        if state.extents.depth.is_none() {
            points.places.iter_mut().for_each(|place| place[2] = 0);
        }
        points.presences = vec![u16::MAX; points.places.len()];
        points
    }

    /// The place of a point in cells and its velocity in cells a step.
    #[inline(always)]
    pub fn motion(&self, index: usize) -> [[f32; 3]; 2] {
        let (place, velocity) = (self.places[index], self.velocities[index]);
        [place.map(|axis| axis as f32 * (1.0 / 65536.0)), velocity.map(|axis| axis as f32 * (1.0 / ONE as f32))]
    }
}

/// An integer hash with full avalanche (Chris Wellons' `lowbias32`).
fn hash(mut word: u32) -> u32 {
    word = (word ^ (word >> 16)).wrapping_mul(0x7feb_352d);
    word = (word ^ (word >> 15)).wrapping_mul(0x846c_a68b);
    word ^ (word >> 16)
}
