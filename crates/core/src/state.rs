//! The swarm between two steps: cells, individuals, columns of the world, fields and sums, and the account.

mod account;
pub mod fields;
mod individuals;
pub mod sums;
mod swarm;
mod world_columns;

use crate::error::Failure;
use crate::numbers::{BOID, Vector, Vector3, pack, unpack};
use crate::ranks::hash::{Append, Segment, hash};
use crate::ranks::{Ranks, concat};
use crate::ticket::reading;
use crate::world::{Cuts, Edges, Extents, MOST_SPECIES, Slab};
use std::borrow::Cow;

pub use account::{Entry, Ledger, ROWS, Row, Unit};
pub use individuals::{Individuals, LIFE_WORDS, MOST_INDIVIDUALS, PART};
pub use swarm::{Swarm, SwarmReading};
pub use world_columns::{ORIGIN, WorldColumn, WorldColumns};

/// The cells of a lattice, x fastest and z slowest, and the columns of their world.
#[derive(Debug, PartialEq, Eq)]
pub struct State {
    /// The extents of the lattice.
    pub extents: Extents,
    /// A layer for each species, in the order of their seeds; at least one.
    pub layers: Vec<Layer>,
    /// The columns of the world.
    pub columns: WorldColumns,
}

reading! {
    /// The present state of the lattice. A simulation of individuals answers with their deposit.
    StateReading -> State
}

reading! {
    /// The quanta in each cell of the present state, x fastest and z slowest: of several species one layer after the other. A simulation of
    /// individuals answers with their deposit.
    DensityReading -> Vec<u32>
}

reading! {
    /// A rectangle or a box of the present state, within the lattice.
    RegionReading {
        /// The first cell.
        first: [u32; 3],
        /// Cells along each axis.
        size: Extents,
    } -> State
}

/// A density and a control vector in every cell.
#[derive(Debug, PartialEq, Eq, Default)]
pub struct Layer {
    /// Quanta in each cell.
    pub density: Vec<u32>,
    /// The control vector of each cell (Q14) along x and y, packed by [`crate::numbers::pack`].
    pub control: Vec<u32>,
    /// The control vector of each cell (Q14) along z; empty in a flat world.
    pub control_z: Vec<i16>,
}

impl Clone for Layer {
    fn clone(&self) -> Self {
        let Self { density, control, control_z } = self;
        Self { density: density.clone(), control: control.clone(), control_z: control_z.clone() }
    }

    /// A layer of the same size keeps its place in memory.
    fn clone_from(&mut self, source: &Self) {
        self.density.clone_from(&source.density);
        self.control.clone_from(&source.control);
        self.control_z.clone_from(&source.control_z);
    }
}

impl Layer {
    /// A layer without boids; all control vectors are zero.
    pub fn empty(extents: Extents) -> Self {
        let cells = extents.cells();
        let control_z = vec![0; if extents.depth.is_some() { cells } else { 0 }];
        Self { density: vec![0; cells], control: vec![0; cells], control_z }
    }

    /// The sum of the density, in quanta.
    pub fn total(&self) -> u64 {
        self.density.iter().map(|quanta| u64::from(*quanta)).sum()
    }

    /// The control vector of the cell with this index (Q14) along x and y.
    #[inline(always)]
    pub fn control_of(&self, index: usize) -> Vector {
        unpack(self.control[index])
    }

    /// The control vector of the cell with this index (Q14); its z is 0 in a flat world.
    #[inline(always)]
    pub fn velocity(&self, index: usize) -> Vector3 {
        let [x, y] = self.control_of(index);
        [x, y, self.control_z.get(index).copied().unwrap_or(0).into()]
    }

    /// Sets the control vector of the cell with this index (Q14). z is left out in a flat world.
    pub fn set_velocity(&mut self, index: usize, [x, y, z]: Vector3) {
        self.control[index] = pack([x, y]);
        if let Some(word) = self.control_z.get_mut(index) {
            *word = z as i16;
        }
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self { extents: self.extents, layers: self.layers.clone(), columns: self.columns.clone() }
    }

    /// A lattice of the same size keeps its place in memory.
    fn clone_from(&mut self, source: &Self) {
        self.extents = source.extents;
        self.layers.clone_from(&source.layers);
        self.columns.clone_from(&source.columns);
    }
}

impl State {
    /// A lattice of one layer without boids; all control vectors are zero.
    pub fn empty(extents: Extents) -> Self {
        Self::new(extents, vec![Layer::empty(extents)])
    }

    /// A lattice in a world without columns.
    pub fn new(extents: Extents, layers: Vec<Layer>) -> Self {
        Self { extents, layers, columns: WorldColumns::default() }
    }

    /// A lattice of one layer without boids, with the same columns of the world.
    pub fn without_boids(&self) -> Self {
        Self { columns: self.columns.clone(), ..Self::empty(self.extents) }
    }

    /// The sum of the densities of all layers, in quanta.
    pub fn total(&self) -> u64 {
        self.layers.iter().map(Layer::total).sum()
    }

    /// The sum of the density of each layer, in quanta.
    pub fn totals(&self) -> [u64; MOST_SPECIES] {
        std::array::from_fn(|layer| self.layers.get(layer).map_or(0, Layer::total))
    }

    /// The densities of all layers, one after the other.
    pub fn into_densities(self) -> Vec<u32> {
        let mut layers = self.layers.into_iter().map(|layer| layer.density);
        let mut densities = layers.next().unwrap_or_default();
        layers.for_each(|density| densities.extend(density));
        densities
    }

    /// Each layer as a state of its own, without columns of the world.
    pub fn into_layers(self) -> Vec<Self> {
        self.layers.into_iter().map(|layer| Self::new(self.extents, vec![layer])).collect()
    }

    /// All layers as one, each cell with the mean of their control vectors, for measures; one layer as it is.
    pub fn merged(&self) -> Cow<'_, Self> {
        if self.layers.len() == 1 {
            return Cow::Borrowed(self);
        }
        let mut merged = self.without_boids();
        let all = &mut merged.layers[0];
        for cell in 0..all.density.len() {
            let (mut sum, mut momentum) = (0, [0; 3]);
            for layer in &self.layers {
                let quanta = i64::from(layer.density[cell]);
                sum += quanta;
                for (sum, component) in momentum.iter_mut().zip(layer.velocity(cell)) {
                    *sum += quanta * i64::from(component);
                }
            }
            all.density[cell] = u32::try_from(sum).unwrap_or(u32::MAX);
            all.set_velocity(cell, momentum.map(|momentum| (momentum / sum.max(1)) as i32));
        }
        Cow::Owned(merged)
    }

    /// A rectangle or a box of the state, within the lattice, without columns of the world.
    pub fn region(&self, first: [u32; 3], size: Extents) -> Self {
        let [width, height] = [self.extents.width, self.extents.height].map(|extent| extent as usize);
        let [left, top, front] = first.map(|place| place as usize);
        let row = |y, z| {
            let first = ((front + z) * height + top + y) * width + left;
            first..first + size.width as usize
        };
        let rows = || (0..size.slices() as usize).flat_map(move |z| (0..size.height as usize).map(move |y| row(y, z)));
        let region = |Layer { density, control, control_z }: &Layer| {
            let words = |words: &[u32]| rows().flat_map(|row| words[row].iter().copied()).collect();
            let along_z = rows().flat_map(|row| control_z.get(row).unwrap_or_default().iter().copied());
            Layer { density: words(density), control: words(control), control_z: along_z.collect() }
        };
        Self::new(size, self.layers.iter().map(region).collect())
    }

    /// BLAKE3, in hex, of the three extents as u32, every density as u32, and every control vector as i16 for each axis of the world. All
    /// are little-endian, x fastest and z slowest. The columns of the world follow (`docs/formats.md, State hash`). A flat world has
    /// 1 along z; a deep one is told from it by its third components. Further layers follow, each after a tag.
    pub fn hash(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        let (segments, _) = self.segments(&Slab::whole(self.extents), true);
        segments.iter().for_each(|segment| segment.update(&mut hasher));
        hasher.finalize().to_hex().to_string()
    }
}

/// Components along z as words, one each, which ranks exchange.
fn words_of(control_z: &[i16]) -> Vec<u32> {
    control_z.iter().map(|component| i32::from(*component) as u32).collect()
}

/// The components of [`words_of`].
fn components_of(words: &[u32]) -> Vec<i16> {
    words.iter().map(|word| *word as i16).collect()
}

impl State {
    /// The state of the whole world, from the slab of each rank.
    ///
    /// # Errors
    /// If another rank has ended, or there is too little memory.
    pub fn gathered(self, world: Extents, ranks: &dyn Ranks) -> Result<Self, Failure> {
        let words = |own: &[u8]| ranks.gather(own).map(Some);
        Ok(self.joined(world, words)?.unwrap_or_else(|| Self::empty(world)))
    }

    /// The slab of this rank after a change of the cuts, from its slab before it. Pieces go from neighbour to neighbour.
    ///
    /// # Errors
    /// If another rank has ended.
    pub fn with_cuts(mut self, from: &Cuts, to: &Cuts, ranks: &dyn Ranks) -> Result<Self, Failure> {
        let extents = Slab::of_cuts(self.extents, to, ranks.rank()).extents();
        let of_piece = self.extents.cells_of_piece();
        let moved = |words: Vec<u32>| from.move_to(to, words, of_piece, ranks);
        self.extents = extents;
        for Layer { density, control, control_z } in &mut self.layers {
            *density = moved(std::mem::take(density))?;
            *control = moved(std::mem::take(control))?;
            if extents.depth.is_some() {
                *control_z = components_of(&moved(words_of(control_z))?);
            }
        }
        Ok(self)
    }

    /// The same on the first rank alone; `None` on the others.
    ///
    /// # Errors
    /// As [`Self::gathered`].
    pub fn gathered_to_first(self, world: Extents, ranks: &dyn Ranks) -> Result<Option<Self>, Failure> {
        self.joined(world, |own| ranks.gather_to_first(own))
    }

    /// The last pieces of the slab before this one and the first pieces of the slab after it, as states of one layer. `[before, after]`: how many of
    /// each; no slab has fewer. Beyond a wall all cells are 0.
    ///
    /// # Errors
    /// If another rank has ended.
    pub fn ends_of_neighbours(
        &self,
        slab: &Slab,
        edges: Edges,
        [before, after]: [u32; 2],
        ranks: &dyn Ranks,
    ) -> Result<[Self; 2], Failure> {
        let of_piece = slab.world.cells_of_piece();
        let ends = |words: &[u32]| -> Result<[Vec<u32>; 2], Failure> {
            let mut received = [before, after].map(|pieces| vec![0; pieces as usize * of_piece]);
            let [from_before, from_after] = &mut received;
            let sent = [&words[..after as usize * of_piece], &words[words.len() - before as usize * of_piece..]];
            ranks.exchange(edges == Edges::Torus, sent, [from_before, from_after])?;
            Ok(received)
        };
        let layer = &self.layers[0];
        let densities = ends(&layer.density)?;
        let controls = ends(&layer.control)?;
        let mut along_z = [Vec::new(), Vec::new()];
        if slab.world.depth.is_some() {
            along_z = ends(&words_of(&layer.control_z))?.map(|words| components_of(&words));
        }
        let mut parts = [before, after].into_iter().zip(controls).zip(along_z);
        Ok(densities.map(|density| {
            let ((pieces, control), control_z) = parts.next().unwrap_or_default();
            let layer = Layer { density, control, control_z };
            Self::new(Slab { first: 0, pieces, ..*slab }.extents(), vec![layer])
        }))
    }

    /// The slabs of all ranks as one state; `None` where they are not given.
    fn joined(
        self,
        world: Extents,
        gather: impl Fn(&[u8]) -> Result<Option<Vec<Vec<u8>>>, Failure>,
    ) -> Result<Option<Self>, Failure> {
        let mut layers = Vec::new();
        for Layer { density, control, control_z } in &self.layers {
            let words = [density, control].map(|words| gather(bytemuck::cast_slice(words)));
            let along_z = gather(bytemuck::cast_slice(control_z))?;
            let [density, control] = words;
            if let (Some(density), Some(control), Some(along_z)) = (density?, control?, along_z) {
                layers.push(Layer {
                    density: concat(&density),
                    control: concat(&control),
                    control_z: concat(&along_z),
                });
            }
        }
        Ok((!layers.is_empty()).then_some(Self { extents: world, layers, columns: self.columns }))
    }

    /// The same hash of a world of which this is the slab of a rank. No rank has more than its own slab.
    ///
    /// # Errors
    /// If another rank has ended.
    pub fn hash_over(&self, slab: &Slab, ranks: &dyn Ranks) -> Result<String, Failure> {
        // What all ranks know is counted as the first rank's.
        let (segments, total) = self.segments(slab, ranks.is_first());
        Ok(hash(ranks, total, &segments)?.to_hex().to_string())
    }

    /// The bytes that are hashed of this slab, in their order, and the number of bytes of the whole world. `has_known`: whether what all slabs know
    /// is among them.
    fn segments(&self, slab: &Slab, has_known: bool) -> (Vec<Segment<'_>>, u64) {
        let (mut segments, mut place) = (Vec::new(), 0);
        let known = |segments: &mut Vec<Segment<'_>>, place: &mut u64, bytes: &[u8]| {
            if has_known {
                segments.push(Segment::from_bytes(*place, bytes.to_vec()));
            }
            *place += bytes.len() as u64;
        };
        known(&mut segments, &mut place, &slab.world.along_axes().map(u32::to_le_bytes).concat());
        for (number, Layer { density, control, control_z }) in self.layers.iter().enumerate() {
            if number > 0 {
                known(&mut segments, &mut place, LAYER);
            }
            let of_density: Append<'_> = Box::new(move |cells, to| append_density(&density[cells], to));
            let of_control: Append<'_> = Box::new(move |cells, to| {
                append_control(&control[cells.clone()], control_z.get(cells).unwrap_or_default(), to);
            });
            for (item_bytes, append) in [(4, of_density), (if control_z.is_empty() { 4 } else { 6 }, of_control)] {
                let (first, items) = (place + item_bytes * slab.cells().start as u64, slab.cells().len());
                segments.push(Segment { first, items, item_bytes, append });
                place += item_bytes * slab.world.cells() as u64;
            }
            if number == 0 {
                self.columns.hashed().for_each(|(_, bytes)| known(&mut segments, &mut place, &bytes));
            }
        }
        (segments, place)
    }
}

/// What is before each layer after the first in a hash.
const LAYER: &[u8] = b"species";

fn append_density(density: &[u32], to: &mut Vec<u8>) {
    to.extend(density.iter().flat_map(|quanta| quanta.to_le_bytes()));
}

/// A packed control vector written little-endian is x and then y as i16.
fn append_control(control: &[u32], control_z: &[i16], to: &mut Vec<u8>) {
    if control_z.is_empty() {
        to.extend(control.iter().flat_map(|word| word.to_le_bytes()));
    }
    for (word, z) in control.iter().zip(control_z) {
        to.extend(word.to_le_bytes());
        to.extend(z.to_le_bytes());
    }
}

/// An amount in quanta as a number of boids, for display.
pub fn boids(quanta: u64) -> f64 {
    quanta as f64 / f64::from(BOID)
}
