//! Checks the loops of a user's kernel. Every loop needs a counter that bounds its iterations. The number of iterations
//! of all loops together is bounded too, so that no driver cuts them off and no device hangs. Mesa's CPU drivers
//! silently cut loops off after 65 535 iterations. The loops of the surrounding functions that the kernel calls count
//! too.

use super::{DEEPEST, Fault, Source, WgslFunction, blocks, literal, statements};
use murmuration_core::world::{MAX_HUNTERS, MAX_SPECIES};
use naga::{BinaryOperator as Operator, Block, Expression, Function, Handle, LocalVariable, Span, Statement};
use std::collections::HashMap;

/// The maximum product of the iterations of nested loops.
const MAX_NESTED_TURNS: u64 = 1 << 14;
/// The maximum number of iterations of all loops of a kernel.
const MAX_TURNS: u64 = 1 << 15;
/// The maximum product of the iterations of the user's loops around a loop whose iterations depend on the swarm or the
/// picture. A user's loop may go over the meetings of an individual, at most one for each species.
const MAX_TURNS_AROUND_UNCOUNTED: u64 = MAX_SPECIES as u64;

const UNCOUNTED: &str = "a loop that is not counted";
const FORM: &str = "write for (var i = 0; i < N; i++), where N is a constant or sight_count()";

/// Refuses loops that are not counted, and loops with too many iterations.
pub fn check(source: Source<'_>) -> Result<(), Fault> {
    let mut known = HashMap::new();
    // A function comes after the functions that it calls.
    for each in source.all_functions() {
        let author = Author::of(source, &each);
        let turns = Loops { source, function: each.function, author, known: &known }.block(&each.function.body)?;
        if turns.all > MAX_TURNS && author != Author::Generated {
            let problem = format!("the loops of `{}` turn {} times", each.name(), turns.all);
            return Err(Fault::new(each.span, problem, format!("at most {MAX_TURNS} turns in all")));
        }
        let turns = Turns { are_users: turns.are_users || author == Author::User && turns.all > 0, ..turns };
        known.extend(each.handle().map(|handle| (handle, turns)));
    }
    Ok(())
}

/// The author of a function. The bounds of its loops depend on the author.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Author {
    /// The function is in the kernel's text and is not built in. Every loop must be counted.
    User,
    /// The function is in the kernel's text and equal to a function of the built-in kernel. The iterations of its loops
    /// depend on the swarm or the picture.
    BuiltIn,
    /// The function is in the text around the kernel. Its loops are counted, or their iterations depend on the swarm or
    /// the picture.
    Generated,
}

impl Author {
    fn of(source: Source<'_>, each: &WgslFunction<'_>) -> Self {
        match each.handle() {
            Some(_) if !source.is_own(each.span) => Self::Generated,
            _ if source.is_built_in(each.name()) => Self::BuiltIn,
            _ => Self::User,
        }
    }
}

/// A variable and the expression stored to it.
type Assignment = (Handle<LocalVariable>, Handle<Expression>);

/// The numbers of iterations of loops.
#[derive(Debug, Clone, Copy, Default)]
struct Turns {
    /// The maximum product of the iterations of nested loops.
    nested: u64,
    /// The sum of the iterations of all loops.
    all: u64,
    /// The product of the iterations of the counted loops around a loop whose iterations depend on the swarm or the
    /// picture: 1 if no loop is around this loop, 0 if there is no such loop.
    around_uncounted: u64,
    /// Whether some of the loops are in a function of the user, or in a function that such a function calls.
    are_users: bool,
}

impl Turns {
    /// A loop whose iterations depend on the swarm or the picture.
    const UNCOUNTED: Self = Self { nested: 0, all: 0, around_uncounted: 1, are_users: false };

    fn and(self, other: Self) -> Self {
        Self {
            nested: self.nested.max(other.nested),
            all: self.all.saturating_add(other.all),
            around_uncounted: self.around_uncounted.max(other.around_uncounted),
            are_users: self.are_users || other.are_users,
        }
    }

    /// These iterations inside a loop with `count` iterations.
    fn within(self, count: u64) -> Self {
        Self {
            nested: count.saturating_mul(self.nested.max(1)),
            all: count.saturating_mul(self.all.saturating_add(1)),
            around_uncounted: count.saturating_mul(self.around_uncounted),
            ..self
        }
    }
}

struct Loops<'a> {
    source: Source<'a>,
    function: &'a Function,
    author: Author,
    known: &'a HashMap<Handle<Function>, Turns>,
}

impl Loops<'_> {
    fn block(&self, block: &Block) -> Result<Turns, Fault> {
        // The last assignment before a statement. A `for` initialises its counter there.
        let mut before = None;
        block.span_iter().try_fold(Turns::default(), |turns, (statement, span)| {
            let more = self.statement(statement, *span, before)?;
            before = match statement {
                Statement::Store { pointer, value } => self.variable(*pointer).zip(Some(*value)),
                Statement::Emit(_) => before,
                _ => None,
            };
            Ok(turns.and(more))
        })
    }

    /// The iterations of blocks one after another.
    fn all(&self, blocks: &[&Block]) -> Result<Turns, Fault> {
        blocks.iter().try_fold(Turns::default(), |turns, block| Ok(turns.and(self.block(block)?)))
    }

    fn statement(&self, statement: &Statement, span: Span, before: Option<Assignment>) -> Result<Turns, Fault> {
        let turns = match statement {
            Statement::Call { function, .. } => self.known.get(function).copied().unwrap_or_default(),
            Statement::Loop { body, continuing, break_if } => {
                let inner = self.all(&[body, continuing])?;
                let count = match break_if {
                    None => self.count(body, continuing, before),
                    Some(_) => Err(UNCOUNTED),
                };
                match (self.author, count) {
                    (Author::User, Err(problem)) => return Err(Fault::new(span, problem, FORM)),
                    (Author::User, Ok(count)) => inner.within(count),
                    // A loop that is not the user's must not contain the user's loops.
                    _ if inner.are_users => return Err(Fault::new(span, UNCOUNTED, FORM)),
                    (Author::Generated, Ok(count)) => {
                        Turns { around_uncounted: inner.around_uncounted.min(1), ..inner.within(count) }
                    }
                    (Author::Generated, Err(_)) => inner.and(Turns::UNCOUNTED),
                    (Author::BuiltIn, _) => Turns::UNCOUNTED,
                }
            }
            _ => self.all(&blocks(statement))?,
        };
        if self.author == Author::Generated {
            return Ok(turns);
        }
        if turns.around_uncounted > MAX_TURNS_AROUND_UNCOUNTED {
            let problem =
                format!("a loop of {} turns around one that the swarm or the picture bounds", turns.around_uncounted);
            return Err(Fault::new(span, problem, format!("at most {MAX_TURNS_AROUND_UNCOUNTED} turns around it")));
        }
        if turns.nested <= MAX_NESTED_TURNS {
            return Ok(turns);
        }
        let problem = format!("loops that turn {} times", turns.nested);
        Err(Fault::new(span, problem, format!("at most {MAX_NESTED_TURNS} turns, those of nested loops multiplied")))
    }

    /// The maximum number of iterations of a loop, or the reason why it is unknown.
    fn count(&self, body: &Block, continuing: &Block, before: Option<Assignment>) -> Result<u64, &'static str> {
        let (condition, emitted) = self.condition(body).ok_or(UNCOUNTED)?;
        let Expression::Binary { op, left, right } = self.function.expressions[condition] else {
            return Err(UNCOUNTED);
        };
        let (counter, op, bound) = match (self.loaded(left, &emitted), self.loaded(right, &emitted)) {
            (Some(counter), _) => (counter, op, right),
            (None, Some(counter)) => (counter, mirrored(op), left),
            (None, None) => return Err(UNCOUNTED),
        };
        let step = self.step(continuing, counter).ok_or("the loop's counter does not move by a constant")?;
        let most = if step > 0 { self.number(bound).or_else(|| self.most_hunters(bound)) } else { self.number(bound) };
        let bound = most.ok_or("the loop's bound is neither a constant nor sight_count()")?;
        if !self.stored(body, counter).is_empty() {
            return Err("the body assigns the loop's counter");
        }
        let beginnings = self.beginnings(continuing, counter, before).ok_or("the loop does not begin at a constant")?;
        let (lowest, highest) =
            beginnings.iter().fold((i64::MAX, i64::MIN), |(low, high), at| (low.min(*at), high.max(*at)));
        let way = match (op, step > 0) {
            (Operator::Less, true) => bound - lowest,
            (Operator::LessEqual, true) => bound - lowest + 1,
            (Operator::Greater, false) => highest - bound,
            (Operator::GreaterEqual, false) => highest - bound + 1,
            _ => return Err("the loop's counter does not move towards its bound"),
        };
        let turns = (way.max(0) as u64).div_ceil(step.unsigned_abs());
        // The counter must be able to hold the value that ends the loop.
        let end = (if step > 0 { lowest } else { highest }) + step * turns as i64;
        let range = match self.source.module.types[self.function.local_variables[counter].ty].inner {
            naga::TypeInner::Scalar(naga::Scalar::U32) => 0..=i64::from(u32::MAX),
            _ => i64::from(i32::MIN)..=i64::from(i32::MAX),
        };
        if range.contains(&end) { Ok(turns) } else { Err("the loop's counter overflows before it reaches the bound") }
    }

    /// The possible first values of a loop's counter. If a statement just before the loop stores a value, it is this
    /// value. Otherwise they are the initial value, and all values stored outside of the loop's `continuing` block.
    fn beginnings(
        &self,
        continuing: &Block,
        counter: Handle<LocalVariable>,
        before: Option<Assignment>,
    ) -> Option<Vec<i64>> {
        if let Some((_, value)) = before.filter(|(variable, _)| *variable == counter) {
            return Some(vec![self.number(value)?]);
        }
        let first = self.function.local_variables[counter].init.map_or(Some(0), |init| self.number(init));
        let own = self.stored(continuing, counter);
        let others = self.stored(&self.function.body, counter).into_iter().filter(|value| !own.contains(value));
        others.map(|value| self.number(value?)).chain([first]).collect()
    }

    /// The condition for another iteration, which must be the first test in the loop's body, and the expressions that
    /// are evaluated for the condition. `None`: the loop has another form.
    fn condition(&self, body: &Block) -> Option<(Handle<Expression>, Vec<Handle<Expression>>)> {
        let mut emitted = Vec::new();
        for statement in body {
            match statement {
                Statement::Emit(range) => emitted.extend(range.clone()),
                Statement::Call { .. } => {}
                Statement::If { condition, accept, reject } if accept.is_empty() => {
                    let is_end = matches!(reject[..], [Statement::Break]) && emitted.contains(condition);
                    return is_end.then_some((*condition, emitted));
                }
                _ => return None,
            }
        }
        None
    }

    /// The variable that an expression loads. `None`: the expression loads none, or is not one of the `emitted`
    /// expressions.
    fn loaded(&self, expression: Handle<Expression>, emitted: &[Handle<Expression>]) -> Option<Handle<LocalVariable>> {
        match self.function.expressions[expression] {
            Expression::Load { pointer } if emitted.contains(&expression) => self.variable(pointer),
            _ => None,
        }
    }

    fn variable(&self, pointer: Handle<Expression>) -> Option<Handle<LocalVariable>> {
        match self.function.expressions[pointer] {
            Expression::LocalVariable(variable) => Some(variable),
            _ => None,
        }
    }

    /// The change of a loop's counter in each iteration.
    fn step(&self, continuing: &Block, counter: Handle<LocalVariable>) -> Option<i64> {
        let mut emitted = Vec::new();
        let mut step = None;
        for statement in continuing {
            match statement {
                Statement::Emit(range) => emitted.extend(range.clone()),
                Statement::Store { pointer, value } if step.is_none() && self.variable(*pointer) == Some(counter) => {
                    let Expression::Binary { op, left, right } = self.function.expressions[*value] else { return None };
                    let is_counter = |side| emitted.contains(value) && self.loaded(side, &emitted) == Some(counter);
                    step = match op {
                        Operator::Add if is_counter(left) => self.number(right),
                        Operator::Add if is_counter(right) => self.number(left),
                        Operator::Subtract if is_counter(left) => self.number(right).map(|step| -step),
                        _ => None,
                    };
                    step?;
                }
                _ => return None,
            }
        }
        step.filter(|step| *step != 0)
    }

    /// The values that a block stores to a variable. `None` in the list stands for any value, which a function that
    /// gets the variable's address may store.
    fn stored(&self, block: &Block, variable: Handle<LocalVariable>) -> Vec<Option<Handle<Expression>>> {
        let is_it = |pointer: &Handle<Expression>| self.variable(*pointer) == Some(variable);
        let stored = statements(block).into_iter().flat_map(|(statement, _)| match statement {
            Statement::Store { pointer, value } if is_it(pointer) => vec![Some(*value)],
            Statement::Call { arguments, .. } => arguments.iter().filter(|given| is_it(given)).map(|_| None).collect(),
            _ => Vec::new(),
        });
        stored.collect()
    }

    /// The maximum number of hunters, if an expression loads the number of hunters in a generated function.
    fn most_hunters(&self, expression: Handle<Expression>) -> Option<i64> {
        let module = self.source.module;
        let Expression::Load { pointer } = self.function.expressions[expression] else { return None };
        let Expression::AccessIndex { base, index } = self.function.expressions[pointer] else { return None };
        let Expression::GlobalVariable(variable) = self.function.expressions[base] else { return None };
        let naga::TypeInner::Struct { members, .. } = &module.types[module.global_variables[variable].ty].inner else {
            return None;
        };
        let is_number = members.get(index as usize)?.name.as_deref() == Some("hunter_count");
        (self.author == Author::Generated && is_number).then_some(MAX_HUNTERS as i64)
    }

    /// The value of an expression that consists of constants and of numbers of the sight.
    fn number(&self, expression: Handle<Expression>) -> Option<i64> {
        self.number_within(expression, DEEPEST)
    }

    /// The value of such an expression. `steps`: the maximum depth of the expression.
    fn number_within(&self, expression: Handle<Expression>, steps: u32) -> Option<i64> {
        let steps = steps.checked_sub(1)?;
        let number = |expression| self.number_within(expression, steps);
        match &self.function.expressions[expression] {
            Expression::Constant(constant) => self.source.number(*constant),
            Expression::CallResult(function) => self.source.sight_number(*function),
            Expression::As { expr, kind: naga::ScalarKind::Uint | naga::ScalarKind::Sint, .. } => {
                number(*expr).filter(|number| (0..=i64::from(i32::MAX)).contains(number))
            }
            Expression::Unary { op: naga::UnaryOperator::Negate, expr } => number(*expr).map(|number| -number),
            Expression::Binary { op, left, right } => {
                let (left, right) = (number(*left)?, number(*right)?);
                let number = match op {
                    Operator::Add => left.checked_add(right),
                    Operator::Subtract => left.checked_sub(right),
                    Operator::Multiply => left.checked_mul(right),
                    Operator::Divide => left.checked_div(right),
                    _ => None,
                };
                // A value below 0 would wrap around as u32, and a value above the maximum as i32.
                number.filter(|number| (0..=i64::from(i32::MAX)).contains(number))
            }
            other => literal(other),
        }
    }
}

/// A comparison with its sides swapped.
fn mirrored(op: Operator) -> Operator {
    match op {
        Operator::Less => Operator::Greater,
        Operator::LessEqual => Operator::GreaterEqual,
        Operator::Greater => Operator::Less,
        Operator::GreaterEqual => Operator::LessEqual,
        other => other,
    }
}
