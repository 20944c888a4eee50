// The mean of the light over 4 × 4 pixels; a block that the screen's end cuts is the mean of the pixels it has.
fn gather_light(place: vec2<i32>) -> vec4<f32> {
    let first = place * 4;
    let end = min(first + 4, view.screen);
    var sum = vec3<f32>(0.0);
    for (var y = first.y; y < end.y; y++) {
        for (var x = first.x; x < end.x; x++) {
            sum += light(vec2<i32>(x, y)).rgb;
        }
    }
    let block = end - first;
    return vec4<f32>(sum / f32(block.x * block.y), 1.0);
}
