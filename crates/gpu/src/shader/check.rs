//! Checks of kernels without a device: naga parses and validates the whole shader, and a user's kernel is held to what keeps
//! its swarm the same on every engine. Every fault has the line of the kernel's file.

mod access;
mod loops;
mod messages;

use super::lattice::{assemble_shared, write_shader};
use super::{ShaderConfig, SumAxis, assemble, assemble_boxes, assemble_caught, assemble_ledger};
use crate::chain::Kernel;
use crate::chain::names::{self, is_taken};
use crate::chain::plan::{Plan, PlannedPass};
use crate::chain::table::{FieldKind, Model, Parameter};
use crate::engine::Dispatch;
use crate::error::{BadInput, line_of};
use crate::fields::Texel;
use crate::kernels::sights::LOOKING;
use crate::library::Library;
use crate::sight::Sight;
use crate::world::{Edges, Extents};
use naga::front::wgsl::{Frontend, Options};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{Constant, Expression, Function, Handle, Module, Span};
use std::collections::BTreeMap;

/// The longest kernel of a user's, in bytes.
const LONGEST_KERNEL: usize = 1 << 14;

/// Both ways to run a pass. A kernel has to run by both.
const BOTH: [Dispatch; 2] = [Dispatch::Compute { workgroup: [8, 8] }, Dispatch::Fragment];

/// How deep an expression is followed to find its value: each level may double the work.
const DEEPEST: u32 = 12;

/// The generated functions of a sight, which a kernel may call.
const SIGHT: [&str; 4] = ["sight", "sight_count", "sight_reach", "pull"];

/// Something in a shader that is wrong.
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

    /// The same as a message about a file, whose text comes first in the shader. Beyond it there is no line to name.
    fn about(self, origin: &str, text: &str) -> BadInput {
        let wrong = BadInput::new(origin, self.problem, self.cure);
        match self.span.to_range().filter(|range| range.start < text.len()) {
            Some(range) => wrong.at_line(line_of(text, range.start)),
            None => wrong,
        }
    }
}

/// A parsed shader that begins with a kernel's own text.
#[derive(Clone, Copy)]
struct Source<'a> {
    module: &'a Module,
    /// The bytes of the kernel's text.
    own: usize,
}

impl<'a> Source<'a> {
    fn is_own(self, span: Span) -> bool {
        span.to_range().is_some_and(|range| range.start < self.own)
    }

    /// The kernel's own functions, each after those that it calls.
    fn functions(self) -> impl Iterator<Item = (Handle<Function>, &'a Function)> {
        let functions = &self.module.functions;
        functions.iter().filter(move |(handle, _)| self.is_own(functions.get_span(*handle)))
    }

    /// Where an expression of a function stands.
    fn span_of(self, handle: Handle<Function>, function: &Function, expression: Handle<Expression>) -> Span {
        let span = function.expressions.get_span(expression);
        if span.is_defined() { span } else { self.module.functions.get_span(handle) }
    }

    /// The value of an integer constant.
    fn number(self, constant: Handle<Constant>) -> Option<i64> {
        literal(&self.module.global_expressions[self.module.constants[constant].init])
    }

    /// What `sight_count` and `sight_reach` return.
    fn sight_number(self, function: Handle<Function>) -> Option<i64> {
        let function = &self.module.functions[function];
        let is_known = function.name.as_deref().is_some_and(|name| ["sight_count", "sight_reach"].contains(&name));
        match function.body.last() {
            Some(naga::Statement::Return { value: Some(value) }) if is_known => literal(&function.expressions[*value]),
            _ => None,
        }
    }
}

/// The value of a literal integer.
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
/// Where the kernel is not sound, with its file and line.
pub fn check(plan: &Plan, pass: &PlannedPass, config: ShaderConfig<'_>) -> Result<(), BadInput> {
    let field = |slot: &crate::chain::plan::Slot| &plan.fields[slot.field];
    let read: Vec<_> = pass.read.iter().map(|slot| field(slot).name.as_str()).collect();
    let write: Vec<_> = pass.write.iter().map(|slot| field(slot).texel).collect();
    let kernel = &plan.kernels[pass.kernel];
    check_form(kernel)?;
    BOTH.into_iter().try_for_each(|dispatch| {
        check_shader(
            &config.library,
            kernel,
            &read,
            &write,
            &assemble(plan, pass, ShaderConfig { dispatch, ..config }).source,
        )
    })
}

/// Checks a kernel's file on its own: a built-in one with its fields, any other as a rule that reads the state and may look
/// through a sight.
///
/// # Errors
/// As [`check`].
pub fn check_kernel(library: &Library, origin: &str, name: &str, text: &str) -> Result<(), BadInput> {
    let table = Model::Cell.table();
    let is_built_in = library.text(&table.path(name)) == Some(text);
    let signature = table.kernel(name).filter(|_| is_built_in);
    let (name, origin, text) = (name.to_string(), origin.to_string(), text.to_string());
    let kernel = Kernel { name, origin, text, signature, is_built_in };
    let texels = |parameters: &'static [Parameter]| -> Vec<(&str, Texel)> {
        let texel = |parameter: &'static Parameter| match parameter.kind {
            FieldKind::Texel(texel) => Some((parameter.name, texel)),
            _ => None,
        };
        parameters.iter().filter_map(texel).collect()
    };
    let (read, write) = match signature {
        Some(signature) => (texels(signature.read), texels(signature.write)),
        None => (
            vec![("density", Texel::Amount), ("capacity", Texel::Amount), ("control", Texel::Velocity)],
            vec![(kernel.name.as_str(), Texel::Vector)],
        ),
    };
    check_form(&kernel)?;
    let sight = Sight::square(1).expect("a sight of one cell around is valid");
    let looking = signature.map_or(1, |signature| signature.rules.len().clamp(1, LOOKING));
    let names: Vec<_> = read.iter().map(|(name, _)| *name).collect();
    let texels: Vec<_> = write.iter().map(|(_, texel)| *texel).collect();
    for dispatch in BOTH {
        let extents = Extents { width: 64, height: 64 };
        let config = ShaderConfig {
            library: *library,
            extents,
            edges: Edges::Torus,
            sights: &BTreeMap::new(),
            dispatch,
            capacity: None,
        };
        let shader = write_shader(&kernel, &read, &write, &vec![Some(&sight); looking], config);
        check_shader(library, &kernel, &names, &texels, &shader.source)?;
    }
    Ok(())
}

/// Checks a file of `shaders/shared/`, `shaders/ledger/` or `shaders/perception/` with what is put around it.
///
/// # Errors
/// As [`check`].
pub fn check_shared(library: &Library, origin: &str, text: &str) -> Result<(), BadInput> {
    let extents = Extents { width: 64, height: 64 };
    let shaders = match shared_file(library, text) {
        Some("shaders/ledger/ledger.wgsl") => vec![assemble_ledger(library, extents)],
        Some("shaders/ledger/caught.wgsl") => vec![assemble_caught(library, extents, Edges::Torus)],
        // Within the lattice and beyond it, where the accessors wrap in another way.
        Some("shaders/perception/boxes.wgsl") => [(4, Edges::Torus), (100, Edges::Torus), (4, Edges::Walls)]
            .into_iter()
            .flat_map(|(reach, edges)| {
                [(0, SumAxis::Columns), (0, SumAxis::Rows), (2, SumAxis::Columns), (2, SumAxis::Rows)]
                    .map(|(rule, axis)| assemble_boxes(library, rule, reach, axis, extents, edges))
            })
            .collect(),
        _ => vec![assemble_shared(library, text, &crate::text::stem(origin), extents)],
    };
    shaders.iter().try_for_each(|shader| validate_text(origin, text, &shader.source))
}

/// Whether a text is one that is built in and no kernel of its own: what [`check_shared`] is for.
pub fn is_shared(library: &Library, text: &str) -> bool {
    shared_file(library, text).is_some()
}

/// The path of a file of the cell system that is no kernel, by its text.
fn shared_file(library: &Library, text: &str) -> Option<&'static str> {
    let summing = ["shaders/ledger/ledger.wgsl", "shaders/ledger/caught.wgsl", "shaders/perception/boxes.wgsl"];
    let mut files = summing.iter().chain(Model::Cell.table().shared).copied();
    files.find(|path| library.text(path) == Some(text))
}

/// Whether a text declares a kernel of the cell system under this name: a function of a cell.
pub fn is_cell_kernel(text: &str, name: &str) -> bool {
    matches!(names::header(text, name)[..], [_, "(", _, ":", "Cell", ..])
}

/// Parses and validates a shader that begins with the text of a file.
///
/// # Errors
/// Where it is not sound; with a line, where the fault is in that text.
pub fn validate_text(origin: &str, text: &str, shader: &str) -> Result<(), BadInput> {
    let module = parse(shader, text.len()).map_err(|fault| fault.about(origin, text))?;
    validate(&module, shader, text.len()).map(drop).map_err(|fault| fault.about(origin, text))
}

/// A kernel has the function that it is named after, and is of a size that naga, which works recursively, can take.
fn check_form(kernel: &Kernel) -> Result<(), BadInput> {
    if !kernel.is_built_in && kernel.text.len() > LONGEST_KERNEL {
        let problem = format!("a kernel of {} bytes", kernel.text.len());
        let cure = format!("at most {LONGEST_KERNEL}: make it several passes");
        return Err(BadInput::new(&kernel.origin, problem, cure));
    }
    if names::declared(&kernel.text).iter().all(|(_, name)| *name != kernel.name) {
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
    read: &[&str],
    write: &[Texel],
    shader: &str,
) -> Result<(), BadInput> {
    let own = kernel.text.len();
    // Built-in kernels are held to the same by their tests against the CPU's.
    let is_users = !kernel.is_built_in;
    let checked = || -> Result<(), Fault> {
        if is_users {
            check_names(library, kernel, &shader[own..])?;
        }
        let module = parse(shader, own)?;
        let source = Source { module: &module, own };
        if is_users {
            let shared: Vec<&str> = Model::Cell.table().shared.iter().filter_map(|path| library.text(path)).collect();
            let is_shared =
                |name: &str| shared.iter().any(|text| names::declared(text).iter().any(|(_, own)| *own == name));
            refuse_entry_points(kernel, &module)?;
            access::check(source, &|name| read.contains(&name) || SIGHT.contains(&name) || is_shared(name))?;
            access::check_shifts(source)?;
            loops::check(source)?;
        }
        let info = validate(&module, shader, own)?;
        if is_users { refuse_floats(source, &info, &kernel.text) } else { Ok(()) }
    };
    let wrong = match checked() {
        Ok(()) => return Ok(()),
        Err(fault) => fault.about(&kernel.origin, &kernel.text),
    };
    if wrong.line.is_some() {
        return Err(wrong);
    }
    // The kernel itself is sound, but the generated part cannot call it: its function has another form.
    let result = match write {
        [Texel::Amount] => "u32",
        [_] => "Vector",
        _ => "Written",
    };
    let problem = format!("`{}` does not fit what the chain has it write", kernel.name);
    let cure = format!("its form is fn {}(cell: Cell) -> {result}", kernel.name);
    let declared = names::declared(&kernel.text);
    let span = declared.into_iter().find(|(_, name)| *name == kernel.name).map_or(Span::UNDEFINED, span_of_name);
    Err(Fault::new(span, problem, cure).about(&kernel.origin, &kernel.text))
}

/// Where a declared name stands.
fn span_of_name((at, name): (usize, &str)) -> Span {
    Span::from(at..at + name.len())
}

/// The entry points are generated.
fn refuse_entry_points(kernel: &Kernel, module: &Module) -> Result<(), Fault> {
    let mut names = names::declared(&kernel.text).into_iter();
    match names.find(|(_, name)| module.entry_points.iter().any(|entry| entry.name == *name)) {
        Some(name) => {
            let cure = "take the attribute away: the entry points are generated";
            Err(Fault::new(span_of_name(name), "an entry point of its own", cure))
        }
        None => Ok(()),
    }
}

/// A user's kernel declares no name that the rest of the shader uses.
fn check_names(library: &Library, kernel: &Kernel, rest: &str) -> Result<(), Fault> {
    let used = names::used(rest);
    let is_used =
        |name: &str| if name == kernel.name { is_taken(library, Model::Cell, name) } else { used.contains(name) };
    match names::declared(&kernel.text).into_iter().find(|(_, name)| is_used(name)) {
        Some(name) => Err(Fault::new(span_of_name(name), format!("the name `{}` is taken", name.1), "choose another")),
        None => Ok(()),
    }
}

fn parse(shader: &str, own: usize) -> Result<Module, Fault> {
    // No language extension: a device that lacks it would refuse the shader later.
    let options = Options { capabilities: Capabilities::empty(), ..Options::new() };
    Frontend::new_with_options(options).parse(shader).map_err(|error| messages::of_parsing(&error, shader, own))
}

fn validate(module: &Module, shader: &str, own: usize) -> Result<ModuleInfo, Fault> {
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    validator.validate(module).map_err(|error| messages::of_validation(&error, module, shader, own))
}

/// Only the exact helpers may use floats, whose estimates they correct.
fn refuse_floats(source: Source<'_>, info: &ModuleInfo, text: &str) -> Result<(), Fault> {
    for (handle, function) in source.functions() {
        for (expression, _) in function.expressions.iter() {
            let kind = info[handle][expression].ty.inner_with(&source.module.types).scalar_kind();
            if kind != Some(naga::ScalarKind::Float) {
                continue;
            }
            let span = source.span_of(handle, function, expression);
            let written = span.to_range().and_then(|range| text.get(range)).unwrap_or_default();
            // An integer that fits no integer type becomes a float.
            if !written.is_empty() && written.bytes().all(|byte| byte.is_ascii_digit()) {
                let cure = "numbers are i32 or u32: at most 2147483647, or 4294967295 with a `u` after it";
                return Err(Fault::new(span, format!("{written} does not fit in 32 bits"), cure));
            }
            let cure = "use integers: a rule's vector is in 1/1024, a control vector in 1/16384";
            return Err(Fault::new(span, "a float, which no two GPUs need round alike", cure));
        }
    }
    Ok(())
}
