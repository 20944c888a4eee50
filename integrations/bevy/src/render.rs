//! Swarms in Bevy's render world. In each frame, before Bevy draws, the pictures of swarms are drawn, and the instances
//! for meshes are listed.

use crate::picture::FORMAT;
use crate::play::Pace;
use crate::swarm::SimulationGuards;
use crate::{Swarm, SwarmPicture, SwarmSimulation, SwarmSpace};
use bevy::platform::cell::SyncCell;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy::render::render_asset::RenderAssets;
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bevy::render::texture::GpuImage;
use bevy::render::{Extract, ExtractSchedule, Render, RenderApp, RenderSystems};
use bytemuck::{Pod, Zeroable};
use murmuration::{Failure, LIBRARY, Simulation, SwarmRenderer};
use murmuration_gpu::Gpu;
use murmuration_gpu::instances::InstanceBuffer;
use murmuration_gpu::look::{ViewTransform, swarm_of};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The buffer of a swarm's instances (places of individuals), and the buffer of numbers of a frame. The render world
/// fills both.
#[derive(Component, Clone)]
pub(crate) struct SwarmInstances {
    list: Arc<Mutex<InstanceBuffer>>,
    frame: wgpu::Buffer,
}

impl SwarmInstances {
    pub fn new(gpu: Arc<Gpu>) -> Self {
        let frame = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("frame of a swarm"),
            size: size_of::<FrameNumbers>() as u64,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self { list: Arc::new(Mutex::new(InstanceBuffer::new(gpu))), frame }
    }

    fn lock(&self) -> MutexGuard<'_, InstanceBuffer> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The buffer of the instances, and the number of instances for which it has room. `None` before the instances are
    /// listed for the first time.
    pub fn listed(&self) -> Option<(wgpu::Buffer, u32)> {
        let list = self.lock();
        (!list.is_empty()).then(|| (list.buffer().clone(), list.len()))
    }

    /// The buffer of [`FrameNumbers`], which shaders read.
    pub fn frame_numbers(&self) -> &wgpu::Buffer {
        &self.frame
    }
}

/// The structure `FrameNumbers` in `copies.wesl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
struct FrameNumbers {
    extents: [f32; 3],
    is_deep: u32,
    time: f32,
    behind: f32,
    padding: [u32; 2],
}

/// The data of a swarm that the render world takes from the game's world in each frame.
struct ExtractedSwarm {
    entity: Entity,
    simulation: SwarmSimulation,
    space: SwarmSpace,
    picture: Option<SwarmPicture>,
    instances: Option<SwarmInstances>,
    steps_per_second: f32,
    /// The part of a step (0 to 1) that is due since the last step.
    fraction: f32,
}

#[derive(Resource, Default)]
struct ExtractedSwarms(Vec<ExtractedSwarm>);

/// The renderers of pictures, by the entities of the swarms. `None` after a failure of the renderer. Only one thread
/// uses a renderer at a time.
#[derive(Resource, Default)]
struct Renderers(HashMap<Entity, SyncCell<Option<SwarmRenderer>>>);

pub(crate) fn plugin(app: &mut App) {
    let Some(render_app) = app.get_sub_app_mut(RenderApp) else {
        return;
    };
    render_app
        .init_resource::<ExtractedSwarms>()
        .init_resource::<Renderers>()
        .add_systems(ExtractSchedule, extract)
        .add_systems(Render, draw.in_set(RenderSystems::PrepareResources));
}

type Swarms = (
    Entity,
    &'static Swarm,
    &'static SwarmSimulation,
    &'static SwarmSpace,
    &'static Pace,
    Option<&'static SwarmPicture>,
    Option<&'static SwarmInstances>,
);

/// The filter for swarms that a picture or a mesh shows.
type IsDrawn = Or<(With<SwarmPicture>, With<SwarmInstances>)>;

fn extract(
    mut extracted: ResMut<ExtractedSwarms>,
    swarms: Extract<Query<Swarms, IsDrawn>>,
    time: Extract<Res<Time<Fixed>>>,
) {
    let swarm =
        |(entity, swarm, simulation, space, pace, picture, instances): (_, &Swarm, _, &SwarmSpace, &Pace, _, _)| {
            ExtractedSwarm {
                entity,
                simulation: SwarmSimulation::clone(simulation),
                space: *space,
                picture: Option::<&_>::cloned(picture),
                instances: Option::<&_>::cloned(instances),
                steps_per_second: swarm.steps_per_second,
                fraction: pace.fraction(swarm, time.overstep().as_secs_f64()) as f32,
            }
        };
    extracted.0 = swarms.iter().map(swarm).collect();
}

fn draw(
    swarms: Res<ExtractedSwarms>,
    mut renderers: ResMut<Renderers>,
    images: Res<RenderAssets<GpuImage>>,
    device: Res<RenderDevice>,
    queue: Res<RenderQueue>,
) {
    renderers.0.retain(|entity, _| swarms.0.iter().any(|swarm| swarm.entity == *entity));
    if swarms.0.is_empty() {
        return;
    }
    // The simulations are locked until the submission, so that no step is played between drawing and submission.
    let mut simulations = SimulationGuards::new(swarms.0.iter().map(|swarm| &swarm.simulation));
    let encoder = || device.wgpu_device().create_command_encoder(&Default::default());
    let mut commands = Vec::new();
    let mut drawn = Vec::new();
    for swarm in &swarms.0 {
        let Some(simulation) = simulations.get(&swarm.simulation) else { continue };
        let mut listing = encoder();
        match swarm.list(simulation, &mut listing, &queue) {
            Ok(()) => commands.push(listing.finish()),
            Err(failure) => error_once!("swarm {}: {failure}", swarm.entity),
        }
        let Some(picture) = &swarm.picture else { continue };
        let Some(image) = images.get(&picture.image) else { continue };
        let new = || SwarmRenderer::new(LIBRARY, device.wgpu_device(), &queue, FORMAT);
        let made = match renderers.0.remove(&swarm.entity).map(SyncCell::to_inner) {
            Some(before) => before.map(Ok),
            None => Some(new()),
        };
        let Some(made) = made else { continue };
        let mut painting = encoder();
        let kept = match made.and_then(|renderer| swarm.paint(simulation, renderer, picture, image, &mut painting)) {
            Ok(renderer) => {
                commands.push(painting.finish());
                Some(renderer)
            }
            Err(failure) => {
                error!("the picture of swarm {}: {failure}", swarm.entity);
                None
            }
        };
        drawn.push((swarm.entity, kept));
    }
    queue.submit(commands);
    for (entity, mut renderer) in drawn {
        renderer.iter_mut().for_each(SwarmRenderer::submitted);
        renderers.0.insert(entity, SyncCell::new(renderer));
    }
}

impl ExtractedSwarm {
    /// Lists the instances of the swarm, and writes the numbers of the frame, if a mesh shows the swarm.
    fn list(
        &self,
        simulation: &mut Simulation,
        encoder: &mut wgpu::CommandEncoder,
        queue: &RenderQueue,
    ) -> Result<(), Failure> {
        let Some(instances) = &self.instances else { return Ok(()) };
        instances.lock().update(simulation, encoder)?;
        let numbers = FrameNumbers {
            extents: self.space.extents.to_array(),
            is_deep: self.space.is_deep.into(),
            time: (simulation.step() as f32 + self.fraction) / self.steps_per_second.max(1e-3),
            behind: 1.0 - self.fraction,
            padding: [0; 2],
        };
        queue.write_buffer(&instances.frame, 0, bytemuck::bytes_of(&numbers));
        Ok(())
    }

    /// Draws the swarm into its image.
    fn paint(
        &self,
        simulation: &mut Simulation,
        mut renderer: SwarmRenderer,
        picture: &SwarmPicture,
        image: &GpuImage,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<SwarmRenderer, Failure> {
        let size = image.texture_descriptor.size;
        let size = [size.width, size.height].into();
        let world = simulation.preset().world.clone();
        let look = simulation.preset().look.clone();
        let view = picture.view.unwrap_or_else(|| ViewTransform::of_preset(simulation.preset(), size));
        let (source, individuals) = swarm_of(simulation, Some(renderer.gpu()))?;
        renderer.show(source, &world);
        renderer.show_individuals(individuals.as_ref());
        renderer.set_behind(1.0 - self.fraction);
        renderer.draw(encoder, &image.texture_view, size, &view, &look);
        Ok(renderer)
    }
}
