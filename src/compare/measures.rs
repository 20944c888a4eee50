//! What is measured of both models at a step, and what each measure means.

use super::agreement::{overlap, sampled};
use super::clusters::Clusters;
use super::grain::{Coarse, Lens};
use super::histogram::Histogram;
use super::milling::milling;
use super::pair::Both;
use crate::observe::Observation;
use crate::preset::Preset;
use crate::state::{Ledger, State, boids};
use crate::world::Edges;

/// One model at one step.
#[derive(Debug, Clone, PartialEq)]
pub struct Measures {
    pub observation: Observation,
    pub milling: Option<f64>,
    /// Occupied cells, of those that can hold boids.
    pub occupied: f64,
    pub clusters: Clusters,
    pub histogram: Histogram,
    /// Milliseconds a step since the last row; `None` in the first one.
    pub milliseconds: Option<f64>,
}

/// Both models at one step.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub step: u64,
    pub of: Both<Measures>,
    /// The Jensen–Shannon distance of the two histograms.
    pub distance: f64,
    /// The same between the cells and individuals that chance draws from their density.
    pub distance_by_chance: f64,
    pub overlap: Option<f64>,
    pub overlap_by_chance: Option<f64>,
    /// Cells between the two centres of mass.
    pub apart: Option<f64>,
}

/// What a state is measured with.
pub struct Scale<'a> {
    pub preset: &'a Preset,
    pub lens: Lens,
}

/// One model as it is read at a step.
pub struct Reading<'a> {
    /// What the lattice has of it.
    pub state: &'a State,
    /// All there is, in quanta, whatever a lattice can show of it.
    pub quanta: u64,
    pub ledger: Ledger,
    /// Milliseconds a step since the last row.
    pub milliseconds: Option<f64>,
}

impl Scale<'_> {
    /// The mean densities around every cell of both.
    pub fn coarse(&self, states: Both<&State>) -> Both<Coarse> {
        states.map(|state| Coarse::new(state, &self.preset.world, self.lens.grain))
    }

    /// Measures two states of one scene, with their mean densities.
    pub fn measure(&self, step: u64, read: Both<Reading<'_>>, coarse: &Both<Coarse>) -> Row {
        let world = &self.preset.world;
        let of_one = |read: &Reading<'_>, coarse: &Coarse| {
            let observation = Observation::of(step, read.state, world, &self.preset.rules, &read.ledger);
            let clusters = Clusters::of(read.state, coarse, world.edges, self.lens);
            Measures {
                milling: centre(&observation).and_then(|centre| milling(read.state, centre, world.edges)),
                occupied: clusters.cells as f64 / coarse.free().max(1) as f64,
                histogram: Histogram::of(coarse),
                clusters,
                observation: observation.with_total(read.quanta, &read.ledger),
                milliseconds: read.milliseconds,
            }
        };
        let of = Both {
            cells: of_one(&read.cells, &coarse.cells),
            individuals: of_one(&read.individuals, &coarse.individuals),
        };
        let by_chance = Coarse::new(&sampled(read.cells.state, self.preset.seed, step), world, self.lens.grain);
        let [width, height] = [world.extents.width, world.extents.height].map(f64::from);
        let apart = centre(&of.cells.observation).zip(centre(&of.individuals.observation)).map(|(from, to)| {
            // A distance, unlike a way, is there at exactly half a torus too.
            let along = |axis: usize, extent: f64| match world.edges {
                Edges::Walls => to[axis] - from[axis],
                Edges::Torus => {
                    let straight = (to[axis] - from[axis]).rem_euclid(extent);
                    straight.min(extent - straight)
                }
            };
            along(0, width).hypot(along(1, height))
        });
        Row {
            step,
            distance: of.cells.histogram.distance(&of.individuals.histogram),
            distance_by_chance: of.cells.histogram.distance(&Histogram::of(&by_chance)),
            overlap: overlap(&coarse.cells, &coarse.individuals),
            overlap_by_chance: overlap(&coarse.cells, &by_chance),
            apart,
            of,
        }
    }
}

fn centre(observation: &Observation) -> Option<[f64; 2]> {
    Some([observation.centre_x?, observation.centre_y?])
}

/// A measure of one model.
pub struct Measure {
    /// The column of the table, in front of `_cells` and `_individuals`.
    pub name: &'static str,
    pub title: &'static str,
    pub unit: &'static str,
    /// What it is, and how it is computed.
    pub definition: &'static str,
    /// Why the models may part in it.
    pub why: &'static str,
    /// A difference that is none, however small the values are.
    pub slight: f64,
    pub of: fn(&Measures) -> Option<f64>,
}

/// Every measure of one model, in the order of the table. D is the density of a cell and V its control vector, sums run
/// over the cells; D̄ is the mean density of a grain.
pub const MEASURES: [Measure; 10] = [
    Measure {
        name: "boids",
        title: "Boids",
        unit: "boids",
        definition: "Σ D. A sum of integers, and exact: it changes only by what the ledger says.",
        why: "What a hunter catches differs where the swarms stand elsewhere.",
        slight: 0.5,
        of: |measures| Some(measures.observation.boids),
    },
    Measure {
        name: "polarisation",
        title: "Polarisation",
        unit: "0 to 1",
        definition: "|Σ D·V/|V|| / Σ D: 1 where all head the same way, 0 where headings cancel.",
        why: "All who meet in a cell have one heading at once, their mean; individuals keep their own until alignment has \
              turned them.",
        slight: 0.05,
        of: |measures| Some(measures.observation.polarisation),
    },
    Measure {
        name: "mean_speed",
        title: "Mean speed",
        unit: "cells a step",
        definition: "Σ D·|V| / Σ D.",
        why: "A cell has only the mean of the headings that meet in it, which is slower than they are; individuals keep their \
              own, pass through each other, and jitter in a crowd that is at rest.",
        slight: 0.02,
        of: |measures| Some(measures.observation.mean_speed),
    },
    Measure {
        name: "milling",
        title: "Milling",
        unit: "-1 to 1",
        definition: "Σ D·(r × V) / Σ D·|r||V|, with r the way from the centre of mass (the short way round a torus): 1 where all \
                     circle from x towards y, -1 the other way. None where nobody moves, or where there is no centre.",
        why: "A mill is held together by cohesion; what strays on the lattice leaves it.",
        slight: 0.05,
        of: |measures| measures.milling,
    },
    Measure {
        name: "occupied",
        title: "Area occupied",
        unit: "share of the free cells",
        definition: "The share of the cells that are not solid with D̄ at least the threshold.",
        why: "A density spreads: wander gives a little of every cell to its neighbours, and a movement by a part of a cell is \
              split among several (upwind diffusion). A fringe of parts of boids follows. Individuals are somewhere, or not.",
        slight: 0.01,
        of: |measures| Some(measures.occupied),
    },
    Measure {
        name: "clusters",
        title: "Clusters",
        unit: "number",
        definition: "Connected sets of occupied cells that hold anything; cells touch by a side or a corner, also across the \
                     edge of a torus.",
        why: "Individuals are few, so that chance thins their bridges and leaves stragglers: clusters of points break into \
              more pieces than those of a density, which is smooth.",
        slight: 2.5,
        of: |measures| Some(measures.clusters.sizes.len() as f64),
    },
    Measure {
        name: "largest_cluster",
        title: "Largest cluster",
        unit: "boids",
        definition: "The most that a cluster holds, Σ D over its cells.",
        why: "One bridge more or less joins two clusters, or parts them: of all measures this one depends most on chance.",
        slight: 5.0,
        of: |measures| Some(measures.clusters.sizes.first().map_or(0.0, |quanta| boids(*quanta))),
    },
    Measure {
        name: "mean_cluster",
        title: "Mean cluster",
        unit: "boids",
        definition: "What the clusters hold on average; 0 without any.",
        why: "It follows from their number.",
        slight: 5.0,
        of: |measures| {
            let sizes = &measures.clusters.sizes;
            Some(boids(sizes.iter().sum()) / sizes.len().max(1) as f64)
        },
    },
    Measure {
        name: "greatest_density",
        title: "Greatest density",
        unit: "boids a cell",
        definition: "The greatest D. Without a grain: of individuals it is how many share a cell.",
        why: "The greatest of many random numbers lies far above their mean; a density has no such noise.",
        slight: 1.0,
        of: |measures| Some(measures.observation.greatest_density),
    },
    Measure {
        name: "milliseconds",
        title: "Time",
        unit: "ms a step",
        definition: "Of the steps alone, without what is measured and drawn: a mean since the row before. Cells cost by their \
                     number, individuals by theirs and by how many neighbours each has.",
        why: "It is the machine's, and not the swarm's.",
        slight: 0.0,
        of: |measures| measures.milliseconds,
    },
];

/// A value of a row, where there is one.
type OfRow = fn(&Row) -> Option<f64>;

/// How alike the two models are in one respect.
pub struct Agreement {
    /// The column of the table.
    pub name: &'static str,
    pub title: &'static str,
    pub unit: &'static str,
    pub definition: &'static str,
    pub of: OfRow,
    /// What it would be if individuals were drawn from the density of the cells, and its column.
    pub by_chance: Option<(&'static str, OfRow)>,
}

/// Every agreement, in the order of the table.
pub const AGREEMENTS: [Agreement; 3] = [
    Agreement {
        name: "js_distance",
        title: "Distance of the histograms",
        unit: "Jensen–Shannon, 0 to 1",
        definition: "√(½·Σ p·log₂(p/m) + ½·Σ q·log₂(q/m)), m = (p + q)/2, of the shares p and q of the free cells whose grain holds \
                     0, 1, 2–3, 4–7, … boids, to the nearest one: 0 for the same histograms, 1 for such that share nothing.",
        of: |row| Some(row.distance),
        by_chance: Some(("js_distance_by_chance", |row| Some(row.distance_by_chance))),
    },
    Agreement {
        name: "overlap",
        title: "Overlap",
        unit: "0 to 1",
        definition: "2·Σ min(D̄, D̄′) / Σ (D̄ + D̄′): the share of the boids that stand in the same places in both models.",
        of: |row| row.overlap,
        by_chance: Some(("overlap_by_chance", |row| row.overlap_by_chance)),
    },
    Agreement {
        name: "centres_apart",
        title: "Distance of the centres of mass",
        unit: "cells",
        definition: "Between the means of all places, on a torus the circular means, the short way. None where a swarm is \
                     balanced all around a torus; where it nearly is, a distance says little.",
        of: |row| row.apart,
        by_chance: None,
    },
];

/// The columns of the table.
pub fn columns() -> Vec<String> {
    let mut columns = vec!["step".to_owned()];
    columns.extend(
        MEASURES.iter().flat_map(|measure| ["cells", "individuals"].map(|model| format!("{}_{model}", measure.name))),
    );
    for agreement in &AGREEMENTS {
        columns.push(agreement.name.to_owned());
        columns.extend(agreement.by_chance.map(|(name, _)| name.to_owned()));
    }
    columns.extend(["lost_cells", "lost_individuals", "caught_cells", "caught_individuals"].map(str::to_owned));
    columns
}

/// A row of the table; what there is not is empty. Amounts that were lost or caught are in quanta.
pub fn record(row: &Row) -> Vec<String> {
    let decimal = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    let Both { cells, individuals } = &row.of;
    let mut record = vec![row.step.to_string()];
    record.extend(MEASURES.iter().flat_map(|measure| [cells, individuals].map(|model| decimal((measure.of)(model)))));
    for agreement in &AGREEMENTS {
        record.push(decimal((agreement.of)(row)));
        record.extend(agreement.by_chance.map(|(_, of)| decimal(of(row))));
    }
    record.extend([cells.observation.lost, individuals.observation.lost].map(|quanta| quanta.to_string()));
    record.extend([cells.observation.caught, individuals.observation.caught].map(|quanta| quanta.to_string()));
    record
}
