//! The values that one frame of the interface shows.

use super::sides::Arrangement;
use crate::controller::{Pace, Snapshot};

/// The values that one frame of the interface shows.
pub struct FrameInput<'a> {
    pub snapshot: &'a Snapshot,
    pub arrangement: &'a Arrangement,
    pub is_dividing: bool,
    pub frames_a_second: usize,
    pub is_paused: bool,
    pub pace: Pace,
    /// Whether the window is in a web page.
    pub is_in_page: bool,
    /// Whether the link that was opened contains the hash of its last state.
    pub can_verify: bool,
    pub adapter: &'a str,
    /// The value of the last colour of the colour scale, in quanta; `None`: the picture shows no values.
    pub top_of_scale: Option<u64>,
}
