//! The window: its events and its frames.

mod actions;
mod drawing;
mod mouse;
mod touch;
mod trace;

use super::action::{PageRequest, Tool};
use super::canvas::{Canvas, DrawResult};
use super::film::FilmRecording;
use super::frame_input::FrameInput;
use super::frames::FramePacer;
use super::gallery;
use super::interface::{self, Interface};
use super::interface_renderer::InterfaceFrame;
use super::scheduler::{TaskScheduler, Waker};
use super::screen::{RETRY_INTERVAL, Screen};
use super::session::Session;
use super::step_clock::StepClock;
use super::stills::Stills;
use super::theme;
use super::view::{Drag, Motion, View};
use crate::controller::pace::Pace;
use crate::controller::{Command, Event, SaveKind, Scene, Snapshot};
use crate::link::Link;
use crate::observe::Caption;
use egui::output::OutputEvent;
use glam::{UVec2, uvec2};
use mouse::Mouse;
use murmuration_core::chain::Chain;
use murmuration_core::error::Failure;
use murmuration_core::simulation::checkpoint::Checkpoint;
use murmuration_core::simulation::{EngineChoice, Simulation};
use murmuration_core::ticket::Patience;
use murmuration_gpu::guarded;
use std::fmt::Display;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use touch::Fingers;
use trace::Trace;
use web_time::Instant;
use winit::event::{ElementState, KeyEvent, WindowEvent};
use winit::event_loop::ActiveEventLoop;
use winit::keyboard::{Key, NamedKey};
use winit::window::{Fullscreen, Window, WindowAttributes};

/// The interval at which pending stills are polled.
const ANSWER_INTERVAL: Duration = Duration::from_millis(2);

/// The window with its screen, its interface and its session.
pub struct MainWindow {
    window: Arc<Window>,
    screen: Screen,
    /// The input of egui, and its context.
    ui: egui_winit::State,
    interface: Interface,
    session: Session,
    view: View,
    mouse: Mouse,
    fingers: Fingers,
    /// The name of the control that had the focus last.
    focused: Option<String>,
    /// The link that was opened.
    link: Option<Arc<Link>>,
    /// The pending request to the page around the window.
    page_request: Option<PageRequest>,
    frames: FramePacer,
    steps: StepClock,
    /// The origin of the clocks of steps and of the interface.
    opened: Instant,
    trace: Option<Trace>,
    stills: Stills,
    scheduler: Arc<dyn TaskScheduler>,
    wake: Waker,
    is_hidden: bool,
    /// Whether the window should close.
    pub is_closing: bool,
}

/// The initial contents of a window.
pub struct Opening {
    /// A scene that has started.
    pub simulation: Simulation,
    pub scene: Scene,
    /// The chain of the look.
    pub look: Chain,
}

impl MainWindow {
    /// Opens a window.
    ///
    /// # Errors
    /// If the system has no display, nothing can draw on it, or no thread for the simulation starts.
    pub fn open(
        events: &ActiveEventLoop,
        attributes: WindowAttributes,
        Opening { simulation, scene, look }: Opening,
        scheduler: Arc<dyn TaskScheduler>,
        wake: Waker,
    ) -> Result<Self, Failure> {
        let attributes = attributes.with_title(title(&simulation.preset().name));
        // winit panics if the scale of a display is not positive.
        let created = guarded(|| events.create_window(attributes).map_err(|error| without_source(&error))).flatten();
        let window = created.map_err(|error| Failure::Device(format!("no window can be opened: {error}")))?;
        let window = Arc::new(window);
        let screen = Screen::open(window.clone(), look)?;
        let view = View::new(&simulation.preset().world, screen.size());
        let session = Session::start(simulation, scene, PathBuf::from("."), screen.gpu(), &*scheduler, wake.clone())?;
        Ok(Self {
            ui: ui_state(&window, &screen),
            view,
            session,
            window,
            screen,
            interface: Interface::default(),
            mouse: Mouse::new(),
            fingers: Fingers::default(),
            focused: None,
            link: None,
            page_request: None,
            frames: FramePacer::new(),
            steps: StepClock::default(),
            opened: Instant::now(),
            trace: Trace::open()?,
            stills: Stills::default(),
            scheduler,
            wake,
            is_hidden: false,
            is_closing: false,
        })
    }

    /// The time of the next work that no event announces.
    pub fn next_due(&self) -> Option<Instant> {
        // A frame that is due has been requested already.
        let frame = self.frames.due().filter(|_| !self.is_hidden && !self.frames.is_due());
        let still = (!self.stills.is_empty()).then(|| Instant::now() + ANSWER_INTERVAL);
        // The trace goes on even if nothing is drawn.
        let press = self.fingers.long_press_due(self.ui.egui_ctx().pixels_per_point());
        [frame, still, press, self.trace.as_ref().map(Trace::due)].into_iter().flatten().min()
    }

    /// Whether a frame is due and the window is visible.
    pub fn is_frame_due(&self) -> bool {
        !self.is_hidden && self.frames.is_due()
    }

    /// Whether the run is paused.
    pub fn is_paused(&self) -> bool {
        self.session.is_paused()
    }

    /// Whether a graphics device draws the window. After a loss another device is looked for.
    pub fn has_device(&self) -> bool {
        self.screen.canvas.is_some()
    }

    /// Makes the drawing device lost, as the reset of a driver does. Tests use it.
    pub fn lose_device(&self) {
        self.screen.gpu().into_iter().for_each(|gpu| gpu.lose());
    }

    /// Takes the pending request to the page around the window.
    pub fn take_page_request(&mut self) -> Option<PageRequest> {
        self.page_request.take()
    }

    /// Saves the swarm for the next visit of the page.
    pub fn keep_session(&mut self) {
        self.session.send(Command::Save(SaveKind::Session));
    }

    /// Shows or hides the panel.
    pub fn show_panel(&mut self, is_shown: bool) {
        self.interface.is_panel_hidden = !is_shown;
        self.adapt_arrangement();
        // A swarm that is paused requests no frames.
        self.frames.request(Duration::ZERO);
    }

    /// Sets the link, so that its run can be verified.
    pub fn set_link(&mut self, link: Option<Arc<Link>>) {
        self.link = link;
    }

    /// The last requested engine.
    pub fn choice(&self) -> EngineChoice {
        self.session.choice()
    }

    /// Starts another scene.
    pub fn begin(&mut self, scene: Scene) {
        self.session.begin_scene(scene);
    }

    /// Resumes a checkpoint instead of the scene.
    pub fn resume(&mut self, checkpoint: Checkpoint) {
        self.session.resume(checkpoint);
    }

    /// Shows a message.
    pub fn say(&mut self, said: Result<String, String>) {
        match said {
            Ok(text) => self.interface.messages.show_info(text),
            Err(text) => self.interface.messages.show_error(text),
        }
        self.frames.request(Duration::ZERO);
    }

    /// Plays the run of the link to its end, at full speed. The result is shown then.
    pub fn verify(&mut self) {
        let Some(link) = self.link.clone() else { return };
        let loaded = link.load();
        let is_of_another_version = |(preset, chain): &_| link.is_of_another_version(preset, chain);
        if loaded.as_ref().is_ok_and(is_of_another_version) {
            let text = "this link was changed, or is of another version of the preset: its hash cannot be compared";
            return self.interface.messages.show_info(text);
        }
        match loaded.map(|(preset, chain)| link.replay(&preset, &chain)) {
            Ok(Some(replay)) => {
                let choice = self.session.choice();
                self.session.begin_scene(Scene::from_replay(crate::host(), replay, choice));
                self.session.set_pace(Pace::MAX);
                self.session.set_paused(false);
            }
            Ok(None) => {}
            Err(failure) => self.interface.messages.show_error(failure.to_string()),
        }
    }

    /// Finishes a long press, and runs the background tasks if the system has no threads.
    pub fn turn(&mut self) {
        self.finish_long_press();
        self.session.turn();
        if let Some(film) = &mut self.interface.panel.film.recorder {
            film.turn();
        }
    }

    pub fn request_redraw(&self) {
        self.window.request_redraw();
    }

    /// Receives the results of other threads: events, the end of a film, a snapshot.
    pub fn receive(&mut self) {
        for event in self.session.take_events() {
            match event {
                Event::Info(text) => self.interface.messages.show_info(text),
                Event::Error(text) => self.interface.messages.show_error(text),
                Event::Resolved(text) => self.interface.messages.resolve(&text),
                Event::Paused => self.session.note_pause(),
            }
        }
        if let Some(outcome) = self.interface.panel.film.recorder.as_ref().and_then(FilmRecording::outcome) {
            self.end_film(outcome);
        }
        // After the window has taken a snapshot, the session makes another. If steps go before frames, the next frame
        // takes the snapshot.
        if self.is_hidden || !self.frames.is_held_back() {
            self.take_snapshot();
        }
        self.frames.request(Duration::ZERO);
    }

    fn take_snapshot(&mut self) {
        if let Some(snapshot) = self.session.take_snapshot() {
            self.show(snapshot);
        }
    }

    fn show(&mut self, snapshot: Snapshot) {
        let last = self.session.snapshot.as_ref();
        let is_same_scene = last.is_some_and(|last| last.scene == snapshot.scene);
        let is_reloaded = last.is_some_and(|last| last.reloads != snapshot.reloads);
        let is_taken_over = self.session.is_replaying() && snapshot.replay.is_none();
        // A change of the scene and an undo count as one step.
        let before = last.filter(|_| is_same_scene).map_or(0, |last| last.step);
        let steps = snapshot.step.checked_sub(before).unwrap_or(1);
        if !is_same_scene || before != snapshot.step {
            self.steps.note(self.opened.elapsed(), steps);
        }
        let needs_fit = self.view.adapt(last, &snapshot);
        if !is_same_scene {
            self.window.set_title(&title(&snapshot.info.preset));
        }
        if !is_same_scene || is_taken_over {
            // Another scene has no hunter yet.
            self.mouse.hunter = (None, 0);
        }
        if is_reloaded {
            self.cancel_round();
        }
        self.interface.update(&snapshot);
        if !self.interface.round.is_on() {
            self.mouse.cursor.in_cells = None;
        } else if !self.mouse.cursor.is_of_round() {
            self.cancel_round();
        }
        self.draw_from_now_on(&snapshot);
        self.session.snapshot = Some(snapshot);
        if needs_fit {
            self.fit();
        }
    }

    /// Hands a snapshot to the screen.
    fn draw_from_now_on(&mut self, snapshot: &Snapshot) {
        if let Some(canvas) = &mut self.screen.canvas
            && let Err(failure) = canvas.show(snapshot)
        {
            self.interface.messages.show_error(failure.to_string());
        }
    }

    /// Handles an event of the window.
    pub fn handle_event(&mut self, event: WindowEvent) {
        self.frames.note_input();
        self.frames.request(Duration::ZERO);
        // Shortcuts precede the keys of the interface, except while text is edited.
        if let WindowEvent::KeyboardInput { event, is_synthetic: false, .. } = &event
            && !self.ui.egui_ctx().text_edit_focused()
            && !self.is_for_control(event)
        {
            if matches!(event.logical_key, Key::Dead(_)) {
                // Without this, the next letter would get the accent of the dead key.
                self.window.reset_dead_keys();
            }
            if let Some(action) = self.interface.keyboard.action(event, &self.mouse.modifiers) {
                self.view.touch();
                self.apply_action(action);
                return self.send_mouse();
            }
        }
        let _ = self.ui.on_window_event(&self.window, &event);
        match event {
            WindowEvent::Resized(size) => self.resize(uvec2(size.width, size.height)),
            WindowEvent::Occluded(is_hidden) => self.is_hidden = is_hidden,
            WindowEvent::ModifiersChanged(modifiers) => self.mouse.modifiers = modifiers,
            WindowEvent::Focused(false) => self.mouse.release_all(),
            WindowEvent::CursorMoved { position, .. } => self.move_mouse(position),
            WindowEvent::Touch(touch) => self.touch(&touch),
            WindowEvent::CursorLeft { .. } => self.mouse.cursor.at = None,
            WindowEvent::MouseInput { state, button, .. } => self.press_button(button, state == ElementState::Pressed),
            WindowEvent::MouseWheel { delta, .. } if !self.ui.egui_ctx().egui_wants_pointer_input() => {
                self.turn_wheel(delta);
            }
            _ => {}
        }
        if self.is_hidden {
            // A hidden window draws no frame that takes the snapshot. The next snapshot comes only after the window has
            // taken this one.
            self.take_snapshot();
        }
        self.send_mouse();
    }

    /// Whether a key is for the focused control of the panel.
    fn is_for_control(&self, event: &KeyEvent) -> bool {
        let is_focused = self.ui.egui_ctx().memory(|memory| memory.focused().is_some());
        let keys = [NamedKey::Tab, NamedKey::Enter, NamedKey::Space, NamedKey::Escape];
        let arrows = [NamedKey::ArrowLeft, NamedKey::ArrowRight, NamedKey::ArrowUp, NamedKey::ArrowDown];
        is_focused && keys.into_iter().chain(arrows).any(|key| event.logical_key == Key::Named(key))
    }

    fn resize(&mut self, size: UVec2) {
        self.is_hidden = size.min_element() == 0;
        self.screen.resize(size);
        self.view.arrangement.size = self.screen.size();
        if self.view.is_fitted {
            self.fit();
        }
    }

    /// Fits the world to the window.
    fn fit(&mut self) {
        let info = self.session.snapshot.as_ref().map(|snapshot| &*snapshot.info);
        self.view.fit(info, self.screen.size(), self.covered());
    }

    /// The width of the panel in pixels, at most half of the window.
    fn covered(&self) -> u32 {
        let panel = if self.interface.is_panel_hidden { 0.0 } else { interface::BREADTH };
        ((panel * self.ui.egui_ctx().pixels_per_point()).round() as u32).min(self.screen.size().x / 2)
    }

    fn toggle_fullscreen(&mut self) {
        let is_full = self.window.fullscreen().is_some();
        self.window.set_fullscreen((!is_full).then_some(Fullscreen::Borderless(None)));
    }

    /// Requests a picture of the window without the interface. A plane of values gets its legend.
    fn request_still(&mut self) {
        let Some(Snapshot { info, step, inputs, .. }) = &self.session.snapshot else { return };
        let arrangement = self.view.arrangement.without_panel();
        let lost = || Failure::Device("no picture can be taken: the graphics device was lost".into());
        let canvas = self.screen.canvas.as_mut().ok_or_else(lost);
        match canvas.and_then(|canvas| canvas.request_still(&arrangement, &info.look)) {
            Ok(still) => {
                // A swarm on the device may be ahead of the snapshot.
                let step = still.step.unwrap_or(*step);
                let caption = Caption { provenance: info.provenance.with_inputs(*inputs), step };
                self.stills.add(still, caption, info.world.extents, info.look.clone());
            }
            Err(failure) => self.interface.messages.show_error(failure.to_string()),
        }
    }

    /// Writes the finished stills, and shows messages.
    pub fn write_stills(&mut self) {
        for saved in self.stills.write(Path::new("."), Patience::Poll) {
            self.interface.messages.show_result(saved);
            self.frames.request(Duration::ZERO);
        }
    }

    /// Closes the window. The current film is completed, and requested files are written. Events that can no longer be
    /// shown go to standard error.
    ///
    /// # Errors
    /// If the film cannot be completed.
    pub fn close(mut self) -> Result<(), Failure> {
        self.window.set_visible(false);
        self.write_last_trace();
        for saved in self.stills.write(Path::new("."), Patience::Wait) {
            let text = saved.unwrap_or_else(|failure| failure.to_string());
            let _ = writeln!(stderr(), "{text}");
        }
        self.session.film(None);
        let film = self.interface.panel.film.recorder.take().map(FilmRecording::finish).transpose();
        if let Ok(Some(finished)) = &film {
            let _ = writeln!(stderr(), "{finished}");
        }
        for event in self.session.close() {
            if let Event::Info(text) | Event::Error(text) = event {
                let _ = writeln!(stderr(), "{text}");
            }
        }
        film.map(drop)
    }
}

fn ui_state(window: &Window, screen: &Screen) -> egui_winit::State {
    let context = egui::Context::default();
    theme::set_up(&context);
    let scale = Some(window.scale_factor() as f32);
    let longest = screen.canvas.as_ref().map(Canvas::longest_side);
    egui_winit::State::new(context, egui::ViewportId::ROOT, window, scale, None, longest)
}

fn title(preset: &str) -> String {
    format!("Murmuration · {preset}")
}

/// The message of a winit error, without the path of the source file at its beginning.
pub fn without_source(error: &impl Display) -> String {
    let text = error.to_string();
    match text.strip_prefix("os error at ").and_then(|rest| rest.split_once(": ")) {
        Some((_, said)) => said.into(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_of_a_source_file_is_said() {
        let path = "/home/builder/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/winit-0.30.13/src/lib.rs";
        let said = without_source(&format!("os error at {path}:767: Failed to open connection: why"));
        assert_eq!(said, "Failed to open connection: why");
        assert_eq!(without_source(&"Exit Failure: 1"), "Exit Failure: 1");
    }
}
