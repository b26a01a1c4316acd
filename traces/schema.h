/* schema.h: the statements that make an empty trace.db. traces/schema.sql is the
 * commented form. */
#ifndef DLS_TRACES_SCHEMA_H
#define DLS_TRACES_SCHEMA_H

/* In order, each without a closing semicolon, then NULL. */
extern const char *const dls_trace_schema[];

#endif
