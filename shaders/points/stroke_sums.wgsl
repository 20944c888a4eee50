// The sums of all strokes of a picture.
//
// Generated around this file: the `sums`, three for each pixel of the screen.

// Adds three tones to the sums of a pixel.
fn add_to_sums(x: i32, y: i32, tone: vec3<f32>) {
    let sum = vec3<u32>(tone + 0.5);
    let index = u32(y * view.screen.x + x) * 3u;
    if (sum.x > 0u) {
        atomicAdd(&sums[index], sum.x);
    }
    if (sum.y > 0u) {
        atomicAdd(&sums[index + 1u], sum.y);
    }
    if (sum.z > 0u) {
        atomicAdd(&sums[index + 2u], sum.z);
    }
}
