//! The space of individuals with all that stops them: solid columns, rock, obstacles, and the gap field (the distance
//! of each cell from them).

use crate::lanes;
use crate::numbers::{Vector3, each_axis};
use crate::terrain::rays::Rays;
use crate::terrain::{GapField, MAX_GAP, gaps};
use crate::world::{Edges, PLACE_BITS, ScalarField, Space};
use std::sync::Arc;

/// The space of individuals, with its solid columns, its rock and its obstacles.
#[derive(Debug, Clone)]
pub struct Habitat {
    /// The extents and edges of the space.
    pub space: Space,
    /// For each column, x fastest, whether it is solid through the whole depth of the world; empty if no column is.
    pub solids: Vec<bool>,
    /// For each cell, x fastest, whether an obstacle covers it; empty without obstacles.
    pub obstacles: Arc<Vec<bool>>,
    /// The scalar field of the rock; `None`: the space has no rock.
    pub field: Option<Arc<ScalarField>>,
    /// The rays with which individuals avoid rock and walls; `None`: individuals use no rays.
    pub rays: Option<Arc<Rays>>,
    /// The gap field around solid columns, obstacles and rock (see [`gaps`]). Rays and movements use it. If it is
    /// empty, [`crate::individuals::movement::advance`] moves the individuals. This function tests only the end of each
    /// movement.
    pub gaps: Arc<Vec<u8>>,
    /// The first cell of an endless world's window, in cells from the world's origin; `None`: the world has edges.
    pub origin: Option<[i64; 3]>,
}

impl Habitat {
    /// A habitat without rock, rays and gap field.
    pub fn new(space: Space, solids: Vec<bool>) -> Self {
        Self { space, solids, obstacles: Arc::default(), field: None, rays: None, gaps: Arc::default(), origin: None }
    }

    /// Adds rock, rays and a gap field. Movements are then tested along their whole way.
    pub fn with_obstacles(mut self, field: Option<Arc<ScalarField>>, rays: Option<Arc<Rays>>) -> Self {
        (self.field, self.rays) = (field, rays);
        self.find_gaps();
        self
    }

    /// Whether another habitat has equal rock, obstacles and rays and an equal origin.
    pub fn has_obstacles_of(&self, other: &Self) -> bool {
        let is_same_rock = match (&self.field, &other.field) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other) || own == other,
            (own, other) => own.is_none() && other.is_none(),
        };
        is_same_rock
            && self.obstacles == other.obstacles
            && (&self.rays, self.origin, self.is_swept()) == (&other.rays, other.origin, other.is_swept())
    }

    /// Whether the habitat has a gap field, with which movements are tested along their whole way.
    pub fn is_swept(&self) -> bool {
        !self.gaps.is_empty()
    }

    /// Replaces the solid columns, and computes the gap field again if there is one.
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

    /// The distance from the cell of a place (Q16 of a cell) to rock, in quarters of a cell, rounded down; -1 in rock
    /// and beyond a wall.
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

    /// The [`gap`](Self::gap) of several places (Q16 of a cell), one per lane.
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
            // The value is negative, which counts as true, for cells before the first cell or after the last cell.
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
            // Beyond a wall the result is -1, so the cell 0 is read instead.
            let along = is_beyond.select(splat(0), cell[axis]);
            index = index.add(along.multiply(splat(stride)));
            stride *= self.space.extents[axis] as i32;
        }
        is_beyond.select(splat(-1), V::gather_bytes(&self.gaps, index).subtract(splat(1)))
    }

    /// The gap field with the extents and edges of the space; `None`: the habitat has no gap field.
    pub fn gap_field(&self) -> Option<GapField<'_>> {
        let Space { edges, .. } = self.space;
        self.is_swept().then(|| GapField { extents: self.space.deep_extents(), edges, gaps: &self.gaps })
    }

    /// Whether a place (Q16 of a cell) within the space is free for a new individual: in no solid column and no rock.
    pub fn is_free(&self, place: Vector3) -> bool {
        let [x, y, _] = each_axis(|axis| (place[axis] >> PLACE_BITS) as usize);
        let column = y * self.space.extents[0] as usize + x;
        if self.is_swept() { self.gap(place) >= 0 } else { self.solids.get(column) != Some(&true) }
    }

    /// Whether an individual may move to a place: the place is within walls and in no solid column. If `from` is in a
    /// solid column already, this column does not count. `place` may lie beyond an edge. Both are in Q16 of a cell.
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
