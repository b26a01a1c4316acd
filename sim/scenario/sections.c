#include "sim/scenario/sections.h"

static const char *const starts[] = {"cold", "warm", NULL};

const struct dls_param dls_section_host[] = {
    {.key = "count", .type = DLS_PARAM_COUNT, .offset = offsetof(struct dls_host, count), .preset = "1", .min = 1,
     .max = 1e6, .help = "hosts"},
    {.key = "cores", .type = DLS_PARAM_COUNT, .offset = offsetof(struct dls_host, cores), .min = 1, .max = 65536,
     .help = "logical processors that the job may use, on each host"},
    {.key = "speed", .type = DLS_PARAM_QUANTITY, .unit = DLS_UNIT_NUMBER, .offset = offsetof(struct dls_host, speed),
     .preset = "1", .min = 1e-3, .max = 1e3, .help = "CPU speed against the calibration host; 2: demands halve"},
    {.key = "cpu_quota", .type = DLS_PARAM_QUANTITY, .unit = DLS_UNIT_NUMBER,
     .offset = offsetof(struct dls_host, cpu_quota), .preset = "0", .max = 65536,
     .help = "CPU seconds per second allowed to the job; 0: no limit"},
    {.key = "memory", .type = DLS_PARAM_QUANTITY, .unit = DLS_UNIT_BYTES,
     .offset = offsetof(struct dls_host, memory_bytes), .preset = "0 B", .max = 1e18,
     .help = "RAM of a host; 0: unknown"},
    {.key = "memory_limit", .type = DLS_PARAM_QUANTITY, .unit = DLS_UNIT_BYTES,
     .offset = offsetof(struct dls_host, memory_limit_bytes), .preset = "0 B", .max = 1e18,
     .help = "memory limit of the job's control group; 0: none"},
    {0},
};

const struct dls_param dls_section_run[] = {
    {.key = "epochs", .type = DLS_PARAM_COUNT, .offset = offsetof(struct dls_run_conf, epochs), .preset = "1",
     .min = 1, .max = 1e6, .help = "epochs to simulate"},
    {.key = "replications", .type = DLS_PARAM_COUNT, .offset = offsetof(struct dls_run_conf, replications),
     .preset = "10", .min = 1, .max = 1e6, .help = "runs with other draws, for the intervals"},
    {.key = "seed", .type = DLS_PARAM_COUNT, .offset = offsetof(struct dls_run_conf, seed), .preset = "1", .max = 1e15,
     .help = "picks the world: the same seed gives the same samples to every configuration"},
    {.key = "start", .type = DLS_PARAM_CHOICE, .offset = offsetof(struct dls_run_conf, start), .preset = "cold",
     .choices = starts, .help = "page cache at the start: cold or warm"},
    {.key = "noise", .type = DLS_PARAM_QUANTITY, .unit = DLS_UNIT_FRACTION, .offset = offsetof(struct dls_run_conf, noise),
     .preset = "0", .max = 1, .flags = DLS_PARAM_CALIBRATED,
     .help = "relative standard deviation between real runs, for predict_low and predict_high"},
    {.key = "limit_events", .type = DLS_PARAM_COUNT, .offset = offsetof(struct dls_run_conf, limit_events),
     .preset = "0", .max = 1e15, .help = "events after which a replication is cut; 0: none"},
    {.key = "limit_time", .type = DLS_PARAM_QUANTITY, .unit = DLS_UNIT_TIME,
     .offset = offsetof(struct dls_run_conf, limit_time_s), .preset = "0 s", .max = 1e9,
     .help = "simulated time after which a replication is cut; 0: none"},
    {0},
};

const struct dls_param dls_section_volume[] = {
    {.key = "bandwidth_limit", .type = DLS_PARAM_QUANTITY, .unit = DLS_UNIT_BYTES_PER_S,
     .offset = offsetof(struct dls_volume_conf, bandwidth_limit), .preset = "0 B/s", .max = 1e13,
     .help = "block-device throttle of the job; 0: none"},
    {.key = "iops_limit", .type = DLS_PARAM_QUANTITY, .unit = DLS_UNIT_PER_S,
     .offset = offsetof(struct dls_volume_conf, iops_limit), .preset = "0 /s", .max = 1e9,
     .help = "requests per second allowed to the job; 0: none"},
    {0},
};

const struct dls_param dls_section_consumers[] = {
    {.key = "count", .type = DLS_PARAM_COUNT, .offset = offsetof(struct dls_consumer_conf, count), .preset = "1",
     .min = 1, .max = 1e6, .help = "ranks on each host"},
    {0},
};
