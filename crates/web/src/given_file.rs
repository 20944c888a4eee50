//! Files that the user gives to the page.

use murmuration::controller::Scene;
use murmuration::files::{memory, read_replay};
use murmuration::{BadInput, Checkpoint, EngineChoice, host};
use murmuration_core::chain::is_chain;
use murmuration_core::error::Failure;
use std::sync::Arc;

/// A file that the user has given, by its kind.
pub enum GivenFile {
    /// A preset or a replay, to be played.
    Scene(Scene),
    /// A checkpoint, to be resumed.
    Swarm(Box<Checkpoint>),
    /// A file that presets and chains name, such as a kernel.
    Part,
}

impl GivenFile {
    /// Reads a file by its name and bytes. Every file except a checkpoint stays in the page's memory, so that presets
    /// and chains can name it.
    ///
    /// # Errors
    /// If the contents are wrong.
    pub fn read(name: &str, bytes: &[u8], choice: EngineChoice) -> Result<Self, Failure> {
        if name.ends_with(".checkpoint") || Checkpoint::is_checkpoint(bytes) {
            let cure = "name a checkpoint that the program saved";
            let checkpoint = Checkpoint::from_bytes(bytes).map_err(|problem| BadInput::new(name, problem, cure))?;
            return Ok(Self::Swarm(Box::new(checkpoint)));
        }
        memory::put(name, bytes);
        let scene = if name.ends_with(".json") {
            let replay = read_replay(name.as_ref())?;
            Scene::from_replay(host(), Arc::new(replay), choice)
        } else if name.ends_with(".toml") && !is_chain(&String::from_utf8_lossy(bytes)) {
            Scene { preset: name.into(), overrides: Default::default(), chain: None, choice, replay: None }
        } else {
            return Ok(Self::Part);
        };
        scene.load(host(), &mut Default::default())?;
        Ok(Self::Scene(scene))
    }
}
