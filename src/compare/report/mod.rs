//! The report of a comparison: a self-contained HTML page.

mod plots;
mod reading;

use super::comparison::{Comparison, FinalResults};
use super::grain::Resolution;
use super::measures::{AGREEMENTS, MEASURES};
use super::pair::{ModelPair, Pair};
use crate::html_page::html_page;
use crate::run::Stepper;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use maud::{Markup, html};
use murmuration_core::cells::numbers::Distribution;
use murmuration_core::error::Failure;
use murmuration_core::numbers::{ONE, RULE_ONE};
use murmuration_core::preset::{IndividualModel, Preset};
use murmuration_core::simulation::Account;
use murmuration_core::state::Entry;
use murmuration_core::text::readable::{boids, grouped, signed_boids};
use murmuration_core::world::{Edges, Mood, World};

/// The data of the page.
pub struct Report<'a> {
    pub pair: &'a Pair,
    pub comparison: &'a Comparison,
    /// The number of steps that was requested.
    pub planned: u64,
    /// Pictures of the comparison as JPEG, each with its step.
    pub pictures: &'a [(u64, Vec<u8>)],
    pub end: &'a FinalResults,
    /// The command that reproduces the report.
    pub command: &'a str,
    /// The provenance of the report, as a JSON object.
    pub record: &'a str,
}

impl Report<'_> {
    /// The HTML text of the page.
    ///
    /// # Errors
    /// If a plot cannot be drawn.
    pub fn page(&self) -> Result<String, Failure> {
        let preset = self.preset();
        let body = html! {
            (self.head())
            (self.reading())
            (self.pictures())
            (self.ledgers())
            (self.over_time()?)
            (self.at_the_end()?)
            (numbers(preset, self.theirs()))
            (definitions(self.comparison.resolution))
            (self.again())
        };
        Ok(html_page(&format!("{}: cells and individuals", preset.name), "", self.record, &body))
    }

    fn preset(&self) -> &Preset {
        self.pair.cells.preset()
    }

    fn theirs(&self) -> &Preset {
        self.pair.individuals.preset()
    }

    fn head(&self) -> Markup {
        let preset = self.preset();
        let extents = preset.world.extents;
        let step = self.pair.step();
        html! {
            h1 { (preset.name) }
            p.lead { (preset.description) }
            p { "One scene, played by two models: by the " b.cells { "cells" } " of a lattice, each with a density of \
                boids, and by "
                b.individuals { "individuals" } ", each with a position and a velocity of its own. Both have the same \
                start, the same rules with the same weights, and the same hunter." }
            p.facts {
                (grouped(extents.width.into())) " × " (grouped(extents.height.into())) " cells, "
                (edges(preset)) " · " (boids(self.end.accounts.cells.ledger.sum(Entry::Start))) " boids · "
                (grouped(step)) " steps · seed "
                (preset.seed) " · murmuration " (env!("CARGO_PKG_VERSION"))
            }
            @if step < self.planned {
                p.warning { "The run was ended at step " (grouped(step)) " of " (grouped(self.planned)) ". The report \
                    covers the steps until then." }
            }
        }
    }

    fn reading(&self) -> Markup {
        let rows = &self.comparison.rows;
        let findings = reading::findings(rows);
        let is_named =
            |finding: &&reading::Finding| finding.means.cells.is_some() || finding.means.individuals.is_some();
        let (alike, parted): (Vec<_>, Vec<_>) = findings.iter().filter(is_named).partition(|finding| finding.is_alike);
        let steps = reading::second_half(rows);
        let from = steps.first().map_or(0, |row| row.step);
        let figures = |finding: &reading::Finding| {
            let ModelPair { cells, individuals } = finding.means.map(reading::figure);
            if cells == individuals { format!("{cells} in both") } else { format!("{cells} and {individuals}") }
        };
        let pace = self.pair.pace();
        html! {
            h2 { "Agreement and differences" }
            p.note { "Means over the second half of the run, from step " (grouped(from)) " on: first the cells, then \
                the individuals. Values that differ by at most " (format!("{:.0}", 100.0 * reading::ALIKE)) " %, or by \
                an insignificant amount, count as equal." }
            @if !alike.is_empty() {
                p { b { "Equal: " }
                    @for (number, finding) in alike.iter().enumerate() {
                        @if number > 0 { ", " }
                        (finding.measure.title.to_lowercase()) " (" (figures(finding)) ")"
                    }
                    "."
                }
            }
            @if parted.is_empty() {
                p { "The models differ in no measure." }
            } @else {
                p { b { "The models differ in" } }
                ul {
                    @for finding in &parted {
                        li { b { (finding.measure.title.to_lowercase()) } " ("
                            (figures(finding)) "): " (finding.measure.why) }
                    }
                }
            }
            ul {
                @for sentence in reading::sentences(rows) { li { (sentence) } }
                li {
                    "A step of the cells took " (reading::figure(Some(pace.cells))) " ms, one of the individuals "
                    (reading::figure(Some(pace.individuals))) " ms (" (self.pair.cells.describe_engine()) ")."
                }
            }
        }
    }

    /// The first picture, the picture whose step is nearest to the middle of the run, and the last picture.
    fn pictures(&self) -> Markup {
        let steps = self.pair.step();
        let middle = self.pictures.iter().min_by_key(|(step, _)| step.abs_diff(steps / 2));
        let mut three: Vec<&(u64, Vec<u8>)> =
            self.pictures.first().into_iter().chain(middle).chain(self.pictures.last()).collect();
        three.dedup_by_key(|(step, _)| *step);
        html! {
            h2 { "Pictures" }
            p.note { "Both pictures have the same exposure; hue is the heading, brightness the density. The third \
                picture shows the difference of the mean densities of " (self.comparison.resolution.grain) " × "
                (self.comparison.resolution.grain) " cells: blue if the cells have more, orange if the individuals \
                have more." }
            @for (step, jpeg) in three {
                div.moment {
                    img alt={ "Cells, individuals and their difference at step " (step) }
                        src={ "data:image/jpeg;base64," (BASE64_STANDARD.encode(jpeg)) };
                }
            }
        }
    }

    fn ledgers(&self) -> Markup {
        let ModelPair { cells, individuals } = self.end.accounts;
        let rows =
            [("cells", cells, &self.end.hashes.cells), ("individuals", individuals, &self.end.hashes.individuals)];
        html! {
            h2 { "Ledgers" }
            table {
                tr {
                    th { "boids" }
                    @for name in ["start", "spawned", "caught", "now", "lost"] { th.number { (name) } }
                    th { "state hash" }
                }
                @for (name, Account { ledger, quanta, lost, .. }, hash) in rows {
                    tr {
                        td { b class=(name) { (name) } }
                        @for amount in
                            [ledger.sum(Entry::Start), ledger.sum(Entry::Spawned), ledger.sum(Entry::Caught), quanta]
                        {
                            td.number { (boids(amount)) }
                        }
                        td.number { (signed_boids(lost)) }
                        td { code { (hash) } }
                    }
                }
            }
            p.note { "start + spawned - caught - now = lost, exact in quanta (65 536 are one boid). The same preset \
                and seed give the same hashes on every machine and every engine." }
        }
    }

    fn over_time(&self) -> Result<Markup, Failure> {
        let rows = &self.comparison.rows;
        Ok(html! {
            h2 { "Over time" }
            div.plots { @for measure in &MEASURES { (plots::measure(rows, measure).figure()?) } }
            h2 { "Agreement over time" }
            p.note { "By chance: the value of the measure if the individuals were drawn independently from the density \
                of the cells at that step. Individuals that keep their distance are more evenly spread, and may agree \
                better." }
            div.plots { @for agreement in &AGREEMENTS { (plots::agreement(rows, agreement).figure()?) } }
        })
    }

    fn at_the_end(&self) -> Result<Markup, Failure> {
        let Some(last) = self.comparison.rows.last() else { return Ok(html! {}) };
        let histograms = last.of.map_ref(|model| model.histogram.clone());
        Ok(html! {
            h2 { "At the end" }
            div.plots {
                (plots::histograms(&histograms, self.comparison.resolution.grain).figure()?)
                (plots::spectra(&self.end.spectra).figure()?)
            }
        })
    }

    fn again(&self) -> Markup {
        let preset = self.preset();
        let written = preset.source();
        html! {
            h2 { "Reproduction" }
            pre { (self.command) }
            p.note { "murmuration " (env!("CARGO_PKG_VERSION")) " · chains " (self.pair.cells.chain().name) " and "
                (self.pair.individuals.chain().name) " · seed " (preset.seed) " · beside this page, "
                code { "measures.csv" } " has all measures of all rows, " code { "spectra.csv" } " the spectra of the \
                    last step, and "
                code { "frames/" } " the pictures." }
            details {
                summary { "The text of the preset" }
                pre { (written.text) }
            }
        }
    }
}

fn edges(preset: &Preset) -> &'static str {
    match preset.world.edges {
        Edges::Torus => "a torus",
        Edges::Walls => "between walls",
    }
}

/// The table of the parameters of both models.
fn numbers(preset: &Preset, theirs: &Preset) -> Markup {
    let (rules, world) = (&preset.rules, &preset.world);
    let decimal = |value: i32, one: i32| rounded(f64::from(value) / f64::from(one));
    let mut rows = theirs.individuals.as_ref().map_or_else(Vec::new, |model| rows_of_rules(preset, model));
    let mut both = |name: &str, cells: String, individuals: &str| rows.push([name.into(), cells, individuals.into()]);
    let crowd = (f64::from(rules.crowd) * f64::from(1u32 << rules.shift.min(31)) / 65536.0).to_string();
    for (name, value) in [
        ("crowd, boids per cell", crowd),
        ("kept share of the control vector", decimal(rules.keep, RULE_ONE)),
        ("cruising speed, cells per step", decimal(rules.cruise, ONE)),
        ("greatest speed, cells per step", decimal(rules.max, ONE)),
    ] {
        both(name, value.clone(), &value);
    }
    let distribution = match rules.distribution {
        Distribution::Nearest => "to the nearest neighbour",
        Distribution::Split => "split between two neighbours",
        Distribution::Bilinear => "bilinear, to three neighbours",
    };
    both("movement", distribution.into(), "by the velocity, to 1/65 536 cell");
    let wander = format!("{:.2} %", 100.0 * f64::from(rules.wander) / f64::from(ONE));
    both("wander, to each neighbour", wander, "none");
    let carried = if rules.carry { "carried with the boids, averaged per cell" } else { "stay in the cell" };
    both("control vectors", carried.into(), "one per individual");
    if world.margin > 0 {
        let margin = format!("{} cells", world.margin);
        both("margin at the walls", margin.clone(), &margin);
    }
    rows.extend(rows_of_hunters(world));
    html! {
        h2 { "Parameters" }
        table {
            tr { th {} th { b.cells { "cells" } } th { b.individuals { "individuals" } } }
            @for [name, cells, individuals] in rows {
                tr { td { (name) } td { (cells) } td { (individuals) } }
            }
        }
    }
}

/// The sights and weights of the rules that both models have. The columns are the name, the value of the cells, and the
/// value of the individuals.
fn rows_of_rules(preset: &Preset, model: &IndividualModel) -> Vec<[String; 3]> {
    let mut rows = Vec::new();
    for rule in model.first().set.rules().filter(|rule| rule.sees_neighbours()) {
        let (name, radius) = (rule.name(), model.first().radii[rule]);
        let written = |form: &str| preset.text_of(&format!("sight.{name}.{form}"));
        let form = match (written("disc"), written("box"), written("rings.directions"), written("rings.radii")) {
            (Some(radius), ..) => format!("a disc of {radius} cells"),
            (_, Some(reach), ..) => format!("a box of {reach} cells each way"),
            (.., Some(directions), Some(radii)) => format!("{directions} directions at {radii} cells"),
            _ => "a list".into(),
        };
        let count = preset.rules.sights.get(name).map_or(0, |sight| sight.vectors().len());
        let theirs = format!("a disc of {:.2} cells, of the same area", f64::from(radius) / 65536.0);
        rows.push([format!("sight of {name}"), format!("{form}, {count} in all"), theirs]);
    }
    let weights =
        model.weights.iter().map(|(name, weight)| [format!("weight of {name}"), rounded(*weight), rounded(*weight)]);
    rows.extend(weights);
    rows
}

/// The hunters of the preset, which no player leads. The columns are the name, the value of the cells, and the value of
/// the individuals.
fn rows_of_hunters(world: &World) -> impl Iterator<Item = [String; 3]> {
    world.hunters.iter().filter_map(|hunter| {
        let mood = if hunter.mood == Mood::Flee { "fled from" } else { "followed" };
        let jaws = if hunter.jaws > 0 { format!(", jaws of {} cells", hunter.jaws) } else { String::new() };
        let name = hunter.name()?;
        let way = f64::from(hunter.speed()) / 1024.0;
        let hunter = format!("{mood} within {} cells, {way:.2} cells per step{jaws}", hunter.reach);
        Some([name.into(), hunter.clone(), hunter])
    })
}

/// A number of a preset, rounded to three decimals.
fn rounded(value: f64) -> String {
    ((value * 1e3).round() / 1e3).to_string()
}

fn definitions(resolution: Resolution) -> Markup {
    let grain = resolution.grain;
    let noise = 100.0 / (f64::from(grain * grain)).sqrt();
    html! {
        h2 { "Methods" }
        p { "Polarisation, speed, milling and centres are of the individuals themselves. All else is measured on the \
            lattice of the cells. Individuals are deposited on it, one boid each; the mean of their velocities in a \
            cell is its control vector " i { "V" } ". " i { "D" } " is the density in boids. Individuals and densities \
            cannot be compared cell by cell: where the density of the cells is 0.3, the individuals have 0 or 1. Local \
            measures therefore use the coarse-grained density "
            i { "D̄" } ", the mean over the " (grain) " × " (grain) " cells around a cell, a moving mean that wraps on \
            a torus. At one boid per cell its shot noise for individuals is " (format!("{noise:.0}")) " % \
            (1/√(n²·density)); the curves \"by chance\" show the difference that this alone causes. A cell is occupied \
            if " i { "D̄" } " is at least "
            (resolution.occupied) " boids per cell, which is "
            (format!("{:.1}", resolution.occupied * f64::from(grain * grain))) " boids in a grain; fewer may be \
            chance, or the thin fringe of a density." }
        table {
            tr { th { "measure" } th { "unit" } th { "definition" } }
            @for measure in &MEASURES {
                tr { td { (measure.title) } td { (measure.unit) } td { (measure.definition) } }
            }
            @for agreement in &AGREEMENTS {
                tr { td { (agreement.title) } td { (agreement.unit) } td { (agreement.definition) } }
            }
            tr { td { "Spectrum" } td { "S" } td {
                "The structure factor |Σ D·e^(-2πi f·x)|² / Σ D, averaged over all directions of f. Independent random \
                positions have S = 1, the shot noise. Individuals drawn from a density have its S plus 1, so that \
                their curve is above that of the cells where S is small. A value below 1 means that they are more \
                evenly spread than by chance, an effect of separation. There is no coarse-graining here. The lattice \
                counts as a torus, also between walls."
            } }
        }
    }
}
