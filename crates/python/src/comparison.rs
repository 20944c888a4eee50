//! Comparisons of the two models, cells and individuals, for Python.

use crate::arguments::engine_of;
use crate::preset::PresetArguments;
use crate::values;
use crate::work::{detached, heard, run};
use murmuration::compare::measures::{record, units_of_columns};
use murmuration::compare::pair::choice_for_individuals;
use murmuration::compare::{Comparison, FinalResults, ModelPair, Pair, Resolution};
use murmuration::run::Scheduler;
use parking_lot::Mutex;
use pyo3::prelude::*;
use serde_json::{Value, json};

/// Plays a preset of cells twice: with its cells and with individuals. `every`: the number of steps between two rows.
/// `grain` (cells) and `occupied` (boids a cell): see [`Resolution`]. Returns a dictionary with the columns and their
/// units, the rows, and the results of the last step.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python's names stand for each of them")]
pub fn compare<'py>(
    py: Python<'py>,
    arguments: PresetArguments,
    steps: u64,
    every: u64,
    grain: u32,
    occupied: f64,
    engine: &str,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let choice = engine_of(engine, threads)?;
    let engines = ModelPair { cells: choice, individuals: choice_for_individuals(choice) };
    let pair = heard(py, move |_| {
        let (preset, chain) = arguments.load()?;
        Pair::new(preset, &chain, engines)
    })?;
    let mut comparison = Comparison::new(&pair, Resolution { grain, occupied }, every);
    let mut scheduler = Scheduler::new(steps);
    scheduler.add(&mut comparison);
    let pair = Mutex::new(pair);
    run(py, scheduler, |work| detached(py, || work(&mut pair.lock())))?;
    let end = heard(py, move |_| FinalResults::new(&mut pair.into_inner()))?;
    let cell = |cell: String| match (cell.parse::<i64>(), cell.parse::<f64>()) {
        (Ok(whole), _) => json!(whole),
        (_, Ok(decimal)) => json!(decimal),
        _ => Value::Null,
    };
    let rows: Vec<Vec<Value>> = comparison.rows.iter().map(|row| record(row).into_iter().map(cell).collect()).collect();
    let ModelPair { cells: spectrum, individuals: theirs } = &end.spectra;
    let wavelengths: Vec<f64> = (0..spectrum.values.len()).map(|index| spectrum.wavelength(index)).collect();
    values::to_python(
        py,
        &json!({
            "columns": units_of_columns(),
            "rows": rows,
            "hashes": { "cells": end.hashes.cells, "individuals": end.hashes.individuals },
            "lost": { "cells": end.accounts.cells.lost, "individuals": end.accounts.individuals.lost },
            "statistics": {
                "cells": end.statistics.cells.describe(),
                "individuals": end.statistics.individuals.describe(),
            },
            "spectra": { "wavelength": wavelengths, "cells": spectrum.values, "individuals": theirs.values },
        }),
    )
}
