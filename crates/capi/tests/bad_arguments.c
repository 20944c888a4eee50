/* Damaged arguments for every function: NULL, wrong numbers, texts that are no UTF-8, damaged checkpoints. Each is refused by a code with a message,
 * and the swarm is as it was. bad_arguments CASES: so many damaged checkpoints. */
#include "support.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const NOT_UTF8 = "\xff\xfe";
static char out[65536];
static size_t needed;

static uint32_t state = 1;
static uint32_t random_word(void) {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

static void null_arguments(MurmurationSwarm *swarm) {
    MurmurationOptions options = options_of("droplets", 48, 32);
    MurmurationInput input = input_of(MURMURATION_INPUT_KIND_STROKE);
    MurmurationSwarm *opened = NULL;
    MurmurationSnapshot *snapshot = NULL;
    MurmurationTicket *ticket = NULL;
    MurmurationFacts facts;
    MurmurationAccount account;
    MurmurationEvent event;
    uint64_t number;
    uint32_t width, height;
    FAILS(NULL_ARGUMENT, murmuration_options_default(NULL, sizeof options));
    FAILS(BAD_INPUT, murmuration_options_default(&options, 8));
    FAILS(BAD_INPUT, murmuration_options_default(&options, (size_t)-1));
    FAILS(NULL_ARGUMENT, murmuration_open(NULL, &opened));
    FAILS(NULL_ARGUMENT, murmuration_open(&options, NULL));
    options.preset = NULL;
    FAILS(NULL_ARGUMENT, murmuration_open(&options, &opened));
    FAILS(NULL_ARGUMENT, murmuration_resume(NULL, 9, NULL, &opened));
    FAILS(NULL_ARGUMENT, murmuration_resume(out, 9, NULL, NULL));
    FAILS(NULL_ARGUMENT, murmuration_resume_file(NULL, NULL, &opened));
    FAILS(NULL_ARGUMENT, murmuration_resume_file("a", NULL, NULL));
    CHECK(opened == NULL);
    OK(murmuration_close(NULL));
    OK(murmuration_ticket_free(NULL));
    OK(murmuration_snapshot_free(NULL));
    FAILS(NULL_ARGUMENT, murmuration_advance(NULL, 1));
    FAILS(NULL_ARGUMENT, murmuration_try_advance(NULL, 1, &number));
    FAILS(NULL_ARGUMENT, murmuration_step(NULL, &number));
    FAILS(NULL_ARGUMENT, murmuration_step(swarm, NULL));
    FAILS(NULL_ARGUMENT, murmuration_facts(NULL, &facts));
    FAILS(NULL_ARGUMENT, murmuration_facts(swarm, NULL));
    FAILS(NULL_ARGUMENT, murmuration_account(NULL, &account));
    FAILS(NULL_ARGUMENT, murmuration_account(swarm, NULL));
    FAILS(NULL_ARGUMENT, murmuration_state_hash(NULL, out));
    FAILS(NULL_ARGUMENT, murmuration_state_hash(swarm, NULL));
    FAILS(NULL_ARGUMENT, murmuration_get(NULL, "world.size", out, sizeof out, NULL));
    FAILS(NULL_ARGUMENT, murmuration_get(swarm, NULL, out, sizeof out, NULL));
    FAILS(NULL_ARGUMENT, murmuration_get(swarm, "world.size", NULL, 0, NULL));
    FAILS(NULL_ARGUMENT, murmuration_remarks(NULL, out, sizeof out, NULL));
    FAILS(NULL_ARGUMENT, murmuration_remarks(swarm, NULL, 0, NULL));
    FAILS(NULL_ARGUMENT, murmuration_apply(NULL, &input));
    FAILS(NULL_ARGUMENT, murmuration_apply(swarm, NULL));
    FAILS(NULL_ARGUMENT, murmuration_read(NULL, MURMURATION_READING_DENSITY, out, sizeof out, NULL));
    FAILS(NULL_ARGUMENT, murmuration_read(swarm, MURMURATION_READING_DENSITY, NULL, 0, NULL));
    FAILS(NULL_ARGUMENT, murmuration_picture(NULL, 0, out, sizeof out, &width, &height));
    FAILS(NULL_ARGUMENT, murmuration_picture(swarm, 0, out, sizeof out, NULL, &height));
    FAILS(NULL_ARGUMENT, murmuration_picture(swarm, 0, out, sizeof out, &width, NULL));
    FAILS(NULL_ARGUMENT, murmuration_request(NULL, MURMURATION_READING_DENSITY, &ticket));
    FAILS(NULL_ARGUMENT, murmuration_request(swarm, MURMURATION_READING_DENSITY, NULL));
    FAILS(NULL_ARGUMENT, murmuration_ticket_poll(NULL, &width));
    FAILS(NULL_ARGUMENT, murmuration_ticket_take(NULL, out, sizeof out, NULL));
    OK(murmuration_request(swarm, MURMURATION_READING_DENSITY, &ticket));
    FAILS(NULL_ARGUMENT, murmuration_ticket_poll(ticket, NULL));
    FAILS(NULL_ARGUMENT, murmuration_ticket_take(ticket, NULL, 0, NULL));
    OK(murmuration_ticket_free(ticket));
    FAILS(NULL_ARGUMENT, murmuration_events(NULL, &event, 1, &needed));
    FAILS(NULL_ARGUMENT, murmuration_events(swarm, NULL, 1, &needed));
    FAILS(NULL_ARGUMENT, murmuration_events(swarm, &event, 1, NULL));
    OK(murmuration_events(swarm, NULL, 0, &needed));
    FAILS(NULL_ARGUMENT, murmuration_snapshot(NULL, &snapshot));
    FAILS(NULL_ARGUMENT, murmuration_snapshot(swarm, NULL));
    FAILS(NULL_ARGUMENT, murmuration_restore(swarm, NULL));
    FAILS(NULL_ARGUMENT, murmuration_snapshot_step(NULL, &number));
    OK(murmuration_snapshot(swarm, &snapshot));
    FAILS(NULL_ARGUMENT, murmuration_restore(NULL, snapshot));
    FAILS(NULL_ARGUMENT, murmuration_snapshot_step(snapshot, NULL));
    OK(murmuration_snapshot_free(snapshot));
    FAILS(NULL_ARGUMENT, murmuration_save(NULL, "a"));
    FAILS(NULL_ARGUMENT, murmuration_save(swarm, NULL));
    FAILS(NULL_ARGUMENT, murmuration_rollback_begin(NULL, 1, 1));
    FAILS(NULL_ARGUMENT, murmuration_rollback_insert(NULL, 1, 1, 1, &input));
    FAILS(NULL_ARGUMENT, murmuration_rollback_insert(swarm, 1, 1, 1, NULL));
    FAILS(NULL_ARGUMENT, murmuration_rollback_advance_to(NULL, 1));
    FAILS(NULL_ARGUMENT, murmuration_rollback_facts(NULL, &number, &number));
    FAILS(NULL_ARGUMENT, murmuration_rollback_facts(swarm, NULL, &number));
}

/* Options with one wrong member each. */
static uint32_t stop_at_once(void *context) {
    (void)context;
    return 1;
}

static void bad_options(void) {
    const MurmurationOptions sound = options_of("droplets", 48, 32);
    MurmurationOptions options;
    MurmurationSwarm *swarm = NULL;
    const char *settings[] = {"weights.cohesion=0.5", NOT_UTF8, NULL};
#define REFUSED(code, change)                                                                                          \
    options = sound;                                                                                                   \
    change;                                                                                                            \
    FAILS(code, murmuration_open(&options, &swarm));                                                                   \
    CHECK(swarm == NULL)
    REFUSED(BAD_INPUT, options.size = 0);
    REFUSED(BAD_INPUT, options.size -= 8);
    REFUSED(BAD_INPUT, options.size = (size_t)-1);
    REFUSED(BAD_INPUT, options.preset = "nowhere");
    REFUSED(BAD_INPUT, options.preset = "nowhere.toml");
    REFUSED(BAD_INPUT, options.preset = "");
    REFUSED(BAD_INPUT, options.preset = NOT_UTF8);
    REFUSED(BAD_INPUT, options.text = "");
    REFUSED(BAD_INPUT, options.text = "[world");
    REFUSED(BAD_INPUT, options.text = NOT_UTF8);
    REFUSED(BAD_INPUT, options.width = 0);
    REFUSED(BAD_INPUT, options.width = 0xffffffffu);
    REFUSED(BAD_INPUT, options.width = options.height = 0xffffffffu);
    REFUSED(BAD_INPUT, options.width = options.height = 1u << 20);
    REFUSED(BAD_INPUT, options.depth = 0xffffffffu);
    REFUSED(BAD_INPUT, options.chain = "nowhere");
    REFUSED(BAD_INPUT, options.chain = NOT_UTF8);
    REFUSED(BAD_INPUT, options.engine = "abacus");
    REFUSED(BAD_INPUT, options.engine = NOT_UTF8);
    REFUSED(BAD_INPUT, options.instruction_set = "abacus");
    REFUSED(BAD_INPUT, (options.engine = "gpu", options.threads = 1));
    REFUSED(BAD_INPUT, options.threads = 4000000000u);
    CHECK(strstr(murmuration_last_error(), "options.threads 4000000000: ") == murmuration_last_error());
    REFUSED(STOPPED, (options.width = options.height = 4096, options.stop = stop_at_once));
    REFUSED(NULL_ARGUMENT, options.settings_count = 1);
    REFUSED(BAD_INPUT, (options.settings = settings, options.settings_count = 2));
    REFUSED(BAD_INPUT, (options.settings = settings, options.settings_count = (size_t)-1));
    settings[1] = "weights.cohesio=0.5";
    REFUSED(BAD_INPUT, (options.settings = settings, options.settings_count = 2));
    CHECK(strstr(murmuration_last_error(), "options.settings weights.cohesio=0.5: ") == murmuration_last_error());
    REFUSED(NULL_ARGUMENT, (options.settings = settings, options.settings_count = 3));
#undef REFUSED
}

static void bad_shapes(MurmurationSwarm *swarm) {
    const double lengths[] = {NAN, -1.0};
    MurmurationInput input = input_of(MURMURATION_INPUT_KIND_OBSTACLE);
    MurmurationObstacle obstacle;
    MurmurationOverlap query;
    MurmurationTicket *ticket = NULL;
    float values[4] = {1, -1, 2, -2};
    uint32_t kind;
    size_t length;
    memset(&obstacle, 0, sizeof obstacle);
    memset(&query, 0, sizeof query);
    obstacle.axes = query.axes = 2;
    input.obstacle = &obstacle;
    for (kind = 4; kind < 9; kind++) {
        obstacle.kind = query.kind = kind;
        FAILS(BAD_INPUT, murmuration_apply(swarm, &input));
        FAILS(BAD_INPUT, murmuration_overlap(swarm, &query, 1, &ticket));
    }
    for (length = 0; length < 2; length++) {
        obstacle.kind = MURMURATION_OBSTACLE_KIND_BALL;
        obstacle.radius = query.radius = lengths[length];
        FAILS(BAD_INPUT, murmuration_apply(swarm, &input));
        query.kind = MURMURATION_OVERLAP_KIND_BALL;
        FAILS(BAD_INPUT, murmuration_overlap(swarm, &query, 1, &ticket));
    }
    obstacle.kind = MURMURATION_OBSTACLE_KIND_BALL;
    obstacle.radius = 1e9;
    FAILS(BAD_INPUT, murmuration_apply(swarm, &input));
    obstacle.kind = MURMURATION_OBSTACLE_KIND_BOX;
    obstacle.half_axes[1][0] = NAN;
    FAILS(BAD_INPUT, murmuration_apply(swarm, &input));
    obstacle.half_axes[1][0] = 1e9;
    FAILS(BAD_INPUT, murmuration_apply(swarm, &input));
    for (kind = MURMURATION_OBSTACLE_KIND_HEIGHTS; kind <= MURMURATION_OBSTACLE_KIND_DISTANCES; kind++) {
        obstacle.kind = kind;
        obstacle.values = NULL;
        obstacle.count = 4;
        FAILS(NULL_ARGUMENT, murmuration_apply(swarm, &input));
        obstacle.values = values;
        FAILS(BAD_INPUT, murmuration_apply(swarm, &input));
        obstacle.size[0] = obstacle.size[1] = 3;
        FAILS(BAD_INPUT, murmuration_apply(swarm, &input));
        obstacle.count = (size_t)-1;
        FAILS(BAD_INPUT, murmuration_apply(swarm, &input));
        obstacle.size[0] = obstacle.size[1] = 0;
    }
    obstacle.size[0] = obstacle.size[1] = 2;
    obstacle.count = 4;
    values[3] = NAN;
    obstacle.kind = MURMURATION_OBSTACLE_KIND_HEIGHTS;
    FAILS(BAD_INPUT, murmuration_apply(swarm, &input));
    obstacle.kind = MURMURATION_OBSTACLE_KIND_DISTANCES;
    FAILS(BAD_INPUT, murmuration_apply(swarm, &input));
    FAILS(NULL_ARGUMENT, murmuration_overlap(swarm, NULL, 1, &ticket));
    FAILS(NULL_ARGUMENT, murmuration_overlap(swarm, &query, 1, NULL));
    FAILS(BAD_INPUT, murmuration_overlap(swarm, &query, (size_t)-1, &ticket));
    CHECK(ticket == NULL);
}

static void bad_targets(MurmurationSwarm *swarm) {
    const double places[] = {1.0, 2.0, 3.0, NAN, 2.0, 3.0};
    MurmurationInput input = input_of(MURMURATION_INPUT_KIND_TARGET);
    MurmurationTarget good, target;
    memset(&good, 0, sizeof good);
    good.axes = 2;
    good.radius = 9;
    good.places = places;
    good.count = 1;
    input.target = &target;
#define REFUSED(status, change)                                                                                        \
    target = good;                                                                                                     \
    change;                                                                                                            \
    FAILS(status, murmuration_apply(swarm, &input))
    REFUSED(BAD_INPUT, target.count = 2);
    REFUSED(BAD_INPUT, target.count = 0);
    REFUSED(BAD_INPUT, target.count = 257);
    REFUSED(BAD_INPUT, target.count = (size_t)-1);
    REFUSED(NULL_ARGUMENT, target.places = NULL);
    REFUSED(BAD_INPUT, target.axes = 4);
    REFUSED(BAD_INPUT, target.speed = NAN);
    REFUSED(BAD_INPUT, target.speed = -1.0);
    REFUSED(BAD_INPUT, target.radius = 256);
    REFUSED(BAD_INPUT, target.jaws = 65);
    REFUSED(BAD_INPUT, target.species = 99);
#undef REFUSED
    target = good;
    OK(murmuration_apply(swarm, &input));
    input.target = NULL;
    OK(murmuration_apply(swarm, &input));
}

static void bad_inputs(MurmurationSwarm *swarm) {
    const double numbers[] = {NAN, INFINITY, -INFINITY};
    MurmurationInput input;
    uint32_t axes;
    size_t number;
    for (number = 0; number < sizeof numbers / sizeof *numbers; number++) {
        input = input_at(MURMURATION_INPUT_KIND_HUNTER, numbers[number], 3, 20, 0);
        FAILS(BAD_INPUT, murmuration_apply(swarm, &input));
        input = input_at(MURMURATION_INPUT_KIND_SPAWN, 3, numbers[number], 3, 1);
        FAILS(BAD_INPUT, murmuration_apply(swarm, &input));
        input = input_at(MURMURATION_INPUT_KIND_HUNTER, 3, 3, 20, 0);
        input.weight = numbers[number];
        FAILS(BAD_INPUT, murmuration_apply(swarm, &input));
    }
    for (axes = 0; axes < 6; axes++) {
        if (axes != 2 && axes != 3) {
            input = input_at(MURMURATION_INPUT_KIND_REMOVE, 3, 3, 3, 0);
            input.axes = axes;
            FAILS(BAD_INPUT, murmuration_apply(swarm, &input));
        }
    }
    input = input_at(MURMURATION_INPUT_KIND_HUNTER, 3, 3, 256, 0);
    FAILS(BAD_INPUT, murmuration_apply(swarm, &input));
    input = input_at(MURMURATION_INPUT_KIND_JAWS, 3, 3, 0, 65);
    FAILS(BAD_INPUT, murmuration_apply(swarm, &input));
    input = input_at(MURMURATION_INPUT_KIND_SPAWN, 3, 3, 3, 0xffffffffu);
    FAILS(BAD_INPUT, murmuration_apply(swarm, &input));
    input = input_at(MURMURATION_INPUT_KIND_REMOVE, 3, 3, 0xffffffffu, 1);
    FAILS(BAD_INPUT, murmuration_apply(swarm, &input));
    input = input_at(MURMURATION_INPUT_KIND_FEED, 3, 3, 3, 1);
    FAILS(BAD_INPUT, murmuration_apply(swarm, &input));
    bad_shapes(swarm);
    bad_targets(swarm);
    input = input_of(MURMURATION_INPUT_KIND_SET);
    FAILS(NULL_ARGUMENT, murmuration_apply(swarm, &input));
    input.key = NOT_UTF8;
    input.value = "1";
    FAILS(BAD_INPUT, murmuration_apply(swarm, &input));
    input.key = "weights.cohesio";
    FAILS(BAD_INPUT, murmuration_apply(swarm, &input));
    input.key = "world.size";
    FAILS(BAD_INPUT, murmuration_apply(swarm, &input));
    for (number = 0; number < 64; number++) {
        input.kind = MURMURATION_INPUT_KIND_SET + 1 + random_word();
        FAILS(BAD_INPUT, murmuration_apply(swarm, &input));
    }
    input = input_at(MURMURATION_INPUT_KIND_SOLID, 1e300, -1e300, 0, 0);
    FAILS(BAD_INPUT, murmuration_apply(swarm, &input));
    input = input_at(MURMURATION_INPUT_KIND_HUNTER, -1e9, 3, 20, 0);
    FAILS(BAD_INPUT, murmuration_apply(swarm, &input));
    CHECK(strstr(murmuration_last_error(), "input.place") != NULL);
    /* Places far outside are places. */
    input = input_at(MURMURATION_INPUT_KIND_HUNTER, -1e8, 1e8, 20, 0);
    OK(murmuration_apply(swarm, &input));
    input = input_of(MURMURATION_INPUT_KIND_NO_HUNTER);
    OK(murmuration_apply(swarm, &input));
}

static void bad_readings(MurmurationSwarm *swarm) {
    MurmurationTicket *ticket = NULL;
    uint32_t width, height;
    int number;
    FAILS(BAD_INPUT, murmuration_read(swarm, MURMURATION_READING_INDIVIDUALS, out, sizeof out, &needed));
    FAILS(BAD_INPUT, murmuration_request(swarm, MURMURATION_READING_INDIVIDUALS, &ticket));
    for (number = 0; number < 64; number++) {
        const uint32_t reading = MURMURATION_READING_CHECKPOINT + 1 + random_word();
        FAILS(BAD_INPUT, murmuration_read(swarm, reading, out, sizeof out, &needed));
        FAILS(BAD_INPUT, murmuration_request(swarm, reading, &ticket));
    }
    CHECK(ticket == NULL);
    memset(out, 7, sizeof out);
    FAILS(BUFFER_TOO_SMALL, murmuration_read(swarm, MURMURATION_READING_DENSITY, out, 48 * 32 * 4 - 1, &needed));
    CHECK(needed == 48 * 32 * 4 && out[0] == 7);
    FAILS(BUFFER_TOO_SMALL, murmuration_get(swarm, "world.size", out, 1, &needed));
    FAILS(BUFFER_TOO_SMALL, murmuration_picture(swarm, 0xffffffffu, out, 1, &width, &height));
    OK(murmuration_get(swarm, "no.such.key", out, 1, &needed));
    CHECK(needed == 1 && out[0] == 0);
    FAILS(BAD_INPUT, murmuration_get(swarm, NOT_UTF8, out, 9, &needed));
    FAILS(BAD_INPUT, murmuration_advance(swarm, UINT64_MAX));
    FAILS(BAD_INPUT, murmuration_rollback_begin(swarm, 0, 9));
    FAILS(BAD_INPUT, murmuration_rollback_begin(swarm, 9, 0));
    FAILS(BAD_INPUT, murmuration_rollback_advance_to(swarm, 9));
    FAILS(FILE, murmuration_save(swarm, "/nowhere/at/all.checkpoint"));
    FAILS(BAD_INPUT, murmuration_save(swarm, NOT_UTF8));
}

/* A folder and a pipe are no files. A pipe that nothing writes is not waited for. */
static void no_plain_files(void) {
    char folder[] = "/tmp/murmuration-XXXXXX", pipe_path[64];
    MurmurationSwarm *resumed = NULL;
    CHECK(mkdtemp(folder) != NULL);
    snprintf(pipe_path, sizeof pipe_path, "%s/pipe", folder);
    CHECK(mkfifo(pipe_path, 0600) == 0);
    alarm(60);
    FAILS(FILE, murmuration_resume_file(pipe_path, NULL, &resumed));
    FAILS(FILE, murmuration_resume_file(folder, NULL, &resumed));
    CHECK(strstr(murmuration_last_error(), "plain file") != NULL);
    alarm(0);
    CHECK(resumed == NULL && unlink(pipe_path) == 0 && rmdir(folder) == 0);
}

/* Every damaged checkpoint is refused: its hash tells. */
static void bad_checkpoints(MurmurationSwarm *swarm, unsigned long cases) {
    MurmurationOptions options = options_of("droplets", 48, 32);
    MurmurationSwarm *resumed = NULL;
    unsigned char *sound, *damaged;
    size_t size, length, place;
    unsigned long number;
    OK(murmuration_read(swarm, MURMURATION_READING_CHECKPOINT, NULL, 0, &size));
    sound = (unsigned char *)malloc(size);
    damaged = (unsigned char *)malloc(size);
    CHECK(sound != NULL && damaged != NULL);
    OK(murmuration_read(swarm, MURMURATION_READING_CHECKPOINT, sound, size, NULL));
    OK(murmuration_resume(sound, size, &options, &resumed));
    OK(murmuration_close(resumed));
    resumed = NULL;
    FAILS(BAD_INPUT, murmuration_resume(NULL, 0, &options, &resumed));
    FAILS(BAD_INPUT, murmuration_resume(sound, (size_t)-1, &options, &resumed));
    FAILS(FILE, murmuration_resume_file("/nowhere", &options, &resumed));
    FAILS(BAD_INPUT, murmuration_resume_file(NOT_UTF8, &options, &resumed));
    for (number = 0; number < cases; number++) {
        memcpy(damaged, sound, size);
        length = number % 3 == 0 ? random_word() % size : size;
        place = length > 0 ? random_word() % length : 0;
        damaged[place] ^= (unsigned char)(1u << random_word() % 8);
        FAILS(BAD_INPUT, murmuration_resume(damaged, length, &options, &resumed));
        CHECK(resumed == NULL);
    }
    free(sound);
    free(damaged);
}

int main(int count, char **arguments) {
    MurmurationOptions options = options_of("droplets", 48, 32);
    MurmurationSwarm *swarm = open_swarm(&options);
    char before[65], after[65];
    CHECK(count == 2);
    OK(murmuration_advance(swarm, 3));
    hash_of(swarm, before);
    null_arguments(swarm);
    bad_options();
    bad_inputs(swarm);
    bad_readings(swarm);
    no_plain_files();
    bad_checkpoints(swarm, strtoul(arguments[1], NULL, 10));
    CHECK(strcmp(hash_of(swarm, after), before) == 0);
    OK(murmuration_close(swarm));
    puts("bad_arguments: all is well");
    return 0;
}
