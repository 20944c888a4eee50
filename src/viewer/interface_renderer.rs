//! Draws the interface over the swarm. The panel is drawn only when it changes, and the picture of the panel is copied
//! into every frame. On a software adapter the text of the panel takes as long to draw as the swarm.

use egui::epaint::Primitive;
use egui::{ClippedPrimitive, TexturesDelta};
use egui_wgpu::{Renderer, RendererOptions, ScreenDescriptor};
use glam::{UVec2, uvec2};
use murmuration_core::error::Failure;
use murmuration_gpu::device::program::{self, attachment};
use murmuration_gpu::look::{Pane, Upscaler};
use murmuration_gpu::{Gpu, guarded};
use std::sync::Arc;

/// The interface of one frame, ready to be drawn.
pub struct InterfaceFrame {
    pub textures: TexturesDelta,
    pub shapes: Vec<ClippedPrimitive>,
    pub pixels_per_point: f32,
}

impl InterfaceFrame {
    /// Drops a frame that cannot be drawn. egui requires that the textures of a dropped frame are emptied.
    pub fn discard(mut self) {
        self.textures.set.drain();
        self.textures.free.drain();
    }
}

/// Draws the interface on textures of one format.
pub struct InterfaceRenderer {
    gpu: Arc<Gpu>,
    format: wgpu::TextureFormat,
    renderer: Renderer,
    panel: Option<PanelPicture>,
}

/// The picture of the last drawn panel.
struct PanelPicture {
    view: wgpu::TextureView,
    size: UVec2,
    shapes: Vec<ClippedPrimitive>,
}

impl InterfaceRenderer {
    /// # Errors
    /// `Device` if the device cannot be used.
    pub fn new(gpu: &Arc<Gpu>, format: wgpu::TextureFormat) -> Result<Self, Failure> {
        let options = RendererOptions { dithering: false, ..Default::default() };
        let renderer = guarded(|| Renderer::new(&gpu.device, format, options))
            .map_err(|error| Failure::Device(format!("the graphics adapter cannot be used: {error}")))?;
        Ok(Self { gpu: gpu.clone(), format, renderer, panel: None })
    }

    /// Uploads the new textures of a frame.
    pub fn take_textures(&mut self, textures: &mut TexturesDelta) {
        for (id, delta) in textures.set.drain() {
            // The picture of the panel may contain the old texture.
            self.panel.iter_mut().for_each(|panel| panel.shapes.clear());
            for image in delta {
                self.renderer.update_texture(&self.gpu.device, self.gpu.queue(), id, &image);
            }
        }
    }

    /// Frees the textures that no later frame uses.
    pub fn free_textures(&mut self, textures: &mut TexturesDelta) {
        for id in textures.free.drain() {
            self.renderer.free_texture(&id);
        }
    }

    /// Draws shapes over a texture. The panel covers the last `covered` columns of pixels of the texture.
    ///
    /// # Errors
    /// The renderer's error if the device failed.
    pub fn draw(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        shapes: Vec<ClippedPrimitive>,
        (size, covered): (UVec2, u32),
        pixels_per_point: f32,
        upscaler: &Upscaler,
    ) -> Result<Vec<wgpu::CommandBuffer>, String> {
        let origin = uvec2(size.x - covered.min(size.x), 0);
        let left = origin.x as f32 / pixels_per_point;
        let is_of_panel = |shape: &ClippedPrimitive| covered > 0 && is_beyond(shape, left, pixels_per_point);
        let (panel, others): (Vec<_>, Vec<_>) = shapes.into_iter().partition(is_of_panel);
        if !panel.is_empty() {
            let pane = Pane { origin, size: uvec2(covered, size.y) };
            self.update_panel(panel, pane.size, left, pixels_per_point)?;
            if let Some(picture) = &self.panel {
                upscaler.draw(encoder, &picture.view, target, pane);
            }
        }
        self.paint(encoder, target, wgpu::LoadOp::Load, &others, size, pixels_per_point)
    }

    /// Redraws the picture of the panel if the panel has changed. `left`: the left edge of the panel, in logical
    /// pixels.
    fn update_panel(
        &mut self,
        shapes: Vec<ClippedPrimitive>,
        size: UVec2,
        left: f32,
        pixels_per_point: f32,
    ) -> Result<(), String> {
        if self.panel.as_ref().is_some_and(|known| known.size == size && is_same(&known.shapes, &shapes)) {
            return Ok(());
        }
        let known = self.panel.take().filter(|known| known.size == size);
        let view = known.map_or_else(
            || {
                let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
                let texture = program::texture(&self.gpu.device, "panel", size.to_array(), self.format, 1, usage);
                texture.create_view(&Default::default())
            },
            |known| known.view,
        );
        let moved: Vec<ClippedPrimitive> = shapes.iter().map(|shape| moved_left(shape, left)).collect();
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let clear = wgpu::LoadOp::Clear(wgpu::Color::BLACK);
        let commands = self.paint(&mut encoder, &view, clear, &moved, size, pixels_per_point)?;
        // The renderer has one vertex buffer, so the panel is submitted before other shapes are written to it.
        self.gpu.queue().submit(commands.into_iter().chain([encoder.finish()]));
        self.panel = Some(PanelPicture { view, size, shapes });
        Ok(())
    }

    fn paint(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        load: wgpu::LoadOp<wgpu::Color>,
        shapes: &[ClippedPrimitive],
        size: UVec2,
        pixels_per_point: f32,
    ) -> Result<Vec<wgpu::CommandBuffer>, String> {
        let screen = ScreenDescriptor { size_in_pixels: size.to_array(), pixels_per_point };
        let Self { gpu, renderer, .. } = self;
        // The renderer panics if the device is lost here.
        guarded(|| {
            let commands = renderer.update_buffers(&gpu.device, gpu.queue(), encoder, shapes, &screen);
            let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("interface"),
                color_attachments: &[attachment(target, load)],
                ..Default::default()
            });
            renderer.render(&mut pass.forget_lifetime(), shapes, &screen);
            commands
        })
    }
}

/// Whether a shape lies right of `left`, a horizontal place in logical pixels. egui rounds the edges of areas to
/// fractions of a logical pixel.
fn is_beyond(shape: &ClippedPrimitive, left: f32, pixels_per_point: f32) -> bool {
    shape.clip_rect.left() >= left - 1.0 / pixels_per_point
}

/// A copy of a shape, moved to the left by `by` logical pixels.
fn moved_left(shape: &ClippedPrimitive, by: f32) -> ClippedPrimitive {
    let mut moved = shape.clone();
    let by = egui::vec2(-by, 0.0);
    moved.clip_rect = moved.clip_rect.translate(by);
    if let Primitive::Mesh(mesh) = &mut moved.primitive {
        mesh.translate(by);
    }
    moved
}

/// Whether two lists of shapes draw the same picture.
fn is_same(known: &[ClippedPrimitive], shapes: &[ClippedPrimitive]) -> bool {
    known.len() == shapes.len()
        && known.iter().zip(shapes).all(|(known, shape)| {
            known.clip_rect == shape.clip_rect
                && match (&known.primitive, &shape.primitive) {
                    (Primitive::Mesh(known), Primitive::Mesh(mesh)) => known == mesh,
                    _ => false,
                }
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Color32, Mesh, Rect, pos2};

    fn square(at: f32) -> ClippedPrimitive {
        let rect = Rect::from_min_max(pos2(at, 0.0), pos2(at + 10.0, 10.0));
        let mut mesh = Mesh::default();
        mesh.add_colored_rect(rect, Color32::WHITE);
        ClippedPrimitive { clip_rect: rect, primitive: Primitive::Mesh(mesh) }
    }

    /// The panel of 320 logical pixels begins at a whole pixel. egui rounds its area to 1/32 logical pixel.
    #[test]
    fn the_panel_is_found_at_every_scale() {
        for pixels_per_point in [1.0, 13.0 / 12.0, 1.25, 4.0 / 3.0, 1.5, 1.75, 2.0_f32] {
            for width in 601..2000 {
                let covered = (320.0 * pixels_per_point).round().min(f32::floor(width as f32 / 2.0));
                let left = (width as f32 - covered) / pixels_per_point;
                let logical_width = width as f32 / pixels_per_point;
                let area = ((logical_width - f32::min(320.0, 0.5 * logical_width)) * 32.0).round() / 32.0;
                assert!(is_beyond(&square(area), left, pixels_per_point), "{width} pixels at {pixels_per_point}");
                assert!(!is_beyond(&square(0.0), left, pixels_per_point));
            }
        }
    }

    #[test]
    fn a_panel_is_drawn_again_only_where_it_differs() {
        let panel = [square(960.0), square(980.0)];
        assert!(is_same(&panel, &panel.clone()));
        assert!(!is_same(&panel, &panel[..1]) && !is_same(&panel, &[square(960.0), square(981.0)]));
        assert!(is_same(&[moved_left(&panel[0], 960.0)], &[square(0.0)]));
    }
}
