//! A tile sheet with the best combinations of an atlas, for the window and for galleries (see [`crate::link::tiles`]).

use super::LIVELINESS;
use super::plan::{AtlasPlan, Tiles};
use super::sampling::Sampling;
use super::sheets::Sheets;
use crate::files::write_atomically;
use crate::link::tiles::{SheetTile, TileSheet};
use crate::link::{Link, LinkedRun};
use crate::sweep::prepared::override_with;
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::preset::Overrides;
use std::path::Path;

/// The number of pixels along the longer side of a frame, the number of frames of a film, and the quality of the JPEG
/// from 1 to 100.
const LEVEL: (u32, u32, u8) = (64, 6, 60);
/// The maximum width and height of the picture, in pixels. Every GPU supports textures of this size.
const SIDE: u32 = 2048;
/// The measure by which the combinations of a regime are ranked.
const BEST: &str = LIVELINESS;

impl AtlasPlan {
    /// The numbers of the best finished combinations, at most `count`. They are chosen from the best combination of
    /// each field of a search, or from all combinations of another sampling. The regimes take turns: each turn takes
    /// the liveliest combination of the regime that is left.
    pub fn best(&self, tiles: &Tiles, count: usize) -> Vec<u64> {
        let all = match &self.sampling {
            Sampling::Search(search) => {
                let map = self.map(search, tiles, self.finished(tiles).into_iter());
                map.into_values().map(|elite| elite.combination).collect()
            }
            _ => self.finished(tiles),
        };
        let mut of_regimes: Vec<Vec<u64>> = vec![Vec::new(); self.regimes.len() + 1];
        all.into_iter().for_each(|combination| of_regimes[self.regime(tiles, combination)].push(combination));
        let quality = |combination: &u64| self.mean(tiles, *combination, BEST).unwrap_or(0.0);
        for own in &mut of_regimes {
            own.sort_by(|one, other| quality(other).total_cmp(&quality(one)).then(one.cmp(other)));
        }
        let longest = of_regimes.iter().map(Vec::len).max().unwrap_or(0);
        let in_turn = (0..longest).flat_map(|rank| of_regimes.iter().filter_map(move |own| own.get(rank).copied()));
        let mut best: Vec<u64> = in_turn.take(count).collect();
        // The tiles of a regime are neighbours on the sheet.
        best.sort_by_key(|combination| (self.regime(tiles, *combination), *combination));
        best
    }

    /// The link to the run of a combination with the first seed.
    ///
    /// # Errors
    /// `BadInput`: the preset is not built in, or the run was not played.
    pub fn link_of(&self, tiles: &Tiles, combination: u64) -> Result<Link, BadInput> {
        let wrong = |problem: &str| BadInput::new(&self.runs.preset, problem, "make the atlas of a built-in preset");
        let preset = self.link["preset"]
            .as_str()
            .ok_or_else(|| wrong("is no built-in preset, which links name, or needs files"))?;
        let tile = tiles.get(&self.runs.runs_of(combination).start).ok_or_else(|| wrong("was not played"))?;
        let mut overrides = Overrides { seed: self.runs.seeds.first().copied(), ..Overrides::default() };
        for (parameter, value) in self.runs.parameters.iter().zip(&tile.values) {
            let setting = || format!("{}={value}", parameter.key);
            override_with(&mut overrides, &parameter.key, value, setting).map_err(|problem| wrong(&problem))?;
        }
        let chain = self.link["chain"].as_str().map(str::to_owned);
        let (steps, hash) = (Some(self.runs.steps), Some(tile.record.state_hash.clone()));
        let run = LinkedRun::Preset { preset: preset.into(), overrides, chain, steps, hash };
        Ok(Link { run, effective: Some(tile.effective.clone()) })
    }
}

/// Writes a tile sheet with the best combinations, at most `count`: a TOML text to `path`, and a JPEG picture of their
/// films beside it. Returns the number of tiles.
///
/// # Errors
/// If no combination can be shown, the preset is not built in, the films do not fit onto one picture, or a file cannot
/// be written.
pub fn write_tiles(path: &Path, (plan, tiles): (&AtlasPlan, &Tiles), count: usize) -> Result<usize, Failure> {
    let best = plan.best(tiles, count);
    if best.is_empty() {
        let (problem, cure) = match plan.finished(tiles).is_empty() {
            true => ("no combination is finished", "let some runs come to their end"),
            false => ("no combination has all measures of the map", "search with other measures, or with longer runs"),
        };
        return Err(BadInput::new("atlas pick", problem, cure).into());
    }
    let films: Vec<&[u8]> =
        best.iter().map(|combination| &*tiles[&plan.runs.runs_of(*combination).start].clip).collect();
    let sheets = Sheets::of_level(&films, plan.clip.count(plan.runs.steps), LEVEL, SIDE)?;
    let [(picture, _)] = &sheets.sheets[..] else {
        let cure = "take fewer";
        return Err(BadInput::of_argument("count", count, "these tiles do not fit onto one picture", cure).into());
    };
    let tile = |combination: &u64| {
        let regime = plan.regime_name(tiles, *combination).to_owned();
        Ok(SheetTile { link: plan.link_of(tiles, *combination)?.write()?, regime })
    };
    let tile = best.iter().map(tile).collect::<Result<Vec<_>, BadInput>>()?;
    let sheet = TileSheet { size: sheets.size, frames: sheets.frames, columns: sheets.columns, tile };
    let text =
        toml::to_string(&sheet).map_err(|error| Failure::Broken(format!("the tiles cannot be written: {error}")))?;
    write_atomically(&path.with_extension("jpg"), |to| to.write_all(picture))?;
    write_atomically(path, |to| to.write_all(text.as_bytes()))?;
    Ok(best.len())
}
