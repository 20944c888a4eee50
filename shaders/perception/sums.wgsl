// Sums over the sights of the rules, which `behaviour` of the default chain makes: what a cell adds to them. `control_of_cohesion`,
// `control_of_separation` and `control_of_alignment` of shaders/shared/swarm.wgsl make the control vectors of the rules.
//
// centre = Σ s·p, pressure = Σ p·s/|s|², momentum = Σ V·p, and Σ p for cohesion and alignment, over the cells at x+s in sight
//
// A cell that goes out of sight of a cell farther down is taken away: its p is negative.

struct PerceivedSums {
    centre: Vector,
    by_cohesion: i32,
    pressure: Vector,
    momentum: Vector,
    by_alignment: i32,
}

// A cell at s adds s·p and p; by a contrast the weights of s.
fn add_to_centre(sums: ptr<function, PerceivedSums>, p: i32, weight: Vector, seen_weight: i32) {
    (*sums).centre += p * weight;
    (*sums).by_cohesion += p * seen_weight;
}

// `pull`: s/|s|² (Q10).
fn add_to_pressure(sums: ptr<function, PerceivedSums>, p: i32, pull: Vector) {
    (*sums).pressure += p * pull;
}

fn add_to_momentum(sums: ptr<function, PerceivedSums>, p: i32, there: Cell) {
    (*sums).momentum += p * to_q10(control(there));
    (*sums).by_alignment += p;
}

// The sums of the cell above, one row farther down: each cell in sight is a row farther up.
fn move_centre(sums: ptr<function, PerceivedSums>, above: PerceivedSums) {
    (*sums).by_cohesion = above.by_cohesion;
    (*sums).centre = above.centre;
    (*sums).centre.y -= above.by_cohesion;
}

fn move_momentum(sums: ptr<function, PerceivedSums>, above: PerceivedSums) {
    (*sums).by_alignment = above.by_alignment;
    (*sums).momentum = above.momentum;
}

#ifndef DEEP

// The sums over a box of a flat world, which shaders/perception/boxes.wgsl makes before.
fn take_centre(sums: ptr<function, PerceivedSums>, in_box: vec4<i32>) {
    (*sums).by_cohesion = in_box.x;
    (*sums).centre = in_box.yz;
}

fn take_momentum(sums: ptr<function, PerceivedSums>, in_box: vec4<i32>) {
    (*sums).by_alignment = in_box.x;
    (*sums).momentum = in_box.zw;
}

#endif
