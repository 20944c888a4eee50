// The sight of a kernel: its perceptual vectors by their numbers, from 0 to `sight_count() - 1`.
//
// Generated around this file: SIGHT_COUNT, SIGHT_REACH and SIGHT_KIND; the table `sight_vectors`; CENTRE_REACH, the
// number by which the centre that cohesion sees is divided, in addition to the sum of what is seen.

#import "perception/tables"

fn sight_count() -> i32 {
    return #{SIGHT_COUNT};
}

fn sight_reach() -> i32 {
    return #{SIGHT_REACH};
}

fn sight(i: i32) -> Vector {
    return vector_in_#{SIGHT_KIND}(sight_vectors[i]);
}

fn pull(i: i32) -> Vector {
    return pull_in_#{SIGHT_KIND}(sight_vectors[i]);
}

fn centre_weight(i: i32) -> Vector {
    return centre_in_#{SIGHT_KIND}(sight_vectors[i]);
}

fn seen_weight(i: i32) -> i32 {
    return seen_in_#{SIGHT_KIND}(sight_vectors[i]);
}
