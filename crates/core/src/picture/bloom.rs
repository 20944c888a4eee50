//! The soft light around bright places.

use super::layers::{Enlarged, Layers};
use crate::world::Edges;
use crate::parallel::*;

/// Points of the picture along each side of a place of the finest halo.
pub const BLOCK: usize = 4;
/// What each size of halo adds, the smallest first: each is twice as wide as the one before it. Together they are 1.
pub const HALOS: [f32; 6] = [0.20, 0.24, 0.22, 0.16, 0.10, 0.08];
/// What is left of red, green and blue from one size of halo to the next: as in air, blue reaches farthest, which
/// keeps the night blue where the colours of a whole swarm would mix to brown.
pub const AIR: [f32; 3] = [0.87, 1.0, 1.12];

/// The mean of halos of many sizes around `light`, which has one place for every `BLOCK` × `BLOCK` points of the
/// picture. Evenly lit all over, light and halo are the same, but for [`AIR`].
pub fn halo(light: Layers<3>, edges: Edges) -> Layers<3> {
    let mut sizes = vec![light];
    while sizes.len() < HALOS.len() {
        sizes.push(sizes[sizes.len() - 1].halved(edges));
    }
    let widest = &sizes[sizes.len() - 1];
    // Nothing lies around the widest halo.
    let mut sum = Layers::zero(widest.width.div_ceil(2), widest.height.div_ceil(2));
    for (mut size, halo) in sizes.into_iter().zip(HALOS).rev() {
        let wider = Enlarged::new(&sum, 2, edges);
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
