//! The agents on the CPU: every search, any number of threads, the same bits.

use super::Agents;
use super::movement::{Ground, advance, is_caught, surroundings};
use super::rules::{AgentRules, RuleSet, Units};
use super::search::{Among, Search, SearchKind};
use super::steer::steer;
use super::sums::{Flock, HalfFlock, Measured, Reynolds, School, Sums};
use super::vector::{Vector3, subtract3};
use crate::engine::cpu::InstructionSet;
use crate::error::Failure;
use crate::kernels::parameters::Parameters;
use crate::numbers::round_shift;
use crate::world::Edges;
use rayon::prelude::*;

/// Agents that one thread works on at a time.
const BLOCK: usize = 512;

/// A swarm of agents in memory, and the threads that move it.
pub struct Herd {
    pool: rayon::ThreadPool,
    instruction_set: InstructionSet,
    rules: AgentRules,
    units: Units,
    ground: Ground,
    search: Search,
    agents: Agents,
    /// Room for the agents in another order.
    spare: Agents,
    measured: Measured,
    /// Agents caught so far.
    caught: u64,
}

/// How the engine is to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    pub search: SearchKind,
    /// Threads; `None`: one for each core.
    pub threads: Option<usize>,
    /// `None`: the widest that the processor has.
    pub instruction_set: Option<InstructionSet>,
}

impl Herd {
    /// An engine with these agents. `units` must be those of the rules for at least as many.
    ///
    /// # Errors
    /// Where no threads can be started.
    pub fn new(
        rules: AgentRules,
        units: Units,
        ground: Ground,
        agents: Agents,
        options: Options,
    ) -> Result<Self, Failure> {
        let mut builder = rayon::ThreadPoolBuilder::new().thread_name(|index| format!("agents-{index}"));
        if let Some(threads) = options.threads {
            builder = builder.num_threads(threads);
        }
        let pool = builder.build().map_err(|error| Failure::Device(format!("no threads could be started: {error}")))?;
        Ok(Self {
            pool,
            instruction_set: options.instruction_set.unwrap_or_else(InstructionSet::widest),
            search: Search::new(options.search, &ground.space, &units),
            rules,
            units,
            ground,
            agents,
            spare: Agents::default(),
            measured: Measured::default(),
            caught: 0,
        })
    }

    /// Plays one step for each set of parameters.
    pub fn play(&mut self, steps: &[Parameters]) {
        for parameters in steps {
            self.step(parameters);
        }
    }

    fn step(&mut self, parameters: &Parameters) {
        let space = self.ground.space;
        self.caught += self.agents.take(|position| is_caught(position, &space, parameters)) as u64;
        self.search.prepare(&mut self.agents, &mut self.spare, &space, &self.units);
        let Self { pool, instruction_set, rules, units, ground, search, agents, measured, .. } = self;
        measure(agents, units, measured);
        let among = Among { measured, units, extents: units.extents(&space), is_torus: space.edges == Edges::Torus };
        let block = Block { search, among: &among, rules, units, ground, parameters };
        let set = *instruction_set;
        let [x, y, z] = &mut agents.positions;
        let [u, v, w] = &mut agents.velocities;
        pool.install(|| {
            let places = (x.par_chunks_mut(BLOCK), y.par_chunks_mut(BLOCK), z.par_chunks_mut(BLOCK));
            let velocities = (u.par_chunks_mut(BLOCK), v.par_chunks_mut(BLOCK), w.par_chunks_mut(BLOCK));
            (places, velocities).into_par_iter().enumerate().for_each(|(index, ((x, y, z), (u, v, w)))| {
                play(set, &block, index * BLOCK, [x, y, z], [u, v, w]);
            });
        });
    }

    /// The agents, in any order.
    pub fn agents(&self) -> &Agents {
        &self.agents
    }

    /// Puts other agents in the place of the present ones.
    pub fn set_agents(&mut self, agents: Agents) {
        self.agents = agents;
    }

    /// Agents caught since the engine was made.
    pub fn caught(&self) -> u64 {
        self.caught
    }
}

/// Positions and velocities in the units of the sums.
fn measure(agents: &Agents, units: &Units, measured: &mut Measured) {
    for axis in 0..3 {
        let places = &mut measured.places[axis];
        places.clear();
        places.extend(agents.positions[axis].iter().map(|place| place >> units.place));
        let velocities = &mut measured.velocities[axis];
        velocities.clear();
        velocities.extend(
            agents.velocities[axis]
                .iter()
                .map(|velocity| if units.velocity == 0 { *velocity } else { round_shift(*velocity, units.velocity) }),
        );
    }
}

/// What is the same for all agents of a step.
struct Block<'a> {
    search: &'a Search,
    among: &'a Among<'a>,
    rules: &'a AgentRules,
    units: &'a Units,
    ground: &'a Ground,
    parameters: &'a Parameters,
}

/// Moves a block of agents with an instruction set.
fn play(set: InstructionSet, block: &Block<'_>, first: usize, places: [&mut [i32]; 3], velocities: [&mut [i32]; 3]) {
    match set {
        InstructionSet::Portable => play_portable::<4>(block, first, places, velocities),
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => {
            assert!(set.is_available(), "the processor has no AVX2");
            // SAFETY: the processor has the features, as just asserted.
            unsafe { play_avx2(block, first, places, velocities) }
        }
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512 => {
            assert!(set.is_available(), "the processor has no AVX-512");
            // SAFETY: the processor has the features, as just asserted.
            unsafe { play_avx512(block, first, places, velocities) }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
fn play_avx2(block: &Block<'_>, first: usize, places: [&mut [i32]; 3], velocities: [&mut [i32]; 3]) {
    play_portable::<8>(block, first, places, velocities);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt")]
fn play_avx512(block: &Block<'_>, first: usize, places: [&mut [i32]; 3], velocities: [&mut [i32]; 3]) {
    play_portable::<16>(block, first, places, velocities);
}

#[inline(always)]
fn play_portable<const L: usize>(
    block: &Block<'_>,
    first: usize,
    places: [&mut [i32]; 3],
    velocities: [&mut [i32]; 3],
) {
    let mut sums = [Sums::default(); BLOCK];
    let count = places[0].len();
    let (agents, into) = (first..first + count, &mut sums[..count]);
    let (search, among) = (block.search, block.among);
    match (block.rules.set, block.ground.space.axes()) {
        (RuleSet::School, 2) => search.sum::<School, 2, L>(among, agents, into),
        (RuleSet::School, _) => search.sum::<School, 3, L>(among, agents, into),
        (RuleSet::Flock, 2) => search.sum::<Flock, 2, L>(among, agents, into),
        (RuleSet::Flock, _) => search.sum::<Flock, 3, L>(among, agents, into),
        (RuleSet::HalfFlock, 2) => search.sum::<HalfFlock, 2, L>(among, agents, into),
        (RuleSet::HalfFlock, _) => search.sum::<HalfFlock, 3, L>(among, agents, into),
        (RuleSet::Reynolds, 2) => search.sum::<Reynolds, 2, L>(among, agents, into),
        (RuleSet::Reynolds, _) => search.sum::<Reynolds, 3, L>(among, agents, into),
    }
    if !Sums::counts_self(block.rules.set) {
        for (index, sums) in sums[..count].iter_mut().enumerate() {
            let own = [0, 1, 2].map(|axis| among.measured.velocities[axis][first + index]);
            without_self(sums, own, block);
        }
    }
    turn_and_move(block, &sums[..count], places, velocities);
}

/// Takes the agent itself out of its sums, among whose neighbours it stands at distance 0.
#[inline(always)]
fn without_self(sums: &mut Sums, velocity: Vector3, block: &Block<'_>) {
    let is_seen = block.rules.set != RuleSet::HalfFlock;
    if is_seen && block.units.alignment > 0 {
        sums.aligning -= 1;
        sums.alignment = subtract3(sums.alignment, velocity);
    }
    if is_seen && block.units.cohesion > 0 {
        sums.cohering -= 1;
    }
}

#[inline(always)]
fn turn_and_move(block: &Block<'_>, sums: &[Sums], places: [&mut [i32]; 3], velocities: [&mut [i32]; 3]) {
    for index in 0..sums.len() {
        let place = [0, 1, 2].map(|axis: usize| places[axis][index]);
        let velocity = [0, 1, 2].map(|axis: usize| velocities[axis][index]);
        let around = surroundings(place, &block.ground.space, block.parameters);
        let velocity = steer(velocity, &sums[index], &around, block.rules, block.units);
        let (place, velocity) = advance(block.rules.set, block.ground, place, velocity);
        for axis in 0..3 {
            places[axis][index] = place[axis];
            velocities[axis][index] = velocity[axis];
        }
    }
}
