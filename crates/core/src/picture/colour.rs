//! The colours of a picture: the light of a density with a heading, tone mapping, and the sRGB encoding.

use crate::lives::{HAPPIEST, perishing};
use crate::look::{Colouring, Look, colour_vector};
use crate::numbers::ONE;
use crate::world::MAX_SPECIES;
use std::borrow::Cow;
use std::f32::consts::TAU;
use std::sync::LazyLock;

/// The light of a cell at the density `look.exposure`. [`tone`] maps it to half brightness.
pub const HALF: f32 = 0.228;
/// The greatest light of a cell, as a multiple of [`HALF`].
pub const GLARE: f32 = 40.0;
/// The upper bound of a density as a multiple of `look.exposure`, far above [`GLARE`]. It keeps light finite.
const MAX_EXPOSURES: f32 = 1e6;
/// The chroma of a fast and thin swarm in OKLab, at lightness 1.
pub const CHROMA: f32 = 0.29;
/// The factor by which yellow is made lighter than blue. Blue looks brighter than OKLab says (Helmholtz-Kohlrausch
/// effect).
pub const VIVID: f32 = 0.3;
/// The speed, in cells per step, at which a boid has half of the full chroma.
pub const PALE_SPEED: f32 = 0.07;
/// The density, as a multiple of `look.exposure`, at which a crowd keeps half of its chroma.
pub const CROWD: f32 = 4.0;

/// The colour of the most depressed mood in OKLab: blue.
const DEPRESSED: [f32; 3] = [0.80, -0.040, -0.245];
/// The colour of the neutral mood in OKLab: a pinkish white.
const NEUTRAL: [f32; 3] = [0.97, 0.042, 0.002];
/// The colour of the happiest mood in OKLab: orange.
const HAPPY: [f32; 3] = [0.92, 0.165, 0.170];

/// The light of a swarm for one [`Look`].
pub struct Radiance {
    exposures_per_boid: f32,
    turn: [f32; 2],
    colouring: Colouring,
    palette: Palette,
    /// 1 / the steps in which an individual of each species perishes.
    per_perishing: [f32; MAX_SPECIES],
}

impl Radiance {
    pub fn new(look: &Look) -> Self {
        let angle = TAU * look.hue;
        let turn = [angle.cos(), angle.sin()];
        let per_perishing = per_perishing(look);
        let palette = palette(look);
        Self { exposures_per_boid: exposures_per_boid(look), turn, colouring: look.colour, palette, per_perishing }
    }

    /// Replaces a row of density (boids per cell) and momentum (boids × cells per step, x and y) by its light in linear
    /// red, green and blue.
    ///
    /// Coloured by heading, the heading turned by `look.hue` is the direction of (a, b) in OKLab, a space in which
    /// equal steps of hue look equally large. Without a turn, right is pink, down is yellow, left is green and up is
    /// blue. Slow boids and crowds have less chroma.
    ///
    /// Coloured by speed or density, the colour is taken from a [`palette`], and is also paler in a crowd. A lattice
    /// has neither moods nor species: its colour is neutral, or the colour of its heading.
    pub fn shine(&self, row: [&mut [f32]; 3]) {
        match self.colouring {
            Colouring::Heading | Colouring::Species => self.shine_by_heading(row),
            Colouring::Speed => self.shine_by(row, |speed, _| speed),
            Colouring::Density => self.shine_by(row, |_, exposures| exposures / (1.0 + exposures)),
            Colouring::Mood => self.shine_by(row, |_, _| 0.5),
        }
    }

    /// The colour of a single boid at a density (exposures) and with a velocity (cells a step), in linear red, green
    /// and blue. A crowd does not make a single boid pale, unless the colour shows the density.
    pub fn of_boid(&self, exposures: f32, [x, y]: [f32; 2]) -> [f32; 3] {
        let shown = if self.colouring == Colouring::Density { exposures } else { exposures.min(1.0) }.max(1e-6);
        let boids = shown / self.exposures_per_boid;
        let mut row = [[boids], [boids * x], [boids * y]];
        self.shine(row.each_mut().map(|layer| layer.as_mut_slice()));
        row.map(|[channel]| channel / light_of(shown))
    }

    /// The colour of an individual in a column of `boids` boids. It fades while the individual perishes. `drawn_word`:
    /// see [`drawn_word`](crate::lives::drawn_word).
    pub fn of_individual(&self, boids: f32, velocity: [f32; 2], drawn_word: u32) -> [f32; 3] {
        let species = drawn_word as usize & (MAX_SPECIES - 1);
        let colour = match self.colouring {
            Colouring::Mood => {
                let mood = (drawn_word as i16) as f32 * (1.0 / HAPPIEST as f32);
                between(&self.palette, (0.5 + 0.5 * mood).clamp(0.0, 1.0))
            }
            Colouring::Species => self.of_species(drawn_word),
            _ => self.of_boid(boids.max(1.0) * self.exposures_per_boid, velocity),
        };
        let left = perishing(drawn_word as i32) as f32;
        let presence = if left > 0.0 { (left * self.per_perishing[species]).min(1.0) } else { 1.0 };
        colour.map(|channel| channel * presence)
    }

    /// The colour of a species, whose number is in the lowest bits of a word.
    pub fn of_species(&self, word: u32) -> [f32; 3] {
        self.palette[place_of_species(word as usize & (MAX_SPECIES - 1))]
    }

    fn shine_by(&self, [density, momentum_x, momentum_y]: [&mut [f32]; 3], place: impl Fn(f32, f32) -> f32) {
        let palette = &self.palette;
        for ((density, momentum_x), momentum_y) in density.iter_mut().zip(momentum_x).zip(momentum_y) {
            let (boids, x, y) = (*density, *momentum_x, *momentum_y);
            let exposures = (boids * self.exposures_per_boid).min(MAX_EXPOSURES);
            let crowd = exposures * (1.0 / CROWD);
            let vividness = 1.0 / (1.0 + crowd * crowd);
            let speed = (x * x + y * y).sqrt() / (boids + 1e-20);
            let vivid = between(palette, place(speed, exposures).clamp(0.0, 1.0));
            let light = light_of(exposures);
            let [red, green, blue] = vivid.map(|vivid| light * (1.0 + (vivid - 1.0) * vividness));
            (*density, *momentum_x, *momentum_y) = (red, green, blue);
        }
    }

    fn shine_by_heading(&self, [density, momentum_x, momentum_y]: [&mut [f32]; 3]) {
        let [cosine, sine] = self.turn;
        for ((density, momentum_x), momentum_y) in density.iter_mut().zip(momentum_x).zip(momentum_y) {
            let (boids, x, y) = (*density, *momentum_x, *momentum_y);
            let exposures = (boids * self.exposures_per_boid).min(MAX_EXPOSURES);
            let crowd = exposures * (1.0 / CROWD);
            // Momentum over this is V / (|V| + PALE_SPEED). The last term avoids a division by zero.
            let pace = (x * x + y * y).sqrt() + PALE_SPEED * boids + 1e-20;
            let chroma = CHROMA / (pace * (1.0 + crowd * crowd));
            let a = chroma * (cosine * x - sine * y);
            let b = chroma * (sine * x + cosine * y);
            let light = light_of(exposures);
            let [red, green, blue] = linear_from_oklab(1.0 + VIVID * b, a, b);
            (*density, *momentum_x, *momentum_y) = (light * red, light * green, light * blue);
        }
    }
}

/// The colour of a fast swarm with this heading (x to the right, y down), in sRGB, for the legend.
pub fn heading_colour(look: &Look, [x, y]: [f32; 2]) -> [u8; 3] {
    let boids = look.exposure;
    let mut light = [[boids], [boids * x], [boids * y]];
    let look = Look { colour: Colouring::Heading, ..look.clone() };
    Radiance::new(&look).shine(light.each_mut().map(|layer| layer.as_mut_slice()));
    // Colours are fullest at twice the light of half brightness.
    encoded(light.map(|[light]| 2.0 * light))
}

/// The colour of an individual in a mood (-1 to 1), in sRGB, for legends.
pub fn mood_colour(mood: f32) -> [u8; 3] {
    let colour = between(&BY_MOOD, (0.5 + 0.5 * mood).clamp(0.0, 1.0));
    encoded(colour.map(|channel| 4.0 * light_of(1.0) * channel))
}

/// Light in linear red, green and blue after tone mapping, in sRGB.
pub fn encoded(light: [f32; 3]) -> [u8; 3] {
    light.map(|light| (255.0 * encode(tone(light))).round() as u8)
}

/// 1 / the steps in which an individual of each species perishes. Its product with the remaining steps is the part of
/// the individual's light that remains.
pub fn per_perishing(look: &Look) -> [f32; MAX_SPECIES] {
    look.perishing.map(|steps| 1.0 / steps.max(1) as f32)
}

/// The density of one boid in a cell, in exposures: multiples of the density `look.exposure`.
pub fn exposures_per_boid(look: &Look) -> f32 {
    1.0 / look.exposure.max(1e-6)
}

/// The light of a density in exposures.
#[inline(always)]
pub fn light_of(exposures: f32) -> f32 {
    HALF * exposures / (1.0 + exposures * (1.0 / GLARE))
}

/// Colours in a palette.
pub const PALETTE: usize = 256;

static BY_SPEED: LazyLock<[[f32; 3]; PALETTE]> = LazyLock::new(|| evenly_light(&colorous::PLASMA));
static BY_MOOD: LazyLock<[[f32; 3]; PALETTE]> = LazyLock::new(moods);
static BY_DENSITY: LazyLock<[[f32; 3]; PALETTE]> = LazyLock::new(|| evenly_light(&colorous::VIRIDIS));

/// Colours by a quantity from 0 to 1.
pub type Palette = Cow<'static, [[f32; 3]; PALETTE]>;

/// The colours by speed (0 to 1 cell per step), density (e / (1 + e) in exposures e), mood (-1 to 1) or species, in
/// linear red, green and blue. Colours by speed and density all have one luminance. Headings have no palette.
pub fn palette(look: &Look) -> Palette {
    match look.colour {
        Colouring::Speed => Cow::Borrowed(&*BY_SPEED),
        Colouring::Mood => Cow::Borrowed(&*BY_MOOD),
        Colouring::Heading | Colouring::Density => Cow::Borrowed(&*BY_DENSITY),
        Colouring::Species => Cow::Owned(species(look)),
    }
}

/// The middle of the part of a palette that belongs to a species.
fn place_of_species(species: usize) -> usize {
    (2 * species + 1) * PALETTE / (2 * MAX_SPECIES)
}

/// The colours of species, each the colour of a fast swarm with its hue as a heading.
fn species(look: &Look) -> [[f32; 3]; PALETTE] {
    let hued = Radiance::new(&Look { colour: Colouring::Heading, ..look.clone() });
    let colours = look.species.map(|hue| {
        let vector = colour_vector(hue).map(|component| component as f32 / ONE as f32);
        hued.of_boid(1.0, vector)
    });
    std::array::from_fn(|index| colours[index * MAX_SPECIES / PALETTE])
}

/// The colours of moods from the most depressed to the happiest, on straight lines in OKLab. Most moods are near the
/// middle, so that colours change faster there.
fn moods() -> [[f32; 3]; PALETTE] {
    std::array::from_fn(|index| {
        let mood = 2.0 * index as f32 / (PALETTE - 1) as f32 - 1.0;
        let end = if mood < 0.0 { DEPRESSED } else { HAPPY };
        let [lightness, a, b] =
            std::array::from_fn(|part| NEUTRAL[part] + (end[part] - NEUTRAL[part]) * mood.abs().powf(0.75));
        linear_from_oklab(lightness, a, b)
    })
}

/// The colour of a palette at a place, 0 to 1.
#[inline(always)]
fn between(palette: &[[f32; 3]; PALETTE], place: f32) -> [f32; 3] {
    let place = place * (PALETTE - 1) as f32;
    let below = (place as usize).min(PALETTE - 2);
    std::array::from_fn(|channel| {
        let [from, to] = [palette[below][channel], palette[below + 1][channel]];
        from + (to - from) * (place - below as f32)
    })
}

/// The colours of a gradient, scaled to equal luminance: brightness shows density only.
fn evenly_light(gradient: &colorous::Gradient) -> [[f32; 3]; PALETTE] {
    std::array::from_fn(|index| {
        let colour = gradient.eval_rational(index, PALETTE);
        let linear = [colour.r, colour.g, colour.b].map(decode);
        let luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
        linear.map(|channel| channel / luminance.max(0.02) * 0.8)
    })
}

/// Linear red, green and blue of a colour in OKLab (Björn Ottosson, 2020). Negative parts, outside of sRGB, become 0.
#[inline(always)]
fn linear_from_oklab(lightness: f32, a: f32, b: f32) -> [f32; 3] {
    let long = lightness + 0.396_337_78 * a + 0.215_803_76 * b;
    let medium = lightness - 0.105_561_346 * a - 0.063_854_17 * b;
    let short = lightness - 0.089_484_18 * a - 1.291_485_5 * b;
    let [l, m, s] = [long * long * long, medium * medium * medium, short * short * short];
    [
        (4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_93 * s).max(0.0),
        (-1.268_438 * l + 2.609_757_4 * m - 0.341_319_4 * s).max(0.0),
        (-0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s).max(0.0),
    ]
}

/// Tone mapping: light, 0 or more, to a part of the screen's white, 0 to 1. It is linear for faint light and levels
/// off, so that the brightest places keep their shape.
fn tone(light: f32) -> f32 {
    light / (1.0 + light.powf(1.5)).powf(2.0 / 3.0)
}

/// The sRGB encoding of a part of white: linear light, 0 to 1, to a sample, 0 to 1.
pub fn encode(linear: f32) -> f32 {
    if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

/// The linear light, 0 to 1, of an sRGB sample.
pub fn decode(sample: u8) -> f32 {
    let part = f32::from(sample) / 255.0;
    if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
}

const ENTRIES: usize = 4096;

/// The encoded tone of light, by √(light / (1 + light)). Over that variable the encoding is nearly straight.
/// Neighbouring entries differ by less than a tenth of a level even in the darkest parts, which avoids banding.
static ENCODED: LazyLock<[f32; ENTRIES]> = LazyLock::new(|| {
    std::array::from_fn(|entry| {
        let square = (entry as f32 / ENTRIES as f32).powi(2);
        encode(tone(square / (1.0 - square)))
    })
});

/// A table that maps light to bytes.
pub struct Encoding(&'static [f32; ENTRIES]);

impl Encoding {
    pub fn new() -> Self {
        Self(&ENCODED)
    }

    /// Replaces a row of light by its positions in the table. This loop vectorises; reading the table does not.
    pub fn find(&self, row: &mut [f32]) {
        for light in row {
            *light = (*light / (1.0 + *light)).sqrt() * ENTRIES as f32;
        }
    }

    /// The byte for a position in the table, above `night`, the byte of no light. `dither` in 0..1 decides whether the
    /// fraction is rounded up or down.
    #[inline(always)]
    pub fn byte(&self, place: f32, night: f32, dither: f32) -> u8 {
        let shown = self.0[(place as i32 as usize).min(ENTRIES - 1)];
        (night + shown * (255.0 - night) + dither) as i32 as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn light(look: &Look, boids: f32, velocity: [f32; 2]) -> [f32; 3] {
        let mut row = [[boids], [boids * velocity[0]], [boids * velocity[1]]];
        Radiance::new(look).shine(row.each_mut().map(|layer| layer.as_mut_slice()));
        row.map(|layer| layer[0])
    }

    fn look() -> Look {
        Look { exposure: 2.0, bloom: 0.0, ..Look::default() }
    }

    fn byte(light: f32) -> u8 {
        let encoding = Encoding::new();
        let mut row = [light];
        encoding.find(&mut row);
        encoding.byte(row[0], 0.0, 0.5)
    }

    /// The distance from grey. 0: grey, 1: fully coloured.
    fn colourfulness(light: [f32; 3]) -> f32 {
        let most = light.into_iter().fold(0.0, f32::max);
        1.0 - light.into_iter().fold(most, f32::min) / most
    }

    #[test]
    fn the_exposure_shows_at_half_brightness() {
        for channel in light(&look(), 2.0, [0.0, 0.0]) {
            assert!((126..=129).contains(&byte(channel)), "{}", byte(channel));
        }
    }

    #[test]
    fn bytes_follow_the_formula_within_one_level() {
        for step in 0..20_000 {
            let light = step as f32 * 0.0005;
            let exact = 255.0 * encode(tone(light));
            assert!((f32::from(byte(light)) - exact).abs() <= 0.75, "light {light}: {} for {exact}", byte(light));
        }
        assert_eq!(byte(1e30), 255);
    }

    #[test]
    fn opposite_headings_have_opposite_colours_and_a_turn_of_the_wheel_turns_them() {
        let [red, _, blue] = light(&look(), 1.0, [0.0, 0.6]);
        assert!(red > 3.0 * blue, "down is yellow");
        let [red, _, blue] = light(&look(), 1.0, [0.0, -0.6]);
        assert!(blue > 3.0 * red, "up is blue");
        let turned = light(&Look { hue: 0.5, ..look() }, 1.0, [0.0, 0.6]);
        assert!(turned[2] > 3.0 * turned[0], "half a turn makes down blue");
    }

    #[test]
    fn moods_go_from_blue_over_a_pinkish_white_to_orange_without_a_jump() {
        let look = Look { colour: Colouring::Mood, perishing: [100; MAX_SPECIES], ..look() };
        let of = |mood: i32, left: i32| {
            Radiance::new(&look).of_individual(3.0, [0.5, 0.0], (mood & 0xffff | left << 16) as u32)
        };
        let [depressed, neutral, happy] = [-HAPPIEST, 0, HAPPIEST].map(|mood| of(mood, 0));
        assert!(depressed[2] > 3.0 * depressed[0] && depressed[2] > 2.0 * depressed[1], "{depressed:?} is blue");
        assert!(happy[0] > 2.0 * happy[1] && happy[1] > 3.0 * happy[2], "{happy:?} is orange");
        assert!(
            colourfulness(neutral) < 0.35 && neutral[0] > neutral[1].max(neutral[2]),
            "{neutral:?} is pinkish white"
        );
        let mut before = depressed;
        for mood in (-HAPPIEST..=HAPPIEST).step_by(64) {
            let now = of(mood, 0);
            assert!(now.iter().zip(before).all(|(now, before)| (now - before).abs() < 0.02), "{before:?} and {now:?}");
            before = now;
        }
        // An individual fades as it perishes, in any mood.
        for (left, part) in [(1, 0.01), (50, 0.5), (100, 1.0), (200, 1.0)] {
            let faded = of(-HAPPIEST, left);
            assert!(faded.iter().zip(depressed).all(|(faded, whole)| (faded - part * whole).abs() < 1e-5), "{faded:?}");
        }
    }

    #[test]
    fn each_species_fades_in_its_own_steps() {
        let look = Look { colour: Colouring::Mood, perishing: [100, 50, 0, 400, 0, 0, 0, 25], ..look() };
        let of = |left: u32, species: u32| Radiance::new(&look).of_individual(1.0, [0.5, 0.0], left << 16 | species);
        for (species, part) in [(0, 0.2), (1, 0.4), (2, 1.0), (3, 0.05), (7, 0.8)] {
            let (faded, whole) = (of(20, species), of(0, species));
            assert!(faded.iter().zip(whole).all(|(faded, whole)| (faded - part * whole).abs() < 1e-5), "{species}");
        }
    }

    #[test]
    fn slow_boids_and_crowds_are_pale() {
        let vivid = colourfulness(light(&look(), 1.0, [0.8, 0.0]));
        assert!(colourfulness(light(&look(), 1.0, [0.02, 0.0])) < 0.6 * vivid);
        assert!(colourfulness(light(&look(), 40.0, [0.8, 0.0])) < 0.2 * vivid);
        assert_eq!(light(&look(), 0.0, [0.0, 0.0]), [0.0; 3]);
    }
}
