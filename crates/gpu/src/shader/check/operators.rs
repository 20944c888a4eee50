//! Refuses expressions that naga accepts and other compilers refuse: two binary operators without the parentheses that
//! WGSL requires (naga uses the precedence of C), too deeply nested brackets, and too many operators.
//!
//! The rules come from *WebGPU Shading Language*, section "Expression Grammar Summary":
//!
//! | operators | without parentheses |
//! |---|---|
//! | `*` `/` `%` `+` `-` | mix with each other, and may be operands of a relation |
//! | `<<` `>>` | join two unary expressions, and may be operands of a relation |
//! | `<` `>` `<=` `>=` `==` `!=` | join two sums or shifts; a relation is not an operand of a relation |
//! | `&`, `\|` and `^` | join unary expressions; each operator mixes only with itself |
//! | `&&` and `\|\|` | join relations; each operator mixes only with itself |

use super::Fault;
use murmuration_core::chain::names::{is_word, tokens};
use naga::Span;

/// The maximum depth of nested brackets. Compilers are recursive, and some stop at twice this depth.
const MAX_BRACKETS: usize = 60;
/// The maximum number of operators and dots in an expression, outside its brackets. A compiler recurses once for each
/// of them. Some thousands of recursions overflow a stack of 2 MiB.
const MAX_OPERATORS: usize = 500;

/// The words after which an expression begins.
const BEGINNING: [&str; 6] = ["case", "const_assert", "if", "return", "switch", "while"];
/// The words that begin a template list, in addition to the names of vectors, matrices and textures.
const BEFORE_TEMPLATES: [&str; 5] = ["array", "atomic", "bitcast", "ptr", "var"];
/// The signs with more than one character. The signs with three characters come first.
const SIGNS: [&str; 19] = [
    "<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
];

/// The kinds of binary operators. WGSL has the same rule of parentheses for all operators of a kind.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Arithmetic,
    Shift,
    Relation,
    Bitwise,
    Logical,
}

impl Kind {
    /// The kind of a binary operator. `None`: the sign is not a binary operator.
    fn new(sign: &str) -> Option<Self> {
        Some(match sign {
            "*" | "/" | "%" | "+" | "-" => Self::Arithmetic,
            "<<" | ">>" => Self::Shift,
            "<" | ">" | "<=" | ">=" | "==" | "!=" => Self::Relation,
            "&" | "|" | "^" => Self::Bitwise,
            "&&" | "||" => Self::Logical,
            _ => return None,
        })
    }
}

/// The operators in an expression from its beginning to a token, outside of its brackets.
#[derive(Default)]
struct Operators<'a> {
    last: Option<&'a str>,
    /// The relation after the last logical operator.
    relation: Option<&'a str>,
    logical: Option<&'a str>,
    /// The number of operators, unary operators and dots included.
    count: usize,
    /// Whether the brackets around the expression hold a template list, as in `array<u32, 4>`.
    is_template: bool,
}

impl<'a> Operators<'a> {
    /// Adds the next operator. Returns an earlier operator that needs parentheses beside it.
    fn add(&mut self, operator: &'a str, kind: Kind) -> Option<&'a str> {
        let beside = self.last.replace(operator).filter(|last| {
            let kinds = [Kind::new(last), Some(kind)].map(|kind| kind.unwrap_or(Kind::Arithmetic));
            let is_arithmetic = |kind: Kind| matches!(kind, Kind::Arithmetic | Kind::Shift);
            kinds.contains(&Kind::Bitwise) && *last != operator
                || kinds.contains(&Kind::Shift) && kinds.into_iter().all(is_arithmetic)
        });
        let before = match kind {
            Kind::Relation => self.relation.replace(operator),
            Kind::Logical => {
                self.relation = None;
                self.logical.replace(operator).filter(|logical| *logical != operator)
            }
            _ => None,
        };
        beside.or(before)
    }
}

/// Refuses two operators in one expression if WGSL defines no order for them.
pub fn check(shader: &str) -> Result<(), Fault> {
    let tokens = tokens(shader);
    let (mut around, mut current) = (Vec::new(), Operators::default());
    let (mut before, mut index) = ("", 0);
    while let Some((at, token)) = tokens.get(index).copied() {
        let begins_template = token == "<" && has_template(before);
        let ends_template = token == ">" && current.is_template;
        let is_bracket = begins_template || ends_template;
        let sign = if is_bracket { token } else { sign(&shader[at..]).unwrap_or(token) };
        // Each character of a sign is a token.
        index += if sign == token { 1 } else { sign.len() };
        let operator = Kind::new(sign).filter(|_| !is_bracket);
        current.count += usize::from(operator.is_some() || matches!(sign, "." | "!" | "~"));
        let too_long = |problem, cure| Err(Fault::new(Span::from(at..at + 1), problem, cure));
        if current.count > MAX_OPERATORS {
            return too_long(
                format!("an expression of more than {MAX_OPERATORS} operators"),
                "give a part of it a name",
            );
        }
        match operator {
            None if begins_template || matches!(sign, "(" | "[") => {
                if around.len() == MAX_BRACKETS {
                    let problem = format!("brackets within more than {MAX_BRACKETS} others");
                    return too_long(problem, "give a part of the expression a name");
                }
                around.push(current);
                current = Operators { is_template: begins_template, ..Operators::default() };
            }
            None if ends_template || matches!(sign, ")" | "]") => current = around.pop().unwrap_or_default(),
            None if is_operand(sign) || matches!(sign, "." | "!" | "~") => {}
            None => current = Operators { is_template: current.is_template, ..Operators::default() },
            Some(kind) if is_operand(before) => {
                if let Some(other) = current.add(sign, kind) {
                    return Err(fault(at, other, sign));
                }
            }
            // A unary operator.
            Some(_) => {}
        }
        before = if ends_template { ")" } else { sign };
    }
    Ok(())
}

/// Whether a `<` after a word begins a template list.
fn has_template(word: &str) -> bool {
    let stem = word.trim_end_matches(|last: char| last.is_ascii_digit() || last == 'x');
    let is_sized = stem.len() < word.len() && matches!(stem, "vec" | "mat");
    is_sized || BEFORE_TEMPLATES.contains(&word) || word.starts_with("texture_") && word.ends_with('d')
}

/// Whether a token can be the last token of an operand.
fn is_operand(token: &str) -> bool {
    let is_number = token.starts_with(|first: char| first.is_ascii_digit());
    is_number || matches!(token, ")" | "]") || is_word(token) && !BEGINNING.contains(&token)
}

fn fault(at: usize, first: &str, second: &str) -> Fault {
    let problem = if first == second {
        format!("`{first}` twice in one expression without parentheses")
    } else {
        format!("`{first}` and `{second}` in one expression without parentheses")
    };
    let cure = format!("write (a {first} b) {second} c, or a {first} (b {second} c)");
    Fault::new(Span::from(at..at + second.len()), problem, cure)
}

/// The sign with several characters that begins a text.
fn sign(text: &str) -> Option<&str> {
    let begins = text.starts_with(|first: char| first.is_ascii_punctuation() && first != '_');
    begins.then_some(&SIGNS)?.iter().find(|sign| text.starts_with(**sign)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each operator with the operators that may follow it without parentheses.
    const JOINED: [(&str, &str); 18] = [
        ("||", "|| == != < > <= >= << >> + - * / %"),
        ("&&", "&& == != < > <= >= << >> + - * / %"),
        ("|", "|"),
        ("&", "&"),
        ("^", "^"),
        ("==", "|| && << >> + - * / %"),
        ("!=", "|| && << >> + - * / %"),
        ("<", "|| && << >> + - * / %"),
        (">", "|| && << >> + - * / %"),
        ("<=", "|| && << >> + - * / %"),
        (">=", "|| && << >> + - * / %"),
        ("<<", "|| && == != < > <= >="),
        (">>", "|| && == != < > <= >="),
        ("+", "|| && == != < > <= >= + - * / %"),
        ("-", "|| && == != < > <= >= + - * / %"),
        ("*", "|| && == != < > <= >= + - * / %"),
        ("/", "|| && == != < > <= >= + - * / %"),
        ("%", "|| && == != < > <= >= + - * / %"),
    ];

    fn complaint(expression: &str) -> Option<String> {
        let fault = check(&format!("fn f() {{\n    let x = {expression};\n}}\n")).err()?;
        assert_eq!(fault.span.to_range().map(|range| range.start >= 21), Some(true), "{expression}");
        Some(format!("{}; {}", fault.problem, fault.cure))
    }

    #[test]
    fn operators_join_as_the_standard_says() {
        for (first, joined) in JOINED {
            for (second, _) in JOINED {
                let may_join = joined.split(' ').any(|other| other == second);
                let after_bracket = format!("f(v.x){first}w[3]{second}7u");
                assert_eq!(complaint(&after_bracket).is_none(), may_join, "{after_bracket}");
                // `a < b > c` has a template list.
                for expression in [
                    format!("a {first} b {second} c"),
                    format!("-a {first} !b {second} ~c"),
                    format!("(a {first} b {second} c)"),
                    format!("g(1, a {first} b {second} c)"),
                    format!("x[a {first} b {second} c]"),
                    format!("vec2<i32>(a {first} b {second} c, 3)"),
                ] {
                    let is_template = first == "<" && second.starts_with('>');
                    assert!(is_template || complaint(&expression).is_none() == may_join, "{expression}");
                }
                for expression in [
                    format!("(a {first} b) {second} c"),
                    format!("a {first} (b {second} c)"),
                    format!("f(a {first} b) {second} c"),
                    format!("v[a {first} b] {second} c"),
                ] {
                    assert_eq!(complaint(&expression), None, "{expression}");
                }
            }
        }
    }

    #[test]
    fn operators_that_are_not_side_by_side_are_seen() {
        for (expression, says) in [
            ("a && b == c || d", "`&&` and `||` in one expression"),
            ("a < b + c < d", "`<` twice in one expression"),
            ("a == b * 2 - 3 != c", "`==` and `!=` in one expression"),
            ("a && (b || c) && d || e", "`&&` and `||` in one expression"),
            ("a | (b & c) & d", "write (a | b) & c, or a | (b & c)"),
            ("a + b << c", "write (a + b) << c, or a + (b << c)"),
            ("array<u32, 4>(1u, 2u, 3u, 4u)[a & b == c]", "`&` and `==`"),
        ] {
            assert!(complaint(expression).is_some_and(|complaint| complaint.contains(says)), "{expression}");
        }
        for expression in [
            "a < b && c < d && e == f",
            "a + b * c - d < e << 2u || f",
            "g(a | b, c & d, e ^ f)",
            "a | b | c",
            "i32(a) << (b & 31u)",
        ] {
            assert_eq!(complaint(expression), None, "{expression}");
        }
    }

    #[test]
    fn long_expressions_are_refused() {
        for (part, last) in [("1 + ", "1"), ("-", "1"), ("!", "a"), ("v.", "x")] {
            let expression = |count: usize| part.repeat(count) + last;
            assert_eq!(complaint(&expression(MAX_OPERATORS)), None, "{part}");
            let refused = complaint(&expression(MAX_OPERATORS + 1)).unwrap_or_default();
            assert!(refused.contains("an expression of more than 500 operators"), "{part}: {refused}");
        }
        let sums = vec!["a + b"; MAX_OPERATORS].join(", ");
        assert_eq!(complaint(&format!("f({sums})")), None);
    }

    #[test]
    fn what_is_no_operator_is_none() {
        for text in [
            "var<private> a: array<vec2<i32>, 3>; \
             fn f(p: ptr<function, array<u32, 4>>) -> vec3<u32> { return vec3<u32>(1u); }",
            "fn f() { var a = 1; a <<= 2u; a |= 3; a &= 4; *p = a & b; *p = a | b; }",
            "fn f() { if (a & b) != 0 { } else if a < b { } for (var i = 0; i < 3; i++) { n |= i; } return -a; }",
            "fn f() { let a: vec2<bool>= b == c; let d = vec2<f32>(1.f < x, y > (z)); let e = a < b; let g = c > d; }",
            "@compute @workgroup_size(8, 8) \
             fn f() { switch a & 3 { case 1, 2: { a = b | c; } default { a = b & c; } } }",
            "/* a || b && c */ // a & b == c\nconst a = 1e-5 + 0x1p-3;",
            "alias A = array<i32, 1 + 2>; fn f() { var a: array<i32, 4>=array<i32, 4>(); let p = &a; let q = &a; }",
        ] {
            assert!(check(text).is_ok(), "{text}: {}", check(text).unwrap_err().problem);
        }
        // The check ends for every text.
        for text in ["", ")", "]>)}{([<", "a < < > & & = |", "/* ", "a | b\u{e9} & \u{2028}c"] {
            let _ = check(text);
        }
    }
}
