//! The files of an atlas: its tables and its page.

use super::page::page;
use super::plan::{AtlasPlan, Tiles};
use super::sampling::Sampling;
use crate::files::{write_atomically, write_table};
use crate::observe::unit_of;
use crate::sweep::table::write_record_of;
use crate::sweep::{Shard, shown_value};
use murmuration_core::error::{BadInput, Failure};
use serde_json::Value;
use std::path::Path;

/// A number of a table; `None` is empty.
fn cell(number: Option<f64>) -> String {
    number.filter(|number| number.is_finite()).map(|number| format!("{number:?}")).unwrap_or_default()
}

/// Checks the address of the page that plays links; empty: there is none.
///
/// # Errors
/// If it is no address of a page, or has a fragment.
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

/// Writes all files of a shard into a folder: `runs.csv`, and of a whole atlas `combinations.csv`, of a search `map.csv`, and the page. `base`: the
/// address of the page that plays links.
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
            let names = search.axes.iter().map(|axis| format!("{}_field", axis.measure));
            let header = names.chain(["combination".into(), search.best.clone()]).collect();
            let rows = map.iter().map(|([x, y], elite)| {
                vec![x.to_string(), y.to_string(), elite.combination.to_string(), cell(Some(elite.quality))]
            });
            let path = folder.join("map.csv");
            write_table(&path, std::iter::once(header).chain(rows))?;
            let units = [(search.best.clone(), Value::from(unit_of(&search.best)))];
            write_record_of(&path, plan.record(), &plan.runs, units.into_iter())?;
        }
        let page = page(plan, tiles, base)?;
        write_atomically(&folder.join("index.html"), |to| to.write_all(page.as_bytes()))?;
    }
    Ok(())
}

/// Writes a row for each run: its combination, parameters, seed, hash, loss and measures.
fn write_runs(path: &Path, plan: &AtlasPlan, tiles: &Tiles) -> Result<(), Failure> {
    let others = ["seed", "state_hash", "lost"].map(String::from);
    let measures = plan.measures().map(String::from);
    let header =
        ["combination".to_owned()].into_iter().chain(plan.parameter_names()).chain(others).chain(measures).collect();
    let rows = tiles.iter().map(|(run, tile)| {
        let (combination, seed) = plan.runs.of_run(*run);
        let values = tile.values.iter().map(|value| shown_value(value));
        let own = [seed.to_string(), tile.record.state_hash.clone(), tile.record.lost.to_string()];
        let measures = plan.measures().map(|name| cell(plan.measure(tile, name)));
        [combination.to_string()].into_iter().chain(values).chain(own).chain(measures).collect()
    });
    write_table(path, std::iter::once(header).chain(rows))?;
    write_record(path, plan, &[""])
}

/// Writes a row for each combination: its number, parameters, the number of seeds, the regime, and of each measure the mean over the seeds and its
/// standard error.
fn write_combinations(path: &Path, plan: &AtlasPlan, tiles: &Tiles) -> Result<(), Failure> {
    let measures = plan.measures().flat_map(|name| [name.to_owned(), format!("{name}_error")]);
    let others = ["seeds", "regime"].map(String::from);
    let header =
        ["combination".to_owned()].into_iter().chain(plan.parameter_names()).chain(others).chain(measures).collect();
    let rows = plan.finished(tiles).into_iter().map(|combination| {
        let runs = || tiles.range(plan.runs.runs_of(combination)).map(|(_, tile)| tile);
        let values: Vec<String> =
            runs().next().into_iter().flat_map(|tile| &tile.values).map(|value| shown_value(value)).collect();
        let regime = plan.regime_name(tiles, combination);
        let own = [plan.runs.seeds.len().to_string(), regime.to_owned()];
        let measures = plan
            .measures()
            .flat_map(|name| [plan.mean(tiles, combination, name), plan.error(tiles, combination, name)].map(cell));
        [combination.to_string()].into_iter().chain(values).chain(own).chain(measures).collect::<Vec<_>>()
    });
    write_table(path, std::iter::once(header).chain(rows))?;
    write_record(path, plan, &["", "_error"])
}

/// Writes what made a table beside it, with the units of its columns. `endings`: of the columns of each measure.
fn write_record(path: &Path, plan: &AtlasPlan, endings: &[&str]) -> Result<(), Failure> {
    let of_measure = |name: &str| {
        let column = |ending: &&str| (format!("{name}{ending}"), Value::from(unit_of(name)));
        endings.iter().map(column).collect::<Vec<_>>()
    };
    write_record_of(path, plan.record(), &plan.runs, plan.measures().flat_map(of_measure))
}
