//! Checks the accesses of a user's kernel. A kernel of the cells is a pure function of one cell: it may read any cell
//! and writes none. A kernel of the individuals shares buffers with other invocations.

use super::{DEEPEST, Fault, Source, WgslFunction, statements};
use naga::{AddressSpace, Expression, Function, Span, Statement};

/// The parts of the generated shader that a user's kernel may use, in addition to its own functions and `parameters`.
pub struct Permissions<'a> {
    /// Whether a kernel may call the function of the generated part with this name.
    pub calls: &'a dyn Fn(&str) -> bool,
    /// Whether a kernel may use the variable of the generated part with this name.
    pub variables: &'a dyn Fn(&str) -> bool,
    /// Whether a kernel may use variables of a workgroup, and barriers.
    pub has_workgroups: bool,
    /// The advice in messages, which names the parts that a kernel may use.
    pub cure: &'static str,
}

impl Permissions<'_> {
    /// The fault for the use of a name of the generated part that a kernel must not use.
    fn refuse(&self, span: Span, name: &str) -> Fault {
        Fault::new(span, format!("`{name}` belongs to the generated part of the shader"), self.cure)
    }
}

/// Refuses variables outside of functions, operations among invocations, and names of the generated part that are not
/// permitted.
pub fn check(source: Source<'_>, permissions: &Permissions<'_>) -> Result<(), Fault> {
    let module = source.module;
    let is_permitted = |space| permissions.has_workgroups && space == AddressSpace::WorkGroup;
    let variables = module.global_variables.iter().filter(|(_, variable)| !is_permitted(variable.space));
    let variables = variables.map(|(handle, _)| module.global_variables.get_span(handle));
    let overrides = module.overrides.iter().map(|(handle, _)| module.overrides.get_span(handle));
    if let Some(span) = variables.chain(overrides).find(|span| source.is_own(*span)) {
        let cure = "make it a `const`, or a `var` within the function";
        return Err(Fault::new(span, "a variable outside of a function", cure));
    }
    source.functions().try_for_each(|own| {
        check_statements(source, &own, permissions)?;
        check_expressions(source, &own, permissions)
    })
}

fn check_statements(source: Source<'_>, own: &WgslFunction<'_>, permissions: &Permissions<'_>) -> Result<(), Fault> {
    let functions = &source.module.functions;
    for (statement, span) in statements(&own.function.body) {
        match statement {
            Statement::Emit(_)
            | Statement::Block(_)
            | Statement::If { .. }
            | Statement::Switch { .. }
            | Statement::Loop { .. }
            | Statement::Break
            | Statement::Continue
            | Statement::Return { .. }
            | Statement::Store { .. } => {}
            // The variable of the operation is atomic, so it belongs to the generated part or to a workgroup.
            Statement::Atomic { .. } => {}
            Statement::ControlBarrier(_) | Statement::MemoryBarrier(_) | Statement::WorkGroupUniformLoad { .. }
                if permissions.has_workgroups => {}
            Statement::Call { function, .. } => {
                let name = functions[*function].name.as_deref().unwrap_or_default();
                if !source.is_own(functions.get_span(*function)) && !(permissions.calls)(name) {
                    return Err(permissions.refuse(span, name));
                }
            }
            Statement::Kill => {
                let problem = "`discard`, which leaves a cell without a result";
                return Err(Fault::new(span, problem, "return a vector of 0"));
            }
            Statement::ImageStore { .. } => {
                return Err(Fault::new(span, "a kernel writes no texture", "return what its own cell becomes"));
            }
            _ => {
                let cure = "take it away: no invocation waits for another";
                return Err(Fault::new(span, "a barrier, or another operation among invocations", cure));
            }
        }
    }
    Ok(())
}

fn check_expressions(source: Source<'_>, own: &WgslFunction<'_>, permissions: &Permissions<'_>) -> Result<(), Fault> {
    let variables = &source.module.global_variables;
    for (handle, expression) in own.function.expressions.iter() {
        let span = own.span_of(handle);
        match expression {
            Expression::GlobalVariable(variable) => {
                let name = variables[*variable].name.as_deref().unwrap_or_default();
                let is_own = source.is_own(variables.get_span(*variable));
                if !is_own && name != "parameters" && !(permissions.variables)(name) {
                    return Err(permissions.refuse(span, name));
                }
            }
            Expression::Derivative { .. } => {
                let cure = "look at the neighbours instead, as in density(cell + Cell(1, 0))";
                return Err(Fault::new(span, "a derivative, which only fragment passes have", cure));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Refuses shifts by 32 bits or more, because their results differ between devices. Refuses shifts by a number whose
/// maximum is unknown too. A function that is equal to a function of the built-in kernel may keep its shifts.
pub fn check_shifts(source: Source<'_>) -> Result<(), Fault> {
    use naga::BinaryOperator::{ShiftLeft, ShiftRight};
    for own in source.functions().filter(|own| !source.is_built_in(own.name())) {
        for (expression, kind) in own.function.expressions.iter() {
            let Expression::Binary { op: ShiftLeft | ShiftRight, right, .. } = kind else { continue };
            let span = own.span_of(expression);
            match most(source, own.function, *right, DEEPEST) {
                Some(bits) if bits < 32 => {}
                Some(bits) => {
                    let problem = format!("a shift by up to {bits} bits of a number that has 32");
                    return Err(Fault::new(span, problem, "shift by 31 at most"));
                }
                None => {
                    let cure = "hold it below 32, as in x << (n & 31u)";
                    return Err(Fault::new(span, "a shift by a number that may be 32 or more", cure));
                }
            }
        }
    }
    Ok(())
}

/// The maximum value of an expression that is an unsigned number, or of the components of a vector. `steps`: the
/// maximum depth of the expression. `None`: the maximum is unknown, or the expression is deeper.
fn most(source: Source<'_>, function: &Function, expression: naga::Handle<Expression>, steps: u32) -> Option<u64> {
    use naga::{BinaryOperator as Operator, Literal, MathFunction};
    let steps = steps.checked_sub(1)?;
    let most = |expression| most(source, function, expression, steps);
    let least = |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).min();
    match &function.expressions[expression] {
        Expression::Literal(Literal::U32(value)) => Some(u64::from(*value)),
        Expression::ZeroValue(_) => Some(0),
        Expression::Constant(constant) => source.number(*constant).and_then(|number| u64::try_from(number).ok()),
        Expression::Splat { value, .. } => most(*value),
        Expression::Compose { components, .. } => {
            components.iter().map(|component| most(*component)).try_fold(0, |all, one| Some(one?.max(all)))
        }
        Expression::Binary { op: Operator::And, left, right } => least(most(*left), most(*right)),
        Expression::Binary { op: Operator::Modulo, right, .. } => {
            most(*right).filter(|most| *most > 0).map(|most| most - 1)
        }
        Expression::Math { fun: MathFunction::Min, arg, arg1: Some(other), .. } => least(most(*arg), most(*other)),
        _ => None,
    }
}
