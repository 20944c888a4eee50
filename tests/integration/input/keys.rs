//! The table of preset keys: the reference preset agrees with it, and a change costs what the table says.

use crate::support::adapter;
use crate::support::command::{fixture, repository};
use crate::support::size;
use murmuration::host;
use murmuration_core::chain::Chain;
use murmuration_core::engine::Dispatch;
use murmuration_core::engine::cpu;
use murmuration_core::individuals::find::IndividualQuery;
use murmuration_core::preset::keys::{Cost, KEYS, Key, Kind, Value};
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::probe::IndividualProbeReading;
use murmuration_core::simulation::{EngineChoice, Input, Pointer, Simulation};
use murmuration_core::world::Mood;

/// The column of comments in the reference, and the maximum length of a line.
const COLUMN: usize = 38;
const MAX_LINE: usize = 120;

/// The key of a line `name = value  # comment`, and the end of the value.
fn key_of(line: &str) -> Option<(&str, usize)> {
    let (name, _) = line.split_once(" = ")?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let mut is_quoted = false;
    let end = line.char_indices().find(|(_, c)| {
        is_quoted ^= *c == '"';
        *c == '#' && !is_quoted
    });
    is_name.then(|| (name, line[..end.map_or(line.len(), |(end, _)| end)].trim_end().len()))
}

/// Whether a key belongs to individuals.
fn is_of_individuals(row: &Key) -> bool {
    row.needs.is_some_and(|needs| needs.decider == "agents.rules" || needs.words == ["agents"])
}

/// The comment for a key, from the table.
fn comment(row: &Key) -> String {
    let condition = match row.needs {
        Some(needs) if ["model", "lives.rebirth"].contains(&needs.decider) => String::new(),
        Some(needs) if needs.words == ["even", "patches"] => String::new(),
        Some(needs) => format!("{}: ", needs.words.join(", ")),
        None => String::new(),
    };
    match row.facts().as_str() {
        "" => condition + row.doc,
        facts => format!("{condition}{} ({facts})", row.doc),
    }
}

/// The reference with the comments of the table, and the keys that occur in it.
fn reference(text: &str) -> (String, Vec<&'static Key>) {
    let (mut lines, mut shown, mut table, mut among_individuals) =
        (Vec::new(), Vec::<&'static Key>::new(), String::new(), false);
    for line in text.lines() {
        let (before, rest) = line.strip_prefix("# ").map_or(("", line), |rest| ("# ", rest));
        if rest.trim_start().starts_with('#') && rest.len() - rest.trim_start().len() + 2 >= COLUMN - 4 {
            continue;
        }
        if rest.starts_with('[') && rest.ends_with(']') {
            table = format!("{}.", rest.trim_matches(['[', ']']))
                .replace("solid.", "solid[0].")
                .replace("shape.", "shape[0].");
            among_individuals = !before.is_empty() && (among_individuals || table == "agents.");
        }
        let Some((name, end)) = key_of(rest) else {
            lines.push(line.to_owned());
            continue;
        };
        let key = format!("{table}{name}");
        let rows: Vec<&'static Key> = KEYS.iter().copied().filter(|row| row.lies_in(&key)).collect();
        let own = rows.iter().any(|row| is_of_individuals(row) == among_individuals);
        let rows = rows.into_iter().filter(|row| !own || is_of_individuals(row) == among_individuals);
        let rows: Vec<&'static Key> =
            rows.filter(|row| !shown.iter().any(|other| std::ptr::eq(*other, *row))).collect();
        let parts = rows.iter().map(|row| {
            let name = row
                .path
                .rsplit('.')
                .next()
                .filter(|_| !row.matches(&key))
                .map_or(String::new(), |name| format!("{name}: "));
            name + &comment(row)
        });
        let words = parts.collect::<Vec<_>>().join(". ");
        let mut line = format!("{before}{}", &rest[..end]);
        let mut begins = true;
        for word in words.split(' ').filter(|word| !word.is_empty()) {
            if begins || line.chars().count() + word.chars().count() + 1 > MAX_LINE {
                if !begins {
                    lines.push(std::mem::replace(&mut line, before.trim_end().to_owned()));
                }
                let room = COLUMN.saturating_sub(line.chars().count()).max(1);
                line += &format!("{}#", " ".repeat(room));
                begins = false;
            }
            line += &format!(" {word}");
        }
        lines.push(line);
        shown.extend(rows);
    }
    (lines.join("\n") + "\n", shown)
}

#[test]
fn the_reference_is_what_the_table_says() {
    let text = host().library().preset("reference").unwrap();
    let (expected, shown) = reference(text);
    let missing: Vec<&str> =
        KEYS.iter().filter(|row| !shown.iter().any(|other| std::ptr::eq(*other, **row))).map(|row| row.path).collect();
    assert_eq!(missing, Vec::<&str>::new(), "the reference lacks these keys");
    if std::env::var_os("MURMURATION_BLESS").is_some() {
        std::fs::write(repository().join("presets/reference.toml"), &expected).unwrap();
    } else if let Some((line, (is, said))) =
        text.lines().zip(expected.lines()).enumerate().find(|(_, (is, said))| is != said)
    {
        panic!("presets/reference.toml:{}: is\n{is}\nand not\n{said}\nMURMURATION_BLESS=1 writes it anew", line + 1);
    }
}

const COMPUTE: EngineChoice = EngineChoice::Gpu(Dispatch::Compute { workgroup: [64, 1] });
const FRAGMENT: EngineChoice = EngineChoice::Gpu(Dispatch::Fragment);
const PROCESSOR: EngineChoice = EngineChoice::Cpu(cpu::Options { threads: Some(2), instruction_set: None });

fn begin(name: &str, choice: EngineChoice) -> Simulation {
    let overrides = Overrides { size: Some((97, 61)), ..Overrides::default() };
    let preset = Preset::load(host(), name, &overrides).unwrap_or_else(|failure| panic!("{failure}"));
    let chain = preset.load_chain(None).unwrap();
    Simulation::new(preset, &chain, choice).unwrap_or_else(|failure| panic!("{failure}"))
}

fn set(simulation: &mut Simulation, key: &str, value: &str) -> Result<(), String> {
    let input = Input::Set { key: key.into(), value: value.into() };
    simulation.apply(input).map_err(|failure| failure.to_string())
}

/// Another value near the present one that changes no pass of the plan.
fn another(row: &Key, value: &Value) -> Option<String> {
    match (value, row.kind) {
        (Value::Number(0.0), _) => None,
        (Value::Number(number), Kind::Whole(least, _)) if *number > least as f64 + 1.0 => {
            Some((number - 1.0).to_string())
        }
        (Value::Number(number), Kind::Whole(..)) => Some((number + 1.0).to_string()),
        (Value::Number(number), _) => Some((number * 0.875).to_string()),
        (Value::Word(word), Kind::Choice(words)) => {
            words.iter().find(|other| *other != word).map(|word| word.to_string())
        }
        (Value::Word(word), _) => Some(if *word == "8" { "4" } else { "8" }.into()),
        (Value::Switch(on), _) => Some((!on).to_string()),
    }
}

#[test]
fn a_change_costs_what_the_table_says() {
    let mut tried = [0; 3];
    for name in ["reference", "droplets", "simmer", "lagoon", "flock", "school", "feeding", "chase"] {
        let mut simulation = begin(name, PROCESSOR);
        let weights: Vec<(String, i32)> = simulation.preset().rules.weights.clone().into_iter().collect();
        for (key, value) in simulation.preset().values(&weights) {
            let row = KEYS.rows(&key).next().unwrap();
            let Some(other) = another(row, &value) else { continue };
            // Some values contradict other values of the preset, so the preset refuses them.
            if simulation.preset().with(&format!("{key}={other}")).is_err() {
                continue;
            }
            simulation.advance(1).unwrap();
            let [engines, plans] = simulation.preparations();
            let done = set(&mut simulation, &key, &other);
            let [engines_then, plans_then] = simulation.preparations();
            assert_eq!(engines_then, engines, "{name}: {key}={other} made an engine");
            match row.cost {
                // The unit of individuals' velocities in sums depends on the maximum speed, so this change may need
                // another plan.
                Cost::Nothing if key == "movement.max" => assert!(done.is_ok() && plans_then <= plans + 1, "{name}"),
                Cost::Nothing => assert_eq!((done, plans_then), (Ok(()), plans), "{name}: {key}={other}"),
                Cost::Passes => {
                    assert_eq!(done, Ok(()), "{name}: {key}={other}");
                    // Some keys have no effect on some individuals, such as rays on those that see no rock.
                    let is_without = plans_then == plans && simulation.preset().individuals.is_some();
                    assert!(is_without || plans_then == plans + 1, "{name}: {key}={other}");
                }
                Cost::Restart => assert!(done.unwrap_err().contains("matters only at the start"), "{name}: {key}"),
            }
            tried[row.cost as usize] += 1;
            if row.cost != Cost::Restart {
                // Another value may make other keys ineffective, such as a torus for the margin.
                set(&mut simulation, &key, &value.to_string()).unwrap();
            }
        }
        simulation.advance(5).unwrap();
        assert_eq!(simulation.account().unwrap().lost, 0, "{name}");
    }
    assert!(tried.iter().all(|tried| *tried > 8), "{tried:?}");
}

/// Plays changes on an engine that keeps running, and on a new engine for each change. Both have equal bits, and a
/// change does not alter the swarm. Returns the hash of the swarm.
fn change_and_compare(name: &str, choice: EngineChoice, changes: &[(&str, &str)]) -> String {
    let (mut kept, mut made) = (begin(name, choice), begin(name, choice));
    let has_lives = kept.preset().individuals.as_ref().is_some_and(|individuals| individuals.first().lives.is_some());
    for simulation in [&mut kept, &mut made] {
        if has_lives {
            simulation.record_lineage().unwrap();
            // A hunter in the middle kills in every step.
            let pointer = Pointer { place: [48 * 16, 30 * 16].into(), reach: 40, mood: Mood::Follow, weight: 2048 };
            simulation.apply(Input::Hunter(Some(pointer))).unwrap();
            simulation.apply(Input::Jaws(4)).unwrap();
        }
        // The engine makes the bind groups of readings now, so that they refer to the buffers before the changes.
        simulation.show().unwrap();
        measures(simulation);
    }
    let mut last_change = 0;
    for (key, value) in changes {
        for simulation in [&mut kept, &mut made] {
            simulation.advance(3).unwrap();
            if simulation.step() == 6 {
                simulation.apply(Input::Solid { at: [20, 30].into(), radius: 5, solid: true }).unwrap();
            }
        }
        let before = (kept.state_hash().unwrap(), kept.account().unwrap());
        for simulation in [&mut kept, &mut made] {
            set(simulation, key, value).unwrap_or_else(|wrong| panic!("{name}, {key}={value}: {wrong}"));
        }
        let after = (kept.state_hash().unwrap(), kept.account().unwrap());
        assert_eq!(after, before, "{name}, {choice:?}: {key}={value} changes the swarm");
        made.switch(choice).unwrap();
        last_change = kept.step();
    }
    for simulation in [&mut kept, &mut made] {
        simulation.advance(9).unwrap();
        simulation.show().unwrap();
    }
    assert_eq!(kept.account().unwrap(), made.account().unwrap(), "{name}, {choice:?}");
    assert_eq!(kept.state().unwrap(), made.state().unwrap(), "{name}, {choice:?}");
    assert_eq!(measures(&mut kept), measures(&mut made), "{name}, {choice:?}");
    if has_lives {
        for simulation in [&mut kept, &mut made] {
            simulation.update_lineage().unwrap();
        }
        let lineage = kept.lineage().unwrap();
        let ends_after = lineage.lives().filter(|life| life.died.is_some_and(|(step, _)| step > last_change)).count();
        assert!(ends_after > 0, "{name}, {choice:?}: no life ends after the last change");
        assert_eq!(lineage, made.lineage().unwrap(), "{name}, {choice:?}");
    }
    let hash = kept.state_hash().unwrap();
    assert_eq!(hash, made.state_hash().unwrap(), "{name}, {choice:?}");
    // Two of the changes of cells change only numbers of a step, and need no new plan.
    let numbers = if kept.preset().individuals.is_some() { 0 } else { 2 };
    let [engines, plans] = kept.preparations();
    assert!(engines == 1 && plans + numbers >= changes.len() as u64, "{name}, {choice:?}: {engines}, {plans}");
    hash
}

/// The measures of lives and of one individual, as the engine finds them.
fn measures(simulation: &mut Simulation) -> String {
    if simulation.preset().individuals.is_none() {
        return String::new();
    }
    let lives = simulation.population_reading().map(|reading| simulation.read(reading).unwrap());
    let query = IndividualQuery { line: None, number: Some(3) };
    let found = simulation.request(IndividualProbeReading { query }).unwrap().wait().unwrap();
    format!("{lives:?} {found:?}")
}

/// An engine with a changed plan has the bits of a new engine for that plan.
#[test]
fn an_engine_under_another_plan_is_an_engine_made_for_it() {
    let mut choices = vec![PROCESSOR];
    if adapter::shared("plans that change").is_some() {
        choices.extend([COMPUTE, FRAGMENT]);
    }
    let changes = [
        ("sight.cohesion.disc", "9"),
        ("sight.alignment.disc", "20"),
        ("weights.separation", "0"),
        ("world.edges", "torus"),
        ("weights.separation", "0.2"),
        ("world.capacity", "30"),
        ("hunter.jaws", "4"),
        ("movement.wander", "0"),
        ("world.edges", "walls"),
        ("sight.alignment.disc", "3"),
        ("movement.wander", "0.1"),
        ("hunter.jaws", "0"),
    ];
    for choice in choices {
        // Every other plan compiles kernels. Fragment kernels are like compute kernels, so they get only the first
        // half.
        change_and_compare(&fixture("simmer"), choice, if choice == FRAGMENT { &changes[..6] } else { &changes });
    }
}

/// Individuals of one species, of several species with lives and food, and among rock with falcons.
#[test]
fn individuals_under_another_setup_are_those_of_an_engine_made_for_it() {
    let mut choices = vec![PROCESSOR];
    if adapter::shared("setups that change").is_some() {
        choices.push(COMPUTE);
    }
    let all_changes: [(&str, &[(&str, &str)]); 4] = [
        ("school", &[("sight.cohesion.disc", "12"), ("sight.separation.disc", "2"), ("world.edges", "torus")]),
        ("feeding", &[("sight.cohesion.disc", "12"), ("food.most", "0.3"), ("world.edges", "walls")]),
        (
            "chase",
            &[
                ("sight.prey.disc", "40"),
                ("species[1].meets.herring.jaws", "0"),
                ("sight.cohesion.disc", "6"),
                ("species[1].meets.herring.jaws", "2"),
                ("world.edges", "walls"),
            ],
        ),
        (
            "temple",
            &[
                ("sight.cohesion.disc", "4"),
                ("avoidance.rays", "80"),
                ("avoidance.reach", "9"),
                ("avoidance.rays", "0"),
                ("avoidance.rays", "64"),
            ],
        ),
    ];
    for (index, (name, changes)) in all_changes.into_iter().enumerate() {
        // On a device every other change is played.
        let hashes: Vec<_> = choices
            .iter()
            .take(size(1 + index % 2, 2))
            .map(|choice| change_and_compare(name, *choice, changes))
            .collect();
        assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{name}: {hashes:?}");
    }
}

/// After a change of a number the preset shares the flags of solid cells with the old preset, and makes no new start.
#[test]
fn a_changed_number_leaves_the_lattice_alone() {
    let overrides = Overrides { size: Some((1024, 512)), ..Overrides::default() };
    let preset = Preset::load(host(), "lagoon", &overrides).unwrap();
    assert!(preset.world.solids.contains(&true));
    let other = preset.with("weights.cohesion=0.3").unwrap();
    assert!(std::sync::Arc::ptr_eq(&preset.world.solids, &other.world.solids));
    let moved = preset.with("world.edges=torus").unwrap();
    assert!(!std::sync::Arc::ptr_eq(&preset.world.solids, &moved.world.solids));
    assert_eq!(preset.start().unwrap(), other.start().unwrap());
}

/// Prints the time that a changed number takes on a large lattice, for developers: `cargo test … -- --ignored
/// --nocapture keys::`
#[test]
#[ignore = "a measurement, of 5 GB"]
fn time_of_a_change() {
    let overrides = Overrides { size: Some((8192, 8192)), ..Overrides::default() };
    let preset = Preset::load(host(), "droplets", &overrides).unwrap();
    let mut simulation =
        Simulation::new(preset, &Chain::load(host().as_ref(), "cell-fast").unwrap(), PROCESSOR).unwrap();
    for (key, value) in
        [("weights.cohesion", "0.3"), ("movement.keep", "0.9"), ("look.bloom", "0.2"), ("sight.cohesion.disc", "6")]
    {
        let begun = std::time::Instant::now();
        set(&mut simulation, key, value).unwrap();
        println!("{key}={value}: {:?}", begun.elapsed());
    }
}
