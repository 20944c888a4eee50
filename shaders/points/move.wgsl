// Move: every point after the step, its block, and its rank among the points of the block, in an arbitrary order.
//
// x' = x + v;   v = mean of V around x + v_before + drift

// Generated around this file: `points`, `starts`, `destinations`, `ranks` and `counts`.

#import "points/cells"
#import "points/flow"
#import "points/point"

@compute @workgroup_size(WORKGROUP)
fn move_points(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = starts[bin_of(0u)] + invocation(group, groups, lane);
    if (i >= starts[bin_of(BLOCK_COUNT)]) {
        return;
    }
    var point = points[i];
    let place = Vector3(point.place[0], point.place[1], point.place[2]);
    let cell = cell_at(place);
    if (is_solid(cell)) {
        destinations[i] = NOWHERE;
        return;
    }
    let before = velocity_of(point);
    let ahead = mean(held(place + 4 * before));
    var velocity = before;
    if (ahead.has_boids) {
        velocity = drifting(ahead.velocity, point.key & ~LEAVES, parameters.step + 1u);
    } else {
        point.key |= LEAVES;
    }
    let beside = cell_at(place + 4 * velocity);
    velocity.x = select(velocity.x, 0, beside.x != cell.x && is_solid(Vector3(beside.x, cell.y, cell.z)));
    velocity.y = select(velocity.y, 0, beside.y != cell.y && is_solid(Vector3(cell.x, beside.y, cell.z)));
    velocity.z = select(velocity.z, 0, beside.z != cell.z && is_solid(Vector3(cell.x, cell.y, beside.z)));
    if (is_solid(cell_at(place + 4 * velocity))) {
        velocity = Vector3(0);
    }
    let now = held(place + 4 * velocity);
    point.place = array<i32, 3>(now.x, now.y, now.z);
    let words = packed(velocity, presence_of(point));
    point.velocity_xy = words.x;
    point.velocity_z_presence = words.y;
    points[i] = point;
    let bin = bin_of(block_at(now));
    destinations[i] = bin;
    ranks[i] = atomicAdd(&counts[bin], 1u);
}

// A velocity with a point's own drift, which is at most an eighth of the speed along each axis and changes slowly.
fn drifting(velocity: Vector3, key: u32, step: u32) -> Vector3 {
    let speed = abs(velocity.x) + abs(velocity.y) + abs(velocity.z);
    var moved = velocity;
    for (var axis = 0u; axis < AXES; axis++) {
        let time = step + key;
        let part = i32(time & 31u);
        let word = hash(key + axis);
        let now = drift_in(word, time >> 5u);
        let next = drift_in(word, (time >> 5u) + 1u);
        let drift = round_shift(now * (32 - part) + next * part, 5u);
        moved[axis] = clamp(moved[axis] + round_shift(speed * drift, 13u), -ONE, ONE);
    }
    return moved;
}

fn drift_in(word: u32, period: u32) -> i32 {
    return i32(hash(word ^ period) >> 21u) - 1024;
}
