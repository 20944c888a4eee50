//! Stripes of the density: their causes (`docs/model.md`, Stripes), and a check that the presets have none.

use crate::support::command::fixture;
use murmuration::EngineChoice;
use murmuration::observe::Observation;

/// Plays a preset on a small torus, and returns the stripes at the end.
fn played(preset: &str, settings: &[(&str, &str)], steps: u64) -> f64 {
    let builder = murmuration::open(preset).size(96, 96).set("world.edges", "\"torus\"");
    let builder = settings.iter().fold(builder, |builder, (key, value)| builder.set(key, value));
    let mut simulation = builder.engine(EngineChoice::Cpu(Default::default())).start().unwrap();
    simulation.advance(steps).unwrap();
    assert_eq!(simulation.account().unwrap().lost, 0);
    Observation::new(&mut simulation).unwrap().stripes.unwrap()
}

/// If separation pushes more in a step than alignment damps, a flight along an axis gets stripes. With less separation
/// no stripes appear. In a flight along the diagonal the movement itself damps stripes.
#[test]
fn strong_separation_makes_stripes_along_an_axis() {
    let droplets = fixture("droplets");
    let stripes = |direction: &str, separation: &str| {
        let aligned =
            [("start.headings", "\"aligned\""), ("start.direction", direction), ("weights.separation", separation)];
        played(&droplets, &[&aligned[..], &[("start.boids", "7373")]].concat(), 200)
    };
    assert!(stripes("[0.0, 1.0]", "0.15") > 1.0);
    assert!(stripes("[0.0, 1.0]", "0.07") < 0.3);
    assert!(stripes("[0.7, 0.7]", "0.15") < 0.3);
}

/// Presets that had stripes have at most half of the stripes of their older versions.
#[test]
fn presets_have_half_of_the_stripes_that_they_had() {
    for name in ["droplets", "shoals"] {
        let mean = |preset: &str| {
            let values: Vec<f64> = [1000, 1500, 2000].map(|steps| played(preset, &[], steps)).to_vec();
            values.iter().sum::<f64>() / values.len() as f64
        };
        let (now, before) = (mean(name), mean(&fixture(name)));
        assert!(now <= before / 2.0, "{name}: {now} of {before}");
    }
}
