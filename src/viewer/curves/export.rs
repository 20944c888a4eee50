//! Curves as files: a table of all measures, and a picture of each curve.

use super::history::{Bin, MeasureHistory};
use super::{Portrait, title};
use crate::html_page::charts::{Axis, Chart, Point, Scale, Series};
use crate::observe::unit_of;
use murmuration_core::error::Failure;
use serde_json::Value;

/// The maximum number of bins of a curve in a picture.
const MAX_BINS: usize = 500;

/// The columns of measures, which follow the columns of steps. For each column: its name, the index of the measure, and
/// the index of the value (0: mean, 1: minimum, 2: maximum).
fn columns(history: &MeasureHistory) -> Vec<(String, usize, usize)> {
    let endings: &[&str] = if history.is_thinned() { &["", "_least", "_greatest"] } else { &[""] };
    let of_measure = |(measure, name): (usize, &str)| -> Vec<(String, usize, usize)> {
        endings.iter().enumerate().map(|(value, ending)| (format!("{name}{ending}"), measure, value)).collect()
    };
    history.measures().flat_map(of_measure).collect()
}

/// The columns of the steps.
fn steps(history: &MeasureHistory) -> &'static [&'static str] {
    if history.is_thinned() { &["first_step", "last_step"] } else { &["step"] }
}

/// All measures of a run as CSV, with one line for each bin of the history. If bins contain several rows, a line has
/// the first and the last step, and the mean, minimum and maximum of each measure.
pub fn table(history: &MeasureHistory) -> Vec<u8> {
    let steps = steps(history);
    let columns = columns(history);
    let mut table = csv::Writer::from_writer(Vec::new());
    let names = columns.iter().map(|(name, ..)| name.as_str());
    let row = |bin: &Bin| -> Vec<String> {
        let value = |(_, measure, value): &(String, usize, usize)| {
            bin.values(*measure).map_or(String::new(), |values| values[*value].to_string())
        };
        bin.steps[..steps.len()].iter().map(u64::to_string).chain(columns.iter().map(value)).collect()
    };
    table
        .write_record(steps.iter().copied().chain(names))
        .and_then(|()| history.bins().iter().try_for_each(|bin| table.write_record(row(bin))))
        .expect("memory takes every row");
    table.into_inner().expect("memory takes every row")
}

/// A JSON object with the unit of each column of the table.
pub fn units(history: &MeasureHistory) -> Value {
    let measures: Vec<(usize, &str)> = history.measures().collect();
    let of_measure =
        |index: usize| measures.iter().find(|(own, _)| *own == index).map_or("1", |(_, name)| unit_of(name));
    let of_steps = steps(history).iter().map(|name| ((*name).to_owned(), "step".into()));
    let units = columns(history).into_iter().map(|(column, measure, _)| (column, of_measure(measure).into()));
    Value::Object(of_steps.chain(units).collect())
}

/// The picture of a measure over the steps, as SVG. If bins contain several rows, the picture also has curves of their
/// least and greatest values.
///
/// # Errors
/// If it cannot be drawn.
pub fn curve(history: &MeasureHistory, measure: usize, name: &str) -> Result<String, Failure> {
    let history = history.thinned(MAX_BINS);
    let line = |(part, name): (usize, &str)| {
        let value = |bin: &Bin| Point::new(bin.step(), bin.values(measure).map_or(f64::NAN, |values| values[part]));
        Series { name: name.into(), points: history.bins().iter().map(value).collect(), is_published: false }
    };
    let parts = [(0, "mean"), (1, "least"), (2, "greatest")];
    let lines = if history.is_thinned() { parts.map(line).into() } else { vec![line((0, ""))] };
    picture("step", name, lines)
}

/// The picture of a phase portrait, as SVG.
///
/// # Errors
/// If it cannot be drawn.
pub fn portrait(history: &MeasureHistory, portrait: &Portrait) -> Result<String, Failure> {
    let points = portrait.places(&history.thinned(MAX_BINS)).map(|[x, y]| Point::new(x, y)).collect();
    picture(&portrait.across, &portrait.up, vec![Series { points, ..Series::default() }])
}

fn picture(across: &str, up: &str, series: Vec<Series>) -> Result<String, Failure> {
    let [across, up] = [across, up].map(|column| Axis { title: title(column), scale: Scale::Linear });
    Chart { title: String::new(), note: String::new(), across, up, series, references: Vec::new() }.svg()
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
    fn each_column_has_its_unit() {
        let whole = serde_json::json!({ "step": "step", "boids": "boid", "milling": "1" });
        assert_eq!(units(&history(3)), whole);
        let thinned = units(&history(6).thinned(2));
        assert_eq!((&thinned["last_step"], &thinned["boids_least"]), (&"step".into(), &"boid".into()));
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
