//! The passes before `behaviour`: sums over boxes, and the blurred density of a contrast. The sums slide, so their cost
//! does not depend on the radius.

use super::workgroups::WORKGROUP;
use super::world::{Value, add_fields, add_world, wrap};
use super::{Row, Shader, ShaderConfig};
use crate::atlas::Atlas;
use murmuration_core::chain::table::Model;
use murmuration_core::engine::Dispatch;
use murmuration_core::host::library::Library;
use murmuration_core::world::{Edges, Extents};

/// The number of cells in a strip of a box sum. One invocation sums along a strip.
pub const SUM_STRIP: u32 = 64;

/// The axis along which a pass sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SumAxis {
    /// Along the columns of the lattice. The summands come from the density and the control vector.
    Columns,
    /// Along the rows of the lattice. The summands are the sums along the columns.
    Rows,
}

impl SumAxis {
    /// The workgroups of a dispatch in a flat world, perpendicular to the strips and along them.
    pub fn workgroups(self, extents: Extents) -> [u32; 3] {
        let (across, along) = match self {
            Self::Columns => (extents.width, extents.height),
            Self::Rows => (extents.height, extents.width),
        };
        [across.div_ceil(WORKGROUP), along.div_ceil(SUM_STRIP), 1]
    }
}

/// The whole shader of the sums along an axis over a box, for cohesion (rule 0) or alignment (rule 2). The box extends
/// `reach` cells from its middle. Let p be the perceived density of a cell, (x, y) the offset of the cell from the
/// middle, and V its control vector. For cohesion the sums along rows are (Σ p, Σ x·p, Σ y·p, 0). For alignment they
/// are (Σ p, Σ x·p, Σ p·V_x, Σ p·V_y). The sums of alignment along columns serve both rules.
pub fn assemble_boxes(
    library: &Library,
    rule: usize,
    reach: i32,
    axis: SumAxis,
    extents: Extents,
    edges: Edges,
) -> Shader {
    let dispatch = Dispatch::Compute { workgroup: [WORKGROUP, 1] };
    let config = ShaderConfig { dispatch, ..ShaderConfig::plain(library, extents, edges) };
    let conditions = [("ALONG_ROWS", axis == SumAxis::Rows), ("OF_COHESION", rule == 0)];
    let mut shader = Shader::new(library, "perception/boxes", conditions);
    add_world(&mut shader, library, extents, edges);
    let fields: &[_] = match axis {
        SumAxis::Columns => &[("density", Value::Amount), ("control", Value::Vector)],
        SumAxis::Rows => &[("columns", Value::Sums)],
    };
    add_fields(&mut shader, fields, Some(reach as u32 + 1), config);
    let step = if axis == SumAxis::Rows { "1, 0" } else { "0, 1" };
    shader.constant("REACH", "i32", reach);
    shader.constant("AXIS", "Cell", format_args!("Cell({step})"));
    shader.constant("SUM_STRIP", "i32", SUM_STRIP);
    shader.constant("WORKGROUP", "u32", WORKGROUP);
    shader.target("sums_target", "rgba32sint");
    shader.import_shared(library, Model::Cell, extents.axes());
    shader
}

/// The lattice of the sums of a contrast, and its margin in cells before the first cell of the world. Between walls the
/// cells just beyond each edge have sums too, for the contrast of the outermost cells.
pub fn blur_lattice(extents: Extents, edges: Edges) -> (Extents, u32) {
    let margin = u32::from(edges == Edges::Walls);
    let Extents { width, height, depth } = extents;
    let wider = |extent| extent + 2 * margin;
    (Extents { width: wider(width), height: wider(height), depth: depth.map(wider) }, margin)
}

/// Adds the function `blurred`, which looks up the sums of a cell. `read`: the name of the texture, and the maximum
/// distance of the cell from the lattice in cells.
pub fn add_blurred(shader: &mut Shader, read: Option<(&str, u32)>, config: ShaderConfig<'_>) {
    let (lattice, margin) = blur_lattice(config.extents(), config.edges);
    shader.constant("BLUR_MARGIN", "i32", margin);
    shader.constant("BLUR_COLUMNS", "u32", Atlas::new(lattice).columns);
    let row = |(texture, reach)| {
        shader.texture(texture, "u32");
        Row::new([("texture", &texture), ("wrap", &wrap(config.extents(), Some(reach)))])
    };
    let rows = read.map(row);
    shader.list("BLURRED", rows);
    shader.import(&config.library, "perception/blurred");
}

/// The length of a strip along an axis with this extent, in cells.
fn blur_strip(extent: u32) -> u32 {
    extent.div_ceil(extent.div_ceil(SUM_STRIP))
}

/// The workgroups that blur along an axis. `axis`: the index of the axis.
pub fn blur_workgroups(extents: Extents, edges: Edges, axis: usize) -> [u32; 3] {
    let [width, height, slices] = blur_lattice(extents, edges).0.along_axes();
    let strips = |extent: u32| extent.div_ceil(blur_strip(extent));
    match axis {
        0 => [height.div_ceil(WORKGROUP), strips(width), slices],
        1 => [width.div_ceil(WORKGROUP), strips(height), slices],
        _ => [width.div_ceil(WORKGROUP), strips(slices), height],
    }
}

/// The whole shader that blurs along one axis for a contrast. `radii`: the radii of the two boxes of the contrast.
/// `axis`: the index of the axis. The shader of axis 0 blurs the perceived density. Each later shader blurs the result
/// of the shader before.
pub fn assemble_blur(library: &Library, radii: [i32; 2], axis: usize, extents: Extents, edges: Edges) -> Shader {
    let dispatch = Dispatch::Compute { workgroup: [WORKGROUP, 1] };
    let config = ShaderConfig { dispatch, ..ShaderConfig::plain(library, extents, edges) };
    let mut shader = Shader::new(library, "perception/blur", [("ALONG_X", axis == 0), ("ALONG_Y", axis == 1)]);
    add_world(&mut shader, library, extents, edges);
    let (reach, (lattice, margin)) = (radii[0] + radii[1], blur_lattice(extents, edges));
    let farthest = reach as u32 + 2 + margin;
    if axis == 0 {
        add_fields(&mut shader, &[("density", Value::Amount)], Some(farthest), config);
    }
    add_blurred(&mut shader, (axis > 0).then_some(("blurred_texture", farthest)), config);
    let axes = extents.axes();
    let unit = (0..axes).map(|own| i32::from(own == axis).to_string()).collect::<Vec<_>>().join(", ");
    shader.constant("AXIS", "Cell", format_args!("Cell({unit})"));
    shader.constant("REACH", "i32", reach);
    shader.constant("RAMP", "i32", 2 * radii[0].min(radii[1]) + 1);
    shader.constant("STRIP", "u32", blur_strip(lattice.along_axes()[axis]));
    shader.constant("WORKGROUP", "u32", WORKGROUP);
    shader.target("sums_target", "r32uint");
    shader.import_shared(library, Model::Cell, axes);
    shader
}
