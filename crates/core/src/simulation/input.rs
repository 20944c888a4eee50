//! Inputs of a user or a game during a run: the player's hunter, brushes, obstacles, and changes of the preset.
//!
//! An input is applied between two steps. Inputs are plain data, so that a replay can apply them again on any engine.

use super::Simulation;
use crate::error::{BadInput, Failure};
use crate::host::contents::Texts;
use crate::host::file_path::FilePath;
use crate::individuals::feature::MAX_BRUSH;
use crate::numbers::{BOID, WEIGHT_LIMIT, each_axis};
use crate::preset::PresetSource;
use crate::state::Ledger;
use crate::state::{Entry, State, Swarm};
use crate::world::obstacles::ObstacleShape;
use crate::world::targets::Target;
use crate::world::{MAX_HUNT_RADIUS, MAX_JAWS, Mood, PARTS, Place, Space, World, offset};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The max radius of a brush, in cells.
pub const MAX_BRUSH_RADIUS: u32 = 4096;
/// The max number of boids that one input can add.
pub const MAX_SPAWNED: u32 = 1 << 24;

/// The hunter that a player moves. It replaces the preset's hunters of the kind `player`; if there are none, the
/// hunters with a path. Falcons do not hunt meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pointer {
    /// The place of the hunter, in 1/16 cell.
    pub place: Place,
    /// The distance up to which boids react to the hunter, in cells; at most 255.
    pub reach: u32,
    /// Whether boids flee from the hunter or follow it.
    pub mood: Mood,
    /// The weight of the rule `hunter` (Q10), at most 32.
    pub weight: i32,
}

/// An input of a user or a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    /// Sets the player's hunter. `None`: the player stops, and the preset's hunters are active again.
    Hunter(Option<Pointer>),
    /// The distance in cells, at most 64, up to which the player's hunter catches boids; 0: the hunter catches no
    /// boids.
    Jaws(u32),
    /// The beginning of a stroke of a brush. The next `Undo` restores the swarm as it is at this input.
    Stroke,
    /// Adds boids, spread evenly over the cells within `radius` cells of `at` that have room. In a deep world of cells,
    /// a place with three numbers is the middle of a ball.
    Spawn {
        /// The middle of the brush, in cells.
        at: Place,
        /// The radius of the brush, in cells.
        radius: u32,
        /// The number of boids, at most [`MAX_SPAWNED`].
        boids: u32,
    },
    /// Removes all boids within `radius` cells of `at`. The ledger counts them as caught.
    Lift {
        /// The middle of the brush, in cells.
        at: Place,
        /// The radius of the brush, in cells.
        radius: u32,
    },
    /// Makes all cells within `radius` cells of `at` solid or free.
    Solid {
        /// The middle of the brush, in cells.
        at: Place,
        /// The radius of the brush, in cells.
        radius: u32,
        /// `true`: the cells become solid. `false`: the cells become free.
        solid: bool,
    },
    /// Adds, changes or removes an obstacle. An error in an endless world.
    Obstacle {
        /// The number by which the game identifies the obstacle.
        number: u32,
        /// The shape of the obstacle; `None` removes the obstacle.
        shape: Option<ObstacleShape>,
    },
    /// Adds, changes or removes a target, which attracts or repels boids. An error in an endless world.
    Target {
        /// The number by which the game identifies the target.
        number: u32,
        /// The target; `None` removes the target.
        target: Option<Target>,
    },
    /// Adds food (see [`crate::food`]) to each cell of food within `radius` cells of `at`, if food grows in the cell.
    Feed {
        /// The middle of the brush, in cells.
        at: Place,
        /// The radius of the brush, in cells.
        radius: u32,
        /// The food that each cell gets, in parts of [`FULL`](crate::lives::FULL). A cell can have at most 256 meals,
        /// 2^24 of these parts.
        food: u32,
    },
    /// Removes all food within `radius` cells of `at`.
    RemoveFood {
        /// The middle of the brush, in cells.
        at: Place,
        /// The radius of the brush, in cells.
        radius: u32,
    },
    /// Restores the swarm, its ledger and the solids as they were at the last `Stroke`.
    Undo,
    /// Sets a key of the preset as the option `--set` does. The swarm continues with the changed rules.
    Set {
        /// The key with dots, such as `weights.cohesion`.
        key: String,
        /// The value in TOML, or a word without quotes.
        value: String,
    },
    /// Replaces the preset and the chain, because their files have changed.
    Reload {
        /// The new preset, with the contents of changed pictures and arrays.
        preset: PresetSource,
        /// The new chain, by name or path.
        chain: FilePath,
        /// The texts of the chain that were read from files.
        #[serde(default, skip_serializing_if = "Texts::is_empty")]
        files: Texts,
    },
}

impl Input {
    /// Whether applying the input needs a copy of the present swarm. Hunters, jaws and targets do not need it, because
    /// they change only later steps.
    pub fn reads_swarm(&self) -> bool {
        !matches!(self, Self::Hunter(_) | Self::Jaws(_) | Self::Target { .. })
    }

    /// Adds an offset (cells) to the places of the input.
    fn moved(mut self, cells: [i64; 3]) -> Self {
        match &mut self {
            Self::Hunter(Some(pointer)) => {
                pointer.place = pointer.place.moved(cells.map(|cells| cells.saturating_mul(PARTS.into())));
            }
            Self::Spawn { at, .. }
            | Self::Lift { at, .. }
            | Self::Solid { at, .. }
            | Self::Feed { at, .. }
            | Self::RemoveFood { at, .. } => *at = at.moved(cells),
            Self::Hunter(None)
            | Self::Jaws(_)
            | Self::Stroke
            | Self::Obstacle { .. }
            | Self::Target { .. }
            | Self::Undo
            | Self::Set { .. }
            | Self::Reload { .. } => {}
        }
        self
    }
}

impl Simulation {
    /// Converts the places of an input to the present window of an endless world. `origin`: the origin of the window
    /// for which the input was made; `None`: the world of the input is not endless.
    pub fn input_from(&self, input: Input, origin: Option<[i64; 3]>) -> Input {
        input.moved(self.cells_from(origin))
    }

    /// Applies an input before the next step, and adds it to the log for replays.
    ///
    /// # Errors
    /// `BadInput` if a number is out of bounds, or if a key cannot change during a run. The swarm is then unchanged.
    pub fn apply(&mut self, input: Input) -> Result<(), Failure> {
        match &input {
            Input::Hunter(pointer) => self.hunt(*pointer)?,
            Input::Jaws(jaws) => self.open_jaws(*jaws)?,
            Input::Stroke => self.remember()?,
            Input::Spawn { at, radius, boids } => self.spawn(*at, *radius, *boids)?,
            Input::Lift { at, radius } => self.lift(*at, *radius)?,
            Input::Solid { at, radius, solid } => self.paint(*at, *radius, *solid)?,
            Input::Obstacle { number, shape } => self.set_obstacle(*number, shape.clone())?,
            Input::Target { number, target } => self.set_target(*number, target.clone())?,
            Input::Feed { at, radius, food } => self.feed(*at, *radius, Some(*food))?,
            Input::RemoveFood { at, radius } => self.feed(*at, *radius, None)?,
            Input::Undo => self.undo()?,
            Input::Set { key, value } => self.set(key, value)?,
            Input::Reload { preset, chain, files } => {
                let (preset, chain) = self.read_anew(preset, chain, files)?;
                self.take_over(preset, Some(chain))?;
            }
        }
        self.adjust_points()?;
        self.log(input);
        Ok(())
    }

    pub(super) fn hunt(&mut self, pointer: Option<Pointer>) -> Result<(), Failure> {
        if let Some(pointer) = &pointer {
            bounded("reach", pointer.reach, MAX_HUNT_RADIUS)?;
            bounded("weight", pointer.weight.unsigned_abs(), WEIGHT_LIMIT as u32)?;
        }
        self.admit_player()?;
        let space = self.preset.space();
        self.pointer = pointer.map(|pointer| Pointer { place: held(pointer.place, &space), ..pointer });
        Ok(())
    }

    pub(super) fn open_jaws(&mut self, jaws: u32) -> Result<(), Failure> {
        bounded("jaws", jaws, MAX_JAWS)?;
        self.admit_player()?;
        self.jaws = jaws;
        Ok(())
    }

    fn spawn(&mut self, at: Place, radius: u32, boids: u32) -> Result<(), Failure> {
        bounded("boids", boids, MAX_SPAWNED)?;
        let cells = self.touched(at, radius)?;
        let mut swarm = self.swarm()?;
        let mut change = Ledger::default();
        // A brush adds boids of the first species only.
        match &mut swarm {
            Swarm::Cells(state) => {
                let capacities = self.preset.world.capacities();
                let quanta = spread(state, &capacities, &cells, u64::from(boids) * u64::from(BOID));
                change.add(Entry::Spawned, 0, quanta);
            }
            Swarm::Individuals(individuals, _) => {
                let before = individuals.stores();
                let added = self.add_individuals(individuals, &cells, boids)? * u64::from(BOID);
                change.add(Entry::Spawned, 0, added);
                for (species, (now, before)) in individuals.stores().into_iter().zip(before).enumerate() {
                    change.add(Entry::EnergySpawned, species, now - before);
                }
            }
        }
        self.engine.set_swarm(&swarm)?;
        self.ledger = self.ledger.plus(&change);
        Ok(())
    }

    fn lift(&mut self, at: Place, radius: u32) -> Result<(), Failure> {
        let cells = self.touched(at, radius)?;
        let mut swarm = self.swarm()?;
        let mut change = Ledger::default();
        match &mut swarm {
            Swarm::Cells(state) => {
                for (species, layer) in state.layers.iter_mut().enumerate() {
                    let density = &mut layer.density;
                    let lifted: u64 = cells.iter().map(|index| u64::from(std::mem::take(&mut density[*index]))).sum();
                    change.add(Entry::Caught, species, lifted);
                }
            }
            Swarm::Individuals(individuals, _) => {
                let taken = self.take_individuals(individuals, &cells);
                for (species, (count, energy)) in taken.counts().into_iter().zip(taken.stores()).enumerate() {
                    change.add(Entry::Caught, species, count * u64::from(BOID));
                    change.add(Entry::EnergyEnded, species, energy);
                }
            }
        }
        self.engine.set_swarm(&swarm)?;
        self.ledger = self.ledger.plus(&change);
        Ok(())
    }

    /// Adds `amount` of food to each cell of food under a brush; `None`: removes all food there. The brush covers the
    /// whole depth of a world.
    fn feed(&mut self, at: Place, radius: u32, amount: Option<u32>) -> Result<(), Failure> {
        bounded("food", amount.unwrap_or(0), MAX_BRUSH)?;
        let touched = self.touched(at, radius)?;
        let Some(feature) = self.preset.features.named("food").cloned() else {
            let cure = "take a preset with [food]";
            return Err(BadInput::new("an input", "nobody eats here: there is no food", cure).into());
        };
        let cells = feature.under(&touched, self.preset.world.extents.width as usize);
        let mut swarm = self.swarm()?;
        let changed = feature.brush(swarm.columns_mut().words_mut(feature.column()), &cells, amount);
        self.engine.set_swarm(&swarm)?;
        changed.into_iter().for_each(|(entry, sum)| self.ledger.add(entry, 0, sum));
        Ok(())
    }

    fn paint(&mut self, at: Place, radius: u32, solid: bool) -> Result<(), Failure> {
        let cells = self.touched(at, radius)?;
        let mut ground = self.ground().clone();
        if ground.is_empty() {
            ground = Arc::new(vec![false; self.preset.world.extents.cells()]);
        }
        let flags = Arc::make_mut(&mut ground);
        for index in cells {
            flags[index] = solid;
        }
        self.take_ground(ground)?;
        if solid { self.leave_solids() } else { Ok(()) }
    }

    /// The indices of the cells under a brush. In an endless world the middle of the brush may be outside of the
    /// window.
    fn touched(&self, at: Place, radius: u32) -> Result<Vec<usize>, Failure> {
        bounded("radius", radius, MAX_BRUSH_RADIUS)?;
        let World { extents, edges, window, .. } = self.preset.world;
        let is_column = at.is_column() || extents.depth.is_none();
        let (at, ends) = (at.to_vector(), extents.along_axes().map(|extent| extent as i32));
        // For each axis and each place along it, the squared distance from the middle of the brush.
        let squares = each_axis(|axis| {
            let middle = edges.wrap_or_clamp(at[axis].into(), ends[axis].into()) as i32;
            let away = |place| match window {
                Some(_) => i64::from(place) - i64::from(at[axis]),
                None => i64::from(offset(middle, place, ends[axis], edges)),
            };
            let is_counted = axis < 2 || !is_column;
            (0..ends[axis]).map(|place| if is_counted { away(place) * away(place) } else { 0 }).collect::<Vec<_>>()
        });
        let square = i64::from(radius) * i64::from(radius);
        let mut cells = Vec::new();
        for (z, along_z) in squares[2].iter().enumerate() {
            for (y, along_y) in squares[1].iter().enumerate() {
                let rest = square - along_z - along_y;
                let row = (z * squares[1].len() + y) * squares[0].len();
                let within = squares[0].iter().enumerate().filter(|(_, along_x)| **along_x <= rest);
                cells.extend(within.map(|(x, _)| row + x));
            }
        }
        Ok(cells)
    }
}

fn bounded(what: &str, value: u32, most: u32) -> Result<(), BadInput> {
    if value <= most {
        return Ok(());
    }
    Err(BadInput::new("an input", format!("{value} is out of bounds"), format!("at most {most}")).at_key(what))
}

/// A place in 1/16 cell, moved into the world: wrapped round a torus, or set to the nearest place between walls. In a
/// flat world z becomes 0.
pub(super) fn held(place: Place, space: &Space) -> Place {
    match place {
        Place::Column(place) => held_along(place, space).into(),
        Place::Deep(place) => held_along(place, space).into(),
    }
}

fn held_along<const AXES: usize>(mut place: [i32; AXES], space: &Space) -> [i32; AXES] {
    let ends = space.ends();
    for axis in 0..AXES {
        // A flat world is one cell deep and has only one place along z.
        let places = if ends[axis] > PARTS { space.edges.places(ends[axis]) } else { 1 };
        place[axis] = space.edges.wrap_or_clamp(place[axis].into(), places) as i32;
    }
    place
}

/// Spreads quanta evenly over cells, up to their capacities. Returns the quanta that were placed.
fn spread(state: &mut State, capacities: &[u32], cells: &[usize], quanta: u64) -> u64 {
    let mut left = quanta;
    // In each round, all cells with room get equal shares. If the share is too small to divide, the first cells get one
    // quantum each.
    while left > 0 {
        let open: Vec<usize> =
            cells.iter().copied().filter(|index| state.layers[0].density[*index] < capacities[*index]).collect();
        if open.is_empty() {
            break;
        }
        let each = (left / open.len() as u64).max(1);
        for index in open {
            let room = u64::from(capacities[index] - state.layers[0].density[index]);
            let given = each.min(room).min(left);
            state.layers[0].density[index] += given as u32;
            left -= given;
        }
    }
    quanta - left
}
