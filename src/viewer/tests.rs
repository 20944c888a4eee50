//! The panel and the help as pictures, in the dark and in the light, and what their controls ask for.
//!
//! The pictures are in `tests/snapshots/`; `UPDATE_SNAPSHOTS=1 cargo test --lib viewer::tests` makes them anew.

use super::comparison_panel::ComparisonPanel;
use super::film_panel::FilmSettings;
use super::hand::Hand;
use super::interface::BREADTH;
use super::panel::{Panel, PanelAction, Shown};
use super::play::{Pace, Snapshot};
use super::plot::History;
use super::scene::{Facts, Scene};
use super::settings::Value;
use super::sides::{Arrangement, Models};
use super::{help, style};
use crate::engine::cpu;
use crate::look::Camera;
use crate::observe::Observation;
use crate::preset::Overrides;
use crate::simulation::EngineChoice;
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT, Queryable};
use egui_kittest::{Harness, SnapshotOptions};
use glam::{uvec2, vec2};
use std::sync::Arc;

/// A panel with what it shows, and what it asked for.
struct Desk {
    panel: Panel,
    hand: Hand,
    film: FilmSettings,
    history: History,
    comparison_panel: ComparisonPanel,
    snapshot: Snapshot,
    wishes: Vec<PanelAction>,
}

impl Desk {
    fn new(preset: &str) -> Self {
        let scene = Scene {
            preset: preset.into(),
            overrides: Overrides { size: Some((64, 64)), ..Overrides::default() },
            chain: None,
            choice: EngineChoice::Cpu(cpu::Options { threads: Some(1), instruction_set: None }),
            replay: None,
        };
        let mut simulation = scene.begin().unwrap();
        let (state, account) = (simulation.state().unwrap(), simulation.account().unwrap());
        let (rules, world) = (&simulation.preset().rules, &simulation.preset().world);
        // The machine that runs the tests is none of the picture's business.
        let facts = Facts { machine: "2 threads, AVX-512".into(), ..Facts::of(&simulation, None) };
        let snapshot = Snapshot {
            metrics: Arc::new(Observation::of(0, &state, world, rules, &account.ledger)),
            state: Arc::new(state),
            agents: None,
            beside: None,
            comparison_panel: None,
            step: 0,
            account,
            facts: Arc::new(facts),
            is_paused: false,
            watched: None,
            probe: None,
            passes: Arc::default(),
            steps_a_second: 60.0,
            heard: 0,
            scene: 0,
            reloads: 0,
        };
        let mut panel = Panel::default();
        panel.notice(&snapshot);
        let (hand, film) = (Hand::new(), FilmSettings::new());
        let (history, comparison_panel) = (History::default(), ComparisonPanel::default());
        Self { panel, hand, film, history, comparison_panel, snapshot, wishes: Vec::new() }
    }

    fn show(&mut self, ui: &mut egui::Ui) {
        let Self { panel, hand, film, history, comparison_panel, snapshot, wishes } = self;
        let camera = Camera { centre: vec2(32.0, 32.0), pixels_per_cell: 8.0 };
        let arrangement = Arrangement {
            size: uvec2(800, 512),
            camera,
            orbit: None,
            models: Models::Played,
            divider: 0.5,
            covered: 0,
        };
        let (pace, adapter) = (Pace::USUAL, "an adapter");
        let shown =
            Shown { snapshot, history, comparison_panel, is_paused: false, arrangement: &arrangement, pace, adapter };
        let frame = egui::Frame::new().fill(ui.visuals().panel_fill).inner_margin(egui::vec2(14.0, 6.0));
        frame.show(ui, |ui| panel.show(ui, &shown, hand, film, wishes));
    }
}

fn harness(preset: &str, theme: egui::Theme, height: f32) -> Harness<'static, Desk> {
    Harness::builder()
        .with_size(egui::vec2(BREADTH, height))
        .with_theme(theme)
        .with_context_setup(move |context| {
            style::set_up(context);
            context.set_theme(theme);
        })
        .build_ui_state(|ui, desk: &mut Desk| desk.show(ui), Desk::new(preset))
}

/// Another adapter may round the rims of letters another way.
fn options() -> SnapshotOptions {
    SnapshotOptions::new().threshold(1.0).max_failed_pixels(60)
}

fn panel_picture(name: &str, theme: egui::Theme) {
    let mut harness = harness("fog", theme, 1180.0);
    for section in ["Sight", "Movement", "World", "Hunt", "Look"] {
        harness.get_by_label(section).click();
        harness.run_ok();
    }
    harness.remove_cursor();
    harness.run_ok();
    harness.snapshot_options(name, &options());
}

#[test]
fn the_panel_looks_as_it_did_in_the_dark() {
    panel_picture("panel-dark", egui::Theme::Dark);
}

#[test]
fn the_panel_looks_as_it_did_in_the_light() {
    panel_picture("panel-light", egui::Theme::Light);
}

#[test]
fn the_help_looks_as_it_did() {
    let mut harness = Harness::builder()
        .with_size(egui::vec2(900.0, 600.0))
        .with_context_setup(style::set_up)
        .build_ui(|ui| help::show(ui, ui.available_rect_before_wrap()));
    harness.run_ok();
    harness.snapshot_options("help", &options());
}

/// What the panel asks for when something is done to it.
fn wishes(harness: &mut Harness<'_, Desk>, act: impl FnOnce(&mut Harness<'_, Desk>)) -> Vec<PanelAction> {
    harness.state_mut().wishes.clear();
    act(harness);
    harness.run_ok();
    std::mem::take(&mut harness.state_mut().wishes)
}

#[test]
fn buttons_ask_for_what_they_say() {
    let mut harness = harness("droplets", egui::Theme::Dark, 900.0);
    for (label, wish) in [
        ("pause", PanelAction::Pause(true)),
        ("step", PanelAction::Step),
        ("undo", PanelAction::Undo),
        ("round", PanelAction::Round),
        ("keys", PanelAction::Help),
        ("next", PanelAction::Restart(Some(2))),
        ("restart", PanelAction::Restart(None)),
        ("+", PanelAction::Pace(Pace::USUAL.faster(1))),
        ("−", PanelAction::Pace(Pace::USUAL.faster(-1))),
    ] {
        let asked = wishes(&mut harness, |harness| harness.get_by_role_and_label(Role::Button, label).click());
        assert_eq!(asked, [wish], "{label}");
    }
    let asked = wishes(&mut harness, |harness| harness.get_by_label("ribbons").click());
    assert_eq!(asked, [PanelAction::Preset("ribbons")]);
}

#[test]
fn a_preset_of_cells_can_be_played_beside_its_individuals_and_one_of_individuals_can_be_seen_in_depth() {
    let mut cells = harness("droplets", egui::Theme::Dark, 1180.0);
    cells.get_by_label("Compare").click();
    cells.run_ok();
    for (label, models) in [("both", Models::Both), ("individuals", Models::Beside)] {
        assert_eq!(wishes(&mut cells, |harness| harness.get_by_label(label).click()), [PanelAction::Models(models)]);
    }
    assert_eq!(wishes(&mut cells, |harness| harness.get_by_label("cells").click()), [], "they are shown already");
    let mut school = harness("school", egui::Theme::Dark, 1180.0);
    assert!(school.query_by_label("Compare").is_none(), "there are no cells beside them");
    school.get_by_label("Look").click();
    school.run_ok();
    assert_eq!(
        wishes(&mut school, |harness| harness.get_by_label("in depth (d)").click()),
        [PanelAction::Around(true)]
    );
}

#[test]
fn a_slider_sets_its_key_and_a_reset_takes_it_back() {
    let mut harness = harness("droplets", egui::Theme::Dark, 900.0);
    let asked = wishes(&mut harness, |harness| {
        let sliders: Vec<_> = harness.get_all_by_role(Role::Slider).collect();
        // The first of the rules in their alphabet.
        sliders[0].focus();
        harness.run_ok();
        harness.key_press(egui::Key::ArrowRight);
    });
    let [PanelAction::Set(key, Value::Number(number))] = asked.as_slice() else { panic!("{asked:?}") };
    assert!(key == "weights.alignment" && *number > 0.5, "{asked:?}");
    // The panel shows what was asked for until a snapshot brings it, and the way back.
    harness.state_mut().panel.asked("weights.alignment", &Value::Number(*number), 1);
    harness.run_ok();
    let shown = harness.get_all_by_role(Role::Slider).next().unwrap().accesskit_node().numeric_value();
    assert_eq!(shown, Some(*number));
    let asked = wishes(&mut harness, |harness| harness.get_by_label("reset alignment").click());
    assert_eq!(asked, [PanelAction::Set("weights.alignment".into(), Value::Number(0.5))]);
}
