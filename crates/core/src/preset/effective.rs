//! The normal form of a preset, and its hash. Presets with equal effects have equal normal forms.

use super::Preset;
use crate::chain::Chain;
use crate::host::contents::Content;
use crate::source::{item_mut, remove};
use std::fmt::Write;
use toml::{Table, Value};
use toml_edit::Item;

impl Preset {
    /// The BLAKE3 hash, as hexadecimal text, of the preset with all settings and of the chain.
    ///
    /// Presets with equal effects have equal hashes. Comments, the order of keys, the description and the notation of
    /// numbers do not matter. It does not matter whether a value is in the text, in a setting or in an argument. A file
    /// counts by its contents, and a built-in chain by its name (`docs/formats.md`, Provenance).
    pub fn effective_hash(&self, chain: &Chain) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(self.effective_text().as_bytes());
        add_chain(&mut hasher, chain);
        hasher.finalize().to_hex().to_string()
    }

    /// The normal form of the preset with all settings: keys sorted, numbers in their shortest form, files replaced by
    /// hashes of their contents. The seed and the numbers that depend on the size of the world come first.
    fn effective_text(&self) -> String {
        let mut text = format!("seed {}\nsize {}\nmargin {}\n", self.seed, self.size(), self.world.margin);
        let starts = self.species.iter().map(|species| &species.start_spec);
        for start in std::iter::once(&self.start_spec).chain(starts) {
            _ = writeln!(text, "quanta {}", start.asked());
        }
        let mut files: Vec<String> = self.source.files.all().map(Content::hash).collect();
        files.sort_unstable();
        files.iter().for_each(|hash| _ = writeln!(text, "file {hash}"));
        let mut document = self.keys.effective_document();
        for key in self.keys.file_keys() {
            let Some(named) = self.keys.text(&key) else { continue };
            let path = self.keys.resolve(&key, named);
            // A stack of several pictures has no single content. The list above has the hashes of its layers.
            let name = || path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let file = self.source.files.get(&path).map_or_else(name, Content::hash);
            if let Some(item) = item_mut(&mut document, &key) {
                *item = Item::Value(file.into());
            }
        }
        let boids = (0..self.keys.length("species")).map(|index| format!("species[{index}].boids"));
        for key in WRITTEN_APART.into_iter().map(String::from).chain(boids) {
            remove(&mut document, &key);
        }
        let table: Table = document.to_string().parse().unwrap_or_default();
        write_value(&mut text, &Value::Table(table));
        text
    }
}

impl Chain {
    /// The BLAKE3 hash, as hexadecimal text, of a chain. A built-in chain counts by its name, any other chain also by
    /// the texts of its files.
    pub fn effective_hash(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        add_chain(&mut hasher, self);
        hasher.finalize().to_hex().to_string()
    }
}

/// Adds a chain to a hash: its name, and the hashes of the texts that were read for it.
fn add_chain(hasher: &mut blake3::Hasher, chain: &Chain) {
    hasher.update(format!("chain {}\n", chain.name).as_bytes());
    let mut texts: Vec<_> = chain.files.texts().map(|text| *blake3::hash(text.as_bytes()).as_bytes()).collect();
    texts.sort_unstable();
    hasher.update(texts.as_flattened());
}

/// The keys that the normal form does not list. The text before the list tells their effects. The description has no
/// effect.
const WRITTEN_APART: [&str; 7] =
    ["seed", "chain", "description", "world.size", "world.margin", "agents.depth", "start.boids"];

/// Writes a TOML value with sorted keys. A whole number and an equal decimal number have one form.
fn write_value(text: &mut String, value: &Value) {
    match value {
        Value::Table(table) => {
            let mut entries: Vec<_> = table.iter().collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            text.push('{');
            for (key, value) in entries {
                _ = write!(text, "{key:?}:");
                write_value(text, value);
                text.push(',');
            }
            text.push('}');
        }
        Value::Array(list) => {
            text.push('[');
            for value in list {
                write_value(text, value);
                text.push(',');
            }
            text.push(']');
        }
        Value::String(word) => _ = write!(text, "{word:?}"),
        Value::Integer(number) => _ = write!(text, "{number}"),
        Value::Float(number) => _ = write!(text, "{number}"),
        Value::Boolean(switch) => _ = write!(text, "{switch}"),
        Value::Datetime(date) => _ = write!(text, "{date}"),
    }
}
