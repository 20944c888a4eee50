//! Readings from a device while the swarm continues: taken late, in any order, never, and around every change of the
//! swarm.

use crate::support::adapter::shared;
use murmuration::Failure;
use murmuration::controller::{Command, Controller, Scene, SceneChange, Snapshot, Storage, pace};
use murmuration::observe::Observation;
use murmuration_core::engine::Dispatch;
use murmuration_core::engine::cpu::Options;
use murmuration_core::engine::platform::SharedHost;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::probe::ProbeReading;
use murmuration_core::simulation::reading::AccountReading;
use murmuration_core::simulation::{Account, EngineChoice, Input, Pointer, Simulation};
use murmuration_core::state::Entry;
use murmuration_core::state::sums::{StateSums, SumsReading};
use murmuration_core::ticket::Ticket;
use murmuration_core::world::Mood;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const GPU: EngineChoice = EngineChoice::Gpu(Dispatch::Compute { workgroup: [64, 1] });

fn cpu_engine() -> EngineChoice {
    EngineChoice::Cpu(Options::default())
}

fn overrides() -> Overrides {
    Overrides { size: Some((72, 48)), ..Overrides::default() }
}

fn simulation(choice: EngineChoice) -> Simulation {
    simulation_of(murmuration::host(), "droplets", choice)
}

fn simulation_of(host: &SharedHost, preset: &str, choice: EngineChoice) -> Simulation {
    let preset = Preset::load(host, preset, &overrides()).unwrap();
    let chain = preset.load_chain(None).unwrap();
    Simulation::new(preset, &chain, choice).unwrap()
}

/// The inputs before a step. They change the swarm, its ledger or its plan.
fn inputs(step: u64) -> Vec<Input> {
    let pointer = Pointer { place: [500, 400].into(), reach: 40, mood: Mood::Follow, weight: 2048 };
    match step {
        2 => vec![Input::Hunter(Some(pointer)), Input::Jaws(5)],
        9 => vec![Input::Stroke, Input::Spawn { at: [20, 20].into(), radius: 4, boids: 300 }],
        14 => vec![Input::Stroke, Input::Solid { at: [40, 24].into(), radius: 5, solid: true }],
        18 => vec![Input::Undo],
        22 => vec![Input::Set { key: "weights.walls".into(), value: "0.75".into() }],
        25 => vec![Input::Undo],
        _ => Vec::new(),
    }
}

/// Plays a step after its inputs.
fn play(simulation: &mut Simulation, round: u64) {
    for input in inputs(round) {
        simulation.apply(input).unwrap();
    }
    simulation.advance(1).unwrap();
}

/// Twelve tickets are pending at any time. Some are taken at once, some never, and the others from the last to the
/// first.
#[test]
fn a_ticket_is_of_the_step_at_which_it_was_asked_for() {
    if shared("tickets").is_none() {
        return;
    }
    let [mut on_gpu, mut on_cpu] = [simulation(GPU), simulation(cpu_engine())];
    let mut late: Vec<(Ticket<Account>, Account)> = Vec::new();
    let mut probes = Vec::new();
    for round in 0..40 {
        play(&mut on_gpu, round);
        play(&mut on_cpu, round);
        let expected = on_cpu.account().unwrap();
        assert_eq!(expected.lost, 0, "round {round}");
        let ticket = on_gpu.request(AccountReading).unwrap();
        match round % 3 {
            0 => assert_eq!(ticket.wait().unwrap(), expected, "round {round}"),
            1 => drop(ticket),
            _ => late.push((ticket, expected)),
        }
        if round % 7 == 0 {
            probes.push((
                on_gpu.request(ProbeReading { cell: [21, 22, 0] }).unwrap(),
                on_cpu.read(ProbeReading { cell: [21, 22, 0] }).unwrap(),
            ));
        }
    }
    assert!(late.iter().any(|(_, account)| account.ledger.sum(Entry::Caught) > 0));
    for (ticket, expected) in late.into_iter().rev() {
        assert_eq!(ticket.wait().unwrap(), expected);
    }
    for (ticket, expected) in probes.into_iter().rev() {
        assert_eq!(ticket.wait().unwrap(), expected);
    }
    assert_eq!(on_gpu.state_hash().unwrap(), on_cpu.state_hash().unwrap());
}

/// A reading is available after its swarm has ended or has changed the engine.
#[test]
fn a_ticket_outlives_its_swarm() {
    if shared("tickets of a swarm that ends").is_none() {
        return;
    }
    let mut on_cpu = simulation(cpu_engine());
    on_cpu.advance(7).unwrap();
    let expected = (on_cpu.account().unwrap(), on_cpu.read(ProbeReading { cell: [30, 11, 0] }).unwrap());
    for is_ended in [true, false] {
        let mut on_gpu = simulation(GPU);
        on_gpu.advance(7).unwrap();
        let tickets =
            (on_gpu.request(AccountReading).unwrap(), on_gpu.request(ProbeReading { cell: [30, 11, 0] }).unwrap());
        if is_ended {
            drop(on_gpu);
        } else {
            on_gpu.switch(cpu_engine()).unwrap();
            on_gpu.advance(3).unwrap();
        }
        assert_eq!((tickets.0.wait().unwrap(), tickets.1.wait().unwrap()), expected, "ended: {is_ended}");
    }
}

/// The ticket of a lost device fails or has its value. The swarm continues.
#[test]
fn tickets_in_flight_when_the_device_is_lost_do_not_hang() {
    if shared("tickets of a lost device").is_none() {
        return;
    }
    let mut on_cpu = simulation(cpu_engine());
    on_cpu.advance(5).unwrap();
    let expected = on_cpu.account().unwrap();
    for is_waited_for in [false, true] {
        // The device is lost here, so no other test may use it.
        let own_devices = murmuration::host::host_on_devices(murmuration::host::new_devices());
        let mut on_gpu = simulation_of(&own_devices, "droplets", GPU);
        on_gpu.advance(5).unwrap();
        let tickets: Vec<_> = (0..4).map(|_| on_gpu.request(AccountReading).unwrap()).collect();
        let mut sums = on_gpu.request(SumsReading { shift: on_cpu.preset().rules.shift }).unwrap();
        let probe = on_gpu.request(ProbeReading { cell: [3, 4, 0] }).unwrap();
        on_gpu.gpu().expect("the engine is on a device").lose();
        for mut ticket in tickets {
            let taken = if is_waited_for { ticket.wait().map(Some) } else { ticket.poll() };
            match taken {
                Ok(account) => assert!(account.is_none_or(|account| account == expected)),
                Err(failure) => assert!(matches!(failure, Failure::Device(_)), "{failure}"),
            }
        }
        let expected_probe = on_cpu.read(ProbeReading { cell: [3, 4, 0] }).unwrap();
        assert!(probe.wait().map_or(true, |probe| probe == expected_probe));
        let total = |sums: StateSums| sums.rows.iter().map(|row| row.quanta).sum::<u64>();
        assert!(sums.poll().map_or(true, |sums| sums.is_none_or(|sums| total(sums) == expected.quanta)));
        assert_eq!(on_gpu.account().unwrap(), expected);
        assert_eq!(
            on_gpu.read(ProbeReading { cell: [3, 4, 0] }).unwrap(),
            on_cpu.read(ProbeReading { cell: [3, 4, 0] }).unwrap()
        );
        assert_eq!(on_gpu.state_hash().unwrap(), on_cpu.state_hash().unwrap());
    }
}

/// A controller with a clock that the test moves.
pub struct Stage {
    pub controller: Controller,
    clock: Arc<Mutex<TestClock>>,
}

/// The time, and the time that passes in each look at the clock.
#[derive(Default)]
struct TestClock {
    now: Duration,
    each_look: Duration,
}

/// A preset on a GPU, by its name or its path.
pub fn scene(preset: &str, overrides: Overrides) -> Scene {
    Scene { preset: preset.into(), overrides, chain: None, choice: GPU, replay: None }
}

impl Stage {
    pub fn new(scene: Scene) -> Self {
        let simulation = scene.begin(murmuration::host(), None).unwrap();
        Self::of(simulation, scene, Box::new(crate::simulation::one_device::NoStorage))
    }

    /// A stage of a started scene, which saves to a storage.
    pub fn of(simulation: Simulation, scene: Scene, storage: Box<dyn Storage>) -> Self {
        let clock = Arc::new(Mutex::new(TestClock::default()));
        let shared = clock.clone();
        let look = move || {
            let TestClock { now, each_look } = &mut *shared.lock().unwrap();
            *now += *each_look;
            *now
        };
        Self { controller: Controller::new(simulation, scene, storage, Box::new(look)), clock }
    }

    /// Sets the time that passes in each look at the clock.
    pub fn pass_at_each_look(&mut self, time: Duration) {
        self.clock.lock().unwrap().each_look = time;
    }

    pub fn play(&mut self) {
        self.clock.lock().unwrap().now += pace::TICK;
        self.controller.tick();
    }

    /// Plays the step of a tick. Returns the snapshot, if it is new.
    pub fn tick(&mut self) -> Option<Snapshot> {
        self.play();
        self.controller.snapshot()
    }

    /// Waits until nothing more is due, like the window's thread. Returns the last snapshot.
    pub fn settle(&mut self) -> Snapshot {
        let mut last = self.controller.snapshot();
        let mut looks = 0;
        while let Some(due) = self.controller.next_due() {
            looks += 1;
            assert!(looks < 10_000, "a pause does not settle");
            self.clock.lock().unwrap().now = due;
            self.controller.tick();
            last = self.controller.snapshot().or(last);
            std::thread::sleep(Duration::from_millis(1));
        }
        last.expect("something has changed")
    }
}

/// The run-in on a device is played in parts, and reaches the end of a run-in that is waited for.
#[test]
fn a_run_in_is_polled() {
    if shared("a run-in that is polled").is_none() {
        return;
    }
    let overrides = Overrides { set: vec!["start.run_in=150".into()], ..overrides() };
    let preset = Preset::load(murmuration::host(), "droplets", &overrides).unwrap();
    let chain = preset.load_chain(None).unwrap();
    let mut expected = Simulation::new(preset, &chain, cpu_engine()).unwrap();
    let mut stage = Stage::new(scene("droplets", overrides));
    // A tick ends at its first look at the clock, however fast the device is. It has requested 64 steps by then.
    stage.pass_at_each_look(pace::MAX_TICK);
    let run_in = stage.tick().unwrap().run_in.expect("a tick plays at most 64 of 150 steps");
    assert!((1..=64).contains(&run_in.played), "{run_in:?}");
    stage.controller.handle([Command::Pause(true)]);
    let settled = stage.settle();
    assert_eq!((settled.step, settled.run_in), (0, None));
    assert_eq!(settled.source.state().unwrap().hash(), expected.state().unwrap().hash());
}

/// The count in a snapshot may be some steps old, but is exact for the step that it names. This step never decreases.
/// In a pause the count is the present count.
#[test]
fn the_count_of_a_snapshot_is_that_of_its_step() {
    if shared("counts of snapshots").is_none() {
        return;
    }
    let mut on_cpu = simulation(cpu_engine());
    let mut expected = BTreeMap::from([(0, on_cpu.account().unwrap())]);
    let mut metrics = BTreeMap::from([(0, Vec::new())]);
    let mut stage = Stage::new(scene("droplets", overrides()));
    let mut last = 0;
    for round in 0..60 {
        for input in inputs(round).into_iter().filter(|input| *input != Input::Undo) {
            on_cpu.apply(input.clone()).unwrap();
            stage.controller.handle([Command::from(input)]);
        }
        on_cpu.advance(1).unwrap();
        expected.insert(on_cpu.step(), on_cpu.account().unwrap());
        metrics.insert(on_cpu.step(), on_cpu.state().unwrap().into_densities());
        let Some(snapshot) = stage.tick() else { continue };
        let account = snapshot.account;
        assert!((last..=snapshot.step).contains(&account.step), "{} after {last}", account.step);
        assert_eq!(account, expected[&account.step], "round {round}");
        last = account.step;
        let Observation { step, quanta, lost, .. } = *snapshot.metrics;
        assert!(lost == 0 && step <= snapshot.step);
        let sum = metrics[&step].iter().map(|quanta| u64::from(*quanta)).sum::<u64>();
        assert!(step == 0 || quanta == sum, "metrics of step {step}");
    }
    stage.controller.handle([Command::Pause(true)]);
    let snapshot = stage.settle();
    assert_eq!((snapshot.step, snapshot.account), (60, expected[&60]));
    assert_eq!(snapshot.metrics.step, 60);

    // Counts are pending at an undo, a restart, another preset and another engine.
    stage.controller.handle([Command::from(Input::Undo)]);
    let snapshot = stage.settle();
    assert_eq!((snapshot.account.step, snapshot.account.lost), (snapshot.step, 0));
    stage.controller.handle([Command::Pause(false)]);
    stage.tick();
    stage.controller.handle([Command::Restart(SceneChange::default()), Command::Pause(true)]);
    let snapshot = stage.settle();
    assert_eq!((snapshot.step, snapshot.account), (0, expected[&0]));
    stage.controller.handle([Command::Pause(false)]);
    stage.tick();
    stage.controller.handle([Command::Begin(scene("simmer", overrides())), Command::Pause(true)]);
    let snapshot = stage.settle();
    let mut simmer = simulation_of(murmuration::host(), "simmer", cpu_engine());
    assert_eq!((snapshot.step, snapshot.account), (0, simmer.account().unwrap()));
    assert_eq!((snapshot.metrics.step, snapshot.metrics.quanta), (0, snapshot.account.quanta));
    stage.controller.handle([Command::Pause(false)]);
    stage.tick();
    stage.controller.handle([Command::Engine(cpu_engine()), Command::Pause(true)]);
    let snapshot = stage.settle();
    assert_eq!((snapshot.account.step, snapshot.account.lost), (snapshot.step, 0));
    assert!(stage.controller.take_events().is_empty());
}
