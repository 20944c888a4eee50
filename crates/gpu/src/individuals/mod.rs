//! The agents on a GPU: brute force and the grid, the same bits as on the CPU.
//!
//! Between two steps the agents lie in the buffers `begun`, in any order. A step counts them by cell, and those in the
//! hunter's jaws apart; scans the counts; scatters the agents into the order of their cells; and steers and moves each, back
//! into `begun`. How many there still are stays on the GPU until someone asks.

mod engine;
mod kernels;
mod passes;
mod shader;

pub use kernels::{KERNELS, PARTS};
pub use shader::check_file;

use crate::agents::movement::Terrain;
use crate::agents::rules::{AgentRules, Units};
use crate::agents::search::SearchKind;
use crate::agents::search::grid::Layout;
use crate::agents::{Agents, PLACE_BITS, Space};
use crate::cells::{PARAMETERS_STRIDE, STEPS_PER_SUBMISSION};
use crate::device::{Gpu, Stopwatch, transfer};
use crate::error::{BadInput, Failure};
use crate::kernels::parameters::Parameters;
use crate::numbers::round_shift;
use kernels::{Buffer, Kernel};
use passes::Passes;
use shader::Setting;
use std::sync::Arc;

/// Invocations of a workgroup where nothing else is asked for.
pub const WORKGROUP: u32 = 64;
/// Bytes of a place with its number.
pub const PLACE_BYTES: u64 = 16;
/// Words of the individuals's account, and which of them are what (see `shaders/agents/account.wgsl`).
const ACCOUNT_WORDS: u64 = 5;
const LIVING: usize = 1;
const CAUGHT: [usize; 2] = [2, 3];
/// The greatest velocity in units that fits beside its bias.
const MOST_VELOCITY: i32 = 2047;

/// A swarm of agents on a GPU, and the kernels that move it.
pub struct GpuIndividuals {
    gpu: Arc<Gpu>,
    kernels: Vec<&'static Kernel>,
    setting: Setting,
    solids: Vec<bool>,
    parameters: wgpu::Buffer,
    /// By [`Buffer`].
    buffers: Vec<wgpu::Buffer>,
    passes: Passes,
    /// The agents that the buffers have room for.
    most: usize,
    /// Where the device has a clock.
    stopwatch: Option<Stopwatch>,
    /// The last submission but one is waited for before the next, so that the queue stays short.
    last: Option<wgpu::SubmissionIndex>,
}

impl GpuIndividuals {
    /// An engine with these agents. `units` must be those of the rules for at least as many.
    ///
    /// # Errors
    /// A search that runs on the CPU only, or a device that cannot hold so many agents.
    pub fn new(
        gpu: Arc<Gpu>,
        rules: AgentRules,
        units: Units,
        ground: Terrain,
        agents: &Agents,
        search: SearchKind,
    ) -> Result<Self, Failure> {
        Self::with_workgroup(gpu, rules, units, ground, agents, search, WORKGROUP)
    }

    /// The same with workgroups of so many invocations, from 1 to 256.
    ///
    /// # Errors
    /// As [`GpuIndividuals::new`].
    pub fn with_workgroup(
        gpu: Arc<Gpu>,
        rules: AgentRules,
        units: Units,
        ground: Terrain,
        agents: &Agents,
        search: SearchKind,
        workgroup: u32,
    ) -> Result<Self, Failure> {
        let Some(kernels) = kernels::of_search(search) else {
            let cure = "take the chain agents-grid, which gives the same bits, or --engine cpu";
            return Err(BadInput::new("--engine gpu", "the octree is searched on the CPU only", cure).into());
        };
        let space = ground.space;
        let layout = match search {
            SearchKind::Brute => Layout { cells: [1; 3] },
            _ => Layout::new(&space, &units),
        };
        let has_solids = !ground.solids.is_empty();
        let setting = Setting { rules, units, space, has_solids, layout, workgroup: workgroup.clamp(1, 256) };
        let parameters = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("parameters"),
            size: PARAMETERS_STRIDE * STEPS_PER_SUBMISSION as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let (buffers, passes) = make(&gpu, &kernels, &setting, &ground.solids, &parameters, agents.len())?;
        let most = agents.len();
        let solids = ground.solids;
        let stopwatch = Stopwatch::new(&gpu.device, &gpu.queue, passes.count());
        let mut individuals =
            Self { gpu, kernels, setting, solids, parameters, buffers, passes, most, stopwatch, last: None };
        individuals.put(agents, 0)?;
        Ok(individuals)
    }

    /// Plays one step for each set of parameters.
    ///
    /// # Errors
    /// Where the device fails.
    pub fn play(&mut self, steps: &[Parameters]) -> Result<(), Failure> {
        for steps in steps.chunks(STEPS_PER_SUBMISSION) {
            let mut words = vec![0u8; steps.len() * PARAMETERS_STRIDE as usize];
            for (slot, parameters) in words.chunks_mut(PARAMETERS_STRIDE as usize).zip(steps) {
                let parameters = shader::numbers(parameters, &self.setting.rules, &self.setting.units);
                let bytes = bytemuck::bytes_of(&parameters);
                slot[..bytes.len()].copy_from_slice(bytes);
            }
            self.gpu.queue.write_buffer(&self.parameters, 0, &words);
            let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
            let is_timed = self.stopwatch.as_ref().is_some_and(Stopwatch::is_free);
            for index in 0..steps.len() {
                encoder.clear_buffer(self.buffer(Buffer::Cells), 0, None);
                let stopwatch = self.stopwatch.as_ref().filter(|_| is_timed && index + 1 == steps.len());
                self.passes.encode(&mut encoder, index as u32 * PARAMETERS_STRIDE as u32, stopwatch);
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

    /// The agents, in any order.
    ///
    /// # Errors
    /// Where the device fails.
    pub fn agents(&self) -> Result<Agents, Failure> {
        let living = u64::from(self.account()?[LIVING]);
        let axes = self.setting.space.axes();
        let words = (self.setting.offset_bytes() / 4) as usize;
        let places = self.download(Buffer::BegunPlaces, living * PLACE_BYTES)?;
        let velocities = self.download(Buffer::BegunVelocities, living * self.setting.offset_bytes())?;
        let mut agents = Agents::default();
        for (place, velocity) in places.chunks_exact(4).zip(velocities.chunks_exact(words)) {
            let along = |axis: usize| if axis < axes { velocity[axis] as i32 } else { 0 };
            let place_of = |axis: usize| place[axis] as i32;
            agents.push(place[3], [0, 1, 2].map(place_of), [0, 1, 2].map(along));
        }
        Ok(agents)
    }

    /// Puts other agents in the place of the present ones.
    ///
    /// # Errors
    /// As [`GpuIndividuals::new`].
    pub fn set_agents(&mut self, agents: &Agents) -> Result<(), Failure> {
        let caught = self.caught()?;
        if agents.len() > self.most {
            let made = make(&self.gpu, &self.kernels, &self.setting, &self.solids, &self.parameters, agents.len())?;
            (self.buffers, self.passes) = made;
            self.most = agents.len();
        }
        self.put(agents, caught)
    }

    /// How many agents there are.
    ///
    /// # Errors
    /// Where the device fails.
    pub fn living(&self) -> Result<u64, Failure> {
        Ok(u64::from(self.account()?[LIVING]))
    }

    /// Puts other solids in the place of the present ones, by column, x fastest; none where the list is empty.
    ///
    /// # Errors
    /// Where the device fails.
    pub fn set_solids(&mut self, solids: Vec<bool>) -> Result<(), Failure> {
        if solids.is_empty() == self.solids.is_empty() {
            self.gpu.touch();
            let words = solid_words(&solids);
            self.gpu.queue.write_buffer(self.buffer(Buffer::Solids), 0, bytemuck::cast_slice(&words));
            self.solids = solids;
            return self.gpu.check();
        }
        // Kernels without solids are others than those with them.
        let (agents, caught) = (self.agents()?, self.caught()?);
        self.setting.has_solids = !solids.is_empty();
        self.solids = solids;
        let made = make(&self.gpu, &self.kernels, &self.setting, &self.solids, &self.parameters, self.most)?;
        (self.buffers, self.passes) = made;
        self.put(&agents, caught)
    }

    /// Goes on under other rules, where they differ only in numbers: these are the same [set](AgentRules::is_like), and all
    /// units but that of weights.
    pub fn set_rules(&mut self, rules: AgentRules, units: Units) {
        (self.setting.rules, self.setting.units) = (rules, units);
    }

    /// The space that they live in.
    pub fn space(&self) -> Space {
        self.setting.space
    }

    /// Agents caught since the engine was made.
    ///
    /// # Errors
    /// Where the device fails.
    pub fn caught(&self) -> Result<u64, Failure> {
        let account = self.account()?;
        let [low, high] = CAUGHT.map(|word| u64::from(account[word]));
        Ok(low | high << 32)
    }

    /// The seconds that each kernel took in a step of late; empty where that is not known.
    pub fn seconds_by_pass(&self) -> Vec<f64> {
        self.stopwatch.as_ref().map_or(Vec::new(), |stopwatch| stopwatch.seconds().to_vec())
    }

    /// What the engine runs on, for people.
    pub fn describe(&self) -> String {
        format!("{} ({}), compute", self.gpu.info.name, self.gpu.info.backend)
    }

    fn buffer(&self, buffer: Buffer) -> &wgpu::Buffer {
        &self.buffers[buffer as usize]
    }

    fn download(&self, buffer: Buffer, bytes: u64) -> Result<Vec<u32>, Failure> {
        transfer::download_first(&self.gpu, self.buffer(buffer), bytes)
    }

    fn account(&self) -> Result<Vec<u32>, Failure> {
        self.download(Buffer::Account, 4 * ACCOUNT_WORDS)
    }

    /// Writes the agents and the account.
    fn put(&mut self, agents: &Agents, caught: u64) -> Result<(), Failure> {
        self.check_agents(agents)?;
        let axes = self.setting.space.axes();
        let stride = (self.setting.offset_bytes() / 4) as usize;
        let mut places = Vec::with_capacity(4 * agents.len());
        let mut velocities = Vec::with_capacity(stride * agents.len());
        for index in 0..agents.len() {
            places.extend(agents.position(index));
            places.push(agents.numbers[index] as i32);
            velocities.extend(&agents.velocity(index)[..axes]);
            velocities.resize(stride * (index + 1), 0);
        }
        let account = [0, agents.len() as u32, caught as u32, (caught >> 32) as u32, 0];
        self.gpu.touch();
        let queue = &self.gpu.queue;
        queue.write_buffer(self.buffer(Buffer::BegunPlaces), 0, bytemuck::cast_slice(&places));
        queue.write_buffer(self.buffer(Buffer::BegunVelocities), 0, bytemuck::cast_slice(&velocities));
        queue.write_buffer(self.buffer(Buffer::Account), 0, bytemuck::cast_slice(&account));
        self.gpu.check()
    }

    /// The kernels trust that agents are in the world and no faster than their units allow.
    fn check_agents(&self, agents: &Agents) -> Result<(), Failure> {
        let Setting { space, units, .. } = &self.setting;
        for axis in 0..3 {
            let places = 0..(space.extents[axis] as i32) << PLACE_BITS;
            if let Some(index) = agents.positions[axis].iter().position(|place| !places.contains(place)) {
                return Err(Failure::Broken(format!("agent {} is outside of the world", agents.numbers[index])));
            }
            let is_fast = |velocity: &i32| {
                let units = if units.velocity == 0 { *velocity } else { round_shift(*velocity, units.velocity) };
                units.abs() > MOST_VELOCITY
            };
            if let Some(index) = agents.velocities[axis].iter().position(is_fast) {
                return Err(Failure::Broken(format!("agent {} is faster than any may be", agents.numbers[index])));
            }
        }
        Ok(())
    }
}

/// All buffers for so many agents, and the kernels that are bound to them.
fn make(
    gpu: &Gpu,
    kernels: &[&'static Kernel],
    setting: &Setting,
    solids: &[bool],
    parameters: &wgpu::Buffer,
    most: usize,
) -> Result<(Vec<wgpu::Buffer>, Passes), Failure> {
    let agents = most.max(1) as u64;
    let limits = gpu.device.limits();
    let largest = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    if agents * PLACE_BYTES > largest {
        let holds = largest / PLACE_BYTES;
        return Err(Failure::Device(format!(
            "the GPU ({}) holds at most {holds} agents, and not {most}; use fewer, or --engine cpu",
            gpu.info.name
        )));
    }
    let words = solid_words(solids);
    let size = |buffer: Buffer| match buffer {
        Buffer::Account => 4 * ACCOUNT_WORDS,
        Buffer::BegunPlaces | Buffer::SortedPlaces => agents * PLACE_BYTES,
        Buffer::BegunVelocities | Buffer::SortedVelocities | Buffer::Candidates => agents * setting.offset_bytes(),
        Buffer::Ranks => 4 * agents,
        Buffer::Cells => 4 * u64::from(setting.bins()),
        Buffer::Blocks => 4 * u64::from(setting.blocks()),
        Buffer::Solids => 4 * words.len() as u64,
    };
    let buffers: Vec<wgpu::Buffer> = Buffer::ALL
        .iter()
        .map(|buffer| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(&format!("{buffer:?}")),
                size: size(*buffer),
                usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        })
        .collect();
    gpu.queue.write_buffer(&buffers[Buffer::Solids as usize], 0, bytemuck::cast_slice(&words));
    let passes = Passes::new(gpu, kernels, setting, most, parameters, |buffer| &buffers[buffer as usize])?;
    gpu.check()?;
    Ok((buffers, passes))
}

/// A bit for each column, x fastest; one word where there are none.
fn solid_words(solids: &[bool]) -> Vec<u32> {
    let mut words = vec![0u32; solids.len().div_ceil(32).max(1)];
    for (index, _) in solids.iter().enumerate().filter(|(_, is_solid)| **is_solid) {
        words[index / 32] |= 1 << (index % 32);
    }
    words
}
