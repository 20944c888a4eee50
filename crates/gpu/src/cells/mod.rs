//! The GPU engine: the kernels' WGSL on wgpu, by compute dispatches or by render passes into integer targets.
//!
//! Textures, pipelines and bind groups are made once; pipelines and bind groups again when the first solid is drawn. A step is a
//! row of dispatches; several steps go into one submission. Nothing is read back unless someone asks for it.

mod boxes;
mod ledger;
mod passes;
mod state_textures;
mod sums;

pub use boxes::box_bytes;
pub use state_textures::{CurrentState, StateTextures};

use crate::atlas::Atlas;
use crate::chain::plan::{Plan, PlannedField, Slot};
use crate::device::Gpu;
use crate::device::player::Player;
use crate::device::program::texture;
use crate::device::transfer::{self, Words};
use crate::engine::{Dispatch, Engine, LatticeEngine, Totals};
use crate::error::Failure;
use crate::numbers::Cell;
use crate::rules::Rules;
use crate::shader::words_of;
use crate::state::State;
use crate::ticket::Ticket;
use crate::world::{Edges, Extents, World};
use ledger::Ledger;
use murmuration_core::cells::parameters::Parameters;
use murmuration_core::state_sums::StateSums;
use passes::Passes;
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;
use sums::SumPasses;

/// The formats of textures with one word and with two words a cell.
const FORMATS: [wgpu::TextureFormat; 2] = [wgpu::TextureFormat::R32Uint, wgpu::TextureFormat::Rg32Uint];

/// A lattice on a device: what passes are made for.
struct Lattice {
    gpu: Arc<Gpu>,
    plan: Arc<Plan>,
    rules: Rules,
    extents: Extents,
    atlas: Atlas,
    edges: Edges,
    dispatch: Dispatch,
    /// By field, then by buffer.
    textures: Vec<Vec<wgpu::Texture>>,
    /// The parameters of the steps.
    parameters: wgpu::Buffer,
}

/// A swarm on a GPU.
pub struct GpuEngine {
    lattice: Lattice,
    passes: Passes,
    /// The capacity that the passes take every cell to have.
    capacity: Option<u32>,
    player: Player,
    ledger: Ledger,
    /// The quanta caught under earlier plans.
    caught_before: u64,
    phase: usize,
    /// The present state, for pictures.
    shown: Arc<StateTextures>,
    /// Made when they are asked for.
    sums: Option<SumPasses>,
}

impl Lattice {
    /// A buffer of a field.
    fn texture(&self, slot: Slot) -> &wgpu::Texture {
        &self.textures[slot.field][slot.buffer]
    }

    /// A view of a buffer of a field.
    fn view(&self, slot: Slot) -> wgpu::TextureView {
        self.texture(slot).create_view(&Default::default())
    }

    /// Puts the values of all cells, x fastest, into a buffer of a field.
    fn upload<T: bytemuck::NoUninit + Default>(&self, slot: Slot, cells: &[T]) {
        self.gpu.touch();
        transfer::upload(&self.gpu.queue, self.texture(slot), &self.atlas.texels(cells));
    }

    /// The textures with the density and the control vectors before a phase.
    fn state(&self, phase: usize) -> [wgpu::Texture; 2] {
        self.plan.state[phase].map(|slot| self.texture(slot).clone())
    }

    /// The values of all cells, x fastest, from a buffer of a field.
    fn download<T: bytemuck::AnyBitPattern>(&self, slot: Slot) -> Result<Vec<T>, Failure> {
        let words = transfer::download(&self.gpu, self.texture(slot), [0; 2], self.atlas.size(), "state")?;
        Ok(self.atlas.cells(bytemuck::cast_slice(&words).to_vec()))
    }
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
        let mut engine = Self::with_textures(gpu, plan, rules, world, dispatch, BTreeMap::new(), None)?;
        engine.set_capacities(&world.capacities())?;
        engine.set_state(start)?;
        Ok(engine)
    }

    /// An engine that takes over the textures of fields, by their names, and what pictures are shown.
    fn with_textures(
        gpu: Arc<Gpu>,
        plan: Arc<Plan>,
        rules: &Rules,
        world: &World,
        dispatch: Dispatch,
        mut old: BTreeMap<String, Vec<wgpu::Texture>>,
        shown: Option<Arc<StateTextures>>,
    ) -> Result<Self, Failure> {
        let extents = world.extents;
        let atlas = Atlas::new(extents);
        let written = match dispatch {
            Dispatch::Compute { .. } => wgpu::TextureUsages::STORAGE_BINDING,
            Dispatch::Fragment => wgpu::TextureUsages::RENDER_ATTACHMENT,
        };
        let read = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC | wgpu::TextureUsages::COPY_DST;
        let buffers = |field: &PlannedField| {
            let mut buffers = old.remove(&field.name).unwrap_or_default();
            let format = FORMATS[words_of(field.texel, extents) - 1];
            let made = || texture(&gpu.device, &field.name, atlas.size(), format, 1, read | written);
            buffers.resize_with(field.buffers, made);
            buffers
        };
        let textures = plan.fields.iter().map(buffers).collect();
        let player = Player::new(gpu.clone(), plan.phases[0].len(), extents.cells() as u64);
        let (rules, edges, parameters) = (rules.clone(), world.edges, player.parameters().clone());
        let lattice = Lattice { gpu, plan, rules, extents, atlas, edges, dispatch, textures, parameters };
        let capacity = (!world.solids.contains(&true)).then_some(world.capacity);
        let passes = Passes::new(&lattice, capacity, Vec::new())?;
        let ledger = Ledger::new(&lattice);
        lattice.gpu.check()?;
        let now = lattice.state(0);
        let shown = match shown {
            Some(shown) => {
                shown.replace(now, None);
                shown
            }
            None => Arc::new(StateTextures::new(lattice.gpu.clone(), extents, now)),
        };
        Ok(Self { lattice, passes, capacity, player, ledger, caught_before: 0, phase: 0, shown, sums: None })
    }
}

impl Engine for GpuEngine {
    fn totals(&mut self) -> Result<Ticket<Totals>, Failure> {
        let before = self.caught_before;
        let totals = self.ledger.totals(&self.lattice.gpu, self.phase)?;
        Ok(totals.map(move |totals| Totals { caught: before + totals.caught, ..totals }))
    }

    fn set_capacities(&mut self, capacities: &[u32]) -> Result<(), Failure> {
        self.lattice.upload(self.lattice.plan.capacity, capacities);
        if self.capacity.is_some_and(|all| capacities.iter().any(|capacity| *capacity != all)) {
            // From here on each cell's capacity is looked up, so that drawing solids compiles the kernels once.
            let boxes = self.passes.take_boxes();
            self.passes = Passes::new(&self.lattice, None, boxes)?;
            self.capacity = None;
        }
        self.lattice.gpu.check()
    }

    fn seconds_by_pass(&self) -> Vec<f64> {
        self.player.seconds_by_pass()
    }

    fn on_device(&self) -> Option<Arc<dyn Any + Send + Sync>> {
        Some(self.shown.clone())
    }

    fn set_step(&mut self, step: u64) {
        self.shown.replace(self.lattice.state(self.phase), Some(step));
    }

    fn describe(&self) -> String {
        self.lattice.gpu.describe(match self.lattice.dispatch {
            Dispatch::Compute { .. } => "compute",
            Dispatch::Fragment => "fragment",
        })
    }
}

impl LatticeEngine for GpuEngine {
    fn play(&mut self, steps: &[Parameters]) -> Result<(), Failure> {
        let Self { player, lattice, passes, ledger, phase, shown, .. } = self;
        let phases = &lattice.plan.phases;
        let first = *phase;
        let encode = |encoder: &mut _, offset, stopwatch: Option<&_>| {
            for index in 0..phases[*phase].len() {
                ledger.encode_caught(encoder, *phase, index, offset);
                passes.encode(encoder, *phase, index, offset, stopwatch);
            }
            *phase = (*phase + 1) % phases.len();
        };
        let before = shown.current().step;
        player.play(steps, encode, |played| {
            shown.replace(lattice.state((first + played) % phases.len()), Some(before + played as u64));
        })
    }

    fn state(&mut self) -> Result<State, Failure> {
        let [density, control] = self.lattice.plan.state[self.phase];
        let extents = self.lattice.extents;
        let density = self.lattice.download(density)?;
        if extents.depth.is_none() {
            let control = self.lattice.download(control)?;
            return Ok(State { extents, density, control, control_z: Vec::new() });
        }
        let vectors: Vec<[u32; 2]> = self.lattice.download(control)?;
        let (control, control_z) = vectors.into_iter().map(|[word, z]| (word, z as i16)).unzip();
        Ok(State { extents, density, control, control_z })
    }

    fn set_state(&mut self, state: &State) -> Result<(), Failure> {
        let turn = self.lattice.gpu.turn();
        self.phase = 0;
        let [density, control] = self.lattice.plan.state[0];
        self.lattice.upload(density, &state.density);
        if state.control_z.is_empty() {
            self.lattice.upload(control, &state.control);
        } else {
            let along_z = state.control_z.iter().map(|z| i32::from(*z) as u32);
            let vectors: Vec<[u32; 2]> = state.control.iter().copied().zip(along_z).map(Into::into).collect();
            self.lattice.upload(control, &vectors);
        }
        self.shown.replace(self.lattice.state(0), None);
        drop(turn);
        self.lattice.gpu.check()
    }

    fn set_plan(&mut self, plan: Arc<Plan>, rules: &Rules, world: &World) -> Result<(), Failure> {
        let caught_before = self.totals()?.wait()?.caught;
        let Lattice { gpu, plan: last, textures, dispatch, .. } = &self.lattice;
        let mut old = textures.clone();
        // A plan begins with the newest state in the first buffers.
        for slot in last.state[self.phase] {
            old[slot.field].swap(0, slot.buffer);
        }
        let old = last.fields.iter().map(|field| field.name.clone()).zip(old).collect();
        let next = Self::with_textures(gpu.clone(), plan, rules, world, *dispatch, old, Some(self.shown.clone()))?;
        *self = Self { caught_before, ..next };
        Ok(())
    }

    fn sums(&mut self, shift: u32) -> Result<Option<Ticket<StateSums>>, Failure> {
        // The sums are of rows and columns of a plane.
        if self.lattice.extents.depth.is_some() {
            return Ok(None);
        }
        let sums = self.sums.get_or_insert_with(|| SumPasses::new(&self.lattice));
        sums.sums(&self.lattice, self.phase, shift).map(Some)
    }

    fn region(&mut self, first: [u32; 2], size: Extents) -> Result<Ticket<State>, Failure> {
        let gpu = &self.lattice.gpu;
        let encoder = gpu.device.create_command_encoder(&Default::default());
        let textures = self.lattice.state(self.phase);
        let words = textures.each_ref().map(|texture| Words::Texture(texture, first, [size.width, size.height]));
        let words_of_control = self.lattice.extents.axes() - 1;
        let read = transfer::request(gpu, encoder, &words, "state")?;
        Ok(read.map(move |mut words| {
            let control = words.remove(1).into_iter().step_by(words_of_control).collect();
            State { extents: size, density: words.remove(0), control, control_z: Vec::new() }
        }))
    }

    fn take_state_of(&mut self, other: &mut dyn LatticeEngine) -> Result<(), Failure> {
        let textures: Option<Arc<StateTextures>> = other.on_device().and_then(|shown| shown.downcast().ok());
        let Some(textures) = textures.filter(|textures| textures.gpu.device == self.lattice.gpu.device) else {
            return self.set_state(&other.state()?);
        };
        let gpu = self.lattice.gpu.clone();
        self.phase = 0;
        let now = self.lattice.state(0);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let turn = gpu.turn();
        let CurrentState { step, .. } = textures.encode_copy(&mut encoder, &now);
        gpu.submit(encoder);
        self.shown.replace(now, Some(step));
        drop(turn);
        gpu.check()
    }

    fn word(&mut self, slot: Slot, cell: Cell) -> Result<Ticket<u32>, Failure> {
        let gpu = &self.lattice.gpu;
        let encoder = gpu.device.create_command_encoder(&Default::default());
        let word = Words::Texture(self.lattice.texture(slot), cell.map(|axis| axis as u32), [1; 2]);
        Ok(transfer::request(gpu, encoder, &[word], "state")?.map(|words| words[0][0]))
    }
}
