//! Queries of a game: the quanta in a region, and the nearest part of the swarm.

use super::Simulation;
use crate::error::Failure;
use crate::overlap::{Overlap, OverlapReading, OverlapResult};
use crate::ticket::Ticket;

impl Simulation {
    /// Requests the contents of balls and boxes at the present step, in the order of the queries. A swarm on a device
    /// is not read back, and nothing waits.
    ///
    /// # Errors
    /// If the device fails.
    pub fn overlap(&mut self, queries: &[Overlap]) -> Result<Ticket<Vec<OverlapResult>>, Failure> {
        let space = self.preset.space();
        self.request(OverlapReading { queries: queries.into(), space })
    }
}
