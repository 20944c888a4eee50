//! The CPU engine: the kernels' twins on all cores, without a driver.

use super::Engine;
use crate::chain::plan::{Plan, Slot};
use crate::error::{BadInput, Failure};
use crate::fields::{Field, Layout};
use crate::kernels::behaviour::{self, LOOKING};
use crate::kernels::parameters::Parameters;
use crate::kernels::sums::Summing;
use crate::kernels::{self, Band, BuiltInKernel, MOST_WRITES, PreparedSight, Scene, jaws, movement};
use crate::lanes::{InstructionSet, Lanes, Unrolled, Vectorized};
use crate::numbers::{Cell, MOST_RULES};
use crate::rules::Rules;
use crate::state::State;
use crate::world::World;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bands of rows for each thread: more even work, for a few rows staged twice.
const BANDS_PER_THREAD: usize = 2;

/// How the engine is to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Threads; `None`: one for each core.
    pub threads: Option<usize>,
    /// `None`: the widest that the processor has.
    pub instruction_set: Option<InstructionSet>,
}

/// A swarm in memory and the threads that move it.
pub struct CpuEngine {
    pool: rayon::ThreadPool,
    lattice: Lattice,
}

/// The fields of a plan and what its passes need.
struct Lattice {
    plan: Arc<Plan>,
    instruction_set: InstructionSet,
    layout: Layout,
    /// By field, then by buffer.
    fields: Vec<Vec<Field>>,
    /// The twin of each kernel of the plan.
    twins: Vec<BuiltInKernel>,
    sights: BTreeMap<String, PreparedSight>,
    rows_per_band: usize,
    /// Room for the staged rows of each band.
    scratch: Vec<Scratch>,
    phase: usize,
    /// Quanta caught so far.
    caught: u64,
    /// The time of each pass in the last step.
    times: Vec<Duration>,
}

/// What one worker needs beside the fields.
struct Scratch {
    words: Vec<i32>,
    places: Vec<usize>,
}

impl CpuEngine {
    /// An engine for a plan, with the preset's starting state.
    ///
    /// Refused: a plan with a kernel that has no twin in Rust.
    pub fn new(
        plan: Arc<Plan>,
        rules: &Rules,
        world: &World,
        start: &State,
        options: Options,
    ) -> Result<Self, Failure> {
        let mut twins = Vec::new();
        for kernel in &plan.kernels {
            twins.push(kernel.twin.ok_or_else(|| {
                let problem = format!("the kernel `{}` has no twin in Rust, so it runs on the GPU only", kernel.name);
                BadInput::new(&kernel.origin, problem, "add --engine gpu")
            })?);
        }
        let mut builder = rayon::ThreadPoolBuilder::new().thread_name(|index| format!("cells-{index}"));
        if let Some(threads) = options.threads {
            builder = builder.num_threads(threads);
        }
        let pool = builder.build().map_err(|error| Failure::Device(format!("no threads could be started: {error}")))?;

        let layout = Layout::new(world.extents, world.edges, plan.reach as usize);
        let height = world.extents.height as usize;
        let rows_per_band = height.div_ceil(pool.current_num_threads() * BANDS_PER_THREAD);
        let width = world.extents.width as usize;
        let words = behaviour::scratch_words(plan.reach).max(movement::scratch_words(width));
        let mut lattice = Lattice {
            instruction_set: options.instruction_set.unwrap_or_else(InstructionSet::widest),
            layout,
            fields: plan.fields.iter().map(|field| vec![Field::new(layout); field.buffers]).collect(),
            twins,
            sights: rules.sights.iter().map(|(name, sight)| (name.clone(), PreparedSight::new(sight))).collect(),
            rows_per_band,
            scratch: (0..height.div_ceil(rows_per_band))
                .map(|_| Scratch { words: vec![0; words], places: vec![0; LOOKING * Summing::MOST_PLACES] })
                .collect(),
            phase: 0,
            caught: 0,
            times: vec![Duration::ZERO; plan.phases[0].len()],
            plan,
        };
        lattice.load_capacities(&world.capacities());
        lattice.load(start);
        Ok(Self { pool, lattice })
    }
}

impl Lattice {
    fn load_capacities(&mut self, capacities: &[u32]) {
        let capacity = self.plan.capacity;
        self.fields[capacity.field][capacity.buffer].load(capacities);
    }

    fn load(&mut self, state: &State) {
        self.phase = 0;
        let [density, control] = self.plan.state[0];
        self.fields[density.field][density.buffer].load(&state.density);
        self.fields[control.field][control.buffer].load(&state.control);
    }

    fn state(&self) -> [&Field; 2] {
        self.plan.state[self.phase].map(|slot| &self.fields[slot.field][slot.buffer])
    }

    fn step(&mut self, parameters: &Parameters) {
        for index in 0..self.plan.phases[self.phase].len() {
            let begun = Instant::now();
            self.pass(index, parameters);
            self.times[index] = begun.elapsed();
        }
        self.phase = (self.phase + 1) % self.plan.phases.len();
    }

    /// Plays one pass: every band of rows on some thread.
    fn pass(&mut self, index: usize, parameters: &Parameters) {
        let Self { plan, fields, scratch, layout, .. } = self;
        let pass = &plan.phases[self.phase][index];
        // The buffers written are taken out while others are read; a pass never reads a buffer that it writes.
        let mut written: [Option<Field>; MOST_WRITES] = Default::default();
        for (taken, slot) in written.iter_mut().zip(&pass.write) {
            *taken = Some(std::mem::replace(&mut fields[slot.field][slot.buffer], Field::absent(*layout)));
        }
        let nowhere = Field::absent(*layout);
        let mut views = [nowhere.view(); MOST_RULES + 1];
        for (view, slot) in views.iter_mut().zip(&pass.read) {
            *view = fields[slot.field][slot.buffer].view();
        }
        let mut sights = [None; LOOKING];
        for (sight, name) in sights.iter_mut().zip(&pass.sights) {
            *sight = name.as_ref().map(|name| &self.sights[name]);
        }
        let scene = Scene {
            extents: layout.extents,
            edges: layout.edges,
            parameters,
            read: &views[..pass.read.len()],
            halo: layout.halo,
            stride: layout.stride,
            sights,
        };
        if self.twins[pass.kernel] == BuiltInKernel::Jaws {
            self.caught += jaws::caught(views[0], layout.extents, layout.edges, parameters);
        }
        let (twin, set, rows) = (self.twins[pass.kernel], self.instruction_set, self.rows_per_band);
        let height = layout.extents.height as usize;
        let play = |index: usize, write: &mut [&mut [u32]], scratch: &mut Scratch| {
            let first = index * rows;
            let rows = first as i32..(first + rows).min(height) as i32;
            let Scratch { words, places } = scratch;
            let mut band = Band { rows, write, scratch: words, places };
            set.run(PlayBand { twin, scene: &scene, band: &mut band });
            for words in band.write.iter_mut() {
                words.chunks_mut(layout.stride).for_each(|row| layout.close_row(row));
            }
        };
        let words = rows * layout.stride;
        let scratch = scratch.par_iter_mut();
        match &mut written {
            [Some(a), None, ..] => {
                let bands = (a.rows_mut().par_chunks_mut(words), scratch).into_par_iter().enumerate();
                bands.for_each(|(index, (a, scratch))| play(index, &mut [a], scratch));
            }
            [Some(a), Some(b), None, _] => {
                let [a, b] = [a, b].map(|field| field.rows_mut().par_chunks_mut(words));
                let bands = (a, b, scratch).into_par_iter().enumerate();
                bands.for_each(|(index, (a, b, scratch))| play(index, &mut [a, b], scratch));
            }
            [Some(a), Some(b), Some(c), Some(d)] => {
                let [a, b, c, d] = [a, b, c, d].map(|field| field.rows_mut().par_chunks_mut(words));
                let bands = (a, b, c, d, scratch).into_par_iter().enumerate();
                bands.for_each(|(index, (a, b, c, d, scratch))| play(index, &mut [a, b, c, d], scratch));
            }
            _ => unreachable!("twins write one, two or four fields"),
        }
        for (mut field, slot) in written.into_iter().flatten().zip(&pass.write) {
            field.close_ends();
            fields[slot.field][slot.buffer] = field;
        }
    }
}

/// A kernel on a band of rows.
struct PlayBand<'p, 's, 'a, 'b> {
    twin: BuiltInKernel,
    scene: &'p Scene<'s>,
    band: &'p mut Band<'a, 'b>,
}

impl Vectorized for PlayBand<'_, '_, '_, '_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        kernels::play::<Unrolled<L>>(self.twin, self.scene, self.band);
    }
}

impl Engine for CpuEngine {
    fn play(&mut self, steps: &[Parameters]) -> Result<(), Failure> {
        let Self { pool, lattice } = self;
        // The threads are entered once for all the steps.
        pool.install(|| steps.iter().for_each(|parameters| lattice.step(parameters)));
        Ok(())
    }

    fn total(&mut self) -> Result<u64, Failure> {
        let [density, _] = self.lattice.state();
        Ok(density.cells().map(|row| row.iter().map(|quanta| u64::from(*quanta)).sum::<u64>()).sum())
    }

    fn caught(&mut self) -> Result<u64, Failure> {
        Ok(self.lattice.caught)
    }

    fn set_capacities(&mut self, capacities: &[u32]) -> Result<(), Failure> {
        self.lattice.load_capacities(capacities);
        Ok(())
    }

    fn state(&mut self) -> Result<State, Failure> {
        let [density, control] = self.lattice.state().map(|field| field.cells().collect::<Vec<_>>().concat());
        Ok(State { extents: self.lattice.layout.extents, density, control })
    }

    fn set_state(&mut self, state: &State) -> Result<(), Failure> {
        self.lattice.load(state);
        Ok(())
    }

    fn word(&mut self, slot: Slot, [x, y]: Cell) -> Result<u32, Failure> {
        Ok(self.lattice.fields[slot.field][slot.buffer].view().span(x, y, 1)[0])
    }

    fn seconds_by_pass(&self) -> Vec<f64> {
        self.lattice.times.iter().map(Duration::as_secs_f64).collect()
    }

    fn describe(&self) -> String {
        let threads = self.pool.current_num_threads();
        let plural = if threads == 1 { "" } else { "s" };
        format!("{threads} thread{plural}, {}", self.lattice.instruction_set)
    }
}
