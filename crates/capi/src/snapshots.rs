//! Snapshots and checkpoints: a swarm between two steps, in memory or in a file.

use crate::status::{Error, MurmurationStatus, Out, ProcessLocal, needed_text, object, run};
use crate::swarm::MurmurationSwarm;
use murmuration::rollback::Snapshot;
use murmuration::save_checkpoint;
use std::ffi::c_char;
use std::path::Path;

/// A swarm between two steps, kept in memory. Only the swarm that made the snapshot can go back to it. A snapshot never
/// changes.
/// Any thread may free it once no other thread uses it, before or after its swarm is freed.
pub struct MurmurationSnapshot {
    snapshot: ProcessLocal<Snapshot>,
    /// The number (`Swarm::id`) of the swarm that made the snapshot.
    swarm: u64,
}

/// Makes a snapshot of the present step. The caller owns the snapshot and frees it by `murmuration_snapshot_free`.
/// One thread at a time uses a swarm.
///
/// # Safety
/// `swarm` is NULL or an open swarm. `snapshot` is NULL or has space for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_snapshot(
    swarm: *mut MurmurationSwarm,
    snapshot: *mut *mut MurmurationSnapshot,
) -> MurmurationStatus {
    run(|| {
        // SAFETY: as the caller promises.
        let (swarm, out) = unsafe { (object(swarm, "swarm")?, Out::new(snapshot, "snapshot")?) };
        let mut swarm = swarm.lock()?;
        let snapshot = ProcessLocal::new(swarm.simulation()?.snapshot()?);
        let made = MurmurationSnapshot { swarm: swarm.id, snapshot };
        out.put(Box::into_raw(Box::new(made)));
        Ok(())
    })
}

/// Goes back to a snapshot of this swarm. Steps that are played again give the same bits as before. The snapshot stays
/// the caller's and can be used again. A swarm under rollback refuses the call. One thread at a time uses a swarm.
///
/// # Safety
/// `swarm` is NULL or an open swarm. `snapshot` is NULL or a snapshot that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_restore(
    swarm: *mut MurmurationSwarm,
    snapshot: *const MurmurationSnapshot,
) -> MurmurationStatus {
    run(|| {
        // SAFETY: as the caller promises.
        let (swarm, snapshot) = unsafe { (object(swarm, "swarm")?, object(snapshot, "snapshot")?) };
        let mut swarm = swarm.lock()?;
        if snapshot.swarm != swarm.id {
            return Err(Error::bad("snapshot", "is of another swarm", "go back to a snapshot of this one"));
        }
        swarm.restore(snapshot.snapshot.get("snapshot")?)
    })
}

/// Puts the step of a snapshot into `step`. Any thread may call this function.
///
/// # Safety
/// `snapshot` is NULL or a snapshot that was not freed. `step` is NULL or has space for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_snapshot_step(
    snapshot: *const MurmurationSnapshot,
    step: *mut u64,
) -> MurmurationStatus {
    run(|| {
        // SAFETY: as the caller promises.
        let (snapshot, out) = unsafe { (object(snapshot, "snapshot")?, Out::new(step, "step")?) };
        out.put(snapshot.snapshot.get("snapshot")?.step());
        Ok(())
    })
}

/// Frees a snapshot. NULL is allowed. No thread may use it now or afterwards.
///
/// # Safety
/// `snapshot` is NULL or a snapshot that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_snapshot_free(snapshot: *mut MurmurationSnapshot) -> MurmurationStatus {
    run(|| {
        if !snapshot.is_null() {
            // SAFETY: the caller promises that the pointer is a snapshot, which was made as a box.
            drop(unsafe { Box::from_raw(snapshot) });
        }
        Ok(())
    })
}

/// Saves a checkpoint of the present step in a file, whole or not at all. `murmuration_resume_file` and the program can
/// resume from the file. One thread at a time uses a swarm.
///
/// # Safety
/// `swarm` is NULL or an open swarm. `path` is NULL or a text that ends with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_save(swarm: *mut MurmurationSwarm, path: *const c_char) -> MurmurationStatus {
    run(|| {
        // SAFETY: as the caller promises.
        let (swarm, path) = unsafe { (object(swarm, "swarm")?, needed_text(path, "path")?) };
        Ok(save_checkpoint(swarm.lock()?.simulation()?, Path::new(path))?)
    })
}
