//! `murmuration render`: plays a preset and writes frames, data and metrics.

use super::numbers::{boids, grouped, rate, signed_boids};
use super::progress::Progress;
use super::{FAILED, INTERRUPTED};
use crate::chain::{Chain, DEFAULT};
use crate::engine::cpu;
use crate::engine::gpu::{Adapters, Gpu, has_hardware};
use crate::error::{BadInput, Failure};
use crate::look::Pictures;
use crate::observe::{Caption, FrameKind, MetricsTable, Observation, files, glow, write_frame};
use crate::preset::{Look, Overrides, Preset, library};
use crate::shader::Dispatch;
use crate::simulation::{Account, EngineChoice, Simulation, WORKGROUP};
use crate::state::State;
use crate::world::World;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long the steps between two looks at the clock and at Ctrl-C should take.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// Play a preset and write frames, data and metrics.
///
/// Exit status: 0; 1 where boids were lost or the run failed; 2 for bad input; 130 when interrupted.
#[derive(Debug, Clone, clap::Args)]
pub struct Arguments {
    /// A built-in preset (see `murmuration presets`), or the path of one
    preset: String,
    /// Steps to play
    #[arg(long, default_value_t = 600, value_name = "N")]
    steps: u64,
    /// Write a frame and a row of metrics every K steps, step 0 included [default: the first and the last step]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    every: Option<u64>,
    /// The folder for the frames; without it none are written
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Cells along x and y instead of the preset's, at its density
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: Option<(u32, u32)>,
    /// The seed of the start instead of the preset's
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Which engine plays: auto is the GPU where there is a real one, else the CPU
    #[arg(long, value_enum, default_value_t = EngineName::Auto)]
    engine: EngineName,
    /// How the GPU runs the passes [default: compute]
    #[arg(long, value_enum)]
    dispatch: Option<DispatchName>,
    /// Threads of the CPU engine [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// A built-in chain (cell, paper-gather), or the path of one [default: the preset's]
    #[arg(long, value_name = "CHAIN")]
    chain: Option<String>,
    /// Set a key of the preset, as in --set weights.cohesion=0.8; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// What a frame is: glow (a picture), density16 (16-bit grey), npy (the state, bit for bit); several with commas
    #[arg(long, value_name = "KIND", value_delimiter = ',', default_value = "glow", value_parser = parse_frame_kind)]
    frames: Vec<FrameKind>,
    /// Write the metrics of every frame's step into a CSV file
    #[arg(long, value_name = "FILE.csv")]
    metrics: Option<PathBuf>,
    /// Print one JSON object about the run as the last thing on standard output
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum EngineName {
    Auto,
    Cpu,
    Gpu,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum DispatchName {
    Compute,
    Fragment,
}

fn parse_size(text: &str) -> Result<(u32, u32), String> {
    let (width, height) = text.split_once(['x', 'X', '×']).ok_or("write it as WxH, as in 256x256")?;
    let extent = |text: &str| text.parse::<u32>().map_err(|_| format!("`{text}` is not a number of cells"));
    Ok((extent(width)?, extent(height)?))
}

fn parse_frame_kind(text: &str) -> Result<FrameKind, String> {
    text.parse().map_err(|wrong: BadInput| format!("{}; {}", wrong.problem, wrong.cure))
}

/// Renders the default preset into `frames/`, for someone who only typed the program's name.
pub fn run_default() -> Result<u8, Failure> {
    let has_display = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    let why = if has_display { "the window is not built yet" } else { "there is no display" };
    println!("{why}: rendering the preset `{}` into frames/ (600 steps, every 20th)", library::DEFAULT);
    println!("see `murmuration --help` for everything else\n");
    run(&Arguments {
        preset: library::DEFAULT.into(),
        steps: 600,
        every: Some(20),
        out: Some("frames".into()),
        size: None,
        seed: None,
        engine: EngineName::Auto,
        dispatch: None,
        threads: None,
        chain: None,
        set: Vec::new(),
        frames: vec![FrameKind::Glow],
        metrics: None,
        json: false,
    })
}

pub fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let choice = choose_engine(arguments)?;
    if let Some(out) = &arguments.out
        && out.exists()
        && !out.is_dir()
    {
        return Err(BadInput::new(format!("--out {}", out.display()), "a file is there", "name a folder").into());
    }
    let overrides = Overrides { size: arguments.size, seed: arguments.seed, set: arguments.set.clone() };
    let preset = Preset::load(&arguments.preset, &overrides)?;
    let chain = Chain::load(arguments.chain.as_deref().or(preset.chain.as_deref()).unwrap_or(DEFAULT))?;
    let mut run = Run::new(arguments, Simulation::new(preset, &chain, choice)?)?;
    let played = run.play();
    // Whatever ended the run, the metrics so far are kept.
    let kept = run.write_metrics();
    let (interrupted, account) = played?;
    kept?;
    run.report(&chain, account, interrupted)
}

fn choose_engine(arguments: &Arguments) -> Result<EngineChoice, Failure> {
    let dispatch = arguments.dispatch.map(|name| match name {
        DispatchName::Compute => Dispatch::Compute { workgroup: WORKGROUP },
        DispatchName::Fragment => Dispatch::Fragment,
    });
    let options = cpu::Options { threads: arguments.threads.map(usize::from), instruction_set: None };
    match (arguments.engine, dispatch, arguments.threads) {
        (_, Some(_), Some(_)) => {
            Err(BadInput::new("--dispatch", "is for the GPU, and --threads for the CPU", "give one of them").into())
        }
        (EngineName::Cpu, Some(_), _) => {
            Err(BadInput::new("--dispatch", "the CPU engine has none", "take it away, or add --engine gpu").into())
        }
        (EngineName::Gpu, _, Some(_)) => {
            Err(BadInput::new("--threads", "is for the CPU engine", "take it away, or add --engine cpu").into())
        }
        (EngineName::Cpu, None, _) | (EngineName::Auto, None, Some(_)) => Ok(EngineChoice::Cpu(options)),
        (EngineName::Gpu, dispatch, None) => {
            Ok(EngineChoice::Gpu(dispatch.unwrap_or(Dispatch::Compute { workgroup: WORKGROUP })))
        }
        (EngineName::Auto, Some(_), None) if !crate::engine::gpu::has_hardware() => Err(BadInput::new(
            "--dispatch",
            "is for the GPU, and there is no hardware one",
            "add --engine gpu to use a software adapter",
        )
        .into()),
        (EngineName::Auto, Some(dispatch), None) => Ok(EngineChoice::Gpu(dispatch)),
        (EngineName::Auto, None, None) => Ok(EngineChoice::Auto),
    }
}

/// A run under way.
struct Run<'a> {
    arguments: &'a Arguments,
    simulation: Simulation,
    metrics: MetricsTable,
    /// What paints the frames: the GPU where it plays the swarm and is a real one; a software adapter is slower than the
    /// CPU's own picture.
    easel: Option<(Gpu, Pictures)>,
    /// The frames written so far.
    frames: usize,
    /// Time spent in steps.
    stepping: Duration,
    begun: Instant,
    interrupt: Arc<AtomicBool>,
}

impl<'a> Run<'a> {
    fn new(arguments: &'a Arguments, simulation: Simulation) -> Result<Self, Failure> {
        if let Some(out) = &arguments.out {
            files::create_folder(out)?;
        }
        let paints = arguments.out.is_some() && arguments.frames.contains(&FrameKind::Glow);
        let easel = if paints && simulation.engine_name() == "gpu" && has_hardware() {
            let gpu = Gpu::open(Adapters::Hardware, simulation.preset().world.extents)?;
            let pictures = Pictures::new(&gpu)?;
            Some((gpu, pictures))
        } else {
            None
        };
        Ok(Self {
            arguments,
            simulation,
            easel,
            metrics: MetricsTable::default(),
            frames: 0,
            stepping: Duration::ZERO,
            begun: Instant::now(),
            interrupt: listen_for_interrupts()?,
        })
    }

    /// Plays to the end or until it is interrupted; says which, and what the swarm comes to.
    fn play(&mut self) -> Result<(bool, Account), Failure> {
        let steps = self.arguments.steps;
        let every = self.arguments.every.unwrap_or(steps.max(1));
        let mut progress = Progress::new(steps, self.simulation.preset().world.extents.cells());
        let mut at_once = 1;
        self.observe()?;
        while self.simulation.step() < steps && !self.is_interrupted() {
            let step = self.simulation.step();
            let frame = (step / every + 1) * every;
            let chunk = at_once.min(frame.min(steps) - step);
            let begun = Instant::now();
            self.simulation.advance(chunk)?;
            if begun.elapsed() < BETWEEN_LOOKS {
                at_once = (2 * at_once).min(1 << 12);
            }
            self.stepping += begun.elapsed();
            progress.at(self.simulation.step());
            if self.simulation.step() == frame {
                self.observe()?;
            }
        }
        // A GPU may still be at work; its last steps count as well.
        let begun = Instant::now();
        let account = self.simulation.account()?;
        self.stepping += begun.elapsed();
        progress.finish();
        let interrupted = self.simulation.step() < steps;
        // What an interrupted run came to is kept, though no frame was due.
        if interrupted && !self.simulation.step().is_multiple_of(every) {
            self.observe()?;
        }
        Ok((interrupted, account))
    }

    fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// Writes the frames of the present step, and takes its metrics.
    fn observe(&mut self) -> Result<(), Failure> {
        let Arguments { out, frames, metrics, .. } = self.arguments;
        if out.is_none() && metrics.is_none() {
            return Ok(());
        }
        let begun = Instant::now();
        let step = self.simulation.step();
        let state = self.simulation.state()?;
        // Reading the state waits for a GPU's steps, which are not the frames' fault.
        self.stepping += begun.elapsed();
        let (preset, ledger) = (self.simulation.preset(), self.simulation.ledger());
        if let Some(out) = out {
            let caption = Caption { preset: preset.name.clone(), step, seed: preset.seed };
            let easel = &mut self.easel;
            let mut paint = |state: &State, world: &World, look: &Look| match easel {
                Some((gpu, pictures)) => pictures.picture(gpu, state, world, look),
                None => Ok(glow(state, world, look)),
            };
            let written = write_frame(frames, out, &state, &preset.world, &preset.look, &caption, &mut paint)?;
            self.frames += written.len();
        }
        if metrics.is_some() {
            self.metrics.push(Observation::of(step, &state, &preset.world, &preset.rules, &ledger));
        }
        Ok(())
    }

    fn write_metrics(&self) -> Result<(), Failure> {
        match &self.arguments.metrics {
            Some(path) => self.metrics.write(path),
            None => Ok(()),
        }
    }

    /// Says what came of the run; the exit status.
    fn report(&mut self, chain: &Chain, account: Account, interrupted: bool) -> Result<u8, Failure> {
        let (steps, ledger) = (self.simulation.step(), self.simulation.ledger());
        let preset = self.simulation.preset().clone();
        let extents = preset.world.extents;
        let seconds = self.stepping.as_secs_f64();
        let cells_per_second = steps as f64 * extents.cells() as f64 / seconds.max(1e-9);
        if interrupted {
            eprintln!("interrupted at step {steps} of {}; what was written is kept", self.arguments.steps);
        }
        if account.lost != 0 {
            eprintln!("murmuration: {}", loss(chain, ledger.start, account));
        }
        let size = format!("{}x{}", extents.width, extents.height);
        if self.arguments.json {
            let dispatch = self.simulation.dispatch().map(|dispatch| match dispatch {
                Dispatch::Compute { .. } => "compute",
                Dispatch::Fragment => "fragment",
            });
            let object = json!({
                "preset": preset.name,
                "engine": self.simulation.engine_name(),
                "dispatch": dispatch,
                "chain": chain.name,
                "size": size,
                "steps": steps,
                "seed": preset.seed,
                "boids": crate::state::boids(account.quanta),
                "quanta_start": ledger.start,
                "quanta_end": account.quanta,
                "spawned": ledger.spawned,
                "caught": ledger.caught,
                "lost": account.lost,
                "state_hash": self.simulation.state()?.hash(),
                "seconds": seconds,
                "cells_per_second": cells_per_second,
                "frames": self.frames,
            });
            println!("{object}");
        } else {
            let engine = (self.simulation.engine_name(), self.simulation.describe_engine());
            println!(
                "{} · {size} · seed {} · chain {} · {} ({})",
                preset.name, preset.seed, chain.name, engine.0, engine.1
            );
            let beside = (self.begun.elapsed() - self.stepping).as_secs_f64();
            println!(
                "{} steps in {seconds:.2} s ({}), and {beside:.2} s beside them",
                grouped(steps),
                rate(cells_per_second)
            );
            if let Some(out) = &self.arguments.out {
                println!("{} files in {}", self.frames, folder(out));
            }
            println!("{} boids · lost {}", boids(account.quanta), signed_boids(account.lost));
        }
        Ok(match (interrupted, account.lost) {
            (true, _) => INTERRUPTED,
            (false, 0) => 0,
            (false, _) => FAILED,
        })
    }
}

/// A flag that Ctrl-C sets; a second Ctrl-C ends the program at once.
fn listen_for_interrupts() -> Result<Arc<AtomicBool>, Failure> {
    use signal_hook::{consts, flag};
    let interrupt = Arc::new(AtomicBool::new(false));
    let failed = |source| Failure::File { action: "cannot listen for", path: "Ctrl-C".into(), source };
    for signal in [consts::SIGINT, consts::SIGTERM] {
        flag::register_conditional_shutdown(signal, i32::from(INTERRUPTED), interrupt.clone()).map_err(failed)?;
        flag::register(signal, interrupt.clone()).map_err(failed)?;
    }
    // A file that grows past its limit is to be an error that can be reported, not the end of the process.
    #[cfg(unix)]
    flag::register(consts::SIGXFSZ, Arc::new(AtomicBool::new(false))).map_err(failed)?;
    Ok(interrupt)
}

fn loss(chain: &Chain, start: u64, account: Account) -> String {
    let share = 100.0 * account.lost.unsigned_abs() as f64 / start.max(1) as f64;
    let verb = if account.lost > 0 { "lost" } else { "came from nowhere" };
    let amount = boids(account.lost.unsigned_abs());
    let why = if chain.conserves {
        "this must never happen: please report it"
    } else {
        "its way to move them does not conserve"
    };
    format!("{amount} of {} boids {verb} ({share:.2} %) with the chain {}: {why}", boids(start), chain.name)
}

fn folder(path: &Path) -> String {
    let text = path.display().to_string();
    if text.ends_with(std::path::MAIN_SEPARATOR) { text } else { format!("{text}/") }
}
