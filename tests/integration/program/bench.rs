//! `murmuration bench`: the contents of its rows, and invalid results.

use crate::support::adapter;
use crate::support::command::{Finished, Folder};
use serde_json::Value;

/// Options for the smallest rows.
const SMALL: [&str; 5] = ["bench", "--quick", "--engine", "cpu", "--json"];

fn bench(folder: &Folder, more: &[&str]) -> Finished {
    folder.run(&[&SMALL[..], more].concat())
}

fn rows(object: &Value) -> &Vec<Value> {
    object["families"][0]["rows"].as_array().unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn a_row_of_cells_has_times_traffic_and_a_share_that_agree() {
    let folder = Folder::new();
    let run = bench(&folder, &["--size", "64x48", "--sight", "rings:8:4,disc:4/2/3", "--threads", "1,2"]);
    assert_eq!(run.status, Some(0), "{run:?}");
    let object = run.object();
    assert_eq!((&object["valid"], &object["interrupted"]), (&true.into(), &false.into()));
    for key in ["cpu", "threads", "instruction_set", "memory_bytes", "system", "adapter", "version", "debug"] {
        assert!(object["hardware"].get(key).is_some(), "{key}");
    }
    assert_eq!(rows(&object).len(), 4);
    for row in rows(&object) {
        assert_eq!((&row["size"], &row["model"]), (&"64x48".into(), &"cell".into()));
        let seconds = &row["seconds_a_step"];
        let [least, median, most] = ["least", "median", "most"].map(|key| number(&seconds[key]));
        assert!(0.0 < least && least <= median && median <= most, "{seconds}");
        let rate = number(&row["cells_a_second"]);
        assert!((rate * median / (64.0 * 48.0) - 1.0).abs() < 1e-9);
        let method = &row["traffic"]["method"];
        assert_eq!(method["bytes_a_cell"], 28);
        assert!((number(&method["bandwidth"]) / (28.0 * rate) - 1.0).abs() < 1e-9);
        let share = number(&method["bandwidth"]) / number(&row["copy_bandwidth"]["median"]);
        assert!((number(&method["share_of_copy"]) / share - 1.0).abs() < 1e-9);
        assert!(number(&row["traffic"]["plan"]["bytes_a_cell"]) >= 16.0);
        let passes = row["passes"].as_array().unwrap();
        assert!(!passes.is_empty() && passes.iter().all(|pass| number(&pass["seconds"]) > 0.0), "{row}");
        assert_eq!((&row["lost"], &row["valid"], &row["rounds"]), (&0.into(), &true.into(), &3.into()));
    }
}

#[test]
fn a_row_of_individuals_counts_them_and_their_pairs() {
    let folder = Folder::new();
    let run = bench(&folder, &["--agents", "200", "--search", "brute,grid,octree", "--threads", "1"]);
    assert_eq!(run.status, Some(0), "{run:?}");
    let object = run.object();
    let chains: Vec<&Value> = rows(&object).iter().map(|row| &row["chain"]).collect();
    assert_eq!(chains, ["agents-brute", "agents-grid", "agents-octree"]);
    for row in rows(&object) {
        let rate = number(&row["agents_a_second"]);
        assert!((rate * number(&row["seconds_a_step"]["median"]) / 200.0 - 1.0).abs() < 1e-9);
        if row["chain"] == "agents-brute" {
            assert!((number(&row["pairs_a_second"]) / (200.0 * rate) - 1.0).abs() < 1e-9);
        } else {
            // The search tests each individual at least against itself, so it has at least one pair for each.
            assert!(number(&row["pairs_a_second"]) >= rate, "{row}");
        }
    }
}

#[test]
fn the_preset_of_a_row_can_be_rendered() {
    let folder = Folder::new();
    let run = bench(&folder, &["--size", "64x48", "--sight", "box:5/2/5", "--threads", "1"]);
    let object = run.object();
    let preset = &rows(&object)[0]["preset"];
    folder.write("row.toml", preset["text"].as_str().unwrap());
    let run = folder.run(&["render", "row.toml", "--steps", "5", "--threads", "1", "--json"]).succeeded();
    assert_eq!((&run.object()["size"], &run.object()["lost"]), (&"64x48".into(), &0.into()));
}

#[test]
fn an_unbalanced_ledger_makes_a_result_invalid() {
    let folder = Folder::new();
    let run = bench(&folder, &["--size", "64x48", "--chain", "cell,paper-gather", "--threads", "1", "--out", "out"]);
    assert_eq!(run.status, Some(1), "{run:?}");
    let object = run.object();
    assert_eq!(object["valid"], false);
    let valid: Vec<(&Value, &Value)> = rows(&object).iter().map(|row| (&row["chain"], &row["valid"])).collect();
    assert_eq!(valid, [(&"cell".into(), &true.into()), (&"paper-gather".into(), &false.into())]);
    assert_ne!(rows(&object)[1]["lost"], 0);
    assert!(
        run.err.lines().any(|line| line.contains("paper-gather") && line.ends_with("the row is not valid")),
        "{run:?}"
    );
    let page = std::fs::read_to_string(folder.join("out/bench.md")).unwrap();
    assert!(page.contains("✗ lost") && page.contains("**Not valid**"), "{page}");
    let page = std::fs::read_to_string(folder.join("out/index.html")).unwrap();
    assert!(page.contains("✗ lost") && page.contains("class=\"warning\">Not valid"), "{page}");
    let table = std::fs::read_to_string(folder.join("out/bench.csv")).unwrap();
    let chains: Vec<&str> = table.lines().map(|row| row.rsplit(',').nth(7).unwrap()).collect();
    assert_eq!(chains, ["chain", "cell", "paper-gather"]);
    let written: Value = serde_json::from_slice(&std::fs::read(folder.join("out/bench.json")).unwrap()).unwrap();
    assert_eq!(written, object);
}

#[test]
fn every_state_of_the_rows_of_a_graphics_adapter_is_the_cpus() {
    if adapter::shared("the rows of bench --gpu").is_none() {
        return;
    }
    let folder = Folder::new();
    let run = folder.run(&["bench", "--gpu", "--quick", "--json", "--out", "gpu"]);
    assert_eq!(run.status, Some(0), "{}", run.err);
    let object = run.object();
    let families = object["families"].as_array().unwrap();
    let rows = || families.iter().flat_map(|family| family["rows"].as_array().unwrap());
    for row in rows() {
        let is_steps = row["model"] != "frame";
        assert_eq!(row["same_as_cpu"], if is_steps { true.into() } else { Value::Null }, "{row}");
        assert!(number(&row["seconds_a_step"]["median"]) > 0.0, "{row}");
    }
    assert!(rows().any(|row| row["model"] == "frame" && number(&row["pixels_a_second"]) > 0.0));
    let page = std::fs::read_to_string(folder.join("gpu/bench.md")).unwrap();
    assert!(
        page.contains("the CPU's after 8 steps") && !page.contains("DIFFERS") && !page.contains("Left out"),
        "{page}"
    );
}

#[test]
fn bad_input_is_refused_before_the_first_measurement() {
    let folder = Folder::new();
    for (arguments, complaint) in [
        (&["--sight", "disc:99"][..], "--sight discs 99: sight.alignment.disc: 30757"),
        (&["--size", "0x64"], "--size: 0x64 is not possible; each extent is from 1 to 65535 cells"),
        (&["--chain", "nothing"], "nothing: "),
        (&["--chain", "agents-grid"], "passes/agents-grid.toml: its model is \"agents\"; choose it with --search"),
        (&["--model", "cell", "--agents", "100"], "--model cell: cells have no --agents"),
        (&["--model", "agents", "--size", "64x64"], "--model agents: individuals have no --size"),
    ] {
        let run = bench(&folder, arguments);
        assert_eq!(run.status, Some(2), "{run:?}");
        assert!(run.complaint().starts_with(complaint), "{arguments:?}: {}", run.complaint());
    }
    assert!(folder.names().is_empty());
}

#[cfg(unix)]
#[test]
fn an_interrupted_benchmark_keeps_its_results() {
    let folder = Folder::new();
    let mut running = folder.start(&["bench", "--engine", "cpu", "--threads", "1", "--json", "--out", "out"]);
    running.wait_until(|| folder.join("out/plots").exists());
    // The signal comes in the warm-up or in the repetitions. Both must end soon, with complete results.
    std::thread::sleep(std::time::Duration::from_millis(1500));
    running.signal("INT");
    let run = running.finish();
    assert_eq!(run.status, Some(130), "{run:?}");
    assert_eq!(run.object()["interrupted"], true);
    assert!(folder.join("out/bench.md").exists());
}
