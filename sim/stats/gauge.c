#include "sim/stats/gauge.h"

#include <math.h>

void dls_gauge_init(struct dls_gauge *gauge, int64_t now_ns, double level)
{
    *gauge = (struct dls_gauge){
        .start_ns = now_ns, .last_ns = now_ns, .level = level, .max = level};
}

void dls_gauge_restart(struct dls_gauge *gauge, int64_t now_ns)
{
    dls_gauge_init(gauge, now_ns, gauge->level);
}

double dls_gauge_area(const struct dls_gauge *gauge, int64_t now_ns)
{
    return gauge->area + gauge->level * (double)(now_ns - gauge->last_ns);
}

double dls_gauge_mean(const struct dls_gauge *gauge, int64_t now_ns)
{
    if (now_ns == gauge->start_ns)
        return NAN;
    return dls_gauge_area(gauge, now_ns) / (double)(now_ns - gauge->start_ns);
}
