//! The columns of the world: lists of values that a swarm has in addition to its boids, such as falcons or food.
//!
//! Each subject, such as falcons, declares a [`WorldColumn`], which describes its values. Copies, hashes, checkpoints,
//! undo and moves of the window of an endless world then loop over all columns.

use super::Entry;
use crate::numbers::Vector3;
use crate::ticket::reading;
use crate::world::{Space, World};
use bytemuck::{AnyBitPattern, NoUninit};

/// The description of a column of the world: a list of values, each of a fixed number of 32-bit words.
#[derive(Debug)]
pub struct WorldColumn {
    /// The unique name of the column, also in checkpoints.
    pub name: &'static str,
    /// The number of 32-bit words of a value.
    pub words: usize,
    /// The number of words of a value, from the first on, that the hash of a state includes. All other words are 0.
    pub hashed: usize,
    /// The position of the column in the hash of a state. Columns with lower numbers come first. Boids have place 0,
    /// and the lives of individuals have place 3.
    pub place: u8,
    /// The bytes that precede the values in the hash of a state.
    pub tag: &'static [u8],
    /// Whether the number of values (as u32) follows the tag in the hash of a state.
    pub is_counted: bool,
    /// The entry of the account whose amount is the sum of all words; `None`: the column is not in the account.
    pub present: Option<Entry>,
    /// Returns whether these words are a valid value in a world. Checkpoints with invalid values are refused.
    pub is_possible: fn(&[u32], &World, &Space) -> bool,
    /// Adjusts the words of a value when the window of an endless world moves by a number of cells along each axis.
    pub move_window: fn(&mut [u32], Vector3, &Space),
}

reading! {
    engine
    /// The present columns of the world.
    ColumnsReading -> WorldColumns
}

/// The column with the first cell of an endless world's window: one value of three i64, in cells from the world's
/// origin.
pub static ORIGIN: WorldColumn = WorldColumn {
    name: "origin",
    words: 6,
    hashed: 6,
    place: 2,
    tag: b"ORIGIN\0",
    is_counted: false,
    present: None,
    is_possible: |words, world, _| world.window.is_some_and(|window| window.reaches(origin_of(words))),
    move_window: |words, cells, _| {
        let origin = origin_of(words);
        let moved = [0, 1, 2].map(|axis| origin[axis] + i64::from(cells[axis]));
        words.copy_from_slice(bytemuck::cast_slice(&moved));
    },
};

fn origin_of(words: &[u32]) -> [i64; 3] {
    [0, 2, 4].map(|word| (u64::from(words[word]) | u64::from(words[word + 1]) << 32) as i64)
}

/// The columns of the world of a swarm, each with its words, in ascending order of [`WorldColumn::place`]. Columns
/// without values are left out.
#[derive(Debug, Clone, Default)]
pub struct WorldColumns(Vec<(&'static WorldColumn, Vec<u32>)>);

impl PartialEq for WorldColumns {
    fn eq(&self, other: &Self) -> bool {
        self.iter()
            .map(|(column, words)| (column.name, words))
            .eq(other.iter().map(|(column, words)| (column.name, words)))
    }
}

impl Eq for WorldColumns {}

impl FromIterator<(&'static WorldColumn, Vec<u32>)> for WorldColumns {
    fn from_iter<I: IntoIterator<Item = (&'static WorldColumn, Vec<u32>)>>(columns: I) -> Self {
        columns.into_iter().fold(Self::default(), |all, (row, words)| all.with(row, words))
    }
}

impl WorldColumns {
    /// Each column that has values, with its words.
    pub fn iter(&self) -> impl Iterator<Item = (&'static WorldColumn, &[u32])> {
        self.0.iter().map(|(column, words)| (*column, &**words))
    }

    /// The words of a column; empty if the column has no values.
    pub fn words(&self, column: &WorldColumn) -> &[u32] {
        self.named(column.name)
    }

    /// The words of the column with a name; empty if the column has no values.
    pub fn named(&self, name: &str) -> &[u32] {
        self.iter().find(|(own, _)| own.name == name).map_or(&[], |(_, words)| words)
    }

    /// The mutable words of a column; empty if the column has no values.
    pub fn words_mut(&mut self, column: &WorldColumn) -> &mut [u32] {
        self.0.iter_mut().find(|(own, _)| own.name == column.name).map_or(&mut [], |(_, words)| words)
    }

    /// The values of a column. The size of `T` must be [`WorldColumn::words`] words.
    pub fn values<T: AnyBitPattern>(&self, column: &WorldColumn) -> &[T] {
        bytemuck::cast_slice(self.words(column))
    }

    /// The mutable values of a column. The size of `T` must be [`WorldColumn::words`] words.
    pub fn values_mut<T: AnyBitPattern + NoUninit>(&mut self, column: &WorldColumn) -> &mut [T] {
        bytemuck::cast_slice_mut(self.words_mut(column))
    }

    /// Replaces the words of a column. The column is removed if `words` is empty.
    pub fn set(&mut self, column: &'static WorldColumn, words: Vec<u32>) {
        self.0.retain(|(own, _)| own.name != column.name);
        if !words.is_empty() {
            let place = self.0.partition_point(|(own, _)| own.place < column.place);
            self.0.insert(place, (column, words));
        }
    }

    /// [`Self::set`] that returns the columns.
    pub fn with(mut self, column: &'static WorldColumn, words: Vec<u32>) -> Self {
        self.set(column, words);
        self
    }

    /// Sets the first cell of an endless world's window, in cells; `None`: the world has edges.
    pub fn with_origin(self, origin: Option<[i64; 3]>) -> Self {
        self.with(&ORIGIN, origin.map_or(Vec::new(), |origin| bytemuck::cast_slice(&origin).to_vec()))
    }

    /// The first cell of an endless world's window, in cells from the world's origin; `None`: the world has edges.
    pub fn origin(&self) -> Option<[i64; 3]> {
        self.words(&ORIGIN).first_chunk::<6>().map(|words| origin_of(words))
    }

    /// Adjusts all values when the window of an endless world moves by this number of cells along each axis.
    pub fn move_window(&mut self, cells: Vector3, space: &Space) {
        for (column, words) in &mut self.0 {
            words.chunks_exact_mut(column.words).for_each(|value| (column.move_window)(value, cells, space));
        }
    }

    /// The first column with a value that is not valid in this world; `None`: all values are valid.
    pub fn impossible(&self, world: &World, space: &Space) -> Option<&'static WorldColumn> {
        let is_possible = |(column, words): &(&WorldColumn, &[u32])| {
            words
                .chunks(column.words)
                .all(|value| value.len() == column.words && (column.is_possible)(value, world, space))
        };
        self.iter().find(|column| !is_possible(column)).map(|(column, _)| column)
    }

    /// Iterates over the columns with an entry in the account. An item is the entry and the sum of the column's words.
    pub fn present(&self) -> impl Iterator<Item = (Entry, u64)> {
        self.iter().filter_map(|(row, words)| Some((row.present?, words.iter().map(|word| u64::from(*word)).sum())))
    }

    /// The [`WorldColumn::place`] of each column, with its bytes in the hash of a state.
    pub(super) fn hashed(&self) -> impl Iterator<Item = (u8, Vec<u8>)> {
        self.iter().map(|(column, words)| {
            let count = (words.len() / column.words) as u32;
            let count = column.is_counted.then(|| count.to_le_bytes());
            let values = words.chunks_exact(column.words).flat_map(|value| &value[..column.hashed]);
            let bytes = values.flat_map(|word| word.to_le_bytes());
            (column.place, column.tag.iter().copied().chain(count.into_iter().flatten()).chain(bytes).collect())
        })
    }
}
