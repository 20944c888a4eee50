//! Checks that all invocations of a group reach every barrier and derivative, or none of them: *WebGPU Shading
//! Language*, section "Uniformity". naga does not check this.
//!
//! The analysis follows the shader from its entries. It knows one bit of each value: whether the value may differ among
//! the invocations of a workgroup or of a draw call. A bit of the control flow says whether invocations may have
//! diverged.

use super::{Fault, blocks};
use naga::{
    AddressSpace, Binding, Block, BuiltIn, EntryPoint, Expression, Function, Handle, LocalVariable, Module,
    SampleLevel, Span, Statement, StorageAccess, SwitchCase, TypeInner,
};
use std::collections::BTreeMap;

/// Refuses a barrier or a derivative that only some invocations may reach.
pub fn check(module: &Module) -> Result<(), Fault> {
    let mut analysis = Analysis { module, known: BTreeMap::new() };
    module.entry_points.iter().try_for_each(|entry| analysis.entry(entry))
}

/// The inputs of a call: the function, whether each argument differs, whether each variable behind an argument differs,
/// and whether invocations have diverged.
type Call = (Handle<Function>, Vec<bool>, Vec<bool>, bool);

struct Analysis<'a> {
    module: &'a Module,
    /// Whether the result of a call differs, and each variable behind an argument after the call.
    known: BTreeMap<Call, (bool, Vec<bool>)>,
}

/// The state within a call of a function. Each bit says whether a value differs.
struct Frame<'a> {
    function: &'a Function,
    arguments: Vec<bool>,
    /// The variables behind arguments that are pointers.
    behind: Vec<bool>,
    locals: BTreeMap<Handle<LocalVariable>, bool>,
    values: BTreeMap<Handle<Expression>, bool>,
    result: bool,
}

impl Analysis<'_> {
    fn entry(&mut self, entry: &EntryPoint) -> Result<(), Fault> {
        let is_common = |binding: &Option<Binding>| {
            matches!(binding, Some(Binding::BuiltIn(BuiltIn::WorkGroupId | BuiltIn::NumWorkGroups)))
        };
        let arguments: Vec<_> = entry.function.arguments.iter().map(|argument| !is_common(&argument.binding)).collect();
        let behind = vec![false; arguments.len()];
        self.play(&entry.function, arguments, behind, false).map(drop)
    }

    /// Follows a function. Returns whether its result differs, and each variable behind an argument.
    fn play(
        &mut self,
        function: &Function,
        arguments: Vec<bool>,
        behind: Vec<bool>,
        parted: bool,
    ) -> Result<(bool, Vec<bool>), Fault> {
        let (locals, values) = (BTreeMap::new(), BTreeMap::new());
        let mut frame = Frame { function, arguments, behind, locals, values, result: false };
        for (local, variable) in function.local_variables.iter() {
            let differs = variable.init.is_some_and(|init| frame.differs(self.module, init));
            frame.locals.insert(local, differs);
        }
        self.block(&mut frame, &function.body, parted)?;
        Ok((frame.result, frame.behind))
    }

    /// Follows a block. Returns whether invocations may have diverged at its end.
    fn block(&mut self, frame: &mut Frame<'_>, block: &Block, mut parted: bool) -> Result<bool, Fault> {
        for (statement, span) in block.span_iter() {
            parted = self.statement(frame, statement, *span, parted)?;
        }
        Ok(parted)
    }

    fn statement(
        &mut self,
        frame: &mut Frame<'_>,
        statement: &Statement,
        span: Span,
        parted: bool,
    ) -> Result<bool, Fault> {
        match statement {
            Statement::Emit(range) => {
                for expression in range.clone() {
                    if parted && needs_all(&frame.function.expressions[expression]) {
                        let span = frame.function.expressions.get_span(expression);
                        return Err(refuse(span, "a derivative, or a sample of a texture that needs one,"));
                    }
                    let differs = frame.value(self.module, expression);
                    frame.values.insert(expression, differs);
                }
            }
            Statement::Block(inner) => return self.block(frame, inner, parted),
            Statement::If { condition, accept, reject } => {
                let inner = parted || frame.differs(self.module, *condition);
                return self.branches(frame, &[accept, reject], parted, inner, &escapes);
            }
            Statement::Switch { selector, cases } => {
                let inner = parted || frame.differs(self.module, *selector);
                let all: Vec<_> = cases.iter().map(|SwitchCase { body, .. }| body).collect();
                return self.branches(frame, &all, parted, inner, &escapes_switch);
            }
            Statement::Loop { body, continuing, break_if } => {
                let inner = self.turns(frame, [body, continuing], *break_if, parted)?;
                return Ok(if returns(body) { inner } else { parted });
            }
            Statement::Return { value } => {
                frame.result |= parted || value.is_some_and(|value| frame.differs(self.module, value));
            }
            Statement::ControlBarrier(_) if parted => return Err(refuse(span, "a barrier")),
            Statement::WorkGroupUniformLoad { result, .. } => {
                if parted {
                    return Err(refuse(span, "`workgroupUniformLoad`"));
                }
                frame.values.insert(*result, false);
            }
            Statement::Store { pointer, value } => {
                let differs = parted || frame.differs(self.module, *value);
                frame.store(self.module, *pointer, differs);
            }
            Statement::Atomic { result: Some(result), .. } => drop(frame.values.insert(*result, true)),
            Statement::Call { function, arguments, result } => {
                let differs = self.call(frame, *function, arguments, parted)?;
                frame.values.extend(result.map(|result| (result, differs)));
            }
            _ => {}
        }
        Ok(parted)
    }

    /// Follows blocks of which each invocation takes one, and joins their states. Invocations that diverged meet again
    /// if no block is left by `break`, `continue` or `return`.
    fn branches(
        &mut self,
        frame: &mut Frame<'_>,
        blocks: &[&Block],
        parted: bool,
        inner: bool,
        escapes: &dyn Fn(&Block) -> bool,
    ) -> Result<bool, Fault> {
        let before = (frame.locals.clone(), frame.behind.clone());
        let mut after: Option<(BTreeMap<_, bool>, Vec<bool>)> = None;
        let mut ends = parted;
        for block in blocks {
            (frame.locals, frame.behind) = before.clone();
            ends |= self.block(frame, block, inner)?;
            if let Some((locals, behind)) = after {
                frame.join(&locals, &behind);
            }
            after = Some((frame.locals.clone(), frame.behind.clone()));
        }
        Ok(if blocks.iter().any(|block| escapes(block)) { ends } else { parted })
    }

    /// Follows a loop until no further value differs. Returns whether invocations may have diverged in it.
    fn turns(
        &mut self,
        frame: &mut Frame<'_>,
        [body, continuing]: [&Block; 2],
        break_if: Option<Handle<Expression>>,
        mut parted: bool,
    ) -> Result<bool, Fault> {
        loop {
            let before = (frame.locals.clone(), frame.behind.clone(), parted);
            parted = self.block(frame, body, parted)?;
            parted = self.block(frame, continuing, parted)?;
            parted |= break_if.is_some_and(|condition| frame.differs(self.module, condition)) || before.2;
            frame.join(&before.0, &before.1);
            if (&frame.locals, &frame.behind, parted) == (&before.0, &before.1, before.2) {
                return Ok(parted);
            }
        }
    }

    /// Follows a call. Returns whether its result differs.
    fn call(
        &mut self,
        frame: &mut Frame<'_>,
        function: Handle<Function>,
        arguments: &[Handle<Expression>],
        parted: bool,
    ) -> Result<bool, Fault> {
        let differ: Vec<_> = arguments.iter().map(|argument| frame.differs(self.module, *argument)).collect();
        let behind: Vec<_> = arguments.iter().map(|argument| frame.contents(self.module, *argument)).collect();
        let call = (function, differ.clone(), behind.clone(), parted);
        let (result, after) = match self.known.get(&call) {
            Some(known) => known.clone(),
            None => {
                let played = self.play(&self.module.functions[function], differ, behind, parted)?;
                self.known.insert(call, played.clone());
                played
            }
        };
        for (argument, differs) in arguments.iter().zip(after) {
            if frame.is_pointer(self.module, *argument) {
                frame.store(self.module, *argument, differs);
            }
        }
        Ok(result)
    }
}

impl Frame<'_> {
    /// Whether a known value differs.
    fn differs(&self, module: &Module, expression: Handle<Expression>) -> bool {
        self.values.get(&expression).copied().unwrap_or_else(|| self.value(module, expression))
    }

    /// Whether the value of an expression differs.
    fn value(&self, module: &Module, expression: Handle<Expression>) -> bool {
        let any = |operands: &[Option<Handle<Expression>>]| {
            operands.iter().flatten().any(|operand| self.differs(module, *operand))
        };
        match &self.function.expressions[expression] {
            Expression::Literal(_) | Expression::Constant(_) | Expression::Override(_) | Expression::ZeroValue(_) => {
                false
            }
            // A pointer to one variable.
            Expression::GlobalVariable(_) | Expression::LocalVariable(_) => false,
            Expression::FunctionArgument(index) => self.arguments[*index as usize],
            Expression::Load { pointer } => self.contents(module, *pointer) || any(&[Some(*pointer)]),
            Expression::Compose { components, .. } => {
                components.iter().any(|component| self.differs(module, *component))
            }
            Expression::Access { base, index } => any(&[Some(*base), Some(*index)]),
            Expression::AccessIndex { base, .. } => any(&[Some(*base)]),
            Expression::Splat { value, .. } => any(&[Some(*value)]),
            Expression::Swizzle { vector, .. } => any(&[Some(*vector)]),
            Expression::Unary { expr, .. } | Expression::As { expr, .. } | Expression::Derivative { expr, .. } => {
                any(&[Some(*expr)])
            }
            Expression::Binary { left, right, .. } => any(&[Some(*left), Some(*right)]),
            Expression::Select { condition, accept, reject } => any(&[Some(*condition), Some(*accept), Some(*reject)]),
            Expression::Relational { argument, .. } => any(&[Some(*argument)]),
            Expression::Math { arg, arg1, arg2, arg3, .. } => any(&[Some(*arg), *arg1, *arg2, *arg3]),
            Expression::ImageSample { coordinate, array_index, depth_ref, .. } => {
                any(&[Some(*coordinate), *array_index, *depth_ref])
            }
            Expression::ImageLoad { coordinate, array_index, sample, level, image } => {
                self.contents(module, *image) || any(&[Some(*coordinate), *array_index, *sample, *level])
            }
            Expression::ImageQuery { .. } | Expression::ArrayLength(_) => false,
            _ => true,
        }
    }

    /// Whether the value in the variable behind a pointer differs.
    fn contents(&self, module: &Module, pointer: Handle<Expression>) -> bool {
        match &self.function.expressions[pointer] {
            Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => self.contents(module, *base),
            Expression::LocalVariable(variable) => self.locals.get(variable).copied().unwrap_or(true),
            Expression::FunctionArgument(index) => self.behind[*index as usize],
            Expression::GlobalVariable(variable) => {
                let variable = &module.global_variables[*variable];
                let is_written = |access: StorageAccess| access.contains(StorageAccess::STORE);
                match (variable.space, &module.types[variable.ty].inner) {
                    (AddressSpace::Uniform, _) => false,
                    (AddressSpace::Storage { access }, _) => is_written(access),
                    (
                        AddressSpace::Handle,
                        TypeInner::Image { class: naga::ImageClass::Storage { access, .. }, .. },
                    ) => is_written(*access),
                    (AddressSpace::Handle, _) => false,
                    _ => true,
                }
            }
            _ => true,
        }
    }

    fn is_pointer(&self, module: &Module, expression: Handle<Expression>) -> bool {
        match &self.function.expressions[expression] {
            Expression::LocalVariable(_) => true,
            Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => self.is_pointer(module, *base),
            Expression::FunctionArgument(index) => {
                let kind = self.function.arguments[*index as usize].ty;
                matches!(module.types[kind].inner, TypeInner::Pointer { .. } | TypeInner::ValuePointer { .. })
            }
            _ => false,
        }
    }

    /// Records a store. A store to a part of a variable leaves the rest unchanged.
    fn store(&mut self, module: &Module, pointer: Handle<Expression>, differs: bool) {
        let (mut whole, mut root, mut differs) = (true, pointer, differs);
        while let Expression::Access { base, .. } | Expression::AccessIndex { base, .. } =
            self.function.expressions[root]
        {
            if let Expression::Access { index, .. } = self.function.expressions[root] {
                differs |= self.differs(module, index);
            }
            (whole, root) = (false, base);
        }
        let known = match &self.function.expressions[root] {
            Expression::LocalVariable(variable) => self.locals.get_mut(variable),
            Expression::FunctionArgument(index) => self.behind.get_mut(*index as usize),
            _ => None,
        };
        if let Some(known) = known {
            *known = differs || !whole && *known;
        }
    }

    /// Joins the state with the state of another path to the same place.
    fn join(&mut self, locals: &BTreeMap<Handle<LocalVariable>, bool>, behind: &[bool]) {
        for (variable, differs) in locals {
            *self.locals.entry(*variable).or_default() |= differs;
        }
        for (own, other) in self.behind.iter_mut().zip(behind) {
            *own |= other;
        }
    }
}

fn refuse(span: Span, what: &str) -> Fault {
    let cure = "move it out of the `if`, `switch` or loop around it, or let no invocation return before it";
    Fault::new(span, format!("{what} to which only some invocations may come"), cure)
}

/// Whether an expression compares neighbouring invocations.
fn needs_all(expression: &Expression) -> bool {
    matches!(
        expression,
        Expression::Derivative { .. }
            | Expression::ImageSample { level: SampleLevel::Auto | SampleLevel::Bias(_), gather: None, .. }
    )
}

/// Whether a block may be left by `return`.
fn returns(block: &Block) -> bool {
    block
        .iter()
        .any(|statement| matches!(statement, Statement::Return { .. }) || blocks(statement).into_iter().any(returns))
}

/// Whether a block may be left before its end.
fn escapes(block: &Block) -> bool {
    block.iter().any(|statement| match statement {
        Statement::Break | Statement::Continue | Statement::Return { .. } => true,
        Statement::Loop { body, continuing, .. } => returns(body) || returns(continuing),
        Statement::Switch { cases, .. } => cases.iter().any(|case| escapes_switch(&case.body)),
        other => blocks(other).into_iter().any(escapes),
    })
}

/// Whether a case may be left by a statement other than `break`.
fn escapes_switch(block: &Block) -> bool {
    block.iter().any(|statement| match statement {
        Statement::Continue | Statement::Return { .. } => true,
        Statement::Loop { body, continuing, .. } => returns(body) || returns(continuing),
        Statement::Switch { cases, .. } => cases.iter().any(|case| escapes_switch(&case.body)),
        other => blocks(other).into_iter().any(escapes_switch),
    })
}
