// Combines light and halo, and maps the sum to the levels of a screen. With l the light of a pixel and h its halo, both
// summed over the colours:
//   lift     (2 l / (l + h))²: edges, threads and single boids gain up to four times, the inside of an even cloud stays
//   light    lift · light + bloom · halo, covered by the solids
//   shown    encode(tone(light)), tone(x) = x / (1 + x^1.5)^(2/3), encode: sRGB
//   level    night + shown · (255 - night), dithered to whole levels

#import "look/levels"
#import "look/places"

fn develop(pixel: vec2<i32>) -> vec4<f32> {
    let w = spline_in_quarters(pixel.y);
    let above = vec2<i32>(pixel.x, pixel.y >> 2u);
    let halo_here = w.x * halo(above).rgb
        + w.y * halo(above + vec2<i32>(0, 1)).rgb
        + w.z * halo(above + vec2<i32>(0, 2)).rgb;
    let texel = light(pixel);
    let here = texel.r + texel.g + texel.b;
    // The small term avoids a division by zero.
    let contrast = 2.0 * here / (here + halo_here.r + halo_here.g + halo_here.b + 1e-20);
    let glow = halo_here * view.bloom;
    var lit = texel.rgb * (contrast * contrast) + glow;

    // Solids are dark inside, with a thin rim that reflects the glow. `depth` is the distance of the pixel inside the
    // edge, in pixels. Interpolated, the solid part rises by 3/4 in a block, and the edge is where it is 1/2.
    if (HAS_SOLIDS) {
        let depth = (texel.a - 0.5) / (0.75 * view.blocks_per_pixel) + 0.5;
        let rim = RIM + RIM_THROWS * glow;
        let slate = SLATE + SLATE_THROWS * glow;
        let solid = mix(rim, slate, clamp(depth - RIM_BREADTH, 0.0, 1.0));
        lit = mix(lit, solid, clamp(depth, 0.0, 1.0));
    }

    // Beyond walls the night is darker, and the wall is a thin line.
    var night = NIGHT;
    if (TORUS == 0) {
        let block = vec2<f32>(view.first_block) + block_at(pixel);
        let away = max(-block, block - vec2<f32>(view.blocks)) / view.blocks_per_pixel;
        let beyond = clamp(max(away.x, away.y) + 0.5, 0.0, 1.0);
        let line = beyond * (1.0 - clamp(max(away.x, away.y) - RIM_BREADTH + 0.5, 0.0, 1.0));
        night = NIGHT * (1.0 - 0.45 * beyond);
        lit = lit * (1.0 - 0.75 * beyond) + line * (RIM + RIM_THROWS * glow);
    } else if (view.copy_light < 1.0) {
        // Copies of a torus beyond the world in the middle of the screen are dimmed.
        let cell = view.corner - view.world + (vec2<f32>(pixel) + 0.5) / view.pixels_per_cell;
        let away = max(-cell, cell - vec2<f32>(view.lattice)) * view.pixels_per_cell;
        lit *= mix(1.0, view.copy_light, clamp(max(away.x, away.y) + 0.5, 0.0, 1.0));
    }

    let levels = night + shown(lit) * (255.0 - night);
    return vec4<f32>(for_target(floor(levels + dither(vec2<u32>(pixel))) * (1.0 / 255.0)), 1.0);
}

// encode(tone(light)), with the powers of both joined.
fn shown(light: vec3<f32>) -> vec3<f32> {
    let x = max(light, vec3<f32>(1e-12));
    let fall = log2(1.0 + x * sqrt(x)) * (2.0 / 3.0);
    let encoded = 1.055 * exp2((log2(x) - fall) * (1.0 / 2.4)) - 0.055;
    // In the linear part of the sRGB curve tone(x) is x.
    return select(encoded, 12.92 * x, x <= vec3<f32>(0.0031308));
}
