//! The compiled module of the Python package `murmuration`: simulations, sweeps, atlases and comparisons. The package
//! in `python/murmuration` documents them for users. The functions here only convert and pass on values.

mod account;
mod arguments;
mod arrays;
mod batch;
mod comparison;
mod errors;
mod film;
mod preset;
mod shared;
mod simulation;
mod studies;
mod values;
mod work;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    use super::*;

    #[pymodule_export]
    use super::batch::Batch;
    #[pymodule_export]
    use super::comparison::compare;
    #[pymodule_export]
    use super::errors::{BadInput, DeviceError};
    #[pymodule_export]
    use super::film::Film;
    #[pymodule_export]
    use super::preset::check;
    #[pymodule_export]
    use super::simulation::Simulation;
    #[pymodule_export]
    use super::studies::{atlas, reproduce, sweep};
    #[pymodule_export]
    use super::values::{png_record, toml_of, toml_value, value_of_toml};

    #[pymodule_export]
    const BOID: u32 = murmuration::BOID;
    #[pymodule_export]
    const ONE: i32 = murmuration::ONE;
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    const LIFE_COLUMNS: [(&str, f64); 11] = murmuration::observe::features::LIFE_COLUMNS;

    /// The unit of a column of metrics, such as `cells/step`. `1` for a number without a unit.
    #[pyfunction]
    fn unit_of(column: &str) -> &'static str {
        murmuration::observe::unit_of(column)
    }

    /// The name and the description of each built-in preset, in the order of the gallery.
    #[pyfunction]
    fn presets() -> Vec<(String, String)> {
        let described = murmuration_core::preset::descriptions(murmuration::host());
        described.map(|(name, description)| (name.to_owned(), description)).collect()
    }

    /// The text of a built-in preset, chain or kernel by its path, such as `presets/droplets.toml`. `None` if there is
    /// no such path.
    #[pyfunction]
    fn text_of(path: &str) -> Option<&'static str> {
        murmuration::LIBRARY.text(path)
    }

    /// All keys of presets, each a dictionary with kind, bounds, unit, default, documentation and cost of a change.
    #[pyfunction]
    fn keys(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let keys: Vec<_> = murmuration::keys::KEYS.iter().map(|key| values::of_key(key)).collect();
        values::to_python(py, &keys)
    }
}
