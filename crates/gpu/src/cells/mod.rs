//! The GPU engine for cells. It runs the kernels' WGSL on wgpu, as compute dispatches or as render passes into integer
//! targets.
//!
//! Textures, pipelines and bind groups are made once. Pipelines and bind groups are made again when the first solid is
//! painted. A step is a sequence of passes, and several steps go into one submission. The engine reads back only what
//! is requested.

mod boxes;
mod earlier_turnover;
mod ledger;
mod passes;
mod reading;
mod slab;
mod state_textures;
mod steps;
mod sums;

pub use crate::points::PointList;
pub use boxes::box_bytes;
pub use slab::GpuSlab;
pub use state_textures::{BodyList, CurrentState, StateTextures};
pub use sums::SumPasses;

use crate::atlas::Subdomain;
use crate::device::player::{Player, stride_of};
use crate::device::{DeviceStepPart, Gpu, ReadingPasses};
use crate::falcons::RockBuffer;
use crate::lattice::Lattice;
use crate::parts::{DeviceColumns, Parts, parts_of_cells};
use crate::points::{LatticePoints, PointMemory};
use crate::species::{Mixture, shown_of};
use earlier_turnover::EarlierTurnover;
use ledger::LedgerSums;
use murmuration_core::cells::numbers::{Parameters, Rules};
use murmuration_core::chain::plan::Plan;
use murmuration_core::engine::{Dispatch, Engine, LatticeEngine, Progress, Stop, TotalsReading};
use murmuration_core::error::Failure;
use murmuration_core::points::{PointParameters, Points};
use murmuration_core::state::{State, StateReading};
use murmuration_core::ticket::{ReadingSource, Ticket};
use murmuration_core::world::{Extents, World};
use passes::Passes;
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;
use steps::LatticeSteps;

/// An engine with a swarm of cells on a GPU.
pub struct GpuEngine {
    lattice: Lattice,
    passes: Passes,
    player: Player,
    ledger: LedgerSums,
    /// The buffers of the columns of the world, such as falcons.
    columns: DeviceColumns,
    /// The parts of features in a step. They are bound to the buffers in `columns`.
    parts: Parts,
    /// Amounts that were caught, eaten and born under earlier plans.
    turnover_before: EarlierTurnover,
    /// The phase of the next step. Phases alternate between the two buffers of a field.
    phase: usize,
    /// The number of completed steps.
    step: u64,
    /// The textures that pictures read: the present state, or the mixture of several layers.
    shown: Arc<StateTextures>,
    /// The mixture of several layers (species) for pictures; `None`: pictures read the present state.
    mixture: Option<Mixture>,
    /// Whether a picture has needed the mixture. From then on it is computed again after steps.
    is_mixed: bool,
    passes_of_readings: ReadingPasses,
    points: Option<LatticePoints>,
    /// The distances of cells from rock, for falcons. `None`: the world has no rock.
    rock: Option<RockBuffer>,
}

impl GpuEngine {
    /// Makes an engine for a plan, with the state `state`.
    ///
    /// # Errors
    /// If a kernel does not compile (with its file and line), or the device cannot hold the lattice.
    pub fn new(
        gpu: Arc<Gpu>,
        plan: Arc<Plan>,
        rules: &Rules,
        world: &World,
        start: &State,
        dispatch: Dispatch,
    ) -> Result<Self, Failure> {
        let whole = Subdomain::whole(world.extents);
        let mut engine = Self::on_subdomain(gpu, plan, rules, (whole, world), dispatch, BTreeMap::new(), None)?;
        engine.set_capacities(&world.capacities())?;
        engine.set_state(start)?;
        Ok(engine)
    }

    /// Makes an engine for a subdomain of a world. `old`: the textures of an earlier engine, by the name of their
    /// field. `shown`: the textures that pictures read. The new engine uses both again.
    fn on_subdomain(
        gpu: Arc<Gpu>,
        plan: Arc<Plan>,
        rules: &Rules,
        (subdomain, world): (Subdomain, &World),
        dispatch: Dispatch,
        old: BTreeMap<String, Vec<wgpu::Texture>>,
        shown: Option<Arc<StateTextures>>,
    ) -> Result<Self, Failure> {
        let (extents, is_whole) = (subdomain.extents(), subdomain.slab.is_whole());
        let player = player_of(&gpu, &plan, extents);
        let rock = if is_whole { RockBuffer::new(&gpu, world)? } else { None };
        let part = (subdomain, world.edges);
        let lattice = Lattice::new(gpu, plan, rules, part, dispatch, old, player.parameters().clone());
        let passes = Passes::new(&lattice, world)?;
        let ledger = LedgerSums::new(&lattice);
        lattice.gpu.check()?;
        let mixture = is_whole.then(|| Mixture::new(&lattice)).flatten();
        let shown = shown.unwrap_or_else(|| {
            let now = shown_of(&lattice, mixture.as_ref(), 0);
            Arc::new(StateTextures::new(lattice.gpu.clone(), extents, now))
        });
        let engine = Self {
            lattice,
            passes,
            player,
            ledger,
            turnover_before: EarlierTurnover::default(),
            phase: 0,
            step: 0,
            shown,
            mixture,
            is_mixed: false,
            passes_of_readings: ReadingPasses::default(),
            columns: DeviceColumns::default(),
            parts: Parts::new(),
            points: None,
            rock,
        };
        // Without a mixture, pictures show the new state at once.
        engine.show_state(None);
        Ok(engine)
    }
}

/// The player of the steps of a plan. The work of a step is one update of each cell and layer, and each pass counts as
/// an equal part of it.
fn player_of(gpu: &Arc<Gpu>, plan: &Plan, extents: Extents) -> Player {
    let passes = plan.phases[0].len();
    let (layers, cells) = (plan.layers.len(), (extents.cells() * plan.layers.len()) as u64);
    let work = vec![cells.div_ceil(passes.max(1) as u64); passes];
    Player::new(gpu.clone(), work, layers, stride_of::<Parameters>())
}

impl GpuEngine {
    /// Makes pictures show the present state, unless they show a mixture. `step`: the number of steps of this state;
    /// `None`: the shown number stays.
    fn show_state(&self, step: Option<u64>) {
        if self.mixture.is_none() {
            self.shown.replace(self.lattice.state(self.phase), step);
        }
    }

    /// Replaces the buffers of the columns of the world. Makes the parts of features again if the buffers differ.
    fn take_columns(&mut self, columns: DeviceColumns) {
        if columns == self.columns {
            return;
        }
        self.parts = parts_of_cells(&self.lattice, &columns, self.rock.as_ref());
        self.shown.replace_columns(columns.clone());
        self.columns = columns;
    }

    fn player_and_steps(&mut self) -> (&mut Player, LatticeSteps<'_>) {
        let Self { player, lattice, passes, ledger, phase, step, shown, mixture, points, is_mixed, .. } = self;
        let (before, is_mixed, mixture) = ((*phase, *step), *is_mixed, mixture.as_ref());
        let mut parts: Vec<&dyn DeviceStepPart> = self.parts.iter().map(|part| &**part).collect();
        parts.extend(points.iter().map(|points| points as &dyn DeviceStepPart));
        parts.extend(mixture.filter(|_| is_mixed).map(|mixture| mixture as &dyn DeviceStepPart));
        (player, LatticeSteps { lattice, passes, ledger, parts, phase, step, shown, mixture, is_mixed, before })
    }

    /// Sets the maximum work in one submission, in cell updates. A step with more work becomes several submissions.
    pub fn set_work_per_submission(&mut self, most: u64) {
        self.player.set_work_per_submission(most);
    }
}

impl Engine for GpuEngine {
    fn set_capacities(&mut self, capacities: &[u32]) -> Result<(), Failure> {
        self.lattice.upload(self.lattice.plan.capacity, capacities);
        self.rock.iter().for_each(|rock| rock.write(&self.lattice.gpu, capacities));
        self.passes.take_capacities(&self.lattice, capacities)?;
        self.lattice.gpu.check()
    }

    fn queue_space(&mut self) -> Ticket<()> {
        self.player.queue_space()
    }

    fn seconds_by_pass(&self) -> Vec<f64> {
        self.player.seconds_by_pass()
    }

    fn on_device(&self) -> Option<Arc<dyn Any + Send + Sync>> {
        Some(self.shown.clone())
    }

    fn show(&mut self) -> Result<(), Failure> {
        let Some(mixture) = &self.mixture else { return Ok(()) };
        let gpu = &self.lattice.gpu;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        mixture.encode(&mut encoder, self.phase);
        let turn = gpu.turn();
        gpu.submit_or_join(encoder, self.lattice.extents.cells() as u64, None);
        self.shown.replace(mixture.textures(), Some(self.step));
        self.is_mixed = true;
        drop(turn);
        gpu.check()
    }

    fn set_step(&mut self, step: u64) {
        self.step = step;
        self.show_state(Some(step));
    }

    fn describe(&self) -> String {
        self.lattice.describe()
    }
}

impl LatticeEngine for GpuEngine {
    fn play_until(&mut self, steps: &[Parameters], stop: Stop<'_>) -> Result<Progress, Failure> {
        self.passes.take_steps(&self.lattice, steps)?;
        let (player, mut encoder) = self.player_and_steps();
        player.play(steps, stop, &mut encoder)
    }

    fn layers(&self) -> usize {
        self.lattice.plan.layers.len()
    }

    fn set_state(&mut self, state: &State) -> Result<(), Failure> {
        let gpu = self.lattice.gpu.clone();
        let turn = gpu.turn();
        self.phase = 0;
        for (layer, slots) in self.lattice.plan.slots_of(state) {
            self.lattice.upload_layer(slots, layer);
        }
        self.show_state(None);
        self.take_columns(self.columns.write(&gpu, &state.columns));
        drop(turn);
        gpu.check()
    }

    fn set_plan(&mut self, plan: Arc<Plan>, rules: &Rules, world: &World) -> Result<(), Failure> {
        let turnover_before = EarlierTurnover::from_ticket(self.request(TotalsReading)?);
        let Lattice { gpu, plan: last, textures, dispatch, subdomain, .. } = &self.lattice;
        let mut old = textures.clone();
        // A new plan expects the present state in buffer 0 of each field.
        for slot in last.states(self.phase).flatten() {
            old[slot.field].swap(0, slot.buffer);
        }
        let old = last.fields.iter().map(|field| field.name.clone()).zip(old).collect();
        let (part, shown) = ((*subdomain, world), Some(self.shown.clone()));
        let mut next = Self::on_subdomain(gpu.clone(), plan, rules, part, *dispatch, old, shown)?;
        // The gap field is kept, because it includes all solids that were painted.
        next.rock = self.rock.take();
        let columns = self.columns.clone();
        let points = self.points.as_ref().map(|points| LatticePoints::new(&next.lattice, points.memory().clone()));
        let (step, is_mixed) = (self.step, self.is_mixed);
        *self = Self { turnover_before, points, step, ..next };
        self.take_columns(columns);
        if is_mixed { self.show() } else { Ok(()) }
    }

    fn set_points(&mut self, points: Option<Points>) -> Result<(), Failure> {
        let lattice = &self.lattice;
        let turn = lattice.gpu.turn();
        self.points =
            points.map(|points| LatticePoints::new(lattice, PointMemory::new(&lattice.gpu, lattice, &points)));
        self.shown.set_points(self.points.as_ref().map(|points| points.memory().list()));
        drop(turn);
        lattice.gpu.check()
    }

    fn seed_points(&mut self, parameters: PointParameters) -> Result<(), Failure> {
        let gpu = self.lattice.gpu.clone();
        let turn = gpu.turn();
        self.set_points(Some(Points { list: Vec::new(), parameters }))?;
        self.points.iter().for_each(|points| points.seed(&gpu, self.phase));
        drop(turn);
        gpu.check()
    }

    fn take_state_of(&mut self, other: &mut (dyn LatticeEngine + 'static)) -> Result<(), Failure> {
        let gpu = self.lattice.gpu.clone();
        let playing = (&*other as &dyn Any).downcast_ref::<Self>();
        let Some(playing) = playing.filter(|playing| playing.lattice.gpu.is_same_device(&gpu)) else {
            return self.set_state(&other.request(StateReading)?.wait()?);
        };
        let (theirs, own) = (&playing.lattice, &self.lattice);
        debug_assert_eq!(theirs.plan.layers.len(), own.plan.layers.len());
        let states = theirs.plan.states(playing.phase).flatten().zip(own.plan.states(0).flatten());
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let turn = gpu.turn();
        for (from, to) in states {
            let (from, to) = (theirs.texture(from), own.texture(to));
            encoder.copy_texture_to_texture(from.as_image_copy(), to.as_image_copy(), from.size());
        }
        let columns = self.columns.encode_copy(&gpu, &mut encoder, &playing.columns);
        gpu.submit(encoder);
        (self.phase, self.step) = (0, playing.step);
        self.show_state(Some(self.step));
        self.take_columns(columns);
        drop(turn);
        gpu.check()
    }
}
