//! Individuals as the GPU draws them.

use crate::agents::{Agents, PLACE_BITS};
use crate::numbers::{BOID, ONE};
use crate::state::State;
use glam::{IVec3, Vec3};

/// The most individuals that are drawn. Of a larger swarm every second, every third … is drawn and stands for the others.
const MOST_DRAWN: usize = 1 << 21;
/// The same on a software adapter, where every vertex costs much.
const MOST_DRAWN_IN_SOFTWARE: usize = 1 << 17;
/// Fraction bits of a stored velocity: 16 bits hold up to 4 cells a step.
const VELOCITY_BITS: u32 = 13;

/// An individual, for Rust and (in [`BODY_WGSL`]) for WGSL.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Body {
    /// In cells.
    position: Vec3,
    /// The velocity's x in the lower half and y in the upper one, in 1/8192 cell a step.
    velocity_xy: u32,
    /// The velocity's z in the lower half, and in the upper one the boids in its column of cells.
    velocity_z_boids: u32,
}

/// The same structure in WGSL, with the functions that unpack and colour it.
pub const BODY_WGSL: &str = "\
struct StoredBody {
    x: f32,
    y: f32,
    z: f32,
    velocity_xy: u32,
    velocity_z_boids: u32,
}
struct Body {
    // In cells.
    position: vec3<f32>,
    // In cells a step.
    velocity: vec3<f32>,
    // Boids in its column of cells.
    boids: f32,
}
fn body(index: u32) -> Body {
    let stored = bodies[index];
    let velocity = vec3<i32>(
        bitcast<i32>(stored.velocity_xy << 16u) >> 16u,
        bitcast<i32>(stored.velocity_xy) >> 16u,
        bitcast<i32>(stored.velocity_z_boids << 16u) >> 16u,
    );
    let position = vec3<f32>(stored.x, stored.y, stored.z);
    return Body(position, vec3<f32>(velocity) * (1.0 / 8192.0), f32(stored.velocity_z_boids >> 16u));
}
fn individual_colour(it: Body) -> vec3<f32> {
    return boid_colour(max(it.boids, 1.0) * view.exposures_per_boid, it.velocity.xy);
}
";

/// The individuals that are drawn.
#[derive(Debug, Default)]
pub struct Bodies {
    pub list: Vec<Body>,
    /// Individuals for which each of them stands.
    pub each: u32,
}

impl Bodies {
    /// Reads individuals, with the density of their lattice. Of too many, those are drawn whose numbers are multiples of
    /// [`Self::each`]: always the same ones, so that nothing flickers.
    pub fn read(&mut self, agents: &Agents, deposited: &State, is_software: bool) {
        let most = if is_software { MOST_DRAWN_IN_SOFTWARE } else { MOST_DRAWN };
        self.each = agents.len().div_ceil(most).max(1) as u32;
        let width = deposited.extents.width as usize;
        self.list.clear();
        for index in 0..agents.len() {
            if !agents.numbers[index].is_multiple_of(self.each) {
                continue;
            }
            let position = agents.position(index);
            let velocity = agents.velocity(index).map(|axis| {
                let axis = axis >> (ONE.ilog2() - VELOCITY_BITS);
                u32::from(axis.clamp(i16::MIN.into(), i16::MAX.into()) as u16)
            });
            let [x, y] = [0, 1].map(|axis| (position[axis] >> PLACE_BITS) as usize);
            let boids = deposited.density[y * width + x] / BOID;
            self.list.push(Body {
                position: IVec3::from(position).as_vec3() / (1 << PLACE_BITS) as f32,
                velocity_xy: velocity[0] | velocity[1] << 16,
                velocity_z_boids: velocity[2] | boids << 16,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Extents;

    #[test]
    fn too_many_are_thinned_by_their_numbers_and_not_by_their_order() {
        let mut agents = Agents::default();
        let count = 2 * MOST_DRAWN_IN_SOFTWARE as u32 + 1;
        for number in (0..count).rev() {
            agents.push(number, [(number as i32 % 8) << PLACE_BITS, 0, 0], [ONE, -ONE / 2, 0]);
        }
        let mut deposited = State::empty(Extents { width: 8, height: 1 });
        deposited.density.fill(3 * BOID);
        let mut bodies = Bodies::default();
        bodies.read(&agents, &deposited, true);
        assert_eq!((bodies.each, bodies.list.len()), (3, count.div_ceil(3) as usize));
        let thinned = bodies.list.clone();
        bodies.read(&agents.in_order(), &deposited, true);
        assert!(thinned.iter().rev().eq(&bodies.list), "another order draws others");
        // One cell a step to the right, half of one up, three boids in the column.
        assert_eq!(thinned[0].velocity_xy, 8192 | (-4096i16 as u16 as u32) << 16);
        assert_eq!(thinned[0].velocity_z_boids, 3 << 16);
        bodies.read(&agents, &deposited, false);
        assert_eq!((bodies.each, bodies.list.len()), (1, count as usize));
    }
}
