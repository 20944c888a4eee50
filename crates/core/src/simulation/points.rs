//! The points of a simulation, which pictures ask for. A run without pictures has none.

use super::Simulation;
use crate::error::Failure;
use crate::points::{Point, PointParameters, Points, PointsReading};
use crate::state::Entry;

impl Simulation {
    /// Keeps points from now on, which go along with every step. They come from the checkpoint that the run was resumed from, or are as
    /// many as the boids of the present state. Individuals have none, nor has a preset whose `look.points` is 0, nor a lattice of more than
    /// 16 384 cells a side.
    ///
    /// # Errors
    /// If the device fails.
    pub fn keep_points(&mut self) -> Result<(), Failure> {
        self.keeps_points = true;
        self.adjust_points()
    }

    /// Keeps no points from now on: steps take less time without them.
    ///
    /// # Errors
    /// If the device fails.
    pub fn drop_points(&mut self) -> Result<(), Failure> {
        self.keeps_points = false;
        self.adjust_points()
    }

    /// Goes on with the points of a checkpoint.
    pub(super) fn take_points(&mut self, list: Vec<Point>) -> Result<(), Failure> {
        self.keeps_points = true;
        let points = self.point_parameters().map(|parameters| Points { list, parameters });
        self.engine.set_points(points)
    }

    /// What the points should be made with; `None`: there should be none.
    fn point_parameters(&self) -> Option<PointParameters> {
        let most = self.preset.look.points;
        let quanta = self.ledger.sum(Entry::Start).saturating_add(self.ledger.sum(Entry::Spawned));
        let has_places = self.preset.world.extents.has_places();
        let has_points = self.keeps_points && self.preset.individuals.is_none() && most > 0 && has_places;
        let layers = self.preset.layers() as u32;
        has_points.then(|| {
            let whole = PointParameters::new(self.preset.seed, self.engine.step, quanta, most);
            // A chain that invents boids may need all the room that there is.
            let made = if self.chain.conserves { whole.with_room_for(quanta) } else { whole };
            PointParameters { layers, ..made }
        })
    }

    /// The points of the present swarm.
    pub(super) fn points_now(&mut self) -> Result<Option<Points>, Failure> {
        match self.engine.kept_now() {
            Some(copy) => Ok(copy.points.clone()),
            None => self.read(PointsReading),
        }
    }

    /// Sees to it that points are kept if they should be, and by the present budget.
    pub(super) fn adjust_points(&mut self) -> Result<(), Failure> {
        let wanted = self.point_parameters();
        match (wanted, self.engine.point_parameters()) {
            (None, None) => Ok(()),
            (Some(wanted), Some(kept)) if kept.serves(&wanted) => Ok(()),
            (None, Some(_)) => self.engine.set_points(None),
            (Some(parameters), None) => self.engine.seed_points(parameters),
            (Some(parameters), Some(_)) => {
                let points = self.engine.points_now()?.map(|points| Points { parameters, ..points });
                self.engine.set_points(points)
            }
        }
    }
}
