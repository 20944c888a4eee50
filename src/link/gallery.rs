//! Galleries: lists of runs in TOML, each with the hash of its last state, so that anyone can verify the runs
//! (`docs/formats.md`, Galleries).

use super::verification::Verification;
use crate::host::host_without_files;
use murmuration_core::chain::Chain;
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::EngineChoice;
use murmuration_core::simulation::replay::Replay;
use murmuration_core::text;
use murmuration_core::world::Extents;
use serde::Deserialize;

const MAX_RUNS: usize = 1000;

/// A list of runs that can be verified.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gallery {
    /// The runs, in the order in which they are shown.
    pub run: Vec<GalleryRun>,
}

/// A run of a gallery.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GalleryRun {
    /// The title of the run.
    pub title: String,
    /// One line that says what the run shows.
    pub line: String,
    /// The name of the preset.
    pub name: String,
    /// The text of the preset.
    pub preset: String,
    /// The numbers of cells along the axes, `WxH` or `WxHxD`; `None`: the size of the preset.
    pub size: Option<String>,
    /// The seed of all random numbers; `None`: the seed of the preset.
    pub seed: Option<u64>,
    /// The number of steps of the run.
    pub steps: u64,
    /// The expected hash of the state after the last step.
    pub hash: String,
}

impl Gallery {
    /// Parses the TOML text of a gallery. `origin`: the name of the text in error messages.
    ///
    /// # Errors
    /// `BadInput`: the text is not a gallery, or has too many runs.
    pub fn parse(origin: &str, toml: &str) -> Result<Self, BadInput> {
        let gallery: Self = text::parse_toml(origin, toml, "a gallery of [[run]]s")?;
        if gallery.run.len() > MAX_RUNS {
            let problem = format!("has {} runs", gallery.run.len());
            return Err(BadInput::new(origin, problem, format!("a gallery has at most {MAX_RUNS}")));
        }
        Ok(gallery)
    }

    /// Whether a text looks like a gallery: it has a line `[[run]]`.
    pub fn is_gallery(toml: &str) -> bool {
        toml.lines().any(|line| line.trim() == "[[run]]")
    }
}

impl GalleryRun {
    /// The run as a replay without inputs, with the preset and the chain of the run.
    ///
    /// # Errors
    /// `BadInput`: the preset or the size is wrong, or the preset names a file.
    pub fn load(&self) -> Result<(Replay, Preset, Chain), BadInput> {
        let size = self.size.as_ref().map(|size| size.parse::<Extents>()).transpose();
        let size = size.map_err(|problem| BadInput::new(&self.title, problem, "write it as WxH or WxHxD"))?;
        let overrides = Overrides {
            size: size.map(|size| (size.width, size.height)),
            depth: size.and_then(|size| size.depth),
            seed: self.seed,
            ..Overrides::default()
        };
        let origin = format!("{}.toml", self.name);
        let preset = Preset::from_text(host_without_files(), origin, &self.preset, &overrides)?;
        let chain = preset.load_chain(None)?;
        Ok((Replay::of_steps(&preset, &chain, self.steps, self.hash.clone()), preset, chain))
    }

    /// Plays the run, and compares the hash of the last state with [`Self::hash`].
    ///
    /// # Errors
    /// As [`Self::load`], and if the engine fails.
    pub fn verify(&self, choice: EngineChoice) -> Result<Verification, Failure> {
        let (replay, preset, chain) = self.load()?;
        Verification::play(&replay, preset, &chain, choice)
    }
}
