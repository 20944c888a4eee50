//! What a preset says of its start and of its sights, with what it leaves out: the numbers that are gone once a state and
//! lists of vectors were made of them.

use super::source::Source;
use super::spec::{self, Spec};
use crate::error::BadInput;
use std::collections::BTreeMap;

/// The numbers of a start. What means nothing with its shape or its headings is `None`.
#[derive(Debug, Clone, PartialEq)]
pub struct Beginning {
    /// On the extents as they are written, and not on those of `--size`.
    pub boids: Option<i64>,
    /// `uniform`, `blobs`, `ring`, `map` or `array`.
    pub shape: &'static str,
    /// How many blobs.
    pub count: Option<i64>,
    /// Fractions of the smaller extent.
    pub radius: Option<f64>,
    pub width: Option<f64>,
    /// `none`, `random` or `swirl`.
    pub headings: &'static str,
    /// Cells a step.
    pub speed: Option<f64>,
    /// Cells.
    pub patch: Option<i64>,
}

/// How a sight is given.
#[derive(Debug, Clone, PartialEq)]
pub enum SightForm {
    /// The radius in cells.
    Disc(f64),
    /// How far along each axis, in cells.
    Box(i64),
    Rings {
        directions: i64,
        /// In cells.
        radii: Vec<i64>,
    },
    List,
}

/// What is said of a start that was checked.
pub(super) fn beginning(start: &spec::Start) -> Beginning {
    use spec::{Headings, Shape};
    let is_ring = start.shape == Shape::Ring;
    let is_blobs = start.shape == Shape::Blobs;
    let is_turned = start.headings != Headings::None;
    let radius = start.radius.unwrap_or(if is_ring { spec::RING_RADIUS } else { spec::BLOB_RADIUS });
    Beginning {
        boids: start.boids,
        shape: match start.shape {
            Shape::Uniform => "uniform",
            Shape::Blobs => "blobs",
            Shape::Ring => "ring",
            Shape::Map => "map",
            Shape::Array => "array",
        },
        count: (is_blobs && (start.at.is_none() || start.count.is_some())).then(|| start.count.unwrap_or(spec::BLOBS)),
        radius: (is_blobs || is_ring).then_some(radius),
        width: is_ring.then(|| start.width.unwrap_or(spec::RING_WIDTH)),
        headings: match start.headings {
            Headings::None => "none",
            Headings::Random => "random",
            Headings::Swirl => "swirl",
        },
        speed: is_turned.then(|| start.speed.unwrap_or(spec::HEADING_SPEED)),
        patch: (start.headings == Headings::Random).then(|| start.patch.unwrap_or(spec::PATCH)),
    }
}

/// The form of every sight.
///
/// # Errors
/// Where a sight has several forms at once.
pub(super) fn sights(source: &Source, spec: &Spec) -> Result<BTreeMap<String, SightForm>, BadInput> {
    let form = |(name, sight): (&String, &spec::Sight)| {
        let chosen = source.choice(&format!("sight.{name}"), &sight.forms())?;
        let form = match (chosen, sight) {
            (Some("disc"), spec::Sight { disc: Some(radius), .. }) => SightForm::Disc(*radius),
            (Some("box"), spec::Sight { square: Some(far), .. }) => SightForm::Box(*far),
            (Some("rings"), spec::Sight { rings: Some(rings), .. }) => {
                SightForm::Rings { directions: rings.directions, radii: rings.radii.clone() }
            }
            _ => SightForm::List,
        };
        Ok((name.clone(), form))
    };
    spec.sight.iter().map(form).collect()
}
