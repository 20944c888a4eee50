//! The values of keys: with their defaults, and within their bounds.

use super::setting::length;
use super::{REFERENCE, Source};
use crate::error::BadInput;
use crate::keys::{DefaultValue, Destination, Kind, Row, Value};
use std::fmt::Display;
use std::ops::RangeInclusive;
use toml_edit::Item;

/// The unit of the keys of speeds.
const SPEED_UNIT: &str = "cells/step";
/// Appended to the advice of the error about a speed above its bound.
const FOR_HIGHER_SPEEDS: &str = ", or take smaller radii and a smaller world, in which it is faster";

impl Source {
    /// Passes the value of every key of a subject to its setter. A key without a value and a default does not change
    /// `target`.
    ///
    /// # Errors
    /// A number is out of the bounds of its key.
    pub fn read<T>(&self, rows: &[Row<T>], target: &mut T) -> Result<(), BadInput> {
        rows.iter().try_for_each(|row| self.read_row(row, row.key.path, target))
    }

    /// Reads the keys as [`Self::read`], but from a table such as `hunter[1]`. The rows have a pattern such as
    /// `hunter[*]`.
    ///
    /// # Errors
    /// The errors of [`Self::read`].
    pub fn read_table<T>(&self, rows: &[Row<T>], table: &str, target: &mut T) -> Result<(), BadInput> {
        let name = |row: &Row<T>| row.key.path.rsplit('.').next().unwrap_or_default();
        rows.iter().try_for_each(|row| self.read_row(row, &format!("{table}.{}", name(row)), target))
    }

    fn read_row<T>(&self, row: &Row<T>, key: &str, target: &mut T) -> Result<(), BadInput> {
        let is_given = self.item(key).is_some() || matches!(self.row(key).default, DefaultValue::Value(_));
        match row.destination {
            Destination::Decimal(destination) if is_given => destination(target, self.decimal(key)?),
            Destination::Whole(destination) if is_given => destination(target, self.integer(key)?),
            Destination::Span(destination) => _ = self.span(key)?.map(|span| destination(target, span)),
            Destination::Word(destination) => _ = self.word(key).map(|word| destination(target, word)),
            Destination::Switch(destination) => _ = self.switch(key).map(|is_on| destination(target, is_on)),
            _ => {}
        }
        Ok(())
    }

    /// The text of a key.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.item(key)?.as_str()
    }

    /// The word of a key, or its default.
    pub fn word(&self, key: &str) -> Option<&str> {
        let row = self.keys.rows(key).next()?;
        match (self.item(key), row.default) {
            (Some(item), _) => item.as_str().map(|written| row.word_of(written)),
            (None, DefaultValue::Value(Value::Word(word))) => Some(word),
            (None, _) => None,
        }
    }

    /// The value, true or false, of a key that is a switch, or the default of the key.
    pub fn switch(&self, key: &str) -> Option<bool> {
        match (self.item(key), self.keys.rows(key).next()?.default) {
            (Some(item), _) => item.as_bool(),
            (None, DefaultValue::Value(Value::Switch(is_on))) => Some(is_on),
            (None, _) => None,
        }
    }

    /// The decimal of a key within its bounds, or the default. NaN is out of bounds.
    pub fn decimal(&self, key: &str) -> Result<f64, BadInput> {
        self.within(key, self.item(key).and_then(number))
    }

    /// The whole number of a key within its bounds, or the key's default.
    pub fn integer(&self, key: &str) -> Result<i64, BadInput> {
        let row = self.row(key);
        let Kind::Whole(least, most) = row.kind else { unreachable!("{key} is no whole number") };
        match (self.item(key).and_then(Item::as_integer), row.default) {
            (Some(number), _) => self.bounded(key, number, least..=most),
            (None, DefaultValue::Value(Value::Number(number))) => Ok(number as i64),
            (None, _) => Err(self.missing(key)),
        }
    }

    /// All numbers of a list, within the bounds of the key. A list of pairs is flattened.
    pub fn numbers(&self, key: &str) -> Result<Vec<f64>, BadInput> {
        self.unbounded(key).into_iter().map(|number| self.within(key, Some(number))).collect()
    }

    /// Both ends of a span, or the default. A single number is both ends.
    fn span(&self, key: &str) -> Result<Option<[f64; 2]>, BadInput> {
        match (&self.numbers(key)?[..], self.row(key).default) {
            ([only], _) => Ok(Some([*only; 2])),
            ([low, high], _) if low <= high => Ok(Some([*low, *high])),
            ([], DefaultValue::Interval(low, high)) => Ok(Some([low, high])),
            ([], _) => Ok(None),
            _ => Err(self.wrong(key, "begins above its end", "say the lower number first")),
        }
    }

    /// The vectors of a key, of two or three numbers each. A single vector becomes a list of one.
    pub fn vectors(&self, key: &str) -> Result<Vec<Vec<f64>>, BadInput> {
        self.numbers(key)?;
        let Some(item) = self.item(key) else { return Ok(Vec::new()) };
        let elements = || (0..length(item).unwrap_or(0)).filter_map(|index| item.get(index));
        let is_one = elements().next().is_some_and(|first| first.as_array().is_none());
        Ok(if is_one { vec![numbers(item)] } else { elements().map(numbers).collect() })
    }

    /// The pairs of numbers of a key.
    pub fn pairs(&self, key: &str) -> Result<Vec<[f64; 2]>, BadInput> {
        Ok(self.numbers(key)?.as_chunks::<2>().0.to_vec())
    }

    /// All numbers of a list, without checking the bounds of the key.
    pub fn unbounded(&self, key: &str) -> Vec<f64> {
        self.item(key).map_or(Vec::new(), numbers)
    }

    fn within(&self, key: &str, value: Option<f64>) -> Result<f64, BadInput> {
        let row = self.row(key);
        let (least, most) = match row.kind {
            Kind::Decimal(least, most) | Kind::Decimals(least, most, _) => (least, most),
            Kind::Whole(least, most) | Kind::Wholes(least, most, _) => (least as f64, most as f64),
            _ => unreachable!("{key} is no number"),
        };
        match (value, row.default) {
            (Some(value), _) => self.bounded(key, value, least..=most).map_err(|wrong| match row.unit {
                SPEED_UNIT if value > most => BadInput { cure: wrong.cure + FOR_HIGHER_SPEEDS, ..wrong },
                _ => wrong,
            }),
            (None, DefaultValue::Value(Value::Number(number))) => Ok(number),
            (None, _) => Err(self.missing(key)),
        }
    }

    /// Checks that a number is within bounds.
    fn bounded<T: PartialOrd + Display>(&self, key: &str, value: T, bounds: RangeInclusive<T>) -> Result<T, BadInput> {
        if bounds.contains(&value) {
            return Ok(value);
        }
        let cure = format!("it must be from {} to {}", bounds.start(), bounds.end());
        Err(self.wrong(key, format!("{value} is out of bounds"), cure))
    }

    fn missing(&self, key: &str) -> BadInput {
        self.wrong(key, "is missing", format!("{REFERENCE} shows how every key is written"))
    }
}

fn number(item: &Item) -> Option<f64> {
    item.as_float().or(item.as_integer().map(|number| number as f64))
}

fn numbers(item: &Item) -> Vec<f64> {
    let elements = (0..length(item).unwrap_or(0)).filter_map(|index| item.get(index));
    number(item).into_iter().chain(elements.flat_map(numbers)).collect()
}
