//! Text that people write: how files are named, and what is said of mistakes in TOML.

use crate::error::{BadInput, line_of};
use serde::de::DeserializeOwned;
use std::ops::Range;
use std::path::Path;
use toml_edit::{Document, Item, Key, TableLike};

/// Whether a preset, chain or kernel is named by its path: it contains a separator or ends like a file.
pub fn is_path(name: &str) -> bool {
    name.contains(['/', '\\']) || name.ends_with(".toml") || name.ends_with(".wgsl")
}

/// The name of a file without its folder and ending.
pub fn stem(path: &str) -> String {
    Path::new(path).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Reads TOML; a mistake names the line and the key. `reference` is the file that shows how every key is written.
pub fn parse_toml<T: DeserializeOwned>(origin: &str, text: &str, reference: &str) -> Result<T, BadInput> {
    toml::from_str(text).map_err(|error| explain(origin, text, error.message(), error.span(), reference))
}

/// A message of the TOML library as one of ours: with the key, and in words for people who do not write Rust.
///
/// `reference` is the file that shows how every key is written.
pub fn explain(origin: &str, text: &str, message: &str, span: Option<Range<usize>>, reference: &str) -> BadInput {
    let offset = span.map_or(0, |span| span.start);
    // What the whole text lacks is no fault of the key with which it begins.
    let is_whole = offset == 0 && message.starts_with("missing field");
    let key = Document::parse(text).ok().filter(|_| !is_whole);
    let key = key.and_then(|document| key_at(document.as_table(), offset));
    let message = one_line(message).replace("unknown field", "unknown key").replace("unknown variant", "unknown value");
    let message = message.replace("missing field", "missing key");
    let (problem, cure) = match message.split_once("expected ") {
        Some((problem, expected)) => (problem.trim_end_matches([',', ' ']), format!("expected {}", in_words(expected))),
        None => (message.as_str(), format!("{reference} shows how every key is written")),
    };
    let problem = if problem.is_empty() { "cannot be read" } else { problem };
    let wrong = BadInput::new(origin, problem, cure).at_line(line_of(text, offset));
    match key {
        Some(key) => wrong.at_key(key),
        None => wrong,
    }
}

fn in_words(expected: &str) -> String {
    match expected {
        "f64" => "a number".into(),
        "i64" => "a whole number".into(),
        "a sequence" => "a list".into(),
        "a map" => "a table".into(),
        other => other.into(),
    }
}

/// The dotted key that stands at an offset, or whose value does.
fn key_at(table: &dyn TableLike, offset: usize) -> Option<String> {
    let holds = |span: Option<Range<usize>>| span.is_some_and(|span| span.contains(&offset));
    table.iter().find_map(|(name, item)| {
        let lists =
            item.as_array_of_tables().map_or(0, |list| list.len()) + item.as_array().map_or(0, |list| list.len());
        let below = item.as_table_like().and_then(|inside| key_at(inside, offset)).map(|key| format!("{name}.{key}"));
        let below = below.or_else(|| {
            (0..lists).find_map(|index| {
                let (span, inside) = element(item, index);
                match inside.and_then(|inside| key_at(inside, offset)) {
                    Some(key) => Some(format!("{name}[{index}].{key}")),
                    None => holds(span).then(|| format!("{name}[{index}]")),
                }
            })
        });
        let here = holds(table.key(name).and_then(Key::span)) || holds(item.span());
        below.or_else(|| here.then(|| name.to_owned()))
    })
}

/// Messages are one line, whatever was quoted in them.
pub fn one_line(text: &str) -> String {
    text.split(char::is_control).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Where one of a list of tables stands, and the table.
pub fn element(list: &Item, index: usize) -> (Option<Range<usize>>, Option<&dyn TableLike>) {
    if let Some(table) = list.as_array_of_tables().and_then(|tables| tables.get(index)) {
        return (table.span(), Some(table));
    }
    match list.as_array().and_then(|values| values.get(index)) {
        Some(value) => (value.span(), value.as_inline_table().map(|table| table as &dyn TableLike)),
        None => (None, None),
    }
}
