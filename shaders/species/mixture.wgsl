// Several species as one swarm, for pictures: the quanta of all, with vectors (Q14) for their colours. The twin is
// crates/core/src/preset/mixture.rs.

// Generated around this file: the textures, and SPECIES, with the colour of each.

struct Mixture {
    // The quanta, at most 2^32 - 1, as a whole number and as a float, and the sum of their colours.
    quanta: u32,
    light: f32,
    vector: vec2<f32>,
}

fn with_species(mixture: Mixture, quanta: u32, colour: vec2<f32>) -> Mixture {
    let sum = mixture.quanta + quanta;
    return Mixture(
        select(sum, 0xffffffffu, sum < quanta),
        mixture.light + f32(quanta),
        mixture.vector + f32(quanta) * colour,
    );
}

fn mix_all(at: vec2<i32>) -> Mixture {
    var all: Mixture;
#for own in SPECIES
    all = with_species(all, textureLoad(#{own.texture}, at, 0).r, vec2<f32>(#{own.x}.0, #{own.y}.0));
#endfor
    return all;
}

@compute @workgroup_size(8, 8)
fn mixture(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = vec2<i32>(id.xy);
    if (at.x >= TEXELS.x || at.y >= TEXELS.y) {
        return;
    }
    let all = mix_all(at);
    let vector = vec2<i32>(round(all.vector / max(all.light, 1.0)));
    let packed = (u32(vector.x) & 0xffffu) | (u32(vector.y) << 16u);
    textureStore(density_target, at, vec4<u32>(all.quanta, 0u, 0u, 0u));
    textureStore(control_target, at, vec4<u32>(packed, 0u, 0u, 0u));
}
