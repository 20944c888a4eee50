//! A plane of cells on the device, in the colours of their values. The values are worked out in memory, where they are exact.

use super::SwarmSource;
use crate::device::Gpu;
use crate::device::program::texture;
use crate::device::transfer::upload;
use crate::picture::Plane;
use crate::preset::Look;
use crate::state::State;
use crate::world::Extents;
use std::sync::Arc;

const USAGE: wgpu::TextureUsages = wgpu::TextureUsages::TEXTURE_BINDING.union(wgpu::TextureUsages::COPY_DST);

pub struct PlaneTexture {
    /// A word for each cell; one texel while no plane is drawn.
    pub colours: wgpu::Texture,
    /// The state of which it is, how it is shown, and the value of the last colour in quanta; `None`: no plane is drawn.
    of: Option<(Arc<State>, Look, u64)>,
}

impl PlaneTexture {
    pub fn new(device: &wgpu::Device) -> Self {
        Self { colours: made(device, [1; 2]), of: None }
    }

    /// Takes the plane that a look shows of a swarm in memory; `None`: no plane is drawn. Returns whether it is another texture now.
    pub fn read(&mut self, gpu: &Gpu, source: Option<&SwarmSource>, look: &Look) -> bool {
        let Some(SwarmSource::Memory(state, _)) = source else {
            self.of = None;
            return false;
        };
        if self.of.as_ref().is_some_and(|(of, with, _)| Arc::ptr_eq(of, state) && with == look) {
            return false;
        }
        let plane = Plane::new(state, look);
        self.of = Some((state.clone(), look.clone(), plane.top));
        let size = plane.size.map(|cells| cells as u32);
        let is_other = size != [self.colours.width(), self.colours.height()];
        if is_other {
            self.colours = made(&gpu.device, size);
        }
        upload(&gpu.queue, &self.colours, &plane.colours());
        is_other
    }

    /// The extents of the plane that is drawn.
    pub fn extents(&self) -> Option<Extents> {
        self.of.as_ref().map(|_| Extents::flat(self.colours.width(), self.colours.height()))
    }

    /// The value of the last colour, in quanta.
    pub fn top(&self) -> Option<u64> {
        self.of.as_ref().map(|(.., top)| *top)
    }
}

fn made(device: &wgpu::Device, size: [u32; 2]) -> wgpu::Texture {
    texture(device, "plane", size, wgpu::TextureFormat::R32Uint, 1, USAGE)
}
