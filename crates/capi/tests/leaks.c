/* Opens and closes many swarms, with tickets and snapshots that are never taken: leaks COUNT. A leak detector watches. */
#include "support.h"

int main(int count, char **arguments) {
    MurmurationOptions options = options_of("droplets", 48, 32);
    unsigned long round, rounds = count > 1 ? strtoul(arguments[1], NULL, 10) : 1000;
    const char *settings[] = {"start.run_in=0"};
    options.threads = 1;
    options.settings = settings;
    options.settings_count = 1;
    for (round = 0; round < rounds; round++) {
        MurmurationSwarm *swarm = open_swarm(&options);
        MurmurationTicket *ticket = NULL;
        MurmurationSnapshot *snapshot = NULL;
        size_t size;
        OK(murmuration_advance(swarm, 1));
        OK(murmuration_request(swarm, MURMURATION_READING_DENSITY, &ticket));
        OK(murmuration_snapshot(swarm, &snapshot));
        OK(murmuration_read(swarm, MURMURATION_READING_CONTROL, NULL, 0, &size));
        OK(murmuration_close(swarm));
        OK(murmuration_ticket_free(ticket));
        OK(murmuration_snapshot_free(snapshot));
    }
    printf("leaks: %lu swarms\n", rounds);
    return 0;
}
