//! All keys of a preset, in the order of `presets/reference.toml`.

use crate::cells::{numbers, sight};
use crate::falcons;
use crate::individuals;
use crate::keys::KeyTable;
use crate::keys::rows::*;
use crate::lives;
use crate::noise;
use crate::species;
use crate::terrain;
use crate::world;
use std::sync::LazyLock;

pub use crate::keys::{Control, Cost, Key, Kind, Range, Section, Value};
pub use crate::source::normalized;

/// The keys that belong to the preset as a whole.
#[rustfmt::skip]
const OWN: &[Row<()>] = &[
    Row::new("description", Text, "", Needed, Nothing).doc("one line that says what there is to see"),
    Row::new("model", Choice(&["cell", "agents"]), "", word("cell"), Restart)
        .synonym("individuals", "agents").doc("an amount in every cell, or individuals"),
    Row::new("chain", Text, "", Otherwise("the model's own"), Restart)
        .doc("a chain by name, or by path beside this file"),
    Row::new("seed", Whole(0, i64::MAX), "", number(1.0), Restart).doc("the seed of all that is random"),
];

/// All keys of presets.
pub static KEYS: LazyLock<KeyTable> = LazyLock::new(|| {
    let before_features = KeyTable::new(species::keys::OWN_KEYS)
        .with(OWN)
        .with(world::keys::KEYS)
        .with(terrain::keys::KEYS)
        .with(super::start::keys::KEYS)
        .with(numbers::PERCEPTION)
        .with(sight::keys::KEYS)
        .with(species::keys::KEYS)
        .with(species::keys::MEETING)
        .with(individuals::keys::MOVEMENT)
        .with(numbers::KEYS)
        .with(noise::keys::KEYS)
        .with(world::keys::HUNTER)
        .with(falcons::keys::KEYS)
        .with(world::keys::ROOST)
        .with(individuals::keys::KEYS)
        .with(terrain::keys::AVOIDANCE)
        .with(lives::keys::KEYS);
    let with_features = crate::FEATURES.iter().fold(before_features, |keys, row| (row.add_keys)(keys));
    with_features.with(crate::look::keys::KEYS)
});

/// The cost of changing a key during a run. For a table, it is the highest cost of its keys. `key` may contain spaces
/// and quotes.
pub fn cost(key: &str) -> Cost {
    KEYS.cost(&normalized(key).unwrap_or_else(|| key.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::DefaultValue;

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

    #[test]
    fn defaults_and_sliders_lie_within_the_bounds() {
        for row in KEYS.iter() {
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
                let decider = KEYS.rows(needs.decider).next().unwrap_or_else(|| panic!("{}: no decider", row.path));
                let Kind::Choice(words) = decider.kind else { panic!("{}: the decider is no choice", row.path) };
                assert!(needs.words.iter().all(|word| words.contains(word)), "{}", row.path);
            }
        }
    }
}
