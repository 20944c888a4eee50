//! Loads, checks and starts presets from arguments of Python.

use crate::values;
use crate::work::{heard, warn_of};
use murmuration::provenance::Provenance;
use murmuration::{BadInput, Chain, EngineChoice, Failure, Overrides, Preset, PresetSource, Simulation, host};
use murmuration_core::host::contents::{Contents, Texts};
use murmuration_core::text::is_path;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The arguments of Python from which a preset and its chain are loaded.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct PresetArguments {
    /// The name of a built-in preset, or the path of a file.
    preset: PathBuf,
    /// The text of the preset. `None` if the preset is read by its name or path.
    text: Option<String>,
    /// Two or three extents in cells, which replace the extents in the preset.
    size: Option<Vec<u32>>,
    seed: Option<u64>,
    /// Settings of the form `key=value`.
    set: Vec<String>,
    chain: Option<PathBuf>,
    /// Whether a preset of cells is played with individuals.
    individuals: bool,
    /// The texts of chains and kernels that are not files, by name.
    texts: HashMap<String, String>,
    /// The bytes of pictures and arrays that are not files, by the name in the preset.
    contents: HashMap<String, Vec<u8>>,
}

impl PresetArguments {
    fn overrides(&self) -> Result<Overrides, BadInput> {
        let (size, depth) = match self.size.as_deref() {
            None => (None, None),
            Some([width, height]) => (Some((*width, *height)), None),
            Some([width, height, depth]) => (Some((*width, *height)), Some(*depth)),
            Some(_) => {
                let cure = "give (width, height) or (width, height, depth) in cells";
                return Err(BadInput::new("size", "has neither two nor three extents", cure));
            }
        };
        Ok(Overrides {
            size,
            depth,
            seed: self.seed,
            set: self.set.clone(),
            individuals: self.individuals,
            ..Overrides::default()
        })
    }

    /// Loads the preset and its chain.
    pub fn load(&self) -> Result<(Preset, Chain), Failure> {
        let overrides = self.overrides()?;
        let preset = match &self.text {
            None if self.contents.is_empty() => Preset::load(host(), &self.preset, &overrides)?,
            text => {
                let text = match text {
                    Some(text) => text.clone(),
                    None if is_path(&self.preset) => host().read_text(&self.preset)?,
                    // An unknown name fails with the message of the loader.
                    None => Preset::load(host(), &self.preset, &overrides)?.source().text.clone(),
                };
                let mut files = Contents::default();
                for (name, bytes) in &self.contents {
                    files.insert(name.as_str(), bytes.clone());
                }
                let source = PresetSource { origin: self.preset.clone().into(), text, overrides, files };
                Preset::from_source(host(), &source)?
            }
        };
        let mut texts = Texts::default();
        for (name, text) in &self.texts {
            texts.insert(name.as_str(), text.clone());
        }
        let chain = preset.load_chain_from(self.chain.as_deref(), &mut texts)?;
        Ok((preset, chain))
    }
}

/// Checks a preset, its chain and its kernels, without a device. Warns with the notes of the preset. Returns the
/// provenance that its results would have.
#[pyfunction]
pub fn check(py: Python<'_>, arguments: PresetArguments) -> PyResult<Bound<'_, PyAny>> {
    let (record, notes) = heard(py, move |_| {
        let (preset, chain) = arguments.load()?;
        murmuration::soundness::check_preset(&preset, &chain)?;
        Ok((Provenance::from_preset(&preset, &chain).record(0), preset.notes()))
    })?;
    warn_of(py, &notes)?;
    values::to_python(py, &record)
}

/// Starts the simulation of a preset at step 0, after the run-in. Ctrl-C ends the start at any time.
pub fn begin(
    py: Python<'_>,
    load: impl FnOnce() -> Result<(Preset, Chain), Failure> + Send + 'static,
    choice: EngineChoice,
) -> PyResult<Simulation> {
    heard(py, move |is_unwanted| {
        let (preset, chain) = load()?;
        begin_until(preset, &chain, choice, is_unwanted)
    })
}

/// Starts the simulation of a preset. Stops with an error soon after `is_unwanted` is set.
pub fn begin_until(
    preset: Preset,
    chain: &Chain,
    choice: EngineChoice,
    is_unwanted: Arc<AtomicBool>,
) -> Result<Simulation, Failure> {
    let stop = Arc::new(move || is_unwanted.load(Ordering::Relaxed));
    let begun = Simulation::new_until(preset, chain, choice, stop)?;
    begun.ok_or_else(|| Failure::Broken("the simulation was not wanted any more".into()))
}
