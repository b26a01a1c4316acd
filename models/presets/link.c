#include "models/presets/presets.h"

static const struct dls_preset_value gen3_x16[] = {{"bandwidth", "12.15 GB/s"},
                                                   {"call", "9 us"},
                                                   {"pageable", "8 GB/s"},
                                                   {NULL, NULL}};

static const struct dls_preset_value gen4_x16[] = {
    {"bandwidth", "25 GB/s"}, {"call", "9 us"}, {"pageable", "8 GB/s"}, {NULL, NULL}};

static const struct dls_preset_value gen5_x16[] = {
    {"bandwidth", "55 GB/s"}, {"call", "9 us"}, {"pageable", "8 GB/s"}, {NULL, NULL}};

const struct dls_preset dls_presets_link[] = {
    {"link", "link.pcie", "gen3_x16", "P100, pinned: mpicbg-scicomp/gearshifft PR 82",
     gen3_x16},
    {"link", "link.pcie", "gen4_x16", "A100, pinned: ZaidQureshi/bam issue 54",
     gen4_x16},
    {"link", "link.pcie", "gen5_x16",
     "H100 SXM, copy engine, pinned: typical nvbandwidth result", gen5_x16},
    {NULL, NULL, NULL, NULL, NULL},
};
