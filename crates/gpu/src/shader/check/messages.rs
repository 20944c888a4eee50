//! naga's messages in words for people who write kernels, without naga's numbers for types and expressions.

use super::Fault;
use murmuration_core::text::one_line;
use naga::common::wgsl::TypeContext;
use naga::front::wgsl::ParseError;
use naga::proc::TypeResolution;
use naga::valid::{CallError, ComposeError, EntryPointError, ExpressionError, FunctionError, ValidationError};
use naga::{Handle, Module, Span, Type, TypeInner, WithSpan};

const CURE: &str = "mend the WGSL";

/// A message about text that naga cannot parse.
pub fn of_parsing(error: &ParseError, shader: &str, own: usize) -> Fault {
    let span = own_span(error.labels().map(|(span, _)| span), own);
    let message = error.message();
    if message.contains("no definition in scope") {
        return Fault::new(span, message, "define it, or list the field in the chain's `read`");
    }
    if message == "type is too large" {
        // naga does not give the place. The types of the generated part are small, so the fault is in the kernel.
        return Fault::new(Span::new(0, 1), message, "a kernel looks at one cell: take a smaller array");
    }
    if message.starts_with("redefinition of") {
        return Fault::new(span, message.replace("redefinition of", "there is a second"), "give one another name");
    }
    if message.starts_with("automatic conversions cannot convert") {
        // naga's message ends with: `FOUND` to `WANTED`.
        let types: Vec<_> = message.split('`').skip(1).step_by(2).map(in_words).collect();
        if let [found, wanted] = &types[..] {
            return Fault::new(span, format!("{} is {found}, not {wanted}", quoted(span, shader)), CURE);
        }
    }
    if message.starts_with("failed to convert expression to a concrete type") {
        return Fault::new(span, format!("{} does not fit in 32 bits", quoted(span, shader)), "numbers are i32 or u32");
    }
    if message.contains("RHS of shift") {
        return Fault::new(span, "a shift by 32 bits or more", "shift by 31 at most");
    }
    if message.contains("cannot represent the abstract value") {
        // naga's message is: the concrete type `i32` cannot represent the abstract value `2147483648` …
        let quoted: Vec<_> = message.split('`').skip(1).step_by(2).collect();
        if let [kind, value, ..] = quoted[..] {
            return Fault::new(span, format!("{value} does not fit in {}", in_words(kind)), "numbers are i32 or u32");
        }
    }
    Fault::new(span, plain(message), CURE)
}

/// A message about a shader that naga can parse, but that is not valid.
pub fn of_validation(error: &WithSpan<ValidationError>, module: &Module, shader: &str, own: usize) -> Fault {
    let mut spans: Vec<Span> = error.spans().map(|(span, _)| *span).collect();
    spans.sort_by_key(|span| span.to_range().map_or(usize::MAX, |range| range.len()));
    let span = own_span(spans.into_iter(), own);
    let quoted = quoted(span, shader);
    let (problem, cure) = match error.as_inner() {
        ValidationError::Function { source, .. }
        | ValidationError::EntryPoint { source: EntryPointError::Function(source), .. } => {
            of_function(source, module, &quoted)
        }
        ValidationError::EntryPoint { .. } => ("the kernel uses what a shader of this kind has not".into(), CURE),
        other => (deepest(other), CURE),
    };
    Fault::new(span, problem, cure)
}

/// The problem and the advice for an error in a function. `{}` in a problem stands for the quotation.
fn of_function(error: &FunctionError, module: &Module, quoted: &str) -> (String, &'static str) {
    let name = |handle: Handle<Type>| in_words(&module.to_ctx().type_to_string(handle));
    let fault = |problem: &str, cure| (problem.replace("{}", quoted), cure);
    match error {
        FunctionError::Expression { source, .. } => of_expression(source, module, quoted),
        FunctionError::InvalidCall { function, error } => {
            let callee = module.functions[*function].name.as_deref().unwrap_or("a function");
            let problem = match error {
                CallError::ArgumentCount { required, seen } => {
                    format!("`{callee}` is given {seen} arguments instead of {required}")
                }
                CallError::ArgumentType { index, required, .. } => {
                    format!("argument {} of `{callee}` is not {}", index + 1, name(*required))
                }
                _ => format!("`{callee}` cannot be called so"),
            };
            (problem, "call it as it is declared")
        }
        FunctionError::InvalidIfType(_) => {
            fault("{} is a condition that is neither true nor false", "compare, as in n != 0")
        }
        FunctionError::InvalidSwitchType(_) => fault("{} is not an integer to switch by", CURE),
        FunctionError::ConflictingSwitchCase(_) | FunctionError::MultipleDefaultCases => {
            fault("a `switch` with one case twice", "take one of them away")
        }
        FunctionError::ConflictingCaseType => {
            fault("a `switch` with cases of several types", "write all as i32 or all as u32")
        }
        FunctionError::MissingDefaultCase => fault("a `switch` without a default", "add default: { }"),
        FunctionError::InvalidReturnType { expected_ty: Some(expected), .. } => {
            (format!("the function does not return {} here", name(*expected)), "return a value of its type")
        }
        FunctionError::InvalidReturnType { expected_ty: None, .. } => {
            fault("the function returns a value, but declares no type for it", "declare it, as in fn f() -> i32")
        }
        FunctionError::InvalidStoreTypes { .. } => {
            fault("{} assigns a value of another type than the variable's", "convert it, as in i32(n)")
        }
        FunctionError::InvalidStorePointer(_) => fault("{} assigns to what is no variable", "declare it with `var`"),
        FunctionError::LocalVariable { name, .. } => {
            (format!("the variable `{name}` cannot have this type or value"), CURE)
        }
        FunctionError::BreakOutsideOfLoopOrSwitch => fault("`break` outside of a loop", "take it away"),
        FunctionError::ContinueOutsideOfLoop => fault("`continue` outside of a loop", "take it away"),
        other => (deepest(other), CURE),
    }
}

fn of_expression(error: &ExpressionError, module: &Module, quoted: &str) -> (String, &'static str) {
    let inner =
        |kind: &TypeInner| in_words(&module.to_ctx().type_resolution_to_string(&TypeResolution::Value(kind.clone())));
    let fault = |problem: &str, cure| (problem.replace("{}", quoted), cure);
    match error {
        ExpressionError::InvalidBinaryOperandTypes { lhs_type, rhs_type, .. } => {
            let problem = format!("{quoted} joins {} and {}", inner(lhs_type), inner(rhs_type));
            (problem, "convert one of them, as in i32(n) or u32(n)")
        }
        ExpressionError::SelectValuesTypeMismatch { accept, reject } => {
            (format!("{quoted} selects between {} and {}", inner(reject), inner(accept)), "give both one type")
        }
        ExpressionError::SelectConditionNotABool { .. } => {
            fault("{} selects by what is neither true nor false", "compare, as in n != 0")
        }
        ExpressionError::IndexOutOfBounds(_, index) => (format!("{quoted} has no element {index}"), "count from 0"),
        ExpressionError::InvalidIndexType(_) => fault("the index in {} is no integer", CURE),
        ExpressionError::Compose(ComposeError::ComponentCount { given, expected }) => {
            (format!("{quoted} has {given} components, not {expected}"), CURE)
        }
        ExpressionError::Compose(_) => fault("{} has a component of another type", "convert it, as in i32(n)"),
        ExpressionError::ShiftAmountTooLarge { .. } => fault("{} shifts by 32 bits or more", "shift by 31 at most"),
        ExpressionError::DivideByZero => fault("{} divides by zero", CURE),
        ExpressionError::InvalidUnaryOperandType(..)
        | ExpressionError::InvalidArgumentType(..)
        | ExpressionError::InvalidCastArgument
        | ExpressionError::WrongArgumentCount(_) => fault("{} is given what it cannot take", CURE),
        other => (deepest(other), CURE),
    }
}

/// The first of these spans that begins within the first `own` bytes of a shader, or else the first span.
fn own_span(spans: impl Iterator<Item = Span>, own: usize) -> Span {
    let mut spans = spans.filter(Span::is_defined).peekable();
    let first = spans.peek().copied().unwrap_or_default();
    spans.find(|span| span.to_range().is_some_and(|range| range.start < own)).unwrap_or(first)
}

/// A piece of a shader as a quotation for a message, or `this` if the piece is empty or has more than 60 characters.
fn quoted(span: Span, shader: &str) -> String {
    let text = span.to_range().and_then(|range| shader.get(range)).map(one_line).unwrap_or_default();
    if (1..=60).contains(&text.chars().count()) { format!("`{text}`") } else { "this".into() }
}

/// The name of a type for people, from naga's name.
fn in_words(name: &str) -> String {
    match name {
        "{AbstractInt}" | "{AbstractFloat}" => "a number".into(),
        "vec2<i32>" => "a Cell or Vector".into(),
        "i32" => "an i32".into(),
        other => format!("a {}", other.replace("{AbstractInt}", "integer").replace("{AbstractFloat}", "float")),
    }
}

/// The message of the deepest cause of an error.
fn deepest(error: &dyn std::error::Error) -> String {
    let mut error = error;
    while let Some(cause) = error.source() {
        error = cause;
    }
    plain(&error.to_string())
}

/// A message of naga, if it can be understood alone. A message with naga's own numbers and types is replaced.
fn plain(message: &str) -> String {
    let has_number =
        message.match_indices('[').any(|(at, _)| message[at + 1..].starts_with(|next: char| next.is_ascii_digit()));
    if has_number || [" { ", "internal WGSL", "Abstract"].iter().any(|part| message.contains(part)) {
        return "this is not sound WGSL".into();
    }
    let mut text = one_line(&message.replace('\n', ", "));
    let begins_with_word = text.chars().nth(1).is_some_and(char::is_lowercase);
    if let Some(first) = text.get_mut(..1).filter(|_| begins_with_word) {
        first.make_ascii_lowercase();
    }
    text
}
