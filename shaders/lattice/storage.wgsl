// The vectors of a world on its own axes and on three, how a texture stores them, and where cells lie in a texture and
// in the world.
//
// A flat lattice lies in a texture as it is. The slices of a deep one lie side by side, as tiles, in rows of COLUMNS
// tiles.
//
// Generated around this file: COLUMNS.

fn texel(cell: Cell) -> vec2<i32> {
    return texel_in_atlas(cell, EXTENT, COLUMNS);
}

#ifdef DEEP

// The texel of a cell of a lattice. `columns` is the number of tiles in a row.
fn texel_in_atlas(cell: Cell, extent: Cell, columns: u32) -> vec2<i32> {
    let z = u32(cell.z);
    return cell.xy + vec2<i32>(vec2<u32>(z % columns, z / columns)) * extent.xy;
}

fn cell_of_texel(place: vec2<u32>) -> Cell {
    let size = vec2<u32>(EXTENT.xy);
    let tile = place / size;
    return Cell(vec2<i32>(place % size), i32(tile.x + COLUMNS * tile.y));
}

// The components of a vector on three axes that the world has.
fn on_axes(v: Vector3) -> Vector {
    return v;
}

fn on_three_axes(v: Vector) -> Vector3 {
    return v;
}

// A vector takes two words, of a texture with two components.
fn stored(v: Vector) -> vec2<u32> {
    return vec2<u32>(pack(v.xy), bitcast<u32>(v.z));
}

fn vector_of(texel: vec4<u32>) -> Vector {
    return Vector(unpack(texel.r), bitcast<i32>(texel.g));
}

#else

fn texel_in_atlas(cell: Cell, extent: Cell, columns: u32) -> vec2<i32> {
    return cell;
}

fn cell_of_texel(place: vec2<u32>) -> Cell {
    return Cell(place);
}

fn on_axes(v: Vector3) -> Vector {
    return v.xy;
}

fn on_three_axes(v: Vector) -> Vector3 {
    return Vector3(v, 0);
}

// A vector takes one word, of a texture with one component.
fn stored(v: Vector) -> u32 {
    return pack(v);
}

fn vector_of(texel: vec4<u32>) -> Vector {
    return unpack(texel.r);
}

#endif

// The lattice of a device is the world, or a slab of it with a halo.
//
// Generated around this file:
// FIRST_OF_LATTICE, the place in the world of the first cell of the lattice;
// OWN_PIECES, the pieces of the slab: the first one, and the one after the last. Pieces are rows of a flat lattice, and slices of a deep one.

// The place of a cell in the world.
fn cell_in_world(cell: Cell) -> Cell {
    return cell + FIRST_OF_LATTICE;
}

// Whether a cell is on the lattice, and not in its halo.
fn is_in_slab(cell: Cell) -> bool {
    return inside(cell) && cell[LAST] >= OWN_PIECES.x && cell[LAST] < OWN_PIECES.y;
}

// The place of a cell in the world, in 1/16 cell.
fn place_of(cell: Cell) -> Vector3 {
    return 16 * on_three_axes(cell_in_world(cell));
}
