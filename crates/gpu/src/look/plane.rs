//! A plane of cells on the device, in the colours of their values. The values of a state in memory are computed in
//! memory, the values of an engine on the device by its own passes. Both are exact.

use super::SwarmSource;
use super::plane_passes::PlanePasses;
use crate::cells::StateTextures;
use crate::device::Gpu;
use crate::device::program::texture;
use crate::device::readback::Readback;
use crate::device::transfer::{two_words, upload};
use murmuration_core::look::Look;
use murmuration_core::picture::{Plane, plane_extents};
use murmuration_core::state::State;
use murmuration_core::world::Extents;
use std::sync::Arc;

const USAGE: wgpu::TextureUsages = wgpu::TextureUsages::TEXTURE_BINDING
    .union(wgpu::TextureUsages::COPY_DST)
    .union(wgpu::TextureUsages::STORAGE_BINDING);

/// A texture with the colours of a plane of cells, and the maximum value in the plane.
pub struct PlaneTexture {
    /// A word for each cell. The texture has one texel if no plane is drawn.
    pub colours: wgpu::Texture,
    /// The source of the plane, and its look. `None`: no plane is drawn.
    of: Option<(PlaneSource, Look)>,
    /// The value of the last colour, in quanta. A device reports it some frames later.
    top: Option<u64>,
    /// The top that is being read back, and whether the plane has been painted again since.
    reading: Option<Readback>,
    is_outdated: bool,
    /// For planes of a state on the device.
    passes: Option<PlanePasses>,
}

/// The state that the plane shows.
enum PlaneSource {
    Memory(Arc<State>),
    /// With the version of the state.
    Device(Arc<StateTextures>, u64),
}

impl PlaneSource {
    fn is_of(&self, source: &SwarmSource) -> bool {
        match (self, source) {
            (Self::Memory(of), SwarmSource::Memory(state, _)) => Arc::ptr_eq(of, state),
            (Self::Device(of, version), SwarmSource::Device(textures)) => {
                Arc::ptr_eq(of, textures) && *version == textures.current().version
            }
            _ => false,
        }
    }
}

impl PlaneTexture {
    pub fn new(device: &wgpu::Device) -> Self {
        Self { colours: made(device, [1; 2]), of: None, top: None, reading: None, is_outdated: false, passes: None }
    }

    /// Takes the plane of a swarm that a look shows. `source` `None`: no plane is drawn. Returns whether the texture
    /// was replaced.
    pub fn read(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        source: Option<&SwarmSource>,
        look: &Look,
    ) -> bool {
        let Some(source) = source else {
            (self.of, self.top, self.reading) = (None, None, None);
            return false;
        };
        self.top();
        if self.of.as_ref().is_some_and(|(of, with)| of.is_of(source) && with == look) {
            if self.is_outdated {
                self.ask_top(gpu, encoder);
            }
            return false;
        }
        let Extents { width, height, .. } = plane_extents(source.extents(), look);
        let is_other = [width, height] != [self.colours.width(), self.colours.height()];
        if is_other {
            self.colours = made(&gpu.device, [width, height]);
        }
        let of = match source {
            SwarmSource::Memory(state, _) => {
                let plane = Plane::new(state, look);
                (self.top, self.reading, self.is_outdated) = (Some(plane.top), None, false);
                upload(gpu.queue(), &self.colours, &plane.colours());
                PlaneSource::Memory(state.clone())
            }
            SwarmSource::Device(textures) => {
                PlaneSource::Device(textures.clone(), self.paint(gpu, encoder, textures, look))
            }
        };
        self.of = Some((of, look.clone()));
        is_other
    }

    /// Encodes the plane of a state on the device, and returns the version of the state.
    fn paint(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, textures: &StateTextures, look: &Look) -> u64 {
        let kept = self.passes.take().filter(|passes| passes.extents == textures.extents);
        let passes = self.passes.insert(kept.unwrap_or_else(|| PlanePasses::new(gpu, textures.extents)));
        let now = textures.current();
        passes.encode(gpu, encoder, &now.density, look, &self.colours);
        self.ask_top(gpu, encoder);
        now.version
    }

    /// Encodes the readback of the top, or, if one is under way, notes that another one is needed.
    fn ask_top(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder) {
        self.is_outdated = self.reading.is_some();
        if let (None, Some(PlanePasses { top, .. })) = (&self.reading, &self.passes) {
            let readback = Readback::new(&gpu.device, "top", top.size());
            encoder.copy_buffer_to_buffer(top, 0, readback.buffer(), 0, top.size());
            self.reading = Some(readback);
        }
    }

    /// Starts the transfer of the top. Call it after the submission of the encoded commands.
    pub fn submitted(&mut self) {
        self.reading.iter_mut().for_each(Readback::submitted);
    }

    /// The buffer with the top of the plane, in two words. `None`: no plane of a state on the device is drawn.
    pub fn top_buffer(&self) -> Option<&wgpu::Buffer> {
        let is_on_device = matches!(self.of, Some((PlaneSource::Device(..), _)));
        self.passes.as_ref().filter(|_| is_on_device).map(|passes| &passes.top)
    }

    /// Whether the top is being read back.
    pub fn is_reading(&self) -> bool {
        self.reading.is_some()
    }

    pub fn extents(&self) -> Option<Extents> {
        self.of.as_ref().map(|_| Extents::flat(self.colours.width(), self.colours.height()))
    }

    /// The value of the last colour in quanta, if it is known.
    pub fn top(&mut self) -> Option<u64> {
        if self.reading.as_ref().is_some_and(Readback::has_arrived)
            && let Some(readback) = self.reading.take()
            && let Ok(top) = readback.read(|words| two_words([words[0], words[1]]))
        {
            self.top = Some(top);
        }
        self.top
    }
}

fn made(device: &wgpu::Device, size: [u32; 2]) -> wgpu::Texture {
    texture(device, "plane", size, wgpu::TextureFormat::R32Uint, 1, USAGE)
}
