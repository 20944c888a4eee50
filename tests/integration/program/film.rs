//! Films of a run: every due step is a frame, equal to the picture that `render` writes.

use crate::program::outputs::decode;
use crate::support::command::{Folder, fixture};
use murmuration_core::simulation::replay::ReplayReading;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// The frames of an APNG, and their steps.
fn frames_of(path: &Path) -> (Vec<Vec<u8>>, Vec<u64>) {
    let mut reader = png::Decoder::new(BufReader::new(File::open(path).unwrap())).read_info().unwrap();
    let count = reader.info().animation_control.unwrap().num_frames;
    let mut frames = Vec::new();
    for _ in 0..count {
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut bytes).unwrap();
        frames.push(bytes);
    }
    reader.finish().unwrap();
    let texts = reader.info().uncompressed_latin1_text.iter();
    let steps = texts.filter(|text| text.keyword == "murmuration:step").map(|text| text.text.parse().unwrap());
    (frames, steps.collect())
}

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

#[test]
fn a_film_has_the_pictures_of_the_run() {
    let folder = Folder::new();
    let run = "render droplets --size 96x64 --steps 25 --every 5 --engine cpu";
    folder.run(&words(&format!("{run} --out frames --film film.apng"))).succeeded();
    folder.run(&words(&format!("{run} --film film"))).succeeded();
    let (frames, steps) = frames_of(&folder.join("film.apng"));
    assert_eq!(steps, [0, 5, 10, 15, 20, 25]);
    for (index, (frame, step)) in frames.iter().zip(steps).enumerate() {
        let picture = decode(&folder.join(&format!("frames/picture-{step:06}.png")));
        assert!(*frame == picture.bytes, "frame {index} is not the picture of step {step}");
        let alone = decode(&folder.join(&format!("film/{index:08}.png")));
        assert!(*frame == alone.bytes && alone.texts["murmuration:step"] == step.to_string());
    }
    assert_eq!(folder.names().iter().filter(|name| name.starts_with("film/")).count(), 6);
}

#[test]
fn a_film_has_the_requested_width_and_every_step_by_default() {
    let folder = Folder::new();
    let run = folder.run(&words("render fog --size 96x64 --steps 4 --engine cpu --film fog.gif --width 300 --fps 10"));
    assert!(run.succeeded().out.contains("5 frames in fog.gif"));
    let bytes = std::fs::read(folder.join("fog.gif")).unwrap();
    assert_eq!((&bytes[..6], &bytes[6..10]), (&b"GIF89a"[..], &[44, 1, 200, 0][..]));
    let wide = folder.run(&words("render fog --size 96x64 --film fog.gif --width 769 --engine cpu"));
    assert_eq!(wide.status, Some(2));
    assert_eq!(wide.complaint(), "--width 769: the picture of this swarm is 768 pixels wide; ask for 768 at most");
    assert_eq!(folder.names(), BTreeSet::from(["fog.gif".to_owned()]));
}

#[test]
fn a_replay_is_filmed_as_it_was_played() {
    use murmuration_core::chain::Chain;
    use murmuration_core::engine::cpu;
    use murmuration_core::preset::{Overrides, Preset};
    use murmuration_core::simulation::{EngineChoice, Input, Simulation};
    let folder = Folder::new();
    let overrides = Overrides { size: Some((64, 48)), ..Overrides::default() };
    let preset = Preset::load(murmuration::host(), fixture("droplets"), &overrides).unwrap();
    let choice = EngineChoice::Cpu(cpu::Options::default());
    let mut hunt =
        Simulation::new(preset, &Chain::load(murmuration::host().as_ref(), "cell").unwrap(), choice).unwrap();
    let mut pictures = Vec::new();
    let see = |hunt: &mut Simulation| {
        let state = hunt.state().unwrap();
        murmuration::observe::glow(&state, &hunt.preset().world, &hunt.preset().look).bytes
    };
    pictures.push(see(&mut hunt));
    for step in 1..=12 {
        hunt.advance(1).unwrap();
        match step {
            4 => hunt.apply(Input::Stroke).unwrap(),
            5 => hunt.apply(Input::Spawn { at: [20, 20].into(), radius: 6, boids: 900 }).unwrap(),
            8 => hunt.apply(Input::Undo).unwrap(),
            _ => {}
        }
        pictures.push(see(&mut hunt));
    }
    murmuration::files::write_replay(&hunt.read(ReplayReading).unwrap(), &folder.join("hunt.json")).unwrap();
    folder.run(&words("replay hunt.json --engine cpu --film hunt.apng")).succeeded();
    let (frames, steps) = frames_of(&folder.join("hunt.apng"));
    // The undo goes back four steps, and the film continues.
    assert_eq!(steps, [0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7, 8]);
    assert!(frames == pictures, "the film shows something else");
    folder.run(&words("replay hunt.json --engine cpu --film hunt.apng --every 5")).succeeded();
    assert_eq!(frames_of(&folder.join("hunt.apng")).1, [0, 5, 6]);
}

#[test]
fn impossible_films_are_refused_before_the_first_step() {
    let folder = Folder::new();
    folder.write("full/mine", "mine");
    let names = folder.names();
    for (film, expected) in [
        ("--film film.avi", "--film film.avi: `.avi` is no ending of a film; use .apng, .gif, .mp4 or .webm,"),
        ("--film full", "--film full: the folder has something in it; name a new folder"),
        ("--film film.gif --fps 51", "--film film.gif: 51 frames a second; from 1 to 50 for this format"),
    ] {
        let run = folder.run(&words(&format!("render droplets --steps 1000000000 {film}")));
        assert_eq!(run.status, Some(2), "{run:?}");
        assert!(run.complaint().starts_with(expected), "{}", run.complaint());
        assert_eq!(folder.names(), names);
    }
    let run = folder.run(&words("render droplets --steps 1000000000 --film missing/film.gif"));
    assert_eq!(run.status, Some(1));
    assert!(run.complaint().starts_with("cannot begin the film missing/film.gif: "), "{}", run.complaint());
}

#[cfg(unix)]
#[test]
fn a_missing_ffmpeg_is_an_error_with_a_cure_and_a_present_one_gets_every_frame() {
    let folder = Folder::new();
    let line = "PATH=\"$PWD\" exec \"$@\"";
    let film = words("render droplets --size 64x64 --steps 3 --engine cpu --film film.mp4");
    let run = folder.shell(line, &film);
    assert_eq!(run.status, Some(2));
    assert!(run.complaint().contains("there is no ffmpeg on the PATH"), "{}", run.complaint());
    assert!(folder.names().is_empty());

    folder.write("ffmpeg", "#!/bin/sh\nfor last; do :; done\nPATH=/usr/bin:/bin exec cat >\"$last\"\n");
    folder.shell("chmod +x ffmpeg", &[]).succeeded();
    folder.shell(line, &film).succeeded();
    assert_eq!(std::fs::metadata(folder.join("film.mp4")).unwrap().len(), 4 * 3 * 512 * 512);
    assert_eq!(folder.names(), ["ffmpeg", "film.mp4"].map(String::from).into());
}

#[cfg(unix)]
#[test]
fn a_film_that_cannot_be_written_leaves_an_older_file_intact() {
    for film in ["film.apng", "film.gif"] {
        let folder = Folder::new();
        folder.write(film, "an older film");
        // The file size limit is 200 or 400 KiB, depending on the block size of the shell.
        let line = format!("render droplets --size 96x64 --steps 20 --engine cpu --film {film}");
        let run = folder.shell("ulimit -f 400 && exec \"$@\"", &words(&line));
        assert_eq!(run.status, Some(1), "{run:?}");
        assert!(run.complaint().starts_with(&format!("cannot write the film {film}: ")), "{}", run.complaint());
        assert_eq!(std::fs::read(folder.join(film)).unwrap(), b"an older film");
        assert_eq!(folder.names(), BTreeSet::from([film.to_owned()]));
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_film_is_complete() {
    for film in ["film.apng", "film"] {
        let folder = Folder::new();
        let line = format!("render simmer --size 128x96 --steps 1000000000 --every 3 --film {film} --metrics run.csv");
        let mut running = folder.start(&words(&line));
        // Waits for the temporary file. A frame has at most 1.3 MB.
        running.wait_until(|| {
            std::fs::read_dir(folder.path()).unwrap().map(Result::unwrap).any(|entry| {
                let grown = if entry.path().is_dir() { entry.path().join("00000003.png").exists() } else { false };
                grown || entry.metadata().is_ok_and(|there| there.is_file() && there.len() > 2_000_000)
            })
        });
        assert!(!folder.join(film).exists());
        running.signal("INT");
        let run = running.finish();
        assert_eq!(run.status, Some(130), "{run:?}");
        let steps: Vec<u64> = if film == "film" {
            let names: Vec<_> = folder.names().into_iter().filter(|name| name.starts_with("film/")).collect();
            names.iter().map(|name| decode(&folder.join(name)).texts["murmuration:step"].parse().unwrap()).collect()
        } else {
            frames_of(&folder.join(film)).1
        };
        assert!(steps.len() >= 2, "{steps:?}");
        assert_eq!(steps, (0..steps.len() as u64).map(|frame| 3 * frame).collect::<Vec<_>>());
        assert!(run.out.contains(&format!("{} frames in {film}", steps.len())), "{}", run.out);
        assert!(folder.names().iter().all(|name| !name.contains(".murmuration-")), "{:?}", folder.names());
    }
}

/// The end of a film whose encoder has stopped reading.
#[cfg(unix)]
#[test]
fn an_encoder_that_hangs_ends_with_the_program() {
    let sleeps = "echo $$ >pid\nexec sleep 1000";
    let keeps_the_pipe = "echo $$ >pid\nsleep 1000 <&0 &\necho $! >>pid\nwait";
    let never_ends = "echo $$ >pid\ncat >\"$last\"\nexec sleep 1000";
    // The encoder reads exactly the first frame.
    let stops = "echo $$ >pid\nhead -c 786432 >\"$last\"\nexec sleep 1000";
    for (what, has_steps) in [(sleeps, false), (keeps_the_pipe, false), (stops, false), (never_ends, true)] {
        let folder = Folder::new();
        folder.write("ffmpeg", format!("#!/bin/sh\nPATH=/usr/bin:/bin\nfor last; do :; done\n{what}\n"));
        folder.shell("chmod +x ffmpeg", &[]).succeeded();
        let steps = if has_steps { "1" } else { "1000000000" };
        let line =
            format!("render droplets --size 64x64 --steps {steps} --engine cpu --film film.mp4 --metrics run.csv");
        let kept = ["--checkpoint", "kept.checkpoint", "--out", "frames"];
        let mut running = folder.start_in_path(&[&words(&line)[..], &kept].concat());
        running.wait_until(|| std::fs::read_to_string(folder.join("pid")).is_ok_and(|pid| pid.ends_with('\n')));
        // After this time all frames are in the pipe, or the encoder has read them.
        std::thread::sleep(std::time::Duration::from_secs(1));
        let begun = std::time::Instant::now();
        running.signal("TERM");
        let run = running.finish();
        assert!(begun.elapsed().as_secs() < 20, "{what}: {:?}", begun.elapsed());
        assert_eq!(run.status, Some(1), "{run:?}");
        let said = run.err.lines().last().unwrap();
        assert!(said.starts_with("murmuration: cannot write the film film.mp4: "), "{said}");
        assert!(said.contains("ffmpeg did nothing for 5 s after the program was told to end, and was ended"), "{said}");
        assert!(said.contains("; the swarm of step ") && said.ends_with(" was saved to kept.checkpoint"), "{said}");
        for pid in std::fs::read_to_string(folder.join("pid")).unwrap().lines() {
            assert!(!Path::new("/proc").join(pid).join("exe").exists(), "{what}: {pid} lives");
        }
        let names: Vec<_> = folder.names().into_iter().filter(|name| !name.starts_with("frames/")).collect();
        assert_eq!(names, ["ffmpeg", "frames", "kept.checkpoint", "pid", "run.csv", "run.csv.json"], "{what}");
    }
}

/// An encoder that still reads, however slowly, completes the film.
#[cfg(unix)]
#[test]
fn a_slow_encoder_completes_an_interrupted_film() {
    let folder = Folder::new();
    let reads = "head -c 150000 >part\n[ -s part ] || break\ncat part >>\"$last\"\nsleep 2\ndone\nrm part\nsleep 1";
    folder.write("ffmpeg", format!("#!/bin/sh\nPATH=/usr/bin:/bin\nfor last; do :; done\nwhile :; do\n{reads}\n"));
    folder.shell("chmod +x ffmpeg", &[]).succeeded();
    let line = "render droplets --size 64x64 --steps 1000000000 --engine cpu --film film.mp4";
    let mut running = folder.start_in_path(&words(line));
    running.wait_until(|| folder.join("part").exists());
    running.signal("TERM");
    let run = running.finish();
    assert_eq!(run.status, Some(130), "{run:?}");
    assert!(run.took.as_secs() >= 6, "{:?}", run.took);
    let frame = 3 * 512 * 512;
    let length = std::fs::metadata(folder.join("film.mp4")).unwrap().len();
    assert!(length >= frame && length.is_multiple_of(frame), "{length}");
    assert_eq!(folder.names(), ["ffmpeg", "film.mp4"].map(String::from).into());
}
