//! Runs of sweeps: the table does not depend on how often a sweep is killed and how it is divided.

use crate::support::command::{Finished, Folder, repository};
use crate::support::npz::array;
use crate::support::random::Random;
use ndarray::{Array1, Array2};
use std::fs;
use std::path::Path;
use std::time::Duration;

const SWEEP: [&str; 14] = [
    "sweep",
    "paper",
    "--set",
    "weights.cohesion=0.5,1,2",
    "--size",
    "48x32",
    "--seeds",
    "1..20",
    "--steps",
    "60",
    "--warm-up",
    "20",
    "--every",
    "20",
];
const RUNS: usize = 60;
/// The results of a complete sweep, without its journal.
const RESULTS: [&str; 7] =
    ["runs.csv", "runs.npz", "means.csv", "index.html", "runs.csv.json", "runs.npz.json", "means.csv.json"];

fn sweep<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&SWEEP[..], more].concat()
}

/// The bytes of the results in a folder.
fn results(folder: &Folder, out: &str) -> Vec<Vec<u8>> {
    RESULTS
        .iter()
        .map(|name| fs::read(folder.join(out).join(name)).unwrap_or_else(|error| panic!("{out}/{name}: {error}")))
        .collect()
}

/// The header of a table, and its rows.
fn rows(path: &Path) -> (Vec<String>, Vec<Vec<String>>) {
    let mut table = csv::Reader::from_path(path).unwrap();
    let header = table.headers().unwrap().iter().map(str::to_owned).collect();
    (header, table.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect())
}

fn lines(path: &Path) -> usize {
    fs::read(path).map_or(0, |bytes| bytes.iter().filter(|byte| **byte == b'\n').count())
}

/// A sweep with one job, a sweep killed 20 times and a sweep in three shards give equal bytes.
#[cfg(unix)]
#[test]
fn a_sweep_gives_the_same_bytes_whatever_happens_to_it() {
    let folder = Folder::new();
    folder.run(&sweep(&["--jobs", "1", "--out", "one"])).succeeded();
    let one = results(&folder, "one");
    assert_eq!(lines(&folder.join("one/journal.txt")), 1 + RUNS);

    let mut random = Random::new(35);
    let journal = folder.join("killed/journal.txt");
    let mut kills = 0;
    while kills < 20 {
        let mut run = folder.start(&sweep(&["--jobs", "3", "--out", "killed"]));
        let enough = lines(&journal) + random.below(3) as usize;
        run.wait_until(|| lines(&journal) >= enough);
        std::thread::sleep(Duration::from_micros(random.below(9000)));
        run.kill();
        let killed = run.finish();
        assert!(matches!(killed.status, None | Some(0)), "{killed:?}");
        if lines(&journal) > RUNS {
            // On a busy machine the kill comes too late and all runs have ended. The sweep starts again.
            fs::remove_dir_all(folder.join("killed")).unwrap();
            continue;
        }
        assert!(RESULTS.iter().all(|name| !folder.join("killed").join(name).exists()));
        kills += 1;
    }
    // The rest of a torn write.
    let whole = fs::read(&journal).unwrap();
    let before = lines(&journal) - 1;
    assert!(before > 0 && before < RUNS, "{before}");
    fs::write(&journal, [&whole[..], b"7,00ab"].concat()).unwrap();
    let last = folder.run(&sweep(&["--jobs", "2", "--threads", "2", "--out", "killed"]));
    assert!(last.err.contains(&format!("{before} of 60 runs are in the journal, and are not repeated")), "{last:?}");
    assert_eq!(last.status, Some(0), "{last:?}");
    assert_eq!(lines(&journal), 1 + RUNS);
    assert_eq!(results(&folder, "killed"), one);
    // Nothing remains to be played.
    let again = folder.run(&sweep(&["--out", "killed"])).succeeded();
    assert!(again.took < Duration::from_secs(5) && results(&folder, "killed") == one);

    for shard in ["1/3", "3/3"] {
        folder.run(&sweep(&["--out", "parts", "--shard", shard])).succeeded();
    }
    let merge = |parts: &[&str], out: &str| folder.run(&[&["sweep", "merge"], parts, &["--out", out]].concat());
    let missing = merge(&["parts"], "merged");
    assert_eq!(missing.status, Some(2));
    let said = "sweep merge: 20 of 60 runs are missing, such as the run of size=48x32, weights.cohesion=0.5, seed 2; ";
    assert!(missing.complaint().starts_with(said), "{missing:?}");
    folder.run(&sweep(&["--out", "elsewhere", "--shard", "2/3"])).succeeded();
    assert_eq!(lines(&folder.join("elsewhere/runs-2-of-3.csv")), 1 + RUNS / 3);
    merge(&["elsewhere/journal-2-of-3.txt", "parts"], "merged").succeeded();
    assert_eq!(results(&folder, "merged"), one);
    assert!(!folder.join("parts/means.csv").exists(), "a part has no means");
}

#[cfg(unix)]
#[test]
fn an_interrupted_sweep_keeps_what_is_finished() {
    let folder = Folder::new();
    let journal = folder.join("out/journal.txt");
    let long =
        ["sweep", "paper", "--size", "48x32", "--seeds", "1..1000", "--steps", "300", "--jobs", "2", "--out", "out"];
    let mut run = folder.start(&long);
    run.wait_until(|| lines(&journal) > 2);
    run.signal("INT");
    let run = run.finish();
    assert_eq!(run.status, Some(130), "{run:?}");
    let finished = lines(&journal) - 1;
    let said = format!(
        "interrupted after {finished} of 1000 runs; finished runs are kept in out, and the same command goes on"
    );
    assert!(run.err.contains(&said), "{run:?}");
    assert_eq!(folder.names().len(), 2, "there is the journal alone: {:?}", folder.names());
}

/// The means, deviations and moments of a run are computed from its metrics, and its hash is the hash of `render`.
#[test]
fn a_row_is_what_render_measures() {
    let folder = Folder::new();
    let common = ["--set", "weights.cohesion=0.5", "--steps", "60"];
    let sweep = [
        "sweep",
        "flock",
        "--size",
        "24x24",
        "--set",
        "start.boids=90",
        "--seeds",
        "3,8",
        "--warm-up",
        "25",
        "--every",
        "5",
        "--out",
        "out",
    ];
    folder.run(&[&sweep[..], &common, &["--measures", "mean_speed,polarisation,centre_x,hunger"]].concat()).succeeded();
    let (header, rows) = rows(&folder.join("out/runs.csv"));
    assert_eq!(header[..7], ["size", "start.boids", "weights.cohesion", "seed", "state_hash", "lost", "mean_speed"]);
    for (row, seed) in rows.iter().zip(["3", "8"]) {
        let render = [
            "render",
            "flock",
            "--size",
            "24x24",
            "--set",
            "start.boids=90",
            "--seed",
            seed,
            "--every",
            "5",
            "--metrics",
            "m.csv",
            "--json",
        ];
        let object = folder.run(&[&render[..], &common].concat()).succeeded().object();
        assert_eq!(row[..6], ["24x24", "90", "0.5", seed, object["state_hash"].as_str().unwrap(), "0"]);
        let (columns, observed) = self::rows(&folder.join("m.csv"));
        for measure in ["mean_speed", "polarisation"] {
            let column = columns.iter().position(|name| name == measure).unwrap();
            let after = observed.iter().filter(|row| row[0].parse::<u64>().unwrap() > 25);
            let samples: Vec<f64> = after.map(|row| row[column].parse().unwrap()).collect();
            assert_eq!(samples.len(), 7);
            let moment = |power: i32| samples.iter().map(|sample| sample.powi(power)).sum::<f64>() / 7.0;
            let deviation = (moment(2) - moment(1).powi(2)).sqrt();
            let own = |ending: &str| -> f64 {
                let at = header.iter().position(|name| *name == format!("{measure}{ending}")).unwrap();
                row[at].parse().unwrap()
            };
            for (ending, expected) in [
                ("", moment(1)),
                ("_deviation", deviation),
                ("_second_moment", moment(2)),
                ("_fourth_moment", moment(4)),
            ] {
                assert!((own(ending) - expected).abs() < 1e-6, "{measure}{ending}: {} is not {expected}", own(ending));
            }
        }
        let hunger = header.iter().position(|name| name == "hunger").unwrap();
        assert_eq!(row[hunger], "", "a flock without lives is not hungry");
    }
}

/// Two parameters, one with words: tables, arrays and the page.
#[test]
fn the_tables_of_two_parameters_agree_with_each_other() {
    let folder = Folder::new();
    folder.write(
        "sweep.toml",
        "preset = \"mine.toml\"\nseeds = [2, 1]\nsteps = 20\nwarm_up = 0\nevery = 10\n\
         measures = [\"polarisation\", \"occupied_cells\"]\n\
         size = \"24x16\"\n[set]\nworld.edges = [\"walls\", \"torus\"]\nweights.cohesion = \"0:1:0.5\"\n",
    );
    let paper = fs::read_to_string(repository().join("presets/paper.toml")).unwrap();
    folder.write("mine.toml", paper);
    let plan = folder.run(&["sweep", "sweep.toml", "--dry-run"]).succeeded();
    assert!(
        plan.out.contains("mine · 12 runs: 6 combinations with 2 seeds each") && plan.out.contains("24x16"),
        "{plan:?}"
    );
    assert_eq!(folder.names().len(), 2, "a dry run writes nothing");
    let object = folder.run(&["sweep", "sweep.toml", "--out", "out", "--json"]).succeeded().object();
    assert_eq!((object["runs"].as_u64(), object["samples"].as_u64()), (Some(12), Some(2)));
    let (header, runs) = rows(&folder.join("out/runs.csv"));
    assert_eq!(header[..4], ["size", "world.edges", "weights.cohesion", "seed"]);
    let expected = ["walls", "torus"].iter().flat_map(|edges| ["0", "0.5", "1"].map(|weight| (*edges, weight)));
    let expected: Vec<_> =
        expected.flat_map(|(edges, weight)| ["1", "2"].map(|seed| ["24x16", edges, weight, seed])).collect();
    assert_eq!(runs.iter().map(|row| &row[..4]).collect::<Vec<_>>(), expected);
    let (columns, means) = rows(&folder.join("out/means.csv"));
    assert_eq!(
        columns[..6],
        ["size", "world.edges", "weights.cohesion", "seeds", "polarisation", "polarisation_error"]
    );
    let number = |row: &[String], header: &[String], name: &str| -> f64 {
        row[header.iter().position(|own| own == name).unwrap()].parse().unwrap()
    };
    for (row, pair) in means.iter().zip(runs.chunks(2)) {
        let [one, other] = [0, 1].map(|run| number(&pair[run], &header, "polarisation"));
        let own = |name| number(row, &columns, name);
        assert!((own("polarisation") - (one + other) / 2.0).abs() < 1e-12);
        assert!((own("polarisation_error") - (one - other).abs() / 2.0).abs() < 1e-12);
        let moment = |name| (number(&pair[0], &header, name) + number(&pair[1], &header, name)) / 2.0;
        let [second, fourth] = ["polarisation_second_moment", "polarisation_fourth_moment"].map(moment);
        assert!((own("polarisation_binder") - (1.0 - fourth / (3.0 * second * second))).abs() < 1e-12);
        assert!((own("polarisation_variance") - (second - ((one + other) / 2.0).powi(2))).abs() < 1e-9);
    }
    let arrays = folder.join("out/runs.npz");
    let seeds: Array1<u64> = array(&arrays, "seed");
    assert_eq!(seeds.to_vec(), [1, 2].repeat(6));
    let edges: Array1<f64> = array(&arrays, "world.edges");
    assert_eq!(edges.to_vec(), [[0.0; 6], [1.0; 6]].concat());
    let polarisation: Array1<f64> = array(&arrays, "polarisation");
    let hashes: Array2<u8> = array(&arrays, "state_hash");
    for (index, row) in runs.iter().enumerate() {
        assert_eq!(polarisation[index], number(row, &header, "polarisation"));
        let hash: String = hashes.row(index).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hash, row[4]);
    }
    let record = fs::read_to_string(folder.join("out/means.csv.json")).unwrap();
    let record: serde_json::Value = serde_json::from_str(&record).unwrap();
    assert_eq!(record["provenance"]["parameters"]["weights.cohesion"], serde_json::json!(["0", "0.5", "1"]));
    assert_eq!(record["columns"]["occupied_cells_variance"], "(cell)^2");
    let page = fs::read_to_string(folder.join("out/index.html")).unwrap();
    assert_eq!(crate::program::provenance::record_of_page(&page), record["provenance"]);
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>") && page.contains("</main><script>"));
    assert_eq!((page.matches("<script").count(), page.matches("src=").count()), (1, 0));
    for part in [
        "polarisation, Binder cumulant",
        "occupied_cells",
        "weights.cohesion",
        "torus",
        "<svg",
        "class=\"chart heat\"",
        "data-csv=\"series,",
        " ± ",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("NaN") && !page.contains("http"));
}

/// The order of values and seeds, options besides a file, and engines change nothing.
#[test]
fn one_sweep_may_be_written_in_several_ways() {
    let folder = Folder::new();
    folder.write(
        "a.toml",
        "preset = \"droplets\"\nseeds = \"1..2\"\nsteps = 9\nsize = \"24x16\"\nset.\"weights.cohesion\" = [1, 0.50]\n",
    );
    folder.run(&["sweep", "a.toml", "--jobs", "3", "--out", "file"]).succeeded();
    let options = [
        "--size",
        "24x16",
        "--steps",
        "9",
        "--seeds",
        "2,1",
        "--set",
        "weights.cohesion=0.5:1.0:0.5",
        "--threads",
        "2",
        "--out",
        "options",
    ];
    folder.run(&[&["sweep", "droplets"][..], &options].concat()).succeeded();
    assert_eq!(results(&folder, "file"), results(&folder, "options"));
    // An option overrides the file. The journal then belongs to another sweep.
    let other = folder.run(&["sweep", "a.toml", "--seeds", "1..3", "--out", "file"]);
    assert_eq!(other.status, Some(2));
    let said = "file/journal.txt: is the journal of another sweep, with other seeds; name another folder, or remove \
        this journal if its runs are of no use";
    assert_eq!(other.complaint(), said);
    let merged = folder.run(&["sweep", "merge", "file", "--out", "file"]).succeeded();
    assert!(merged.out.contains("runs.csv, runs.npz, means.csv and index.html are in file"), "{merged:?}");
}

/// A failure during the runs keeps the journal.
#[test]
fn a_journal_that_cannot_be_written_is_a_failure_that_keeps_its_runs() {
    let folder = Folder::new();
    let line = "MURMURATION_FAIL=write@5 \"$@\"";
    let arguments =
        ["sweep", "paper", "--size", "48x32", "--steps", "200", "--seeds", "1..9", "--jobs", "1", "--out", "out"];
    let failed: Finished = folder.shell(line, &arguments);
    assert_eq!(failed.status, Some(1), "{failed:?}");
    assert!(
        failed.complaint().contains("journal.txt") && failed.complaint().contains("the same command goes on"),
        "{failed:?}"
    );
    let kept = lines(&folder.join("out/journal.txt"));
    assert!(kept > 1 && kept < 10, "{kept}");
    folder.run(&arguments).finished_with_all(9, &folder);
}

impl Finished {
    /// Checks that the sweep completed with this number of runs.
    fn finished_with_all(self, runs: usize, folder: &Folder) {
        assert_eq!(self.status, Some(0), "{self:?}");
        assert_eq!(lines(&folder.join("out/journal.txt")), 1 + runs);
        assert_eq!(lines(&folder.join("out/runs.csv")), 1 + runs);
    }
}
