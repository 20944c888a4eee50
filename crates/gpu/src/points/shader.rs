//! The shaders that move points, which stand for the boids of cells in pictures, with the swarm of a lattice.

use crate::shader::world::{ShaderConfig, Value, add_fields, add_storage};
use crate::shader::{Shader, structure};
use murmuration_core::cells::numbers::{PARAMETERS_WGSL, Parameters};
use murmuration_core::points::Blocks;

structure! {
    /// A [`Point`](murmuration_core::points::Point) as buffers hold it, 24 bytes.
    StoredPoint, STORED_POINT_WGSL {
        /// The place along x, Q16 of a cell. `y` and `z` have the places along y and z.
        x: i32,
        y: i32,
        z: i32,
        /// The velocity along x in the lower half and along y in the upper half, Q14 of a cell a step.
        velocity_xy: u32,
        /// The lower half has the velocity along z. The upper half has the presence, from 0 (invisible) to 65 535
        /// (fully visible).
        velocity_z_presence: u32,
        /// A constant random number. Some of its high bits have the layer of the point, and whether the point leaves.
        key: u32,
    }
}

/// The number of invocations of a workgroup.
pub const POINT_WORKGROUP: u32 = 256;
/// The number of bins that an invocation sums. A bin has the number of points in a block.
pub const BINS_EACH: u32 = 16;

/// The items for each of which a kernel of the points has an invocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PointInvocation {
    /// Each point.
    Points,
    /// Each block of a layer, a square or cube with a side of 4 cells.
    Blocks,
    /// Each part of the list of blocks. All invocations of a workgroup share a part.
    Parts,
}

/// A kernel that works on points, and the buffers that it binds.
#[derive(Debug)]
pub struct PointKernel {
    /// The name of the kernel's file in `shaders/points/`, without the extension.
    pub name: &'static str,
    /// The items for which the kernel is invoked.
    pub invocation: PointInvocation,
    /// Whether the kernel reads the fields of a layer, and works on the points of that layer only.
    pub reads_lattice: bool,
    /// The name of each buffer, its type in WGSL, and whether the kernel writes the buffer.
    buffers: &'static [(&'static str, &'static str, bool)],
}

const WORDS: &str = "array<u32>";
const POINTS: &str = "array<Point>";

/// The kernels of a step of the points. The constant `STEP` has their order.
pub const POINT_KERNELS: [PointKernel; 7] = [
    PointKernel {
        name: "move",
        invocation: PointInvocation::Points,
        reads_lattice: true,
        buffers: &[
            ("points", POINTS, true),
            ("starts", WORDS, false),
            ("destinations", WORDS, true),
            ("ranks", WORDS, true),
            ("counts", "array<atomic<u32>>", true),
        ],
    },
    PointKernel {
        name: "sum_parts",
        invocation: PointInvocation::Parts,
        reads_lattice: false,
        buffers: &[("counts", WORDS, false), ("parts", WORDS, true)],
    },
    PointKernel {
        name: "scan",
        invocation: PointInvocation::Parts,
        reads_lattice: false,
        buffers: &[
            ("counts", WORDS, false),
            ("parts", WORDS, false),
            ("begins", WORDS, true),
            ("numbers", "PointNumbers", false),
        ],
    },
    PointKernel {
        name: "scatter",
        invocation: PointInvocation::Points,
        reads_lattice: false,
        buffers: &[
            ("starts", WORDS, false),
            ("destinations", WORDS, false),
            ("ranks", WORDS, false),
            ("arrivals", WORDS, false),
            ("order", WORDS, true),
        ],
    },
    PointKernel {
        name: "sort",
        invocation: PointInvocation::Points,
        reads_lattice: false,
        buffers: &[
            ("points", POINTS, false),
            ("starts", WORDS, false),
            ("destinations", WORDS, false),
            ("arrivals", WORDS, false),
            ("order", WORDS, false),
            ("sorted", POINTS, true),
        ],
    },
    PointKernel {
        name: "decide",
        invocation: PointInvocation::Blocks,
        reads_lattice: true,
        buffers: &[
            ("sorted", POINTS, false),
            ("arrivals", WORDS, false),
            ("plans", "array<vec2<u32>>", true),
            ("counts", WORDS, true),
            ("numbers", "PointNumbers", false),
        ],
    },
    PointKernel {
        name: "renew",
        invocation: PointInvocation::Blocks,
        reads_lattice: true,
        buffers: &[
            ("sorted", POINTS, false),
            ("arrivals", WORDS, false),
            ("plans", "array<vec2<u32>>", false),
            ("starts", WORDS, false),
            ("points", POINTS, true),
            ("numbers", "PointNumbers", false),
        ],
    },
];

impl PointKernel {
    /// The kernel with this name.
    ///
    /// # Panics
    /// If no kernel has the name.
    pub fn named(name: &str) -> &'static Self {
        POINT_KERNELS.iter().find(|kernel| kernel.name == name).expect("a kernel of the points")
    }

    /// The whole shader of the kernel for a lattice. `own` is the index of the layer whose points the kernel works on,
    /// and `layers` the number of layers.
    pub fn assemble(&self, config: ShaderConfig<'_>, [own, layers]: [u32; 2]) -> Shader {
        let mut shader = Shader::new(&config.library, &format!("points/{}", self.name), []);
        // The parameters are the first binding, because some drivers give dynamic offsets to the first uniform buffer
        // only.
        if self.reads_lattice {
            shader.parameters(PARAMETERS_WGSL, Parameters::binding_size().expect("it has numbers"));
        }
        shader.world(config.extents(), config.extents().ends(), config.edges);
        for (name, kind, is_written) in self.buffers {
            shader.buffer(name, kind, *is_written);
        }
        if self.reads_lattice {
            add_flow(&mut shader, config);
        }
        let blocks = Blocks::new(config.extents());
        let [width, height, depth] = config.extents().along_axes();
        let [across, down, deep] = blocks.counts;
        shader.constant("EXTENTS", "Vector3", format_args!("Vector3({width}, {height}, {depth})"));
        shader.constant("BLOCKS", "vec3<u32>", format_args!("vec3<u32>({across}u, {down}u, {deep}u)"));
        shader.constant("AXES", "u32", config.extents().axes());
        shader.constant("BLOCK_COUNT", "u32", blocks.count());
        shader.constant("LAYER", "u32", own);
        shader.constant("LAYERS", "u32", layers);
        shader.constant("BINS", "u32", layers as usize * blocks.count() + 1);
        shader.constant("BINS_EACH", "u32", BINS_EACH);
        shader.constant("WORKGROUP", "u32", POINT_WORKGROUP);
        for file in ["numbers", "lattice", "random"] {
            shader.import(&config.library, &format!("shared/{file}"));
        }
        shader
    }
}

/// Adds the fields that kernels of the points read: density, control vectors and capacity.
fn add_flow(shader: &mut Shader, config: ShaderConfig<'_>) {
    add_storage(shader, &config.library, &config.subdomain);
    let fields = [("density", Value::Amount), ("control", Value::Vector), ("capacity", Value::Amount)];
    add_fields(shader, &fields, Some(1), config);
}
