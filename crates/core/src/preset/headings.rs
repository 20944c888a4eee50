//! The control vectors of a start.

use crate::numbers::{ONE, Vector, pack};
use crate::parallel::*;
use crate::random::{Random, generator};
use crate::vector::clamp_components;
use crate::world::{Edges, Extents, PARTS, World, offset};

/// The headings before the first step. Speeds are in Q14, at most 1.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Headings {
    None,
    /// Headings that vary smoothly over patches of this many cells.
    Random {
        speed: i32,
        patch: u32,
    },
    /// Around a centre in 1/16 cell, from x towards y.
    Swirl {
        speed: i32,
        centre: Vector,
    },
}

impl Headings {
    /// The control vector of every cell, packed, x fastest.
    pub fn field(&self, world: &World, seed: u64) -> Vec<u32> {
        match *self {
            Headings::None => vec![0; world.extents.cells()],
            Headings::Random { speed, patch } => {
                let noise = Noise::new(world, patch, generator(seed, 1));
                for_each_cell(world.extents, |x, y| stretched(noise.at(x, y), speed))
            }
            Headings::Swirl { speed, centre } => {
                let [width, height] = world.extents.as_cell();
                for_each_cell(world.extents, |x, y| {
                    let dx = offset(centre[0], x * PARTS, width * PARTS, world.edges);
                    let dy = offset(centre[1], y * PARTS, height * PARTS, world.edges);
                    stretched([-dy, dx], speed)
                })
            }
        }
    }
}

fn for_each_cell(extents: Extents, vector: impl Fn(i32, i32) -> Vector + Sync) -> Vec<u32> {
    let width = extents.width as usize;
    let cell = |cell: usize| pack(vector((cell % width) as i32, (cell / width) as i32));
    (0..extents.cells()).into_par_iter().map(cell).collect()
}

/// A vector of any length below 2^19 stretched to a length of at most 1 (Q14), to nearest, halves away from zero.
/// The zero vector has no direction, and stays.
fn stretched([x, y]: Vector, to: i32) -> Vector {
    let (x, y) = (i64::from(x), i64::from(y));
    // The length counts in 1/1024, because most vectors are short.
    let length = (((x * x + y * y) as u64) << 20).isqrt().max(1) as i64;
    let part = |n: i64| {
        let doubled = 2 * n.abs() * i64::from(to) * 1024;
        ((doubled + length) / (2 * length) * n.signum()) as i32
    };
    clamp_components([part(x), part(y)], ONE)
}

/// Value noise: random vectors at the nodes of a coarse lattice, and in between what lies between them.
struct Noise {
    nodes: Vec<[i16; 2]>,
    /// Nodes along each axis. On a torus the first follows the last.
    counts: [u32; 2],
    /// Steps between nodes along each axis, on the whole extent.
    steps: [u32; 2],
    extents: Extents,
}

impl Noise {
    fn new(world: &World, patch: u32, mut random: Random) -> Self {
        let extents = world.extents;
        let steps = [extents.width, extents.height].map(|extent| ((extent + patch / 2) / patch).max(1));
        let counts = match world.edges {
            Edges::Torus => steps,
            Edges::Walls => steps.map(|steps| steps + 1),
        };
        let nodes = (0..counts[0] as usize * counts[1] as usize).map(|_| random.inside_disc(ONE).map(|n| n as i16));
        Self { nodes: nodes.collect(), counts, steps, extents }
    }

    /// The noise at the centre of a cell, each component within ±2^14.
    fn at(&self, x: i32, y: i32) -> Vector {
        let (column, right) = between(x, self.extents.width, self.steps[0]);
        let (row, down) = between(y, self.extents.height, self.steps[1]);
        let node = |column: u32, row: u32| {
            let (column, row) = (column % self.counts[0], row % self.counts[1]);
            self.nodes[row as usize * self.counts[0] as usize + column as usize]
        };
        let corners = [node(column, row), node(column + 1, row), node(column, row + 1), node(column + 1, row + 1)];
        let shares = [(1024 - right) * (1024 - down), right * (1024 - down), (1024 - right) * down, right * down];
        let sum = |axis: usize| (0..4).map(|i| i64::from(corners[i][axis]) * i64::from(shares[i])).sum::<i64>();
        // Divided and not shifted, so that no direction is rounded to.
        [(sum(0) / (1 << 20)) as i32, (sum(1) / (1 << 20)) as i32]
    }
}

/// The node before the centre of a cell, and the distance from there towards the next node, in 1/1024 and eased so that the
/// noise has no creases.
fn between(cell: i32, extent: u32, steps: u32) -> (u32, u32) {
    let along = (2 * cell as u64 + 1) * u64::from(steps) * 512 / u64::from(extent);
    let t = (along % 1024) as u32;
    ((along / 1024) as u32, (t * t * (3 * 1024 - 2 * t)) >> 20)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::unpack;
    use crate::vector::length;

    fn world(width: u32, height: u32, edges: Edges) -> World {
        let extents = Extents::flat(width, height);
        World { extents, edges, margin: 0, capacity: u32::MAX, solids: Default::default(), hunter: None }
    }

    #[test]
    fn a_swirl_is_perpendicular_and_symmetric() {
        for edges in [Edges::Torus, Edges::Walls] {
            let (width, height) = (12, 7);
            let centre = [width as i32 * 8 - 8, height as i32 * 8 - 8];
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
        // 4096 nodes: the mean of as many unit vectors is about 1/64 of one.
        assert!(sum.iter().all(|sum| sum.abs() < 65536 * 8000 / 16), "{sum:?}");
    }

    #[test]
    fn random_headings_are_smooth_and_go_round_a_torus() {
        let (width, height) = (96, 48);
        let world = world(width, height, Edges::Torus);
        let noise = Noise::new(&world, 24, generator(3, 1));
        let differ = |a: Vector, b: Vector| (a[0] - b[0]).abs().max((a[1] - b[1]).abs());
        for y in 0..height as i32 {
            for x in 0..width as i32 {
                let next = noise.at((x + 1) % width as i32, y);
                // The steepest part of the easing is 3/2 of a node's distance, which is at most 2^15.
                assert!(differ(noise.at(x, y), next) <= (1 << 15) * 3 / 2 / 24 + 64, "({x}, {y})");
            }
        }
    }

    #[test]
    fn stretching_has_no_direction() {
        for v in [[1, 0], [3, -4], [262_143, 262_143], [-5, 1], [0, 0], [-200_000, 7]] {
            let [x, y] = stretched(v, 12_345);
            assert_eq!(stretched([-v[0], v[1]], 12_345), [-x, y]);
            assert_eq!(stretched([v[1], v[0]], 12_345), [y, x]);
            assert!(v == [0, 0] || (length([x, y]) - 12_345).abs() <= 1, "{v:?}");
        }
        assert_eq!(stretched([3, -4], 5000), [3000, -4000]);
    }
}
