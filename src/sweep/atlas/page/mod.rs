//! The page of an atlas: a map of all combinations with their films, in one file.

use super::plan::{AtlasPlan, Tiles};
use super::regime::Regime;
use super::sampling::Sampling;
use super::sheets::Sheets;
use crate::files::json::with_exact;
use crate::html_page::html_page;
use crate::observe::unit_of;
use crate::sweep::{ParameterValues, Summary, shown_value};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use maud::{PreEscaped, html};
use murmuration_core::error::Failure;
use serde_json::{Value, json};

const STYLE: &str = include_str!("page.css");
const BODY: &str = include_str!("body.html");
/// The script of the page: the text of four files, which are the body of one function.
const SCRIPT: &str =
    concat!(include_str!("values.js"), include_str!("tiles.js"), include_str!("map.js"), include_str!("panel.js"));

/// The maximum size of a page in bytes.
const MAX_BYTES: usize = 20_000_000;
/// The number of bytes that are reserved for the page without its data and films.
const OWN_BYTES: usize = 200_000;
/// The duration of a frame of a film in milliseconds.
const MILLISECONDS: u32 = 120;
/// The colours of the regimes, in the order of the regimes. Combinations without a regime have the colour `NO_COLOUR`.
const COLOURS: [&str; 12] = [
    "#ffd166", "#ef476f", "#8ecae6", "#6c8cff", "#06d6a0", "#c77dff", "#ff9f5a", "#f4a6c0", "#b5e48c", "#e9edc9",
    "#90e0ef", "#cdb4db",
];
const NO_COLOUR: &str = "#9aa0a6";

/// The names of measures, each with a description for users. Other measures have no description.
const MEANINGS: [(&str, &str); 12] = [
    ("polarisation", "the length of the mean heading: 1, all go one way"),
    ("mean_speed", "the mean speed"),
    ("milling", "the rotation about the centre: 1, all circle it"),
    ("liveliness", "how alive the swarm was in the last 1000 steps"),
    ("greatest_part", "the part of the boids in the greatest cluster"),
    ("clusters", "the number of clusters"),
    ("stripes", "the power of the density at the shortest wavelengths"),
    ("coverage", "the part of the area that the swarm holds"),
    ("gyration_axis_1", "the longest axis of the swarm"),
    ("gyration_axis_2", "the axis of the swarm after the longest one"),
    ("gyration_axis_3", "the shortest axis of a swarm in a deep world"),
    ("heading_entropy", "the entropy of the headings: 1, all directions alike"),
];

/// The page of an atlas. `base`: the address of the page that plays links.
///
/// # Errors
/// If a picture cannot be made.
pub fn page(plan: &AtlasPlan, tiles: &Tiles, base: &str) -> Result<String, Failure> {
    let shown = plan.finished(tiles);
    let mut data = data(plan, tiles, base, &shown);
    let film = |combination: &u64| &*tiles[&plan.runs.runs_of(*combination).start].clip;
    let films: Vec<&[u8]> = shown.iter().map(film).collect();
    // Base64 encodes three bytes of a sheet as four bytes of the page.
    let own = data.to_string().len() + OWN_BYTES;
    let sheets = Sheets::new(&films, plan.clip.count(plan.runs.steps), MAX_BYTES.saturating_sub(own) / 4 * 3)?;
    let [width, height] = sheets.size;
    data["clip"] = json!({
        "width": width,
        "height": height,
        "frames": sheets.frames,
        "columns": sheets.columns,
        "milliseconds": MILLISECONDS,
    });
    let sheet = |(bytes, clips): &(Vec<u8>, usize)| {
        json!({
            "src": format!("data:image/jpeg;base64,{}", BASE64_STANDARD.encode(bytes)),
            "clips": clips,
        })
    };
    data["sheets"] = sheets.sheets.iter().map(sheet).collect();
    // JSON in a page must not contain `</script>`.
    let json = data.to_string().replace('<', "\\u003c");
    let body = html! {
        (PreEscaped(BODY))
        script type="application/json" id="atlas" { (PreEscaped(json)) }
        script { (PreEscaped(SCRIPT)) }
    };
    let record = with_exact(plan.record()).to_string();
    Ok(html_page(&format!("{}: an atlas", plan.runs.preset), STYLE, &record, &body))
}

/// The data of the page as JSON, without the films. `shown`: the numbers of the combinations on the page.
fn data(plan: &AtlasPlan, tiles: &Tiles, base: &str, shown: &[u64]) -> Value {
    let runs = &plan.runs;
    let tile = |combination: u64| &tiles[&runs.runs_of(combination).start];
    let parameter = |(index, parameter): (usize, &ParameterValues)| {
        let is_range = plan.range(&parameter.key).is_some() || parameter.numbers().is_some();
        let words: Vec<String> = parameter.values.iter().map(|value| shown_value(value)).collect();
        let column = shown.iter().map(|combination| {
            let value = &tile(*combination).values[index];
            let place = || parameter.values.iter().position(|word| word == value).into();
            if is_range { value.parse::<f64>().ok().into() } else { place() }
        });
        let column: Vec<Value> = column.collect();
        let (words, written) = ((!is_range).then_some(words), (!is_range).then_some(&parameter.values));
        (json!({ "key": parameter.key, "values": words, "written": written }), column)
    };
    let (parameters, values): (Vec<Value>, Vec<Vec<Value>>) = runs.parameters.iter().enumerate().map(parameter).unzip();
    let has_values = |name: &&str| shown.iter().any(|combination| plan.mean(tiles, *combination, name).is_some());
    let measures: Vec<&str> = plan.measures().filter(has_values).collect();
    let describe = |name: &&str| {
        let meaning = MEANINGS.iter().find(|(known, _)| known == name).map_or("", |(_, meaning)| meaning);
        json!({ "name": name, "unit": unit_of(name), "meaning": meaning })
    };
    let mean = |combination: &u64, name: &str| plan.mean(tiles, *combination, name).map(rounded);
    let of_seeds = |value: fn(Summary) -> Value| -> Vec<Vec<Value>> {
        let column = |name: &&str| shown.iter().map(|of| value(plan.summary(tiles, *of, name))).collect();
        if runs.seeds.len() > 1 { measures.iter().map(column).collect() } else { Vec::new() }
    };
    let columns =
        measures.iter().map(|name| shown.iter().map(|combination| mean(combination, name)).collect::<Vec<_>>());
    let names = plan.regime_names();
    let regime = |combination: &u64| {
        let name = plan.regime_name(tiles, *combination);
        names.iter().position(|known| *known == name)
    };
    let colour = match &plan.sampling {
        Sampling::Search(search) if measures.contains(&&*search.best) => search.best.clone(),
        _ => "regime".into(),
    };
    let of_map: Vec<&str> = match &plan.sampling {
        Sampling::Search(search) => search.axes.iter().map(|axis| &*axis.measure).collect(),
        _ => Vec::new(),
    };
    let of_map = of_map.into_iter().filter(|name| measures.contains(name));
    let ranges = plan.ranges.iter().map(|range| &*range.key);
    let axes: Vec<&str> = of_map.chain(ranges).chain(measures.iter().copied()).take(2).collect();
    json!({
        "title": runs.preset,
        "description": plan.description,
        "program": runs.program,
        "parameters": parameters,
        "measures": measures.iter().map(describe).collect::<Vec<_>>(),
        "regimes": regimes(plan, &names),
        "seeds": runs.seeds,
        "steps": runs.steps,
        "all": plan.combinations(),
        "combinations": {
            "number": shown,
            "values": values,
            "measures": columns.collect::<Vec<_>>(),
            "errors": of_seeds(|of| rounded(of.error).into()),
            "runs": of_seeds(|of| of.runs.into()),
            "regime": shown.iter().map(regime).collect::<Vec<_>>(),
            "seed": vec![runs.seeds.first().map(u64::to_string); shown.len()],
            "hash": shown.iter().map(|combination| &*tile(*combination).record.state_hash).collect::<Vec<_>>(),
            "effective": shown.iter().map(|combination| &*tile(*combination).effective).collect::<Vec<_>>(),
        },
        "command": command(plan),
        "base": base,
        "link": plan.link,
        "axes": { "x": axes[0], "y": axes.get(1).unwrap_or(&axes[0]), "colour": colour },
    })
}

/// A number rounded to six significant digits, which are enough for a plot.
fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

/// The regimes with these names as JSON objects for the page, each with its name, rule and colour.
fn regimes(plan: &AtlasPlan, names: &[&str]) -> Vec<Value> {
    let regime = |(index, name): (usize, &&str)| {
        let own = plan.regimes.iter().filter(|regime| regime.name == **name);
        let rules: Vec<String> = own.map(Regime::rule).collect();
        let (rule, colour) = match rules.is_empty() {
            true => ("none of the rules above".into(), NO_COLOUR),
            false => (rules.join(", or "), COLOURS[index % COLOURS.len()]),
        };
        json!({ "name": name, "rule": rule, "colour": colour })
    };
    names.iter().enumerate().map(regime).collect()
}

/// The command line that plays a combination: the words before the settings of the combination, and the words after
/// them. Null: the preset is not built in, so the links contain a replay.
fn command(plan: &AtlasPlan) -> Value {
    if plan.link.get("preset").is_none() {
        return Value::Null;
    }
    let steps = plan.runs.steps.to_string();
    let mut before = vec!["murmuration", "render", &plan.runs.preset];
    before.extend(plan.link["chain"].as_str().into_iter().flat_map(|chain| ["--chain", chain]));
    json!({ "before": before, "after": ["--steps", steps, "--json"] })
}
