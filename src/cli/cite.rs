//! `murmuration cite`: prints a run as an entry of a BibTeX bibliography.

use super::say;
use crate::files::read_short_replay;
use crate::link::{Link, LinkedRun};
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::simulation::replay::MAX_REPLAY_BYTES;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

/// Print a BibTeX entry of a run: its version, its steps and the hash by which others can check it.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A link (`#…`, or a whole address) or a saved replay (.json)
    #[arg(value_name = "LINK|FILE")]
    run: String,
}

pub fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let run = &arguments.run;
    let link = if Link::is_link(run) {
        Link::parse(run)?
    } else {
        let replay = read_short_replay(Path::new(run), MAX_REPLAY_BYTES)?;
        Link { run: LinkedRun::Replay(Arc::new(replay)), effective: None }
    };
    let (preset, chain) = link.load()?;
    let Some((steps, hash)) = link.end() else {
        let cure = "make one with `murmuration link PRESET --steps N`";
        return Err(BadInput::new("the link", "tells no hash, by which others could check the run", cure).into());
    };
    let address = if Link::is_link(run) { Link::address(run) } else { None };
    say(Entry {
        name: &preset.name,
        chain: &chain.name,
        size: preset.size().to_string(),
        seed: preset.seed,
        steps,
        hash,
        effective: preset.effective_hash(&chain),
        address: address.as_deref(),
        year: year(),
    })?;
    Ok(0)
}

/// An entry of a bibliography for a run.
struct Entry<'a> {
    /// The name of the preset, and the name of the chain.
    name: &'a str,
    chain: &'a str,
    /// The extents of the world in cells, as `WxH` or `WxHxD`.
    size: String,
    seed: u64,
    steps: u64,
    /// The hash of the state after `steps` steps, and the hash of the preset and the chain as they take effect.
    hash: &'a str,
    effective: String,
    /// The address of a page that plays the run, if the link is a whole address.
    address: Option<&'a str>,
    year: u64,
}

impl fmt::Display for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, chain, size, seed, steps, hash, effective, address, year } = self;
        let is_of_keys = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        let key = name.replace(|letter| !is_of_keys(letter), "-");
        let [name, chain] = [name, chain].map(|name| escaped(name));
        writeln!(f, "@misc{{murmuration-{key}-{},", &hash[..8.min(hash.len())])?;
        // The second pair of braces keeps the letters of names as they are.
        writeln!(
            f,
            "  title = {{{{Murmuration: {name}, {size}, seed {seed}, {steps} steps}}}},\n  year = {{{year}}},"
        )?;
        if let Some(address) = address {
            writeln!(f, "  url = {{{}}},", utf8_percent_encode(address, NOT_IN_URLS))?;
        }
        write!(
            f,
            "  note = {{Murmuration {}, chain {chain}. BLAKE3 of the state after {steps} steps: {hash}. \
             BLAKE3 of the preset and the chain as they take effect: {effective}}},\n}}",
            env!("CARGO_PKG_VERSION"),
        )
    }
}

/// The characters that are written as `%` and two hexadecimal digits in an address. An unbalanced brace or a backslash
/// would end the entry too early.
const NOT_IN_URLS: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'\\').add(b'^').add(b'`').add(b'{').add(b'|').add(b'}');

/// Escapes a text for LaTeX. Braces become commands, because BibTeX counts even a brace after a backslash.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '\\' => escaped.push_str("\\textbackslash{}"),
            '{' => escaped.push_str("\\textbraceleft{}"),
            '}' => escaped.push_str("\\textbraceright{}"),
            '<' => escaped.push_str("\\textless{}"),
            '>' => escaped.push_str("\\textgreater{}"),
            '|' => escaped.push_str("\\textbar{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '#' | '$' | '%' | '&' | '_' => escaped.extend(['\\', letter]),
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// The present year, from the mean length of a year. Near the turn of a year it may be wrong by one.
fn year() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    1970 + since.as_secs() / 31_556_952
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, address: Option<&str>) -> String {
        let (hash, effective, size) = ("0123456789abcdef", "fedcba".into(), "24x16".into());
        Entry { name, chain: "own_chain", size, seed: 7, steps: 40, hash, effective, address, year: 2026 }.to_string()
    }

    #[test]
    fn an_entry_has_its_address_and_its_hashes() {
        let address = "https://example.org/~a/%7Eb?c={d}#preset=droplets&seed=4&set=weights.cohesion%3D1";
        let expected = "@misc{murmuration-droplets-01234567,
  title = {{Murmuration: droplets, 24x16, seed 7, 40 steps}},
  year = {2026},
  url = {https://example.org/~a/%7Eb?c=%7Bd%7D#preset=droplets&seed=4&set=weights.cohesion%3D1},
  note = {Murmuration VERSION, chain own\\_chain. BLAKE3 of the state after 40 steps: 0123456789abcdef. \
                        BLAKE3 of the preset and the chain as they take effect: fedcba},
}";
        assert_eq!(entry("droplets", Some(address)), expected.replace("VERSION", env!("CARGO_PKG_VERSION")));
        assert!(!entry("droplets", None).contains("url"));
    }

    #[test]
    fn names_of_files_are_texts_and_no_commands() {
        for (name, key, title) in [
            ("my_pond", "my-pond", "my\\_pond"),
            ("50%", "50-", "50\\%"),
            ("a&b", "a-b", "a\\&b"),
            ("x{", "x-", "x\\textbraceleft{}"),
            ("}x", "-x", "\\textbraceright{}x"),
            ("a\\b", "a-b", "a\\textbackslash{}b"),
            ("$1#2", "-1-2", "\\$1\\#2"),
            ("~^", "--", "\\textasciitilde{}\\textasciicircum{}"),
            ("<|>\"", "----", "\\textless{}\\textbar{}\\textgreater{}\""),
            ("a\nb, c", "a-b--c", "a b, c"),
            ("Teich-ü", "Teich--", "Teich-ü"),
        ] {
            let entry = entry(name, None);
            let head = format!(
                "@misc{{murmuration-{key}-01234567,\n  title = {{{{Murmuration: {title}, 24x16, seed 7, 40 steps}}}},\n"
            );
            assert!(entry.starts_with(&head), "{name}: {entry}");
            let depth = |sign| entry.matches(sign).count();
            assert_eq!(depth('{'), depth('}'), "{name}: {entry}");
        }
    }
}
