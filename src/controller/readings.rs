//! What is measured of a running simulation now and then: metrics, the times of the passes, and the probe.

use crate::error::Failure;
use crate::look::SwarmSource;
use crate::numbers::Cell;
use crate::observe::{Observation, sums_of};
use crate::simulation::Simulation;
use crate::simulation::probe::Probe;
use crate::state::Ledger;
use std::sync::Arc;
use std::time::Duration;

/// The time between two measurements; the metrics read every cell.
const INTERVAL: Duration = Duration::from_millis(120);
/// The weight of a new pass time in the smoothed one.
const SMOOTHING: f64 = 0.15;

/// The last measurements.
#[derive(Default)]
pub struct Readings {
    /// The metrics, and when they were taken; `None` if everything is due.
    pub metrics: Option<(Arc<Observation>, Duration)>,
    /// Kernel and seconds per step of each pass, smoothed.
    pub passes: Arc<Vec<(String, f64)>>,
    /// The cell to probe, what was found there last, and whether that is due again.
    pub probed: Option<Cell>,
    probe: Option<Arc<Probe>>,
    is_probe_due: bool,
}

impl Readings {
    /// The metrics, measured again if they are due or `is_forced`: of a state on a device by sums that are made there. The probe
    /// and the times of the passes are then due too.
    ///
    /// # Errors
    /// If the device fails.
    pub fn metrics(
        &mut self,
        simulation: &mut Simulation,
        source: &SwarmSource,
        ledger: &Ledger,
        now: Duration,
        is_forced: bool,
    ) -> Result<Arc<Observation>, Failure> {
        if let Some((metrics, taken)) = &self.metrics
            && !is_forced
            && now.saturating_sub(*taken) < INTERVAL
        {
            return Ok(metrics.clone());
        }
        let shift = simulation.preset().rules.shift;
        let made = if source.state().is_none() { simulation.state_sums()? } else { None };
        let sums = match (made, source.state()) {
            (Some(sums), _) => sums,
            (None, Some(state)) => sums_of(state, shift),
            (None, None) => sums_of(&simulation.state()?, shift),
        };
        let metrics = Observation::from_sums(simulation.step(), &sums, &simulation.preset().world, ledger);
        let metrics = Arc::new(metrics);
        self.metrics = Some((metrics.clone(), now));
        self.is_probe_due = true;
        self.update_passes(simulation);
        Ok(metrics)
    }

    /// What the probe finds, looked up again if that is due or its cell has changed.
    ///
    /// # Errors
    /// If the probe fails; it is then switched off.
    pub fn probe(&mut self, simulation: &mut Simulation) -> Result<Option<Arc<Probe>>, Failure> {
        let has_moved = self.probed != self.probe.as_ref().map(|probe| probe.cell);
        if std::mem::take(&mut self.is_probe_due) || has_moved {
            let extents = simulation.preset().world.extents.as_cell();
            let cell = self.probed.filter(|cell| (0..2).all(|axis| (0..extents[axis]).contains(&cell[axis])));
            let probe = cell.map(|cell| simulation.probe(cell)).transpose();
            self.probe = probe.inspect_err(|_| (self.probed, self.probe) = (None, None))?.map(Arc::new);
        }
        Ok(self.probe.clone())
    }

    fn update_passes(&mut self, simulation: &Simulation) {
        let now = simulation.seconds_by_pass();
        let is_known = self.passes.iter().map(|(name, _)| name.as_str()).eq(now.iter().map(|(name, _)| *name));
        let weight = if is_known { SMOOTHING } else { 1.0 };
        let before = self.passes.iter().map(|(_, seconds)| *seconds).chain(std::iter::repeat(0.0));
        let smooth =
            |((name, seconds), before): (&(_, f64), f64)| (String::from(*name), before + weight * (seconds - before));
        self.passes = Arc::new(now.iter().zip(before).map(smooth).collect());
    }
}
