//! Sums over the sights of the cells of a row in a deep world, from the staged slices.
//! The twin is `shaders/perception/sums.wgsl`.
//!
//! A sight that consists of runs along x is summed in two passes. The first sums, for each cell of a row, the cells in
//! the middles of the runs. The second sums these results along x. A ball or a box then takes one read per row instead
//! of one per cell. Other sights are summed vector by vector. For separation, opposite vectors pull in opposite
//! directions, so one multiplication serves both.
//!
//! In the formulas s is an offset of the sight, p the perceived density there, and V the control vector there.

use crate::cells::sights::{DeepSight, Level};
use crate::cells::stage::{QUANTITIES, Stage, StageView};
use crate::lanes::Lanes;
use crate::lanes::vector::{add, scale, splat, zero};
use crate::numbers::Vector3;

/// Sums over the rows of a sight, for each cell of a row. A level is a length of runs ([`Level`]). Each level has the
/// sums over all runs that are at least as long.
pub struct RunSums<'a> {
    words: &'a mut [i32],
    row: usize,
    margin: i32,
}

impl<'a> RunSums<'a> {
    /// The words for sights with this reach, in cells.
    pub fn words(reach: i32, width: usize) -> usize {
        (reach as usize + 1) * QUANTITIES * Stage::row_words(reach, width)
    }

    pub fn new(words: &'a mut [i32], reach: i32, width: usize) -> Self {
        Self { words, row: Stage::row_words(reach, width), margin: Stage::margin(reach) as i32 }
    }

    /// The sum of one quantity at a level, for the cells from x on.
    #[inline(always)]
    fn at<L: Lanes>(&self, level: usize, quantity: usize, x: i32) -> L {
        L::load(&self.words[(level * QUANTITIES + quantity) * self.row + (self.margin + x) as usize..])
    }

    /// Sums the rows of a sight for the awake chunks and the cells around them. For momentum all quantities of the
    /// stage are summed, otherwise p, p·y and p·z.
    #[inline(always)]
    pub fn prepare<L: Lanes, const IS_MOMENTUM: bool>(
        &mut self,
        seen: StageView<'_>,
        sight: &DeepSight,
        awake: &[i32],
    ) {
        let (Some(longest), Some(first), Some(last)) = (sight.levels.first(), awake.first(), awake.last()) else {
            return;
        };
        let around = (longest.half as usize).next_multiple_of(L::COUNT) as i32;
        for x in (first - around..=last + around).step_by(L::COUNT) {
            let mut sums = [L::splat(0); QUANTITIES];
            let mut first = 0;
            for (level, Level { rows: count, .. }) in sight.levels.iter().enumerate() {
                for row in first..first + *count {
                    let (place, s) = (&seen.places[row], &sight.looks[row]);
                    let p: L = seen.at(*place, 0, x);
                    sums[0] = sums[0].add(p);
                    for quantity in 1..QUANTITIES {
                        if IS_MOMENTUM {
                            sums[quantity] = sums[quantity].add(seen.at(*place, quantity, x));
                        } else if quantity < 3 {
                            sums[quantity] = sums[quantity].add(p.multiply_half_by(s[quantity] as i16));
                        }
                    }
                }
                first += *count;
                for (quantity, sum) in sums.iter().enumerate() {
                    let place = (level * QUANTITIES + quantity) * self.row + (self.margin + x) as usize;
                    sum.store(&mut self.words[place..]);
                }
            }
        }
    }

    /// The sums over all runs, and Σ x·p, of the cells from x on.
    #[inline(always)]
    fn total<L: Lanes, const COUNT: usize>(&self, sight: &DeepSight, x: i32) -> ([L; COUNT], L) {
        let (mut sums, mut along_x) = ([L::splat(0); COUNT], L::splat(0));
        for (level, Level { half, inner, .. }) in sight.levels.iter().enumerate() {
            for step in *inner..=*half {
                for quantity in 0..COUNT {
                    let ahead: L = self.at(level, quantity, x + step);
                    sums[quantity] = sums[quantity].add(ahead);
                    if step > 0 {
                        let behind: L = self.at(level, quantity, x - step);
                        sums[quantity] = sums[quantity].add(behind);
                        if quantity == 0 {
                            along_x = along_x.add(ahead.subtract(behind).multiply(L::splat(step)));
                        }
                    }
                }
            }
        }
        (sums, along_x)
    }

    /// Cohesion: Σ s·p and Σ p of an awake chunk, the cells from x on.
    #[inline(always)]
    pub fn centre<L: Lanes>(&self, seen: StageView<'_>, sight: &DeepSight, x: i32) -> ([L; 3], L) {
        if !sight.levels.is_empty() {
            let ([sum, along_y, along_z], along_x) = self.total::<L, 3>(sight, x);
            return ([along_x, along_y, along_z], sum);
        }
        let (mut centre, mut sum) = (zero::<L, 3>(), L::splat(0));
        for (index, place) in seen.places.iter().enumerate() {
            let p: L = seen.at(*place, 0, x);
            sum = sum.add(p);
            centre = add(centre, scale(splat(sight.looks[index]), p));
        }
        (centre, sum)
    }

    /// Alignment: Σ p·V and Σ p of an awake chunk, the cells from x on.
    #[inline(always)]
    pub fn momentum<L: Lanes>(&self, seen: StageView<'_>, sight: &DeepSight, x: i32) -> ([L; 3], L) {
        let mut sums = [L::splat(0); QUANTITIES];
        if sight.levels.is_empty() {
            for place in seen.places {
                for quantity in 0..QUANTITIES {
                    sums[quantity] = sums[quantity].add(seen.at(*place, quantity, x));
                }
            }
        } else {
            sums = self.total(sight, x).0;
        }
        let [sum, momentum @ ..] = sums;
        (momentum, sum)
    }
}

/// Separation: Σ p·s/|s|² (Q10) of the cells from x on.
#[inline(always)]
pub fn pressure<L: Lanes>(seen: StageView<'_>, sight: &DeepSight, x: i32) -> [L; 3] {
    let mut pressure = zero::<L, 3>();
    let (opposite, alone) = seen.places.split_at(2 * sight.opposite);
    let (pulls, pulls_alone) = sight.pulls.split_at(sight.opposite);
    for (index, pull) in pulls.iter().enumerate() {
        let places = &opposite[2 * index..][..2];
        let difference = seen.at::<L>(places[0], 0, x).subtract(seen.at(places[1], 0, x));
        add_pull(&mut pressure, *pull, difference);
    }
    for (index, place) in alone.iter().enumerate() {
        add_pull(&mut pressure, pulls_alone[index], seen.at(*place, 0, x));
    }
    pressure
}

/// Adds a pull multiplied by p, a perceived density or a difference of two.
#[inline(always)]
fn add_pull<L: Lanes>(pressure: &mut [L; 3], pull: Vector3, p: L) {
    for axis in 0..3 {
        pressure[axis] = pressure[axis].add(p.multiply_half_by(pull[axis] as i16));
    }
}
