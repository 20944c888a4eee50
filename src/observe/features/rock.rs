//! Metrics of individuals among rock.

use crate::observe::column::Column;
use murmuration_core::measures::rock::RockMeasures;
use serde_json::json;

/// The columns of metrics about rock. `least_to_rock` and `mean_to_rock` are distances from rock or walls. `rays` and
/// `avoiding` concern the rays that individuals trace to find a way.
pub const COLUMNS: [Column<RockMeasures>; 6] = [
    ("in_rock", "individual", |of| json!(of.in_rock)),
    ("least_to_rock", "cell", |of| json!(of.least)),
    ("mean_to_rock", "cell", |of| json!(of.mean)),
    ("rays", "1", |of| json!(of.rays)),
    ("avoiding", "1", |of| json!(of.avoiding)),
    ("stops", "individual", |of| json!(of.stops)),
];
