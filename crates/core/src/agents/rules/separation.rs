//! Separation: away from the neighbours that are too near.
//!
//! direction: -Σd;   v_s = -Σ d/|d|² / crowd, with d the offsets to the neighbours, in cells.
//!
//! Below one cell 1/|d|² stays 1, where the cell system sees no distance at all.

use super::NeighbourRule;
use crate::agents::numbers::Units;
use crate::agents::situation::{Neighbour, Situation};
use crate::agents::table::{KnownSet, Rule};
use crate::lanes::Lanes;
use crate::vector::{clamp_components, negate, quotient, ratio, scale};

pub struct Separation;

impl NeighbourRule for Separation {
    const RULE: Rule = Rule::Separation;

    #[inline(always)]
    fn quantity<S: KnownSet, V: Lanes, const AXES: usize>(neighbour: &Neighbour<V, AXES>, units: &Units) -> [V; AXES] {
        if S::SET.is_of_cells() { inverse(neighbour, units) } else { neighbour.offset }
    }

    #[inline(always)]
    fn direction<S: KnownSet, V: Lanes, const AXES: usize>(agent: &Situation<'_, V, AXES>) -> [V; AXES] {
        negate(agent.sum(Self::RULE))
    }

    #[inline(always)]
    fn control<V: Lanes, const AXES: usize>(agent: &Situation<'_, V, AXES>) -> [V; AXES] {
        let held = clamp_components(agent.sum(Self::RULE), agent.parameters.most_apart);
        let crowd = V::splat(agent.parameters.crowd).divisor();
        negate(ratio(scale(held, V::splat(agent.units.coarseness())), crowd))
    }
}

/// d/|d|², in `resolution` per cell.
#[inline(always)]
fn inverse<V: Lanes, const AXES: usize>(neighbour: &Neighbour<V, AXES>, units: &Units) -> [V; AXES] {
    let (cell, resolution) = (units.cell(), units.resolution);
    // Lanes that hold no neighbour hold anything: their quotients are not used, but must not overflow.
    let divisor = neighbour.square.min(V::splat(1 << 21)).max(V::splat(cell * cell)).divisor();
    quotient(scale(clamp_components(neighbour.offset, resolution), V::splat(cell * resolution)), divisor)
}
