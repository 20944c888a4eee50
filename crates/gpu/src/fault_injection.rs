//! Loses a graphics device on request, so that tests can check what the program does then.
//!
//! The environment variable `MURMURATION_LOSE_DEVICE` requests one loss: `engine@120` after 120 steps, `canvas@120` after
//! 120 frames, and `canvas@120+2.5` with 2.5 seconds in which no other device can be opened. Without it this module does
//! nothing.

use crate::error::{BadInput, Failure};
use std::sync::{LazyLock, OnceLock};
use std::time::{Duration, Instant};

/// The environment variable.
pub const VARIABLE: &str = "MURMURATION_LOSE_DEVICE";

/// A device that can be lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Device {
    /// The device of the engine; its time is counted in steps.
    Engine,
    /// The device of the window; its time is counted in frames.
    Canvas,
}

/// A requested loss.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Loss {
    device: Device,
    /// The number of steps or frames before it.
    at: u64,
    /// The time in which no other device can be opened.
    outage: Duration,
}

static REQUESTED: LazyLock<Result<Option<Loss>, BadInput>> =
    LazyLock::new(|| std::env::var(VARIABLE).ok().map(|text| text.parse()).transpose());

/// When the device was lost.
static LOST: OnceLock<Instant> = OnceLock::new();

/// Checks the environment variable.
///
/// # Errors
/// If it is not a valid request.
pub fn check() -> Result<(), BadInput> {
    REQUESTED.clone().map(drop)
}

/// The request for a device, if there is one.
fn requested(device: Device) -> Option<Loss> {
    REQUESTED.as_ref().ok().copied().flatten().filter(|loss| loss.device == device)
}

/// Whether to lose a device now, after this many steps or frames. Returns `true` once.
pub fn is_due(device: Device, now: u64) -> bool {
    requested(device).is_some_and(|loss| now >= loss.at) && LOST.set(Instant::now()).is_ok()
}

/// Whether a device can be opened: not during the outage after a loss.
///
/// # Errors
/// `Device` during the outage.
pub fn check_outage(device: Device) -> Result<(), Failure> {
    match requested(device).zip(LOST.get()) {
        Some((loss, lost)) if lost.elapsed() < loss.outage => {
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
            let (at, outage) = rest.split_once('+').unwrap_or((rest, "0"));
            let device = match device {
                "engine" => Device::Engine,
                "canvas" => Device::Canvas,
                _ => return None,
            };
            let outage = Duration::try_from_secs_f64(outage.parse().ok()?).ok()?;
            Some(Self { device, at: at.parse().ok()?, outage })
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
        let loss = |device, at, seconds| Loss { device, at, outage: Duration::from_secs_f64(seconds) };
        assert_eq!("engine@120".parse(), Ok(loss(Device::Engine, 120, 0.0)));
        assert_eq!("canvas@0+2.5".parse(), Ok(loss(Device::Canvas, 0, 2.5)));
        for wrong in ["", "1", "engine", "engine@", "engine@-1", "window@3", "canvas@3+", "canvas@3+-1", "canvas@3+NaN"]
        {
            assert!(wrong.parse::<Loss>().is_err(), "{wrong} was taken");
        }
    }
}
