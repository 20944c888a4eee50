//! What the README shows is what there is.

use std::path::Path;

fn text(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

#[test]
fn the_rules_in_the_readme_are_those_that_are_shipped() {
    let readme = text("README.md");
    for path in ["wind/wind.wgsl", "wind/wind.toml", "fountain/fountain.wgsl", "fountain/fountain.toml"] {
        assert!(readme.contains(&text(&format!("examples/{path}"))), "the README shows another {path}");
    }
}

#[test]
fn every_preset_stands_in_the_readme_with_its_description() {
    let readme = text("README.md");
    let presets: Vec<_> =
        murmuration::preset::descriptions(murmuration::host()).filter(|(name, _)| *name != "reference").collect();
    assert!(presets.len() >= 8);
    for (name, description) in presets {
        assert!(readme.contains(&format!("| `{name}` | {description}")), "{name}: {description}");
    }
}

#[test]
fn every_file_that_the_readme_links_is_there() {
    let readme = text("README.md");
    let links: Vec<&str> = readme.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(links.len() > 5);
    for link in links.iter().filter(|link| !link.starts_with('#')) {
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(link).exists(), "{link}");
    }
}

/// The lines of the code map that belong to a part: the one that begins with its name, and the indented ones below it.
fn part_of_map<'a>(map: &'a str, part: &str) -> impl Iterator<Item = &'a str> {
    let mut lines = map.lines().skip_while(move |line| !line.starts_with(&format!("{part}/ "))).peekable();
    assert!(lines.peek().is_some(), "the code map has no {part}/");
    lines.next().into_iter().chain(lines.take_while(|line| line.starts_with("  ")))
}

#[test]
fn the_code_map_of_the_readme_names_every_folder_in_its_part() {
    let readme = text("README.md");
    let map = readme.split("## The code").nth(1).unwrap();
    // Each part, and where its folders are.
    let same =
        ["passes", "shaders", "presets", "src", "examples", "benches", "tests", "docs", ".ci"].map(|name| [name; 2]);
    let crates = [["crates/core", "crates/core/src"], ["crates/gpu", "crates/gpu/src"], ["crates/testing"; 2]];
    for [part, above] in same.into_iter().chain(crates) {
        let lines: Vec<&str> = part_of_map(map, part).collect();
        for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(above)).unwrap().map(Result::unwrap) {
            let name = format!("{}/", entry.file_name().to_str().unwrap());
            let is_there = lines.iter().any(|line| line.split_whitespace().any(|word| word == name));
            assert!(!entry.path().is_dir() || is_there, "the code map has no {above}/{name} in its part {part}/");
        }
    }
}
