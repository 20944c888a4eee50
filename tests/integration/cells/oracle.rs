//! The rules against the paper's equations in f64, and against cases computed by hand.
//!
//! The oracle is written from the paper, independently of the kernels. Its inputs are exact: perceived densities p and
//! control vectors are integers. Each bound is derived above its rule. Its unit is 1/1024, the unit of the rule's
//! vector.

use crate::support::random::Random;
use crate::support::scenes::{Player, Scene, assert_same, chain, movement};
use murmuration_core::cells::numbers::{Distribution, Parameters};
use murmuration_core::cells::rules::{
    control_of_alignment, control_of_cohesion, control_of_separation, control_of_steering, hunter, walls,
};
use murmuration_core::cells::sight::Sight;
use murmuration_core::chain::{Chain, DEFAULT};
use murmuration_core::numbers::{BOID, MAX_PERCEIVED, ONE, RULE_ONE, Vector, pack};
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::state::State;
use murmuration_core::world::{Edges, Extents, Hunter, HunterKind, HunterNumbers, Mood};

/// The tolerance for rounding errors of the oracle itself, in the unit of the compared values.
const FLOAT: f64 = 1e-6;
const UNIT: f64 = RULE_ONE as f64;

/// A perceived cell: its offset, its perceived density, and its velocity (cells a step).
struct Sample {
    s: [f64; 2],
    p: f64,
    v: [f64; 2],
}

/// The index of the cell at (x, y); `None`: outside of the world.
fn cell_at(scene: &Scene, x: i32, y: i32) -> Option<usize> {
    let [width, height] = scene.world.extents.as_cell();
    let [x, y] = match scene.world.edges {
        Edges::Torus => [x.rem_euclid(width), y.rem_euclid(height)],
        Edges::Walls => [x, y],
    };
    ((0..width).contains(&x) && (0..height).contains(&y)).then(|| (y * width + x) as usize)
}

fn heading(scene: &Scene, cell: usize) -> [f64; 2] {
    scene.start.layers[0].control_of(cell).map(|component| f64::from(component) / f64::from(ONE))
}

/// Equations 1 and 5: the samples at x + s.
fn samples(scene: &Scene, rule: &str, x: i32, y: i32) -> Vec<Sample> {
    let sight = &scene.rules.sights[rule];
    let sample = |&[dx, dy, _]: &[i32; 3]| {
        cell_at(scene, x + dx, y + dy).map(|there| Sample {
            s: [f64::from(dx), f64::from(dy)],
            p: f64::from((scene.start.layers[0].density[there] >> scene.rules.shift).min(scene.rules.most_perceived())),
            v: heading(scene, there),
        })
    };
    sight.vectors().iter().filter_map(sample).collect()
}

/// The value of a rule by its equation, and the bound on the kernel's error on each axis, in 1/1024.
struct Expected {
    v: [f64; 2],
    bound: [f64; 2],
}

/// Equation 2, scaled by the reach. The sums are exact, so the only error is one rounding: 1/2.
fn expected_cohesion(scene: &Scene, x: i32, y: i32) -> Expected {
    let samples = samples(scene, "cohesion", x, y);
    let seen: f64 = samples.iter().map(|sample| sample.p).sum();
    let reach = f64::from(scene.rules.sights["cohesion"].reach());
    let centre = |axis: usize| samples.iter().map(|sample| sample.s[axis] * sample.p).sum::<f64>();
    let v = [0, 1].map(|axis| if seen > 0.0 { centre(axis) / seen / reach } else { 0.0 });
    Expected { v, bound: [0.5; 2] }
}

/// Equation 3, scaled by the crowd, clamped to ±4. Each s/|s|² was rounded by at most 1/2, unless it is exact, and is
/// weighted by p/crowd. The result is rounded once more.
fn expected_separation(scene: &Scene, x: i32, y: i32) -> Expected {
    let crowd = f64::from(scene.rules.crowd);
    let (mut v, mut bound) = ([0.0; 2], [0.5; 2]);
    for Sample { s, p, .. } in samples(scene, "separation", x, y).iter().filter(|sample| sample.s != [0.0; 2]) {
        let square = s[0] * s[0] + s[1] * s[1];
        for axis in 0..2 {
            let pull = s[axis] / square;
            v[axis] -= p * pull / crowd;
            bound[axis] += if (pull * UNIT).fract() == 0.0 { 0.0 } else { p * 0.5 / crowd };
        }
    }
    Expected { v: v.map(|component| component.clamp(-4.0, 4.0)), bound }
}

/// Equation 4. Every V was rounded by at most 1/2, so their mean with positive weights has at most this error. The mean
/// is rounded once more, and the subtracted V was rounded too: 3/2.
fn expected_alignment(scene: &Scene, x: i32, y: i32) -> Expected {
    let samples = samples(scene, "alignment", x, y);
    let seen: f64 = samples.iter().map(|sample| sample.p).sum();
    let own = heading(scene, cell_at(scene, x, y).unwrap());
    let mean = |axis: usize| samples.iter().map(|sample| sample.v[axis] * sample.p).sum::<f64>() / seen;
    let v = [0, 1].map(|axis| if seen > 0.0 { mean(axis) - own[axis] } else { 0.0 });
    Expected { v, bound: [1.5; 2] }
}

/// The sum over all hunters, each component clamped to ±4.
fn expected_hunter(scene: &Scene, x: i32, y: i32) -> Expected {
    let all: Vec<Expected> =
        scene.world.hunters.iter().map(|hunter| expected_of_one_hunter(scene, hunter, x, y)).collect();
    let sum = |axis: usize| all.iter().map(|one| one.v[axis]).sum::<f64>().clamp(-4.0, 4.0);
    let bound = |axis: usize| all.iter().map(|one| one.bound[axis]).sum::<f64>();
    Expected { v: [0, 1].map(sum), bound: [0, 1].map(bound) }
}

/// A vector away from or towards the hunter, times a fade from 1 at the hunter to 0 at its reach. The kernel rounds the
/// distance of the hunter down to ℓ, in 1/16 cell. So the direction is too long by at most 1/ℓ of itself, plus a
/// rounding. The fade has an error of at most 1/16 cell of the reach, plus a rounding. The product is rounded once
/// more.
fn expected_of_one_hunter(scene: &Scene, hunter: &Hunter, x: i32, y: i32) -> Expected {
    let nothing = Expected { v: [0.0; 2], bound: [0.0; 2] };
    let HunterKind::Path { corners, .. } = &hunter.kind else { panic!("the hunter walks") };
    let extents = scene.world.extents.as_cell();
    let reach = f64::from(hunter.reach);
    // A component of the distance beyond the reach ends the rule, even if it is exactly half a torus and has no
    // direction.
    let mut is_beyond = false;
    let away = [0, 1].map(|axis| {
        let straight = f64::from([x, y][axis]) - f64::from(corners[0][axis]) / 16.0;
        let extent = f64::from(extents[axis]);
        let short = match scene.world.edges {
            Edges::Walls => straight,
            Edges::Torus => straight - extent * (straight / extent).round(),
        };
        is_beyond |= short.abs() > reach;
        if scene.world.edges == Edges::Torus && 2.0 * short.abs() == extent { 0.0 } else { short }
    });
    let distance = away[0].hypot(away[1]);
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
fn expected_walls(scene: &Scene, x: i32, y: i32) -> Expected {
    let margin = f64::from(scene.world.margin);
    let [width, height] = scene.world.extents.as_cell();
    let turn = |place: i32, extent: i32| {
        let towards = |d: i32| if f64::from(d) < margin { (margin - f64::from(d)) / margin } else { 0.0 };
        towards(place) - towards(extent - 1 - place)
    };
    Expected { v: [turn(x, width), turn(y, height)], bound: [0.5; 2] }
}

/// The vectors (in 1/1024) of one rule in all cells, from the CPU engine. The chain consists of this rule and of
/// `steer`, with numbers by which `steer` only multiplies the rule by 4.
fn rule(scene: &Scene, name: &str) -> Vec<Vector> {
    let (looks, reads) = match name {
        "cohesion" | "separation" => (true, "\"density\""),
        "alignment" => (true, "\"density\", \"control\""),
        _ => (false, ""),
    };
    let sight = if looks { format!("sight = \"{name}\"\n") } else { String::new() };
    let text = format!(
        "description = \"one rule\"\n[fields]\n{name} = \"vector\"\n\
         [[pass]]\nkernel = \"{name}\"\n{sight}read = [{reads}]\nwrite = [\"{name}\"]\n\
         [[pass]]\nkernel = \"steer\"\nread = [\"control\", \"{name}\"]\nwrite = [\"control\"]\n"
    );
    let chain =
        Chain::read(murmuration::host().as_ref(), "one", "one.toml", &text, None).unwrap_or_else(|bad| panic!("{bad}"));
    let mut scene = scene.clone();
    // A resting cell keeps its control vector, whatever the rule says.
    (scene.rules.keep, scene.rules.cruise, scene.rules.max, scene.rules.rest) = (0, 0, 2 * ONE, 0);
    scene.rules.noise = Default::default();
    scene.rules.weights = [(name.to_string(), 256)].into();
    let state = scene.after(1, &chain, Player::quick());
    (0..state.extents.cells())
        .map(|cell| {
            state.layers[0].control_of(cell).map(|component| {
                assert_eq!(component % 4, 0, "{name}: steer did more than to multiply by 4");
                component / 4
            })
        })
        .collect()
}

fn hold(scene: &Scene, name: &str, expected: fn(&Scene, i32, i32) -> Expected) {
    let width = scene.world.extents.width as usize;
    for (cell, actual) in rule(scene, name).into_iter().enumerate() {
        let (x, y) = ((cell % width) as i32, (cell / width) as i32);
        let Expected { v, bound } = expected(scene, x, y);
        for axis in 0..2 {
            let error = f64::from(actual[axis]) - v[axis] * UNIT;
            assert!(
                error.abs() <= bound[axis] + FLOAT,
                "{}: {name} of ({x}, {y}), axis {axis}: {} instead of {}, which is off by more than {}",
                scene.name,
                actual[axis],
                v[axis] * UNIT,
                bound[axis]
            );
        }
    }
}

/// Worlds of every kind: random ones, and fuller ones with several chunks of cells.
fn worlds() -> impl Iterator<Item = Scene> {
    let busy = [Scene::busy(97, 41, Edges::Torus), Scene::busy(97, 41, Edges::Walls)];
    (1000..1120).map(Scene::random).chain(busy)
}

#[test]
fn cohesion_is_equation_2() {
    worlds().for_each(|scene| hold(&scene, "cohesion", expected_cohesion));
}

#[test]
fn separation_is_equation_3() {
    worlds().for_each(|scene| hold(&scene, "separation", expected_separation));
}

/// The largest crowds that a preset may name, up to 2^29 in perceived density: each is refused or exact.
#[test]
fn separation_is_equation_3_for_the_largest_crowds() {
    for (crowd, shift) in
        [(30_000.0, 12), (33_000.0, 12), (65_535.0, 12), (7.9, 0), (8.0, 0), (8_000.0, 0), (65_535.0, 3)]
    {
        let text = format!(
            "description = \"x\"\n[world]\nsize = [20, 20]\n[start]\nboids = 90000\n[separation]\ncrowd = {crowd:?}\n\
             [perception]\nshift = {shift}\n[sight]\ncohesion = {{ disc = 3 }}\nseparation = {{ disc = 3 }}\n\
             alignment = {{ disc = 3 }}\n"
        );
        match Preset::from_text(murmuration::host(), "crowd.toml", &text, &Overrides::default()) {
            Ok(preset) => hold(&preset.into(), "separation", expected_separation),
            Err(bad) => assert_eq!(bad.key.as_deref(), Some("separation.crowd"), "{bad}"),
        }
    }
}

#[test]
fn alignment_is_equation_4() {
    worlds().for_each(|scene| hold(&scene, "alignment", expected_alignment));
}

#[test]
fn the_hunter_drives_or_draws() {
    worlds().for_each(|scene| hold(&scene, "hunter", expected_hunter));
}

/// The pull of the roost is 4 times the offset, relative to the smaller extent, rounded once.
fn expected_roost(scene: &Scene, x: i32, y: i32) -> Expected {
    let extents = scene.world.extents.as_cell().map(f64::from);
    let v = [0, 1].map(|axis| {
        let straight = f64::from(scene.world.roost.place[axis]) / 16.0 - f64::from([x, y][axis]);
        let extent = extents[axis];
        let short = match scene.world.edges {
            Edges::Walls => straight,
            Edges::Torus if 2.0 * (straight.rem_euclid(extent)) == extent => 0.0,
            Edges::Torus => straight - extent * (straight / extent).round(),
        };
        (4.0 * short / extents[0].min(extents[1])).clamp(-1.0, 1.0)
    });
    Expected { v, bound: [0.5; 2] }
}

#[test]
fn the_roost_draws_boids_home() {
    worlds().for_each(|scene| hold(&scene, "roost", expected_roost));
}

#[test]
fn walls_turn_boids_inwards() {
    worlds().filter(|scene| scene.world.margin > 0).for_each(|scene| hold(&scene, "walls", expected_walls));
}

/// The result is the sum of two terms: the kept part of the control vector, and the sum of the rules. Each term is
/// rounded once, by at most 1/2 of the unit 1/16384 cell a step. The maximum speed reduces none of these vectors.
#[test]
fn steer_sums_what_is_kept_and_the_rules() {
    let mut random = Random::new(3);
    let mut parameters = some_parameters();
    for _ in 0..200_000 {
        (parameters.keep, parameters.cruise, parameters.max) = (random.between(0, 1024) as i32, 0, 2 * ONE);
        // Together at most 19 192 on each axis. The length is below the limit of 2.
        let control = [0; 2].map(|_| random.between(-11_000, 11_000) as i32);
        let sum = [0; 2].map(|_| random.between(-(1 << 19), 1 << 19) as i32);
        let actual = control_of_steering(control, sum, &parameters);
        for axis in 0..2 {
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
fn steer_limits_the_speed() {
    let mut random = Random::new(4);
    let mut parameters = some_parameters();
    parameters.keep = 0;
    for _ in 0..200_000 {
        parameters.max = *random.pick(&[1, 500, 15565, ONE, 2 * ONE]);
        parameters.cruise = *random.pick(&[0, parameters.max / 2, parameters.max]);
        let reach = *random.pick(&[3, 100, 5000, 32768]);
        let v = [0; 2].map(|_| random.between(-reach, reach) as i32);
        let actual = control_of_steering([0, 0], [v[0] * 64, v[1] * 64], &parameters);
        let length = f64::from(v[0]).hypot(f64::from(v[1]));
        let (cruise, max) = (f64::from(parameters.cruise), f64::from(parameters.max));
        let factor = |length: f64| {
            let drawn = if cruise > 0.0 { length + (cruise - length) / 4.0 } else { length };
            if length > 0.0 { drawn.min(max) / length } else { 0.0 }
        };
        for axis in 0..2 {
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

fn some_parameters() -> Parameters {
    let scene = Scene::busy(8, 8, Edges::Torus);
    Parameters::new(&scene.rules, &scene.world, &[], 0)
}

/// The perceived density of a sight is the maximum for which all sums fit in 32 bits.
#[test]
fn perceived_densities_are_as_great_as_fits() {
    let mut random = Random::new(5);
    let largest = [Sight::disc(36 << 10), Sight::square(31), Sight::list(&[[255, 255]]), Sight::list(&[[1, 0]])];
    let sights = largest.map(Result::unwrap).into_iter().chain((0..500).map(|_| random.sight()));
    for sight in sights {
        let (n, reach) = (sight.vectors().len() as u64, sight.reach() as u64);
        let fits = |p: u64| n * p * 1024 < 1 << 31 && n * p * reach < 1 << 30 && p <= u64::from(MAX_PERCEIVED);
        let most = u64::from(sight.most_perceived());
        assert!(fits(most) && !fits(most + 1) && most > 0, "{n} vectors, reach {reach}: {most}");
    }
}

/// A calm torus without boids, with one sight for all rules. A boid has the perceived density 16, the value of `crowd`.
fn calm(sight: Result<Sight, String>) -> Scene {
    let mut scene = Scene::busy(31, 31, Edges::Torus);
    scene.name = "calm".into();
    (scene.world.solids, scene.world.hunters) = (Default::default(), Vec::new());
    scene.rules.weights.insert("roost".into(), 0);
    scene.start.layers[0].density.fill(0);
    scene.start.layers[0].control.fill(0);
    let sight = sight.unwrap();
    scene.rules.sights.values_mut().for_each(|other| *other = sight.clone());
    scene
}

const fn at(x: usize, y: usize) -> usize {
    y * 31 + x
}

#[test]
fn two_clumps_attract_each_other() {
    let mut scene = calm(Sight::disc(5 << 10));
    scene.start.layers[0].density[at(10, 15)] = 2 * BOID;
    scene.start.layers[0].density[at(14, 15)] = 2 * BOID;
    let v = rule(&scene, "cohesion");
    // The centre of mass is 2 cells away, and the reach is 5: 0.4.
    assert_eq!((v[at(10, 15)], v[at(14, 15)]), ([410, 0], [-410, 0]));
    // From just above the left boid they are seen at (0, 1) and (4, 1).
    assert_eq!(v[at(10, 14)], [410, 205]);
    // The right boid is out of sight from here.
    assert_eq!(v[at(8, 15)], [410, 0]);
    assert_eq!(v[at(20, 20)], [0, 0]);
    assert_eq!(control_of_cohesion([4 * 32, 0], 2 * 32, 5), [410, 0]);
}

#[test]
fn two_boids_side_by_side_separate() {
    let mut scene = calm(Sight::disc(2 << 10));
    scene.start.layers[0].density[at(10, 15)] = BOID;
    scene.start.layers[0].density[at(11, 15)] = BOID;
    let v = rule(&scene, "separation");
    assert_eq!((v[at(10, 15)], v[at(11, 15)]), ([-1024, 0], [1024, 0]));
    // Diagonally, at (1, 1) and (2, 1): the first has s/|s|² = (1/2, 1/2), the second is out of sight.
    assert_eq!(v[at(9, 14)], [-512, -512]);
    // At two cells it is half as strong.
    assert_eq!(v[at(13, 15)], [512, 0]);
    // Ten boids would give 10, but the rule is limited to 4.
    scene.start.layers[0].density[at(10, 15)] = 10 * BOID;
    assert_eq!(rule(&scene, "separation")[at(11, 15)], [4096, 0]);
    assert_eq!(control_of_separation([16 * 1024, -16 * 512], 16), [-1024, 512]);
}

#[test]
fn a_uniform_swarm_has_no_wish() {
    let mut scene = calm(Sight::rings(16, &[1, 3, 7]));
    scene.start.layers[0].density.fill(5 * BOID);
    scene.start.layers[0].control.fill(pack([1234, -4321]));
    for name in ["cohesion", "separation", "alignment"] {
        assert!(rule(&scene, name).iter().all(|v| *v == [0, 0]), "{name}");
    }
    let end = scene.after(10, &chain(DEFAULT), Player::quick());
    assert_eq!(end.layers[0].density, scene.start.layers[0].density, "what moves alike everywhere changes nothing");
}

#[test]
fn a_lone_boid_is_free() {
    let mut scene = calm(Sight::disc(5 << 10));
    scene.start.layers[0].density[at(3, 3)] = BOID;
    scene.start.layers[0].control[at(3, 3)] = pack([4096, -2048]);
    for name in ["cohesion", "separation", "alignment"] {
        assert_eq!(rule(&scene, name)[at(3, 3)], [0, 0], "{name}");
    }
    // The rules do act in an empty neighbouring cell: the boid attracts, repels and aligns it.
    assert_eq!(rule(&scene, "cohesion")[at(4, 3)], [-205, 0]);
    assert_eq!(rule(&scene, "separation")[at(4, 3)], [1024, 0]);
    assert_eq!(rule(&scene, "alignment")[at(4, 3)], [256, -128]);
}

#[test]
fn a_boid_aligns_itself_with_the_mean_of_its_neighbours() {
    let mut scene = calm(Sight::square(1));
    scene.start.layers[0].density.fill(BOID);
    scene.start.layers[0].control.fill(pack([8192, 0]));
    scene.start.layers[0].control[at(9, 9)] = 0;
    let v = rule(&scene, "alignment");
    // Eight of nine cells head at half a cell a step: 512 · 8/9 = 455.1.
    assert_eq!(v[at(9, 9)], [455, 0]);
    assert_eq!(v[at(10, 9)], [455 - 512, 0]);
    assert_eq!(v[at(20, 9)], [0, 0]);
    // Cells with more boids weigh more: four boids against one.
    scene.start.layers[0].density.fill(0);
    scene.start.layers[0].density[at(9, 9)] = BOID;
    scene.start.layers[0].density[at(10, 9)] = 4 * BOID;
    assert_eq!(rule(&scene, "alignment")[at(9, 9)], [410, 0]);
    assert_eq!(control_of_alignment([512 * 64, 0], 80, [0, 0]), [410, 0]);
    assert_eq!(control_of_alignment([0, 0], 0, [16384, 16384]), [0, 0], "who sees nobody has no wish");
}

#[test]
fn the_hunter_is_felt_as_far_as_its_reach() {
    let extents = Extents::flat(40, 40);
    let mut parameters = some_parameters();
    let zero: HunterNumbers = bytemuck::Zeroable::zeroed();
    parameters.set_hunters(&[HunterNumbers { place: [20 * 16, 20 * 16, 0], reach: 10, towards: 1, ..zero }]);
    let felt = |x, y, parameters: &Parameters| {
        let [x, y, z] = hunter([x, y, 0], extents.ends(), Edges::Torus, parameters);
        assert_eq!(z, 0);
        [x, y]
    };
    assert_eq!(felt(20, 20, &parameters), [0, 0], "in the jaws there is no way out");
    assert_eq!(felt(25, 20, &parameters), [512, 0]);
    assert_eq!(felt(20, 18, &parameters), [0, -819]);
    // The distance is √(3² + 4²) = 5 cells, half of the reach, so half of the strength is left.
    assert_eq!(felt(17, 24, &parameters), [-307, 410]);
    assert_eq!(felt(30, 20, &parameters), [0, 0]);
    parameters.hunters[0].towards = -1;
    assert_eq!(felt(25, 20, &parameters), [-512, 0]);
    parameters.hunters[0].place[0] = 0;
    assert_eq!(felt(35, 20, &parameters), [512, 0], "round the torus, towards the hunter");
}

#[test]
fn the_hunter_walks_round_its_path() {
    let walking = |corners: &[[i32; 2]], speed| {
        let corners = corners.iter().map(|[x, y]| [*x, *y, 0]).collect();
        let kind = HunterKind::Path { corners, is_column: true, speed };
        Hunter { kind, mood: Mood::Flee, reach: 5, jaws: 0 }
    };
    let hunter = walking(&[[0, 0], [160, 0], [160, 160], [0, 160]], 1024);
    for (step, place) in [(0, [0, 0]), (3, [48, 0]), (10, [160, 0]), (15, [160, 80]), (29, [16, 160]), (39, [0, 16])] {
        for round in [0, 1, 1_000_000_007] {
            assert_eq!(hunter.place(step + 40 * round), Some([place[0], place[1], 0]), "step {step}, round {round}");
        }
    }
    // 5 cells (3 along x and 4 along y), there and back, at a quarter of a cell a step: the slowest possible walk.
    let hunter = walking(&[[0, 0], [48, -64]], 256);
    for (step, place) in [(0, [0, 0]), (5, [12, -16]), (20, [48, -64]), (25, [36, -48]), (40, [0, 0])] {
        assert_eq!(hunter.place(step), Some([place[0], place[1], 0]), "step {step}");
    }
}

#[test]
fn walls_are_felt_from_the_margin_on() {
    let extents = Extents::flat(40, 20);
    assert_eq!(walls([0, 10, 0], extents.ends(), 4), [1024, 0, 0]);
    assert_eq!(walls([1, 10, 0], extents.ends(), 4), [768, 0, 0]);
    assert_eq!(walls([4, 10, 0], extents.ends(), 4), [0, 0, 0]);
    assert_eq!(walls([39, 18, 0], extents.ends(), 4), [-1024, -768, 0]);
    assert_eq!(walls([20, 10, 0], extents.ends(), 0), [0, 0, 0]);
}

/// The state after one step without steering.
fn moved(scene: &Scene) -> State {
    scene.after(1, &movement(), Player::quick())
}

/// Figure 3 of the paper: the shares of a boid that moves by (0.5, 0.25).
#[test]
fn a_boid_is_shared_among_the_cells_ahead() {
    for (distribution, v, [stays, along_x, along_y, along_both]) in [
        // 0.5 · 0.25 = 1/8 to the diagonal neighbour.
        (Distribution::Bilinear, [8192, 4096], [24576, 24576, 8192, 8192]),
        (Distribution::Split, [8192, 4096], [32768, 16384, 0, 16384]),
        (Distribution::Split, [4096, 8192], [32768, 0, 16384, 16384]),
        // (3/4)² > 2 (1/2)²: nearer to the diagonal …
        (Distribution::Nearest, [8192, 4096], [32768, 0, 0, 32768]),
        // … and (5/8)² < 2 (1/2)²: nearer to the axis.
        (Distribution::Nearest, [8192, 2048], [32768, 32768, 0, 0]),
        (Distribution::Nearest, [2048, 8192], [32768, 0, 32768, 0]),
        (Distribution::Bilinear, [ONE, ONE], [0, 0, 0, 65536]),
        (Distribution::Bilinear, [0, ONE], [0, 0, 65536, 0]),
    ] {
        let mut scene = calm(Sight::square(1));
        scene.rules.wander = 0;
        scene.rules.distribution = distribution;
        scene.start.layers[0].density[at(5, 5)] = BOID;
        scene.start.layers[0].control[at(5, 5)] = pack(v);
        let state = moved(&scene);
        let found = [at(5, 5), at(6, 5), at(5, 6), at(6, 6)].map(|cell| state.layers[0].density[cell]);
        assert_eq!(found, [stays, along_x, along_y, along_both], "{distribution:?} {v:?}");
        assert_eq!(state.total(), u64::from(BOID));
        for cell in
            [at(5, 5), at(6, 5), at(5, 6), at(6, 6)].into_iter().filter(|cell| state.layers[0].density[*cell] > 0)
        {
            assert_eq!(state.layers[0].control_of(cell), v, "the heading travels with them");
        }
    }
}

#[test]
fn headings_meet_in_their_mean_or_stay_with_their_cells() {
    let mut scene = calm(Sight::square(1));
    scene.rules.wander = 0;
    scene.start.layers[0].density[at(4, 5)] = BOID;
    scene.start.layers[0].control[at(4, 5)] = pack([ONE, 0]);
    scene.start.layers[0].density[at(6, 5)] = 3 * BOID;
    scene.start.layers[0].control[at(6, 5)] = pack([-ONE, 0]);
    scene.start.layers[0].control[at(5, 5)] = pack([0, 77]);
    let state = moved(&scene);
    assert_eq!(state.layers[0].density[at(5, 5)], 4 * BOID);
    assert_eq!(state.layers[0].control_of(at(5, 5)), [-ONE / 2, 0]);
    assert_eq!(state.layers[0].control_of(at(4, 5)), [ONE, 0], "where nobody is left the heading stays");
    scene.rules.carry = false;
    let state = moved(&scene);
    assert_eq!(state.layers[0].control_of(at(5, 5)), [0, 77]);
    assert_eq!(state.layers[0].density[at(5, 5)], 4 * BOID);
}

#[test]
fn what_is_in_the_way_turns_boids_back() {
    let mut scene = calm(Sight::square(1));
    scene.rules.wander = 0;
    scene.world.edges = Edges::Walls;
    // At a wall, in front of a solid, and past the corner of a solid. Only the solid receives nothing.
    let solid = at(11, 10);
    scene.world.solids = (0..31 * 31).map(|cell| cell == solid).collect::<Vec<_>>().into();
    for (cell, v) in [(at(0, 3), [-8192, 0]), (at(10, 10), [8192, 0]), (at(10, 9), [8192, 8192])] {
        scene.start.layers[0].density[cell] = BOID;
        scene.start.layers[0].control[cell] = pack(v);
    }
    let state = moved(&scene);
    assert_eq!((state.layers[0].density[at(0, 3)], state.layers[0].density[at(1, 3)]), (32768, 32768));
    assert_eq!(state.layers[0].control_of(at(0, 3)), [8192, 0]);
    assert_eq!(state.layers[0].density[at(9, 10)], 32768);
    assert_eq!(state.layers[0].control_of(at(9, 10)), [-8192, 0]);
    // A quarter each goes along x and along y. The corner's share stays.
    assert_eq!(
        (state.layers[0].density[at(10, 9)], state.layers[0].density[at(11, 9)], state.layers[0].density[solid]),
        (32768, 16384, 0)
    );
    assert_eq!(state.layers[0].density[at(10, 10)], 32768 + 16384);
    assert_eq!(state.layers[0].control_of(at(11, 9)), [8192, 8192]);
}

#[test]
fn a_nearly_full_cell_takes_an_eighth_of_its_room() {
    let mut scene = calm(Sight::square(1));
    (scene.rules.wander, scene.world.capacity) = (0, BOID);
    scene.start.layers[0].density[at(5, 5)] = BOID;
    scene.start.layers[0].control[at(5, 5)] = pack([ONE, 0]);
    scene.start.layers[0].density[at(6, 5)] = BOID - 87;
    let state = moved(&scene);
    assert_eq!((state.layers[0].density[at(5, 5)], state.layers[0].density[at(6, 5)]), (BOID - 10, BOID - 77));
}

#[test]
fn what_wanders_goes_to_every_face_alike() {
    let mut scene = calm(Sight::square(1));
    scene.rules.wander = 2048;
    scene.start.layers[0].density[at(0, 7)] = BOID;
    scene.start.layers[0].control[at(0, 7)] = pack([0, 0]);
    let state = moved(&scene);
    let mut expected = scene.start.clone();
    expected.layers[0].density[at(0, 7)] = BOID / 2;
    for face in [at(30, 7), at(1, 7), at(0, 6), at(0, 8)] {
        expected.layers[0].density[face] = BOID / 8;
    }
    assert_same(&expected, &state, "an eighth to each of four");
    // Each of four neighbours may fill a quarter of the room.
    scene.world.capacity = BOID;
    scene.start.layers[0].density[at(1, 7)] = BOID - 87;
    assert_eq!(moved(&scene).layers[0].density[at(0, 7)], BOID - 3 * BOID / 8 - 21);
}
