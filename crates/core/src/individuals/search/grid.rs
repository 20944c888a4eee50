//! A grid of cells at least as wide as the greatest radius, so that all neighbours are in the cells around.
//!
//! A counting sort brings the individuals into the order of their cells, x fastest. So the cells of a row lie one after the other, and
//! three of them are one run of candidates.

use super::{NeighbourSource, Run};
use crate::individuals::numbers::Units;
use crate::individuals::{Individuals, PLACE_BITS, Space, Vector3};
use crate::numbers::each_axis;
use crate::world::Edges;
use std::ops::Range;

/// The most cells of the search.
const MOST_CELLS: usize = 1 << 22;

/// The farthest that candidates may be in units for their squared distance to fit in 32 bits.
const FARTHEST: u32 = 1 << 14;

/// How the world is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Cells of the search along each axis.
    pub cells: [u32; 3],
}

impl Layout {
    /// Cells at least as wide as the greatest radius, and as many as there may be.
    pub fn new(space: &Space, units: &Units) -> Self {
        let mut side = (units.reach as u32).div_ceil(units.cell() as u32).max(1);
        loop {
            // A cell of the search spans at least extent / (extent / side) ≥ side cells of the world.
            let layout = Self { cells: space.extents.map(|extent| (extent / side).max(1)) };
            if layout.count() <= MOST_CELLS {
                return layout;
            }
            side += 1;
        }
    }

    /// The number of all cells.
    pub fn count(&self) -> usize {
        let [width, height, depth] = each_axis(|axis| self.cells[axis] as usize);
        width * height * depth
    }

    /// On which axes of a torus there are fewer than three cells, so that some around a cell are the same.
    pub fn narrow(&self, space: &Space) -> [bool; 3] {
        each_axis(|axis| space.edges == Edges::Torus && axis < space.axes() && self.cells[axis] < 3)
    }

    /// Whether cells are so wide that squared distances between those around might not fit in 32 bits.
    pub fn is_far(&self, space: &Space, units: &Units) -> bool {
        (0..3).any(|axis| {
            let extent = space.extents[axis];
            let around = extent.min(2 * extent.div_ceil(self.cells[axis]));
            around * units.cell() as u32 >= FARTHEST
        })
    }
}

/// The cells of the search, and the individuals of each species in each of them.
pub struct Grid {
    /// Cells of the search along each axis.
    cells: [u32; 3],
    /// The first individual of each cell of each species, one species after the other, and at the end their number.
    starts: Vec<u32>,
    /// The cell of each individual, before they are sorted.
    cells_of_individuals: Vec<u32>,
    /// The cell of the search that each cell of the world lies in, by axis.
    tables: [Vec<u32>; 3],
    /// Whether the space is deep.
    has_slices: bool,
    /// Whether all cells around a cell are different and near enough for plain differences of places.
    pub is_near: bool,
}

impl Grid {
    /// A grid for a space and so many species.
    pub fn new(space: &Space, units: &Units, species: usize) -> Self {
        let layout = Layout::new(space, units);
        let cells = layout.cells;
        Self {
            cells,
            starts: vec![0; layout.count() * species + 1],
            cells_of_individuals: Vec::new(),
            tables: each_axis(|axis| {
                let (extent, cells) = (space.extents[axis], cells[axis]);
                (0..extent).map(|place| place * cells / extent).collect()
            }),
            has_slices: space.axes() == 3,
            is_near: layout.narrow(space) == [false; 3] && !layout.is_far(space, units),
        }
    }

    /// The cell of a position (Q16).
    #[inline(always)]
    pub fn cell(&self, [x, y, z]: Vector3) -> u32 {
        let at = |axis: usize, place: i32| self.tables[axis][(place >> PLACE_BITS) as usize];
        (at(2, z) * self.cells[1] + at(1, y)) * self.cells[0] + at(0, x)
    }

    /// The cells of a species.
    fn count(&self) -> usize {
        let [width, height, depth] = each_axis(|axis| self.cells[axis] as usize);
        width * height * depth
    }

    /// The individuals of a species.
    pub fn of_species(&self, species: usize) -> Range<usize> {
        let first = |species: usize| self.starts[species * self.count()] as usize;
        first(species)..first(species + 1)
    }

    /// The rows of a flat grid, or the slices of a deep one.
    pub fn rows(&self) -> usize {
        self.count() / self.cells_of_row()
    }

    /// The cells of a row, or of a slice.
    pub fn cells_of_row(&self) -> usize {
        let [width, height, _] = each_axis(|axis| self.cells[axis] as usize);
        if self.has_slices { width * height } else { width }
    }

    /// The row of a position (Q16).
    pub fn row(&self, position: Vector3) -> usize {
        self.cell(position) as usize / self.cells_of_row()
    }

    /// The individuals of the first species in these rows.
    pub fn in_rows(&self, rows: &Range<usize>) -> Range<usize> {
        let first = |row: usize| self.starts[row * self.cells_of_row()] as usize;
        first(rows.start)..first(rows.end)
    }

    /// Sorts the individuals by their species, and within a species by their cells.
    pub fn prepare(&mut self, individuals: &mut Individuals, spare: &mut Individuals) {
        let count = individuals.len();
        self.starts.fill(0);
        self.cells_of_individuals.clear();
        let cells = self.count() as u32;
        for index in 0..count {
            let cell = individuals.species(index) as u32 * cells + self.cell(individuals.position(index));
            self.cells_of_individuals.push(cell);
            self.starts[cell as usize + 1] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        spare.resize_like(count, individuals);
        // Each cell's start moves to its end, which is the next one's start, and is put back afterwards.
        for index in 0..count {
            let place = &mut self.starts[self.cells_of_individuals[index] as usize];
            spare.copy_from(*place as usize, individuals, index);
            *place += 1;
        }
        let last = self.starts.len() - 1;
        self.starts.copy_within(..last, 1);
        self.starts[0] = 0;
        std::mem::swap(individuals, spare);
    }

    /// The cell that holds an individual, or the next one with individuals.
    pub fn cell_of(&self, individual: usize) -> usize {
        self.starts.partition_point(|start| *start as usize <= individual) - 1
    }

    /// The runs of candidates of a species around the cell of an individual, each with how far it lies beyond an edge of the torus; zero where
    /// offsets go round the torus anyway. `cell`: the cell of an earlier individual; it is moved on to the cell of `individual`.
    /// Returns the end of the cell's individuals.
    pub fn find_runs(
        &self,
        source: &NeighbourSource<'_>,
        among: usize,
        cell: &mut usize,
        individual: usize,
        runs: &mut Vec<Run>,
    ) -> usize {
        while self.starts[*cell + 1] as usize <= individual {
            *cell += 1;
        }
        let [width, height, _] = each_axis(|axis| self.cells[axis] as usize);
        let (own, first) = (*cell % self.count(), among * self.count());
        let at = [own % width, own / width % height, own / width / height];
        let around = |axis: usize| {
            let (cells, extent) = (self.cells[axis] as i32, source.extents[axis]);
            let here = at[axis] as i32;
            (-1..=1).filter_map(move |step| {
                let there = here + step;
                match (there < 0 || there >= cells, source.is_torus) {
                    (false, _) => Some((there as usize, 0)),
                    (true, false) => None,
                    // With fewer than three cells along the axis the other side is among those around already.
                    (true, true) if cells < 3 => None,
                    (true, true) => Some((there.rem_euclid(cells) as usize, if there < 0 { -extent } else { extent })),
                }
            })
        };
        let mut push = |range: Range<usize>, shift: Vector3| {
            if !range.is_empty() {
                runs.push((range, if self.is_near { shift } else { [0; 3] }));
            }
        };
        for (z, shift_z) in around(2) {
            for (y, shift_y) in around(1) {
                let row = first + (z * height + y) * width;
                // The cells beyond no edge are one run.
                let mut straight: Option<Range<usize>> = None;
                for (x, shift_x) in around(0) {
                    let range = self.starts[row + x] as usize..self.starts[row + x + 1] as usize;
                    if shift_x == 0 {
                        straight = Some(straight.map_or(range.start, |run| run.start)..range.end);
                    } else {
                        push(range, [shift_x, shift_y, shift_z]);
                    }
                }
                if let Some(range) = straight {
                    push(range, [0, shift_y, shift_z]);
                }
            }
        }
        self.starts[*cell + 1] as usize
    }
}
