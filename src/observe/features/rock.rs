//! Metrics of individuals among rock.

use crate::observe::column::Column;
use murmuration_core::measures::rock::RockMeasures;
use serde_json::json;

/// The columns. Distances are measured from rock and walls.
pub const COLUMNS: [Column<RockMeasures>; 6] = [
    ("in_rock", "individual", |of| json!(of.in_rock)),
    ("least_to_rock", "cell", |of| json!(of.least)),
    ("mean_to_rock", "cell", |of| json!(of.mean)),
    ("rays", "1", |of| json!(of.rays)),
    ("avoiding", "1", |of| json!(of.avoiding)),
    ("stops", "individual", |of| json!(of.stops)),
];
