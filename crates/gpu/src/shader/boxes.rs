//! The shaders of the sums over boxes: down the columns of the lattice, then along its rows.

use super::{Value, accessor, shared_text, world_declarations};
use crate::engine::Dispatch;
use crate::library::Library;
use crate::shader::{COMPUTE_ENTRY, Setting};
use crate::world::{Edges, Extents};
use std::collections::BTreeMap;

/// The cells that one invocation marches along.
pub const MARCH: u32 = 64;
/// The invocations of a workgroup.
pub const WORKGROUP: u32 = 64;

/// What the sums are made along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Along {
    /// Of what cells perceive. Binds the parameters, the density, the control vector and the target.
    Columns,
    /// Of what came of the columns. Binds the parameters, that and the target.
    Rows,
}

impl Along {
    /// The workgroups of a dispatch: (across the marches, along them).
    pub fn workgroups(self, extents: Extents) -> [u32; 2] {
        let (across, along) = match self {
            Along::Columns => (extents.width, extents.height),
            Along::Rows => (extents.height, extents.width),
        };
        [across.div_ceil(WORKGROUP), along.div_ceil(MARCH)]
    }
}

/// The whole shader of the sums over a box of this reach, for cohesion (rule 0) or alignment (rule 2). What comes of the
/// rows is (Σ p, Σ x·p, Σ y·p, 0) or (Σ p, Σ x·p, Σ p·V_x, Σ p·V_y); the columns of alignment do for both.
pub fn assemble_boxes(
    library: &Library,
    rule: usize,
    reach: i32,
    along: Along,
    extents: Extents,
    edges: Edges,
) -> String {
    let dispatch = Dispatch::Compute { workgroup: [WORKGROUP, 1] };
    let setting = Setting { library: *library, extents, edges, sights: &BTreeMap::new(), dispatch, capacity: None };
    let accessor = |name, binding, value| accessor(name, binding, value, Some(reach as u32 + 1), setting);
    let (axis, across, fields, addend) = match along {
        Along::Columns => (
            "0, 1",
            "Cell(i32(id.x), i32(id.y) * MARCH)",
            format!("{}\n{}", accessor("density", 1, Value::Amount), accessor("control", 2, Value::Vector)),
            match rule {
                0 => "vec4<i32>(perceive(density(cell)), 0, 0, 0)",
                _ => "vec4<i32>(perceive(density(cell)) * vec4<i32>(1, 0, to_q10(control(cell))))",
            },
        ),
        Along::Rows => (
            "1, 0",
            "Cell(i32(id.y) * MARCH, i32(id.x))",
            accessor("columns", 1, Value::Sums),
            match rule {
                0 => "columns(cell).xwyw * vec4<i32>(1, 0, 1, 0)",
                _ => "columns(cell) * vec4<i32>(1, 0, 1, 1)",
            },
        ),
    };
    let target = if along == Along::Columns { 3 } else { 2 };
    format!(
        "{}{}const REACH = {reach};\nconst AXIS = Cell({axis});\nconst MARCH = {MARCH};\n{fields}\n\
         fn addend(cell: Cell) -> vec4<i32> {{\n    return {addend};\n}}\n\
         @group(0) @binding({target}) var sums_target: texture_storage_2d<rgba32sint, write>;\n\
         fn store(cell: Cell, sums: vec4<i32>) {{\n    textureStore(sums_target, cell, sums);\n}}\n\
         @compute @workgroup_size({WORKGROUP}, 1)\n\
         fn {COMPUTE_ENTRY}(@builtin(global_invocation_id) id: vec3<u32>) {{\n    let start = {across};\n    \
         if (inside(start)) {{ march(start, min(MARCH, dot(EXTENT - start, AXIS))); }}\n}}\n{}",
        library.shader("perception/boxes"),
        world_declarations(extents, edges),
        shared_text(library, "")
    )
}
