//! The numbers of the cells' rules in the units of the exact arithmetic, within their bounds.

use crate::numbers::MOST_PERCEIVED;
use crate::sight::Sight;
use std::collections::BTreeMap;

/// How a cell distributes the amount that moves over the neighbours ahead (the paper's Figure 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distribution {
    /// The larger component, all to the neighbour nearest to the heading.
    Nearest,
    /// The diagonal neighbour gets the smaller component, the axis neighbour the rest of the larger one.
    Split,
    /// The three cells that the moved unit square overlaps.
    Bilinear,
}

/// Every number that a kernel of the cells may use.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    /// Perceived density is the density in quanta >> `shift`.
    pub shift: u32,
    /// The reference density of separation, in perceived density; 1 to 2^19 - 1.
    pub crowd: i32,
    /// The fraction of its control vector that a boid keeps (Q10), 0 to 1.
    pub keep: i32,
    /// The speed that boids tend to (Q14); 0: none.
    pub cruise: i32,
    /// The greatest speed (Q14), at most 2.
    pub max: i32,
    pub distribution: Distribution,
    /// Whether a control vector travels with the boids or stays with the cell.
    pub carry: bool,
    /// The fraction of a cell that wanders to each face neighbour in a step (Q14), at most 1/8.
    pub wander: u32,
    /// A cell with fewer quanta rests: it gives nothing and keeps its control vector. At most 2^`shift`.
    pub rest: u32,
    /// The weight of each control vector by name (Q10), within ±32.
    pub weights: BTreeMap<String, i32>,
    /// The sights by name.
    pub sights: BTreeMap<String, Sight>,
}

impl Rules {
    /// The greatest perceived density: the smallest [`Sight::most_perceived`] of all sights.
    pub fn most_perceived(&self) -> u32 {
        self.sights.values().map(Sight::most_perceived).min().unwrap_or(MOST_PERCEIVED)
    }
}
