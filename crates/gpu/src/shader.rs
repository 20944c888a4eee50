//! Whole shaders around kernels: entry points, bindings and accessors are generated from a pass of the plan.
//!
//! A kernel's file holds functions on `Cell` and `Vector` and no bindings. `writer` puts a shader together around it:
//! its own text first, then the generated part and the shared files. Everything is checked here by naga, without a device.

mod check;
mod lattice;
mod perception;
mod writer;

pub use check::{check, check_kernel, check_shared, is_cell_kernel, is_shared, validate_kernel, validate_text};
pub use lattice::{
    ShaderConfig, assemble, assemble_caught, assemble_column_sums, assemble_ledger, assemble_row_sums, ledger_rows,
    words_of,
};
pub use perception::{
    SumAxis, SumMethod, alike, assemble_blur, assemble_boxes, blur_lattice, blur_workgroups, sight_table, strip, vector_table,
};
pub use writer::{Binding, BindingKind, Shader};
