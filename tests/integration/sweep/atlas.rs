//! Atlases: the page does not depend on how often an atlas is killed and how it is divided. Single combinations can be
//! replayed. Mistakes are refused.

use crate::input::bad_input::is_refused;
use crate::support::command::{Folder, repository};
use crate::support::random::Random;
use std::fs;
use std::path::Path;
use std::time::Duration;

const ATLAS: &str = "\
description = \"an atlas of a test\"
preset = \"mine.toml\"
size = \"48x32\"
seeds = \"1..2\"
steps = 60
samples = 15
frames = 3
sampling = \"latin-hypercube\"
[ranges]
weights.cohesion = [0.0, 1.5]
start.boids = [200, 900]
[set]
start.headings = [\"random\", \"aligned\"]
";
const RUNS: usize = 60;
/// The results of a complete atlas, without its journal.
const RESULTS: [&str; 5] = ["runs.csv", "combinations.csv", "index.html", "runs.csv.json", "combinations.csv.json"];

/// A folder with the atlas and its preset, a copy of a built-in one.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("a.toml", ATLAS.replace("mine.toml", "droplets"));
    folder
}

fn results(folder: &Folder, out: &str) -> Vec<Vec<u8>> {
    RESULTS
        .iter()
        .map(|name| fs::read(folder.join(out).join(name)).unwrap_or_else(|error| panic!("{out}/{name}: {error}")))
        .collect()
}

fn lines(path: &Path) -> usize {
    fs::read(path).map_or(0, |bytes| bytes.iter().filter(|byte| **byte == b'\n').count())
}

fn rows(path: &Path) -> Vec<Vec<(String, String)>> {
    let mut table = csv::Reader::from_path(path).unwrap();
    let header = table.headers().unwrap().clone();
    let row = |row: csv::StringRecord| header.iter().zip(&row).map(|(name, cell)| (name.into(), cell.into())).collect();
    table.records().map(|record| row(record.unwrap())).collect()
}

fn cell<'a>(row: &'a [(String, String)], name: &str) -> &'a str {
    row.iter().find(|(known, _)| known == name).map_or_else(|| panic!("no {name}"), |(_, cell)| cell)
}

/// Kills an atlas `times` times, then lets it finish.
#[cfg(unix)]
fn killed(folder: &Folder, arguments: &[&str], journal: &Path, runs: usize, times: usize) {
    let mut random = Random::new(40);
    let mut kills = 0;
    while kills < times {
        let mut run = folder.start(arguments);
        let enough = lines(journal) + random.below(3) as usize;
        run.wait_until(|| lines(journal) >= enough);
        std::thread::sleep(Duration::from_micros(random.below(9000)));
        run.kill();
        run.finish();
        if lines(journal) > runs {
            // On a busy machine the kill comes too late and all runs have ended. The atlas starts again.
            fs::remove_file(journal).unwrap();
            continue;
        }
        kills += 1;
    }
    // The rest of a torn write.
    let whole = fs::read(journal).unwrap();
    assert!(lines(journal) > 1, "no run was finished");
    fs::write(journal, [&whole[..], b"7,00ab"].concat()).unwrap();
    let last = folder.run(arguments);
    assert_eq!(last.status, Some(0), "{last:?}");
    assert!(last.err.contains("runs are in the journal, and are not repeated"), "{last:?}");
}

/// An atlas with one job, an atlas killed 20 times and an atlas in three parts give equal bytes.
#[cfg(unix)]
#[test]
fn an_atlas_gives_the_same_bytes_whatever_happens_to_it() {
    let folder = folder();
    let run = folder.run(&["atlas", "run", "a.toml", "--jobs", "1", "--out", "one"]).succeeded();
    assert!(run.out.contains("60 runs: 30 combinations with 2 seeds each; a Latin hypercube"), "{run:?}");
    let one = results(&folder, "one");
    assert_eq!(lines(&folder.join("one/journal.txt")), 1 + RUNS);
    let arguments = ["atlas", "run", "a.toml", "--jobs", "3", "--out", "killed"];
    killed(&folder, &arguments, &folder.join("killed/journal.txt"), RUNS, 20);
    assert_eq!(results(&folder, "killed"), one);

    for (shard, out) in [("1/3", "parts"), ("2/3", "elsewhere"), ("3/3", "parts")] {
        let merge = |more: &[&str]| folder.run(&[&["atlas", "merge", "parts", "--out", "merged"], more].concat());
        if shard == "2/3" {
            let missing = merge(&[]);
            assert_eq!(missing.status, Some(2));
            let said =
                "atlas merge: 40 of 60 runs are missing, such as the run of combination 1, seed 1; name all parts";
            assert!(missing.complaint().starts_with(said), "{missing:?}");
            merge(&["--partial"]).succeeded();
            assert_eq!(rows(&folder.join("merged/combinations.csv")).len(), 10);
        }
        folder.run(&["atlas", "run", "a.toml", "--shard", shard, "--out", out]).succeeded();
    }
    folder.run(&["atlas", "merge", "elsewhere/journal-2-of-3.txt", "parts", "--out", "merged"]).succeeded();
    assert_eq!(results(&folder, "merged"), one);
    assert!(!folder.join("parts/index.html").exists(), "a part has no page");

    // A result that stands twice counts as one, even if some of its measures have no value.
    folder.run(&["atlas", "merge", "one", "one/journal.txt", "--out", "twice"]).succeeded();
    assert_eq!(results(&folder, "twice"), one);

    // The journal of another atlas is refused.
    folder.write("b.toml", ATLAS.replace("mine.toml", "droplets").replace("samples = 15", "samples = 16"));
    let other = folder.run(&["atlas", "run", "b.toml", "--out", "one"]);
    let said =
        "one/journal.txt: is the journal of another atlas, with other ranges or another sampling; name another folder";
    assert!(other.complaint().starts_with(said), "{other:?}");
}

/// A single combination has the hash and the measures of the atlas, by its command and by its link.
#[test]
fn a_combination_is_played_again_by_itself() {
    let folder = folder();
    folder.run(&["atlas", "run", "a.toml", "--out", "out", "--base", "https://example.org/page/"]).succeeded();
    let runs = rows(&folder.join("out/runs.csv"));
    assert_eq!(runs.len(), RUNS);
    let page = fs::read_to_string(folder.join("out/index.html")).unwrap();
    for row in [&runs[0], &runs[33], &runs[59]] {
        let set = |key: &str| format!("{key}={}", cell(row, key));
        let [headings, cohesion, boids] = ["start.headings", "weights.cohesion", "start.boids"].map(set);
        let options =
            ["--size", "48x32", "--seed", cell(row, "seed"), "--set", &headings, "--set", &cohesion, "--set", &boids];
        let steps = ["--steps", "60"];
        let played = folder.run(&[&["render", "droplets"], &options[..], &steps, &["--json"]].concat()).succeeded();
        let object: serde_json::Value = serde_json::from_str(played.out.lines().last().unwrap()).unwrap();
        assert_eq!(object["state_hash"], cell(row, "state_hash"), "{row:?}");
        let link = folder.run(&[&["link", "droplets"], &options[..], &steps].concat()).succeeded();
        assert!(link.out.contains(cell(row, "state_hash")));
        // The page shows the beginning of the effective hash, as in the link.
        let effective = link.out.trim().rsplit_once("of=").unwrap().1.to_owned();
        assert!(cell(row, "seed") != "1" || page.contains(&effective), "{effective}");
    }
    // The columns of one step are measures of the last step: the last sample of each run is at the last step.
    let boids: Vec<u64> = runs.iter().map(|row| cell(row, "start.boids").parse().unwrap()).collect();
    assert!(boids.iter().all(|boids| (200..=900).contains(boids)));
    let mut cohesions: Vec<f64> =
        runs.iter().step_by(4).map(|row| cell(row, "weights.cohesion").parse().unwrap()).collect();
    cohesions.sort_by(f64::total_cmp);
    // Each fifteenth of the range is drawn once.
    assert!(
        cohesions.iter().enumerate().all(|(part, value)| (value / 0.1 - part as f64 - 0.5).abs() <= 0.51),
        "{cohesions:?}"
    );
    assert!(runs.iter().all(|row| cell(row, "lost") == "0"));
    // A shorter run has fewer frames. The command names another chain.
    let short =
        ATLAS.replace("mine.toml", "droplets").replace("steps = 60", "steps = 20").replace("frames = 3", "frames = 8");
    folder.write("short.toml", format!("chain = \"cell\"\n{}", short.replace("samples = 15", "samples = 2")));
    folder.run(&["atlas", "run", "short.toml", "--out", "short"]).succeeded();
    let page = fs::read_to_string(folder.join("short/index.html")).unwrap();
    assert!(page.contains("\"clip\":{\"width\":48,\"height\":32,\"frames\":6,"), "{:?}", page.find("\"clip\""));
    assert!(page.contains("[\"murmuration\",\"render\",\"droplets\",\"--chain\",\"cell\"]"));
    // The links carry a preset that lies beside the atlas.
    folder.write("mine.toml", fs::read_to_string(repository().join("presets/paper.toml")).unwrap());
    folder.write("own.toml", ATLAS.replace("samples = 15", "samples = 2"));
    folder.run(&["atlas", "run", "own.toml", "--out", "own"]).succeeded();
    let page = fs::read_to_string(folder.join("own/index.html")).unwrap();
    assert!(page.contains("\"command\":null") && page.contains("\"replay\":{"));
}

/// A killed search gives the results of an undisturbed search. A search tries other combinations than random sampling.
/// If a search is divided, each part searches by itself.
#[cfg(unix)]
#[test]
fn a_search_fills_a_map() {
    let folder = folder();
    let text = ATLAS.replace("mine.toml", "droplets").replace("seeds = \"1..2\"", "seeds = 1");
    let search =
        "[search]\nbest = \"mean_speed\"\ny = { measure = \"coverage\", least = 0, greatest = 1, fields = 5 }\n";
    let text = text.replace("samples = 15", "samples = 96").replace("latin-hypercube", "search") + search;
    folder.write("s.toml", &text);
    let map = |out: &str| fs::read_to_string(folder.join(out).join("map.csv")).unwrap();
    folder.run(&["atlas", "run", "s.toml", "--jobs", "1", "--out", "one"]).succeeded();
    killed(
        &folder,
        &["atlas", "run", "s.toml", "--jobs", "2", "--out", "killed"],
        &folder.join("killed/journal.txt"),
        96,
        5,
    );
    assert_eq!(results(&folder, "killed"), results(&folder, "one"));
    assert_eq!(map("killed"), map("one"));
    assert!(map("one").starts_with("polarisation_field,coverage_field,combination,mean_speed\n"), "{}", map("one"));
    // Each field of the map has the best of all combinations in this field.
    let rows_of = |out: &str| rows(&folder.join(out).join("combinations.csv"));
    let all = rows_of("one");
    assert_eq!(all.len(), 96);
    let number = |row: &[(String, String)], name: &str| cell(row, name).parse::<f64>().unwrap();
    let field = |row: &[(String, String)]| {
        let place = |name: &str, fields: f64| (number(row, name) * fields).min(fields - 1.0) as u32;
        [place("polarisation", 8.0), place("coverage", 5.0)]
    };
    let fields = rows(&folder.join("one/map.csv"));
    assert!(fields.len() >= 5, "{} fields", fields.len());
    for elite in &fields {
        let own = ["polarisation_field", "coverage_field"].map(|name| cell(elite, name).parse::<u32>().unwrap());
        let rivals = all.iter().filter(|row| field(row) == own);
        let best = rivals.map(|row| number(row, "mean_speed")).fold(f64::MIN, f64::max);
        assert_eq!(number(elite, "mean_speed"), best);
    }
    // Later combinations lie near earlier ones, so a range has fewer distinct values than in a hypercube.
    let changed = all.iter().skip(32).filter(|row| {
        all.iter().take(64).any(|other| {
            cell(row, "start.boids") == cell(other, "start.boids")
                && cell(row, "combination") != cell(other, "combination")
        })
    });
    assert!(changed.count() > 10, "nothing was inherited");

    for shard in ["1/3", "2/3", "3/3"] {
        folder.run(&["atlas", "run", "s.toml", "--shard", shard, "--out", "parts"]).succeeded();
    }
    folder.run(&["atlas", "merge", "parts", "--out", "merged"]).succeeded();
    assert_eq!(rows_of("merged").len(), 96);
    assert_ne!(rows_of("merged")[40], all[40], "an island draws from its own map");
}

#[test]
fn atlases_with_a_mistake_are_refused() {
    let folder = Folder::new();
    folder.write("mine.toml", fs::read_to_string(repository().join("presets/paper.toml")).unwrap());
    folder.write("a.toml", ATLAS);
    let dry = folder.run(&["atlas", "run", "a.toml", "--dry-run", "--json"]).succeeded();
    assert!(dry.out.contains("\"combinations\":30"), "{dry:?}");
    assert_eq!(folder.run(&["check", "a.toml"]).succeeded().out, "ok  a.toml (atlas)\n");
    let rows: &[(&str, &str, &str)] = &[
        (
            "[ranges]\nweights.cohesion = [0.0, 1.5]\nstart.boids = [200, 900]\n",
            "",
            "a.toml:1: ranges: there are no ranges; write it as [ranges]",
        ),
        (
            "[0.0, 1.5]",
            "[1.5, 0.0]",
            "a.toml:10: ranges.weights.cohesion: does not go upwards; give the least value first",
        ),
        ("[0.0, 1.5]", "[0.0, 1.5, 2.0]", "a.toml:10: ranges.weights.cohesion: is no range of numbers; write it as"),
        (
            "[set]",
            "[[regimes]]\nname = \"NA\"\nwhen = \"polarisation > 0.5\"\n[set]",
            "a.toml:13: regimes: \"NA\" is a missing value to readers of tables; take another name",
        ),
        ("[0.0, 1.5]", "\"a\"", "a.toml:10: ranges.weights.cohesion: is no range of numbers"),
        ("[0.0, 1.5]", "[0.0, inf]", "a.toml:10: ranges.weights.cohesion: is no range of numbers"),
        (
            "weights.cohesion",
            "weights.colesion",
            "a.toml:10: ranges.weights.colesion: weights.colesion=0: the chain cell-fast has no rule",
        ),
        ("[0.0, 1.5]", "[0.0, 1e9]", "a.toml:10: ranges.weights.cohesion: "),
        ("start.boids = [200, 900]", "weights.cohesion = [0, 1]", "a.toml:11: "),
        (
            "start.headings =",
            "weights.cohesion =",
            "a.toml:10: ranges.weights.cohesion: stands twice; give it a range in [ranges], or values in [set]",
        ),
        (
            "latin-hypercube",
            "latin",
            "a.toml:8: sampling: there is no sampling `latin`; known are latin-hypercube, grid, search",
        ),
        ("latin-hypercube", "grid", "a.toml:6: samples: is not used by a grid; say levels = 5"),
        (
            "samples = 15",
            "levels = 5",
            "a.toml:6: levels: is not used by the sampling `latin-hypercube`; write sampling = \"grid\"",
        ),
        ("samples = 15", "samples = 0", "a.toml:6: samples: is no such number; give a whole number from 1 to 100000"),
        (
            "samples = 15",
            "samples = 60000",
            "a.toml:6: samples: the atlas has too many runs, or none; take fewer samples",
        ),
        ("samples = 15", "sample = 15", "a.toml:6: sample: is no key of a sweep; known are"),
        ("frames = 3", "frames = 65", "a.toml:7: frames: is no such number; give a whole number from 1 to 64"),
        (
            "[set]",
            "[[regimes]]\nname = \"a\"\n[set]",
            "a.toml:13: regimes: has no name or no condition; write [[regimes]]",
        ),
        ("frames = 3", "regimes = 1", "a.toml:7: regimes: is no list of tables"),
        ("sampling = \"latin-hypercube\"", "[search]\nx = 1", "a.toml:9: search.x: is no table; write it as x = "),
        (
            "sampling = \"latin-hypercube\"",
            "[search]\nbest = \"livelines\"",
            "there is no measure `livelines`; known are",
        ),
        ("sampling = \"latin-hypercube\"", "[search]\nz = 1", "a.toml:9: search.z: is not known; known are x, y, best"),
        (
            "sampling = \"latin-hypercube\"",
            "[search]\nx = { measure = \"coverage\" }",
            "a.toml:9: search.x: both axes are of coverage; name another measure for x or y",
        ),
        (
            "start.boids = [200, 900]",
            "start.boids = [200.0, 900.0]",
            "a.toml:11: ranges.start.boids: start.boids=460.3: invalid type",
        ),
        ("mine.toml", "other.toml", "other.toml: cannot be read"),
        ("preset = \"mine.toml\"\n", "", "sweep: there is no preset"),
        ("preset = ", "preset = = ", "a.toml:2: "),
    ];
    for (part, instead, said) in rows {
        let text = ATLAS.replacen(part, instead, 1);
        assert_ne!(text, ATLAS, "{part}");
        folder.write("a.toml", &text);
        is_refused(&folder, &["atlas", "run", "a.toml", "--out", "out"], &[said]);
        assert!(!folder.join("out").exists(), "{part}");
    }
    folder.write("a.toml", ATLAS);
    for (arguments, said) in [
        (&["atlas", "run", "a.toml", "--out", "mine.toml"][..], "--out mine.toml: mine.toml is a file; name a folder"),
        (
            &["atlas", "run", "a.toml", "--out", "o", "--shard", "1/31"],
            "--shard 1/31: an atlas of 30 combinations cannot have so many parts",
        ),
        (&["atlas", "run", "a.toml", "--out", "o", "--base", "page"], "--base page: is no address of a page"),
        (&["atlas", "merge", "nowhere", "--out", "o"], "nowhere: cannot be read"),
        (&["atlas", "merge", ".", "--out", "o"], ".: there is no journal of an atlas in this folder"),
        (&["atlas", "merge", "mine.toml", "--out", "o"], "mine.toml:1: is no journal of an atlas"),
    ] {
        is_refused(&folder, arguments, &[said]);
    }
}
