//! Changes during a run: of a key of the preset, of the files of the preset and the chain, and of the engine.
//!
//! A changed number affects the parameters of the next steps. If the plan changes, the engine keeps the swarm and takes
//! the new plan. If a change fails, the simulation stays unchanged.

use super::engine_host::EngineHost;
use super::{EngineChoice, Input, Simulation, check_models};
use crate::chain::Chain;
use crate::error::{BadInput, Failure};
use crate::falcons::Falcon;
use crate::host::contents::Texts;
use crate::preset::keys::{self, Cost};
use crate::preset::{Preset, PresetSource};
use std::path::Path;

impl Simulation {
    /// Sets a key of the preset, as `--set` does.
    pub(super) fn set(&mut self, key: &str, value: &str) -> Result<(), Failure> {
        self.take_over(self.with(key, value)?, None)
    }

    /// The preset with a changed key. Refuses keys that matter only at the start.
    fn with(&self, key: &str, value: &str) -> Result<Preset, BadInput> {
        let setting = format!("{key}={value}");
        let preset = self.preset.with(&setting)?;
        if keys::cost(key) == Cost::Restart || preset.world.extents != self.preset.world.extents {
            let problem = "matters only at the start";
            let wrong = BadInput::of_argument("set", &setting, problem, "restart the preset with it");
            return Err(wrong.at_key(key.trim()));
        }
        Ok(preset)
    }

    /// Checks an input of a swarm of individuals, as far as possible without a device.
    ///
    /// # Errors
    /// As [`Simulation::apply`].
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
    ///
    /// # Errors
    /// As [`Chain::load`] and [`Preset::load`].
    pub fn read_anew(&self, preset: &PresetSource, chain: &Path, files: &Texts) -> Result<(Preset, Chain), BadInput> {
        let chain = Chain::load_from(self.preset.host().as_ref(), chain, &mut files.clone())?;
        let files = preset.files.over(&self.preset.source().files);
        Ok((Preset::from_source(self.preset.host(), &PresetSource { files, ..preset.clone() })?, chain))
    }

    /// Continues the swarm with a preset and a chain that were read again. The log stores their texts.
    ///
    /// # Errors
    /// The errors of [`Simulation::new`], or the preset [begins](Preset::begins_like) with another swarm.
    pub fn reload(&mut self, preset: Preset, chain: Chain) -> Result<(), Failure> {
        let written = preset.source();
        let input = Input::Reload {
            preset: PresetSource { files: written.files.beyond(&self.preset.source().files), ..written.clone() },
            chain: chain.named.clone(),
            files: chain.files.clone(),
        };
        if !self.preset.begins_like(&preset) {
            let wrong = BadInput::new(&preset.source().origin, "begins otherwise than the swarm", "restart it");
            return Err(wrong.into());
        }
        self.take_over(preset, Some(chain))?;
        self.log(input);
        Ok(())
    }

    /// Continues the swarm with another preset on an equal lattice, and with another chain if given. Painted solids
    /// stay.
    pub(super) fn take_over(&mut self, mut preset: Preset, chain: Option<Chain>) -> Result<(), Failure> {
        self.check_successor(&preset)?;
        preset.world.solids = self.preset.world.solids.clone();
        preset.world.obstacles = self.preset.world.obstacles.clone();
        if self.preset.world.window.is_some() {
            preset.world.window = self.preset.world.window;
            preset.world.rock = self.preset.world.rock.clone();
        }
        let before = std::mem::replace(&mut self.preset, preset);
        let chain = chain.map(|chain| std::mem::replace(&mut self.chain, chain));
        if let Err(failure) = self.rebuild().and_then(|()| self.admit_falcons()) {
            self.preset = before;
            if let Some(chain) = chain {
                self.chain = chain;
            }
            return Err(failure);
        }
        Ok(())
    }

    /// Adjusts the number of falcons to the preset. Present falcons continue, and additional falcons start.
    pub(super) fn admit_falcons(&mut self) -> Result<(), Failure> {
        let count = self.preset.world.flights().count();
        if self.engine.falcon_count == count {
            return Ok(());
        }
        let mut swarm = self.swarm()?;
        let beginning = Falcon::from_world(&self.preset.world, self.preset.space().ends());
        let mut falcons = Falcon::all_of(swarm.columns()).to_vec();
        falcons.truncate(count);
        falcons.extend_from_slice(&beginning[falcons.len()..]);
        Falcon::set_all(&falcons, swarm.columns_mut());
        self.free(&mut swarm);
        self.engine.set_swarm(&swarm)
    }

    /// Checks that the swarm can continue with another preset.
    fn check_successor(&self, preset: &Preset) -> Result<(), BadInput> {
        self.targets.check_room(preset.world.hunters.len())?;
        if preset.world.extents != self.preset.world.extents {
            return Err(BadInput::new(&preset.source().origin, "has another size than the swarm", "restart it"));
        }
        if preset.depth() != self.preset.depth() {
            return Err(BadInput::new(&preset.source().origin, "has another model or depth", "restart it"));
        }
        let seeds = [&self.preset, preset].map(|preset| preset.species.iter().map(|own| own.seed).collect::<Vec<_>>());
        if seeds[0].len().max(1) != seeds[1].len().max(1) || seeds[0].len() > 1 && seeds[0] != seeds[1] {
            return Err(BadInput::new(&preset.source().origin, "has other species than the swarm", "restart it"));
        }
        let have_lives = [&self.preset, preset].map(|preset| {
            let species = preset.individuals.iter().flat_map(|model| &model.rules);
            species.map(|rules| rules.lives.is_some()).collect::<Vec<_>>()
        });
        if have_lives[0] != have_lives[1] {
            let problem = "has individuals with lives where the swarm has none, or the other way round";
            return Err(BadInput::new(&preset.source().origin, problem, "restart it"));
        }
        let [own, other] = [&self.preset, preset].map(|preset| preset.features.sizes());
        if let Some((name, _)) = own.iter().chain(&other).find(|size| !own.contains(size) || !other.contains(size)) {
            let problem = format!("has {name} where the swarm's world has none, or in other cells");
            return Err(BadInput::new(&preset.source().origin, problem, "restart it"));
        }
        let are_endless = [&self.preset, preset].map(|preset| preset.world.window.is_some());
        if are_endless.contains(&true) && !self.preset.has_terrain_of(preset) {
            let problem = "has another end, origin or rock than the swarm's world";
            return Err(BadInput::new(&preset.source().origin, problem, "restart it"));
        }
        Ok(())
    }

    /// Continues the swarm on another engine. The log does not store this, because every engine gives equal bits.
    ///
    /// # Errors
    /// If the engine is not available, or cannot run the chain.
    pub fn switch(&mut self, choice: EngineChoice) -> Result<(), Failure> {
        let (swarm, points, ledger) = (self.swarm()?, self.engine.points_now()?, self.ledger_now()?);
        let mut engine = EngineHost::new(self.preset.host().clone(), choice, self.config()?, &swarm)?;
        engine.remarks = std::mem::take(&mut self.engine.remarks);
        engine.set_step(self.engine.step);
        engine.set_points(points)?;
        engine.continue_lineage(&mut self.engine)?;
        engine.readbacks = self.engine.readbacks;
        self.engine = engine;
        // The new engine counts its turnover from 0, so the ledger gets the turnover of the old engine. The probing
        // engine is dropped, because it is of the old engine's kind.
        (self.ledger, self.probing) = (ledger, None);
        Ok(())
    }
}
