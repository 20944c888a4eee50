//! WGSL that naga accepts but the standard refuses, so that other compilers refuse it. It is refused in users' kernels
//! of the cells, the individuals and the look. The built-in shaders pass this check wherever they are assembled.

use murmuration_gpu::individuals;
use murmuration_gpu::look;
use murmuration_gpu::shader::check_kernel;

/// The messages about a kernel of each model, with these lines at the beginning of its function and these functions
/// after it.
fn complaints(lines: &str, functions: &str) -> [String; 3] {
    let library = murmuration::host().library();
    let changed = |path: &str, name: &str| {
        let text = library.shader(path);
        let body = text.find(&format!("fn {name}(")).and_then(|at| Some(at + text[at..].find("{\n")? + 2)).unwrap();
        format!("{}{lines}\n{}\n{functions}", &text[..body], &text[body..])
    };
    let cells = format!("fn mine(cell: Cell) -> Vector {{\n{lines}\n    return Vector(0);\n}}\n{functions}");
    [
        check_kernel(library, "mine.wgsl", "mine", &cells),
        individuals::check_file(library, "mine.wgsl", "count", &changed("individuals/count", "count")),
        look::shader::check_kernel(library, "mine.wgsl", "develop", &changed("look/develop", "develop")),
    ]
    .map(|checked| checked.map_or_else(|wrong| wrong.to_string(), |()| "sound".into()))
}

#[track_caller]
fn assert_says(lines: &str, functions: &str, says: &str) {
    for complaint in complaints(lines, functions) {
        let has_line =
            says == "sound" || complaint.starts_with("mine.wgsl:") && complaint.as_bytes()[10].is_ascii_digit();
        assert!(complaint.contains(says) && has_line, "must say {says:?}: {complaint}\n{lines}\n{functions}");
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
        assert_says(&format!("{GIVEN} let joined = {expression};"), "", &says);
    }
    for expression in
        ["p || (q && r)", "(a & b) == c", "(a | b) & c", "a << (b & 7u)", "(a < b) == p", "a + b * c < 7u"]
    {
        assert_says(&format!("{GIVEN} let joined = {expression};"), "", "sound");
    }
}

#[test]
fn what_else_other_compilers_refuse_is_refused() {
    let nested = |depth: usize| format!("fn other(n: i32) {{ {} {{ }} }}", "if (n == 1) { } else ".repeat(depth));
    let parameters = |count: usize| {
        let list: Vec<_> = (0..count).map(|index| format!("n{index}: i32")).collect();
        format!("fn other({}) {{ }}", list.join(", "))
    };
    let switch = |way: &str| {
        format!("fn other(n: i32) -> i32 {{ switch n {{ case 1: {{ {way} }} default: {{ return 2; }} }} }}")
    };
    let both = "fn both(m: ptr<function, i32>, n: ptr<function, i32>) { *m = *n; }";
    let shown = "fn both(m: ptr<function, i32>, n: ptr<function, i32>) -> i32 { return *m + *n; }";
    for (lines, functions, says) in [
        ("", switch("break;"), "`other` ends without a value on some way through it; end every way with `return`"),
        ("", switch("return 1;"), "sound"),
        ("var n = 1; both(&n, &n);", both.into(), "`both` reaches one variable in two ways, and writes it"),
        ("var n = array<i32, 2>(); both(&n[0], &n[1]);", both.into(), "`both` reaches one variable in two ways"),
        (
            "var n = 1; through(&n);",
            format!("{both} fn through(n: ptr<function, i32>) {{ both(n, n); }}"),
            "`both` reaches one variable in two ways",
        ),
        ("var m = 1; var n = 2; both(&m, &n);", both.into(), "sound"),
        ("var n = 1; let sum = both(&n, &n);", shown.into(), "sound"),
        (
            "let n = 5; let held = clamp(n, 3, 1);",
            String::new(),
            "`clamp` between 3 and 1; write the lesser bound first",
        ),
        ("let n = vec2<i32>(5); let held = clamp(n, vec2<i32>(3), vec2<i32>(1));", String::new(), "`clamp` between 3"),
        ("let n = 5; let held = clamp(n, 1, 3);", String::new(), "sound"),
        (
            "let n = 5u; let bits = extractBits(n, 30u, 5u);",
            String::new(),
            "5 bits from bit 30 on; a number has 32 bits",
        ),
        ("let n = 5u; let bits = insertBits(n, 1u, 30u, 5u);", String::new(), "5 bits from bit 30 on"),
        ("let n = 5u; let bits = extractBits(n, 27u, 5u);", String::new(), "sound"),
        ("", parameters(256), "`other` has 256 parameters; at most 255"),
        ("", parameters(255), "sound"),
        ("var n: array<i32, 1500>; var m: array<i32, 600>;", String::new(), "take 8400 bytes together; at most 8192"),
        ("var n: array<i32, 1400>; var m: array<i32, 600>;", String::new(), "sound"),
        (
            &format!("let n = {}1{};", "(".repeat(61), ")".repeat(61)),
            String::new(),
            "brackets within more than 60 others; give a part of the expression a name",
        ),
        (&format!("let n = {}1{};", "(".repeat(60), ")".repeat(60)), String::new(), "sound"),
        ("", nested(128), "blocks of `other` within more than 127 others"),
        ("", nested(100), "sound"),
    ] {
        assert_says(lines, &functions, says);
    }
}

/// Atomics exist in buffers of the individuals.
#[test]
fn atomics_are_read_and_written_by_their_functions() {
    let count = |lines: &str| complaints(lines, "")[1].clone();
    assert_eq!(count("atomicStore(&account[BEFORE], atomicLoad(&account[BEFORE]));"), "sound");
    let says = "an atomic is assigned as a whole; write atomicStore(&…, …)";
    assert!(count("account[BEFORE] = 1u;").contains(says), "{}", count("account[BEFORE] = 1u;"));
    let says = "atomics are copied; read each by atomicLoad(&…)";
    assert!(count("let all = account;").contains(says), "{}", count("let all = account;"));
}

/// Kernels of individuals that share variables have barriers, and kernels of the look have derivatives. All invocations
/// must reach them, or none.
#[test]
fn all_invocations_come_to_barriers_and_derivatives() {
    let library = murmuration::host().library();
    let block = library.shader("individuals/sum_blocks");
    // The loop is removed, because a user's kernel may not have its bounds.
    let (before, rest) = block.split_once("    for (var k").unwrap();
    let (_, after) = rest.split_once("    atomicAdd(").unwrap();
    let barrier = "    workgroupBarrier();\n";
    let block = format!("{before}    atomicAdd({after}");
    assert_eq!(block.matches(barrier).count(), 1, "{block}");
    let with = |lines: &str, functions: &str| {
        let text = format!("{}\n{functions}", block.replace(barrier, &format!("{lines}\n{barrier}")));
        let checked = individuals::check_file(library, "mine.wgsl", "sum_blocks", &text);
        checked.map_or_else(|wrong| wrong.to_string(), |()| "sound".into())
    };
    let says = "a barrier to which only some invocations may come; move it out of";
    for (lines, functions) in [
        ("if (lane == 0u) { workgroupBarrier(); }", ""),
        ("if (lane == 0u) { return; }", ""),
        ("for (var turn = 0; turn < 9; turn++) { if (lane == u32(turn)) { break; } workgroupBarrier(); }", ""),
        ("var n = 0u; if (lane > 3u) { n = 1u; } if (n == 0u) { workgroupBarrier(); }", ""),
        ("var n = 0u; for (var turn = 0; turn < 9; turn++) { if (n < 5u) { workgroupBarrier(); } n += lane; }", ""),
        ("wait(lane);", "fn wait(n: u32) { if (n > 3u) { workgroupBarrier(); } }"),
        ("if (is_first(lane)) { workgroupBarrier(); }", "fn is_first(n: u32) -> bool { return n == 0u; }"),
        (
            "if (is_first(lane)) { wait(); }",
            "fn is_first(n: u32) -> bool { return n == 0u; } fn wait() { workgroupBarrier(); }",
        ),
        (
            "var n = 0u; assign(&n, lane); if (n > 3u) { workgroupBarrier(); }",
            "fn assign(n: ptr<function, u32>, to: u32) { *n = to; }",
        ),
        ("switch lane { case 0: { workgroupBarrier(); } default: { } }", ""),
    ] {
        assert!(with(lines, functions).contains(says), "{}\n{lines}\n{functions}", with(lines, functions));
    }
    for (lines, functions) in [
        ("if (group.x == 3u) { workgroupBarrier(); }", ""),
        ("if (parameters.step > 3u) { workgroupBarrier(); }", ""),
        ("for (var turn = 0; turn < 9; turn++) { workgroupBarrier(); if (turn == 3) { break; } }", ""),
        ("for (var turn = 0; turn < 9; turn++) { if (lane == u32(turn)) { break; } } workgroupBarrier();", ""),
        ("var n = 0u; if (lane > 3u) { n = 1u; } n = 2u; if (n == 2u) { workgroupBarrier(); }", ""),
        ("wait(group.x);", "fn wait(n: u32) { if (n > 3u) { workgroupBarrier(); } }"),
        (
            "if (lane == 0u) { let other = is_first(lane); } workgroupBarrier();",
            "fn is_first(n: u32) -> bool { if (n == 0u) { return true; } return false; }",
        ),
    ] {
        assert_eq!(with(lines, functions), "sound", "{lines}\n{functions}");
    }
    let says = "a derivative, or a sample of a texture that needs one, to which only some invocations may come";
    let look = |lines: &str| complaints(lines, "")[2].clone();
    let parted = "var d = 0.0; if (pixel.x > 3) { d = dpdx(1.0); }";
    assert!(look(parted).contains(says), "{}", look(parted));
    assert_eq!(look("let d = dpdx(f32(pixel.x));"), "sound");
}
