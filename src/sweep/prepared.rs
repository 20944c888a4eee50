//! A sweep that was checked: every combination of values gives a preset that can be played.

use super::plan::{ParameterValues, Plan, RunPlan, too_many};
use super::request::{Parameter, Place, Placed, Request};
use super::{SIZE, values};
use crate::observe::Observation;
use murmuration_core::chain::Chain;
use murmuration_core::engine::platform::SharedHost;
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::host::contents::Contents;
use murmuration_core::numbers::BOID;
use murmuration_core::preset::{IndividualsStart, Overrides, Preset, PresetSource};
use murmuration_core::simulation::{check_models, plan as plan_of_cells};
use murmuration_core::statistics::SCALARS;
use murmuration_core::text::{did_you_mean, one_line};
use murmuration_core::world::{Extents, memory};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The default number of steps of a run.
pub const USUAL_STEPS: u64 = 1000;
/// The default number of steps from one sample to the next. Short runs have a smaller default.
pub const USUAL_INTERVAL: u64 = 10;
/// The default measures.
const USUAL_MEASURES: [&str; 3] = ["polarisation", "mean_speed", "milling"];
/// Columns of the metrics that are not measures.
const NO_MEASURES: [&str; 2] = ["step", "lost"];

/// A sweep whose combinations were checked, so that each can be played.
#[derive(Debug)]
pub struct Sweep {
    /// The plan of all runs.
    pub plan: Plan,
    /// The size of the lattice and the number of boids of the combinations, as text for users. Each text occurs once.
    pub sizes: BTreeSet<String>,
    /// Notes for the user on values and on the presets of combinations, although all are valid.
    pub notes: BTreeSet<String>,
    host: SharedHost,
    parameters: Vec<Parameter>,
    chain: Option<Placed<PathBuf>>,
    /// The text of the preset, and the files that the combinations name.
    source: PresetSource,
    /// The number of lines above the text of the preset in the file of the sweep; 0: the text is a file of its own.
    lines_above: usize,
    /// The memory in bytes that the largest run needs.
    memory: u64,
}

impl Sweep {
    /// Reads the preset of a request with every combination of values, and checks all of them.
    ///
    /// # Errors
    /// If the request or the preset has an error, or a combination cannot be played.
    pub fn new(host: &SharedHost, mut request: Request) -> Result<Self, Failure> {
        // The size is always the first parameter.
        request.parameters.sort_by_key(|parameter| parameter.key != SIZE);
        let Some(preset) = &request.preset else {
            let cure = "name one, or write preset = \"NAME\" into the sweep's file";
            return Err(BadInput::new("sweep", "there is no preset", cure).into());
        };
        let mut plan = plan_of(&request)?;
        if plan.runs() == 0 {
            return Err(too_many(&preset.value.display().to_string()).into());
        }
        let parameters = request.parameters;
        let overrides = overrides_of(&parameters, plan.values(0), None)?;
        let first = match &request.source {
            Some(source) => {
                Preset::from_source(host, &PresetSource { overrides, ..source.clone() }).map_err(Failure::from)
            }
            None => Preset::load(host, &preset.value, &overrides),
        };
        let first = first.map_err(|failure| {
            in_place(&parameters, Some(preset), in_file(&preset.value, request.lines_above, failure))
        })?;
        plan.preset = first.name.clone();
        plan.text = first.source().text.clone();
        if request.seeds.is_none() {
            plan.seeds = vec![first.seed];
        }
        let mut sweep = Self {
            plan,
            sizes: BTreeSet::new(),
            notes: parameters.iter().flat_map(|parameter| parameter.notes.clone()).collect(),
            host: host.clone(),
            source: PresetSource { files: Contents::default(), ..first.source().clone() },
            parameters,
            chain: request.chain,
            lines_above: request.lines_above,
            memory: 0,
        };
        sweep.check()?;
        Ok(sweep)
    }

    /// Checks every combination. Also sets the effective hash of the plan, the files of the presets, the sizes, the
    /// notes and the memory.
    fn check(&mut self) -> Result<(), Failure> {
        let mut effective = blake3::Hasher::new();
        for combination in 0..self.plan.combinations() {
            let (preset, chain) = self.load(combination, None)?;
            let checked = check_models(&chain, &preset).and_then(|()| match preset.individuals {
                Some(_) => IndividualsStart::new(&preset).map(drop),
                None => plan_of_cells(&chain, &preset, &preset.rules, &preset.world).map(drop),
            });
            checked.map_err(|wrong| self.in_place(preset.locate(wrong)))?;
            effective.update(preset.effective_hash(&chain).as_bytes());
            self.source.files = preset.source().files.over(&self.source.files);
            let boids = preset.start_spec.quanta() / u64::from(BOID);
            let many = if preset.individuals.is_some() { boids } else { 0 };
            let layers = preset.species.len().max(1) as u64;
            let bytes = memory::needed(preset.world.extents, memory::RUN * layers) + many * memory::INDIVIDUAL;
            self.memory = self.memory.max(bytes);
            self.notes.extend(preset.notes());
            self.sizes.insert(format!("{}, {boids} boids", preset.size()));
        }
        self.plan.effective = effective.finalize().to_hex().to_string();
        Ok(())
    }

    /// Checks that the free memory is enough for `jobs` runs at once.
    ///
    /// # Errors
    /// If the memory is not enough.
    pub fn check_memory(&self, jobs: usize) -> Result<(), BadInput> {
        memory::check_runs(jobs as u64, self.memory, self.host.free_memory())
            .map_err(|problem| BadInput::of_argument("jobs", jobs, problem, "take fewer jobs"))
    }

    /// Adds to an error of a combination the place of the wrong value in the request for the sweep.
    fn in_place(&self, wrong: BadInput) -> Failure {
        in_place(&self.parameters, None, in_file(&self.source.origin, self.lines_above, wrong.into()))
    }

    /// Loads the preset and the chain of a combination. `seed`: the seed of the run; `None`: the seed of the preset.
    ///
    /// # Errors
    /// If the preset has an error, or the chain cannot be read.
    pub fn load(&self, combination: u64, seed: Option<u64>) -> Result<(Preset, Chain), Failure> {
        self.load_values(self.plan.values(combination), seed)
    }

    /// As [`Self::load`]. `values`: a value for each parameter, in the order of the parameters.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn load_values<'a>(
        &self,
        values: impl Iterator<Item = &'a str>,
        seed: Option<u64>,
    ) -> Result<(Preset, Chain), Failure> {
        let overrides = overrides_of(&self.parameters, values, seed)?;
        let placed = |wrong: BadInput| self.in_place(wrong);
        let preset =
            Preset::from_source(&self.host, &PresetSource { overrides, ..self.source.clone() }).map_err(placed)?;
        let asked = self.chain.as_ref().map(|chain| &*chain.value);
        let chain = preset.load_chain(asked).map_err(placed)?;
        Ok((preset, chain))
    }
}

/// Corrects the line number of an error in the text of a preset that is part of `file`. `lines_above`: the number of
/// lines of the file above the text.
fn in_file(file: &Path, lines_above: usize, failure: Failure) -> Failure {
    match failure {
        Failure::BadInput(wrong) if wrong.origin == file.display().to_string() => {
            BadInput { line: wrong.line.map(|line| line + lines_above), ..wrong }.into()
        }
        other => other,
    }
}

/// The plan of a request. If the request has no seeds, the plan has the seed 0.
fn plan_of(request: &Request) -> Result<Plan, BadInput> {
    let Request { parameters, seeds, steps, warm_up, every, .. } = request;
    let value = |placed: &Option<Placed<u64>>, usual: u64| placed.as_ref().map_or(usual, |placed| placed.value);
    let all = value(steps, USUAL_STEPS);
    let warm_up_steps = value(warm_up, all / 2);
    let usual = USUAL_INTERVAL.min(all.saturating_sub(warm_up_steps)).max(1);
    let named =
        |parameter: &Parameter| ParameterValues { key: parameter.key.clone(), values: parameter.values.clone() };
    let plan = Plan {
        parameters: parameters.iter().map(named).collect(),
        seeds: seeds.as_ref().map_or(vec![0], |seeds| seeds.value.clone()),
        steps: all,
        warm_up: warm_up_steps,
        every: value(every, usual),
        measures: measures_of(request)?,
        ..Plan::new(String::new())
    };
    if !plan.has_samples() {
        let said = [(every, "every"), (warm_up, "warm-up"), (steps, "steps")];
        let place = said.into_iter().find_map(|(placed, _)| placed.as_ref().map(|placed| placed.place.clone()));
        let Plan { steps, warm_up, every, .. } = plan;
        let problem = format!(
            "of {steps} steps none is measured: the first sample is {every} steps after a warm-up of {warm_up}"
        );
        return Err(place
            .unwrap_or_default()
            .wrong(problem, "take more steps, a shorter warm-up or a smaller distance, at least 1"));
    }
    check_columns(&plan, parameters)?;
    Ok(plan)
}

/// The names of the measures of a request, or the default measures. A measure is a column of the metrics, or a
/// statistic with a single number.
fn measures_of(request: &Request) -> Result<Vec<String>, BadInput> {
    let all = names_of_measures();
    let known: Vec<&str> = all.iter().map(String::as_str).collect();
    let Some(Placed { value: names, place }) = &request.measures else {
        return Ok(USUAL_MEASURES.into_iter().filter(|name| known.contains(name)).map(String::from).collect());
    };
    for (index, name) in names.iter().enumerate() {
        if !known.contains(&name.as_str()) {
            let cure = format!("known are {}{}", known.join(", "), did_you_mean(name, known.iter().copied()));
            return Err(place.wrong(format!("there is no measure `{name}`"), cure));
        }
        if names[..index].contains(name) {
            return Err(place.wrong(format!("the measure {name} stands twice"), "say each measure once"));
        }
    }
    match names.is_empty() {
        true => Err(place.wrong("there are no measures", "name one, such as polarisation")),
        false => Ok(names.clone()),
    }
}

/// The names of all measures that a sweep may have.
pub fn names_of_measures() -> Vec<String> {
    let columns = Observation::default().cells().into_iter().map(|cell| cell.name);
    let measures = columns.filter(|name| !NO_MEASURES.contains(&name.as_str()));
    measures.chain(SCALARS.map(String::from)).collect()
}

/// Checks that no parameter has the name of another column of a table, such as a measure.
fn check_columns(plan: &Plan, parameters: &[Parameter]) -> Result<(), BadInput> {
    for parameter in parameters {
        let is_measure = plan.measures.contains(&parameter.key);
        if is_measure || ["seeds", "state_hash"].contains(&parameter.key.as_str()) {
            return Err(parameter.place.wrong("is the name of another column", "take a key of a preset"));
        }
    }
    Ok(())
}

/// Adds the value of a parameter to overrides. `key`: the key of the parameter. `setting`: gives the text `key=value`
/// for a key of the preset; it is not called for the size.
///
/// # Errors
/// If the parameter is the size, and the value is not a size.
pub fn override_with(
    overrides: &mut Overrides,
    key: &str,
    value: &str,
    setting: impl FnOnce() -> String,
) -> Result<(), String> {
    if key == SIZE {
        let size: Extents = values::shown(value).parse()?;
        (overrides.size, overrides.depth) = (Some((size.width, size.height)), size.depth);
    } else {
        overrides.set.push(setting());
    }
    Ok(())
}

/// The overrides of a preset that give a combination. `values`: a value for each parameter. `seed`: the seed; `None`:
/// the seed of the preset.
fn overrides_of<'a>(
    parameters: &[Parameter],
    values: impl Iterator<Item = &'a str>,
    seed: Option<u64>,
) -> Result<Overrides, BadInput> {
    let mut overrides = Overrides { seed, ..Overrides::default() };
    for (parameter, value) in parameters.iter().zip(values) {
        override_with(&mut overrides, &parameter.key, value, || parameter.setting(value))
            .map_err(|problem| parameter.place.wrong(problem, "write it as WxH, as in 64x64"))?;
    }
    Ok(overrides)
}

/// Adds to an error about a setting the place of the parameter in the request. `preset`: the path of the preset with
/// its place in the request. An error about this path that has no line, such as a missing file, gets this place.
fn in_place(parameters: &[Parameter], preset: Option<&Placed<PathBuf>>, failure: Failure) -> Failure {
    let Failure::BadInput(wrong) = failure else { return failure };
    let is_of = |parameter: &&Parameter| {
        let is_set = |value: &String| wrong.origin == format!("set {}", one_line(&parameter.setting(value)));
        let is_size = parameter.key == SIZE && wrong.origin.starts_with("size ");
        wrong.is_argument && (is_size || parameter.values.iter().any(is_set))
    };
    let place = match parameters.iter().find(is_of) {
        Some(parameter) => {
            let problem = format!("{}: {}", wrong.origin.trim_start_matches("set "), wrong.problem);
            return parameter.place.wrong(problem, wrong.cure).into();
        }
        None => preset.filter(|preset| wrong.line.is_none() && wrong.origin == preset.value.display().to_string()),
    };
    match place.map(|preset| &preset.place).filter(|place| **place != Place::default()) {
        Some(place) => place.wrong(format!("{}: {}", wrong.origin, wrong.problem), wrong.cure).into(),
        None => wrong.into(),
    }
}
