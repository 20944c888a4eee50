//! The numbers of food, and the lattice on which it grows.

use crate::error::BadInput;
use crate::food::{FoodLattice, FoodRules, MOST_FOOD, Patch};
use crate::individuals::Space;
use crate::lives::FULL;
use crate::numbers::ONE;
use crate::preset::source::Source;
use crate::random::generator;
use crate::world::World;

/// The key that says whether there is food.
const PATTERN: &str = "food.pattern";
/// Steps that the rate of a preset is for.
const RATE: f64 = 1000.0;
/// The purpose for which the places of patches are drawn (see [`crate::random::generator`]).
const PURPOSE: u64 = 5;

/// The rules of food; all 0 where there is none. `has_lives`: whether individuals have lives.
pub(super) fn rules(source: &Source, has_lives: bool) -> Result<FoodRules, BadInput> {
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
    let full = f64::from(FULL);
    let growth = source.decimal("food.growth")?;
    Ok(FoodRules {
        bite: ((source.decimal("food.bite")? * full).round() as i32).max(1),
        // A rate above 0 changes something.
        growth: if growth > 0.0 { ((growth * full / RATE).round() as i32).max(1) } else { 0 },
        forage: (source.decimal("food.forage")? * f64::from(ONE)).round() as i32,
    })
}

/// The lattice of a preset with this seed; `None`: there is no food.
pub(super) fn lattice(
    source: &Source,
    seed: u64,
    space: Space,
    world: &World,
) -> Result<Option<FoodLattice>, BadInput> {
    let Some(pattern) = source.word(PATTERN) else { return Ok(None) };
    if world.window.is_some() {
        let cure = "remove [food], or say edges = \"torus\" or \"walls\"";
        return Err(source.wrong("food", "grows in worlds with edges only, and this one is endless", cure));
    }
    let most = (source.decimal("food.most")? * f64::from(FULL)).round().clamp(1.0, f64::from(MOST_FOOD)) as u32;
    let size = source.whole("food.cell")? as u32;
    source.decimal("food.start")?;
    let mut random = generator(seed, PURPOSE);
    let patches = match pattern {
        "patches" => {
            let radius = source.whole("food.radius")? as u32;
            let mut patch =
                |_| Patch { middle: space.extents.map(|extent| random.below(extent.into()) as i32), radius };
            (0..source.whole("food.patches")?).map(&mut patch).collect()
        }
        _ => Vec::new(),
    };
    let rock = world.rock.as_ref().map(|field| field.rock()).unwrap_or_default();
    let columns = world.extents.cells();
    let is_rock = |[x, y, z]: [u32; 3]| {
        let index = ((z * space.extents[1] + y) * space.extents[0] + x) as usize;
        rock.get(index) == Some(&true) || world.solids.get(index % columns) == Some(&true)
    };
    Ok(Some(FoodLattice::new(space, size, most, &patches, is_rock)))
}
