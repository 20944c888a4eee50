// The flow in which points drift.

#import "points/cells"

// The control vector around a place, and whether there are boids.
struct Mean {
    velocity: Vector3,
    has_boids: bool,
}

// The mean control vector around a place on the lattice, between the middles of two cells along each axis.
//
// Σ w·p·V / Σ w·p   with p = min(D >> 8, 65 535), w the product over the axes of the nearness of the middle, in 1/32
fn mean(place: Vector3) -> Mean {
    let from_middle = place - 32768;
    let first = from_middle >> vec3<u32>(16u);
    let part = bitcast<vec3<u32>>(from_middle) & vec3<u32>(0xffffu);
    let here = (65536u - part) >> vec3<u32>(11u);
    let there = part >> vec3<u32>(11u);
    let corners = 1u << AXES;
    var weights = array<u32, 8>();
    var sum = 0u;
    for (var i = 0u; i < corners; i++) {
        let at = corner(i);
        let near = select(here, there, at == vec3<u32>(1u));
        let along_z = select(1u, near.z, AXES == 3u);
        let weight = near.x * near.y * along_z * min(density_at(cell_of_corner(first, at)) >> 8u, 0xffffu);
        weights[i] = weight;
        sum += weight;
    }
    if (sum == 0u) {
        return Mean(Vector3(0), false);
    }
    let k = 16u - min(countLeadingZeros(sum), 16u);
    var divisor = 0;
    var momentum = Vector3(0);
    for (var i = 0u; i < corners; i++) {
        let weight = i32(weights[i] >> k);
        if (weight != 0) {
            divisor += weight;
            momentum += weight * velocity_at(cell_of_corner(first, corner(i)));
        }
    }
    return Mean(
        Vector3(quotient(momentum.x, divisor), quotient(momentum.y, divisor), quotient(momentum.z, divisor)),
        true,
    );
}

fn corner(i: u32) -> vec3<u32> {
    return vec3<u32>(i & 1u, (i >> 1u) & 1u, i >> 2u);
}

fn cell_of_corner(first: Vector3, at: vec3<u32>) -> Vector3 {
    // A flat world has no cells before the first slice.
    let cell = first + Vector3(at);
    return select(Vector3(cell.xy, 0), cell, AXES == 3u);
}
