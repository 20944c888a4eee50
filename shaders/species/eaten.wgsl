// The quanta that a species eats of others in a cell, and that others eat of it (x and y).
//
// Σ floor(rate · min(D of the eater, D of the prey, room of the eater)) over the meals
//
// Generated around this file: MEALS, with the fields of the two densities, the rate and the component.

fn eaten_and_lost(cell: Cell) -> vec2<u32> {
    var sums = vec2<u32>(0u);
#for meal in MEALS
    sums.#{meal.component} += meal(#{meal.eater}(cell), #{meal.prey}(cell), capacity(cell), #{meal.rate}u);
#endfor
    return sums;
}
