use super::*;
use crate::controller::testing::{scene, simulation};
use glam::{uvec2, vec2};
use murmuration_core::simulation::Simulation;
use murmuration_core::state::WorldColumns;
use murmuration_core::world::{Edges, World};
use murmuration_gpu::look::Camera;

fn info(size: u32, edges: Edges) -> Arc<SceneInfo> {
    let info = SceneInfo::new(&simulation(&scene("droplets", size)), None);
    Arc::new(SceneInfo { world: Arc::new(World { edges, ..(*info.world).clone() }), ..info })
}

fn viewpoint() -> Viewpoint {
    Viewpoint {
        arrangement: Arrangement {
            size: uvec2(800, 600),
            camera: Camera { centre: vec2(10.0, 20.0), pixels_per_cell: 4.0 },
            orbit: None,
            school: None,
            depth: Default::default(),
            is_sideways: false,
            models: Models::Main,
            divider: 0.5,
            covered: 0,
        },
        info: info(32, Edges::Torus),
    }
}

#[test]
fn a_window_that_changes_its_size_shows_the_same_in_its_film() {
    let viewpoint = viewpoint();
    let camera = |edges, size| {
        let info = info(32, edges);
        Viewpoint { info: info.clone(), ..viewpoint }.arranged_for(&info, None, size).camera
    };
    // A torus fills the whole picture. A world with walls is fully visible.
    let half = Camera { centre: vec2(10.0, 20.0), pixels_per_cell: 2.0 };
    assert_eq!(camera(Edges::Torus, uvec2(400, 200)), half);
    assert_eq!(camera(Edges::Walls, uvec2(400, 200)).pixels_per_cell, 4.0 / 3.0);
    let other = Viewpoint { info: info(64, Edges::Torus), ..viewpoint };
    let fitted = Camera::fit(Extents::flat(32, 32), Edges::Torus, uvec2(400, 200));
    assert_eq!(other.arranged_for(&info(32, Edges::Torus), None, uvec2(400, 200)).camera, fitted);
}

/// Records three frames. Drawing the last frame calls `fail`. Returns the error of the film.
fn recorded(path: &Path, patience: Patience, fail: fn() -> Result<(), Failure>) -> Failure {
    let (frames, queue) = sync_channel(3);
    let sender = FilmSender { frames, progress: Progress::new(viewpoint()) };
    let mut simulation = simulation(&scene("droplets", 32));
    let info = Arc::new(SceneInfo::new(&simulation, None));
    for step in 0..3 {
        let sent = sender.send(frame(&mut simulation, &info, step), patience);
        assert!(matches!(sent, SentFrame::Sent));
    }
    assert_eq!(sender.progress.steps.load(Ordering::Relaxed), 6);
    drop(sender);
    let draw: DrawFrame = Box::new(move |QueuedFrame { frame, .. }| {
        if frame.step == 2 {
            fail()?;
        }
        let picture = Picture { width: 8, height: 8, bytes: vec![7; 8 * 8 * 3] };
        Ok(Ticket::ready((picture, Caption { provenance: Default::default(), step: frame.step })))
    });
    let (answer, outcome) = channel();
    let film = Some(Film::begin(path, 30).unwrap());
    let (path, wake, progress) = (path.to_path_buf(), Arc::new(|| {}), Progress::new(viewpoint()));
    let mut task = FilmTask { film, path, queue, drawn: None, progress, draw, answer, wake };
    while task.turn(patience) {}
    outcome.recv().unwrap().unwrap_err()
}

#[test]
fn a_film_that_fails_or_panics_says_so_and_what_was_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film.apng");
    let saved = format!("saved 2 frames as {}", path.display());
    let failure = recorded(&path, Patience::Wait, || Err(Failure::Device("the device is gone".into())));
    assert_eq!(failure.to_string(), format!("the device is gone; {saved}"));
    assert!(path.exists());
    std::fs::remove_file(&path).unwrap();
    let failure = recorded(&path, Patience::Poll, || panic!("out of bounds"));
    assert_eq!(failure.to_string(), format!("the film has panicked: out of bounds; {saved}"));
    assert!(path.exists());
}

/// The frame of a step, two steps after the frame before.
fn frame(simulation: &mut Simulation, info: &Arc<SceneInfo>, step: u64) -> FilmFrame {
    let source = simulation.state().unwrap().into();
    let info = info.clone();
    let (individuals, compared, school) = (None, None, None);
    let columns = Ticket::ready(WorldColumns::default());
    FilmFrame { source, individuals, compared, info, school, columns, step, inputs: 0, steps: 2 }
}

#[test]
fn a_sender_learns_that_the_queue_is_full_and_that_the_film_has_ended() {
    let (frames, queue) = sync_channel(1);
    let sender = FilmSender { frames, progress: Progress::new(viewpoint()) };
    let mut simulation = simulation(&scene("droplets", 32));
    let info = Arc::new(SceneInfo::new(&simulation, None));
    let mut send = |step, patience| sender.send(frame(&mut simulation, &info, step), patience);
    assert!(matches!(send(1, Patience::Poll), SentFrame::Sent));
    // The thread that draws must not wait, or it would wait for ever.
    assert!(matches!(send(2, Patience::Poll), SentFrame::QueueFull(frame) if frame.step == 2));
    assert_eq!(queue.recv().unwrap().frame.step, 1);
    assert!(matches!(send(2, Patience::Poll), SentFrame::Sent));
    drop(queue);
    assert!(matches!(send(3, Patience::Poll), SentFrame::FilmEnded));
    assert!(matches!(send(3, Patience::Wait), SentFrame::FilmEnded));
    assert_eq!(sender.progress.steps.load(Ordering::Relaxed), 4);
}
