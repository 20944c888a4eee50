//! Converts places between cells of a swarm and the space of its entity.

use bevy::prelude::*;
use murmuration::{Extents, Place, Preset};

/// The mapping from cells of a swarm to the space of its entity in the game. A cell is one unit long, and the middle of
/// the swarm's world is at the entity.
///
/// A flat world stands upright with its first row at the top. In a deep world, x of the swarm points right, z up, and y
/// towards the viewer.
#[derive(Component, Debug, Clone, Copy, PartialEq)]
pub struct SwarmSpace {
    /// The extents of the swarm's world along x, y and z, in cells. The extent along z is 0 in a flat world.
    pub extents: Vec3,
    /// Whether the world is deep.
    pub is_deep: bool,
}

impl SwarmSpace {
    /// The space of a preset's world.
    pub fn of_preset(preset: &Preset) -> Self {
        // The lattice of individuals is flat, even if their world is deep.
        Self::new(preset.space().deep_extents())
    }

    /// The space of a world with these extents.
    pub fn new(extents: Extents) -> Self {
        let depth = extents.depth.unwrap_or(0);
        Self { extents: UVec3::new(extents.width, extents.height, depth).as_vec3(), is_deep: extents.depth.is_some() }
    }

    /// Maps a place in cells to the entity's space.
    pub fn local(&self, cells: Vec3) -> Vec3 {
        self.local_direction(cells - self.extents / 2.0)
    }

    /// Maps a direction in cells to the entity's space.
    pub fn local_direction(&self, Vec3 { x, y, z }: Vec3) -> Vec3 {
        if self.is_deep { Vec3::new(x, z, y) } else { Vec3::new(x, -y, z) }
    }

    /// Maps a place in the entity's space to a place in cells. The inverse of [`Self::local`].
    pub fn cells(&self, local: Vec3) -> Vec3 {
        self.local_direction(local) + self.extents / 2.0
    }

    /// Half the extents of the world along the axes of the entity's space.
    pub fn half_extents(&self) -> Vec3 {
        self.local_direction(self.extents).abs() / 2.0
    }

    /// The distance between a place in the entity's space and the nearest place of the world, in cells. 0 for a place
    /// within the world. z is ignored for a flat world.
    pub fn distance(&self, local: Vec3) -> f32 {
        let beyond = local.abs() - self.half_extents();
        let along = if self.is_deep { beyond } else { beyond.with_z(0.0) };
        along.max(Vec3::ZERO).length()
    }

    /// Maps a place in the entity's space to a [`Place`], with which inputs name places.
    pub fn place(&self, local: Vec3) -> Place {
        let [x, y, z] = self.cells(local).to_array().map(f64::from);
        if self.is_deep { Place::from_cells([x, y, z]) } else { Place::from_cells([x, y]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_maps_are_inverse() {
        for extents in [Extents::flat(96, 64), Extents::deep(40, 30, 20)] {
            let space = SwarmSpace::new(extents);
            let cells = Vec3::new(3.0, 60.0, if space.is_deep { 9.0 } else { 0.0 });
            assert_eq!(space.cells(space.local(cells)), cells);
            assert_eq!(space.local(space.extents / 2.0), Vec3::ZERO);
        }
    }

    #[test]
    fn the_first_row_of_a_flat_world_and_the_top_of_a_deep_one_are_up() {
        assert_eq!(SwarmSpace::new(Extents::flat(96, 64)).local(Vec3::ZERO), Vec3::new(-48.0, 32.0, 0.0));
        assert_eq!(SwarmSpace::new(Extents::deep(4, 6, 8)).local(Vec3::new(0.0, 6.0, 8.0)), Vec3::new(-2.0, 4.0, 3.0));
    }
}
