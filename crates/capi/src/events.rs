//! Events of a swarm, such as births and deaths. They are the differences between two successive accounts of the swarm.

use crate::status::{Error, MurmurationStatus, Out, Outcome, object, run};
use crate::swarm::MurmurationSwarm;
use murmuration::events::{Event, EventKind, EventWatcher};
use murmuration::{Patience, Simulation};
use murmuration_core::world::PARTS;
use std::collections::VecDeque;

/// The cause of a change in the number of boids.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MurmurationEventKind {
    /// Inputs added boids.
    Spawned = 0,
    /// Hunters caught boids, or inputs removed boids.
    Caught = 1,
    /// Individuals were born. For a species of cells: the species grew by eating another species.
    Born = 2,
    /// Individuals died of hunger or of a low mood.
    Starved = 3,
    /// Another species ate boids.
    Eaten = 4,
}

/// The value of `individual` in an event that does not belong to a single individual.
pub const MURMURATION_NO_INDIVIDUAL: u32 = u32::MAX;

/// A change in the number of boids of a species since its last event of this kind. In a swarm that began with at most
/// 65 536 individuals, each individual has its own event.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MurmurationEvent {
    /// A `MurmurationEventKind`.
    pub kind: u32,
    /// The species, from 0 on.
    pub species: u32,
    /// The step up to which the change was counted.
    pub step: u64,
    /// The change in quanta. `MURMURATION_BOID` quanta are a boid.
    pub quanta: u64,
    /// The number of whole boids that this event completes. Events of parts of a boid have 0, until the parts make a
    /// boid.
    pub boids: u64,
    /// The number of the individual. `MURMURATION_NO_INDIVIDUAL`: the swarm is one of cells, or the event covers
    /// several individuals.
    pub individual: u32,
    /// The number of coordinates in `place`: 3, or 0 if the place is not known.
    pub axes: u32,
    /// The place in cells, x first: the last place of the individual, or the place of the hunter that caught boids of
    /// cells.
    pub place: [f64; 3],
}

/// The events of a swarm.
pub struct EventLog {
    watcher: EventWatcher,
    /// The events that the caller has not taken yet.
    events: VecDeque<MurmurationEvent>,
}

impl EventLog {
    /// A log that begins at the present step.
    pub fn new(simulation: &mut Simulation) -> Outcome<Self> {
        let mut watcher = EventWatcher::new(Vec::new());
        watcher.observe(simulation)?;
        watcher.poll(Patience::Wait)?;
        Ok(Self { watcher, events: VecDeque::new() })
    }

    /// Begins to count anew at the present step, after the swarm went back to an earlier state. Events in the log stay.
    pub fn begin_anew(&mut self, simulation: &mut Simulation) -> Outcome {
        let events = std::mem::take(&mut self.events);
        *self = Self { events, ..Self::new(simulation)? };
        Ok(())
    }

    /// Observes the present step, and adds the events that have arrived to the log. The function never waits for a
    /// device.
    fn poll(&mut self, simulation: &mut Simulation) -> Outcome {
        self.watcher.observe(simulation)?;
        self.events.extend(self.watcher.poll(Patience::Poll)?.into_iter().filter_map(event_of));
        Ok(())
    }
}

/// Converts an event of the library to the structure that a caller gets.
fn event_of(Event { step, kind, quanta, boids, place, individual }: Event) -> Option<MurmurationEvent> {
    use MurmurationEventKind as Kind;
    let (kind, species) = match kind {
        // A brush adds boids of the first species.
        EventKind::Spawned => (Kind::Spawned, 0),
        EventKind::Caught { species } => (Kind::Caught, species),
        EventKind::Born { species } => (Kind::Born, species),
        EventKind::Starved { species } => (Kind::Starved, species),
        EventKind::Eaten { species } => (Kind::Eaten, species),
        // No region is watched.
        EventKind::Entered { .. } | EventKind::Left { .. } => return None,
    };
    let individual = individual.unwrap_or(MURMURATION_NO_INDIVIDUAL);
    let axes = if place.is_some() { 3 } else { 0 };
    let place = place.unwrap_or_default().map(|along| f64::from(along) / f64::from(PARTS));
    Some(MurmurationEvent { kind: kind as u32, species: species as u32, step, quanta, boids, individual, axes, place })
}

/// Moves the oldest events into an array of the caller, without waiting for a device. `capacity`: the number of events
/// that the array can hold. `count` gets the number of events written. The CPU counts events up to the present step, a
/// GPU up to a step shortly before it. Events that do not fit are returned by the next call. Steps that are played
/// again after `murmuration_restore` or an undo report their events again. Under rollback each event is reported once.
/// One thread at a time uses a swarm.
///
/// # Safety
/// `swarm` is NULL or an open swarm. `events` is NULL or has space for `capacity` events.
/// `count` is NULL or has space for a number.
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
