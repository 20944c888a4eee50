//! The rock of a world whose surface is to be made, and the fields from which the surface of each chunk is made. A
//! chunk whose fields are equal in an earlier terrain is not made again.

use super::chunks::ChunkPlace;
use murmuration_core::picture::{WATER_TEXEL, Water};
use murmuration_core::terrain::mesh::CHUNK;
use murmuration_core::world::ScalarField;
use std::ops::Range;
use std::sync::Arc;

/// The maximum light that a texel or a vertex can store. The light in water is from 0 to about 1.
pub const MAX_LIGHT: f32 = 2.0;

/// The rock of a world whose surface is to be made.
#[derive(Debug, Clone)]
pub struct Site {
    pub field: Arc<ScalarField>,
    /// For each cell of the world, whether the cell is solid. The flags override the rock in `field` (see
    /// [`ScalarField::with_solids`]).
    pub solids: Arc<Vec<bool>>,
    /// The first voxel of the world, counted in cells from place 0 of an endless world.
    pub origin: [i64; 3],
}

/// The fields from which the surface of each chunk of a site is made.
pub struct SiteFields {
    field: Arc<ScalarField>,
    water: Water,
    origin: [i64; 3],
    /// The light and the part of rock of each texel of the water, packed by [`word`].
    pub words: Vec<u32>,
}

impl SiteFields {
    pub fn new(Site { field, solids, origin }: &Site) -> Self {
        let field = field.with_solids(solids).map_or_else(|| field.clone(), Arc::new);
        let water = Water::new(&field, *origin);
        let width = (field.extents.width as usize).div_ceil(WATER_TEXEL);
        Self { words: words(&water.light, &water.rock, width), field, water, origin: *origin }
    }

    pub fn field(&self) -> &ScalarField {
        &self.field
    }

    pub fn water(&self) -> &Water {
        &self.water
    }

    /// The first voxel of a chunk, counted from the first voxel of the field.
    pub fn first(&self, place: ChunkPlace) -> [i32; 3] {
        [0, 1, 2].map(|axis| (place[axis] - self.origin[axis]) as i32)
    }

    /// The range of samples along each axis of the field from which the surface of a chunk is made.
    fn samples(&self, place: ChunkPlace) -> [Range<i64>; 3] {
        let extents = self.field.extents.along_axes();
        [0, 1, 2].map(|axis| {
            // The slope at a sample is the difference of the two samples beside it, so the range has one more sample at
            // each end.
            let (first, extent) = (place[axis] - self.origin[axis] - 1, i64::from(extents[axis]));
            first.clamp(0, extent)..(first + i64::from(CHUNK) + 3).clamp(0, extent)
        })
    }

    /// Whether the surface within a chunk, and the light there, are equal in the fields of another site.
    pub fn has_chunk_of(&self, other: &Self, place: ChunkPlace) -> bool {
        let (own, its) = (self.samples(place), other.samples(place));
        let by = [0, 1, 2].map(|axis| self.origin[axis] - other.origin[axis]);
        let is_same_box = (0..3)
            .all(|axis| own[axis].start + by[axis] == its[axis].start && own[axis].end + by[axis] == its[axis].end);
        let row = |fields: &Self, [x, y, z]: [i64; 3]| {
            let [width, height, _] = fields.field.extents.along_axes().map(i64::from);
            ((z * height + y) * width + x) as usize
        };
        let length = own[0].clone().count();
        let is_same_row = |y: i64, z: i64| {
            let (at, there) =
                (row(self, [own[0].start, y, z]), row(other, [own[0].start + by[0], y + by[1], z + by[2]]));
            self.field.values[at..at + length] == other.field.values[there..there + length]
        };
        is_same_box
            && own[2].clone().all(|z| own[1].clone().all(|y| is_same_row(y, z)))
            && self.water.is_alike(self.first(place), &other.water, other.first(place), [CHUNK; 3])
    }
}

/// The words of all texels of the water (see [`word`]). `light` and `rock`: a value of each texel. `width`: the number
/// of texels of a row.
fn words(light: &[f32], rock: &[f32], width: usize) -> Vec<u32> {
    let (light, rock) = (light.chunks_exact(width), rock.chunks_exact(width));
    let row = |(light, rock): (&[f32], &[f32])| {
        let halves: Vec<u32> = light.iter().zip(rock).map(|(light, rock)| half_of_texel(*light, *rock)).collect();
        let next = |x: usize| halves[(x + 1).min(width - 1)];
        (0..width).map(|x| word(halves[x], next(x))).collect::<Vec<_>>()
    };
    light.zip(rock).flat_map(row).collect()
}

/// The word of a texel of water. Its low half has the light and rock of the texel (see [`half_of_texel`]). Its high
/// half has the light and rock of the next texel along x. The last texel along x has its own values twice. So
/// interpolation between two texels reads one word.
pub fn word(own: u32, next: u32) -> u32 {
    own | next << 16
}

/// Half of the word of a texel. The low 10 bits have the light, from 0 to [`MAX_LIGHT`]. The 6 bits above have the part
/// of rock, from 0 to 1.
pub fn half_of_texel(light: f32, rock: f32) -> u32 {
    let part = |part: f32, most: f32| (part.clamp(0.0, 1.0) * most).round() as u32;
    part(light / MAX_LIGHT, 1023.0) | part(rock, 63.0) << 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_has_its_texel_and_the_next_one() {
        let (light, rock) = ([0.0, 2.0, 9.0, 1.0], [0.0, 1.0, 0.5, -1.0]);
        let halves: Vec<u32> = light.iter().zip(&rock).map(|(light, rock)| half_of_texel(*light, *rock)).collect();
        assert_eq!(halves, [0, 1023 | 63 << 10, 1023 | 32 << 10, 512]);
        let [a, b, c, d] = [0, 1, 2, 3].map(|index| halves[index]);
        assert_eq!(words(&light, &rock, 4), [word(a, b), word(b, c), word(c, d), word(d, d)]);
        assert_eq!(words(&light, &rock, 2), [word(a, b), word(b, b), word(c, d), word(d, d)]);
        assert_eq!(words(&light, &rock, 1), [word(a, a), word(b, b), word(c, c), word(d, d)]);
    }
}
