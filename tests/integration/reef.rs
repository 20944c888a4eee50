//! Pictures of individuals among rock.

use crate::adapter::shared;
use crate::command::Folder;
use crate::look::farthest;
use crate::outputs::decode;
use glam::{UVec2, UVec3, Vec3, uvec2, vec3};
use murmuration::individuals::deposit::deposit;
use murmuration::individuals::{Agents, Space};
use murmuration::look::{Orbit, Part, PictureRenderer};
use murmuration::observe::Picture;
use murmuration::preset::Look;
use murmuration::world::{Edges, Extents, ScalarField, World};
use std::sync::Arc;

const EXTENTS: UVec3 = UVec3::new(48, 40, 32);
const SIZE: UVec2 = uvec2(320, 200);
/// The ball of rock.
const MIDDLE: Vec3 = vec3(24.0, 20.0, 16.0);
const RADIUS: f32 = 7.0;

/// A world of water with a ball of rock, or with none.
fn world(radius: f32) -> World {
    let extents = Extents::deep(EXTENTS.x, EXTENTS.y, EXTENTS.z);
    let value = |index| {
        let away = Vec3::from(extents.cell(index).map(|along| along as f32 + 0.5)) - MIDDLE;
        (2048.0 * (radius - away.length())).clamp(-32_767.0, 32_767.0) as i16
    };
    let terrain = ScalarField { extents, values: (0..extents.cells()).map(value).collect() };
    World { terrain: Some(Arc::new(terrain)), ..World::empty(extents.columns(), Edges::Walls) }
}

/// The picture of fish at these places, all of which swim to the right, and how it is seen.
fn picture(pictures: &mut PictureRenderer, world: &World, fish: &[Vec3]) -> (Picture, Orbit) {
    let look =
        Look { bloom: 0.0, exposure: 0.5, point_size: 3.0, view: Some([[0.5, 1.6, 0.5], [0.5; 3]]), ..Look::default() };
    let orbit = Orbit::of_look(world, EXTENTS.z, &look, SIZE);
    let mut agents = Agents::default();
    for (number, place) in fish.iter().enumerate() {
        agents.push(number as u32, (65_536.0 * *place).as_ivec3().to_array(), [8_000, 0, 0]);
    }
    let seen = deposit(&agents, &Space { extents: EXTENTS.to_array(), edges: Edges::Walls });
    let (source, agents) = ((&seen).into(), Some((&agents).into()));
    let part = Part { source, agents, world, transform: orbit.into(), pane: SIZE.into(), steps: 1 };
    (pictures.next(&[part], &look, SIZE).unwrap(), orbit)
}

/// Red, green and blue where a place of the world is seen.
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
    // From below it is as dark as the water.
    for place in around(0.85).filter(|place| place.z >= MIDDLE.z) {
        let [open, covered] = [&water, &rock].map(|picture| colour(picture, &orbit, place));
        assert!(open.iter().sum::<i32>() > 30, "the water is black: {open:?}");
        assert!(apart(open, covered) > 8, "no rock at {place}: {open:?} and {covered:?}");
    }
    // Beside the ball is the same water, with a little less light in it.
    for place in around(1.25) {
        let [open, beside] = [&water, &rock].map(|picture| colour(picture, &orbit, place));
        assert!(apart(open, beside) < 8, "rock at {place}: {open:?} and {beside:?}");
    }
    let above = |picture: &Picture| colour(picture, &orbit, MIDDLE + 0.7 * RADIUS * Vec3::Z).iter().sum::<i32>();
    let below = |picture: &Picture| colour(picture, &orbit, MIDDLE - 0.7 * RADIUS * Vec3::Z).iter().sum::<i32>();
    assert!(above(&rock) > below(&rock) + 20, "light does not come from above: {} and {}", above(&rock), below(&rock));

    let [behind, before] = [-1.0, 1.0].map(|side| MIDDLE + side * vec3(0.0, 12.0, 0.0));
    let (hidden, _) = picture(&mut pictures, &rocky, &[behind]);
    // Around fish the edges of the world are drawn, but not before the ball.
    for step in 0..25 {
        let place = behind + 0.5 * vec3((step % 5 - 2) as f32, 0.0, (step / 5 - 2) as f32);
        let [without, with] = [&rock, &hidden].map(|picture| colour(picture, &orbit, place));
        assert!(apart(without, with) <= 1, "a fish is seen through rock: {without:?} and {with:?}");
    }
    let (shown, _) = picture(&mut pictures, &world(-1.0), &[behind]);
    assert!(apart(colour(&shown, &orbit, behind), colour(&water, &orbit, behind)) > 20, "no fish in the water");
    let (shown, _) = picture(&mut pictures, &rocky, &[before]);
    assert!(apart(colour(&shown, &orbit, before), colour(&rock, &orbit, before)) > 20, "no fish before the rock");
    // The first world comes again, without what was drawn since.
    assert_eq!(farthest(&picture(&mut pictures, &world(-1.0), &[]).0, &water), 0);
}

#[test]
fn a_preset_with_terrain_is_rendered_from_the_eye_that_it_names() {
    let Some(_) = shared("rendered rock") else { return };
    let folder = Folder::new();
    let preset = |eye: &str| {
        format!(
            "description = \"a reef\"\nmodel = \"agents\"\n[world]\nsize = [48, 40, 32]\nedges = \"walls\"\n\
             [world.terrain]\nbase = \"water\"\n[[world.terrain.shape]]\nsphere = {{ at = [0.5, 0.5, 0.5], radius = 0.3 }}\n\
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
        let picture = decode(&folder.join(&format!("{name}/glow-000002.png")));
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
