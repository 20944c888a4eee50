//! Encodes a frame: the passes of the look's plan one after another, without the passes that have nothing to draw.

use super::{LookProgram, PassResources, Passes};
use crate::device::Stopwatch;
use crate::device::program::{Program, attachment, begin_compute};
use crate::look::Pane;
use crate::look::orbit::SHAPES;
use crate::look::shader::WORKGROUP;
use crate::look::view::View;
use crate::terrain::Reef;
use glam::{IVec2, Mat4};
use murmuration_core::chain::look_plan::{LookPass, LookTarget};
use murmuration_core::chain::table::{Blend, Extent, Invocation, Shape, Viewpoint};
use murmuration_core::world::Edges;

/// The number of edges of the box that is drawn around individuals of a deep world.
const EDGES: u32 = 12;
/// Two lengths of the nearest fish on the screen, in pixels. Above the first every fish is drawn with a body instead of
/// two kites. Above the second the body has several rings.
const PLAIN: f32 = 14.0;
const FINE: f32 = 26.0;

/// The parameters of a frame, apart from the textures and buffers that the passes bind.
pub struct Frame<'a> {
    pub target: &'a wgpu::TextureView,
    /// The part of the last picture's light that stays in this picture as a trail, from 0 to 1.
    pub trail: f64,
    /// Whether the last picture has shown this state of the swarm at the same place and scale. The light of the lattice
    /// is not drawn again then.
    pub is_same_swarm: bool,
    /// The arguments of the indirect draw of the boids as discs. `None` if no boids are drawn as discs.
    pub discs: Option<&'a wgpu::Buffer>,
    /// The number of points of boids, and of points of falcons and their wakes, that are drawn as strokes.
    pub strokes: [u32; 2],
    pub view: &'a View,
    pub edges: Edges,
    /// The length of a fish on the screen at the near and at the far end of a deep world, in pixels. `None` if the view
    /// is from above.
    pub fish: Option<[f32; 2]>,
    /// Whether the world is endless, so that no box is drawn around its window.
    pub is_endless: bool,
    /// The number of falcons that are drawn as bodies among individuals.
    pub falcons: u32,
    /// The rock, and the matrix from cells to clip space. `None` if the world has no rock or the view is from above.
    pub reef: Option<(&'a Reef, Mat4)>,
    /// Measures the time of every pass.
    pub stopwatch: Option<&'a Stopwatch>,
}

/// A pass that draws in this frame.
struct FramePass<'a> {
    pass: &'a LookPass,
    program: &'a Program<wgpu::RenderPipeline>,
    /// The number of shapes that the pass draws.
    times: u32,
    /// Whether the pass is the first of the frame that draws in perspective, and so clears the light and the depth.
    begins_light: bool,
    /// The index of the pass in the stopwatch's list of spans.
    span: usize,
}

impl Passes {
    /// Encodes all passes that have something to draw. Returns the names of these passes, in the order of the
    /// stopwatch's spans.
    pub fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        resources: &PassResources,
        frame: &Frame<'_>,
    ) -> Vec<String> {
        let mut encoded = Vec::new();
        let mut has_light = false;
        let passes = self.plan.passes.iter().zip(&self.programs).zip(&resources.bind_groups);
        for ((pass, program), bind_groups) in passes {
            let span = encoded.len();
            match program {
                LookProgram::Adding(programs) => {
                    if let LookTarget::Sums(index) = pass.target {
                        encoder.clear_buffer(&resources.sums[index], 0, None);
                    }
                    if frame.strokes != [0; 2] {
                        add_strokes(encoder, programs, bind_groups, frame, span);
                        encoded.push(pass.kernel.name.clone());
                    }
                }
                LookProgram::Drawing(program) => {
                    let Some(times) = times(pass, frame) else { continue };
                    // The first pass that draws in perspective clears the light, even if it draws nothing.
                    let begins_light = pass.is_around() && !std::mem::replace(&mut has_light, true);
                    let pass = FramePass { pass, program, times, begins_light, span };
                    let mut render = begin(encoder, resources, frame, &pass);
                    render.set_bind_group(0, &bind_groups[0], &[]);
                    self.draw_pass(&mut render, resources, frame, &pass);
                    encoded.push(program.label.clone());
                }
            }
        }
        encoded
    }

    /// Draws the shapes of a pass into the part of the target that is shown.
    fn draw_pass(
        &self,
        render: &mut wgpu::RenderPass<'_>,
        resources: &PassResources,
        frame: &Frame<'_>,
        &FramePass { pass, times, .. }: &FramePass<'_>,
    ) {
        match pass.target {
            LookTarget::Light { index, extents } if extents.contains(&Extent::View) => {
                let [width, height] = resources.sizes[index];
                let rows = if extents[1] == Extent::View { frame.view.rows().min(height) } else { height };
                render.set_scissor_rect(0, 0, width, rows);
            }
            LookTarget::Picture => {
                let View { origin, screen, .. } = frame.view;
                Pane { origin: origin.as_uvec2(), size: screen.as_uvec2() }.restrict(render);
            }
            _ => {}
        }
        let Some(margin) = pass.margin else { return self.draw(render, pass.drawing.shape, times, frame) };
        for [first, size] in frame.view.shown_blocks(margin, frame.edges) {
            render.set_scissor_rect(first.x, first.y, size.x, size.y);
            self.draw(render, pass.drawing.shape, times, frame);
        }
    }

    /// Draws a shape `times` times, with a mesh that depends on the length of a fish on the screen.
    fn draw(&self, render: &mut wgpu::RenderPass<'_>, shape: Shape, times: u32, frame: &Frame<'_>) {
        let [near, far] = frame.fish.unwrap_or_default();
        let [square, fine, plain, kites] = &self.meshes;
        let mesh = match shape {
            Shape::Screen => return render.draw(0..3, 0..1),
            Shape::Surface => return frame.reef.into_iter().for_each(|(reef, clip)| reef.draw(render, clip)),
            // Software adapters draw one shape with many triangles much faster than many shapes.
            Shape::Spot => return frame.discs.into_iter().for_each(|count| render.draw_indirect(count, 0)),
            Shape::Fish if near <= SHAPES[0] => return,
            Shape::Fish if near <= PLAIN => kites,
            Shape::Fish if near <= FINE => plain,
            Shape::Fish | Shape::Shark => fine,
            Shape::Mote if far >= SHAPES[1] => return,
            Shape::Mote | Shape::Square => square,
        };
        render.set_vertex_buffer(0, mesh.corners.slice(..));
        render.set_index_buffer(mesh.triangles.slice(..), wgpu::IndexFormat::Uint16);
        render.draw_indexed(0..mesh.count, 0, 0..times);
    }
}

/// The number of shapes that a pass draws. `None` if the pass is left out of the frame.
fn times(pass: &LookPass, frame: &Frame<'_>) -> Option<u32> {
    let hidden = if frame.fish.is_some() { Viewpoint::Above } else { Viewpoint::Around };
    if pass.drawing.viewpoint == hidden
        || pass.needs_strokes && frame.strokes == [0; 2]
        || pass.needs_terrain && frame.reef.is_none()
        || pass.is_of_lattice && frame.is_same_swarm
    {
        return None;
    }
    let times = match (pass.invocation, frame.fish) {
        (Invocation::Individual, None) => frame.view.darts(),
        (Invocation::Individual, Some(_)) => frame.view.bodies,
        // A box is drawn around individuals, but not around the window of an endless world.
        (Invocation::Edge, _) if frame.view.bodies == 0 || frame.is_endless => 0,
        (Invocation::Edge, _) => EDGES,
        (Invocation::Falcon, _) => frame.falcons,
        (Invocation::Point, _) => u32::from(frame.discs.is_some()),
        _ => 1,
    };
    (times > 0 || pass.is_around()).then_some(times)
}

fn begin<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    resources: &PassResources,
    frame: &Frame<'_>,
    &FramePass { pass, program, begins_light, span, .. }: &FramePass<'_>,
) -> wgpu::RenderPass<'a> {
    let blend = pass.drawing.blend;
    let (target, is_last) = match pass.target {
        LookTarget::Light { index, .. } => (&resources.lights[index], false),
        _ => (frame.target, true),
    };
    // A pane that begins farther right lies beside another pane, whose pixels stay.
    let is_second = is_last && frame.view.origin != IVec2::ZERO;
    let has_trail = blend == Blend::Trail && frame.trail > 0.0;
    let keeps = blend.keeps() && !begins_light || is_second || has_trail;
    let load = if keeps { wgpu::LoadOp::Load } else { wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT) };
    let samples = resources.samples.as_ref().filter(|_| pass.is_around());
    let several = samples.and_then(|(light, _)| light.as_ref());
    let mut render = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(&program.label),
        color_attachments: &[attachment(several.unwrap_or(target), load)
            .map(|drawn| wgpu::RenderPassColorAttachment { resolve_target: several.map(|_| target), ..drawn })],
        depth_stencil_attachment: samples.map(|(_, depth)| wgpu::RenderPassDepthStencilAttachment {
            view: depth,
            depth_ops: Some(wgpu::Operations {
                // The depth is cleared to 0, which is the depth at infinity.
                load: if begins_light { wgpu::LoadOp::Clear(0.0) } else { wgpu::LoadOp::Load },
                store: wgpu::StoreOp::Store,
            }),
            stencil_ops: None,
        }),
        timestamp_writes: frame.stopwatch.and_then(|stopwatch| stopwatch.render(span)),
        ..Default::default()
    });
    render.set_pipeline(&program.pipeline);
    // New light is weighted by 1 - trail, so that a constant picture keeps its light.
    let fresh = 1.0 - frame.trail;
    render.set_blend_constant(wgpu::Color { r: fresh, g: fresh, b: fresh, a: fresh });
    render
}

fn add_strokes(
    encoder: &mut wgpu::CommandEncoder,
    programs: &[Program<wgpu::ComputePipeline>],
    bind_groups: &[wgpu::BindGroup],
    frame: &Frame<'_>,
    span: usize,
) {
    let span = frame.stopwatch.map(|stopwatch| (stopwatch, span));
    let mut compute = begin_compute(encoder, &programs[0].label, span);
    for ((program, bind_group), count) in programs.iter().zip(bind_groups).zip(frame.strokes) {
        if count > 0 {
            program.dispatch(&mut compute, bind_group, 0, [count.div_ceil(WORKGROUP), 1, 1]);
        }
    }
}
