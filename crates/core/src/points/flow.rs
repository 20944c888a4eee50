//! The data of a world of cells by which points move.

use crate::numbers::{Vector3, unpack};
use crate::state::State;
use crate::state::fields::FieldView;
use crate::world::{Edges, Extents};

/// The density, control vector and solidity of each cell of a world. A cell may be one cell beyond the edges. On a
/// torus it is then the cell on the other side. Beyond a wall all cells are empty and solid.
pub trait Flow: Sync {
    /// The extents of the lattice.
    fn extents(&self) -> Extents;

    /// The edges of the lattice.
    fn edges(&self) -> Edges;

    /// Whether any cell of the lattice is solid.
    fn has_solids(&self) -> bool;

    /// The quanta of each cell in a row of the lattice. The row must be in the world.
    fn row(&self, y: i32, z: i32) -> &[u32];

    /// The quanta of a cell.
    fn density(&self, cell: Vector3) -> u32;

    /// The quanta of a cell and of the next cell along x.
    fn pair(&self, cell: Vector3) -> [u32; 2];

    /// The control vector (Q14) of a cell.
    fn velocity(&self, cell: Vector3) -> Vector3;

    /// Whether a cell is solid.
    fn is_solid(&self, cell: Vector3) -> bool;
}

/// The flow of one layer of a state in memory.
#[derive(Debug, Clone, Copy)]
pub struct StateFlow<'a> {
    /// The density and the control vector of each cell. Only the first layer counts.
    pub state: &'a State,
    /// The edges of the lattice.
    pub edges: Edges,
    /// Whether each cell is solid; empty: no cell is solid.
    pub solids: &'a [bool],
}

impl<'a> StateFlow<'a> {
    /// The flow of each layer of a world. `layers`: a state for each layer.
    pub fn of_layers(layers: &'a [State], edges: Edges, solids: &'a [bool]) -> Vec<Self> {
        layers.iter().map(|state| Self { state, edges, solids }).collect()
    }

    fn index(&self, cell: Vector3) -> Option<usize> {
        self.state.extents.deep_index(cell, self.edges)
    }
}

impl Flow for StateFlow<'_> {
    fn extents(&self) -> Extents {
        self.state.extents
    }

    fn edges(&self) -> Edges {
        self.edges
    }

    fn has_solids(&self) -> bool {
        !self.solids.is_empty()
    }

    fn row(&self, y: i32, z: i32) -> &[u32] {
        let width = self.state.extents.width as usize;
        &self.state.layers[0].density[self.index([0, y, z]).unwrap_or(0)..][..width]
    }

    fn density(&self, cell: Vector3) -> u32 {
        self.index(cell).map_or(0, |index| self.state.layers[0].density[index])
    }

    fn pair(&self, [x, y, z]: Vector3) -> [u32; 2] {
        [self.density([x, y, z]), self.density([x + 1, y, z])]
    }

    #[inline]
    fn velocity(&self, cell: Vector3) -> Vector3 {
        self.index(cell).map_or([0; 3], |index| self.state.layers[0].velocity(index))
    }

    #[inline]
    fn is_solid(&self, cell: Vector3) -> bool {
        self.index(cell).is_none_or(|index| self.solids.get(index).copied().unwrap_or(false))
    }
}

/// The flow of the fields of an engine on the CPU.
#[derive(Debug, Clone, Copy)]
pub struct FieldFlow<'a> {
    /// The extents of the lattice, in cells.
    pub extents: Extents,
    /// The edges of the lattice.
    pub edges: Edges,
    /// The quanta of each cell.
    pub density: FieldView<'a>,
    /// The control vector of each cell (Q14).
    pub control: FieldView<'a>,
    /// The max number of quanta of each cell; 0: the cell is solid.
    pub capacity: FieldView<'a>,
    /// Whether any cell is solid.
    pub has_solids: bool,
}

impl Flow for FieldFlow<'_> {
    fn extents(&self) -> Extents {
        self.extents
    }

    fn edges(&self) -> Edges {
        self.edges
    }

    fn has_solids(&self) -> bool {
        self.has_solids
    }

    fn row(&self, y: i32, z: i32) -> &[u32] {
        self.density.span_of(0, [y, z], self.extents.width as usize)
    }

    #[inline]
    fn density(&self, [x, y, z]: Vector3) -> u32 {
        self.density.span_of(x, [y, z], 1)[0]
    }

    #[inline]
    fn pair(&self, [x, y, z]: Vector3) -> [u32; 2] {
        let pair = self.density.span_of(x, [y, z], 2);
        [pair[0], pair[1]]
    }

    #[inline]
    fn velocity(&self, [x, y, z]: Vector3) -> Vector3 {
        let [along_x, along_y] = unpack(self.control.span_of(x, [y, z], 1)[0]);
        let is_deep = self.extents.depth.is_some();
        [along_x, along_y, if is_deep { self.control.along_z(x, [y, z], 1)[0].into() } else { 0 }]
    }

    #[inline]
    fn is_solid(&self, [x, y, z]: Vector3) -> bool {
        self.capacity.span_of(x, [y, z], 1)[0] == 0
    }
}
