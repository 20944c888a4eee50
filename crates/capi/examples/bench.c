/* Prints the steps a second of a swarm through the C interface, one call a step. examples/bench.rs does the same by the library. */
#include "murmuration.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(void) {
    MurmurationOptions options;
    MurmurationSwarm *swarm;
    double begun;
    int step;
    murmuration_options_default(&options, sizeof options);
    options.preset = "droplets";
    options.width = 256;
    options.height = 256;
    options.engine = "cpu";
    if (murmuration_open(&options, &swarm) != MURMURATION_STATUS_OK) {
        fprintf(stderr, "bench: %s\n", murmuration_last_error());
        return 1;
    }
    murmuration_advance(swarm, 50);
    begun = seconds();
    for (step = 0; step < 300; step++) {
        if (murmuration_advance(swarm, 1) != MURMURATION_STATUS_OK) {
            return 1;
        }
    }
    printf("%.3f\n", 300 / (seconds() - begun));
    return murmuration_close(swarm) != MURMURATION_STATUS_OK;
}
