//! A shader under construction, and its bindings.
//!
//! A kernel's own text comes first, and the files that it imports follow. WGSL allows declarations in any order. For
//! each line of its text, the shader knows the file and the number of the line in the file. Bindings are numbered in
//! the order of their declarations, all in group 0. The pipelines are made from the same list of bindings.

use super::preprocessor::{Definitions, Preprocessed, Row, preprocess};
use murmuration_core::chain::table::Model;
use murmuration_core::error::{BadInput, line_of};
use murmuration_core::host::library::Library;
use murmuration_core::individuals::IndividualParameters;
use murmuration_core::individuals::parameters::{INDIVIDUAL_PARAMETERS_WGSL, INDIVIDUAL_PARTS_WGSL};
use murmuration_core::noise::NOISE_NUMBERS_WGSL;
use murmuration_core::numbers::Vector3;
use murmuration_core::world::{Edges, Extents, HUNTER_NUMBERS_WGSL};
use std::fmt::Display;
use std::num::NonZeroU64;
use std::ops::Range;

/// A binding of a shader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    /// The name of the variable.
    pub name: String,
    /// The kind of the resource, and its use by the shader.
    pub kind: BindingKind,
}

/// The kind of a bound resource, and its use by a shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BindingKind {
    /// A uniform at the start of its buffer.
    Uniform,
    /// A uniform with this number of bytes, at the offset of the step in a buffer with the uniforms of several steps.
    Step(NonZeroU64),
    /// A storage buffer.
    Buffer {
        /// Whether the shader may write the buffer.
        is_written: bool,
    },
    /// A texture that is read, by the type of its components: `u32`, `i32` or `f32`.
    Texture(&'static str),
    /// A texture that is written, by its format in WGSL.
    Target(&'static str),
    /// A texture of colours that is read through a sampler.
    Picture,
    /// A sampler for pictures.
    Sampler,
}

/// A file in a shader.
#[derive(Debug, Clone)]
struct File {
    /// The path of the file in `shaders/`, without the extension. A file that replaces a built-in file has the path of
    /// the built-in file.
    path: String,
    /// The origin of the file's text, for error messages.
    origin: String,
    /// The range of bytes of the file's text in the text of the shader.
    range: Range<usize>,
    /// For each line of this range, the number of the line in the file.
    lines: Vec<usize>,
}

/// A shader and its bindings.
#[derive(Debug, Clone, Default)]
pub struct Shader {
    /// The text in WGSL.
    pub source: String,
    /// The bindings, in the order of their numbers.
    pub bindings: Vec<Binding>,
    /// The files, in the order of their texts in `source`. The first file is the kernel's own.
    files: Vec<File>,
    definitions: Definitions,
    /// The error about the first wrong directive in the files.
    mistake: Option<BadInput>,
}

impl Shader {
    /// A shader that begins with a built-in file, by its path in `shaders/` without the extension.
    pub fn new(library: &Library, path: &str, definitions: impl Into<Definitions>) -> Self {
        Self::from_text(library, path, &path_of(path), library.shader(path), definitions.into())
    }

    /// A shader that begins with a text in place of the built-in file at `path`. Errors name the text `origin`. The
    /// text may call everything that the built-in file imports.
    pub fn from_text(library: &Library, path: &str, origin: &str, text: &str, definitions: Definitions) -> Self {
        let mut shader = Self { definitions, ..Self::default() };
        shader.add_file(library, path, origin, text);
        for (_, imported) in shader.preprocessed(path, library.shader(path)).imports {
            shader.import(library, imported);
        }
        shader
    }

    /// Adds a built-in file and the files that it imports, unless the shader has them.
    pub fn import(&mut self, library: &Library, path: &str) {
        if !self.has(path) {
            self.add_file(library, path, &path_of(path), library.shader(path));
        }
    }

    /// Sets a condition for the files that are added after this call, unless the shader has the condition already.
    pub fn define(&mut self, name: &'static str, is_met: bool) {
        if !self.definitions.conditions.iter().any(|(known, _)| *known == name) {
            self.definitions.conditions.push((name, is_met));
        }
    }

    /// Sets a list for the files that are added after this call.
    pub fn list(&mut self, name: &'static str, rows: impl IntoIterator<Item = Row>) {
        self.definitions.row.lists.push((name, rows.into_iter().collect()));
    }

    /// Sets a text with a name for the files that are added after this call.
    pub fn text(&mut self, name: &'static str, text: impl Display) {
        self.definitions.row.texts.push((name, text.to_string()));
    }

    /// Adds the files whose functions all kernels of a model may call in a world with this number of axes.
    pub fn import_shared(&mut self, library: &Library, model: Model, axes: usize) {
        let shared = model.table().shared.iter().filter(|path| axes_of_file(path).is_none_or(|own| own == axes));
        for path in shared {
            self.import(library, stem_of(path));
        }
    }

    /// Whether the shader has a file, by its path in `shaders/` without the extension.
    pub fn has(&self, path: &str) -> bool {
        self.files.iter().any(|file| file.path == path)
    }

    fn add_file(&mut self, library: &Library, path: &str, origin: &str, text: &str) {
        let Preprocessed { text, lines, imports } = self.preprocessed(origin, text);
        let begin = self.source.len();
        self.add(text);
        let range = begin..self.source.len();
        self.files.push(File { path: path.into(), origin: origin.into(), range, lines });
        for (line, imported) in imports {
            if library.text(&path_of(imported)).is_none() {
                let cure = "an import names a file of `shaders/` by its folder and name, such as \"shared/numbers\"";
                let wrong = BadInput::new(origin, format!("no file is called {imported:?}"), cure);
                self.mistake.get_or_insert(wrong.at_line(line));
            } else {
                self.import(library, imported);
            }
        }
    }

    /// A text without its directives. The first wrong directive is kept as the mistake.
    fn preprocessed<'a>(&mut self, origin: &str, text: &'a str) -> Preprocessed<'a> {
        preprocess(origin, text, &self.definitions).unwrap_or_else(|wrong| {
            self.mistake.get_or_insert(wrong);
            Preprocessed { text: text.into(), lines: (1..=text.lines().count()).collect(), imports: Vec::new() }
        })
    }

    /// The shader with another text in place of one of its files. The new text begins the shader.
    pub fn replace_file(&self, library: &Library, path: &str, origin: &str, text: &str) -> Self {
        let mut shader = Self::from_text(library, path, origin, text, self.definitions.clone());
        shader.bindings = self.bindings.clone();
        let mut end = 0;
        for file in &self.files {
            shader.add_between(&self.source[end..file.range.start]);
            if !shader.has(&file.path) {
                let begin = shader.source.len();
                shader.source.push_str(&self.source[file.range.clone()]);
                shader.files.push(File { range: begin..shader.source.len(), ..file.clone() });
            }
            end = file.range.end;
        }
        shader.add_between(&self.source[end..]);
        shader
    }

    fn add_between(&mut self, text: &str) {
        if !text.is_empty() {
            self.add(text);
        }
    }

    /// The text that begins the shader, without its directives.
    pub fn own(&self) -> &str {
        self.files.first().map_or("", |file| &self.source[file.range.clone()])
    }

    /// The file and the line of the text at an offset. `None`: the text is generated.
    pub fn place(&self, offset: usize) -> Option<(&str, usize)> {
        let file = self.files.iter().find(|file| file.range.contains(&offset))?;
        let line = line_of(&self.source[file.range.clone()], offset - file.range.start);
        Some((&file.origin, *file.lines.get(line - 1)?))
    }

    /// For each file: the number of its first line in the shader, its origin, and for each of its lines the number in
    /// the file.
    pub fn files(&self) -> impl Iterator<Item = (usize, &str, &[usize])> {
        self.files.iter().map(|file| (line_of(&self.source, file.range.start), &*file.origin, &*file.lines))
    }

    /// A text of a file without its directives, as the shader contains it.
    pub fn text_of(&self, text: &str) -> String {
        preprocess("", text, &self.definitions).map_or_else(|_| text.into(), |done| done.text)
    }

    /// The origin of the text that begins the shader.
    pub fn origin(&self) -> &str {
        self.files.first().map_or("", |file| &file.origin)
    }

    /// Checks the directives of all files.
    ///
    /// # Errors
    /// If a directive is wrong. The error has its file and line.
    pub fn check_directives(&self) -> Result<(), BadInput> {
        self.mistake.clone().map_or(Ok(()), Err)
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

    /// Declares the parameters of a step, a uniform. `structure`: the declaration of their type in WGSL. `bytes`: their
    /// size. Adds the types of their parts too.
    pub fn parameters(&mut self, structure: &str, bytes: NonZeroU64) {
        self.add(HUNTER_NUMBERS_WGSL);
        self.add(NOISE_NUMBERS_WGSL);
        self.add(structure);
        self.bind("parameters", BindingKind::Step(bytes), format_args!("<uniform> parameters: Parameters"));
    }

    /// Declares the parameters of a step of individuals, and the structures in them.
    pub fn individual_parameters(&mut self) {
        INDIVIDUAL_PARTS_WGSL.into_iter().for_each(|structure| self.add(structure));
        self.parameters(INDIVIDUAL_PARAMETERS_WGSL, IndividualParameters::binding_size().expect("it has numbers"));
    }

    /// Declares a storage buffer.
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

    /// Declares the world for every kernel of a simulation. `ends`: the extents of the world in 1/16 cell on three
    /// axes.
    pub fn world(&mut self, extents: Extents, [x, y, z]: Vector3, edges: Edges) {
        let axes = extents.axes();
        // Individuals of a deep world have a flat lattice. Their shaders define `DEEP` before this call.
        self.define("DEEP", axes == 3);
        self.define("IS_TORUS", edges == Edges::Torus);
        let along_axes = extents.along_axes()[..axes].iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
        self.add(format!("alias Cell = vec{axes}<i32>;\nalias Vector = vec{axes}<i32>;\nalias Vector3 = vec3<i32>;"));
        self.constant("LAST", "i32", axes - 1);
        self.add(format!("const EXTENT = Cell({along_axes});"));
        self.add(format!("const ENDS = Vector3({x}, {y}, {z});"));
        self.add(format!("const TORUS = {};", edges == Edges::Torus));
    }

    /// Adds a compute entry point. The body can use `id`, the global index of the invocation.
    pub fn compute_entry(&mut self, [width, height]: [u32; 2], body: &str) {
        self.add(format!(
            "@compute @workgroup_size({width}, {height})\nfn \
             murmuration_compute(@builtin(global_invocation_id) id: vec3<u32>) {{\n{body}}}"
        ));
    }

    /// Adds the entries of a shader that is invoked for each pixel. The body can use the pixel's `position`, and
    /// returns a value of the type `result`.
    pub fn pixel_entry(&mut self, library: &Library, result: &str, body: &str) {
        self.import(library, "lattice/whole_target");
        self.add(format!(
            "@fragment\nfn murmuration_fragment(@builtin(position) position: vec4<f32>) -> {result} {{\n{body}}}"
        ));
    }
}

/// The path of a file of `shaders/` in the library.
fn path_of(path: &str) -> String {
    format!("shaders/{path}.wgsl")
}

/// The path in `shaders/`, without the extension, of a file of the library.
pub fn stem_of(path: &str) -> &str {
    path.trim_start_matches("shaders/").trim_end_matches(".wgsl")
}

/// The number of axes of the worlds that a file is for. `None`: the file serves flat and deep worlds.
pub(crate) fn axes_of_file(path: &str) -> Option<usize> {
    match path {
        "shaders/shared/transport.wgsl" => Some(2),
        "shaders/shared/deep_transport.wgsl" => Some(3),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::library;

    #[test]
    fn every_line_has_its_file_and_line() {
        let conditions = [
            ("HAS_LIVES", true),
            ("HAS_FOOD", true),
            ("HAS_MEETINGS", false),
            ("HAS_SELECTION", true),
            ("HAS_NOISE", true),
            ("IS_SWEPT", true),
            ("LIMITS_TURNS", true),
            ("DEEP", true),
        ];
        let row = Row::default().with("RULES", []).with("WORLD_RULES", []);
        let definitions = Definitions { row, ..conditions.into() };
        let mut shader = Shader::new(library(), "individuals/steer_grid", definitions);
        assert_eq!(shader.check_directives(), Ok(()));
        shader.add("fn generated() {}");
        let mut files = std::collections::BTreeSet::new();
        let mut at = 0;
        for line in shader.source.split_inclusive('\n') {
            let Some((origin, number)) = shader.place(at) else { break };
            let in_file = library().text(origin).unwrap().lines().nth(number - 1).unwrap();
            assert!(line.trim_end() == in_file || line.trim().is_empty(), "{origin}:{number}: {line}");
            files.insert(origin.to_string());
            at += line.len();
        }
        assert!(shader.source[at..].starts_with("fn generated"));
        // The shader has a file that its own file imports, a file that this file imports, and a file that a condition
        // adds. Each file is there once.
        assert!(["lives/lives", "food/food_cells", "terrain/sweep"].iter().all(|path| shader.has(path)));
        assert_eq!(files.len(), shader.files.len());
    }

    #[test]
    fn a_wrong_import_names_file_and_line() {
        let text = "// Mine.\n#import \"individuals/nothing\"\nfn feed() {}\n";
        let shader = Shader::from_text(library(), "species/feed", "mine/feed.wgsl", text, Definitions::default());
        let wrong = shader.check_directives().unwrap_err();
        assert_eq!((wrong.origin.as_str(), wrong.line), ("mine/feed.wgsl", Some(2)), "{wrong}");
        // The text may call everything that the built-in file imports.
        assert!(shader.has("species/predation"));
    }

    #[test]
    fn a_text_in_the_place_of_a_file_comes_first() {
        let shader = Shader::new(library(), "falcons/see_cells", []);
        let text = "// One line more.\nfn mine() {}\n";
        let changed = shader.replace_file(library(), "falcons/add", "mine/add.wgsl", text);
        assert_eq!(changed.own(), text);
        assert_eq!(changed.place(text.find("fn mine").unwrap()), Some(("mine/add.wgsl", 2)));
        let own = changed.source.find("fn see_cells").unwrap();
        let before = shader.source.find("fn see_cells").unwrap();
        assert_eq!(changed.place(own), shader.place(before));
        assert!(!changed.source.contains("fn add_to_sight"));
    }
}
