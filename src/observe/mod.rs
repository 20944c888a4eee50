//! Outputs of a state: pictures, data files and metrics. They only read the state, so they may use floats.

pub mod density16;
#[cfg(feature = "lab")]
mod difference;
#[cfg(feature = "lab")]
mod lettering;
pub mod metrics;
pub mod npy;
mod picture;
mod reduce;

pub use crate::picture::{
    FULL_BLOOM, PALETTE, Picture, dither, encoded, frame, glow, heading_colour, light_of, palette,
};
#[cfg(feature = "lab")]
pub use difference::{LESS, MORE, difference};
#[cfg(feature = "lab")]
pub use lettering::draw_text;
pub use metrics::{MetricsTable, Observation};
pub use picture::{Caption, PngPicture};
pub use reduce::reduced;

use crate::error::{BadInput, Failure};
use crate::files::create_folder;
use crate::preset::Look;
use crate::state::State;
use crate::swarm::Swarm;
use crate::world::World;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A kind of file that is written for a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FrameKind {
    /// A picture to look at: `glow-000100.png`.
    Glow,
    /// The density as 16-bit grey: `density16-000100.png`.
    Density16,
    /// The state of the lattice bit for bit: `density-000100.npy` and `control-000100.npy`.
    Npy,
    /// Every individual bit for bit: `positions-000100.npy` and `velocities-000100.npy`.
    Agents,
}

impl FrameKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Glow, Self::Density16, Self::Npy, Self::Agents];

    fn name(self) -> &'static str {
        match self {
            Self::Glow => "glow",
            Self::Density16 => "density16",
            Self::Npy => "npy",
            Self::Agents => "agents",
        }
    }
}

impl fmt::Display for FrameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for FrameKind {
    type Err = BadInput;

    fn from_str(name: &str) -> Result<Self, BadInput> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
            BadInput::new("--frames", format!("`{name}` is no kind of frame"), "use glow, density16, npy or agents")
        })
    }
}

/// Everything that a frame shows.
#[derive(Clone, Copy)]
pub struct FrameInput<'a> {
    pub swarm: &'a Swarm,
    /// The swarm on the lattice: of individuals their density and mean velocity.
    pub state: &'a State,
    pub world: &'a World,
    pub look: &'a Look,
    pub caption: &'a Caption,
}

/// Draws the picture of a state: [`glow`], or the same on a GPU.
pub type Painter<'a> = dyn FnMut(&State, &World, &Look) -> Result<Picture, Failure> + 'a;

/// Writes a frame in each of the kinds into the folder `into`, which is created if it is missing. Returns the paths of the
/// files in the order of the kinds; a repeated kind is written once. The file names contain the step in at least six
/// digits, so that they sort by step.
///
/// # Errors
/// If the picture cannot be drawn, or a file cannot be written; every file is written atomically.
pub fn write_frame(
    kinds: &[FrameKind],
    into: &Path,
    frame: FrameInput<'_>,
    paint: &mut Painter<'_>,
) -> Result<Vec<PathBuf>, Failure> {
    create_folder(into)?;
    let FrameInput { swarm, state, world, look, caption } = frame;
    let step = caption.step;
    let mut written = Vec::new();
    for (index, kind) in kinds.iter().enumerate() {
        if kinds[..index].contains(kind) {
            continue;
        }
        match kind {
            FrameKind::Glow => {
                let path = into.join(format!("glow-{step:06}.png"));
                paint(state, world, look)?.write(&path, caption)?;
                written.push(path);
            }
            FrameKind::Density16 => {
                let path = into.join(format!("density16-{step:06}.png"));
                density16::write(&path, state, caption)?;
                written.push(path);
            }
            FrameKind::Npy => {
                let paths = ["density", "control"].map(|field| into.join(format!("{field}-{step:06}.npy")));
                npy::write_density(&paths[0], state)?;
                npy::write_control(&paths[1], state)?;
                written.extend(paths);
            }
            FrameKind::Agents => {
                let Swarm::Agents(agents) = swarm else { continue };
                let paths = ["positions", "velocities"].map(|what| into.join(format!("{what}-{step:06}.npy")));
                npy::write_agents(&paths, agents)?;
                written.extend(paths);
            }
        }
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Edges, Extents};

    fn scene() -> (State, World, Look, Caption) {
        let extents = Extents { width: 12, height: 10 };
        let mut state = State::empty(extents);
        state.density[30] = 1 << 18;
        let world = World {
            extents,
            edges: Edges::Torus,
            margin: 0,
            capacity: 1 << 30,
            solids: Default::default(),
            hunter: None,
        };
        let look = Look { exposure: 2.0, bloom: 0.5, ..Look::default() };
        (state, world, look, Caption { preset: "droplets".into(), step: 100, seed: 1 })
    }

    fn on_cpu(state: &State, world: &World, look: &Look) -> Result<Picture, Failure> {
        Ok(glow(state, world, look))
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
        let frame = FrameInput { swarm: &swarm, state: &state, world: &world, look: &look, caption: &caption };
        let paths = write_frame(&FrameKind::ALL, &into, frame, &mut on_cpu).unwrap();
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
        let frame = FrameInput { swarm: &swarm, state: &state, world: &world, look: &look, caption: &caption };
        let failed = write_frame(&[FrameKind::Npy], &taken, frame, &mut on_cpu);
        assert!(matches!(failed, Err(Failure::File { .. })));
        assert_eq!(std::fs::read(&taken).unwrap(), b"mine");
    }
}
