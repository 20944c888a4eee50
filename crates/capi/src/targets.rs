//! Targets of a caller: places that a swarm, or one species of it, follows or flees from.

use crate::inputs::place_of;
use crate::status::{Error, Outcome, object, values};
use murmuration::Mood;
use murmuration::targets::{MAX_WAYPOINTS, Target};

/// A target in the world: it stands, or goes round waypoints. A target of zeros with one place is a good start.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MurmurationTarget {
    /// How many numbers of a place count: 2, a column through the whole depth of a world, or 3.
    pub axes: u32,
    /// How far it is noticed, in cells, at most 255.
    pub radius: u32,
    /// How far away boids are caught, in cells, at most 64. 0: none is caught.
    pub jaws: u32,
    /// 0: the swarm flees from it; 1: the swarm follows it.
    pub follow: u32,
    /// The species that it concerns, from 1 on; 0: all.
    pub species: u32,
    /// 0.
    pub reserved: u32,
    /// How far it goes in a step, in cells, at most 64.
    pub speed: f64,
    /// Three numbers for each of its waypoints, in cells: it goes round them, and begins at the first. With one it stands. They are the caller's and are
    /// copied.
    pub places: *const f64,
    /// How many waypoints there are, at most 256.
    pub count: usize,
}

/// The target of a caller.
///
/// # Safety
/// `target` points to a target, whose `places` are NULL or have `3 * count` numbers.
pub unsafe fn target_of(target: *const MurmurationTarget) -> Outcome<Target> {
    // SAFETY: as the caller promises, here and below.
    let own = unsafe { object(target, "input.target") }?;
    if own.count == 0 || own.count > MAX_WAYPOINTS {
        let cure = &format!("give 1 to {MAX_WAYPOINTS}");
        return Err(Error::bad("target.count", format!("is {}", own.count), cure));
    }
    let places = unsafe { values(own.places, 3 * own.count, "target.places") }?;
    if !(0.0..=64.0).contains(&own.speed) {
        return Err(Error::bad("target.speed", format!("{} is out of bounds", own.speed), "give 0 to 64 cells a step"));
    }
    Ok(Target {
        waypoints: places
            .as_chunks::<3>()
            .0
            .iter()
            .map(|place| place_of("target", own.axes, *place))
            .collect::<Outcome<_>>()?,
        speed: (own.speed * 1024.0).round() as u32,
        mood: if own.follow == 0 { Mood::Flee } else { Mood::Follow },
        reach: own.radius,
        jaws: own.jaws,
        species: own.species.checked_sub(1),
    })
}
