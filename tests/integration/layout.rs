//! The direction of dependencies (`docs/architecture.md, Layout`), read from the text of the crates.

use crate::support::command::repository;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The crates. `docs/architecture.md` lists their top-level modules in order. A module uses only earlier modules, so
/// there is no cycle.
const CRATES: [&str; 3] = ["crates/core/src", "crates/gpu/src", "src"];

/// The modules of a crate in the order of the table in `docs/architecture.md`.
fn modules_in_order(folder: &str) -> Vec<String> {
    let text = std::fs::read_to_string(repository().join("docs/architecture.md")).unwrap();
    let table =
        text.split(&format!("`{folder}`, in order:\n")).nth(1).unwrap_or_else(|| panic!("no table of {folder}"));
    let rows = table.trim_start().lines().take_while(|line| line.starts_with('|'));
    rows.filter_map(|row| Some(row.strip_prefix("| `")?.split_once('`')?.0.to_string())).collect()
}

/// The files that are compiled only for tests.
const TESTS: [&str; 2] = ["tests.rs", "testing.rs"];

/// The code without comments of each file below a folder, by its path relative to the folder.
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
            // Tests may use modules that the code may not use.
            let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
            let lines = text.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code));
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
            found.insert(name, lines.collect::<Vec<_>>().join("\n"));
        }
    }
    found
}

/// The top-level module of a file.
fn module(file: &str) -> &str {
    file.split('/').next().unwrap().trim_end_matches(".rs")
}

/// The uses of later modules: the file, and the used module.
fn later_uses(rows: &[String], files: &BTreeMap<String, String>) -> Vec<String> {
    let place = |module: &str| rows.iter().position(|row| row == module);
    let mut later = Vec::new();
    for (file, code) in files.iter().filter(|(file, _)| !["lib.rs", "main.rs"].contains(&file.as_str())) {
        let used: BTreeSet<&str> = paths(&path_of(file), code).into_iter().map(|path| path[0]).collect();
        let wrong = used.iter().filter(|used| place(used) > place(module(file)));
        later.extend(wrong.map(|used| format!("{file} uses {used}")));
    }
    later
}

#[test]
fn the_words_after_crate_are_found() {
    let code = "use crate::one::{two, three};\nuse crate::{four::{five, six}, seven as eight,\n    nine};\n\
        pub(crate) fn f() { crate::ten(); }";
    let found: BTreeSet<_> = paths(&["own"], code).into_iter().map(|path| path[0]).collect();
    assert_eq!(found.into_iter().collect::<Vec<_>>(), ["four", "nine", "one", "seven", "ten"]);
}

#[test]
fn a_module_may_not_use_a_later_one() {
    let rows = ["a", "b"].map(String::from);
    let files =
        [("a/mod.rs", "pub mod c;"), ("a/c.rs", "use crate::b::{self, B};"), ("b.rs", "use crate::{a::c::C, other};")];
    let files: BTreeMap<String, String> = files.map(|(file, code)| (file.into(), code.into())).into();
    assert_eq!(later_uses(&rows, &files), ["a/c.rs uses b"]);
}

/// The crate root exports only what a program needs.
#[test]
fn the_root_names_few_items() {
    let root = std::fs::read_to_string(repository().join("src/lib.rs")).unwrap();
    let uses = root.split("\npub use ").skip(1).map(|text| text.split(';').next().unwrap());
    // A re-exported crate does not count.
    let uses = uses.filter(|path| *path != "wgpu");
    let items = uses.map(|path| {
        path.split_once('{')
            .map_or(1, |(_, list)| list.split(',').filter(|item| item.contains(char::is_alphabetic)).count())
    });
    let count: usize = items.sum();
    assert!((20..=80).contains(&count), "{count} items");
}

#[test]
fn every_module_uses_those_before_it_alone() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for folder in CRATES {
        let rows = modules_in_order(folder);
        let files = code(&repository().join(folder));
        let there: BTreeSet<&str> =
            files.keys().map(|file| module(file)).filter(|name| !["lib", "main"].contains(name)).collect();
        assert_eq!(there, rows.iter().map(String::as_str).collect(), "the modules of {folder}");
        count += rows.len();
        wrong.extend(later_uses(&rows, &files).into_iter().map(|wrong| format!("{folder}/{wrong}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count <= 70, "{count} modules");
}

/// A module: the names on the path from the crate root.
type Module<'a> = Vec<&'a str>;

/// The module of a file.
fn path_of(file: &str) -> Module<'_> {
    let mut path: Module<'_> = file.trim_end_matches(".rs").split('/').collect();
    if ["mod", "lib", "main"].contains(path.last().unwrap()) {
        path.pop();
    }
    path
}

/// Splits code into words and the punctuation of paths: `::`, braces, commas, semicolons. Any other character becomes
/// `?`.
fn tokens(code: &str) -> Vec<&str> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let (mut tokens, mut rest) = (Vec::new(), code.trim_start());
    while let Some(first) = rest.chars().next() {
        let length = match first {
            _ if is_part(first) => rest.find(|letter| !is_part(letter)).unwrap_or(rest.len()),
            ':' if rest.starts_with("::") => 2,
            _ => first.len_utf8(),
        };
        let is_known = is_part(first) || ["::", "{", "}", ",", ";"].contains(&&rest[..length]);
        tokens.push(if is_known { &rest[..length] } else { "?" });
        rest = rest[length..].trim_start();
    }
    tokens
}

/// Adds all paths that begin with `path` and continue with these tokens: a single path or a tree in braces.
fn add_paths<'a>(path: &[&'a str], tokens: &[&'a str], found: &mut BTreeSet<Module<'a>>) {
    match tokens {
        ["::", "{", rest @ ..] => {
            let (mut depth, mut is_first) = (0, true);
            for (index, token) in rest.iter().enumerate() {
                match *token {
                    "}" if depth == 0 => break,
                    "}" => depth -= 1,
                    "{" => depth += 1,
                    "," if depth == 0 => is_first = true,
                    word if is_first && depth == 0 => {
                        add_paths(&[path, &[word]].concat(), &rest[index + 1..], found);
                        is_first = false;
                    }
                    _ => {}
                }
            }
        }
        ["::", word, rest @ ..] => add_paths(&[path, &[*word]].concat(), rest, found),
        _ => drop(found.insert(path.to_vec())),
    }
}

/// The paths from the crate root that a module's code names.
fn paths<'a>(own: &[&'a str], code: &'a str) -> BTreeSet<Module<'a>> {
    let tokens = tokens(code);
    let mut found = BTreeSet::new();
    for at in 0..tokens.len() {
        let before = if at == 0 { "" } else { tokens[at - 1] };
        let (path, rest) = match tokens[at] {
            _ if before == "::" => continue,
            "crate" => (Vec::new(), &tokens[at + 1..]),
            "self" => (own.to_vec(), &tokens[at + 1..]),
            "super" => {
                let more = tokens[at + 1..].chunks_exact(2).take_while(|pair| **pair == ["::", "super"]).count();
                (own[..own.len().saturating_sub(1 + more)].to_vec(), &tokens[at + 1 + 2 * more..])
            }
            // A child that is named where it is declared.
            child if before == "use" => ([own, &[child]].concat(), &tokens[at + 1..]),
            _ => continue,
        };
        if rest.first() == Some(&"::") {
            add_paths(&path, rest, &mut found);
        }
    }
    found
}

/// The module to which a path leads. An item that a module re-exports from a child belongs to the child.
fn module_of<'a>(modules: &BTreeMap<Module<'a>, BTreeSet<Module<'a>>>, path: &[&'a str]) -> Option<Module<'a>> {
    let deepest = |path: &[&'a str]| -> Option<Module<'a>> {
        (0..=path.len()).rev().map(|length| path[..length].to_vec()).find(|path| modules.contains_key(path))
    };
    let known = deepest(path)?;
    let name = path.get(known.len());
    let mut below = modules[&known].iter().filter(|given| given.len() > known.len() + 1 && given.starts_with(&known));
    below.find(|given| given.last() == name).map_or(Some(known.clone()), |given| deepest(given))
}

/// The modules that a module uses, directly or through others.
fn reached<'a>(uses: &BTreeMap<&'a str, BTreeSet<&'a str>>, first: &'a str) -> BTreeSet<&'a str> {
    let (mut reached, mut waiting) = (BTreeSet::new(), vec![first]);
    while let Some(next) = waiting.pop() {
        waiting.extend(uses.get(next).into_iter().flatten().filter(|name| reached.insert(**name)));
    }
    reached
}

/// The paths that each module names.
fn modules(files: &BTreeMap<String, String>) -> BTreeMap<Module<'_>, BTreeSet<Module<'_>>> {
    files.iter().map(|(file, code)| (path_of(file), paths(&path_of(file), code))).collect()
}

/// The cycles of modules in each folder: the folder, and the names of the modules.
fn circles(files: &BTreeMap<String, String>) -> BTreeSet<(String, String)> {
    let modules = modules(files);
    // For each folder, the uses between its modules.
    let mut uses: BTreeMap<Vec<&str>, BTreeMap<&str, BTreeSet<&str>>> = BTreeMap::new();
    for (own, paths) in &modules {
        for other in paths.iter().filter_map(|path| module_of(&modules, path)) {
            let shared = own.iter().zip(&other).take_while(|(own, other)| own == other).count();
            if let (Some(from), Some(to)) = (own.get(shared), other.get(shared)) {
                let to = modules.keys().flat_map(|module| module.get(shared)).find(|name| *name == to).unwrap();
                uses.entry(own[..shared].to_vec()).or_default().entry(from).or_default().insert(to);
            }
        }
    }
    let mut found = BTreeSet::new();
    for (folder, uses) in &uses {
        for name in uses.keys() {
            let mut circle: Vec<&str> = reached(uses, name).into_iter().collect();
            circle.retain(|other| reached(uses, other).contains(name));
            if circle.len() > 1 {
                found.insert((folder.join("/"), circle.join(" ")));
            }
        }
    }
    found
}

#[test]
fn circles_are_seen_through_super_and_through_what_is_handed_on() {
    let files =
        |files: &[(&str, &str)]| files.iter().map(|(file, code)| (file.to_string(), code.to_string())).collect();
    let circle = |files: BTreeMap<String, String>| circles(&files).into_iter().collect::<Vec<_>>();
    let one = ("a/mod.rs", "mod b;\nmod c;\npub use b::{B, Other};\nuse c::C;");
    // A child may use items that its parent declares.
    assert_eq!(circle(files(&[one, ("a/b.rs", "use super::Parent;"), ("a/c.rs", "use super::{B};")])), []);
    let known = [("a".to_string(), "b c".to_string())];
    for [b, c] in [
        ["use super::c::C;", "use super::b::B;"],
        ["use super::{Parent, c::{C, D}};", "use super::B;"],
        ["fn f() { crate::a::c::f() }", "use crate::{other, a::{Parent, Other}};"],
    ] {
        assert_eq!(circle(files(&[one, ("a/b.rs", b), ("a/c.rs", c)])), known, "{b} {c}");
    }
    assert_eq!(
        circle(files(&[
            one,
            ("a/b/deep.rs", "use super::super::c::C;"),
            ("a/b/mod.rs", ""),
            ("a/c.rs", "use super::B;")
        ])),
        known
    );
}

#[test]
fn the_modules_of_a_folder_use_each_other_in_no_circle() {
    let mut found = BTreeSet::new();
    for folder in CRATES {
        for (within, circle) in circles(&code(&repository().join(folder))) {
            found.insert((format!("{folder}/{within}"), circle));
        }
    }
    assert!(found.is_empty(), "circles: {found:#?}");
}

/// The files whose code contains one of these words.
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
    // The window has a surface. A host can be made on another program's device, and the crate root re-exports wgpu for
    // such programs.
    let mut outside = with_words("src", &["wgpu"]);
    outside.retain(|file| !["viewer", "host", "lib"].contains(&module(file)));
    assert_eq!(outside, Vec::<String>::new());
    assert_eq!(with_words("src", &["naga"]), Vec::<String>::new());
    assert!(!with_words("crates/gpu/src", &["wgpu"]).is_empty());
}

#[test]
fn the_crates_depend_on_each_other_in_one_direction() {
    assert_eq!(with_words("crates/core/src", &["murmuration_gpu::", "murmuration::"]), Vec::<String>::new());
    assert_eq!(with_words("crates/gpu/src", &["murmuration::"]), Vec::<String>::new());
}
