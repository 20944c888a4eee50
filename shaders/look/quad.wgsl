// The vertices of a single boid: a square around it.

struct PointVertex {
    @builtin(position) position: vec4<f32>,
    // In radii of the point, from its middle.
    @location(0) r: vec2<f32>,
    @location(1) @interpolate(flat) light: vec3<f32>,
}

@vertex
fn murmuration_vertex(
    @builtin(vertex_index) i: u32,
    @location(0) pixel: vec2<f32>,
    @location(1) velocity: vec2<f32>,
    @location(2) exposures: f32,
    @location(3) brightness: f32,
) -> PointVertex {
    // A square of three radii to each side, beyond which a point is dark.
    let corner = vec2<f32>(select(-1.0, 1.0, (i & 1u) == 1u), select(-1.0, 1.0, i >= 2u));
    let r = corner * 3.0;
    let light = boid_colour(exposures, velocity) * (view.point_light * brightness);
    return PointVertex(clip_of_pixel(pixel + r * view.point_radius), r, light);
}
