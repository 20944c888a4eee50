//! A lattice of cells on a device: the textures of the fields in an engine's plan.

use crate::atlas::{Atlas, Subdomain};
use crate::device::program::texture;
use crate::device::{Gpu, transfer};
use crate::shader::{ShaderConfig, texture_of, words_of};
use murmuration_core::cells::numbers::Rules;
use murmuration_core::chain::plan::{Plan, PlannedField, Slot};
use murmuration_core::engine::Dispatch;
use murmuration_core::state::{Layer, words_of_vector};
use murmuration_core::world::{Edges, Extents};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The format of a texture with one word a cell, and the format with two words a cell.
pub const FORMATS: [wgpu::TextureFormat; 2] = [wgpu::TextureFormat::R32Uint, wgpu::TextureFormat::Rg32Uint];

/// A lattice on a device: the textures of its fields, and the numbers that its passes need.
pub struct Lattice {
    pub gpu: Arc<Gpu>,
    pub plan: Arc<Plan>,
    pub rules: Rules,
    /// The part of the world that the lattice holds.
    pub subdomain: Subdomain,
    pub extents: Extents,
    pub atlas: Atlas,
    pub edges: Edges,
    pub dispatch: Dispatch,
    /// The textures of the fields. The first index is the number of the field, the second the number of its buffer, as
    /// in a [`Slot`].
    pub textures: Vec<Vec<wgpu::Texture>>,
    /// The parameters of the submitted steps, a set for each step and layer.
    pub parameters: wgpu::Buffer,
}

impl Lattice {
    /// The lattice of a plan. `old` has textures by the name of their field. A field of the plan takes the textures
    /// under its name, and gets new textures if there are none.
    pub fn new(
        gpu: Arc<Gpu>,
        plan: Arc<Plan>,
        rules: &Rules,
        (subdomain, edges): (Subdomain, Edges),
        dispatch: Dispatch,
        mut old: BTreeMap<String, Vec<wgpu::Texture>>,
        parameters: wgpu::Buffer,
    ) -> Self {
        let extents = subdomain.extents();
        let atlas = Atlas::new(extents);
        let written = match dispatch {
            Dispatch::Compute { .. } => wgpu::TextureUsages::STORAGE_BINDING,
            Dispatch::Fragment => wgpu::TextureUsages::RENDER_ATTACHMENT,
        };
        let read = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC | wgpu::TextureUsages::COPY_DST;
        let buffers = |field: &PlannedField| {
            let mut buffers = old.remove(&field.name).unwrap_or_default();
            let format = FORMATS[words_of(field.texel, extents) - 1];
            let made = || texture(&gpu.device, &field.name, atlas.size(), format, 1, read | written);
            buffers.resize_with(field.buffers, made);
            buffers
        };
        let textures = plan.fields.iter().map(buffers).collect();
        let rules = rules.clone();
        Self { gpu, plan, rules, subdomain, extents, atlas, edges, dispatch, textures, parameters }
    }

    /// The name of the device and the kind of dispatch, as a text for users.
    pub fn describe(&self) -> String {
        self.gpu.describe(match self.dispatch {
            Dispatch::Compute { .. } => "compute",
            Dispatch::Fragment => "fragment",
        })
    }

    /// The configuration of the shaders of the lattice's passes, without meals, noise and hunters. These shaders read
    /// the capacity of each cell from a texture.
    pub fn shader_config(&self) -> ShaderConfig<'_> {
        ShaderConfig {
            sights: &self.rules.sights,
            subdomain: self.subdomain,
            dispatch: self.dispatch,
            has_noise: false,
            has_hunters: false,
            ..ShaderConfig::plain(&self.gpu.library, self.extents, self.edges)
        }
    }

    pub fn texture(&self, slot: Slot) -> &wgpu::Texture {
        &self.textures[slot.field][slot.buffer]
    }

    pub fn view(&self, slot: Slot) -> wgpu::TextureView {
        self.texture(slot).create_view(&Default::default())
    }

    /// Uploads the values of all cells, x fastest, into the texture of a slot.
    pub fn upload<T: bytemuck::NoUninit + Default>(&self, slot: Slot, cells: &[T]) {
        self.gpu.touch();
        transfer::upload(self.gpu.queue(), self.texture(slot), &self.atlas.texels(cells));
    }

    /// The textures with the density and the control vectors of the first layer before a phase.
    pub fn state(&self, phase: usize) -> [wgpu::Texture; 2] {
        self.plan.layers[0].state[phase].map(|slot| self.texture(slot).clone())
    }

    /// A view of the density of a layer before a phase. `name`: the name of the layer's density in a shader that reads
    /// all layers. Any other name stands for the first layer.
    pub fn density_view(&self, phase: usize, name: &str) -> wgpu::TextureView {
        let mut states = (0..).zip(self.plan.states(phase));
        let of_name = states.find(|(layer, _)| texture_of("density", *layer) == name);
        self.view(of_name.map_or(self.plan.layers[0].state[phase], |(_, state)| state)[0])
    }

    /// Uploads the density and the control vectors of a layer into two slots.
    pub fn upload_layer(&self, [density, control]: [Slot; 2], layer: &Layer) {
        self.upload(density, &layer.density);
        match words_of_vector(self.extents.depth) {
            1 => self.upload(control, &layer.control),
            _ => self.upload(control, layer.control.as_chunks::<2>().0),
        }
    }
}
