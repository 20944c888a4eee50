//! Avoidance: the search of individuals for a way past obstacles ahead (*Let's make an aquarium*, Michael Yang).
//!
//! Each ray of an individual ([`super::rays`]) is traced through the gap field of the [`Habitat`] as a ball of the
//! radius `clearance`. The individual turns towards the first ray that hits nothing within `reach`. If all rays hit
//! something, it turns towards the ray that gets farthest.

use super::rays::{Frame, RayNumbers, Rays, frame, frames, in_world};
use crate::lanes::vector::{normalise, round_shift, scale, splat, zero};
use crate::lanes::{BLOCK, DoubleLanes, LaneWork, Lanes, MAX_LANES};
use crate::numbers::{RULE_ONE, Vector3};
use crate::terrain::Habitat;

/// Fraction bits of a distance along a ray.
const DISTANCE_BITS: u32 = 8;
/// The least advance between two samples of the gap field, Q8: half a cell.
const MIN_ADVANCE: i32 = 128;

/// The ray that an individual chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RayChoice {
    /// The direction (Q14) in which it turns.
    pub way: Vector3,
    /// The distance to the nearest obstacle ahead (Q8 of a cell); the reach if nothing is hit.
    pub ahead: i32,
    /// The number of rays that were traced.
    pub traced: u32,
    /// The number of the ray; `None`: the mean of the free rays that are always traced.
    pub ray: Option<u32>,
}

/// All rays of an individual up to the ray that decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RayTrace {
    /// The ray that it chooses.
    pub choice: RayChoice,
    /// The rays, in the order of tracing.
    pub rays: Vec<TracedRay>,
}

/// A traced ray.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TracedRay {
    /// The direction in the world (Q14).
    pub way: Vector3,
    /// The direction in the frame of the individual (Q14): to the right, upwards and ahead.
    pub in_frame: Vector3,
    /// The distance at which it hits something (Q8 of a cell); `None`: nothing is hit.
    pub end: Option<i32>,
}

impl Rays {
    /// The control vector (Q10) towards the free way. It is stronger if the obstacle ahead is nearer. Places are Q16,
    /// velocities Q14.
    ///
    /// v = w · (1 + growth · (1 - d/reach)), with w the direction of the chosen ray and d the distance to the obstacle
    /// ahead. `own`: the gaps at the places.
    ///
    /// For the first rays, which are mostly free, lanes are individuals. After that, lanes are the next rays of one
    /// individual.
    #[inline(always)]
    pub fn control<V: Lanes>(&self, habitat: &Habitat, place: [V; 3], velocity: [V; 3], own: V) -> [V; 3] {
        let RayNumbers { reach, growth, .. } = self.numbers;
        let splat = V::splat;
        // An individual at rest has no heading.
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

    /// Turns the ways of the individuals that are not done after their first ray. `own`: the gaps at their places;
    /// `end`: the distances that the first rays get.
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

    /// Chooses a way; `None`: an individual at rest has no heading. Place in Q16, velocity in Q14.
    pub fn choose(&self, habitat: &Habitat, place: Vector3, velocity: Vector3) -> Option<RayChoice> {
        let frame = frame(velocity)?;
        let mut selection = RaySelection::new(&frame, self.numbers.reach);
        self.look_on::<i32>(habitat, place, &frame, habitat.gap(place), &mut selection);
        Some(selection.choice)
    }

    /// The rays by which [`Self::choose`] chooses, one by one; `None`: an individual at rest has no heading.
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

    /// Traces the rays of an individual in their order until the choice is made. `own`: the gap at the place.
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
            // Rays after the first free one do not matter.
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

    /// The distances (Q8) that balls get from places in directions before they touch rock. -1: nothing is hit within
    /// the reach, or the lane is not in the mask `is_traced`. `own`: the gaps at the places. Lanes after a free lane in
    /// the mask `is_enough` are left out.
    ///
    /// An individual that is nearer to rock than the radius of its ball would hit rock on every ray. So up to the
    /// distance `clearance`, the ball is no wider than the gap at the individual.
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
            // The wider ball is tested from its beginning on.
            let next = is_near.and(wanted.less_than(clearance)).select(next.min(grace), next);
            let is_free = is_hit.select(splat(0), reach.less_than(next).and(is_traced));
            is_traced = is_hit.or(is_free).select(splat(0), is_traced);
            let is_enough = is_free.and(is_enough);
            if is_enough.any() {
                // The prefix sum is negative from the first such lane on.
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

/// The rays of an individual that were traced until now.
struct RaySelection {
    choice: RayChoice,
    /// The distance that the chosen ray gets, while none is free.
    farthest: i32,
    /// The free rays that are always traced: their number and their sum.
    free: i32,
    sum: Vector3,
}

impl RaySelection {
    fn new(frame: &Frame, reach: i32) -> Self {
        let choice = RayChoice { way: frame[2], ahead: reach, traced: 0, ray: Some(0) };
        Self { choice, farthest: 0, free: 0, sum: [0; 3] }
    }

    /// Adds the next ray, which gets to the distance `end` (-1: nothing is hit). Returns whether the choice is made.
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
    /// The space with its rock.
    pub habitat: &'a Habitat,
    /// The places of the block along each axis (Q16 of a cell).
    pub places: [&'a [i32]; 3],
    /// The velocities of the block along each axis (Q14 of a cell a step).
    pub velocities: [&'a [i32]; 3],
    /// The output: the control vectors (Q10) along each axis.
    pub ways: &'a mut [[i32; BLOCK]; 3],
}

impl LaneWork for BlockAvoidance<'_> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Self { rays, habitat, places, velocities, ways } = self;
        // All gaps at the places are read first, so that several of them are fetched from memory at once.
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
