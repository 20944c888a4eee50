// The sums of the falcons: Σ p and Σ p·s over the ball around each, as signed numbers of two words each, eight words
// for each hunter of the step. Invocations add to them in an arbitrary order.
//
// Generated around this file: `falcons`; `seen`, the words.

// A falcon between two steps, as in crates/core/src/falcons/state.rs.
struct Falcon {
    place: vec3<i32>,
    phase: i32,
    remainder: vec3<i32>,
    energy: i32,
    velocity: vec3<i32>,
    padding: i32,
}
