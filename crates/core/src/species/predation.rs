//! Individuals of one species that eat individuals of another.
//!
//! `jaws` is the distance within which a species eats another. `meal` is the hunger that one eaten individual removes.
//! A hunter is an individual that does not perish, and whose hunger before the step is at least `meal`. d is the
//! distance between a hunter i and one of its prey j at their places before the step. H'_i is the hunger of the hunter
//! at the end of the step, before it eats. n_j is the number of hunters that eat j. H_i is the hunger after the meals:
//!
//! ```text
//! n_j = |{ i : i hunts the species of j, d < jaws }|          for each j that does not perish
//! H_i = max(H'_i - Σ ⌊meal / n_j⌋, 0)                         summed over the j with d < jaws
//! ```
//!
//! The hunters of one individual share it evenly. An eaten individual (n_j > 0) perishes at once: its life ends in the
//! next step. The result does not depend on the order of the individuals.

use crate::error::Failure;
use crate::individuals::IndividualParameters;
use crate::individuals::search::{Run, SHARING, Search};
use crate::individuals::species::MeetingNumbers;
use crate::individuals::step::{StepPart, StepState};
use crate::individuals::sums::{NeighbourSource, offset_along};
use crate::lanes::vector::{splat, subtract};
use crate::lanes::{BLOCK, InstructionSet, LaneWork, Lanes};
use crate::lives::{EATEN, FULL, perishing, species_in};
use crate::parallel::*;
use crate::state::{Entry, Individuals};
use crate::world::MAX_SPECIES;

/// The buffers of the predation in a step. Lists have a value for each individual, in the order of the search.
#[derive(Default)]
pub struct Predation {
    /// The hunger before the step, in parts of [`FULL`]; -1: the individual perishes, and neither eats nor is eaten.
    appetites: Vec<i32>,
    /// The number of eaters of each individual.
    eaters: Vec<u32>,
    /// The hunger that each individual's meals remove, in parts of [`FULL`].
    gains: Vec<i32>,
    /// A buffer for each block of individuals: the index ranges of candidates.
    runs: Vec<Vec<Run>>,
}

/// The data that do not change while the eaters are counted.
struct PredationContext<'a> {
    search: &'a Search,
    source: &'a NeighbourSource<'a>,
    parameters: &'a IndividualParameters,
    /// The number of axes of the world: 2 or 3.
    axes: usize,
    instruction_set: InstructionSet,
}

impl StepPart for Predation {
    /// Stores the hunger of the individuals before a step, and clears the other lists.
    fn prepare(&mut self, step: &mut StepState<'_>) -> Result<(), Failure> {
        if !step.setup.has_predators() {
            return Ok(());
        }
        let individuals = &*step.individuals;
        let appetite = |index: usize| match perishing(individuals.lives[3][index]) {
            0 => individuals.lives[2][index] & FULL,
            _ => -1,
        };
        self.appetites.clear();
        self.appetites.extend((0..individuals.len()).map(appetite));
        self.gains.clear();
        self.gains.resize(individuals.len(), 0);
        self.eaters.clear();
        self.eaters.resize(individuals.len(), 0);
        self.runs.resize_with(individuals.len().div_ceil(BLOCK), Vec::new);
        Ok(())
    }

    /// Lets hunters eat after a step, and adds the removed hunger to the account.
    fn end(&mut self, step: &mut StepState<'_>) -> Result<(), Failure> {
        let StepState { setup, parameters, individuals, search, measured, pool, instruction_set, .. } = step;
        if !setup.has_predators() {
            return Ok(());
        }
        let source = NeighbourSource::new(measured, setup);
        let axes = setup.habitat.space.axes();
        let context = PredationContext { search, source: &source, parameters, axes, instruction_set: *instruction_set };
        let stilled = pool.install(|| self.feed(&context, individuals));
        (0..).zip(stilled).for_each(|(species, stilled)| step.turnover.add(Entry::EnergyEaten, species, stilled));
        Ok(())
    }
}

impl Predation {
    /// Lets hunters eat. Returns the hunger that meals removed from each species, in parts of [`FULL`].
    fn feed(&mut self, context: &PredationContext<'_>, individuals: &mut Individuals) -> [u64; MAX_SPECIES] {
        let Self { appetites, eaters, gains, runs } = self;
        let appetites = appetites.as_slice();
        let view = &*individuals;
        eaters.par_chunks_mut(BLOCK).zip(runs.par_chunks_mut(1)).enumerate().for_each(|(block, (eaters, runs))| {
            let candidates = Candidates::new(context, block * BLOCK, &mut runs[0]);
            context.instruction_set.run(BlockEaters { candidates, view, appetites, first: block * BLOCK, eaters });
        });
        let eaters = eaters.as_slice();
        gains.par_chunks_mut(BLOCK).zip(runs.par_chunks_mut(1)).enumerate().for_each(|(block, (gains, runs))| {
            let candidates = Candidates::new(context, block * BLOCK, &mut runs[0]);
            context.instruction_set.run(BlockGains {
                candidates,
                view,
                appetites,
                eaters,
                first: block * BLOCK,
                gains,
            });
        });
        let mut stilled = [0; MAX_SPECIES];
        let [_, traits, needs, moods] = &mut *individuals.lives;
        for index in 0..eaters.len() {
            if eaters[index] > 0 {
                traits[index] |= EATEN;
                needs[index] &= FULL;
                moods[index] = (moods[index] & FULL) | 1 << 16;
            } else if gains[index] > 0 {
                let before = needs[index] & FULL;
                let hunger = Ord::max(before - gains[index], 0);
                needs[index] = (needs[index] & !FULL) | hunger;
                stilled[species_in(traits[index])] += (before - hunger) as u64;
            }
        }
        stilled
    }
}

/// Counts the eaters of each individual of a block.
struct BlockEaters<'a> {
    candidates: Candidates<'a>,
    view: &'a Individuals,
    appetites: &'a [i32],
    /// The first individual of the block.
    first: usize,
    eaters: &'a mut [u32],
}

impl LaneWork for BlockEaters<'_> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Self { mut candidates, view, appetites, first, eaters } = self;
        let species = &candidates.context.parameters.species;
        for index in 0..eaters.len() {
            if appetites[first + index] < 0 {
                continue;
            }
            let own = view.species(first + index);
            for hunter in 0..species.len() {
                for meeting in species[hunter].meetings() {
                    if meeting.other as usize != own {
                        continue;
                    }
                    candidates.find::<V>(first + index, hunter, meeting);
                    for other in &candidates.found {
                        eaters[index] += u32::from(appetites[*other as usize] >= meeting.meal);
                    }
                }
            }
        }
    }
}

/// Adds up the hunger that the meals of each individual of a block remove, in parts of [`FULL`].
struct BlockGains<'a> {
    candidates: Candidates<'a>,
    view: &'a Individuals,
    appetites: &'a [i32],
    eaters: &'a [u32],
    /// The first individual of the block.
    first: usize,
    gains: &'a mut [i32],
}

impl LaneWork for BlockGains<'_> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Self { mut candidates, view, appetites, eaters, first, gains } = self;
        let species = &candidates.context.parameters.species;
        for index in 0..gains.len() {
            for meeting in species[view.species(first + index)].meetings() {
                if appetites[first + index] < meeting.meal {
                    continue;
                }
                candidates.find::<V>(first + index, meeting.other as usize, meeting);
                for prey in &candidates.found {
                    // The sum is clamped to FULL, the maximum hunger, because any number of prey may be in reach.
                    let share = meeting.meal.checked_div(eaters[*prey as usize] as i32).unwrap_or(0);
                    gains[index] = Ord::min(gains[index] + share, FULL);
                }
            }
        }
    }
}

/// The candidates for prey or hunters around the individuals of a block. The individuals must be queried in the order
/// of the search.
struct Candidates<'a> {
    context: &'a PredationContext<'a>,
    group: usize,
    runs: &'a mut Vec<Run>,
    /// The species of the candidates in `runs`.
    among: usize,
    /// The end of the group of individuals for which `runs` are valid.
    end: usize,
    /// The indices of the candidates that the last call of [`Self::find`] found.
    found: Vec<u32>,
}

impl<'a> Candidates<'a> {
    fn new(context: &'a PredationContext<'a>, first: usize, runs: &'a mut Vec<Run>) -> Self {
        Self { context, group: context.search.group_of(first), runs, among: 0, end: 0, found: Vec::new() }
    }

    /// Finds all individuals of the species `among` that are within [`MeetingNumbers::jaws`] of the individual `index`.
    #[inline(always)]
    fn find<V: Lanes>(&mut self, index: usize, among: usize, meeting: &MeetingNumbers) {
        self.found.clear();
        if meeting.jaws == 0 {
            return;
        }
        match self.context.axes {
            2 => self.find_along::<2, V>(index, among, meeting.jaws),
            _ => self.find_along::<3, V>(index, among, meeting.jaws),
        }
    }

    #[inline(always)]
    fn find_along<const AXES: usize, V: Lanes>(&mut self, index: usize, among: usize, jaws: i32) {
        let PredationContext { search, source, .. } = *self.context;
        // The individuals of a group share their candidates, so the search runs once for a group.
        if index >= self.end || among != self.among {
            self.among = among;
            let query = (index, SHARING);
            self.end = search.find_runs::<AXES>(source, among, &mut self.group, query, self.runs);
        }
        let method = search.method::<AXES>(source);
        let own = source.measured.place(index);
        let jaws = V::splat(jaws);
        for (run, shift) in &*self.runs {
            let from = subtract(splat::<V, AXES>(own), splat(*shift));
            let mut first = run.start;
            while first < run.end {
                let (places, is_there) = source.measured.candidates(first, run.end, &from);
                let mut square = V::splat(0);
                for axis in 0..AXES {
                    let offset = offset_along(from[axis], places[axis], source.extents[axis], method, source.units);
                    square = square.add(offset.multiply(offset));
                }
                let mut bits = square.less_than(jaws).and(is_there).bits();
                while bits != 0 {
                    self.found.push(first as u32 + bits.trailing_zeros());
                    bits &= bits - 1;
                }
                first += V::COUNT;
            }
        }
    }
}
