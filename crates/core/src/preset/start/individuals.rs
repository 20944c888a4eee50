//! Makes the individuals of a start.

use super::{PARTS_OF_A_LENGTH, Shape, StartSpec, nearly_normal};
use crate::error::BadInput;
use crate::lanes::vector::limit_length;
use crate::numbers::random::{Random, generator};
use crate::numbers::{BOID, Vector, Vector3, unpack};
use crate::source::Source;
use crate::state::Individuals;
use crate::terrain::Habitat;
use crate::world::{PARTS, PLACE_BITS, Slab, Space, World};

/// The purpose of the random numbers of individuals (see [`crate::numbers::random::generator`]). The starts of cells
/// use the purposes 1 to 3.
const PURPOSE: u64 = 4;
/// The number of random places that are tried in a ball. If all are in rock or solids, the start is refused.
const MAX_TRIES: usize = 4096;

/// The world and the limits that the individuals of a start must fit.
pub struct Surroundings<'a> {
    /// The world of the lattice on which the start places boids.
    pub world: &'a World,
    /// The space in which the individuals can fly.
    pub habitat: &'a Habitat,
    /// The max speed of the individuals, in cells a step (Q14).
    pub max: i32,
    /// The seed of all random numbers of the start.
    pub seed: u64,
}

impl StartSpec {
    /// Appends the individuals of a start to `individuals`. Their numbers follow the numbers in use.
    ///
    /// # Errors
    /// The errors of [`StartSpec::layer`], or no free place is found in a ball.
    pub(in crate::preset) fn add_individuals(
        &self,
        source: &Source,
        around: &Surroundings<'_>,
        individuals: &mut Individuals,
    ) -> Result<(), BadInput> {
        let Surroundings { world, habitat, max, seed } = *around;
        let space = &habitat.space;
        let heading = self.headings.of_individuals(space.axes(), seed);
        let mut random = generator(seed, PURPOSE);
        let velocity = |control: Vector, random: &mut Random| limit_length(heading(control, random), max);
        let mut push = |place: Vector3, velocity: Vector3| individuals.push(individuals.len() as u32, place, velocity);
        let control_at = |control: &[u32], [x, y, _]: Vector3| -> Vector {
            let [x, y] = [x, y].map(|along| (along >> PLACE_BITS) as usize);
            unpack(control[y * space.extents[0] as usize + x])
        };
        match &self.shape {
            Shape::Arrays(arrays) if !arrays.velocities.is_empty() => {
                arrays.positions.iter().zip(&*arrays.velocities).for_each(|(place, velocity)| push(*place, *velocity));
            }
            Shape::Arrays(arrays) => {
                let control = self.headings.field(world, seed);
                for place in &*arrays.positions {
                    push(*place, velocity(control_at(&control, *place), &mut random));
                }
            }
            Shape::Balls { centres, radius } => {
                let control = self.headings.field(world, seed);
                for _ in 0..self.quanta / u64::from(BOID) {
                    let place = in_a_ball(centres, *radius, habitat, &mut random).ok_or_else(|| {
                        let problem = "has a ball without a free place";
                        source.wrong("start.at", problem, "move its centre out of the rock, or raise start.radius")
                    })?;
                    push(place, velocity(control_at(&control, place), &mut random));
                }
            }
            _ => {
                let layer = self.layer(source, world, &Slab::whole(world.extents), seed)?;
                place(&layer.density, space, &mut random, |cell, place, random| {
                    push(place, velocity(layer.control_of(cell), random));
                });
            }
        }
        Ok(())
    }
}

/// A random free place (Q16 of a cell) in one of the balls; `None`: no try found a free place. `radius`: in 1/1024
/// cell.
fn in_a_ball(centres: &[Vector3], radius: i64, habitat: &Habitat, random: &mut Random) -> Option<Vector3> {
    let centre = centres[random.below(centres.len() as u64) as usize];
    let radius = radius * (i64::from(1 << PLACE_BITS) / i64::from(PARTS_OF_A_LENGTH));
    // A place in a preset is an offset from the centre of the first cell.
    let middle = centre.map(|along| along * ((1 << PLACE_BITS) / PARTS) + (1 << (PLACE_BITS - 1)));
    (0..MAX_TRIES).find_map(|_| {
        let place = middle.map(|along| along + nearly_normal(radius, random) as i32);
        habitat.space.wrap(place).filter(|place| habitat.is_free(*place))
    })
}

/// Gives each boid of a lattice a random place (Q16 of a cell). The quanta are counted cell by cell, x fastest. A boid
/// is in the cell of a random quantum among its own 65 536. `push` gets the cell and the place.
fn place(density: &[u32], space: &Space, random: &mut Random, mut push: impl FnMut(usize, Vector3, &mut Random)) {
    let boid = u64::from(BOID);
    let (mut cell, mut before) = (0, 0);
    let total: u64 = density.iter().map(|quanta| u64::from(*quanta)).sum();
    for number in 0..total / boid {
        let quantum = number * boid + random.below(boid);
        while before + u64::from(density[cell]) <= quantum {
            before += u64::from(density[cell]);
            cell += 1;
        }
        let column = [cell % space.extents[0] as usize, cell / space.extents[0] as usize];
        let [x, y] = column.map(|along| ((along as i32) << PLACE_BITS) + random.below(1 << PLACE_BITS) as i32);
        let z = if space.axes() == 3 { random.below(u64::from(space.extents[2]) << PLACE_BITS) as i32 } else { 0 };
        push(cell, [x, y, z], random);
    }
}
