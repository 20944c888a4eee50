//! Features of a scene and of its probe.

use murmuration_core::error::Failure;
use murmuration_core::individuals::feature::WorldFeatures;
use murmuration_core::lives::{Life, LifeRules};
use murmuration_core::preset::keys::Section;
use murmuration_core::simulation::Simulation;
use murmuration_core::simulation::probe::IndividualProbe;

/// The features of a scene.
#[derive(Debug, Clone)]
pub struct SceneFeatures {
    /// The rules of lives; `None`: individuals have no lives.
    pub lives: Option<LifeRules>,
    /// The names of all species, in the order of the preset's text.
    pub species_names: Vec<String>,
    /// The name and the rules of lives of each species, if there are several species of individuals.
    pub species: Vec<(String, Option<LifeRules>)>,
    /// The features of the world of individuals.
    pub of_world: WorldFeatures,
}

impl SceneFeatures {
    /// The features of a simulation.
    pub fn new(simulation: &Simulation) -> Self {
        let preset = simulation.preset();
        let model = preset.individuals.iter().filter(|model| model.rules.len() > 1);
        let rules = model.flat_map(|model| &model.rules).map(|rules| rules.lives);
        Self {
            lives: simulation.life_rules().copied(),
            species_names: preset.species_names(),
            species: preset.species.iter().map(|own| own.name.clone()).zip(rules).collect(),
            of_world: preset.features.clone(),
        }
    }

    /// Whether the panel has a section. Some sections need a feature.
    pub fn has(&self, section: Section) -> bool {
        match section {
            Section::Lives => self.lives.is_some(),
            Section::Food => self.of_world.named("food").is_some(),
            _ => true,
        }
    }

    /// The rules of a life; `None`: its species has no lives.
    pub fn rules_of(&self, life: &Life) -> Option<LifeRules> {
        self.species.get(usize::from(life.species)).map_or(self.lives, |(_, rules)| *rules)
    }

    /// The name of the species of a life, if there are several.
    pub fn species_of(&self, life: &Life) -> Option<&str> {
        self.species.get(usize::from(life.species)).map(|(name, _)| name.as_str())
    }
}

/// The beginning and the parent of a life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LifeOrigin {
    /// The step at which the life began, or at which the record of lives began: then the life may be older.
    pub born: u64,
    pub is_older: bool,
    /// The number of its parent. An individual that was born again as itself has its own number here.
    pub parent: Option<u32>,
}

impl LifeOrigin {
    /// The origin of a probed individual's life; `None`: the record does not contain it.
    pub fn new(simulation: &Simulation, probe: &IndividualProbe) -> Option<Self> {
        let (lineage, number, step) = (simulation.lineage()?, probe.individual.number, probe.step);
        if lineage.until() < step {
            return None;
        }
        let life = lineage.life(lineage.last_of(number)?);
        let parent = life.parent.map(|parent| lineage.life(parent).number);
        (life.born <= step).then_some(Self { born: life.born, is_older: parent.is_none() && life.born > 0, parent })
    }
}

/// Records the living and their parents while an individual is probed, if it has a life.
///
/// # Errors
/// If the device fails.
pub fn follow_probe(simulation: &mut Simulation, is_probed: bool) -> Result<(), Failure> {
    if !is_probed {
        simulation.end_lineage();
    } else if simulation.life_rules().is_some() && simulation.lineage().is_none() {
        simulation.record_the_living()?;
    }
    Ok(())
}
