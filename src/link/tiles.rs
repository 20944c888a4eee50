//! Tile sheets: collections of runs with short films, from which users choose by looking. A sheet is a TOML text beside
//! a picture with all frames of the films (`docs/formats.md`, Tiles).

use super::Link;
use murmuration_core::error::BadInput;
use murmuration_core::text;
use serde::{Deserialize, Serialize};

/// The maximum number of tiles of a sheet.
pub const MAX_TILES: usize = 256;
/// The maximum side of a frame in pixels.
pub const MAX_PIXELS: u32 = 256;
/// The maximum number of frames of a film.
pub const MAX_FRAMES: u32 = 64;

/// A collection of runs. The films of all runs lie on one picture, in rows of `columns` films. The frames of a film lie
/// side by side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TileSheet {
    /// The size of a frame in pixels.
    pub size: [u32; 2],
    /// The number of frames of each film.
    pub frames: u32,
    /// The number of films in each row of the picture.
    pub columns: u32,
    /// The runs, in the order of their films on the picture: row by row from the top.
    pub tile: Vec<SheetTile>,
}

/// A run of a sheet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SheetTile {
    /// The link of the run.
    pub link: String,
    /// The name of the behaviour of the swarm, such as `mill`.
    pub regime: String,
}

impl TileSheet {
    /// Whether a text looks like a sheet: it has a line `[[tile]]`.
    pub fn is_sheet(toml: &str) -> bool {
        toml.lines().any(|line| line.trim() == "[[tile]]")
    }

    /// Parses the TOML text of a sheet and checks its links. `origin`: the name of the text in error messages.
    ///
    /// # Errors
    /// `BadInput`: the text is not a sheet, or a link is wrong.
    pub fn parse(origin: &str, toml: &str) -> Result<Self, BadInput> {
        let sheet: Self = text::parse_toml(origin, toml, "a sheet of [[tile]]s")?;
        let is_sound = (1..=MAX_TILES).contains(&sheet.tile.len())
            && sheet.size.iter().all(|side| (1..=MAX_PIXELS).contains(side))
            && (1..=MAX_FRAMES).contains(&sheet.frames)
            && (1..=MAX_TILES as u32).contains(&sheet.columns);
        if !is_sound {
            return Err(BadInput::new(
                origin,
                "has a size that no sheet has",
                format!("a sheet has 1 to {MAX_TILES} tiles"),
            ));
        }
        sheet.tile.iter().try_for_each(|tile| Link::parse(&tile.link).map(drop))?;
        Ok(sheet)
    }

    /// The upper left corner of a frame on the picture, in pixels. `tile`: the index of the run. `frame`: the index of
    /// the frame in the film of the run.
    pub fn corner(&self, tile: usize, frame: u32) -> [u32; 2] {
        let column = tile as u32 % self.columns;
        let row = tile as u32 / self.columns;
        [(column * self.frames + frame) * self.size[0], row * self.size[1]]
    }
}
