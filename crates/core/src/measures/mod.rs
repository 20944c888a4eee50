//! Measures of a swarm: order, speed, rotation, centre and shape, on all axes (`docs/formats.md, Metrics`). They are
//! taken of individuals, or of the density and the control vectors of cells.
//!
//! A measure comes from two rounds of sums: [`MotionSums`] give the centre, and [`FormSums`] are taken about the
//! centre. On the CPU the terms of the sums are 64-bit floats, rounded to multiples of 2^−52. So the sums do not depend
//! on the order of the terms.

mod axes;
mod bodies;
mod cells;
pub mod form;
pub mod liveliness;
pub mod neighbours;
pub mod rock;
mod sums;
mod tree;

pub use bodies::{Batch, Bodies, Body, SlabBodies};
pub use cells::CellMeasures;
pub use sums::{Centre, FormSums, MotionSums};
pub use tree::PlaceTree;

use crate::error::Failure;
use crate::numbers::each_axis;
use crate::ranks::{Ranks, SingleRank};
use crate::state::{Individuals, State, Swarm};
use crate::ticket::reading;
use crate::world::{Edges, Slab, Space};
use axes::eigenvalues;
pub use axes::eigenvectors;

/// Measures of a swarm. A boid is an individual, or an amount of the density of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Measures {
    /// The mean length of the boids' velocities, in cells a step; 0 without boids.
    pub mean_speed: f64,
    /// The mean of the boids' unit headings. A boid at rest counts as 0.
    pub heading: [f64; 3],
    /// The centre of mass along each axis, in cells from the corner of the world: the mean between walls, the circular
    /// mean on a torus. `None` without boids, along z in a flat world, and if the swarm is balanced all around the
    /// torus.
    pub centre: [Option<f64>; 3],
    /// The gyration tensor, in cells²: the means of the products of offsets from the centre, along xx, yy, zz, xy, xz
    /// and yz. Offsets go the short way round a torus. `None` if an axis has no centre.
    pub gyration: [Option<f64>; 6],
    /// The mean of r̂ × v̂, with the unit offset r̂ from the centre and the unit heading v̂. `None` if an axis of the
    /// world has no centre.
    pub rotation: Option<[f64; 3]>,
    /// The number of axes of the world: 2 or 3.
    pub dimensions: usize,
}

reading! {
    engine
    /// The measures of the present swarm. Several species are measured as one swarm.
    MeasuresReading {
        /// The space of the swarm.
        space: Space,
    } -> Measures
}

impl Measures {
    /// The measures of individuals. `space`: the space of the individuals.
    pub fn from_individuals(individuals: &Individuals, space: &Space) -> Self {
        Self::from_bodies(individuals, space)
    }

    /// The measures of a state of the whole world. Several layers are measured as one, with the mean control vector in
    /// each cell.
    pub fn from_state(state: &State, edges: Edges) -> Self {
        let alone = Self::over_ranks(state, &Slab::whole(state.extents), edges, &SingleRank);
        alone.expect("a single rank waits for no other one")
    }

    /// The measures of the slabs of all ranks, on every rank. `state`: of the slab of this rank.
    ///
    /// # Errors
    /// If another rank has ended.
    pub fn over_ranks(state: &State, slab: &Slab, edges: Edges, ranks: &dyn Ranks) -> Result<Self, Failure> {
        let state = state.merged();
        let bodies = SlabBodies::new(&state, *slab, ranks);
        let measures = Self::from_bodies(&bodies, &Space { extents: slab.world.along_axes(), edges });
        bodies.check()?;
        Ok(measures)
    }

    fn from_bodies(bodies: &impl Bodies, space: &Space) -> Self {
        let motion = MotionSums::new(bodies, space);
        let form = FormSums::new(bodies, space, &motion.centre(space));
        Self::from_sums(&motion, &form, space)
    }

    /// The measures with these sums. `form`: the sums about the centre of `motion`.
    pub fn from_sums(motion: &MotionSums, form: &FormSums, space: &Space) -> Self {
        let weight = motion.weight.max(1.0);
        let centre = motion.centre(space);
        let has_centre = (0..space.axes()).all(|axis| centre.0[axis].is_some());
        let (shift, mean) = (centre.offset_from(form.from, space), form.offsets.map(|sum| sum / weight));
        let product = |pair: usize| {
            let [a, b] = PAIRS[pair];
            let about_place = form.products[pair] / weight;
            let product = about_place - shift[a] * mean[b] - mean[a] * shift[b] + shift[a] * shift[b];
            centre.0[a].and(centre.0[b]).map(|_| if a == b { product.max(0.0) } else { product })
        };
        Self {
            mean_speed: motion.speed / weight,
            heading: motion.heading.map(|sum| sum / weight),
            centre: centre.0,
            gyration: std::array::from_fn(product),
            rotation: has_centre.then(|| form.rotation.map(|sum| sum / weight)),
            dimensions: space.axes(),
        }
    }

    /// The order parameter: the length of the mean unit heading, 0 to 1 (Vicsek et al. 1995).
    pub fn polarisation(&self) -> f64 {
        length(self.heading)
    }

    /// The group rotation about the centre of mass: the length of the mean of r̂ × v̂, 0 to 1 (Couzin et al. 2002,
    /// *Collective Memory and Spatial Sorting in Animal Groups*).
    pub fn milling(&self) -> Option<f64> {
        self.rotation.map(length)
    }

    /// The radius of gyration along each axis of the world, in cells.
    pub fn radii(&self) -> [Option<f64>; 3] {
        each_axis(|axis| self.gyration[axis].map(f64::sqrt))
    }

    /// The lengths of the principal axes, in cells: the roots of the eigenvalues of the gyration tensor, the greatest
    /// first. A flat world has two.
    pub fn principal_axes(&self) -> [Option<f64>; 3] {
        let tensor = self.gyration.map(|product| product.unwrap_or(0.0));
        let lengths = eigenvalues(tensor).map(f64::sqrt);
        each_axis(|axis| (axis < self.dimensions && self.rotation.is_some()).then(|| lengths[axis]))
    }
}

/// The pairs of axes of the products of a tensor.
pub const PAIRS: [[usize; 2]; 6] = [[0, 0], [1, 1], [2, 2], [0, 1], [0, 2], [1, 2]];

/// The length of a mean of vectors, each at most 1 long. Without the clamp, rounding could give a length above 1.
fn length([x, y, z]: [f64; 3]) -> f64 {
    x.hypot(y).hypot(z).min(1.0)
}

impl Swarm {
    /// The measures of the swarm. `space`: the space of the swarm.
    pub fn measures(&self, space: &Space) -> Measures {
        match self {
            Self::Cells(state) => Measures::from_state(state, space.edges),
            Self::Individuals(individuals, _) => Measures::from_individuals(individuals, space),
        }
    }
}

#[cfg(test)]
mod tests;
