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
//! | 28 an individual | in place of density and control: all numbers, then position and velocity, axis by axis |
//! | 16 an individual | if they have lives: the words of their lives, one column after the other |
//! | 4 a word | the columns of the world, as the header lists them |
//! | 1 a cell | 1 if the cell is solid |
//! | 24 a point | if the header has any: place as three i32, velocity as three i16, presence as u16, key as u32 |
//! | 32 | BLAKE3 of everything before |

use super::engine_host::{RecoveryPoint, Scope, SwarmCopy};
use super::{Account, EngineChoice, Pointer, Simulation};
use crate::chain::Chain;
use crate::engine::platform::SharedHost;
use crate::engine::{AnyEngine, TotalsReading};
use crate::error::{BadInput, Failure};
use crate::falcons::{Falcon, free_in_cells};
use crate::host::contents::Texts;
use crate::host::file_path::FilePath;
use crate::lives::Life;
use crate::numbers::{BOID, ONE};
use crate::points::{Point, Points, PointsReading};
use crate::preset::{self, IndividualModel, Overrides, Preset, PresetSource};
use crate::ranks::{Ranks, SharedInput, SingleRank, check_shared_inputs};
use crate::state::{Entry, Individuals, LIFE_WORDS, Layer, Ledger, State, Swarm, Unit, WorldColumns, words_of_vector};
use crate::text::one_line;
use crate::text::readable::signed_boids;
use crate::ticket::{ReadingSource, Ticket, reading};
use crate::world::obstacles::{ObstacleShape, Obstacles};
use crate::world::targets::Target;
use crate::world::{Extents, MAX_SPECIES, Slab};
use serde::{Deserialize, Serialize};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::num::NonZeroU32;
use std::ops::Range;
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
/// The bytes that are read and hashed at a time.
const READ_AT_ONCE: u64 = 1 << 20;

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
    /// The number of boids a cell that is white in frames of density; `None`: the run has not written any.
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

    fn columns(&self, mut bytes: &[u8]) -> Result<WorldColumns, String> {
        let mut columns = WorldColumns::default();
        for (name, count) in &self.columns {
            let row = preset::columns().find(|row| row.name == name).ok_or_else(|| format!("has a column `{name}`"))?;
            let is_last = columns.iter().all(|(before, _)| before.place < row.place);
            if !is_last || *count == 0 || !count.is_multiple_of(row.words as u64) {
                return Err(format!("has no such column `{name}`"));
            }
            let length = usize::try_from(count.saturating_mul(4)).unwrap_or(usize::MAX);
            let (own, rest) = bytes.split_at_checked(length).ok_or("is cut short")?;
            columns.set(row, words(own).collect());
            bytes = rest;
        }
        Ok(columns)
    }

    fn extents(&self) -> Extents {
        Extents { width: self.width, height: self.height, depth: self.depth }
    }

    /// Reads the header at the start of a checkpoint's bytes. Also returns the length of everything up to the end of
    /// the header.
    fn parse(bytes: &[u8]) -> Result<(Self, usize), String> {
        let mut rest = bytes.strip_prefix(MAGIC).ok_or("is no checkpoint")?;
        let version = take_word(&mut rest)?;
        if version != VERSION {
            return Err(format!("is of version {version}; this program reads version {VERSION}"));
        }
        let length = take_word(&mut rest)? as usize;
        let header = rest.get(..length).ok_or("is cut short")?;
        let header: Self = serde_json::from_slice(header)
            .map_err(|error| format!("has a wrong header: {}", one_line(&error.to_string())))?;
        let extents = header.extents();
        let is_of_individuals = || extents.depth.is_none() && extents.has_places();
        if !extents.is_possible() || header.individuals.is_some() && !is_of_individuals() {
            return Err(format!("has a lattice of {extents} cells"));
        }
        if !(1..=MAX_SPECIES).contains(&header.species) {
            return Err(format!("has {} species", header.species));
        }
        Ok((header, BEGINNING as usize + length))
    }

    /// The number of layers of cells.
    fn layers(&self) -> usize {
        self.species
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

/// Checks the columns of a checkpoint: their names and lengths must be those of the preset, and the values must be
/// possible in its world.
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

    /// The checkpoint of the last known state, and its step, for a lost device without a successor.
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
        let (preset, solids, obstacles) =
            (self.preset.source().clone(), self.ground().clone(), self.obstacles.all().clone());
        let chain = self.chain.named.clone();
        let files = self.chain.files.clone();
        let ledger = self.ledger;
        let species = self.preset.species.len();
        let pointer = self.pointer;
        let jaws = self.jaws;
        let targets = self.targets.clone();
        let inputs = self.inputs;
        let frame_scale = self.frame_scale.and_then(NonZeroU32::new);
        // True even if no individual is left.
        let has_lives = self.preset.individuals.as_ref().is_some_and(IndividualModel::has_lives);
        move |SwarmCopy { swarm, points, turnover }| {
            let points = points.map(|points| points.list);
            let individuals = swarm.individuals();
            let columns = swarm.columns().iter().map(|(row, words)| (row.name.to_owned(), words.len() as u64));
            let header = Header {
                preset,
                chain,
                files,
                width,
                height,
                depth,
                step,
                inputs,
                ledger: ledger.plus(&turnover),
                species: species.max(1),
                columns: columns.collect(),
                lives: has_lives,
                pointer,
                jaws,
                individuals: individuals.map(|individuals| individuals.len() as u64),
                points: points.as_ref().map(|points| points.len() as u64),
                frame_scale,
                obstacles: obstacles.list(),
                targets: targets.list(),
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

    /// Whether bytes start like a checkpoint.
    pub fn is_checkpoint(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Reads a checkpoint from its bytes, and checks all bytes.
    ///
    /// # Errors
    /// A message about the first error in the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        if !Self::is_checkpoint(bytes) {
            return Err("is no checkpoint".into());
        }
        let Some((before, hash)) = bytes.split_last_chunk::<HASH>() else {
            return Err("is cut short".into());
        };
        check_hash(&blake3::hash(before), hash)?;
        let (header, first) = Header::parse(before)?;
        let rest = before.get(first..).unwrap_or_default();
        let Some(cells) = (rest.len() as u64).checked_sub(header.bytes_of_points()) else {
            return Err("has not as many points as its header says".into());
        };
        let (boids, points) = rest.split_at(cells as usize);
        let after = header.words_of_columns().saturating_mul(4).saturating_add(header.extents().cells() as u64);
        let Some(length) = (boids.len() as u64).checked_sub(after) else {
            return Err("has not as many cells as its header says".into());
        };
        let (boids, rest) = boids.split_at(length as usize);
        let (columns, solids) = rest.split_at(rest.len() - header.extents().cells());
        let columns = header.columns(columns)?;
        let swarm = match header.individuals {
            None => Swarm::Cells(State { columns, ..lattice(boids, header.extents(), header.layers())? }),
            Some(count) => Swarm::Individuals(individuals(boids, count, &header)?, columns),
        };
        Self::from_parts(header, swarm, solids, points)
    }

    /// Reads a checkpoint from a file, and checks all bytes. With several ranks, each rank gets its slab of the cells.
    /// `longest`: the most bytes that may be kept in memory.
    ///
    /// # Errors
    /// The errors of [`Self::from_bytes`], or the file cannot be read or is too long.
    pub fn from_file(file: &mut (impl Read + Seek), longest: u64, ranks: &dyn Ranks) -> Result<Self, String> {
        let failed = |error: io::Error| format!("cannot be read: {error}");
        let too_long = || format!("has more than {longest} bytes to be held, {TOO_LONG}");
        let length = file.seek(SeekFrom::End(0)).map_err(failed)?;
        let mut bytes_of = |range: Range<u64>| -> Result<Vec<u8>, String> {
            let mut bytes = Vec::new();
            file.seek(SeekFrom::Start(range.start)).map_err(failed)?;
            Read::by_ref(file).take(range.end - range.start).read_to_end(&mut bytes).map_err(failed)?;
            Ok(bytes)
        };
        let begun = bytes_of(0..length.min(BEGINNING))?;
        let mut after_version = begun.get(MAGIC.len() + 4..).unwrap_or_default();
        let first = take_word(&mut after_version).map_or(0, |header| BEGINNING + u64::from(header));
        let last = length.saturating_sub(HASH as u64);
        if ranks.size() == 1 || !Self::is_checkpoint(&begun) || first > last {
            return if length > longest { Err(too_long()) } else { Self::from_bytes(&bytes_of(0..length)?) };
        }
        let mut hasher = blake3::Hasher::new();
        for place in (0..last).step_by(READ_AT_ONCE as usize) {
            hasher.update(&bytes_of(place..last.min(place + READ_AT_ONCE))?);
        }
        let hash: [u8; HASH] = bytes_of(last..length)?.try_into().map_err(|_| "is cut short")?;
        check_hash(&hasher.finalize(), &hash)?;
        let input = SharedInput::new("checkpoint", blake3::Hash::from_bytes(hash).to_hex().as_str());
        check_shared_inputs(ranks, &[input], "").map_err(|failure| match failure {
            Failure::BadInput(_) => OTHER_ON_RANKS.to_owned(),
            other => other.to_string(),
        })?;
        if first > longest {
            return Err(too_long());
        }
        let (header, _) = Header::parse(&bytes_of(0..first)?)?;
        if header.individuals.is_some() {
            return if length > longest { Err(too_long()) } else { Self::from_bytes(&bytes_of(0..length)?) };
        }
        let extents = header.extents();
        let layers = header.layers() as u64;
        let slab = Slab::of_rank(extents, ranks);
        let all = extents.cells() as u64;
        let own = slab.cells();
        let of_layer = bytes_of_cell(extents) as u64;
        let columns = header.words_of_columns().saturating_mul(4);
        let points = (first + (layers * of_layer + 1) * all).saturating_add(columns);
        if points.checked_add(header.bytes_of_points()) != Some(last) {
            return Err("has not as many cells or points as its header says".into());
        }
        if layers * of_layer * own.len() as u64 + all + columns + header.bytes_of_points() > longest {
            return Err(too_long());
        }
        let mut cells = Vec::new();
        for layer in 0..layers {
            let mut place = first + layer * of_layer * all;
            for item in [4, of_layer - 4] {
                cells.extend(bytes_of(place + item * own.start as u64..place + item * own.end as u64)?);
                place += item * all;
            }
        }
        let columns = header.columns(&bytes_of(points - all - columns..points - all)?)?;
        let swarm = Swarm::Cells(State { columns, ..lattice(&cells, slab.extents(), header.layers())? });
        Self::from_parts(header, swarm, &bytes_of(points - all..points)?, &bytes_of(points..last)?)
    }

    /// Makes a checkpoint of its parts. `solids` and `points` are the bytes of the file.
    fn from_parts(header: Header, swarm: Swarm, solids: &[u8], points: &[u8]) -> Result<Self, String> {
        let solids = if solids.iter().any(|solid| *solid != 0) {
            Arc::new(solids.iter().map(|solid| *solid != 0).collect())
        } else {
            Arc::default()
        };
        let points: Vec<Point> = points.as_chunks().0.iter().map(Point::from_le_bytes).collect();
        if !Points::are_in_order(&points, header.extents(), header.layers() as u32) {
            return Err("has points beyond its lattice or out of order".into());
        }
        let points = header.points.map(|_| points);
        Ok(Self { header, swarm, solids, points })
    }

    /// The number of bytes between the header and the hash.
    fn bytes_of_swarm(&self) -> usize {
        let cells = self.header.extents().cells();
        let of_swarm = match &self.swarm {
            Swarm::Cells(state) => state.layers.len() * bytes_of_cell(state.extents) * cells,
            Swarm::Individuals(individuals, _) => individuals.len() * self.header.bytes_of_individual(),
        };
        of_swarm
            + 4 * self.header.words_of_columns() as usize
            + cells
            + POINT * self.points.as_ref().map_or(0, Vec::len)
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        // Reserves memory for all bytes. Growing buffers would fragment the memory of a web page, which saves its swarm
        // often.
        let header = serde_json::to_vec(&self.header).map_or(0, |header| header.len());
        let mut bytes = Vec::with_capacity(MAGIC.len() + 8 + header + self.bytes_of_swarm() + HASH);
        self.write_over_ranks(&SingleRank, &mut bytes).expect("a list takes all bytes");
        bytes
    }

    /// Writes the file. If each rank has the checkpoint of its slab, every rank must make this call. The first rank
    /// writes the file of the whole world. The other ranks send it their cells, one column of a slab at a time.
    ///
    /// # Errors
    /// If the file cannot be written (after all cells were sent), or another rank has ended.
    pub fn write_over_ranks(&self, ranks: &dyn Ranks, to: &mut dyn Write) -> io::Result<()> {
        let mut to =
            BufWriter::with_capacity(1 << 16, HashedWriter { to, hasher: blake3::Hasher::new(), failure: None });
        let header = serde_json::to_vec(&self.header).expect("a header is plain data");
        to.write_all(MAGIC)?;
        to.write_all(&VERSION.to_le_bytes())?;
        to.write_all(&(header.len() as u32).to_le_bytes())?;
        to.write_all(&header)?;
        match &self.swarm {
            Swarm::Cells(state) => {
                for (words, _) in state.layers.iter().flat_map(Layer::columns) {
                    write_numbers_of_all(words, u32::to_le_bytes, ranks, &mut to)?;
                }
            }
            Swarm::Individuals(individuals, _) => {
                let individuals = individuals.in_order();
                write_numbers(&individuals.numbers, u32::to_le_bytes, &mut to)?;
                for list in individuals.columns() {
                    write_numbers(list, i32::to_le_bytes, &mut to)?;
                }
            }
        }
        for (_, words) in self.swarm.columns().iter() {
            write_numbers(words, u32::to_le_bytes, &mut to)?;
        }
        match self.solids.as_slice() {
            [] => {
                let mut left = self.header.extents().cells();
                while left > 0 {
                    let count = left.min(NUMBERS_AT_ONCE);
                    to.write_all(&[0; NUMBERS_AT_ONCE][..count])?;
                    left -= count;
                }
            }
            solids => write_numbers(solids, |solid| [u8::from(solid)], &mut to)?,
        }
        for point in self.points.iter().flatten() {
            to.write_all(&point.to_le_bytes())?;
        }
        let HashedWriter { to, hasher, failure } = to.into_inner().map_err(io::IntoInnerError::into_error)?;
        failure.map_or(Ok(()), Err)?;
        to.write_all(hasher.finalize().as_bytes())
    }
}

/// The numbers that are converted to bytes at a time.
const NUMBERS_AT_ONCE: usize = 1 << 13;

/// Hashes and writes bytes. Keeps the first failure, so that the cells of other ranks can still be received.
struct HashedWriter<'a> {
    to: &'a mut dyn Write,
    hasher: blake3::Hasher,
    failure: Option<io::Error>,
}

impl Write for HashedWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failure.is_none() {
            self.failure = self.to.write_all(bytes).err();
            self.hasher.update(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

fn write_numbers<T: Copy, const BYTES: usize>(
    numbers: &[T],
    to_bytes: fn(T) -> [u8; BYTES],
    to: &mut dyn Write,
) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(numbers.len().min(NUMBERS_AT_ONCE) * BYTES);
    for numbers in numbers.chunks(NUMBERS_AT_ONCE) {
        bytes.clear();
        bytes.extend(numbers.iter().flat_map(|number| to_bytes(*number)));
        to.write_all(&bytes)?;
    }
    Ok(())
}

/// Writes the numbers of all ranks in order, on the first rank.
fn write_numbers_of_all<T: Copy, const BYTES: usize>(
    numbers: &[T],
    to_bytes: fn(T) -> [u8; BYTES],
    ranks: &dyn Ranks,
    to: &mut dyn Write,
) -> io::Result<()> {
    if ranks.is_first() {
        write_numbers(numbers, to_bytes, to)?;
    }
    for rank in 1..ranks.size() {
        let mut bytes = Vec::new();
        if rank == ranks.rank() {
            bytes.reserve_exact(numbers.len() * BYTES);
            write_numbers(numbers, to_bytes, &mut bytes)?;
        }
        let sent = ranks.gather_to_first(&bytes).map_err(io::Error::other)?;
        to.write_all(sent.as_ref().map_or(&[], |sent| &sent[rank]))?;
    }
    Ok(())
}

/// Compares the hash of a checkpoint's bytes with the hash at the end of the file.
fn check_hash(hash: &blake3::Hash, saved: &[u8; HASH]) -> Result<(), String> {
    if hash.as_bytes() == saved { Ok(()) } else { Err("is damaged: its checksum is another".into()) }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word))
}

/// The bytes of a cell in one layer.
fn bytes_of_cell(extents: Extents) -> usize {
    4 + 4 * words_of_vector(extents.depth)
}

/// Reads the state of a lattice with a number of species.
fn lattice(cells: &[u8], extents: Extents, species: usize) -> Result<State, String> {
    if cells.len() != bytes_of_cell(extents) * species * extents.cells() {
        return Err("has not as many cells as its header says".into());
    }
    let layers = cells.chunks_exact(bytes_of_cell(extents) * extents.cells()).map(|layer| {
        let (density, control) = layer.split_at(4 * extents.cells());
        Layer { density: words(density).collect(), control: words(control).collect() }
    });
    let state = State::new(extents, layers.collect());
    // The arithmetic of a movement relies on this bound.
    let is_fast = |component: i32| !(-ONE..=ONE).contains(&component);
    let are_too_fast = |layer: &Layer| (0..extents.cells()).any(|cell| layer.velocity(cell).into_iter().any(is_fast));
    if state.layers.iter().any(are_too_fast) {
        return Err("has a control vector beyond one cell a step".into());
    }
    Ok(state)
}

/// Reads the individuals, which are in the order of their numbers.
fn individuals(bytes: &[u8], count: u64, header: &Header) -> Result<Individuals, String> {
    let each = header.bytes_of_individual();
    if (bytes.len() / each) as u64 != count || !bytes.len().is_multiple_of(each) {
        return Err("has not as many individuals as its header says".into());
    }
    let count = count as usize;
    let mut words = words(bytes);
    let mut individuals = Individuals { numbers: words.by_ref().take(count).collect(), ..Individuals::default() };
    for list in individuals.columns_mut().take(each / 4 - 1) {
        *list = words.by_ref().take(count).map(|word| word as i32).collect();
    }
    let has_sound_life = |index| individuals.life(index).is_none_or(|life| Life::are_sound(life, header.species));
    if !(0..count).all(has_sound_life) {
        return Err("has an individual whose life cannot be".into());
    }
    if !individuals.numbers.is_sorted_by(|one, next| one < next) {
        return Err("has individuals with the same number".into());
    }
    Ok(individuals)
}

fn take_word(bytes: &mut &[u8]) -> Result<u32, String> {
    let (word, rest) = bytes.split_first_chunk().ok_or("is cut short")?;
    *bytes = rest;
    Ok(u32::from_le_bytes(*word))
}
