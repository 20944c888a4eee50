// The short way round a torus.

// The offset by the short way round a torus of these extents in units, on the axes of `is_torus`.
fn short_way(straight: Offset, extents: Offset, is_torus: FlatBool) -> Offset {
    let over = select(Offset(0), extents, is_torus & (2 * straight > extents));
    let under = select(Offset(0), extents, is_torus & (2 * straight < -extents));
    return straight - over + under;
}
