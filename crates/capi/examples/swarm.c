/* A swarm with a hunter: opens a preset, flies a hunter through it, prints what it caught, saves a picture, and goes back to a snapshot.
 *
 *   cc -I crates/capi/include swarm.c -lmurmuration_c && ./a.out droplets picture.ppm
 */
#include "murmuration.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program with the message of a call that failed. */
static void check(MurmurationStatus status) {
    if (status != MURMURATION_STATUS_OK) {
        fprintf(stderr, "swarm: %s\n", murmuration_last_error());
        exit(1);
    }
}

/* Plays 200 steps, in which a hunter flies once around the middle of the world. */
static void hunt(MurmurationSwarm *swarm, const MurmurationFacts *facts) {
    static const char *const happened[] = {"spawned", "caught", "born", "starved", "eaten"};
    MurmurationInput jaws, hunter;
    int turn;
    memset(&jaws, 0, sizeof jaws);
    memset(&hunter, 0, sizeof hunter);
    jaws.kind = MURMURATION_INPUT_KIND_JAWS;
    jaws.amount = 3;
    check(murmuration_apply(swarm, &jaws));
    hunter.kind = MURMURATION_INPUT_KIND_HUNTER;
    hunter.axes = 2;
    hunter.radius = 30;
    hunter.weight = 2.0;
    for (turn = 0; turn < 20; turn++) {
        const double angle = turn * 0.314159265358979;
        MurmurationEvent events[16];
        size_t count, event;
        hunter.place[0] = facts->extents[0] * (0.5 + 0.3 * cos(angle));
        hunter.place[1] = facts->extents[1] * (0.5 + 0.3 * sin(angle));
        check(murmuration_apply(swarm, &hunter));
        check(murmuration_advance(swarm, 10));
        check(murmuration_events(swarm, events, sizeof events / sizeof *events, &count));
        for (event = 0; event < count; event++) {
            printf("step %" PRIu64 ": %.2f boids of species %u %s\n", events[event].step,
                   (double)events[event].quanta / MURMURATION_BOID, (unsigned)events[event].species,
                   happened[events[event].kind]);
        }
    }
}

/* Saves the present step as a picture in the format PPM. */
static void save_picture(MurmurationSwarm *swarm, const char *path) {
    uint32_t width, height;
    size_t size, pixel;
    unsigned char *pixels;
    FILE *file;
    check(murmuration_picture(swarm, 0, NULL, 0, &width, &height));
    size = (size_t)4 * width * height;
    pixels = (unsigned char *)malloc(size);
    file = fopen(path, "wb");
    if (pixels == NULL || file == NULL) {
        fprintf(stderr, "swarm: cannot write %s\n", path);
        exit(1);
    }
    check(murmuration_picture(swarm, 0, pixels, size, &width, &height));
    fprintf(file, "P6\n%u %u\n255\n", (unsigned)width, (unsigned)height);
    for (pixel = 0; pixel < size; pixel += 4) {
        fwrite(pixels + pixel, 1, 3, file);
    }
    fclose(file);
    free(pixels);
    printf("%s: %u x %u pixels\n", path, (unsigned)width, (unsigned)height);
}

int main(int count, char **arguments) {
    MurmurationOptions options;
    MurmurationSwarm *swarm;
    MurmurationSnapshot *snapshot;
    MurmurationFacts facts;
    MurmurationAccount account;
    char first[65], second[65];

    check(murmuration_options_default(&options, sizeof options));
    options.preset = count > 1 ? arguments[1] : "droplets";
    options.width = 193;
    options.height = 101;
    options.engine = getenv("MURMURATION_ENGINE");
    options.instruction_set = getenv("MURMURATION_INSTRUCTION_SET");
    check(murmuration_open(&options, &swarm));
    check(murmuration_facts(swarm, &facts));
    printf("murmuration %s: %s, %u x %u cells, on the %s\n", murmuration_version(), options.preset,
           (unsigned)facts.extents[0], (unsigned)facts.extents[1], facts.is_on_gpu ? "GPU" : "CPU");

    check(murmuration_snapshot(swarm, &snapshot));
    hunt(swarm, &facts);
    check(murmuration_account(swarm, &account));
    printf("step %" PRIu64 ": %.2f boids, %.2f caught, %" PRId64 " lost\n", account.step,
           (double)account.quanta / MURMURATION_BOID, (double)account.caught / MURMURATION_BOID, account.lost);
    check(murmuration_state_hash(swarm, first));
    if (count > 2) {
        save_picture(swarm, arguments[2]);
    }

    /* The same hunt from the same start is the same swarm, to the last bit. */
    check(murmuration_restore(swarm, snapshot));
    hunt(swarm, &facts);
    check(murmuration_state_hash(swarm, second));
    printf("hash %s\n", second);
    check(murmuration_snapshot_free(snapshot));
    check(murmuration_close(swarm));
    if (strcmp(first, second) != 0 || account.lost != 0) {
        fprintf(stderr, "swarm: the second hunt is another one\n");
        return 1;
    }
    return 0;
}
