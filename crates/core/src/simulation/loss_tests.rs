//! Tests in which the device is lost at each possible moment. The next engine must repeat all requests.

use super::copies::testing::{LateHost, options};
use crate::engine::Dispatch;
use crate::engine::platform::SharedHost;
use crate::lives::lineage::{LifeRecord, Lineage};
use crate::preset::{Overrides, Preset};
use crate::simulation::replay::ReplayReading;
use crate::simulation::{EngineChoice, Input, Simulation};
use crate::ticket::Patience;
use std::sync::Arc;

const GPU: EngineChoice = EngineChoice::Gpu(Dispatch::Compute { workgroup: [64, 1] });

fn simulation(host: &SharedHost, preset: &str, set: &[&str], choice: EngineChoice) -> Simulation {
    let set = set.iter().map(|setting| setting.to_string()).collect();
    let overrides = Overrides { size: Some((24, 20)), set, ..Overrides::default() };
    let preset = Preset::load(host, preset, &overrides).unwrap();
    let chain = preset.load_chain(None).unwrap();
    Simulation::before_run_in(preset, &chain, choice).unwrap()
}

/// Runs `act` with a device that is lost at its first touch, then at its second, and so on, and once on the CPU. All
/// results must be equal. A touch is a call to the device or a poll of an answer.
pub(crate) fn lose_at_any_touch<T: PartialEq + std::fmt::Debug>(
    preset: &str,
    set: &[&str],
    least: u32,
    act: impl Fn(&mut Simulation) -> T,
) {
    let mut on_processor = simulation(crate::testing::host(), preset, set, EngineChoice::Cpu(options()));
    let expected = (act(&mut on_processor), on_processor.state_hash().unwrap(), on_processor.account().unwrap());
    let mut touches = 0;
    loop {
        let mut simulation = simulation(&(Arc::new(LateHost::default()) as SharedHost), preset, set, GPU);
        simulation.gpu().unwrap().lose_after(touches);
        let found = (act(&mut simulation), simulation.state_hash().unwrap(), simulation.account().unwrap());
        assert_eq!(found, expected, "{preset}: lost at touch {touches}");
        if simulation.remarks().is_empty() {
            break;
        }
        touches += 1;
    }
    assert!(touches >= least, "{preset}: {touches} touches");
}

#[test]
fn a_run_in_goes_on() {
    lose_at_any_touch("droplets", &["start.run_in=12"], 8, |simulation| {
        let mut parts = 0;
        while simulation.run_in().is_some() {
            simulation.play_run_in(4, Patience::Wait).unwrap();
            parts += 1;
        }
        assert_eq!(parts, 3);
        simulation.advance(3).unwrap();
        simulation.wait().unwrap();
        simulation.step()
    });
}

/// If falcons are inside a newly painted solid, they move out. The replay must contain the solid.
#[test]
fn falcons_leave_a_solid() {
    lose_at_any_touch("ink", &[], 8, |simulation| {
        simulation.advance(3).unwrap();
        simulation.apply(Input::Solid { at: [12, 10].into(), radius: 9, solid: true }).unwrap();
        simulation.advance(2).unwrap();
        simulation.read(ReplayReading).unwrap()
    });
}

/// If an engine is lost, the next engine must have the changed plan and its capacities.
#[test]
fn a_plan_with_other_capacities_is_taken() {
    lose_at_any_touch("droplets", &[], 8, |simulation| {
        simulation.advance(3).unwrap();
        let reloaded = Overrides {
            size: Some((24, 20)),
            set: vec!["world.capacity=9000".into(), "sight.cohesion.disc=3".into()],
            ..Overrides::default()
        };
        let preset = Preset::load(simulation.preset().host(), "droplets", &reloaded).unwrap();
        let chain = preset.load_chain(None).unwrap();
        simulation.reload(preset, chain).unwrap();
        simulation.advance(5).unwrap();
    });
}

fn records(lineage: &Lineage) -> Vec<LifeRecord> {
    lineage.lives().collect()
}

/// Requests for the ends of lives come every few steps. Neither a loss nor a new engine may leave gaps in the family
/// tree.
#[test]
fn the_record_of_lives_goes_on() {
    let set = &["start.boids=300"];
    lose_at_any_touch("evolve", set, 20, |simulation| {
        simulation.record_lineage().unwrap();
        simulation.advance(20).unwrap();
        drop(simulation.state_hash().unwrap());
        simulation.advance(90).unwrap();
        let choice = simulation.choice();
        simulation.switch(if simulation.engine_name() == "cpu" { choice } else { GPU }).unwrap();
        simulation.advance(7).unwrap();
        simulation.update_lineage().unwrap();
        let lineage = simulation.lineage().unwrap();
        assert_eq!(lineage.until(), 117);
        assert!(lineage.generations() > 2, "{}", lineage.generations());
        records(lineage)
    });
}

/// Steps must not wait for requested ends of lives.
#[test]
fn ends_of_lives_are_not_waited_for() {
    let host = Arc::new(LateHost::default());
    let shared: SharedHost = host.clone();
    let mut simulation = simulation(&shared, "evolve", &["start.boids=300"], GPU);
    simulation.record_the_living().unwrap();
    let waits = host.waits();
    for _ in 0..60 {
        simulation.try_advance(4).unwrap();
    }
    assert_eq!(host.waits(), waits);
    let until = simulation.lineage().unwrap().until();
    assert!((150..=240).contains(&until), "{until}");
}
