//! The lives that end in the steps of the engine of individuals, noted where somebody asks for them.

use crate::individuals::lives::lineage::{Cause, LifeEnd, NextLife};
use crate::individuals::lives::numbers::{ALL, NOBODY};
use crate::individuals::lives::rebirth::Parents;
use crate::individuals::lives::{Life, LifeRules};
use crate::individuals::movement::is_caught;
use crate::individuals::{AgentParameters, Agents, Space};

/// The lives that have ended, and the present step's apart: it may be left undone.
#[derive(Debug, Default)]
pub struct EndedLives {
    present: Vec<LifeEnd>,
    all: Vec<LifeEnd>,
}

impl EndedLives {
    /// Notes the lives that end in a step, before it; one that is born again is its own parent so far.
    pub fn begin_step(&mut self, agents: &Agents, space: &Space, parameters: &AgentParameters) {
        let (step, rebirth) = (parameters.step, parameters.lives.rebirth);
        self.present.clear();
        self.present.extend((0..agents.len()).filter_map(|index| {
            let (life, number) = (Life::from_words(agents.life(index)?), agents.numbers[index]);
            let (cause, is_reborn) = match is_caught(agents.position(index), space, parameters) {
                true => (Cause::Caught, rebirth == ALL),
                false if life.perishing == 1 => (Cause::Starved, rebirth != NOBODY),
                false => return None,
            };
            let next = is_reborn.then_some(NextLife { parent: number, dna: life.dna });
            Some(LifeEnd { step, number, cause, next })
        }));
    }

    /// Notes the lives that have begun in a step, after it. `parents`: the lives before it.
    pub fn end_step(&mut self, parents: &Parents, rules: &LifeRules) {
        for end in &mut self.present {
            end.next = end.next.map(|own| parents.child(rules, end.number, end.step, own.dna));
        }
        self.present.sort_unstable();
        self.all.append(&mut self.present);
    }

    /// Takes all that have ended since the last call, by step and number.
    pub fn take(&mut self) -> Vec<LifeEnd> {
        std::mem::take(&mut self.all)
    }
}
