//! Lives of individuals: the legend of moods, the counts of individuals in each condition, the life of a probed
//! individual, and the distributions of traits.

pub mod trait_history;

use super::AccountRow;
use super::colour_bar::{colour_bar, legend_rows};
use super::probe::{LINE, line};
use super::theme::INK;
use crate::controller::LifeOrigin;
use crate::observe::features::SpeciesAccount;
use crate::observe::mood_colour;
use egui::{Color32, Painter, Pos2, Rect, RichText, Sense, Ui, pos2, vec2};
use murmuration_core::lives::measures::{BINS, Condition, LifeMeasures, PopulationMeasures, TraitMeasures};
use murmuration_core::lives::{FULL, HAPPIEST, Life, LifeRules, Trait};
use murmuration_core::numbers::BOID;
use murmuration_core::state::{Entry, Ledger, Unit};
use murmuration_core::text::readable::{boids, grouped};

/// The height of a row of the legend, in logical pixels.
const ROW: f32 = 16.0;
const BREADTH: f32 = 120.0;
/// The left end and the length of the bars on the card, in logical pixels.
const BARS: f32 = 78.0;
const BAR: f32 = 110.0;
/// The height of a histogram, in logical pixels.
const HISTOGRAM: f32 = 20.0;

/// The rows of the account for births and for deaths by starvation.
pub const ACCOUNT: [AccountRow; 2] =
    [("born", |ledger| boids(ledger.sum(Entry::Born))), ("starved", |ledger| boids(ledger.sum(Entry::Starved)))];

/// The rows of the account for energy, in meals. The lost energy is in parts of [`FULL`].
pub const ENERGY: [AccountRow; 8] = [
    ("energy at start", |ledger| meals(ledger.sum(Entry::EnergyStart))),
    ("energy spawned", |ledger| meals(ledger.sum(Entry::EnergySpawned))),
    ("energy eaten", |ledger| meals(ledger.sum(Entry::EnergyEaten))),
    ("energy born", |ledger| meals(ledger.sum(Entry::EnergyBorn))),
    ("energy burnt", |ledger| meals(ledger.sum(Entry::EnergyBurnt))),
    ("energy ended", |ledger| meals(ledger.sum(Entry::EnergyEnded))),
    ("energy now", |ledger| meals(ledger.sum(Entry::EnergyPresent))),
    ("energy lost", |ledger| ledger.lost(Unit::Energy).to_string()),
];

/// An amount of food or energy as text, in whole meals. `amount`: in parts of [`FULL`]. One meal stills the greatest
/// hunger.
pub fn meals(amount: u64) -> String {
    grouped(amount / FULL as u64)
}

/// The colour of individuals in a condition. Perishing individuals are fainter.
pub fn colour(condition: Condition) -> Color32 {
    let of = |mood: f32| {
        let [red, green, blue] = mood_colour(mood);
        Color32::from_rgb(red, green, blue)
    };
    match condition {
        Condition::Happy => of(1.0),
        Condition::Neutral => of(0.0),
        Condition::Depressed => of(-1.0),
        Condition::Perishing => of(-0.6).gamma_multiply(0.4),
    }
}

/// For each condition the number of individuals, and their share of all.
pub fn rows(lives: &LifeMeasures) -> [(Condition, u64, f32); Condition::ALL.len()] {
    let all = lives.counts.iter().sum::<u64>().max(1) as f32;
    Condition::ALL.map(|condition| {
        let count = lives.counts[condition as usize];
        (condition, count, count as f32 / all)
    })
}

/// Draws the legend into the lower left corner of `area`: the colours of moods, with the counts of conditions above.
pub fn legend(painter: &Painter, area: Rect, lives: Option<&LifeMeasures>) {
    let height = lives.map_or(0.0, |_| 8.0 + ROW * Condition::ALL.len() as f32);
    let left = pos2(area.left() + 24.0, area.bottom() - 30.0 - height);
    // Individuals are as bright as letters, so the text needs a dark background.
    let around = Rect::from_min_max(left - vec2(10.0, 8.0), pos2(left.x + BREADTH + 10.0, area.bottom() - 6.0));
    painter.rect_filled(around, 10.0, Color32::from_rgb(7, 10, 19).gamma_multiply(0.72));
    colour_bar(painter, area, |part| mood_colour(2.0 * part - 1.0), ["depressed", "happy"]);
    let Some(lives) = lives else { return };
    let rows = rows(lives).map(|(condition, count, _)| (colour(condition), condition.name(), count));
    legend_rows(painter, left, vec2(BREADTH, ROW), rows);
}

/// Shows the counts of conditions, births and deaths, and the traits of all individuals or of each species.
pub fn show(ui: &mut Ui, lives: Option<&PopulationMeasures>, species: &[SpeciesAccount], ledger: &Ledger) {
    let [born, starved] = [ledger.sum(Entry::Born), ledger.sum(Entry::Starved)].map(|quanta| quanta / u64::from(BOID));
    egui::Grid::new("lives").num_columns(3).spacing(vec2(12.0, 3.0)).show(ui, |ui| {
        for (condition, count, part) in lives.map(|lives| rows(&lives.all)).into_iter().flatten() {
            ui.label(RichText::new(condition.name()).weak());
            ui.label(grouped(count));
            let (place, _) = ui.allocate_exact_size(vec2(BAR, 10.0), Sense::hover());
            let filled = Rect::from_min_size(place.min, vec2((part * place.width()).max(2.0), place.height()));
            ui.painter().rect_filled(filled, 2.0, colour(condition));
            ui.end_row();
        }
        for (name, count) in [("born", born), ("starved", starved)] {
            ui.label(RichText::new(name).weak());
            ui.label(grouped(count));
            ui.end_row();
        }
    });
    let Some(lives) = lives else { return };
    match &lives.all.traits {
        Some(traits) => show_traits(ui, "traits", traits),
        None => {
            let named = species.iter().zip(&lives.species);
            for (own, traits) in named.filter_map(|(own, lives)| Some((own, lives.traits.as_ref()?))) {
                ui.add_space(6.0);
                ui.label(RichText::new(&own.name).small());
                show_traits(ui, &own.name, traits);
            }
        }
    }
}

/// The heights of the bars of a histogram, relative to the highest bar.
fn heights(bins: [u64; BINS]) -> [f32; BINS] {
    let most = bins.iter().max().map_or(1, |most| *most.max(&1));
    bins.map(|count| count as f32 / most as f32)
}

/// The value of a trait as text.
fn trait_text(of: Trait, value: f64) -> String {
    match of {
        Trait::Disposition => format!("{value:+.2}"),
        _ => format!("{value:.2}"),
    }
}

/// Shows a histogram of each trait over its range, with the mean.
fn show_traits(ui: &mut Ui, id: &str, traits: &[TraitMeasures; Trait::ALL.len()]) {
    ui.add_space(6.0);
    egui::Grid::new(("traits", id)).num_columns(3).spacing(vec2(12.0, 4.0)).show(ui, |ui| {
        for (of, measures) in Trait::ALL.into_iter().zip(traits) {
            ui.label(RichText::new(of.name()).weak());
            let mean = ui.label(trait_text(of, measures.mean));
            mean.on_hover_text(format!("the mean; the standard deviation is {:.3}", measures.deviation));
            let (place, _) = ui.allocate_exact_size(vec2(BAR, HISTOGRAM), Sense::hover());
            let ink = ui.visuals().text_color();
            ui.painter().hline(place.x_range(), place.bottom(), (1.0, ink.gamma_multiply(0.25)));
            let breadth = place.width() / BINS as f32;
            for (bin, height) in heights(measures.bins).into_iter().enumerate() {
                let left = place.left() + breadth * bin as f32;
                let top = place.bottom() - height * place.height();
                let bar = Rect::from_min_max(pos2(left, top), pos2(left + breadth - 1.0, place.bottom()));
                ui.painter().rect_filled(bar, 1.0, ink.gamma_multiply(0.6));
            }
            ui.end_row();
        }
    });
}

/// A quantity on the card of an individual: its name, its value as text, the length of its bar (0 to 1) and the colour.
type Quantity = (&'static str, String, f32, Color32);

/// The rows of an individual's card: its condition with the colour, then its quantities, from needs to DNA.
pub fn card_rows(life: &Life, rules: &LifeRules) -> (String, Color32, Vec<Quantity>) {
    let condition = Condition::new(life, rules);
    let mood = f32::from(life.mood) / HAPPIEST as f32;
    let text = match condition {
        Condition::Perishing => format!("perishing: {} of {} steps left", life.perishing, rules.perishing),
        _ => condition.name().into(),
    };
    let [red, green, blue] = mood_colour(mood);
    let own = Color32::from_rgb(red, green, blue);
    let part = |need: u16| f32::from(need) / FULL as f32;
    let needs = [
        ("mood", format!("{mood:+.2}"), 0.5 + 0.5 * mood, own),
        ("health", format!("{:.2}", part(life.health)), part(life.health), INK.gamma_multiply(0.8)),
        ("hunger", format!("{:.2}", part(life.hunger)), part(life.hunger), INK.gamma_multiply(0.8)),
    ];
    let traits = Trait::ALL.iter().zip(life.dna).map(|(of, byte)| {
        let number = trait_text(*of, rules.in_unit(*of, byte));
        (of.name(), number, f32::from(byte) / 255.0, INK.gamma_multiply(0.45))
    });
    (text, own, needs.into_iter().chain(traits).collect())
}

/// The age of an individual at a step, and its parent.
pub fn age_text(origin: &LifeOrigin, number: u32, step: u64) -> String {
    let age = grouped(step.saturating_sub(origin.born));
    let age = if origin.is_older { format!("more than {age} steps old") } else { format!("{age} steps old") };
    match origin.parent {
        Some(parent) if parent == number => format!("{age}, born again as itself"),
        Some(parent) => format!("{age}, child of {}", grouped(parent.into())),
        None => age,
    }
}

/// The height of the part of a card about an individual's life, in logical pixels.
pub const HEIGHT: f32 = LINE * (2 + 3 + Trait::ALL.len()) as f32;

/// Draws the life of an individual on a card: its condition, and a bar for each of its needs and traits. `at`: the
/// upper left corner.
pub fn card(painter: &Painter, at: Pos2, life: &Life, rules: &LifeRules) {
    let (condition, own, quantities) = card_rows(life, rules);
    line(painter, at, &condition, own);
    for (index, (name, number, part, ink)) in quantities.into_iter().enumerate() {
        // The traits stand a little below the needs.
        let left = at + vec2(0.0, LINE * (index as f32 + 1.2 + if index < 3 { 0.0 } else { 0.4 }));
        line(painter, left, name, INK.gamma_multiply(0.75));
        let place = Rect::from_min_size(left + vec2(BARS, 5.0), vec2(BAR, 5.0));
        painter.rect_filled(place, 2.0, INK.gamma_multiply(0.12));
        painter.rect_filled(Rect::from_min_size(place.min, vec2(part * BAR, 5.0)), 2.0, ink);
        line(painter, left + vec2(BARS + BAR + 10.0, 0.0), &number, INK.gamma_multiply(0.85));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use murmuration_core::preset::{Overrides, Preset};

    fn rules() -> LifeRules {
        let preset = Preset::load(crate::host(), "moods", &Overrides::default()).unwrap();
        preset.individuals.unwrap().first().lives.unwrap()
    }

    #[test]
    fn the_legend_has_the_colours_of_the_picture_and_counts_everybody() {
        let lives = LifeMeasures { counts: [30, 50, 15, 5], ..LifeMeasures::default() };
        let rows = rows(&lives);
        assert_eq!(
            rows.map(|(condition, count, _)| (condition.name(), count)),
            [("happy", 30), ("neutral", 50), ("depressed", 15), ("perishing", 5)]
        );
        assert_eq!(rows.map(|(.., part)| part), [0.30, 0.50, 0.15, 0.05]);
        let [happy, neutral, depressed, perishing] = Condition::ALL.map(colour);
        assert!(happy.r() > happy.g() && happy.g() > happy.b() + 60, "{happy:?} is orange");
        assert!(depressed.b() > depressed.g() && depressed.g() > depressed.r(), "{depressed:?} is blue");
        assert!(neutral.r() > 200 && neutral.r() > neutral.g() && neutral.b() > 170, "{neutral:?} is pinkish white");
        assert!(perishing.a() < 160, "{perishing:?} fades");
        assert!(super::rows(&LifeMeasures::default()).iter().all(|(_, count, part)| (*count, *part) == (0, 0.0)));
    }

    #[test]
    fn a_histogram_is_as_high_as_its_fullest_bin() {
        let mut of = TraitMeasures::default();
        assert_eq!(heights(of.bins), [0.0; BINS], "nobody lives");
        (of.bins[0], of.bins[15]) = (10, 40);
        let expected: [f32; BINS] =
            std::array::from_fn(|bin| [0.25, 1.0, 0.0][[0, 15].iter().position(|at| *at == bin).unwrap_or(2)]);
        assert_eq!(heights(of.bins), expected);
        assert_eq!(
            (trait_text(Trait::Disposition, 0.125), trait_text(Trait::Speed, 0.5)),
            ("+0.12".into(), "0.50".into())
        );
    }

    #[test]
    fn the_card_tells_the_age_and_the_parent() {
        let origin = |is_older: bool, parent: Option<u32>| LifeOrigin { born: 40, is_older, parent };
        for (origin, expected) in [
            (origin(true, None), "more than 1 200 steps old"),
            (origin(false, None), "1 200 steps old"),
            (origin(false, Some(7)), "1 200 steps old, born again as itself"),
            (origin(false, Some(1234)), "1 200 steps old, child of 1 234"),
        ] {
            assert_eq!(age_text(&origin, 7, 1240), expected);
        }
    }

    #[test]
    fn the_card_tells_needs_and_traits_and_how_long_one_perishes() {
        let rules = rules();
        let life = Life { dna: [0, 255, 0, 0, 255, 0], hunger: 16_384, health: 65_535, mood: 8192, ..Life::default() };
        let (condition, _, quantities) = card_rows(&life, &rules);
        assert_eq!(condition, "happy");
        let names: Vec<&str> = quantities.iter().map(|(name, ..)| *name).collect();
        assert_eq!(names[..3], ["mood", "health", "hunger"]);
        assert_eq!(names[3..], ["speed", "force", "sight", "disposition", "health", "appetite"]);
        let numbers: Vec<&str> = quantities.iter().map(|(_, number, ..)| number.as_str()).collect();
        assert_eq!(numbers[..3], ["+0.50", "1.00", "0.25"]);
        assert_eq!((quantities[0].2, quantities[3].2, quantities[4].2), (0.75, 0.0, 1.0));
        let expected = |of: Trait, byte: u8| rules.as_number(of, byte);
        assert_eq!(numbers[3], format!("{:.2}", expected(Trait::Speed, 0)));
        assert_eq!(numbers[8], format!("{:.2}", 1000.0 * expected(Trait::Appetite, 0)));
        let dying = Life { health: 0, perishing: 45, mood: -9000, ..life };
        assert_eq!(card_rows(&dying, &rules).0, format!("perishing: 45 of {} steps left", rules.perishing));
    }
}
