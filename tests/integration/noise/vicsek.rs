//! The limits of Vicsek's particles: order without noise, and no order with full noise.

use murmuration_core::engine::cpu;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::{EngineChoice, Simulation};
use murmuration_core::state::Swarm;
use std::f64::consts::PI;
use std::path::Path;

/// The paper's 400 particles with these settings.
fn particles(set: &[&str]) -> Simulation {
    let set = set.iter().map(|setting| (*setting).to_owned()).collect();
    let overrides = Overrides { set, ..Overrides::default() };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/vicsek.toml");
    let preset = Preset::load(murmuration::host(), path, &overrides).unwrap_or_else(|failure| panic!("{failure}"));
    let chain = preset.load_chain(None).unwrap();
    let options = cpu::Options { threads: Some(1), instruction_set: None };
    Simulation::new(preset, &chain, EngineChoice::Cpu(options)).unwrap()
}

/// The order parameter: the length of the mean heading. All particles have equal speeds.
fn order(simulation: &mut Simulation) -> f64 {
    let Swarm::Individuals(individuals, _) = simulation.swarm().unwrap() else { panic!("a swarm of cells") };
    assert_eq!(individuals.len(), 400);
    let mut sum = [0.0; 2];
    for index in 0..individuals.len() {
        let [x, y, _] = individuals.velocity(index).map(f64::from);
        let speed = x.hypot(y);
        assert!((speed - 0.24 * 16_384.0).abs() < 2.5, "{speed}");
        (sum[0], sum[1]) = (sum[0] + x / speed, sum[1] + y / speed);
    }
    sum[0].hypot(sum[1]) / 400.0
}

#[test]
fn without_noise_all_have_one_heading() {
    let mut simulation = particles(&["noise.angle=0"]);
    simulation.advance(1).unwrap();
    assert!(order(&mut simulation) < 0.5);
    simulation.advance(1500).unwrap();
    let order = order(&mut simulation);
    assert!(order > 0.99, "{order}");
}

/// The mean of N random unit vectors has the mean length √(π/(4N)). The variance of this length is (1 - π/4)/N.
#[test]
fn with_full_noise_there_is_no_order() {
    let mut simulation = particles(&["noise.angle=6.2832"]);
    let count = 200;
    let mut sum = 0.0;
    for _ in 0..count {
        simulation.advance(1).unwrap();
        sum += order(&mut simulation);
    }
    let (mean, expected) = (sum / f64::from(count), (PI / 1600.0).sqrt());
    let error = ((1.0 - PI / 4.0) / 400.0 / f64::from(count)).sqrt();
    assert!((mean - expected).abs() < 4.0 * error, "{mean}, not {expected} within {error}");
}

/// Vectorial noise destroys the order too, and little noise does not.
#[test]
fn order_falls_with_noise() {
    let of = |set: &[&str]| {
        let mut simulation = particles(set);
        simulation.advance(600).unwrap();
        order(&mut simulation)
    };
    let little = of(&["noise.angle=0.1"]);
    assert!(little > 0.95, "{little}");
    let much = of(&["noise.angle=0", "noise.vector=1.5"]);
    assert!(much < 0.25, "{much}");
}
