//! A run is stopped during a step. The swarm, its ledger and the columns of its world are then the result of a complete
//! step.

use crate::support::adapter::shared;
use crate::support::individuals::{Start, individuals, rules, setup, space, steps, surroundings};
use crate::support::random::Random;
use murmuration_core::cells::numbers::Parameters;
use murmuration_core::chain::Chain;
use murmuration_core::engine::{Dispatch, IndividualsEngine, LatticeEngine, TotalsReading, cpu};
use murmuration_core::individuals::RuleSet;
use murmuration_core::individuals::search::SearchKind;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::replay::ReplayReading;
use murmuration_core::simulation::{Account, EngineChoice, Simulation};
use murmuration_core::state::{Entry, Ledger, StateReading, Swarm, SwarmReading, WorldColumns};
use murmuration_core::terrain::Habitat;
use murmuration_core::ticket::ReadingSource;
use murmuration_core::world::Edges;
use murmuration_gpu::{GpuEngine, GpuIndividuals};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const STEPS: usize = 3;
/// A falcon, and a hunter in the middle of a swarm that catches in every step.
const SCENE: &str = "description = \"stops\"\nseed = 5\n[world]\nsize = [61, 47]\n[start]\nboids = 2500\n\
    headings = \"random\"\n[sight.cohesion]\ndisc = 4\n[sight.separation]\ndisc = 2\n[sight.alignment]\ndisc = 3\n\
    [weights]\ncohesion = 0.5\nseparation = 0.1\nalignment = 0.2\nhunter = 2.5\n[movement]\nwander = 0.01\n\
    [[hunter]]\nkind = \"falcon\"\nrest = 2\n[[hunter]]\npath = [[0.3, 0.4], [0.6, 0.5]]\nspeed = 1.5\nreach = 9\n\
    jaws = 4\n";

/// Two species with lives, mixed in memory. In each step the hunter catches individuals of both: some are gone, and
/// others that come later in memory are reborn.
const LIVES: &str = "description = \"stops of lives\"\nmodel = \"agents\"\nseed = 5\n[world]\nsize = [61, 47]\n\
    [start]\nboids = 900\nheadings = \"random\"\nspeed = 0.4\n[agents]\nrules = \"flock\"\nforce = 0.03\n\
    [sight.cohesion]\ndisc = 4\n[sight.separation]\ndisc = 2\n[sight.alignment]\ndisc = 3\n\
    [weights]\ncohesion = 0.5\nhunter = 1.0\n[movement]\nmax = 0.6\n\
    [lives]\nrebirth = \"all\"\nmutation = 0.1\nhungry = 0.5\nstarvation = 40.0\nperishing = 2\n\
    [lives.dna]\nappetite = [5, 30]\n\
    [[hunter]]\nkind = \"falcon\"\nrest = 2\n[[hunter]]\npath = [[0.3, 0.4], [0.6, 0.5]]\nspeed = 1.5\nreach = 9\n\
    jaws = 6\n[[species]]\nname = \"reborn\"\nseed = 2\n[[species]]\nname = \"gone\"\nseed = 1\n[species.lives]\n\
    rebirth = \"none\"\n";

/// A stop check that answers a number of asks with no, and every later ask with yes.
struct Patience {
    asked: AtomicUsize,
    most: usize,
}

impl Patience {
    fn new(most: usize) -> Self {
        Self { asked: AtomicUsize::new(0), most }
    }

    fn is_over(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) >= self.most
    }
}

fn preset(is_deep: bool) -> Preset {
    let text =
        if is_deep { SCENE.replace("[61, 47]", "[21, 17, 9]").replace("disc", "ball") } else { SCENE.to_owned() };
    Preset::from_text(murmuration::host(), "stops.toml", &text, &Overrides::default()).unwrap()
}

fn lives() -> Preset {
    Preset::from_text(murmuration::host(), "stops.toml", LIVES, &Overrides::default())
        .unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn begin(preset: Preset, chain: &str, threads: usize) -> Simulation {
    let chain = Chain::load(murmuration::host().as_ref(), chain).unwrap();
    let choice = EngineChoice::Cpu(cpu::Options { threads: Some(threads), instruction_set: None });
    Simulation::new(preset, &chain, choice).unwrap()
}

/// The totals that an engine knows: all entries of the ledger except the start.
fn totals(account: &Account) -> Ledger {
    account.ledger.minus(&Ledger::default().with(Entry::Start, account.ledger.sum(Entry::Start)))
}

/// The hash and the totals after each step.
fn expected(simulation: &mut Simulation) -> Vec<(String, Ledger)> {
    let mut all = Vec::new();
    for step in 0..=STEPS {
        simulation.advance(u64::from(step > 0)).unwrap();
        let account = simulation.account().unwrap();
        assert_eq!(account.lost, 0);
        all.push((simulation.state_hash().unwrap(), totals(&account)));
    }
    assert!(
        all.windows(2).all(|pair| pair[0].1.sum(Entry::Caught) < pair[1].1.sum(Entry::Caught)),
        "a step without a catch shows less"
    );
    all
}

/// Plays a run repeatedly, and stops it at the first ask, at the second ask, and so on. `play` plays from the start
/// until the given patience stops the run, and then plays the remaining steps. `play` returns the number of steps
/// before the stop, the hash and the totals at the stop, and the hash and the totals at the end.
fn leave_everywhere(
    what: &str,
    expected: &[(String, Ledger)],
    mut play: impl FnMut(&Patience) -> (usize, [(String, Ledger); 2]),
) {
    let (mut left, mut most) = ([0; STEPS + 1], 0);
    loop {
        let patience = Patience::new(most);
        let (played, [then, end]) = play(&patience);
        assert_eq!(then, expected[played], "{what}: left at ask {most}, after {played} steps");
        assert_eq!(end, expected[STEPS], "{what}: left at ask {most} and gone on after {played} steps");
        left[played] += 1;
        if played == STEPS {
            break;
        }
        most += 1;
    }
    assert!(left[..STEPS].iter().all(|count| *count > 1), "{what}: no step was left under way: {left:?}");
}

#[test]
fn a_step_on_the_cpu_is_left_as_if_it_had_not_begun() {
    for (name, begun, threads) in [
        ("cell", (|| begin(preset(false), "cell", 2)) as fn() -> Simulation, 2),
        ("cell-fast", || begin(preset(false), "cell-fast", 1), 1),
        ("a deep world", || begin(preset(true), "cell-deep", 2), 2),
        ("a grid", || begin(preset(false).as_individuals().unwrap(), "agents-grid", 2), 2),
        ("an octree", || begin(preset(false).as_individuals().unwrap(), "agents-octree", 1), 1),
        ("species with lives", || begin(lives(), "agents-grid", 1), 1),
        ("species with lives in an octree", || begin(lives(), "agents-octree", 2), 2),
        ("a brute force", || begin(preset(false).as_individuals().unwrap(), "agents-brute", 2), 2),
    ] {
        let expected = expected(&mut begun());
        leave_everywhere(&format!("{name} on {threads} threads"), &expected, |patience| {
            let mut simulation = begun();
            let asked = Arc::new(Patience::new(patience.most));
            simulation.stop_when(Arc::new(move || asked.is_over()));
            simulation.advance(STEPS as u64).unwrap();
            let played = simulation.step() as usize;
            let now = |simulation: &mut Simulation| {
                let account = simulation.account().unwrap();
                assert_eq!((account.lost, account.step), (0, simulation.step()));
                (simulation.state_hash().unwrap(), totals(&account))
            };
            let then = now(&mut simulation);
            simulation.stop_when(Arc::new(|| false));
            simulation.advance((STEPS - played) as u64).unwrap();
            let end = now(&mut simulation);
            assert_eq!(simulation.read(ReplayReading).unwrap().total_steps(), STEPS as u64);
            (played, [then, end])
        });
    }
}

#[test]
fn a_step_of_cells_on_a_gpu_is_left_between_its_passes() {
    let Some(gpu) = shared("steps that are left on a GPU") else { return };
    for (chain, is_deep, dispatch) in [
        ("cell", false, Dispatch::default()),
        ("cell-fast", false, Dispatch::Fragment),
        ("cell-deep", true, Dispatch::default()),
    ] {
        let mut simulation = begin(preset(is_deep), chain, 1);
        let Swarm::Cells(start) = simulation.swarm().unwrap() else { panic!("cells") };
        let expected = expected(&mut simulation);
        let (plan, preset) = (simulation.plan().unwrap().clone(), simulation.preset());
        let parameters: Vec<_> = (0..STEPS as u64)
            .map(|step| {
                let mut parameters = Parameters::new(&preset.rules, &preset.world, &plan.weights(), step);
                parameters.set_hunters(preset.world.hunters_at(step, None).as_slice());
                parameters
            })
            .collect();
        let mut engine =
            GpuEngine::new(gpu.clone(), plan.clone(), &preset.rules, &preset.world, &start, dispatch).unwrap();
        engine.set_work_per_submission(0);
        leave_everywhere(&format!("{chain}, {dispatch:?}"), &expected, |patience| {
            engine.set_state(&start).unwrap();
            let before = engine.request(TotalsReading).unwrap().wait().unwrap().turnover();
            let now = |engine: &mut GpuEngine| {
                let totals = engine.request(TotalsReading).unwrap().wait().unwrap();
                (engine.request(StateReading).unwrap().wait().unwrap().hash(), totals.minus(&before))
            };
            let played = engine.play_until(&parameters, Some(&|| patience.is_over())).unwrap().steps;
            let then = now(&mut engine);
            engine.play(&parameters[played..]).unwrap();
            (played, [then, now(&mut engine)])
        });
    }
}

#[test]
fn a_step_of_individuals_on_a_gpu_is_left_between_its_passes() {
    let Some(gpu) = shared("steps of individuals that are left on a GPU") else { return };
    let space = space(2, Edges::Torus);
    let begun = individuals(&space, Start::Clumped, 700, &mut Random::new(34));
    let rules = rules(RuleSet::School);
    for (search, name) in [(SearchKind::Grid, "agents-grid"), (SearchKind::Brute, "agents-brute")] {
        let chain = Chain::load(murmuration::host().as_ref(), name).unwrap();
        let setup = setup(&rules, &Habitat::new(space, Vec::new()), search, begun.len());
        let parameters = steps(
            std::slice::from_ref(&rules),
            &setup,
            &(0..STEPS as u32).map(|step| surroundings(step, 60)).collect::<Vec<_>>(),
        );
        let mut engine = GpuIndividuals::new(gpu.clone(), &setup, (&begun, &WorldColumns::default()), &chain).unwrap();
        let mut before = Ledger::default();
        let mut now = |engine: &mut GpuIndividuals, is_start: bool| {
            let totals = engine.request(TotalsReading).unwrap().wait().unwrap();
            before = if is_start { totals.turnover() } else { before };
            (engine.request(SwarmReading).unwrap().wait().unwrap().hash(), totals.minus(&before))
        };
        let mut expected = vec![now(&mut engine, true)];
        for step in &parameters {
            engine.play(&[*step]).unwrap();
            expected.push(now(&mut engine, false));
        }
        assert!(expected[STEPS].1.sum(Entry::Caught) > 0);
        engine.set_work_per_submission(0);
        leave_everywhere(name, &expected, |patience| {
            engine.set_individuals(&begun, &WorldColumns::default()).unwrap();
            now(&mut engine, true);
            let played = engine.play_until(&parameters, Some(&|| patience.is_over())).unwrap().steps;
            let then = now(&mut engine, false);
            engine.play(&parameters[played..]).unwrap();
            (played, [then, now(&mut engine, false)])
        });
    }
}
