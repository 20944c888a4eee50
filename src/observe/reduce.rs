//! Downscaling of pictures.

use super::Picture;
use murmuration_core::parallel::*;
use murmuration_core::picture::{decode, encode};
use std::sync::LazyLock;

/// The linear light of each 8-bit sRGB sample, 0 to 1.
static LIGHT: LazyLock<[f32; 256]> = LazyLock::new(|| std::array::from_fn(|sample| decode(sample as u8)));

/// Reduces a picture to a width in pixels, with the same aspect ratio. The linear light of each new pixel is the mean
/// of the linear light of the old pixels that it covers.
///
/// # Panics
/// If `width` is 0 or greater than the width of the picture.
pub fn reduced(picture: &Picture, width: u32) -> Picture {
    assert!((1..=picture.width).contains(&width), "{width} of {} pixels", picture.width);
    let height = (f64::from(picture.height) * f64::from(width) / f64::from(picture.width)).round().max(1.0) as u32;
    let (across, down) = (shares(picture.width, width), shares(picture.height, height));
    let row_of = |share: &Share| {
        let mut sums = vec![0.0; 3 * width as usize];
        for (y, weight_down) in share {
            let row = &picture.bytes[3 * *y * picture.width as usize..][..3 * picture.width as usize];
            let pixels = row.as_chunks::<3>().0;
            for (sum, share) in sums.as_chunks_mut::<3>().0.iter_mut().zip(&across) {
                for (x, weight) in share {
                    let weight = weight * weight_down;
                    for (sum, byte) in sum.iter_mut().zip(pixels[*x]) {
                        *sum += weight * LIGHT[usize::from(byte)];
                    }
                }
            }
        }
        sums.into_iter().map(|light| (255.0 * encode(light)).round() as u8).collect::<Vec<_>>()
    };
    let bytes = down.par_iter().map(row_of).collect::<Vec<_>>().concat();
    Picture { width, height, bytes }
}

/// The old pixels along one axis that a new pixel covers: their indices and their weights. The weights add up to 1.
type Share = Vec<(usize, f32)>;

/// For each of `into` new pixels along an axis: the covered pixels of `from` old pixels.
fn shares(from: u32, into: u32) -> Vec<Share> {
    let scale = f64::from(from) / f64::from(into);
    (0..into)
        .map(|pixel| {
            let [begin, end] = [pixel, pixel + 1].map(|edge| f64::from(edge) * scale);
            let covered = begin as usize..(end.ceil() as usize).min(from as usize);
            let part = |place: usize| (end.min(place as f64 + 1.0) - begin.max(place as f64)) / scale;
            covered.map(|place| (place, part(place) as f32)).filter(|(_, part)| *part > 0.0).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_that_of_the_light() {
        let picture = Picture { width: 4, height: 2, bytes: [[0; 3], [255; 3]].concat().repeat(4) };
        let half = reduced(&picture, 2);
        assert_eq!((half.width, half.height), (2, 1));
        // Half of the light of white is 188 of 255 in sRGB.
        assert_eq!(half.bytes, [188; 6]);
        assert_eq!(reduced(&picture, 4), picture);
        let third = reduced(&Picture { width: 3, height: 1, bytes: [[255; 3], [0; 3], [0; 3]].concat() }, 2);
        assert_eq!((third.width, third.height), (2, 1));
        // The first new pixel has two thirds of the light of white, the second has none.
        assert_eq!(third.bytes, [213, 213, 213, 0, 0, 0]);
    }
}
