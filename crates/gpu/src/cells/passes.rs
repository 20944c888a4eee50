//! The passes of a plan as pipelines and bind groups. They are made before the first step. Kernels are compiled under
//! assumptions, such as equal capacities, and are made again when an assumption no longer holds.

use super::boxes::Boxes;
use crate::device::Stopwatch;
use crate::device::program::{ComputeStep, Program, RenderForm, Resource, attachment, begin_compute, buffer_of};
use crate::lattice::Lattice;
use crate::shader::{ShaderConfig, assemble, check, sight_table, strip, vector_table};
use murmuration_core::cells::numbers::Parameters;
use murmuration_core::chain::plan::{PlannedPass, Slot};
use murmuration_core::engine::Dispatch;
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::world::World;
use std::collections::BTreeMap;

/// All passes of a step, ready to be encoded.
pub struct Passes {
    assumed: Assumptions,
    passes: Vec<Pass>,
}

/// The assumptions under which kernels are compiled, to make them faster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Assumptions {
    /// The capacity of every cell, in quanta. `None`: capacities differ, and kernels read them from a texture.
    capacity: Option<u32>,
    /// Whether there may be hunters. Without hunters, a loop over them would take 4 % of a step on a software adapter.
    has_hunters: bool,
}

struct Pass {
    /// The dispatches before the kernel, with the sums over boxes that it reads.
    boxes: Boxes,
    kernel: LatticeKernel,
}

enum LatticeKernel {
    Compute(ComputeStep),
    Fragment {
        program: Program<wgpu::RenderPipeline>,
        /// For each phase: the bind group, and the render targets.
        bound: Vec<(wgpu::BindGroup, Vec<wgpu::TextureView>)>,
    },
}

impl Passes {
    /// Compiles the passes of a plan for a world.
    ///
    /// # Errors
    /// If a kernel does not compile (with its file and line), or needs more textures or buffers than the device allows.
    pub fn new(lattice: &Lattice, world: &World) -> Result<Self, Failure> {
        let capacity = (!world.solids.contains(&true)).then_some(world.capacity);
        let has_hunters = !lattice.gpu.is_software() || !world.hunters.is_empty();
        Self::with_boxes(lattice, Assumptions { capacity, has_hunters }, Vec::new())
    }

    /// Compiles the passes of a plan. `made_before`: the sums over boxes of earlier passes for the same plan, which are
    /// used again.
    fn with_boxes(lattice: &Lattice, assumed: Assumptions, made_before: Vec<Boxes>) -> Result<Self, Failure> {
        let (plan, Assumptions { capacity, has_hunters }) = (&lattice.plan, assumed);
        let has_noise = lattice.rules.noise.is_any();
        let config = ShaderConfig { capacity, has_noise, has_hunters, ..lattice.shader_config() };
        let mut made_before = made_before.into_iter();
        let passes = plan.phases[0].iter().enumerate().map(|(index, pass)| {
            check_limits(lattice, pass)?;
            let config = ShaderConfig { meals: &pass.meals, ..config };
            check(plan, pass, config)?;
            let boxes = made_before.next().unwrap_or_else(|| Boxes::new(lattice, index));
            let kernel = LatticeKernel::new(lattice, index, config, &boxes);
            Ok(Pass { boxes, kernel })
        });
        Ok(Self { assumed, passes: passes.collect::<Result<_, BadInput>>()? })
    }

    /// Notes the capacities of all cells, in quanta. Once capacities have differed, kernels always read them from a
    /// texture. So painting solids compiles the kernels again only once.
    ///
    /// # Errors
    /// The errors of [`Passes::new`].
    pub fn take_capacities(&mut self, lattice: &Lattice, capacities: &[u32]) -> Result<(), Failure> {
        let all = self.assumed.capacity;
        if all.is_some_and(|all| capacities.iter().any(|capacity| *capacity != all)) {
            self.assume(lattice, Assumptions { capacity: None, ..self.assumed })?;
        }
        Ok(())
    }

    /// Notes the parameters of the next steps. After the first hunter, kernels always expect hunters. So hunters that
    /// appear and leave compile the kernels again only once.
    ///
    /// # Errors
    /// The errors of [`Passes::new`].
    pub fn take_steps(&mut self, lattice: &Lattice, steps: &[Parameters]) -> Result<(), Failure> {
        if !self.assumed.has_hunters && steps.iter().any(|step| step.hunter_count > 0) {
            self.assume(lattice, Assumptions { has_hunters: true, ..self.assumed })?;
        }
        Ok(())
    }

    fn assume(&mut self, lattice: &Lattice, assumed: Assumptions) -> Result<(), Failure> {
        let boxes = self.passes.drain(..).map(|pass| pass.boxes).collect();
        *self = Self::with_boxes(lattice, assumed, boxes)?;
        lattice.gpu.check()
    }

    /// Encodes one pass of a step. `offset`: the place of the pass's parameters in their buffer, in bytes.
    pub fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        phase: usize,
        index: usize,
        offset: u32,
        stopwatch: Option<&Stopwatch>,
    ) {
        let Pass { boxes, kernel } = &self.passes[index];
        match kernel {
            LatticeKernel::Compute(step) => {
                let span = stopwatch.map(|stopwatch| (stopwatch, index));
                let mut pass = begin_compute(encoder, &step.program.label, span);
                boxes.encode(&mut pass, phase, offset);
                step.encode(&mut pass, phase, offset);
            }
            LatticeKernel::Fragment { program, bound } => {
                if !boxes.is_empty() {
                    boxes.encode(&mut begin_compute(encoder, "boxes", None), phase, offset);
                }
                let (bind_group, targets) = &bound[phase];
                let load = wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT);
                let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                    label: Some(&program.label),
                    color_attachments: &targets.iter().map(|view| attachment(view, load)).collect::<Vec<_>>(),
                    timestamp_writes: stopwatch.and_then(|stopwatch| stopwatch.render(index)),
                    ..Default::default()
                });
                pass.set_pipeline(&program.pipeline);
                pass.set_bind_group(0, bind_group, program.offsets(&[offset]));
                pass.draw(0..3, 0..1);
            }
        }
    }
}

impl LatticeKernel {
    fn new(lattice: &Lattice, index: usize, config: ShaderConfig<'_>, boxes: &Boxes) -> Self {
        let Lattice { gpu, plan, extents, .. } = lattice;
        let pass = &plan.phases[0][index];
        let kernel = &plan.kernels[pass.kernel];
        let (device, shader) = (&gpu.device, assemble(plan, pass, config));
        let sights = sight_buffers(lattice, pass);
        let resource = |phase: usize, name: &str| {
            let pass = &plan.phases[phase][index];
            let slot = |slots: &[Slot], names: &[String], field: &str| {
                let place = names.iter().position(|name| name == field)?;
                Some(lattice.view(slots[place]))
            };
            let [reads, writes] = &pass.names;
            let read = name.strip_suffix("_texture").and_then(|field| slot(&pass.read, reads, field));
            let written = || name.strip_suffix("_target").and_then(|field| slot(&pass.write, writes, field));
            let summed = || boxes.views.iter().find(|(known, _)| known == name).map(|(_, view)| view.clone());
            match read.or_else(written).or_else(summed) {
                Some(view) => Resource::Texture(view),
                None => Resource::Buffer(sights.get(name).unwrap_or(&lattice.parameters)),
            }
        };
        match config.dispatch {
            Dispatch::Compute { workgroup: [width, height] } => {
                let rows = strip(kernel, &pass.sights_of_fields(config.sights), config.dispatch, *extents);
                let [along_y, along_z] = if extents.depth.is_some() { [1, rows] } else { [rows, 1] };
                let workgroups = [
                    extents.width.div_ceil(width),
                    extents.height.div_ceil(height * along_y),
                    extents.slices().div_ceil(along_z),
                ];
                let program = Program::compute(gpu, &kernel.name, &shader, kernel.is_built_in);
                Self::Compute(ComputeStep::new(device, program, workgroups, plan.phases.len(), resource))
            }
            Dispatch::Fragment => {
                let targets = pass.write.iter().map(|slot| Some(lattice.texture(*slot).format().into()));
                let form = RenderForm { targets: &targets.collect::<Vec<_>>(), ..Default::default() };
                let program = Program::render(gpu, &kernel.name, &shader, kernel.is_built_in, &form);
                let bound = plan.phases.iter().enumerate().map(|(number, phase)| {
                    let targets = phase[index].write.iter().map(|slot| lattice.view(*slot)).collect();
                    (program.bind(device, |name| resource(number, name)), targets)
                });
                Self::Fragment { bound: bound.collect(), program }
            }
        }
    }
}

/// Refuses a user's pass with more fields than a shader of this device can bind. The sums over boxes always fit,
/// because `behaviour` reads at most 13 fields and two sums.
fn check_limits(lattice: &Lattice, pass: &PlannedPass) -> Result<(), BadInput> {
    let limits = lattice.gpu.device.limits();
    let writes = match lattice.dispatch {
        Dispatch::Compute { .. } => limits.max_storage_textures_per_shader_stage,
        Dispatch::Fragment => limits.max_color_attachments,
    };
    let kernel = &lattice.plan.kernels[pass.kernel];
    for (verb, count, most) in
        [("reads", pass.read.len(), limits.max_sampled_textures_per_shader_stage), ("writes", pass.write.len(), writes)]
    {
        if count > most as usize {
            let problem = format!("`{}` {verb} {count} fields", kernel.name);
            return Err(BadInput::new(&kernel.origin, problem, format!("the GPU binds at most {most}")));
        }
    }
    Ok(())
}

/// The buffers with the vectors of the sights of a pass, by the name of their variable.
fn sight_buffers(lattice: &Lattice, pass: &PlannedPass) -> BTreeMap<String, wgpu::Buffer> {
    let works_out_rules = lattice.plan.kernels[pass.kernel].works_out_rules();
    let sights = pass.sights_of_fields(&lattice.rules.sights).into_iter().enumerate();
    let buffer = |(rule, sight): (usize, Option<_>)| {
        let (name, table) = if works_out_rules {
            (format!("sight_{rule}"), sight_table(rule, sight?, lattice.dispatch))
        } else {
            ("sight_vectors".to_string(), vector_table(sight?))
        };
        if table.is_empty() {
            return None;
        }
        let (device, queue) = (&lattice.gpu.device, lattice.gpu.queue());
        let buffer = buffer_of(device, queue, &name, bytemuck::cast_slice(&table), wgpu::BufferUsages::UNIFORM);
        Some((name, buffer))
    };
    sights.filter_map(buffer).collect()
}
