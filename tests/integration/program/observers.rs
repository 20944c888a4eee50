//! Runs with observers: the example of a user's observer, and results that do not depend on other observers.

use crate::support::command::Folder;
use murmuration::run::{Metrics, Run, every};

#[path = "../../../examples/observer.rs"]
#[expect(dead_code, reason = "the example has a main function")]
mod observer;

#[test]
fn the_example_writes_a_film_and_metrics_beside_its_own_observer() {
    let folder = Folder::new();
    let (length, polarisation) = observer::play(&folder.join("")).unwrap();
    assert!(length > 1.0 && length.is_finite(), "{length}");
    assert!((0.0..=1.0).contains(&polarisation) && polarisation > 0.0, "{polarisation}");
    let film = std::fs::read(folder.join("observer.apng")).unwrap();
    let frames = film.windows(4).filter(|chunk| *chunk == b"fcTL").count();
    assert_eq!(frames, 31, "every fourth of 120 steps, and step 0");
    let table = std::fs::read_to_string(folder.join("observer.csv")).unwrap();
    assert_eq!(table.lines().count(), 1 + 7, "{table}");
    assert!(folder.join("observer.csv.json").exists());
}

/// Observers read one swarm, and each sees every step that it asked for.
#[test]
fn observers_of_a_step_share_its_reading() {
    let start = || murmuration::open("flock").size(32, 32).set("start.boids", 200).start().unwrap();
    let mut swarm = start();
    let (mut steps, mut readings) = (Vec::new(), Vec::new());
    let first = every(6, |moment| {
        readings.push(moment.swarm()?.unwrap());
        Ok(())
    });
    let second = every(4, |moment| {
        steps.push((moment.time.step, moment.swarm()?.unwrap()));
        Ok(())
    })
    .with_last();
    let mut metrics = Metrics::every(12, &swarm);
    Run::new(&mut swarm).to(26).with(first).with(second).with(&mut metrics).play().unwrap();
    let seen: Vec<u64> = steps.iter().map(|(step, _)| *step).collect();
    assert_eq!(seen, [0, 4, 8, 12, 16, 20, 24, 26]);
    // Steps 0, 12 and 24 are due for both.
    for (index, step) in [(0, 0), (2, 12), (4, 24)] {
        let other = steps.iter().find(|(own, _)| *own == step).unwrap();
        assert!(std::sync::Arc::ptr_eq(&readings[index], &other.1), "step {step} was read twice");
    }
    // The metrics are those of single observations.
    let mut alone = start();
    for row in metrics.rows() {
        alone.advance(row.step - alone.step()).unwrap();
        let own = murmuration::Observation::new(&mut alone).unwrap();
        assert_eq!(murmuration::observe::Observation { liveliness: None, ..row.clone() }, own);
    }
}
