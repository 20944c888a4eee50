//! The window of the program in the canvas of a web page, and the functions with which scripts control the window.

use crate::browser::{self, Kept};
use crate::given_file::GivenFile;
use crate::thrown;
use murmuration::controller::Scene;
use murmuration::link::{Cost, Link, LinkedRun};
use murmuration::viewer::{FrameScheduler, MainWindow, Opening, PageRequest};
use murmuration::{BadInput, Checkpoint, EngineChoice, Replay, Simulation, devices, host};
use murmuration_core::chain::{Chain, DEFAULT_OF_LOOK};
use murmuration_core::engine::Adapters;
use murmuration_core::error::Failure;
use murmuration_core::preset::DEFAULT;
use murmuration_core::world::Extents;
use murmuration_gpu::{DeviceRequest, Gpu, device};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::HtmlCanvasElement;
use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy};
use winit::platform::web::{EventLoopExtWebSys, WindowAttributesExtWebSys};
use winit::window::{Window, WindowId};

/// The time between two turns of the event loop while the swarm is paused.
const IDLE: Duration = Duration::from_millis(30);

/// An event that the page sends to its event loop.
enum PageEvent {
    /// A graphics device was opened, or opening failed.
    Opened(Result<Arc<Gpu>, Failure>),
    /// The window has received something, such as a file or an answer of a thread.
    News,
}

thread_local! {
    /// The window, for the functions that scripts call.
    static WINDOW: RefCell<Option<Rc<RefCell<Option<MainWindow>>>>> = const { RefCell::new(None) };
}

/// The event loop's state: the window, and the values from which it is opened.
struct App {
    canvas: HtmlCanvasElement,
    /// The link to open, until the window is open.
    link: Option<Arc<Link>>,
    /// The swarm from the user's last visit of the page, until the window is open.
    kept: Option<Kept>,
    choice: EngineChoice,
    window: Rc<RefCell<Option<MainWindow>>>,
    proxy: EventLoopProxy<PageEvent>,
    /// The device that was opened last. This reference keeps it alive until the window takes it from the pool.
    gpu: Option<Arc<Gpu>>,
    /// Whether a device is being requested from the browser.
    is_opening: bool,
}

async fn open_device() -> Result<Arc<Gpu>, Failure> {
    let request = DeviceRequest::new(Adapters::Any, Extents::flat(1, 1));
    let gpu = device::open(&devices().instance(), murmuration::LIBRARY, &request).await?;
    Ok(devices().add(gpu.with_clock(murmuration::host::elapsed)))
}

impl App {
    /// Requests a graphics device from the browser, unless a request is under way.
    fn request_device(&mut self) {
        if std::mem::replace(&mut self.is_opening, true) {
            return;
        }
        let proxy = self.proxy.clone();
        spawn_local(async move {
            let opened = open_device().await;
            // The page may be gone.
            let _ = proxy.send_event(PageEvent::Opened(opened));
        });
    }

    fn open_window(&mut self, events: &ActiveEventLoop) -> Result<(), Failure> {
        let Some(link) = self.link.take() else { return Ok(()) };
        let resumed = self.kept.take().and_then(|kept| self.resume(kept).ok());
        let (scene, simulation) = match resumed {
            Some(resumed) => resumed,
            None => {
                let scene = Scene::from_link(&link, self.choice);
                let simulation = scene.begin(host(), None)?;
                (scene, simulation)
            }
        };
        let look = Chain::load(host().as_ref(), DEFAULT_OF_LOOK)?;
        let attributes = Window::default_attributes().with_canvas(Some(self.canvas.clone()));
        let proxy = self.proxy.clone();
        let wake = Arc::new(move || {
            // An event loop that has ended needs no waking.
            let _ = proxy.send_event(PageEvent::News);
        });
        let scheduler = Arc::new(FrameScheduler);
        let opening = Opening { simulation, scene, look };
        let mut window = MainWindow::open(events, attributes, opening, scheduler, wake)?;
        window.set_link(Some(link));
        *self.window.borrow_mut() = Some(window);
        browser::hide_status();
        Ok(())
    }

    /// Resumes the swarm from the user's last visit.
    fn resume(&self, kept: Kept) -> Result<(Scene, Simulation), Failure> {
        let damaged = |problem| BadInput::new("the swarm", problem, "begin anew");
        let checkpoint = Checkpoint::from_bytes(kept.checkpoint()).map_err(damaged)?;
        let (scene, mut simulation) = Scene::resume(host(), checkpoint, self.choice)?;
        if let Some(run) = kept.run() {
            // The swarm continues even without a record of its beginning, but then it has no replay.
            simulation.restore_record(Replay::from_json("the run", &run)?);
        }
        Ok((scene, simulation))
    }

    fn fail(&mut self, failure: &Failure) {
        self.window.borrow_mut().take();
        browser::show_failure(&failure.to_string());
    }
}

impl ApplicationHandler<PageEvent> for App {
    fn resumed(&mut self, _: &ActiveEventLoop) {
        self.request_device();
    }

    fn user_event(&mut self, events: &ActiveEventLoop, event: PageEvent) {
        match event {
            PageEvent::Opened(opened) => {
                self.is_opening = false;
                let opened = opened.and_then(|gpu| {
                    self.gpu = Some(gpu);
                    self.open_window(events)
                });
                if let Err(failure) = opened {
                    self.fail(&failure);
                }
            }
            PageEvent::News => {
                if let Some(window) = &mut *self.window.borrow_mut() {
                    window.receive();
                }
            }
        }
    }

    fn window_event(&mut self, _: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let drawn = match &mut *self.window.borrow_mut() {
            None => return,
            Some(window) => match event {
                WindowEvent::RedrawRequested => window.draw(),
                event => {
                    window.handle_event(event);
                    Ok(())
                }
            },
        };
        if let Err(failure) = drawn {
            self.fail(&failure);
        }
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        let window = self.window.clone();
        let mut borrowed = window.borrow_mut();
        let Some(window) = &mut *borrowed else { return };
        window.turn();
        window.write_stills();
        if let Err(error) = browser::hand_over_files() {
            browser::say(&format!("a file could not be saved: {error:?}"));
        }
        if window.is_frame_due() {
            window.request_redraw();
        }
        let has_device = window.has_device();
        let is_idle = window.is_paused();
        events.set_control_flow(if is_idle { ControlFlow::wait_duration(IDLE) } else { ControlFlow::Poll });
        drop(borrowed);
        if !has_device {
            self.request_device();
        }
    }
}

/// Opens the window in a canvas. `link`: the text after `#` in the address; empty: the default preset. `engine`:
/// `auto`, `cpu` or `gpu`. `kept`: the swarm from the user's last visit, which is resumed instead of the link.
///
/// # Errors
/// If the link or the engine is wrong, or the event loop cannot be started.
#[wasm_bindgen]
pub fn open(canvas: HtmlCanvasElement, link: &str, engine: &str, kept: Option<Kept>) -> Result<(), JsValue> {
    browser::restore_files();
    let link = parse(link)?;
    let choice = engine.parse().map_err(|wrong: BadInput| thrown(wrong))?;
    let events = EventLoop::with_user_event().build().map_err(|error| JsValue::from(error.to_string()))?;
    let window = Rc::new(RefCell::new(None));
    WINDOW.set(Some(window.clone()));
    let proxy = events.create_proxy();
    events.spawn_app(App {
        canvas,
        link: Some(Arc::new(link)),
        kept,
        choice,
        window,
        proxy,
        gpu: None,
        is_opening: false,
    });
    Ok(())
}

/// Parses a link, and checks that its run can be played. An empty link stands for the default preset.
pub fn parse(link: &str) -> Result<Link, JsValue> {
    let link = match link.trim_start_matches('#') {
        "" => Link::from_preset(DEFAULT),
        _ => Link::parse(link).map_err(thrown)?,
    };
    link.load().map_err(thrown)?;
    Ok(link)
}

/// The maximum number of seconds on one core that a link may take without a question to the user.
const SECONDS_UNASKED: f64 = 30.0;
/// The maximum number of bytes of memory that a link may take without a question to the user.
const MEMORY_UNASKED: u64 = 512 << 20;
/// The maximum number of bytes of memory that a link may take.
const MAX_MEMORY: u64 = 2 << 30;

/// A question to the user before a link is followed. `undefined` if none is needed.
///
/// # Errors
/// If the link is wrong, or asks for more memory than a page may take.
#[wasm_bindgen]
pub fn question(link: &str) -> Result<Option<String>, JsValue> {
    let link = parse(link)?;
    let (preset, _) = link.load().map_err(thrown)?;
    let Cost { memory, seconds } = link.cost(&preset, murmuration_core::world::memory::WINDOW);
    if memory > MAX_MEMORY {
        let problem = format!("asks for some {} MiB of memory, and may take {}", memory >> 20, MAX_MEMORY >> 20);
        return Err(thrown(BadInput::new("the link", problem, "play it with `murmuration`")));
    }
    if matches!(&link.run, LinkedRun::Replay(replay) if !replay.files.is_empty()) {
        return Ok(Some(
            "This link brings a chain and kernels of its own. They run on your graphics device. Play it?".into(),
        ));
    }
    let is_large = seconds > SECONDS_UNASKED || memory > MEMORY_UNASKED;
    let ask =
        || format!("This link takes some {seconds:.0} s on one core, and {} MiB of memory. Play it?", memory >> 20);
    Ok(is_large.then(ask))
}

fn with_window<T>(call: impl FnOnce(&mut MainWindow) -> T) -> Option<T> {
    WINDOW.with_borrow(|window| Some(call(window.as_ref()?.borrow_mut().as_mut()?)))
}

/// The state of the window, as JSON. `undefined` if the window has no state yet.
#[wasm_bindgen]
pub fn state() -> Option<String> {
    with_window(|window| Some(window.state_as_json()?.to_string())).flatten()
}

/// Starts the run of a link in the window.
///
/// # Errors
/// If the link is wrong. The present run then continues.
#[wasm_bindgen]
pub fn follow(link: &str) -> Result<(), JsValue> {
    let link = parse(link)?;
    with_window(|window| {
        window.begin(Scene::from_link(&link, window.choice()));
        window.set_link(Some(Arc::new(link)));
    });
    Ok(())
}

/// Plays the run of the link to its end, and shows in the window whether the hash of the state is the expected hash.
#[wasm_bindgen]
pub fn verify() {
    with_window(MainWindow::verify);
}

/// Takes a file that the user has dropped onto the page, or edited in the page. A preset, a replay or a checkpoint is
/// played. A file that the present preset names, such as a chain or a kernel, is read again.
///
/// # Errors
/// If the page does not know the kind of the file, or something in the file is wrong.
#[wasm_bindgen]
pub fn take_file(name: &str, bytes: &[u8]) -> Result<(), JsValue> {
    let choice = with_window(|window| window.choice()).unwrap_or(EngineChoice::Auto);
    let given = GivenFile::read(name, bytes, choice).map_err(thrown)?;
    with_window(|window| {
        match given {
            GivenFile::Scene(scene) => window.begin(scene),
            GivenFile::Swarm(checkpoint) => window.resume(*checkpoint),
            GivenFile::Part => {
                return window.say(Ok(format!("{name} is here; presets and chains that name it read it")));
            }
        }
        window.set_link(None);
    });
    Ok(())
}

/// Loses the graphics device, as after a reset of its driver. For tests.
#[wasm_bindgen]
pub fn lose_device() {
    with_window(|window| window.lose_device());
}

/// Shows a message in the window.
#[wasm_bindgen]
pub fn say(text: &str, is_error: bool) {
    let text = text.to_owned();
    with_window(|window| window.say(if is_error { Err(text) } else { Ok(text) }));
}

/// The view that the user has asked the page to show since the last call: `gallery` or `editor`. `undefined` without a
/// request.
#[wasm_bindgen]
pub fn take_request() -> Option<String> {
    let request = with_window(MainWindow::take_page_request).flatten()?;
    Some(match request {
        PageRequest::Gallery => "gallery".into(),
        PageRequest::Editor => "editor".into(),
    })
}

/// Shows or hides the panel of the window.
#[wasm_bindgen]
pub fn show_panel(is_shown: bool) {
    with_window(|window| window.show_panel(is_shown));
}

/// Saves the swarm for the user's next visit. [`take_kept`] returns it a short time later.
#[wasm_bindgen]
pub fn keep() {
    with_window(MainWindow::keep_session);
}

/// Takes the swarm that [`keep`] has saved, for the script to store. `undefined` if there is none since the last call.
#[wasm_bindgen]
pub fn take_kept() -> Option<Kept> {
    browser::take_kept()
}

/// Takes the last link to the run that the user has requested. `undefined` without a request since the last call.
#[wasm_bindgen]
pub fn take_link() -> Option<String> {
    browser::take_link()
}
