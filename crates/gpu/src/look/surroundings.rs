//! The surroundings of a swarm in a perspective picture of a deep world: the rock, the light that the swarm casts on
//! the rock, and the falcons.

use super::ViewTransform;
use super::crowd_light::CrowdLight;
use crate::cells::BodyList;
use crate::device::Gpu;
use crate::device::lists::write_list;
use crate::device::program::{Resource, buffer};
use crate::look::points::strokes::Strokes;
use crate::terrain::Reef;
use murmuration_core::falcons::Falcon;
use murmuration_core::world::World;

/// The surroundings of the swarm that is drawn. Methods that take the rock or the falcons return whether buffers were
/// replaced and have to be bound again.
pub struct Surroundings {
    /// The rock and the water around it. `None` in a world without rock.
    reef: Option<Reef>,
    /// Whether a picture waits until the whole rock in view is made.
    waits: bool,
    /// The light of the boids or individuals in the water. `None` in a world without rock.
    crowd: Option<CrowdLight>,
    /// A placeholder that kernels bind instead of the water and the crowd if there is no rock.
    no_water: wgpu::Buffer,
    /// The buffer into which falcons from memory are uploaded.
    uploaded_falcons: wgpu::Buffer,
    /// The buffer with the falcons that are drawn, and their number.
    falcons: (wgpu::Buffer, u32),
}

impl Surroundings {
    /// Surroundings without rock and falcons.
    pub fn new(device: &wgpu::Device) -> Self {
        let storage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
        let uploaded_falcons = buffer(device, "falcons", 1 << 10, storage);
        Self {
            reef: None,
            waits: true,
            crowd: None,
            no_water: buffer(device, "water", 16, storage),
            falcons: (uploaded_falcons.clone(), 0),
            uploaded_falcons,
        }
    }

    /// Takes the rock of the world, and continues to make its surface, first the parts in view. Without a world there
    /// is no rock.
    pub fn take_terrain(&mut self, gpu: &Gpu, world: Option<&World>, transform: &ViewTransform) -> bool {
        let Some((field, world)) = world.and_then(|world| Some((world.rock.as_ref()?, world))) else {
            self.crowd = None;
            return self.reef.take().is_some();
        };
        let (solids, origin) = (&world.solids, world.window.map_or([0; 3], |window| window.origin));
        let is_other = !self.reef.as_mut().is_some_and(|reef| reef.take(gpu, field, solids, origin));
        if is_other {
            self.reef = Some(Reef::new(gpu, field, solids, origin));
            self.crowd = Some(CrowdLight::new(gpu, field.extents));
        }
        if let (Some(reef), ViewTransform::Around(orbit)) = (&mut self.reef, transform) {
            let (eye, ahead) = orbit.eye();
            reef.make(gpu, eye, ahead, self.waits);
        }
        is_other
    }

    /// The rock. `None` in a world without rock.
    pub fn reef(&self) -> Option<&Reef> {
        self.reef.as_ref()
    }

    /// Sets whether a picture waits until the rock is made. Pictures that are stored should wait. A window should not:
    /// its later pictures show the new parts.
    pub fn set_waiting(&mut self, waits: bool) {
        self.waits = waits;
    }

    /// Whether parts of the rock are still being made.
    pub fn is_unfinished(&self) -> bool {
        self.reef.as_ref().is_some_and(Reef::is_unfinished)
    }

    /// The number of bytes of the rock's surface that the last picture uploaded.
    pub fn uploaded_terrain(&self) -> u64 {
        self.reef.as_ref().map_or(0, Reef::uploaded)
    }

    /// Encodes the light of the swarm in the water around rock. `bodies`: the individuals. Without individuals the
    /// light comes from the boids in `strokes`.
    pub fn light(&self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, bodies: Option<&BodyList>, strokes: &Strokes) {
        match (&self.crowd, bodies) {
            (Some(crowd), Some(list)) => crowd.of_bodies(gpu, encoder, list),
            (Some(crowd), None) => strokes.spread(gpu, encoder, crowd),
            (None, _) => {}
        }
    }

    /// Takes falcons from memory, and uploads them.
    pub fn upload_falcons(&mut self, gpu: &Gpu, falcons: &[Falcon]) -> bool {
        write_list(gpu, &mut self.uploaded_falcons, falcons);
        self.take_falcons(self.uploaded_falcons.clone(), falcons.len() as u32)
    }

    /// Takes the buffer of `count` falcons on the device.
    pub fn take_falcons(&mut self, falcons: wgpu::Buffer, count: u32) -> bool {
        let is_other = self.falcons.0 != falcons;
        self.falcons = (falcons, count);
        is_other
    }

    /// Sets the number of falcons to 0, until falcons are taken again.
    pub fn forget_falcons(&mut self) {
        self.falcons.1 = 0;
    }

    pub fn falcon_count(&self) -> u32 {
        self.falcons.1
    }

    /// The resource for a variable of the kernels: `falcons`, `crowd` or `water`.
    pub fn resource(&self, name: &str) -> Resource<'_> {
        Resource::Buffer(match name {
            "falcons" => &self.falcons.0,
            "crowd" => self.crowd.as_ref().map_or(&self.no_water, |light| &light.crowd),
            _ => self.reef.as_ref().map_or(&self.no_water, |reef| &reef.water),
        })
    }
}
