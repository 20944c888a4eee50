//! The fractions of a cell that go to the neighbours ahead, by the distribution methods (the paper's Figure 3).
//!
//! A cell gives to the neighbours ahead along each set of axes: to three in a flat world, to seven in a deep one. The
//! number of such a neighbour is its set of axes less 1. In a set bit 0 is x, bit 1 is y, and bit 2 is z.

use crate::cells::numbers::Distribution;
use crate::lanes::Lanes;
use crate::numbers::ONE;

/// The number of neighbours that a cell of a deep world gives to.
pub const MAX_GIVEN: usize = 7;

/// The number of neighbours that a cell gives to.
#[inline(always)]
pub const fn given(axes: usize) -> usize {
    (1 << axes) - 1
}

const NEAREST: u32 = Distribution::Nearest as u32;
const SPLIT: u32 = Distribution::Split as u32;

/// The fractions of a cell that go to each neighbour ahead, by its set of axes less 1. They are Q14 in a flat world and
/// Q16 in a deep one. They add up to at most one. `method`: the number of the [`Distribution`].
#[inline(always)]
pub fn shares<L: Lanes, const AXES: usize>(control: [L; AXES], method: u32) -> [L; MAX_GIVEN] {
    let mut along = [L::splat(0); 3];
    for axis in 0..AXES {
        along[axis] = control[axis].abs();
    }
    let mut shares = match method {
        NEAREST => nearest_shares(along),
        SPLIT => split_shares(along),
        _ if AXES == 2 => return bilinear_shares(along),
        _ => return trilinear_shares(along),
    };
    if AXES == 3 {
        for share in &mut shares {
            *share = share.shift_left::<2>();
        }
    }
    shares
}

/// Bilinear: a_xy = |V_x|·|V_y| goes to the diagonal neighbour, |V_x| - a_xy and |V_y| - a_xy to the axis neighbours.
#[inline(always)]
fn bilinear_shares<L: Lanes>([x, y, zero]: [L; 3]) -> [L; MAX_GIVEN] {
    let both = x.multiply_halves(y).shift_right::<14>();
    [x.subtract(both), y.subtract(both), both, zero, zero, zero, zero]
}

/// Trilinear: the seven neighbours that the moved unit cube overlaps get their parts of it.
///
/// share(axes) = floor( Π |V_a| over the axes · Π (1 - |V_b|) over the others )
#[inline(always)]
fn trilinear_shares<L: Lanes>(along: [L; 3]) -> [L; MAX_GIVEN] {
    let one = L::splat(ONE);
    let stays = [one.subtract(along[0]), one.subtract(along[1]), one.subtract(along[2])];
    let mut shares = [L::splat(0); MAX_GIVEN];
    for (index, share) in shares.iter_mut().enumerate() {
        let axes = index + 1;
        let x = if axes & 0b001 != 0 { along[0] } else { stays[0] };
        let y = if axes & 0b010 != 0 { along[1] } else { stays[1] };
        let z = if axes & 0b100 != 0 { along[2] } else { stays[2] };
        let both = x.multiply_halves(y);
        // The floor of x·y·z / 2^26 in two steps: nested floors equal one floor.
        let low = both.and(L::splat(ONE - 1)).multiply_halves(z).shift_right::<14>();
        *share = both.shift_right::<14>().multiply_halves(z).add(low).shift_right::<12>();
    }
    shares
}

/// Split: with the components sorted a ≥ b ≥ c, a - b along the axis of a, b - c along the axes of a and b, c along all
/// three. In a flat world c is 0.
#[inline(always)]
fn split_shares<L: Lanes>([x, y, z]: [L; 3]) -> [L; MAX_GIVEN] {
    let zero = L::splat(0);
    [
        x.subtract(y.max(z)).max(zero),
        y.subtract(x.max(z)).max(zero),
        x.min(y).subtract(z).max(zero),
        z.subtract(x.max(y)).max(zero),
        x.min(z).subtract(y).max(zero),
        y.min(z).subtract(x).max(zero),
        x.min(y).min(z),
    ]
}

/// Nearest: the amount a goes to the neighbour whose direction is nearest to V. With the components sorted a ≥ b ≥ c,
/// that neighbour lies along one axis, two or three, by the max of 6a², 3(a+b)² and 2(a+b+c)². If two of these are
/// equal, it lies along fewer axes. In a flat world c is 0.
#[inline(always)]
fn nearest_shares<L: Lanes>([x, y, z]: [L; 3]) -> [L; MAX_GIVEN] {
    let a = x.max(y).max(z);
    let c = x.min(y).min(z);
    let two = x.add(y).add(z).subtract(c);
    let all = two.add(c);
    // (a+b)² > 2a².
    let is_diagonal = less_than_unsigned(a.multiply(a).shift_left::<1>(), two.multiply(two));
    // 2(a+b+c)² > 3(a+b)², without the term that both sides share.
    let more = two.multiply(c).shift_left::<2>().wrapping_add(c.multiply(c).shift_left::<1>());
    let is_beyond_two = less_than_unsigned(two.multiply(two), more);
    // (a+b+c)² > 3a².
    let is_beyond_one = less_than_unsigned(a.multiply(a).wrapping_multiply(L::splat(3)), all.wrapping_multiply(all));
    let is_corner = is_beyond_two.and(is_beyond_one);
    let corner = is_corner.and(a);
    let elsewhere = a.subtract(corner);
    let edge = is_diagonal.and(elsewhere);
    let face = elsewhere.subtract(edge);
    // A face is nearest only if its component is greater than the others. An edge is nearest only if the third
    // component is less than its two.
    let leads = [(x, y.max(z)), (y, x.max(z)), (x.min(y), z), (z, x.max(y)), (x.min(z), y), (y.min(z), x)];
    let mut shares = [corner; MAX_GIVEN];
    for (index, (least_of_these, greatest_of_others)) in leads.iter().enumerate() {
        let is_face = (index + 1).is_power_of_two();
        shares[index] = greatest_of_others.less_than(*least_of_these).and(if is_face { face } else { edge });
    }
    shares
}

/// The mask of the lanes in which a < b. Both are compared as unsigned numbers.
#[inline(always)]
fn less_than_unsigned<L: Lanes>(a: L, b: L) -> L {
    let lowest = L::splat(i32::MIN);
    a.wrapping_add(lowest).less_than(b.wrapping_add(lowest))
}
