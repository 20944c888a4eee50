//! The history of a run for curves: measures over the whole run, in a limited number of bins or rows. A row has the
//! values of all measures at a step.

use std::sync::Arc;

/// The maximum number of bins of a [`MeasureHistory`]. At this number, pairs of bins are merged.
const MAX_BINS: usize = 2048;
/// The maximum number of rows of a [`RowHistory`]. Beyond this number, every other row is removed.
const MAX_ROWS: usize = 1000;

/// Statistics of a measure over consecutive rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    least: f64,
    greatest: f64,
    sum: f64,
    count: u32,
}

impl Summary {
    /// The summary of a single row. `value`: the value of the measure; `None`: not measured.
    fn from_value(value: Option<f64>) -> Self {
        match value.filter(|value| value.is_finite()) {
            Some(value) => Self { least: value, greatest: value, sum: value, count: 1 },
            None => Self { least: f64::INFINITY, greatest: f64::NEG_INFINITY, sum: 0.0, count: 0 },
        }
    }

    fn joined(self, other: Self) -> Self {
        Self {
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
            sum: self.sum + other.sum,
            count: self.count + other.count,
        }
    }

    /// The mean, the minimum and the maximum; `None`: no row has a value.
    pub fn values(&self) -> Option<[f64; 3]> {
        (self.count > 0).then(|| [self.sum / f64::from(self.count), self.least, self.greatest])
    }
}

/// Consecutive rows, of which only a summary of each measure is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Bin {
    /// The steps of the first and the last row.
    pub steps: [u64; 2],
    rows: u32,
    /// The summary of each measure, in the order of the measures.
    summaries: Vec<Summary>,
}

impl Bin {
    /// The middle of the bin, in steps.
    pub fn step(&self) -> f64 {
        (self.steps[0] as f64 + self.steps[1] as f64) / 2.0
    }

    /// The mean, the minimum and the maximum of the measure with an index; `None`: no row has a value.
    pub fn values(&self, measure: usize) -> Option<[f64; 3]> {
        self.summaries.get(measure)?.values()
    }

    fn join(&mut self, next: &Self) {
        self.steps[1] = next.steps[1];
        self.rows += next.rows;
        self.summaries.iter_mut().zip(&next.summaries).for_each(|(own, next)| *own = own.joined(*next));
    }
}

/// The histories of several measures over the whole run of a scene, in at most `MAX_BINS` bins.
#[derive(Debug, Clone, Default)]
pub struct MeasureHistory {
    names: Vec<String>,
    bins: Vec<Bin>,
    /// The number of rows in a full bin, a power of two.
    rows_a_bin: u32,
    /// The value of each measure in the last row.
    last: Vec<Option<f64>>,
    scene: u64,
}

impl MeasureHistory {
    /// Adds a row: the names and values of all measures at a step. A second row of the last step replaces the first row
    /// if that row has a bin of its own. Otherwise the second row is ignored.
    pub fn update(&mut self, scene: u64, step: u64, row: Vec<(String, Option<f64>)>) {
        let (names, values): (Vec<String>, Vec<Option<f64>>) = row.into_iter().unzip();
        let last = self.bins.last().map(|bin| bin.steps[1]);
        // A restart or an undo begins a new history.
        if scene != self.scene || names != self.names || last.is_some_and(|last| last > step) {
            *self = Self { names, scene, rows_a_bin: 1, ..Self::default() };
        }
        let summaries = values.iter().copied().map(Summary::from_value).collect();
        let bin = Bin { steps: [step; 2], rows: 1, summaries };
        self.last = values;
        match self.bins.last_mut() {
            Some(last) if last.steps[1] == step => {
                if last.rows == 1 {
                    *last = bin;
                }
                return;
            }
            Some(last) if last.rows < self.rows_a_bin => return last.join(&bin),
            _ => {}
        }
        if self.bins.len() == MAX_BINS {
            self.halve();
        }
        match self.bins.last_mut() {
            Some(last) if last.rows < self.rows_a_bin => last.join(&bin),
            _ => self.bins.push(bin),
        }
    }

    /// Merges pairs of neighbouring bins, which halves the number of bins.
    fn halve(&mut self) {
        let join = |pair: &[Bin]| {
            let mut joined = pair[0].clone();
            pair[1..].iter().for_each(|next| joined.join(next));
            joined
        };
        self.bins = self.bins.chunks(2).map(join).collect();
        self.rows_a_bin *= 2;
    }

    /// A copy of the history with at most `most` bins.
    pub fn thinned(&self, most: usize) -> Self {
        let mut thinned = self.clone();
        while thinned.bins.len() > most.max(1) {
            thinned.halve();
        }
        thinned
    }

    /// The measures that have a value in some row: their indices and names.
    pub fn measures(&self) -> impl Iterator<Item = (usize, &str)> {
        let has_values = |index: &usize| self.bins.iter().any(|bin| bin.values(*index).is_some());
        (0..self.names.len()).filter(has_values).map(|index| (index, self.names[index].as_str()))
    }

    /// The index of the measure with a name; `None`: there is no such measure.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|own| own == name)
    }

    /// The bins, in the order of their steps.
    pub fn bins(&self) -> &[Bin] {
        &self.bins
    }

    /// The value of the measure with an index in the last row; `None`: not measured.
    pub fn last(&self, measure: usize) -> Option<f64> {
        self.last.get(measure).copied().flatten()
    }

    /// Whether a bin contains several rows, because the run is long.
    pub fn is_thinned(&self) -> bool {
        self.rows_a_bin > 1
    }
}

/// At most `MAX_ROWS` of the rows of the whole run of a scene: every n-th row that was added.
pub struct RowHistory<T> {
    rows: Vec<Arc<T>>,
    last: Option<(u64, Arc<T>)>,
    /// The number of rows that were added.
    seen: usize,
    /// The number of added rows for each stored row.
    every: usize,
    scene: u64,
}

impl<T> Default for RowHistory<T> {
    fn default() -> Self {
        Self { rows: Vec::new(), last: None, seen: 0, every: 1, scene: 0 }
    }
}

impl<T> RowHistory<T> {
    /// Adds a row at a step. If the last row has the same step, the new row replaces it as the last row, but not among
    /// the stored rows.
    pub fn update(&mut self, scene: u64, step: u64, row: &Arc<T>) {
        let last = self.last.as_ref().map(|(step, _)| *step);
        if scene != self.scene || last.is_some_and(|last| last > step) {
            *self = Self { scene, ..Self::default() };
        }
        self.last = Some((step, row.clone()));
        if last == Some(step) && self.seen > 0 {
            return;
        }
        if self.seen.is_multiple_of(self.every) {
            self.rows.push(row.clone());
        }
        self.seen += 1;
        if self.rows.len() > MAX_ROWS {
            let mut index = 0;
            self.rows.retain(|_| (index += 1, index % 2 == 1).1);
            self.every *= 2;
        }
    }

    /// The last row.
    pub fn last(&self) -> Option<&Arc<T>> {
        self.last.as_ref().map(|(_, row)| row)
    }

    /// At most `most` of the stored rows, at equal distances and in order, beginning with the first row of the run.
    pub fn thinned(&self, most: usize) -> impl Iterator<Item = &T> {
        self.rows.iter().step_by(self.rows.len().div_ceil(most).max(1)).map(|row| &**row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(value: Option<f64>) -> Vec<(String, Option<f64>)> {
        vec![("a".into(), value), ("b".into(), None)]
    }

    #[test]
    fn a_long_run_keeps_its_extremes_in_a_bounded_number_of_points() {
        let mut history = MeasureHistory::default();
        let steps = 10 * MAX_BINS as u64 + 3;
        for step in 0..steps {
            let value = if step == 7777 { 1e6 } else { (step % 10) as f64 };
            history.update(1, step, row(Some(value)));
        }
        let bins = history.bins();
        assert!((MAX_BINS / 2..=MAX_BINS).contains(&bins.len()) && history.is_thinned());
        assert_eq!((bins[0].steps[0], bins[bins.len() - 1].steps[1]), (0, steps - 1));
        assert!(bins.windows(2).all(|pair| pair[0].steps[1] + 1 == pair[1].steps[0]), "no row is lost");
        let greatest = bins.iter().filter_map(|bin| bin.values(0)).map(|[_, _, greatest]| greatest);
        assert_eq!(greatest.fold(0.0, f64::max), 1e6);
        let sum: f64 = bins.iter().map(|bin| bin.values(0).unwrap()[0] * f64::from(bin.rows)).sum();
        let exact: f64 = (0..steps).map(|step| if step == 7777 { 1e6 } else { (step % 10) as f64 }).sum();
        assert!((sum - exact).abs() < 1e-6 * exact);
        assert_eq!(history.last(0), Some(((steps - 1) % 10) as f64));
        let few = history.thinned(100);
        assert!(few.bins().len() <= 100 && few.bins()[0].steps[0] == 0);
        assert_eq!(few.bins().iter().filter_map(|bin| bin.values(0)).map(|[.., most]| most).fold(0.0, f64::max), 1e6);
    }

    #[test]
    fn a_row_of_the_same_step_replaces_it_and_an_earlier_one_begins_anew() {
        let mut history = MeasureHistory::default();
        history.update(1, 0, row(Some(1.0)));
        history.update(1, 5, row(Some(2.0)));
        history.update(1, 5, row(Some(3.0)));
        assert_eq!(
            history.bins().iter().map(|bin| bin.values(0)).collect::<Vec<_>>(),
            [Some([1.0; 3]), Some([3.0; 3])]
        );
        assert_eq!(history.measures().map(|(_, name)| name).collect::<Vec<_>>(), ["a"], "nobody has a value of b");
        history.update(1, 4, row(None));
        assert_eq!((history.bins().len(), history.last(0), history.measures().count()), (1, None, 0));
        history.update(2, 9, row(Some(f64::NAN)));
        assert_eq!((history.bins().len(), history.bins()[0].values(0)), (1, None));
    }

    #[test]
    fn rows_stay_at_equal_distances() {
        let mut history = RowHistory::default();
        for step in 0..5000u64 {
            history.update(1, step, &Arc::new(step));
        }
        let kept: Vec<u64> = history.thinned(usize::MAX).copied().collect();
        assert!(kept.len() <= MAX_ROWS && kept[0] == 0);
        let every = kept[1];
        assert!(kept.iter().enumerate().all(|(index, step)| *step == index as u64 * every), "{kept:?}");
        assert_eq!(history.last().map(|row| **row), Some(4999));
    }
}
