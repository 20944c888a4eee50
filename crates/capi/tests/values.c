/* Arrays, tickets, events, inputs, snapshots, checkpoints and rollback. MURMURATION_SMALL plays fewer steps. */
#include "support.h"

/* The value of a reading, which the caller frees. */
static void *read_all(MurmurationSwarm *swarm, uint32_t reading, size_t *size) {
    void *value;
    OK(murmuration_read(swarm, reading, NULL, 0, size));
    value = malloc(*size + 1);
    CHECK(value != NULL);
    OK(murmuration_read(swarm, reading, value, *size, size));
    return value;
}

/* The same by a ticket. */
static void *take_all(MurmurationSwarm *swarm, uint32_t reading, size_t *size) {
    MurmurationTicket *ticket = NULL;
    uint32_t is_ready = 0;
    void *value;
    OK(murmuration_request(swarm, reading, &ticket));
    while (is_ready == 0) {
        OK(murmuration_ticket_poll(ticket, &is_ready));
    }
    OK(murmuration_ticket_take(ticket, NULL, 0, size));
    value = malloc(*size + 1);
    CHECK(value != NULL);
    FAILS(BUFFER_TOO_SMALL, murmuration_ticket_take(ticket, value, *size - 1, size));
    OK(murmuration_ticket_take(ticket, value, *size, size));
    OK(murmuration_ticket_free(ticket));
    return value;
}

/* A value by a ticket is the value that is waited for. */
static void same_by_ticket(MurmurationSwarm *swarm, uint32_t reading) {
    size_t first, second;
    void *waited = read_all(swarm, reading, &first), *taken = take_all(swarm, reading, &second);
    CHECK(first > 0 && first == second && memcmp(waited, taken, first) == 0);
    free(waited);
    free(taken);
}

static void cells(uint64_t steps) {
    MurmurationOptions options = options_of("droplets", 96, 64);
    MurmurationSwarm *swarm;
    MurmurationFacts facts;
    MurmurationAccount account;
    uint32_t *density;
    float *boids, *control;
    unsigned char *pixels;
    size_t size, cell, count;
    uint64_t sum = 0, step, played;
    uint32_t width, height, reading;
    options.seed = 7;
    options.has_seed = 1;
    swarm = open_swarm(&options);
    OK(murmuration_facts(swarm, &facts));
    CHECK(facts.seed == 7 && facts.axes == 2 && facts.species == 1 && !facts.is_individuals);
    CHECK(facts.extents[0] == 96 && facts.extents[1] == 64 && facts.extents[2] == 1);
    OK(murmuration_advance(swarm, steps));
    OK(murmuration_try_advance(swarm, 2, &played));
    OK(murmuration_try_advance(swarm, 0, NULL));
    OK(murmuration_step(swarm, &step));
    CHECK(step == steps + played);
    OK(murmuration_account(swarm, &account));
    CHECK(account.step == step && account.lost == 0);

    density = (uint32_t *)read_all(swarm, MURMURATION_READING_DENSITY, &size);
    count = size / sizeof *density;
    CHECK(count == 96 * 64);
    for (cell = 0; cell < count; cell++) {
        sum += density[cell];
    }
    CHECK(sum == account.quanta);
    boids = (float *)read_all(swarm, MURMURATION_READING_BOIDS, &size);
    CHECK(size == count * sizeof *boids);
    for (cell = 0; cell < count; cell++) {
        CHECK(boids[cell] == (float)((double)density[cell] / MURMURATION_BOID));
    }
    control = (float *)read_all(swarm, MURMURATION_READING_CONTROL, &size);
    CHECK(size == 2 * count * sizeof *control);
    for (cell = 0; cell < 2 * count; cell++) {
        CHECK(control[cell] >= -2.0f && control[cell] <= 2.0f);
    }
    free(density);
    free(boids);
    free(control);
    for (reading = MURMURATION_READING_DENSITY; reading <= MURMURATION_READING_CHECKPOINT; reading++) {
        if (reading != MURMURATION_READING_INDIVIDUALS && reading != MURMURATION_READING_FOOD &&
            reading != MURMURATION_READING_FALCONS) {
            same_by_ticket(swarm, reading);
        }
    }

    OK(murmuration_picture(swarm, 48, NULL, 0, &width, &height));
    CHECK(width == 48 && height > 0);
    pixels = (unsigned char *)malloc((size_t)4 * width * height);
    FAILS(BUFFER_TOO_SMALL, murmuration_picture(swarm, 48, pixels, (size_t)4 * width * height - 1, &width, &height));
    OK(murmuration_picture(swarm, 48, pixels, (size_t)4 * width * height, &width, &height));
    CHECK(pixels[3] == 255 && pixels[(size_t)4 * width * height - 1] == 255);
    free(pixels);
    OK(murmuration_close(swarm));
}

static void individuals(uint64_t steps) {
    MurmurationOptions options = options_of("school", 0, 0);
    MurmurationSwarm *swarm;
    MurmurationFacts facts;
    MurmurationAccount account;
    MurmurationIndividual *all;
    size_t size, count, index;
    options.width = 96;
    options.height = 64;
    swarm = open_swarm(&options);
    OK(murmuration_advance(swarm, steps));
    OK(murmuration_facts(swarm, &facts));
    CHECK(facts.is_individuals == 1);
    OK(murmuration_account(swarm, &account));
    all = (MurmurationIndividual *)read_all(swarm, MURMURATION_READING_INDIVIDUALS, &size);
    count = size / sizeof *all;
    CHECK(count > 0 && size % sizeof *all == 0 && count * (uint64_t)MURMURATION_BOID == account.quanta);
    for (index = 0; index < count; index++) {
        CHECK(index == 0 || all[index].number > all[index - 1].number);
        CHECK(all[index].position[0] >= 0.0f && all[index].position[0] <= (float)facts.extents[0]);
        CHECK(all[index].position[1] >= 0.0f && all[index].position[1] <= (float)facts.extents[1]);
    }
    free(all);
    same_by_ticket(swarm, MURMURATION_READING_INDIVIDUALS);
    OK(murmuration_close(swarm));
}

static void inputs_and_events(void) {
    MurmurationOptions options = options_of("droplets", 96, 64);
    MurmurationSwarm *swarm = open_swarm(&options);
    MurmurationInput input = input_at(MURMURATION_INPUT_KIND_SPAWN, 40.5, 30.25, 4, 100);
    MurmurationInput stroke = input_of(MURMURATION_INPUT_KIND_STROKE), undo = input_of(MURMURATION_INPUT_KIND_UNDO);
    MurmurationEvent events[4];
    MurmurationAccount account;
    char hash[65], before[65], value[64];
    size_t count = 9, needed;
    OK(murmuration_events(swarm, events, 4, &count));
    CHECK(count == 0);
    hash_of(swarm, before);
    OK(murmuration_apply(swarm, &stroke));
    OK(murmuration_apply(swarm, &input));
    CHECK(strcmp(hash_of(swarm, hash), before) != 0);
    OK(murmuration_apply(swarm, &undo));
    CHECK(strcmp(hash_of(swarm, hash), before) == 0);

    OK(murmuration_apply(swarm, &input));
    input = input_at(MURMURATION_INPUT_KIND_REMOVE, 40, 30, 3, 0);
    OK(murmuration_apply(swarm, &input));
    input = input_at(MURMURATION_INPUT_KIND_SOLID, 10, 10, 3, 0);
    input.flag = 1;
    OK(murmuration_apply(swarm, &input));
    input = input_of(MURMURATION_INPUT_KIND_JAWS);
    input.amount = 4;
    OK(murmuration_apply(swarm, &input));
    input = input_at(MURMURATION_INPUT_KIND_HUNTER, 48.3, 32.7, 20, 0);
    OK(murmuration_apply(swarm, &input));
    OK(murmuration_advance(swarm, 3));
    input = input_of(MURMURATION_INPUT_KIND_NO_HUNTER);
    OK(murmuration_apply(swarm, &input));
    input = input_of(MURMURATION_INPUT_KIND_SET);
    input.key = "weights.cohesion";
    input.value = "0.25";
    OK(murmuration_apply(swarm, &input));
    OK(murmuration_get(swarm, "weights.cohesion", value, sizeof value, &needed));
    CHECK(strcmp(value, "0.25") == 0 && needed == 5);
    OK(murmuration_remarks(swarm, value, sizeof value, &needed));

    /* An event for which there is no space comes with the next call. */
    do {
        OK(murmuration_events(swarm, events, 1, &count));
    } while (count == 0);
    CHECK(events[0].kind == MURMURATION_EVENT_KIND_SPAWNED && events[0].species == 0);
    CHECK(events[0].quanta == (uint64_t)100 * MURMURATION_BOID);
    OK(murmuration_events(swarm, events, 4, &count));
    CHECK(count == 1 && events[0].kind == MURMURATION_EVENT_KIND_CAUGHT && events[0].quanta > 0);
    OK(murmuration_account(swarm, &account));
    CHECK(account.lost == 0 && account.caught == events[0].quanta);
    OK(murmuration_close(swarm));
}

static void snapshots_and_checkpoints(uint64_t steps, const char *path) {
    MurmurationOptions options = options_of("droplets", 96, 64);
    MurmurationSwarm *swarm = open_swarm(&options), *second = NULL;
    MurmurationSnapshot *snapshot = NULL;
    char hash[65], after[65];
    size_t size;
    uint64_t step;
    void *bytes;
    OK(murmuration_advance(swarm, steps));
    OK(murmuration_snapshot(swarm, &snapshot));
    OK(murmuration_snapshot_step(snapshot, &step));
    CHECK(step == steps);
    bytes = read_all(swarm, MURMURATION_READING_CHECKPOINT, &size);
    OK(murmuration_save(swarm, path));
    OK(murmuration_advance(swarm, steps));
    hash_of(swarm, after);
    OK(murmuration_restore(swarm, snapshot));
    OK(murmuration_advance(swarm, steps));
    CHECK(strcmp(hash_of(swarm, hash), after) == 0);

    OK(murmuration_resume(bytes, size, &options, &second));
    FAILS(BAD_INPUT, murmuration_restore(second, snapshot));
    OK(murmuration_advance(second, steps));
    CHECK(strcmp(hash_of(second, hash), after) == 0);
    OK(murmuration_close(second));
    OK(murmuration_resume_file(path, &options, &second));
    OK(murmuration_advance(second, steps));
    CHECK(strcmp(hash_of(second, hash), after) == 0);
    free(bytes);
    OK(murmuration_close(second));
    /* A snapshot may outlive its swarm. */
    OK(murmuration_close(swarm));
    OK(murmuration_snapshot_step(snapshot, &step));
    OK(murmuration_snapshot_free(snapshot));
}

/* Two peers get the same inputs in different orders, one of them late. */
static void rollback(void) {
    MurmurationOptions options = options_of("droplets", 96, 64);
    MurmurationSwarm *peers[2];
    MurmurationInput inputs[3], jaws = input_of(MURMURATION_INPUT_KIND_JAWS);
    uint64_t earliest, replayed;
    char first[65], second[65];
    int peer, index;
    jaws.amount = 3;
    for (index = 0; index < 3; index++) {
        inputs[index] = input_at(MURMURATION_INPUT_KIND_HUNTER, 30.0 + 10.0 * index, 32.0, 20, 0);
    }
    for (peer = 0; peer < 2; peer++) {
        peers[peer] = open_swarm(&options);
        OK(murmuration_rollback_begin(peers[peer], 4, 60));
        OK(murmuration_rollback_insert(peers[peer], 0, (uint32_t)peer, 0, &jaws));
        FAILS(BAD_INPUT, murmuration_apply(peers[peer], &jaws));
    }
    OK(murmuration_rollback_insert(peers[1], 0, 0, 0, &jaws));
    for (index = 0; index < 3; index++) {
        OK(murmuration_rollback_insert(peers[0], 5, 0, (uint32_t)index, &inputs[index]));
    }
    OK(murmuration_rollback_advance_to(peers[0], 10));
    OK(murmuration_rollback_insert(peers[0], 0, 1, 0, &jaws));
    OK(murmuration_advance(peers[0], 10));
    OK(murmuration_advance(peers[1], 10));
    for (index = 2; index >= 0; index--) {
        OK(murmuration_rollback_insert(peers[1], 5, 0, (uint32_t)index, &inputs[index]));
    }
    OK(murmuration_rollback_advance_to(peers[1], 20));
    OK(murmuration_rollback_facts(peers[1], &earliest, &replayed));
    CHECK(earliest == 0 && replayed > 0);
    CHECK(strcmp(hash_of(peers[0], first), hash_of(peers[1], second)) == 0);
    OK(murmuration_close(peers[0]));
    OK(murmuration_close(peers[1]));
}

/* The results of queries, which the caller frees. */
static MurmurationOverlapResult *ask(MurmurationSwarm *swarm, const MurmurationOverlap *queries, size_t count) {
    MurmurationTicket *ticket = NULL;
    uint32_t is_ready = 0;
    size_t size;
    MurmurationOverlapResult *results = (MurmurationOverlapResult *)malloc(count * sizeof *results);
    OK(murmuration_overlap(swarm, queries, count, &ticket));
    while (is_ready == 0) {
        OK(murmuration_ticket_poll(ticket, &is_ready));
    }
    OK(murmuration_ticket_take(ticket, results, count * sizeof *results, &size));
    CHECK(size == count * sizeof *results);
    OK(murmuration_ticket_free(ticket));
    return results;
}

/* Queries find what the density holds; no boid enters an obstacle, and it goes without a trace. */
static void queries_and_obstacles(uint64_t steps) {
    MurmurationOptions options = options_of("droplets", 96, 64);
    MurmurationSwarm *swarm = open_swarm(&options);
    MurmurationOverlap queries[4];
    MurmurationOverlapResult *results;
    MurmurationObstacle obstacle;
    MurmurationInput input = input_of(MURMURATION_INPUT_KIND_OBSTACLE);
    MurmurationAccount account;
    float heights[6] = {1, 1, 1, 0, 0, 0};
    uint32_t *density, *after;
    size_t size, x, y;
    memset(queries, 0, sizeof queries);
    memset(&obstacle, 0, sizeof obstacle);
    for (x = 0; x < 4; x++) {
        queries[x].axes = 2;
        queries[x].place[0] = 40.0;
        queries[x].place[1] = 30.0;
    }
    queries[0].kind = MURMURATION_OVERLAP_KIND_BALL;
    queries[0].radius = 9.0;
    queries[1].kind = MURMURATION_OVERLAP_KIND_BOX;
    queries[1].half[0] = 48.0;
    queries[1].half[1] = 32.0;
    queries[2].kind = MURMURATION_OVERLAP_KIND_CELL;
    queries[3].kind = MURMURATION_OVERLAP_KIND_BALL;
    OK(murmuration_advance(swarm, steps));
    OK(murmuration_account(swarm, &account));
    density = (uint32_t *)read_all(swarm, MURMURATION_READING_DENSITY, &size);
    results = ask(swarm, queries, 4);
    CHECK(results[1].quanta == account.quanta && results[1].is_found == 1 && results[1].distance > 0.0f);
    CHECK(results[2].quanta == density[30 * 96 + 40]);
    CHECK(results[0].quanta <= account.quanta && results[3].quanta == 0 && results[3].is_found == 0);
    free(results);

    obstacle.kind = MURMURATION_OBSTACLE_KIND_BOX;
    obstacle.axes = 2;
    obstacle.place[0] = 40.0;
    obstacle.place[1] = 30.0;
    obstacle.half_axes[0][0] = 12.0;
    obstacle.half_axes[1][1] = 8.0;
    input.amount = 7;
    input.obstacle = &obstacle;
    OK(murmuration_apply(swarm, &input));
    obstacle.kind = MURMURATION_OBSTACLE_KIND_HEIGHTS;
    obstacle.size[0] = 3;
    obstacle.values = heights;
    obstacle.count = 5;
    input.amount = 8;
    FAILS(BAD_INPUT, murmuration_apply(swarm, &input));
    obstacle.count = 6;
    OK(murmuration_apply(swarm, &input));
    OK(murmuration_advance(swarm, steps));
    /* A covered cell gets nothing: it has at most what it had. */
    after = (uint32_t *)read_all(swarm, MURMURATION_READING_DENSITY, &size);
    for (y = 23; y < 37; y++) {
        for (x = 29; x < 51; x++) {
            CHECK(after[y * 96 + x] <= density[y * 96 + x]);
        }
    }
    free(after);
    free(density);
    input.obstacle = NULL;
    input.amount = 7;
    OK(murmuration_apply(swarm, &input));
    OK(murmuration_account(swarm, &account));
    CHECK(account.lost == 0);
    OK(murmuration_close(swarm));
}

/* A target moves the swarm, and with another place it moves it in another way. */
static void targets(uint64_t steps) {
    MurmurationOptions options = options_of("droplets", 96, 64);
    const double places[6] = {20.0, 20.0, 0.0, 70.0, 40.0, 0.0};
    char hashes[3][65];
    uint32_t run;
    for (run = 0; run < 3; run++) {
        MurmurationSwarm *swarm = open_swarm(&options);
        MurmurationInput input = input_of(MURMURATION_INPUT_KIND_TARGET);
        MurmurationTarget target;
        MurmurationAccount account;
        memset(&target, 0, sizeof target);
        target.axes = 2;
        target.radius = 60;
        target.follow = 1;
        target.speed = 0.5;
        target.places = places;
        target.count = 2;
        input.amount = 3;
        input.target = &target;
        OK(murmuration_advance(swarm, steps));
        OK(murmuration_apply(swarm, &input));
        if (run == 1) {
            target.places = places + 3;
            target.count = 1;
            OK(murmuration_apply(swarm, &input));
        }
        if (run == 2) {
            input.target = NULL;
            OK(murmuration_apply(swarm, &input));
        }
        OK(murmuration_advance(swarm, steps));
        hash_of(swarm, hashes[run]);
        OK(murmuration_account(swarm, &account));
        CHECK(account.lost == 0);
        OK(murmuration_close(swarm));
    }
    CHECK(strcmp(hashes[0], hashes[1]) != 0 && strcmp(hashes[0], hashes[2]) != 0 && strcmp(hashes[1], hashes[2]) != 0);
}

int main(int count, char **arguments) {
    const uint64_t steps = getenv("MURMURATION_SMALL") != NULL ? 3 : 20;
    CHECK(count == 2);
    cells(steps);
    individuals(steps);
    inputs_and_events();
    queries_and_obstacles(steps);
    targets(steps);
    snapshots_and_checkpoints(steps, arguments[1]);
    rollback();
    puts("values: all is well");
    return 0;
}
