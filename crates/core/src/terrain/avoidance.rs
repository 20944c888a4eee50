//! Avoidance: the search of individuals for a way past obstacles ahead (*Let's make an aquarium*, Michael Yang).
//!
//! Each ray of an individual ([`super::rays`]) is traced through the gap field of the [`Habitat`]: a ball of the radius
//! [`RayNumbers::clearance`] moves along the ray until it touches rock. The individual turns towards the first ray
//! whose ball touches nothing within [`RayNumbers::reach`]. If every ray hits rock, the individual turns towards the
//! ray with the longest way.

use super::rays::{Frame, RayNumbers, Rays, frame, frames, in_world};
use crate::lanes::vector::{normalise, round_shift, scale, splat, zero};
use crate::lanes::{BLOCK, DoubleLanes, LaneWork, Lanes, MAX_LANES};
use crate::numbers::{RULE_ONE, Vector3};
use crate::terrain::Habitat;

/// The number of fraction bits of a distance along a ray, in cells.
const DISTANCE_BITS: u32 = 8;
/// The least distance between two samples of the gap field along a ray (Q8 of a cell): half a cell.
const MIN_ADVANCE: i32 = 128;

/// The direction that an individual chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RayChoice {
    /// The direction towards which the individual turns, a unit vector (Q14).
    pub way: Vector3,
    /// The distance to the obstacle straight ahead (Q8 of a cell); [`RayNumbers::reach`] if nothing is hit.
    pub ahead: i32,
    /// The number of rays that were traced.
    pub traced: u32,
    /// The index of the chosen ray; `None`: the direction is the mean of the free rays among the [`Rays::always`] rays.
    pub ray: Option<u32>,
}

/// All rays of an individual up to the ray with which the choice is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RayTrace {
    /// The direction that the individual chooses.
    pub choice: RayChoice,
    /// The rays, in the order of tracing.
    pub rays: Vec<TracedRay>,
}

/// A traced ray.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TracedRay {
    /// The direction in the world, a unit vector (Q14).
    pub way: Vector3,
    /// The direction relative to the individual, a unit vector (Q14): its parts to the right, upwards and ahead.
    pub in_frame: Vector3,
    /// The distance at which the ray hits rock or a wall (Q8 of a cell); `None`: the ray hits nothing within its reach.
    pub end: Option<i32>,
}

impl Rays {
    /// The control vector (Q10) of avoidance for several individuals, one per lane. `place` is in Q16 of a cell,
    /// `velocity` in Q14 of a cell a step. `own`: the gaps at the places, in quarters of a cell.
    ///
    /// v = w · (1 + growth · (1 - d/reach)), with the chosen direction w and the distance d to the obstacle straight
    /// ahead. So the vector is longer if the obstacle is nearer.
    ///
    /// The first ray of all individuals is traced at once, because it is mostly free. After that, the lanes are the
    /// next rays of one individual.
    #[inline(always)]
    pub fn control<V: Lanes>(&self, habitat: &Habitat, place: [V; 3], velocity: [V; 3], own: V) -> [V; 3] {
        let RayNumbers { reach, growth, .. } = self.numbers;
        let splat = V::splat;
        // An individual at rest has no heading, so no ray is traced, and its control vector is 0.
        let is_still = velocity[0].or(velocity[1]).or(velocity[2]).equals(splat(0));
        let mut way = normalise(velocity);
        let end = self.trace(habitat, place, way, own, [is_still.equals(splat(0)), splat(0)]);
        let is_free = end.less_than(splat(0));
        let ahead = is_free.select(splat(reach), end);
        let is_done = if self.always > 0 { is_still } else { is_still.or(is_free) };
        if is_done.equals(splat(0)).any() {
            self.turn(habitat, place, velocity, [own, end, is_done], &mut way);
        }
        let nearness = splat(RULE_ONE).subtract(ahead.multiply(splat(RULE_ONE)).quotient(splat(reach).divisor()));
        let strength = splat(RULE_ONE).add(splat(growth).multiply(nearness).round_shift::<10>());
        round_shift::<V, 3, 14>(scale(way, strength))
    }

    /// Replaces the directions `way` of all individuals whose choice is not made by their first ray (`is_done` is 0).
    /// `own`: the gaps at their places, in quarters of a cell. `end`: the result of [`Self::trace`] for the first rays.
    #[inline(always)]
    fn turn<V: Lanes>(
        &self,
        habitat: &Habitat,
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
            let mut selection = RaySelection::new(&frame, self.numbers.reach);
            if !selection.add_ray(self.always, frame[2], end[lane]) {
                self.look_on::<V>(habitat, [x[lane], y[lane], z[lane]], &frame, own[lane], &mut selection);
            }
            [u[lane], v[lane], w[lane]] = selection.choice.way;
        }
        for axis in 0..3 {
            way[axis] = V::load(&listed[3 + axis]);
        }
    }

    /// Chooses the direction of one individual. `place` is in Q16 of a cell, `velocity` in Q14 of a cell a step.
    /// `None`: the velocity is 0, so the individual has no heading.
    pub fn choose(&self, habitat: &Habitat, place: Vector3, velocity: Vector3) -> Option<RayChoice> {
        let frame = frame(velocity)?;
        let mut selection = RaySelection::new(&frame, self.numbers.reach);
        self.look_on::<i32>(habitat, place, &frame, habitat.gap(place), &mut selection);
        Some(selection.choice)
    }

    /// The result of [`Self::choose`] with each ray that was traced; `None`: the velocity is 0.
    pub fn trace_all(&self, habitat: &Habitat, place: Vector3, velocity: Vector3) -> Option<RayTrace> {
        let frame = frame(velocity)?;
        let own = habitat.gap(place);
        let mut selection = RaySelection::new(&frame, self.numbers.reach);
        let mut rays = Vec::new();
        for in_frame in self.directions.iter().copied() {
            let way = in_world(in_frame, &frame);
            let end = self.trace(habitat, place, way, own, [-1, 0]);
            rays.push(TracedRay { way, in_frame, end: (end >= 0).then_some(end) });
            if selection.add_ray(self.always, way, end) {
                break;
            }
        }
        Some(RayTrace { choice: selection.choice, rays })
    }

    /// Traces further rays of an individual, in their order, until the choice is made. `own`: the gap at the place, in
    /// quarters of a cell.
    #[inline(always)]
    fn look_on<V: Lanes>(
        &self,
        habitat: &Habitat,
        place: Vector3,
        frame: &Frame,
        own: i32,
        selection: &mut RaySelection,
    ) {
        let count = self.directions.len();
        loop {
            let first = selection.choice.traced as usize;
            if first >= count {
                return;
            }
            let mut rays = zero::<V, 3>();
            for part in 0..3 {
                rays[part] = V::load(&self.by_part[part][first..]);
            }
            let ways = in_world(rays, &[splat(frame[0]), splat(frame[1]), splat(frame[2])]);
            let is_ray = V::iota().less_than(V::splat((count - first) as i32));
            // After the rays that are always traced, rays after the first free ray do not matter.
            let is_enough = V::splat(if first >= self.always { -1 } else { 0 });
            let ends = self.trace(habitat, splat(place), ways, V::splat(own), [is_ray, is_enough]);
            let mut listed = [[0; MAX_LANES]; 4];
            for axis in 0..3 {
                ways[axis].store(&mut listed[axis]);
            }
            ends.store(&mut listed[3]);
            for lane in 0..Ord::min(V::COUNT, count - first) {
                let [x, y, z, end] = &listed;
                if selection.add_ray(self.always, [x[lane], y[lane], z[lane]], end[lane]) {
                    return;
                }
            }
        }
    }

    /// Moves a ball from each place in a direction until it touches rock. Returns the distances (Q8 of a cell); -1:
    /// nothing is hit within the reach, or the lane was not traced.
    ///
    /// `place` is in Q16 of a cell, `direction` in Q14, and `own` is the gap at the place in quarters of a cell. Only
    /// lanes in the mask `is_traced` are traced. If a lane in the mask `is_enough` hits nothing, the lanes after it are
    /// given up.
    ///
    /// An individual that is nearer to rock than the radius of its ball would hit rock on every ray. So up to the
    /// distance `clearance`, the radius of the ball is at most the gap at the individual.
    #[inline(always)]
    pub fn trace<V: Lanes>(
        &self,
        habitat: &Habitat,
        place: [V; 3],
        direction: [V; 3],
        own: V,
        [mut is_traced, is_enough]: [V; 2],
    ) -> V {
        let splat = V::splat;
        let reach = splat(self.numbers.reach);
        let clearance = splat(self.numbers.clearance);
        let grace = clearance.shift_left::<{ DISTANCE_BITS - 2 }>();
        let narrow = clearance.min(own);
        let (mut distance, mut end, mut gap) = (splat(0), splat(-1), own);
        loop {
            let is_near = distance.less_than(grace);
            let wanted = is_near.select(narrow, clearance);
            let is_hit = gap.less_than(wanted).and(is_traced);
            end = is_hit.select(distance, end);
            let advance = gap.subtract(wanted).shift_left::<{ DISTANCE_BITS - 2 }>().max(splat(MIN_ADVANCE));
            let next = distance.add(advance);
            // The next sample is not beyond `grace`, from which on the ball has its whole radius.
            let next = is_near.and(wanted.less_than(clearance)).select(next.min(grace), next);
            let is_free = is_hit.select(splat(0), reach.less_than(next).and(is_traced));
            is_traced = is_hit.or(is_free).select(splat(0), is_traced);
            let is_enough = is_free.and(is_enough);
            if is_enough.any() {
                // The prefix sum of the mask (-1 or 0) is negative from the first lane in `is_enough` on.
                is_traced = is_enough.prefix_sum().select(splat(0), is_traced);
            }
            if !is_traced.any() {
                return end;
            }
            distance = is_traced.select(next, distance);
            let mut centre = place;
            for axis in 0..3 {
                centre[axis] = centre[axis].add(direction[axis].multiply(distance).shift_right::<6>());
            }
            gap = habitat.gaps_at(centre);
        }
    }
}

/// The choice among the rays of an individual, while its rays are traced.
struct RaySelection {
    choice: RayChoice,
    /// The distance to rock along the chosen ray (Q8 of a cell), as long as no ray is free.
    farthest: i32,
    /// The number of free rays among the [`Rays::always`] rays.
    free: i32,
    /// The sum of the directions of these free rays (Q14).
    sum: Vector3,
}

impl RaySelection {
    fn new(frame: &Frame, reach: i32) -> Self {
        let choice = RayChoice { way: frame[2], ahead: reach, traced: 0, ray: Some(0) };
        Self { choice, farthest: 0, free: 0, sum: [0; 3] }
    }

    /// Adds the next ray. `end`: its distance to rock (Q8 of a cell); -1: the ray is free. `always`: [`Rays::always`].
    /// Returns whether the choice is made.
    #[inline(always)]
    fn add_ray(&mut self, always: usize, way: Vector3, end: i32) -> bool {
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

/// The control vectors of avoidance of a block of individuals.
pub struct BlockAvoidance<'a> {
    /// The table of the rays.
    pub rays: &'a Rays,
    /// The space of the individuals, with its rock.
    pub habitat: &'a Habitat,
    /// The places of the block along each axis (Q16 of a cell).
    pub places: [&'a [i32]; 3],
    /// The velocities of the block along each axis (Q14 of a cell a step).
    pub velocities: [&'a [i32]; 3],
    /// The output: the control vectors (Q10) of the block, a list for each axis.
    pub ways: &'a mut [[i32; BLOCK]; 3],
}

impl LaneWork for BlockAvoidance<'_> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Self { rays, habitat, places, velocities, ways } = self;
        // The gaps at all places are read first, so that several cache misses overlap.
        let mut gaps = [0; BLOCK];
        for first in (0..places[0].len()).step_by(V::COUNT) {
            let mut place = zero::<V, 3>();
            for axis in 0..3 {
                place[axis] = V::load_some(&places[axis][first..]);
            }
            habitat.gaps_at(place).store(&mut gaps[first..]);
        }
        for first in (0..places[0].len()).step_by(DoubleLanes::<V>::COUNT) {
            let (mut place, mut velocity) = (zero::<DoubleLanes<V>, 3>(), zero::<DoubleLanes<V>, 3>());
            for axis in 0..3 {
                place[axis] = DoubleLanes::load_some(&places[axis][first..]);
                velocity[axis] = DoubleLanes::load_some(&velocities[axis][first..]);
            }
            let way = rays.control(habitat, place, velocity, DoubleLanes::load(&gaps[first..]));
            for axis in 0..3 {
                way[axis].store(&mut ways[axis][first..]);
            }
        }
    }
}
