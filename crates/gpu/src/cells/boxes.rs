//! Sums over boxes of cells around each cell. The kernel `behaviour` reads them instead of single cells. They are
//! computed before this kernel, along the columns of the lattice and then along its rows. The sums for the contrast of
//! cohesion in a deep world (see `docs/model.md, Deep worlds`) are computed along x, y and z in turn.

use crate::atlas::Atlas;
use crate::device::program::{ComputeStep, Program, Resource, texture};
use crate::lattice::Lattice;
use crate::shader::{SumAxis, SumMethod, alike, assemble_blur, assemble_boxes, blur_lattice, blur_workgroups};
use murmuration_core::cells::numbers::Rules;
use murmuration_core::cells::sight::Sight;
use murmuration_core::chain::plan::{Plan, PlannedPass};
use murmuration_core::engine::Dispatch;

/// The compute dispatches that make the sums for one pass, and their results.
#[derive(Default)]
pub struct Boxes {
    sums: Vec<ComputeStep>,
    /// The texture with the sums of each rule, with the name of the variable in `behaviour`.
    pub views: Vec<(String, wgpu::TextureView)>,
}

/// The sights of a pass whose sums are computed before the pass by the method `way`, each with the indices of the rules
/// that use it. Only the kernel `behaviour` has such sights.
fn summed_before<'a>(
    plan: &Plan,
    pass: &PlannedPass,
    rules: &'a Rules,
    dispatch: Dispatch,
    way: SumMethod,
) -> Vec<(Vec<usize>, &'a Sight)> {
    if !plan.kernels[pass.kernel].works_out_rules() {
        return Vec::new();
    }
    let alike = alike(&pass.sights_of_fields(&rules.sights), dispatch).into_iter();
    alike.filter(|(.., method)| *method == way).map(|(rules, sight, _)| (rules, sight)).collect()
}

/// The memory of the sums over boxes of a plan, in bytes for each cell.
pub fn box_bytes(plan: &Plan, rules: &Rules, dispatch: Dispatch) -> u64 {
    let bytes = plan.phases[0].iter().map(|pass| {
        let boxes = summed_before(plan, pass, rules, dispatch, SumMethod::Boxes);
        let boxed: usize = boxes.iter().map(|(rules, _)| rules.len()).sum();
        // One texture for the row sums of each rule, and one texture for the column sums of all rules.
        let of_boxes = if boxed > 0 { 16 * (1 + boxed as u64) } else { 0 };
        // Two textures of 4 bytes a texel: the sums along an axis read one and write the other.
        of_boxes + 8 * summed_before(plan, pass, rules, dispatch, SumMethod::Blur).len() as u64
    });
    bytes.sum()
}

impl Boxes {
    /// Makes the dispatches for the pass with this index. The list is empty if the pass needs no sums.
    pub fn new(lattice: &Lattice, pass: usize) -> Self {
        let Lattice { plan, rules, dispatch, .. } = lattice;
        let before = |way| summed_before(plan, &plan.phases[0][pass], rules, *dispatch, way);
        let mut boxes = Self::default();
        for (_, sight) in before(SumMethod::Blur) {
            boxes.add_blur(lattice, pass, sight.as_contrast().map_or([0; 2], |contrast| contrast.radii));
        }
        let boxed = before(SumMethod::Boxes);
        if boxed.is_empty() {
            return boxes;
        }
        // Rules are summed in turn, so all share one texture of column sums.
        let made = |label| sums_texture(lattice, label, lattice.atlas.size(), wgpu::TextureFormat::Rgba32Sint);
        let columns = made("columns");
        for (rules, sight) in boxed {
            let sum = |rule, axis, target: &_| sum(lattice, pass, (rule, sight.reach(), axis), [&columns, target]);
            // If alignment has this sight, it is the last rule. Its column sums include the column sums for cohesion.
            boxes.sums.push(sum(rules[rules.len() - 1], SumAxis::Columns, &columns));
            for rule in rules {
                let sums = made("box");
                boxes.sums.push(sum(rule, SumAxis::Rows, &sums));
                boxes.views.push((format!("box_{rule}"), sums));
            }
        }
        boxes
    }

    /// Adds the sums for the contrast of cohesion, along x, y and z. Each reads one of two textures and writes the
    /// other. `radii`: the radii of the boxes, in cells.
    fn add_blur(&mut self, lattice: &Lattice, pass: usize, radii: [i32; 2]) {
        let &Lattice { ref gpu, ref plan, extents, edges, .. } = lattice;
        let size = Atlas::new(blur_lattice(extents, edges).0).size();
        let [mut from, mut to] = [(); 2].map(|()| sums_texture(lattice, "blur", size, wgpu::TextureFormat::R32Uint));
        for axis in 0..extents.axes() {
            let shader = assemble_blur(&gpu.library, radii, axis, extents, edges);
            let program = Program::compute(gpu, "blur", &shader, true);
            let workgroups = blur_workgroups(extents, edges, axis);
            let step =
                ComputeStep::new(&gpu.device, program, workgroups, plan.phases.len(), |phase, name| match name {
                    "parameters" => Resource::Buffer(&lattice.parameters),
                    "density_texture" => Resource::Texture(lattice.view(plan.phases[phase][pass].read[0])),
                    "blurred_texture" => Resource::Texture(from.clone()),
                    _ => Resource::Texture(to.clone()),
                });
            self.sums.push(step);
            std::mem::swap(&mut from, &mut to);
        }
        self.views.push(("box_0".into(), from));
    }

    pub fn is_empty(&self) -> bool {
        self.sums.is_empty()
    }

    /// Encodes the dispatches into a compute pass, before the kernel that reads the sums. `offset`: the place of the
    /// step's parameters in their buffer, in bytes.
    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>, phase: usize, offset: u32) {
        self.sums.iter().for_each(|sum| sum.encode(pass, phase, offset));
    }
}

/// The dispatch that sums the input of a rule along an axis and writes the sums to `target`. Sums along rows read the
/// sums along columns.
fn sum(
    lattice: &Lattice,
    pass: usize,
    (rule, reach, axis): (usize, i32, SumAxis),
    [columns, target]: [&wgpu::TextureView; 2],
) -> ComputeStep {
    let Lattice { gpu, plan, extents, edges, .. } = lattice;
    let shader = assemble_boxes(&gpu.library, rule, reach, axis, *extents, *edges);
    let program = Program::compute(gpu, "boxes", &shader, true);
    // `behaviour` reads the density, the capacity and the control vector.
    let read = |phase: usize, index: usize| Resource::Texture(lattice.view(plan.phases[phase][pass].read[index]));
    ComputeStep::new(&gpu.device, program, axis.workgroups(*extents), plan.phases.len(), |phase, name| match name {
        "parameters" => Resource::Buffer(&lattice.parameters),
        "density_texture" => read(phase, 0),
        "control_texture" => read(phase, 2),
        "columns_texture" => Resource::Texture(columns.clone()),
        _ => Resource::Texture(target.clone()),
    })
}

fn sums_texture(lattice: &Lattice, label: &str, size: [u32; 2], format: wgpu::TextureFormat) -> wgpu::TextureView {
    let usage = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::STORAGE_BINDING;
    let made = texture(&lattice.gpu.device, label, size, format, 1, usage);
    made.create_view(&Default::default())
}
