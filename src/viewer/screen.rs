//! The canvas of a window, which outlives the loss of its device: while there is none, another is looked for.

use super::canvas::{Canvas, DrawResult, InterfaceFrame};
use super::sides::Arrangement;
use crate::agents::Agents;
use crate::engine::gpu::guarded;
use crate::error::Failure;
use crate::observe::Picture;
use crate::preset::Look;
use crate::state::State;
use crate::world::World;
use glam::UVec2;
use std::sync::Arc;
use std::time::{Duration, Instant};
use winit::event_loop::OwnedDisplayHandle;
use winit::window::Window;

/// How long another device is looked for. A driver that is reset or updated takes a few seconds.
const TIMEOUT: Duration = Duration::from_secs(6);
/// The time between two attempts.
pub const RETRY_INTERVAL: Duration = Duration::from_millis(250);

/// The canvas of a window, while it has one.
pub struct Screen {
    display: OwnedDisplayHandle,
    window: Arc<Window>,
    canvas: Option<Canvas>,
    /// The size of the window while there is no canvas.
    size: UVec2,
    /// When the canvas was lost.
    lost: Option<Instant>,
    /// How many canvases were opened.
    pub canvases: u32,
}

impl Screen {
    /// # Errors
    /// As [`Canvas::open`].
    pub fn open(display: OwnedDisplayHandle, window: Arc<Window>) -> Result<Self, Failure> {
        let canvas = Canvas::open(display.clone(), window.clone())?;
        Ok(Self { display, window, size: canvas.size(), canvas: Some(canvas), lost: None, canvases: 1 })
    }

    /// Whether there is no canvas now.
    pub fn is_lost(&self) -> bool {
        self.canvas.is_none()
    }

    /// Looks for another device. Returns whether there is one; its canvas shows nothing yet.
    ///
    /// # Errors
    /// `Device` if there was none for too long.
    pub fn reopen(&mut self) -> Result<bool, Failure> {
        let since = *self.lost.get_or_insert_with(Instant::now);
        match Canvas::open(self.display.clone(), self.window.clone()) {
            Ok(canvas) => {
                self.size = canvas.size();
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

    /// Draws a frame. After `DeviceLost` there is no canvas: a window can have only one, so the lost one is dropped before
    /// another is opened.
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
            // wgpu may panic when a lost device is dropped; that no longer matters.
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

    /// The longest side of a texture.
    pub fn longest_side(&self) -> usize {
        self.canvas.as_ref().map_or(2048, Canvas::longest_side)
    }

    /// The adapter in words.
    pub fn adapter(&self, arrangement: &Arrangement) -> String {
        self.canvas.as_ref().map_or_else(String::new, |canvas| canvas.describe(arrangement))
    }

    pub fn resize(&mut self, size: UVec2) {
        match &mut self.canvas {
            Some(canvas) => canvas.resize(size),
            // The next canvas takes it over.
            None if size.min_element() > 0 => self.size = size,
            None => {}
        }
    }

    /// Sets the state to draw, `steps` steps after the last one.
    pub fn show(&mut self, state: &State, agents: Option<&Agents>, world: &World, steps: u64) {
        if let Some(canvas) = &mut self.canvas {
            canvas.show(state, agents, world, steps);
        }
    }

    /// Sets the individuals of the comparison; `None` removes them.
    ///
    /// # Errors
    /// If the device cannot draw both models.
    pub fn show_individuals(
        &mut self,
        other: Option<(&State, &Agents)>,
        world: &World,
        steps: u64,
    ) -> Result<(), Failure> {
        self.canvas.as_mut().map_or(Ok(()), |canvas| canvas.show_individuals(other, world, steps))
    }

    /// The errors of the device since the last call.
    pub fn errors(&self) -> Vec<String> {
        self.canvas.as_ref().map_or_else(Vec::new, Canvas::errors)
    }

    /// A picture of the window without the interface.
    ///
    /// # Errors
    /// `Device` if the picture cannot be read back.
    pub fn still(&mut self, arrangement: &Arrangement, look: &Look) -> Result<Picture, Failure> {
        match &mut self.canvas {
            Some(canvas) => canvas.still(arrangement, look),
            None => Err(Failure::Device("no picture can be taken: the graphics device was lost".into())),
        }
    }
}
