/* server.h: c servers with one FIFO queue. The station owns queue and service: one
 * timed event a service.
 *
 * A service that ends starts the next one before the served task goes on. A task that
 * is cancelled in the queue is passed over; one that is cancelled in service keeps its
 * server busy to the end (the command is in the device) and is not resumed. */
#ifndef DLS_SIM_ENGINE_SERVER_H
#define DLS_SIM_ENGINE_SERVER_H

#include "sim/engine/engine.h"
#include "sim/stats/gauge.h"

struct dls_server;

/* `servers` >= 1. Lives in the engine's arena and ends with it. */
struct dls_server *dls_server_new(struct dls_engine *engine, uint32_t servers);

/* Serves `task` for `duration` >= 0 ns once a server is free, then resumes it. The task
 * is parked with `cause`. */
void dls_server_serve(struct dls_server *server, struct dls_task *task,
                      dls_time duration, enum dls_cause cause);

uint32_t dls_server_busy(const struct dls_server *server);
uint32_t dls_server_queued(
    const struct dls_server *server); /* cancelled ones count until they come up */
struct dls_gauge *
dls_server_level(struct dls_server *server); /* busy servers over time */

/* Checks busy <= servers and that a queue implies all busy; a violation is a bug. */
void dls_server_check(const struct dls_server *server);

#endif
