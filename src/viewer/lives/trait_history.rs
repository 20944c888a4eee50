//! How the traits of a population change: the histograms of each trait over time.

use super::heights;
use crate::observe::Observation;
use crate::viewer::curves::RowHistory;
use egui::epaint::{Mesh, Vertex, WHITE_UV};
use egui::{Color32, Rect, RichText, Sense, Shape, Ui, pos2, vec2};
use murmuration_core::lives::Trait;
use murmuration_core::lives::measures::{BINS, LifeMeasures};

/// The height of the picture of a trait, in logical pixels.
const HEIGHT: f32 = 40.0;
/// The maximum number of columns of a picture. Each column shows one row of the history.
const COLUMNS: usize = 96;

/// For each step the bins of a trait, relative to the fullest bin of that step, from 0 to 1.
type Columns = Vec<[f32; BINS]>;

/// Shows the history of each trait as a picture, for all individuals or for each species with lives. Time runs to the
/// right, the trait's range upwards. Brighter places have more individuals.
pub fn show(history: &RowHistory<Observation>, ui: &mut Ui) {
    let Some(last) = history.last() else { return };
    let Some(lives) = &last.features.lives else { return };
    if lives.all.traits.is_some() {
        show_population(history, ui, "", |seen| Some(&seen.features.lives.as_ref()?.all));
    } else {
        for (index, species) in last.features.species.iter().enumerate() {
            show_population(history, ui, &species.name, |seen| seen.features.lives.as_ref()?.species.get(index));
        }
    }
}

fn show_population(
    history: &RowHistory<Observation>,
    ui: &mut Ui,
    name: &str,
    lives_of: impl Fn(&Observation) -> Option<&LifeMeasures>,
) {
    for (index, of) in Trait::ALL.into_iter().enumerate() {
        let bins = history.thinned(COLUMNS).filter_map(|seen| Some(lives_of(seen)?.traits?[index].bins));
        let columns: Columns = bins.map(heights).collect();
        if columns.len() < 2 {
            return;
        }
        let title = [name, of.name()].join(" ");
        let doc = "how many have it, over time: the range of the trait from below to above";
        ui.label(RichText::new(title.trim()).small()).on_hover_text(doc);
        let (place, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
        let ink = ui.visuals().text_color();
        ui.painter().rect_filled(place, 2.0, ink.gamma_multiply(0.06));
        ui.painter().add(Shape::mesh(picture(place, &columns, ink)));
    }
}

/// A rectangle for each bin that is not empty.
fn picture(place: Rect, columns: &Columns, ink: Color32) -> Mesh {
    let size = vec2(place.width() / columns.len() as f32, place.height() / BINS as f32);
    let mut mesh = Mesh::default();
    for (x, bins) in columns.iter().enumerate() {
        for (y, part) in bins.iter().enumerate().filter(|(_, part)| **part > 0.0) {
            let corner = pos2(place.left() + x as f32 * size.x, place.bottom() - (y + 1) as f32 * size.y);
            let bin = Rect::from_min_size(corner, size);
            let color = ink.gamma_multiply(0.15 + 0.75 * part);
            let first = mesh.vertices.len() as u32;
            let corners = [bin.left_top(), bin.right_top(), bin.right_bottom(), bin.left_bottom()];
            mesh.vertices.extend(corners.map(|pos| Vertex { pos, uv: WHITE_UV, color }));
            mesh.indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
        }
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_a_rectangle_for_each_bin_that_is_not_empty() {
        let place = Rect::from_min_size(pos2(10.0, 20.0), vec2(60.0, 32.0));
        let mut bins = [[0; BINS]; 3];
        (bins[0][0], bins[1][15], bins[1][3]) = (4, 8, 2);
        let columns: Columns = bins.map(heights).to_vec();
        let mesh = picture(place, &columns, Color32::WHITE);
        assert_eq!((mesh.vertices.len(), mesh.indices.len()), (12, 18));
        assert_eq!(mesh.vertices[0].pos, pos2(10.0, 50.0), "the lowest bin at the first step");
        assert_eq!(mesh.vertices[8].pos, pos2(30.0, 20.0), "the highest bin at the second step");
        assert!(mesh.vertices[4].color.a() < mesh.vertices[8].color.a(), "fuller bins are brighter");
        assert!(mesh.vertices.iter().all(|vertex| place.contains(vertex.pos)));
    }
}
