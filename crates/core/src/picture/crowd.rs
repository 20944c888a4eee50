//! Finds the distance of the boids under a pixel, for a deep world.

use crate::look::projection::Projection;
use crate::numbers::{BOID, Vector3};
use crate::state::State;
use crate::world::{Edges, Extents};

/// The distance between two places on a line of sight, in cells.
const APART: f32 = 0.7;
/// The min number of boids along a line of sight that count as a crowd.
const CROWD: f32 = 2.0;

/// The distance from the eye to the boids at a pixel, minus the distance from the eye to the target, in cells. `None`:
/// there are too few boids.
pub fn crowd_at(state: &State, projection: &Projection, pixel: [f32; 2]) -> Option<f32> {
    let line = line_of_sight(state.extents, projection, pixel);
    crowd_along(line.into_iter().map(|(ahead, cell)| (ahead, boids_around(state, cell))))
}

/// Places along the line of sight of a pixel, in the world and around it. For each place: its distance from the eye
/// minus the target's distance, in cells, and the cell at the place.
pub fn line_of_sight(extents: Extents, projection: &Projection, pixel: [f32; 2]) -> Vec<(f32, Vector3)> {
    let [width, height, slices] = extents.along_axes().map(|extent| extent as f32);
    let reach = (width * width + height * height + slices * slices).sqrt();
    let aheads = (0..(2.0 * reach / APART) as usize).map(|step| step as f32 * APART - reach);
    let places = aheads.filter_map(|ahead| Some((ahead, projection.place_at(pixel, ahead)?)));
    places.map(|(ahead, place)| (ahead, place.map(|axis| axis.floor() as i32))).collect()
}

/// The distance up to which a line of sight has half of its boids, as in [`line_of_sight`]. `line`: the distance of
/// each place, and the number of boids around the place. `None`: the line has too few boids.
pub fn crowd_along(line: impl Iterator<Item = (f32, f32)>) -> Option<f32> {
    let boids: Vec<(f32, f32)> = line.filter(|(_, boids)| *boids > 0.0).collect();
    let half = 0.5 * boids.iter().map(|(_, boids)| boids).sum::<f32>();
    let mut nearer = 0.0;
    let found = boids.into_iter().find(|(_, boids)| {
        nearer += boids;
        nearer >= half
    });
    found.filter(|_| 2.0 * half >= CROWD).map(|(ahead, _)| ahead)
}

/// The number of boids in a cell and its 26 neighbours.
fn boids_around(state: &State, [x, y, z]: Vector3) -> f32 {
    let mut quanta = 0;
    for [right, down, back] in (0..27).map(|index| [index % 3 - 1, index / 3 % 3 - 1, index / 9 - 1]) {
        let index = state.extents.deep_index([x + right, y + down, z + back], Edges::Walls);
        quanta += index.map_or(0, |index| u64::from(state.layers[0].density[index]));
    }
    quanta as f32 / BOID as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Extents;

    #[test]
    fn the_crowd_is_where_the_boids_under_the_pixel_are() {
        let extents = Extents::deep(40, 30, 20);
        let mut state = State::empty(extents);
        for place in [[9, 8, 15], [31, 20, 4]] {
            state.layers[0].density[extents.deep_index(place, Edges::Walls).unwrap()] = 9 * BOID;
        }
        let projection = Projection::first(extents, [640, 400]);
        for place in [[9.5, 8.5, 15.5], [31.5, 20.5, 4.5]] {
            let (pixel, _) = projection.pixel_at(place).unwrap();
            let ahead = crowd_at(&state, &projection, pixel).unwrap();
            let found = projection.place_at(pixel, ahead).unwrap();
            assert!((0..3).all(|axis| (found[axis] - place[axis]).abs() < 1.5), "{found:?} is not {place:?}");
        }
        assert_eq!(crowd_at(&state, &projection, [3.0, 3.0]), None);
    }
}
