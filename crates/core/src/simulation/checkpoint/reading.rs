//! A checkpoint from bytes or from a file. All bytes are checked.

use super::{BEGINNING, Checkpoint, HASH, Header, MAGIC, OTHER_ON_RANKS, TOO_LONG, VERSION, bytes_of_cell};
use crate::error::Failure;
use crate::lives::Life;
use crate::numbers::ONE;
use crate::points::{Point, Points};
use crate::preset;
use crate::ranks::{Ranks, SharedInput, check_shared_inputs};
use crate::state::{Individuals, Layer, State, Swarm, WorldColumns};
use crate::text::one_line;
use crate::world::{Extents, MAX_SPECIES, Slab};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;

/// The bytes that are read and hashed at a time.
const READ_AT_ONCE: u64 = 1 << 20;

impl Header {
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
}

impl Checkpoint {
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
            None => Swarm::Cells(State { columns, ..lattice(boids, header.extents(), header.species)? }),
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
        let length = file.seek(SeekFrom::End(0)).map_err(unreadable)?;
        let mut file = CheckpointFile { file, length, longest };
        let begun = file.bytes(0..length.min(BEGINNING))?;
        let mut after_version = begun.get(MAGIC.len() + 4..).unwrap_or_default();
        let first = take_word(&mut after_version).map_or(0, |header| BEGINNING + u64::from(header));
        if ranks.size() == 1 || !Self::is_checkpoint(&begun) || first > file.end() {
            return file.whole();
        }
        file.check_on(ranks)?;
        if first > longest {
            return Err(file.too_long());
        }
        let (header, _) = Header::parse(&file.bytes(0..first)?)?;
        if header.individuals.is_some() { file.whole() } else { file.slab(header, first, ranks) }
    }

    /// Makes a checkpoint of its parts. `solids` and `points` are the bytes of the file.
    fn from_parts(header: Header, swarm: Swarm, solids: &[u8], points: &[u8]) -> Result<Self, String> {
        let solids = if solids.iter().any(|solid| *solid != 0) {
            Arc::new(solids.iter().map(|solid| *solid != 0).collect())
        } else {
            Arc::default()
        };
        let points: Vec<Point> = points.as_chunks().0.iter().map(Point::from_le_bytes).collect();
        if !Points::are_in_order(&points, header.extents(), header.species as u32) {
            return Err("has points beyond its lattice or out of order".into());
        }
        let points = header.points.map(|_| points);
        Ok(Self { header, swarm, solids, points })
    }
}

/// The file of a checkpoint, which is read in parts.
struct CheckpointFile<'a, F> {
    file: &'a mut F,
    length: u64,
    /// The most bytes that may be kept in memory.
    longest: u64,
}

impl<F: Read + Seek> CheckpointFile<'_, F> {
    fn bytes(&mut self, range: Range<u64>) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(range.start)).map_err(unreadable)?;
        Read::by_ref(self.file).take(range.end - range.start).read_to_end(&mut bytes).map_err(unreadable)?;
        Ok(bytes)
    }

    /// The offset of the hash in the file, in bytes.
    fn end(&self) -> u64 {
        self.length.saturating_sub(HASH as u64)
    }

    fn too_long(&self) -> String {
        format!("has more than {} bytes to be held, {TOO_LONG}", self.longest)
    }

    fn whole(&mut self) -> Result<Checkpoint, String> {
        if self.length > self.longest {
            return Err(self.too_long());
        }
        Checkpoint::from_bytes(&self.bytes(0..self.length)?)
    }

    /// Checks all bytes, and that all ranks have this file.
    fn check_on(&mut self, ranks: &dyn Ranks) -> Result<(), String> {
        let last = self.end();
        let mut hasher = blake3::Hasher::new();
        for place in (0..last).step_by(READ_AT_ONCE as usize) {
            hasher.update(&self.bytes(place..last.min(place + READ_AT_ONCE))?);
        }
        let hash: [u8; HASH] = self.bytes(last..self.length)?.try_into().map_err(|_| "is cut short")?;
        check_hash(&hasher.finalize(), &hash)?;
        let input = SharedInput::new("checkpoint", blake3::Hash::from_bytes(hash).to_hex().as_str());
        check_shared_inputs(ranks, &[input], "").map_err(|failure| match failure {
            Failure::BadInput(_) => OTHER_ON_RANKS.to_owned(),
            other => other.to_string(),
        })
    }

    /// The checkpoint of a rank's slab. `first`: the offset of the first cell in the file, in bytes.
    fn slab(&mut self, header: Header, first: u64, ranks: &dyn Ranks) -> Result<Checkpoint, String> {
        let extents = header.extents();
        let layers = header.species as u64;
        let slab = Slab::of_rank(extents, ranks);
        let all = extents.cells() as u64;
        let own = slab.cells();
        let of_layer = bytes_of_cell(extents) as u64;
        let columns = header.words_of_columns().saturating_mul(4);
        let points = (first + (layers * of_layer + 1) * all).saturating_add(columns);
        if points.checked_add(header.bytes_of_points()) != Some(self.end()) {
            return Err("has not as many cells or points as its header says".into());
        }
        if layers * of_layer * own.len() as u64 + all + columns + header.bytes_of_points() > self.longest {
            return Err(self.too_long());
        }
        let mut cells = Vec::new();
        for layer in 0..layers {
            let mut place = first + layer * of_layer * all;
            for item in [4, of_layer - 4] {
                cells.extend(self.bytes(place + item * own.start as u64..place + item * own.end as u64)?);
                place += item * all;
            }
        }
        let columns = header.columns(&self.bytes(points - all - columns..points - all)?)?;
        let swarm = Swarm::Cells(State { columns, ..lattice(&cells, slab.extents(), header.species)? });
        Checkpoint::from_parts(header, swarm, &self.bytes(points - all..points)?, &self.bytes(points..self.end())?)
    }
}

fn unreadable(error: io::Error) -> String {
    format!("cannot be read: {error}")
}

/// Compares the hash of a checkpoint's bytes with the hash at the end of the file.
fn check_hash(hash: &blake3::Hash, saved: &[u8; HASH]) -> Result<(), String> {
    if hash.as_bytes() == saved { Ok(()) } else { Err("is damaged: its checksum is another".into()) }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word))
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
