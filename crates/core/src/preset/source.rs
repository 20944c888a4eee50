//! The text of a preset as it was written, what `--set` laid over it, and the line of every key.

use super::raster::Raster;
use super::spec::Spec;
use crate::contents::{Complaint, Contents};
use crate::error::{BadInput, line_of};
use crate::host::SharedHost;
use crate::text::{element, explain, one_line, parse_toml};
use std::collections::BTreeSet;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use toml_edit::{Document, DocumentMut, InlineTable, Item, Key, TableLike, Value};

/// Where to look for how a key is written.
const REFERENCE: &str = "presets/reference.toml";

/// Where everything in a preset was said, so that a mistake can be shown where it was made.
#[derive(Debug)]
pub(super) struct Source {
    host: SharedHost,
    origin: String,
    document: Document<String>,
    settings: Vec<Setting>,
    /// Keys of the file that mean nothing beside what was set; filled while the values are checked.
    leftovers: Mutex<BTreeSet<String>>,
    /// What files held when the text was read before.
    known: Contents,
    /// What those hold that the text names; filled while the values are checked.
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
            let (setting, value) = Setting::parse(written)?;
            setting.lay_over(&mut merged, value)?;
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
            leftovers: Mutex::default(),
            known: Contents::default(),
            contents: Mutex::default(),
        };
        Ok((source, spec))
    }

    pub fn host(&self) -> &SharedHost {
        &self.host
    }

    /// The same source; what files held is not read from disk again.
    pub fn knowing(self, known: &Contents) -> Self {
        Self { known: known.clone(), ..self }
    }

    /// The brightness of a picture that a key names.
    pub fn picture(&self, key: &str, path: &str) -> Result<Raster, BadInput> {
        self.decoded(key, path, |bytes| self.host.decode_picture(bytes))
    }

    /// The elements of an array that a key names.
    pub fn array(&self, key: &str, path: &str) -> Result<Raster, BadInput> {
        self.decoded(key, path, |bytes| self.host.decode_array(bytes))
    }

    fn decoded(
        &self,
        key: &str,
        path: &str,
        decode: impl Fn(&[u8]) -> Result<Raster, Complaint>,
    ) -> Result<Raster, BadInput> {
        let path = self.resolve(key, path);
        let mut contents = self.contents.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = contents.read(&path.display().to_string(), &self.known, self.host.as_ref());
        let raster = bytes.and_then(|bytes| decode(&bytes));
        raster.map_err(|(problem, cure)| self.wrong(key, format!("{}: {problem}", path.display()), cure))
    }

    /// What the files hold that were read so far.
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

    /// The value, where it lies within its bounds; NaN never does.
    pub fn within<T: PartialOrd + Display>(
        &self,
        key: &str,
        value: T,
        bounds: RangeInclusive<T>,
    ) -> Result<T, BadInput> {
        if bounds.contains(&value) {
            return Ok(value);
        }
        let (least, most) = (bounds.start(), bounds.end());
        Err(self.wrong(key, format!("{value} is out of bounds"), format!("it must be from {least} to {most}")))
    }

    /// The one key of a table that is present among those that exclude each other; `None` where none is.
    ///
    /// A key that was set beats those of the file, so that one command can try another form.
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

    /// Refuses a key that means nothing where `decider` has its value.
    ///
    /// It is let pass where only `decider` was set: the key is then a leftover of the file, and no mistake.
    pub fn stray(&self, key: &str, decider: &str, cure: impl Into<String>) -> Result<(), BadInput> {
        if self.is_set(decider) && !self.is_set(key) {
            self.leftovers().insert(key.to_owned());
            return Ok(());
        }
        Err(self.wrong(key, format!("means nothing with this {decider}"), cure))
    }

    /// A path as a key names it: beside the preset's file, or where the program was started if it was set there.
    pub fn resolve(&self, key: &str, path: &str) -> PathBuf {
        match Path::new(&self.origin).parent() {
            Some(beside) if !self.is_set(key) => beside.join(path),
            _ => PathBuf::from(path),
        }
    }

    /// The document with all that was set, without what means nothing beside it. Comments stay where they can.
    ///
    /// `more` is set as well, after all else.
    pub fn document(&self, more: &[String]) -> Result<DocumentMut, BadInput> {
        let mut merged = self.document.clone().into_mut();
        for written in self.settings.iter().map(|setting| &setting.written) {
            let (setting, value) = Setting::parse(written)?;
            setting.lay_over(&mut merged, value)?;
        }
        for key in self.leftovers().iter() {
            remove(&mut merged, key);
        }
        for written in more {
            let (setting, value) = Setting::parse(written)?;
            setting.lay_over(&mut merged, value)?;
        }
        Ok(merged)
    }

    fn leftovers(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.leftovers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_set(&self, key: &str) -> bool {
        self.settings.iter().any(|setting| is_within(key, &setting.key))
    }

    /// The line of a key such as `world.solid[1].circle`; of the nearest table around it where it is missing.
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

/// One `--set key=value`.
#[derive(Debug)]
struct Setting {
    /// The dotted key.
    key: String,
    names: Vec<String>,
    /// The argument as it was given.
    written: String,
}

impl Setting {
    fn parse(written: &str) -> Result<(Self, Value), BadInput> {
        let refused = |problem: &str| {
            let cure = "write it as key=value, as in weights.cohesion=0.8";
            BadInput::new(format!("--set {}", one_line(written)), problem, cure)
        };
        let (key, value) = written.split_once('=').ok_or_else(|| refused("there is no `=` in it"))?;
        let names = Key::parse(key).map_err(|_| refused("what stands before `=` is not a dotted key"))?;
        let value = match value.trim().parse::<Value>() {
            Ok(value) => value,
            Err(_) if is_bare_word(value.trim()) => Value::from(value.trim()),
            Err(_) => return Err(refused("what stands after `=` is not a value of TOML")),
        };
        let names: Vec<String> = names.iter().map(|name| name.get().to_owned()).collect();
        Ok((Self { key: names.join("."), names, written: written.to_owned() }, value))
    }

    fn origin(&self) -> String {
        format!("--set {}", one_line(&self.written))
    }

    /// Whether a complaint about `key` may be this setting's doing.
    fn touches(&self, key: &str) -> bool {
        is_within(key, &self.key) || is_within(&self.key, key)
    }

    fn lay_over(&self, document: &mut DocumentMut, value: Value) -> Result<(), BadInput> {
        let Some((last, parents)) = self.names.split_last() else { return Ok(()) };
        let mut table: &mut dyn TableLike = document.as_table_mut();
        for name in parents {
            // A new table is an inline one, because that may stand in a table of either kind.
            let inside = table.entry(name).or_insert(Item::Value(InlineTable::new().into()));
            table = inside.as_table_like_mut().ok_or_else(|| {
                let cure = "set it as a whole, in the notation of TOML";
                BadInput::new(self.origin(), format!("`{name}` is not a table"), cure).at_key(&self.key)
            })?;
        }
        match table.get_mut(last) {
            // What stands around the old value, a comment say, stays.
            Some(Item::Value(old)) => {
                let around = old.decor().clone();
                *old = value;
                *old.decor_mut() = around;
            }
            _ => {
                table.insert(last, Item::Value(value));
            }
        }
        Ok(())
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

/// Whether a dotted key is `table` itself or stands in it.
fn is_within(key: &str, table: &str) -> bool {
    key.strip_prefix(table).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

fn is_bare_word(text: &str) -> bool {
    !text.is_empty() && !text.contains(|c: char| c.is_control() || "[]{}\"'=,#".contains(c))
}

fn parse(origin: &str, text: &str) -> Result<Spec, BadInput> {
    parse_toml(origin, text, REFERENCE)
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
                "f:3: world.edgs: unknown key `edgs`; expected one of `size`, `edges`, `margin`, `capacity`, `solid`",
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
        let movement = "expected one of `keep`, `cruise`, `max`, `distribution`, `carry`, `wander`";
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
