//! Individuals from above: each is a dart, a drop of light with its nose ahead.
//!
//! The kernel on a device is `shaders/look/darts.wgsl`, with the same formulas.

use super::colour::{Radiance, exposures_per_boid, light_of};
use super::layers::{Layers, split_mut};
use crate::look::{Look, smooth_rise};
use crate::numbers::{BOID, ONE};
use crate::parallel::*;
use crate::state::{Individuals, State};
use crate::world::{Edges, PLACE_BITS};

/// The scales (pixels along the side of a cell) below which individuals are only a cloud, and above which they are only
/// darts. A cloud has no moods: in the colours of moods, individuals are darts at every scale.
const CLOUD_TO_DARTS: [f32; 2] = [1.1, 2.6];
/// The part of the cloud's light that stays behind the darts.
const HAZE: f32 = 0.16;
/// The scales (pixels along the side of a cell) between which the part [`HAZE`] fades to 0.
const HAZE_FADES: [f32; 2] = [5.0, 14.0];
/// The length of a dart in cells.
const DART_LENGTH: f32 = 2.2;
/// The least and the greatest length of a dart in pixels. Above a third of the greatest length, the length grows only
/// with the square root of the scale.
const DART_LENGTHS: [f32; 2] = [5.0, 90.0];
/// The breadth of a dart as a part of its length.
const DART_BREADTH: f32 = 0.30;
/// The least breadth of a dart in pixels.
const MIN_DART_BREADTH: f32 = 2.2;
/// The mean light of a dart over its rectangle, as a part of the greatest light of the dart.
const DART_MEAN: f32 = 0.2;
/// The bound on the greatest light of a dart.
const BRIGHTEST_DART: f32 = 0.7;
/// The integer for light 1.0 in sums.
const LIGHT: f32 = 65_536.0;
/// Rows of a picture that are drawn at a time.
const BAND: usize = 40;

/// How individuals are drawn at a scale: as a cloud, as darts, or as both.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DartForm {
    /// The part of the light of the cloud that is drawn, 0 to 1.
    pub cloud: f32,
    /// The greatest light of a dart, which is near its nose; 0: there are no darts.
    pub light: f32,
    /// Half of the length and half of the breadth of a dart, in pixels.
    pub half_size: [f32; 2],
}

impl DartForm {
    /// The form at `scale` pixels along the side of a cell, if each dart stands for `each` individuals.
    pub fn new(scale: f32, each: u32, look: &Look) -> Self {
        let has_own_colours = look.colours_individuals();
        let share = if has_own_colours { 1.0 } else { smoothstep(CLOUD_TO_DARTS, scale) };
        let haze = if has_own_colours { 0.0 } else { HAZE * (1.0 - smoothstep(HAZE_FADES, scale)) };
        let length = look.point_size * DART_LENGTH * scale;
        let slow = DART_LENGTHS[1] / 3.0;
        let length = if length > slow { slow * (length / slow).sqrt() } else { length };
        let length = length.clamp(DART_LENGTHS[0], DART_LENGTHS[1]);
        let breadth = (DART_BREADTH * length).max(MIN_DART_BREADTH);
        // A dart has the light of a boid's whole cell, up to a limit.
        let concentrated = scale.powi(2) / (DART_MEAN * length * breadth) * each as f32;
        let boid_light = light_of(exposures_per_boid(look));
        let light = share * concentrated.min(BRIGHTEST_DART / boid_light) * boid_light;
        Self { cloud: 1.0 - share * (1.0 - haze), light, half_size: [length / 2.0, breadth / 2.0] }
    }
}

/// Rises smoothly from 0 to 1 as the scale grows from `from` to `to`, as a function of the logarithm of the scale.
pub fn smoothstep([from, to]: [f32; 2], scale: f32) -> f32 {
    smooth_rise((scale / from).ln() / (to / from).ln())
}

/// A dart in pixels.
struct Dart {
    middle: [f32; 2],
    /// The direction, of length 1.
    along: [f32; 2],
    colour: [f32; 3],
}

/// Adds individuals to the light of a whole lattice. `seen`: their deposit on the lattice. `scale`: pixels along the
/// side of a cell.
pub fn add_darts(
    light: &mut Layers<3>,
    (individuals, seen): (&Individuals, &State),
    (scale, form): (f32, &DartForm),
    edges: Edges,
    look: &Look,
) {
    if form.light <= 0.0 {
        return;
    }
    let width = light.width;
    let size = [light.width as f32, light.height as f32];
    let radiance = Radiance::new(look);
    let darts: Vec<Dart> =
        (0..individuals.len()).map(|index| dart(individuals, index, seen, scale, form, &radiance)).collect();
    // Copies of a torus reach into the picture from beyond its edges.
    let copies = if edges == Edges::Torus { -1..=1 } else { 0..=0 };
    let copies: Vec<[f32; 2]> =
        copies.clone().flat_map(|y| copies.clone().map(move |x| [x as f32 * size[0], y as f32 * size[1]])).collect();
    light.values.par_chunks_mut(3 * width * BAND).enumerate().for_each(|(band, rows)| {
        let (first, mut sums) = (band * BAND, vec![[0u32; 3]; rows.len() / 3]);
        for (dart, copy) in darts.iter().flat_map(|dart| copies.iter().map(move |copy| (dart, copy))) {
            let colour = dart.colour.map(|channel| channel * LIGHT);
            dart.draw(*copy, form.half_size, width, first..first + sums.len() / width, |pixel, part| {
                // Sums of whole numbers do not depend on the order.
                let sum = colour.map(|channel| (channel * part + 0.5) as u32);
                sums[pixel] = std::array::from_fn(|channel| sums[pixel][channel].saturating_add(sum[channel]));
            });
        }
        for (row, sums) in rows.chunks_exact_mut(3 * width).zip(sums.chunks_exact(width)) {
            for (channel, layer) in split_mut::<3>(row).into_iter().enumerate() {
                layer.iter_mut().zip(sums).for_each(|(light, sum)| *light += sum[channel] as f32 * (1.0 / LIGHT));
            }
        }
    });
}

fn dart(
    individuals: &Individuals,
    index: usize,
    seen: &State,
    scale: f32,
    form: &DartForm,
    radiance: &Radiance,
) -> Dart {
    let (place, velocity) = (individuals.position(index), individuals.velocity(index));
    let [column, row] = [0, 1].map(|axis| (place[axis] >> PLACE_BITS) as usize);
    let boids = seen.layers[0].density[row * seen.extents.width as usize + column] / BOID;
    // A device stores a velocity in Q13.
    let [x, y] = [0, 1].map(|axis| (velocity[axis] >> 1) as f32 * (2.0 / ONE as f32));
    let speed = (x * x + y * y).sqrt();
    let drawn = individuals.drawn_word(index);
    Dart {
        middle: [0, 1].map(|axis| place[axis] as f32 * (1.0 / (1 << PLACE_BITS) as f32) * scale),
        along: if speed > 1e-5 { [x / speed, y / speed] } else { [1.0, 0.0] },
        colour: radiance.of_individual(boids as f32, [x, y], drawn).map(|channel| channel * form.light),
    }
}

impl Dart {
    /// Draws the part of the dart in these rows of a picture, moved by `copy`. `add` gets the index of each pixel
    /// within these rows and the part of the light there.
    fn draw(
        &self,
        copy: [f32; 2],
        half_size: [f32; 2],
        width: usize,
        rows: std::ops::Range<usize>,
        mut add: impl FnMut(usize, f32),
    ) {
        let ([x, y], [length, breadth]) = (self.along, half_size);
        let middle = [0, 1].map(|axis| self.middle[axis] + copy[axis]);
        let reach = [x.abs() * length + y.abs() * breadth, y.abs() * length + x.abs() * breadth];
        let within = |axis: usize, from: usize, to: usize| {
            let low = (middle[axis] - reach[axis]).max(from as f32) as usize;
            low.max(from)..((middle[axis] + reach[axis] + 1.0).max(0.0) as usize).min(to)
        };
        let columns = within(0, 0, width);
        for row in within(1, rows.start, rows.end) {
            let down = row as f32 + 0.5 - middle[1];
            for column in columns.clone() {
                let across = column as f32 + 0.5 - middle[0];
                let part = part_at([(across * x + down * y) / length, (down * x - across * y) / breadth]);
                if part > 0.0 {
                    add((row - rows.start) * width + column, part);
                }
            }
        }
    }
}

/// The light at a place [x, y] of a dart, as a part of the greatest light of the dart. The rectangle of the dart is
/// from the tail at x = -1 to the nose at x = 1, and from y = -1 to y = 1.
fn part_at([x, y]: [f32; 2]) -> f32 {
    if x.abs() > 1.0 || y.abs() > 1.0 {
        return 0.0;
    }
    let s = 0.5 + 0.5 * x;
    let breadth = 6.75 * s * s * (1.0 - s) + 1e-3;
    let across = y / breadth;
    let square = y * y;
    s * (-2.0 * across * across).exp() * (1.0 - square * square)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::individuals::deposit::deposit;
    use crate::look::Colouring;
    use crate::picture::{Picture, glow_of_individuals};
    use crate::world::{Extents, Space, World};

    const SPACE: Space = Space { extents: [48, 32, 1], edges: Edges::Torus };

    fn picture(individuals: &Individuals, look: &Look) -> Picture {
        let world = World::empty(Extents::flat(48, 32), SPACE.edges);
        glow_of_individuals(individuals, &deposit(individuals, &SPACE), &world, look)
    }

    fn light(picture: &Picture, [x, y]: [f32; 2]) -> i32 {
        let at = 3 * (y as usize * picture.width as usize + x as usize);
        picture.bytes[at..at + 3].iter().map(|byte| i32::from(*byte)).sum()
    }

    #[test]
    fn an_individual_is_a_dart_that_points_where_it_goes_and_comes_round_a_torus() {
        let mut individuals = Individuals::default();
        individuals.push(0, [10 << PLACE_BITS, 8 << PLACE_BITS, 0], [ONE / 2, 0, 0]);
        individuals.push(1, [30 << PLACE_BITS, 0, 0], [0, -ONE / 2, 0]);
        let look = Look { bloom: 0.0, exposure: 0.5, ..Look::default() };
        let drawn = picture(&individuals, &look);
        // A cell has eight pixels along its side.
        let middle = [80.0, 64.0];
        let at = |along: f32, across: f32| light(&drawn, [middle[0] + along, middle[1] + across]);
        assert!(at(4.0, 0.0) > at(-6.0, 0.0) + 60 && at(0.0, 0.0) > at(0.0, 6.0) + 60, "it has no shape");
        // The nose of the other dart reaches over the upper edge to the lower one.
        assert!(light(&drawn, [240.0, 254.0]) > light(&drawn, [280.0, 254.0]) + 60);
        // The order of the individuals does not change the picture.
        let mut turned = Individuals::default();
        for index in [1, 0] {
            turned.push(individuals.numbers[index], individuals.position(index), individuals.velocity(index));
        }
        assert!(picture(&turned, &look) == drawn);
    }

    #[test]
    fn far_away_individuals_are_a_cloud_but_for_those_with_moods() {
        let look = Look::default();
        let far = DartForm::new(0.5, 1, &look);
        assert_eq!((far.cloud, far.light), (1.0, 0.0));
        let near = DartForm::new(20.0, 1, &look);
        assert!(near.cloud == 0.0 && near.light > 0.1, "{near:?}");
        let moods = Look { colour: Colouring::Mood, ..look };
        let [far, near] = [0.5, 20.0].map(|scale| DartForm::new(scale, 1, &moods));
        assert!(far.cloud == 0.0 && far.light > 0.0 && near.light >= far.light, "{far:?} and {near:?}");
    }
}
