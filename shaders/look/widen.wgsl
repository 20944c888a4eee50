// One size of the halo: HALO · light + AIR · Σ w · wider, with the wider halos enlarged twice by the quadratic
// B-spline. AIR absorbs red more than blue from size to size, which keeps the night blue.

#import "look/places"

fn widen(texel: vec2<i32>) -> vec4<f32> {
    let extent = wider_size();
    let middle = texel / 2;
    // The middle of a texel lies a quarter of a wider texel before or after the middle of that wider texel.
    let x = spline(select(-0.25, 0.25, (texel.x & 1) == 1));
    let y = spline(select(-0.25, 0.25, (texel.y & 1) == 1));
    let columns = neighbours(middle.x, extent.x, view.wraps.x);
    let rows = neighbours(middle.y, extent.y, view.wraps.y);
    var sum = vec3<f32>(0.0);
    for (var k = 0; k < 3; k++) {
        let row = x.x * wider(vec2<i32>(columns.x, rows[k])).rgb
            + x.y * wider(vec2<i32>(columns.y, rows[k])).rgb
            + x.z * wider(vec2<i32>(columns.z, rows[k])).rgb;
        sum += y[k] * row;
    }
    return vec4<f32>(light(texel).rgb * HALO + sum * AIR, 1.0);
}
