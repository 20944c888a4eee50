//! Questions of a game: how much of the swarm is where, and what is nearest.

use super::Simulation;
use crate::error::Failure;
use crate::overlap::{Overlap, OverlapReading, OverlapResult};
use crate::ticket::Ticket;

impl Simulation {
    /// Asks what is in some balls and boxes. The results, in the order of the queries, are of the present step; a swarm on a device is not read
    /// back, and nothing waits.
    ///
    /// # Errors
    /// If the device fails.
    pub fn overlap(&mut self, queries: &[Overlap]) -> Result<Ticket<Vec<OverlapResult>>, Failure> {
        let space = self.preset.space();
        self.request(OverlapReading { queries: queries.into(), space })
    }
}
