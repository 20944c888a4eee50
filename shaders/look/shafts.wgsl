// The light that the water throws towards the eye. With l the light that arrives at a place of the ray, way the cells
// of water before it, and s the cells from one place to the next, it is
//   Σ SHAFT · max(l - DIM, 0)² · exp(-ABSORBED · way) · s
// up to the first rock.

#import "look/depth"
#import "look/levels"
#import "terrain/lit_water"
#import "look/places"

const SHAFT: vec3<f32> = vec3<f32>(0.0012, 0.0075, 0.0100);
const DIM: f32 = 0.22;
const CELLS_BETWEEN: f32 = 2.0;

fn shafts(pixel: vec2<i32>) -> vec4<f32> {
    let ray = ray_through(4.0 * vec2<f32>(pixel) + 2.0);
    let ends = ends_in_world(ray);
    var sum = vec3<f32>(0.0);
    var way = CELLS_BETWEEN * dither(vec2<u32>(pixel));
    while (ends.x + way < ends.y) {
        let here = water_at(eye.position + (ends.x + way) * ray);
        if (here.y > 0.6) {
            break;
        }
        let bright = max(here.x - DIM, 0.0);
        sum += exp(-ABSORBED * way) * (bright * bright * (1.0 - here.y));
        way += CELLS_BETWEEN;
    }
    return vec4<f32>(sum * SHAFT * CELLS_BETWEEN, 0.0);
}
