//! The charts of an experiment: the values that the runs gave, with the published values and their bands.

use super::estimate::{Estimate, EstimateKind, numbers};
use super::{Outcome, PublishedResult};
use crate::html_page::charts::{Axis, Chart, Point, Reference, Scale, Series};
use crate::sweep::{axis, axis_of_measure};
use maud::{Markup, html};
use murmuration_core::text::readable::short;

/// The width and height in pixels of the drawing of a result in a table.
const BULLET: [f64; 2] = [180.0, 20.0];
/// The empty space at the left and at the right end of this drawing, in pixels.
const ROOM: f64 = 10.0;

/// A chart for each quantity from which results follow, over a parameter. If no parameter has several values, an
/// experiment has no chart.
pub fn charts(outcome: &Outcome) -> Vec<Chart> {
    let mut charts: Vec<Chart> = Vec::new();
    for (result, ..) in outcome.results() {
        let Some(chart) = chart(outcome, result) else { continue };
        let is_same = |other: &&mut Chart| {
            (&other.title, &other.note, &other.series[0]) == (&chart.title, &chart.note, &chart.series[0])
        };
        match charts.iter_mut().find(is_same) {
            Some(other) => {
                let marks = chart.series.into_iter().skip(1);
                marks.for_each(|marks| match other.series.iter_mut().find(|series| series.name == marks.name) {
                    Some(series) => series.points.extend(marks.points),
                    None => other.series.push(marks),
                });
                other.references.extend(chart.references);
            }
            None => charts.push(chart),
        }
    }
    charts
}

/// The indices of the measures of results without a divisor. The charts show these measures.
pub fn measures(outcome: &Outcome) -> impl Iterator<Item = usize> {
    let estimates = outcome.experiment.results.iter().map(|result| &result.estimate);
    estimates.filter(|estimate| estimate.divisor.is_none()).map(|estimate| estimate.measure)
}

/// The chart of the quantity from which a result follows, over the parameter of the result or the first parameter with
/// several values. `None`: no parameter has several values.
fn chart(outcome: &Outcome, result: &PublishedResult) -> Option<Chart> {
    let (plan, estimate) = (&outcome.plan, &result.estimate);
    let varied = |index: &usize| plan.parameters[*index].values.len() > 1;
    let over = estimate.over.or_else(|| (0..plan.parameters.len()).find(varied))?;
    let parameter = &plan.parameters[over];
    let (mut across, mut places) = axis(parameter);
    let is_binder = matches!(estimate.kind, EstimateKind::Binder | EstimateKind::LeastBinder);
    let measure = &*plan.measures[estimate.measure];
    let (name, mut up) = match estimate.divisor.map(|divisor| &plan.measures[divisor]) {
        _ if is_binder => (format!("{measure}, Binder cumulant"), Axis::new("Binder cumulant", "", Scale::Linear)),
        None => (measure.to_owned(), axis_of_measure(measure)),
        Some(divisor) => {
            (format!("{measure} by {divisor}"), Axis::new(&format!("{measure} / {divisor}"), "", Scale::Linear))
        }
    };
    let title = format!("{name} over {}", parameter.key);
    if estimate.kind.needs_parameter() && estimate.kind != EstimateKind::LeastBinder {
        places = numbers(plan, over)?;
        across.scale = Scale::Linear;
    }
    if let EstimateKind::Exponent(origin) = estimate.kind {
        places.iter_mut().for_each(|place| *place = (*place - origin).abs());
        (across.scale, up.scale) = (Scale::Logarithmic, Scale::Logarithmic);
        across.title =
            if origin == 0.0 { across.title } else { format!("distance of {} from {}", across.title, short(origin)) };
    }
    let kind = if is_binder { EstimateKind::Binder } else { EstimateKind::Mean };
    let point = |(index, at): (usize, &f64)| {
        let mut places = estimate.places.clone();
        places[over] = index;
        let found = Estimate { kind, places, over: None, ..estimate.clone() }.measure(plan, &outcome.records);
        Point::with_error(*at, found.value.unwrap_or(f64::NAN), found.error.unwrap_or(f64::NAN))
    };
    let mut points: Vec<Point> = places.iter().enumerate().map(point).collect();
    points.sort_by(|point, other| point.at.total_cmp(&other.at));
    let fixed = (0..plan.parameters.len()).filter(|index| *index != over && varied(index)).map(|index| {
        let value = &plan.parameters[index].values[estimate.places[index]];
        format!("{} = {}", plan.parameters[index].key, crate::sweep::shown_value(value))
    });
    let note = fixed.collect::<Vec<_>>().join(", ");
    let at = places[estimate.places[over]];
    let mut chart = Chart { title, note, across, up, series: Vec::new(), references: Vec::new() };
    hold(&mut chart, result, at, &points);
    chart.series.insert(0, Series { name: "found".into(), points, is_published: false });
    Some(chart)
}

/// Adds the published value of a result with its band to a chart. `at`: the place of the combination of the result on
/// the axis `across`. `points`: the found values.
fn hold(chart: &mut Chart, result: &PublishedResult, at: f64, points: &[Point]) {
    let (band, published) = (result.band, result.published);
    let name = published.map_or("stated band".into(), |value| format!("published: {}", short(value)));
    let farthest = points.iter().map(|point| point.at).fold(0.0, f64::max);
    // `line` gives the two ends of a line with a slope or an exponent. The lines of the two ends of the band form the
    // band, and all lines have a common point.
    let fan = |line: &dyn Fn(f64) -> [[f64; 2]; 2]| Reference {
        name: name.clone(),
        line: published.map_or_else(Vec::new, |value| line(value).to_vec()),
        band: {
            let [[first, last], [others, end]] = [line(band[0]), line(band[1])];
            vec![first, last, end, others]
        },
    };
    chart.references = match result.estimate.kind {
        EstimateKind::Mean | EstimateKind::Binder => {
            let value = published.unwrap_or(f64::midpoint(band[0], band[1]));
            let name = if published.is_some() { "published, with its band" } else { "stated band" };
            let points = vec![Point { at, value, ends: band }];
            chart.series.push(Series { name: name.into(), points, is_published: true });
            Vec::new()
        }
        EstimateKind::LeastBinder => vec![Reference::level(format!("least, {name}"), published, Some(band))],
        EstimateKind::Crossing(level) => vec![
            Reference::level(format!("level {}", short(level)), Some(level), None),
            Reference::place(format!("crossing, {name}"), published, band),
        ],
        EstimateKind::Slope => vec![fan(&|slope| [[0.0, 0.0], [farthest, slope * farthest]])],
        EstimateKind::Exponent(_) => {
            let logs = points.iter().map(|point| [point.at.ln(), point.value.ln()]);
            let logs: Vec<[f64; 2]> = logs.filter(|logs| logs.iter().all(|log| log.is_finite())).collect();
            let [x, y] = [0, 1].map(|axis| logs.iter().map(|log| log[axis]).sum::<f64>() / logs.len() as f64);
            let ends = [f64::min as fn(f64, f64) -> f64, f64::max].map(|of| logs.iter().map(|log| log[0]).reduce(of));
            let [Some(first), Some(last)] = ends else { return };
            let line = |exponent: f64| [first, last].map(|log| [log.exp(), (y + exponent * (log - x)).exp()]);
            vec![fan(&line)]
        }
    };
}

/// A small SVG drawing of a result: the band, the published value as a line, and the found value as a dot with its
/// error.
pub fn bullet(result: &PublishedResult, found: super::Measurement) -> Markup {
    let [width, height] = BULLET;
    let error = found.error.unwrap_or(0.0);
    let ends = found.value.map(|value| [value - error, value + error]);
    let all = || result.band.into_iter().chain(ends.into_iter().flatten());
    let [least, greatest] = [all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max)];
    let scale = (width - 2.0 * ROOM) / (greatest - least).max(f64::MIN_POSITIVE);
    let x = |value: f64| format!("{:.1}", ROOM + (value - least) * scale);
    let class = if result.is_inside(found) { "inside" } else { "outside" };
    html! {
        svg.bullet width=(width) height=(height) viewBox={ "0 0 " (width) " " (height) } aria-hidden="true" {
            rect.band x=(x(result.band[0])) y="3"
                width=(format!("{:.1}", ((result.band[1] - result.band[0]) * scale).max(1.0))) height="14" {}
            @if let Some(value) = result.published {
                path d={ "M" (x(value)) " 3v14" } stroke="currentColor" stroke-width="2" {}
            }
            @if let (Some(value), Some([low, high])) = (found.value, ends) {
                g class=(class) {
                    path d={ "M" (x(low)) " 10H" (x(high)) } stroke="currentColor" stroke-width="1.5" {}
                    circle cx=(x(value)) cy="10" r="4" fill="currentColor" {}
                }
            }
        }
    }
}
