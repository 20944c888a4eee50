//! Undoes the changes of brushes, stroke by stroke.

use super::Simulation;
use super::obstacles::ObstacleLayer;
use crate::error::{BadInput, Failure};
use crate::points::Points;
use crate::state::{Ledger, Swarm};
use std::borrow::Cow;
use std::sync::Arc;

/// The most strokes that can be undone.
pub(super) const MAX_UNDONE: usize = 8;

/// A swarm at the start of a stroke.
pub(super) struct UndoPoint {
    swarm: Swarm,
    points: Option<Points>,
    ledger: Ledger,
    step: u64,
    solids: Arc<Vec<bool>>,
    obstacles: ObstacleLayer,
    /// The cells that obstacles cover in a deep world of individuals.
    covered: Arc<Vec<bool>>,
    /// The maximum speed of individuals at this step (Q14); `None`: the swarm is of cells.
    max: Option<i32>,
}

impl UndoPoint {
    /// The number of steps before this point.
    pub(super) fn step(&self) -> u64 {
        self.step
    }
}

impl Simulation {
    /// The present swarm as an undo point.
    pub(super) fn undo_point(&mut self) -> Result<UndoPoint, Failure> {
        let ledger = self.ledger_now()?;
        Ok(UndoPoint {
            swarm: self.swarm()?,
            points: self.engine.points_now()?,
            ledger,
            step: self.engine.step,
            solids: self.preset.world.solids.clone(),
            obstacles: self.obstacles.clone(),
            covered: self.preset.world.obstacles.clone(),
            max: self.engine.config.max(),
        })
    }

    pub(super) fn remember(&mut self) -> Result<(), Failure> {
        let point = Arc::new(self.undo_point()?);
        if self.undo.len() == MAX_UNDONE {
            self.undo.remove(0);
        }
        self.undo.push(point);
        Ok(())
    }

    pub(super) fn undo(&mut self) -> Result<(), Failure> {
        let Some(point) = self.undo.pop() else {
            return Err(BadInput::new("undo", "there is nothing to undo", "").into());
        };
        // After a failure, undo can be tried again.
        self.go_to(&point).inspect_err(|_| self.undo.push(point))
    }

    /// Returns to an earlier swarm. The rules stay unchanged.
    pub(super) fn go_to(&mut self, point: &UndoPoint) -> Result<(), Failure> {
        let UndoPoint { swarm, points, ledger, step, solids, obstacles, covered, max } = point;
        let mut swarm = Cow::Borrowed(swarm);
        if self.engine.config.max() < *max {
            self.engine.config.slow_down(swarm.to_mut());
        }
        // The engine does not reset its counts of turnover, so the ledger subtracts them.
        let turnover = self.engine.turnover_now()?;
        match swarm.as_ref() {
            Swarm::Individuals(individuals, columns) if columns.origin().is_some() => {
                self.go_to_window(individuals.clone(), columns.clone(), solids.clone())?
            }
            swarm => {
                self.obstacles = obstacles.clone();
                self.take_solids(solids.clone(), covered.clone())?;
                self.engine.set_swarm(swarm)?;
            }
        }
        self.ledger = ledger.minus(&turnover);
        self.engine.set_step(*step);
        self.admit_falcons()?;
        self.engine.set_points(points.clone())?;
        self.adjust_points()
    }
}
