//! The keys of lives.

use super::numbers::{ALL, MAX_COUNTED, NOBODY, STARVED};
use super::{FULL, HAPPIEST, LifeRules};
use crate::keys::rows::*;
use crate::numbers::ONE;
use crate::numbers::random::word_of_seed;

const MAX_NEIGHBOURS: i64 = MAX_COUNTED as i64;
/// The integer for 1.0 in factors and in the terms of a mood (Q10).
const FACTOR: f64 = 1024.0;
/// The integer for 1.0 in health and hunger, which is also the max of both.
const WHOLE: f64 = FULL as f64;
/// The integer for the mood 1.0, which is the max mood.
const MOOD: f64 = HAPPIEST as f64;
/// Presets give rates for this number of steps.
const RATE: f64 = 1000.0;
/// Mixed into the seed of a preset, so that lives have random words of their own.
const PURPOSE: u32 = 0x11fe;
const LIVES: &[&str] = &["none", "starved", "all"];

const fn of_lives(
    path: &'static str,
    kind: Kind,
    unit: &'static str,
    default: DefaultValue,
    cost: Cost,
) -> Row<LifeRules> {
    let cure = "say lives.rebirth, as in rebirth = \"starved\"";
    Row::new(path, kind, unit, default, cost).needs("lives.rebirth", LIVES, cure)
}

fn scaled(value: f64, one: f64) -> i32 {
    (value * one).round() as i32
}

/// Converts a rate of a preset into parts of [`FULL`] for one step. A rate above 0 stays above 0.
fn rate(rate: f64) -> i32 {
    if rate > 0.0 { scaled(rate, WHOLE / RATE).max(1) } else { 0 }
}

/// The range of a trait as integers: its lower end, and its size. `one`: the integer for 1.0.
fn span(range: [f64; 2], one: f64) -> [i32; 2] {
    let [low, high] = range.map(|end| scaled(end, one));
    [low, high - low]
}

/// The word from which all random draws of lives begin. `seed`: `lives.seed`, or the seed of the preset.
pub fn word_of_lives(seed: u64) -> u32 {
    word_of_seed(seed, PURPOSE)
}

/// The keys of the section `lives` of a preset: how each is read, and its control in the panel.
#[rustfmt::skip]
pub const KEYS: &[Row<LifeRules>] = &[
    Row::new("lives.rebirth", Choice(LIVES), "", Otherwise("individuals have no lives"), Restart)
        .doc("individuals have lives, and those that have perished are gone, or are born again; all: those that were \
            caught as well")
        .needs("model", &["agents"], INDIVIDUALS_ONLY)
        .word(|lives, word| lives.rebirth =
            if word == "all" { ALL } else if word == "starved" { STARVED } else { NOBODY }),
    of_lives("lives.seed", Whole(0, i64::MAX), "", Otherwise("that of the preset"), Restart)
        .doc("the seed of their DNA and of where they are born again")
        .integer(|lives, seed| lives.seed = word_of_lives(seed as u64)),
    of_lives("lives.mutation", Decimal(0.0, 1.0), "", number(0.0), Nothing)
        .doc("how much a trait differs at most from that of a parent, as a part of its range; 0: one is born again \
            with its own DNA")
        .control(Section::Lives, "mutation", Linear(0.0, 0.5))
        .decimal(|lives, part| lives.mutation = scaled(part, f64::from(u8::MAX))),
    of_lives("lives.parents", Choice(&["any", "healthy"]), "", word("healthy"), Nothing)
        .doc("who is a parent, by chance: each that lives as often, or the healthier the more often")
        .control(Section::Lives, "parents", All).word(|lives, word| lives.by_health = i32::from(word == "healthy")),
    of_lives("lives.effort", Decimal(0.0, 4.0), "", number(0.0), Nothing)
        .doc("how much faster the fastest grow hungry, and so do those that see farthest, as a part of their appetite: \
            traits have a cost")
        .control(Section::Lives, "effort", All).decimal(|lives, part| lives.effort = scaled(part, 256.0)),
    of_lives("lives.dna.speed", Decimals(0.05, 1.0, Span), "", DefaultValue::Interval(0.7, 1.0), Nothing)
        .doc("their greatest speeds, as parts of movement.max; of each trait a number, or the range in which a DNA \
            chooses")
        .span(|lives, range| lives.traits[0] = span(range, FACTOR)),
    of_lives("lives.dna.force", Decimals(0.0, 1.0, Span), "", DefaultValue::Interval(0.7, 1.0), Nothing)
        .doc("the part of what the rules ask for that they follow")
        .span(|lives, range| lives.traits[1] = span(range, FACTOR)),
    of_lives("lives.dna.sight", Decimals(0.1, 1.0, Span), "", DefaultValue::Interval(0.8, 1.0), Nothing)
        .doc("how far they see, as parts of the sights").span(|lives, range| lives.traits[2] = span(range, FACTOR)),
    of_lives("lives.dna.disposition", Decimals(-1.0, 1.0, Span), "", DefaultValue::Interval(-0.3, 0.3), Nothing)
        .doc("what is added to their moods; a mood is from -1 to 1")
        .span(|lives, range| lives.traits[3] = span(range, FACTOR)),
    of_lives("lives.dna.health", Decimals(0.01, 1.0, Span), "", DefaultValue::Interval(0.6, 1.0), Nothing)
        .doc("their greatest health")
        .span(|lives, range| lives.traits[4] = span(range, WHOLE)),
    of_lives("lives.dna.appetite", Decimals(0.0, 100.0, Span), "", DefaultValue::Interval(0.3, 0.6), Nothing)
        .doc("the hunger that grows in 1000 steps; with 1 they starve")
        .span(|lives, range| lives.traits[5] = span(range, WHOLE / RATE)),
    of_lives("lives.few", Whole(0, MAX_NEIGHBOURS), "neighbours", number(4.0), Nothing)
        .doc("with fewer others within the sight of cohesion they are lonely")
        .control(Section::Lives, "few", Linear(0.0, 64.0))
        .integer(|lives, count| lives.few = count as i32),
    of_lives("lives.many", Whole(0, MAX_NEIGHBOURS), "neighbours", number(40.0), Nothing)
        .doc("with more they are crowded; at least `few`").control(Section::Lives, "many", Linear(0.0, 200.0))
        .integer(|lives, count| lives.many = count as i32),
    of_lives("lives.content", Decimal(0.0, 4.0), "", number(0.4), Nothing).doc("what the mood is better for company")
        .control(Section::Lives, "content", Linear(0.0, 2.0))
        .decimal(|lives, part| lives.content = scaled(part, FACTOR)),
    of_lives("lives.lonely", Decimal(0.0, 4.0), "", number(0.25), Nothing)
        .doc("what the mood is worse for each neighbour below `few`")
        .control(Section::Lives, "lonely", Linear(0.0, 1.0))
        .decimal(|lives, part| lives.lonely = scaled(part, FACTOR)),
    of_lives("lives.crowded", Decimal(0.0, 4.0), "", number(0.02), Nothing)
        .doc("what it is worse for each one above `many`")
        .control(Section::Lives, "crowded", Linear(0.0, 0.2))
        .decimal(|lives, part| lives.crowded = scaled(part, FACTOR)),
    of_lives("lives.pressed", Decimal(0.0, 4.0), "", number(0.05), Nothing)
        .doc("what it is worse for each one within the sight of separation, which is too near")
        .control(Section::Lives, "pressed", Linear(0.0, 0.5))
        .decimal(|lives, part| lives.pressed = scaled(part, FACTOR)),
    of_lives("lives.sulk", Decimal(0.0, 4.0), "", number(0.8), Nothing).doc("what it is worse with the greatest hunger")
        .control(Section::Lives, "sulk", Linear(0.0, 2.0)).decimal(|lives, part| lives.sulk = scaled(part, FACTOR)),
    of_lives("lives.pace", Decimal(0.0001, 1.0), "a step", number(0.01), Nothing).doc("how fast the mood changes")
        .control(Section::Lives, "pace", Logarithmic(0.001, 0.1))
        .decimal(|lives, part| lives.pace = scaled(part, MOOD).max(1)),
    of_lives("lives.hungry", Decimal(0.0, 1.0), "", number(0.6), Nothing).doc("the hunger above which health is lost")
        .control(Section::Lives, "hungry", All).decimal(|lives, part| lives.hungry = scaled(part, WHOLE)),
    of_lives("lives.sad", Decimal(-0.9, 0.9), "", number(-0.3), Nothing)
        .doc("the mood below which they are depressed: they follow their rules less, slow down, drift apart and lose \
            health")
        .control(Section::Lives, "sad", All).decimal(|lives, mood| lives.sad = scaled(mood, MOOD)),
    of_lives("lives.recovery", Decimal(0.0, 1000.0), "in 1000 steps", number(2.0), Nothing)
        .doc("the health that comes back, neither hungry nor depressed")
        .control(Section::Lives, "recovery", Logarithmic(0.1, 100.0))
        .decimal(|lives, health| lives.recovery = rate(health)),
    of_lives("lives.starvation", Decimal(0.0, 1000.0), "in 1000 steps", number(2.0), Nothing)
        .doc("the health that a hungry one loses").control(Section::Lives, "starvation", Logarithmic(0.1, 100.0))
        .decimal(|lives, health| lives.starvation = rate(health)),
    of_lives("lives.gloom", Decimal(0.0, 1000.0), "in 1000 steps", number(1.0), Nothing)
        .doc("the health that a depressed one loses").control(Section::Lives, "gloom", Logarithmic(0.1, 100.0))
        .decimal(|lives, health| lives.gloom = rate(health)),
    of_lives("lives.heed", Decimal(0.0, 1.0), "", number(0.2), Nothing)
        .doc("the part of what the rules ask for that is followed in the deepest depression")
        .control(Section::Lives, "heed", All)
        .decimal(|lives, part| lives.heed = scaled(part, FACTOR)),
    of_lives("lives.slow", Decimal(0.0, 1.0), "", number(0.4), Nothing)
        .doc("the part of the greatest speed that is left in the deepest depression")
        .control(Section::Lives, "slow", All)
        .decimal(|lives, part| lives.slow = scaled(part, FACTOR)),
    of_lives("lives.frail", Decimal(0.001, 1.0), "", number(0.03), Nothing)
        .doc("the health below which one begins to perish")
        .decimal(|lives, part| lives.frail = scaled(part, WHOLE)),
    of_lives("lives.perishing", Whole(1, 60_000), "steps", number(120.0), Nothing)
        .doc("how long one perishes: it fades and sinks, and nothing helps")
        .control(Section::Lives, "perishing", Linear(1.0, 600.0))
        .integer(|lives, count| lives.perishing = count as i32),
    of_lives("lives.sink", Decimal(0.0, 1.0), "cells/step", number(0.1), Nothing)
        .doc("how fast one sinks meanwhile: down in the picture of a flat world, down in a deep one")
        .control(Section::Lives, "sink", Linear(0.0, 0.5))
        .decimal(|lives, part| lives.sink = scaled(part, f64::from(ONE))),
];
