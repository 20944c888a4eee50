//! Who comes and goes in a step of individuals: those whom hunters catch, those that have perished, and those that are born again.

use crate::individuals::lives::lineage::Cause;
use crate::individuals::lives::numbers::{ALL, NOBODY};
use crate::individuals::lives::rebirth::{self, Parents};
use crate::individuals::lives::{FULL, Life, WORDS, perishing};
use crate::individuals::movement::is_caught;
use crate::individuals::{AgentParameters, Agents, Space, Terrain};
use crate::state::Turnover;

/// How a life ends in a step, and whether its individual is born again; `None`: it goes on.
pub fn end_of(agents: &Agents, index: usize, space: &Space, parameters: &AgentParameters) -> Option<(Cause, bool)> {
    let rebirth = parameters.lives.rebirth;
    if is_caught(agents.position(index), space, parameters) {
        return Some((Cause::Caught, rebirth == ALL));
    }
    let has_perished = agents.has_lives() && perishing(agents.lives[3][index]) == 1;
    has_perished.then_some((Cause::Starved, rebirth != NOBODY))
}

/// Counts the lives that end in a step, before it. Agents that are not born again are taken away; of the others those that are caught are
/// made to perish in this step, and `marked` has their needs and moods of before.
pub fn end_lives(
    agents: &mut Agents,
    space: &Space,
    parameters: &AgentParameters,
    taken: &mut Agents,
    marked: &mut Vec<(usize, [i32; 2])>,
) -> Turnover {
    let mut turnover = Turnover::default();
    if !agents.has_lives() {
        agents.take(|agents, index| is_caught(agents.position(index), space, parameters), taken);
        return Turnover { caught: taken.len() as u64, ..turnover };
    }
    for index in 0..agents.len() {
        let Some((cause, is_reborn)) = end_of(agents, index, space, parameters) else { continue };
        turnover.born += u64::from(is_reborn);
        match cause {
            Cause::Caught => turnover.caught += 1,
            Cause::Starved => turnover.starved += 1,
        }
        if cause == Cause::Caught && is_reborn {
            marked.push((index, [agents.lives[2][index], agents.lives[3][index]]));
            agents.lives[2][index] &= FULL;
            agents.lives[3][index] = (agents.lives[3][index] & FULL) | 1 << 16;
        }
    }
    if turnover.caught + turnover.starved > turnover.born {
        let is_gone =
            |agents: &Agents, index: usize| matches!(end_of(agents, index, space, parameters), Some((_, false)));
        agents.take(is_gone, taken);
    }
    turnover
}

/// Gives those of a block that have perished in this step a new life at a place of chance; `parents`: the lives before it.
pub fn bear(
    parameters: &AgentParameters,
    terrain: &Terrain,
    parents: &Parents,
    numbers: &[u32],
    places: [&mut [i32]; 3],
    velocities: [&mut [i32]; 3],
    lives: [&mut [i32]; WORDS],
) {
    let AgentParameters { lives: rules, step, max, .. } = parameters;
    for index in 0..lives[0].len() {
        let mut words = [0; WORDS];
        for word in 0..WORDS {
            words[word] = lives[word][index];
        }
        // Only one that perishes has no health.
        if words[2] as u32 >> 16 != 0 || perishing(words[3]) > 0 {
            continue;
        }
        let present = [places[0][index], places[1][index], places[2][index]];
        let number = numbers[index];
        let (place, velocity) = rebirth::place(rules, terrain, number, *step, *max, present);
        let dna = parents.child(rules, number, *step, Life::from_words(words).dna).dna;
        let life = rebirth::newborn(rules, number, *step, dna).words();
        for axis in 0..3 {
            (places[axis][index], velocities[axis][index]) = (place[axis], velocity[axis]);
        }
        for word in 0..WORDS {
            lives[word][index] = life[word];
        }
    }
}
