//! Plays a run without a window, and writes NumPy files.
//!
//! ```text
//! cargo run --release --example headless_numpy
//! ```
//!
//! writes the density and the control vectors (the velocities of the cells) of every 100th step into `frames/numpy/`.
//! In Python:
//!
//! ```text
//! boids = numpy.load("frames/numpy/density-000600.npy") / 65536          # boids in each cell, by row and column
//! velocity = numpy.load("frames/numpy/control-000600.npy") / 16384       # cells a step, by row, column and axis
//! ```

use murmuration::{BOID, npy, open};
use std::error::Error;
use std::path::Path;

const STEPS: u64 = 600;
const STEPS_PER_FILE: u64 = 100;

fn main() -> Result<(), Box<dyn Error>> {
    // Any key of a preset can be set, as with `--set` on the command line.
    let mut simulation = open("droplets").size(256, 256).set("weights.cohesion", 0.6).start()?;

    let folder = Path::new("frames/numpy");
    std::fs::create_dir_all(folder)?;
    for step in (0..=STEPS).step_by(STEPS_PER_FILE as usize) {
        simulation.advance(step - simulation.step())?;
        let state = simulation.state()?;
        npy::write_density(&folder.join(format!("density-{step:06}.npy")), &state)?;
        npy::write_control(&folder.join(format!("control-{step:06}.npy")), &state)?;
        let account = simulation.account()?;
        println!("step {step}: {} boids, lost {}", account.quanta / u64::from(BOID), account.lost);
    }
    Ok(())
}
