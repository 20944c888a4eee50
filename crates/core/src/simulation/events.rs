//! Events of a swarm, for games: births, deaths and added boids between two frames, and moves into and out of regions.
//!
//! An event is a difference of two ledgers or of two counts. So events are as exact as the ledger, and a game never
//! waits for a device. In swarms of up to [`MAX_COMPARED`] individuals, individuals are compared by number. Then each
//! event is about one individual, with its place.

use super::Simulation;
use super::account::{Account, AccountReading};
use super::reading::FalconsReading;
use crate::error::Failure;
use crate::numbers::{BOID, Vector3};
use crate::overlap::{Overlap, OverlapResult};
use crate::state::{Entry, Individuals, Ledger, Swarm, SwarmReading, Unit};
use crate::ticket::{Patience, Ticket};
use crate::world::{MAX_SPECIES, PARTS, PLACE_BITS};
use std::collections::VecDeque;

/// The max number of observations whose answers are pending. If a device is slower than the frames, frames in between
/// have no observation. The next observation then covers them.
const MAX_IN_FLIGHT: usize = 4;

/// Swarms that start with more individuals than this are not read. Their events are sums, not about single individuals.
pub const MAX_COMPARED: u64 = 1 << 16;

/// A change of a swarm between two observations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// The step of the later observation.
    pub step: u64,
    /// The kind of the change.
    pub kind: EventKind,
    /// The number of quanta that the event is about. An individual has [`BOID`] quanta.
    pub quanta: u64,
    /// The number of whole boids that are complete with this event. Parts of a boid are added up over events.
    pub boids: u64,
    /// The place of the event in 1/16 cell; `None`: unknown. For an individual, the place where it was last seen. For a
    /// region, its middle. For caught boids, the place of the hunter at the observation, if only one hunter can have
    /// caught them.
    pub place: Option<Vector3>,
    /// The number of the individual; `None`: the swarm is of cells, or the event is about several individuals.
    pub individual: Option<u32>,
}

/// The kind of an event. A species is an index in the preset's list of species, which is sorted by seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// A hunter caught quanta, or a brush removed them.
    Caught {
        /// The species that was caught.
        species: usize,
    },
    /// Individuals began a life.
    Born {
        /// The species of the individuals.
        species: usize,
    },
    /// Individuals died of hunger or depression.
    Starved {
        /// The species of the individuals.
        species: usize,
    },
    /// Another species ate quanta.
    Eaten {
        /// The species that was eaten.
        species: usize,
    },
    /// A brush added boids.
    Spawned,
    /// The number of quanta in a region has grown.
    Entered {
        /// The index of the region.
        region: usize,
    },
    /// The number of quanta in a region has decreased.
    Left {
        /// The index of the region.
        region: usize,
    },
}

/// Reports events of a swarm. Call [`Self::observe`] and [`Self::poll`] once in each frame.
#[derive(Default)]
pub struct EventWatcher {
    regions: Vec<Overlap>,
    under_way: VecDeque<Ticket<Observation>>,
    last: Option<Observation>,
    /// For each region the quanta that have entered it, and the quanta that have left it.
    moves: Vec<[u64; 2]>,
}

/// The data of the swarm at one step. Events are differences between two observations.
struct Observation {
    step: u64,
    ledger: Ledger,
    regions: Vec<u64>,
    /// The place of the hunter that catches boids, in 1/16 cell; `None`: no hunter, or several, can catch.
    hunter: Option<Vector3>,
    /// The individuals in the order of their numbers; empty for cells and for large swarms.
    individuals: Vec<Seen>,
}

/// An individual at the step of an observation.
#[derive(Clone, Copy)]
struct Seen {
    number: u32,
    species: usize,
    /// The place of the individual, in 1/16 cell.
    place: Vector3,
    /// The DNA of the individual as one number. It differs after a rebirth. `None`: individuals have no lives.
    dna: Option<u64>,
}

impl EventWatcher {
    /// Watches the turnover of a swarm, and the number of quanta in each region.
    pub fn new(regions: Vec<Overlap>) -> Self {
        Self { moves: vec![[0; 2]; regions.len()], regions, ..Self::default() }
    }

    /// The regions whose contents are watched.
    pub fn regions(&self) -> &[Overlap] {
        &self.regions
    }

    /// Replaces the regions. Pending observations are dropped. The next observation has no events of regions.
    pub fn set_regions(&mut self, regions: Vec<Overlap>) {
        self.moves = vec![[0; 2]; regions.len()];
        self.regions = regions;
        self.under_way.clear();
        if let Some(last) = &mut self.last {
            last.regions.clear();
        }
    }

    /// Observes the present step without waiting. An observation has no events if it is the first, or if its step is
    /// before the step of the last observation.
    ///
    /// # Errors
    /// If the device fails.
    pub fn observe(&mut self, simulation: &mut Simulation) -> Result<(), Failure> {
        if self.under_way.len() >= MAX_IN_FLIGHT {
            return Ok(());
        }
        let account = simulation.request(AccountReading)?.and(simulation.overlap(&self.regions)?);
        let has_flights = simulation.preset().world.flights().next().is_some();
        let flights = if has_flights { simulation.request(FalconsReading)? } else { Ticket::ready(Vec::new()) };
        let is_small = simulation.ledger.sum(Entry::Start) / u64::from(BOID) <= MAX_COMPARED;
        let individuals = if simulation.preset().individuals.is_some() && is_small {
            simulation.request(SwarmReading)?.map(|swarm| match swarm {
                Swarm::Individuals(individuals, _) => individuals,
                Swarm::Cells(_) => Individuals::default(),
            })
        } else {
            Ticket::ready(Individuals::default())
        };
        let hunters = simulation.hunters_at(simulation.step());
        let all = account.and(flights.and(individuals));
        self.under_way.push_back(all.map(move |((account, regions), (flights, individuals))| {
            Observation::new(&account, &regions, hunters.place_of_catch(&flights), &individuals)
        }));
        Ok(())
    }

    /// Returns the events of all observations that are ready. With [`Patience::Wait`] it waits for all observations.
    ///
    /// # Errors
    /// If the device has failed. The next observation is then a first observation.
    pub fn poll(&mut self, patience: Patience) -> Result<Vec<Event>, Failure> {
        let mut events = Vec::new();
        while let Some(ticket) = self.under_way.front_mut() {
            match ticket.take(patience) {
                Ok(Some(observation)) => {
                    self.under_way.pop_front();
                    self.compare(observation, &mut events);
                }
                Ok(None) => break,
                Err(failure) => {
                    self.under_way.clear();
                    self.last = None;
                    return Err(failure);
                }
            }
        }
        Ok(events)
    }

    fn compare(&mut self, now: Observation, events: &mut Vec<Event>) {
        let Some(last) = self.last.as_ref().filter(|last| last.step <= now.step) else {
            self.last = Some(now);
            return;
        };
        let change = |kind, before: u64, after: u64, place| {
            let event = Event {
                step: now.step,
                kind,
                quanta: after.wrapping_sub(before),
                boids: (after / u64::from(BOID)).saturating_sub(before / u64::from(BOID)),
                place,
                individual: None,
            };
            // An amount is smaller than before only after an undo. This is not an event.
            Some(event).filter(|event| event.quanta > 0 && event.quanta <= i64::MAX as u64)
        };
        let (come, gone) = (missing(&now, last), missing(last, &now));
        let of_species = |all: &[Seen], species| all.iter().filter(|own| own.species == species).copied().collect();
        let (mut births, mut losses) = (Vec::new(), Vec::new());
        let [spawned_before, spawned_after] = [last, &now].map(|seen| seen.ledger.sum(Entry::Spawned));
        let spawned = change(EventKind::Spawned, spawned_before, spawned_after, None);
        for species in 0..MAX_SPECIES {
            let change = |kind, name, place| {
                let [before, after] = [last, &now].map(|seen| seen.ledger.named(Unit::Quanta, name, species));
                change(kind, before, after, place)
            };
            let born: Vec<Seen> = if spawned.is_none() { of_species(&come, species) } else { Vec::new() };
            let birth = change(EventKind::Born { species }, "born", None);
            births.extend(by_individual(birth.into_iter().collect(), &born));
            let own = [
                change(EventKind::Caught { species }, "caught", now.hunter),
                change(EventKind::Starved { species }, "starved", None),
                change(EventKind::Eaten { species }, "eaten", None),
            ];
            let gone: Vec<Seen> = of_species(&gone, species);
            losses.extend(by_individual(own.into_iter().flatten().collect(), &gone));
        }
        let added = if births.is_empty() { come } else { Vec::new() };
        events.extend(by_individual(spawned.into_iter().collect(), &added));
        events.extend(births);
        events.extend(losses);
        for (region, (before, after)) in last.regions.iter().zip(&now.regions).enumerate() {
            let place = self.regions.get(region).map(|region| region.middle.to_vector());
            // Quanta move in and out all the time. So moves are added up, and each whole boid counts once.
            let moves = &mut self.moves[region];
            let moved = [after.saturating_sub(*before), before.saturating_sub(*after)];
            for (kind, (sum, moved)) in
                [EventKind::Entered { region }, EventKind::Left { region }].into_iter().zip(moves.iter_mut().zip(moved))
            {
                events.extend(change(kind, *sum, *sum + moved, place));
                *sum += moved;
            }
        }
        self.last = Some(now);
    }
}

/// The individuals of an observation that the other observation lacks, or that have another DNA in the other
/// observation. Individuals with equal numbers are compared.
fn missing(observation: &Observation, other: &Observation) -> Vec<Seen> {
    let others = &other.individuals;
    let is_missing = |own: &&Seen| {
        let found = others.binary_search_by_key(&own.number, |other| other.number);
        found.map_or(true, |index| others[index].dna != own.dna)
    };
    observation.individuals.iter().filter(is_missing).copied().collect()
}

/// Splits an event into one event for each individual, if it is the only event and accounts for all individuals.
/// Otherwise returns the events unchanged.
fn by_individual(events: Vec<Event>, individuals: &[Seen]) -> Vec<Event> {
    match &events[..] {
        [event] if event.quanta == individuals.len() as u64 * u64::from(BOID) => {
            let own = |own: &Seen| Event {
                quanta: BOID.into(),
                boids: 1,
                place: Some(own.place),
                individual: Some(own.number),
                ..*event
            };
            individuals.iter().map(own).collect()
        }
        _ => events,
    }
}

impl Observation {
    fn new(account: &Account, regions: &[OverlapResult], hunter: Option<Vector3>, individuals: &Individuals) -> Self {
        let seen = |(index, number): (usize, &u32)| {
            let place = individuals.position(index).map(|along| along >> (PLACE_BITS - PARTS.ilog2()));
            Seen { number: *number, species: individuals.species(index), place, dna: individuals.dna(index) }
        };
        let mut all_seen: Vec<Seen> = individuals.numbers.iter().enumerate().map(seen).collect();
        all_seen.sort_unstable_by_key(|own| own.number);
        Self {
            step: account.step,
            ledger: account.ledger,
            regions: regions.iter().map(|region| region.quanta).collect(),
            hunter,
            individuals: all_seen,
        }
    }
}
