//! Outputs of a state: pictures, data files and metrics. They only read the state, so they may use floats.

mod form;
mod json;
#[cfg(feature = "lab")]
mod legend;
mod metrics;
pub mod npy;
mod picture;
mod reduce;
mod species_account;
mod sums;
mod table;
#[cfg(feature = "lab")]
mod text;

pub use crate::picture::{
    FULL_BLOOM, PALETTE, Picture, axis_of, dither, encoded, frame, frame_in, glow, glow_of_individuals, heading_colour,
    layer_of, light_of, mood_colour, palette, picture, plane_extents, scale_colour,
};
pub use json::with_exact;
#[cfg(feature = "lab")]
pub use legend::{name_of_values, with_legend};
pub use metrics::Observation;
pub use picture::{Caption, encode_png, encoder, write_png};
pub use reduce::reduced;
pub use species_account::SpeciesAccount;
pub use sums::sums_of;
pub use table::metrics_table;
#[cfg(feature = "lab")]
pub use text::draw_text;

use crate::error::{BadInput, Failure};
use crate::files::create_folder;
use crate::state::State;
use crate::swarm::Swarm;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A kind of file that is written for a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FrameKind {
    /// A picture to look at: `glow-000100.png`.
    Glow,
    /// The density as 16-bit grey: `density16-000100.png`, and of a deep world a picture for each slice: `density16-000100-0000.png`.
    Density16,
    /// The state of the lattice bit for bit: `density-000100.npy` and `control-000100.npy`.
    Npy,
    /// Every individual bit for bit: `positions-000100.npy` and `velocities-000100.npy`.
    Agents,
}

impl FrameKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Glow, Self::Density16, Self::Npy, Self::Agents];
}

impl fmt::Display for FrameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Glow => "glow",
            Self::Density16 => "density16",
            Self::Npy => "npy",
            Self::Agents => "agents",
        })
    }
}

impl FromStr for FrameKind {
    type Err = BadInput;

    fn from_str(name: &str) -> Result<Self, BadInput> {
        Self::ALL.into_iter().find(|kind| kind.to_string() == name).ok_or_else(|| {
            BadInput::new("--frames", format!("`{name}` is no kind of frame"), "use glow, density16, npy or agents")
        })
    }
}

/// Writes a frame in each of the kinds into the folder `into`, which is created if it is missing. `read` is the swarm, and the
/// swarm on the lattice: of individuals their density and mean velocity; a picture alone does not need it. `paint` draws the
/// picture. Returns the paths of the files in the order of the kinds; a repeated kind is written once. The file names contain
/// the step in at least six digits, so that they sort by step.
///
/// # Errors
/// If the picture cannot be drawn, or a file cannot be written; every file is written atomically.
pub fn write_frame(
    kinds: &[FrameKind],
    into: &Path,
    read: Option<(&Swarm, &State)>,
    caption: &Caption,
    paint: &mut dyn FnMut() -> Result<Picture, Failure>,
) -> Result<Vec<PathBuf>, Failure> {
    create_folder(into)?;
    let mut written = Vec::new();
    let mut file = |name: &str, separator: &str, ending: &str| {
        written.push(into.join(format!("{name}-{:06}{separator}{ending}", caption.step)));
        written[written.len() - 1].clone()
    };
    for (_, kind) in kinds.iter().enumerate().filter(|(index, kind)| !kinds[..*index].contains(kind)) {
        match (kind, read) {
            (FrameKind::Glow, _) => write_png(&paint()?, &file("glow", ".", "png"), caption)?,
            (FrameKind::Density16, Some((_, state))) => {
                let is_deep = state.extents.depth.is_some();
                for slice in 0..state.extents.slices() as usize {
                    let path = match is_deep {
                        true => file("density16", "-", &format!("{slice:04}.png")),
                        false => file("density16", ".", "png"),
                    };
                    picture::write_density(state, slice, &path, caption)?;
                }
            }
            (FrameKind::Npy, Some((_, state))) => {
                npy::write_density(&file("density", ".", "npy"), state)?;
                npy::write_control(&file("control", ".", "npy"), state)?;
            }
            (FrameKind::Agents, Some((Swarm::Agents(agents), _))) => {
                npy::write_agents(&[file("positions", ".", "npy"), file("velocities", ".", "npy")], agents)?;
            }
            (FrameKind::Agents, Some((Swarm::Cells(_), _))) => {}
            (_, None) => return Err(Failure::Broken(format!("the state was not read for a frame of kind {kind}"))),
        }
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::Look;
    use crate::world::{Edges, Extents, World};

    fn scene() -> (State, World, Look, Caption) {
        let extents = Extents::flat(12, 10);
        let mut state = State::empty(extents);
        state.density[30] = 1 << 18;
        let world = World { capacity: 1 << 30, ..World::empty(extents, Edges::Torus) };
        let look = Look { exposure: 2.0, bloom: 0.5, ..Look::default() };
        (state, world, look, Caption { preset: "droplets".into(), step: 100, seed: 1 })
    }

    #[test]
    fn a_name_leads_to_its_kind_and_back() {
        for kind in FrameKind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        let message = "jpeg".parse::<FrameKind>().unwrap_err().to_string();
        assert_eq!(message, "--frames: `jpeg` is no kind of frame; use glow, density16, npy or agents");
    }

    #[test]
    fn a_frame_has_a_file_for_each_kind() {
        let (state, world, look, caption) = scene();
        let folder = tempfile::tempdir().unwrap();
        let into = folder.path().join("new/frames");
        let swarm = Swarm::Cells(state.clone());
        let mut paint = || Ok(glow(&state, &world, &look));
        let paths = write_frame(&FrameKind::ALL, &into, Some((&swarm, &state)), &caption, &mut paint).unwrap();
        let names: Vec<_> = paths.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
        let expected = ["glow-000100.png", "density16-000100.png", "density-000100.npy", "control-000100.npy"];
        assert_eq!(names, expected);
        assert_eq!(std::fs::read_dir(&into).unwrap().count(), 4);

        let file = std::io::BufReader::new(std::fs::File::open(&paths[0]).unwrap());
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut bytes).unwrap();
        assert_eq!(bytes, glow(&state, &world, &look).bytes);
        let steps = &reader.info().uncompressed_latin1_text;
        assert!(steps.iter().any(|text| text.keyword == "murmuration:step" && text.text == "100"));
    }

    #[test]
    fn a_file_in_the_place_of_the_folder_is_an_error() {
        let (state, world, look, caption) = scene();
        let folder = tempfile::tempdir().unwrap();
        let taken = folder.path().join("taken");
        std::fs::write(&taken, b"mine").unwrap();
        let swarm = Swarm::Cells(state.clone());
        let mut paint = || Ok(glow(&state, &world, &look));
        let failed = write_frame(&[FrameKind::Npy], &taken, Some((&swarm, &state)), &caption, &mut paint);
        assert!(matches!(failed, Err(Failure::File { .. })));
        assert_eq!(std::fs::read(&taken).unwrap(), b"mine");
    }
}
