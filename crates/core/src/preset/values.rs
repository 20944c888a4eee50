//! The values of a preset's keys for the controls of the panel.

use super::Preset;
use super::check::are_met_by;
use super::keys::KEYS;
use crate::keys::{Control, DefaultValue, Key, Kind, Range, Value};
use crate::world::{HunterKind, Mood};
use std::collections::BTreeMap;

impl Preset {
    /// The value of a key such as `sight.cohesion.disc`, in TOML; `None`: the preset does not give the key. The value
    /// is a number or a list of numbers.
    pub fn text_of(&self, key: &str) -> Option<String> {
        let value = self.keys.item(key).filter(|_| self.keys.is_in_use(key))?.as_value()?;
        Some(value.clone().decorated("", "").to_string())
    }

    /// The value of every key that has a control in the panel and an effect in this preset. `weights`: the weights
    /// (Q10) of the chain of cells, by name.
    pub fn values(&self, weights: &[(String, i32)]) -> BTreeMap<String, Value> {
        let mut values = BTreeMap::new();
        for row in KEYS.iter().filter(|row| self.keys.applies(row)) {
            let Some(control) = &row.control else { continue };
            for key in self.expand(row) {
                if self.is_shown(&key)
                    && let Some(value) = self.value(row, control, &key)
                {
                    values.insert(key, value);
                }
            }
        }
        values.insert("look.colour".into(), Value::Word(self.look.colour.name()));
        if self.individuals.is_none() {
            values.insert("look.style".into(), Value::Word(self.look.style.name()));
        }
        if let Some(depth) = self.depth() {
            values.insert("agents.depth".into(), Value::Number(depth.into()));
        }
        let of_cells =
            weights.iter().filter(|(name, _)| name != "control").map(|(name, weight)| (name, decimal(*weight)));
        let is_of_use = |name: &String| name != "hunter" || !self.world.hunters.is_empty();
        let of_individuals =
            self.individuals.iter().flat_map(|model| &model.weights).filter(|(name, _)| is_of_use(name));
        let of_cells = of_cells.filter(|_| self.individuals.is_none());
        for (name, weight) in of_cells.chain(of_individuals.map(|(name, weight)| (name, *weight))) {
            values.insert(format!("weights.{name}"), Value::Number(weight));
        }
        self.add_hunters(&mut values);
        values
    }

    /// Adds the numbers of the hunters. They come from the checked world, because defaults depend on the kind of a
    /// hunter.
    fn add_hunters(&self, values: &mut BTreeMap<String, Value>) {
        for (table, hunter) in self.keys.tables("hunter").into_iter().zip(&self.world.hunters) {
            let mut add = |name: &str, value| {
                values.insert(format!("{table}.{name}"), value);
            };
            let mut add_number = |name: &str, number: f64| add(name, Value::Number(number));
            match &hunter.kind {
                HunterKind::Player => continue,
                HunterKind::Path { speed, .. } if self.keys.is_in_use(&format!("{table}.path")) => {
                    add_number("speed", decimal(*speed as i32));
                }
                HunterKind::Path { .. } => {}
                HunterKind::Falcon(flight) => {
                    let speeds = [("speed", flight.speed), ("peak", flight.peak), ("turn", flight.turn)];
                    speeds.into_iter().for_each(|(name, speed)| add_number(name, decimal(speed)));
                    let cells = [("sight", flight.sight), ("distance", flight.distance), ("rest", flight.rest)];
                    cells.into_iter().for_each(|(name, cells)| add_number(name, cells.into()));
                }
            }
            add_number("reach", hunter.reach.into());
            add_number("jaws", hunter.jaws.into());
            add("mood", Value::Word(if hunter.mood == Mood::Flee { "flee" } else { "follow" }));
        }
    }

    /// The keys that a row of the table of keys stands for. A row with `*` for sights has a key for each sight in use.
    /// Rows of hunters and weights have none, because [`Self::values`] adds them in another way.
    fn expand(&self, row: &Key) -> Vec<String> {
        match row.path.split_once('*') {
            _ if row.path.starts_with("hunter[*]") => Vec::new(),
            _ if row.path.starts_with("species[*].meets.*.") => self.expand_meetings(row),
            None => vec![row.path.to_owned()],
            Some((_, "")) => Vec::new(),
            Some(_) => {
                let is_used = |name: &&str| match &self.individuals {
                    Some(model) => model.weights.contains_key(*name) || are_met_by(&self.keys, name),
                    None => true,
                };
                let names = self.keys.names("sight").into_iter().filter(is_used);
                names.map(|name| row.path.replace('*', name)).filter(|key| self.keys.is_in_use(key)).collect()
            }
        }
    }

    /// The keys of a row of meetings between species: one for each meeting in which the key has an effect.
    fn expand_meetings(&self, row: &Key) -> Vec<String> {
        let name = row.path.rsplit('.').next().unwrap_or_default();
        let tables = (0..self.keys.length("species")).map(|index| format!("species[{index}].meets"));
        let meetings = tables.flat_map(|table| {
            let names = self.keys.names(&table);
            names.into_iter().map(|name| format!("{table}.{name}")).collect::<Vec<_>>()
        });
        let is_meant = |meeting: &String| match name {
            "weight" => !matches!(self.keys.word(&format!("{meeting}.kind")), None | Some("ignore")),
            "jaws" | "meal" => self.keys.item(&format!("{meeting}.jaws")).is_some(),
            _ => true,
        };
        meetings.filter(is_meant).map(|meeting| format!("{meeting}.{name}")).collect()
    }

    /// The names of the species, in the order of the preset's text.
    pub fn species_names(&self) -> Vec<String> {
        let name = |index: usize| self.keys.text(&format!("species[{index}].name")).unwrap_or_default().to_owned();
        (0..self.keys.length("species")).map(name).collect()
    }

    /// Whether a key has an effect together with the other keys of its table. Otherwise the panel hides it.
    fn is_shown(&self, key: &str) -> bool {
        match key {
            "start.count" => !self.keys.is_in_use("start.at"),
            "look.axis" | "look.layer" => self.world.extents.depth.is_some(),
            _ if key.starts_with("world.terrain.") => self.world.rock.is_some(),
            _ => true,
        }
    }

    /// The value of a key, or its default. `None`: the control of the panel cannot show the value.
    fn value(&self, row: &Key, control: &Control, key: &str) -> Option<Value> {
        let item = self.keys.item(key);
        let number = item.and_then(|item| item.as_float().or(item.as_integer().map(|number| number as f64)));
        let word = |word: &str, words: &[&'static str]| {
            words.iter().find(|known| **known == word).map(|word| Value::Word(word))
        };
        let words = match (row.kind, control.range) {
            (_, Range::Words(words)) | (Kind::Choice(words), _) => words,
            _ => &[],
        };
        match (item, row.default) {
            (Some(item), _) => match (item.as_str(), item.as_bool(), number) {
                (Some(text), ..) => word(text, words),
                (_, Some(on), _) => Some(Value::Switch(on)),
                (.., Some(number)) if !words.is_empty() => word(&number.to_string(), words),
                (.., number) => number.map(Value::Number),
            },
            (None, DefaultValue::Value(Value::Word(default))) => word(default, words),
            (None, DefaultValue::Value(value)) => Some(value),
            (None, _) => None,
        }
    }
}

/// The shortest decimal number that rounds to a weight in Q10.
fn decimal(weight: i32) -> f64 {
    let exact = f64::from(weight) / 1024.0;
    let decimals = [1.0, 1e1, 1e2, 1e3, 1e4].map(|tens| (exact * tens).round() / tens);
    decimals.into_iter().find(|decimal| (decimal * 1024.0).round() == f64::from(weight)).unwrap_or(exact)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::{Overrides, keys};
    use crate::testing::host;

    /// If a shown value is set again, the preset must not change.
    #[test]
    fn every_value_can_be_set_as_it_is_shown() {
        for name in host().library().preset_names() {
            let size = Some((96, 64));
            let preset = Preset::load(host(), name, &Overrides { size, ..Overrides::default() }).unwrap();
            let shown = preset.values(&[("cohesion".into(), 512)]);
            for (key, value) in &shown {
                let again = preset.with(&format!("{key}={value}"));
                let again = again.unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
                assert_eq!(again.values(&[("cohesion".into(), 512)]).get(key), Some(value), "{name}: {key}");
                assert_eq!((&again.world, &again.look), (&preset.world, &preset.look), "{name}: {key}");
                assert!(keys::KEYS.rows(key).count() > 0, "{name}: {key}");
            }
        }
    }
}
