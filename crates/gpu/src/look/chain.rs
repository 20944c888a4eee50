//! The chain of the look, `passes/glow.toml`: which kernels of `shaders/look/` run in which order, and how large what they
//! write is. It is read and checked like the chains of the simulation, but its fields are pictures of light.

use crate::error::{BadInput, line_of};
use crate::library::Library;
use crate::text::parse_toml;
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// How the built-in chain is named in messages.
pub const GLOW_ORIGIN: &str = "passes/glow.toml";

const KERNELS: &[&str] = &[
    "swarm",
    "soften",
    "across",
    "shine",
    "points",
    "darts",
    "fish",
    "edges",
    "motes",
    "gather_light",
    "halve",
    "widest",
    "widen",
    "halo_across",
    "develop",
];

/// What every kernel of the look may call, by the name of its file.
pub const SHARED: &[&str] = &["places", "radiance", "depth"];

/// The textures that no pass writes.
pub const GIVEN: [&str; 4] = ["density", "control", "solids", "palette"];
/// What people see, which no pass reads.
pub const TARGET: &str = "target";

/// The names by which a kernel reads its textures, in the order of the chain's `read`.
fn parameters(kernel: &str) -> &'static [&'static str] {
    match kernel {
        "swarm" => &["density", "control", "solids"],
        "soften" => &["swarm"],
        "across" => &["soft"],
        "shine" => &["bands", "palette"],
        "points" | "darts" | "fish" | "motes" => &["palette"],
        "gather_light" | "halve" | "widest" => &["light"],
        "widen" => &["light", "wider"],
        "halo_across" => &["halo"],
        "develop" => &["light", "halo"],
        _ => &[],
    }
}

/// The names of the built-in kernels of the look.
pub fn kernel_names() -> impl Iterator<Item = &'static str> {
    KERNELS.iter().copied()
}

/// The text of a built-in kernel of the look.
pub fn kernel(library: &Library, name: &str) -> Option<&'static str> {
    KERNELS.contains(&name).then(|| library.shader(&format!("look/{name}")))
}

/// What a texture's extent along an axis follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// A place for each cell, or block of cells.
    Lattice,
    /// The rows of places that the screen shows, and those above and below that are needed between them.
    View,
    /// A place for this many pixels of the screen, and one more at either end where `is_padded`.
    Screen { part: u32, is_padded: bool },
}

impl Extent {
    fn parse(text: &str) -> Option<Self> {
        let (text, is_padded) = text.strip_suffix(" + 2").map_or((text, false), |text| (text, true));
        match text {
            "lattice" if !is_padded => Some(Self::Lattice),
            "view" if !is_padded => Some(Self::View),
            "screen" => Some(Self::Screen { part: 1, is_padded }),
            _ => {
                let part = text.strip_prefix("screen/")?.parse().ok()?;
                let is_possible = u32::is_power_of_two(part) && (2..=128).contains(&part);
                is_possible.then_some(Self::Screen { part, is_padded })
            }
        }
    }
}

/// How often a kernel is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Each {
    /// For every pixel of what it writes, which it writes anew.
    Pixel,
    /// For the pixels around every point; its light is added.
    Point,
    /// For the pixels of every individual, over what is there.
    Agent,
    /// For the pixels along every edge of the world's box, over what is there.
    Edge,
}

impl Each {
    fn of(kernel: &str) -> Self {
        match kernel {
            "points" => Self::Point,
            "darts" | "fish" | "motes" => Self::Agent,
            "edges" => Self::Edge,
            _ => Self::Pixel,
        }
    }
}

/// From where a pass sees the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    FromAbove,
    /// In perspective, with nearer things before those behind.
    Around,
    Either,
}

impl Seen {
    /// What comes before the light is whole is different from each side; the glow around it is the same.
    pub fn by(kernel: &str) -> Self {
        match kernel {
            "swarm" | "soften" | "across" | "shine" | "points" | "darts" => Self::FromAbove,
            "fish" | "edges" | "motes" => Self::Around,
            _ => Self::Either,
        }
    }
}

/// A texture between two passes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texture {
    pub name: String,
    pub extents: [Extent; 2],
}

/// Where a pass writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// Into the texture with this index.
    Texture(usize),
    /// What people see.
    Target,
}

/// What a pass reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// One of [`GIVEN`].
    Given(usize),
    Texture(usize),
}

/// A checked pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pass {
    pub kernel: &'static str,
    pub each: Each,
    /// What it reads, by the name that the kernel has for it.
    pub read: Vec<(&'static str, Source)>,
    pub write: Written,
}

/// A checked chain of the look: every texture is written before it is read, and read after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    pub textures: Vec<Texture>,
    pub passes: Vec<Pass>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChainSpec {
    #[serde(rename = "description")]
    _description: String,
    model: Spanned<String>,
    textures: BTreeMap<Spanned<String>, Spanned<SizeSpec>>,
    pass: Vec<Spanned<PassSpec>>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "a size such as \"screen/4\", or one for each axis")]
enum SizeSpec {
    Both(String),
    Each([String; 2]),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PassSpec {
    kernel: Spanned<String>,
    #[serde(default)]
    each: EachSpec,
    read: Vec<Spanned<String>>,
    write: Spanned<String>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum EachSpec {
    #[default]
    Pixel,
    Point,
    Agent,
    Edge,
}

/// Whether the text of a chain is that of a look, as far as it can be told.
pub fn is_look(text: &str) -> bool {
    toml_edit::Document::parse(text)
        .is_ok_and(|document| document.get("model").and_then(|model| model.as_str()) == Some("look"))
}

impl Chain {
    /// The built-in chain.
    ///
    /// # Errors
    /// As [`Chain::read`]; a test checks that there is none.
    pub fn glow(library: &Library) -> Result<Self, BadInput> {
        Self::read(GLOW_ORIGIN, library.chain("glow").unwrap_or_default())
    }

    /// Reads and checks the text of a chain.
    ///
    /// # Errors
    /// Where anything in it is wrong: its form, an unknown kernel, texture or size, or a texture that is read before it
    /// is written, written twice or never read.
    pub fn read(origin: &str, text: &str) -> Result<Self, BadInput> {
        let spec: ChainSpec = parse_toml(origin, text, GLOW_ORIGIN)?;
        let bad = |offset: usize, key: &str, problem: String, cure: String| {
            BadInput::new(origin, problem, cure).at_line(line_of(text, offset)).at_key(key)
        };
        if spec.model.get_ref() != "look" {
            let problem = format!("the model {:?}", spec.model.get_ref());
            return Err(bad(spec.model.span().start, "model", problem, "this chain's is \"look\"".into()));
        }
        let mut textures = Vec::new();
        for (name, size) in &spec.textures {
            let key = format!("textures.{}", name.get_ref());
            if GIVEN.contains(&name.get_ref().as_str()) || name.get_ref() == TARGET {
                let problem = "the texture is there already".into();
                return Err(bad(name.span().start, &key, problem, "take the line away".into()));
            }
            let written = match size.get_ref() {
                SizeSpec::Both(size) => [size, size],
                SizeSpec::Each([across, down]) => [across, down],
            };
            let mut extents = [Extent::Lattice; 2];
            for (extent, written) in extents.iter_mut().zip(written) {
                *extent = Extent::parse(written).ok_or_else(|| {
                    let cure =
                        "\"lattice\", \"view\", \"screen\", \"screen/2\" and so on to \"screen/128\", perhaps + 2";
                    bad(size.span().start, &key, format!("the size {written:?}"), cure.into())
                })?;
            }
            textures.push(Texture { name: name.get_ref().clone(), extents });
        }
        let mut passes: Vec<Pass> = Vec::new();
        let mut is_read = vec![false; textures.len()];
        for pass in &spec.pass {
            let pass = pass.get_ref();
            let name = pass.kernel.get_ref().as_str();
            let Some(kernel) = KERNELS.iter().find(|known| **known == name) else {
                let known = KERNELS.join(", ");
                let problem = format!("no kernel of the look is called {name:?}");
                return Err(bad(pass.kernel.span().start, "kernel", problem, format!("one of {known}")));
            };
            let each = match pass.each {
                EachSpec::Pixel => Each::Pixel,
                EachSpec::Point => Each::Point,
                EachSpec::Agent => Each::Agent,
                EachSpec::Edge => Each::Edge,
            };
            if each != Each::of(kernel) {
                let problem = format!("`{kernel}` is not for this");
                let cure = "`points` runs for each point, `darts`, `fish` and `motes` for each agent, `edges` for each \
                    edge, and every other kernel for each pixel";
                return Err(bad(pass.kernel.span().start, "each", problem, cure.into()));
            }
            let parameters = parameters(kernel);
            if pass.read.len() != parameters.len() {
                let problem = format!("`{kernel}` reads {} textures, and not {}", parameters.len(), pass.read.len());
                let cure = format!("list them in the order of {}", parameters.join(", "));
                return Err(bad(pass.kernel.span().start, "read", problem, cure));
            }
            let texture = |name: &str| textures.iter().position(|texture| texture.name == name);
            let written = |index: usize| passes.iter().any(|pass| pass.write == Written::Texture(index));
            let mut read = Vec::new();
            for (parameter, name) in parameters.iter().zip(&pass.read) {
                let given = GIVEN.iter().position(|given| given == name.get_ref());
                let source = match (given, texture(name.get_ref())) {
                    (Some(given), _) => Source::Given(given),
                    (None, Some(index)) if written(index) => Source::Texture(index),
                    (None, found) => {
                        let problem = match found {
                            Some(_) => format!("no pass before this one writes {:?}", name.get_ref()),
                            None => format!("no texture is called {:?}", name.get_ref()),
                        };
                        let cure =
                            format!("declare it in [textures] and write it first; given are {}", GIVEN.join(", "));
                        return Err(bad(name.span().start, "read", problem, cure));
                    }
                };
                if let Source::Texture(index) = source {
                    is_read[index] = true;
                }
                read.push((*parameter, source));
            }
            let name = pass.write.get_ref();
            let write = match texture(name) {
                // What is added to must be there already, and what is written anew must not.
                Some(index) if written(index) == (each != Each::Pixel) => Written::Texture(index),
                None if name == TARGET => Written::Target,
                found => {
                    let problem = match found {
                        Some(_) if each != Each::Pixel => format!("no pass before this one writes {name:?}"),
                        Some(_) => format!("{name:?} is written already"),
                        None => format!("no texture is called {name:?}"),
                    };
                    let cure = format!("a texture from [textures], or {TARGET:?}");
                    return Err(bad(pass.write.span().start, "write", problem, cure));
                }
            };
            passes.push(Pass { kernel, each, read, write });
        }
        for (texture, is_read) in textures.iter().zip(is_read) {
            if !is_read {
                let (name, _) =
                    spec.textures.iter().find(|(name, _)| *name.get_ref() == texture.name).expect("is listed");
                let (problem, key) = ("no pass reads it".to_string(), format!("textures.{}", texture.name));
                return Err(bad(name.span().start, &key, problem, "take it away, or read it".into()));
            }
        }
        if passes.iter().filter(|pass| pass.write == Written::Target).count() != 1 {
            return Err(BadInput::new(origin, "not one pass writes \"target\"", "the last one does").at_key("pass"));
        }
        Ok(Self { textures, passes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glow() -> &'static str {
        crate::testing::library().chain("glow").unwrap()
    }

    #[test]
    fn the_built_in_chain_is_sound_and_uses_every_kernel() {
        let chain = Chain::read(GLOW_ORIGIN, glow()).unwrap_or_else(|wrong| panic!("{wrong}"));
        for name in KERNELS {
            assert!(chain.passes.iter().any(|pass| pass.kernel == *name), "{name} is not used");
        }
        assert!(is_look(glow()));
    }

    #[test]
    fn a_mistake_has_a_line_and_a_cure() {
        for (from, to, expected) in [
            ("kernel = \"soften\"", "kernel = \"sofden\"", "kernel: no kernel of the look is called \"sofden\""),
            ("light = \"screen\"", "light = \"screen/3\"", "textures.light: the size \"screen/3\""),
            ("read = [\"near_8\"]", "read = [\"halo_8\"]", "read: no pass before this one writes \"halo_8\""),
            ("write = \"near_16\"", "write = \"near_8\"", "write: \"near_8\" is written already"),
            ("read = [\"light\", \"halo_bands\"]", "read = [\"light\"]", "read: `develop` reads 2 textures, and not 1"),
            ("each = \"point\"\n", "", "each: `points` is not for this"),
            ("model = \"look\"", "model = \"cell\"", "model: the model \"cell\""),
        ] {
            assert!(glow().contains(from));
            let wrong = Chain::read("glow.toml", &glow().replace(from, to)).unwrap_err().to_string();
            assert!(wrong.starts_with("glow.toml:") && wrong.contains(expected), "{wrong}");
        }
    }
}
