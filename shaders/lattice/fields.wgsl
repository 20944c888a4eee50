// The fields that a kernel reads. A cell beyond an edge is the one on the other side of a torus; beyond walls there is
// nothing.
//
// Generated around this file: FIELDS, which are looked up in textures, with the types of their values and the function
// that wraps cells;
// CONSTANTS, the fields with the same amount in every cell.

#for field in FIELDS
fn #{field.name}(cell: Cell) -> #{field.kind} {
#ifdef IS_TORUS
    let place = #{field.wrap}(cell);
#else
    let place = cell;
    if (!inside(cell)) {
        return #{field.kind}();
    }
#endif
    return #{field.value_of}(textureLoad(#{field.name}_texture, texel(place), 0)#{field.part});
}
#endfor

#for field in CONSTANTS
fn #{field.name}(cell: Cell) -> u32 {
#ifndef IS_TORUS
    if (!inside(cell)) {
        return 0u;
    }
#endif
    return #{field.amount}u;
}
#endfor
