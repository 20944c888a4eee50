// A boid as a stroke of light in the colour of its heading, speed, density or species. Rock hides boids behind it, and
// the water around rock absorbs light.

#import "points/boid"
#import "look/depth"
#import "look/radiance"
#import "points/strokes"
#import "look/volume"

fn lights(point: Point) {
    let stroke = stroke_of(point);
    if (stroke.amount > 0.0 && !is_behind_rock(point.place, stroke.middle)) {
#ifdef IS_OF_FALCONS
        let colour = FALCON_COLOUR * glare(stroke.radius / select(WAKE_SIZE, 1.0, point.slice >= 0));
#else
        let colour = colour_of_point(point);
#endif
        var passed = vec3<f32>(1.0);
        if (HAS_TERRAIN) {
            passed = passed_by_water(point.place);
        }
        draw_stroke(stroke, LIGHT * point_view.light * colour * passed);
    }
}

fn colour_of_point(point: Point) -> vec3<f32> {
    if (shows_species()) {
        return species_colour(species_of(point));
    }
    return boid_colour(volume_at(point.place).y, point.velocity.xy);
}

// Whether rock is before a point that is seen at a pixel. The alpha of the light of rock is 1 / the distance of the
// rock ahead of the eye.
fn is_behind_rock(point: vec3<f32>, pixel: vec2<f32>) -> bool {
    if (!HAS_TERRAIN || any(pixel < vec2<f32>(0.0)) || any(pixel >= vec2<f32>(light_size()))) {
        return false;
    }
    return light(vec2<i32>(pixel)).a * ahead_of_eye(point) > 1.01;
}
