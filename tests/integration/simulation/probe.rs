//! The probe of a cell reports the rules' vectors, equal on every engine, and changes nothing.

use murmuration_core::chain::Chain;
use murmuration_core::engine::Dispatch;
use murmuration_core::engine::cpu;
use murmuration_core::numbers::RULE_ONE;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::probe::ProbeReading;
use murmuration_core::simulation::replay::ReplayReading;
use murmuration_core::simulation::{EngineChoice, Input, Simulation};

fn simulation(preset: &str, choice: EngineChoice) -> Simulation {
    let overrides = Overrides { size: Some((61, 47)), ..Overrides::default() };
    Simulation::new(
        Preset::load(murmuration::host(), preset, &overrides).unwrap(),
        &Chain::load(murmuration::host().as_ref(), "cell").unwrap(),
        choice,
    )
    .unwrap()
}

fn quick() -> EngineChoice {
    EngineChoice::Cpu(cpu::Options::default())
}

const CELLS: [[i32; 3]; 5] = [[0, 0, 0], [60, 46, 0], [30, 20, 0], [1, 33, 0], [59, 0, 0]];

#[test]
fn a_probe_shows_the_sums_of_what_it_says_it_saw() {
    for preset in ["droplets", "ribbons", "fog"] {
        let mut simulation = simulation(preset, quick());
        simulation.advance(30).unwrap();
        for cell in CELLS {
            let probe = simulation.read(ProbeReading { cell }).unwrap();
            assert_eq!((probe.cell, probe.step), (cell, 30));
            let cohesion = probe.outputs.iter().find(|asked| asked.rule == "cohesion").unwrap();
            let reach = cohesion.perceptions.iter().map(|seen| seen.offset[0].abs()).max().unwrap();
            let sum: f64 = cohesion.perceptions.iter().map(|seen| f64::from(seen.perceived)).sum();
            for axis in 0..2 {
                // Equation 2 from the perception that the probe reports, rounded once for the quotient and once for the
                // reach.
                let pulled: f64 = cohesion
                    .perceptions
                    .iter()
                    .map(|seen| f64::from(seen.perceived) * f64::from(seen.offset[axis]))
                    .sum();
                let expected = if sum == 0.0 { 0.0 } else { pulled / sum / f64::from(reach) };
                let shown = f64::from(cohesion.vector[axis]) / f64::from(RULE_ONE);
                assert!((shown - expected).abs() <= 1.0 / f64::from(RULE_ONE), "{preset} {cell:?}: {shown} {expected}");
            }
        }
    }
}

#[test]
fn a_probe_is_the_same_on_every_engine() {
    if crate::support::adapter::shared("probes on the GPU").is_none() {
        return;
    }
    // One species, and several species of which the first is probed.
    let compute = Dispatch::Compute { workgroup: [64, 1] };
    for (preset, dispatch) in [("ribbons", compute), ("ribbons", Dispatch::Fragment), ("three", compute)] {
        let mut simulations = [quick(), EngineChoice::Gpu(dispatch)].map(|choice| simulation(preset, choice));
        for simulation in &mut simulations {
            simulation.advance(25).unwrap();
            simulation.apply(Input::Solid { at: [30, 20].into(), radius: 1, solid: true }).unwrap();
        }
        let [cpu, gpu] =
            simulations.each_mut().map(|simulation| CELLS.map(|cell| simulation.read(ProbeReading { cell }).unwrap()));
        assert_eq!(cpu, gpu);
        assert!(cpu[2].capacity == 0 && cpu[0].capacity > 0, "the painted solid is seen");
        assert!(cpu.iter().flat_map(|probe| &probe.outputs).any(|asked| asked.vector != [0; 3]));
    }
}

#[test]
fn a_probe_touches_nothing() {
    let [mut probed, mut left] = [quick(), quick()].map(|choice| simulation("fog", choice));
    for step in 0..40 {
        probed.read(ProbeReading { cell: CELLS[step % CELLS.len()] }).unwrap();
        if step == 20 {
            // A setting is visible in the next answer of the probe.
            for simulation in [&mut probed, &mut left] {
                let input = Input::Set { key: "weights.cohesion".into(), value: "0.7".into() };
                simulation.apply(input).unwrap();
            }
            let probe = probed.read(ProbeReading { cell: [30, 20, 0] }).unwrap();
            let cohesion = probe.outputs.iter().find(|asked| asked.rule == "cohesion").unwrap();
            assert_eq!(cohesion.weight, 717);
        }
        probed.advance(1).unwrap();
        left.advance(1).unwrap();
    }
    assert_eq!(probed.state().unwrap(), left.state().unwrap());
    assert_eq!(probed.account().unwrap(), left.account().unwrap());
    assert_eq!(probed.read(ReplayReading).unwrap(), left.read(ReplayReading).unwrap());
}

#[test]
fn the_time_of_every_pass_is_known() {
    let mut choices = vec![quick()];
    if crate::support::adapter::shared("times of passes on the GPU").is_some() {
        choices.push(EngineChoice::Gpu(Dispatch::Compute { workgroup: [64, 1] }));
        choices.push(EngineChoice::Gpu(Dispatch::Fragment));
    }
    for choice in choices {
        let mut simulation = simulation("ribbons", choice);
        let begun = std::time::Instant::now();
        // The answer of a GPU comes with the submission after the next.
        for _ in 0..5 {
            simulation.advance(1).unwrap();
            simulation.account().unwrap();
        }
        let all = begun.elapsed().as_secs_f64();
        let kernels: Vec<_> = simulation.plan().unwrap().phases[0]
            .iter()
            .map(|pass| simulation.plan().unwrap().kernels[pass.kernel].name.clone())
            .collect();
        let passes = simulation.seconds_by_pass();
        // An adapter may have no clock.
        assert!(!passes.is_empty() || matches!(choice, EngineChoice::Gpu(_)), "{choice:?}");
        assert!(passes.is_empty() || passes.iter().map(|(name, _)| *name).eq(kernels.iter().map(String::as_str)));
        let sum: f64 = passes.iter().map(|(_, seconds)| seconds).sum();
        assert!(passes.is_empty() || sum > 0.0 && sum < all, "{choice:?}: {passes:?}, {all} in all");
    }
}

#[test]
fn the_time_of_every_pass_of_individuals_is_known() {
    let mut choices = vec![quick()];
    if crate::support::adapter::shared("times of passes of individuals on the GPU").is_some() {
        choices.push(EngineChoice::Gpu(Dispatch::Compute { workgroup: [64, 1] }));
    }
    for choice in choices {
        let preset = Preset::load(murmuration::host(), "school", &Overrides::default()).unwrap();
        let mut simulation =
            Simulation::new(preset, &Chain::load(murmuration::host().as_ref(), "agents-grid").unwrap(), choice)
                .unwrap();
        let begun = std::time::Instant::now();
        for _ in 0..5 {
            simulation.advance(1).unwrap();
            simulation.account().unwrap();
        }
        let all = begun.elapsed().as_secs_f64();
        let passes = simulation.seconds_by_pass();
        let names: Vec<&str> = passes.iter().map(|(name, _)| *name).collect();
        if choice == quick() {
            assert_eq!(names, ["jaws", "grid", "sums_grid", "steer"]);
        } else {
            let kernels = ["count", "sum_blocks", "scan_blocks", "scan_cells", "scatter", "steer_grid"];
            // An adapter may have no clock.
            assert!(names.is_empty() || names == kernels, "{names:?}");
        }
        let sum: f64 = passes.iter().map(|(_, seconds)| seconds).sum();
        assert!(passes.is_empty() || sum > 0.0 && sum < all, "{choice:?}: {passes:?}, {all} in all");
    }
}
