//! The built-in atlas: a window with short films of many swarms that the rules can produce. A click on a film plays its
//! swarm.

use crate::link::Link;
use crate::link::tiles::{SheetTile, TileSheet};
use crate::viewer::action::Action;
use egui::{
    Color32, ColorImage, Context, CornerRadius, Rect, RichText, ScrollArea, Sense, Stroke, StrokeKind, TextureHandle,
    TextureOptions, Ui, WidgetInfo, pos2, vec2,
};
use std::sync::Arc;

/// The name, the text and the picture of each tile sheet (see [`crate::link::tiles`]), made by
/// `src/viewer/atlas/make.sh`.
macro_rules! sheets {
    ($($name:literal)*) => {
        [$((
            $name,
            include_str!(concat!($name, ".toml")),
            include_bytes!(concat!($name, ".jpg")),
        )),*]
    };
}

/// The tile sheets: two of cells in flat worlds, two of cells in deep worlds, and one of individuals in a deep world.
const SHEETS: [(&str, &str, &[u8]); 5] = sheets!("droplets" "ribbons" "murmuration" "veils" "circles");
/// The width of a tile in logical pixels.
const TILE: f32 = 74.0;
/// The gap between two tiles in logical pixels.
const GAP: f32 = 5.0;
/// The number of frames a second of the films.
const PACE: f64 = 8.0;
/// The initial size of the atlas window in logical pixels.
const SIZE: egui::Vec2 = vec2(670.0, 470.0);
/// The space above the atlas window for the text with the number of boids, in logical pixels.
const ABOVE: f32 = 84.0;
/// The colours of the regimes of swarms, by the names of the regimes. All other regimes have the last colour.
const COLOURS: [(&str, Color32); 10] = [
    ("living", Color32::from_rgb(255, 226, 160)),
    ("mill", Color32::from_rgb(255, 150, 160)),
    ("crystal", Color32::from_rgb(160, 220, 245)),
    ("gas", Color32::from_rgb(150, 170, 255)),
    ("polar liquid", Color32::from_rgb(120, 235, 190)),
    ("slab", Color32::from_rgb(215, 170, 255)),
    ("ball", Color32::from_rgb(255, 185, 130)),
    ("bands", Color32::from_rgb(250, 180, 205)),
    ("shoals", Color32::from_rgb(195, 235, 160)),
    ("other", Color32::from_rgb(200, 205, 215)),
];

#[derive(Default)]
pub struct AtlasWindow {
    pub is_open: bool,
    /// The index of the sheet that is shown.
    sheet: usize,
    /// The sheets, loaded when the atlas window first opens.
    sheets: Vec<Option<Arc<Sheet>>>,
}

/// A tile sheet that was loaded.
struct Sheet {
    tiles: TileSheet,
    /// A description of each tile's run.
    words: Vec<String>,
    /// The size of the picture in pixels.
    size: [f32; 2],
    picture: TextureHandle,
}

impl AtlasWindow {
    /// Drops the loaded sheets, because their pictures belong to an earlier egui context.
    pub fn forget(&mut self) {
        self.sheets.clear();
    }

    /// Shows the atlas window within an area, if the atlas is open.
    pub fn show(&mut self, context: &Context, area: Rect, actions: &mut Vec<Action>) {
        if !self.is_open {
            return;
        }
        if self.sheets.is_empty() {
            self.sheets = SHEETS.iter().map(|sheet| Sheet::new(context, sheet).map(Arc::new)).collect();
        }
        let mut is_open = true;
        let room = (area.size() - vec2(24.0, ABOVE + 12.0)).max(vec2(64.0, 64.0));
        egui::Window::new("Atlas: what the rules can do")
            .open(&mut is_open)
            .default_pos(area.left_top() + vec2(12.0, ABOVE))
            .default_size(SIZE.min(room))
            .min_size(vec2(2.0 * TILE, 2.0 * TILE).min(room))
            .max_size(room)
            .constrain_to(area)
            .collapsible(false)
            .show(context, |ui| self.contents(ui, actions));
        self.is_open &= is_open;
        // The films need a new frame even without input.
        context.request_repaint_after(std::time::Duration::from_secs_f64(1.0 / PACE));
    }

    fn contents(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) {
        ui.horizontal_wrapped(|ui| {
            for (index, (name, ..)) in SHEETS.iter().enumerate() {
                ui.selectable_value(&mut self.sheet, index, *name);
            }
            ui.separator();
            ui.label(RichText::new("a click plays the swarm; F3 comes back here").small().weak());
        });
        let Some(sheet) = self.sheets.get(self.sheet).cloned().flatten() else { return };
        let frame = (ui.input(|input| input.time) * PACE) as u64;
        ui.spacing_mut().item_spacing = vec2(GAP, GAP);
        let in_a_row = (((ui.available_width() + GAP - 12.0) / (TILE + GAP)) as usize).max(1);
        let size = vec2(TILE, TILE * sheet.tiles.size[1] as f32 / sheet.tiles.size[0] as f32);
        ScrollArea::vertical().id_salt(("atlas", self.sheet)).auto_shrink(false).show(ui, |ui| {
            let tiles: Vec<usize> = (0..sheet.tiles.tile.len()).collect();
            for row in tiles.chunks(in_a_row) {
                ui.horizontal(|ui| {
                    for &index in row {
                        if sheet.show_tile(ui, index, size, frame) {
                            actions.push(Action::Play(sheet.tiles.tile[index].link.clone()));
                            self.is_open = false;
                        }
                    }
                });
            }
        });
    }
}

impl Sheet {
    fn new(context: &Context, (name, text, picture): &(&str, &str, &[u8])) -> Option<Self> {
        let tiles = TileSheet::parse(name, text).ok()?;
        let picture = image::load_from_memory(picture).ok()?.into_luma8();
        let size = [picture.width() as usize, picture.height() as usize];
        let image = ColorImage::from_gray(size, &picture);
        let words = |tile: &SheetTile| {
            let played = Link::parse(&tile.link).map(|link| link.to_string()).unwrap_or_default();
            format!("{}\n{}", tile.regime, played.replace(", ", "\n"))
        };
        let words = tiles.tile.iter().map(words).collect();
        let picture = context.load_texture(format!("atlas {name}"), image, TextureOptions::LINEAR);
        Some(Self { tiles, words, size: size.map(|side| side as f32), picture })
    }

    /// Shows a tile with a frame of its film. Returns whether the tile was clicked.
    fn show_tile(&self, ui: &mut Ui, index: usize, size: egui::Vec2, frame: u64) -> bool {
        let (place, response) = ui.allocate_exact_size(size, Sense::click());
        let regime = &self.tiles.tile[index].regime;
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, &self.words[index]));
        if ui.is_rect_visible(place) {
            let colour = COLOURS.iter().find(|(name, _)| name == regime).unwrap_or(&COLOURS[COLOURS.len() - 1]).1;
            let is_lit = response.hovered() || response.has_focus();
            let tint = if is_lit { colour } else { colour.gamma_multiply(0.82) };
            let corners = CornerRadius::same(4);
            // Each film begins at another frame, so that the films do not move in step.
            let [x, y] = self.tiles.corner(index, ((frame + 3 * index as u64) % u64::from(self.tiles.frames)) as u32);
            let [width, height] = self.tiles.size;
            // The rectangle in the picture is smaller by half a pixel on each side. So no pixels of neighbouring frames
            // are seen at its edges.
            let from = pos2((x as f32 + 0.5) / self.size[0], (y as f32 + 0.5) / self.size[1]);
            let to = pos2(((x + width) as f32 - 0.5) / self.size[0], ((y + height) as f32 - 0.5) / self.size[1]);
            let shape = egui::epaint::RectShape::filled(place, corners, tint);
            ui.painter().rect_filled(place, corners, Color32::from_rgb(10, 12, 20));
            ui.painter().add(shape.with_texture(self.picture.id(), Rect::from_min_max(from, to)));
            let stroke = Stroke::new(if is_lit { 1.6 } else { 0.0 }, colour);
            ui.painter().rect_stroke(place, corners, stroke, StrokeKind::Inside);
        }
        response.on_hover_text(&self.words[index]).clicked()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Run;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable;
    use murmuration_core::simulation::{EngineChoice, Simulation};

    #[test]
    fn every_tile_plays_and_has_a_film() {
        let mut count = 0;
        for (name, text, picture) in SHEETS {
            let sheet = TileSheet::parse(name, text).unwrap();
            let picture = image::load_from_memory(picture).unwrap().into_luma8();
            for (index, tile) in sheet.tile.iter().enumerate() {
                let link = Link::parse(&tile.link).unwrap();
                let (preset, chain) = link.load().unwrap_or_else(|failure| panic!("{name} {index}: {failure}"));
                assert_eq!(preset.space().extents[2] > 1, !["droplets", "ribbons"].contains(&name), "{name}");
                assert!(!link.is_of_another_version(&preset, &chain), "{name} {index}: make the sheet again");
                // Only the first tile of each sheet is played to its end, to save time.
                if index == 0 {
                    let (step, hash) = link.end().unwrap();
                    let cpu = EngineChoice::Cpu(Default::default());
                    let mut simulation = Simulation::new(preset, &chain, cpu).unwrap();
                    Run::new(&mut simulation).to(step).play().unwrap();
                    assert_eq!(simulation.state_hash().unwrap(), hash, "{name}: make the sheet again");
                }
                let lights = (0..sheet.frames).map(|frame| {
                    let [x, y] = sheet.corner(index, frame);
                    let own =
                        (0..sheet.size[1]).flat_map(|row| (0..sheet.size[0]).map(move |column| (x + column, y + row)));
                    own.map(|(x, y)| u64::from(picture.get_pixel(x, y).0[0])).sum::<u64>()
                });
                assert!(lights.min().unwrap() > 1000, "{name} {index} is dark");
                count += 1;
            }
        }
        assert!(count >= 64, "{count} tiles");
    }

    #[test]
    fn a_click_plays_a_tile_and_closes_the_window() {
        let state = (AtlasWindow { is_open: true, ..AtlasWindow::default() }, Vec::new());
        let mut harness = Harness::builder().with_size(vec2(800.0, 700.0)).build_ui_state(
            |ui, (atlas, actions): &mut (AtlasWindow, Vec<Action>)| {
                atlas.show(ui.ctx(), ui.max_rect(), actions);
            },
            state,
        );
        harness.run_steps(4);
        harness.get_by_label("ribbons").click();
        harness.run_steps(4);
        let (_, text, _) = SHEETS[1];
        let sheet = TileSheet::parse("ribbons", text).unwrap();
        let label = harness.state().0.sheets[1].as_ref().unwrap().words[2].clone();
        harness.get_by_label(&label).click();
        harness.run_steps(2);
        let (atlas, actions) = harness.state();
        assert_eq!(*actions, [Action::Play(sheet.tile[2].link.clone())]);
        assert!(!atlas.is_open);
    }
}
