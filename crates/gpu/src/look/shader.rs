//! Whole shaders around the look's kernels. A kernel's file holds functions; the entry points, bindings and accessors
//! around them are generated.

use super::crowd_light::declare_crowd;
use super::orbit::{EYE_WGSL, SHAPES};
use super::view::{DISC, VIEW_WGSL};
use crate::look::point_view::POINT_VIEW_WGSL;
use crate::points::shader::STORED_POINT_WGSL;
use crate::shader::{Definitions, Row, STORED_BODY_WGSL, Shader, stem_of, validate_kernel, validate_text};
use crate::terrain::MAX_LIGHT;
use murmuration_core::chain::look_plan::{LookPass, LookPlan, LookRead, LookTarget};
use murmuration_core::chain::table::{Extent, Invocation, Model, Texture};
use murmuration_core::chain::{Chain, DEFAULT_OF_LOOK, LOOK_AT_DUSK, LOOK_OF_CLOUD, LOOK_OF_VALUES};
use murmuration_core::error::BadInput;
use murmuration_core::host::library::Library;
use murmuration_core::look::{Colouring, Look};
use murmuration_core::picture;
use murmuration_core::world::{Edges, World};

/// The parameters of the pipelines. They are constants of the shaders, so a pipeline takes no time to test them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LookConfig {
    /// The edges of the world.
    pub edges: Edges,
    /// Whether any cell is solid.
    pub has_solids: bool,
    /// Whether a block of the view is one cell.
    pub is_cell: bool,
    /// Whether the world has rock and water, and is seen from around.
    pub has_terrain: bool,
    /// Whether falcons are among the points that are drawn as strokes.
    pub has_falcons: bool,
    /// The quantity that the hue of boids shows.
    pub colouring: Colouring,
}

impl LookConfig {
    /// The parameters of a world's pictures in a look, for views in which a block may be several cells.
    pub fn new(world: &World, look: &Look) -> Self {
        let has_solids = !world.solids.is_empty();
        let edges = world.edges;
        Self { edges, has_solids, is_cell: false, has_terrain: false, has_falcons: false, colouring: look.colour }
    }
}

/// The types of the fields of structures, as WGSL names them.
pub const ALIASES_WGSL: &str = "alias Vec2 = vec2<f32>;\nalias IVec2 = vec2<i32>;\n\
                                alias Vec3 = vec3<f32>;\nalias IVec3 = vec3<i32>;\n\
                                alias Mat4 = mat4x4<f32>;";

/// The number of invocations of a workgroup in kernels of points.
pub const WORKGROUP: u32 = 128;

/// The variable of a shader with a texture that a pass reads.
pub fn variable_of(read: &LookRead) -> String {
    match read.texture {
        Texture::Volume => "volume".into(),
        Texture::Water => "water".into(),
        Texture::Sums => format!("{}_sums", read.name),
        _ => format!("{}_texture", read.name),
    }
}

/// The whole shaders of a pass. A kernel of strokes has one shader for boids and, if there are falcons, a second shader
/// for falcons. A falcon's code is a hundred times as long as a boid's, and a software adapter runs both branches of a
/// condition. `target_encodes`: the target encodes colours as sRGB.
pub fn assemble(library: &Library, pass: &LookPass, config: LookConfig, target_encodes: bool) -> Vec<Shader> {
    let of_falcons = [false, pass.invocation == Invocation::Boid && config.has_falcons];
    let shader = |is_of_falcons| assemble_one(library, pass, config, target_encodes, is_of_falcons);
    of_falcons.into_iter().take(1 + usize::from(of_falcons[1])).map(shader).collect()
}

/// One shader of a pass. `is_of_falcons`: its strokes are falcons, not boids.
fn assemble_one(
    library: &Library,
    pass: &LookPass,
    config: LookConfig,
    target_encodes: bool,
    is_of_falcons: bool,
) -> Shader {
    let kernel = &pass.kernel;
    let table = Model::Look.table();
    let path = if kernel.signature.is_some() { table.path(&kernel.name) } else { kernel.origin.clone() };
    let definitions = definitions(pass, is_of_falcons);
    let mut shader = Shader::from_text(library, stem_of(&path), &kernel.origin, &kernel.text, definitions);
    // A kernel with another name may call these functions.
    if kernel.signature.is_none() {
        shader.import(library, "look/places");
        if pass.invocation == Invocation::Rock {
            shader.import(library, "look/rock_vertex");
        }
        if pass.reads(Texture::Palette) {
            shader.import(library, "look/radiance");
        }
    }
    shader.add(ALIASES_WGSL);
    shader.add(VIEW_WGSL);
    shader.uniform("view", "View");
    pass.read.iter().for_each(|read| add_read(&mut shader, read));
    shader.import(library, "look/reads");
    add_constants(&mut shader, pass, config, target_encodes);
    add_surroundings(&mut shader, pass, config, is_of_falcons);
    add_entry(&mut shader, library, pass, is_of_falcons);
    shader
}

/// The definitions that the files of a pass may use: rows of the textures and of the sums that the pass reads, and a
/// condition.
fn definitions(pass: &LookPass, is_of_falcons: bool) -> Definitions {
    let (mut textures, mut sums) = (Vec::new(), Vec::new());
    for read in &pass.read {
        let (name, variable) = (&read.name, variable_of(read));
        let mut row = |kind: &str, part: &str| {
            textures.push(Row::new([("name", name), ("variable", &variable), ("kind", &kind), ("part", &part)]));
        };
        match read.texture {
            Texture::Volume | Texture::Water => {}
            Texture::Sums => sums.push(Row::new([("name", name), ("variable", &variable)])),
            Texture::Words => row("u32", ".r"),
            _ => row("vec4<f32>", ""),
        }
    }
    let row = Row::default().with("TEXTURES", textures).with("SUMS", sums);
    Definitions { row, ..[("IS_OF_FALCONS", is_of_falcons)].into() }
}

/// Declares the variable of a texture that the kernel reads.
fn add_read(shader: &mut Shader, read: &LookRead) {
    let variable = variable_of(read);
    match read.texture {
        Texture::Volume => shader.buffer(&variable, "array<vec2<f32>>", false),
        Texture::Water | Texture::Sums => shader.buffer(&variable, "array<u32>", false),
        Texture::Words => shader.texture(&variable, "u32"),
        _ => shader.texture(&variable, "f32"),
    }
}

/// Adds the eye, points, falcons, rock and individuals that the pass draws or reads.
fn add_surroundings(shader: &mut Shader, pass: &LookPass, config: LookConfig, is_of_falcons: bool) {
    // The functions of the file `look/depth` read the eye.
    if shader.has("look/depth") || pass.is_around() || pass.reads(Texture::Water) {
        shader.constant("HAS_TERRAIN", "bool", config.has_terrain);
        let [from, to] = SHAPES;
        shader.constant("SHAPES_FROM", "f32", format_args!("{from:?}"));
        shader.constant("SHAPES_TO", "f32", format_args!("{to:?}"));
        shader.add(EYE_WGSL);
        shader.uniform("eye", "Eye");
    }
    let is_of_points = matches!(pass.invocation, Invocation::Boid | Invocation::Point);
    if is_of_points || pass.reads(Texture::Sums) || pass.reads(Texture::Volume) {
        shader.add(POINT_VIEW_WGSL);
        shader.uniform("point_view", "PointView");
    }
    if is_of_points {
        shader.add(STORED_POINT_WGSL);
        shader.buffer("point_list", "array<StoredPoint>", false);
    }
    if pass.invocation == Invocation::Point {
        shader.texture("point_cells", "u32");
        shader.constant("DISC", "f32", format_args!("{DISC:?}"));
    }
    if is_of_falcons || pass.invocation == Invocation::Falcon {
        shader.buffer("falcons", "array<Falcon>", false);
    }
    if is_of_falcons {
        shader.buffer("flight_limits", "array<vec4<f32>>", false);
    }
    if pass.invocation == Invocation::Boid {
        shader.buffer("sums", "array<atomic<u32>>", true);
    }
    if pass.invocation == Invocation::Rock {
        declare_crowd(shader);
        shader.constant("MAX_LIGHT", "f32", format_args!("{MAX_LIGHT:?}"));
    }
    if pass.invocation == Invocation::Individual {
        shader.add(STORED_BODY_WGSL);
        shader.buffer("bodies", "array<StoredBody>", false);
    }
}

/// The entry points.
fn add_entry(shader: &mut Shader, library: &Library, pass: &LookPass, is_of_falcons: bool) {
    let name = &pass.kernel.name;
    match pass.invocation {
        Invocation::Point => shader.add(fragment_entry("PointVertex", &format!("{name}(vertex.r, vertex.light)"))),
        Invocation::Individual => {
            // A list on a device has empty entries.
            let before = "    let it = body(number % view.bodies);\n    if (it.boids == 0.0) {\n        \
                           return NOT_DRAWN;\n    }\n";
            let arguments = "it, copy_of_torus(number / view.bodies), corner, normal";
            shader.add(shape_entries(name, before, arguments));
        }
        Invocation::Edge => shader.add(shape_entries(name, "", "number, corner")),
        Invocation::Falcon => shader.add(shape_entries(name, "", "falcons[number], corner, normal")),
        Invocation::Rock => shader.add(rock_entries(name)),
        Invocation::Boid => {
            let count = if is_of_falcons { "falcons" } else { "boids" };
            let body = format!("    if (id.x < point_view.{count}) {{\n        {name}(point_of(id.x));\n    }}\n");
            shader.compute_entry([WORKGROUP, 1], &body);
        }
        _ => {
            // The target may be a part of a picture.
            let origin = if pass.target == LookTarget::Picture { " - view.origin" } else { "" };
            let body = format!("    return {name}(vec2<i32>(position.xy){origin});\n");
            shader.pixel_entry(library, "@location(0) vec4<f32>", &body);
        }
    }
}

/// The entry points of a kernel that draws shapes. `before`: the text before the call of its function for a corner.
/// `arguments`: the arguments of the call.
fn shape_entries(kernel: &str, before: &str, arguments: &str) -> String {
    let fragment = fragment_entry("ShapeVertex", &format!("{kernel}(vertex.r, vertex.light)"));
    format!(
        "@vertex\nfn murmuration_vertex(
    @builtin(instance_index) number: u32,
    @location(0) corner: vec3<f32>,
    @location(1) normal: vec3<f32>,
) -> ShapeVertex {{
{before}    return {kernel}_corner({arguments});
}}
{fragment}"
    )
}

/// The entry points of a kernel that draws the surface of rock.
fn rock_entries(kernel: &str) -> String {
    let call = format!("{kernel}(vertex.place, normalize(vertex.normal), vertex.open, vertex.lit, vertex.crowd)");
    let fragment = fragment_entry("RockVertex", &call);
    format!(
        "@vertex\nfn murmuration_vertex(
    @location(0) place: vec4<u32>,
    @location(1) normal: vec4<f32>,
    @location(2) first: vec3<f32>,
) -> RockVertex {{
    return rock_vertex(place, normal, first);
}}
{fragment}"
    )
}

/// The entry point for the pixels of a kernel's shapes. `vertex`: the structure that is interpolated between corners.
/// `call`: the call of the kernel with the parts of its `vertex`.
fn fragment_entry(vertex: &str, call: &str) -> String {
    let result = "@location(0) vec4<f32>";
    format!("@fragment\nfn murmuration_fragment(vertex: {vertex}) -> {result} {{\n    return {call};\n}}\n")
}

/// Adds the constants of the pass, and the constants of the picture, which the CPU's picture shares.
fn add_constants(shader: &mut Shader, pass: &LookPass, config: LookConfig, target_encodes: bool) {
    shader.add(picture::constants_wgsl());
    shader.constant("MAX_STORED", "f32", "60000.0");
    shader.constant("TARGET_ENCODES", "bool", target_encodes);
    let colour = match config.colouring {
        Colouring::Heading => 0,
        Colouring::Speed => 1,
        Colouring::Density => 2,
        Colouring::Mood => 3,
        Colouring::Species => 4,
    };
    shader.constant("TORUS", "i32", u8::from(config.edges == Edges::Torus));
    shader.constant("HAS_SOLIDS", "bool", config.has_solids);
    // Only kernels that read cells depend on this constant, so the others are not compiled again.
    if pass.reads(Texture::Words) {
        shader.constant("IS_CELL", "bool", config.is_cell);
    }
    shader.constant("COLOUR", "i32", colour);
    // The halo of a level is weighted as in the CPU's picture. screen/4 is the finest level.
    if let LookTarget::Light { extents: [Extent::Screen { part, .. }, _], .. } = pass.target
        && let Some(halo) = picture::halo_part(part)
    {
        shader.constant("HALO", "f32", format_args!("{halo:?}"));
    }
}

/// Checks the users' kernels of a plan without a device. A test checks the built-in kernels.
///
/// # Errors
/// If a kernel is not valid WGSL. The error has its file and line.
pub fn check(library: &Library, plan: &LookPlan) -> Result<(), BadInput> {
    let mut own = plan.passes.iter().filter(|pass| !pass.kernel.is_built_in);
    own.try_for_each(|pass| check_pass(library, pass))
}

/// Checks a file of `shaders/look/` in its place in the built-in chain. A kernel with a new name replaces the last
/// pass, and may read every texture of the chain.
///
/// # Errors
/// If the kernel is not valid. The error has its line.
pub fn check_kernel(library: &Library, origin: &str, name: &str, text: &str) -> Result<(), BadInput> {
    let own = Model::Look.table().path(name);
    let path = stem_of(&own);
    let config = LookConfig {
        edges: Edges::Walls,
        has_solids: true,
        is_cell: true,
        has_terrain: true,
        has_falcons: true,
        colouring: Colouring::Speed,
    };
    // The shaders of other kernels that import the file.
    let calling = |chain: &Chain| -> Result<Vec<Shader>, BadInput> {
        let plan = LookPlan::new(chain)?;
        let shaders = plan.passes.iter().flat_map(|pass| assemble(library, pass, config, false));
        Ok(shaders.filter(|shader| shader.has(path) && shader.origin() != own).collect())
    };
    let mut chain = Chain::load(library, DEFAULT_OF_LOOK)?;
    let has_it = |chain: &Chain| chain.passes.iter().any(|pass| pass.kernel.name == name);
    for other in [DEFAULT_OF_LOOK, LOOK_AT_DUSK, LOOK_OF_CLOUD, LOOK_OF_VALUES] {
        let other = Chain::load(library, other)?;
        let shaders = calling(&other)?;
        if !shaders.is_empty() {
            let mut replaced = shaders.iter().map(|shader| shader.replace_file(library, path, origin, text));
            return replaced.try_for_each(|shader| validate_text(&shader));
        }
        if !has_it(&chain) && has_it(&other) {
            chain = other;
        }
    }
    let index = chain.passes.iter().position(|pass| pass.kernel.name == name).unwrap_or_else(|| {
        let is_read = |field: &&String| text.contains(&format!("{field}("));
        let mut pass = chain.passes.last().expect("the built-in chain has passes").clone();
        (pass.kernel.name, pass.kernel.signature) = (name.into(), None);
        pass.read = chain.fields.keys().filter(is_read).cloned().collect();
        chain.passes.push(pass);
        chain.passes.len() - 1
    });
    let kernel = &mut chain.passes[index].kernel;
    (kernel.origin, kernel.text, kernel.is_built_in) = (origin.into(), text.into(), false);
    check_pass(library, &LookPlan::new(&chain)?.passes[index])
}

fn check_pass(library: &Library, pass: &LookPass) -> Result<(), BadInput> {
    forms(library, pass).try_for_each(|shader| validate_kernel(library, Model::Look, &pass.kernel, &shader))
}

/// The shaders of a pass in each form.
pub fn forms(library: &Library, pass: &LookPass) -> impl Iterator<Item = Shader> {
    let forms = [
        (Edges::Torus, Colouring::Heading, false),
        (Edges::Walls, Colouring::Speed, true),
        (Edges::Walls, Colouring::Density, false),
        (Edges::Torus, Colouring::Mood, true),
        (Edges::Walls, Colouring::Species, false),
    ];
    forms.into_iter().flat_map(|(edges, colouring, other)| {
        let (is_cell, has_solids, has_terrain) = (!other, other, other);
        let config = LookConfig { edges, has_solids, is_cell, has_terrain, has_falcons: true, colouring };
        assemble(library, pass, config, other)
    })
}

/// The shaders of the built-in chains of the look, each pass in each form.
pub(crate) fn all_shaders(library: &Library) -> impl Iterator<Item = Shader> {
    [DEFAULT_OF_LOOK, LOOK_AT_DUSK, LOOK_OF_CLOUD, LOOK_OF_VALUES].into_iter().flat_map(|name| {
        let plan = Chain::load(library, name).and_then(|chain| LookPlan::new(&chain));
        let plan = plan.unwrap_or_else(|wrong| unreachable!("a built-in chain is sound: {wrong}"));
        plan.passes.iter().flat_map(|pass| forms(library, pass)).collect::<Vec<_>>()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::library;

    #[test]
    fn a_mistake_in_a_kernel_has_its_line() {
        let soften = library().shader("look/soften");
        let text = soften.replace("* (1.0 / 16.0)", "* sixteenth");
        let wrong = check_kernel(library(), "mine/soften.wgsl", "soften", &text).unwrap_err();
        let line = text.lines().position(|line| line.contains("sixteenth")).map(|index| index + 1);
        assert_eq!((wrong.origin.as_str(), wrong.line), ("mine/soften.wgsl", line), "{wrong}");
        let places = library().shader("look/places");
        let text = places.replace("vec3<i32>(before", "vec4<i32>(before");
        let wrong = check_kernel(library(), "mine/places.wgsl", "places", &text).unwrap_err();
        assert!(wrong.line.is_some(), "{wrong}");
    }
}
