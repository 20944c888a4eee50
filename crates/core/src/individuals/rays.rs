//! Rays with which individuals look for a way past what is in front of them (*Let's make an aquarium*, Michael Yang).
//!
//! The rays of an individual spiral around its heading, the least turn first. Each is traced through the gap field of the
//! [`Terrain`] as a ball of the radius `clearance`. The individual turns towards the first ray on which nothing is hit within `reach`;
//! if all hit something, towards the one that gets farthest.
//!
//! All is integer: the spiral is a table that is worked out once, without floating point.

use super::Vector3;
use super::movement::Terrain;
use crate::lanes::{Lanes, MAX_LANES};
use crate::numbers::RULE_ONE;
use crate::vector::{add, normalise, round_shift, scale, select, splat, zero};

/// The golden ratio's fraction of a turn, in 1/2^32 turn: the turn from one ray of the spiral to the next.
const GOLDEN_TURN: u32 = 0x9E37_79B9;
/// Fraction bits of a distance along a ray.
const DISTANCE_BITS: u32 = 8;
/// The least distance between two looks at the gap field, Q8: half a cell.
const LEAST_ADVANCE: i32 = 128;
/// Below this square of its part in the plane (Q28) a heading is vertical: within 3.6 degrees.
const VERTICAL: i32 = 1 << 20;
/// The narrowest ball that is traced, in quarters of a cell: a narrower one could pass between two looks at the gap field.
pub const LEAST_CLEARANCE: i32 = 2;
/// The most rays on the whole sphere.
pub const MOST_RAYS: u32 = 1024;
/// The farthest that rays may reach, in cells: gaps beyond are not told apart.
pub const FARTHEST_RAY: u32 = 60;

/// The numbers of the rays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RayNumbers {
    /// Rays on the whole sphere, or in a flat world on the whole circle; at most [`MOST_RAYS`].
    pub count: u32,
    /// The greatest angle to the heading, in 1/2^32 turn: rays at smaller ones are used.
    pub view: u32,
    /// Rays within this angle (1/2^32 turn) are all looked through; 0: none is after a free one.
    pub least: u32,
    /// How far the rays reach (Q8 of a cell).
    pub reach: i32,
    /// The radius of the ball that is traced along a ray, in quarters of a cell; at least [`LEAST_CLEARANCE`].
    pub clearance: i32,
    /// How much stronger the turn is next to rock (Q10), at most 3.
    pub growth: i32,
}

/// The table of the rays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rays {
    pub numbers: RayNumbers,
    /// Directions (Q14) by their parts to the right, upwards and ahead; the least angle to the heading first, which is straight ahead.
    pub directions: Vec<Vector3>,
    /// How many of them are always looked through.
    pub always: usize,
    /// The directions part by part, with zeros for the lanes after the last one.
    by_part: [Vec<i32>; 3],
}

/// How an individual lies in the world: unit vectors (Q14) to its right, upwards and ahead.
pub type Frame<V = i32> = [[V; 3]; 3];

/// The ray that an individual takes, and what it saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RayChoice {
    /// The direction (Q14) in which it turns.
    pub way: Vector3,
    /// How far it is to what is ahead (Q8 of a cell); the reach where nothing is hit.
    pub ahead: i32,
    /// The number of rays that were traced.
    pub traced: u32,
    /// Which ray it is; `None`: the mean of the free ones among those that are always looked through.
    pub ray: Option<u32>,
}

/// What an individual looks through before it turns: all its rays up to the one that decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RayTrace {
    pub choice: RayChoice,
    pub rays: Vec<TracedRay>,
}

/// A ray that was looked through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TracedRay {
    /// Its direction in the world (Q14), and in the frame of the individual: to the right, upwards and ahead.
    pub way: Vector3,
    pub in_frame: Vector3,
    /// How far it gets before it hits something (Q8 of a cell); `None`: nothing is hit.
    pub end: Option<i32>,
}

impl Rays {
    /// The table for a world of so many axes.
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

    /// The control vector (Q10): towards the way that is free, stronger the nearer what is ahead. Places in Q16, velocities in Q14.
    ///
    /// v = w · (1 + growth · (1 - d/reach)), with w the direction of the chosen ray and d the distance to what is ahead. `own`: the gaps
    /// at the places.
    ///
    /// Lanes are individuals, for their first rays, which mostly are free, and then the next rays of one individual.
    #[inline(always)]
    pub fn control<V: Lanes>(&self, terrain: &Terrain, place: [V; 3], velocity: [V; 3], own: V) -> [V; 3] {
        let RayNumbers { reach, growth, .. } = self.numbers;
        let splat = V::splat;
        // One that stands still has no heading.
        let is_still = velocity[0].or(velocity[1]).or(velocity[2]).equals(splat(0));
        let mut way = normalise(velocity);
        let end = self.trace(terrain, place, way, own, [is_still.equals(splat(0)), splat(0)]);
        let is_free = end.less_than(splat(0));
        let ahead = is_free.select(splat(reach), end);
        let is_done = if self.always > 0 { is_still } else { is_still.or(is_free) };
        if is_done.equals(splat(0)).any() {
            self.turn(terrain, place, velocity, [own, end, is_done], &mut way);
        }
        let nearness = splat(RULE_ONE).subtract(ahead.multiply(splat(RULE_ONE)).quotient(splat(reach).divisor()));
        let strength = splat(RULE_ONE).add(splat(growth).multiply(nearness).round_shift::<10>());
        round_shift::<V, 3, 14>(scale(way, strength))
    }

    /// Turns the ways of the individuals that are not done after their first ray. `own`: the gaps where they are; `end`: how far the
    /// first rays get.
    #[inline(always)]
    fn turn<V: Lanes>(
        &self,
        terrain: &Terrain,
        place: [V; 3],
        velocity: [V; 3],
        [own, end, is_done]: [V; 3],
        way: &mut [V; 3],
    ) {
        let frames = frames(velocity);
        let (mut listed, mut listed_frames) = ([[0; MAX_LANES]; 9], [[[0; MAX_LANES]; 3]; 3]);
        let [x, y, z] = place;
        let [u, v, w] = *way;
        let lanes = [x, y, z, u, v, w, own, end, is_done];
        for index in 0..lanes.len() {
            lanes[index].store(&mut listed[index]);
        }
        for vector in 0..3 {
            for axis in 0..3 {
                frames[vector][axis].store(&mut listed_frames[vector][axis]);
            }
        }
        for lane in 0..V::COUNT {
            let [x, y, z, u, v, w, own, end, is_done] = &mut listed;
            if is_done[lane] < 0 {
                continue;
            }
            let mut frame = [[0; 3]; 3];
            for vector in 0..3 {
                for axis in 0..3 {
                    frame[vector][axis] = listed_frames[vector][axis][lane];
                }
            }
            let mut taken = Taken::new(&frame, self.numbers.reach);
            if !taken.take(self.always, frame[2], end[lane]) {
                self.look_on::<V>(terrain, [x[lane], y[lane], z[lane]], &frame, own[lane], &mut taken);
            }
            [u[lane], v[lane], w[lane]] = taken.choice.way;
        }
        for axis in 0..3 {
            way[axis] = V::load(&listed[3 + axis]);
        }
    }

    /// Looks for a way; `None`: an individual that stands still has no heading. Place in Q16, velocity in Q14.
    pub fn choose(&self, terrain: &Terrain, place: Vector3, velocity: Vector3) -> Option<RayChoice> {
        let frame = frame(velocity)?;
        let mut taken = Taken::new(&frame, self.numbers.reach);
        self.look_on::<i32>(terrain, place, &frame, terrain.gap(place), &mut taken);
        Some(taken.choice)
    }

    /// The rays by which [`Self::choose`] chooses, one by one; `None`: an individual that stands still has none.
    pub fn trace_all(&self, terrain: &Terrain, place: Vector3, velocity: Vector3) -> Option<RayTrace> {
        let (frame, own) = (frame(velocity)?, terrain.gap(place));
        let mut taken = Taken::new(&frame, self.numbers.reach);
        let mut rays = Vec::new();
        for in_frame in self.directions.iter().copied() {
            let way = in_world(in_frame, &frame);
            let end = self.trace(terrain, place, way, own, [-1, 0]);
            rays.push(TracedRay { way, in_frame, end: (end >= 0).then_some(end) });
            if taken.take(self.always, way, end) {
                break;
            }
        }
        Some(RayTrace { choice: taken.choice, rays })
    }

    /// Takes ray after ray of an individual until its choice is made. `own`: the gap at the place.
    #[inline(always)]
    fn look_on<V: Lanes>(&self, terrain: &Terrain, place: Vector3, frame: &Frame, own: i32, taken: &mut Taken) {
        let count = self.directions.len();
        loop {
            let first = taken.choice.traced as usize;
            if first >= count {
                return;
            }
            let mut rays = zero::<V, 3>();
            for part in 0..3 {
                rays[part] = V::load(&self.by_part[part][first..]);
            }
            let ways = in_world(rays, &[splat(frame[0]), splat(frame[1]), splat(frame[2])]);
            let is_ray = V::iota().less_than(V::splat((count - first) as i32));
            // Behind the first free one nothing matters.
            let is_enough = V::splat(if first >= self.always { -1 } else { 0 });
            let ends = self.trace(terrain, splat(place), ways, V::splat(own), [is_ray, is_enough]);
            let mut listed = [[0; MAX_LANES]; 4];
            for axis in 0..3 {
                ways[axis].store(&mut listed[axis]);
            }
            ends.store(&mut listed[3]);
            for lane in 0..Ord::min(V::COUNT, count - first) {
                let [x, y, z, end] = &listed;
                if taken.take(self.always, [x[lane], y[lane], z[lane]], end[lane]) {
                    return;
                }
            }
        }
    }

    /// How far (Q8) balls get from places in directions before they touch rock; -1: as far as rays reach, and where `is_traced` (a mask)
    /// is not set. `own`: the gaps at the places. Lanes after one that is free and `is_enough` (a mask) are left out.
    ///
    /// An individual that is nearer to rock than its ball is wide would hit on every ray. So for as far as the ball is wide,
    /// it is no wider than the gap where the individual is.
    #[inline(always)]
    pub fn trace<V: Lanes>(
        &self,
        terrain: &Terrain,
        place: [V; 3],
        direction: [V; 3],
        own: V,
        [mut is_traced, is_enough]: [V; 2],
    ) -> V {
        let splat = V::splat;
        let (reach, clearance) = (splat(self.numbers.reach), splat(self.numbers.clearance));
        let grace = clearance.shift_left::<{ DISTANCE_BITS - 2 }>();
        let narrow = clearance.min(own);
        let (mut distance, mut end, mut gap) = (splat(0), splat(-1), own);
        loop {
            let is_near = distance.less_than(grace);
            let wanted = is_near.select(narrow, clearance);
            let is_hit = gap.less_than(wanted).and(is_traced);
            end = is_hit.select(distance, end);
            let advance = gap.subtract(wanted).shift_left::<{ DISTANCE_BITS - 2 }>().max(splat(LEAST_ADVANCE));
            let next = distance.add(advance);
            // The wider ball is looked for from where it begins.
            let next = is_near.and(wanted.less_than(clearance)).select(next.min(grace), next);
            let is_free = is_hit.select(splat(0), reach.less_than(next).and(is_traced));
            is_traced = is_hit.or(is_free).select(splat(0), is_traced);
            let is_enough = is_free.and(is_enough);
            if is_enough.any() {
                // Negative from the first such lane on.
                is_traced = is_enough.prefix_sum().select(splat(0), is_traced);
            }
            if !is_traced.any() {
                return end;
            }
            distance = is_traced.select(next, distance);
            let mut point = place;
            for axis in 0..3 {
                point[axis] = point[axis].add(direction[axis].multiply(distance).shift_right::<6>());
            }
            gap = terrain.gaps_at(point);
        }
    }
}

/// The rays of an individual that were traced so far, in their order.
struct Taken {
    choice: RayChoice,
    /// How far the ray of the choice gets, as long as none is free.
    farthest: i32,
    /// The free ones of those that are always looked through: their number and their sum.
    free: i32,
    sum: Vector3,
}

impl Taken {
    fn new(frame: &Frame, reach: i32) -> Self {
        let choice = RayChoice { way: frame[2], ahead: reach, traced: 0, ray: Some(0) };
        Self { choice, farthest: 0, free: 0, sum: [0; 3] }
    }

    /// Takes the next ray, which gets so far (-1: as far as rays reach); whether the choice is made.
    #[inline(always)]
    fn take(&mut self, always: usize, way: Vector3, end: i32) -> bool {
        let index = self.choice.traced as usize;
        self.choice.traced += 1;
        if end < 0 && index >= always {
            (self.choice.way, self.choice.ray) = (way, Some(index as u32));
            return true;
        }
        if end < 0 {
            self.free += 1;
            for axis in 0..3 {
                self.sum[axis] += way[axis];
            }
        }
        if index == 0 && end >= 0 {
            self.choice.ahead = end;
        }
        if end > self.farthest {
            (self.farthest, self.choice.way, self.choice.ray) = (end, way, Some(index as u32));
        }
        let is_made = index + 1 == always && self.free > 0;
        if is_made {
            (self.choice.way, self.choice.ray) = (normalise(self.sum), None);
        }
        is_made
    }
}

/// The frame of an individual with this velocity; `None`: it stands still.
pub fn frame(velocity: Vector3) -> Option<Frame> {
    (velocity != [0; 3]).then(|| frames(velocity))
}

/// Frames of velocities side by side; that of 0 is 0.
///
/// An individual does not roll: its right is level, f × z; only a heading within 3.6 degrees of the vertical has its right across x,
/// f × x.
#[inline(always)]
fn frames<V: Lanes>(velocity: [V; 3]) -> Frame<V> {
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

/// A direction in a frame as one of the world (Q14).
#[inline(always)]
pub fn in_world<V: Lanes>(ray: [V; 3], frame: &Frame<V>) -> [V; 3] {
    let mut way = zero::<V, 3>();
    for part in 0..3 {
        way = add(way, scale(frame[part], ray[part]));
    }
    round_shift::<V, 3, 14>(way)
}

/// A ray of the golden spiral (Q14): z = 1 - 2i/n, r = √(1 - z²), at the angle i · (√5 - 1)/2 turns.
fn on_sphere(index: u32, count: u32) -> Vector3 {
    let (i, n) = (i64::from(index), i64::from(count));
    // Both Q15. r is that of z before it is rounded: √(1 - z²) = 2 √(i (n - i)) / n.
    let z = rounded((n - 2 * i) << 15, n);
    let r = rounded(((i * (n - i)) << 40).isqrt(), 16 * n);
    let turn = index.wrapping_mul(GOLDEN_TURN);
    // Q15 times Q30 becomes Q14.
    let part = |wave: i64| rounded(r * wave, 1 << 31) as i32;
    [part(sine(turn.wrapping_add(1 << 30))), part(sine(turn)), rounded(z, 2) as i32]
}

/// A ray in a flat world (Q14): to the right and to the left in turn, each pair by 1/n of a turn farther.
fn on_circle(index: u32, count: u32) -> Vector3 {
    let turn = ((u64::from(index.div_ceil(2)) << 32) / u64::from(count)) as u32;
    let to_right = rounded(sine(turn), 1 << 16) as i32;
    [if index.is_multiple_of(2) { -to_right } else { to_right }, 0, cosine(turn)]
}

/// The cosine (Q14) of an angle in 1/2^32 turn.
fn cosine(turn: u32) -> i32 {
    rounded(sine(turn.wrapping_add(1 << 30)), 1 << 16) as i32
}

/// The sine (Q30) of an angle in 1/2^32 turn, by Taylor's series up to the eleventh power within a quarter turn.
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

/// n / d to nearest, halves away from zero; d > 0.
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

    /// The document's formula: t = i/n, inclination acos(1 - 2t), azimuth 2π · φ · i.
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
        let mut random = crate::random::generator(3, 9);
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
