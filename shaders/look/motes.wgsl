// A mote: a disc of light for an individual that is too distant to be drawn as a fish.

#import "look/body"
#import "look/depth"
#import "look/places"

fn motes_corner(it: Body, copy: vec2<f32>, corner: vec3<f32>, normal: vec3<f32>) -> ShapeVertex {
    let ahead = ahead_of_eye(it.position);
    let part = 1.0 - fish_part(ahead);
    if (part <= 0.0 || ahead < 0.5 * eye.near) {
        return NOT_DRAWN;
    }
    let pixels_per_cell = eye.focus / ahead;
    let radius = max(0.24 * eye.fish_length * pixels_per_cell, 0.8);
    // The light of the whole individual, up to a limit.
    let light = min(eye.mote_light * pixels_per_cell * pixels_per_cell / (6.2831853 * radius * radius), 1.2);
    let r = 2.6 * corner.xy;
    var clip = clip_of(it.position);
    let offset = 2.0 * radius * r / vec2<f32>(view.screen) * clip.w;
    clip = vec4<f32>(clip.xy + offset, clip.z, clip.w);
    var colour = individual_colour(it);
    if (HAS_TERRAIN) {
        colour = reef_flank(it) * dot(colour, vec3<f32>(0.33));
    }
    return ShapeVertex(clip, r, through_water(colour * (light * part), it.position));
}

// exp(-r²/2), r in radii.
fn motes(r: vec2<f32>, light: vec3<f32>) -> vec4<f32> {
    return vec4<f32>(light * exp(-0.5 * dot(r, r)), 0.0);
}
