//! An example of a new [`Observer`], beside a film and metrics. It measures the distance that the centre of a swarm
//! travels.
//!
//! ```text
//! cargo run --release --example observer
//! ```
//!
//! writes the film `observer.apng`, the metrics `observer.csv` and their record `observer.csv.json`. It prints the
//! distance.

use murmuration::run::{Metrics, Moment, Observer, Run, RunTime};
use murmuration::{Failure, FilmRecorder, Observation, open};
use std::path::Path;

/// The length of the path of the centre of mass, in cells, and the last observed centre. Every fifth step is observed.
#[derive(Default)]
struct Journey {
    last: Option<[f64; 2]>,
    length: f64,
}

impl Observer for Journey {
    fn until_due(&self, time: RunTime) -> u64 {
        time.until(5)
    }

    fn observe(&mut self, moment: &mut Moment<'_>) -> Result<(), Failure> {
        let seen = Observation::new(moment.model)?;
        let [Some(x), Some(y), _] = seen.centre else { return Ok(()) };
        if let Some([before_x, before_y]) = self.last.replace([x, y]) {
            self.length += (x - before_x).hypot(y - before_y);
        }
        Ok(())
    }
}

/// Plays a swarm between walls with three observers. Returns the length of the path in cells, and the polarisation at
/// the end.
pub fn play(folder: &Path) -> Result<(f64, f64), Failure> {
    let mut swarm = open("droplets").size(96, 64).set("world.edges", "walls").start()?;
    let film = FilmRecorder::new(folder.join("observer.apng"), 30, Some(96), &swarm)?.every(4);
    let mut metrics = Metrics::every(20, &swarm).write_to(folder.join("observer.csv"));
    let mut journey = Journey::default();
    let played = Run::new(&mut swarm).to(120).with(film).with(&mut metrics).with(&mut journey).play()?;
    assert_eq!((played.steps, swarm.account()?.lost), (120, 0));
    Ok((journey.length, metrics.rows().last().map_or(0.0, |row| row.polarisation)))
}

fn main() -> Result<(), Failure> {
    let (length, polarisation) = play(Path::new(""))?;
    println!("the centre travelled {length:.1} cells; polarisation {polarisation:.3}");
    Ok(())
}
