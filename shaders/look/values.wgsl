// A plane of cells, each in the colour of its value. Copies of a torus beyond the world are dimmed. Beyond walls it is
// dark.

#import "look/levels"
#import "look/places"

fn values(pixel: vec2<i32>) -> vec4<f32> {
    let cell = vec2<i32>(floor(view.corner + (vec2<f32>(pixel) + 0.5) / view.pixels_per_cell));
    let size = plane_size();
    let within = cell - vec2<i32>(view.world);
    let is_inside = all(within >= vec2<i32>(0)) && all(within < size);
    var level = BEYOND;
    if (is_inside || TORUS == 1) {
        let word = plane(vec2<i32>(wrap(cell.x, size.x), wrap(cell.y, size.y)));
        let colour = vec3<f32>((vec3<u32>(word) >> vec3<u32>(0u, 8u, 16u)) & vec3<u32>(255u));
        level = colour * select(view.copy_light, 1.0, is_inside);
    }
    return vec4<f32>(for_target(floor(level) * (1.0 / 255.0)), 1.0);
}
