//! The sums over boxes that `behaviour` looks at, made before it: down the columns of the lattice, then along its rows.

use super::Lattice;
use crate::chain::plan::{Plan, PlannedPass};
use crate::device::program::{ComputeStep, Program, Resource, texture};
use crate::engine::Dispatch;
use crate::rules::Rules;
use crate::shader::{SumAxis, SumMethod, alike, assemble_boxes};
use crate::sight::Sight;

/// The sums of one pass.
#[derive(Default)]
pub struct Boxes {
    sums: Vec<ComputeStep>,
    /// The sums of each rule, under the name by which `behaviour` binds them.
    pub views: Vec<(String, wgpu::TextureView)>,
}

/// The boxes that a pass looks through, each with its rules; only `behaviour` has any.
fn boxes<'a>(plan: &Plan, pass: &PlannedPass, rules: &'a Rules, dispatch: Dispatch) -> Vec<(Vec<usize>, &'a Sight)> {
    if !plan.kernels[pass.kernel].works_out_rules() {
        return Vec::new();
    }
    let alike = alike(&pass.seen_through(&rules.sights), dispatch).into_iter();
    alike.filter(|(.., method)| *method == SumMethod::Boxes).map(|(rules, sight, _)| (rules, sight)).collect()
}

/// The bytes a cell that the sums over boxes of a plan take.
pub fn box_bytes(plan: &Plan, rules: &Rules, dispatch: Dispatch) -> u64 {
    let textures = plan.phases[0].iter().map(|pass| {
        let boxed: usize = boxes(plan, pass, rules, dispatch).iter().map(|(rules, _)| rules.len()).sum();
        // One for the rows of each rule, and one for the columns of all.
        if boxed > 0 { 1 + boxed as u64 } else { 0 }
    });
    16 * textures.sum::<u64>()
}

impl Boxes {
    /// The sums that the pass of this number needs, if any.
    pub fn new(lattice: &Lattice, pass: usize) -> Self {
        let Lattice { plan, rules, dispatch, .. } = lattice;
        let boxed = boxes(plan, &plan.phases[0][pass], rules, *dispatch);
        let mut boxes = Self::default();
        if boxed.is_empty() {
            return boxes;
        }
        // The sums are made one after the other, so that one texture of columns is enough.
        let columns = sums_texture(lattice, "columns");
        for (rules, sight) in boxed {
            let sum = |rule, axis, target: &_| sum(lattice, pass, (rule, sight.reach(), axis), [&columns, target]);
            // The columns of the last rule serve the others too.
            boxes.sums.push(sum(rules[rules.len() - 1], SumAxis::Columns, &columns));
            for rule in rules {
                let sums = sums_texture(lattice, "box");
                boxes.sums.push(sum(rule, SumAxis::Rows, &sums));
                boxes.views.push((format!("box_{rule}"), sums));
            }
        }
        boxes
    }

    /// Encodes the sums into a pass, before the kernel that looks at them.
    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>, phase: usize, offset: u32) {
        self.sums.iter().for_each(|sum| sum.encode(pass, phase, offset));
    }
}

/// A sum of a rule along an axis, which reads the columns if it is along rows, and writes a target.
fn sum(
    lattice: &Lattice,
    pass: usize,
    (rule, reach, axis): (usize, i32, SumAxis),
    [columns, target]: [&wgpu::TextureView; 2],
) -> ComputeStep {
    let Lattice { gpu, plan, extents, edges, .. } = lattice;
    let shader = assemble_boxes(&gpu.library, rule, reach, axis, *extents, *edges);
    let program = Program::compute(&gpu.device, "boxes", &shader, true);
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

/// A texture with four sums for each cell.
fn sums_texture(lattice: &Lattice, label: &str) -> wgpu::TextureView {
    let size = [lattice.extents.width, lattice.extents.height];
    let usage = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::STORAGE_BINDING;
    let made = texture(&lattice.gpu.device, label, size, wgpu::TextureFormat::Rgba32Sint, 1, usage);
    made.create_view(&Default::default())
}
