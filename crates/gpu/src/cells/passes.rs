//! The passes of a plan as pipelines and bind groups, made before the first step and played in every one.

use super::boxes::{Boxes, Source};
use crate::chain::plan::{Plan, PlannedPass, Slot};
use crate::device::Gpu;
use crate::device::Stopwatch;
use crate::engine::Dispatch;
use crate::error::{BadInput, Failure};
use crate::kernels::BuiltInKernel;
use crate::kernels::parameters::Parameters;
use crate::rules::Rules;
use crate::shader::{
    COMPUTE_ENTRY, FIRST_FIELD_BINDING, FIRST_SIGHT_BINDING, FRAGMENT_ENTRY, PARAMETERS_BINDING, Setting, VERTEX_ENTRY,
    assemble, check, sight_table, strip, vector_table,
};
use crate::world::{Edges, Extents};

/// All passes of all phases, ready to be encoded.
pub struct Passes {
    extents: Extents,
    /// One for each pass; the phases share them.
    pipelines: Vec<Pipeline>,
    /// By phase, then by pass.
    bound: Vec<Vec<Bound>>,
    /// By pass: what it needs summed before.
    boxes: Vec<Boxes>,
}

/// What passes are made for.
#[derive(Clone, Copy)]
pub struct Made<'a> {
    pub plan: &'a Plan,
    pub rules: &'a Rules,
    pub extents: Extents,
    pub edges: Edges,
    pub dispatch: Dispatch,
}

enum Pipeline {
    /// `workgroup`: the cells that one covers.
    Compute {
        pipeline: wgpu::ComputePipeline,
        workgroup: [u32; 2],
    },
    Fragment(wgpu::RenderPipeline),
}

/// What a pass reads and writes in one phase.
struct Bound {
    label: String,
    bind_group: wgpu::BindGroup,
    /// The render targets; none in a compute dispatch, where the bind group has them.
    targets: Vec<wgpu::TextureView>,
}

impl Passes {
    /// `capacity`: that of every cell, where all have the same. `made_before`: the sums over boxes of other passes for the
    /// same plan, which do for these.
    pub fn new(
        gpu: &Gpu,
        made: Made<'_>,
        textures: &[Vec<wgpu::Texture>],
        parameters: &wgpu::Buffer,
        capacity: Option<u32>,
        made_before: Vec<Boxes>,
    ) -> Result<Self, Failure> {
        let Made { plan, rules, extents, edges, dispatch } = made;
        let view = |slot: &Slot| textures[slot.field][slot.buffer].create_view(&Default::default());
        let sights = |pass: &PlannedPass| -> Vec<Option<wgpu::Buffer>> {
            let is_behaviour = plan.kernels[pass.kernel].twin == Some(BuiltInKernel::Behaviour);
            let table = |rule, sight| match is_behaviour {
                true => sight_table(rule, sight, dispatch),
                false => vector_table(sight),
            };
            let buffer = |(rule, name): (usize, &Option<String>)| {
                name.as_ref().map(|name| sight_buffer(gpu, name, &table(rule, &rules.sights[name])))
            };
            pass.sights.iter().enumerate().map(buffer).collect()
        };
        let mut pipelines = Vec::new();
        let mut layouts = Vec::new();
        let mut seen = Vec::new();
        let mut boxes = Vec::new();
        let mut made_before = made_before.into_iter();
        let setting = Setting { library: gpu.library, extents, edges, sights: &rules.sights, dispatch, capacity };
        for (index, pass) in plan.phases[0].iter().enumerate() {
            check_limits(gpu, plan, pass, dispatch)?;
            check(plan, pass, setting)?;
            let source = Source { made, pass: index, textures, parameters };
            let before = made_before.next().unwrap_or_else(|| Boxes::new(gpu, &source));
            let layout = bind_group_layout(gpu, pass, before.views.len(), setting);
            pipelines.push(pipeline(gpu, plan, pass, setting, &layout));
            layouts.push(layout);
            seen.push(sights(pass));
            boxes.push(before);
        }
        let bound = plan
            .phases
            .iter()
            .map(|phase| {
                phase
                    .iter()
                    .zip(layouts.iter().zip(seen.iter().zip(&boxes)))
                    .map(|(pass, (layout, (sights, boxes)))| {
                        let read: Vec<_> = pass.read.iter().map(view).collect();
                        let write: Vec<_> = pass.write.iter().map(view).collect();
                        let label = plan.kernels[pass.kernel].name.clone();
                        let stored = if dispatch == Dispatch::Fragment { &[] } else { write.as_slice() };
                        let views: Vec<_> = read.iter().chain(stored).chain(&boxes.views).collect();
                        let bind_group = bind_group(gpu, &label, layout, parameters, sights, &views);
                        let targets = if dispatch == Dispatch::Fragment { write } else { Vec::new() };
                        Bound { label, bind_group, targets }
                    })
                    .collect()
            })
            .collect();
        Ok(Self { extents, pipelines, bound, boxes })
    }

    /// The sums over boxes, for other passes of the same plan. These here are not to be played any more.
    pub fn take_boxes(&mut self) -> Vec<Boxes> {
        std::mem::take(&mut self.boxes)
    }

    /// Encodes one pass, with its parameters at an offset in their buffer.
    pub fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        phase: usize,
        index: usize,
        offset: u32,
        stopwatch: Option<&Stopwatch>,
    ) {
        let bound = &self.bound[phase][index];
        match &self.pipelines[index] {
            Pipeline::Compute { pipeline, workgroup: [width, height] } => {
                let timestamp_writes = stopwatch.map(|stopwatch| stopwatch.compute(index));
                let descriptor = wgpu::ComputePassDescriptor { label: Some(&bound.label), timestamp_writes };
                let mut pass = encoder.begin_compute_pass(&descriptor);
                self.boxes[index].encode(&mut pass, phase, offset);
                pass.set_pipeline(pipeline);
                pass.set_bind_group(0, &bound.bind_group, &[offset]);
                pass.dispatch_workgroups(self.extents.width.div_ceil(*width), self.extents.height.div_ceil(*height), 1);
            }
            Pipeline::Fragment(pipeline) => {
                let attachments: Vec<_> = bound
                    .targets
                    .iter()
                    .map(|view| {
                        Some(wgpu::RenderPassColorAttachment {
                            view,
                            depth_slice: None,
                            resolve_target: None,
                            ops: wgpu::Operations {
                                load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                                store: wgpu::StoreOp::Store,
                            },
                        })
                    })
                    .collect();
                let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                    label: Some(&bound.label),
                    color_attachments: &attachments,
                    timestamp_writes: stopwatch.map(|stopwatch| stopwatch.render(index, true, true)),
                    ..Default::default()
                });
                pass.set_pipeline(pipeline);
                pass.set_bind_group(0, &bound.bind_group, &[offset]);
                pass.draw(0..3, 0..1);
            }
        }
    }
}

/// A user's pass may list more fields than a shader can bind. The sums over boxes are always bound: `behaviour` reads at most
/// thirteen fields and two of them.
fn check_limits(gpu: &Gpu, plan: &Plan, pass: &PlannedPass, dispatch: Dispatch) -> Result<(), BadInput> {
    let limits = gpu.device.limits();
    let writes = match dispatch {
        Dispatch::Compute { .. } => limits.max_storage_textures_per_shader_stage,
        Dispatch::Fragment => limits.max_color_attachments,
    };
    let kernel = &plan.kernels[pass.kernel];
    let named = [
        ("reads", pass.read.len(), limits.max_sampled_textures_per_shader_stage),
        ("writes", pass.write.len(), writes),
    ];
    for (verb, count, most) in named {
        if count > most as usize {
            let problem = format!("`{}` {verb} {count} fields", kernel.name);
            return Err(BadInput::new(&kernel.origin, problem, format!("the GPU binds at most {most}")));
        }
    }
    Ok(())
}

fn sight_buffer(gpu: &Gpu, name: &str, words: &[[i32; 4]]) -> wgpu::Buffer {
    let contents: &[u8] = bytemuck::cast_slice(words);
    // Not `create_buffer_init`, which panics where the device is lost.
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(name),
        size: contents.len() as u64,
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    gpu.queue.write_buffer(&buffer, 0, contents);
    buffer
}

/// `boxes`: how many sums over boxes the pass looks at, after what it writes.
fn bind_group_layout(gpu: &Gpu, pass: &PlannedPass, boxes: usize, setting: Setting<'_>) -> wgpu::BindGroupLayout {
    let stage = match setting.dispatch {
        Dispatch::Compute { .. } => wgpu::ShaderStages::COMPUTE,
        Dispatch::Fragment => wgpu::ShaderStages::FRAGMENT,
    };
    let entry = |binding: u32, ty: wgpu::BindingType| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: stage,
        ty,
        count: None,
    };
    let mut entries = vec![entry(PARAMETERS_BINDING, uniform(true))];
    let sights = pass.sights.iter().zip(FIRST_SIGHT_BINDING..).filter(|(sight, _)| sight.is_some());
    entries.extend(sights.map(|(_, binding)| entry(binding, uniform(false))));
    let first_write = FIRST_FIELD_BINDING + pass.read.len() as u32;
    let words = looked_up(wgpu::TextureSampleType::Uint);
    entries.extend((FIRST_FIELD_BINDING..first_write).map(|binding| entry(binding, words)));
    let first_box = first_write + pass.write.len() as u32;
    let sums = looked_up(wgpu::TextureSampleType::Sint);
    entries.extend((first_box..first_box + boxes as u32).map(|binding| entry(binding, sums)));
    if setting.dispatch != Dispatch::Fragment {
        entries.extend((first_write..first_box).map(|binding| entry(binding, stored(wgpu::TextureFormat::R32Uint))));
    }
    gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries })
}

/// A buffer of parameters or of a sight.
pub fn uniform(has_dynamic_offset: bool) -> wgpu::BindingType {
    wgpu::BindingType::Buffer { ty: wgpu::BufferBindingType::Uniform, has_dynamic_offset, min_binding_size: None }
}

/// A texture that is read.
pub fn looked_up(sample_type: wgpu::TextureSampleType) -> wgpu::BindingType {
    wgpu::BindingType::Texture { sample_type, view_dimension: wgpu::TextureViewDimension::D2, multisampled: false }
}

/// A texture that is written.
pub fn stored(format: wgpu::TextureFormat) -> wgpu::BindingType {
    wgpu::BindingType::StorageTexture {
        access: wgpu::StorageTextureAccess::WriteOnly,
        format,
        view_dimension: wgpu::TextureViewDimension::D2,
    }
}

/// The pipeline of a shader's one compute entry.
pub fn compute_pipeline(
    gpu: &Gpu,
    label: Option<&str>,
    layout: &wgpu::PipelineLayout,
    module: &wgpu::ShaderModule,
) -> wgpu::ComputePipeline {
    gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label,
        layout: Some(layout),
        module,
        entry_point: Some(COMPUTE_ENTRY),
        compilation_options: Default::default(),
        cache: None,
    })
}

fn bind_group(
    gpu: &Gpu,
    label: &str,
    layout: &wgpu::BindGroupLayout,
    parameters: &wgpu::Buffer,
    sights: &[Option<wgpu::Buffer>],
    views: &[&wgpu::TextureView],
) -> wgpu::BindGroup {
    let mut entries = vec![wgpu::BindGroupEntry {
        binding: PARAMETERS_BINDING,
        resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer: parameters,
            offset: 0,
            size: Parameters::binding_size(),
        }),
    }];
    entries.extend(sights.iter().zip(FIRST_SIGHT_BINDING..).filter_map(|(sight, binding)| {
        sight.as_ref().map(|sight| wgpu::BindGroupEntry { binding, resource: sight.as_entire_binding() })
    }));
    entries.extend(
        views.iter().zip(FIRST_FIELD_BINDING..).map(|(view, binding)| wgpu::BindGroupEntry {
            binding,
            resource: wgpu::BindingResource::TextureView(view),
        }),
    );
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some(label), layout, entries: &entries })
}

fn pipeline(
    gpu: &Gpu,
    plan: &Plan,
    pass: &PlannedPass,
    setting: Setting<'_>,
    layout: &wgpu::BindGroupLayout,
) -> Pipeline {
    let label = Some(plan.kernels[pass.kernel].name.as_str());
    let descriptor =
        wgpu::ShaderModuleDescriptor { label, source: wgpu::ShaderSource::Wgsl(assemble(plan, pass, setting).into()) };
    let module = if plan.kernels[pass.kernel].twin.is_some() {
        // SAFETY: the built-in kernels read fields only through accessors that keep to the lattice, index the sight by
        // its own count, divide by at least 1, and have no loop without an end. A third of their time was the checks.
        unsafe { gpu.device.create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked()) }
    } else {
        gpu.device.create_shader_module(descriptor)
    };
    let layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label,
        bind_group_layouts: &[Some(layout)],
        immediate_size: 0,
    });
    match setting.dispatch {
        Dispatch::Compute { workgroup } => {
            let pipeline = compute_pipeline(gpu, label, &layout, &module);
            let [width, height] = workgroup;
            let sights = pass.seen_through(setting.sights);
            let rows = strip(plan.kernels[pass.kernel].twin, &sights, setting.dispatch, setting.extents);
            Pipeline::Compute { pipeline, workgroup: [width, height * rows] }
        }
        Dispatch::Fragment => {
            let targets = vec![Some(wgpu::ColorTargetState::from(wgpu::TextureFormat::R32Uint)); pass.write.len()];
            Pipeline::Fragment(gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label,
                layout: Some(&layout),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some(VERTEX_ENTRY),
                    compilation_options: Default::default(),
                    buffers: &[],
                },
                primitive: Default::default(),
                depth_stencil: None,
                multisample: Default::default(),
                fragment: Some(wgpu::FragmentState {
                    module: &module,
                    entry_point: Some(FRAGMENT_ENTRY),
                    compilation_options: Default::default(),
                    targets: &targets,
                }),
                multiview_mask: None,
                cache: None,
            }))
        }
    }
}
