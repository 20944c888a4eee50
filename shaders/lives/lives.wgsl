// A step of a life: hunger, mood, health and perishing, and their effects on the movement. The twins are the files of
// crates/core/src/lives/, which have the formulas.
//
// A life is four words, from the lowest bits on: the traits speed, force, sight and disposition; the traits health and
// appetite, the species, and a byte that is 1 if it was eaten; hunger and health; mood (i16) and the steps until the
// individual has perished, 0 while it lives.
//
// Generated around this file: HAS_LIVES. shaders/individuals/rules.wgsl has `see_with`.

#import "individuals/account"
#import "individuals/chance"
#import "food/meals"
#import "individuals/movement"
#import "lives/traits"

// The energy that an individual burns and eats in a step.
struct EnergyTurnover {
    burnt: i32,
    eaten: i32,
}

const HAPPIEST: i32 = 16384;
const MAX_COUNTED: i32 = 1023;

fn signed_lower_half(word: i32) -> i32 {
    return (word << 16u) >> 16u;
}

// The sight of an individual, as a part of the radii of the rules (Q10).
fn sight_of(own: Individual) -> i32 {
    return value_of_trait(parameters.species[own_species].lives.sight, life_of(own).x, 2u);
}

// Sets the sight of each rule for an individual.
fn see_as(own: Individual) {
    if (HAS_LIVES) {
        see_with(sight_of(own));
    }
}

// The individual after a step. `velocity` and `sums` are from before the step; `steered` is the next velocity by the
// rules, or the wanted direction of a set that limits turns.
fn live_and_move(own: Individual, velocity: Vector3, sums: Sums, steered: Vector3) -> Individual {
#ifdef HAS_NOISE
    let noisy = headed_with_noise(own.number, steered);
#else
    let noisy = steered;
#endif
#ifdef LIMITS_TURNS
    let headed = turned_to(velocity, noisy);
#else
    let headed = noisy;
#endif
    if (!HAS_LIVES) {
        let moved = advance(own.place, headed);
        return individual(moved.place, own.number, moved.velocity, vec4<i32>(), 0u);
    }
    let before = life_before(own);
    let turnover = turnover_of(before, share_of(own.place, before));
    let life = live(before, sums, turnover);
    let moved = advance(own.place, move_by_mood(before, pull_of_food(own.place, before), velocity, headed));
    // Only a perishing individual has no health. After its last step of perishing, it is born again after the passes of
    // the step.
    if (upper_half(life.z) == 0 && upper_half(life.w) == 0) {
        return individual(moved.place, own.number, moved.velocity, life, ENDED);
    }
    return individual(moved.place, own.number, moved.velocity, life, u32(turnover.eaten | (turnover.burnt << 16u)));
}

#ifdef HAS_NOISE

// The velocity that an individual is steered to, after the noise of the step.
fn headed_with_noise(number: u32, steered: Vector3) -> Vector3 {
    let noise = parameters.species[own_species].noise;
    if (HAS_CONSTANT_SPEED) {
        return velocity_at_speed(
            steered,
            parameters.species[own_species].max,
            noise,
            draws_of_individual(noise, number),
        );
    }
    if (noise.angle == 0 && noise.vector == 0 && noise.deviation == 0) {
        return steered;
    }
    return velocity_with_noise(steered, noise, draws_of_individual(noise, number));
}

#endif

// The energy that is burnt in a step, which is the hunger that grows, up to FULL; and the eaten energy. A perishing
// individual burns nothing.
fn turnover_of(life: vec4<i32>, eaten: i32) -> EnergyTurnover {
    if (upper_half(life.w) > 0) {
        return EnergyTurnover(0, 0);
    }
    let hunger = life.z & FULL;
    return EnergyTurnover(min(hunger + appetite_of(life), FULL) - hunger, eaten);
}

// The number of others within the sight of a rule. Half a sight does not include the individual itself.
fn others(count: i32) -> i32 {
    return max(count - select(1, 0, SEES_HALF), 0);
}

// The life after a step with this turnover.
fn live(life: vec4<i32>, sums: Sums, turnover: EnergyTurnover) -> vec4<i32> {
    if (upper_half(life.w) > 0) {
        return vec4<i32>(life.xyz, life.w - 65536);
    }
    let rules = parameters.species[own_species].lives;
    let hunger = (life.z & FULL) + turnover.burnt - turnover.eaten;
    let inside = select(0, sums.separation_count + sums.alignment_count, HAS_ZONES);
    let seen = others(sums.cohesion_count + inside);
    let missing = max(rules.few - seen, 0);
    let surplus = max(min(seen, rules.many + MAX_COUNTED) - rules.many, 0);
    let near = min(others(sums.separation_count), MAX_COUNTED);
    let tendency = value_of_trait(rules.disposition, life.x, 3u) + rules.content - rules.lonely * missing
        - rules.crowded * surplus - rules.pressed * near - ((rules.sulk * hunger) >> 16u);
    let before = signed_lower_half(life.w);
    let wanted = clamp(tendency, -(HAPPIEST >> 4u), HAPPIEST >> 4u) << 4u;
    let mood = before + clamp(wanted - before, -rules.pace, rules.pace);
    let is_hungry = rules.hungry < hunger;
    let is_sad = mood < rules.sad;
    let lost = select(0, rules.starvation, is_hungry) + select(0, rules.gloom, is_sad);
    let change = select(rules.recovery, -lost, is_hungry || is_sad);
    let health = min(max(upper_half(life.z) + change, 0), value_of_trait(rules.health, life.y, 0u));
    let is_frail = health < rules.frail;
    return vec4<i32>(
        life.xy,
        hunger | (select(health, 0, is_frail) << 16u),
        (mood & FULL) | (select(0, rules.perishing, is_frail) << 16u),
    );
}

// The velocity with which an individual moves.
fn move_by_mood(life: vec4<i32>, pull: Vector3, velocity: Vector3, steered: Vector3) -> Vector3 {
    let rules = parameters.species[own_species].lives;
    if (upper_half(life.w) > 0) {
        var bottom = Vector3(0);
        bottom[AXES - 1] = select(-rules.sink, rules.sink, AXES == 2);
        return velocity + round_shift3(bottom - velocity, 4u);
    }
    // The depth of a depression, 0 to 1 in Q10.
    let depression = (max(rules.sad - signed_lower_half(life.w), 0) * rules.slope) >> 14u;
    let heed = 1024 - (((1024 - rules.heed) * depression) >> 10u);
    let pace = 1024 - (((1024 - rules.slow) * depression) >> 10u);
    let force = (value_of_trait(rules.force, life.x, 1u) * heed) >> 10u;
    let part = (value_of_trait(rules.speed, life.x, 0u) * pace) >> 10u;
    let most = (part * parameters.species[own_species].max) >> 10u;
    let wanted = velocity + round_shift3((steered - velocity) * force, 10u) + pull;
    let speed = length3(wanted);
    if (most < speed) {
        return stretch3(wanted, speed, most);
    }
    return wanted;
}
