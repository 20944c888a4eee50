//! Clusters: connected sets of occupied cells. Two cells are connected if they have a common side or corner, also
//! across the edge of a torus.

use super::grain::{CoarseDensity, Resolution};
use crate::observe::connected_parts;
use murmuration_core::state::State;
use murmuration_core::world::Edges;

/// The clusters of a swarm.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Clusters {
    /// The quanta of each cluster, in descending order. A set of cells without quanta does not count as a cluster.
    pub sizes: Vec<u64>,
    /// The number of occupied cells.
    pub cells: u64,
}

impl Clusters {
    /// The clusters of a state. `coarse`: the mean density around every cell, from which a cell counts as occupied.
    pub fn new(state: &State, coarse: &CoarseDensity, edges: Edges, resolution: Resolution) -> Self {
        let is_occupied =
            |index| coarse.density(index).is_some_and(|density| density > 0.0 && density >= resolution.occupied);
        let cells = (0..coarse.extents.cells()).filter(|index| is_occupied(*index)).count() as u64;
        let around = (0..9).map(|side| [side % 3 - 1, side / 3 - 1, 0]).collect::<Vec<_>>();
        let quanta = |index: usize| u64::from(state.layers[0].density[index]);
        let mut sizes = connected_parts(state.extents, edges, &around, is_occupied, quanta);
        sizes.retain(|quanta| *quanta > 0);
        Self { sizes, cells }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use murmuration_core::numbers::BOID;
    use murmuration_core::world::{Extents, World};

    const RESOLUTION: Resolution = Resolution { grain: 1, occupied: 0.5 };

    fn clusters(
        width: u32,
        height: u32,
        edges: Edges,
        cells: &[(usize, usize, u32)],
        resolution: Resolution,
    ) -> Clusters {
        let extents = Extents::flat(width, height);
        let world = World::empty(extents, edges);
        let mut state = State::empty(extents);
        cells.iter().for_each(|(x, y, quanta)| state.layers[0].density[y * width as usize + x] = *quanta);
        Clusters::new(&state, &CoarseDensity::new(&state, &world, resolution.grain), edges, resolution)
    }

    #[test]
    fn two_clusters_across_the_edge_of_a_torus_are_four_between_walls() {
        // One cluster lies across the corner of the torus, the other across its upper edge.
        let cells = [(0, 0, BOID), (7, 5, 2 * BOID), (4, 0, BOID), (4, 5, BOID / 2)];
        let torus = clusters(8, 6, Edges::Torus, &cells, RESOLUTION);
        assert_eq!(torus.sizes, [3 * u64::from(BOID), 3 * u64::from(BOID) / 2]);
        assert_eq!(clusters(8, 6, Edges::Walls, &cells, RESOLUTION).sizes.len(), 4);
        assert_eq!(torus.cells, 4);
    }

    #[test]
    fn cells_below_the_threshold_are_in_no_cluster() {
        let cells = [(1, 1, BOID / 2 - 1), (3, 1, BOID / 2)];
        assert_eq!(clusters(8, 6, Edges::Torus, &cells, RESOLUTION).sizes, [u64::from(BOID) / 2]);
        assert_eq!(clusters(8, 6, Edges::Torus, &[], RESOLUTION), Clusters::default());
        // A threshold of 0 does not make the whole world one cluster.
        let all = Resolution { occupied: 0.0, ..RESOLUTION };
        assert_eq!(clusters(8, 6, Edges::Torus, &cells, all).sizes.len(), 2);
    }

    #[test]
    fn a_coarser_grain_bridges_small_gaps() {
        let cells = [(1, 1, BOID), (3, 1, BOID)];
        assert_eq!(clusters(12, 6, Edges::Torus, &cells, RESOLUTION).sizes.len(), 2);
        let coarse = Resolution { grain: 3, occupied: 0.1 };
        assert_eq!(clusters(12, 6, Edges::Torus, &cells, coarse).sizes, [2 * u64::from(BOID)]);
    }

    #[test]
    fn a_snake_and_a_comb_are_one_cluster_each() {
        // Row 11 joins the teeth.
        let comb: Vec<(usize, usize, u32)> = (0..16)
            .flat_map(|x| (0..12).map(move |y| (x, y, BOID)))
            .filter(|(x, y, _)| x % 2 == 0 && *y < 11 || *y == 11)
            .collect();
        assert_eq!(clusters(16, 14, Edges::Walls, &comb, RESOLUTION).sizes, [comb.len() as u64 * u64::from(BOID)]);
    }
}
