// Stores what a kernel returns for a cell. A vector is held within its bound, so that no kernel can break the movement.
//
// Generated around this file: RESULT, the type of what the kernel returns; STORED, the fields that a compute dispatch
// writes. A render pass writes what its entry returns.

#ifdef DEEP
alias StoredVector = vec2<u32>;
#else
alias StoredVector = u32;
#endif

fn word_of_amount(amount: u32) -> u32 {
    return amount;
}

fn word_of_velocity(v: Vector) -> StoredVector {
    return stored(clamp_components(v, ONE));
}

fn word_of_vector(v: Vector) -> StoredVector {
    return stored(clamp_components(v, RULE_LIMIT));
}

fn store(cell: Cell, written: #{RESULT}) {
#for field in STORED
    textureStore(#{field.name}_target, texel(cell), vec4<u32>(#{field.word}#{field.zeros}));
#endfor
}
