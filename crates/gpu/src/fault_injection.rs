//! Losses on purpose, so that tests can see what the program does when a graphics device is lost.
//!
//! The environment variable `MURMURATION_LOSE_DEVICE` is `engine@120` (lost after 120 steps), `canvas@120` (after 120
//! frames), or `canvas@120+2.5` (and for 2.5 seconds no other can be opened). Without it nothing here does anything.

use crate::error::{BadInput, Failure};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The environment variable that asks for a loss.
pub const VARIABLE: &str = "MURMURATION_LOSE_DEVICE";

/// A device that can be lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Device {
    /// That of the engine; its time counts in steps.
    Engine,
    /// That of the window; its time counts in frames.
    Canvas,
}

/// One loss.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Loss {
    device: Device,
    at: u64,
    /// How long no other device can be opened.
    gone: Duration,
}

/// Reads the environment, and says what is wrong with it.
pub fn check() -> Result<(), BadInput> {
    match std::env::var(VARIABLE) {
        Ok(text) => text.parse::<Loss>().map(drop),
        Err(_) => Ok(()),
    }
}

fn asked() -> Option<Loss> {
    static ASKED: OnceLock<Option<Loss>> = OnceLock::new();
    *ASKED.get_or_init(|| std::env::var(VARIABLE).ok()?.parse().ok())
}

/// When the loss happened.
static HAPPENED: Mutex<Option<Instant>> = Mutex::new(None);

/// Whether a device is to be lost now, after so many steps or frames: once.
pub fn is_due(device: Device, now: u64) -> bool {
    if asked().is_none_or(|loss| loss.device != device || now < loss.at) {
        return false;
    }
    let mut happened = HAPPENED.lock().unwrap_or_else(PoisonError::into_inner);
    let is_first = happened.is_none();
    *happened = happened.or(Some(Instant::now()));
    is_first
}

/// Refuses to open a device where the loss says that none can be had yet.
///
/// # Errors
/// `Device`.
pub fn admit(device: Device) -> Result<(), Failure> {
    let Some(loss) = asked().filter(|loss| loss.device == device) else { return Ok(()) };
    let happened = *HAPPENED.lock().unwrap_or_else(PoisonError::into_inner);
    match happened {
        Some(happened) if happened.elapsed() < loss.gone => {
            Err(Failure::Device(format!("no graphics adapter was found ({VARIABLE} says so)")))
        }
        _ => Ok(()),
    }
}

impl std::str::FromStr for Loss {
    type Err = BadInput;

    fn from_str(text: &str) -> Result<Self, BadInput> {
        let read = || {
            let (device, rest) = text.split_once('@')?;
            let (at, gone) = rest.split_once('+').unwrap_or((rest, "0"));
            let device = match device {
                "engine" => Device::Engine,
                "canvas" => Device::Canvas,
                _ => return None,
            };
            let gone = Duration::try_from_secs_f64(gone.parse().ok()?).ok()?;
            Some(Self { device, at: at.parse().ok()?, gone })
        };
        read().ok_or_else(|| {
            let cure =
                "write `engine@STEPS` or `canvas@FRAMES`, with `+SECONDS` where no other can be opened for so long";
            BadInput::new(VARIABLE, format!("`{text}` says nothing"), cure)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_is_read_whole_or_refused() {
        let loss = |device, at, seconds| Loss { device, at, gone: Duration::from_secs_f64(seconds) };
        assert_eq!("engine@120".parse(), Ok(loss(Device::Engine, 120, 0.0)));
        assert_eq!("canvas@0+2.5".parse(), Ok(loss(Device::Canvas, 0, 2.5)));
        for wrong in ["", "1", "engine", "engine@", "engine@-1", "window@3", "canvas@3+", "canvas@3+-1", "canvas@3+NaN"]
        {
            assert!(wrong.parse::<Loss>().is_err(), "{wrong} was taken");
        }
    }
}
