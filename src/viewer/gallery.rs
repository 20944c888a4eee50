//! The built-in presets, to choose from by their pictures.

use egui::{
    Align2, Color32, ColorImage, CornerRadius, FontId, Rect, Role, ScrollArea, Sense, Stroke, StrokeKind,
    TextureHandle, Ui, WidgetInfo, pos2, vec2,
};
use std::sync::Arc;

/// Pixels of a picture, about two for each point.
pub const PICTURE: [usize; 2] = [184, 116];
const IN_A_ROW: usize = 3;
/// The last row is cut, so that one sees that there are more.
const ROWS_IN_SIGHT: f32 = 3.6;
const GAP: f32 = 6.0;
/// The height of a name, in points.
const NAME: f32 = 16.0;

/// A preset in the gallery, with its index among the built-in ones.
struct Entry {
    index: usize,
    name: &'static str,
    description: String,
    picture: TextureHandle,
}

/// Shows the gallery. Returns the index of the preset that was chosen.
pub fn show(ui: &mut Ui, present: &str) -> Option<usize> {
    let entries = entries(ui.ctx());
    let breadth = (ui.available_width() - GAP * (IN_A_ROW - 1) as f32) / IN_A_ROW as f32;
    let height = breadth * PICTURE[1] as f32 / PICTURE[0] as f32;
    let mut chosen = None;
    ui.spacing_mut().item_spacing = vec2(GAP, 4.0);
    ScrollArea::vertical().id_salt("gallery").max_height(ROWS_IN_SIGHT * (height + NAME + 4.0)).show(ui, |ui| {
        for row in entries.chunks(IN_A_ROW) {
            ui.horizontal(|ui| {
                for entry in row {
                    let (place, response) = ui.allocate_exact_size(vec2(breadth, height + NAME), Sense::click());
                    let is_present = entry.name == present;
                    let picture = Rect::from_min_size(place.min, vec2(breadth, height));
                    paint(ui, entry, picture, is_present, response.hovered());
                    let label = WidgetInfo::selected(Role::RadioButton, true, is_present, entry.name);
                    response.widget_info(|| label.clone());
                    if response.on_hover_text(&entry.description).clicked() {
                        chosen = Some(entry.index);
                    }
                }
            });
        }
    });
    chosen
}

fn paint(ui: &Ui, entry: &Entry, place: Rect, is_present: bool, is_hovered: bool) {
    let visuals = ui.visuals();
    let corners = CornerRadius::same(5);
    // Presets that are not played are a little darker.
    let tint = Color32::from_gray(if is_present || is_hovered { 255 } else { 200 });
    let all = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    let shape = egui::epaint::RectShape::filled(place, corners, tint).with_texture(entry.picture.id(), all);
    ui.painter().add(shape);
    let (stroke, ink) = if is_present {
        (Stroke::new(1.6, visuals.selection.stroke.color), visuals.strong_text_color())
    } else if is_hovered {
        (Stroke::new(1.0, visuals.weak_text_color()), visuals.strong_text_color())
    } else {
        (Stroke::NONE, visuals.text_color())
    };
    ui.painter().rect_stroke(place, corners, stroke, StrokeKind::Inside);
    let below = pos2(place.center().x, place.bottom() + 2.0);
    ui.painter().text(below, Align2::CENTER_TOP, entry.name, FontId::proportional(11.5), ink);
}

/// The key of the entries in the memory of the context.
fn id() -> egui::Id {
    egui::Id::unique("gallery")
}

/// Drops the entries. They came with the memory of another context, and this one does not have their textures.
pub fn forget(context: &egui::Context) {
    context.data_mut(|data| data.remove::<Arc<Vec<Entry>>>(id()));
}

fn entries(context: &egui::Context) -> Arc<Vec<Entry>> {
    if let Some(known) = context.data(|data| data.get_temp(id())) {
        return known;
    }
    let entry = |(index, (name, description)): (usize, (&'static str, String))| {
        let image = decoded(crate::host::thumbnail(name)).unwrap_or(ColorImage::filled([1, 1], Color32::BLACK));
        let picture = context.load_texture(name, image, egui::TextureOptions::LINEAR);
        Entry { index, name, description, picture }
    };
    let entries = Arc::new(crate::preset::descriptions(crate::host()).enumerate().map(entry).collect::<Vec<_>>());
    context.data_mut(|data| data.insert_temp(id(), entries.clone()));
    entries
}

/// Decodes a thumbnail; `None` if it is no picture.
fn decoded(bytes: &[u8]) -> Option<ColorImage> {
    let picture = image::load_from_memory(bytes).ok()?.into_rgb8();
    let size = [picture.width() as usize, picture.height() as usize];
    Some(ColorImage::from_rgb(size, &picture))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_context_with_the_same_memory_has_pictures_of_its_own() {
        let context = egui::Context::default();
        let before = entries(&context);
        assert!(Arc::ptr_eq(&before, &entries(&context)), "the pictures are read for every frame");
        let fresh = egui::Context::default();
        let memory = context.memory(Clone::clone);
        fresh.memory_mut(|kept| *kept = memory);
        forget(&fresh);
        assert!(!Arc::ptr_eq(&before, &entries(&fresh)));
        let known = fresh.tex_manager().read().num_allocated();
        assert!(known >= crate::host().library().preset_names().count(), "the fresh context has {known} textures");
    }

    #[test]
    fn every_preset_has_a_picture_of_its_own() {
        let mut bytes = 0;
        let mut seen = std::collections::BTreeSet::new();
        for name in crate::host().library().preset_names() {
            let file = crate::host::thumbnail(name);
            let picture = decoded(file).unwrap_or_else(|| panic!("{name} has no picture"));
            assert_eq!(picture.size, PICTURE, "{name}");
            let light: u64 =
                picture.pixels.iter().map(|pixel| u64::from(pixel.r().max(pixel.g()).max(pixel.b()))).sum();
            let mean = light / picture.pixels.len() as u64;
            assert!((12..200).contains(&mean), "{name} is too dark or too bright: {mean} of 255");
            assert!(seen.insert(file), "{name} has the picture of another");
            bytes += file.len();
        }
        assert!(bytes < 200_000, "{bytes} bytes are too many for what they show");
    }
}
