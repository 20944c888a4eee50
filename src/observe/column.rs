//! Columns of metrics, and their cells in a row.

use serde_json::Value;

/// A column: its name, its unit, and the value of what is measured. A value of several names is a list.
pub type Column<T> = (&'static str, &'static str, fn(&T) -> Value);

/// A cell of the table. Its value is a number, a list of whole numbers, or `null` if it is empty.
#[derive(Debug, Clone)]
pub struct TableCell {
    pub name: String,
    pub unit: &'static str,
    pub value: Value,
}

/// The cells of columns; empty if nothing was measured.
pub fn cells<T>(columns: &[Column<T>], of: Option<&T>) -> Vec<TableCell> {
    let of_column = |(names, unit, value): &Column<T>| {
        let value = of.map_or(Value::Null, value);
        let values = if names.contains(' ') { value.as_array().cloned().unwrap_or_default() } else { vec![value] };
        let values = values.into_iter().chain(std::iter::repeat(Value::Null));
        names.split(' ').zip(values).map(|(name, value)| TableCell { name: name.into(), unit, value })
    };
    columns.iter().flat_map(of_column).collect()
}
