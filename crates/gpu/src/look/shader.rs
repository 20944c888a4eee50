//! Whole shaders around the look's kernels, as [`crate::shader`] does for the simulation's: a kernel's file holds functions,
//! and the entry points, bindings and accessors around them are generated.

use super::bodies::BODY_WGSL;
use super::chain::{self, Chain, Each, Extent, Pass, SHARED, Seen, Source, Written};
use super::eye::{EYE_WGSL, SHAPES};
use super::view::VIEW_WGSL;
use crate::error::BadInput;
use crate::library::Library;
use crate::picture;
use crate::preset::{Colouring, Look};
use crate::world::{Edges, World};
use std::fmt::Write;

pub const VERTEX_ENTRY: &str = "murmuration_vertex";
pub const FRAGMENT_ENTRY: &str = "murmuration_fragment";
/// Bindings in group 0: the view, and then what the pass reads.
pub const VIEW_BINDING: u32 = 0;
pub const FIRST_TEXTURE_BINDING: u32 = 1;
/// The individuals, and the eye that sees them from around.
pub const BODIES_BINDING: u32 = 30;
pub const EYE_BINDING: u32 = 31;

/// What is decided when pipelines are made, so that no pixel has to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    pub edges: Edges,
    pub has_solids: bool,
    pub colouring: Colouring,
}

impl Setting {
    pub fn new(world: &World, look: &Look) -> Self {
        Self { edges: world.edges, has_solids: !world.solids.is_empty(), colouring: look.colour }
    }
}

/// The whole shader of a pass. `target_encodes`: the target stores sRGB of what it is given.
pub fn assemble(
    library: &Library,
    chain: &Chain,
    pass: &Pass,
    kernel: &str,
    setting: Setting,
    target_encodes: bool,
) -> String {
    let mut shader = kernel.to_string();
    let mut line = |text: &str| {
        shader.push_str(text);
        shader.push('\n');
    };
    line("");
    line(VIEW_WGSL);
    line(&format!("@group(0) @binding({VIEW_BINDING}) var<uniform> view: View;"));
    for (index, (name, source)) in pass.read.iter().enumerate() {
        let binding = FIRST_TEXTURE_BINDING + index as u32;
        let (texel, kind, part) = if is_integer(*source) { ("u32", "u32", ".r") } else { ("f32", "vec4<f32>", "") };
        line(&format!("@group(0) @binding({binding}) var {name}_texture: texture_2d<{texel}>;"));
        line(&format!(
            "fn {name}(texel: vec2<i32>) -> {kind} {{ return textureLoad({name}_texture, texel, 0){part}; }}"
        ));
        line(&format!("fn {name}_size() -> vec2<i32> {{ return vec2<i32>(textureDimensions({name}_texture)); }}"));
    }
    line(&constants(chain, pass, setting, target_encodes));
    let is_around = Seen::by(pass.kernel) == Seen::Around;
    if is_around {
        let [from, to] = SHAPES;
        line(&format!("const SHAPES_FROM: f32 = {from:?};\nconst SHAPES_TO: f32 = {to:?};"));
        line(EYE_WGSL);
        line(&format!("@group(0) @binding({EYE_BINDING}) var<uniform> eye: Eye;"));
    }
    if pass.each == Each::Agent {
        line(&format!("@group(0) @binding({BODIES_BINDING}) var<storage, read> bodies: array<StoredBody>;"));
        line(BODY_WGSL);
    }
    line(match pass.each {
        Each::Pixel => PIXEL_ENTRIES,
        Each::Point => POINT_ENTRIES,
        Each::Agent | Each::Edge => DRAWN,
    });
    // What people see may be a part of a picture.
    let origin = if pass.write == Written::Target { " - view.origin" } else { "" };
    let _ = match pass.each {
        Each::Pixel => writeln!(
            shader,
            "@fragment\nfn {FRAGMENT_ENTRY}(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {{\n\
             \x20   return {}(vec2<i32>(position.xy){origin});\n}}",
            pass.kernel
        ),
        Each::Agent => writeln!(shader, "{}", shape_entries(pass.kernel, &agent_corner(pass.kernel))),
        Each::Edge => writeln!(shader, "{}", shape_entries(pass.kernel, &edge_corner(pass.kernel))),
        Each::Point => writeln!(
            shader,
            "@fragment\nfn {FRAGMENT_ENTRY}(quad: Quad) -> @location(0) vec4<f32> {{\n\
             \x20   return {}(quad.r, quad.light);\n}}",
            pass.kernel
        ),
    };
    for name in SHARED {
        // The palette is only there where it is read, and the eye where it looks.
        let is_there = match *name {
            "radiance" => pass.read.iter().any(|(name, _)| *name == "palette"),
            "depth" => is_around,
            _ => true,
        };
        if is_there {
            shader.push_str(library.shader(&format!("look/{name}")));
        }
    }
    shader
}

/// Whether a texture holds words, and not floats.
pub fn is_integer(source: Source) -> bool {
    matches!(source, Source::Given(index) if chain::GIVEN[index] != "palette")
}

const PIXEL_ENTRIES: &str = "\
@vertex
fn murmuration_vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {
    // One triangle that covers the whole target.
    return vec4<f32>(select(-1.0, 3.0, i == 1u), select(-1.0, 3.0, i == 2u), 0.0, 1.0);
}
";

const POINT_ENTRIES: &str = "\
struct Quad {
    @builtin(position) position: vec4<f32>,
    @location(0) r: vec2<f32>,
    @location(1) @interpolate(flat) light: vec3<f32>,
}
@vertex
fn murmuration_vertex(
    @builtin(vertex_index) i: u32,
    @location(0) pixel: vec2<f32>,
    @location(1) velocity: vec2<f32>,
    @location(2) exposures: f32,
    @location(3) brightness: f32,
) -> Quad {
    // A square of three radii to each side, beyond which a point is dark.
    let corner = vec2<f32>(select(-1.0, 1.0, (i & 1u) == 1u), select(-1.0, 1.0, i >= 2u));
    let r = corner * 3.0;
    let light = boid_colour(exposures, velocity) * (view.point_light * brightness);
    return Quad(clip_of_pixel(pixel + r * view.point_radius), r, light);
}
";

const DRAWN: &str = "\
struct Drawn {
    @builtin(position) position: vec4<f32>,
    @location(0) r: vec2<f32>,
    @location(1) light: vec3<f32>,
}
";

/// The entry points of a kernel that draws shapes, from how it finds a corner of one.
fn shape_entries(kernel: &str, corner: &str) -> String {
    format!(
        "\
@vertex
fn {VERTEX_ENTRY}(
    @builtin(instance_index) number: u32,
    @location(0) corner: vec3<f32>,
    @location(1) normal: vec3<f32>,
) -> Drawn {{
{corner}}}
@fragment
fn {FRAGMENT_ENTRY}(drawn: Drawn) -> @location(0) vec4<f32> {{
    return {kernel}(drawn.r, drawn.light);
}}
"
    )
}

fn agent_corner(kernel: &str) -> String {
    format!(
        "    // From afar several periods of a torus are in view.
    let period = i32(number / view.bodies);
    let copy = view.first_copy + vec2<i32>(period % view.copies.x, period / view.copies.x);
    return {kernel}_corner(body(number % view.bodies), vec2<f32>(copy), corner, normal);
"
    )
}

fn edge_corner(kernel: &str) -> String {
    format!("    return {kernel}_corner(number, corner);\n")
}

/// The constants of the picture, which both this and the CPU's picture have from one place, and those of the pass.
fn constants(chain: &Chain, pass: &Pass, setting: Setting, target_encodes: bool) -> String {
    let mut text = picture::constants_wgsl();
    let _ = writeln!(text, "const MOST_STORED: f32 = 60000.0;\nconst TARGET_ENCODES = {target_encodes};");
    let colour = match setting.colouring {
        Colouring::Heading => 0,
        Colouring::Speed => 1,
        Colouring::Density => 2,
    };
    let (torus, has_solids) = (u8::from(setting.edges == Edges::Torus), setting.has_solids);
    let _ = writeln!(text, "const TORUS = {torus};\nconst HAS_SOLIDS = {has_solids};\nconst COLOUR = {colour};");
    // The halo of a level counts as the CPU's does: screen/4 is the finest.
    if let Written::Texture(index) = pass.write
        && let Extent::Screen { part, .. } = chain.textures[index].extents[0]
        && let Some(halo) = picture::halo_part(part)
    {
        let _ = writeln!(text, "const HALO: f32 = {halo:?};");
    }
    text
}

/// Checks every shader of a chain without a device; an error names the kernel's file and line.
pub fn check(library: &Library, chain: &Chain) -> Result<(), BadInput> {
    for pass in &chain.passes {
        let text = chain::kernel(library, pass.kernel).unwrap_or_default();
        check_pass(library, chain, pass, &format!("shaders/look/{}.wgsl", pass.kernel), text)?;
    }
    Ok(())
}

/// Checks the file of a kernel, or of what they share, in the place that it has in the built-in chain.
pub fn check_kernel(library: &Library, origin: &str, name: &str, text: &str) -> Result<(), BadInput> {
    let chain = Chain::glow(library)?;
    if SHARED.contains(&name) {
        let shared = library.shader(&format!("look/{name}"));
        // `shine` calls them all but what is seen from around.
        let caller = if name == "depth" { "fish" } else { "shine" };
        let pass = chain.passes.iter().find(|pass| pass.kernel == caller).expect("the chain has these passes");
        let setting = Setting { edges: Edges::Walls, has_solids: true, colouring: Colouring::Speed };
        let others = assemble(library, &chain, pass, library.shader(&format!("look/{caller}")), setting, false);
        return crate::shader::validate_text(origin, text, &format!("{text}\n{}", others.replace(shared, "")));
    }
    let Some(pass) = chain.passes.iter().find(|pass| pass.kernel == name) else {
        let known = chain.passes.iter().map(|pass| pass.kernel).collect::<Vec<_>>().join(", ");
        let problem = format!("no kernel of the look is called {name:?}");
        return Err(BadInput::new(origin, problem, format!("one of {known}")));
    };
    check_pass(library, &chain, pass, origin, text)
}

fn check_pass(library: &Library, chain: &Chain, pass: &Pass, origin: &str, text: &str) -> Result<(), BadInput> {
    for (edges, colouring, other) in [
        (Edges::Torus, Colouring::Heading, false),
        (Edges::Walls, Colouring::Speed, true),
        (Edges::Walls, Colouring::Density, false),
    ] {
        let setting = Setting { edges, has_solids: other, colouring };
        crate::shader::validate_text(origin, text, &assemble(library, chain, pass, text, setting, other))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::library;

    #[test]
    fn every_shader_of_the_look_is_valid() {
        check(library(), &Chain::glow(library()).unwrap()).unwrap_or_else(|wrong| panic!("{wrong}"));
    }

    #[test]
    fn a_mistake_in_a_kernel_has_its_line() {
        let text = chain::kernel(library(), "soften").unwrap().replace("* (1.0 / 16.0)", "* sixteenth");
        let wrong = check_kernel(library(), "mine/soften.wgsl", "soften", &text).unwrap_err();
        let line = text.lines().position(|line| line.contains("sixteenth")).map(|index| index + 1);
        assert_eq!((wrong.origin.as_str(), wrong.line), ("mine/soften.wgsl", line), "{wrong}");
        let text = library().shader("look/places").replace("vec3<i32>(before", "vec4<i32>(before");
        let wrong = check_kernel(library(), "mine/places.wgsl", "places", &text).unwrap_err();
        assert!(wrong.line.is_some(), "{wrong}");
    }
}
