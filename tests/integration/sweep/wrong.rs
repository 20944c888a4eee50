//! Wrong sweeps: each is refused before any run, in one line with file, line, key and advice.

use crate::input::bad_input::is_refused;
use crate::support::command::{Folder, repository};

/// A sweep in a file. Added lines stand in `[set]`, from line 7 on.
const SWEEP: &str = "\
preset = \"mine.toml\"
seeds = \"1..2\"
steps = 8
warm_up = 2
every = 2
[set]
weights.cohesion = [0.5, 1]
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("mine.toml", std::fs::read_to_string(repository().join("presets/paper.toml")).unwrap());
    folder
}

#[test]
fn files_of_sweeps_with_a_mistake_are_refused() {
    let folder = folder();
    folder.write("s.toml", SWEEP);
    folder.run(&["sweep", "s.toml", "--dry-run"]).succeeded();
    assert_eq!(folder.run(&["check", "s.toml"]).succeeded().out, "ok  s.toml (sweep)\n");
    let rows: &[(&str, &str, &str)] = &[
        // A part of the text, its replacement, and the message.
        ("preset = \"mine.toml\"\n", "", "sweep: there is no preset; name one, or write preset = \"NAME\""),
        ("\"mine.toml\"", "7", "s.toml:1: preset: is no text; write it in quotation marks"),
        ("mine.toml", "other.toml", "other.toml: cannot be read"),
        ("mine.toml", "../mine.toml", "is not read, because it lies outside the folders"),
        ("mine.toml", "droplet", "s.toml:1: preset: droplet: there is no preset of this name; known are"),
        ("seeds = \"1..2\"", "seeds = \"2..1\"", "s.toml:2: seeds: 2..1 begins above its end; write them as 1..20"),
        ("seeds = \"1..2\"", "seeds = [1, 2, 1]", "s.toml:2: seeds: the seed 1 stands twice; say each seed once"),
        ("seeds = \"1..2\"", "seeds = 0.5", "s.toml:2: seeds: is no list of seeds; write it as in seeds"),
        ("seeds = \"1..2\"", "seeds = -1", "s.toml:2: seeds: `-1` is neither a seed nor a range"),
        ("seeds = \"1..2\"", "seeds = \"0..99999\"", "the values and seeds make more than 100000 runs; take fewer"),
        ("seeds = \"1..2\"", "seeds = \"0..999999999\"", "s.toml:2: seeds: 0..999999999 has more than 100000 seeds"),
        ("seeds =", "seed =", "s.toml:2: seed: is no key of a sweep; known are"),
        ("seeds =", "sedes =", "s.toml:2: sedes: is no key of a sweep; known are description, preset"),
        ("steps = 8", "steps = -8", "s.toml:3: steps: is no number of steps; give a whole number"),
        ("steps = 8", "steps = 3", "s.toml:5: every: of 3 steps none is measured"),
        ("warm_up = 2", "warm_up = 8", "s.toml:5: every: of 8 steps none is measured"),
        ("warm_up = 2", "warm_up = \"half\"", "s.toml:4: warm_up: is no number of steps"),
        ("every = 2", "every = 0", "s.toml:5: every: of 8 steps none is measured"),
        (
            "every = 2",
            "measures = [\"polarization\"]",
            "s.toml:5: measures: there is no measure `polarization`; known are",
        ),
        ("every = 2", "measures = [\"polarization\"]", "did you mean polarisation?"),
        ("every = 2", "measures = []", "s.toml:5: measures: there are no measures; name one"),
        ("every = 2", "measures = \"polarisation\"", "s.toml:5: measures: is no list of names; write it as"),
        ("every = 2", "measures = [\"boids\", \"boids\"]", "s.toml:5: measures: the measure boids stands twice"),
        ("[set]\n", "[set\n", "s.toml:6: "),
        ("[set]\n", "set = 3\n", "s.toml:6: set: is no table; write it as [set]"),
        (
            "[0.5, 1]",
            "[0.5, 99]",
            "s.toml:7: set.weights.cohesion: weights.cohesion=99: 99 is out of bounds; it must be from",
        ),
        ("[0.5, 1]", "[0.5, \"x\"]", "s.toml:7: set.weights.cohesion: "),
        ("[0.5, 1]", "[]", "s.toml:7: set.weights.cohesion: has no values; write a list"),
        ("[0.5, 1]", "[0.5, 0.50]", "s.toml:7: set.weights.cohesion: has the value 0.5 twice; say each value once"),
        ("[0.5, 1]", "\"0:1:0\"", "s.toml:7: set.weights.cohesion: the range 0:1:0 never comes to its end"),
        ("[0.5, 1]", "\"0:1:1e-7\"", "s.toml:7: set.weights.cohesion: the range 0:1:1e-7 has too many numbers"),
        ("weights.cohesion =", "weights.cohesoin =", "s.toml:7: set.weights.cohesoin: "),
        ("weights.cohesion =", "world.size[3] =", "s.toml:7: "),
        (
            "weights.cohesion =",
            "seed =",
            "s.toml:7: set.seed: is no parameter, because runs are averaged over their seeds; use seeds",
        ),
        ("weights.cohesion =", "state_hash =", "s.toml:7: set.state_hash: is the name of another column"),
        ("every = 2", "size = [\"24x16\", \"0x16\"]", "s.toml:5: size: size 0x16: there is no lattice of this size"),
        ("every = 2", "size = \"24\"", "s.toml:5: size: write it as WxH or WxHxD"),
        ("every = 2", "chain = \"nothing\"", "nothing"),
    ];
    for (from, to, says) in rows {
        assert_eq!(SWEEP.matches(from).count(), 1, "{from:?}");
        folder.write("s.toml", SWEEP.replace(from, to));
        is_refused(&folder, &["sweep", "s.toml", "--out", "out"], &[says]);
        is_refused(&folder, &["check", "s.toml"], &[says]);
    }
    // A mistake in the preset is reported with its own line.
    folder.write("mine.toml", "description = \"x\"\n[world]\nsize = \"large\"\n");
    folder.write("s.toml", SWEEP);
    is_refused(&folder, &["sweep", "s.toml", "--out", "out"], &["mine.toml:3: world.size: "]);
}

#[test]
fn options_of_sweeps_with_a_mistake_are_refused() {
    let folder = folder();
    for (line, says) in [
        ("sweep nothing --out out", "nothing: there is no preset of this name"),
        ("sweep paper --out out --set weights.cohesion", "--set weights.cohesion: there is no `=` in it; write it as"),
        ("sweep paper --out out --set weights.cohesion=", "--set weights.cohesion=: a value is empty"),
        (
            "sweep paper --out out --set weights.cohesion=1,99",
            "--set weights.cohesion=1,99: weights.cohesion=99: 99 is out of bounds",
        ),
        ("sweep paper --out out --set =1", "--set =1: what stands before `=` is not a dotted key"),
        ("sweep paper --out out --set a.b=1 --set a.b=2", "--set a.b=2: the key stands twice"),
        ("sweep paper --out out --seeds 3..1", "--seeds 3..1: 3..1 begins above its end"),
        ("sweep paper --out out --seeds -3", "--seeds -3: `-3` is neither a seed nor a range"),
        ("sweep paper --out out --steps 5 --every 9", "--every 9: of 5 steps none is measured"),
        ("sweep paper --out out --measures entropy", "--measures entropy: there is no measure `entropy`"),
        ("sweep paper --out out --size 24x16,24x16", "--size 24x16,24x16: has the value \"24x16\" twice"),
        ("sweep paper --out out --size 99999x9", "--size 99999x9: size 99999x9: there is no lattice of this size"),
        (
            "sweep paper --out out --shard 2/9",
            "--shard 2/9: a sweep of 1 runs cannot have so many parts; take fewer parts",
        ),
        (
            "sweep paper --out out --engine gpu --threads 2",
            "--threads: is for the CPU engine; take it away, or add --engine cpu",
        ),
        ("sweep paper --out mine.toml", "--out mine.toml: mine.toml is a file; name a folder"),
        ("sweep merge . --out out", ".: there is no journal of a sweep in this folder; name a folder of --out"),
        ("sweep merge mine.toml --out out", "mine.toml:1: is no journal of a sweep"),
        ("sweep merge nothing --out out", "nothing: cannot be read"),
    ] {
        is_refused(&folder, &line.split(' ').collect::<Vec<_>>(), &[says]);
    }
    for (line, says) in [
        ("sweep --out out", "required arguments were not provided"),
        ("sweep paper", "--out <DIR>"),
        ("sweep paper --out out --shard 0/3", "write it as i/n, as in 2/3"),
        ("sweep paper --out out --jobs 0", "`0` is no such number; give a whole number, 1 to 1024"),
        ("sweep paper --out out --engine", "a value is required for '--engine <ENGINE>'"),
        ("sweep paper --out out --engine fast", "possible values: auto, cpu, gpu"),
        ("sweep paper --out out --threads 0", "`0` is no such number; give a whole number, 1 to 1024"),
    ] {
        let run = folder.run(&line.split(' ').collect::<Vec<_>>());
        assert!(run.status == Some(2) && run.err.contains(says), "{line}: {run:?}");
    }
    for engine in ["cpu", "gpu", "auto", "cpu --threads 2", "auto --threads 2"] {
        let line = format!("sweep paper --dry-run --engine {engine}");
        folder.run(&line.split(' ').collect::<Vec<_>>()).succeeded();
    }
    assert_eq!(folder.names().len(), 1);
}

/// A sweep from a stranger reads only files in its folder or below.
#[test]
fn a_sweep_of_a_stranger_reads_its_own_folder_alone() {
    let folder = folder();
    let mask = image::GrayImage::from_fn(4, 4, |x, _| image::Luma([if x == 0 { 255 } else { 0 }]));
    for path in ["theirs/below/mask.png", "secret.png"] {
        std::fs::create_dir_all(folder.join(path).parent().unwrap()).unwrap();
        mask.save(folder.join(path)).unwrap();
    }
    let sweep = |preset: &str, mask: &str| {
        let text = SWEEP.replace("mine.toml", preset).replace("steps = 8", "steps = 8\nsize = \"24x16\"");
        text + &format!("\"world.solid\" = [\"{mask}\"]\n")
            .replace("world.solid\" = [\"", "world.solid[0].mask\" = [\"")
    };
    let preset = std::fs::read_to_string(repository().join("presets/paper.toml")).unwrap();
    folder.write("theirs/own.toml", preset + "\n[[world.solid]]\nmask = \"below/mask.png\"\n");
    // A path in the sweep is relative to the sweep's folder.
    folder.write("theirs/s.toml", sweep("own.toml", "below/mask.png"));
    folder.run(&["sweep", "theirs/s.toml", "--dry-run"]).succeeded();
    for (preset, mask) in [("own.toml", "../secret.png"), ("../mine.toml", "below/mask.png")] {
        folder.write("theirs/s.toml", sweep(preset, mask));
        is_refused(
            &folder,
            &["sweep", "theirs/s.toml", "--out", "out"],
            &["lies outside the folders", "--allow-files"],
        );
    }
    let secret = folder.join("secret.png").display().to_string();
    folder.write("theirs/s.toml", sweep("own.toml", &secret));
    is_refused(&folder, &["sweep", "theirs/s.toml", "--out", "out"], &["lies outside the folders"]);
    folder.run(&["sweep", "theirs/s.toml", "--dry-run", "--allow-files"]).succeeded();
}
