// Alignment with another species: towards the mean velocity of those of it in sight.
//
// v_a = Σ V(x+s)·p(x+s) / Σ p(x+s) - V(x), where V(x) is the species' own control vector

#import "cells/alignment"

fn alignment_with(cell: Cell) -> Vector {
    return alignment_of(cell, own_control(cell));
}
