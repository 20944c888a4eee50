//! The individuals of a swarm between two steps.

use super::WorldColumns;
use crate::lanes::vector;
use crate::numbers::{Vector3, each_axis};
use crate::parallel::*;
use crate::terrain::{Habitat, nearest_free};
use crate::world::{PLACE_BITS, PlaceSums, Space};
use std::ops::Range;

/// The maximum number of individuals of a swarm.
pub const MAX_INDIVIDUALS: usize = 1 << 24;
/// The number of words that describe the life of an individual: traits, species, hunger, health and mood.
pub const LIFE_WORDS: usize = 4;
/// The place of lives among the columns of the world in the hash of a state (see [`WorldColumn::place`]).
///
/// [`WorldColumn::place`]: super::WorldColumn::place
const LIVES_PLACE: u8 = 3;
/// The number of individuals that a thread processes at a time.
pub const PART: usize = 1 << 14;

/// All individuals of a swarm, in any order. Their numbers identify them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Individuals {
    /// The number of each individual, constant during the whole run.
    pub numbers: Vec<u32>,
    /// Positions (Q16 of a cell): a list for each axis. Each is from 0 to the extent of the world along its axis.
    pub positions: [Vec<i32>; 3],
    /// Velocities (Q14 of a cell a step): a list for each axis.
    pub velocities: [Vec<i32>; 3],
    /// The words of the individuals' lives (see [`crate::lives::Life::words`]); empty if individuals have no lives.
    pub lives: Box<[Vec<i32>; LIFE_WORDS]>,
}

impl Individuals {
    /// The number of individuals.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether there is no individual.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// All lists except the numbers: positions and velocities by axis, and the words of lives (empty without lives).
    pub fn columns(&self) -> impl Iterator<Item = &Vec<i32>> {
        self.positions.iter().chain(&self.velocities).chain(&*self.lives)
    }

    /// Mutable [`Self::columns`].
    pub fn columns_mut(&mut self) -> impl Iterator<Item = &mut Vec<i32>> {
        self.positions.iter_mut().chain(&mut self.velocities).chain(&mut *self.lives)
    }

    /// Adds an individual without a life.
    pub fn push(&mut self, number: u32, position: Vector3, velocity: Vector3) {
        self.numbers.push(number);
        for axis in 0..3 {
            self.positions[axis].push(position[axis]);
            self.velocities[axis].push(velocity[axis]);
        }
    }

    /// Changes the number of individuals to `count`. Added individuals consist of zeros. The individuals have lives if
    /// `others` have lives.
    pub(crate) fn resize_like(&mut self, count: usize, others: &Self) {
        self.numbers.resize(count, 0);
        for (list, other) in self.columns_mut().zip(others.columns()) {
            list.resize(if other.len() == others.len() { count } else { 0 }, 0);
        }
    }

    /// Replaces all individuals with copies from `others`. `order`: for each new individual, its index in `others`.
    pub(crate) fn take_in_order(&mut self, others: &Self, order: &[u32]) {
        self.resize_like(order.len(), others);
        let Self { numbers, positions, velocities, lives } = self;
        let lists = positions.iter_mut().chain(velocities).chain(&mut **lives).map(|list| &mut **list);
        let lists = lists.chain([bytemuck::cast_slice_mut(numbers)]);
        let from = others.columns().map(|list| &**list).chain([bytemuck::cast_slice(&others.numbers)]);
        let mut parts: Vec<(&mut [i32], &[i32], &[u32])> = Vec::new();
        for (list, from) in lists.zip(from) {
            parts.extend(list.chunks_mut(PART).zip(order.chunks(PART)).map(|(list, order)| (list, from, order)));
        }
        parts.par_chunks_mut(1).for_each(|parts| {
            let (list, from, order) = &mut parts[0];
            for index in 0..list.len() {
                list[index] = from[order[index] as usize];
            }
        });
    }

    /// Appends a copy of the individual with the index `from` in `other`.
    fn push_from(&mut self, other: &Self, from: usize) {
        let number = other.numbers[from];
        let position = other.position(from);
        let velocity = other.velocity(from);
        match other.life(from) {
            Some(life) => self.push_living(number, position, velocity, life),
            None => self.push(number, position, velocity),
        }
    }

    /// Keeps the first `count` individuals.
    fn truncate(&mut self, count: usize) {
        self.numbers.truncate(count);
        self.columns_mut().for_each(|list| list.truncate(count));
    }

    /// Reserves memory for more individuals without lives.
    pub fn reserve(&mut self, more: usize) {
        self.numbers.reserve(more);
        self.positions.iter_mut().chain(&mut self.velocities).for_each(|list| list.reserve(more));
    }

    /// Frees the memory that the present individuals do not need.
    pub fn shrink(&mut self) {
        self.numbers.shrink_to_fit();
        self.columns_mut().for_each(Vec::shrink_to_fit);
    }

    /// Removes all individuals except those with these indices.
    pub fn keep(&mut self, indices: Range<usize>) {
        self.truncate(indices.end);
        self.numbers.drain(..indices.start);
        for list in self.columns_mut() {
            list.drain(..indices.start.min(list.len()));
        }
    }

    /// The position of an individual (Q16 of a cell), by its index.
    #[inline(always)]
    pub fn position(&self, index: usize) -> Vector3 {
        each_axis(|axis| self.positions[axis][index])
    }

    /// The velocity of an individual (Q14 of a cell a step), by its index.
    #[inline(always)]
    pub fn velocity(&self, index: usize) -> Vector3 {
        each_axis(|axis| self.velocities[axis][index])
    }

    /// A copy with the individuals in ascending order of their numbers.
    pub fn in_order(&self) -> Self {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_unstable_by_key(|index| self.numbers[*index]);
        let pick = |from: &Vec<i32>| order.iter().map(|index| from[*index]).collect();
        Self {
            numbers: order.iter().map(|index| self.numbers[*index]).collect(),
            positions: self.positions.each_ref().map(pick),
            velocities: self.velocities.each_ref().map(pick),
            lives: Box::new(self.lives.each_ref().map(|list| if list.is_empty() { Vec::new() } else { pick(list) })),
        }
    }

    /// [`Self::hash_with`] for a world without columns.
    pub fn hash(&self) -> String {
        self.hash_with(&WorldColumns::default())
    }

    /// The BLAKE3 hash of the individuals and the columns of their world, in hex (`docs/formats.md, State hash`).
    ///
    /// The hashed bytes are the number of individuals as u64, then the position and the velocity of each as three i32,
    /// in ascending order of numbers. All are little-endian. Lives, if there are any, and the columns of the world
    /// follow. Their order is the field `WorldColumn::place`, and lives have place 3.
    pub fn hash_with(&self, columns: &WorldColumns) -> String {
        let ordered = self.in_order();
        let mut hasher = blake3::Hasher::new();
        hasher.update(&(self.len() as u64).to_le_bytes());
        for index in 0..ordered.len() {
            for component in [ordered.position(index), ordered.velocity(index)].as_flattened() {
                hasher.update(&component.to_le_bytes());
            }
        }
        let (before, after): (Vec<_>, Vec<_>) = columns.hashed().partition(|(place, _)| *place < LIVES_PLACE);
        before.iter().for_each(|(_, bytes)| _ = hasher.update(bytes));
        if ordered.has_lives() {
            hasher.update(b"LIVES\0\0");
            let words = (0..ordered.len()).flat_map(|index| ordered.lives.each_ref().map(|list| list[index]));
            words.for_each(|word| _ = hasher.update(&word.to_le_bytes()));
        }
        after.iter().for_each(|(_, bytes)| _ = hasher.update(bytes));
        hasher.finalize().to_hex().to_string()
    }

    /// Shortens all velocities that are longer than `most` (Q14 of a cell a step).
    pub fn slow_down(&mut self, most: i32) {
        for index in 0..self.len() {
            let velocity = vector::limit_length(self.velocity(index), most);
            for axis in 0..3 {
                self.velocities[axis][index] = velocity[axis];
            }
        }
    }

    /// Moves the individuals for which `is_taken` returns true to `taken`. `is_taken` is called with all individuals
    /// and the index of one, once for each index.
    pub fn take(&mut self, mut is_taken: impl FnMut(&Self, usize) -> bool, taken: &mut Self) {
        // Usually no individual is taken, and nothing moves.
        let Some(first) = (0..self.len()).find(|index| is_taken(self, *index)) else { return };
        taken.push_from(self, first);
        let mut kept = first;
        for index in first + 1..self.len() {
            if is_taken(self, index) {
                taken.push_from(self, index);
                continue;
            }
            self.numbers[kept] = self.numbers[index];
            for list in self.columns_mut() {
                if let Some(value) = list.get(index).copied() {
                    list[kept] = value;
                }
            }
            kept += 1;
        }
        self.truncate(kept);
    }

    /// Converts positions to a window that has moved by this number of cells along each axis. Individuals outside of
    /// the new window move to its edge.
    pub fn move_window(&mut self, cells: Vector3, space: &Space) {
        for axis in 0..3 {
            let by = cells[axis] << PLACE_BITS;
            let last = ((space.extents[axis] as i32) << PLACE_BITS) - 1;
            self.positions[axis].iter_mut().for_each(|place| *place = (*place - by).clamp(0, last));
        }
    }

    /// Moves each individual that is in rock to the middle of the nearest free cell. If several cells are nearest, the
    /// first is taken. Returns the number of moved individuals. Does nothing without a gap field or a free cell.
    pub fn free_from_rock(&mut self, habitat: &Habitat) -> usize {
        let Some(field) = habitat.gap_field() else { return 0 };
        let is_free = |index: usize| field.gaps[index] > 0;
        let mut moved = 0;
        for index in 0..self.len() {
            let place = self.position(index);
            if habitat.gap(place) >= 0 {
                continue;
            }
            let from = each_axis(|axis| place[axis] >> PLACE_BITS);
            let Some(cell) = nearest_free(field.extents, field.edges, from, is_free) else { return moved };
            for axis in 0..habitat.space.axes() {
                self.positions[axis][index] = (cell[axis] << PLACE_BITS) + (1 << (PLACE_BITS - 1));
            }
            moved += 1;
        }
        moved
    }

    /// The number of individuals and the sum of their positions, from which the mean position follows.
    pub fn place_sums(&self) -> PlaceSums {
        PlaceSums::from_places((0..self.len()).map(|index| self.position(index)))
    }

    /// Removes all individuals.
    pub fn clear(&mut self) {
        self.truncate(0);
    }

    /// Appends copies of all individuals of `others`.
    pub fn append(&mut self, others: &Self) {
        self.numbers.extend_from_slice(&others.numbers);
        self.columns_mut().zip(others.columns()).for_each(|(list, more)| list.extend_from_slice(more));
    }
}
