//! The family tree. A plain reference watches the swarm step by step and records every life. The record is equal on
//! every engine, after a loss of the device and after a resume. Further tests: full logs, and the files of the program.

use crate::individuals::gpu::on_gpu;
use crate::lives::needs;
use crate::program::outputs::column;
use crate::support::command::{Finished, Folder};
use crate::support::individuals::{
    Played, Start, Surroundings, begin, hunted_at, individuals, options, rules, space, surroundings,
};
use crate::support::random::Random;
use crate::support::{adapter, size};
use murmuration::host::SharedHost;
use murmuration_core::engine::{Dispatch, IndividualsEngine};
use murmuration_core::individuals::search::SearchKind;
use murmuration_core::individuals::{IndividualRules, RuleSet};
use murmuration_core::lanes::InstructionSet;
use murmuration_core::lives::lineage::{Cause, LifeEndsReading, LifeRecord, Lineage};
use murmuration_core::lives::numbers::{ALL, NOBODY, STARVED};
use murmuration_core::lives::{Life, LifeRules, rebirth};
use murmuration_core::numbers::BOID;
use murmuration_core::numbers::random::hash;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::{EngineChoice, Input, Simulation};
use murmuration_core::state::{Entry, Individuals, WorldColumns};
use murmuration_core::terrain::Habitat;
use murmuration_core::ticket::{EngineReading, ReadingSource};
use murmuration_core::world::Edges;
use std::collections::{BTreeMap, BTreeSet};

const COUNT: usize = 240;

/// Short lives of about thirty steps, with a moving hunter.
fn short(rebirth: u32, mutation: i32, by_health: i32) -> LifeRules {
    LifeRules { rebirth, mutation, by_health, effort: 300, ..needs::short(true) }
}

fn begun(lives: &LifeRules, random: &mut Random) -> (IndividualRules, Habitat, Individuals) {
    let space = space(2, Edges::Torus);
    let mut begun = individuals(&space, Start::Clumped, COUNT, random);
    begun.set_lives(Some(lives), 0);
    (IndividualRules { lives: Some(*lives), ..rules(RuleSet::Flock) }, Habitat::new(space, Vec::new()), begun)
}

fn hunt(steps: u32, jaws: i32) -> Vec<Surroundings> {
    (0..steps).map(|step| Surroundings { step, population: COUNT as u32, ..surroundings(step, jaws) }).collect()
}

/// The lives of a swarm, by the individuals' numbers.
fn lives_of(individuals: &Individuals) -> BTreeMap<u32, Life> {
    let life = |index: usize| (individuals.numbers[index], Life::from_words(individuals.life(index).unwrap()));
    (0..individuals.len()).map(life).collect()
}

/// A random word (`docs/model.md, Lives`).
fn chance(rules: &LifeRules, number: u32, step: u32, purpose: u32) -> u32 {
    hash(hash(hash(rules.seed ^ purpose.wrapping_mul(0x9e37_79b9)) ^ number).wrapping_add(step))
}

/// The reference. After each step it sees the swarm, but knows only numbers, lives and the random draws of parents.
#[derive(Default)]
struct Watcher {
    seen: Vec<LifeRecord>,
    last: BTreeMap<u32, usize>,
}

impl Watcher {
    fn begin(individuals: &Individuals) -> Self {
        let mut watcher = Self::default();
        for (number, life) in lives_of(individuals) {
            watcher.add(LifeRecord { number, parent: None, born: 0, died: None, species: 0, dna: life.dna });
        }
        watcher
    }

    fn add(&mut self, life: LifeRecord) {
        self.last.insert(life.number, self.seen.len());
        self.seen.push(life);
    }

    /// Compares the swarms before and after a step. `causes`: the causes of death that the engine reports, in the order
    /// of numbers. An individual that is caught in its last step may have either cause.
    fn watch(&mut self, rules: &LifeRules, step: u32, before: &Individuals, after: &Individuals, causes: &[Cause]) {
        let (before, after) = (lives_of(before), lives_of(after));
        let is_newborn = |number: u32| {
            after.get(&number).is_some_and(|life| *life == rebirth::newborn(rules, 0, number, step, life.dna))
        };
        let ended: BTreeSet<u32> =
            before.keys().copied().filter(|number| !after.contains_key(number) || is_newborn(*number)).collect();
        assert_eq!(ended.len(), causes.len(), "step {step}");
        let time = u64::from(step) + 1;
        let last = self.last.clone();
        for (number, cause) in ended.iter().copied().zip(causes) {
            let was = before[&number];
            assert!(*cause == Cause::Caught || was.perishing == 1, "step {step}: {number} cannot have starved");
            self.seen[last[&number]].died = Some((time, *cause));
            let Some(now) = after.get(&number) else { continue };
            let drawn = (0..16u32).filter(|_| rules.mutation > 0).map(|attempt| {
                let who = chance(rules, number, step, 40 + 2 * attempt) % COUNT as u32;
                (who, chance(rules, number, step, 41 + 2 * attempt) >> 16)
            });
            let mut fit = drawn.filter(|(who, least)| {
                let life = before.get(who).filter(|life| life.health > 0 && !ended.contains(who));
                life.is_some_and(|life| rules.by_health == 0 || *least < u32::from(life.health))
            });
            let parent = fit.next().map_or(number, |(who, _)| who);
            let (own, most) = (before[&parent].dna, if parent == number { 0 } else { rules.mutation });
            let differ = own.iter().zip(now.dna).map(|(own, child)| (i32::from(*own) - i32::from(child)).abs());
            assert!(differ.max() <= Some(most), "step {step}: {number} is no child of {parent}");
            self.add(LifeRecord {
                number,
                parent: Some(last[&parent]),
                born: time,
                died: None,
                species: 0,
                dna: now.dna,
            });
        }
    }
}

/// Plays steps in batches of `at_once`, and records.
fn recorded<E: IndividualsEngine>(
    played: &mut Played<E>,
    begun: &Individuals,
    steps: &[Surroundings],
    at_once: usize,
) -> Lineage {
    played.engine.record_ends().unwrap();
    let (mut lineage, mut done) = (Lineage::begin(0, begun), 0);
    for steps in steps.chunks(at_once) {
        played.play(steps);
        done += steps.len() as u64;
        lineage.extend(&LifeEndsReading.ask(&mut played.engine).unwrap().wait().unwrap(), done);
    }
    lineage
}

#[test]
fn the_tree_is_what_a_watcher_sees_and_the_same_on_every_engine() {
    let gpu = adapter::shared("family trees on the GPU");
    let mut random = Random::new(91);
    for (rebirth, mutation, by_health) in
        [(NOBODY, 0, 0), (ALL, 40, 1), (STARVED, 25, 0), (STARVED, 0, 0), (ALL, 0, 1), (ALL, 25, 0)]
            .into_iter()
            .take(size(3, 6))
    {
        let lives = short(rebirth, mutation, by_health);
        let (rules, habitat, begun) = begun(&lives, &mut random);
        let steps = hunt(90, 6);
        let mut first = begin(&rules, &habitat, &begun, options(SearchKind::Grid, 1, None));
        first.engine.record_ends().unwrap();
        let (mut lineage, mut watcher) = (Lineage::begin(0, &begun), Watcher::begin(&begun));
        let mut before = first.individuals();
        for step in &steps {
            let turnover = first.turnover();
            first.play(&[*step]);
            let (after, ends) = (first.individuals(), first.engine.request(LifeEndsReading).unwrap().wait().unwrap());
            let causes: Vec<Cause> = ends.iter().map(|end| end.cause).collect();
            let of = |cause: Cause| BOID as usize * causes.iter().filter(|found| **found == cause).count();
            let came = first.turnover().minus(&turnover);
            assert_eq!(
                [of(Cause::Caught), of(Cause::Starved)].map(|n| n as u64),
                [Entry::Caught, Entry::Starved].map(|entry| came.sum(entry))
            );
            watcher.watch(&lives, step.step, &before, &after, &causes);
            lineage.extend(&ends, u64::from(step.step) + 1);
            before = after;
        }
        assert_eq!(lineage.lives().collect::<Vec<_>>(), watcher.seen, "rebirth {rebirth}, mutation {mutation}");
        let ended = |cause: Cause| lineage.lives().filter(|life| life.died.is_some_and(|died| died.1 == cause)).count();
        let [caught, starved] = [Cause::Caught, Cause::Starved].map(ended);
        assert!(caught > 5 && starved > 40, "rebirth {rebirth}: {caught} and {starved}");
        assert_eq!(lineage.generations() > 2, rebirth != NOBODY);
        for (search, threads, instructions) in [
            (SearchKind::Brute, 1, None),
            (SearchKind::Octree, 2, None),
            (SearchKind::Grid, 3, Some(InstructionSet::Portable)),
        ] {
            let mut other = begin(&rules, &habitat, &begun, options(search, threads, instructions));
            assert_eq!(recorded(&mut other, &begun, &steps, 40), lineage, "{search:?}, {threads} threads");
        }
        for (search, workgroup, at_once) in [(SearchKind::Grid, 64, 90), (SearchKind::Brute, 17, 13)] {
            let Some(gpu) = &gpu else { continue };
            let mut other = on_gpu(gpu, &rules, &habitat, &begun, search, workgroup);
            assert_eq!(recorded(&mut other, &begun, &steps, at_once), lineage, "{search:?} on the GPU");
        }
    }
}

/// In every step all are caught, or in one step all starve, several times. The log is full to its last word.
#[test]
fn the_log_is_never_too_small() {
    let mut random = Random::new(92);
    let quick =
        LifeRules { hungry: 0, starvation: 65_535, frail: 65_535, perishing: 1, effort: 0, ..short(STARVED, 30, 0) };
    for (lives, jaws, of_each) in [(LifeRules { rebirth: ALL, ..quick }, 100, 200), (quick, 0, 100)] {
        let (rules, habitat, begun) = begun(&lives, &mut random);
        let everywhere = |step: u32| Surroundings { step, population: 240, ..hunted_at([400, 300], 1, jaws) };
        let steps: Vec<Surroundings> = (0..200).map(everywhere).collect();
        let mut on_cpu = begin(&rules, &habitat, &begun, options(SearchKind::Grid, 2, None));
        let expected = recorded(&mut on_cpu, &begun, &steps, 200);
        assert_eq!(expected.len(), COUNT * (1 + of_each), "{jaws}");
        let Some(gpu) = adapter::shared("full logs on the GPU") else { return };
        let mut other = on_gpu(&gpu, &rules, &habitat, &begun, SearchKind::Grid, 64);
        assert_eq!(recorded(&mut other, &begun, &steps, 200), expected, "{jaws}");
        // The new individuals are more than the individuals for which the log was made.
        other.engine.set_individuals(&begun, &WorldColumns::default()).unwrap();
        other.play(&steps[..3]);
        let mut more = individuals(&habitat.space, Start::Uniform, 3 * COUNT, &mut random);
        more.set_lives(Some(&lives), 0);
        other.engine.set_individuals(&more, &WorldColumns::default()).unwrap();
        other.play(&steps[..70]);
        let ends = other.engine.request(LifeEndsReading).unwrap().wait().unwrap();
        assert_eq!(ends.len(), COUNT * (3 * of_each / 200) + 3 * COUNT * (70 * of_each) / 200, "{jaws}");
    }
}

fn evolve(host: &SharedHost) -> Preset {
    let quick = ["lives.dna.appetite=20", "lives.starvation=60", "lives.perishing=12", "start.boids=300"];
    let overrides = Overrides { size: Some((96, 64)), set: quick.map(str::to_owned).into(), ..Overrides::default() };
    Preset::load(host, "evolve", &overrides).unwrap()
}

fn simulation(preset: Preset, choice: EngineChoice) -> Simulation {
    let chain = preset.load_chain(None).unwrap();
    let mut simulation = Simulation::new(preset, &chain, choice).unwrap();
    simulation.record_lineage().unwrap();
    simulation
}

const CPU: EngineChoice =
    EngineChoice::Cpu(murmuration_core::engine::cpu::Options { threads: Some(1), instruction_set: None });
const GPU: EngineChoice = EngineChoice::Gpu(Dispatch::Compute { workgroup: [64, 1] });

#[test]
fn a_lost_device_leaves_no_gap_in_the_tree() {
    let mut on_cpu = simulation(evolve(murmuration::host()), CPU);
    on_cpu.advance(200).unwrap();
    on_cpu.update_lineage().unwrap();
    let expected = on_cpu.lineage().unwrap();
    assert!(expected.generations() > 3, "{}", expected.generations());
    if adapter::shared("family trees after a loss").is_none() {
        return;
    }
    // The device is lost here, so no other test may use it.
    let own_devices = murmuration::host::host_on_devices(murmuration::host::new_devices());
    let mut simulation = simulation(evolve(&own_devices), GPU);
    for steps in [70, 30, 100] {
        simulation.advance(steps).unwrap();
        // The engine keeps the read state. After the loss the steps continue from this state.
        simulation.state_hash().unwrap();
        simulation.gpu().into_iter().for_each(|gpu| gpu.lose());
    }
    assert_eq!(simulation.state_hash().unwrap(), on_cpu.state_hash().unwrap());
    simulation.update_lineage().unwrap();
    assert_eq!(simulation.lineage().unwrap(), on_cpu.lineage().unwrap());
}

/// The record covers the living individuals. It begins anew if an input changes who lives, and goes on otherwise.
#[test]
fn a_brush_and_an_undo_begin_the_record_anew() {
    let mut simulation = simulation(evolve(murmuration::host()), CPU);
    simulation.advance(120).unwrap();
    simulation.update_lineage().unwrap();
    let lives = simulation.lineage().unwrap().len();
    assert!(lives > 400, "{lives}");
    simulation.apply(Input::Set { key: "movement.max".into(), value: "0.5".into() }).unwrap();
    assert_eq!(simulation.lineage().unwrap().len(), lives, "slower ones are the same ones");
    simulation.apply(Input::Stroke).unwrap();
    let place = serde_json::from_str("[40, 30]").unwrap();
    simulation.apply(Input::Spawn { at: place, radius: 6, boids: 50 }).unwrap();
    let begun = simulation.lineage().unwrap();
    assert_eq!((begun.len(), begun.generations(), begun.life(0).born), (350, 1, 120));
    simulation.advance(60).unwrap();
    simulation.apply(Input::Undo).unwrap();
    let undone = simulation.lineage().unwrap();
    assert_eq!((undone.len(), undone.generations(), undone.life(0).born), (300, 1, 120));
    let chain = murmuration_core::chain::Chain::load(murmuration::host().as_ref(), "agents-grid").unwrap();
    let flock = Preset::load(murmuration::host(), "flock", &Overrides { size: Some((64, 48)), ..Overrides::default() });
    let refused = Simulation::new(flock.unwrap(), &chain, CPU).unwrap().record_lineage().unwrap_err().to_string();
    assert!(refused.contains("nobody has a life"), "{refused}");
}

/// The nodes of a tree in the Newick format: by its name, each node's parent and the length of its branch. Names are
/// unique.
fn parse(newick: &str) -> BTreeMap<String, (Option<String>, u64)> {
    let text = newick.strip_suffix(";\n").expect("a tree ends in a semicolon");
    let mut nodes = BTreeMap::new();
    // The children of each open node so far, and the children of the last closed node.
    let (mut open, mut closed): (Vec<Vec<String>>, Vec<String>) = (Vec::new(), Vec::new());
    let mut rest = text;
    while !rest.is_empty() {
        match rest.as_bytes()[0] {
            b'(' => open.push(Vec::new()),
            b',' => {}
            b')' => closed = open.pop().expect("there is something to close"),
            _ => {
                let end = rest.find(['(', ')', ',']).unwrap_or(rest.len());
                let (name, length) = rest[..end].split_once(':').expect("a node has a length");
                for child in closed.drain(..) {
                    let node: &mut (Option<String>, u64) = nodes.get_mut(&child).unwrap();
                    node.0 = Some(name.into());
                }
                assert!(nodes.insert(name.to_owned(), (None, length.parse().unwrap())).is_none(), "{name} twice");
                open.last_mut().into_iter().for_each(|children| children.push(name.into()));
                rest = &rest[end..];
                continue;
            }
        }
        rest = &rest[1..];
    }
    assert!(open.is_empty(), "all that is opened is closed");
    nodes
}

/// The distance of each leaf from the root.
fn ways_to_ends(nodes: &BTreeMap<String, (Option<String>, u64)>) -> BTreeMap<&str, u64> {
    let parents: BTreeSet<&String> = nodes.values().filter_map(|(parent, _)| parent.as_ref()).collect();
    let way = |name: &String| {
        let path = std::iter::successors(nodes.get(name), |(parent, _)| nodes.get(parent.as_ref()?));
        path.map(|(_, length)| length).sum()
    };
    nodes.keys().filter(|name| !parents.contains(name)).map(|name| (name.as_str(), way(name))).collect()
}

type Row = BTreeMap<String, String>;

fn rows(table: &str) -> Vec<Row> {
    csv::Reader::from_reader(table.as_bytes()).into_deserialize().map(Result::unwrap).collect()
}

fn render(folder: &Folder, more: &str) -> Finished {
    let line = format!(
        "render evolve --size 96x64 --set start.boids=300 --set lives.dna.appetite=20 --set lives.starvation=60 \
         --set lives.perishing=12 --json {more}"
    );
    folder.run(&line.split_whitespace().collect::<Vec<_>>())
}

#[test]
fn the_program_writes_one_tree_on_every_engine() {
    let folder = Folder::new();
    let run = render(&folder, "--steps 240 --threads 1 --lineage a.nwk").succeeded();
    render(&folder, "--steps 240 --threads 1 --lineage a.CSV").succeeded();
    render(&folder, "--steps 240 --threads 3 --lineage b.nwk").succeeded();
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(read("a.nwk"), read("b.nwk"));
    render(&folder, "--steps 240 --threads 2 --lineage c.nwk --lineage-nodes branching").succeeded();
    assert_eq!(ways_to_ends(&parse(&read("c.nwk"))), ways_to_ends(&parse(&read("a.nwk"))));
    let parents = parse(&read("c.nwk")).into_values().filter_map(|(parent, _)| parent);
    let children = parents.fold(BTreeMap::new(), |mut children, parent| {
        *children.entry(parent).or_insert(0) += 1;
        children
    });
    assert!(children.len() > 50 && children.values().all(|count| *count > 1), "{children:?}");
    let (rows, nodes, object) = (rows(&read("a.CSV")), parse(&read("a.nwk")), run.object());
    assert!(rows.len() > 1000 && object["generations"].as_u64() > Some(4), "{object}");
    assert_eq!((object["lives"].as_u64(), nodes.len()), (Some(rows.len() as u64), rows.len()));
    let name = |row: &Row| format!("{}_{}", row["number"], row["born"]);
    let mut alive = 0;
    for (index, row) in rows.iter().enumerate() {
        assert_eq!(row["life"], index.to_string());
        let parent = row["parent"].parse::<usize>().ok().map(|parent| &rows[parent]);
        let born: u64 = row["born"].parse().unwrap();
        let length = parent.map_or(0, |parent| born - parent["born"].parse::<u64>().unwrap());
        assert_eq!(nodes[&name(row)], (parent.map(name), length));
        assert_eq!(row["cause"] == "alive", row["died"].is_empty());
        alive += usize::from(row["died"].is_empty());
        let speed: f64 = row["speed"].parse().unwrap();
        assert!((0.1..=1.0).contains(&speed) && row["appetite"].starts_with("20."));
    }
    assert_eq!(alive, 300);
    let [caught, starved] = ["caught", "starved"].map(|cause| rows.iter().filter(|row| row["cause"] == cause).count());
    let ended = |key: &str| object[key].as_u64().map(|quanta| quanta / u64::from(BOID));
    assert_eq!([ended("caught"), ended("starved")], [Some(caught as u64), Some(starved as u64)]);
    assert!(caught > 0, "nobody was caught");
    if adapter::shared("the program's family trees").is_some() {
        let on_gpu = render(&folder, "--steps 240 --engine gpu --lineage c.nwk").succeeded().object();
        assert_eq!((&on_gpu["state_hash"], read("c.nwk")), (&object["state_hash"], read("a.nwk")));
    }
    // After a resume the individuals of the checkpoint are the founders.
    render(&folder, "--steps 140 --threads 1 --checkpoint half --lineage half.csv").succeeded();
    let rest = "render --resume half --steps 100 --threads 2 --lineage rest.csv --json";
    let resumed = folder.run(&rest.split_whitespace().collect::<Vec<_>>()).succeeded().object();
    assert_eq!(resumed["state_hash"], object["state_hash"]);
    let table = read("rest.csv");
    let rest = self::rows(&table);
    assert!(rest[..300].iter().all(|row| row["parent"].is_empty() && row["born"] == "140"));
    let ends = |rows: &[Row]| -> Vec<[String; 3]> {
        let late = rows.iter().filter(|row| row["died"].parse::<u64>().is_ok_and(|step| step > 140));
        let mut late: Vec<_> = late.map(|row| ["number", "died", "cause"].map(|key| row[key].clone())).collect();
        late.sort();
        late
    };
    assert_eq!(ends(&rest), ends(&rows));
    assert_eq!(
        read("half.csv").lines().count(),
        1 + rows.iter().filter(|row| row["born"].parse::<u64>().unwrap() <= 140).count()
    );
}

#[test]
fn a_tree_that_nobody_can_write_or_have_is_refused() {
    let folder = Folder::new();
    folder.write("dir/x", "");
    for (arguments, says) in [
        (
            "flock --lineage a.nwk",
            "--lineage a.nwk: in the preset `flock` nobody has a life, so that there is no family tree; take a preset \
             of lives such as evolve or moods",
        ),
        ("droplets --lineage a.nwk", "--lineage a.nwk: in the preset `droplets` nobody has a life"),
        ("moods --lineage dir", "--lineage dir: a folder is there; name a file"),
        ("moods --lineage nowhere/a.nwk", "--lineage nowhere/a.nwk: its folder is not there"),
        (
            "moods --lineage a.csv --lineage-nodes branching",
            "--lineage-nodes branching: a table has all lives, and no nodes; take it away, or name a Newick file",
        ),
        ("moods --lineage a --metrics a", "--lineage a: --metrics names the same file"),
        ("moods --lineage a --checkpoint a", "--lineage a: --checkpoint names the same file"),
        ("moods --lineage a.gif --film a.gif", "--film a.gif: --lineage names the same file"),
    ] {
        let line = format!("render {arguments} --size 64x48 --steps 2 --threads 1");
        let run = folder.run(&line.split_whitespace().collect::<Vec<_>>());
        assert_eq!(run.status, Some(2), "{run:?}");
        assert!(run.complaint().starts_with(says), "{run:?}");
    }
    assert_eq!(folder.names().len(), 2, "nothing was written: {:?}", folder.names());
    // An existing file is replaced as a whole.
    folder.write("a.nwk", "old");
    render(&folder, "--steps 0 --threads 1 --lineage a.nwk").succeeded();
    let text = std::fs::read_to_string(folder.join("a.nwk")).unwrap();
    assert_eq!(parse(&text).len(), 300);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_writes_the_tree_that_it_has() {
    let folder = Folder::new();
    let line = "render evolve --size 96x64 --steps 1000000000 --every 50 --threads 1 --json --frames npy --out frames \
                --lineage tree.csv";
    let mut running = folder.start(&line.split_whitespace().collect::<Vec<_>>());
    running.wait_until(|| folder.join("frames/density-0000000200.npy").exists());
    assert!(!folder.join("tree.csv").exists());
    running.signal("INT");
    let run = running.finish();
    assert_eq!(run.status, Some(130), "{run:?}");
    let table = std::fs::read_to_string(folder.join("tree.csv")).unwrap();
    assert_eq!(run.object()["lives"].as_u64(), Some(rows(&table).len() as u64));
}

/// The preset itself for some thousand steps. The flock disperses in all directions, and its traits change.
#[test]
fn evolution_changes_traits_and_leaves_the_flock_mixed() {
    for seed in 5..8 {
        let folder = Folder::new();
        let line = format!(
            "render evolve --seed {seed} --steps 3000 --every 1500 --threads 2 --json --metrics run.csv --lineage \
             tree.nwk"
        );
        let run = folder.run(&line.split_whitespace().collect::<Vec<_>>()).succeeded().object();
        let table = std::fs::read_to_string(folder.join("run.csv")).unwrap();
        let numbers =
            |name: &str| -> Vec<f64> { column(&table, name).iter().map(|value| value.parse().unwrap()).collect() };
        assert!(numbers("heading_entropy").iter().all(|entropy| *entropy >= 0.45), "{table}");
        assert!(numbers("mean_speed").iter().all(|speed| *speed > 0.15), "{table}");
        let (speed, deviation) = (numbers("dna_speed"), numbers("dna_speed_deviation"));
        assert!(speed[2] < speed[0] - 0.03 && deviation.iter().all(|it| *it > 0.05), "{table}");
        assert_eq!(numbers("dna_force"), [1.0; 3]);
        assert!(run["lives"].as_u64() > Some(3000) && run["generations"].as_u64() > Some(4), "{run}");
        assert_eq!(run["lost"], 0);
    }
}
