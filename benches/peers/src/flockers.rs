//! The flockers of the Rust crate krABMaga, after its published example. In a step a bird averages the offsets and the
//! headings of the birds within its radius. It adds its own heading and a short random vector, and flies a fixed
//! length.
//!
//! The code is written anew, with the numbers of the example and its calls of the crate. The birds lie in one
//! double-buffered field, which is divided into squares (bags). One schedule has an event for every bird.

use krabmaga::engine::agent::Agent;
use krabmaga::engine::fields::field::Field;
use krabmaga::engine::fields::field_2d::{Field2D, Location2D, toroidal_distance, toroidal_transform};
use krabmaga::engine::location::Real2D;
use krabmaga::engine::schedule::Schedule;
use krabmaga::engine::state::State;
use krabmaga::rand::{self, Rng};
use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

/// The distance up to which a bird sees other birds, in the unit of length of the example.
const RADIUS: f32 = 10.0;
/// The side of a bag, which is a square of the field.
const BAG: f32 = RADIUS / 1.5;
// The weights of the five vectors whose sum gives the heading of a bird.
const COHESION: f32 = 0.8;
const AVOIDANCE: f32 = 1.0;
const CONSISTENCY: f32 = 0.7;
const RANDOMNESS: f32 = 1.1;
const MOMENTUM: f32 = 1.0;
/// The length that a bird flies in a step.
const JUMP: f32 = 0.7;

/// The birds, in a square with the side `extent` that is a torus.
struct Sky {
    extent: f32,
    birds: u32,
    field: Field2D<Bird>,
    /// The sum over all steps and birds of the number of other birds that a bird sees in a step.
    seen: AtomicU64,
}

#[derive(Clone, Copy)]
struct Bird {
    number: u32,
    place: Real2D,
    heading: Real2D,
}

/// A running simulation of flockers.
pub struct Flockers {
    sky: Sky,
    schedule: Schedule,
    steps: u64,
}

impl Flockers {
    /// Makes a swarm of birds at random places, at rest. `extent`: the side of the square in which they fly.
    pub fn new(birds: u32, extent: f32) -> Self {
        let mut sky = Sky { extent, birds, field: field(extent), seen: AtomicU64::new(0) };
        let mut schedule = Schedule::new();
        sky.init(&mut schedule);
        Self { sky, schedule, steps: 0 }
    }

    pub fn step(&mut self) {
        self.schedule.step(&mut self.sky);
        self.steps += 1;
    }

    /// The mean number of other birds that a bird sees in a step.
    pub fn neighbours(&self) -> f64 {
        let seen = self.sky.seen.load(Ordering::Relaxed) as f64;
        seen / (f64::from(self.sky.birds) * self.steps.max(1) as f64)
    }
}

fn field(extent: f32) -> Field2D<Bird> {
    Field2D::new(extent, extent, BAG, true)
}

impl State for Sky {
    fn init(&mut self, schedule: &mut Schedule) {
        let mut random = rand::rng();
        for number in 0..self.birds {
            let mut along = || self.extent * random.random::<f32>();
            let place = Real2D { x: along(), y: along() };
            let bird = Bird { number, place, heading: Real2D { x: 0.0, y: 0.0 } };
            self.field.set_object_location(bird, place);
            schedule.schedule_repeating(Box::new(bird), 0.0, 0);
        }
    }

    fn reset(&mut self) {
        self.field = field(self.extent);
    }

    fn update(&mut self, _: u64) {
        self.field.lazy_update();
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn as_state(&self) -> &dyn State {
        self
    }

    fn as_state_mut(&mut self) -> &mut dyn State {
        self
    }
}

impl Agent for Bird {
    fn step(&mut self, state: &mut dyn State) {
        let sky = state.as_any().downcast_ref::<Sky>().expect("birds fly in a sky");
        let seen = sky.field.get_neighbors_within_distance(self.place, RADIUS);
        let (mut avoidance, mut cohesion, mut consistency) = ([0.0; 2], [0.0; 2], [0.0; 2]);
        let mut count = 0u32;
        for other in seen.iter().filter(|other| other.number != self.number) {
            let dx = toroidal_distance(self.place.x, other.place.x, sky.extent);
            let dy = toroidal_distance(self.place.y, other.place.y, sky.extent);
            let square = dx * dx + dy * dy;
            let near = square * square + 1.0;
            avoidance = [avoidance[0] + dx / near, avoidance[1] + dy / near];
            cohesion = [cohesion[0] + dx, cohesion[1] + dy];
            consistency = [consistency[0] + other.heading.x, consistency[1] + other.heading.y];
            count += 1;
        }
        sky.seen.fetch_add(u64::from(count), Ordering::Relaxed);
        let mean = 1.0 / count.max(1) as f32;
        let stray = if seen.is_empty() { [0.0; 2] } else { random_direction() };
        let own = [self.heading.x, self.heading.y];
        let part = |axis: usize| {
            COHESION * -cohesion[axis] * mean / 10.0
                + AVOIDANCE * 400.0 * avoidance[axis] * mean
                + CONSISTENCY * consistency[axis] * mean * mean
                + RANDOMNESS * stray[axis]
                + MOMENTUM * own[axis]
        };
        let [x, y] = [part(0), part(1)];
        let length = (x * x + y * y).sqrt();
        let stretch = if length > 0.0 { JUMP / length } else { 1.0 };
        self.heading = Real2D { x: x * stretch, y: y * stretch };
        self.place = Real2D {
            x: toroidal_transform(self.place.x + self.heading.x, sky.extent),
            y: toroidal_transform(self.place.y + self.heading.y, sky.extent),
        };
        sky.field.set_object_location(*self, self.place);
    }
}

/// A vector of length 0.05 in a random direction.
fn random_direction() -> [f32; 2] {
    let mut random = rand::rng();
    let [x, y] = [0; 2].map(|_| random.random::<f32>() * 2.0 - 1.0);
    let length = (x * x + y * y).sqrt();
    [0.05 * x / length, 0.05 * y / length]
}

impl Location2D<Real2D> for Bird {
    fn get_location(self) -> Real2D {
        self.place
    }

    fn set_location(&mut self, place: Real2D) {
        self.place = place;
    }
}

impl Hash for Bird {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}

impl PartialEq for Bird {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for Bird {}

impl fmt::Display for Bird {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bird {}", self.number)
    }
}
