//! The files of the window: saved files, the watched files of the scene, and the best scores of rounds.

use super::action::CurveForm;
use super::curves::export;
use super::panel::Panel;
use crate::controller::{RunContent, RunFile, Storage};
use crate::files::watch::Watch;
use crate::files::{self, free_path, home, reading, write_atomically};
use crate::link::Link;
use crate::provenance::Provenance;
use murmuration_core::error::Failure;
use murmuration_core::simulation::Simulation;
use murmuration_core::simulation::replay::ReplayReading;
use murmuration_core::text;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The ending of a file that contains a link.
pub const LINK: &str = ".link.txt";

/// The folder in which the window saves files, and the watch over the files of the scene.
pub struct Disk {
    /// The folder for files that the user saves.
    folder: PathBuf,
    watch: Option<Watch>,
    /// The reason why files cannot be watched; `None`: they can be watched, or the user knows the reason.
    watch_error: Option<String>,
}

impl Disk {
    /// `folder`: the folder for files that the user saves. `watch`: the watch over files, or an error if the system
    /// cannot watch files.
    pub fn new(folder: PathBuf, watch: Result<Watch, impl Display>) -> Self {
        match watch {
            Ok(watch) => Self { folder, watch: Some(watch), watch_error: None },
            Err(error) => Self { folder, watch: None, watch_error: Some(error.to_string()) },
        }
    }
}

impl Storage for Disk {
    fn save(&mut self, RunFile { preset, step, content }: &RunFile) -> Result<String, Failure> {
        let path = |ending| path(&self.folder, preset, *step, ending);
        match content {
            RunContent::Replay(replay) => {
                let path = path(".replay.json");
                files::write_replay(replay, &path)?;
                Ok(path.display().to_string())
            }
            RunContent::Checkpoint(checkpoint) => {
                let path = path(".checkpoint");
                files::write_checkpoint(checkpoint, &path)?;
                Ok(path.display().to_string())
            }
            RunContent::Session(checkpoint, run) => {
                let (Some(path), Some(path_of_run)) = (home::session(), home::run_of_session()) else {
                    return Ok(String::new());
                };
                home::create()?;
                files::write_checkpoint(checkpoint, &path)?;
                run.as_ref().map_or(Ok(()), |run| files::write_replay(run, &path_of_run))?;
                Ok(path.display().to_string())
            }
            RunContent::Link(replay) => {
                let link = Link::from_replay(crate::host(), Arc::new((**replay).clone()))?.write()?;
                let path = path(LINK);
                write_atomically(&path, |to| writeln!(to, "{link}"))?;
                Ok(path.display().to_string())
            }
            RunContent::Preset(preset, chain) => {
                let saved = files::save_preset(preset, chain, &self.folder)?;
                let mask = saved.mask.map_or(String::new(), |mask| format!(", its solids in {}", mask.display()));
                Ok(format!("{}{mask}", saved.preset.display()))
            }
        }
    }

    fn save_last_known(&mut self, simulation: &mut Simulation) -> String {
        let path = path(&self.folder, &simulation.preset().name, simulation.step(), ".checkpoint");
        match files::save_last_known(simulation, &path) {
            Ok(step) => format!("the swarm of step {step} was saved to {}", path.display()),
            Err(failure) => format!("the swarm could not be saved: {failure}"),
        }
    }

    fn save_last_hunt(&mut self, simulation: &mut Simulation) -> Result<(), Failure> {
        let Some(path) = home::last_hunt() else { return Ok(()) };
        let saved = home::create()
            .and_then(|()| simulation.read(ReplayReading))
            .and_then(|replay| files::write_replay(&replay, &path));
        match saved {
            // A run from a checkpoint has no known beginning, so it has no replay.
            Err(Failure::BadInput(_)) => Ok(()),
            saved => saved,
        }
    }

    fn watch(&mut self, files: Vec<PathBuf>) -> Result<(), String> {
        let error = match &mut self.watch {
            Some(watch) => watch.set_files(files).err().map(|error| format!("not all files can be watched: {error}")),
            // Without files the watch is not needed.
            None if files.is_empty() => None,
            None => self.watch_error.take().map(|error| format!("what changes in the files is not noticed: {error}")),
        };
        error.map_or(Ok(()), Err)
    }

    fn changed_files(&mut self) -> Vec<PathBuf> {
        self.watch.as_mut().map_or(Vec::new(), Watch::changed)
    }
}

/// A free path for a file about a step of a preset. `ending`: with its dot. The path is absolute, so that the user
/// finds the file later.
pub fn path(folder: &Path, preset: &str, step: u64, ending: &str) -> PathBuf {
    let path = free_path(&folder.join(format!("murmuration-{preset}-{step:06}")), ending);
    std::path::absolute(&path).unwrap_or(path)
}

/// Saves all measures as a CSV table, or each shown curve as an SVG picture, with the provenance records. Returns a
/// message for the user with the paths.
///
/// # Errors
/// If a picture cannot be drawn, or a file cannot be written.
pub fn save_curves(
    folder: &Path,
    provenance: &Provenance,
    step: u64,
    panel: &Panel,
    form: CurveForm,
) -> Result<String, Failure> {
    let history = &panel.measures;
    let files: Vec<(String, Vec<u8>)> = match (form, panel.charts.shown()) {
        (CurveForm::Table, _) => vec![("-curves.csv".into(), export::table(history))],
        (CurveForm::Pictures, Ok(chosen)) => {
            let known = chosen.iter().filter_map(|name| Some((history.find(name)?, name)));
            let picture = |(measure, name): (usize, &String)| {
                Ok((format!("-{name}.svg"), export::curve(history, measure, name)?.into_bytes()))
            };
            known.map(picture).collect::<Result<_, Failure>>()?
        }
        (CurveForm::Pictures, Err(portrait)) => {
            let name = format!("-{}-{}.svg", portrait.across, portrait.up);
            vec![(name, export::portrait(history, portrait)?.into_bytes())]
        }
    };
    let mut saved = Vec::new();
    for (ending, bytes) in files {
        let path = path(folder, &provenance.preset, step, &ending);
        write_atomically(&path, |to| to.write_all(&bytes))?;
        let columns = (form == CurveForm::Table).then(|| ("columns".to_owned(), export::units(history)));
        provenance.write_beside(&path, step, columns.into_iter().collect())?;
        saved.push(path.display().to_string());
    }
    Ok(if saved.is_empty() { "no curve is shown".into() } else { format!("saved {}", saved.join(", ")) })
}

/// The contents of the file of best scores: for each scene the best score of a round, in boids.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Scores {
    best: BTreeMap<String, u64>,
}

/// The best score of a scene, in boids; `None`: no round was played in the scene.
///
/// # Errors
/// If the file cannot be read.
pub fn best_score(name: &str) -> Result<Option<u64>, Failure> {
    let Some(path) = home::scores() else { return Ok(None) };
    Ok(read_scores(&path)?.best.get(name).copied())
}

/// Saves a score, in boids, if it is the best score of its scene. `name`: the name of the scene.
///
/// # Errors
/// If the file cannot be read or written.
pub fn keep_score(name: &str, score: u64) -> Result<(), Failure> {
    let Some(path) = home::scores() else { return Ok(()) };
    home::create()?;
    add_score(&path, name, score)
}

fn read_scores(path: &Path) -> Result<Scores, Failure> {
    if !path.exists() {
        return Ok(Scores::default());
    }
    let origin = path.display().to_string();
    Ok(text::parse_toml(&origin, &reading::text(path)?, "the best scores")?)
}

/// Adds a score to a file of best scores. The file is read again before it is written, because another window may have
/// added a score.
fn add_score(path: &Path, name: &str, score: u64) -> Result<(), Failure> {
    let mut table = read_scores(path)?;
    let best = table.best.entry(name.to_owned()).or_insert(score);
    *best = score.max(*best);
    let text = toml::to_string(&table).expect("a table of names and numbers is valid TOML");
    write_atomically(path, |to| to.write_all(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::controller::pace::TICK;
    use crate::controller::testing::{FakeClock, scene};
    use crate::controller::{Command, Controller, Event, Scene, Snapshot};
    use murmuration_core::preset::Overrides;
    use murmuration_core::simulation::Input;
    use std::time::Duration;

    const PRESET: &str = "description = \"a scene on disk\"\nchain = \"chain.toml\"\n[world]\nsize = [64, 48]\n\
        [start]\nboids = 900\n[sight.cohesion]\ndisc = 4\n[sight.separation]\ndisc = 2\n[sight.alignment]\n\
                          disc = 3\n[weights]\ncohesion = 0.5\n";
    const CHAIN: &str = "description = \"a chain on disk\"\nextends = \"cell\"\n";

    /// A paused scene on disk, after five steps.
    struct Session {
        folder: tempfile::TempDir,
        controller: Controller,
        clock: FakeClock,
    }

    impl Session {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("scene.toml"), PRESET).unwrap();
            std::fs::write(folder.path().join("chain.toml"), CHAIN).unwrap();
            let path = folder.path().join("scene.toml").display().to_string();
            let scene = Scene { overrides: Overrides::default(), ..scene(&path, 64) };
            let disk = Disk::new(folder.path().into(), Watch::new(|| {}));
            let simulation = scene.begin(crate::host(), None).unwrap();
            let clock = FakeClock::new(Duration::ZERO);
            let mut controller = Controller::new(simulation, scene, Box::new(disk), clock.clock());
            controller.handle([Command::Pause(true), Command::Steps(5)]);
            controller.files_may_have_changed();
            controller.tick();
            assert_eq!(controller.take_events(), [], "no file has changed");
            Self { folder, controller, clock }
        }

        fn write(&mut self, name: &str, text: &str) -> Vec<Event> {
            std::fs::write(self.folder.path().join(name), text).unwrap();
            self.controller.files_may_have_changed();
            self.controller.tick();
            self.controller.take_events()
        }

        fn snapshot(&mut self) -> Snapshot {
            self.controller.handle([Command::Pause(true)]);
            self.controller.snapshot().unwrap()
        }
    }

    fn info(text: &str) -> Event {
        Event::Info(text.into())
    }

    /// Returns the only error among the events.
    fn error(events: &[Event]) -> &str {
        let errors: Vec<_> =
            events.iter().filter_map(|event| if let Event::Error(text) = event { Some(text) } else { None }).collect();
        assert_eq!(errors.len(), 1, "{events:?}");
        errors[0]
    }

    #[test]
    fn other_rules_are_taken_over_by_the_same_swarm() {
        let mut session = Session::new();
        let set = Input::Set { key: "movement.keep".into(), value: "0.5".into() };
        session.controller.handle([Command::from(set)]);
        let before = session.snapshot();
        let events = session.write("scene.toml", &PRESET.replace("cohesion = 0.5", "cohesion = 0.75"));
        assert_eq!(events, [info("reloaded scene.toml; the same swarm goes on")]);
        let after = session.snapshot();
        assert_eq!((after.source.state(), after.step, after.reloads), (before.source.state(), 5, 1));
        let value = |key: &str| after.info.values[key].to_string();
        assert_eq!((value("weights.cohesion"), value("movement.keep")), ("0.75".into(), "0.5".into()));
        let events = session.write("chain.toml", &CHAIN.replace("on disk", "that was renamed"));
        assert_eq!(events, [info("reloaded chain.toml; the same swarm goes on")]);
    }

    #[test]
    fn that_nothing_can_be_watched_is_said_once_where_there_is_a_file() {
        let mut disk = Disk::new(PathBuf::new(), Err::<Watch, _>("too many open files"));
        assert_eq!(disk.watch(Vec::new()), Ok(()));
        let text = "what changes in the files is not noticed: too many open files";
        assert_eq!(disk.watch(vec!["scene.toml".into()]), Err(text.into()));
        assert_eq!(disk.watch(vec!["scene.toml".into()]), Ok(()));
    }

    #[test]
    fn another_start_begins_anew() {
        let mut session = Session::new();
        for (scene, (from, to)) in
            [("boids = 900", "boids = 901"), ("size = [64, 48]", "size = [48, 64]")].into_iter().enumerate()
        {
            let events = session.write("scene.toml", &PRESET.replace(from, to));
            assert_eq!(events, [info("reloaded scene.toml; the swarm begins anew")]);
            let snapshot = session.snapshot();
            assert_eq!((snapshot.step, snapshot.scene), (0, scene as u64 + 1));
        }
    }

    #[test]
    fn a_mistake_is_said_with_its_line_and_taken_back_when_it_is_mended() {
        let mut session = Session::new();
        let before = session.snapshot();
        let events = session.write("scene.toml", &PRESET.replace("disc = 3", "disc = \"far\""));
        let first = error(&events).to_owned();
        assert!(first.contains("scene.toml:12: sight.alignment.disc: "), "{first}");
        // The second error replaces the first error.
        let events = session.write("scene.toml", &PRESET.replace("cohesion = 0.5", "colesion = 0.5"));
        let second = error(&events).to_owned();
        assert!(second.contains("scene.toml:14: weights.colesion: "), "{second}");
        assert_eq!(events, [Event::Resolved(first), Event::Error(second.clone())]);
        let events = session.write("scene.toml", PRESET);
        assert_eq!(events, [Event::Resolved(second), info("scene.toml is again what it was")]);
        // The chain extends a file that does not exist yet. Its creation is noticed.
        let events = session.write("chain.toml", &CHAIN.replace("cell", "base.toml"));
        let wrong = error(&events).to_owned();
        assert!(wrong.contains("chain.toml:2: extends: "), "{wrong}");
        let events = session.write("base.toml", CHAIN);
        assert_eq!(events, [Event::Resolved(wrong), info("reloaded base.toml; the same swarm goes on")]);
        assert_eq!(session.snapshot().source.state(), before.source.state());
        session.controller.handle([Command::Steps(3)]);
        session.clock.pass(TICK);
        session.controller.tick();
        let snapshot = session.snapshot();
        assert_eq!((snapshot.step, snapshot.reloads), (8, 1));
        assert_eq!(session.controller.take_events(), []);
    }

    #[test]
    fn scores_outlive_the_program_and_a_spoilt_file_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scores.toml");
        assert_eq!(read_scores(&path).unwrap().best, BTreeMap::new());
        for (name, score) in [("droplets", 1200), ("fog 64x64", 7), ("fog", 3), ("fog", 2)] {
            add_score(&path, name, score).unwrap();
        }
        let expected = BTreeMap::from([("droplets".into(), 1200), ("fog".into(), 3), ("fog 64x64".into(), 7)]);
        assert_eq!(read_scores(&path).unwrap().best, expected);
        std::fs::write(&path, "[best]\ndroplets = -3\n").unwrap();
        let wrong = add_score(&path, "droplets", 4).unwrap_err().to_string();
        assert!(wrong.contains("scores.toml:2"), "{wrong}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "[best]\ndroplets = -3\n");
    }
}
