// The vertices of a single boid: a square of two triangles around its point.
//
// Generated around this file: `point_cells`, the quanta of the cells, and DISC, half of the side of the square in radii
// of the point.

#import "points/boid"
#import "look/places"
#import "look/radiance"

struct PointVertex {
    @builtin(position) position: vec4<f32>,
    // The place in radii of the point, from its middle.
    @location(0) r: vec2<f32>,
    @location(1) @interpolate(flat) light: vec3<f32>,
}

@vertex
fn murmuration_vertex(@builtin(vertex_index) i: u32) -> PointVertex {
    let copies = u32(view.copies.x * view.copies.y);
    let index = i / (6u * copies);
    let point = point_of_boid(index);
    let cell = point.place.xy + copy_of_torus(i / 6u % copies) * vec2<f32>(view.lattice);
    // The corners of two triangles, two bits each from the lowest: 0 1 2, 2 1 3.
    let corner = (0xda4u >> (2u * (i % 6u))) & 3u;
    let r = vec2<f32>(select(-DISC, DISC, (corner & 1u) == 1u), select(-DISC, DISC, corner >= 2u));
    let pixel = (cell - view.corner) * view.pixels_per_cell + r * view.point_radius;
    let stored = point_list[index];
    let quanta = textureLoad(point_cells, vec2<i32>(stored.x, stored.y) >> vec2<u32>(16u), 0).r;
    let exposures = f32(quanta) * (1.0 / BOID) * view.exposures_per_boid;
    let amount = point.presence * point_view.each;
    var colour = boid_colour(exposures, point.velocity.xy);
    if (shows_species()) {
        colour = species_colour(species_of(point));
    }
    return PointVertex(clip_of_pixel(pixel), r, colour * (view.point_light * amount));
}
