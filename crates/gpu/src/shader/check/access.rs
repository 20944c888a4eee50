//! What a user's kernel may reach. A kernel is a pure function of one cell: it reads any cell and writes none.

use super::{DEEPEST, Fault, Source, statements};
use naga::{Expression, Function, Span, Statement};

/// Refuses variables outside of functions, operations among invocations, and every function and variable of the generated part
/// but the parameters and the functions of these names.
pub fn check(source: Source<'_>, is_allowed: &dyn Fn(&str) -> bool) -> Result<(), Fault> {
    let module = source.module;
    let variables = module.global_variables.iter().map(|(handle, _)| module.global_variables.get_span(handle));
    let overrides = module.overrides.iter().map(|(handle, _)| module.overrides.get_span(handle));
    if let Some(span) = variables.chain(overrides).find(|span| source.is_own(*span)) {
        let cure = "make it a `const`, or a `var` within the function";
        return Err(Fault::new(span, "a variable outside of a function", cure));
    }
    let functions = &module.functions;
    for own in source.functions() {
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
                Statement::Call { function, .. } => {
                    let name = functions[*function].name.as_deref().unwrap_or_default();
                    if !source.is_own(functions.get_span(*function)) && !is_allowed(name) {
                        return Err(out_of_bounds(span, name));
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
                    let cure = "take it away: each cell is worked out without the others";
                    return Err(Fault::new(span, "a barrier, or another operation among invocations", cure));
                }
            }
        }
        for (handle, expression) in own.function.expressions.iter() {
            let span = own.span_of(handle);
            match expression {
                Expression::GlobalVariable(variable) => {
                    let name = module.global_variables[*variable].name.as_deref().unwrap_or_default();
                    if name != "parameters" {
                        return Err(out_of_bounds(span, name));
                    }
                }
                Expression::Derivative { .. } => {
                    let cure = "look at the neighbours instead, as in density(cell + Cell(1, 0))";
                    return Err(Fault::new(span, "a derivative, which only fragment passes have", cure));
                }
                _ => {}
            }
        }
    }
    Ok(())
}

fn out_of_bounds(span: Span, name: &str) -> Fault {
    let problem = format!("`{name}` belongs to the generated part of the shader");
    let cure = "a kernel returns what its own cell becomes, and uses `parameters`, the fields that its pass reads, its sight \
                and the functions of shaders/shared/";
    Fault::new(span, problem, cure)
}

/// Refuses shifts by 32 bits or more, whose result differs from device to device, and those by a number that may be so large.
pub fn check_shifts(source: Source<'_>) -> Result<(), Fault> {
    use naga::BinaryOperator::{ShiftLeft, ShiftRight};
    for own in source.functions() {
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

/// The largest value that an unsigned number, or a component of a vector of them, can have, where that is plain to see within so
/// many steps.
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
