//! Features of a world of individuals: lattices beside them, such as food. `FEATURES` in `lib.rs` lists their rows.

use super::IndividualRules;
use super::step::StepPart;
use crate::error::{BadInput, Failure};
use crate::keys::KeyTable;
use crate::source::Source;
use crate::source::conflicts::Conflict;
use crate::state::{ColumnsReading, Entry, WorldColumn};
use crate::ticket::{AnyReadingSource, EngineReading, Ticket, reading};
use crate::world::{Space, World};
use std::any::Any;
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::Arc;

/// A feature of a world. Its preset and its engines share it.
pub type SharedFeature = Arc<dyn WorldFeature>;

/// The maximum amount that one application of a brush adds to a cell of a feature.
pub const MAX_BRUSH: u32 = 1 << 24;

/// A row of the table of features.
pub(crate) struct FeatureRow {
    /// The column of the state with the values of the feature.
    pub column: &'static WorldColumn,
    /// Adds the keys of the feature to the keys of a preset.
    pub add_keys: fn(KeyTable) -> KeyTable,
    /// The conflicts of the feature with other parts of a preset.
    pub conflicts: &'static [Conflict],
    /// Makes an example of the feature in a space. Checks of kernels use the example.
    pub example: fn(Space) -> SharedFeature,
    /// Reads the numbers of the feature for a species of individuals into the rules of the species.
    pub read_rules: fn(&Source, &mut IndividualRules) -> Result<(), BadInput>,
    /// Reads the feature from a preset; `None`: the world does not have it.
    pub read: fn(&FeatureSource<'_>) -> Result<Option<SharedFeature>, BadInput>,
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
    /// The column of the state with the values of the feature.
    fn column(&self) -> &'static WorldColumn;

    /// The words of the column before the first step.
    ///
    /// # Errors
    /// If the preset is wrong.
    fn start(&self, source: &Source) -> Result<Vec<u32>, BadInput>;

    /// The number of cells of the feature along each axis. Engines reuse their memory while this number is the same.
    fn extents(&self) -> [u32; 3];

    /// The size of a cell of the feature, in cells of the world along each axis. The last cells may lie partly beyond
    /// the world.
    fn size(&self) -> [u32; 3];

    /// The light of each cell in pictures from above, in bytes of red, green and blue; x fastest. Empty: not shown.
    fn light(&self, _words: &[u32]) -> Vec<[u8; 3]> {
        Vec::new()
    }

    /// Adds `amount` to each of the given cells, or empties the cells if `amount` is `None`. Returns the sum of the
    /// changes, and the entry of the account that counts them. Returns `None` if a brush cannot change the feature.
    fn brush(&self, _words: &mut [u32], _cells: &BTreeSet<usize>, _amount: Option<u32>) -> Option<(Entry, u64)> {
        None
    }

    /// Whether another feature is equal to this one.
    fn is_equal(&self, other: &dyn WorldFeature) -> bool;

    /// The part of a step on the CPU that the feature adds.
    fn step_part(self: Arc<Self>) -> Box<dyn StepPart>;
}

impl dyn WorldFeature {
    /// The number of cells of the feature.
    pub fn cells(&self) -> usize {
        self.extents().iter().map(|extent| *extent as usize).product()
    }

    /// The cells of the feature that lie in some columns of the world, at all z. Each cell occurs once. `columns`: the
    /// index x + y · `width` of each column. `width`: the number of columns along x.
    pub fn under(&self, columns: &[usize], width: usize) -> BTreeSet<usize> {
        let (size, extents) = (self.size(), self.extents().map(|extent| extent as usize));
        let cell = |column: usize| [column % width / size[0] as usize, column / width / size[1] as usize];
        let flat: BTreeSet<[usize; 2]> = columns.iter().map(|column| cell(*column)).collect();
        let along_z = |[x, y]: [usize; 2]| (0..extents[2]).map(move |z| (z * extents[1] + y) * extents[0] + x);
        flat.into_iter().flat_map(along_z).collect()
    }
}

/// The features of a world, in the order of their table.
#[derive(Debug, Clone, Default)]
pub struct WorldFeatures(pub Vec<SharedFeature>);

impl WorldFeatures {
    /// The feature with a name, if the world has it.
    pub fn named(&self, name: &str) -> Option<&SharedFeature> {
        self.0.iter().find(|feature| feature.column().name == name)
    }

    /// The name and the extents of each feature.
    pub fn sizes(&self) -> Vec<(&'static str, [u32; 3])> {
        self.0.iter().map(|feature| (feature.column().name, feature.extents())).collect()
    }
}

impl PartialEq for WorldFeatures {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(|(own, other)| own.is_equal(&**other))
    }
}

reading! {
    /// The words of a feature of the world by its name; empty if the world does not have the feature.
    FeatureReading {
        /// The name, such as `food`.
        name: &'static str,
    } -> Vec<u32>
}

impl EngineReading for FeatureReading {
    fn ask(self, engine: &mut dyn AnyReadingSource) -> Result<Ticket<Vec<u32>>, Failure> {
        Ok(ColumnsReading.ask(engine)?.map(move |columns| columns.named(self.name).to_vec()))
    }
}
