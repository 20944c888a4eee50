//! Parses the values of a parameter and the seeds: lists such as `a,b,c`, ranges such as `0:1:0.1`, seeds such as
//! `1..20`.

use super::MAX_RUNS;
use toml_edit::Value;

/// The problem of a text, and the advice of the error message.
pub type Wrong = (String, String);

/// The advice of error messages about the values of a parameter.
const VALUES: &str = "write a list such as 0.1,0.5 or a range such as 0:1:0.1, which is first:last:distance";
/// The advice of error messages about seeds.
const SEEDS: &str = "write them as 1..20, which has 20 seeds, or as a list such as 1,4,7..9";

/// A list of values in the notation of TOML, each once, and notes for the user on their form. Numbers ascend.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listed {
    /// The values.
    pub values: Vec<String>,
    /// The notes. Each has a statement and the advice.
    pub notes: Vec<Wrong>,
}

impl From<Vec<String>> for Listed {
    fn from(values: Vec<String>) -> Self {
        Self { values, notes: Vec::new() }
    }
}

/// Parses the values of a command-line option: elements with commas between them. Each element is a range or a single
/// value.
///
/// # Errors
/// If an element is empty, or contains quotation marks or brackets and is not a TOML value. If a range is wrong, or a
/// value occurs twice.
pub fn from_text(text: &str) -> Result<Listed, Wrong> {
    checked(split(text).into_iter().map(|part| elements(part.trim())))
}

/// Parses the value of a key in the file of a sweep: a list, a range as a string, or a single value. The elements of a
/// list are ranges and single values.
///
/// # Errors
/// As [`from_text`].
pub fn from_toml(value: &Value) -> Result<Listed, Wrong> {
    match value {
        Value::Array(list) => checked(list.iter().map(from_element)),
        value => checked(std::iter::once(from_element(value))),
    }
}

fn from_element(value: &Value) -> Result<Listed, Wrong> {
    match value.as_str().and_then(range) {
        Some(values) => values,
        None => Ok(vec![canonical(value)?].into()),
    }
}

/// Parses an element of a list: a range, a TOML value, or a text without quotation marks.
fn elements(text: &str) -> Result<Listed, Wrong> {
    if let Some(values) = range(text) {
        return values;
    }
    let is_bare = !text.is_empty() && !text.contains(['"', '\'', '[', ']', '{', '}', '\n', '\r']);
    match text.parse::<Value>() {
        Ok(value) => Ok(vec![canonical(&value)?].into()),
        Err(_) if is_bare => Ok(vec![canonical(&Value::from(text))?].into()),
        Err(_) if text.is_empty() => Err(("a value is empty".into(), VALUES.into())),
        Err(_) => Err((format!("`{text}` is not a value of TOML"), VALUES.into())),
    }
}

/// The text of a value in a form that is equal for equal values, such as 0.1 and 0.10.
fn canonical(value: &Value) -> Result<String, Wrong> {
    match value {
        Value::Integer(number) => Ok(number.value().to_string()),
        Value::Float(number) if number.value().is_finite() => Ok(number_text(*number.value())),
        Value::Float(number) => Err((format!("`{}` is no number to be set", number.value()), VALUES.into())),
        other => Ok(other.clone().decorated("", "").to_string()),
    }
}

/// The shortest text of a number from which the same number is read. Whole numbers below 10^15 have no decimal point.
pub fn number_text(number: f64) -> String {
    let is_whole = number.fract() == 0.0 && number.abs() < 1e15;
    if is_whole { (number as i64).to_string() } else { format!("{number:?}") }
}

/// Joins the values of all parts into one list. No value may occur twice. If all values are numbers, they are sorted.
fn checked(parts: impl Iterator<Item = Result<Listed, Wrong>>) -> Result<Listed, Wrong> {
    let Listed { mut values, mut notes } = Listed::default();
    for part in parts {
        let part = part?;
        values.extend(part.values);
        notes.extend(part.notes);
    }
    if values.is_empty() {
        return Err(("has no values".into(), VALUES.into()));
    }
    let numbers: Option<Vec<f64>> = values.iter().map(|value| number(value)).collect();
    if numbers.is_some() {
        values.sort_by(|a, b| number(a).unwrap_or(0.0).total_cmp(&number(b).unwrap_or(0.0)));
    }
    let mut sorted: Vec<&String> = values.iter().collect();
    sorted.sort();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err((format!("has the value {} twice", pair[0]), "say each value once".into())),
        None => Ok(Listed { values, notes }),
    }
}

/// A TOML value as a number; `None`: the value is not a number.
pub fn number(value: &str) -> Option<f64> {
    match value.parse::<Value>().ok()? {
        Value::Integer(number) => Some(*number.value() as f64),
        Value::Float(number) => Some(*number.value()),
        _ => None,
    }
}

/// A TOML value as tables and plots show it. A text has no quotation marks.
pub fn shown(value: &str) -> String {
    match value.parse::<Value>() {
        Ok(Value::String(text)) => text.value().clone(),
        _ => value.to_owned(),
    }
}

/// Splits a text at its commas. Commas within brackets or quotation marks do not count.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut from, mut depth, mut quoted) = (Vec::new(), 0, 0, None);
    for (at, sign) in text.char_indices() {
        match (sign, quoted) {
            (sign, Some(mark)) if sign == mark => quoted = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) => quoted = Some(sign),
            ('[' | '{', None) => depth += 1,
            (']' | '}', None) => depth -= 1,
            (',', None) if depth == 0 => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

/// Parses a range `first:last:distance` into the numbers from `first` to `last`. If they do not reach `last` exactly,
/// the result has a note. `None`: the text is not a range.
fn range(text: &str) -> Option<Result<Listed, Wrong>> {
    let parts: Vec<&str> = text.split(':').map(str::trim).collect();
    let numbers: Vec<f64> = parts.iter().map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let [first, last, distance] = numbers[..] else { return None };
    let wrong = |problem: &str| Some(Err((format!("the range {text} {problem}"), VALUES.to_owned())));
    if !numbers.iter().all(|number| number.is_finite()) {
        return wrong("has an end that is no number");
    }
    if distance == 0.0 || (last - first) * distance < 0.0 {
        return wrong("never comes to its end");
    }
    // The addition avoids that a rounding error loses the last number.
    let count = ((last - first) / distance + 1e-9).floor() + 1.0;
    if count > MAX_RUNS as f64 {
        return wrong("has too many numbers");
    }
    let decimals = parts.iter().map(|part| decimals(part)).max().unwrap_or(0);
    let value =
        |index: u64| -> f64 { format!("{:.decimals$}", first + index as f64 * distance).parse().unwrap_or(first) };
    let end = value(count as u64 - 1);
    let note =
        || (format!("the range {text} ends at {}", number_text(end)), "name that end, or another distance".into());
    let notes = (end != last).then(note).into_iter().collect();
    Some(Ok(Listed { values: (0..count as u64).map(value).map(number_text).collect(), notes }))
}

/// The number of decimals that the text of a number has, such as 4 for `1.5e-3`.
fn decimals(text: &str) -> usize {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let digits = mantissa.split_once('.').map_or(0, |(_, digits)| digits.len()) as i64;
    (digits - exponent.parse::<i64>().unwrap_or(0)).clamp(0, 17) as usize
}

/// Parses seeds: numbers and ranges such as `1..20`, with commas between them. A range includes both ends. The result
/// is in ascending order.
///
/// # Errors
/// If a part is neither a seed nor a range, a seed is above 2^63 − 1 or occurs twice, or the text has more than
/// [`MAX_RUNS`] seeds.
pub fn seeds(text: &str) -> Result<Vec<u64>, Wrong> {
    let mut seeds = Vec::new();
    for part in text.split(',').map(str::trim) {
        let wrong = |problem: String| Err((problem, SEEDS.to_owned()));
        let (first, last) = part.split_once("..").unwrap_or((part, part));
        let seed = |text: &str| text.trim().parse().ok().filter(|seed| i64::try_from(*seed).is_ok());
        let (Some(first), Some(last)): (Option<u64>, Option<u64>) = (seed(first), seed(last)) else {
            return wrong(format!("`{part}` is neither a seed nor a range of seeds"));
        };
        if first > last {
            return wrong(format!("{part} begins above its end"));
        }
        if last - first >= MAX_RUNS {
            return wrong(format!("{part} has more than {MAX_RUNS} seeds"));
        }
        seeds.extend(first..=last);
        if seeds.len() as u64 > MAX_RUNS {
            return wrong(format!("there are more than {MAX_RUNS} seeds"));
        }
    }
    seeds.sort_unstable();
    match seeds.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err((format!("the seed {} stands twice", pair[0]), "say each seed once".into())),
        None => Ok(seeds),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<String> {
        from_text(text).unwrap().values
    }

    #[test]
    fn a_list_has_its_elements_and_a_range_both_ends() {
        assert_eq!(values("0.5,0.10,2"), ["0.1", "0.5", "2"]);
        assert_eq!(values("0:0.5:0.1"), ["0", "0.1", "0.2", "0.3", "0.4", "0.5"]);
        assert_eq!(values("-0.3:0.3:0.1"), ["-0.3", "-0.2", "-0.1", "0", "0.1", "0.2", "0.3"]);
        assert_eq!(values("1:0:-0.5"), ["0", "0.5", "1"]);
        assert_eq!(values("0:1:0.4,3"), ["0", "0.4", "0.8", "3"]);
        assert_eq!(values("1e-3:3e-3:1e-3"), ["0.001", "0.002", "0.003"]);
        assert_eq!(values("7:7:1"), ["7"]);
        assert_eq!(values("1000,-100,-0.0"), ["-100", "0", "1000"]);
        assert_eq!(values("torus, walls"), ["\"torus\"", "\"walls\""]);
        assert_eq!(values("[64, 64],[32, 32]"), ["[64, 64]", "[32, 32]"]);
        assert_eq!(values("\"a,b\",true"), ["\"a,b\"", "true"]);
        assert_eq!(shown("\"torus\""), "torus");
        assert_eq!(shown("0.5"), "0.5");
    }

    #[test]
    fn a_range_that_misses_its_end_says_where_it_ends() {
        let notes =
            |text: &str| -> Vec<String> { from_text(text).unwrap().notes.into_iter().map(|(note, _)| note).collect() };
        assert_eq!(notes("0:1:0.3"), ["the range 0:1:0.3 ends at 0.9"]);
        assert_eq!(notes("1:0:-0.4,7,5:9:3"), ["the range 1:0:-0.4 ends at 0.2", "the range 5:9:3 ends at 8"]);
        for whole in ["0:1:0.1", "0:0.3:0.1", "1:0:-0.5", "1e-3:3e-3:1e-3", "7:7:1", "-0.3:0.3:0.1", "0.5,1", "a:b:c"] {
            assert_eq!(notes(whole), [""; 0], "{whole}");
        }
        let list: Value = "[\"0:1:0.3\", 4]".parse().unwrap();
        assert_eq!(from_toml(&list).unwrap().notes.len(), 1);
    }

    #[test]
    fn wrong_values_are_refused() {
        for (text, problem) in [
            ("", "a value is empty"),
            ("0.1,,2", "a value is empty"),
            ("0:1:0", "never comes to its end"),
            ("0:1:-0.1", "never comes to its end"),
            ("0:1:1e-9", "has too many numbers"),
            ("0:inf:1", "has an end that is no number"),
            ("[1", "is not a value of TOML"),
            ("nan", "is no number to be set"),
            ("1,2,1.0", "has the value 1 twice"),
        ] {
            let (said, cure) = from_text(text).unwrap_err();
            assert!(said.contains(problem) && !cure.is_empty(), "{text}: {said}");
        }
    }

    #[test]
    fn seeds_are_numbers_and_ranges() {
        assert_eq!(seeds("1..5").unwrap(), [1, 2, 3, 4, 5]);
        assert_eq!(seeds("7, 1..2 ,9223372036854775807").unwrap(), [1, 2, 7, i64::MAX as u64]);
        for (text, problem) in [
            ("", "is neither"),
            ("1..", "is neither"),
            ("-1", "is neither"),
            ("9223372036854775808", "is neither"),
            ("5..1", "begins above its end"),
            ("0..100000", "has more than"),
            ("0..60000,100000..160000", "there are more than"),
            ("1..3,2", "the seed 2 stands twice"),
        ] {
            assert!(seeds(text).unwrap_err().0.contains(problem), "{text}");
        }
    }
}
