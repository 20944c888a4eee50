//! `murmuration render`: plays a preset and writes frames, data and metrics.

use super::family_tree;
use super::options::check_folder;
use super::progress::Progress;
pub use super::run::Arguments;
use super::run::play;
use super::{INTERRUPTED, remark, say, within};
use crate::files::{check_destination, check_distinct, read_checkpoint, save_checkpoint_somewhere, save_last_known};
use crate::observe::{FrameKind, TrajectoryFormat};
use crate::provenance::record_path;
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::preset::DEFAULT;
use murmuration_core::simulation::{EngineChoice, Simulation};
use std::path::{Path, PathBuf};

impl Arguments {
    /// Checks that the files that are written at the end of the run can be written, and have different paths.
    fn check_destinations(&self) -> Result<(), BadInput> {
        let film = self.film.film.as_deref();
        let tables = [
            ("--metrics", &self.metrics),
            ("--trajectories", &self.trajectories),
            (family_tree::OPTION, &self.tree.path),
        ];
        let others = [("--checkpoint", &self.checkpoint), ("--statistics", &self.statistics)];
        let mut named: Vec<_> = others.iter().chain(&tables).map(|(option, path)| (*option, path.as_deref())).collect();
        for (option, path) in &named {
            path.map_or(Ok(()), |path| check_destination(option, path, self.out.as_deref()))?;
        }
        named.push(("--film", film));
        let records = tables.map(|(option, path)| (option, path.as_deref().and_then(record_path)));
        named.extend(records.iter().map(|(option, record)| (*option, record.as_deref())));
        check_distinct(&named)
    }
}

/// Renders the default preset into `frames/`, if the user gives no arguments and the program cannot open a window.
/// `reason`: the reason why there is no window, for a message.
pub fn run_default(reason: &str) -> Result<u8, Failure> {
    say(format_args!("{reason}: rendering the preset `{DEFAULT}` into frames/ (240 steps, every 8th)"))?;
    say("see `murmuration --help` for everything else\n")?;
    let arguments = Arguments {
        preset: Some(DEFAULT.into()),
        steps: 240,
        every: Some(8),
        out: Some("frames".into()),
        frames: vec![FrameKind::Picture],
        ..Arguments::default()
    };
    run(&arguments).map_err(|failure| match failure {
        Failure::BadInput(wrong) if wrong.cure.contains("--overwrite") => {
            let cure = format!("move them away, or use `murmuration render {DEFAULT} --out DIR` with another folder");
            BadInput { cure, ..wrong }.into()
        }
        other => other,
    })
}

pub fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let choice = arguments.engine.choose()?;
    let look = arguments.look.load()?;
    check_folder(arguments.out.as_deref())?;
    arguments.check_outputs()?;
    arguments.check_destinations()?;
    let mut simulation = arguments.begin(choice)?;
    arguments.engine.check(simulation.chain())?;
    arguments.check_model(&simulation)?;
    arguments.tree.begin(&mut simulation)?;
    let first = simulation.step();
    let last = first.saturating_add(arguments.steps);
    let played = play(&mut simulation, last - first, arguments, look.as_ref(), None);
    let mut outcome = played.map_err(|failure| rescue(arguments, &mut simulation, failure))?;
    if outcome.is_interrupted() {
        let step = simulation.step();
        remark(format_args!("interrupted at step {step} of {last}; the results so far are kept"));
    }
    if let Some(path) = &arguments.checkpoint {
        outcome.save_checkpoint(&mut simulation, path)?;
    }
    let status = outcome.report(&mut simulation, arguments.json)?;
    Ok(if outcome.is_interrupted() { INTERRUPTED } else { status })
}

impl Arguments {
    /// Checks that there is an output if `--every` is given, and that the path of the trajectories has a known format.
    fn check_outputs(&self) -> Result<(), BadInput> {
        let tables = [&self.metrics, &self.statistics, &self.trajectories];
        let has_output = self.out.is_some() || self.film.film.is_some() || tables.iter().any(|path| path.is_some());
        if self.every.is_some() && !has_output {
            let cure = "add --out, --film, --metrics, --statistics or --trajectories";
            return Err(BadInput::new("--every", "there is nothing to write", cure));
        }
        let trajectories = self.trajectories.as_deref();
        trajectories.map_or(Ok(()), |path| TrajectoryFormat::from_path(path).map(drop))
    }

    /// Starts the preset, or resumes the checkpoint of `--resume`.
    fn begin(&self, choice: EngineChoice) -> Result<Simulation, Failure> {
        let Some(path) = &self.resume else {
            let name = self.preset.as_deref().unwrap_or(DEFAULT.as_ref());
            let (preset, chain) = self.overrides.load(name, self.individuals)?;
            self.engine.check(&chain)?;
            let run_in = preset.start_spec.run_in();
            let mut progress = Progress::new(0..run_in);
            let mut show = |step| progress.show(step, |_| format!("step {step} of {run_in} before step 0"));
            return Simulation::new_with(preset, &chain, choice, &mut show);
        };
        if let Some(preset) = &self.preset {
            let problem =
                format!("a checkpoint is of a preset of its own, so that `{}` cannot be played", preset.display());
            return Err(BadInput::new(format!("--resume {}", path.display()), problem, "take one of them away").into());
        }
        let checkpoint = read_checkpoint(path)?;
        let resumed = Simulation::resume(crate::host(), checkpoint, choice);
        let mut simulation = resumed.map_err(|failure| within(path, failure))?;
        self.overrides.set_under_way(&mut simulation)?;
        Ok(simulation)
    }

    /// Checks that the model of the swarm can make the requested outputs, such as trajectories of individuals.
    fn check_model(&self, simulation: &Simulation) -> Result<(), BadInput> {
        let no_individuals = || format!("the preset `{}` has no individuals", simulation.preset().name);
        let has_individuals = simulation.preset().individuals.is_some();
        if self.frames.contains(&FrameKind::Individuals) && !has_individuals {
            return Err(BadInput::new("--frames agents", no_individuals(), "use npy, which is its state"));
        }
        if let Some(path) = self.trajectories.as_deref().filter(|_| !has_individuals) {
            let cure = "add --individuals, or use --out with --frames npy, which is its state";
            return Err(BadInput::new(format!("--trajectories {}", path.display()), no_individuals(), cure));
        }
        if self.scale.is_some() && !self.frames.contains(&FrameKind::Density16) {
            let problem = "is for frames of density, and none are asked for";
            return Err(BadInput::new("--scale", problem, "add --frames density16"));
        }
        Ok(())
    }
}

/// Saves the requested checkpoint of a run that failed. After a failure of the device the checkpoint has the last known
/// state. If a file could not be written, the checkpoint has the present state. Returns the failure, with a message
/// about the saved checkpoint.
fn rescue(arguments: &Arguments, simulation: &mut Simulation, failure: Failure) -> Failure {
    let mut save = |path: &Path| -> Result<(u64, PathBuf), Failure> {
        if matches!(failure, Failure::Device(_)) {
            return Ok((save_last_known(simulation, path)?, path.to_path_buf()));
        }
        let elsewhere = save_checkpoint_somewhere(simulation, path)?;
        Ok((simulation.step(), elsewhere.map_or_else(|| path.to_path_buf(), |(place, _)| place)))
    };
    // The other ranks are still playing, and all ranks have to read a swarm together.
    let is_alone = crate::host().ranks().size() == 1;
    if !is_alone || !matches!(failure, Failure::Device(_) | Failure::File { .. }) {
        return failure;
    }
    let saved = match arguments.checkpoint.as_deref().map(&mut save) {
        Some(Ok((step, path))) => format!("; the swarm of step {step} was saved to {}", path.display()),
        Some(Err(failure)) => format!("; the swarm could not be saved: {failure}"),
        None => String::new(),
    };
    failure.with(format_args!("frames and metrics so far are kept{saved}"))
}
