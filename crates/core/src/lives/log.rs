//! A log of the lives that end in the steps of the engine of individuals, kept on request.

use crate::lives::Life;
use crate::lives::lineage::{LifeEnd, NextLife};
use crate::lives::rebirth::Parents;
use crate::lives::turnover::{EndOfLife, LifeNumbers, end_of};
use crate::state::Individuals;
use crate::world::{MAX_SPECIES, Space};

/// The ends of lives. The ends of the present step are separate, because the step may be abandoned.
#[derive(Debug, Default)]
pub struct LifeLog {
    present: Vec<LifeEnd>,
    /// The lives that end in the present step.
    lives: Vec<Life>,
    all: Vec<LifeEnd>,
}

impl LifeLog {
    /// Notes the lives that end in a step, before it. If another life follows, its parent is the life that ends, until
    /// [`Self::end_step`].
    pub fn begin_step(
        &mut self,
        individuals: &Individuals,
        space: &Space,
        numbers: &LifeNumbers<'_>,
        crowded: &[bool; MAX_SPECIES],
    ) {
        self.present.clear();
        self.lives.clear();
        for index in 0..individuals.len() {
            let (Some(words), number) = (individuals.life(index), individuals.numbers[index]) else { continue };
            let Some((cause, fate)) = end_of(individuals, index, space, numbers, crowded) else { continue };
            let life = Life::from_words(words);
            let next = (fate == EndOfLife::Reborn).then_some(NextLife { parent: number, dna: life.dna });
            self.present.push(LifeEnd { step: numbers.step, number, cause, next });
            self.lives.push(life);
        }
    }

    /// Sets the parents and the DNA of the lives that have begun in a step, after it. `parents`: the lives before the
    /// step.
    pub fn end_step(&mut self, parents: &Parents, numbers: &LifeNumbers<'_>) {
        for (end, life) in self.present.iter_mut().zip(&self.lives) {
            let rules = numbers.species[usize::from(life.species)].rules;
            end.next = end.next.map(|_| parents.child(rules, end.number, end.step, life));
        }
        self.present.sort_unstable();
        self.all.append(&mut self.present);
    }

    /// Takes all ends since the last call, sorted by step and number.
    pub fn take(&mut self) -> Vec<LifeEnd> {
        std::mem::take(&mut self.all)
    }
}
