// Functions that the kernels of the blocks share.
//
// Generated around this file: `numbers`, the parameters of the points.

#import "points/point"

const MAX_POINTS_PER_BLOCK: u32 = 4096u;
const PATIENCE: u32 = 64u;

// A random word of a block in this step.
fn random_of(block: u32) -> u32 {
    let step = select(parameters.step + 1u, numbers.seeded, numbers.is_seeding == 1u);
    return hash(hash(numbers.seed ^ hash(bin_of(block))) ^ step);
}

// The cells of a block, x fastest: a cell by its number, and the number of cells on the lattice.
fn cell_in(block: u32, number: i32) -> Vector3 {
    let size = min(EXTENTS - first_cell(block), Vector3(BLOCK));
    return first_cell(block) + Vector3(number % size.x, number / size.x % size.y, number / (size.x * size.y));
}

fn cells_in(block: u32) -> i32 {
    let size = min(EXTENTS - first_cell(block), Vector3(BLOCK));
    return size.x * size.y * size.z;
}
