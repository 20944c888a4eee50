//! The text of a preset with its settings, and the line of every key.

pub(crate) mod conflicts;
pub(crate) mod places;
mod schema;
mod setting;
#[cfg(test)]
mod tests;
mod values;

pub use setting::{normalized, without_folders};

use crate::error::{BadInput, Complaint, line_of};
use crate::host::Host;
use crate::host::contents::{Content, Contents};
use crate::host::file_path::FilePath;
use crate::host::raster::{Raster, VectorList};
use crate::keys::{Key, KeyTable};
use crate::parallel::lock;
use crate::text::{explain, one_line};
use setting::{Setting, is_within, length};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use toml_edit::{Document, DocumentMut, Item, Key as TomlKey, Table};

/// The key of the file of rock.
pub const TERRAIN_FILE: &str = "world.terrain.file";
/// The file that shows every key.
const REFERENCE: &str = "presets/reference.toml";

/// The keys of a start whose meaning depends on the shape.
const OF_SHAPES: [&str; 7] = ["count", "at", "radius", "width", "file", "positions", "velocities"];

/// The text of a preset with its settings: the value of every key, and its line for error messages.
#[derive(Debug, Clone)]
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
        let mut species = Self { species: Some(index), ..self.clone() };
        let merged = &mut species.merged;
        let table = self.item(&format!("species[{index}]")).and_then(Item::as_table_like);
        for (name, own) in table.into_iter().flat_map(|table| table.iter()) {
            match (own.as_table_like(), name) {
                (Some(_), "meets") => {}
                (Some(form), "start") if form.contains_key("shape") => {
                    // If the species has a shape of its own, the numbers of the preset's shape do not apply.
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
        species
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

/// An item of a table or a list. `part`: the name in the table, or the index in the list, followed by `]`.
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
