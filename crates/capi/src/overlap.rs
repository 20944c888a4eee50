//! Overlap queries of a caller: the quanta in a ball or a box, and the boid or cell nearest to its middle.

use crate::inputs::finite_place;
use crate::readings::Value;
use crate::status::{Error, MurmurationStatus, Out, Outcome, object, run, values};
use crate::swarm::MurmurationSwarm;
use crate::tickets::{MurmurationTicket, give_ticket};
use bytemuck::{Pod, Zeroable};
use murmuration::overlap::{Overlap, OverlapResult, OverlapShape};

/// The maximum number of queries in a call.
const MAX_QUERIES: usize = 1 << 20;

/// The shape of a query. The comment of each kind says which members of `MurmurationOverlap` it reads.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MurmurationOverlapKind {
    /// A ball with this `radius` around `place`.
    Ball = 0,
    /// A box around `place`, along the axes of the world. Its half extents are `half`.
    Box = 1,
    /// The cell of `place`. With 2 axes in a deep world: the column of cells.
    Cell = 2,
}

/// A query. Lengths are in cells, rounded to 1/16 cell. A shape reaches at most 1023 cells from its middle. With 2 axes
/// in a deep world a shape goes through the whole depth.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MurmurationOverlap {
    /// A `MurmurationOverlapKind`.
    pub kind: u32,
    /// The number of coordinates in `place`: 2 or 3.
    pub axes: u32,
    /// The middle of the shape, x first.
    pub place: [f64; 3],
    /// The radius of a ball.
    pub radius: f64,
    /// Half of the extents of a box, x first.
    pub half: [f64; 3],
}

/// The result of a query.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub struct MurmurationOverlapResult {
    /// The quanta in the shape. `MURMURATION_BOID` quanta are a boid.
    pub quanta: u64,
    /// 1: the shape is not empty, and the members below describe the individual or the cell that is nearest to the
    /// middle. 0: the shape is empty, and the members below are 0.
    pub is_found: u32,
    /// The number of the individual, or the index of the cell, x fastest.
    pub number: u32,
    /// The place of the individual or the middle of the cell, in cells, x first.
    pub place: [f32; 3],
    /// The distance of this place from the middle of the shape, in cells.
    pub distance: f32,
}

impl MurmurationOverlapResult {
    fn new(result: &OverlapResult) -> Self {
        let mut own = Self { quanta: result.quanta, ..Self::zeroed() };
        if let Some(nearest) = result.nearest {
            (own.is_found, own.number) = (1, nearest.number);
            own.place = nearest.place.map(|along| along as f32 / 16.0);
            own.distance = (f64::from(nearest.square).sqrt() / 16.0) as f32;
        }
        own
    }
}

/// Requests the contents of balls and boxes at the present step, without waiting for a device. The ticket gets a
/// `MurmurationOverlapResult` for each query, in the order of the queries. The caller keeps the queries, and owns the
/// ticket. A GPU answers without reading the swarm back. One thread at a time uses a swarm.
///
/// # Safety
/// `swarm` is NULL or an open swarm. `queries` is NULL or has `count` queries.
/// `ticket` is NULL or has space for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_overlap(
    swarm: *mut MurmurationSwarm,
    queries: *const MurmurationOverlap,
    count: usize,
    ticket: *mut *mut MurmurationTicket,
) -> MurmurationStatus {
    run(|| {
        // SAFETY: as the caller promises, here and below.
        let (swarm, out) = unsafe { (object(swarm, "swarm")?, Out::new(ticket, "ticket")?) };
        if count > MAX_QUERIES {
            return Err(Error::bad("count", format!("{count} queries are too many"), "ask in several calls"));
        }
        let list = unsafe { values(queries, count, "queries")? };
        let queries = list.iter().map(query_of).collect::<Outcome<Vec<Overlap>>>()?;
        let results = swarm.lock()?.simulation()?.overlap(&queries)?;
        let found = results.map(|results| Value::Overlaps(results.iter().map(MurmurationOverlapResult::new).collect()));
        give_ticket(found, out);
        Ok(())
    })
}

fn query_of(own: &MurmurationOverlap) -> Outcome<Overlap> {
    use MurmurationOverlapKind as Kind;
    let [x, y, z] = finite_place("query", own.axes, own.place)?;
    let kind = |kind: Kind| kind as u32;
    let lengths = [own.radius, own.half[0], own.half[1], own.half[2]];
    let read = match own.kind {
        at if at == kind(Kind::Ball) => 0..1,
        at if at == kind(Kind::Box) => 1..1 + own.axes as usize,
        at if at == kind(Kind::Cell) => 0..0,
        other => return Err(Error::bad("query.kind", format!("{other} is no kind"), "use a MurmurationOverlapKind")),
    };
    if !lengths[read].iter().all(|length| *length >= 0.0) {
        return Err(Error::bad("query", "has a length that is none", "give 0 or more"));
    }
    let overlap = match own.kind {
        at if at == kind(Kind::Ball) => Overlap::ball([x, y, z], own.radius),
        at if at == kind(Kind::Box) => Overlap::cuboid([x, y, z], own.half),
        _ => Overlap::cell([x, y, z].map(|along| along.floor() as i32).into()),
    };
    Ok(if own.axes == 3 { overlap } else { column_of(overlap) })
}

/// Extends a shape through the whole depth of a world.
fn column_of(overlap: Overlap) -> Overlap {
    let [x, y, _] = overlap.middle.to_vector();
    let shape = match overlap.shape {
        OverlapShape::Box { half: [x, y, _] } => OverlapShape::Box { half: [x, y, 0] },
        ball => ball,
    };
    Overlap { middle: [x, y].into(), shape }
}
