//! Expressions without parentheses that naga accepts and the standard of WGSL forbids. Compilers of browsers refuse
//! such expressions. So the program refuses them in users' kernels of the cells, the individuals and the look.

use murmuration_gpu::individuals;
use murmuration_gpu::look;
use murmuration_gpu::shader::check_kernel;

/// The messages about a kernel of each model, with this line at the beginning of its function.
fn complaints(line: &str) -> [String; 3] {
    let library = murmuration::host().library();
    let changed = |path: &str, name: &str| {
        let text = library.shader(path);
        let body = text.find(&format!("fn {name}(")).and_then(|at| Some(at + text[at..].find("{\n")? + 2)).unwrap();
        format!("{}{line}\n{}", &text[..body], &text[body..])
    };
    let cells = format!("fn mine(cell: Cell) -> Vector {{\n{line}\n    return Vector(0);\n}}\n");
    [
        check_kernel(library, "mine.wgsl", "mine", &cells),
        individuals::check_file(library, "mine.wgsl", "count", &changed("individuals/count", "count")),
        look::shader::check_kernel(library, "mine.wgsl", "develop", &changed("look/develop", "develop")),
    ]
    .map(|checked| checked.map_or_else(|wrong| wrong.to_string(), |()| "sound".into()))
}

#[track_caller]
fn assert_says(line: &str, says: &str) {
    for complaint in complaints(line) {
        let has_line =
            says == "sound" || complaint.starts_with("mine.wgsl:") && complaint.as_bytes()[10].is_ascii_digit();
        assert!(complaint.contains(says) && has_line, "must say {says:?}: {complaint}\n{line}");
    }
}

/// Numbers and conditions that the expressions combine.
const GIVEN: &str = "let a = 5u; let b = 6u; let c = 7u; let p = a < b; let q = b < c; let r = a == c;";

#[test]
fn operators_that_need_parentheses_are_refused() {
    for (expression, first, second) in [
        ("p || q && r", "||", "&&"),
        ("p && q || r", "&&", "||"),
        ("p & q == r", "&", "=="),
        ("p == q == r", "==", "=="),
        ("a | b & c", "|", "&"),
        ("a & b ^ c", "&", "^"),
        ("a + b << c", "+", "<<"),
        ("a << b + c", "<<", "+"),
        ("a << b << c", "<<", "<<"),
        ("a & b + c", "&", "+"),
        ("a * b | c", "*", "|"),
        ("a < b == p", "<", "=="),
        ("p || a < b | q", "<", "|"),
    ] {
        let joined = if first == second {
            format!("`{first}` twice in one expression without parentheses")
        } else {
            format!("`{first}` and `{second}` in one expression without parentheses")
        };
        let says = format!("{joined}; write (a {first} b) {second} c, or a {first} (b {second} c)");
        assert_says(&format!("{GIVEN} let joined = {expression};"), &says);
    }
    for expression in
        ["p || (q && r)", "(a & b) == c", "(a | b) & c", "a << (b & 7u)", "(a < b) == p", "a + b * c < 7u"]
    {
        assert_says(&format!("{GIVEN} let joined = {expression};"), "sound");
    }
}

#[test]
fn brackets_are_nested_at_most_60_times() {
    let nested = |depth: usize| format!("let n = {}1{};", "(".repeat(depth), ")".repeat(depth));
    assert_says(&nested(61), "brackets within more than 60 others; give a part of the expression a name");
    assert_says(&nested(60), "sound");
}
