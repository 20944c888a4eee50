//! Whole shaders around kernels: entry points, bindings and accessors are generated from a pass of the plan.
//!
//! A kernel's file holds functions on `Cell` and `Vector` and no bindings. [`writer`] puts a shader together around it:
//! its own text first, then the generated part and the shared files. Everything is checked here by naga, without a device.

mod boxes;
mod lattice;
mod perception;
pub mod writer;

pub use boxes::{SumAxis, assemble_boxes};
pub use lattice::{LEDGER_ROWS, ShaderConfig, assemble, assemble_caught, assemble_ledger, vector_table};
pub use perception::{SumMethod, alike, sight_table, strip};
pub use writer::{Binding, BindingKind, Shader};

use crate::chain::Kernel;
use crate::chain::library;
use crate::chain::names::{declared, is_taken};
use crate::chain::plan::{Plan, PlannedPass};
use crate::chain::table::{FieldKind, Model, Parameter};
use crate::error::{BadInput, line_of};
use crate::fields::Texel;
use crate::kernels::behaviour::LOOKING;
use crate::sight::Sight;
use crate::text::one_line;
use crate::world::{Edges, Extents};
use naga::front::wgsl::Options;
use std::collections::BTreeMap;

/// How a pass runs on a GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dispatch {
    /// A compute dispatch with workgroups of this width and height.
    Compute { workgroup: [u32; 2] },
    /// A render pass over the whole lattice into integer targets, as in the paper.
    Fragment,
}

/// The longest kernel of a user's, in bytes.
const LONGEST_KERNEL: usize = 1 << 14;

/// Both ways to run a pass, as they are checked.
const BOTH: [Dispatch; 2] = [Dispatch::Compute { workgroup: [8, 8] }, Dispatch::Fragment];

/// Parses and validates the shader of a pass, for both dispatches: a kernel that runs by one only is none. An error names
/// the kernel's file and line.
pub fn check(plan: &Plan, pass: &PlannedPass, config: ShaderConfig<'_>) -> Result<(), BadInput> {
    let kernel = &plan.kernels[pass.kernel];
    check_form(kernel)?;
    let writes: Vec<Texel> = pass.write.iter().map(|slot| plan.fields[slot.field].texel).collect();
    for dispatch in BOTH {
        check_source(kernel, &writes, &assemble(plan, pass, ShaderConfig { dispatch, ..config }).source)?;
    }
    Ok(())
}

/// Checks a kernel's file on its own: a built-in one with its fields, any other as a rule that reads the state and
/// may look through a sight.
pub fn check_kernel(origin: &str, name: &str, text: &str) -> Result<(), BadInput> {
    let table = Model::Cell.table();
    let is_built_in = library::text(&table.path(name)) == Some(text);
    let signature = table.kernel(name).filter(|_| is_built_in);
    let (name, origin, text) = (name.to_string(), origin.to_string(), text.to_string());
    let kernel = Kernel { name, origin, text, signature, is_built_in };
    check_form(&kernel)?;
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
    let sight = Sight::square(1).expect("a sight of one cell around is valid");
    let looking = signature.map_or(1, |signature| signature.rules.len().clamp(1, LOOKING));
    for dispatch in BOTH {
        let extents = Extents { width: 64, height: 64 };
        let config = ShaderConfig { extents, edges: Edges::Torus, sights: &BTreeMap::new(), dispatch, capacity: None };
        let writes: Vec<Texel> = write.iter().map(|(_, texel)| *texel).collect();
        let shader = lattice::write_shader(&kernel, &read, &write, &vec![Some(&sight); looking], config);
        check_source(&kernel, &writes, &shader.source)?;
    }
    Ok(())
}

/// Checks a file of `shaders/shared/`, `shaders/ledger/` or `shaders/perception/` with what is put around it.
pub fn check_shared(origin: &str, text: &str) -> Result<(), BadInput> {
    let extents = Extents { width: 64, height: 64 };
    let shaders = match shared_file(text) {
        Some("shaders/ledger/ledger.wgsl") => vec![assemble_ledger(extents)],
        Some("shaders/ledger/caught.wgsl") => vec![assemble_caught(extents, Edges::Torus)],
        // Within the lattice and beyond it, where the accessors wrap in another way.
        Some("shaders/perception/boxes.wgsl") => [(4, Edges::Torus), (100, Edges::Torus), (4, Edges::Walls)]
            .into_iter()
            .flat_map(|(reach, edges)| {
                [(0, SumAxis::Columns), (0, SumAxis::Rows), (2, SumAxis::Columns), (2, SumAxis::Rows)]
                    .map(|(rule, axis)| assemble_boxes(rule, reach, axis, extents, edges))
            })
            .collect(),
        _ => vec![lattice::assemble_shared(text, origin.rsplit(['/', '\\']).next().unwrap_or(origin), extents)],
    };
    shaders.iter().try_for_each(|shader| validate_text(origin, text, &shader.source))
}

/// Whether a text is one that is built in and no kernel of its own: what [`check_shared`] is for.
pub fn is_shared(text: &str) -> bool {
    shared_file(text).is_some()
}

/// The path of a built-in file of the cell system that is no kernel of its own, by its text.
fn shared_file(text: &str) -> Option<&'static str> {
    let of_cells = |path: &str| {
        Model::Cell.table().shared.contains(&path) || path.starts_with("shaders/ledger/") || path.starts_with("shaders/perception/")
    };
    library::FILES.iter().find(|(path, known)| *known == text && of_cells(path)).map(|(path, _)| *path)
}

/// A kernel has the function that it is named after and none that others have, and is of a size that naga, which works
/// recursively, can take.
fn check_form(kernel: &Kernel) -> Result<(), BadInput> {
    let bad = |problem: String, cure: String| BadInput::new(&kernel.origin, problem, cure);
    if !kernel.is_built_in {
        if kernel.text.len() > LONGEST_KERNEL {
            let problem = format!("a kernel of {} bytes", kernel.text.len());
            return Err(bad(problem, format!("at most {LONGEST_KERNEL}: make it several passes")));
        }
        for (line, name) in declared(&kernel.text) {
            if is_taken(Model::Cell, name) {
                return Err(bad(format!("the name `{name}` is taken"), "choose another".into()).at_line(line));
            }
        }
    }
    if declared(&kernel.text).all(|(_, name)| name != kernel.name) {
        let cure = format!("write fn {}(cell: Cell) -> Vector, or name the file after the function", kernel.name);
        return Err(bad(format!("the file has no function `{}`", kernel.name), cure));
    }
    Ok(())
}

fn check_source(kernel: &Kernel, writes: &[Texel], shader: &str) -> Result<(), BadInput> {
    let (module, info) = validate(kernel, shader).map_err(|error| {
        if error.line.is_some() {
            return error;
        }
        // The kernel itself is sound, but the generated part cannot call it: its function has another form.
        let result = match writes {
            [Texel::Amount] => "u32",
            [_] => "Vector",
            _ => "Written",
        };
        let line = declared(&kernel.text).find(|(_, name)| *name == kernel.name).map_or(1, |(line, _)| line);
        let cure = format!("its form is fn {}(cell: Cell) -> {result}", kernel.name);
        let problem =
            format!("`{}` does not fit what the chain has it write ({})", kernel.name, one_line(&error.problem));
        BadInput { problem, cure, ..error }.at_line(line)
    })?;
    // Only the exact helpers may use floats, whose estimates they correct.
    if !kernel.is_built_in {
        refuse_variables(kernel, &module)?;
        refuse_floats(kernel, &module, &info)?;
    }
    Ok(())
}

/// Parses and validates a shader that begins with the text of a file; an error within that text has its line.
pub fn validate_text(origin: &str, text: &str, shader: &str) -> Result<(), BadInput> {
    let (name, origin, text) = (String::new(), origin.to_string(), text.to_string());
    let kernel = Kernel { name, origin, text, signature: None, is_built_in: false };
    validate(&kernel, shader).map(|_| ())
}

/// Parses and validates a shader. An error within the kernel's own text has a line, any other has none.
fn validate(kernel: &Kernel, shader: &str) -> Result<(naga::Module, naga::valid::ModuleInfo), BadInput> {
    let own = kernel.text.len();
    let bad = |problem: &str, offsets: Vec<usize>| {
        let cure = match problem.contains("no definition in scope") {
            true => "define it, or list the field in the chain's `read`",
            false => "mend the WGSL",
        };
        let error = BadInput::new(&kernel.origin, problem.replace('\n', ", "), cure);
        match offsets.into_iter().find(|offset| *offset < own) {
            Some(offset) => error.at_line(line_of(shader, offset)),
            None => error,
        }
    };
    // No language extension: a device that lacks it would refuse the shader later.
    let options = Options { capabilities: naga::valid::Capabilities::empty(), ..Options::new() };
    let module = naga::front::wgsl::Frontend::new_with_options(options).parse(shader).map_err(|error| {
        let offset = error.location(shader).map(|location| location.offset as usize);
        bad(error.message(), offset.into_iter().collect())
    })?;
    let mut validator =
        naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::empty());
    let info = validator.validate(&module).map_err(|error| {
        let mut spans: Vec<_> = error.spans().map(|(span, _)| span.to_range().unwrap_or(0..usize::MAX)).collect();
        spans.sort_by_key(|range| range.end - range.start);
        let mut problem = error.as_inner().to_string();
        let mut cause = std::error::Error::source(error.as_inner());
        while let Some(deeper) = cause {
            problem = format!("{problem}: {deeper}");
            cause = deeper.source();
        }
        bad(&problem, spans.into_iter().map(|range| range.start).collect())
    })?;
    Ok((module, info))
}

/// A kernel is a pure function of one cell: it has no memory, no bindings and no numbers to be given from outside.
fn refuse_variables(kernel: &Kernel, module: &naga::Module) -> Result<(), BadInput> {
    let variables = module.global_variables.iter().map(|(handle, _)| module.global_variables.get_span(handle));
    let overrides = module.overrides.iter().map(|(handle, _)| module.overrides.get_span(handle));
    let mut starts = variables.chain(overrides).filter_map(|span| span.to_range()).map(|range| range.start);
    match starts.find(|start| *start < kernel.text.len()) {
        Some(start) => Err(BadInput::new(
            &kernel.origin,
            "a variable outside of a function",
            "make it a `const`, or a `var` within the function",
        )
        .at_line(line_of(&kernel.text, start))),
        None => Ok(()),
    }
}

fn refuse_floats(kernel: &Kernel, module: &naga::Module, info: &naga::valid::ModuleInfo) -> Result<(), BadInput> {
    for (handle, function) in module.functions.iter() {
        for (expression, _) in function.expressions.iter() {
            let Some(range) = function.expressions.get_span(expression).to_range() else { continue };
            let kind = info[handle][expression].ty.inner_with(&module.types).scalar_kind();
            if range.start < kernel.text.len() && kind == Some(naga::ScalarKind::Float) {
                return Err(BadInput::new(
                    &kernel.origin,
                    "a float, which no two GPUs need round alike",
                    "use integers: a rule's vector is in 1/1024, a control vector in 1/16384",
                )
                .at_line(line_of(&kernel.text, range.start)));
            }
        }
    }
    Ok(())
}
