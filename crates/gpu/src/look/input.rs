//! The state that a frame shows.

use super::buffers::{texture, upload};
use crate::state::State;
use crate::world::World;

/// A state and its world, for the points on the CPU and as textures for the kernels.
pub struct FrameInput {
    pub state: State,
    pub world: World,
    density: wgpu::Texture,
    control: wgpu::Texture,
    solids: wgpu::Texture,
    /// The given fields of the look's chain.
    pub textures: [(&'static str, wgpu::TextureView); 4],
    /// Steps since the points were last moved.
    pub steps: f32,
    /// Whether the state changed since it was last drawn.
    pub is_new: bool,
}

impl FrameInput {
    /// Makes the textures for a lattice and uploads its state.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        state: &State,
        world: &World,
        palette: &wgpu::TextureView,
    ) -> Self {
        let words = |label| texture(device, label, state.extents, wgpu::TextureFormat::R32Uint);
        let [density, control, solids] = ["density", "control", "solids"].map(words);
        let view = |texture: &wgpu::Texture| texture.create_view(&Default::default());
        let textures = [
            ("density", view(&density)),
            ("control", view(&control)),
            ("solids", view(&solids)),
            ("palette", palette.clone()),
        ];
        let (state, world) = (state.clone(), world.clone());
        let input = Self { state, world, density, control, solids, textures, steps: 0.0, is_new: true };
        input.upload_solids(queue);
        input.upload_state(queue);
        input
    }

    /// Takes a later state of the same extents. Returns whether the world has changed.
    pub fn update(&mut self, queue: &wgpu::Queue, state: &State, world: &World, steps: u64) -> bool {
        let is_changed = self.world.solids != world.solids || self.world.edges != world.edges;
        if is_changed {
            self.world = world.clone();
            self.upload_solids(queue);
        }
        self.state.density.copy_from_slice(&state.density);
        self.state.control.copy_from_slice(&state.control);
        self.upload_state(queue);
        self.steps += steps as f32;
        self.is_new = true;
        is_changed
    }

    fn upload_state(&self, queue: &wgpu::Queue) {
        upload(queue, &self.density, self.state.extents, &self.state.density);
        upload(queue, &self.control, self.state.extents, &self.state.control);
    }

    /// A world without solids has an empty list of them, and its kernels do not read the texture.
    fn upload_solids(&self, queue: &wgpu::Queue) {
        if !self.world.solids.is_empty() {
            let words: Vec<u32> = self.world.solids.iter().map(|solid| u32::from(*solid)).collect();
            upload(queue, &self.solids, self.state.extents, &words);
        }
    }
}
