//! The program in the event loop of winit: before, while and after the window is open.

use super::display::{DisplayConnection, ThreadEvent};
use super::priority::{self, ThreadScheduler};
use crate::controller::Scene;
use crate::interrupt;
use crate::viewer::scheduler::Waker;
use crate::viewer::window::{MainWindow, Opening, without_source};
use murmuration_core::chain::{Chain, DEFAULT_OF_LOOK};
use murmuration_core::error::Failure;
use std::sync::Arc;
use std::time::Instant;
use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy};
use winit::window::{Window, WindowId};

/// The reason why the window closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The user closed the window.
    Closed,
    /// The user pressed Ctrl-C in the terminal, or the session ended.
    Interrupted,
}

/// Opens the window on a scene, and returns when it has closed. A signal that asks the program to end closes the window
/// like its close button.
///
/// `display`: the connection to a display, or the reason why it failed. `look`: the look chain that draws the swarm;
/// `None`: the built-in look.
///
/// # Errors
/// As [`Scene::begin`]; `Device` if there is no display or nothing can draw on it; `File` if signals cannot be received
/// or a film cannot be completed.
pub fn run(display: Result<DisplayConnection, String>, scene: Scene, look: Option<Chain>) -> Result<Ending, Failure> {
    // An error in the scene is reported before a missing display.
    let simulation = priority::begin(&scene)?;
    let DisplayConnection { events } = display.map_err(|reason| {
        Failure::Device(format!("{reason}; start one, name one that runs, or use `murmuration render`"))
    })?;
    let wake = events.create_proxy();
    let proxy = wake.clone();
    interrupt::listen(move || {
        // The window may have closed already.
        let _ = proxy.send_event(ThreadEvent::Interrupt);
    })?;
    let look = look.map_or_else(|| Chain::load(crate::host().as_ref(), DEFAULT_OF_LOOK), Ok)?;
    let start = Some(Opening { simulation, scene, look });
    let mut app = App { start, wake, window: None, ending: Ok(Ending::Closed) };
    events.run_app(&mut app).map_err(|error| {
        Failure::Device(format!("the display no longer answers: {}; use `murmuration render`", without_source(&error)))
    })?;
    app.ending
}

struct App {
    start: Option<Opening>,
    wake: EventLoopProxy<ThreadEvent>,
    window: Option<MainWindow>,
    ending: Result<Ending, Failure>,
}

impl App {
    fn end(&mut self, events: &ActiveEventLoop, ending: Result<Ending, Failure>) {
        // A signal may arrive after the close button was pressed.
        if let Some(window) = self.window.take() {
            let closed = window.close();
            self.ending = ending.and_then(|ending| closed.map(|()| ending));
        } else if ending.is_err() {
            self.ending = ending;
        }
        events.exit();
    }
}

impl ApplicationHandler<ThreadEvent> for App {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        let Some(start) = self.start.take() else { return };
        let attributes = Window::default_attributes()
            .with_inner_size(LogicalSize::new(1280, 800))
            .with_min_inner_size(LogicalSize::new(480, 320));
        match MainWindow::open(events, attributes, start, Arc::new(ThreadScheduler), waker(&self.wake)) {
            Ok(window) => self.window = Some(window),
            Err(failure) => self.end(events, Err(failure)),
        }
    }

    fn user_event(&mut self, events: &ActiveEventLoop, event: ThreadEvent) {
        match event {
            ThreadEvent::News => {
                if let Some(window) = &mut self.window {
                    window.receive();
                }
            }
            ThreadEvent::Interrupt => self.end(events, Ok(Ending::Interrupted)),
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(window) = &mut self.window else { return };
        let stays_open = match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => Ok(false),
            WindowEvent::RedrawRequested => window.draw().map(|()| !window.is_closing),
            event => {
                window.handle_event(event);
                Ok(!window.is_closing)
            }
        };
        match stays_open {
            Ok(true) => {}
            Ok(false) => self.end(events, Ok(Ending::Closed)),
            Err(failure) => self.end(events, Err(failure)),
        }
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        let Some(window) = &mut self.window else { return };
        if window.is_closing {
            return self.end(events, Ok(Ending::Closed));
        }
        window.write_stills();
        window.write_trace();
        if window.is_frame_due() {
            window.request_redraw();
        }
        events.set_control_flow(match window.next_due() {
            Some(due) if due > Instant::now() => ControlFlow::WaitUntil(due),
            _ => ControlFlow::Wait,
        });
    }
}

fn waker(wake: &EventLoopProxy<ThreadEvent>) -> Waker {
    let wake = wake.clone();
    Arc::new(move || {
        // An event loop that has ended needs no waking.
        let _ = wake.send_event(ThreadEvent::News);
    })
}
