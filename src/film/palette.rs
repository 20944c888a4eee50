//! A palette for a whole film. With one palette per frame, parts of the picture that do not move would change their
//! colour and flicker.

use crate::observe::{Picture, dither};
use murmuration_core::parallel::*;

/// The number of colours of a palette. The last of the 256 entries of a GIF palette is for pixels that do not change.
pub const COLOURS: usize = 255;
/// The number of bits of red, of green and of blue that define the class of a colour.
const BITS: u32 = 7;
/// The maximum weight of a colour class in the choice of the palette.
const MAX_WEIGHT: f64 = 400.0;
/// The approximate number of samples from which the palette is chosen.
const SAMPLES: f64 = 400_000.0;
/// The number of rounds of k-means. Each round moves every colour of the palette to the weighted mean of the classes
/// nearest to it.
const ROUNDS: usize = 6;

/// The number of pixels of each class of nearly equal colours in a film.
pub struct ColourHistogram(Vec<u32>);

/// The class of a colour: all colours with the same upper `BITS` bits of each channel.
fn class_of([red, green, blue]: [u8; 3]) -> usize {
    [red, green, blue].iter().fold(0, |class, channel| class << BITS | (channel >> (8 - BITS)) as usize)
}

/// The colour in the middle of a class.
fn colour_of(class: usize) -> [f32; 3] {
    [2, 1, 0].map(|channel| {
        let part = class >> (channel * BITS) & ((1 << BITS) - 1);
        (part << (8 - BITS)) as f32 + 0.5 * ((1 << (8 - BITS)) - 1) as f32
    })
}

impl ColourHistogram {
    pub fn new() -> Self {
        Self(vec![0; 1 << (3 * BITS)])
    }

    pub fn count(&mut self, picture: &Picture) {
        for pixel in picture.bytes.as_chunks::<3>().0 {
            let count = &mut self.0[class_of(*pixel)];
            *count = count.saturating_add(1);
        }
    }

    /// Chooses the colours of the palette, and for every colour class the two entries that show the class.
    pub fn palette(self) -> Palette {
        // Square roots and a limit prevent frequent colours from taking all entries.
        let weight = |count: u32| f64::from(count).sqrt().min(MAX_WEIGHT);
        let counted = self.0.iter().enumerate().filter(|(_, count)| **count > 0);
        let classes: Vec<_> = counted.map(|(class, count)| (class, colour_of(class), weight(*count))).collect();
        let scale = (SAMPLES / classes.iter().map(|(.., weight)| weight).sum::<f64>()).min(1.0);
        let mut samples = Vec::new();
        for (_, colour, weight) in &classes {
            let [red, green, blue] = colour.map(|channel| channel as u8);
            samples.extend([red, green, blue, 255].repeat((weight * scale).ceil() as usize));
        }
        // NeuQuant is a neural network. It finds rare colours that k-means alone would miss. `image` depends on this
        // crate anyway.
        let chosen = color_quant::NeuQuant::new(1, COLOURS, &samples).color_map_rgb();
        let mut colours: Vec<[f32; 3]> = chosen.as_chunks::<3>().0.iter().map(|colour| colour.map(f32::from)).collect();
        for _ in 0..ROUNDS {
            let nearest: Vec<usize> = classes.par_iter().map(|(_, colour, _)| nearest(&colours, *colour)).collect();
            let mut sums = vec![[0.0; 4]; colours.len()];
            for ((_, [red, green, blue], weight), nearest) in classes.iter().zip(nearest) {
                for (sum, part) in sums[nearest].iter_mut().zip([*red, *green, *blue, 1.0]) {
                    *sum += weight * f64::from(part);
                }
            }
            for (colour, [red, green, blue, weight]) in colours.iter_mut().zip(sums) {
                if weight > 0.0 {
                    *colour = [red, green, blue].map(|sum| (sum / weight) as f32);
                }
            }
        }
        let bytes: Vec<[u8; 3]> = colours.iter().map(|colour| colour.map(|channel| channel.round() as u8)).collect();
        let colours: Vec<[f32; 3]> = bytes.iter().map(|colour| colour.map(f32::from)).collect();
        let found: Vec<Blend> = classes.par_iter().map(|(_, colour, _)| Blend::of(&colours, *colour)).collect();
        let mut blends = vec![Blend::default(); self.0.len()];
        classes.iter().zip(found).for_each(|((class, ..), blend)| blends[*class] = blend);
        Palette { colours: bytes, blends }
    }
}

/// The two palette entries that show a colour class. Some pixels get the entry `other`, all other pixels the entry
/// `most`.
#[derive(Debug, Clone, Copy, Default)]
struct Blend {
    most: u8,
    other: u8,
    /// The part of the class's pixels that get the entry `other`, in 1/256: at most 128.
    part: u8,
}

impl Blend {
    fn of(colours: &[[f32; 3]], colour: [f32; 3]) -> Self {
        let most = nearest(colours, colour);
        let short: [f32; 3] = std::array::from_fn(|channel| colour[channel] - colours[most][channel]);
        let beyond = std::array::from_fn(|channel| colour[channel] + short[channel]);
        let other = nearest(colours, beyond);
        let way: [f32; 3] = std::array::from_fn(|channel| colours[other][channel] - colours[most][channel]);
        let dot =
            |a: [f32; 3], b: [f32; 3]| (0..3).map(|channel| WEIGHTS[channel] * a[channel] * b[channel]).sum::<f32>();
        let part = if other == most { 0.0 } else { dot(short, way) / dot(way, way) };
        Self { most: most as u8, other: other as u8, part: (256.0 * part.clamp(0.0, 0.5)) as u8 }
    }
}

/// The weights of red, green and blue in the distance of two colours.
const WEIGHTS: [f32; 3] = [2.0, 4.0, 3.0];

fn nearest(colours: &[[f32; 3]], [red, green, blue]: [f32; 3]) -> usize {
    let mut best = (f32::INFINITY, 0);
    for (index, colour) in colours.iter().enumerate() {
        let [r, g, b] = [red - colour[0], green - colour[1], blue - colour[2]];
        let away = WEIGHTS[0] * r * r + WEIGHTS[1] * g * g + WEIGHTS[2] * b * b;
        if away < best.0 {
            best = (away, index);
        }
    }
    best.1
}

/// A palette of at most 255 colours. For each colour class it tells the two entries that are mixed.
pub struct Palette {
    pub colours: Vec<[u8; 3]>,
    /// The mixed entries of each colour class, by the index of the class.
    blends: Vec<Blend>,
}

impl Palette {
    /// The palette entry of each pixel of a picture that [`ColourHistogram::count`] has counted. `bytes`: the RGB
    /// bytes. `width`: in pixels. Colours between two entries are dithered by a fixed pattern.
    pub fn entries(&self, bytes: &[u8], width: usize) -> Vec<u8> {
        let mut entries = vec![0; bytes.len() / 3];
        let rows = entries.par_chunks_mut(width).zip(bytes.par_chunks(3 * width));
        rows.enumerate().for_each(|(y, (entries, row))| {
            for (x, (entry, pixel)) in entries.iter_mut().zip(row.as_chunks::<3>().0).enumerate() {
                let blend = self.blends[class_of(*pixel)];
                let is_other = dither(x as u32, y as u32) * 256.0 < f32::from(blend.part);
                *entry = if is_other { blend.other } else { blend.most };
            }
        });
        entries
    }
}
