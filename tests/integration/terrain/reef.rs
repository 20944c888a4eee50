//! Pictures of individuals among rock.

use crate::look::device::farthest;
use crate::program::outputs::decode;
use crate::support::adapter::shared;
use crate::support::command::Folder;
use glam::{UVec2, UVec3, Vec3, uvec2, vec3};
use murmuration::observe::Picture;
use murmuration_core::falcons::Falcon;
use murmuration_core::individuals::deposit::deposit;
use murmuration_core::look::{Look, Style};
use murmuration_core::numbers::BOID;
use murmuration_core::state::{Individuals, State};
use murmuration_core::world::{Edges, Extents, ScalarField, Space, World};
use murmuration_gpu::device::program;
use murmuration_gpu::look::{Orbit, Part, PictureRenderer, SwarmRenderer, SwarmSource, download};
use std::f32::consts::PI;
use std::sync::Arc;
use std::time::{Duration, Instant};

const EXTENTS: UVec3 = UVec3::new(48, 40, 32);
const SIZE: UVec2 = uvec2(320, 200);
/// The centre of the ball of rock.
const MIDDLE: Vec3 = vec3(24.0, 20.0, 16.0);
const RADIUS: f32 = 7.0;

/// A world of water with a ball of rock. `radius` is in cells; with a negative radius the world has no rock.
fn world(radius: f32) -> World {
    let extents = Extents::deep(EXTENTS.x, EXTENTS.y, EXTENTS.z);
    let value = |index| {
        let away = Vec3::from(extents.cell(index).map(|along| along as f32 + 0.5)) - MIDDLE;
        (2048.0 * (radius - away.length())).clamp(-32_767.0, 32_767.0) as i16
    };
    let terrain = ScalarField { extents, values: (0..extents.cells()).map(value).collect() };
    World { rock: Some(Arc::new(terrain)), ..World::empty(extents.columns(), Edges::Walls) }
}

/// The picture of a world with fish, and its orbit. `fish`: their places in cells. All fish head right.
fn picture(pictures: &mut PictureRenderer, world: &World, fish: &[Vec3]) -> (Picture, Orbit) {
    let look =
        Look { bloom: 0.0, exposure: 0.5, point_size: 3.0, view: Some([[0.5, 1.6, 0.5], [0.5; 3]]), ..Look::default() };
    let orbit = Orbit::from_look(world, EXTENTS.z, &look, SIZE);
    let mut individuals = Individuals::default();
    for (number, place) in fish.iter().enumerate() {
        individuals.push(number as u32, (65_536.0 * *place).as_ivec3().to_array(), [8_000, 0, 0]);
    }
    let seen = deposit(&individuals, &Space { extents: EXTENTS.to_array(), edges: Edges::Walls });
    let (source, individuals) = ((&seen).into(), Some((&individuals).into()));
    let part = Part { source, individuals, world, transform: orbit.into(), pane: SIZE.into() };
    (pictures.next(&[part], &look, SIZE).unwrap(), orbit)
}

/// Red, green and blue at the pixel of a place in the world.
fn colour(picture: &Picture, orbit: &Orbit, place: Vec3) -> [i32; 3] {
    let pixel = orbit.pixel_at(SIZE, place).unwrap().as_uvec2();
    let at = 3 * (pixel.y * picture.width + pixel.x) as usize;
    std::array::from_fn(|channel| i32::from(picture.bytes[at + channel]))
}

fn apart(one: [i32; 3], other: [i32; 3]) -> i32 {
    one.iter().zip(other).map(|(one, other)| (one - other).abs()).max().unwrap()
}

#[test]
fn rock_stands_before_the_water_and_hides_the_fish_behind_it() {
    let Some(gpu) = shared("the look on the GPU") else { return };
    let mut pictures = PictureRenderer::new(&gpu).unwrap();
    let (water, orbit) = picture(&mut pictures, &world(-1.0), &[]);
    let rocky = world(RADIUS);
    let (rock, _) = picture(&mut pictures, &rocky, &[]);
    let around = |part: f32| {
        (0..12)
            .map(move |k| f32::to_radians(30.0 * k as f32))
            .map(move |angle| MIDDLE + part * RADIUS * vec3(angle.cos(), 0.0, angle.sin()))
    };
    // Only the upper half of the ball is checked, because the lower half is as dark as the water.
    for place in around(0.85).filter(|place| place.z >= MIDDLE.z) {
        let [open, covered] = [&water, &rock].map(|picture| colour(picture, &orbit, place));
        assert!(open.iter().sum::<i32>() > 30, "the water is black: {open:?}");
        assert!(apart(open, covered) > 8, "no rock at {place}: {open:?} and {covered:?}");
    }
    // Beside the ball the water has nearly the same colour as in the world without rock.
    for place in around(1.25) {
        let [open, beside] = [&water, &rock].map(|picture| colour(picture, &orbit, place));
        assert!(apart(open, beside) < 8, "rock at {place}: {open:?} and {beside:?}");
    }
    let above = |picture: &Picture| colour(picture, &orbit, MIDDLE + 0.7 * RADIUS * Vec3::Z).iter().sum::<i32>();
    let below = |picture: &Picture| colour(picture, &orbit, MIDDLE - 0.7 * RADIUS * Vec3::Z).iter().sum::<i32>();
    assert!(above(&rock) > below(&rock) + 20, "light does not come from above: {} and {}", above(&rock), below(&rock));

    let [behind, before] = [-1.0, 1.0].map(|side| MIDDLE + side * vec3(0.0, 12.0, 0.0));
    let (hidden, _) = picture(&mut pictures, &rocky, &[behind]);
    // A picture with fish also shows the edges of the world as lines. No line is in front of the ball, so all pixels
    // near the hidden fish are unchanged.
    for step in 0..25 {
        let place = behind + 0.5 * vec3((step % 5 - 2) as f32, 0.0, (step / 5 - 2) as f32);
        let [without, with] = [&rock, &hidden].map(|picture| colour(picture, &orbit, place));
        assert!(apart(without, with) <= 1, "a fish is seen through rock: {without:?} and {with:?}");
    }
    let (shown, _) = picture(&mut pictures, &world(-1.0), &[behind]);
    assert!(apart(colour(&shown, &orbit, behind), colour(&water, &orbit, behind)) > 20, "no fish in the water");
    let (shown, _) = picture(&mut pictures, &rocky, &[before]);
    assert!(apart(colour(&shown, &orbit, before), colour(&rock, &orbit, before)) > 20, "no fish before the rock");
    // The first picture, of water alone, is drawn again. It contains nothing of the pictures after it.
    assert_eq!(farthest(&picture(&mut pictures, &world(-1.0), &[]).0, &water), 0);
}

#[test]
fn a_preset_with_terrain_is_rendered_from_the_eye_that_it_names() {
    let Some(_) = shared("rendered rock") else { return };
    let folder = Folder::new();
    let preset = |eye: &str| {
        format!(
            "description = \"a reef\"\nmodel = \"agents\"\n[world]\nsize = [48, 40, 32]\nedges = \"walls\"\n\
             [world.terrain]\nbase = \"water\"\n[[world.terrain.shape]]\n\
             sphere = {{ at = [0.5, 0.5, 0.5], radius = 0.3 }}\n\
             [agents]\nrules = \"school\"\nforce = 0.01\n[start]\nboids = 40\n[movement]\nmax = 0.3\n\
             [sight.cohesion]\ndisc = 6\n[sight.separation]\ndisc = 2\n[sight.alignment]\ndisc = 4\n\
             [weights]\ncohesion = 0.1\nseparation = 0.1\nalignment = 0.1\n[look]\n{eye}\n"
        )
    };
    let mut drawn = Vec::new();
    for (name, eye) in [
        ("whole", ""),
        ("near", "eye = [0.5, 1.2, 0.6]"),
        ("beside", "eye = [0.5, 1.2, 0.6]\ntarget = [0.0, 0.5, 0.5]"),
    ] {
        folder.write(&format!("{name}.toml"), preset(eye));
        let run = [
            "render",
            &format!("{name}.toml"),
            "--steps",
            "2",
            "--every",
            "2",
            "--out",
            name,
            "--film",
            &format!("{name}.apng"),
        ];
        folder.run(&run).succeeded();
        let picture = decode(&folder.join(&format!("{name}/picture-000002.png")));
        assert_eq!(picture.size, (1280, 800));
        let middle = &picture.bytes[3 * (400 * 1280 + 640)..][..3];
        assert!(middle.iter().map(|level| u32::from(*level)).sum::<u32>() > 20, "{name} is black: {middle:?}");
        drawn.push(picture.bytes);
    }
    assert!(drawn[0] != drawn[1] && drawn[1] != drawn[2], "the eye changes nothing");
    folder.write("wrong.toml", preset("target = [0.5, 0.5, 0.5]"));
    let wrong = folder.run(&["render", "wrong.toml", "--steps", "1"]);
    assert!(wrong.complaint().contains("look.target: means nothing without look.eye"), "{}", wrong.complaint());
}

/// The picture of cells in a ball at a place, with the orbit of [`picture`].
fn picture_of_cells(pictures: &mut PictureRenderer, world: &World, at: Vec3) -> (Picture, Orbit) {
    let look = Look {
        bloom: 0.0,
        exposure: 0.5,
        style: Style::Glow,
        view: Some([[0.5, 1.6, 0.5], [0.5; 3]]),
        trails: 0.0,
        ..Look::default()
    };
    let extents = Extents::deep(EXTENTS.x, EXTENTS.y, EXTENTS.z);
    let world = World { extents, ..world.clone() };
    let mut state = State::empty(extents);
    for index in 0..extents.cells() {
        let away = Vec3::from(extents.cell(index).map(|along| along as f32 + 0.5)) - at;
        state.layers[0].density[index] = if away.length() < 3.0 { 4 * BOID } else { 0 };
    }
    let orbit = Orbit::from_look(&world, EXTENTS.z, &look, SIZE);
    let source = SwarmSource::from(state);
    let part = Part { source, individuals: None, world: &world, transform: orbit.into(), pane: SIZE.into() };
    (pictures.next(&[part], &look, SIZE).unwrap(), orbit)
}

#[test]
fn rock_hides_the_cells_behind_it_and_is_lit_by_those_before_it() {
    let Some(gpu) = shared("the look on the GPU") else { return };
    let mut pictures = PictureRenderer::new(&gpu).unwrap();
    let [behind, before] = [-1.0, 1.0].map(|side| MIDDLE + side * vec3(0.0, 12.0, 0.0));
    // The mean over a square of pixels, because the gaps between boids are dark.
    let bright = |picture: &Picture, orbit: &Orbit, place: Vec3| {
        let middle = orbit.pixel_at(SIZE, place).unwrap().as_uvec2() - 6;
        let pixels = (0..169).map(|index| middle + uvec2(index % 13, index / 13));
        let at = pixels.map(|pixel| 3 * (pixel.y * picture.width + pixel.x) as usize);
        at.flat_map(|at| &picture.bytes[at..at + 3]).map(|level| i32::from(*level)).sum::<i32>() / 169
    };
    let nobody = vec3(2.0, 2.0, 2.0);
    let (rock, orbit) = picture_of_cells(&mut pictures, &world(RADIUS), nobody);
    let (open, _) = picture_of_cells(&mut pictures, &world(-1.0), behind);
    let (hidden, _) = picture_of_cells(&mut pictures, &world(RADIUS), behind);
    let [open, hidden_there] = [&open, &hidden].map(|picture| bright(picture, &orbit, behind));
    assert!(open > hidden_there + 60, "a swarm is seen through rock: {open} and {hidden_there}");
    assert!(apart(colour(&rock, &orbit, behind), colour(&hidden, &orbit, behind)) < 20, "it lights what hides it");
    let (shown, _) = picture_of_cells(&mut pictures, &world(RADIUS), before);
    let [shown_there, rock_there] = [&shown, &rock].map(|picture| bright(picture, &orbit, before));
    assert!(shown_there > rock_there + 60, "no swarm before the rock: {shown_there} and {rock_there}");
    // A place on the ball, behind the swarm and beside it in the picture.
    let beside = MIDDLE + 0.75 * RADIUS * vec3(0.0, 0.2, -1.0);
    let [dark, lit] = [&rock, &shown].map(|picture| bright(picture, &orbit, beside));
    assert!(lit > dark + 10, "the swarm does not light the rock: {dark} and {lit}");
}

#[test]
fn a_falcon_among_fish_is_a_shark() {
    let Some(gpu) = shared("the look on the GPU") else { return };
    let mut pictures = PictureRenderer::new(&gpu).unwrap();
    let place = MIDDLE + vec3(0.0, 12.0, 0.0);
    let mut shown = Vec::new();
    for falcons in [
        Vec::new(),
        vec![Falcon {
            place: (16.0 * (place - 0.5)).as_ivec3().to_array(),
            velocity: [900, 0, 0],
            ..Falcon::default()
        }],
    ] {
        let look = Look { bloom: 0.0, view: Some([[0.5, 1.6, 0.5], [0.5; 3]]), ..Look::default() };
        let world = world(-1.0);
        let orbit = Orbit::from_look(&world, EXTENTS.z, &look, SIZE);
        let mut individuals = Individuals::default();
        individuals.push(0, [1 << 16; 3], [8_000, 0, 0]);
        let mut seen = deposit(&individuals, &Space { extents: EXTENTS.to_array(), edges: Edges::Walls });
        Falcon::set_all(&falcons, &mut seen.columns);
        let (source, individuals) = ((&seen).into(), Some((&individuals).into()));
        let part = Part { source, individuals, world: &world, transform: orbit.into(), pane: SIZE.into() };
        let picture = pictures.next(&[part], &look, SIZE).unwrap();
        shown.push(colour(&picture, &orbit, place));
    }
    assert!(apart(shown[0], shown[1]) > 20, "{shown:?}");
}

/// The frames of a window come at once, even if the surface of the rock is not ready. The last frame equals a picture
/// that waits for the surface.
#[test]
fn a_frame_that_does_not_wait_gets_its_rock_later() {
    let Some(gpu) = shared("the look on the GPU") else { return };
    let rocky = world(RADIUS);
    let look = Look { view: Some([[0.5, 1.6, 0.5], [0.5; 3]]), ..Look::default() };
    let orbit = Orbit::from_look(&rocky, EXTENTS.z, &look, SIZE);
    let mut individuals = Individuals::default();
    individuals.push(0, [1 << 16; 3], [8_000, 0, 0]);
    let seen = deposit(&individuals, &Space { extents: EXTENTS.to_array(), edges: Edges::Walls });
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
    let target = program::texture(&gpu.device, "frame", SIZE.to_array(), format, 1, usage);
    let mut renderer = SwarmRenderer::new(murmuration::LIBRARY, &gpu.device, gpu.queue(), format)
        .unwrap_or_else(|wrong| panic!("{wrong}"));
    let mut frame = |waits: bool| {
        renderer.set_waiting(waits);
        renderer.show(SwarmSource::from(&seen), &rocky);
        renderer.show_individuals(Some(&(&individuals).into()));
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        renderer.draw(&mut encoder, &target.create_view(&Default::default()), SIZE, &orbit.into(), &look);
        gpu.queue().submit([encoder.finish()]);
        renderer.submitted();
        (download(&gpu, &target).unwrap(), renderer.is_unfinished())
    };
    let (first, is_unfinished) = frame(false);
    assert!(is_unfinished, "all of it was made in the first frame");
    let begun = Instant::now();
    let last = loop {
        let (picture, is_unfinished) = frame(false);
        if !is_unfinished {
            break picture;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "the rock never comes");
    };
    assert!(farthest(&first, &last) > 8, "the rock was there at once");
    let whole = frame(true).0;
    assert_eq!(farthest(&whole, &last), 0);
}

/// Painted columns look like rock until they are erased.
#[test]
fn what_a_brush_paints_is_seen_as_rock() {
    let Some(gpu) = shared("the look on the GPU") else { return };
    let mut pictures = PictureRenderer::new(&gpu).unwrap();
    let open = world(-1.0);
    let columns = EXTENTS.x * EXTENTS.y;
    let away = |index: u32| vec3((index % EXTENTS.x) as f32, (index / EXTENTS.x) as f32, MIDDLE.z) + 0.5 - MIDDLE;
    let is_under_brush = |index: u32| away(index).truncate().length() < RADIUS;
    let painted = World { solids: Arc::new((0..columns).map(is_under_brush).collect()), ..open.clone() };
    let (water, orbit) = picture(&mut pictures, &open, &[]);
    let (rock, _) = picture(&mut pictures, &painted, &[]);
    let seen = |place: Vec3| [&water, &rock].map(|picture| colour(picture, &orbit, place));
    for step in 0..8 {
        let height = (step as f32 - 2.0) * Vec3::Z;
        let [before, after] = seen(MIDDLE + height);
        assert!(apart(before, after) > 8, "no rock at {}: {before:?} and {after:?}", MIDDLE + height);
        let [before, after] = seen(MIDDLE + height + 1.5 * RADIUS * Vec3::X);
        assert!(apart(before, after) < 8, "rock beside the brush: {before:?} and {after:?}");
    }
    let erased = World { solids: Arc::new(vec![false; columns as usize]), ..open.clone() };
    assert_eq!(farthest(&picture(&mut pictures, &erased, &[]).0, &water), 0);
}

#[test]
fn an_eye_that_follows_has_no_rock_before_it() {
    let rocky = world(RADIUS);
    let field = rocky.rock.as_ref().unwrap();
    let target = MIDDLE + vec3(0.0, 12.0, 0.0);
    let behind = Orbit {
        target,
        distance: 30.0,
        yaw: PI,
        pitch: 0.0,
        ..Orbit::from_look(&rocky, EXTENTS.z, &Look::default(), SIZE)
    };
    assert!(behind.eye().0.y < MIDDLE.y - RADIUS, "the ball is not between them: {}", behind.eye().0);
    let mut near = behind;
    near.see_target(field);
    assert!(near.eye().0.y > MIDDLE.y + RADIUS && near.distance < 6.0, "{near:?}");
    let mut beside = Orbit { yaw: 0.0, ..behind };
    beside.see_target(field);
    assert_eq!(beside.distance, 30.0);
}

#[test]
fn the_eye_comes_out_of_rock() {
    let rocky = world(RADIUS);
    let field = rocky.rock.as_ref().unwrap();
    let mut orbit = Orbit::from_look(&rocky, EXTENTS.z, &Look::default(), SIZE);
    let outside = orbit;
    orbit.leave_rock(field);
    assert_eq!(orbit, outside, "an eye in water stays");
    // The target of the eye is the centre of the ball, then places beside it.
    for (target, distance) in [(MIDDLE, 3.0), (MIDDLE + vec3(0.0, 2.0, 0.0), 1.0), (MIDDLE + vec3(9.5, 0.0, 0.0), 6.0)]
    {
        for yaw in [0.3, 1.7, 4.0] {
            let mut orbit = Orbit { target, distance, yaw, ..outside };
            orbit.leave_rock(field);
            let away = (orbit.eye().0 - MIDDLE).length();
            assert!(away > RADIUS, "{target} {distance} {yaw}: the eye is {away} cells from the middle of the ball");
            assert_eq!((orbit.target, orbit.yaw), (target, yaw));
        }
    }
}
