#include "models/presets/presets.h"

static const struct dls_preset_value h100_node[] = {
    {"cores", "112"},
    {"memory", "2 TB"},
    {NULL, NULL},
};

static const struct dls_preset_value hgx_h100_64[] = {
    {"cores", "64"},
    {"memory", "2 TB"},
    {NULL, NULL},
};

const struct dls_preset dls_presets_host[] = {
    {"host", NULL, "h100_node",
     "DGX H100: 2 x Xeon 8480C, 56 cores each, 2 TB (NVIDIA DGX H100 user guide)",
     h100_node},
    {"host", NULL, "hgx_h100_64",
     "university HGX H100 node: 2 x Xeon 8462Y+, 64 cores, 2 TB", hgx_h100_64},
    {NULL, NULL, NULL, NULL, NULL},
};
