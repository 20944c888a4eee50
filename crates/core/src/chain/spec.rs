//! A chain as its file spells it, before anything but its form is checked.

use super::table::Invocation;
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// The file of a chain.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChainSpec {
    /// One line.
    pub description: String,
    /// `cell` where it is left out.
    pub model: Option<Spanned<String>>,
    /// Whether the sum of the density may change; `false` for chains that are there to show how boids get lost.
    #[serde(default = "yes")]
    pub conserves: bool,
    /// A chain by name or path whose passes come first; only `rule`s are added to it.
    pub extends: Option<Spanned<String>>,
    /// The fields stored between passes, with their kinds.
    #[serde(default)]
    pub fields: BTreeMap<Spanned<String>, Spanned<KindSpec>>,
    #[serde(default)]
    pub pass: Vec<Spanned<PassSpec>>,
    /// Passes that each write one more control vector for `steer`, named like their kernel.
    #[serde(default)]
    pub rule: Vec<Spanned<RuleSpec>>,
}

/// The kind of a field; of a texture also as one size for each axis.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, expecting = "a kind such as \"vector\", or one for each axis")]
pub enum KindSpec {
    One(String),
    ByAxis([String; 2]),
}

/// One pass: a kernel and its fields.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PassSpec {
    /// The name of a built-in kernel, or the path of a WGSL file from the chain's folder.
    pub kernel: Spanned<String>,
    /// What the kernel is invoked for, where that is not what most kernels of the model are.
    pub each: Option<Spanned<Invocation>>,
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
