//! The points that stand for the boids of a swarm of cells, on the device, and the uniform with which they are drawn.
//! They are drawn as strokes, lit by the volume of light and density, or as discs in near views of flat worlds.

use crate::cells::{CurrentState, PointList, StateTextures};
use crate::device::Gpu;
use crate::device::lists::write_list;
use crate::device::program::{Resource, buffer};
use crate::look::crowd_light::CrowdLight;
use crate::look::point_view::{PointView, VolumeShape};
use crate::look::points::disc_count::DiscCount;
use crate::look::volume::VolumePasses;
use crate::look::{SwarmSource, ViewTransform};
use glam::UVec2;
use murmuration_core::falcons::{FALCONS, Falcon};
use murmuration_core::look::{Look, Projection};
use murmuration_core::picture::{FlightLimits, SLICES, Volume, WAKE, flight_limits, seeded};
use murmuration_core::points::Points;
use murmuration_core::state::State;
use murmuration_core::world::World;
use std::mem::offset_of;
use std::sync::Arc;

/// The form in which points are drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PointForm {
    /// Strokes, with falcons. They replace the cloud of light, which shows only densities.
    Strokes,
    /// Discs of light over the cloud of light of a flat swarm. The cloud fades as the scale grows.
    Discs,
}

/// The points of a swarm on the device, their form, and the falcons among them.
pub struct Strokes {
    view: wgpu::Buffer,
    /// A buffer with the [`FlightLimits`] of the falcons.
    flight_limits: wgpu::Buffer,
    /// `None` if no points are drawn.
    form: Option<PointForm>,
    /// The buffers into which a swarm in memory is uploaded.
    uploaded: Lists,
    /// The kernel that counts the discs, made when discs are first drawn.
    disc_count: Option<DiscCount>,
    /// The passes that make the volume of a swarm on the device, made for the first such swarm.
    volume: Option<VolumePasses>,
    /// The buffers that the kernels read: `uploaded`, or the buffers of the engine.
    lists: Lists,
    /// The number of points of boids, and of points of falcons. For a swarm on the device they are upper bounds.
    counts: [u32; 2],
    /// The number of boids for which a point stands.
    boids_each: u32,
    /// The number of layers (species) with points.
    layers: u32,
    shape: VolumeShape,
    drawn: PointSource,
}

/// The points, the falcons, and the light and density of the volume, as kernels read them.
#[derive(Clone, PartialEq)]
struct Lists {
    points: wgpu::Buffer,
    falcons: wgpu::Buffer,
    volume: wgpu::Buffer,
}

/// The state from which the lists were made, and the exposure of the volume.
enum PointSource {
    /// No points are drawn.
    Nothing,
    Memory(Arc<State>, Option<Arc<Points>>, f32),
    Device(Box<(CurrentState, Option<PointList>)>, f32),
}

/// The number of points with which this number of falcons is drawn: the slices of the falcons and the strokes of their
/// wakes.
fn strokes_of(falcons: usize) -> u32 {
    falcons as u32 * (SLICES + WAKE) as u32
}

impl Strokes {
    pub fn new(device: &wgpu::Device) -> Self {
        let list = |label| buffer(device, label, 1 << 10, wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST);
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let uploaded = Lists { points: list("points"), falcons: list("falcons"), volume: list("volume") };
        Self {
            view: buffer(device, "point view", (size_of::<PointView>() as u64).next_multiple_of(16), usage),
            flight_limits: buffer(
                device,
                "flight limits",
                size_of::<FlightLimits>() as u64,
                wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
            ),
            form: None,
            lists: uploaded.clone(),
            uploaded,
            disc_count: None,
            volume: None,
            counts: [0; 2],
            boids_each: 1,
            layers: 1,
            shape: VolumeShape::default(),
            drawn: PointSource::Nothing,
        }
    }

    /// Whether strokes are drawn.
    pub fn are_drawn(&self) -> bool {
        self.form == Some(PointForm::Strokes)
    }

    /// The maximum number of strokes of boids, and of strokes of falcons, that are drawn.
    pub fn counts(&self) -> [u32; 2] {
        if self.are_drawn() { self.counts } else { [0; 2] }
    }

    /// Takes the points of a swarm, and makes its volume if the points are strokes. Without a source no points are
    /// drawn. Returns whether buffers were replaced.
    pub fn read(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        source: Option<(&SwarmSource, PointForm)>,
        world: &World,
        look: &Look,
    ) -> bool {
        let before = self.lists.clone();
        let form = source.map(|(_, form)| form);
        if self.form != form {
            (self.form, self.drawn) = (form, PointSource::Nothing);
        }
        if self.are_drawn() {
            gpu.queue().write_buffer(&self.flight_limits, 0, bytemuck::bytes_of(&flight_limits(world)));
        }
        match source {
            None => {}
            Some((SwarmSource::Memory(state, points), _)) => self.upload(gpu, state, points, world, look),
            Some((SwarmSource::Device(textures), _)) => self.find(gpu, encoder, textures, look),
        }
        self.lists != before
    }

    /// Uploads the points, the falcons and the volume of a swarm in memory.
    fn upload(&mut self, gpu: &Gpu, state: &Arc<State>, points: &Option<Arc<Points>>, world: &World, look: &Look) {
        let address = |points: &Option<Arc<Points>>| points.as_ref().map(Arc::as_ptr);
        if let PointSource::Memory(of, with, exposure) = &self.drawn
            && Arc::ptr_eq(of, state)
            && address(with) == address(points)
            && *exposure == look.exposure
        {
            return;
        }
        self.drawn = PointSource::Memory(state.clone(), points.clone(), look.exposure);
        self.shape = VolumeShape::default();
        let falcons: &[Falcon] = if self.are_drawn() { Falcon::all_of(&state.columns) } else { &[] };
        if self.are_drawn() {
            let volume = Volume::new(state, look.exposure);
            // Without boids the ends of the box are infinite, and a line of sight would never leave it.
            let has_boids = volume.ends[0][0] < volume.ends[1][0];
            let ends = if has_boids { volume.ends } else { Default::default() };
            self.shape = VolumeShape { size: volume.size, ends };
            write_list(gpu, &mut self.uploaded.volume, &volume.values);
        }
        let seeded = points.is_none().then(|| seeded(state, world, look));
        let Some(points) = points.as_deref().or(seeded.as_ref()) else { return };
        self.counts = [points.list.len() as u32, strokes_of(falcons.len())];
        (self.boids_each, self.layers) = (points.boids_each(), points.parameters.layers);
        write_list(gpu, &mut self.uploaded.points, &points.list);
        write_list(gpu, &mut self.uploaded.falcons, falcons);
        self.lists = self.uploaded.clone();
    }

    /// Takes the points and falcons of an engine on the device without a copy, and encodes the passes of the volume.
    fn find(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, textures: &StateTextures, look: &Look) {
        let now = Box::new((textures.current(), textures.points()));
        if let PointSource::Device(of, exposure) = &self.drawn
            && (of, *exposure) == (&now, look.exposure)
        {
            return;
        }
        let (state, points) = &*now;
        self.shape = VolumeShape::default();
        let mut volume_values = &self.uploaded.volume;
        if self.are_drawn() {
            let kept = self.volume.take().filter(|volume| volume.extents == textures.extents);
            let volume = self.volume.insert(kept.unwrap_or_else(|| VolumePasses::new(gpu, textures.extents)));
            volume.encode(gpu, encoder, &state.density, look.exposure);
            self.shape = volume.shape();
            volume_values = &volume.values;
        }
        let falcons = state.columns.get(&FALCONS).filter(|_| self.form == Some(PointForm::Strokes));
        let falcon_count = falcons.map_or(0, |falcons| falcons.size() as usize / size_of::<Falcon>());
        self.counts = [points.as_ref().map_or(0, |points| points.room), strokes_of(falcon_count)];
        (self.boids_each, self.layers) = points.as_ref().map_or((1, 1), |points| (points.boids_each, points.layers));
        self.lists = Lists {
            points: points.as_ref().map_or(&self.uploaded.points, |points| &points.list).clone(),
            falcons: falcons.unwrap_or(&self.uploaded.falcons).clone(),
            volume: volume_values.clone(),
        };
        self.drawn = PointSource::Device(now, look.exposure);
    }

    /// Writes the uniform of the points for a picture of this size (pixels). `behind`: the part of the last step, from
    /// 0 to 1, by which points are drawn behind their places. Numbers that only the device knows, such as the number of
    /// points, are copied into the uniform on the device.
    pub fn see(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        transform: &ViewTransform,
        size: UVec2,
        look: &Look,
        behind: f32,
    ) {
        if self.form.is_none() {
            return;
        }
        let projection = Projection { behind, ..transform.projection(size) };
        let view = PointView::new(&projection, look, self.counts, [self.boids_each, self.layers], &self.shape);
        gpu.queue().write_buffer(&self.view, 0, bytemuck::bytes_of(&view));
        let PointSource::Device(of, _) = &self.drawn else { return };
        let at = |offset: usize| offset as u64;
        if let (_, Some(PointList { starts, count_at, .. })) = &**of {
            encoder.copy_buffer_to_buffer(starts, *count_at, &self.view, at(offset_of!(PointView, boids)), 4);
        }
        if let Some(volume) = self.volume.as_ref().filter(|_| self.are_drawn()) {
            let bounds = volume.bounds.size();
            encoder.copy_buffer_to_buffer(&volume.bounds, 0, &self.view, at(offset_of!(PointView, least)), bounds);
        }
    }

    /// Encodes the count of the discs in a view of the world. Returns the buffer with the arguments of the indirect
    /// draw. `None` if no discs are drawn.
    pub fn count_discs(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        view: &wgpu::Buffer,
    ) -> Option<wgpu::Buffer> {
        if self.form != Some(PointForm::Discs) {
            return None;
        }
        let count = self.disc_count.get_or_insert_with(|| DiscCount::new(gpu));
        count.encode(&gpu.device, encoder, view, &self.view);
        Some(count.arguments.clone())
    }

    /// Encodes the light of the boids in the water around rock. Without strokes there is none.
    pub fn spread(&self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, crowd: &CrowdLight) {
        if self.are_drawn() {
            crowd.of_points(gpu, encoder, &self.lists.points, &self.view, self.counts[0]);
        } else {
            encoder.clear_buffer(&crowd.crowd, 0, None);
        }
    }

    /// The resource for a variable of the kernels. `None` if the points do not provide the variable.
    pub fn resource(&self, name: &str) -> Option<Resource<'_>> {
        match name {
            "point_view" => Some(Resource::Buffer(&self.view)),
            "point_list" => Some(Resource::Buffer(&self.lists.points)),
            "flight_limits" => Some(Resource::Buffer(&self.flight_limits)),
            "falcons" => Some(Resource::Buffer(&self.lists.falcons)),
            "volume" => Some(Resource::Buffer(&self.lists.volume)),
            _ => None,
        }
    }
}
