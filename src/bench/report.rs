//! All results, and their JSON object.

use super::families::{Family, Work};
use super::figures::Figures;
use super::hardware::Hardware;
use super::measure::{MIN_TRAFFIC, Measurement};
use super::timing::Spread;
use serde_json::{Value, json};

/// The results of a benchmark.
pub struct Report {
    pub hardware: Hardware,
    pub families: Vec<(Family, Vec<Measurement>)>,
    pub is_interrupted: bool,
}

impl Report {
    /// Whether there is a row, every row has a balanced account, and no state differs from the CPU's state.
    pub fn is_valid(&self) -> bool {
        let mut figures = self.rows().filter_map(|measured| measured.figures.as_ref().ok()).peekable();
        figures.peek().is_some() && figures.all(Figures::is_valid)
    }

    pub fn rows(&self) -> impl Iterator<Item = &Measurement> {
        self.families.iter().flat_map(|(_, rows)| rows)
    }

    /// The reason why the results are not complete or not valid; `None` if they are complete and valid.
    pub fn warning(&self) -> Option<&'static str> {
        match (self.is_valid(), self.is_interrupted) {
            (false, _) => {
                Some("Not valid: the ledger is off, a state differs from the CPU's, or nothing was measured.")
            }
            (true, true) => Some("Interrupted: there are fewer repetitions or rows than there should be."),
            (true, false) => None,
        }
    }

    /// The results as a table with a header and a row for each measured row. Times are in seconds per step.
    pub fn table(&self) -> Vec<Vec<String>> {
        let head = ["family", "label", "setup", "chain", "at", "rounds", "median", "least", "most", "a_second", "lost"];
        let rows = self.families.iter().flat_map(|(family, rows)| rows.iter().map(move |row| (family, row)));
        let row = |(family, Measurement { row, figures }): (&Family, &Measurement)| {
            let figures = figures.as_ref().ok()?;
            let names = [family.name, &row.scenario.label, &row.setup.name(), &figures.chain].map(str::to_owned);
            let Spread { median, least, most } = figures.seconds;
            let numbers = [row.at, figures.rounds as f64, median, least, most, figures.rate(), figures.lost as f64];
            Some(names.into_iter().chain(numbers.map(|number| number.to_string())).collect())
        };
        std::iter::once(head.map(str::to_owned).to_vec()).chain(rows.filter_map(row)).collect()
    }

    /// The object that `--json` prints. Times are in seconds, bandwidths in bytes per second, lost amounts in quanta.
    pub fn object(&self) -> Value {
        let family = |(family, rows): &(Family, Vec<Measurement>)| {
            let rows: Vec<Value> = rows.iter().map(row).collect();
            json!({ "name": family.name, "title": family.title, "rows": rows })
        };
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "hardware": self.hardware,
            "valid": self.is_valid(),
            "interrupted": self.is_interrupted,
            "families": self.families.iter().map(family).collect::<Vec<_>>(),
        })
    }
}

fn row(measured: &Measurement) -> Value {
    let Measurement { row, figures } = measured;
    let scenario = &row.scenario;
    let cells = scenario.cells.as_ref();
    let model = match row.work {
        Work::Rock(_) => "terrain",
        Work::Frame => "frame",
        Work::Steps if cells.is_some() => "cell",
        Work::Steps => "agents",
    };
    let rate = match row.work.unit() {
        Some(unit) => format!("{unit}_a_second"),
        None if cells.is_some() => "cells_a_second".into(),
        None => "agents_a_second".into(),
    };
    let mut object = json!({
        "label": scenario.label,
        "series": row.series,
        "at": row.at,
        "setup": row.setup.name(),
        "model": model,
        "size": cells.map(|cells| cells.extents.to_string()),
        "sight": cells.map(|cells| &cells.sights.label),
        "boids": scenario.boids,
        "preset": { "name": scenario.name, "text": scenario.text, "set": scenario.set },
    });
    let more = match figures {
        Err(why) => json!({ "left_out": why }),
        Ok(figures) => {
            let passes = figures.passes.iter().map(|(kernel, seconds)| json!({ "kernel": kernel, "seconds": seconds }));
            let count = |bytes: u64| {
                let (reached, share) = figures.bandwidth(bytes);
                json!({ "bytes_a_cell": bytes, "bandwidth": reached, "share_of_copy": share })
            };
            let traffic = |planned| json!({ "method": count(MIN_TRAFFIC), "plan": count(planned) });
            json!({
                "engine": figures.engine,
                "chain": figures.chain,
                "steps": figures.steps,
                "rounds": figures.rounds,
                "seconds_a_step": figures.seconds,
                rate: figures.rate(),
                "pairs_a_second": figures.pairs_a_second(),
                "traffic": figures.traffic.map(traffic),
                "copy_bandwidth": figures.copied,
                "passes": passes.collect::<Vec<_>>(),
                "lost": figures.lost,
                "same_as_cpu": figures.is_same_as_cpu,
                "not_compared": figures.not_compared,
                "valid": figures.is_valid(),
            })
        }
    };
    if let (Value::Object(object), Value::Object(more)) = (&mut object, more) {
        object.extend(more);
    }
    object
}
