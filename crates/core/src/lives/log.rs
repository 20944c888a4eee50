//! A log of the lives that end in each step of a swarm of individuals. The engine keeps it only on request.

use crate::lives::Life;
use crate::lives::lineage::{LifeEnd, NextLife};
use crate::lives::rebirth::Parents;
use crate::lives::turnover::{EndOfLife, LifeNumbers, end_of};
use crate::state::Individuals;
use crate::world::{MAX_SPECIES, Space};

/// The ends of lives. The ends of the present step are kept apart, because the step may be undone before it is
/// complete.
#[derive(Debug, Default)]
pub struct LifeLog {
    present: Vec<LifeEnd>,
    /// The lives of the individuals in `present`, as before the step.
    lives: Vec<Life>,
    all: Vec<LifeEnd>,
}

impl LifeLog {
    /// Notes, before a step, the lives that end in the step. If another life of the number follows, its parent and DNA
    /// are preliminary until [`Self::end_step`].
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

    /// Sets, after a step, the parents and the DNA of the lives that have begun in the step. `parents`: the lives
    /// before the step.
    pub fn end_step(&mut self, parents: &Parents, numbers: &LifeNumbers<'_>) {
        for (end, life) in self.present.iter_mut().zip(&self.lives) {
            let rules = numbers.species[usize::from(life.species)].rules;
            end.next = end.next.map(|_| parents.child(rules, end.number, end.step, life));
        }
        self.present.sort_unstable();
        self.all.append(&mut self.present);
    }

    /// Removes all ends from the log and returns them, sorted by step and number.
    pub fn take(&mut self) -> Vec<LifeEnd> {
        std::mem::take(&mut self.all)
    }
}
