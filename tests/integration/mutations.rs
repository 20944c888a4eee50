//! Presets, chains and kernels that were damaged at random end in a message or are sound; nothing panics.

use super::command::repository;
use murmuration::chain::Chain;
use murmuration::error::BadInput;
use murmuration::preset::{Overrides, Preset};
use murmuration::shader;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::path::Path;
use std::time::{Duration, Instant};

/// One damage to a text.
#[derive(Debug, Clone)]
enum Damage {
    /// A byte becomes another.
    Byte(Index, u8),
    /// Bytes are taken out.
    Hole(Index, usize),
    /// Two lines change places.
    Lines(Index, Index),
    /// A line stands there twice.
    Twice(Index),
    /// A number becomes another.
    Number(Index, &'static str),
    /// A word becomes another of the same text.
    Word(Index, Index),
}

const NUMBERS: [&str; 20] = [
    "0",
    "1",
    "-1",
    "3",
    "255",
    "256",
    "513",
    "65536",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "0.5",
    "-0.0",
    "1e-320",
    "1e308",
    "1e999",
    "nan",
    "inf",
    "-inf",
];

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        2 => (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Damage::Byte(at, byte)),
        1 => (any::<Index>(), 1..40usize).prop_map(|(at, length)| Damage::Hole(at, length)),
        1 => (any::<Index>(), any::<Index>()).prop_map(|(a, b)| Damage::Lines(a, b)),
        1 => any::<Index>().prop_map(Damage::Twice),
        4 => (any::<Index>(), select(&NUMBERS[..])).prop_map(|(at, number)| Damage::Number(at, number)),
        3 => (any::<Index>(), any::<Index>()).prop_map(|(a, b)| Damage::Word(a, b)),
    ]
}

/// Where the runs of bytes of a kind stand.
fn runs(text: &[u8], is_part: impl Fn(u8) -> bool) -> Vec<std::ops::Range<usize>> {
    let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
    for (at, _) in text.iter().enumerate().filter(|(_, byte)| is_part(**byte)) {
        match runs.last_mut() {
            Some(run) if run.end == at => run.end += 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

fn damaged(text: &str, damages: &[Damage]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for damage in damages {
        if bytes.is_empty() {
            break;
        }
        let lines = runs(&bytes, |byte| byte != b'\n');
        match damage {
            Damage::Byte(at, byte) => *at.get_mut(&mut bytes) = *byte,
            Damage::Hole(at, length) => {
                let at = at.index(bytes.len());
                drop(bytes.drain(at..(at + length).min(bytes.len())));
            }
            Damage::Lines(a, b) if !lines.is_empty() => {
                let (a, b) = (a.get(&lines), b.get(&lines));
                let (first, last) = if a.start < b.start { (a, b) } else { (b, a) };
                let (above, below) = (bytes[first.clone()].to_vec(), bytes[last.clone()].to_vec());
                drop(bytes.splice(last.clone(), above));
                drop(bytes.splice(first.clone(), below));
            }
            Damage::Twice(at) if !lines.is_empty() => {
                let line = at.get(&lines);
                let copy = [&bytes[line.clone()], b"\n"].concat();
                drop(bytes.splice(line.start..line.start, copy));
            }
            Damage::Number(at, number) => {
                let numbers = runs(&bytes, |byte| byte.is_ascii_digit() || byte == b'.');
                if !numbers.is_empty() {
                    drop(bytes.splice(at.get(&numbers).clone(), number.bytes()));
                }
            }
            Damage::Word(from, to) => {
                let words = runs(&bytes, |byte| byte.is_ascii_alphabetic() || byte == b'_');
                if !words.is_empty() {
                    let word = bytes[from.get(&words).clone()].to_vec();
                    drop(bytes.splice(to.get(&words).clone(), word));
                }
            }
            Damage::Lines(..) | Damage::Twice(..) => {}
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The texts of a folder's files with this ending.
fn texts(folder: &str, ending: &str) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(repository().join(folder)).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == ending));
    let read = |path: std::path::PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        (name, std::fs::read_to_string(path).unwrap())
    };
    let mut texts: Vec<_> = paths.map(read).collect();
    texts.sort();
    texts
}

/// Large worlds and many boids are legal, but take a while.
fn is_small(preset: &str) -> bool {
    let Ok(table) = preset.parse::<toml::Table>() else { return true };
    let size = table.get("world").and_then(|world| world.get("size")).and_then(toml::Value::as_array);
    let is_large = |extent: &toml::Value| extent.as_integer().is_some_and(|extent| extent > 512);
    let boids = table.get("start").and_then(|start| start.get("boids")).and_then(toml::Value::as_integer);
    !size.is_some_and(|size| size.iter().any(is_large)) && boids.is_none_or(|boids| boids <= 200_000)
}

fn is_sound_or_said(origin: &str, checked: Result<(), BadInput>, begun: Instant) -> Result<(), TestCaseError> {
    if let Err(wrong) = checked {
        let text = wrong.to_string();
        prop_assert_eq!(text.lines().count(), 1, "{}", text);
        prop_assert!(wrong.origin.contains(origin) && !wrong.problem.is_empty(), "{}", text);
    }
    prop_assert!(begun.elapsed() < Duration::from_secs(10), "it took {:?}", begun.elapsed());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_preset_is_no_panic(
        (name, text) in select(texts("presets", "toml")),
        damages in prop::collection::vec(damage(), 1..5),
    ) {
        let text = damaged(&text, &damages);
        prop_assume!(is_small(&text));
        let begun = Instant::now();
        let origin = format!("presets/{name}.toml");
        let read = Preset::from_text(murmuration::host(), &origin, &text, &Overrides::default());
        is_sound_or_said(&name, read.map(drop), begun)?;
    }

    #[test]
    fn a_damaged_chain_is_no_panic(
        (name, text) in select([texts("passes", "toml"), texts("examples/wind", "toml")].concat()),
        damages in prop::collection::vec(damage(), 1..5),
    ) {
        let text = damaged(&text, &damages);
        let (folder, begun) = (repository().join("examples/wind"), Instant::now());
        let read = Chain::read(murmuration::host().as_ref(), &name, &format!("{name}.toml"), &text, Some(&folder));
        is_sound_or_said(".toml", read.map(drop), begun)?;
    }

    #[test]
    fn a_damaged_kernel_is_no_panic(
        (name, text) in select([texts("shaders/cell", "wgsl"), texts("examples/wind", "wgsl")].concat()),
        damages in prop::collection::vec(damage(), 1..5),
    ) {
        let text = damaged(&text, &damages);
        let begun = Instant::now();
        is_sound_or_said(&name, shader::check_kernel(murmuration::host().library(), &format!("{name}.wgsl"), &name, &text), begun)?;
    }
}

/// The damages above are worth something only if they leave some texts sound, and others not.
#[test]
fn some_damaged_texts_are_sound_and_some_are_not() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let (mut sound, mut refused) = (0, 0);
    let text = std::fs::read_to_string(repository().join("presets/paper.toml")).unwrap();
    for _ in 0..100 {
        let damages = prop::collection::vec(damage(), 1..5).new_tree(&mut runner).unwrap().current();
        let text = damaged(&text, &damages);
        if is_small(&text) {
            let origin = Path::new("presets").join("p.toml").display().to_string();
            match Preset::from_text(murmuration::host(), &origin, &text, &Overrides::default()) {
                Ok(_) => sound += 1,
                Err(_) => refused += 1,
            }
        }
    }
    assert!(sound > 5 && refused > 30, "{sound} sound, {refused} refused");
}
