/* Swarms and threads: two swarms in two threads, one swarm that is handed on, and one that two threads want at once. */
#include "support.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static void *play(void *swarm) {
    OK(murmuration_advance((MurmurationSwarm *)swarm, 40));
    return NULL;
}

/* Calls until it was refused once, or the other thread has ended. The message of this thread is its own. */
static void *want(void *swarm) {
    uint64_t step = 0;
    while (step < 40) {
        const MurmurationStatus status = murmuration_step((MurmurationSwarm *)swarm, &step);
        if (status == MURMURATION_STATUS_BUSY) {
            CHECK(strstr(murmuration_last_error(), "another thread") != NULL);
            return swarm;
        }
        CHECK(status == MURMURATION_STATUS_OK);
    }
    return NULL;
}

/* Does not stop a start. It is called on the thread that opens the swarm. */
static uint32_t go_on(void *thread) {
    CHECK(pthread_equal(*(pthread_t *)thread, pthread_self()));
    return 0;
}

/* A child plays swarms of its own, with a pool of one thread. The swarm, the snapshot and the ticket of its parent are
 * refused there. The child frees them without a wait for the threads of its parent. */
static void check_fork(const MurmurationOptions *of) {
    MurmurationOptions options = *of;
    MurmurationSwarm *swarm, *own;
    MurmurationSnapshot *snapshot = NULL;
    MurmurationTicket *ticket = NULL;
    pthread_t self = pthread_self();
    uint64_t step;
    uint32_t is_ready;
    int status = 0;
    pid_t child;
    options.threads = 2;
    swarm = open_swarm(&options);
    OK(murmuration_advance(swarm, 3));
    OK(murmuration_snapshot(swarm, &snapshot));
    OK(murmuration_request(swarm, MURMURATION_READING_DENSITY, &ticket));
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        alarm(60);
        CHECK(setenv("RAYON_NUM_THREADS", "1", 1) == 0);
        FAILS(BAD_INPUT, murmuration_advance(swarm, 1));
        CHECK(strstr(murmuration_last_error(), "forked") != NULL);
        FAILS(BAD_INPUT, murmuration_snapshot_step(snapshot, &step));
        FAILS(BAD_INPUT, murmuration_ticket_poll(ticket, &is_ready));
        OK(murmuration_snapshot_free(snapshot));
        OK(murmuration_ticket_free(ticket));
        OK(murmuration_close(swarm));
        own = open_swarm(&options);
        OK(murmuration_advance(own, 3));
        OK(murmuration_close(own));
        options.stop = go_on;
        options.stop_context = &self;
        own = open_swarm(&options);
        OK(murmuration_advance(own, 3));
        OK(murmuration_close(own));
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    OK(murmuration_snapshot_free(snapshot));
    OK(murmuration_ticket_free(ticket));
    OK(murmuration_close(swarm));
}

int main(void) {
    MurmurationOptions options = options_of("droplets", 193, 101);
    MurmurationSwarm *swarms[2];
    pthread_t threads[2];
    char first[65], second[65];
    void *refused = NULL;
    int index, attempt;
    options.threads = 1;
    for (index = 0; index < 2; index++) {
        swarms[index] = open_swarm(&options);
        CHECK(pthread_create(&threads[index], NULL, play, swarms[index]) == 0);
    }
    for (index = 0; index < 2; index++) {
        CHECK(pthread_join(threads[index], NULL) == 0);
    }
    /* They were played by other threads than this one, which goes on with them. */
    OK(murmuration_advance(swarms[0], 5));
    OK(murmuration_advance(swarms[1], 5));
    CHECK(strcmp(hash_of(swarms[0], first), hash_of(swarms[1], second)) == 0);
    OK(murmuration_close(swarms[1]));
    OK(murmuration_close(swarms[0]));

    for (attempt = 0; attempt < 50 && refused == NULL; attempt++) {
        swarms[0] = open_swarm(&options);
        CHECK(pthread_create(&threads[0], NULL, want, swarms[0]) == 0);
        for (index = 0; index < 40; index++) {
            MurmurationStatus status;
            do {
                status = murmuration_advance(swarms[0], 1);
            } while (status == MURMURATION_STATUS_BUSY);
            CHECK(status == MURMURATION_STATUS_OK);
        }
        CHECK(pthread_join(threads[0], &refused) == 0);
        OK(murmuration_close(swarms[0]));
    }
    CHECK(refused != NULL);
    check_fork(&options);
    puts("threads: all is well");
    return 0;
}
