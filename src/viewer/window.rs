//! The window: its events, its frames, and what it asks of the simulation.

use super::autosave;
use super::canvas::{Drawn, Painted};
use super::film::{Filming, Outcome, Viewpoint};
use super::film_panel::Progress;
use super::gallery;
use super::hand::Hand;
use super::interface::{self, Interface, Scenery};
use super::keys::{self, Action, Tool};
use super::pace::Frames;
use super::panel::PanelAction;
use super::play::{Command, Pace, Play, Snapshot, Word};
use super::round;
use super::scene::{Change, Facts, Scene};
use super::screen::{BETWEEN_TRIES, Screen};
use super::settings::is_of_the_start;
use super::sides::{self, Arrangement, Models};
use super::trace::{self, Trace};
use crate::error::Failure;
use crate::interrupt;
use crate::look::{Camera, Orbit};
use crate::numbers::Cell;
use crate::observe::Caption;
use crate::observe::PngPicture;
use crate::simulation::{Input, Pointer, Simulation};
use glam::{UVec2, Vec2, uvec2, vec2};
use serde_json::json;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use winit::application::ApplicationHandler;
use winit::dpi::{LogicalSize, PhysicalPosition};
use winit::event::{ElementState, Modifiers, MouseButton, MouseScrollDelta, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy};
use winit::window::{Fullscreen, Window, WindowId};

/// How much nearer a notch of the wheel brings the swarm.
const ZOOM: f32 = 1.15;
/// Pixels of a touchpad that count as a notch.
const NOTCH: f32 = 40.0;

/// What other threads tell the window.
#[derive(Debug, Clone, Copy)]
enum Call {
    /// There is something new in the mailbox.
    News,
    /// The program is asked to end.
    Interrupt,
}

/// Why the window was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// By whoever sits before it.
    Closed,
    /// By Ctrl-C in the terminal, or because the session ended.
    Interrupted,
}

/// Opens the window on a scene that has begun, and returns when it was closed. A signal that asks the program to end
/// closes it as its button does.
///
/// # Errors
/// `Device`, where there is no display or nothing that can draw on it; `File`, where no signals can be listened for or
/// a film cannot be completed.
pub fn run(simulation: Simulation, scene: Scene) -> Result<Ending, Failure> {
    let trace = match std::env::var_os(trace::VARIABLE) {
        Some(path) => Some(Trace::open(&PathBuf::from(path))?),
        None => None,
    };
    let no_display = |error: &dyn std::fmt::Display| {
        Failure::Device(format!(
            "no window can be opened: {error}; on a machine without a display use `murmuration render`"
        ))
    };
    let events = EventLoop::<Call>::with_user_event().build().map_err(|error| no_display(&error))?;
    let wake = events.create_proxy();
    let asked = wake.clone();
    interrupt::call(move || {
        // A window that is gone needs not be closed.
        let _ = asked.send_event(Call::Interrupt);
    })?;
    let begin = Some((simulation, scene));
    let mut program = Program { begin, trace, wake, shown: None, ending: Ending::Closed, failure: None };
    events.run_app(&mut program).map_err(|error| no_display(&error))?;
    match program.failure {
        Some(failure) => Err(failure),
        None => Ok(program.ending),
    }
}

/// The program as the event loop sees it: before, while and after there is a window.
struct Program {
    begin: Option<(Simulation, Scene)>,
    trace: Option<Trace>,
    wake: EventLoopProxy<Call>,
    shown: Option<Shown>,
    ending: Ending,
    failure: Option<Failure>,
}

impl Program {
    fn end(&mut self, events: &ActiveEventLoop, failure: Option<Failure>) {
        self.failure = failure;
        if let Some(shown) = self.shown.take() {
            let filmed = shown.close();
            self.failure = self.failure.take().or(filmed.err());
        }
        events.exit();
    }
}

impl ApplicationHandler<Call> for Program {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        let Some((simulation, scene)) = self.begin.take() else { return };
        match Shown::open(events, simulation, scene, self.wake.clone(), self.trace.take()) {
            Ok(shown) => self.shown = Some(shown),
            Err(failure) => self.end(events, Some(failure)),
        }
    }

    fn user_event(&mut self, events: &ActiveEventLoop, call: Call) {
        match call {
            Call::News => {
                if let Some(shown) = &mut self.shown {
                    shown.fetch();
                }
            }
            Call::Interrupt => {
                self.ending = Ending::Interrupted;
                self.end(events, None);
            }
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(shown) = &mut self.shown else { return };
        let done = match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => Ok(false),
            WindowEvent::RedrawRequested => shown.draw(),
            event => {
                shown.hear(event);
                Ok(!shown.is_closing)
            }
        };
        match done {
            Ok(true) => {}
            Ok(false) => self.end(events, None),
            Err(failure) => self.end(events, Some(failure)),
        }
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        let Some(shown) = &mut self.shown else { return };
        if shown.is_closing {
            return self.end(events, None);
        }
        events.set_control_flow(match shown.due() {
            Some(due) if due <= Instant::now() => {
                shown.window.request_redraw();
                ControlFlow::Wait
            }
            Some(due) => ControlFlow::WaitUntil(due),
            None => ControlFlow::Wait,
        });
    }
}

/// What drawing the mouse does to the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Drag {
    Pan,
    /// Around a deep world.
    Turn,
    /// The divider between two parts of the window.
    Divide,
}

/// The window while it is open.
struct Shown {
    window: Arc<Window>,
    canvas: Screen,
    context: egui::Context,
    input: egui_winit::State,
    interface: Interface,
    play: Play,
    scene: Scene,
    snapshot: Option<Snapshot>,
    arrangement: Arrangement,
    /// Which models are to be shown, where there are both.
    models: Models,
    /// Whether deep worlds, too, are seen from above.
    is_above: bool,
    /// What drawing the mouse does while it is held for that.
    drag: Drag,
    /// Whether the camera follows the size of the window, because nobody has moved it.
    is_fitted: bool,
    hand: Hand,
    modifiers: Modifiers,
    frames: Frames,
    /// What was last asked for, and with which command.
    is_paused: (bool, u64),
    pace: Pace,
    /// What the simulation was last told of the hunter and of its jaws.
    told: (Option<Pointer>, u32),
    /// The cell that the simulation was last told to look into.
    probed: Option<Cell>,
    trace: Option<Trace>,
    wake: EventLoopProxy<Call>,
    filming: Option<Filming>,
    /// Frames of the last film, and steps played meanwhile.
    filmed: [u64; 2],
    is_hidden: bool,
    is_closing: bool,
}

impl Shown {
    fn open(
        events: &ActiveEventLoop,
        simulation: Simulation,
        scene: Scene,
        wake: EventLoopProxy<Call>,
        trace: Option<Trace>,
    ) -> Result<Self, Failure> {
        let attributes = Window::default_attributes()
            .with_title(format!("Murmuration · {}", simulation.preset().name))
            .with_inner_size(LogicalSize::new(1280, 800))
            .with_min_inner_size(LogicalSize::new(480, 320));
        let window = events
            .create_window(attributes)
            .map_err(|error| Failure::Device(format!("no window can be opened: {error}")))?;
        let window = Arc::new(window);
        let canvas = Screen::open(events.owned_display_handle(), window.clone())?;
        let (context, input) = interface_of(&window, &canvas);
        let (world, size) = (&simulation.preset().world, canvas.size());
        let camera = Camera::fit(world.extents, world.edges, size);
        let play = Play::begin(simulation, scene.clone(), PathBuf::from("."), waker(&wake))?;
        Ok(Self {
            window,
            canvas,
            context,
            input,
            interface: Interface::new(),
            play,
            scene,
            snapshot: None,
            arrangement: Arrangement { size, camera, orbit: None, models: Models::Played, divider: 0.5, covered: 0 },
            models: Models::Played,
            is_above: false,
            drag: Drag::Pan,
            is_fitted: true,
            hand: Hand::new(),
            modifiers: Modifiers::default(),
            frames: Frames::new(),
            is_paused: (false, 0),
            pace: Pace::USUAL,
            told: (None, 0),
            probed: None,
            trace,
            wake,
            filming: None,
            filmed: [0; 2],
            is_hidden: false,
            is_closing: false,
        })
    }

    /// When something has to be done next, without any event.
    fn due(&self) -> Option<Instant> {
        let frame = if self.is_hidden { None } else { self.frames.due() };
        // A trace goes on while nothing is drawn.
        [frame, self.trace.as_ref().map(Trace::due)].into_iter().flatten().min()
    }

    /// Fetches the newest snapshot.
    fn fetch(&mut self) {
        for word in self.play.words() {
            match word {
                Word::Remark(text) => self.interface.messages.say(text),
                Word::Trouble(text) => self.interface.messages.complain(text),
                Word::Mended(text) => self.interface.messages.take_back(&text),
            }
        }
        if let Some(outcome) = self.filming.as_ref().and_then(Filming::outcome) {
            self.end_film(outcome);
        }
        if let Some(snapshot) = self.play.newest() {
            let facts = &snapshot.facts;
            let is_other = self.snapshot.as_ref().is_none_or(|last| last.scene != snapshot.scene);
            if is_other {
                self.window.set_title(&format!("Murmuration · {}", facts.preset));
                let known = self.snapshot.as_ref().map(|last| (last.facts.world.extents, last.facts.depth));
                self.is_fitted |= known != Some((facts.world.extents, facts.depth));
                // Another simulation knows nothing of the hunter yet.
                self.told = (None, 0);
            }
            let was_watching = self.snapshot.as_ref().is_some_and(|last| last.watched.is_some());
            if was_watching && snapshot.watched.is_none() {
                self.told = (None, 0);
            }
            if self.snapshot.as_ref().is_some_and(|last| last.reloads != snapshot.reloads) {
                self.call_off();
            }
            self.interface.notice(&snapshot);
            if !self.interface.round.is_on() {
                self.hand.in_cells = None;
            } else if !self.hand.is_of_round() {
                self.call_off();
            }
            // Another scene, and a step back, are as far from the last one as its next step.
            let before = self.snapshot.as_ref().filter(|last| last.scene == snapshot.scene).map_or(0, |last| last.step);
            let steps = snapshot.step.checked_sub(before).unwrap_or(1);
            self.canvas.show(&snapshot.state, snapshot.agents.as_deref(), &facts.world, steps);
            self.show_beside(&snapshot, steps);
            let models = if snapshot.beside.is_some() { self.models } else { Models::Played };
            let is_rearranged = std::mem::replace(&mut self.arrangement.models, models) != models;
            let known = self.snapshot.as_ref().map(|last| last.facts.world.edges);
            let is_refitted = self.is_fitted && (is_other || known != Some(facts.world.edges));
            let is_deep = snapshot.facts.depth > 1;
            self.snapshot = Some(snapshot);
            self.is_fitted |= is_rearranged;
            let is_turned = is_rearranged || self.arrangement.orbit.is_some() != (is_deep && !self.is_above);
            if is_refitted || is_turned {
                self.fit();
            }
        }
        self.frames.ask(Duration::ZERO);
    }

    fn show_beside(&mut self, snapshot: &Snapshot, steps: u64) {
        let other = snapshot.beside.as_ref().map(|other| (&*other.state, &*other.agents));
        if let Err(failure) = self.canvas.show_beside(other, &snapshot.facts.world, steps) {
            self.interface.messages.complain(failure.to_string());
        }
    }

    /// Takes an event in.
    fn hear(&mut self, event: WindowEvent) {
        self.frames.ask(Duration::ZERO);
        // Keys of the program come before those of the interface, unless someone is writing.
        if let WindowEvent::KeyboardInput { event, is_synthetic: false, .. } = &event
            && !self.context.text_edit_focused()
            && let Some(action) = keys::action(event, &self.modifiers)
        {
            return self.act(action);
        }
        let _ = self.input.on_window_event(&self.window, &event);
        match event {
            WindowEvent::Resized(size) => self.resize(uvec2(size.width, size.height)),
            WindowEvent::Occluded(is_hidden) => self.is_hidden = is_hidden,
            WindowEvent::ModifiersChanged(modifiers) => self.modifiers = modifiers,
            WindowEvent::Focused(false) => (self.hand.left, self.hand.right, self.hand.middle) = (false, false, false),
            WindowEvent::CursorMoved { position, .. } => self.move_to(position),
            WindowEvent::CursorLeft { .. } => self.hand.at = None,
            WindowEvent::MouseInput { state, button, .. } => self.press(button, state == ElementState::Pressed),
            WindowEvent::MouseWheel { delta, .. } if !self.context.egui_wants_pointer_input() => {
                let notches = match delta {
                    MouseScrollDelta::LineDelta(_, notches) => notches,
                    MouseScrollDelta::PixelDelta(pixels) => pixels.y as f32 / NOTCH,
                };
                if let Some(at) = self.hand.at {
                    self.zoom(at, ZOOM.powf(notches));
                }
            }
            _ => {}
        }
        self.tell();
    }

    fn resize(&mut self, size: UVec2) {
        self.is_hidden = size.min_element() == 0;
        self.canvas.resize(size);
        self.arrangement.size = self.canvas.size();
        if self.is_fitted {
            self.fit();
        }
    }

    /// Fits the world to the window: a torus fills it all, and walls and deep worlds are all in sight beside the panel.
    fn fit(&mut self) {
        let covered = self.covered();
        self.arrangement.size = self.canvas.size();
        if let Some(snapshot) = &self.snapshot {
            let Facts { world, depth, .. } = &*snapshot.facts;
            let is_around = *depth > 1 && !self.is_above;
            let extents = [world.extents.width, world.extents.height, *depth];
            self.arrangement.orbit = is_around.then(|| Orbit::fit(extents.into(), self.arrangement.size, Vec2::ONE));
            sides::fit(&mut self.arrangement, world, *depth, covered);
        }
        self.is_fitted = true;
    }

    /// Pixels of the window that the panel covers.
    fn covered(&self) -> u32 {
        let panel = if self.interface.is_panel_open { interface::BREADTH } else { 0.0 };
        // It takes half of a window at most.
        ((panel * self.context.pixels_per_point()) as u32).min(self.canvas.size().x / 2)
    }

    fn zoom(&mut self, at: Vec2, factor: f32) {
        let pane = self.arrangement.side_at(at).pane;
        let at = at - pane.origin.as_vec2();
        match &mut self.arrangement.orbit {
            Some(orbit) => orbit.zoom_at(pane.size, at, factor),
            None => self.arrangement.camera.zoom_at(pane.size, at, factor),
        }
        self.is_fitted = false;
    }

    /// Moves the view by this many pixels.
    fn draw_along(&mut self, drag: Drag, pixels: Vec2) {
        let size = self.arrangement.main_side().pane.size;
        match (&mut self.arrangement.orbit, drag) {
            (Some(orbit), Drag::Turn) => orbit.turn(pixels),
            (Some(orbit), _) => orbit.pan(size, pixels),
            (None, _) => self.arrangement.camera.pan(pixels),
        }
        self.is_fitted = false;
    }

    fn move_to(&mut self, position: PhysicalPosition<f64>) {
        let at = vec2(position.x as f32, position.y as f32);
        if let (true, Some(before)) = (self.hand.middle, self.hand.at) {
            match self.drag {
                Drag::Divide => self.arrangement.divide_at(at.x),
                drag => self.draw_along(drag, at - before),
            }
        }
        self.hand.at = Some(at);
    }

    fn press(&mut self, button: MouseButton, is_down: bool) {
        // A press on the panel is the panel's; a release ends whatever was held.
        let is_down = is_down && !self.context.is_pointer_over_egui();
        let is_shifted = self.modifiers.state().shift_key();
        let turns = self.arrangement.orbit.is_some();
        match button {
            MouseButton::Left if is_down && self.hand.at.is_some_and(|at| self.arrangement.is_on_divider(at)) => {
                (self.hand.middle, self.drag) = (true, Drag::Divide);
            }
            // Where there is no middle button, Shift makes the left one draw the view.
            MouseButton::Left if is_shifted && is_down && turns => {
                (self.hand.middle, self.drag) = (true, Drag::Turn);
            }
            MouseButton::Left if !is_down => (self.hand.left, self.hand.middle) = (false, false),
            MouseButton::Left => self.hand.left = true,
            MouseButton::Right => self.hand.right = is_down,
            MouseButton::Middle => {
                self.hand.middle = is_down;
                self.drag = if turns && !is_shifted { Drag::Turn } else { Drag::Pan };
            }
            _ => {}
        }
    }

    /// Shows one model, the other or both; where the individuals are not played yet, the scene begins anew with them.
    fn show_models(&mut self, models: Models) {
        let Some(snapshot) = &self.snapshot else { return };
        if !snapshot.facts.has_cells {
            let words = format!("{} has no cells: its individuals are all there is", snapshot.facts.preset);
            return self.interface.messages.say(words);
        }
        let (was_played, is_played) = (snapshot.beside.is_some(), models != Models::Played);
        if is_played && snapshot.watched.is_some() {
            return self.interface.messages.say("a hunt is watched: Enter takes it over");
        }
        let was_asked_for = std::mem::replace(&mut self.models, models) != Models::Played;
        if was_asked_for != is_played || is_played && !was_played {
            self.call_off();
            self.play.send(Command::Compare(is_played));
        }
        if was_played && is_played {
            self.arrangement.models = models;
            self.fit();
        }
    }

    /// Looks at a deep world from around, or from above.
    fn look_around(&mut self, is_around: bool) {
        let Some(snapshot) = &self.snapshot else { return };
        if snapshot.facts.depth <= 1 {
            return self.interface.messages.say("this world is flat: it is seen from above");
        }
        self.is_above = !is_around;
        self.fit();
    }

    /// The hand, where it is over the swarm and not over the panel.
    fn hand_over_swarm(&self) -> Hand {
        let mut hand = self.hand.clone();
        if self.context.egui_wants_pointer_input() || self.is_watching() {
            hand.at = None;
        }
        hand
    }

    /// Whether a replay is watched.
    fn is_watching(&self) -> bool {
        self.snapshot.as_ref().is_some_and(|snapshot| snapshot.watched.is_some())
    }

    fn is_paused(&self) -> bool {
        let (asked, command) = self.is_paused;
        self.snapshot.as_ref().filter(|snapshot| snapshot.heard >= command).map_or(asked, |snapshot| snapshot.is_paused)
    }

    fn pause(&mut self, is_paused: bool) {
        self.is_paused = (is_paused, self.play.send(Command::Pause(is_paused)));
    }

    /// Begins a round: the scene from its start, with open jaws and a hunter like everyone's.
    fn round(&mut self) {
        let Some(snapshot) = self.snapshot.clone() else { return };
        self.scene.replay = None;
        self.hand = self.hand.in_round(&snapshot.facts.world);
        self.pace = Pace::USUAL;
        self.play.send(Command::Pace(self.pace));
        let command = self.play.send(Command::Round(round::STEPS));
        self.is_paused = (false, command);
        if let Err(failure) = self.interface.round.begin(command, &snapshot) {
            self.interface.messages.complain(failure.to_string());
        }
    }

    /// Whatever changes the game ends the round.
    fn call_off(&mut self) {
        if self.interface.round.is_on() {
            self.interface.round.call_off();
            self.play.send(Command::EndRound);
            self.hand.in_cells = None;
            self.interface.messages.say("the round is off: nothing but the hunter may touch the swarm in it");
        }
    }

    /// Tells the simulation what the hand does.
    fn tell(&mut self) {
        self.tell_probe();
        let Some(snapshot) = self.snapshot.as_ref().filter(|snapshot| snapshot.watched.is_none()) else { return };
        let world = snapshot.facts.world.clone();
        let (mut hand, side) = self.arrangement.hold(&self.hand_over_swarm());
        let (camera, size) = (side.camera(), side.pane.size);
        let pointer = hand.pointer(&camera, size, &world);
        let jaws = if pointer.is_some() { hand.jaws(&camera, size) } else { 0 };
        if pointer != self.told.0 {
            self.play.send(Command::Input(Input::Hunter(pointer)));
        }
        if jaws != self.told.1 {
            self.play.send(Command::Input(Input::Jaws(jaws)));
        }
        self.told = (pointer, jaws);
        let stroke = hand.stroke(&camera, size, &world);
        self.hand.follow(&hand);
        for input in stroke {
            self.play.send(Command::Input(input));
        }
    }

    /// Tells the simulation which cell is to be looked into: the last one, where the mouse has left the swarm.
    fn tell_probe(&mut self) {
        let Some(snapshot) = &self.snapshot else { return };
        let (hand, side) = self.arrangement.hold(&self.hand);
        let is_over = !self.context.egui_wants_pointer_input();
        let under = if is_over { hand.cell(&side.camera(), side.pane.size, &snapshot.facts.world) } else { None };
        let cell = if self.hand.tool == Tool::Probe { under.or(self.probed) } else { None };
        if cell != self.probed {
            self.probed = cell;
            self.play.send(Command::Probe(cell));
        }
    }

    /// Does what a key asks for.
    fn act(&mut self, action: Action) {
        let middle = self.canvas.size().as_vec2() / 2.0;
        match action {
            Action::Pause => self.grant(PanelAction::Pause(!self.is_paused())),
            Action::Round => self.grant(PanelAction::Round),
            Action::Rewatch => self.grant(PanelAction::Rewatch),
            Action::TakeOver => {
                self.play.send(Command::TakeOver);
            }
            Action::Step => self.grant(PanelAction::Step),
            Action::Faster(by) => self.grant(PanelAction::Pace(self.pace.faster(by))),
            Action::Restart => self.grant(PanelAction::Restart(None)),
            Action::Preset(index) => {
                if let Some(name) = crate::host().library().preset_names().nth(index) {
                    self.grant(PanelAction::Preset(name));
                }
            }
            Action::Fit => self.fit(),
            Action::Pan(pixels) => {
                let drag = if self.modifiers.state().shift_key() { Drag::Pan } else { Drag::Turn };
                self.draw_along(drag, pixels.map(f32::from).into());
            }
            Action::Models => self.grant(PanelAction::Models(match self.models {
                Models::Played => Models::Both,
                Models::Both => Models::Beside,
                Models::Beside => Models::Played,
            })),
            Action::Depth => self.grant(PanelAction::Around(self.arrangement.orbit.is_none())),
            Action::Zoom(notches) => self.zoom(self.hand.at.unwrap_or(middle), ZOOM.powf(2.0 * f32::from(notches))),
            Action::Catch => self.grant(PanelAction::Catch(!self.hand.is_catching)),
            Action::Take(tool) => {
                if !matches!(tool, Tool::Hunter | Tool::Probe) {
                    self.call_off();
                }
                self.hand.tool = tool;
            }
            Action::Brush(by) => {
                self.hand.brush_stretch = (self.hand.brush_stretch * 1.25f32.powi(i32::from(by))).clamp(0.2, 8.0);
            }
            Action::Undo => self.grant(PanelAction::Undo),
            Action::Still => self.still(),
            Action::Film => self.grant(PanelAction::Film),
            Action::Keep(autosave) => {
                self.play.send(Command::Keep(autosave));
            }
            Action::Panel => {
                self.interface.is_panel_open = !self.interface.is_panel_open;
                if self.is_fitted {
                    self.fit();
                }
            }
            Action::Help => self.grant(PanelAction::Help),
            Action::Back => {
                // What lies uppermost goes first.
                if self.interface.is_help_open {
                    self.interface.is_help_open = false;
                } else if !self.interface.messages.dismiss() {
                    self.hand.tool = Tool::Hunter;
                }
            }
            Action::Fullscreen => {
                let is_full = self.window.fullscreen().is_some();
                self.window.set_fullscreen((!is_full).then_some(Fullscreen::Borderless(None)));
            }
            Action::Quit => self.is_closing = true,
        }
        self.tell();
    }

    /// Does what the panel or a key asks for.
    fn grant(&mut self, wish: PanelAction) {
        if self.is_watching() && wish.touches_swarm() {
            return self.interface.messages.say("a hunt is watched: Enter takes it over");
        }
        if wish.is_foul() {
            self.call_off();
        }
        match wish {
            PanelAction::Set(key, value) => self.set(key, &value),
            PanelAction::Preset(name) => {
                name.clone_into(&mut self.scene.preset);
                // What was laid over one preset means little for another; a chain may not even fit it.
                self.scene.overrides = Default::default();
                self.scene.chain = None;
                self.scene.replay = None;
                self.play.send(Command::Begin(self.scene.clone()));
            }
            PanelAction::Restart(seed) => {
                if seed.is_some() || self.scene.replay.is_none() {
                    self.restart(Change { seed, ..Change::default() });
                } else {
                    self.play.send(Command::Begin(self.scene.clone()));
                }
            }
            PanelAction::Size(width, height) => {
                self.restart(Change { size: Some((width, height)), ..Change::default() });
            }
            PanelAction::Engine(choice) => {
                self.play.send(Command::Engine(choice));
            }
            PanelAction::Keep(autosave) => {
                self.play.send(Command::Keep(autosave));
            }
            PanelAction::ResetAll => {
                let Some(snapshot) = &self.snapshot else { return };
                let now = &snapshot.facts.values;
                let fresh = self.interface.panel.fresh();
                let other: Vec<_> = fresh.iter().filter(|(key, value)| now.get(*key) != Some(value)).collect();
                let other: Vec<_> = other.into_iter().map(|(key, value)| (key.clone(), value.clone())).collect();
                let (start, rest): (Vec<_>, Vec<_>) = other.into_iter().partition(|(key, _)| is_of_the_start(key));
                for (key, value) in rest {
                    self.set(key, &value);
                }
                if !start.is_empty() {
                    self.grant(PanelAction::Start(start));
                }
            }
            PanelAction::Start(values) => {
                let set = values.iter().map(|(key, value)| (key.clone(), value.to_string())).collect();
                let command = self.restart(Change { set, ..Change::default() });
                for (key, value) in &values {
                    self.interface.panel.asked(key, value, command);
                }
            }
            PanelAction::Pause(is_paused) => self.pause(is_paused),
            PanelAction::Step => {
                self.pause(true);
                self.play.send(Command::Steps(1));
            }
            PanelAction::Round => self.round(),
            PanelAction::Rewatch => {
                self.is_paused = (false, self.play.send(Command::Rewatch));
            }
            PanelAction::Pace(pace) => {
                self.pace = pace;
                self.play.send(Command::Pace(pace));
                self.interface.messages.say(pace.to_string());
            }
            PanelAction::Catch(is_catching) => {
                self.hand.is_catching = is_catching;
                self.interface.messages.say(if is_catching { "catch on: the jaws are open" } else { "catch off" });
            }
            PanelAction::Undo => {
                self.play.send(Command::Input(Input::Undo));
            }
            PanelAction::Film => self.film(),
            PanelAction::Models(models) => self.show_models(models),
            PanelAction::Divide(part) => self.arrangement.divider = part,
            PanelAction::Around(is_around) => self.look_around(is_around),
            PanelAction::Help => self.interface.is_help_open = !self.interface.is_help_open,
        }
    }

    /// Begins the same scene anew; the number of the command.
    fn restart(&mut self, change: Change) -> u64 {
        self.scene.replay = None;
        self.play.send(Command::Restart(change))
    }

    fn set(&mut self, key: String, value: &super::settings::Value) {
        let command = self.play.send(Command::Input(Input::Set { key: key.clone(), value: value.to_string() }));
        self.interface.panel.asked(&key, value, command);
    }

    /// Where the window looks from.
    fn viewpoint(&self, Facts { world, depth, .. }: &Facts) -> Viewpoint {
        Viewpoint { arrangement: self.arrangement, extents: world.extents, edges: world.edges, depth: *depth }
    }

    /// Begins a film, or ends the one under way.
    fn film(&mut self) {
        if let Some(filming) = &mut self.filming {
            if !filming.is_stopping {
                filming.is_stopping = true;
                self.play.send(Command::Film(None));
            }
            return;
        }
        let Some(Snapshot { facts, step, .. }) = &self.snapshot else { return };
        let desk = &self.interface.film;
        let name = format!("murmuration-{}-{step:06}", facts.preset);
        let viewpoint = self.viewpoint(facts);
        let begun = Filming::begin(desk.form, &name, desk.frames_a_second, desk.every, viewpoint, waker(&self.wake));
        match begun {
            Ok((filming, lens)) => {
                self.filming = Some(filming);
                self.play.send(Command::Film(Some(lens)));
            }
            Err(failure) => self.interface.messages.complain(failure.to_string()),
        }
    }

    /// A film has come to its end.
    fn end_film(&mut self, outcome: Outcome) {
        self.follow_film();
        self.filming = None;
        // One that failed has left the simulation with nobody to give its states to.
        self.play.send(Command::Film(None));
        match outcome {
            Ok(finished) => self.interface.messages.say(finished.to_string()),
            Err(failure) => self.interface.messages.complain(failure.to_string()),
        }
    }

    /// Keeps the film's camera and the window's numbers up to date.
    fn follow_film(&mut self) {
        self.interface.film.progress = match &self.filming {
            None => Progress::None,
            Some(filming) => {
                self.filmed = [filming.frames(), filming.steps()];
                if let Some(snapshot) = &self.snapshot {
                    filming.look_from(self.viewpoint(&snapshot.facts));
                }
                match filming.is_stopping {
                    true => Progress::Completing,
                    false => Progress::Filming { frames: filming.frames(), frames_a_second: filming.frames_a_second },
                }
            }
        };
    }

    /// Closes the window. A film under way is completed first, and what was still asked for is saved; this is said where
    /// messages are still heard.
    fn close(mut self) -> Result<(), Failure> {
        self.window.set_visible(false);
        self.play.send(Command::Film(None));
        let filmed = self.filming.take().map(Filming::finish).transpose();
        if let Ok(Some(finished)) = &filmed {
            let _ = writeln!(stderr(), "{finished}");
        }
        for word in self.play.end() {
            if let Word::Remark(text) | Word::Trouble(text) = word {
                let _ = writeln!(stderr(), "{text}");
            }
        }
        filmed.map(drop)
    }

    /// Saves what the window shows, without what lies over it.
    fn still(&mut self) {
        let Some(snapshot) = &self.snapshot else { return };
        let facts = &snapshot.facts;
        let caption = Caption { preset: facts.preset.clone(), step: snapshot.step, seed: facts.seed };
        let path = autosave::path(Path::new("."), &facts.preset, snapshot.step, ".png");
        let saved = self
            .canvas
            .still(&self.arrangement.uncovered(facts.world.edges), &facts.look)
            .and_then(|picture| picture.write(&path, &caption));
        match saved {
            Ok(()) => self.interface.messages.say(format!("saved {}", path.display())),
            Err(failure) => self.interface.messages.complain(failure.to_string()),
        }
    }

    /// Draws a frame. `false`: the window is to be closed.
    fn draw(&mut self) -> Result<bool, Failure> {
        self.frames.begin();
        let size = self.window.inner_size();
        if size.width == 0 || size.height == 0 || self.is_hidden {
            self.write_trace();
            return Ok(!self.is_closing);
        }
        let Some(snapshot) = self.snapshot.clone() else { return Ok(true) };
        if self.canvas.is_lost() {
            self.open_again(&snapshot)?;
            self.write_trace();
            return Ok(!self.is_closing);
        }
        self.canvas.resize(uvec2(size.width, size.height));
        (self.arrangement.size, self.arrangement.covered) = (self.canvas.size(), self.covered());
        self.follow_film();
        let adapter = self.canvas.adapter(&self.arrangement);
        let scenery = Scenery {
            snapshot: &snapshot,
            arrangement: &self.arrangement,
            is_dividing: self.hand.middle && self.drag == Drag::Divide,
            frames_a_second: self.frames.rate(),
            is_paused: self.is_paused(),
            pace: self.pace,
            adapter: &adapter,
        };
        let mut hand = self.hand_over_swarm();
        let input = self.input.take_egui_input(&self.window);
        let mut wishes = Vec::new();
        let output = self.context.run_ui(input, |ui| wishes.extend(self.interface.show(ui, &scenery, &mut hand)));
        self.hand.follow(&hand);
        self.input.handle_platform_output(&self.window, output.platform_output);
        // Over the swarm the ring is the cursor.
        let is_away = self.arrangement.hold(&hand).0.at.is_none();
        self.window.set_cursor_visible(is_away || hand.tool == Tool::Probe);
        if let Some(viewport) = output.viewport_output.get(&egui::ViewportId::ROOT) {
            self.frames.ask(viewport.repaint_delay);
        }
        let painted = Painted {
            textures: output.textures_delta,
            shapes: self.context.tessellate(output.shapes, output.pixels_per_point),
            pixels_per_point: output.pixels_per_point,
        };
        match self.canvas.draw(&self.arrangement, &snapshot.facts.look, painted) {
            Drawn::Shown => self.frames.count(),
            Drawn::Hidden => self.frames.ask(Duration::from_millis(100)),
            Drawn::Again | Drawn::Lost => self.frames.ask(Duration::ZERO),
        }
        for trouble in self.canvas.troubles() {
            self.interface.messages.complain(trouble);
        }
        for wish in wishes {
            self.grant(wish);
        }
        // The panel may have opened under the hand, or closed.
        self.tell();
        self.write_trace();
        Ok(!self.is_closing)
    }

    /// Looks for another device, after the last one was lost.
    fn open_again(&mut self, snapshot: &Snapshot) -> Result<(), Failure> {
        match self.canvas.open_again() {
            Ok(true) => {}
            Ok(false) => {
                self.frames.ask(BETWEEN_TRIES);
                return Ok(());
            }
            Err(failure) => return Err(Failure::Device(format!("{failure}; {}", self.play.rescue()))),
        }
        self.canvas.show(&snapshot.state, snapshot.agents.as_deref(), &snapshot.facts.world, 1);
        self.show_beside(snapshot, 1);
        // The textures of the old context are gone with the device; what is open and folded stays.
        let memory = self.context.memory(Clone::clone);
        (self.context, self.input) = interface_of(&self.window, &self.canvas);
        self.context.memory_mut(|fresh| *fresh = memory);
        gallery::forget(&self.context);
        // The window may have another size by now.
        if self.is_fitted {
            self.fit();
        }
        self.window.set_title(&format!("Murmuration · {}", snapshot.facts.preset));
        self.interface.messages.say("the graphics device was lost, and opened again");
        self.frames.ask(Duration::ZERO);
        Ok(())
    }

    fn write_trace(&mut self) {
        let (is_paused, is_watching) = (self.is_paused(), self.is_watching());
        let (Some(trace), Some(snapshot)) = (&mut self.trace, &self.snapshot) else { return };
        let (hand, side) = self.arrangement.hold(&self.hand);
        let (camera, size) = (side.camera(), side.pane.size);
        let near = hand.cell(&camera, size, &snapshot.facts.world).map(|cell| (cell, hand.reach(&camera, size)));
        let seen = json!({
            "frames_a_second": self.frames.rate(),
            "paused": is_paused,
            "watching": is_watching,
            "probe": snapshot.probe.as_ref().map(|probe| probe.cell),
            "round": self.interface.round.running().map(|(score, left)| json!({"score": score, "left": left})),
            "hunts": self.told.0.is_some(),
            "jaws": self.told.1,
            "tool": format!("{:?}", self.hand.tool).to_lowercase(),
            "place": near.map(|(cell, _)| cell),
            "reach": near.map(|(_, reach)| reach),
            "pixels_per_cell": camera.pixels_per_cell,
            "models": format!("{:?}", self.arrangement.models).to_lowercase(),
            "individuals": snapshot.beside.as_ref().map(|other| other.account.quanta),
            "individuals_lost": snapshot.beside.as_ref().map(|other| other.account.lost),
            "individuals_caught": snapshot.beside.as_ref().map(|other| other.account.ledger.caught),
            "divider": self.arrangement.divided_at(),
            "yaw": self.arrangement.orbit.map(|orbit| orbit.yaw),
            "window": self.arrangement.size.to_array(),
            "drawn_by": self.canvas.adapter(&self.arrangement),
            "canvases": self.canvas.canvases,
            "panel": self.interface.is_panel_open,
            "filming": u8::from(self.filming.is_some()),
            "film_frames": self.filmed[0],
            "film_steps": self.filmed[1],
            "message": self.interface.messages.in_view(),
        });
        trace.write(snapshot, near, seen.as_object().cloned().unwrap_or_default());
    }
}

/// Wakes the event loop; one that has ended needs no waking.
fn waker(wake: &EventLoopProxy<Call>) -> impl Fn() + Send + 'static {
    let wake = wake.clone();
    move || {
        let _ = wake.send_event(Call::News);
    }
}

fn interface_of(window: &Window, canvas: &Screen) -> (egui::Context, egui_winit::State) {
    let context = interface::context();
    let scale = Some(window.scale_factor() as f32);
    let (root, longest) = (egui::ViewportId::ROOT, Some(canvas.longest_side()));
    let input = egui_winit::State::new(context.clone(), root, window, scale, None, longest);
    (context, input)
}

/// Whether the environment names a display.
pub fn has_display() -> bool {
    !cfg!(target_os = "linux")
        || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some_and(|it| !it.is_empty()))
}

/// What is said where there is no display.
pub fn no_display() -> Failure {
    Failure::Device(
        "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set); use `murmuration render` instead".into(),
    )
}
