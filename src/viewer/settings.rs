//! The numbers of a preset that the panel shows: key, unit and bounds of each, in one table.

use crate::agents::{AgentRules, RuleSet};
use crate::numbers::{BOID, ONE, RULE_ONE};
use crate::preset::{Colouring, Preset, SightForm};
use crate::rules::{Distribution, Rules};
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
    Start,
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
    /// A slider over whole numbers of several orders of magnitude.
    Amount { least: f64, most: f64 },
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
        Section::Start,
        "start.boids",
        "boids",
        "boids",
        Control::Amount { least: 1.0, most: 4_000_000.0 },
        "how many there are at first, on the preset's own size",
        |preset| preset.beginning.boids.map(|boids| Value::Number(boids as f64)),
    ),
    (
        Section::Start,
        "start.shape",
        "shape",
        "",
        Control::Choice(&["uniform", "blobs", "ring"]),
        "where they are at first",
        |preset| {
            let shape = preset.beginning.shape;
            // Those that are read from a file are not to be had by a click.
            (!matches!(shape, "map" | "array")).then_some(Value::Word(shape))
        },
    ),
    (
        Section::Start,
        "start.count",
        "blobs",
        "",
        Control::Amount { least: 1.0, most: 1000.0 },
        "how many blobs there are",
        |preset| preset.beginning.count.map(|count| Value::Number(count as f64)),
    ),
    (
        Section::Start,
        "start.radius",
        "radius",
        "of a side",
        Control::Decimal { least: 0.0, most: 1.0 },
        "how large a blob or the ring is, as a part of the smaller extent",
        |preset| preset.beginning.radius.map(Value::Number),
    ),
    (
        Section::Start,
        "start.width",
        "width",
        "of a side",
        Control::Decimal { least: 0.0, most: 1.0 },
        "how broad the ring is, as a part of the smaller extent",
        |preset| preset.beginning.width.map(Value::Number),
    ),
    (
        Section::Start,
        "start.headings",
        "headings",
        "",
        Control::Choice(&["none", "random", "swirl"]),
        "where they go at first",
        |preset| Some(Value::Word(preset.beginning.headings)),
    ),
    (
        Section::Start,
        "start.speed",
        "speed",
        "cells/step",
        Control::Decimal { least: 0.0, most: 1.0 },
        "how fast they go at first",
        |preset| preset.beginning.speed.map(Value::Number),
    ),
    (
        Section::Start,
        "start.patch",
        "patches",
        "cells",
        Control::Whole { least: 1.0, most: 256.0 },
        "over how far random headings are alike",
        |preset| preset.beginning.patch.map(|patch| Value::Number(patch as f64)),
    ),
    (
        Section::Start,
        "agents.depth",
        "depth",
        "cells",
        Control::Amount { least: 1.0, most: 1024.0 },
        "how deep the world of the individuals is; 1: flat",
        |preset| preset.agents.as_ref().map(|model| Value::Number(f64::from(model.depth))),
    ),
    (
        Section::Rules,
        "agents.rules",
        "rules",
        "",
        Control::Choice(&["school", "flock", "circles", "reynolds"]),
        "whose rules the individuals follow",
        |preset| {
            Some(Value::Word(match individuals(preset)?.set {
                RuleSet::School => "school",
                RuleSet::Flock => "flock",
                RuleSet::HalfFlock => "circles",
                RuleSet::Reynolds => "reynolds",
            }))
        },
    ),
    (
        Section::Movement,
        "agents.force",
        "force",
        "cells/step²",
        Control::Magnitude { least: 0.001, most: 1.0 },
        "how much a velocity changes in a step at most",
        |preset| fraction(individuals(preset).filter(|rules| rules.set != RuleSet::Reynolds)?.force, ONE),
    ),
    (
        Section::Rules,
        "separation.crowd",
        "crowd",
        "boids",
        Control::Magnitude { least: 0.1, most: 100.0 },
        "boids a cell that are a crowd: there separation has its full strength",
        |preset| match (cells(preset), reynolds(preset)) {
            (Some(rules), _) => fraction(rules.crowd, f64::from(BOID) / f64::from(1u32 << rules.shift)),
            (None, rules) => fraction(rules?.crowd, RULE_ONE),
        },
    ),
    (
        Section::Sight,
        "perception.shift",
        "grain",
        "bits",
        Control::Whole { least: 6.0, most: 18.0 },
        "a rule sees quanta >> shift; 12 bits are 1/16 boid",
        |preset| fraction(cells(preset)?.shift, 1),
    ),
    (
        Section::Movement,
        "movement.keep",
        "keep",
        "",
        Control::Decimal { least: 0.0, most: 1.0 },
        "how much of its control vector a boid keeps; 0 is the paper's form",
        |preset| {
            fraction(cells(preset).map(|rules| rules.keep).or(reynolds(preset).map(|rules| rules.keep))?, RULE_ONE)
        },
    ),
    (
        Section::Movement,
        "movement.cruise",
        "cruise",
        "cells/step",
        Control::Decimal { least: 0.0, most: 1.0 },
        "the speed towards which boids tend; 0: none",
        |preset| fraction(cells(preset).map(|rules| rules.cruise).or(reynolds(preset).map(|rules| rules.cruise))?, ONE),
    ),
    (
        Section::Movement,
        "movement.max",
        "top speed",
        "cells/step",
        Control::Decimal { least: 0.05, most: 2.0 },
        "the greatest speed",
        |preset| fraction(individuals(preset).map_or(preset.rules.max, |rules| rules.max), ONE),
    ),
    (
        Section::Movement,
        "movement.wander",
        "wander",
        "",
        Control::Decimal { least: 0.0, most: 0.125 },
        "what strays to each neighbour in a step; 0 is the paper",
        |preset| fraction(cells(preset)?.wander, ONE),
    ),
    (
        Section::Movement,
        "movement.distribution",
        "distribution",
        "",
        Control::Choice(&["bilinear", "split", "nearest"]),
        "how a cell spreads what it gives (the paper's Figure 3)",
        |preset| {
            Some(Value::Word(match cells(preset)?.distribution {
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
        |preset| Some(Value::Switch(cells(preset)?.carry)),
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
        |preset| cells(preset).and_then(|_| fraction(preset.world.capacity, BOID)),
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
        Section::Hunt,
        "hunter.jaws",
        "jaws",
        "cells",
        Control::Whole { least: 0.0, most: 64.0 },
        "how far from it boids are caught; 0: none",
        |preset| preset.world.hunter.as_ref().map(|hunter| Value::Number(f64::from(hunter.jaws))),
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

/// The numbers of the cell system, where it plays.
fn cells(preset: &Preset) -> Option<&Rules> {
    preset.agents.is_none().then_some(&preset.rules)
}

/// The numbers of individuals, where they play.
fn individuals(preset: &Preset) -> Option<&AgentRules> {
    preset.agents.as_ref().map(|model| &model.rules)
}

/// Those of individuals that have the cell system's rules.
fn reynolds(preset: &Preset) -> Option<&AgentRules> {
    individuals(preset).filter(|rules| rules.set == RuleSet::Reynolds)
}

/// Whether a key says how the swarm begins, so that it acts by a restart.
pub fn is_of_the_start(key: &str) -> bool {
    key.starts_with("start.") || key == "agents.depth"
}

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
    let sights = values.keys().filter_map(|key| {
        let (name, form) = key.strip_prefix("sight.")?.split_once('.')?;
        let (unit, control, meaning) = match form {
            "disc" => {
                let control = Control::Decimal { least: 1.0, most: 24.0 };
                ("cells", control, "how far the rule sees, as the radius of a disc")
            }
            "box" => {
                let control = Control::Whole { least: 1.0, most: 24.0 };
                ("cells", control, "how far the rule sees along each axis, in a box")
            }
            _ => ("", Control::Choice(&["4", "8", "16", "32"]), "in how many directions the rule sees, on rings"),
        };
        Some(Setting { section: Section::Sight, key: key.clone(), label: name.to_owned(), unit, control, meaning })
    });
    let rest = TABLE.iter().filter(|row| values.contains_key(row.1)).map(
        |&(section, key, label, unit, control, meaning, _)| {
            let (key, label) = (key.to_owned(), label.to_owned());
            Setting { section, key, label, unit, control, meaning }
        },
    );
    weights.chain(sights).chain(rest)
}

/// The value of every setting that a preset has. `weights` (Q10): those that cells sum.
pub fn values(preset: &Preset, weights: &[(String, i32)]) -> BTreeMap<String, Value> {
    let of_cells = weights
        .iter()
        .filter(|(name, _)| name != "control")
        .filter_map(|(name, weight)| Some((format!("weights.{name}"), fraction(*weight, RULE_ONE)?)));
    let is_of_use = |name: &String| name != "hunter" || preset.world.hunter.is_some();
    let of_agents = preset.agents.iter().flat_map(|model| &model.weights).filter(|(name, _)| is_of_use(name));
    let of_agents = of_agents.map(|(name, weight)| (format!("weights.{name}"), Value::Number(*weight)));
    let is_of_agents = preset.agents.is_some();
    let weights = of_cells.filter(|_| !is_of_agents).chain(of_agents);
    let is_used = |name: &String| preset.agents.as_ref().is_none_or(|model| model.weights.contains_key(name));
    // A list of vectors has no number that could be moved.
    let sights = preset.sights.iter().filter(|(name, _)| is_used(name)).filter_map(|(name, form)| match form {
        SightForm::Disc(radius) => Some((format!("sight.{name}.disc"), Value::Number(*radius))),
        SightForm::Box(far) => Some((format!("sight.{name}.box"), Value::Number(*far as f64))),
        SightForm::Rings { directions, .. } => {
            let words = ["4", "8", "16", "32"].into_iter();
            let word = words.into_iter().find(|word| word.parse() == Ok(*directions))?;
            Some((format!("sight.{name}.rings.directions"), Value::Word(word)))
        }
        SightForm::List => None,
    });
    let rest = TABLE.iter().filter_map(|row| Some((row.1.to_owned(), row.6(preset)?)));
    weights.chain(sights).chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::Overrides;

    /// What the panel shows can be set: laid over the preset, every value gives the same preset again.
    #[test]
    fn every_value_can_be_set_as_it_is_shown() {
        for name in crate::host().library().preset_names() {
            let size = Some((96, 64));
            let preset = Preset::load(crate::host(), name, &Overrides { size, ..Overrides::default() }).unwrap();
            let shown = values(&preset, &[("cohesion".into(), 512)]);
            for (key, value) in &shown {
                let set = vec![format!("{key}={value}")];
                let again = Preset::load(crate::host(), name, &Overrides { size, set, ..Overrides::default() });
                let again = again.unwrap_or_else(|failure| panic!("{name}: {failure}"));
                assert_eq!(values(&again, &[("cohesion".into(), 512)]).get(key), Some(value), "{name}: {key}");
            }
            assert_eq!(settings(&shown).count(), shown.len(), "{name}");
        }
    }

    /// Numbers of the reference that are no settings, and why.
    const OTHERWISE: &[(&str, &str)] = &[
        ("seed", "has a field of its own in the section Scene"),
        ("world.size", "has fields of its own in the section World"),
        ("world.solid", "solids are painted with a brush"),
        ("hunter.path", "a walk is a list of points"),
        ("sight.alignment.rings.radii", "rings are a list; their directions are a setting"),
    ];

    /// The dotted keys of everything that holds a number, or a list with one.
    fn numbers(table: &toml::Table, before: &str, found: &mut Vec<String>) {
        fn holds_number(value: &toml::Value) -> bool {
            match value {
                toml::Value::Integer(_) | toml::Value::Float(_) => true,
                toml::Value::Array(list) => list.iter().any(holds_number),
                toml::Value::Table(table) => table.values().any(holds_number),
                _ => false,
            }
        }
        for (key, value) in table {
            let key = if before.is_empty() { key.clone() } else { format!("{before}.{key}") };
            match value {
                toml::Value::Table(inside) => numbers(inside, &key, found),
                value if holds_number(value) => found.push(key),
                _ => {}
            }
        }
    }

    /// What the reference shows only in a comment is tried in presets that have it.
    #[test]
    fn every_number_of_the_reference_is_a_setting() {
        let text = crate::host().library().preset("reference").unwrap();
        let mut written = Vec::new();
        numbers(&text.parse().unwrap(), "", &mut written);
        assert!(written.len() > 30, "the reference is not read: {written:?}");
        let mut shown = std::collections::BTreeSet::new();
        for set in [&[][..], &["start.shape=ring", "start.headings=swirl"][..], &["sight.alignment.disc=3"][..]] {
            let set = set.iter().map(|setting| (*setting).to_owned()).collect();
            let preset = Preset::load(crate::host(), "reference", &Overrides { set, ..Overrides::default() }).unwrap();
            let weights: Vec<_> = preset.rules.weights.clone().into_iter().collect();
            shown.extend(values(&preset, &weights).into_keys());
        }
        for key in &written {
            let is_otherwise = OTHERWISE.iter().any(|(known, _)| known == key);
            assert_ne!(shown.contains(key), is_otherwise, "{key}: a setting, or a reason why it is none");
        }
        for (key, _) in OTHERWISE {
            assert!(written.iter().any(|written| written == key), "the reference has no {key}");
        }
        for name in ["school", "flock"] {
            let preset =
                Preset::load(crate::host(), name, &Overrides { size: Some((96, 64)), ..Overrides::default() }).unwrap();
            shown.extend(values(&preset, &[]).into_keys());
        }
        for key in ["start.width", "sight.alignment.disc", "agents.depth", "agents.force", "weights.clarity"] {
            assert!(shown.contains(key), "{key} is not a setting");
        }
    }
}
