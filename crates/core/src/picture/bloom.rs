//! Bloom: halos around bright places.

use super::layers::{Layers, Upsampler};
use crate::parallel::*;
use crate::world::Edges;

/// The side of a sample of the smallest halo, in pixels of the picture.
pub const BLOCK: usize = 4;
/// The weights of the sizes of halos, the smallest first. Each size is twice the size before it. The sum is 1.
pub const HALOS: [f32; 6] = [0.20, 0.24, 0.22, 0.16, 0.10, 0.08];
/// Factors on red, green and blue from one size of halo to the next. The largest halos are blue, as in air, so that the
/// mixed colours of a swarm do not look brown at night.
pub const AIR: [f32; 3] = [0.87, 1.0, 1.12];

/// The weighted mean of halos of all sizes. `light`: red, green and blue, with one sample for every `BLOCK` × `BLOCK`
/// pixels of the picture. The halo of constant light is that light, apart from [`AIR`].
pub fn halo(light: Layers<3>, edges: Edges) -> Layers<3> {
    let mut sizes = vec![light];
    while sizes.len() < HALOS.len() {
        sizes.push(sizes[sizes.len() - 1].halved(edges));
    }
    let widest = &sizes[sizes.len() - 1];
    // There is no halo beyond the widest one, so the sum begins with zeros.
    let mut sum = Layers::zero(widest.width.div_ceil(2), widest.height.div_ceil(2));
    for (mut size, halo) in sizes.into_iter().zip(HALOS).rev() {
        let wider = Upsampler::new(&sum, 2, edges);
        let width = size.width;
        size.values.par_chunks_mut(3 * width).enumerate().for_each_init(
            || (Vec::new(), vec![0.0; 3 * width]),
            |(blended, around), (y, row)| {
                wider.row(y, blended, around);
                let layers = row.chunks_exact_mut(width).zip(around.chunks_exact(width));
                for ((layer, around), air) in layers.zip(AIR) {
                    for (value, around) in layer.iter_mut().zip(around) {
                        *value = *value * halo + around * air;
                    }
                }
            },
        );
        sum = size;
    }
    sum
}

/// The means of red, green and blue over each block of `BLOCK` × `BLOCK` pixels.
pub fn coarse(light: &Layers<3>) -> Layers<3> {
    let mut coarse = Layers::zero(light.width.div_ceil(BLOCK), light.height.div_ceil(BLOCK));
    let across = coarse.width;
    coarse.values.par_chunks_mut(3 * across).enumerate().for_each(|(strip, means)| {
        let rows = strip * BLOCK..((strip + 1) * BLOCK).min(light.height);
        for y in rows.clone() {
            for (means, layer) in means.chunks_exact_mut(across).zip(light.row(y)) {
                for (mean, pixels) in means.iter_mut().zip(layer.chunks(BLOCK)) {
                    *mean += pixels.iter().sum::<f32>() * (1.0 / (rows.len() * pixels.len()) as f32);
                }
            }
        }
    });
    coarse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_halo_falls_off_around_a_light_and_wraps_on_a_torus() {
        let mut light = Layers::zero(64, 48);
        light.values[3 * 64 * 5 + 64 + 2] = 1.0; // green at (2, 5)
        let halo = halo(light, Edges::Torus);
        let green = |x: usize, y: usize| halo.row(y)[1][x];
        assert!(green(2, 5) > green(6, 5) && green(6, 5) > green(14, 5) && green(14, 5) > green(34, 5));
        assert!(green(34, 5) > 0.0, "the widest halo reaches far");
        assert!(green(62, 5) > green(14, 5), "the short way is across the edge");
        assert_eq!(halo.row(5)[0][2], 0.0, "green light has no red halo");
    }

    #[test]
    fn even_light_has_an_even_halo_as_bright_as_itself() {
        for (width, height) in [(64, 64), (7, 3), (1, 1), (512, 1)] {
            let halo = halo(Layers { width, height, values: vec![1.0; 3 * width * height] }, Edges::Walls);
            for y in 0..height {
                for green in halo.row(y)[1] {
                    assert!((green - 1.0).abs() < 1e-5, "{width}x{height}: {green}");
                }
            }
        }
    }
}
