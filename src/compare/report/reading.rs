//! The summary of a comparison: the measures in which the models agree, and the measures in which they differ.

use crate::compare::measures::{Measure, Measures, Row, of_swarm};
use crate::compare::pair::ModelPair;
use murmuration_core::text::readable::grouped;

/// Values that differ by at most this share of the larger one count as equal.
pub const ALIKE: f64 = 0.1;
/// A distance of histograms up to this multiple of the distance by chance counts as a difference by chance.
const BY_CHANCE: f64 = 1.5;

/// The means of a measure over the second half of a run, in both models.
pub struct Finding {
    pub measure: &'static Measure,
    pub means: ModelPair<Option<f64>>,
    pub is_alike: bool,
}

/// The rows of the second half of a run, which depend little on the start.
pub fn second_half(rows: &[Row]) -> &[Row] {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return rows };
    let middle = first.step + (last.step - first.step) / 2;
    &rows[rows.partition_point(|row| row.step < middle)..]
}

/// The findings of all measures except the time of a step.
pub fn findings(rows: &[Row]) -> Vec<Finding> {
    let rows = second_half(rows);
    let find = |measure: &'static Measure| {
        let mean = |of: fn(&Row) -> &Measures| mean(rows.iter().map(|row| (measure.of)(of(row))));
        let means = ModelPair { cells: mean(|row| &row.of.cells), individuals: mean(|row| &row.of.individuals) };
        let is_alike = match (means.cells, means.individuals) {
            (Some(a), Some(b)) => (a - b).abs() <= measure.slight.max(ALIKE * a.abs().max(b.abs())),
            (a, b) => a == b,
        };
        Finding { measure, means, is_alike }
    };
    of_swarm().map(find).collect()
}

/// The mean of the defined values.
pub fn mean(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let (sum, count) = values.flatten().fold((0.0, 0u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// The agreements of the models in words, in one or two sentences each.
pub fn sentences(rows: &[Row]) -> Vec<String> {
    let Some(last) = rows.last() else { return Vec::new() };
    let late = second_half(rows);
    let mut said = Vec::new();
    let distance = mean(late.iter().map(|row| Some(row.distance)));
    let by_chance = mean(late.iter().map(|row| Some(row.distance_by_chance)));
    if let (Some(distance), Some(by_chance)) = (distance, by_chance) {
        let verdict = if distance < by_chance {
            "the crowding is the same, and the individuals are spread more evenly than by chance, an effect of \
             separation"
        } else if distance <= BY_CHANCE * by_chance + 0.02 {
            "the crowding is the same but for the shot noise"
        } else {
            "the crowding differs by more than the shot noise explains"
        };
        said.push(format!(
            "The Jensen–Shannon distance of the density histograms is {distance:.2} (0 to 1); for individuals drawn at \
             random from the density of the cells it would be {by_chance:.2}: {verdict}."
        ));
    }
    if last.overlap.is_none() {
        said.push("At the end no boids are left to compare.".into());
        return said;
    }
    let part = |value: Option<f64>| value.unwrap_or(1.0);
    let parted = rows.iter().find(|row| part(row.overlap) < 0.5 * part(row.overlap_by_chance));
    said.push(match parted {
        Some(row) => format!(
            "The two swarms are in the same places until about step {}. After that small differences grow, and the \
             swarms are two different runs of the same kind. At the end {:.0} % of the boids are in the same places; \
             by chance alone it would be {:.0} %.",
            row.step,
            100.0 * part(last.overlap),
            100.0 * part(last.overlap_by_chance)
        ),
        None => format!(
            "The two swarms are in the same places to the end: {:.0} % of the boids; by chance alone it would be {:.0} \
             %.",
            100.0 * part(last.overlap),
            100.0 * part(last.overlap_by_chance)
        ),
    });
    said.push(match last.apart {
        Some(apart) => format!("At the end the centres of mass are {apart:.2} cells apart."),
        None => "At the end one of the swarms is balanced all around the torus and has no centre of mass.".into(),
    });
    said
}

/// The text of a value with three decimals, or with fewer decimals if the value is large.
pub fn figure(value: Option<f64>) -> String {
    match value {
        None => "none".into(),
        Some(value) if value.abs() < 0.0005 => "0".into(),
        // A narrow no-break space keeps a number on one line.
        Some(value) if value >= 1000.0 => grouped(value.round() as u64).replace(' ', "\u{202f}"),
        Some(value) if value.abs() >= 10.0 => format!("{value:.1}"),
        Some(value) => format!("{value:.3}"),
    }
}
