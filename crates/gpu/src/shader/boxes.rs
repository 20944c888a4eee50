//! The shaders of the sums over boxes: down the columns of the lattice, then along its rows.

use super::lattice::{Value, add_accessor, add_shared, add_world};
use super::{Shader, ShaderConfig};
use crate::engine::Dispatch;
use crate::library::Library;
use crate::world::{Edges, Extents};
use std::collections::BTreeMap;

/// The cells in a strip: one invocation sums along it.
pub const STRIP: u32 = 64;
/// The invocations of a workgroup.
pub const WORKGROUP: u32 = 64;

/// What the sums are made along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SumAxis {
    /// Sums of what cells perceive, from density and control vector.
    Columns,
    /// Sums of the sums along columns.
    Rows,
}

impl SumAxis {
    /// The workgroups of a dispatch: (across the strips, along them).
    pub fn workgroups(self, extents: Extents) -> [u32; 2] {
        let (across, along) = match self {
            Self::Columns => (extents.width, extents.height),
            Self::Rows => (extents.height, extents.width),
        };
        [across.div_ceil(WORKGROUP), along.div_ceil(STRIP)]
    }
}

/// The whole shader of the sums over a box of this reach, for cohesion (rule 0) or alignment (rule 2). The rows give
/// (Σ p, Σ x·p, Σ y·p, 0) or (Σ p, Σ x·p, Σ p·V_x, Σ p·V_y); the columns of alignment do for both.
pub fn assemble_boxes(
    library: &Library,
    rule: usize,
    reach: i32,
    axis: SumAxis,
    extents: Extents,
    edges: Edges,
) -> Shader {
    let dispatch = Dispatch::Compute { workgroup: [WORKGROUP, 1] };
    let config = ShaderConfig { library: *library, extents, edges, sights: &BTreeMap::new(), dispatch, capacity: None };
    let mut shader = Shader::new(library.shader("perception/boxes"));
    add_world(&mut shader, extents, edges);
    let fields: &[_] = match axis {
        SumAxis::Columns => &[("density", Value::Amount), ("control", Value::Vector)],
        SumAxis::Rows => &[("columns", Value::Sums)],
    };
    for (name, value) in fields {
        add_accessor(&mut shader, name, *value, Some(reach as u32 + 1), config);
    }
    let (step, start) = match axis {
        SumAxis::Columns => ("0, 1", "i32(id.x), i32(id.y) * STRIP"),
        SumAxis::Rows => ("1, 0", "i32(id.y) * STRIP, i32(id.x)"),
    };
    shader.constant("REACH", "i32", reach);
    shader.constant("AXIS", "Cell", format_args!("Cell({step})"));
    shader.constant("STRIP", "i32", STRIP);
    let addend = match (axis, rule) {
        (SumAxis::Columns, 0) => "vec4<i32>(perceive(density(cell)), 0, 0, 0)",
        (SumAxis::Columns, _) => "vec4<i32>(perceive(density(cell)) * vec4<i32>(1, 0, to_q10(control(cell))))",
        (SumAxis::Rows, 0) => "columns(cell).xwyw * vec4<i32>(1, 0, 1, 0)",
        (SumAxis::Rows, _) => "columns(cell) * vec4<i32>(1, 0, 1, 1)",
    };
    shader.add(format!("fn addend(cell: Cell) -> vec4<i32> {{\n    return {addend};\n}}"));
    shader.target("sums_target", "rgba32sint");
    shader.add("fn store(cell: Cell, sums: vec4<i32>) {\n    textureStore(sums_target, cell, sums);\n}");
    shader.compute_entry(
        [WORKGROUP, 1],
        &format!(
            "    let start = Cell({start});\n    \
             if (inside(start)) {{ fill_strip(start, min(STRIP, dot(EXTENT - start, AXIS))); }}\n"
        ),
    );
    add_shared(&mut shader, library, "");
    shader
}
