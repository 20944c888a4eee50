// Adds to a total of the account, of two words.
fn add_to_account(low: u32, amount: u32) {
    if (amount == 0u) {
        return;
    }
    let before = atomicAdd(&account[low], amount);
    if (before + amount < before) {
        atomicAdd(&account[low + 1u], 1u);
    }
}
