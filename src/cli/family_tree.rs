//! The option `--lineage`: writes the family tree of a run.

use super::options::one_of;
use crate::run::{Moment, Observer, RunTime};
use murmuration_core::error::{BadInput, Failure};
use murmuration_core::lives::lineage::{Lineage, TreeNodes};
use murmuration_core::simulation::Simulation;
use murmuration_core::text::readable::grouped;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// The options of the family tree.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct FamilyTree {
    /// Write the family tree of individuals with lives: a Newick file, or a table of all lives if the name ends in .csv
    #[arg(long = "lineage", value_name = "FILE.nwk")]
    pub path: Option<PathBuf>,
    /// The lives that are nodes of the Newick file: all of them, or those at branchings and ends (branching), whose
    /// branches then have the lengths of all lives between them; programs that know no nodes of a single child need the
    /// latter
    #[arg(long = "lineage-nodes", value_name = "NODES", requires = "path")]
    #[arg(default_value = "all", value_parser = one_of(&TREE_NODES))]
    nodes: TreeNodes,
}

/// The option, for messages.
pub const OPTION: &str = "--lineage";
/// The values of `--lineage-nodes`.
const TREE_NODES: [(&str, TreeNodes); 2] = [("all", TreeNodes::All), ("branching", TreeNodes::Branching)];

fn is_table(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"))
}

impl FamilyTree {
    /// Begins to record lives in the simulation, if the options name a file.
    ///
    /// # Errors
    /// If the options contradict each other, individuals have no lives, or the device fails.
    pub fn begin(&self, simulation: &mut Simulation) -> Result<(), Failure> {
        let Some(path) = &self.path else { return Ok(()) };
        if is_table(path) && self.nodes == TreeNodes::Branching {
            let (problem, cure) = ("a table has all lives, and no nodes", "take it away, or name a Newick file");
            return Err(BadInput::new("--lineage-nodes branching", problem, cure).into());
        }
        simulation.record_lineage().map_err(|failure| match failure {
            Failure::BadInput(wrong) => BadInput { origin: format!("{OPTION} {}", path.display()), ..wrong }.into(),
            other => other,
        })
    }

    /// The path of the file, its text, and an entry for its record: the units of the columns or branches. `None` if the
    /// options name no file.
    pub fn file(&self, simulation: &Simulation) -> Option<(&Path, String, Map<String, Value>)> {
        let (path, lineage) = self.path.as_deref().zip(simulation.lineage())?;
        let rules = simulation.life_rules_by_species();
        let (text, columns) = if is_table(path) {
            (lineage.table(&rules), Lineage::columns(rules.len() > 1))
        } else {
            (lineage.newick(self.nodes), vec![("branch", "step")])
        };
        let units = columns.into_iter().map(|(name, unit)| (name.to_owned(), unit.into()));
        Some((path, text, Map::from_iter([("columns".to_owned(), Value::Object(units.collect()))])))
    }

    /// A line of text for the user about the written file. `None` if the options name no file.
    pub fn line(&self, simulation: &Simulation) -> Option<String> {
        let (path, lineage) = self.path.as_ref().zip(simulation.lineage())?;
        let [lives, generations] = [lineage.len() as u64, lineage.generations().into()].map(grouped);
        Some(format!("{lives} lives in {generations} generations in {}", path.display()))
    }
}

impl Observer for &FamilyTree {
    fn until_due(&self, _: RunTime) -> u64 {
        u64::MAX
    }

    fn observe(&mut self, _: &mut Moment<'_>) -> Result<(), Failure> {
        Ok(())
    }

    /// Writes the family tree. If the last lives cannot be read, writes the tree of the lives before.
    fn finish(&mut self, moment: &mut Moment<'_>) -> Result<(), Failure> {
        let updated = moment.model.update_lineage();
        if let Some((path, text, columns)) = self.file(moment.model) {
            moment.write_result(path, columns, |to| to.write_all(text.as_bytes()))?;
        }
        updated
    }
}
