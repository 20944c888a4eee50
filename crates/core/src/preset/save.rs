//! Writes a preset with all its settings as one text.

use super::Preset;
use crate::error::{BadInput, Failure};
use crate::host::Host;
use crate::source::item_mut;
use crate::text::is_path;
use crate::world::{Window, World};
use std::path::Path;
use toml_edit::{DocumentMut, Formatted, Item, Value};

impl Preset {
    /// The text of the preset, for a file in `folder`. Paths in the text are relative to `folder`.
    ///
    /// `mask`: the solids that the text describes. `None`: the solids of the preset. `Some(Some(…))`: the solids in the
    /// file with this name, a picture (flat world) or an array (deep world), which also replaces the rock.
    /// `Some(None)`: no cell is solid.
    ///
    /// # Errors
    /// The seed is too large for a preset, or the path of a file is not UTF-8.
    pub fn as_text(
        &self,
        chain: impl AsRef<Path>,
        folder: &Path,
        mask: Option<Option<&Path>>,
    ) -> Result<String, BadInput> {
        let chain = chain.as_ref();
        let mut more = self.resized();
        if let Some(seed) = self.source.overrides.seed {
            let seed = i64::try_from(seed).map_err(|_| {
                BadInput::of_argument("seed", seed, "is more than a preset can say", "take a seed below 2^63")
            })?;
            more.push(format!("seed={seed}"));
        }
        if self.chain.is_some() || chain != Path::new(self.default_chain()) {
            more.push(format!("chain={}", quoted(&moved_chain(self.host().as_ref(), chain, folder)?)));
        }
        // The saved endless world begins at the current place of the window.
        more.extend(self.world.window.map(|window| format!("world.origin={:?}", window.origin)));
        let is_deep = self.world.extents.depth.is_some();
        let name = |mask: &Path| quoted(&mask.file_name().unwrap_or_default().to_string_lossy());
        match mask {
            Some(Some(mask)) if is_deep => {
                let file = name(mask);
                more.push(format!("world.terrain={{ base = \"file\", file = {file}, closed = false }}"));
                more.push("world.solid=[]".into());
            }
            Some(Some(mask)) => more.push(format!("world.solid=[{{ mask = {} }}]", name(mask))),
            Some(None) => {
                more.extend((is_deep && self.terrain.is_some()).then(|| "world.terrain={ base = \"water\" }".into()));
                more.push("world.solid=[]".into());
            }
            None => {}
        }
        let mut document = self.keys.document(&more)?;
        let is_replaced = |key: &str| key.starts_with("world.solid") || is_deep && key.starts_with("world.terrain");
        for key in self.keys.file_keys().filter(|key| mask.is_none() || !is_replaced(key)) {
            self.move_path(&mut document, &key, folder)?;
        }
        Ok(document.to_string())
    }

    /// The settings (`key=value`) for a size that `--size` gives, and for the numbers that depend on the size.
    fn resized(&self) -> Vec<String> {
        let mut more = Vec::new();
        if self.source.overrides.size.is_none() {
            return more;
        }
        let mut size = self.size();
        if self.keys.is_in_use("agents.depth") {
            more.push(format!("agents.depth={}", size.slices()));
            size = size.columns();
        }
        more.push(format!("world.size={:?}", &size.along_axes()[..size.axes()]));
        if self.world.margin > 0 {
            more.push(format!("world.margin={}", self.world.margin));
        }
        if self.keys.is_in_use("start.boids") {
            more.push(format!("start.boids={}", self.start_spec.asked() / u64::from(crate::numbers::BOID)));
        }
        // The size also changes the numbers of boids of species.
        let named = |index: usize| self.keys.text(&format!("species[{index}].name"));
        for index in 0..self.keys.length("species") {
            if let Some(own) = self.species.iter().find(|own| named(index) == Some(own.name.as_str())) {
                let boids = own.start_spec.asked() / u64::from(crate::numbers::BOID);
                more.push(format!("species[{index}].boids={boids}"));
            }
        }
        more
    }

    /// Rewrites the path in a key relative to the new file. Does nothing if the document lacks the key.
    fn move_path(&self, document: &mut DocumentMut, key: &str, folder: &Path) -> Result<(), BadInput> {
        let Some(Item::Value(Value::String(path))) = item_mut(document, key) else { return Ok(()) };
        let found = self.keys.resolve(key, path.value());
        let around = path.decor().clone();
        *path = Formatted::new(moved(self.host().as_ref(), &found, folder)?);
        *path.decor_mut() = around;
        Ok(())
    }

    /// Checks that a text which [`Self::as_text`] wrote describes this preset. `origin`: the path of the file, for
    /// messages.
    ///
    /// # Errors
    /// The text cannot be read as a preset, or describes another preset.
    pub fn check_saved(&self, origin: &Path, text: &str) -> Result<(), Failure> {
        let again = Self::from_text(self.host(), origin, text, &Default::default())?;
        // In a deep world, the file of painted solids also replaces the rock.
        let keeps_terrain = self.world.extents.depth.is_none() || are_alike(&self.own_solids, &self.world.solids);
        let world = |preset: &Self| World {
            solids: Default::default(),
            rock: preset.world.rock.clone().filter(|_| keeps_terrain),
            window: preset.world.window.map(|window| Window { first: window.origin, ..window }),
            ..preset.world.clone()
        };
        let is_same = world(&again) == world(self)
            && are_alike(&again.world.solids, &self.world.solids)
            && (&again.rules, &again.individuals) == (&self.rules, &self.individuals)
            && (&again.look, again.seed) == (&self.look, self.seed);
        if is_same {
            return Ok(());
        }
        let origin = origin.display();
        Err(Failure::Broken(format!("{origin} would be another preset than the one that is played; it is not written")))
    }
}

/// Whether two lists of flags have the same solid cells. An empty list has none.
pub fn are_alike(some: &[bool], other: &[bool]) -> bool {
    some == other || !some.contains(&true) && !other.contains(&true)
}

/// A path from the working directory, rewritten relative to `folder`. A path outside of `folder` becomes absolute.
fn moved(host: &dyn Host, path: &Path, folder: &Path) -> Result<String, BadInput> {
    let path = host.absolute_path(path);
    let path = path.strip_prefix(folder).unwrap_or(&path);
    let problem = "is not UTF-8, as presets and all that they name are";
    let wrong = || BadInput::new(path.display().to_string(), problem, "give the file and its folders other names");
    path.to_str().map(str::to_owned).ok_or_else(wrong)
}

/// The name of a built-in chain, or the path of a chain rewritten for a file in `folder`.
fn moved_chain(host: &dyn Host, chain: &Path, folder: &Path) -> Result<String, BadInput> {
    if !is_path(chain) {
        return Ok(chain.display().to_string());
    }
    let path = moved(host, chain, folder)?;
    Ok(if is_path(&path) { path } else { format!("./{path}") })
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
