//! Overlap queries for games. A query asks for the quanta of a swarm in a ball or a box, and for the part nearest to
//! the middle.
//!
//! Distances are integers in 1/16 cell, so all engines give equal answers. A cell counts with all its quanta if its
//! centre is in the shape. Around a torus the shorter way counts.

use crate::numbers::{BOID, Vector3, each_axis};
use crate::state::fields::MAX_LAYERS;
use crate::state::{Individuals, State};
use crate::ticket::reading;
use crate::uniform;
use crate::world::{Extents, PARTS, PLACE_BITS, Place, Space, offset, pieces};
use std::ops::Range;
use std::sync::Arc;

/// The max distance from the middle of a shape to its surface along an axis, in 1/16 cell: 1023 cells. Larger shapes
/// are cut.
pub const MAX_QUERY_LENGTH: u32 = 1023 * PARTS as u32;
/// A half extent in 1/16 cell that includes all places of every world.
const EVERYWHERE: i32 = 1 << 20;
/// From this number of queries on, individuals are first sorted into buckets.
const QUERIES_OF_BUCKETS: usize = 4;
/// The number of low bits of a place that are below 1/16 cell.
const FINE_BITS: u32 = PLACE_BITS - PARTS.ilog2();

/// A query for the part of a swarm in a shape. Lengths are in 1/16 cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlap {
    /// The middle of the shape. In a deep world a middle with two numbers stands for the column through the whole
    /// depth.
    pub middle: Place,
    /// The shape around the middle.
    pub shape: OverlapShape,
}

/// The shape of a query. Lengths are in 1/16 cell, at most [`MAX_QUERY_LENGTH`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverlapShape {
    /// All places whose distance from the middle is at most the radius.
    Ball {
        /// The radius, in 1/16 cell.
        radius: u32,
    },
    /// All places `p` with `middle - half <= p < middle + half` along each axis. Adjacent boxes share no place.
    Box {
        /// Half of the extent along each axis, in 1/16 cell.
        half: [u32; 3],
    },
}

/// The result of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OverlapResult {
    /// The quanta in the shape. An individual has [`BOID`] quanta.
    pub quanta: u64,
    /// The occupied cell or the individual in the shape that is nearest to the middle. If several are equally near, it
    /// is the cell or the individual with the lowest number. `None`: the shape is empty.
    pub nearest: Option<Nearest>,
}

/// The cell or the individual in a shape that is nearest to the middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Nearest {
    /// The squared distance between the middle and this place, in (1/16 cell)².
    pub square: u32,
    /// The number of the individual, or the index of the cell with x fastest and z slowest.
    pub number: u32,
    /// The place of the individual or of the cell's centre, in 1/16 cell.
    pub place: Vector3,
}

reading! {
    engine
    /// Answers several queries. The results are in the order of the queries.
    OverlapReading {
        /// The queries.
        queries: Arc<[Overlap]>,
        /// The space of the swarm.
        space: Space,
    } -> Vec<OverlapResult>
}

uniform::structure! {
    /// A query for kernels. Lengths are in 1/16 cell.
    OverlapNumbers "OverlapNumbers", OVERLAP_WGSL;
    /// The middle along x.
    x: i32,
    /// The middle along y.
    y: i32,
    /// The middle along z.
    z: i32,
    /// The half extent along x. Offsets from `-half_x` to `half_x - 1` from the middle are in the shape.
    half_x: i32,
    /// The half extent along y, as `half_x` along x.
    half_y: i32,
    /// The half extent along z, as `half_x` along x.
    half_z: i32,
    /// The max squared distance from the middle, in (1/16 cell)².
    square: u32,
    /// 1: the distance along z counts. 0: the shape is a column, or the world is flat.
    counts_z: i32,
}

impl Overlap {
    /// A ball around a place. The middle and the radius are in cells.
    pub fn ball<const AXES: usize>(middle: [f64; AXES], radius: f64) -> Self {
        Self { middle: Place::from_cells(middle), shape: OverlapShape::Ball { radius: parts(radius) } }
    }

    /// A box around a place. `middle`: the place, in cells. `half`: half of the extent of the box along each axis, in
    /// cells.
    pub fn cuboid<const AXES: usize>(middle: [f64; AXES], half: [f64; AXES]) -> Self {
        let half = each_axis(|axis| half.get(axis).map_or(0, |half| parts(*half)));
        Self { middle: Place::from_cells(middle), shape: OverlapShape::Box { half } }
    }

    /// A query for a single cell. In a deep world a place with two numbers stands for the whole column of cells.
    pub fn cell(cell: Place) -> Self {
        let middle = |along: i32| along.saturating_mul(PARTS).saturating_add(PARTS / 2);
        let middle = match cell {
            Place::Column(cell) => cell.map(middle).into(),
            Place::Deep(cell) => cell.map(middle).into(),
        };
        Self { middle, shape: OverlapShape::Box { half: [PARTS as u32 / 2; 3] } }
    }

    /// The query for kernels. A middle outside the world is wrapped round a torus, or moved to the nearest wall.
    pub fn numbers(&self, space: &Space) -> OverlapNumbers {
        let ends = space.ends();
        let middle = self.middle.to_vector();
        let [x, y, mut z] = each_axis(|axis| space.edges.wrap_or_clamp(middle[axis].into(), ends[axis].into()) as i32);
        let (half, square) = match self.shape {
            OverlapShape::Ball { radius } => {
                let radius = radius.min(MAX_QUERY_LENGTH);
                ([radius as i32 + 1; 3], radius * radius)
            }
            OverlapShape::Box { half } => (half.map(|half| half.min(MAX_QUERY_LENGTH) as i32), u32::MAX),
        };
        let [half_x, half_y, mut half_z] = half;
        let counts_z = space.axes() == 3 && !self.middle.is_column();
        if !counts_z {
            (z, half_z) = (0, EVERYWHERE);
        }
        OverlapNumbers { x, y, z, half_x, half_y, half_z, square, counts_z: counts_z.into() }
    }
}

fn parts(cells: f64) -> u32 {
    (cells * f64::from(PARTS)).round().clamp(0.0, f64::from(MAX_QUERY_LENGTH)) as u32
}

impl OverlapNumbers {
    /// The squared distance between a place and the middle in (1/16 cell)²; `None`: the place is outside the shape.
    /// `place`: in 1/16 cell.
    fn square_of(&self, place: Vector3, space: &Space) -> Option<u32> {
        let mut sum = 0;
        for (axis, along) in place.into_iter().enumerate() {
            sum += self.square_along(axis, along, space)?;
        }
        (sum <= self.square).then_some(sum)
    }

    /// The square of the distance along one axis in (1/16 cell)²; `None`: the place is outside the shape. `place`:
    /// along the axis, in 1/16 cell.
    fn square_along(&self, axis: usize, place: i32, space: &Space) -> Option<u32> {
        let (middle, half) = self.along(axis);
        let away = offset(middle, place, space.ends()[axis], space.edges);
        let counts = axis < 2 || self.counts_z == 1;
        (-half..half).contains(&away).then(|| if counts { away.unsigned_abs().pow(2) } else { 0 })
    }

    /// The ranges of cells along an axis that the shape may overlap. Two ranges if the shape crosses the edge of a
    /// torus.
    fn cells_along(&self, axis: usize, space: &Space) -> impl Iterator<Item = Range<u32>> + Clone {
        let (middle, half) = self.along(axis);
        let extent = space.extents[axis] as i32;
        let [first, last] = [middle - half, middle + half].map(|place| place.div_euclid(PARTS));
        let (first, length) = if last - first + 1 >= extent { (0, extent) } else { (first, last - first + 1) };
        pieces(first, length, extent, space.edges).map(|piece| piece.on_lattice..piece.on_lattice + piece.length)
    }

    /// The rows of cells along x that the shape may overlap.
    fn rows(&self, space: &Space) -> impl Iterator<Item = RowOfCells> {
        let squares = move |axis: usize| {
            let square = move |cell| Some((cell, self.square_along(axis, middle_of(cell), space)?));
            self.cells_along(axis, space).flatten().filter_map(square)
        };
        squares(2).flat_map(move |(z, square_z)| {
            let rows = squares(1).map(move |(y, square_y)| (y, square_y + square_z));
            rows.filter(|(_, square)| *square <= self.square).flat_map(move |(y, square)| {
                self.cells_along(0, space).map(move |columns| RowOfCells { columns, y, z, square })
            })
        })
    }

    /// The middle and the half extent along an axis, in 1/16 cell.
    fn along(&self, axis: usize) -> (i32, i32) {
        ([self.x, self.y, self.z][axis], [self.half_x, self.half_y, self.half_z][axis])
    }
}

/// Adjacent cells along x, in one row.
struct RowOfCells {
    columns: Range<u32>,
    y: u32,
    z: u32,
    /// The squared distance of the row from the middle along y and z, in (1/16 cell)².
    square: u32,
}

/// The centre of a cell along an axis, in 1/16 cell.
fn middle_of(cell: u32) -> i32 {
    cell as i32 * PARTS + PARTS / 2
}

impl OverlapResult {
    fn add(&mut self, quanta: u64, found: Nearest) {
        self.quanta += quanta;
        self.nearest = Some(self.nearest.map_or(found, |nearest| nearest.min(found)));
    }
}

impl OverlapReading {
    /// The queries for kernels, in their order.
    pub fn numbers(&self) -> impl Iterator<Item = OverlapNumbers> {
        self.queries.iter().map(|query| query.numbers(&self.space))
    }

    /// The results in a world of cells, in the order of the queries. `layers`: the number of layers. `row_of(layer,
    /// first, count)`: the quanta of `count` adjacent cells along x, from the cell `first` on.
    pub fn in_cells<'a>(
        &self,
        extents: Extents,
        layers: usize,
        row_of: impl Fn(usize, [u32; 3], usize) -> &'a [u32],
    ) -> Vec<OverlapResult> {
        let result = |query: OverlapNumbers| {
            let mut result = OverlapResult::default();
            for RowOfCells { columns, y, z, square } in query.rows(&self.space) {
                let row = |layer| row_of(layer, [columns.start, y, z], columns.len());
                let rows: [&[u32]; MAX_LAYERS] = first_slices((0..layers).map(row));
                for (index, x) in columns.clone().enumerate() {
                    let quanta = rows[..layers].iter().map(|row| row[index]).fold(0, u32::saturating_add);
                    if quanta > 0
                        && let Some(square_x) = query.square_along(0, middle_of(x), &self.space)
                        && let square = square + square_x
                        && square <= query.square
                    {
                        let number = (z * extents.height + y) * extents.width + x;
                        let place =
                            [middle_of(x), middle_of(y), if extents.depth.is_some() { middle_of(z) } else { 0 }];
                        result.add(quanta.into(), Nearest { square, number, place });
                    }
                }
            }
            result
        };
        self.numbers().map(result).collect()
    }

    /// The results in a world of cells, in the order of the queries.
    pub fn in_state(&self, state: &State) -> Vec<OverlapResult> {
        let Extents { width, height, .. } = state.extents;
        let index = |[x, y, z]: [u32; 3]| ((z as usize * height as usize) + y as usize) * width as usize + x as usize;
        self.in_cells(state.extents, state.layers.len(), |layer, first, count| {
            &state.layers[layer].density[index(first)..][..count]
        })
    }

    /// The results in a world of individuals, in the order of the queries.
    pub fn among(&self, individuals: &Individuals) -> Vec<OverlapResult> {
        let look = |query: &OverlapNumbers, result: &mut OverlapResult, index: usize| {
            let place = individuals.position(index).map(|along| along >> FINE_BITS);
            if let Some(square) = query.square_of(place, &self.space) {
                result.add(BOID.into(), Nearest { square, number: individuals.numbers[index], place });
            }
        };
        let buckets = (self.queries.len() >= QUERIES_OF_BUCKETS).then(|| Buckets::new(individuals, &self.space));
        let result = |query: OverlapNumbers| {
            let mut result = OverlapResult::default();
            match &buckets {
                None => (0..individuals.len()).for_each(|index| look(&query, &mut result, index)),
                Some(buckets) => buckets.visit(&query, |index| look(&query, &mut result, index)),
            }
            result
        };
        self.numbers().map(result).collect()
    }
}

/// An array with these slices. The rest of the array has empty slices.
fn first_slices<'a>(slices: impl Iterator<Item = &'a [u32]>) -> [&'a [u32]; MAX_LAYERS] {
    let mut array: [&[u32]; MAX_LAYERS] = [&[]; MAX_LAYERS];
    array.iter_mut().zip(slices).for_each(|(own, slice)| *own = slice);
    array
}

/// The indices of individuals, sorted into cubes of cells (buckets).
struct Buckets<'a> {
    space: &'a Space,
    /// A bucket has `1 << bits` cells along each axis.
    bits: u32,
    /// The number of buckets along each axis.
    along: [usize; 3],
    /// For each bucket the index of its first entry in `list`. After the last bucket comes the length of `list`.
    starts: Vec<u32>,
    list: Vec<u32>,
}

impl<'a> Buckets<'a> {
    /// Sorts individuals into buckets. The size of the buckets is such that a bucket has about two individuals.
    fn new(individuals: &Individuals, space: &'a Space) -> Self {
        let along_of = |bits: u32| space.extents.map(|extent| (extent as usize).div_ceil(1 << bits));
        let most = individuals.len() / 2 + 1;
        let bits = (0..31).find(|bits| along_of(*bits).iter().product::<usize>() <= most).unwrap_or(31);
        let along = along_of(bits);
        let of_each: Vec<u32> = (0..individuals.len())
            .map(|index| {
                let [x, y, z] = individuals.position(index).map(|place| (place >> PLACE_BITS) as usize >> bits);
                ((z * along[1] + y) * along[0] + x) as u32
            })
            .collect();
        let mut starts = vec![0; along.iter().product::<usize>() + 1];
        of_each.iter().for_each(|bucket| starts[*bucket as usize + 1] += 1);
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut next = starts.clone();
        let mut list = vec![0; individuals.len()];
        for (index, bucket) in of_each.iter().enumerate() {
            let next = &mut next[*bucket as usize];
            list[*next as usize] = index as u32;
            *next += 1;
        }
        Self { space, bits, along, starts, list }
    }

    /// Calls `visit` with the index of each individual that may be in the shape of a query.
    fn visit(&self, query: &OverlapNumbers, mut visit: impl FnMut(usize)) {
        let [columns, rows, slices] = [0, 1, 2].map(|axis| {
            // Two ranges of cells may share a bucket. The bucket is visited once.
            query.cells_along(axis, self.space).scan(usize::MAX, |before, cells| {
                let [first, last] = [cells.start, cells.end - 1].map(|cell| cell as usize >> self.bits);
                let end = (last + 1).min(std::mem::replace(before, first));
                Some(first..end)
            })
        });
        for z in slices.flatten() {
            for y in rows.clone().flatten() {
                // Buckets that are neighbours along x have their entries one after the other.
                let row = (z * self.along[1] + y) * self.along[0];
                for piece in columns.clone().filter(|piece| !piece.is_empty()) {
                    let [first, end] = [piece.start, piece.end].map(|x| self.starts[row + x] as usize);
                    self.list[first..end].iter().for_each(|index| visit(*index as usize));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Edges;

    fn swarm(count: u32, extents: [u32; 3]) -> Individuals {
        let mut individuals = Individuals::default();
        let mut word = 7u64;
        for number in 0..count {
            let place = extents.map(|extent| {
                word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                ((word >> 33) % (u64::from(extent) << PLACE_BITS)) as i32
            });
            individuals.push(number, if extents[2] == 1 { [place[0], place[1], 0] } else { place }, [0; 3]);
        }
        individuals
    }

    #[test]
    fn buckets_find_what_a_look_at_everyone_finds() {
        for (extents, edges) in
            [([40, 30, 1], Edges::Torus), ([37, 30, 21], Edges::Torus), ([37, 30, 21], Edges::Walls)]
        {
            let space = Space { extents, edges };
            let individuals = swarm(700, extents);
            let middles = [[0.0, 0.0, 0.0], [36.9, 29.9, 20.9], [12.3, 15.0, 10.0], [-5.0, 90.0, 3.0]];
            let queries = middles.into_iter().flat_map(|middle| {
                let [x, y, _] = middle;
                [
                    Overlap::ball(middle, 0.0),
                    Overlap::ball(middle, 4.4),
                    Overlap::ball([x, y], 7.0),
                    Overlap::cuboid(middle, [3.0, 9.0, 2.5]),
                    Overlap::cuboid([x, y], [500.0, 1e9]),
                    Overlap::cell([x as i32, y as i32].into()),
                ]
            });
            let reading = OverlapReading { queries: queries.collect(), space };
            let all = reading.among(&individuals);
            for (query, result) in reading.queries.iter().zip(&all) {
                let alone = OverlapReading { queries: [*query].into(), space }.among(&individuals);
                assert_eq!(alone, [*result], "{query:?}");
            }
            assert_eq!(all[4].quanta, 700 * u64::from(BOID), "a box as large as the world has everyone");
        }
    }

    #[test]
    fn boxes_side_by_side_share_nobody() {
        let space = Space { extents: [40, 30, 1], edges: Edges::Torus };
        let individuals = swarm(500, space.extents);
        let cells = (0..30).flat_map(|y| (0..40).map(move |x| Overlap::cell([x, y].into())));
        let results = OverlapReading { queries: cells.collect(), space }.among(&individuals);
        assert_eq!(results.iter().map(|result| result.quanta).sum::<u64>(), 500 * u64::from(BOID));
    }

    #[test]
    fn a_cell_counts_with_its_middle_and_the_nearest_one_has_the_least_number() {
        let space = Space { extents: [8, 8, 1], edges: Edges::Torus };
        let extents = Extents::flat(8, 8);
        let quanta: Vec<u32> = (0..64).map(|index| u32::from(index % 8 == 0 || index / 8 == 7)).collect();
        let in_cells = |query| {
            let reading = OverlapReading { queries: [query].into(), space };
            reading.in_cells(extents, 1, |_, [x, y, _], count| &quanta[(y * 8 + x) as usize..][..count])[0]
        };
        // The centres of the occupied cells are 4 and 3 cells away from the centre of cell 4.
        let found = in_cells(Overlap::ball([4.5, 4.5], 3.0));
        assert_eq!((found.quanta, found.nearest.unwrap().place), (1, [72, 120, 0]));
        assert_eq!(in_cells(Overlap::ball([4.5, 4.5], 2.9)), OverlapResult::default());
        let corner = in_cells(Overlap::ball([0.0, 0.0], 1.0));
        assert_eq!((corner.quanta, corner.nearest.unwrap().number), (3, 0), "of cells 0, 56 and 63");
    }
}
