//! The swarm between two steps. It has cells or individuals, columns of the world (falcons or food, for example) and an
//! account of all amounts.

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
use crate::world::{Cuts, Edges, Extents, MAX_SPECIES, Slab};
use std::borrow::Cow;

pub use account::{Entry, Ledger, ROWS, Row, Unit};
pub use individuals::{Individuals, LIFE_WORDS, MAX_INDIVIDUALS, PART};
pub use swarm::{Swarm, SwarmReading};
pub use world_columns::{ColumnsReading, ORIGIN, WorldColumn, WorldColumns};

/// The cells of a lattice, x fastest and z slowest, and the columns of their world.
#[derive(Debug, PartialEq, Eq)]
pub struct State {
    /// The extents of the lattice.
    pub extents: Extents,
    /// A layer for each species, in the order in which a preset seeds them; at least one.
    pub layers: Vec<Layer>,
    /// Lists of values that do not belong to cells, such as falcons.
    pub columns: WorldColumns,
}

reading! {
    /// The present state of the lattice. For individuals: the amounts and velocities that they deposit in its cells.
    StateReading -> State
}

reading! {
    /// The quanta in each cell of the present state, x fastest and z slowest, one layer after the other. For
    /// individuals: the quanta that they deposit in each cell.
    DensityReading -> Vec<u32>
}

reading! {
    /// A rectangle of the present state, or a box in a deep world. It must lie inside the lattice.
    RegionReading {
        /// The cell with the lowest index along each axis.
        first: [u32; 3],
        /// The number of cells along each axis.
        size: Extents,
    } -> State
}

/// The data of the cells of a layer (a species), x fastest and z slowest.
#[derive(Debug, PartialEq, Eq, Default)]
pub struct Layer {
    /// The quanta in each cell.
    pub density: Vec<u32>,
    /// The control vector of each cell (Q14 of a cell a step). The first word is x and y, packed by
    /// [`crate::numbers::pack`]. In a deep world, the second word is z.
    pub control: Vec<u32>,
}

impl Clone for Layer {
    fn clone(&self) -> Self {
        Self { density: self.density.clone(), control: self.control.clone() }
    }

    /// Reuses the memory of a layer of equal size.
    fn clone_from(&mut self, source: &Self) {
        self.density.clone_from(&source.density);
        self.control.clone_from(&source.control);
    }
}

/// The number of words of a control vector: 1 in a flat world (`depth` is `None`), 2 in a deep world.
pub fn words_of_vector(depth: Option<u32>) -> usize {
    if depth.is_some() { 2 } else { 1 }
}

/// Appends the words of a control vector (Q14). In a flat world (`depth` is `None`), z is left out.
pub fn push_vector(words: &mut Vec<u32>, [x, y, z]: Vector3, depth: Option<u32>) {
    words.push(pack([x, y]));
    words.extend(depth.map(|_| z as u32));
}

impl Layer {
    /// A layer without boids, with zero control vectors.
    pub fn empty(extents: Extents) -> Self {
        let cells = extents.cells();
        Self { density: vec![0; cells], control: vec![0; cells * words_of_vector(extents.depth)] }
    }

    /// The density and the control vectors, each with its number of words for a cell.
    pub fn columns(&self) -> [(&[u32], usize); 2] {
        [(&self.density, 1), (&self.control, self.words_of_vector())]
    }

    /// Applies `change` to each column. `change` gets the words of the column and the number of words for a cell.
    fn try_map<E>(self, mut change: impl FnMut(Vec<u32>, usize) -> Result<Vec<u32>, E>) -> Result<Self, E> {
        let words = self.words_of_vector();
        Ok(Self { density: change(self.density, 1)?, control: change(self.control, words)? })
    }

    /// The number of words of a control vector.
    #[inline(always)]
    fn words_of_vector(&self) -> usize {
        if self.control.len() > self.density.len() { 2 } else { 1 }
    }

    /// The sum of the density, in quanta.
    pub fn total(&self) -> u64 {
        self.density.iter().map(|quanta| u64::from(*quanta)).sum()
    }

    /// The x and y components of the control vector of the cell with this index (Q14 of a cell a step).
    #[inline(always)]
    pub fn control_of(&self, index: usize) -> Vector {
        unpack(self.control[index * self.words_of_vector()])
    }

    /// The control vector of the cell with this index (Q14 of a cell a step). In a flat world z is 0.
    #[inline(always)]
    pub fn velocity(&self, index: usize) -> Vector3 {
        let words = self.words_of_vector();
        let [x, y] = unpack(self.control[index * words]);
        [x, y, if words == 2 { self.control[2 * index + 1] as i32 } else { 0 }]
    }

    /// Sets the control vector of the cell with this index (Q14 of a cell a step). A flat world ignores z.
    pub fn set_velocity(&mut self, index: usize, [x, y, z]: Vector3) {
        let words = self.words_of_vector();
        self.control[index * words] = pack([x, y]);
        if words == 2 {
            self.control[2 * index + 1] = z as u32;
        }
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self { extents: self.extents, layers: self.layers.clone(), columns: self.columns.clone() }
    }

    /// Reuses the memory of a lattice of equal size.
    fn clone_from(&mut self, source: &Self) {
        self.extents = source.extents;
        self.layers.clone_from(&source.layers);
        self.columns.clone_from(&source.columns);
    }
}

impl State {
    /// A lattice of one layer without boids, with zero control vectors.
    pub fn empty(extents: Extents) -> Self {
        Self::new(extents, vec![Layer::empty(extents)])
    }

    /// A lattice with these layers. The columns of the world are empty.
    pub fn new(extents: Extents, layers: Vec<Layer>) -> Self {
        Self { extents, layers, columns: WorldColumns::default() }
    }

    /// A lattice of one empty layer, with the extents and the columns of the world of this state.
    pub fn without_boids(&self) -> Self {
        Self { columns: self.columns.clone(), ..Self::empty(self.extents) }
    }

    /// The sum of the densities of all layers, in quanta.
    pub fn total(&self) -> u64 {
        self.layers.iter().map(Layer::total).sum()
    }

    /// The sum of the density of each layer, in quanta.
    pub fn totals(&self) -> [u64; MAX_SPECIES] {
        std::array::from_fn(|layer| self.layers.get(layer).map_or(0, Layer::total))
    }

    /// The densities of all layers, one after the other.
    pub fn into_densities(self) -> Vec<u32> {
        let mut layers = self.layers.into_iter().map(|layer| layer.density);
        let mut densities = layers.next().unwrap_or_default();
        layers.for_each(|density| densities.extend(density));
        densities
    }

    /// Splits the state into one state for each layer. The columns of the world are dropped.
    pub fn into_layers(self) -> Vec<Self> {
        self.layers.into_iter().map(|layer| Self::new(self.extents, vec![layer])).collect()
    }

    /// Adds all layers up to one layer, for measures. The control vector of a cell is the mean over the quanta of all
    /// layers. The state itself is returned if it has a single layer.
    pub fn merged(&self) -> Cow<'_, Self> {
        if self.layers.len() == 1 {
            return Cow::Borrowed(self);
        }
        let mut merged = self.without_boids();
        let all = &mut merged.layers[0];
        for cell in 0..all.density.len() {
            let mut sum = 0;
            let mut momentum = [0; 3];
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

    /// Copies a rectangle of the state, or a box in a deep world. It begins with the cell `first` and must lie inside
    /// the lattice. The columns of the world are left out.
    pub fn region(&self, first: [u32; 3], size: Extents) -> Self {
        let [width, height] = [self.extents.width, self.extents.height].map(|extent| extent as usize);
        let [left, top, front] = first.map(|place| place as usize);
        let row = |y, z| {
            let first = ((front + z) * height + top + y) * width + left;
            first..first + size.width as usize
        };
        let rows = || (0..size.slices() as usize).flat_map(move |z| (0..size.height as usize).map(move |y| row(y, z)));
        let region = |layer: &Layer| {
            let [density, control] = layer.columns().map(|(words, of_cell)| {
                let words_of_row = |row: std::ops::Range<usize>| words[row.start * of_cell..row.end * of_cell].iter();
                rows().flat_map(words_of_row).copied().collect()
            });
            Layer { density, control }
        };
        Self::new(size, self.layers.iter().map(region).collect())
    }

    /// The BLAKE3 hash of the state, in hex (`docs/formats.md, State hash`).
    ///
    /// The hashed bytes are the three extents as u32 (the depth of a flat world is 1), every density as u32, and every
    /// control vector as one i16 for each axis. All are little-endian, with x fastest and z slowest. The columns of the
    /// world follow, then further layers, each after a tag. A flat world and a deep world of depth 1 have different
    /// hashes, because only the deep world has z components.
    pub fn hash(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        let (segments, _) = self.segments(&Slab::whole(self.extents), true);
        segments.iter().for_each(|segment| segment.update(&mut hasher));
        hasher.finalize().to_hex().to_string()
    }
}

impl State {
    /// Joins the slabs of all ranks to the state of the whole world. `world`: the extents of the whole world.
    ///
    /// # Errors
    /// If another rank has ended, or there is too little memory.
    pub fn gathered(self, world: Extents, ranks: &dyn Ranks) -> Result<Self, Failure> {
        let words = |own: &[u8]| ranks.gather(own).map(Some);
        Ok(self.joined(world, words)?.unwrap_or_else(|| Self::empty(world)))
    }

    /// Changes the slab of this rank from the cuts `from` to the cuts `to`. Ranks send each other the pieces that move.
    ///
    /// # Errors
    /// If another rank has ended.
    pub fn with_cuts(mut self, from: &Cuts, to: &Cuts, ranks: &dyn Ranks) -> Result<Self, Failure> {
        let of_piece = self.extents.cells_of_piece();
        self.extents = Slab::of_cuts(self.extents, to, ranks.rank()).extents();
        for layer in &mut self.layers {
            let moved = |words, of_cell| from.move_to(to, words, of_piece * of_cell, ranks);
            *layer = std::mem::take(layer).try_map(moved)?;
        }
        Ok(self)
    }

    /// Joins the slabs as [`Self::gathered`], on the first rank; `None` on the other ranks.
    ///
    /// # Errors
    /// The errors of [`Self::gathered`].
    pub fn gathered_to_first(self, world: Extents, ranks: &dyn Ranks) -> Result<Option<Self>, Failure> {
        self.joined(world, |own| ranks.gather_to_first(own))
    }

    /// Reads the ends of the two neighbouring slabs, as states of one layer: the last `before` pieces of the slab
    /// before this slab, and the first `after` pieces of the slab after it. Each slab must have at least these numbers
    /// of pieces. Beyond a wall all cells are 0.
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
        let ends = |(words, of_cell): (&[u32], usize)| -> Result<[Vec<u32>; 2], Failure> {
            let of_piece = slab.world.cells_of_piece() * of_cell;
            let mut received = [before, after].map(|pieces| vec![0; pieces as usize * of_piece]);
            let [from_before, from_after] = &mut received;
            let sent = [&words[..after as usize * of_piece], &words[words.len() - before as usize * of_piece..]];
            ranks.exchange(edges == Edges::Torus, sent, [from_before, from_after])?;
            Ok(received)
        };
        let [densities, controls] = self.layers[0].columns().map(ends);
        let ([first, last], [first_control, last_control]) = (densities?, controls?);
        let state = |pieces, density, control| {
            Self::new(Slab { first: 0, pieces, ..*slab }.extents(), vec![Layer { density, control }])
        };
        Ok([state(before, first, first_control), state(after, last, last_control)])
    }

    /// Joins the slabs of all ranks; `None` if `gather` returns nothing on this rank.
    fn joined(
        self,
        world: Extents,
        gather: impl Fn(&[u8]) -> Result<Option<Vec<Vec<u8>>>, Failure>,
    ) -> Result<Option<Self>, Failure> {
        let mut layers = Vec::new();
        for layer in &self.layers {
            let [density, control] = layer.columns().map(|(words, _)| gather(bytemuck::cast_slice(words)));
            if let (Some(density), Some(control)) = (density?, control?) {
                layers.push(Layer { density: concat(&density), control: concat(&control) });
            }
        }
        Ok((!layers.is_empty()).then_some(Self { extents: world, layers, columns: self.columns }))
    }

    /// The hash of a world, computed from the slabs of all ranks. Each rank reads only its own slab.
    ///
    /// # Errors
    /// If another rank has ended.
    pub fn hash_over(&self, slab: &Slab, ranks: &dyn Ranks) -> Result<String, Failure> {
        // Only the first rank adds the bytes that every rank knows, such as the extents.
        let (segments, total) = self.segments(slab, ranks.is_first());
        Ok(hash(ranks, total, &segments)?.to_hex().to_string())
    }

    /// The hashed bytes of this slab in order, and the number of hashed bytes of the whole world. `has_known`: whether
    /// to include the bytes that every rank knows: extents, tags and columns of the world.
    fn segments(&self, slab: &Slab, has_known: bool) -> (Vec<Segment<'_>>, u64) {
        let mut segments = Vec::new();
        let mut place = 0;
        let known = |segments: &mut Vec<Segment<'_>>, place: &mut u64, bytes: &[u8]| {
            if has_known {
                segments.push(Segment::from_bytes(*place, bytes.to_vec()));
            }
            *place += bytes.len() as u64;
        };
        known(&mut segments, &mut place, &slab.world.along_axes().map(u32::to_le_bytes).concat());
        for (number, layer) in self.layers.iter().enumerate() {
            if number > 0 {
                known(&mut segments, &mut place, LAYER);
            }
            let [(density, _), (control, words)] = layer.columns();
            let of_density: Append<'_> = Box::new(move |cells, to| append_words(&density[cells], to));
            let of_control: Append<'_> = Box::new(move |cells, to| {
                append_control(&control[cells.start * words..cells.end * words], words, to);
            });
            for (item_bytes, append) in [(4, of_density), (if words == 1 { 4 } else { 6 }, of_control)] {
                let first = place + item_bytes * slab.cells().start as u64;
                let items = slab.cells().len();
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

/// The bytes before each layer except the first in the hash of a state.
const LAYER: &[u8] = b"species";

fn append_words(words: &[u32], to: &mut Vec<u8>) {
    to.extend(words.iter().flat_map(|word| word.to_le_bytes()));
}

/// Appends control vectors to the bytes of a hash: x and y as i16, and z as i16 if a vector has two words.
fn append_control(control: &[u32], words_of_vector: usize, to: &mut Vec<u8>) {
    if words_of_vector == 1 {
        return append_words(control, to);
    }
    for [word, z] in control.as_chunks::<2>().0 {
        to.extend(word.to_le_bytes());
        to.extend((*z as i16).to_le_bytes());
    }
}

/// An amount in quanta as a number of boids, for display.
pub fn boids(quanta: u64) -> f64 {
    quanta as f64 / f64::from(BOID)
}
