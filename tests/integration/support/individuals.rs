//! Swarms of individuals for the tests of both engines: rules, worlds and starts.

use crate::support::random::Random;
use murmuration_core::engine::cpu::{CpuIndividuals, Options};
use murmuration_core::engine::{IndividualsEngine, TotalsReading};
use murmuration_core::individuals::feature::WorldFeatures;
use murmuration_core::individuals::search::SearchKind;
use murmuration_core::individuals::selection::Selection;
use murmuration_core::individuals::species::SpeciesUnits;
use murmuration_core::individuals::table::RuleArray;
use murmuration_core::individuals::{IndividualParameters, IndividualRules, RuleSet, Setup};
use murmuration_core::lanes::InstructionSet;
use murmuration_core::noise::{Noise, NoiseNumbers};
use murmuration_core::numbers::{BOID, RULE_ONE};
use murmuration_core::state::{Entry, Individuals, Ledger, Swarm, SwarmReading, WorldColumns};
use murmuration_core::terrain::Habitat;
use murmuration_core::world::{Edges, HunterNumbers, Space};

/// The weight 1.
pub const WEIGHT: i32 = 1 << 20;
pub const SETS: [RuleSet; 7] = RuleSet::ALL;

pub fn cells(count: f64) -> u32 {
    (count * 65536.0) as u32
}

pub fn rules(set: RuleSet) -> IndividualRules {
    let [half, third, fourth, fifth] = [2, 3, 4, 5].map(|part| WEIGHT / part);
    IndividualRules {
        set,
        radii: RuleArray([6.0, 2.5, 4.3, 5.0].map(cells)),
        selection: Selection::ALL,
        weights: RuleArray([half, third, fourth, fifth, 2 * WEIGHT, fourth, WEIGHT / 6, third]),
        force: 1200,
        keep: RULE_ONE,
        cruise: 9000,
        min: 2000,
        max: 15000,
        turn: [16368, 714],
        crowd: 700,
        lives: None,
        food: Default::default(),
        noise: Noise::default(),
        rays: None,
        meetings: Vec::new(),
        most: None,
    }
}

pub fn space(axes: usize, edges: Edges) -> Space {
    Space { extents: if axes == 2 { [61, 47, 1] } else { [31, 27, 23] }, edges }
}

/// The hunter, the roost and the margin of a step. `steps` adds the numbers of the rules.
pub type Surroundings = IndividualParameters;

/// A hunter with open jaws that moves through the world.
pub fn surroundings(step: u32, jaws: i32) -> Surroundings {
    hunted_at([300 + 7 * step as i32 % 200, 200], 1, jaws)
}

/// A hunter and the roost at a place in 1/16 cell, and a margin. `towards`: 1 if the swarm turns away from the hunter,
/// -1 if it turns towards the hunter. `jaws`: their reach in cells.
pub fn hunted_at([x, y]: [i32; 2], towards: i32, jaws: i32) -> Surroundings {
    let mut surroundings = Surroundings { margin: 5, roost_x: x, roost_y: y, ..nothing_around() };
    let zero: HunterNumbers = bytemuck::Zeroable::zeroed();
    surroundings.set_hunters(&[HunterNumbers { place: [x, y, 0], reach: 9, towards, jaws, is_column: 1, ..zero }]);
    surroundings
}

/// No hunter and no margin.
pub fn nothing_around() -> Surroundings {
    bytemuck::Zeroable::zeroed()
}

/// The parameters of steps: the numbers of the rules with the surroundings of each step.
pub fn steps(species: &[IndividualRules], setup: &Setup, surroundings: &[Surroundings]) -> Vec<IndividualParameters> {
    let species: Vec<_> = species.iter().zip(&setup.species).collect();
    let of_rules = IndividualParameters::from_rules(&species);
    let complete = |around: &Surroundings| {
        let mut step = of_rules;
        for (own, (rules, _)) in step.species.iter_mut().zip(&species) {
            own.noise = NoiseNumbers::new(&rules.noise, around.step.into());
        }
        (step.margin, step.step, step.population) = (around.margin, around.step, around.population);
        (step.roost_x, step.roost_y) = (around.roost_x, around.roost_y);
        step.set_hunters(around.hunters());
        step
    };
    surroundings.iter().map(complete).collect()
}

/// An engine with the rules of every species.
pub struct Played<E> {
    pub engine: E,
    pub rules: Vec<IndividualRules>,
    pub setup: Setup,
}

impl<E: IndividualsEngine> Played<E> {
    pub fn play(&mut self, surroundings: &[Surroundings]) {
        self.engine.play(&steps(&self.rules, &self.setup, surroundings)).unwrap();
    }

    pub fn individuals(&mut self) -> Individuals {
        match self.engine.request(SwarmReading).unwrap().wait().unwrap() {
            Swarm::Individuals(individuals, _) => individuals,
            Swarm::Cells(_) => unreachable!("they are individuals"),
        }
    }

    /// The number of caught individuals.
    pub fn caught(&mut self) -> u64 {
        self.turnover().sum(Entry::Caught) / u64::from(BOID)
    }

    pub fn totals(&mut self) -> Ledger {
        self.engine.request(TotalsReading).unwrap().wait().unwrap()
    }

    /// The turnover, in quanta.
    pub fn turnover(&mut self) -> Ledger {
        self.totals().turnover()
    }
}

#[derive(Debug, Clone, Copy)]
pub enum Start {
    Uniform,
    Clumped,
    OneCell,
    OnePlace,
    Borders,
    Edges,
}

pub fn individuals(space: &Space, start: Start, count: usize, random: &mut Random) -> Individuals {
    let mut individuals = Individuals::default();
    for number in 0..count {
        let place = [0, 1, 2].map(|axis| {
            let extent = space.extents[axis];
            if extent == 1 {
                return 0;
            }
            let end = u64::from(extent) << 16;
            let place = match start {
                Start::Uniform => random.below(end),
                Start::Clumped => (end / 3 + random.below(end / 8) + random.below(end / 8)) % end,
                Start::OneCell => (5 << 16) + random.below(1 << 16),
                Start::OnePlace => 7 << 16,
                // At the border of a cell, or one unit below it.
                Start::Borders => (random.below(u64::from(extent)) << 16) + [0, 0xffff][random.below(2) as usize],
                Start::Edges => [random.below(3 << 16), end - 1 - random.below(3 << 16)][random.below(2) as usize],
            };
            place as i32
        });
        let velocity =
            [0, 1, 2].map(|axis| if space.extents[axis] == 1 { 0 } else { random.below(16_001) as i32 - 8000 });
        individuals.push(number as u32, place, velocity);
    }
    individuals
}

pub fn solids(space: &Space) -> Vec<bool> {
    let [width, height, _] = space.extents;
    (0..height).flat_map(|y| (0..width).map(move |x| (20..24).contains(&x) && (10..15).contains(&y))).collect()
}

pub fn setup(rules: &IndividualRules, habitat: &Habitat, search: SearchKind, most: usize) -> Setup {
    setup_of(std::slice::from_ref(rules), habitat, search, most)
}

/// The setup of several species.
pub fn setup_of(species: &[IndividualRules], habitat: &Habitat, search: SearchKind, most: usize) -> Setup {
    Setup {
        search,
        set: species[0].set,
        species: SpeciesUnits::of_all(species, most).unwrap(),
        has_lives: species.len() > 1 || species[0].lives.is_some(),
        features: WorldFeatures::default(),
        habitat: habitat.clone(),
    }
}

pub fn begin(
    rules: &IndividualRules,
    habitat: &Habitat,
    individuals: &Individuals,
    on: (SearchKind, Options),
) -> Played<CpuIndividuals> {
    begin_all(std::slice::from_ref(rules), habitat, individuals, on)
}

/// An engine with several species.
pub fn begin_all(
    species: &[IndividualRules],
    habitat: &Habitat,
    individuals: &Individuals,
    (search, options): (SearchKind, Options),
) -> Played<CpuIndividuals> {
    let setup = setup_of(species, habitat, search, individuals.len());
    Played {
        engine: CpuIndividuals::new(&setup, (individuals, &WorldColumns::default()), options, None).unwrap(),
        rules: species.to_vec(),
        setup,
    }
}

pub fn options(search: SearchKind, threads: usize, set: Option<InstructionSet>) -> (SearchKind, Options) {
    (search, Options { threads: Some(threads), instruction_set: set })
}
