//! The sums over boxes that `behaviour` looks at, made before it: down the columns of the lattice, then along its rows.

use super::passes::{Made, compute_pipeline, looked_up, stored, uniform};
use crate::chain::plan::{Plan, PlannedPass, Slot};
use crate::device::Gpu;
use crate::engine::Dispatch;
use crate::kernels::BuiltInKernel;
use crate::kernels::parameters::Parameters;
use crate::rules::Rules;
use crate::shader::{Along, Way, alike, assemble_boxes};
use crate::sight::Sight;
use crate::world::Extents;

/// The sums of one pass, each dispatch with a bind group for each phase.
pub struct Boxes {
    sums: Vec<Sum>,
    /// What comes of them, in the order of the bindings of `behaviour`.
    pub views: Vec<wgpu::TextureView>,
}

struct Sum {
    pipeline: wgpu::ComputePipeline,
    bind_groups: Vec<wgpu::BindGroup>,
    workgroups: [u32; 2],
}

/// What the sums of a pass are made from.
pub struct Source<'a> {
    pub made: Made<'a>,
    /// The number of the pass.
    pub pass: usize,
    /// By field, then by buffer.
    pub textures: &'a [Vec<wgpu::Texture>],
    pub parameters: &'a wgpu::Buffer,
}

/// The boxes that a pass looks through, each with the rules that it does for; none but `behaviour` has any.
fn boxes<'a>(plan: &Plan, pass: &PlannedPass, rules: &'a Rules, dispatch: Dispatch) -> Vec<(Vec<usize>, &'a Sight)> {
    if plan.kernels[pass.kernel].twin != Some(BuiltInKernel::Behaviour) {
        return Vec::new();
    }
    let alike = alike(&pass.seen_through(&rules.sights), dispatch);
    alike.into_iter().filter(|(.., way)| *way == Way::Boxes).map(|(rules, sight, _)| (rules, sight)).collect()
}

/// The bytes a cell that the sums over boxes of a plan take.
pub fn box_bytes(plan: &Plan, rules: &Rules, dispatch: Dispatch) -> u64 {
    let textures = plan.phases[0].iter().map(|pass| {
        let boxed: usize = boxes(plan, pass, rules, dispatch).iter().map(|(rules, _)| rules.len()).sum();
        // One for the rows of each rule, and one for the columns of all.
        if boxed > 0 { 1 + boxed as u64 } else { 0 }
    });
    16 * textures.sum::<u64>()
}

impl Boxes {
    /// Those that a pass needs, if any.
    pub fn new(gpu: &Gpu, source: &Source<'_>) -> Self {
        let Made { plan, rules, extents, dispatch, .. } = source.made;
        let boxed = boxes(plan, &plan.phases[0][source.pass], rules, dispatch);
        let mut boxes = Self { sums: Vec::new(), views: Vec::new() };
        if boxed.is_empty() {
            return boxes;
        }
        // One after the other, so that the columns have one place.
        let columns = texture(gpu, "columns", extents);
        for (rules, sight) in boxed {
            // The columns of the last rule do for the others.
            let last = rules[rules.len() - 1];
            boxes.add(gpu, source, (last, sight.reach(), Along::Columns), None, &columns);
            for rule in rules {
                let sums = texture(gpu, "box", extents);
                boxes.add(gpu, source, (rule, sight.reach(), Along::Rows), Some(&columns), &sums);
                boxes.views.push(sums);
            }
        }
        boxes
    }

    /// Encodes the sums into a pass, before what looks at them.
    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>, phase: usize, offset: u32) {
        for sum in &self.sums {
            let [across, along] = sum.workgroups;
            pass.set_pipeline(&sum.pipeline);
            pass.set_bind_group(0, &sum.bind_groups[phase], &[offset]);
            pass.dispatch_workgroups(across, along, 1);
        }
    }

    fn add(
        &mut self,
        gpu: &Gpu,
        source: &Source<'_>,
        (rule, reach, along): (usize, i32, Along),
        columns: Option<&wgpu::TextureView>,
        target: &wgpu::TextureView,
    ) {
        let device = &gpu.device;
        let label = Some("boxes");
        let Made { plan, extents, edges, .. } = source.made;
        let shader = assemble_boxes(&gpu.library, rule, reach, along, extents, edges);
        let descriptor = wgpu::ShaderModuleDescriptor { label, source: wgpu::ShaderSource::Wgsl(shader.into()) };
        // SAFETY: it reads fields only through accessors that keep to the lattice, and its loops have an end.
        let module = unsafe { device.create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked()) };
        let mut types = vec![uniform(true)];
        match columns {
            Some(_) => types.push(looked_up(wgpu::TextureSampleType::Sint)),
            None => types.extend([looked_up(wgpu::TextureSampleType::Uint); 2]),
        }
        types.push(stored(FORMAT));
        let entries: Vec<_> = (0..)
            .zip(types)
            .map(|(binding, ty)| wgpu::BindGroupLayoutEntry {
                binding,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty,
                count: None,
            })
            .collect();
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label, entries: &entries });
        let view = |slot: &Slot| source.textures[slot.field][slot.buffer].create_view(&Default::default());
        let bind_groups = plan.phases.iter().map(|phase| {
            // `behaviour` reads the density, the capacity and the control vector.
            let [density, _, control] = [0, 1, 2].map(|read| view(&phase[source.pass].read[read]));
            let read = columns.map_or(vec![&density, &control], |columns| vec![columns]);
            let parameters = wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                buffer: source.parameters,
                offset: 0,
                size: Parameters::binding_size(),
            });
            let views = read.into_iter().chain([target]).map(wgpu::BindingResource::TextureView);
            let entries: Vec<_> = (0..)
                .zip([parameters].into_iter().chain(views))
                .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
                .collect();
            device.create_bind_group(&wgpu::BindGroupDescriptor { label, layout: &layout, entries: &entries })
        });
        let bind_groups = bind_groups.collect();
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label,
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = compute_pipeline(gpu, label, &layout, &module);
        self.sums.push(Sum { pipeline, bind_groups, workgroups: along.workgroups(extents) });
    }
}

/// Four sums a cell.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Sint;

fn texture(gpu: &Gpu, label: &str, extents: Extents) -> wgpu::TextureView {
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width: extents.width, height: extents.height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: FORMAT,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::STORAGE_BINDING,
        view_formats: &[],
    });
    texture.create_view(&Default::default())
}
