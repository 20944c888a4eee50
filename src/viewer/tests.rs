//! Snapshot tests of the panel in both themes and of the help, and tests of the requests of their controls.
//!
//! The pictures are in `tests/snapshots/`; `UPDATE_SNAPSHOTS=1 cargo test --lib viewer::tests` updates them.

use super::action::{Action, CurveForm};
use super::cursor::Cursor;
use super::curves::{Charts, MeasureHistory};
use super::frame_input::FrameInput;
use super::interface::BREADTH;
use super::panel::Panel;
use super::sides::{Arrangement, Model, Models, Side};
use super::{keys, rays, theme};
use crate::controller::testing::{Stage, scene};
use crate::controller::{Pace, SceneChange, SceneInfo, Snapshot};
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT, Queryable};
use egui_kittest::{Harness, SnapshotOptions};
use glam::{UVec2, UVec3, Vec3, uvec2, vec2};
use murmuration_core::individuals::find::Individual;
use murmuration_core::preset::keys::Value;
use murmuration_core::simulation::probe::IndividualProbe;
use murmuration_core::terrain::Habitat;
use murmuration_core::terrain::rays::{RayNumbers, Rays};
use murmuration_core::world::{Edges, Space};
use murmuration_gpu::look::{Camera, Orbit, Pane};
use std::sync::Arc;

/// A panel, its inputs and its requests.
struct PanelFixture {
    panel: Panel,
    cursor: Cursor,
    snapshot: Snapshot,
    actions: Vec<Action>,
}

impl PanelFixture {
    fn new(preset: &str) -> Self {
        let mut snapshot = Stage::new(scene(preset, 64)).snapshot();
        // The picture must not depend on the machine that runs the test.
        let hardware = "2 threads, AVX-512".into();
        snapshot.info = Arc::new(SceneInfo { hardware, ..(*snapshot.info).clone() });
        snapshot.steps_a_second = 60.0;
        let mut panel = Panel::default();
        panel.update(&snapshot);
        Self { panel, cursor: Cursor::new(), snapshot, actions: Vec::new() }
    }

    fn show(&mut self, ui: &mut egui::Ui) {
        let Self { panel, cursor, snapshot, actions } = self;
        let camera = Camera { centre: vec2(32.0, 32.0), pixels_per_cell: 8.0 };
        let arrangement = Arrangement {
            size: uvec2(800, 512),
            camera,
            orbit: None,
            school: None,
            models: Models::Main,
            divider: 0.5,
            covered: 0,
            depth: Default::default(),
            is_sideways: false,
        };
        let input = FrameInput {
            snapshot,
            arrangement: &arrangement,
            is_dividing: false,
            frames_a_second: 60,
            is_paused: false,
            pace: Pace::USUAL,
            is_in_page: false,
            can_verify: false,
            adapter: "an adapter",
            top_of_scale: None,
        };
        let frame = egui::Frame::new().fill(ui.visuals().panel_fill).inner_margin(egui::vec2(14.0, 6.0));
        frame.show(ui, |ui| panel.show(ui, &input, cursor, actions));
    }
}

fn harness(preset: &str, theme: egui::Theme, height: f32) -> Harness<'static, PanelFixture> {
    Harness::builder()
        .with_size(egui::vec2(BREADTH, height))
        .with_theme(theme)
        .with_context_setup(move |context| {
            theme::set_up(context);
            context.set_theme(theme);
        })
        .build_ui_state(|ui, fixture: &mut PanelFixture| fixture.show(ui), PanelFixture::new(preset))
}

/// Adapters rasterise the edges of letters differently.
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
        .with_context_setup(theme::set_up)
        .build_ui(|ui| keys::show_help(ui, ui.available_rect_before_wrap(), &keys::KeyboardLayout::default()));
    harness.run_ok();
    harness.snapshot_options("help", &options());
}

#[test]
fn the_help_shows_the_characters_of_another_layout() {
    // The font has no Arabic letters.
    let characters = [("b", "и"), ("s", "ы"), ("[", "х"), ("1", "&"), ("2", "é"), ("z", "ظ")];
    let keyboard = keys::KeyboardLayout::from_characters(&characters);
    let mut harness = Harness::builder()
        .with_size(egui::vec2(900.0, 600.0))
        .with_context_setup(theme::set_up)
        .build_ui(|ui| keys::show_help(ui, ui.available_rect_before_wrap(), &keyboard));
    harness.run_ok();
    for row in ["b  и", "Ctrl-S  ы", "[  ]  х", "1 – 9  &  é", "z"] {
        assert!(harness.query_by_label(row).is_some(), "there is no {row}");
    }
    harness.snapshot_options("help-layout", &options());
}

/// A fish with rock on its left, seen from behind and above.
fn probe_of_fish() -> IndividualProbe {
    let space = Space { extents: [60, 40, 30], edges: Edges::Walls };
    let view = 120 * (u32::MAX / 360);
    let numbers = RayNumbers { count: 100, view, least: 0, reach: 12 << 8, clearance: 8, growth: 0 };
    let mut columns = vec![false; 60 * 40];
    (0..60 * 40).filter(|cell| cell % 60 > 34 && cell / 60 < 24).for_each(|cell| columns[cell] = true);
    let habitat = Habitat::new(space, columns).with_obstacles(None, Some(Arc::new(Rays::new(numbers, 3))));
    let individual =
        Individual { number: 4211, place: [28 << 16, 20 << 16, 15 << 16], velocity: [4000, -300, 200], life: None };
    IndividualProbe::new(100, individual, &habitat)
}

#[test]
fn the_probe_of_a_fish_looks_as_it_did() {
    let mut snapshot = PanelFixture::new("school").snapshot;
    snapshot.info = Arc::new(SceneInfo { depth: 30, ..(*snapshot.info).clone() });
    let size = uvec2(720, 480);
    let mut orbit = Orbit::fit(UVec3::new(60, 40, 30), size);
    orbit.target = Vec3::new(30.0, 20.0, 15.0);
    (orbit.yaw, orbit.pitch, orbit.distance) = (0.5, 0.6, 45.0);
    let pane = Pane { origin: UVec2::ZERO, size };
    let side = Side { model: Model::Main, pane, transform: orbit.into(), depth: Default::default() };
    let mut harness =
        Harness::builder().with_size(egui::vec2(720.0, 480.0)).with_context_setup(theme::set_up).build_ui(|ui| {
            let area = ui.available_rect_before_wrap();
            ui.painter().rect_filled(area, 0.0, egui::Color32::from_rgb(12, 24, 40));
            rays::show(ui.painter(), area, &probe_of_fish(), &side, &snapshot);
        });
    harness.run_ok();
    harness.snapshot_options("probe-fish", &options());
}

/// The window with curves, over a run in which a crowd becomes a mill.
struct ChartsFixture {
    charts: Charts,
    history: MeasureHistory,
    actions: Vec<Action>,
}

fn charts_harness(size: egui::Vec2, theme: egui::Theme, rows: u64) -> Harness<'static, ChartsFixture> {
    let mut history = MeasureHistory::default();
    for row in 0..rows {
        let part = row as f64 / rows as f64;
        let jitter = 0.06 * ((row * 7919 % 101) as f64 / 101.0 - 0.5);
        let values = [
            ("boids", 16_000.0),
            ("polarisation", (1.0 - part).powi(2) + jitter),
            ("mean_speed", 0.4 + 0.1 * (20.0 * part).sin() + 0.2 * jitter),
            ("milling", part.sqrt() * 0.9 + jitter),
        ];
        history.update(1, 12 * row, values.map(|(name, value)| (name.to_owned(), Some(value))).into());
    }
    let mut charts = Charts::default();
    charts.is_open = true;
    let fixture = ChartsFixture { charts, history, actions: Vec::new() };
    let show = |ui: &mut egui::Ui, fixture: &mut ChartsFixture| {
        let area = ui.available_rect_before_wrap();
        ui.painter().rect_filled(area, 0.0, egui::Color32::from_rgb(12, 24, 40));
        fixture.charts.show(ui.ctx(), area, &fixture.history, &mut fixture.actions);
    };
    Harness::builder()
        .with_size(size)
        .with_theme(theme)
        .with_context_setup(move |context| {
            theme::set_up(context);
            context.set_theme(theme);
        })
        .build_ui_state(show, fixture)
}

#[test]
fn the_curves_look_as_they_did() {
    let mut wide = charts_harness(egui::vec2(900.0, 560.0), egui::Theme::Dark, 6000);
    wide.run_ok();
    wide.hover_at(egui::pos2(300.0, 200.0));
    wide.run_ok();
    wide.snapshot_options("curves", &options());
    wide.get_by_label("phase portrait").click();
    wide.remove_cursor();
    wide.run_ok();
    wide.snapshot_options("curves-portrait", &options());
}

#[test]
fn the_curves_fit_into_a_small_window() {
    let mut narrow = charts_harness(egui::vec2(340.0, 420.0), egui::Theme::Light, 300);
    narrow.run_ok();
    narrow.snapshot_options("curves-narrow", &options());
}

#[test]
fn curves_are_chosen_from_a_list_and_saved() {
    let mut harness = charts_harness(egui::vec2(900.0, 560.0), egui::Theme::Dark, 50);
    for (label, form) in [("CSV", CurveForm::Table), ("SVG", CurveForm::Pictures)] {
        harness.get_by_label(label).click();
        harness.run_ok();
        assert_eq!(std::mem::take(&mut harness.state_mut().actions), [Action::SaveCurves(form)]);
    }
    harness.get_by_label("measures…").click();
    harness.run_ok();
    harness.get_by_role_and_label(Role::CheckBox, "milling").click();
    harness.run_ok();
    harness.get_by_role_and_label(Role::CheckBox, "mean speed, cell/step").click();
    harness.run_ok();
    assert_eq!(harness.state().charts.shown(), Ok(&["polarisation".to_owned(), "milling".to_owned()][..]));
    harness.get_by_label("phase portrait").click();
    harness.run_ok();
    assert!(harness.state().charts.shown().is_err_and(|portrait| portrait.across == "polarisation"));
}

/// The requests of the panel after `act`.
fn actions(harness: &mut Harness<'_, PanelFixture>, act: impl FnOnce(&mut Harness<'_, PanelFixture>)) -> Vec<Action> {
    harness.state_mut().actions.clear();
    act(harness);
    harness.run_ok();
    std::mem::take(&mut harness.state_mut().actions)
}

#[test]
fn buttons_ask_for_what_they_say() {
    let mut harness = harness("droplets", egui::Theme::Dark, 900.0);
    for (label, action) in [
        ("pause", Action::Pause),
        ("step", Action::Step),
        ("undo", Action::Undo),
        ("round", Action::Round),
        ("keys", Action::Help),
        ("next", Action::Restart(SceneChange { seed: Some(2), ..SceneChange::default() })),
        ("restart", Action::BeginAgain),
        ("+", Action::Faster(1)),
        ("−", Action::Faster(-1)),
    ] {
        let asked = actions(&mut harness, |harness| harness.get_by_role_and_label(Role::Button, label).click());
        assert_eq!(asked, [action], "{label}");
    }
    let asked = actions(&mut harness, |harness| harness.get_by_label("ribbons").click());
    assert_eq!(asked, [Action::Preset(6)]);
    assert_eq!(crate::host().library().preset_names().nth(6), Some("ribbons"));
}

#[test]
fn a_preset_of_cells_can_be_played_beside_its_individuals_and_one_of_individuals_can_be_seen_in_depth() {
    let mut cells = harness("droplets", egui::Theme::Dark, 1180.0);
    cells.get_by_label("Compare").click();
    cells.run_ok();
    for (label, models) in [("both", Models::Both), ("individuals", Models::Individuals)] {
        assert_eq!(actions(&mut cells, |harness| harness.get_by_label(label).click()), [Action::Models(models)]);
    }
    assert_eq!(actions(&mut cells, |harness| harness.get_by_label("cells").click()), [], "they are shown already");
    let mut school = harness("school", egui::Theme::Dark, 1180.0);
    assert!(school.query_by_label("Compare").is_none(), "there are no cells beside them");
    school.get_by_label("Look").click();
    school.run_ok();
    assert_eq!(actions(&mut school, |harness| harness.get_by_label("in depth (d)").click()), [Action::Depth]);
}

#[test]
fn the_style_is_chosen_in_the_panel() {
    let mut harness = harness("droplets", egui::Theme::Dark, 1180.0);
    harness.get_by_label("Look").click();
    harness.run_ok();
    harness.get_by_role_and_label(Role::ComboBox, "style").click();
    harness.run_ok();
    let asked = actions(&mut harness, |harness| harness.get_by_label("dusk").click());
    assert_eq!(asked, [Action::Set("look.style".into(), Value::Word("dusk"))]);
}

#[test]
fn a_slider_sets_its_key_and_a_reset_takes_it_back() {
    let mut harness = harness("droplets", egui::Theme::Dark, 900.0);
    let asked = actions(&mut harness, |harness| {
        let sliders: Vec<_> = harness.get_all_by_role(Role::Slider).collect();
        // The first rule in alphabetical order.
        sliders[0].focus();
        harness.run_ok();
        harness.key_press(egui::Key::ArrowRight);
    });
    let [Action::Set(key, Value::Number(number))] = asked.as_slice() else { panic!("{asked:?}") };
    assert!(key == "weights.alignment" && *number > 0.5, "{asked:?}");
    // The panel shows requested values until a snapshot contains them. A reset is a request too.
    harness.state_mut().panel.set_pending(&[(key.clone(), Value::Number(*number))], 1);
    harness.run_ok();
    let shown = harness.get_all_by_role(Role::Slider).next().unwrap().accesskit_node().numeric_value();
    assert_eq!(shown, Some(*number));
    let asked = actions(&mut harness, |harness| harness.get_by_label("reset alignment").click());
    assert_eq!(asked, [Action::Set("weights.alignment".into(), Value::Number(0.5))]);
}
