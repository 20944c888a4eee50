//! The texts that are compiled into a program: chains, kernels and presets, by path in the project.

/// Path and text of every file of `passes/`, `shaders/` and `presets/`.
#[derive(Debug, Clone, Copy)]
pub struct Library {
    texts: &'static [&'static [(&'static str, &'static str)]],
}

impl Library {
    /// A library of lists of texts by path, such as `shaders/cells/advect.wgsl`. The order of the texts is the order in
    /// which names are listed.
    pub const fn new(texts: &'static [&'static [(&'static str, &'static str)]]) -> Self {
        Self { texts }
    }

    /// The text of a file by its path.
    pub fn text(&self, path: &str) -> Option<&'static str> {
        self.texts().find(|(known, _)| *known == path).map(|(_, text)| text)
    }

    /// Path and text of every file.
    pub fn texts(&self) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
        self.texts.iter().copied().flatten().copied()
    }

    /// Name, without the extension, and text of every file of a folder.
    pub fn folder(&self, folder: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.texts().filter_map(move |(path, text)| {
            let file = path.strip_prefix(folder)?.strip_prefix('/')?;
            Some((file.rsplit_once('.').map_or(file, |(stem, _)| stem), text))
        })
    }

    /// The text of a chain by its name.
    pub fn chain(&self, name: &str) -> Option<&'static str> {
        self.text(&format!("passes/{name}.toml"))
    }

    /// The text of a file of `shaders/` by its path without extension, such as `ledger/caught`; empty if unknown.
    pub fn shader(&self, name: &str) -> &'static str {
        self.text(&format!("shaders/{name}.wgsl")).unwrap_or_default()
    }

    /// The names of the presets, the default first.
    pub fn preset_names(&self) -> impl Iterator<Item = &'static str> {
        self.folder("presets").map(|(name, _)| name)
    }

    /// The text of a preset by its name.
    pub fn preset(&self, name: &str) -> Option<&'static str> {
        self.text(&format!("presets/{name}.toml"))
    }
}
