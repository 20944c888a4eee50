//! The charts of the report.

use crate::compare::agreement::{Histogram, least};
use crate::compare::measures::{Agreement, Measure, Measures, Row};
use crate::compare::pair::ModelPair;
use crate::compare::spectrum::Spectrum;
use crate::html_page::charts::{Axis, Chart, Point, Reference, Scale, Series};

/// The minimum structure factor that is drawn. A structure factor far below the shot noise of the other model has no
/// meaning.
const MIN_FACTOR: f64 = 1e-4;

fn series(name: &str, points: impl Iterator<Item = (f64, Option<f64>)>) -> Series {
    let points = points.map(|(at, value)| Point::new(at, value.unwrap_or(f64::NAN)));
    Series { name: name.into(), points: points.collect(), is_published: false }
}

/// Two lines of a chart: a value of the cells, and the value of the individuals.
fn both(of: ModelPair<Vec<(f64, Option<f64>)>>) -> Vec<Series> {
    vec![series("cells", of.cells.into_iter()), series("individuals", of.individuals.into_iter())]
}

/// A chart over the steps. The y axis includes 0, so that a small change looks small.
fn over_time(title: &str, unit: &str, series: Vec<Series>, references: Vec<Reference>) -> Chart {
    let (across, up) = (Axis::new("step", "", Scale::Linear), Axis::new(title, unit, Scale::FromZero));
    Chart { title: title.into(), note: String::new(), across, up, series, references }
}

/// A chart of a measure of both models over the steps.
pub fn measure(rows: &[Row], measure: &Measure) -> Chart {
    let line = |of: fn(&Row) -> &Measures| rows.iter().map(|row| (row.step as f64, (measure.of)(of(row)))).collect();
    let of = ModelPair { cells: line(|row| &row.of.cells), individuals: line(|row| &row.of.individuals) };
    over_time(measure.title, measure.unit, both(of), Vec::new())
}

/// A chart over the steps of an agreement of both models, and of the agreement that is expected by chance.
pub fn agreement(rows: &[Row], agreement: &Agreement) -> Chart {
    let line = series("the two models", rows.iter().map(|row| (row.step as f64, (agreement.of)(row))));
    let by_chance = agreement.by_chance.map(|(_, of)| {
        let line = rows.iter().map(|row| [row.step as f64, of(row).unwrap_or(f64::NAN)]);
        Reference { name: "by chance".into(), line: line.collect(), band: Vec::new() }
    });
    over_time(agreement.title, agreement.unit, vec![line], by_chance.into_iter().collect())
}

/// A chart of the histograms of both models: the share of the free cells in each bin. `grain`: the side of a grain in
/// cells.
pub fn histograms(of: &ModelPair<Histogram>, grain: u32) -> Chart {
    let bins = of.cells.used().max(of.individuals.used());
    let line = |histogram: &Histogram| {
        let shares = histogram.0.iter().take(bins).enumerate();
        shares.map(|(bin, share)| (bin as f64, Some(*share).filter(|share| *share > 0.0))).collect()
    };
    Chart {
        title: "Histogram of the density".into(),
        note: format!("the share of the free cells by the boids in {grain} × {grain} cells around them"),
        across: Axis::new(
            "boids in a grain, from",
            "",
            Scale::Words((0..bins).map(|bin| least(bin).to_string()).collect()),
        ),
        up: Axis::new("share of the free cells", "", Scale::Logarithmic),
        series: both(of.map_ref(line)),
        references: Vec::new(),
    }
}

/// A chart of the structure factors of both models over the wavelength, and of the level of the shot noise.
pub fn spectra(of: &ModelPair<Spectrum>) -> Chart {
    let line = |spectrum: &Spectrum| {
        let value = |(index, value): (usize, &f64)| {
            (spectrum.wavelength(index), Some(*value).filter(|value| *value > MIN_FACTOR))
        };
        spectrum.values.iter().enumerate().map(value).collect()
    };
    Chart {
        title: "Spectrum of the density".into(),
        note: String::new(),
        across: Axis::new("wavelength", "cells", Scale::Logarithmic),
        up: Axis::new("structure factor S", "", Scale::Logarithmic),
        series: both(of.map_ref(line)),
        references: vec![Reference::level("shot noise".into(), Some(1.0), None)],
    }
}
