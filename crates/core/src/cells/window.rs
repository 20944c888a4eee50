//! The staged rows that sums over sights are made from. The perceived density and the momentum of the rows in reach are
//! computed once for all rules.

/// The number of quantities that are staged of a cell: p, p·V_x and p·V_y. p is the perceived density, and V the
/// control vector (Q10).
pub const QUANTITIES: usize = 3;

/// The staged rows around the current row, for a range of columns and the cells in reach on either side.
///
/// The rows form a ring: when the current row advances, the new lowest row replaces the highest one.
pub struct Window<'a> {
    pub words: &'a mut [i32],
    /// The number of words of one quantity in a row.
    pub width: usize,
    /// The number of cells staged on either side of the columns.
    pub margin: usize,
    pub reach: i32,
    /// The slot of the current row in the ring.
    slot: i32,
}

/// Cells staged on either side of the columns: the reach, rounded up to whole vector registers.
pub fn margin(reach: i32) -> usize {
    (reach as usize).next_multiple_of(16)
}

/// The number of rows in the ring: the rows in reach, and the row above them, which sliding sums subtract.
#[inline(always)]
fn rows(reach: i32) -> i32 {
    2 * reach + 2
}

impl<'a> Window<'a> {
    /// The words of a window on this number of columns.
    pub fn words(columns: usize, reach: i32) -> usize {
        rows(reach) as usize * QUANTITIES * (columns + 2 * margin(reach))
    }

    /// A window on this number of columns.
    pub fn new(words: &'a mut [i32], columns: usize, reach: i32) -> Self {
        Self { words, width: columns + 2 * margin(reach), margin: margin(reach), reach, slot: 0 }
    }

    /// Makes the next row the current one.
    pub fn shift(&mut self) {
        self.slot = (self.slot + 1) % rows(self.reach);
    }

    /// The three quantities of a row, from the first staged cell on. `row` is counted from the current row.
    #[inline(always)]
    pub fn row(&self, row: i32) -> [&[i32]; QUANTITIES] {
        let place = self.place(-(self.margin as i32), row);
        let words = &self.words[place..][..QUANTITIES * self.width];
        let (p, rest) = words.split_at(self.width);
        let (momentum_x, momentum_y) = rest.split_at(self.width);
        [p, momentum_x, momentum_y]
    }

    /// The index of a cell's first quantity. `column` is counted from the first column; `row` from the current row,
    /// -reach - 1 to reach. The other quantities follow at distances of `width`.
    #[inline(always)]
    pub fn place(&self, column: i32, row: i32) -> usize {
        let (count, slot) = (rows(self.reach), self.slot + row);
        // No row is more than one round of the ring away, so an addition replaces a division. On small lattices the
        // division took a tenth of the time of a step.
        let slot = if slot < 0 { slot + count } else { slot };
        let slot = if slot >= count { slot - count } else { slot };
        slot as usize * QUANTITIES * self.width + (self.margin as i32 + column) as usize
    }
}
