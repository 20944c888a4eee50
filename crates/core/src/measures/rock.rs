//! Measures of individuals near rock: their distance from it, and the rays by which they avoid it.

use crate::individuals::movement::is_stopped;
use crate::state::Individuals;
use crate::terrain::Habitat;

/// Measures of individuals in a world where every movement is tested against rock along its whole way. Distances are in
/// cells, rounded down to a quarter. Distances above 63.5 count as 63.5.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RockMeasures {
    /// The number of individuals inside rock. It must be 0.
    pub in_rock: u64,
    /// The min distance of an individual from rock and walls, in cells; `None` without individuals.
    pub least: Option<f64>,
    /// The mean distance of individuals from rock and walls, in cells; `None` without individuals.
    pub mean: Option<f64>,
    /// The mean number of rays that an individual traces in a step to find a way past rock. `None` without individuals,
    /// or if individuals trace no rays.
    pub rays: Option<f64>,
    /// The share of individuals whose first ray, straight ahead, hits something. `None` without individuals, or if
    /// individuals trace no rays.
    pub avoiding: Option<f64>,
    /// The number of individuals whose last movement was stopped by rock on any axis (see [`is_stopped`]).
    pub stops: u64,
}

impl RockMeasures {
    /// Measures individuals; `None` if movements in this world are not tested against rock along their way.
    pub fn new(habitat: &Habitat, individuals: &Individuals) -> Option<Self> {
        if !habitat.is_swept() {
            return None;
        }
        let (mut in_rock, mut least, mut sum, mut traced, mut avoiding, mut stops) =
            (0u64, i32::MAX, 0i64, 0u64, 0u64, 0u64);
        for index in 0..individuals.len() {
            let (place, velocity) = (individuals.position(index), individuals.velocity(index));
            let gap = habitat.gap(place);
            in_rock += u64::from(gap < 0);
            least = least.min(gap.max(0));
            sum += i64::from(gap.max(0));
            stops += u64::from(is_stopped(habitat, place, velocity));
            if let Some(choice) = habitat.rays.as_ref().and_then(|rays| rays.choose(habitat, place, velocity)) {
                traced += u64::from(choice.traced);
                avoiding += u64::from(choice.traced > 1);
            }
        }
        let some = (!individuals.is_empty()).then_some(individuals.len() as f64);
        let seeing = some.filter(|_| habitat.rays.is_some());
        Some(Self {
            in_rock,
            least: some.map(|_| f64::from(least) / 4.0),
            mean: some.map(|count| sum as f64 / 4.0 / count),
            rays: seeing.map(|count| traced as f64 / count),
            avoiding: seeing.map(|count| avoiding as f64 / count),
            stops,
        })
    }
}
