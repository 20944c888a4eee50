//! The choice of the engine for the running swarm.

use super::action::Action;
use crate::engine::Dispatch;
use crate::engine::cpu;
use crate::simulation::{EngineChoice, WORKGROUP};
use egui::{DragValue, Ui};
use std::mem::discriminant;

/// The number of threads while it is dragged.
#[derive(Default)]
pub struct Engines {
    threads: Option<usize>,
}

impl Engines {
    /// Shows the engines; `present` is in use.
    pub fn show(&mut self, ui: &mut Ui, present: EngineChoice, actions: &mut Vec<Action>) {
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
        // A new engine is made only when the number is no longer dragged.
        if !response.dragged()
            && !response.has_focus()
            && let Some(threads) = self.threads.take()
            && threads != present
        {
            actions.push(Action::Engine(EngineChoice::Cpu(cpu::Options { threads: Some(threads), ..options })));
        }
    }
}

/// Whether two choices are the same kind of engine.
fn is_alike(one: EngineChoice, other: EngineChoice) -> bool {
    let of = |choice| match choice {
        EngineChoice::Gpu(dispatch) => Some(discriminant(&dispatch)),
        _ => None,
    };
    discriminant(&one) == discriminant(&other) && of(one) == of(other)
}
