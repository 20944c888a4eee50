//! Compares measures from a device with measures in memory.

use murmuration::observe::LivelinessSampler;
use murmuration_core::measures::liveliness::{Blocks, LivelinessReading, SwarmSample};
use murmuration_core::measures::{Measures, MeasuresReading};
use murmuration_core::simulation::Simulation;
use murmuration_core::state::Swarm;

/// Checks that the measures from the device are close to the measures in memory, without a readback of the state.
pub fn check_on_device(simulation: &mut Simulation, what: &str) {
    let space = simulation.preset().space();
    let before = simulation.state_readbacks();
    let made = simulation.request(MeasuresReading { space }).unwrap().wait().unwrap();
    let sample = sample(simulation);
    assert_eq!(simulation.state_readbacks(), before, "{what}");
    let swarm = simulation.swarm().unwrap();
    check_near(&made, &swarm.measures(&space), what);
    check_sample(&sample, &sample_of(&swarm, &LivelinessSampler::blocks_of(simulation.preset())), what);
}

/// The sample for the liveliness, computed by the engine.
pub fn sample(simulation: &mut Simulation) -> SwarmSample {
    let blocks = LivelinessSampler::blocks_of(simulation.preset());
    simulation.request(LivelinessReading { blocks }).unwrap().wait().unwrap()
}

/// The sample of a swarm in memory.
fn sample_of(swarm: &Swarm, blocks: &Blocks) -> SwarmSample {
    match swarm {
        Swarm::Cells(state) => SwarmSample::from_state(state, blocks),
        Swarm::Individuals(individuals, _) => SwarmSample::from_individuals(individuals, blocks),
    }
}

/// The weights are equal, so occupied blocks and groups are equal. The other sums are 32-bit floats.
fn check_sample(made: &SwarmSample, expected: &SwarmSample, what: &str) {
    assert_eq!(made.weights, expected.weights, "{what}");
    let parts = |sample: &SwarmSample| [sample.order, sample.polarisation, sample.entropy];
    for (made, expected) in parts(made).into_iter().zip(parts(expected)) {
        assert!((made - expected).abs() <= 1e-3, "{what}: {made} and {expected}");
    }
    let stripes = |sample: &SwarmSample| [sample.stripes.short, sample.stripes.long];
    for (made, expected) in stripes(made).into_iter().zip(stripes(expected)) {
        assert!((made - expected).abs() <= 1e-5 * expected, "{what}: {made} and {expected}");
    }
}

/// Checks that sums in 32-bit floats are close to exact sums. Places are accurate to the precision of such floats.
fn check_near(made: &Measures, expected: &Measures, what: &str) {
    let near = |one: Option<f64>, other: Option<f64>, bound: f64| {
        let is_near = match (one, other) {
            (Some(one), Some(other)) => (one - other).abs() <= bound * (1.0 + other.abs()),
            (one, other) => one == other,
        };
        assert!(is_near, "{what}: {made:?} and {expected:?}");
    };
    near(Some(made.mean_speed), Some(expected.mean_speed), 1e-4);
    for axis in 0..3 {
        near(Some(made.heading[axis]), Some(expected.heading[axis]), 1e-4);
        near(made.rotation.map(|it| it[axis]), expected.rotation.map(|it| it[axis]), 1e-3);
        near(made.centre[axis], expected.centre[axis], 1e-3);
        near(made.principal_axes()[axis], expected.principal_axes()[axis], 1e-3);
    }
    for pair in 0..6 {
        near(made.gyration[pair], expected.gyration[pair], 1e-3);
    }
}
