//! What changes while the swarm goes on: a number, the files of the preset and of the chain, the engine.
//!
//! Each of them gives the same swarm a new engine (or where only numbers of individuals' rules change, tells them the present
//! one), and where that cannot be had, everything stays as it was.

use super::engine_host::EngineHost;
use super::{EngineChoice, Input, Simulation, check_models};
use crate::chain::Chain;
use crate::error::{BadInput, Failure};
use crate::preset::{Preset, Written};
use crate::texts::Texts;

impl Simulation {
    /// Sets a key of the preset, as `--set` does.
    pub(super) fn set(&mut self, key: &str, value: &str) -> Result<(), Failure> {
        self.take_over(self.with(key, value)?, None)
    }

    /// The preset with a key set that may change while the swarm goes on.
    fn with(&self, key: &str, value: &str) -> Result<Preset, BadInput> {
        let setting = format!("{key}={value}");
        let preset = self.preset.with(&setting)?;
        if is_of_the_start(key) || preset.world.extents != self.preset.world.extents {
            let problem = "matters only at the start";
            let wrong = BadInput::new(format!("--set {setting}"), problem, "restart the preset with it");
            return Err(wrong.at_key(key.trim()));
        }
        Ok(preset)
    }

    /// Whether this swarm of individuals would take an input, as far as it can be told without a device; nothing is
    /// changed.
    ///
    /// # Errors
    /// What [`Simulation::apply`] would complain about.
    pub fn check_input(&self, input: &Input) -> Result<(), Failure> {
        let (preset, chain) = match input {
            Input::Set { key, value } => (self.with(key, value)?, self.chain.clone()),
            Input::Reload { preset, chain, files } => self.read_anew(preset, chain, files)?,
            Input::Spawn { boids, .. } => return Ok(self.check_numbers(*boids as usize)?),
            _ => return Ok(()),
        };
        self.check_successor(&preset)?;
        check_models(&chain, &preset)?;
        self.individuals_units(&preset)?;
        Ok(())
    }

    /// The preset and the chain of an [`Input::Reload`].
    pub fn read_anew(&self, preset: &Written, chain: &str, files: &Texts) -> Result<(Preset, Chain), BadInput> {
        let chain = Chain::load_from(self.preset.host().as_ref(), chain, &mut files.clone())?;
        let files = preset.files.over(&self.preset.written().files);
        Ok((Preset::from_written(self.preset.host(), &Written { files, ..preset.clone() })?, chain))
    }

    /// Whether a preset differs from the present one only in what matters while a swarm goes on: not in how it begins.
    pub fn begins_like(&self, preset: &Preset) -> bool {
        let is_free = |solids: &[bool]| solids.iter().all(|solid| !solid);
        let (own, other) = (&self.own_solids, &preset.world.solids);
        self.preset.seed == preset.seed
            && self.preset.world.extents == preset.world.extents
            && (own == other || is_free(own) && is_free(other))
            && self.preset.start == preset.start
            && depth_of(&self.preset) == depth_of(preset)
    }

    /// The same swarm goes on under a preset and a chain that were read anew; it is logged with their texts.
    ///
    /// # Errors
    /// As [`Simulation::new`], and where the preset [begins](Simulation::begins_like) otherwise.
    pub fn reload(&mut self, preset: Preset, chain: Chain) -> Result<(), Failure> {
        let written = preset.written();
        let input = Input::Reload {
            preset: Written { files: written.files.beyond(&self.preset.written().files), ..written.clone() },
            chain: chain.named.clone(),
            files: chain.files.clone(),
        };
        if !self.begins_like(&preset) {
            let wrong = BadInput::new(&preset.written().origin, "begins otherwise than the swarm", "restart it");
            return Err(wrong.into());
        }
        self.take_over(preset, Some(chain))?;
        self.log(input);
        Ok(())
    }

    /// Goes on under another preset on the same lattice, and under another chain. Solids that were painted stay.
    pub(super) fn take_over(&mut self, mut preset: Preset, chain: Option<Chain>) -> Result<(), Failure> {
        self.check_successor(&preset)?;
        let painted = self.preset.world.solids.clone();
        let own_solids = std::mem::replace(&mut preset.world.solids, painted);
        let before = std::mem::replace(&mut self.preset, preset);
        let chain = chain.map(|chain| std::mem::replace(&mut self.chain, chain));
        if let Err(failure) = self.rebuild() {
            self.preset = before;
            if let Some(chain) = chain {
                self.chain = chain;
            }
            return Err(failure);
        }
        self.own_solids = own_solids;
        Ok(())
    }

    /// Whether the swarm could go on under another preset.
    fn check_successor(&self, preset: &Preset) -> Result<(), BadInput> {
        if preset.world.extents != self.preset.world.extents {
            return Err(BadInput::new(&preset.written().origin, "has another size than the swarm", "restart it"));
        }
        if depth_of(preset) != depth_of(&self.preset) {
            return Err(BadInput::new(&preset.written().origin, "has another model or depth", "restart it"));
        }
        Ok(())
    }

    /// The same swarm goes on on another engine. Nothing of it is logged: the bits are the same on every one.
    ///
    /// # Errors
    /// Where the engine is not to be had, or cannot play the chain.
    pub fn switch(&mut self, choice: EngineChoice) -> Result<(), Failure> {
        let (swarm, ledger) = (self.swarm()?, self.ledger()?);
        let mut engine = EngineHost::new(self.preset.host().clone(), choice, self.config()?, &swarm)?;
        engine.say_for(&mut self.engine);
        self.engine = engine;
        // The new engine counts what it catches from nothing, and the one beside it is of its kind.
        (self.ledger, self.probing) = (ledger, None);
        Ok(())
    }
}

/// Cells along z where there are individuals.
fn depth_of(preset: &Preset) -> Option<u32> {
    preset.agents.as_ref().map(|model| model.depth)
}

/// Whether a key of the preset says how the swarm begins, and not how it goes on.
fn is_of_the_start(key: &str) -> bool {
    let Ok(names) = toml_edit::Key::parse(key) else { return false };
    let names: Vec<&str> = names.iter().map(|name| name.get()).collect();
    match names.as_slice() {
        ["seed" | "model" | "chain" | "start", ..] | ["world"] => true,
        ["world", inside, ..] => matches!(*inside, "size" | "solid"),
        ["agents"] | ["agents", "depth"] => true,
        _ => false,
    }
}
