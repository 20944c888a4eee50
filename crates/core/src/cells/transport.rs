//! The transport of boids between cells. The default chain runs [`Movement`] and [`Wander`], other chains [`Outflow`]
//! and [`Advect`].

use super::context::{Band, BandKernel, PassContext, RowKernel, rests};
use crate::cells::numbers::Parameters;
use crate::lanes::vector::{negate, pack, quotient, select, unpack};
use crate::lanes::{Lanes, MAX_LANES};
use crate::numbers::{Cell, ONE};
use crate::state::fields::{Neighbourhood, Row, ThreeRows};

/// The distribution methods, numbered as in [`crate::cells::numbers::Parameters::distribution`].
pub const NEAREST: u32 = 0;
pub const SPLIT: u32 = 1;
pub const BILINEAR: u32 = 2;

/// The fractions (Q14) of a cell that go along x, along y and along both. They add up to at most one.
#[inline(always)]
fn shares<L: Lanes, const METHOD: u32>(control: [L; 2]) -> [L; 3] {
    let (x, y) = (control[0].abs(), control[1].abs());
    let (a, b) = (x.max(y), x.min(y));
    match METHOD {
        NEAREST => {
            let both = a.add(b);
            let is_diagonal = a.multiply(a).shift_left::<1>().less_than(both.multiply(both));
            let axis = is_diagonal.select(L::splat(0), a);
            let is_along_y = x.less_than(y);
            [is_along_y.select(L::splat(0), axis), is_along_y.select(axis, L::splat(0)), is_diagonal.and(a)]
        }
        SPLIT => [x.subtract(b), y.subtract(b), b],
        _ => {
            let both = x.multiply_halves(y).shift_right::<14>();
            [x.subtract(both), y.subtract(both), both]
        }
    }
}

/// The values of a field in the three cells ahead: along x by the sign of V_x, along y by the sign of V_y, and along
/// both.
#[inline(always)]
fn ahead<L: Lanes>(field: Neighbourhood<'_, L>, control: [L; 2]) -> [L; 3] {
    [
        control[0].select(field.neighbour([-1, 0]), field.neighbour([1, 0])),
        control[1].select(field.neighbour([0, -1]), field.neighbour([0, 1])),
        control[1].select(
            control[0].select(field.neighbour([-1, -1]), field.neighbour([1, -1])),
            control[0].select(field.neighbour([-1, 1]), field.neighbour([1, 1])),
        ),
    ]
}

/// V, reversed on each axis on which the cell straight ahead is solid or outside. `capacity`: of the cell and its
/// neighbours.
#[inline(always)]
pub fn bounce<L: Lanes>(control: [L; 2], capacity: Neighbourhood<'_, L>) -> [L; 2] {
    let [along_x, along_y, _] = ahead(capacity, control);
    let zero = L::splat(0);
    [
        along_x.equals(zero).select(zero.subtract(control[0]), control[0]),
        along_y.equals(zero).select(zero.subtract(control[1]), control[1]),
    ]
}

/// The amount that a cell can still take; 0 for a solid cell.
#[inline(always)]
pub(super) fn remaining_capacity<L: Lanes>(capacity: L, density: L) -> L {
    capacity.saturating_subtract_unsigned(density)
}

/// The amount that a cell gives to a neighbour: a share (Q14) of `here`, and at most 1/8 of the neighbour's room.
#[inline(always)]
fn amount_given<L: Lanes>(here: L, share: L, room: L) -> L {
    here.multiply_fraction(share).min_unsigned(room.shift_right_unsigned::<3>())
}

/// Whether the amount of each cell is at most 2^-BITS of the room in each of its neighbours. `capacity`: of all
/// neighbours; `greatest`: the max amount in a neighbour.
#[inline(always)]
pub(super) fn has_room<L: Lanes, const BITS: u32>(here: L, capacity: u32, greatest: L) -> bool {
    let room = remaining_capacity(L::splat(capacity as i32), greatest).shift_right_unsigned::<BITS>();
    let fits = here.min_unsigned(room).equals(here);
    !L::splat(-1).wrapping_subtract(fits).any()
}

/// The amount of a cell that can move; 0 if the cell rests.
#[inline(always)]
pub(super) fn amount_awake<L: Lanes>(density: L, parameters: &Parameters) -> L {
    if parameters.rest == 0 { density } else { rests(density, parameters).select(L::splat(0), density) }
}

/// V after [`bounce`] in the cells from x on. `capacity`: the rows around them.
#[inline(always)]
pub fn bounce_at<L: Lanes>(
    context: &PassContext<'_>,
    control: [L; 2],
    capacity: &ThreeRows<'_>,
    [x, y]: Cell,
) -> [L; 2] {
    match context.capacities.around(x, L::COUNT, [y, 0]) {
        0 => bounce(control, capacity.at(x)),
        _ => control,
    }
}

/// The amounts that the cells from x on give along x, y and both. `control`: V after [`bounce`].
#[inline(always)]
fn outflows<L: Lanes, const METHOD: u32>(
    context: &PassContext<'_>,
    control: [L; 2],
    density: &ThreeRows<'_>,
    capacity: &ThreeRows<'_>,
    [x, y]: Cell,
) -> [L; 3] {
    let around = density.at(x);
    let here = amount_awake(around.centre(), context.parameters);
    let mut shares = shares::<L, METHOD>(control);
    let uniform = context.capacities.around(x, L::COUNT, [y, 0]);
    if uniform != 0 && has_room::<L, 3>(here, uniform, greatest_around(around)) {
        for direction in 0..3 {
            shares[direction] = here.multiply_fraction(shares[direction]);
        }
        return shares;
    }
    let (density, capacity) = (ahead(around, control), ahead(capacity.at(x), control));
    [
        amount_given(here, shares[0], remaining_capacity(capacity[0], density[0])),
        amount_given(here, shares[1], remaining_capacity(capacity[1], density[1])),
        amount_given(here, shares[2], remaining_capacity(capacity[2], density[2])),
    ]
}

/// The max amount in the eight neighbours.
#[inline(always)]
fn greatest_around<L: Lanes>(field: Neighbourhood<'_, L>) -> L {
    let mut greatest = field.neighbour([-1, 0]).max_unsigned(field.neighbour([1, 0]));
    for y in [-1, 1] {
        for x in -1..=1 {
            greatest = greatest.max_unsigned(field.neighbour([x, y]));
        }
    }
    greatest
}

/// Outflow: the amounts that a cell gives to the neighbours ahead, from D and V by the distribution method.
///
/// D_i = min( share_i·D, (capacity - D_receiver) / 8 )
///
/// These are rule 2 and equation 7 of the paper: the neighbours get exactly what the cell loses. With a = max(|V_x|,
/// |V_y|) and
/// b = min(|V_x|, |V_y|), the paper's Figure 3:
///
/// - `nearest`: a to the diagonal neighbour if (a+b)² > 2a², else to the axis neighbour.
/// - `split`: a - b to the axis neighbour, b to the diagonal one.
/// - `bilinear`: a_xy = |V_x|·|V_y| to the diagonal neighbour, |V_x| - a_xy and |V_y| - a_xy to the axis neighbours.
///
/// A share is that fraction of D, rounded down. V is reversed on each axis on which the way is blocked.
///
/// Fills rows of V after [`bounce`] and of the amounts given along x, y and both. Reads the density, the capacity and
/// the control vector.
pub struct Outflow<const METHOD: u32>;

impl<const METHOD: u32> RowKernel for Outflow<METHOD> {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, [y, _]: Row, write: &mut [&mut [i32]]) {
        let (density, capacity) = (context.read[0].three_rows(y), context.read[1].three_rows(y));
        let control = context.read[2];
        let [out_control, out_x, out_y, out_xy] = write else { unreachable!("outflow writes four fields") };
        for x in context.chunks::<L>() {
            let own = unpack(control.lanes(x, y));
            let rests = rests(density.at::<L>(x).centre(), context.parameters);
            let v = select(rests, own, bounce_at(context, own, &capacity, [x, y]));
            let outflows = outflows::<L, METHOD>(context, v, &density, &capacity, [x, y]);
            pack(v).store(context.at(out_control, x));
            outflows[0].store(context.at(out_x, x));
            outflows[1].store(context.at(out_y, x));
            outflows[2].store(context.at(out_xy, x));
        }
    }
}

/// The amounts that cells give along x, along y and along both.
type Outflows<'a> = [ThreeRows<'a>; 3];

/// The sums that cells receive, from themselves and their neighbours: the amount, the weights w, and w·V.
pub(super) struct Inflow<L, const AXES: usize> {
    /// The shift k of the weights; `None`: k = 0 everywhere.
    shift: Option<L>,
    pub amount: L,
    weight: L,
    momentum: [L; AXES],
}

impl<L: Lanes, const AXES: usize> Inflow<L, AXES> {
    #[inline(always)]
    pub fn new(shift: Option<L>) -> Self {
        let zero = L::splat(0);
        Self { shift, amount: zero, weight: zero, momentum: [zero; AXES] }
    }

    /// Adds an amount with its control vector.
    #[inline(always)]
    pub fn add(&mut self, amount: L, v: [L; AXES]) {
        self.amount = self.amount.wrapping_add(amount);
        let Some(shift) = self.shift else {
            // If this overflows, the sums are made again with a shift.
            self.weight = self.amount;
            for axis in 0..AXES {
                self.momentum[axis] = self.momentum[axis].wrapping_add(amount.wrapping_multiply(v[axis]));
            }
            return;
        };
        let weight = amount.shift_right_unsigned_by(shift);
        self.weight = self.weight.wrapping_add(weight);
        for axis in 0..AXES {
            self.momentum[axis] = self.momentum[axis].wrapping_add(weight.wrapping_multiply(v[axis]));
        }
    }

    /// Adds an amount below 2^15 with its control vector, without a shift.
    #[inline(always)]
    pub fn add_small(&mut self, amount: L, v: [L; AXES]) {
        self.amount = self.amount.wrapping_add(amount);
        self.weight = self.amount;
        for axis in 0..AXES {
            self.momentum[axis] = self.momentum[axis].add(v[axis].multiply_halves(amount));
        }
    }

    /// The min shift k with which the sums over this amount fit in 32 bits.
    #[inline(always)]
    pub fn shift_of(amount: L) -> L {
        L::splat(15).subtract(amount.leading_zeros().min(L::splat(15)))
    }

    /// V'': the mean of the control vectors, or `own` if the amount is 0.
    #[inline(always)]
    pub fn control(&self, own: [L; AXES]) -> [L; AXES] {
        let mean = quotient(self.momentum, self.weight.divisor());
        select(self.amount.equals(L::splat(0)), own, mean)
    }
}

impl<L: Lanes> Inflow<L, 2> {
    /// Sums what stays in the cells and what they receive from their neighbours.
    #[inline(always)]
    fn gather(
        shift: Option<L>,
        density: Neighbourhood<'_, L>,
        control: Neighbourhood<'_, L>,
        outflows: [Neighbourhood<'_, L>; 3],
    ) -> Self {
        let zero = L::splat(0);
        let mut received = Self::new(shift);
        let here = density.centre();
        let mut stays = here;
        for direction in 0..3 {
            stays = stays.wrapping_subtract(outflows[direction].centre());
        }
        let has_enough = here.min_unsigned(stays).equals(stays);
        debug_assert!(!L::splat(-1).wrapping_subtract(has_enough).any(), "a cell gives no more than it has");
        received.add(stays, unpack(control.centre()));
        // Each neighbour gives its outflow in this direction, if the signs of its V lead here.
        macro_rules! from {
            ($offset:expr, $direction:literal, |$v_x:ident, $v_y:ident, $amount:ident| $given_here:expr) => {
                let $amount = outflows[$direction].neighbour($offset);
                let [$v_x, $v_y]: [L; 2] = unpack(control.neighbour($offset));
                received.add($given_here, [$v_x, $v_y]);
            };
        }
        // If V is 0 along an axis of an outflow, the outflow is 0, so it may count on either side.
        from!([-1, -1], 2, |v_x, v_y, amount| v_x.or(v_y).select(zero, amount));
        from!([0, -1], 1, |v_x, v_y, amount| v_y.select(zero, amount));
        from!([1, -1], 2, |v_x, v_y, amount| v_x.select(v_y.select(zero, amount), zero));
        from!([-1, 0], 0, |v_x, v_y, amount| v_x.select(zero, amount));
        from!([1, 0], 0, |v_x, v_y, amount| v_x.select(amount, zero));
        from!([-1, 1], 2, |v_x, v_y, amount| v_x.select(zero, v_y.select(amount, zero)));
        from!([0, 1], 1, |v_x, v_y, amount| v_y.select(amount, zero));
        from!([1, 1], 2, |v_x, v_y, amount| v_x.and(v_y).select(amount, zero));
        received
    }
}

/// Fills row y of D' and of V'' from D, V' and the outflows.
#[inline(always)]
fn receive<L: Lanes>(
    context: &PassContext<'_>,
    density: &ThreeRows<'_>,
    control: &ThreeRows<'_>,
    outflows: &Outflows<'_>,
    out_density: &mut [i32],
    out_control: &mut [i32],
) {
    let carries = context.parameters.carry != 0;
    for x in context.chunks::<L>() {
        let (density, control) = (density.at(x), control.at(x));
        let outflows = [outflows[0].at(x), outflows[1].at(x), outflows[2].at(x)];
        let own = control.centre();
        if !carries {
            Inflow::<L, 2>::gather(None, density, control, outflows).amount.store(context.at(out_density, x));
            own.store(context.at(out_control, x));
            continue;
        }
        // The shift is 0 unless a cell holds more than 2^17 quanta. The vectors are stored before that is known,
        // because their sums would not stay in registers until then.
        let received = Inflow::<L, 2>::gather(None, density, control, outflows);
        pack(received.control(unpack(own))).store(context.at(out_control, x));
        received.amount.store(context.at(out_density, x));
        let shift = Inflow::<L, 2>::shift_of(received.amount);
        if L::splat(0).less_than(shift).any() {
            let received = Inflow::gather(Some(shift), density, control, outflows);
            pack(received.control(unpack(own))).store(context.at(out_control, x));
        }
    }
}

/// Advect: every cell receives what its neighbours give it, together with their control vectors.
///
/// D' = D - given + received;  V'' = mean of V' over the boids now here, weighted by where they came from.
///
/// The weights are the amounts >> k, with k the least for which D' >> k < 2^17, so that the sums fit in 32 bits.
///
/// Fills rows of D' and of V''. Reads the density, the control vector and the three outflows.
pub struct Advect;

impl RowKernel for Advect {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, [y, _]: Row, write: &mut [&mut [i32]]) {
        let [density, control, along_x, along_y, along_both] = *context.read else {
            unreachable!("advect reads five fields")
        };
        let [out_density, out_control] = write else { unreachable!("advect writes two fields") };
        let outflows = [along_x.three_rows(y), along_y.three_rows(y), along_both.three_rows(y)];
        let (density, control) = (density.three_rows(y), control.three_rows(y));
        receive::<L>(context, &density, &control, &outflows, out_density, out_control);
    }
}

/// The number of rows whose outflows are kept.
const OUTFLOW_ROWS: usize = 3;
/// Cells on either side of a row whose outflows are kept as well.
const HALO: usize = 1;

/// The words of scratch that a band needs for rows of `width` cells.
pub fn scratch_words(width: usize) -> usize {
    OUTFLOW_ROWS * 3 * row_words(width)
}

/// The words of one row of one outflow, in whole chunks.
#[inline(always)]
fn row_words(width: usize) -> usize {
    (width.next_multiple_of(MAX_LANES) + 2 * HALO).next_multiple_of(MAX_LANES)
}

/// Movement: `outflow` and `advect` in one pass. V is the result of `behaviour`, after the bounce.
///
/// D' = D - given + received;  V'' = mean of V' over the boids now here, weighted by where they came from.
///
/// Only the outflows of three rows are kept at a time, so that they stay in the cache.
///
/// Fills rows of D' and of V''. Reads the density, the capacity and the control vector.
pub struct Movement<const METHOD: u32>;

impl<const METHOD: u32> BandKernel for Movement<METHOD> {
    #[inline(always)]
    fn band<L: Lanes>(context: &PassContext<'_>, band: &mut Band<'_, '_>) {
        let [density, capacity, control] = [context.read[0], context.read[1], context.read[2]];
        let [out_density, out_control] = &mut *band.write else { unreachable!("movement writes two fields") };
        let words = row_words(context.layout.extents.width as usize);
        for (index, y) in band.pieces.clone().enumerate() {
            for row in if index == 0 { y - 1 } else { y + 1 }..=y + 1 {
                let (along_x, rest) = band.scratch.words[place_of_row(row) * words..][..3 * words].split_at_mut(words);
                let (along_y, along_both) = rest.split_at_mut(words);
                let (density, capacity) = (density.three_rows(row), capacity.three_rows(row));
                for cell in (0..words).step_by(L::COUNT) {
                    let x = cell as i32 - HALO as i32;
                    let v = unpack(control.lanes(x, row));
                    let given = outflows::<L, METHOD>(context, v, &density, &capacity, [x, row]);
                    given[0].store(&mut along_x[cell..]);
                    given[1].store(&mut along_y[cell..]);
                    given[2].store(&mut along_both[cell..]);
                }
            }
            let kept = &band.scratch.words;
            let mut outflows: Outflows<'_> = [ThreeRows { rows: [&[]; 3], halo: HALO as i32 }; 3];
            for direction in 0..3 {
                for row in 0..3 {
                    let place = place_of_row(y + row as i32 - 1) + direction;
                    outflows[direction].rows[row] = &kept[place * words..][..words];
                }
            }
            let row = index * context.layout.stride..(index + 1) * context.layout.stride;
            let out_density = bytemuck::cast_slice_mut(&mut out_density[row.clone()]);
            let out_control = bytemuck::cast_slice_mut(&mut out_control[row]);
            let (density, control) = (density.three_rows(y), control.three_rows(y));
            receive::<L>(context, &density, &control, &outflows, out_density, out_control);
        }
    }
}

/// The place of a row's outflows in the scratch, in rows of one outflow.
#[inline(always)]
fn place_of_row(y: i32) -> usize {
    (y + 1) as usize % OUTFLOW_ROWS * 3
}

/// The four neighbours that share a face.
const FACES: [[i32; 2]; 4] = [[0, -1], [-1, 0], [1, 0], [0, 1]];

/// The amount that cells of density `giver` give to neighbours with this room.
#[inline(always)]
fn amount_wandering<L: Lanes>(giver: L, room: L, fraction: L) -> L {
    giver.multiply_fraction(fraction).min_unsigned(room.shift_right_unsigned::<2>())
}

/// Wander: every cell gives a small fraction of its amount to each face neighbour, at most a quarter of the room there.
/// V stays.
///
/// D'' = D' - given + received
///
/// Fills rows of D''. Reads the density and the capacity.
pub struct Wander;

impl RowKernel for Wander {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, [y, _]: Row, write: &mut [&mut [i32]]) {
        let (density, capacity) = (context.read[0].three_rows(y), context.read[1].three_rows(y));
        let fraction = L::splat(context.parameters.wander as i32);
        for x in context.chunks::<L>() {
            let (density, capacity) = (density.at::<L>(x), capacity.at::<L>(x));
            let here = density.centre();
            let room_here = remaining_capacity(capacity.centre(), here);
            let awake_here = amount_awake(here, context.parameters);
            let mut now = here;
            for face in FACES {
                let there = density.neighbour(face);
                let lost = amount_wandering(awake_here, remaining_capacity(capacity.neighbour(face), there), fraction);
                let gained = amount_wandering(amount_awake(there, context.parameters), room_here, fraction);
                now = now.wrapping_subtract(lost).wrapping_add(gained);
            }
            now.store(context.at(write[0], x));
        }
    }
}

/// Gather: backward advection as in GPU Gems, chapter 38, which the paper cites. Each cell looks back along its own
/// control vector and takes a bilinear sample of the density there.
///
/// D' = (1 - a_x - a_y + a_xy)·D(x) + (a_x - a_xy)·D(x - e_x) + (a_y - a_xy)·D(x - e_y) + a_xy·D(x - e_x - e_y)
///
/// Nothing makes the amounts taken equal to the amounts lost. In this way the paper's boids vanished.
///
/// Fills rows of D'. Reads the density, the capacity (a solid cell holds nothing) and the control vector.
pub struct Gather;

impl RowKernel for Gather {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, [y, _]: Row, write: &mut [&mut [i32]]) {
        let (density, capacity, control) =
            (context.read[0].three_rows(y), context.read[1].three_rows(y), context.read[2]);
        let zero = L::splat(0);
        for x in context.chunks::<L>() {
            let (density, capacity) = (density.at::<L>(x), capacity.at::<L>(x));
            let v: [L; 2] = unpack(control.lanes(x, y));
            let back = negate(v);
            let (behind, capacity_behind) = (ahead(density, back), ahead(capacity, back));
            let shares = shares::<L, BILINEAR>(v);
            let stays = L::splat(ONE).subtract(shares[0]).subtract(shares[1]).subtract(shares[2]);
            let mut taken = density.centre().multiply_fraction(stays);
            for direction in 0..3 {
                let found = capacity_behind[direction].equals(zero).select(zero, behind[direction]);
                taken = taken.wrapping_add(found.multiply_fraction(shares[direction]));
            }
            capacity.centre().equals(zero).select(zero, taken).store(context.at(write[0], x));
        }
    }
}
