//! The agents on the CPU: every search, any number of threads, the same bits.

use super::movement::{Terrain, advance, is_caught, surroundings};
use super::rules::{AgentRules, RuleSet, Units};
use super::search::{Among, Scratch, Search, SearchKind};
use super::steer::Surroundings;
use super::sums::{BLOCK, Flock, HalfFlock, Kind, Measured, Reynolds, School, SumBlock};
use super::{Agents, PLACE_BITS};
use crate::error::Failure;
use crate::kernels::parameters::Parameters;
#[cfg(target_arch = "x86_64")]
use crate::lanes::{Avx2, Avx512};
use crate::lanes::{InstructionSet, Lanes, MAX_LANES, Portable};
use crate::parallel::*;
use crate::vector::zero;
use crate::world::Edges;
use std::time::{Duration, Instant};

/// A swarm of agents in memory, and the threads that move it.
pub struct CpuIndividuals {
    pool: rayon::ThreadPool,
    instruction_set: InstructionSet,
    rules: AgentRules,
    units: Units,
    ground: Terrain,
    search: Search,
    agents: Agents,
    /// Room for the agents in another order.
    spare: Agents,
    measured: Measured,
    /// One for each block of agents.
    scratch: Vec<Scratch>,
    /// Agents caught so far.
    caught: u64,
    /// How long the passes of the last step took (see [`crate::chain::Chain::phases`]).
    times: [Duration; 4],
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

impl CpuIndividuals {
    /// An engine with these agents. `units` must be those of the rules for at least as many.
    ///
    /// # Errors
    /// Where no threads can be started.
    pub fn new(
        rules: AgentRules,
        units: Units,
        ground: Terrain,
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
            scratch: Vec::new(),
            caught: 0,
            times: [Duration::ZERO; 4],
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
        let begun = Instant::now();
        self.caught += self.agents.take(|position| is_caught(position, &space, parameters)) as u64;
        let closed = Instant::now();
        self.search.prepare(&mut self.agents, &mut self.spare);
        let Self { pool, instruction_set, rules, units, ground, search, agents, measured, scratch, times, .. } = self;
        scratch.resize_with(agents.len().div_ceil(BLOCK), Scratch::default);
        measured.fill(agents, units);
        let among = Among { measured, units, extents: units.extents(&space), is_torus: space.edges == Edges::Torus };
        let block = Block { search, among: &among, rules, units, ground, parameters };
        let set = *instruction_set;
        let prepared = Instant::now();
        let [x, y, z] = &mut agents.positions;
        let [u, v, w] = &mut agents.velocities;
        pool.install(|| {
            let places = (x.par_chunks_mut(BLOCK), y.par_chunks_mut(BLOCK), z.par_chunks_mut(BLOCK));
            let velocities = (u.par_chunks_mut(BLOCK), v.par_chunks_mut(BLOCK), w.par_chunks_mut(BLOCK));
            let blocks = (places, velocities, scratch.par_iter_mut()).into_par_iter().enumerate();
            blocks.for_each(|(index, ((x, y, z), (u, v, w), scratch))| {
                play(set, &block, index * BLOCK, [x, y, z], [u, v, w], scratch);
            });
        });
        // Every thread looks around and steers, block after block: what both took together is shared out between them.
        let both = prepared.elapsed();
        let mut looked = Duration::ZERO;
        let mut steered = Duration::ZERO;
        for block in scratch.iter() {
            looked += block.looked;
            steered += block.steered;
        }
        let part = looked.as_secs_f64() / (looked + steered).as_secs_f64().max(f64::MIN_POSITIVE);
        let looked = both.mul_f64(part.min(1.0));
        *times = [closed - begun, prepared - closed, looked, both.saturating_sub(looked)];
    }

    /// The agents, in any order.
    pub fn agents(&self) -> &Agents {
        &self.agents
    }

    /// Where the agents may be.
    pub fn ground(&self) -> &Terrain {
        &self.ground
    }

    /// Puts other solids in the place of the present ones, by column, x fastest; none where the list is empty.
    pub fn set_solids(&mut self, solids: Vec<bool>) {
        self.ground.solids = solids;
    }

    /// Goes on under other rules, where they differ only in numbers: these are the same [set](AgentRules::is_like), and all
    /// units but that of weights.
    pub fn set_rules(&mut self, rules: AgentRules, units: Units) {
        (self.rules, self.units) = (rules, units);
    }

    /// What the engine runs on, for people.
    pub fn describe(&self) -> String {
        let threads = self.pool.current_num_threads();
        let plural = if threads == 1 { "" } else { "s" };
        format!("{threads} thread{plural}, {}", self.instruction_set)
    }

    /// Puts other agents in the place of the present ones.
    pub fn set_agents(&mut self, agents: Agents) {
        self.agents = agents;
    }

    /// How long each pass of the last step took, in seconds.
    pub fn seconds_by_pass(&self) -> Vec<f64> {
        self.times.iter().map(Duration::as_secs_f64).collect()
    }

    /// Agents caught since the engine was made.
    pub fn caught(&self) -> u64 {
        self.caught
    }
}

/// What is the same for all agents of a step.
struct Block<'a> {
    search: &'a Search,
    among: &'a Among<'a>,
    rules: &'a AgentRules,
    units: &'a Units,
    ground: &'a Terrain,
    parameters: &'a Parameters,
}

/// Moves a block of agents with an instruction set.
fn play(
    set: InstructionSet,
    block: &Block<'_>,
    first: usize,
    places: [&mut [i32]; 3],
    velocities: [&mut [i32]; 3],
    scratch: &mut Scratch,
) {
    match set {
        InstructionSet::Portable => play_portable::<Portable>(block, first, places, velocities, scratch),
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => {
            assert!(set.is_available(), "the processor has no AVX2");
            // SAFETY: the processor has the features, as just asserted.
            unsafe { play_avx2(block, first, places, velocities, scratch) }
        }
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512 => {
            assert!(set.is_available(), "the processor has no AVX-512");
            // SAFETY: the processor has the features, as just asserted.
            unsafe { play_avx512(block, first, places, velocities, scratch) }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
fn play_avx2(
    block: &Block<'_>,
    first: usize,
    places: [&mut [i32]; 3],
    velocities: [&mut [i32]; 3],
    scratch: &mut Scratch,
) {
    play_portable::<Avx2>(block, first, places, velocities, scratch);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt")]
fn play_avx512(
    block: &Block<'_>,
    first: usize,
    places: [&mut [i32]; 3],
    velocities: [&mut [i32]; 3],
    scratch: &mut Scratch,
) {
    play_portable::<Avx512>(block, first, places, velocities, scratch);
}

#[inline(always)]
fn play_portable<V: Lanes>(
    block: &Block<'_>,
    first: usize,
    places: [&mut [i32]; 3],
    velocities: [&mut [i32]; 3],
    scratch: &mut Scratch,
) {
    match (block.rules.set, block.ground.space.axes()) {
        (RuleSet::School, 2) => play_rules::<School, 2, V>(block, first, places, velocities, scratch),
        (RuleSet::School, _) => play_rules::<School, 3, V>(block, first, places, velocities, scratch),
        (RuleSet::Flock, 2) => play_rules::<Flock, 2, V>(block, first, places, velocities, scratch),
        (RuleSet::Flock, _) => play_rules::<Flock, 3, V>(block, first, places, velocities, scratch),
        (RuleSet::HalfFlock, 2) => play_rules::<HalfFlock, 2, V>(block, first, places, velocities, scratch),
        (RuleSet::HalfFlock, _) => play_rules::<HalfFlock, 3, V>(block, first, places, velocities, scratch),
        (RuleSet::Reynolds, 2) => play_rules::<Reynolds, 2, V>(block, first, places, velocities, scratch),
        (RuleSet::Reynolds, _) => play_rules::<Reynolds, 3, V>(block, first, places, velocities, scratch),
    }
}

#[inline(always)]
fn play_rules<K: Kind, const AXES: usize, V: Lanes>(
    block: &Block<'_>,
    first: usize,
    places: [&mut [i32]; 3],
    velocities: [&mut [i32]; 3],
    scratch: &mut Scratch,
) {
    let count = places[0].len();
    let begun = Instant::now();
    block.search.sum::<K, AXES, V>(block.among, first..first + count, scratch);
    let summed = Instant::now();
    scratch.looked = summed - begun;
    steer::<K, AXES, V>(block, first, places, velocities, &scratch.sums);
    scratch.steered = summed.elapsed();
}

/// Turns and moves the agents of a block, whose sums are known.
#[inline(always)]
fn steer<K: Kind, const AXES: usize, V: Lanes>(
    block: &Block<'_>,
    first: usize,
    places: [&mut [i32]; 3],
    velocities: [&mut [i32]; 3],
    sums: &SumBlock,
) {
    let count = places[0].len();
    let space = &block.ground.space;
    // Surroundings are looked at one by one, where there are any; the arithmetic of the rules is then the same for all.
    let has_surroundings = block.parameters.hunter_reach > 0 || block.parameters.margin > 0;
    let mut hunted = [[0; BLOCK]; 3];
    let mut walled = [[0; BLOCK]; 3];
    if has_surroundings {
        for index in 0..count {
            let position = [places[0][index], places[1][index], places[2][index]];
            let around = surroundings(position, space, block.parameters);
            for axis in 0..AXES {
                (hunted[axis][index], walled[axis][index]) = (around.hunter[axis], around.walls[axis]);
            }
        }
    }
    let is_open = block.ground.solids.is_empty() && space.edges == Edges::Torus;
    for index in (0..count).step_by(V::COUNT) {
        let mut around = Surroundings { hunter: [V::splat(0); 3], walls: [V::splat(0); 3] };
        if has_surroundings {
            for axis in 0..AXES {
                around.hunter[axis] = V::load(&hunted[axis][index..]);
                around.walls[axis] = V::load(&walled[axis][index..]);
            }
        }
        let own = block.among.measured.velocities(first + index);
        let sums = sums.load::<V>(index).without_self::<K, AXES>(own, block.units);
        let mut velocity = zero();
        for axis in 0..AXES {
            velocity[axis] = load_some(velocities[axis], index);
        }
        let velocity = K::steer::<V, AXES>(velocity, &sums, &around, block.rules, block.units);
        for axis in 0..AXES {
            store_some(velocity[axis], velocities[axis], index);
        }
        if is_open {
            // Nothing is in the way of anyone: as `advance`, for several at once.
            for axis in 0..AXES {
                let to = load_some::<V>(places[axis], index).add(velocity[axis].shift_left::<2>());
                let end = V::splat((space.extents[axis] as i32) << PLACE_BITS);
                let to = to.add(end.and(to.less_than(V::splat(0))));
                store_some(to.subtract(end.and(end.subtract(V::splat(1)).less_than(to))), places[axis], index);
            }
        }
    }
    if is_open {
        return;
    }
    let ([x, y, z], [u, v, w]) = (places, velocities);
    for index in 0..count {
        let (place, velocity) =
            advance(block.rules.set, block.ground, [x[index], y[index], z[index]], [u[index], v[index], w[index]]);
        [x[index], y[index], z[index]] = place;
        [u[index], v[index], w[index]] = velocity;
    }
}

/// As many as there are lanes from one on, or those that there are.
#[inline(always)]
fn load_some<V: Lanes>(from: &[i32], first: usize) -> V {
    let from = &from[first..];
    if from.len() >= V::COUNT {
        return V::load(from);
    }
    let mut some = [0; MAX_LANES];
    some[..from.len()].copy_from_slice(from);
    V::load(&some)
}

/// Puts the lanes into a list from a place on, as many as it has room for.
#[inline(always)]
fn store_some<V: Lanes>(lanes: V, to: &mut [i32], first: usize) {
    let to = &mut to[first..];
    if to.len() >= V::COUNT {
        return lanes.store(to);
    }
    let mut some = [0; MAX_LANES];
    lanes.store(&mut some);
    to.copy_from_slice(&some[..to.len()]);
}
