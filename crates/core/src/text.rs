//! Texts from users: names and contents of files, and error messages about TOML.

pub mod readable;

pub use crate::error::one_line;
use crate::error::{BadInput, line_of};
use serde::de::DeserializeOwned;
use std::ops::Range;
use std::path::Path;
use toml_edit::{Document, Item, Key};

/// Whether the name of a preset, chain or kernel is a path of a file. A path contains `/` or `\`, or ends in `.toml` or
/// `.wgsl`. Other names are built-in.
pub fn is_path(name: impl AsRef<Path>) -> bool {
    let name = name.as_ref().as_os_str().as_encoded_bytes();
    name.iter().any(|letter| matches!(letter, b'/' | b'\\')) || name.ends_with(b".toml") || name.ends_with(b".wgsl")
}

/// Converts the bytes of a file to text, without a byte order mark. `origin`: the name of the file. `cure`: the advice
/// at the end of the error message.
///
/// # Errors
/// If the bytes are not UTF-8. The message names the line.
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

/// The texts, in lower case, that pandas, R and other programs that read tables take for a missing value.
const MISSING_VALUES: [&str; 15] = [
    "", "na", "n/a", "#na", "#n/a", "#n/a n/a", "<na>", "nan", "-nan", "null", "none", "1.#ind", "-1.#ind", "1.#qnan",
    "-1.#qnan",
];

/// Whether programs that read tables, such as pandas, take a text for a missing value, in upper or lower case.
pub fn is_missing_value(text: &str) -> bool {
    MISSING_VALUES.contains(&&*text.to_lowercase())
}

/// The name of a file without folder and extension.
pub fn stem(path: impl AsRef<Path>) -> String {
    path.as_ref().file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The text "; did you mean …?" with the name among `known` that resembles `name`, for the end of an error message. The
/// text is empty if no name resembles it.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let distance = |known: &&str| strsim::osa_distance(name, known);
    let nearest = known.into_iter().min_by_key(distance).filter(|known| distance(known) <= name.chars().count() / 3);
    nearest.map_or(String::new(), |nearest| format!("; did you mean {nearest}?"))
}

/// Reads TOML. `origin`: the name of the text. `reference`: the file that shows every key, for error messages.
///
/// # Errors
/// `BadInput`, with the line and the key, if the text is not TOML or does not match the type `T`.
pub fn parse_toml<T: DeserializeOwned>(origin: &str, text: &str, reference: &str) -> Result<T, BadInput> {
    toml::from_str(text).map_err(|error| explain(origin, text, error.message(), error.span(), reference))
}

/// Converts an error of the TOML library to an error for users: adds the line and the key, and replaces terms of Rust.
///
/// `origin`: the name of the text. `message`: the message of the library. `span`: the bytes of the text that the error
/// is about. `reference`: the file that shows every key.
pub fn explain(origin: &str, text: &str, message: &str, span: Option<Range<usize>>, reference: &str) -> BadInput {
    let offset = span.map_or(0, |span| span.start);
    // If a key of the top level is missing, the offset is 0, where another key stands.
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

/// The dotted key of the key or value at an offset, in bytes. The key is relative to `item`. `None`: `item` has no key
/// or value there.
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
