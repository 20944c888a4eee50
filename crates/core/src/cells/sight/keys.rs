//! The keys of sights and weights, which are named after rules.

use crate::cells::sight::MAX_REACH;
use crate::keys::rows::*;
use crate::numbers::{RULE_ONE, WEIGHT_LIMIT};

const MAX_CELLS: i64 = MAX_REACH as i64;
const HEAVIEST: f64 = (WEIGHT_LIMIT / RULE_ONE) as f64;

/// The keys of sights and weights.
#[rustfmt::skip]
pub const KEYS: &[Row<()>] = &[
    Row::new("sight.*.disc", Decimal(1.0, MAX_CELLS as f64), "cells", Otherwise(""), Passes)
        .doc("how far the rule sees, as the radius of a disc").needs("model", &["cell"], "")
        .control(Section::Sight, "", Linear(1.0, 24.0)),
    Row::new("sight.*.disc", Decimal(0.1, 255.0), "cells", Otherwise(""), Passes)
        .doc("how far the rule sees, as the radius of a disc or a ball").needs("model", &["agents"], "")
        .control(Section::Sight, "", Linear(1.0, 24.0)),
    Row::new("sight.*.box", Whole(1, MAX_CELLS), "cells", Otherwise(""), Passes)
        .doc("how far the rule sees along each axis, in a box; in a deep world a cube")
        .control(Section::Sight, "", Linear(1.0, 24.0)),
    Row::new("sight.*.rings.directions", Whole(4, 32), "", Needed, Passes)
        .doc("in how many directions the rule sees, on rings: 4, 8, 16 or 32")
        .control(Section::Sight, "", Words(&["4", "8", "16", "32"])),
    Row::new("sight.*.rings.radii", Wholes(1, MAX_CELLS, Numbers), "cells", Needed, Passes)
        .doc("the radii of the rings (the paper's Figure 2)"),
    Row::new("sight.*.list", Wholes(-MAX_CELLS, MAX_CELLS, Places), "cells", Otherwise(""), Passes)
        .doc("the perceptual vectors one by one, of three components in a deep world"),
    Row::new("sight.*.ball", Decimal(1.0, MAX_CELLS as f64), "cells", Otherwise(""), Passes)
        .doc("how far the rule sees in a deep world, as the radius of a ball").needs("model", &["cell"], CELLS_ONLY)
        .control(Section::Sight, "", Linear(1.0, 9.0)),
    Row::new("sight.*.directions.directions", Whole(6, 50), "", Needed, Passes)
        .doc("in how many directions the rule sees in a deep world: 6, 14, 26 or 50")
        .control(Section::Sight, "", Words(&["6", "14", "26", "50"])),
    Row::new("sight.*.directions.radii", Wholes(1, MAX_CELLS, Numbers), "cells", Needed, Passes)
        .doc("the radii of the spheres on which it sees in these directions"),
    Row::new("sight.*.contrast", Wholes(0, MAX_CELLS, Pair), "cells", Otherwise(""), Passes)
        .doc(
            "cohesion only: the radii of two boxes that blur the density, one after the other; \
            the rule sees where it grows",
        ),
    Row::new("weights.*", Decimal(-HEAVIEST, HEAVIEST), "", Otherwise("the chain's own"), Nothing)
        .doc("how strong the rule is; below 0 it is turned round").needs("model", &["cell"], "")
        .control(Section::Rules, "", Linear(-4.0, 4.0)),
    Row::new("weights.*", Decimal(-8.0, 8.0), "", number(0.0), Nothing)
        .doc(
            "how strong the rule is; a school's, and those of walls and hunter but for reynolds, \
            are multiples of the force",
        )
        .needs("model", &["agents"], "").control(Section::Rules, "", Linear(-4.0, 4.0)),
];
