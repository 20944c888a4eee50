//! The files of an atlas: its tables and its page.

use super::page::page;
use super::plan::{AtlasPlan, Tiles};
use super::sampling::Sampling;
use crate::files::write_atomically;
use crate::observe::unit_of;
use crate::sweep::table::{self, Column, MeasureColumn, cell};
use crate::sweep::{Shard, Summary, shown_value};
use murmuration_core::error::{BadInput, Failure};
use std::path::Path;

/// The only column of a measure in the table of runs: the mean of the measure over the samples.
const OF_RUNS: [MeasureColumn<f64, String>; 1] = [("", 1, |mean| cell(*mean))];

/// The columns of a measure in the table of combinations: the mean over the runs, its standard error, and the number of
/// runs that have a value.
const OF_COMBINATIONS: [MeasureColumn<Summary, String>; 3] =
    [("", 1, |of| cell(of.mean)), ("_error", 1, |of| cell(of.error)), ("_runs", 0, |of| of.runs.to_string())];

/// Checks the address of the page that plays links. An empty address is allowed, and means that there is no such page.
///
/// # Errors
/// If the address begins with neither `https://` nor `http://`, or contains `#`.
pub fn check_base(base: &str) -> Result<(), BadInput> {
    let is_address = base.is_empty() || base.starts_with("https://") || base.starts_with("http://");
    match is_address && !base.contains('#') {
        true => Ok(()),
        false => {
            let cure = "name the address of the page alone, as in https://example.org/page/";
            Err(BadInput::new(format!("base {base}"), "is no address of a page", cure))
        }
    }
}

/// Writes the table of the runs of a shard into a folder, as `runs.csv` or for example `runs-2-of-3.csv`. For a whole
/// atlas, also writes `combinations.csv` and the page `index.html`. For a search that is whole, also writes `map.csv`.
/// `base`: the address of the page that plays links.
///
/// # Errors
/// If a file cannot be written.
pub fn write_results(
    folder: &Path,
    (plan, tiles): (&AtlasPlan, &Tiles),
    shard: Shard,
    base: &str,
) -> Result<(), Failure> {
    write_runs(&folder.join(shard.file_name("runs", "csv")), plan, tiles)?;
    if shard.count == 1 {
        write_combinations(&folder.join("combinations.csv"), plan, tiles)?;
        if let Sampling::Search(search) = &plan.sampling {
            let map = plan.map(search, tiles, plan.finished(tiles).into_iter());
            let fields = search.axes.iter().map(|axis| (format!("{}_field", axis.measure), String::new()));
            let best = (search.best.clone(), unit_of(&search.best).into());
            let columns: Vec<Column> = fields.chain([("combination".into(), String::new()), best]).collect();
            let rows = map.iter().map(|([x, y], elite)| {
                vec![x.to_string(), y.to_string(), elite.combination.to_string(), cell(elite.quality)]
            });
            table::write(&folder.join("map.csv"), &columns, rows, plan.record())?;
        }
        let page = page(plan, tiles, base)?;
        write_atomically(&folder.join("index.html"), |to| to.write_all(page.as_bytes()))?;
    }
    Ok(())
}

/// The columns of a table, in this order: the number of the combination, the parameters, the columns `others`, and the
/// columns `of_measure` of each measure.
fn columns<Row>(plan: &AtlasPlan, others: &[&str], of_measure: &[MeasureColumn<Row, String>]) -> Vec<Column> {
    let columns = table::columns(&plan.runs, others, plan.measures(), of_measure);
    std::iter::once(("combination".into(), String::new())).chain(columns).collect()
}

/// Writes a row for each run: the combination, the parameters, the seed, the state hash, the missing quanta, and the
/// measures.
fn write_runs(path: &Path, plan: &AtlasPlan, tiles: &Tiles) -> Result<(), Failure> {
    let rows = tiles.iter().map(|(run, tile)| {
        let (combination, seed) = plan.runs.of_run(*run);
        let values = tile.values.iter().map(|value| shown_value(value));
        let own = [seed.to_string(), tile.record.state_hash.clone(), tile.record.lost.to_string()];
        let means = plan.measures().map(|name| plan.measure(tile, name).unwrap_or(f64::NAN));
        let cells = means.flat_map(|mean| OF_RUNS.map(|(.., value)| value(&mean)));
        [combination.to_string()].into_iter().chain(values).chain(own).chain(cells).collect()
    });
    table::write(path, &columns(plan, &table::OF_RUN, &OF_RUNS), rows, plan.record())
}

/// Writes a row for each combination: its number, the parameters, the number of seeds, and the regime. The columns
/// [`OF_COMBINATIONS`] of each measure follow.
fn write_combinations(path: &Path, plan: &AtlasPlan, tiles: &Tiles) -> Result<(), Failure> {
    let rows = plan.finished(tiles).into_iter().map(|combination| {
        let runs = || tiles.range(plan.runs.runs_of(combination)).map(|(_, tile)| tile);
        let values: Vec<String> =
            runs().next().into_iter().flat_map(|tile| &tile.values).map(|value| shown_value(value)).collect();
        let regime = plan.regime_name(tiles, combination);
        let own = [plan.runs.seeds.len().to_string(), regime.to_owned()];
        let summaries = plan.measures().map(|name| plan.summary(tiles, combination, name));
        let cells = summaries.flat_map(|of| OF_COMBINATIONS.map(|(.., value)| value(&of)));
        [combination.to_string()].into_iter().chain(values).chain(own).chain(cells).collect::<Vec<_>>()
    });
    table::write(path, &columns(plan, &["seeds", "regime"], &OF_COMBINATIONS), rows, plan.record())
}
