// A contrast: what cohesion sees where it looks at blurred densities b (shaders/perception/blur.wgsl).
//
// centre = axes · (b(x+e) - b(x-e)) along each axis, and the sum of all these b

#import "perception/blurred"
#import "perception/sums"

fn add_contrast(sums: ptr<function, PerceivedSums>, cell: Cell) {
    add_contrast_along(sums, cell, along_x(Cell(1)));
    add_contrast_along(sums, cell, along_y(Cell(1)));
#ifdef DEEP
    add_contrast_along(sums, cell, along_last(Cell(1)));
#endif
}

fn add_contrast_along(sums: ptr<function, PerceivedSums>, cell: Cell, step: Cell) {
    let ahead = i32(blurred(cell + step));
    let behind = i32(blurred(cell - step));
    (*sums).centre += (LAST + 1) * (ahead - behind) * step;
    (*sums).by_cohesion += ahead + behind;
}
