//! A lost GPU: the swarm continues with equal bits, and no boid is lost.

use crate::support::adapter::shared;
use crate::support::command::{Finished, Folder, fixture, repository};
use murmuration_core::chain::Chain;
use murmuration_core::engine::platform::SharedHost;
use murmuration_core::engine::{Dispatch, cpu};
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::probe::ProbeReading;
use murmuration_core::simulation::replay::{Replay, ReplayReading};
use murmuration_core::simulation::{EngineChoice, Input, Pointer, Simulation};
use murmuration_core::state::{Entry, Ledger};
use murmuration_core::world::Mood;
use std::ffi::OsStr;

const COMPUTE: EngineChoice = EngineChoice::Gpu(Dispatch::Compute { workgroup: [64, 1] });
const FRAGMENT: EngineChoice = EngineChoice::Gpu(Dispatch::Fragment);

/// A host with devices of its own, because they are lost here.
fn own_devices() -> SharedHost {
    murmuration::host::host_on_devices(murmuration::host::new_devices())
}

fn simulation(choice: EngineChoice) -> Simulation {
    // Every new device compiles the kernels again. Small sights make small kernels.
    let set = ["sight.cohesion.disc=2", "sight.separation.disc=1", "sight.alignment.disc=2"].map(String::from).into();
    let overrides = Overrides { size: Some((48, 40)), set, ..Overrides::default() };
    Simulation::new(
        Preset::load(&own_devices(), fixture("simmer"), &overrides).unwrap(),
        &Chain::load(murmuration::host().as_ref(), "cell").unwrap(),
        choice,
    )
    .unwrap()
}

/// A short hunt that uses every operation of the engine. `before` is called before each part of it.
fn hunt(simulation: &mut Simulation, mut before: impl FnMut(&mut Simulation, usize)) {
    let pointer =
        |x, y| Input::Hunter(Some(Pointer { place: [x, y].into(), reach: 12, mood: Mood::Follow, weight: 2048 }));
    let inputs = [
        pointer(300, 200),
        Input::Jaws(6),
        Input::Stroke,
        Input::Spawn { at: [20, 20].into(), radius: 3, boids: 50 },
        Input::Solid { at: [30, 10].into(), radius: 3, solid: true },
        Input::Set { key: "weights.cohesion".into(), value: "0.9".into() },
        Input::Lift { at: [5, 5].into(), radius: 2 },
        Input::Undo,
        pointer(500, 100),
    ];
    for (index, input) in inputs.into_iter().enumerate() {
        before(simulation, index);
        simulation.advance(9).unwrap();
        simulation.apply(input).unwrap();
    }
    simulation.advance(70).unwrap();
}

/// The result of a hunt: the hash of the state, the ledger and the number of missing boids.
fn end(simulation: &mut Simulation) -> (String, Ledger, i64) {
    let account = simulation.account().unwrap();
    (simulation.state().unwrap().hash(), account.ledger, account.lost)
}

#[test]
fn a_gpu_lost_at_any_touch_changes_nothing() {
    if shared("losing the GPU").is_none() {
        return;
    }
    let mut whole = simulation(EngineChoice::Cpu(cpu::Options::default()));
    hunt(&mut whole, |_, _| {});
    let expected = end(&mut whole);
    assert_eq!(expected.2, 0);
    assert!(expected.1.sum(Entry::Caught) > 0, "nothing is caught");
    let replay = whole.read(ReplayReading).unwrap();
    let (mut touches, mut losses, mut replays) = (0, 0, 0);
    loop {
        let mut simulation = simulation(if touches % 2 == 0 { COMPUTE } else { FRAGMENT });
        simulation.gpu().unwrap().lose_after(touches);
        hunt(&mut simulation, |_, _| {});
        assert_eq!(end(&mut simulation), expected, "lost at touch {touches}");
        let Replay { events, steps, .. } = simulation.read(ReplayReading).unwrap();
        assert_eq!((&events, steps), (&replay.events, replay.steps), "lost at touch {touches}");
        let remarks = simulation.remarks();
        if remarks.is_empty() {
            // The device was not lost, because the hunt has fewer touches. A touch is a use of the device, as described
            // below.
            break;
        }
        assert!(remarks.len() == 1 && remarks[0].contains("was opened again"), "{remarks:?}");
        assert_eq!(simulation.engine_name(), "gpu");
        losses += 1;
        replays += usize::from(!events.is_empty());
        // The device is lost at each of the first 13 touches, then at every 13th. A touch is an upload, a submission, a
        // wait or a check of its result. The stride is odd, so that a loss meets each kind of touch in both dispatches.
        touches += if touches < 12 { 1 } else { 13 };
    }
    // The number of touches depends on the device: a fast device gets more steps in a submission.
    assert!(losses > 12 && replays == losses, "{losses} losses, {replays} with inputs");
}

/// A state that is set from outside cannot be computed again from earlier steps.
#[test]
fn a_gpu_lost_at_any_touch_of_a_brush_changes_nothing() {
    if shared("losing the GPU").is_none() {
        return;
    }
    let brushes = [
        Input::Spawn { at: [20, 20].into(), radius: 3, boids: 50 },
        Input::Lift { at: [5, 5].into(), radius: 4 },
        Input::Solid { at: [30, 10].into(), radius: 3, solid: true },
        Input::Undo,
    ];
    for (index, brush) in brushes.into_iter().enumerate() {
        let play = |choice, touches: Option<u32>| {
            let mut simulation = simulation(choice);
            simulation.apply(Input::Jaws(6)).unwrap();
            simulation.advance(5).unwrap();
            simulation.apply(Input::Stroke).unwrap();
            simulation.advance(5).unwrap();
            if let (Some(touches), Some(gpu)) = (touches, simulation.gpu()) {
                gpu.lose_after(touches);
            }
            simulation.apply(brush.clone()).unwrap();
            let is_lost = !simulation.remarks().is_empty();
            simulation.advance(3).unwrap();
            // A second loss shows whether the engine has kept the right state since the brush.
            if let (true, Some(gpu)) = (is_lost, simulation.gpu()) {
                gpu.lose();
            }
            (is_lost, end(&mut simulation), simulation.remarks())
        };
        let (_, expected, _) = play(EngineChoice::Cpu(cpu::Options::default()), None);
        assert_eq!(expected.2, 0);
        // During the first brush the device is lost at each touch. The other brushes use the device in the same way, so
        // a few touches suffice.
        let (mut touches, stride) = if index < 1 { (0, 1) } else { (index as u32 - 1, 3) };
        loop {
            let choice = if touches / stride % 2 == 0 { COMPUTE } else { FRAGMENT };
            let (is_lost, end, remarks) = play(choice, Some(touches));
            assert_eq!(end, expected, "{brush:?} lost at touch {touches}");
            assert_eq!(remarks.len(), 1, "{brush:?} lost at touch {touches}: {remarks:?}");
            if !is_lost {
                // The device was not lost, because the brush has fewer touches.
                break;
            }
            touches += stride;
        }
        assert!(touches >= 6, "{brush:?} has only {touches} touches");
    }
}

#[test]
fn what_a_lost_gpu_had_to_say_is_said_by_the_next_engine() {
    if shared("losing the GPU").is_none() {
        return;
    }
    let mut simulation = simulation(COMPUTE);
    simulation.gpu().unwrap().lose();
    simulation.switch(EngineChoice::Cpu(cpu::Options::default())).unwrap();
    let remarks = simulation.remarks();
    assert!(remarks.len() == 1 && remarks[0].contains("was opened again"), "{remarks:?}");
}

#[test]
fn a_gpu_lost_again_and_again_gives_way_to_the_cpu() {
    if shared("losing the GPU").is_none() {
        return;
    }
    let mut whole = simulation(EngineChoice::Cpu(cpu::Options::default()));
    hunt(&mut whole, |_, _| {});
    let mut simulation = simulation(COMPUTE);
    let mut lost = 0;
    hunt(&mut simulation, |simulation, _| {
        // Between losses in quick succession the engine keeps no new recovery point.
        while let Some(gpu) = simulation.gpu() {
            gpu.lose();
            simulation.account().unwrap();
            lost += 1;
        }
    });
    assert_eq!(end(&mut simulation), end(&mut whole));
    assert_eq!((simulation.engine_name(), lost), ("cpu", 4));
    assert!(simulation.remarks()[3].contains("the CPU goes on"));
}

/// The engine of the probe is on the device of the playing engine, and is lost with it.
#[test]
fn a_probe_outlives_the_gpu() {
    if shared("losing the GPU").is_none() {
        return;
    }
    let [mut whole, mut simulation] = [EngineChoice::Cpu(cpu::Options::default()), COMPUTE].map(simulation);
    whole.advance(5).unwrap();
    simulation.advance(5).unwrap();
    let expected = whole.read(ProbeReading { cell: [20, 20, 0] }).unwrap();
    for _ in 0..2 {
        assert_eq!(simulation.read(ProbeReading { cell: [20, 20, 0] }).unwrap(), expected);
        simulation.gpu().unwrap().lose();
    }
    assert_eq!(simulation.read(ProbeReading { cell: [20, 20, 0] }).unwrap(), expected);
    assert_eq!(simulation.remarks().len(), 2);
    assert_eq!(end(&mut simulation), end(&mut whole));
}

/// Runs the program with a loss of the engine's device.
fn run<S: AsRef<OsStr>>(folder: &Folder, loss: &str, arguments: &[S]) -> Finished {
    let arguments: Vec<&str> = arguments.iter().map(|argument| argument.as_ref().to_str().unwrap()).collect();
    folder.shell(&format!("MURMURATION_LOSE_DEVICE={loss} exec \"$@\""), &arguments)
}

#[test]
fn a_render_outlives_its_gpu() {
    if shared("losing the GPU").is_none() {
        return;
    }
    let folder = Folder::new();
    let simmer = fixture("simmer");
    let render = ["render", &simmer, "--size", "48x40", "--steps", "60", "--json", "--engine"];
    let whole = folder.run(&[&render[..], &["cpu"]].concat()).succeeded().object();
    for (loss, engine) in [("engine@25", "gpu"), ("engine@25+3600", "cpu"), ("engine@1", "gpu")] {
        let lost = run(&folder, loss, &[&render[..], &["gpu"]].concat());
        assert_eq!(lost.status, Some(0), "{lost:?}");
        assert!(lost.err.lines().count() == 1 && lost.err.contains("nothing is missing"), "{lost:?}");
        let object = lost.object();
        assert_eq!(object["state_hash"], whole["state_hash"], "{loss}");
        assert_eq!((&object["lost"], object["engine"].as_str()), (&0.into(), Some(engine)), "{loss}");
    }
}

/// If neither another device nor the CPU can play the chain, the run ends, and the last known swarm is kept.
#[test]
fn a_render_that_cannot_go_on_keeps_what_it_has() {
    if shared("losing the GPU").is_none() {
        return;
    }
    let folder = Folder::new();
    for name in ["wind.toml", "wind.wgsl", "windy.toml"] {
        folder.write(&format!("mine/{name}"), std::fs::read(repository().join("examples/wind").join(name)).unwrap());
    }
    let render = ["render", "mine/windy.toml", "--size", "48x40", "--engine", "gpu"];
    let kept = ["--every", "10", "--out", "frames", "--metrics", "table.csv", "--checkpoint", "kept.checkpoint"];
    let lost = run(&folder, "engine@95+3600", &[&render[..], &["--steps", "300"], &kept].concat());
    assert_eq!(lost.status, Some(1), "{lost:?}");
    let complaint = lost.complaint();
    assert!(complaint.contains("no other engine can go on"), "{complaint}");
    assert!(complaint.contains("the swarm of step 70 was saved to kept.checkpoint"), "{complaint}");
    let names = folder.names();
    assert!(names.iter().any(|name| name.contains("000090")), "{names:?}");
    assert!(std::fs::read_to_string(folder.join("table.csv")).unwrap().lines().count() >= 10);
    // A run from that checkpoint reaches the final state of an undisturbed run.
    let whole = folder.run(&[&render[..], &["--steps", "100", "--json"]].concat()).succeeded().object();
    let resume = ["render", "--resume", "kept.checkpoint", "--steps", "30", "--json", "--engine", "gpu"];
    let resumed = folder.run(&resume).succeeded().object();
    assert_eq!(resumed["state_hash"], whole["state_hash"]);
    // The device is lost just before a state is kept. The steps before the loss are still counted.
    let late = ["render", "--resume", "kept.checkpoint", "--steps", "5000", "--checkpoint", "late", "--engine", "gpu"];
    let lost = run(&folder, "engine@4096+3600", &late);
    assert!(lost.err.contains("the swarm of step 70 was saved to late"), "{lost:?}");
}

/// A replay reports that its device was lost.
#[test]
fn a_replay_says_that_its_gpu_was_lost() {
    if shared("losing the GPU").is_none() {
        return;
    }
    let folder = Folder::new();
    let mut whole = simulation(EngineChoice::Cpu(cpu::Options::default()));
    hunt(&mut whole, |_, _| {});
    murmuration::files::write_replay(&whole.read(ReplayReading).unwrap(), &folder.join("hunt.json")).unwrap();
    let lost = run(&folder, "engine@25", &["replay", "hunt.json", "--json", "--engine", "gpu"]);
    assert_eq!(lost.status, Some(0), "{lost:?}");
    assert!(lost.err.lines().count() == 1 && lost.err.contains("nothing is missing"), "{lost:?}");
}

/// A frame beyond the maximum number of steps never comes.
#[test]
fn a_resumed_render_bears_any_distance_between_frames() {
    let folder = Folder::new();
    let render = ["render", "simmer", "--size", "48x40", "--engine", "cpu", "--steps", "5", "--checkpoint", "kept"];
    folder.run(&render).succeeded();
    let every = u64::MAX.to_string();
    let resume = ["render", "--resume", "kept", "--steps", "5", "--every", &every, "--metrics", "table.csv"];
    folder.run(&[&resume[..], &["--engine", "cpu"]].concat()).succeeded();
    assert_eq!(std::fs::read_to_string(folder.join("table.csv")).unwrap().lines().count(), 2);
}

#[test]
fn a_loss_that_says_nothing_is_refused() {
    let refused = run(&Folder::new(), "gpu", &["presets"]);
    assert_eq!(refused.status, Some(2));
    assert!(refused.complaint().starts_with("MURMURATION_LOSE_DEVICE: "), "{refused:?}");
}
