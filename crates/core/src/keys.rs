//! The keys of presets. A row describes one key: bounds, unit, default, documentation, cost of a change, control in the
//! panel, and setter of the value.
//!
//! Checks of presets, `--set`, the panel and the generated file `presets/reference.toml` use these rows. Every subject,
//! such as food, has a table of its own keys beside its numbers.

use std::fmt;
use std::ops::Deref;

/// One row of a table of keys. `T` is the structure of numbers into which the value is written.
#[derive(Debug)]
pub struct Row<T> {
    /// The key of the row.
    pub key: Key,
    /// The setter that writes the value into a `T`.
    pub destination: Destination<T>,
}

/// The setter of a key's value. If a preset leaves the key out, the `T` keeps its value.
#[derive(Debug)]
pub enum Destination<T> {
    /// No setter: the value is read where it is needed.
    None,
    /// Takes a decimal number, in the unit of the key.
    Decimal(fn(&mut T, f64)),
    /// Takes a whole number, in the unit of the key.
    Whole(fn(&mut T, i64)),
    /// Takes both ends of a span, in the unit of the key.
    Span(fn(&mut T, [f64; 2])),
    /// Takes a word of a choice.
    Word(fn(&mut T, &str)),
    /// Takes a switch.
    Switch(fn(&mut T, bool)),
}

impl<T> Row<T> {
    /// A row without a setter, a documentation line, a condition and a control.
    pub const fn new(path: &'static str, kind: Kind, unit: &'static str, default: DefaultValue, cost: Cost) -> Self {
        let key = Key { path, kind, unit, default, doc: "", cost, needs: None, control: None, synonym: None };
        Self { key, destination: Destination::None }
    }

    /// Sets the line that explains the key.
    pub const fn doc(mut self, doc: &'static str) -> Self {
        self.key.doc = doc;
        self
    }

    /// Sets the condition under which the key has a meaning.
    pub const fn needs(mut self, decider: &'static str, words: &'static [&'static str], cure: &'static str) -> Self {
        self.key.needs = Some(KeyCondition { decider, words, cure });
        self
    }

    /// Sets the control in the panel.
    pub const fn control(mut self, section: Section, label: &'static str, range: Range) -> Self {
        self.key.control = Some(Control { section, label, range });
        self
    }

    /// Adds a synonym, `other`, for a word of the choice.
    pub const fn synonym(mut self, other: &'static str, word: &'static str) -> Self {
        self.key.synonym = Some([other, word]);
        self
    }

    /// Sets the setter of a decimal number.
    pub const fn decimal(mut self, destination: fn(&mut T, f64)) -> Self {
        self.destination = Destination::Decimal(destination);
        self
    }

    /// Sets the setter of a whole number.
    pub const fn integer(mut self, destination: fn(&mut T, i64)) -> Self {
        self.destination = Destination::Whole(destination);
        self
    }

    /// Sets the setter of a span.
    pub const fn span(mut self, destination: fn(&mut T, [f64; 2])) -> Self {
        self.destination = Destination::Span(destination);
        self
    }

    /// Sets the setter of a word.
    pub const fn word(mut self, destination: fn(&mut T, &str)) -> Self {
        self.destination = Destination::Word(destination);
        self
    }

    /// Sets the setter of a switch.
    pub const fn switch(mut self, destination: fn(&mut T, bool)) -> Self {
        self.destination = Destination::Switch(destination);
        self
    }
}

/// The properties of a key. A key has several rows if its bounds or its default depend on another key.
#[derive(Debug)]
pub struct Key {
    /// The dotted key. `*` stands for any name and `[*]` for any index, as in `world.solid[*].circle.radius`.
    pub path: &'static str,
    /// The type of its value, with the bounds.
    pub kind: Kind,
    /// The unit of the number; empty for a plain number.
    pub unit: &'static str,
    /// The value of a preset that leaves the key out.
    pub default: DefaultValue,
    /// One line that explains the key.
    pub doc: &'static str,
    /// The cost of a change during a run.
    pub cost: Cost,
    /// The condition under which the key has a meaning; `None`: the key always has a meaning.
    pub needs: Option<KeyCondition>,
    /// The control in the panel; `None`: the panel does not show the key.
    pub control: Option<Control>,
    /// A synonym that a preset may use for a word of the choice, and that word.
    pub synonym: Option<[&'static str; 2]>,
}

/// The type of a value, with the bounds of its numbers, inclusive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// A decimal number between two bounds.
    Decimal(f64, f64),
    /// A whole number between two bounds.
    Whole(i64, i64),
    /// A list of decimal numbers between two bounds.
    Decimals(f64, f64, ListForm),
    /// A list of whole numbers between two bounds.
    Wholes(i64, i64, ListForm),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// `true` or `false`.
    Switch,
    /// Any text, such as a name or a path.
    Text,
}

/// The form of a list of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ListForm {
    /// Any count of numbers.
    Numbers,
    /// Two numbers.
    Pair,
    /// Three numbers: a place in a deep world.
    Triple,
    /// Two numbers, or three in a deep world: a place, a vector or extents.
    Place,
    /// A list of places.
    Places,
    /// A place, or a list of places.
    PlaceOrPlaces,
    /// A number, or two numbers in ascending order.
    Span,
}

/// A value as the panel shows it and `--set` takes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// A number, in the unit of the key.
    Number(f64),
    /// A word of a choice.
    Word(&'static str),
    /// Whether a switch is on.
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
    /// This value.
    Value(Value),
    /// Two numbers of a list.
    Interval(f64, f64),
    /// No single value. The text describes the default.
    Otherwise(&'static str),
}

/// The cost of a changed value during a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cost {
    /// The next steps use the new value.
    Nothing,
    /// The engine keeps the swarm and prepares its passes again.
    Passes,
    /// The value acts at the start only, so the swarm starts again.
    Restart,
}

/// A condition on another key, the decider: the key has a meaning only if the decider has one of these values.
#[derive(Debug, Clone, Copy)]
pub struct KeyCondition {
    /// The path of the other key.
    pub decider: &'static str,
    /// The values of the other key under which the key has a meaning.
    pub words: &'static [&'static str],
    /// The advice for a preset in which the condition does not hold.
    pub cure: &'static str,
}

/// A section of the panel that shows keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// The start of boids.
    Start,
    /// The weights and numbers of rules.
    Rules,
    /// The reach and shape of the rules' neighbourhoods.
    Sight,
    /// The movement of boids.
    Movement,
    /// Extents, edges and solids.
    World,
    /// The lives of individuals.
    Lives,
    /// The food of individuals.
    Food,
    /// Several species in one world.
    Species,
    /// The hunters.
    Hunt,
    /// The drawing of pictures.
    Look,
}

/// The control of a key in the panel.
#[derive(Debug, Clone, Copy)]
pub struct Control {
    /// The section that shows the control.
    pub section: Section,
    /// The label of the control; empty: the name that the `*` of the key stands for.
    pub label: &'static str,
    /// The values that the control offers.
    pub range: Range,
}

/// The values that a control offers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Range {
    /// All values that the key allows.
    All,
    /// A slider between these numbers.
    Linear(f64, f64),
    /// A slider over orders of magnitude.
    Logarithmic(f64, f64),
    /// These words.
    Words(&'static [&'static str]),
}

impl Key {
    /// The word of the choice for a written word, which may be a synonym.
    pub fn word_of<'a>(&self, written: &'a str) -> &'a str {
        match self.synonym {
            Some([other, word]) if written == other => word,
            _ => written,
        }
    }

    /// Whether the row describes the key `key`.
    pub fn matches(&self, key: &str) -> bool {
        let (mut own, mut parts) = (self.path.split('.'), key.split('.'));
        loop {
            match (own.next(), parts.next()) {
                (None, None) => return true,
                (Some(pattern), Some(part)) if is_part(pattern, part) => {}
                _ => return false,
            }
        }
    }

    /// Whether the row describes `key`, or a key inside the table or list `key`.
    pub fn lies_in(&self, key: &str) -> bool {
        let mut own = self.path.split('.');
        key.split('.').all(|part| own.next().is_some_and(|pattern| is_part(pattern, part)))
    }

    /// The number of parts in the key.
    pub fn depth(&self) -> usize {
        self.path.split('.').count()
    }

    /// The part of the key at this depth: a name, a name with `[*]`, or `*`.
    pub fn part(&self, depth: usize) -> Option<&'static str> {
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
            DefaultValue::Interval(low, high) => format!("left out: [{low}, {high}]"),
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
pub fn is_part(pattern: &str, part: &str) -> bool {
    // The elements of a list share its row.
    let name = part.find('[').map_or(part, |bracket| &part[..bracket]);
    pattern == "*" || name == pattern.strip_suffix("[*]").unwrap_or(pattern)
}

/// The names that tables of keys import.
pub mod rows {
    /// The advice if a preset of individuals has a key of the cells.
    pub const CELLS_ONLY: &str = "remove it; only the cell system has it";
    /// The advice if a preset of cells has a key of individuals.
    pub const INDIVIDUALS_ONLY: &str = "remove it; only individuals have it";

    pub use super::Cost::{self, *};
    pub use super::DefaultValue::{self, *};
    pub use super::Kind::{self, *};
    pub use super::ListForm::*;
    pub use super::Range::*;
    pub use super::{Row, Section, number, switch, word};
}

/// A plain number as a default.
pub const fn number(number: f64) -> DefaultValue {
    DefaultValue::Value(Value::Number(number))
}

/// A word as a default.
pub const fn word(word: &'static str) -> DefaultValue {
    DefaultValue::Value(Value::Word(word))
}

/// A switch as a default.
pub const fn switch(is_on: bool) -> DefaultValue {
    DefaultValue::Value(Value::Switch(is_on))
}

/// The keys of a document that each table of a list may also have, such as a species. A table's own key replaces the
/// document's key for this table.
#[derive(Debug, Clone, Copy)]
pub struct OwnKeys {
    /// The key of the list.
    pub list: &'static str,
    /// The keys that the tables may have. A key that ends in `.` stands for all keys of a table.
    pub keys: &'static [&'static str],
}

impl OwnKeys {
    /// Whether a table of the list may have the key of a row.
    pub fn includes(&self, row: &Key) -> bool {
        self.keys.iter().any(|own| row.path == *own || own.ends_with('.') && row.path.starts_with(own))
    }
}

/// All keys of a document, in the order of the documentation.
#[derive(Debug)]
pub struct KeyTable {
    rows: Vec<&'static Key>,
    /// The keys that tables of a list may have as their own.
    pub own: OwnKeys,
}

impl Deref for KeyTable {
    type Target = [&'static Key];

    fn deref(&self) -> &Self::Target {
        &self.rows
    }
}

impl KeyTable {
    /// A table without keys. The tables of a list may have the keys `own` as their own.
    pub fn new(own: OwnKeys) -> Self {
        Self { rows: Vec::new(), own }
    }

    /// Appends the keys of a subject. A key that is already present without a condition is not added again.
    #[must_use]
    pub fn with<T>(mut self, rows: &'static [Row<T>]) -> Self {
        let is_new = |key: &&Key| !self.iter().any(|own| own.path == key.path && own.needs.is_none());
        let new: Vec<&'static Key> = rows.iter().map(|row| &row.key).filter(is_new).collect();
        self.rows.extend(new);
        self
    }

    /// The key of the whole document that a table's own key replaces: `lives.few` for `species[1].lives.few`. Any other
    /// key is returned unchanged.
    fn base_of<'a>(&self, key: &'a str) -> &'a str {
        let own = key.strip_prefix(self.own.list).and_then(|rest| Some(rest.split_once('.')?.1));
        own.filter(|own| self.iter().any(|row| self.own.includes(row) && row.lies_in(own))).unwrap_or(key)
    }

    /// The rows of a key.
    pub fn rows(&self, key: &str) -> impl Iterator<Item = &'static Key> {
        let key = self.base_of(key).to_owned();
        self.iter().copied().filter(move |row| row.matches(&key))
    }

    /// The cost of a change of a key. For a table, the highest cost of its keys.
    pub fn cost(&self, key: &str) -> Cost {
        let key = self.base_of(key);
        self.iter().filter(|row| row.lies_in(key)).map(|row| row.cost).max().unwrap_or(Cost::Nothing)
    }

    /// The keys whose meaning depends on the value of the key `decider`.
    pub fn dependents(&self, decider: &str) -> impl Iterator<Item = &'static str> {
        self.iter().filter(move |row| row.needs.is_some_and(|needs| needs.decider == decider)).map(|row| row.path)
    }
}
