//! Checks a document against the table of keys: every key is known, and every value has the type of its key.

use super::setting::{LIST_OR_TABLE, length};
use crate::keys::{DefaultValue, Key, KeyTable, Kind, ListForm, is_part};
use crate::text::did_you_mean;
use serde::de::Unexpected;
use std::ops::Range;
use toml_edit::{Item, Value};

/// A mistake: its bytes in the document, the key, the problem and the cure.
pub(super) type Mistake = (Option<Range<usize>>, String, String, String);

/// The expected form of tables, for messages.
const TABLES: [(&str, &str); 11] = [
    ("circle", "a table such as { at = [0.5, 0.5], radius = 0.1 }"),
    ("rectangle", "a table such as { from = [0.2, 0.2], to = [0.3, 0.8] }"),
    ("ball", "a table such as { at = [0.5, 0.5, 0.5], radius = 0.1 }"),
    ("solid[*].box", "a table such as { from = [0.2, 0.2, 0.2], to = [0.3, 0.8, 0.5] }"),
    ("sphere", "a table such as { at = [0.5, 0.5, 0.5], radius = 0.1 }"),
    ("shape[*].box", "a table such as { from = [0.2, 0.2, 0.2], to = [0.3, 0.8, 0.5] }"),
    ("torus", "a table such as { at = [0.5, 0.5, 0.5], radius = 0.3, tube = 0.1 }"),
    ("cylinder", "a table such as { at = [0.5, 0.5, 0.5], radius = 0.1, length = 0.5 }"),
    ("rings", "a table such as { directions = 8, radii = [4] }"),
    ("directions", "a table such as { directions = 26, radii = [4] }"),
    ("sight.*", "a table such as { disc = 5 }"),
];

/// Checks a document. Missing tables and keys are allowed, except within the forms of solids and sights.
pub(super) fn check(document: &Item, keys: &KeyTable, reference: &str) -> Result<(), Mistake> {
    Schema { keys, reference }.check_table(document, keys, 0, "")
}

struct Schema<'a> {
    keys: &'a KeyTable,
    /// The file that shows every key.
    reference: &'a str,
}

impl Schema<'_> {
    /// Checks a table and its content. `rows`: the rows of its keys; `depth`: the number of names in its own key.
    fn check_table(&self, item: &Item, rows: &[&'static Key], depth: usize, key: &str) -> Result<(), Mistake> {
        let Some(table) = item.as_table_like() else {
            let path = rows[0].path.split('.').take(depth).collect::<Vec<_>>().join(".");
            let own = TABLES.iter().find(|(end, _)| path.ends_with(end));
            return Err(wrong_type(item, key, own.map_or("a table", |(_, form)| form)));
        };
        for (name, inside) in table.iter() {
            let key = if depth == 0 { name.to_owned() } else { format!("{key}.{name}") };
            let own: Vec<_> = rows.iter().copied().filter(|row| is_named(part(row, depth), name)).collect();
            let of_document = if own.is_empty() && depth == 1 { self.own_table(rows, name) } else { Vec::new() };
            if !own.is_empty() {
                self.check_inside(inside, &own, depth, name, &key)?;
            } else if !of_document.is_empty() {
                self.check_table(inside, &of_document, 1, &key)?;
            } else {
                let span = table.key(name).and_then(toml_edit::Key::span);
                let cure = self.expected(rows, depth, name, &key);
                return Err((span, key, format!("unknown key `{name}`"), cure));
            }
        }
        // Missing keys of top-level tables are reported when their values are read.
        let is_missing = |row: &&&Key| {
            let is_own = depth > 1 && row.depth() == depth + 1 && row.default == DefaultValue::Needed;
            is_own && row.part(depth).is_some_and(|name| !table.contains_key(name))
        };
        match rows.iter().find(is_missing).and_then(|row| row.part(depth)) {
            Some(name) => {
                let cure = format!("{} shows how every key is written", self.reference);
                Err((item.span(), key.to_owned(), format!("missing key `{name}`"), cure))
            }
            None => Ok(()),
        }
    }

    /// Checks the value, the table or the tables of a key. `rows`: the rows of the key and of the keys inside it;
    /// `depth`: the number of names before `name` in the key.
    fn check_inside(
        &self,
        inside: &Item,
        rows: &[&'static Key],
        depth: usize,
        name: &str,
        key: &str,
    ) -> Result<(), Mistake> {
        let first = rows[0];
        if first.depth() == depth + 1 {
            let is_synonym = inside.as_str().is_some_and(|written| first.word_of(written) != written);
            return if is_synonym { Ok(()) } else { check_value(inside, first.kind, key) };
        }
        if !part(first, depth).ends_with("[*]") || name == LIST_OR_TABLE && inside.is_table_like() {
            return self.check_table(inside, rows, depth + 1, key);
        }
        for index in 0..length(inside).ok_or_else(|| wrong_type(inside, key, "a list"))? {
            let element = inside.get(index).unwrap_or(&Item::None);
            self.check_table(element, rows, depth + 1, &format!("{key}[{index}]"))?;
        }
        Ok(())
    }

    /// The rows of the preset's table `name` that a species may have as its own; empty if `rows` are not the rows of
    /// the list of species. `rows`: the rows of the table that contains the table `name`.
    fn own_table(&self, rows: &[&'static Key], name: &str) -> Vec<&'static Key> {
        let own = &self.keys.own;
        if rows.iter().any(|row| part(row, 0).trim_end_matches("[*]") != own.list) {
            return Vec::new();
        }
        self.keys.iter().copied().filter(|row| own.includes(row) && is_named(part(row, 0), name)).collect()
    }

    /// The cure for an unknown key: the known names, and a similar key.
    fn expected(&self, rows: &[&'static Key], depth: usize, name: &str, key: &str) -> String {
        let mut names: Vec<&str> = Vec::new();
        for name in rows.iter().map(|row| part(row, depth).trim_end_matches("[*]")) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let meant = match self.suggestion(key) {
            Some(meant) => format!("; did you mean {meant}?"),
            None => did_you_mean(name, names.iter().copied()),
        };
        format!("expected {}{meant}", one_of(&names))
    }

    /// The keys that resemble an unknown key, such as `start.speed or hunter.speed`; `None`: none does.
    ///
    /// Keys of species are suggested only for unknown keys of species. Keys with an equal name in another table come
    /// first, then keys with similar names in this table, then keys with similar names in all tables.
    fn suggestion(&self, key: &str) -> Option<String> {
        let parts: Vec<&str> = key.split('.').collect();
        let (name, table) = parts.split_last()?;
        let candidate = |row: &Key| {
            let own: Vec<&str> = row.path.split('.').collect();
            let (own_name, own_table) = own.split_last()?;
            if row.path.starts_with(self.keys.own.list) && !key.starts_with(self.keys.own.list) {
                return None;
            }
            let distance = strsim::osa_distance(name, own_name);
            let is_inside =
                own_table.len() >= table.len() && own_table.iter().zip(table).all(|(own, part)| is_part(own, part));
            // 0: in this table; 1: in a table below it; 2: elsewhere.
            let place = if is_inside { usize::from(own_table.len() > table.len()) } else { 2 };
            // The stars are replaced by the names and indices of the unknown key.
            let path = if is_inside { [table, &own[table.len()..]].concat() } else { own.clone() };
            let path: Vec<&str> =
                path.iter().map(|part| if *part == "hunter[*]" { LIST_OR_TABLE } else { part }).collect();
            let rank = (distance > 0, place, distance);
            (*own_name != "*" && distance <= name.len() / 3).then(|| (rank, path.join(".")))
        };
        let mut candidates: Vec<_> = self.keys.iter().copied().filter_map(candidate).collect();
        let best = candidates.iter().map(|(rank, _)| *rank).min()?;
        candidates.retain(|(rank, _)| *rank == best);
        candidates.dedup();
        Some(candidates.into_iter().map(|(_, path)| path).take(3).collect::<Vec<_>>().join(" or "))
    }
}

/// A part of a row's key; empty beyond its end.
fn part(row: &Key, depth: usize) -> &'static str {
    row.part(depth).unwrap_or_default()
}

/// Whether a part of a row's key matches a name in a document.
fn is_named(part: &str, name: &str) -> bool {
    part == "*" || part.trim_end_matches("[*]") == name
}

fn check_value(item: &Item, kind: Kind, key: &str) -> Result<(), Mistake> {
    let expected = match kind {
        Kind::Decimal(..) if !item.is_float() && !item.is_integer() => "a number",
        Kind::Whole(..) if !item.is_integer() => "a whole number",
        Kind::Switch if !item.is_bool() => "a boolean",
        Kind::Text | Kind::Choice(_) if !item.is_str() => "a string",
        Kind::Choice(words) => match item.as_str().filter(|word| !words.contains(word)) {
            Some(word) => {
                let problem = format!("unknown value `{word}`");
                let cure = format!("expected {}", one_of(words));
                return Err((item.span(), key.to_owned(), problem, cure));
            }
            None => return Ok(()),
        },
        Kind::Decimals(least, most, form) => return check_list(item, Kind::Decimal(least, most), form, key),
        Kind::Wholes(least, most, form) => return check_list(item, Kind::Whole(least, most), form, key),
        _ => return Ok(()),
    };
    Err(wrong_type(item, key, expected))
}

fn check_list(item: &Item, kind: Kind, form: ListForm, key: &str) -> Result<(), Mistake> {
    if form == ListForm::PlaceOrPlaces {
        let is_either =
            [ListForm::Place, ListForm::Places].into_iter().any(|form| check_list(item, kind, form, key).is_ok());
        let (problem, cure) = ("cannot be read", "expected a place such as [0.5, 0.5], or a list of places");
        return if is_either { Ok(()) } else { Err((item.span(), key.to_owned(), problem.into(), cure.into())) };
    }
    if form == ListForm::Span && !item.is_array() {
        return check_value(item, kind, key);
    }
    let list = item.as_array().ok_or_else(|| wrong_type(item, key, "a list"))?;
    for index in 0..list.len() {
        let element = item.get(index).unwrap_or(&Item::None);
        let key = format!("{key}[{index}]");
        match form {
            ListForm::Places => check_list(element, kind, ListForm::Place, &key)?,
            _ => check_value(element, kind, &key)?,
        }
    }
    let (possible, expected) = match form {
        ListForm::Pair | ListForm::Span => (2..=2, "2"),
        ListForm::Triple => (3..=3, "3"),
        ListForm::Place => (2..=3, "2 or 3"),
        _ => return Ok(()),
    };
    if possible.contains(&list.len()) {
        return Ok(());
    }
    let problem = format!("invalid length {}", list.len());
    let cure = format!("expected a list of {expected} numbers");
    Err((item.span(), key.to_owned(), problem, cure))
}

fn wrong_type(item: &Item, key: &str, expected: &str) -> Mistake {
    let is = match item {
        Item::Value(Value::String(text)) => Unexpected::Str(text.value()),
        Item::Value(Value::Integer(number)) => Unexpected::Signed(*number.value()),
        Item::Value(Value::Float(number)) => Unexpected::Float(*number.value()),
        Item::Value(Value::Boolean(on)) => Unexpected::Bool(*on.value()),
        Item::Value(Value::Array(_)) | Item::ArrayOfTables(_) => Unexpected::Seq,
        _ => Unexpected::Map,
    };
    (item.span(), key.to_owned(), format!("invalid type: {is}"), format!("expected {expected}"))
}

fn one_of(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [_] | [_, _] => names.join(" or "),
        _ => format!("one of {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::keys::KEYS;

    #[test]
    fn misspelt_keys_are_recognized() {
        for (key, expected) in [
            ("world.edgs", Some("world.edges")),
            ("movement.wnader", Some("movement.wander")),
            ("speed", Some("start.speed or hunter.speed or lives.dna.speed")),
            ("wander", Some("movement.wander")),
            ("look.color", Some("look.colour")),
            ("sight.cohesion.dics", Some("sight.cohesion.disc")),
            ("world.solid[1].radius", Some("world.solid[1].circle.radius or world.solid[1].ball.radius")),
            ("nonsense", None),
        ] {
            let schema = Schema { keys: &KEYS, reference: "" };
            assert_eq!(schema.suggestion(key).as_deref(), expected, "{key}");
        }
    }
}
