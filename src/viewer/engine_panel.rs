//! The section of the panel about the engine: the choice of the engine, the account of the swarm, and the times of the
//! passes of a step.

use super::ACCOUNT_ROWS;
use super::action::Action;
use super::frame_input::FrameInput;
use crate::controller::Snapshot;
use egui::{DragValue, RichText, Sense, Ui, vec2};
use murmuration_core::engine::{Dispatch, cpu};
use murmuration_core::simulation::{EngineChoice, WORKGROUP};
use murmuration_core::state::Entry;
use murmuration_core::text::readable::{boids, grouped, rate};
use std::mem::discriminant;

/// The section of the panel about the engine.
#[derive(Default)]
pub struct EnginePanel {
    /// The number of threads while the user changes it; `None`: the user does not change it.
    threads: Option<usize>,
}

impl EnginePanel {
    pub fn show(&mut self, ui: &mut Ui, input: &FrameInput<'_>, actions: &mut Vec<Action>) {
        self.engines(ui, input.snapshot.info.choice, actions);
        account(ui, input);
        passes(ui, &input.snapshot.passes);
    }

    /// Shows the choice of engines. `present`: the engine that plays.
    fn engines(&mut self, ui: &mut Ui, present: EngineChoice, actions: &mut Vec<Action>) {
        let compute = Dispatch::Compute { workgroup: WORKGROUP };
        let cpu = EngineChoice::Cpu(cpu::Options::default());
        let all = [
            ("cpu", cpu, "on the processor's cores"),
            ("gpu compute", EngineChoice::Gpu(compute), "on the graphics device, by compute dispatches"),
            (
                "gpu fragment",
                EngineChoice::Gpu(Dispatch::Fragment),
                "on the graphics device, by render passes: the paper's way",
            ),
        ];
        ui.horizontal(|ui| {
            for (name, choice, meaning) in all {
                let is_present = is_alike(choice, present);
                let meaning = format!("{meaning}; the same swarm goes on, to the same bits");
                if ui.selectable_label(is_present, name).on_hover_text(meaning).clicked() && !is_present {
                    actions.push(Action::Engine(choice));
                }
            }
        });
        if let EngineChoice::Cpu(options) = present {
            ui.horizontal(|ui| self.threads(ui, options, actions));
        }
    }

    fn threads(&mut self, ui: &mut Ui, options: cpu::Options, actions: &mut Vec<Action>) {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let present = options.threads.unwrap_or(cores);
        let mut threads = self.threads.unwrap_or(present);
        ui.label("threads");
        let response = ui.add(DragValue::new(&mut threads).range(1..=cores.max(present)).speed(0.05));
        ui.label(format!("of {cores}"));
        if response.changed() {
            self.threads = Some(threads);
        }
        // A new engine is created only when the user has finished changing the number.
        if !response.dragged()
            && !response.has_focus()
            && let Some(threads) = self.threads.take()
            && threads != present
        {
            actions.push(Action::Engine(EngineChoice::Cpu(cpu::Options { threads: Some(threads), ..options })));
        }
    }
}

/// Shows a description of the engine, and the amounts of the account.
fn account(ui: &mut Ui, input: &FrameInput<'_>) {
    let Snapshot { info, account, .. } = input.snapshot;
    let extents = info.world.extents;
    let cells_a_second = input.snapshot.steps_a_second * extents.cells() as f64;
    let rows = [
        ("engine", format!("{} · {}", info.engine, info.hardware)),
        ("drawn by", input.adapter.to_owned()),
        ("lattice", extents.to_string().replace('x', " × ")),
        ("rate", rate(cells_a_second, "cell")),
        ("start", boids(account.ledger.sum(Entry::Start))),
        ("spawned", boids(account.ledger.sum(Entry::Spawned))),
        ("caught", boids(account.ledger.sum(Entry::Caught))),
        ("now", boids(account.quanta)),
        ("quanta", grouped(account.quanta)),
    ];
    let of_features = ACCOUNT_ROWS.iter().filter(|(is_shown, _)| is_shown(input.snapshot)).flat_map(|(_, rows)| *rows);
    let of_features = of_features.map(|(name, value)| (*name, value(&account.ledger)));
    egui::Grid::new("engine").num_columns(2).spacing(vec2(12.0, 3.0)).show(ui, |ui| {
        for (name, value) in rows.into_iter().chain(of_features) {
            ui.label(RichText::new(name).weak());
            ui.add(egui::Label::new(value).wrap());
            ui.end_row();
        }
    });
}

/// Shows the time of each pass of a step, if the engine measures times.
fn passes(ui: &mut Ui, passes: &[(String, f64)]) {
    if passes.is_empty() {
        return;
    }
    ui.add_space(4.0);
    ui.label(RichText::new("milliseconds a step, by pass").small());
    let whole: f64 = passes.iter().map(|(_, seconds)| seconds).sum();
    egui::Grid::new("passes").num_columns(3).spacing(vec2(12.0, 2.0)).show(ui, |ui| {
        for (name, seconds) in passes.iter().map(|(name, seconds)| (name.as_str(), *seconds)).chain([("all", whole)]) {
            ui.label(RichText::new(name).weak());
            ui.label(format!("{:.3}", 1e3 * seconds));
            let (place, _) = ui.allocate_exact_size(vec2(110.0, 10.0), Sense::hover());
            let part = if whole > 0.0 { (seconds / whole) as f32 } else { 0.0 };
            let bar = egui::Rect::from_min_size(place.min, vec2(part * place.width(), place.height()));
            ui.painter().rect_filled(bar, 2.0, ui.visuals().selection.bg_fill);
            ui.end_row();
        }
    });
}

/// Whether two choices are the same kind of engine, for example with different numbers of threads.
fn is_alike(one: EngineChoice, other: EngineChoice) -> bool {
    let of = |choice| match choice {
        EngineChoice::Gpu(dispatch) => Some(discriminant(&dispatch)),
        _ => None,
    };
    discriminant(&one) == discriminant(&other) && of(one) == of(other)
}
