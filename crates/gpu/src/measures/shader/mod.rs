//! The shaders of the sums for measures.

mod blocks;
pub mod overlap;

pub use blocks::{BlockKernel, assemble_blocks, words_of_block};

use crate::shader::lattice::{add_cells, add_momentum};
use crate::shader::{Shader, add_individuals};
use murmuration_core::host::library::Library;
use murmuration_core::world::{Edges, Extents, Space};

/// The number of workgroups in a sum. Each of them writes its own sums.
pub const GROUPS: u32 = 256;

/// The bodies that are summed.
#[derive(Debug, Clone, Copy)]
pub enum BodySource {
    /// Individuals. The flag says whether they have lives.
    Individuals(bool),
    /// The cells of a lattice with this number of layers.
    Cells(Extents, usize),
}

/// A kernel of `shaders/measures/`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeasureKernel {
    /// The first round of sums: weights, speeds, headings and places.
    Motion,
    /// The centre of mass, from the first round.
    Centre,
    /// The second round of sums: offsets from the centre of mass, their products, and the rotation around it.
    Form,
}

impl MeasureKernel {
    /// All kernels, in the order in which they run.
    pub const ALL: [Self; 3] = [Self::Motion, Self::Centre, Self::Form];

    /// The name of the kernel's file without its extension.
    pub fn name(self) -> &'static str {
        match self {
            Self::Motion => "motion",
            Self::Centre => "centre",
            Self::Form => "form",
        }
    }
}

/// The whole shader of a kernel for bodies in a space.
pub fn assemble_measures(library: &Library, kernel: MeasureKernel, source: BodySource, space: &Space) -> Shader {
    let mut shader = Shader::new(library, &format!("measures/{}", kernel.name()), []);
    let [x, y, z] = space.extents;
    match source {
        _ if kernel == MeasureKernel::Centre => {}
        BodySource::Individuals(has_lives) => {
            shader.import(library, "measures/individuals");
            add_individuals(&mut shader, library, has_lives);
        }
        BodySource::Cells(extents, layers) => {
            shader.import(library, "measures/cells");
            add_cells(&mut shader, library, extents, layers);
            add_momentum(&mut shader, library, layers);
        }
    }
    shader.constant("GROUPS", "u32", GROUPS);
    shader.constant("AXES", "i32", space.axes());
    shader.constant("ENDS_IN_CELLS", "vec3<f32>", format_args!("vec3<f32>({x}.0, {y}.0, {z}.0)"));
    shader.constant("IS_TORUS", "bool", space.edges == Edges::Torus);
    let is_centre = kernel == MeasureKernel::Centre;
    shader.buffer("sums", format_args!("array<Terms, {GROUPS}>"), !is_centre);
    if kernel != MeasureKernel::Motion {
        shader.buffer("centre", "array<i32, 3>", is_centre);
    }
    shader
}
