//! Checkpoints: a swarm under way as a file, from which any engine goes on as if it had never stopped.
//!
//! All numbers little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `MURMURAT` |
//! | 4 | version, 1 |
//! | 4 | length of the header |
//! | … | header: a JSON object with the preset and the chain as they were written, the extents, step, ledger and hunter |
//! | 4 a cell | density, x fastest |
//! | 4 a cell | control vector, x and y as i16 |
//! | 1 a cell | 1 where the cell is solid |
//! | 32 | BLAKE3 of everything before |

use super::{EngineChoice, Pointer, Simulation};
use crate::chain::Chain;
use crate::error::{BadInput, Failure};
use crate::files::write_whole;
use crate::numbers::{ONE, unpack};
use crate::preset::{Preset, Written};
use crate::state::{Ledger, State};
use crate::texts::Texts;
use crate::world::{Extents, LARGEST_EXTENT};
use serde::{Deserialize, Serialize};
use std::path::Path;

const MAGIC: &[u8; 8] = b"MURMURAT";
const VERSION: u32 = 1;
const HASH: usize = 32;

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    preset: Written,
    chain: String,
    #[serde(default, skip_serializing_if = "Texts::is_empty")]
    files: Texts,
    width: u32,
    height: u32,
    step: u64,
    start: u64,
    spawned: u64,
    caught: u64,
    pointer: Option<Pointer>,
    jaws: u32,
}

/// A swarm as it was saved.
#[derive(Debug)]
pub struct Checkpoint {
    header: Header,
    state: State,
    solids: Vec<bool>,
}

impl Simulation {
    /// Saves the swarm as it is, whole or not at all.
    pub fn save(&mut self, path: &Path) -> Result<(), Failure> {
        let (state, ledger) = (self.state()?, self.ledger()?);
        self.write(path, state, ledger, self.step)
    }

    /// Saves the last state that is known for certain, where the device is lost and no other engine could go on; gives
    /// its step.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn save_last_known(&mut self, path: &Path) -> Result<u64, Failure> {
        let Some((state, caught, since)) = self.engine.last_known() else {
            self.save(path)?;
            return Ok(self.step);
        };
        let ledger = Ledger { caught: self.ledger.caught.wrapping_add(caught), ..self.ledger };
        let step = self.step.saturating_sub(since);
        self.write(path, state.clone(), ledger, step)?;
        Ok(step)
    }

    fn write(&self, path: &Path, state: State, ledger: Ledger, step: u64) -> Result<(), Failure> {
        let Extents { width, height } = state.extents;
        let header = Header {
            preset: self.preset.written().clone(),
            chain: self.chain.named.clone(),
            files: self.chain.files.clone(),
            width,
            height,
            step,
            start: ledger.start,
            spawned: ledger.spawned,
            caught: ledger.caught,
            pointer: self.pointer,
            jaws: self.jaws,
        };
        let checkpoint = Checkpoint { header, state, solids: self.preset.world.solids.clone() };
        write_whole(path, |to| to.write_all(&checkpoint.bytes()))
    }

    /// Goes on from a checkpoint.
    ///
    /// # Errors
    /// As [`Simulation::new`].
    pub fn resume(checkpoint: Checkpoint, choice: EngineChoice) -> Result<Self, Failure> {
        let Checkpoint { header, state, solids } = checkpoint;
        let mut preset = Preset::from_written(&header.preset)?;
        if preset.world.extents != state.extents {
            return Err(BadInput::new("the checkpoint", "its extents are not its preset's", "save it anew").into());
        }
        preset.world.solids = solids;
        preset.start = state;
        let chain = Chain::load_from(&header.chain, &mut header.files.clone())?;
        let mut simulation = Self::new(preset, &chain, choice)?;
        simulation.ledger = Ledger { start: header.start, spawned: header.spawned, caught: header.caught };
        simulation.step = header.step;
        if header.pointer.is_some() {
            simulation.hunt(header.pointer)?;
        }
        if header.jaws > 0 {
            simulation.open_jaws(header.jaws)?;
        }
        simulation.events = None;
        Ok(simulation)
    }
}

impl Checkpoint {
    /// Reads a checkpoint and checks every byte of it.
    ///
    /// # Errors
    /// `BadInput` where the file cannot be read, is no checkpoint, or is damaged.
    pub fn read(path: &Path) -> Result<Self, BadInput> {
        let origin = path.display().to_string();
        let cure = "name a checkpoint that the program saved";
        let bytes =
            std::fs::read(path).map_err(|error| BadInput::new(&origin, format!("cannot be read: {error}"), cure))?;
        Self::from_bytes(&bytes).map_err(|problem| BadInput::new(&origin, problem, cure))
    }

    /// The checkpoint that these bytes are, or what is wrong with them.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let rest = bytes.strip_prefix(MAGIC).ok_or("is no checkpoint")?;
        let Some((before, hash)) = bytes.split_last_chunk::<HASH>() else {
            return Err("is cut short".into());
        };
        if blake3::hash(before).as_bytes() != hash {
            return Err("is damaged: its checksum is another".into());
        }
        let mut rest = &rest[..rest.len().saturating_sub(HASH)];
        let version = take_word(&mut rest)?;
        if version != VERSION {
            return Err(format!("is of version {version}; this program reads version {VERSION}"));
        }
        let length = take_word(&mut rest)? as usize;
        let header = rest.get(..length).ok_or("is cut short")?;
        let header: Header = serde_json::from_slice(header).map_err(|error| format!("has a wrong header: {error}"))?;
        let extents = Extents { width: header.width, height: header.height };
        let cells = &rest[length..];
        let is_lattice = |extent| (1..=LARGEST_EXTENT).contains(&extent);
        if !is_lattice(extents.width) || !is_lattice(extents.height) {
            return Err(format!("has a lattice of {} x {} cells", extents.width, extents.height));
        }
        if cells.len() != 9 * extents.cells() {
            return Err("has not as many cells as its header says".into());
        }
        let words =
            |bytes: &[u8]| -> Vec<u32> { bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect() };
        let (density, cells) = cells.split_at(4 * extents.cells());
        let (control, solids) = cells.split_at(4 * extents.cells());
        let state = State { extents, density: words(density), control: words(control) };
        // Every share of a movement relies on this.
        if state.control.iter().any(|word| unpack(*word).iter().any(|component| component.abs() > ONE)) {
            return Err("has a control vector beyond one cell a step".into());
        }
        let solids = match solids.iter().any(|solid| *solid != 0) {
            true => solids.iter().map(|solid| *solid != 0).collect(),
            false => Vec::new(),
        };
        Ok(Self { header, state, solids })
    }

    /// The file.
    fn bytes(&self) -> Vec<u8> {
        let header = serde_json::to_vec(&self.header).expect("a header is plain data");
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(header);
        for words in [&self.state.density, &self.state.control] {
            bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        }
        match self.solids.as_slice() {
            [] => bytes.resize(bytes.len() + self.state.extents.cells(), 0),
            solids => bytes.extend(solids.iter().map(|solid| u8::from(*solid))),
        }
        let hash = blake3::hash(&bytes);
        bytes.extend(hash.as_bytes());
        bytes
    }
}

fn take_word(bytes: &mut &[u8]) -> Result<u32, String> {
    let (word, rest) = bytes.split_first_chunk().ok_or("is cut short")?;
    *bytes = rest;
    Ok(u32::from_le_bytes(*word))
}
