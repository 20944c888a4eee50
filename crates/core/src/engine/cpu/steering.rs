//! How a block of individuals steers: sums over neighbours of the own kind and of other species, the rules, and the step of their lives.

use super::Processor;
use super::meals::{FoodSource, Meals};
use crate::individuals::lives::food::Meal;
use crate::individuals::lives::needs::{NeighbourCounts, live};
use crate::individuals::lives::rebirth::Parents;
use crate::individuals::lives::{WORDS, species_of};
use crate::individuals::rules::{Aquarium, Flock, Reynolds, School, Steering, SteeringWithLives, met};
use crate::individuals::search::{Scratch, Search};
use crate::individuals::situation::Situation;
use crate::individuals::species::{MeetingNumbers, NO_RULE, SpeciesNumbers, SpeciesUnits};
use crate::individuals::sums::{BLOCK, NeighbourSource};
use crate::individuals::{AgentParameters, Rule, RuleSet, Setup, Units};
use crate::lanes::{LaneWork, Lanes};
use crate::vector::zero;

/// What is the same for all agents of a step.
pub struct StepContext<'a> {
    pub processor: &'a Processor,
    pub search: &'a Search,
    pub source: &'a NeighbourSource<'a>,
    pub setup: &'a Setup,
    pub parameters: &'a AgentParameters,
    pub parents: &'a Parents,
    pub food: Option<FoodSource<'a>>,
}

/// What the world asks of the agents of a block: the control vectors of [`Rule::OF_WORLD`], by axis.
pub type WorldControls = [[[i32; BLOCK]; 3]; Rule::OF_WORLD.len()];

/// The species of the agents of a block.
#[derive(Clone, Copy)]
pub struct OwnSpecies<'a> {
    pub index: usize,
    pub numbers: &'a SpeciesNumbers,
    pub units: &'a SpeciesUnits,
}

impl<'a> OwnSpecies<'a> {
    /// That of a block whose first agent has a life of these words, if it has one.
    pub fn of(context: &'a StepContext<'_>, life: [Option<i32>; WORDS]) -> Self {
        let index = if life[0].is_none() { 0 } else { species_of(life.map(Option::unwrap_or_default)) };
        Self { index, numbers: &context.parameters.species[index], units: &context.setup.species[index] }
    }
}

/// A block of agents that steer.
pub struct AgentBlock<'a> {
    pub own: OwnSpecies<'a>,
    /// The index of the first agent.
    pub first: usize,
    pub velocities: [&'a mut [i32]; 3],
    /// Empty where agents have no lives.
    pub lives: [&'a mut [i32]; WORDS],
    /// What the world asks for, if it may ask for anything.
    pub around: Option<&'a WorldControls>,
    /// What they eat, if there is food.
    pub meals: Option<&'a Meals>,
    pub scratch: &'a mut Scratch,
}

/// Gives the agents of a block their new velocities. Each set of rules is a function of its own for each number of axes and each
/// instruction set: one function with all of them would take the compiler minutes.
pub fn steer_block(context: &StepContext<'_>, block: AgentBlock<'_>) {
    let instruction_set = context.processor.instruction_set;
    let axes = context.setup.terrain.space.axes();
    macro_rules! steer_by {
        ($rules:expr) => {
            match (axes, context.setup.has_lives) {
                (2, false) => instruction_set.run(BlockSteering::<2, _>($rules, context, block)),
                (_, false) => instruction_set.run(BlockSteering::<3, _>($rules, context, block)),
                (2, true) => instruction_set.run(BlockSteering::<2, _>(SteeringWithLives($rules), context, block)),
                (_, true) => instruction_set.run(BlockSteering::<3, _>(SteeringWithLives($rules), context, block)),
            }
        };
    }
    match context.setup.set {
        RuleSet::School => steer_by!(School),
        RuleSet::Flock => steer_by!(Flock::<false>),
        RuleSet::HalfFlock => steer_by!(Flock::<true>),
        RuleSet::Reynolds => steer_by!(Reynolds),
        RuleSet::Aquarium => steer_by!(Aquarium),
    }
}

/// The steering of a block by a set of rules, as [`InstructionSet::run`] takes it.
///
/// [`InstructionSet::run`]: crate::lanes::InstructionSet::run
struct BlockSteering<'p, 'a, const AXES: usize, S>(S, &'p StepContext<'a>, AgentBlock<'p>);

impl<const AXES: usize, S: Steering> LaneWork for BlockSteering<'_, '_, AXES, S> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Self(_, context, mut block) = self;
        let begun = context.processor.now();
        let OwnSpecies { index, numbers, units } = block.own;
        let agents = block.first..block.first + block.velocities[0].len();
        let mut met = [[0; BLOCK]; 3];
        let meetings = if S::COUNTS_ALL { numbers.meetings() } else { &[] };
        // The meetings first, and the own kind last: one loop, so that the sums are compiled once.
        for query in 0..=meetings.len() {
            let meeting = meetings.get(query).zip(units.meetings.get(query));
            let (seen, among) = match meeting {
                Some((own, _)) if own.rule == NO_RULE || own.weight == 0 || own.threshold == 0 => continue,
                Some((_, of)) => (units.of_meeting(of), of.other),
                None => (units.units, index),
            };
            context.search.sum::<S, AXES, V>(context.source, &seen, among, agents.clone(), block.scratch);
            if let Some((meeting, _)) = meeting {
                add_meeting::<S, AXES, V>(context, &block, (meeting, &seen), &mut met);
            }
        }
        let summed = context.processor.now();
        block.scratch.summed = summed - begun;
        steer::<S, AXES, V>(context, &mut block, &met);
        block.scratch.steered = context.processor.now() - summed;
    }
}

/// Adds what a meeting of a block of agents asks for, weighted; their sums are those over the others.
#[inline(always)]
fn add_meeting<S: Steering, const AXES: usize, V: Lanes>(
    context: &StepContext<'_>,
    block: &AgentBlock<'_>,
    (meeting, units): (&MeetingNumbers, &Units),
    sums: &mut [[i32; BLOCK]; 3],
) {
    for index in (0..block.velocities[0].len()).step_by(V::COUNT) {
        let agent = situation::<AXES, V>(context, block, index, units);
        let asked = met::<S, V, AXES>(agent, meeting);
        for axis in 0..AXES {
            let sum = V::load(&sums[axis][index..]).add(asked[axis]);
            sum.store(&mut sums[axis][index..]);
        }
    }
}

/// Agents of a block whose sums over neighbours are known, from an index on.
#[inline(always)]
fn situation<'a, const AXES: usize, V: Lanes>(
    context: &'a StepContext<'_>,
    block: &AgentBlock<'a>,
    index: usize,
    units: &'a Units,
) -> Situation<'a, V, AXES> {
    let mut agent = Situation {
        velocity: zero::<V, AXES>(),
        velocity_in_units: context.source.measured.velocities(block.first + index),
        sums: block.scratch.sums.load(index),
        met: zero::<V, AXES>(),
        surroundings: [[V::splat(0); 3]; Rule::OF_WORLD.len()],
        parameters: block.own.numbers,
        units,
    };
    for axis in 0..AXES {
        agent.velocity[axis] = V::load_some(&block.velocities[axis][index..]);
    }
    agent
}

/// Turns the agents of a block, whose sums are known, and lets them live on where they have lives. `met`: what other species make them
/// ask for.
#[inline(always)]
fn steer<S: Steering, const AXES: usize, V: Lanes>(
    context: &StepContext<'_>,
    block: &mut AgentBlock<'_>,
    met: &[[i32; BLOCK]; 3],
) {
    let mut burnt = [0; BLOCK];
    for index in (0..block.velocities[0].len()).step_by(V::COUNT) {
        let mut agent = situation::<AXES, V>(context, block, index, &block.own.units.units);
        let AgentBlock { velocities, lives, around, meals, own, .. } = &mut *block;
        if S::COUNTS_ALL {
            for axis in 0..AXES {
                agent.met[axis] = V::load(&met[axis][index..]);
            }
        }
        if let Some(around) = around {
            for rule in 0..around.len() {
                for axis in 0..AXES {
                    agent.surroundings[rule][axis] = V::load(&around[rule][axis][index..]);
                }
            }
        }
        let mut velocity = S::steer::<V, AXES>(&agent);
        if S::COUNTS_ALL {
            let mut life = [V::splat(0); WORDS];
            for word in 0..WORDS {
                life[word] = V::load_some(&lives[word][index..]);
            }
            let counts = NeighbourCounts {
                others: agent.neighbours(Rule::Cohesion, S::SET),
                near: agent.neighbours(Rule::Separation, S::SET),
            };
            let SpeciesNumbers { lives: rules, max, .. } = own.numbers;
            let mut meal = Meal::nothing();
            if let Some(meals) = meals {
                meal = meals.load(index);
            }
            let next = live(life, counts, meal, agent.velocity, velocity, rules, *max);
            for word in 0..WORDS {
                next.life[word].store_some(&mut lives[word][index..]);
            }
            velocity = next.velocity;
            next.burnt.store(&mut burnt[index..]);
        }
        for axis in 0..AXES {
            velocity[axis].store_some(&mut velocities[axis][index..]);
        }
    }
    // The last lanes may belong to nobody. A sum over a block is below 2^25.
    block.scratch.energy.burnt = burnt[..block.velocities[0].len()].iter().sum::<i32>() as u64;
}
