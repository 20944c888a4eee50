//! Food in the window, seen from above: a glow of moss under the swarm, as in pictures (`food::picture::add_food`).

use super::AccountRow;
use super::lives::meals;
use super::ring::Plane;
use super::sides::Side;
use crate::controller::Snapshot;
use egui::{Color32, ColorImage, Context, Painter, Rect, TextureHandle, TextureOptions, TextureWrapMode, pos2};
use glam::Vec2;
use murmuration_core::food::FOOD;
use murmuration_core::lives::FULL;
use murmuration_core::picture::food::food_light;
use murmuration_core::state::{Entry, WorldColumns};
use murmuration_core::world::Edges;
use murmuration_gpu::look::ViewTransform;
use std::sync::Arc;

/// The food that a touch of the brush adds to a cell of food: a quarter of a meal.
pub const HANDFUL: u32 = FULL as u32 / 4;

/// The food in the account, in meals.
pub fn account(snapshot: &Snapshot) -> Vec<AccountRow> {
    if snapshot.info.features.food.is_none() {
        return Vec::new();
    }
    let rows = [
        ("food at start", Entry::FoodStart),
        ("grown", Entry::FoodGrown),
        ("fed", Entry::FoodFed),
        ("food eaten", Entry::FoodGrazed),
        ("removed", Entry::FoodRemoved),
        ("food now", Entry::FoodPresent),
    ];
    rows.map(|(name, entry)| (name, meals(snapshot.account.ledger.sum(entry)))).into()
}

/// The food of the last snapshot as a texture.
#[derive(Default)]
pub struct FoodLayer {
    texture: Option<TextureHandle>,
    /// What the texture shows.
    shown: Option<Arc<WorldColumns>>,
}

impl FoodLayer {
    /// Draws the food of a flat world into a part of the window that shows it from above.
    pub fn show(&mut self, painter: &Painter, side: &Side, snapshot: &Snapshot) {
        let world = &snapshot.info.world;
        let (Some(lattice), columns) = (&snapshot.info.features.food, &snapshot.columns) else { return };
        let food = columns.words(&FOOD);
        // No food has come yet, or it is not seen from above.
        if food.is_empty() || lattice.extents[2] > 1 || !matches!(side.transform, ViewTransform::Above(_)) {
            return;
        }
        if self.shown.as_ref().is_none_or(|shown| !Arc::ptr_eq(shown, columns)) {
            let size = [lattice.extents[0] as usize, lattice.extents[1] as usize];
            // A colour without opacity is added to what is behind it.
            let texels =
                food_light(lattice, food).into_iter().map(|[r, g, b]| Color32::from_rgba_premultiplied(r, g, b, 0));
            let image = ColorImage::new(size, texels.collect());
            self.set(painter.ctx(), image, world.edges);
            self.shown = Some(columns.clone());
        }
        let Some(texture) = &self.texture else { return };
        let (plane, camera) = (Plane::new(painter, side), side.camera());
        let extents = Vec2::from(
            world.extents.along_axes().map(|extent| extent as f32).first_chunk::<2>().copied().unwrap_or_default(),
        );
        // The last cells of food may lie beyond the world in part.
        let part = [0, 1].map(|axis| extents[axis] / (lattice.extents[axis] * lattice.size[axis]) as f32);
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

    fn set(&mut self, context: &Context, image: ColorImage, edges: Edges) {
        let wrap_mode = if edges == Edges::Torus { TextureWrapMode::Repeat } else { TextureWrapMode::ClampToEdge };
        let options = TextureOptions { wrap_mode, ..TextureOptions::LINEAR };
        match &mut self.texture {
            Some(texture) => texture.set(image, options),
            None => self.texture = Some(context.load_texture("food", image, options)),
        }
    }
}
