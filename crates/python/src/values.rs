//! Conversion of values between Python, TOML and JSON.

use crate::errors;
use murmuration::keys::{Cost, DefaultValue, Key, Kind};
use pyo3::prelude::*;
use serde_json::{Value, json};

/// Converts any value that JSON can hold to a value of Python.
pub fn to_python<'py, T: serde::Serialize + ?Sized>(py: Python<'py>, value: &T) -> PyResult<Bound<'py, PyAny>> {
    Ok(pythonize::pythonize(py, value)?)
}

/// The value of a key in the notation of TOML. A text gets quotation marks.
#[pyfunction]
pub fn toml_value(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let parsed: toml::Value = pythonize::depythonize(value).map_err(|error| {
        errors::wrong(
            "value",
            format!("{value} is no value of TOML: {error}"),
            "give a number, a word, a list or a table",
        )
    })?;
    // This serializer writes every value on one line, tables too.
    let mut text = String::new();
    serde::Serialize::serialize(&parsed, toml::ser::ValueSerializer::new(&mut text))
        .map_err(|error| errors::wrong("value", error.to_string(), "give a number, a word, a list or a table"))?;
    Ok(text)
}

/// The text of a preset from a dictionary of its tables and keys.
#[pyfunction]
pub fn toml_of(table: &Bound<'_, PyAny>) -> PyResult<String> {
    let cure = "give a dictionary of TOML's values, as the file of a preset has them";
    let table: toml::Table = pythonize::depythonize(table)
        .map_err(|error| errors::wrong("preset", format!("the dictionary is no preset: {error}"), cure))?;
    toml::to_string(&table).map_err(|error| errors::wrong("preset", error.to_string(), cure))
}

/// The value that a text stands for in the notation of TOML. Any other text stands for itself.
#[pyfunction]
pub fn value_of_toml<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let table: Result<toml::Table, _> = toml::from_str(&format!("value = {text}"));
    match table {
        Ok(table) => to_python(py, &table["value"]),
        Err(_) => Ok(text.into_pyobject(py)?.into_any()),
    }
}

/// The record of the provenance in the bytes of a PNG, as JSON. `None` if the PNG has no such record.
#[pyfunction]
pub fn png_record(bytes: &[u8]) -> Option<String> {
    murmuration::observe::record_in_png(bytes)
}

/// The path, kind, bounds, unit, default, documentation and cost of change of a key, as JSON.
pub fn of_key(key: &Key) -> Value {
    let (kind, least, most, words) = match key.kind {
        Kind::Decimal(least, most) => ("decimal", json!(least), json!(most), Value::Null),
        Kind::Whole(least, most) => ("whole", json!(least), json!(most), Value::Null),
        Kind::Decimals(least, most, _) => ("decimals", json!(least), json!(most), Value::Null),
        Kind::Wholes(least, most, _) => ("wholes", json!(least), json!(most), Value::Null),
        Kind::Choice(words) => ("choice", Value::Null, Value::Null, json!(words)),
        Kind::Switch => ("switch", Value::Null, Value::Null, Value::Null),
        Kind::Text => ("text", Value::Null, Value::Null, Value::Null),
    };
    let default = match key.default {
        DefaultValue::Needed => Value::Null,
        DefaultValue::Value(value) => of_value(value),
        DefaultValue::Interval(low, high) => json!([low, high]),
        DefaultValue::Otherwise(text) => json!(text),
    };
    let cost = match key.cost {
        Cost::Nothing => "nothing",
        Cost::Passes => "passes",
        Cost::Restart => "restart",
    };
    json!({
        "key": key.path,
        "kind": kind,
        "least": least,
        "most": most,
        "words": words,
        "unit": key.unit,
        "default": default,
        "doc": key.doc,
        "cost": cost,
    })
}

/// The value of a key as JSON.
pub fn of_value(value: murmuration::keys::Value) -> Value {
    use murmuration::keys::Value as KeyValue;
    match value {
        KeyValue::Number(number) if number.fract() == 0.0 && number.abs() < 1e15 => json!(number as i64),
        KeyValue::Number(number) => json!(number),
        KeyValue::Word(word) => json!(word),
        KeyValue::Switch(is_on) => json!(is_on),
    }
}
