//! The canvas of a window, over the losses of its device: while there is none, another is looked for.

use super::canvas::{Canvas, Drawn, Painted};
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

/// How long another device is looked for. A driver that is being reset or updated takes a few seconds.
const PATIENCE: Duration = Duration::from_secs(6);
/// How often it is looked for.
pub const BETWEEN_TRIES: Duration = Duration::from_millis(250);

/// What a window is drawn on.
pub struct Screen {
    display: OwnedDisplayHandle,
    window: Arc<Window>,
    canvas: Option<Canvas>,
    /// That of the window while there is no canvas.
    size: UVec2,
    /// Since when there is no canvas.
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

    /// Whether there is nothing to draw on now.
    pub fn is_lost(&self) -> bool {
        self.canvas.is_none()
    }

    /// Looks for another device. `true`: it is there, and knows nothing of what was shown before.
    ///
    /// # Errors
    /// `Device`, where there was none for too long.
    pub fn open_again(&mut self) -> Result<bool, Failure> {
        let since = *self.lost.get_or_insert_with(Instant::now);
        match Canvas::open(self.display.clone(), self.window.clone()) {
            Ok(canvas) => {
                self.size = canvas.size();
                (self.canvas, self.lost) = (Some(canvas), None);
                self.canvases += 1;
                Ok(true)
            }
            Err(_) if since.elapsed() < PATIENCE => Ok(false),
            Err(failure) => Err(Failure::Device(format!(
                "the graphics device was lost, and for {} s no other could be opened: {failure}",
                PATIENCE.as_secs()
            ))),
        }
    }

    /// Draws a frame. After `Lost` there is no canvas: a window can have only one at a time, so it goes before another
    /// is looked for.
    pub fn draw(&mut self, arrangement: &Arrangement, look: &Look, painted: Painted) -> Drawn {
        let drawn = match &mut self.canvas {
            Some(canvas) => canvas.draw(arrangement, look, painted),
            None => {
                painted.forget();
                Drawn::Lost
            }
        };
        if drawn == Drawn::Lost {
            self.size = self.size();
            let lost = self.canvas.take();
            // What wgpu thinks of a device that goes without an orderly end is of no interest any more.
            let _ = guarded(|| drop(lost));
            self.lost.get_or_insert_with(Instant::now);
            self.window.set_title("Murmuration · the graphics device was lost, looking for another");
        }
        drawn
    }

    /// The size in pixels that is drawn on.
    pub fn size(&self) -> UVec2 {
        self.canvas.as_ref().map_or(self.size, Canvas::size)
    }

    /// The longest side of a texture.
    pub fn longest_side(&self) -> usize {
        self.canvas.as_ref().map_or(2048, Canvas::longest_side)
    }

    /// What draws, for people, and how much smaller than the window.
    pub fn adapter(&self, arrangement: &Arrangement) -> String {
        self.canvas.as_ref().map_or_else(String::new, |canvas| canvas.describe(arrangement))
    }

    pub fn resize(&mut self, size: UVec2) {
        match &mut self.canvas {
            Some(canvas) => canvas.resize(size),
            // The next canvas has it.
            None if size.min_element() > 0 => self.size = size,
            None => {}
        }
    }

    /// Takes a state to be drawn with its individuals, if it has any, `steps` steps after the last one.
    pub fn show(&mut self, state: &State, agents: Option<&Agents>, world: &World, steps: u64) {
        if let Some(canvas) = &mut self.canvas {
            canvas.show(state, agents, world, steps);
        }
    }

    /// Takes the individuals beside the state that was shown last, or that there are none.
    ///
    /// # Errors
    /// Where the device cannot draw them too.
    pub fn show_beside(&mut self, other: Option<(&State, &Agents)>, world: &World, steps: u64) -> Result<(), Failure> {
        self.canvas.as_mut().map_or(Ok(()), |canvas| canvas.show_beside(other, world, steps))
    }

    /// What the device complained of since the last call.
    pub fn troubles(&self) -> Vec<String> {
        self.canvas.as_ref().map_or_else(Vec::new, Canvas::troubles)
    }

    /// The swarm as it is in the window, without the interface over it.
    ///
    /// # Errors
    /// `Device`, where the picture cannot be read back.
    pub fn still(&mut self, arrangement: &Arrangement, look: &Look) -> Result<Picture, Failure> {
        match &mut self.canvas {
            Some(canvas) => canvas.still(arrangement, look),
            None => Err(Failure::Device("no picture can be taken: the graphics device was lost".into())),
        }
    }
}
