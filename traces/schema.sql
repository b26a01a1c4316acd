-- schema.sql: trace.db, the recordings of one host.
--
-- Importers append; every recording is one row of `trace`, and every other row names its recording.
-- Nothing is ever updated or removed by dlsim. Units stand in the column names: _ns nanoseconds,
-- _bytes bytes, _per_s per second. NULL means "not known", never zero. Times of one recording lie on
-- one clock (trace.clock); clocks of different recordings are not comparable.
--
-- The program creates the same tables from traces/schema.c; tests/unit/test_trace_db.c holds the two
-- together. A change of any table raises user_version. Needs SQLite 3.37 (STRICT).

PRAGMA application_id = 1684829044; -- the bytes 'dlst'
PRAGMA user_version = 1;            -- version of this schema

-- One imported recording.
CREATE TABLE trace (
    trace INTEGER PRIMARY KEY,         -- number of the recording, from 1
    name TEXT NOT NULL,                -- file name without folder and endings, for people
    tool TEXT NOT NULL,                -- what was imported: spans, micro, nsys, kineto, fio, ...
    tool_version TEXT,                 -- version of the recording tool, as it calls itself
    importer_version INTEGER NOT NULL, -- version of the importer's rules, from 1
    file_name TEXT NOT NULL,           -- name of the imported file, without its folder
    file_bytes INTEGER NOT NULL,       -- its size as stored (compressed files: compressed)
    file_hash TEXT NOT NULL UNIQUE,    -- 64-bit hash of its bytes as stored, 16 hex digits
    clock TEXT NOT NULL,               -- monotonic, realtime, relative (from the start) or none
    clock_offset_ns INTEGER,           -- was added to the times of the batches file to bring them on
                                       -- this clock; NULL: nothing had to be joined
    host_name TEXT,                    -- host facts, as far as the recording tells them
    host_cpus INTEGER,                 -- logical CPUs of the host
    host_memory_bytes INTEGER,         -- its memory
    host_kernel TEXT                   -- release of its kernel
) STRICT;

-- Key and value of the recorded run: workers, prefetch, batch, loader, format, cold, cores, ...
CREATE TABLE config (
    trace INTEGER NOT NULL REFERENCES trace,
    key TEXT NOT NULL,   -- as the recording spells it
    value TEXT NOT NULL, -- numbers in decimal, truth values as true and false
    PRIMARY KEY (trace, key)
) STRICT, WITHOUT ROWID;

-- An interval on a thread.
CREATE TABLE span (
    span INTEGER PRIMARY KEY,       -- row number; recordings occupy ascending ranges
    trace INTEGER NOT NULL REFERENCES trace,
    process INTEGER NOT NULL,       -- process id
    thread INTEGER NOT NULL,        -- thread id
    rank INTEGER NOT NULL,          -- training process, from 0
    worker INTEGER NOT NULL,        -- loader worker, from 0; -1: the training process itself
    epoch INTEGER,                  -- from 0; NULL: not labelled
    batch INTEGER,                  -- number within the epoch, from 0; NULL: not labelled
    sample INTEGER,                 -- index in the data set; NULL: not labelled, or a whole batch
    stage TEXT NOT NULL,            -- one of traces/trace.h, DLS_STAGE_LIST
    op TEXT NOT NULL,               -- operation, as the recording names it
    start_ns INTEGER NOT NULL,      -- on trace.clock
    dur_ns INTEGER NOT NULL,        -- elapsed; 0 is legal
    cpu_ns INTEGER,                 -- CPU time of this thread inside; NULL: not recorded
    bytes INTEGER                   -- bytes read, decoded or passed on; NULL: not recorded
) STRICT;
CREATE INDEX span_trace ON span (trace);

-- One batch at the training loop.
CREATE TABLE batch (
    row INTEGER PRIMARY KEY,
    trace INTEGER NOT NULL REFERENCES trace,
    rank INTEGER NOT NULL,          -- training process, from 0
    epoch INTEGER NOT NULL,         -- from 0
    batch INTEGER NOT NULL,         -- number within the epoch, from 0
    request_ns INTEGER NOT NULL,    -- the loop asks for the batch
    arrive_ns INTEGER NOT NULL,     -- it has it
    done_ns INTEGER NOT NULL        -- its step has ended
) STRICT;
CREATE UNIQUE INDEX batch_trace ON batch (trace, rank, epoch, batch);

-- One request at a block device.
CREATE TABLE io (
    io INTEGER PRIMARY KEY,
    trace INTEGER NOT NULL REFERENCES trace,
    device TEXT NOT NULL,           -- name of the device
    operation TEXT NOT NULL,        -- read, write, discard or flush
    offset_bytes INTEGER NOT NULL,  -- from the start of the device
    bytes INTEGER NOT NULL,         -- length
    issue_ns INTEGER NOT NULL,      -- handed to the device
    complete_ns INTEGER NOT NULL,   -- its completion
    depth INTEGER                   -- requests in flight at issue, this one included
) STRICT;
CREATE INDEX io_trace ON io (trace);

-- One fio point: one direction of one job at one setting.
CREATE TABLE device_point (
    device_point INTEGER PRIMARY KEY,
    trace INTEGER NOT NULL REFERENCES trace,
    pattern TEXT NOT NULL,                 -- read, write, randread, randwrite, rw, randrw
    operation TEXT NOT NULL,               -- read or write: the direction measured here
    read_fraction REAL NOT NULL,           -- share of reads in the mix, 0..1
    block_bytes INTEGER NOT NULL,          -- request size
    depth INTEGER NOT NULL,                -- requests in flight of one job
    jobs INTEGER NOT NULL,                 -- jobs at once
    direct INTEGER NOT NULL,               -- 1: past the page cache
    engine TEXT NOT NULL,                  -- fio's I/O engine
    run_ns INTEGER NOT NULL,               -- length of the measurement
    requests INTEGER NOT NULL,             -- requests measured
    requests_per_s REAL NOT NULL,          -- IOPS
    bandwidth_bytes_per_s REAL NOT NULL,
    latency_mean_ns REAL,                  -- completion latency; NULL: not recorded
    latency_deviation_ns REAL,             -- its standard deviation
    latency_p50_ns REAL,
    latency_p90_ns REAL,
    latency_p95_ns REAL,
    latency_p99_ns REAL,
    latency_p999_ns REAL
) STRICT;
CREATE INDEX device_point_trace ON device_point (trace);

-- One measurement of the host: CPU sharing by class, copies, fork, sleep, open cost.
CREATE TABLE micro (
    micro INTEGER PRIMARY KEY,
    trace INTEGER NOT NULL REFERENCES trace,
    test TEXT NOT NULL,             -- rate, cpu_per_op, sleep_overshoot, fork, ...
    class TEXT NOT NULL,            -- what was run: decode, inflate, copy64MiB, ...
    n INTEGER NOT NULL,             -- processes at once, or repeats behind a median
    repetition INTEGER NOT NULL,    -- from 0, among rows of the same test, class, n and unit
    value REAL NOT NULL,
    unit TEXT NOT NULL              -- unit of value
) STRICT;
CREATE INDEX micro_trace ON micro (trace);

-- One copy between host and device.
CREATE TABLE copy (
    copy INTEGER PRIMARY KEY,
    trace INTEGER NOT NULL REFERENCES trace,
    kind TEXT NOT NULL,             -- h2d, d2h, d2d, p2p
    pinned INTEGER,                 -- 1: host memory pinned, 0: pageable; NULL: not recorded
    device INTEGER NOT NULL,        -- number of the GPU
    stream INTEGER,                 -- its stream
    bytes INTEGER NOT NULL,
    start_ns INTEGER NOT NULL,      -- on trace.clock
    dur_ns INTEGER NOT NULL
) STRICT;
CREATE INDEX copy_trace ON copy (trace);

-- One point of a sampled series: GPU utilisation, iostat, memory.
CREATE TABLE counter (
    counter INTEGER PRIMARY KEY,
    trace INTEGER NOT NULL REFERENCES trace,
    series TEXT NOT NULL,           -- for example gpu0.utilisation
    at_ns INTEGER NOT NULL,         -- on trace.clock
    value REAL NOT NULL,
    unit TEXT NOT NULL              -- unit of value
) STRICT;
CREATE INDEX counter_trace ON counter (trace);

-- One measured result of the recorded run: to validate against, never to calibrate from.
CREATE TABLE outcome (
    outcome INTEGER PRIMARY KEY,
    trace INTEGER NOT NULL REFERENCES trace,
    metric TEXT NOT NULL,           -- epoch_s, samples_per_s, au, ...
    epoch INTEGER,                  -- from 0; NULL: of the whole run
    repetition INTEGER NOT NULL,    -- of this configuration
    value REAL NOT NULL,
    unit TEXT NOT NULL              -- s, ms, B, 1/s, or 1 for shares and counts
) STRICT;
CREATE INDEX outcome_trace ON outcome (trace);

-- Something this recording cannot tell, found at import.
CREATE TABLE gap (
    gap INTEGER PRIMARY KEY,
    trace INTEGER NOT NULL REFERENCES trace,
    code TEXT NOT NULL,             -- short name, one of traces/gaps.h
    text TEXT NOT NULL,             -- what is missing, with numbers
    remedy TEXT NOT NULL            -- the recording that would supply it
) STRICT;
CREATE INDEX gap_trace ON gap (trace);
