#include "models/presets/presets.h"

/* Latency: of one 4 KiB read at depth 1; bandwidth: sequential reads; iops: random 4
 * KiB reads, all at the drive's specification or published measurement named in
 * `source`. */
#define RATE(name, latency, bandwidth, iops)                                           \
    static const struct dls_preset_value name[] = {                                    \
        {"latency", latency}, {"bandwidth", bandwidth}, {"iops", iops}, {NULL, NULL}}

RATE(gen3_mainstream, "100 us", "3.1 GB/s", "472000 /s");
RATE(gen3_perf_p3700, "77 us", "2.8 GB/s", "453000 /s");
RATE(gen4_mainstream, "77 us", "6.8 GB/s", "1050000 /s");
RATE(gen4_perf, "69 us", "7 GB/s", "1600000 /s");
RATE(gen4_qlc, "125 us", "7.4 GB/s", "930000 /s");
RATE(gen5_perf, "60 us", "14 GB/s", "3200000 /s");
RATE(optane_gen4, "5.5 us", "7.2 GB/s", "1500000 /s");

const struct dls_preset dls_presets_storage[] = {
    {"storage", "storage.rate", "gen3_mainstream",
     "SN640-class data sheets, 100 us at depth 1", gen3_mainstream},
    {"storage", "storage.rate", "gen3_perf_p3700",
     "Intel P3700: data sheet; anandtech.com review 11209", gen3_perf_p3700},
    {"storage", "storage.rate", "gen4_mainstream",
     "PM9A3, 7450, P5520 class data sheets", gen4_mainstream},
    {"storage", "storage.rate", "gen4_perf", "Micron 9400, CM6 class data sheets",
     gen4_perf},
    {"storage", "storage.rate", "gen4_qlc", "P5336, BM1743 class data sheets",
     gen4_qlc},
    {"storage", "storage.rate", "gen5_perf",
     "Micron 9550, PS1010, CM7 class data sheets", gen5_perf},
    {"storage", "storage.rate", "optane_gen4", "Intel P5800X data sheet", optane_gen4},
    {NULL, NULL, NULL, NULL, NULL},
};
