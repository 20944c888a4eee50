//! Whether the default preset lives: its form over 5000 steps, against bands in which a swarm folds, parts and meets again.
//!
//! ```text
//! cargo bench --bench liveliness
//! ```
//!
//! prints each measure with its least and greatest value and its band, and fails where one leaves its band. A swarm that has become a
//! ball has small radii of gyration that hardly change; one that is torn apart has a small greatest part; a stream has a small entropy
//! of headings.

use murmuration::observe::Observation;
use murmuration::preset::DEFAULT;
use murmuration::{EngineChoice, Overrides, Preset, Simulation, host};
use std::error::Error;
use std::process::ExitCode;

const STEPS: u64 = 5000;
const STEPS_PER_OBSERVATION: u64 = 100;
/// The least and the greatest value that a measure may have, and the least difference between the two that occur.
const BANDS: [(&str, Measure, [f64; 3]); 5] = [
    ("greatest connected part", |seen| seen.greatest_part, [0.3, 1.0, 0.05]),
    ("radius of gyration along x, in cells", |seen| seen.gyration_x, [9.0, 34.0, 4.0]),
    ("radius of gyration along y, in cells", |seen| seen.gyration_y, [9.0, 34.0, 4.0]),
    ("radius of gyration along z, in cells", |seen| seen.gyration_z, [4.0, 14.0, 1.0]),
    ("entropy of headings", |seen| seen.heading_entropy, [0.8, 1.0, 0.02]),
];

type Measure = fn(&Observation) -> Option<f64>;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let preset = Preset::load(host(), DEFAULT, &Overrides::default())?;
    let chain = preset.load_chain(None)?;
    let mut simulation = Simulation::new(preset, &chain, EngineChoice::Auto)?;
    let mut observations = Vec::new();
    while simulation.step() < STEPS {
        simulation.advance(STEPS_PER_OBSERVATION)?;
        let (state, account) = (simulation.state()?, simulation.account()?);
        let preset = simulation.preset();
        observations.push(Observation::of(simulation.step(), &state, &preset.world, &preset.rules, &account.ledger));
    }
    let lost = simulation.account()?.lost;
    println!("{DEFAULT}, {STEPS} steps, lost {lost}");
    let mut is_alive = lost == 0;
    for (name, measure, [least, greatest, spread]) in BANDS {
        let values: Vec<f64> = observations.iter().map(|seen| measure(seen).unwrap_or(f64::NAN)).collect();
        let [low, high] = [values.iter().copied().reduce(f64::min), values.iter().copied().reduce(f64::max)]
            .map(|value| value.unwrap_or(f64::NAN));
        let is_within =
            low >= least && high <= greatest && high - low >= spread && !values.iter().any(|value| value.is_nan());
        let verdict = if is_within { "" } else { "  OUTSIDE" };
        println!("{name}: {low:.2} to {high:.2}, band {least} to {greatest}, at least {spread} apart{verdict}");
        is_alive &= is_within;
    }
    Ok(if is_alive { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
