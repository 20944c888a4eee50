//! The tables of the models.

use super::table::{Model, ModelTable};
use super::{cells, individuals, look};

impl Model {
    /// All models.
    pub const ALL: [Self; 3] = [Self::Cell, Self::Individuals, Self::Look];

    /// The properties of the model.
    pub fn table(self) -> &'static ModelTable {
        match self {
            Self::Cell => &cells::TABLE,
            Self::Individuals => &individuals::TABLE,
            Self::Look => &look::TABLE,
        }
    }

    /// The name of the model in chains and presets.
    pub fn name(self) -> &'static str {
        self.table().name
    }

    /// The model with this name. Individuals have two names: `agents` and `individuals`.
    pub fn named(name: &str) -> Option<Self> {
        let name = if name == "individuals" { individuals::TABLE.name } else { name };
        Self::ALL.into_iter().find(|model| model.name() == name)
    }
}
