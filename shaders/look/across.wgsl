// Interpolates the rows of visible blocks to the columns of pixels: Σ w_k · soft(x + k, y), k = -1, 0, 1.
// Row 0 is the row of blocks above the screen.

#import "look/places"

fn across(pixel: vec2<i32>) -> vec4<f32> {
    let x = block_at(pixel).x;
    let column = floor(x);
    let w = spline(x - column - 0.5);
    let block = view.first_block + vec2<i32>(i32(column), pixel.y - 1);
    let y = wrap_or_clamp(block.y, view.blocks.y, TORUS);
    return w.x * soft(vec2<i32>(wrap_or_clamp(block.x - 1, view.blocks.x, TORUS), y))
        + w.y * soft(vec2<i32>(wrap_or_clamp(block.x, view.blocks.x, TORUS), y))
        + w.z * soft(vec2<i32>(wrap_or_clamp(block.x + 1, view.blocks.x, TORUS), y));
}
