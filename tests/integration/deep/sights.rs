//! Sights in deep worlds: the sets of their vectors, the bounds of perceived densities, and the isotropy of a contrast.

use crate::deep::oracle::{AXES, Real3, UNIT, long, rule, sights};
use crate::support::scenes::Scene;
use murmuration_core::cells::sight::Sight;
use murmuration_core::numbers::{MAX_PERCEIVED, Vector3};
use murmuration_core::world::Edges;
use std::f64::consts::TAU;

fn dot(a: Real3, b: Real3) -> f64 {
    AXES.iter().map(|axis| a[*axis] * b[*axis]).sum()
}

/// Evenly distributed directions: a spiral with the golden angle.
fn spiral(count: usize) -> impl Iterator<Item = Real3> {
    let golden = TAU / (1.0 + 5f64.sqrt()) * 2.0;
    (0..count).map(move |number| {
        let z = 1.0 - (2 * number + 1) as f64 / count as f64;
        let (across, angle) = ((1.0 - z * z).sqrt(), golden * number as f64);
        [across * angle.cos(), across * angle.sin(), z]
    })
}

/// The pull of cohesion towards a dense half of the world, for several directions. The edge of this half passes through
/// the middle of a cell. The density is 1/(1 + exp(-d/0.35)) of the maximum, with the distance d from the edge in
/// cells. Returns the maximum error of the direction in degrees, and the minimum and maximum strength.
fn pull_of_half_spaces(sight: Sight, directions: usize) -> (f64, [f64; 2]) {
    const SIDE: i32 = 13;
    let mut scene = Scene::busy_deep([SIDE as u32; 3], Edges::Walls);
    scene.world.solids = Default::default();
    scene.world.hunters.clear();
    scene.rules.shift = 0;
    scene.rules.sights = ["cohesion", "separation", "alignment"].map(|rule| (rule.into(), sight.clone())).into();
    let most = f64::from(scene.rules.most_perceived());
    let middle = SIDE / 2;
    let centre = scene.world.extents.deep_index([middle; 3], Edges::Walls).unwrap();
    let (mut worst, mut strengths) = (0.0f64, [f64::MAX, 0.0]);
    for normal in spiral(directions) {
        for cell in 0..scene.world.extents.cells() {
            let place = scene.world.extents.cell(cell).map(|place| f64::from(place - middle));
            let full = 1.0 / (1.0 + (-dot(place, normal) / 0.35).exp());
            scene.start.layers[0].density[cell] = (most * full).round() as u32;
        }
        let v = rule(&scene, "cohesion")[centre].map(|part| f64::from(part) / UNIT);
        let strength = long(v);
        strengths = [strengths[0].min(strength), strengths[1].max(strength)];
        worst = worst.max((dot(v, normal) / strength).clamp(-1.0, 1.0).acos().to_degrees());
    }
    (worst, strengths)
}

/// A contrast of two boxes with radius 2: the error of its direction is at most 0.6°, and its strength varies by 1/20.
///
/// The rounding to 1/1024 turns a pull of 0.4 by at most √3/2/410, an eighth of a degree.
#[test]
fn the_directions_of_a_contrast_err_by_little() {
    let (error, [least, greatest]) = pull_of_half_spaces(Sight::contrast([2, 2], 3).unwrap(), 400);
    assert!(error < 0.6 + 0.125, "{error}°");
    assert!(greatest / least < 1.06, "from {least} to {greatest}");
    // The measure does detect errors: a few directions have far larger ones.
    let (coarse, _) = pull_of_half_spaces(Sight::directions(6, &[2]).unwrap(), 100);
    assert!(coarse > 5.0, "{coarse}°");
}

/// The sets of perceptual vectors, against their definitions.
#[test]
fn deep_sights_are_the_sets_that_they_say() {
    let all = |reach: i32| {
        let along = move || -reach..=reach;
        along().flat_map(move |z| along().flat_map(move |y| along().map(move |x| [x, y, z])))
    };
    let square = |v: &Vector3| v.iter().map(|part| part * part).sum::<i32>();
    for quarters in 4..=20u32 {
        let expected: Vec<_> = all(6).filter(|v| 16 * square(v) as u32 <= quarters * quarters).collect();
        assert_eq!(Sight::ball(quarters * 256).unwrap().vectors(), expected, "a ball of {quarters} quarters");
    }
    for radius in 1..=4 {
        assert_eq!(Sight::cube(radius).unwrap().vectors(), all(radius as i32).collect::<Vec<_>>());
    }
    // The squared lengths of (1, 0, 0), (1, 1, 1), (1, 1, 0) and (1, 1, 3): six faces, eight corners, twelve edges, and
    // 24 between.
    let kinds = [1, 3, 2, 11];
    for (count, directions) in [(1, 6), (2, 14), (3, 26), (4, 50)] {
        let of_kinds = |v: &Vector3| kinds[..count].contains(&square(v));
        for radius in [1, 2, 3, 5, 8] {
            let far = f64::from(radius);
            let mut expected: Vec<Vector3> = all(3)
                .filter(of_kinds)
                .map(|v| v.map(|part| (far * f64::from(part) / f64::from(square(&v)).sqrt()).round() as i32))
                .collect();
            expected.sort_by_key(|[x, y, z]| [*z, *y, *x]);
            expected.dedup();
            assert_eq!(
                Sight::directions(directions, &[radius]).unwrap().vectors(),
                expected,
                "{directions} at {radius}"
            );
        }
    }
}

/// The perceived density of a sight is the maximum for which all sums fit in 32 bits.
#[test]
fn deep_perceived_densities_are_as_great_as_fits() {
    for sight in sights().into_iter().chain([Sight::ball(9 << 10).unwrap(), Sight::cube(7).unwrap()]) {
        let (n, reach) = (sight.vectors().len() as u64, sight.reach() as u64);
        let fits = |p: u64| n * p * 1024 < 1 << 31 && n * p * reach < 1 << 30 && p <= u64::from(MAX_PERCEIVED);
        let most = u64::from(sight.most_perceived());
        assert!(fits(most) && !fits(most + 1), "{n} vectors, reach {reach}: {most}");
    }
    for axes in [2, 3] {
        for radii in [[1, 1], [2, 2], [3, 3], [5, 4], [9, 9], [1, 12]] {
            let Ok(sight) = Sight::contrast(radii, axes) else { continue };
            let cells: u64 = radii.map(|radius| u64::from(2 * radius + 1).pow(axes as u32)).iter().product();
            let fits = |p: u64| cells * p * 2 * (axes as u64) < 1 << 30 && p <= u64::from(MAX_PERCEIVED);
            let most = u64::from(sight.most_perceived());
            assert!(fits(most) && !fits(most + 1), "boxes {radii:?} on {axes} axes: {most}");
        }
    }
}
