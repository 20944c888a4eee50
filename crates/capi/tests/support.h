/* What the tests share. */
#ifndef SUPPORT_H
#define SUPPORT_H

#include "murmuration.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s; the last message: %s\n", __FILE__, __LINE__, #condition,                       \
                    murmuration_last_error());                                                                         \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

#define OK(call) CHECK((call) == MURMURATION_STATUS_OK)

/* The call fails with this code and a message. */
#define FAILS(code, call)                                                                                              \
    do {                                                                                                               \
        CHECK((call) == MURMURATION_STATUS_##code);                                                                    \
        CHECK(murmuration_last_error()[0] != 0);                                                                       \
    } while (0)

/* Options of a preset on the CPU, or on the engine and with the instruction set of the environment. */
static inline MurmurationOptions options_of(const char *preset, uint32_t width, uint32_t height) {
    MurmurationOptions options;
    OK(murmuration_options_default(&options, sizeof options));
    options.preset = preset;
    options.width = width;
    options.height = height;
    options.engine = getenv("MURMURATION_ENGINE");
    if (options.engine == NULL) {
        options.engine = "cpu";
    }
    options.instruction_set = getenv("MURMURATION_INSTRUCTION_SET");
    return options;
}

static inline MurmurationSwarm *open_swarm(const MurmurationOptions *options) {
    MurmurationSwarm *swarm = NULL;
    OK(murmuration_open(options, &swarm));
    return swarm;
}

static inline MurmurationInput input_of(MurmurationInputKind kind) {
    MurmurationInput input;
    memset(&input, 0, sizeof input);
    input.kind = (uint32_t)kind;
    input.axes = 2;
    return input;
}

/* An input of a kind at a place. */
static inline MurmurationInput input_at(MurmurationInputKind kind, double x, double y, uint32_t radius, uint32_t amount) {
    MurmurationInput input = input_of(kind);
    input.place[0] = x;
    input.place[1] = y;
    input.radius = radius;
    input.amount = amount;
    input.weight = 2.0;
    return input;
}

static inline const char *hash_of(MurmurationSwarm *swarm, char *hash) {
    OK(murmuration_state_hash(swarm, hash));
    return hash;
}

#endif
