//! Loses a graphics device on request, for tests of the program's reaction.
//!
//! The environment variable `MURMURATION_LOSE_DEVICE` requests one loss. `engine@120` loses the device of the engine
//! after 120 steps. `canvas@120` loses the device of the window after 120 frames. With `canvas@120+8`, the next eight
//! attempts to open a device fail too. Without the variable this module does nothing.

use murmuration_core::error::{BadInput, Failure};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// The name of the environment variable.
pub const VARIABLE: &str = "MURMURATION_LOSE_DEVICE";

/// A device that can be lost on request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Device {
    /// The device of the engine. The number in the request counts steps.
    Engine,
    /// The device of the window. The number in the request counts frames.
    Canvas,
}

/// A requested loss.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Loss {
    device: Device,
    /// The number of steps or frames before the loss.
    at: u64,
    /// The number of attempts to open a device that fail after the loss.
    refusals: u32,
}

static REQUESTED: LazyLock<Result<Option<Loss>, BadInput>> =
    LazyLock::new(|| std::env::var(VARIABLE).ok().map(|text| text.parse()).transpose());

/// Whether the requested loss has happened.
static IS_LOST: AtomicBool = AtomicBool::new(false);
/// The number of attempts to open a device that have failed since the loss.
static REFUSED: AtomicU32 = AtomicU32::new(0);

/// Checks the environment variable.
///
/// # Errors
/// If it is not a valid request.
pub fn check() -> Result<(), BadInput> {
    REQUESTED.clone().map(drop)
}

fn requested(device: Device) -> Option<Loss> {
    REQUESTED.as_ref().ok().copied().flatten().filter(|loss| loss.device == device)
}

/// Whether to lose a device now. `now`: the number of steps or frames up to now. Returns `true` at most once.
pub fn is_due(device: Device, now: u64) -> bool {
    requested(device).is_some_and(|loss| now >= loss.at) && !IS_LOST.swap(true, Ordering::Relaxed)
}

/// Counts an attempt to open a device after the loss.
///
/// # Errors
/// [`Failure::Device`] if the request makes this attempt fail.
pub fn check_refusal(device: Device) -> Result<(), Failure> {
    let is_after_loss = |_: &Loss| IS_LOST.load(Ordering::Relaxed);
    match requested(device).filter(is_after_loss) {
        Some(loss) if REFUSED.fetch_add(1, Ordering::Relaxed) < loss.refusals => {
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
            let (at, refusals) = rest.split_once('+').unwrap_or((rest, "0"));
            let device = match device {
                "engine" => Device::Engine,
                "canvas" => Device::Canvas,
                _ => return None,
            };
            Some(Self { device, at: at.parse().ok()?, refusals: refusals.parse().ok()? })
        };
        read().ok_or_else(|| {
            let cure =
                "write `engine@STEPS` or `canvas@FRAMES`, with `+ATTEMPTS` where so many attempts to open another fail";
            BadInput::new(VARIABLE, format!("`{text}` says nothing"), cure)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::device::fault_injection::*;

    #[test]
    fn a_loss_is_read_whole_or_refused() {
        let loss = |device, at, refusals| Loss { device, at, refusals };
        assert_eq!("engine@120".parse(), Ok(loss(Device::Engine, 120, 0)));
        assert_eq!("canvas@0+8".parse(), Ok(loss(Device::Canvas, 0, 8)));
        for wrong in ["", "1", "engine", "engine@", "engine@-1", "window@3", "canvas@3+", "canvas@3+-1", "canvas@3+2.5"]
        {
            assert!(wrong.parse::<Loss>().is_err(), "{wrong} was taken");
        }
    }
}
