//! A step of the CPU engine allocates nothing.
//!
//! Allocations are counted in the whole process, so the test runs itself again in a process of its own.

use murmuration::chain::Chain;
use murmuration::chain::plan::Plan;
use murmuration::engine::Engine;
use murmuration::engine::cpu::{CpuEngine, Options};
use murmuration::kernels::parameters::Parameters;
use murmuration::preset::{Overrides, Preset};
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
    for name in ["droplets", "lagoon", "paper"] {
        let preset = Preset::load(name, &overrides).unwrap();
        let plan = Arc::new(Plan::new(&Chain::load("cell").unwrap(), &preset.rules, &preset.world).unwrap());
        let weights = plan.weights();
        let options = Options { threads: Some(2), instruction_set: None };
        let mut engine = CpuEngine::new(plan, &preset.rules, &preset.world, &preset.start, options).unwrap();
        let steps: Vec<_> =
            (0..1000).map(|step| Parameters::new(&preset.rules, &preset.world, &weights, step)).collect();
        engine.play(&steps[..10]).unwrap();
        let counted = |engine: &mut CpuEngine, steps: &[Parameters]| {
            let before = ALLOCATIONS.load(Ordering::Relaxed);
            engine.play(steps).unwrap();
            ALLOCATIONS.load(Ordering::Relaxed) - before
        };
        // Entering the threads may cost something once a call, but not once a step.
        let (few, many) = (counted(&mut engine, &steps[..10]), counted(&mut engine, &steps));
        assert!(many <= few + 4, "{name}: 10 steps allocate {few} times, 1000 steps {many} times");
    }
}
