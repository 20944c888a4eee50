//! The documents agree with the program: links, citations, tables, rules and commands.

use crate::support::adapter;
use crate::support::command::{Folder, repository};
use murmuration::{EngineChoice, Overrides, Preset, Simulation, files};
use murmuration_core::simulation::replay::ReplayReading;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

fn text(path: impl AsRef<Path>) -> String {
    let path = repository().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of the repository with one of these endings, relative to its root.
fn files_with(endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![repository().to_path_buf()];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let (path, name) = (entry.path(), entry.file_name().into_string().unwrap());
            if entry.file_type().unwrap().is_dir() {
                let is_source = !name.starts_with('.') && !["target", "frames", "out"].contains(&name.as_str());
                waiting.extend(is_source.then_some(path));
            } else if endings.iter().any(|ending| name.ends_with(ending)) {
                found.push(path.strip_prefix(repository()).unwrap().to_path_buf());
            }
        }
    }
    found.sort();
    found
}

/// A Markdown page of the repository.
struct Page {
    path: PathBuf,
    text: String,
}

impl Page {
    fn read(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        Self { text: text(&path), path }
    }

    fn all() -> Vec<Self> {
        files_with(&[".md"]).into_iter().map(Self::read).collect()
    }

    fn name(&self) -> &str {
        self.path.to_str().unwrap()
    }

    /// The lines of prose, without blocks of code.
    fn prose(&self) -> impl Iterator<Item = &str> {
        let mut is_code = false;
        self.text.lines().filter(move |line| {
            let is_fence = line.trim_start().starts_with("```");
            is_code ^= is_fence;
            !is_code && !is_fence
        })
    }

    /// The code blocks in a language.
    fn blocks<'a>(&'a self, language: &str) -> impl Iterator<Item = &'a str> {
        let begin = format!("```{language}\n");
        let blocks = self.text.split(begin.as_str()).skip(1).map(|rest| rest.split("\n```").next().unwrap());
        blocks.collect::<Vec<_>>().into_iter()
    }

    fn headings(&self) -> impl Iterator<Item = &str> {
        let levels = self.prose().filter_map(|line| line.split_once(' '));
        levels.filter(|(level, _)| !level.is_empty() && level.bytes().all(|byte| byte == b'#')).map(|(_, title)| title)
    }

    /// The targets of links and pictures.
    fn links(&self) -> impl Iterator<Item = &str> {
        self.prose().flat_map(|line| line.split("](").skip(1)).filter_map(|rest| rest.split(')').next())
    }
}

/// The anchor of a heading on GitHub.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase();
    let kept = kept.chars().filter(|letter| letter.is_alphanumeric() || [' ', '-', '_'].contains(letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

#[test]
fn every_link_of_the_documents_leads_somewhere() {
    let mut count = 0;
    for page in Page::all() {
        let anchors: Vec<String> = page.headings().map(anchor).collect();
        let different: BTreeSet<&String> = anchors.iter().collect();
        assert_eq!(anchors.len(), different.len(), "{} has two headings of one name", page.name());
        for link in page.links().filter(|link| !link.starts_with("https://")) {
            let (path, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = match path {
                "" => page.path.clone(),
                path => page.path.parent().unwrap().join(path),
            };
            assert!(repository().join(&target).exists(), "{}: nothing is at {link}", page.name());
            if !heading.is_empty() {
                let there = Page::read(target);
                assert!(there.headings().any(|own| anchor(own) == heading), "{}: no heading {link}", page.name());
            }
            count += 1;
        }
    }
    assert!(count > 200, "{count} links");
}

/// Comments cite pages as `docs/model.md, Falcons`: a page and one of its headings.
#[test]
fn every_citation_of_a_page_names_one_of_its_headings() {
    let mut count = 0;
    for path in files_with(&[".rs", ".wgsl"]).into_iter().filter(|path| !path.ends_with(file!())) {
        let text = text(&path);
        let place = |at: usize| format!("{}:{}", path.display(), text[..at].lines().count());
        for (at, _) in text.match_indices("docs/").filter(|(at, _)| !text[..*at].ends_with("../")) {
            let Some((name, rest)) = text[at..].split_once(".md") else { continue };
            if name.contains(|letter: char| letter != '/' && letter != '_' && !letter.is_ascii_lowercase()) {
                continue;
            }
            let page = Page::read(format!("{name}.md"));
            let Some(rest) = rest.strip_prefix(", ") else { continue };
            let cited = rest.split('`').next().unwrap();
            assert!(page.headings().any(|heading| heading == cited), "{}: {name}.md has no {cited:?}", place(at));
            count += 1;
        }
        let old = text.find("design, section");
        assert_eq!(old.map(place), None, "pages are cited by their headings");
    }
    assert!(count > 20, "{count} citations");
}

#[test]
fn the_readme_is_short_and_so_is_the_contract() {
    for (path, most) in [("README.md", 180), ("docs/design.md", 250)] {
        let lines = text(path).lines().count();
        assert!(lines <= most, "{path} has {lines} lines; it may have {most}");
    }
}

#[test]
fn the_rules_in_the_documents_are_those_that_are_shipped() {
    for (page, files) in [
        ("README.md", ["wind/wind.wgsl", "wind/wind.toml"].as_slice()),
        ("docs/kernels.md", &["wind/wind.wgsl", "wind/wind.toml", "fountain/fountain.wgsl", "fountain/fountain.toml"]),
    ] {
        for path in files {
            assert!(text(page).contains(&text(format!("examples/{path}"))), "{page} shows another {path}");
        }
    }
}

/// The doc tests of the crate compile and run these programs.
#[test]
fn the_programs_in_the_documents_are_those_of_the_crate() {
    let comments = text("src/lib.rs");
    let comments: Vec<_> = comments.lines().filter_map(|line| line.strip_prefix("//!")).collect();
    let comments: Vec<_> = comments.into_iter().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    let comments = comments.join("\n");
    for page in ["README.md", "docs/library.md"].map(Page::read) {
        let mut programs = page.blocks("rust").peekable();
        assert!(programs.peek().is_some(), "{}", page.name());
        assert!(programs.all(|program| comments.contains(program)), "{} shows another program", page.name());
    }
}

#[test]
fn every_preset_stands_in_the_gallery_with_its_description() {
    let gallery = text("docs/gallery.md");
    let presets: Vec<_> =
        murmuration_core::preset::descriptions(murmuration::host()).filter(|(name, _)| *name != "reference").collect();
    assert!(presets.len() >= 8);
    for (name, description) in presets {
        assert!(gallery.contains(&format!("| `{name}` | {description}")), "{name}: {description}");
    }
}

/// The lines of the code map about a part: the line that begins with its name, and the indented lines below.
fn part_of_map<'a>(map: &'a str, part: &str) -> impl Iterator<Item = &'a str> {
    let mut lines = map.lines().skip_while(move |line| !line.starts_with(&format!("{part}/ "))).peekable();
    assert!(lines.peek().is_some(), "the code map has no {part}/");
    lines.next().into_iter().chain(lines.take_while(|line| line.starts_with("  ")))
}

#[test]
fn the_code_map_names_every_folder_in_its_part() {
    let page = text("CONTRIBUTING.md");
    let map = page.split("## The code").nth(1).unwrap();
    // Each part, with the places of its folders.
    let same =
        ["passes", "shaders", "presets", "src", "examples", "benches", "tests", "docs", ".ci"].map(|name| [name; 2]);
    let crates = [["crates/core", "crates/core/src"], ["crates/gpu", "crates/gpu/src"], ["crates/testing"; 2]];
    for [part, above] in same.into_iter().chain(crates) {
        let lines: Vec<&str> = part_of_map(map, part).collect();
        for entry in std::fs::read_dir(repository().join(above)).unwrap().map(Result::unwrap) {
            let name = format!("{}/", entry.file_name().to_str().unwrap());
            let is_there = lines.iter().any(|line| line.split_whitespace().any(|word| word == name));
            assert!(!entry.path().is_dir() || is_there, "the code map has no {above}/{name} in its part {part}/");
        }
    }
}

/// A line from a document's shell block, shortened for the test.
#[derive(Debug, PartialEq)]
enum ShellLine {
    /// A line to run.
    Play(String),
    /// A command that builds or tests something. It is not run.
    Other(String),
}

/// A command and its comment.
fn without_comment(line: &str) -> (&str, &str) {
    match line.find(" #") {
        Some(at) => (line[..at].trim_end(), line[at..].trim_start()),
        None => (line, ""),
    }
}

/// Reduces a size to at most 96 cells along each axis.
fn shortened_size(size: &str) -> String {
    let extents = size.split('x').map(|extent| extent.parse::<u32>().map_or(extent.into(), |n| n.min(96).to_string()));
    extents.collect::<Vec<String>>().join("x")
}

/// Shortens a command of the program to at most 20 steps and at most 96 cells along each axis.
fn shortened_words(command: &str) -> String {
    let mut words: Vec<String> = command.split_whitespace().map(String::from).collect();
    for index in 1..words.len() {
        let most = |most: u64| move |n: u64| n.min(most).to_string();
        let number = words[index].parse::<u64>();
        let shorter = match (words[index - 1].as_str(), number) {
            ("--steps", Ok(steps)) => Some(most(20)(steps)),
            ("--every", Ok(steps)) => Some(most(10)(steps)),
            ("--size", _) => Some(shortened_size(&words[index])),
            // The encoder may not be installed.
            ("--film", _) => Some(words[index].replace(".mp4", ".gif").replace(".webm", ".gif")),
            _ => None,
        };
        words[index] = shorter.unwrap_or(words[index].clone());
    }
    let has = |words: &[String], option: &str| words.iter().any(|word| word == option);
    let kind = words[1].clone();
    if kind == "sweep" && words[2] != "merge" {
        for (option, value) in [("--steps", "20"), ("--warm-up", "0"), ("--seeds", "1..2")] {
            match words.iter().position(|word| word == option) {
                Some(at) => words[at + 1] = value.into(),
                None => words.extend([option, value].map(String::from)),
            }
        }
    }
    if kind == "atlas" && words[2] == "run" {
        words.push("--dry-run".into());
    }
    // A window needs a display, and a benchmark takes long. Only their arguments, preset, chain and look are checked.
    if kind == "view" {
        words[1] = "render".into();
        if words.get(2).is_none_or(|word| word.starts_with("--")) {
            words.insert(2, "murmuration".into());
        }
        words.extend(["--steps", "1"].map(String::from));
    }
    if kind == "bench" || kind == "replay" && !has(&words, "--json") && !has(&words, "--film") {
        words.push("--help".into());
    }
    if ["view", "render", "compare"].contains(&kind.as_str()) && !has(&words, "--resume") {
        for (option, value) in [("--steps", "20"), ("--size", "96x96")] {
            if !has(&words, option) {
                words.extend([option, value].map(String::from));
            }
        }
        words.extend(["--set", "start.run_in=0"].map(String::from));
    }
    words.join(" ")
}

fn shortened(line: &str) -> ShellLine {
    let (command, comment) = without_comment(line);
    let own = command.trim_start().strip_prefix("target/release/").unwrap_or(command.trim_start());
    if own.starts_with("murmuration ") {
        let words = shortened_words(own);
        let has_to_fail = comment.contains("status 2");
        return ShellLine::Play(if has_to_fail { format!("{words} && exit 1 || [ $? = 2 ]") } else { words });
    }
    let is_other = ["cargo ", "sh ", "python3 ", "pip ", "venv/", "PATH=", "MURMURATION_"]
        .iter()
        .any(|word| own.starts_with(word));
    if is_other { ShellLine::Other(own.into()) } else { ShellLine::Play(command.into()) }
}

/// The shell commands of a page. Files written by `<<'END'` stay unchanged.
fn shell_lines(page: &Page) -> Vec<ShellLine> {
    let mut lines = Vec::new();
    for block in page.blocks("sh") {
        let block = block.replace("\\\n", " ");
        let mut is_file = false;
        for line in block.lines() {
            lines.push(if is_file { ShellLine::Play(line.into()) } else { shortened(line) });
            is_file = if is_file { line != "END" } else { line.ends_with("<<'END'") };
        }
        assert!(!is_file, "{}: a file without an END", page.name());
    }
    lines
}

#[test]
fn commands_of_documents_are_shortened() {
    for (line, short) in [
        (
            "murmuration render fog --steps 900 --size 1024x64x200   # large",
            "render fog --steps 20 --size 96x64x96 --set start.run_in=0",
        ),
        ("murmuration view three", "render three --steps 1 --size 96x96 --set start.run_in=0"),
        (
            "murmuration view --engine gpu",
            "render murmuration --engine gpu --steps 1 --size 96x96 --set start.run_in=0",
        ),
        ("murmuration render --resume a --every 3 --film a.mp4", "render --resume a --every 3 --film a.gif"),
        ("target/release/murmuration bench --all", "bench --all --help"),
        ("murmuration sweep a.toml --seeds 1..9 --out b", "sweep a.toml --seeds 1..2 --out b --steps 20 --warm-up 0"),
        ("murmuration atlas run a.toml --out b", "atlas run a.toml --out b --dry-run"),
        ("murmuration sweep merge b --out b", "sweep merge b --out b"),
        ("murmuration check a.toml # refused: status 2", "check a.toml && exit 1 || [ $? = 2 ]"),
    ] {
        assert_eq!(shortened(line), ShellLine::Play(format!("murmuration {short}")));
    }
    assert_eq!(shortened("cargo build  # once"), ShellLine::Other("cargo build".into()));
    assert_eq!(shortened("mkdir -p my"), ShellLine::Play("mkdir -p my".into()));
}

/// Files, examples, tests and benches in commands that are not run.
#[test]
fn commands_that_build_or_test_name_what_is_there() {
    let mut count = 0;
    let tests: Vec<_> = files_with(&[".rs"]).into_iter().filter(|path| path.starts_with("tests")).collect();
    for page in Page::all() {
        for line in shell_lines(&page) {
            let ShellLine::Other(line) = line else { continue };
            let words: Vec<&str> = line.split_whitespace().skip_while(|word| word.contains('=')).collect();
            let named = |option| words.windows(2).filter(move |pair| pair[0] == option).map(|pair| pair[1]);
            let paths = words
                .iter()
                .filter(|word| word.ends_with(".sh") || word.ends_with("Cargo.toml") || word.ends_with(".py"));
            let missing = |path: &str| !repository().join(path).exists();
            assert!(!paths.clone().any(|path| missing(path)), "{}: {line}", page.name());
            // A package outside of the workspace has its examples beside its page.
            let beside = repository().join(page.name()).with_file_name("examples");
            let has_example = |name: &str| {
                let file = format!("{name}.rs");
                beside.join(&file).exists() || !missing(&format!("examples/{file}"))
            };
            assert!(named("--example").all(has_example), "{}: {line}", page.name());
            assert!(!named("--bench").any(|name| missing(&format!("benches/{name}.rs"))), "{}: {line}", page.name());
            for [_, after] in words.windows(2).filter(|pair| pair[0] == "integration").map(|pair| [pair[0], pair[1]]) {
                let is_module = tests
                    .iter()
                    .any(|path| path.iter().any(|part| Path::new(part).file_stem().is_some_and(|stem| stem == after)));
                let is_test = || tests.iter().any(|path| text(path).contains(&format!("fn {after}")));
                assert!(is_module || is_test(), "{}: {line}", page.name());
            }
            count += 1;
        }
    }
    assert!(count > 10, "{count} commands");
}

/// Copies a folder of the repository into the test's folder.
fn copy(folder: &Folder, path: &Path) {
    for entry in std::fs::read_dir(repository().join(path)).unwrap().map(Result::unwrap) {
        let below = path.join(entry.file_name());
        if entry.path().is_dir() {
            copy(folder, &below);
        } else {
            folder.write(below.to_str().unwrap(), std::fs::read(entry.path()).unwrap());
        }
    }
}

/// A folder with the files that commands name: the examples, and a hunt and a swarm saved from the window.
fn folder_of_a_reader() -> Folder {
    let folder = Folder::new();
    copy(&folder, Path::new("examples"));
    let overrides = Overrides { size: Some((96, 96)), ..Overrides::default() };
    let preset = Preset::load(murmuration::host(), "fog", &overrides).unwrap();
    let chain = preset.load_chain(None).unwrap();
    let mut simulation = Simulation::new(preset, &chain, EngineChoice::Cpu(Default::default())).unwrap();
    simulation.advance(4).unwrap();
    let replay = simulation.read(ReplayReading).unwrap();
    std::fs::create_dir_all(folder.join("home/murmuration")).unwrap();
    for name in ["murmuration-fog-004711.replay.json", "home/murmuration/last-hunt.replay.json"] {
        files::write_replay(&replay, &folder.join(name)).unwrap();
    }
    files::save_checkpoint(&mut simulation, &folder.join("murmuration-fog-004711.checkpoint")).unwrap();
    folder
}

/// Runs the commands of a page in a new folder.
fn play(page: &Page) {
    let played = shell_lines(page).into_iter().filter_map(|line| match line {
        ShellLine::Play(line) => Some(line),
        ShellLine::Other(_) => None,
    });
    let begin =
        "set -eux; program=$1; export HOME=$PWD/home XDG_DATA_HOME=$PWD/home; murmuration() { \"$program\" \"$@\"; }";
    let script = std::iter::once(begin.to_string()).chain(played).collect::<Vec<_>>().join("\n");
    let finished = folder_of_a_reader().shell(&script, &[]);
    assert_eq!(finished.status, Some(0), "{}: the last command fails\n{}\n{}", page.name(), finished.out, finished.err);
}

/// Steps are cut to 20 and sizes to 96. Builds, tests, windows and benchmarks are not run.
#[test]
fn the_commands_of_the_documents_work() {
    if adapter::shared("the commands of the documents").is_none() {
        return;
    }
    let pages: Vec<Page> = Page::all().into_iter().filter(|page| page.blocks("sh").next().is_some()).collect();
    assert!(pages.len() > 5);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
                    play(page);
                }
            });
        }
    });
}
