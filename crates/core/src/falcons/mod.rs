//! Falcons: hunters that fly by themselves, on exact integers, and are part of the state.
//!
//! A falcon heads for the mean of all that it sees: Σ p·s / Σ p over the ball around it. s is the offset to a cell or
//! an individual. p is the perceived density of the cell (the density D in quanta, shifted and bounded), or 1 for an
//! individual. So the flight does not depend on the order of cells or individuals, and has all symmetries of the world.
//! The falcon prefers neither left nor right: it flies straight on, or turns towards the mean. It is in one of four
//! phases:
//!
//! - it waits: it circles at a distance from the swarm, in its present sense of rotation, and rests;
//! - it stoops: rested, it heads for the mean and is fast, until it strikes or is tired;
//! - it climbs: it flies straight on, through the swarm and away, and waits again when it is far enough or rested;
//! - it yields while a player hunts: it circles far around the player, and is not rested when the player has gone.
//!
//! v' = v + limit(speed·ŵ - v, turn);  x' = x + v'
//!
//! x is the place, v the velocity, and ŵ the direction in which the falcon wants to fly. speed is the length of the
//! velocity that it wants, and turn the max change of its velocity in a step.
//!
//! Among rock the falcon turns away before rock, and its movement ends before rock (see `falcons/rock.rs`).
//!
//! The twin is `shaders/falcons/flight.wgsl`.

pub(crate) mod check;
pub(crate) mod keys;
mod rock;
pub mod sight_of_cells;
pub(crate) mod sight_of_individuals;
mod state;
pub(crate) mod step;

pub use rock::{MAX_LOOK, free_all, free_from_rock, free_in_cells};
pub use state::{CLIMBS, FALCONS, Falcon, FalconsReading, STOOPS, WAITS, YIELDS};

use crate::error::Failure;
use crate::lanes::vector::{add, length, limit_length, normalise, round_shift, scale, subtract};
use crate::numbers::{ONE, Vector3, quotient, round_shift as round_shift_number};
use crate::ranks::Ranks;
use crate::terrain::GapField;
use crate::world::{Edges, FlightNumbers, HunterNumbers, HuntersOfStep, PARTS, World, undecided};

/// The energy that a falcon loses in a step in which it stoops. A step in which it waits or climbs gives 1.
const COST: i32 = 2;
/// Bits of a length in Q10 of a cell that are below 1/16 cell.
const PART_BITS: u32 = 6;

impl HuntersOfStep {
    /// The place of the hunter that catches: the only hunter with jaws, or, among falcons, the only falcon that stoops.
    /// `None`: several hunters may have caught, or no hunter could.
    pub fn place_of_catch(&self, falcons: &[Falcon]) -> Option<Vector3> {
        let open = self.as_slice().iter().filter(|hunter| hunter.jaws > 0 && hunter.yields_to == 0);
        let falcon = |hunter: &HunterNumbers| falcons.get(usize::try_from(hunter.falcon - 1).ok()?).copied();
        let open: Vec<_> = open.map(|hunter| (hunter.place, falcon(hunter))).collect();
        if let [(place, falcon)] = open[..] {
            return Some(falcon.map_or(place, |falcon| falcon.place));
        }
        let falcons: Vec<Falcon> = open.into_iter().map(|(_, falcon)| falcon).collect::<Option<_>>()?;
        let mut stooping = falcons.iter().filter(|falcon| falcon.phase == STOOPS);
        let first = stooping.next()?;
        stooping.next().is_none().then_some(first.place)
    }
}

impl Falcon {
    /// The falcons of a world before the first step. Each falcon heads for the middle of the world. Each falcon is more
    /// rested than the falcons before it.
    pub fn from_world(world: &World, ends: Vector3) -> Vec<Self> {
        let count = world.flights().count() as i32;
        let falcon = |(number, flight): (i32, &FlightNumbers)| {
            let middle = ends.map(|end| (end - PARTS) / 2);
            let heading = normalise(subtract(middle, flight.start));
            Self {
                place: flight.start,
                velocity: round_shift::<i32, 3, 14>(scale(heading, flight.speed)),
                energy: number * flight.rest / count,
                ..Self::default()
            }
        };
        (0..).zip(world.flights()).map(falcon).collect()
    }

    /// The falcon after a step. `seen`: the sums over the swarm around it. `player`: the player's hunter, to which the
    /// falcon yields; `None`: no player hunts. `ends`: the extents of the world in 1/16 cell. `rock`: the gap field of
    /// a world with rock.
    pub fn fly(
        &self,
        numbers: &HunterNumbers,
        seen: &SwarmMoments,
        player: Option<&HunterNumbers>,
        ends: Vector3,
        edges: Edges,
        rock: Option<&GapField<'_>>,
    ) -> Self {
        let (next, wish, speed) = match player {
            Some(player) => self.yield_to(player, numbers, ends, edges),
            None => self.hunt(seen.mean(), numbers),
        };
        let wish = rock.map_or(wish, |rock| rock::avoid_rock(rock, self.place, self.velocity, wish));
        let wanted = round_shift::<i32, 3, 14>(scale(wish, speed));
        let turned = limit_length(subtract(wanted, self.velocity), numbers.turn);
        let next = Self { velocity: add(self.velocity, turned), ..next };
        rock.map_or_else(|| next.moved(ends, edges), |rock| next.swept(rock))
    }

    /// Returns the falcon with its next phase and energy, then the direction (Q14) and the speed (Q10 of a cell a step)
    /// that it wants. `aim`: the mean offset to the swarm, in 1/16 cell.
    fn hunt(&self, aim: Vector3, numbers: &HunterNumbers) -> (Self, Vector3, i32) {
        let distance = length(aim);
        let heading = normalise(self.velocity);
        // The falcon sees nothing, or equally much on all sides.
        let is_lost = distance == 0;
        let energy = match self.phase {
            STOOPS => (self.energy - COST).max(0),
            _ => (self.energy + 1).min(numbers.rest),
        };
        let phase = match self.phase {
            STOOPS if is_lost || energy == 0 || 2 * distance <= numbers.reach * PARTS => CLIMBS,
            STOOPS => STOOPS,
            CLIMBS if !is_lost && energy < numbers.rest && distance < numbers.distance * PARTS => CLIMBS,
            CLIMBS => WAITS,
            _ if !is_lost && energy == numbers.rest => STOOPS,
            _ => WAITS,
        };
        let next = Self { phase, energy, ..*self };
        match phase {
            _ if is_lost => (next, heading, numbers.speed),
            STOOPS => (next, normalise(aim), numbers.peak),
            CLIMBS => (next, heading, numbers.speed),
            _ => (next, circle(aim, numbers.distance * PARTS, heading), numbers.speed),
        }
    }

    /// The result of [`Self::hunt`] while a player hunts: the falcon circles around the player, at twice the distance
    /// at which it circles around the swarm.
    fn yield_to(
        &self,
        player: &HunterNumbers,
        numbers: &HunterNumbers,
        ends: Vector3,
        edges: Edges,
    ) -> (Self, Vector3, i32) {
        let mut aim = [0; 3];
        let away = player.offset_to(self.place, ends, edges);
        for axis in 0..3 {
            if !undecided(away[axis], ends[axis], edges) {
                aim[axis] = -away[axis];
            }
        }
        let wish = circle(aim, 2 * numbers.distance * PARTS, normalise(self.velocity));
        (Self { phase: YIELDS, energy: 0, ..*self }, wish, numbers.speed)
    }

    /// The falcon after its movement: round a torus, or back from a wall, which reverses the velocity across the wall.
    fn moved(mut self, ends: Vector3, edges: Edges) -> Self {
        for axis in 0..3 {
            let way = self.remainder[axis] + self.velocity[axis];
            let parts = round_shift_number(way, PART_BITS);
            self.remainder[axis] = way - (parts << PART_BITS);
            let (place, last) = (self.place[axis] + parts, ends[axis] - PARTS);
            if let Some(place) = edges.wrap(place.into(), edges.places(ends[axis])) {
                self.place[axis] = place as i32;
            } else {
                self.place[axis] = (if place < 0 { -place } else { 2 * last - place }).clamp(0, last);
                (self.velocity[axis], self.remainder[axis]) = (-self.velocity[axis], -self.remainder[axis]);
            }
        }
        self
    }
}

/// The direction (Q14) of a flight in a circle. `aim`: the offset to the middle of the circle; `distance`: the radius,
/// both in 1/16 cell. The part of the heading (Q14) across the aim stays. A part towards the aim or away from it is
/// added, which grows with the distance from the circle.
///
/// w = h - (h·â)â + clamp((|a| - distance)/distance, ±1)·â, with the heading h and the aim a;  w = h if this is 0
fn circle(aim: Vector3, distance: i32, heading: Vector3) -> Vector3 {
    let towards = normalise(aim);
    let dot = |axis: usize| heading[axis] * towards[axis];
    let along = round_shift_number(dot(0) + dot(1) + dot(2), 14);
    // The function `length` needs components of at most 2^15. So components beyond twice the distance are clamped.
    let held = aim.map(|part| part.clamp(-2 * distance, 2 * distance));
    let outside = quotient((length(held).min(2 * distance) - distance) * ONE, distance);
    let wish = add(heading, round_shift::<i32, 3, 14>(scale(towards, outside - along)));
    let wish = normalise(wish);
    if wish == [0; 3] { heading } else { wish }
}

/// The sums over the cells or individuals that a falcon sees. p is the perceived density of a cell, or 1 for an
/// individual.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SwarmMoments {
    /// Σ p, below 2^37.
    pub amount: u64,
    /// Σ p·s, with the offset s in 1/16 cell.
    pub moment: [i64; 3],
}

impl SwarmMoments {
    /// The sums of all ranks together.
    ///
    /// # Errors
    /// If another rank has ended.
    pub fn sum_over(&self, ranks: &dyn Ranks) -> Result<Self, Failure> {
        if ranks.size() == 1 {
            return Ok(*self);
        }
        let [x, y, z] = self.moment.map(|moment| moment as u64);
        let mut sums = [self.amount, x, y, z];
        ranks.sum(&mut sums)?;
        let [amount, x, y, z] = sums;
        Ok(Self { amount, moment: [x, y, z].map(|moment| moment as i64) })
    }

    /// Σ p·s / Σ p in 1/16 cell; 0 if nothing is seen. Both sums are first shifted, so that Σ p has at most 19 bits.
    /// The shifted sums are rounded towards 0.
    pub fn mean(&self) -> Vector3 {
        let bits = (64 - self.amount.leading_zeros()).saturating_sub(19);
        let amount = (self.amount >> bits) as i32;
        self.moment.map(|moment| {
            let size = (moment.unsigned_abs() >> bits) as i32;
            quotient(if moment < 0 { -size } else { size }, amount.max(1))
        })
    }

    /// Adds the sums over other cells or individuals.
    pub fn add(&mut self, other: &Self) {
        self.amount += other.amount;
        for axis in 0..3 {
            self.moment[axis] += other.moment[axis];
        }
    }
}

/// Flies all falcons that hunt in a step, and sets the places of their hunters.
///
/// `rock`: the gap field of a world with rock. `see`: returns the sums over the swarm that a hunter sees from a place
/// (1/16 cell).
///
/// # Errors
/// If `see` fails.
pub fn fly_all(
    falcons: &mut [Falcon],
    hunters: &mut [HunterNumbers],
    ends: Vector3,
    edges: Edges,
    rock: Option<GapField<'_>>,
    see: impl Fn(&HunterNumbers, Vector3) -> Result<SwarmMoments, Failure>,
) -> Result<(), Failure> {
    for index in 0..hunters.len() {
        let numbers = hunters[index];
        let Some(falcon) = usize::try_from(numbers.falcon - 1).ok().and_then(|number| falcons.get_mut(number)) else {
            continue;
        };
        let player = usize::try_from(numbers.yields_to - 1).ok().map(|number| hunters[number]);
        let seen = if player.is_some() { SwarmMoments::default() } else { see(&numbers, falcon.place)? };
        *falcon = falcon.fly(&numbers, &seen, player.as_ref(), ends, edges, rock.as_ref());
        hunters[index].place = falcon.place;
    }
    Ok(())
}
