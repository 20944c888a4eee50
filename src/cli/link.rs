//! `murmuration link`: prints a link to a run. The program and the web page play links.

use super::options::{EngineOptions, PresetOptions, whole};
use super::progress::{RunProgress, listen};
use super::{INTERRUPTED, remark, say, say_json};
use crate::files::read_short_replay;
use crate::link::{Link, LinkedRun, MAX_LINK_BYTES};
use crate::provenance::{KEY, Provenance};
use crate::run::Run;
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::simulation::Simulation;
use murmuration_core::simulation::replay::ReplayReading;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;

/// The maximum number of bytes of the file of a replay from which a link is made. The link has the compressed replay,
/// which is about ten times shorter.
const MAX_REPLAY_BYTES: u64 = 64 * MAX_LINK_BYTES as u64;

/// Print the link of a run: everything behind `#` in the address of the page, for `replay`, `verify` and the page.
///
/// With --steps the run is played to its end, and the link tells the hash of the last state.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A preset, by its name or path, or a saved replay (.json)
    preset: PathBuf,
    #[command(flatten)]
    overrides: PresetOptions,
    /// Play so many steps, and add the hash of the last state
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX))]
    steps: Option<u64>,
    /// Print the whole address of this page
    #[arg(long, value_name = "URL")]
    base: Option<String>,
    #[command(flatten)]
    engine: EngineOptions,
    /// Print a JSON object with the link and its provenance instead
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<u8, Failure> {
    if let Some(base) = &arguments.base
        && base.contains('#')
    {
        return Err(BadInput::new(format!("--base {base}"), "has a `#`", "name the address of the page alone").into());
    }
    let is_replay = arguments.preset.extension().is_some_and(|ending| ending == "json");
    let link = if is_replay { arguments.of_replay()? } else { arguments.of_preset()? };
    let Some((link, provenance)) = link else { return Ok(INTERRUPTED) };
    let text = format!("{}{}", arguments.base.as_deref().unwrap_or_default(), link.write()?);
    if arguments.json {
        say_json(json!({ "link": text, KEY: provenance.record(link.end().map_or(0, |(step, _)| step)) }))?;
    } else {
        say(text)?;
    }
    Ok(0)
}

impl Arguments {
    fn of_replay(&self) -> Result<Option<(Link, Provenance)>, Failure> {
        if self.overrides.is_any() || self.steps.is_some() {
            let (problem, cure) = ("a replay brings its preset and its steps", "take the other options away");
            return Err(BadInput::new(self.preset.display().to_string(), problem, cure).into());
        }
        let replay = Arc::new(read_short_replay(&self.preset, MAX_REPLAY_BYTES)?);
        let (preset, chain) = replay.load(crate::host())?;
        let provenance = Provenance::from_preset(&preset, &chain);
        Ok(Some((Link::from_replay(crate::host(), replay)?, provenance)))
    }

    fn of_preset(&self) -> Result<Option<(Link, Provenance)>, Failure> {
        let (preset, chain) = self.overrides.load(&self.preset, false)?;
        let provenance = Provenance::from_preset(&preset, &chain);
        self.engine.check(&chain)?;
        let mut simulation = Simulation::before_run_in(preset, &chain, self.engine.choose()?)?;
        if let Some(steps) = self.steps {
            simulation.finish_run_in(&mut |_| {})?;
            let progress = RunProgress::new(0..steps, &simulation);
            let run = Run::new(&mut simulation).to(steps).stop_when(listen()?);
            if run.with(progress).play()?.is_stopped {
                remark(format_args!("interrupted at step {} of {steps}: there is no link", simulation.step()));
                return Ok(None);
            }
        }
        let mut link = Link::from_replay(crate::host(), Arc::new(simulation.read(ReplayReading)?))?;
        if let (LinkedRun::Preset { steps, hash, .. }, None) = (&mut link.run, self.steps) {
            (*steps, *hash) = (None, None);
        }
        Ok(Some((link, provenance)))
    }
}
