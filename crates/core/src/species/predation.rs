//! Individuals of one species that eat individuals of another.
//!
//! A hunter is an individual that does not perish and whose hunger before the step is at least what a meal stills. With d the distance of a
//! hunter i and one of its prey j at their places before the step, and H' the hunger of the hunter after it:
//!
//! ```text
//! n_j = |{ i : i hunts the species of j, d < jaws }|          j does not perish
//! H_i = (H' - Σ ⌊meal / n_j⌋)⁺                                over the j within the jaws: those who reach one share it evenly
//! ```
//!
//! An individual that is eaten, n_j > 0, perishes at once: its life ends in the next step. No sum has an order, so nobody comes first.

use crate::individuals::search::{Run, Search};
use crate::individuals::sums::{BLOCK, NeighbourSource, offset_along};
use crate::individuals::{IndividualParameters, Individuals};
use crate::lives::{EATEN, FULL, perishing, species_in};
use crate::numbers::{Vector3, each_axis};
use crate::parallel::*;
use crate::species::MOST_SPECIES;
use crate::species::numbers::MeetingNumbers;

/// Who eats and who is eaten in a step, in the order of the search.
#[derive(Default)]
pub struct Predation {
    /// The hunger before the step; -1: it perishes, neither eats nor is eaten.
    appetites: Vec<i32>,
    /// How many eat each.
    eaters: Vec<u32>,
    /// The hunger that each stills.
    gains: Vec<i32>,
    /// Room for the runs of candidates of each block.
    runs: Vec<Vec<Run>>,
}

/// The data that do not change while the eaters are counted.
pub struct PredationContext<'a> {
    pub search: &'a Search,
    pub source: &'a NeighbourSource<'a>,
    pub parameters: &'a IndividualParameters,
    /// 2 or 3.
    pub axes: usize,
}

impl Predation {
    /// Notes who may eat in a step, before it.
    pub fn begin(&mut self, individuals: &Individuals) {
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
    }

    /// Lets hunters eat, after a step. Returns the hunger that is stilled, by species.
    pub fn end(&mut self, context: &PredationContext<'_>, individuals: &mut Individuals) -> [u64; MOST_SPECIES] {
        let Self { appetites, eaters, gains, runs } = self;
        let (appetites, view) = (appetites.as_slice(), &*individuals);
        let species = |index: usize| view.species(index);
        let numbers = |index: usize| &context.parameters.species[index];
        eaters.par_chunks_mut(BLOCK).zip(runs.par_chunks_mut(1)).enumerate().for_each(|(block, (eaters, runs))| {
            let mut candidates = Candidates::new(context, block * BLOCK, &mut runs[0]);
            for (index, eaters) in (block * BLOCK..).zip(eaters).filter(|(index, _)| appetites[*index] >= 0) {
                for hunter in 0..context.parameters.species.len() {
                    for meeting in numbers(hunter).meetings().iter().filter(|own| own.other as usize == species(index))
                    {
                        let hunts = |other: usize| appetites[other] >= meeting.meal;
                        candidates.for_each(index, hunter, meeting, |other| *eaters += u32::from(hunts(other)));
                    }
                }
            }
        });
        let eaters = eaters.as_slice();
        gains.par_chunks_mut(BLOCK).zip(runs.par_chunks_mut(1)).enumerate().for_each(|(block, (gains, runs))| {
            let mut candidates = Candidates::new(context, block * BLOCK, &mut runs[0]);
            for (index, gain) in (block * BLOCK..).zip(gains) {
                for meeting in numbers(species(index)).meetings().iter().filter(|own| appetites[index] >= own.meal) {
                    candidates.for_each(index, meeting.other as usize, meeting, |prey| {
                        // Nobody is hungrier than FULL: what is beyond it is of no use, and any number of prey may be there.
                        *gain = (*gain + meeting.meal.checked_div(eaters[prey] as i32).unwrap_or(0)).min(FULL);
                    });
                }
            }
        });
        let mut stilled = [0; MOST_SPECIES];
        let [_, traits, needs, moods] = &mut *individuals.lives;
        for index in 0..eaters.len() {
            if eaters[index] > 0 {
                traits[index] |= EATEN;
                needs[index] &= FULL;
                moods[index] = (moods[index] & FULL) | 1 << 16;
            } else if gains[index] > 0 {
                let before = needs[index] & FULL;
                let hunger = (before - gains[index]).max(0);
                needs[index] = (needs[index] & !FULL) | hunger;
                stilled[species_in(traits[index])] += (before - hunger) as u64;
            }
        }
        stilled
    }
}

/// The candidates around the individuals of a block. The individuals are asked for in the order of the search.
struct Candidates<'a> {
    context: &'a PredationContext<'a>,
    group: usize,
    runs: &'a mut Vec<Run>,
    /// The species of which the runs are, and the end of the group for which they are.
    among: usize,
    end: usize,
}

impl<'a> Candidates<'a> {
    fn new(context: &'a PredationContext<'a>, first: usize, runs: &'a mut Vec<Run>) -> Self {
        Self { context, group: context.search.group_of(first), runs, among: 0, end: 0 }
    }

    /// Calls a function with each of a species who is within the jaws of a meeting around an individual.
    fn for_each(&mut self, index: usize, among: usize, meeting: &MeetingNumbers, mut call: impl FnMut(usize)) {
        let PredationContext { search, source, axes, .. } = *self.context;
        if meeting.jaws == 0 {
            return;
        }
        // Individuals of a group have the same candidates.
        if index >= self.end || among != self.among {
            self.among = among;
            self.end = match axes {
                2 => search.find_runs::<2>(source, among, &mut self.group, index, self.runs),
                _ => search.find_runs::<3>(source, among, &mut self.group, index, self.runs),
            };
        }
        let method = if axes == 2 { search.method::<2>(source) } else { search.method::<3>(source) };
        let own = source.measured.place(index);
        for (run, shift) in self.runs.iter() {
            let from: Vector3 = each_axis(|axis| own[axis] - shift[axis]);
            for other in run.clone() {
                let place = source.measured.place(other);
                let mut square = 0;
                for axis in 0..axes {
                    let offset = offset_along(from[axis], place[axis], source.extents[axis], method, source.units);
                    square += offset * offset;
                }
                if square < meeting.jaws {
                    call(other);
                }
            }
        }
    }
}
