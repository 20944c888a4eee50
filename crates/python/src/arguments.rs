//! Converts and checks arguments of Python functions.

use crate::errors::{exception, wrong};
use murmuration::{CpuOptions, EngineChoice, Mood, Place};
use murmuration_core::parallel::check_threads;
use murmuration_core::world::MAX_PLACE;
use pyo3::prelude::*;
use std::str::FromStr;

/// The engine with this name. `threads`: the number of threads, for the CPU only.
pub fn engine_of(engine: &str, threads: Option<usize>) -> PyResult<EngineChoice> {
    let choice = EngineChoice::from_str(engine).map_err(|wrong| exception(wrong.into()))?;
    threads.map_or(Ok(()), check_threads).map_err(|wrong| exception(wrong.into()))?;
    match (choice, threads) {
        (EngineChoice::Gpu(_), Some(_)) => {
            Err(wrong("threads", "is for the CPU engine", "take it away, or ask for engine=\"cpu\""))
        }
        (EngineChoice::Cpu(options), _) => Ok(EngineChoice::Cpu(CpuOptions { threads, ..options })),
        (EngineChoice::Auto, Some(_)) => Ok(EngineChoice::Cpu(CpuOptions { threads, ..CpuOptions::default() })),
        (choice, None) => Ok(choice),
    }
}

/// The place of a hunter (1/16 cell) from two or three numbers in cells.
pub fn place_of(at: &[f64]) -> PyResult<Place> {
    check_place(at)?;
    Ok(match *at {
        [x, y] => Place::from_cells([x, y]),
        [x, y, z] => Place::from_cells([x, y, z]),
        _ => unreachable!("checked"),
    })
}

/// The mood with this name: whether the swarm flees from a hunter or follows it.
pub fn mood_of(name: &str) -> PyResult<Mood> {
    match name {
        "flee" => Ok(Mood::Flee),
        "follow" => Ok(Mood::Follow),
        other => Err(wrong("mood", format!("`{other}` is no mood"), "use \"flee\" or \"follow\"")),
    }
}

/// The weight of a rule in Q10, from a number from -32 to 32.
pub fn weight_of(weight: f64) -> PyResult<i32> {
    if !(weight.abs() <= 32.0) {
        return Err(wrong("weight", format!("{weight} is out of bounds"), "give a number from -32 to 32"));
    }
    Ok((weight * 1024.0).round() as i32)
}

/// The error for a swarm of cells where a function needs individuals.
pub fn no_individuals(simulation: &murmuration::Simulation) -> murmuration::BadInput {
    let problem = format!("the preset `{}` has no individuals", simulation.preset().name);
    murmuration::BadInput::new("individuals", problem, "use density and control, or begin it with individuals=True")
}

/// The place of a brush in whole cells, from two or three numbers in cells.
pub fn cell(at: &[f64]) -> PyResult<Place> {
    check_place(at)?;
    let whole = |along: f64| along.floor() as i32;
    Ok(match *at {
        [x, y] => [whole(x), whole(y)].into(),
        [x, y, z] => [whole(x), whole(y), whole(z)].into(),
        _ => unreachable!("checked"),
    })
}

fn check_place(at: &[f64]) -> PyResult<()> {
    if !(2..=3).contains(&at.len()) || !at.iter().all(|along| along.abs() <= MAX_PLACE) {
        let cure = format!("give (x, y), or (x, y, z) in a deep world, from -{MAX_PLACE} to {MAX_PLACE} cells");
        return Err(wrong("at", format!("{at:?} is no place"), cure));
    }
    Ok(())
}

pub fn check_shape(array: &str, shape: &[usize], expected: &[usize]) -> Result<(), murmuration::BadInput> {
    if shape == expected {
        return Ok(());
    }
    let cure = format!("give it the shape {expected:?}");
    Err(murmuration::BadInput::new(array, format!("has the shape {shape:?}"), cure))
}

pub fn check_every(every: u64) -> PyResult<()> {
    if every == 0 {
        return Err(wrong("every", "0 steps lie between two observations", "give 1 or more"));
    }
    Ok(())
}
