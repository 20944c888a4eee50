use super::gallery::Gallery;
use super::verification::Verification;
use super::*;
use murmuration_core::engine::cpu::Options;
use murmuration_core::simulation::replay::ReplayReading;
use murmuration_core::simulation::{EngineChoice, Input, Simulation};

const CPU: EngineChoice = EngineChoice::Cpu(Options { threads: Some(1), instruction_set: None });

/// A run of droplets after these steps, and what was set before the last of them.
fn run(steps: u64, set: &[&str], under_way: Option<Input>) -> Arc<Replay> {
    let set = set.iter().map(|set| (*set).to_owned()).collect();
    let overrides = Overrides { size: Some((48, 32)), seed: Some(7), set, ..Overrides::default() };
    let preset = Preset::load(crate::host(), "droplets", &overrides).unwrap();
    let chain = preset.load_chain(None).unwrap();
    let mut simulation = Simulation::new(preset, &chain, CPU).unwrap();
    simulation.advance(steps - 1).unwrap();
    under_way.into_iter().for_each(|input| simulation.apply(input).unwrap());
    simulation.advance(1).unwrap();
    Arc::new(simulation.read(ReplayReading).unwrap())
}

fn problem(text: &str) -> String {
    Link::parse(text).unwrap_err().to_string()
}

#[test]
fn a_run_of_a_built_in_preset_is_named_and_verifies() {
    let replay = run(9, &["weights.cohesion=0.8"], None);
    let link = Link::from_replay(crate::host(), replay.clone()).unwrap();
    let text = link.write().unwrap();
    assert!(text.starts_with("#preset=droplets&size=48x32&seed=7&set=weights.cohesion%3D0.8&steps=9&hash="), "{text}");
    assert_eq!(Link::parse(&text).unwrap(), link);
    assert_eq!(Link::parse(&format!("https://example.org/page?x=1{text}")).unwrap(), link);
    assert_eq!(link.end(), Some((9, &*replay.state_hash)));
    let verification = Verification::of_link(&link, CPU).unwrap().unwrap();
    assert!(verification.is_same() && !verification.is_of_another_version, "{verification}");
    assert!(verification.to_string().contains(&replay.state_hash), "{verification}");
}

#[test]
fn a_hunt_is_carried_whole() {
    let set = Input::Set { key: "movement.keep".into(), value: "0.5".into() };
    let replay = run(6, &[], Some(set));
    let link = Link::from_replay(crate::host(), replay.clone()).unwrap();
    let text = link.write().unwrap();
    assert!(text.starts_with("#replay=") && text.len() < 4000, "{} bytes", text.len());
    let read = Link::parse(&text).unwrap();
    assert_eq!(read.run, LinkedRun::Replay(replay));
    assert!(Verification::of_link(&read, CPU).unwrap().unwrap().is_same());
}

#[test]
fn a_wrong_hash_and_another_version_are_told_apart() {
    let text = Link::from_replay(crate::host(), run(3, &[], None)).unwrap().write().unwrap();
    let hash = text.split("hash=").nth(1).unwrap()[..64].to_owned();
    let wrong = Link::parse(&text.replace(&hash, &"0".repeat(64))).unwrap();
    let verification = Verification::of_link(&wrong, CPU).unwrap().unwrap();
    assert!(!verification.is_same() && !verification.is_of_another_version);
    assert!(verification.to_string().starts_with("wrong: step 3 "), "{verification}");
    let mut other = wrong.clone();
    other.effective = Some("0".repeat(16));
    let verification = Verification::of_link(&other, CPU).unwrap().unwrap();
    assert!(verification.to_string().starts_with("this link is of another version of the preset"), "{verification}");
}

#[test]
fn every_wrong_link_says_what_is_wrong() {
    let hash = "a".repeat(64);
    let wrong = [
        ("droplets".into(), "has no `#`"),
        ("#".into(), "names neither a preset nor a replay"),
        ("#preset=".into(), ""),
        ("#preset=a/b.toml".into(), "is a path"),
        ("#preset=droplets.toml".into(), "is a path"),
        ("#preset=http:x".into(), "is a path or an address"),
        ("#preset=droplets&chain=../cell.toml".into(), "is a path"),
        ("#preset=droplets&preset=fog".into(), "stands twice"),
        ("#preset=droplets&colour=red".into(), "colour: is not known"),
        ("#preset=droplets&size=12".into(), "size:"),
        ("#preset=droplets&size=axb".into(), "is not a number of cells"),
        ("#preset=droplets&seed=-1".into(), "is not a whole number"),
        ("#preset=droplets&seed=9223372036854775808".into(), "is not a whole number"),
        ("#preset=droplets&steps=1e3".into(), "is not a whole number"),
        ("#preset=droplets&individuals=yes".into(), "write true"),
        (format!("#preset=droplets&hash={hash}"), "without steps"),
        (format!("#preset=droplets&steps=1&hash={}", &hash[1..]), "is no hash"),
        (format!("#preset=droplets&steps=1&hash={}", hash.to_uppercase()), "is no hash"),
        ("#preset=droplets&of=12".into(), "is no hash"),
        ("#replay=*".into(), "replay:"),
        ("#replay=AAAA".into(), "is damaged"),
        ("#preset=droplets&replay=AAAA".into(), "is damaged"),
        (format!("#preset={}", "x".repeat(LONGEST)), "a link has at most"),
        (format!("{}#preset=x", "y".repeat(3 * LONGEST)), "a link has at most"),
    ];
    for (text, expected) in wrong {
        if expected.is_empty() {
            assert!(Link::parse(&text).unwrap().load().is_err(), "{text}");
        } else {
            assert!(problem(&text).contains(expected), "{}: {}", &text[..text.len().min(60)], problem(&text));
        }
    }
}

#[test]
fn a_link_reads_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let mask = folder.path().join("mask.png");
    std::fs::write(&mask, [0; 8]).unwrap();
    let set = format!("world.solid=[{{ mask = \"{}\" }}]", mask.display());
    let link = Link::from_preset("droplets");
    let LinkedRun::Preset { overrides, .. } = &link.run else { panic!() };
    let overrides = Overrides { set: vec![set], ..overrides.clone() };
    let run = LinkedRun::Preset { preset: "droplets".into(), overrides, chain: None, steps: Some(1), hash: None };
    let text = Link { run, effective: None }.write().unwrap();
    let said = Link::parse(&text).unwrap().load().map(drop).unwrap_err().to_string();
    assert!(said.contains("there are no files here"), "{said}");
}

#[test]
fn a_replay_that_inflates_without_end_is_refused() {
    let mut deflated = ZlibEncoder::new(Vec::new(), Compression::best());
    let block = [b' '; 1 << 16];
    (0..(2 * LONGEST_REPLAY) >> 16).for_each(|_| std::io::Write::write_all(&mut deflated, &block).unwrap());
    let text = URL_SAFE_NO_PAD.encode(deflated.finish().unwrap());
    assert!(text.len() < LONGEST);
    assert!(problem(&format!("#replay={text}")).contains("is longer than"));
}

#[test]
fn damaged_links_give_one_message_each_and_none_of_them_plays_something_else() {
    let text = Link::from_replay(crate::host(), run(4, &[], Some(Input::Jaws(0)))).unwrap().write().unwrap();
    let mut refused = 0;
    for index in (8..text.len()).step_by(text.len() / 60) {
        let mut damaged = text.clone().into_bytes();
        damaged[index] = if damaged[index] == b'A' { b'B' } else { b'A' };
        let damaged = String::from_utf8(damaged).unwrap();
        match Link::parse(&damaged) {
            Err(wrong) => {
                assert!(!wrong.to_string().contains('\n'), "{wrong}");
                refused += 1;
            }
            // The digits of hashes can be other digits, and zlib's checksum finds all else.
            Ok(_) => assert!(index > text.find("&of=").unwrap(), "{index}"),
        }
        // Before `of` a link may end.
        assert!(text[index..].starts_with("&of=") || Link::parse(&text[..index]).is_err(), "cut at {index}");
    }
    assert!(refused > 50, "{refused}");
}

#[test]
fn a_gallery_has_runs_with_their_presets_and_verifies_them() {
    let replay = run(5, &[], None);
    let text = crate::host().library().preset("droplets").unwrap();
    let gallery = format!(
        "[[run]]\ntitle = \"Droplets\"\nline = \"They meet.\"\nname = \"droplets\"\nsize = \"48x32\"\nseed = 7\nsteps = 5\n\
         hash = \"{}\"\npreset = '''\n{text}'''\n",
        replay.state_hash
    );
    assert!(Gallery::is_gallery(&gallery) && !Gallery::is_gallery(text));
    let read = Gallery::parse("gallery.toml", &gallery).unwrap();
    assert!(read.run[0].verify(CPU).unwrap().is_same());
    let wrong = gallery.replace("steps = 5", "steps = 6");
    assert!(!Gallery::parse("gallery.toml", &wrong).unwrap().run[0].verify(CPU).unwrap().is_same());
    let wrong = gallery.replace("seed = 7", "sead = 7");
    let said = Gallery::parse("gallery.toml", &wrong).unwrap_err().to_string();
    assert!(said.contains("gallery.toml:") && said.contains("sead"), "{said}");
}
