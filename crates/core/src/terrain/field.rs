//! The scalar field of rock: an i16 for each voxel, above 0 in rock. The values come from noise or from a file. Shapes
//! are then added and subtracted.

use super::noise::{MAX_FREQUENCY, Noise, NoiseCache, NoiseRows};
use super::shapes::{PARTS_OF_SHAPES, Shape};
use crate::lanes::{InstructionSet, LaneWork, Lanes, MAX_LANES};
use crate::numbers::ONE;
use crate::numbers::random::hash;
use crate::parallel::*;
use crate::world::{Edges, Extents, ScalarField};
use std::sync::Arc;

/// The maximum number of octaves of noise.
pub const MAX_OCTAVES: u32 = 8;
/// The number of parts of a cell. Heights of the floor are in these parts.
pub const PARTS_OF_FLOOR: i32 = 1 << 10;
/// The maximum absolute value of the field.
const HELD: i32 = i16::MAX as i32;

/// The rock of a deep world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terrain {
    /// The rock before the shapes.
    pub base: Base,
    /// The shapes that are added or subtracted, in this order.
    pub shapes: Vec<Shape>,
    /// Whether the outermost layer of voxels is water. The surface of the rock is then closed at the edges of the
    /// world.
    pub is_closed: bool,
}

/// The rock before the shapes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Base {
    /// No rock.
    Water,
    /// Rock from noise.
    Noise(NoiseTerrain),
    /// A value of the field for every voxel, x fastest; above 0 is rock.
    Voxels(Arc<Vec<i16>>),
}

/// Rock from noise. A voxel is rock if its field is above 0:
///
/// field = Σ floor(n_k / 2^k) + max((floor_height - z) / floor_width + 1, 0) - threshold.
///
/// n_k is the octave k of the noise, from 0 on, and z is the height of the voxel in cells. With tunnels, the field is
/// the minimum of this value and 2 (√(na² + nb²) - tunnels.width), with two further noises na and nb. Values are in
/// Q14.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoiseTerrain {
    /// The seed of the noise.
    pub seed: u64,
    /// The frequency of the first octave along x and y: lattice cells of the noise per voxel (Q20). Each further octave
    /// has twice the frequency. The last frequency is at most [`MAX_FREQUENCY`].
    pub frequency: u32,
    /// The frequency of the first octave along z: lattice cells of the noise per voxel (Q20).
    pub vertical_frequency: u32,
    /// The number of octaves, 1 to [`MAX_OCTAVES`].
    pub octaves: u32,
    /// The threshold (Q14). Without tunnels, a voxel is rock if the sum of the octaves and of the floor is above the
    /// threshold.
    pub threshold: i32,
    /// The height at which the floor adds 1 to the field, in 1/1024 cell.
    pub floor_height: i32,
    /// The distance above `floor_height` over which the addition of the floor falls from 1 to 0, in 1/1024 cell; 0: the
    /// rock has no floor.
    pub floor_width: i32,
    /// The tunnels; `None`: the rock has no tunnels.
    pub tunnels: Option<Tunnels>,
}

/// Tunnels through the rock, along the lines on which two noises are both near 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tunnels {
    /// A voxel is in a tunnel if √(na² + nb²) of the two noises na and nb is at most this width (Q14).
    pub width: i32,
    /// The frequency of the two noises along all axes: lattice cells of the noise per voxel (Q20).
    pub frequency: u32,
}

impl NoiseTerrain {
    /// The noise of each octave, followed by the two noises of the tunnels if there are tunnels.
    fn noises(&self) -> Vec<Noise> {
        let seed = |purpose: u32| {
            let [low, high] = [self.seed as u32, (self.seed >> 32) as u32];
            hash(low ^ hash(high.wrapping_add(hash(purpose))))
        };
        let octave = |k: u32| {
            let [across, along_z] = [self.frequency, self.vertical_frequency].map(|frequency| frequency << k);
            debug_assert!(across.max(along_z) <= MAX_FREQUENCY);
            Noise { seed: seed(k), frequency: [across, across, along_z] }
        };
        let tunnel = |index: u32, tunnels: &Tunnels| Noise {
            seed: seed(MAX_OCTAVES + index),
            frequency: [tunnels.frequency; 3],
        };
        let tunnels = self.tunnels.iter().flat_map(|tunnels| [0, 1].map(|index| tunnel(index, tunnels)));
        (0..self.octaves).map(octave).chain(tunnels).collect()
    }

    /// The value that the floor adds to the field at the height z (in cells), minus the threshold (Q14).
    fn offset(&self, z: i64) -> i32 {
        let held = 4 * i64::from(HELD);
        let (height, width) = (i64::from(self.floor_height), i64::from(self.floor_width));
        let above = z.saturating_mul(PARTS_OF_FLOOR.into()).saturating_sub(height);
        let floor = match width {
            0 => 0,
            _ => (width.saturating_sub(above)).max(0).saturating_mul(ONE.into()) / width,
        };
        floor.min(held) as i32 - self.threshold
    }
}

impl Terrain {
    /// Computes the scalar field of a box of voxels, before its outermost layer becomes water. `origin`: the place of
    /// the box's first voxel in the noise. Shapes and voxels of files are relative to the box, for any origin. The
    /// values do not depend on the number of threads.
    pub fn field(&self, extents: Extents, edges: Edges, origin: [i64; 3]) -> ScalarField {
        let [width, height, _] = extents.along_axes().map(|extent| extent as usize);
        let noise = match &self.base {
            Base::Noise(noise) => Some(Layers::new(noise, origin, width)),
            _ => None,
        };
        let set = InstructionSet::widest();
        let mut values = vec![0i16; extents.cells()];
        values.par_chunks_mut(width).enumerate().for_each_init(Buffers::default, |buffers, (at, row)| {
            let [y, z] = [at % height, at / height];
            buffers.sum.resize(width + MAX_LANES, 0);
            match (&self.base, &noise) {
                (_, Some(layers)) => set.run(NoiseRow { layers, y: y as u32, z: z as u32, buffers }),
                (Base::Voxels(voxels), _) => {
                    let voxels = &voxels[at * width..][..width];
                    buffers.sum.iter_mut().zip(voxels).for_each(|(sum, voxel)| *sum = (*voxel).into());
                }
                _ => buffers.sum.fill(-HELD),
            }
            let sum = &mut buffers.sum[..width];
            sum.iter_mut().for_each(|value| *value = (*value).clamp(-HELD, HELD));
            let place = [0, y as i32, z as i32].map(|along| along * PARTS_OF_SHAPES);
            let ends = extents.along_axes().map(|extent| extent as i32 * PARTS_OF_SHAPES);
            self.shapes.iter().for_each(|shape| shape.apply(place, ends, edges, sum));
            row.iter_mut().zip(sum).for_each(|(row, value)| *row = *value as i16);
        });
        ScalarField { extents, values }
    }
}

/// The noises of all octaves and tunnels in a box of voxels.
struct Layers<'a> {
    terrain: &'a NoiseTerrain,
    first_layer: i64,
    noises: Vec<NoiseRows>,
}

impl<'a> Layers<'a> {
    fn new(terrain: &'a NoiseTerrain, origin: [i64; 3], width: usize) -> Self {
        let noises = terrain.noises().into_iter().map(|noise| NoiseRows::new(noise, origin, width)).collect();
        Self { terrain, first_layer: origin[2], noises }
    }
}

/// The buffers of one thread. A row has [`MAX_LANES`] more elements than voxels.
#[derive(Default)]
struct Buffers {
    caches: Vec<NoiseCache>,
    /// A row of each noise of the tunnels. The first buffer is also used for each octave in turn.
    noises: [Vec<i32>; 2],
    sum: Vec<i32>,
}

/// Computes the field of noise along a row. The result is in `buffers.sum`.
struct NoiseRow<'a> {
    layers: &'a Layers<'a>,
    y: u32,
    z: u32,
    buffers: &'a mut Buffers,
}

impl LaneWork for NoiseRow<'_> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Self { layers: Layers { terrain, first_layer, noises }, y, z, buffers } = self;
        let Buffers { caches, noises: [a, b], sum } = buffers;
        caches.resize_with(noises.len(), NoiseCache::default);
        [&mut *a, &mut *b].into_iter().for_each(|row| row.resize(sum.len(), 0));
        sum.fill(terrain.offset(first_layer.wrapping_add(z.into())));
        let whole = sum.len() - MAX_LANES;
        for (k, noise) in noises.iter().enumerate() {
            let row = if k > terrain.octaves as usize { &mut *b } else { &mut *a };
            noise.row::<V>(y, z, &mut caches[k], row);
            if k < terrain.octaves as usize {
                sum.iter_mut().zip(&*row).for_each(|(sum, noise)| *sum += noise >> k);
            }
        }
        let Some(Tunnels { width, .. }) = terrain.tunnels else { return };
        for x in (0..whole).step_by(V::COUNT) {
            let from_middle = V::load(&a[x..]).hypot(V::load(&b[x..]));
            let outside = from_middle.subtract(V::splat(width)).shift_left::<1>();
            V::load(&sum[x..]).min(outside).store(&mut sum[x..]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::shapes::Form;
    use super::*;

    const CAVES: NoiseTerrain = NoiseTerrain {
        seed: 9,
        frequency: MAX_FREQUENCY / 40,
        vertical_frequency: MAX_FREQUENCY / 20,
        octaves: 4,
        threshold: 8000,
        floor_height: 8 * PARTS_OF_FLOOR,
        floor_width: 50 * PARTS_OF_FLOOR,
        tunnels: Some(Tunnels { width: 2621, frequency: MAX_FREQUENCY / 28 }),
    };

    fn terrain(noise: NoiseTerrain) -> Terrain {
        Terrain { base: Base::Noise(noise), shapes: Vec::new(), is_closed: false }
    }

    fn by_definition(terrain: &NoiseTerrain, place: [i64; 3]) -> i32 {
        let noises: Vec<i32> = terrain.noises().iter().map(|noise| noise.at(place)).collect();
        let octaves = terrain.octaves as usize;
        let sum: i32 = noises[..octaves].iter().enumerate().map(|(k, noise)| noise >> k).sum();
        let [height, width] = [terrain.floor_height, terrain.floor_width].map(|parts| f64::from(parts) / 1024.0);
        let floor =
            if width > 0.0 { (((height - place[2] as f64) / width + 1.0).max(0.0) * 16_384.0).floor() } else { 0.0 };
        let mut field = sum + Ord::min(floor as i32, 4 * 32_767) - terrain.threshold;
        if let (Some(tunnels), [a, b]) = (terrain.tunnels, &noises[octaves..]) {
            field = Ord::min(field, 2 * ((a * a + b * b).isqrt() - tunnels.width));
        }
        field.clamp(-32_767, 32_767)
    }

    #[test]
    fn fields_of_noise_are_those_of_single_voxels_from_any_number_of_threads() {
        let extents = Extents::deep(37, 11, 9);
        let bare = NoiseTerrain { octaves: 1, floor_width: 0, tunnels: None, seed: 1 << 40, ..CAVES };
        let high = NoiseTerrain { octaves: 8, frequency: MAX_FREQUENCY / 128, vertical_frequency: 0x1000, ..CAVES };
        for (noise, origin) in
            [(CAVES, [0; 3]), (CAVES, [1 << 40, -(1 << 39), 30]), (bare, [5, -7, -9]), (high, [9; 3])]
        {
            let made = |threads| {
                let pool = ThreadPool::new(Some(threads), "test").unwrap();
                pool.install(|| terrain(noise).field(extents, Edges::Walls, origin))
            };
            let field = made(1);
            assert_eq!(field, made(3));
            for (index, value) in field.values.iter().enumerate() {
                let cell = extents.cell(index);
                let place = [0, 1, 2].map(|axis| origin[axis] + i64::from(cell[axis]));
                assert_eq!(i32::from(*value), by_definition(&noise, place), "{noise:?} {place:?}");
            }
        }
    }

    /// For several terrains, about half of a tank is rock, and the lower half of the tank has more rock.
    #[test]
    fn about_half_of_a_tank_is_rock() {
        let arches = NoiseTerrain { seed: 61, vertical_frequency: MAX_FREQUENCY / 32, threshold: 8600, ..CAVES };
        let arches = NoiseTerrain { floor_width: 60 * PARTS_OF_FLOOR, ..arches };
        let pillar = NoiseTerrain { seed: 52, frequency: MAX_FREQUENCY / 30, threshold: 8200, ..CAVES };
        let pillar =
            NoiseTerrain { vertical_frequency: MAX_FREQUENCY / 54, floor_height: 4 * PARTS_OF_FLOOR, ..pillar };
        for noise in [CAVES, arches, pillar] {
            let extents = Extents::deep(160, 96, 64);
            let rock = terrain(noise).field(extents, Edges::Walls, [0; 3]).rock();
            let share = |voxels: &[bool]| voxels.iter().filter(|rock| **rock).count() as f64 / voxels.len() as f64;
            let (below, above) = rock.split_at(rock.len() / 2);
            assert!((0.3..0.55).contains(&share(&rock)), "{noise:?}: {}", share(&rock));
            assert!(share(below) > 2.0 * share(above), "{noise:?}: {} {}", share(below), share(above));
        }
    }

    #[test]
    fn voxels_and_shapes_follow_each_other_and_the_outermost_layer_is_water() {
        let extents = Extents::deep(9, 8, 7);
        let voxels = (0..extents.cells()).map(|index| if index % 2 == 0 { 700 } else { -700 }).collect();
        let shape = |half: i32, is_subtracted| Shape {
            form: Form::Box { half: [half * PARTS_OF_SHAPES; 3] },
            centre: [4, 4, 3].map(|along| along * PARTS_OF_SHAPES),
            is_subtracted,
        };
        let shapes = vec![shape(3, false), shape(1, true)];
        let terrain = Terrain { base: Base::Voxels(Arc::new(voxels)), shapes, is_closed: true };
        let open = terrain.field(extents, Edges::Walls, [0; 3]);
        let closed = open.clone().closed();
        for index in 0..extents.cells() {
            let place = extents.cell(index);
            let far = (0..3).map(|axis| (place[axis] - [4, 4, 3][axis]).abs()).max().unwrap();
            let expected = match far {
                0..=1 => false,
                2 => true,
                _ => index % 2 == 0,
            };
            assert_eq!(open.values[index] > 0, expected, "{place:?}");
            let is_outermost =
                (0..3).any(|axis| place[axis] == 0 || place[axis] as u32 + 1 == extents.along_axes()[axis]);
            assert_eq!(closed.values[index] > 0, expected && !is_outermost, "{place:?}");
            assert!(is_outermost || closed.values[index] == open.values[index]);
        }
    }
}
