//! Light and rock in the water around a terrain, for pictures, in texels of [`TEXEL`]³ cells. Light enters in patches
//! at the upper end of the world. It goes down at an angle, so that there are shafts of light between the rocks.

use super::mesh::{self, Chunk, NORMAL_ONE, Vertex};
use crate::numbers::each_axis;
use crate::parallel::*;
use crate::world::ScalarField;

/// The side of a texel, a cube of cells, in cells.
pub const TEXEL: usize = 2;
/// The shift of the light along x and y for each texel that it goes down, in texels.
pub const LEAN: [f32; 2] = [0.35, 0.22];
/// The part of the light that remains from one layer of texels to the layer below.
const STAYS: f32 = 0.985;
/// The part of the remaining light that comes from the four neighbouring texels.
const SPREADS: f32 = 0.02;
/// The size of the patches of light, in texels.
const PATCH: f64 = 4.5;
/// The distance from the surface of rock at which [`Water::light`] is sampled, in cells.
const LIT_AT: f32 = 1.2;
/// The distance from the surface of rock at which [`Water::near`] is sampled, in cells.
const NEAR: f32 = 1.6;
/// The distance from the surface of rock at which [`Water::far`] is sampled, in cells.
const FAR: f32 = 5.0;
/// The maximum difference of light, or of the part of rock, that is not visible.
const UNSEEN: f32 = 0.01;

/// The light and the rock in each texel of a world.
#[derive(Debug, Clone, PartialEq)]
pub struct Water {
    /// The number of texels along each axis.
    pub size: [usize; 3],
    /// The light in each texel, 0 to about 1, x fastest.
    pub light: Vec<f32>,
    /// The part of each texel that is rock, 0 to 1, x fastest.
    pub rock: Vec<f32>,
    /// `rock`, blurred over a few cells.
    near: Vec<f32>,
    /// `rock`, blurred over several more cells.
    far: Vec<f32>,
}

/// The shade of a vertex of the surface of rock.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shade {
    /// The openness of the surroundings, 0 to 1; lower if more rock is near.
    pub open: f32,
    /// The light that arrives from above, 0 to about 1.
    pub light: f32,
}

impl Water {
    /// Computes the light and the rock from a scalar field. `origin`: the first voxel of the field in the world, in
    /// cells. With it, the patches of light stay at their places when the window of an endless world moves.
    pub fn new(field: &ScalarField, origin: [i64; 3]) -> Self {
        let size = field.extents.along_axes().map(|extent| (extent as usize).div_ceil(TEXEL));
        let rock = rock(field, size);
        let near = blurred(&blurred(&rock, size, 1), size, 1);
        let far = blurred(&blurred(&near, size, 3), size, 3);
        let first = [origin[0], origin[1]].map(|along| along.div_euclid(TEXEL as i64));
        Self { light: light(&rock, size, first), size, rock, near, far }
    }

    /// Whether a surface within a box has the same shades in this water and in `other`, except for invisible
    /// differences. The box has `cells` cells along each axis. It begins at the cell `first` in this water, and at
    /// `other_first` in the other. The two beginnings must differ by whole texels.
    pub fn is_alike(&self, first: [i32; 3], other: &Self, other_first: [i32; 3], cells: [i32; 3]) -> bool {
        let margin = FAR.ceil() as i32 + TEXEL as i32;
        let texel = |cell: i32| cell.div_euclid(TEXEL as i32);
        let along = |axis: usize| texel(first[axis] - margin)..=texel(first[axis] + cells[axis] + margin);
        let by = each_axis(|axis| texel(other_first[axis]) - texel(first[axis]));
        let index = |size: [usize; 3], [x, y, z]: [i32; 3]| {
            let held = |along: i32, size: usize| along.clamp(0, size as i32 - 1) as usize;
            (held(z, size[2]) * size[1] + held(y, size[1])) * size[0] + held(x, size[0])
        };
        along(2).all(|z| {
            along(1).all(|y| {
                along(0).all(|x| {
                    let (own, its) =
                        (index(self.size, [x, y, z]), index(other.size, [x + by[0], y + by[1], z + by[2]]));
                    [(&self.light, &other.light), (&self.near, &other.near), (&self.far, &other.far)]
                        .iter()
                        .all(|(one, two)| (one[own] - two[its]).abs() <= UNSEEN)
                })
            })
        })
    }

    /// The shade of a vertex of the surface.
    pub fn shade(&self, chunk: &Chunk, vertex: &Vertex) -> Shade {
        let place = chunk.place(vertex).map(|along| along as f32 / mesh::PARTS as f32);
        let normal = vertex.normal.map(|along| f32::from(along) / f32::from(NORMAL_ONE));
        let at = |values: &[f32], away: f32| {
            let place = each_axis(|axis| place[axis] + away * normal[axis]);
            sampled(values, self.size, place.map(|along| along / TEXEL as f32 - 0.5))
        };
        // Next to a flat wall, about 1/5 of the near surroundings is rock.
        let open = |crowd: f32, most: f32| 1.0 - most * ((crowd - 0.12) / 0.6).clamp(0.0, 1.0);
        let open = open(at(&self.near, NEAR), 0.75) * open(at(&self.far, FAR), 0.7);
        Shade { open, light: at(&self.light, LIT_AT) }
    }
}

/// The part of each texel that is rock, 0 to 1. `size`: the number of texels along each axis.
fn rock(field: &ScalarField, size: [usize; 3]) -> Vec<f32> {
    let extents = field.extents.along_axes().map(|extent| extent as usize);
    let mut rock = vec![0.0; size.iter().product()];
    rock.par_chunks_mut(size[0]).enumerate().for_each(|(row, texels)| {
        let from = [TEXEL * (row % size[1]), TEXEL * (row / size[1])];
        let to = [0, 1].map(|axis| (from[axis] + TEXEL).min(extents[axis + 1]));
        for (x, texel) in texels.iter_mut().enumerate() {
            let (first, last) = (TEXEL * x, (TEXEL * x + TEXEL).min(extents[0]));
            let (mut rocks, mut cells) = (0, 0);
            for z in from[1]..to[1] {
                for y in from[0]..to[0] {
                    let row = (z * extents[1] + y) * extents[0];
                    rocks += field.values[row + first..row + last].iter().filter(|value| **value > 0).count();
                    cells += last - first;
                }
            }
            *texel = rocks as f32 / cells as f32;
        }
    });
    rock
}

/// Computes the light in each texel, from the uppermost layer down. `first`: the place of the first texel in the world,
/// along x and y, in texels.
fn light(rock: &[f32], size: [usize; 3], first: [i64; 2]) -> Vec<f32> {
    let [wide, high, deep] = size;
    let plane = wide * high;
    let mut light = vec![0.0; rock.len()];
    for z in (0..deep).rev() {
        let (below, above) = light.split_at_mut((z + 1) * plane);
        let above = (z + 1 < deep).then(|| &above[..plane]);
        let layer = &mut below[z * plane..];
        layer.par_chunks_mut(wide).enumerate().for_each(|(y, row)| {
            for (x, texel) in row.iter_mut().enumerate() {
                let arrives = match above {
                    None => patch([x, y], first),
                    Some(above) => {
                        let at = |dx: f32, dy: f32| {
                            let place = [x as f32 - LEAN[0] + dx, y as f32 - LEAN[1] + dy, 0.0];
                            sampled(above, [wide, high, 1], place)
                        };
                        let beside = 0.25 * (at(1.0, 0.0) + at(-1.0, 0.0) + at(0.0, 1.0) + at(0.0, -1.0));
                        STAYS * ((1.0 - SPREADS) * at(0.0, 0.0) + SPREADS * beside)
                    }
                };
                let passes = 1.0 - rock[z * plane + y * wide + x];
                *texel = arrives * passes * passes;
            }
        });
    }
    light
}

/// The light that enters a texel of the uppermost layer: bright patches between dim patches, from two octaves of value
/// noise. Places are `f64`, because a large `f32` cannot represent fractions of a texel.
fn patch(texel: [usize; 2], first: [i64; 2]) -> f32 {
    let [x, y] = [0, 1].map(|axis| (first[axis] + texel[axis] as i64) as f64 / PATCH);
    let noise = 0.65 * noise(x, y) + 0.35 * noise(2.3 * x + 17.0, 2.3 * y + 5.0);
    let t = ((noise - 0.42) / 0.26).clamp(0.0, 1.0);
    0.28 + 0.9 * t * t * (3.0 - 2.0 * t)
}

/// Value noise in the plane, 0 to 1, with a lattice of side 1.
fn noise(x: f64, y: f64) -> f32 {
    let (column, row) = (x.floor(), y.floor());
    let smooth = |t: f64| (t * t * (3.0 - 2.0 * t)) as f32;
    let (u, v) = (smooth(x - column), smooth(y - row));
    let [column, row] = [column, row].map(|along| along as i64 as u32);
    let value = |right: u32, down: u32| {
        let mut word =
            column.wrapping_add(right).wrapping_mul(0x9e37_79b9) ^ row.wrapping_add(down).wrapping_mul(0x85eb_ca6b);
        word = (word ^ word >> 15).wrapping_mul(0x2c1b_3c6d);
        word = (word ^ word >> 12).wrapping_mul(0x297a_2d39);
        (word >> 8) as f32 / (1 << 24) as f32
    };
    let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
    mix(mix(value(0, 0), value(1, 0), u), mix(value(0, 1), value(1, 1), u), v)
}

/// The mean of each texel's surroundings, `2 · reach + 1` texels along each axis. Texels beyond an edge have the value
/// at the edge.
fn blurred(values: &[f32], size: [usize; 3], reach: usize) -> Vec<f32> {
    let strides = [1, size[0], size[0] * size[1]];
    let mut values = values.to_vec();
    for axis in 0..3 {
        let last = size[axis] as isize - 1;
        let from = values.clone();
        let part = 1.0 / (2 * reach + 1) as f32;
        values.par_chunks_mut(size[0]).enumerate().for_each(|(row, texels)| {
            for (x, texel) in texels.iter_mut().enumerate() {
                let at = row * size[0] + x;
                let along = (at / strides[axis] % size[axis]) as isize;
                let first = at - along as usize * strides[axis];
                let around = along - reach as isize..=along + reach as isize;
                let sum: f32 = around.map(|along| from[first + along.clamp(0, last) as usize * strides[axis]]).sum();
                *texel = sum * part;
            }
        });
    }
    values
}

/// The interpolated value at a place, in texels from the middle of the first texel. Places beyond an edge have the
/// value at the edge.
fn sampled(values: &[f32], size: [usize; 3], place: [f32; 3]) -> f32 {
    let mut sum = 0.0;
    let along: [_; 3] = std::array::from_fn(|axis| {
        let place = place[axis].clamp(0.0, (size[axis] - 1) as f32);
        let low = place as usize;
        (low, (low + 1).min(size[axis] - 1), place - low as f32)
    });
    for corner in 0..8 {
        let (mut index, mut part) = (0, 1.0);
        for axis in [2, 1, 0] {
            let (low, high, share) = along[axis];
            let is_high = corner >> axis & 1 == 1;
            index = index * size[axis] + if is_high { high } else { low };
            part *= if is_high { share } else { 1.0 - share };
        }
        sum += part * values[index];
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::mesh::surface;
    use super::*;
    use crate::world::Extents;

    /// A floor and a table on a pillar. `top`: the height of the table, in cells.
    fn table(top: i32) -> ScalarField {
        let extents = Extents::deep(48, 48, 40);
        let value = |index| {
            let [x, y, z] = extents.cell(index);
            let is_table = (12..36).contains(&x) && (12..36).contains(&y) && (top - 3..top).contains(&z);
            let is_pillar = (22..26).contains(&x) && (22..26).contains(&y) && z < top;
            if z < 4 || is_table || is_pillar { 100 } else { -100 }
        };
        ScalarField { extents, values: (0..extents.cells()).map(value).collect() }
    }

    #[test]
    fn under_a_table_it_is_darker_and_less_open_than_on_it() {
        let field = table(20);
        let water = Water::new(&field, [0; 3]);
        assert_eq!(water.size, [24, 24, 20]);
        let (mut above, mut below) = (Vec::new(), Vec::new());
        for chunk in surface(&field) {
            for vertex in &chunk.vertices {
                let [x, y, z] = chunk.place(vertex).map(|along| along / mesh::PARTS);
                let is_inside = (16..32).contains(&x) && (16..32).contains(&y) && !(20..28).contains(&x);
                match z {
                    19..=20 if is_inside => above.push(water.shade(&chunk, vertex)),
                    3..=4 if is_inside => below.push(water.shade(&chunk, vertex)),
                    _ => {}
                }
            }
        }
        let mean = |shades: &[Shade], of: fn(&Shade) -> f32| shades.iter().map(of).sum::<f32>() / shades.len() as f32;
        let [lit, dark] = [&above, &below].map(|shades| mean(shades, |shade| shade.light));
        let [free, covered] = [&above, &below].map(|shades| mean(shades, |shade| shade.open));
        assert!(lit > 0.2 && dark < 0.4 * lit, "{lit} and {dark}");
        assert!(free > 0.6 && covered < 0.9 * free, "{free} and {covered}");
    }

    /// If a window moves and its origin is given, the light stays at its place in the world, except at the rim. Without
    /// the origin, the light differs.
    #[test]
    fn light_stays_at_its_place_in_the_world() {
        let far = -(1 << 39) - 64;
        let at = |origin: i64| {
            let extents = Extents::deep(160, 64, 32);
            let value = |index| {
                let [x, y, z] = extents.cell(index);
                let x = origin - far + i64::from(x);
                if z < 6 || x % 40 < 5 && y % 30 < 5 && z < 20 { 100 } else { -100 }
            };
            let field = ScalarField { extents, values: (0..extents.cells()).map(value).collect() };
            Water::new(&field, [origin, 6, 0])
        };
        let (here, there) = (at(far), at(far + 32));
        let cells = [32, 20, 24];
        assert!(here.is_alike([80, 22, 0], &there, [48, 22, 0], cells));
        assert!(!here.is_alike([80, 22, 0], &there, [80, 22, 0], cells), "the light goes along with the window");
        assert!(!here.is_alike([0, 22, 0], &there, [-32, 22, 0], cells), "beyond the rim it is unknown");
        let texel = |water: &Water, x: usize| water.light[((15 * 32) + 16) * 80 + x];
        assert!((0..64).all(|x| texel(&here, x + 16) == texel(&there, x)));
        assert!((1..64).any(|x| texel(&here, x) != texel(&here, 0)), "there are no patches far out");
    }

    #[test]
    fn the_number_of_threads_does_not_change_a_bit() {
        let field = table(31);
        let with = |threads| {
            let pool = ThreadPool::new(Some(threads), "water").unwrap();
            pool.install(|| Water::new(&field, [0; 3]))
        };
        let one = with(1);
        assert!(one == with(2) && one == with(3));
    }
}
