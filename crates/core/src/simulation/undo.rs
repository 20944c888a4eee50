//! What a brush changes can be undone, stroke by stroke.

use super::Simulation;
use super::obstacles::ObstacleLayer;
use crate::error::{BadInput, Failure};
use crate::points::Points;
use crate::state::{Ledger, Swarm};
use std::borrow::Cow;
use std::sync::Arc;

/// The strokes that can be undone.
pub(super) const MAX_UNDONE: usize = 8;

/// A swarm as it was when a brush was put down.
pub(super) struct UndoPoint {
    swarm: Swarm,
    points: Option<Points>,
    ledger: Ledger,
    step: u64,
    solids: Arc<Vec<bool>>,
    obstacles: ObstacleLayer,
    /// The cells that obstacles cover in a deep space of individuals.
    covered: Arc<Vec<bool>>,
    /// The greatest speed of individuals then (Q14); `None`: the swarm is one of cells.
    max: Option<i32>,
}

impl UndoPoint {
    /// The steps made then.
    pub(super) fn step(&self) -> u64 {
        self.step
    }
}

impl Simulation {
    /// The present swarm, to be gone back to.
    pub(super) fn undo_point(&mut self) -> Result<UndoPoint, Failure> {
        let ledger = self.ledger_now()?;
        Ok(UndoPoint {
            swarm: self.swarm()?,
            points: self.points_now()?,
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
        // Where it fails it can be tried again.
        self.go_to(&point).inspect_err(|_| self.undo.push(point))
    }

    /// Goes back to a swarm as it was. The rules stay as they are.
    pub(super) fn go_to(&mut self, point: &UndoPoint) -> Result<(), Failure> {
        let UndoPoint { swarm, points, ledger, step, solids, obstacles, covered, max } = point;
        let mut swarm = Cow::Borrowed(swarm);
        if self.engine.config.max() < *max {
            self.engine.config.slow_down(swarm.to_mut());
        }
        // The engine goes on counting what comes and goes; the ledger takes that back.
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
