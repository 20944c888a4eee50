//! Texts of users: names of files, and messages about TOML.

pub mod readable;

pub use crate::error::one_line;
use crate::error::{BadInput, line_of};
use serde::de::DeserializeOwned;
use std::ops::Range;
use std::path::Path;
use toml_edit::{Document, Item, Key};

/// Whether a preset, chain or kernel is named by a path. A path contains a separator or ends in `.toml` or `.wgsl`.
pub fn is_path(name: impl AsRef<Path>) -> bool {
    let name = name.as_ref().as_os_str().as_encoded_bytes();
    name.iter().any(|letter| matches!(letter, b'/' | b'\\')) || name.ends_with(b".toml") || name.ends_with(b".wgsl")
}

/// The UTF-8 text of a file, without a byte order mark.
///
/// # Errors
/// If the bytes are not UTF-8; the message names the line.
pub fn from_bytes(origin: &str, bytes: Vec<u8>, cure: &str) -> Result<String, BadInput> {
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = line_of(&String::from_utf8_lossy(&error.as_bytes()[..valid]), valid);
        BadInput::new(origin, "is not text in UTF-8", cure).at_line(line)
    })?;
    if text.starts_with(BYTE_ORDER_MARK) {
        text.drain(..BYTE_ORDER_MARK.len_utf8());
    }
    Ok(text)
}

const BYTE_ORDER_MARK: char = '\u{feff}';

/// The texts, in lower case, that pandas, R and other readers of tables take for a missing value.
const MISSING_VALUES: [&str; 15] = [
    "", "na", "n/a", "#na", "#n/a", "#n/a n/a", "<na>", "nan", "-nan", "null", "none", "1.#ind", "-1.#ind", "1.#qnan",
    "-1.#qnan",
];

/// Whether readers of tables take a text for a missing value, in upper or lower case.
pub fn is_missing_value(text: &str) -> bool {
    MISSING_VALUES.contains(&&*text.to_lowercase())
}

/// The name of a file without folder and extension.
pub fn stem(path: impl AsRef<Path>) -> String {
    path.as_ref().file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The known name that resembles `name`, as the end of a cure; empty if none does.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let distance = |known: &&str| strsim::osa_distance(name, known);
    let nearest = known.into_iter().min_by_key(distance).filter(|known| distance(known) <= name.chars().count() / 3);
    nearest.map_or(String::new(), |nearest| format!("; did you mean {nearest}?"))
}

/// Reads TOML. An error names the line and the key. `reference` is the file that shows every key.
///
/// # Errors
/// `BadInput` if the text is not TOML or does not match the type.
pub fn parse_toml<T: DeserializeOwned>(origin: &str, text: &str, reference: &str) -> Result<T, BadInput> {
    toml::from_str(text).map_err(|error| explain(origin, text, error.message(), error.span(), reference))
}

/// Converts a message of the TOML library: adds the key, and replaces terms of Rust.
///
/// `reference` is the file that shows every key.
pub fn explain(origin: &str, text: &str, message: &str, span: Option<Range<usize>>, reference: &str) -> BadInput {
    let offset = span.map_or(0, |span| span.start);
    // A missing field of the whole text does not concern the first key.
    let is_whole = offset == 0 && message.starts_with("missing field");
    let key = Document::parse(text).ok().filter(|_| !is_whole);
    let key = key.and_then(|document| key_at(document.as_item(), offset));
    let message = one_line(message).replace("unknown field", "unknown key").replace("unknown variant", "unknown value");
    let message = message.replace("missing field", "missing key");
    let expected =
        message.split_once(", expected ").or(message.strip_prefix("expected ").map(|rest| ("cannot be read", rest)));
    let (problem, cure) = match expected {
        Some((problem, expected)) => (problem, format!("expected {}", in_words(expected))),
        None => (message.as_str(), format!("{reference} shows how every key is written")),
    };
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

/// The dotted key, below an item, of the key or value at an offset.
fn key_at(item: &Item, offset: usize) -> Option<String> {
    let holds = |span: Option<Range<usize>>| span.is_some_and(|span| span.contains(&offset));
    let below = |own: String, inside: &Item| match key_at(inside, offset) {
        Some(key) if key.starts_with('[') => Some(own + &key),
        Some(key) => Some(format!("{own}.{key}")),
        None => holds(inside.span()).then_some(own),
    };
    if let Some(table) = item.as_table_like() {
        let is_key = |name: &str| holds(table.key(name).and_then(Key::span));
        return table.iter().find_map(|(name, inside)| {
            below(name.to_owned(), inside).or_else(|| is_key(name).then(|| name.to_owned()))
        });
    }
    (0..).map_while(|index| item.get(index)).enumerate().find_map(|(index, inside)| below(format!("[{index}]"), inside))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_before_a_text_is_skipped_and_within_it_kept() {
        let text = |bytes: &[u8]| from_bytes("a.toml", bytes.to_vec(), "save it in that encoding");
        assert_eq!(text("\u{feff}a = 1".as_bytes()).unwrap(), "a = 1");
        assert_eq!(text("\u{feff}\u{feff}b\u{feff}".as_bytes()).unwrap(), "\u{feff}b\u{feff}");
        assert_eq!(text(b"").unwrap(), "");
        let wrong = text(b"a = 1\n\xff\xfe").unwrap_err().to_string();
        assert_eq!(wrong, "a.toml:2: is not text in UTF-8; save it in that encoding");
    }
}
