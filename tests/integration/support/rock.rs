//! Worlds with rock for the tests of rays and movements, with individuals in crevices.

use crate::support::individuals::*;
use crate::support::random::Random;
use murmuration_core::measures::rock::RockMeasures;
use murmuration_core::numbers::Vector3;
use murmuration_core::state::Individuals;
use murmuration_core::terrain::Habitat;
use murmuration_core::terrain::rays::{RayNumbers, Rays};
use murmuration_core::world::{Edges, ScalarField, Space};
use std::sync::Arc;

/// A field with rock in the given cells.
pub fn field(space: &Space, rock: Vec<bool>) -> Option<Arc<ScalarField>> {
    let values = rock.into_iter().map(|rock| if rock { 1000 } else { -1000 }).collect();
    Some(Arc::new(ScalarField { extents: space.deep_extents(), values }))
}

/// Random balls of rock, and a plane of rock with a hole.
pub fn rock(space: &Space, random: &mut Random) -> Option<Arc<ScalarField>> {
    let [width, height, depth] = space.extents.map(|extent| extent as i32);
    let smallest = if space.axes() == 2 { width.min(height) } else { width.min(height).min(depth) };
    let balls: Vec<(Vector3, i32)> = (0..7)
        .map(|_| {
            let centre = space.extents.map(|extent| random.below(extent.into()) as i32);
            (centre, 1 + random.below(smallest as u64 / 4) as i32)
        })
        .collect();
    let plane = 2 + random.below(width as u64 - 4) as i32;
    let is_rock = |[x, y, z]: Vector3| {
        let is_in = |(centre, radius): &(Vector3, i32)| {
            let away = [x - centre[0], y - centre[1], z - centre[2]];
            away.iter().map(|n| n * n).sum::<i32>() <= radius * radius
        };
        balls.iter().any(is_in) || x == plane && (y - height / 2).abs() > 2
    };
    let cells = (0..depth).flat_map(|z| (0..height).flat_map(move |y| (0..width).map(move |x| [x, y, z])));
    field(space, cells.map(is_rock).collect())
}

pub fn numbers(random: &mut Random) -> RayNumbers {
    let least = [0, 0, 1 << 28][random.below(3) as usize];
    let (view, growth) = (1 << 30, random.below(2048) as i32);
    let (count, clearance) = (20 + random.below(100) as u32, 2 + random.below(10) as i32);
    RayNumbers { count, view, least, reach: (3 + random.below(10) as i32) << 8, clearance, growth }
}

pub fn habitat(space: Space, random: &mut Random) -> Habitat {
    let (rock, numbers) = (rock(&space, random), numbers(random));
    Habitat::new(space, Vec::new()).with_obstacles(rock, Some(Arc::new(Rays::new(numbers, space.axes()))))
}

/// Individuals in corners of free cells. Cells next to rock come first.
pub fn in_crevices(habitat: &Habitat, count: usize, fastest: i32, random: &mut Random) -> Individuals {
    let extents = habitat.space.deep_extents();
    let mut cells: Vec<(u8, usize)> =
        habitat.gaps.iter().enumerate().filter(|(_, gap)| **gap > 0).map(|(cell, gap)| (*gap, cell)).collect();
    cells.sort_unstable();
    let mut individuals = Individuals::default();
    for number in 0..count {
        let cell = extents.cell(cells[number % cells.len().min(count)].1);
        let is_deep = [true, true, habitat.space.axes() == 3];
        let place = [0, 1, 2]
            .map(|axis| if is_deep[axis] { (cell[axis] << 16) + [0, 1, 0xffff][random.below(3) as usize] } else { 0 });
        let velocity =
            is_deep.map(|is_deep| if is_deep { random.below(2 * fastest as u64 + 1) as i32 - fastest } else { 0 });
        individuals.push(number as u32, place, velocity);
    }
    // Components at their bounds exceed the maximum speed.
    individuals.slow_down(fastest);
    individuals
}

pub fn in_rock(habitat: &Habitat, individuals: &Individuals) -> u64 {
    RockMeasures::new(habitat, individuals).unwrap().in_rock
}

pub fn spaces() -> impl Iterator<Item = Space> {
    [[37, 29, 1], [23, 19, 17]]
        .into_iter()
        .flat_map(|extents| [Edges::Torus, Edges::Walls].map(|edges| Space { extents, edges }))
}

pub fn around() -> Surroundings {
    Surroundings { hunter_count: 0, ..surroundings(0, 0) }
}
