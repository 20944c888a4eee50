//! The outputs of a run: frames, data and tables, which must agree with each other.

use crate::support::command::Folder;
use ndarray::{Array2, Array3};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

pub struct Decoded {
    pub size: (u32, u32),
    pub depth: png::BitDepth,
    pub colour: png::ColorType,
    pub bytes: Vec<u8>,
    /// The text chunks by keyword.
    pub texts: BTreeMap<String, String>,
}

pub fn decode(path: &Path) -> Decoded {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap_or_else(|error| panic!("{path:?}: {error}"));
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut bytes).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    reader.finish().unwrap_or_else(|error| panic!("{path:?}: {error}"));
    let info = reader.info();
    let latin = info.uncompressed_latin1_text.iter().map(|text| (text.keyword.clone(), text.text.clone()));
    let international = info.utf8_text.iter().map(|text| (text.keyword.clone(), text.get_text().unwrap()));
    Decoded {
        size: info.size(),
        depth: info.bit_depth,
        colour: info.color_type,
        bytes,
        texts: latin.chain(international).collect(),
    }
}

/// The values in a column of a table.
pub fn column(table: &str, name: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let index = reader.headers().unwrap().iter().position(|header| header == name).unwrap();
    reader.records().map(|record| record.unwrap()[index].to_owned()).collect()
}

#[test]
fn frames_are_written_for_step_0_and_every_kth_step() {
    for (steps, every, expected) in [
        (25, Some(10), &[0, 10, 20][..]),
        (20, Some(10), &[0, 10, 20]),
        (3, Some(1), &[0, 1, 2, 3]),
        (5, Some(9), &[0]),
        (0, Some(3), &[0]),
        (7, None, &[0, 7]),
        (0, None, &[0]),
    ] {
        let folder = Folder::new();
        let mut arguments = format!(
            "render paper --size 40x30 --steps {steps} --threads 1 --json --frames density16 --out frames \
             --metrics run.csv"
        );
        if let Some(every) = every {
            arguments += &format!(" --every {every}");
        }
        let run = folder.run(&arguments.split_whitespace().collect::<Vec<_>>()).succeeded();
        let mut names: BTreeSet<String> =
            expected.iter().map(|step| format!("frames/density16-{step:06}.png")).collect();
        names.extend(["frames", "run.csv", "run.csv.json"].map(String::from));
        assert_eq!(folder.names(), names, "{steps} steps, every {every:?}");
        assert_eq!((&run.object()["frames"], &run.object()["steps"]), (&expected.len().into(), &steps.into()));
        let table = std::fs::read_to_string(folder.join("run.csv")).unwrap();
        assert_eq!(column(&table, "step"), expected.iter().map(i32::to_string).collect::<Vec<_>>());
    }
}

#[test]
fn all_outputs_of_a_step_agree() {
    let folder = Folder::new();
    let preset = std::fs::read_to_string(crate::support::command::repository().join("presets/lagoon.toml")).unwrap();
    folder.write("Möwen 群れ.toml", preset);
    let arguments = "--size 80x60 --steps 40 --every 40 --seed 9 --threads 2 --json --frames picture,density16 \
                     --frames npy,glow --out frames --metrics tables.csv";
    let arguments: Vec<&str> = ["render", "Möwen 群れ.toml"].into_iter().chain(arguments.split_whitespace()).collect();
    let run = folder.run(&arguments).succeeded();
    let object = run.object();
    assert_eq!(object["preset"], "Möwen 群れ");
    let kinds = ["picture-000040.png", "density16-000040.png", "density-000040.npy", "control-000040.npy"];
    let [picture, density16, density, control] = kinds.map(|name| folder.join("frames").join(name));
    assert_eq!(std::fs::read_dir(folder.join("frames")).unwrap().count(), 12, "arrays have records");
    assert_eq!(object["frames"], 8, "a kind that is named twice is written once");

    // The state and its hash (`docs/formats.md, State hash`).
    let density: Array2<u32> = ndarray_npy::read_npy(density).unwrap();
    let control: Array3<i16> = ndarray_npy::read_npy(control).unwrap();
    assert_eq!((density.shape(), control.shape()), (&[60, 80][..], &[60, 80, 2][..]));
    let quanta: u64 = density.iter().map(|quanta| u64::from(*quanta)).sum();
    assert_eq!(object["quanta_end"], quanta);
    let mut hasher = blake3::Hasher::new();
    for word in [80u32, 60, 1].iter().chain(&density) {
        hasher.update(&word.to_le_bytes());
    }
    for half in &control {
        hasher.update(&half.to_le_bytes());
    }
    assert_eq!(object["state_hash"], hasher.finalize().to_hex().as_str());

    let (drawn, density16) = (decode(&picture), decode(&density16));
    assert_eq!((drawn.depth, drawn.colour), (png::BitDepth::Eight, png::ColorType::Rgb));
    assert_eq!((drawn.size.0 * 60, drawn.size.0 % 80), (drawn.size.1 * 80, 0), "a picture has the shape of its world");
    assert!(drawn.bytes.iter().collect::<BTreeSet<_>>().len() > 50, "something is to be seen");
    assert_eq!((density16.size, density16.depth), ((80, 60), png::BitDepth::Sixteen));
    let scale: u32 = density16.texts["murmuration:quanta-per-level"].parse().unwrap();
    let levels = density16.bytes.chunks_exact(2).map(|level| u32::from(u16::from_be_bytes([level[0], level[1]])));
    assert!(levels.eq(density.iter().map(|quanta| quanta / scale)));
    for frame in [&drawn, &density16] {
        assert_eq!(frame.texts["murmuration:step"], "40");
        let record: Value = serde_json::from_str(&frame.texts["murmuration"]).unwrap();
        assert_eq!((&record["preset"], &record["seed"]), (&json!("Möwen 群れ"), &json!(9)));
        assert!(frame.texts["Software"].starts_with("murmuration "));
    }

    let table = std::fs::read_to_string(folder.join("tables.csv")).unwrap();
    let header = "step,boids,quanta,lost,spawned,caught,polarisation,mean_speed,heading_x,heading_y,heading_z,milling,\
                  rotation_x,rotation_y,rotation_z,occupied_cells,greatest_density,\
                  centre_x,centre_y,centre_z,gyration_x,gyration_y,gyration_z,gyration_xy,gyration_xz,gyration_yz,\
                  gyration_axis_1,gyration_axis_2,gyration_axis_3,nearest_distance,clusters,greatest_part,\
                  heading_entropy,liveliness,stripes,\
                  lattice_occupied_cells,lattice_greatest_density,in_rock,least_to_rock,mean_to_rock,rays,avoiding,\
                  stops,born,starved,eaten,perishing,mood,hunger,health,\
                  energy,energy_spawned,energy_eaten,energy_born,energy_burnt,energy_ended,energy_lost,\
                  dna_speed,dna_speed_deviation,dna_speed_bins,dna_force,dna_force_deviation,dna_force_bins,\
                  dna_sight,dna_sight_deviation,dna_sight_bins,dna_disposition,dna_disposition_deviation,\
                  dna_disposition_bins,\
                  dna_health,dna_health_deviation,dna_health_bins,dna_appetite,\
                  dna_appetite_deviation,dna_appetite_bins";
    assert_eq!(table.lines().next(), Some(header));
    let last = |name: &str| column(&table, name).pop().unwrap();
    assert_eq!((last("step"), last("quanta"), last("lost")), ("40".into(), quanta.to_string(), "0".into()));
    let most = f64::from(*density.iter().max().unwrap()) / 65_536.0;
    assert_eq!(last("greatest_density").parse::<f64>().unwrap(), most);
    let mean =
        density.indexed_iter().map(|((_, x), quanta)| x as f64 * f64::from(*quanta)).sum::<f64>() / quanta as f64;
    assert!((last("centre_x").parse::<f64>().unwrap() - mean).abs() < 1e-9);
    for part in ["polarisation", "mean_speed"] {
        let part: f64 = last(part).parse().unwrap();
        assert!(part > 0.0 && part <= 1.0, "{part}");
    }
}

/// New frames replace the frames of an earlier run. Other files stay.
#[test]
fn a_second_run_replaces_its_own_frames_only() {
    let folder = Folder::new();
    let run = |seed: &str| {
        let arguments = "render fog --size 32x32 --steps 4 --threads 1 --frames density16 --out frames --seed";
        folder.run(&arguments.split_whitespace().chain([seed]).collect::<Vec<_>>()).succeeded();
        std::fs::read(folder.join("frames/density16-000004.png")).unwrap()
    };
    let first = run("1");
    folder.write("frames/mine.txt", "mine");
    assert_ne!(run("2"), first);
    assert_eq!(run("1"), first, "the same run writes the same bytes");
    assert_eq!(std::fs::read(folder.join("frames/mine.txt")).unwrap(), b"mine");
    assert_eq!(std::fs::read_dir(folder.join("frames")).unwrap().count(), 3);
}

/// A reader with only floats finds the exact digits of a large seed, and the swarm of that seed.
#[test]
fn integers_that_floats_lack_are_written_out() {
    let folder = Folder::new();
    let run = |more: &str| {
        let line = format!("render droplets --size 32x24 --steps 3 --engine cpu --json {more}");
        folder.run(&line.split_whitespace().collect::<Vec<_>>()).succeeded().object()
    };
    let large = run("--seed 9007199254740993");
    let of_record = ["seed", "provenance.overrides.seed", "provenance.seed"];
    let exact = |seed: &str| of_record.map(|path| (path.to_owned(), seed.into())).into_iter().collect();
    assert_eq!(
        (&large["seed"], &large["exact"]),
        (&9007199254740993u64.into(), &Value::Object(exact("9007199254740993")))
    );
    let given_back = run(&format!("--set seed={}", large["exact"]["seed"].as_str().unwrap()));
    assert_eq!(given_back["state_hash"], large["state_hash"]);
    assert_eq!(given_back["exact"]["seed"], "9007199254740993");
    let near = run("--seed 9007199254740992");
    assert!(near.get("exact").is_none() && near["state_hash"] != large["state_hash"], "{near}");
    // Amounts of a swarm, of each species and of both models.
    let line = "compare shoal-compare --size 48x48 --steps 1 --engine cpu --json --seed 9223372036854775807";
    let pair = folder.run(&line.split_whitespace().collect::<Vec<_>>()).succeeded().object();
    assert_eq!(pair["exact"], Value::Object(exact("9223372036854775807")));
    let many = "--size 2048x1040 --set start.shape=uniform --set start.boids=138000000000 --set world.capacity=65535 \
        --steps 0";
    let line = format!("render three {many} --engine cpu --json");
    let many = folder.run(&line.split_whitespace().collect::<Vec<_>>()).succeeded().object();
    let first =
        many["species"].as_array().unwrap().iter().position(|species| species["quanta_start"].as_u64() > Some(1 << 53));
    let path = format!("species[{}].quanta_start", first.unwrap());
    assert_eq!(many["exact"][&path], many["species"][first.unwrap()]["quanta_start"].to_string(), "{many}");
    assert_eq!(many["exact"]["quanta_end"], many["quanta_end"].to_string());
}
