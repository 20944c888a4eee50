//! Users' kernels of individuals: the places where they are checked, refused kernels with their messages, and accepted
//! kernels.

use crate::input::bad_input::is_refused;
use crate::support::command::Folder;
use crate::support::size;
use murmuration_core::chain::table::Model;
use murmuration_gpu::individuals;

/// A built-in kernel of the individuals with one part replaced.
fn changed(name: &str, from: &str, to: &str) -> String {
    let text = murmuration::host().library().text(&Model::Individuals.table().path(name)).unwrap_or_default();
    assert_eq!(text.matches(from).count(), 1, "{name}: {from:?}");
    text.replace(from, to)
}

/// Writes the chain `c.toml`, whose kernel `steer_grid` is a user's file, and the preset `p.toml` that uses the chain.
fn write_chain_and_preset(folder: &Folder) {
    let library = murmuration::host().library();
    let chain = library.chain("agents-grid").unwrap();
    folder.write("c.toml", chain.replace("kernel = \"steer_grid\"", "kernel = \"steer_grid.wgsl\""));
    let preset = library.preset("school").unwrap();
    folder.write("p.toml", preset.replacen("model = \"agents\"", "model = \"agents\"\nchain = \"c.toml\"", 1));
}

#[test]
fn a_preset_of_individuals_is_checked_with_the_kernels_of_its_chain() {
    let folder = Folder::new();
    write_chain_and_preset(&folder);
    folder.write("steer_grid.wgsl", changed("steer_grid", "let i = ", "let other = 3; let i = "));
    folder.run(&["check", "c.toml", "p.toml"]).succeeded();
    folder.write("steer_grid.wgsl", changed("steer_grid", "let i = ", "let i: f32 = "));
    for checked in ["c.toml", "p.toml"] {
        let line = line_of("steer_grid", "let i = ");
        let says = format!("steer_grid.wgsl:{line}: the type of `i` is expected to be `f32`");
        is_refused(&folder, &["check", checked], &[&says]);
    }
}

/// The message of `check_file` about a text in place of a file of the individuals.
fn complaint(name: &str, text: &str) -> String {
    let checked = individuals::check_file(murmuration::host().library(), "mine.wgsl", name, text);
    checked.map_or_else(|wrong| wrong.to_string(), |()| "sound".into())
}

/// The line of a built-in kernel where a text begins.
fn line_of(name: &str, text: &str) -> usize {
    let kernel = murmuration::host().library().shader(&format!("individuals/{name}"));
    kernel[..kernel.find(text).unwrap()].matches('\n').count() + 1
}

#[track_caller]
fn assert_says(name: &str, text: &str, says: &str) {
    let complaint = complaint(name, text);
    let is_of_file = complaint == "sound" || complaint.starts_with("mine.wgsl:");
    assert!(is_of_file && complaint.contains(says), "{name}: must say {says:?}: {complaint}\n{text}");
}

#[test]
fn kernels_of_individuals_with_a_mistake_are_refused() {
    let begin = "    let i = invocation(group, groups, lane);\n";
    let line = |text: &str| line_of("count", text);
    let after = |text: &str| line(text) + 1;
    let count = |lines: &str| changed("count", begin, &format!("{begin}    {lines}\n"));
    let scatter = |before: &str| format!("{before}\n{}", changed("scatter", begin, begin));
    for (name, text, says) in [
        (
            "count",
            count("let x = f32(lane) * 1.5;"),
            "mine.wgsl:INSERTED: a float, which no two GPUs need round alike; use int",
        ),
        ("count", count("let x = i32(sqrt(f32(lane)));"), "mine.wgsl:INSERTED: a float"),
        ("count", count("let x = bitcast<vec2<f32>>(vec2<u32>(lane));"), "mine.wgsl:INSERTED: a float"),
        ("count", count("let far = 99999999999999;"), "mine.wgsl:INSERTED: 99999999999999 does not fit in 32 bits"),
        ("scatter", scatter("fn half(n: i32) -> f32 { return f32(n) * 0.5; }"), "mine.wgsl:1: a float"),
        ("scatter", scatter(&format!("//{}", " ".repeat(1 << 14))), "mine.wgsl: a kernel of 1"),
        ("scatter", scatter("@compute @workgroup_size(1) fn other() { }"), "mine.wgsl:1: an entry point of its own"),
        ("scatter", scatter("var<private> kept: i32;"), "mine.wgsl:1: a variable outside of a function"),
        ("scatter", scatter("var<workgroup> kept: i32;"), "mine.wgsl:1: a variable outside of a function"),
        ("scatter", scatter("@group(1) @binding(0) var<storage> kept: array<u32>;"), "mine.wgsl:1: a variable outside"),
        ("scatter", scatter("override kept: i32;"), "mine.wgsl:1: a variable outside of a function"),
        ("scatter", scatter("fn abs(a: i32) -> i32 { return a; }"), "mine.wgsl:1: the name `abs` is taken"),
        ("count", count("workgroupBarrier();"), "mine.wgsl:INSERTED: a barrier"),
        ("count", count("storageBarrier();"), "mine.wgsl:INSERTED: a barrier"),
        (
            "scan_cells",
            changed("scan_cells", "    var own", "    scanned[lane] = 1u;\n    var own"),
            "`scanned` belongs",
        ),
        ("count", "".into(), "mine.wgsl: the file has no function `count`"),
        ("count", changed("count", "@compute @workgroup_size(WORKGROUP)", ""), "mine.wgsl:"),
        (
            "count",
            changed("count", "size(WORKGROUP)", "size(32)"),
            "mine.wgsl:ENTRY: `count` is not invoked by workgroups of",
        ),
    ] {
        let says = says.replace("INSERTED", &after(begin).to_string()).replace("ENTRY", &line("fn count").to_string());
        assert_says(name, &text, &says);
    }
    // Declarations of the built-in kernel are allowed, in another form too.
    let tile = changed("steer_brute", "\n@compute", "var<workgroup> tile: array<u32, WORKGROUP>;\n\n@compute");
    assert_says("steer_brute", &tile, "sound");
    assert_says("count", &count("let other = parameters.step & 3u; let whose = own_species;"), "sound");
    assert_says("count", &count("atomicAdd(&account[BEFORE], 0u);"), "sound");
}

#[test]
fn rules_of_individuals_are_held_to_the_same() {
    let begin = "fn alignment_direction(individual: Situation) -> Vector3 {\n";
    let alignment = |lines: &str| changed("alignment", begin, &format!("{begin}    {lines}\n"));
    assert_says("alignment", &alignment("let other = 3;"), "sound");
    for (lines, says) in [
        ("let half = f32(individual.velocity.x) * 0.5;", "a float, which no two GPUs need round alike"),
        ("let other = candidates[0];", "`candidates` belongs to the generated part"),
        (
            "let far = individual.velocity.x << u32(individual.velocity.y);",
            "a shift by a number that may be 32 or more",
        ),
        ("while (individual.velocity.x > 0) { }", "a loop that is not counted"),
    ] {
        assert_says("alignment", &alignment(lines), says);
    }
    let entry = format!("{}@compute @workgroup_size(1) fn other() {{ }}\n", alignment(""));
    assert_says("alignment", &entry, "an entry point of its own");
}

/// A kernel with floats is refused before it reaches a device, with one message wherever it is named.
#[test]
fn a_kernel_of_individuals_with_floats_is_refused_wherever_it_is_named() {
    let folder = Folder::new();
    write_chain_and_preset(&folder);
    let own = "let own = sorted[i];\n";
    folder.write("steer_grid.wgsl", changed("steer_grid", own, &format!("{own}    let x = f32(own.place.x) * 0.1;\n")));
    let line = line_of("steer_grid", own) + 1;
    let says = [format!("steer_grid.wgsl:{line}: a float, which no two GPUs need round alike")];
    let says = says.each_ref().map(String::as_str);
    for checked in ["steer_grid.wgsl", "c.toml", "p.toml"] {
        is_refused(&folder, &["check", checked], &says);
    }
    if crate::support::adapter::shared("a kernel of individuals with floats").is_some() {
        is_refused(&folder, &["render", "p.toml", "--engine", "gpu", "--steps", "2"], &says);
    }
}

/// Another function in a built-in file makes it a user's kernel. It is still valid.
#[test]
fn no_built_in_file_of_the_individuals_breaks_the_rules() {
    // Each is checked in every configuration.
    for (name, text) in Model::Individuals.table().files(murmuration::host().library()).step_by(size(5, 1)) {
        let text = format!("{text}\nfn function_of_a_user(n: i32) -> i32 {{\n    return n + 1;\n}}\n");
        assert_says(name, &text, "sound");
    }
}
