/* memory.host: copies and first touches as CPU demand.
 *
 * Law: a copy of s bytes costs s x per_byte, plus one fault for each fresh page of 4
 * KiB of its destination.
 * Source: hardware figures: one thread copies DRAM to DRAM at 9-12 GB/s; first touch of
 * anonymous memory 1.6 us a page.
 * Assumptions: the socket's bandwidth is not exhausted (its share of the moment enters
 * through the CPU yield of class copy). Calibrated: per_byte, page_fault. Tested by:
 * the closed form above (tests/unit/test_models.c). */
#include "sim/model.h"

struct conf {
    double per_byte_s;
    double page_fault_s;
};

static const struct dls_param params[] = {
    {.key = "per_byte",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_S_PER_BYTE,
     .offset = offsetof(struct conf, per_byte_s),
     .preset = "0.091 s/GB",
     .max = 1e-6,
     .flags = DLS_PARAM_CALIBRATED,
     .help = "copying a byte into touched memory"},
    {.key = "page_fault",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_TIME,
     .offset = offsetof(struct conf, page_fault_s),
     .preset = "1.6 us",
     .max = 1e-2,
     .flags = DLS_PARAM_CALIBRATED,
     .help = "first touch of a page of 4 KiB"},
    {0},
};

static double copy_ns(struct dls_model *memory, double bytes, bool fresh,
                      enum dls_cpu_class *class)
{
    const struct conf *conf = DLS_CONF(memory);

    *class = fresh ? DLS_CPU_FRESH : DLS_CPU_COPY;
    return 1e9 *
           (bytes * conf->per_byte_s + (fresh ? bytes / 4096 * conf->page_fault_s : 0));
}

const struct dls_memory_kind dls_memory_host = {
    .kind =
        {
            .abi = DLS_MODEL_ABI,
            .role = DLS_ROLE_MEMORY,
            .name = "memory.host",
            .summary = "copies and first touches as CPU demand",
            .params = params,
            .conf_size = sizeof(struct conf),
        },
    .copy_ns = copy_ns,
};
