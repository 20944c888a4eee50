//! A grid of cells. Along y and z a cell is at least as wide as the greatest radius, so all neighbours are in adjacent
//! cells. Along x cells are narrower, which leaves fewer candidates. Neighbours are then in a few cells to either side.
//!
//! A counting sort brings the individuals into the order of their cells, x fastest. The cells of a row are consecutive.
//! So the candidates for an individual, or for the individuals of adjacent cells, are one run in each row.

use super::counting_sort::sort_by_cell;
use super::{NeighbourSource, Run};
use crate::individuals::numbers::Units;
use crate::numbers::{Vector3, each_axis};
use crate::parallel::*;
use crate::state::{Individuals, PART};
use crate::world::{Edges, PLACE_BITS, Space, pieces};
use std::ops::Range;

/// The maximum number of cells of the search.
const MAX_CELLS: usize = 1 << 22;

/// The bound of distances of candidates along an axis, in units of places, so that squared distances fit in 32 bits.
const MAX_DISTANCE: u32 = 1 << 14;

/// The bound of distances along x, in units of places, if several cells share their candidates. Squared distances still
/// fit in 32 bits: (2^15)² + 2 · (2^14)² < 2^31.
const MAX_DISTANCE_ALONG_X: u32 = 1 << 15;

/// The least number of cells along x within the greatest radius. A small world or a large grid has fewer.
pub const CELLS_PER_RADIUS: u32 = 4;

/// The maximum number of adjacent cells whose individuals share their candidates. More distant individuals share few
/// candidates.
const MAX_BINS_ALONG_A_SIDE: usize = 8 * CELLS_PER_RADIUS as usize;

/// The cells of a grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Cells of the search along each axis.
    pub cells: [u32; 3],
    /// The number of cells to either side of a cell that may hold neighbours, by axis.
    pub around: [u32; 3],
}

impl Layout {
    /// A grid of one cell that holds all individuals.
    pub const ONE: Self = Self { cells: [1; 3], around: [0; 3] };

    /// A grid whose cells are at least as wide as the greatest radius along y and z. Along x the radius spans at least
    /// `cells_per_radius` cells, unless these would be narrower than a cell of the world. It also spans fewer cells if
    /// the grid would otherwise have more than 2^22 cells.
    pub fn new(space: &Space, units: &Units, cells_per_radius: u32) -> Self {
        let reach = (units.reach as u32).div_ceil(units.cell() as u32).max(1);
        let mut side = reach;
        // A cell of the search spans at least extent / (extent / side) ≥ side cells of the world.
        let of_sides = |sides: [u32; 3]| {
            let cells = each_axis(|axis| (space.extents[axis] / sides[axis]).max(1));
            let around = each_axis(|axis| match axis {
                0 => reach.div_ceil(space.extents[0] / cells[0]),
                _ => u32::from(axis < space.axes()),
            });
            Self { cells, around }
        };
        while of_sides([side; 3]).count() > MAX_CELLS {
            side += 1;
        }
        let mut across = (reach / cells_per_radius).max(1);
        while across < side && of_sides([across, side, side]).count() > MAX_CELLS {
            across += 1;
        }
        of_sides([across.min(side), side, side])
    }

    /// The number of all cells.
    pub fn count(&self) -> usize {
        let [width, height, depth] = each_axis(|axis| self.cells[axis] as usize);
        width * height * depth
    }

    /// For each axis, whether it goes round a torus and has so few cells that one cell lies on both sides of another
    /// cell.
    pub fn has_repeats(&self, space: &Space) -> [bool; 3] {
        let has_few = |axis: usize| self.cells[axis] < 2 * self.around[axis] + 1;
        each_axis(|axis| space.edges == Edges::Torus && axis < space.axes() && has_few(axis))
    }

    /// Whether cells are so wide that squared distances between a cell and the cells around it might not fit in 32
    /// bits.
    pub fn is_far(&self, space: &Space, units: &Units) -> bool {
        (0..3).any(|axis| {
            let extent = space.extents[axis];
            let around = extent.min((self.around[axis] + 1) * extent.div_ceil(self.cells[axis]));
            around * units.cell() as u32 >= MAX_DISTANCE
        })
    }
}

/// The individuals of each species in the cells of the search.
pub struct Grid {
    layout: Layout,
    /// The maximum number of adjacent cells in a row whose individuals share their candidates.
    most_side_by_side: usize,
    /// The index of the first individual in each cell of the search. Each species has an entry for every cell, and the
    /// entries of one species follow the entries of the species before. Last comes the number of all individuals.
    starts: Vec<u32>,
    /// The cell of each individual, as an index into `starts`, in the order before the individuals are sorted.
    cells_of_individuals: Vec<u32>,
    /// The indices of the individuals in the order of their cells.
    order: Vec<u32>,
    /// For each axis, the coordinate of the cell of the search that holds each coordinate of a cell of the world.
    tables: [Vec<u32>; 3],
    /// Whether the space is deep.
    has_slices: bool,
    /// Whether the cells around a cell are all different, and near enough for plain differences of places.
    pub is_near: bool,
}

impl Grid {
    /// A grid for a space and a number of species.
    pub fn new(space: &Space, units: &Units, species: usize) -> Self {
        let layout = Layout::new(space, units, CELLS_PER_RADIUS);
        let is_near = layout.has_repeats(space) == [false; 3] && !layout.is_far(space, units);
        let (cells, around, extent) = (layout.cells, layout.around, space.extents[0]);
        let farthest = MAX_DISTANCE_ALONG_X / (extent.div_ceil(cells[0]) * units.cell() as u32);
        let most = if is_near { farthest.saturating_sub(around[0] + 1) as usize } else { MAX_BINS_ALONG_A_SIDE };
        Self {
            layout,
            most_side_by_side: most.clamp(1, MAX_BINS_ALONG_A_SIDE),
            starts: vec![0; layout.count() * species + 1],
            cells_of_individuals: Vec::new(),
            order: Vec::new(),
            tables: each_axis(|axis| {
                let (extent, cells) = (space.extents[axis], cells[axis]);
                (0..extent).map(|place| place * cells / extent).collect()
            }),
            has_slices: space.axes() == 3,
            is_near,
        }
    }

    /// The index of the cell of the search at a position (Q16 of a cell of the world). All species share this index.
    #[inline(always)]
    pub fn cell(&self, [x, y, z]: Vector3) -> u32 {
        let at = |axis: usize, place: i32| self.tables[axis][(place >> PLACE_BITS) as usize];
        (at(2, z) * self.layout.cells[1] + at(1, y)) * self.layout.cells[0] + at(0, x)
    }

    /// The range of indices of the individuals of a species, after [`Self::prepare`].
    pub fn of_species(&self, species: usize) -> Range<usize> {
        let first = |species: usize| self.starts[species * self.layout.count()] as usize;
        first(species)..first(species + 1)
    }

    /// The number of rows of a flat grid, or of slices of a deep grid.
    pub fn rows(&self) -> usize {
        self.layout.count() / self.cells_of_row()
    }

    /// The number of cells of a row of a flat grid, or of a slice of a deep grid.
    pub fn cells_of_row(&self) -> usize {
        let [width, height, _] = each_axis(|axis| self.layout.cells[axis] as usize);
        if self.has_slices { width * height } else { width }
    }

    /// The number of cells along x.
    pub fn width(&self) -> usize {
        self.layout.cells[0] as usize
    }

    /// The number of cells along x that together are about as wide as the greatest radius.
    pub fn cells_of_radius(&self) -> usize {
        self.layout.around[0].max(1) as usize
    }

    /// The row of a flat grid, or the slice of a deep grid, at a position (Q16 of a cell of the world).
    pub fn row(&self, position: Vector3) -> usize {
        self.cell(position) as usize / self.cells_of_row()
    }

    /// The range of indices of the individuals of the first species in some rows of a flat grid, or slices of a deep
    /// grid.
    pub fn in_rows(&self, rows: &Range<usize>) -> Range<usize> {
        let first = |row: usize| self.starts[row * self.cells_of_row()] as usize;
        first(rows.start)..first(rows.end)
    }

    /// Sorts the individuals by their species, and within a species by their cells.
    pub fn prepare(&mut self, individuals: &mut Individuals, spare: &mut Individuals) {
        let (count, cells) = (individuals.len(), self.layout.count() as u32);
        let mut cells_of_individuals = std::mem::take(&mut self.cells_of_individuals);
        cells_of_individuals.resize(count, 0);
        cells_of_individuals.par_chunks_mut(PART).enumerate().for_each(|(part, list)| {
            for (index, cell) in (part * PART..).zip(list) {
                *cell = individuals.species(index) as u32 * cells + self.cell(individuals.position(index));
            }
        });
        self.order.resize(count, 0);
        sort_by_cell(&cells_of_individuals, &mut self.starts, &mut self.order);
        self.cells_of_individuals = cells_of_individuals;
        spare.take_in_order(individuals, &self.order);
        std::mem::swap(individuals, spare);
    }

    /// The index, over all species, of the cell that holds an individual.
    pub fn cell_of(&self, individual: usize) -> usize {
        self.starts.partition_point(|start| *start as usize <= individual) - 1
    }

    /// A group of individuals that share their candidates. It begins with `individual`, which is in `cell`. Returns the
    /// last cell of the group, and the index after its last individual. `left`: the number of cells from `cell` to the
    /// end of its row. `most`: the number of individuals in a group, unless a cell is crowded.
    #[inline(always)]
    fn group(&self, cell: usize, left: usize, individual: usize, most: usize) -> (usize, usize) {
        let last_end = individual + most;
        let (mut last, mut end) = (cell, self.starts[cell + 1] as usize);
        if end >= last_end {
            // The individuals of a crowded cell share their candidates, whatever their number.
            return (last, end - (end - individual) % most);
        }
        for next in cell + 1..cell + left.min(self.most_side_by_side) {
            if end >= last_end {
                break;
            }
            // Empty cells at the end are left out.
            let next_end = self.starts[next + 1] as usize;
            last = if next_end > end { next } else { last };
            end = next_end;
        }
        (last, end.min(last_end))
    }

    /// See [`super::Search::find_runs`]. A group lies in one row. If offsets go round the torus, the distance beyond an
    /// edge is 0.
    pub fn find_runs(
        &self,
        source: &NeighbourSource<'_>,
        among: usize,
        cell: &mut usize,
        (individual, most): (usize, usize),
        runs: &mut Vec<Run>,
    ) -> usize {
        while self.starts[*cell + 1] as usize <= individual {
            *cell += 1;
        }
        let [width, height, _] = each_axis(|axis| self.layout.cells[axis] as usize);
        let own = *cell % self.layout.count();
        let at = [own % width, own / width % height, own / width / height];
        let (last, end) = self.group(*cell, width - at[0], individual, most);
        let edges = if source.is_torus { Edges::Torus } else { Edges::Walls };
        let around = |axis: usize, last: usize| {
            let (cells, around, first) =
                (self.layout.cells[axis] as i32, self.layout.around[axis] as i32, at[axis] as i32);
            let (first, length) = (first - around, last as i32 - first + 1 + 2 * around);
            // If offsets go round the torus, each cell is looked at once.
            let (first, length) = if self.is_near || length < cells { (first, length) } else { (0, cells) };
            pieces(first, length, cells, edges).map(move |piece| {
                let turns = (first + piece.in_range as i32).div_euclid(cells);
                let shift = if self.is_near { turns * source.extents[axis] } else { 0 };
                (piece.on_lattice as usize..(piece.on_lattice + piece.length) as usize, shift)
            })
        };
        let first = among * self.layout.count();
        let (all_columns, all_rows) = (around(0, at[0] + last - *cell), around(1, at[1]));
        for (slices, shift_z) in around(2, at[2]) {
            for z in slices {
                for (rows, shift_y) in all_rows.clone() {
                    for y in rows {
                        let row = first + (z * height + y) * width;
                        for (columns, shift_x) in all_columns.clone() {
                            let run =
                                self.starts[row + columns.start] as usize..self.starts[row + columns.end] as usize;
                            if !run.is_empty() {
                                runs.push((run, [shift_x, shift_y, shift_z]));
                            }
                        }
                    }
                }
            }
        }
        end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::individuals::selection::Selection;
    use crate::individuals::table::NeighbourRuleArray;

    /// A cell of the world is 16 units wide.
    fn units(reach: u32) -> Units {
        Units {
            place: 12,
            velocity: 2,
            resolution: 1024,
            reach: 16 * reach as i32 - 3,
            radii: NeighbourRuleArray::default(),
            thresholds: NeighbourRuleArray::default(),
            selection: Selection::ALL,
        }
    }

    #[test]
    fn all_within_the_radius_are_in_the_cells_around() {
        for (reach, cells_per_radius) in (1..24).flat_map(|reach| [1, 2, 4].map(|cells| (reach, cells))) {
            for (extent, depth) in (1..80).map(|extent| (extent, 1 + extent / 2 * (extent % 2))) {
                let space = Space { extents: [extent, extent + 1, depth], edges: Edges::Torus };
                let layout = Layout::new(&space, &units(reach), cells_per_radius);
                for axis in 0..space.axes() {
                    let (extent, cells) = (space.extents[axis] as i32, layout.cells[axis] as i32);
                    // The numbers of cells continue beyond the edge.
                    let cell =
                        |place: i32| place.div_euclid(extent) * cells + place.rem_euclid(extent) * cells / extent;
                    // If one cell lies on both sides of another, the search looks at all cells.
                    if layout.has_repeats(&space)[axis] {
                        continue;
                    }
                    assert!(2 * (reach as i32) < extent, "{layout:?}, reach {reach}");
                    for place in 0..extent {
                        let farthest = cell(place + reach as i32) - cell(place);
                        assert!(farthest <= layout.around[axis] as i32, "{layout:?}, reach {reach}, from {place}");
                    }
                }
                assert_eq!(layout.around[2], u32::from(depth > 1));
            }
        }
    }

    #[test]
    fn a_large_world_has_cells_as_narrow_as_there_is_room_for() {
        let of_extent = |extent: u32| {
            let space = Space { extents: [extent, extent, 1], edges: Edges::Torus };
            Layout::new(&space, &units(10), CELLS_PER_RADIUS)
        };
        assert_eq!(of_extent(1000), Layout { cells: [500, 100, 1], around: [5, 1, 0] });
        assert_eq!(of_extent(12_800), Layout { cells: [3200, 1280, 1], around: [3, 1, 0] });
        assert_eq!(of_extent(20_000), Layout { cells: [2000, 2000, 1], around: [1, 1, 0] });
    }
}
