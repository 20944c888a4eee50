//! Saves a preset with all its settings as one file, which can be read, changed and played by itself.

use super::Preset;
use crate::error::{BadInput, Failure};
use crate::files::write_whole;
use crate::text::is_path;
use crate::world::{Extents, World};
use std::io;
use std::path::{Path, PathBuf};
use toml_edit::{DocumentMut, Item, Value};

/// The files of a saved preset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    pub preset: PathBuf,
    /// The solids, if they are no longer those of the preset.
    pub mask: Option<PathBuf>,
}

impl Preset {
    /// Saves the preset in a folder, under a name that is still free. `chain`: the name or path of the chain that is played
    /// with it. Painted solids become a mask beside it.
    ///
    /// # Errors
    /// `BadInput` if the seed is above the bound of presets, or individuals play a preset of cells; `File` if the folder cannot
    /// be written to.
    pub fn save(&self, chain: &str, folder: &Path) -> Result<Saved, Failure> {
        if self.source.overrides.individuals {
            let problem = "a preset of cells that individuals play is no preset of its own";
            return Err(BadInput::new(&self.source.origin, problem, "save that of the cells").into());
        }
        let folder = std::path::absolute(folder).map_err(|source| Failure::File {
            action: "cannot find",
            path: folder.display().to_string(),
            source,
        })?;
        let (preset, mask) = free_names(&folder, &self.name);
        let origin = preset.display().to_string();
        let mut text = self.as_text(chain, &folder, None)?;
        let mut saved = Saved { preset, mask: None };
        let again = Self::from_text(&origin, &text, &Default::default());
        if again.is_ok_and(|again| !are_alike(&again.world.solids, &self.world.solids)) {
            if self.world.solids.contains(&true) {
                write_whole(&mask, |to| write_mask(to, &self.world))?;
                saved.mask = Some(mask);
            }
            text = self.as_text(chain, &folder, Some(saved.mask.as_deref()))?;
        }
        let written = self
            .check_saved(&origin, &text)
            .and_then(|()| write_whole(&saved.preset, |to| to.write_all(text.as_bytes())));
        if let (Err(_), Some(mask)) = (&written, &saved.mask) {
            // A mask without its preset is of no use.
            let _ = std::fs::remove_file(mask);
        }
        written.map(|()| saved)
    }

    /// The text of the preset, for a file in `folder`. `mask`: the file of its solids, or none, if they are no longer its own.
    fn as_text(&self, chain: &str, folder: &Path, mask: Option<Option<&Path>>) -> Result<String, BadInput> {
        let mut more = Vec::new();
        if let Some(seed) = self.source.overrides.seed {
            let seed = i64::try_from(seed).map_err(|_| {
                BadInput::new(format!("--seed {seed}"), "is more than a preset can say", "take a seed below 2^63")
            })?;
            more.push(format!("seed={seed}"));
        }
        if self.chain.is_some() || chain != self.default_chain() {
            more.push(format!("chain={}", quoted(&moved_chain(chain, folder))));
        }
        if self.source.overrides.size.is_some() {
            let Extents { width, height } = self.world.extents;
            more.push(format!("world.size=[{width}, {height}]"));
            if self.world.margin > 0 {
                more.push(format!("world.margin={}", self.world.margin));
            }
            if self.keys.item("start.boids").is_some() {
                more.push(format!("start.boids={}", self.start_spec.quanta / u64::from(crate::numbers::BOID)));
            }
        }
        match mask {
            Some(Some(mask)) => {
                let name = mask.file_name().unwrap_or_default().to_string_lossy();
                more.push(format!("world.solid=[{{ mask = {} }}]", quoted(&name)));
            }
            Some(None) => more.push("world.solid=[]".into()),
            None => {}
        }
        let mut document = self.keys.document(&more)?;
        if mask.is_none() {
            self.move_masks(&mut document, folder);
        }
        if let Some(file) = document.get_mut("start").and_then(|start| start.get_mut("file")) {
            self.move_path(file, "start.file", folder);
        }
        Ok(document.to_string())
    }

    fn move_masks(&self, document: &mut DocumentMut, folder: &Path) {
        let Some(solids) = document.get_mut("world").and_then(|world| world.get_mut("solid")) else { return };
        for index in 0.. {
            let Some(solid) = solids.get_mut(index) else { break };
            if let Some(mask) = solid.get_mut("mask") {
                self.move_path(mask, &format!("world.solid[{index}].mask"), folder);
            }
        }
    }

    /// Rewrites a path relative to the new file.
    fn move_path(&self, item: &mut Item, key: &str, folder: &Path) {
        let Some(Value::String(path)) = item.as_value_mut() else { return };
        let found = self.keys.resolve(key, path.value()).to_string_lossy().into_owned();
        let around = path.decor().clone();
        let mut value = Value::from(moved(&found, folder));
        *value.decor_mut() = around;
        *item = Item::Value(value);
    }

    /// Checks that the text describes this preset.
    fn check_saved(&self, origin: &str, text: &str) -> Result<(), Failure> {
        let again = Self::from_text(origin, text, &Default::default())?;
        let world = |preset: &Self| World { solids: Default::default(), ..preset.world.clone() };
        let is_same = world(&again) == world(self)
            && are_alike(&again.world.solids, &self.world.solids)
            && (&again.rules, &again.agents) == (&self.rules, &self.agents)
            && (&again.look, again.seed) == (&self.look, self.seed);
        if is_same {
            return Ok(());
        }
        Err(Failure::Broken(format!("{origin} would be another preset than the one that is played; it is not written")))
    }
}

/// Whether the same cells are solid. An empty list is a list without solids.
fn are_alike(some: &[bool], other: &[bool]) -> bool {
    some == other || !some.contains(&true) && !other.contains(&true)
}

/// A path from the working directory, rewritten for a file in `folder`.
fn moved(path: &str, folder: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path));
    path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned()
}

/// A chain's name unchanged, or a chain's path rewritten for a file in `folder`.
fn moved_chain(chain: &str, folder: &Path) -> String {
    if !is_path(chain) {
        return chain.to_owned();
    }
    let path = moved(chain, folder);
    if is_path(&path) { path } else { format!("./{path}") }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// The paths of a preset and its mask under a name that is free for both.
fn free_names(folder: &Path, name: &str) -> (PathBuf, PathBuf) {
    let name = name.strip_prefix("murmuration-").unwrap_or(name);
    let names = |end: String| {
        let file = |ending| folder.join(format!("murmuration-{name}{end}.{ending}"));
        (file("toml"), file("solids.png"))
    };
    let is_free = |(preset, mask): &(PathBuf, PathBuf)| !preset.exists() && !mask.exists();
    let numbered = (2..).map(|number| names(format!("-{number}")));
    let mut all = std::iter::once(names(String::new())).chain(numbered);
    all.find(is_free).unwrap_or_else(|| names(String::new()))
}

/// The solids as a picture: white cells are solid.
fn write_mask(to: &mut dyn io::Write, world: &World) -> io::Result<()> {
    let mut encoder = png::Encoder::new(to, world.extents.width, world.extents.height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    let bytes: Vec<u8> = world.solids.iter().map(|solid| if *solid { 255 } else { 0 }).collect();
    let mut writer = encoder.write_header().map_err(io::Error::other)?;
    writer.write_image_data(&bytes).map_err(io::Error::other)?;
    writer.finish().map_err(io::Error::other)
}
