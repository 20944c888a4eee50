//! The pictures of points: a swarm at dusk and as points of light, deep and flat.

use crate::adapter::shared;
use crate::command::Folder;
use glam::uvec2;
use murmuration::falcon::Falcon;
use murmuration::look::{Orbit, PictureRenderer};
use murmuration::numbers::{BOID, ONE};
use murmuration::observe::{self, Picture};
use murmuration::picture;
use murmuration::preset::{Colouring, Look, Overrides, Preset, Style};
use murmuration::state::State;
use murmuration::world::{Extents, World};

/// A bent sheet that swirls, with a dense core.
fn swarm(extents: Extents) -> State {
    let mut state = State::empty(extents);
    let [width, height, depth] = extents.along_axes().map(|extent| extent as f32);
    for index in 0..extents.cells() {
        let (x, rest) = (index % extents.width as usize, index / extents.width as usize);
        let (y, z) = (rest % extents.height as usize, rest / extents.height as usize);
        let [x, y, z] = [x as f32 / width - 0.5, y as f32 / height - 0.5, (z as f32 + 0.5) / depth - 0.5];
        let sheet = z - 0.2 * (7.0 * x + 2.0 * y).sin();
        let boids = 3.0 * (-300.0 * sheet * sheet - 12.0 * (x * x + y * y)).exp()
            + 5.0 * (-90.0 * (x * x + y * y + z * z)).exp();
        state.density[index] = (boids * BOID as f32) as u32;
        let velocity = [-2.0 * y, 2.0 * x + 0.2, (7.0 * x).cos() * 0.4].map(|part| (part * ONE as f32) as i32);
        state.set_velocity(index, velocity.map(|part| part.clamp(-ONE, ONE)));
    }
    // One before the swarm, one in it, and one that stands still.
    let falcon = |parts: [f32; 3], velocity, energy| {
        let place = std::array::from_fn(|axis| (parts[axis] * extents.ends()[axis] as f32) as i32);
        Falcon { place, velocity, energy, ..Falcon::default() }
    };
    state.falcons = vec![
        falcon([0.3, 0.8, 0.4], [900, -700, 300], 3),
        falcon([0.5, 0.5, 0.5], [0, 2000, 0], 9),
        falcon([0.8, 0.4, 0.7], [0; 3], 0),
    ];
    state
}

fn world(extents: Extents) -> World {
    let preset = Preset::load(murmuration::host(), "droplets", &Overrides::default()).unwrap();
    World { extents, ..preset.world }
}

fn look(style: Style) -> Look {
    Look { style, ..Look::default() }
}

const DEEP: Extents = Extents::deep(48, 40, 28);
const FLAT: Extents = Extents::flat(96, 64);

fn farthest(one: &Picture, other: &Picture) -> u8 {
    assert_eq!((one.width, one.height), (other.width, other.height));
    one.bytes.iter().zip(&other.bytes).map(|(one, other)| one.abs_diff(*other)).max().unwrap()
}

#[test]
fn the_gpu_draws_the_points_of_the_cpu() {
    let Some(gpu) = shared("points on the GPU") else { return };
    let mut pictures = PictureRenderer::new(&gpu).unwrap();
    for extents in [DEEP, FLAT] {
        let (state, world) = (swarm(extents), world(extents));
        for look in [
            look(Style::Dusk),
            Look { point_size: 2.5, exposure: 0.3, ..look(Style::Dusk) },
            look(Style::Glow),
            Look { colour: Colouring::Speed, bloom: 1.0, ..look(Style::Glow) },
            Look { colour: Colouring::Density, exposure: 4.0, hue: 0.3, ..look(Style::Glow) },
            look(Style::Cloud),
        ] {
            let drawn = pictures.picture(&state, &world, &look).unwrap();
            let twin = observe::picture(&state, None, &world, &look);
            let apart = farthest(&drawn, &twin);
            assert!(apart <= 2, "{extents:?} {look:?}: {apart} levels apart");
            // The same again, after another style.
            assert_eq!(farthest(&drawn, &pictures.picture(&state, &world, &look).unwrap()), 0, "{look:?}");
        }
    }
}

#[test]
fn from_near_and_from_behind_both_draw_the_same() {
    let Some(gpu) = shared("points on the GPU") else { return };
    let mut pictures = PictureRenderer::new(&gpu).unwrap();
    let (state, world, size) = (swarm(DEEP), world(DEEP), uvec2(400, 260));
    let points = picture::seeded(&state, &world, &Look::default());
    let mut orbit = Orbit::first(DEEP, size);
    for (pixels, factor) in [(0.0, 1.0), (300.0, 3.0), (500.0, 6.0)] {
        orbit.turn(glam::vec2(pixels, -0.3 * pixels));
        orbit.zoom(factor);
        for style in [Style::Dusk, Style::Glow] {
            let drawn = pictures.view(&state, &world, &look(style), orbit, size).unwrap();
            let twin = picture::through(&state, &points, &orbit.projection(size), &look(style));
            assert!(farthest(&drawn, &twin) <= 2, "{style:?} at {orbit:?}: {}", farthest(&drawn, &twin));
        }
    }
}

#[test]
fn the_order_of_the_points_and_the_number_of_threads_change_no_byte() {
    let state = swarm(DEEP);
    let points = picture::seeded(&state, &world(DEEP), &Look::default());
    let mut shuffled = points.clone();
    shuffled.list.sort_by_key(|point| point.key());
    assert_ne!(points, shuffled);
    let projection = Orbit::first(DEEP, uvec2(500, 300)).projection(uvec2(500, 300));
    for style in [Style::Dusk, Style::Glow] {
        let of = |points: &murmuration::points::Points| picture::through(&state, points, &projection, &look(style));
        let one = of(&points);
        assert!(one == of(&shuffled), "{style:?}: another order draws another picture");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert!(one == pool.install(|| of(&points)), "{style:?}: one thread draws another picture");
    }
}

#[test]
fn a_falcon_is_seen_in_pictures_of_points() {
    for extents in [DEEP, FLAT] {
        let with = swarm(extents);
        let without = State { falcons: Vec::new(), ..with.clone() };
        for style in [Style::Dusk, Style::Glow] {
            let [with, without] = [with.clone(), without.clone()]
                .map(|state| observe::picture(&state, None, &world(extents), &look(style)));
            assert!(farthest(&with, &without) > 60, "{extents:?} {style:?}: {}", farthest(&with, &without));
        }
    }
}

#[test]
fn there_are_as_many_points_as_boids() {
    for extents in [DEEP, FLAT] {
        let state = swarm(extents);
        let (points, boids) =
            (picture::seeded(&state, &world(extents), &Look::default()), (state.total() / u64::from(BOID)) as f64);
        let count = points.list.len() as f64;
        assert!((count - boids).abs() < 0.02 * boids, "{count} points for {boids} boids");
    }
}

#[test]
fn a_picture_of_points_says_its_step_and_a_wrong_style_is_refused() {
    let folder = Folder::new();
    let set = ["render", "droplets", "--size", "64x48", "--steps", "7", "--threads", "1", "--out", "frames", "--set"];
    folder.run(&[&set[..], &["look.style=dusk"]].concat()).succeeded();
    let bytes = std::fs::read(folder.path().join("frames/glow-000007.png")).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    let texts = &reader.info().uncompressed_latin1_text;
    assert!(texts.iter().any(|text| text.keyword == "murmuration:step" && text.text == "7"));
    // The sky is no night.
    assert!(pixels[..3].iter().map(|byte| u32::from(*byte)).sum::<u32>() > 150, "{:?}", &pixels[..3]);
    let says = ["look.style: unknown value `noon`", "expected one of `dusk`, `glow`, `cloud`"];
    crate::bad_input::is_refused(&folder, &[&set[..], &["look.style=noon"]].concat(), &says);
}
