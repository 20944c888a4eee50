//! The parts of a simulation for individuals only: their rules, units and numbers, and the brushes that add and remove
//! them.

use super::{EngineChoice, KERNEL_PURPOSE, Simulation};
use crate::chain::Chain;
use crate::engine::EngineConfig;
use crate::error::{BadInput, Failure};
use crate::falcons::{self, Falcon, FalconsReading, free_in_cells};
use crate::individuals::search::candidate_pairs;
use crate::individuals::species::SpeciesUnits;
use crate::individuals::{IndividualParameters, IndividualRules, Rule, Setup};
use crate::lanes::InstructionSet;
use crate::lanes::vector::{length, stretch};
use crate::lives::LifeRules;
use crate::lives::lineage::Lineage;
use crate::lives::measures::{PopulationMeasures, PopulationReading};
use crate::measures::rock::RockMeasures;
use crate::numbers::random::{generator, word_of_seed};
use crate::numbers::{BOID, ONE};
use crate::preset::{IndividualModel, Preset};
use crate::state::{Entry, Individuals, Swarm, SwarmReading};
use crate::terrain::Habitat;
use crate::world::PLACE_BITS;

/// The purpose of the random numbers of the first individual that a brush adds. Further individuals have the following
/// purposes.
const PURPOSE: u64 = 1 << 32;

/// The config of an engine of individuals.
pub(super) fn config(preset: &Preset, chain: &Chain, species: Vec<SpeciesUnits>, habitat: Habitat) -> EngineConfig {
    let (Some(model), Some(search)) = (&preset.individuals, chain.search) else {
        unreachable!("the models were compared")
    };
    let (set, has_lives, features) = (model.first().set, model.has_lives(), preset.features.clone());
    let setup = Setup { search, set, species, has_lives, features, habitat };
    EngineConfig::Individuals { setup, max: model.max(), chain: chain.clone() }
}

impl Simulation {
    fn individual_model(&self) -> &IndividualModel {
        self.preset
            .individuals
            .as_ref()
            .unwrap_or_else(|| unreachable!("the model of the engine is that of the preset"))
    }

    /// The parameters of the step after `step` steps. `units`: the units of the engine.
    pub(super) fn individual_parameters(&self, units: &[SpeciesUnits], step: u64) -> IndividualParameters {
        let mut rules: Vec<IndividualRules> = self.individual_model().rules.clone();
        for (index, own) in rules.iter_mut().enumerate() {
            // All species avoid the player's hunter with its weight.
            own.weights[Rule::Hunter] = match (&self.pointer, own.weights[Rule::Hunter]) {
                (Some(pointer), _) => own.hunter_weight(pointer.weight),
                (None, 0) => own.hunter_weight(self.weight_of_hunters(index, 0)),
                (None, weight) => weight,
            };
        }
        let species: Vec<_> = rules.iter().zip(units).collect();
        let mut parameters = IndividualParameters::new(&species, &self.preset.world, step);
        parameters.set_hunters(self.hunters_at(step).as_slice());
        parameters.population = self.numbers_given() as u32;
        parameters.seed = word_of_seed(self.preset.seed, KERNEL_PURPOSE);
        parameters
    }

    /// The present habitat with painted solids; `None`: the swarm is of cells. The habitat is kept in the configuration
    /// of the engine, so that its gap field is computed only once.
    pub(super) fn habitat(&mut self) -> Option<Habitat> {
        let EngineConfig::Individuals { setup, .. } = &mut self.engine.config else { return None };
        setup.habitat = self.preset.habitat(Some(&setup.habitat));
        Some(setup.habitat.clone())
    }

    pub(super) fn individuals_config(&self) -> Result<EngineConfig, BadInput> {
        let species = self.individuals_units(&self.preset)?;
        let before = match &self.engine.config {
            EngineConfig::Individuals { setup, .. } => Some(&setup.habitat),
            EngineConfig::Cells { .. } => None,
        };
        Ok(config(&self.preset, &self.chain, species, self.preset.habitat(before)))
    }

    /// The units of a preset's species, with room for the maximum number of individuals.
    pub(super) fn individuals_units(&self, preset: &Preset) -> Result<Vec<SpeciesUnits>, BadInput> {
        let Some(model) = &preset.individuals else { unreachable!("the models were compared") };
        SpeciesUnits::of_all(&model.rules, self.most_individuals).ok_or_else(|| {
            let problem = format!("the sights reach too far for {} individuals", self.most_individuals);
            BadInput::new(&preset.source().origin, problem, "take smaller ones").at_key("sight")
        })
    }

    /// The number of pairs of an individual and a candidate neighbour within each species that the next step tests on
    /// the CPU; `None` for cells.
    ///
    /// # Errors
    /// As [`Self::swarm`].
    pub fn candidate_pairs(&mut self) -> Result<Option<u64>, Failure> {
        let Swarm::Individuals(individuals, _) = self.swarm()? else { return Ok(None) };
        let EngineConfig::Individuals { setup, .. } = &self.engine.config else { return Ok(None) };
        let asked = if let EngineChoice::Cpu(options) = self.choice() { options.instruction_set } else { None };
        Ok(Some(candidate_pairs(setup, individuals, asked.unwrap_or_else(InstructionSet::widest))))
    }

    /// The number of numbers that individuals were given up to now, from 0 on.
    pub(super) fn numbers_given(&self) -> u64 {
        self.numbers_before + self.ledger.sum(Entry::Spawned) / u64::from(BOID)
    }

    /// Checks that numbers are left for `count` more individuals.
    pub(super) fn check_numbers(&self, count: usize) -> Result<(), BadInput> {
        let count = count.min(self.most_individuals) as u64;
        if self.numbers_given() + count <= u64::from(u32::MAX) {
            return Ok(());
        }
        Err(BadInput::new("an input", "there are no numbers left for more individuals", "begin anew"))
    }

    /// Checks that the present rules allow these individuals.
    pub(super) fn check_individuals(&self, individuals: &Individuals) -> Result<(), BadInput> {
        let wrong = |problem: &str| Err(BadInput::new("the checkpoint", problem, "save it anew"));
        let Some(model) = &self.preset.individuals else { return wrong("its model is not its preset's") };
        let ends = self.preset.space().extents.map(|extent| (extent as i32) << PLACE_BITS);
        let is_inside = |index: usize| (0..3).all(|axis| (0..ends[axis]).contains(&individuals.positions[axis][index]));
        if individuals.len() > self.most_individuals {
            return wrong("it has more individuals than their sums have room for");
        }
        if individuals.numbers.iter().any(|number| u64::from(*number) >= self.numbers_given()) {
            return wrong("an individual has a number that was never given");
        }
        let is_empty_or = |has_lives: bool| individuals.is_empty() || individuals.has_lives() == has_lives;
        if !is_empty_or(model.has_lives()) {
            return wrong("its individuals have lives, and its preset none, or the other way round");
        }
        if !(0..individuals.len()).all(is_inside) {
            return wrong("an individual is outside of the world");
        }
        // Lengths are rounded, so a limited velocity may be slightly longer.
        let most = model.max() + 4;
        let is_slow = |velocity: [i32; 3]| {
            velocity.iter().all(|n| n.unsigned_abs() <= most.unsigned_abs()) && length(velocity) <= most
        };
        if !(0..individuals.len()).all(|index| is_slow(individuals.velocity(index))) {
            return wrong("an individual is faster than its rules allow");
        }
        Ok(())
    }

    /// Adds individuals at random places in these columns, in random directions at half the maximum speed. Skips
    /// solids, and stops at the maximum number of individuals. Returns the number of added individuals.
    pub(super) fn add_individuals(
        &mut self,
        individuals: &mut Individuals,
        columns: &[usize],
        count: u32,
    ) -> Result<u64, BadInput> {
        let world = &self.preset.world;
        let open: Vec<usize> =
            columns.iter().copied().filter(|column| world.solids.get(*column) != Some(&true)).collect();
        let most = self.most_individuals.saturating_sub(individuals.len());
        let count = if open.is_empty() { 0 } else { most.min(count as usize) };
        self.check_numbers(count)?;
        let given = self.numbers_given();
        let space = self.preset.space();
        // A brush adds individuals of the first species.
        let model = self.individual_model();
        let speed = model.first().max / 2;
        let has_lives = model.has_lives();
        let rules = model.first().lives.unwrap_or(LifeRules::still());
        let step = self.engine.step as u32;
        let mut random = generator(self.preset.seed, PURPOSE + given);
        for number in given as u32..given as u32 + count as u32 {
            let column = open[random.below(open.len() as u64) as usize];
            let cell = [column % space.extents[0] as usize, column / space.extents[0] as usize];
            let [x, y] = cell.map(|along| ((along as i32) << PLACE_BITS) + random.below(1 << PLACE_BITS) as i32);
            let [u, v] = random.inside_disc(ONE);
            let is_deep = space.axes() == 3;
            let z = if is_deep { random.below(u64::from(space.extents[2]) << PLACE_BITS) as i32 } else { 0 };
            let w = if is_deep { random.around(i64::from(ONE)) as i32 } else { 0 };
            let (place, heading) = ([x, y, z], [u, v, w]);
            let velocity = stretch(heading, length(heading), speed);
            individuals.push(number, place, velocity);
        }
        if has_lives {
            individuals.add_lives(&rules, 0, step);
        }
        if let Some(habitat) = self.habitat() {
            individuals.free_from_rock(&habitat);
        }
        Ok(count as u64)
    }

    /// Moves individuals and falcons out of rock, if the habitat has a gap field. Returns the number of moved
    /// individuals and falcons.
    pub(super) fn free(&mut self, swarm: &mut Swarm) -> usize {
        match swarm {
            Swarm::Individuals(individuals, columns) => {
                self.habitat().map_or(0, |habitat| falcons::free_from_rock(individuals, columns, &habitat))
            }
            Swarm::Cells(state) => free_in_cells(Falcon::all_of_mut(&mut state.columns), &self.preset.world),
        }
    }

    /// Moves the present individuals and falcons out of rock. A remark has their number. Cells are not read if all
    /// falcons are free.
    pub(super) fn leave_solids(&mut self) -> Result<(), Failure> {
        match self.habitat() {
            Some(habitat) if !habitat.is_swept() => return Ok(()),
            Some(_) => {}
            None => {
                let mut falcons = self.engine.read(FalconsReading)?;
                if free_in_cells(&mut falcons, &self.preset.world) == 0 {
                    return Ok(());
                }
            }
        }
        let mut swarm = self.engine.read(SwarmReading)?;
        let moved = self.free(&mut swarm);
        if moved > 0 {
            self.engine.set_swarm(&swarm)?;
            let who = if matches!(swarm, Swarm::Individuals(..)) { "individuals" } else { "falcons" };
            self.engine.remarks.push(format!("{moved} {who} were moved out of solids"));
        }
        Ok(())
    }

    /// The distances between the individuals of a swarm and rock; `None`: the swarm is of cells, or the habitat has no
    /// gap field.
    pub fn rock_measures(&mut self, swarm: &Swarm) -> Option<RockMeasures> {
        RockMeasures::new(&self.habitat()?, swarm.individuals()?)
    }

    /// The reading of the individuals' lives with the present rules; `None`: individuals have no lives.
    pub fn population_reading(&self) -> Option<PopulationReading> {
        self.life_rules()?;
        Some(PopulationReading { rules: self.life_rules_by_species().into_iter().map(|(_, rules)| rules).collect() })
    }

    /// Measures of the individuals' lives in a swarm that was read before; `None`: individuals have no lives.
    pub fn life_measures(&self, swarm: &Swarm) -> Option<PopulationMeasures> {
        Some(PopulationMeasures::new(swarm.individuals()?, &self.population_reading()?.rules))
    }

    /// Records all lives from now on, for [`Self::lineage`]. The present individuals are the founders. If a brush or an
    /// undo changes the individuals, the record starts again.
    ///
    /// # Errors
    /// If individuals have no lives, the device fails, or it has too little memory for the ends of lives.
    pub fn record_lineage(&mut self) -> Result<(), Failure> {
        self.begin_lineage(true)
    }

    /// Records the living and their parents from now on, for [`Self::lineage`]. The record drops all others, so its
    /// size is bounded.
    ///
    /// # Errors
    /// As [`Self::record_lineage`].
    pub fn record_the_living(&mut self) -> Result<(), Failure> {
        self.begin_lineage(false)
    }

    fn begin_lineage(&mut self, is_whole: bool) -> Result<(), Failure> {
        if self.life_rules().is_none() {
            let problem =
                format!("in the preset `{}` nobody has a life, so that there is no family tree", self.preset.name);
            let cure = "take a preset of lives such as evolve or moods, \
                        or give individuals lives by lives.rebirth = \"starved\"";
            return Err(BadInput::new("the lineage", problem, cure).into());
        }
        self.engine.record_lineage(is_whole)
    }

    /// Updates the record to the present step, and waits for it.
    ///
    /// # Errors
    /// If the device fails.
    pub fn update_lineage(&mut self) -> Result<(), Failure> {
        self.engine.update_lineage()
    }

    /// Ends the record of [`Self::record_lineage`].
    pub fn end_lineage(&mut self) {
        self.engine.end_lineage();
    }

    /// The record of all lives up to its [step](Lineage::until); `None`: there was no request for a record.
    pub fn lineage(&self) -> Option<&Lineage> {
        self.engine.lineage.as_ref()
    }

    /// The name and the rules of lives of every species. Without lives, a species has the rules of still lives. A
    /// single species has no name.
    pub fn life_rules_by_species(&self) -> Vec<(&str, LifeRules)> {
        let names = self.preset.species.iter().map(|own| own.name.as_str()).chain([""]);
        let rules = self.preset.individuals.iter().flat_map(|model| &model.rules);
        names.zip(rules.map(|rules| rules.lives.unwrap_or(LifeRules::still()))).collect()
    }

    /// The rules of lives of the first species with lives; `None`: no species has lives.
    pub fn life_rules(&self) -> Option<&LifeRules> {
        self.preset.individuals.as_ref()?.rules.iter().find_map(|rules| rules.lives.as_ref())
    }

    /// Removes and returns the individuals in these columns.
    pub(super) fn take_individuals(&self, individuals: &mut Individuals, columns: &[usize]) -> Individuals {
        let extents = self.preset.world.extents;
        let mut is_touched = vec![false; extents.cells()];
        columns.iter().for_each(|column| is_touched[*column] = true);
        let width = extents.width as usize;
        let column = |position: [i32; 3]| {
            let [x, y] = [0, 1].map(|axis| (position[axis] >> PLACE_BITS) as usize);
            y * width + x
        };
        let mut lifted = Individuals::default();
        individuals.take(|individuals, index| is_touched[column(individuals.position(index))], &mut lifted);
        lifted
    }
}
