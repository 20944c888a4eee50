//! The request for a sweep, from a file, the command line or both, with the place of each value.

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

/// The page that shows how a sweep's file is written.
const REFERENCE: &str = "docs/formats.md";
/// The keys of a sweep's file.
const KEYS: [&str; 10] =
    ["description", "preset", "chain", SIZE, "seeds", "steps", "warm_up", "every", "measures", "set"];
/// The keys of a sweep's file that no preset has.
const OWN_KEYS: [&str; 7] = ["preset", "seeds", "steps", "warm_up", "every", "measures", "set"];
/// The last names of the keys of presets whose values name files.
const FILE_KEYS: [&str; 3] = ["file", "mask", "chain"];

/// The place of a requested value: a key of a file, or an option.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    origin: String,
    is_argument: bool,
    line: Option<usize>,
    key: Option<String>,
}

impl Place {
    /// A key of a file's text, at the line of a span.
    pub fn from_span(origin: &str, text: &str, key: &str, span: Option<Range<usize>>) -> Self {
        let line = line_of(text, span.map_or(0, |span| span.start));
        Self { origin: origin.into(), is_argument: false, line: Some(line), key: Some(one_line(key)) }
    }

    /// An option as it was written, without dashes, as in `seeds 1..5`.
    pub fn from_option(written: impl Into<String>) -> Self {
        Self { origin: one_line(&written.into()), is_argument: true, line: None, key: None }
    }

    /// A complaint about what stands here.
    pub fn wrong(&self, problem: impl Into<String>, cure: impl Into<String>) -> BadInput {
        let Self { origin, is_argument, line, key } = self.clone();
        BadInput { origin, is_argument, line, key, problem: one_line(&problem.into()), cure: cure.into() }
    }
}

/// A value, and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub place: Place,
}

/// A key of the preset with the values that it takes, in the notation of TOML.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// The dotted key, or `size`.
    pub key: String,
    /// Its values, each once; numbers ascend.
    pub values: Vec<String>,
    /// Where the parameter stands.
    pub place: Place,
    /// Notes on how the values are written.
    pub notes: Vec<String>,
    /// The folder of the sweep's file; `None`: the parameter is of the command line.
    folder: Option<PathBuf>,
}

/// The request for a sweep. A value that is not given has a default.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Request {
    /// A preset by name or path.
    pub preset: Option<Placed<PathBuf>>,
    /// The preset itself, if its text is here.
    pub source: Option<PresetSource>,
    /// The lines of the file above this text.
    pub lines_above: usize,
    /// A chain by name or path.
    pub chain: Option<Placed<PathBuf>>,
    /// The parameters, in their order.
    pub parameters: Vec<Parameter>,
    /// The seeds, ascending.
    pub seeds: Option<Placed<Vec<u64>>>,
    /// The steps of a run.
    pub steps: Option<Placed<u64>>,
    /// The first of these steps that are not measured.
    pub warm_up: Option<Placed<u64>>,
    /// The steps from one sample to the next.
    pub every: Option<Placed<u64>>,
    /// The measures by name.
    pub measures: Option<Placed<Vec<String>>>,
}

impl Parameter {
    /// A parameter of the command line: `key=values`, or values of the size.
    ///
    /// # Errors
    /// If the text is not of this form.
    pub fn from_option(text: &str) -> Result<Self, BadInput> {
        let place = Place::from_option(format!("set {text}"));
        let Some((key, written)) = text.split_once('=') else {
            return Err(place.wrong("there is no `=` in it", "write it as key=values, as in weights.cohesion=0.5,1"));
        };
        let values = values::from_text(written).map_err(|(problem, cure)| place.wrong(problem, cure))?;
        Self::new(key, values, place, None)
    }

    /// The parameter `size` of the command line.
    ///
    /// # Errors
    /// If a value is no size, or stands twice.
    pub fn from_sizes(text: &str) -> Result<Self, BadInput> {
        let place = Place::from_option(format!("{SIZE} {text}"));
        let values = values::from_text(text).map_err(|(problem, cure)| place.wrong(problem, cure))?;
        Self::new(SIZE, values, place, None)
    }

    /// A parameter with these values. `folder`: the folder of the file that it stands in; `None`: it is of the command
    /// line.
    ///
    /// # Errors
    /// If the key is none, or cannot be swept.
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

    /// The setting of a preset that gives the parameter one of its values.
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
    /// Whether a text is a sweep rather than a preset.
    pub fn is_sweep(text: &str) -> bool {
        match Document::parse(text) {
            Ok(document) => OWN_KEYS.iter().any(|key| document.as_table().contains_key(key)),
            Err(_) => text.lines().any(|line| line.starts_with("preset") && line[6..].trim_start().starts_with('=')),
        }
    }

    /// Reads a sweep's file. `path` is where it lies: its preset and its files lie beside it.
    ///
    /// # Errors
    /// If the text is not TOML, or a key or a value is wrong.
    pub fn from_text(path: &Path, text: &str) -> Result<Self, BadInput> {
        let origin = path.display().to_string();
        let document =
            Document::parse(text).map_err(|error| explain(&origin, text, error.message(), error.span(), REFERENCE))?;
        Self::from_table(path, text, document.as_table(), &[])
    }

    /// Reads the keys of a sweep from the table of a file's text. `others`: keys that are not of the sweep.
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

    /// The request with the preset `name`. If `name` is a file of a sweep, the file gives all values that `self` lacks.
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

    /// The values of `self`; `other` gives the values that `self` lacks. A parameter of `self` replaces the parameter
    /// with its key in `other`.
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
    /// Keys that are not of the sweep.
    others: &'a [&'a str],
}

impl File<'_> {
    fn place(&self, key: &str, span: Option<Range<usize>>) -> Place {
        Place::from_span(&self.origin, self.text, key, span)
    }

    /// Takes the value of a key into the request.
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

    /// Takes the text of a preset that the file contains itself.
    fn take_preset_text(&self, named: &str, item: &Item, place: Place, request: &mut Request) -> Result<(), BadInput> {
        let origin = PathBuf::from(&self.origin);
        let span = item.span().unwrap_or_default();
        let written = self.text.get(span.clone()).unwrap_or_default();
        let Some(text) = written.strip_prefix("\"\"\"").or(written.strip_prefix("'''")) else {
            return Err(place.wrong("is a text of several lines in one", "write it between \"\"\" and \"\"\""));
        };
        // A line break right after the quotation marks is not of the text.
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

    /// Takes the keys of a table below `set` as parameters.
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

/// A text, a whole number or a list of them as a text with commas.
fn list_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.value().clone()),
        Value::Integer(number) => Some(number.value().to_string()),
        Value::Array(list) => list.iter().map(list_text).collect::<Option<Vec<_>>>().map(|parts| parts.join(",")),
        _ => None,
    }
}
