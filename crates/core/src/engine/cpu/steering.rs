//! The steering of a block of individuals: sums over neighbours of the own and of other species, the rules, and a step
//! of the lives.

use super::Processor;
use crate::individuals::couzin::{Couzin, turned_to};
use crate::individuals::rules::{Aquarium, Flock, Reynolds, School, Steering, Vicsek, met};
use crate::individuals::search::{NeighbourQuery, Scratch, Search};
use crate::individuals::selection::Selection;
use crate::individuals::situation::Situation;
use crate::individuals::species::{MeetingNumbers, NO_RULE, SpeciesNumbers, SpeciesUnits};
use crate::individuals::step::StepPart;
use crate::individuals::sums::NeighbourSource;
use crate::individuals::{IndividualParameters, Rule, RuleSet, Setup, Units};
use crate::lanes::vector::zero;
use crate::lanes::{BLOCK, LaneWork, Lanes};
use crate::lives::needs::{Meal, Meals, NeighbourCounts, live};
use crate::lives::rebirth::Parents;
use crate::lives::species_of;
use crate::noise::draw::{DrawKeys, Draws};
use crate::noise::turn::{at_speed, with_noise};
use crate::state::{LIFE_WORDS, WorldColumns};
use std::marker::PhantomData;

/// The data that all individuals of a step share.
pub struct StepContext<'a> {
    pub processor: &'a Processor,
    pub search: &'a Search,
    pub source: &'a NeighbourSource<'a>,
    pub setup: &'a Setup,
    pub parameters: &'a IndividualParameters,
    pub parents: &'a Parents,
    pub parts: &'a [Box<dyn StepPart>],
    pub columns: &'a WorldColumns,
}

/// The control vectors of the rules [`Rule::OF_WORLD`] for the individuals of a block: for each rule, then for each
/// axis, the components of all individuals.
pub type WorldControls = [[[i32; BLOCK]; 3]; Rule::OF_WORLD.len()];

/// The species of the individuals of a block.
#[derive(Clone, Copy)]
pub struct OwnSpecies<'a> {
    pub index: usize,
    pub numbers: &'a SpeciesNumbers,
    pub units: &'a SpeciesUnits,
}

impl<'a> OwnSpecies<'a> {
    /// The species of a block. `life`: the words of the life of its first individual, if it has one.
    pub fn new(context: &'a StepContext<'_>, life: [Option<i32>; LIFE_WORDS]) -> Self {
        let index = if life[0].is_none() { 0 } else { species_of(life.map(Option::unwrap_or_default)) };
        Self { index, numbers: &context.parameters.species[index], units: &context.setup.species[index] }
    }
}

/// A block of individuals that steer.
pub struct IndividualBlock<'a> {
    pub own: OwnSpecies<'a>,
    /// The index of the first individual.
    pub first: usize,
    pub numbers: &'a [u32],
    pub velocities: [&'a mut [i32]; 3],
    /// Empty if individuals have no lives.
    pub lives: [&'a mut [i32]; LIFE_WORDS],
    /// The control vectors of the world; `None`: the world has no influence.
    pub around: Option<&'a WorldControls>,
    /// The meals of the individuals, if there is food.
    pub meals: Option<&'a Meals>,
    pub scratch: &'a mut Scratch,
}

/// Computes the new velocities of the individuals of a block.
pub fn steer_block(context: &StepContext<'_>, block: IndividualBlock<'_>) {
    match context.setup.habitat.space.axes() {
        2 => steer_along::<2>(context, block),
        _ => steer_along::<3>(context, block),
    }
}

/// [`steer_block`] for this number of axes. Each set of rules has a function of its own: one function for all sets
/// would take minutes to compile.
fn steer_along<const AXES: usize>(context: &StepContext<'_>, block: IndividualBlock<'_>) {
    match context.setup.set {
        RuleSet::School => steer_by::<School, AXES>(context, block),
        RuleSet::Flock => steer_by::<Flock<false>, AXES>(context, block),
        RuleSet::HalfFlock => steer_by::<Flock<true>, AXES>(context, block),
        RuleSet::Reynolds => steer_by::<Reynolds, AXES>(context, block),
        RuleSet::Aquarium => steer_by::<Aquarium, AXES>(context, block),
        RuleSet::Vicsek => steer_by::<Vicsek, AXES>(context, block),
        RuleSet::Couzin => steer_by::<Couzin, AXES>(context, block),
    }
}

/// [`steer_block`] by a set of rules. Sums, meetings, rules and lives are compiled separately, so that the parts that
/// several sets share are compiled once.
fn steer_by<S: Steering, const AXES: usize>(context: &StepContext<'_>, mut block: IndividualBlock<'_>) {
    let StepContext { processor, setup, .. } = context;
    let begun = processor.now();
    let OwnSpecies { index, numbers, units } = block.own;
    let count = block.velocities[0].len();
    let individuals = block.first..block.first + count;
    let mut met = [[0; BLOCK]; 3];
    for (meeting, of) in numbers.meetings().iter().zip(&units.meetings) {
        if meeting.rule == NO_RULE || meeting.weight == 0 || meeting.threshold == 0 {
            continue;
        }
        let seen = units.of_meeting(of);
        let query = NeighbourQuery { units: &seen, among: of.other, individuals: individuals.clone() };
        sum_neighbours::<AXES>(context, query, block.scratch);
        let rules = PhantomData::<S>;
        let work = BlockMeeting::<S, AXES> { rules, context, block: &block, meeting, units: &seen, met: &mut met };
        processor.instruction_set.run(work);
    }
    // The sums over the own species are made last. The rules read these sums.
    let mut seen = units.units;
    if numbers.weights[Rule::Clarity as usize] == 0 {
        // Nothing else reads the sums of this rule.
        seen.thresholds[Rule::Clarity] = 0;
    }
    let query = NeighbourQuery { units: &seen, among: index, individuals };
    sum_neighbours::<AXES>(context, query, block.scratch);
    let summed = processor.now();
    block.scratch.summed = summed - begun;
    let mut steered = [[0; BLOCK]; 3];
    let work =
        BlockSteering::<S, AXES> { rules: PhantomData, context, block: &block, met: &met, steered: &mut steered };
    processor.instruction_set.run(work);
    let speed = S::SET.has_constant_speed().then_some(numbers.max);
    if numbers.noise.is_any() || speed.is_some() {
        processor.instruction_set.run(BlockNoise::<AXES> { context, block: &block, speed, steered: &mut steered });
    }
    if S::SET.limits_turns() {
        processor.instruction_set.run(BlockTurn::<AXES> { block: &block, steered: &mut steered });
    }
    if setup.has_lives {
        processor.instruction_set.run(BlockLives::<AXES> {
            set: S::SET,
            context,
            block: &mut block,
            steered: &steered,
        });
    } else {
        for axis in 0..AXES {
            block.velocities[axis].copy_from_slice(&steered[axis][..count]);
        }
    }
    block.scratch.steered = processor.now() - summed;
}

// `School` shares the compiled sums of `Aquarium`, and `Vicsek` shares the sums of `Reynolds`. This checks that both
// sets of a pair sum the same rules over the same neighbours.
const _: () = {
    assert_sums_are_those_of(RuleSet::School, RuleSet::Aquarium);
    assert_sums_are_those_of(RuleSet::Vicsek, RuleSet::Reynolds);
};

const fn assert_sums_are_those_of(own: RuleSet, other: RuleSet) {
    let mut rule = 0;
    while rule < Rule::OF_NEIGHBOURS.len() {
        let summed = Rule::OF_NEIGHBOURS[rule];
        assert!(summed.is_of(own) == summed.is_of(other));
        rule += 1;
    }
    assert!(own.sees_half() == other.sees_half());
    assert!(own.is_of_cells() == other.is_of_cells());
}

/// Sums over the neighbours of a block of individuals. Sets of rules with the same sums share a function.
fn sum_neighbours<const AXES: usize>(context: &StepContext<'_>, query: NeighbourQuery<'_>, scratch: &mut Scratch) {
    macro_rules! sum_by {
        ($Rules:ty, $is_counted:literal) => {
            context.processor.instruction_set.run(BlockSums::<$Rules, AXES, $is_counted> {
                rules: PhantomData,
                context,
                query,
                scratch,
            })
        };
    }
    if query.units.selection != Selection::ALL {
        return sum_selected::<AXES>(context, query, scratch);
    }
    match (context.setup.set, context.setup.has_lives) {
        (RuleSet::School, false) => sum_by!(School, false),
        (RuleSet::Flock, false) => sum_by!(Flock<false>, false),
        (RuleSet::HalfFlock, false) => sum_by!(Flock<true>, false),
        (RuleSet::School | RuleSet::Aquarium, _) => sum_by!(Aquarium, true),
        (RuleSet::Flock, true) => sum_by!(Flock<false>, true),
        (RuleSet::HalfFlock, true) => sum_by!(Flock<true>, true),
        (RuleSet::Reynolds | RuleSet::Vicsek, _) => sum_by!(Reynolds, true),
        (RuleSet::Couzin, _) => sum_by!(Couzin, true),
    }
}

/// [`sum_neighbours`] if not all individuals within the radii are neighbours. Neighbours are counted for every set.
fn sum_selected<const AXES: usize>(context: &StepContext<'_>, query: NeighbourQuery<'_>, scratch: &mut Scratch) {
    macro_rules! sum_by {
        ($Rules:ty) => {
            context.processor.instruction_set.run(BlockSelectedSums::<$Rules, AXES> {
                rules: PhantomData,
                context,
                query,
                scratch,
            })
        };
    }
    match context.setup.set {
        RuleSet::School | RuleSet::Aquarium => sum_by!(Aquarium),
        RuleSet::Flock => sum_by!(Flock<false>),
        RuleSet::HalfFlock => sum_by!(Flock<true>),
        RuleSet::Reynolds | RuleSet::Vicsek => sum_by!(Reynolds),
        RuleSet::Couzin => sum_by!(Couzin),
    }
}

/// The sums of a block over selected neighbours by a set of rules, with the numbers of neighbours.
struct BlockSelectedSums<'p, 'a, S, const AXES: usize> {
    rules: PhantomData<S>,
    context: &'p StepContext<'a>,
    query: NeighbourQuery<'p>,
    scratch: &'p mut Scratch,
}

impl<S: Steering, const AXES: usize> LaneWork for BlockSelectedSums<'_, '_, S, AXES> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        self.context.search.sum_selected::<S, AXES, V>(self.context.source, self.query, self.scratch);
    }
}

/// The sums of a block by a set of rules. `COUNTED`: with the number of neighbours of each rule.
struct BlockSums<'p, 'a, S, const AXES: usize, const COUNTED: bool> {
    rules: PhantomData<S>,
    context: &'p StepContext<'a>,
    query: NeighbourQuery<'p>,
    scratch: &'p mut Scratch,
}

impl<S: Steering, const AXES: usize, const COUNTED: bool> LaneWork for BlockSums<'_, '_, S, AXES, COUNTED> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        self.context.search.sum::<S, COUNTED, AXES, V>(self.context.source, self.query, self.scratch);
    }
}

/// Adds to `met` the weighted control vectors of a meeting: of the rules by which the individuals of a block react to
/// another species. The sums of the block are over this other species. `units`: the units of the meeting.
struct BlockMeeting<'p, 'a, S, const AXES: usize> {
    rules: PhantomData<S>,
    context: &'p StepContext<'a>,
    block: &'p IndividualBlock<'a>,
    meeting: &'p MeetingNumbers,
    units: &'p Units,
    met: &'p mut [[i32; BLOCK]; 3],
}

impl<S: Steering, const AXES: usize> LaneWork for BlockMeeting<'_, '_, S, AXES> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Self { context, block, meeting, units, met: sums, .. } = self;
        for index in (0..block.velocities[0].len()).step_by(V::COUNT) {
            let individual = situation::<AXES, V>(context, block, index, units);
            let asked = met::<S, V, AXES>(individual, meeting);
            for axis in 0..AXES {
                let sum = V::load(&sums[axis][index..]).add(asked[axis]);
                sum.store(&mut sums[axis][index..]);
            }
        }
    }
}

/// The next velocities of a block by a set of rules, from its sums. `met`: the control vectors of all meetings.
struct BlockSteering<'p, 'a, S, const AXES: usize> {
    rules: PhantomData<S>,
    context: &'p StepContext<'a>,
    block: &'p IndividualBlock<'a>,
    met: &'p [[i32; BLOCK]; 3],
    steered: &'p mut [[i32; BLOCK]; 3],
}

impl<S: Steering, const AXES: usize> LaneWork for BlockSteering<'_, '_, S, AXES> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Self { context, block, met, steered, .. } = self;
        for index in (0..block.velocities[0].len()).step_by(V::COUNT) {
            let mut individual = situation::<AXES, V>(context, block, index, &block.own.units.units);
            for axis in 0..AXES {
                individual.met[axis] = V::load(&met[axis][index..]);
            }
            if let Some(around) = block.around {
                for rule in 0..around.len() {
                    for axis in 0..AXES {
                        individual.surroundings[rule][axis] = V::load(&around[rule][axis][index..]);
                    }
                }
            }
            let velocity = S::steer::<V, AXES>(&individual);
            for axis in 0..AXES {
                velocity[axis].store(&mut steered[axis][index..]);
            }
        }
    }
}

/// Adds noise to the next velocities of a block. `speed`: the constant speed of all individuals, if they have one.
struct BlockNoise<'p, 'a, const AXES: usize> {
    context: &'p StepContext<'a>,
    block: &'p IndividualBlock<'a>,
    speed: Option<i32>,
    steered: &'p mut [[i32; BLOCK]; 3],
}

impl<const AXES: usize> LaneWork for BlockNoise<'_, '_, AXES> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        let noise = &self.block.own.numbers.noise;
        let keys = DrawKeys::new(noise, self.context.parameters.seed);
        let numbers: &[i32] = bytemuck::cast_slice(self.block.numbers);
        for index in (0..numbers.len()).step_by(V::COUNT) {
            let mut velocity = zero::<V, AXES>();
            for axis in 0..AXES {
                velocity[axis] = V::load(&self.steered[axis][index..]);
            }
            let draws = Draws::of_individuals(noise, &keys, V::load_some(&numbers[index..]));
            let velocity = match self.speed {
                Some(speed) => at_speed(velocity, V::splat(speed), noise, &draws),
                None => with_noise(velocity, noise, &draws),
            };
            for axis in 0..AXES {
                velocity[axis].store(&mut self.steered[axis][index..]);
            }
        }
    }
}

/// Turns the headings of a block towards the wanted directions in `steered`, and replaces these by the next velocities.
struct BlockTurn<'p, 'a, const AXES: usize> {
    block: &'p IndividualBlock<'a>,
    steered: &'p mut [[i32; BLOCK]; 3],
}

impl<const AXES: usize> LaneWork for BlockTurn<'_, '_, AXES> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        let SpeciesNumbers { turn_cosine, turn_sine, max, .. } = *self.block.own.numbers;
        for index in (0..self.block.velocities[0].len()).step_by(V::COUNT) {
            let mut velocity = zero::<V, AXES>();
            let mut wanted = zero::<V, AXES>();
            for axis in 0..AXES {
                velocity[axis] = V::load_some(&self.block.velocities[axis][index..]);
                wanted[axis] = V::load(&self.steered[axis][index..]);
            }
            let next = turned_to(velocity, wanted, [turn_cosine, turn_sine], max);
            for axis in 0..AXES {
                next[axis].store(&mut self.steered[axis][index..]);
            }
        }
    }
}

/// A step of the lives of a block. `steered`: the velocities that the rules ask for. Hunger and food turn them into the
/// next velocities.
struct BlockLives<'p, 'a, 'b, const AXES: usize> {
    set: RuleSet,
    context: &'p StepContext<'a>,
    block: &'p mut IndividualBlock<'b>,
    steered: &'p [[i32; BLOCK]; 3],
}

impl<const AXES: usize> LaneWork for BlockLives<'_, '_, '_, AXES> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Self { set, context, block, steered } = self;
        let SpeciesNumbers { lives: rules, max, .. } = block.own.numbers;
        let mut burnt = [0; BLOCK];
        for index in (0..block.velocities[0].len()).step_by(V::COUNT) {
            let individual = situation::<AXES, V>(context, block, index, &block.own.units.units);
            let counts = NeighbourCounts {
                others: individual.neighbours(Rule::Cohesion, set),
                near: individual.neighbours(Rule::Separation, set),
            };
            let mut life = [V::splat(0); LIFE_WORDS];
            for word in 0..LIFE_WORDS {
                life[word] = V::load_some(&block.lives[word][index..]);
            }
            let mut meal = Meal::nothing();
            if let Some(meals) = block.meals {
                meal = meals.load(index);
            }
            let mut velocity = zero::<V, AXES>();
            for axis in 0..AXES {
                velocity[axis] = V::load(&steered[axis][index..]);
            }
            let next = live(life, counts, meal, individual.velocity, velocity, rules, *max);
            for word in 0..LIFE_WORDS {
                next.life[word].store_some(&mut block.lives[word][index..]);
            }
            for axis in 0..AXES {
                next.velocity[axis].store_some(&mut block.velocities[axis][index..]);
            }
            next.burnt.store(&mut burnt[index..]);
        }
        // The last lanes may belong to no individual. A sum over a block is below 2^25.
        block.scratch.energy.burnt = burnt[..block.velocities[0].len()].iter().sum::<i32>() as u64;
    }
}

/// The individuals of a block from an index on, with their sums over neighbours.
#[inline(always)]
fn situation<'a, const AXES: usize, V: Lanes>(
    context: &'a StepContext<'_>,
    block: &IndividualBlock<'a>,
    index: usize,
    units: &'a Units,
) -> Situation<'a, V, AXES> {
    let mut individual = Situation {
        velocity: zero::<V, AXES>(),
        velocity_in_units: context.source.measured.velocities(block.first + index),
        sums: block.scratch.sums.load(index),
        met: zero::<V, AXES>(),
        surroundings: [[V::splat(0); 3]; Rule::OF_WORLD.len()],
        parameters: block.own.numbers,
        units,
    };
    for axis in 0..AXES {
        individual.velocity[axis] = V::load_some(&block.velocities[axis][index..]);
    }
    individual
}
