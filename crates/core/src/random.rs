//! Random numbers that are the same on every machine: integers only, from a seed.

use crate::numbers::Vector;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// A random number generator, and what is drawn from it.
pub struct Random(Pcg64);

/// The generator of a seed for one purpose, so that a change to one does not change what the others draw.
pub fn generator(seed: u64, purpose: u64) -> Random {
    Random(Pcg64::seed_from_u64(seed.wrapping_add(purpose.wrapping_mul(0x9e37_79b9_7f4a_7c15))))
}

impl Random {
    /// A number below n, which is at least 1.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.0.next_u64()) * u128::from(n)) >> 64) as u64
    }

    /// A number within ±bound, which is not negative.
    pub fn around(&mut self, bound: i64) -> i64 {
        self.below(2 * bound as u64 + 1) as i64 - bound
    }

    /// A vector that is not longer than the radius, and not zero; every direction is as likely. 0 < radius.
    pub fn inside_disc(&mut self, radius: i32) -> Vector {
        let bound = i64::from(radius);
        loop {
            let (x, y) = (self.around(bound), self.around(bound));
            if (1..=bound * bound).contains(&(x * x + y * y)) {
                return [x as i32, y as i32];
            }
        }
    }
}
