//! A chain as it is written in its file, before anything is checked but its form.

use crate::error::BadInput;
use crate::text::parse_toml;
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// The file of a chain.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChainSpec {
    /// One line.
    pub description: String,
    pub model: Option<Spanned<String>>,
    /// Whether the sum of the density may change; `false` for chains that are there to show how boids get lost.
    #[serde(default = "yes")]
    pub conserves: bool,
    /// A chain by name or path whose passes come first; only `rule`s are added to it.
    pub extends: Option<Spanned<String>>,
    /// The fields stored between passes, with their texels.
    #[serde(default)]
    pub fields: BTreeMap<Spanned<String>, Spanned<String>>,
    #[serde(default)]
    pub pass: Vec<Spanned<PassSpec>>,
    /// Passes that each write one more control vector for `steer`, named like their kernel.
    #[serde(default)]
    pub rule: Vec<Spanned<RuleSpec>>,
}

/// One pass: which kernel, on which fields.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PassSpec {
    /// The name of a built-in kernel, or the path of a WGSL file from the chain's folder.
    pub kernel: Spanned<String>,
    pub sight: Option<Spanned<String>>,
    #[serde(default)]
    pub read: Vec<Spanned<String>>,
    pub write: Vec<Spanned<String>>,
    /// The weight of the control vector that the pass writes, where the preset has none.
    pub weight: Option<Spanned<f64>>,
}

/// One more rule for the chain that is extended.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleSpec {
    pub kernel: Spanned<String>,
    pub sight: Option<Spanned<String>>,
    #[serde(default)]
    pub read: Vec<Spanned<String>>,
    pub weight: Option<Spanned<f64>>,
}

fn yes() -> bool {
    true
}

impl ChainSpec {
    /// Reads a chain's text.
    pub fn parse(text: &str, origin: &str) -> Result<Self, BadInput> {
        parse_toml(origin, text, "passes/cell.toml")
    }
}
