//! Statistics of the pairs of a sample, by distance.
//!
//! The fluctuation of a boid is u = v − ⟨v⟩, its velocity v minus the mean velocity. The correlation of fluctuations is
//! C(r) = Σ u·u′ / (c₀ n), summed over the n pairs of boids at a distance r. c₀ = ⟨u²⟩ makes C(0) = 1. The first zero ξ
//! of C(r) is the correlation length (Cavagna et al. 2010, *Scale-free correlations in starling flocks*).
//!
//! The pair distribution g(r) is the number of pairs at a distance r, divided by the number expected for boids at
//! independent random places.

use super::sample::{Boid, Sample};
use crate::lanes::{InstructionSet, LaneWork, Lanes};
use crate::numbers::{ONE, Vector3, each_axis};
use crate::parallel::*;
use crate::world::{Edges, Space, offset};
use serde::Serialize;
use std::f64::consts::PI;

/// The number of equal bins into which the range of distances is divided.
pub const BINS: usize = 256;
/// The number of groups into which the sample is divided. For standard errors, all values are computed without each
/// group in turn.
const GROUPS: usize = 8;
/// The number of pairs whose distances are computed before they are added to bins.
const PAIRS_AT_ONCE: usize = 256;
/// The number of pairs of a joined bin in a large sample. The noise of its C(r) is then about 1/√1000 = 0.03.
const PAIRS_OF_JOINED: f64 = 1000.0;
/// The least number of pairs of a joined bin.
const MIN_PAIRS: f64 = 30.0;
/// In a small sample, a joined bin has 1 / `MIN_JOINED` of all pairs, but at least [`MIN_PAIRS`].
const MIN_JOINED: f64 = 8.0;

/// Statistics of pairs, by distance r (see the module for C(r) and g(r)). Each list has a value for each bin of
/// distances. `None`: the bin has no pairs, or the value is undefined.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairStatistics {
    /// The width of a bin, in cells. Bin i has the distances from i · width to (i + 1) · width.
    pub width: f64,
    /// The number of pairs of the sample in each bin.
    pub pairs: Vec<u64>,
    /// The correlation C(r) of velocity fluctuations.
    pub correlation: Vec<Option<f64>>,
    /// The standard error of C(r), by the jackknife with eight groups of boids.
    pub correlation_error: Vec<Option<f64>>,
    /// The correlation length ξ, in cells: the first distance at which C(r) is 0. Adjacent bins are joined before, to
    /// reduce the noise of C(r). `None`: C(r) has no zero.
    pub correlation_length: Option<f64>,
    /// The standard error of ξ, in cells.
    pub correlation_length_error: Option<f64>,
    /// The greatest distance of two boids of the sample, in cells, to within half a bin. Distances beyond the last bin
    /// are left out: half of the greatest extent on a torus, the greatest extent between walls. `None`: the sample has no pair.
    pub greatest_distance: Option<f64>,
    /// The pair distribution g(r); `None` beyond half the smallest extent of the world.
    pub distribution: Vec<Option<f64>>,
    /// The standard error of g(r).
    pub distribution_error: Vec<Option<f64>>,
}

/// Sums over the pairs in each bin: the number of pairs, and the products Σ u·u′ of their fluctuations.
#[derive(Clone)]
struct Bins {
    pairs: Vec<f64>,
    products: Vec<f64>,
}

/// The statistics that are computed from bins: C(r), its first zero in cells, and g(r).
struct Values {
    correlation: Vec<Option<f64>>,
    zero: Option<f64>,
    distribution: Vec<Option<f64>>,
}

impl PairStatistics {
    /// The statistics of all pairs of a sample.
    pub fn new(sample: &Sample, space: &Space) -> Self {
        let width = reach(space) / BINS as f64;
        let columns = Columns::new(&sample.boids);
        let count = sample.boids.len();
        let variance = (0..count).map(|index| columns.square(index)).sum::<f64>() / count.max(1) as f64;
        let ideal: Vec<_> = (0..BINS).map(|bin| ideal_part(bin, width, space)).collect();
        let blocks: Vec<_> = (0..GROUPS).flat_map(|group| (group..GROUPS).map(move |other| [group, other])).collect();
        let blocks = blocks.into_par_iter().map(|groups| (groups, Bins::of_block(groups, &columns, space, width)));
        let blocks: Vec<_> = blocks.collect();
        let values = |bins: &Bins, count: usize| {
            let correlation = bins.correlation(variance);
            let pairs = (count as f64) * (count as f64 - 1.0) / 2.0;
            let parts = bins.pairs.iter().zip(&ideal);
            let distribution = parts.map(|(own, ideal)| ideal.filter(|_| count > 1).map(|part| own / (pairs * part)));
            Values { zero: bins.zero(width), distribution: distribution.collect(), correlation }
        };
        let every = blocks.iter();
        let all = every.clone().fold(Bins::empty(), |sum, (_, bins)| sum.plus(bins));
        let without: Vec<_> = (0..GROUPS)
            .map(|group| {
                let others = every.clone().filter(|(groups, _)| !groups.contains(&group));
                let bins = others.fold(Bins::empty(), |sum, (_, bins)| sum.plus(bins));
                values(&bins, count - group_range(group, count).len())
            })
            .collect();
        let errors = |of: fn(&Values) -> &Vec<Option<f64>>| {
            (0..BINS).map(|bin| standard_error(without.iter().map(|values| of(values)[bin]))).collect()
        };
        let Values { correlation, zero, distribution } = values(&all, count);
        Self {
            width,
            pairs: all.pairs.iter().map(|pairs| *pairs as u64).collect(),
            correlation,
            correlation_error: errors(|values| &values.correlation),
            correlation_length: zero,
            correlation_length_error: standard_error(without.iter().map(|values| values.zero)),
            greatest_distance: all.pairs.iter().rposition(|pairs| *pairs > 0.0).map(|bin| (bin as f64 + 0.5) * width),
            distribution,
            distribution_error: errors(|values| &values.distribution),
        }
    }
}

/// The mean of C(r) over several steps of a swarm, weighted by the numbers of pairs.
///
/// For a small swarm, C(r) of a single step is noisy, and its first zero is too near. The first zero of the mean is a
/// better correlation length.
#[derive(Default)]
pub struct MeanCorrelation {
    width: f64,
    sums: Option<Bins>,
}

impl MeanCorrelation {
    /// Adds the statistics of a step.
    pub fn add(&mut self, statistics: &PairStatistics) {
        let pairs: Vec<f64> = statistics.pairs.iter().map(|pairs| *pairs as f64).collect();
        let values = statistics.correlation.iter().zip(&pairs);
        let products = values.map(|(value, pairs)| value.unwrap_or(0.0) * pairs).collect();
        self.width = statistics.width;
        self.sums = Some(self.sums.take().unwrap_or_else(Bins::empty).plus(&Bins { pairs, products }));
    }

    /// The correlation length, in cells: the first zero of the mean C(r). `None`: the mean has no zero.
    pub fn length(&self) -> Option<f64> {
        self.sums.as_ref()?.zero(self.width)
    }
}

/// The boids of a sample, by columns.
struct Columns {
    /// The places along each axis, in the unit of [`Boid::place`].
    places: [Vec<i32>; 3],
    /// The velocities minus their mean along each axis, in cells a step.
    fluctuations: [Vec<f64>; 3],
}

impl Columns {
    fn new(boids: &[Boid]) -> Self {
        let along = |axis: usize| {
            let velocities = boids.iter().map(|boid| f64::from(boid.velocity[axis]) / f64::from(ONE));
            let mean = velocities.clone().sum::<f64>() / boids.len().max(1) as f64;
            velocities.map(|velocity| velocity - mean).collect()
        };
        Self {
            places: each_axis(|axis| boids.iter().map(|boid| boid.place[axis]).collect()),
            fluctuations: each_axis(along),
        }
    }

    /// The squared length of a fluctuation.
    fn square(&self, index: usize) -> f64 {
        let u = each_axis(|axis| self.fluctuations[axis][index]);
        dot(u, u)
    }
}

/// Counts pairs of boids in bins. Distances and products are computed for several pairs at a time.
struct PairCount<'a> {
    columns: &'a Columns,
    groups: [usize; 2],
    /// The extents of the world, in the unit of [`Boid::place`].
    extents: Vector3,
    edges: Edges,
    /// The factor that converts a distance, in the unit of [`Boid::place`], to a number of bins.
    scale: f64,
    bins: &'a mut Bins,
}

impl LaneWork for PairCount<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { columns: Columns { places, fluctuations }, groups, extents, edges, scale, bins } = self;
        let [ones, others] = groups.map(|group| group_range(group, places[0].len()));
        let (mut bin, mut product) = ([0; PAIRS_AT_ONCE], [0.0; PAIRS_AT_ONCE]);
        for one in ones {
            let mut first = Ord::max(others.start, one + 1);
            while first < others.end {
                let count = Ord::min(PAIRS_AT_ONCE, others.end - first);
                let [x, y, z] =
                    [&places[0][first..][..count], &places[1][first..][..count], &places[2][first..][..count]];
                let along = |axis: usize, to: i32| f64::from(offset(places[axis][one], to, extents[axis], edges));
                for index in 0..count {
                    let d = [along(0, x[index]), along(1, y[index]), along(2, z[index])];
                    bin[index] = Ord::min((dot(d, d).sqrt() * scale) as i32, BINS as i32);
                }
                let [x, y, z] = each_axis(|axis| &fluctuations[axis][first..][..count]);
                let u = each_axis(|axis| fluctuations[axis][one]);
                for index in 0..count {
                    product[index] = dot(u, [x[index], y[index], z[index]]);
                }
                for index in 0..count {
                    bins.pairs[bin[index] as usize] += 1.0;
                    bins.products[bin[index] as usize] += product[index];
                }
                first += count;
            }
        }
    }
}

impl Bins {
    fn empty() -> Self {
        Self { pairs: vec![0.0; BINS], products: vec![0.0; BINS] }
    }

    /// Counts the pairs between the boids of two groups, each pair once. `width`: the width of a bin, in cells.
    fn of_block(groups: [usize; 2], columns: &Columns, space: &Space, width: f64) -> Self {
        // The additional bin collects the pairs beyond the last distance.
        let mut bins = Self { pairs: vec![0.0; BINS + 1], products: vec![0.0; BINS + 1] };
        let extents = each_axis(|axis| (space.extents[axis] as i32) << space.place_bits());
        let scale = 1.0 / (f64::from(1 << space.place_bits()) * width);
        let work = PairCount { columns, groups, extents, edges: space.edges, scale, bins: &mut bins };
        InstructionSet::widest().run(work);
        bins.pairs.truncate(BINS);
        bins.products.truncate(BINS);
        bins
    }

    fn plus(self, other: &Self) -> Self {
        let sum = |one: Vec<f64>, other: &[f64]| one.iter().zip(other).map(|(one, other)| one + other).collect();
        Self { pairs: sum(self.pairs, &other.pairs), products: sum(self.products, &other.products) }
    }

    /// The first distance at which C(r) is 0, in cells. `None`: C(r) has no zero, or is not above 0 in the nearest
    /// bins.
    ///
    /// Bins are joined, from the nearest on, until each has enough pairs. If C(r) is not above 0 in the nearest joined
    /// bin, the correlation is shorter than this bin. The number of pairs that counts as enough is then halved.
    fn zero(&self, width: f64) -> Option<f64> {
        let mut enough = (self.pairs.iter().sum::<f64>() / MIN_JOINED).clamp(MIN_PAIRS, PAIRS_OF_JOINED);
        let mut joined = self.joined(width, enough);
        while joined.first().is_some_and(|(_, c)| *c <= 0.0) && enough > MIN_PAIRS {
            enough = (enough / 2.0).max(MIN_PAIRS);
            joined = self.joined(width, enough);
        }
        let first = joined.iter().position(|(_, c)| *c <= 0.0).filter(|first| *first > 0)?;
        let ((r, c), (r_after, c_after)) = (joined[first - 1], joined[first]);
        Some(r + (r_after - r) * c / (c - c_after))
    }

    /// Joins bins until each has at least `enough` pairs. Returns for each joined bin the mean distance of its pairs,
    /// in cells, and c₀ C(r).
    fn joined(&self, width: f64, enough: f64) -> Vec<(f64, f64)> {
        let mut joined = Vec::new();
        let (mut count, mut distances, mut products) = (0.0, 0.0, 0.0);
        for (bin, (pairs, product)) in self.pairs.iter().zip(&self.products).enumerate() {
            count += pairs;
            distances += pairs * (bin as f64 + 0.5) * width;
            products += product;
            if count >= enough {
                joined.push((distances / count, products / count));
                (count, distances, products) = (0.0, 0.0, 0.0);
            }
        }
        joined
    }

    /// The correlation C(r) of each bin. `variance`: the mean square c₀ of the fluctuations.
    fn correlation(&self, variance: f64) -> Vec<Option<f64>> {
        let bins = self.pairs.iter().zip(&self.products);
        bins.map(|(pairs, product)| (*pairs > 0.0 && variance > 0.0).then(|| product / pairs / variance)).collect()
    }
}

/// The largest distance of the bins, in cells: half the largest extent of a torus, or the largest extent between walls.
fn reach(space: &Space) -> f64 {
    let greatest = f64::from(space.extents.into_iter().fold(0, u32::max));
    if space.edges == Edges::Torus { greatest / 2.0 } else { greatest }
}

fn group_range(group: usize, count: usize) -> std::ops::Range<usize> {
    group * count / GROUPS..(group + 1) * count / GROUPS
}

#[inline(always)]
fn dot(one: [f64; 3], other: [f64; 3]) -> f64 {
    one[0] * other[0] + one[1] * other[1] + one[2] * other[2]
}

/// The fraction of all pairs that is in a bin, if the boids have independent random places. `None` beyond half the
/// smallest extent of the world.
///
/// A shell with the radius r around a place has the volume S(r) dr. Between walls a part of the shell is outside of the
/// world. The fraction inside, averaged over all places, is A(r) = ⟨Π (Lᵢ − r|nᵢ|)⟩ / Π Lᵢ. The products are over the
/// axes i with the extents Lᵢ, and the mean is over all directions n.
fn ideal_part(bin: usize, width: f64, space: &Space) -> Option<f64> {
    let extents: Vec<f64> = space.extents[..space.axes()].iter().map(|extent| f64::from(*extent)).collect();
    let least = extents.iter().copied().fold(f64::MAX, f64::min);
    let first = bin as f64 * width;
    let last = (bin + 1) as f64 * width;
    if last > least / 2.0 {
        return None;
    }
    let volume: f64 = extents.iter().product();
    // The integral of r^(k + axes − 1) over the bin, for the term of A(r) with r^k.
    let power = |k: usize| {
        let exponent = (k + extents.len()) as i32;
        (last.powi(exponent) - first.powi(exponent)) / f64::from(exponent)
    };
    let sphere = if extents.len() == 2 { 2.0 * PI } else { 4.0 * PI };
    let mut integral = volume * power(0);
    if space.edges == Edges::Walls {
        integral += match extents[..] {
            [a, b] => -(a + b) * 2.0 / PI * power(1) + power(2) / PI,
            [a, b, c] => {
                let faces = -(a * b + b * c + c * a) / 2.0 * power(1);
                faces + (a + b + c) * 2.0 / (3.0 * PI) * power(2) - power(3) / (4.0 * PI)
            }
            _ => 0.0,
        };
    }
    Some(sphere * integral / (volume * volume))
}

/// The standard error of a value, by the jackknife (Efron and Stein 1981, *The jackknife estimate of variance*).
/// `values`: the values of the sample without each group in turn. `None`: fewer than three of them are defined.
fn standard_error(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let values: Vec<f64> = values.flatten().collect();
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (values.len() > 2).then(|| (squares * (count - 1.0) / count).sqrt())
}
