//! Filming: every state that is due goes from the thread of the simulation to a thread that draws it and adds it to the
//! film. The way there is short, so that a simulation that is faster waits: no step is left out and none comes twice.

use super::beside::Other;
use super::priority;
use super::scene::Facts;
use super::sides::{Arrangement, Model, Models, fit};
use crate::agents::Agents;
use crate::engine::Adapters;
use crate::engine::gpu::Gpu;
use crate::error::Failure;
use crate::files::free_path;
use crate::film::{Film, Form};
use crate::look::{Orbit, Part, PictureRenderer};
use crate::observe::Caption;
use crate::state::State;
use crate::world::{Edges, Extents};
use glam::{UVec2, UVec3, Vec2};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// States that may wait to be drawn.
const WAITING: usize = 2;
/// How often a film without news looks whether it is over.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// Where the window looks at the swarm from, for whoever draws it as the window does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Viewpoint {
    pub arrangement: Arrangement,
    /// The world that the camera was set up for.
    pub extents: Extents,
    pub edges: Edges,
    pub depth: u32,
}

impl Viewpoint {
    /// The same in a picture of another size, as far as its shape allows; of a world that the window has not seen yet,
    /// all of it.
    fn arranged_for(&self, facts: &Facts, size: UVec2) -> Arrangement {
        let world = &facts.world;
        let mut arrangement = self.arrangement.scaled(size, world.edges);
        if (self.extents, self.edges, self.depth) != (world.extents, world.edges, facts.depth) {
            arrangement.orbit = (facts.depth > 1).then(|| Orbit::fit(UVec3::ONE, size, Vec2::ONE));
            fit(&mut arrangement, world, facts.depth, 0);
        }
        arrangement
    }
}

/// What a frame of a film shows.
#[derive(Debug)]
pub struct Filmed {
    pub state: State,
    pub agents: Option<Arc<Agents>>,
    /// The individuals beside the cells.
    pub beside: Option<Other>,
}

/// A state on its way to the film.
#[derive(Debug)]
struct Moment {
    filmed: Filmed,
    facts: Arc<Facts>,
    step: u64,
    /// Steps since the moment before.
    steps: u64,
    viewpoint: Viewpoint,
}

/// What window, simulation and film know of each other.
#[derive(Debug)]
struct Shared {
    viewpoint: Mutex<Viewpoint>,
    /// Frames in the film.
    frames: AtomicU64,
    /// Steps played while it was filmed.
    steps: AtomicU64,
    /// The window closes: nothing more comes, though the simulation may not have heard it yet.
    is_over: AtomicBool,
}

/// The simulation's end: takes every state that is due.
#[derive(Debug)]
pub struct Lens {
    moments: SyncSender<Moment>,
    shared: Arc<Shared>,
    /// Steps from one frame to the next, and those since the last one.
    every: u64,
    since: u64,
}

impl Lens {
    /// Steps until a state is due; at least one.
    pub fn until_due(&self) -> u64 {
        self.every - self.since
    }

    /// So many steps were played, at most [`Self::until_due`]; whether the state is due now.
    pub fn count(&mut self, steps: u64) -> bool {
        self.shared.steps.fetch_add(steps, Ordering::Relaxed);
        self.since += steps;
        self.since >= self.every
    }

    /// Gives a state that is due away, and waits while too many are on their way. `false`: the film has ended, and has
    /// said why.
    #[must_use]
    pub fn take(&mut self, filmed: Filmed, facts: &Arc<Facts>, step: u64) -> bool {
        let viewpoint = *self.shared.viewpoint.lock().unwrap_or_else(PoisonError::into_inner);
        let steps = std::mem::take(&mut self.since);
        self.moments.send(Moment { filmed, facts: facts.clone(), step, steps, viewpoint }).is_ok()
    }
}

/// What became of a film.
pub type Outcome = Result<Finished, Failure>;

/// A film that is finished.
#[derive(Debug, Clone)]
pub struct Finished {
    /// 0: no step was played, and there is no film.
    pub frames: u64,
    pub path: PathBuf,
}

impl std::fmt::Display for Finished {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.frames {
            0 => f.write_str("no step was played, so there is no film"),
            1 => write!(f, "saved 1 frame as {}", self.path.display()),
            frames => write!(f, "saved {frames} frames as {}", self.path.display()),
        }
    }
}

/// The window's end of a film under way.
pub struct Filming {
    shared: Arc<Shared>,
    outcome: Receiver<Outcome>,
    thread: Option<JoinHandle<()>>,
    pub frames_a_second: u32,
    /// Whether the simulation was told to give nothing more.
    pub is_stopping: bool,
}

impl Filming {
    /// Begins a film of `name`, in the folder where the program was started, as large as the window is now. `wake` is
    /// called when it has ended.
    ///
    /// # Errors
    /// As [`Film::begin`], and where there can be no thread.
    pub fn begin(
        form: Form,
        name: &str,
        frames_a_second: u32,
        every: u64,
        viewpoint: Viewpoint,
        wake: impl Fn() + Send + 'static,
    ) -> Result<(Self, Lens), Failure> {
        let path = place(name, form);
        let film = Film::begin(&path, frames_a_second)?;
        let shared = Arc::new(Shared {
            viewpoint: Mutex::new(viewpoint),
            frames: AtomicU64::new(0),
            steps: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
        });
        let (moments, due) = sync_channel(WAITING);
        let known = shared.clone();
        let (tell, outcome) = channel();
        let record = move || {
            priority::give_way(priority::FILM);
            let mut studio = None;
            let add = |film: &mut Film, moment| {
                draw(&mut studio, film, moment, viewpoint.arrangement.size)?;
                known.frames.store(film.frames(), Ordering::Relaxed);
                Ok(())
            };
            let outcome = record(film, path, &due, &known.is_over, add);
            // Who waits for the outcome has it; a window that is gone does not.
            let _ = tell.send(outcome);
            wake();
        };
        let thread = thread::Builder::new().name("film".into()).spawn(record);
        let thread = thread.map_err(|source| Failure::File {
            action: "cannot begin a thread for",
            path: "the film".into(),
            source,
        })?;
        let lens = Lens { moments, shared: shared.clone(), every: every.max(1), since: 0 };
        Ok((Self { shared, outcome, thread: Some(thread), frames_a_second, is_stopping: false }, lens))
    }

    /// The window looks from here now.
    pub fn look_from(&self, viewpoint: Viewpoint) {
        *self.shared.viewpoint.lock().unwrap_or_else(PoisonError::into_inner) = viewpoint;
    }

    /// Frames in the film so far.
    pub fn frames(&self) -> u64 {
        self.shared.frames.load(Ordering::Relaxed)
    }

    /// Steps played while it was filmed.
    pub fn steps(&self) -> u64 {
        self.shared.steps.load(Ordering::Relaxed)
    }

    /// What became of it, once it has ended. To be asked until it is known, and not again.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.outcome.try_recv() {
            Ok(outcome) => Some(outcome),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err(Failure::Broken("the film has ended without a word".into()))),
        }
    }

    /// Completes the film with what was filmed, and waits until that is done.
    ///
    /// # Errors
    /// What kept it from being filmed to its end.
    pub fn finish(mut self) -> Outcome {
        self.end();
        self.outcome.recv().unwrap_or_else(|_| Err(Failure::Broken("the film has ended without a word".into())))
    }

    fn end(&mut self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Filming {
    fn drop(&mut self) {
        // However the window comes to its end, its film is completed.
        self.end();
    }
}

/// Adds what comes until nothing more does, and completes the film. Where a picture fails, the film has those before it.
fn record(
    mut film: Film,
    path: PathBuf,
    due: &Receiver<Moment>,
    is_over: &AtomicBool,
    mut add: impl FnMut(&mut Film, Moment) -> Result<(), Failure>,
) -> Outcome {
    let recorded = loop {
        let added = match due.recv_timeout(BETWEEN_LOOKS) {
            Ok(moment) => or_panic(|| add(&mut film, moment)),
            Err(RecvTimeoutError::Disconnected) => break Ok(()),
            Err(RecvTimeoutError::Timeout) if is_over.load(Ordering::Relaxed) => break Ok(()),
            Err(RecvTimeoutError::Timeout) => Ok(()),
        };
        if added.is_err() {
            break added;
        }
    };
    // What there is is kept, whatever kept the rest from it.
    let finished = or_panic(|| film.finish());
    let path = std::path::absolute(&path).unwrap_or(path);
    match (recorded, finished) {
        (Ok(()), Ok(frames)) => Ok(Finished { frames, path }),
        (Ok(()), Err(failure)) => Err(failure),
        (Err(failure), Ok(0)) => Err(failure),
        (Err(failure), Ok(frames)) => Err(failure.with(Finished { frames, path })),
        (Err(failure), Err(other)) => Err(failure.with(other)),
    }
}

/// A panic of what draws or writes a film is the end of the film, and not of all that could be said about it.
fn or_panic<T>(act: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    // What was being changed is only looked at by the film, which knows which of its frames are whole.
    catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        Err(Failure::Broken(format!("the film has panicked: {}", text.unwrap_or("without a word"))))
    })
}

/// Draws a state on a device of the film's own, and adds the picture.
fn draw(studio: &mut Option<FilmRenderer>, film: &mut Film, moment: Moment, size: UVec2) -> Result<(), Failure> {
    let extents = moment.filmed.state.extents;
    if studio.as_ref().is_none_or(|studio| !studio.holds(extents)) {
        *studio = Some(FilmRenderer::open(extents, size)?);
    }
    let Some(FilmRenderer { gpu, pictures }) = studio else { return Ok(()) };
    let Moment { filmed: Filmed { state, agents, beside }, facts, step, steps, viewpoint } = moment;
    let mut arrangement = viewpoint.arranged_for(&facts, size);
    if beside.is_none() {
        arrangement.models = Models::Played;
    }
    let parts = arrangement.sides().into_iter().map(|side| {
        let (state, agents) = match (&beside, side.model) {
            (Some(other), Model::Beside) => (&*other.state, Some(&*other.agents)),
            _ => (&state, agents.as_deref()),
        };
        Part { state, agents, world: &facts.world, transform: side.transform, pane: side.pane, steps }
    });
    let picture = pictures.next(gpu, &parts.collect::<Vec<_>>(), &facts.look, size)?;
    film.add(&picture, &Caption { preset: facts.preset.clone(), step, seed: facts.seed })
}

/// What a film is drawn with: a device of its own, so that the window never waits for it.
struct FilmRenderer {
    gpu: Gpu,
    pictures: PictureRenderer,
}

impl FilmRenderer {
    fn open(extents: Extents, size: UVec2) -> Result<Self, Failure> {
        // The device has to hold the picture as well as the lattice.
        let extents = Extents { width: extents.width.max(size.x), height: extents.height.max(size.y) };
        let gpu = Gpu::open(*crate::host().library(), Adapters::Any, extents)?;
        let pictures = PictureRenderer::new(&gpu)?;
        Ok(Self { gpu, pictures })
    }

    fn holds(&self, extents: Extents) -> bool {
        extents.width.max(extents.height) <= self.gpu.device.limits().max_texture_dimension_2d
    }
}

/// A path that nothing has yet.
fn place(name: &str, form: Form) -> PathBuf {
    let path = free_path(Path::new(name), form.ending());
    // A dot in a preset's name is no ending.
    if form == Form::Pictures { path.join("") } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::cpu;
    use crate::look::Camera;
    use crate::observe::Picture;
    use crate::preset::Overrides;
    use crate::simulation::EngineChoice;
    use crate::viewer::Scene;
    use crate::viewer::sides::Models;
    use crate::world::World;
    use glam::{uvec2, vec2};

    fn viewpoint() -> Viewpoint {
        Viewpoint {
            arrangement: Arrangement {
                size: uvec2(800, 600),
                camera: Camera { centre: vec2(10.0, 20.0), pixels_per_cell: 4.0 },
                orbit: None,
                models: Models::Played,
                divider: 0.5,
                covered: 0,
            },
            extents: Extents { width: 32, height: 32 },
            edges: Edges::Torus,
            depth: 1,
        }
    }

    #[test]
    fn a_window_that_changes_its_size_shows_the_same_in_its_film() {
        let viewpoint = viewpoint();
        let scene = scene();
        let simulation = scene.begin().unwrap();
        let facts = |edges| {
            let facts = Facts::of(&simulation, None);
            Facts { world: Arc::new(World { edges, ..(*facts.world).clone() }), ..facts }
        };
        let camera = |edges, size| Viewpoint { edges, ..viewpoint }.arranged_for(&facts(edges), size).camera;
        // A torus fills the picture, and of walls nothing is cut off.
        let half = Camera { centre: vec2(10.0, 20.0), pixels_per_cell: 2.0 };
        assert_eq!(camera(Edges::Torus, uvec2(400, 200)), half);
        assert_eq!(camera(Edges::Walls, uvec2(400, 200)).pixels_per_cell, 4.0 / 3.0);
        let other = Viewpoint { extents: Extents { width: 64, height: 48 }, ..viewpoint };
        let fitted = Camera::fit(simulation.preset().world.extents, Edges::Torus, uvec2(400, 200));
        assert_eq!(other.arranged_for(&facts(Edges::Torus), uvec2(400, 200)).camera, fitted);
    }

    fn scene() -> Scene {
        Scene {
            preset: "droplets".into(),
            overrides: Overrides { size: Some((32, 32)), ..Overrides::default() },
            chain: None,
            choice: EngineChoice::Cpu(cpu::Options { threads: Some(1), instruction_set: None }),
            replay: None,
        }
    }

    /// Records three moments of nothing at all, of which the last makes `fail`.
    fn recorded(path: &Path, fail: fn() -> Result<(), Failure>) -> Failure {
        let (moments, due) = sync_channel(3);
        let scene = scene();
        let mut simulation = scene.begin().unwrap();
        let facts = Arc::new(Facts::of(&simulation, None));
        for step in 0..3 {
            let state = simulation.state().unwrap();
            let filmed = Filmed { state, agents: None, beside: None };
            moments.send(Moment { filmed, facts: facts.clone(), step, steps: 1, viewpoint: viewpoint() }).unwrap();
        }
        drop(moments);
        let film = Film::begin(path, 30).unwrap();
        let add = |film: &mut Film, moment: Moment| {
            if moment.step == 2 {
                return fail();
            }
            let picture = Picture { width: 8, height: 8, bytes: vec![7; 8 * 8 * 3] };
            film.add(&picture, &Caption { preset: "droplets".into(), step: moment.step, seed: 1 })
        };
        record(film, path.to_path_buf(), &due, &AtomicBool::new(false), add).unwrap_err()
    }

    #[test]
    fn a_film_that_fails_or_panics_says_so_and_what_was_saved() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("film.apng");
        let saved = format!("saved 2 frames as {}", path.display());
        let failure = recorded(&path, || Err(Failure::Device("the device is gone".into())));
        assert_eq!(failure.to_string(), format!("the device is gone; {saved}"));
        assert!(path.exists());
        std::fs::remove_file(&path).unwrap();
        let failure = recorded(&path, || panic!("out of bounds"));
        assert_eq!(failure.to_string(), format!("the film has panicked: out of bounds; {saved}"));
        assert!(path.exists());
    }

    #[test]
    fn a_frame_is_due_after_every_few_steps() {
        let (moments, due) = sync_channel(1);
        let shared = Arc::new(Shared {
            viewpoint: Mutex::new(viewpoint()),
            frames: AtomicU64::new(0),
            steps: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
        });
        let mut lens = Lens { moments, shared: shared.clone(), every: 3, since: 0 };
        assert_eq!(lens.until_due(), 3);
        assert!(!lens.count(2));
        assert_eq!(lens.until_due(), 1);
        assert!(lens.count(1));
        assert_eq!(shared.steps.load(Ordering::Relaxed), 3);
        drop(due);
    }
}
