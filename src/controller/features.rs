//! Features of the world in a scene, such as lives and food, and the origin of a probed individual's life.

use murmuration_core::error::Failure;
use murmuration_core::individuals::feature::WorldFeatures;
use murmuration_core::lives::{Life, LifeRules};
use murmuration_core::preset::keys::Section;
use murmuration_core::simulation::Simulation;
use murmuration_core::simulation::probe::IndividualProbe;

/// The features of a scene: lives, species and features of the world.
#[derive(Debug, Clone)]
pub struct SceneFeatures {
    /// The rules of the lives of individuals, from the first species that has lives. `None`: no species has lives.
    pub lives: Option<LifeRules>,
    /// The names of all species, in the order of the preset's text.
    pub species_names: Vec<String>,
    /// The name of each species and the rules of its lives. Empty unless there are several species of individuals.
    pub species: Vec<(String, Option<LifeRules>)>,
    /// The features of a world of individuals, such as food.
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

    /// Whether the panel of the window shows a section. The sections of lives and food need the feature.
    pub fn has(&self, section: Section) -> bool {
        match section {
            Section::Lives => self.lives.is_some(),
            Section::Food => self.of_world.named("food").is_some(),
            _ => true,
        }
    }

    /// The rules of the species to which a life belongs. `None` if the species has no lives.
    pub fn rules_of(&self, life: &Life) -> Option<LifeRules> {
        self.species.get(usize::from(life.species)).map_or(self.lives, |(_, rules)| *rules)
    }

    /// The name of the species of a life. `None` unless there are several species of individuals.
    pub fn species_of(&self, life: &Life) -> Option<&str> {
        self.species.get(usize::from(life.species)).map(|(name, _)| name.as_str())
    }
}

/// The birth and the parent of a life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LifeOrigin {
    /// The step at which the life began. If `is_older`, the step at which the record of lives began, before which the
    /// life may have begun.
    pub born: u64,
    pub is_older: bool,
    /// The number of the parent. An individual that is reborn from its last life has its own number here. `None` if the
    /// parent is not known.
    pub parent: Option<u32>,
}

impl LifeOrigin {
    /// The origin of a probed individual's life. `None` if the record of lives does not contain the life.
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

/// Records the living individuals and their parents while the user probes an individual, if individuals have lives.
/// Ends the record otherwise.
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
