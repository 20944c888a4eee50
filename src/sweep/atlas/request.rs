//! Reads the file of an atlas: a sweep with ranges, a sampling and regimes (`docs/formats.md`, Atlases).

use super::plan::AtlasPlan;
use super::regime::{NO_REGIME, Regime};
use super::sampling::{MAX_FIELDS, MAX_RANGES, Range, Sampling, Search, SearchAxis};
use super::{Atlas, COVERAGE, LIVELINESS, LIVELY_STEPS};
use crate::files::folder_of;
use crate::link::tiles::MAX_FRAMES;
use crate::link::{Link, LinkedRun};
use crate::sweep::{MAX_RUNS, Parameter, Place, Placed, Request, RunPlan, Sweep, names_of_measures, values};
use murmuration_core::engine::platform::SharedHost;
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::simulation::replay::Replay;
use murmuration_core::text::{did_you_mean, explain, is_missing_value};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use toml_edit::{Document, Item, Key, Table, TableLike, Value};

/// The document that describes the file of an atlas, named in error messages.
const REFERENCE: &str = "docs/formats.md";
/// The keys of an atlas that a sweep does not have.
const KEYS: [&str; 9] =
    ["sampling", "samples", "levels", "sampling_seed", "ranges", "frames", "frame_every", "search", "regimes"];
/// The keys of the table `search`.
const SEARCH_KEYS: [&str; 3] = ["x", "y", "best"];
/// The keys of an axis of the map of a search.
const AXIS_KEYS: [&str; 4] = ["measure", "least", "greatest", "fields"];
const SAMPLINGS: [&str; 3] = ["latin-hypercube", "grid", "search"];
/// The number of hexadecimal digits of a state hash.
const HASH_DIGITS: usize = 64;
/// A place inside a range, from 0 to 1, at which the value is not a round number.
const INSIDE: f64 = 0.3719;
/// The default numbers of steps: of a run, of its warm-up, and from one sample to the next. The liveliness needs runs
/// of at least 1000 steps.
const USUAL_STEPS: [u64; 3] = [1200, 1000, 50];
const USUAL_SAMPLES: u64 = 200;
const USUAL_LEVELS: u32 = 5;
const USUAL_SEED: u64 = 1;
/// The measures of an atlas whose file names none. The measures of its regimes and of its map are added.
const USUAL_MEASURES: [&str; 4] = ["polarisation", "mean_speed", "milling", LIVELINESS];

impl Atlas {
    /// Whether a text is the file of an atlas: it has the key `ranges`.
    pub fn is_atlas(text: &str) -> bool {
        Document::parse(text).is_ok_and(|document| document.as_table().contains_key("ranges"))
    }

    /// Reads an atlas, and checks all combinations of the ends of its ranges. `path`: the path of the file with this
    /// text.
    ///
    /// # Errors
    /// If the text is not TOML, a key or a value is wrong, or a combination cannot be played.
    pub fn from_text(host: &SharedHost, path: &Path, text: &str) -> Result<Self, Failure> {
        let origin = path.display().to_string();
        let document =
            Document::parse(text).map_err(|error| explain(&origin, text, error.message(), error.span(), REFERENCE))?;
        let (table, file) = (document.as_table(), File { origin, path, text });
        let mut request = Request::from_table(path, text, table, &KEYS)?;
        let (ranges, places) = file.ranges(table, &mut request)?;
        let sampling = file.sampling(table, &ranges)?;
        let regimes = file.regimes(table)?;
        let whole = |name: &str, usual: u64| file.whole(table, name, 0..=i64::MAX as u64, usual);
        let (frames, every) = (
            file.whole(table, "frames", 1..=MAX_FRAMES.into(), 8)?,
            file.whole(table, "frame_every", 1..=1_000_000, 4)?,
        );
        let sampling_seed = whole("sampling_seed", USUAL_SEED)?;
        complete_steps(&mut request);
        file.add_measures(table, &mut request, &sampling, &regimes)?;
        let description = table.get("description").and_then(Item::as_str).unwrap_or_default().to_owned();
        // A sweep plays every combination with every seed. One seed is enough to check the ends of the ranges.
        let seeds = request.seeds.take();
        let mut sweep = Sweep::new(host, request)?;
        if let Some(seeds) = seeds {
            sweep.plan.seeds = seeds.value;
        }
        let mut plan = AtlasPlan::new(sweep.plan.clone(), (ranges, sampling, sampling_seed));
        (plan.description, plan.link) = (description, link_of(&sweep)?);
        (plan.clip.frames, plan.clip.every) = (frames as u32, every);
        plan.regimes = regimes.unwrap_or(plan.regimes);
        file.check_liveliness(table, &plan)?;
        check_insides(&plan, &sweep, &places)?;
        if RunPlan::runs(&plan) == 0 {
            let place = file.place_of(table, "samples");
            let cure = format!("take fewer samples, levels, words or seeds: {MAX_RUNS} runs at most");
            return Err(place.wrong("the atlas has too many runs, or none", cure).into());
        }
        Ok(Self { plan, sweep })
    }
}

/// Sets the numbers of steps that the file does not give to their defaults.
fn complete_steps(request: &mut Request) {
    let [steps, warm_up, distance] = USUAL_STEPS;
    for (placed, usual) in
        [(&mut request.steps, steps), (&mut request.warm_up, warm_up), (&mut request.every, distance)]
    {
        placed.get_or_insert(Placed { value: usual, place: Place::default() });
    }
    // If the run is too short for the default warm-up, the first half of the run is the warm-up.
    if let (Some(steps), Some(warm_up), Some(every)) = (&request.steps, &mut request.warm_up, &mut request.every)
        && warm_up.place == Place::default()
        && steps.value < warm_up.value.saturating_add(every.value)
    {
        warm_up.value = steps.value / 2;
        if every.place == Place::default() {
            every.value = (steps.value - warm_up.value).clamp(1, every.value);
        }
    }
}

/// The file of an atlas.
struct File<'a> {
    origin: String,
    path: &'a Path,
    text: &'a str,
}

impl File<'_> {
    /// Checks that the runs of a search for liveliness have at least [`LIVELY_STEPS`] steps. Shorter runs have no
    /// liveliness.
    fn check_liveliness(&self, table: &Table, plan: &AtlasPlan) -> Result<(), Failure> {
        if plan.runs.steps < LIVELY_STEPS {
            let needs = |search: &Search| {
                search.axes.iter().map(|axis| &axis.measure).chain([&search.best]).any(|name| name == LIVELINESS)
            };
            if matches!(&plan.sampling, Sampling::Search(search) if needs(search)) {
                let cure = format!("take {LIVELY_STEPS} steps or more, or name other measures for x, y and best");
                return Err(self
                    .place_of(table, "steps")
                    .wrong("a search for liveliness sees none in so short runs", cure)
                    .into());
            }
        }
        Ok(())
    }

    fn place(&self, name: &str, key: Option<&Key>) -> Place {
        Place::from_span(&self.origin, self.text, name, key.and_then(Key::span))
    }

    /// The place of a key in the file. If the file does not have the key: the beginning of the file.
    fn place_of(&self, table: &Table, name: &str) -> Place {
        self.place(name, table.key(name))
    }

    fn whole(
        &self,
        table: &Table,
        name: &str,
        limits: std::ops::RangeInclusive<u64>,
        usual: u64,
    ) -> Result<u64, BadInput> {
        let Some(item) = table.get(name) else { return Ok(usual) };
        let number =
            item.as_integer().and_then(|number| u64::try_from(number).ok()).filter(|number| limits.contains(number));
        let cure = format!("give a whole number from {} to {}", limits.start(), limits.end());
        number.ok_or_else(|| self.place_of(table, name).wrong("is no such number", cure))
    }

    /// The ranges, and the place of each range in the file. For each range a parameter is added to `request`, whose
    /// values are the two ends of the range.
    fn ranges(&self, table: &Table, request: &mut Request) -> Result<(Vec<Range>, Vec<Place>), BadInput> {
        let place = self.place_of(table, "ranges");
        let cure = "write it as [ranges], with a line key = [least, greatest] for each of at least one range";
        let written = table.get("ranges").and_then(Item::as_table_like).filter(|ranges| !ranges.is_empty());
        let written = written.ok_or_else(|| place.wrong("there are no ranges", cure))?;
        let mut ranges = Vec::new();
        self.add_ranges("", written, &mut ranges, request)?;
        if ranges.len() > MAX_RANGES {
            let cure = format!("take {MAX_RANGES} ranges at most");
            return Err(place.wrong(format!("there are {} ranges", ranges.len()), cure));
        }
        let of_range = |range: &Range| {
            let own = request.parameters.iter().find(|parameter| parameter.key == range.key);
            own.map_or_else(Place::default, |parameter| parameter.place.clone())
        };
        let places = ranges.iter().map(of_range).collect();
        Ok((ranges, places))
    }

    fn add_ranges(
        &self,
        above: &str,
        table: &dyn TableLike,
        ranges: &mut Vec<Range>,
        request: &mut Request,
    ) -> Result<(), BadInput> {
        for (name, item) in table.iter() {
            let key = if above.is_empty() { name.to_owned() } else { format!("{above}.{name}") };
            if let Some(below) = item.as_table_like() {
                self.add_ranges(&key, below, ranges, request)?;
                continue;
            }
            let place = self.place(&format!("ranges.{key}"), table.key(name));
            let ends = item.as_array().filter(|ends| ends.len() == 2);
            let ends: Option<Vec<f64>> = ends.and_then(|ends| ends.iter().map(number).collect());
            let is_whole = item.as_array().is_some_and(|ends| ends.iter().all(Value::is_integer));
            let Some(&[least, greatest]) = ends.as_deref() else {
                let cure = "write it as key = [0.0, 1.5]; two whole numbers draw whole numbers";
                return Err(place.wrong("is no range of numbers", cure));
            };
            let values = Vec::from([least, greatest].map(values::number_text));
            let parameter = Parameter::new(&key, values.into(), place, Some(folder_of(self.path).to_path_buf()))?;
            let range = Range { key: parameter.key.clone(), least, greatest, is_whole };
            if !range.is_sound() {
                return Err(parameter.place.wrong("does not go upwards", "give the least value first"));
            }
            if request.parameters.iter().any(|other| other.key == parameter.key) {
                let cure = "give it a range in [ranges], or values in [set]";
                return Err(parameter.place.wrong("stands twice", cure));
            }
            ranges.push(range);
            request.parameters.push(parameter);
        }
        Ok(())
    }

    fn sampling(&self, table: &Table, ranges: &[Range]) -> Result<Sampling, BadInput> {
        let place = self.place_of(table, "sampling");
        let name = match table.get("sampling") {
            None if table.contains_key("search") => "search",
            None if table.contains_key("levels") => "grid",
            None => "latin-hypercube",
            Some(item) => item.as_str().ok_or_else(|| place.wrong("is no text", "write it in quotation marks"))?,
        };
        let of_others = [("levels", "grid"), ("search", "search")];
        if let Some((key, sampling)) =
            of_others.into_iter().find(|(key, sampling)| table.contains_key(key) && name != *sampling)
        {
            let cure = format!("write sampling = \"{sampling}\", or take it away");
            return Err(self.place_of(table, key).wrong(format!("is not used by the sampling `{name}`"), cure));
        }
        if name == "grid" && table.contains_key("samples") {
            let (problem, cure) = match table.contains_key("sampling") {
                true => ("is not used by a grid", "say levels = 5, the number of values of each range, instead"),
                false => ("stands beside levels, which are of a grid", "leave one of them out"),
            };
            return Err(self.place_of(table, "samples").wrong(problem, cure));
        }
        let samples = self.whole(table, "samples", 1..=MAX_RUNS, USUAL_SAMPLES)?;
        match name {
            "grid" => {
                let levels = self.whole(table, "levels", 1..=1000, USUAL_LEVELS.into())? as u32;
                let is_short =
                    |range: &&Range| range.is_whole && range.greatest - range.least + 1.0 < f64::from(levels);
                if let Some(range) = ranges.iter().find(is_short) {
                    let problem = format!("{levels} levels are more than the whole numbers of {}", range.key);
                    let cure = "take fewer levels, or a wider range";
                    return Err(self.place_of(table, "levels").wrong(problem, cure));
                }
                Ok(Sampling::Grid { levels })
            }
            "latin-hypercube" => Ok(Sampling::LatinHypercube { samples }),
            "search" => Ok(Sampling::Search(self.search(table, samples)?)),
            other => {
                let cure = format!("known are {}{}", SAMPLINGS.join(", "), did_you_mean(other, SAMPLINGS.into_iter()));
                Err(place.wrong(format!("there is no sampling `{other}`"), cure))
            }
        }
    }

    /// The search. By default the axes of its map are polarisation and coverage. `samples`: the number of combinations.
    fn search(&self, table: &Table, samples: u64) -> Result<Search, BadInput> {
        let place = self.place_of(table, "search");
        let usual = |measure: &str| SearchAxis { measure: measure.into(), least: 0.0, greatest: 1.0, fields: 8 };
        let mut search =
            Search { samples, islands: 1, axes: ["polarisation", COVERAGE].map(usual), best: LIVELINESS.into() };
        let Some(item) = table.get("search") else { return Ok(search) };
        let written = item.as_table_like().ok_or_else(|| place.wrong("is no table", "write it as [search]"))?;
        self.check_keys("search", written, &SEARCH_KEYS)?;
        for (axis, name) in search.axes.iter_mut().zip(["x", "y"]) {
            let Some(item) = written.get(name) else { continue };
            let place = self.place(&format!("search.{name}"), written.key(name));
            let cure = "write it as x = { measure = \"polarisation\", least = 0.0, greatest = 1.0, fields = 8 }";
            let table = item.as_table_like().ok_or_else(|| place.wrong("is no table", cure))?;
            self.check_keys(&format!("search.{name}"), table, &AXIS_KEYS)?;
            let part = |key: &str, usual: f64| match table.get(key) {
                None => Ok(usual),
                Some(item) => {
                    item.as_value().and_then(number).ok_or_else(|| place.wrong(format!("{key} is no number"), cure))
                }
            };
            let (least, greatest) = (part("least", axis.least)?, part("greatest", axis.greatest)?);
            let fields = part("fields", axis.fields.into())?;
            let measure =
                table.get("measure").and_then(Item::as_str).ok_or_else(|| place.wrong("names no measure", cure))?;
            *axis = SearchAxis { measure: measure.into(), least, greatest, fields: fields as u32 };
            if !axis.is_sound() || fields.fract() != 0.0 {
                let problem = "least is not below greatest, or fields is no whole number that is allowed";
                return Err(place.wrong(problem, format!("{cure}; 1 to {MAX_FIELDS} fields")));
            }
        }
        if search.axes[0].measure == search.axes[1].measure {
            let name = if written.contains_key("x") { "x" } else { "y" };
            let place = self.place(&format!("search.{name}"), written.key(name));
            let problem = format!("both axes are of {}", search.axes[0].measure);
            return Err(place.wrong(problem, "name another measure for x or y"));
        }
        if let Some(item) = written.get("best") {
            let place = self.place("search.best", written.key("best"));
            search.best =
                item.as_str().ok_or_else(|| place.wrong("names no measure", "write it as \"liveliness\""))?.into();
        }
        Ok(search)
    }

    fn check_keys(&self, above: &str, table: &dyn TableLike, known: &[&str]) -> Result<(), BadInput> {
        let other = table.iter().map(|(name, _)| name).find(|name| !known.contains(name));
        other.map_or(Ok(()), |name| {
            let cure = format!("known are {}{}", known.join(", "), did_you_mean(name, known.iter().copied()));
            Err(self.place(&format!("{above}.{name}"), table.key(name)).wrong("is not known", cure))
        })
    }

    /// The regimes; `None`: the file has no regimes.
    fn regimes(&self, table: &Table) -> Result<Option<Vec<Regime>>, BadInput> {
        let Some(item) = table.get("regimes") else { return Ok(None) };
        let place = self.place_of(table, "regimes");
        let cure = "write [[regimes]] with name = \"mill\" and when = \"milling >= 0.65 and polarisation < 0.35\": \
                    a measure, or one / another one; >=, <=, > or <; a number; and, or";
        let list = item.as_array_of_tables().ok_or_else(|| place.wrong("is no list of tables", cure))?;
        let mut regimes = Vec::new();
        for written in list {
            self.check_keys("regimes", written, &["name", "when"])?;
            let text = |key: &str| written.get(key).and_then(Item::as_str);
            let place = written
                .iter()
                .next()
                .map_or_else(|| place.clone(), |(name, _)| self.place("regimes", written.key(name)));
            let (Some(name), Some(when)) = (text("name"), text("when")) else {
                return Err(place.wrong("has no name or no condition", cure));
            };
            if name == NO_REGIME {
                return Err(place.wrong(format!("`{NO_REGIME}` is what has no regime"), "take another name"));
            }
            if is_missing_value(name) {
                let problem = format!("{name:?} is a missing value to readers of tables");
                return Err(place.wrong(problem, "take another name"));
            }
            regimes.extend(Regime::alternatives(name, when).map_err(|problem| place.wrong(problem, cure))?);
        }
        Ok(Some(regimes))
    }

    /// Adds to the request the measures that regimes and the map of a search need. A measure that does not exist is an
    /// error.
    fn add_measures(
        &self,
        table: &Table,
        request: &mut Request,
        sampling: &Sampling,
        regimes: &Option<Vec<Regime>>,
    ) -> Result<(), BadInput> {
        let known = names_of_measures();
        let usual = || Placed { value: USUAL_MEASURES.map(String::from).into(), place: Place::default() };
        let measures = request.measures.get_or_insert_with(usual);
        measures.value.retain(|name| name != COVERAGE);
        let of_regimes = regimes.clone().unwrap_or_else(Regime::usual);
        let of_map: Vec<&str> = match sampling {
            Sampling::Search(search) => search.axes.iter().map(|axis| &*axis.measure).chain([&*search.best]).collect(),
            _ => Vec::new(),
        };
        let needed: BTreeSet<&str> = of_regimes.iter().flat_map(Regime::measures).collect();
        let needed = needed.into_iter().map(|name| (name, "regimes"));
        for (name, key) in
            needed.chain(of_map.into_iter().map(|name| (name, "search"))).filter(|(name, _)| *name != COVERAGE)
        {
            if !known.iter().any(|other| other == name) {
                let names = || known.iter().map(String::as_str).chain([COVERAGE]);
                let cure =
                    format!("known are {}{}", names().collect::<Vec<_>>().join(", "), did_you_mean(name, names()));
                return Err(self.place_of(table, key).wrong(format!("there is no measure `{name}`"), cure));
            }
            if !measures.value.iter().any(|other| other == name) {
                measures.value.push(name.to_owned());
            }
        }
        // A sweep needs at least one measure, and the coverage is not a measure of a sweep.
        if measures.value.is_empty() {
            measures.value.push(USUAL_MEASURES[0].into());
        }
        Ok(())
    }
}

/// Checks a value inside each range, with the least values of the other ranges. If both ends are whole numbers, only a
/// value between them shows whether the key takes fractions.
fn check_insides(plan: &AtlasPlan, sweep: &Sweep, places: &[Place]) -> Result<(), Failure> {
    let least = vec![0.0; plan.ranges.len()];
    let words = plan.words().next().unwrap_or_default();
    for (index, place) in places.iter().enumerate() {
        let mut parts = least.clone();
        parts[index] = INSIDE;
        let values = plan.with_ranges(words.clone(), &parts);
        let loaded = sweep.load_values(values.iter().map(String::as_str), None);
        loaded.map_err(|failure| match failure {
            Failure::BadInput(wrong) => {
                let cure = format!("{}; two whole numbers draw whole numbers", wrong.cure);
                place.wrong(format!("{}: {}", wrong.origin.trim_start_matches("set "), wrong.problem), cure).into()
            }
            other => other,
        })?;
    }
    Ok(())
}

/// The common part of the links of all combinations ([`AtlasPlan::link`]). Null: the preset needs files, or is too long
/// for a link.
fn link_of(sweep: &Sweep) -> Result<serde_json::Value, Failure> {
    let (preset, chain) = sweep.load(0, sweep.plan.seeds.first().copied())?;
    let replay = Replay::of_steps(&preset, &chain, sweep.plan.steps, "0".repeat(HASH_DIGITS));
    let link = Link::from_replay(crate::host(), Arc::new(replay))?;
    if link.load().is_err() || link.write().is_err() {
        return Ok(serde_json::Value::Null);
    }
    Ok(match link.run {
        LinkedRun::Preset { preset, chain, .. } => json!({ "preset": preset, "chain": chain }),
        LinkedRun::Replay(replay) => json!({ "replay": &*replay }),
    })
}

fn number(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|number| number as f64)).filter(|number| number.is_finite())
}
