//! The points of a swarm of cells on the device, its volume of light and density, and how both are seen.

use super::point_view::{PointView, VolumeShape};
use super::renderer::write_list;
use super::{SwarmSource, ViewTransform};
use crate::device::Gpu;
use crate::device::program::{Resource, buffer};
use crate::picture::{Projection, Volume, points_of_falcons, seeded};
use crate::preset::Look;
use crate::state::State;
use crate::world::World;
use glam::UVec2;
use murmuration_core::points::{Point, Points};
use std::sync::Arc;

pub struct Strokes {
    view: wgpu::Buffer,
    points: wgpu::Buffer,
    volume: wgpu::Buffer,
    /// The points of boids, and after them those of falcons.
    counts: [u32; 2],
    boids_each: u32,
    shape: VolumeShape,
    /// The state and the points that these are, and the exposure of the volume; `None`: no points are drawn.
    of: Option<(Arc<State>, Option<Arc<Points>>, f32)>,
}

impl Strokes {
    pub fn new(device: &wgpu::Device) -> Self {
        let list = |label| buffer(device, label, 1 << 10, wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST);
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        Self {
            view: buffer(device, "point view", (size_of::<PointView>() as u64).next_multiple_of(16), usage),
            points: list("points"),
            volume: list("volume"),
            counts: [0; 2],
            boids_each: 1,
            shape: VolumeShape::default(),
            of: None,
        }
    }

    /// Whether points are drawn.
    pub fn are_drawn(&self) -> bool {
        self.of.is_some()
    }

    /// The number of points that are drawn.
    pub fn count(&self) -> u32 {
        if self.are_drawn() { self.counts.iter().sum() } else { 0 }
    }

    /// Takes the points of a swarm in memory and its volume; `None`: no points are drawn. Returns whether they have other buffers now.
    pub fn read(&mut self, gpu: &Gpu, source: Option<&SwarmSource>, world: &World, look: &Look) -> bool {
        let Some(SwarmSource::Memory(state, points)) = source else {
            self.of = None;
            return false;
        };
        let is_same = |one: &Option<Arc<Points>>| one.as_ref().map(Arc::as_ptr) == points.as_ref().map(Arc::as_ptr);
        if let Some((of, with, exposure)) = &self.of
            && Arc::ptr_eq(of, state)
            && is_same(with)
            && *exposure == look.exposure
        {
            return false;
        }
        let volume = Volume::new(state, look.exposure);
        self.shape = VolumeShape { size: volume.size, ends: volume.ends };
        self.of = Some((state.clone(), points.clone(), look.exposure));
        let seeded = points.is_none().then(|| seeded(state, world, look));
        let Some(points) = points.as_deref().or(seeded.as_ref()) else { return false };
        let falcons = points_of_falcons(&state.falcons, 0.0);
        let list = [&points.list[..], &falcons].concat();
        self.counts = [points.list.len() as u32, falcons.len() as u32];
        self.boids_each = points.boids_each();
        let has_other_points = write_list(gpu, &mut self.points, &list);
        write_list(gpu, &mut self.volume, &volume.values) || has_other_points
    }

    /// Takes the view of the points in a picture of this size (pixels), drawn this part of the last step behind their places.
    pub fn see(&self, gpu: &Gpu, transform: &ViewTransform, size: UVec2, look: &Look, behind: f32) {
        let Some((state, ..)) = &self.of else { return };
        let projection = Projection { behind, ..transform.projection(size) };
        let view = PointView::new(&projection, look, self.counts, self.boids_each, &self.shape);
        gpu.queue.write_buffer(&self.view, 0, bytemuck::bytes_of(&view));
        // The velocity of a falcon's point is of another length than its way.
        let falcons = points_of_falcons(&state.falcons, behind);
        let first = u64::from(self.counts[0]) * size_of::<Point>() as u64;
        gpu.queue.write_buffer(&self.points, first, bytemuck::cast_slice(&falcons));
    }

    /// The buffer of a variable of the kernels.
    pub fn resource(&self, name: &str) -> Option<Resource<'_>> {
        match name {
            "point_view" => Some(Resource::Buffer(&self.view)),
            "point_list" => Some(Resource::Buffer(&self.points)),
            "volume" => Some(Resource::Buffer(&self.volume)),
            _ => None,
        }
    }
}
