//! Draws features of a flat world, such as food, as light under the swarm. The light is added to finished pictures, so
//! that it is equal on all engines and devices.

use crate::individuals::feature::{WorldFeature, WorldFeatures};
use crate::parallel::*;
use crate::picture::Picture;
use crate::state::WorldColumns;
use crate::world::{Edges, Extents};

/// A part of a picture that shows a flat world from above, or a part of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MapView {
    /// The upper left pixel of the part.
    pub origin: [u32; 2],
    /// The width and height of the part, in pixels.
    pub size: [u32; 2],
    /// The place in the world at the upper left corner of the part, in cells.
    pub corner: [f32; 2],
    /// The number of cells that the part shows, along x and y.
    pub cells: [f32; 2],
}

impl MapView {
    /// The view if the picture shows the whole lattice.
    pub fn full(picture: &Picture, extents: Extents) -> Self {
        let cells = extents.as_cell().map(|extent| extent as f32);
        Self { origin: [0; 2], size: [picture.width, picture.height], corner: [0.0; 2], cells }
    }

    /// The place of the centre of a pixel along an axis, in cells. `extent`: the number of cells of the world along the
    /// axis. `None`: the place is beyond a wall.
    fn place(&self, axis: usize, pixel: usize, extent: f32, edges: Edges) -> Option<f32> {
        let place = self.corner[axis] + (pixel as f32 + 0.5) * self.cells[axis] / self.size[axis] as f32;
        match edges {
            Edges::Torus => Some(place.rem_euclid(extent)),
            Edges::Walls => (0.0..extent).contains(&place).then_some(place),
        }
    }
}

/// Adds the light of all features of a flat world to a part of a picture. `extents`, `edges`: of the world. `columns`:
/// the values of the features.
pub fn add_features(
    picture: &mut Picture,
    view: &MapView,
    (extents, edges): (Extents, Edges),
    features: &WorldFeatures,
    columns: &WorldColumns,
) {
    for feature in features.0.iter().filter(|feature| feature.extents()[2] == 1) {
        let light = feature.light(columns.words(feature.column()));
        if !light.is_empty() {
            add_light(picture, view, (extents, edges), &**feature, &light);
        }
    }
}

/// Adds the light of a feature. `light`: red, green and blue of each cell of the feature, x fastest.
fn add_light(
    picture: &mut Picture,
    view: &MapView,
    (extents, edges): (Extents, Edges),
    feature: &dyn WorldFeature,
    light: &[[u8; 3]],
) {
    let cells_along = feature.extents();
    let size = feature.size();
    let [across, down] = [0, 1].map(|axis| cells_along[axis] as usize);
    // The two cells of the feature before and after the centre of a pixel along an axis, and the position between them,
    // 0 to 1.
    let between = |axis: usize, pixel: usize| {
        let cells = view.place(axis, pixel, extents.as_cell()[axis] as f32, edges)?;
        let place = cells / size[axis] as f32 - 0.5;
        let [first, count] = [place.floor() as i64, i64::from(cells_along[axis])];
        let cell = |at: i64| edges.wrap_or_clamp(at, count) as usize;
        Some((cell(first), cell(first + 1), place - place.floor()))
    };
    debug_assert_eq!(light.len(), across * down);
    let [first, columns] = [view.origin[0], view.size[0]].map(|pixels| pixels as usize);
    let rows = picture.bytes.par_chunks_mut(3 * picture.width as usize).enumerate();
    rows.skip(view.origin[1] as usize).take(view.size[1] as usize).for_each(|(y, row)| {
        let Some((above, below, part_down)) = between(1, y - view.origin[1] as usize) else { return };
        for (x, pixel) in row.as_chunks_mut::<3>().0[first..first + columns].iter_mut().enumerate() {
            let Some((left, right, part)) = between(0, x) else { continue };
            for (channel, byte) in pixel.iter_mut().enumerate() {
                let along = |row: usize| {
                    let [from, to] = [left, right].map(|cell| f32::from(light[row * across + cell][channel]));
                    from + (to - from) * part
                };
                let (from, to) = (along(above), along(below));
                *byte = (f32::from(*byte) + from + (to - from) * part_down + 0.5).min(255.0) as u8;
            }
        }
    });
}
