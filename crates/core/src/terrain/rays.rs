//! The rays with which individuals look for a way past obstacles ahead (*Let's make an aquarium*, Michael Yang). The
//! rays form a spiral around the heading of an individual. Rays at smaller angles to the heading come first.
//!
//! All numbers are integers. The spiral is a table that is computed once.

use crate::lanes::vector::{add, normalise, round_shift, scale, select, zero};
use crate::lanes::{Lanes, MAX_LANES};
use crate::numbers::Vector3;

/// The angle around the heading from one ray of the spiral to the next: (√5 - 1)/2 turns, in 1/2^32 turn.
const GOLDEN_TURN: u32 = 0x9E37_79B9;
/// A heading counts as vertical if x² + y² of its unit vector (Q28) is below this bound: within 3.6 degrees of z.
const VERTICAL: i32 = 1 << 20;
/// The minimum radius of the ball that is traced along a ray, in quarters of a cell. A smaller ball could pass through
/// rock between two samples of the gap field.
pub const MIN_CLEARANCE: i32 = 2;
/// The maximum number of rays on the whole sphere.
pub const MAX_RAYS: u32 = 1024;
/// The maximum reach of rays, in cells. The gap field does not represent much longer distances.
pub const MAX_RAY_LENGTH: u32 = 60;

/// The settings of the rays from a preset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RayNumbers {
    /// The number of rays on the whole sphere (in a flat world on the whole circle), at most [`MAX_RAYS`].
    pub count: u32,
    /// The angle of the view, in 1/2^32 turn. Only rays at a smaller angle to the heading are used.
    pub view: u32,
    /// All rays within this angle to the heading are traced, in 1/2^32 turn; 0: tracing ends with the first free ray.
    pub least: u32,
    /// The reach of the rays (Q8 of a cell).
    pub reach: i32,
    /// The radius of the ball that is traced along a ray, in quarters of a cell; at least [`MIN_CLEARANCE`].
    pub clearance: i32,
    /// The growth of the control vector's length (Q10), at most 3. The length is 1 far from obstacles, and 1 + growth
    /// next to an obstacle.
    pub growth: i32,
}

/// The table of the rays, relative to the heading of an individual.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rays {
    /// The settings from the preset.
    pub numbers: RayNumbers,
    /// The direction of each ray, a unit vector (Q14): its parts to the right, upwards and ahead. The first ray is
    /// straight ahead. The angles to the heading grow from ray to ray.
    pub directions: Vec<Vector3>,
    /// The number of rays within the angle [`RayNumbers::least`], which are always traced.
    pub always: usize,
    /// The directions as three lists (right, upwards, ahead), with zeros for the lanes after the last direction.
    pub(super) by_part: [Vec<i32>; 3],
}

/// The orientation of an individual in the world: unit vectors (Q14) to its right, upwards and ahead.
pub type Frame<V = i32> = [[V; 3]; 3];

impl Rays {
    /// Computes the table for a world with 2 or 3 axes.
    pub fn new(numbers: RayNumbers, axes: usize) -> Self {
        let direction =
            |index| if axes == 2 { on_circle(index, numbers.count) } else { on_sphere(index, numbers.count) };
        let within = |angle: u32| move |ray: &Vector3| angle > 1 << 31 || ray[2] > cosine(angle);
        let directions: Vec<_> = (0..numbers.count).map(direction).take_while(within(numbers.view)).collect();
        let always = match numbers.least {
            0 => 0,
            least => directions.iter().take_while(|ray| within(least)(ray)).count(),
        };
        let by_part = [0, 1, 2].map(|part| {
            let rays = directions.iter().map(|ray| ray[part]);
            rays.chain([0; MAX_LANES]).collect()
        });
        Self { numbers, directions, always, by_part }
    }
}

/// The frame of an individual with this velocity (in any unit); `None`: the velocity is 0.
pub fn frame(velocity: Vector3) -> Option<Frame> {
    (velocity != [0; 3]).then(|| frames(velocity))
}

/// The frames of several individuals, from their velocities, one per lane. The frame of the velocity 0 is 0.
///
/// An individual does not roll: the direction to its right is horizontal, f × z, with the heading f and the axis z. If
/// the heading is within 3.6 degrees of the vertical, the direction to the right is f × x.
#[inline(always)]
pub(super) fn frames<V: Lanes>(velocity: [V; 3]) -> Frame<V> {
    let ahead = normalise(velocity);
    let [x, y, z] = ahead;
    let [zero, minus_x, minus_y] = [V::splat(0), V::splat(0).subtract(x), V::splat(0).subtract(y)];
    let is_vertical = x.multiply(x).add(y.multiply(y)).less_than(V::splat(VERTICAL));
    let right = normalise(select(is_vertical, [zero, z, minus_y], [y, minus_x, zero]));
    let [u, v, w] = right;
    let up = [
        v.multiply(z).subtract(w.multiply(y)),
        w.multiply(x).subtract(u.multiply(z)),
        u.multiply(y).subtract(v.multiply(x)),
    ];
    [right, round_shift::<V, 3, 14>(up), ahead]
}

/// Converts a direction (Q14) from its parts to the right, upwards and ahead to x, y and z in the world (Q14).
#[inline(always)]
pub fn in_world<V: Lanes>(ray: [V; 3], frame: &Frame<V>) -> [V; 3] {
    let mut way = zero::<V, 3>();
    for part in 0..3 {
        way = add(way, scale(frame[part], ray[part]));
    }
    round_shift::<V, 3, 14>(way)
}

/// Ray i of n on a golden spiral over a sphere, a unit vector (Q14). Its part ahead is z = 1 - 2i/n. Its distance from
/// the heading is r = √(1 - z²), at the angle i · (√5 - 1)/2 turns around the heading.
fn on_sphere(index: u32, count: u32) -> Vector3 {
    let (i, n) = (i64::from(index), i64::from(count));
    // z and r are Q15. r is computed from the exact z: √(1 - z²) = 2 √(i (n - i)) / n.
    let z = rounded((n - 2 * i) << 15, n);
    let r = rounded(((i * (n - i)) << 40).isqrt(), 16 * n);
    let turn = index.wrapping_mul(GOLDEN_TURN);
    // The product of r (Q15) and a sine (Q30) is rounded to Q14.
    let part = |wave: i64| rounded(r * wave, 1 << 31) as i32;
    [part(sine(turn.wrapping_add(1 << 30))), part(sine(turn)), rounded(z, 2) as i32]
}

/// A ray in a flat world, a unit vector (Q14): alternately to the right and to the left of the heading. The angle of
/// each pair to the heading is 1/n turn greater than the angle of the pair before.
fn on_circle(index: u32, count: u32) -> Vector3 {
    let turn = ((u64::from(index.div_ceil(2)) << 32) / u64::from(count)) as u32;
    let to_right = rounded(sine(turn), 1 << 16) as i32;
    [if index.is_multiple_of(2) { -to_right } else { to_right }, 0, cosine(turn)]
}

/// The cosine (Q14) of an angle in 1/2^32 turn.
fn cosine(turn: u32) -> i32 {
    rounded(sine(turn.wrapping_add(1 << 30)), 1 << 16) as i32
}

/// The sine (Q30) of an angle in 1/2^32 turn: the Taylor series up to the eleventh power, within a quarter turn.
fn sine(turn: u32) -> i64 {
    /// π/2 in Q30.
    const QUARTER: i64 = 1_686_629_713;
    let in_quarter = i64::from(turn & 0x3fff_ffff);
    let from_zero = if turn & 0x4000_0000 == 0 { in_quarter } else { (1 << 30) - in_quarter };
    let x = (from_zero * QUARTER) >> 30;
    let square = (x * x) >> 30;
    let mut sum = 1i64 << 30;
    for odd in [11, 9, 7, 5, 3] {
        sum = (1 << 30) - ((square * sum) >> 30) / (odd * (odd - 1));
    }
    let sine = (x * sum) >> 30;
    if turn >> 31 == 0 { sine } else { -sine }
}

/// n / d, rounded to nearest, halves away from zero. d must be above 0.
fn rounded(n: i64, d: i64) -> i64 {
    (2 * n.abs() + d) / (2 * d) * n.signum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::ONE;
    use std::f64::consts::{PI, TAU};

    const ONE_TURN: f64 = (1u64 << 32) as f64;

    fn numbers(count: u32, view: f64) -> RayNumbers {
        let view = (view / 360.0 * ONE_TURN) as u32;
        RayNumbers { count, view, least: 0, reach: 8 << 8, clearance: 8, growth: 0 }
    }

    /// The formula of *Let's make an aquarium* for ray i of n: t = i/n, inclination acos(1 - 2t), azimuth 2π · φ · i,
    /// with the golden ratio φ.
    #[test]
    fn the_spiral_is_that_of_the_document() {
        for count in [1, 2, 7, 64, 100, 300, 1024] {
            let rays = Rays::new(numbers(count, 181.0), 3);
            assert_eq!(rays.directions.len(), count as usize);
            assert_eq!(rays.directions[0], [0, 0, ONE]);
            for (index, ray) in rays.directions.iter().enumerate() {
                let inclination = (1.0 - 2.0 * index as f64 / f64::from(count)).acos();
                let azimuth = TAU * (1.0 + 5f64.sqrt()) / 2.0 * index as f64;
                let (sine, z) = inclination.sin_cos();
                let exact = [sine * azimuth.cos(), sine * azimuth.sin(), z];
                for axis in 0..3 {
                    let error = f64::from(ray[axis]) - exact[axis] * f64::from(ONE);
                    assert!(error.abs() < 1.5, "{index} of {count}: {ray:?}, not {exact:?}");
                }
            }
        }
    }

    #[test]
    fn the_view_ends_the_spiral_and_the_least_angle_its_first_part() {
        for view in [10.0, 60.0, 120.0, 179.0] {
            let rays = Rays::new(numbers(200, view), 3);
            let within = (0..200).filter(|i| (1.0 - f64::from(*i) / 100.0).acos() < view / 180.0 * PI).count();
            assert!(rays.directions.len().abs_diff(within) <= 1, "{view}: {} and {within}", rays.directions.len());
        }
        let quarter = Rays::new(RayNumbers { least: 1 << 29, ..numbers(100, 120.0) }, 3);
        assert!(quarter.directions[..quarter.always].iter().all(|ray| ray[2] > cosine(1 << 29)));
        assert!(quarter.directions[quarter.always][2] <= cosine(1 << 29) && quarter.always > 10);
        assert_eq!(Rays::new(numbers(100, 120.0), 3).always, 0);
    }

    #[test]
    fn a_circle_is_looked_round_in_pairs() {
        let rays = Rays::new(numbers(8, 181.0), 2);
        let half = 11_585;
        let expected = [[0, 0, ONE], [half, 0, half], [-half, 0, half], [ONE, 0, 0], [-ONE, 0, 0]];
        assert_eq!(rays.directions[..5], expected);
        assert_eq!(rays.directions.len(), 8);
    }

    #[test]
    fn the_sine_is_exact_to_a_part_in_a_million() {
        for step in 0..1000u32 {
            let turn = step.wrapping_mul(4_294_967);
            let exact = (f64::from(turn) / ONE_TURN * TAU).sin();
            let error = sine(turn) as f64 / f64::from(1 << 30) - exact;
            assert!(error.abs() < 1e-6, "{turn}: {error}");
            assert_eq!(sine(turn), -sine(turn.wrapping_add(1 << 31)), "{turn}");
        }
    }

    #[test]
    fn frames_are_right_handed_and_square() {
        assert_eq!(frame([0; 3]), None);
        assert_eq!(frame([100, 0, 0]), Some([[0, -ONE, 0], [0, 0, ONE], [ONE, 0, 0]]));
        let mut random = crate::numbers::random::generator(3, 9);
        for round in 0..20_000 {
            let mut any = || random.around(1 << 14) as i32 >> (round % 12);
            let Some([right, up, ahead]) = frame([any(), any(), any()]) else { continue };
            let dot = |a: Vector3, b: Vector3| {
                (0..3).map(|axis| f64::from(a[axis]) * f64::from(b[axis])).sum::<f64>() / f64::from(ONE).powi(2)
            };
            for (a, b) in [(right, up), (up, ahead), (ahead, right)] {
                assert!(dot(a, b).abs() < 4e-4, "{right:?} {up:?} {ahead:?}");
            }
            for a in [right, up, ahead] {
                assert!((dot(a, a) - 1.0).abs() < 1e-3, "{right:?} {up:?} {ahead:?}");
            }
        }
    }
}
