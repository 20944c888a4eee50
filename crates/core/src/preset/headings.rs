//! The headings of a start: the control vectors of cells, and the velocities of individuals.

use crate::lanes::vector::{clamp_components, length};
use crate::numbers::random::{Random, generator};
use crate::numbers::{ONE, Vector, Vector3, each_axis, pack, quotient};
use crate::parallel::*;
use crate::state::{Layer, push_vector, words_of_vector};
use crate::world::{Edges, Extents, PARTS, Slab, World, offset};

/// The purpose of the random numbers of headings (see [`crate::numbers::random::generator`]).
const PURPOSE: u64 = 1;

/// The headings before the first step. Speeds are in cells a step (Q14), at most 1.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Headings {
    None,
    /// Headings that vary smoothly over patches of `patch` cells. With `patch` 0, each cell or individual has a heading
    /// of its own.
    Random {
        speed: i32,
        patch: u32,
    },
    /// The velocity of all boids (Q14).
    Aligned(Vector3),
    /// All boids have one random direction, which the seed decides. `axes`: 2 in a flat world, 3 in a deep world.
    AlignedAtRandom {
        speed: i32,
        axes: usize,
    },
    /// Headings that turn around the column through `centre` (1/16 cell), from x towards y.
    Swirl {
        speed: i32,
        centre: Vector3,
    },
}

impl Headings {
    /// The control vectors of all cells, x fastest, as words in the format of [`Layer`].
    pub fn field(&self, world: &World, seed: u64) -> Vec<u32> {
        self.field_in(world, &Slab::whole(world.extents), seed)
    }

    /// The control vectors of the cells of a slab, x fastest, as words in the format of [`Layer`].
    pub fn field_in(&self, world: &World, slab: &Slab, seed: u64) -> Vec<u32> {
        match *self {
            Headings::None => Layer::empty(slab.extents()).control,
            Headings::Random { speed, patch: 0 } => {
                let axes = world.extents.axes();
                let mut random = generator(seed, PURPOSE);
                let cells = slab.cells();
                let mut control = Vec::with_capacity(cells.len() * words_of_vector(world.extents.depth));
                // Random numbers are drawn cell by cell, so numbers are also drawn for the cells before the slab.
                for cell in 0..cells.end {
                    let drawn = direction(axes, &mut random);
                    if cell >= cells.start {
                        push_vector(&mut control, stretched(drawn, speed), world.extents.depth);
                    }
                }
                control
            }
            Headings::Random { speed, patch } => {
                let noise = Noise::new(world, patch, generator(seed, PURPOSE));
                for_each_cell(slab, |cell| stretched(noise.at(cell), speed))
            }
            Headings::Aligned(_) | Headings::AlignedAtRandom { .. } => {
                let velocity = self.common(seed).unwrap_or_default();
                for_each_cell(slab, |_| velocity)
            }
            Headings::Swirl { speed, centre } => {
                let [width, height] = world.extents.as_cell();
                for_each_cell(slab, |[x, y, _]| {
                    let dx = offset(centre[0], x * PARTS, width * PARTS, world.edges);
                    let dy = offset(centre[1], y * PARTS, height * PARTS, world.edges);
                    stretched([-dy, dx, 0], speed)
                })
            }
        }
    }

    /// The velocity that all boids have; `None`: boids have different velocities.
    fn common(&self, seed: u64) -> Option<Vector3> {
        match *self {
            Headings::Aligned(velocity) => Some(velocity),
            Headings::AlignedAtRandom { speed, axes } => {
                Some(stretched(direction(axes, &mut generator(seed, PURPOSE)), speed))
            }
            _ => None,
        }
    }

    /// A function that returns the velocity of an individual (Q14). Its argument is the control vector of the
    /// individual's cell along x and y. `axes`: 2 in a flat world, 3 in a deep world.
    pub fn of_individuals(&self, axes: usize, seed: u64) -> impl Fn(Vector, &mut Random) -> Vector3 {
        let (common, own) = (self.common(seed), self.clone());
        move |[u, v], random| match (common, &own) {
            (Some(velocity), _) => velocity,
            (None, Headings::Random { speed, patch: 0 }) => stretched(direction(axes, random), *speed),
            (None, Headings::Random { .. }) if axes == 3 => raised([u, v, 0], random),
            _ => [u, v, 0],
        }
    }
}

/// A random vector with a uniformly distributed direction and a length of at most 1 (Q14), without 0.
fn direction(axes: usize, random: &mut Random) -> Vector3 {
    if axes == 3 {
        return random.inside_ball(ONE);
    }
    let [x, y] = random.inside_disc(ONE);
    [x, y, 0]
}

/// Turns a velocity up or down by a random angle and keeps its length. If directions in the plane are uniform, the
/// results are uniform directions in the deep world.
fn raised([u, v, _]: Vector3, random: &mut Random) -> Vector3 {
    let rise = random.around(i64::from(ONE)) as i32;
    let along = (ONE * ONE - rise * rise).isqrt();
    let speed = length([u, v]);
    [quotient(u * along, ONE), quotient(v * along, ONE), quotient(speed * rise, ONE)]
}

fn for_each_cell(slab: &Slab, vector: impl Fn(Vector3) -> Vector3 + Sync) -> Vec<u32> {
    let cells = slab.cells().into_par_iter();
    let words = |index: usize| {
        let [x, y, z] = vector(slab.world.cell(index));
        [pack([x, y]), z as u32]
    };
    match slab.world.depth {
        None => cells.map(|index| words(index)[0]).collect(),
        Some(_) => cells.map(words).collect::<Vec<_>>().into_flattened(),
    }
}

/// Scales a vector of any length below 2^19 to the length `to`, which is at most 1 (Q14). Components are rounded to
/// nearest, halves away from zero. The zero vector stays zero.
fn stretched(v: Vector3, to: i32) -> Vector3 {
    let square: i64 = v.iter().map(|n| i64::from(*n) * i64::from(*n)).sum();
    // The length has 10 bits below the unit, because most vectors are short.
    let length = ((square as u64) << 20).isqrt().max(1) as i64;
    let part = |n: i32| {
        let n = i64::from(n);
        let doubled = 2 * n.abs() * i64::from(to) * 1024;
        ((doubled + length) / (2 * length) * n.signum()) as i32
    };
    clamp_components(v.map(part), ONE)
}

/// Random vectors at the nodes of a coarse grid, interpolated between the nodes (value noise).
struct Noise {
    nodes: Vec<[i16; 3]>,
    /// The number of nodes along each axis; 1 along z in a flat world. On a torus the first node also follows the last
    /// one.
    counts: [u32; 3],
    /// The number of intervals between nodes along each axis.
    steps: [u32; 3],
    extents: Extents,
}

impl Noise {
    fn new(world: &World, patch: u32, mut random: Random) -> Self {
        let extents = world.extents;
        let steps = extents.along_axes().map(|extent| ((extent + patch / 2) / patch).max(1));
        let mut counts = match world.edges {
            Edges::Torus => steps,
            Edges::Walls => steps.map(|steps| steps + 1),
        };
        if extents.depth.is_none() {
            counts[2] = 1;
        }
        let node = |_| direction(extents.axes(), &mut random).map(|n| n as i16);
        let nodes = (0..counts.iter().map(|count| *count as usize).product::<usize>()).map(node).collect();
        Self { nodes, counts, steps, extents }
    }

    /// The interpolated vector at the centre of a cell. Each component is within ±2^14.
    fn at(&self, cell: Vector3) -> Vector3 {
        let extents = self.extents.along_axes();
        let along = each_axis(|axis| between(cell[axis], extents[axis], self.steps[axis]));
        let mut sums = [0i64; 3];
        // The 8 nodes around the cell. Bit `axis` of `corner` is 1 for the farther node along this axis.
        for corner in 0..8 {
            let (mut index, mut share) = (0, 1);
            for axis in [2, 1, 0] {
                let ((node, ahead), far) = (along[axis], corner >> axis & 1);
                index = index * self.counts[axis] as usize + ((node + far) % self.counts[axis]) as usize;
                share *= i64::from(if far == 1 { ahead } else { 1024 - ahead });
            }
            for (sum, component) in sums.iter_mut().zip(self.nodes[index]) {
                *sum += i64::from(component) * share;
            }
        }
        // Division rounds positive and negative numbers alike. A shift would not.
        sums.map(|sum| (sum / (1 << 30)) as i32)
    }
}

/// The node before the centre of a cell along an axis, and the weight of the node after it (1/1024). The weight is a
/// smooth function of the distance, so that the vectors have no creases at nodes.
fn between(cell: i32, extent: u32, steps: u32) -> (u32, u32) {
    let along = (2 * cell as u64 + 1) * u64::from(steps) * 512 / u64::from(extent);
    let t = (along % 1024) as u32;
    ((along / 1024) as u32, (t * t * (3 * 1024 - 2 * t)) >> 20)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::vector::length;
    use crate::numbers::unpack;

    fn world(width: u32, height: u32, edges: Edges) -> World {
        let extents = Extents::flat(width, height);
        World::empty(extents, edges)
    }

    #[test]
    fn a_swirl_is_perpendicular_and_symmetric() {
        for edges in [Edges::Torus, Edges::Walls] {
            let (width, height) = (12, 7);
            let centre = [width as i32 * 8 - 8, height as i32 * 8 - 8, 0];
            let field = Headings::Swirl { speed: ONE / 2, centre }.field(&world(width, height, edges), 1);
            let at = |x: u32, y: u32| unpack(field[(y * width + x) as usize]);
            for y in 0..height {
                for x in 0..width {
                    let [vx, vy] = at(x, y);
                    assert_eq!(at(width - 1 - x, height - 1 - y), [-vx, -vy]);
                    assert_eq!(at(width - 1 - x, y), [vx, -vy]);
                    let (dx, dy) = (x as i32 * 16 - centre[0], y as i32 * 16 - centre[1]);
                    assert!((vx * dx + vy * dy).abs() <= dx.abs() + dy.abs(), "({x}, {y})");
                    assert!((length([vx, vy]) - ONE / 2).abs() <= 1, "({x}, {y})");
                }
            }
            assert_eq!(at(11, 3), [0, ONE / 2]);
        }
    }

    #[test]
    fn random_headings_have_the_speed_and_no_favourite() {
        let field = Headings::Random { speed: 8000, patch: 4 }.field(&world(256, 256, Edges::Torus), 5);
        let mut sum = [0i64; 2];
        for v in field.iter().map(|word| unpack(*word)) {
            assert!((length(v) - 8000).abs() <= 2, "{v:?}");
            sum = [sum[0] + i64::from(v[0]), sum[1] + i64::from(v[1])];
        }
        // The mean of 4096 random unit vectors has a length of about 1/64.
        assert!(sum.iter().all(|sum| sum.abs() < 65536 * 8000 / 16), "{sum:?}");
    }

    #[test]
    fn random_headings_are_smooth_and_go_round_a_torus() {
        let (width, height) = (96, 48);
        let world = world(width, height, Edges::Torus);
        let noise = Noise::new(&world, 24, generator(3, 1));
        let differ = |a: Vector3, b: Vector3| (a[0] - b[0]).abs().max((a[1] - b[1]).abs());
        for y in 0..height as i32 {
            for x in 0..width as i32 {
                let next = noise.at([(x + 1) % width as i32, y, 0]);
                // The weight changes at most 3/2 times as fast as the distance. Two nodes differ by at most 2^15.
                assert!(differ(noise.at([x, y, 0]), next) <= (1 << 15) * 3 / 2 / 24 + 64, "({x}, {y})");
            }
        }
    }

    #[test]
    fn stretching_has_no_direction() {
        for v in [[1, 0, 0], [3, -4, 0], [262_143, 262_143, 9], [-5, 1, 2], [0, 0, 0], [-200_000, 7, -200_000]] {
            let [x, y, z] = stretched(v, 12_345);
            assert_eq!(stretched([-v[0], v[1], v[2]], 12_345), [-x, y, z]);
            assert_eq!(stretched([v[1], v[2], v[0]], 12_345), [y, z, x]);
            assert!(v == [0; 3] || (length([x, y, z]) - 12_345).abs() <= 1, "{v:?}");
        }
        assert_eq!(stretched([3, -4, 0], 5000), [3000, -4000, 0]);
    }
}
