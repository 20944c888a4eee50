//! Copies of the swarm from a device that continues: checkpoints, replays and hashes, and the files of a window.

use crate::simulation::tickets::Stage;
use crate::support::adapter::shared;
use murmuration::Failure;
use murmuration::controller::{Command, Event, RunContent, RunFile, SaveKind, Scene, SceneChange, Storage};
use murmuration_core::engine::Dispatch;
use murmuration_core::engine::cpu::Options;
use murmuration_core::engine::platform::SharedHost;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::checkpoint::CheckpointReading;
use murmuration_core::simulation::reading::DensityReading;
use murmuration_core::simulation::replay::ReplayReading;
use murmuration_core::simulation::{EngineChoice, Input, Simulation};
use murmuration_core::state::SwarmReading;
use murmuration_core::ticket::{Patience, Ticket};
use murmuration_gpu::device::{program, transfer};
use murmuration_gpu::look::on_device;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use transfer::Words;

const GPU: EngineChoice = EngineChoice::Gpu(Dispatch::Compute { workgroup: [64, 1] });

fn cpu_engine() -> EngineChoice {
    EngineChoice::Cpu(Options::default())
}

/// A host with devices of its own, because they are lost here.
fn own_devices() -> SharedHost {
    murmuration::host::host_on_devices(murmuration::host::new_devices())
}

/// Flat and deep worlds, one and several species, and individuals, after an odd and an even number of steps.
#[test]
fn densities_alone_are_those_of_the_state() {
    let has_gpu = shared("densities on the GPU").is_some();
    let engines = [cpu_engine(), GPU].into_iter().take(if has_gpu { 2 } else { 1 });
    for engine in engines {
        for (name, size, depth) in [
            ("droplets", (61, 47), None),
            ("three", (61, 47), None),
            ("caves", (23, 21), Some(19)),
            ("moods", (61, 47), None),
        ] {
            let set = vec!["start.run_in=0".into()];
            let overrides = Overrides { size: Some(size), depth, set, ..Overrides::default() };
            let preset = Preset::load(murmuration::host(), name, &overrides).unwrap();
            let chain = preset.load_chain(None).unwrap();
            let mut simulation = Simulation::new(preset, &chain, engine).unwrap();
            for _ in 0..2 {
                simulation.advance(3).unwrap();
                let state = simulation.state().unwrap();
                let expected: Vec<u32> = state.layers.iter().flat_map(|layer| &layer.density).copied().collect();
                assert!(expected.iter().any(|quanta| *quanta > 0), "{name}");
                assert_eq!(simulation.read(DensityReading).unwrap(), expected, "{name}, {engine:?}");
            }
        }
    }
}

/// Data beyond the size of one copy are read in pieces, with an equal result.
#[test]
fn words_are_the_same_at_once_and_in_pieces() {
    let Some(gpu) = shared("words in pieces") else { return };
    let copies = wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
    let words: Vec<u32> = (0..70 * 9).map(|index: u32| index.wrapping_mul(0x9e37_79b9)).collect();
    let buffer = program::buffer_of(&gpu.device, gpu.queue(), "words", bytemuck::cast_slice(&words), copies);
    let usage = wgpu::TextureUsages::COPY_SRC | wgpu::TextureUsages::COPY_DST;
    let textures = [(70, wgpu::TextureFormat::R32Uint), (35, wgpu::TextureFormat::Rg32Uint)].map(|(width, format)| {
        let texture = program::texture(&gpu.device, "texels", [width, 9], format, 1, usage);
        transfer::upload(gpu.queue(), &texture, &words);
        texture
    });
    let read = [Words::Buffer(&buffer, 8..2000), Words::texels_of(&textures[0]), Words::texels_of(&textures[1])];
    let expected = vec![words[2..500].to_vec(), words.clone(), words.clone()];
    for (most, piece) in [(u64::MAX, 4), (0, 4), (0, 900), (0, 1 << 20)] {
        let mut ticket = transfer::read_within(&gpu, &read, most, piece, "words").unwrap();
        let found = if most == 0 { ticket.poll().unwrap() } else { Some(ticket.wait().unwrap()) };
        assert_eq!(found.as_ref(), Some(&expected), "at most {most}, in pieces of {piece}");
    }
    let ticket = transfer::read(&gpu, &read, "words").unwrap();
    assert_eq!(ticket.wait().unwrap(), expected);
}

/// Polls until an answer comes, and replaces a lost device.
fn polled<T: Send + 'static>(simulation: &mut Simulation, mut ticket: Ticket<T>) -> T {
    for _ in 0..10_000 {
        if let Some(value) = ticket.poll().unwrap() {
            return value;
        }
        simulation.collect(Patience::Poll).unwrap();
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("it does not come");
}

fn begin(host: &SharedHost, preset: &str, choice: EngineChoice) -> Simulation {
    let set = if preset == "droplets" { vec!["look.style=glow".into()] } else { Vec::new() };
    let overrides = Overrides { size: Some((48, 40)), set, ..Overrides::default() };
    let preset = Preset::load(host, preset, &overrides).unwrap();
    let chain = preset.load_chain(None).unwrap();
    let mut simulation = Simulation::new(preset, &chain, choice).unwrap();
    simulation.keep_points().unwrap();
    simulation
}

/// Cells with points, and individuals with lives and food. After the third round the device is lost, with pending
/// copies.
#[test]
fn checkpoints_of_a_device_are_of_the_step_at_which_they_were_asked_for() {
    if shared("checkpoints while a swarm goes on").is_none() {
        return;
    }
    for preset in ["droplets", "feeding"] {
        let (mut on_gpu, mut on_cpu) =
            (begin(&own_devices(), preset, GPU), begin(murmuration::host(), preset, cpu_engine()));
        let (mut asked, mut expected) = (Vec::new(), Vec::new());
        for round in 0..4 {
            for simulation in [&mut on_gpu, &mut on_cpu] {
                if round == 1 {
                    simulation.apply(Input::Stroke).unwrap();
                    simulation.apply(Input::Spawn { at: [20, 20].into(), radius: 4, boids: 30 }).unwrap();
                }
                // The copy of the second round is the next recovery point.
                simulation.advance(if round == 1 { 70 } else { 3 }).unwrap();
            }
            expected.push((on_cpu.read(CheckpointReading).unwrap().to_bytes(), on_cpu.read(ReplayReading).unwrap()));
            asked.push((on_gpu.request(CheckpointReading).unwrap(), on_gpu.request(ReplayReading).unwrap()));
            drop(on_gpu.request(SwarmReading).unwrap());
            if round == 2 {
                on_gpu.gpu().unwrap().lose();
            }
        }
        for (index, ((checkpoint, replay), (bytes, run))) in asked.into_iter().zip(expected).enumerate().rev() {
            let found = polled(&mut on_gpu, checkpoint);
            assert!(found.to_bytes() == bytes, "{preset}: the checkpoint of round {index} is another");
            assert_eq!(polled(&mut on_gpu, replay), run, "{preset}: replay of round {index}");
        }
        assert_eq!(on_gpu.remarks().len(), 1);
        assert_eq!(on_gpu.state_hash().unwrap(), on_cpu.state_hash().unwrap());
        assert_eq!(on_gpu.account().unwrap(), on_cpu.account().unwrap());
    }
}

/// A file: its kind, its step and its bytes.
type Saved = (&'static str, u64, Vec<u8>);

/// A storage in memory.
#[derive(Clone, Default)]
struct KeptFiles(Arc<Mutex<Vec<Saved>>>);

impl Storage for KeptFiles {
    fn save(&mut self, RunFile { step, content, .. }: &RunFile) -> Result<String, Failure> {
        let (kind, bytes) = match content {
            RunContent::Checkpoint(checkpoint) | RunContent::Session(checkpoint, _) => {
                ("checkpoint", checkpoint.to_bytes())
            }
            RunContent::Replay(replay) | RunContent::Link(replay) => ("replay", serde_json::to_vec(replay).unwrap()),
            RunContent::Preset(preset, chain) => {
                ("preset", preset.as_text(chain, &PathBuf::new(), None).unwrap().into_bytes())
            }
        };
        self.0.lock().unwrap().push((kind, *step, bytes));
        Ok(format!("{kind} {step}"))
    }

    fn save_last_known(&mut self, _: &mut Simulation) -> String {
        panic!("an engine goes on");
    }

    fn save_last_hunt(&mut self, _: &mut Simulation) -> Result<(), Failure> {
        Ok(())
    }

    fn watch(&mut self, _: Vec<PathBuf>) -> Result<(), String> {
        Ok(())
    }

    fn changed_files(&mut self) -> Vec<PathBuf> {
        Vec::new()
    }
}

/// The number of steps played.
fn step(stage: &mut Stage) -> u64 {
    // A command takes effect before the snapshot.
    stage.controller.handle([Command::Pause(true)]);
    stage.controller.snapshot().expect("there is a device").step
}

/// Files are requested before steps, a brush, an undo, another engine, a restart, the loss of the device and the end of
/// the run. Returns the files and the events.
fn session(choice: EngineChoice) -> (Vec<Saved>, Vec<Event>) {
    let overrides = Overrides { size: Some((48, 40)), set: vec!["look.style=glow".into()], ..Overrides::default() };
    let scene = Scene { preset: "droplets".into(), overrides, chain: None, choice, replay: None };
    let simulation = scene.begin(&own_devices(), None).unwrap();
    // Snapshots are drawn on the device, so none waits for the swarm in memory.
    let (device, drawn_on) = (simulation.gpu().cloned(), on_device(&simulation));
    let files = KeptFiles::default();
    let mut stage = Stage::of(simulation, scene, Box::new(files.clone()));
    drawn_on.iter().for_each(|textures| stage.controller.draw_on(textures.gpu.clone()));
    let save = |stage: &mut Stage| {
        stage.controller.handle([SaveKind::Checkpoint, SaveKind::Preset, SaveKind::Replay].map(Command::Save));
    };
    for round in 0..6 {
        let (mut now, end) = (step(&mut stage), step(&mut stage) + 3);
        while now < end {
            // A busy device plays fewer steps.
            stage.controller.handle([Command::Steps(end - now)]);
            stage.tick();
            now = step(&mut stage);
        }
        save(&mut stage);
        match round {
            0 => {
                let spawn = Input::Spawn { at: [20, 20].into(), radius: 4, boids: 300 };
                stage.controller.handle([Input::Stroke, spawn].map(Command::from));
            }
            1 => stage.controller.handle([Command::from(Input::Undo)]),
            2 => stage.controller.handle([Command::Engine(choice)]),
            3 => stage.controller.handle([Command::Restart(SceneChange::default())]),
            4 => device.iter().for_each(|device| device.lose()),
            _ => {}
        }
    }
    stage.controller.handle([Command::WatchReplay]);
    stage.settle();
    save(&mut stage);
    stage.controller.finish();
    assert_eq!(stage.controller.unanswered(), 0);
    let saved = std::mem::take(&mut *files.0.lock().unwrap());
    (saved, stage.controller.take_events())
}

#[test]
fn files_of_a_window_are_of_the_step_at_which_they_were_asked_for() {
    if shared("files of a window").is_none() {
        return;
    }
    let (expected, said) = session(cpu_engine());
    let (found, mut said_there) = session(GPU);
    let names = |files: &[Saved]| files.iter().map(|(kind, step, _)| (*kind, *step)).collect::<Vec<_>>();
    assert_eq!((names(&found), names(&expected).len()), (names(&expected), 21));
    for (index, (found, expected)) in found.iter().zip(&expected).enumerate() {
        assert!(found == expected, "file {index}, {} of step {}", found.0, found.1);
    }
    assert!(said.iter().any(|event| matches!(event, Event::Info(text) if text.contains("in the very state"))));
    let is_remark = |event: &Event| matches!(event, Event::Info(text) if text.contains("was opened again"));
    assert_eq!(said_there.iter().filter(|event| is_remark(event)).count(), 1, "{said_there:?}");
    said_there.retain(|event| !is_remark(event));
    // The engine of a replay and its duration differ between engines.
    let without_engine = |event: Event| match event {
        Event::Info(text) => Event::Info(text.split(". ").next().unwrap_or_default().into()),
        other => other,
    };
    let [said_there, said] =
        [said_there, said].map(|events| events.into_iter().map(without_engine).collect::<Vec<_>>());
    assert_eq!(said_there, said, "all is said, in the order in which it was asked for");
}
