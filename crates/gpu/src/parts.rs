//! The passes of features, such as falcons and food, in the steps of engines, and the buffers of the columns of the
//! world.

use crate::FEATURES;
use crate::device::program::{STORAGE, buffer};
use crate::device::transfer::Words;
use crate::device::{DeviceFeature, DeviceStepPart, Gpu, IndividualBuffers};
use crate::falcons::{Falcons, RockBuffer};
use crate::lattice::Lattice;
use murmuration_core::error::Failure;
use murmuration_core::falcons::FALCONS;
use murmuration_core::individuals::Setup;
use murmuration_core::individuals::feature::WorldFeature;
use murmuration_core::state::{WorldColumn, WorldColumns};

/// The passes of several features, bound to buffers.
pub type Parts = Vec<Box<dyn DeviceStepPart>>;

/// The columns that [`DeviceColumns`] keeps. The other columns are kept by their features.
static ROWS: [&WorldColumn; 1] = [&FALCONS];

/// Columns of the world on a device, each in a buffer. A column without values has no buffer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DeviceColumns([Option<wgpu::Buffer>; ROWS.len()]);

impl DeviceColumns {
    fn iter(&self) -> impl Iterator<Item = (&'static WorldColumn, &wgpu::Buffer)> {
        ROWS.into_iter().zip(&self.0).filter_map(|(row, buffer)| Some((row, buffer.as_ref()?)))
    }

    pub fn words(&self) -> impl Iterator<Item = (&'static WorldColumn, Words<'_>)> {
        self.iter().map(|(row, buffer)| (row, Words::all_of(buffer)))
    }

    /// The buffer of a column. `None` if the column has no values.
    pub fn get(&self, row: &WorldColumn) -> Option<&wgpu::Buffer> {
        self.iter().find(|(own, _)| own.name == row.name).map(|(_, buffer)| buffer)
    }

    /// Buffers of these sizes in bytes. A buffer that already has the right size is reused.
    fn resized(&self, gpu: &Gpu, bytes_of: impl Fn(&WorldColumn) -> u64) -> Self {
        Self(std::array::from_fn(|index| {
            let (name, bytes) = (ROWS[index].name, bytes_of(ROWS[index]));
            let kept = self.0[index].clone().filter(|own| own.size() == bytes);
            kept.or_else(|| (bytes > 0).then(|| buffer(&gpu.device, name, bytes, STORAGE)))
        }))
    }

    /// Uploads columns. A column whose size has changed gets a new buffer.
    pub fn write(&self, gpu: &Gpu, columns: &WorldColumns) -> Self {
        let written = self.resized(gpu, |row| size_of_val(columns.words(row)) as u64);
        for (row, buffer) in written.iter() {
            gpu.queue().write_buffer(buffer, 0, bytemuck::cast_slice(columns.words(row)));
        }
        written
    }

    /// Encodes a copy of the columns `from`. A column whose size differs gets a new buffer.
    pub fn encode_copy(&self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, from: &Self) -> Self {
        let copy = self.resized(gpu, |row| from.get(row).map_or(0, wgpu::Buffer::size));
        for ((_, from), (_, to)) in from.iter().zip(copy.iter()) {
            encoder.copy_buffer_to_buffer(from, 0, to, 0, from.size());
        }
        copy
    }
}

/// The passes of features in the steps of cells, which are the passes of falcons, if there are any. `rock`: the
/// distance of each cell from rock, if the world has rock.
pub fn parts_of_cells(lattice: &Lattice, columns: &DeviceColumns, rock: Option<&RockBuffer>) -> Parts {
    columns.get(&FALCONS).map(|state| Box::new(Falcons::from_cells(lattice, state, rock)) as _).into_iter().collect()
}

/// The features of a world of individuals, each with its row of the table `FEATURES`.
fn features_of(setup: &Setup) -> impl Iterator<Item = (&'static DeviceFeature, &dyn WorldFeature)> {
    FEATURES.iter().filter_map(|row| Some((*row, &**setup.features.named(row.name)?)))
}

/// The passes of features in the steps of individuals: of falcons, if there are any, and of `setup.features`.
pub fn parts_of_individuals(
    gpu: &Gpu,
    columns: &DeviceColumns,
    individuals: IndividualBuffers<'_>,
    setup: &Setup,
) -> Parts {
    let falcons = columns.get(&FALCONS).map(|state| Falcons::from_individuals(individuals, gpu, state, &setup.habitat));
    let features = features_of(setup).map(|(row, feature)| (row.part)(gpu, individuals, feature));
    falcons.map(|falcons| Box::new(falcons) as _).into_iter().chain(features).collect()
}

/// The names of the buffers that the features of a world need, with their sizes in bytes.
///
/// # Errors
/// If the device cannot hold the buffers.
pub fn buffers_of_features(gpu: &Gpu, setup: &Setup) -> Result<Vec<(String, u64)>, Failure> {
    features_of(setup).map(|(row, feature)| Ok((row.name.to_string(), (row.bytes)(gpu, feature)?))).collect()
}

/// Checks that columns of the world have as many values as their features have cells.
///
/// # Errors
/// If a column has another number of values.
pub fn check_columns(columns: &WorldColumns, setup: &Setup) -> Result<(), Failure> {
    for DeviceFeature { name, .. } in FEATURES {
        let cells = setup.features.named(name).map_or(0, |feature| feature.cells());
        if columns.named(name).len() != cells {
            return Err(Failure::Broken(format!("the {name} of the individuals is in other cells")));
        }
    }
    Ok(())
}
