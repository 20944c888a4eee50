//! Food in pictures of flat worlds.

use murmuration::observe::Picture;
use murmuration_core::food::{FOOD, FoodLattice};
use murmuration_core::individuals::feature::WorldFeatures;
use murmuration_core::picture::features::{MapView, add_features};
use murmuration_core::state::WorldColumns;
use murmuration_core::world::{Edges, Extents, Space};
use std::sync::Arc;

fn add_food(picture: &mut Picture, view: &MapView, extents: Extents, lattice: &FoodLattice, food: &[u32]) {
    let features = WorldFeatures(vec![Arc::new(lattice.clone())]);
    let columns = WorldColumns::default().with(&FOOD, food.to_vec());
    add_features(picture, view, (extents, lattice.edges), &features, &columns);
}

#[test]
fn food_lightens_where_it_lies_and_goes_around_a_torus() {
    let space = Space { extents: [16, 8, 1], edges: Edges::Torus };
    let lattice = FoodLattice::new(space, 4, 1000, &[], |_| false);
    let mut food = vec![0; 8];
    food[0] = 1000;
    let dark = Picture { width: 64, height: 32, bytes: vec![10; 3 * 64 * 32] };
    let mut picture = dark.clone();
    let extents = Extents::flat(16, 8);
    let whole = MapView::full(&picture, extents);
    add_food(&mut picture, &whole, extents, &lattice, &food);
    let green = |x: usize, y: usize| picture.bytes[3 * (64 * y + x) + 1];
    assert_eq!(green(8, 8), 10 + 43, "near the middle of the cell");
    assert_eq!(green(40, 24), 10);
    assert!(green(63, 8) > 10 && green(63, 8) < green(8, 8), "over the edge");
    let walls = FoodLattice::new(Space { edges: Edges::Walls, ..space }, 4, 1000, &[], |_| false);
    let mut picture = dark.clone();
    add_food(&mut picture, &whole, extents, &walls, &food);
    assert_eq!(picture.bytes[3 * (64 * 8 + 63) + 1], 10, "behind a wall");
    let mut bare = dark.clone();
    add_food(&mut bare, &whole, extents, &walls, &[0; 8]);
    assert_eq!(bare, dark);
    // The map shows twice the world, from a place before its edge. Beyond walls it is empty; a torus repeats.
    let part = MapView { origin: [8, 4], size: [32, 16], corner: [-8.0, -4.0], cells: [32.0, 16.0] };
    let seen = |lattice: &FoodLattice| {
        let mut picture = dark.clone();
        add_food(&mut picture, &part, extents, lattice, &food);
        picture
    };
    let green = |picture: &Picture, x: usize, y: usize| picture.bytes[3 * (64 * y + x) + 1];
    let (round, within) = (seen(&lattice), seen(&walls));
    let at = [[8 + 10, 4 + 6], [8 + 26, 4 + 6], [8 + 10, 4 + 14], [8 + 26, 4 + 14]];
    assert!(at.iter().all(|[x, y]| green(&round, *x, *y) > 40), "four copies");
    assert_eq!(at.map(|[x, y]| green(&within, x, y) > 40), [true, false, false, false]);
    assert_eq!(
        [green(&round, 7, 10), green(&round, 40, 10), green(&within, 13, 10)],
        [10; 3],
        "beside the part, and behind a wall"
    );
}
