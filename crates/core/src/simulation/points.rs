//! The points of a simulation, for pictures. A run without pictures has no points.

use super::Simulation;
use crate::error::Failure;
use crate::points::{Point, PointParameters, Points};
use crate::state::Entry;

impl Simulation {
    /// Keeps points from now on. They move with every step. They come from the checkpoint of a resumed run, or are
    /// seeded from the boids of the present state. There are no points for individuals, if `look.points` is 0, or on a
    /// lattice with a side above 16 384 cells.
    ///
    /// # Errors
    /// If the device fails.
    pub fn keep_points(&mut self) -> Result<(), Failure> {
        self.keeps_points = true;
        self.adjust_points()
    }

    /// Drops the points. Steps take less time without points.
    ///
    /// # Errors
    /// If the device fails.
    pub fn drop_points(&mut self) -> Result<(), Failure> {
        self.keeps_points = false;
        self.adjust_points()
    }

    /// Restores the points of a checkpoint.
    pub(super) fn take_points(&mut self, list: Vec<Point>) -> Result<(), Failure> {
        self.keeps_points = true;
        let points = self.point_parameters().map(|parameters| Points { list, parameters });
        self.engine.set_points(points)
    }

    /// The parameters that the points should have; `None`: there should be no points.
    fn point_parameters(&self) -> Option<PointParameters> {
        let most = self.preset.look.points;
        let quanta = self.ledger.sum(Entry::Start).saturating_add(self.ledger.sum(Entry::Spawned));
        let has_places = self.preset.world.extents.has_places();
        let has_points = self.keeps_points && self.preset.individuals.is_none() && most > 0 && has_places;
        let layers = self.preset.layers() as u32;
        has_points.then(|| {
            let whole = PointParameters::new(self.preset.seed, self.engine.step, quanta, most);
            // A chain that creates boids may need room for the maximum number of points.
            let made = if self.chain.conserves { whole.with_room_for(quanta) } else { whole };
            PointParameters { layers, ..made }
        })
    }

    /// Adds, drops or updates points, so that they have the present parameters.
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
