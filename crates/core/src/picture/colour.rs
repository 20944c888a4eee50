//! The colours of pictures: light from density and heading, tone mapping, and the sRGB encoding. Light is linear.

use crate::lives::{HAPPIEST, perishing};
use crate::look::{Colouring, Look, colour_vector};
use crate::numbers::ONE;
use crate::world::MAX_SPECIES;
use std::borrow::Cow;
use std::f32::consts::TAU;
use std::sync::LazyLock;

/// The light of a cell with the density `look.exposure`. [`tone`] maps this light to a pixel of half brightness.
pub const HALF: f32 = 0.228;
/// The max light of a cell, as a multiple of [`HALF`].
pub const GLARE: f32 = 40.0;
/// Densities above this multiple of `look.exposure` are cut, so that light stays finite. It is far above [`GLARE`].
const MAX_EXPOSURES: f32 = 1e6;
/// The chroma in OKLab, at lightness 1, of a swarm that is fast and not dense.
pub const CHROMA: f32 = 0.29;
/// Yellow is made lighter than blue by this part of the lightness. Blue looks brighter than OKLab says
/// (Helmholtz-Kohlrausch effect).
pub const VIVID: f32 = 0.3;
/// The speed, in cells a step, at which the colour of a boid has half of its chroma.
pub const PALE_SPEED: f32 = 0.07;
/// The density, as a multiple of `look.exposure`, at which the colour of a crowd has half of its chroma.
pub const CROWD: f32 = 4.0;

/// The colour of the lowest mood: lightness, a and b in OKLab. It is blue.
const DEPRESSED: [f32; 3] = [0.80, -0.040, -0.245];
/// The colour of the mood 0: lightness, a and b in OKLab. It is a pinkish white.
const NEUTRAL: [f32; 3] = [0.97, 0.042, 0.002];
/// The colour of the highest mood: lightness, a and b in OKLab. It is orange.
const HAPPY: [f32; 3] = [0.92, 0.165, 0.170];

/// Converts density and velocity of a swarm to light, for one [`Look`].
pub struct Radiance {
    exposures_per_boid: f32,
    turn: [f32; 2],
    colouring: Colouring,
    palette: Palette,
    /// For each species, 1 / (the number of steps in which an individual perishes).
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

    /// Replaces a row of pixels by its light in linear red, green and blue. `row`: density (boids per cell), and
    /// momentum along x and y (boids × cells a step, per cell).
    ///
    /// With colours by heading, the angle of (a, b) in OKLab is the angle of the heading plus `look.hue`. In OKLab,
    /// equal steps of hue look equally large. Without a hue, right is pink, down is yellow, left is green and up is
    /// blue. Slow boids and crowds have less chroma.
    ///
    /// With colours by speed or density, the colour comes from a [`palette`], and is also paler in a crowd. Cells have
    /// neither moods nor species, so their colour is then neutral, or the colour of the heading.
    pub fn shine(&self, row: [&mut [f32]; 3]) {
        match self.colouring {
            Colouring::Heading | Colouring::Species => self.shine_by_heading(row),
            Colouring::Speed => self.shine_by(row, |speed, _| speed),
            Colouring::Density => self.shine_by(row, |_, exposures| exposures / (1.0 + exposures)),
            Colouring::Mood => self.shine_by(row, |_, _| 0.5),
        }
    }

    /// The colour of a single boid in linear red, green and blue. `exposures`: the density around it as a multiple of
    /// `look.exposure`. The second argument is its velocity (cells a step). A crowd makes a single boid paler only if
    /// colours show density.
    pub fn of_boid(&self, exposures: f32, [x, y]: [f32; 2]) -> [f32; 3] {
        let shown = if self.colouring == Colouring::Density { exposures } else { exposures.min(1.0) }.max(1e-6);
        let boids = shown / self.exposures_per_boid;
        let mut row = [[boids], [boids * x], [boids * y]];
        self.shine(row.each_mut().map(|layer| layer.as_mut_slice()));
        row.map(|[channel]| channel / light_of(shown))
    }

    /// The colour of an individual in linear red, green and blue. `boids`: the number of boids in its column of cells.
    /// The individual fades while it perishes. `drawn_word`: see [`drawn_word`](crate::lives::drawn_word).
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

    /// The colour of a species in linear red, green and blue. The lowest bits of `word` are the number of the species.
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
            // Momentum divided by `pace` is V / (|V| + PALE_SPEED) with the mean velocity V. The last term avoids a
            // division by zero.
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

/// The colour of a fast swarm with a heading (x to the right, y down), in sRGB, for the legend.
pub fn heading_colour(look: &Look, [x, y]: [f32; 2]) -> [u8; 3] {
    let boids = look.exposure;
    let mut light = [[boids], [boids * x], [boids * y]];
    let look = Look { colour: Colouring::Heading, ..look.clone() };
    Radiance::new(&look).shine(light.each_mut().map(|layer| layer.as_mut_slice()));
    // Colours are most saturated at twice the light of half brightness.
    encoded(light.map(|[light]| 2.0 * light))
}

/// The colour of an individual with a mood (-1 to 1), in sRGB, for legends.
pub fn mood_colour(mood: f32) -> [u8; 3] {
    let colour = between(&BY_MOOD, (0.5 + 0.5 * mood).clamp(0.0, 1.0));
    encoded(colour.map(|channel| 4.0 * light_of(1.0) * channel))
}

/// Applies tone mapping and the sRGB encoding to linear red, green and blue.
pub fn encoded(light: [f32; 3]) -> [u8; 3] {
    light.map(|light| (255.0 * encode(tone(light))).round() as u8)
}

/// For each species, 1 / (the number of steps in which an individual perishes). Multiplied by the remaining steps, it
/// is the brightness of a perishing individual, 0 to 1.
pub fn per_perishing(look: &Look) -> [f32; MAX_SPECIES] {
    look.perishing.map(|steps| 1.0 / steps.max(1) as f32)
}

/// The density of one boid per cell as a multiple of `look.exposure`.
pub fn exposures_per_boid(look: &Look) -> f32 {
    1.0 / look.exposure.max(1e-6)
}

/// The light of a density, given as a multiple of `look.exposure`.
#[inline(always)]
pub fn light_of(exposures: f32) -> f32 {
    HALF * exposures / (1.0 + exposures * (1.0 / GLARE))
}

/// The number of colours in a palette.
pub const PALETTE: usize = 256;

static BY_SPEED: LazyLock<[[f32; 3]; PALETTE]> = LazyLock::new(|| evenly_light(&colorous::PLASMA));
static BY_MOOD: LazyLock<[[f32; 3]; PALETTE]> = LazyLock::new(moods);
static BY_DENSITY: LazyLock<[[f32; 3]; PALETTE]> = LazyLock::new(|| evenly_light(&colorous::VIRIDIS));

/// The colours for values from 0 to 1, in linear red, green and blue.
pub type Palette = Cow<'static, [[f32; 3]; PALETTE]>;

/// The palette of a look, in linear red, green and blue: colours by speed (0 to 1 cell a step), density, mood (-1 to 1)
/// or species. The place of a density in the palette is e / (1 + e), with e = density / `look.exposure`. All colours by
/// speed or density have equal luminance. Colours by heading have no palette.
pub fn palette(look: &Look) -> Palette {
    match look.colour {
        Colouring::Speed => Cow::Borrowed(&*BY_SPEED),
        Colouring::Mood => Cow::Borrowed(&*BY_MOOD),
        Colouring::Heading | Colouring::Density => Cow::Borrowed(&*BY_DENSITY),
        Colouring::Species => Cow::Owned(species(look)),
    }
}

/// The index of the colour of a species in the palette of species.
fn place_of_species(species: usize) -> usize {
    (2 * species + 1) * PALETTE / (2 * MAX_SPECIES)
}

/// The palette of species. Each species has the colour of a fast swarm whose heading has the hue of the species.
fn species(look: &Look) -> [[f32; 3]; PALETTE] {
    let hued = Radiance::new(&Look { colour: Colouring::Heading, ..look.clone() });
    let colours = look.species.map(|hue| {
        let vector = colour_vector(hue).map(|component| component as f32 / ONE as f32);
        hued.of_boid(1.0, vector)
    });
    std::array::from_fn(|index| colours[index * MAX_SPECIES / PALETTE])
}

/// The palette of moods, from the lowest to the highest mood. Colours lie on straight lines in OKLab. Most moods are
/// near 0, so colours change fastest there.
fn moods() -> [[f32; 3]; PALETTE] {
    std::array::from_fn(|index| {
        let mood = 2.0 * index as f32 / (PALETTE - 1) as f32 - 1.0;
        let end = if mood < 0.0 { DEPRESSED } else { HAPPY };
        let [lightness, a, b] =
            std::array::from_fn(|part| NEUTRAL[part] + (end[part] - NEUTRAL[part]) * mood.abs().powf(0.75));
        linear_from_oklab(lightness, a, b)
    })
}

/// The colour at a place of a palette, 0 to 1, interpolated between entries.
#[inline(always)]
fn between(palette: &[[f32; 3]; PALETTE], place: f32) -> [f32; 3] {
    let place = place * (PALETTE - 1) as f32;
    let below = (place as usize).min(PALETTE - 2);
    std::array::from_fn(|channel| {
        let [from, to] = [palette[below][channel], palette[below + 1][channel]];
        from + (to - from) * (place - below as f32)
    })
}

/// The colours of a gradient, scaled to equal luminance, so that only density changes the brightness.
fn evenly_light(gradient: &colorous::Gradient) -> [[f32; 3]; PALETTE] {
    std::array::from_fn(|index| {
        let colour = gradient.eval_rational(index, PALETTE);
        let linear = [colour.r, colour.g, colour.b].map(decode);
        let luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
        linear.map(|channel| channel / luminance.max(0.02) * 0.8)
    })
}

/// Converts a colour from OKLab (Björn Ottosson, 2020) to linear red, green and blue. Negative components, which are
/// outside of sRGB, become 0.
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

/// Tone mapping. Maps light (0 or more) to a part of the screen's white (0 to 1). The map is linear for faint light and
/// levels off for bright light, so that differences between bright places stay visible.
fn tone(light: f32) -> f32 {
    light / (1.0 + light.powf(1.5)).powf(2.0 / 3.0)
}

/// The sRGB encoding: maps linear light (0 to 1) to a sample (0 to 1).
pub fn encode(linear: f32) -> f32 {
    if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

/// Decodes an sRGB sample to linear light (0 to 1).
pub fn decode(sample: u8) -> f32 {
    let part = f32::from(sample) / 255.0;
    if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
}

const ENTRIES: usize = 4096;

/// The sRGB samples (0 to 1) of light after tone mapping, by √(light / (1 + light)). Over this variable the samples are
/// nearly on a line. Neighbouring entries differ by less than a tenth of a level, also in the darkest parts. So there
/// is no banding.
static ENCODED: LazyLock<[f32; ENTRIES]> = LazyLock::new(|| {
    std::array::from_fn(|entry| {
        let square = (entry as f32 / ENTRIES as f32).powi(2);
        encode(tone(square / (1.0 - square)))
    })
});

/// A table that maps linear light to bytes of sRGB.
pub struct Encoding(&'static [f32; ENTRIES]);

impl Encoding {
    pub fn new() -> Self {
        Self(&ENCODED)
    }

    /// Replaces a row of light by positions in the table. The compiler vectorises this loop, but not a loop that reads
    /// the table.
    pub fn find(&self, row: &mut [f32]) {
        for light in row {
            *light = (*light / (1.0 + *light)).sqrt() * ENTRIES as f32;
        }
    }

    /// The byte for a position in the table. `night`: the byte of no light. `dither`: 0 to 1, decides whether a
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

    /// The colourfulness of light: 0 for grey, 1 for a saturated colour.
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
        // A perishing individual fades, in any mood.
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
