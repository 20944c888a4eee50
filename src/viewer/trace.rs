//! A line of JSON per second about what the window shows, for tests that run the program.

use super::hand::Hand;
use super::interface::Interface;
use super::sides::Arrangement;
use crate::controller::Snapshot;
use crate::controller::round::RoundState;
use crate::error::Failure;
use crate::numbers::Cell;
use crate::simulation::Pointer;
use crate::world::World;
use serde_json::{Value, json};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// The environment variable that names the file.
pub const VARIABLE: &str = "MURMURATION_TRACE";

const INTERVAL: Duration = Duration::from_secs(1);

/// The file of the trace.
pub struct Trace {
    file: File,
    last: Option<Instant>,
}

/// What a line is about.
pub struct TraceInput<'a> {
    pub snapshot: &'a Snapshot,
    pub arrangement: &'a Arrangement,
    pub hand: &'a Hand,
    /// The person's hunter, and the reach of its jaws in cells.
    pub hunter: (Option<Pointer>, u32),
    pub interface: &'a Interface,
    pub is_filming: bool,
    /// Frames and steps of the current or the last film.
    pub film: [u64; 2],
    pub frames_a_second: usize,
    pub is_paused: bool,
    pub adapter: &'a str,
    /// How many canvases were opened.
    pub canvases: u32,
}

impl Trace {
    /// Appends to a file.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let failed = |source| Failure::File { action: "cannot write", path: path.display().to_string(), source };
        let file = File::options().create(true).append(true).open(path).map_err(failed)?;
        Ok(Self { file, last: None })
    }

    /// When the next line is due.
    pub fn due(&self) -> Instant {
        self.last.map_or_else(Instant::now, |last| last + INTERVAL)
    }

    /// Writes a line if it is due.
    pub fn write(&mut self, input: &TraceInput<'_>) {
        if self.last.is_some_and(|last| last.elapsed() < INTERVAL) {
            return;
        }
        self.last = Some(Instant::now());
        let mut line = of_simulation(input.snapshot);
        if let (Value::Object(line), Value::Object(of_window)) = (&mut line, of_window(input)) {
            line.extend(of_window);
        }
        // A trace that cannot be written does not end the program.
        let _ = writeln!(self.file, "{line}");
    }
}

fn of_simulation(snapshot: &Snapshot) -> Value {
    let Snapshot { facts, account, .. } = snapshot;
    let individuals = snapshot.individuals.as_ref().map(|other| other.account);
    json!({
        "preset": facts.preset,
        "seed": facts.seed,
        "engine": facts.engine,
        "step": snapshot.step,
        "boids": account.quanta,
        "lost": account.lost,
        "start": account.ledger.start,
        "spawned": account.ledger.spawned,
        "caught": account.ledger.caught,
        "steps_a_second": snapshot.steps_a_second,
        "mean": crate::state::boids(account.quanta) / facts.world.extents.cells() as f64,
        "solids": facts.world.solids.iter().filter(|solid| **solid).count(),
        "watching": snapshot.replay.is_some(),
        "probe": snapshot.probe.as_ref().map(|probe| probe.cell),
        "individuals": individuals.map(|account| account.quanta),
        "individuals_lost": individuals.map(|account| account.lost),
        "individuals_caught": individuals.map(|account| account.ledger.caught),
    })
}

fn of_window(input: &TraceInput<'_>) -> Value {
    let TraceInput { snapshot, arrangement, interface, .. } = input;
    let world = &snapshot.facts.world;
    let (hand, side) = arrangement.hold(input.hand);
    let (camera, size) = (side.camera(), side.pane.size);
    let near = hand.cell(&camera, size, world).map(|cell| (cell, hand.reach(&camera, size)));
    let round = interface.round.state().and_then(|state| match state {
        RoundState::Running { left, score } => Some(json!({ "score": score, "left": left })),
        RoundState::Over { .. } => None,
    });
    let [film_frames, film_steps] = input.film;
    let (hunter, jaws) = input.hunter;
    json!({
        "near": near.map(|(at, radius)| density_within(snapshot, world, at, radius)),
        "place": near.map(|(cell, _)| cell),
        "reach": near.map(|(_, reach)| reach),
        "hunts": hunter.is_some(),
        "jaws": jaws,
        "tool": format!("{:?}", hand.tool).to_lowercase(),
        "frames_a_second": input.frames_a_second,
        "paused": input.is_paused,
        "round": round,
        "pixels_per_cell": camera.pixels_per_cell,
        "models": format!("{:?}", arrangement.models).to_lowercase(),
        "divider": arrangement.divided_at(),
        "yaw": arrangement.orbit.map(|orbit| orbit.yaw),
        "window": arrangement.size.to_array(),
        "drawn_by": input.adapter,
        "canvases": input.canvases,
        "panel": interface.is_panel_open,
        "filming": u8::from(input.is_filming),
        "film_frames": film_frames,
        "film_steps": film_steps,
        "message": interface.messages.in_view(),
    })
}

/// The mean density within a disc, in boids per cell.
fn density_within(snapshot: &Snapshot, world: &World, at: Cell, radius: u32) -> f64 {
    let radius = radius as i32;
    let (mut quanta, mut cells) = (0, 0);
    for y in -radius..=radius {
        for x in -radius..=radius {
            if x * x + y * y > radius * radius {
                continue;
            }
            if let Some(index) = world.extents.index([at[0] + x, at[1] + y], world.edges) {
                quanta += u64::from(snapshot.state.density[index]);
                cells += 1;
            }
        }
    }
    crate::state::boids(quanta) / f64::from(cells.max(1))
}
