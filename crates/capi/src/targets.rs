//! Targets of a caller: places that a swarm, or one species of it, follows or flees from.

use crate::inputs::place_of;
use crate::status::{Error, Outcome, object, values};
use murmuration::Mood;
use murmuration::targets::{MAX_WAYPOINTS, Target};

/// A target in the world. It stands, or goes round waypoints. Start with a target of zeros and one place.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MurmurationTarget {
    /// The number of coordinates used of each place: 2 for a column through the whole depth of the world, or 3.
    pub axes: u32,
    /// The distance in cells up to which boids notice the target, at most 255.
    pub radius: u32,
    /// The distance in cells up to which the target catches boids, at most 64. 0: the target catches none.
    pub jaws: u32,
    /// 0: the swarm flees from the target; 1: the swarm follows the target.
    pub follow: u32,
    /// The species that follows the target or flees from it, from 1 on. 0: all species.
    pub species: u32,
    /// Always 0.
    pub reserved: u32,
    /// The speed of the target in cells a step, at most 64.
    pub speed: f64,
    /// Its waypoints in cells, three numbers each. The target begins at the first one and goes round them. With one
    /// waypoint it stands. The caller owns the numbers; the library copies them.
    pub places: *const f64,
    /// The number of waypoints, at most 256.
    pub count: usize,
}

/// Reads the target of a caller.
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
