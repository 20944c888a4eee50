//! Rollback: late inputs act at their own steps, so that the peers of a game have the same swarm.

use crate::inputs::{self, MurmurationInput};
use crate::status::{MurmurationStatus, Out, object, run};
use crate::swarm::MurmurationSwarm;
use murmuration::rollback::InputTime;

/// Puts a swarm under rollback, for good. The swarm takes inputs up to `farthest` steps late, and keeps a snapshot
/// every `every` steps. From then on inputs come by `murmuration_rollback_insert`. The swarm refuses
/// `murmuration_apply`, `murmuration_restore` and `murmuration_try_advance`. One thread at a time uses a swarm.
///
/// # Safety
/// `swarm` is NULL or an open swarm.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_rollback_begin(
    swarm: *mut MurmurationSwarm,
    every: u64,
    farthest: u64,
) -> MurmurationStatus {
    // SAFETY: as the caller promises.
    run(|| unsafe { object(swarm, "swarm") }?.lock()?.begin_rollback(every, farthest))
}

/// Takes an input that acts before the step after `step`. The input may come early, in time or late. Inputs of one step
/// act in the order of `player`, and for one player in the order of `number`. Peers whose swarms got the same inputs,
/// in any order, have the same swarm. An input that a swarm refuses changes nothing, on any peer. An undo cannot be
/// inserted. The caller keeps the input. One thread at a time uses a swarm.
///
/// # Safety
/// `swarm` is NULL or an open swarm. `input` as for `murmuration_apply`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_rollback_insert(
    swarm: *mut MurmurationSwarm,
    step: u64,
    player: u32,
    number: u32,
    input: *const MurmurationInput,
) -> MurmurationStatus {
    run(|| {
        // SAFETY: as the caller promises.
        let (swarm, input) = unsafe { (object(swarm, "swarm")?, inputs::read(input)?) };
        let mut swarm = swarm.lock()?;
        let rollback = swarm.rollback("murmuration_rollback_insert")?;
        Ok(rollback.insert(InputTime { step, player, number }, input)?)
    })
}

/// Plays up to a step. If inputs came late, the swarm first goes back to the step of the earliest of them. One thread
/// at a time uses a swarm.
///
/// # Safety
/// `swarm` is NULL or an open swarm.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_rollback_advance_to(swarm: *mut MurmurationSwarm, step: u64) -> MurmurationStatus {
    run(|| {
        // SAFETY: as the caller promises.
        let mut swarm = unsafe { object(swarm, "swarm") }?.lock()?;
        Ok(swarm.rollback("murmuration_rollback_advance_to")?.advance_to(step)?)
    })
}

/// Puts the earliest step that still accepts inputs into `earliest`. Puts the number of steps that were played again
/// for late inputs into `replayed`. One thread at a time uses a swarm.
///
/// # Safety
/// `swarm` is NULL or an open swarm. `earliest` and `replayed` are NULL or have space for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_rollback_facts(
    swarm: *mut MurmurationSwarm,
    earliest: *mut u64,
    replayed: *mut u64,
) -> MurmurationStatus {
    run(|| {
        // SAFETY: as the caller promises.
        let (swarm, first, again) =
            unsafe { (object(swarm, "swarm")?, Out::new(earliest, "earliest")?, Out::new(replayed, "replayed")?) };
        let mut swarm = swarm.lock()?;
        let rollback = swarm.rollback("murmuration_rollback_facts")?;
        first.put(rollback.earliest());
        again.put(rollback.replayed());
        Ok(())
    })
}
