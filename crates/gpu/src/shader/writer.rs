//! A shader while it is put together, and what it binds.
//!
//! A kernel's own text comes first, so that lines in messages are its own; WGSL lets declarations stand in any order.
//! Bindings are numbered in the order in which they are declared, all in group 0, and the pipelines are made from the same
//! list.

use crate::numbers::Vector3;
use crate::world::{Edges, Extents};
use murmuration_core::individuals::IndividualParameters;
use murmuration_core::individuals::parameters::INDIVIDUAL_PARAMETERS_WGSL;
use murmuration_core::lives::numbers::LIFE_RULES_WGSL;
use murmuration_core::species::numbers::{MEETING_NUMBERS_WGSL, SPECIES_NUMBERS_WGSL};
use murmuration_core::world::HUNTER_NUMBERS_WGSL;
use std::fmt::Display;
use std::num::NonZeroU64;

/// The vertex stage of a shader that is invoked for each pixel of its target.
const WHOLE_TARGET: &str = "\
@vertex
fn murmuration_vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {
    // One triangle that covers the whole target.
    return vec4<f32>(select(-1.0, 3.0, i == 1u), select(-1.0, 3.0, i == 2u), 0.0, 1.0);
}";

/// Something that a shader binds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    /// The name of the variable.
    pub name: String,
    pub kind: BindingKind,
}

/// What a binding binds, and how a shader may use it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BindingKind {
    Uniform,
    /// A uniform of so many bytes at the offset of the step in a buffer of several.
    Step(NonZeroU64),
    Buffer {
        is_written: bool,
    },
    /// A texture that is read, by the type of its components: `u32`, `i32` or `f32`.
    Texture(&'static str),
    /// A texture that is written, by its format in WGSL.
    Target(&'static str),
    /// A texture of colours that is read through a sampler.
    Picture,
    Sampler,
}

/// A shader, and what it binds.
#[derive(Debug, Clone)]
pub struct Shader {
    pub source: String,
    /// By number.
    pub bindings: Vec<Binding>,
}

impl Shader {
    /// A shader that begins with a kernel's own text.
    pub fn new(text: &str) -> Self {
        let mut shader = Self { source: String::new(), bindings: Vec::new() };
        shader.add(text);
        shader
    }

    /// Adds text, and ends its last line.
    pub fn add(&mut self, text: impl AsRef<str>) {
        self.source.push_str(text.as_ref());
        if !self.source.ends_with('\n') {
            self.source.push('\n');
        }
    }

    /// Adds a constant of a type of WGSL.
    pub fn constant(&mut self, name: &str, kind: &str, value: impl Display) {
        self.add(format!("const {name}: {kind} = {value};"));
    }

    /// Declares a uniform.
    pub fn uniform(&mut self, name: &str, kind: impl Display) {
        self.bind(name, BindingKind::Uniform, format_args!("<uniform> {name}: {kind}"));
    }

    /// Declares the parameters of the step, a structure of so many bytes whose WGSL is given, and the hunters in them.
    pub fn parameters(&mut self, structure: &str, bytes: NonZeroU64) {
        self.add(HUNTER_NUMBERS_WGSL);
        self.add(structure);
        self.bind("parameters", BindingKind::Step(bytes), format_args!("<uniform> parameters: Parameters"));
    }

    /// Declares the parameters of a step of individuals, and the structures in them.
    pub fn individual_parameters(&mut self) {
        for structure in [LIFE_RULES_WGSL, MEETING_NUMBERS_WGSL, SPECIES_NUMBERS_WGSL] {
            self.add(structure);
        }
        self.parameters(INDIVIDUAL_PARAMETERS_WGSL, IndividualParameters::binding_size().expect("it has numbers"));
    }

    /// Declares a buffer.
    pub fn buffer(&mut self, name: &str, kind: impl Display, is_written: bool) {
        let access = if is_written { "read_write" } else { "read" };
        self.bind(name, BindingKind::Buffer { is_written }, format_args!("<storage, {access}> {name}: {kind}"));
    }

    /// Declares a texture that is read.
    pub fn texture(&mut self, name: &str, component: &'static str) {
        self.bind(name, BindingKind::Texture(component), format_args!(" {name}: texture_2d<{component}>"));
    }

    /// Declares a texture that is written.
    pub fn target(&mut self, name: &str, format: &'static str) {
        let kind = format_args!(" {name}: texture_storage_2d<{format}, write>");
        self.bind(name, BindingKind::Target(format), kind);
    }

    /// Declares a picture that is read through a sampler.
    pub fn picture(&mut self, name: &str) {
        self.bind(name, BindingKind::Picture, format_args!(" {name}: texture_2d<f32>"));
    }

    /// Declares a sampler.
    pub fn sampler(&mut self, name: &str) {
        self.bind(name, BindingKind::Sampler, format_args!(" {name}: sampler"));
    }

    fn bind(&mut self, name: &str, kind: BindingKind, variable: impl Display) {
        let number = self.bindings.len();
        self.bindings.push(Binding { name: name.to_string(), kind });
        self.add(format!("@group(0) @binding({number}) var{variable};"));
    }

    /// Declares the world that every kernel of a simulation knows; `ends`: its extents in 1/16 cell on three axes.
    pub fn world(&mut self, extents: Extents, [x, y, z]: Vector3, edges: Edges) {
        let axes = extents.axes();
        let along_axes = extents.along_axes()[..axes].iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
        self.add(format!("alias Cell = vec{axes}<i32>;\nalias Vector = vec{axes}<i32>;\nalias Vector3 = vec3<i32>;"));
        self.constant("LAST", "i32", axes - 1);
        self.add(format!("const EXTENT = Cell({along_axes});"));
        self.add(format!("const ENDS = Vector3({x}, {y}, {z});"));
        self.add(format!("const TORUS = {};", edges == Edges::Torus));
    }

    /// Adds a compute entry with a body that knows its `id`.
    pub fn compute_entry(&mut self, [width, height]: [u32; 2], body: &str) {
        self.add(format!(
            "@compute @workgroup_size({width}, {height})\n\
             fn murmuration_compute(@builtin(global_invocation_id) id: vec3<u32>) {{\n{body}}}"
        ));
    }

    /// Adds the entries of a shader that is invoked for each pixel, with a body that knows the pixel's `position` and
    /// returns a value of the type `result`.
    pub fn pixel_entry(&mut self, result: &str, body: &str) {
        self.add(WHOLE_TARGET);
        self.add(format!(
            "@fragment\nfn murmuration_fragment(@builtin(position) position: vec4<f32>) -> {result} {{\n{body}}}"
        ));
    }
}
