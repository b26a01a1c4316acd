/* filesystem.buffered: files read through the page cache.
 *
 * Law: a hot read of s bytes costs the CPU call + s x hot_per_byte; a cold one fetches
 * the extent in requests of at most `readahead` bytes, one after the other, and then
 * costs call + s x cold_per_byte (page allocation and copy). Opening costs `open` of
 * CPU and, cold, `open_reads` metadata reads of 4 KiB. System calls give up the
 * interpreter lock.
 * Source: buffered hot copy 0.114 s/GB, cold 0.12-0.26 s/GB, two metadata reads for a
 * cold open (hardware figures).
 * Absent here: the kernel's read-ahead while the reader computes, writes, reclaim.
 * Calibrated: open, call, hot_per_byte, cold_per_byte. Tested by: the closed forms
 * above (tests/unit/test_models.c). */
#include "sim/model.h"

struct conf {
    double open_s;
    int64_t open_reads;
    double call_s;
    double hot_per_byte_s;
    double cold_per_byte_s;
    double readahead_bytes;
};

enum { METADATA_BYTES = 4096 };

static const struct dls_param params[] = {
    {.key = "open",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_TIME,
     .offset = offsetof(struct conf, open_s),
     .preset = "10 us",
     .max = 10,
     .flags = DLS_PARAM_CALIBRATED,
     .help = "CPU of opening and closing a file whose metadata is in memory"},
    {.key = "open_reads",
     .type = DLS_PARAM_COUNT,
     .offset = offsetof(struct conf, open_reads),
     .preset = "2",
     .max = 16,
     .help = "metadata reads of a cold open"},
    {.key = "call",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_TIME,
     .offset = offsetof(struct conf, call_s),
     .preset = "0.7 us",
     .max = 10,
     .flags = DLS_PARAM_CALIBRATED,
     .help = "CPU of a read call, whatever its size"},
    {.key = "hot_per_byte",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_S_PER_BYTE,
     .offset = offsetof(struct conf, hot_per_byte_s),
     .preset = "0.114 s/GB",
     .max = 1e-5,
     .flags = DLS_PARAM_CALIBRATED,
     .help = "CPU of reading a byte that is in the page cache"},
    {.key = "cold_per_byte",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_S_PER_BYTE,
     .offset = offsetof(struct conf, cold_per_byte_s),
     .preset = "0.19 s/GB",
     .max = 1e-5,
     .flags = DLS_PARAM_CALIBRATED,
     .help = "CPU of reading a byte that comes from the device"},
    {.key = "readahead",
     .type = DLS_PARAM_QUANTITY,
     .unit = DLS_UNIT_BYTES,
     .offset = offsetof(struct conf, readahead_bytes),
     .preset = "128 KiB",
     .min = 4096,
     .max = 1 << 30,
     .help = "largest request of a cold read"},
    {0},
};

/* A cold read is a request; its task holds a = next offset, b = bytes left to fetch,
 * word = bytes that just came. Each piece is fetched, then copied by the reader's
 * CPU. */
static void piece_fetch(struct dls_engine *engine, struct dls_task *request);

static void piece_copy(struct dls_engine *engine, struct dls_task *request)
{
    struct dls_model *filesystem = request->self;
    double demand = 1e9 * DLS_CONF(filesystem)->cold_per_byte_s * request->word;

    request->run = piece_fetch;
    if (dls_cpu_use(filesystem->to->of[DLS_ROLE_CPU], request, demand, DLS_CPU_COPY,
                    NULL))
        piece_fetch(engine, request);
}

static void piece_fetch(struct dls_engine *engine, struct dls_task *request)
{
    struct dls_model *filesystem = request->self;
    struct dls_model *storage = filesystem->to->of[DLS_ROLE_STORAGE];
    int64_t readahead = (int64_t)DLS_CONF(filesystem)->readahead_bytes;
    int64_t bytes = request->b < readahead ? request->b : readahead;
    int64_t offset = request->a;

    if (bytes == 0) {
        dls_request_done(engine, request);
        return;
    }
    request->a += bytes;
    request->b -= bytes;
    request->word = (uint32_t)bytes;
    request->run = piece_copy;
    if (DLS_KIND_OF(storage, storage)
            ->submit(storage, request, DLS_IO_READ, offset, bytes))
        piece_copy(engine, request);
}

static void open_read(struct dls_engine *engine, struct dls_task *request)
{
    struct dls_model *filesystem = request->self;
    struct dls_model *storage = filesystem->to->of[DLS_ROLE_STORAGE];

    if (request->b-- == 0) {
        dls_request_done(engine, request);
        return;
    }
    if (DLS_KIND_OF(storage, storage)
            ->submit(storage, request, DLS_IO_READ, request->a, METADATA_BYTES))
        open_read(engine, request);
}

static struct dls_task *request_begin(struct dls_model *filesystem,
                                      struct dls_task *task, dls_run_fn *run, int64_t a,
                                      int64_t b)
{
    struct dls_task *request;

    dls_task_park(filesystem->engine, task, DLS_CAUSE_STORAGE);
    request = dls_request_new(filesystem->engine, task, run, filesystem);
    request->a = a;
    request->b = b;
    return request;
}

static bool is_hot(struct dls_model *filesystem, int64_t file, int64_t offset,
                   int64_t bytes)
{
    struct dls_model *cache = filesystem->to->of[DLS_ROLE_CACHE];
    bool hit = DLS_KIND_OF(cache, cache)->claim(cache, file, offset, bytes) ==
               DLS_CLAIM_HIT;

    if (hit)
        filesystem->ledger->cache_hits++;
    else
        filesystem->ledger->cache_misses++;
    return hit;
}

static bool open_file(struct dls_model *filesystem, struct dls_task *task, int64_t file)
{
    const struct conf *conf = DLS_CONF(filesystem);
    struct dls_model *cache = filesystem->to->of[DLS_ROLE_CACHE];

    filesystem->ledger->demand_ns[DLS_STAGE_OPEN] += 1e9 * conf->open_s;
    if (DLS_KIND_OF(cache, cache)->claim(cache, -1 - file, 0, METADATA_BYTES) ==
            DLS_CLAIM_HIT ||
        conf->open_reads == 0)
        return dls_cpu_use(filesystem->to->of[DLS_ROLE_CPU], task, 1e9 * conf->open_s,
                           DLS_CPU_KERNEL, NULL);

    struct dls_task *request = request_begin(filesystem, task, open_read,
                                             file * METADATA_BYTES, conf->open_reads);

    if (dls_cpu_use(filesystem->to->of[DLS_ROLE_CPU], request, 1e9 * conf->open_s,
                    DLS_CPU_KERNEL, NULL))
        open_read(filesystem->engine, request);
    return false;
}

static bool read_extent(struct dls_model *filesystem, struct dls_task *task,
                        const struct dls_extent *extent)
{
    const struct conf *conf = DLS_CONF(filesystem);
    struct dls_model *cpu = filesystem->to->of[DLS_ROLE_CPU];
    bool hot = is_hot(filesystem, extent->file, extent->offset, extent->bytes);
    double per_byte = hot ? conf->hot_per_byte_s : conf->cold_per_byte_s;
    double call = 1e9 * conf->call_s;

    filesystem->ledger->read_bytes += (double)extent->bytes;
    filesystem->ledger->demand_ns[DLS_STAGE_READ] += call + 1e9 * per_byte *
                                                                (double)extent->bytes;
    if (hot)
        return dls_cpu_use(cpu, task, call + 1e9 * per_byte * (double)extent->bytes,
                           DLS_CPU_COPY, NULL);

    struct dls_task *request = request_begin(filesystem, task, piece_fetch,
                                             extent->offset, extent->bytes);

    if (dls_cpu_use(cpu, request, call, DLS_CPU_KERNEL, NULL))
        piece_fetch(filesystem->engine, request);
    return false;
}

const struct dls_filesystem_kind dls_filesystem_buffered = {
    .kind =
        {
            .abi = DLS_MODEL_ABI,
            .role = DLS_ROLE_FILESYSTEM,
            .name = "filesystem.buffered",
            .summary = "files read through the page cache",
            .params = params,
            .conf_size = sizeof(struct conf),
        },
    .open = open_file,
    .read = read_extent,
};
