//! What the controller shows of a simulation.

use super::compare_pane::IndividualsSnapshot;
use super::facts::Facts;
use crate::agents::Agents;
use crate::compare::measures::Row;
use crate::error::Failure;
use crate::observe::Observation;
use crate::simulation::probe::Probe;
use crate::simulation::{Account, Pointer, Simulation};
use crate::state::State;
use crate::swarm::Swarm;
use std::sync::Arc;

/// The simulation at one step.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The lattice; for individuals their density on the lattice.
    pub state: Arc<State>,
    /// The individuals, if the scene is one of individuals.
    pub agents: Option<Arc<Agents>>,
    /// The individuals of the comparison with the cells.
    pub individuals: Option<Arc<IndividualsSnapshot>>,
    /// The last comparison of cells and individuals.
    pub comparison: Option<Arc<Row>>,
    pub step: u64,
    pub account: Account,
    pub facts: Arc<Facts>,
    pub is_paused: bool,
    /// The progress of the replay, while one plays.
    pub replay: Option<ReplayProgress>,
    /// What the probe found, as of the metrics or of the last cell asked for.
    pub probe: Option<Arc<Probe>>,
    /// The last metrics, of step [`Observation::step`]; they are taken less often than snapshots.
    pub metrics: Arc<Observation>,
    /// Kernel and seconds per step of each pass, smoothed.
    pub passes: Arc<Vec<(String, f64)>>,
    /// Steps per second of wall-clock time.
    pub steps_a_second: f64,
    /// The number of commands handled before.
    pub commands: u64,
    /// The number of scenes begun before, except the first.
    pub scene: u64,
    /// How often changed files were applied to a swarm that went on.
    pub reloads: u64,
}

/// How far a replay has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplayProgress {
    /// Steps played.
    pub steps: u64,
    /// Steps in total.
    pub of: u64,
    /// The hunter of the replay, and the reach of its jaws in cells.
    pub pointer: Option<(Pointer, u32)>,
}

/// The lattice of a simulation, or the density of its individuals; and the individuals.
pub(super) fn read_swarm(simulation: &mut Simulation) -> Result<(State, Option<Arc<Agents>>), Failure> {
    match simulation.swarm()? {
        Swarm::Cells(state) => Ok((state, None)),
        Swarm::Agents(agents) => {
            let swarm = Swarm::Agents(agents);
            let seen = simulation.seen(&swarm).into_owned();
            let Swarm::Agents(agents) = swarm else { return Ok((seen, None)) };
            Ok((seen, Some(Arc::new(agents))))
        }
    }
}
