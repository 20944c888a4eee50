//! The GPU engine: the kernels' WGSL on wgpu, by compute dispatches or by render passes into integer targets.
//!
//! Textures, pipelines and bind groups are made once; pipelines and bind groups again when the first solid is drawn. A step is a
//! row of dispatches; several steps go into one submission. Nothing is read back unless someone asks for it.

mod boxes;
mod ledger;
mod passes;

pub use boxes::box_bytes;

use crate::chain::plan::{Plan, PlannedField, Slot};
use crate::device::player::Player;
use crate::device::{Gpu, program, transfer};
use crate::engine::{Dispatch, Engine, LatticeEngine};
use crate::error::Failure;
use crate::kernels::parameters::Parameters;
use crate::numbers::Cell;
use crate::rules::Rules;
use crate::state::State;
use crate::world::{Edges, Extents, World};
use ledger::Ledger;
use passes::{PassContext, Passes};
use std::sync::Arc;

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
    player: Player,
    ledger: Ledger,
    /// The quanta caught under earlier plans.
    caught_before: u64,
    phase: usize,
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
        let player = Player::new(gpu.clone(), plan.phases[0].len());
        let capacities = world.capacities();
        let capacity = same(&capacities);
        let context = PassContext {
            gpu: &gpu,
            plan: &plan,
            rules,
            extents,
            edges: world.edges,
            dispatch,
            textures: &textures,
            parameters: player.parameters(),
        };
        let passes = Passes::new(context, capacity, Vec::new())?;
        let ledger = Ledger::new(context);
        gpu.check()?;
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
            player,
            ledger,
            caught_before: 0,
            phase: 0,
        };
        engine.set_capacities(&capacities)?;
        engine.set_state(start)?;
        Ok(engine)
    }

    fn texture(&self, slot: Slot) -> &wgpu::Texture {
        &self.textures[slot.field][slot.buffer]
    }
}

impl Engine for GpuEngine {
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
            let context = PassContext {
                gpu: &self.gpu,
                plan: &self.plan,
                rules: &self.rules,
                extents: self.extents,
                edges: self.edges,
                dispatch: self.dispatch,
                textures: &self.textures,
                parameters: self.player.parameters(),
            };
            self.passes = Passes::new(context, None, boxes)?;
            self.capacity = None;
        }
        self.gpu.check()
    }

    fn seconds_by_pass(&self) -> Vec<f64> {
        self.player.seconds_by_pass()
    }

    fn describe(&self) -> String {
        let dispatch = match self.dispatch {
            Dispatch::Compute { .. } => "compute",
            Dispatch::Fragment => "fragment",
        };
        format!("{} ({}), {dispatch}", self.gpu.info.name, self.gpu.info.backend)
    }
}

impl LatticeEngine for GpuEngine {
    fn play(&mut self, steps: &[Parameters]) -> Result<(), Failure> {
        let Self { player, plan, passes, ledger, phase, .. } = self;
        player.play(steps.iter().copied(), |encoder, offset, stopwatch| {
            for index in 0..plan.phases[*phase].len() {
                ledger.encode_caught(encoder, *phase, index, offset);
                passes.encode(encoder, *phase, index, offset, stopwatch);
            }
            *phase = (*phase + 1) % plan.phases.len();
        })
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

    fn set_plan(&mut self, plan: Arc<Plan>, rules: &Rules, world: &World) -> Result<(), Failure> {
        let caught = self.caught()?;
        let mut old = self.textures.clone();
        // A plan begins with the newest state in the first buffers.
        for slot in self.plan.state[self.phase] {
            old[slot.field].swap(0, slot.buffer);
        }
        let names = self.plan.fields.iter().map(|field| field.name.clone());
        let textures = textures(&self.gpu, &plan, self.extents, self.dispatch, names.zip(old).collect());
        let capacity = (!world.solids.contains(&true)).then_some(world.capacity);
        let context = PassContext {
            gpu: &self.gpu,
            plan: &plan,
            rules,
            extents: self.extents,
            edges: world.edges,
            dispatch: self.dispatch,
            textures: &textures,
            parameters: self.player.parameters(),
        };
        let passes = Passes::new(context, capacity, Vec::new())?;
        let ledger = Ledger::new(context);
        self.gpu.check()?;
        self.player.measure(plan.phases[0].len());
        (self.textures, self.passes, self.ledger) = (textures, passes, ledger);
        (self.plan, self.rules, self.edges, self.capacity) = (plan, rules.clone(), world.edges, capacity);
        (self.phase, self.caught_before) = (0, caught);
        Ok(())
    }

    fn word(&mut self, slot: Slot, cell: Cell) -> Result<u32, Failure> {
        transfer::download_cell(&self.gpu, self.texture(slot), cell)
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
    let read = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC | wgpu::TextureUsages::COPY_DST;
    let size = [extents.width, extents.height];
    program::texture(&gpu.device, name, size, wgpu::TextureFormat::R32Uint, 1, read | written)
}
