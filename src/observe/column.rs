//! Columns of metrics, and the values of a row in them.

use serde_json::Value;

/// A column: its name, its unit, and its value in a measurement. The name may list several names with spaces between
/// them; the value is then a list.
pub type Column<T> = (&'static str, &'static str, fn(&T) -> Value);

/// A cell of a table: the value, and the name and the unit of its column. The value is a number, a list of whole
/// numbers, or `null` if it was not measured.
#[derive(Debug, Clone)]
pub struct TableCell {
    pub name: String,
    pub unit: &'static str,
    pub value: Value,
}

/// The cells of a measurement in these columns. `of`: the measurement; `None`: every value is `null`. A column with
/// several names gives a cell for each name.
pub fn cells<T>(columns: &[Column<T>], of: Option<&T>) -> Vec<TableCell> {
    let of_column = |(names, unit, value): &Column<T>| {
        let value = of.map_or(Value::Null, value);
        let values = if names.contains(' ') { value.as_array().cloned().unwrap_or_default() } else { vec![value] };
        let values = values.into_iter().chain(std::iter::repeat(Value::Null));
        names.split(' ').zip(values).map(|(name, value)| TableCell { name: name.into(), unit, value })
    };
    columns.iter().flat_map(of_column).collect()
}
