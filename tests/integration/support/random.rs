//! Random numbers, sights, hunters, rules and swarms from a seed.

use murmuration_core::cells::numbers::{Distribution, Rules};
use murmuration_core::cells::sight::Sight;
use murmuration_core::noise::Noise;
use murmuration_core::numbers::{BOID, ONE, RULE_ONE, Vector3, WEIGHT_LIMIT, pack};
use murmuration_core::state::{Layer, State};
use murmuration_core::world::{Extents, Hunter, HunterKind, Mood, PARTS};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::{Rng, SeedableRng};
use std::collections::BTreeMap;
use std::f64::consts::TAU;

pub struct Random(Pcg64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(Pcg64::seed_from_u64(seed))
    }

    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below n.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(n)) >> 64) as u64
    }

    /// A number from `least` to `most`, inclusive.
    pub fn between(&mut self, least: i64, most: i64) -> i64 {
        least + self.below((most - least + 1) as u64) as i64
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len() as u64) as usize]
    }

    /// A random number below 2^b. b is evenly distributed from 0 to 32.
    pub fn amount(&mut self) -> u32 {
        let bits = self.below(33);
        (self.word() & ((1u64 << bits) - 1)) as u32
    }

    /// A packed control vector. Each component is zero or at a bound in one of three cases.
    pub fn heading(&mut self) -> u32 {
        let mut component = || match self.below(9) {
            0 => 0,
            1 => ONE,
            2 => -ONE,
            _ => self.between(i64::from(-ONE), i64::from(ONE)) as i32,
        };
        pack([component(), component()])
    }

    /// A control vector on three axes. Most components are at a bound, zero or arbitrary; some are small.
    pub fn velocity(&mut self) -> Vector3 {
        [0; 3].map(|_| match self.below(9) {
            0 => 0,
            1 => ONE,
            2 => -ONE,
            3 => self.between(-200, 200) as i32,
            _ => self.between(i64::from(-ONE), i64::from(ONE)) as i32,
        })
    }

    pub fn hunter(&mut self, extents: Extents) -> Hunter {
        let corners = self.between(1, 4);
        let mut corner = || {
            let last = extents.ends().map(|end| i64::from(end - PARTS));
            last.map(|last| self.between(0, last) as i32)
        };
        let mut corners: Vec<Vector3> = (0..corners).map(|_| corner()).collect();
        let is_column = extents.depth.is_none() || self.below(2) == 0;
        if is_column {
            corners.iter_mut().for_each(|corner| corner[2] = 0);
        }
        let mood = *self.pick(&[Mood::Flee, Mood::Follow]);
        let reach = *self.pick(&[1, 3, 9, 20, 255]);
        let jaws = *self.pick(&[0, 0, 2, 6]);
        Hunter { kind: HunterKind::Path { corners, is_column, speed: self.below(4096) as u32 }, mood, reach, jaws }
    }

    pub fn sight(&mut self) -> Sight {
        let sight = match self.below(4) {
            0 => Sight::disc(self.between(1024, 7 * 1024) as u32),
            1 => Sight::square(self.between(1, 4) as u32),
            2 => {
                let radii: Vec<u32> = (0..self.between(1, 3)).map(|_| self.between(1, 9) as u32).collect();
                Sight::rings(*self.pick(&[4, 8, 16, 32]), &radii)
            }
            _ => {
                let mut vectors: Vec<[i32; 2]> = (0..self.between(2, 12))
                    .map(|_| [self.between(-9, 9) as i32, self.between(-9, 9) as i32])
                    .collect();
                vectors.sort_unstable();
                vectors.dedup();
                vectors.push([0, 10]);
                Sight::list(&vectors)
            }
        };
        sight.unwrap()
    }

    /// A swarm in a flat world. Some boids are under solids, as after a solid was painted over a swarm.
    pub fn swarm(&mut self, extents: Extents, capacity: u32) -> State {
        let fill = self.below(4);
        let density = (0..extents.cells()).map(|_| match fill {
            0 => self.amount(),
            1 => u32::MAX - self.below(9) as u32,
            2 => self.below(2 * u64::from(BOID)) as u32,
            _ => BOID * u32::from(self.below(5) == 0),
        });
        let density = density.map(|quanta| quanta.min(capacity)).collect();
        let control = (0..extents.cells()).map(|_| self.heading()).collect();
        State::new(extents, vec![Layer { density, control }])
    }

    pub fn rules(&mut self) -> Rules {
        let max = *self.pick(&[1, 5000, 15565, ONE, 2 * ONE]);
        let limit = *self.pick(&[i64::from(RULE_ONE), 2000, i64::from(WEIGHT_LIMIT)]);
        let mut weights = BTreeMap::new();
        for name in ["cohesion", "separation", "alignment", "hunter", "walls", "roost"] {
            weights.insert(name.to_string(), self.between(-limit / 2, limit) as i32);
        }
        // Weights at their bounds with one sign give the largest sums.
        if self.below(5) == 0 {
            let most = *self.pick(&[-WEIGHT_LIMIT, WEIGHT_LIMIT]);
            weights.values_mut().for_each(|weight| *weight = most);
        }
        let sights = ["cohesion", "separation", "alignment"].map(|name| (name.to_string(), self.sight()));
        let wander = self.between(1, 2048) as u32;
        let keep = self.between(0, 1024) as i32;
        let mut rules = Rules {
            shift: *self.pick(&[0, 5, 12, 12, 12, 16, 22, 31]),
            crowd: *self.pick(&[1, 16, 16, 1000, 524_287]),
            keep: *self.pick(&[0, RULE_ONE, keep]),
            cruise: *self.pick(&[0, max / 2, max]),
            max,
            distribution: *self.pick(&Distribution::ALL),
            carry: self.below(3) > 0,
            wander: *self.pick(&[0, wander, 2048]),
            rest: 0,
            noise: Noise::default(),
            weights,
            sights: sights.into(),
        };
        rules.rest = *self.pick(&[0, 0, 1, 16.min(1 << rules.shift), 1 << rules.shift]);
        rules.noise = self.noise();
        rules
    }

    /// Mostly no noise, else any kind of noise, with or without correlation.
    pub fn noise(&mut self) -> Noise {
        let mut noise = Noise::default();
        if self.below(3) == 0 {
            noise.set_angle(*self.pick(&[0.0, 0.3, 4.0, TAU]));
            noise.vector = *self.pick(&[0, ONE / 3, 2 * ONE]);
            noise.time = *self.pick(&[1, 2, 5]);
            noise.length = *self.pick(&[1, 3, 7]);
        }
        noise
    }
}
