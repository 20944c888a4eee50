// The sums of a contrast as a texture has them: of the cells of the world, and of BLUR_MARGIN cells beyond each edge.
//
// Generated around this file: BLUR_MARGIN; BLUR_COLUMNS, the tiles in a row of the texture; BLURRED, the texture that
// is read, if there is one.

fn blur_texel(cell: Cell) -> vec2<i32> {
    return texel_in_atlas(cell + BLUR_MARGIN, EXTENT + 2 * BLUR_MARGIN, BLUR_COLUMNS);
}

#for field in BLURRED
fn blurred(cell: Cell) -> u32 {
#ifdef IS_TORUS
    let place = #{field.wrap}(cell);
#else
    let place = cell;
    if (any(cell < Cell(-BLUR_MARGIN)) || any(cell >= EXTENT + BLUR_MARGIN)) {
        return 0u;
    }
#endif
    return textureLoad(#{field.texture}, blur_texel(place), 0).r;
}
#endfor
