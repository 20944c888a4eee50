//! Estimates: numbers that follow from the runs of a sweep, with standard errors over the seeds. An estimate is a mean,
//! a cumulant, an exponent, a slope or a crossing.

use super::Measurement;
use crate::sweep::{Moments, Placed, Plan, Records, SIZE, Summary, shown_value};
use murmuration_core::error::BadInput;
use murmuration_core::world::Extents;

/// The kind of a number that follows from a measure m. ⟨…⟩ is the mean over samples and runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum EstimateKind {
    /// The mean ⟨m⟩.
    Mean,
    /// The Binder cumulant 1 − ⟨m⁴⟩ / (3 ⟨m²⟩²).
    Binder,
    /// The least Binder cumulant of all values of a parameter.
    LeastBinder,
    /// The exponent b of ⟨m⟩ ∝ |x − x₀|^b for a parameter x and this origin x₀: a least-squares fit to the logarithms.
    Exponent(f64),
    /// The slope a of ⟨m⟩ = a·x for a parameter x, by a least-squares fit.
    Slope,
    /// The value of a parameter at which ⟨m⟩ passes this level. Between two values of the parameter ⟨m⟩ is interpolated
    /// linearly.
    Crossing(f64),
}

impl EstimateKind {
    /// The names of all kinds in the file of an experiment.
    pub const NAMES: [&str; 6] = ["mean", "binder", "least-binder", "exponent", "slope", "crossing"];

    /// Whether the number follows from the runs with several values of a parameter.
    pub fn needs_parameter(self) -> bool {
        !matches!(self, Self::Mean | Self::Binder)
    }

    /// Checks the values of the parameter x before the sweep is played. `over`: the key of x, with its place in the
    /// file. `parameter`: the index of x, which is returned.
    ///
    /// # Errors
    /// If x has fewer than two values, its values are not numbers, or one of them is the origin of an exponent.
    pub fn check_over(self, over: &Placed<String>, plan: &Plan, parameter: usize) -> Result<usize, BadInput> {
        let wrong = |problem: &str, cure: &str| Err(over.place.wrong(format!("{} has {problem}", over.value), cure));
        if plan.parameters[parameter].values.len() < 2 {
            return wrong("one value", "sweep it over several values");
        }
        // A least cumulant also follows from values that are not numbers.
        if self == Self::LeastBinder {
            return Ok(parameter);
        }
        match numbers(plan, parameter) {
            None => wrong("values that are no numbers", "take a parameter whose values are numbers"),
            Some(numbers) => match self {
                Self::Exponent(origin) if numbers.contains(&origin) => {
                    wrong(&format!("the value {origin}, from which the exponent counts"), "take other values")
                }
                _ => Ok(parameter),
            },
        }
    }
}

/// The definition of a number that follows from the runs of a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// The kind of the number.
    pub kind: EstimateKind,
    /// The index of the measure among the measures of the sweep.
    pub measure: usize,
    /// The index of a second measure. The mean of `measure` is divided by its mean. `None`: no division.
    pub divisor: Option<usize>,
    /// For each parameter the index of its value. The index for the parameter `over` is not used.
    pub places: Vec<usize>,
    /// The index of the parameter x; `None`: the number follows from a single combination.
    pub over: Option<usize>,
}

impl Estimate {
    /// The number with its standard error s by the jackknife: s² = (n − 1)/n · Σ (vᵢ − v̄)². n: the number of seeds in
    /// whose runs the measure has values. vᵢ: the number without the runs of the seed i. v̄: the mean of all vᵢ.
    pub fn measure(&self, plan: &Plan, records: &Records) -> Measurement {
        let value = self.value(plan, records, None);
        let combinations = self.combinations(plan);
        let has_samples = |seed: &usize| {
            let run = |combination: &u64| records.get(&(plan.runs_of(*combination).start + *seed as u64));
            combinations.iter().filter_map(run).any(|record| record.measures[self.measure].samples > 0)
        };
        let seeds: Vec<usize> = (0..plan.seeds.len()).filter(has_samples).collect();
        let without: Option<Vec<f64>> = seeds.iter().map(|seed| self.value(plan, records, Some(*seed))).collect();
        let error = without.filter(|_| seeds.len() > 1 && value.is_some()).map(|values| {
            let count = seeds.len() as f64;
            let mean = values.iter().sum::<f64>() / count;
            let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
            ((count - 1.0) / count * squares).sqrt()
        });
        Measurement { value, error, seeds: seeds.len() }
    }

    /// The combinations from which the number follows: one for each value of x, or a single combination without x.
    fn combinations(&self, plan: &Plan) -> Vec<u64> {
        let Some(over) = self.over else { return vec![plan.combination(&self.places)] };
        let at = |place: usize| {
            let mut places = self.places.clone();
            places[over] = place;
            plan.combination(&places)
        };
        (0..plan.parameters[over].values.len()).map(at).collect()
    }

    /// The number without its error. `without`: the index of a seed whose runs are left out. `None`: the number does
    /// not follow from the runs.
    fn value(&self, plan: &Plan, records: &Records, without: Option<usize>) -> Option<f64> {
        let summary = |combination: u64, measure: usize| {
            let own = (0..).zip(plan.runs_of(combination)).filter(|(seed, _)| without != Some(*seed));
            let runs = own.filter_map(|(_, run)| records.get(&run));
            Summary::new(&runs.map(|record| record.measures[measure]).collect::<Vec<Moments>>())
        };
        let mean = |combination: u64| {
            let mean = summary(combination, self.measure).mean;
            self.divisor.map_or(mean, |divisor| mean / summary(combination, divisor).mean)
        };
        let combinations = self.combinations(plan);
        let combination = combinations[0];
        let pairs = || Some(combinations.iter().copied().zip(numbers(plan, self.over?)?).collect::<Vec<_>>());
        let value = match self.kind {
            EstimateKind::Mean => mean(combination),
            EstimateKind::Binder => summary(combination, self.measure).binder,
            EstimateKind::LeastBinder => {
                let cumulants = combinations.iter().map(|combination| summary(*combination, self.measure).binder);
                cumulants.fold(f64::INFINITY, f64::min)
            }
            EstimateKind::Exponent(origin) => {
                let log = |(combination, x): (u64, f64)| [(x - origin).abs().ln(), mean(combination).ln()];
                let logs = pairs()?.into_iter().map(log);
                exponent(&logs.collect::<Vec<_>>())?
            }
            EstimateKind::Slope => {
                let pairs = pairs()?.into_iter().map(|(combination, x)| [x, mean(combination)]);
                let [products, squares] = pairs.fold([0.0; 2], |[xy, xx], [x, y]| [xy + x * y, xx + x * x]);
                products / squares
            }
            EstimateKind::Crossing(level) => {
                let mut pairs: Vec<_> = pairs()?.into_iter().map(|(combination, x)| [x, mean(combination)]).collect();
                // Sizes may be in any order, and `crossing` needs ascending x.
                pairs.sort_by(|[x, _], [other, _]| x.total_cmp(other));
                crossing(&pairs, level)?
            }
        };
        value.is_finite().then_some(value)
    }
}

/// The slope of a least-squares line through pairs (x, y); `None`: there are fewer than two pairs.
fn exponent(pairs: &[[f64; 2]]) -> Option<f64> {
    let count = pairs.len() as f64;
    let [x, y] = [0, 1].map(|axis| pairs.iter().map(|pair| pair[axis]).sum::<f64>() / count);
    let products: f64 = pairs.iter().map(|pair| (pair[0] - x) * (pair[1] - y)).sum();
    let squares: f64 = pairs.iter().map(|pair| (pair[0] - x).powi(2)).sum();
    (pairs.len() > 1).then(|| products / squares)
}

/// The first x at which y passes a level, on straight lines between pairs (x, y). `None`: y never passes the level.
fn crossing(pairs: &[[f64; 2]], level: f64) -> Option<f64> {
    pairs.windows(2).find_map(|pair| {
        let [[x, y], [next_x, next_y]] = [pair[0], pair[1]];
        let is_between = (y - level) * (next_y - level) <= 0.0 && y != next_y;
        is_between.then(|| x + (next_x - x) * (level - y) / (next_y - y))
    })
}

/// The values of a parameter as numbers. The number of a size is its extent along x in cells. `None`: the values are
/// not numbers.
pub(super) fn numbers(plan: &Plan, parameter: usize) -> Option<Vec<f64>> {
    let parameter = &plan.parameters[parameter];
    if parameter.key != SIZE {
        return parameter.numbers();
    }
    let width = |value: &String| Some(f64::from(shown_value(value).parse::<Extents>().ok()?.width));
    parameter.values.iter().map(width).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::{ParameterValues, Record, RunPlan};

    /// A sweep over x = 1, 2, 4 with two seeds. `value`: gives the value of the measure m in all steps of a run from x
    /// and the seed. The measure n is always 2.
    fn sweep(value: impl Fn(f64, u64) -> f64) -> (Plan, Records) {
        let values = ["1", "2", "4"].map(String::from).to_vec();
        let parameters = vec![ParameterValues { key: "x".into(), values }];
        let measures = vec!["m".into(), "n".into()];
        let plan = Plan { parameters, seeds: vec![1, 2], measures, ..Plan::new("test".into()) };
        let record = |run: u64| {
            let (combination, seed) = plan.of_run(run);
            let x = f64::from(1 << combination);
            let moments = [value(x, seed), 2.0].map(|value| Moments::new(&[value]));
            (run, Record { state_hash: "00".repeat(32), lost: 0, measures: moments.to_vec() })
        };
        let records = (0..plan.runs()).map(record).collect();
        (plan, records)
    }

    fn found(kind: EstimateKind, value: impl Fn(f64, u64) -> f64) -> Measurement {
        let (plan, records) = sweep(value);
        let over = kind.needs_parameter().then_some(0);
        Estimate { kind, measure: 0, divisor: None, places: vec![1], over }.measure(&plan, &records)
    }

    #[test]
    fn every_kind_by_hand() {
        let close = |found: Measurement, value: f64| {
            assert!((found.value.unwrap() - value).abs() < 1e-12, "{found:?}, not {value}");
        };
        close(found(EstimateKind::Mean, |x, seed| x + seed as f64), 3.5);
        close(found(EstimateKind::Exponent(0.0), |x, _| 3.0 * x.powf(0.8)), 0.8);
        close(found(EstimateKind::Exponent(5.0), |x, _| (5.0 - x).powf(0.45)), 0.45);
        close(found(EstimateKind::Slope, |x, _| 0.35 * x), 0.35);
        close(found(EstimateKind::Crossing(1.5), |x, _| 4.0 - x), 2.5);
        close(found(EstimateKind::Binder, |_, _| 0.5), 2.0 / 3.0);
        close(found(EstimateKind::LeastBinder, |_, _| 0.5), 2.0 / 3.0);
        assert_eq!(found(EstimateKind::Crossing(9.0), |x, _| x).value, None);
    }

    /// The standard error of a mean by the jackknife is s/√n, with the standard deviation s of n seeds.
    #[test]
    fn the_error_of_a_mean_is_its_standard_error() {
        let found = found(EstimateKind::Mean, |_, seed| seed as f64);
        assert!((found.error.unwrap() - 0.5).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn a_mean_is_divided_by_another() {
        let (plan, records) = sweep(|x, _| x);
        let estimate = Estimate { kind: EstimateKind::Mean, measure: 0, divisor: Some(1), places: vec![2], over: None };
        assert_eq!(estimate.measure(&plan, &records).value, Some(2.0));
    }

    #[test]
    fn seeds_without_a_value_are_not_counted() {
        let (plan, mut records) = sweep(|x, _| x);
        let estimate = Estimate { kind: EstimateKind::Mean, measure: 0, divisor: None, places: vec![2], over: None };
        assert_eq!(estimate.measure(&plan, &records).seeds, 2);
        let run = plan.runs_of(plan.combination(&[2])).start;
        records.get_mut(&run).unwrap().measures[0] = Moments::new(&[]);
        let found = estimate.measure(&plan, &records);
        assert_eq!((found.seeds, found.value, found.error), (1, Some(4.0), None));
    }
}
