//! The rules of deep worlds against their equations in f64.
//!
//! As in the flat oracle, the inputs are exact: perceived densities p and control vectors are integers. Each bound is
//! derived above its rule. Its unit is 1/1024, the unit of the rule's vector. The flight of falcons in f64 is in
//! `falcons`.

use crate::deep::gpu::random;
use crate::support::random::Random;
use crate::support::scenes::{EDGES, Player, Scene, chain, chain_of};
use murmuration_core::cells::numbers::Parameters;
use murmuration_core::cells::rules::control_of_steering;
use murmuration_core::cells::sight::Sight;
use murmuration_core::chain::DEFAULT;
use murmuration_core::falcons::{Falcon, STOOPS};
use murmuration_core::numbers::{ONE, RULE_ONE, Vector3};
use murmuration_core::world::{Edges, FlightNumbers, Hunter, HunterKind, Mood};

/// The tolerance for rounding errors of the oracle itself, in the unit of the compared values.
pub const FLOAT: f64 = 1e-6;
pub const UNIT: f64 = RULE_ONE as f64;
pub const AXES: [usize; 3] = [0, 1, 2];

pub type Real3 = [f64; 3];

/// A perceived cell: its offset, its perceived density, and its velocity (cells a step).
struct Sample {
    s: Real3,
    p: f64,
    v: Real3,
}

/// The index of the cell at a place; `None`: outside of the world.
pub fn cell_at(scene: &Scene, place: Vector3) -> Option<usize> {
    let ends = scene.world.extents.along_axes().map(|extent| extent as i32);
    let place = match scene.world.edges {
        Edges::Torus => AXES.map(|axis| place[axis].rem_euclid(ends[axis])),
        Edges::Walls => place,
    };
    let is_inside = AXES.iter().all(|axis| (0..ends[*axis]).contains(&place[*axis]));
    is_inside.then(|| ((place[2] * ends[1] + place[1]) * ends[0] + place[0]) as usize)
}

pub fn heading(scene: &Scene, cell: usize) -> Real3 {
    scene.start.layers[0].velocity(cell).map(|component| f64::from(component) / f64::from(ONE))
}

fn perceived(scene: &Scene, place: Vector3) -> f64 {
    let p = |cell: usize| (scene.start.layers[0].density[cell] >> scene.rules.shift).min(scene.rules.most_perceived());
    cell_at(scene, place).map_or(0.0, |cell| f64::from(p(cell)))
}

pub fn plus(a: Vector3, b: Vector3) -> Vector3 {
    AXES.map(|axis| a[axis] + b[axis])
}

/// Equations 1 and 5: the samples at x + s.
fn samples(scene: &Scene, rule: &str, x: Vector3) -> Vec<Sample> {
    let sample = |s: &Vector3| {
        let there = plus(x, *s);
        cell_at(scene, there).map(|cell| Sample {
            s: s.map(f64::from),
            p: perceived(scene, there),
            v: heading(scene, cell),
        })
    };
    scene.rules.sights[rule].vectors().iter().filter_map(sample).collect()
}

/// The value of a rule by its equation, and the bound on the kernel's error on each axis, in 1/1024.
struct Expected {
    v: Real3,
    bound: Real3,
}

/// Equation 2, scaled by the reach, or the contrast. The sums are exact, so the only error is one rounding: 1/2.
fn expected_cohesion(scene: &Scene, x: Vector3) -> Expected {
    let sight = &scene.rules.sights["cohesion"];
    let v = if let Some(contrast) = sight.as_contrast() {
        expected_contrast(scene, contrast.radii, x)
    } else {
        let samples = samples(scene, "cohesion", x);
        let seen: f64 = samples.iter().map(|sample| sample.p).sum();
        let centre = |axis: usize| samples.iter().map(|sample| sample.s[axis] * sample.p).sum::<f64>();
        AXES.map(|axis| if seen > 0.0 { centre(axis) / seen / f64::from(sight.reach()) } else { 0.0 })
    };
    Expected { v, bound: [0.5; 3] }
}

/// The vector of cohesion by contrast in the cell x, on the axis i of n axes:
///   n·(C(x+e_i) − C(x−e_i)) / Σ_j (C(x+e_j) + C(x−e_j))
/// C is the perceived density blurred by two boxes. e_i is one cell along the axis i.
fn expected_contrast(scene: &Scene, radii: [i32; 2], x: Vector3) -> Real3 {
    let axes = scene.world.extents.axes();
    // The weight of a cell at an offset along an axis after both blurs: the number of pairs (a, b) with a + b =
    // offset, |a| ≤ first and |b| ≤ second.
    let [first, second] = radii;
    let along = |offset: i32| (-first..=first).filter(|a| (offset - a).abs() <= second).count() as f64;
    let reach = first + second;
    let depth = if axes == 3 { reach } else { 0 };
    let blurred = |x: Vector3| {
        let mut sum = 0.0;
        for dz in -depth..=depth {
            for dy in -reach..=reach {
                for dx in -reach..=reach {
                    let weight = along(dx) * along(dy) * if axes == 3 { along(dz) } else { 1.0 };
                    sum += weight * perceived(scene, plus(x, [dx, dy, dz]));
                }
            }
        }
        sum
    };
    let step = |axis: usize, by: i32| AXES.map(|other| if other == axis { by } else { 0 });
    let mut pairs = [[0.0; 2]; 3];
    for axis in 0..axes {
        pairs[axis] = [-1, 1].map(|by| blurred(plus(x, step(axis, by))));
    }
    let all: f64 = pairs.iter().flatten().sum();
    pairs.map(|[behind, ahead]| if all > 0.0 { axes as f64 * (ahead - behind) / all } else { 0.0 })
}

/// Equation 3, scaled by the crowd, clamped to ±4. Each s/|s|² was rounded by at most 1/2, unless it is exact, and is
/// weighted by p/crowd. The result is rounded once more.
fn expected_separation(scene: &Scene, x: Vector3) -> Expected {
    let crowd = f64::from(scene.rules.crowd);
    let (mut v, mut bound) = ([0.0; 3], [0.5; 3]);
    for Sample { s, p, .. } in samples(scene, "separation", x).iter().filter(|sample| sample.s != [0.0; 3]) {
        let square: f64 = s.iter().map(|part| part * part).sum();
        for axis in AXES {
            let pull = s[axis] / square;
            v[axis] -= p * pull / crowd;
            bound[axis] += if (pull * UNIT).fract() == 0.0 { 0.0 } else { p * 0.5 / crowd };
        }
    }
    Expected { v: v.map(|component| component.clamp(-4.0, 4.0)), bound }
}

/// Equation 4. Every V was rounded by at most 1/2, so their mean with positive weights has at most this error. The mean
/// is rounded once more, and the subtracted V was rounded too: 3/2.
fn expected_alignment(scene: &Scene, x: Vector3) -> Expected {
    let samples = samples(scene, "alignment", x);
    let seen: f64 = samples.iter().map(|sample| sample.p).sum();
    let own = heading(scene, cell_at(scene, x).unwrap());
    let mean = |axis: usize| samples.iter().map(|sample| sample.v[axis] * sample.p).sum::<f64>() / seen;
    let v = AXES.map(|axis| if seen > 0.0 { mean(axis) - own[axis] } else { 0.0 });
    Expected { v, bound: [1.5; 3] }
}

/// The short offset between two places along an axis, in cells. The second value is 0 instead of an offset of exactly
/// half a torus.
fn short_way(scene: &Scene, axis: usize, from: f64, to: f64) -> [f64; 2] {
    let extent = f64::from(scene.world.extents.along_axes()[axis]);
    let straight = to - from;
    match scene.world.edges {
        Edges::Walls => [straight; 2],
        Edges::Torus => {
            let short = straight - extent * (straight / extent).round();
            [short, if 2.0 * short.abs() == extent { 0.0 } else { short }]
        }
    }
}

/// The sum over all hunters, each component clamped to ±4.
fn expected_hunter(scene: &Scene, x: Vector3) -> Expected {
    let all: Vec<Expected> =
        scene.world.hunters.iter().map(|hunter| expected_of_one_hunter(scene, hunter, x)).collect();
    let sum = |axis: usize| all.iter().map(|one| one.v[axis]).sum::<f64>().clamp(-4.0, 4.0);
    let bound = |axis: usize| all.iter().map(|one| one.bound[axis]).sum::<f64>();
    Expected { v: AXES.map(sum), bound: AXES.map(bound) }
}

/// A vector away from or towards the hunter, which is a point or a column, times a fade from 1 at the hunter to 0 at
/// its reach. The kernel rounds the distance of the hunter down to ℓ, in 1/16 cell. So the direction is too long by at
/// most 1/ℓ of itself, plus a rounding. The fade has an error of at most 1/16 cell of the reach, plus a rounding. The
/// product is rounded once more.
fn expected_of_one_hunter(scene: &Scene, hunter: &Hunter, x: Vector3) -> Expected {
    let nothing = Expected { v: [0.0; 3], bound: [0.0; 3] };
    let HunterKind::Path { corners, is_column, .. } = &hunter.kind else { panic!("the hunter walks") };
    let reach = f64::from(hunter.reach);
    // A component of the distance beyond the reach ends the rule, even if it is exactly half a torus and has no
    // direction.
    let mut is_beyond = false;
    let away = AXES.map(|axis| {
        if axis == 2 && *is_column {
            return 0.0;
        }
        let [short, decided] = short_way(scene, axis, f64::from(corners[0][axis]) / 16.0, f64::from(x[axis]));
        is_beyond |= short.abs() > reach;
        decided
    });
    let distance = long(away);
    if is_beyond || distance == 0.0 || distance >= reach {
        return nothing;
    }
    let sign = if hunter.mood == Mood::Flee { 1.0 } else { -1.0 };
    let fade = 1.0 - distance / reach;
    let direction = away.map(|component| component / distance);
    let fade_bound = UNIT / (16.0 * reach) + 0.5;
    let bound = direction.map(|component| {
        let direction_bound = component.abs() * UNIT / (16.0 * distance).floor() + 0.5;
        direction_bound * fade + fade_bound * component.abs() + direction_bound * fade_bound / UNIT + 0.5
    });
    Expected { v: direction.map(|component| sign * component * fade), bound }
}

/// (m - d)/m on each axis, rounded once, with the margin m and the distance d from a wall.
fn expected_walls(scene: &Scene, x: Vector3) -> Expected {
    let margin = f64::from(scene.world.margin);
    let extents = scene.world.extents.along_axes();
    let v = AXES.map(|axis| {
        let towards = |d: i32| if f64::from(d) < margin { (margin - f64::from(d)) / margin } else { 0.0 };
        towards(x[axis]) - towards(extents[axis] as i32 - 1 - x[axis])
    });
    Expected { v, bound: [0.5; 3] }
}

/// clamp(4 (c − x)/n, ±1) on each axis, rounded once, with the place c of the roost, the cell x, and the smaller extent
/// n of x and y. Along z the result is multiplied by `vertical` and rounded again.
fn expected_roost(scene: &Scene, x: Vector3) -> Expected {
    let extents = scene.world.extents.along_axes().map(f64::from);
    let vertical = f64::from(scene.world.roost.vertical) / UNIT;
    let (mut v, mut bound) = ([0.0; 3], [0.5; 3]);
    for axis in AXES {
        let [_, home] = short_way(scene, axis, f64::from(x[axis]), f64::from(scene.world.roost.place[axis]) / 16.0);
        v[axis] = (4.0 * home / extents[0].min(extents[1])).clamp(-1.0, 1.0);
    }
    v[2] *= vertical;
    bound[2] = 0.5 * vertical + 0.5;
    Expected { v, bound }
}

/// The vectors (in 1/1024) of one rule in all cells, from the CPU engine. The chain consists of this rule and of
/// `steer`, with numbers by which `steer` only multiplies the rule by 4.
pub fn rule(scene: &Scene, name: &str) -> Vec<Vector3> {
    let (looks, reads) = match name {
        "cohesion" | "separation" => (true, "\"density\""),
        "alignment" => (true, "\"density\", \"control\""),
        _ => (false, ""),
    };
    let sight = if looks { format!("sight = \"{name}\"\n") } else { String::new() };
    let chain = chain_of(&format!(
        "description = \"one rule\"\n[fields]\n{name} = \"vector\"\n\
         [[pass]]\nkernel = \"{name}\"\n{sight}read = [{reads}]\nwrite = [\"{name}\"]\n\
         [[pass]]\nkernel = \"steer\"\nread = [\"density\", \"control\", \"{name}\"]\nwrite = [\"control\"]\n"
    ));
    let mut scene = scene.clone();
    // A resting cell keeps its control vector, whatever the rule says.
    (scene.rules.keep, scene.rules.cruise, scene.rules.max, scene.rules.rest) = (0, 0, 2 * ONE, 0);
    scene.rules.noise = Default::default();
    scene.rules.weights = [(name.to_string(), 256)].into();
    let state = scene.after(1, &chain, Player::quick());
    (0..state.extents.cells())
        .map(|cell| {
            state.layers[0].velocity(cell).map(|component| {
                assert_eq!(component % 4, 0, "{name}: steer did more than to multiply by 4");
                component / 4
            })
        })
        .collect()
}

/// Compares a rule with its equation in every cell of every world in which it has an effect.
fn hold(worlds: impl Iterator<Item = Scene>, name: &str, expected: fn(&Scene, Vector3) -> Expected) {
    let mut felt = 0;
    for scene in worlds {
        for (cell, actual) in rule(&scene, name).into_iter().enumerate() {
            let x = scene.world.extents.cell(cell);
            let Expected { v, bound } = expected(&scene, x);
            felt += usize::from(long(v) > 0.05);
            for axis in AXES {
                let error = f64::from(actual[axis]) - v[axis] * UNIT;
                assert!(
                    error.abs() <= bound[axis] + FLOAT,
                    "{}: {name} of {x:?}, axis {axis}: {} instead of {}, which is off by more than {}",
                    scene.name,
                    actual[axis],
                    v[axis] * UNIT,
                    bound[axis]
                );
            }
        }
    }
    assert!(felt > 1000, "{name} was felt in {felt} cells only");
}

/// Worlds of every kind: random ones, and fuller ones with several chunks of cells. Falcons are left out.
fn worlds() -> impl Iterator<Item = Scene> {
    let busy = EDGES.map(|edges| Scene::busy_deep([37, 11, 7], edges));
    (1000..1100).map(random).chain(busy).map(|mut scene| {
        scene.world.hunters.retain(|hunter| matches!(hunter.kind, HunterKind::Path { .. }));
        Falcon::set_all(&[], &mut scene.start.columns);
        scene
    })
}

/// [`worlds`] with each sight for one rule in turn, among them every form of a deep sight.
fn worlds_with(rule: &'static str, sights: Vec<Sight>) -> impl Iterator<Item = Scene> {
    worlds().zip((0..).flat_map(move |_| sights.clone())).map(move |(mut scene, sight)| {
        scene.rules.sights.insert(rule.into(), sight);
        scene
    })
}

pub fn sights() -> Vec<Sight> {
    let list = [[1, 0, 0], [-3, 2, 5], [0, -4, 1], [2, 2, 2], [0, 0, -6]];
    let mut sights = vec![Sight::ball(2 << 10), Sight::ball(3 << 10), Sight::cube(1), Sight::cube(2)];
    sights.extend([6, 14, 26, 50].map(|directions| Sight::directions(directions, &[1, 3])));
    sights.push(Sight::deep_list(&list));
    sights.into_iter().map(Result::unwrap).collect()
}

#[test]
fn deep_cohesion_is_equation_2() {
    hold(worlds_with("cohesion", sights()), "cohesion", expected_cohesion);
}

#[test]
fn deep_separation_is_equation_3() {
    hold(worlds_with("separation", sights()), "separation", expected_separation);
}

#[test]
fn deep_alignment_is_equation_4() {
    hold(worlds_with("alignment", sights()), "alignment", expected_alignment);
}

#[test]
fn deep_hunters_drive_or_draw() {
    hold(worlds(), "hunter", expected_hunter);
}

#[test]
fn deep_walls_turn_boids_inwards() {
    hold(worlds().filter(|scene| scene.world.margin > 0), "walls", expected_walls);
}

#[test]
fn a_deep_roost_draws_boids_home() {
    hold(worlds(), "roost", expected_roost);
}

/// Contrasts of every pair of radii in deep and flat worlds. Some worlds are narrower than the boxes.
#[test]
fn a_contrast_is_the_growth_of_the_blurred_density() {
    let radii = [[1, 1], [2, 2], [1, 3], [3, 1], [2, 1]];
    let contrasts = |axes| radii.map(|radii| Sight::contrast(radii, axes).unwrap()).to_vec();
    hold(worlds_with("cohesion", contrasts(3)).step_by(3), "cohesion", expected_cohesion);
    let flat = (1000..1030).map(Scene::random).chain(EDGES.map(|edges| Scene::busy(61, 23, edges)));
    let flat = flat.zip((0..).flat_map(|_| contrasts(2))).map(|(mut scene, sight)| {
        scene.rules.sights.insert("cohesion".into(), sight);
        scene
    });
    hold(flat, "cohesion", expected_cohesion);
}

pub fn long(v: Real3) -> f64 {
    v.iter().map(|part| part * part).sum::<f64>().sqrt()
}

fn some_parameters() -> Parameters {
    let scene = Scene::busy_deep([8; 3], Edges::Torus);
    Parameters::new(&scene.rules, &scene.world, &[], 0)
}

/// The result is the sum of two terms: the kept part of the control vector, and the sum of the rules. Each term is
/// rounded once, by at most 1/2 of the unit 1/16384 cell a step. The maximum speed reduces none of these vectors.
#[test]
fn deep_steer_sums_what_is_kept_and_the_rules() {
    let mut random = Random::new(3);
    let mut parameters = some_parameters();
    (parameters.cruise, parameters.max) = (0, 2 * ONE);
    for _ in 0..100_000 {
        parameters.keep = random.between(0, 1024) as i32;
        // Together at most 18 192 on each axis. The length is below the limit of 2.
        let control = [0; 3].map(|_| random.between(-10_000, 10_000) as i32);
        let sum = [0; 3].map(|_| random.between(-(1 << 19), 1 << 19) as i32);
        let actual = control_of_steering(control, sum, &parameters);
        for axis in AXES {
            let wanted = f64::from(parameters.keep) / 1024.0 * f64::from(control[axis]) + f64::from(sum[axis]) / 64.0;
            let held = wanted.clamp(-f64::from(ONE), f64::from(ONE));
            assert!((f64::from(actual[axis]) - held).abs() <= 1.0 + FLOAT, "{control:?} {sum:?}: {actual:?}");
        }
    }
}

/// The exact result for a vector V of the length L is V·f(L), with f(L) = min(L + (cruise - L)/4, max)/L. Without a
/// cruise, f(L) = min(L, max)/L. Last, components are clamped to ±1. The kernel rounds L down to ℓ and computes V·f(ℓ)
/// with two roundings. The rounding of the quarter changes f(ℓ) by at most 1/(2ℓ). The rounding of each component is
/// at most 1/2.
#[test]
fn deep_steer_limits_the_speed() {
    let mut random = Random::new(4);
    let mut parameters = some_parameters();
    parameters.keep = 0;
    for _ in 0..100_000 {
        parameters.max = *random.pick(&[1, 500, 15565, ONE, 2 * ONE]);
        parameters.cruise = *random.pick(&[0, parameters.max / 2, parameters.max]);
        let reach = *random.pick(&[3, 100, 5000, 32768]);
        let v = [0; 3].map(|_| random.between(-reach, reach) as i32);
        let actual = control_of_steering([0; 3], v.map(|component| component * 64), &parameters);
        let length = long(v.map(f64::from));
        let (cruise, max) = (f64::from(parameters.cruise), f64::from(parameters.max));
        let factor = |length: f64| {
            let drawn = if cruise > 0.0 { length + (cruise - length) / 4.0 } else { length };
            if length > 0.0 { drawn.min(max) / length } else { 0.0 }
        };
        for axis in AXES {
            let component = f64::from(v[axis]);
            let wanted = (component * factor(length)).clamp(-f64::from(ONE), f64::from(ONE));
            let rounded_down = length.floor().max(1.0);
            let bound =
                component.abs() * ((factor(rounded_down) - factor(length)).abs() + 0.5 / rounded_down) + 0.5 + FLOAT;
            let error = (f64::from(actual[axis]) - wanted).abs();
            assert!(error <= bound, "{v:?} cruise {cruise} max {max}: {actual:?}, off by {error} > {bound}");
        }
    }
}

/// The mean offset Σ p·s / Σ p, in 1/16 cell, of all cells at most `sight` cells from a place. p: the perceived density
/// of a cell. s: the offset of the cell from the place. An offset of half a torus has a length but no direction.
fn mean_around(scene: &Scene, place: Vector3, sight: i32) -> Real3 {
    let (mut seen, mut moment) = (0.0, [0.0; 3]);
    for cell in 0..scene.world.extents.cells() {
        let x = scene.world.extents.cell(cell);
        let ways = AXES.map(|axis| short_way(scene, axis, f64::from(place[axis]) / 16.0, f64::from(x[axis])));
        if long(ways.map(|[length, _]| length)) <= f64::from(sight) {
            let p = perceived(scene, x);
            seen += p;
            AXES.iter().for_each(|axis| moment[*axis] += 16.0 * p * ways[*axis][1]);
        }
    }
    moment.map(|sum| if seen > 0.0 { sum / seen } else { 0.0 })
}

/// A falcon that stoops and may turn at once flies straight to the mean a of the perceived boids. The components of a
/// are rounded to 1/16 cell, so a changes by at most √3/2. This changes the direction by at most √3/2 / |a|. Direction
/// and velocity are rounded too, together by at most 2/1024 cell a step.
#[test]
fn a_falcon_heads_for_the_mean_of_the_ball_around_it() {
    const PEAK: i32 = 4000;
    let mut random = Random::new(21);
    let mut flown = 0;
    for case in 0..200 {
        let mut scene = Scene::busy_deep([14, 11, 8], EDGES[case % 2]);
        let ends = scene.world.extents.ends();
        for density in &mut scene.start.layers[0].density {
            *density = if random.below(60) == 0 { random.amount() } else { 0 };
        }
        let place = ends.map(|end| random.between(0, i64::from(end) - 16) as i32);
        let sight = random.between(2, 7) as i32;
        let flight =
            FlightNumbers { start: place, speed: 1000, peak: PEAK, turn: 30_000, sight, distance: 3, rest: 200 };
        scene.world.hunters = vec![Hunter { kind: HunterKind::Falcon(flight), mood: Mood::Flee, reach: 1, jaws: 0 }];
        let falcon = Falcon { place, phase: STOOPS, energy: 100, ..Falcon::default() };
        Falcon::set_all(&[falcon], &mut scene.start.columns);
        let aim = mean_around(&scene, place, sight);
        let way = aim.map(|along| along / long(aim) * f64::from(PEAK));
        let is_inside =
            |axis: &usize| (0.0..f64::from(ends[*axis] - 16)).contains(&(f64::from(place[*axis]) + way[*axis] / 64.0));
        if long(aim) < 10.0 || (scene.world.edges == Edges::Walls && !AXES.iter().all(is_inside)) {
            // The falcon strikes, or a wall turns it.
            continue;
        }
        flown += 1;
        let after = scene.after(1, &chain(DEFAULT), Player::quick());
        let error = long(AXES.map(|axis| f64::from(Falcon::all_of(&after.columns)[0].velocity[axis]) - way[axis]));
        let bound = 0.75f64.sqrt() / long(aim) * f64::from(PEAK) + 2.0;
        assert!(
            error <= bound,
            "case {case}: {:?} and not {way:?}, {error} > {bound}",
            Falcon::all_of(&after.columns)[0].velocity
        );
    }
    assert!(flown > 60, "{flown}");
}
