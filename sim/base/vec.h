/* vec.h: typed growable arrays.
 *
 * DLS_VEC(int) numbers = {0};  DLS_VEC_ADD(&numbers, 7);  numbers.data[0],
 * numbers.count;  DLS_VEC_RELEASE(&numbers); An all-zero vector is empty and valid.
 * Adding may move the data. */
#ifndef DLS_SIM_BASE_VEC_H
#define DLS_SIM_BASE_VEC_H

#include <stddef.h>

#include "sim/base/mem.h"

#define DLS_VEC(type)                                                                  \
    struct {                                                                           \
        type *data;                                                                    \
        size_t count;                                                                  \
        size_t capacity;                                                               \
    }

/* Makes room for `extra` more elements. */
#define DLS_VEC_RESERVE(vec, extra)                                                    \
    do {                                                                               \
        if ((vec)->count + (extra) > (vec)->capacity) {                                \
            (vec)->capacity = dls_vec_capacity((vec)->capacity,                        \
                                               (vec)->count + (extra));                \
            (vec)->data = dls_mem_resize((vec)->data, (vec)->capacity,                 \
                                         sizeof *(vec)->data);                         \
        }                                                                              \
    } while (0)

#define DLS_VEC_ADD(vec, value)                                                        \
    do {                                                                               \
        DLS_VEC_RESERVE(vec, 1);                                                       \
        (vec)->data[(vec)->count++] = (value);                                         \
    } while (0)

#define DLS_VEC_RELEASE(vec)                                                           \
    do {                                                                               \
        dls_mem_free((vec)->data);                                                     \
        (vec)->data = NULL;                                                            \
        (vec)->count = (vec)->capacity = 0;                                            \
    } while (0)

/* Next capacity of at least `needed` elements: doubling, at least 8. */
static inline size_t dls_vec_capacity(size_t capacity, size_t needed)
{
    size_t grown = capacity < 8 ? 8 : capacity * 2;

    return grown < needed ? needed : grown;
}

#endif
