//! The text of a preset, the settings that are laid over it, and the line of every key.

use super::keys::{self, KEYS, Key, Kind};
use super::setting::{Setting, is_within};
use super::spec::Spec;
use crate::contents::{Content, Contents};
use crate::error::{BadInput, Complaint, line_of};
use crate::platform::SharedHost;
use crate::raster::Raster;
use crate::text::{element, explain, one_line, parse_toml};
use std::collections::BTreeSet;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use toml_edit::{Document, DocumentMut, Item, TableLike};

/// The file that shows how every key is written.
const REFERENCE: &str = "presets/reference.toml";

/// The text of a preset with its settings: the value of every key, and the line where it stands, so that a complaint can
/// name it.
#[derive(Debug)]
pub(super) struct Source {
    host: SharedHost,
    origin: String,
    document: Document<String>,
    settings: Vec<Setting>,
    /// The document with all settings laid over it.
    merged: DocumentMut,
    /// Keys of the file that have no meaning beside the settings; filled while the values are checked.
    leftovers: Mutex<BTreeSet<String>>,
    /// The contents of files at an earlier reading.
    known: Contents,
    /// The contents of the files that the text names; filled while the values are checked.
    contents: Mutex<Contents>,
}

impl Source {
    /// Reads the text, and lays the settings (`key=value`) over it one after the other.
    ///
    /// The text is read alone first, so that its own mistakes keep their lines.
    pub fn read(host: &SharedHost, origin: &str, text: &str, set: &[String]) -> Result<(Self, Spec), BadInput> {
        let mut spec = parse(origin, text)?;
        let document = Document::parse(text.to_owned())
            .map_err(|error| explain(origin, text, error.message(), error.span(), REFERENCE))?;
        let mut merged = document.clone().into_mut();
        let mut settings = Vec::new();
        for written in set {
            let setting = Setting::parse(written)?;
            setting.lay_over(&mut merged)?;
            spec = parse(origin, &merged.to_string()).map_err(|wrong| BadInput {
                origin: setting.origin(),
                line: None,
                ..wrong
            })?;
            settings.push(setting);
        }
        let source = Self {
            host: host.clone(),
            origin: origin.to_owned(),
            document,
            settings,
            merged,
            leftovers: Mutex::default(),
            known: Contents::default(),
            contents: Mutex::default(),
        };
        Ok((source, spec))
    }

    pub fn host(&self) -> &SharedHost {
        &self.host
    }

    /// The same source with the contents of files at an earlier reading, which are not read from disk again.
    pub fn knowing(self, known: &Contents) -> Self {
        Self { known: known.clone(), ..self }
    }

    /// The brightness of a picture that a key names. `path`: the result of [`Self::resolve`].
    pub fn picture(&self, key: &str, path: &Path) -> Result<Raster, BadInput> {
        self.decoded(key, path, |bytes| self.host.decode_picture(bytes))
    }

    /// The elements of an array that a key names.
    pub fn array(&self, key: &str, path: &Path) -> Result<Raster, BadInput> {
        self.decoded(key, path, |bytes| self.host.decode_array(bytes))
    }

    fn decoded(
        &self,
        key: &str,
        path: &Path,
        decode: impl Fn(&[u8]) -> Result<Raster, Complaint>,
    ) -> Result<Raster, BadInput> {
        let mut contents = self.contents.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = contents.read(&path.display().to_string(), &self.known, self.host.as_ref());
        let raster = bytes.and_then(|bytes| decode(&bytes));
        raster.map_err(|(problem, cure)| self.wrong(key, format!("{}: {problem}", path.display()), cure))
    }

    /// The content of a file that was read, now or at an earlier reading.
    pub fn content(&self, path: &Path) -> Option<Content> {
        let mut contents = self.contents.lock().unwrap_or_else(PoisonError::into_inner);
        contents.recall(&path.display().to_string(), &self.known)
    }

    /// The contents of the files that were read so far.
    pub fn contents(&self) -> Contents {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A complaint about a key, at its line in the file or at the `--set` that has it.
    pub fn wrong(&self, key: &str, problem: impl Into<String>, cure: impl Into<String>) -> BadInput {
        let (problem, cure) = (one_line(&problem.into()), cure.into());
        match self.settings.iter().rev().find(|setting| setting.touches(key)) {
            Some(setting) => BadInput::new(setting.origin(), problem, cure).at_key(key),
            None => BadInput::new(&self.origin, problem, cure).at_line(self.line(key)).at_key(key),
        }
    }

    /// A decimal within the bounds of its key, or the key's default; NaN lies within no bounds.
    pub fn decimal(&self, key: &str, value: Option<f64>) -> Result<f64, BadInput> {
        let row = self.row(key);
        let (Kind::Decimal(least, most) | Kind::Decimals(least, most)) = row.kind else {
            unreachable!("{key} is no decimal")
        };
        self.within(key, row, value, least..=most, |default| default)
    }

    /// A whole number within the bounds of its key, or the key's default.
    pub fn whole(&self, key: &str, value: Option<i64>) -> Result<i64, BadInput> {
        let row = self.row(key);
        let (Kind::Whole(least, most) | Kind::Wholes(least, most)) = row.kind else {
            unreachable!("{key} is no whole number")
        };
        self.within(key, row, value, least..=most, |default| default as i64)
    }

    fn within<T: PartialOrd + Display>(
        &self,
        key: &str,
        row: &Key,
        value: Option<T>,
        bounds: RangeInclusive<T>,
        default: fn(f64) -> T,
    ) -> Result<T, BadInput> {
        match (value, row.default) {
            (Some(value), _) if bounds.contains(&value) => Ok(value),
            (Some(value), _) => {
                let cure = format!("it must be from {} to {}", bounds.start(), bounds.end());
                Err(self.wrong(key, format!("{value} is out of bounds"), cure))
            }
            (None, keys::DefaultValue::Number(number)) => Ok(default(number)),
            (None, _) => Err(self.wrong(key, "is missing", format!("{REFERENCE} shows how every key is written"))),
        }
    }

    /// The row of a key: the one whose condition holds.
    pub fn row(&self, key: &str) -> &'static Key {
        let applying = keys::rows(key).find(|row| row.applies(self));
        applying.or(keys::rows(key).next()).unwrap_or_else(|| unreachable!("{key} is not in the table"))
    }

    /// The item of a key, with all that was set.
    pub fn item(&self, key: &str) -> Option<&Item> {
        key.split('.').try_fold(self.merged.as_item(), |item, name| item.as_table_like()?.get(name))
    }

    /// The word of a key, or its default.
    pub fn word(&self, key: &str) -> Option<&str> {
        match (self.item(key), keys::rows(key).next()?.default) {
            (Some(item), _) => item.as_str(),
            (None, keys::DefaultValue::Word(word)) => Some(word),
            (None, _) => None,
        }
    }

    /// Whether a key is there and has a meaning beside the settings.
    pub fn is_in_use(&self, key: &str) -> bool {
        self.item(key).is_some() && !self.leftovers().iter().any(|leftover| is_within(key, leftover))
    }

    /// Refuses the keys that have no meaning beside the values of others.
    pub fn check_conditions(&self) -> Result<(), BadInput> {
        for row in KEYS.iter().filter(|row| self.item(row.path).is_some()) {
            let applies = keys::rows(row.path).any(|row| row.applies(self));
            // A margin of 0 is none, also on a torus.
            let is_none = row.path == "world.margin" && self.item(row.path).and_then(Item::as_integer) == Some(0);
            if let Some(needs) = keys::rows(row.path).filter_map(|row| row.needs).last()
                && !applies
                && !is_none
            {
                self.stray(row.path, needs.decider, needs.cure)?;
            }
        }
        Ok(())
    }

    /// The key that is present among keys of a table that exclude each other; `None`: none is.
    ///
    /// A key that was set replaces those of the file, so that one setting can try another form.
    pub fn choice<'a>(&self, table: &str, keys: &[(&'a str, bool)]) -> Result<Option<&'a str>, BadInput> {
        let present: Vec<&str> = keys.iter().filter(|(_, there)| *there).map(|(key, _)| *key).collect();
        let set: Vec<&str> = present.iter().copied().filter(|key| self.is_set(&format!("{table}.{key}"))).collect();
        match (present.as_slice(), set.as_slice()) {
            ([], _) => Ok(None),
            ([only], _) => Ok(Some(only)),
            (_, [only]) => {
                let others = present.iter().filter(|key| *key != only);
                self.leftovers().extend(others.map(|key| format!("{table}.{key}")));
                Ok(Some(only))
            }
            _ => Err(self.wrong(table, format!("has {} at once", present.join(" and ")), "keep exactly one of them")),
        }
    }

    /// Refuses a key that has no meaning beside the value of `decider`.
    ///
    /// If only `decider` was set, the key is a leftover of the file and no mistake.
    pub fn stray(&self, key: &str, decider: &str, cure: impl Into<String>) -> Result<(), BadInput> {
        if self.is_set(decider) && !self.is_set(key) {
            self.leftovers().insert(key.to_owned());
            return Ok(());
        }
        Err(self.wrong(key, format!("means nothing with this {decider}"), cure))
    }

    /// The path that a key names: beside the preset's file, or in the working directory if the key was set.
    pub fn resolve(&self, key: &str, path: &str) -> PathBuf {
        match Path::new(&self.origin).parent() {
            Some(beside) if !self.is_set(key) => beside.join(path),
            _ => PathBuf::from(path),
        }
    }

    /// The document with all settings, without the keys that have no meaning beside them. Comments stay where possible.
    ///
    /// `more` is set as well, after all else.
    pub fn document(&self, more: &[String]) -> Result<DocumentMut, BadInput> {
        let mut merged = self.merged.clone();
        for key in self.leftovers().iter() {
            remove(&mut merged, key);
        }
        for setting in more {
            Setting::parse(setting)?.lay_over(&mut merged)?;
        }
        Ok(merged)
    }

    fn leftovers(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.leftovers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_set(&self, key: &str) -> bool {
        self.settings.iter().any(|setting| is_within(key, &setting.key))
    }

    /// The line of a key such as `world.solid[1].circle`, or of the nearest table around it if the key is missing.
    fn line(&self, key: &str) -> usize {
        let mut table: &dyn TableLike = self.document.as_table();
        let mut offset = 0;
        for part in key.split('.') {
            let (name, index) = match part.strip_suffix(']').and_then(|part| part.split_once('[')) {
                Some((name, index)) => (name, index.parse().ok()),
                None => (part, None),
            };
            let Some((key, item)) = table.get_key_value(name) else { break };
            let (span, inside) = match index {
                Some(index) => element(item, index),
                None => (key.span(), item.as_table_like()),
            };
            offset = span.or(key.span()).map_or(offset, |span| span.start);
            let Some(inside) = inside else { break };
            table = inside;
        }
        line_of(self.document.raw(), offset)
    }
}

/// Takes a dotted key away.
fn remove(document: &mut DocumentMut, key: &str) {
    let mut names: Vec<&str> = key.split('.').collect();
    let Some(last) = names.pop() else { return };
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for name in names {
        let Some(inside) = table.get_mut(name).and_then(Item::as_table_like_mut) else { return };
        table = inside;
    }
    table.remove(last);
}

/// Reads the text; a complaint about an unknown key names the keys that may have been meant.
fn parse(origin: &str, text: &str) -> Result<Spec, BadInput> {
    parse_toml(origin, text, REFERENCE).map_err(|mut wrong: BadInput| {
        let is_unknown = wrong.problem.starts_with("unknown key");
        if let Some(meant) = wrong.key.as_deref().filter(|_| is_unknown).and_then(keys::suggestion) {
            wrong.cure += &format!("; did you mean {meant}?");
        }
        wrong
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "description = \"x\"\n\n[world]\nsize = [8, 8]\n[[world.solid]]\nmask = \"a\"\n[[world.solid]]\n\
                        circle = { at = [0.5, 0.5], radius = 0.1 }\n[sight.cohesion]\ndisc = 5\n";

    fn read(text: &str, set: &[&str]) -> Result<(Source, Spec), BadInput> {
        let set: Vec<String> = set.iter().map(|written| (*written).to_owned()).collect();
        Source::read(crate::testing::host(), "some/file.toml", text, &set)
    }

    #[test]
    fn every_key_has_its_line() {
        let (source, _) = read(TEXT, &[]).unwrap();
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
        let (source, _) = read("\n[world]\nsolid = [\n { mask = \"a\" },\n { mask = \"b\" },\n]\n", &[]).unwrap();
        assert_eq!(source.line("world.solid[1].mask"), 5);
    }

    #[test]
    fn mistakes_of_the_notation_are_one_line_with_place_and_key() {
        for (text, message) in [
            (
                "[world]\nsize = [8, 8]\nedgs = 1\n",
                "f:3: world.edgs: unknown key `edgs`; expected one of `size`, `edges`, `margin`, `capacity`, `solid`; \
                 did you mean world.edges?",
            ),
            (
                "\n[start]\nboids = \"many\"\n",
                "f:3: start.boids: invalid type: string \"many\"; expected a whole number",
            ),
            ("[movement]\nkeep = \"x\"\n", "f:2: movement.keep: invalid type: string \"x\"; expected a number"),
            ("[world]\nedges = \"wall\"\n", "f:2: world.edges: unknown value `wall`; expected `torus` or `walls`"),
            (
                "[start]\nat = 3\n",
                "f:2: start.at: cannot be read; expected a point such as [0.5, 0.5], or a list of points",
            ),
            (
                "[[world.solid]]\n[[world.solid]]\ncircle = { at = [0, 0] }\n",
                "f:3: world.solid[1].circle: missing key `radius`; \
                 presets/reference.toml shows how every key is written",
            ),
            ("a = [1,\n", "f:1: unclosed array; expected `]`"),
            ("seed = 1\nseed = 2\n", "f:2: duplicate key; presets/reference.toml shows how every key is written"),
        ] {
            assert_eq!(Source::read(crate::testing::host(), "f", text, &[]).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn settings_are_laid_over_the_file() {
        let set = ["weights.cohesion=0.8", "world.edges=walls", "hunter.mood = 'follow'", "sight.mine.box=2", "seed=7"];
        let (_, spec) = read(TEXT, &set).unwrap();
        assert_eq!(spec.weights["cohesion"], 0.8);
        assert_eq!(spec.world.edges, crate::preset::spec::Edges::Walls);
        assert_eq!(spec.world.solid.len(), 2);
        assert_eq!(spec.sight["mine"].square, Some(2));
        assert_eq!(spec.sight["cohesion"].disc, Some(5.0));
        assert_eq!(spec.seed, Some(7));
        let (_, spec) = read(TEXT, &["world.solid=[]"]).unwrap();
        assert!(spec.world.solid.is_empty());
        let (_, spec) =
            read("weights.cohesion = 1\nhunter = { reach = 3 }\n", &["weights.a=2", "hunter.at=[0, 0]"]).unwrap();
        assert_eq!((spec.weights.len(), spec.hunter.unwrap().reach), (2, Some(3)));
    }

    #[test]
    fn a_wrong_setting_is_named_itself() {
        let form = "write it as key=value, as in weights.cohesion=0.8";
        let movement = "expected one of `keep`, `cruise`, `max`, `distribution`, `carry`, `wander`; \
                        did you mean start.speed or hunter.speed?";
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
            let message = format!("--set {set}: {message}");
            assert_eq!(read(TEXT, &[set]).unwrap_err().to_string(), message);
        }
        let (source, _) = read(TEXT, &["movement.keep=3"]).unwrap();
        assert_eq!(source.wrong("movement.keep", "p", "c").to_string(), "--set movement.keep=3: movement.keep: p; c");
        assert_eq!(source.wrong("world.size", "p", "c").to_string(), "some/file.toml:4: world.size: p; c");
    }

    #[test]
    fn a_setting_beats_its_alternative_and_excuses_leftovers() {
        let keys = [("disc", true), ("box", true)];
        let (source, _) = read(TEXT, &["sight.cohesion.box=2"]).unwrap();
        assert_eq!(source.choice("sight.cohesion", &keys), Ok(Some("box")));
        assert!(source.choice("sight.alignment", &keys).is_err());
        let (source, _) = read(TEXT, &["world.edges=walls"]).unwrap();
        assert!(source.stray("world.margin", "world.edges", "").is_ok());
        assert!(source.stray("world.margin", "world.size", "").is_err());
        assert_eq!(source.resolve("chain", "a.toml"), PathBuf::from("some/a.toml"));
        let (source, _) = read(TEXT, &["chain=a.toml"]).unwrap();
        assert_eq!(source.resolve("chain", "a.toml"), PathBuf::from("a.toml"));
    }
}
