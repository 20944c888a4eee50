//! Options that several commands have: overrides of a preset, the look, films and the engine.

use super::remark;
use crate::files::{access, file_above};
use crate::film::FilmRecorder;
use crate::host::has_hardware;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use murmuration_core::chain::Chain;
use murmuration_core::chain::look_plan::LookPlan;
use murmuration_core::engine::{Dispatch, cpu};
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::{EngineChoice, Input, Simulation, WORKGROUP};
use murmuration_core::world::Extents;
use murmuration_gpu::look;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use toml_edit::Value;

/// Overrides of a preset.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct PresetOptions {
    /// Cells along x and y, and in a deep world along z too, instead of the preset's, at its density; WxH keeps its
    /// depth
    #[arg(long, value_name = "WxH[xD]", value_parser = |text: &str| text.parse::<Extents>())]
    pub size: Option<Extents>,
    /// The seed of the start and of chance instead of the preset's
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = whole::<u64>(0..=i64::MAX as u64))]
    pub seed: Option<u64>,
    /// A built-in chain (cell, cell-deep, paper-gather; of individuals agents-grid, agents-octree, agents-brute), or
    /// the path of one [default: the preset's]
    #[arg(long, value_name = "CHAIN")]
    pub chain: Option<PathBuf>,
    /// Set a key of the preset, as in --set weights.cohesion=0.8 or --set world.solid[1].circle.radius=0.1; may be
    /// repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

impl PresetOptions {
    /// Whether the options override any part of a preset.
    pub fn is_any(&self) -> bool {
        self.size.is_some() || self.seed.is_some() || self.chain.is_some() || !self.set.is_empty()
    }

    /// The overrides of the preset, without the chain.
    pub fn overrides(&self) -> Overrides {
        Overrides {
            size: self.size.map(|size| (size.width, size.height)),
            depth: self.size.and_then(|size| size.depth),
            seed: self.seed,
            set: self.set.clone(),
            ..Overrides::default()
        }
    }

    /// Allows the program to read the files that the user has named: the preset, the chain and the files in settings
    /// (see [`access`]).
    pub fn name_files(&self, preset: &Path) {
        access::name(preset);
        self.chain.iter().for_each(access::name);
        self.set.iter().flat_map(|setting| texts(setting)).for_each(access::name);
    }

    /// Applies the settings (`--set`) to a simulation that has begun.
    ///
    /// # Errors
    /// If a setting is wrong, or its key acts only at the start.
    pub fn set_under_way(&self, simulation: &mut Simulation) -> Result<(), Failure> {
        for setting in &self.set {
            texts(setting).iter().for_each(access::name);
            let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
            simulation.apply(Input::Set { key: key.into(), value: value.into() })?;
        }
        Ok(())
    }

    /// Loads the preset of this name or path with the overrides, and its chain. `individuals`: a preset of cells is
    /// played with individuals.
    ///
    /// # Errors
    /// If the preset, an override or the chain is wrong, or a file cannot be read.
    pub fn load(&self, preset: &Path, individuals: bool) -> Result<(Preset, Chain), Failure> {
        self.name_files(preset);
        let preset = Preset::load(crate::host(), preset, &Overrides { individuals, ..self.overrides() })?;
        preset.notes().iter().for_each(remark);
        let chain = preset.load_chain(self.chain.as_deref())?;
        Ok((preset, chain))
    }
}

/// The option of the look.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct LookOptions {
    /// A chain of the look by its path instead of the built-in one (glow); it is read once, and draws on a GPU, be it a
    /// software one
    #[arg(long, value_name = "CHAIN")]
    look: Option<PathBuf>,
}

impl LookOptions {
    /// The chain of the look. `None` for the built-in look, which the CPU can draw too.
    ///
    /// # Errors
    /// If the chain does not exist, belongs to another model, or has a wrong kernel.
    pub fn load(&self) -> Result<Option<Chain>, BadInput> {
        let Some(name) = &self.look else { return Ok(None) };
        access::name(name);
        let chain = Chain::load(crate::host().as_ref(), name)?;
        look::shader::check(crate::host().library(), &LookPlan::new(&chain)?)?;
        Ok(Some(chain))
    }
}

/// The options of a film.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct FilmOptions {
    /// Write a film: .apng, .gif, or with ffmpeg .mp4 or .webm; without an extension a folder of PNGs
    #[arg(long, value_name = "PATH")]
    pub film: Option<PathBuf>,
    /// Frames of the film a second
    #[arg(long, value_name = "N", default_value_t = 30, requires = "film")]
    #[arg(value_parser = whole::<u32>(0..=u32::MAX.into()))]
    fps: u32,
    /// The width of the film in pixels, at most that of a frame of `render` [default: the width of a frame]
    #[arg(long, value_name = "PIXELS", requires = "film")]
    #[arg(value_parser = whole::<u32>(1..=u32::MAX.into()))]
    width: Option<u32>,
}

impl FilmOptions {
    /// Begins a film of a simulation, if the options name one.
    ///
    /// # Errors
    /// As for [`FilmRecorder::new`]. The message names the option.
    pub fn begin(&self, simulation: &Simulation) -> Result<Option<FilmRecorder>, Failure> {
        let Some(path) = &self.film else { return Ok(None) };
        let begun = FilmRecorder::new(path, self.fps, self.width, simulation);
        begun.map(Some).map_err(|failure| match failure {
            Failure::BadInput(wrong) if !wrong.is_argument => {
                BadInput { origin: format!("film {}", wrong.origin), is_argument: true, ..wrong }.into()
            }
            other => other,
        })
    }
}

/// The options of the engine.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct EngineOptions {
    /// The engine: auto is the GPU if there is a hardware adapter, else the CPU
    #[arg(long, value_enum, default_value_t = EngineName::Auto)]
    engine: EngineName,
    /// How the GPU runs passes [default: compute]
    #[arg(long, value_parser = one_of(&DISPATCHES))]
    dispatch: Option<Dispatch>,
    /// Threads of the CPU engine [default: one for each core]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    threads: Option<u16>,
}

/// The name of an engine on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Default)]
pub enum EngineName {
    #[default]
    Auto,
    Cpu,
    Gpu,
}

const DISPATCHES: [(&str, Dispatch); 2] =
    [("compute", Dispatch::Compute { workgroup: WORKGROUP }), ("fragment", Dispatch::Fragment)];

impl EngineOptions {
    /// The options of a command without the option `--dispatch`.
    pub fn new(engine: EngineName, threads: Option<u16>) -> Self {
        Self { engine, threads, dispatch: None }
    }

    /// Checks that a chain allows the chosen dispatch.
    ///
    /// # Errors
    /// If a dispatch is chosen for individuals, which always use compute.
    pub fn check(&self, chain: &Chain) -> Result<(), BadInput> {
        if self.dispatch.is_none() || chain.search.is_none() {
            return Ok(());
        }
        let problem = format!("the chain {} is of individuals, whose kernels have no choice of dispatch", chain.name);
        Err(BadInput::new("--dispatch", problem, "take it away"))
    }

    /// The engine that the options choose.
    ///
    /// # Errors
    /// If the options contradict each other, or the hardware is missing.
    pub fn choose(&self) -> Result<EngineChoice, BadInput> {
        let options = cpu::Options { threads: self.threads.map(usize::from), instruction_set: None };
        let (option, problem, cure) = match (self.engine, self.dispatch, self.threads) {
            (EngineName::Cpu, None, _) | (EngineName::Auto, None, Some(_)) => return Ok(EngineChoice::Cpu(options)),
            (EngineName::Gpu, dispatch, None) => return Ok(EngineChoice::Gpu(dispatch.unwrap_or_default())),
            (EngineName::Auto, Some(dispatch), None) if has_hardware() => return Ok(EngineChoice::Gpu(dispatch)),
            (EngineName::Auto, None, None) => return Ok(EngineChoice::Auto),
            (_, Some(_), Some(_)) => ("--dispatch", "is for the GPU, and --threads for the CPU", "give one of them"),
            (EngineName::Cpu, Some(_), _) => {
                ("--dispatch", "the CPU engine has none", "take it away, or add --engine gpu")
            }
            (EngineName::Gpu, None, Some(_)) => {
                ("--threads", "is for the CPU engine", "take it away, or add --engine cpu")
            }
            (EngineName::Auto, Some(_), None) => (
                "--dispatch",
                "is for the GPU, and there is no hardware one",
                "add --engine gpu to use a software adapter",
            ),
        };
        Err(BadInput::new(option, problem, cure))
    }
}

/// Checks that the folder of `--out` can be created.
///
/// # Errors
/// If there is a file at its path or at the path of a parent.
pub fn check_folder(out: Option<&Path>) -> Result<(), BadInput> {
    let Some(out) = out else { return Ok(()) };
    let Some(file) = file_above(out) else { return Ok(()) };
    let problem = format!("{} is a file", file.display());
    Err(BadInput::new(format!("--out {}", out.display()), problem, "name a folder"))
}

/// The texts in the value of a setting (`key=value`), also in its lists and tables. Some texts may be names of files.
pub fn texts(setting: &str) -> Vec<String> {
    fn of(value: &Value, all: &mut Vec<String>) {
        match value {
            Value::String(text) => all.push(text.value().clone()),
            Value::Array(list) => list.iter().for_each(|value| of(value, all)),
            Value::InlineTable(table) => table.iter().for_each(|(_, value)| of(value, all)),
            _ => {}
        }
    }
    let Some((_, written)) = setting.split_once('=') else { return Vec::new() };
    let mut all = Vec::new();
    match written.parse::<Value>() {
        Ok(value) => of(&value, &mut all),
        // The value is a bare word.
        Err(_) => all.push(written.trim().to_owned()),
    }
    all
}

/// A parser of a whole number within bounds, for clap. The error is a message for the user.
pub fn whole<T: TryFrom<u64>>(bounds: RangeInclusive<u64>) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse::<u64>().ok().filter(|number| bounds.contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| {
            let (least, most) = (bounds.start(), bounds.end());
            let cure = if *most == u64::MAX { format!("{least} or more") } else { format!("{least} to {most}") };
            format!("`{text}` is no such number; give a whole number, {cure}")
        })
    }
}

/// A parser of one of several names, for clap. Each name has its value.
pub fn one_of<T: Clone + Send + Sync + 'static>(
    names: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    let value = |name: String| names.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone());
    PossibleValuesParser::new(names.iter().map(|(name, _)| *name))
        .map(move |name| value(name).expect("the parser accepts these names alone"))
}

/// Parses two extents in cells, such as `256x256`.
pub fn parse_size(text: &str) -> Result<(u32, u32), String> {
    let (width, height) = text.split_once(['x', 'X', '×']).ok_or("write it as WxH, as in 256x256")?;
    let extent = |text: &str| text.parse::<u32>().map_err(|_| format!("`{text}` is not a number of cells"));
    Ok((extent(width)?, extent(height)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_of_a_setting_is_found() {
        assert_eq!(texts("world.solid=[{ mask = \"a.png\" }, { circle = { radius = 1 } }, \"b\"]"), ["a.png", "b"]);
        assert_eq!(texts("start.file = maps/a.png"), ["maps/a.png"]);
        assert!(texts("weights.cohesion=0.5").is_empty() && texts("nothing").is_empty());
    }
}
