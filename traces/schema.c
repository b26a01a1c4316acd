/* schema.c: the statements of traces/schema.sql, which holds the explanations. A test
 * compares the two. */
#include "traces/schema.h"

#include <stddef.h>

const char *const dls_trace_schema[] = {
    "PRAGMA application_id = 1684829044",
    "PRAGMA user_version = 1",
    "CREATE TABLE trace ("
    "trace INTEGER PRIMARY KEY,"
    " name TEXT NOT NULL,"
    " tool TEXT NOT NULL,"
    " tool_version TEXT,"
    " importer_version INTEGER NOT NULL,"
    " file_name TEXT NOT NULL,"
    " file_bytes INTEGER NOT NULL,"
    " file_hash TEXT NOT NULL UNIQUE,"
    " clock TEXT NOT NULL,"
    " clock_offset_ns INTEGER,"
    " host_name TEXT,"
    " host_cpus INTEGER,"
    " host_memory_bytes INTEGER,"
    " host_kernel TEXT"
    ") STRICT",
    "CREATE TABLE config ("
    "trace INTEGER NOT NULL REFERENCES trace,"
    " key TEXT NOT NULL,"
    " value TEXT NOT NULL,"
    " PRIMARY KEY (trace, key)"
    ") STRICT, WITHOUT ROWID",
    "CREATE TABLE span ("
    "span INTEGER PRIMARY KEY,"
    " trace INTEGER NOT NULL REFERENCES trace,"
    " process INTEGER NOT NULL,"
    " thread INTEGER NOT NULL,"
    " rank INTEGER NOT NULL,"
    " worker INTEGER NOT NULL,"
    " epoch INTEGER,"
    " batch INTEGER,"
    " sample INTEGER,"
    " stage TEXT NOT NULL,"
    " op TEXT NOT NULL,"
    " start_ns INTEGER NOT NULL,"
    " dur_ns INTEGER NOT NULL,"
    " cpu_ns INTEGER,"
    " bytes INTEGER"
    ") STRICT",
    "CREATE INDEX span_trace ON span (trace)",
    "CREATE TABLE batch ("
    "row INTEGER PRIMARY KEY,"
    " trace INTEGER NOT NULL REFERENCES trace,"
    " rank INTEGER NOT NULL,"
    " epoch INTEGER NOT NULL,"
    " batch INTEGER NOT NULL,"
    " request_ns INTEGER NOT NULL,"
    " arrive_ns INTEGER NOT NULL,"
    " done_ns INTEGER NOT NULL"
    ") STRICT",
    "CREATE UNIQUE INDEX batch_trace ON batch (trace, rank, epoch, batch)",
    "CREATE TABLE io ("
    "io INTEGER PRIMARY KEY,"
    " trace INTEGER NOT NULL REFERENCES trace,"
    " device TEXT NOT NULL,"
    " operation TEXT NOT NULL,"
    " offset_bytes INTEGER NOT NULL,"
    " bytes INTEGER NOT NULL,"
    " issue_ns INTEGER NOT NULL,"
    " complete_ns INTEGER NOT NULL,"
    " depth INTEGER"
    ") STRICT",
    "CREATE INDEX io_trace ON io (trace)",
    "CREATE TABLE device_point ("
    "device_point INTEGER PRIMARY KEY,"
    " trace INTEGER NOT NULL REFERENCES trace,"
    " pattern TEXT NOT NULL,"
    " operation TEXT NOT NULL,"
    " read_fraction REAL NOT NULL,"
    " block_bytes INTEGER NOT NULL,"
    " depth INTEGER NOT NULL,"
    " jobs INTEGER NOT NULL,"
    " direct INTEGER NOT NULL,"
    " engine TEXT NOT NULL,"
    " run_ns INTEGER NOT NULL,"
    " requests INTEGER NOT NULL,"
    " requests_per_s REAL NOT NULL,"
    " bandwidth_bytes_per_s REAL NOT NULL,"
    " latency_mean_ns REAL,"
    " latency_deviation_ns REAL,"
    " latency_p50_ns REAL,"
    " latency_p90_ns REAL,"
    " latency_p95_ns REAL,"
    " latency_p99_ns REAL,"
    " latency_p999_ns REAL"
    ") STRICT",
    "CREATE INDEX device_point_trace ON device_point (trace)",
    "CREATE TABLE micro ("
    "micro INTEGER PRIMARY KEY,"
    " trace INTEGER NOT NULL REFERENCES trace,"
    " test TEXT NOT NULL,"
    " class TEXT NOT NULL,"
    " n INTEGER NOT NULL,"
    " repetition INTEGER NOT NULL,"
    " value REAL NOT NULL,"
    " unit TEXT NOT NULL"
    ") STRICT",
    "CREATE INDEX micro_trace ON micro (trace)",
    "CREATE TABLE copy ("
    "copy INTEGER PRIMARY KEY,"
    " trace INTEGER NOT NULL REFERENCES trace,"
    " kind TEXT NOT NULL,"
    " pinned INTEGER,"
    " device INTEGER NOT NULL,"
    " stream INTEGER,"
    " bytes INTEGER NOT NULL,"
    " start_ns INTEGER NOT NULL,"
    " dur_ns INTEGER NOT NULL"
    ") STRICT",
    "CREATE INDEX copy_trace ON copy (trace)",
    "CREATE TABLE counter ("
    "counter INTEGER PRIMARY KEY,"
    " trace INTEGER NOT NULL REFERENCES trace,"
    " series TEXT NOT NULL,"
    " at_ns INTEGER NOT NULL,"
    " value REAL NOT NULL,"
    " unit TEXT NOT NULL"
    ") STRICT",
    "CREATE INDEX counter_trace ON counter (trace)",
    "CREATE TABLE outcome ("
    "outcome INTEGER PRIMARY KEY,"
    " trace INTEGER NOT NULL REFERENCES trace,"
    " metric TEXT NOT NULL,"
    " epoch INTEGER,"
    " repetition INTEGER NOT NULL,"
    " value REAL NOT NULL,"
    " unit TEXT NOT NULL"
    ") STRICT",
    "CREATE INDEX outcome_trace ON outcome (trace)",
    "CREATE TABLE gap ("
    "gap INTEGER PRIMARY KEY,"
    " trace INTEGER NOT NULL REFERENCES trace,"
    " code TEXT NOT NULL,"
    " text TEXT NOT NULL,"
    " remedy TEXT NOT NULL"
    ") STRICT",
    "CREATE INDEX gap_trace ON gap (trace)",
    NULL,
};
