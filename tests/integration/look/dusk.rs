//! Pictures of points: a swarm at dusk and as points of light, in deep and flat worlds.

use crate::support::adapter::shared;
use crate::support::command::Folder;
use crate::support::is_played;
use glam::uvec2;
use murmuration::observe::{self, Picture};
use murmuration_core::chain::Chain;
use murmuration_core::falcons::Falcon;
use murmuration_core::look::{Colouring, Look, Projection, Style};
use murmuration_core::numbers::{BOID, ONE};
use murmuration_core::parallel::ThreadPool;
use murmuration_core::picture;
use murmuration_core::points::Point;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::state::{State, WorldColumns};
use murmuration_core::world::{Edges, Extents, World};
use murmuration_gpu::look::{Camera, Orbit, PictureRenderer};

/// A curved, swirling sheet with a dense core.
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
        state.layers[0].density[index] = (boids * BOID as f32) as u32;
        let velocity = [-2.0 * y, 2.0 * x + 0.2, (7.0 * x).cos() * 0.4].map(|part| (part * ONE as f32) as i32);
        state.layers[0].set_velocity(index, velocity.map(|part| part.clamp(-ONE, ONE)));
    }
    // One falcon flies in front of the swarm, one flies in it, and one stands still.
    let falcon = |parts: [f32; 3], velocity, energy| {
        let place = std::array::from_fn(|axis| (parts[axis] * extents.ends()[axis] as f32) as i32);
        Falcon { place, velocity, energy, ..Falcon::default() }
    };
    let falcons = [
        falcon([0.3, 0.8, 0.4], [900, -700, 300], 3),
        falcon([0.5, 0.5, 0.5], [0, 2000, 0], 9),
        falcon([0.8, 0.4, 0.7], [0; 3], 0),
    ];
    Falcon::set_all(&falcons, &mut state.columns);
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

/// A look may sum strokes into two fields. The sums are independent.
#[test]
fn every_field_of_sums_has_sums_of_its_own() {
    let Some(gpu) = shared("two fields of sums") else { return };
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write(
        "two.toml",
        r#"
            description = "Strokes, and strokes of which nothing is added"
            model = "look"
            [fields]
            some = "sums"
            none = "sums"
            [[pass]]
            kernel = "shades"
            each = "boid"
            read = ["volume"]
            write = ["some"]
            [[pass]]
            kernel = "shades.wgsl"
            each = "boid"
            read = ["volume"]
            write = ["none"]
            [[pass]]
            kernel = "both.wgsl"
            read = ["some", "none"]
            write = ["target"]
        "#,
    );
    let shades = murmuration::host().library().shader("points/shades");
    write("shades.wgsl", &shades.replace("stroke.amount > 0.0", "stroke.amount < 0.0"));
    write(
        "both.wgsl",
        "fn both(pixel: vec2<i32>) -> vec4<f32> {\n    \
         return vec4<f32>(f32(some(pixel).x > 0u), f32(none(pixel).x > 0u), 0.0, 1.0);\n}\n",
    );
    let path = folder.path().join("two.toml");
    let chain = Chain::load(murmuration::host().as_ref(), path.to_str().unwrap()).unwrap_or_else(|e| panic!("{e}"));
    let mut pictures = PictureRenderer::with_chain(&gpu, chain).unwrap();
    let picture = pictures.picture(swarm(DEEP), &world(DEEP), &look(Style::Dusk)).unwrap();
    let pixels = picture.bytes.as_chunks::<3>().0;
    let [red, green] = [0, 1].map(|channel| pixels.iter().filter(|pixel| pixel[channel] > 0).count());
    assert!(red > 20 && green == 0, "{red} pixels have strokes, and {green} those of which nothing was added");
}

#[test]
fn the_gpu_draws_the_points_of_the_cpu() {
    let Some(gpu) = shared("points on the GPU") else { return };
    let mut pictures = PictureRenderer::new(&gpu).unwrap();
    for extents in [DEEP, FLAT] {
        let (state, world) = (swarm(extents), world(extents));
        for (_, look) in [
            look(Style::Dusk),
            Look { point_size: 2.5, exposure: 0.3, ..look(Style::Dusk) },
            look(Style::Glow),
            Look { colour: Colouring::Speed, bloom: 1.0, ..look(Style::Glow) },
            Look { colour: Colouring::Density, exposure: 4.0, hue: 0.3, ..look(Style::Glow) },
            look(Style::Cloud),
        ]
        .into_iter()
        .enumerate()
        .filter(|(index, _)| is_played(index + usize::from(extents == FLAT), 2))
        {
            let drawn = pictures.picture(&state, &world, &look).unwrap();
            let twin = observe::picture(&state, None, &world, &look);
            let apart = farthest(&drawn, &twin);
            assert!(apart <= 2, "{extents:?} {look:?}: {apart} levels apart");
            // The picture is equal after another style was drawn.
            assert_eq!(farthest(&drawn, &pictures.picture(&state, &world, &look).unwrap()), 0, "{look:?}");
        }
    }
}

/// Solids cover the points at night, as they cover the cloud.
#[test]
fn solids_among_points_are_those_of_the_cpu() {
    let Some(gpu) = shared("solids among points on the GPU") else { return };
    let mut pictures = PictureRenderer::new(&gpu).unwrap();
    for edges in [Edges::Torus, Edges::Walls] {
        let mut state = swarm(FLAT);
        let solids: Vec<bool> = (0..FLAT.cells()).map(|cell| (cell % 40) < 9 && cell / 700 % 2 == 0).collect();
        for (density, _) in state.layers[0].density.iter_mut().zip(&solids).filter(|(_, is_solid)| **is_solid) {
            *density = 0;
        }
        let open = World { edges, ..world(FLAT) };
        let world = World { solids: solids.into(), ..open.clone() };
        for look in [look(Style::Glow), Look { bloom: 1.0, ..look(Style::Glow) }] {
            let [drawn, without] = [&world, &open].map(|world| pictures.picture(&state, world, &look).unwrap());
            let apart = farthest(&drawn, &observe::picture(&state, None, &world, &look));
            assert!(apart <= 2, "{edges:?} {look:?}: {apart} levels apart");
            assert!(farthest(&drawn, &without) > 20, "{edges:?} {look:?}: no solid is seen");
        }
    }
}

#[test]
fn values_are_read_on_the_gpu_as_on_the_cpu() {
    let Some(gpu) = shared("values on the GPU") else { return };
    let mut pictures = PictureRenderer::new(&gpu).unwrap();
    for (extents, style, axis, layer, scale) in [
        (DEEP, Style::Slice, 2, 0.5, 0.0),
        (DEEP, Style::Slice, 0, 0.4, 3.0),
        (DEEP, Style::Projection, 1, 0.5, 0.0),
        (FLAT, Style::Slice, 0, 0.9, 0.0),
        (FLAT, Style::Projection, 2, 0.0, 1.0),
    ] {
        let (state, world) = (swarm(extents), world(extents));
        let look = Look { axis, layer, scale, ..look(style) };
        let drawn = pictures.picture(&state, &world, &look).unwrap();
        let twin = observe::picture(&state, None, &world, &look);
        assert_eq!(farthest(&drawn, &twin), 0, "{extents:?} {look:?}");
        // Every cell has the colour of its value, and the whole scale occurs.
        let plane = picture::Plane::new(&state, &look);
        let points = drawn.width / plane.size[0] as u32;
        for (index, value) in plane.values.iter().enumerate() {
            let [x, y] = [index % plane.size[0], index / plane.size[0]].map(|cell| cell as u32 * points + points / 2);
            let at = 3 * (y * drawn.width + x) as usize;
            let part = (*value as f64 / plane.top as f64).min(1.0) as f32;
            let apart = drawn.bytes[at..][..3].iter().zip(picture::scale_colour(part));
            assert!(apart.into_iter().all(|(one, other)| one.abs_diff(other) <= 6), "{extents:?} {look:?}: {value}");
        }
        assert!(drawn.bytes.iter().any(|byte| *byte > 200), "{look:?}");
    }
}

#[test]
fn copies_of_a_torus_that_is_shorter_than_the_screen_are_dimmed() {
    let Some(gpu) = shared("copies of a torus") else { return };
    let mut pictures = PictureRenderer::new(&gpu).unwrap();
    let extents = Extents::flat(32, 32);
    let world = world(extents);
    assert_eq!(world.edges, murmuration_core::world::Edges::Torus);
    let mut state = State::empty(extents);
    state.layers[0].density.fill(BOID);
    for style in [Style::Cloud, Style::Slice] {
        let look = Look { bloom: 0.0, scale: 2.0, ..look(style) };
        let mut at = |pixels_per_cell, pixels: [u32; 2]| {
            let camera = Camera { centre: glam::vec2(16.0, 16.0), pixels_per_cell };
            let drawn = pictures.view(&state, &world, &look, camera, uvec2(192, 192)).unwrap();
            pixels.map(|x| {
                drawn.bytes[3 * (96 * 192 + x as usize)..][..3].iter().map(|byte| u32::from(*byte)).sum::<u32>()
            })
        };
        let [middle, copy] = at(2.0, [96, 20]);
        assert!(10 * copy < 8 * middle, "{style:?}: {copy} in a copy, {middle} in the world");
        let [inside, edge] = at(6.0, [96, 20]);
        assert!(inside.abs_diff(edge) <= 12, "{style:?}: {inside} and {edge} in a world that fills the screen");
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
            let twin = picture::through(&state, &points, &orbit.projection(size), &world, &look(style));
            assert!(farthest(&drawn, &twin) <= 2, "{style:?} at {orbit:?}: {}", farthest(&drawn, &twin));
        }
    }
}

#[test]
fn between_two_steps_points_and_falcons_are_drawn_on_their_way() {
    let Some(gpu) = shared("points on the GPU") else { return };
    let mut pictures = PictureRenderer::new(&gpu).unwrap();
    let (state, world, size) = (swarm(DEEP), world(DEEP), uvec2(400, 260));
    let points = picture::seeded(&state, &world, &Look::default());
    let orbit = Orbit::first(DEEP, size);
    let at = |behind| Projection { behind, ..orbit.projection(size) };
    for style in [Style::Dusk, Style::Glow] {
        let look = look(style);
        pictures.set_behind(0.6);
        let drawn = pictures.view(&state, &world, &look, orbit, size).unwrap();
        let twin = picture::through(&state, &points, &at(0.6), &world, &look);
        assert!(farthest(&drawn, &twin) <= 2, "{style:?}: {}", farthest(&drawn, &twin));
        let whole = picture::through(&state, &points, &at(0.0), &world, &look);
        assert!(farthest(&drawn, &whole) > 60, "{style:?}");
        pictures.set_behind(0.0);
        assert!(farthest(&whole, &pictures.view(&state, &world, &look, orbit, size).unwrap()) <= 2);
        // A picture a whole step behind shows the points at their places before the step.
        let mut before = points.clone();
        before.list.iter_mut().for_each(|point| {
            let place = std::array::from_fn(|axis| point.place()[axis] - 4 * point.velocity()[axis]);
            *point = Point::new(place, point.velocity(), point.key());
        });
        let mut left = state.clone();
        Falcon::all_of_mut(&mut left.columns).iter_mut().for_each(|falcon| {
            falcon.velocity = falcon.velocity.map(|axis| axis / 64 * 64);
        });
        let present = picture::through(&left, &points, &at(1.0), &world, &look);
        Falcon::all_of_mut(&mut left.columns).iter_mut().for_each(|falcon| {
            falcon.place = std::array::from_fn(|axis| falcon.place[axis] - falcon.velocity[axis] / 64);
            falcon.energy -= 1;
        });
        assert_eq!(farthest(&present, &picture::through(&left, &before, &at(0.0), &world, &look)), 0, "{style:?}");
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
        let of = |points: &murmuration_core::points::Points| {
            picture::through(&state, points, &projection, &world(DEEP), &look(style))
        };
        let one = of(&points);
        assert!(one == of(&shuffled), "{style:?}: another order draws another picture");
        let pool = ThreadPool::new(Some(1), "test").unwrap();
        assert!(one == pool.install(|| of(&points)), "{style:?}: one thread draws another picture");
    }
}

#[test]
fn a_falcon_is_seen_in_pictures_of_points() {
    for extents in [DEEP, FLAT] {
        let with = swarm(extents);
        let without = State { columns: WorldColumns::default(), ..with.clone() };
        for style in [Style::Dusk, Style::Glow] {
            let [with, without] = [with.clone(), without.clone()]
                .map(|state| observe::picture(&state, None, &world(extents), &look(style)));
            assert!(farthest(&with, &without) > 60, "{extents:?} {style:?}: {}", farthest(&with, &without));
        }
    }
}

#[test]
fn a_falcon_that_flies_has_a_wake_that_fades() {
    let mut state = State::empty(DEEP);
    let flying = Falcon { place: [24 * 16, 20 * 16, 14 * 16], velocity: [2048, 0, 0], ..Falcon::default() };
    let projection = Projection::above([480, 400], [24.5, 20.5], 10.0);
    for style in [Style::Dusk, Style::Glow] {
        let mut seen = |falcons: &[Falcon]| {
            Falcon::set_all(falcons, &mut state.columns);
            let points = picture::seeded(&state, &world(DEEP), &Look::default());
            picture::through(&state, &points, &projection, &world(DEEP), &Look { bloom: 0.0, ..look(style) })
        };
        let (with, standing, without) = (seen(&[flying]), seen(&[Falcon { velocity: [0; 3], ..flying }]), seen(&[]));
        // How much a picture differs from the picture without a falcon, in levels, at the pixel `cells` cells behind
        // the falcon.
        let at = |picture: &Picture, cells: u32| {
            let first = 3 * (200 * 480 + (240 - 10 * cells) as usize);
            picture.bytes[first..][..3]
                .iter()
                .zip(&without.bytes[first..])
                .map(|(a, b)| a.abs_diff(*b) as u32)
                .sum::<u32>()
        };
        // The bird itself ends after five cells.
        let along = [6, 7, 8].map(|cells| at(&with, cells));
        assert!(along[0] > along[1] && along[1] > along[2] && along[2] > 3, "{style:?}: {along:?}");
        assert_eq!([at(&standing, 6), at(&with, 12)], [0; 2], "{style:?}");
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
    let bytes = std::fs::read(folder.path().join("frames/picture-000007.png")).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    let texts = &reader.info().uncompressed_latin1_text;
    assert!(texts.iter().any(|text| text.keyword == "murmuration:step" && text.text == "7"));
    // The sky is not dark.
    assert!(pixels[..3].iter().map(|byte| u32::from(*byte)).sum::<u32>() > 150, "{:?}", &pixels[..3]);
    let says = ["look.style: unknown value `noon`", "expected one of `dusk`, `glow`, `cloud`"];
    crate::input::bad_input::is_refused(&folder, &[&set[..], &["look.style=noon"]].concat(), &says);
}
