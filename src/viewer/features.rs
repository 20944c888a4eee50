//! Draws features of flat worlds, such as food, in the window. A feature is light under the swarm, as in saved pictures
//! (`picture::features`).

use super::AccountRow;
use super::lives::meals;
use super::ring::Plane;
use super::sides::Side;
use crate::controller::Snapshot;
use egui::{Color32, ColorImage, Context, Painter, Rect, TextureHandle, TextureOptions, TextureWrapMode, pos2};
use glam::Vec2;
use murmuration_core::individuals::feature::WorldFeature;
use murmuration_core::state::{Entry, WorldColumns};
use murmuration_core::world::Edges;
use murmuration_gpu::look::ViewTransform;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The rows about food in the account that the panel shows. The unit is a meal.
pub const FOOD_ACCOUNT: [AccountRow; 6] = [
    ("food at start", |ledger| meals(ledger.sum(Entry::FoodStart))),
    ("grown", |ledger| meals(ledger.sum(Entry::FoodGrown))),
    ("fed", |ledger| meals(ledger.sum(Entry::FoodFed))),
    ("food eaten", |ledger| meals(ledger.sum(Entry::FoodGrazed))),
    ("removed", |ledger| meals(ledger.sum(Entry::FoodRemoved))),
    ("food now", |ledger| meals(ledger.sum(Entry::FoodPresent))),
];

/// The textures of the features in the last snapshot.
#[derive(Default)]
pub struct FeatureLayers {
    /// The texture of each feature, by the name of the feature.
    textures: BTreeMap<&'static str, TextureHandle>,
    /// The values that the textures show; `None`: no textures were made.
    shown: Option<Arc<WorldColumns>>,
}

impl FeatureLayers {
    /// Draws the features of a flat world into a part of the window.
    pub fn show(&mut self, painter: &Painter, side: &Side, snapshot: &Snapshot) {
        let columns = &snapshot.columns;
        let is_new = self.shown.as_ref().is_none_or(|shown| !Arc::ptr_eq(shown, columns));
        for feature in &snapshot.info.features.of_world.0 {
            let words = columns.words(feature.column());
            // Features are drawn only in a view from above, and only once their values have arrived.
            if words.is_empty() || feature.extents()[2] > 1 || !matches!(side.transform, ViewTransform::Above(_)) {
                continue;
            }
            let light = if is_new { feature.light(words) } else { Vec::new() };
            if !light.is_empty() {
                let [width, height, _] = feature.extents().map(|extent| extent as usize);
                // A colour without opacity is added to the background.
                let texels = light.into_iter().map(|[r, g, b]| Color32::from_rgba_premultiplied(r, g, b, 0)).collect();
                let image = ColorImage::new([width, height], texels);
                self.set(painter.ctx(), feature.column().name, image, snapshot.info.world.edges);
                self.shown = Some(columns.clone());
            }
            self.draw(painter, side, snapshot, &**feature);
        }
    }

    /// Draws a feature on every visible copy of the world. A torus is repeated in the window.
    fn draw(&self, painter: &Painter, side: &Side, snapshot: &Snapshot, feature: &dyn WorldFeature) {
        let world = &snapshot.info.world;
        let Some(texture) = self.textures.get(feature.column().name) else { return };
        let plane = Plane::new(painter, side);
        let camera = side.camera();
        let extents = Vec2::from(
            world.extents.along_axes().map(|extent| extent as f32).first_chunk::<2>().copied().unwrap_or_default(),
        );
        // The last cells of a feature may extend beyond the world.
        let part = [0, 1].map(|axis| extents[axis] / (feature.extents()[axis] * feature.size()[axis]) as f32);
        let uv = Rect::from_min_max(pos2(0.0, 0.0), pos2(part[0], part[1]));
        let size = side.pane.size;
        let [first, last] = [Vec2::ZERO, size.as_vec2()].map(|pixel| (camera.cell_at(size, pixel) / extents).floor());
        let copies = |axis: usize| match world.edges {
            Edges::Torus => first[axis] as i32..=(last[axis] as i32).min(first[axis] as i32 + 8),
            Edges::Walls => 0..=0,
        };
        for y in copies(1) {
            for x in copies(0) {
                let from = Vec2::new(x as f32, y as f32) * extents;
                let [Some(from), Some(to)] = [from, from + extents].map(|cell| plane.at(camera.pixel_at(size, cell)))
                else {
                    continue;
                };
                plane.painter().image(texture.id(), Rect::from_two_pos(from, to), uv, Color32::WHITE);
            }
        }
    }

    fn set(&mut self, context: &Context, name: &'static str, image: ColorImage, edges: Edges) {
        let wrap_mode = if edges == Edges::Torus { TextureWrapMode::Repeat } else { TextureWrapMode::ClampToEdge };
        let options = TextureOptions { wrap_mode, ..TextureOptions::LINEAR };
        match self.textures.get_mut(name) {
            Some(texture) => texture.set(image, options),
            None => drop(self.textures.insert(name, context.load_texture(name, image, options))),
        }
    }
}
