//! The CPU engine of individuals. Every search and any number of threads and ranks give equal results, bit for bit.
//!
//! Individuals are on ranks in one of two ways. With a [`Division`] each rank has the individuals in its slab of the
//! search grid. Without a division, every rank holds all individuals in the same order. Each rank steers and moves its
//! share of the blocks, and takes the others from the other ranks. Every rank then computes the rest of the step from
//! equal numbers.

mod division;

use super::steering::{IndividualBlock, OwnSpecies, StepContext, WorldControls, steer_block};
use super::{Options, Processor};
use crate::answer;
use crate::engine::{Engine, IndividualsEngine, Progress, Stop, TotalsReading, is_wanted};
use crate::error::Failure;
use crate::falcons::step::FalconStep;
use crate::individuals::deposit::{DepositReading, deposit, words_in};
use crate::individuals::find::IndividualQuery;
use crate::individuals::movement::move_all;
use crate::individuals::rules::surroundings;
use crate::individuals::search::{Scratch, Search};
use crate::individuals::step::{StepPart, StepState};
use crate::individuals::sums::{IndividualsInUnits, NeighbourSource};
use crate::individuals::{IndividualParameters, Rule, Setup};
use crate::lanes::{BLOCK, LaneWork, Lanes};
use crate::lives::lineage::LifeEndsReading;
use crate::lives::log::LifeLog;
use crate::lives::measures::{PopulationMeasures, PopulationReading};
use crate::lives::needs::Meals;
use crate::lives::rebirth::Parents;
use crate::lives::turnover::{LifeNumbers, SpeciesLives, bear, crowded_species, end_lives};
use crate::measures::liveliness::{LivelinessReading, SwarmSample};
use crate::measures::{Measures, MeasuresReading};
use crate::numbers::{BOID, each_axis};
use crate::overlap::OverlapReading;
use crate::parallel::{Divisible, for_each_part};
use crate::ranks::{BALANCE_INTERVAL, Ranks, SingleRank};
use crate::species::predation::Predation;
use crate::state::sums::{StateSums, SumsReading};
use crate::state::{ColumnsReading, Entry, Individuals, LIFE_WORDS, Ledger, State, Swarm, SwarmReading, WorldColumns};
use crate::terrain::Habitat;
use crate::terrain::avoidance::BlockAvoidance;
use crate::ticket::Ticket;
use crate::world::endless::PlaceSumsReading;
use crate::world::solids_of;
use bytemuck::{bytes_of, bytes_of_mut};
use division::Division;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A swarm of individuals in memory, and the threads that move it.
pub struct CpuIndividuals {
    ranks: Arc<dyn Ranks>,
    /// `None`: every rank has all individuals.
    division: Option<Division>,
    /// Steps until the ranks next compare their loads.
    until_balance: u64,
    processor: Processor,
    setup: Setup,
    search: Search,
    /// The individuals of this rank.
    individuals: Individuals,
    columns: WorldColumns,
    /// Memory for reordering the individuals. During a step it holds them in their order and at their places before the
    /// step.
    spare: Individuals,
    /// The individuals that the present step has removed.
    taken: Individuals,
    measured: IndividualsInUnits,
    /// The lives before the present step; filled if lives mutate.
    parents: Parents,
    /// For each individual that is caught and born again in the present step: its index, then the words of its needs
    /// and of its mood before the step.
    marked: Vec<(usize, [i32; 2])>,
    /// `None`: lives are not recorded.
    life_log: Option<LifeLog>,
    /// The parts of a step that belong to features, in their order.
    parts: Vec<Box<dyn StepPart>>,
    /// The working memory of each block of individuals.
    scratch: Vec<Scratch>,
    /// The index of the first individual of each block, then the number of individuals. A block has one species.
    bounds: Vec<usize>,
    /// The turnover since the engine was made: of this rank if there is a division, else of all individuals.
    turnover: Ledger,
    /// The durations in the last step of the jaws, the search, the sums and the steering.
    durations: [Duration; 4],
}

impl CpuIndividuals {
    /// An engine with these individuals. `clock` gives the time since a fixed moment. Without it, passes are not timed.
    ///
    /// # Errors
    /// If threads cannot be started.
    pub fn new(
        setup: &Setup,
        start: (&Individuals, &WorldColumns),
        options: Options,
        clock: Option<fn() -> Duration>,
    ) -> Result<Self, Failure> {
        Self::on_ranks(setup, start, options, clock, Arc::new(SingleRank))
    }

    /// An engine of one of several ranks. Every rank makes one with equal individuals. All ranks must make the same
    /// calls of their engines.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn on_ranks(
        setup: &Setup,
        (individuals, columns): (&Individuals, &WorldColumns),
        options: Options,
        clock: Option<fn() -> Duration>,
        ranks: Arc<dyn Ranks>,
    ) -> Result<Self, Failure> {
        let mut engine = Self {
            ranks,
            division: None,
            until_balance: BALANCE_INTERVAL,
            processor: Processor::new(options, "agents", clock)?,
            search: search_of(setup),
            setup: setup.clone(),
            individuals: individuals.clone(),
            columns: columns.clone(),
            spare: Individuals::default(),
            taken: Individuals::default(),
            measured: IndividualsInUnits::default(),
            parents: Parents::default(),
            marked: Vec::new(),
            life_log: None,
            parts: parts_of(setup),
            scratch: Vec::new(),
            bounds: Vec::new(),
            turnover: Ledger::default(),
            durations: [Duration::ZERO; 4],
        };
        engine.divide();
        Ok(engine)
    }

    /// Plays a step, unless a stop is wanted before its end. Returns whether it was played.
    fn step(&mut self, parameters: &IndividualParameters, stop: Stop<'_>) -> Result<bool, Failure> {
        if self.ranks.any(is_wanted(stop))? {
            return Ok(false);
        }
        // Several ranks agree on a stop once a step.
        let stop = stop.filter(|_| self.ranks.size() == 1);
        let (parameters, mut turnover) = (&mut parameters.clone(), Ledger::default());
        self.play_parts(parameters, &mut turnover, |part, step| part.begin(step))?;
        let begun = self.processor.now();
        self.end_lives(parameters, &mut turnover);
        let closed = self.processor.now();
        self.add_neighbours()?;
        self.sort(parameters);
        self.play_parts(parameters, &mut turnover, |part, step| part.prepare(step))?;
        let sorted = self.processor.now();
        if !self.move_blocks(parameters, stop) {
            self.go_back();
            return Ok(false);
        }
        self.share()?;
        self.add_energy(&mut turnover);
        self.play_parts(parameters, &mut turnover, |part, step| part.end(step))?;
        self.life_log.iter_mut().for_each(|log| log.end_step(&self.parents, &life_numbers(parameters)));
        self.turnover = self.turnover.plus(&turnover.in_quanta());
        let [summed, steered] = self.summed_and_steered(self.processor.now() - sorted);
        self.durations = [closed - begun, sorted - closed, summed, steered];
        self.balance()?;
        Ok(true)
    }

    /// Plays one stage, such as the beginning of a step, of the parts that belong to features. `play`: calls the
    /// function of a part for this stage.
    fn play_parts(
        &mut self,
        parameters: &mut IndividualParameters,
        turnover: &mut Ledger,
        play: impl Fn(&mut dyn StepPart, &mut StepState<'_>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Self { ranks, division, setup, search, individuals, columns, measured, processor, parts, .. } = self;
        let mut step = StepState {
            setup,
            parameters,
            individuals,
            columns,
            turnover,
            search,
            measured,
            pool: &processor.pool,
            instruction_set: processor.instruction_set,
            ranks: division.is_some().then_some(&**ranks),
        };
        parts.iter_mut().try_for_each(|part| play(&mut **part, &mut step))
    }

    /// Removes the individuals whose lives end in a step without a birth in their place.
    fn end_lives(&mut self, parameters: &IndividualParameters, turnover: &mut Ledger) {
        let Self { setup, individuals, taken, marked, life_log, .. } = self;
        let space = &setup.habitat.space;
        taken.clear();
        marked.clear();
        let numbers = life_numbers(parameters);
        let crowded = crowded_species(individuals, &numbers);
        life_log.iter_mut().for_each(|log| log.begin_step(individuals, space, &numbers, &crowded));
        *turnover = turnover.plus(&end_lives(individuals, space, &numbers, &crowded, taken, marked));
    }

    /// Adds the individuals in the rows next to the slab of this rank.
    fn add_neighbours(&mut self) -> Result<(), Failure> {
        match (&self.division, &self.search) {
            (Some(division), Search::Grid(grid)) => division.add_neighbours(&mut self.individuals, grid, &*self.ranks),
            _ => Ok(()),
        }
    }

    /// Sorts the individuals for the search, divides them into blocks, and keeps the data of lives before the step that
    /// later parts need.
    fn sort(&mut self, parameters: &IndividualParameters) {
        let Self {
            ranks,
            division,
            processor,
            setup,
            search,
            individuals,
            spare,
            measured,
            scratch,
            bounds,
            parents,
            ..
        } = self;
        processor.pool.install(|| search.prepare(individuals, spare));
        bounds.clear();
        match (&*division, &*search) {
            // The first and the last block hold individuals of the rows next to the slab.
            (Some(division), Search::Grid(grid)) => {
                let own = grid.in_rows(&division.rows(ranks.rank()));
                bounds.push(0);
                bounds.extend(own.clone().step_by(BLOCK));
                bounds.push(own.end);
            }
            _ => (0..setup.species.len()).for_each(|species| bounds.extend(search.of_species(species).step_by(BLOCK))),
        }
        scratch.resize_with(bounds.len(), Scratch::default);
        bounds.push(individuals.len());
        processor.pool.install(|| measured.fill(individuals, setup.units(), parameters));
        if setup.has_selection() {
            measured.fill_selection(individuals);
        }
        if parameters.species.iter().any(|species| species.lives.mutation > 0) {
            parents.read(individuals, parameters.population, setup.species.len() > 1);
        }
    }

    /// The blocks that a rank steers and moves.
    fn blocks_of(&self, rank: usize) -> Range<usize> {
        if self.division.is_some() {
            return 1..self.scratch.len() - 1;
        }
        let (count, ranks) = (self.scratch.len(), self.ranks.size());
        count * rank / ranks..count * (rank + 1) / ranks
    }

    /// Steers and moves the individuals of this rank's share, unless a stop is wanted before all are moved. Returns
    /// whether all were moved.
    fn move_blocks(&mut self, parameters: &IndividualParameters, stop: Stop<'_>) -> bool {
        let own = self.blocks_of(self.ranks.rank());
        let Self { processor, setup, search, individuals, columns, measured, scratch, bounds, parents, parts, .. } =
            self;
        let source = NeighbourSource::new(measured, setup);
        let context = StepContext { processor, search, source: &source, setup, parameters, parents, parts, columns };
        let blocks = Blocks {
            bounds,
            numbers: &individuals.numbers,
            places: individuals.positions.each_mut().map(Vec::as_mut_slice),
            velocities: individuals.velocities.each_mut().map(Vec::as_mut_slice),
            lives: individuals.lives.each_mut().map(Vec::as_mut_slice),
            scratch,
        };
        let blocks = blocks.split_at(own.start).1.split_at(own.len()).0;
        let is_left = AtomicBool::new(false);
        processor.pool.install(|| {
            for_each_part(blocks, &|block| {
                if is_wanted(stop) { is_left.store(true, Ordering::Relaxed) } else { move_block(&context, block) }
            });
        });
        !is_left.into_inner()
    }

    /// Gives the individuals that have left this rank's slab to other ranks. Without a division, it exchanges the
    /// shares of all individuals between all ranks.
    fn share(&mut self) -> Result<(), Failure> {
        if let (Some(division), Search::Grid(grid)) = (&self.division, &self.search) {
            self.individuals.keep(self.bounds[1]..self.bounds[self.bounds.len() - 2]);
            return division.migrate(&mut self.individuals, grid, &*self.ranks);
        }
        let (rank, ranks) = (self.ranks.rank(), self.ranks.size());
        if ranks == 1 {
            return Ok(());
        }
        let blocks: Vec<_> = (0..ranks).map(|rank| self.blocks_of(rank)).collect();
        let shares: Vec<_> = blocks.iter().map(|blocks| self.bounds[blocks.start]..self.bounds[blocks.end]).collect();
        let Self { individuals, scratch, .. } = self;
        let mut own = Vec::new();
        for list in moved(individuals) {
            own.extend_from_slice(bytemuck::cast_slice(&list[shares[rank].clone()]));
        }
        scratch[blocks[rank].clone()].iter().for_each(|block| own.extend_from_slice(bytes_of(&block.energy)));
        let gathered = self.ranks.gather(&own)?;
        for other in (0..ranks).filter(|other| *other != rank) {
            let mut rest = &gathered[other][..];
            for list in moved(individuals) {
                take_bytes(&mut rest, bytemuck::cast_slice_mut(&mut list[shares[other].clone()]));
            }
            for block in &mut scratch[blocks[other].clone()] {
                take_bytes(&mut rest, bytes_of_mut(&mut block.energy));
            }
        }
        Ok(())
    }

    /// Restores the swarm from before the present step, after [`Self::sort`].
    fn go_back(&mut self) {
        let Self { individuals, columns, spare, taken, parts, marked, .. } = self;
        std::mem::swap(individuals, spare);
        for (index, [needs, mood]) in marked.drain(..) {
            (individuals.lives[2][index], individuals.lives[3][index]) = (needs, mood);
        }
        individuals.append(taken);
        parts.iter().for_each(|part| part.go_back(columns));
    }

    /// Adds the energy eaten, burnt and born in all blocks.
    fn add_energy(&self, turnover: &mut Ledger) {
        if !self.individuals.has_lives() {
            return;
        }
        for (first, scratch) in self.bounds.iter().zip(&self.scratch) {
            let species = self.individuals.species(*first);
            turnover.add(Entry::EnergyEaten, species, scratch.energy.eaten);
            turnover.add(Entry::EnergyBurnt, species, scratch.energy.burnt);
            turnover.add(Entry::EnergyBorn, species, scratch.energy.born);
        }
    }

    /// Splits a duration into the time of sums and the time of steering. Every thread does both, block by block, so the
    /// duration is split in proportion to their times.
    fn summed_and_steered(&self, both: Duration) -> [Duration; 2] {
        let summed: Duration = self.scratch.iter().map(|block| block.summed).sum();
        let steered: Duration = self.scratch.iter().map(|block| block.steered).sum();
        let part = summed.as_secs_f64() / (summed + steered).as_secs_f64().max(f64::MIN_POSITIVE);
        let summed = both.mul_f64(part.min(1.0));
        [summed, both.saturating_sub(summed)]
    }
}

impl CpuIndividuals {
    fn totals(&self) -> Result<Ledger, Failure> {
        let individuals = &self.individuals;
        let mut totals = self.turnover;
        totals[Entry::Present] = individuals.counts().map(|count| count * u64::from(BOID));
        totals[Entry::EnergyPresent] = individuals.stores();
        if self.division.is_some() {
            totals = totals.sum_over(&*self.ranks)?;
        }
        Ok(self.columns.present().fold(totals, |totals, (entry, sum)| totals.with(entry, sum)))
    }

    fn deposit(&self) -> Result<State, Failure> {
        Ok(deposit(&*self.all()?, &self.setup.habitat.space))
    }
}

fn search_of(setup: &Setup) -> Search {
    Search::new(setup.search, &setup.habitat.space, setup.units(), setup.species.len())
}

/// The parts of a step that belong to features, in their order.
fn parts_of(setup: &Setup) -> Vec<Box<dyn StepPart>> {
    let own: [Box<dyn StepPart>; 2] = [Box::new(FalconStep::default()), Box::new(Predation::default())];
    own.into_iter().chain(setup.features.0.iter().map(|feature| feature.clone().step_part())).collect()
}

impl Engine for CpuIndividuals {
    fn set_capacities(&mut self, capacities: &[u32]) -> Result<(), Failure> {
        self.setup.habitat.set_solids(solids_of(capacities));
        Ok(())
    }

    fn seconds_by_pass(&self) -> Vec<f64> {
        self.processor.seconds(&self.durations)
    }

    fn describe(&self) -> String {
        self.processor.to_string()
    }
}

impl IndividualsEngine for CpuIndividuals {
    fn play_until(&mut self, steps: &[IndividualParameters], stop: Stop<'_>) -> Result<Progress, Failure> {
        for (played, parameters) in steps.iter().enumerate() {
            if !self.step(parameters, stop)? {
                return Ok(Progress { steps: played, is_stopped: true });
            }
        }
        Ok(Progress { steps: steps.len(), is_stopped: false })
    }

    fn set_setup(&mut self, setup: &Setup) -> Result<(), Failure> {
        self.join()?;
        (self.search, self.parts, self.setup) = (search_of(setup), parts_of(setup), setup.clone());
        self.divide();
        Ok(())
    }

    fn set_individuals(&mut self, individuals: &Individuals, columns: &WorldColumns) -> Result<(), Failure> {
        self.forget_division()?;
        (self.individuals, self.columns) = (individuals.clone(), columns.clone());
        self.divide();
        Ok(())
    }

    fn record_ends(&mut self) -> Result<(), Failure> {
        self.life_log.get_or_insert_default();
        Ok(())
    }

    fn stop_recording(&mut self) {
        self.life_log = None;
    }

    fn set_habitat(&mut self, habitat: &Habitat) -> Result<(), Failure> {
        self.setup.habitat = habitat.clone();
        Ok(())
    }
}

answer! {
    CpuIndividuals {
        TotalsReading => |own, _| Ok(Ticket::ready(own.totals()?)),
        SwarmReading => |own, _| Ok(Ticket::ready(Swarm::Individuals(own.all()?.into_owned(), own.columns.clone()))),
    }
}

answer! {
    dyn CpuIndividuals {
        ColumnsReading => |own, _| Ok(Ticket::ready(own.columns.clone())),
        SumsReading => |own, SumsReading { shift }| Ok(Ticket::ready(StateSums::new(&own.deposit()?, shift))),
        MeasuresReading => |own, MeasuresReading { space }| {
            Ok(Ticket::ready(Measures::from_individuals(&*own.all()?, &space)))
        },
        LivelinessReading => |own, LivelinessReading { blocks }| {
            Ok(Ticket::ready(SwarmSample::from_individuals(&*own.all()?, &blocks)))
        },
        OverlapReading => |own, reading| Ok(Ticket::ready(reading.among(&*own.all()?))),
        IndividualQuery => |own, query| Ok(Ticket::ready(own.all()?.find(&query))),
        PlaceSumsReading => |own, _| Ok(Ticket::ready(own.all()?.place_sums())),
        DepositReading => |own, DepositReading { cell }| Ok(Ticket::ready(words_in(&own.deposit()?, cell))),
        PopulationReading => |own, PopulationReading { rules }| {
            Ok(Ticket::ready(PopulationMeasures::new(&*own.all()?, &rules)))
        },
        LifeEndsReading => |own, _| Ok(Ticket::ready(own.life_log.as_mut().map_or(Vec::new(), LifeLog::take))),
    }
}

/// The numbers of a step that lives depend on.
fn life_numbers(parameters: &IndividualParameters) -> LifeNumbers<'_> {
    let species = parameters.species.each_ref();
    let species = species.map(|own| SpeciesLives { rules: &own.lives, max: own.max, most: own.most });
    LifeNumbers { step: parameters.step, hunters: parameters.hunters(), species }
}

/// The lists of numbers of the individuals that a step changes, without empty lists.
fn moved(individuals: &mut Individuals) -> impl Iterator<Item = &mut Vec<i32>> {
    individuals.columns_mut().filter(|list| !list.is_empty())
}

/// Takes the first bytes of `rest`.
fn take_bytes(rest: &mut &[u8], bytes: &mut [u8]) {
    let (own, after) = rest.split_at(bytes.len());
    bytes.copy_from_slice(own);
    *rest = after;
}

/// Blocks of individuals: their positions and velocities by axis, their lives, and memory for their sums.
struct Blocks<'a> {
    /// The index of the first individual of each block, then the index after the last individual.
    bounds: &'a [usize],
    numbers: &'a [u32],
    places: [&'a mut [i32]; 3],
    velocities: [&'a mut [i32]; 3],
    /// Empty if individuals have no lives.
    lives: [&'a mut [i32]; LIFE_WORDS],
    /// The working memory of each block.
    scratch: &'a mut [Scratch],
}

impl Divisible for Blocks<'_> {
    fn parts(&self) -> usize {
        self.scratch.len()
    }

    fn split_at(self, middle: usize) -> (Self, Self) {
        let Self { bounds, numbers, places, velocities, lives, scratch } = self;
        let individuals = bounds[middle] - bounds[0];
        let (scratch, scratch_after) = scratch.split_at_mut(middle);
        let (numbers, numbers_after) = numbers.split_at(individuals);
        let (places, places_after) = split_lists(places, individuals);
        let (velocities, velocities_after) = split_lists(velocities, individuals);
        let (lives, lives_after) = split_lists(lives, individuals);
        let after = Self {
            bounds: &bounds[middle..],
            numbers: numbers_after,
            places: places_after,
            velocities: velocities_after,
            lives: lives_after,
            scratch: scratch_after,
        };
        (Self { bounds: &bounds[..=middle], numbers, places, velocities, lives, scratch }, after)
    }
}

/// Splits lists at an index, or at their end if they are shorter.
fn split_lists<const COUNT: usize>(
    lists: [&mut [i32]; COUNT],
    at: usize,
) -> ([&mut [i32]; COUNT], [&mut [i32]; COUNT]) {
    let mut parts = lists.map(|list| {
        let (before, after) = list.split_at_mut(at.min(list.len()));
        (Some(before), Some(after))
    });
    let before = parts.each_mut().map(|(before, _)| before.take().unwrap_or_default());
    (before, parts.map(|(_, after)| after.unwrap_or_default()))
}

/// Steers and moves the individuals of a block.
fn move_block(context: &StepContext<'_>, block: Blocks<'_>) {
    let Blocks { bounds: &[first, _], numbers, mut places, mut velocities, mut lives, scratch: [scratch] } = block
    else {
        unreachable!("a part is one block");
    };
    let own = OwnSpecies::new(context, lives.each_ref().map(|list| list.first().copied()));
    let set = context.processor.instruction_set;
    let begun = context.processor.now();
    let around = look_around(
        context,
        own.index,
        places.each_ref().map(|list| &**list),
        velocities.each_ref().map(|list| &**list),
    );
    let looked = context.processor.now();
    let (seen, living) = (places.each_ref().map(|list| &**list), lives.each_ref().map(|list| &**list));
    let mut parts = context.parts.iter();
    let meals = parts.find_map(|part| part.meals(context.columns, context.parameters, own.numbers, seen, living));
    scratch.energy.eaten = meals.as_ref().map_or(0, Meals::sum);
    let steered = IndividualBlock {
        own,
        first,
        numbers,
        velocities: velocities.each_mut().map(|list| &mut **list),
        lives: lives.each_mut().map(|list| &mut **list),
        around: around.as_ref(),
        meals: meals.as_ref(),
        scratch: &mut *scratch,
    };
    steer_block(context, steered);
    let steered = context.processor.now();
    let [own_places, own] = [&mut places, &mut velocities].map(|lists| lists.each_mut().map(|list| &mut **list));
    set.run(BlockMovement { context, places: own_places, velocities: own });
    let (parameters, habitat) = (context.parameters, &context.setup.habitat);
    scratch.energy.born = bear(&life_numbers(parameters), habitat, context.parents, numbers, places, velocities, lives);
    scratch.steered += looked - begun + (context.processor.now() - steered);
}

/// The control vectors of the world for a block; `None`: the world has no influence.
fn look_around(
    context: &StepContext<'_>,
    species: usize,
    places: [&[i32]; 3],
    velocities: [&[i32]; 3],
) -> Option<WorldControls> {
    let (parameters, habitat) = (context.parameters, &context.setup.habitat);
    let has_weight = |rule: Rule| parameters.species[species].weights[rule as usize] != 0;
    let has_others = parameters.hunter_count > 0 || parameters.margin > 0 || has_weight(Rule::Roost);
    let rays = habitat.rays.as_ref().filter(|_| has_weight(Rule::Avoidance));
    if !has_others && rays.is_none() {
        return None;
    }
    let mut around = [[[0; BLOCK]; 3]; Rule::OF_WORLD.len()];
    let [others @ .., ways] = &mut around;
    if has_others {
        for index in 0..places[0].len() {
            let own = surroundings(species, each_axis(|axis| places[axis][index]), &habitat.space, parameters);
            for rule in 0..own.len() {
                for axis in 0..3 {
                    others[rule][axis][index] = own[rule][axis];
                }
            }
        }
    }
    if let Some(rays) = rays {
        context.processor.instruction_set.run(BlockAvoidance { rays, habitat, places, velocities, ways });
    }
    Some(around)
}

struct BlockMovement<'p, 'a> {
    context: &'p StepContext<'a>,
    places: [&'p mut [i32]; 3],
    velocities: [&'p mut [i32]; 3],
}

impl LaneWork for BlockMovement<'_, '_> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Setup { set, habitat, .. } = self.context.setup;
        move_all::<V>(*set, habitat, self.places, self.velocities);
    }
}
