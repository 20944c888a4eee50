//! Users' kernels of individuals: where they are checked.

use super::bad_input::is_refused;
use super::command::Folder;

/// A built-in kernel of the individuals with a part replaced that stands in it once.
fn changed(name: &str, from: &str, to: &str) -> String {
    let text = murmuration::host().library().shader(&format!("agents/{name}"));
    assert_eq!(text.matches(from).count(), 1, "{name}: {from:?}");
    text.replace(from, to)
}

/// Writes the chain `c.toml`, whose kernel `steer_grid` is a file of the user's, and the preset `p.toml`, which is played by it.
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
        is_refused(&folder, &["check", checked], &["steer_grid.wgsl:14: the type of `i` is expected to be `f32`"]);
    }
}
