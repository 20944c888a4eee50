//! Measures that a device worked out, against the same ones in memory.

use murmuration_core::measures::{Measures, MeasuresReading};
use murmuration_core::simulation::Simulation;

/// The measures that a device works out are near those of the swarm in memory, and nothing of the state is read back for them.
pub fn check_on_device(simulation: &mut Simulation, what: &str) {
    let space = simulation.preset().space();
    let before = simulation.state_readbacks();
    let made = simulation.request(MeasuresReading { space }).unwrap().wait().unwrap();
    assert_eq!(simulation.state_readbacks(), before, "{what}");
    check_near(&made, &simulation.swarm().unwrap().measures(&space), what);
}

/// Whether sums of 32-bit floats are near exact ones. Places are within the parts of an extent that these floats have.
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
