//! What is done when the files of a scene have changed on disk.
//!
//! Where only the rules changed, the same swarm goes on under them; where the start did, it begins anew; and where
//! something is wrong, the last good scene goes on until it is mended.

use super::scene::Scene;
use crate::chain::Chain;
use crate::error::Failure;
use crate::files::watch::Watch;
use crate::preset::Preset;
use crate::simulation::Simulation;
use crate::text::is_path;
use crate::texts::Texts;
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// What came of a look at the files.
pub enum Reloaded {
    /// Nothing that matters has changed.
    Same,
    /// The same swarm goes on under other rules.
    Rules,
    /// The swarm began anew.
    Start(Box<Simulation>),
}

/// The files of the scene under way.
pub struct Disk {
    /// `None` where the system watches no files.
    watch: Option<Watch>,
    /// Why it watches none, until that was said.
    refusal: Option<String>,
    /// What is wrong with the files, where something is.
    trouble: Option<String>,
}

/// What is to be said after a look at the files.
pub struct Look {
    pub reloaded: Reloaded,
    /// What was complained of before and is so no longer.
    pub mended: Option<String>,
    pub trouble: Option<String>,
    pub remark: Option<String>,
}

impl Disk {
    /// `Err`: nothing can be watched.
    pub fn new(watch: Result<Watch, impl Display>) -> Self {
        match watch {
            Ok(watch) => Self { watch: Some(watch), refusal: None, trouble: None },
            Err(refusal) => Self { watch: None, refusal: Some(refusal.to_string()), trouble: None },
        }
    }

    /// Watches what a scene that has begun was read from. `Err`: what cannot be watched, and why.
    pub fn follow(&mut self, scene: &Scene, simulation: &Simulation) -> Result<(), String> {
        let chain = simulation.chain().files.paths().map(PathBuf::from);
        self.watch_all(files(scene, simulation.preset()).chain(chain))
    }

    /// What was wrong with the files of a scene that is over.
    pub fn forget(&mut self) -> Option<String> {
        self.trouble.take()
    }

    fn watch_all(&mut self, files: impl Iterator<Item = PathBuf>) -> Result<(), String> {
        let mut files = files.peekable();
        let refusal = match &mut self.watch {
            Some(watch) => watch.follow(files).err().map(|error| format!("not all files can be watched: {error}")),
            // Without a file there is nothing that anyone could miss.
            None if files.peek().is_none() => None,
            None => self.refusal.take().map(|why| format!("what changes in the files is not noticed: {why}")),
        };
        refusal.map_or(Ok(()), Err)
    }

    /// Looks at the files, and does what has to be done. `None`: they are what they were.
    pub fn look(&mut self, scene: &Scene, simulation: &mut Simulation) -> Option<Look> {
        let changed = self.watch.as_mut()?.changed();
        if changed.is_empty() {
            return None;
        }
        let mut texts = Texts::default();
        let done =
            read(scene, simulation, &mut texts).and_then(|(preset, chain)| take(scene, simulation, preset, chain));
        // Where reading stopped at a mistake, the rest of the files is that of the scene under way.
        let chain = simulation.chain().files.paths().chain(texts.paths()).map(PathBuf::from).collect::<Vec<_>>();
        let preset = match &done {
            Ok(Reloaded::Start(begun)) => files(scene, begun.preset()).collect::<Vec<_>>(),
            _ => files(scene, simulation.preset()).collect(),
        };
        let unwatched = self.watch_all(preset.into_iter().chain(chain)).err();
        let mended = self.trouble.take();
        Some(match done {
            Ok(reloaded) => {
                let names = names(&changed);
                let remark = match &reloaded {
                    Reloaded::Same => mended.is_some().then(|| format!("{names} is again what it was")),
                    Reloaded::Rules => Some(format!("reloaded {names}; the same swarm goes on")),
                    Reloaded::Start(_) => Some(format!("reloaded {names}; the swarm begins anew")),
                };
                let remark = remark.into_iter().chain(unwatched).reduce(|remark, more| format!("{remark}; {more}"));
                Look { reloaded, mended, trouble: None, remark }
            }
            Err(failure) => {
                let trouble = failure.to_string();
                self.trouble = Some(trouble.clone());
                Look { reloaded: Reloaded::Same, mended, trouble: Some(trouble), remark: None }
            }
        })
    }
}

/// The scene as its files say it now, with all that was set under way.
fn read(scene: &Scene, simulation: &Simulation, texts: &mut Texts) -> Result<(Preset, Chain), Failure> {
    let preset = Preset::load(crate::host(), &scene.preset, &simulation.preset().written().overrides)?;
    let chain = preset.load_chain_from(scene.chain.as_deref(), texts)?;
    Ok((preset, chain))
}

fn take(scene: &Scene, simulation: &mut Simulation, preset: Preset, chain: Chain) -> Result<Reloaded, Failure> {
    if !simulation.begins_like(&preset) {
        return Ok(Reloaded::Start(Box::new(Simulation::new(preset, &chain, scene.choice)?)));
    }
    if preset.written() == simulation.preset().written() && chain == *simulation.chain() {
        return Ok(Reloaded::Same);
    }
    simulation.reload(preset, chain)?;
    Ok(Reloaded::Rules)
}

/// The preset's own file, and those that it names.
fn files<'a>(scene: &'a Scene, preset: &'a Preset) -> impl Iterator<Item = PathBuf> + 'a {
    let own = is_path(&scene.preset).then(|| PathBuf::from(&scene.preset));
    own.into_iter().chain(preset.files.iter().cloned())
}

fn names(files: &[PathBuf]) -> String {
    let name = |path: &PathBuf| path.file_name().unwrap_or(Path::new("").as_os_str()).to_string_lossy().into_owned();
    files.iter().map(name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::cpu;
    use crate::preset::Overrides;
    use crate::simulation::{EngineChoice, Input};

    const PRESET: &str = "description = \"a scene on disk\"\nchain = \"chain.toml\"\n[world]\nsize = [64, 48]\n[start]\n\
                          boids = 900\n[sight.cohesion]\ndisc = 4\n[sight.separation]\ndisc = 2\n[sight.alignment]\n\
                          disc = 3\n[weights]\ncohesion = 0.5\n";
    const CHAIN: &str = "description = \"a chain on disk\"\nextends = \"cell\"\n";

    struct Stage {
        folder: tempfile::TempDir,
        scene: Scene,
        simulation: Simulation,
        disk: Disk,
    }

    impl Stage {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("scene.toml"), PRESET).unwrap();
            std::fs::write(folder.path().join("chain.toml"), CHAIN).unwrap();
            let scene = Scene {
                preset: folder.path().join("scene.toml").display().to_string(),
                overrides: Overrides::default(),
                chain: None,
                choice: EngineChoice::Cpu(cpu::Options { threads: Some(1), instruction_set: None }),
                replay: None,
            };
            let mut simulation = scene.begin().unwrap();
            simulation.advance(5).unwrap();
            let mut disk = Disk::new(Watch::begin(|| {}));
            disk.follow(&scene, &simulation).unwrap();
            assert!(disk.look(&scene, &mut simulation).is_none(), "nothing has changed");
            Self { folder, scene, simulation, disk }
        }

        fn write(&mut self, name: &str, text: &str) -> Look {
            std::fs::write(self.folder.path().join(name), text).unwrap();
            self.disk.look(&self.scene, &mut self.simulation).unwrap()
        }
    }

    #[test]
    fn other_rules_are_taken_over_by_the_same_swarm() {
        let mut stage = Stage::new();
        stage.simulation.apply(Input::Set { key: "movement.keep".into(), value: "0.5".into() }).unwrap();
        let before = (stage.simulation.state().unwrap(), stage.simulation.step());
        let look = stage.write("scene.toml", &PRESET.replace("cohesion = 0.5", "cohesion = 0.75"));
        assert!(matches!(look.reloaded, Reloaded::Rules));
        assert_eq!(look.remark.unwrap(), "reloaded scene.toml; the same swarm goes on");
        assert_eq!((stage.simulation.state().unwrap(), stage.simulation.step()), before);
        let rules = &stage.simulation.preset().rules;
        assert_eq!((rules.weights["cohesion"], rules.keep), (768, 512), "what was set stays");
        let look = stage.write("chain.toml", &CHAIN.replace("on disk", "that was renamed"));
        assert!(matches!(look.reloaded, Reloaded::Rules));
        assert_eq!(stage.simulation.chain().description, "a chain that was renamed");
    }

    #[test]
    fn that_nothing_can_be_watched_is_said_once_where_there_is_a_file() {
        let stage = Stage::new();
        let mut disk = Disk::new(Err::<Watch, _>("too many open files"));
        let built_in = Scene { preset: "droplets".into(), ..stage.scene.clone() };
        assert_eq!(disk.follow(&built_in, &built_in.begin().unwrap()), Ok(()));
        let said = disk.follow(&stage.scene, &stage.simulation).unwrap_err();
        assert_eq!(said, "what changes in the files is not noticed: too many open files");
        assert_eq!(disk.follow(&stage.scene, &stage.simulation), Ok(()));
    }

    #[test]
    fn another_start_begins_anew() {
        let mut stage = Stage::new();
        for (from, to) in [("boids = 900", "boids = 901"), ("size = [64, 48]", "size = [48, 64]")] {
            let look = stage.write("scene.toml", &PRESET.replace(from, to));
            let Reloaded::Start(begun) = look.reloaded else { panic!("{to} is taken over by the same swarm") };
            assert_eq!(begun.step(), 0);
            assert_eq!(look.remark.unwrap(), "reloaded scene.toml; the swarm begins anew");
        }
    }

    #[test]
    fn a_mistake_is_said_with_its_line_and_taken_back_when_it_is_mended() {
        let mut stage = Stage::new();
        let before = stage.simulation.state().unwrap();
        let wrong = stage.write("scene.toml", &PRESET.replace("disc = 3", "disc = \"far\"")).trouble.unwrap();
        assert!(wrong.contains("scene.toml:12: sight.alignment.disc: "), "{wrong}");
        // Another mistake takes the place of the first.
        let look = stage.write("scene.toml", &PRESET.replace("cohesion = 0.5", "colesion = 0.5"));
        assert_eq!(look.mended.as_ref(), Some(&wrong));
        let other = look.trouble.unwrap();
        assert!(other.contains("scene.toml:14: weights.colesion: "), "{other}");
        let look = stage.write("scene.toml", PRESET);
        assert_eq!((look.mended, look.trouble), (Some(other), None));
        assert_eq!(look.remark.unwrap(), "scene.toml is again what it was");
        // A chain that extends one that is not there yet: when it comes, that is noticed.
        let wrong = stage.write("chain.toml", &CHAIN.replace("cell", "base.toml")).trouble.unwrap();
        assert!(wrong.contains("chain.toml:2: extends: "), "{wrong}");
        let look = stage.write("base.toml", CHAIN);
        assert_eq!(look.mended, Some(wrong));
        assert!(matches!(look.reloaded, Reloaded::Rules));
        assert_eq!(stage.simulation.chain().files.paths().count(), 2);
        assert_eq!(stage.simulation.state().unwrap(), before);
        assert!(stage.simulation.advance(3).is_ok());
    }
}
