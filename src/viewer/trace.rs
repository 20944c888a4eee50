//! A line of JSON each second about what the window shows, for tests that look at it from outside.

use super::play::Snapshot;
use crate::error::Failure;
use crate::numbers::Cell;
use crate::world::{Edges, World};
use serde_json::{Map, Value, json};
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// The environment variable that names the file.
pub const VARIABLE: &str = "MURMURATION_TRACE";

const EVERY: Duration = Duration::from_secs(1);

/// Where the lines go.
pub struct Trace {
    file: File,
    last: Option<Instant>,
}

impl Trace {
    /// Appends to a file.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let failed = |source| Failure::File { action: "cannot write", path: path.display().to_string(), source };
        let file = File::options().create(true).append(true).open(path).map_err(failed)?;
        Ok(Self { file, last: None })
    }

    /// When the next line is due.
    pub fn due(&self) -> Instant {
        self.last.map_or_else(Instant::now, |last| last + EVERY)
    }

    /// Writes a line, if a second has gone by. `seen` is what only the window knows, and `near` is a disc: its middle
    /// and its radius in cells.
    pub fn write(&mut self, snapshot: &Snapshot, near: Option<(Cell, u32)>, seen: Map<String, Value>) {
        if self.last.is_some_and(|last| last.elapsed() < EVERY) {
            return;
        }
        self.last = Some(Instant::now());
        let facts = &snapshot.facts;
        let mut line = json!({
            "preset": facts.preset,
            "seed": facts.seed,
            "engine": facts.engine,
            "step": snapshot.step,
            "boids": snapshot.account.quanta,
            "lost": snapshot.account.lost,
            "start": snapshot.account.ledger.start,
            "spawned": snapshot.account.ledger.spawned,
            "caught": snapshot.account.ledger.caught,
            "steps_a_second": snapshot.steps_a_second,
            "near": near.map(|(at, radius)| density_within(snapshot, &facts.world, at, radius)),
            "mean": crate::state::boids(snapshot.account.quanta) / facts.world.extents.cells() as f64,
            "solids": facts.world.solids.iter().filter(|solid| **solid).count(),
        });
        if let Some(line) = line.as_object_mut() {
            line.extend(seen);
        }
        // A trace that cannot be written is no reason to end the hunt.
        let _ = writeln!(self.file, "{line}");
    }
}

/// The mean density within a disc, in boids a cell.
fn density_within(snapshot: &Snapshot, world: &World, at: Cell, radius: u32) -> f64 {
    let [width, height] = world.extents.as_cell();
    let radius = radius as i32;
    let (mut quanta, mut cells) = (0, 0);
    for y in -radius..=radius {
        for x in -radius..=radius {
            if x * x + y * y > radius * radius {
                continue;
            }
            let [x, y] = match world.edges {
                Edges::Torus => [(at[0] + x).rem_euclid(width), (at[1] + y).rem_euclid(height)],
                Edges::Walls => [at[0] + x, at[1] + y],
            };
            if (0..width).contains(&x) && (0..height).contains(&y) {
                quanta += u64::from(snapshot.state.density[(y * width + x) as usize]);
                cells += 1;
            }
        }
    }
    crate::state::boids(quanta) / f64::from(cells.max(1))
}
