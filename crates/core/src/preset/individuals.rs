//! The individuals of a preset: their rules, their free space and their start.
//!
//! Individuals start from the lattice of the preset, so that a start is similar in both models. Each individual
//! replaces one boid's quanta, cell by cell. Only starts in balls and from arrays give places of their own.

use super::start::individuals::Surroundings;
use super::{IndividualModel, Preset};
use crate::chain::plan::THE_PRESET;
use crate::error::BadInput;
use crate::falcons;
use crate::individuals::species::SpeciesUnits;
use crate::individuals::{MIN_EXTENT, RuleSet};
use crate::lives::LifeRules;
use crate::numbers::BOID;
use crate::state::{Individuals, MAX_INDIVIDUALS, WorldColumns};
use crate::terrain::Habitat;
use crate::terrain::rays::Rays;
use crate::world::{Slab, memory};
use std::sync::Arc;

/// A swarm of individuals before its first step.
#[derive(Debug, Clone)]
pub struct IndividualsStart {
    /// The rules of the individuals.
    pub model: IndividualModel,
    /// The space in which individuals can fly, with solids and rock.
    pub habitat: Habitat,
    /// The individuals before the first step.
    pub start: Individuals,
    /// The values of the world's features, such as food, before the first step.
    pub columns: WorldColumns,
    /// The units in which each species sums over neighbours. They suit the number of individuals at the start, or 2^20
    /// if this number is smaller.
    pub units: Vec<SpeciesUnits>,
}

impl IndividualsStart {
    /// Makes the individuals of a preset.
    ///
    /// # Errors
    /// If the preset is of cells, the world is too narrow, or there are too many individuals.
    pub fn new(preset: &Preset) -> Result<Self, BadInput> {
        let units = Self::units(preset)?;
        let model = model(preset)?.clone();
        let habitat = preset.habitat(None);
        preset.check_memory(&Slab::whole(preset.world.extents))?;
        let mut start = Individuals::default();
        let mut columns = preset.columns()?;
        for (species, rules) in model.rules.iter().enumerate() {
            let own = preset.species.get(species);
            let seed = own.map_or(preset.seed, |own| own.seed);
            let spec = own.map_or(&preset.start_spec, |own| &own.start_spec);
            let around = Surroundings { world: &preset.world, habitat: &habitat, max: rules.max, seed };
            spec.add_individuals(&preset.keys, &around, &mut start)?;
            if model.has_lives() {
                start.add_lives(&rules.lives.unwrap_or(LifeRules::still()), species as u8, 0);
            }
        }
        falcons::free_from_rock(&mut start, &mut columns, &habitat);
        Ok(Self { model, habitat, start, columns, units })
    }

    /// The units in which each species sums over neighbours. This function makes no individuals.
    ///
    /// # Errors
    /// The errors of [`IndividualsStart::new`].
    pub fn units(preset: &Preset) -> Result<Vec<SpeciesUnits>, BadInput> {
        let rules = &model(preset)?.rules;
        let extents = preset.world.extents;
        if extents.width.min(extents.height) < MIN_EXTENT {
            let problem = format!("{}x{} is too narrow for individuals", extents.width, extents.height);
            let cure = format!("each extent must be at least {MIN_EXTENT} cells");
            return Err(BadInput::new(THE_PRESET, problem, cure).at_key("world.size"));
        }
        let starts = preset.species.iter().skip(1).map(|species| &species.start_spec);
        let all = std::iter::once(&preset.start_spec).chain(starts);
        let count = all.map(|start| start.quanta() / u64::from(BOID)).fold(0, u64::saturating_add);
        let too_many = |cure: &str| {
            let problem = format!("{count} individuals are too many");
            BadInput::new(THE_PRESET, problem, cure).at_key("start.boids")
        };
        if count > MAX_INDIVIDUALS as u64 {
            return Err(too_many(&format!("at most {MAX_INDIVIDUALS} are possible")));
        }
        memory::check_individuals(count, preset.host().free_memory())
            .map_err(|problem| BadInput::new(THE_PRESET, problem, "take fewer").at_key("start.boids"))?;
        SpeciesUnits::of_all(rules, count as usize).ok_or_else(|| too_many("take fewer, or sights that reach less far"))
    }
}

impl Preset {
    /// The space in which individuals can fly, and the rays by which they avoid obstacles. If nothing differs from
    /// `before`, `before` is copied.
    pub(crate) fn habitat(&self, before: Option<&Habitat>) -> Habitat {
        let space = self.space();
        let field = self.world.rock.clone();
        let origin = self.world.window.map(|window| window.origin);
        let rules = self.individuals.as_ref().map(IndividualModel::first);
        let numbers = rules.and_then(|rules| rules.rays);
        let is_of_fish = rules.is_some_and(|rules| rules.set == RuleSet::Aquarium);
        let obstacles = self.world.obstacles.clone();
        let is_swept = numbers.is_some() || field.is_some() || is_of_fish || !obstacles.is_empty();
        let is_same = |before: &&Habitat| {
            (before.space, before.is_swept(), before.origin) == (space, is_swept, origin)
                && before.field.as_ref().map(Arc::as_ptr) == field.as_ref().map(Arc::as_ptr)
                && before.rays.as_ref().map(|rays| rays.numbers) == numbers
                && before.solids == *self.world.solids
                && before.obstacles == obstacles
        };
        if let Some(before) = before.filter(is_same) {
            return before.clone();
        }
        let habitat = Habitat { origin, obstacles, ..Habitat::new(space, self.world.solids.to_vec()) };
        let rays = numbers.map(|numbers| Arc::new(Rays::new(numbers, space.axes())));
        if is_swept { habitat.with_obstacles(field, rays) } else { habitat }
    }
}

fn model(preset: &Preset) -> Result<&IndividualModel, BadInput> {
    let (problem, cure) = ("is of the cell system", "read it as that of its individuals");
    preset.individuals.as_ref().ok_or_else(|| BadInput::new(&preset.source().origin, problem, cure).at_key("model"))
}
