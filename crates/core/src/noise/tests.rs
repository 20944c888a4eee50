//! Tests noise against 64-bit floats, by its statistics, and by its symmetries.

use super::circle::cosine_and_sine;
use super::draw::{DrawKeys, Draws};
use super::lattice::{KnotDraws, RowNoise};
use super::turn::with_noise;
use super::{Noise, NoiseNumbers};
use crate::lanes::{InstructionSet, LaneWork, Lanes, MAX_LANES};
use crate::numbers::random::{Random, generator};
use crate::numbers::{ONE, Vector3};
use crate::world::{Edges, Extents, MAX_EXTENT};
use std::f64::consts::TAU;

const SEED: u32 = 0x1234_5678;

/// Noise with these amplitudes: `angle` in radians, `vector` as a part of the speed. No correlation in time or space.
fn noise(angle: f64, vector: f64) -> Noise {
    let mut noise = Noise { vector: (vector * f64::from(ONE)).round() as i32, ..Noise::default() };
    noise.set_angle(angle);
    noise
}

fn real<const AXES: usize>(v: [i32; AXES]) -> [f64; 3] {
    let mut real = [0.0; 3];
    (0..AXES).for_each(|axis| real[axis] = f64::from(v[axis]));
    real
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn size(v: [f64; 3]) -> f64 {
    dot(v, v).sqrt()
}

/// The random numbers of `count` individuals in the step that follows `step` steps.
fn draws<const AXES: usize>(noise: &Noise, step: u64, count: i32) -> Vec<Draws<i32, AXES>> {
    let numbers = NoiseNumbers::new(noise, step);
    let keys = DrawKeys::new(&numbers, SEED);
    (0..count).map(|number| Draws::of_individuals(&numbers, &keys, number)).collect()
}

/// A random velocity with a speed of at most 2^15 (Q14).
fn velocity<const AXES: usize>(random: &mut Random) -> [i32; AXES] {
    let [x, y] = random.inside_disc(1 << 15);
    let v = if AXES == 2 { [x, y, 0] } else { random.inside_ball(1 << 15) };
    std::array::from_fn(|axis| v[axis])
}

/// χ² of counts with equal expectations, minus its expectation, in its standard deviations.
fn excess_of_chi_squared(counts: &[u32]) -> f64 {
    let mean = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    let sum: f64 = counts.iter().map(|count| (f64::from(*count) - mean).powi(2) / mean).sum();
    let freedom = counts.len() as f64 - 1.0;
    (sum - freedom) / (2.0 * freedom).sqrt()
}

/// The number of values from 0 to 1 in each of 20 equal bins.
fn bins(parts: impl Iterator<Item = f64>) -> [u32; 20] {
    let mut counts = [0; 20];
    parts.for_each(|part| counts[((part * 20.0) as usize).min(19)] += 1);
    counts
}

#[test]
fn cosine_and_sine_are_exact_and_symmetric() {
    let mut excess = 0.0;
    for angle in -70_000..200_000 {
        let [cosine, sine] = cosine_and_sine(angle);
        let exact = f64::from(angle) * TAU / 65_536.0;
        assert!((f64::from(cosine) - 32_768.0 * exact.cos()).abs() < 1.3, "{angle}: {cosine}");
        assert!((f64::from(sine) - 32_768.0 * exact.sin()).abs() < 1.3, "{angle}: {sine}");
        assert_eq!(cosine_and_sine(-angle), [cosine, -sine], "{angle}");
        assert_eq!(cosine_and_sine(angle + (1 << 14)), [-sine, cosine], "{angle}");
        if (0..65_536).contains(&angle) {
            excess += size(real([cosine, sine])) / 32_768.0 - 1.0;
        }
    }
    // A rotation does not change the speed on average.
    assert!((excess / 65_536.0).abs() < 1e-6, "{excess}");
}

/// The symmetries of the square or the cube. For each: the component that each axis takes, and its sign.
fn symmetries(axes: usize) -> Vec<([usize; 3], [i32; 3])> {
    let orders = [[0, 1, 2], [1, 0, 2], [0, 2, 1], [2, 1, 0], [1, 2, 0], [2, 0, 1]];
    let orders = &orders[..if axes == 2 { 2 } else { 6 }];
    let signs = (0..1 << axes).map(|bits| [0, 1, 2].map(|axis| if bits >> axis & 1 == 1 { -1 } else { 1 }));
    signs.flat_map(|signs| orders.iter().map(move |order| (*order, signs))).collect()
}

/// Checks that a turned or mirrored velocity with turned or mirrored random numbers gives the turned or mirrored
/// result, bit for bit.
fn commutes<const AXES: usize>() {
    let mut random = generator(3, 1);
    for round in 0..400 {
        let mut all = noise([0.0, 0.05, 2.0, TAU][round % 4], [0.0, 0.4, 2.0][round % 3]);
        all.set_deviation([0.0, 0.05, 0.5, 1.5, 0.2][round % 5]);
        let numbers = NoiseNumbers::new(&all, 0);
        let v = velocity::<AXES>(&mut random);
        let [draws, ..] = draws::<AXES>(&all, round as u64, 1)[..] else { unreachable!("there is one") };
        let result = with_noise(v, &numbers, &draws);
        for (order, signs) in symmetries(AXES) {
            let moved = |v: [i32; AXES]| std::array::from_fn(|axis| signs[axis] * v[order[axis]]);
            // A random angle changes its sign in a mirror.
            let is_swapped = order[0] != 0;
            let handed = if is_swapped { -1 } else { 1 } * signs[..2].iter().product::<i32>();
            let angle = if AXES == 2 { draws.angle.map(|part| handed * part) } else { moved(draws.angle) };
            let normal = if AXES == 2 { handed * draws.normal } else { draws.normal };
            let other = Draws { angle, vector: moved(draws.vector), normal, side: moved(draws.side) };
            assert_eq!(with_noise(moved(v), &numbers, &other), moved(result), "{v:?}, {order:?}, {signs:?}");
        }
    }
}

#[test]
fn noise_commutes_with_every_symmetry_of_the_world() {
    commutes::<2>();
    commutes::<3>();
    assert_eq!((symmetries(2).len(), symmetries(3).len()), (8, 48));
}

/// Turns velocities by random angles. Tests by χ² that the angles and the sides of the turns are uniformly distributed.
fn turns_uniformly<const AXES: usize>(angle: f64) {
    let (all, mut random) = (noise(angle, 0.0), generator(5, 1));
    let numbers = NoiseNumbers::new(&all, 0);
    let least = (angle / 2.0).cos();
    let (mut parts, mut sides, mut longer) = (Vec::new(), Vec::new(), 0.0);
    for draws in draws::<AXES>(&all, 9, 20_000) {
        let v = velocity::<AXES>(&mut random);
        if size(real(v)) < 3000.0 {
            continue;
        }
        let (before, after) = (real(v), real(with_noise(v, &numbers, &draws)));
        let change = size(after) - size(before);
        assert!(change.abs() < 2.6, "{v:?}: {change}");
        longer += change;
        let cosine = (dot(before, after) / size(before) / size(after)).min(1.0);
        let cross = [0, 1, 2].map(|axis| {
            let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
            before[next] * after[last] - before[last] * after[next]
        });
        if AXES == 2 {
            let turn = cross[2].atan2(dot(before, after));
            parts.push(turn / angle + 0.5);
        } else {
            parts.push((cosine - least) / (1.0 - least));
        }
        // The side to which a velocity turns. In a deep world all sides around the velocity must be equally frequent.
        if AXES == 3 && size(cross) > 1e-3 * size(before) * size(after) {
            let up =
                [0, 1, 2].map(|axis| f64::from(u8::from(axis == 2)) - before[axis] * before[2] / dot(before, before));
            let side = [
                before[1] * up[2] - before[2] * up[1],
                before[2] * up[0] - before[0] * up[2],
                before[0] * up[1] - before[1] * up[0],
            ];
            let round = (dot(after, side) / size(before)).atan2(dot(after, up));
            sides.push(round / TAU + 0.5);
        }
    }
    let count = parts.len() as f64;
    // The mean change of the speed must be below 4 millionths of the speed, which is 20 000 on average.
    assert!((longer / count).abs() < 0.08, "{angle}: longer by {}", longer / count);
    assert!(parts.iter().all(|part| (-0.01..1.01).contains(part)), "{angle}");
    for (what, parts) in [("angle", parts), ("side", sides)] {
        let excess = excess_of_chi_squared(&bins(parts.iter().map(|part| part.clamp(0.0, 1.0))));
        assert!(parts.is_empty() || excess < 3.5, "{what} of {angle} on {AXES} axes: {excess}");
    }
}

#[test]
fn angles_are_uniform_and_speeds_stay() {
    for angle in [0.5, 2.0, 5.0, TAU] {
        turns_uniformly::<2>(angle);
        turns_uniformly::<3>(angle);
    }
}

/// The distribution function of the normal distribution, by its series (Abramowitz and Stegun, *Handbook of
/// Mathematical Functions*, 26.2.10).
fn normal_distribution(x: f64) -> f64 {
    let (mut term, mut sum) = (x, x);
    for n in 1..200 {
        term *= -x * x / (2.0 * f64::from(n));
        sum += term / f64::from(2 * n + 1);
    }
    0.5 + sum / TAU.sqrt()
}

#[test]
fn the_sum_of_bytes_is_nearly_normal() {
    // The exact distribution of the sum of 16 random bytes.
    let mut chances = vec![1.0];
    for _ in 0..16 {
        let mut next = vec![0.0; chances.len() + 255];
        for (sum, chance) in chances.iter().enumerate() {
            (0..256).for_each(|byte| next[sum + byte] += chance / 256.0);
        }
        chances = next;
    }
    let mean = 2040.0;
    let variance: f64 = (0..).zip(&chances).map(|(sum, chance)| chance * (f64::from(sum) - mean).powi(2)).sum();
    assert!((variance.sqrt() - super::numbers::NORMAL_DEVIATION).abs() < 1e-9, "{}", variance.sqrt());
    let mut below = 0.0;
    let mut farthest: f64 = 0.0;
    for (sum, chance) in (0..).zip(&chances) {
        below += chance;
        let x = (f64::from(sum) + 0.5 - mean) / variance.sqrt();
        if x.abs() < 6.0 {
            farthest = farthest.max((below - normal_distribution(x)).abs());
        }
    }
    assert!(farthest < 0.002, "{farthest}");
    // The random numbers have this distribution.
    let mut all = Noise::default();
    all.set_deviation(0.3);
    let normals: Vec<_> = draws::<2>(&all, 3, 40_000).iter().map(|draws| draws.normal).collect();
    let limits: Vec<f64> =
        chances.iter().scan(0.0, |sum, chance| Some(std::mem::replace(sum, *sum + chance))).collect();
    let counts = bins(normals.iter().map(|normal| limits[(normal + 2040) as usize]));
    assert!(excess_of_chi_squared(&counts) < 3.5, "{counts:?}");
}

/// Turns velocities by normal random angles. Compares the variance of the angles with its value in 64-bit floats, and
/// tests that speeds stay.
fn turns_normally<const AXES: usize>(deviation: f64, time: u32) {
    let mut all = Noise { time, ..Noise::default() };
    all.set_deviation(deviation);
    let (numbers, mut random) = (NoiseNumbers::new(&all, 9), generator(5, 1));
    let (mut squares, mut fourths, mut longer, mut count) = (0.0, 0.0, 0.0, 0.0);
    for draws in draws::<AXES>(&all, 9, 40_000) {
        let v = velocity::<AXES>(&mut random);
        if size(real(v)) < 8000.0 {
            continue;
        }
        let (before, after) = (real(v), real(with_noise(v, &numbers, &draws)));
        let change = size(after) - size(before);
        assert!(change.abs() < 2.6, "{v:?}: {change}");
        longer += change;
        let angle = (dot(before, after) / size(before) / size(after)).clamp(-1.0, 1.0).acos();
        squares += angle * angle;
        fourths += angle.powi(4);
        count += 1.0;
    }
    let found = (squares / count).sqrt();
    let kurtosis = fourths / count / found.powi(4);
    let bound = 4.0 * deviation / f64::sqrt(2.0 * count) + 1e-4;
    assert!((found - deviation).abs() < bound, "{deviation} on {AXES} axes: {found}");
    assert!((kurtosis - 2.925).abs() < 0.15, "{deviation} on {AXES} axes: {kurtosis}");
    assert!((longer / count).abs() < 0.08, "{deviation}: longer by {}", longer / count);
}

#[test]
fn angles_are_normal_with_their_deviation() {
    for deviation in [0.01, 0.05, 0.3] {
        for time in [1, 4] {
            turns_normally::<2>(deviation, time);
            turns_normally::<3>(deviation, time);
        }
    }
}

/// Compares the direction of v + η|v|n with its value in 64-bit floats. η is the part, n the random direction.
fn adds_vectors<const AXES: usize>() {
    let mut random = generator(7, 1);
    for part in [0.1, 0.5, 1.0, 2.0] {
        let all = noise(0.0, part);
        let (numbers, mut longer) = (NoiseNumbers::new(&all, 4), 0.0);
        for draws in draws::<AXES>(&all, 4, 2000) {
            let v = velocity::<AXES>(&mut random);
            let (before, n) = (real(v), real(draws.vector));
            let sum = [0, 1, 2].map(|axis| before[axis] + part * size(before) * n[axis] / size(n));
            if size(sum) < 2000.0 {
                continue;
            }
            let after = real(with_noise(v, &numbers, &draws));
            let exact = sum.map(|along| along * size(before) / size(sum));
            let away = size([0, 1, 2].map(|axis| after[axis] - exact[axis]));
            assert!(away < 3.0 + 3.0 * size(before) / size(sum), "{v:?}, {part}: {after:?} for {exact:?}");
            longer += size(after) - size(before);
        }
        assert!((longer / 2000.0).abs() < 0.05, "{part}: longer by {}", longer / 2000.0);
    }
    let draws = Draws { angle: [ONE; AXES], vector: [ONE; AXES], normal: 500, side: [ONE; AXES] };
    let mut all = noise(3.0, 1.0);
    all.set_deviation(1.0);
    assert_eq!(with_noise([0; AXES], &NoiseNumbers::new(&all, 0), &draws), [0; AXES]);
}

#[test]
fn a_vector_is_added_and_the_sum_is_brought_to_length() {
    adds_vectors::<2>();
    adds_vectors::<3>();
}

/// Random numbers as lists of values from 0 to 1 that should be uniform: angles, and components of directions.
fn uniform_parts<const AXES: usize>(draws: &[Draws<i32, AXES>]) -> Vec<Vec<f64>> {
    let part = |n: i32| f64::from(n + ONE) / f64::from(2 * ONE);
    let mut parts = Vec::new();
    if AXES == 2 {
        parts.push(draws.iter().map(|draws| part(draws.angle[0])).collect());
        parts.push(draws.iter().map(|draws| real(draws.vector)[1].atan2(real(draws.vector)[0]) / TAU + 0.5).collect());
        return parts;
    }
    for axis in 0..AXES {
        parts.push(draws.iter().map(|draws| part(draws.angle[axis])).collect());
        parts.push(draws.iter().map(|draws| part(draws.vector[axis])).collect());
    }
    parts
}

fn lattice_draws<const AXES: usize>(noise: &Noise, step: u64, extents: Extents, edges: Edges) -> Vec<Draws<i32, AXES>> {
    let numbers = NoiseNumbers::on_lattice(noise, step, extents, edges);
    let [width, height, depth] = extents.along_axes().map(|extent| extent as i32);
    let rows = (0..depth).flat_map(|z| (0..height).map(move |y| [y, z]));
    let rows = rows.map(|row| RowNoise::new(&numbers, SEED, extents, edges, row));
    rows.flat_map(|row| (0..width).map(|x| row.draws(x)).collect::<Vec<_>>()).collect()
}

fn is_isotropic<const AXES: usize>(extents: Extents) {
    let all = noise(1.0, 0.5);
    for draws in [draws::<AXES>(&all, 77, 30_000), lattice_draws(&all, 77, extents, Edges::Torus)] {
        for (index, parts) in uniform_parts(&draws).iter().enumerate() {
            let excess = excess_of_chi_squared(&bins(parts.iter().copied()));
            assert!(excess < 3.5, "number {index} on {AXES} axes: {excess}");
            // Draws must be uncorrelated between neighbours, between cells a row apart, and between angle and vector.
            let mean = |parts: &[f64], apart: usize| {
                let products = parts.iter().zip(&parts[apart..]).map(|(a, b)| (a - 0.5) * (b - 0.5));
                12.0 * products.sum::<f64>() / (parts.len() - apart) as f64
            };
            for apart in [1, 2, extents.width as usize] {
                let correlation = mean(parts, apart) * (parts.len() as f64).sqrt();
                assert!(correlation.abs() < 3.5, "number {index} on {AXES} axes, {apart} apart: {correlation}");
            }
        }
        let length = |v: [i32; AXES]| (size(real(v)) / f64::from(ONE) - 1.0).abs();
        assert!(draws.iter().all(|draws| length(draws.vector) < 2e-4));
    }
}

#[test]
fn the_field_prefers_no_direction() {
    is_isotropic::<2>(Extents::flat(200, 150));
    is_isotropic::<3>(Extents::deep(40, 30, 25));
}

#[test]
fn another_seed_step_or_number_is_another_draw() {
    let all = noise(1.0, 0.5);
    let first = draws::<2>(&all, 5, 1000);
    let numbers = NoiseNumbers::new(&all, 5);
    let other = DrawKeys::new(&numbers, SEED + 1);
    let of_seed: Vec<_> = (0..1000).map(|number| Draws::<i32, 2>::of_individuals(&numbers, &other, number)).collect();
    for others in [of_seed, draws::<2>(&all, 6, 1000)] {
        let alike = first.iter().zip(&others).filter(|(a, b)| a.angle == b.angle || a.vector == b.vector).count();
        assert!(alike < 5, "{alike}");
    }
}

/// The correlation between the angles of each pair.
fn correlation(pairs: impl Iterator<Item = (i32, i32)>) -> f64 {
    let (mut product, mut count) = (0.0, 0.0);
    for (a, b) in pairs {
        product += f64::from(a) * f64::from(b) / f64::from(ONE).powi(2);
        count += 1.0;
    }
    3.0 * product / count
}

/// The correlation of two interpolated numbers that interpolation alone causes. `apart`: their distance in intervals
/// between draws. It is the mean over the phase of Σ w(phase)·w(phase + apart) over the draws, with the weight w of
/// each draw.
fn expected_correlation(apart: f64) -> f64 {
    let weights = |at: f64, draw: f64| {
        let since = at - draw;
        if (0.0..1.0).contains(&since) {
            (since * TAU / 4.0).cos()
        } else if (-1.0..0.0).contains(&since) {
            ((since + 1.0) * TAU / 4.0).sin()
        } else {
            0.0
        }
    };
    let phases = (0..1000).map(|index| (f64::from(index) + 0.5) / 1000.0);
    let of_phase = |phase: f64| -> f64 {
        (0..4).map(|draw| weights(phase, f64::from(draw)) * weights(phase + apart, f64::from(draw))).sum()
    };
    phases.map(of_phase).sum::<f64>() / 1000.0
}

#[test]
fn noise_is_correlated_over_its_time_and_keeps_its_variance() {
    let all = Noise { time: 10, ..noise(1.0, 0.5) };
    let first = draws::<2>(&all, 1234, 20_000);
    for apart in [0, 1, 3, 5, 10, 15, 25] {
        let later = draws::<2>(&all, 1234 + apart, 20_000);
        let found = correlation(first.iter().zip(&later).map(|(a, b)| (a.angle[0], b.angle[0])));
        let expected = expected_correlation(apart as f64 / 10.0);
        assert!((found - expected).abs() < 0.03, "{apart} steps apart: {found}, not {expected}");
    }
    // Interpolated directions have length 1, and all directions are equally frequent.
    let deep = draws::<3>(&all, 1234, 20_000);
    for draws in deep.iter().flat_map(|draws| [draws.angle, draws.vector]) {
        assert!((size(real(draws)) / f64::from(ONE) - 1.0).abs() < 2e-4, "{draws:?}");
    }
    for parts in uniform_parts(&deep) {
        assert!(excess_of_chi_squared(&bins(parts.iter().copied())) < 3.5);
    }
}

#[test]
fn noise_is_correlated_over_its_length_and_keeps_its_variance() {
    for (edges, time) in [(Edges::Torus, 1), (Edges::Walls, 1), (Edges::Torus, 4)] {
        let all = Noise { length: 8, time, ..noise(1.0, 0.5) };
        let extents = Extents::flat(320, 240);
        let drawn = lattice_draws::<2>(&all, 31, extents, edges);
        let at = |x: u32, y: u32| drawn[((y % 240) * 320 + x % 320) as usize].angle[0];
        for apart in [0, 1, 4, 8, 12, 20] {
            let expected = expected_correlation(f64::from(apart) / 8.0);
            let places = || (0..240 - 20).flat_map(|y| (0..320 - 20).map(move |x| (x, y)));
            let along_x = correlation(places().map(|(x, y)| (at(x, y), at(x + apart, y))));
            let along_y = correlation(places().map(|(x, y)| (at(x, y), at(x, y + apart))));
            // 30 x 40 knots give a standard error of 0.03.
            for found in [along_x, along_y] {
                assert!((found - expected).abs() < 0.11, "{edges:?}, {apart} cells apart: {found}, not {expected}");
            }
        }
        if edges == Edges::Torus {
            // Across the edge of the torus, numbers differ no more than elsewhere.
            let jump = |x: u32| (0..240).map(|y| f64::from((at(x, y) - at(x + 1, y)).abs())).sum::<f64>() / 240.0;
            assert!(jump(319) < 2.0 * jump(100), "{} and {}", jump(319), jump(100));
        }
    }
    // Along an axis shorter than half of the length, all cells have one number.
    let one = lattice_draws::<2>(&Noise { length: 500, ..noise(1.0, 0.0) }, 3, Extents::flat(40, 30), Edges::Torus);
    assert!(one.iter().all(|draws| draws.angle == one[0].angle) && one[0].angle != [0; 2]);
    // In a deep lattice whose extents are no multiples of the length, numbers are within their bounds and directions
    // have length 1.
    let extents = Extents::deep(13, 9, 7);
    for draws in lattice_draws::<3>(&Noise { length: 3, time: 2, ..noise(1.0, 0.5) }, 3, extents, Edges::Walls) {
        assert!((size(real(draws.vector)) / f64::from(ONE) - 1.0).abs() < 2e-4, "{draws:?}");
    }
}

/// Compares the results in lanes with results of single numbers.
struct Compare<const AXES: usize>;

impl<const AXES: usize> LaneWork for Compare<AXES> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        let mut random = generator(11, 1);
        let extents = if AXES == 2 { Extents::flat(45, 31) } else { Extents::deep(45, 31, 17) };
        for round in 0..60 {
            let amplitudes = [[0.7, 0.0], [0.0, 0.6], [TAU, 2.0]][round % 3];
            let correlated = Noise {
                time: [1, 3][round / 3 % 2],
                length: [1, 4][round / 6 % 2],
                ..noise(amplitudes[0], amplitudes[1])
            };
            let of_each = NoiseNumbers::new(&correlated, round as u64);
            let numbers = NoiseNumbers::on_lattice(&correlated, round as u64, extents, Edges::Torus);
            let keys = DrawKeys::new(&of_each, SEED);
            let row = RowNoise::new(&numbers, SEED, extents, Edges::Torus, [7, 5 % extents.slices() as i32]);
            let list: Vec<Vector3> = (0..MAX_LANES).map(|_| random.inside_ball(ONE)).collect();
            let mut v = [V::splat(0); AXES];
            for axis in 0..AXES {
                v[axis] = V::load(&list.iter().map(|v| v[axis]).collect::<Vec<_>>());
            }
            let of_individuals = with_noise(v, &of_each, &Draws::of_individuals(&of_each, &keys, V::iota()));
            let of_cells = row.turn(3, v, &mut KnotDraws::none());
            let stored = |v: [V; AXES], axis: usize| {
                let mut words = [0; MAX_LANES];
                v[axis].store(&mut words);
                words
            };
            for lane in 0..V::COUNT {
                let own: [i32; AXES] = std::array::from_fn(|axis| list[lane][axis]);
                let drawn = Draws::of_individuals(&of_each, &keys, lane as i32);
                let expected =
                    [with_noise(own, &of_each, &drawn), row.turn(3 + lane as i32, own, &mut KnotDraws::none())];
                for axis in 0..AXES {
                    let found = [stored(of_individuals, axis)[lane], stored(of_cells, axis)[lane]];
                    assert_eq!(found, expected.map(|v| v[axis]), "{correlated:?}, lane {lane}");
                }
            }
        }
    }
}

/// Compares draws along whole rows, whose cells share knots, with separate draws for each cell.
struct CompareRows<const AXES: usize>;

impl<const AXES: usize> LaneWork for CompareRows<AXES> {
    #[inline(always)]
    fn run<V: Lanes>(self) {
        for (width, edges) in [1, 3, 45, 200, MAX_EXTENT]
            .into_iter()
            .flat_map(|width| [Edges::Torus, Edges::Walls].map(|edges| (width, edges)))
        {
            let extents = if AXES == 2 { Extents::flat(width, 9) } else { Extents::deep(width, 9, 5) };
            for (length, time) in [2, 3, 5, 16, 60].into_iter().flat_map(|length| [(length, 1), (length, 3)]) {
                let numbers = NoiseNumbers::on_lattice(&Noise { length, time, ..noise(1.0, 0.5) }, 7, extents, edges);
                let row = RowNoise::new(&numbers, SEED, extents, edges, [4, 2 % extents.slices() as i32]);
                let mut knots = KnotDraws::none();
                for x in (0..width as i32).step_by(V::COUNT) {
                    let Draws { angle, vector, .. } = row.draws_between::<V, AXES>(x, &mut knots);
                    for axis in 0..AXES {
                        let mut found = [[0; MAX_LANES]; 2];
                        angle[axis].store(&mut found[0]);
                        vector[axis].store(&mut found[1]);
                        for lane in 0..Ord::min(V::COUNT, width as usize - x as usize) {
                            let expected: Draws<i32, AXES> = row.draws(x + lane as i32);
                            let expected = [expected.angle[axis], expected.vector[axis]];
                            assert_eq!(found.map(|list| list[lane]), expected, "{width} {edges:?} {length} {time} {x}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn knots_of_a_row_are_those_of_its_cells() {
    for set in InstructionSet::ALL.iter().filter(|set| set.is_available()) {
        set.run(CompareRows::<2>);
        set.run(CompareRows::<3>);
    }
}

#[test]
fn lanes_of_noise_agree_with_single_numbers() {
    for set in InstructionSet::ALL.iter().filter(|set| set.is_available()) {
        set.run(Compare::<2>);
        set.run(Compare::<3>);
    }
}
