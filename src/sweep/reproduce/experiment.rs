//! Reads the file of an experiment: a sweep, and published results with their sources and bands
//! (`docs/experiments.md`).

use super::{Estimate, EstimateKind, Measurement};
use crate::sweep::{ParameterValues, Place, Placed, Plan, Request, Sweep, shown_value, values};
use murmuration_core::engine::platform::SharedHost;
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::text::{did_you_mean, explain, one_line, stem};
use std::path::Path;
use toml_edit::{Document, Item, Key, Table, TableLike};

/// The document that describes the file of an experiment, named in error messages.
const REFERENCE: &str = "docs/experiments.md";
/// The keys of an experiment that a sweep does not have.
const KEYS: [&str; 6] = ["title", "source", "note", "quick", "instrument", "results"];
/// The keys of a result.
const RESULT_KEYS: [&str; 12] =
    ["title", "source", "value", "measure", "divisor", "over", "level", "origin", "at", "published", "error", "band"];
/// An end of a band may differ from the published value by this number of published errors.
const MAX_ERRORS_FROM_MEAN: f64 = 2.0;
/// An end of a band may also differ from the published value by this part of the value. The greater of the two limits
/// holds.
const MAX_RELATIVE_DIFFERENCE: f64 = 0.075;

/// An experiment: published results that the runs of a sweep reproduce or do not reproduce.
#[derive(Debug)]
pub struct Experiment {
    /// The name, which is the file name without folder and extension.
    pub name: String,
    /// The published finding, in one line.
    pub title: String,
    /// The authors and the publication.
    pub source: String,
    /// A note to readers of the results.
    pub note: Option<String>,
    /// Whether the experiment takes little time.
    pub is_quick: bool,
    /// Whether the experiment checks the measures and the noise against theory. False: it checks a finding about
    /// collective motion.
    pub is_instrument: bool,
    /// The published results.
    pub results: Vec<PublishedResult>,
}

/// A result that was published.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedResult {
    /// The title.
    pub title: String,
    /// The place in the source of the experiment, or another source. `None`: the source of the experiment.
    pub source: Option<String>,
    /// The number that is compared with the band, and its definition from the runs.
    pub estimate: Estimate,
    /// The published value; `None`: the source has no number but a statement, and the band expresses the statement.
    pub published: Option<f64>,
    /// The published standard error; `None`: the source has no error.
    pub error: Option<f64>,
    /// The least and the greatest value with which the result counts as reproduced.
    pub band: [f64; 2],
}

impl PublishedResult {
    /// Whether a found value is within the band. False if nothing was found.
    pub fn is_inside(&self, found: Measurement) -> bool {
        found.value.is_some_and(|value| (self.band[0]..=self.band[1]).contains(&value))
    }
}

impl Experiment {
    /// Whether a text is the file of an experiment: it has the key `results`.
    pub fn is_experiment(text: &str) -> bool {
        Document::parse(text).is_ok_and(|document| document.as_table().contains_key("results"))
    }

    /// Reads an experiment and its sweep. `path`: the path of the file with this text.
    ///
    /// # Errors
    /// If the text is not TOML, a key or a value is wrong, or the sweep cannot be played.
    pub fn from_text(host: &SharedHost, path: &Path, text: &str) -> Result<(Self, Sweep), Failure> {
        let origin = path.display().to_string();
        let document =
            Document::parse(text).map_err(|error| explain(&origin, text, error.message(), error.span(), REFERENCE))?;
        let file = File { origin: &origin, text };
        let table = document.as_table();
        let mut request = Request::from_table(path, text, table, &KEYS)?;
        let results = file.results(table)?;
        if request.measures.is_none() {
            let mut value: Vec<String> = Vec::new();
            let names = results.iter().flat_map(|result| [Some(&result.measure), result.divisor.as_ref()]).flatten();
            for name in names {
                if !value.contains(&name.value) {
                    value.push(name.value.clone());
                }
            }
            let place = results.first().map(|result| result.measure.place.clone()).unwrap_or_default();
            request.measures = Some(Placed { value, place });
        }
        let name = stem(&origin).to_owned();
        if name.is_empty() || !name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter)) {
            // The results of the experiment are written into a folder of this name.
            let problem = format!("`{name}` is no name of an experiment");
            let cure = "name the file with letters, digits, - and _, as in my-experiment.toml";
            return Err(BadInput::new(origin, problem, cure).into());
        }
        let experiment = Self {
            name,
            title: file.needed_text(table, "title")?,
            source: file.needed_text(table, "source")?,
            note: file.text(table, "note")?,
            is_quick: file.flag(table, "quick")?,
            is_instrument: file.flag(table, "instrument")?,
            results: Vec::new(),
        };
        let sweep = Sweep::new(host, request)?;
        let results = results.into_iter().map(|result| result.resolved(&sweep.plan)).collect::<Result<_, _>>()?;
        Ok((Self { results, ..experiment }, sweep))
    }
}

/// A result as the file gives it, with names of measures and parameters instead of indices.
struct WrittenResult {
    title: String,
    source: Option<String>,
    kind: EstimateKind,
    measure: Placed<String>,
    divisor: Option<Placed<String>>,
    over: Option<Placed<String>>,
    at: Placed<Vec<(String, String)>>,
    published: Option<f64>,
    error: Option<f64>,
    band: [f64; 2],
}

impl WrittenResult {
    /// Replaces the names of measures and parameters by their indices in a plan.
    fn resolved(self, plan: &Plan) -> Result<PublishedResult, BadInput> {
        let names = || plan.parameters.iter().map(|parameter| parameter.key.as_str());
        let parameter = |place: &Place, key: &str| {
            names().position(|name| name == key).ok_or_else(|| {
                let cure =
                    format!("swept are {}{}", names().collect::<Vec<_>>().join(", "), did_you_mean(key, names()));
                place.wrong(format!("`{key}` is not swept"), cure)
            })
        };
        let measure = |name: &Placed<String>| {
            plan.measures.iter().position(|measure| *measure == name.value).ok_or_else(|| {
                let problem = format!("`{}` is not measured", name.value);
                name.place.wrong(problem, "add it to measures, or take measures away")
            })
        };
        let over =
            self.over.as_ref().map(|over| self.kind.check_over(over, plan, parameter(&over.place, &over.value)?));
        let over = over.transpose()?;
        let mut places: Vec<Option<usize>> = vec![None; plan.parameters.len()];
        let at = &self.at.place;
        for (key, value) in &self.at.value {
            let parameter_at = parameter(at, key)?;
            if over == Some(parameter_at) {
                return Err(at.wrong(format!("{key} has all its values"), "take it away here, or from over"));
            }
            let values = &plan.parameters[parameter_at].values;
            let is_same = |written: &String| match [written, value].map(|text| values::number(text)) {
                [Some(one), Some(other)] => one == other,
                _ => shown_value(written) == shown_value(value),
            };
            let place = values.iter().position(is_same).ok_or_else(|| {
                let all = values.iter().map(|value| shown_value(value)).collect::<Vec<_>>().join(", ");
                at.wrong(format!("{key} is never {}", shown_value(value)), format!("its values are {all}"))
            })?;
            places[parameter_at] = Some(place);
        }
        for (index, place) in places.iter_mut().enumerate().filter(|(index, _)| over != Some(*index)) {
            let ParameterValues { key, values } = &plan.parameters[index];
            let count = values.len();
            if place.is_none() && count > 1 {
                let cure = format!("say which, as in at = {{ \"{key}\" = … }}");
                return Err(at.wrong(format!("{key} has {count} values"), cure));
            }
            place.get_or_insert(0);
        }
        Ok(PublishedResult {
            estimate: Estimate {
                kind: self.kind,
                measure: measure(&self.measure)?,
                divisor: self.divisor.as_ref().map(measure).transpose()?,
                places: places.into_iter().map(Option::unwrap_or_default).collect(),
                over,
            },
            title: self.title,
            source: self.source,
            published: self.published,
            error: self.error,
            band: self.band,
        })
    }
}

/// The file of an experiment.
struct File<'a> {
    origin: &'a str,
    text: &'a str,
}

impl File<'_> {
    /// The place of a key of a table, for error messages. If the table does not have the key: the place of the first
    /// key. `shown`: the key as messages show it.
    fn place(&self, table: &dyn TableLike, key: &str, shown: &str) -> Place {
        let span = table.key(key).and_then(Key::span).or_else(|| table.get(key).and_then(Item::span));
        let first = table.iter().next().and_then(|(name, item)| table.key(name).and_then(Key::span).or(item.span()));
        Place::from_span(self.origin, self.text, shown, span.or(first))
    }

    fn text(&self, table: &Table, key: &str) -> Result<Option<String>, BadInput> {
        self.text_in(table, key, key)
    }

    fn text_in(&self, table: &dyn TableLike, key: &str, shown: &str) -> Result<Option<String>, BadInput> {
        let Some(item) = table.get(key) else { return Ok(None) };
        let text = item.as_str().filter(|text| !text.trim().is_empty());
        let wrong = || self.place(table, key, shown).wrong("is no text", "write it in quotation marks");
        text.map(|text| Some(one_line(text))).ok_or_else(wrong)
    }

    fn needed_text(&self, table: &Table, key: &str) -> Result<String, BadInput> {
        let missing =
            || Place::from_span(self.origin, self.text, key, None).wrong("is missing", format!("write {key} = \"…\""));
        self.text(table, key)?.ok_or_else(missing)
    }

    fn flag(&self, table: &Table, key: &str) -> Result<bool, BadInput> {
        let Some(item) = table.get(key) else { return Ok(false) };
        item.as_bool()
            .ok_or_else(|| self.place(table, key, key).wrong("is neither true nor false", "write one of them"))
    }

    fn results(&self, table: &Table) -> Result<Vec<WrittenResult>, BadInput> {
        let cure = "write [[results]], and below it title, value, measure and band";
        let Some(item) = table.get("results") else {
            return Err(Place::from_span(self.origin, self.text, "results", None).wrong("is missing", cure));
        };
        let Some(list) = item.as_array_of_tables().filter(|list| !list.is_empty()) else {
            return Err(self.place(table, "results", "results").wrong("is no list of tables", cure));
        };
        list.iter().enumerate().map(|(index, table)| self.result(index, table)).collect()
    }

    fn result(&self, index: usize, table: &Table) -> Result<WrittenResult, BadInput> {
        let shown = |key: &str| format!("results[{index}].{key}");
        let place = |key: &str| self.place(table, key, &shown(key));
        if let Some((key, _)) = table.iter().find(|(key, _)| !RESULT_KEYS.contains(key)) {
            let cure = format!("known are {}{}", RESULT_KEYS.join(", "), did_you_mean(key, RESULT_KEYS));
            return Err(place(key).wrong("is no key of a result", cure));
        }
        let text = |key: &str| self.text_in(table, key, &shown(key));
        let needed =
            |key: &str| text(key)?.ok_or_else(|| place(key).wrong("is missing", format!("write {key} = \"…\"")));
        let number = |key: &str| match table.get(key) {
            None => Ok(None),
            Some(item) => number_of(item).map(Some).ok_or_else(|| place(key).wrong("is no number", "write a number")),
        };
        let (kind, level, origin) = (needed("value")?, number("level")?, number("origin")?);
        if level.is_some() && kind != "crossing" && EstimateKind::NAMES.contains(&kind.as_str()) {
            return Err(place("level").wrong("only a crossing has a level", "take it away"));
        }
        if origin.is_some() && kind != "exponent" && EstimateKind::NAMES.contains(&kind.as_str()) {
            return Err(place("origin").wrong("only an exponent has an origin", "take it away"));
        }
        let kind = match (kind.as_str(), level) {
            ("mean", _) => EstimateKind::Mean,
            ("binder", _) => EstimateKind::Binder,
            ("least-binder", _) => EstimateKind::LeastBinder,
            ("exponent", _) => EstimateKind::Exponent(origin.unwrap_or(0.0)),
            ("slope", _) => EstimateKind::Slope,
            ("crossing", Some(level)) => EstimateKind::Crossing(level),
            ("crossing", None) => return Err(place("value").wrong("a crossing has a level", "write level = …")),
            (other, _) => {
                let known = EstimateKind::NAMES;
                let cure = format!("known are {}{}", known.join(", "), did_you_mean(other, known));
                return Err(place("value").wrong(format!("there is no value `{other}`"), cure));
            }
        };
        let placed = |key: &str| Ok(text(key)?.map(|value| Placed { value, place: place(key) }));
        let over = placed("over")?;
        if kind.needs_parameter() != over.is_some() {
            let (problem, cure) = match over {
                None => ("follows from several values of a parameter", "name it, as in over = \"noise.angle\""),
                Some(_) => ("follows from one combination", "take `over` away"),
            };
            return Err(place("value").wrong(problem, cure));
        }
        let at = match table.get("at") {
            None => Vec::new(),
            Some(item) => {
                let cure = "write it as at = { \"noise.angle\" = 1.0 }";
                let table = item.as_table_like().ok_or_else(|| place("at").wrong("is no table", cure))?;
                let value = |item: &Item| {
                    item.as_value()
                        .filter(|value| !value.is_inline_table())
                        .map(|value| value.clone().decorated("", "").to_string())
                };
                let pairs = table.iter().map(|(key, item)| Some((key.to_owned(), value(item)?)));
                pairs.collect::<Option<Vec<_>>>().ok_or_else(|| place("at").wrong("has a table for a value", cure))?
            }
        };
        let band = table.get("band").and_then(Item::as_array).and_then(|list| {
            let numbers: Option<Vec<f64>> = list.iter().map(|value| number_of(&Item::Value(value.clone()))).collect();
            <[f64; 2]>::try_from(numbers?).ok().filter(|[least, greatest]| least <= greatest)
        });
        let band = band.ok_or_else(|| place("band").wrong("is no band", "write it as band = [least, greatest]"))?;
        let (published, error) = (number("published")?, number("error")?);
        match (published, error) {
            (None, Some(_)) => return Err(place("error").wrong("is of no value", "write published = … above it")),
            (Some(_), Some(error)) if error < 0.0 => {
                return Err(place("error").wrong("is below 0", "write the standard error"));
            }
            (Some(published), _) => {
                let farthest =
                    (MAX_ERRORS_FROM_MEAN * error.unwrap_or(0.0)).max(MAX_RELATIVE_DIFFERENCE * published.abs());
                let farthest = farthest * (1.0 + 1e-9);
                if band[0] > published || published > band[1] {
                    return Err(place("band").wrong(
                        format!("does not hold the published value {published}"),
                        "write it as band = [least, greatest]",
                    ));
                }
                if published - band[0] > farthest || band[1] - published > farthest {
                    let cure = format!(
                        "take at most {farthest:.6} to either side: twice the published error, \
                        or 7.5 % of the published value"
                    );
                    return Err(place("band").wrong(format!("{} to {} is too wide", band[0], band[1]), cure));
                }
            }
            (None, None) => {}
        }
        Ok(WrittenResult {
            title: needed("title")?,
            source: text("source")?,
            kind,
            measure: Placed { value: needed("measure")?, place: place("measure") },
            divisor: placed("divisor")?,
            over,
            at: Placed { value: at, place: place("at") },
            published,
            error,
            band,
        })
    }
}

fn number_of(item: &Item) -> Option<f64> {
    item.as_float().or_else(|| item.as_integer().map(|number| number as f64)).filter(|number| number.is_finite())
}
