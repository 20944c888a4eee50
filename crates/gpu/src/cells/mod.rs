//! The GPU engine: the kernels' WGSL on wgpu, by compute dispatches or by render passes into integer targets.
//!
//! Textures, pipelines and bind groups are made once; pipelines and bind groups again for another plan, and when the first solid is
//! drawn. A step is a row of dispatches; several steps go into one submission. Nothing is read back unless a caller asks.

mod boxes;
mod ledger;
mod passes;

pub use boxes::box_bytes;

use crate::chain::plan::{Plan, PlannedField, Slot};
use crate::device::{Gpu, Stopwatch, transfer};
use crate::engine::{Dispatch, Engine};
use crate::error::Failure;
use crate::kernels::BuiltInKernel;
use crate::kernels::parameters::Parameters;
use crate::numbers::Cell;
use crate::rules::Rules;
use crate::state::State;
use crate::world::{Edges, Extents, World};
use ledger::Ledger;
use passes::{Made, Passes};
use std::sync::Arc;

/// Steps in one submission, each with its own parameters.
pub(crate) const STEPS_PER_SUBMISSION: usize = 64;
/// The least distance of two dynamic offsets in WebGPU.
pub(crate) const PARAMETERS_STRIDE: u64 = 256;

/// A swarm on a GPU.
pub struct GpuEngine {
    gpu: Arc<Gpu>,
    plan: Arc<Plan>,
    extents: Extents,
    dispatch: Dispatch,
    /// By field, then by buffer.
    textures: Vec<Vec<wgpu::Texture>>,
    passes: Passes,
    /// What the passes are made for.
    rules: Rules,
    edges: Edges,
    /// The capacity that the passes take every cell to have.
    capacity: Option<u32>,
    parameters: wgpu::Buffer,
    ledger: Ledger,
    /// The quanta caught under earlier plans.
    caught_before: u64,
    phase: usize,
    /// Of the passes, in the last step of a submission; `None`: the adapter has no clock.
    stopwatch: Option<Stopwatch>,
    /// The last submission but one is waited for before the next, so that the queue stays short.
    last: Option<wgpu::SubmissionIndex>,
}

impl GpuEngine {
    /// An engine for a plan, with the preset's starting state.
    ///
    /// # Errors
    /// A kernel that does not compile (with its file and line), or a device that cannot hold the lattice.
    pub fn new(
        gpu: Arc<Gpu>,
        plan: Arc<Plan>,
        rules: &Rules,
        world: &World,
        start: &State,
        dispatch: Dispatch,
    ) -> Result<Self, Failure> {
        let extents = world.extents;
        let textures = textures(&gpu, &plan, extents, dispatch, Vec::new());
        let parameters = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("parameters"),
            size: PARAMETERS_STRIDE * STEPS_PER_SUBMISSION as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let capacities = world.capacities();
        let capacity = same(&capacities);
        let made = Made { plan: &plan, rules, extents, edges: world.edges, dispatch };
        let passes = Passes::new(&gpu, made, &textures, &parameters, capacity, Vec::new())?;
        let ledger = Ledger::new(&gpu, &plan, world, &textures, &parameters);
        gpu.check()?;
        let stopwatch = Stopwatch::new(&gpu.device, &gpu.queue, plan.phases[0].len());
        let mut engine = Self {
            gpu,
            plan,
            extents,
            dispatch,
            textures,
            passes,
            rules: rules.clone(),
            edges: world.edges,
            capacity,
            parameters,
            ledger,
            caught_before: 0,
            phase: 0,
            stopwatch,
            last: None,
        };
        engine.set_capacities(&capacities)?;
        engine.set_state(start)?;
        Ok(engine)
    }

    fn encode_step(&self, encoder: &mut wgpu::CommandEncoder, offset: u32, is_timed: bool) {
        let stopwatch = self.stopwatch.as_ref().filter(|_| is_timed);
        for (index, pass) in self.plan.phases[self.phase].iter().enumerate() {
            if self.plan.kernels[pass.kernel].twin == Some(BuiltInKernel::Jaws) {
                self.ledger.encode_caught(encoder, self.phase, offset);
            }
            self.passes.encode(encoder, self.phase, index, offset, stopwatch);
        }
    }

    fn texture(&self, slot: Slot) -> &wgpu::Texture {
        &self.textures[slot.field][slot.buffer]
    }
}

impl Engine for GpuEngine {
    fn play(&mut self, steps: &[Parameters]) -> Result<(), Failure> {
        for steps in steps.chunks(STEPS_PER_SUBMISSION) {
            let mut words = vec![0u8; steps.len() * PARAMETERS_STRIDE as usize];
            for (slot, parameters) in words.chunks_mut(PARAMETERS_STRIDE as usize).zip(steps) {
                let bytes = bytemuck::bytes_of(parameters);
                slot[..bytes.len()].copy_from_slice(bytes);
            }
            self.gpu.queue.write_buffer(&self.parameters, 0, &words);
            let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
            if let Some(stopwatch) = &mut self.stopwatch {
                // What was waited for meanwhile.
                stopwatch.collect();
            }
            let is_timed = self.stopwatch.as_ref().is_some_and(Stopwatch::is_free);
            for index in 0..steps.len() {
                let is_last = index + 1 == steps.len();
                self.encode_step(&mut encoder, index as u32 * PARAMETERS_STRIDE as u32, is_timed && is_last);
                self.phase = (self.phase + 1) % self.plan.phases.len();
            }
            if let Some(stopwatch) = self.stopwatch.as_mut().filter(|_| is_timed) {
                stopwatch.fetch(&mut encoder);
            }
            let submission = self.gpu.submit(encoder);
            if let Some(stopwatch) = &mut self.stopwatch {
                stopwatch.collect();
            }
            if let Some(previous) = self.last.replace(submission) {
                self.gpu.wait(Some(previous))?;
            }
        }
        self.gpu.check()
    }

    fn total(&mut self) -> Result<u64, Failure> {
        self.ledger.total(&self.gpu, self.phase)
    }

    fn caught(&mut self) -> Result<u64, Failure> {
        Ok(self.caught_before + self.ledger.caught(&self.gpu)?)
    }

    fn set_capacities(&mut self, capacities: &[u32]) -> Result<(), Failure> {
        transfer::upload(&self.gpu, self.texture(self.plan.capacity), self.extents, capacities);
        if self.capacity.is_some() && same(capacities) != self.capacity {
            // From here on each cell's is looked up, so that whoever draws solids waits once.
            let boxes = self.passes.take_boxes();
            let Self { gpu, plan, rules, textures, parameters, .. } = &*self;
            let Self { extents, edges, dispatch, .. } = *self;
            let made = Made { plan, rules, extents, edges, dispatch };
            self.passes = Passes::new(gpu, made, textures, parameters, None, boxes)?;
            self.capacity = None;
        }
        self.gpu.check()
    }

    fn set_plan(&mut self, plan: Arc<Plan>, rules: &Rules, world: &World) -> Result<(), Failure> {
        let caught = self.caught()?;
        let Self { gpu, parameters, extents, dispatch, .. } = &*self;
        let mut old = self.textures.clone();
        // A plan begins with the newest state in the first buffers.
        for slot in self.plan.state[self.phase] {
            old[slot.field].swap(0, slot.buffer);
        }
        let names = self.plan.fields.iter().map(|field| field.name.clone());
        let textures = textures(gpu, &plan, *extents, *dispatch, names.zip(old).collect());
        let capacity = (!world.solids.contains(&true)).then_some(world.capacity);
        let made = Made { plan: &plan, rules, extents: *extents, edges: world.edges, dispatch: *dispatch };
        let passes = Passes::new(gpu, made, &textures, parameters, capacity, Vec::new())?;
        let ledger = Ledger::new(gpu, &plan, world, &textures, parameters);
        gpu.check()?;
        let stopwatch = Stopwatch::new(&gpu.device, &gpu.queue, plan.phases[0].len());
        (self.textures, self.passes, self.ledger, self.stopwatch) = (textures, passes, ledger, stopwatch);
        (self.plan, self.rules, self.edges, self.capacity) = (plan, rules.clone(), world.edges, capacity);
        (self.phase, self.caught_before) = (0, caught);
        Ok(())
    }

    fn state(&mut self) -> Result<State, Failure> {
        let [density, control] = self.plan.state[self.phase];
        Ok(State {
            extents: self.extents,
            density: transfer::download(&self.gpu, self.texture(density), self.extents)?,
            control: transfer::download(&self.gpu, self.texture(control), self.extents)?,
        })
    }

    fn set_state(&mut self, state: &State) -> Result<(), Failure> {
        self.phase = 0;
        let [density, control] = self.plan.state[0];
        transfer::upload(&self.gpu, self.texture(density), self.extents, &state.density);
        transfer::upload(&self.gpu, self.texture(control), self.extents, &state.control);
        self.gpu.check()
    }

    fn word(&mut self, slot: Slot, cell: Cell) -> Result<u32, Failure> {
        transfer::download_cell(&self.gpu, self.texture(slot), cell)
    }

    fn seconds_by_pass(&self) -> Vec<f64> {
        self.stopwatch.as_ref().map_or(Vec::new(), |stopwatch| stopwatch.seconds().to_vec())
    }

    fn describe(&self) -> String {
        let dispatch = match self.dispatch {
            Dispatch::Compute { .. } => "compute",
            Dispatch::Fragment => "fragment",
        };
        format!("{} ({}), {dispatch}", self.gpu.info.name, self.gpu.info.backend)
    }
}

/// What all cells have, if it is the same.
fn same(capacities: &[u32]) -> Option<u32> {
    let first = *capacities.first()?;
    capacities.iter().all(|capacity| *capacity == first).then_some(first)
}

/// The textures of a plan by field, then by buffer. Those of `old` are taken over by name.
fn textures(
    gpu: &Gpu,
    plan: &Plan,
    extents: Extents,
    dispatch: Dispatch,
    mut old: Vec<(String, Vec<wgpu::Texture>)>,
) -> Vec<Vec<wgpu::Texture>> {
    let buffers = |field: &PlannedField| {
        let place = old.iter().position(|(name, _)| *name == field.name);
        let mut buffers = place.map_or(Vec::new(), |place| old.swap_remove(place).1);
        buffers.resize_with(field.buffers, || texture(gpu, &field.name, extents, dispatch));
        buffers
    };
    plan.fields.iter().map(buffers).collect()
}

fn texture(gpu: &Gpu, name: &str, extents: Extents, dispatch: Dispatch) -> wgpu::Texture {
    let written = match dispatch {
        Dispatch::Compute { .. } => wgpu::TextureUsages::STORAGE_BINDING,
        Dispatch::Fragment => wgpu::TextureUsages::RENDER_ATTACHMENT,
    };
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(name),
        size: wgpu::Extent3d { width: extents.width, height: extents.height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::R32Uint,
        usage: wgpu::TextureUsages::TEXTURE_BINDING
            | wgpu::TextureUsages::COPY_SRC
            | wgpu::TextureUsages::COPY_DST
            | written,
        view_formats: &[],
    })
}
