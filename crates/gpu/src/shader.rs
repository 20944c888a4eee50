//! Puts kernels together to whole shaders. The entry point, the bindings and the functions that read fields are
//! generated from a pass of an engine's plan.
//!
//! A kernel's file holds functions on `Cell` and `Vector` and no bindings. `writer` puts a shader together around the
//! file: the file's own text first, then the generated part and the shared files. The library naga checks the shaders
//! without a device.

pub(crate) mod check;
mod deposit;
mod individual;
pub(crate) mod lattice;
mod perception;
mod preprocessor;
mod structure;
mod volume;
mod window_sums;
pub mod workgroups;
pub(crate) mod world;
pub(crate) mod writer;

pub use check::{
    Replacement, check, check_kernel, is_cell_kernel, is_pixel_kernel, validate_kernel, validate_replacement,
    validate_text,
};
pub(crate) use deposit::add_individuals;
pub use deposit::{
    ACCOUNT_WORDS, CELL_SUMS, DepositConfig, DepositKernel, LIFE_NEEDS, LIFE_SUMS, LIVING, NOBODY, PLACE_SUMS,
    QueryNumbers, STORED_BODY_WGSL, StoredBody, assemble_deposit,
};
pub use individual::StoredIndividual;
pub use lattice::{assemble, assemble_caught, assemble_ledger, assemble_row_sums, ledger_rows, texture_of, words_of};
pub use perception::{SumMethod, alike, sight_table, strip, vector_table};
pub use preprocessor::{Definitions, Row};
pub(crate) use structure::structure;
pub use volume::{
    CROWD_PARTS, CROWD_TEXEL, PlaneNumbers, SLICE_BYTES, assemble_line, assemble_plane, assemble_volume, begin_crowd,
    crowd_size,
};
pub use window_sums::{SumAxis, assemble_blur, assemble_boxes, blur_lattice, blur_workgroups};
pub use world::ShaderConfig;
pub use writer::{Binding, BindingKind, Shader, stem_of};
