//! A step of the CPU engine allocates nothing.
//!
//! Allocations are counted in the whole process, so the test runs itself again in a process of its own.

use murmuration::cells::parameters::Parameters;
use murmuration::chain::Chain;
use murmuration::chain::plan::Plan;
use murmuration::engine::LatticeEngine;
use murmuration::engine::cpu::{CpuEngine, Options};
use murmuration::preset::{Overrides, Preset};
use murmuration::simulation::{EngineChoice, Simulation};
use std::alloc::{GlobalAlloc, Layout, System};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: everything is left to the system's allocator; counting touches no memory of the caller's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

const ALONE: &str = "MURMURATION_TEST_ALONE";

#[test]
fn a_step_of_the_cpu_engine_allocates_nothing() {
    if std::env::var_os(ALONE).is_none() {
        let status = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "allocations::a_step_of_the_cpu_engine_allocates_nothing", "--test-threads", "1"])
            .env(ALONE, "1")
            .status()
            .unwrap();
        assert!(status.success());
        return;
    }
    let overrides = Overrides { size: Some((96, 64)), ..Overrides::default() };
    let chains = ["cell", "cell-fast"].map(|name| Chain::load(murmuration::host().as_ref(), name).unwrap());
    for (name, chain) in
        ["droplets", "lagoon", "paper"].into_iter().flat_map(|name| [(name, &chains[0]), (name, &chains[1])])
    {
        let preset = Preset::load(murmuration::host(), name, &overrides).unwrap();
        let plan = Arc::new(Plan::new(chain, &preset.rules, &preset.world).unwrap());
        let weights = plan.weights();
        let options = Options { threads: Some(2), instruction_set: None };
        let mut engine =
            CpuEngine::new(plan, &preset.rules, &preset.world, &preset.start().unwrap(), options, None).unwrap();
        let steps: Vec<_> =
            (0..1000).map(|step| Parameters::new(&preset.rules, &preset.world, &weights, step)).collect();
        engine.play(&steps[..10]).unwrap();
        let counted = |engine: &mut CpuEngine, steps: &[Parameters]| {
            let before = ALLOCATIONS.load(Ordering::Relaxed);
            engine.play(steps).unwrap();
            ALLOCATIONS.load(Ordering::Relaxed) - before
        };
        // And with the numbers of each step worked out on the way, for a hunter on a long walk.
        let path = "hunter.path=[[0.1, 0.1], [0.9, 0.2], [0.7, 0.8], [0.2, 0.6]]";
        let set = Overrides { set: vec![path.into(), "weights.hunter=1.0".into()], ..overrides.clone() };
        let choice = EngineChoice::Cpu(Options { threads: Some(2), instruction_set: None });
        let mut simulation =
            Simulation::new(Preset::load(murmuration::host(), name, &set).unwrap(), chain, choice).unwrap();
        simulation.advance(64).unwrap();
        let advanced = |simulation: &mut Simulation, steps| {
            let before = ALLOCATIONS.load(Ordering::Relaxed);
            simulation.advance(steps).unwrap();
            ALLOCATIONS.load(Ordering::Relaxed) - before
        };
        let (few, many) = (advanced(&mut simulation, 64), advanced(&mut simulation, 640));
        // Ten batches instead of one, each of which enters the threads.
        assert!(many <= 10 * few + 4, "{name}: 64 steps allocate {few} times, 640 steps {many} times");
        // Entering the threads may cost something once a call, but not once a step.
        let (few, many) = (counted(&mut engine, &steps[..10]), counted(&mut engine, &steps));
        assert!(many <= few + 4, "{name}: 10 steps allocate {few} times, 1000 steps {many} times");
    }
}
