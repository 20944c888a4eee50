//! The presets that are compiled into the program.

use super::source::Source;

macro_rules! presets {
    ($($name:literal),* $(,)?) => {
        /// Name and text of every preset.
        const PRESETS: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../presets/", $name, ".toml")))),*];

        /// Name and picture of every preset, made by `presets/thumbnails/make.sh`.
        const THUMBNAILS: &[(&str, &[u8])] =
            &[$(($name, include_bytes!(concat!("../../presets/thumbnails/", $name, ".jpg")))),*];
    };
}

presets![
    "droplets",
    "ribbons",
    "shoals",
    "simmer",
    "fog",
    "lagoon",
    "paper",
    "million",
    "school",
    "flock",
    "circles",
    "flock-million",
    "shoal-compare",
    "drift-compare",
    "hunt-compare",
    "mill-compare",
    "reference"
];

/// The preset that is played if none is named.
pub const DEFAULT: &str = "droplets";

/// The names of the presets, the default first.
pub fn names() -> impl Iterator<Item = &'static str> {
    PRESETS.iter().map(|(name, _)| *name)
}

/// The TOML of the preset with this name.
pub fn text(name: &str) -> Option<&'static str> {
    PRESETS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// A small picture of the preset with this name, a JPEG; empty if there is no such preset.
pub fn thumbnail(name: &str) -> &'static [u8] {
    THUMBNAILS.iter().find(|(known, _)| *known == name).map_or(&[], |(_, bytes)| bytes)
}

/// The name and the one line that describes it, of every preset; nothing else of it is worked out.
pub fn descriptions() -> impl Iterator<Item = (&'static str, String)> {
    PRESETS.iter().map(|(name, text)| {
        let spec = Source::read(&origin(name), text, &[]).map(|(_, spec)| spec).unwrap_or_default();
        (*name, spec.description.unwrap_or_default())
    })
}

/// How a built-in preset is named in messages.
pub(super) fn origin(name: &str) -> String {
    format!("presets/{name}.toml")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::{Overrides, Preset};
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn the_list_is_the_directory() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("presets");
        let files: BTreeSet<String> = std::fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
            .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        assert_eq!(names().map(str::to_owned).collect::<BTreeSet<_>>(), files);
        assert_eq!(names().count(), files.len());
        assert_eq!(names().next(), Some(DEFAULT));
    }

    #[test]
    fn every_preset_loads_and_holds_its_boids() {
        for name in names() {
            // A preset on a small lattice goes through the same checks, and a large one would take a while.
            let overrides = Overrides { size: Some((96, 64)), ..Overrides::default() };
            let preset = Preset::load(name, &overrides).unwrap_or_else(|failure| panic!("{failure}"));
            assert_eq!(preset.name, name);
            assert!(preset.start_spec.quanta() > 0, "{name} is empty");
            let of_agents = preset.agents.as_ref().map_or(0, |model| model.weights.len());
            assert!(preset.rules.weights.len() + of_agents >= 3, "{name} has no weights");
        }
        assert!(descriptions().all(|(_, description)| !description.is_empty()));
    }

    /// The reference stays complete: a key that the program knows and the reference does not say fails here.
    #[test]
    fn the_reference_says_every_key() {
        let reference = text("reference").unwrap();
        for (table, rest) in [
            ("", ""),
            ("[world]", ""),
            ("[[world.solid]]", ""),
            ("[world]\nsolid = [{ circle = {", "} }]"),
            ("[world]\nsolid = [{ rectangle = {", "} }]"),
            ("[start]", ""),
            ("[perception]", ""),
            ("[sight.cohesion]", ""),
            ("[sight.cohesion]\nrings = {", "}"),
            ("[separation]", ""),
            ("[movement]", ""),
            ("[hunter]", ""),
            ("[look]", ""),
            ("[agents]", ""),
        ] {
            let separator = if rest.is_empty() { "\n" } else { " " };
            let wrong = Source::read("test", &format!("{table}{separator}nonsense = 1 {rest}\n"), &[]).unwrap_err();
            let known: Vec<&str> = wrong.cure.split('`').skip(1).step_by(2).collect();
            assert!(!known.is_empty(), "{wrong}");
            for key in known {
                let said = reference.contains(&format!("{key} = "))
                    || reference.contains(&format!("[{key}"))
                    || reference.contains(&format!("{key}]"));
                assert!(said, "{table} {key} is not in the reference");
            }
        }
    }
}
