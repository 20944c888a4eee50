// Totals of food: numbers of two words at the beginning of the buffer `food`, the lower one first.

const GROWN: u32 = 0u;   // food that has grown since the start; eaten food follows
const SUM: u32 = 4u;     // the food of all cells

// Adds to a total. The sum of a workgroup's cells fits in one word.
fn add_to_total(low: u32, amount: u32) {
    let before = atomicAdd(&food[low], amount);
    if (before + amount < before) {
        atomicAdd(&food[low + 1u], 1u);
    }
}
