//! Inputs of a caller: hunters, brushes, keys.

use crate::obstacles::{MurmurationObstacle, shape_of};
use crate::status::{Error, MurmurationStatus, Outcome, needed_text, object, run};
use crate::swarm::MurmurationSwarm;
use crate::targets::{MurmurationTarget, target_of};
use murmuration::{Input, Mood, Place, Pointer};
use murmuration_core::world::MAX_PLACE;
use std::ffi::c_char;

/// The kind of an input. The comment of each kind says which members of `MurmurationInput` it reads.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MurmurationInputKind {
    /// The player's hunter is at `place`. Boids notice it up to `radius` cells away, at most 255. Its rule has this
    /// `weight`, at most 32; 2 is usual. `flag` 0: the swarm flees from it; 1: the swarm follows it.
    Hunter = 0,
    /// Removes the player's hunter. The preset's own hunter is back.
    NoHunter = 1,
    /// The player's hunter catches boids up to `amount` cells away, at most 64. 0: it catches none.
    Jaws = 2,
    /// Begins a stroke of a brush. The next undo goes back to this state.
    Stroke = 3,
    /// `amount` boids are added, spread over the cells within `radius` cells of `place` that have room for them.
    Spawn = 4,
    /// All boids within `radius` cells of `place` are removed. They count as caught.
    Remove = 5,
    /// The cells within `radius` cells of `place` become solid (`flag` 1) or free (`flag` 0).
    Solid = 6,
    /// Adds food to each cell of food within `radius` cells of `place` in which food grows. `amount`: parts of food for
    /// each cell; 65 535 parts are a meal.
    Feed = 7,
    /// The food within `radius` cells of `place` is removed.
    RemoveFood = 8,
    /// The swarm, its ledger and the solids return to their state at the last stroke.
    Undo = 9,
    /// Obstacle number `amount` becomes `obstacle`; NULL removes it. Obstacles are independent of the solids of
    /// brushes.
    Obstacle = 11,
    /// Target number `amount` becomes `target`; NULL removes it. Targets are independent of the hunters of the preset.
    Target = 12,
    /// Sets the key of the preset that `key` names to `value`, in the notation of TOML or as a bare word.
    Set = 10,
}

/// An input to the swarm from outside. It is plain data: peers of a game can send its members to each other. Members
/// that a kind does not read may have any value. Start with an input of zeros.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MurmurationInput {
    /// A `MurmurationInputKind`.
    pub kind: u32,
    /// The number of coordinates in `place`: 2 for a column through the whole depth of the world, or 3.
    pub axes: u32,
    /// A place in cells, x first. x points to the right, y down. A hunter's place is rounded to 1/16 cell, a brush's to
    /// a cell.
    pub place: [f64; 3],
    /// The weight of a hunter's rule.
    pub weight: f64,
    /// The radius in cells within which an input acts.
    pub radius: u32,
    /// As the kind says: a number of boids, cells or parts of food, or the number of an obstacle or a target.
    pub amount: u32,
    /// 0 or 1, as the kind says.
    pub flag: u32,
    /// Always 0.
    pub reserved: u32,
    /// The dotted key of a setting. The text is the caller's and is copied.
    pub key: *const c_char,
    /// The value of a setting. The text is the caller's and is copied.
    pub value: *const c_char,
    /// A shape in the world. The caller owns the shape; the library copies it.
    pub obstacle: *const MurmurationObstacle,
    /// A place that the swarm follows or flees from. The caller owns the target; the library copies it.
    pub target: *const MurmurationTarget,
}

/// Applies an input before the next step. The caller keeps the input. One thread at a time uses a swarm.
///
/// # Safety
/// `swarm` is NULL or an open swarm. `input` is NULL or points to an input, whose texts are NULL or end with a NUL. Its
/// `obstacle` is NULL or points to an obstacle, whose `values` are NULL or have `count` numbers. Its `target` is NULL
/// or points to a target, whose `places` are NULL or have `3 * count` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_apply(
    swarm: *mut MurmurationSwarm,
    input: *const MurmurationInput,
) -> MurmurationStatus {
    run(|| {
        // SAFETY: as the caller promises.
        let (swarm, input) = unsafe { (object(swarm, "swarm")?, read(input)?) };
        swarm.lock()?.apply(input)
    })
}

/// Reads the input of a caller.
///
/// # Safety
/// As for [`murmuration_apply`].
pub unsafe fn read(input: *const MurmurationInput) -> Outcome<Input> {
    use MurmurationInputKind as Kind;
    // SAFETY: as the caller promises, here and below.
    let own = unsafe { object(input, "input") }?;
    let (radius, amount, is_set) = (own.radius, own.amount, own.flag != 0);
    let kind = |kind: Kind| kind as u32;
    Ok(match own.kind {
        at if at == kind(Kind::Hunter) => {
            let mood = if is_set { Mood::Follow } else { Mood::Flee };
            Input::Hunter(Some(Pointer {
                place: place_of("input", own.axes, own.place)?,
                reach: radius,
                mood,
                weight: own.weight()?,
            }))
        }
        at if at == kind(Kind::NoHunter) => Input::Hunter(None),
        at if at == kind(Kind::Jaws) => Input::Jaws(amount),
        at if at == kind(Kind::Stroke) => Input::Stroke,
        at if at == kind(Kind::Spawn) => Input::Spawn { at: own.cell()?, radius, boids: amount },
        at if at == kind(Kind::Remove) => Input::Lift { at: own.cell()?, radius },
        at if at == kind(Kind::Solid) => Input::Solid { at: own.cell()?, radius, solid: is_set },
        at if at == kind(Kind::Feed) => Input::Feed { at: own.cell()?, radius, food: amount },
        at if at == kind(Kind::RemoveFood) => Input::RemoveFood { at: own.cell()?, radius },
        at if at == kind(Kind::Undo) => Input::Undo,
        at if at == kind(Kind::Obstacle) => {
            let shape = if own.obstacle.is_null() { None } else { Some(unsafe { shape_of(own.obstacle) }?) };
            Input::Obstacle { number: amount, shape }
        }
        at if at == kind(Kind::Target) => {
            let target = if own.target.is_null() { None } else { Some(unsafe { target_of(own.target) }?) };
            Input::Target { number: amount, target }
        }
        at if at == kind(Kind::Set) => {
            let (key, value) = unsafe { (needed_text(own.key, "input.key")?, needed_text(own.value, "input.value")?) };
            Input::Set { key: key.into(), value: value.into() }
        }
        other => return Err(Error::bad("input.kind", format!("{other} is no kind"), "use a MurmurationInputKind")),
    })
}

/// A place with finite coordinates. `axes` is 2 or 3. With 2 axes the third coordinate is 0.
pub fn finite_place(what: &str, axes: u32, place: [f64; 3]) -> Outcome<[f64; 3]> {
    if !(2..=3).contains(&axes) {
        return Err(Error::bad(&format!("{what}.axes"), format!("is {axes}"), "give 2 or 3"));
    }
    if let Some(along) = place[..axes as usize].iter().find(|along| !(along.abs() <= MAX_PLACE)) {
        let cure = format!("give -{MAX_PLACE} to {MAX_PLACE} cells");
        return Err(Error::bad(&format!("{what}.place"), format!("{along} is out of bounds"), &cure));
    }
    Ok(if axes == 2 { [place[0], place[1], 0.0] } else { place })
}

/// A place in a world. `axes` is 2 or 3. With 2 axes the place is a column through the whole depth.
pub fn place_of(what: &str, axes: u32, place: [f64; 3]) -> Outcome<Place> {
    let [x, y, z] = finite_place(what, axes, place)?;
    Ok(if axes == 2 { Place::from_cells([x, y]) } else { Place::from_cells([x, y, z]) })
}

impl MurmurationInput {
    /// A place in whole cells, for brushes.
    fn cell(&self) -> Outcome<Place> {
        let [x, y, z] = finite_place("input", self.axes, self.place)?.map(|along| along.floor() as i32);
        Ok(if self.axes == 2 { [x, y].into() } else { [x, y, z].into() })
    }

    /// The weight of a rule (Q10).
    fn weight(&self) -> Outcome<i32> {
        if self.weight.abs() <= 32.0 {
            return Ok((self.weight * 1024.0).round() as i32);
        }
        Err(Error::bad("input.weight", format!("{} is out of bounds", self.weight), "give a number from -32 to 32"))
    }
}
