// Functions that the kernels of the agents share: the agent of an invocation, and the grid of the search.
//
// Generated around this file: WORKGROUP, the invocations of a workgroup; CELLS, the cells of the search along each axis;
// EXTENTS, the world's; AXES, 2 or 3; and the buffers that a kernel lists.

// The words of the account.
const BEFORE: u32 = 0u;       // agents at the beginning of the step, in `individuals`
const LIVING: u32 = 1u;       // agents that are left, in `sorted`
const CAUGHT_LOW: u32 = 2u;   // agents caught since the start, in two words
const IN_JAWS: u32 = 4u;      // agents in the jaws in this step
const PERISHED: u32 = 5u;     // agents that have perished in this step
const STARVED_LOW: u32 = 6u;  // agents that have perished since the start, in two words
const BORN_LOW: u32 = 8u;     // agents that were born since the start, in two words

// Who is born again: nobody; those that have perished; those that were caught as well.
const NOBODY: u32 = 0u;
const ALL: u32 = 2u;

// Bits of a place below the cell.
const PLACE_BITS: u32 = 16u;
// The rank of an agent that is caught, or has perished and is not reborn.
const GONE: u32 = 0xffffffffu;

// The number of an invocation. A dispatch has two dimensions, because one holds no more than 65 535 workgroups.
fn invocation(group: vec3<u32>, groups: vec3<u32>, lane: u32) -> u32 {
    return (group.y * groups.x + group.x) * WORKGROUP + lane;
}

// The cell of the search, by axes, that a place (Q16) is in.
fn cell_at(place: Vector3) -> Vector3 {
    return ((place >> vec3<u32>(PLACE_BITS)) * CELLS) / EXTENTS;
}

// The cells one after the other, x fastest.
fn cell_index(cell: Vector3) -> u32 {
    return u32((cell.z * CELLS.y + cell.y) * CELLS.x + cell.x);
}
