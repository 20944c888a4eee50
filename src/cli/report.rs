//! The result of a run as text and as JSON.

use super::film::FilmSummary;
use super::{FAILED, complain, say};
use crate::chain::Chain;
use crate::engine::Dispatch;
use crate::error::Failure;
use crate::readable::{boids, grouped, rate, signed_boids};
use crate::simulation::{Account, EngineChoice, Simulation};
use serde_json::{Value, json};
use std::path::{MAIN_SEPARATOR, Path};

/// The result of a run.
pub struct Outcome<'a> {
    pub account: Account,
    /// Steps played, without those before a checkpoint.
    pub steps: u64,
    /// Seconds spent in steps.
    pub seconds: f64,
    /// Seconds spent otherwise.
    pub other_seconds: f64,
    /// The number of files of frames.
    pub frames: usize,
    pub folder: Option<&'a Path>,
    pub film: Option<FilmSummary>,
}

impl Outcome<'_> {
    /// Prints the result. Returns the exit status.
    pub fn report(&self, simulation: &mut Simulation, as_json: bool) -> Result<u8, Failure> {
        if self.account.lost != 0 {
            complain(loss(simulation.chain(), self.account));
        }
        if as_json {
            say(self.object(simulation)?)?;
        } else {
            self.print(simulation)?;
        }
        Ok(if self.account.lost == 0 { 0 } else { FAILED })
    }

    /// Cells or individuals per second.
    fn per_second(&self, simulation: &Simulation) -> f64 {
        let many = match simulation.preset().agents {
            None => simulation.preset().world.extents.cells() as f64,
            Some(_) => crate::state::boids(self.account.quanta),
        };
        self.steps as f64 * many / self.seconds.max(1e-9)
    }

    fn print(&self, simulation: &Simulation) -> Result<(), Failure> {
        let preset = simulation.preset();
        say(format_args!(
            "{} · {} · seed {} · chain {} · {} ({})",
            preset.name,
            size(simulation),
            preset.seed,
            simulation.chain().name,
            simulation.engine_name(),
            simulation.describe_engine()
        ))?;
        let pace = match preset.agents {
            None => rate(self.per_second(simulation), "cell"),
            Some(_) => format!("{} individuals/s", grouped(self.per_second(simulation) as u64)),
        };
        say(format_args!(
            "{} steps in {:.2} s ({}), other work {:.2} s",
            grouped(self.steps),
            self.seconds,
            pace,
            self.other_seconds
        ))?;
        if let Some(folder) = self.folder {
            let folder = folder.display().to_string();
            say(format_args!("{} files in {}{MAIN_SEPARATOR}", self.frames, folder.trim_end_matches(MAIN_SEPARATOR)))?;
        }
        if let Some(film) = &self.film {
            say(format_args!("{} frames in {}", grouped(film.frames), film.path().display()))?;
        }
        say(format_args!("{} boids · lost {}", boids(self.account.quanta), signed_boids(self.account.lost)))
    }

    /// The JSON object of `--json` (design, section 7). Amounts are in quanta.
    fn object(&self, simulation: &mut Simulation) -> Result<Value, Failure> {
        let dispatch = match simulation.choice() {
            EngineChoice::Gpu(Dispatch::Compute { .. }) => Some("compute"),
            EngineChoice::Gpu(Dispatch::Fragment) => Some("fragment"),
            _ => None,
        };
        let Account { quanta, ledger, lost } = self.account;
        let pace = self.per_second(simulation);
        let of_agents = simulation.preset().agents.is_some();
        let mut object = json!({
            "preset": simulation.preset().name,
            "engine": simulation.engine_name(),
            "dispatch": dispatch,
            "chain": simulation.chain().name,
            "size": size(simulation),
            "steps": simulation.step(),
            "seed": simulation.preset().seed,
            "boids": crate::state::boids(quanta),
            "quanta_start": ledger.start,
            "quanta_end": quanta,
            "spawned": ledger.spawned,
            "caught": ledger.caught,
            "lost": lost,
            "state_hash": simulation.state_hash()?,
            "seconds": self.seconds,
            "cells_per_second": (!of_agents).then_some(pace),
            "frames": self.frames,
        });
        if of_agents {
            object["agents_per_second"] = json!(pace);
        }
        Ok(object)
    }
}

fn size(simulation: &Simulation) -> String {
    let extents = simulation.preset().world.extents;
    match &simulation.preset().agents {
        Some(model) if model.depth > 1 => format!("{}x{}x{}", extents.width, extents.height, model.depth),
        _ => format!("{}x{}", extents.width, extents.height),
    }
}

/// The message about an account that is not balanced.
pub fn loss(chain: &Chain, account: Account) -> String {
    let start = account.ledger.start;
    let share = 100.0 * account.lost.unsigned_abs() as f64 / start.max(1) as f64;
    let verb = if account.lost > 0 { "lost" } else { "came from nowhere" };
    let amount = boids(account.lost.unsigned_abs());
    let is_ours = chain.passes.iter().all(|pass| pass.kernel.is_built_in);
    let why = match chain.conserves && is_ours {
        true => "this must never happen: please report it",
        false => "its way to move them does not conserve",
    };
    format!("{amount} of {} boids {verb} ({share:.2} %) with the chain {}: {why}", boids(start), chain.name)
}
