//! Individuals in the colours of their moods: pictures of the CPU against the GPU, and the counts of conditions.

use crate::individuals::gpu::{on_gpu, on_gpu_of};
use crate::look::device::farthest;
use crate::support::adapter::shared;
use crate::support::individuals::{Start, individuals, rules, space};
use crate::support::random::Random;
use glam::{uvec2, vec2};
use murmuration::observe::features::FeatureMeasures;
use murmuration::observe::{Observation, Picture, glow_of_individuals, metrics_table};
use murmuration_core::engine::Dispatch;
use murmuration_core::engine::cpu::Options;
use murmuration_core::individuals::deposit::deposit;
use murmuration_core::individuals::search::SearchKind;
use murmuration_core::individuals::{IndividualRules, RuleSet};
use murmuration_core::lives::measures::{Condition, PopulationMeasures, PopulationReading};
use murmuration_core::lives::{HAPPIEST, Life, LifeRules};
use murmuration_core::look::{Colouring, Look};
use murmuration_core::numbers::ONE;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::{EngineChoice, Simulation};
use murmuration_core::state::{Individuals, Swarm};
use murmuration_core::terrain::Habitat;
use murmuration_core::ticket::ReadingSource;
use murmuration_core::world::{Edges, Extents, PLACE_BITS, World};
use murmuration_gpu::look::{Camera, Part, PictureRenderer, SwarmSource};

const CPU: EngineChoice = EngineChoice::Cpu(Options { threads: None, instruction_set: None });
const GPU: EngineChoice = EngineChoice::Gpu(Dispatch::Compute { workgroup: [64, 1] });

fn load(name: &str, set: &[&str]) -> Result<Preset, String> {
    let set = set.iter().map(|entry| entry.to_string()).collect();
    let overrides = Overrides { set, ..Overrides::default() };
    Preset::load(murmuration::host(), name, &overrides).map_err(|failure| failure.to_string())
}

/// A depressed, a neutral, a happy and a perishing individual, side by side, all heading to the right.
fn four() -> Individuals {
    let mut four = Individuals::default();
    let moods = [(-HAPPIEST, 0), (0, 0), (HAPPIEST, 0), (HAPPIEST, 25)];
    for (number, (mood, perishing)) in moods.into_iter().enumerate() {
        let health = if perishing == 0 { 60_000 } else { 0 };
        let life = Life { health, mood: mood as i16, perishing, ..Life::default() };
        let place = [(8 + 12 * number as i32) << PLACE_BITS, 16 << PLACE_BITS, 0];
        four.push_living(number as u32, place, [ONE / 2, 0, 0], life.words());
    }
    four
}

/// The brightest pixel within about two cells of an individual.
fn brightest(picture: &Picture, number: u32) -> [u8; 3] {
    let pixels_per_cell = picture.width / 56;
    let middle = [8 + 12 * number, 16].map(|cells| cells * pixels_per_cell);
    let around = 2 * pixels_per_cell;
    let pixels = (middle[1] - around..middle[1] + around)
        .flat_map(|y| (middle[0] - around..middle[0] + around).map(move |x| (y * picture.width + x) as usize));
    let pixels = pixels.map(|index| picture.bytes.as_chunks::<3>().0[index]);
    pixels.max_by_key(|pixel| pixel.iter().map(|byte| u32::from(*byte)).sum::<u32>()).unwrap()
}

#[test]
fn a_picture_by_mood_has_the_three_colours_and_those_that_perish_fade() {
    let extents = Extents::flat(56, 32);
    let world = World::empty(extents, Edges::Torus);
    let look = Look { colour: Colouring::Mood, perishing: [100; 8], bloom: 0.0, exposure: 0.5, ..Look::default() };
    let individuals = four();
    let seen = deposit(&individuals, &load("moods", &["world.size=[56, 32]"]).unwrap().space());
    let mut pictures = vec![glow_of_individuals(&individuals, &seen, &world, &look)];
    if let Some(gpu) = shared("moods on the GPU") {
        let swarm = (SwarmSource::from(&seen), Some((&individuals).into()));
        let drawn = PictureRenderer::new(&gpu).unwrap().picture_with(swarm, &world, &look).unwrap();
        assert!(farthest(&drawn, &pictures[0]) <= 2, "{} levels apart", farthest(&drawn, &pictures[0]));
        pictures.push(drawn);
    }
    for picture in &pictures {
        let [depressed, neutral, happy, perishing] = [0, 1, 2, 3].map(|number| brightest(picture, number));
        assert!(depressed[2] > depressed[0] + 60 && depressed[2] > depressed[1] + 20, "{depressed:?} is blue");
        assert!(happy[0] > happy[1] + 40 && happy[1] > happy[2] + 40, "{happy:?} is orange");
        assert!(neutral[0] > neutral[1] && neutral[2] > 120 && neutral[0] - neutral[2] < 60, "{neutral:?} is pinkish");
        let sum = |pixel: [u8; 3]| pixel.map(u32::from).iter().sum::<u32>();
        assert!(
            4 * sum(perishing) < 3 * sum(happy) && sum(perishing) > 60,
            "{perishing:?} fades, and {happy:?} does not"
        );
    }
}

/// Moods, headings, speeds and densities of whole flocks, on a torus and between walls.
#[test]
fn the_cpu_draws_individuals_as_the_gpu_does() {
    let Some(gpu) = shared("individuals on the GPU") else { return };
    let mut pictures = PictureRenderer::new(&gpu).unwrap();
    for (name, set) in [
        ("moods", &["start.boids=300", "world.size=[96, 64]"][..]),
        ("moods", &["look.colour=speed", "world.size=[400, 60]", "world.edges=walls"]),
        ("flock", &["world.size=[96, 64]", "start.boids=200"]),
        ("flock", &["look.colour=density", "world.size=[300, 200]", "start.boids=800", "look.bloom=1.0"]),
        ("circles", &["world.size=[1000, 90]", "start.boids=800"]),
    ] {
        let preset = load(name, set).unwrap();
        let chain = preset.load_chain(None).unwrap();
        let (world, look) = (preset.world.clone(), preset.look.clone());
        let mut simulation = Simulation::new(preset, &chain, CPU).unwrap();
        simulation.advance(40).unwrap();
        let Swarm::Individuals(individuals, _) = simulation.swarm().unwrap() else { panic!("they are individuals") };
        let seen = simulation.state().unwrap();
        let twin = glow_of_individuals(&individuals, &seen, &world, &look);
        let swarm = (SwarmSource::from(&seen), Some((&individuals).into()));
        let drawn = pictures.picture_with(swarm, &world, &look).unwrap();
        let apart = farthest(&drawn, &twin);
        assert!(apart <= 2, "{name} with {set:?}: {apart} levels apart");
        assert!(twin.bytes.iter().any(|byte| *byte > 90), "{name} shows nothing");
    }
}

/// Moods are visible from afar too: no cloud covers them.
#[test]
fn moods_are_seen_from_afar() {
    let Some(gpu) = shared("moods on the GPU") else { return };
    let (world, individuals) = (World::empty(Extents::flat(56, 32), Edges::Torus), four());
    let seen = deposit(&individuals, &load("moods", &["world.size=[56, 32]"]).unwrap().space());
    let look = Look { colour: Colouring::Mood, bloom: 0.0, exposure: 0.1, ..Look::default() };
    let size = uvec2(56, 32);
    let part = Part {
        source: (&seen).into(),
        individuals: Some((&individuals).into()),
        world: &world,
        transform: Camera { centre: vec2(28.0, 16.0), pixels_per_cell: 1.0 }.into(),
        pane: size.into(),
    };
    let picture = PictureRenderer::new(&gpu).unwrap().next(&[part], &look, size).unwrap();
    let [depressed, happy] = [0, 2].map(|number| brightest(&picture, number));
    assert!(depressed[2] > depressed[0] + 40 && happy[0] > happy[2] + 40, "{depressed:?} and {happy:?}");
}

#[test]
fn the_mood_is_the_colour_of_lives_alone() {
    assert_eq!(load("moods", &[]).unwrap().look.colour, Colouring::Mood);
    assert_eq!(load("moods", &["look.colour=heading"]).unwrap().look.colour, Colouring::Heading);
    assert_eq!(load("flock", &[]).unwrap().look.colour, Colouring::Heading);
    let cure = "take \"heading\", \"speed\" or \"density\", or give individuals lives by lives.rebirth = \"starved\"";
    for name in ["flock", "droplets"] {
        let wrong = load(name, &["look.colour=mood"]).unwrap_err();
        assert_eq!(wrong, format!("set look.colour=mood: look.colour: is \"mood\", and nobody here has one; {cure}"));
    }
}

/// Measures on a device equal the measures in memory, also for moods at the limits, an empty swarm and a perishing one.
#[test]
fn the_device_counts_moods_as_the_swarm_has_them() {
    let Some(gpu) = shared("sums over lives") else { return };
    let (mut random, space) = (Random::new(72), space(2, Edges::Torus));
    let lives: LifeRules = load("moods", &[]).unwrap().individuals.unwrap().first().lives.unwrap();
    let rules = IndividualRules { lives: Some(lives), ..rules(RuleSet::Flock) };
    let limits = [-HAPPIEST, lives.sad - 1, lives.sad, 0, HAPPIEST / 4, HAPPIEST / 4 + 1, HAPPIEST];
    for (count, is_perishing) in [(0, false), (1, false), (63, true), (7000, false), (200_003, false)] {
        let placed = individuals(&space, Start::Uniform, count, &mut random);
        let mut living = Individuals::default();
        for index in 0..placed.len() {
            let mood = if random.below(3) == 0 {
                limits[random.below(limits.len() as u64) as usize]
            } else {
                random.below(2 * HAPPIEST as u64 + 1) as i32 - HAPPIEST
            };
            let perishes = is_perishing || random.below(5) == 0;
            let life = Life {
                dna: [0; 6].map(|_| if random.below(4) == 0 { 255 } else { random.below(256) as u8 }),
                hunger: random.below(65_536) as u16,
                health: if perishes { 0 } else { 1 + random.below(65_535) as u16 },
                mood: mood as i16,
                perishing: u16::from(perishes) * (1 + random.below(60_000) as u16),
                ..Life::default()
            };
            living.push_living(placed.numbers[index], placed.position(index), placed.velocity(index), life.words());
        }
        let mut played = on_gpu(&gpu, &rules, &Habitat::new(space, Vec::new()), &living, SearchKind::Grid, 64);
        let found = played.engine.request(PopulationReading { rules: vec![lives] }).unwrap().wait().unwrap();
        assert_eq!(found, PopulationMeasures::new(&living, &[lives]), "{count} individuals");
        // Changed rules on the unchanged engine.
        let harder = LifeRules { sad: lives.sad / 2, ..lives };
        let found = played.engine.request(PopulationReading { rules: vec![harder] }).unwrap().wait().unwrap();
        assert_eq!(found, PopulationMeasures::new(&living, &[harder]), "{count} individuals under other rules");
    }
}

/// Each species is judged by its own rules: one life is depressed in one species and neutral in another.
#[test]
fn the_measures_of_each_species_are_by_its_own_rules() {
    let lives = |sad: i32, traits: [i32; 2]| LifeRules { sad, traits: [traits; 6], ..LifeRules::still() };
    let species = [lives(-9000, [0, 1024]), lives(0, [512, 256]), lives(4000, [300, 0])]
        .map(|lives| IndividualRules { lives: Some(lives), ..rules(RuleSet::Flock) });
    let rules = species.each_ref().map(|own| own.lives.unwrap());
    let (space, mut random) = (space(2, Edges::Torus), Random::new(12));
    let placed = individuals(&space, Start::Uniform, 900, &mut random);
    let mut living = Individuals::default();
    for index in 0..placed.len() {
        let life = Life {
            dna: [0; 6].map(|_| random.below(256) as u8),
            hunger: random.below(65_536) as u16,
            health: 1 + random.below(65_535) as u16,
            mood: [-9001, -9000, -1, 0, 3999, 4000][index / 3 % 6],
            species: (index % 3) as u8,
            ..Life::default()
        };
        living.push_living(placed.numbers[index], placed.position(index), placed.velocity(index), life.words());
    }
    let measured = PopulationMeasures::new(&living, &rules);
    let depressed = measured.species.iter().map(|own| own.counts[Condition::Depressed as usize]).collect::<Vec<_>>();
    assert_eq!(depressed, [50, 150, 250]);
    assert_eq!(measured.all.counts[Condition::Depressed as usize], 450);
    assert!(measured.all.traits.is_none(), "their bytes mean different values");
    for (own, rules) in measured.species.iter().zip(&rules) {
        let speed = own.traits.unwrap()[0];
        let [low, span] = rules.traits[0].map(|part| f64::from(part) / 1024.0);
        assert!((speed.mean - low - span / 2.0).abs() <= 0.05 * span && speed.bins.iter().sum::<u64>() == 300);
        assert!((speed.deviation - span / 12f64.sqrt()).abs() <= 0.05 * span, "{speed:?}");
    }
    let hunger = measured.species.iter().map(|own| own.hunger).sum::<f64>() / 3.0;
    assert!((hunger - measured.all.hunger).abs() < 1e-12);
    if let Some(gpu) = shared("sums over the lives of species") {
        let habitat = Habitat::new(space, Vec::new());
        let mut played = on_gpu_of(&gpu, &species, &habitat, &living, SearchKind::Grid, 64);
        assert_eq!(
            played.engine.request(PopulationReading { rules: rules.to_vec() }).unwrap().wait().unwrap(),
            measured
        );
    }
    // Equal ranges are measured over all species together.
    let alike = [rules[0]; 3];
    assert!(PopulationMeasures::new(&living, &alike).all.traits.is_some());
}

/// One species may be sad and the others not, also in the printed summary.
#[test]
fn a_run_measures_the_traits_of_each_species() {
    let text = murmuration::host().library().preset("chase").unwrap();
    let text = text.replace("[species.lives.dna]", "[species.lives]\nsad = 0.2\nperishing = 30\n[species.lives.dna]");
    let overrides = Overrides { size: Some((96, 64)), ..Overrides::default() };
    let preset = Preset::from_text(murmuration::host(), "mine.toml", &text, &overrides).unwrap();
    assert_eq!(preset.look.perishing[..3], [240, 30, 0]);
    let chain = preset.load_chain(None).unwrap();
    let mut simulation = Simulation::new(preset, &chain, CPU).unwrap();
    simulation.advance(30).unwrap();
    let swarm = simulation.swarm().unwrap();
    let measured = simulation.life_measures(&swarm).unwrap();
    assert!(measured.all.traits.is_none() && measured.species.len() == 2);
    let appetites = measured.species.iter().map(|own| own.traits.unwrap()[5].mean).collect::<Vec<_>>();
    assert!((0.3..0.6).contains(&appetites[0]) && (1.5..2.5).contains(&appetites[1]), "{appetites:?}");
    let account = simulation.account().unwrap();
    let preset = simulation.preset();
    let seen = simulation.deposit(&swarm);
    let observed = Observation::from_state(30, &seen, &preset.world, &preset.rules, &account.ledger);
    let features = FeatureMeasures { lives: Some(measured), ..FeatureMeasures::new(preset) };
    let observed = observed.with_features(features, &account);
    let table = String::from_utf8(metrics_table(&[observed])).unwrap();
    let mut rows = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let (names, row) = (rows.next().unwrap(), rows.next().unwrap());
    assert_eq!(names.len(), row.len());
    let cell = |name: &str| row[names.iter().position(|column| *column == name).unwrap_or_else(|| panic!("{name}"))];
    assert_eq!(cell("dna_appetite"), "");
    assert_eq!(cell("tuna.dna_appetite").parse::<f64>().unwrap(), appetites[1]);
    assert_eq!(cell("herring.energy_lost"), "0");
}

/// The window uses a ticket, and the swarm is not read back.
#[test]
fn a_simulation_tells_how_its_individuals_live_without_reading_them_back() {
    for choice in [CPU, GPU] {
        if choice == GPU && shared("sums over lives").is_none() {
            return;
        }
        let preset = load("moods", &["start.boids=400", "lives.hungry=0.1", "lives.starvation=60"]).unwrap();
        let chain = preset.load_chain(None).unwrap();
        let mut simulation = Simulation::new(preset, &chain, choice).unwrap();
        simulation.advance(60).unwrap();
        let before = simulation.state_readbacks();
        let measured = simulation
            .population_reading()
            .map(|reading| simulation.request(reading).unwrap().wait().unwrap())
            .unwrap();
        assert_eq!(simulation.state_readbacks(), before);
        let swarm = simulation.swarm().unwrap();
        assert_eq!(Some(&measured), simulation.life_measures(&swarm).as_ref());
        let measured = measured.all;
        assert_eq!(measured.counts.iter().sum::<u64>(), 400);
        assert!(measured.counts[Condition::Perishing as usize] > 0, "{measured:?}");
    }
    let preset = load("flock", &["world.size=[96, 64]"]).unwrap();
    let chain = preset.load_chain(None).unwrap();
    let simulation = Simulation::new(preset, &chain, CPU).unwrap();
    assert!(simulation.population_reading().is_none());
}
