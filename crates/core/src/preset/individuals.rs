//! The individuals of a preset: their rules, their habitat and their start.
//!
//! Individuals start in the state of the preset's lattice, so that both models start alike: each individual takes one boid's
//! quanta of the density, cell by cell.

use super::{IndividualModel, Preset};
use crate::chain::plan::THE_PRESET;
use crate::error::BadInput;
use crate::food;
use crate::individuals::{Habitat, Individuals, LEAST_EXTENT, MOST_INDIVIDUALS, PLACE_BITS, RuleSet, Space, Vector3};
use crate::lives::LifeRules;
use crate::memory;
use crate::numbers::{BOID, ONE, quotient, unpack};
use crate::random::{Random, generator};
use crate::species::numbers::SpeciesUnits;
use crate::terrain::rays::Rays;
use crate::vector::{length, limit_length};
use std::sync::Arc;

/// The purpose for which random numbers are drawn here (see [`crate::random::generator`]); the starts of cells have the purposes 1 to 3.
const PURPOSE: u64 = 4;

/// A swarm of individuals before its first step.
#[derive(Debug, Clone)]
pub struct IndividualsStart {
    /// The numbers of the individuals.
    pub model: IndividualModel,
    /// The space with its solids and rock.
    pub habitat: Habitat,
    /// The individuals before the first step.
    pub start: Individuals,
    /// The units of every species. They suit the number of individuals at the start, and at least 2^20.
    pub units: Vec<SpeciesUnits>,
}

impl IndividualsStart {
    /// The individuals of a preset that is played by them.
    ///
    /// # Errors
    /// If the preset is of the cell system, the world is too narrow for them, or they are too many.
    pub fn new(preset: &Preset) -> Result<Self, BadInput> {
        let units = Self::units(preset)?;
        let (model, space) = (model(preset)?.clone(), preset.space());
        let habitat = preset.habitat(None);
        let state = preset.start()?;
        let mut start = Individuals { falcons: state.falcons.clone(), ..Individuals::default() };
        for (species, rules) in model.species().enumerate() {
            let own = preset.species.get(species);
            let seed = own.map_or(preset.seed, |own| own.seed);
            let spec = own.map_or(&preset.start_spec, |own| &own.start_spec);
            let (density, control, _) = state.layer(species);
            place(&mut start, [density, control], &space, rules.max, seed, spec.has_random_headings());
            if model.has_lives() {
                start.add_lives(&rules.lives.unwrap_or(LifeRules::still()), species as u8, 0);
            }
        }
        habitat.free(&mut start);
        start.origin = habitat.origin;
        if let Some(lattice) = &preset.food {
            start.food = lattice.begin(food::check::numbers(&preset.keys)?.start);
        }
        Ok(Self { model, habitat, start, units })
    }

    /// The units of the individuals of a preset, without making these.
    ///
    /// # Errors
    /// As [`IndividualsStart::new`].
    pub fn units(preset: &Preset) -> Result<Vec<SpeciesUnits>, BadInput> {
        let (rules, extents) = (model(preset)?.all_rules(), preset.world.extents);
        if extents.width.min(extents.height) < LEAST_EXTENT {
            let problem = format!("{}x{} is too narrow for individuals", extents.width, extents.height);
            let cure = format!("each extent must be at least {LEAST_EXTENT} cells");
            return Err(BadInput::new(THE_PRESET, problem, cure).at_key("world.size"));
        }
        let starts = preset.species.iter().skip(1).map(|species| &species.start_spec);
        let all = std::iter::once(&preset.start_spec).chain(starts);
        let count = all.map(|start| start.quanta() / u64::from(BOID)).fold(0, u64::saturating_add);
        let too_many = |cure: &str| {
            let problem = format!("{count} individuals are too many");
            BadInput::new(THE_PRESET, problem, cure).at_key("start.boids")
        };
        if count > MOST_INDIVIDUALS as u64 {
            return Err(too_many(&format!("at most {MOST_INDIVIDUALS} are possible")));
        }
        memory::check_individuals(count, preset.host().free_memory())
            .map_err(|problem| BadInput::new(THE_PRESET, problem, "take fewer").at_key("start.boids"))?;
        SpeciesUnits::of_all(&rules, count as usize)
            .ok_or_else(|| too_many("take fewer, or sights that reach less far"))
    }
}

impl Preset {
    /// The habitat of the preset: where individuals may be, and the rays with which they look for a way. `before` is taken over if it is
    /// the same.
    pub(crate) fn habitat(&self, before: Option<&Habitat>) -> Habitat {
        let (space, field) = (self.space(), self.world.rock.clone());
        let origin = self.world.window.map(|window| window.origin);
        let rules = self.individuals.as_ref().map(|model| &model.rules);
        let numbers = rules.and_then(|rules| rules.rays);
        let is_of_fish = rules.is_some_and(|rules| rules.set == RuleSet::Aquarium);
        let is_swept = numbers.is_some() || field.is_some() || is_of_fish;
        let is_same = |before: &&Habitat| {
            (before.space, before.is_swept(), before.origin) == (space, is_swept, origin)
                && before.field.as_ref().map(Arc::as_ptr) == field.as_ref().map(Arc::as_ptr)
                && before.rays.as_ref().map(|rays| rays.numbers) == numbers
                && before.solids == *self.world.solids
        };
        if let Some(before) = before.filter(is_same) {
            return before.clone();
        }
        let habitat = Habitat { origin, ..Habitat::new(space, self.world.solids.to_vec()) };
        let rays = numbers.map(|numbers| Arc::new(Rays::new(numbers, space.axes())));
        if is_swept { habitat.with_obstacles(field, rays) } else { habitat }
    }
}

/// What a preset says of individuals.
fn model(preset: &Preset) -> Result<&IndividualModel, BadInput> {
    let (problem, cure) = ("is of the cell system", "read it as that of its individuals");
    preset.individuals.as_ref().ok_or_else(|| BadInput::new(&preset.source().origin, problem, cure).at_key("model"))
}

/// Adds one individual for each boid of a lattice with these densities and control vectors: the first within the first boid's quanta, and so
/// on, x fastest. Their numbers follow those that are there.
fn place(individuals: &mut Individuals, fields: [&[u32]; 2], space: &Space, max: i32, seed: u64, is_random: bool) {
    let mut random = generator(seed, PURPOSE);
    let ([density, control], boid, first) = (fields, u64::from(BOID), individuals.len() as u32);
    let (mut cell, mut before) = (0, 0);
    let total: u64 = density.iter().map(|quanta| u64::from(*quanta)).sum();
    for number in 0..total / boid {
        let quantum = number * boid + random.below(boid);
        while before + u64::from(density[cell]) <= quantum {
            before += u64::from(density[cell]);
            cell += 1;
        }
        let column = [cell % space.extents[0] as usize, cell / space.extents[0] as usize];
        let [x, y] = column.map(|along| ((along as i32) << PLACE_BITS) + random.below(1 << PLACE_BITS) as i32);
        let z = if space.axes() == 3 { random.below(u64::from(space.extents[2]) << PLACE_BITS) as i32 } else { 0 };
        let [u, v] = unpack(control[cell]);
        let velocity = if space.axes() == 3 && is_random { raised([u, v, 0], &mut random) } else { [u, v, 0] };
        individuals.push(first + number as u32, [x, y, z], limit_length(velocity, max));
    }
}

/// A velocity that is turned up or down at random, its length kept: if its headings in the plane are all as likely, then
/// so are all directions of a deep world.
fn raised([u, v, _]: Vector3, random: &mut Random) -> Vector3 {
    let rise = random.around(i64::from(ONE)) as i32;
    let along = (ONE * ONE - rise * rise).isqrt();
    let speed = length([u, v]);
    [quotient(u * along, ONE), quotient(v * along, ONE), quotient(speed * rise, ONE)]
}
