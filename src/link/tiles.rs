//! Tiles: runs with short films, to choose from by looking. A text in TOML beside a picture (`docs/formats.md`, Tiles).

use super::Link;
use murmuration_core::error::BadInput;
use murmuration_core::text;
use serde::{Deserialize, Serialize};

/// The most tiles of a sheet.
pub const MAX_TILES: usize = 256;
/// The most pixels of a frame along a side.
pub const MAX_PIXELS: u32 = 256;
/// The most frames of a film.
pub const MAX_FRAMES: u32 = 64;

/// Runs whose films lie on a picture: `columns` films across, each a row of frames.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TileSheet {
    /// Pixels of a frame.
    pub size: [u32; 2],
    /// The frames of each film.
    pub frames: u32,
    /// The films across the picture.
    pub columns: u32,
    /// The tiles, in the order of their films: row by row from the top.
    pub tile: Vec<SheetTile>,
}

/// A run of a sheet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SheetTile {
    /// The link that plays it.
    pub link: String,
    /// The kind of its swarm.
    pub regime: String,
}

impl TileSheet {
    /// Whether a text looks like a sheet: it has tiles.
    pub fn is_sheet(toml: &str) -> bool {
        toml.lines().any(|line| line.trim() == "[[tile]]")
    }

    /// Reads the text of a sheet, and each of its links. `origin` names it in messages.
    ///
    /// # Errors
    /// `BadInput`: the text is no sheet, or a link is wrong.
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

    /// The place of a frame on the picture: its corner in pixels.
    pub fn corner(&self, tile: usize, frame: u32) -> [u32; 2] {
        let (column, row) = (tile as u32 % self.columns, tile as u32 / self.columns);
        [(column * self.frames + frame) * self.size[0], row * self.size[1]]
    }
}
