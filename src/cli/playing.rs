//! What `view` and `render` have in common: what lies over the preset, and which engine plays it.

use crate::engine::cpu;
use crate::error::{BadInput, Failure};
use crate::preset::Overrides;
use crate::shader::Dispatch;
use crate::simulation::{EngineChoice, WORKGROUP};

/// How a preset is played.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Playing {
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
    pub chain: Option<String>,
    /// Set a key of the preset, as in --set weights.cohesion=0.8; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum EngineName {
    #[default]
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

impl Playing {
    /// What is laid over the preset.
    pub fn overrides(&self) -> Overrides {
        Overrides { size: self.size, seed: self.seed, set: self.set.clone() }
    }

    /// The engine that was asked for.
    ///
    /// # Errors
    /// Where the arguments exclude each other.
    pub fn engine(&self) -> Result<EngineChoice, Failure> {
        let dispatch = self.dispatch.map(|name| match name {
            DispatchName::Compute => Dispatch::Compute { workgroup: WORKGROUP },
            DispatchName::Fragment => Dispatch::Fragment,
        });
        let options = cpu::Options { threads: self.threads.map(usize::from), instruction_set: None };
        match (self.engine, dispatch, self.threads) {
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
}
