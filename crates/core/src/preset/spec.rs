//! The tables and keys of a preset's TOML, unchecked. Every key is optional here; `check` demands what is needed.

use serde::Deserialize;
use std::collections::BTreeMap;

/// A fraction of the extents along each axis, x first.
pub(super) type Fractions = Pair<f64>;

/// A list of exactly two values; `[T; 2]` would accept a longer list.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "Vec<T>")]
pub(super) struct Pair<T>(pub [T; 2]);

impl<T> TryFrom<Vec<T>> for Pair<T> {
    type Error = String;

    fn try_from(list: Vec<T>) -> Result<Self, String> {
        let length = list.len();
        list.try_into().map(Pair).map_err(|_| format!("invalid length {length}, expected a list of 2 numbers"))
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table")]
pub(super) struct Spec {
    pub description: Option<String>,
    pub model: Model,
    pub chain: Option<String>,
    pub seed: Option<i64>,
    pub world: World,
    pub start: Start,
    pub perception: Perception,
    pub sight: BTreeMap<String, Sight>,
    pub weights: BTreeMap<String, f64>,
    pub separation: Separation,
    pub movement: Movement,
    pub hunter: Option<Hunter>,
    pub look: Look,
    pub agents: Option<Agents>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table")]
pub(super) struct Agents {
    pub rules: Option<AgentSet>,
    pub depth: Option<i64>,
    pub force: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum AgentSet {
    School,
    Flock,
    Circles,
    Reynolds,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Model {
    #[default]
    Cell,
    Agents,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table")]
pub(super) struct World {
    pub size: Option<Pair<i64>>,
    pub edges: Edges,
    pub margin: Option<i64>,
    pub capacity: Option<f64>,
    pub solid: Vec<Solid>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Edges {
    #[default]
    Torus,
    Walls,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table")]
pub(super) struct Solid {
    pub circle: Option<Circle>,
    pub rectangle: Option<Rectangle>,
    pub mask: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as { at = [0.5, 0.5], radius = 0.1 }")]
pub(super) struct Circle {
    pub at: Fractions,
    pub radius: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as { from = [0.2, 0.2], to = [0.3, 0.8] }")]
pub(super) struct Rectangle {
    pub from: Fractions,
    pub to: Fractions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table")]
pub(super) struct Start {
    pub boids: Option<i64>,
    pub shape: Shape,
    pub count: Option<i64>,
    pub radius: Option<f64>,
    pub at: Option<At>,
    pub width: Option<f64>,
    pub file: Option<String>,
    pub headings: Headings,
    pub speed: Option<f64>,
    pub patch: Option<i64>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Shape {
    #[default]
    Uniform,
    Blobs,
    Ring,
    Map,
    Array,
}

/// The place of a shape: a ring has one centre, blobs have many.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a point such as [0.5, 0.5], or a list of points")]
pub(super) enum At {
    One(Fractions),
    Many(Vec<Fractions>),
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Headings {
    #[default]
    None,
    Random,
    Swirl,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table")]
pub(super) struct Perception {
    pub shift: Option<i64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table such as { disc = 5 }")]
pub(super) struct Sight {
    pub disc: Option<f64>,
    #[serde(rename = "box")]
    pub square: Option<i64>,
    pub rings: Option<Rings>,
    pub list: Option<Vec<Pair<i64>>>,
}

impl Sight {
    /// The keys of the forms, and which of them are there.
    pub fn forms(&self) -> [(&'static str, bool); 4] {
        [
            ("disc", self.disc.is_some()),
            ("box", self.square.is_some()),
            ("rings", self.rings.is_some()),
            ("list", self.list.is_some()),
        ]
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as { directions = 8, radii = [4] }")]
pub(super) struct Rings {
    pub directions: i64,
    pub radii: Vec<i64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table")]
pub(super) struct Separation {
    pub crowd: Option<f64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table")]
pub(super) struct Movement {
    pub keep: Option<f64>,
    pub cruise: Option<f64>,
    pub max: Option<f64>,
    pub distribution: Option<Distribution>,
    pub carry: Option<bool>,
    pub wander: Option<f64>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Distribution {
    Nearest,
    Split,
    #[default]
    Bilinear,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table")]
pub(super) struct Hunter {
    pub mood: Mood,
    pub reach: Option<i64>,
    pub at: Option<Fractions>,
    pub path: Option<Vec<Fractions>>,
    pub speed: Option<f64>,
    pub jaws: Option<i64>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Mood {
    #[default]
    Flee,
    Follow,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table")]
pub(super) struct Look {
    pub exposure: Option<f64>,
    pub bloom: Option<f64>,
    pub hue: Option<f64>,
    pub colour: Colouring,
    pub point_size: Option<f64>,
    pub trails: Option<f64>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Colouring {
    #[default]
    Heading,
    Speed,
    Density,
}
