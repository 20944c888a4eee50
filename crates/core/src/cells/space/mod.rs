//! The transport of boids between the cells of a deep world.
//!
//! A cell gives to up to seven neighbours ahead: along x, y and z, along two of them, and along all three. An amount's place in a
//! list of seven says along which: [`AXES_OF`].

mod neighbourhood;
mod shares;

pub use neighbourhood::{NeighbourhoodInSpace, NineRows};

use super::context::{Band, BandKernel, BandRow, PassContext, RowKernel, is_any_awake, rests};
use super::parameters::Parameters;
use super::transport::{Inflow, amount_awake, room};
use crate::fields::{Row, ThreeRows};
use crate::lanes::{Lanes, MAX_LANES};
use crate::vector::select;
use shares::shares;

/// The neighbours that a cell gives to.
pub const GIVEN: usize = 7;
/// The axes along which each of them lies: bit 0 is x, bit 1 is y, bit 2 is z. First the faces, then the edges, then the corner.
pub const AXES_OF: [usize; GIVEN] = [0b001, 0b010, 0b100, 0b011, 0b101, 0b110, 0b111];
/// The place of each set of axes in [`AXES_OF`].
const PLACE_OF: [usize; 8] = [usize::MAX, 0, 1, 3, 2, 4, 5, 6];

/// A share (Q16) of an amount, rounded down.
#[inline(always)]
fn share_of<L: Lanes>(amount: L, share: L) -> L {
    let high = amount.shift_right_unsigned::<16>().wrapping_multiply(share);
    let low = amount.and(L::splat(0xffff)).wrapping_multiply(share).shift_right_unsigned::<16>();
    high.wrapping_add(low)
}

/// n / (2·half) of an unsigned number, rounded down; `half` is odd.
///
/// The quotient of the lanes is to nearest. Half of n is below 2^31, and what is divided is lowered by half of the odd divisor, so that no
/// quotient lies on a half.
#[inline(always)]
fn quotient_by_even<L: Lanes>(n: L, half: i32) -> L {
    n.shift_right_unsigned::<1>().subtract(L::splat(half / 2)).quotient(L::splat(half).divisor())
}

/// V, reversed on each axis alone if the cell straight ahead, of this capacity, is solid or outside.
#[inline(always)]
pub(super) fn bounce<L: Lanes>(control: [L; 3], capacity: &NeighbourhoodInSpace<'_, L>) -> [L; 3] {
    let zero = L::splat(0);
    let mut turned = control;
    for axis in 0..3 {
        let is_blocked = capacity.ahead(control, 1 << axis).equals(zero);
        turned[axis] = is_blocked.select(zero.subtract(control[axis]), control[axis]);
    }
    turned
}

/// The amounts that cells give to the neighbours ahead, for V after [`bounce`].
#[inline(always)]
fn outflows<L: Lanes>(
    control: [L; 3],
    density: &NeighbourhoodInSpace<'_, L>,
    capacity: &NeighbourhoodInSpace<'_, L>,
    parameters: &Parameters,
) -> [L; GIVEN] {
    let here = amount_awake(density.centre(), parameters);
    let mut outflows = shares(control, parameters.distribution);
    for (outflow, axes) in outflows.iter_mut().zip(AXES_OF) {
        let room = room(capacity.ahead(control, axes), density.ahead(control, axes));
        *outflow = share_of(here, *outflow).min_unsigned(quotient_by_even(room, 13));
    }
    outflows
}

/// Outflow along the axes: the amounts that a cell gives to the three neighbours that share a face, from D and V by the distribution
/// method.
///
/// D_i = min( floor(share_i·D), floor((capacity - D_receiver) / 26) ), or 0 where D < rest
///
/// Fills rows of V after the bounce and of the amounts given along x, y and z. Reads the density, the capacity and the control vector.
pub struct OutflowAlongAxes;

impl RowKernel for OutflowAlongAxes {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, row: Row, write: &mut [&mut [i32]]) {
        let rows = [0, 1].map(|field| NineRows::new(context.read[field], 0, row));
        let [out_control, amounts @ ..] = write else { unreachable!("it writes four fields") };
        for x in context.chunks::<L>() {
            let (density, capacity) = (rows[0].at::<L>(x), rows[1].at::<L>(x));
            let own = context.read[2].vectors(x, row);
            let v = select(rests(density.centre(), context.parameters), own, bounce(own, &capacity));
            let outflows = outflows(v, &density, &capacity, context.parameters);
            context.store_vector(out_control, x, v);
            for (out, outflow) in amounts.iter_mut().zip(outflows) {
                outflow.store(context.at(out, x));
            }
        }
    }
}

/// Outflow along the diagonals: the amounts that a cell gives to the neighbours along two axes and along all three.
///
/// Fills rows of the amounts given along x and y, x and z, y and z, and all three. Reads the density, the capacity and the control
/// vector after the bounce.
pub struct OutflowAlongDiagonals;

impl RowKernel for OutflowAlongDiagonals {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, row: Row, write: &mut [&mut [i32]]) {
        let rows = [0, 1].map(|field| NineRows::new(context.read[field], 0, row));
        for x in context.chunks::<L>() {
            let v = context.read[2].vectors::<L, 3>(x, row);
            let outflows = outflows(v, &rows[0].at(x), &rows[1].at(x), context.parameters);
            for (out, outflow) in write.iter_mut().zip(&outflows[3..]) {
                outflow.store(context.at(out, x));
            }
        }
    }
}

/// The 26 neighbours, and the place in [`AXES_OF`] of what each gives to a cell.
const GIVERS: [([i32; 3], usize); 26] = {
    let mut givers = [([0; 3], 0); 26];
    let mut count = 0;
    let mut index = 0;
    while index < 27 {
        let offset = [index % 3 - 1, index / 3 % 3 - 1, index / 9 - 1];
        let axes = (offset[0] != 0) as usize | ((offset[1] != 0) as usize) << 1 | ((offset[2] != 0) as usize) << 2;
        if axes != 0 {
            givers[count] = (offset, PLACE_OF[axes]);
            count += 1;
        }
        index += 1;
    }
    givers
};

/// The rows that a row of cells receives from.
struct Givers<'a> {
    density: NineRows<'a>,
    control: [NineRows<'a>; 2],
    outflows: [NineRows<'a>; GIVEN],
}

impl Givers<'_> {
    /// All that stays in the cells and all that comes to them.
    #[inline(always)]
    fn gather<L: Lanes>(&self, shift: L, x: i32) -> Inflow<L, 3> {
        let zero = L::splat(0);
        let here = self.density.at::<L>(x).centre();
        let control = [self.control[0].at::<L>(x), self.control[1].at::<L>(x)];
        let mut outflows = [control[0]; GIVEN];
        let mut stays = here;
        for place in 0..GIVEN {
            outflows[place] = self.outflows[place].at(x);
            stays = stays.wrapping_subtract(outflows[place].centre());
        }
        let has_enough = here.min_unsigned(stays).equals(stays);
        debug_assert!(!L::splat(-1).wrapping_subtract(has_enough).any(), "a cell gives no more than it has");
        let mut received = Inflow::new(Some(shift));
        received.add(stays, control[0].control(&control[1], [0; 3]));
        // Neighbour by neighbour: its outflow in this direction, if its V points here. A loop rather than 26 copies of its body, for the
        // compiler's sake.
        for (offset, place) in GIVERS {
            let v = control[0].control(&control[1], offset);
            let mut points_here = L::splat(-1);
            for axis in 0..3 {
                // Negative where V leads against the offset, or along another axis.
                let against = v[axis].multiply(L::splat(offset[axis]));
                points_here = points_here.and(against.subtract(L::splat(i32::from(offset[axis] == 0))));
            }
            received.add(points_here.select(outflows[place].neighbour(offset), zero), v);
        }
        received
    }

    /// Fills a row of D' and of V'', but for idle chunks. `is_idle`: whether nothing comes to any cell of the chunk with this number, and
    /// nothing leaves it.
    #[inline(always)]
    fn receive<L: Lanes>(
        &self,
        context: &PassContext<'_>,
        is_idle: impl Fn(usize) -> bool,
        out_density: &mut [i32],
        out_control: &mut [i32],
    ) {
        for (chunk, x) in context.chunks::<L>().enumerate() {
            if is_idle(chunk) {
                continue;
            }
            let own = self.control[0].at::<L>(x).control(&self.control[1].at(x), [0; 3]);
            // If no cell holds more than 2^17 quanta, the shift is 0, as assumed in the first pass.
            let mut shift = L::splat(0);
            let received = loop {
                let received = self.gather(shift, x);
                let needed = received.needed_shift();
                if context.parameters.carry == 0 || !shift.less_than(needed).any() {
                    break received;
                }
                shift = needed;
            };
            received.amount.store(context.at(out_density, x));
            let carried = if context.parameters.carry == 0 { own } else { received.control(own) };
            context.store_vector(out_control, x, carried);
        }
    }
}

/// Advect: every cell receives what its neighbours give it, together with their control vectors.
///
/// D' = D - given + received;  V'' = mean of V' over the boids now here, weighted by where they came from.
///
/// The weights are the amounts >> k, with k the least for which D' >> k < 2^17, so that the sums fit in 32 bits.
///
/// Fills rows of D' and of V''. Reads the density, the control vector and the seven outflows.
pub struct AdvectInSpace;

impl RowKernel for AdvectInSpace {
    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, row: Row, write: &mut [&mut [i32]]) {
        let [density, control, ref outflows @ ..] = *context.read else { unreachable!("it reads nine fields") };
        let [out_density, out_control] = write else { unreachable!("it writes two fields") };
        let givers = Givers {
            density: NineRows::new(density, 0, row),
            control: [NineRows::new(control, 0, row), NineRows::new(control, 1, row)],
            outflows: std::array::from_fn(|place| NineRows::new(outflows[place], 0, row)),
        };
        givers.receive::<L>(context, |_| false, out_density, out_control);
    }
}

/// Slices of outflows that are kept.
const OUTFLOW_SLICES: usize = 3;
/// Cells on either side of a row, and rows on either side of a slice, whose outflows are kept too.
const HALO: usize = 1;

/// The words of scratch that a band needs for slices of these extents.
pub fn scratch_words(width: usize, height: usize) -> usize {
    OUTFLOW_SLICES * (slice_words(width, height) + (height + 2 * HALO) * flags(width)) + flags(width)
}

/// The most chunks of a row with its halo: a flag each, whether the chunk has an awake cell.
fn flags(width: usize) -> usize {
    // A register has at least four lanes.
    (width + 2 * HALO).div_ceil(4) + 1
}

/// The words of one row of one outflow, in whole chunks.
fn row_words(width: usize) -> usize {
    (width.next_multiple_of(MAX_LANES) + 2 * HALO).next_multiple_of(MAX_LANES)
}

/// The words of the outflows of a slice.
fn slice_words(width: usize, height: usize) -> usize {
    (height + 2 * HALO) * GIVEN * row_words(width)
}

/// Movement: the outflows and `advect` in one pass, from V as `behaviour` leaves it, after the bounce.
///
/// D' = D - given + received;  V'' = mean of V' over the boids now here, weighted by where they came from.
///
/// The outflows of three slices are kept at a time. A cell that rests gives nothing, so chunks of cells that rest have none to work
/// out, and where all around rest as well D' = D and V'' = V.
///
/// Fills rows of D' and of V''. Reads the density, the capacity and the control vector.
pub struct MovementInSpace;

impl BandKernel for MovementInSpace {
    #[inline(always)]
    fn run<L: Lanes>(context: &PassContext<'_>, band: &mut Band<'_, '_>) {
        Self::band::<L>(context, band);
    }

    #[inline(always)]
    fn band<L: Lanes>(context: &PassContext<'_>, band: &mut Band<'_, '_>) {
        let extents = context.layout.extents;
        let kept = KeptOutflows { width: extents.width as usize, height: extents.height as usize };
        for (index, z) in band.pieces.clone().enumerate() {
            for slice in if index == 0 { z - 1 } else { z + 1 }..=z + 1 {
                // At first the scratch holds what earlier passes left there.
                let is_kept = index > 0;
                for y in -(HALO as i32)..extents.height as i32 + HALO as i32 {
                    kept.fill::<L>(context, &mut band.scratch.words, [y, slice], is_kept);
                }
            }
            let is_slice_awake = (z - 1..=z + 1).any(|z| context.is_slice_awake(z));
            for (place, row) in context.layout.lattice_rows(z) {
                let own = BandRow { piece: index, place, row };
                let is_awake = is_slice_awake && kept.join_flags(&mut band.scratch.words, row);
                if !is_awake {
                    band.keep_row::<L>(context, [0, 0], own);
                    band.keep_row::<L>(context, [2, 1], own);
                    continue;
                }
                let [out_density, out_control] = &mut *band.write else { unreachable!("movement writes two fields") };
                let out_density = &mut out_density[context.words_of_row(0, own)];
                let out_control = &mut out_control[context.words_of_row(1, own)];
                context.copy_row(context.read[0], row, out_density);
                context.copy_row(context.read[2], row, out_control);
                let around = &band.scratch.words[kept.joined_flags()..][..flags(kept.width)];
                let givers = Givers {
                    density: NineRows::new(context.read[0], 0, row),
                    control: [NineRows::new(context.read[2], 0, row), NineRows::new(context.read[2], 1, row)],
                    outflows: kept.around(&band.scratch.words, row),
                };
                givers.receive::<L>(
                    context,
                    |chunk| (around[chunk] | around[chunk + 1]) == 0,
                    bytemuck::cast_slice_mut(out_density),
                    bytemuck::cast_slice_mut(out_control),
                );
                band.mark_row::<L>(context, 0, own);
                band.mark_row::<L>(context, 1, own);
            }
        }
    }
}

/// The outflows of three slices in the scratch.
struct KeptOutflows {
    width: usize,
    height: usize,
}

impl KeptOutflows {
    /// The place in the scratch of an outflow of a row.
    #[inline(always)]
    fn place(&self, direction: usize, [y, z]: Row) -> usize {
        let slice = (z + OUTFLOW_SLICES as i32) as usize % OUTFLOW_SLICES;
        let row = (y + HALO as i32) as usize * GIVEN + direction;
        slice * slice_words(self.width, self.height) + row * row_words(self.width)
    }

    /// The place in the scratch of a row's flags.
    #[inline(always)]
    fn flags(&self, [y, z]: Row) -> usize {
        let slice = (z + OUTFLOW_SLICES as i32) as usize % OUTFLOW_SLICES;
        let row = slice * (self.height + 2 * HALO) + (y + HALO as i32) as usize;
        OUTFLOW_SLICES * slice_words(self.width, self.height) + row * flags(self.width)
    }

    /// The place in the scratch of the flags that [`Self::join_flags`] joins.
    fn joined_flags(&self) -> usize {
        OUTFLOW_SLICES * (slice_words(self.width, self.height) + (self.height + 2 * HALO) * flags(self.width))
    }

    /// Joins the flags of a row and of the eight around it. Returns whether any is set.
    #[inline(always)]
    fn join_flags(&self, scratch: &mut [i32], [y, z]: Row) -> bool {
        let (kept, joined) = scratch.split_at_mut(self.joined_flags());
        let joined = &mut joined[..flags(self.width)];
        joined.fill(0);
        for z in z - 1..=z + 1 {
            for y in y - 1..=y + 1 {
                let row = &kept[self.flags([y, z])..][..flags(self.width)];
                joined.iter_mut().zip(row).for_each(|(joined, flag)| *joined |= flag);
            }
        }
        joined.iter().any(|flag| *flag != 0)
    }

    /// Works out the outflows of a row and of the cells on either side of it.
    #[inline(always)]
    fn fill<L: Lanes>(&self, context: &PassContext<'_>, scratch: &mut [i32], row: Row, is_kept: bool) {
        let had_any = !is_kept || scratch[self.flags(row)..][..flags(self.width)].iter().any(|flag| *flag != 0);
        if !had_any && !context.is_row_awake(row) {
            return;
        }
        let [density, capacity] = [0, 1].map(|field| NineRows::new(context.read[field], 0, row));
        let mut awake = context.awake_cells(row);
        if awake.start == 0 || awake.end == self.width as i32 {
            // The halo may be awake too.
            awake = -(HALO as i32)..(self.width + HALO) as i32;
        }
        // No further than a register beyond the last cell: there the row ends, and what follows is no control vector.
        for cell in (0..self.width + 2 * HALO).step_by(L::COUNT) {
            let x = cell as i32 - HALO as i32;
            let may_be = x < awake.end && x + L::COUNT as i32 > awake.start;
            let density = density.at::<L>(x);
            let is_awake = may_be && is_any_awake(density.centre(), context.parameters);
            let flag = &mut scratch[self.flags(row) + cell / L::COUNT];
            let was_awake = *flag != 0;
            *flag = i32::from(is_awake);
            if is_kept && !is_awake && !was_awake {
                // The slice that was kept here before gave nothing either.
                continue;
            }
            let mut outflows = [L::splat(0); GIVEN];
            if is_awake {
                let v = context.read[2].vectors::<L, 3>(x, row);
                outflows = self::outflows(v, &density, &capacity.at(x), context.parameters);
            }
            for direction in 0..GIVEN {
                outflows[direction].store(&mut scratch[self.place(direction, row) + cell..]);
            }
        }
        if is_kept {
            return;
        }
        let filled = (self.width + 2 * HALO).next_multiple_of(L::COUNT);
        scratch[self.flags(row)..][..flags(self.width)][filled / L::COUNT..].fill(0);
        for direction in 0..GIVEN {
            scratch[self.place(direction, row)..][..row_words(self.width)][filled..].fill(0);
        }
    }

    /// The outflows around a row.
    #[inline(always)]
    fn around<'a>(&self, scratch: &'a [i32], [y, z]: Row) -> [NineRows<'a>; GIVEN] {
        std::array::from_fn(|direction| NineRows {
            slices: [z - 1, z, z + 1].map(|z| ThreeRows {
                rows: [y - 1, y, y + 1].map(|y| &scratch[self.place(direction, [y, z])..][..row_words(self.width)]),
                halo: HALO as i32,
            }),
        })
    }
}

/// The six neighbours that share a face.
const FACES: [[i32; 3]; 6] = [[0, 0, -1], [0, -1, 0], [-1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]];

/// The amount that a cell of density `giver` gives to a neighbour with so much room.
#[inline(always)]
fn amount_wandering<L: Lanes>(giver: L, room: L, fraction: L) -> L {
    giver.multiply_fraction(fraction).min_unsigned(quotient_by_even(room, 3))
}

/// Wander: every cell gives the same small fraction to each face neighbour, at most a sixth of the room there; V stays. A cell that
/// rests gives nothing.
///
/// D'' = D' - given + received
///
/// Fills rows of D''. Reads the density and the capacity.
pub struct WanderInSpace;

impl RowKernel for WanderInSpace {
    #[inline(always)]
    fn is_kept(context: &PassContext<'_>, [y, z]: Row) -> bool {
        let rows = [[y, z], [y - 1, z], [y + 1, z], [y, z - 1], [y, z + 1]];
        !rows.into_iter().any(|row| context.is_row_awake(row))
    }

    #[inline(always)]
    fn row<L: Lanes>(context: &PassContext<'_>, row: Row, write: &mut [&mut [i32]]) {
        let [density, capacity] = [0, 1].map(|field| NineRows::new(context.read[field], 0, row));
        let fraction = L::splat(context.parameters.wander as i32);
        for x in context.chunks::<L>() {
            let (density, capacity) = (density.at::<L>(x), capacity.at::<L>(x));
            let here = density.centre();
            let mut greatest = here;
            for face in FACES {
                greatest = greatest.max_unsigned(density.neighbour(face));
            }
            if !is_any_awake(greatest, context.parameters) {
                here.store(context.at(write[0], x));
                continue;
            }
            let (awake_here, room_here) = (amount_awake(here, context.parameters), room(capacity.centre(), here));
            let mut now = here;
            for face in FACES {
                let there = density.neighbour(face);
                let lost = amount_wandering(awake_here, room(capacity.neighbour(face), there), fraction);
                let gained = amount_wandering(amount_awake(there, context.parameters), room_here, fraction);
                now = now.wrapping_subtract(lost).wrapping_add(gained);
            }
            now.store(context.at(write[0], x));
        }
    }
}
