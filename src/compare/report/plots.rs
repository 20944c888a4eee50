//! The plots of the report.

use crate::compare::agreement::{Histogram, least};
use crate::compare::pair::ModelPair;
use crate::compare::spectrum::Spectrum;
use crate::html_page::charts::{INK, Line, Style, bounds, draw};
use murmuration_core::error::Failure;
use murmuration_core::text::readable::short;
use plotters::prelude::*;

/// Colours with enough contrast on white and on black.
pub const CELLS: Style = (RGBColor(47, 127, 214), None, 2);
pub const INDIVIDUALS: Style = (RGBColor(222, 115, 13), Some([7, 4]), 2);
pub const AGREEMENT: Style = (INK, None, 2);
pub const CHANCE: Style = (RGBColor(128, 128, 128), Some([2, 4]), 1);

/// Values over the steps.
pub fn over_time(lines: &[(Line, Style)]) -> Result<String, Failure> {
    let steps = bounds(lines.iter().flat_map(|(line, _)| line.iter().map(|(step, _)| *step)));
    let values = bounds(lines.iter().flat_map(|(line, _)| line.iter().filter_map(|(_, value)| *value)));
    // The axis includes 0, so that a small change looks small.
    let room = 0.05 * (values.end.max(0.0) - values.start.min(0.0)).max(1e-9);
    let low = if values.start < 0.0 { values.start - room } else { 0.0 };
    let values = low..values.end.max(low) + room;
    draw(steps.start..steps.end.max(steps.start + 1.0), values, "step", &|step| format!("{step:.0}"), lines)
}

/// The shares of the lattice by the boids that a grain holds.
pub fn histograms(of: &ModelPair<Histogram>) -> Result<String, Failure> {
    let bins = of.cells.used().max(of.individuals.used());
    // A bin is a horizontal segment.
    let line = |histogram: &Histogram| -> Line {
        let shares = histogram.0.iter().take(bins).enumerate();
        let level = |(bin, share): (usize, &f64)| {
            let value = (*share > 0.0).then_some(*share);
            [(bin as f64 - 0.5, value), (bin as f64 + 0.5, value)]
        };
        shares.flat_map(level).collect()
    };
    let lines = [(line(&of.cells), CELLS), (line(&of.individuals), INDIVIDUALS)];
    let least_share = lines.iter().flat_map(|(line, _)| line.iter().filter_map(|(_, value)| *value));
    let low = least_share.fold(0.1, f64::min) / 2.0;
    let label = |place: &f64| {
        let is_whole = (place - place.round()).abs() < 1e-6 && *place > -0.5;
        if is_whole { least(place.round() as usize).to_string() } else { String::new() }
    };
    draw(-0.5..bins as f64 - 0.5, (low..1.5).log_scale(), "boids in a grain, from", &label, &lines)
}

/// The structure factors by wavelength, and the level of the shot noise.
pub fn spectra(of: &ModelPair<Spectrum>) -> Result<String, Failure> {
    let line = |spectrum: &Spectrum| -> Line {
        let value = |(index, value): (usize, &f64)| (spectrum.wavelength(index), (*value > 0.0).then_some(*value));
        spectrum.values.iter().enumerate().map(value).collect()
    };
    let longest = f64::from(of.cells.extent).max(3.0);
    let noise = vec![(2.0, Some(1.0)), (longest, Some(1.0))];
    let lines = [(line(&of.cells), CELLS), (line(&of.individuals), INDIVIDUALS), (noise, CHANCE)];
    let values = bounds(lines.iter().flat_map(|(line, _)| line.iter().filter_map(|(_, value)| *value)));
    // Values far below the noise of the other curve are cut off.
    let values = values.start.max(1e-4) / 1.5..values.end.max(1.0) * 1.5;
    draw((2.0..longest).log_scale(), values.log_scale(), "wavelength in cells", &|cells| short(*cells), &lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plots_of_nothing_and_of_one_value_are_plots() {
        let none = [(vec![(0.0, None)], CELLS), (Vec::new(), INDIVIDUALS)];
        for svg in [over_time(&none), over_time(&[(vec![(5.0, Some(0.0))], AGREEMENT)])] {
            let svg = svg.unwrap();
            assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
            assert!(!svg.contains("http") && !svg.contains("NaN") && svg.contains("currentColor"), "{svg}");
        }
    }
}
