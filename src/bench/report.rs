//! All results, and their JSON object.

use super::families::Family;
use super::hardware::Hardware;
use super::measure::{Figures, Measurement};
use super::timing::Spread;
use super::traffic;
use crate::readable::signed_boids;
use serde_json::{Value, json};

/// The results of a benchmark.
pub struct Report {
    pub hardware: Hardware,
    pub families: Vec<(Family, Vec<Measurement>)>,
    pub interrupted: bool,
}

impl Report {
    /// Whether there is a row, and the ledger of every row is balanced.
    pub fn is_valid(&self) -> bool {
        let mut figures = self.figures().peekable();
        figures.peek().is_some() && figures.all(Figures::is_valid)
    }

    /// The figures of all rows that were measured.
    pub fn figures(&self) -> impl Iterator<Item = &Figures> {
        self.rows().filter_map(|measured| measured.figures.as_ref().ok())
    }

    /// The rows that could not be measured, and why.
    pub fn left_out(&self) -> impl Iterator<Item = (&Measurement, &str)> {
        self.rows().filter_map(|measured| Some((measured, measured.figures.as_ref().err()?.as_str())))
    }

    fn rows(&self) -> impl Iterator<Item = &Measurement> {
        self.families.iter().flat_map(|(_, rows)| rows)
    }

    /// A message for every row whose ledger is not balanced.
    pub fn complaints(&self) -> impl Iterator<Item = String> {
        self.rows().filter_map(|measured| {
            let figures = measured.figures.as_ref().ok().filter(|figures| !figures.is_valid())?;
            let (label, lost) = (&measured.row.scenario.label, signed_boids(figures.lost));
            Some(format!(
                "{label}, {}, chain {}: {lost} boids are lost; the row is not valid",
                figures.engine, figures.chain
            ))
        })
    }

    /// The object that `--json` prints. Times are in seconds, bandwidths in bytes per second, losses in quanta.
    pub fn object(&self) -> Value {
        let families: Vec<Value> = self
            .families
            .iter()
            .map(|(family, rows)| {
                let rows: Vec<Value> = rows.iter().map(row).collect();
                json!({ "name": family.name, "title": family.title, "rows": rows })
            })
            .collect();
        json!({
            "hardware": self.hardware.object(),
            "valid": self.is_valid(),
            "interrupted": self.interrupted,
            "families": families,
        })
    }
}

fn spread(spread: Spread) -> Value {
    json!({ "median": spread.median, "least": spread.least, "most": spread.most })
}

fn row(measured: &Measurement) -> Value {
    let Measurement { row, figures } = measured;
    let scenario = &row.scenario;
    let cells = scenario.cells.as_ref();
    let mut object = json!({
        "label": scenario.label,
        "series": row.series,
        "at": row.at,
        "setup": row.setup.name(),
        "model": if cells.is_some() { "cell" } else { "agents" },
        "size": cells.map(|cells| format!("{}x{}", cells.size.0, cells.size.1)),
        "sight": cells.map(|cells| cells.sights.to_string()),
        "boids": scenario.boids,
        "preset": { "name": scenario.name, "text": scenario.text, "set": scenario.set },
    });
    match figures {
        Err(why) => object["left_out"] = json!(why),
        Ok(figures) => {
            let passes = figures.passes.iter().map(|(kernel, seconds)| json!({ "kernel": kernel, "seconds": seconds }));
            let lattice = figures.traffic.map(|planned| {
                let count = |bytes: u64| {
                    let (reached, share) = figures.bandwidth(bytes);
                    json!({ "bytes_a_cell": bytes, "bandwidth": reached, "share_of_copy": share })
                };
                json!({ "method": count(traffic::METHOD), "plan": count(planned) })
            });
            object["engine"] = json!(figures.engine);
            object["chain"] = json!(figures.chain);
            object["steps"] = json!(figures.steps);
            object["rounds"] = json!(figures.rounds);
            object["seconds_a_step"] = spread(figures.seconds);
            let rate = if cells.is_some() { "cells_a_second" } else { "agents_a_second" };
            object[rate] = json!(figures.rate());
            object["pairs_a_second"] = json!(figures.pairs());
            object["traffic"] = json!(lattice);
            object["copy_bandwidth"] = json!(figures.copied.map(spread));
            object["passes"] = json!(passes.collect::<Vec<_>>());
            object["lost"] = json!(figures.lost);
            object["valid"] = json!(figures.is_valid());
        }
    }
    object
}
