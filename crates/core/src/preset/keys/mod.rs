//! The table of preset keys: bounds, unit, default, documentation, cost of a change and control of every key.
//!
//! Checks, `--set`, the panel and `presets/reference.toml` read this table, so that each fact stands in one place.

mod schema;
mod table;

pub(super) use schema::check;
pub use table::KEYS;

use super::setting::normalized;
use std::fmt;

/// One row of the table. A key has several rows where its bounds or its default depend on another key.
#[derive(Debug)]
pub struct Key {
    /// The dotted key. `*` stands for any name and `[*]` for any index, as in `world.solid[*].circle.radius`.
    pub path: &'static str,
    pub kind: Kind,
    /// The unit of the number; empty for a plain number.
    pub unit: &'static str,
    pub default: DefaultValue,
    /// One line that explains the key.
    pub doc: &'static str,
    pub cost: Cost,
    /// The condition under which the key has a meaning; `None`: always.
    pub needs: Option<KeyCondition>,
    /// The control in the panel; `None`: the panel does not show the key.
    pub control: Option<Control>,
}

/// The type of a value, with the bounds of its numbers, inclusive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    Decimal(f64, f64),
    Whole(i64, i64),
    Decimals(f64, f64, ListForm),
    Wholes(i64, i64, ListForm),
    Choice(&'static [&'static str]),
    Switch,
    Text,
}

/// The form of a list of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ListForm {
    Numbers,
    /// Two numbers.
    Pair,
    /// Three numbers: a point in space.
    Point,
    /// Two numbers, or three in a deep world: a place, a vector or extents.
    Place,
    Places,
    PlaceOrPlaces,
    /// A number, or two of which the first is not the greater one.
    Span,
}

/// The word of a choice for a word that means the same.
pub fn canonical(word: &str) -> &str {
    if word == "individuals" { "agents" } else { word }
}

/// A value as the panel shows it and `--set` takes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    Number(f64),
    Word(&'static str),
    Switch(bool),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Word(word) => f.write_str(word),
            Self::Switch(on) => write!(f, "{on}"),
        }
    }
}

/// The value of a key that a preset leaves out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DefaultValue {
    /// The preset must have the key.
    Needed,
    Value(Value),
    /// No single value; the text describes what happens instead.
    Otherwise(&'static str),
}

/// What a changed value costs a swarm under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cost {
    /// The coming steps use the new number.
    Nothing,
    /// The engine keeps the swarm and prepares its passes anew.
    Passes,
    /// The value acts at the start only, so the swarm begins anew.
    Restart,
}

/// A key with this condition has a meaning only if another key, the decider, has one of these values.
#[derive(Debug, Clone, Copy)]
pub struct KeyCondition {
    pub decider: &'static str,
    pub words: &'static [&'static str],
    /// How to mend a preset in which the condition does not hold.
    pub cure: &'static str,
}

/// A section of the panel that shows keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    Start,
    Rules,
    Sight,
    Movement,
    World,
    Lives,
    Food,
    Species,
    Hunt,
    Look,
}

/// The control of a key in the panel.
#[derive(Debug, Clone, Copy)]
pub struct Control {
    pub section: Section,
    /// Empty: the name that the `*` of the key stands for.
    pub label: &'static str,
    pub range: Range,
}

/// The values that a control offers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Range {
    /// All that the key allows.
    All,
    /// A slider between these numbers.
    Linear(f64, f64),
    /// A slider over orders of magnitude.
    Logarithmic(f64, f64),
    /// These words.
    Words(&'static [&'static str]),
}

impl Key {
    const fn new(path: &'static str, kind: Kind, unit: &'static str, default: DefaultValue, cost: Cost) -> Self {
        Self { path, kind, unit, default, doc: "", cost, needs: None, control: None }
    }

    const fn doc(self, doc: &'static str) -> Self {
        Self { doc, ..self }
    }

    const fn needs(self, decider: &'static str, words: &'static [&'static str], cure: &'static str) -> Self {
        Self { needs: Some(KeyCondition { decider, words, cure }), ..self }
    }

    const fn control(self, section: Section, label: &'static str, range: Range) -> Self {
        Self { control: Some(Control { section, label, range }), ..self }
    }

    /// Whether the row describes this key.
    pub fn matches(&self, key: &str) -> bool {
        self.depth() == key.split('.').count() && self.lies_in(key)
    }

    /// Whether the row describes this key, or one in this table or list.
    pub fn lies_in(&self, key: &str) -> bool {
        key.split('.').enumerate().all(|(depth, part)| self.part(depth).is_some_and(|own| is_part(own, part)))
    }

    /// The number of names in the key.
    fn depth(&self) -> usize {
        self.path.split('.').count()
    }

    /// The name, the name and `[*]`, or the `*` at this depth.
    fn part(&self, depth: usize) -> Option<&'static str> {
        self.path.split('.').nth(depth)
    }

    /// The type, bounds, unit, default and cost as text, for the documentation.
    pub fn facts(&self) -> String {
        let range = match self.kind {
            Kind::Decimal(least, most) | Kind::Decimals(least, most, _) => format!("{least} to {most}"),
            Kind::Whole(least, most) | Kind::Wholes(least, most, _) => format!("{least} to {most}"),
            Kind::Choice(words) => words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", "),
            Kind::Switch => "true or false".into(),
            Kind::Text => String::new(),
        };
        let range = if self.unit.is_empty() || range.is_empty() { range } else { format!("{range} {}", self.unit) };
        let default = match self.default {
            DefaultValue::Needed => "needed".into(),
            DefaultValue::Value(Value::Word(word)) => format!("left out: \"{word}\""),
            DefaultValue::Value(value) => format!("left out: {value}"),
            DefaultValue::Otherwise("") => String::new(),
            DefaultValue::Otherwise(text) => format!("left out: {text}"),
        };
        let cost = match self.cost {
            Cost::Nothing => "",
            Cost::Passes => "new passes",
            Cost::Restart => "restart",
        };
        let facts = [range.as_str(), default.as_str(), cost];
        facts.into_iter().filter(|fact| !fact.is_empty()).collect::<Vec<_>>().join("; ")
    }
}

/// Whether a part of a pattern stands for a part of a key.
fn is_part(pattern: &str, part: &str) -> bool {
    // The elements of a list share its row.
    pattern == "*" || part.split('[').next() == Some(pattern.trim_end_matches("[*]"))
}

/// The keys and tables of a preset that a species may have as its own, over those of all.
const OF_SPECIES: [&str; 14] = [
    "start.shape",
    "start.count",
    "start.at",
    "start.radius",
    "start.width",
    "start.headings",
    "start.speed",
    "start.patch",
    "sight.",
    "weights.",
    "separation.",
    "movement.",
    "agents.force",
    "lives.",
];

impl Key {
    /// Whether a species may have the key as its own.
    fn is_of_species(&self) -> bool {
        OF_SPECIES.iter().any(|own| self.path == *own || own.ends_with('.') && self.path.starts_with(own))
    }
}

/// The key of the preset that a key such as `species[1].lives.few` is laid over, `lives.few`; any other key is itself.
fn base_of(key: &str) -> &str {
    let own = key.strip_prefix("species").and_then(|rest| Some(rest.split_once('.')?.1));
    own.filter(|own| KEYS.iter().any(|row| row.is_of_species() && row.lies_in(own))).unwrap_or(key)
}

/// The rows of a key.
pub fn rows(key: &str) -> impl Iterator<Item = &'static Key> {
    let key = base_of(key).to_owned();
    KEYS.iter().filter(move |row| row.matches(&key))
}

/// What a change of a key costs; of a table, the most that a change of one of its keys costs.
pub fn cost(key: &str) -> Cost {
    let key = &normalized(key).unwrap_or_else(|| key.to_owned());
    let key = base_of(key);
    KEYS.iter().filter(|row| row.lies_in(key)).map(|row| row.cost).max().unwrap_or(Cost::Nothing)
}

/// The keys that have a meaning only beside some values of this one.
pub fn dependents(decider: &str) -> impl Iterator<Item = &'static str> {
    KEYS.iter().filter(move |row| row.needs.is_some_and(|needs| needs.decider == decider)).map(|row| row.path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_its_cost() {
        for (key, expected) in [
            ("weights.wind", Cost::Nothing),
            ("sight.cohesion.disc", Cost::Passes),
            ("sight.cohesion", Cost::Passes),
            ("world.solid[3].circle.radius", Cost::Restart),
            ("world.solid", Cost::Restart),
            ("world.solid[0]", Cost::Restart),
            ("world.size[1]", Cost::Restart),
            ("world", Cost::Restart),
            ("hunter", Cost::Nothing),
            ("hunter.path[1]", Cost::Nothing),
            ("agents", Cost::Restart),
            ("agents.depth", Cost::Restart),
            ("agents.force", Cost::Nothing),
            ("world.margin", Cost::Nothing),
            (" \"seed\" ", Cost::Restart),
            ("look.bloom", Cost::Nothing),
            ("species[1].lives.few", Cost::Nothing),
            ("species[0].sight.danger.disc", Cost::Passes),
            ("species[0].start.shape", Cost::Restart),
            ("species[0].meets.paper.weight", Cost::Nothing),
        ] {
            assert_eq!(cost(key), expected, "{key}");
        }
    }

    /// A default lies within the bounds, and so does what a slider offers.
    #[test]
    fn defaults_and_sliders_lie_within_the_bounds() {
        for row in KEYS {
            let [least, most] = match row.kind {
                Kind::Decimal(least, most) => [least, most],
                Kind::Whole(least, most) => [least as f64, most as f64],
                _ => [f64::NAN; 2],
            };
            if let DefaultValue::Value(Value::Number(number)) = row.default {
                assert!((least..=most).contains(&number), "{}: {number}", row.path);
            }
            match row.control.map(|control| control.range) {
                Some(Range::Linear(low, high) | Range::Logarithmic(low, high)) => {
                    assert!(least <= low && low < high && high <= most, "{}: {low} to {high}", row.path);
                }
                Some(Range::Words(offered)) => {
                    let is_allowed = |word: &&str| match row.kind {
                        Kind::Choice(words) => words.contains(word),
                        _ => word.parse().is_ok_and(|number| (least..=most).contains(&number)),
                    };
                    assert!(offered.iter().all(is_allowed), "{}", row.path);
                }
                _ => {}
            }
            if let Some(needs) = row.needs {
                let decider = rows(needs.decider).next().unwrap_or_else(|| panic!("{}: no decider", row.path));
                let Kind::Choice(words) = decider.kind else { panic!("{}: the decider is no choice", row.path) };
                assert!(needs.words.iter().all(|word| words.contains(word)), "{}", row.path);
            }
        }
    }
}
