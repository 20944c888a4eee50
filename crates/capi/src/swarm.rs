//! Swarms: functions that open, play, describe and close them.

use crate::events::EventLog;
use crate::options::{self, MurmurationOptions};
use crate::readings::{MurmurationAccount, MurmurationReading, Value};
use crate::status::{
    Buffer, Error, MurmurationStatus, Out, Outcome, ProcessLocal, free, lock, needed_text, object, run, run_here,
    values,
};
use murmuration::rollback::{Rollback, Snapshot};
use murmuration::{BadInput, Checkpoint, Edges, Failure, FramePainter, Input, Simulation, host, read_checkpoint};
use murmuration_core::parallel::in_this_process;
use std::ffi::{c_char, c_void};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

/// An open swarm. Threads may hand it to each other, but only one at a time may use it. A call of another thread
/// meanwhile returns `MURMURATION_STATUS_BUSY`.
pub struct MurmurationSwarm(ProcessLocal<Mutex<Swarm>>);

/// A swarm, and the values that the library keeps for its caller.
pub struct Swarm {
    player: Option<Player>,
    painter: FramePainter,
    events: EventLog,
    /// Messages of the engine that the caller has not taken yet.
    remarks: Vec<String>,
    /// The last value for which the caller's buffer was too small. It is kept for the next call, until the swarm
    /// changes.
    pub kept: Option<(KeptValue, Value)>,
    /// A number that no other swarm of this process has.
    pub id: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeptValue {
    Reading(MurmurationReading),
    /// A picture: the maximum width that the caller asked for, then the width and the height of the picture, in pixels.
    Picture(u32, [u32; 2]),
}

/// Plays the steps, with or without rollback.
enum Player {
    Alone(Simulation),
    Rollback(Rollback),
}

impl Player {
    fn simulation(&mut self) -> &mut Simulation {
        match self {
            Self::Alone(simulation) => simulation,
            Self::Rollback(rollback) => rollback.simulation(),
        }
    }
}

/// # Errors
/// If the device failed while rollback began, so that the swarm is gone.
fn present(player: &mut Option<Player>) -> Outcome<&mut Player> {
    let gone = || Error::new(MurmurationStatus::Broken, "the swarm could not be read for its rollback; close it");
    player.as_mut().ok_or_else(gone)
}

impl MurmurationSwarm {
    fn new(mut simulation: Simulation) -> Outcome<Box<Self>> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let swarm = Swarm {
            events: EventLog::new(&mut simulation)?,
            player: Some(Player::Alone(simulation)),
            painter: FramePainter::default(),
            remarks: Vec::new(),
            kept: None,
            id: NEXT.fetch_add(1, Ordering::Relaxed),
        };
        Ok(Box::new(Self(ProcessLocal::new(Mutex::new(swarm)))))
    }

    /// Locks the swarm for this thread.
    ///
    /// # Errors
    /// `Busy`, `Panic` after a panic, or `BadInput` in a forked process.
    pub fn lock(&self) -> Outcome<MutexGuard<'_, Swarm>> {
        lock(self.0.get("swarm")?)
    }
}

impl Swarm {
    /// The simulation for a reading.
    pub fn simulation(&mut self) -> Outcome<&mut Simulation> {
        Ok(present(&mut self.player)?.simulation())
    }

    /// The simulation, and the painter of its pictures.
    pub fn simulation_and_painter(&mut self) -> Outcome<(&mut Simulation, &mut FramePainter)> {
        Ok((present(&mut self.player)?.simulation(), &mut self.painter))
    }

    /// The simulation, and the log of its events.
    pub fn simulation_and_events(&mut self) -> Outcome<(&mut Simulation, &mut EventLog)> {
        Ok((present(&mut self.player)?.simulation(), &mut self.events))
    }

    pub fn apply(&mut self, input: Input) -> Outcome {
        let goes_back = input == Input::Undo;
        self.alone("murmuration_apply")?.apply(input)?;
        if goes_back { self.begin_events_anew() } else { Ok(()) }
    }

    /// Goes back to a snapshot. Events are then counted from the present step.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Outcome {
        self.alone("murmuration_restore")?.restore(snapshot)?;
        self.begin_events_anew()
    }

    fn begin_events_anew(&mut self) -> Outcome {
        let (simulation, events) = self.simulation_and_events()?;
        events.begin_anew(simulation)
    }

    /// The simulation for a change that is not allowed under rollback. `function`: the name of the C function, for the
    /// message.
    pub fn alone(&mut self, function: &str) -> Outcome<&mut Simulation> {
        self.kept = None;
        match present(&mut self.player)? {
            Player::Alone(simulation) => Ok(simulation),
            Player::Rollback(_) => {
                let (problem, cure) = ("the swarm is under rollback", "insert inputs with their times");
                Err(Error::bad(function, problem, cure))
            }
        }
    }

    /// The rollback of the swarm. `function`: the name of the C function, for the message if the swarm is not under
    /// rollback.
    pub fn rollback(&mut self, function: &str) -> Outcome<&mut Rollback> {
        self.kept = None;
        match present(&mut self.player)? {
            Player::Rollback(rollback) => Ok(rollback),
            Player::Alone(_) => {
                Err(Error::bad(function, "the swarm is not under rollback", "call murmuration_rollback_begin first"))
            }
        }
    }

    /// Puts the simulation under rollback.
    pub fn begin_rollback(&mut self, every: u64, farthest: u64) -> Outcome {
        self.alone("murmuration_rollback_begin")?;
        if every == 0 || farthest == 0 {
            return Err(Error::bad("rollback", "goes back by 0 steps", "give 1 step or more"));
        }
        if let Some(Player::Alone(simulation)) = self.player.take() {
            self.player = Some(Player::Rollback(Rollback::new(simulation, every, farthest)?));
        }
        Ok(())
    }

    /// Plays steps, and waits for them.
    fn play(&mut self, steps: u64) -> Outcome {
        self.kept = None;
        Ok(match present(&mut self.player)? {
            Player::Alone(simulation) => simulation.advance(steps),
            Player::Rollback(rollback) => {
                let last = rollback.simulation().step().saturating_add(steps);
                rollback.advance_to(last)
            }
        }?)
    }
}

/// Opens a swarm at its step 0, after the run-in of its preset. The caller owns the swarm and frees it by
/// `murmuration_close`. Any thread may call this function.
///
/// # Safety
/// `options` is NULL or points to options whose texts are NULL or end with a NUL.
/// `swarm` is NULL or has space for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_open(
    options: *const MurmurationOptions,
    swarm: *mut *mut MurmurationSwarm,
) -> MurmurationStatus {
    // `stop` has to be called on this thread. Only the start itself goes to the pool of a forked process.
    run_here(|| {
        // SAFETY: as the caller promises.
        let (out, simulation) = unsafe { (Out::new(swarm, "swarm")?, options::read(options)?.start()?) };
        out.put(Box::into_raw(in_this_process(|| MurmurationSwarm::new(simulation))?));
        Ok(())
    })
}

/// Opens the swarm of a checkpoint. `bytes` come from `MURMURATION_READING_CHECKPOINT` or from a file that the program
/// saved; all of them are checked. Only the engine, the threads and the instruction set of `options` are used.
/// `options` NULL: the engine `auto`. The caller keeps the bytes, owns the swarm and frees it by `murmuration_close`.
/// Any thread may call this function.
///
/// # Safety
/// `bytes` is NULL or has `count` bytes. `options` and `swarm` as for `murmuration_open`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_resume(
    bytes: *const c_void,
    count: usize,
    options: *const MurmurationOptions,
    swarm: *mut *mut MurmurationSwarm,
) -> MurmurationStatus {
    run(|| {
        let wrong = |problem| BadInput::new("checkpoint", problem, "give the bytes of a checkpoint");
        // SAFETY: as the caller promises.
        let bytes = unsafe { values(bytes.cast::<u8>(), count, "bytes") }?;
        unsafe { resume(options, swarm, || Ok(Checkpoint::from_bytes(bytes).map_err(wrong)?)) }
    })
}

/// Opens the swarm of the checkpoint in a plain file. Otherwise like `murmuration_resume`.
///
/// # Safety
/// `path` is NULL or a text that ends with a NUL. `options` and `swarm` as for `murmuration_open`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_resume_file(
    path: *const c_char,
    options: *const MurmurationOptions,
    swarm: *mut *mut MurmurationSwarm,
) -> MurmurationStatus {
    run(|| {
        // SAFETY: as the caller promises.
        let path = unsafe { needed_text(path, "path") }?;
        let read = || {
            let failed = |source| Failure::File { action: "cannot read", path: path.into(), source };
            check_readable(path).map_err(failed)?;
            Ok(read_checkpoint(Path::new(path))?)
        };
        unsafe { resume(options, swarm, read) }
    })
}

/// Checks that a path names a plain file that can be read. A pipe is not opened, because reading it may wait for ever.
fn check_readable(path: &str) -> io::Result<()> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "is not a plain file"));
    }
    std::fs::File::open(path).map(drop)
}

/// # Safety
/// As for [`murmuration_open`].
unsafe fn resume(
    options: *const MurmurationOptions,
    swarm: *mut *mut MurmurationSwarm,
    read: impl FnOnce() -> Outcome<Checkpoint>,
) -> Outcome {
    // SAFETY: as the caller promises, here and below.
    let out = unsafe { Out::new(swarm, "swarm") }?;
    let choice =
        if options.is_null() { murmuration::EngineChoice::Auto } else { unsafe { options::read(options)?.engine() }? };
    let simulation = Simulation::resume(host(), read()?, choice)?;
    out.put(Box::into_raw(MurmurationSwarm::new(simulation)?));
    Ok(())
}

/// Frees a swarm. NULL is allowed. No thread may use the pointer afterwards. While another thread uses the swarm, it is
/// not freed, and the status is `MURMURATION_STATUS_BUSY`. Snapshots and tickets of the swarm are freed separately,
/// before or after the swarm. In a forked process the memory of the parent's swarm is kept.
///
/// # Safety
/// `swarm` is NULL or an open swarm.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_close(swarm: *mut MurmurationSwarm) -> MurmurationStatus {
    // SAFETY: as the caller promises.
    run(|| unsafe { free(swarm, |swarm| &swarm.0) })
}

/// Plays this many steps, and waits for them. One thread at a time uses a swarm.
///
/// # Safety
/// `swarm` is NULL or an open swarm.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_advance(swarm: *mut MurmurationSwarm, steps: u64) -> MurmurationStatus {
    // SAFETY: as the caller promises.
    run(|| unsafe { object(swarm, "swarm") }?.lock()?.play(steps))
}

/// Plays steps until all are played or the queue of a GPU is full, and waits for none of them. The CPU plays all steps.
/// `played` gets the number of steps played; it may be NULL. A swarm under rollback refuses the call. One thread at a
/// time uses a swarm.
///
/// # Safety
/// `swarm` is NULL or an open swarm. `played` is NULL or has space for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_try_advance(
    swarm: *mut MurmurationSwarm,
    steps: u64,
    played: *mut u64,
) -> MurmurationStatus {
    run(|| {
        // SAFETY: as the caller promises, here and below.
        let mut swarm = unsafe { object(swarm, "swarm") }?.lock()?;
        let simulation = swarm.alone("murmuration_try_advance")?;
        let before = simulation.step();
        simulation.try_advance(steps)?;
        if let Ok(out) = unsafe { Out::new(played, "played") } {
            out.put(simulation.step() - before);
        }
        Ok(())
    })
}

/// Puts the number of steps played since the start into `step`. One thread at a time uses a swarm.
///
/// # Safety
/// `swarm` is NULL or an open swarm. `step` is NULL or has space for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_step(swarm: *mut MurmurationSwarm, step: *mut u64) -> MurmurationStatus {
    run(|| {
        // SAFETY: as the caller promises.
        let (swarm, out) = unsafe { (object(swarm, "swarm")?, Out::new(step, "step")?) };
        out.put(swarm.lock()?.simulation()?.step());
        Ok(())
    })
}

/// Facts about a swarm that are known without reading its boids.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct MurmurationFacts {
    /// The steps played since the start.
    pub step: u64,
    /// The seed of the start.
    pub seed: u64,
    /// Extents in cells along x, y and z. The extent along z is 1 in a flat world.
    pub extents: [u32; 3],
    /// 2 in a flat world, 3 in a deep one.
    pub axes: u32,
    /// Extents of the lattice of the density, in cells. Individuals in a deep world have a flat lattice: they are
    /// summed along z.
    pub lattice: [u32; 3],
    /// The number of species, at least 1.
    pub species: u32,
    /// 1: a swarm of individuals. 0: a swarm of cells.
    pub is_individuals: u32,
    /// 1: opposite edges of the world are joined. 0: it has walls.
    pub is_torus: u32,
    /// 1: the world is endless, and `extents` are the extents of the window that follows the school. 0: the world is
    /// bounded.
    pub is_endless: u32,
    /// 1: a GPU plays. 0: the CPU plays.
    pub is_on_gpu: u32,
}

/// Puts the facts of a swarm into `facts`. One thread at a time uses a swarm.
///
/// # Safety
/// `swarm` is NULL or an open swarm. `facts` is NULL or has space for the structure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_facts(
    swarm: *mut MurmurationSwarm,
    facts: *mut MurmurationFacts,
) -> MurmurationStatus {
    run(|| {
        // SAFETY: as the caller promises.
        let (swarm, out) = unsafe { (object(swarm, "swarm")?, Out::new(facts, "facts")?) };
        let mut swarm = swarm.lock()?;
        let simulation = swarm.simulation()?;
        let preset = simulation.preset();
        let size = preset.size();
        out.put(MurmurationFacts {
            step: simulation.step(),
            seed: preset.seed,
            extents: size.along_axes(),
            axes: size.axes() as u32,
            lattice: preset.world.extents.along_axes(),
            species: preset.species.len().max(1) as u32,
            is_individuals: preset.individuals.is_some().into(),
            is_torus: (preset.world.edges == Edges::Torus).into(),
            is_endless: preset.world.window.is_some().into(),
            is_on_gpu: (simulation.engine_name() == "gpu").into(),
        });
        Ok(())
    })
}

/// Puts the sums of the swarm and its ledger into `account`. The call waits for the value. One thread at a time uses a
/// swarm.
///
/// # Safety
/// `swarm` is NULL or an open swarm. `account` is NULL or has space for the structure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_account(
    swarm: *mut MurmurationSwarm,
    account: *mut MurmurationAccount,
) -> MurmurationStatus {
    run(|| {
        // SAFETY: as the caller promises.
        let (swarm, out) = unsafe { (object(swarm, "swarm")?, Out::new(account, "account")?) };
        let mut swarm = swarm.lock()?;
        let simulation = swarm.simulation()?;
        let species = simulation.preset().species.len();
        out.put(MurmurationAccount::new(&simulation.account()?, species));
        Ok(())
    })
}

/// Puts the hash of the swarm into `hash`: 64 hexadecimal digits and a NUL. Swarms with the same hash are the same, on
/// any engine. The call waits for the value. One thread at a time uses a swarm.
///
/// # Safety
/// `swarm` is NULL or an open swarm. `hash` is NULL or has 65 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_state_hash(swarm: *mut MurmurationSwarm, hash: *mut c_char) -> MurmurationStatus {
    run(|| {
        // SAFETY: as the caller promises.
        let (swarm, out) = unsafe { (object(swarm, "swarm")?, Buffer::new(hash.cast(), 65, std::ptr::null_mut())?) };
        let text = swarm.lock()?.simulation()?.state_hash()?;
        out.fill(&with_nul(text))?;
        Ok(())
    })
}

/// Puts the value of a key of the preset into `text`, in the notation of TOML and with a NUL at its end. The text is
/// empty if the preset leaves the key out. `text`, `capacity` and `needed` are as `buffer`, `capacity` and `needed` of
/// `murmuration_read`. One thread at a time uses a swarm.
///
/// # Safety
/// `swarm` is NULL or an open swarm. `key` is NULL or a text that ends with a NUL.
/// `text` and `needed` as for `murmuration_read`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_get(
    swarm: *mut MurmurationSwarm,
    key: *const c_char,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> MurmurationStatus {
    run(|| {
        // SAFETY: as the caller promises.
        let (swarm, key) = unsafe { (object(swarm, "swarm")?, needed_text(key, "key")?) };
        let buffer = unsafe { Buffer::new(text.cast(), capacity, needed) }?;
        let value = swarm.lock()?.simulation()?.preset().text_of(key);
        buffer.fill(&with_nul(value.unwrap_or_default()))?;
        Ok(())
    })
}

/// Takes the messages of the engine, one a line, with a NUL after the last. A message says, for example, that a device
/// was lost and which engine plays now. The text is empty if there are no messages. Messages stay until they are taken.
/// `text`, `capacity` and `needed` are as `buffer`, `capacity` and `needed` of `murmuration_read`. One thread at a time
/// uses a swarm.
///
/// # Safety
/// `swarm` is NULL or an open swarm. `text` and `needed` as for `murmuration_read`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_remarks(
    swarm: *mut MurmurationSwarm,
    text: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> MurmurationStatus {
    run(|| {
        // SAFETY: as the caller promises.
        let (swarm, buffer) = unsafe { (object(swarm, "swarm")?, Buffer::new(text.cast(), capacity, needed)?) };
        let mut swarm = swarm.lock()?;
        let new = [swarm.simulation()?.remarks(), swarm.painter.remarks()].concat();
        swarm.remarks.extend(new);
        if buffer.fill(&with_nul(swarm.remarks.join("\n")))? {
            swarm.remarks.clear();
        }
        Ok(())
    })
}

fn with_nul(text: String) -> Vec<u8> {
    let mut bytes = text.into_bytes();
    bytes.push(0);
    bytes
}
