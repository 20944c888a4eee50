//! Checks a user's file that replaces a built-in file of the individuals. The user's file has the form of the built-in
//! file: the function of a kernel is its entry point, and its invocations share buffers. Operations whose results
//! differ between devices, and operations that the built-in file does not use, are refused.

use super::access::{self, Permissions};
use super::{
    Fault, Shader, Source, check_length, declared, loops, parse, refuse_floats, span_of_name, validate, validate_text,
};
use murmuration_core::chain::names;
use murmuration_core::chain::table::KernelSignature;
use murmuration_core::error::BadInput;
use naga::{ShaderStage, Span};

/// The built-in file that a text replaces.
#[derive(Clone, Copy)]
pub struct Replacement<'a> {
    /// The text of the built-in file.
    pub replaced: &'a str,
    /// The kernel in the file. `None`: the file is a rule, or another part of kernels.
    pub kernel: Option<&'static KernelSignature>,
}

/// Validates a shader of individuals that begins with a user's text, as [`validate_text`] does, and checks the text
/// against the rules for users' texts.
///
/// # Errors
/// As for [`validate_text`], or if a user's text breaks a rule.
pub fn validate_replacement(
    Replacement { replaced, kernel }: Replacement<'_>,
    shader: &Shader,
) -> Result<(), BadInput> {
    let replaced = &shader.text_of(replaced);
    if shader.own() == replaced {
        return validate_text(shader);
    }
    shader.check_directives()?;
    check_length(shader.origin(), shader.own())?;
    check(shader.own(), Replacement { replaced, kernel }, &shader.source).map_err(|fault| fault.about(shader))
}

fn check(text: &str, Replacement { replaced, kernel }: Replacement<'_>, shader: &str) -> Result<(), Fault> {
    check_names(text, replaced, &shader[text.len()..])?;
    let module = parse(shader, text.len())?;
    let info = validate(&module, shader, text.len())?;
    let source = Source { module: &module, own: text, replaced };
    check_entry(source, kernel)?;
    let used = names::used(replaced);
    let is_field = |name: &str| {
        kernel.is_some_and(|kernel| kernel.read.iter().chain(kernel.write).any(|field| field.name == name))
    };
    let permissions = Permissions {
        calls: &|_| true,
        variables: &|name| name == "own_species" || used.contains(name) || is_field(name),
        has_workgroups: used.contains("workgroup"),
        cure: "a file of the individuals uses `parameters`, the buffers that its pass reads and writes, and the \
               functions around it",
    };
    access::check(source, &permissions)?;
    access::check_shifts(source)?;
    loops::check(source)?;
    refuse_floats(source, &info, "use integers: a place is in 1/65536 cell, a velocity in 1/16384 cell a step")
}

/// Checks that a text declares no name that the rest of the shader uses, except the names of the built-in file.
fn check_names(text: &str, replaced: &str, rest: &str) -> Result<(), Fault> {
    let used = names::used(rest);
    let is_taken = |name: &str| used.contains(name) && declared(replaced, name).is_none();
    match names::declared(text).into_iter().find(|(_, name)| is_taken(name)) {
        Some(name) => Err(Fault::new(span_of_name(name), format!("the name `{}` is taken", name.1), "choose another")),
        None => Ok(()),
    }
}

/// Checks that the function of a kernel is its only entry point, with the workgroups that the engine dispatches.
/// A part of kernels has no entry point.
fn check_entry(source: Source<'_>, kernel: Option<&KernelSignature>) -> Result<(), Fault> {
    let name = kernel.map(|kernel| kernel.name);
    if let Some((_, span, _)) = source.entry_points().find(|(_, _, entry)| Some(entry.name.as_str()) != name) {
        let cure = "take the attribute away: the functions of the kernels are the entry points";
        return Err(Fault::new(span, "an entry point of its own", cure));
    }
    let Some(name) = name else { return Ok(()) };
    let Some(place) = declared(source.own, name) else {
        let cure = "it replaces the built-in kernel, whose function has this name";
        return Err(Fault::new(Span::UNDEFINED, format!("the file has no function `{name}`"), cure));
    };
    let mut constants = source.module.constants.iter();
    let workgroup = constants.find(|(_, constant)| constant.name.as_deref() == Some("WORKGROUP"));
    let workgroup = workgroup.and_then(|(handle, _)| source.number(handle));
    let has_workgroups = source.entry_points().any(|(_, _, entry)| {
        let [size, rest @ ..] = entry.workgroup_size;
        entry.stage == ShaderStage::Compute && workgroup == Some(i64::from(size)) && rest == [1, 1]
    });
    if has_workgroups {
        return Ok(());
    }
    let problem = format!("`{name}` is not invoked by workgroups of WORKGROUP");
    Err(Fault::new(span_of_name(place), problem, "write @compute @workgroup_size(WORKGROUP) before it"))
}
