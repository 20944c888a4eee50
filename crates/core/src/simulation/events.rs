//! Events of a swarm, for games: what came and went between two frames, and what moved into regions and out of them.
//!
//! An event is a difference of two accounts or of two counts, so events are as exact as the ledger, and nothing waits for a device.

use super::Simulation;
use super::account::{Account, AccountReading};
use crate::error::Failure;
use crate::overlap::{Overlap, OverlapResult};
use crate::species::MOST_SPECIES;
use crate::state::SpeciesTurnover;
use crate::ticket::{Patience, Ticket};
use std::collections::VecDeque;

/// The most observations that may be under way. A device that is slower than its frames answers some frames together.
const MOST_UNDER_WAY: usize = 4;

/// Something that has happened to a swarm between two observations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// The step at the later observation.
    pub step: u64,
    /// What has happened.
    pub kind: EventKind,
    /// To how much of the swarm, in quanta. An individual has [`BOID`](crate::numbers::BOID) quanta.
    pub quanta: u64,
}

/// What can happen to a swarm. A species is a number from 0 on, in the order of the preset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventKind {
    /// The jaws of a hunter caught it, or a brush took it away.
    Caught {
        /// The species of the prey.
        species: usize,
    },
    /// It was born.
    Born {
        /// The species that grew.
        species: usize,
    },
    /// It has perished of hunger or sorrow.
    Starved {
        /// The species that shrank.
        species: usize,
    },
    /// Another species ate it.
    Eaten {
        /// The species that was eaten.
        species: usize,
    },
    /// A brush added it.
    Spawned,
    /// A region has more than before.
    Entered {
        /// The index of the region.
        region: usize,
    },
    /// A region has less than before.
    Left {
        /// The index of the region.
        region: usize,
    },
}

/// Watches a swarm. A game calls [`Self::observe`] and [`Self::poll`] once a frame.
#[derive(Default)]
pub struct EventWatcher {
    regions: Vec<Overlap>,
    under_way: VecDeque<Ticket<(Account, Vec<OverlapResult>)>>,
    last: Option<Observation>,
}

/// What is compared with the next observation.
struct Observation {
    step: u64,
    spawned: u64,
    species: [SpeciesTurnover; MOST_SPECIES],
    regions: Vec<u64>,
}

impl EventWatcher {
    /// Watches what comes and goes, and the contents of some regions.
    pub fn new(regions: Vec<Overlap>) -> Self {
        Self { regions, ..Self::default() }
    }

    /// The regions.
    pub fn regions(&self) -> &[Overlap] {
        &self.regions
    }

    /// Watches other regions from now on. What is under way is forgotten, and regions have no events at the next observation.
    pub fn set_regions(&mut self, regions: Vec<Overlap>) {
        self.regions = regions;
        self.under_way.clear();
        if let Some(last) = &mut self.last {
            last.regions.clear();
        }
    }

    /// Observes the present step, and waits for nothing. The first observation, and one of a step before the last one, have no events.
    ///
    /// # Errors
    /// If the device fails.
    pub fn observe(&mut self, simulation: &mut Simulation) -> Result<(), Failure> {
        if self.under_way.len() < MOST_UNDER_WAY {
            let account = simulation.request(AccountReading)?;
            self.under_way.push_back(account.and(simulation.overlap(&self.regions)?));
        }
        Ok(())
    }

    /// The events of the observations that have come, or of all.
    ///
    /// # Errors
    /// If the device has failed. The next observation begins anew.
    pub fn poll(&mut self, patience: Patience) -> Result<Vec<Event>, Failure> {
        let mut events = Vec::new();
        while let Some(ticket) = self.under_way.front_mut() {
            match ticket.take(patience) {
                Ok(Some((account, regions))) => {
                    self.under_way.pop_front();
                    self.compare(Observation::new(&account, &regions), &mut events);
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
        if let Some(last) = self.last.as_ref().filter(|last| last.step <= now.step) {
            let mut add = |kind, before: u64, after: u64| {
                // A change of less than 0 is one of an undo.
                let quanta = after.wrapping_sub(before);
                if quanta > 0 && quanta <= i64::MAX as u64 {
                    events.push(Event { step: now.step, kind, quanta });
                }
            };
            add(EventKind::Spawned, last.spawned, now.spawned);
            for (species, (before, after)) in last.species.iter().zip(&now.species).enumerate() {
                add(EventKind::Caught { species }, before.caught, after.caught);
                add(EventKind::Born { species }, before.born, after.born);
                add(EventKind::Starved { species }, before.starved, after.starved);
                add(EventKind::Eaten { species }, before.eaten, after.eaten);
            }
            for (region, (before, after)) in last.regions.iter().zip(&now.regions).enumerate() {
                add(EventKind::Entered { region }, *before, *after);
                add(EventKind::Left { region }, *after, *before);
            }
        }
        self.last = Some(now);
    }
}

impl Observation {
    fn new(account: &Account, regions: &[OverlapResult]) -> Self {
        let turnover = &account.ledger.turnover;
        let all = SpeciesTurnover {
            caught: turnover.caught,
            born: turnover.born,
            eaten: turnover.eaten,
            starved: turnover.starved,
            refused: 0,
        };
        let mut species = turnover.species;
        // In a world of one species the turnover of species is 0.
        if species.iter().all(|species| *species == SpeciesTurnover::default()) {
            species[0] = all;
        }
        Self {
            step: account.step,
            spawned: account.ledger.spawned,
            species,
            regions: regions.iter().map(|region| region.quanta).collect(),
        }
    }
}
