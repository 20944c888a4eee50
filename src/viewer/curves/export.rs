//! Curves as files: a table of all measures, and a picture of each curve.

use super::history::MeasureHistory;
use super::{Portrait, title};
use crate::charts::{Line, Style, figure};
use murmuration_core::error::Failure;
use plotters::style::RGBColor;

/// The most bins of a curve in a picture.
const MOST_BINS: usize = 500;
const MEAN: Style = (RGBColor(47, 127, 214), None, 2);
const EXTREMES: Style = (RGBColor(128, 128, 128), None, 1);

/// All measures of a run as CSV. A row that is thinned has the first and the last of its steps, and of each measure the mean, the least and
/// the greatest value.
pub fn table(history: &MeasureHistory) -> Vec<u8> {
    let measures: Vec<(usize, &str)> = history.measures().collect();
    let is_thinned = history.is_thinned();
    let mut table = csv::Writer::from_writer(Vec::new());
    let steps: &[&str] = if is_thinned { &["first_step", "last_step"] } else { &["step"] };
    let endings: &[&str] = if is_thinned { &["", "_least", "_greatest"] } else { &[""] };
    let columns = measures.iter().flat_map(|(_, name)| endings.iter().map(move |ending| format!("{name}{ending}")));
    let header = steps.iter().map(|name| (*name).to_owned()).chain(columns);
    let row = |bin: &super::history::Bin| -> Vec<String> {
        let values = measures.iter().flat_map(|(measure, _)| {
            let values = bin.values(*measure);
            (0..endings.len()).map(move |index| values.map_or(String::new(), |values| values[index].to_string()))
        });
        bin.steps[..steps.len()].iter().map(u64::to_string).chain(values).collect()
    };
    table
        .write_record(header)
        .and_then(|()| history.bins().iter().try_for_each(|bin| table.write_record(row(bin))))
        .expect("memory takes every row");
    table.into_inner().expect("memory takes every row")
}

/// The picture of a measure over the steps.
///
/// # Errors
/// If it cannot be drawn.
pub fn curve(history: &MeasureHistory, measure: usize, name: &str) -> Result<String, Failure> {
    let history = history.thinned(MOST_BINS);
    let line = |part: usize| -> Line {
        let value = |bin: &super::history::Bin| (bin.step(), bin.values(measure).map(|values| values[part]));
        history.bins().iter().map(value).collect()
    };
    let extremes = if history.is_thinned() { vec![(line(1), EXTREMES), (line(2), EXTREMES)] } else { Vec::new() };
    figure("step", &title(name), &[extremes, vec![(line(0), MEAN)]].concat())
}

/// The picture of a phase portrait.
///
/// # Errors
/// If it cannot be drawn.
pub fn portrait(history: &MeasureHistory, portrait: &Portrait) -> Result<String, Failure> {
    let line = portrait.places(&history.thinned(MOST_BINS)).map(|[x, y]| (x, Some(y))).collect();
    figure(&title(&portrait.across), &title(&portrait.up), &[(line, MEAN)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(steps: u64) -> MeasureHistory {
        let mut history = MeasureHistory::default();
        for step in 0..steps {
            let row = [("boids", Some(5.0)), ("milling", (step > 0).then_some(step as f64 / 4.0)), ("rays", None)];
            history.update(1, step, row.map(|(name, value)| (name.to_owned(), value)).into());
        }
        history
    }

    #[test]
    fn the_table_has_each_measure_that_was_taken() {
        let text = |history: &MeasureHistory| String::from_utf8(table(history)).unwrap();
        assert_eq!(text(&history(3)), "step,boids,milling\n0,5,\n1,5,0.25\n2,5,0.5\n");
        let thinned = text(&history(6).thinned(2));
        let header = "first_step,last_step,boids,boids_least,boids_greatest,milling,milling_least,milling_greatest\n";
        assert_eq!(thinned, format!("{header}0,3,5,5,5,0.5,0.25,0.75\n4,5,5,5,5,1.125,1,1.25\n"));
    }

    #[test]
    fn pictures_have_axes_with_units() {
        let history = history(900);
        let svg = curve(&history, history.find("boids").unwrap(), "boids").unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("xmlns") && svg.contains("step"), "{svg}");
        assert!(svg.contains("boids") && !svg.contains("NaN") && !svg.contains("currentColor"), "{svg}");
        let of = Portrait { across: "boids".into(), up: "milling".into() };
        let svg = portrait(&history, &of).unwrap();
        assert!(svg.contains("milling") && svg.contains("<polyline"), "{svg}");
    }
}
