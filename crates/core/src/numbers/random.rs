//! Random integers from a seed. A seed gives equal numbers on all machines.

use crate::numbers::{Vector, Vector3};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// A random number generator.
pub struct Random(Pcg64);

/// The generator of random numbers for a seed and a purpose. Each purpose has a sequence of its own, so that a change
/// of one sequence does not change the others.
pub fn generator(seed: u64, purpose: u64) -> Random {
    Random(Pcg64::seed_from_u64(seed.wrapping_add(purpose.wrapping_mul(0x9e37_79b9_7f4a_7c15))))
}

impl Random {
    /// A uniform number from 0 to n - 1. n must be at least 1.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.0.next_u64()) * u128::from(n)) >> 64) as u64
    }

    /// A uniform number from -bound to bound. The bound must not be negative.
    pub fn around(&mut self, bound: i64) -> i64 {
        self.below(2 * bound as u64 + 1) as i64 - bound
    }

    /// A uniformly distributed vector in the disc with this radius, without 0. The radius must be above 0.
    pub fn inside_disc(&mut self, radius: i32) -> Vector {
        let bound = i64::from(radius);
        loop {
            let (x, y) = (self.around(bound), self.around(bound));
            if (1..=bound * bound).contains(&(x * x + y * y)) {
                return [x as i32, y as i32];
            }
        }
    }

    /// A uniformly distributed vector in the ball with this radius, without 0. The radius must be above 0.
    pub fn inside_ball(&mut self, radius: i32) -> Vector3 {
        let bound = i64::from(radius);
        loop {
            let v = [self.around(bound), self.around(bound), self.around(bound)];
            if (1..=bound * bound).contains(&v.iter().map(|n| n * n).sum()) {
                return v.map(|n| n as i32);
            }
        }
    }
}

/// A hash of a seed and a purpose. Similar seeds have very different words. Each purpose has words of its own.
pub const fn word_of_seed(seed: u64, purpose: u32) -> u32 {
    hash(seed as u32) ^ hash((seed >> 32) as u32 ^ purpose)
}

/// An integer hash with full avalanche (`lowbias32` by Chris Wellons): every bit of the result depends on every bit of
/// `word`. Random numbers that are hashes of a counter can be computed in any order. `shaders/shared/random.wgsl`
/// computes the same bits.
#[inline(always)]
pub const fn hash(word: u32) -> u32 {
    let word = (word ^ (word >> 16)).wrapping_mul(0x7feb_352d);
    let word = (word ^ (word >> 15)).wrapping_mul(0x846c_a68b);
    word ^ (word >> 16)
}
