//! Whether presets live. Without arguments: the form of the default preset over 5000 steps, against bands in which a swarm folds, parts
//! and meets again.
//!
//! ```text
//! cargo bench --bench liveliness
//! ```
//!
//! prints each measure with its least and greatest value and its band, and fails where one leaves its band. A swarm that has become a
//! ball has small radii of gyration that hardly change; one that is torn apart has a small greatest part; a stream has a small entropy
//! of headings.
//!
//! ```text
//! cargo bench --bench liveliness -- chase three --seeds 10 --steps 20000
//! ```
//!
//! plays each of these presets with the seeds 1 to 10 (`--seeds 3-10`: 3 to 10; without `--seeds`: its own) for so many steps (without
//! `--steps`: 20 000). It prints at the end of each run, with the range from its first observation on, the entropy of headings, the greatest part and the mean speed,
//! and for each species the least and the greatest population. It fails where boids, food or energy are lost, where a swarm ends at rest or
//! with a small entropy, and where a population leaves its band.

use murmuration::observe::Observation;
use murmuration::{EngineChoice, Overrides, Preset, Simulation, host};
use murmuration_core::preset::DEFAULT;
use murmuration_core::state::boids;
use std::error::Error;
use std::process::ExitCode;

const STEPS: u64 = 5000;
/// Those of a run of a preset that is named.
const STEPS_OF_NAMED: u64 = 20_000;
const STEPS_PER_OBSERVATION: u64 = 100;
/// The least and the greatest value that a measure may have, and the least difference between the two that occur.
const BANDS: [(&str, Measure, [f64; 3]); 5] = [
    ("greatest connected part", |seen| seen.greatest_part, [0.3, 1.0, 0.05]),
    ("radius of gyration along x, in cells", |seen| seen.gyration_x, [9.0, 34.0, 4.0]),
    ("radius of gyration along y, in cells", |seen| seen.gyration_y, [9.0, 34.0, 4.0]),
    ("radius of gyration along z, in cells", |seen| seen.gyration_z, [4.0, 14.0, 1.0]),
    ("entropy of headings", |seen| seen.heading_entropy, [0.8, 1.0, 0.02]),
];
/// What a run of a named preset tells, with the least value at its end; the speed is in cells a step.
const ENDS: [(&str, Measure, f64); 3] = [
    ("entropy of headings", |seen| seen.heading_entropy, 0.45),
    ("greatest connected part", |seen| seen.greatest_part, 0.0),
    ("mean speed", |seen| Some(seen.mean_speed), 0.02),
];
/// The least and the greatest population of a species, as a part of that at its start.
const POPULATIONS: [f64; 2] = [0.02, 5.0];

type Measure = fn(&Observation) -> Option<f64>;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    // Cargo says `--bench`.
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let (mut names, mut seeds, mut steps) = (Vec::new(), vec![None], STEPS_OF_NAMED);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a number"));
        match argument.as_str() {
            "--seeds" => {
                let value = value()?;
                let (first, last) = value.split_once('-').unwrap_or(("1", &value));
                seeds = (first.parse()?..=last.parse()?).map(Some).collect();
            }
            "--steps" => steps = value()?.parse()?,
            name => names.push(name.to_owned()),
        }
    }
    if seeds.is_empty() {
        return Err("--seeds names no seed: write --seeds 10, or --seeds 3-10".into());
    }
    let mut is_alive = !names.is_empty() || is_default_alive()?;
    for name in &names {
        for seed in &seeds {
            is_alive &= is_preset_alive(name, *seed, steps)?;
        }
    }
    Ok(if is_alive { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn begin(name: &str, seed: Option<u64>) -> Result<Simulation, Box<dyn Error>> {
    let preset = Preset::load(host(), name, &Overrides { seed, ..Overrides::default() })?;
    let chain = preset.load_chain(None)?;
    Ok(Simulation::new(preset, &chain, EngineChoice::Auto)?)
}

/// The metrics of the present step.
fn observe(simulation: &mut Simulation) -> Result<Observation, Box<dyn Error>> {
    let (state, account) = (simulation.state()?, simulation.account()?);
    let preset = simulation.preset();
    let seen = Observation::from_state(account.step, &state.merged(), &preset.world, &preset.rules, &account.ledger);
    Ok(seen.with_species(&preset.species, &account))
}

/// The least and the greatest of some values; not a number where one is not.
fn range(values: &[f64]) -> [f64; 2] {
    let worst = |of: fn(f64, f64) -> f64| match values.iter().any(|value| value.is_nan()) {
        true => f64::NAN,
        false => values.iter().copied().reduce(of).unwrap_or(f64::NAN),
    };
    [worst(f64::min), worst(f64::max)]
}

fn verdict(is_within: bool) -> &'static str {
    if is_within { "" } else { "  OUTSIDE" }
}

fn is_default_alive() -> Result<bool, Box<dyn Error>> {
    let mut simulation = begin(DEFAULT, None)?;
    let mut observations = Vec::new();
    while simulation.step() < STEPS {
        simulation.advance(STEPS_PER_OBSERVATION)?;
        observations.push(observe(&mut simulation)?);
    }
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

/// The populations of the species of a swarm by name, or of all where there is one.
fn populations(seen: &Observation) -> Vec<(&str, f64)> {
    match seen.species.as_slice() {
        [] => vec![("all", seen.boids)],
        species => species.iter().map(|own| (own.name.as_str(), boids(own.quanta))).collect(),
    }
}

fn is_preset_alive(name: &str, seed: Option<u64>, steps: u64) -> Result<bool, Box<dyn Error>> {
    let mut simulation = begin(name, seed)?;
    let begun = observe(&mut simulation)?;
    let (mut observations, mut is_alive) = (Vec::new(), true);
    while simulation.step() < steps {
        simulation.advance(STEPS_PER_OBSERVATION.min(steps - simulation.step()))?;
        let seen = observe(&mut simulation)?;
        let account = simulation.account()?;
        let of_species = seen.species.iter().map(|own| own.lost);
        is_alive &= of_species.chain([account.lost, account.lost_food, account.lost_energy]).all(|lost| lost == 0);
        observations.push(seen);
    }
    let verdict_of_ledgers = if is_alive { "nothing lost" } else { "SOMETHING LOST" };
    println!("{name}, seed {}, {steps} steps, {verdict_of_ledgers}", simulation.preset().seed);
    for (what, measure, least) in ENDS {
        let values: Vec<f64> = observations.iter().map(|seen| measure(seen).unwrap_or(f64::NAN)).collect();
        let ([low, high], end) = (range(&values), values.last().copied().unwrap_or(f64::NAN));
        let is_within = end >= least;
        println!("  {what}: {end:.3} at the end, {low:.3} to {high:.3}, at least {least}{}", verdict(is_within));
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
