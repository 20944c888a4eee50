//! The keys of food.

use super::{FoodRules, MAX_FOOD};
use crate::keys::rows::*;
use crate::lives::FULL;
use crate::numbers::{ONE, fixed};
use crate::world::MAX_PLACE_EXTENT;

const MAX_CELLS: i64 = MAX_PLACE_EXTENT as i64;
/// The number of steps for which a preset gives the growth of food.
const RATE: f64 = 1000.0;
/// The words for the pattern in which food grows.
const FOOD: &[&str] = &["even", "patches"];

/// Converts growth from meals in 1000 steps to parts of [`FULL`] in a step. Growth above 0 stays above 0.
fn rate(meals: f64) -> i32 {
    if meals > 0.0 { ((meals * f64::from(FULL) / RATE).round() as i32).max(1) } else { 0 }
}

/// The numbers of food in a preset.
#[derive(Debug, Clone, Copy, Default)]
pub struct FoodNumbers {
    pub rules: FoodRules,
    /// The most food in a cell of food, in parts of [`FULL`].
    pub most: u32,
    /// The food at the start, in thousandths of the most.
    pub start: u32,
    /// The size of a cell of food, in cells of the world.
    pub cell: u32,
    /// The number of patches, and the radius of each in cells of the world.
    pub patches: i64,
    pub radius: u32,
}

const fn of_food(
    path: &'static str,
    kind: Kind,
    unit: &'static str,
    default: DefaultValue,
    cost: Cost,
) -> Row<FoodNumbers> {
    Row::new(path, kind, unit, default, cost).needs(
        "food.pattern",
        FOOD,
        "say food.pattern, as in pattern = \"patches\"",
    )
}

/// The keys of food.
#[rustfmt::skip]
pub const KEYS: &[Row<FoodNumbers>] = &[
    Row::new("food.pattern", Choice(FOOD), "", Otherwise("there is no food"), Restart)
        .doc("individuals with lives have food: everywhere, or in patches")
        .needs("model", &["agents"], INDIVIDUALS_ONLY),
    of_food("food.most", Decimal(0.001, 256.0), "meals", number(1.0), Passes)
        .doc("the most that grows in a cell of food, of patches in their middles; a meal stills the greatest hunger")
        .control(Section::Food, "most", Logarithmic(0.01, 100.0))
        .decimal(|food, meals| food.most = fixed(meals, FULL).clamp(1, MAX_FOOD.into()) as u32),
    of_food("food.growth", Decimal(0.0, 1000.0), "meals in 1000 steps", number(1.0), Nothing)
        .doc("what grows in a cell of food that has less than its most")
        .control(Section::Food, "growth", Logarithmic(0.01, 100.0))
        .decimal(|food, meals| food.rules.growth = rate(meals)),
    of_food("food.bite", Decimal(0.0001, 1.0), "meals", number(0.02), Nothing)
        .doc("the most that one eats in a step, and the least hunger with which it does")
        .control(Section::Food, "bite", Logarithmic(0.001, 0.5))
        .decimal(|food, meals| food.rules.bite = (fixed(meals, FULL) as i32).max(1)),
    of_food("food.forage", Decimal(0.0, 2.0), "cells/step²", number(0.02), Nothing)
        .doc("how strongly food in the cells around draws the hungriest")
        .control(Section::Food, "forage", Linear(0.0, 0.2))
        .decimal(|food, force| food.rules.forage = fixed(force, ONE) as i32),
    of_food("food.start", Decimal(0.0, 1.0), "", number(1.0), Restart)
        .doc("the part of the most that is there at the start")
        .decimal(|food, part| food.start = fixed(part, 1000) as u32),
    of_food("food.cell", Whole(1, 64), "cells", number(4.0), Restart)
        .doc("the size of a cell of food; food is seen in the cells around one's own")
        .integer(|food, cells| food.cell = cells as u32),
    Row::new("food.patches", Whole(1, 1024), "", number(12.0), Restart)
        .doc("how many patches there are, at places by chance")
        .needs("food.pattern", &["patches"], "remove it, or say pattern = \"patches\"")
        .integer(|food, count| food.patches = count),
    Row::new("food.radius", Whole(1, MAX_CELLS), "cells", number(24.0), Restart).doc("the radius of a patch")
        .needs("food.pattern", &["patches"], "remove it, or say pattern = \"patches\"")
        .integer(|food, cells| food.radius = cells as u32),
];

/// The key of food that each species has.
#[rustfmt::skip]
pub const GRAZING: &[Row<()>] = &[
    Row::new("species[*].grazes", Switch, "", switch(true), Nothing)
        .doc("whether its individuals eat what grows, where there is food")
        .needs("food.pattern", FOOD, "say food.pattern, as in pattern = \"patches\""),
];
