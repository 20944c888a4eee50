//! The numbers of a swarm's rules, in the units of the exact arithmetic, checked against their bounds.

use crate::numbers::MOST_PERCEIVED;
use crate::sight::Sight;
use std::collections::BTreeMap;

/// How a cell spreads what it gives over the neighbours ahead (the paper's Figure 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distribution {
    /// The larger component, all to the one neighbour nearest to the heading.
    Nearest,
    /// The diagonal neighbour gets the smaller component, the axis neighbour the rest of the larger one.
    Split,
    /// The three cells that the moved unit square overlaps.
    Bilinear,
}

/// Every number that a kernel of the cell system may use.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    /// Perceived density is density in quanta >> `shift`.
    pub shift: u32,
    /// The number of boids in a cell that separation takes for a crowd, in perceived density; 1 to 2^19 - 1.
    pub crowd: i32,
    /// How much of its control vector a boid keeps (Q10), 0 to 1.
    pub keep: i32,
    /// The speed towards which boids tend (Q14); 0: none.
    pub cruise: i32,
    /// The greatest speed (Q14), at most 2.
    pub max: i32,
    pub distribution: Distribution,
    /// Whether a control vector travels with the boids or stays with the cell.
    pub carry: bool,
    /// The part of a cell that wanders to each face neighbour in a step (Q14), at most 1/8.
    pub wander: u32,
    /// The weight of each control vector by name (Q10), at most 32 in size.
    pub weights: BTreeMap<String, i32>,
    /// The sights by name.
    pub sights: BTreeMap<String, Sight>,
}

impl Rules {
    /// The greatest perceived density: the least that any sight of the preset demands (design, section 2).
    pub fn most_perceived(&self) -> u32 {
        self.sights.values().map(Sight::most_perceived).min().unwrap_or(MOST_PERCEIVED)
    }
}
