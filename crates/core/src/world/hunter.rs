//! Hunters: places or bodies that the swarm avoids or follows, and that catch boids.

use super::{Edges, PARTS, World, offset, undecided};
use crate::lanes::vector::{add, clamp_components, length, round_shift, scale, stretch};
use crate::numbers::{RULE_LIMIT, RULE_ONE, Vector3, each_axis, quotient};
use crate::uniform;
use crate::world::Space;

/// The maximum number of hunters of a preset and targets of a game together.
pub const MAX_HUNTERS: usize = 8;
/// The maximum number of hunters in a step: the hunters of a preset, the targets of a game, and the player's hunter.
pub const HUNTERS: usize = MAX_HUNTERS + 1;

/// Whether the swarm flees from a hunter or follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mood {
    /// The swarm turns away from the hunter.
    Flee,
    /// The swarm turns towards the hunter.
    Follow,
}

impl Mood {
    /// The sign of the swarm's reaction: 1 if it turns away from the hunter, -1 if it turns towards the hunter.
    pub fn towards(self) -> i32 {
        match self {
            Self::Flee => 1,
            Self::Follow => -1,
        }
    }
}

/// A hunter of a preset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunter {
    /// The movement of the hunter.
    pub kind: HunterKind,
    /// The reaction of the swarm to the hunter.
    pub mood: Mood,
    /// The distance at which the hunter is noticed, in cells, at most [`MAX_HUNT_RADIUS`](super::MAX_HUNT_RADIUS).
    pub reach: u32,
    /// The distance within which boids are caught, in cells, at most [`MAX_JAWS`](super::MAX_JAWS); 0: it catches none.
    pub jaws: u32,
}

/// The movement of a hunter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HunterKind {
    /// The hunter moves along a closed polyline.
    Path {
        /// The corners, in 1/16 cell. With one corner the hunter stands still.
        corners: Vec<Vector3>,
        /// Whether the hunter is a column through the whole depth of the world.
        is_column: bool,
        /// The speed, in 1/1024 cell a step.
        speed: u32,
    },
    /// The player's hunter replaces this hunter while a player hunts. Otherwise this hunter is absent.
    Player,
    /// The hunter is a falcon, which flies by itself (see [`crate::falcons`]).
    Falcon(FlightNumbers),
}

/// The numbers of a falcon's flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlightNumbers {
    /// The place before the first step, in 1/16 cell.
    pub start: Vector3,
    /// The speed of cruising, in 1/1024 cell a step.
    pub speed: i32,
    /// The speed of a stoop (the attack of a falcon), in 1/1024 cell a step.
    pub peak: i32,
    /// The maximum change of velocity in a step, in 1/1024 cell a step.
    pub turn: i32,
    /// The distance at which the falcon sees boids, in cells.
    pub sight: i32,
    /// The distance from the swarm at which the falcon waits between stoops, in cells.
    pub distance: i32,
    /// The number of steps that the falcon waits or climbs before it stoops again.
    pub rest: i32,
}

impl Hunter {
    /// The place of a hunter with a path after `step` steps, in 1/16 cell; `None` for other kinds of hunters.
    pub fn place(&self, step: u64) -> Option<Vector3> {
        let HunterKind::Path { corners, speed, .. } = &self.kind else { return None };
        let legs = || corners.iter().zip(corners.iter().cycle().skip(1));
        let around: i64 = legs().map(|(from, to)| leg_length(*from, *to)).sum();
        if around == 0 {
            return corners.first().copied();
        }
        // The distance from the first corner along the polyline, in 1/16 cell, without whole rounds.
        let mut walked = (u128::from(step) * u128::from(*speed) / (1024 / PARTS as u128) % around as u128) as i64;
        for (from, to) in legs() {
            let length = leg_length(*from, *to);
            if walked < length {
                return Some(each_axis(|axis| along(from[axis], to[axis], walked, length)));
            }
            walked -= length;
        }
        corners.first().copied()
    }

    /// The name of the hunter's kind in texts; `None` for the player's hunter.
    pub fn name(&self) -> Option<&'static str> {
        match self.kind {
            HunterKind::Path { .. } => Some("hunter"),
            HunterKind::Falcon(_) => Some("falcon"),
            HunterKind::Player => None,
        }
    }

    /// The speed on a path, or the cruising speed of a falcon, in 1/1024 cell a step; 0 for the player's hunter.
    pub fn speed(&self) -> i32 {
        match &self.kind {
            HunterKind::Path { speed, .. } => *speed as i32,
            HunterKind::Falcon(flight) => flight.speed,
            HunterKind::Player => 0,
        }
    }

    /// The numbers of a falcon's flight; `None` for other kinds of hunters.
    pub fn flight(&self) -> Option<&FlightNumbers> {
        if let HunterKind::Falcon(flight) = &self.kind { Some(flight) } else { None }
    }
}

/// The distance between two corners, in 1/16 cell, rounded down. Corners are less than 2^20 apart along each axis.
fn leg_length(from: Vector3, to: Vector3) -> i64 {
    let square = |axis: usize| i64::from(to[axis] - from[axis]).pow(2);
    (square(0) + square(1) + square(2)).isqrt()
}

/// The coordinate between two corners, after the part `walked` of the distance `length` between them. It is rounded to
/// nearest, halves away from `from`.
fn along(from: i32, to: i32, walked: i64, length: i64) -> i32 {
    let distance = i64::from(to - from) * walked;
    let magnitude = (2 * distance.abs() + length) / (2 * length);
    from + (magnitude * distance.signum()) as i32
}

uniform::structure! {
    /// The numbers of a hunter at one step, as kernels read them. The size is 64 bytes, because an element of an array
    /// in a uniform needs a multiple of 16 bytes.
    HunterNumbers "HunterNumbers", HUNTER_NUMBERS_WGSL;
    /// The place in 1/16 cell.
    place: Vector3 as "vec3<i32>",
    /// The distance at which boids notice the hunter, in cells; 0: no boid notices it.
    reach: i32,
    /// 1: boids turn away from the hunter. -1: boids turn towards it.
    towards: i32,
    /// The distance within which boids are caught, in cells; 0: none are caught.
    jaws: i32,
    /// 1: the hunter is a column through the whole depth of the world.
    is_column: i32,
    /// The number of the falcon, from 1 on; 0: the hunter is not a falcon.
    falcon: i32,
    /// See [`FlightNumbers::speed`].
    speed: i32,
    /// See [`FlightNumbers::peak`].
    peak: i32,
    /// See [`FlightNumbers::turn`].
    turn: i32,
    /// See [`FlightNumbers::sight`].
    sight: i32,
    /// See [`FlightNumbers::distance`].
    distance: i32,
    /// See [`FlightNumbers::rest`].
    rest: i32,
    /// The number of the player's hunter, from 1 on, if this is a falcon that yields to it; 0: the hunter is active.
    yields_to: i32,
    /// Bit i is 1 if species i does not notice the hunter and cannot be caught by it.
    spared: u32,
}

const _: () = assert!(size_of::<HunterNumbers>() == 64);

impl World {
    /// The hunters after `step` steps. `player`: the player's hunter; `None`: no player hunts.
    ///
    /// The player's hunter replaces all hunters of the kind `player`. If the world has none of this kind, it replaces
    /// all hunters with a path. Falcons yield to the player's hunter: boids do not notice them, and they catch no boid.
    pub fn hunters_at(&self, step: u64, player: Option<HunterNumbers>) -> HuntersOfStep {
        let is_place_of_player = |hunter: &Hunter| hunter.kind == HunterKind::Player;
        let is_alone = player.is_some() && !self.hunters.iter().any(is_place_of_player);
        let mut hunters = HuntersOfStep { count: 0, hunters: [bytemuck::Zeroable::zeroed(); HUNTERS] };
        let player_number = player.map_or(0, |player| hunters.push(player));
        let mut falcons = 0;
        for hunter in &self.hunters {
            let own = HunterNumbers::from_hunter(hunter, step);
            match &hunter.kind {
                HunterKind::Path { .. } if !is_alone => drop(hunters.push(own)),
                HunterKind::Falcon(flight) => {
                    falcons += 1;
                    hunters.push(HunterNumbers { falcon: falcons, yields_to: player_number, ..own.flying(flight) });
                }
                _ => {}
            }
        }
        hunters
    }

    /// The numbers of each falcon's flight, in the order of the preset.
    pub fn flights(&self) -> impl Iterator<Item = &FlightNumbers> {
        self.hunters.iter().filter_map(Hunter::flight)
    }
}

/// The hunters of one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HuntersOfStep {
    count: i32,
    hunters: [HunterNumbers; HUNTERS],
}

impl HuntersOfStep {
    /// The hunters as a slice.
    pub fn as_slice(&self) -> &[HunterNumbers] {
        &self.hunters[..self.count as usize]
    }

    /// Adds a hunter that only one species notices; `None`: all species notice it.
    ///
    /// # Panics
    /// If there are already [`HUNTERS`] hunters.
    pub fn add(&mut self, hunter: HunterNumbers, species: Option<usize>) {
        self.push(HunterNumbers { spared: species.map_or(0, |species| !(1 << species)), ..hunter });
    }

    /// Adds a hunter, and returns its number, from 1 on.
    fn push(&mut self, hunter: HunterNumbers) -> i32 {
        self.hunters[self.count as usize] = hunter;
        self.count += 1;
        self.count
    }
}

impl HunterNumbers {
    /// The numbers of a hunter after `step` steps. The place of a hunter without a path is 0 on each axis.
    pub fn from_hunter(hunter: &Hunter, step: u64) -> Self {
        let is_column = matches!(hunter.kind, HunterKind::Path { is_column: true, .. });
        Self {
            place: hunter.place(step).unwrap_or_default(),
            is_column: is_column.into(),
            reach: hunter.reach as i32,
            towards: hunter.mood.towards(),
            jaws: hunter.jaws as i32,
            ..bytemuck::Zeroable::zeroed()
        }
    }

    /// Adds the numbers of a falcon's flight.
    fn flying(self, flight: &FlightNumbers) -> Self {
        let FlightNumbers { start: _, speed, peak, turn, sight, distance, rest } = *flight;
        Self { speed, peak, turn, sight, distance, rest, ..self }
    }

    /// Whether a species notices the hunter and can be caught by it. No species notices a falcon that yields.
    #[inline(always)]
    fn concerns(&self, species: usize) -> bool {
        self.yields_to == 0 && (self.spared >> species) & 1 == 0
    }

    /// The offset from the hunter to a place, in 1/16 cell. For a column it is 0 along z. `ends`: the extents of the
    /// world in 1/16 cell.
    #[inline(always)]
    pub(crate) fn offset_to(&self, place: Vector3, ends: Vector3, edges: Edges) -> Vector3 {
        let mut away = [0; 3];
        for axis in 0..3 {
            away[axis] = offset(self.place[axis], place[axis], ends[axis], edges);
        }
        if self.is_column != 0 {
            away[2] = 0;
        }
        away
    }

    /// The rule of the hunter, for both models. Returns the control vector (Q10) of a species at a place x in 1/16
    /// cell: away from the hunter (flee) or towards it (follow), longer if the hunter is nearer. `ends`: the extents of
    /// the world in 1/16 cell.
    ///
    /// v_h = ±(x - h)/|x - h| · (1 - |x - h|/reach) inside the reach, 0 outside, with the hunter's place h.
    #[inline(always)]
    pub fn control(&self, species: usize, place: Vector3, ends: Vector3, edges: Edges) -> Vector3 {
        let reach = if self.concerns(species) { self.reach * PARTS } else { 0 };
        let offsets = self.offset_to(place, ends, edges);
        // A place is out of reach if its offset along one axis exceeds the reach. The squares of offsets within the
        // reach (at most 255 cells) fit in 32 bits.
        let is_near = offsets[0].abs().max(offsets[1].abs()).max(offsets[2].abs()) <= reach;
        let mut away = [0; 3];
        for axis in 0..3 {
            if is_near && !undecided(offsets[axis], ends[axis], edges) {
                away[axis] = offsets[axis];
            }
        }
        let distance = length(away);
        let is_inside = distance > 0 && distance < reach;
        let fade = quotient((reach - distance) * RULE_ONE, reach.max(1));
        let strength = if is_inside { self.towards * fade } else { 0 };
        round_shift::<i32, 3, 10>(scale(stretch(away, distance, RULE_ONE), strength))
    }

    /// Whether the hunter catches boids of a species at a place in 1/16 cell. `ends`: the extents in 1/16 cell.
    #[inline(always)]
    pub fn catches(&self, species: usize, place: Vector3, ends: Vector3, edges: Edges) -> bool {
        let jaws = if self.concerns(species) { self.jaws * PARTS } else { 0 };
        // A place is not in the jaws if its offset along one axis exceeds their reach. Offsets are clamped, so that
        // squares fit in 32 bits.
        let offsets = self.offset_to(place, ends, edges);
        let mut square = 0;
        for axis in 0..3 {
            square += offsets[axis].abs().min(jaws + 1).pow(2);
        }
        jaws > 0 && square <= jaws * jaws
    }
}

/// The rule of all hunters for a species: the sum of their control vectors (Q10), clamped to ±4 on each axis.
#[inline(always)]
pub fn control_of_hunters(
    hunters: &[HunterNumbers],
    species: usize,
    place: Vector3,
    ends: Vector3,
    edges: Edges,
) -> Vector3 {
    let mut sum = [0; 3];
    for hunter in hunters {
        sum = add(sum, hunter.control(species, place, ends, edges));
    }
    clamp_components(sum, RULE_LIMIT)
}

/// Whether any hunter catches boids of a species at a place in 1/16 cell. `ends`: the extents in 1/16 cell.
#[inline(always)]
pub fn are_jaws_at(hunters: &[HunterNumbers], species: usize, place: Vector3, ends: Vector3, edges: Edges) -> bool {
    hunters.iter().any(|hunter| hunter.catches(species, place, ends, edges))
}

/// Whether any hunter catches an individual of a species at a position (Q16 of a cell).
#[inline(always)]
pub fn is_caught(hunters: &[HunterNumbers], species: usize, position: Vector3, space: &Space) -> bool {
    are_jaws_at(hunters, species, space.place_of(position), space.ends(), space.edges)
}
