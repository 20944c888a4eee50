//! Several species in the window: their legend, and their ledgers on the panel.

use super::AccountRow;
use super::lives::meals;
use super::theme::INK;
use crate::controller::Snapshot;
use crate::observe::features::SpeciesAccount;
use crate::observe::heading_colour;
use egui::{Align2, Color32, FontId, Painter, Rect, RichText, Ui, pos2, vec2};
use murmuration_core::look::{Look, colour_vector};
use murmuration_core::numbers::BOID;
use murmuration_core::state::{Entry, Unit};
use murmuration_core::text::readable::{boids, grouped, signed_boids};

/// The height of a row of the legend, and its breadth, in logical pixels.
const ROW: f32 = 17.0;
const BREADTH: f32 = 168.0;

/// The individuals in the account that others have eaten.
pub fn eaten(snapshot: &Snapshot) -> Vec<AccountRow> {
    let eaten = snapshot.account.ledger.sum(Entry::Eaten);
    if eaten > 0 { vec![("eaten", boids(eaten))] } else { Vec::new() }
}

/// The colour of a species in pictures.
fn colour(species: &SpeciesAccount, look: &Look) -> Color32 {
    let [x, y] = colour_vector(species.colour).map(|component| component as f32 / (1 << 14) as f32);
    let [red, green, blue] = heading_colour(look, [x, y]);
    Color32::from_rgb(red, green, blue)
}

/// Draws the legend into the lower left corner of `area`: the colour, the name and the number of each species.
pub fn legend(painter: &Painter, area: Rect, look: &Look, species: &[SpeciesAccount]) {
    let mut left = pos2(area.left() + 24.0, area.bottom() - 18.0 - ROW * species.len() as f32);
    let around = Rect::from_min_max(left - vec2(10.0, 8.0), pos2(left.x + BREADTH + 10.0, area.bottom() - 10.0));
    painter.rect_filled(around, 10.0, Color32::from_rgb(7, 10, 19).gamma_multiply(0.72));
    let font = FontId::proportional(12.0);
    for own in species {
        let middle = left.y + 0.5 * ROW;
        painter.circle_filled(pos2(left.x + 4.0, middle), 3.5, colour(own, look));
        let text = |x, align, words: &str, strength| {
            painter.text(pos2(x, middle), align, words, font.clone(), INK.gamma_multiply(strength));
        };
        text(left.x + 14.0, Align2::LEFT_CENTER, &own.name, 0.72);
        text(left.x + BREADTH, Align2::RIGHT_CENTER, &grouped(own.quanta() / u64::from(BOID)), 0.9);
        left.y += ROW;
    }
}

/// Shows the ledger of each species, in boids; what is 0 for all is left out.
pub fn show(ui: &mut Ui, look: &Look, species: &[SpeciesAccount]) {
    let columns = ["spawned", "born", "eaten", "starved", "caught", "refused"];
    let columns = || columns.iter().copied().filter(|name| species.iter().any(|own| own.change(name) > 0));
    egui::Grid::new("species").num_columns(3 + columns().count()).spacing(vec2(10.0, 3.0)).show(ui, |ui| {
        for name in ["", "now"].into_iter().chain(columns()).chain(["lost"]) {
            ui.label(RichText::new(name).weak());
        }
        ui.end_row();
        for own in species {
            ui.label(RichText::new(&own.name).color(colour(own, look)));
            for quanta in [own.quanta()].into_iter().chain(columns().map(|name| own.change(name))) {
                ui.label(grouped(quanta / u64::from(BOID)));
            }
            ui.label(signed_boids(own.lost(Unit::Quanta)));
            ui.end_row();
        }
    });
}

/// Shows the energy of each species, in meals.
pub fn show_energy(ui: &mut Ui, look: &Look, species: &[SpeciesAccount]) {
    ui.add_space(6.0);
    egui::Grid::new("energy of species").num_columns(7).spacing(vec2(10.0, 3.0)).show(ui, |ui| {
        let entries = [Entry::EnergyEaten, Entry::EnergyBorn, Entry::EnergyBurnt, Entry::EnergyEnded];
        for name in ["energy", "now"].into_iter().chain(entries.map(|entry| entry.row().name)).chain(["lost"]) {
            ui.label(RichText::new(name).weak());
        }
        ui.end_row();
        for own in species {
            ui.label(RichText::new(&own.name).color(colour(own, look)));
            for entry in [Entry::EnergyPresent].into_iter().chain(entries) {
                ui.label(meals(own.amount(entry)));
            }
            ui.label(own.lost(Unit::Energy).to_string());
            ui.end_row();
        }
    });
}
