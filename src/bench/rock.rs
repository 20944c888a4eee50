//! Rows without steps: the speed at which rock, its gap field or its mesh is made.

use super::families::{RockWork, Row};
use super::figures::{Figures, TimedRow, Timing};
use murmuration_core::error::Failure;
use murmuration_core::lanes::InstructionSet;
use murmuration_core::parallel::ThreadPool;
use murmuration_core::terrain::mesh::surface;
use murmuration_core::terrain::{MAX_GAP, Terrain, gaps};
use murmuration_core::world::{Edges, Extents, ScalarField};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// A row of rock that is measured.
pub struct TimedRock {
    work: RockWork,
    pool: ThreadPool,
    terrain: Terrain,
    edges: Edges,
    field: Arc<ScalarField>,
    rock: Vec<bool>,
    /// The number of voxels of the field, or of triangles of the mesh.
    many: u64,
}

impl TimedRock {
    /// Makes the rock of a row.
    ///
    /// # Errors
    /// If the preset has no rock, or threads are not available.
    pub fn new(row: &Row, work: RockWork) -> Result<Self, Failure> {
        let preset = row.scenario.preset()?;
        let (Some(terrain), Some(field)) = (preset.terrain().cloned(), preset.world.rock.clone()) else {
            return Err(Failure::Broken("the row has no rock".into()));
        };
        let pool = ThreadPool::new(Some(row.setup.threads().unwrap_or(1)), "rock")?;
        let many = match work {
            RockWork::Mesh => surface(&field).iter().map(|chunk| chunk.triangles.len() as u64).sum(),
            _ => field.extents.cells() as u64,
        };
        Ok(Self { work, pool, terrain, edges: preset.world.edges, rock: field.rock(), field, many })
    }
}

impl TimedRow for TimedRock {
    fn play(&mut self, times: u64) -> Result<f64, Failure> {
        let Self { work, terrain, edges, field, rock, .. } = self;
        let extents: Extents = field.extents;
        let begun = Instant::now();
        self.pool.install(|| {
            for _ in 0..times {
                match work {
                    RockWork::Field => drop(black_box(terrain.field(extents, *edges, [0; 3]))),
                    RockWork::Gaps => drop(black_box(gaps(extents, *edges, black_box(rock), MAX_GAP))),
                    RockWork::Mesh => drop(black_box(surface(black_box(field)))),
                }
            }
        });
        Ok(begun.elapsed().as_secs_f64())
    }

    fn figures(&mut self, of: Timing<'_>, _: &mut dyn FnMut() -> bool) -> Result<Option<Figures>, Failure> {
        let Timing { row, times, .. } = of;
        Ok(Figures::of_times(times, self.many, format!("{}, {}", row.setup.name(), InstructionSet::widest())))
    }
}
