//! A table of the places where all cells around have one capacity. There kernels need not read capacities.

use crate::lanes::MAX_LANES;
use crate::state::fields::{FieldView, Layout, Row};
use std::ops::Range;

/// The cells of a chunk.
const CHUNK: i32 = MAX_LANES as i32;

/// The capacity of each chunk, if all of its cells and their neighbours have the same one.
///
/// A chunk is [`MAX_LANES`] cells of a row. Each row has one more chunk on either side, and there is one more row and
/// slice on either side, for the cells next to the lattice.
#[derive(Debug, Default)]
pub struct UniformCapacities {
    /// The capacity of each chunk: chunk by chunk of a row, row by row, then slice by slice. 0: the capacities differ,
    /// or all cells are solid.
    capacities: Vec<u32>,
    chunks: usize,
    /// The number of rows of a slice, including one more on either side.
    rows: usize,
    /// The number of slices of the table before the first slice of the lattice: 1 in a deep world, else 0.
    slices_before: i32,
}

impl UniformCapacities {
    /// The table for a field of capacities.
    pub fn new(layout: &Layout, capacity: FieldView<'_>) -> Self {
        let (height, width) = (layout.extents.height as i32, layout.extents.width as i32);
        let slices_before = i32::from(layout.extents.depth.is_some());
        let slices = -slices_before..layout.extents.slices() as i32 + slices_before;
        let chunks = (width as usize).div_ceil(MAX_LANES) + 2;
        // `of_rows` has the capacity of each chunk alone. It has one row and slice more on either side than the table.
        let around = |range: &Range<i32>, by: i32| range.start - by..range.end + by;
        let own_rows = -1..height + 1;
        let mut of_rows = Vec::new();
        for z in around(&slices, slices_before) {
            for y in around(&own_rows, 1) {
                of_rows.extend((0..chunks).map(|chunk| uniform_capacity(capacity, [y, z], chunk as i32 - 1, width)));
            }
        }
        let rows = own_rows.len();
        let place = |[y, z]: Row, chunk: usize| {
            ((z + 2 * slices_before) as usize * (rows + 2) + (y + 2) as usize) * chunks + chunk
        };
        let mut capacities = Vec::with_capacity(slices.len() * rows * chunks);
        for z in slices {
            for y in own_rows.clone() {
                for chunk in 0..chunks {
                    let own = of_rows[place([y, z], chunk)];
                    let is_uniform = (z - slices_before..=z + slices_before)
                        .all(|z| (y - 1..=y + 1).all(|y| of_rows[place([y, z], chunk)] == own));
                    capacities.push(if is_uniform { own } else { 0 });
                }
            }
        }
        Self { capacities, chunks, rows, slices_before }
    }

    /// The capacity that `count` cells of a row from x on and all their neighbours have. 0 if it differs among them or
    /// is not known. x and the row lie on the lattice or next to it. `count` ≤ [`MAX_LANES`].
    #[inline(always)]
    pub fn around(&self, x: i32, count: usize, [y, z]: Row) -> u32 {
        let row = ((z + self.slices_before) as usize * self.rows + (y + 1) as usize) * self.chunks;
        let (first, last) = (self.chunk(row, x), self.chunk(row, x + count as i32 - 1));
        if first == last { first } else { 0 }
    }

    /// The entry of the chunk of a cell; 0 in an empty table.
    #[inline(always)]
    fn chunk(&self, row: usize, x: i32) -> u32 {
        let chunk = Ord::min(((x + CHUNK) / CHUNK) as usize, self.chunks.wrapping_sub(1));
        self.capacities.get(row.wrapping_add(chunk)).copied().unwrap_or(0)
    }
}

/// The capacity that the cells of a chunk and the cells on either side of it have; 0 if it differs. Of the cells beyond
/// the lattice, only the nearest ones count.
fn uniform_capacity(capacity: FieldView<'_>, row: Row, chunk: i32, width: i32) -> u32 {
    let first = Ord::max(chunk * CHUNK, -1).min(width);
    let last = Ord::min(chunk * CHUNK + CHUNK - 1, width);
    let cells = capacity.span_of(first - 1, row, (last - first) as usize + 3);
    if cells.iter().all(|cell| *cell == cells[0]) { cells[0] } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::fields::{Field, Texel};
    use crate::world::{Edges, Extents};

    /// Each answer is 0 or correct. It is not 0 if all cells of the chunks and their neighbours have one capacity.
    #[test]
    fn a_capacity_is_uniform_where_all_cells_and_neighbours_have_it() {
        let mut random = crate::numbers::random::generator(5, 3);
        for extents in [Extents::flat(100, 9), Extents::flat(64, 3), Extents::flat(7, 1), Extents::deep(70, 5, 4)] {
            for edges in [Edges::Torus, Edges::Walls] {
                let layout = Layout::new(extents, edges, 1);
                let mut cells = vec![7; extents.cells()];
                for _ in 0..3 {
                    cells[random.below(extents.cells() as u64) as usize] = random.below(3) as u32;
                }
                let deep = i32::from(extents.depth.is_some());
                let mut field = match deep {
                    0 => Field::new(layout, Texel::Amount).unwrap(),
                    _ => Field::with_shared_rows(layout),
                };
                field.load(&cells);
                let (uniform, view) = (UniformCapacities::new(&layout, field.view()), field.view());
                let width = extents.width as i32;
                let capacity_of = |first: i32, last: i32, [y, z]: Row| {
                    let rows = (z - deep..=z + deep).flat_map(|z| (y - 1..=y + 1).map(move |y| [y, z]));
                    let mut all = rows.flat_map(|row| view.span_of(first, row, (last - first) as usize + 1));
                    let own = *all.next().unwrap();
                    if all.all(|cell| *cell == own) { own } else { 0 }
                };
                for z in -deep..extents.slices() as i32 + deep {
                    for y in -1..=extents.height as i32 {
                        for x in -1..=width {
                            for count in [1, 4, 16, 32] {
                                let last = x + count - 1;
                                let found = uniform.around(x, count as usize, [y, z]);
                                let exact = capacity_of(x - 1, Ord::min(last, width) + 1, [y, z]);
                                assert!(found == 0 || found == exact, "{x} {y} {z}: {found}, {exact}");
                                let chunks = [x, last].map(|x| x.div_euclid(CHUNK) * CHUNK);
                                let first = Ord::max(chunks[0], -1) - 1;
                                let certain = capacity_of(first, Ord::min(chunks[1] + CHUNK - 1, width) + 1, [y, z]);
                                assert!(certain == 0 || found == certain, "{x} {y} {z}: {found}, {certain}");
                            }
                        }
                    }
                }
            }
        }
    }
}
