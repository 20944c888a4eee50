//! The space of individuals: solids, rock, and the gap field around both.

use crate::lanes;
use crate::numbers::{Vector3, each_axis};
use crate::terrain::rays::Rays;
use crate::terrain::{GapField, MAX_GAP, gaps};
use crate::world::{Edges, PLACE_BITS, ScalarField, Space};
use std::sync::Arc;

/// The space of individuals, with its solids and its rock.
#[derive(Debug, Clone)]
pub struct Habitat {
    /// The extents and edges.
    pub space: Space,
    /// For each column, whether it is solid through the whole depth of the world, x fastest; empty if none is.
    pub solids: Vec<bool>,
    /// For each cell of the space, whether an obstacle covers it; empty without obstacles.
    pub obstacles: Arc<Vec<bool>>,
    /// The rock of the space, if there is any.
    pub field: Option<Arc<ScalarField>>,
    /// The rays with which individuals look for a way; `None`: they do not look.
    pub rays: Option<Arc<Rays>>,
    /// The gap field of columns and rock (see [`gaps`]), for rays and for swept movements. If it is empty,
    /// [`crate::individuals::movement::advance`] moves the individuals.
    pub gaps: Arc<Vec<u8>>,
    /// The place of the first cell of an endless world's window; `None`: the world has edges.
    pub origin: Option<[i64; 3]>,
}

impl Habitat {
    /// A habitat without rock and rays.
    pub fn new(space: Space, solids: Vec<bool>) -> Self {
        Self { space, solids, obstacles: Arc::default(), field: None, rays: None, gaps: Arc::default(), origin: None }
    }

    /// The habitat with rock and rays, in which movements are swept.
    pub fn with_obstacles(mut self, field: Option<Arc<ScalarField>>, rays: Option<Arc<Rays>>) -> Self {
        (self.field, self.rays) = (field, rays);
        self.find_gaps();
        self
    }

    /// Whether rock, obstacles, rays and origin are equal to those of another habitat.
    pub fn has_obstacles_of(&self, other: &Self) -> bool {
        let is_same_rock = match (&self.field, &other.field) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other) || own == other,
            (own, other) => own.is_none() && other.is_none(),
        };
        is_same_rock
            && self.obstacles == other.obstacles
            && (&self.rays, self.origin, self.is_swept()) == (&other.rays, other.origin, other.is_swept())
    }

    /// Whether movements are swept.
    pub fn is_swept(&self) -> bool {
        !self.gaps.is_empty()
    }

    /// Replaces the solid columns.
    pub fn set_solids(&mut self, solids: Vec<bool>) {
        if self.solids != solids {
            self.solids = solids;
            if self.is_swept() {
                self.find_gaps();
            }
        }
    }

    fn find_gaps(&mut self) {
        let extents = self.space.deep_extents();
        let columns = self.space.extents().cells();
        let mut solids = self.field.as_ref().map(|field| field.rock()).unwrap_or_default();
        if !self.solids.is_empty() {
            solids.resize(extents.cells(), false);
            solids.iter_mut().enumerate().for_each(|(index, solid)| *solid |= self.solids[index % columns]);
        }
        if !self.obstacles.is_empty() {
            solids.resize(extents.cells(), false);
            solids.iter_mut().zip(&**self.obstacles).for_each(|(solid, obstacle)| *solid |= obstacle);
        }
        self.gaps = Arc::new(gaps(extents, self.space.edges, &solids, MAX_GAP));
    }

    /// The distance from the cell of a place (Q16) to rock, in quarters of a cell, rounded down; -1 in rock and beyond
    /// a wall.
    #[inline(always)]
    pub fn gap(&self, place: Vector3) -> i32 {
        self.gap_of_cell(each_axis(|axis| place[axis] >> PLACE_BITS))
    }

    /// The [`gap`](Self::gap) of a cell, which may lie beyond an edge.
    #[inline(always)]
    pub(crate) fn gap_of_cell(&self, cell: Vector3) -> i32 {
        let mut index = 0;
        for axis in [2, 1, 0] {
            let extent = self.space.extents[axis];
            let Some(along) = self.space.edges.wrap(cell[axis].into(), extent.into()) else { return -1 };
            index = index * extent as usize + along as usize;
        }
        i32::from(self.gaps[index]) - 1
    }

    /// The [`gap`](Self::gap) of places in lanes.
    #[inline(always)]
    pub fn gaps_at<V: lanes::Lanes>(&self, place: [V; 3]) -> V {
        let splat = V::splat;
        let is_torus = self.space.edges == Edges::Torus;
        let mut cell = place;
        let mut is_beyond = splat(0);
        for axis in 0..3 {
            let end = splat(self.space.extents[axis] as i32);
            let last = end.subtract(splat(1));
            cell[axis] = cell[axis].shift_right::<PLACE_BITS>();
            // Only the sign of a mask counts: it is negative before the first cell and after the last.
            let mut is_out = cell[axis].or(last.subtract(cell[axis]));
            while is_torus && is_out.any() {
                let before = cell[axis].add(end.and(cell[axis].less_than(splat(0))));
                cell[axis] = before.subtract(end.and(last.less_than(cell[axis])));
                is_out = cell[axis].or(last.subtract(cell[axis]));
            }
            is_beyond = is_beyond.or(is_out);
        }
        let mut index = splat(0);
        let mut stride = 1;
        for axis in 0..3 {
            // Beyond a wall, any cell may be read.
            let along = is_beyond.select(splat(0), cell[axis]);
            index = index.add(along.multiply(splat(stride)));
            stride *= self.space.extents[axis] as i32;
        }
        is_beyond.select(splat(-1), V::gather_bytes(&self.gaps, index).subtract(splat(1)))
    }

    /// The gap field of the space; `None`: movements are not swept.
    pub fn gap_field(&self) -> Option<GapField<'_>> {
        let Space { edges, .. } = self.space;
        self.is_swept().then(|| GapField { extents: self.space.deep_extents(), edges, gaps: &self.gaps })
    }

    /// Whether an individual may begin at a place (Q16) within the space: it is in no solid and in no rock.
    pub fn is_free(&self, place: Vector3) -> bool {
        let [x, y, _] = each_axis(|axis| (place[axis] >> PLACE_BITS) as usize);
        let column = y * self.space.extents[0] as usize + x;
        if self.is_swept() { self.gap(place) >= 0 } else { self.solids.get(column) != Some(&true) }
    }

    /// Whether a place (Q16), which may lie beyond an edge, is within walls and in no solid. A solid in which the
    /// individual is already does not count.
    #[inline(always)]
    pub(crate) fn is_open(&self, place: Vector3, from: Vector3) -> bool {
        let Some(place) = self.space.wrap(place) else { return false };
        let column = |place: Vector3| {
            let [x, y, _] = each_axis(|axis| (place[axis] >> PLACE_BITS) as usize);
            y * self.space.extents[0] as usize + x
        };
        self.solids.is_empty() || !self.solids[column(place)] || column(place) == column(from)
    }
}
