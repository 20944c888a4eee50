//! Users' kernels: refused kernels with their messages, and accepted kernels.

use crate::input::bad_input::{RULE, is_refused};
use crate::support::command::{Folder, repository};
use murmuration_core::chain::table::Model;
use murmuration_gpu::individuals;
use murmuration_gpu::look;
use murmuration_gpu::shader::check_kernel;

/// A kernel `mine` with this body, which begins on line 2.
fn whole(body: &str) -> String {
    format!("fn mine(cell: Cell) -> Vector {{\n    {body}\n}}\n")
}

#[test]
fn kernels_with_a_mistake_are_refused() {
    let rows = [
        (String::new(), "mine.wgsl: the file has no function `mine`"),
        ("fn yours(cell: Cell) -> Vector { return Vector(0); }".into(), "mine.wgsl: the file has no function `mine`"),
        (whole("return Vector(0)"), "mine.wgsl:3: expected "),
        (whole("return Vector(0, 0, 0, 0);"), "mine.wgsl:2: "),
        (whole("return 0;"), "mine.wgsl:2: `0` is a number, not a Cell or Vector"),
        (whole(""), "mine.wgsl:1: "),
        (whole("return wind(cell);"), "mine.wgsl:2: no definition in scope for identifier: `wind`; define it, or list"),
        (whole("let x = 1.5; return Vector(i32(x));"), "mine.wgsl:2: a float, which no two GPUs need round alike"),
        (whole("return Vector(i32(sqrt(f32(cell.x))));"), "mine.wgsl:2: a float, which no two GPUs"),
        (whole("return Vector(1 / 0);"), "mine.wgsl:2: "),
        (
            whole("let n = cell.x > 0 || cell.y > 0 && cell.x < 5; return Vector(0);"),
            "mine.wgsl:2: `||` and `&&` in one expression without parentheses; write (a || b) && c, or a || (b && c)",
        ),
        (whole("return Vector(2147483648);"), "mine.wgsl:2: "),
        (whole("return mine(cell);"), "mine.wgsl:"),
        (whole("loop { }"), "mine.wgsl:2: a loop that is not counted; write for (var i = 0; i < N; i++)"),
        (whole("discard; return Vector(0);"), "mine.wgsl:2: `discard`, which leaves a cell without a result"),
        (whole("workgroupBarrier(); return Vector(0);"), "mine.wgsl:2: a barrier, or another operation among"),
        (whole("let x = dpdx(1.0); return Vector(0);"), "mine.wgsl:2: a derivative, which only fragment passes have"),
        (whole("if (cell.x) { return cell; }\n    return Vector(0);"), "mine.wgsl:2: "),
        (
            whole("let far = 99999999999999;\n    return Vector(0);"),
            "mine.wgsl:2: 99999999999999 does not fit in 32 bits",
        ),
        (
            whole("let n = perceive(1u, 2u); return Vector(0);"),
            "mine.wgsl:2: `perceive` is given 2 arguments instead of 1",
        ),
        (whole("let p = inside(1u); return Vector(0);"), "mine.wgsl:2: argument 1 of `inside` is not a Cell or Vector"),
        (whole("return cell + 1u;"), "mine.wgsl:2: `cell + 1u` joins a Cell or Vector and a vec2<u32>"),
        (whole("var a: array<i32, 1000000000>; return Vector(a[cell.x]);"), "mine.wgsl:1: type is too large"),
        (
            whole(&format!("return Vector({}1{});", "(".repeat(4000), ")".repeat(4000))),
            "mine.wgsl:2: brackets within more than 60 others; give a part of the expression a name",
        ),
        (whole(&format!("{}{} return Vector(0);", "{".repeat(4000), "}".repeat(4000))), "mine.wgsl:2: "),
        ("fn mine() -> Vector { return Vector(0); }".into(), "its form is fn mine(cell: Cell) -> Vector"),
        ("fn mine(cell: Cell) -> u32 { return 0u; }".into(), "its form is fn mine(cell: Cell) -> Vector"),
        (
            "fn mine(cell: Cell) -> Vector { return Vector(0); }\nfn limit() {}\n".into(),
            "mine.wgsl:2: the name `limit`",
        ),
        ("fn mine(cell: Cell) -> Vector { return Vector(0); }\nfn abs() {}\n".into(), "mine.wgsl:2: the name `abs`"),
        (format!("const EXTENT = 3;\n{}", whole("return Vector(0);")), "mine.wgsl:1: the name `EXTENT` is taken"),
        (format!("var<private> kept: i32;\n{}", whole("kept += 1; return Vector(kept);")), "mine.wgsl:1: a variable"),
        (format!("var<workgroup> kept: i32;\n{}", whole("return Vector(kept);")), "mine.wgsl:1: a variable outside"),
        (
            format!("@group(1) @binding(0) var<uniform> given: i32;\n{}", whole("return Vector(given);")),
            "mine.wgsl:1: a variable outside of a function",
        ),
        (format!("override given: i32;\n{}", whole("return Vector(given);")), "mine.wgsl:1: a variable outside"),
        (format!("enable f16;\n{}", whole("return Vector(0);")), "mine.wgsl:1: the `f16` extension is not supported"),
        (format!("enable telepathy;\n{}", whole("return Vector(0);")), "mine.wgsl:1: "),
        ("\u{feff}\u{202e}".into(), "mine.wgsl: the file has no function `mine`"),
    ];
    let folder = Folder::new();
    folder.write("c.toml", RULE);
    for (kernel, says) in rows {
        folder.write("mine.wgsl", &kernel);
        for checked in ["mine.wgsl", "c.toml"] {
            is_refused(&folder, &["check", checked], &["mine.wgsl", says]);
        }
    }
    folder.write("mine.wgsl", whole("return Vector(1.0);"));
    for dispatch in ["compute", "fragment"] {
        let render = ["render", "droplets", "--chain", "c.toml", "--engine", "gpu", "--dispatch", dispatch];
        let output = ["--steps", "2", "--out", "frames", "--metrics", "run.csv"];
        is_refused(&folder, &[&render[..], &output].concat(), &["mine.wgsl:2: "]);
    }
}

/// The message of `check_kernel` about a kernel `mine`.
fn complaint(text: &str) -> String {
    check_kernel(murmuration::host().library(), "mine.wgsl", "mine", text)
        .map_or_else(|wrong| wrong.to_string(), |()| "sound".into())
}

#[track_caller]
fn assert_says(text: &str, says: &str) {
    let complaint = complaint(text);
    assert!(complaint.contains(says) && !complaint.contains('['), "must say {says:?}: {complaint}\n{text}");
}

/// A rule alone does not name its world. It is valid for flat or for deep worlds.
#[test]
fn a_rule_of_deep_worlds_is_known_by_being_sound_there() {
    for body in [
        "return Vector(0, 0, 1);",
        "return on_axes(place_of(cell)) + control(cell - Cell(0, 0, 1));",
        "let above = density(cell + Cell(0, 0, 1)); return Vector(0, 0, i32(above & 1u));",
        "return Vector(cell.z);",
    ] {
        assert_says(&whole(body), "sound");
    }
    // The error refers to the world for which the rule is written.
    let deep = "let above = density(cell + Cell(0, 0, 1));\n    ";
    let flat = "let right = density(cell + Cell(1, 0));\n    ";
    for (body, says) in [
        ("let x = 1.5;\n    return Vector(i32(x));", "mine.wgsl:4: a float"),
        ("while (cell.x > 0) { }\n    return cell;", "mine.wgsl:4: a loop that is not counted"),
        ("return cell + 1u;", "mine.wgsl:4: `cell + 1u` joins"),
        ("return wind(cell);", "mine.wgsl:4: no definition in scope for identifier: `wind`"),
        ("if (cell.x) { return cell; }\n    return cell;", "mine.wgsl:4: `cell.x` is a condition"),
    ] {
        for before in [deep, flat] {
            assert_says(&whole(&format!("let here = density(cell);\n    {before}{body}")), says);
            // An error outside of the WGSL comes first.
            let says = says.replace(":4:", ":2:");
            if says.contains("a float") || says.contains("a loop") {
                let (first, rest) = body.split_once('\n').unwrap();
                assert_says(&whole(&format!("{first}\n    {before}{rest}")), &says);
            }
        }
    }
    assert_says(
        &whole(&format!("{deep}let z = cell.z;\n    return wind(cell);")),
        "mine.wgsl:4: no definition in scope",
    );
    // A rule for neither world gets the error for flat worlds.
    assert_says(&whole("return Cell(1, 0) + Cell(0, 0, 1);"), "mine.wgsl:2: constructor expects 2 components, found 3");
}

/// A pass names the worlds of its rule. The rule is checked only for these.
#[test]
fn a_rule_is_checked_for_the_worlds_that_its_pass_names() {
    let folder = Folder::new();
    folder.write("mine.wgsl", whole("return Vector(0, 0, 1);"));
    for axes in ["", "axes = [2, 3]\n"] {
        folder.write("c.toml", format!("{RULE}{axes}"));
        is_refused(&folder, &["check", "c.toml"], &["mine.wgsl:2: "]);
    }
    folder.write("c.toml", format!("{}axes = 3\n", RULE.replace("\"cell\"", "\"cell-deep\"")));
    folder.run(&["check", "c.toml", "mine.wgsl"]).succeeded();
    folder.write("mine.wgsl", whole("return Vector(1, 0);"));
    is_refused(&folder, &["check", "c.toml"], &["mine.wgsl:2: "]);
    folder.run(&["check", "mine.wgsl"]).succeeded();
}

#[test]
fn a_kernel_that_writes_a_foreign_cell_is_refused() {
    let says =
        "foreign_write.wgsl:4: `store` belongs to the generated part of the shader; a kernel returns what its own cell";
    let folder = Folder::new();
    let example = repository().join("examples/foreign_write.wgsl");
    is_refused(&folder, &["check", example.to_str().unwrap()], &[says]);
    folder.write("mine.wgsl", std::fs::read_to_string(&example).unwrap().replace("foreign_write", "mine"));
    folder.write("c.toml", RULE);
    let says = ["mine.wgsl:4: `store` belongs to the generated part"];
    is_refused(&folder, &["check", "mine.wgsl"], &says);
    for dispatch in ["compute", "fragment"] {
        let render =
            ["render", "droplets", "--chain", "c.toml", "--engine", "gpu", "--dispatch", dispatch, "--steps", "2"];
        is_refused(&folder, &render, &says);
    }
}

#[test]
fn what_is_generated_is_out_of_reach() {
    let store = "store(cell, Vector(1));";
    assert_says(
        &whole(&format!("if (cell.x > 3) {{ {store} }}\n    return Vector(0);")),
        "mine.wgsl:2: `store` belongs",
    );
    assert_says(
        &format!("fn other(cell: Cell) {{\n    {store}\n}}\n{}", whole("other(cell); return Vector(0);")),
        "mine.wgsl:2: `store` belongs",
    );
    // By an alias of the texture, and by an unused function.
    assert_says(
        &whole("return Vector(i32(textureLoad(density_texture, cell, 0).r));"),
        "mine.wgsl:2: `density_texture` belongs",
    );
    assert_says(&whole("return sight_vectors[0].xy;"), "mine.wgsl:2: `sight_vectors` belongs");
    assert_says(
        &format!("fn other(cell: Cell) {{ {store} }}\n{}", whole("return Vector(0);")),
        "mine.wgsl:1: `store` belongs",
    );
    // Names of the generated part, in any declaration.
    for declaration in [
        "  fn store(cell: Cell, written: Vector) {}",
        "alias i32 = u32;",
        "/* */ struct vec2 { x: i32 }",
        "fn textureLoad(t: texture_2d<u32>, place: vec2<i32>, level: i32) -> vec4<u32> { return vec4<u32>(7u); }",
        "fn density(cell: Cell) -> u32 { return 7u; }",
        "const\nTORUS = false;",
    ] {
        assert_says(&format!("{declaration}\n{}", whole("return Vector(0);")), "is taken; choose another");
    }
    assert_says(
        &format!("@compute @workgroup_size(1) fn entry() {{ }}\n{}", whole("return Vector(0);")),
        "mine.wgsl:1: an entry point of its own",
    );
    // Allowed code.
    for body in [
        "return Vector(i32(density(cell)), i32(capacity(cell + Cell(1, 0)))) + control(cell);",
        "return sight(0) * sight_count() + pull(0) * sight_reach() + EXTENT;",
        "return limit(cell, parameters.cruise, ONE) + Vector(quotient(7, 3), i32(parameters.step & 3u));",
        "let amount = 3; var reach = amount; reach += 1; return Vector(reach);",
    ] {
        assert_says(&whole(body), "sound");
    }
}

#[test]
fn loops_are_counted_and_short() {
    let turns =
        |head: &str, body: &str| whole(&format!("var n = 0;\n    for ({head}) {{ {body} }}\n    return Vector(n);"));
    for (head, body) in [
        ("var i = 0; i < 16384; i++", "n += i;"),
        ("var i = 0u; i <= 16383u; i += 1u", "n += i32(i);"),
        ("var i = 100; i > 0; i -= 7", "n += i;"),
        ("var i = -8; 8 >= i; i++", "if (i == 3) { continue; } if (n > 5) { break; }"),
        ("var i = 0; i < sight_count(); i++", "n += sight(i).x; if (n > 9) { return Vector(1); }"),
        ("var i = 0u; i < u32(sight_count() - 1); i++", "n += sight(i32(i)).x;"),
        ("var i = 0; i < 128; i++", "for (var j = -64; j < 64; j++) { n += j; }"),
        ("var i = 0; i < 3; i++", "for (var j = 100; j < 105; j++) { n += j; }"),
        ("var i = 0; i < 0; i++", "n += 1;"),
    ] {
        assert_says(&turns(head, body), "sound");
    }
    for (head, body, says) in [
        ("var i = 0; i < 16385; i++", "n += i;", "mine.wgsl:3: loops that turn 16385 times; at most 16384 turns"),
        (
            "var i = 0; i < 129; i++",
            "for (var j = 0; j < 128; j++) { n += j; }",
            "mine.wgsl:3: loops that turn 16512 times",
        ),
        (
            "var i = 0; i < cell.x; i++",
            "n += i;",
            "mine.wgsl:3: the loop's bound is neither a constant nor sight_count()",
        ),
        ("var i = 0; i < i32(density(cell)); i++", "n += i;", "mine.wgsl:3: the loop's bound is neither"),
        ("var i = cell.x; i < 9; i++", "n += i;", "mine.wgsl:3: the loop does not begin at a constant"),
        ("var i = 0; i < 9; i++", "i = 0;", "mine.wgsl:3: the body assigns the loop's counter"),
        ("var i = 0; i < 9; i++", "if (n > 3) { i -= 1; }", "mine.wgsl:3: the body assigns the loop's counter"),
        ("var i = 0; i < 9; i++", "let p = &i; *p = 0;", "mine.wgsl:3: the body assigns the loop's counter"),
        ("var i = 0; i < 9; i++", "back(&i);", "mine.wgsl:3: the body assigns the loop's counter"),
        ("var i = 0; i < 9; i--", "n += i;", "mine.wgsl:3: the loop's counter does not move towards its bound"),
        ("var i = 0; i < 9; i += cell.x", "n += i;", "mine.wgsl:3: the loop's counter does not move by a constant"),
        ("var i = 0; i < 9; ", "n += i;", "mine.wgsl:3: the loop's counter does not move by a constant"),
        ("var i = 0; ; i++", "n += i;", "mine.wgsl:3: a loop that is not counted"),
        ("var i = 0; i != 9; i += 2", "n += i;", "mine.wgsl:3: the loop's counter does not move towards"),
        (
            "var i = 0u; i >= 0u; i--",
            "n += 1;",
            "mine.wgsl:3: the loop's counter overflows before it reaches the bound",
        ),
        ("var i = 0; i <= 2147483647; i += 1000000", "n += 1;", "mine.wgsl:3: the loop's counter overflows"),
        ("; n < 9; n += 1", "n = 0;", "mine.wgsl:3: the body assigns the loop's counter"),
    ] {
        let back = "fn back(i: ptr<function, i32>) { *i = 0; }\n";
        assert_says(&format!("{}{back}", turns(head, body)), says);
    }
    assert_says(&whole("while (cell.x > 0) { }\n    return Vector(0);"), "mine.wgsl:2: a loop that is not counted");
    assert_says(
        &whole(
            "var i = 0; let stays = i < 3;\n    loop { if (stays) { } else { break; } continuing { i += 1; } }\n    \
             return cell;",
        ),
        "mine.wgsl:3: a loop that is not counted",
    );
    // Loops in called functions, and loops in sequence.
    let inner = "fn inner(n: i32) -> i32 {\n    var sum = 0;\n    for (var i = 0; i < 1000; i++) { sum += n; }\n    \
        return sum;\n}\n";
    let outer = |count: u32| turns(&format!("var i = 0; i < {count}; i++"), "n += inner(i);");
    assert_says(&format!("{}{inner}", outer(16)), "sound");
    assert_says(&format!("{}{inner}", outer(17)), "mine.wgsl:3: loops that turn 17000 times");
    let many = "for (var i = 0; i < 16384; i++) { n += i; } ".repeat(3);
    assert_says(
        &whole(&format!("var n = 0; {many} return Vector(n);")),
        "mine.wgsl:1: the loops of `mine` turn 49152 times",
    );
}

/// `control_of_hunters` and `are_jaws_at` have a loop over the hunters. It counts with the maximum number of hunters,
/// 8.
#[test]
fn loops_of_the_functions_that_a_kernel_calls_count() {
    let calls = |count: u32, call: &str| {
        whole(&format!("var n = 0;\n    for (var i = 0; i < {count}; i++) {{ {call} }}\n    return Vector(n);"))
    };
    for call in ["n += control_of_hunters(place_of(cell)).x;", "n += i32(are_jaws_at(place_of(cell)));"] {
        assert_says(&calls(2048, call), "sound");
        assert_says(&calls(2049, call), "mine.wgsl:3: loops that turn 16392 times; at most 16384 turns");
        assert_says(&calls(16384, call), "mine.wgsl:3: loops that turn 131072 times");
    }
    let through = "fn near(cell: Cell) -> i32 { return i32(are_jaws_at(place_of(cell))); }\n";
    assert_says(&format!("{}{through}", calls(2048, "n += near(cell);")), "sound");
    assert_says(&format!("{}{through}", calls(2049, "n += near(cell);")), "mine.wgsl:3: loops that turn 16392 times");
    let once = "n += i32(are_jaws_at(place_of(cell)));".repeat(200);
    assert_says(&calls(16, &once), "sound");
    assert_says(&calls(21, &once), "mine.wgsl:1: the loops of `mine` turn 33621 times");
}

/// Each value is computed from two uses of the value before. A check that follows both uses of each value would never
/// end.
#[test]
fn values_that_grow_out_of_each_other_are_no_burden() {
    let doubled = |first: &str, sign: &str| {
        let lines = (1..200).map(|n| format!("let a{n} = a{0} {sign} a{0};", n - 1));
        format!("let a0 = {first};\n    {}", lines.collect::<Vec<_>>().join("\n    "))
    };
    let sums = doubled("0", "+");
    let says = "the loop's bound is neither a constant nor sight_count()";
    assert_says(&whole(&format!("{sums} for (var i = 0; i < a199; i++) {{ }} return Vector(0);")), says);
    let masks = doubled("7u", "&");
    assert_says(&whole(&format!("{masks} return Vector(1 << a199);")), "a shift by a number that may be 32 or more");
}

#[test]
fn shifts_are_by_less_than_32_bits() {
    for shift in [
        "1 << 30u",
        "cell.x << (density(cell) & 31u)",
        "cell.x >> min(density(cell), 31u)",
        "1 << (density(cell) % 32u)",
    ] {
        assert_says(&whole(&format!("return Vector({shift});")), "sound");
    }
    assert_says(&whole("return cell << vec2<u32>(3u, 4u);"), "sound");
    assert_says(&whole("const BITS = 5u; let bits = density(cell) & BITS; return cell << vec2<u32>(bits);"), "sound");
    assert_says(
        &whole("return Vector(cell.x << 32u);"),
        "mine.wgsl:2: a shift by up to 32 bits of a number that has 32",
    );
    assert_says(&whole("return Vector(cell.x << (density(cell) & 63u));"), "mine.wgsl:2: a shift by up to 63 bits");
    assert_says(
        &whole("return Vector(cell.x >> density(cell));"),
        "mine.wgsl:2: a shift by a number that may be 32 or more; hold it below 32, as in x << (n & 31u)",
    );
    assert_says(&whole("var a = 1; a <<= density(cell);\n    return Vector(a);"), "mine.wgsl:2: a shift by a number");
    assert_says(&whole("return Vector(1 << 40u);"), "mine.wgsl:2: 1099511627776 does not fit in an i32");
}

/// A built-in kernel of the look or of the individuals as a user's, with lines added at the beginning of its function.
fn changed(folder: &str, name: &str, lines: &str) -> String {
    let library = murmuration::host().library();
    let text = library.shader(&format!("{folder}/{name}"));
    let body = text.find(&format!("fn {name}(")).and_then(|at| Some(at + text[at..].find("{\n")? + 2)).unwrap();
    let text = format!("{}{lines}\n{}", &text[..body], &text[body..]);
    let checked = match folder {
        "look" => look::shader::check_kernel(library, "mine.wgsl", name, &text),
        _ => individuals::check_file(library, "mine.wgsl", name, &text),
    };
    checked.map_or_else(|wrong| wrong.to_string(), |()| "sound".into())
}

#[test]
fn kernels_of_the_look_and_of_individuals_are_held_to_the_same_loops_and_shifts() {
    for (folder, name, number) in
        [("look", "develop", "pixel.x"), ("look", "fish", "i32(r.x)"), ("individuals", "count", "i32(lane)")]
    {
        for (lines, says) in [
            ("for (var turn = 0; turn < 16384; turn++) { }", "sound"),
            ("let shifted = NUMBER << (u32(NUMBER) & 31u);", "sound"),
            ("for (var turn = 0; turn < 16385; turn++) { }", "loops that turn 16385 times; at most 16384 turns"),
            (
                "for (var turn = 0; turn < NUMBER; turn++) { }",
                "the loop's bound is neither a constant nor sight_count()",
            ),
            ("while (NUMBER > 0) { }", "a loop that is not counted; write for (var i = 0; i < N; i++)"),
            ("for (var turn = 0; turn < 9; turn++) { turn = 0; }", "the body assigns the loop's counter"),
            ("let shifted = NUMBER << u32(NUMBER);", "a shift by a number that may be 32 or more"),
            ("let shifted = NUMBER << (u32(NUMBER) & 63u);", "a shift by up to 63 bits of a number that has 32"),
        ] {
            let said = changed(folder, name, &lines.replace("NUMBER", number));
            assert!(said.contains(says), "{folder}/{name}: must say {says:?}: {said}\n{lines}");
            assert!(said == "sound" || said.starts_with("mine.wgsl:"), "{said}");
        }
    }
    // The loops of a built-in function are bounded by the picture and the swarm. It may stay as it is, unless it calls
    // a changed function with loops.
    assert_eq!(changed("individuals", "steer_grid", "let other = 3;"), "sound");
    let says = "the loop's bound is neither a constant nor sight_count()";
    assert!(changed("look", "gather_light", "let other = 3;").contains(says));
    let library = murmuration::host().library();
    let slow = library
        .shader("individuals/steer_grid")
        .replace("        gather(sums, ", "        for (var turn = 0; turn < 9; turn++) { }\n        gather(sums, ");
    let wrong = individuals::check_file(library, "mine.wgsl", "steer_grid", &slow).unwrap_err().to_string();
    assert!(wrong.contains(says), "{wrong}");
}

/// `check` recognises a kernel by its types, whatever its parameters and comments are.
#[test]
fn a_kernel_is_known_by_the_types_of_its_function() {
    let folder = Folder::new();
    let [plain, short] = ["p: vec2<i32>) -> vec4<f32>", "p: vec2i,) -> vec4f"];
    for header in [plain, short, "/* at */ p /* . */ : vec2<i32>) -> vec4<f32>"] {
        let text = format!(
            "// fn ink(cell: Cell) -> Vector\nfn ink({header} {{\n    return vec4<f32>(vec2<f32>(p), 0.0, 1.0);\n}}\n"
        );
        folder.write("ink.wgsl", text);
        let run = folder.run(&["check", "ink.wgsl"]);
        assert_eq!(run.status, Some(0), "{header}: {run:?}");
    }
    folder.write(
        "ink.wgsl",
        "// fn ink(pixel: vec2<i32>) -> vec4<f32>\nfn ink(pixel: Cell) -> Vector {\n    return pixel;\n}\n",
    );
    folder.run(&["check", "ink.wgsl"]).succeeded();
    // An integer is not a colour, and a kernel of the cells has no floats.
    folder.write("ink.wgsl", "fn ink(p: Cell) -> Vector {\n    return Vector(i32(1.5 * f32(p.x)));\n}\n");
    let wrong = folder.run(&["check", "ink.wgsl"]);
    assert!(wrong.complaint().contains("a float"), "{wrong:?}");
}

/// The generated code around a kernel has loops too. The swarm bounds some of them.
#[test]
fn loops_around_what_the_swarm_bounds_are_short() {
    let around = |count: u32, call: &str| {
        let lines = format!("for (var turn = 0; turn < {count}; turn++) {{ {call} }}");
        changed("individuals", "steer_grid", &lines)
    };
    let sums = "let other = sum_around(Vector3(0), Vector3(0), 0u);";
    assert_eq!(around(8, sums), "sound");
    let says = "a loop of 9 turns around one that the swarm or the picture bounds; at most 8 turns around it";
    assert!(around(9, sums).contains(says), "{}", around(9, sums));
    let jaws = "let other = are_jaws_at_species(0u, Vector3(0));";
    assert_eq!(around(2048, jaws), "sound");
    assert!(around(2049, jaws).contains("loops that turn 16392 times"), "{}", around(2049, jaws));
}

/// A changed line in a built-in kernel makes the loops of that function a user's loops, and no others.
#[test]
fn a_kernel_with_another_line_is_refused_for_loops_of_that_function_alone() {
    let library = murmuration::host().library();
    let mut sound = 0;
    for (folder, model) in [("individuals", Model::Individuals), ("look", Model::Look)] {
        let names = model.table().kernels.iter().map(|kernel| kernel.name);
        for name in names.filter(|name| library.shader(&format!("{folder}/{name}")).contains(&format!("fn {name}("))) {
            let said = changed(folder, name, "let other = 3;");
            println!("{folder}/{name}: {said}");
            let is_of_loop = said.contains("; write for (var i = 0; i < N; i++)");
            assert!(said == "sound" || is_of_loop, "{folder}/{name}: {said}");
            sound += usize::from(said == "sound");
        }
    }
    assert!(sound >= 20, "{sound}");
}

/// One text can be a rule of flat and of deep worlds, if it says so.
#[test]
fn the_wind_of_the_readme_blows_in_flat_and_deep_worlds() {
    if crate::support::adapter::shared("a rule of one's own in space").is_none() {
        return;
    }
    let (folder, wind) = (Folder::new(), repository().join("examples/wind/wind.toml").display().to_string());
    for scene in [&["droplets", "--size", "48x31"][..], &["murmuration", "--size", "24x17x12"]] {
        let scene =
            [&["render"], scene, &["--set", "start.run_in=0", "--steps", "9", "--json", "--engine", "gpu"]].concat();
        let hash = |more: &[&str]| {
            let object = folder.run(&[&scene, more].concat()).succeeded().object();
            assert_eq!(object["lost"], 0, "{scene:?} {more:?}");
            object["state_hash"].clone()
        };
        let calm = hash(&[]);
        let [compute, fragment] = ["compute", "fragment"].map(|by| hash(&["--chain", &wind, "--dispatch", by]));
        assert_eq!(compute, fragment, "{scene:?}");
        assert_ne!(compute, calm, "{scene:?}: there is no wind");
    }
    // A flat rule is refused in a deep world.
    let chain = folder.join("flat.toml");
    let text = std::fs::read_to_string(&wind).unwrap().replace("axes = [2, 3]\n", "");
    std::fs::write(&chain, text).unwrap();
    std::fs::copy(repository().join("examples/wind/wind.wgsl"), folder.join("wind.wgsl")).unwrap();
    let refused = folder.run(&["render", "murmuration", "--chain", "flat.toml", "--engine", "gpu", "--steps", "1"]);
    assert!(refused.complaint().starts_with("flat.toml:4: axes: `wind` is not written for deep worlds"), "{refused:?}");
}
