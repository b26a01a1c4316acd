/* time.h: simulated time, signed 64-bit nanoseconds, and the key that orders events.
 *
 * Order is (time, priority, insertion). Time and priority share one signed word, time
 * << 3 | priority, so that one comparison decides; the range is 36 years. */
#ifndef DLS_SIM_ENGINE_TIME_H
#define DLS_SIM_ENGINE_TIME_H

#include <math.h>
#include <stdint.h>

typedef int64_t dls_time;

#define DLS_TIME_MAX (INT64_MAX >> 3)

/* Lower first at equal times. */
enum dls_priority {
    DLS_PRIORITY_COMPLETION = 0, /* a service, a transfer, a share's job ends */
    DLS_PRIORITY_NORMAL = 3,     /* everything else that models schedule */
    DLS_PRIORITY_TIMEOUT =
        5, /* forced hand-over, limits: after the completions of that instant */
    DLS_PRIORITY_SAMPLER = 7 /* observers see the settled state */
};

/* Seconds to nanoseconds, rounded half up, once, where a duration enters; a positive
 * duration never becomes 0. */
static inline dls_time dls_time_of_seconds(double seconds)
{
    double ns = floor(seconds * 1e9 + 0.5);

    if (seconds <= 0)
        return 0;
    if (ns >= (double)DLS_TIME_MAX)
        return DLS_TIME_MAX;
    return ns < 1 ? 1 : (dls_time)ns;
}

static inline double dls_time_seconds(dls_time time)
{
    return (double)time * 1e-9;
}

#endif
