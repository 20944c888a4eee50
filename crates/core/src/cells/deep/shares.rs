//! The fractions of a cell that go to the neighbours ahead, by the distribution methods on three axes.

use super::{AXES_OF, GIVEN};
use crate::cells::transport::{NEAREST, SPLIT};
use crate::lanes::Lanes;
use crate::numbers::ONE;

/// The fractions (Q16) of a cell that go to each neighbour ahead, in the order of [`AXES_OF`]. They add up to at most
/// one.
#[inline(always)]
pub fn shares<L: Lanes>(control: [L; 3], method: u32) -> [L; GIVEN] {
    let along = [control[0].abs(), control[1].abs(), control[2].abs()];
    match method {
        NEAREST => nearest_shares(along),
        SPLIT => split_shares(along),
        _ => trilinear_shares(along),
    }
}

/// Trilinear: the seven neighbours that the moved unit cube overlaps get their parts of it.
///
/// share(axes) = floor( Π |V_a| over the axes · Π (1 - |V_b|) over the others )
#[inline(always)]
fn trilinear_shares<L: Lanes>(along: [L; 3]) -> [L; GIVEN] {
    let one = L::splat(ONE);
    let stays = [one.subtract(along[0]), one.subtract(along[1]), one.subtract(along[2])];
    let mut shares = [L::splat(0); GIVEN];
    for (index, share) in shares.iter_mut().enumerate() {
        let axes = AXES_OF[index];
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
/// three.
#[inline(always)]
fn split_shares<L: Lanes>([x, y, z]: [L; 3]) -> [L; GIVEN] {
    let zero = L::splat(0);
    let mut shares = [
        x.subtract(y.max(z)).max(zero),
        y.subtract(x.max(z)).max(zero),
        z.subtract(x.max(y)).max(zero),
        x.min(y).subtract(z).max(zero),
        x.min(z).subtract(y).max(zero),
        y.min(z).subtract(x).max(zero),
        x.min(y).min(z),
    ];
    for share in &mut shares {
        *share = share.shift_left::<2>();
    }
    shares
}

/// Nearest: the amount a goes to the neighbour whose direction is nearest to V. With the components sorted a ≥ b ≥ c,
/// that neighbour lies along one axis, two or three, by the max of 6a², 3(a+b)² and 2(a+b+c)². If two of these are
/// equal, it lies along fewer axes.
#[inline(always)]
fn nearest_shares<L: Lanes>([x, y, z]: [L; 3]) -> [L; GIVEN] {
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
    let zero = L::splat(0);
    let amount = a.shift_left::<2>();
    let corner = is_corner.and(amount);
    let elsewhere = amount.subtract(corner);
    let edge = is_diagonal.and(elsewhere);
    let face = elsewhere.subtract(edge);
    // A face is nearest only if its component is greater than the others. An edge is nearest only if the third
    // component is less than its two.
    let mut shares = [zero; GIVEN];
    let leads = [(x, y.max(z)), (y, x.max(z)), (z, x.max(y)), (x.min(y), z), (x.min(z), y), (y.min(z), x)];
    for (index, (least_of_these, greatest_of_others)) in leads.iter().enumerate() {
        shares[index] = greatest_of_others.less_than(*least_of_these);
    }
    for (place, share) in shares.iter_mut().enumerate() {
        *share = share.and(if place < 3 { face } else { edge });
    }
    shares[GIVEN - 1] = corner;
    shares
}

/// The mask of a < b as unsigned numbers.
#[inline(always)]
fn less_than_unsigned<L: Lanes>(a: L, b: L) -> L {
    let lowest = L::splat(i32::MIN);
    a.wrapping_add(lowest).less_than(b.wrapping_add(lowest))
}
