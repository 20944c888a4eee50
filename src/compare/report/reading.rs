//! What the numbers say, in words: in what the models are alike, and where they part.

use crate::compare::measures::{MEASURES, Measure, Measures, Row};
use crate::compare::pair::Both;
use crate::readable::grouped;

/// Values that differ by less than this part of the larger are alike.
pub const ALIKE: f64 = 0.1;
/// A distance that chance alone would make, times this, is chance.
const BY_CHANCE: f64 = 1.5;

/// A measure of both models, as means over the second half of a run.
pub struct Finding {
    pub measure: &'static Measure,
    pub means: Both<Option<f64>>,
    pub is_alike: bool,
}

/// The rows of the second half: what comes after the start has worn off.
pub fn second_half(rows: &[Row]) -> &[Row] {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return rows };
    let middle = first.step + (last.step - first.step) / 2;
    &rows[rows.partition_point(|row| row.step < middle)..]
}

/// Every measure of the swarm. How long a step takes is none.
pub fn findings(rows: &[Row]) -> Vec<Finding> {
    let rows = second_half(rows);
    let of_swarm = MEASURES.iter().filter(|measure| measure.name != "milliseconds");
    let find = |measure: &'static Measure| {
        let mean = |of: fn(&Row) -> &Measures| mean(rows.iter().map(|row| (measure.of)(of(row))));
        let means = Both { cells: mean(|row| &row.of.cells), individuals: mean(|row| &row.of.individuals) };
        let is_alike = match (means.cells, means.individuals) {
            (Some(a), Some(b)) => (a - b).abs() <= measure.slight.max(ALIKE * a.abs().max(b.abs())),
            (a, b) => a == b,
        };
        Finding { measure, means, is_alike }
    };
    of_swarm.map(find).collect()
}

/// The mean of the values that there are.
pub fn mean(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let (sum, count) = values.flatten().fold((0.0, 0u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// What the agreements say, a sentence or two each.
pub fn sentences(rows: &[Row]) -> Vec<String> {
    let Some(last) = rows.last() else { return Vec::new() };
    let late = second_half(rows);
    let mut said = Vec::new();
    let distance = mean(late.iter().map(|row| Some(row.distance)));
    let by_chance = mean(late.iter().map(|row| Some(row.distance_by_chance)));
    if let (Some(distance), Some(by_chance)) = (distance, by_chance) {
        let verdict = if distance < by_chance {
            "the crowding is the same, and the individuals are more even than chance, as separation makes them"
        } else if distance <= BY_CHANCE * by_chance + 0.02 {
            "the crowding is the same but for the shot noise"
        } else {
            "the crowding differs by more than the shot noise explains"
        };
        said.push(format!(
            "The histograms of the density lie {distance:.2} apart (Jensen–Shannon, 0 to 1); individuals that were drawn by \
             chance from the cells' own density would lie {by_chance:.2} apart: {verdict}."
        ));
    }
    if last.overlap.is_none() {
        said.push("At the end nobody is left to be compared.".into());
        return said;
    }
    let part = |value: Option<f64>| value.unwrap_or(1.0);
    let parted = rows.iter().find(|row| part(row.overlap) < 0.5 * part(row.overlap_by_chance));
    said.push(match parted {
        Some(row) => format!(
            "The two swarms stand in the same places until about step {}; from there on they are two histories of one kind, for \
             any small difference grows. At the end {:.0} % of the boids stand in the same places, where chance alone would \
             leave {:.0} %.",
            row.step,
            100.0 * part(last.overlap),
            100.0 * part(last.overlap_by_chance)
        ),
        None => format!(
            "To the end the two swarms stand in the same places: {:.0} % of the boids, where chance alone would leave {:.0} %.",
            100.0 * part(last.overlap),
            100.0 * part(last.overlap_by_chance)
        ),
    });
    said.push(match last.apart {
        Some(apart) => format!("Their centres of mass end {apart:.2} cells apart."),
        None => "At the end one of them is balanced all around the torus, and has no centre of mass.".into(),
    });
    said
}

/// A value with as many digits as it is worth.
pub fn figure(value: Option<f64>) -> String {
    match value {
        None => "none".into(),
        Some(value) if value.abs() < 0.0005 => "0".into(),
        // A number is not to be broken at the end of a line.
        Some(value) if value >= 1000.0 => grouped(value.round() as u64).replace(' ', "\u{202f}"),
        Some(value) if value.abs() >= 10.0 => format!("{value:.1}"),
        Some(value) => format!("{value:.3}"),
    }
}
