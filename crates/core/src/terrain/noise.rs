//! Gradient noise in integers, after *Improving Noise* (Ken Perlin, 2002): a pure function of the place.
//!
//! The noise has a lattice of its own, with a random gradient at each node. Positions on this lattice are Q20 of a
//! lattice cell in 64 bits, modulo 2^64, so that a shift of the origin is exact. The noise of a voxel is sampled in its
//! middle, half a voxel after its first corner. Otherwise a scale that is a power of two would sample only nodes, where
//! gradient noise is 0. All other arithmetic fits in 32 bits. Values are Q14.
//!
//! [`Noise::at`] is the definition; [`NoiseRows`] computes whole rows along x. A voxel lies between two planes of nodes
//! across x, and all voxels of a lattice cell have the same two planes. The gradients of each plane are interpolated
//! over y and z once. The contribution of a plane is then a line A + B·x, and the noise interpolates between the two
//! lines.

use crate::lanes::{Lanes, MAX_LANES};
use crate::numbers::random::hash;
use crate::numbers::{ONE, each_axis};

/// The maximum frequency: one lattice cell per voxel (Q20).
pub const MAX_FREQUENCY: u32 = 1 << 20;
const FRACTION_BITS: u32 = 20;
/// The number of nodes along an axis. Nodes are numbered modulo this number.
const NODES: u64 = 1 << 44;
/// The gradients: vectors to the middles of the edges of a cube. Four of them occur twice, so that there are 16.
const GRADIENTS: [[i32; 3]; 16] = [
    [1, 1, 0],
    [-1, 1, 0],
    [1, -1, 0],
    [-1, -1, 0],
    [1, 0, 1],
    [-1, 0, 1],
    [1, 0, -1],
    [-1, 0, -1],
    [0, 1, 1],
    [0, -1, 1],
    [0, 1, -1],
    [0, -1, -1],
    [1, 1, 0],
    [0, -1, 1],
    [-1, 1, 0],
    [0, -1, -1],
];

/// One octave of noise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Noise {
    /// The seed of the gradients.
    pub seed: u32,
    /// The number of lattice cells per voxel along each axis (Q20), 1 to [`MAX_FREQUENCY`].
    pub frequency: [u32; 3],
}

/// The position of a voxel's middle on the noise's lattice, along one axis.
#[derive(Clone, Copy)]
struct Position {
    /// The number of the node before the position.
    place: u64,
    /// The distance from this node, as a part of a lattice cell (Q14), 0 to 16383.
    fraction: i32,
}

impl Position {
    /// The distance (Q14 of a lattice cell) from the node before the position (`side` 0) or after it (`side` 1).
    fn offset_from(self, side: usize) -> i32 {
        self.fraction - side as i32 * ONE
    }
}

impl Noise {
    /// The noise in the middle of the voxel `place` (Q14), within ±2^15.
    pub fn at(&self, place: [i64; 3]) -> i32 {
        let [x, y, z] = each_axis(|axis| self.position(axis, place[axis]));
        let [fade_y, fade_z] = [y, z].map(|position| fade(position.fraction));
        let planes = [0, 1].map(|i| {
            let corner = |j: usize, k: usize| {
                let keys = [(x, i), (y, j), (z, k)].map(|(position, side)| position.place + side as u64);
                let [key_x, key_y, key_z] = each_axis(|axis| self.key(axis, keys[axis]));
                let [u, v, w] = gradient(key_x, beside(key_y, key_z));
                [v * y.offset_from(j) + w * z.offset_from(k), u * ONE]
            };
            [0, 1].map(|part| {
                let over_y = [0, 1].map(|k| lerp(corner(0, k)[part], corner(1, k)[part], fade_y));
                lerp(over_y[0], over_y[1], fade_z)
            })
        });
        along_x(planes, x.fraction, fade(x.fraction))
    }

    fn position(&self, axis: usize, place: i64) -> Position {
        let frequency = u64::from(self.frequency[axis]);
        let at = (place as u64).wrapping_mul(frequency).wrapping_add(frequency / 2);
        Position { place: at >> FRACTION_BITS, fraction: (at >> (FRACTION_BITS - 14)) as i32 & (ONE - 1) }
    }

    /// A random word for a plane of nodes across an axis. `place`: the number of the plane along the axis.
    fn key(&self, axis: usize, place: u64) -> u32 {
        let place = place % NODES;
        let axis = axis as u32;
        let of_axis = hash(self.seed.wrapping_add(axis.wrapping_mul(0x9e37_79b9)));
        hash(place as u32 ^ hash(((place >> 32) as u32).wrapping_add(of_axis)))
    }
}

/// A random word for a line of nodes along x, from the words ([`Noise::key`]) of its planes across y and z.
fn beside(key_y: u32, key_z: u32) -> u32 {
    hash(key_y ^ hash(key_z))
}

/// The gradient at a node, from the words of its plane across x and of its line along x.
fn gradient(key_x: u32, beside: u32) -> [i32; 3] {
    GRADIENTS[(hash(key_x.wrapping_add(beside)) & 15) as usize]
}

/// The noise at a fraction of the way between two planes across x. `before`, `behind`: the value of each plane at its
/// own place, and its slope along x. `fade`: the weight of the plane `behind` (Q14).
#[inline(always)]
fn along_x<V: Lanes>([before, behind]: [[V; 2]; 2], fraction: V, fade: V) -> V {
    let left = before[0].add(scaled(before[1], fraction));
    let right = behind[0].add(scaled(behind[1], fraction.subtract(V::splat(ONE))));
    lerp(left, right, fade)
}

/// Linear interpolation: a at fraction 0, b at fraction 1 (Q14). |b - a| must be at most 2^16.
#[inline(always)]
fn lerp<V: Lanes>(a: V, b: V, fraction: V) -> V {
    a.add(scaled(b.subtract(a), fraction))
}

/// The product of a and a fraction (Q14), rounded to nearest, halves upwards.
#[inline(always)]
fn scaled<V: Lanes>(a: V, fraction: V) -> V {
    a.multiply(fraction).add(V::splat(ONE / 2)).shift_right::<14>()
}

/// The weight 6t⁵ - 15t⁴ + 10t³ of an interpolation, for t from 0 to 1. Both are Q14. The error is at most 1/2^14. The
/// value at 1 - t is exactly one minus the value at t.
fn fade(t: i32) -> i32 {
    let half = Ord::min(t, ONE - t);
    let square = (half * half + 2048) >> 12;
    let cube = (square * half + 1024) >> 11;
    let rest = (6 * square + 655_360 - 60 * half + 8) >> 4;
    let risen = (cube * rest + 65_536) >> 17;
    if t > ONE / 2 { ONE - risen } else { risen }
}

/// Noise along the rows of a box of voxels: the data that all rows share.
pub struct NoiseRows {
    noise: Noise,
    /// The first voxel of the box along y and z.
    origin: [i64; 2],
    /// The index of the first voxel of each lattice cell along x, followed by the number of voxels of a row.
    starts: Vec<usize>,
    /// The random words ([`Noise::key`]) of the planes across x, before and after each lattice cell.
    keys: Vec<u32>,
    /// The fraction of each voxel along x (Q14), and [`MAX_LANES`] more elements.
    fractions: Vec<i32>,
    /// The fade of each fraction (Q14), and [`MAX_LANES`] more elements.
    fades: Vec<i32>,
}

/// The gradients around a row. They stay valid for the next rows in the same lattice cell along y and z.
#[derive(Default)]
pub struct NoiseCache {
    nodes: Option<[u64; 2]>,
    /// For each of the four lines of nodes around the row: the components x, y and z of the gradient at each plane.
    gradients: [[Vec<i32>; 3]; 4],
    /// The value of each plane at its own place, and its slope along x, interpolated over y and z.
    planes: [Vec<i32>; 2],
}

impl NoiseRows {
    /// Prepares rows of `width` voxels along x of a box whose first voxel is `origin`.
    pub fn new(noise: Noise, origin: [i64; 3], width: usize) -> Self {
        let positions = (0..width as i64).map(|x| noise.position(0, origin[0].wrapping_add(x)));
        let (mut nodes, mut starts, mut fractions) = (Vec::new(), Vec::new(), Vec::new());
        for (x, position) in positions.enumerate() {
            if nodes.last() != Some(&position.place) {
                nodes.push(position.place);
                starts.push(x);
            }
            fractions.push(position.fraction);
        }
        starts.push(width);
        nodes.extend(nodes.last().map(|last| last + 1));
        let keys = nodes.into_iter().map(|place| noise.key(0, place)).collect();
        fractions.resize(width + MAX_LANES, 0);
        let fades = fractions.iter().map(|fraction| fade(*fraction)).collect();
        Self { noise, origin: [origin[1], origin[2]], starts, keys, fractions, fades }
    }

    /// Writes the noise (Q14) of a row of the box to `row`. `y`, `z`: the place of the row, from the first voxel of the
    /// box. `cache` may only be used with these `NoiseRows`. `row` has an element for each voxel, and [`MAX_LANES`]
    /// more elements, whose values are arbitrary.
    #[inline(always)]
    pub fn row<V: Lanes>(&self, y: u32, z: u32, cache: &mut NoiseCache, row: &mut [i32]) {
        let places = [self.origin[0].wrapping_add(y.into()), self.origin[1].wrapping_add(z.into())];
        let around = [0, 1].map(|axis| self.noise.position(axis + 1, places[axis]));
        self.fill(around, cache);
        self.interpolate_planes::<V>(around, cache);
        let [values, slopes] = &cache.planes;
        for (cell, ends) in self.starts.windows(2).enumerate() {
            let plane = |plane: usize| [values, slopes].map(|of| V::splat(of[plane]));
            let planes = [plane(cell), plane(cell + 1)];
            // The last lanes may lie beyond this lattice cell. The next cell overwrites their values.
            for x in (ends[0]..ends[1]).step_by(V::COUNT) {
                let [fraction, fade] = [&self.fractions, &self.fades].map(|of| V::load(&of[x..]));
                along_x(planes, fraction, fade).store(&mut row[x..]);
            }
        }
    }

    /// Fills the cache with the gradients around a row, unless it has them. `around`: the position along y and z.
    fn fill(&self, around: [Position; 2], cache: &mut NoiseCache) {
        let nodes = around.map(|position| position.place);
        if cache.nodes == Some(nodes) {
            return;
        }
        cache.nodes = Some(nodes);
        let [keys_y, keys_z] =
            [0, 1].map(|axis| [0, 1].map(|side| self.noise.key(axis + 1, nodes[axis].wrapping_add(side))));
        for (corner, gradients) in cache.gradients.iter_mut().enumerate() {
            let beside = beside(keys_y[corner % 2], keys_z[corner / 2]);
            gradients.iter_mut().for_each(|along| along.resize(self.keys.len() + MAX_LANES, 0));
            for (plane, key) in self.keys.iter().enumerate() {
                let gradient = gradient(*key, beside);
                (0..3).for_each(|axis| gradients[axis][plane] = gradient[axis]);
            }
        }
    }

    /// Interpolates the gradients of each plane over y and z. `around`: the position of the row along y and z.
    #[inline(always)]
    fn interpolate_planes<V: Lanes>(&self, around: [Position; 2], cache: &mut NoiseCache) {
        let fades = around.map(|position| V::splat(fade(position.fraction)));
        let sides = around.map(|position| [0, 1].map(|side| V::splat(position.offset_from(side))));
        let NoiseCache { gradients, planes: [values, slopes], .. } = cache;
        [&mut *values, &mut *slopes].into_iter().for_each(|list| list.resize(self.keys.len() + MAX_LANES, 0));
        for plane in (0..self.keys.len()).step_by(V::COUNT) {
            let corner = |j: usize, k: usize| {
                let [u, v, w] = each_axis(|axis| V::load(&gradients[2 * k + j][axis][plane..]));
                [v.multiply(sides[0][j]).add(w.multiply(sides[1][k])), u.shift_left::<14>()]
            };
            let corners = [[corner(0, 0), corner(1, 0)], [corner(0, 1), corner(1, 1)]];
            let [value, slope] = [0, 1].map(|part| {
                let over_y = corners.map(|[before, behind]| lerp(before[part], behind[part], fades[0]));
                lerp(over_y[0], over_y[1], fades[1])
            });
            value.store(&mut values[plane..]);
            slope.store(&mut slopes[plane..]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{InstructionSet, LaneWork};
    use crate::numbers::random::generator;

    const ORIGINS: [i64; 5] = [0, 1 << 39, -(1 << 39), 1 << 40, -5];

    struct Row<'a>(&'a NoiseRows, [u32; 2], &'a mut NoiseCache, &'a mut [i32]);

    impl LaneWork for Row<'_> {
        #[inline(always)]
        fn run<V: Lanes>(self) {
            self.0.row::<V>(self.1[0], self.1[1], self.2, self.3);
        }
    }

    fn noise(seed: u32, scale: f64) -> Noise {
        let frequency = |scale: f64| (f64::from(MAX_FREQUENCY) / scale).round() as u32;
        Noise { seed, frequency: [frequency(scale), frequency(scale), frequency(scale * 0.75).min(MAX_FREQUENCY)] }
    }

    /// The noise of all voxels of a box, computed by [`NoiseRows`].
    fn rows(noise: Noise, origin: [i64; 3], [width, height, depth]: [usize; 3], set: InstructionSet) -> Vec<i32> {
        let of_box = NoiseRows::new(noise, origin, width);
        let mut cache = NoiseCache::default();
        let mut values = Vec::new();
        let mut row = vec![0; width + MAX_LANES];
        for at in 0..height * depth {
            set.run(Row(&of_box, [(at % height) as u32, (at / height) as u32], &mut cache, &mut row));
            values.extend_from_slice(&row[..width]);
        }
        values
    }

    #[test]
    fn rows_have_the_values_of_single_voxels_on_every_instruction_set() {
        for (seed, scale) in [(1, 1.0), (2, 2.7), (3, 8.0), (4, 16.0), (5, 23.9), (6, 64.0), (7, 4000.0)] {
            for origin in ORIGINS {
                let (noise, origin, sizes) = (noise(seed, scale), [origin, -origin, origin + 3], [70, 9, 5]);
                for set in InstructionSet::ALL.iter().copied().filter(|set| set.is_available()) {
                    let rows = rows(noise, origin, sizes, set);
                    for (index, value) in rows.into_iter().enumerate() {
                        let local = [index % sizes[0], index / sizes[0] % sizes[1], index / sizes[0] / sizes[1]];
                        let place = [0, 1, 2].map(|axis| origin[axis] + local[axis] as i64);
                        assert_eq!(value, noise.at(place), "{noise:?} {place:?} {set}");
                    }
                }
            }
        }
    }

    /// Overlapping boxes have equal values in their common voxels, for any origin.
    #[test]
    fn boxes_are_seamless() {
        let noise = noise(11, 13.3);
        let set = InstructionSet::widest();
        for origin in ORIGINS {
            let whole = rows(noise, [origin, origin, -origin], [48, 20, 12], set);
            let part = rows(noise, [origin + 17, origin + 5, 7 - origin], [31, 6, 4], set);
            for (index, value) in part.into_iter().enumerate() {
                let [x, y, z] = [17 + index % 31, 5 + index / 31 % 6, 7 + index / 31 / 6];
                assert_eq!(value, whole[(z * 20 + y) * 48 + x], "{origin} {x} {y} {z}");
            }
        }
    }

    #[test]
    fn the_fade_is_that_of_the_document_and_symmetric() {
        for t in 0..=ONE {
            let exact = f64::from(t) / f64::from(ONE);
            let exact = exact.powi(3) * (exact * (exact * 6.0 - 15.0) + 10.0) * f64::from(ONE);
            assert!((f64::from(fade(t)) - exact).abs() < 1.0, "{t}: {} {exact}", fade(t));
            assert_eq!(fade(t), ONE - fade(ONE - t));
        }
    }

    /// The noise in floating point at the exact place, as *Improving Noise* defines it.
    fn reference(noise: &Noise, place: [i64; 3]) -> f64 {
        let at = [0, 1, 2].map(|axis| {
            i128::from(place[axis]) * i128::from(noise.frequency[axis]) + i128::from(noise.frequency[axis] / 2)
        });
        let nodes = at.map(|at| at.div_euclid(1 << 20));
        let fractions = at.map(|at| at.rem_euclid(1 << 20) as f64 / f64::from(1 << 20));
        let fades = fractions.map(|t| t * t * t * (t * (t * 6.0 - 15.0) + 10.0));
        let dot = |sides: [usize; 3]| {
            let keys =
                [0, 1, 2].map(|axis| noise.key(axis, (nodes[axis] + sides[axis] as i128).rem_euclid(1 << 44) as u64));
            let gradient = gradient(keys[0], beside(keys[1], keys[2]));
            (0..3).map(|axis| f64::from(gradient[axis]) * (fractions[axis] - sides[axis] as f64)).sum::<f64>()
        };
        let lerp = |a: f64, b: f64, t: f64| a + (b - a) * t;
        let over_x = |j, k| lerp(dot([0, j, k]), dot([1, j, k]), fades[0]);
        let over_y = |k| lerp(over_x(0, k), over_x(1, k), fades[1]);
        lerp(over_y(0), over_y(1), fades[2])
    }

    /// Noise differs from the reference by at most 6/2^14. It has the mean 0 and the standard deviation of gradient
    /// noise.
    #[test]
    fn noise_is_that_of_a_reference_in_floating_point() {
        let mut random = generator(3, 1);
        let (mut count, mut worst, mut errors, mut sum, mut squares, mut greatest) =
            (0.0, 0.0f64, 0.0, 0.0, 0.0, 0.0f64);
        for (seed, scale) in [(1, 2.7), (2, 8.0), (3, 16.0), (4, 64.0)] {
            let noise = noise(seed, scale);
            for origin in ORIGINS {
                for _ in 0..10_000 {
                    let place = [0; 3].map(|_| origin + random.around(1 << 12));
                    let (value, exact) = (f64::from(noise.at(place)) / f64::from(ONE), reference(&noise, place));
                    let error = (value - exact).abs() * f64::from(ONE);
                    (worst, errors) = (worst.max(error), errors + error * error);
                    (sum, squares, count) = (sum + value, squares + value * value, count + 1.0);
                    greatest = greatest.max(value.abs());
                }
            }
        }
        let (error, mean, deviation) = ((errors / count).sqrt(), sum / count, (squares / count).sqrt());
        assert!(worst < 6.0 && error < 1.0, "worst {worst}, root of the mean square {error}");
        assert!(mean.abs() < 0.005 && (0.26..0.29).contains(&deviation), "mean {mean}, deviation {deviation}");
        assert!((0.8..1.04).contains(&greatest), "{greatest}");
    }

    /// All 16 gradients are equally frequent. Neighbouring nodes have equal gradients no more often than by chance.
    #[test]
    fn gradients_are_uniform() {
        let noise = Noise { seed: 9, frequency: [MAX_FREQUENCY; 3] };
        let (mut counts, mut alike) = ([0u32; 16], [0u32; 3]);
        let number = |place: [u64; 3]| {
            let keys = [0, 1, 2].map(|axis| noise.key(axis, place[axis]));
            hash(keys[0].wrapping_add(beside(keys[1], keys[2]))) & 15
        };
        for index in 0..1u64 << 15 {
            let place = [index % 32, index / 32 % 32, index / 1024].map(|along| along.wrapping_sub(16));
            counts[number(place) as usize] += 1;
            for axis in 0..3 {
                let mut next = place;
                next[axis] = next[axis].wrapping_add(1);
                alike[axis] += u32::from(number(place) == number(next));
            }
        }
        // Chi squared with 15 degrees of freedom exceeds 38 with a probability of 1/1000.
        let chi: f64 = counts.iter().map(|count| (f64::from(*count) - 2048.0).powi(2) / 2048.0).sum();
        assert!(chi < 38.0, "{chi} {counts:?}");
        assert!(alike.iter().all(|count| (1848..2248).contains(count)), "{alike:?}");
    }
}
