//! The bodies of a swarm: individuals, or the contents of cells.

use crate::error::Failure;
use crate::numbers::{BOID, Vector3, each_axis};
use crate::parallel::lock;
use crate::ranks::{Ranks, SingleRank};
use crate::state::{Individuals, State};
use crate::world::{Edges, Extents, Slab, Space};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// An individual, or the content of a cell.
#[derive(Debug, Clone, Copy)]
pub struct Body {
    /// 1 for an individual; the quanta of a cell.
    pub weight: u32,
    /// The place from the corner of the world, in cells with [`Space::place_bits`] bits after the binary point.
    pub place: Vector3,
    /// The velocity (Q14 of a cell a step).
    pub velocity: Vector3,
}

/// Bodies in parallel lists, so that vector instructions compute the terms of several bodies.
pub struct Batch {
    /// The number of bodies. The lists hold older bodies after them.
    pub count: usize,
    /// The weights.
    pub weights: [u32; BATCH],
    /// The places along each axis, as in a [`Body`].
    pub places: [[i32; BATCH]; 3],
    /// The velocities along each axis (Q14 of a cell a step).
    pub velocities: [[i32; BATCH]; 3],
}

/// The max number of bodies of a batch.
pub const BATCH: usize = 64;

impl Batch {
    /// A batch without bodies.
    pub fn empty() -> Self {
        Self { count: 0, weights: [0; BATCH], places: [[0; BATCH]; 3], velocities: [[0; BATCH]; 3] }
    }
}

/// The bodies of a swarm.
pub trait Bodies: Sync {
    /// The weight of a boid.
    const BOID: u32;

    /// The number of bodies, including bodies of weight 0.
    fn count(&self) -> usize;

    /// A body by its index.
    fn body(&self, index: usize) -> Body;

    /// Fills a batch with the first bodies of a range, in the order of their indices. Bodies of weight 0 are left out.
    /// The new range begins after the last index that was read.
    fn take(&self, range: &mut Range<usize>, batch: &mut Batch);

    /// The weights of the bodies in each cell along an axis; `None`: not all bodies are in the middles of cells.
    fn weights_along(&self, _axis: usize) -> Option<Vec<u64>> {
        None
    }

    /// Replaces sums over these bodies by the sums over the bodies of all ranks, modulo 2^64.
    fn sum_over_ranks(&self, _sums: &mut [u64]) {}
}

impl Bodies for Individuals {
    const BOID: u32 = 1;

    fn count(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn body(&self, index: usize) -> Body {
        Body { weight: 1, place: self.position(index), velocity: self.velocity(index) }
    }

    #[inline(always)]
    fn take(&self, range: &mut Range<usize>, batch: &mut Batch) {
        let first = range.start;
        batch.count = Ord::min(BATCH, range.end - first);
        batch.weights = [1; BATCH];
        for axis in 0..3 {
            for index in 0..batch.count {
                batch.places[axis][index] = self.positions[axis][first + index];
                batch.velocities[axis][index] = self.velocities[axis][first + index];
            }
        }
        range.start += batch.count;
    }
}

/// The first layer of the slab of a rank, with access to the other ranks. A body is in the middle of its cell.
///
/// The sums are over all ranks. All ranks must compute the same sums, in the same order. If another rank has ended, the
/// failure is kept, and the sums are invalid.
pub struct SlabBodies<'a> {
    state: &'a State,
    slab: Slab,
    ranks: &'a dyn Ranks,
    failure: Mutex<Option<Failure>>,
}

impl<'a> SlabBodies<'a> {
    /// The bodies of a state of the slab.
    pub fn new(state: &'a State, slab: Slab, ranks: &'a dyn Ranks) -> Self {
        Self { state, slab, ranks, failure: Mutex::new(None) }
    }

    /// The bodies of a state of the whole world.
    pub fn whole(state: &'a State) -> Self {
        Self::new(state, Slab::whole(state.extents), &SingleRank)
    }

    /// Checks that the sums are valid.
    ///
    /// # Errors
    /// If another rank has ended.
    pub fn check(self) -> Result<(), Failure> {
        self.failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }
}

impl Bodies for SlabBodies<'_> {
    const BOID: u32 = BOID;

    fn count(&self) -> usize {
        self.state.layers[0].density.len()
    }

    #[inline(always)]
    fn body(&self, index: usize) -> Body {
        let bits = place_bits(self.slab.world);
        let half = 1 << (bits - 1);
        let [y, z] = self.slab.first_row();
        let cell = self.state.extents.cell(index);
        let is_deep = self.slab.world.depth.is_some();
        let first = [0, y, z];
        let middle = |axis: usize| if axis < 2 || is_deep { ((cell[axis] + first[axis]) << bits) + half } else { 0 };
        Body {
            weight: self.state.layers[0].density[index],
            place: each_axis(middle),
            velocity: self.state.layers[0].velocity(index),
        }
    }

    /// The next cell overwrites a cell without boids.
    #[inline(always)]
    fn take(&self, range: &mut Range<usize>, batch: &mut Batch) {
        let (width, bits) = (self.slab.world.width as usize, place_bits(self.slab.world));
        batch.count = 0;
        while range.start < range.end && batch.count < BATCH {
            let row = range.start - range.start % width;
            let [middle, y, z] = self.body(row).place;
            let last = Ord::min(row + width, range.end);
            let mut index = range.start;
            while index < last && batch.count < BATCH {
                let (own, v) = (batch.count, self.state.layers[0].velocity(index));
                batch.weights[own] = self.state.layers[0].density[index];
                batch.places[0][own] = middle + (((index - row) as i32) << bits);
                (batch.places[1][own], batch.places[2][own]) = (y, z);
                for axis in 0..3 {
                    batch.velocities[axis][own] = v[axis];
                }
                batch.count += usize::from(self.state.layers[0].density[index] > 0);
                index += 1;
            }
            range.start = index;
        }
    }

    fn weights_along(&self, axis: usize) -> Option<Vec<u64>> {
        let [width, height, _] = self.state.extents.along_axes().map(|extent| extent as usize);
        let [first_y, first_z] = self.slab.first_row().map(|place| place as usize);
        let mut weights = vec![0; self.slab.world.along_axes()[axis] as usize];
        for (row, densities) in self.state.layers[0].density.chunks(width).enumerate() {
            if axis == 0 {
                for x in 0..width {
                    weights[x] += u64::from(densities[x]);
                }
            } else {
                let along = if axis == 1 { first_y + row % height } else { first_z + row / height };
                for quanta in densities {
                    weights[along] += u64::from(*quanta);
                }
            }
        }
        self.sum_over_ranks(&mut weights);
        Some(weights)
    }

    fn sum_over_ranks(&self, sums: &mut [u64]) {
        if let Err(failure) = self.ranks.sum(sums) {
            lock(&self.failure).get_or_insert(failure);
        }
    }
}

/// [`Space::place_bits`] of a lattice.
#[inline(always)]
fn place_bits(extents: Extents) -> u32 {
    Space { extents: extents.along_axes(), edges: Edges::Torus }.place_bits()
}
