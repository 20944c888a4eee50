//! The list of the individuals that a picture draws.

use crate::shader::StoredBody;
use murmuration_core::numbers::{BOID, ONE};
use murmuration_core::state::{Individuals, State};
use murmuration_core::world::PLACE_BITS;

/// The maximum number of individuals that a picture draws. In a larger swarm, each drawn individual stands for two,
/// three or more individuals.
const MAX_DRAWN: usize = 1 << 21;
/// The maximum number of drawn individuals on a software adapter, which draws vertices slowly.
const MAX_DRAWN_IN_SOFTWARE: usize = 1 << 17;
/// The number of fraction bits of a stored velocity. With 13 fraction bits, an i16 has a range of ±4 cells a step.
const VELOCITY_BITS: u32 = 13;

/// The number of individuals for which each drawn individual stands.
pub fn each_of(individuals: usize, is_software: bool) -> u32 {
    let most = if is_software { MAX_DRAWN_IN_SOFTWARE } else { MAX_DRAWN };
    individuals.div_ceil(most).max(1) as u32
}

/// The individuals that are drawn.
#[derive(Debug, Default)]
pub struct Bodies {
    /// The drawn individuals, as shaders read them.
    pub list: Vec<StoredBody>,
    /// The number of individuals for which each entry of the list stands.
    pub each: u32,
}

impl Bodies {
    /// Fills the list from individuals. `deposited`: the densities that the individuals deposit in the cells of a
    /// lattice. If there are too many individuals, only those whose number is a multiple of [`Self::each`] are drawn.
    /// So all pictures draw the same individuals and do not flicker.
    pub fn read(&mut self, individuals: &Individuals, deposited: &State, is_software: bool) {
        self.each = each_of(individuals.len(), is_software);
        let width = deposited.extents.width as usize;
        self.list.clear();
        for index in (0..individuals.len()).filter(|index| individuals.numbers[*index].is_multiple_of(self.each)) {
            let position = individuals.position(index);
            let velocity = individuals.velocity(index).map(|axis| {
                let axis = axis >> (ONE.ilog2() - VELOCITY_BITS);
                u32::from(axis.clamp(i16::MIN.into(), i16::MAX.into()) as u16)
            });
            let [column, row] = [0, 1].map(|axis| (position[axis] >> PLACE_BITS) as usize);
            let boids = deposited.layers[0].density[row * width + column] / BOID;
            let [x, y, z] = position.map(|place| place as f32 / (1 << PLACE_BITS) as f32);
            self.list.push(StoredBody {
                x,
                y,
                z,
                velocity_xy: velocity[0] | velocity[1] << 16,
                velocity_z_boids: velocity[2] | boids << 16,
                drawn_word: individuals.drawn_word(index),
                number: individuals.numbers[index],
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use murmuration_core::world::Extents;

    #[test]
    fn too_many_are_thinned_by_their_numbers_and_not_by_their_order() {
        let mut individuals = Individuals::default();
        let count = 2 * MAX_DRAWN_IN_SOFTWARE as u32 + 1;
        for number in (0..count).rev() {
            individuals.push(number, [(number as i32 % 8) << PLACE_BITS, 0, 0], [ONE, -ONE / 2, 0]);
        }
        let mut deposited = State::empty(Extents::flat(8, 1));
        deposited.layers[0].density.fill(3 * BOID);
        let mut bodies = Bodies::default();
        bodies.read(&individuals, &deposited, true);
        assert_eq!((bodies.each, bodies.list.len()), (3, count.div_ceil(3) as usize));
        let thinned = bodies.list.clone();
        bodies.read(&individuals.in_order(), &deposited, true);
        assert!(thinned.iter().rev().eq(&bodies.list), "another order draws others");
        // The velocity is one cell a step to the right and half a cell a step up. The column has three boids.
        assert_eq!(thinned[0].velocity_xy, 8192 | (-4096i16 as u16 as u32) << 16);
        assert_eq!(thinned[0].velocity_z_boids, 3 << 16);
        bodies.read(&individuals, &deposited, false);
        assert_eq!((bodies.each, bodies.list.len()), (1, count as usize));
    }
}
