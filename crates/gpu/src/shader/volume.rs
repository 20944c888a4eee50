//! The shaders that make the volume of light and density of a lattice, and the shaders that paint a plane of cells.
//! Other shaders count the boids along a line of sight, or spread a list of boids or individuals over the water around
//! rock.

use super::Shader;
use super::lattice::add_cells;
use super::structure::structure;
use glam::IVec2;
use murmuration_core::host::library::Library;
use murmuration_core::numbers::BOID;
use murmuration_core::picture::{LOSS, LightPath, TEXEL, volume_size};
use murmuration_core::world::Extents;
use std::num::NonZeroU64;

/// The declaration in WGSL of the parameters of a slice of the volume.
const SLICE_WGSL: &str = "struct Parameters {\n    slice: i32,\n}\n";
/// The size of the parameters of a slice in bytes.
pub const SLICE_BYTES: NonZeroU64 = NonZeroU64::new(16).unwrap();

/// The whole shaders that make the volume of light and density of a world, in the order in which they run. They compute
/// the density of each texel, then the density along the path of the light slice by slice, then the light.
pub fn assemble_volume(library: &Library, extents: Extents) -> [Shader; 3] {
    let [width, height, depth] = volume_size(extents);
    let begun = |name: &str, has_parameters: bool| {
        let mut shader = Shader::new(library, &format!("volume/{name}"), []);
        // The parameters are the first binding, because some drivers give dynamic offsets to the first uniform buffer
        // only.
        if has_parameters {
            shader.parameters(SLICE_WGSL, SLICE_BYTES);
        }
        shader.constant("SIZE", "vec3<i32>", format_args!("vec3<i32>({width}, {height}, {depth})"));
        shader.constant("TEXEL", "i32", TEXEL);
        shader.buffer("values", "array<vec2<f32>>", true);
        shader
    };
    let mut reduce = begun("reduce", false);
    add_cells(&mut reduce, library, extents, 1);
    reduce.constant("BOID", "f32", format_args!("{:?}", BOID as f32));
    reduce.uniform("exposure", "vec4<f32>");
    reduce.buffer("ends", "array<atomic<u32>, 6>", true);
    let mut sweep = begun("sweep", true);
    let LightPath { axes: [main, across, down], begins_at_end, lean: [x, y], half } = LightPath::new(extents);
    for (name, axis) in [("MAIN", main), ("ACROSS", across), ("DOWN", down)] {
        sweep.constant(name, "i32", axis);
    }
    sweep.constant("BEGINS_AT_END", "bool", begins_at_end);
    sweep.constant("LEAN", "vec2<f32>", format_args!("vec2<f32>({x:?}, {y:?})"));
    sweep.constant("HALF_WAY", "f32", format_args!("{half:?}"));
    let mut light = begun("light", false);
    light.constant("LOSS", "f32", format_args!("{LOSS:?}"));
    light.buffer("ends", "array<u32, 6>", false);
    light.buffer("bounds", "array<vec4<f32>, 2>", true);
    [reduce, sweep, light]
}

/// The side of a texel in which the boids or individuals around rock are counted, in cells.
pub const CROWD_TEXEL: f32 = 6.0;
/// The number of equal parts of an individual. The count of a texel is a number of parts, because an individual is
/// spread over several texels.
pub const CROWD_PARTS: f32 = 256.0;

/// The number of texels along each axis in which the boids or individuals around rock are counted.
pub fn crowd_size(extents: Extents) -> [u32; 3] {
    extents.along_axes().map(|extent| (extent as f32 / CROWD_TEXEL).ceil() as u32)
}

/// Begins the shader that spreads a list of boids or individuals over texels. The caller adds the list.
pub fn begin_crowd(library: &Library, extents: Extents) -> Shader {
    let mut shader = Shader::new(library, "volume/spread", []);
    let [width, height, depth] = crowd_size(extents);
    shader.constant("SIZE", "vec3<i32>", format_args!("vec3<i32>({width}, {height}, {depth})"));
    shader.constant("CROWD_TEXEL", "f32", format_args!("{CROWD_TEXEL:?}"));
    shader.constant("CROWD_PARTS", "f32", format_args!("{CROWD_PARTS:?}"));
    shader.buffer("crowd", "array<atomic<u32>>", true);
    shader
}

/// The whole shader that counts the boids in and beside each of several cells along a line of sight.
pub fn assemble_line(library: &Library, extents: Extents) -> Shader {
    let mut shader = Shader::new(library, "volume/line", []);
    add_cells(&mut shader, library, extents, 1);
    shader.constant("BOID", "f32", format_args!("{:?}", BOID as f32));
    shader.buffer("places", "array<vec4<i32>>", false);
    shader.buffer("boids", "array<f32>", true);
    shader
}

structure! {
    /// The part of a lattice that a plane of cells shows, as kernels read it.
    PlaneNumbers, PLANE_NUMBERS_WGSL {
        /// The extents of the plane, in cells.
        size: IVec2,
        /// The axis perpendicular to the plane: 0 for x, 1 for y, 2 for z.
        axis: i32,
        /// The first index along `axis` of the cells whose densities are summed.
        first: i32,
        /// The index along `axis` after the last of these cells.
        end: i32,
        /// The number of entries in the list `tops`. An entry is a value for which the last colour may stand. The
        /// shader uses the least entry that no value of the plane exceeds.
        tops: u32,
    }
}

/// The whole shaders of a plane of cells. The first finds the high word of the maximum value, the second finds the low
/// word, and the third paints.
pub fn assemble_plane(library: &Library, extents: Extents) -> [Shader; 3] {
    let begun = |name: &str| {
        let mut shader = Shader::new(library, &format!("volume/{name}"), []);
        add_cells(&mut shader, library, extents, 1);
        shader.add("alias IVec2 = vec2<i32>;");
        shader.add(PLANE_NUMBERS_WGSL);
        shader.uniform("shown", "PlaneNumbers");
        shader
    };
    let [upper, lower] = [false, true].map(|is_lower| {
        let mut shader = begun("greatest");
        shader.constant("IS_LOWER", "bool", is_lower);
        shader.buffer("greatest", "array<atomic<u32>, 2>", true);
        shader
    });
    let mut paint = begun("paint");
    paint.buffer("tops", "array<vec2<u32>>", false);
    paint.buffer("greatest", "array<u32, 2>", false);
    paint.buffer("colours", "array<u32>", false);
    paint.buffer("top", "vec2<u32>", true);
    paint.target("plane", "r32uint");
    [upper, lower, paint]
}
