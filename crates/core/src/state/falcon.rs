//! The falcons of a swarm between two steps. [`crate::falcon`] flies them.

use crate::numbers::Vector3;
use crate::ticket::reading;

/// The phase in which a falcon circles at a distance from the swarm and rests.
pub const WAITS: i32 = 0;
/// The phase in which a falcon dives towards the mean of what it sees.
pub const STOOPS: i32 = 1;
/// The phase in which a falcon flies on straight, through the swarm and away.
pub const CLIMBS: i32 = 2;
/// The phase in which a falcon circles far around the player, while the player hunts.
pub const YIELDS: i32 = 3;
/// The greatest velocity on an axis (Q10).
const MOST_VELOCITY: i32 = 1 << 15;

/// A falcon between two steps.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Falcon {
    /// In 1/16 cell.
    pub place: Vector3,
    /// The phase: [`WAITS`], [`STOOPS`], [`CLIMBS`] or [`YIELDS`].
    pub phase: i32,
    /// The part of its way that is less than 1/16 cell (Q10 of a cell), within ±32.
    pub remainder: Vector3,
    /// The steps for which it has rested.
    pub energy: i32,
    /// Q10 of a cell a step.
    pub velocity: Vector3,
    /// Always 0; a structure in WGSL has whole groups of 16 bytes.
    pub padding: i32,
}

reading! {
    /// The falcons of the present swarm, in the order of the preset.
    FalconsReading -> Vec<Falcon>
}

impl Falcon {
    /// The words of a falcon in the state's hash and in checkpoints: place, phase, remainder, energy, velocity.
    pub const WORDS: usize = 11;

    /// The falcon as words.
    pub fn words(&self) -> [i32; Self::WORDS] {
        let mut words = [0; Self::WORDS];
        words.copy_from_slice(&bytemuck::cast::<Self, [i32; 12]>(*self)[..Self::WORDS]);
        words
    }

    /// The falcon of these words; `None`: no falcon in a world with these extents (1/16 cell) has such words.
    pub fn from_words(words: [i32; Self::WORDS], ends: Vector3) -> Option<Self> {
        let mut all = [0; 12];
        all[..Self::WORDS].copy_from_slice(&words);
        let falcon: Self = bytemuck::cast(all);
        let is_sound = (0..3).all(|axis| (0..ends[axis]).contains(&falcon.place[axis]))
            && (WAITS..=YIELDS).contains(&falcon.phase)
            && falcon.remainder.iter().all(|part| (-32..=32).contains(part))
            && (0..=1 << 20).contains(&falcon.energy)
            && falcon.velocity.iter().all(|part| (-MOST_VELOCITY..=MOST_VELOCITY).contains(part));
        is_sound.then_some(falcon)
    }
}

/// The bytes that falcons add to the hash of a state: none without falcons. Else they are `FALCONS`, a byte of 0, their number as u32,
/// and the words of each as i32, all little-endian.
pub fn hashed(falcons: &[Falcon]) -> Vec<u8> {
    if falcons.is_empty() {
        return Vec::new();
    }
    let words = falcons.iter().flat_map(Falcon::words).flat_map(i32::to_le_bytes);
    b"FALCONS\0".iter().copied().chain((falcons.len() as u32).to_le_bytes()).chain(words).collect()
}
