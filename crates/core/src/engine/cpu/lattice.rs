//! The lattice in memory: the fields of a plan, and its passes on bands of rows.

use super::Processor;
use super::bands::Bands;
use crate::cells::band::{Band, Scratch};
use crate::cells::capacity::UniformCapacities;
use crate::cells::context::{MAX_WRITES, PassContext};
use crate::cells::numbers::{Parameters, Rules};
use crate::cells::sights::{LOOKING, PreparedSight};
use crate::cells::sums::SightSums;
use crate::cells::{self, BuiltInKernel, behaviour, deep, transport};
use crate::chain::plan::{Plan, PlannedField, PlannedPass, Slot};
use crate::engine::halo::{HaloDepths, built_in_kernels, check_slabs, exchange, halo_depths, too_large};
use crate::engine::{Stop, is_wanted};
use crate::error::{BadInput, Failure};
use crate::falcons::sight_of_cells::fly_over;
use crate::falcons::{Falcon, MAX_LOOK};
use crate::lanes::InstructionSet;
use crate::measures::liveliness::{CellRow, CellRows};
use crate::numbers::{MAX_RULES, Vector3, unpack};
use crate::overlap::{OverlapReading, OverlapResult};
use crate::parallel::for_each_part;
use crate::points::FieldFlow;
use crate::ranks::Ranks;
use crate::state::fields::{Field, Layout, MAX_LAYERS, RowMark};
use crate::state::{Layer, Ledger, State, WorldColumns};
use crate::terrain::{GapField, gaps};
use crate::world::memory::{self, AlignedWords};
use crate::world::{Cuts, Extents, World, solids_of};
use std::collections::BTreeMap;
use std::iter::repeat_with;
use std::sync::Arc;
use std::time::Duration;

/// Bands of rows per thread. More bands balance the threads better, but each band stages a few rows of its neighbours
/// again.
const BANDS_PER_THREAD: usize = 2;

/// The fields of a plan and everything that its passes need.
pub(super) struct Lattice {
    /// The ranks that play the world together. The lattice is the slab of one of them.
    pub(super) ranks: Arc<dyn Ranks>,
    /// The slabs of all ranks.
    cuts: Cuts,
    /// The work in each piece since the loads were last taken. Empty before the first step, in a flat world, and on a
    /// single rank.
    pub(super) loads: Vec<u64>,
    pub(super) plan: Arc<Plan>,
    pub(super) layout: Layout,
    /// The buffers of each field of the plan.
    fields: Vec<Vec<Field>>,
    /// The Rust twin of each kernel of the plan.
    kernels: Vec<BuiltInKernel>,
    /// For each buffer that a pass writes: the number of pieces of a neighbouring slab that later passes read.
    depths: HaloDepths,
    sights: BTreeMap<String, PreparedSight>,
    /// The number of pieces of a band. A piece is a row of a flat world or a slice of a deep world.
    pieces_per_band: usize,
    /// The working memory of each band.
    scratch: Vec<Scratch>,
    /// Passes played since the engine was made.
    passes: u64,
    /// The rest threshold of the last step, in quanta.
    rest: u32,
    phase: usize,
    pub(super) columns: WorldColumns,
    /// The columns of the world before the present step.
    columns_before: WorldColumns,
    /// The turnover since the engine was made.
    pub(super) turnover: Ledger,
    uniform_capacities: UniformCapacities,
    has_solids: bool,
    /// Whether each cell of the world is solid, for points. Empty if the slab is the whole world.
    pub(super) solids: Vec<bool>,
    /// The gap field of a world with rock, for falcons; empty in other worlds.
    gaps: Vec<u8>,
    has_rock: bool,
    /// The duration of each pass in the last step.
    pub(super) durations: Vec<Duration>,
}

impl Lattice {
    /// A lattice for a plan, still without fields.
    pub(super) fn new(
        plan: Arc<Plan>,
        rules: &Rules,
        world: &World,
        threads: usize,
        ranks: Arc<dyn Ranks>,
    ) -> Result<Self, BadInput> {
        let kernels = built_in_kernels(&plan, |name| {
            let cure = if ranks.size() > 1 { "take one rank and the engine `gpu`" } else { "take the engine `gpu`" };
            (format!("the kernel `{name}` has no twin in Rust, so it runs on the GPU only"), cure)
        })?;
        let cuts = world.cuts_of(ranks.size());
        let layout = Layout::of_slab(world.slab_of(&*ranks), world.edges, plan.reach as usize);
        check_slabs(&layout, &cuts)?;
        let pieces_per_band = layout.pieces().div_ceil(threads * BANDS_PER_THREAD);
        let width = world.extents.width as usize;
        let height = layout.extents.height as usize;
        let words = match world.extents.depth {
            None => behaviour::scratch_words(plan.reach).max(transport::scratch_words(width)),
            Some(_) => {
                deep::scratch_words(width, height).max(deep::behaviour::scratch_words(plan.reach, rules, width, height))
            }
        };
        Ok(Self {
            ranks,
            cuts,
            loads: Vec::new(),
            layout,
            fields: Vec::new(),
            depths: halo_depths(&plan, &kernels, layout.around),
            kernels,
            sights: rules.sights.iter().map(|(name, sight)| (name.clone(), PreparedSight::new(sight))).collect(),
            pieces_per_band,
            scratch: (0..layout.pieces().div_ceil(pieces_per_band))
                .map(|_| Scratch {
                    words: AlignedWords::zeros(words),
                    places: vec![0; LOOKING * SightSums::MAX_PLACES],
                    is_changed: vec![true; pieces_per_band],
                    counted: [0; 2],
                })
                .collect(),
            passes: 0,
            rest: 0,
            phase: 0,
            columns: WorldColumns::default(),
            columns_before: WorldColumns::default(),
            turnover: Ledger::default(),
            uniform_capacities: UniformCapacities::default(),
            has_solids: false,
            solids: Vec::new(),
            gaps: Vec::new(),
            has_rock: world.has_rock_of_cells(),
            durations: vec![Duration::ZERO; plan.phases[0].len()],
            plan,
        })
    }

    /// Takes over a world and a state. All fields are new.
    pub(super) fn begin(&mut self, world: &World, state: &State) -> Result<(), Failure> {
        self.take_fields(Vec::new())?;
        self.take_capacities(&world.capacities_of(self.layout.slab.cells()), &world.solids)?;
        self.load(state)
    }

    /// Takes over the buffers of old fields for the fields of the plan with the same names. The other fields of the
    /// plan are filled with zeros.
    pub(super) fn take_fields(&mut self, mut old: Vec<(String, Vec<Field>)>) -> Result<(), BadInput> {
        let layout = self.layout;
        let plan = &self.plan;
        let buffers = |(index, field): (usize, &PlannedField)| {
            let place = old.iter().position(|(name, _)| *name == field.name);
            let mut buffers = place.map_or(Vec::new(), |place| old.swap_remove(place).1).into_iter();
            let is_shared = index == plan.capacity.field && layout.extents.depth.is_some() && layout.slab.is_whole();
            let new = || {
                if is_shared { Ok(Field::with_shared_rows(layout)) } else { Field::new(layout, field.texel) }
            };
            let one = || buffers.next().map_or_else(new, |old| old.laid_out(layout));
            repeat_with(one).take(field.buffers).collect::<Result<_, _>>()
        };
        let fields = plan.fields.iter().enumerate().map(buffers).collect::<Result<_, _>>();
        self.fields = fields.map_err(too_large)?;
        Ok(())
    }

    /// Checks that there is memory for all fields once more.
    fn check_capacity(&self) -> Result<(), BadInput> {
        let words = |field: &PlannedField| field.buffers * self.layout.field_words(field.texel);
        memory::check_capacity(self.plan.fields.iter().map(words).sum()).map_err(too_large)
    }

    /// Takes over the capacities of all cells of the world.
    pub(super) fn load_capacities(&mut self, capacities: &[u32]) -> Result<(), Failure> {
        self.take_capacities(&capacities[self.layout.slab.cells()], &solids_of(capacities))
    }

    /// Takes over the capacities of the slab and the solids of the world. `solids` has a flag for each cell of the
    /// world, or is empty.
    pub(super) fn take_capacities(&mut self, own: &[u32], solids: &[bool]) -> Result<(), Failure> {
        let Slot { field, buffer } = self.plan.capacity;
        self.fields[field][buffer].load(own);
        self.exchange(Slot { field, buffer })?;
        self.uniform_capacities = UniformCapacities::new(&self.layout, self.fields[field][buffer].view());
        self.has_solids = solids.contains(&true);
        if self.has_rock {
            let Layout { slab, edges, .. } = self.layout;
            self.gaps = gaps(slab.world, edges, solids, MAX_LOOK);
        }
        if !self.layout.slab.is_whole() {
            self.solids = solids.to_vec();
        }
        Ok(())
    }

    /// Fills the halo of a buffer with pieces of the neighbouring ranks.
    fn exchange(&mut self, Slot { field, buffer }: Slot) -> Result<(), Failure> {
        exchange(&mut self.fields[field][buffer], &self.layout, &*self.ranks, self.layout.around)
    }

    /// Takes over a state of the slab, or of the whole world.
    pub(super) fn load(&mut self, state: &State) -> Result<(), Failure> {
        self.phase = 0;
        self.columns.clone_from(&state.columns);
        let cells = self.layout.slab.cells_in(state.extents);
        for (layer, slots) in self.plan.slots_of(state) {
            for ((words, of_cell), Slot { field, buffer }) in layer.columns().into_iter().zip(slots) {
                self.fields[field][buffer].load(&words[cells.start * of_cell..cells.end * of_cell]);
            }
        }
        self.exchange_states()
    }

    /// Fills the halos of the state of all layers in the first phase.
    fn exchange_states(&mut self) -> Result<(), Failure> {
        let states: Vec<Slot> = self.plan.states(0).flatten().collect();
        states.into_iter().try_for_each(|slot| self.exchange(slot))
    }

    /// The fields that the points of each layer read, and the number of layers.
    pub(super) fn flows(&self) -> ([FieldFlow<'_>; MAX_LAYERS], usize) {
        let mut flows = [self.flow(self.plan.layers[0].state[self.phase]); MAX_LAYERS];
        for (flow, state) in flows.iter_mut().zip(self.plan.states(self.phase)) {
            *flow = self.flow(state);
        }
        (flows, self.plan.layers.len())
    }

    /// The fields that the points of a layer read. `state`: the slots of the layer's density and control vector.
    fn flow(&self, state: [Slot; 2]) -> FieldFlow<'_> {
        let [density, control] = state.map(|slot| self.fields[slot.field][slot.buffer].view());
        let capacity = self.fields[self.plan.capacity.field][self.plan.capacity.buffer].view();
        let (extents, edges) = (self.layout.extents, self.layout.edges);
        FieldFlow { extents, edges, density, control, capacity, has_solids: self.has_solids }
    }

    fn state(&self) -> [&Field; 2] {
        self.plan.layers[0].state[self.phase].map(|slot| &self.fields[slot.field][slot.buffer])
    }

    /// The rows of the first layer, if the lattice is the whole world.
    pub(super) fn rows(&self) -> CellRows<'_> {
        let Extents { width, height, .. } = self.layout.extents;
        let [density, control] = self.state();
        let row = |index: u32| {
            let place = [(index % height) as i32, (index / height) as i32];
            CellRow {
                density: density.view().span_of(0, place, width as usize),
                control: control.view().span_of(0, place, width as usize),
                control_z: if control.has_z() { control.view().along_z(0, place, width as usize) } else { &[] },
            }
        };
        let rows = (0..height * self.layout.extents.slices()).map(row).collect();
        CellRows { slab: self.layout.slab, before: 0, rows }
    }

    /// The densities of all layers, one after the other.
    pub(super) fn densities(&self) -> Vec<u32> {
        let Extents { width, height, .. } = self.layout.extents;
        let (slices, layers) = (self.layout.extents.slices() as i32, self.plan.layers.len());
        let mut densities = Vec::with_capacity(layers * self.layout.extents.cells());
        for [density, _] in self.plan.states(self.phase) {
            let view = self.fields[density.field][density.buffer].view();
            let rows = (0..slices).flat_map(|z| (0..height as i32).map(move |y| [y, z]));
            rows.for_each(|row| densities.extend_from_slice(view.span_of(0, row, width as usize)));
        }
        densities
    }

    /// The results of overlap queries, if the lattice is the whole world.
    pub(super) fn overlap(&self, reading: &OverlapReading) -> Vec<OverlapResult> {
        let densities: Vec<_> = self
            .plan
            .states(self.phase)
            .map(|[density, _]| self.fields[density.field][density.buffer].view())
            .collect();
        reading.in_cells(self.layout.extents, densities.len(), |layer, [x, y, z], count| {
            densities[layer].span_of(x as i32, [y as i32, z as i32], count)
        })
    }

    /// A region of the state, without columns of the world. `first`: its first cell; `size`: its extents.
    pub(super) fn region(&self, first: [u32; 3], size: Extents) -> State {
        let [left, top, front] = first.map(|place| place as i32);
        let (width, height) = (size.width as usize, size.height as i32);
        let rows = || (0..size.slices() as i32).flat_map(move |z| (0..height).map(move |y| [top + y, front + z]));
        let layers = self.plan.states(self.phase).map(|slots| {
            let [density, control] = slots.map(|Slot { field, buffer }| {
                let field = &self.fields[field][buffer];
                let mut words = Vec::with_capacity(size.cells() * field.words_of_cell());
                rows().for_each(|row| field.append_words(left, row, width, &mut words));
                words
            });
            Layer { density, control }
        });
        State::new(size, layers.collect())
    }

    /// The state of the slab.
    pub(super) fn state_of_slab(&self) -> State {
        State { columns: self.columns.clone(), ..self.region([0; 3], self.layout.extents) }
    }

    /// The state of the whole world.
    pub(super) fn state_of_world(&self) -> Result<State, Failure> {
        let own = self.state_of_slab();
        if self.layout.slab.is_whole() { Ok(own) } else { own.gathered(self.layout.slab.world, &*self.ranks) }
    }

    /// Plays a step with the parameters of each layer. Does not play it if a stop is wanted before the step changes the
    /// state in place. Returns whether it was played.
    pub(super) fn step(
        &mut self,
        parameters: &[Parameters],
        processor: &Processor,
        stop: Stop<'_>,
    ) -> Result<bool, Failure> {
        // Several ranks agree on a stop once a step.
        let is_alone = self.ranks.size() == 1;
        if !is_alone && self.ranks.any(is_wanted(stop))? {
            return Ok(false);
        }
        let stop = stop.filter(|_| is_alone);
        let (turnover, whole) = (self.turnover, self.plan.passes_before_change(self.phase));
        let first = &parameters[0];
        if std::mem::replace(&mut self.rest, first.rest) != first.rest {
            self.fields.iter_mut().flatten().for_each(Field::wake);
        }
        self.columns_before.clone_from(&self.columns);
        let first = &self.fly(first)?;
        for index in 0..self.plan.phases[self.phase].len() {
            if index <= whole && is_wanted(stop) {
                self.turnover = turnover;
                std::mem::swap(&mut self.columns, &mut self.columns_before);
                return Ok(false);
            }
            let start = processor.now();
            let layer = self.plan.phases[self.phase][index].layer;
            let own = Parameters { hunters: first.hunters, ..parameters[layer] };
            self.run_pass(index, &own, processor.instruction_set, stop.filter(|_| index < whole))?;
            self.durations[index] = processor.now().saturating_sub(start);
        }
        self.phase = (self.phase + 1) % self.plan.phases.len();
        if !is_alone && self.layout.extents.depth.is_some() {
            self.add_loads();
        }
        Ok(true)
    }

    /// Flies the falcons. Returns the parameters with the falcons among the hunters.
    fn fly(&mut self, parameters: &Parameters) -> Result<Parameters, Failure> {
        let (extents, edges) = (self.layout.slab.world, self.layout.edges);
        let mut columns = std::mem::take(&mut self.columns);
        let mut densities = [self.state()[0].view(); MAX_LAYERS];
        for (density, [slot, _]) in densities.iter_mut().zip(self.plan.states(self.phase)) {
            *density = self.fields[slot.field][slot.buffer].view();
        }
        let densities = &densities[..self.plan.layers.len()];
        let rock = self.has_rock.then_some(GapField { extents, edges, gaps: &self.gaps });
        let flown = fly_over(densities, Falcon::all_of_mut(&mut columns), parameters, &self.layout, rock, &*self.ranks);
        self.columns = columns;
        flown
    }

    /// Runs one pass on all bands. Skips the remaining bands once a stop is wanted.
    fn run_pass(
        &mut self,
        index: usize,
        parameters: &Parameters,
        instruction_set: InstructionSet,
        stop: Stop<'_>,
    ) -> Result<(), Failure> {
        self.passes += 1;
        let Self { plan, fields, scratch, layout, .. } = self;
        let pass = &plan.phases[self.phase][index];
        let mut written = take_written(fields, pass, *layout);
        let placeholder = Field::placeholder(*layout);
        let mut views = [placeholder.view(); MAX_RULES + 1];
        for (view, slot) in views.iter_mut().zip(&pass.read) {
            *view = fields[slot.field][slot.buffer].view();
        }
        let mut sights = [None; LOOKING];
        for (sight, name) in sights.iter_mut().zip(&pass.sights) {
            *sight = name.as_ref().map(|name| &self.sights[name]);
        }
        let row_words = written.each_ref().map(|field| field.as_ref().map_or(0, Field::row_words));
        let context = PassContext {
            layout: *layout,
            pass: self.passes,
            instruction_set,
            parameters,
            read: &views[..pass.read.len()],
            row_words_written: &row_words[..pass.write.len()],
            sights,
            capacities: &self.uniform_capacities,
            meals: &pass.meals,
        };
        let kernel = self.kernels[pass.kernel];
        let mut counted = [kernel.count_before(views[0], layout, parameters), 0];
        run_bands(&context, kernel, instruction_set, self.pieces_per_band, &mut written, scratch, stop);
        for scratch in &mut *scratch {
            let own = std::mem::take(&mut scratch.counted);
            counted.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        }
        for (entry, counted) in kernel.counts().iter().zip(counted) {
            self.turnover.add(*entry, pass.layer, counted);
        }
        let is_outer_changed = is_outer_changed(layout, scratch, self.pieces_per_band);
        let depths = &self.depths[self.phase][index];
        for ((mut field, slot), depth) in written.into_iter().flatten().zip(&pass.write).zip(depths) {
            // Another rank does not know which pieces have changed here.
            if self.ranks.size() > 1 {
                exchange(&mut field, &self.layout, &*self.ranks, *depth)?;
            } else if is_outer_changed {
                field.fill_outer_halo();
            }
            fields[slot.field][slot.buffer] = field;
        }
        Ok(())
    }

    /// Adds the work of a step in each piece to [`Self::loads`]. In a slice of a deep world, passes work on the least
    /// rectangle that holds the awake cells of all rows. The movement takes more time:
    ///   load = cells + 8 · cells of the rectangle + 16 · cells from the first to the last awake cell, over all rows
    fn add_loads(&mut self) {
        let (Extents { width, height, .. }, pieces) = (self.layout.extents, self.layout.pieces());
        self.loads.resize(pieces, 0);
        for [density, _] in self.plan.states(self.phase) {
            let view = self.fields[density.field][density.buffer].view();
            for (z, load) in self.loads.iter_mut().enumerate() {
                let (mut rows, mut cells, mut awake) = (height..0, width..0, 0);
                for y in 0..height {
                    let [first, end] = view.mark(self.layout.row_number([y as i32, z as i32])).awake.map(u32::from);
                    let end = end.min(width);
                    if first < end {
                        rows = rows.start.min(y)..y + 1;
                        cells = cells.start.min(first)..cells.end.max(end);
                        awake += u64::from(end - first);
                    }
                }
                *load += u64::from(width) * u64::from(height) + 8 * (rows.len() * cells.len()) as u64 + 16 * awake;
            }
        }
    }

    /// The sum of the quanta of each layer.
    pub(super) fn quanta_by_layer(&self) -> [u64; MAX_LAYERS] {
        let mut quanta = [0; MAX_LAYERS];
        for (total, [density, _]) in quanta.iter_mut().zip(self.plan.states(self.phase)) {
            let rows = self.fields[density.field][density.buffer].cells();
            *total = rows.map(|row| row.iter().map(|quanta| u64::from(*quanta)).sum::<u64>()).sum();
        }
        quanta
    }

    /// The vector of a field in a cell.
    pub(super) fn vector(&self, slot: Slot, [x, y, z]: Vector3) -> Vector3 {
        let field = &self.fields[slot.field][slot.buffer];
        let along_z = if field.has_z() { field.view().along_z(x, [y, z], 1)[0].into() } else { 0 };
        let [x, y] = unpack(field.view().span_of(x, [y, z], 1)[0]);
        [x, y, along_z]
    }

    /// Takes over the state, the capacities and the columns of another lattice of the same world. The fields of the
    /// other lattice are then empty.
    pub(super) fn take_over(&mut self, old: &mut Self, world: &World) -> Result<(), Failure> {
        self.check_capacity()?;
        if self.cuts != old.cuts {
            let state = old.state_of_slab().with_cuts(&old.cuts, &self.cuts, &*self.ranks)?;
            old.fields = Vec::new();
            self.turnover = old.turnover;
            return self.begin(world, &state);
        }
        // A plan begins with the newest state in the first buffers.
        for slot in old.plan.states(old.phase).flatten() {
            old.fields[slot.field].swap(0, slot.buffer);
        }
        let names = old.plan.fields.iter().map(|field| field.name.clone());
        self.take_fields(names.zip(std::mem::take(&mut old.fields)).collect())?;
        (self.turnover, self.has_solids) = (old.turnover, old.has_solids);
        self.columns = std::mem::take(&mut old.columns);
        self.gaps = std::mem::take(&mut old.gaps);
        self.solids = std::mem::take(&mut old.solids);
        // A wider reach needs more pieces of other ranks. Other edges mean other capacities beyond the cells. So the
        // halo is exchanged anew. All engines exchange capacities first.
        let Slot { field, buffer } = self.plan.capacity;
        self.exchange(Slot { field, buffer })?;
        self.uniform_capacities = UniformCapacities::new(&self.layout, self.fields[field][buffer].view());
        self.exchange_states()
    }
}

/// Takes the buffers that a pass writes out of the fields, while the other buffers are read. A pass never reads a
/// buffer that it writes.
fn take_written(fields: &mut [Vec<Field>], pass: &PlannedPass, layout: Layout) -> [Option<Field>; MAX_WRITES] {
    let mut written: [Option<Field>; MAX_WRITES] = Default::default();
    for (taken, slot) in written.iter_mut().zip(&pass.write) {
        *taken = Some(std::mem::replace(&mut fields[slot.field][slot.buffer], Field::placeholder(layout)));
    }
    written
}

/// Runs a kernel on all bands, and fills the halo within each piece. Skips the remaining bands once a stop is wanted.
fn run_bands(
    context: &PassContext<'_>,
    kernel: BuiltInKernel,
    instruction_set: InstructionSet,
    pieces_per_band: usize,
    written: &mut [Option<Field>; MAX_WRITES],
    scratch: &mut [Scratch],
    stop: Stop<'_>,
) {
    let (layout, writes) = (context.layout, context.row_words_written.len());
    let pieces = layout.pieces();
    let words = written.each_ref().map(|field| field.as_ref().map_or(0, |field| pieces_per_band * field.piece_words()));
    let mut write: [&mut [u32]; MAX_WRITES] = Default::default();
    let mut marks: [&mut [RowMark]; MAX_WRITES] = Default::default();
    for (field, (write, marks)) in written.iter_mut().zip(write.iter_mut().zip(&mut marks)) {
        (*write, *marks) = field.as_mut().map_or_else(Default::default, Field::pieces_and_marks_mut);
    }
    let is_flat = layout.extents.depth.is_none();
    scratch.iter_mut().for_each(|scratch| scratch.is_changed.fill(is_flat));
    let rows = if is_flat { 0 } else { pieces_per_band * layout.extents.height as usize };
    let bands = Bands { first: 0, words, rows, write, marks, scratch };
    for_each_part(bands, &|bands: Bands<'_>| {
        if is_wanted(stop) {
            return;
        }
        let first = bands.first * pieces_per_band;
        let (mut write, mut marks) = (bands.write, bands.marks);
        let mut band = Band {
            pieces: first as i32..(first + pieces_per_band).min(pieces) as i32,
            write: &mut write[..writes],
            marks: &mut marks[..writes],
            scratch: &mut bands.scratch[0],
        };
        cells::run(kernel, instruction_set, context, &mut band);
        for (words, row_words) in band.write.iter_mut().zip(context.row_words_written) {
            let piece = layout.rows_of_piece() * row_words;
            let changed = words.chunks_mut(piece).zip(&band.scratch.is_changed).filter(|(_, is_changed)| **is_changed);
            changed.for_each(|(piece, _)| layout.fill_piece_halo(piece, *row_words));
        }
    });
}

/// Whether a pass has changed a piece that the halo around all pieces repeats.
fn is_outer_changed(layout: &Layout, scratch: &[Scratch], pieces_per_band: usize) -> bool {
    let is_changed = |piece: usize| scratch[piece / pieces_per_band].is_changed[piece % pieces_per_band];
    let (outer, pieces) = (layout.halo_slices.min(layout.pieces()), layout.pieces());
    layout.extents.depth.is_none() || (0..outer).chain(pieces - outer..pieces).any(is_changed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::numbers::Distribution;
    use crate::cells::sight::Sight;
    use crate::chain::Chain;
    use crate::engine::cpu::Options;
    use crate::numbers::random::generator;
    use crate::numbers::{BOID, ONE};
    use crate::ranks::SingleRank;
    use crate::testing::host;
    use crate::world::Edges;

    /// The amounts lie around the fractions of the capacity at which cells begin to lack room for the amounts given to
    /// them. Some lattices are nearly empty, some nearly full.
    #[test]
    fn a_lattice_that_reads_all_capacities_has_the_same_state() {
        for seed in 0..120 {
            let mut random = generator(seed, 9);
            let extents = match seed % 4 {
                0 => Extents::flat(97, 12),
                1 => Extents::flat(1 + random.below(70) as u32, 1 + random.below(9) as u32),
                2 => Extents::deep(67, 5, 4),
                _ => Extents::deep(1 + random.below(40) as u32, 1 + random.below(6) as u32, 1 + random.below(5) as u32),
            };
            let edges = if random.below(2) == 0 { Edges::Walls } else { Edges::Torus };
            let capacity = [64 * BOID, 2600, 1000, u32::MAX - 7][random.below(4) as usize];
            let mut solids = vec![false; extents.cells()];
            for _ in 0..random.below(2) * 3 {
                solids[random.below(extents.cells() as u64) as usize] = true;
            }
            let world = World { capacity, solids: solids.into(), ..World::empty(extents, edges) };
            let capacities = world.capacities();
            let mut start = State::empty(extents);
            let empty_of_ten = random.below(10);
            for cell in 0..extents.cells() {
                let part = capacity / [4, 8, 9, 16, 26, 27, 32, 33][random.below(8) as usize];
                let amount = part.saturating_add_signed(random.around(2) as i32);
                if random.below(10) >= empty_of_ten {
                    start.layers[0].density[cell] = amount.min(capacities[cell]);
                }
                let component = |along: bool, random: &mut crate::numbers::random::Random| match random.below(3) {
                    _ if !along => 0,
                    0 => random.around(ONE.into()) as i32,
                    1 => ONE,
                    _ => -ONE,
                };
                let axes = extents.axes();
                let v = [0, 1, 2].map(|axis| component(axis < axes && random.below(3) > 0, &mut random));
                start.layers[0].set_velocity(cell, v);
            }
            let look = || if extents.axes() == 2 { Sight::square(1) } else { Sight::cube(1) }.unwrap();
            let names = ["cohesion", "separation", "alignment"];
            let rules = Rules {
                distribution: Distribution::ALL[seed as usize % 3],
                weights: names.map(|name| (name.into(), random.around(600) as i32)).into(),
                sights: names.map(|name| (name.into(), look())).into(),
                ..Rules::default()
            };
            let chain = Chain::load(host().as_ref(), "cell-fast").unwrap();
            let plan = Arc::new(Plan::new(&chain, &rules, &world).unwrap());
            let processor = Processor::new(Options { threads: Some(1), instruction_set: None }, "cells", None).unwrap();
            let states = [true, false].map(|knows| {
                let mut lattice = Lattice::new(plan.clone(), &rules, &world, 1, Arc::new(SingleRank)).unwrap();
                lattice.begin(&world, &start).unwrap();
                if !knows {
                    lattice.uniform_capacities = UniformCapacities::default();
                }
                for step in 0..4 {
                    let parameters = Parameters::new(&rules, &world, &plan.weights(), step);
                    lattice.step(&[parameters], &processor, None).unwrap();
                }
                lattice.state_of_slab()
            });
            assert_eq!(states[0].hash(), states[1].hash(), "seed {seed}: {extents:?}, {edges:?}, {capacity}");
            assert_eq!(states[0].total(), start.total(), "seed {seed}");
        }
    }
}
