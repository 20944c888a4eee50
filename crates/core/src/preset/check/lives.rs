//! The numbers of lives.

use crate::error::BadInput;
use crate::lives::LifeRules;
use crate::lives::numbers::{ALL, NOBODY, STARVED};
use crate::lives::{FULL, HAPPIEST, Trait};
use crate::numbers::ONE;
use crate::preset::source::Source;
use crate::random::word_of_seed;

/// One in a factor and in a part of a mood: Q10.
const FACTOR: f64 = 1024.0;
/// The purpose of the words that lives draw.
const PURPOSE: u32 = 0x11fe;
/// Steps that the rates of a preset are for.
const RATE: f64 = 1000.0;

/// The rules of lives; `None`: individuals have none. `seed`: that of the preset.
pub(super) fn rules(source: &Source, seed: u64) -> Result<Option<LifeRules>, BadInput> {
    let Some(rebirth) = source.word("lives.rebirth") else {
        return match source.item("lives") {
            None => Ok(None),
            Some(_) => Err(source.wrong(
                "lives",
                "does not say what becomes of those that have perished",
                "add rebirth = \"starved\", or \"none\"",
            )),
        };
    };
    let seed = if source.item("lives.seed").is_some() { source.whole("lives.seed")? as u64 } else { seed };
    let scaled = |key: &str, one: f64| Ok((source.decimal(&format!("lives.{key}"))? * one).round() as i32);
    // A rate above 0 changes something.
    let rate = |key: &str| {
        scaled(key, f64::from(FULL) / RATE)
            .and_then(|rate: i32| Ok(if source.decimal(&format!("lives.{key}"))? > 0.0 { rate.max(1) } else { 0 }))
    };
    let count = |key: &str| Ok::<_, BadInput>(source.whole(&format!("lives.{key}"))? as i32);
    let sad = scaled("sad", f64::from(HAPPIEST))?;
    let rules = LifeRules {
        seed: word_of_seed(seed, PURPOSE),
        rebirth: match rebirth {
            "all" => ALL,
            "starved" => STARVED,
            _ => NOBODY,
        },
        traits: traits(source)?,
        few: count("few")?,
        many: count("many")?,
        content: scaled("content", FACTOR)?,
        lonely: scaled("lonely", FACTOR)?,
        crowded: scaled("crowded", FACTOR)?,
        pressed: scaled("pressed", FACTOR)?,
        sulk: scaled("sulk", FACTOR)?,
        pace: scaled("pace", f64::from(HAPPIEST))?.max(1),
        hungry: scaled("hungry", f64::from(FULL))?,
        sad,
        slope: LifeRules::slope_of(sad),
        recovery: rate("recovery")?,
        starvation: rate("starvation")?,
        gloom: rate("gloom")?,
        heed: scaled("heed", FACTOR)?,
        slow: scaled("slow", FACTOR)?,
        frail: scaled("frail", f64::from(FULL))?,
        perishing: count("perishing")?,
        sink: scaled("sink", f64::from(ONE))?,
        mutation: scaled("mutation", f64::from(u8::MAX))?,
        by_health: i32::from(source.word("lives.parents") == Some("healthy")),
        effort: scaled("effort", 256.0)?,
    };
    if rules.few > rules.many {
        return Err(source.wrong("lives.few", "is above lives.many", "lower it, or raise lives.many"));
    }
    Ok(Some(rules))
}

/// The lower end and the size of the range of each trait.
fn traits(source: &Source) -> Result<[[i32; 2]; Trait::ALL.len()], BadInput> {
    let mut traits = [[0; 2]; Trait::ALL.len()];
    for (own, of) in traits.iter_mut().zip(Trait::ALL) {
        let (unit, usual) = match of {
            Trait::Speed | Trait::Force => (FACTOR, [0.7, 1.0]),
            Trait::Sight => (FACTOR, [0.8, 1.0]),
            Trait::Disposition => (FACTOR, [-0.3, 0.3]),
            Trait::Health => (f64::from(FULL), [0.6, 1.0]),
            Trait::Appetite => (f64::from(FULL) / RATE, [0.3, 0.6]),
        };
        let key = format!("lives.dna.{}", of.name());
        let [low, high] = match source.numbers(&key)?.as_slice() {
            [] => usual,
            [only] => [*only; 2],
            [low, high, ..] if low <= high => [*low, *high],
            _ => return Err(source.wrong(&key, "begins above its end", "say the lower number first")),
        };
        let [low, high] = [low, high].map(|value| (value * unit).round() as i32);
        *own = [low, high - low];
    }
    Ok(traits)
}
