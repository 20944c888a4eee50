// The light of a pixel. Density and momentum (e, m) are interpolated down the rows of blocks:
//   (e, m) = Σ w_k · bands(x, y + k);  light = cloud · light_of(e) · colour_of(e, m);  alpha is the solid part

#import "look/places"
#import "look/radiance"

fn shine(pixel: vec2<i32>) -> vec4<f32> {
    let block = block_at(pixel);
    let row = floor(block.y);
    let w = spline(block.y - row - 0.5);
    let above = vec2<i32>(pixel.x, i32(row));
    let swarm = w.x * bands(above) + w.y * bands(above + vec2<i32>(0, 1)) + w.z * bands(above + vec2<i32>(0, 2));
    var light = view.cloud * light_of(swarm.x);
    if (TORUS == 0) {
        // No light beyond walls.
        let lattice_block = vec2<f32>(view.first_block) + block;
        let inside = all(lattice_block > vec2<f32>(0.0)) && all(lattice_block < vec2<f32>(view.blocks));
        light = select(0.0, light, inside);
    }
    return vec4<f32>(light * colour_of(swarm.x, swarm.yz), swarm.w);
}
