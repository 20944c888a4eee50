//! Obstacles that a game adds. They cover cells in addition to the solids of the preset and of brushes.

use super::Simulation;
use crate::engine::EngineConfig;
use crate::error::{BadInput, Failure};
use crate::world::memory;
use crate::world::obstacles::{ObstacleShape, Obstacles};
use std::sync::Arc;

/// The max number of cells of a deep world of individuals with obstacles. Indices of the field of distances have 31
/// bits.
const MAX_CELLS: usize = i32::MAX as usize;

/// The obstacles of a game, and the solid cells without them.
#[derive(Debug, Clone, Default)]
pub(super) struct ObstacleLayer {
    all: Arc<Obstacles>,
    /// Whether each cell is solid without obstacles; `None`: there are no obstacles.
    ground: Option<Arc<Vec<bool>>>,
}

impl ObstacleLayer {
    pub(super) fn all(&self) -> &Arc<Obstacles> {
        &self.all
    }
}

impl Simulation {
    /// Whether each cell is solid without obstacles; empty: no cell is solid.
    pub(super) fn ground(&self) -> &Arc<Vec<bool>> {
        self.obstacles.ground.as_ref().unwrap_or(&self.preset.world.solids)
    }

    /// The obstacles of the game, by number.
    pub fn obstacles(&self) -> &Obstacles {
        &self.obstacles.all
    }

    /// Adds, changes or removes an obstacle. `None` as the shape removes it.
    pub(super) fn set_obstacle(&mut self, number: u32, shape: Option<ObstacleShape>) -> Result<(), Failure> {
        let all = Obstacles::clone(&self.obstacles.all).with(number, shape)?;
        self.take_obstacles(all)?;
        self.leave_solids()
    }

    pub(super) fn take_obstacles(&mut self, all: Obstacles) -> Result<(), Failure> {
        if !all.is_empty() {
            self.check_edges("an obstacle")?;
        }
        if self.covers_space() && !all.is_empty() {
            self.check_space().map_err(|problem| BadInput::new("an obstacle", problem, "take a smaller world"))?;
        }
        let ground = self.ground().clone();
        let before = self.obstacles.clone();
        self.obstacles = ObstacleLayer { ground: (!all.is_empty()).then(|| ground.clone()), all: Arc::new(all) };
        self.take_ground(ground).inspect_err(|_| self.obstacles = before)
    }

    /// Checks that the memory is large enough for data about all cells of a deep world of individuals.
    fn check_space(&self) -> Result<(), String> {
        let extents = self.preset.space().deep_extents();
        if extents.cells() > MAX_CELLS {
            return Err(format!("a space of {extents} has too many cells"));
        }
        memory::check_terrain(extents, self.preset.host().free_memory())
    }

    /// Replaces the solid cells without obstacles. The obstacles remain.
    pub(super) fn take_ground(&mut self, ground: Arc<Vec<bool>>) -> Result<(), Failure> {
        let flags = self.obstacles.all.flags(&self.preset.space());
        let mut solids = ground.clone();
        let mut covered = Vec::new();
        if self.covers_space() {
            covered = flags;
        } else if !flags.is_empty() {
            if solids.is_empty() {
                solids = Arc::new(vec![false; flags.len()]);
            }
            Arc::make_mut(&mut solids).iter_mut().zip(flags).for_each(|(solid, flag)| *solid |= flag);
        }
        if self.obstacles.ground.is_some() {
            self.obstacles.ground = Some(ground);
        }
        self.take_solids(solids, Arc::new(covered))
    }

    /// Replaces the solid cells of the lattice. `covered`: the cells that obstacles cover in a deep world of
    /// individuals.
    pub(super) fn take_solids(&mut self, solids: Arc<Vec<bool>>, covered: Arc<Vec<bool>>) -> Result<(), Failure> {
        let world = &mut self.preset.world;
        let is_other_space = world.obstacles != covered;
        let before = (std::mem::replace(&mut world.solids, solids), std::mem::replace(&mut world.obstacles, covered));
        let capacities = world.capacities();
        let taken = if is_other_space {
            self.config().and_then(|config| self.take_config(config))
        } else {
            self.engine.set_capacities(&capacities)
        };
        taken.inspect_err(|_| (self.preset.world.solids, self.preset.world.obstacles) = before)
    }

    /// Whether the world is a deep world of individuals. In such a world, obstacles do not make columns of the lattice
    /// solid.
    fn covers_space(&self) -> bool {
        matches!(self.engine.config, EngineConfig::Individuals { .. }) && self.preset.space().axes() == 3
    }
}
