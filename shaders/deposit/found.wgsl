// Found: the individual with the min key.
//
// Generated around this file: NOBODY, the buffers.

@compute @workgroup_size(1)
fn write_found() {
    if (least_key != NOBODY) {
        found = individuals[least_key & 0xffffffu];
    }
}
