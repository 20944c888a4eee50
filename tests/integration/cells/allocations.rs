//! A step of the CPU engine allocates nothing, and the memory of a view does not grow.
//!
//! Allocations are counted in the whole process, so each test runs itself again in a new process.

use crate::simulation::one_device::View;
use crate::simulation::tickets::scene;
use murmuration::controller::{self, SaveKind};
use murmuration_core::cells::numbers::Parameters;
use murmuration_core::chain::Chain;
use murmuration_core::chain::plan::Plan;
use murmuration_core::engine::LatticeEngine;
use murmuration_core::engine::cpu::{CpuEngine, Options};
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::{EngineChoice, Simulation};
use std::alloc::{GlobalAlloc, Layout, System};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);
/// Allocated bytes that are not freed yet.
static BYTES: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: everything is left to the system's allocator; counting touches no memory of the caller's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        BYTES.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        BYTES.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

const ALONE: &str = "MURMURATION_TEST_ALONE";

/// Whether this process runs only the test with this name. If not, starts a process that does.
fn is_alone(test: &str) -> bool {
    let is_alone = std::env::var_os(ALONE).is_some();
    if !is_alone {
        let mut again = Command::new(std::env::current_exe().unwrap());
        again.args(["--exact", &format!("allocations::{test}"), "--test-threads", "1"]).env(ALONE, "1");
        assert!(again.status().unwrap().success());
    }
    is_alone
}

/// A window over flat and deep worlds, with the count, the metrics and the probe. Neither the heap nor the resident
/// memory, drivers included, grows with the number of frames.
#[test]
fn a_view_stays_in_the_same_memory() {
    if !is_alone("a_view_stays_in_the_same_memory") {
        return;
    }
    let Some(gpu) = crate::support::adapter::shared("a view for a long time") else { return };
    let flat = Overrides { size: Some((72, 48)), ..Overrides::default() };
    let deep = Overrides { size: Some((15, 12)), depth: Some(9), ..Overrides::default() };
    for (preset, overrides, frames) in [("droplets", flat, 400), ("veils", deep, 120)] {
        let mut view = View::new(&gpu, scene(preset, overrides));
        let used: Vec<(usize, usize)> = (0..10)
            .map(|_| {
                (0..frames / 10).for_each(|_| drop(view.next()));
                // After a loss of the device, the engine repeats the steps since the last state that was read. So it
                // stores these steps. The checkpoint reads a state.
                view.stage.controller.handle([controller::Command::Save(SaveKind::Checkpoint)]);
                view.stage.controller.finish();
                view.stage.controller.take_events();
                (BYTES.load(Ordering::Relaxed), resident_pages())
            })
            .collect();
        // All caches are filled in the first half.
        let (bytes, pages): (Vec<usize>, Vec<usize>) = used[5..].iter().copied().unzip();
        let growth = |all: &[usize]| all.last().unwrap().saturating_sub(all[0]);
        println!("{preset}: {bytes:?} bytes, {pages:?} pages");
        assert!(growth(&bytes) < 32 << 10, "{preset}: the heap grows: {bytes:?}");
        assert!(growth(&pages) < 256, "{preset}: the process grows: {pages:?} pages");
    }
}

/// The resident pages of the process, from Linux; 0 on other systems.
fn resident_pages() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split(' ').nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0)
}

#[test]
fn a_step_of_the_cpu_engine_allocates_nothing() {
    if !is_alone("a_step_of_the_cpu_engine_allocates_nothing") {
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
        // The simulation has a walking hunter, whose place is computed in each step.
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
        // 640 steps are ten batches, and 64 steps are one. Each batch is handed to the thread pool, which may allocate.
        assert!(many <= 10 * few + 4, "{name}: 64 steps allocate {few} times, 640 steps {many} times");
        // A call of `play` enters the thread pool once and may then allocate. A step allocates nothing.
        let (few, many) = (counted(&mut engine, &steps[..10]), counted(&mut engine, &steps));
        assert!(many <= few + 4, "{name}: 10 steps allocate {few} times, 1000 steps {many} times");
    }
}
