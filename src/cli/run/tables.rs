//! The files that a run writes at its end, each with its record beside it.

use super::{Elsewhere, Run};
use crate::files::{folder_of, write_somewhere};
use crate::observe::{TrajectoryFormat, column_units, metrics_table};
use crate::provenance::record_path;
use murmuration_core::error::Failure;
use serde_json::{Map, Value};
use std::io::{self, Write};
use std::path::Path;

/// What a run writes at its end. Each function returns where files are that are not at their paths, and why.
impl Run<'_> {
    /// Writes the metrics.
    pub(super) fn write_metrics(&mut self) -> Result<Vec<Elsewhere>, Failure> {
        let Some(path) = &self.outputs.metrics else { return Ok(Vec::new()) };
        let table = metrics_table(&self.metrics);
        let columns = Map::from_iter([("columns".to_owned(), column_units(&self.metrics))]);
        self.write_result(path, columns, |to| to.write_all(&table))
    }

    /// Writes the statistics, which have their record in them.
    pub(super) fn write_statistics(&mut self) -> Result<Vec<Elsewhere>, Failure> {
        let Some(path) = &self.outputs.statistics else { return Ok(Vec::new()) };
        let text = self.provenance().text_beside(self.simulation.step(), self.statistics.describe());
        Ok(write_somewhere(path, |to| to.write_all(text.as_bytes()))?.into_iter().collect())
    }

    /// Writes the trajectories up to the last step, if any step was stored.
    pub(super) fn write_trajectories(&mut self) -> Result<Vec<Elsewhere>, Failure> {
        let trajectories = self.trajectories.take().filter(|trajectories| !trajectories.is_empty());
        let Some((path, mut trajectories)) = self.outputs.trajectories.as_ref().zip(trajectories) else {
            return Ok(Vec::new());
        };
        let format = TrajectoryFormat::from_path(path)?;
        self.write_result(path, trajectories.describe(), |to| trajectories.write(format, folder_of(path), to))
    }

    /// Writes the family tree.
    pub(super) fn write_tree(&mut self) -> Result<Vec<Elsewhere>, Failure> {
        let file = self.outputs.tree.file(&self.simulation);
        let Some((path, text, columns)) = file else { return Ok(Vec::new()) };
        self.write_result(path, columns, |to| to.write_all(text.as_bytes()))
    }

    /// Writes a result, and its record with more beside it.
    fn write_result(
        &mut self,
        path: &Path,
        more: Map<String, Value>,
        write: impl FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Vec<Elsewhere>, Failure> {
        let result = write_somewhere(path, write)?;
        let place = result.as_ref().map_or(path, |(place, _)| place);
        let text = self.provenance().text_beside(self.simulation.step(), more);
        let beside = record_path(place).map(|path| write_somewhere(&path, |to| to.write_all(text.as_bytes())));
        Ok(result.into_iter().chain(beside.transpose()?.flatten()).collect())
    }
}
