//! The page of experiments: published values beside found values, with pictures and charts.

use super::charts::{bullet, charts, measures};
use super::{Measurement, Outcome, PublishedResult};
use crate::files::json::with_exact;
use crate::html_page::charts::Chart;
use crate::html_page::html_page;
use crate::sweep::{RunPlan, figures_of_means, with_error};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use maud::{Markup, html};
use murmuration_core::error::Failure;
use murmuration_core::text::readable::{grouped, short};
use serde_json::json;

/// The HTML page of some outcomes.
///
/// # Errors
/// If a plot cannot be drawn.
pub fn page<'a>(outcomes: impl Iterator<Item = &'a Outcome> + Clone) -> Result<String, Failure> {
    let [all, inside, statements] = counts(outcomes.clone());
    let [of_motion, inside_of_motion, _] = counts(outcomes.clone().filter(|outcome| !outcome.experiment.is_instrument));
    let [of_instruments, inside_of_instruments] = [all - of_motion, inside - inside_of_motion];
    let sections = outcomes.clone().map(section).collect::<Result<Vec<_>, _>>()?;
    let body = html! {
        h1 { "Published results, made again" }
        p.lead {
            (inside) " of " (all) " results lie within their bands: " (inside_of_motion) " of " (of_motion)
            " findings of collective motion, and " (inside_of_instruments) " of " (of_instruments)
            " checks of the instruments by theory."
        }
        p.note { (statements) " of the results are statements without a number." }
        p.note {
            "A band reaches at most twice the published error to either side, or 7.5 % of the published value. "
            "It was set before the first run. Errors are standard errors over the seeds."
        }
        table.contents {
            tr {
                th { "experiment" } th { "result" } th.number { "published" } th.number { "band" }
                th.number { "found" } th { "found within the band" }
            }
            @for outcome in outcomes.clone() {
                @for (index, (result, found, is_inside)) in outcome.results().enumerate() {
                    tr {
                        td { @if index == 0 { a href={ "#" (outcome.experiment.name) } { (outcome.experiment.name) } } }
                        td { (result.title) }
                        (numbers(result, found, is_inside))
                    }
                }
            }
        }
        @for section in sections { (section) }
    };
    let record = json!({ "experiments": outcomes.map(|outcome| outcome.plan.record()).collect::<Vec<_>>() });
    Ok(html_page("Published results, made again", "", &with_exact(record).to_string(), &body))
}

/// Three numbers: of all results, of the results within their bands, and of the results whose source has no number.
pub fn counts<'a>(outcomes: impl Iterator<Item = &'a Outcome> + Clone) -> [usize; 3] {
    let results = || outcomes.clone().flat_map(Outcome::results);
    [
        results().count(),
        results().filter(|(.., is_inside)| *is_inside).count(),
        results().filter(|(result, ..)| result.published.is_none()).count(),
    ]
}

/// The table cells of a result: the published value, the band, the found value, and whether it is within the band.
fn numbers(result: &PublishedResult, found: Measurement, is_inside: bool) -> Markup {
    let [least, greatest] = result.band.map(short);
    let verdict = if is_inside { "inside" } else { "outside" };
    html! {
        td.number { @match result.published {
            Some(value) => { (short(value)) @if let Some(error) = result.error { " ± " (short(error)) } }
            None => { "a statement" }
        } }
        td.number { (least) " to " (greatest) }
        td.number { (found_text(found)) }
        td { (bullet(result, found)) span class=(verdict) { (verdict) } }
    }
}

/// A found value with its error, as text for users.
pub fn found_text(found: Measurement) -> String {
    with_error([found.value.unwrap_or(f64::NAN), found.error.unwrap_or(f64::NAN)])
}

fn section(outcome: &Outcome) -> Result<Markup, Failure> {
    let Outcome { experiment, plan, records, picture, .. } = outcome;
    let figures = charts(outcome).iter().map(Chart::figure).collect::<Result<Vec<_>, _>>()?;
    let drawn: Vec<usize> = measures(outcome).collect();
    let others = (0..plan.measures.len()).filter(|measure| !drawn.contains(measure));
    let others =
        others.map(|measure| figures_of_means(plan, records, measure)).collect::<Result<Vec<_>, _>>()?.concat();
    let sources = experiment.results.iter().filter_map(|result| Some((&result.title, result.source.as_ref()?)));
    Ok(html! {
        div.experiment id=(experiment.name) {
            h2 { (experiment.name) ": " (experiment.title) }
            p.note { (experiment.source) "." }
            @for (title, source) in sources { p.note { (title) ": " (source) "." } }
            @if let Some(note) = &experiment.note { p { (note) } }
            table {
                tr {
                    th { "result" } th.number { "published" } th.number { "band" } th.number { "found" }
                    th { "found within the band" }
                }
                @for (result, found, is_inside) in outcome.results() {
                    tr { td { (result.title) } (numbers(result, found, is_inside)) }
                }
            }
            p.facts {
                (grouped(plan.runs())) " runs, " (grouped(plan.seeds.len() as u64)) " seeds, "
                (grouped(plan.steps)) " steps, of which " (grouped(plan.warm_up)) " are not measured"
            }
            @if !picture.is_empty() {
                img alt={ "The swarm of " (experiment.name) }
                    src={ "data:image/png;base64," (BASE64_STANDARD.encode(picture)) };
            }
            div.plots { @for figure in figures.iter().chain(&others) { (figure) } }
            details { summary { "The text of the preset" } pre { (plan.text) } }
        }
    })
}
