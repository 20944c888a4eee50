//! Records films in the window. A separate task draws the frames that the simulation sends, and writes them to the
//! film. The queue of frames is short, so that a faster simulation waits. No frame is lost or repeated.

use super::scheduler::{self, RunningTask, Task, TaskKind, TaskScheduler, Waker};
use super::sides::{Arrangement, Model, Models};
use crate::controller::{FilmFrame, SceneInfo};
use crate::files::free_path;
use crate::film::{Film, FilmFormat};
use crate::observe::{Caption, Picture};
use glam::{UVec2, Vec2};
use murmuration_core::chain::Chain;
use murmuration_core::engine::Adapters;
use murmuration_core::error::Failure;
use murmuration_core::picture::features::{MapView, add_features};
use murmuration_core::state::WorldColumns;
use murmuration_core::ticket::{Patience, Ticket};
use murmuration_core::world::Extents;
use murmuration_gpu::look::{Pane, Part, PictureRenderer, SwarmSource, ViewTransform};
use murmuration_gpu::{DeviceRequest, Gpu};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{
    Receiver, RecvTimeoutError, SendError, Sender, SyncSender, TryRecvError, TrySendError, channel, sync_channel,
};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The maximum number of frames that wait to be drawn.
const QUEUE: usize = 2;
/// The interval at which a film without new frames checks whether it has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The view of the world in the window, which a film uses too.
#[derive(Debug, Clone)]
pub struct Viewpoint {
    pub arrangement: Arrangement,
    /// The scene for which the camera was set up.
    pub info: Arc<SceneInfo>,
}

impl Viewpoint {
    /// The arrangement of views for a picture of `size` pixels, as similar as the aspect ratio allows. `school`: the
    /// mean place of the individuals that the view follows. If the world of `info` has another shape than the world of
    /// [`Self::info`], the whole world is in view.
    fn arranged_for(&self, info: &SceneInfo, school: Option<[f32; 3]>, size: UVec2) -> Arrangement {
        let plane = |info: &SceneInfo| info.look.shows_values().then_some(info.look.axis);
        let shape = |info: &SceneInfo| (info.world.extents, info.world.edges, info.depth, plane(info));
        let mut arrangement = self.arrangement.scaled(size, info.world.edges);
        arrangement.follow(school);
        if let (Some(orbit), Some(field)) = (&mut arrangement.orbit, &info.world.rock) {
            orbit.leave_rock(field);
        }
        if shape(&self.info) != shape(info) {
            arrangement.fit(info, false, 0);
        }
        arrangement
    }
}

/// A frame for the film, with the view in the window at the time when the frame was due.
#[derive(Debug)]
struct QueuedFrame {
    frame: FilmFrame,
    viewpoint: Viewpoint,
}

/// The state that the window, the simulation and the film task share.
#[derive(Debug)]
struct Progress {
    viewpoint: Mutex<Viewpoint>,
    frames: AtomicU64,
    steps: AtomicU64,
    /// Becomes true when the window closes. No more frames come then, even if the simulation does not know that yet.
    is_over: AtomicBool,
}

impl Progress {
    fn new(viewpoint: Viewpoint) -> Arc<Self> {
        let viewpoint = Mutex::new(viewpoint);
        let is_over = AtomicBool::new(false);
        Arc::new(Self { viewpoint, frames: AtomicU64::new(0), steps: AtomicU64::new(0), is_over })
    }
}

/// The simulation's connection to a film task. It sends frames to the task.
#[derive(Debug)]
pub struct FilmSender {
    frames: SyncSender<QueuedFrame>,
    progress: Arc<Progress>,
}

impl FilmSender {
    /// Sends a frame. With `Patience::Wait` the call waits while the queue is full.
    #[must_use]
    pub fn send(&self, frame: FilmFrame, patience: Patience) -> SentFrame {
        let viewpoint = self.progress.viewpoint.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let steps = frame.steps;
        let queued = QueuedFrame { frame, viewpoint };
        let sent = match patience {
            Patience::Wait => self.frames.send(queued).map_err(|SendError(queued)| TrySendError::Disconnected(queued)),
            Patience::Poll => self.frames.try_send(queued),
        };
        match sent {
            Ok(()) => {
                self.count(steps);
                SentFrame::Sent
            }
            Err(TrySendError::Full(QueuedFrame { frame, .. })) => SentFrame::QueueFull(Box::new(frame)),
            Err(TrySendError::Disconnected(_)) => SentFrame::FilmEnded,
        }
    }

    /// Adds to the number of steps that were played for the film.
    pub fn count(&self, steps: u64) {
        self.progress.steps.fetch_add(steps, Ordering::Relaxed);
    }
}

/// The result of sending a frame.
#[derive(Debug)]
pub enum SentFrame {
    Sent,
    /// The queue is full and the sender may not wait. The frame is returned.
    QueueFull(Box<FilmFrame>),
    FilmEnded,
}

pub type Outcome = Result<FinishedFilm, Failure>;

/// A finished film.
#[derive(Debug, Clone)]
pub struct FinishedFilm {
    /// The number of frames; 0: no step was played, and there is no file.
    pub frames: u64,
    pub path: PathBuf,
}

impl std::fmt::Display for FinishedFilm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.frames {
            0 => f.write_str("no step was played, so there is no film"),
            1 => write!(f, "saved 1 frame as {}", self.path.display()),
            frames => write!(f, "saved {frames} frames as {}", self.path.display()),
        }
    }
}

/// The window's connection to a film task. It controls the recording and receives the result.
pub struct FilmRecording {
    progress: Arc<Progress>,
    outcome: Receiver<Outcome>,
    task: Option<Box<dyn RunningTask>>,
    pub frames_a_second: u32,
    /// Whether the simulation was told to stop sending frames.
    pub is_stopping: bool,
}

impl FilmRecording {
    /// Starts a film in the current folder. The film has the present size of the window, and a look chain draws the
    /// frames. `wake` is called when the film has ended.
    ///
    /// # Errors
    /// As [`Film::begin`], and if no thread can be started.
    pub fn start(
        form: FilmFormat,
        name: &str,
        frames_a_second: u32,
        viewpoint: Viewpoint,
        look: Chain,
        scheduler: &dyn TaskScheduler,
        wake: Waker,
    ) -> Result<(Self, FilmSender), Failure> {
        let path = path_of(name, form);
        let mut film = Film::begin(&path, frames_a_second)?;
        let size = viewpoint.arrangement.size;
        let progress = Progress::new(viewpoint);
        let (frames, queue) = sync_channel(QUEUE);
        let (answer, outcome) = channel();
        let shared = progress.clone();
        film.end_when(Arc::new(move || shared.is_over.load(Ordering::Relaxed)));
        let mut renderer = None;
        let draw = Box::new(move |frame| request_picture(&mut renderer, &look, frame, size));
        let shared = progress.clone();
        let task = FilmTask { film: Some(film), path, queue, drawn: None, progress: shared, draw, answer, wake };
        let task = Some(scheduler.start(TaskKind::Film, Box::new(task))?);
        let sender = FilmSender { frames, progress: progress.clone() };
        Ok((Self { progress, outcome, task, frames_a_second, is_stopping: false }, sender))
    }

    /// Sets the view of the world for later frames.
    pub fn set_viewpoint(&self, viewpoint: Viewpoint) {
        *self.progress.viewpoint.lock().unwrap_or_else(PoisonError::into_inner) = viewpoint;
    }

    /// The number of frames that were recorded, and the number of steps that were played for them.
    pub fn size(&self) -> [u64; 2] {
        [&self.progress.frames, &self.progress.steps].map(|count| count.load(Ordering::Relaxed))
    }

    /// The result of the film once it has ended; `None`: the film has not ended. The result is returned only once. A
    /// later call returns an error.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.outcome.try_recv() {
            Err(TryRecvError::Empty) => None,
            ended => Some(ended.unwrap_or_else(|_| no_outcome())),
        }
    }

    /// Draws the due frames, if the system has no threads.
    pub fn turn(&mut self) {
        if let Some(task) = &mut self.task {
            task.turn();
        }
    }

    /// Completes the film with all frames that were sent, and waits for the result.
    ///
    /// # Errors
    /// If the film could not be completed.
    pub fn finish(mut self) -> Outcome {
        self.end();
        self.outcome.recv().unwrap_or_else(|_| no_outcome())
    }

    fn end(&mut self) {
        self.progress.is_over.store(true, Ordering::Relaxed);
        if let Some(task) = self.task.take() {
            task.join();
        }
    }
}

impl Drop for FilmRecording {
    fn drop(&mut self) {
        // The film is completed even if the window panics.
        self.end();
    }
}

fn no_outcome() -> Outcome {
    Err(Failure::Broken("the film has ended without a word".into()))
}

/// The picture of a frame, with its provenance record and step.
type DrawnFrame = (Picture, Caption);

/// A function that requests the picture of a frame.
type DrawFrame = Box<dyn FnMut(QueuedFrame) -> Result<Ticket<DrawnFrame>, Failure> + Send>;

/// The task that adds frames to a film until no more come, and then completes the film. If a frame fails, the film
/// contains the frames before that frame.
struct FilmTask {
    /// The film; `None` once the film is completed.
    film: Option<Film>,
    path: PathBuf,
    queue: Receiver<QueuedFrame>,
    /// The picture that is being drawn; `None`: no picture is being drawn.
    drawn: Option<Ticket<DrawnFrame>>,
    progress: Arc<Progress>,
    draw: DrawFrame,
    answer: Sender<Outcome>,
    wake: Waker,
}

impl Task for FilmTask {
    fn turn(&mut self, patience: Patience) -> bool {
        let recorded = match catch_panic(|| self.record(patience)) {
            Ok(true) => return true,
            Ok(false) => Ok(()),
            Err(failure) => Err(failure),
        };
        // The window may have closed already.
        let _ = self.film.take().map(|film| self.answer.send(complete(film, &self.path, recorded)));
        (self.wake)();
        false
    }
}

impl FilmTask {
    /// Adds the picture that was drawn, or starts to draw the next picture. Returns `false` when no more frames come.
    fn record(&mut self, patience: Patience) -> Result<bool, Failure> {
        let Some(film) = &mut self.film else { return Ok(false) };
        if let Some(drawn) = &mut self.drawn {
            if let Some((picture, caption)) = drawn.take(patience)? {
                self.drawn = None;
                film.add(&picture, &caption)?;
                self.progress.frames.store(film.frames(), Ordering::Relaxed);
            }
            return Ok(true);
        }
        match scheduler::receive(&self.queue, patience, Some(POLL_INTERVAL)) {
            Ok(frame) => self.drawn = Some((self.draw)(frame)?),
            Err(RecvTimeoutError::Timeout) if !self.progress.is_over.load(Ordering::Relaxed) => {}
            Err(_) => return Ok(false),
        }
        Ok(true)
    }
}

/// Completes a film. `recorded`: whether all frames were added.
fn complete(film: Film, path: &Path, recorded: Result<(), Failure>) -> Outcome {
    // The frames that were added stay in the film in any case.
    let finished = catch_panic(|| film.finish());
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    match (recorded, finished) {
        (Ok(()), Ok(frames)) => Ok(FinishedFilm { frames, path }),
        (Ok(()), Err(failure)) => Err(failure),
        (Err(failure), Ok(0)) => Err(failure),
        (Err(failure), Ok(frames)) => Err(failure.with(FinishedFilm { frames, path })),
        (Err(failure), Err(other)) => Err(failure.with(other)),
    }
}

/// Calls a function, and returns a panic of the function as an error.
fn catch_panic<T>(act: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    // After a panic only the film is used. The film knows which of its frames are complete.
    catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        Err(Failure::Broken(format!("the film has panicked: {}", text.unwrap_or("without a word"))))
    })
}

/// Requests the picture of a frame. A swarm on a GPU device is drawn on that device.
fn request_picture(
    renderer: &mut Option<PictureRenderer>,
    look: &Chain,
    frame: QueuedFrame,
    size: UVec2,
) -> Result<Ticket<DrawnFrame>, Failure> {
    let QueuedFrame { frame, viewpoint } = frame;
    let FilmFrame { source, individuals, compared, info, school, columns, step, inputs, .. } = frame;
    // The device must support textures of the size of the picture and of the size of the lattice.
    let Extents { width, height, .. } = source.extents();
    let extents = Extents::flat(width.max(size.x), height.max(size.y));
    let serves = |gpu: &Gpu| match &source {
        SwarmSource::Device(textures) => textures.gpu.is_same_device(gpu),
        SwarmSource::Memory(..) => !gpu.is_lost() && gpu.check_size(extents, 0).is_ok(),
    };
    if renderer.as_ref().is_none_or(|pictures| !serves(pictures.gpu())) {
        let gpu = match &source {
            SwarmSource::Device(textures) => textures.gpu.clone(),
            SwarmSource::Memory(..) => crate::devices().get(&DeviceRequest::new(Adapters::Any, extents))?,
        };
        *renderer = Some(PictureRenderer::with_chain(&gpu, look.clone())?);
    }
    let Some(pictures) = renderer else { return Err(Failure::Broken("nothing draws the film".into())) };
    let mut arrangement = viewpoint.arranged_for(&info, school, size);
    if compared.is_none() {
        arrangement.models = Models::Main;
    }
    let parts = arrangement.sides().into_iter().map(|side| {
        let (source, individuals) = match (&compared, side.model) {
            (Some(other), Model::Individuals) => (other.source.clone(), other.individuals.clone()),
            _ => (source.clone(), individuals.clone()),
        };
        Part { source, individuals, world: &info.world, transform: side.transform, pane: side.pane }
    });
    let parts: Vec<_> = parts.collect();
    let picture = pictures.request(&parts, &info.look, size)?;
    let seen: Vec<_> = parts.iter().map(|part| (part.pane, part.transform)).collect();
    Ok(picture.and(columns).map(move |(mut picture, columns)| {
        for (pane, transform) in &seen {
            add_features_of(&mut picture, *pane, transform, &info, &columns);
        }
        (picture, Caption { provenance: info.provenance.with_inputs(inputs), step })
    }))
}

/// Adds the features of a flat world to the part of a picture that shows it from above.
fn add_features_of(
    picture: &mut Picture,
    pane: Pane,
    transform: &ViewTransform,
    info: &SceneInfo,
    columns: &WorldColumns,
) {
    let ViewTransform::Above(camera) = transform else { return };
    let Pane { origin, size } = pane;
    let cells = size.as_vec2() / camera.pixels_per_cell;
    let view = MapView {
        origin: origin.to_array(),
        size: size.to_array(),
        corner: camera.cell_at(size, Vec2::ZERO).to_array(),
        cells: cells.to_array(),
    };
    add_features(picture, &view, (info.world.extents, info.world.edges), &info.features.of_world, columns);
}

fn path_of(name: &str, form: FilmFormat) -> PathBuf {
    let path = free_path(Path::new(name), form.ending());
    // A folder of pictures has no extension, even if the preset's name contains a dot.
    if form == FilmFormat::Pictures { path.join("") } else { path }
}

#[cfg(test)]
mod tests;
