//! The requirements of *WebGPU Shading Language* that naga does not check, but other compilers do. The sections are
//! "Behaviors", "Alias Analysis", "Built-in Functions" and "Limits".

use super::{Fault, FunctionIndex, WgslFunction, blocks, declared, literal, span_of_name, statements};
use naga::valid::ModuleInfo;
use naga::{
    AddressSpace, Block, EntryPoint, Expression, Function, GlobalVariable, Handle, MathFunction, Module, ShaderStage,
    Span, Statement, StorageAccess, Type, TypeInner,
};
use std::collections::BTreeMap;

/// The maximum number of parameters of a function.
const MAX_PARAMETERS: usize = 255;
/// The maximum depth of nested blocks. An `else if` is nested in its `if`.
const MAX_BLOCKS: usize = 127;
/// The maximum size in bytes of all variables of a function, and of all variables of an invocation.
const MAX_BYTES: u32 = 8192;

/// Checks a shader that naga accepts.
pub fn check(module: &Module, info: &ModuleInfo, shader: &str) -> Result<(), Fault> {
    check_globals(module)?;
    let mut known = BTreeMap::new();
    for own in all_functions(module, shader) {
        check_limits(module, &own)?;
        check_returns(&own)?;
        check_atomics(module, info, &own, shader)?;
        check_ranges(own.function, &own)?;
        let accesses = Accesses::new(module, own.function, &known)?;
        known.extend(own.handle().map(|handle| (handle, accesses)));
    }
    module.entry_points.iter().enumerate().try_for_each(|(index, entry)| {
        let uses = info.get_entry_point(index);
        let workgroup = |(_, variable): &(_, &GlobalVariable)| variable.space == AddressSpace::WorkGroup;
        let mut shared = module.global_variables.iter().filter(workgroup);
        match entry.stage {
            ShaderStage::Compute if entry.function.result.is_some() => {
                let problem = format!("`{}` returns a value, and nobody takes it", entry.name);
                let cure = "take it away: a compute shader writes to buffers";
                Err(Fault::new(span_of_entry(entry, shader), problem, cure))
            }
            ShaderStage::Compute => Ok(()),
            _ => match shared.find(|(handle, _)| !uses[*handle].is_empty()) {
                Some((handle, _)) => {
                    let span = module.global_variables.get_span(handle);
                    let problem = "a variable that a workgroup shares, in a shader that draws";
                    Err(Fault::new(span, problem, "make it a `var` within the function"))
                }
                None => Ok(()),
            },
        }
    })
}

/// All functions, each after the functions that it calls, then the entries.
fn all_functions<'a>(module: &'a Module, shader: &str) -> impl Iterator<Item = WgslFunction<'a>> {
    let functions = module.functions.iter().map(|(handle, function)| {
        let span = module.functions.get_span(handle);
        WgslFunction { index: FunctionIndex::Function(handle), function, span }
    });
    let entries = module.entry_points.iter().enumerate().map(|(index, entry)| WgslFunction {
        index: FunctionIndex::EntryPoint(index),
        function: &entry.function,
        span: span_of_entry(entry, shader),
    });
    functions.chain(entries)
}

/// The place of the name of an entry.
fn span_of_entry(entry: &EntryPoint, shader: &str) -> Span {
    declared(shader, &entry.name).map_or(Span::UNDEFINED, span_of_name)
}

/// The size of a type in bytes; 0 if it is not known before the shader runs.
fn bytes(module: &Module, kind: Handle<Type>) -> u32 {
    match &module.types[kind].inner {
        TypeInner::Array { size: naga::ArraySize::Constant(_), .. }
        | TypeInner::Struct { .. }
        | TypeInner::Scalar(_)
        | TypeInner::Vector { .. }
        | TypeInner::Matrix { .. } => module.types[kind].inner.size(module.to_ctx()),
        _ => 0,
    }
}

fn too_large(span: Span, what: &str, bytes: u32) -> Fault {
    Fault::new(span, format!("{what} take {bytes} bytes together"), format!("at most {MAX_BYTES}: take smaller arrays"))
}

/// Checks that the variables of an invocation are not too large, and that atomics lie only in writable buffers.
fn check_globals(module: &Module) -> Result<(), Fault> {
    let mut all: u32 = 0;
    for (handle, variable) in module.global_variables.iter() {
        let span = module.global_variables.get_span(handle);
        match variable.space {
            AddressSpace::Private => {
                all = all.saturating_add(bytes(module, variable.ty));
                if all > MAX_BYTES {
                    return Err(too_large(span, "the private variables", all));
                }
            }
            AddressSpace::Storage { access }
                if !access.contains(StorageAccess::STORE) && has_atomics(module, variable.ty) =>
            {
                let cure = "declare it as var<storage, read_write>";
                return Err(Fault::new(span, "atomics in a buffer that is only read", cure));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether values of a type are or contain atomics.
fn has_atomics(module: &Module, kind: Handle<Type>) -> bool {
    match &module.types[kind].inner {
        TypeInner::Atomic(_) => true,
        TypeInner::Array { base, .. } => has_atomics(module, *base),
        TypeInner::Struct { members, .. } => members.iter().any(|member| has_atomics(module, member.ty)),
        _ => false,
    }
}

fn check_limits(module: &Module, own: &WgslFunction<'_>) -> Result<(), Fault> {
    let parameters = own.function.arguments.len();
    if parameters > MAX_PARAMETERS {
        let problem = format!("`{}` has {parameters} parameters", own.name());
        return Err(Fault::new(own.span, problem, format!("at most {MAX_PARAMETERS}")));
    }
    let mut all: u32 = 0;
    for (handle, variable) in own.function.local_variables.iter() {
        all = all.saturating_add(bytes(module, variable.ty));
        if all > MAX_BYTES {
            let span = own.function.local_variables.get_span(handle);
            return Err(too_large(span, &format!("the variables of `{}`", own.name()), all));
        }
    }
    if depth(&own.function.body) > MAX_BLOCKS {
        let problem = format!("blocks of `{}` within more than {MAX_BLOCKS} others", own.name());
        return Err(Fault::new(own.span, problem, "make some of them functions"));
    }
    Ok(())
}

/// The depth of the blocks nested in a block.
fn depth(block: &Block) -> usize {
    block.iter().flat_map(|statement| blocks(statement)).map(|inner| 1 + depth(inner)).max().unwrap_or(0)
}

/// Checks that a function with a result returns it on every path.
fn check_returns(own: &WgslFunction<'_>) -> Result<(), Fault> {
    if own.function.result.is_none() || !Ways::new(&own.function.body).goes_on {
        return Ok(());
    }
    let problem = format!("`{}` ends without a value on some way through it", own.name());
    Err(Fault::new(own.span, problem, "end every way with `return`"))
}

/// The ways to leave a block.
struct Ways {
    /// Whether the statement after the block may come next.
    goes_on: bool,
    /// Whether the block may leave the loop or `switch` around it.
    breaks: bool,
}

impl Ways {
    fn new(block: &Block) -> Self {
        let mut breaks = false;
        for statement in block.iter() {
            let goes_on = match statement {
                Statement::Block(inner) => {
                    let inner = Self::new(inner);
                    breaks |= inner.breaks;
                    inner.goes_on
                }
                Statement::If { accept, reject, .. } => {
                    let both = [accept, reject].map(Self::new);
                    breaks |= both.iter().any(|inner| inner.breaks);
                    both.iter().any(|inner| inner.goes_on)
                }
                Statement::Switch { cases, .. } => cases.iter().filter(|case| !case.fall_through).any(|case| {
                    let inner = Self::new(&case.body);
                    inner.goes_on || inner.breaks
                }),
                Statement::Loop { body, break_if, .. } => Self::new(body).breaks || break_if.is_some(),
                Statement::Break => {
                    breaks = true;
                    false
                }
                Statement::Continue | Statement::Return { .. } => false,
                _ => true,
            };
            if !goes_on {
                return Self { goes_on, breaks };
            }
        }
        Self { goes_on: true, breaks }
    }
}

/// Checks that atomics are only read and written by their functions.
fn check_atomics(module: &Module, info: &ModuleInfo, own: &WgslFunction<'_>, shader: &str) -> Result<(), Fault> {
    let kinds = own.info(info);
    let pointed_to = |pointer: Handle<Expression>| match kinds[pointer].ty.inner_with(&module.types) {
        TypeInner::Pointer { base, .. } if has_atomics(module, *base) => Some(*base),
        _ => None,
    };
    let is_atomic = |kind: Handle<Type>| matches!(module.types[kind].inner, TypeInner::Atomic(_));
    for (statement, span) in statements(&own.function.body) {
        let Statement::Store { pointer, .. } = statement else { continue };
        let text = span.to_range().and_then(|range| shader.get(range)).unwrap_or_default();
        if pointed_to(*pointer).is_some() && !text.starts_with("atomicStore") {
            return Err(Fault::new(span, "an atomic is assigned as a whole", "write atomicStore(&…, …)"));
        }
    }
    for (expression, kind) in own.function.expressions.iter() {
        let Expression::Load { pointer } = kind else { continue };
        if pointed_to(*pointer).is_some_and(|kind| !is_atomic(kind)) {
            return Err(Fault::new(own.span_of(expression), "atomics are copied", "read each by atomicLoad(&…)"));
        }
    }
    Ok(())
}

/// Checks that constant arguments of built-in functions are within their ranges.
fn check_ranges(function: &Function, own: &WgslFunction<'_>) -> Result<(), Fault> {
    let number = |expression: Option<Handle<Expression>>| {
        let mut expression = &function.expressions[expression?];
        if let Expression::Splat { value, .. } = expression {
            expression = &function.expressions[*value];
        }
        literal(expression)
    };
    for (expression, kind) in function.expressions.iter() {
        let Expression::Math { fun, arg1, arg2, arg3, .. } = kind else { continue };
        let [first, second, third] = [*arg1, *arg2, *arg3].map(number);
        let (problem, cure) = match (fun, first, second, third) {
            (MathFunction::Clamp, Some(low), Some(high), _) if low > high => {
                (format!("`clamp` between {low} and {high}"), "write the lesser bound first")
            }
            (MathFunction::ExtractBits, Some(first), Some(count), _)
            | (MathFunction::InsertBits, _, Some(first), Some(count))
                if first + count > 32 =>
            {
                (format!("{count} bits from bit {first} on"), "a number has 32 bits")
            }
            _ => continue,
        };
        return Err(Fault::new(own.span_of(expression), problem, cure));
    }
    Ok(())
}

/// A variable from the point of view of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Root {
    Parameter(u32),
    Local(Handle<naga::LocalVariable>),
    Global(Handle<GlobalVariable>),
}

/// The variables that a function accesses by pointers and names, and whether it writes them.
#[derive(Default)]
struct Accesses(BTreeMap<Root, bool>);

impl Accesses {
    /// The accesses of a function and of all functions that it calls.
    ///
    /// # Errors
    /// If it calls a function that accesses a variable in two ways, and one of them writes.
    fn new(module: &Module, function: &Function, known: &BTreeMap<Handle<Function>, Self>) -> Result<Self, Fault> {
        let mut all = Self::default();
        let root = |pointer| root_of(function, pointer);
        for (_, expression) in function.expressions.iter() {
            if let Expression::Load { pointer } = expression {
                all.add(root(*pointer), false);
            }
        }
        for (statement, span) in statements(&function.body) {
            match statement {
                Statement::Store { pointer, .. } | Statement::Atomic { pointer, .. } => all.add(root(*pointer), true),
                Statement::Call { function: callee, arguments, .. } => {
                    let Some(callees) = known.get(callee) else { continue };
                    let mut reached = BTreeMap::new();
                    for (of_callee, writes) in &callees.0 {
                        let of_caller = match of_callee {
                            Root::Parameter(index) => root(arguments[*index as usize]),
                            Root::Global(_) => Some(*of_callee),
                            Root::Local(_) => None,
                        };
                        let Some(of_caller) = of_caller else { continue };
                        let before = reached.insert(of_caller, *writes);
                        if before.is_some_and(|before| before || *writes) {
                            let name = module.functions[*callee].name.as_deref().unwrap_or_default();
                            let problem = format!("`{name}` reaches one variable in two ways, and writes it");
                            return Err(Fault::new(span, problem, "give it a copy of the variable"));
                        }
                        all.add(Some(of_caller), *writes || before.unwrap_or(false));
                    }
                }
                _ => {}
            }
        }
        Ok(all)
    }

    fn add(&mut self, root: Option<Root>, writes: bool) {
        if let Some(root) = root {
            *self.0.entry(root).or_default() |= writes;
        }
    }
}

/// The variable behind a pointer.
fn root_of(function: &Function, pointer: Handle<Expression>) -> Option<Root> {
    match &function.expressions[pointer] {
        Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => root_of(function, *base),
        Expression::FunctionArgument(index) => Some(Root::Parameter(*index)),
        Expression::LocalVariable(variable) => Some(Root::Local(*variable)),
        Expression::GlobalVariable(variable) => Some(Root::Global(*variable)),
        _ => None,
    }
}
