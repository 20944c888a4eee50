//! Several species in the window: the legend, and the ledgers on the panel.

use super::AccountRow;
use super::colour_bar::legend_rows;
use super::lives::meals;
use crate::observe::features::SpeciesAccount;
use crate::observe::heading_colour;
use egui::{Color32, Painter, Rect, RichText, Ui, pos2, vec2};
use murmuration_core::look::{Look, colour_vector};
use murmuration_core::numbers::BOID;
use murmuration_core::state::{Entry, Unit};
use murmuration_core::text::readable::{boids, grouped, signed_boids};

/// The height and the width of a row of the legend, in logical pixels.
const ROW: f32 = 17.0;
const BREADTH: f32 = 168.0;

/// The row of the account for individuals that other species ate.
pub const ACCOUNT: [AccountRow; 1] = [("eaten", |ledger| boids(ledger.sum(Entry::Eaten)))];

fn colour(species: &SpeciesAccount, look: &Look) -> Color32 {
    let [x, y] = colour_vector(species.colour).map(|component| component as f32 / (1 << 14) as f32);
    let [red, green, blue] = heading_colour(look, [x, y]);
    Color32::from_rgb(red, green, blue)
}

/// Draws the legend into the lower left corner of `area`: the colour, the name and the number of each species.
pub fn legend(painter: &Painter, area: Rect, look: &Look, species: &[SpeciesAccount]) {
    let left = pos2(area.left() + 24.0, area.bottom() - 18.0 - ROW * species.len() as f32);
    let around = Rect::from_min_max(left - vec2(10.0, 8.0), pos2(left.x + BREADTH + 10.0, area.bottom() - 10.0));
    painter.rect_filled(around, 10.0, Color32::from_rgb(7, 10, 19).gamma_multiply(0.72));
    let rows = species.iter().map(|own| (colour(own, look), &*own.name, own.quanta() / u64::from(BOID)));
    legend_rows(painter, left, vec2(BREADTH, ROW), rows);
}

/// Shows a table with a row for each species. The species' names stand in its first column.
fn show_table(
    ui: &mut Ui,
    id: &str,
    look: &Look,
    species: &[SpeciesAccount],
    heads: &[&str],
    values: impl Fn(&SpeciesAccount) -> Vec<String>,
) {
    egui::Grid::new(id).num_columns(heads.len()).spacing(vec2(10.0, 3.0)).show(ui, |ui| {
        heads.iter().for_each(|name| _ = ui.label(RichText::new(*name).weak()));
        ui.end_row();
        for own in species {
            ui.label(RichText::new(&own.name).color(colour(own, look)));
            values(own).into_iter().for_each(|value| _ = ui.label(value));
            ui.end_row();
        }
    });
}

/// Shows the ledgers of all species in boids. Entries that are 0 for all species are left out.
pub fn show(ui: &mut Ui, look: &Look, species: &[SpeciesAccount]) {
    let mut columns = vec!["spawned", "born", "eaten", "starved", "caught", "refused"];
    columns.retain(|name| species.iter().any(|own| own.change(name) > 0));
    show_table(ui, "species", look, species, &[&["", "now"], &columns[..], &["lost"]].concat(), |own| {
        let amounts = [own.quanta()].into_iter().chain(columns.iter().map(|name| own.change(name)));
        let amounts = amounts.map(|quanta| grouped(quanta / u64::from(BOID)));
        amounts.chain([signed_boids(own.lost(Unit::Quanta))]).collect()
    });
}

/// Shows the energy of each species, in meals.
pub fn show_energy(ui: &mut Ui, look: &Look, species: &[SpeciesAccount]) {
    ui.add_space(6.0);
    let entries = [Entry::EnergyEaten, Entry::EnergyBorn, Entry::EnergyBurnt, Entry::EnergyEnded];
    let heads = [&["energy", "now"], &entries.map(|entry| entry.row().name)[..], &["lost"]].concat();
    show_table(ui, "energy of species", look, species, &heads, |own| {
        let amounts = [Entry::EnergyPresent].into_iter().chain(entries).map(|entry| meals(own.amount(entry)));
        amounts.chain([own.lost(Unit::Energy).to_string()]).collect()
    });
}
