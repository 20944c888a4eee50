//! The request for a sweep, from a file, the command line or both. Each value has a place for error messages.

use super::SIZE;
use super::values::{self, Listed};
use crate::files::folder_of;
use murmuration_core::engine::platform::SharedHost;
use murmuration_core::error::{BadInput, line_of};
use murmuration_core::host::contents::Contents;
use murmuration_core::preset::keys::normalized;
use murmuration_core::preset::{Overrides, PresetSource};
use murmuration_core::text::{did_you_mean, explain, is_path, one_line};
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml_edit::{Document, Item, Table, Value};

/// The document that describes the file of a sweep, named in error messages.
const REFERENCE: &str = "docs/formats.md";
/// The keys of the file of a sweep.
const KEYS: [&str; 10] =
    ["description", "preset", "chain", SIZE, "seeds", "steps", "warm_up", "every", "measures", "set"];
/// The keys of the file of a sweep that no preset has.
const OWN_KEYS: [&str; 7] = ["preset", "seeds", "steps", "warm_up", "every", "measures", "set"];
/// The last parts of dotted keys whose values are the paths of files.
const FILE_KEYS: [&str; 3] = ["file", "mask", "chain"];

/// The place of a value in a request, for error messages: a key and a line of a file, or a command-line option. The
/// default place is unknown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    origin: String,
    is_argument: bool,
    line: Option<usize>,
    key: Option<String>,
}

impl Place {
    /// The place of a key in a file. `origin`: the path of the file. `text`: the text of the file. `span`: the bytes of
    /// the text from which the line follows; `None`: the first line.
    pub fn from_span(origin: &str, text: &str, key: &str, span: Option<Range<usize>>) -> Self {
        let line = line_of(text, span.map_or(0, |span| span.start));
        Self { origin: origin.into(), is_argument: false, line: Some(line), key: Some(one_line(key)) }
    }

    /// The place of a command-line option. `written`: the option with its value and without dashes, such as `seeds
    /// 1..5`.
    pub fn from_option(written: impl Into<String>) -> Self {
        Self { origin: one_line(&written.into()), is_argument: true, line: None, key: None }
    }

    /// An error about the value at this place. `cure`: the advice of the error message.
    pub fn wrong(&self, problem: impl Into<String>, cure: impl Into<String>) -> BadInput {
        let Self { origin, is_argument, line, key } = self.clone();
        BadInput { origin, is_argument, line, key, problem: one_line(&problem.into()), cure: cure.into() }
    }
}

/// A value, and its place in the request.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed<T> {
    /// The value.
    pub value: T,
    /// The place of the value.
    pub place: Place,
}

/// A parameter of a sweep: a key of the preset, and the values that it takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// The dotted key, or `size`.
    pub key: String,
    /// The values in the notation of TOML, each once. Numbers ascend.
    pub values: Vec<String>,
    /// The place of the parameter.
    pub place: Place,
    /// Notes for the user on the form of the values, such as a range that does not reach its end.
    pub notes: Vec<String>,
    /// The folder of the file with the parameter; `None`: the parameter is a command-line option. Values that are paths
    /// start from this folder.
    folder: Option<PathBuf>,
}

/// The request for a sweep. Values that are `None` have defaults, except the preset.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Request {
    /// The name or the path of the preset; the path of the file of the sweep if that file contains the preset.
    pub preset: Option<Placed<PathBuf>>,
    /// The text of the preset; `None`: the file of the sweep does not contain the preset.
    pub source: Option<PresetSource>,
    /// The number of lines above this text in the file of the sweep.
    pub lines_above: usize,
    /// The name or the path of the chain.
    pub chain: Option<Placed<PathBuf>>,
    /// The parameters, in the order in which they were given.
    pub parameters: Vec<Parameter>,
    /// The seeds, ascending.
    pub seeds: Option<Placed<Vec<u64>>>,
    /// The number of steps of each run.
    pub steps: Option<Placed<u64>>,
    /// The number of steps at the start of a run that are not measured.
    pub warm_up: Option<Placed<u64>>,
    /// The number of steps from one sample to the next.
    pub every: Option<Placed<u64>>,
    /// The names of the measures.
    pub measures: Option<Placed<Vec<String>>>,
}

impl Parameter {
    /// Parses a parameter of the command line, such as `weights.cohesion=0.5,1`.
    ///
    /// # Errors
    /// If the text has no `=`, the key cannot be swept, or a value is wrong or occurs twice.
    pub fn from_option(text: &str) -> Result<Self, BadInput> {
        let place = Place::from_option(format!("set {text}"));
        let Some((key, written)) = text.split_once('=') else {
            return Err(place.wrong("there is no `=` in it", "write it as key=values, as in weights.cohesion=0.5,1"));
        };
        let values = values::from_text(written).map_err(|(problem, cure)| place.wrong(problem, cure))?;
        Self::new(key, values, place, None)
    }

    /// Parses the values of the parameter `size` on the command line, such as `64x64,128x128`.
    ///
    /// # Errors
    /// If a value is empty or occurs twice. Whether the values are sizes is checked later, by `Sweep::new`.
    pub fn from_sizes(text: &str) -> Result<Self, BadInput> {
        let place = Place::from_option(format!("{SIZE} {text}"));
        let values = values::from_text(text).map_err(|(problem, cure)| place.wrong(problem, cure))?;
        Self::new(SIZE, values, place, None)
    }

    /// A parameter with these values. `folder`: the folder of the file with the parameter; `None`: the parameter is a
    /// command-line option.
    ///
    /// # Errors
    /// If `key` is not a dotted key, or cannot be swept.
    pub(super) fn new(key: &str, listed: Listed, place: Place, folder: Option<PathBuf>) -> Result<Self, BadInput> {
        let Some(key) = normalized(key) else {
            return Err(place.wrong("what stands before `=` is not a dotted key", "write it as in weights.cohesion"));
        };
        match key.as_str() {
            "seed" => Err(place.wrong("is no parameter, because runs are averaged over their seeds", "use seeds")),
            "species" => {
                Err(place.wrong("species are no values to be swept", "set their keys, as in species[0].boids"))
            }
            _ => {
                let Listed { values, notes } = listed;
                let notes = notes.into_iter().map(|(note, cure)| place.wrong(note, cure).to_string()).collect();
                Ok(Self { key, values, place, notes, folder })
            }
        }
    }

    /// The setting `key=value` of a preset that gives the parameter one of its values.
    pub fn setting(&self, value: &str) -> String {
        let name = self.key.rsplit('.').next().unwrap_or_default();
        let path = values::shown(value);
        match &self.folder {
            Some(folder) if FILE_KEYS.contains(&name) && (name != "chain" || is_path(&path)) => {
                let path = folder.join(path).display().to_string();
                format!("{}={}", self.key, Value::from(path))
            }
            _ => format!("{}={value}", self.key),
        }
    }
}

impl Request {
    /// Whether the text of a file is a sweep and not a preset: it has a key that only sweeps have.
    pub fn is_sweep(text: &str) -> bool {
        match Document::parse(text) {
            Ok(document) => OWN_KEYS.iter().any(|key| document.as_table().contains_key(key)),
            Err(_) => text.lines().any(|line| line.starts_with("preset") && line[6..].trim_start().starts_with('=')),
        }
    }

    /// Reads the file of a sweep. `path`: the path of the file. Paths in the file start from its folder.
    ///
    /// # Errors
    /// If the text is not TOML, or a key or a value is wrong.
    pub fn from_text(path: &Path, text: &str) -> Result<Self, BadInput> {
        let origin = path.display().to_string();
        let document =
            Document::parse(text).map_err(|error| explain(&origin, text, error.message(), error.span(), REFERENCE))?;
        Self::from_table(path, text, document.as_table(), &[])
    }

    /// Reads the keys of a sweep from the parsed file of a study. `path`, `text` and `table`: the path, the text and
    /// the parsed text of the file. `others`: keys of the file that are not read here.
    ///
    /// # Errors
    /// If a key or a value is wrong.
    pub fn from_table(path: &Path, text: &str, table: &Table, others: &[&str]) -> Result<Self, BadInput> {
        let file = File { origin: path.display().to_string(), folder: folder_of(path), text, others };
        let mut request = Self::default();
        for (name, item) in table.iter().filter(|(name, _)| !others.contains(name)) {
            let key = table.key(name).and_then(toml_edit::Key::span);
            let place = file.place(name, key.or(item.span()));
            file.read(name, item, place, &mut request)?;
        }
        Ok(request)
    }

    /// Completes the request. If `name` is the path of a sweep, the file gives the values that `self` lacks. If not,
    /// `name` is the name or the path of the preset.
    ///
    /// # Errors
    /// If a file cannot be read, or is no sweep.
    pub fn for_preset(mut self, host: &SharedHost, name: &Path) -> Result<Self, BadInput> {
        if is_path(name) {
            let text = host.read_text(name)?;
            if Self::is_sweep(&text) {
                return Ok(self.over(Self::from_text(name, &text)?));
            }
        }
        self.preset = Some(Placed { value: name.to_path_buf(), place: Place::default() });
        Ok(self)
    }

    /// Merges two requests. `other` gives the values that `self` lacks. A parameter of `self` replaces the parameter of
    /// `other` with the same key.
    pub fn over(self, other: Self) -> Self {
        let mut parameters = other.parameters;
        for own in self.parameters {
            match parameters.iter_mut().find(|other| other.key == own.key) {
                Some(other) => *other = own,
                None => parameters.push(own),
            }
        }
        Self {
            lines_above: if self.preset.is_some() { self.lines_above } else { other.lines_above },
            source: if self.preset.is_some() { self.source } else { other.source },
            preset: self.preset.or(other.preset),
            chain: self.chain.or(other.chain),
            parameters,
            seeds: self.seeds.or(other.seeds),
            steps: self.steps.or(other.steps),
            warm_up: self.warm_up.or(other.warm_up),
            every: self.every.or(other.every),
            measures: self.measures.or(other.measures),
        }
    }
}

/// The file of a sweep.
struct File<'a> {
    origin: String,
    folder: &'a Path,
    text: &'a str,
    /// Keys of the file that do not belong to the sweep.
    others: &'a [&'a str],
}

impl File<'_> {
    fn place(&self, key: &str, span: Option<Range<usize>>) -> Place {
        Place::from_span(&self.origin, self.text, key, span)
    }

    /// Sets the value of a key in the request. `name`: the key. `item`: its value.
    fn read(&self, name: &str, item: &Item, place: Place, request: &mut Request) -> Result<(), BadInput> {
        match name {
            "description" => text_of(item, &place).map(drop),
            "preset" | "chain" => {
                let named = text_of(item, &place)?;
                if name == "preset" && named.contains('\n') {
                    return self.take_preset_text(named, item, place, request);
                }
                let value = if is_path(named) { self.folder.join(named) } else { named.into() };
                let placed = Some(Placed { value, place });
                *(if name == "preset" { &mut request.preset } else { &mut request.chain }) = placed;
                Ok(())
            }
            SIZE => self.parameter(SIZE, item, place, request),
            "set" => self.parameters("", item, place, request),
            "seeds" => {
                let written = item.as_value().and_then(list_text);
                let written =
                    written.ok_or_else(|| place.wrong("is no list of seeds", "write it as in seeds = \"1..20\""))?;
                let value = values::seeds(&written).map_err(|(problem, cure)| place.wrong(problem, cure))?;
                request.seeds = Some(Placed { value, place });
                Ok(())
            }
            "steps" => self.steps(item, place, &mut request.steps),
            "warm_up" => self.steps(item, place, &mut request.warm_up),
            "every" => self.steps(item, place, &mut request.every),
            "measures" => {
                let names = item.as_array().map(|list| list.iter().map(|name| name.as_str().map(str::to_owned)));
                let names = names.and_then(|names| names.collect::<Option<Vec<_>>>());
                let cure = "write it as in measures = [\"polarisation\", \"mean_speed\"]";
                let value = names.ok_or_else(|| place.wrong("is no list of names", cure))?;
                request.measures = Some(Placed { value, place });
                Ok(())
            }
            _ => {
                let known = || KEYS.iter().chain(self.others).copied();
                let cure =
                    format!("known are {}{}", known().collect::<Vec<_>>().join(", "), did_you_mean(name, known()));
                Err(place.wrong("is no key of a sweep", cure))
            }
        }
    }

    /// Sets the preset of the request to a text that the file of the sweep contains. `named`: the text. `item`: the
    /// key's value in the file.
    fn take_preset_text(&self, named: &str, item: &Item, place: Place, request: &mut Request) -> Result<(), BadInput> {
        let origin = PathBuf::from(&self.origin);
        let span = item.span().unwrap_or_default();
        let written = self.text.get(span.clone()).unwrap_or_default();
        let Some(text) = written.strip_prefix("\"\"\"").or(written.strip_prefix("'''")) else {
            return Err(place.wrong("is a text of several lines in one", "write it between \"\"\" and \"\"\""));
        };
        // TOML drops a line break right after the opening quotation marks.
        let is_below = text.starts_with(['\r', '\n']);
        request.lines_above = line_of(self.text, span.start) - 1 + usize::from(is_below);
        request.source = Some(PresetSource {
            origin: origin.as_path().into(),
            text: named.to_owned(),
            overrides: Overrides::default(),
            files: Contents::default(),
        });
        request.preset = Some(Placed { value: origin, place });
        Ok(())
    }

    /// Adds the keys of the table `set`, or of a table in it, as parameters. `above`: the dotted key of the inner
    /// table; empty for `set` itself.
    fn parameters(&self, above: &str, item: &Item, place: Place, request: &mut Request) -> Result<(), BadInput> {
        let Some(table) = item.as_table_like() else {
            return Err(place.wrong("is no table", "write it as [set], with a line key = [values] for each parameter"));
        };
        for (name, item) in table.iter() {
            let key = if above.is_empty() { name.to_owned() } else { format!("{above}.{name}") };
            let span = table.key(name).and_then(toml_edit::Key::span).or(item.span());
            let place = self.place(&format!("set.{key}"), span);
            match item.is_table_like() {
                true => self.parameters(&key, item, place, request)?,
                false => self.parameter(&key, item, place, request)?,
            }
        }
        Ok(())
    }

    fn parameter(&self, key: &str, item: &Item, place: Place, request: &mut Request) -> Result<(), BadInput> {
        let cure = "write it as key = [0.1, 0.5] or key = \"0:1:0.1\"";
        let value = item.as_value().ok_or_else(|| place.wrong("is no list of values", cure))?;
        let values = values::from_toml(value).map_err(|(problem, cure)| place.wrong(problem, cure))?;
        let parameter = Parameter::new(key, values, place, Some(self.folder.to_path_buf()))?;
        if request.parameters.iter().any(|other| other.key == parameter.key) {
            return Err(parameter.place.wrong("stands twice", "give all its values in one list"));
        }
        request.parameters.push(parameter);
        Ok(())
    }

    fn steps(&self, item: &Item, place: Place, target: &mut Option<Placed<u64>>) -> Result<(), BadInput> {
        let steps = item.as_integer().and_then(|steps| u64::try_from(steps).ok());
        let value = steps.ok_or_else(|| place.wrong("is no number of steps", "give a whole number, 0 or more"))?;
        *target = Some(Placed { value, place });
        Ok(())
    }
}

fn text_of<'a>(item: &'a Item, place: &Place) -> Result<&'a str, BadInput> {
    item.as_str().ok_or_else(|| place.wrong("is no text", "write it in quotation marks"))
}

/// A text, or a whole number as text. The elements of a list are joined by commas. `None`: the value is none of them.
fn list_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.value().clone()),
        Value::Integer(number) => Some(number.value().to_string()),
        Value::Array(list) => list.iter().map(list_text).collect::<Option<Vec<_>>>().map(|parts| parts.join(",")),
        _ => None,
    }
}
