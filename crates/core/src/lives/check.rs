//! Reads the numbers of lives (`lives.…`) from a preset.

use super::LifeRules;
use super::keys::{KEYS, word_of_lives};
use crate::error::BadInput;
use crate::source::Source;

/// Reads the rules of lives from the section `lives` of a preset. `None`: the preset has no such section, and its
/// individuals have no lives. `seed`: the seed of the preset. It applies unless `lives.seed` is given.
pub(crate) fn rules(source: &Source, seed: u64) -> Result<Option<LifeRules>, BadInput> {
    if source.word("lives.rebirth").is_none() {
        return match source.item("lives") {
            None => Ok(None),
            Some(_) => Err(source.wrong(
                "lives",
                "does not say what becomes of those that have perished",
                "add rebirth = \"starved\", or \"none\"",
            )),
        };
    }
    let mut rules = LifeRules { seed: word_of_lives(seed), ..LifeRules::still() };
    source.read(KEYS, &mut rules)?;
    rules.slope = LifeRules::slope_of(rules.sad);
    if rules.few > rules.many {
        return Err(source.wrong("lives.few", "is above lives.many", "lower it, or raise lives.many"));
    }
    Ok(Some(rules))
}
