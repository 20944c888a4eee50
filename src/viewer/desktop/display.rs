//! The display on which the window opens.

use crate::viewer::window::without_source;
use murmuration_gpu::guarded;
use winit::event_loop::EventLoop;

/// What other threads tell the event loop.
#[derive(Debug, Clone, Copy)]
pub enum ThreadEvent {
    /// There is a new snapshot or event, or a film has ended.
    News,
    /// The program is asked to end.
    Interrupt,
}

/// A connection to a display that answers.
pub struct DisplayConnection {
    pub(super) events: EventLoop<ThreadEvent>,
}

impl DisplayConnection {
    /// Connects to the display that the environment names: to Wayland if it answers, else to X11. A process can do so only once.
    ///
    /// # Errors
    /// Why there is no connection, as a part of a message.
    pub fn new() -> Result<Self, String> {
        let mut builder = EventLoop::with_user_event();
        #[cfg(target_os = "linux")]
        {
            let named = linux::variables();
            if named.is_empty() {
                return Err("there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)".into());
            }
            if !linux::is_wayland_answering() {
                winit::platform::x11::EventLoopBuilderExtX11::with_x11(&mut builder);
            }
        }
        // winit panics on displays that lack what it takes for granted.
        let built = guarded(|| builder.build().map_err(|error| without_source(&error))).flatten();
        #[cfg(target_os = "linux")]
        let built = built.map_err(|error| format!("no display answers ({}): {error}", linux::variables().join(", ")));
        Ok(Self { events: built? })
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::env;
    use std::os::unix::fs::FileTypeExt;
    use wayland_client::Connection;

    /// The variables of the environment that name a display, with their values.
    pub fn variables() -> Vec<String> {
        let of = |name| value(name).map(|value| format!("{name}={value}"));
        ["WAYLAND_SOCKET", "WAYLAND_DISPLAY", "DISPLAY"].into_iter().filter_map(of).collect()
    }

    /// The value of a variable; an empty one counts as none.
    fn value(name: &str) -> Option<String> {
        env::var(name).ok().filter(|value| !value.is_empty())
    }

    /// Whether a Wayland display answers.
    pub fn is_wayland_answering() -> bool {
        // A socket that the parent process hands over is left to winit: it can be connected only once.
        if let Some(number) = value("WAYLAND_SOCKET") {
            return std::fs::metadata(format!("/proc/self/fd/{number}")).is_ok_and(|file| file.file_type().is_socket());
        }
        let connection = value("WAYLAND_DISPLAY").and_then(|_| Connection::connect_to_env().ok());
        connection.is_some_and(|connection| connection.roundtrip().is_ok())
    }
}
