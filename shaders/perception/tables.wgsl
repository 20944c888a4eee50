// A perceptual vector s in the table of a sight: s itself, the pull s/|s|² of separation (Q10), the weight of a cell
// there in the centre that cohesion sees, and in the sum of what is seen. The table of a contrast has its weights.

fn pair_of(word: i32) -> vec2<i32> {
    return unpack(bitcast<u32>(word));
}

#ifdef DEEP

fn vector_in_sight(row: vec4<i32>) -> Vector {
    return Vector(pair_of(row.x), row.y);
}

fn pull_in_sight(row: vec4<i32>) -> Vector {
    return Vector(pair_of(row.z), row.w);
}

fn vector_in_contrast(row: vec4<i32>) -> Vector {
    return Vector(pair_of(row.x), pair_of(row.y).x);
}

fn centre_in_contrast(row: vec4<i32>) -> Vector {
    return Vector(pair_of(row.z), row.w);
}

#else

fn vector_in_sight(row: vec4<i32>) -> Vector {
    return row.xy;
}

fn pull_in_sight(row: vec4<i32>) -> Vector {
    return row.zw;
}

fn vector_in_contrast(row: vec4<i32>) -> Vector {
    return pair_of(row.x);
}

fn centre_in_contrast(row: vec4<i32>) -> Vector {
    return pair_of(row.z);
}

#endif

fn centre_in_sight(row: vec4<i32>) -> Vector {
    return vector_in_sight(row);
}

fn seen_in_sight(row: vec4<i32>) -> i32 {
    return 1;
}

fn pull_in_contrast(row: vec4<i32>) -> Vector {
    let v = vector_in_contrast(row);
    return each_ratio(v, max(dot(v, v), 1));
}

fn seen_in_contrast(row: vec4<i32>) -> i32 {
    return pair_of(row.y).y;
}
