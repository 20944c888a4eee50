//! What is measured of a running simulation now and then: metrics, the times of the passes, and the probe.

use crate::error::Failure;
use crate::numbers::Cell;
use crate::observe::Observation;
use crate::simulation::Simulation;
use crate::simulation::probe::Probe;
use crate::state::{Ledger, State};
use std::sync::Arc;
use std::time::Duration;

/// The time between two measurements; the metrics read every cell.
const INTERVAL: Duration = Duration::from_millis(120);
/// The weight of a new pass time in the smoothed one.
const SMOOTHING: f64 = 0.15;

/// The last measurements.
pub struct Readings {
    pub metrics: Arc<Observation>,
    /// Kernel and seconds per step of each pass, smoothed.
    pub passes: Arc<Vec<(String, f64)>>,
    pub probe: Option<Arc<Probe>>,
    /// The cell to probe.
    probed: Option<Cell>,
    /// When the metrics were taken; `None`: they are due.
    taken: Option<Duration>,
}

impl Readings {
    /// The readings of a simulation before its first step.
    pub fn new(simulation: &Simulation) -> Self {
        let start = &simulation.preset().start;
        let ledger = Ledger { start: start.total(), ..Ledger::default() };
        Self {
            metrics: Arc::new(observe(simulation, start, &ledger)),
            passes: Arc::default(),
            probe: None,
            probed: None,
            taken: None,
        }
    }

    /// Another scene has begun: the next measurement is due.
    pub fn reset(&mut self) {
        self.taken = None;
    }

    /// Sets the cell to probe.
    pub fn set_probe(&mut self, cell: Option<Cell>) {
        self.probed = cell;
    }

    /// Measures if that is due or `is_forced`; the probe also if its cell has changed.
    ///
    /// # Errors
    /// If the probe fails; it is then switched off.
    pub fn update(
        &mut self,
        simulation: &mut Simulation,
        state: &State,
        ledger: &Ledger,
        now: Duration,
        is_forced: bool,
    ) -> Result<(), Failure> {
        let is_due = is_forced || self.taken.is_none_or(|taken| now.saturating_sub(taken) >= INTERVAL);
        if is_due {
            self.metrics = Arc::new(observe(simulation, state, ledger));
            self.taken = Some(now);
            self.update_passes(simulation);
        }
        if is_due || self.probed != self.probe.as_ref().map(|probe| probe.cell) {
            self.update_probe(simulation, state)?;
        }
        Ok(())
    }

    fn update_passes(&mut self, simulation: &Simulation) {
        let now = simulation.seconds_by_pass();
        let is_known = self.passes.iter().map(|(name, _)| name.as_str()).eq(now.iter().map(|(name, _)| *name));
        let weight = if is_known { SMOOTHING } else { 1.0 };
        let before = self.passes.iter().map(|(_, seconds)| *seconds).chain(std::iter::repeat(0.0));
        let smoothed = now
            .iter()
            .zip(before)
            .map(|((name, seconds), before)| (name.to_string(), before + weight * (seconds - before)));
        self.passes = Arc::new(smoothed.collect());
    }

    fn update_probe(&mut self, simulation: &mut Simulation, state: &State) -> Result<(), Failure> {
        let extents = state.extents.as_cell();
        let cell = self.probed.filter(|cell| (0..2).all(|axis| (0..extents[axis]).contains(&cell[axis])));
        let probe = cell.map(|cell| simulation.probe(state, cell)).transpose();
        self.probe = probe.inspect_err(|_| (self.probed, self.probe) = (None, None))?.map(Arc::new);
        Ok(())
    }
}

fn observe(simulation: &Simulation, state: &State, ledger: &Ledger) -> Observation {
    let preset = simulation.preset();
    Observation::of(simulation.step(), state, &preset.world, &preset.rules, ledger)
}
