//! The transport of boids between cells, for flat and deep worlds. The default chain runs [`Movement`] or
//! `deep/movement.rs`, and [`Wander`]. Other chains run `outflow…` and `advect`, which work cell by cell.

use super::band::{Band, BandKernel, RowKernel};
use super::context::{PassContext, is_any_awake, rests};
use super::neighbourhood::{Neighbourhood, RowsAround};
use super::shares::{MAX_GIVEN, given, shares};
use crate::cells::numbers::{Distribution, Parameters};
use crate::lanes::vector::{negate, pack, quotient, select, unpack};
use crate::lanes::{Lanes, MAX_LANES};
use crate::numbers::{ONE, Vector3, each_axis};
use crate::state::fields::{FieldView, Row};

/// The control vectors V of the cells from x on after the bounce. A component is reversed if the cell straight ahead on
/// its axis is solid or outside. `capacity`: the rows of the capacity around the cells.
#[inline(always)]
pub fn bounce_at<L: Lanes, const AXES: usize>(
    context: &PassContext<'_>,
    control: [L; AXES],
    capacity: &RowsAround<'_, AXES>,
    x: i32,
    row: Row,
) -> [L; AXES] {
    if context.capacities.around(x, L::COUNT, row) != 0 {
        return control;
    }
    let (capacity, zero, mut turned) = (capacity.at(x), L::splat(0), control);
    for axis in 0..AXES {
        let is_blocked = capacity.ahead(control, 1 << axis).equals(zero);
        turned[axis] = is_blocked.select(zero.subtract(control[axis]), control[axis]);
    }
    turned
}

/// The amount that a cell can still take; 0 for a solid cell.
#[inline(always)]
fn remaining_capacity<L: Lanes>(capacity: L, density: L) -> L {
    capacity.saturating_subtract_unsigned(density)
}

/// The amount of a cell that can move; 0 if the cell rests.
#[inline(always)]
fn amount_awake<L: Lanes>(density: L, parameters: &Parameters) -> L {
    if parameters.rest == 0 { density } else { rests(density, parameters).select(L::splat(0), density) }
}

/// A share of an amount, rounded down. The share is Q14 in a flat world and Q16 in a deep one.
#[inline(always)]
fn share_of<L: Lanes, const AXES: usize>(amount: L, share: L) -> L {
    if AXES == 2 {
        return amount.multiply_fraction(share);
    }
    let high = amount.shift_right_unsigned::<16>().wrapping_multiply(share);
    let low = amount.and(L::splat(0xffff)).wrapping_multiply(share).shift_right_unsigned::<16>();
    high.wrapping_add(low)
}

/// n / (2·half) of an unsigned number, rounded down; `half` is odd.
///
/// The quotient of the lanes is rounded to nearest. n / 2 is below 2^31. It is lowered by half of the odd divisor, so
/// that no quotient lies on a half.
#[inline(always)]
fn quotient_by_even<L: Lanes>(n: L, half: i32) -> L {
    n.shift_right_unsigned::<1>().subtract(L::splat(half / 2)).quotient(L::splat(half).divisor())
}

/// The part of the room in a cell that each of its 8 or 26 neighbours may fill, rounded down.
#[inline(always)]
fn part_of_room<L: Lanes, const AXES: usize>(room: L) -> L {
    if AXES == 2 { room.shift_right_unsigned::<3>() } else { quotient_by_even(room, 13) }
}

/// Whether the amount of each cell is at most [`part_of_room`] of each of its neighbours, so that no outflow exceeds
/// this part. In a deep world the test uses a slightly smaller part. `here`: the amounts of the cells. `capacity`: the
/// capacity of all neighbours. `greatest`: the max amount in a neighbour.
#[inline(always)]
fn has_room<L: Lanes, const AXES: usize>(here: L, capacity: u32, greatest: L) -> bool {
    let room = remaining_capacity(L::splat(capacity as i32), greatest);
    // 1/32 of the room is at most 1/26 of it, rounded down.
    let part = if AXES == 2 { room.shift_right_unsigned::<3>() } else { room.shift_right_unsigned::<5>() };
    let fits = here.min_unsigned(part).equals(here);
    !L::splat(-1).wrapping_subtract(fits).any()
}

/// The amounts that the cells from x on give to the neighbours ahead. `control`: V after [`bounce_at`]; `rows`: of the
/// density and the capacity.
///
/// D_i = min( floor(share_i·D), floor((capacity - D_receiver) / n) ), or 0 where D < rest
///
/// D is the density of the cell, and D_i the amount that the neighbour ahead i, the receiver, gets. n is the number of
/// neighbours, 8 or 26. These are rule 2 and equation 7 of the paper: the neighbours get exactly what the cell loses.
#[inline(always)]
pub fn outflows<L: Lanes, const AXES: usize>(
    context: &PassContext<'_>,
    control: [L; AXES],
    [density, capacity]: &[RowsAround<'_, AXES>; 2],
    x: i32,
    row: Row,
) -> [L; MAX_GIVEN] {
    let density = density.at::<L>(x);
    let here = amount_awake(density.centre(), context.parameters);
    let mut outflows = shares(control, context.parameters.distribution);
    for index in 0..given(AXES) {
        outflows[index] = share_of::<L, AXES>(here, outflows[index]);
    }
    let uniform = context.capacities.around(x, L::COUNT, row);
    if uniform != 0 && has_room::<L, AXES>(here, uniform, density.max_around()) {
        return outflows;
    }
    let capacity = capacity.at::<L>(x);
    for index in 0..given(AXES) {
        let room = remaining_capacity(capacity.ahead(control, 1 + index), density.ahead(control, 1 + index));
        outflows[index] = outflows[index].min_unsigned(part_of_room::<L, AXES>(room));
    }
    outflows
}

/// The rows of the density and of the capacity around a row.
#[inline(always)]
pub fn rows_around<'a, const AXES: usize>(context: &PassContext<'a>, row: Row) -> [RowsAround<'a, AXES>; 2] {
    [RowsAround::new(context.read[0], row), RowsAround::new(context.read[1], row)]
}

/// Outflow, and in a deep world the outflow along the axes: the amounts that a cell gives to the neighbours ahead.
///
/// Fills a row of V after [`bounce_at`], and a row of each of three [`outflows`]. In a flat world these are along x,
/// along y, and along both. In a deep world they are along x, along y, and along z. Reads the density, the capacity and
/// the control vector.
pub fn outflow<const AXES: usize>(context: &PassContext<'_>, row: Row, write: &mut [&mut [i32]]) {
    let rows = rows_around::<AXES>(context, row);
    for [x, ..] in context.cells(row) {
        let own = context.read[2].vectors::<i32, AXES>(x, row);
        let rests = rests(rows[0].at::<i32>(x).centre(), context.parameters);
        let v = select(rests, own, bounce_at(context, own, &rows[1], x, row));
        let outflows = outflows(context, v, &rows, x, row);
        context.store_vector(write[0], x, v);
        let along_last = if AXES == 2 { 0b11 } else { 0b100 };
        for (out, axes) in write[1..].iter_mut().zip([0b01, 0b10, along_last]) {
            context.at(out, x)[0] = outflows[axes - 1];
        }
    }
}

/// Outflow along the diagonals of a deep world. Fills a row of each of four [`outflows`]: along x and y, along x and z,
/// along y and z, and along all three axes. Reads the density, the capacity and the control vector after the bounce.
pub fn outflow_along_diagonals(context: &PassContext<'_>, row: Row, write: &mut [&mut [i32]]) {
    let rows = rows_around::<3>(context, row);
    for [x, ..] in context.cells(row) {
        let outflows = outflows(context, context.read[2].vectors::<i32, 3>(x, row), &rows, x, row);
        for (out, axes) in write.iter_mut().zip([0b011, 0b101, 0b110, 0b111]) {
            context.at(out, x)[0] = outflows[axes - 1];
        }
    }
}

/// The sums that cells receive, from themselves and their neighbours: the amount, the weights w, and w·V.
pub struct Inflow<L, const AXES: usize> {
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
        here: L,
        control: Neighbourhood<'_, L, 2>,
        outflows: [Neighbourhood<'_, L, 2>; OUTFLOWS],
    ) -> Self {
        let zero = L::splat(0);
        let mut received = Self::new(shift);
        let mut stays = here;
        for direction in 0..OUTFLOWS {
            stays = stays.wrapping_subtract(outflows[direction].centre());
        }
        let has_enough = here.min_unsigned(stays).equals(stays);
        debug_assert!(!L::splat(-1).wrapping_subtract(has_enough).any(), "a cell gives no more than it has");
        received.add(stays, unpack(control.centre()));
        // Each neighbour gives its outflow in this direction, if the signs of its V lead here.
        macro_rules! from {
            ($x:literal, $y:literal, $direction:literal, |$v_x:ident, $v_y:ident, $amount:ident| $given_here:expr) => {
                let $amount = outflows[$direction].neighbour([$x, $y, 0]);
                let [$v_x, $v_y]: [L; 2] = unpack(control.neighbour([$x, $y, 0]));
                received.add($given_here, [$v_x, $v_y]);
            };
        }
        // If V is 0 along an axis of an outflow, the outflow is 0, so it may count on either side.
        from!(-1, -1, 2, |v_x, v_y, amount| v_x.or(v_y).select(zero, amount));
        from!(0, -1, 1, |v_x, v_y, amount| v_y.select(zero, amount));
        from!(1, -1, 2, |v_x, v_y, amount| v_x.select(v_y.select(zero, amount), zero));
        from!(-1, 0, 0, |v_x, v_y, amount| v_x.select(zero, amount));
        from!(1, 0, 0, |v_x, v_y, amount| v_x.select(amount, zero));
        from!(-1, 1, 2, |v_x, v_y, amount| v_x.select(zero, v_y.select(amount, zero)));
        from!(0, 1, 1, |v_x, v_y, amount| v_y.select(amount, zero));
        from!(1, 1, 2, |v_x, v_y, amount| v_x.and(v_y).select(amount, zero));
        received
    }
}

/// Advect: every cell receives what its neighbours give it, together with their control vectors.
///
/// D' = D - given + received;  V'' = mean of V' over the boids now here, weighted by the amounts from each cell.
///
/// D is the density, and V' the control vector after the bounce. The weights are the amounts >> k, with k the least for
/// which D' >> k < 2^17, so that the sums fit in 32 bits.
///
/// Fills a row of D' and of V''. Reads the density, the control vector and the outflows.
pub fn advect(context: &PassContext<'_>, row: Row, write: &mut [&mut [i32]]) {
    let [density, control, outflows @ ..] = context.read else { unreachable!("it reads outflows") };
    let sets = if outflows.len() == OUTFLOWS { &[1, 2, 3][..] } else { &[1, 2, 4, 3, 5, 6, 7] };
    // For each giver: its field of outflows, and the offset from the giver to the cell.
    let mut givers = Vec::new();
    for (outflow, axes) in outflows.iter().zip(sets) {
        for back in (0..=*axes).filter(|back| back & !axes == 0) {
            givers.push((*outflow, each_axis(|axis| (axes >> axis & 1) - 2 * (back >> axis & 1))));
        }
    }
    let mut received = Vec::new();
    for cell in context.cells(row) {
        let own = context.vector(*control, cell);
        let stays = outflows.iter().fold(amount(*density, cell), |here, outflow| here - amount(*outflow, cell));
        received.clear();
        received.push((stays, own));
        for (outflow, step) in &givers {
            let giver = each_axis(|axis| cell[axis] - step[axis]);
            let given = amount(*outflow, giver);
            if given == 0 {
                continue;
            }
            let v = context.vector(*control, giver);
            if (0..3).all(|axis| step[axis] == 0 || (step[axis] < 0) == (v[axis] < 0)) {
                received.push((given, v));
            }
        }
        let now = received.iter().fold(0, |sum: u32, (amount, _)| sum.wrapping_add(*amount));
        let mut inflow = Inflow::new(Some(Inflow::<i32, 3>::shift_of(now as i32)));
        received.iter().for_each(|(amount, v)| inflow.add(*amount as i32, *v));
        context.at(write[0], cell[0])[0] = now as i32;
        context.put_vector(write[1], cell[0], if context.parameters.carry == 0 { own } else { inflow.control(own) });
    }
}

/// The amount in a cell of a field.
fn amount(field: FieldView<'_>, [x, y, z]: Vector3) -> u32 {
    field.span_of(x, [y, z], 1)[0]
}

/// The number of neighbours that a cell of a flat world gives to.
const OUTFLOWS: usize = given(2);
/// The number of rows whose outflows are kept.
const OUTFLOW_ROWS: usize = 3;
/// Cells on either side of a row whose outflows are kept as well.
pub const HALO: usize = 1;

/// The words of scratch that a band needs for rows of `width` cells.
pub fn scratch_words(width: usize) -> usize {
    OUTFLOW_ROWS * OUTFLOWS * row_words(width)
}

/// The words of a row for one kept word per cell, in whole chunks.
#[inline(always)]
pub fn row_words(width: usize) -> usize {
    (width.next_multiple_of(MAX_LANES) + 2 * HALO).next_multiple_of(MAX_LANES)
}

/// Movement: `outflow` and `advect` in one pass. V', the control vector that it reads, is the result of `behaviour`,
/// after the bounce.
///
/// Only the outflows of three rows are kept at a time, so that they stay in the cache.
///
/// Fills rows of D' and of V''. Reads the density, the capacity and the control vector.
pub struct Movement;

impl BandKernel for Movement {
    #[inline(always)]
    fn band<L: Lanes>(context: &PassContext<'_>, band: &mut Band<'_, '_>) {
        let [out_density, out_control] = &mut *band.write else { unreachable!("movement writes two fields") };
        let words = row_words(context.layout.extents.width as usize);
        for (index, y) in band.pieces.clone().enumerate() {
            for row in if index == 0 { y - 1 } else { y + 1 }..=y + 1 {
                let kept = &mut band.scratch.words[place_of_row(row) * words..][..OUTFLOWS * words];
                let rows = rows_around::<2>(context, [row, 0]);
                for cell in (0..words).step_by(L::COUNT) {
                    let x = cell as i32 - HALO as i32;
                    let v = unpack(context.read[2].lanes(x, row));
                    let given = outflows::<L, 2>(context, v, &rows, x, [row, 0]);
                    for direction in 0..OUTFLOWS {
                        given[direction].store(&mut kept[direction * words + cell..]);
                    }
                }
            }
            let row = index * context.layout.stride..(index + 1) * context.layout.stride;
            let out_density = bytemuck::cast_slice_mut(&mut out_density[row.clone()]);
            let out_control = bytemuck::cast_slice_mut(&mut out_control[row]);
            receive::<L>(context, y, &band.scratch.words, out_density, out_control);
        }
    }
}

/// The place of a row's outflows in the scratch, in rows of one outflow.
#[inline(always)]
fn place_of_row(y: i32) -> usize {
    (y + 1) as usize % OUTFLOW_ROWS * OUTFLOWS
}

/// Fills row y of D' and of V'' from D, V' and the kept outflows.
#[inline(always)]
fn receive<L: Lanes>(
    context: &PassContext<'_>,
    y: i32,
    kept: &[i32],
    out_density: &mut [i32],
    out_control: &mut [i32],
) {
    let words = row_words(context.layout.extents.width as usize);
    let mut outflows = [RowsAround::<2>::flat([&[]; 3], HALO); OUTFLOWS];
    for direction in 0..OUTFLOWS {
        let mut rows = [&[][..]; 3];
        for row in 0..3 {
            rows[row] = &kept[(place_of_row(y + row as i32 - 1) + direction) * words..][..words];
        }
        outflows[direction] = RowsAround::flat(rows, HALO);
    }
    let control = RowsAround::<2>::new(context.read[2], [y, 0]);
    for x in context.chunks::<L>() {
        let (here, control) = (context.read[0].lanes(x, y), control.at::<L>(x));
        let outflows = [outflows[0].at(x), outflows[1].at(x), outflows[2].at(x)];
        let own = control.centre();
        let received = Inflow::<L, 2>::gather(None, here, control, outflows);
        received.amount.store(context.at(out_density, x));
        if context.parameters.carry == 0 {
            own.store(context.at(out_control, x));
            continue;
        }
        // The shift is 0 unless a cell holds more than 2^17 quanta. The vectors are stored before that is known,
        // because their sums would not stay in registers until then.
        pack(received.control(unpack(own))).store(context.at(out_control, x));
        let shift = Inflow::<L, 2>::shift_of(received.amount);
        if L::splat(0).less_than(shift).any() {
            let received = Inflow::gather(Some(shift), here, control, outflows);
            pack(received.control(unpack(own))).store(context.at(out_control, x));
        }
    }
}

/// The amount that cells of density `giver` give to neighbours with this room: at most the room divided by the number
/// of cells that share a face.
#[inline(always)]
fn amount_wandering<L: Lanes, const AXES: usize>(giver: L, room: L, fraction: L) -> L {
    let part = if AXES == 2 { room.shift_right_unsigned::<2>() } else { quotient_by_even(room, 3) };
    giver.multiply_fraction(fraction).min_unsigned(part)
}

/// Wander: every cell gives a small fraction of its amount to each of the 4 or 6 neighbours that share a face, and at
/// most 1/4 or 1/6 of the room there. V stays. A cell that rests gives nothing.
///
/// D'' = D' - given + received
///
/// Fills rows of D''. Reads the density and the capacity.
pub struct Wander<const AXES: usize>;

impl<const AXES: usize> RowKernel for Wander<AXES> {
    #[inline(always)]
    fn is_kept(context: &PassContext<'_>, [y, z]: Row) -> bool {
        let rows = [[y, z], [y - 1, z], [y + 1, z], [y, z - 1], [y, z + 1]];
        AXES == 3 && !rows.into_iter().any(|row| context.is_row_awake(row))
    }

    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, row: Row, write: &mut [&mut [i32]]) {
        let [density, capacity] = rows_around::<AXES>(context, row);
        let (parameters, fraction) = (context.parameters, L::splat(context.parameters.wander as i32));
        for x in context.chunks::<L>() {
            let (density, capacity) = (density.at::<L>(x), capacity.at::<L>(x));
            let here = density.centre();
            if AXES == 3 && !is_any_awake(density.max_at_faces(), parameters) {
                here.store(context.at(write[0], x));
                continue;
            }
            let (awake_here, room_here) = (amount_awake(here, parameters), remaining_capacity(capacity.centre(), here));
            let mut now = here;
            for axis in 0..AXES {
                for step in [-1, 1] {
                    let there = density.face(axis, step);
                    let room = remaining_capacity(capacity.face(axis, step), there);
                    let lost = amount_wandering::<L, AXES>(awake_here, room, fraction);
                    let gained = amount_wandering::<L, AXES>(amount_awake(there, parameters), room_here, fraction);
                    now = now.wrapping_subtract(lost).wrapping_add(gained);
                }
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
/// D is the density, a_x = |V_x|, a_y = |V_y|, and a_xy = a_x·a_y. e_x and e_y are the offsets of one cell in the
/// directions of V_x and V_y.
///
/// The amounts that cells take are not the amounts that other cells lose. In this way the paper's boids vanished.
///
/// Fills a row of D'. Reads the density, the capacity (a solid cell holds nothing) and the control vector.
pub fn gather(context: &PassContext<'_>, row: Row, write: &mut [&mut [i32]]) {
    let [density, capacity] = rows_around::<2>(context, row);
    for [x, ..] in context.cells(row) {
        let (density, capacity) = (density.at::<i32>(x), capacity.at::<i32>(x));
        let v = context.read[2].vectors::<i32, 2>(x, row);
        let shares = shares(v, Distribution::Bilinear as u32);
        let mut taken = density.centre().multiply_fraction(ONE - shares[0] - shares[1] - shares[2]);
        for axes in 1..=OUTFLOWS {
            if capacity.ahead(negate(v), axes) != 0 {
                let found = density.ahead(negate(v), axes);
                taken = taken.wrapping_add(found.multiply_fraction(shares[axes - 1]));
            }
        }
        context.at(write[0], x)[0] = if capacity.centre() == 0 { 0 } else { taken };
    }
}
