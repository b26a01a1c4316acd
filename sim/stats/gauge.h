/* gauge.h: time-weighted level (queue length, busy servers), updated on change only. */
#ifndef DLS_SIM_STATS_GAUGE_H
#define DLS_SIM_STATS_GAUGE_H

#include <stdint.h>

/* Caller's storage; set up with init. Times are integer nanoseconds and never go
 * back. */
struct dls_gauge {
    int64_t start_ns;
    int64_t last_ns;
    double level;
    double area; /* level x ns since start */
    double max;
};

void dls_gauge_init(struct dls_gauge *gauge, int64_t now_ns, double level);

static inline void dls_gauge_set(struct dls_gauge *gauge, int64_t now_ns, double level)
{
    gauge->area += gauge->level * (double)(now_ns - gauge->last_ns);
    gauge->last_ns = now_ns;
    gauge->level = level;
    if (level > gauge->max)
        gauge->max = level;
}

/* Restarts the averaging window at `now_ns`, keeping the level. */
void dls_gauge_restart(struct dls_gauge *gauge, int64_t now_ns);

/* Area (level x nanoseconds) and mean level from the start of the window to `now_ns`;
 * the mean of an empty window is NaN. */
double dls_gauge_area(const struct dls_gauge *gauge, int64_t now_ns);
double dls_gauge_mean(const struct dls_gauge *gauge, int64_t now_ns);

#endif
