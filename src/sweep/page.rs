//! The page of a sweep, with charts of every measure over one or two parameters.

use super::moments::{Summary, with_error};
use super::plan::{ParameterValues, Plan, Records, RunPlan};
use super::table::{summaries, unit_of_key};
use super::values::shown;
use crate::files::json::with_exact;
use crate::html_page::charts::{Axis, Chart, HeatMap, Point, Scale, Series};
use crate::html_page::html_page;
use crate::observe::unit_of;
use maud::{Markup, html};
use murmuration_core::error::Failure;
use murmuration_core::text::readable::grouped;

/// The maximum number of lines of a plot. A parameter with more values has no line for each value, only a heat map.
const MAX_LINES: usize = 12;
/// The maximum number of plots of a quantity.
const MAX_PLOTS: usize = 60;
/// The maximum number of rows of the table.
const MAX_ROWS: u64 = 500;

/// A quantity of a measure that is plotted: the ending of the title, a description, and a function that gives the value
/// and its standard error.
type Quantity = (&'static str, &'static str, fn(&Summary) -> [f64; 2]);

const QUANTITIES: [Quantity; 2] = [
    ("", "the mean over steps and seeds; the bars are one standard error of the seeds", |of| [of.mean, of.error]),
    (", Binder cumulant", "1 − ⟨m⁴⟩ / (3 ⟨m²⟩²) over steps and seeds", |of| [of.binder, f64::NAN]),
];

/// The page of a whole sweep.
///
/// # Errors
/// If a plot cannot be drawn.
pub fn page(plan: &Plan, records: &Records) -> Result<String, Failure> {
    let all = all_summaries(plan, records);
    let views = views(plan);
    let mut sections = Vec::new();
    for (measure, name) in plan.measures.iter().enumerate() {
        for (ending, meaning, value) in QUANTITIES {
            let figures =
                figures(plan, &views, (name, ending), &|combination| value(&all[combination as usize][measure]))?;
            sections.push(html! {
                h2 { (name) (ending) }
                p.note { (meaning) "." }
                div.plots { @for figure in figures { (figure) } }
            });
        }
    }
    let body = html! {
        (head(plan))
        @if views.len() > MAX_PLOTS {
            p.warning {
                "Of each quantity " (MAX_PLOTS) " plots of " (views.len()) " are shown. means.csv has all values."
            }
        }
        @for section in sections { (section) }
        (means(plan, &all))
        h2 { "Reproduction" }
        p.note { "murmuration " (plan.program) ", BLAKE3 of all that takes effect " code { (plan.effective) } }
        details { summary { "The text of the preset" } pre { (plan.text) } }
    };
    let record = with_exact(plan.record()).to_string();
    Ok(html_page(&format!("{}: a sweep", plan.preset), "", &record, &body))
}

/// For each combination the summaries of all measures, in the order of the plan.
fn all_summaries(plan: &Plan, records: &Records) -> Vec<Vec<Summary>> {
    (0..plan.combinations()).map(|combination| summaries(plan, records, combination)).collect()
}

/// The charts of a quantity, at most [`MAX_PLOTS`]. `quantity`: the name of the measure and the ending of the title.
/// `value`: gives the value and the standard error in a combination.
fn figures(
    plan: &Plan,
    views: &[View],
    quantity: (&str, &str),
    value: &impl Fn(u64) -> [f64; 2],
) -> Result<Vec<Markup>, Failure> {
    views.iter().take(MAX_PLOTS).map(|view| view.figure(plan, quantity, value)).collect()
}

/// The charts of the means of a measure over the parameters. `measure`: the index of the measure. A plan whose
/// parameters have one value each has no chart.
///
/// # Errors
/// If a chart cannot be drawn.
pub fn figures_of_means(plan: &Plan, records: &Records, measure: usize) -> Result<Vec<Markup>, Failure> {
    let all = all_summaries(plan, records);
    let (ending, _, value) = QUANTITIES[0];
    let quantity = (&*plan.measures[measure], ending);
    figures(plan, &views(plan), quantity, &|combination| value(&all[combination as usize][measure]))
}

fn head(plan: &Plan) -> Markup {
    html! {
        h1 { (plan.preset) }
        p.lead { "A sweep over " @if plan.parameters.is_empty() { "seeds" }
            @for (index, parameter) in plan.parameters.iter().enumerate() { @if index > 0 { ", " } (parameter.key) } }
        p.facts {
            (grouped(plan.runs())) " runs: " (grouped(plan.combinations())) " combinations of values with "
            (grouped(plan.seeds.len() as u64)) " seeds each · " (grouped(plan.steps)) " steps, of which the first "
            (grouped(plan.warm_up)) " are not measured · a sample every " (grouped(plan.every))
            " steps · murmuration " (plan.program)
        }
    }
}

/// The table of means and standard errors, a row for each combination. `all`: the summaries of [`all_summaries`].
fn means(plan: &Plan, all: &[Vec<Summary>]) -> Markup {
    html! {
        h2 { "Means" }
        @if plan.combinations() > MAX_ROWS {
            p.note {
                "The first " (MAX_ROWS) " of " (grouped(plan.combinations()))
                " combinations; means.csv has all of them."
            }
        }
        div.wide { table {
            tr {
                @for parameter in &plan.parameters { th { (parameter.key) } }
                @for measure in &plan.measures { th.number { (measure) } }
            }
            @for combination in 0..plan.combinations().min(MAX_ROWS) {
                tr {
                    @for value in plan.values(combination) { td { (shown(value)) } }
                    @for of in &all[combination as usize] { td.number {
                        (with_error([of.mean, of.error]))
                        @if (1..plan.seeds.len() as u64).contains(&of.runs) {
                            br; small { (of.runs) " of " (plan.seeds.len()) " runs" }
                        }
                    } }
                }
            }
        } }
    }
}

/// A plot of a quantity over one or two parameters. In a plot each of the other parameters has a single value.
struct View {
    /// The index of the parameter along the horizontal axis.
    across: usize,
    /// The index of the second parameter. Its values are the lines of a chart or the rows of a heat map. `None`: the
    /// plot has one parameter.
    other: Option<usize>,
    is_heat_map: bool,
    /// The index of the value of each parameter. The indices of the two plotted parameters are not used.
    places: Vec<usize>,
}

/// The plots of every quantity. For each pair of parameters with several values: charts over one of the two, with a
/// line for each value of the other, and a heat map. A single such parameter has one chart.
fn views(plan: &Plan) -> Vec<View> {
    let varied: Vec<usize> =
        (0..plan.parameters.len()).filter(|index| plan.parameters[*index].values.len() > 1).collect();
    let mut views = Vec::new();
    for &across in &varied {
        if varied.len() == 1 {
            views.push(View { across, other: None, is_heat_map: false, places: plan.places(0) });
        }
        for &other in varied.iter().filter(|other| **other != across) {
            let fixed = (0..plan.combinations()).map(|combination| plan.places(combination));
            for places in fixed.filter(|places| [places[across], places[other]] == [0, 0]) {
                if plan.parameters[other].values.len() <= MAX_LINES {
                    views.push(View { across, other: Some(other), is_heat_map: false, places: places.clone() });
                }
                if across < other {
                    views.push(View { across, other: Some(other), is_heat_map: true, places });
                }
            }
        }
    }
    views
}

impl View {
    fn figure(
        &self,
        plan: &Plan,
        (measure, ending): (&str, &str),
        value: &impl Fn(u64) -> [f64; 2],
    ) -> Result<Markup, Failure> {
        let other = self.other.map(|other| &plan.parameters[other]);
        let (across, places) = axis(&plan.parameters[self.across]);
        let row = |row: usize| -> Vec<[f64; 2]> {
            let at = |column: usize| {
                let mut places = self.places.clone();
                places[self.across] = column;
                self.other.iter().for_each(|other| places[*other] = row);
                value(plan.combination(&places))
            };
            (0..places.len()).map(at).collect()
        };
        let rows: Vec<Vec<[f64; 2]>> = (0..other.map_or(1, |other| other.values.len())).map(row).collect();
        let note = self.fixed(plan);
        let up =
            if ending.is_empty() { axis_of_measure(measure) } else { Axis::new("Binder cumulant", "", Scale::Linear) };
        let title = format!("{measure}{ending} over {}", plan.parameters[self.across].key);
        if let Some(other) = other.filter(|_| self.is_heat_map) {
            let (across, value) = (words(&plan.parameters[self.across]), up.title);
            let title = format!("{title} and {}", other.key);
            return HeatMap { title, note, across, up: words(other), value, rows }.figure();
        }
        let name = |row: usize| other.map_or_else(String::new, |of| format!("{} = {}", of.key, shown(&of.values[row])));
        let series = rows.iter().enumerate().map(|(row, values)| {
            let points = places.iter().zip(values).map(|(at, [mean, error])| Point::with_error(*at, *mean, *error));
            Series { name: name(row), points: points.collect(), is_published: false }
        });
        Chart { title, note, across, up, series: series.collect(), references: Vec::new() }.figure()
    }

    /// The values of the parameters that are not plotted, as text such as `weights.cohesion = 0.5`.
    fn fixed(&self, plan: &Plan) -> String {
        let is_fixed = |index: &usize| {
            *index != self.across && Some(*index) != self.other && plan.parameters[*index].values.len() > 1
        };
        let named = (0..plan.parameters.len()).filter(is_fixed).map(|index| {
            let ParameterValues { key, values } = &plan.parameters[index];
            format!("{key} = {}", shown(&values[self.places[index]]))
        });
        named.collect::<Vec<_>>().join(", ")
    }
}

/// A linear axis for a measure, with the name and the unit of the measure.
pub fn axis_of_measure(measure: &str) -> Axis {
    Axis::new(&measure.replace('_', " "), unit_of(measure), Scale::Linear)
}

/// An axis with the values of a parameter as words.
fn words(parameter: &ParameterValues) -> Axis {
    let words = parameter.values.iter().map(|value| shown(value)).collect();
    Axis::new(&parameter.key, &unit_of_key(&parameter.key), Scale::Words(words))
}

/// The axis of a parameter, and the place of each of its values on the axis. If the values are numbers, the axis is
/// linear or, over several orders of magnitude, logarithmic. Other values and numbers that are all nearly equal are
/// words, side by side.
pub fn axis(parameter: &ParameterValues) -> (Axis, Vec<f64>) {
    let ends =
        |numbers: &[f64]| numbers.iter().fold([f64::MAX, f64::MIN], |[a, b], number| [a.min(*number), b.max(*number)]);
    let is_wide = |numbers: &Vec<f64>| {
        let [least, greatest] = ends(numbers);
        let width = greatest - least;
        width.is_finite() && width > 1e-6 * least.abs().max(greatest.abs())
    };
    let Some(numbers) = parameter.numbers().filter(is_wide) else {
        return (words(parameter), (0..parameter.values.len()).map(|place| place as f64).collect());
    };
    let [least, greatest] = ends(&numbers);
    let gaps = ends(&numbers.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>());
    let is_logarithmic = least > 0.0 && greatest >= 50.0 * least && gaps[1] >= 10.0 * gaps[0];
    let scale = if is_logarithmic { Scale::Logarithmic } else { Scale::Linear };
    (Axis { scale, ..words(parameter) }, numbers)
}

#[cfg(test)]
mod tests {
    use super::super::moments::{Moments, Record};
    use super::*;

    /// A plan with these parameters and two seeds, and a record of each run. `value`: gives the value of the measure in
    /// a run.
    fn sweep(parameters: &[(&str, &[&str])], value: impl Fn(u64) -> f64) -> (Plan, Records) {
        let parameter = |(key, values): &(&str, &[&str])| ParameterValues {
            key: (*key).into(),
            values: values.iter().map(|value| (*value).into()).collect(),
        };
        let parameters = parameters.iter().map(parameter).collect();
        let measures = vec!["polarisation".into()];
        let plan = Plan { parameters, seeds: vec![1, 2], measures, ..Plan::new("<b>".into()) };
        let record =
            |run| (run, Record { state_hash: "00".repeat(32), lost: 0, measures: vec![Moments::new(&[value(run)])] });
        let records = (0..plan.runs()).map(record).collect();
        (plan, records)
    }

    fn count(page: &str, part: &str) -> usize {
        page.matches(part).count()
    }

    #[test]
    fn every_pair_of_parameters_is_plotted() {
        let [a, b, c] = [("a", &["0", "1", "2"][..]), ("b", &["\"x\"", "\"y\""][..]), ("c", &["5"][..])];
        for (parameters, plots, maps) in [
            (&[][..], 0, 0),
            (&[c], 0, 0),
            (&[a, c], 1, 0),
            // Of the pair a and b: a chart over a, a chart over b, and a heat map.
            (&[a, b, c], 2, 1),
            // Three pairs of parameters. Each pair has two charts and a heat map for each value of the third parameter.
            (&[a, b, ("d", &["1", "2"])], 2 * 2 + 2 * 2 + 2 * 3, 2 + 2 + 3),
        ] {
            let (plan, records) = sweep(parameters, |run| run as f64);
            let page = page(&plan, &records).unwrap();
            // The page has every plot twice: of the mean, and of the Binder cumulant.
            let found = ["class=\"chart\"", "class=\"chart heat\"", "<svg"].map(|part| count(&page, part));
            assert_eq!(found, [2 * plots, 2 * maps, 2 * (plots + maps)], "{parameters:?}");
            assert!(!page.contains("<b>") && page.contains("&lt;b&gt;"), "a name is no code");
        }
        let many: Vec<String> = (0..40).map(|value| value.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let (plan, records) = sweep(&[("a", &many), ("b", &many)], |run| run as f64);
        let page = page(&plan, &records).unwrap();
        assert_eq!([count(&page, "<svg"), count(&page, "class=\"chart heat\"")], [2, 2], "too many lines");
        assert!(page.contains("The first 500 of 1 600 combinations"));
    }

    #[test]
    fn no_value_is_too_odd_for_a_page() {
        for values in
            [&["1", "1.0000000001"][..], &["-1e308", "1e308"], &["nan", "inf"], &["0", "0"], &["[1]", "{a = 1}"]]
        {
            for odd in [f64::NAN, f64::INFINITY, 1e308, -1e308, 0.0, 5e-324] {
                let (plan, records) =
                    sweep(&[("a", values), ("b", values)], |run| if run % 2 == 0 { odd } else { -odd });
                let page = page(&plan, &records).unwrap();
                assert!(!page.contains("NaN"), "{values:?} {odd}");
            }
        }
    }
}
