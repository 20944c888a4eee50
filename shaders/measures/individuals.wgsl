// The bodies of a swarm of individuals.
//
// Generated around this file: LIVING; the buffers `account` and `individuals`.

#import "measures/body"

fn body_count() -> u32 {
    return account[LIVING];
}

fn body_at(i: u32) -> Body {
    return Body(1.0, individuals[i].place, vec3<f32>(individuals[i].velocity));
}
