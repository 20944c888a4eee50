//! Single boids, for an eye that is near: points that drift with the flow of their cells.
//!
//! The state says how many boids a cell holds and where they go, but not which is which. So the points are tracers: each
//! is carried by the control vectors on its way, and where a block of cells has more or fewer points than boids, points
//! fade away or appear. They live only where the camera looks, and only in the picture; the simulation knows nothing of
//! them.

use crate::numbers::{BOID, ONE, unpack};
use crate::state::State;
use crate::world::{Edges, World};

/// The most points at once. Where more boids are in view, each point stands for several.
const MOST: f32 = 120_000.0;
/// Cells along the side of a block whose points are counted.
const BLOCK: i32 = 2;
/// Points beyond its boids that a block keeps, and lacks, before it does something about it.
const SLACK: f32 = 0.6;
/// The part of the way to its brightness that a point goes with each state.
const EASE: f32 = 0.2;
/// The part of a cell's flow that a point takes on with each state.
const TURN: f32 = 0.5;
/// Boids in a cell below which a point has lost its swarm.
const LEAST: f32 = 0.03;
/// Steps between two states beyond which points drift no farther.
const MOST_STEPS: f32 = 4.0;

/// A point as the GPU draws it.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Point {
    /// In pixels from the upper left corner of the screen.
    pub pixel: [f32; 2],
    /// In cells a step.
    pub velocity: [f32; 2],
    /// The density around it, in exposures.
    pub exposures: f32,
    /// How bright it is, as a part of its full light.
    pub part: f32,
}

/// How a [`Point`] lies in memory.
pub const POINT_ATTRIBUTES: [wgpu::VertexAttribute; 4] =
    wgpu::vertex_attr_array![0 => Float32x2, 1 => Float32x2, 2 => Float32, 3 => Float32];

#[derive(Debug, Clone, Copy)]
struct Tracer {
    /// In cells.
    place: [f32; 2],
    velocity: [f32; 2],
    part: f32,
    is_leaving: bool,
}

/// A rectangle of cells, the ends not included; on a torus it may reach beyond the edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Window {
    pub first: [i32; 2],
    pub end: [i32; 2],
}

impl Window {
    fn holds(&self, cell: [i32; 2]) -> bool {
        (0..2).all(|axis| (self.first[axis]..self.end[axis]).contains(&cell[axis]))
    }

    /// The window in whole blocks, on the lattice.
    fn blocks(self, world: &World) -> Self {
        let extents = world.extents.as_cell();
        let within = |axis: usize, cell: i32| match world.edges {
            Edges::Torus => cell,
            Edges::Walls => cell.clamp(0, extents[axis]),
        };
        Self {
            first: std::array::from_fn(|axis| within(axis, self.first[axis]).div_euclid(BLOCK) * BLOCK),
            end: std::array::from_fn(|axis| (within(axis, self.end[axis]) + BLOCK - 1).div_euclid(BLOCK) * BLOCK),
        }
    }
}

/// The points in view.
#[derive(Debug, Default)]
pub struct Points {
    tracers: Vec<Tracer>,
    window: Window,
    /// By block of the window: points there.
    counts: Vec<u32>,
    /// Boids that a point stands for.
    boids: f32,
    /// Points that ever appeared, so that no two of them appear alike.
    born: u32,
}

impl Points {
    /// Forgets all points, as one must where another swarm is shown.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Lets the points drift for `steps` steps (0: only the camera moved) to a state, and makes them as many in each
    /// block of the window as there are boids.
    pub fn follow(&mut self, state: &State, world: &World, window: Window, steps: f32) {
        let swarm = Swarm { state, world, extents: world.extents.as_cell() };
        let window = window.blocks(world);
        let old = std::mem::replace(&mut self.window, window);
        self.drift(&swarm, steps.min(MOST_STEPS));
        let [across, down] = [0, 1].map(|axis| ((window.end[axis] - window.first[axis]) / BLOCK).max(0) as usize);
        let in_view: f32 = self.block_places(across, down).map(|place| swarm.boids_of(place)).sum();
        self.boids = (in_view / MOST).max(1.0);
        self.count(across, down);
        // What a block has too many leaves, the last to come first.
        let mut present = self.counts.clone();
        for tracer in self.tracers.iter_mut().rev().filter(|tracer| !tracer.is_leaving) {
            let block = block_of(window, tracer.place, across);
            let wanted = swarm.boids_of(place_of(window, block, across)) / self.boids;
            let is_lost = swarm.density(tracer.place.map(|axis| axis.floor() as i32)) < LEAST;
            if is_lost || present[block] as f32 - 1.0 + hash01(seed_of(window, block, across)) > wanted + SLACK {
                tracer.is_leaving = true;
                present[block] -= 1;
            }
        }
        for block in 0..across * down {
            let place = place_of(window, block, across);
            let wanted = swarm.boids_of(place) / self.boids;
            let chance = hash01(seed_of(window, block, across));
            let lacking = if present[block] == 0 { wanted } else { wanted - SLACK };
            while present[block] as f32 + chance < lacking && (self.tracers.len() as f32) < 1.5 * MOST {
                let is_new = !old.holds(place);
                self.appear(&swarm, place, is_new);
                present[block] += 1;
            }
        }
        if steps > 0.0 {
            // Points are as bright together as the boids of their block are.
            let boids = self.boids;
            for tracer in &mut self.tracers {
                let block = block_of(window, tracer.place, across);
                let wanted = swarm.boids_of(place_of(window, block, across)) / boids;
                let full = (wanted / (present[block] as f32).max(1.0)).clamp(0.5, 1.6);
                let aim = if tracer.is_leaving { 0.0 } else { full };
                tracer.part += (aim - tracer.part) * EASE;
            }
            self.tracers.retain(|tracer| !tracer.is_leaving || tracer.part > 0.02);
        }
    }

    /// The points as the GPU draws them; `pixel_at` says where a place in cells is on the screen.
    pub fn drawn<'a>(
        &'a self,
        state: &'a State,
        world: &'a World,
        exposures_of_boid: f32,
        pixel_at: impl Fn([f32; 2]) -> [f32; 2] + 'a,
    ) -> impl Iterator<Item = Point> + 'a {
        let swarm = Swarm { state, world, extents: world.extents.as_cell() };
        self.tracers.iter().map(move |tracer| Point {
            pixel: pixel_at(tracer.place),
            velocity: tracer.velocity,
            exposures: swarm.density(tracer.place.map(|axis| axis.floor() as i32)) * exposures_of_boid,
            part: tracer.part * self.boids.min(4.0),
        })
    }

    /// Carries every point along, and forgets those that left the window.
    fn drift(&mut self, swarm: &Swarm<'_>, steps: f32) {
        let window = self.window;
        self.tracers.retain_mut(|tracer| {
            if steps > 0.0 {
                let cell = tracer.place.map(|axis| axis.floor() as i32);
                if swarm.density(cell) > 0.0 {
                    let flow = swarm.velocity(cell);
                    for (own, flow) in tracer.velocity.iter_mut().zip(flow) {
                        *own += (flow - *own) * TURN;
                    }
                }
                for axis in 0..2 {
                    tracer.place[axis] += tracer.velocity[axis] * steps;
                }
            }
            // On a torus a point is where the window sees it.
            if swarm.world.edges == Edges::Torus {
                for axis in 0..2 {
                    let (first, extent) = (window.first[axis] as f32, swarm.extents[axis] as f32);
                    tracer.place[axis] = first + (tracer.place[axis] - first).rem_euclid(extent);
                }
            }
            window.holds(tracer.place.map(|axis| axis.floor() as i32))
        });
    }

    fn count(&mut self, across: usize, down: usize) {
        self.counts.clear();
        self.counts.resize(across * down, 0);
        for tracer in self.tracers.iter().filter(|tracer| !tracer.is_leaving) {
            self.counts[block_of(self.window, tracer.place, across)] += 1;
        }
    }

    fn block_places(&self, across: usize, down: usize) -> impl Iterator<Item = [i32; 2]> + use<> {
        let window = self.window;
        (0..across * down).map(move |block| place_of(window, block, across))
    }

    /// A point appears in a cell of the block, chosen by chance among its boids: at once where the block is new in view,
    /// and else little by little.
    fn appear(&mut self, swarm: &Swarm<'_>, block: [i32; 2], is_new: bool) {
        self.born = self.born.wrapping_add(1);
        let mut chance = hash01(hash(self.born)) * swarm.boids_of(block);
        let mut cell = block;
        for index in 0..BLOCK * BLOCK {
            let here = [block[0] + index % BLOCK, block[1] + index / BLOCK];
            let boids = swarm.density(here);
            if boids > 0.0 {
                cell = here;
                chance -= boids;
                if chance <= 0.0 {
                    break;
                }
            }
        }
        let within = hash(self.born ^ 0x9e37_79b9);
        let place =
            [cell[0] as f32 + (within & 0xffff) as f32 / 65536.0, cell[1] as f32 + (within >> 16) as f32 / 65536.0];
        let velocity = swarm.velocity(cell);
        self.tracers.push(Tracer { place, velocity, part: if is_new { 1.0 } else { 0.0 }, is_leaving: false });
    }
}

/// The swarm as points see it.
struct Swarm<'a> {
    state: &'a State,
    world: &'a World,
    extents: [i32; 2],
}

impl Swarm<'_> {
    fn index(&self, cell: [i32; 2]) -> Option<usize> {
        let [x, y] = match self.world.edges {
            Edges::Torus => [0, 1].map(|axis| cell[axis].rem_euclid(self.extents[axis])),
            Edges::Walls => cell,
        };
        let is_inside = (0..self.extents[0]).contains(&x) && (0..self.extents[1]).contains(&y);
        is_inside.then(|| y as usize * self.extents[0] as usize + x as usize)
    }

    /// Boids in a cell.
    fn density(&self, cell: [i32; 2]) -> f32 {
        self.index(cell).map_or(0.0, |index| self.state.density[index] as f32 / BOID as f32)
    }

    /// Boids in a block.
    fn boids_of(&self, block: [i32; 2]) -> f32 {
        (0..BLOCK * BLOCK).map(|index| self.density([block[0] + index % BLOCK, block[1] + index / BLOCK])).sum()
    }

    /// In cells a step.
    fn velocity(&self, cell: [i32; 2]) -> [f32; 2] {
        let vector = self.index(cell).map_or([0, 0], |index| unpack(self.state.control[index]));
        vector.map(|axis| axis as f32 / ONE as f32)
    }
}

fn block_of(window: Window, place: [f32; 2], across: usize) -> usize {
    let [x, y] = [0, 1].map(|axis| ((place[axis].floor() as i32 - window.first[axis]) / BLOCK) as usize);
    y * across + x
}

fn place_of(window: Window, block: usize, across: usize) -> [i32; 2] {
    [window.first[0] + BLOCK * (block % across) as i32, window.first[1] + BLOCK * (block / across) as i32]
}

/// A block's own number, the same wherever the window is.
fn seed_of(window: Window, block: usize, across: usize) -> u32 {
    let [x, y] = place_of(window, block, across);
    hash((x as u32).wrapping_mul(0x8da6_b343) ^ (y as u32).wrapping_mul(0xd816_3841))
}

/// An integer hash with full avalanche (Chris Wellons' `lowbias32`).
fn hash(mut word: u32) -> u32 {
    word = (word ^ (word >> 16)).wrapping_mul(0x7feb_352d);
    word = (word ^ (word >> 15)).wrapping_mul(0x846c_a68b);
    word ^ (word >> 16)
}

/// A number in 0..1.
fn hash01(word: u32) -> f32 {
    (word >> 8) as f32 / (1 << 24) as f32
}
