//! The world of a swarm: its extents, edges, solids, hunters and roost.

mod cuts;
pub mod endless;
mod hunter;
pub(crate) mod keys;
pub mod memory;
pub mod obstacles;
mod parameters;
mod roost;
mod scalar_field;
mod slab;
mod space;
mod species;
pub mod targets;

pub use cuts::Cuts;
pub use endless::{MAX_ORIGIN, PlaceSums, WINDOW_CHUNK, WINDOW_INTERVAL, Window};
pub use hunter::{
    FlightNumbers, HUNTER_NUMBERS_WGSL, HUNTERS, Hunter, HunterKind, HunterNumbers, HuntersOfStep, MAX_HUNTERS, Mood,
    are_jaws_at, control_of_hunters, is_caught,
};
pub(crate) use parameters::parameters;
pub use roost::Roost;
pub use scalar_field::ScalarField;
pub use slab::Slab;
pub use space::{PLACE_BITS, Space};
pub use species::{MAX_SPECIES, MeetingKind};

use crate::numbers::{Cell, RULE_ONE, Vector3, each_axis, quotient};
use crate::ranks::Ranks;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

/// The largest extent of a flat lattice of cells along an axis.
pub const MAX_EXTENT: u32 = 65_535;
/// The largest extent of a deep lattice and of a world of individuals along an axis, in cells. With it, twice a place
/// (Q16 of a cell) fits into an i32.
pub const MAX_PLACE_EXTENT: u32 = 16_384;
/// The maximum number of cells of a lattice. The indices of all words of its cells fit into a `usize`.
pub const MAX_CELLS: u64 = if usize::BITS > 32 { 1 << 32 } else { 1 << 28 };
/// The maximum number of quanta of all cells together. The ledger counts quanta in an i64.
pub const MAX_QUANTA: u64 = 1 << 63;
/// The largest reach of a hunter, in cells.
pub const MAX_HUNT_RADIUS: u32 = 255;
/// The largest reach of a hunter's jaws, in cells from its place. The sum of the boids within this reach is computed in
/// 32 bits.
pub const MAX_JAWS: u32 = 64;
/// The maximum speed of a hunter that flies by itself, in cells a step.
pub const MAX_SPEED: f64 = 24.0;
/// The number of parts of a cell. Places of hunters and of the roost are in these parts.
pub const PARTS: i32 = 16;

/// The number of cells along each axis, x first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extents {
    /// The number of cells along x.
    pub width: u32,
    /// The number of cells along y.
    pub height: u32,
    /// The number of cells along z; `None`: the world is flat. A world with one slice is deep.
    pub depth: Option<u32>,
}

impl Extents {
    /// A flat world.
    pub const fn flat(width: u32, height: u32) -> Self {
        Self { width, height, depth: None }
    }

    /// A deep world.
    pub const fn deep(width: u32, height: u32, depth: u32) -> Self {
        Self { width, height, depth: Some(depth) }
    }

    /// The extents along x and y, as the extents of a flat world.
    pub const fn columns(self) -> Self {
        Self::flat(self.width, self.height)
    }

    /// The number of axes: 2 or 3.
    #[inline(always)]
    pub const fn axes(self) -> usize {
        if self.depth.is_some() { 3 } else { 2 }
    }

    /// The number of cells along z; 1 in a flat world.
    #[inline(always)]
    pub fn slices(self) -> u32 {
        self.depth.unwrap_or(1)
    }

    /// The number of pieces that threads and ranks divide: rows of a flat world, slices of a deep world.
    #[inline(always)]
    pub fn pieces(self) -> u32 {
        self.depth.unwrap_or(self.height)
    }

    /// The number of cells of a piece.
    pub fn cells_of_piece(self) -> usize {
        self.width as usize * if self.depth.is_some() { self.height as usize } else { 1 }
    }

    /// The number of cells.
    pub fn cells(self) -> usize {
        self.width as usize * self.height as usize * self.slices() as usize
    }

    /// Whether places in Q16 reach all cells. Individuals and bodies that a GPU draws or measures need such places.
    pub fn has_places(self) -> bool {
        self.along_axes().iter().all(|extent| *extent <= MAX_PLACE_EXTENT)
    }

    /// Whether a lattice may have these extents.
    pub fn is_possible(self) -> bool {
        let along_axes = self.along_axes();
        along_axes.iter().all(|extent| (1..=MAX_EXTENT).contains(extent))
            && (self.depth.is_none() || self.has_places())
            && along_axes.iter().map(|extent| u64::from(*extent)).product::<u64>() <= MAX_CELLS
    }

    /// The smallest extent along the axes of the world.
    pub fn smallest(self) -> u32 {
        self.width.min(self.height).min(self.depth.unwrap_or(u32::MAX))
    }

    /// The cell with this index, x fastest and z slowest.
    pub fn cell(self, index: usize) -> Vector3 {
        let (width, height) = (self.width as usize, self.height as usize);
        [index % width, index / width % height, index / width / height].map(|place| place as i32)
    }

    /// The extents along x, y and z. A flat world has 1 along z.
    #[inline(always)]
    pub fn along_axes(self) -> [u32; 3] {
        [self.width, self.height, self.slices()]
    }

    /// The index of a cell, x fastest and z slowest. Cells beyond the edges wrap on a torus; `None` beyond a wall.
    pub fn deep_index(self, place: Vector3, edges: Edges) -> Option<usize> {
        let extents = self.along_axes();
        let mut index = 0;
        for axis in [2, 1, 0] {
            index = index * extents[axis] as usize + edges.wrap(place[axis].into(), extents[axis].into())? as usize;
        }
        Some(index)
    }

    /// The index of a cell of a flat world, or of the first slice of a deep world. Cells beyond the edges wrap on a
    /// torus; `None` beyond a wall.
    pub fn index(self, [x, y]: Cell, edges: Edges) -> Option<usize> {
        self.deep_index([x, y, 0], edges)
    }

    /// The extents along x and y, as signed numbers.
    pub fn as_cell(self) -> [i32; 2] {
        [self.width as i32, self.height as i32]
    }

    /// The extents along x and y, in 1/16 cell.
    pub fn as_parts(self) -> [i32; 2] {
        self.as_cell().map(|extent| extent * PARTS)
    }

    /// The extents along x, y and z, in 1/16 cell.
    #[inline(always)]
    pub fn ends(self) -> Vector3 {
        let [width, height, depth] = self.along_axes();
        [width as i32 * PARTS, height as i32 * PARTS, depth as i32 * PARTS]
    }
}

/// The place of a cell in 1/16 cell.
#[inline(always)]
pub fn place_of(cell: Vector3) -> Vector3 {
    [cell[0] * PARTS, cell[1] * PARTS, cell[2] * PARTS]
}

impl fmt::Display for Extents {
    /// `WxH` or `WxHxD`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)?;
        self.depth.map_or(Ok(()), |depth| write!(f, "x{depth}"))
    }
}

impl FromStr for Extents {
    type Err = String;

    /// The extents in `WxH` or `WxHxD`.
    fn from_str(text: &str) -> Result<Self, String> {
        let extents = text
            .split(['x', 'X', '×'])
            .map(|extent| extent.parse::<u32>().map_err(|_| format!("`{extent}` is not a number of cells")));
        match extents.collect::<Result<Vec<_>, _>>()?[..] {
            [width, height] => Ok(Self::flat(width, height)),
            [width, height, depth] => Ok(Self::deep(width, height, depth)),
            _ => Err("write it as WxH or WxHxD, as in 256x256 or 96x96x48".into()),
        }
    }
}

/// The largest distance of a place from the first cell along an axis, in cells.
pub const MAX_PLACE: f64 = (i32::MAX / PARTS) as f64;

/// A place of two numbers, which is a column through the whole depth of a world, or of three numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(untagged)]
pub enum Place {
    /// A column through the whole depth, at this x and y.
    Column([i32; 2]),
    /// A single place: x, y and z.
    Deep(Vector3),
}

impl Place {
    /// A place in 1/16 cell, from a place in cells. Two numbers are a column, three numbers a single place. Coordinates
    /// beyond ±[`MAX_PLACE`] are clamped.
    pub fn from_cells<const AXES: usize>(cells: [f64; AXES]) -> Self {
        const { assert!(AXES == 2 || AXES == 3, "a place has two or three numbers") }
        let along = |axis: usize| (cells[axis] * f64::from(PARTS)).round() as i32;
        if AXES == 2 { Self::Column([0, 1].map(along)) } else { Self::Deep([0, 1, 2].map(along)) }
    }

    /// The place with three axes. A column has z = 0.
    pub fn to_vector(self) -> Vector3 {
        match self {
            Self::Column([x, y]) => [x, y, 0],
            Self::Deep(place) => place,
        }
    }

    /// The place moved along each axis by `by`, in 1/16 cell. Coordinates that overflow are clamped to an i32. A column
    /// stays a column.
    #[must_use]
    pub fn moved(self, by: [i64; 3]) -> Self {
        let along =
            |place: i32, by: i64| i64::from(place).saturating_add(by).clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        match self {
            Self::Column([x, y]) => Self::Column([along(x, by[0]), along(y, by[1])]),
            Self::Deep(place) => Self::Deep(each_axis(|axis| along(place[axis], by[axis]))),
        }
    }

    /// Whether the place is a column.
    pub fn is_column(self) -> bool {
        matches!(self, Self::Column(_))
    }
}

impl From<[i32; 2]> for Place {
    fn from(place: [i32; 2]) -> Self {
        Self::Column(place)
    }
}

impl From<Vector3> for Place {
    fn from(place: Vector3) -> Self {
        Self::Deep(place)
    }
}

/// The edges of a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edges {
    /// Beyond an edge, the world continues at the opposite edge.
    Torus,
    /// Beyond a wall there are no cells.
    Walls,
}

impl Edges {
    /// Wraps a place along an axis on a torus; `None` beyond a wall. Place and extent have the same unit.
    #[inline(always)]
    pub fn wrap(self, place: i64, extent: i64) -> Option<i64> {
        if (0..extent).contains(&place) {
            return Some(place);
        }
        (self == Self::Torus).then(|| place.rem_euclid(extent))
    }

    /// Wraps a place as [`Self::wrap`], but clamps it at walls.
    #[inline(always)]
    pub fn wrap_or_clamp(self, place: i64, extent: i64) -> i64 {
        self.wrap(place, extent).unwrap_or_else(|| place.clamp(0, extent - 1))
    }

    /// The number of places along an axis with the extent `end`, both in 1/16 cell. On a torus, all places count.
    /// Between walls, the places from the centre of the first cell to the centre of the last cell count.
    pub fn places(self, end: i32) -> i64 {
        match self {
            Self::Torus => end.into(),
            Self::Walls => i64::from(end - PARTS) + 1,
        }
    }
}

/// A part of a range of cells along an axis, without a break on the lattice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// The first cell of the piece on the lattice.
    pub on_lattice: u32,
    /// The index of this cell within the range.
    pub in_range: u32,
    /// The number of cells of the piece.
    pub length: u32,
}

/// The pieces of the range of `length` cells from the cell `first` on, along an axis of `extent` cells. On a torus the
/// range wraps, several times if it is longer than the axis. Parts beyond walls are left out.
pub fn pieces(first: i32, length: i32, extent: i32, edges: Edges) -> impl Iterator<Item = Piece> + Clone {
    let (mut at, end) = match edges {
        Edges::Torus => (0, length),
        Edges::Walls => ((-first).max(0), length.min(extent - first)),
    };
    std::iter::from_fn(move || {
        (at < end).then(|| {
            let on_lattice = edges.wrap_or_clamp((first + at).into(), extent.into()) as i32;
            let length = (end - at).min(extent - on_lattice);
            let piece = Piece { on_lattice: on_lattice as u32, in_range: at as u32, length: length as u32 };
            at += length;
            piece
        })
    })
}

/// The properties of a world. All except the window are constant from step to step.
#[derive(Debug, Clone, PartialEq)]
pub struct World {
    /// The number of cells along each axis.
    pub extents: Extents,
    /// The edges: a torus or walls.
    pub edges: Edges,
    /// The window of an endless world, whose rim is a wall; `None`: the world has edges.
    pub window: Option<Window>,
    /// The distance from a wall, in cells, within which the rule `walls` turns boids inwards; 0 on a torus.
    pub margin: u32,
    /// The capacity of a cell, in quanta.
    pub capacity: u32,
    /// Whether each cell is solid, x fastest; empty if no cell is. Shared, because the list is large.
    pub solids: Arc<Vec<bool>>,
    /// Whether an obstacle covers each cell of a deep world of individuals; empty without obstacles.
    pub obstacles: Arc<Vec<bool>>,
    /// The rock of a deep world. In a world of cells, rock is solid. The lattice of individuals is flat: its columns
    /// are solid if they are rock through the whole depth, unless the world is endless.
    pub rock: Option<Arc<ScalarField>>,
    /// The hunters, at most [`MAX_HUNTERS`].
    pub hunters: Vec<Hunter>,
    /// The place where boids gather.
    pub roost: Roost,
    /// The cuts between the slabs of ranks; `None`: the slabs are even.
    pub cuts: Option<Cuts>,
}

impl World {
    /// A world without solids, hunters and margin, with the maximum capacity. Its roost is in the first cell.
    pub fn empty(extents: Extents, edges: Edges) -> Self {
        let (solids, obstacles, hunters, roost) = (Arc::default(), Arc::default(), Vec::new(), Roost::default());
        let (window, rock, cuts) = (None, None, None);
        Self { extents, edges, window, margin: 0, capacity: u32::MAX, solids, obstacles, rock, hunters, roost, cuts }
    }

    /// The space of the swarm. `depth`: the number of cells along z of the space of individuals, whose lattice is flat;
    /// `None`: the number of slices of the lattice.
    pub fn space(&self, depth: Option<u32>) -> Space {
        let [width, height, slices] = self.extents.along_axes();
        Space { extents: [width, height, depth.unwrap_or(slices)], edges: self.edges }
    }

    /// The cuts of this world for a number of ranks.
    pub fn cuts_of(&self, ranks: usize) -> Cuts {
        self.cuts.clone().unwrap_or_else(|| Cuts::even(self.extents.pieces(), ranks))
    }

    /// The slab of a rank.
    pub fn slab_of(&self, ranks: &dyn Ranks) -> Slab {
        Slab::of_cuts(self.extents, &self.cuts_of(ranks.size()), ranks.rank())
    }

    /// Whether this is a world of cells with rock. The lattice of individuals is flat and has no rock.
    pub fn has_rock_of_cells(&self) -> bool {
        self.rock.is_some() && self.extents.depth.is_some()
    }

    /// The capacity of each cell in quanta, x fastest; 0 for a solid.
    pub fn capacities(&self) -> Vec<u32> {
        self.capacities_of(0..self.extents.cells())
    }

    /// The capacities of a range of cells.
    pub fn capacities_of(&self, cells: Range<usize>) -> Vec<u32> {
        if self.solids.is_empty() {
            return vec![self.capacity; cells.len()];
        }
        self.solids[cells].iter().map(|solid| if *solid { 0 } else { self.capacity }).collect()
    }
}

/// Whether each cell is solid, from its capacity (0 for a solid). The list is empty if no cell is solid.
pub fn solids_of(capacities: &[u32]) -> Vec<bool> {
    if capacities.contains(&0) { capacities.iter().map(|capacity| *capacity == 0).collect() } else { Vec::new() }
}

/// The rule of the walls along one axis, for both models: inwards, growing linearly from 0 at `margin` to 1 at the
/// wall. Returns the component (Q10) of the control vector at a place. Place, extent and margin are in 1/16 cell.
///
/// v_w = (m - d)/m, with the margin m and the distance d < m from the wall. A margin is at most a quarter of an extent,
/// so at most one wall is nearer than the margin.
#[inline(always)]
pub fn walls(place: i32, extent: i32, margin: i32) -> i32 {
    let from_first = (margin - place).max(0);
    let from_last = (margin - (extent - PARTS - place)).max(0);
    quotient((from_first - from_last) * RULE_ONE, margin.max(1))
}

/// The offset from `from` to `to` along an axis of `extent`, by the shorter way on a torus. All numbers have the same
/// unit. At exactly half the extent neither way is shorter; see [`undecided`].
#[inline(always)]
pub fn offset(from: i32, to: i32, extent: i32, edges: Edges) -> i32 {
    let straight = to - from;
    if edges == Edges::Walls {
        return straight;
    }
    if 2 * straight > extent {
        straight - extent
    } else if 2 * straight < -extent {
        straight + extent
    } else {
        straight
    }
}

/// Whether an offset is exactly half a torus, so that it has a length but no direction.
#[inline(always)]
pub fn undecided(offset: i32, extent: i32, edges: Edges) -> bool {
    edges == Edges::Torus && 2 * offset.abs() == extent
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_cut_at_the_edges_of_the_lattice() {
        let cut = |first, length, extent, edges| {
            let pieces = pieces(first, length, extent, edges);
            pieces.map(|piece| (piece.on_lattice, piece.in_range, piece.length)).collect::<Vec<_>>()
        };
        assert_eq!(cut(3, 5, 10, Edges::Torus), [(3, 0, 5)]);
        assert_eq!(cut(-1, 5, 10, Edges::Torus), [(9, 0, 1), (0, 1, 4)]);
        assert_eq!(cut(18, 2, 10, Edges::Torus), [(8, 0, 2)]);
        // A range longer than a torus of three cells.
        assert_eq!(cut(-2, 7, 3, Edges::Torus), [(1, 0, 2), (0, 2, 3), (0, 5, 2)]);
        assert_eq!(cut(-1, 5, 10, Edges::Walls), [(0, 1, 4)]);
        assert_eq!(cut(7, 5, 10, Edges::Walls), [(7, 0, 3)]);
        assert_eq!(cut(12, 5, 10, Edges::Walls), []);
    }
}
