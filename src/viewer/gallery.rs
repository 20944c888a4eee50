//! The gallery of the panel: the built-in presets with their thumbnails, from which the user chooses one.

use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Align2, Color32, ColorImage, CornerRadius, FontId, Rect, Role, ScrollArea, Sense, Stroke, StrokeKind,
    TextureHandle, Ui, WidgetInfo, pos2, vec2,
};
use std::sync::Arc;

/// The size of a thumbnail in pixels: about two pixels for each logical pixel.
pub const PICTURE: [usize; 2] = [184, 116];
const MAX_COLUMNS: usize = 3;
/// The number of rows that are visible without scrolling. The last row is cut off, to show that more rows follow.
const ROWS_IN_SIGHT: f32 = 3.6;
/// The maximum height of the gallery, relative to the height of the window.
const TALLEST: f32 = 0.6;
const GAP: f32 = 6.0;
/// The height of a name, in logical pixels.
const NAME: f32 = 16.0;

/// A preset in the gallery.
struct Entry {
    index: usize,
    name: &'static str,
    description: String,
    picture: TextureHandle,
}

/// Shows the gallery. `present`: the name of the preset that is played. Returns the index of the preset that the user
/// has chosen; `None`: no choice.
pub fn show(ui: &mut Ui, present: &str) -> Option<usize> {
    let entries = entries(ui.ctx());
    let breadths = entries.iter().map(|entry| name_job(entry.name, f32::INFINITY, Color32::WHITE));
    let widest = breadths.map(|job| ui.painter().layout_job(job).size().x).fold(0.0, f32::max);
    let (in_a_row, breadth) = arrange(ui.available_width(), widest);
    let height = breadth * PICTURE[1] as f32 / PICTURE[0] as f32;
    let row_height = height + NAME + 4.0;
    let tallest = (ROWS_IN_SIGHT * row_height).min(TALLEST * ui.ctx().content_rect().height());
    let mut chosen = None;
    ui.spacing_mut().item_spacing = vec2(GAP, 4.0);
    ScrollArea::vertical().id_salt("gallery").max_height(tallest).show(ui, |ui| {
        for row in entries.chunks(in_a_row) {
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
    // Presets that are neither played nor under the mouse are a little darker.
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
    let name = ui.painter().layout_job(name_job(entry.name, place.width(), ink));
    let at = Align2::CENTER_TOP.anchor_size(below, name.size()).min;
    ui.painter().galley(at, name, ink);
}

/// A name on one line, cut to `longest` logical pixels.
fn name_job(name: &str, longest: f32, ink: Color32) -> LayoutJob {
    let mut job = LayoutJob::simple_singleline(name.into(), FontId::proportional(11.5), ink);
    job.wrap = TextWrapping::truncate_at_width(longest);
    job
}

/// The number of thumbnails in a row, at least one, and the width of a thumbnail in logical pixels. A name of `widest`
/// logical pixels fits under a thumbnail if there are several in a row.
fn arrange(available: f32, widest: f32) -> (usize, f32) {
    let breadth = |pictures: usize| (available - GAP * (pictures - 1) as f32) / pictures as f32;
    let in_a_row = (1..=MAX_COLUMNS).rev().find(|pictures| breadth(*pictures) >= widest).unwrap_or(1);
    (in_a_row, breadth(in_a_row))
}

/// The key under which the egui context stores the entries of the gallery.
fn id() -> egui::Id {
    egui::Id::unique("gallery")
}

/// Drops the entries of the gallery, whose textures belong to an earlier egui context.
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
    let entries =
        Arc::new(murmuration_core::preset::descriptions(crate::host()).enumerate().map(entry).collect::<Vec<_>>());
    context.data_mut(|data| data.insert_temp(id(), entries.clone()));
    entries
}

/// Decodes a thumbnail; `None`: the bytes are damaged.
fn decoded(bytes: &[u8]) -> Option<ColorImage> {
    let picture = image::load_from_memory(bytes).ok()?.into_rgb8();
    let size = [picture.width() as usize, picture.height() as usize];
    Some(ColorImage::from_rgb(size, &picture))
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_kittest::Harness;

    /// The names in a gallery of this width, with their places, and whether each is cut.
    fn names_at(breadth: f32, pixels_per_point: f32) -> Vec<(String, Rect, bool)> {
        let mut harness =
            Harness::builder().with_size(vec2(breadth, 200.0)).with_pixels_per_point(pixels_per_point).build_ui(|ui| {
                show(ui, "droplets");
            });
        harness.run_ok();
        let text_of = |shape: &egui::epaint::ClippedShape| match &shape.shape {
            egui::Shape::Text(text) => Some((
                text.galley.text().to_owned(),
                text.galley.rect.translate(text.pos.to_vec2()),
                text.galley.elided,
            )),
            _ => None,
        };
        harness.output().shapes.iter().filter_map(text_of).collect()
    }

    #[test]
    fn names_fit_at_every_breadth() {
        for breadth in [30.0, 60.0, 82.0, 104.0, 150.0, 200.0, 284.0, 400.0] {
            for pixels_per_point in [1.0, 1.5, 2.5] {
                let names = names_at(breadth, pixels_per_point);
                assert!(names.len() >= 3, "{} names at {breadth}", names.len());
                for (index, (name, place, is_cut)) in names.iter().enumerate() {
                    let is_within = place.left() >= 0.0 && place.right() <= breadth + 1.0;
                    assert!(is_within, "{name} is at {place:?} of {breadth}");
                    assert!(!is_cut || breadth < 100.0, "{name} is cut at {breadth}");
                    let other =
                        names[..index].iter().find(|(_, other, _)| other.shrink(0.5).intersects(place.shrink(0.5)));
                    assert!(other.is_none(), "{name} overlaps {other:?} at {breadth}");
                }
            }
        }
    }

    #[test]
    fn a_row_has_as_many_pictures_as_names_fit() {
        let in_a_row = |available| arrange(available, 80.0).0;
        assert_eq!([40.0, 80.0, 165.0, 166.0, 251.0, 252.0, 900.0].map(in_a_row), [1, 1, 1, 2, 2, 3, 3]);
        assert_eq!(arrange(166.0, 80.0).1, 80.0);
    }

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
