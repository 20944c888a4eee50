//! Several species of individuals in one world: how they meet each other, and their numbers in a step
//! (`docs/model.md, Species of individuals`).
//!
//! A meeting applies the rule of its kind to the individuals of the other species within its radius: cohesion follows,
//! separation flees, alignment aligns. The individual itself counts among them, at distance 0 and with its own
//! velocity, as it does in the sums over its own species.

use crate::individuals::numbers::{IndividualMeeting, IndividualRules, Units};
use crate::individuals::table::{NeighbourRuleArray, Rule};
use crate::lives::{FULL, LifeRules, species_in};
use crate::noise::NoiseNumbers;
use crate::numbers::round_shift_any;
use crate::state::Individuals;
use crate::uniform;
use crate::world::{MAX_SPECIES, MeetingKind};

/// The maximum number of other species that a species meets.
pub const MAX_MEETINGS: usize = MAX_SPECIES - 1;

impl MeetingKind {
    /// The rule of individuals that computes the meeting; `None`: the meeting asks for nothing.
    pub const fn rule(self) -> Option<Rule> {
        match self {
            Self::Flee => Some(Rule::Separation),
            Self::Follow => Some(Rule::Cohesion),
            Self::Align => Some(Rule::Alignment),
            Self::Ignore => None,
        }
    }
}

/// How individuals of a species meet another species, with distances in the unit of places of [`Units`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeetingUnits {
    /// The number of the other species.
    pub other: usize,
    /// The reaction of the individuals when they see the others.
    pub kind: MeetingKind,
    /// The radius within which the others are seen, in units of places, rounded up.
    pub radius: i32,
    /// Others are seen if their squared distance, in units of places squared, is below this bound.
    pub threshold: i32,
    /// One of the others is eaten if its squared distance, in units of places squared, is below this bound. 0: none is
    /// eaten.
    pub jaws: i32,
}

/// The units of the sums over neighbours of a species, and its meetings with other species.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpeciesUnits {
    /// The units, with the radii of the rules of the species.
    pub units: Units,
    /// The meetings with other species.
    pub meetings: Vec<MeetingUnits>,
    /// Whether the headings have noise.
    pub has_noise: bool,
}

impl SpeciesUnits {
    /// The units and the meetings of a species. `rules`: the rules of the species. `units`: the units of the world.
    pub fn new(rules: &IndividualRules, units: &Units) -> Self {
        let meeting = |own: &IndividualMeeting| MeetingUnits {
            other: own.other,
            kind: own.kind,
            radius: units.radius(own.radius),
            threshold: units.threshold(own.radius),
            jaws: units.threshold(own.jaws),
        };
        let meetings = rules.meetings.iter().map(meeting).collect();
        Self { units: units.with_sight(rules), meetings, has_noise: rules.noise.is_any() }
    }

    /// The units of all species of a world, for at most `most` individuals; `None`: the radii are too great for this
    /// number.
    pub fn of_all(species: &[IndividualRules], most: usize) -> Option<Vec<Self>> {
        let units = Units::new(species, most)?;
        Some(species.iter().map(|rules| Self::new(rules, &units)).collect())
    }

    /// The units of a meeting: its rule has the radius of the meeting, and the other rules see nothing.
    pub fn of_meeting(&self, meeting: &MeetingUnits) -> Units {
        let rule = meeting.kind.rule();
        let only = |value: i32| NeighbourRuleArray::from_fn(|of| if Some(of) == rule { value } else { 0 });
        Units { radii: only(meeting.radius), thresholds: only(meeting.threshold), ..self.units }
    }
}

uniform::structure! {
    /// The numbers of a meeting in a step.
    MeetingNumbers "MeetingNumbers", MEETING_NUMBERS_WGSL;
    /// The number of the other species.
    other: u32,
    /// The rule that computes the meeting, as its index in the table of rules; [`NO_RULE`]: no rule computes it.
    rule: u32,
    /// The weight, in Q(20 - `weight_bits`).
    weight: i32,
    /// See [`MeetingUnits::radius`].
    radius: i32,
    /// See [`MeetingUnits::threshold`].
    threshold: i32,
    /// See [`MeetingUnits::jaws`].
    jaws: i32,
    /// See [`IndividualMeeting::meal`].
    meal: i32,
    /// Always 0. It pads the structure to a multiple of 16 bytes, as arrays in uniforms need.
    unused: i32,
}

/// The rule of a meeting that asks for nothing.
pub const NO_RULE: u32 = 0xff;

uniform::structure! {
    /// The numbers of a species in a step.
    SpeciesNumbers "SpeciesNumbers", SPECIES_NUMBERS_WGSL;
    /// The weight of each rule in the order of the table, in Q(20 - `weight_bits`).
    weights: [i32; 8] as "array<vec4<i32>, 2>",
    /// The bound of a neighbour's squared distance for each rule that looks at neighbours, in units².
    thresholds: [i32; 4] as "vec4<i32>",
    /// The radius of each rule that looks at neighbours, in units.
    radii: [i32; 4] as "vec4<i32>",
    /// The meetings. The entries from index `meeting_count` on are 0.
    meetings: [MeetingNumbers; MAX_MEETINGS] as "array<MeetingNumbers, 7>",
    /// The noise of headings.
    noise: NoiseNumbers,
    /// The rules of lives; [`LifeRules::still`] if individuals have none.
    lives: LifeRules,
    /// The number of meetings.
    meeting_count: u32,
    /// The number of bits that weights (Q20) have lost, so that the weighted vectors of all rules together stay below
    /// 2^31.
    weight_bits: u32,
    /// The greatest acceleration (school) or force of a rule (flock), in Q14 of a cell a step².
    force: i32,
    /// The part of its velocity that a boid keeps (Q10).
    keep: i32,
    /// The speed towards which boids tend (Q14 of a cell a step); 0: boids tend towards no speed.
    cruise: i32,
    /// The least speed (Q14 of a cell a step).
    min: i32,
    /// The greatest speed (Q14 of a cell a step).
    max: i32,
    /// The boids a cell at which separation has its full strength (Q10).
    crowd: i32,
    /// The bound on the components of the sum of separation: beyond it, the control vector is at its limit anyway.
    most_apart: i32,
    /// The hunger from which an individual eats food, in parts of [`FULL`].
    bite: i32,
    /// The number of nearest individuals that are neighbours; 0: all within the radii.
    nearest: u32,
    /// The cosine (Q14) of half the view; [`ALL_AROUND`](crate::individuals::selection::ALL_AROUND): all around.
    view: i32,
    /// The cosine and the sine (Q14) of the greatest turn in a step.
    turn_cosine: i32,
    /// See [`Self::turn_cosine`].
    turn_sine: i32,
    /// The acceleration towards food at the greatest hunger, in cells per step² (Q14).
    forage: i32,
    /// The number of individuals of the species above which none is born.
    most: u32,
    /// The cosine (Q14) of half the view within the radius of separation.
    repulsion_view: i32,
    /// Always 0. They pad the structure to a multiple of 16 bytes.
    unused: [i32; 3] = "unused_1: i32, unused_2: i32, unused_3: i32",
}

const _: () = assert!(size_of::<SpeciesNumbers>().is_multiple_of(16) && size_of::<MeetingNumbers>() == 32);
const _: () = assert!(std::mem::offset_of!(SpeciesNumbers, noise).is_multiple_of(16));
const _: () = assert!(std::mem::offset_of!(SpeciesNumbers, lives).is_multiple_of(16) && MAX_MEETINGS == 7);
const _: () = assert!(Rule::ALL.len() <= 8 && Rule::OF_NEIGHBOURS.len() == 4, "there is a number for every rule");

impl SpeciesNumbers {
    /// The numbers of a species with these rules.
    pub fn new(rules: &IndividualRules, SpeciesUnits { units, meetings, .. }: &SpeciesUnits) -> Self {
        let weight_bits = rules.weight_bits();
        let mut numbers = Self {
            thresholds: units.thresholds.0,
            radii: units.radii.0,
            noise: NoiseNumbers::new(&rules.noise, 0),
            lives: rules.lives.unwrap_or(LifeRules::still()),
            meeting_count: meetings.len() as u32,
            weight_bits,
            force: rules.force,
            keep: rules.keep,
            cruise: rules.cruise,
            min: rules.min,
            max: rules.max,
            crowd: rules.crowd.max(1),
            most_apart: (8 * rules.crowd).min((1 << 30) - 1) / units.coarseness(),
            // No hunger is above `FULL`, so the individual eats nothing.
            bite: if rules.food.bite > 0 { rules.food.bite } else { FULL + 1 },
            nearest: rules.selection.nearest,
            view: rules.selection.view,
            repulsion_view: rules.selection.repulsion_view,
            turn_cosine: rules.turn[0],
            turn_sine: rules.turn[1],
            forage: rules.food.forage,
            most: rules.most.unwrap_or(u32::MAX),
            ..bytemuck::Zeroable::zeroed()
        };
        for (own, weight) in numbers.weights.iter_mut().zip(rules.weights.0) {
            *own = round_shift_any(weight, weight_bits);
        }
        for ((own, meeting), rules) in numbers.meetings.iter_mut().zip(meetings).zip(&rules.meetings) {
            *own = MeetingNumbers {
                other: meeting.other as u32,
                rule: meeting.kind.rule().map_or(NO_RULE, |rule| rule as u32),
                weight: round_shift_any(rules.weight, weight_bits),
                radius: meeting.radius,
                threshold: meeting.threshold,
                jaws: meeting.jaws,
                meal: rules.meal,
                unused: 0,
            };
        }
        numbers
    }

    /// The meetings.
    pub fn meetings(&self) -> &[MeetingNumbers] {
        &self.meetings[..self.meeting_count as usize]
    }
}

impl Individuals {
    /// The number of an individual's species.
    #[inline(always)]
    pub fn species(&self, index: usize) -> usize {
        self.lives[1].get(index).map_or(0, |word| species_in(*word))
    }

    /// The number of individuals of each species.
    pub fn counts(&self) -> [u64; MAX_SPECIES] {
        let mut counts = [0; MAX_SPECIES];
        if !self.has_lives() {
            counts[0] = self.len() as u64;
            return counts;
        }
        (0..self.len()).for_each(|index| counts[self.species(index)] += 1);
        counts
    }
}
