//! Single boids in a near view: points that drift with the flow of their cells.
//!
//! The state says how many boids a cell holds and where they go, but not which is which. So the points are tracers: each is
//! carried by the control vectors along its way, and points fade in or out where a block of cells has fewer or more of them
//! than boids. They exist only within the view, and the simulation does not know them.

use crate::numbers::{BOID, ONE, unpack};
use crate::state::State;
use crate::world::Edges;
use glam::{IVec2, UVec2, Vec2, ivec2, vec2};

/// The most points at once. If more boids are in view, each point stands for several.
const MOST_POINTS: f32 = 120_000.0;
/// Cells along the side of a block, in which points are counted.
const BLOCK: i32 = 2;
/// The difference between the points and boids of a block that is tolerated.
const SLACK: f32 = 0.6;
/// The part of the way to its brightness that a point goes with each state.
const EASE: f32 = 0.2;
/// The part of the way to its cell's velocity that a point goes with each state.
const TURN: f32 = 0.5;
/// A point in a cell with fewer boids than this fades out.
const LEAST_BOIDS: f32 = 0.03;
/// The most steps that points drift between two states.
const MOST_STEPS: f32 = 4.0;

/// A point as the GPU draws it.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Point {
    /// In pixels from the upper left corner of the screen.
    pub pixel: Vec2,
    /// In cells a step.
    pub velocity: Vec2,
    /// The density of its cell, in exposures.
    pub exposures: f32,
    /// Its brightness, as a part of its full light.
    pub brightness: f32,
}

/// The vertex attributes of a [`Point`].
pub const POINT_ATTRIBUTES: [wgpu::VertexAttribute; 4] =
    wgpu::vertex_attr_array![0 => Float32x2, 1 => Float32x2, 2 => Float32, 3 => Float32];

#[derive(Debug, Clone, Copy)]
struct Tracer {
    /// In cells.
    position: Vec2,
    /// In cells a step.
    velocity: Vec2,
    brightness: f32,
    is_leaving: bool,
}

impl Tracer {
    fn cell(&self) -> IVec2 {
        self.position.floor().as_ivec2()
    }
}

/// A rectangle of cells, its end excluded; on a torus it may reach beyond the edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Window {
    pub first: IVec2,
    pub end: IVec2,
}

impl Window {
    fn contains(&self, cell: IVec2) -> bool {
        (cell.cmpge(self.first) & cell.cmplt(self.end)).all()
    }

    /// The least window of whole blocks around it; within walls, none beyond them.
    pub fn in_blocks(self, lattice: IVec2, edges: Edges) -> Self {
        let [first, end] = [self.first, self.end].map(|cell| match edges {
            Edges::Torus => cell,
            Edges::Walls => cell.clamp(IVec2::ZERO, lattice),
        });
        let block = IVec2::splat(BLOCK);
        Self { first: first.div_euclid(block) * BLOCK, end: (end + BLOCK - 1).div_euclid(block) * BLOCK }
    }

    /// The part of it whose cells a view has; on a torus the cells may be those of another period.
    pub fn within(self, cells: &CellView<'_>) -> Self {
        if cells.size.cmpge(cells.lattice).all() {
            return self;
        }
        let is_torus = i32::from(cells.edges == Edges::Torus);
        // The period in which the cells are nearest to the middle of the window.
        let apart = (self.first + self.end - (2 * cells.first + cells.size)).as_vec2() / 2.0;
        let first = cells.first + (apart / cells.lattice.as_vec2()).round().as_ivec2() * cells.lattice * is_torus;
        let is_whole = cells.size.cmpge(cells.lattice);
        let [from, to] = [self.first.max(first), self.end.min(first + cells.size)];
        let from = IVec2::select(is_whole, self.first, from);
        Self { first: from, end: IVec2::select(is_whole, self.end, to).max(from) }
    }

    /// The number of blocks along each axis.
    fn blocks(&self) -> UVec2 {
        ((self.end - self.first) / BLOCK).max(IVec2::ZERO).as_uvec2()
    }

    /// The index of the block with this cell.
    fn block_of(&self, cell: IVec2) -> usize {
        let UVec2 { x, y } = ((cell - self.first) / BLOCK).as_uvec2();
        y as usize * self.blocks().x as usize + x as usize
    }

    /// The first cell of a block.
    fn block_cell(&self, block: usize) -> IVec2 {
        let across = self.blocks().x as usize;
        self.first + BLOCK * ivec2((block % across) as i32, (block / across) as i32)
    }
}

/// The points in view.
#[derive(Debug, Default)]
pub struct Points {
    tracers: Vec<Tracer>,
    /// The tracers as they were last drawn.
    drawn: Vec<Point>,
    window: Window,
    /// Boids for which a point stands.
    boids_per_point: f32,
    /// Points that have ever appeared: the random numbers of the next one.
    born: u32,
}

impl Points {
    /// Forgets all points, because another swarm is shown.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Lets the points drift for `steps` steps to a state (0: only the camera moved), and matches the number of points in
    /// each block of the window to its boids.
    pub fn follow(&mut self, swarm: &CellView<'_>, window: Window, steps: f32) {
        let window = window.in_blocks(swarm.lattice, swarm.edges);
        let old = std::mem::replace(&mut self.window, window);
        self.drift(swarm, steps.min(MOST_STEPS));
        let boids: Vec<f32> = (0..window.blocks().element_product() as usize)
            .map(|block| swarm.boids_in_block(window.block_cell(block)))
            .collect();
        self.boids_per_point = (boids.iter().sum::<f32>() / MOST_POINTS).max(1.0);
        let wanted: Vec<f32> = boids.iter().map(|boids| boids / self.boids_per_point).collect();
        let mut present = self.count(wanted.len());
        self.dismiss(swarm, &wanted, &mut present);
        self.fill(swarm, old, &wanted, &mut present);
        if steps > 0.0 {
            self.fade(&wanted, &present);
        }
    }

    /// Points of each block that stay.
    fn count(&self, blocks: usize) -> Vec<u32> {
        let mut present = vec![0; blocks];
        for tracer in self.tracers.iter().filter(|tracer| !tracer.is_leaving) {
            present[self.window.block_of(tracer.cell())] += 1;
        }
        present
    }

    /// Lets points fade out where a block has too many, the newest first, and where a point has lost its swarm.
    fn dismiss(&mut self, swarm: &CellView<'_>, wanted: &[f32], present: &mut [u32]) {
        for tracer in self.tracers.iter_mut().rev().filter(|tracer| !tracer.is_leaving) {
            let block = self.window.block_of(tracer.cell());
            let rounding = random_of(self.window.block_cell(block));
            let is_lost = swarm.density(tracer.cell()) < LEAST_BOIDS;
            if is_lost || present[block] as f32 - 1.0 + rounding > wanted[block] + SLACK {
                tracer.is_leaving = true;
                present[block] -= 1;
            }
        }
    }

    /// Adds points where a block has too few: at full brightness in a block that was not in view before.
    fn fill(&mut self, swarm: &CellView<'_>, old: Window, wanted: &[f32], present: &mut [u32]) {
        for (block, (wanted, present)) in wanted.iter().zip(present).enumerate() {
            let cell = self.window.block_cell(block);
            let rounding = random_of(cell);
            let least = if *present == 0 { *wanted } else { wanted - SLACK };
            while *present as f32 + rounding < least && (self.tracers.len() as f32) < 1.5 * MOST_POINTS {
                self.appear(swarm, cell, !old.contains(cell));
                *present += 1;
            }
        }
    }

    /// Brings each point nearer to its brightness: the points of a block are together as bright as its boids.
    fn fade(&mut self, wanted: &[f32], present: &[u32]) {
        for tracer in &mut self.tracers {
            let block = self.window.block_of(tracer.cell());
            let full = (wanted[block] / (present[block] as f32).max(1.0)).clamp(0.5, 1.6);
            let aim = if tracer.is_leaving { 0.0 } else { full };
            tracer.brightness += (aim - tracer.brightness) * EASE;
        }
        self.tracers.retain(|tracer| !tracer.is_leaving || tracer.brightness > 0.02);
    }

    /// The points as the GPU draws them. `pixel_at` maps a point of the lattice (cells) to the screen (pixels).
    pub fn draw(&mut self, swarm: &CellView<'_>, exposures_per_boid: f32, pixel_at: impl Fn(Vec2) -> Vec2) -> &[Point] {
        self.drawn.clear();
        self.drawn.extend(self.tracers.iter().map(|tracer| Point {
            pixel: pixel_at(tracer.position),
            velocity: tracer.velocity,
            exposures: swarm.density(tracer.cell()) * exposures_per_boid,
            brightness: tracer.brightness * self.boids_per_point.min(4.0),
        }));
        &self.drawn
    }

    /// Moves every point along, and forgets those that left the window.
    fn drift(&mut self, swarm: &CellView<'_>, steps: f32) {
        let window = self.window;
        let first = window.first.as_vec2();
        self.tracers.retain_mut(|tracer| {
            if steps > 0.0 {
                if swarm.density(tracer.cell()) > 0.0 {
                    tracer.velocity += (swarm.velocity(tracer.cell()) - tracer.velocity) * TURN;
                }
                tracer.position += tracer.velocity * steps;
            }
            if swarm.edges == Edges::Torus {
                // The copy of the point that lies in the window, if any does.
                tracer.position = first + (tracer.position - first).rem_euclid(swarm.lattice.as_vec2());
            }
            window.contains(tracer.cell())
        });
    }

    /// Adds a point at a random place of a cell of the block, chosen in proportion to the cells' boids.
    fn appear(&mut self, swarm: &CellView<'_>, block: IVec2, is_new: bool) {
        self.born = self.born.wrapping_add(1);
        let mut chance = unit(hash(self.born)) * swarm.boids_in_block(block);
        let mut chosen = block;
        for cell in cells_of(block) {
            let boids = swarm.density(cell);
            if boids > 0.0 {
                chosen = cell;
                chance -= boids;
                if chance <= 0.0 {
                    break;
                }
            }
        }
        let within = hash(self.born ^ 0x9e37_79b9);
        let within = vec2((within & 0xffff) as f32, (within >> 16) as f32) / 65536.0;
        self.tracers.push(Tracer {
            position: chosen.as_vec2() + within,
            velocity: swarm.velocity(chosen),
            brightness: if is_new { 1.0 } else { 0.0 },
            is_leaving: false,
        });
    }
}

/// The cells that points follow: all of a lattice or those of a rectangle, around a torus, and empty beyond walls.
#[derive(Debug, Clone, Copy)]
pub struct CellView<'a> {
    pub lattice: IVec2,
    pub edges: Edges,
    /// The rectangle; on a torus it may reach across the edges.
    pub first: IVec2,
    pub size: IVec2,
    /// A word for each of its cells, x fastest.
    pub density: &'a [u32],
    pub control: &'a [u32],
}

impl<'a> CellView<'a> {
    /// All cells of a state.
    pub fn new(state: &'a State, edges: Edges) -> Self {
        let lattice = IVec2::from(state.extents.as_cell());
        let State { density, control, .. } = state;
        Self { lattice, edges, first: IVec2::ZERO, size: lattice, density, control }
    }

    fn index(&self, cell: IVec2) -> Option<usize> {
        let from_first = cell - self.first;
        let from_first = match self.edges {
            Edges::Torus => from_first.rem_euclid(self.lattice),
            Edges::Walls => from_first,
        };
        let is_inside = (from_first.cmpge(IVec2::ZERO) & from_first.cmplt(self.size)).all();
        is_inside.then(|| (from_first.y * self.size.x + from_first.x) as usize)
    }

    /// Boids in a cell.
    fn density(&self, cell: IVec2) -> f32 {
        self.index(cell).map_or(0.0, |index| self.density[index] as f32 / BOID as f32)
    }

    /// Boids in a block.
    fn boids_in_block(&self, block: IVec2) -> f32 {
        cells_of(block).map(|cell| self.density(cell)).sum()
    }

    /// The control vector of a cell, in cells a step.
    fn velocity(&self, cell: IVec2) -> Vec2 {
        let control = self.index(cell).map_or([0, 0], |index| unpack(self.control[index]));
        IVec2::from(control).as_vec2() / ONE as f32
    }
}

/// The cells of the block with this first cell.
fn cells_of(block: IVec2) -> impl Iterator<Item = IVec2> {
    (0..BLOCK * BLOCK).map(move |index| block + ivec2(index % BLOCK, index / BLOCK))
}

/// A random number in 0..1 for the block with this first cell, the same wherever the window is.
fn random_of(block: IVec2) -> f32 {
    unit(hash((block.x as u32).wrapping_mul(0x8da6_b343) ^ (block.y as u32).wrapping_mul(0xd816_3841)))
}

/// An integer hash with full avalanche (Chris Wellons' `lowbias32`).
fn hash(mut word: u32) -> u32 {
    word = (word ^ (word >> 16)).wrapping_mul(0x7feb_352d);
    word = (word ^ (word >> 15)).wrapping_mul(0x846c_a68b);
    word ^ (word >> 16)
}

/// The number in 0..1 that the upper 24 bits of a word stand for.
fn unit(word: u32) -> f32 {
    (word >> 8) as f32 / (1 << 24) as f32
}
