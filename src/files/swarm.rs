//! Checkpoints, replays and presets of a simulation as files. A file is written completely or not at all.

use super::system::{access, at_most, plain_file};
use super::{free_paths, try_somewhere, write_atomically};
use crate::free_memory::free_memory;
use crate::ranks::check_file;
use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder};
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::preset::{Preset, are_alike};
use murmuration_core::ranks::{Ranks, SingleRank};
use murmuration_core::simulation::Simulation;
use murmuration_core::simulation::checkpoint::{Checkpoint, CheckpointReading, OTHER_ON_RANKS, TOO_LONG};
use murmuration_core::simulation::replay::{MAX_REPLAY_BYTES, Replay};
use murmuration_core::text::from_bytes;
use murmuration_core::world::World;
use ndarray::ArrayView3;
use ndarray_npy::WriteNpyExt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The maximum size of a checkpoint in bytes if the free memory is unknown.
const MAX_CHECKPOINT_BYTES: u64 = 1 << 33;

/// Saves the present state of a simulation as a checkpoint. If several ranks play the world, every rank makes this
/// call.
///
/// # Errors
/// If the device fails, or the file cannot be written.
pub fn save_checkpoint(simulation: &mut Simulation, path: &Path) -> Result<(), Failure> {
    let (checkpoint, ranks) = checkpoint_of_rank(simulation)?;
    write_over_ranks(&checkpoint, &*ranks, path)
}

/// The part of a checkpoint that this rank holds, and the ranks that write the checkpoint together. A single process
/// holds the whole checkpoint.
fn checkpoint_of_rank(simulation: &mut Simulation) -> Result<(Checkpoint, Arc<dyn Ranks>), Failure> {
    if simulation.is_in_slabs() {
        Ok((simulation.checkpoint_of_slab()?, simulation.preset().host().ranks()))
    } else {
        Ok((simulation.read(CheckpointReading)?, Arc::new(SingleRank)))
    }
}

/// Writes the parts of a checkpoint of all ranks as one file. The call fails on every rank, or on none.
fn write_over_ranks(checkpoint: &Checkpoint, ranks: &dyn Ranks, path: &Path) -> Result<(), Failure> {
    let mut is_sent = ranks.size() == 1;
    let written = write_atomically(path, |to| {
        is_sent = true;
        checkpoint.write_over_ranks(ranks, to)
    });
    if !is_sent {
        // This is not the first rank, or the first rank cannot create the file.
        let sent = checkpoint.write_over_ranks(ranks, &mut io::sink());
        sent.map_err(|source| Failure::File { action: "cannot send", path: path.display().to_string(), source })?;
    }
    match (ranks.any(written.is_err())?, written) {
        (true, Ok(())) => Err(Failure::Rank(format!("the first rank cannot write {}", path.display()))),
        (_, written) => written,
    }
}

/// Writes a whole checkpoint as a file.
///
/// # Errors
/// If the file cannot be written.
pub fn write_checkpoint(checkpoint: &Checkpoint, path: &Path) -> Result<(), Failure> {
    write_over_ranks(checkpoint, &SingleRank, path)
}

/// Saves the swarm at the end of a run. If the file cannot be written, the checkpoint goes into the working folder or
/// the folder of temporary files. Returns `None` if `path` was written, else the other path and the first failure.
///
/// # Errors
/// If the device fails, or none of the folders takes the file.
pub fn save_checkpoint_somewhere(
    simulation: &mut Simulation,
    path: &Path,
) -> Result<Option<(PathBuf, Failure)>, Failure> {
    let (checkpoint, ranks) = checkpoint_of_rank(simulation)?;
    try_somewhere(path, |path| write_over_ranks(&checkpoint, &*ranks, path))
}

/// Saves the last state that the program has read from the engine, after the GPU device was lost and no other engine
/// could continue. Returns the step of that state.
///
/// # Errors
/// If the device fails and no state is known, or the file cannot be written.
pub fn save_last_known(simulation: &mut Simulation, path: &Path) -> Result<u64, Failure> {
    let (checkpoint, step) = simulation.last_known_checkpoint()?;
    write_checkpoint(&checkpoint, path)?;
    Ok(step)
}

/// Reads a checkpoint and checks every byte of it. If several ranks play the world together, each rank gets its slab of
/// the world.
///
/// # Errors
/// `BadInput`: the file cannot be read, is no checkpoint, or is damaged.
pub fn read_checkpoint(path: &Path) -> Result<Checkpoint, BadInput> {
    let origin = path.display().to_string();
    let cure = "name a checkpoint that the program saved";
    let wrong = |problem: String| BadInput::new(&origin, problem, cure);
    // The bytes of the file and the swarm must fit into memory together.
    let longest = free_memory().map_or(MAX_CHECKPOINT_BYTES, |free| free / 2);
    let mut file = plain_file(path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    Checkpoint::from_file(&mut file, longest, &*crate::ranks::present()).map_err(|problem| {
        let cure = match &*problem {
            OTHER_ON_RANKS => "give all ranks the same file",
            _ if problem.ends_with(TOO_LONG) => {
                "free memory, or resume it with fewer ranks on a machine, or on a larger machine"
            }
            _ => cure,
        };
        BadInput::new(&origin, problem, cure)
    })
}

/// Writes a replay as JSON.
///
/// # Errors
/// If the file cannot be written.
pub fn write_replay(replay: &Replay, path: &Path) -> Result<(), Failure> {
    write_atomically(path, |to| Ok(serde_json::to_writer(to, replay)?))
}

/// Reads a replay.
///
/// # Errors
/// `BadInput`: the file cannot be read or is no replay.
pub fn read_replay(path: &Path) -> Result<Replay, BadInput> {
    read_short_replay(path, MAX_REPLAY_BYTES)
}

/// Reads a replay whose file has at most `longest` bytes.
///
/// # Errors
/// As [`read_replay`].
pub fn read_short_replay(path: &Path, longest: u64) -> Result<Replay, BadInput> {
    let origin = path.display().to_string();
    let cure = "name a file that the program wrote";
    let bytes =
        at_most(longest, path).map_err(|error| BadInput::new(&origin, format!("cannot be read: {error}"), cure))?;
    if bytes.len() as u64 > longest {
        return Err(BadInput::new(&origin, format!("is longer than {longest} bytes"), cure));
    }
    check_file(path, &bytes)?;
    Replay::from_json(&origin, &from_bytes(&origin, bytes, cure)?)
}

/// The files of a saved preset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedPreset {
    pub preset: PathBuf,
    /// The file of the solid cells; `None`: the text of the saved preset alone gives the solid cells.
    pub mask: Option<PathBuf>,
}

/// Writes the solid cells of a world. A flat world gives a picture whose white pixels are solid. A deep world gives an
/// NPY array of shape (depth, height, width).
fn write_solids(world: &World, to: &mut (impl Write + ?Sized)) -> io::Result<()> {
    let [width, height, depth] = world.extents.along_axes();
    if world.extents.depth.is_some() {
        let shape = [depth, height, width].map(|extent| extent as usize);
        let cells = ArrayView3::from_shape(shape, &world.solids[..]).map_err(io::Error::other)?;
        return cells.map(|solid| u8::from(*solid)).write_npy(to).map_err(io::Error::other);
    }
    let levels: Vec<u8> = world.solids.iter().map(|solid| if *solid { 255 } else { 0 }).collect();
    PngEncoder::new(to).write_image(&levels, width, height, ExtendedColorType::L8).map_err(io::Error::other)
}

/// Saves the preset in a folder, under a free name. `chain`: the name or path of the chain that plays the preset. Solid
/// cells that the user painted are saved beside the preset, as a picture or, in a deep world, as an array.
///
/// # Errors
/// `BadInput` if the seed is above the bound of presets, a path in the preset is not UTF-8, or individuals play a
/// preset of cells. `File` if the folder cannot be written to.
pub fn save_preset(preset: &Preset, chain: impl AsRef<Path>, folder: &Path) -> Result<SavedPreset, Failure> {
    if preset.source().overrides.individuals {
        let problem = "a preset of cells that individuals play is no preset of its own";
        return Err(BadInput::new(&preset.source().origin, problem, "save that of the cells").into());
    }
    let folder = std::path::absolute(folder).map_err(|source| Failure::File {
        action: "cannot find",
        path: folder.display().to_string(),
        source,
    })?;
    let name = preset.name.strip_prefix("murmuration-").unwrap_or(&preset.name);
    let is_deep = preset.world.extents.depth.is_some();
    let endings = [".toml", if is_deep { ".solids.npy" } else { ".solids.png" }];
    let [path, mask] = free_paths(&folder.join(format!("murmuration-{name}")), endings);
    let mut text = preset.as_text(&chain, &folder, None)?;
    let mut saved = SavedPreset { preset: path, mask: None };
    let again = Preset::from_text(preset.host(), &saved.preset, &text, &Default::default());
    if again.is_ok_and(|again| !are_alike(&again.world.solids, &preset.world.solids)) {
        if preset.world.solids.contains(&true) {
            write_atomically(&mask, |to| write_solids(&preset.world, to))?;
            // `check_saved` below reads the saved text and this file as a preset, so the file is allowed.
            access::name(&mask);
            saved.mask = Some(mask);
        }
        text = preset.as_text(&chain, &folder, Some(saved.mask.as_deref()))?;
    }
    let written = preset
        .check_saved(&saved.preset, &text)
        .and_then(|()| write_atomically(&saved.preset, |to| to.write_all(text.as_bytes())));
    if let (Err(_), Some(mask)) = (&written, &saved.mask) {
        // The file of the solid cells has no use without the preset.
        let _ = std::fs::remove_file(mask);
    }
    written.map(|()| saved)
}
