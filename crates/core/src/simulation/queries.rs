//! Queries of a game: the quanta in a region, and the nearest part of the swarm.

use super::Simulation;
use crate::error::Failure;
use crate::overlap::{Overlap, OverlapReading, OverlapResult};
use crate::ticket::Ticket;

impl Simulation {
    /// Requests the quanta in each ball or box, and the part of the swarm nearest to its middle. The results have the
    /// order of the queries. The device computes them, and the call does not wait.
    ///
    /// # Errors
    /// If the device fails.
    pub fn overlap(&mut self, queries: &[Overlap]) -> Result<Ticket<Vec<OverlapResult>>, Failure> {
        let space = self.preset.space();
        self.request(OverlapReading { queries: queries.into(), space })
    }
}
