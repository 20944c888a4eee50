//! A trace of the window for tests: five lines of JSON a second.

use super::MainWindow;
use crate::controller::Snapshot;
use crate::controller::round::RoundState;
use crate::viewer::canvas::Canvas;
use murmuration_core::error::Failure;
use murmuration_core::lives::measures::Condition;
use murmuration_core::numbers::Vector3;
use murmuration_core::state::{Entry, boids};
use murmuration_core::world::offset;
use serde_json::{Value, json};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::Duration;
use web_time::Instant;

/// The environment variable with the path of the trace.
const VARIABLE: &str = "MURMURATION_TRACE";

const INTERVAL: Duration = Duration::from_millis(200);

pub struct Trace {
    file: File,
    last: Option<Instant>,
}

impl Trace {
    /// Opens the file that the environment names for appending; `None`: it names no file.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn open() -> Result<Option<Self>, Failure> {
        let Some(path) = std::env::var_os(VARIABLE) else { return Ok(None) };
        let path = Path::new(&path);
        let failed = |source| Failure::File { action: "cannot write", path: path.display().to_string(), source };
        let file = File::options().create(true).append(true).open(path).map_err(failed)?;
        Ok(Some(Self { file, last: None }))
    }

    /// The time of the next line.
    pub fn due(&self) -> Instant {
        self.last.unwrap_or_else(Instant::now) + INTERVAL
    }
}

impl MainWindow {
    /// Writes a line of the trace if it is due.
    pub fn write_trace(&mut self) {
        if self.trace.as_ref().is_none_or(|trace| trace.last.is_some_and(|last| last.elapsed() < INTERVAL)) {
            return;
        }
        let (Some(line), Some(trace)) = (self.state_as_json(), &mut self.trace) else { return };
        trace.last = Some(Instant::now());
        // The program goes on if the trace cannot be written.
        let _ = writeln!(trace.file, "{line}");
    }

    /// The state of the window; `None` before the first state.
    pub fn state_as_json(&self) -> Option<Value> {
        let snapshot = self.session.snapshot.as_ref()?;
        let mut line = of_simulation(snapshot);
        if let (Value::Object(line), Value::Object(of_window)) = (&mut line, self.of_window(snapshot)) {
            line.extend(of_window);
        }
        Some(line)
    }

    /// Writes a last line, so that the trace contains the final state.
    pub(super) fn write_last_trace(&mut self) {
        if let Some(trace) = &mut self.trace {
            trace.last = None;
        }
        self.write_trace();
    }

    fn of_window(&self, snapshot: &Snapshot) -> Value {
        let interface = &self.interface;
        let arrangement = &self.view.arrangement;
        let world = &snapshot.info.world;
        let (cursor, side) = self.mouse.cursor.locate(arrangement);
        let near = cursor.cell(&side, world).map(|cell| (cell, cursor.reach(&side)));
        let round = match interface.round.state {
            Some(RoundState::Running { left, score, .. }) => Some(json!({ "score": score, "left": left })),
            _ => None,
        };
        let [film_frames, film_steps] = interface.panel.film.size();
        let (hunter, jaws) = self.mouse.hunter;
        let memory = resident_bytes();
        json!({
            "near": near.and_then(|(at, radius)| density_within(snapshot, at, radius)),
            "place": near.map(|(cell, _)| cell),
            "reach": near.map(|(_, reach)| reach),
            "hunts": hunter.is_some(),
            "jaws": jaws,
            "tool": format!("{:?}", cursor.tool).to_lowercase(),
            "frames_a_second": self.frames.rate(),
            "paused": self.session.is_paused(),
            "round": round,
            "pixels_per_cell": side.camera().pixels_per_cell,
            "models": format!("{:?}", arrangement.models).to_lowercase(),
            "divider": arrangement.divided_at(),
            "yaw": arrangement.orbit.map(|orbit| orbit.yaw),
            "window": arrangement.size.to_array(),
            "drawn_by": self.screen.adapter(arrangement),
            "passes": self.screen.canvas.as_ref().map(Canvas::milliseconds_by_pass),
            "canvases": self.screen.canvases,
            "panel": !interface.is_panel_hidden,
            "filming": u8::from(interface.panel.film.recorder.is_some()),
            "film_frames": film_frames,
            "film_steps": film_steps,
            "focused": self.focused,
            "message": interface.messages.in_view(),
            "memory": memory,
            "bytes_a_cell": memory.map(|bytes| bytes as f64 / world.extents.cells() as f64),
        })
    }
}

fn of_simulation(snapshot: &Snapshot) -> Value {
    let Snapshot { info, account, metrics, .. } = snapshot;
    let in_condition = |of: Condition| metrics.features.lives.as_ref().map(|lives| lives.all.counts[of as usize]);
    let individuals = snapshot.compared.as_ref().map(|other| other.account);
    json!({
        "preset": info.preset,
        "seed": info.seed,
        "engine": info.engine,
        "step": snapshot.step,
        "run_in": snapshot.run_in.map(|run_in| run_in.played),
        "boids": account.quanta,
        "lost": account.lost,
        "start": account.ledger.sum(Entry::Start),
        "spawned": account.ledger.sum(Entry::Spawned),
        "caught": account.ledger.sum(Entry::Caught),
        "born": account.ledger.sum(Entry::Born),
        "starved": account.ledger.sum(Entry::Starved),
        "happy": in_condition(Condition::Happy),
        "neutral": in_condition(Condition::Neutral),
        "depressed": in_condition(Condition::Depressed),
        "perishing": in_condition(Condition::Perishing),
        "steps_a_second": snapshot.steps_a_second,
        "state_readbacks": snapshot.state_readbacks,
        "mean": boids(account.quanta) / info.world.extents.cells() as f64,
        "solids": info.world.solids.iter().filter(|solid| **solid).count(),
        "watching": snapshot.replay.is_some(),
        "probe": snapshot.probe.as_ref().map(|probe| probe.cell),
        "probed_individual": snapshot.probed_individual.as_ref().map(|probe| probe.individual.number),
        "individuals": individuals.map(|account| account.quanta),
        "individuals_lost": individuals.map(|account| account.lost),
        "individuals_caught": individuals.map(|account| account.ledger.sum(Entry::Caught)),
    })
}

/// The memory of the page, in bytes.
#[cfg(target_family = "wasm")]
fn resident_bytes() -> Option<u64> {
    Some(core::arch::wasm32::memory_size(0) as u64 * (1 << 16))
}

/// The memory of the program, in bytes; `None`: unknown.
#[cfg(not(target_family = "wasm"))]
fn resident_bytes() -> Option<u64> {
    use sysinfo::{ProcessRefreshKind, ProcessesToUpdate, System};
    let own = sysinfo::get_current_pid().ok()?;
    let mut system = System::new().ok()?;
    let what = ProcessRefreshKind::nothing().with_memory();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[own]), true, what);
    system.process(own).map(sysinfo::Process::memory)
}

/// The mean density in the cells within `radius` cells of the cell `at`, in boids per cell: a disc, or a ball in a deep
/// world. `None`: the state is not in memory.
fn density_within(snapshot: &Snapshot, at: Vector3, radius: u32) -> Option<f64> {
    let state = snapshot.source.state()?;
    let extents = snapshot.info.world.extents;
    let edges = snapshot.info.world.edges;
    let ends = extents.along_axes().map(|extent| extent as i32);
    let square = |axis: usize, place| i64::from(offset(at[axis], place, ends[axis], edges)).pow(2);
    let mut quanta = 0;
    let mut cells = 0;
    for (index, row) in (0..).zip(state.layers[0].density.chunks(extents.width as usize)) {
        let rest = i64::from(radius).pow(2) - square(1, index % ends[1]) - square(2, index / ends[1]);
        // Rows outside of the disc or ball are skipped.
        for (x, density) in (0..).zip(if rest >= 0 { row } else { &[] }) {
            if square(0, x) <= rest {
                quanta += u64::from(*density);
                cells += 1;
            }
        }
    }
    Some(boids(quanta) / f64::from(cells.max(1)))
}
