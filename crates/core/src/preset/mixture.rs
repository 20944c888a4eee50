//! Mixes several species into one layer for pictures. The density is the sum over the species, and the vectors encode
//! their colours. `shaders/species/mixture.wgsl` computes the mixture on GPUs.
//!
//! If different species are in a cell, the vectors of their colours partly cancel, so the colour of the cell is paler.

use crate::look::colour_vector;
use crate::preset::{Preset, Species};
use crate::state::State;
use std::borrow::Cow;

impl Preset {
    /// The number of layers of the lattice: one for each species.
    pub fn layers(&self) -> usize {
        self.species.len().max(1)
    }

    /// A state of this preset's swarm with all species mixed into one layer (see [`mixed`]).
    pub fn mixed<'a>(&self, state: &'a State) -> Cow<'a, State> {
        mixed(state, &self.species)
    }
}

/// A state with all species mixed into one layer, for pictures. A state with one layer is returned as it is.
pub fn mixed<'a>(state: &'a State, species: &[Species]) -> Cow<'a, State> {
    if state.layers.len() == 1 {
        return Cow::Borrowed(state);
    }
    let colours: Vec<[f32; 2]> =
        species.iter().map(|species| colour_vector(species.colour).map(|component| component as f32)).collect();
    let mut mixed = state.without_boids();
    let all = &mut mixed.layers[0];
    for cell in 0..all.density.len() {
        let mut sum = 0u32;
        let mut light = 0.0f32;
        let mut vector = [0.0f32; 2];
        for (layer, colour) in state.layers.iter().zip(&colours) {
            let quanta = layer.density[cell];
            sum = sum.saturating_add(quanta);
            light += quanta as f32;
            vector = [0, 1].map(|axis| vector[axis] + quanta as f32 * colour[axis]);
        }
        all.density[cell] = sum;
        let [x, y] = vector.map(|component| (component / light.max(1.0)).round() as i32);
        all.set_velocity(cell, [x, y, 0]);
    }
    Cow::Owned(mixed)
}
