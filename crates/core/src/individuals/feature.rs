//! Features of a world of individuals: lattices beside them, such as food. `FEATURES` in `lib.rs` lists their rows.

use super::step::StepPart;
use crate::error::BadInput;
use crate::keys::KeyTable;
use crate::source::Source;
use crate::source::conflicts::Conflict;
use crate::state::WorldColumn;
use crate::world::{Space, World};
use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

/// A row of the table of features.
pub(crate) struct FeatureRow {
    /// The column of its values.
    pub column: &'static WorldColumn,
    /// Adds its keys to the keys of a preset.
    pub add_keys: fn(KeyTable) -> KeyTable,
    /// Its conflicts with other parts of a preset.
    pub conflicts: &'static [Conflict],
    /// Reads it from a preset; `None`: the world does not have it.
    pub read: fn(&FeatureSource<'_>) -> Result<Option<Arc<dyn WorldFeature>>, BadInput>,
}

/// The parts of a preset that a feature is read from.
pub(crate) struct FeatureSource<'a> {
    /// The text of the preset with its settings.
    pub source: &'a Source,
    /// The seed of all chance.
    pub seed: u64,
    /// The space of the individuals.
    pub space: Space,
    /// The world with its rock and solids.
    pub world: &'a World,
}

/// A lattice that a world of individuals has beside them, such as food.
pub trait WorldFeature: Any + Debug + Send + Sync {
    /// The column of its values.
    fn column(&self) -> &'static WorldColumn;

    /// The words of the column before the first step.
    ///
    /// # Errors
    /// If the preset is wrong.
    fn start(&self, source: &Source) -> Result<Vec<u32>, BadInput>;

    /// The number of its cells along each axis. Engines keep their memory while it stays.
    fn extents(&self) -> [u32; 3];

    /// Whether another one is the same.
    fn is_equal(&self, other: &dyn WorldFeature) -> bool;

    /// Its part of a step on the CPU.
    fn step_part(self: Arc<Self>) -> Box<dyn StepPart>;

    /// The same value without its interface.
    fn into_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync>;
}

/// The features of a world, in the order of their table.
#[derive(Debug, Clone, Default)]
pub struct WorldFeatures(pub Vec<Arc<dyn WorldFeature>>);

impl WorldFeatures {
    /// The feature of a type, if the world has it.
    pub fn get<T: WorldFeature>(&self) -> Option<Arc<T>> {
        self.0.iter().find_map(|feature| feature.clone().into_any().downcast().ok())
    }

    /// The name and the extents of each.
    pub fn sizes(&self) -> Vec<(&'static str, [u32; 3])> {
        self.0.iter().map(|feature| (feature.column().name, feature.extents())).collect()
    }
}

impl PartialEq for WorldFeatures {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(|(own, other)| own.is_equal(&**other))
    }
}
