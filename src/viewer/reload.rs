//! What is done when the files of a scene have changed on disk.
//!
//! Where only the rules changed, the same swarm goes on under them; where the start did, it begins anew; and where
//! something is wrong, the last good scene goes on until it is mended.

use super::scene::Scene;
use super::watch::Watch;
use crate::chain::Chain;
use crate::error::Failure;
use crate::preset::Preset;
use crate::simulation::Simulation;
use crate::text::is_path;
use crate::texts::Texts;
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
    pub fn new(watch: Option<Watch>) -> Self {
        Self { watch, trouble: None }
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
        match &mut self.watch {
            Some(watch) => watch.follow(files).map_err(|error| format!("not all files can be watched: {error}")),
            None => Ok(()),
        }
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
                Look { reloaded, mended, trouble: None, remark: unwatched.or(remark) }
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
    let preset = Preset::load(&scene.preset, &simulation.preset().written().overrides)?;
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
