//! The record of a run: the hash of the last state, and the moments of each measure over the sampled steps.

use murmuration_core::text::readable::short;
use std::fmt::{self, Write};

/// The maximum number of decimals in [`with_error`].
const MAX_DECIMALS: f64 = 9.0;

/// The moments of a measure m over the samples of a run. ⟨…⟩ is the mean over the samples. Without samples all moments
/// are NaN.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    /// The number of samples in which the measure has a value.
    pub samples: u64,
    /// The mean ⟨m⟩.
    pub mean: f64,
    /// The standard deviation √⟨(m − ⟨m⟩)²⟩.
    pub deviation: f64,
    /// The second moment ⟨m²⟩.
    pub second: f64,
    /// The fourth moment ⟨m⁴⟩.
    pub fourth: f64,
}

/// The number of fields of [`Moments`] as text.
pub const FIELDS: usize = 5;

impl Moments {
    /// The moments of these samples.
    pub fn new(samples: &[f64]) -> Self {
        let mean_of = |value: &dyn Fn(f64) -> f64| match samples.len() {
            // 0 / 0 would be NaN too, but the sign of this NaN differs among builds. Arrays on the disk store the sign.
            0 => f64::NAN,
            count => samples.iter().map(|sample| value(*sample)).sum::<f64>() / count as f64,
        };
        let mean = mean_of(&|sample| sample);
        Self {
            samples: samples.len() as u64,
            mean,
            deviation: mean_of(&|sample| (sample - mean).powi(2)).sqrt(),
            second: mean_of(&|sample| sample.powi(2)),
            fourth: mean_of(&|sample| sample.powi(4)),
        }
    }

    /// Reads the fields of the text of [`Moments`]; `None`: the fields are not moments.
    pub fn from_fields(fields: &[&str]) -> Option<Self> {
        let [samples, rest @ ..] = fields else { return None };
        let samples = samples.parse().ok()?;
        let numbers: Vec<f64> = rest.iter().map(|field| field.parse().ok()).collect::<Option<_>>()?;
        let [mean, deviation, second, fourth] = numbers[..] else { return None };
        let is_sound = numbers.iter().all(|number| number.is_nan() == (samples == 0));
        is_sound.then_some(Self { samples, mean, deviation, second, fourth })
    }
}

impl fmt::Display for Moments {
    /// The fields with commas between them, so that they are read back bit for bit.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { samples, mean, deviation, second, fourth } = self;
        write!(f, "{samples},{mean:?},{deviation:?},{second:?},{fourth:?}")
    }
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The hash of the state after the last step.
    pub state_hash: String,
    /// The number of quanta that are missing by the account; negative if there are too many.
    pub lost: i64,
    /// The moments of every measure, in the order of the plan.
    pub measures: Vec<Moments>,
}

impl Record {
    /// The hash, the missing quanta and the moments as text, with commas between them.
    pub fn write(&self) -> String {
        let mut fields = format!("{},{}", self.state_hash, self.lost);
        for moments in &self.measures {
            let _ = write!(fields, ",{moments}");
        }
        fields
    }

    /// Reads the fields of the text of [`Self::write`]. `measures`: the number of measures. `None`: the fields are not
    /// a record.
    pub fn read(fields: &[&str], measures: usize) -> Option<Self> {
        let [state_hash, lost, rest @ ..] = fields else { return None };
        if rest.len() != FIELDS * measures || blake3::Hash::from_hex(state_hash).is_err() {
            return None;
        }
        let measures = rest.chunks(FIELDS).map(Moments::from_fields).collect::<Option<_>>()?;
        Some(Self { state_hash: (*state_hash).into(), lost: lost.parse().ok()?, measures })
    }
}

/// A summary of a measure m over the runs of a combination, which differ in their seeds. ⟨…⟩ is the mean over samples
/// and runs. Without samples all fields except `runs` are NaN.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// The number of runs in which the measure has a value.
    pub runs: u64,
    /// The mean of the means of the runs.
    pub mean: f64,
    /// The standard error of the mean: s/√n. n: the number of runs. s: the standard deviation of the means of the runs.
    /// NaN: fewer than two runs have a value.
    pub error: f64,
    /// The variance ⟨m²⟩ − ⟨m⟩² over samples and runs. The variance times the number of boids is the susceptibility.
    pub variance: f64,
    /// The Binder cumulant 1 − ⟨m⁴⟩ / (3 ⟨m²⟩²) over samples and runs.
    pub binder: f64,
}

impl Summary {
    /// The summary of the runs of a combination.
    pub fn new(runs: &[Moments]) -> Self {
        let runs: Vec<&Moments> = runs.iter().filter(|moments| moments.samples > 0).collect();
        let count = runs.len() as f64;
        let mean_of = |value: &dyn Fn(&Moments) -> f64| runs.iter().map(|run| value(run)).sum::<f64>() / count;
        let mean = mean_of(&|run| run.mean);
        let squares: f64 = runs.iter().map(|run| (run.mean - mean).powi(2)).sum();
        // A single run would give 0 / 0.
        let error = if runs.len() < 2 { f64::NAN } else { (squares / (count - 1.0) / count).sqrt() };
        let [second, fourth] = [mean_of(&|run| run.second), mean_of(&|run| run.fourth)];
        // The mean variance within a run plus the variance of the means of the runs. ⟨m²⟩ − ⟨m⟩² as the difference of
        // two large numbers would be inaccurate.
        let variance = mean_of(&|run| run.deviation.powi(2)) + squares / count;
        Self { runs: runs.len() as u64, mean, error, variance, binder: 1.0 - fourth / (3.0 * second * second) }
    }
}

/// A value with its standard error as text for users, such as `0.53 ± 0.12`. The error has two significant digits.
/// Without a value the text is `none`.
pub fn with_error([mean, error]: [f64; 2]) -> String {
    let decimals = 1.0 - error.log10().floor();
    match (mean.is_finite(), (0.0..=MAX_DECIMALS).contains(&decimals)) {
        (false, _) => "none".into(),
        (true, true) => format!("{mean:.0$} ± {error:.0$}", decimals as usize),
        (true, false) if error.is_finite() => format!("{} ± {}", short(mean), short(error)),
        (true, false) => short(mean),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_moments_of_a_few_samples_by_hand() {
        let of = Moments::new(&[1.0, 2.0, 3.0]);
        assert_eq!((of.samples, of.mean, of.second, of.fourth), (3, 2.0, 14.0 / 3.0, 98.0 / 3.0));
        assert!((of.deviation - (2.0f64 / 3.0).sqrt()).abs() < 1e-15);
        let none = Moments::new(&[]);
        assert_eq!((none.samples, [none.mean, none.fourth].map(f64::to_bits)), (0, [f64::NAN.to_bits(); 2]));
    }

    #[test]
    fn moments_are_read_back_bit_for_bit() {
        for samples in [&[0.1, 0.7, 1.0 / 3.0][..], &[5e-324, 1e300], &[-0.0], &[]] {
            let written = Moments::new(samples).to_string();
            let fields: Vec<&str> = written.split(',').collect();
            assert_eq!(fields.len(), FIELDS);
            assert_eq!(Moments::from_fields(&fields).unwrap().to_string(), written);
        }
        for wrong in ["1,2,3,4", "x,1,1,1,1", "0,1,1,1,1", "2,NaN,1,1,1", "1,1,1,1,1,1", "-1,1,1,1,1"] {
            assert_eq!(Moments::from_fields(&wrong.split(',').collect::<Vec<_>>()), None, "{wrong}");
        }
    }

    #[test]
    fn the_summary_of_runs_by_hand() {
        let [one, other] = [Moments::new(&[0.0, 1.0]), Moments::new(&[1.0, 2.0])];
        let of = Summary::new(&[one, other, Moments::new(&[])]);
        assert_eq!((of.runs, of.mean), (2, 1.0));
        // The means are 0.5 and 1.5: s = √0.5, and s/√2 = 0.5.
        assert!((of.error - 0.5).abs() < 1e-15);
        // All four samples: ⟨m²⟩ = 6/4, ⟨m⁴⟩ = 18/4.
        assert!((of.variance - 0.5).abs() < 1e-15);
        assert!((of.binder - (1.0 - 4.5 / (3.0 * 2.25))).abs() < 1e-15);
        let alone = Summary::new(&[one]);
        assert!(alone.error.is_nan() && alone.mean == 0.5 && Summary::new(&[]).mean.is_nan());
        // The cumulant of a constant measure is 2/3. (The cumulant of normal fluctuations around 0 is 0.)
        assert!((Summary::new(&[Moments::new(&[0.9; 8])]).binder - 2.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn a_value_has_the_digits_that_its_error_allows() {
        for (value, text) in [
            ([0.995_856, 0.000_985_7], "0.99586 ± 0.00099"),
            ([0.5, 0.25], "0.50 ± 0.25"),
            ([123.456, 7.0], "123.5 ± 7.0"),
            ([1234.0, 56.0], "1234 ± 56"),
            ([1234.0, 560.0], "1234 ± 560"),
            ([0.5, 0.0], "0.5 ± 0"),
            ([0.5, f64::NAN], "0.5"),
            ([f64::NAN, f64::NAN], "none"),
        ] {
            assert_eq!(with_error(value), text);
        }
    }
}
