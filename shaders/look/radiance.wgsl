// The light and colour of a swarm. The functions have the same names in crates/core/src/picture/colour.rs.

#import "look/reads"

// Linear red, green and blue of a colour in OKLab (Björn Ottosson, 2020); negative components become 0.
fn linear_from_oklab(lightness: f32, a: f32, b: f32) -> vec3<f32> {
    let long = lightness + 0.39633778 * a + 0.21580376 * b;
    let medium = lightness - 0.105561346 * a - 0.06385417 * b;
    let short = lightness - 0.08948418 * a - 1.2914855 * b;
    let l = long * long * long;
    let m = medium * medium * medium;
    let s = short * short * short;
    return max(vec3<f32>(0.0), vec3<f32>(
        4.0767417 * l - 3.3077116 * m + 0.23096993 * s,
        -1.268438 * l + 2.6097574 * m - 0.3413194 * s,
        -0.0041960863 * l - 0.7034186 * m + 1.7076147 * s,
    ));
}

// The colour of the palette at 0 ≤ t ≤ 1.
fn palette_at(t: f32) -> vec3<f32> {
    let last = palette_size().x - 1;
    let index = t * f32(last);
    let below = min(i32(index), last - 1);
    return mix(palette(vec2<i32>(below, 0)).rgb, palette(vec2<i32>(below + 1, 0)).rgb, index - f32(below));
}

// The colour of a species: the middle of its part of the palette.
fn species_colour(species: u32) -> vec3<f32> {
    return palette(vec2<i32>(i32(2u * species + 1u) * palette_size().x / 16, 0)).rgb;
}

// The colour of a density e (in exposures) with momentum m (exposures × cells per step), at lightness about 1:
//   by heading  (a, b) = CHROMA · turned(V) / (|V| + PALE_SPEED) / (1 + (e / CROWD)²) in OKLab, lightness 1 + VIVID · b
//   by speed    the palette at |V|, by density the palette at e / (1 + e), both paler in a crowd by the same factor
//   by mood     the palette in its middle: a lattice has no moods
//   by species  as by heading: a lattice has no species
fn colour_of(exposures: f32, momentum: vec2<f32>) -> vec3<f32> {
    let crowd = exposures * (1.0 / CROWD);
    let vividness = 1.0 / (1.0 + crowd * crowd);
    let size = length(momentum);
    if (COLOUR == 0 || COLOUR == 4) {
        // The small term avoids a division by zero.
        let chroma = CHROMA * vividness / (size + PALE_SPEED * exposures + 1e-20);
        let a = chroma * (view.hue_turn.x * momentum.x - view.hue_turn.y * momentum.y);
        let b = chroma * (view.hue_turn.y * momentum.x + view.hue_turn.x * momentum.y);
        return linear_from_oklab(1.0 + VIVID * b, a, b);
    }
    let fast = size / (exposures + 1e-20);
    let dense = exposures / (1.0 + exposures);
    let place = select(select(fast, dense, COLOUR == 2), 0.5, COLOUR == 3);
    let vivid = palette_at(clamp(place, 0.0, 1.0));
    return vec3<f32>(1.0) + (vivid - 1.0) * vividness;
}

// The light of a density: HALF · e / (1 + e / GLARE).
fn light_of(exposures: f32) -> f32 {
    return HALF * exposures / (1.0 + exposures * (1.0 / GLARE));
}

// The colour of a single boid at this density (in exposures) and velocity. A crowd does not make a single boid pale,
// unless the colour shows the density.
fn boid_colour(exposures: f32, velocity: vec2<f32>) -> vec3<f32> {
    let e = select(min(exposures, 1.0), exposures, COLOUR == 2);
    return colour_of(e, e * velocity);
}
