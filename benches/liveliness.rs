//! Checks that the swarms of presets stay lively: they neither become a ball, nor tear apart, nor all fly one way.
//! Without arguments the benchmark plays 5000 steps of the default preset, and measures the form of its swarm.
//!
//! ```text
//! cargo bench --bench liveliness
//! ```
//!
//! This prints each measure with its least value, its greatest value and its band, which is the range of allowed
//! values. The benchmark fails if a measure leaves its band or hardly changes. A swarm that has become a ball has small
//! radii of gyration that hardly change. A torn swarm has a small greatest connected part. A swarm that flies one way
//! has a small entropy of headings.
//!
//! ```text
//! cargo bench --bench liveliness -- chase three --seeds 5 --steps 20000 --size 256x256
//! ```
//!
//! This plays the presets `chase` and `three`, each with the seeds 1 to 5, for 20000 steps, which is the default.
//! `--seeds 3-10` gives the seeds 3 to 10. Without `--seeds`, each preset has its own seed. The benchmark prints the
//! mean of each measure from step 1000 on, and the population of each species. It fails if boids, food or energy are
//! lost, or if a mean or a population leaves its band.
//!
//! ```text
//! cargo bench --bench liveliness -- all --document docs/presets.md
//! ```
//!
//! This plays every preset with its own seed, and writes the measures at 1000, 5000 and 20000 steps into the table of a
//! document. Rows of other presets stay.

use murmuration::observe::{LivelinessSampler, Observation};
use murmuration::run::{Metrics, Run};
use murmuration::{EngineChoice, Overrides, Preset, Simulation, host};
use murmuration_core::preset::DEFAULT;
use murmuration_core::state::{Unit, boids};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const STEPS: u64 = 5000;
/// The default number of steps of a preset that the command line names.
const STEPS_OF_NAMED: u64 = 20_000;
const STEPS_PER_OBSERVATION: u64 = 100;
/// For each measure: the least and the greatest allowed value, then the least allowed difference between the greatest
/// and the least value of a run.
const BANDS: [(&str, Measure, [f64; 3]); 5] = [
    ("greatest connected part", |seen| seen.greatest_part, [0.3, 1.0, 0.05]),
    ("radius of gyration along x, in cells", |seen| seen.gyration[0], [9.0, 34.0, 4.0]),
    ("radius of gyration along y, in cells", |seen| seen.gyration[1], [9.0, 34.0, 4.0]),
    ("radius of gyration along z, in cells", |seen| seen.gyration[2], [4.0, 14.0, 1.0]),
    ("entropy of headings", |seen| seen.heading_entropy, [0.8, 1.0, 0.02]),
];
/// The step from which on the means of a named preset are taken.
const FIRST: u64 = 1000;
/// The measures of a named preset, with the least and the greatest allowed mean from [`FIRST`] on. The speed is in
/// cells a step.
const MEANS: [(&str, Measure, [f64; 2]); 5] = [
    ("liveliness", |seen| seen.liveliness, [0.25, 1.0]),
    ("entropy of headings", |seen| seen.heading_entropy, [0.6, 1.0]),
    ("greatest connected part", |seen| seen.greatest_part, [0.0, 0.6]),
    ("stripes", |seen| seen.stripes, [0.0, 0.3]),
    ("mean speed", |seen| Some(seen.mean_speed), [0.02, 2.0]),
];
/// Steps at which the entropy of headings of a named preset must be at least [`MIN_ENTROPY`].
const CHECKED: [u64; 3] = [6_000, 9_000, 20_000];
const MIN_ENTROPY: f64 = 0.45;
/// The steps after which measures are written into the document.
const DOCUMENTED: [u64; 3] = [1_000, 5_000, 20_000];
/// Large presets, and the smaller sizes in cells at which they are played for the document.
const SMALLER: [(&str, &str); 3] = [("million", "512x512"), ("flock-million", "400x240"), ("flock", "200x120")];
/// The least and the greatest allowed population of a species, relative to its population at the start.
const POPULATIONS: [f64; 2] = [0.02, 5.0];

type Measure = fn(&Observation) -> Option<f64>;

/// The arguments of the command line. A seed of `None` is the preset's own seed.
struct Request {
    names: Vec<String>,
    seeds: Vec<Option<u64>>,
    steps: u64,
    size: Option<String>,
    document: Option<PathBuf>,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let request = Request::read()?;
    if let Some(document) = &request.document {
        return request.document(document).map(|()| ExitCode::SUCCESS);
    }
    let mut is_alive = !request.names.is_empty() || is_default_alive()?;
    for name in &request.names {
        for seed in &request.seeds {
            is_alive &= is_preset_alive(name, *seed, request.steps, request.size.as_deref())?;
        }
    }
    Ok(if is_alive { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Request {
    fn read() -> Result<Self, Box<dyn Error>> {
        // Cargo adds `--bench`.
        let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
        let (names, seeds) = (Vec::new(), vec![None]);
        let mut request = Self { names, seeds, steps: STEPS_OF_NAMED, size: None, document: None };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
            match argument.as_str() {
                "--seeds" => {
                    let value = value()?;
                    let (first, last) = value.split_once('-').unwrap_or(("1", &value));
                    request.seeds = (first.parse()?..=last.parse()?).map(Some).collect();
                }
                "--steps" => request.steps = value()?.parse()?,
                "--size" => request.size = Some(value()?),
                "--document" => request.document = Some(value()?.into()),
                "all" => request.names.extend(host().library().preset_names().map(str::to_owned)),
                option if option.starts_with('-') => return Err(format!("there is no option {option}").into()),
                name => request.names.push(name.to_owned()),
            }
        }
        if request.seeds.is_empty() {
            return Err("--seeds names no seed: write --seeds 10, or --seeds 3-10".into());
        }
        Ok(request)
    }

    /// Plays the presets, and writes their measures into the table of a document, a row for each preset.
    fn document(&self, path: &Path) -> Result<(), Box<dyn Error>> {
        for name in &self.names {
            let smaller = SMALLER.iter().find(|(large, _)| large == name).map(|(_, size)| *size);
            let mut simulation = begin(name, None, self.size.as_deref().or(smaller))?;
            let mut sampler = LivelinessSampler::from_preset(simulation.preset());
            let mut row = vec![
                format!("![`{name}`](../presets/thumbnails/{name}.jpg)"),
                format!("`{name}`"),
                simulation.preset().size().to_string(),
            ];
            let mut columns = vec![Vec::new(); MEANS.len()];
            for step in DOCUMENTED {
                Run::new(&mut simulation).to(step).with(&mut sampler).play()?;
                let seen = Observation::new(&mut simulation)?.with_liveliness(Some(&sampler));
                for (column, (_, measure, _)) in columns.iter_mut().zip(MEANS) {
                    column.push(measure(&seen).map_or("–".to_owned(), |value| format!("{:.2}", value + 0.0)));
                }
            }
            row.extend(columns.into_iter().map(|values| values.join(" · ")));
            println!("{}", row.join(" | "));
            write_row(path, name, &row)?;
        }
        Ok(())
    }
}

/// Writes the row of a preset into the table of a document. The row replaces the preset's present row. If the table has
/// no such row, the row is added after the last row of the document.
fn write_row(path: &Path, name: &str, row: &[String]) -> Result<(), Box<dyn Error>> {
    let text = std::fs::read_to_string(path)?;
    let row = format!("| {} |", row.join(" | "));
    let is_own = |line: &&str| line.starts_with("| ") && line.contains(&format!("| `{name}` |"));
    let mut lines: Vec<&str> = text.lines().collect();
    let last = lines.iter().rposition(|line| line.starts_with('|')).ok_or("the document has no table")?;
    match lines.iter().position(is_own) {
        Some(index) => lines[index] = &row,
        None => lines.insert(last + 1, &row),
    }
    Ok(std::fs::write(path, lines.join("\n") + "\n")?)
}

fn begin(name: &str, seed: Option<u64>, size: Option<&str>) -> Result<Simulation, Box<dyn Error>> {
    let mut overrides = Overrides { seed, ..Overrides::default() };
    if let Some(size) = size {
        let mut extents = size.split('x').map(str::parse::<u32>);
        let mut next = || extents.next().transpose();
        let [width, height] = [next()?, next()?].map(|extent| extent.ok_or("--size: write 256x256"));
        overrides.size = Some([width?, height?].into());
        overrides.depth = next()?;
    }
    let preset = Preset::load(host(), name, &overrides)?;
    let chain = preset.load_chain(None)?;
    Ok(Simulation::new(preset, &chain, EngineChoice::Auto)?)
}

/// The least and the greatest of the values. Both are NaN if a value is NaN or if there are no values.
fn range(values: &[f64]) -> [f64; 2] {
    let has_nan = values.iter().any(|value| value.is_nan());
    let worst = |of: fn(f64, f64) -> f64| {
        if has_nan { f64::NAN } else { values.iter().copied().reduce(of).unwrap_or(f64::NAN) }
    };
    [worst(f64::min), worst(f64::max)]
}

fn verdict(is_within: bool) -> &'static str {
    if is_within { "" } else { "  OUTSIDE" }
}

fn is_default_alive() -> Result<bool, Box<dyn Error>> {
    let mut simulation = begin(DEFAULT, None, None)?;
    let mut metrics = Metrics::every(STEPS_PER_OBSERVATION, &simulation);
    Run::new(&mut simulation).to(STEPS).with(&mut metrics).play()?;
    // The first row is the start, which is not judged.
    let observations = &metrics.rows()[1..];
    let lost = simulation.account()?.lost;
    println!("{DEFAULT}, {STEPS} steps, lost {lost}");
    let mut is_alive = lost == 0;
    for (name, measure, [least, greatest, spread]) in BANDS {
        let values: Vec<f64> = observations.iter().map(|seen| measure(seen).unwrap_or(f64::NAN)).collect();
        let [low, high] = range(&values);
        let is_within = low >= least && high <= greatest && high - low >= spread;
        let verdict = verdict(is_within);
        println!("{name}: {low:.2} to {high:.2}, band {least} to {greatest}, at least {spread} apart{verdict}");
        is_alive &= is_within;
    }
    Ok(is_alive)
}

/// The name and the population in boids of each species. A swarm of one species has the name `all`.
fn populations(seen: &Observation) -> Vec<(&str, f64)> {
    match seen.features.species.as_slice() {
        [] => vec![("all", seen.boids)],
        species => species.iter().map(|own| (own.name.as_str(), boids(own.quanta()))).collect(),
    }
}

fn is_preset_alive(name: &str, seed: Option<u64>, steps: u64, size: Option<&str>) -> Result<bool, Box<dyn Error>> {
    let mut simulation = begin(name, seed, size)?;
    let mut sampler = LivelinessSampler::from_preset(simulation.preset());
    let begun = Observation::new(&mut simulation)?;
    let (mut observations, mut is_alive) = (Vec::new(), true);
    while simulation.step() < steps {
        let next = steps.min(simulation.step() + STEPS_PER_OBSERVATION);
        Run::new(&mut simulation).to(next).with(&mut sampler).play()?;
        let seen = Observation::new(&mut simulation)?.with_liveliness(Some(&sampler));
        let account = simulation.account()?;
        let of_species = seen.features.species.iter().map(|own| own.lost(Unit::Quanta));
        is_alive &= of_species
            .chain([account.lost, account.ledger.lost(Unit::Food), account.ledger.lost(Unit::Energy)])
            .all(|lost| lost == 0);
        observations.push(seen);
    }
    let verdict_of_ledgers = if is_alive { "nothing lost" } else { "SOMETHING LOST" };
    println!("{name}, seed {}, {steps} steps, {verdict_of_ledgers}", simulation.preset().seed);
    if let Some(parts) = sampler.liveliness() {
        println!("  at the end {parts:.2?}");
    }
    let judged = || observations.iter().filter(|seen| seen.step >= FIRST);
    for (what, measure, [least, greatest]) in MEANS {
        let values: Vec<f64> = judged().filter_map(measure).collect();
        // Swarms of individuals have no measure of stripes.
        if values.is_empty() {
            continue;
        }
        let ([low, high], mean) = (range(&values), values.iter().sum::<f64>() / values.len() as f64);
        let is_within = mean >= least && mean <= greatest;
        let verdict = verdict(is_within);
        println!("  {what}: {mean:.3} as a mean, {low:.3} to {high:.3}, band {least} to {greatest}{verdict}");
        is_alive &= is_within;
    }
    for seen in judged().filter(|seen| CHECKED.contains(&seen.step)) {
        let entropy = seen.heading_entropy.unwrap_or(0.0);
        let is_within = entropy >= MIN_ENTROPY;
        println!("  entropy of headings at {}: {entropy:.3}, at least {MIN_ENTROPY}{}", seen.step, verdict(is_within));
        is_alive &= is_within;
    }
    for (index, (species, start)) in populations(&begun).into_iter().enumerate() {
        let values: Vec<f64> = observations.iter().map(|seen| populations(seen)[index].1).collect();
        let ([low, high], [least, greatest]) = (range(&values), POPULATIONS);
        let is_within = low >= least * start && high <= greatest * start;
        println!("  {species}: {low:.0} to {high:.0} boids, {start:.0} at the start{}", verdict(is_within));
        is_alive &= is_within;
    }
    Ok(is_alive)
}
