//! The ledger on the GPU: exact sums of the density, of the whole lattice and of what the hunter catches. These are no
//! lattice kernels: they are compute dispatches even where the passes are fragment passes.

use crate::chain::plan::Plan;
use crate::device::Gpu;
use crate::device::transfer;
use crate::error::Failure;
use crate::kernels::BuiltInKernel;
use crate::kernels::parameters::Parameters;
use crate::shader::{LEDGER_ROWS, assemble_caught, assemble_ledger};
use crate::world::World;

/// The two sums, each with a bind group for each phase.
pub struct Ledger {
    total: Sum,
    /// `None` where the chain has no jaws.
    caught: Option<Sum>,
}

struct Sum {
    pipeline: wgpu::ComputePipeline,
    bind_groups: Vec<wgpu::BindGroup>,
    /// Pairs of words; what a pair means is said in the shader.
    words: wgpu::Buffer,
    groups: u32,
}

impl Ledger {
    pub fn new(
        gpu: &Gpu,
        plan: &Plan,
        world: &World,
        textures: &[Vec<wgpu::Texture>],
        parameters: &wgpu::Buffer,
    ) -> Self {
        let view = |slot: crate::chain::plan::Slot| textures[slot.field][slot.buffer].create_view(&Default::default());
        let groups = world.extents.height.div_ceil(LEDGER_ROWS);
        let densities = plan.state.iter().map(|[density, _]| view(*density)).collect();
        let total = Sum::new(gpu, "ledger", assemble_ledger(&gpu.library, world.extents), densities, groups, None);
        let jaws =
            |pass: &&crate::chain::plan::PlannedPass| plan.kernels[pass.kernel].twin == Some(BuiltInKernel::Jaws);
        let densities: Vec<_> =
            plan.phases.iter().filter_map(|phase| phase.iter().find(jaws)).map(|pass| view(pass.read[0])).collect();
        let caught = (!densities.is_empty()).then(|| {
            let shader = assemble_caught(&gpu.library, world.extents, world.edges);
            Sum::new(gpu, "caught", shader, densities, 1, Some(parameters))
        });
        Self { total, caught }
    }

    /// The sum of the density before a phase.
    pub fn total(&self, gpu: &Gpu, phase: usize) -> Result<u64, Failure> {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.total.encode(&mut encoder, phase, &[]);
        gpu.submit(encoder);
        let sums = transfer::download_buffer(gpu, &self.total.words)?;
        // Each pair is Σ (D & 0xffff) and Σ (D >> 16) of some rows.
        Ok(sums.chunks_exact(2).map(|sums| u64::from(sums[0]) + (u64::from(sums[1]) << 16)).sum())
    }

    /// Encodes the sum of what the jaws are about to catch, with the step's parameters at an offset.
    pub fn encode_caught(&self, encoder: &mut wgpu::CommandEncoder, phase: usize, offset: u32) {
        if let Some(caught) = &self.caught {
            caught.encode(encoder, phase, &[offset]);
        }
    }

    /// The quanta caught so far.
    pub fn caught(&self, gpu: &Gpu) -> Result<u64, Failure> {
        let Some(caught) = &self.caught else { return Ok(0) };
        let words = transfer::download_buffer(gpu, &caught.words)?;
        // The pair is the low and the high word.
        Ok(u64::from(words[0]) + (u64::from(words[1]) << 32))
    }
}

impl Sum {
    /// A sum whose shader binds the density at 0 and the words at 1, or the parameters at 0 and the others after them.
    fn new(
        gpu: &Gpu,
        name: &str,
        shader: String,
        densities: Vec<wgpu::TextureView>,
        groups: u32,
        parameters: Option<&wgpu::Buffer>,
    ) -> Self {
        let device = &gpu.device;
        let label = Some(name);
        let words = device.create_buffer(&wgpu::BufferDescriptor {
            label,
            size: u64::from(groups) * 8,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty,
            count: None,
        };
        let buffer =
            |ty, has_dynamic_offset| wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size: None };
        let first = u32::from(parameters.is_some());
        let mut entries = vec![
            entry(
                first,
                wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Uint,
                    view_dimension: wgpu::TextureViewDimension::D2,
                    multisampled: false,
                },
            ),
            entry(first + 1, buffer(wgpu::BufferBindingType::Storage { read_only: false }, false)),
        ];
        if parameters.is_some() {
            entries.push(entry(0, buffer(wgpu::BufferBindingType::Uniform, true)));
        }
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label, entries: &entries });
        let bind_groups = densities
            .iter()
            .map(|density| {
                let mut entries = vec![
                    wgpu::BindGroupEntry { binding: first, resource: wgpu::BindingResource::TextureView(density) },
                    wgpu::BindGroupEntry { binding: first + 1, resource: words.as_entire_binding() },
                ];
                entries.extend(parameters.map(|buffer| wgpu::BindGroupEntry {
                    binding: 0,
                    resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                        buffer,
                        offset: 0,
                        size: Parameters::binding_size(),
                    }),
                }));
                device.create_bind_group(&wgpu::BindGroupDescriptor { label, layout: &layout, entries: &entries })
            })
            .collect();
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label,
            source: wgpu::ShaderSource::Wgsl(shader.into()),
        });
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label,
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label,
            layout: Some(&layout),
            module: &module,
            entry_point: label,
            compilation_options: Default::default(),
            cache: None,
        });
        Self { pipeline, bind_groups, words, groups }
    }

    fn encode(&self, encoder: &mut wgpu::CommandEncoder, phase: usize, offsets: &[u32]) {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bind_groups[phase], offsets);
        pass.dispatch_workgroups(self.groups, 1, 1);
    }
}
