//! Checkpoints: a swarm at a step as a file. Any engine can continue the run from it with equal bits.
//!
//! All numbers little-endian:
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `MURMURAT` |
//! | 4 | version: 8 |
//! | 4 | length of the header |
//! | … | header: a JSON object with the preset, the chain and their files, the extents, step, ledger and hunter |
//! | 4 a cell | density, x fastest and z slowest |
//! | 4 or 8 a cell | control vector, x and y as i16, and in a deep world z as i32 |
//! | 8 or 12 a cell | density and control vector of each species after the first |
//! | 28 an individual | instead of cells: all numbers, then places and velocities, a list for each axis |
//! | 16 an individual | if they have lives: the words of their lives, one column after the other |
//! | 4 a word | the columns of the world, as the header lists them |
//! | 1 a cell | 1 if the cell is solid |
//! | 24 a point | if the header has any: place as three i32, velocity as three i16, presence as u16, key as u32 |
//! | 32 | BLAKE3 of everything before |

mod reading;
mod writing;

use super::engine_host::{RecoveryPoint, Scope, SwarmCopy};
use super::{Account, EngineChoice, Pointer, Simulation};
use crate::chain::Chain;
use crate::engine::platform::SharedHost;
use crate::engine::{AnyEngine, TotalsReading};
use crate::error::{BadInput, Failure};
use crate::falcons::{Falcon, free_in_cells};
use crate::host::contents::Texts;
use crate::host::file_path::FilePath;
use crate::numbers::BOID;
use crate::points::{Point, PointsReading};
use crate::preset::{IndividualModel, Overrides, Preset, PresetSource};
use crate::state::{Entry, Individuals, LIFE_WORDS, Ledger, Swarm, Unit, WorldColumns, words_of_vector};
use crate::text::readable::signed_boids;
use crate::ticket::{ReadingSource, Ticket, reading};
use crate::world::Extents;
use crate::world::obstacles::{ObstacleShape, Obstacles};
use crate::world::targets::Target;
use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;
use std::sync::Arc;

const MAGIC: &[u8; 8] = b"MURMURAT";
const VERSION: u32 = 8;
/// The bytes of an individual without a life, and the bytes of a life.
const INDIVIDUAL: usize = 28;
const LIFE: usize = 4 * LIFE_WORDS;
/// The bytes of a point.
const POINT: usize = 24;
const HASH: usize = 32;
/// The end of the message about a file that does not fit into memory.
pub const TOO_LONG: &str = "half of the memory that is free";
/// The message about a file that differs from rank to rank.
pub const OTHER_ON_RANKS: &str = "is another file on some ranks than on the first one";
/// The bytes before the header.
const BEGINNING: u64 = 16;

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    preset: PresetSource,
    chain: FilePath,
    #[serde(default, skip_serializing_if = "Texts::is_empty")]
    files: Texts,
    width: u32,
    height: u32,
    /// The extent along z of a deep world of cells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    step: u64,
    /// The number of inputs before the checkpoint.
    #[serde(default, skip_serializing_if = "is_zero")]
    inputs: u64,
    ledger: Ledger,
    /// The number of layers of cells, or of species of individuals.
    species: usize,
    /// Whether individuals have lives.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    lives: bool,
    /// The name of each column of the world, and the number of its words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    columns: Vec<(String, u64)>,
    pointer: Option<Pointer>,
    jaws: u32,
    /// The number of individuals; `None`: the swarm is of cells.
    #[serde(default, rename = "agents", skip_serializing_if = "Option::is_none")]
    individuals: Option<u64>,
    /// The number of points; `None`: the run keeps no points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    points: Option<u64>,
    /// The number of boids a cell that is white in frames of density; `None`: the run has written no such frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    frame_scale: Option<NonZeroU32>,
    /// The obstacles of a game, by number. The solids of the file do not include them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    obstacles: Vec<(u32, ObstacleShape)>,
    /// The targets of a game, by number, each with the step at which the target was added.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    targets: Vec<(u32, u64, Target)>,
}

impl Header {
    fn check_against(&self, preset: &Preset) -> Result<(), BadInput> {
        if preset.world.extents != self.extents() {
            return Err(not_of_preset("its extents are"));
        }
        if preset.individuals.is_some() != self.individuals.is_some() {
            return Err(not_of_preset("its model is"));
        }
        if preset.species.len().max(1) != self.species {
            return Err(not_of_preset("its species are"));
        }
        Ok(())
    }

    fn words_of_columns(&self) -> u64 {
        self.columns.iter().fold(0, |sum, (_, words)| sum.saturating_add(*words))
    }

    fn extents(&self) -> Extents {
        Extents { width: self.width, height: self.height, depth: self.depth }
    }

    fn bytes_of_points(&self) -> u64 {
        self.points.unwrap_or(0).saturating_mul(POINT as u64)
    }

    fn bytes_of_individual(&self) -> usize {
        INDIVIDUAL + if self.lives { LIFE } else { 0 }
    }
}

fn bad_checkpoint(problem: String) -> BadInput {
    BadInput::new("the checkpoint", problem, "save it anew")
}

/// The complaint that a part of a checkpoint does not match its preset. `what`: the part, with its verb.
fn not_of_preset(what: &str) -> BadInput {
    bad_checkpoint(format!("{what} not its preset's"))
}

/// Checks the columns of a checkpoint. Their names and lengths must equal the names and lengths of the preset's
/// columns. The values must be possible in the preset's world.
fn check_columns(columns: &WorldColumns, preset: &Preset) -> Result<(), BadInput> {
    let begun = preset.columns()?;
    let lengths =
        |columns: &WorldColumns| columns.iter().map(|(row, words)| (row.name, words.len())).collect::<Vec<_>>();
    let (own, expected) = (lengths(columns), lengths(&begun));
    let other =
        own.iter().find(|column| !expected.contains(column)).or(expected.iter().find(|column| !own.contains(column)));
    let impossible = columns.impossible(&preset.world, &preset.space()).map(|row| row.name);
    match other.map(|(name, _)| *name).or(impossible) {
        Some(name) => Err(not_of_preset(&format!("its {name} {}", if name.ends_with('s') { "are" } else { "is" }))),
        None => Ok(()),
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A saved swarm.
#[derive(Debug)]
pub struct Checkpoint {
    header: Header,
    swarm: Swarm,
    solids: Arc<Vec<bool>>,
    points: Option<Vec<Point>>,
}

reading! {
    /// The checkpoint of the present step.
    CheckpointReading -> Checkpoint
}

impl ReadingSource<CheckpointReading> for Simulation {
    fn request(&mut self, _: CheckpointReading) -> Result<Ticket<Checkpoint>, Failure> {
        let make = self.checkpoint_at(self.engine.step);
        Ok(self.engine.request_copy(Scope::Full)?.map(make))
    }
}

impl Simulation {
    /// The checkpoint of this rank's slab. [`Checkpoint::write_over_ranks`] joins the checkpoints of all ranks in one
    /// file.
    ///
    /// # Errors
    /// If the device fails, or another rank has ended.
    pub fn checkpoint_of_slab(&mut self) -> Result<Checkpoint, Failure> {
        let points = self.engine.read(PointsReading)?;
        let turnover = self.engine.read(TotalsReading)?.turnover();
        let AnyEngine::Lattice(engine) = &mut self.engine.engine else { return self.read(CheckpointReading) };
        let (_, state) = engine.slab()?;
        let copy = SwarmCopy { swarm: Swarm::Cells(state), points, turnover };
        Ok(self.checkpoint_at(self.engine.step)(copy))
    }

    /// The checkpoint of the last known state, and its step. Use it if the device is lost and no other engine can
    /// continue.
    ///
    /// # Errors
    /// If the device fails and no state is known.
    pub fn last_known_checkpoint(&mut self) -> Result<(Checkpoint, u64), Failure> {
        let Some(RecoveryPoint { copy, steps, .. }) = &self.engine.kept else {
            return Ok((self.read(CheckpointReading)?, self.engine.step));
        };
        let step = self.engine.step.saturating_sub(steps.len() as u64);
        Ok((self.checkpoint_at(step)(copy.clone()), step))
    }

    /// A function that makes the checkpoint of a step from a copy of its swarm, with the present preset.
    fn checkpoint_at(&self, step: u64) -> impl FnOnce(SwarmCopy) -> Checkpoint + Send + use<> {
        let Extents { width, height, depth } = self.preset.world.extents;
        let header = Header {
            preset: self.preset.source().clone(),
            chain: self.chain.named.clone(),
            files: self.chain.files.clone(),
            width,
            height,
            depth,
            step,
            inputs: self.inputs,
            ledger: self.ledger,
            species: self.preset.species.len().max(1),
            columns: Vec::new(),
            // True even if no individual is left.
            lives: self.preset.individuals.as_ref().is_some_and(IndividualModel::has_lives),
            pointer: self.pointer,
            jaws: self.jaws,
            individuals: None,
            points: None,
            frame_scale: self.frame_scale.and_then(NonZeroU32::new),
            obstacles: self.obstacles.all().list(),
            targets: self.targets.list(),
        };
        let solids = self.ground().clone();
        move |SwarmCopy { swarm, points, turnover }| {
            let points = points.map(|points| points.list);
            let columns = swarm.columns().iter().map(|(row, words)| (row.name.to_owned(), words.len() as u64));
            let header = Header {
                ledger: header.ledger.plus(&turnover),
                columns: columns.collect(),
                individuals: swarm.individuals().map(|individuals| individuals.len() as u64),
                points: points.as_ref().map(|points| points.len() as u64),
                ..header
            };
            Checkpoint { header, swarm, solids, points }
        }
    }

    /// Continues from a checkpoint.
    ///
    /// # Errors
    /// As [`Simulation::new`].
    pub fn resume(host: &SharedHost, checkpoint: Checkpoint, choice: EngineChoice) -> Result<Self, Failure> {
        let Checkpoint { header, mut swarm, solids, points } = checkpoint;
        let mut preset = Preset::from_source(host, &header.preset)?;
        header.check_against(&preset)?;
        check_columns(swarm.columns(), &preset)?;
        preset.world.solids = solids;
        free_in_cells(Falcon::all_of_mut(swarm.columns_mut()), &preset.world);
        let chain = Chain::load_from(host.as_ref(), &header.chain, &mut header.files.clone())?;
        let (state, individuals) = match swarm {
            Swarm::Cells(state) => (Some(state), None),
            Swarm::Individuals(individuals, columns) => (None, Some((individuals, columns))),
        };
        let mut simulation = Self::begin(preset, &chain, choice, state)?;
        simulation.ledger = header.ledger.turnover();
        simulation.numbers_before = simulation.numbers_before.max(header.ledger.sum(Entry::Start) / u64::from(BOID));
        let many = || not_of_preset("more boids than can be counted came into it; they are");
        let boids = [Entry::Start, Entry::Spawned].map(|entry| header.ledger[entry]);
        u64::try_from(boids.as_flattened().iter().map(|boids| u128::from(*boids)).sum::<u128>()).map_err(|_| many())?;
        if individuals.is_some() && simulation.numbers_given() > u64::from(u32::MAX) {
            return Err(many().into());
        }
        if !header.obstacles.is_empty() {
            simulation.take_obstacles(Obstacles::from_list(header.obstacles)?)?;
        }
        if let Some((individuals, columns)) = individuals {
            simulation.take_saved_individuals(individuals, columns)?;
        }
        simulation.engine.set_step(header.step);
        simulation.frame_scale = header.frame_scale.map(NonZeroU32::get);
        if header.pointer.is_some() {
            simulation.hunt(header.pointer)?;
        }
        if header.jaws > 0 {
            simulation.open_jaws(header.jaws)?;
        }
        for (number, since, target) in header.targets {
            simulation.put_target(number, Some(target), since)?;
        }
        if let Some(points) = points {
            simulation.take_points(points)?;
        }
        simulation.check_balance()?;
        simulation.record = None;
        (simulation.inputs, simulation.resumed_at) = (header.inputs, Some(header.step));
        Ok(simulation)
    }

    /// Restores the individuals and the columns of the world. If the columns have an origin, moves the window there.
    fn take_saved_individuals(&mut self, individuals: Individuals, columns: WorldColumns) -> Result<(), Failure> {
        self.check_individuals(&individuals)?;
        if columns.origin().is_some() {
            let solids = self.preset.world.solids.clone();
            return self.go_to_window(individuals, columns, solids);
        }
        let mut swarm = Swarm::Individuals(individuals, columns);
        self.free(&mut swarm);
        self.engine.set_swarm(&swarm)
    }

    /// Checks that the ledger balances in all units. Kernels of a user are not checked, because they may lose amounts.
    fn check_balance(&mut self) -> Result<(), Failure> {
        let is_ours = self.chain.passes.iter().all(|pass| pass.kernel.is_built_in);
        let Account { lost, ledger, .. } = self.account()?;
        let problem = match Unit::ALL.into_iter().find(|unit| *unit != Unit::Quanta && ledger.lost(*unit) != 0) {
            _ if !is_ours => return Ok(()),
            None if lost == 0 || !self.chain.conserves => return Ok(()),
            None => format!("its boids do not balance: {} are missing by its ledger", signed_boids(lost)),
            Some(unit) => format!("its {} does not balance", unit.name()),
        };
        Err(bad_checkpoint(problem).into())
    }
}

impl Checkpoint {
    /// The swarm, if it is the swarm of this preset at step 0, with the preset's size, seed and numbers. The look may
    /// differ.
    pub(super) fn swarm_at_step_0_of(self, preset: &Preset) -> Option<Swarm> {
        let own = &self.header.preset;
        let asked = preset.source();
        let has_own_numbers = |overrides: &Overrides| {
            let Overrides { size, depth, seed, set, individuals, scales_boids: _ } = overrides;
            let is_of_look = |setting: &String| setting.trim_start().starts_with("look.");
            (size, depth, seed, individuals) == (&None, &None, &None, &false) && set.iter().all(is_of_look)
        };
        let are_own = has_own_numbers(&own.overrides) && has_own_numbers(&asked.overrides);
        let is_same = own.text == asked.text && self.header.extents() == preset.world.extents;
        let is_at_start = self.header.step == 0 && self.swarm.columns().origin().is_none();
        let has_its_columns = || check_columns(self.swarm.columns(), preset).is_ok();
        (are_own && is_same && is_at_start && has_its_columns()).then_some(self.swarm)
    }
}

/// The bytes of a cell in one layer.
fn bytes_of_cell(extents: Extents) -> usize {
    4 + 4 * words_of_vector(extents.depth)
}
