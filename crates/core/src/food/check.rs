//! The numbers of food, and the lattice on which it grows.

use crate::error::BadInput;
use crate::food::keys::{FoodNumbers, KEYS};
use crate::food::{FoodLattice, FoodRules, Patch};
use crate::individuals::feature::FeatureSource;
use crate::numbers::random::generator;
use crate::source::Source;
use crate::source::conflicts::Conflict;

/// The key that says whether there is food.
const PATTERN: &str = "food.pattern";
/// The purpose for which the places of patches are drawn (see [`crate::numbers::random::generator`]).
const PURPOSE: u64 = 5;

/// The conflicts of food.
pub(super) const CONFLICTS: &[Conflict] = &[Conflict {
    key: "food",
    has: |preset| preset.is_endless && preset.source.word(PATTERN).is_some(),
    problem: "grows in worlds with edges only, and this one is endless",
    cure: "remove [food], or say edges = \"torus\" or \"walls\"",
}];

/// The rules of food; all 0 without food. `has_lives`: whether individuals have lives.
pub(crate) fn rules(source: &Source, has_lives: bool) -> Result<FoodRules, BadInput> {
    if source.word(PATTERN).is_none() {
        return match source.item("food") {
            None => Ok(FoodRules::default()),
            Some(_) => {
                Err(source.wrong("food", "does not say where it grows", "add pattern = \"even\", or \"patches\""))
            }
        };
    }
    if !has_lives {
        let cure = "add [lives] with rebirth = \"starved\", or remove [food]";
        return Err(source.wrong("food", "is eaten by individuals with lives, and there are none", cure));
    }
    Ok(numbers(source)?.rules)
}

/// The numbers of food in a preset.
pub(super) fn numbers(source: &Source) -> Result<FoodNumbers, BadInput> {
    let mut numbers = FoodNumbers::default();
    source.read(KEYS, &mut numbers)?;
    Ok(numbers)
}

/// The lattice of a preset; `None`: the preset has no food.
pub(super) fn lattice(of: &FeatureSource<'_>) -> Result<Option<FoodLattice>, BadInput> {
    let FeatureSource { source, seed, space, world } = *of;
    let Some(pattern) = source.word(PATTERN) else { return Ok(None) };
    let numbers = numbers(source)?;
    let mut random = generator(seed, PURPOSE);
    let mut patch =
        |_| Patch { middle: space.extents.map(|extent| random.below(extent.into()) as i32), radius: numbers.radius };
    let count = if pattern == "patches" { numbers.patches } else { 0 };
    let patches: Vec<Patch> = (0..count).map(&mut patch).collect();
    let rock = world.rock.as_ref().map(|field| field.rock()).unwrap_or_default();
    let columns = world.extents.cells();
    let is_rock = |[x, y, z]: [u32; 3]| {
        let index = ((z * space.extents[1] + y) * space.extents[0] + x) as usize;
        rock.get(index) == Some(&true) || world.solids.get(index % columns) == Some(&true)
    };
    Ok(Some(FoodLattice::new(space, numbers.cell, numbers.most, &patches, is_rock)))
}
