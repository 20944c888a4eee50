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

#[test]
fn the_code_map_of_the_readme_names_every_folder() {
    let readme = text("README.md");
    let map = readme.split("## The code").nth(1).unwrap();
    for above in ["shaders", "crates", "crates/core/src", "crates/gpu/src", "src"] {
        for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(above)).unwrap().map(Result::unwrap) {
            let name = format!("{}/", entry.file_name().to_str().unwrap());
            assert!(!entry.path().is_dir() || map.contains(&name), "the code map has no {above}/{name}");
        }
    }
}
