//! Checks of kernels without a device. naga parses and validates the whole shader. A user's kernel also has to follow
//! the rules that keep its swarm the same on every engine. Every fault has the line of the kernel's file.

mod access;
mod loops;
mod messages;
mod operators;
mod replacement;

pub use replacement::{Replacement, validate_replacement};

use super::lattice::{deep_path, fields, result, write_shader};
use super::{Shader, ShaderConfig};
use access::Permissions;
use murmuration_core::cells::sight::Sight;
use murmuration_core::cells::sights::LOOKING;
use murmuration_core::chain::Kernel;
use murmuration_core::chain::names::{self, texel_of_another};
use murmuration_core::chain::plan::{Plan, PlannedPass};
use murmuration_core::chain::table::{FieldKind, Model, Parameter};
use murmuration_core::engine::Dispatch;
use murmuration_core::error::BadInput;
use murmuration_core::host::library::Library;
use murmuration_core::state::fields::Texel;
use murmuration_core::world::{Edges, Extents};
use naga::front::wgsl::{Frontend, Options};
use naga::valid::{Capabilities, FunctionInfo, ModuleInfo, ValidationFlags, Validator};
use naga::{Block, Constant, EntryPoint, Expression, Function, Handle, Module, Span, Statement};
use parking_lot::Mutex;
use std::collections::BTreeSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

/// The maximum length of a user's kernel, in bytes.
const MAX_KERNEL_BYTES: usize = 1 << 14;

/// Both ways to run a pass. Every kernel has to run in both.
pub(crate) const BOTH: [Dispatch; 2] = [Dispatch::Compute { workgroup: [8, 8] }, Dispatch::Fragment];

/// The extents for which a single file is checked, of a flat and of a deep world.
pub(crate) const SOME_EXTENTS: [Extents; 2] = [Extents::flat(64, 64), Extents::deep(16, 16, 16)];

/// The maximum depth to which an expression's value is followed. Each level may double the work.
const DEEPEST: u32 = 12;

/// The generated functions of a sight that a kernel may call.
const SIGHT: [&str; 4] = ["sight", "sight_count", "sight_reach", "pull"];
/// The functions that convert between the axes of the world and three axes.
const OF_AXES: [&str; 2] = ["place_of", "on_axes"];

/// A fault in a shader.
#[derive(Debug)]
pub struct Fault {
    span: Span,
    problem: String,
    cure: String,
}

impl Fault {
    fn new(span: Span, problem: impl Into<String>, cure: impl Into<String>) -> Self {
        Self { span, problem: problem.into(), cure: cure.into() }
    }

    /// The fault as a message about the file that begins the shader. For a fault in another file, the message names
    /// this file and the place in it.
    fn about(self, shader: &Shader) -> BadInput {
        let origin = shader.origin();
        match self.span.to_range().and_then(|range| shader.place(range.start)) {
            Some((file, line)) if file == origin => BadInput::new(origin, self.problem, self.cure).at_line(line),
            Some((file, line)) => BadInput::new(origin, format!("{file}:{line}: {}", self.problem), self.cure),
            None => BadInput::new(origin, self.problem, self.cure),
        }
    }
}

/// A parsed shader that begins with a kernel's own text.
#[derive(Clone, Copy)]
struct Source<'a> {
    module: &'a Module,
    /// The kernel's text.
    own: &'a str,
    /// The text of the built-in kernel that this kernel replaces, some of whose functions it may keep. Empty: all
    /// functions are checked against the rules.
    replaced: &'a str,
}

/// The index of a function of a module, or the number of an entry point.
#[derive(Clone, Copy)]
enum FunctionIndex {
    Function(Handle<Function>),
    EntryPoint(usize),
}

/// A function of a shader.
struct WgslFunction<'a> {
    index: FunctionIndex,
    function: &'a Function,
    /// The place of the function.
    span: Span,
}

impl WgslFunction<'_> {
    /// The place of an expression.
    fn span_of(&self, expression: Handle<Expression>) -> Span {
        let span = self.function.expressions.get_span(expression);
        if span.is_defined() { span } else { self.span }
    }

    /// The function's handle. `None`: it is an entry point.
    fn handle(&self) -> Option<Handle<Function>> {
        match self.index {
            FunctionIndex::Function(handle) => Some(handle),
            FunctionIndex::EntryPoint(_) => None,
        }
    }

    /// The validator's information about the function.
    fn info<'i>(&self, info: &'i ModuleInfo) -> &'i FunctionInfo {
        match self.index {
            FunctionIndex::Function(handle) => &info[handle],
            FunctionIndex::EntryPoint(index) => info.get_entry_point(index),
        }
    }

    fn name(&self) -> &str {
        self.function.name.as_deref().unwrap_or("?")
    }
}

impl<'a> Source<'a> {
    fn is_own(self, span: Span) -> bool {
        span.to_range().is_some_and(|range| range.start < self.own.len())
    }

    /// The functions of the shader, each after the functions that it calls, then the kernel's entry points.
    fn all_functions(self) -> impl Iterator<Item = WgslFunction<'a>> {
        let functions = self.module.functions.iter().map(move |(handle, function)| {
            let span = self.module.functions.get_span(handle);
            WgslFunction { index: FunctionIndex::Function(handle), function, span }
        });
        let entries = self.entry_points().map(|(index, span, entry)| WgslFunction {
            index: FunctionIndex::EntryPoint(index),
            function: &entry.function,
            span,
        });
        functions.chain(entries)
    }

    /// The kernel's own functions, each after the functions that it calls, then its entry points.
    fn functions(self) -> impl Iterator<Item = WgslFunction<'a>> {
        self.all_functions().filter(move |function| function.handle().is_none() || self.is_own(function.span))
    }

    /// The entry points that the kernel declares itself, with their numbers and the places of their names.
    fn entry_points(self) -> impl Iterator<Item = (usize, Span, &'a EntryPoint)> {
        let entries = self.module.entry_points.iter().enumerate();
        entries.filter_map(move |(index, entry)| Some((index, span_of_name(declared(self.own, &entry.name)?), entry)))
    }

    /// Whether the text of a function is equal to that of a function in the built-in kernel that the kernel replaces.
    fn is_built_in(self, function: &str) -> bool {
        let text = declared(self.own, function).and_then(|(at, _)| self.own[at..].split_inclusive("\n}").next());
        text.is_some_and(|text| text.ends_with("\n}") && self.replaced.contains(&format!("fn {text}")))
    }

    fn number(self, constant: Handle<Constant>) -> Option<i64> {
        literal(&self.module.global_expressions[self.module.constants[constant].init])
    }

    /// The value that `sight_count` or `sight_reach` returns.
    fn sight_number(self, function: Handle<Function>) -> Option<i64> {
        let is_own = self.is_own(self.module.functions.get_span(function));
        let function = &self.module.functions[function];
        let is_known = !is_own && matches!(function.name.as_deref(), Some("sight_count" | "sight_reach"));
        match function.body.last() {
            Some(Statement::Return { value: Some(value) }) if is_known => literal(&function.expressions[*value]),
            _ => None,
        }
    }
}

fn blocks(statement: &Statement) -> Vec<&Block> {
    match statement {
        Statement::Block(block) => vec![block],
        Statement::If { accept, reject, .. } => vec![accept, reject],
        Statement::Switch { cases, .. } => cases.iter().map(|case| &case.body).collect(),
        Statement::Loop { body, continuing, .. } => vec![body, continuing],
        _ => Vec::new(),
    }
}

/// The statements of a block and of its inner blocks, each with its place.
fn statements(block: &Block) -> Vec<(&Statement, Span)> {
    let within = block.span_iter().flat_map(|(statement, span)| {
        let inner = blocks(statement).into_iter().flat_map(statements);
        std::iter::once((statement, *span)).chain(inner)
    });
    within.collect()
}

fn literal(expression: &Expression) -> Option<i64> {
    match expression {
        Expression::Literal(naga::Literal::I32(value)) => Some(i64::from(*value)),
        Expression::Literal(naga::Literal::U32(value)) => Some(i64::from(*value)),
        Expression::ZeroValue(_) => Some(0),
        _ => None,
    }
}

/// Checks the shader of a pass, for both dispatches.
///
/// # Errors
/// If the kernel is not valid. The error has its file and line.
pub fn check(plan: &Plan, pass: &PlannedPass, config: ShaderConfig<'_>) -> Result<(), BadInput> {
    let [read, write] = fields(plan, pass);
    check_fields(&plan.kernels[pass.kernel], &read, &write, &pass.sights_of_fields(config.sights), config)
}

/// Checks the file of a single kernel. A built-in kernel is checked with its fields, for the worlds that it is written
/// for. Any other kernel is checked as a rule that reads the state and may use a sight, for a flat world or else for a
/// deep one.
///
/// # Errors
/// As for [`check`].
pub fn check_kernel(library: &Library, origin: &str, name: &str, text: &str) -> Result<(), BadInput> {
    let table = Model::Cell.table();
    let is_deep = library.text(&deep_path(name)) == Some(text);
    let is_built_in = is_deep || library.text(&table.path(name)) == Some(text);
    let signature = table.kernel(name).filter(|_| is_built_in);
    let kernel = Kernel { name: name.into(), origin: origin.into(), text: text.into(), signature, is_built_in };
    match signature {
        Some(_) if is_deep => check_alone(library, &kernel, SOME_EXTENTS[1], check_fields),
        Some(signature) => {
            let mut worlds = SOME_EXTENTS.into_iter().filter(|world| signature.axes.contains(&world.axes()));
            worlds.try_for_each(|world| check_alone(library, &kernel, world, check_fields))
        }
        None => check_rule(library, &kernel),
    }
}

/// Checks a rule that names no world. It may be a rule of a flat or of a deep world. If both checks fail, the fault is
/// reported for the world that the rule seems to be written for. This is the only world in which its text is valid
/// WGSL, or else the world in which the fault is farther down in the text. In the other world a third component, or the
/// lack of it, is a fault itself.
fn check_rule(library: &Library, kernel: &Kernel) -> Result<(), BadInput> {
    let [flat, deep] = SOME_EXTENTS;
    let Err(wrong) = check_alone(library, kernel, flat, check_fields) else { return Ok(()) };
    let Err(wrong_deep) = check_alone(library, kernel, deep, check_fields) else { return Ok(()) };
    let is_wgsl = |extents| check_alone(library, kernel, extents, check_wgsl).is_ok();
    let is_deep = (is_wgsl(deep), wrong_deep.line) > (is_wgsl(flat), wrong.line);
    Err(if is_deep { wrong_deep } else { wrong })
}

/// A check of a kernel with its fields and sights.
type FieldCheck =
    fn(&Kernel, &[(&str, Texel)], &[(&str, Texel)], &[Option<&Sight>], ShaderConfig<'_>) -> Result<(), BadInput>;

/// Checks the file of a single kernel in a world with these extents.
fn check_alone(library: &Library, kernel: &Kernel, extents: Extents, check: FieldCheck) -> Result<(), BadInput> {
    let texels = |parameters: &'static [Parameter]| -> Vec<(&str, Texel)> {
        let texel = |parameter: &'static Parameter| match parameter.kind {
            FieldKind::Texel(texel) => Some((parameter.name, texel)),
            _ => None,
        };
        parameters.iter().filter_map(texel).collect()
    };
    let (read, write) = match kernel.signature {
        Some(signature) => (texels(signature.read), texels(signature.write)),
        None => {
            let own = [("density", Texel::Amount), ("capacity", Texel::Amount), ("control", Texel::Velocity)];
            let taken = names::taken(library, Model::Cell);
            let free = names::used(&kernel.text).into_iter().filter(|name| !taken.contains(name));
            let of_another = free.filter_map(|name| Some((name, texel_of_another(name)?)));
            (own.into_iter().chain(of_another).collect(), vec![(kernel.name.as_str(), Texel::Vector)])
        }
    };
    let sight = if extents.depth.is_some() { Sight::cube(1) } else { Sight::square(1) };
    let sight = sight.expect("a sight of one cell around is valid");
    let looking = kernel.signature.map_or(1, |signature| signature.rules.len().clamp(1, LOOKING));
    let config = ShaderConfig { dispatch: BOTH[0], ..ShaderConfig::plain(library, extents, Edges::Torus) };
    check(kernel, &read, &write, &vec![Some(&sight); looking], config)
}

/// Checks only that the shader of a kernel with its fields and sights is valid WGSL.
fn check_wgsl(
    kernel: &Kernel,
    read: &[(&str, Texel)],
    write: &[(&str, Texel)],
    sights: &[Option<&Sight>],
    config: ShaderConfig<'_>,
) -> Result<(), BadInput> {
    check_form(kernel)?;
    validate_text(&write_shader(kernel, read, write, sights, config))
}

/// Checks a kernel with its fields and sights, for both dispatches.
fn check_fields(
    kernel: &Kernel,
    read: &[(&str, Texel)],
    write: &[(&str, Texel)],
    sights: &[Option<&Sight>],
    config: ShaderConfig<'_>,
) -> Result<(), BadInput> {
    check_form(kernel)?;
    BOTH.into_iter().try_for_each(|dispatch| {
        let shader = write_shader(kernel, read, write, sights, ShaderConfig { dispatch, ..config });
        check_shader(&config.library, kernel, [read, write], &shader)
    })
}

/// Whether a text declares a kernel of the cells with this name: a function of a cell.
pub fn is_cell_kernel(text: &str, name: &str) -> bool {
    matches!(names::header(text, name)[..], [_, "(", _, ":", "Cell", ..])
}

/// Whether a text declares a kernel of the look with this name that fills pixels: a function that maps the place of a
/// pixel to a colour.
pub fn is_pixel_kernel(text: &str, name: &str) -> bool {
    // Each type may be written in full or by its alias, and a comma may follow the last parameter.
    match names::header(text, name).concat().strip_prefix(name).and_then(|rest| rest.split_once(':')) {
        Some((_, types)) => {
            let types = types.replace(",)", ")").replace("vec2<i32>", "vec2i").replace("vec4<f32>", "vec4f");
            types == "vec2i)->vec4f"
        }
        None => false,
    }
}

/// Parses and validates a shader that begins with the text of a file.
///
/// # Errors
/// If the shader is not valid. A fault in the file's text has its line.
pub fn validate_text(shader: &Shader) -> Result<(), BadInput> {
    shader.check_directives()?;
    once(shader, || {
        let (source, own) = (&shader.source, shader.own().len());
        let checked = parse(source, own).and_then(|module| validate(&module, source, own));
        checked.map(drop).map_err(|fault| fault.about(shader))
    })
}

/// Checks a shader, unless an equal shader was found valid before. A new engine has the shaders of the engine before
/// it.
fn once(shader: &Shader, check: impl FnOnce() -> Result<(), BadInput>) -> Result<(), BadInput> {
    static SOUND: Mutex<BTreeSet<u64>> = Mutex::new(BTreeSet::new());
    let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one((&shader.source, shader.own().len()));
    if SOUND.lock().contains(&hash) {
        return Ok(());
    }
    check()?;
    SOUND.lock().insert(hash);
    Ok(())
}

/// Validates the shader of a kernel of the individuals or of the look, as [`validate_text`] does, and checks a user's
/// kernel against the rules. For a kernel of the individuals these are the rules of [`validate_replacement`], for a
/// kernel of the look the rules for loops and shifts. A function that is equal to one of the built-in kernel may keep
/// its loops and shifts.
///
/// # Errors
/// As for [`validate_text`], or if a user's kernel breaks a rule.
pub fn validate_kernel(library: &Library, model: Model, kernel: &Kernel, shader: &Shader) -> Result<(), BadInput> {
    let replaced = library.text(&model.table().path(&kernel.name)).unwrap_or_default();
    if model == Model::Individuals && !kernel.is_built_in {
        return validate_replacement(Replacement { replaced, kernel: kernel.signature }, shader);
    }
    validate_text(shader)?;
    let replaced = &shader.text_of(replaced);
    if kernel.is_built_in || shader.own() == replaced {
        return Ok(());
    }
    let checked = parse(&shader.source, shader.own().len()).and_then(|module| {
        let source = Source { module: &module, own: shader.own(), replaced };
        access::check_shifts(source)?;
        loops::check(source)
    });
    checked.map_err(|fault| fault.about(shader))
}

/// Checks that naga, which is recursive, can parse a user's text of this length.
fn check_length(origin: &str, text: &str) -> Result<(), BadInput> {
    if text.len() <= MAX_KERNEL_BYTES {
        return Ok(());
    }
    let cure = format!("at most {MAX_KERNEL_BYTES}: make it several passes");
    Err(BadInput::new(origin, format!("a kernel of {} bytes", text.len()), cure))
}

/// Checks that a kernel has the function that it is named after, and is not too long.
fn check_form(kernel: &Kernel) -> Result<(), BadInput> {
    if !kernel.is_built_in {
        check_length(&kernel.origin, &kernel.text)?;
    }
    if declared(&kernel.text, &kernel.name).is_none() {
        let problem = format!("the file has no function `{}`", kernel.name);
        let cure = format!("write fn {}(cell: Cell) -> Vector, or name the file after the function", kernel.name);
        return Err(BadInput::new(&kernel.origin, problem, cure));
    }
    Ok(())
}

/// Checks a whole shader around a kernel that reads and writes these fields.
fn check_shader(
    library: &Library,
    kernel: &Kernel,
    [read, write]: [&[(&str, Texel)]; 2],
    shader: &Shader,
) -> Result<(), BadInput> {
    // The tests of built-in kernels compare them with the CPU's, so the rules are not checked here.
    if kernel.is_built_in {
        return validate_text(shader);
    }
    shader.check_directives()?;
    let (text, own, whole) = (shader.own(), shader.own().len(), &shader.source);
    let checked = || -> Result<(), Fault> {
        check_names(library, kernel, text, &whole[own..])?;
        let module = parse(whole, own)?;
        let source = Source { module: &module, own: text, replaced: "" };
        check_access(library, source, read)?;
        access::check_shifts(source)?;
        loops::check(source)?;
        let info = validate(&module, whole, own)?;
        let cure = "use integers: a rule's vector is in 1/1024, a control vector in 1/16384";
        refuse_floats(source, &info, cure)
    };
    let wrong = match checked() {
        Ok(()) => return Ok(()),
        Err(fault) => fault.about(shader),
    };
    if wrong.line.is_some() {
        return Err(wrong);
    }
    // The kernel itself is valid, but its function has another form than the generated part calls.
    let problem = format!("`{}` does not fit what the chain has it write", kernel.name);
    let cure = format!("its form is fn {}(cell: Cell) -> {}", kernel.name, result(write));
    let span = declared(text, &kernel.name).map_or(Span::UNDEFINED, span_of_name);
    Err(Fault::new(span, problem, cure).about(shader))
}

/// Checks that a user's kernel of the cells has no entry point, and uses only its fields, its sight and the shared
/// files.
fn check_access(library: &Library, source: Source<'_>, read: &[(&str, Texel)]) -> Result<(), Fault> {
    if let Some((_, span, _)) = source.entry_points().next() {
        let cure = "take the attribute away: the entry points are generated";
        return Err(Fault::new(span, "an entry point of its own", cure));
    }
    let shared = Model::Cell.table().shared.iter().filter_map(|path| library.text(path));
    let is_shared = |name: &str| shared.clone().any(|text| declared(text, name).is_some());
    let is_read = |name: &str| read.iter().any(|(field, _)| *field == name);
    let permissions = Permissions {
        calls: &|name| is_read(name) || SIGHT.contains(&name) || OF_AXES.contains(&name) || is_shared(name),
        variables: &|_| false,
        has_workgroups: false,
        cure: "a kernel returns what its own cell becomes, and uses `parameters`, the fields that its pass reads, \
               its sight and the functions of shaders/shared/",
    };
    access::check(source, &permissions)
}

/// A declaration of a name in a text, with its offset.
fn declared<'a>(text: &'a str, name: &str) -> Option<(usize, &'a str)> {
    names::declared(text).into_iter().find(|(_, known)| *known == name)
}

/// The place of a declared name.
fn span_of_name((at, name): (usize, &str)) -> Span {
    Span::from(at..at + name.len())
}

/// Checks that a user's kernel declares no name that the rest of the shader uses.
fn check_names(library: &Library, kernel: &Kernel, text: &str, rest: &str) -> Result<(), Fault> {
    let (used, taken) = (names::used(rest), names::taken(library, Model::Cell));
    let is_used = |name: &str| if name == kernel.name { &taken } else { &used }.contains(name);
    match names::declared(text).into_iter().find(|(_, name)| is_used(name)) {
        Some(name) => Err(Fault::new(span_of_name(name), format!("the name `{}` is taken", name.1), "choose another")),
        None => Ok(()),
    }
}

fn parse(shader: &str, own: usize) -> Result<Module, Fault> {
    operators::check(shader)?;
    // No language extension is allowed, because a device that lacks it would refuse the shader later.
    let options = Options { capabilities: Capabilities::empty(), ..Options::new() };
    Frontend::new_with_options(options).parse(shader).map_err(|error| messages::of_parsing(&error, shader, own))
}

fn validate(module: &Module, shader: &str, own: usize) -> Result<ModuleInfo, Fault> {
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    validator.validate(module).map_err(|error| messages::of_validation(&error, module, shader, own))
}

/// Refuses floats, except in the built-in exact helpers, which correct their estimates.
fn refuse_floats(source: Source<'_>, info: &ModuleInfo, cure: &str) -> Result<(), Fault> {
    for own in source.functions() {
        let known = own.info(info);
        for (expression, _) in own.function.expressions.iter() {
            let kind = known[expression].ty.inner_with(&source.module.types).scalar_kind();
            if kind != Some(naga::ScalarKind::Float) {
                continue;
            }
            let span = own.span_of(expression);
            let written = span.to_range().and_then(|range| source.own.get(range)).unwrap_or_default();
            // An integer that fits no integer type becomes a float.
            if !written.is_empty() && written.bytes().all(|byte| byte.is_ascii_digit()) {
                let cure = "numbers are i32 or u32: at most 2147483647, or 4294967295 with a `u` after it";
                return Err(Fault::new(span, format!("{written} does not fit in 32 bits"), cure));
            }
            return Err(Fault::new(span, "a float, which no two GPUs need round alike", cure));
        }
    }
    Ok(())
}
