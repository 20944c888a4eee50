//! Arguments that are not UTF-8: paths are used, and all other arguments are refused with a message.

use crate::support::command::{Finished, Folder, repository};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

const PRESET: &str = "description = \"x\"\nchain = \"wind.toml\"\n[world]\nsize = [24, 16]\n\
    solid = [{ mask = \"mask.png\" }]\n\
    [start]\nboids = 50\n[sight]\ncohesion.disc = 1\nseparation.disc = 1\nalignment.disc = 1\n";
const CHAIN: &str = "description = \"x\"\nextends = \"cell-fast\"\n[[rule]]\nkernel = \"wind.wgsl\"\nweight = 0.0\n";

fn os(bytes: &[u8]) -> OsString {
    OsStr::from_bytes(bytes).to_owned()
}

/// A folder with a folder `my\xffown`. That contains a preset `p\xfe.toml`, and a chain, a kernel and a mask.
fn folder() -> (Folder, PathBuf) {
    let folder = Folder::new();
    let own = folder.path().join(os(b"my\xffown"));
    std::fs::create_dir(&own).unwrap();
    image::GrayImage::from_fn(24, 16, |x, _| image::Luma([if x == 3 { 255 } else { 0 }]))
        .save_with_format(own.join("mask.png"), image::ImageFormat::Png)
        .unwrap();
    std::fs::copy(repository().join("examples/wind/wind.wgsl"), own.join("wind.wgsl")).unwrap();
    for (name, text) in [(&b"p\xfe.toml"[..], PRESET), (b"wind.toml", CHAIN), (b"c\xfe.toml", CHAIN)] {
        std::fs::write(own.join(os(name)), text).unwrap();
    }
    (folder, own)
}

/// Runs the program. Each `%` in the line is replaced by one of the byte strings.
fn run(folder: &Folder, line: &str, bytes: &[&[u8]]) -> Finished {
    let mut bytes = bytes.iter();
    let word = |word: &str| match word.split_once('%') {
        Some((before, after)) => {
            let bytes = bytes.next().unwrap();
            os(&[before.as_bytes(), bytes, after.as_bytes()].concat())
        }
        None => word.into(),
    };
    folder.run(&line.split_whitespace().map(word).collect::<Vec<_>>())
}

const OWN: &[u8] = b"my\xffown/p\xfe.toml";

#[test]
fn presets_chains_and_kernels_open_whatever_their_paths() {
    let (folder, own) = folder();
    for file in [OWN, b"my\xffown/c\xfe.toml", b"my\xffown/wind.wgsl"] {
        let checked = run(&folder, "check %", &[file]).succeeded();
        assert_eq!(checked.out.matches('\u{fffd}').count(), if file.ends_with(b"wgsl") { 1 } else { 2 }, "{checked:?}");
    }
    let missing = run(&folder, "check %", &[b"bad\xff.toml"]);
    let says = "bad\u{fffd}.toml: cannot be read: No such file or directory (os error 2); name a text file";
    assert!(missing.status == Some(2) && missing.complaint().starts_with(says), "{missing:?}");
    std::fs::write(own.join(os(b"\xff.toml")), "seed = x\n").unwrap();
    let wrong = run(&folder, "check %", &[b"my\xffown/\xff.toml"]);
    assert!(wrong.complaint().starts_with("my\u{fffd}own/\u{fffd}.toml:1: "), "{wrong:?}");
    let json = run(&folder, "check % --json", &[b"my\xffown/\xff.toml"]).object();
    assert_eq!((&json[0]["file"], &json[0]["ok"]), (&"my\u{fffd}own/\u{fffd}.toml".into(), &false.into()));
    let unknown = run(&folder, "render %", &[b"dropl\xffts"]);
    assert!(unknown.complaint().starts_with("dropl\u{fffd}ts: there is no preset of this name"), "{unknown:?}");
    let unknown = run(&folder, "render fog --chain %", &[b"c\xffll"]);
    assert!(unknown.complaint().starts_with("c\u{fffd}ll: no chain has this name"), "{unknown:?}");
}

/// A run with a preset, a chain and a look, all its output files, and a checkpoint that needs none of the input files.
#[test]
fn a_run_reads_and_writes_whatever_the_paths() {
    let (folder, own) = folder();
    let render = "render % --engine cpu --json";
    let first = run(&folder, &format!("{render} --steps 6"), &[OWN]).succeeded().object();
    let chosen = run(&folder, &format!("{render} --steps 6 --chain %"), &[OWN, b"my\xffown/c\xfe.toml"]).succeeded();
    assert_eq!(chosen.object()["state_hash"], first["state_hash"]);
    let outputs = "--steps 4 --out % --frames npy --film % --metrics % --checkpoint %";
    let names: [&[u8]; 4] = [b"out\xff", b"film\xff.gif", b"run\xff.csv", b"kept\xff"];
    run(&folder, &format!("{render} {outputs}"), &[&[OWN][..], &names].concat()).succeeded();
    assert!(names.iter().all(|name| folder.path().join(os(name)).exists()));
    let other = Folder::new();
    std::fs::rename(folder.path().join(os(names[3])), other.path().join(os(names[3]))).unwrap();
    std::fs::remove_dir_all(&own).unwrap();
    let resume = "render --resume % --steps 2 --engine cpu --json --checkpoint again";
    let resumed = run(&other, resume, &[names[3]]).succeeded().object();
    assert_eq!((&resumed["state_hash"], &resumed["chain"]), (&first["state_hash"], &"wind".into()));
    // The path in the checkpoint is unchanged.
    let again = run(&other, "render --resume again --steps 0 --json --engine cpu", &[]).succeeded().object();
    assert_eq!(again["state_hash"], first["state_hash"]);
    let text = std::fs::read(other.join("again")).unwrap();
    let encoded = b"\"origin\":\"base64:bXn/b3duL3D+LnRvbWw=\"";
    assert!(text.windows(encoded.len()).any(|part| part == encoded));
}

#[test]
fn other_commands_take_such_paths_too() {
    let (folder, own) = folder();
    std::fs::write(own.join(os(b"p\xfe.toml")), PRESET.replace("chain = \"wind.toml\"\n", "")).unwrap();
    run(&folder, "compare % --steps 2 --engine cpu --out %", &[OWN, b"report\xff"]).succeeded();
    let report = std::fs::read_to_string(folder.path().join(os(b"report\xff/index.html"))).unwrap();
    assert!(
        report.contains(r"murmuration compare $'my\xffown/p\xfe.toml' --steps 2"),
        "the report has another command"
    );
    let look = "description = \"x\"\nmodel = \"look\"\n";
    std::fs::write(own.join(os(b"l\xfe.toml")), look).unwrap();
    let wrong = run(&folder, "render fog --steps 0 --look %", &[b"my\xffown/l\xfe.toml"]);
    assert!(wrong.complaint().starts_with("my\u{fffd}own/l\u{fffd}.toml: a chain without passes"), "{wrong:?}");
    let missing = run(&folder, "replay %", &[b"hunt\xff.json"]);
    assert!(missing.complaint().starts_with("hunt\u{fffd}.json: cannot be read"), "{missing:?}");
    let missing = run(&folder, "bench --chain %,cell", &[b"c\xff.toml"]);
    assert!(missing.complaint().starts_with("c\u{fffd}.toml: cannot be read"), "{missing:?}");
    let nowhere = run(&folder, "view %", &[b"p\xff.toml"]);
    assert!(nowhere.status.is_some_and(|status| status > 0) && !nowhere.err.contains("panicked"), "{nowhere:?}");
}

#[test]
fn what_is_no_path_is_named() {
    let (folder, _) = folder();
    let cure = "is not UTF-8; paths of files may have any bytes; all else is text";
    let render = "--size --seed --set --steps --every --frames --dispatch --threads --fps --width --link \
        --lineage-nodes --engine";
    let bench = "--model --size --sight --engine --threads --search --agents";
    for (command, options) in [
        ("render fog --out % --film % --lineage x.nwk", render),
        ("compare % --out %", "--size --seed --set --steps --every --grain --occupied --dispatch --threads --engine"),
        ("replay % --film %", "--every --memory --dispatch --threads --fps --width"),
        ("view % --chain %", "--size --seed --set --dispatch --threads"),
        ("bench --chain % --out %", bench),
    ] {
        for option in options.split(' ') {
            for form in [format!("{option} 1%2"), format!("{option}=1%2")] {
                let run = run(&folder, &format!("{command} {form}"), &[OWN, b"x\xfe", b"\xff"]);
                assert_eq!(run.status, Some(2), "{command}: {run:?}");
                if run.err.starts_with("error: invalid value") {
                    assert!(run.err.contains(option), "{command}: {run:?}");
                    continue;
                }
                assert_eq!(run.complaint(), format!("{}: {cure}", form.replace('%', r"\xff")), "{command}");
            }
        }
    }
    let both = run(&folder, "render fog --set 1%2 --out % --seed %", &[b"\xff", b"out\xff", b"\xfe"]);
    assert_eq!(both.complaint(), format!(r"--seed \xfe: {cure}"));
    for (line, says) in [("rend%", "rend\u{fffd}"), ("render fog --fra%", "--fra\u{fffd}"), ("presets %", "\u{fffd}")] {
        let run = run(&folder, line, &[b"\xff"]);
        assert!(run.status == Some(2) && run.err.contains(says) && !run.err.contains("panicked"), "{run:?}");
    }
    assert!(!folder.path().join(os(b"out\xff")).exists());
}
