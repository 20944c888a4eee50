//! A plane of cells as a texture, in which a colour stands for the value of each cell. The value is the density in a
//! layer, or an exact sum over layers. For a state in memory the CPU computes the values, for a state on the device its
//! own passes.

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

/// A texture with the colours of a plane of cells, and the value for which the last colour stands.
pub struct PlaneTexture {
    /// The colour of each cell as a word: red in the low byte, then green and blue. Before the first plane the texture
    /// has one texel.
    pub colours: wgpu::Texture,
    /// The state that the plane shows, and the look. `None` if no plane is drawn.
    of: Option<(PlaneSource, Look)>,
    /// The value for which the last colour of the scale stands, in quanta. A device reports it some frames later.
    top: Option<u64>,
    /// The readback of `top` that is under way.
    reading: Option<Readback>,
    /// Whether the plane was painted again since this readback began.
    is_outdated: bool,
    /// The passes that paint the plane of a state on the device, made for the first such plane.
    passes: Option<PlanePasses>,
}

/// The state that the plane shows.
enum PlaneSource {
    Memory(Arc<State>),
    /// The textures of a state, and the version of the state that was painted.
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

    /// Paints the plane of a swarm that a look shows, unless the texture has it already. Without a source no plane is
    /// drawn. Returns whether the texture was replaced.
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

    /// Encodes the passes that paint the plane of a state on the device. Returns the version of the state.
    fn paint(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, textures: &StateTextures, look: &Look) -> u64 {
        let kept = self.passes.take().filter(|passes| passes.extents == textures.extents);
        let passes = self.passes.insert(kept.unwrap_or_else(|| PlanePasses::new(gpu, textures.extents)));
        let now = textures.current();
        passes.encode(gpu, encoder, &now.density, look, &self.colours);
        self.ask_top(gpu, encoder);
        now.version
    }

    /// Encodes the readback of `top`. If a readback is under way, notes that another readback is needed.
    fn ask_top(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder) {
        self.is_outdated = self.reading.is_some();
        if let (None, Some(PlanePasses { top, .. })) = (&self.reading, &self.passes) {
            let readback = Readback::new(&gpu.device, "top", top.size());
            encoder.copy_buffer_to_buffer(top, 0, readback.buffer(), 0, top.size());
            self.reading = Some(readback);
        }
    }

    /// Starts the transfer of `top` to memory. Call this function after the submission of the encoded commands.
    pub fn submitted(&mut self) {
        self.reading.iter_mut().for_each(Readback::submitted);
    }

    /// The buffer with the value of the last colour in two words, the low word first. `None` if no plane of a state on
    /// the device is drawn.
    pub fn top_buffer(&self) -> Option<&wgpu::Buffer> {
        let is_on_device = matches!(self.of, Some((PlaneSource::Device(..), _)));
        self.passes.as_ref().filter(|_| is_on_device).map(|passes| &passes.top)
    }

    /// Whether the value of the last colour is being read back.
    pub fn is_reading(&self) -> bool {
        self.reading.is_some()
    }

    pub fn extents(&self) -> Option<Extents> {
        self.of.as_ref().map(|_| Extents::flat(self.colours.width(), self.colours.height()))
    }

    /// The value of the last colour in quanta. `None` if no plane is drawn, or the device has not reported the value
    /// yet.
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
