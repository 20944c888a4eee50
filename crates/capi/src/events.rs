//! What came and went of a swarm, from the differences of its accounts.

use crate::status::{Error, MurmurationStatus, Out, Outcome, object, run};
use crate::swarm::MurmurationSwarm;
use murmuration::reading::AccountReading;
use murmuration::{Account, Ledger, Simulation, Ticket};
use murmuration_core::state::{SpeciesStart, SpeciesTurnover};
use std::collections::VecDeque;

/// What happened to boids.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MurmurationEventKind {
    /// Inputs added them.
    Spawned = 0,
    /// Hunters caught them, or inputs removed them.
    Caught = 1,
    /// They were born. Of a species of cells: it ate others.
    Born = 2,
    /// They perished of hunger or sorrow.
    Starved = 3,
    /// Another species ate them.
    Eaten = 4,
}

/// Boids of a species that came or went since the event before it of the same kind and species.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MurmurationEvent {
    /// A `MurmurationEventKind`.
    pub kind: u32,
    /// The species, from 0 on.
    pub species: u32,
    /// The step up to which it was counted.
    pub step: u64,
    /// How much, in quanta, of which `MURMURATION_BOID` are a boid.
    pub quanta: u64,
}

impl MurmurationEventKind {
    /// In the order of [`Counts`].
    const ALL: [Self; 5] = [Self::Spawned, Self::Caught, Self::Born, Self::Starved, Self::Eaten];
}

/// What came and went of a species so far.
#[derive(Clone, Copy, Default)]
struct Counts([u64; 5]);

/// The events of a swarm.
pub struct EventLog {
    /// The counts of each species that the events before add up to.
    last: Vec<Counts>,
    /// The account that was asked for and has not come.
    pending: Option<Ticket<Account>>,
    /// The events that the caller has not taken yet.
    events: VecDeque<MurmurationEvent>,
}

impl EventLog {
    /// A log that begins at the present step.
    pub fn new(simulation: &mut Simulation) -> Outcome<Self> {
        let last = counts(&simulation.account()?.ledger, simulation.preset().species.len());
        Ok(Self { last, pending: None, events: VecDeque::new() })
    }

    /// Counts from the present step, after the swarm went back.
    pub fn begin_anew(&mut self, simulation: &mut Simulation) -> Outcome {
        let events = std::mem::take(&mut self.events);
        *self = Self { events, ..Self::new(simulation)? };
        Ok(())
    }

    /// Asks for an account if none is on its way, and takes the events of one that has come. It waits for nothing.
    fn poll(&mut self, simulation: &mut Simulation) -> Outcome {
        let mut ticket = match self.pending.take() {
            Some(ticket) => ticket,
            None => simulation.request(AccountReading)?,
        };
        let Some(account) = ticket.poll()? else {
            self.pending = Some(ticket);
            return Ok(());
        };
        let now = counts(&account.ledger, simulation.preset().species.len());
        for (species, (own, before)) in now.iter().zip(&self.last).enumerate() {
            for ((own, before), kind) in own.0.iter().zip(&before.0).zip(MurmurationEventKind::ALL) {
                // Under rollback there may be fewer than before.
                if let quanta @ 1.. = own.saturating_sub(*before) {
                    let (kind, species, step) = (kind as u32, species as u32, account.step);
                    self.events.push_back(MurmurationEvent { kind, species, step, quanta });
                }
            }
        }
        self.last = now;
        Ok(())
    }
}

/// The counts of each of so many species.
fn counts(ledger: &Ledger, species: usize) -> Vec<Counts> {
    let all = &ledger.turnover;
    if species < 2 {
        return vec![Counts([ledger.spawned, all.caught, all.born, all.starved, all.eaten])];
    }
    let of_species = |(own, start): (&SpeciesTurnover, &SpeciesStart)| {
        Counts([start.spawned, own.caught, own.born, own.starved, own.eaten])
    };
    all.species.iter().zip(&ledger.species).take(species).map(of_species).collect()
}

/// Takes the oldest events into an array of the caller, and waits for nothing. `capacity`: how many events the array can hold. `count` gets how many
/// it got. Events are counted up to the present step by an engine on the CPU, and up to a step shortly before it by a GPU. Events that found no space
/// come with the next call. What comes and goes in steps that are played again after a
/// step back is told again, but once under rollback. One thread at a time uses a swarm.
///
/// # Safety
/// `swarm` is NULL or an open swarm. `events` is NULL or has space for `capacity` events. `count` is NULL or has space for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_events(
    swarm: *mut MurmurationSwarm,
    events: *mut MurmurationEvent,
    capacity: usize,
    count: *mut usize,
) -> MurmurationStatus {
    run(|| {
        // SAFETY: as the caller promises, here and below.
        let (swarm, out) = unsafe { (object(swarm, "swarm")?, Out::new(count, "count")?) };
        if events.is_null() && capacity > 0 {
            return Err(Error::new(MurmurationStatus::NullArgument, "events: is NULL; give an address"));
        }
        let mut swarm = swarm.lock()?;
        let (simulation, log) = swarm.simulation_and_events()?;
        log.poll(simulation)?;
        let taken = log.events.len().min(capacity);
        for (index, event) in log.events.drain(..taken).enumerate() {
            unsafe { events.add(index).write_unaligned(event) };
        }
        out.put(taken);
        Ok(())
    })
}
