//! Swarms of individuals for the tests of both engines: their rules, their worlds and how they begin.

use crate::scenes::Dice;
use murmuration::agents::cpu::{CpuIndividuals, Options};
use murmuration::agents::movement::Terrain;
use murmuration::agents::rules::{AgentRules, RuleSet, Weights};
use murmuration::agents::search::SearchKind;
use murmuration::agents::{Agents, Space};
use murmuration::kernels::parameters::Parameters;
use murmuration::lanes::InstructionSet;
use murmuration::numbers::RULE_ONE;
use murmuration::world::Edges;

/// One in a weight.
pub const WEIGHT: i32 = 1 << 20;
pub const SETS: [RuleSet; 4] = [RuleSet::School, RuleSet::Flock, RuleSet::HalfFlock, RuleSet::Reynolds];

pub fn cells(count: f64) -> u32 {
    (count * 65536.0) as u32
}

pub fn rules(set: RuleSet) -> AgentRules {
    AgentRules {
        set,
        cohesion: cells(6.0),
        separation: cells(2.5),
        alignment: cells(4.3),
        clarity: cells(5.0),
        weights: Weights {
            cohesion: WEIGHT / 2,
            separation: WEIGHT / 3,
            alignment: WEIGHT / 4,
            clarity: WEIGHT / 5,
            hunter: 2 * WEIGHT,
            walls: WEIGHT / 4,
        },
        force: 1200,
        keep: RULE_ONE,
        cruise: 9000,
        max: 15000,
        crowd: 700,
    }
}

pub fn space(axes: usize, edges: Edges) -> Space {
    Space { extents: if axes == 2 { [61, 47, 1] } else { [31, 27, 23] }, edges }
}

/// A hunter that goes through the world with its jaws open.
pub fn parameters(step: u32, jaws: i32) -> Parameters {
    Parameters {
        hunter_x: 300 + 7 * step as i32 % 200,
        hunter_y: 200,
        hunter_reach: 9,
        hunter_towards: 1,
        hunter_jaws: jaws,
        margin: 5,
        ..bytemuck::Zeroable::zeroed()
    }
}

#[derive(Debug, Clone, Copy)]
pub enum Start {
    Uniform,
    Clumped,
    OneCell,
    OnePlace,
    Borders,
    Edges,
}

pub fn agents(space: &Space, start: Start, count: usize, dice: &mut Dice) -> Agents {
    let mut agents = Agents::default();
    for number in 0..count {
        let place = [0, 1, 2].map(|axis| {
            let extent = space.extents[axis];
            if extent == 1 {
                return 0;
            }
            let end = u64::from(extent) << 16;
            let place = match start {
                Start::Uniform => dice.below(end),
                Start::Clumped => (end / 3 + dice.below(end / 8) + dice.below(end / 8)) % end,
                Start::OneCell => (5 << 16) + dice.below(1 << 16),
                Start::OnePlace => 7 << 16,
                // On the border of a cell, and a hair below it.
                Start::Borders => (dice.below(u64::from(extent)) << 16) + [0, 0xffff][dice.below(2) as usize],
                Start::Edges => [dice.below(3 << 16), end - 1 - dice.below(3 << 16)][dice.below(2) as usize],
            };
            place as i32
        });
        let velocity =
            [0, 1, 2].map(|axis| if space.extents[axis] == 1 { 0 } else { dice.below(16_001) as i32 - 8000 });
        agents.push(number as u32, place, velocity);
    }
    agents
}

pub fn solids(space: &Space) -> Vec<bool> {
    let [width, height, _] = space.extents;
    (0..height).flat_map(|y| (0..width).map(move |x| (20..24).contains(&x) && (10..15).contains(&y))).collect()
}

pub fn individuals(rules: &AgentRules, ground: &Terrain, agents: &Agents, options: Options) -> CpuIndividuals {
    let units = rules.units(agents.len()).unwrap();
    CpuIndividuals::new(rules.clone(), units, ground.clone(), agents.clone(), options).unwrap()
}

pub fn options(search: SearchKind, threads: usize, set: Option<InstructionSet>) -> Options {
    Options { search, threads: Some(threads), instruction_set: set }
}
