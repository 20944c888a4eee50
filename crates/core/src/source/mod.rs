//! The text of a preset with its settings, and the line of every key.

pub(crate) mod conflicts;
pub(crate) mod places;
mod schema;
mod setting;

pub use setting::{normalized, without_folders};

use crate::error::{BadInput, Complaint, line_of};
use crate::host::Host;
use crate::host::contents::{Content, Contents};
use crate::host::file_path::FilePath;
use crate::host::raster::{Raster, VectorList};
use crate::keys::{DefaultValue, Destination, Key, KeyTable, Kind, Row, Value};
use crate::text::{explain, one_line};
use setting::{Setting, is_within, length};
use std::collections::BTreeSet;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use toml_edit::{Document, DocumentMut, Item, Key as TomlKey, Table};

/// The key of the file of rock.
pub const TERRAIN_FILE: &str = "world.terrain.file";
/// The file that shows every key.
const REFERENCE: &str = "presets/reference.toml";
/// The unit of speeds, and the addition to the cure for speeds above their bound.
const SPEED_UNIT: &str = "cells/step";
const FOR_HIGHER_SPEEDS: &str = ", or take smaller radii and a smaller world, in which it is faster";

/// The keys of a start whose meaning depends on the shape.
const OF_SHAPES: [&str; 7] = ["count", "at", "radius", "width", "file", "positions", "velocities"];

/// The text of a preset with its settings: the value of every key, and its line for complaints.
#[derive(Debug)]
pub struct Source {
    host: Arc<dyn Host>,
    keys: &'static KeyTable,
    origin: FilePath,
    document: Document<String>,
    settings: Vec<Setting>,
    /// The document with all settings applied.
    merged: DocumentMut,
    /// Keys of the file that settings make meaningless; collected while the values are checked.
    leftovers: Arc<Mutex<BTreeSet<String>>>,
    /// The index of the species whose tables override the preset's; `None`: the tables are the preset's.
    species: Option<usize>,
    /// The contents of files from an earlier reading.
    known: Contents,
    /// The contents of the files that the text names; collected while the values are checked.
    contents: Arc<Mutex<Contents>>,
}

impl Source {
    /// Reads the text, and applies the settings (`key=value`) one after the other. `known`: the contents of files from
    /// an earlier reading, which are not read from disk again.
    ///
    /// The text is first checked alone, so that complaints about the text name its lines.
    ///
    /// # Errors
    /// The text is not TOML, has an unknown key, or a value does not have the type of its key.
    pub fn new(
        host: Arc<dyn Host>,
        keys: &'static KeyTable,
        origin: impl Into<FilePath>,
        text: &str,
        set: &[String],
        known: &Contents,
    ) -> Result<Self, BadInput> {
        let path = origin.into();
        let origin = &*path.to_string();
        let document = Document::parse(text.to_owned())
            .map_err(|error| explain(origin, text, error.message(), error.span(), REFERENCE))?;
        schema::check(document.as_item(), keys, REFERENCE).map_err(|(span, key, problem, cure)| {
            let line = line_of(text, span.map_or(0, |span| span.start));
            BadInput::new(origin, one_line(&problem), cure).at_line(line).at_key(one_line(&key))
        })?;
        let mut merged = document.clone().into_mut();
        let mut settings = Vec::new();
        for written in set {
            let setting = Setting::parse(written)?.resolved(&merged)?;
            setting.lay_over(&mut merged)?;
            schema::check(merged.as_item(), keys, REFERENCE)
                .map_err(|(_, key, problem, cure)| setting.wrong(one_line(&problem), cure).at_key(one_line(&key)))?;
            settings.push(setting);
        }
        Ok(Self {
            host,
            keys,
            origin: path,
            document,
            settings,
            merged,
            leftovers: Arc::default(),
            species: None,
            known: known.clone(),
            contents: Arc::default(),
        })
    }

    /// The values of a species: its own tables override the tables of the preset. Both share the files and the
    /// leftovers.
    pub fn of_species(&self, index: usize) -> Self {
        let mut merged = self.merged.clone();
        let table = self.item(&format!("species[{index}]")).and_then(Item::as_table_like);
        for (name, own) in table.into_iter().flat_map(|table| table.iter()) {
            match (own.as_table_like(), name) {
                (Some(_), "meets") => {}
                (Some(form), "start") if form.contains_key("shape") => {
                    // Another shape has other numbers.
                    let base = merged.entry(name).or_insert(Item::Table(Table::new()));
                    let table = base.as_table_like_mut();
                    table.into_iter().for_each(|table| OF_SHAPES.iter().for_each(|key| _ = table.remove(key)));
                    lay_over(base, own, false);
                }
                (Some(_), _) => lay_over(merged.entry(name).or_insert(Item::Table(Table::new())), own, name == "sight"),
                (None, "boids") => merged.entry("start").or_insert(Item::Table(Table::new()))["boids"] = own.clone(),
                (None, "seed") => merged["seed"] = own.clone(),
                _ => {}
            }
        }
        Self {
            host: self.host.clone(),
            keys: self.keys,
            origin: self.origin.clone(),
            document: self.document.clone(),
            settings: self.settings.clone(),
            merged,
            leftovers: self.leftovers.clone(),
            species: Some(index),
            known: self.known.clone(),
            contents: self.contents.clone(),
        }
    }

    /// The species' own key if it has one, else `key`.
    pub fn own_key(&self, key: &str) -> String {
        let own = self.species.map(|index| match key {
            "start.boids" => format!("species[{index}].boids"),
            _ => format!("species[{index}].{key}"),
        });
        own.filter(|own| self.item(own).is_some()).unwrap_or_else(|| key.to_owned())
    }

    pub fn host(&self) -> &Arc<dyn Host> {
        &self.host
    }

    /// Whether the preset has individuals. Their lattice is flat, in flat and deep worlds.
    pub fn has_individuals(&self) -> bool {
        self.word("model") == Some("agents")
    }

    /// The picture or array that a key names. `path`: the result of [`Self::resolve`].
    pub fn raster(&self, key: &str, path: &Path, is_array: bool) -> Result<Raster, BadInput> {
        self.decoded(
            key,
            path,
            |bytes| {
                if is_array { self.host.decode_array(bytes) } else { self.host.decode_picture(bytes) }
            },
        )
    }

    /// The scalar field of an array that a key names. `path`: the result of [`Self::resolve`].
    pub fn voxels(&self, key: &str, path: &Path) -> Result<Raster<i16>, BadInput> {
        self.decoded(key, path, |bytes| self.host.decode_voxels(bytes))
    }

    /// The vectors of an array that a key names. `path`: the result of [`Self::resolve`].
    pub fn vector_list(&self, key: &str, path: &Path) -> Result<VectorList, BadInput> {
        self.decoded(key, path, |bytes| self.host.decode_vectors(bytes))
    }

    fn decoded<T>(
        &self,
        key: &str,
        path: &Path,
        decode: impl Fn(&[u8]) -> Result<T, Complaint>,
    ) -> Result<T, BadInput> {
        let bytes = lock(&self.contents).read(path, &self.known, self.host.as_ref());
        let decoded = bytes.and_then(|bytes| decode(&bytes));
        decoded.map_err(|(problem, cure): Complaint| self.wrong(key, format!("{}: {problem}", path.display()), cure))
    }

    /// The content of a file that was read, now or at an earlier reading.
    pub fn content(&self, path: &Path) -> Option<Content> {
        lock(&self.contents).recall(path, &self.known)
    }

    /// Reads a file, and returns whether it can be read.
    pub fn is_there(&self, path: &Path) -> bool {
        lock(&self.contents).read(path, &self.known, self.host.as_ref()).is_ok()
    }

    /// The contents of the files that were read up to now.
    pub fn contents(&self) -> Contents {
        lock(&self.contents).clone()
    }

    /// A complaint about a key, at its line in the file or at the `--set` that contains it.
    pub fn wrong(&self, key: &str, problem: impl Into<String>, cure: impl Into<String>) -> BadInput {
        let problem = one_line(&problem.into());
        let cure = cure.into();
        let key = &self.own_key(key);
        match self.settings.iter().rev().find(|setting| setting.touches(key)) {
            Some(setting) => setting.wrong(problem, cure).at_key(key),
            None => BadInput::new(&self.origin, problem, cure).at_line(self.line(key)).at_key(key),
        }
    }

    /// The item of a key such as `world.solid[1].circle`, with all settings applied.
    pub fn item(&self, key: &str) -> Option<&Item> {
        key.split(['.', '[']).try_fold(self.merged.as_item(), below)
    }

    /// The names in a table, sorted.
    pub fn names(&self, table: &str) -> BTreeSet<&str> {
        let table = self.item(table).and_then(Item::as_table_like);
        table.into_iter().flat_map(|table| table.iter().map(|(name, _)| name)).collect()
    }

    /// The number of elements of a list; 0 if the list is missing.
    pub fn length(&self, list: &str) -> usize {
        self.item(list).and_then(length).unwrap_or(0)
    }

    /// The keys of the tables of a key, which may be one table or a list of tables.
    pub fn tables(&self, key: &str) -> Vec<String> {
        match self.item(key) {
            None => Vec::new(),
            Some(item) if item.is_table_like() => vec![key.to_owned()],
            Some(_) => (0..self.length(key)).map(|index| format!("{key}[{index}]")).collect(),
        }
    }

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

    /// The switch of a key, or its default.
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

    /// The row of a key whose condition holds, else the first row.
    fn row(&self, key: &str) -> &'static Key {
        let applying = self.keys.rows(key).find(|row| self.applies(row));
        applying.or(self.keys.rows(key).next()).unwrap_or_else(|| unreachable!("{key} is not in the table"))
    }

    /// Whether a key is present and the settings do not make it meaningless.
    pub fn is_in_use(&self, key: &str) -> bool {
        self.item(key).is_some() && !lock(&self.leftovers).iter().any(|leftover| is_within(key, leftover))
    }

    /// Refuses keys that are meaningless with the values of other keys.
    pub fn check_conditions(&self) -> Result<(), BadInput> {
        for row in self.keys.iter().filter(|row| self.item(row.path).is_some()) {
            let applies = self.keys.rows(row.path).any(|row| self.applies(row));
            // A margin of 0 is allowed on a torus.
            let is_none = row.path == "world.margin" && self.item(row.path).and_then(Item::as_integer) == Some(0);
            if let Some(needs) = self.keys.rows(row.path).find_map(|row| row.needs)
                && !applies
                && !is_none
            {
                self.refuse(row.path, needs.decider, needs.cure)?;
            }
        }
        Ok(())
    }

    /// The key that is present among the keys of a table that exclude each other; `None` if none is present.
    ///
    /// A key from a setting replaces the alternatives in the file, so that one setting can try another form.
    pub fn choice<'a>(&self, table: &str, keys: &[&'a str]) -> Result<Option<&'a str>, BadInput> {
        let path = |key: &str| format!("{table}.{key}");
        let present: Vec<&str> = keys.iter().copied().filter(|key| self.item(&path(key)).is_some()).collect();
        let set: Vec<&str> = present.iter().copied().filter(|key| self.is_set(&path(key))).collect();
        match (present.as_slice(), set.as_slice()) {
            ([], _) => Ok(None),
            ([only], _) => Ok(Some(only)),
            (_, [only]) => {
                let others = present.iter().filter(|key| *key != only);
                lock(&self.leftovers).extend(others.map(|key| self.own_key(&path(key))));
                Ok(Some(only))
            }
            _ => Err(self.wrong(table, format!("has {} at once", present.join(" and ")), "keep exactly one of them")),
        }
    }

    /// Refuses a key that is meaningless with the value of `decider`.
    ///
    /// If a setting has `decider` but not the key, the key of the file is a leftover and allowed.
    pub fn refuse(&self, key: &str, decider: &str, cure: impl Into<String>) -> Result<(), BadInput> {
        if self.is_set(decider) && !self.is_set(key) {
            lock(&self.leftovers).insert(self.own_key(key));
            return Ok(());
        }
        Err(self.wrong(key, format!("means nothing with this {decider}"), cure))
    }

    /// The path that a key names: relative to the preset's file, or to the working directory if a setting has the key.
    pub fn resolve(&self, key: &str, path: &str) -> PathBuf {
        match self.origin.parent() {
            Some(beside) if !self.is_set(key) => beside.join(path),
            _ => PathBuf::from(path),
        }
    }

    /// The document with all settings, without the keys that they make meaningless. Comments stay if possible.
    pub fn effective_document(&self) -> DocumentMut {
        let mut merged = self.merged.clone();
        for key in lock(&self.leftovers).iter() {
            remove(&mut merged, key);
        }
        merged
    }

    /// The effective document with more settings, which are applied last.
    pub fn document(&self, more: &[String]) -> Result<DocumentMut, BadInput> {
        let mut merged = self.effective_document();
        for setting in more {
            Setting::parse(setting)?.resolved(&merged)?.lay_over(&mut merged)?;
        }
        Ok(merged)
    }

    /// The keys of files except the chain, present or not.
    pub fn file_keys(&self) -> impl Iterator<Item = String> {
        let masks = (0..self.length("world.solid")).map(|index| format!("world.solid[{index}].mask"));
        let own = (0..self.length("species")).map(|index| format!("species[{index}].start"));
        let starts = own.chain(["start".to_owned()]);
        let starts = starts.flat_map(|start| ["file", "positions", "velocities"].map(|name| format!("{start}.{name}")));
        masks.chain(starts).chain([TERRAIN_FILE.to_owned()])
    }

    /// Whether the condition of a row holds.
    pub fn applies(&self, row: &Key) -> bool {
        row.needs.is_none_or(|needs| self.word(needs.decider).is_some_and(|word| needs.words.contains(&word)))
    }

    /// Whether a setting contains this key, or a key of this table.
    pub fn is_set(&self, key: &str) -> bool {
        self.settings.iter().any(|setting| is_within(key, &setting.key))
    }

    /// The line of a key such as `world.solid[1].circle`, or of the nearest enclosing table if the key is missing.
    fn line(&self, key: &str) -> usize {
        let mut item = self.document.as_item();
        let mut offset = 0;
        for part in key.split(['.', '[']) {
            let Some(inside) = below(item, part) else { break };
            let key = item.as_table_like().and_then(|table| table.key(part)).and_then(TomlKey::span);
            offset = key.or(inside.span()).map_or(offset, |span| span.start);
            item = inside;
        }
        line_of(self.document.raw(), offset)
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The item in a table by name, or in a list by an index with `]`.
fn below<'a>(item: &'a Item, part: &str) -> Option<&'a Item> {
    match part.strip_suffix(']') {
        Some(index) => item.get(index.parse::<usize>().ok()?),
        None => item.get(part),
    }
}

/// The item of a key in a mutable document.
pub fn item_mut<'a>(document: &'a mut DocumentMut, key: &str) -> Option<&'a mut Item> {
    key.split(['.', '[']).try_fold(document.as_item_mut(), |item, part| match part.strip_suffix(']') {
        Some(index) => item.get_mut(index.parse::<usize>().ok()?),
        None => item.as_table_like_mut()?.get_mut(part),
    })
}

/// Removes a key from a document, if it is there.
pub fn remove(document: &mut DocumentMut, key: &str) {
    let (table, name) = key.rsplit_once('.').unwrap_or(("", key));
    let table = if table.is_empty() { Some(document.as_item_mut()) } else { item_mut(document, table) };
    if let Some(table) = table.and_then(Item::as_table_like_mut) {
        table.remove(name);
    }
}

fn number(item: &Item) -> Option<f64> {
    item.as_float().or(item.as_integer().map(|number| number as f64))
}

fn numbers(item: &Item) -> Vec<f64> {
    let elements = (0..length(item).unwrap_or(0)).filter_map(|index| item.get(index));
    number(item).into_iter().chain(elements.flat_map(numbers)).collect()
}

/// Overrides the preset's table with a species' table, key by key. A sight has only one form, so the species' sight
/// replaces the preset's.
fn lay_over(base: &mut Item, own: &Item, is_of_sights: bool) {
    for (key, value) in own.as_table_like().into_iter().flat_map(|table| table.iter()) {
        match base.get_mut(key) {
            Some(inside) if !is_of_sights && inside.is_table_like() && value.is_table_like() => {
                lay_over(inside, value, false);
            }
            _ => base[key] = value.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::keys::KEYS;

    const TEXT: &str = "description = \"x\"\n\n[world]\nsize = [8, 8]\n[[world.solid]]\nmask = \"a\"\n[[world.solid]]\n\
                        circle = { at = [0.5, 0.5], radius = 0.1 }\n[sight.cohesion]\ndisc = 5\n";

    fn read(text: &str, set: &[&str]) -> Result<Source, BadInput> {
        let set: Vec<String> = set.iter().map(|written| (*written).to_owned()).collect();
        Source::new(crate::testing::host().clone(), &KEYS, "some/file.toml", text, &set, &Contents::default())
    }

    #[test]
    fn every_key_has_its_line() {
        let source = read(TEXT, &[]).unwrap();
        for (key, line) in [
            ("description", 1),
            ("world", 3),
            ("world.size", 4),
            ("world.margin", 3),
            ("world.solid[0].mask", 6),
            ("world.solid[1]", 7),
            ("world.solid[1].circle.radius", 8),
            ("sight.cohesion.disc", 10),
            ("hunter.reach", 1),
        ] {
            assert_eq!(source.line(key), line, "{key}");
        }
        let source = read("\n[world]\nsolid = [\n { mask = \"a\" },\n { mask = \"b\" },\n]\n", &[]).unwrap();
        assert_eq!(source.line("world.solid[1].mask"), 5);
    }

    #[test]
    fn mistakes_of_the_notation_are_one_line_with_place_and_key() {
        for (text, message) in [
            (
                "[world]\nsize = [8, 8]\nedgs = 1\n",
                "f:3: world.edgs: unknown key `edgs`; expected one of `size`, `edges`, `origin`, `margin`, `capacity`, \
                 `solid`, `terrain`; did you mean world.edges?",
            ),
            (
                "\n[start]\nboids = \"many\"\n",
                "f:3: start.boids: invalid type: string \"many\"; expected a whole number",
            ),
            ("[movement]\nkeep = \"x\"\n", "f:2: movement.keep: invalid type: string \"x\"; expected a number"),
            (
                "[world]\nedges = \"wall\"\n",
                "f:2: world.edges: unknown value `wall`; expected one of `torus`, `walls`, `endless`",
            ),
            (
                "[start]\nat = 3\n",
                "f:2: start.at: cannot be read; expected a place such as [0.5, 0.5], or a list of places",
            ),
            (
                "[[world.solid]]\n[[world.solid]]\ncircle = { at = [0, 0] }\n",
                "f:3: world.solid[1].circle: missing key `radius`; \
                 presets/reference.toml shows how every key is written",
            ),
            ("a = [1,\n", "f:1: unclosed array; expected `]`"),
            ("seed = 1\nseed = 2\n", "f:2: duplicate key; presets/reference.toml shows how every key is written"),
        ] {
            let read = Source::new(crate::testing::host().clone(), &KEYS, "f", text, &[], &Contents::default());
            assert_eq!(read.unwrap_err().to_string(), message);
        }
        let wrong = read("[start]\n\"boids[0]\" = 5\n", &[]).unwrap_err().to_string();
        assert!(wrong.contains("unknown key `boids[0]`"), "{wrong}");
    }

    #[test]
    fn settings_are_laid_over_the_file() {
        let set = ["weights.cohesion=0.8", "world.edges=walls", "hunter.mood = 'follow'", "sight.mine.box=2", "seed=7"];
        let source = read(TEXT, &set).unwrap();
        assert_eq!(source.decimal("weights.cohesion"), Ok(0.8));
        assert_eq!((source.word("world.edges"), source.word("hunter.mood")), (Some("walls"), Some("follow")));
        assert_eq!(source.length("world.solid"), 2);
        assert_eq!((source.integer("sight.mine.box"), source.decimal("sight.cohesion.disc")), (Ok(2), Ok(5.0)));
        assert_eq!(source.integer("seed"), Ok(7));
        assert_eq!(read(TEXT, &["world.solid=[]"]).unwrap().length("world.solid"), 0);
        let source =
            read("weights.cohesion = 1\nhunter = { reach = 3 }\n", &["weights.a=2", "hunter.at=[0, 0]"]).unwrap();
        assert_eq!((source.names("weights").len(), source.integer("hunter.reach")), (2, Ok(3)));
    }

    #[test]
    fn a_wrong_setting_is_named_itself() {
        let form = "write it as key=value, as in weights.cohesion=0.8";
        let movement = "expected one of `keep`, `cruise`, `min`, `turn`, `max`, `distribution`, `carry`, `wander`, \
                        `rest`; did you mean start.speed or hunter.speed or lives.dna.speed?";
        for (set, message) in [
            ("seed", format!("there is no `=` in it; {form}")),
            (" =3", format!("what stands before `=` is not a dotted key; {form}")),
            ("seed=", format!("what stands after `=` is not a value of TOML; {form}")),
            ("seed=[1", format!("what stands after `=` is not a value of TOML; {form}")),
            ("seed=x", "seed: invalid type: string \"x\"; expected a whole number".to_owned()),
            ("movement.speed=1", format!("movement.speed: unknown key `speed`; {movement}")),
            (
                "description.x=1",
                "description.x: `description` is not a table; set it as a whole, in the notation of TOML".to_owned(),
            ),
        ] {
            let message = format!("set {set}: {message}");
            assert_eq!(read(TEXT, &[set]).unwrap_err().to_string(), message);
        }
        let source = read(TEXT, &["movement.keep=3"]).unwrap();
        assert_eq!(source.wrong("movement.keep", "p", "c").to_string(), "set movement.keep=3: movement.keep: p; c");
        assert_eq!(source.wrong("world.size", "p", "c").to_string(), "some/file.toml:4: world.size: p; c");
    }

    #[test]
    fn a_setting_beats_its_alternative_and_excuses_leftovers() {
        let keys = ["disc", "box"];
        let source = read(TEXT, &["sight.cohesion.box=2"]).unwrap();
        assert_eq!(source.choice("sight.cohesion", &keys), Ok(Some("box")));
        let source = read("sight.alignment = { disc = 5, box = 2 }\n", &[]).unwrap();
        assert!(source.choice("sight.alignment", &keys).is_err());
        let source = read(TEXT, &["world.edges=walls"]).unwrap();
        assert!(source.refuse("world.margin", "world.edges", "").is_ok());
        assert!(source.refuse("world.margin", "world.size", "").is_err());
        assert_eq!(source.resolve("chain", "a.toml"), PathBuf::from("some/a.toml"));
        let source = read(TEXT, &["chain=a.toml"]).unwrap();
        assert_eq!(source.resolve("chain", "a.toml"), PathBuf::from("a.toml"));
    }
}
