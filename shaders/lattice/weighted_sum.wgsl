// Σ w·v over the control vectors v that the chain lists.
//
// Generated around this file: SUMMED, these fields, each with the number of its weight.

fn weighted_sum(cell: Cell) -> Vector {
    var sum = Vector(0);
#for field in SUMMED
    sum += parameters.weights[#{field.index} / 4][#{field.index} % 4] * #{field.name}(cell);
#endfor
    return sum;
}
