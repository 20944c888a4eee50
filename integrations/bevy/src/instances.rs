//! The individuals of a swarm as instances: a place, a direction and a species each, in a buffer that stays on the device.

use murmuration::{Failure, Simulation};
use murmuration_gpu::cells::{BodyList, PointList, StateTextures};
use std::sync::Arc;

/// Bytes of an instance.
const BYTES: u64 = 32;
const WORKGROUP: u32 = 64;

/// The instances of a swarm that plays on the device, 32 bytes each: the place in cells, the species, the direction as a unit vector and the
/// speed in cells a step. Of cells they are the points. An instance whose direction is 0 is none.
pub struct InstanceBuffer {
    device: wgpu::Device,
    instances: wgpu::Buffer,
    bound: Option<Bound>,
}

/// The pass that lists, bound to the buffers of an engine.
struct Bound {
    stored: wgpu::Buffer,
    pipeline: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
}

impl InstanceBuffer {
    /// An empty buffer on a device.
    pub fn new(device: &wgpu::Device) -> Self {
        Self { device: device.clone(), instances: made(device, 1), bound: None }
    }

    /// Encodes that the buffer gets the present individuals. Another number of them may make another buffer.
    ///
    /// # Errors
    /// If the device fails.
    pub fn update(
        &mut self,
        simulation: &mut Simulation,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<(), Failure> {
        if simulation.preset().individuals.is_none() {
            simulation.keep_points()?;
        }
        simulation.show()?;
        let textures = simulation.on_device().and_then(|textures| textures.downcast::<StateTextures>().ok());
        let Some(textures) = textures else {
            return Err(Failure::Device("the swarm does not play on the game's device".into()));
        };
        self.bind(&textures);
        let Some(bound) = &self.bound else { return Ok(()) };
        let groups = self.count().div_ceil(WORKGROUP);
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&bound.pipeline);
        pass.set_bind_group(0, &bound.group, &[]);
        pass.dispatch_workgroups(groups.min(1 << 15), groups.div_ceil(1 << 15), 1);
        Ok(())
    }

    /// Whether any were listed.
    pub fn is_listed(&self) -> bool {
        self.bound.is_some()
    }

    /// The buffer, for shaders and as a vertex buffer.
    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.instances
    }

    /// Places in the buffer.
    pub fn count(&self) -> u32 {
        (self.instances.size() / BYTES) as u32
    }

    fn bind(&mut self, textures: &Arc<StateTextures>) {
        let of_bodies = |list: BodyList| (list.buffer.clone(), list.buffer, list.count, None::<(u64, bool)>);
        let bodies = textures.current().bodies.map(of_bodies);
        let of_points = |list: PointList| {
            (list.list, list.starts, list.room, Some((list.count_at / 4, list.layers > 1)))
        };
        let found = bodies.or_else(|| textures.points().map(of_points));
        let Some((stored, counts, count, points)) = found else { return };
        if self.bound.as_ref().is_some_and(|bound| bound.stored == stored) {
            return;
        }
        let device = &self.device;
        self.instances = made(device, count);
        let module = device.create_shader_module(wgpu::include_wgsl!("instances.wgsl"));
        let (count_at, has_layers) = points.unwrap_or_default();
        let constants = [
            ("ARE_POINTS", f64::from(points.is_some())),
            ("HAS_LAYERS", f64::from(has_layers)),
            ("COUNT_AT", count_at as f64),
        ];
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some("instances"),
            layout: None,
            module: &module,
            entry_point: None,
            compilation_options: wgpu::PipelineCompilationOptions { constants: &constants, ..Default::default() },
            cache: None,
        });
        let buffers = [&stored, &counts, &self.instances];
        let entry = |binding| wgpu::BindGroupEntry {
            binding,
            resource: buffers[binding as usize].as_entire_binding(),
        };
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("instances"),
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[0, 1, 2].map(entry),
        });
        self.bound = Some(Bound { stored, pipeline, group });
    }
}

fn made(device: &wgpu::Device, count: u32) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("instances"),
        size: u64::from(count.max(1)) * BYTES,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    })
}
