//! The canvas of a window. If its device is lost, another device is looked for.

use super::canvas::{Canvas, DrawResult};
use super::interface_renderer::InterfaceFrame;
use super::sides::Arrangement;
use glam::{UVec2, uvec2};
use murmuration_core::chain::Chain;
use murmuration_core::error::Failure;
use murmuration_core::look::Look;
use murmuration_gpu::{Gpu, guarded};
use std::sync::Arc;
use std::time::Duration;
use web_time::Instant;
use winit::window::Window;

/// The time for which another device is looked for. The reset or update of a driver takes a few seconds.
const TIMEOUT: Duration = Duration::from_secs(6);
/// The time between two attempts.
pub const RETRY_INTERVAL: Duration = Duration::from_millis(250);

/// The canvas of a window. Without a canvas it looks for a device.
pub struct Screen {
    window: Arc<Window>,
    /// The chain of the look.
    pub look: Chain,
    pub canvas: Option<Canvas>,
    /// The size of the window for the next canvas.
    size: UVec2,
    /// The time when the canvas was lost.
    lost: Option<Instant>,
    /// The number of canvases that were opened.
    pub canvases: u32,
}

impl Screen {
    /// # Errors
    /// As [`Canvas::open`].
    pub fn open(window: Arc<Window>, look: Chain) -> Result<Self, Failure> {
        let size = window.inner_size();
        let canvas = Canvas::open(window.clone(), uvec2(size.width, size.height), &look)?;
        Ok(Self { window, look, size: canvas.size(), canvas: Some(canvas), lost: None, canvases: 1 })
    }

    /// Looks for another device. Returns whether it found one. The new canvas is empty.
    ///
    /// # Errors
    /// `Device` if no device was found in time.
    pub fn reopen(&mut self) -> Result<bool, Failure> {
        let since = *self.lost.get_or_insert_with(Instant::now);
        match Canvas::open(self.window.clone(), self.size, &self.look) {
            Ok(canvas) => {
                (self.canvas, self.lost) = (Some(canvas), None);
                self.canvases += 1;
                Ok(true)
            }
            Err(_) if since.elapsed() < TIMEOUT => Ok(false),
            Err(failure) => Err(Failure::Device(format!(
                "the graphics device was lost, and for {} s no other could be opened: {failure}",
                TIMEOUT.as_secs()
            ))),
        }
    }

    /// Draws a frame. After `DeviceLost` the canvas is gone: a window can have only one, so the lost canvas is dropped
    /// before another is opened.
    pub fn draw(&mut self, arrangement: &Arrangement, look: &Look, painted: InterfaceFrame) -> DrawResult {
        let drawn = match &mut self.canvas {
            Some(canvas) => canvas.draw(arrangement, look, painted),
            None => {
                painted.discard();
                DrawResult::DeviceLost
            }
        };
        if drawn == DrawResult::DeviceLost {
            self.size = self.size();
            let lost = self.canvas.take();
            lost.iter().for_each(|canvas| canvas.gpu().discard());
            // wgpu may panic when a lost device is dropped. That does no harm.
            let _ = guarded(|| drop(lost));
            self.lost.get_or_insert_with(Instant::now);
            self.window.set_title("Murmuration · the graphics device was lost, looking for another");
        }
        drawn
    }

    /// The size of the surface in pixels.
    pub fn size(&self) -> UVec2 {
        self.canvas.as_ref().map_or(self.size, Canvas::size)
    }

    /// The device that draws; `None`: it is lost.
    pub fn gpu(&self) -> Option<Arc<Gpu>> {
        self.canvas.as_ref().map(|canvas| canvas.gpu().clone())
    }

    pub fn adapter(&self, arrangement: &Arrangement) -> String {
        self.canvas.as_ref().map_or_else(String::new, |canvas| canvas.describe(arrangement))
    }

    pub fn resize(&mut self, size: UVec2) {
        match &mut self.canvas {
            Some(canvas) => canvas.resize(size),
            // The next canvas takes this size.
            None if size.min_element() > 0 => self.size = size,
            None => {}
        }
    }
}
