//! The direction of dependencies (docs/architecture.md, section 1), read from the text of the crates.

use super::command::repository;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The top-level modules of each crate. A module uses those before it alone, so that there is no circle.
const MODULES: [(&str, &[&str]); 3] = [
    (
        "crates/core/src",
        &[
            "error",
            "faults",
            "numbers",
            "readable",
            "random",
            "text",
            "ticket",
            "library",
            "parallel",
            "lanes",
            "vector",
            "world",
            "terrain",
            "falcon",
            "uniform",
            "memory",
            "sight",
            "rules",
            "species",
            "fields",
            "state",
            "state_sums",
            "points",
            "raster",
            "host",
            "contents",
            "cells",
            "individuals",
            "swarm",
            "chain",
            "engine",
            "platform",
            "preset",
            "picture",
            "simulation",
        ],
    ),
    (
        "crates/gpu/src",
        &["fault_injection", "atlas", "shader", "device", "falcons", "cells", "individuals", "look", "backend"],
    ),
    ("src", &["interrupt", "files", "host", "observe", "film", "bench", "compare", "controller", "viewer", "cli"]),
];

/// The files that are compiled for tests only.
const TESTS: [&str; 2] = ["tests.rs", "testing.rs"];

/// The code of each file below a folder, without comments, by its path from there.
fn code(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|ending| ending == "rs")
            && !TESTS.iter().any(|name| path.ends_with(name))
        {
            let text = std::fs::read_to_string(&path).unwrap();
            // Tests may use what the crate may not.
            let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
            let lines = text.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code));
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
            found.insert(name, lines.collect::<Vec<_>>().join("\n"));
        }
    }
    found
}

/// The top-level module to which a file belongs.
fn module(file: &str) -> &str {
    file.split('/').next().unwrap().trim_end_matches(".rs")
}

/// The words that follow `crate::`, be it one path or a list in braces.
fn used(code: &str) -> BTreeSet<&str> {
    let word =
        |text: &'_ str| text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len());
    let mut used = BTreeSet::new();
    for (at, path) in code.match_indices("crate::") {
        // A macro's `$crate` is its own crate too.
        if code[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_') {
            continue;
        }
        let rest = &code[at + path.len()..];
        let Some(list) = rest.strip_prefix('{') else {
            used.insert(&rest[..word(rest)]);
            continue;
        };
        let (mut depth, mut is_first) = (1, true);
        for (index, letter) in list.char_indices() {
            match letter {
                '{' => depth += 1,
                '}' if depth == 1 => break,
                '}' => depth -= 1,
                ',' if depth == 1 => is_first = true,
                _ if is_first && !letter.is_whitespace() => {
                    used.insert(&list[index..index + word(&list[index..])]);
                    is_first = false;
                }
                _ => {}
            }
        }
    }
    used
}

#[test]
fn the_words_after_crate_are_found() {
    let code = "use crate::one::{two, three};\nuse crate::{four::{five, six}, seven as eight,\n    nine};\npub(crate) fn f() { crate::ten(); }";
    assert_eq!(used(code).into_iter().collect::<Vec<_>>(), ["four", "nine", "one", "seven", "ten"]);
}

#[test]
fn every_module_uses_those_before_it_alone() {
    let mut wrong = Vec::new();
    for (folder, modules) in MODULES {
        let files = code(&repository().join(folder));
        let there: BTreeSet<&str> =
            files.keys().map(|file| module(file)).filter(|name| !["lib", "main"].contains(name)).collect();
        assert_eq!(there, modules.iter().copied().collect(), "the modules of {folder}");
        let place = |name: &str| modules.iter().position(|module| *module == name);
        for (file, code) in files.iter().filter(|(file, _)| !["lib.rs", "main.rs"].contains(&file.as_str())) {
            let own = place(module(file));
            wrong.extend(
                used(code)
                    .into_iter()
                    .filter(|name| place(name) > own)
                    .map(|name| format!("{folder}/{file} uses {name}")),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The files whose code has one of these words.
fn with_words(folder: &str, words: &[&str]) -> Vec<String> {
    let files = code(&repository().join(folder));
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let has = |code: &str, word: &str| {
        code.match_indices(word).any(|(at, _)| {
            let goes_on = word.ends_with(is_part) && code[at + word.len()..].starts_with(is_part);
            !(code[..at].ends_with(is_part) || goes_on)
        })
    };
    let found = files.into_iter().filter(|(_, code)| words.iter().any(|word| has(code, word)));
    found.map(|(file, _)| file).collect()
}

#[test]
fn the_core_knows_no_device_no_window_no_file_and_no_clock() {
    let words = ["wgpu", "naga", "winit", "egui", "clap", "image::", "std::fs", "Instant", "SystemTime"];
    assert_eq!(with_words("crates/core/src", &words), Vec::<String>::new());
    let manifest = std::fs::read_to_string(repository().join("crates/core/Cargo.toml")).unwrap();
    for dependency in ["wgpu", "naga", "winit", "image", "egui", "clap"] {
        assert!(!manifest.lines().any(|line| line.starts_with(dependency)), "the core depends on {dependency}");
    }
}

#[test]
fn wgpu_is_named_where_a_device_is_given_or_taken() {
    // The window has a surface; a host can be made on another program's device.
    let mut outside = with_words("src", &["wgpu"]);
    outside.retain(|file| !["viewer", "host"].contains(&module(file)));
    assert_eq!(outside, Vec::<String>::new());
    assert_eq!(with_words("src", &["naga"]), Vec::<String>::new());
    assert!(!with_words("crates/gpu/src", &["wgpu"]).is_empty());
}

#[test]
fn the_crates_depend_on_each_other_in_one_direction() {
    assert_eq!(with_words("crates/core/src", &["murmuration_gpu::", "murmuration::"]), Vec::<String>::new());
    assert_eq!(with_words("crates/gpu/src", &["murmuration::"]), Vec::<String>::new());
}
