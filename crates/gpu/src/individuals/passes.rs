//! The kernels of a step as pipelines and bind groups, made once and played every step.

use super::kernels::{Buffer, Each, Kernel};
use super::shader::{Setting, assemble, buffers};
use crate::device::{Gpu, Stopwatch};
use crate::error::{BadInput, Failure};
use crate::kernels::parameters::Parameters;
use crate::shader::PARAMETERS_BINDING;

/// The most workgroups along an axis of a dispatch that WebGPU promises.
const MOST_GROUPS: u32 = 65_535;

/// A step's kernels, ready to be encoded.
pub struct Passes {
    passes: Vec<Pass>,
}

struct Pass {
    pipeline: wgpu::ComputePipeline,
    bind_group: wgpu::BindGroup,
    has_parameters: bool,
    groups: [u32; 2],
}

impl Passes {
    /// Pipelines for `kernels`. `buffer` gives a buffer and the bytes of it that are bound; `most` is for how many agents
    /// they are.
    ///
    /// # Errors
    /// Where a shader is not sound, which a test checks.
    pub fn new<'a>(
        gpu: &Gpu,
        kernels: &[&'static Kernel],
        setting: &Setting,
        most: usize,
        parameters: &wgpu::Buffer,
        buffer: impl Fn(Buffer) -> &'a wgpu::Buffer,
    ) -> Result<Self, Failure> {
        let passes = kernels.iter().map(|kernel| {
            let layout = layout(gpu, kernel);
            let invocations = match kernel.each {
                Each::Agent => (most as u32).div_ceil(setting.workgroup),
                Each::Block => setting.blocks(),
                Each::Once => 1,
            };
            let bound = buffers(kernel).map(|(each, _)| wgpu::BindGroupEntry {
                binding: each.binding(),
                resource: buffer(each).as_entire_binding(),
            });
            let step = kernel.has_parameters.then(|| wgpu::BindGroupEntry {
                binding: PARAMETERS_BINDING,
                resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer: parameters,
                    offset: 0,
                    size: Parameters::binding_size(),
                }),
            });
            Ok(Pass {
                pipeline: pipeline(gpu, kernel, setting, &layout)?,
                bind_group: gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                    label: Some(kernel.name),
                    layout: &layout,
                    entries: &bound.chain(step).collect::<Vec<_>>(),
                }),
                has_parameters: kernel.has_parameters,
                groups: spread(invocations),
            })
        });
        Ok(Self { passes: passes.collect::<Result<_, BadInput>>()? })
    }

    /// How many kernels a step has.
    pub fn count(&self) -> usize {
        self.passes.len()
    }

    /// Encodes a step, with its parameters at an offset in their buffer. One that is timed has a pass for each kernel.
    pub fn encode(&self, encoder: &mut wgpu::CommandEncoder, offset: u32, stopwatch: Option<&Stopwatch>) {
        if let Some(stopwatch) = stopwatch {
            for (index, pass) in self.passes.iter().enumerate() {
                let mut timed = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                    label: Some("kernel of the agents"),
                    timestamp_writes: Some(stopwatch.compute(index)),
                });
                pass.encode(&mut timed, offset);
            }
            return;
        }
        let mut step = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("step of the agents"),
            timestamp_writes: None,
        });
        for pass in &self.passes {
            pass.encode(&mut step, offset);
        }
    }
}

impl Pass {
    fn encode(&self, step: &mut wgpu::ComputePass<'_>, offset: u32) {
        step.set_pipeline(&self.pipeline);
        step.set_bind_group(0, &self.bind_group, &[offset][..usize::from(self.has_parameters)]);
        step.dispatch_workgroups(self.groups[0], self.groups[1], 1);
    }
}

/// Workgroups in two dimensions: as many as are needed, and a few more.
fn spread(groups: u32) -> [u32; 2] {
    let rows = groups.div_ceil(MOST_GROUPS).max(1);
    [groups.div_ceil(rows).max(1), rows]
}

fn layout(gpu: &Gpu, kernel: &Kernel) -> wgpu::BindGroupLayout {
    let entry = |binding: u32, ty: wgpu::BufferBindingType, has_dynamic_offset: bool| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size: None },
        count: None,
    };
    let storage = buffers(kernel).map(|(buffer, is_written)| {
        entry(buffer.binding(), wgpu::BufferBindingType::Storage { read_only: !is_written }, false)
    });
    let step = kernel.has_parameters.then(|| entry(PARAMETERS_BINDING, wgpu::BufferBindingType::Uniform, true));
    gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some(kernel.name),
        entries: &storage.chain(step).collect::<Vec<_>>(),
    })
}

fn pipeline(
    gpu: &Gpu,
    kernel: &Kernel,
    setting: &Setting,
    layout: &wgpu::BindGroupLayout,
) -> Result<wgpu::ComputePipeline, BadInput> {
    let label = Some(kernel.name);
    let shader = assemble(&gpu.library, kernel, setting);
    crate::shader::validate_text(&format!("shaders/agents/{}.wgsl", kernel.name), kernel.text(&gpu.library), &shader)?;
    let descriptor = wgpu::ShaderModuleDescriptor { label, source: wgpu::ShaderSource::Wgsl(shader.into()) };
    // SAFETY: agents are read below their number, which no buffer is shorter than; their places are in the world when
    // they are put there and after every step, so that so are their cells and columns; nothing is divided by 0, and
    // every loop has an end.
    let module = unsafe { gpu.device.create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked()) };
    let layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label,
        bind_group_layouts: &[Some(layout)],
        immediate_size: 0,
    });
    Ok(gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label,
        layout: Some(&layout),
        module: &module,
        entry_point: label,
        compilation_options: Default::default(),
        cache: None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_workgroup_is_in_one_row_or_another() {
        for groups in [0, 1, 65_535, 65_536, 131_071, 262_144, 1 << 24] {
            let [across, down] = spread(groups);
            assert!(u64::from(across) * u64::from(down) >= u64::from(groups));
            assert!((1..=MOST_GROUPS).contains(&across) && (1..=MOST_GROUPS).contains(&down));
            assert!(across * down < groups + down.max(2), "{groups}: {across} × {down}");
        }
    }
}
