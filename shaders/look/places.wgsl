// Indices of texels at the edges of a texture, and the weights for interpolation between texels.
//
// The assembler adds View and `view`, the constants of the picture, and for each texture that the pass reads an
// accessor and a function for its size.

// index mod extent, for |index| < 2^23. A float division is faster than an integer division. The added half keeps the
// quotient away from whole numbers.
fn wrap(index: i32, extent: i32) -> i32 {
    return index - extent * i32(floor((f32(index) + 0.5) / f32(extent)));
}

// The texel for an index beyond the edges: on the opposite side if the texture wraps (1), else the nearest one, so that
// nothing darkens at the edge.
fn wrap_or_clamp(index: i32, extent: i32, wraps: i32) -> i32 {
    return select(clamp(index, 0, extent - 1), wrap(index, extent), wraps == 1);
}

// The texels before, at and after an index within the texture: see `wrap_or_clamp`.
fn neighbours(index: i32, extent: i32, wraps: i32) -> vec3<i32> {
    let before = select(index - 1, select(0, extent - 1, wraps == 1), index == 0);
    let after = select(index + 1, select(extent - 1, 0, wraps == 1), index + 1 == extent);
    return vec3<i32>(before, index, after);
}

// The weights of the texel before, the texel itself and the texel after, at t from its middle (-1/2 ≤ t ≤ 1/2):
//   w = (½ (½ - t)², ¾ - t², ½ (½ + t)²)
// the quadratic B-spline, whose slope is continuous, so that no texel shows as a square.
fn spline(t: f32) -> vec3<f32> {
    return vec3<f32>(0.5 * (0.5 - t) * (0.5 - t), 0.75 - t * t, 0.5 * (0.5 + t) * (0.5 + t));
}

// The weights at a pixel of texels that are 4 pixels long.
fn spline_in_quarters(pixel: i32) -> vec3<f32> {
    return spline((f32(pixel & 3) + 0.5) * 0.25 - 0.5);
}

// The middle of a pixel, in blocks from the first block of the view.
fn block_at(pixel: vec2<i32>) -> vec2<f32> {
    return view.offset + (vec2<f32>(pixel) + 0.5) * view.blocks_per_pixel;
}

// The offset of a copy of an individual or a boid along each axis, in periods of a torus. From afar several periods are
// in view.
fn copy_of_torus(number: u32) -> vec2<f32> {
    let period = i32(number);
    return vec2<f32>(view.first_copy + vec2<i32>(period % view.copies.x, period / view.copies.x));
}

// A place of the screen (pixels) in clip space.
fn clip_of_pixel(pixel: vec2<f32>) -> vec4<f32> {
    let part = pixel / vec2<f32>(view.screen);
    return vec4<f32>(2.0 * part.x - 1.0, 1.0 - 2.0 * part.y, 0.0, 1.0);
}

// A corner of a shape: its place on the screen, its place in the shape, and its light.
struct ShapeVertex {
    @builtin(position) position: vec4<f32>,
    @location(0) r: vec2<f32>,
    @location(1) light: vec3<f32>,
}

// A vertex that the rasteriser discards.
const NOT_DRAWN: ShapeVertex = ShapeVertex(vec4<f32>(2.0, 2.0, 2.0, 1.0), vec2<f32>(0.0), vec3<f32>(0.0));
