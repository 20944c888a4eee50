//! Checks of worlds without end: keys that they need, keys that they cannot have, and their beginning.

use super::Window;
use crate::error::BadInput;
use crate::numbers::each_axis;
use crate::source::{Source, TERRAIN_FILE};
use toml_edit::Item;

const EDGES: &str = "world.edges";
const ORIGIN: &str = "world.origin";
/// The weight of the rule `walls` at the rim of the window, where the preset names none.
pub(crate) const RIM_WEIGHT: f64 = 0.3;

/// Whether the world has no end.
pub(crate) fn is_endless(source: &Source) -> bool {
    source.word(EDGES) == Some("endless")
}

/// The window of an endless world before the first step; `None`: the world has edges.
pub(crate) fn window(source: &Source) -> Result<Option<Window>, BadInput> {
    if !is_endless(source) {
        return Ok(None);
    }
    let first = place(source, ORIGIN)?;
    Ok(Some(Window { first, origin: first }))
}

/// The place of a key in whole cells; 0, if the key is left out.
pub(crate) fn place(source: &Source, key: &str) -> Result<[i64; 3], BadInput> {
    let numbers = source.numbers(key)?;
    Ok(each_axis(|axis| numbers.get(axis).map_or(0, |along| *along as i64)))
}

/// Refuses what an endless world cannot have. `is_deep`: whether its window has a depth.
pub(crate) fn check(source: &Source, is_of_individuals: bool, is_deep: bool) -> Result<(), BadInput> {
    if !is_endless(source) {
        return Ok(());
    }
    let refused = |key: &str, problem: &str, cure: &str| Err(source.wrong(key, problem, cure));
    if !is_of_individuals {
        let cure = "say \"torus\" or \"walls\", or model = \"agents\"";
        return refused(EDGES, "cells lie on a lattice, which does not move: their world has an end", cure);
    }
    if !is_deep {
        return refused(EDGES, "is of deep worlds, and this one is flat", "give world.size a third extent");
    }
    if source.item("world.terrain.closed").and_then(Item::as_bool) == Some(true) {
        return refused("world.terrain.closed", "an endless world has no outermost layer", "remove it");
    }
    if source.word("world.terrain.base") == Some("file") {
        let key = if source.item(TERRAIN_FILE).is_some() { TERRAIN_FILE } else { "world.terrain.base" };
        return refused(key, "ends where its voxels end, and the world does not", "say base = \"noise\"");
    }
    if source.length("world.terrain.shape") > 0 {
        let cure = "remove it, or say edges = \"walls\"";
        return refused("world.terrain.shape", "lies at fractions of the extents, which an endless world lacks", cure);
    }
    Ok(())
}
