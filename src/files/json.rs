//! JSON for readers that represent all numbers as floats.

use serde_json::{Map, Value};

/// The key under which [`with_exact`] adds integers as decimal digits.
const EXACT: &str = "exact";
/// 64-bit floats, which many JSON readers use for all numbers, represent every integer up to this value.
const MAX_FLOAT_INTEGER: u64 = 1 << 53;

/// Adds the key `exact` to an object that contains integers above 2^53 or below -2^53. The value of `exact` maps the
/// path of each such integer, such as `seed` or `species[0].quanta_start`, to its decimal digits. In a list, each
/// object gets its own key.
pub fn with_exact(mut value: Value) -> Value {
    match &mut value {
        Value::Array(list) => list.iter_mut().for_each(|object| *object = with_exact(object.take())),
        Value::Object(object) => {
            let mut exact = Map::new();
            object.iter().for_each(|(key, inside)| collect(key.clone(), inside, &mut exact));
            if !exact.is_empty() {
                object.insert(EXACT.into(), exact.into());
            }
        }
        _ => {}
    }
    value
}

/// Adds to `exact` the path and the digits of each integer in `value` above 2^53 or below -2^53. `path`: the path of
/// `value`.
fn collect(path: String, value: &Value, exact: &mut Map<String, Value>) {
    match value {
        Value::Number(number) => {
            let size = number.as_u64().or(number.as_i64().map(i64::unsigned_abs));
            if size.is_some_and(|size| size > MAX_FLOAT_INTEGER) {
                exact.insert(path, number.to_string().into());
            }
        }
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(index, inside)| collect(format!("{path}[{index}]"), inside, exact));
        }
        Value::Object(object) => {
            object.iter().for_each(|(key, inside)| collect(format!("{path}.{key}"), inside, exact));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn integers_that_floats_lack_are_written_out() {
        let most = (1u64 << 53) + 1;
        let object = json!({
            "seed": most,
            "lost": -(most as i64),
            "least": i64::MIN,
            "boids": 1e300,
            "frames": 1u64 << 53,
            "debt": -(1i64 << 53),
            "cells": { "quanta_start": u64::MAX, "engine": "cpu" },
            "species": [{ "name": "a", "born": 1 }, { "born": most, "energy": { "sum": most } }],
            "origin": [0, most, null],
        });
        let whole = with_exact(object.clone());
        assert_eq!(
            whole["exact"],
            json!({
                "seed": "9007199254740993",
                "lost": "-9007199254740993",
                "least": "-9223372036854775808",
                "cells.quanta_start": "18446744073709551615",
                "species[1].born": "9007199254740993",
                "species[1].energy.sum": "9007199254740993",
                "origin[1]": "9007199254740993",
            })
        );
        let mut without = whole;
        without.as_object_mut().unwrap().shift_remove("exact");
        assert_eq!(without, object, "the numbers themselves stay");
        for small in [json!({ "seed": 7, "boids": 0.5 }), json!([]), json!(most)] {
            assert_eq!(with_exact(small.clone()), small);
        }
        let list = with_exact(json!([{ "a": 1 }, { "a": most }]));
        assert_eq!(list, json!([{ "a": 1 }, { "a": most, "exact": { "a": "9007199254740993" } }]));
    }
}
