use super::gallery::Gallery;
use super::verification::Verification;
use super::*;
use murmuration_core::engine::cpu::Options;
use murmuration_core::simulation::replay::ReplayReading;
use murmuration_core::simulation::{EngineChoice, Input, Simulation};

const CPU: EngineChoice = EngineChoice::Cpu(Options { threads: Some(1), instruction_set: None });

/// A run of the preset `droplets`, with an optional input before its last step.
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
    assert!(verification.is_same() && verification.change.is_none(), "{verification}");
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
    assert!(!verification.is_same() && verification.change.is_none());
    assert!(verification.to_string().starts_with("wrong: step 3 "), "{verification}");
    let mut other = wrong.clone();
    other.effective = Some("0".repeat(16));
    let verification = Verification::of_link(&other, CPU).unwrap().unwrap();
    assert!(verification.to_string().starts_with("changed, or of another version of the preset: "), "{verification}");
    // The seed in the link is changed, and the other keys stay.
    let edited = Link::parse(&text.replace("seed=7", "seed=8")).unwrap();
    let verification = Verification::of_link(&edited, CPU).unwrap().unwrap();
    assert!(verification.to_string().starts_with("changed, or of another version of the preset: "), "{verification}");
}

/// A replay that ends in another state says whether it was changed, and which version of the program recorded it.
#[test]
fn a_replay_that_ends_otherwise_says_why() {
    let replay = run(4, &[], Some(Input::Jaws(0)));
    assert_eq!(Verification::of_replay(&replay, CPU).unwrap().change, None);
    let mut changed = (*replay).clone();
    changed.preset.overrides.seed = Some(8);
    let verification = Verification::of_replay(&changed, CPU).unwrap();
    assert!(verification.to_string().starts_with("changed, or of another version of the preset: "), "{verification}");
    let text = serde_json::to_string(&changed).unwrap();
    let older = text.replace(concat!(r#""program":""#, env!("CARGO_PKG_VERSION")), r#""program":"0.0.7"#);
    let verification = Verification::of_replay(&Replay::from_json("older", &older).unwrap(), CPU).unwrap();
    assert!(verification.to_string().starts_with("recorded by version 0.0.7 of the program"), "{verification}");
    // Replays without the keys `program` and `effective` are played too.
    let mut silent = serde_json::to_value(&*replay).unwrap();
    let object = silent.as_object_mut().unwrap();
    assert!(object.remove("program").is_some() && object.remove("effective").is_some());
    let silent = Replay::from_json("silent", &silent.to_string()).unwrap();
    assert!(Verification::of_replay(&silent, CPU).unwrap().is_same());
}

/// Messengers, mails and sentences change the text of a link.
#[test]
fn a_link_plays_as_it_arrives_or_says_that_it_was_changed() {
    let text = Link::from_replay(crate::host(), run(3, &[], None)).unwrap().write().unwrap();
    let link = Link::parse(&text).unwrap();
    let plain = &text[1..];
    for arrived in [
        format!("  {text}\n"),
        format!("{text}."),
        format!("({text})")[1..].to_owned(),
        format!("https://example.org/page%23{plain}"),
        format!("example.org/page#{plain}"),
        format!("example.org/page%23{plain}).\n"),
        format!("https://example.org/page?x=1#{plain}»"),
    ] {
        assert!(Link::is_link(&arrived), "{arrived}");
        assert_eq!(Link::parse(&arrived).unwrap(), link, "{arrived}");
    }
    let said = problem(&format!("{text}&fbclid=IwAR0"));
    assert!(said.contains("fbclid: is not known; the link was changed: take `fbclid` away"), "{said}");
    let replay = Link::from_replay(crate::host(), run(3, &[], Some(Input::Jaws(0)))).unwrap().write().unwrap();
    assert_eq!(Link::parse(&format!("{replay}, ")).unwrap(), Link::parse(&replay).unwrap());
    for whole in ["#preset=droplets&set=world.size=[64,64]", "#preset=droplets&set=start.headings=\"random\""] {
        let LinkedRun::Preset { overrides, .. } = Link::parse(whole).unwrap().run else { panic!("{whole}") };
        assert_eq!(overrides.set, [whole.split_once("&set=").unwrap().1]);
        assert_eq!(Link::parse(&format!("({whole}).")[1..]).unwrap(), Link::parse(whole).unwrap());
    }
    let address = "https://example.org/page#preset=fog&seed=4";
    for arrived in [address.into(), address.replace('#', "%23") + ").", address.replace("https://", " ")] {
        assert_eq!(Link::address(&arrived).unwrap(), address);
    }
    assert_eq!(Link::address("#preset=fog"), None);
    for file in ["runs/a#1.json", "sheet%23.toml", "replay.json"] {
        assert!(!Link::is_link(file), "{file}");
    }
}

/// The page asks before it plays a link that takes more than 30 s or 512 MiB. No unchanged preset takes that much.
#[test]
fn a_large_link_tells_its_memory_and_its_seconds() {
    let cost = |text: &str| {
        let link = Link::parse(text).unwrap();
        let (preset, _) = link.load().unwrap();
        link.cost(&preset, murmuration_core::world::memory::WINDOW)
    };
    let large = cost("#preset=droplets&size=4096x4096");
    assert!(large.memory > 1 << 29, "{large:?}");
    let hash = "a".repeat(64);
    let long = cost(&format!("#preset=droplets&size=64x64&steps=1000000&hash={hash}"));
    assert!(long.memory < 1 << 25 && long.seconds > 30.0, "{long:?}");
    for (name, _) in crate::presets() {
        let own = cost(&format!("#preset={name}"));
        assert!(own.memory < 1 << 29 && own.seconds < 30.0, "{name}: {own:?}");
    }
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
        (format!("#preset={}", "x".repeat(MAX_LINK_BYTES)), "a link has at most"),
        (format!("{}#preset=x", "y".repeat(3 * MAX_LINK_BYTES)), "a link has at most"),
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
    (0..(2 * MAX_REPLAY_BYTES) >> 16).for_each(|_| std::io::Write::write_all(&mut deflated, &block).unwrap());
    let text = URL_SAFE_NO_PAD.encode(deflated.finish().unwrap());
    assert!(text.len() < MAX_LINK_BYTES);
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
            // A changed digit of a hash gives another valid hash. The zlib checksum finds all other changes.
            Ok(_) => assert!(index > text.find("&of=").unwrap(), "{index}"),
        }
        // A link may end before `of`.
        assert!(text[index..].starts_with("&of=") || Link::parse(&text[..index]).is_err(), "cut at {index}");
    }
    assert!(refused > 50, "{refused}");
}

#[test]
fn a_gallery_has_runs_with_their_presets_and_verifies_them() {
    let replay = run(5, &[], None);
    let text = crate::host().library().preset("droplets").unwrap();
    let gallery = format!(
        "[[run]]\ntitle = \"Droplets\"\nline = \"They meet.\"\nname = \"droplets\"\nsize = \"48x32\"\nseed = 7\n\
         steps = 5\nhash = \"{}\"\npreset = '''\n{text}'''\n",
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
