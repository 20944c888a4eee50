//! Ranks on GPUs and ranks on CPUs that play one world together.

use super::worlds::{Outcome, Size, alone, begin_on, choice, on_ranks, outcome, overrides, play_inputs};
use crate::support::adapter;
use murmuration_core::engine::platform::SharedHost;
use murmuration_core::engine::{Dispatch, WORKGROUP};
use murmuration_core::ranks::BALANCE_INTERVAL;
use murmuration_core::simulation::reading::CheckpointReading;
use murmuration_core::simulation::{EngineChoice, Simulation};

const COMPUTE: EngineChoice = EngineChoice::Gpu(Dispatch::Compute { workgroup: WORKGROUP });

/// The engine of a rank: compute dispatch, CPU and fragment dispatch in turn.
fn mixed(host: &SharedHost) -> EngineChoice {
    [COMPUTE, choice(), EngineChoice::Gpu(Dispatch::Fragment)][host.ranks().rank() % 3]
}

fn begin(host: &SharedHost, (name, size, set): (&str, Size, &[&str])) -> Simulation {
    let engine = if host.ranks().size() > 1 { mixed(host) } else { choice() };
    begin_on(host, engine, name, &overrides(size, set)).unwrap()
}

/// Flat and deep worlds with both edges, solids, falcons, hunters, noise, species and rock.
#[test]
fn gpus_and_processors_play_one_world() {
    if adapter::shared("ranks on GPUs").is_none() {
        return;
    }
    let noise = ["noise.angle=0.4", "noise.length=30", "movement.wander=0.02", "world.edges=walls", "world.margin=4"];
    let scenes: [(&str, Size, &[&str]); 7] = [
        // Slabs of seven rows. Both halos together take five rows.
        ("droplets", ((53, 21), None), &[]),
        ("droplets", ((53, 67), None), &noise),
        ("stoop", ((61, 83), None), &[]),
        ("lagoon", ((61, 79), None), &[]),
        ("three", ((37, 97), None), &[]),
        ("murmuration", ((19, 17), Some(41)), &["world.edges=torus"]),
        ("caves", ((23, 19), Some(37)), &[]),
    ];
    for scene in scenes {
        let play = |host: &SharedHost| {
            let mut simulation = begin(host, scene);
            // Slabs on GPUs stay, even if ranks on CPUs would move their borders.
            simulation.advance(if scene.0 == "caves" { BALANCE_INTERVAL + 2 } else { 8 }).unwrap();
            assert_eq!(simulation.preparations()[1], 0, "{}", scene.0);
            let account = format!("{:?}", simulation.account().unwrap());
            let checkpoint = simulation.read(CheckpointReading).unwrap().to_bytes();
            (outcome(&mut simulation), account, checkpoint)
        };
        let expected = play(&alone());
        for (rank, own) in on_ranks(3, play).into_iter().enumerate() {
            assert!(own == expected, "{}, rank {rank}: {:?}, not {:?}", scene.0, own.0, expected.0);
        }
    }
}

/// A hunt with jaws, brushes, changed numbers and an undo.
#[test]
fn inputs_reach_ranks_on_gpus() {
    if adapter::shared("ranks on GPUs").is_none() {
        return;
    }
    let scenes: [(&str, Size, &[&str]); 2] =
        [("droplets", ((61, 53), None), &[]), ("murmuration", ((37, 29), Some(31)), &[])];
    for scene in scenes {
        let play = |host: &SharedHost| -> Vec<Outcome> { play_inputs(&mut begin(host, scene)) };
        let expected = play(&alone());
        assert!(expected.iter().any(|(_, caught, _)| *caught > 0), "nothing is caught in {}", scene.0);
        assert!(on_ranks(2, play).into_iter().all(|own| own == expected), "{}", scene.0);
    }
}

#[test]
fn a_gpu_of_several_ranks_refuses_individuals() {
    if adapter::shared("ranks on GPUs").is_none() {
        return;
    }
    let refused = on_ranks(2, |host| begin_on(host, COMPUTE, "flock", &overrides(((64, 64), None), &[])).map(drop));
    assert!(refused.into_iter().all(|result| result.unwrap_err().to_string().contains("on several ranks")));
}
