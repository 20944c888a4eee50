//! The numbers of a preset that the panel shows: key, unit and bounds of each, in one table.

use crate::numbers::{BOID, ONE, RULE_ONE};
use crate::preset::{Colouring, Preset};
use crate::rules::Distribution;
use crate::world::{Edges, Mood};
use std::collections::BTreeMap;
use std::fmt;

/// The value of a key, as it is shown and set.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Number(f64),
    Word(&'static str),
    Switch(bool),
}

/// As `--set` has it.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Word(word) => f.write_str(word),
            Self::Switch(on) => write!(f, "{on}"),
        }
    }
}

/// A section of the panel that holds settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    Rules,
    Sight,
    Movement,
    World,
    Hunt,
    Look,
}

/// How a setting is shown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Control {
    /// A slider with its bounds.
    Decimal { least: f64, most: f64 },
    /// A slider over several orders of magnitude.
    Magnitude { least: f64, most: f64 },
    /// A slider over whole numbers.
    Whole { least: f64, most: f64 },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// On or off.
    Switch,
}

/// One number of a preset.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    pub section: Section,
    pub key: String,
    pub label: String,
    /// Behind the number; empty where it is a plain one.
    pub unit: &'static str,
    pub control: Control,
    /// What the number means, for whoever points at it.
    pub meaning: &'static str,
}

type Read = fn(&Preset) -> Option<Value>;

/// Section, key, label, unit, control, meaning, and how the value is read from a preset.
const TABLE: &[(Section, &str, &str, &str, Control, &str, Read)] = &[
    (
        Section::Rules,
        "separation.crowd",
        "crowd",
        "boids",
        Control::Magnitude { least: 0.1, most: 100.0 },
        "boids a cell that are a crowd: there separation has its full strength",
        |preset| fraction(preset.rules.crowd, f64::from(BOID) / f64::from(1u32 << preset.rules.shift)),
    ),
    (
        Section::Sight,
        "perception.shift",
        "grain",
        "bits",
        Control::Whole { least: 6.0, most: 18.0 },
        "a rule sees quanta >> shift; 12 bits are 1/16 boid",
        |preset| fraction(preset.rules.shift, 1),
    ),
    (
        Section::Movement,
        "movement.keep",
        "keep",
        "",
        Control::Decimal { least: 0.0, most: 1.0 },
        "how much of its control vector a boid keeps; 0 is the paper's form",
        |preset| fraction(preset.rules.keep, RULE_ONE),
    ),
    (
        Section::Movement,
        "movement.cruise",
        "cruise",
        "cells/step",
        Control::Decimal { least: 0.0, most: 1.0 },
        "the speed towards which boids tend; 0: none",
        |preset| fraction(preset.rules.cruise, ONE),
    ),
    (
        Section::Movement,
        "movement.max",
        "top speed",
        "cells/step",
        Control::Decimal { least: 0.05, most: 2.0 },
        "the greatest speed",
        |preset| fraction(preset.rules.max, ONE),
    ),
    (
        Section::Movement,
        "movement.wander",
        "wander",
        "",
        Control::Decimal { least: 0.0, most: 0.125 },
        "what strays to each neighbour in a step; 0 is the paper",
        |preset| fraction(preset.rules.wander, ONE),
    ),
    (
        Section::Movement,
        "movement.distribution",
        "distribution",
        "",
        Control::Choice(&["bilinear", "split", "nearest"]),
        "how a cell spreads what it gives (the paper's Figure 3)",
        |preset| {
            Some(Value::Word(match preset.rules.distribution {
                Distribution::Bilinear => "bilinear",
                Distribution::Split => "split",
                Distribution::Nearest => "nearest",
            }))
        },
    ),
    (
        Section::Movement,
        "movement.carry",
        "carry",
        "",
        Control::Switch,
        "control vectors travel with the boids, or stay with the cell",
        |preset| Some(Value::Switch(preset.rules.carry)),
    ),
    (
        Section::World,
        "world.edges",
        "edges",
        "",
        Control::Choice(&["torus", "walls"]),
        "beyond an edge lies the opposite one, or nothing",
        |preset| {
            Some(Value::Word(match preset.world.edges {
                Edges::Torus => "torus",
                Edges::Walls => "walls",
            }))
        },
    ),
    (
        Section::World,
        "world.margin",
        "margin",
        "cells",
        Control::Whole { least: 0.0, most: 64.0 },
        "from here on the rule `walls` turns boids inwards",
        |preset| (preset.world.edges == Edges::Walls).then(|| Value::Number(f64::from(preset.world.margin))),
    ),
    (
        Section::World,
        "world.capacity",
        "capacity",
        "boids",
        Control::Magnitude { least: 1.0, most: 65535.0 },
        "the most boids in a cell",
        |preset| fraction(preset.world.capacity, BOID),
    ),
    (
        Section::Hunt,
        "hunter.mood",
        "mood",
        "",
        Control::Choice(&["flee", "follow"]),
        "what boids do about the preset's own hunter",
        |preset| {
            preset.world.hunter.as_ref().map(|hunter| {
                Value::Word(match hunter.mood {
                    Mood::Flee => "flee",
                    Mood::Follow => "follow",
                })
            })
        },
    ),
    (
        Section::Hunt,
        "hunter.reach",
        "reach",
        "cells",
        Control::Whole { least: 1.0, most: 255.0 },
        "how far the preset's own hunter is noticed",
        |preset| preset.world.hunter.as_ref().map(|hunter| Value::Number(f64::from(hunter.reach))),
    ),
    (
        Section::Hunt,
        "hunter.speed",
        "speed",
        "cells/step",
        Control::Decimal { least: 0.0, most: 4.0 },
        "how fast the preset's own hunter walks its path",
        |preset| {
            let walks = preset.world.hunter.as_ref().filter(|hunter| hunter.path.len() > 1);
            walks.and_then(|hunter| fraction(hunter.speed, 1024))
        },
    ),
    (
        Section::Look,
        "look.exposure",
        "exposure",
        "boids",
        Control::Magnitude { least: 0.01, most: 100.0 },
        "the density that glows at half brightness, in boids a cell",
        |preset| number(preset.look.exposure),
    ),
    (
        Section::Look,
        "look.bloom",
        "bloom",
        "",
        Control::Decimal { least: 0.0, most: 1.0 },
        "how much light spills around a bright place",
        |preset| number(preset.look.bloom),
    ),
    (
        Section::Look,
        "look.hue",
        "hue",
        "turns",
        Control::Decimal { least: 0.0, most: 1.0 },
        "turns the colours of the headings",
        |preset| number(preset.look.hue),
    ),
    (
        Section::Look,
        "look.colour",
        "colour",
        "",
        Control::Choice(&["heading", "speed", "density"]),
        "what the hue says",
        |preset| {
            Some(Value::Word(match preset.look.colour {
                Colouring::Heading => "heading",
                Colouring::Speed => "speed",
                Colouring::Density => "density",
            }))
        },
    ),
    (
        Section::Look,
        "look.point_size",
        "points",
        "×",
        Control::Decimal { least: 0.25, most: 4.0 },
        "the size of single boids, seen from near",
        |preset| number(preset.look.point_size),
    ),
    (
        Section::Look,
        "look.trails",
        "trails",
        "",
        Control::Decimal { least: 0.0, most: 0.98 },
        "how much of the last picture's light stays",
        |preset| number(preset.look.trails),
    ),
];

/// What is kept as `n` parts of `one`, as the shortest decimal that is rounded to the same again.
fn fraction(n: impl Into<f64>, one: impl Into<f64>) -> Option<Value> {
    let (n, one) = (n.into(), one.into());
    let decimals = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5].map(|tens| (n / one * tens).round() / tens);
    Some(Value::Number(decimals.into_iter().find(|decimal| (decimal * one).round() == n).unwrap_or(n / one)))
}

/// A 32-bit number as the decimal that it was written as.
fn number(value: f32) -> Option<Value> {
    Some(Value::Number(value.to_string().parse().unwrap_or(f64::from(value))))
}

/// Every setting, with the weights and sights that a scene has.
pub fn settings<'a>(values: &'a BTreeMap<String, Value>) -> impl Iterator<Item = Setting> + 'a {
    let named = |table: &'static str, section, unit, control, meaning| {
        values.keys().filter_map(move |key| {
            let name = key.strip_prefix(table)?.split('.').next()?;
            let label = name.to_owned();
            Some(Setting { section, key: key.clone(), label, unit, control, meaning })
        })
    };
    let strength = "how strong the rule is; below 0 it is turned round";
    let weights = named("weights.", Section::Rules, "", Control::Decimal { least: -4.0, most: 4.0 }, strength);
    let radius = "how far the rule sees, as the radius of a disc";
    let sights = named("sight.", Section::Sight, "cells", Control::Decimal { least: 1.0, most: 24.0 }, radius);
    let rest = TABLE.iter().filter(|row| values.contains_key(row.1)).map(
        |&(section, key, label, unit, control, meaning, _)| {
            let (key, label) = (key.to_owned(), label.to_owned());
            Setting { section, key, label, unit, control, meaning }
        },
    );
    weights.chain(sights).chain(rest)
}

/// The value of every setting that a preset has. `weights` (Q10): those that are summed.
pub fn values(preset: &Preset, weights: &[(String, i32)]) -> BTreeMap<String, Value> {
    let weights = weights
        .iter()
        .filter(|(name, _)| name != "control")
        .filter_map(|(name, weight)| Some((format!("weights.{name}"), fraction(*weight, RULE_ONE)?)));
    // A sight that is no disc is shown by its reach.
    let sights = preset
        .rules
        .sights
        .iter()
        .map(|(name, sight)| (format!("sight.{name}.disc"), Value::Number(f64::from(sight.reach()))));
    let rest = TABLE.iter().filter_map(|row| Some((row.1.to_owned(), row.6(preset)?)));
    weights.chain(sights).chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::{Overrides, library};

    /// What the panel shows can be set: laid over the preset, every value gives the same preset again.
    #[test]
    fn every_value_can_be_set_as_it_is_shown() {
        for name in library::names() {
            let size = Some((96, 64));
            let preset = Preset::load(name, &Overrides { size, ..Overrides::default() }).unwrap();
            let shown = values(&preset, &[("cohesion".into(), 512)]);
            for (key, value) in &shown {
                let set = vec![format!("{key}={value}")];
                let again = Preset::load(name, &Overrides { size, set, ..Overrides::default() });
                let again = again.unwrap_or_else(|failure| panic!("{name}: {failure}"));
                assert_eq!(values(&again, &[("cohesion".into(), 512)]).get(key), Some(value), "{name}: {key}");
            }
            assert_eq!(settings(&shown).count(), shown.len(), "{name}");
        }
    }
}
