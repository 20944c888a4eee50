//! The connection to the display on which the window opens.

use crate::viewer::window::without_source;
use murmuration_gpu::guarded;
use winit::event_loop::EventLoop;

/// A message from another thread to the event loop.
#[derive(Debug, Clone, Copy)]
pub enum ThreadEvent {
    /// The controller has sent a snapshot or an event, or a film has ended.
    News,
    /// A signal has told the program to end.
    Interrupt,
}

/// A connection to a display that responds.
pub struct DisplayConnection {
    pub(super) events: EventLoop<ThreadEvent>,
}

impl DisplayConnection {
    /// Connects to the display that environment variables name: Wayland if it responds, else X11. A process can connect
    /// only once.
    ///
    /// # Errors
    /// If no display responds. The error is a part of a message for users.
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
        // winit panics if a display lacks features that it expects.
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

    /// The environment variables that name a display, with their values.
    pub fn variables() -> Vec<String> {
        let of = |name| value(name).map(|value| format!("{name}={value}"));
        ["WAYLAND_SOCKET", "WAYLAND_DISPLAY", "DISPLAY"].into_iter().filter_map(of).collect()
    }

    /// The value of a variable; an empty value counts as `None`.
    fn value(name: &str) -> Option<String> {
        env::var(name).ok().filter(|value| !value.is_empty())
    }

    /// Whether a Wayland display responds.
    pub fn is_wayland_answering() -> bool {
        // A socket from the parent process is left to winit, because it can be connected only once.
        if let Some(number) = value("WAYLAND_SOCKET") {
            return std::fs::metadata(format!("/proc/self/fd/{number}")).is_ok_and(|file| file.file_type().is_socket());
        }
        let connection = value("WAYLAND_DISPLAY").and_then(|_| Connection::connect_to_env().ok());
        connection.is_some_and(|connection| connection.roundtrip().is_ok())
    }
}
