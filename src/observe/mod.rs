//! Outputs of a swarm: pictures, data files and metrics. Outputs only read the state of the swarm, so they may compute
//! with floats.

mod column;
pub mod features;
#[cfg(feature = "look")]
mod legend;
mod liveliness;
mod metrics;
pub mod npy;
mod picture;
mod reduce;
mod statistics;
mod table;
#[cfg(feature = "look")]
mod text;
#[cfg(feature = "data")]
mod trajectories;

#[cfg(feature = "look")]
pub use legend::{name_of_values, with_legend};
pub use liveliness::LivelinessSampler;
pub use metrics::{Observation, link_length};
#[cfg(feature = "lab")]
pub(crate) use murmuration_core::measures::form::connected_parts;
pub use murmuration_core::picture::{
    FULL_BLOOM, PALETTE, Picture, axis_of, dither, encoded, frame, frame_in, glow, glow_of_individuals, heading_colour,
    layer_of, light_of, mood_colour, palette, picture, plane_extents, scale_colour,
};
pub use picture::{Caption, STEP, encode_png, encoder, record_in_png, write_density, write_png};
pub use reduce::reduced;
pub use statistics::StatisticsRecord;
#[cfg(feature = "data")]
pub use statistics::StatisticsSamples;
pub use table::column_units;
#[cfg(feature = "window")]
pub use table::column_values;
#[cfg(any(feature = "window", feature = "data"))]
pub use table::unit_of;
pub use table::{columns, metrics_table};
#[cfg(feature = "look")]
pub use text::draw_text;
#[cfg(feature = "data")]
pub use trajectories::{Trajectories, TrajectoryColumn, TrajectoryFormat, TrajectoryNumbers};

use crate::files::frames::{Series, series};
use murmuration_core::error::BadInput;
use std::fmt;
use std::str::FromStr;

/// A kind of file that is written for a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FrameKind {
    /// A picture to look at: `picture-000100.png`.
    Picture,
    /// The density as 16-bit grey levels, a pixel for each cell: `density16-000100.png`. A world with three axes has a
    /// picture for each slice along z: `density16-000100-0000.png`.
    Density16,
    /// The density and the control vectors of all cells, bit for bit: `density-000100.npy` and `control-000100.npy`.
    Npy,
    /// All individuals, bit for bit: `positions-000100.npy`, `velocities-000100.npy`, `numbers-000100.npy`, and
    /// `lives-000100.npy` if individuals have lives.
    Individuals,
}

impl FrameKind {
    /// Every kind, with its name in presets and options, and the series of files that it writes.
    pub(crate) const ALL: [(Self, &str, &[Series]); 4] = [
        (Self::Picture, "picture", &[series::PICTURE]),
        (Self::Density16, "density16", &[series::DENSITY16]),
        (Self::Npy, "npy", &[series::DENSITY, series::CONTROL]),
        (Self::Individuals, "agents", &[series::POSITIONS, series::VELOCITIES, series::NUMBERS]),
    ];

    /// The series of files that this kind writes for each frame.
    pub fn series(self) -> &'static [Series] {
        Self::ALL[self as usize].2
    }
}

impl fmt::Display for FrameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(Self::ALL[*self as usize].1)
    }
}

impl FromStr for FrameKind {
    type Err = BadInput;

    fn from_str(name: &str) -> Result<Self, BadInput> {
        // The former name of pictures.
        let name = match name {
            "glow" => "picture",
            "individuals" => "agents",
            other => other,
        };
        Self::ALL.iter().find(|(_, own, _)| *own == name).map(|(kind, ..)| *kind).ok_or_else(|| {
            BadInput::new("--frames", format!("`{name}` is no kind of frame"), "use picture, density16, npy or agents")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_to_its_kind_and_back() {
        for (kind, ..) in FrameKind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        assert_eq!("glow".parse(), Ok(FrameKind::Picture));
        let message = "jpeg".parse::<FrameKind>().unwrap_err().to_string();
        assert_eq!(message, "--frames: `jpeg` is no kind of frame; use picture, density16, npy or agents");
    }
}
