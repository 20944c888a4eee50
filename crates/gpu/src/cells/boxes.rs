//! The sums over boxes that `behaviour` looks at, made before it: down the columns of the lattice, then along its rows.

use super::passes::PassContext;
use crate::chain::plan::{Plan, PlannedPass};
use crate::device::program::{ComputeStep, Program, texture};
use crate::engine::Dispatch;
use crate::rules::Rules;
use crate::shader::{SumAxis, SumMethod, alike, assemble_boxes};
use crate::sight::Sight;

/// The sums of one pass.
#[derive(Default)]
pub struct Boxes {
    sums: Vec<ComputeStep>,
    /// The sums by rule, each under the name by which `behaviour` binds it.
    pub views: Vec<(String, wgpu::TextureView)>,
}

/// The boxes that a pass looks through, each with the rules that it does for; none but `behaviour` has any.
fn boxes<'a>(plan: &Plan, pass: &PlannedPass, rules: &'a Rules, dispatch: Dispatch) -> Vec<(Vec<usize>, &'a Sight)> {
    if !plan.kernels[pass.kernel].works_out_rules() {
        return Vec::new();
    }
    let alike = alike(&pass.seen_through(&rules.sights), dispatch);
    alike
        .into_iter()
        .filter(|(.., method)| *method == SumMethod::Boxes)
        .map(|(rules, sight, _)| (rules, sight))
        .collect()
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
    /// Those that a pass needs, if any.
    pub fn new(context: PassContext<'_>, pass: usize) -> Self {
        let boxed = boxes(context.plan, &context.plan.phases[0][pass], context.rules, context.dispatch);
        let mut boxes = Self::default();
        if boxed.is_empty() {
            return boxes;
        }
        // One after the other, so that one texture of columns will do.
        let columns = sums_texture(context, "columns");
        for (rules, sight) in boxed {
            // The columns of the last rule do for the others.
            let last = rules[rules.len() - 1];
            boxes.add(context, pass, (last, sight.reach(), SumAxis::Columns), [&columns; 2]);
            for rule in rules {
                let sums = sums_texture(context, "box");
                boxes.add(context, pass, (rule, sight.reach(), SumAxis::Rows), [&columns, &sums]);
                boxes.views.push((format!("box_{rule}"), sums));
            }
        }
        boxes
    }

    /// Encodes the sums into a pass, before the kernel that looks at them.
    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>, phase: usize, offset: u32) {
        for sum in &self.sums {
            sum.encode(pass, phase, offset);
        }
    }

    /// Adds a sum along an axis, which reads the columns if it is along rows, and writes a target.
    fn add(
        &mut self,
        context: PassContext<'_>,
        pass: usize,
        (rule, reach, axis): (usize, i32, SumAxis),
        [columns, target]: [&wgpu::TextureView; 2],
    ) {
        let device = &context.gpu.device;
        let shader = assemble_boxes(&context.gpu.library, rule, reach, axis, context.extents, context.edges);
        let program = Program::compute(device, "boxes", &shader, true);
        let phases = &context.plan.phases;
        // `behaviour` reads the density, the capacity and the control vector.
        let read = |read: usize| phases.iter().map(|phase| context.view(phase[pass].read[read])).collect::<Vec<_>>();
        let (densities, controls) = (read(0), read(2));
        let step =
            ComputeStep::new(
                device,
                program,
                axis.workgroups(context.extents),
                phases.len(),
                |phase, name| match name {
                    "parameters" => context.parameters.into(),
                    "density_texture" => (&densities[phase]).into(),
                    "control_texture" => (&controls[phase]).into(),
                    "columns_texture" => columns.into(),
                    _ => target.into(),
                },
            );
        self.sums.push(step);
    }
}

/// A texture with four sums for each cell.
fn sums_texture(context: PassContext<'_>, label: &str) -> wgpu::TextureView {
    let size = [context.extents.width, context.extents.height];
    let usage = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::STORAGE_BINDING;
    let made = texture(&context.gpu.device, label, size, wgpu::TextureFormat::Rgba32Sint, 1, usage);
    made.create_view(&Default::default())
}
