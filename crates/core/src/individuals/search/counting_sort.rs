//! A counting sort of individuals by their cells, on all threads.

use crate::parallel::*;
use crate::state::PART;
use std::ops::Range;

/// The least number of individuals that a thread sorts, if there are several threads.
const MIN_SHARE: usize = 1 << 15;

/// A range of cells, and the individuals in it.
struct CellRange<'a> {
    /// The first of the cells.
    first: u32,
    /// While individuals are counted: their number in each cell. While they are sorted: the place in `order` of the
    /// next individual of each cell.
    places: &'a mut [u32],
    /// The indices of the individuals, sorted by cell.
    order: &'a mut [u32],
    /// The number of individuals in all ranges before this range.
    before: u32,
}

/// The cell of each individual, and for each part of this list ([`PART`] individuals) the range of its cells.
struct Parts<'a> {
    cells: &'a [u32],
    spans: Vec<Range<u32>>,
}

/// Sorts the indices of individuals by their cells. Individuals of one cell keep their order. `starts` gets the first
/// place of each cell, followed by the number of individuals. `order` is as long as `cells`.
pub fn sort_by_cell(cells: &[u32], starts: &mut [u32], order: &mut [u32]) {
    sort_in_ranges(cells, starts, order, thread_count().min(cells.len() / MIN_SHARE).max(1));
}

/// Sorts as [`sort_by_cell`] does, with the cells divided into `count` ranges. One thread sorts each range. It skips
/// the parts of the list `cells` that hold no cell of its range. After a step most individuals are still in order. So
/// all threads together read the list about once for counting and about once for sorting.
fn sort_in_ranges(cells: &[u32], starts: &mut [u32], order: &mut [u32], count: usize) {
    let parts = Parts { cells, spans: cells.par_chunks(PART).map(span).collect() };
    let (last, mut places) = starts.split_last_mut().expect("there is a place after the last cell");
    *last = cells.len() as u32;
    // If the individuals are in order already, the ranges have equal numbers of individuals.
    let mut ends: Vec<usize> = (1..count).map(|range| cells[range * cells.len() / count] as usize).collect();
    ends.sort_unstable();
    ends.push(places.len());
    let mut ranges = Vec::with_capacity(count);
    let mut first = 0;
    for end in ends {
        let own = places.split_off_mut(..end - first).expect("ranges are in order");
        ranges.push(CellRange { first: first as u32, places: own, order: &mut [], before: 0 });
        first = end;
    }
    let totals: Vec<usize> = ranges.par_chunks_mut(1).map(|range| range[0].count(&parts)).collect();
    assert_eq!(totals.iter().sum::<usize>(), cells.len(), "each individual is in one range");
    let mut order = order;
    let mut before = 0;
    for (range, total) in ranges.iter_mut().zip(totals) {
        range.order = order.split_off_mut(..total).expect("each individual is in one range");
        range.before = before;
        before += total as u32;
    }
    ranges.par_chunks_mut(1).for_each(|range| range[0].sort(&parts));
}

/// The range from the least to the greatest cell of a list.
fn span(cells: &[u32]) -> Range<u32> {
    let (mut least, mut end) = (u32::MAX, 0);
    for cell in cells {
        (least, end) = (least.min(*cell), end.max(*cell + 1));
    }
    least..end
}

impl CellRange<'_> {
    /// Calls a function for each individual of the range. The function gets the entry of `places` for the cell of the
    /// individual, the index of the individual, and `order`.
    #[inline(always)]
    fn for_each_individual(&mut self, parts: &Parts<'_>, each: impl Fn(&mut u32, usize, &mut [u32])) {
        let end = self.first + self.places.len() as u32;
        for (part, (cells, span)) in parts.cells.chunks(PART).zip(&parts.spans).enumerate() {
            if span.start >= end || span.end <= self.first {
                continue;
            }
            for (index, cell) in (part * PART..).zip(cells) {
                if let Some(place) = self.places.get_mut(cell.wrapping_sub(self.first) as usize) {
                    each(place, index, self.order);
                }
            }
        }
    }

    /// Counts the individuals, and sets `places` to the first place of each cell within the range.
    fn count(&mut self, parts: &Parts<'_>) -> usize {
        self.places.fill(0);
        self.for_each_individual(parts, |count, _, _| *count += 1);
        let mut sum = 0;
        for place in &mut *self.places {
            (sum, *place) = (sum + *place, sum);
        }
        sum as usize
    }

    /// Sorts the individuals. Afterwards `places` has the first place of each cell among all individuals.
    fn sort(&mut self, parts: &Parts<'_>) {
        self.for_each_individual(parts, |place, index, order| {
            order[*place as usize] = index as u32;
            *place += 1;
        });
        // The place of each cell has moved to its end, which is the first place of the next cell.
        let mut start = self.before;
        for place in &mut *self.places {
            (start, *place) = (self.before + *place, start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::random::hash;

    /// Compares the order and the starts with the results of another method.
    fn check(cells: &[u32], bins: usize, ranges: usize) {
        let (mut starts, mut order) = (vec![7; bins + 1], vec![7; cells.len()]);
        sort_in_ranges(cells, &mut starts, &mut order, ranges);
        let mut expected: Vec<u32> = (0..cells.len() as u32).collect();
        expected.sort_by_key(|index| cells[*index as usize]);
        assert_eq!(order, expected, "{bins} cells, {ranges} ranges");
        let first = |bin: usize| cells.iter().filter(|cell| (**cell as usize) < bin).count() as u32;
        assert_eq!(starts, (0..=bins).map(first).collect::<Vec<_>>());
    }

    #[test]
    fn any_number_of_ranges_gives_the_same_order() {
        let random = |count: u32, bins: u32| -> Vec<u32> { (0..count).map(|index| hash(index) % bins).collect() };
        for ranges in [1, 2, 3, 7] {
            for bins in [1, 2, 40] {
                check(&random(50_000, bins), bins as usize, ranges);
            }
            let mut near_order = random(40_000, 30);
            near_order.sort_unstable();
            near_order.swap(3, 39_990);
            check(&near_order, 30, ranges);
            check(&[5; 20_000], 9, ranges);
        }
        check(&[], 12, 1);
    }
}
