//! Falcons in pictures of points: birds whose pose depends on their state.

use crate::support::adapter::shared;
use crate::support::is_played;
use glam::{uvec2, vec3};
use murmuration::observe::Picture;
use murmuration_core::falcons::{CLIMBS, Falcon, STOOPS, WAITS, YIELDS};
use murmuration_core::look::{Look, Projection, Style};
use murmuration_core::picture;
use murmuration_core::state::State;
use murmuration_core::world::{Edges, Extents, FlightNumbers, Hunter, HunterKind, Mood, World};
use murmuration_gpu::look::{Camera, Orbit, PictureRenderer, ViewTransform};

const DEEP: Extents = Extents::deep(48, 40, 28);
const FLAT: Extents = Extents::flat(48, 40);
/// The usual speed of a falcon, in 1/1024 cell a step.
const USUAL: i32 = 2048;
/// The peak speed of a falcon, in 1/1024 cell a step.
const PEAK: i32 = 3072;
/// The number of steps that a falcon rests.
const REST: i32 = 60;

/// A world with this number of falcons.
fn world(extents: Extents, falcons: usize) -> World {
    let flight =
        FlightNumbers { start: [0; 3], speed: USUAL, peak: PEAK, turn: 400, sight: 30, distance: 20, rest: REST };
    let falcon = Hunter { kind: HunterKind::Falcon(flight), mood: Mood::Flee, reach: 10, jaws: 0 };
    World { hunters: vec![falcon; falcons], ..World::empty(extents, Edges::Walls) }
}

/// A falcon in the middle of a world, with this speed along a direction.
fn falcon(extents: Extents, phase: i32, energy: i32, direction: [f32; 3], speed: i32) -> Falcon {
    let place = extents.ends().map(|end| (end - 16) / 2);
    let length = direction.iter().map(|along| along * along).sum::<f32>().sqrt();
    let velocity = direction.map(|along| (along / length * speed as f32) as i32);
    Falcon { place, phase, energy, velocity, ..Falcon::default() }
}

/// A falcon in each phase and pose, along several directions.
fn poses(extents: Extents) -> Vec<Falcon> {
    let up = if extents.depth.is_some() { [0.1, -0.8, 0.4, -1.0] } else { [0.0; 4] };
    vec![
        falcon(extents, WAITS, 7, [1.0, 0.3, up[0]], USUAL),
        falcon(extents, WAITS, 12, [-0.2, 1.0, up[0]], USUAL),
        falcon(extents, WAITS, REST, [-0.2, -1.0, 0.0], USUAL),
        falcon(extents, STOOPS, 40, [0.4, 0.2, up[1]], (USUAL + PEAK) / 2),
        falcon(extents, STOOPS, 20, [-1.0, 0.2, up[1]], PEAK),
        falcon(extents, CLIMBS, 20, [-1.0, 0.7, up[2]], USUAL + 300),
        falcon(extents, CLIMBS, 30, [0.5, 0.7, up[2]], USUAL),
        falcon(extents, YIELDS, 0, [0.9, -0.7, 0.0], USUAL),
        // One falcon stands, and one falls straight down.
        falcon(extents, WAITS, 3, [1.0, 0.0, 0.0], 0),
        falcon(extents, STOOPS, 3, [if up[3] == 0.0 { 1.0 } else { 0.0 }, 0.0, up[3]], PEAK),
    ]
}

fn look(style: Style) -> Look {
    Look { style, ..Look::default() }
}

fn alone(falcon: Falcon, extents: Extents) -> State {
    let mut state = State::empty(extents);
    Falcon::set_all(&[falcon], &mut state.columns);
    state
}

fn farthest(one: &Picture, other: &Picture) -> u8 {
    one.bytes.iter().zip(&other.bytes).map(|(one, other)| one.abs_diff(*other)).max().unwrap()
}

#[test]
fn a_falcon_is_the_same_from_near_on_both_engines() {
    let Some(gpu) = shared("falcons from near on the GPU") else { return };
    let mut pictures = PictureRenderer::new(&gpu).unwrap();
    let size = uvec2(300, 240);
    for extents in [DEEP, FLAT] {
        let (world, without) = (world(extents, 1), State::empty(extents));
        for (index, falcon) in poses(extents).into_iter().enumerate() {
            let views = [(Style::Dusk, 5.0), (Style::Glow, 9.0), (Style::Dusk, 30.0), (Style::Glow, 60.0)];
            for (_, (style, cells)) in views.into_iter().enumerate().filter(|(view, _)| is_played(index + view, 2)) {
                let at = vec3(24.0, 20.0, 14.0);
                let transform: ViewTransform = match extents.depth {
                    Some(_) => {
                        let mut orbit = Orbit::first(extents, size);
                        (orbit.target, orbit.distance, orbit.yaw) = (at, cells, 0.7 * index as f32);
                        (orbit.pitch, orbit.least_pitch) = (0.4 * (index as f32).sin(), -1.0);
                        orbit.into()
                    }
                    None => Camera { centre: at.truncate(), pixels_per_cell: 450.0 / cells }.into(),
                };
                let look = look(style);
                let state = alone(falcon, extents);
                let drawn = pictures.view(&state, &world, &look, transform, size).unwrap();
                let projection = transform.projection(size);
                let twin = |state: &State| {
                    let points = picture::seeded(state, &world, &look);
                    picture::through(state, &points, &projection, &world, &look)
                };
                let apart = farthest(&drawn, &twin(&state));
                assert!(apart <= 2, "{extents:?} {style:?} from {cells} cells, {falcon:?}: {apart} levels apart");
                assert!(farthest(&drawn, &twin(&without)) > 40, "{style:?} from {cells} cells: {falcon:?} is not seen");
            }
        }
    }
}

/// The falcon is large enough that the device divides its work: one loop over all of its pixels has too many rounds for
/// llvmpipe.
#[test]
fn a_falcon_that_fills_a_picture_is_whole_on_both_engines() {
    let Some(gpu) = shared("a large falcon on the GPU") else { return };
    let mut pictures = PictureRenderer::new(&gpu).unwrap();
    let (size, world) = (uvec2(860, 840), world(FLAT, 1));
    let look = Look { bloom: 0.0, ..look(Style::Glow) };
    for direction in [[1.0, 0.0, 0.0], [0.6, -0.8, 0.0]] {
        let state = alone(falcon(FLAT, CLIMBS, 20, direction, USUAL), FLAT);
        let camera = Camera { centre: vec3(24.0, 20.0, 0.0).truncate(), pixels_per_cell: 60.0 };
        let drawn = pictures.view(&state, &world, &look, camera, size).unwrap();
        let points = picture::seeded(&state, &world, &look);
        let twin = picture::through(&state, &points, &ViewTransform::from(camera).projection(size), &world, &look);
        let apart = farthest(&drawn, &twin);
        assert!(apart <= 2, "{direction:?}: {apart} levels apart");
        let lit = twin.bytes.as_chunks::<3>().0.iter().filter(|pixel| pixel[0] > 100).count();
        assert!(lit > 60_000, "{direction:?}: {lit} pixels");
    }
}

/// The number of pixels that a falcon darkens at dusk, seen from straight above, and their extent along both axes, in
/// pixels. `behind`: the part of the last step by which the picture lags.
fn silhouette(falcon: Falcon, extents: Extents, behind: f32) -> (usize, [usize; 2]) {
    let (world, look) = (world(extents, 1), look(Style::Dusk));
    let projection = Projection { behind, ..Projection::above([400, 400], [24.0, 20.0], 20.0) };
    let seen =
        |state: &State| picture::through(state, &picture::seeded(state, &world, &look), &projection, &world, &look);
    let (with, without) = (seen(&alone(falcon, extents)), seen(&State::empty(extents)));
    let pixels = with.bytes.as_chunks::<3>().0.iter().zip(without.bytes.as_chunks::<3>().0);
    let dark: Vec<[usize; 2]> = (0..)
        .zip(pixels)
        .filter(|(_, (with, without))| with.iter().zip(*without).any(|(a, b)| a.abs_diff(*b) > 60))
        .map(|(index, _)| [index % 400, index / 400])
        .collect();
    let reach = [0, 1].map(|axis| {
        let along = dark.iter().map(|pixel| pixel[axis]);
        along.clone().max().unwrap() - along.min().unwrap()
    });
    (dark.len(), reach)
}

#[test]
fn wings_beat_in_level_flight_spread_in_a_climb_and_fold_in_a_stoop() {
    let up = [0.0, -1.0, 0.0];
    for extents in [DEEP, FLAT] {
        let of = |phase, energy, speed| silhouette(falcon(extents, phase, energy, up, speed), extents, 0.0);
        let climb = of(CLIMBS, 20, USUAL);
        let level: Vec<_> = (0..12).map(|energy| of(WAITS, energy, USUAL)).collect();
        let stoop = of(STOOPS, 20, PEAK);
        let [least, most] = [usize::min, usize::max].map(|pick| level.iter().map(|at| at.1[0]).reduce(pick).unwrap());
        assert!(most > least + 30, "{extents:?}: no wing beats: {level:?}");
        assert!(climb.1[0] >= most && climb.0 > level.iter().map(|at| at.0).max().unwrap(), "{climb:?} {level:?}");
        // In a stoop the silhouette has the form of a drop: it is longer than broad, and smaller than in a climb.
        assert!(stoop.1[1] > 2 * stoop.1[0] && 3 * stoop.1[0] < climb.1[0] && 2 * stoop.0 < climb.0, "{stoop:?}");
        // The wings fold and open with the speed, in every phase.
        for phase in [STOOPS, CLIMBS] {
            let widths = [USUAL, USUAL + 300, USUAL + 600, PEAK].map(|speed| of(phase, 20, speed).1[0]);
            assert!(widths.is_sorted_by(|a, b| a > b), "{extents:?}: {widths:?}");
        }
        assert_eq!(of(STOOPS, 20, PEAK), of(CLIMBS, 20, PEAK));
    }
}

#[test]
fn a_rested_falcon_that_sees_nothing_and_one_that_yields_glide_as_in_a_climb() {
    let of = |phase, energy| silhouette(falcon(DEEP, phase, energy, [0.0, -1.0, 0.0], USUAL), DEEP, 0.0);
    let climb = of(CLIMBS, 20);
    assert_eq!([of(WAITS, REST), of(YIELDS, 0)], [climb; 2]);
    assert_ne!(of(WAITS, REST - 1), climb);
}

#[test]
fn between_two_steps_wings_are_on_their_way() {
    let of = |energy, behind| silhouette(falcon(DEEP, WAITS, energy, [0.0, -1.0, 0.0], USUAL), DEEP, behind);
    let mut widths = Vec::new();
    for energy in 1..12 {
        // The extents may differ by a pixel, because the falcon is at another place, in front of another part of the
        // sky.
        assert!(of(energy, 1.0).1[0].abs_diff(of(energy - 1, 0.0).1[0]) <= 1, "{energy}");
        widths.extend([0.75, 0.5, 0.25, 0.0].map(|behind| of(energy, behind).1[0]));
    }
    let widest = widths.windows(2).map(|pair| pair[0].abs_diff(pair[1])).max().unwrap();
    let [least, most] = [usize::min, usize::max].map(|pick| widths.iter().copied().reduce(pick).unwrap());
    assert!(3 * widest < most - least, "a jump of {widest} pixels: {widths:?}");
}

/// Without flight limits, as in the picture of a state alone, the phase determines whether the wings are folded.
#[test]
fn without_a_peak_the_phase_folds_the_wings() {
    let (look, projection) = (look(Style::Dusk), Projection::above([400, 400], [24.0, 20.0], 20.0));
    let seen = |phase, falcons| {
        let state = alone(falcon(DEEP, phase, 20, [0.0, -1.0, 0.0], USUAL), DEEP);
        let world = world(DEEP, falcons);
        picture::through(&state, &picture::seeded(&state, &world, &look), &projection, &world, &look)
    };
    assert!(seen(CLIMBS, 0) == seen(CLIMBS, 1));
    assert!(seen(STOOPS, 0) != seen(STOOPS, 1));
}
