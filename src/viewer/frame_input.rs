//! What a frame of the interface shows.

use super::sides::Arrangement;
use crate::controller::{Pace, Snapshot};

/// What a frame of the interface shows.
pub struct FrameInput<'a> {
    pub snapshot: &'a Snapshot,
    pub arrangement: &'a Arrangement,
    pub is_dividing: bool,
    pub frames_a_second: usize,
    pub is_paused: bool,
    pub pace: Pace,
    /// Whether the window is in a page.
    pub is_in_page: bool,
    /// Whether a link was opened whose end is known.
    pub can_verify: bool,
    pub adapter: &'a str,
    /// The value of the last colour in quanta, where values are shown.
    pub top_of_scale: Option<u64>,
}
