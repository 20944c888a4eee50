// The cells of a layer, for points.
//
// Generated around this file: the fields `density`, `control` and `capacity`, for cells up to one cell beyond the
// edges.

fn density_at(cell: Vector3) -> u32 {
    return density(on_axes(cell));
}

fn velocity_at(cell: Vector3) -> Vector3 {
    return on_three_axes(control(on_axes(cell)));
}

fn is_solid(cell: Vector3) -> bool {
    return capacity(on_axes(cell)) == 0u;
}
