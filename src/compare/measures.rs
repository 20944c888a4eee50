//! The measures of both models at a step, and their definitions.

use super::agreement::{Histogram, overlap, sampled};
use super::clusters::Clusters;
use super::grain::{CoarseDensity, Resolution};
use super::pair::ModelPair;
use crate::observe::Observation;
use murmuration_core::measures::Measures as SwarmMeasures;
use murmuration_core::preset::Preset;
use murmuration_core::state::{Ledger, State, boids};
use murmuration_core::world::Edges;

/// The measures of one model at one step.
#[derive(Debug, Clone, PartialEq)]
pub struct Measures {
    pub observation: Observation,
    /// The maximum density of a cell of the lattice, in boids.
    pub greatest_density: f64,
    /// The share of the free cells that are occupied.
    pub occupied: f64,
    pub clusters: Clusters,
    pub histogram: Histogram,
    /// The wall-clock milliseconds per step since the last row; `None` in the first row.
    pub milliseconds: Option<f64>,
}

/// The measures of both models at one step.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub step: u64,
    pub of: ModelPair<Measures>,
    /// The Jensen–Shannon distance between the histogram of the cells and the histogram of the individuals, from 0 to
    /// 1.
    pub distance: f64,
    /// The Jensen–Shannon distance between the histogram of the cells and the histogram of a random sample of their
    /// density.
    pub distance_by_chance: f64,
    pub overlap: Option<f64>,
    pub overlap_by_chance: Option<f64>,
    /// The distance of the two centres of mass, in cells; `None` if a centre is not defined.
    pub apart: Option<f64>,
}

/// The data of one model at one step.
pub struct ModelSample<'a> {
    /// The swarm on the lattice.
    pub state: &'a State,
    /// The measures of the individuals themselves, or of the cells.
    pub measures: SwarmMeasures,
    /// The liveliness over the last 1000 steps, from 0 to 1; `None`: it was not sampled.
    pub liveliness: Option<f64>,
    /// The number of quanta of the whole swarm. The sum over the lattice is smaller if cells are full.
    pub quanta: u64,
    pub ledger: Ledger,
    /// The wall-clock milliseconds per step since the last row; `None` in the first row.
    pub milliseconds: Option<f64>,
}

/// Measures both models of a scene. Returns the row of the step, and the mean densities around every cell of both
/// models.
pub fn measure(
    step: u64,
    preset: &Preset,
    resolution: Resolution,
    samples: &ModelPair<ModelSample<'_>>,
) -> (Row, ModelPair<CoarseDensity>) {
    let world = &preset.world;
    let coarse = samples.map_ref(|sample| CoarseDensity::new(sample.state, world, resolution.grain));
    let of_one = |sample: &ModelSample<'_>, coarse: &CoarseDensity| {
        let observation = Observation::from_measures(step, &sample.measures, world, &sample.ledger);
        let clusters = Clusters::new(sample.state, coarse, world.edges, resolution);
        Measures {
            greatest_density: boids(sample.state.layers[0].density.iter().copied().max().unwrap_or(0).into()),
            occupied: clusters.cells as f64 / coarse.free().max(1) as f64,
            histogram: Histogram::new(coarse),
            clusters,
            observation: Observation {
                liveliness: sample.liveliness,
                ..observation.with_total(sample.quanta, &sample.ledger)
            },
            milliseconds: sample.milliseconds,
        }
    };
    let of = ModelPair {
        cells: of_one(&samples.cells, &coarse.cells),
        individuals: of_one(&samples.individuals, &coarse.individuals),
    };
    let by_chance = CoarseDensity::new(&sampled(samples.cells.state, preset.seed, step), world, resolution.grain);
    let [width, height] = [world.extents.width, world.extents.height].map(f64::from);
    // An offset of exactly half a torus has two possible signs, but its length is defined.
    let apart = |from: [f64; 2], to: [f64; 2]| {
        let along = |axis: usize, extent: f64| shortest(to[axis] - from[axis], extent, world.edges);
        along(0, width).hypot(along(1, height))
    };
    let row = Row {
        step,
        distance: of.cells.histogram.distance(&of.individuals.histogram),
        distance_by_chance: of.cells.histogram.distance(&Histogram::new(&by_chance)),
        overlap: overlap(&coarse.cells, &coarse.individuals),
        overlap_by_chance: overlap(&coarse.cells, &by_chance),
        apart: centre(&of.cells.observation).zip(centre(&of.individuals.observation)).map(|(from, to)| apart(from, to)),
        of,
    };
    (row, coarse)
}

/// The offset along an axis from one place to another. On a torus it is the shortest of the equivalent offsets.
fn shortest(offset: f64, extent: f64, edges: Edges) -> f64 {
    if edges == Edges::Walls { offset } else { offset - extent * (offset / extent).round() }
}

fn centre(observation: &Observation) -> Option<[f64; 2]> {
    Some([observation.centre[0]?, observation.centre[1]?])
}

/// The definition of a measure of one model.
pub struct Measure {
    /// The name of the measure. The columns of the table have this name with `_cells` or `_individuals` after it.
    pub name: &'static str,
    pub title: &'static str,
    pub unit: &'static str,
    /// The definition, a text for the report.
    pub definition: &'static str,
    /// The reasons why the models may differ in this measure, a text for the report.
    pub why: &'static str,
    /// Two values that differ by at most this amount count as equal.
    pub slight: f64,
    pub of: fn(&Measures) -> Option<f64>,
}

/// The measures of one model, in the order of the table. D is the density of a cell, V its control vector, and D̄ the
/// mean density of its grain. Sums run over the cells.
pub const MEASURES: [Measure; 11] = [
    Measure {
        name: "boids",
        title: "Boids",
        unit: "boids",
        definition: "Σ D. An exact integer sum: it changes only by the entries of the ledger.",
        why: "A hunter catches different amounts if the swarms are in different places.",
        slight: 0.5,
        of: |measures| Some(measures.observation.boids),
    },
    Measure {
        name: "polarisation",
        title: "Polarisation",
        unit: "0 to 1",
        definition: "|Σ D·V/|V|| / Σ D, for individuals the mean over their own headings: 1 if all headings are equal, \
            0 if they cancel.",
        why: "Boids that meet in a cell get one heading at once, their mean; individuals keep their own until \
              alignment has turned them.",
        slight: 0.05,
        of: |measures| Some(measures.observation.polarisation),
    },
    Measure {
        name: "mean_speed",
        title: "Mean speed",
        unit: "cells per step",
        definition: "Σ D·|V| / Σ D, for individuals the mean of their own speeds.",
        why: "A cell has only the mean of the velocities that meet in it, which is shorter than they are; individuals \
              keep their own, pass through each other, and jitter in a crowd at rest.",
        slight: 0.02,
        of: |measures| Some(measures.observation.mean_speed),
    },
    Measure {
        name: "milling",
        title: "Milling",
        unit: "0 to 1",
        definition: "|Σ D·(r̂ × v̂)| / Σ D, with the unit offset r̂ from the centre of mass (the short way round a \
                     torus) and the unit heading v̂: 1 if all circle one way. None if there is no centre.",
        why: "Cohesion holds a mill together; on the lattice, diffusion carries boids out of it.",
        slight: 0.05,
        of: |measures| measures.observation.milling,
    },
    Measure {
        name: "liveliness",
        title: "Liveliness",
        unit: "0 to 1",
        definition: "The least of five parts over the last 1000 steps: entropy and variance of headings, travel, \
                     change, smoothness. None before 1000 steps.",
        why: "The density of cells has waves as short as two cells, and spreads; individuals have neither.",
        slight: 0.1,
        of: |measures| measures.observation.liveliness,
    },
    Measure {
        name: "occupied",
        title: "Area occupied",
        unit: "share of the free cells",
        definition: "The share of the cells that are not solid with D̄ at least the threshold.",
        why: "A density spreads: wander gives a little of every cell to its neighbours, and a movement by a fraction \
              of a cell is split among several (upwind diffusion). The result is a fringe of fractions of boids, which \
              individuals do not have.",
        slight: 0.01,
        of: |measures| Some(measures.occupied),
    },
    Measure {
        name: "clusters",
        title: "Clusters",
        unit: "number",
        definition: "Connected sets of occupied cells that are not empty; cells touch by a side or a corner, also \
                     across the edge of a torus.",
        why: "Individuals are few, so that chance thins their bridges and leaves stragglers: their clusters break into \
              more pieces than those of a smooth density.",
        slight: 2.5,
        of: |measures| Some(measures.clusters.sizes.len() as f64),
    },
    Measure {
        name: "largest_cluster",
        title: "Largest cluster",
        unit: "boids",
        definition: "The boids in the largest cluster, Σ D over its cells.",
        why: "One bridge joins or separates two clusters: of all measures this one depends most on chance.",
        slight: 5.0,
        of: |measures| Some(measures.clusters.sizes.first().map_or(0.0, |quanta| boids(*quanta))),
    },
    Measure {
        name: "mean_cluster",
        title: "Mean cluster",
        unit: "boids",
        definition: "The mean number of boids in a cluster; 0 without clusters.",
        why: "It follows from the number of clusters.",
        slight: 5.0,
        of: |measures| {
            let sizes = &measures.clusters.sizes;
            Some(boids(sizes.iter().sum()) / sizes.len().max(1) as f64)
        },
    },
    Measure {
        name: "greatest_density",
        title: "Greatest density",
        unit: "boids per cell",
        definition: "The greatest D, without coarse-graining: of individuals it is the greatest number in a cell.",
        why: "The maximum of many random numbers is far above their mean; a density has no such noise.",
        slight: 1.0,
        of: |measures| Some(measures.greatest_density),
    },
    Measure {
        name: "milliseconds",
        title: "Time",
        unit: "ms per step",
        definition: "The mean time of a step since the last row, without measuring and drawing. Cells cost by their \
                     number, individuals by their number and that of their neighbours.",
        why: "It depends on the machine.",
        slight: 0.0,
        of: |measures| measures.milliseconds,
    },
];

/// The value of a measure in a row; `None` if it is not defined.
type RowValue = fn(&Row) -> Option<f64>;

/// The definition of a measure of the agreement of both models.
pub struct Agreement {
    /// The name of the column of the table.
    pub name: &'static str,
    pub title: &'static str,
    pub unit: &'static str,
    pub definition: &'static str,
    pub of: RowValue,
    /// The column and the value of the same measure for a random sample of the density of the cells; `None`: there is
    /// no such column.
    pub by_chance: Option<(&'static str, RowValue)>,
}

/// The agreements in the order of the table.
pub const AGREEMENTS: [Agreement; 3] = [
    Agreement {
        name: "js_distance",
        title: "Distance of the histograms",
        unit: "Jensen–Shannon, 0 to 1",
        definition: "√(½·Σ p·log₂(p/m) + ½·Σ q·log₂(q/m)), m = (p + q)/2, of the shares p and q of the free cells \
                     whose grain holds 0, 1, 2–3, 4–7, … boids, rounded to nearest: 0 for equal histograms, 1 for \
                     disjoint ones.",
        of: |row| Some(row.distance),
        by_chance: Some(("js_distance_by_chance", |row| Some(row.distance_by_chance))),
    },
    Agreement {
        name: "overlap",
        title: "Overlap",
        unit: "0 to 1",
        definition: "2·Σ min(D̄, D̄′) / Σ (D̄ + D̄′): the share of the boids that are in the same places in both \
            models.",
        of: |row| row.overlap,
        by_chance: Some(("overlap_by_chance", |row| row.overlap_by_chance)),
    },
    Agreement {
        name: "centres_apart",
        title: "Distance of the centres of mass",
        unit: "cells",
        definition: "The distance of the mean positions; on a torus the shortest distance of the circular means. None \
                     if a swarm is balanced all around a torus; if it nearly is, the distance means little.",
        of: |row| row.apart,
        by_chance: None,
    },
];

/// All measures except the time of a step, which depends on the machine.
pub fn of_swarm() -> impl Iterator<Item = &'static Measure> {
    MEASURES.iter().filter(|measure| measure.name != "milliseconds")
}

/// The columns of the table in their order, each with its unit.
pub fn units_of_columns() -> Vec<(String, &'static str)> {
    let mut columns = vec![("step".to_owned(), "step")];
    let of_both =
        |(name, unit): (&str, &'static str)| ["cells", "individuals"].map(|model| (format!("{name}_{model}"), unit));
    columns.extend(MEASURES.iter().flat_map(|measure| of_both((measure.name, measure.unit))));
    for agreement in &AGREEMENTS {
        columns.push((agreement.name.to_owned(), agreement.unit));
        columns.extend(agreement.by_chance.map(|(name, _)| (name.to_owned(), agreement.unit)));
    }
    columns.extend(["lost", "caught"].into_iter().flat_map(|name| of_both((name, "1/65536 boid"))));
    columns
}

/// The names of the columns of the table in their order.
pub fn columns() -> Vec<String> {
    units_of_columns().into_iter().map(|(name, _)| name).collect()
}

/// A row of the table. Undefined values are empty. Amounts that were lost or caught are in quanta.
pub fn record(row: &Row) -> Vec<String> {
    let decimal = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    let both = [&row.of.cells, &row.of.individuals];
    let mut record = vec![row.step.to_string()];
    record.extend(MEASURES.iter().flat_map(|measure| both.map(|model| decimal((measure.of)(model)))));
    for agreement in &AGREEMENTS {
        record.push(decimal((agreement.of)(row)));
        record.extend(agreement.by_chance.map(|(_, of)| decimal(of(row))));
    }
    record.extend(both.map(|model| model.observation.lost.to_string()));
    record.extend(both.map(|model| model.observation.caught.to_string()));
    record
}
