// Blurs density and momentum with the weights 1 : 2 : 1 along each axis. Patterns that alternate from block to block
// are artefacts of the lattice, and vanish. The solid part stays.

#import "look/places"

fn soften(block: vec2<i32>) -> vec4<f32> {
    let x = neighbours(block.x, view.blocks.x, TORUS);
    let y = neighbours(block.y, view.blocks.y, TORUS);
    let above = swarm(vec2<i32>(x.x, y.x)) + 2.0 * swarm(vec2<i32>(x.y, y.x)) + swarm(vec2<i32>(x.z, y.x));
    let here = swarm(block);
    let beside = swarm(vec2<i32>(x.x, y.y)) + 2.0 * here + swarm(vec2<i32>(x.z, y.y));
    let below = swarm(vec2<i32>(x.x, y.z)) + 2.0 * swarm(vec2<i32>(x.y, y.z)) + swarm(vec2<i32>(x.z, y.z));
    return vec4<f32>((above + 2.0 * beside + below).xyz * (1.0 / 16.0), here.w);
}
