//! The window of an endless world, which follows the school (the individuals).
//!
//! The window moves only after multiples of [`WINDOW_INTERVAL`] steps. So every engine moves it at equal steps, however
//! steps are grouped. Places are relative to the window. When the window moves, individuals, hunters and painted
//! solids keep their places in the world. Individuals outside of the new window are moved to its rim.

use super::Simulation;
use super::input::held;
use crate::engine::{EngineConfig, other_model};
use crate::error::{BadInput, Failure};
use crate::falcons;
use crate::individuals::find::LineOfSight;
use crate::look::Look;
use crate::numbers::{Vector3, each_axis};
use crate::preset::Preset;
use crate::state::{Individuals, Swarm, SwarmReading, WorldColumns};
use crate::world::endless::{PlaceSums, PlaceSumsReading};
use crate::world::{Extents, PARTS, PLACE_BITS, Place, WINDOW_CHUNK, WINDOW_INTERVAL, World};
use std::sync::Arc;

/// The mean places of the individuals at the last two multiples of [`WINDOW_INTERVAL`] steps, for pictures. Places are
/// in Q16 of a cell, from the world's origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Travel {
    before: [i64; 3],
    now: [i64; 3],
    /// The step at which `now` was the mean place.
    step: u64,
}

impl Travel {
    /// The present mean place of a swarm's individuals, as the earlier and as the later mean place. `None`: the world
    /// has edges.
    pub fn begin(swarm: &Swarm, preset: &Preset) -> Option<Self> {
        let Swarm::Individuals(individuals, columns) = swarm else { return None };
        let origin = columns.origin()?;
        let now = place_of_school(origin, &individuals.place_sums()).unwrap_or_else(|| middle(origin, preset));
        Some(Self { before: now, now, step: 0 })
    }
}

/// The mean place of the individuals, Q16 of a cell from the world's origin; `None`: there is no individual. `origin`:
/// the first cell of the window.
fn place_of_school(origin: [i64; 3], sums: &PlaceSums) -> Option<[i64; 3]> {
    let mean = sums.mean()?;
    Some(each_axis(|axis| (origin[axis] << PLACE_BITS) + mean[axis]))
}

fn middle(origin: [i64; 3], preset: &Preset) -> [i64; 3] {
    let extents = preset.space().extents;
    each_axis(|axis| (2 * origin[axis] + i64::from(extents[axis])) << (PLACE_BITS - 1))
}

impl Simulation {
    /// Refuses an input that endless worlds do not support. `what`: the thing that the input adds.
    ///
    /// # Errors
    /// If the world is endless.
    pub(super) fn check_edges(&self, what: &str) -> Result<(), BadInput> {
        match self.preset.world.window {
            Some(_) => {
                Err(BadInput::new(what, "an endless world has none", "take a world with edges, or rock in a preset"))
            }
            None => Ok(()),
        }
    }

    /// The step at which the window may move next; `u64::MAX`: the world has edges.
    pub(super) fn next_look(&self) -> u64 {
        match self.preset.world.window {
            Some(_) => (self.engine.step / WINDOW_INTERVAL + 1).saturating_mul(WINDOW_INTERVAL),
            None => u64::MAX,
        }
    }

    /// Moves the window towards the mean place of the individuals, if the present step is a multiple of
    /// [`WINDOW_INTERVAL`].
    pub(super) fn follow_school(&mut self) -> Result<(), Failure> {
        let Some(window) = self.preset.world.window else { return Ok(()) };
        let step = self.engine.step;
        if !step.is_multiple_of(WINDOW_INTERVAL) {
            return Ok(());
        }
        let school = self.engine.read(PlaceSumsReading)?;
        let before = self.travel;
        let space = self.preset.space();
        let chunks = window.chunks_towards(&school, space.extents);
        if chunks != [0; 3] {
            let cells = chunks.map(|chunks| chunks * WINDOW_CHUNK);
            let Swarm::Individuals(mut individuals, mut columns) = self.engine.read(SwarmReading)? else {
                return Err(other_model());
            };
            individuals.move_window(cells, &space);
            columns.move_window(cells, &space);
            let solids = moved_solids(&self.preset.world, window.moved(cells));
            self.go_to_window(individuals, columns, solids)?;
        }
        let now = place_of_school(window.origin, &school).or(before.map(|before| before.now));
        self.travel = now.map(|now| Travel { before: before.map_or(now, |before| before.now), now, step });
        Ok(())
    }

    /// Replaces the swarm, and moves the window to the origin that the swarm's columns contain.
    pub(super) fn put(&mut self, swarm: &Swarm) -> Result<(), Failure> {
        match (swarm, swarm.columns().origin()) {
            (Swarm::Individuals(individuals, columns), Some(origin)) if self.origin() != Some(origin) => {
                let solids = moved_solids(&self.preset.world, origin);
                self.go_to_window(individuals.clone(), columns.clone(), solids)
            }
            _ => {
                self.engine.set_swarm(swarm)?;
                self.travel = Travel::begin(swarm, &self.preset);
                Ok(())
            }
        }
    }

    /// Replaces the individuals, and moves the window to the origin in `columns`. `solids`: the solid columns of the
    /// new window. The player's hunter keeps its place in the world, clamped to the window.
    pub(super) fn go_to_window(
        &mut self,
        mut individuals: Individuals,
        mut columns: WorldColumns,
        solids: Arc<Vec<bool>>,
    ) -> Result<(), Failure> {
        let world = &self.preset.world;
        let (Some(window), Some(origin)) = (world.window, columns.origin()) else { return Err(other_model()) };
        let before = (world.window, world.rock.clone(), world.solids.clone());
        let rock = if origin == window.origin { world.rock.clone() } else { self.preset.rock_at(origin) };
        let world = &mut self.preset.world;
        (world.rock, world.solids) = (rock, solids);
        world.window.iter_mut().for_each(|window| window.origin = origin);
        let made = self.individuals_config().map_err(Failure::from).and_then(|config| {
            if let EngineConfig::Individuals { setup, .. } = &config {
                // Individuals and falcons that were moved to the rim of the window may be in rock.
                falcons::free_from_rock(&mut individuals, &mut columns, &setup.habitat);
            }
            let school = individuals.place_sums();
            self.engine.set_window(config, &Swarm::Individuals(individuals, columns)).map(|()| school)
        });
        let school = made.inspect_err(|_| {
            let world = &mut self.preset.world;
            (world.window, world.rock, world.solids) = before;
        })?;
        let now = place_of_school(origin, &school).unwrap_or_else(|| middle(origin, &self.preset));
        self.travel = Some(Travel { before: now, now, step: self.engine.step });
        let parts = self.cells_from(Some(window.origin)).map(|cells| cells * i64::from(PARTS));
        if let Some(pointer) = &mut self.pointer {
            pointer.place = held(pointer.place.moved(parts), &self.preset.space());
        }
        Ok(())
    }

    /// The first cell of the present window, in cells from the world's origin; `None`: the world has edges.
    pub fn origin(&self) -> Option<[i64; 3]> {
        Some(self.preset.world.window?.origin)
    }

    /// The offset that converts a place in a window with the origin `origin` to a place in the present window. It is in
    /// cells along each axis.
    pub(super) fn cells_from(&self, origin: Option<[i64; 3]>) -> [i64; 3] {
        let by = |(from, now): ([i64; 3], [i64; 3])| each_axis(|axis| from[axis].saturating_sub(now[axis]));
        origin.zip(self.origin()).map_or([0; 3], by)
    }

    /// Converts a cell of a window with the origin `origin` to a cell of the present window. The result may lie outside
    /// of the present window.
    pub fn cell_from(&self, cell: Vector3, origin: Option<[i64; 3]>) -> Vector3 {
        Place::Deep(cell).moved(self.cells_from(origin)).to_vector()
    }

    /// Converts a line of sight from a window with the origin `origin` to the present window.
    pub fn line_from(&self, line: LineOfSight, origin: Option<[i64; 3]>) -> LineOfSight {
        let cells = self.cells_from(origin);
        LineOfSight { from: each_axis(|axis| line.from[axis] + cells[axis] as f32), ..line }
    }

    /// The mean place of the individuals of an endless world, in cells from its window's corner; `None`: the world has
    /// edges. The eye of pictures follows this place. A new mean is computed every [`WINDOW_INTERVAL`] steps. Up to the
    /// next mean, the place moves evenly from the previous mean to the new mean.
    pub fn school(&self) -> Option<[f32; 3]> {
        let (Travel { before, now, step }, window) = (self.travel?, self.preset.world.window?);
        let part = (self.engine.step.saturating_sub(step)).min(WINDOW_INTERVAL) as i64;
        Some(each_axis(|axis| {
            let along = before[axis] + (now[axis] - before[axis]) * part / WINDOW_INTERVAL as i64;
            ((along - (window.origin[axis] << PLACE_BITS)) as f64 / f64::from(1 << PLACE_BITS)) as f32
        }))
    }

    /// The settings of pictures at the present step. In an endless world the eye moves with the mean place of the
    /// individuals.
    pub fn look(&self) -> Look {
        let mut look = self.preset.look.clone();
        if let Some(school) = self.school() {
            let extents = self.preset.space().extents;
            let by: [f32; 3] = std::array::from_fn(|axis| school[axis] / extents[axis] as f32 - 0.5);
            look.view = look.view.map(|view| view.map(|place| std::array::from_fn(|axis| place[axis] + by[axis])));
        }
        look
    }

    /// The distance from the middle of an endless world's first window to the mean place of the individuals, in cells;
    /// `None`: the world has edges.
    pub fn travelled(&self) -> Option<f64> {
        let (Travel { now, .. }, window) = (self.travel?, self.preset.world.window?);
        let start = middle(window.first, &self.preset);
        let square = |axis: usize| ((now[axis] - start[axis]) as f64 / f64::from(1 << PLACE_BITS)).powi(2);
        Some((square(0) + square(1) + square(2)).sqrt())
    }
}

/// The painted solid columns after the window has moved to `origin`. Columns outside of the new window are dropped.
fn moved_solids(world: &World, origin: [i64; 3]) -> Arc<Vec<bool>> {
    let Some(window) = world.window.filter(|window| window.origin != origin) else { return world.solids.clone() };
    let Extents { width, height, .. } = world.extents;
    let [width, height] = [width, height].map(i64::from);
    let [right, down] = [0, 1].map(|axis| origin[axis] - window.origin[axis]);
    let was_solid = |index: i64| {
        let [x, y] = [index % width + right, index / width + down];
        (0..width).contains(&x) && (0..height).contains(&y) && world.solids.get((y * width + x) as usize) == Some(&true)
    };
    let solids: Vec<bool> = (0..width * height).map(was_solid).collect();
    if solids.contains(&true) { Arc::new(solids) } else { Arc::default() }
}
