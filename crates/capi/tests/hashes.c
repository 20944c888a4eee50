/* Prints the hash of a preset at 193 x 101 cells after so many steps: hashes PRESET STEPS. */
#include "support.h"

int main(int count, char **arguments) {
    MurmurationOptions options;
    MurmurationSwarm *swarm;
    MurmurationAccount account;
    const char *settings[] = {"start.run_in=0"};
    char hash[65];
    CHECK(count == 3);
    options = options_of(arguments[1], 193, 101);
    options.settings = settings;
    options.settings_count = 1;
    swarm = open_swarm(&options);
    OK(murmuration_advance(swarm, strtoull(arguments[2], NULL, 10)));
    OK(murmuration_account(swarm, &account));
    CHECK(account.lost == 0 && account.lost_food == 0 && account.lost_energy == 0);
    printf("%s\n", hash_of(swarm, hash));
    OK(murmuration_close(swarm));
    return 0;
}
