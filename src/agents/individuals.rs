//! A preset as individuals: their rules, the ground they live on, and where each of them begins.
//!
//! They begin as the lattice of the preset does, so that both models start alike, whatever the shape: each takes one boid's
//! quanta of the density, cell after cell.

use super::movement::Ground;
use super::rules::{AgentRules, RuleSet, Units, WEIGHT_LIMIT, Weights};
use super::vector::{Vector3, limit_length};
use super::{Agents, MOST_AGENTS, PLACE_BITS, Space};
use crate::chain::plan::THE_PRESET;
use crate::error::BadInput;
use crate::numbers::{BOID, ONE, RULE_ONE, quotient};
use crate::preset::Preset;
use crate::random::{Random, generator};
use crate::state::State;
use std::f64::consts::PI;

/// The least cells along x and y: a step leads no farther than two cells.
pub const LEAST_EXTENT: u32 = 4;
/// What a seed is drawn from here for; the starts of cells have 1 to 3.
const PURPOSE: u64 = 4;
/// The rules that individuals know.
const KNOWN: [&str; 5] = ["cohesion", "separation", "alignment", "hunter", "walls"];

/// A swarm of individuals before its first step.
#[derive(Debug, Clone)]
pub struct Individuals {
    pub rules: AgentRules,
    pub ground: Ground,
    pub start: Agents,
    /// The units for as many as there are at the start, and for at least 2^20.
    pub units: Units,
}

impl Individuals {
    /// The individuals of a preset. A preset of the cell system becomes its nearest likeness among them
    /// ([`RuleSet::Reynolds`]): a sight of n cells becomes a disc with the area of n cells, and all numbers stay.
    ///
    /// # Errors
    /// Where the world is too narrow for them, they are too many, or a weight is more than they know.
    pub fn of(preset: &Preset) -> Result<Self, BadInput> {
        let rules = rules(preset)?;
        let (space, units) = room(preset, &rules)?;
        let start = start(&preset.start, &space, rules.max, preset.seed, preset.beginning.headings == "random");
        Ok(Self { rules, ground: Ground { space, solids: preset.world.solids.clone() }, start, units })
    }

    /// Whether a preset has individuals, without making them.
    ///
    /// # Errors
    /// As [`Individuals::of`].
    pub fn check(preset: &Preset) -> Result<(), BadInput> {
        room(preset, &rules(preset)?).map(drop)
    }
}

/// The rules of a preset's individuals.
fn rules(preset: &Preset) -> Result<AgentRules, BadInput> {
    match &preset.agents {
        Some(model) => Ok(model.rules.clone()),
        None => cell_rules(preset),
    }
}

/// The space of a preset's individuals, and the units for as many as it has.
fn room(preset: &Preset, rules: &AgentRules) -> Result<(Space, Units), BadInput> {
    let extents = preset.world.extents;
    if extents.width.min(extents.height) < LEAST_EXTENT {
        let problem = format!("{}x{} is too narrow for individuals", extents.width, extents.height);
        let cure = format!("each extent must be at least {LEAST_EXTENT} cells");
        return Err(BadInput::new(THE_PRESET, problem, cure).at_key("world.size"));
    }
    let depth = preset.agents.as_ref().map_or(1, |model| model.depth);
    let space = Space { extents: [extents.width, extents.height, depth], edges: preset.world.edges };
    let count = preset.start.total() / u64::from(BOID);
    let too_many = |cure: &str| {
        let problem = format!("{count} individuals are too many");
        BadInput::new(THE_PRESET, problem, cure).at_key("start.boids")
    };
    if count > MOST_AGENTS as u64 {
        return Err(too_many(&format!("at most {MOST_AGENTS} are possible")));
    }
    let units = rules.units(count as usize);
    Ok((space, units.ok_or_else(|| too_many("take fewer, or sights that reach less far"))?))
}

/// The rules of the cell system, with the numbers of a preset, for individuals.
fn cell_rules(preset: &Preset) -> Result<AgentRules, BadInput> {
    let rules = &preset.rules;
    let chain = preset.load_chain(None)?;
    for (name, weight) in &rules.weights {
        let wrong = |problem: String, cure: &str| {
            Err(BadInput::new(THE_PRESET, problem, cure).at_key(format!("weights.{name}")))
        };
        if !KNOWN.contains(&name.as_str()) && *weight != 0 {
            return wrong(format!("individuals know no rule {name:?}"), "take its weight away");
        }
        if weight.abs() > WEIGHT_LIMIT >> 10 {
            return wrong("individuals weigh a rule with 8 at most".into(), "it must be from -8 to 8");
        }
    }
    let weight = |name: &str| rules.weights.get(name).or(chain.weights.get(name)).map_or(0, |weight| weight << 10);
    let radius = |name: &str| rules.sights.get(name).map_or(0, |sight| radius_of(sight.vectors().len()));
    // Perceived density is quanta >> shift.
    let crowd = (u64::from(rules.crowd.unsigned_abs()) << rules.shift) * RULE_ONE as u64 / u64::from(BOID);
    Ok(AgentRules {
        set: RuleSet::Reynolds,
        cohesion: radius("cohesion"),
        separation: radius("separation"),
        alignment: radius("alignment"),
        clarity: 0,
        weights: Weights {
            cohesion: weight("cohesion"),
            separation: weight("separation"),
            alignment: weight("alignment"),
            clarity: 0,
            hunter: weight("hunter"),
            walls: weight("walls"),
        },
        force: 0,
        keep: rules.keep,
        cruise: rules.cruise,
        max: rules.max,
        crowd: crowd.clamp(1, 1 << 26) as i32,
    })
}

/// The radius (Q16 of a cell) of a disc with the area of so many cells.
fn radius_of(cells: usize) -> u32 {
    ((cells as f64 / PI).sqrt() * f64::from(1 << PLACE_BITS)).round() as u32
}

/// One agent for each boid of a lattice: the first within the first boid's quanta, and so on, x fastest.
fn start(state: &State, space: &Space, max: i32, seed: u64, is_random: bool) -> Agents {
    let mut random = generator(seed, PURPOSE);
    let mut agents = Agents::default();
    let boid = u64::from(BOID);
    let (mut cell, mut before) = (0, 0);
    for number in 0..state.total() / boid {
        let quantum = number * boid + random.below(boid);
        while before + u64::from(state.density[cell]) <= quantum {
            before += u64::from(state.density[cell]);
            cell += 1;
        }
        let column = [cell % space.extents[0] as usize, cell / space.extents[0] as usize];
        let [x, y] = column.map(|along| ((along as i32) << PLACE_BITS) + random.below(1 << PLACE_BITS) as i32);
        let z = if space.axes() == 3 { random.below(u64::from(space.extents[2]) << PLACE_BITS) as i32 } else { 0 };
        let [u, v] = state.control_of(cell);
        let velocity = if space.axes() == 3 && is_random { raised([u, v, 0], &mut random) } else { [u, v, 0] };
        agents.push(number as u32, [x, y, z], limit_length(velocity, max));
    }
    agents
}

/// A velocity that is turned up or down at random, its length kept: if its headings in the plane are all as likely, then
/// so are all directions in space.
fn raised([u, v, _]: Vector3, random: &mut Random) -> Vector3 {
    let rise = random.around(i64::from(ONE)) as i32;
    let along = (ONE * ONE - rise * rise).isqrt();
    let speed = crate::numbers::length([u, v]);
    [quotient(u * along, ONE), quotient(v * along, ONE), quotient(speed * rise, ONE)]
}
