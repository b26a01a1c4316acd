/* Laws of loader.pytorch that hold for any demands: when each batch arrives, how many
 * are in flight, how much is stored, and what doubling every time does. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "models/registry.h"
#include "tests/support/near.h"
#include "tests/support/rig.h"

enum { BATCHES = 120, ROUNDS = 150, SEED = 20240611 };

/* One run: samples of `work_us` each, one a batch. */
struct setting {
    int64_t workers, prefetch, cores;
    bool out_of_order, pin;
    int64_t step_us, work_us[BATCHES];
    int64_t put_us, receive_us, handshake_us; /* CPU of every batch */
    double out_bytes;
};

/* splitmix64, so that cases do not hang on the simulator's own streams */
static int64_t below(uint64_t *state, int64_t count)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;

    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (int64_t)((x ^ (x >> 31)) % (uint64_t)count);
}

static void set_s(const struct dls_kind *kind, void *conf, const char *key,
                  int64_t value_us)
{
    *(double *)rig_field(kind, conf, key) = (double)value_us * 1e-6;
}

static void loader_add(struct rig *rig, const struct setting *setting)
{
    const struct dls_kind *kind = dls_registry_find("loader.pytorch");
    void *conf = rig_conf(kind);

    *(int64_t *)rig_field(kind, conf, "workers") = setting->workers;
    *(int64_t *)rig_field(kind, conf, "prefetch") = setting->prefetch;
    *(int64_t *)rig_field(kind, conf, "batch") = 1;
    *(bool *)rig_field(kind, conf, "in_order") = !setting->out_of_order;
    *(bool *)rig_field(kind, conf, "pin") = setting->pin;
    set_s(kind, conf, "put.fixed", setting->put_us);
    set_s(kind, conf, "receive.fixed", setting->receive_us);
    set_s(kind, conf, "handshake.fixed", setting->handshake_us);
    rig_add(rig, kind, conf);
}

/* Runs to the end; every batch has been delivered once. The caller releases `rig`. */
static void run(struct rig *rig, const struct setting *setting, double *work_s)
{
    const struct dls_kind *transform = dls_registry_find("transform.chain");
    const struct dls_kind *consumer = dls_registry_find("consumer.gpu");
    int seen[BATCHES] = {0};
    void *conf;

    for (int i = 0; i < BATCHES; i++)
        work_s[i] = (double)setting->work_us[i] * 1e-6;
    rig_init(rig, setting->cores, work_s, BATCHES);
    rig_add_lower(rig);
    conf = (void *)(uintptr_t)rig->roles.of[DLS_ROLE_TRANSFORM]->conf;
    *(double *)rig_field(transform, conf, "out_bytes") = setting->out_bytes;
    loader_add(rig, setting);
    conf = rig_conf(consumer);
    set_s(consumer, conf, "step.base", setting->step_us);
    assert_int_equal(rig_run(rig, consumer, conf), DLS_END_STOPPED);
    assert_int_equal(rig->delivered, BATCHES);
    for (int i = 0; i < BATCHES; i++)
        seen[rig->order[i]]++;
    for (int i = 0; i < BATCHES; i++)
        assert_int_equal(seen[i], 1);
}

static int64_t ns(double seconds)
{
    return (int64_t)(seconds * 1e9 + 0.5);
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void draw(struct setting *setting, uint64_t *random)
{
    *setting = (struct setting){.workers = 1 + below(random, 9),
                                .prefetch = 1 + below(random, 5),
                                .cores = 64,
                                .step_us = below(random, 3) * below(random, 40000)};
    for (int i = 0; i < BATCHES; i++)
        setting->work_us[i] = 1 + below(random, below(random, 8) == 0 ? 900000 : 90000);
}

/* Arrivals in order with a core for each worker, in closed form: batch i is sent when
 * batch i - PW is delivered, made by worker i mod W after its batch i - W, and
 * delivered when it is made and asked for: made(i) = max(arrive(i - PW), made(i - W)) +
 * work(i) arrive(i) = max(arrive(i - 1) + step, made(i)) */
static void arrivals(void **state)
{
    uint64_t random = SEED;

    (void)state;
    print_message("seed %d\n", SEED);
    for (int round = 0; round < ROUNDS; round++) {
        int64_t made[BATCHES], arrive[BATCHES], window;
        double work_s[BATCHES];
        struct setting setting;
        struct rig rig;

        draw(&setting, &random);
        run(&rig, &setting, work_s);
        window = setting.workers * setting.prefetch;
        for (int64_t i = 0; i < BATCHES; i++) {
            int64_t begun = later(i < window ? 0 : arrive[i - window],
                                  i < setting.workers ? 0 : made[i - setting.workers]);

            made[i] = begun + 1000 * setting.work_us[i];
            arrive[i] = later(i > 0 ? arrive[i - 1] + 1000 * setting.step_us : 0,
                              made[i]);
            assert_int_equal(rig.order[i], i);
            assert_int_equal(ns(rig.start_s[i]), begun);
            assert_int_equal(ns(rig.arrive_s[i]), arrive[i]);
        }
        rig_release(&rig);
    }
}

/* Equal batches of T, W workers, steps of c: the period is max(T / W, c), so W batches
 * on it is max(T, W c), whatever the prefetch. */
static void period(void **state)
{
    (void)state;
    for (int64_t workers = 1; workers <= 8; workers *= 2)
        for (int64_t prefetch = 1; prefetch <= 4; prefetch++)
            for (int64_t step_us = 0; step_us <= 120000; step_us += 12000) {
                struct setting setting = {.workers = workers,
                                          .prefetch = prefetch,
                                          .cores = 64,
                                          .step_us = step_us};
                double work_s[BATCHES];
                struct rig rig;

                for (int i = 0; i < BATCHES; i++)
                    setting.work_us[i] = 100000;
                run(&rig, &setting, work_s);
                for (int64_t i = BATCHES / 2; i + workers < BATCHES; i++)
                    near_absolute(rig.arrive_s[i + workers] - rig.arrive_s[i],
                                  fmax(0.1, (double)(workers * step_us) * 1e-6), 1e-9);
                rig_release(&rig);
            }
}

/* Batches begun and not delivered, at the moment after the one at `at_s` begins. */
static int64_t in_flight(const struct rig *rig, double at_s)
{
    int64_t count = 0;

    for (int i = 0; i < BATCHES; i++) {
        count += rig->start_s[i] <= at_s;
        count -= rig->arrive_s[i] <= at_s;
    }
    return count;
}

/* At no time are more than P x W batches begun and not delivered, in order or not; with
 * a training loop slower than the workers it comes to that. */
static void window(void **state)
{
    uint64_t random = SEED;

    (void)state;
    print_message("seed %d\n", SEED);
    for (int round = 0; round < ROUNDS; round++) {
        double work_s[BATCHES];
        struct setting setting;
        int64_t most = 0, room;
        struct rig rig;

        draw(&setting, &random);
        setting.out_of_order = round % 2 == 1;
        if (round % 4 >= 2)
            setting.step_us = 1000000; /* a whole batch at most takes 0.9 s */
        room = setting.workers * setting.prefetch;
        run(&rig, &setting, work_s);
        for (int i = 0; i < BATCHES; i++) {
            int64_t now = in_flight(&rig, rig.start_s[i]);

            most = now > most ? now : most;
        }
        assert_true(most <= room);
        if (round % 4 >= 2)
            assert_int_equal(most, room);
        rig_release(&rig);
    }
}

/* A slow training loop lets every place of the window fill, and holds one batch more:
 * at most (P W + 1) batches are stored; in pinned memory when a thread moves them on.
 */
static void stored(void **state)
{
    (void)state;
    for (int pin = 0; pin < 2; pin++)
        for (int64_t workers = 1; workers <= 4; workers++) {
            struct setting setting = {.workers = workers,
                                      .prefetch = 3,
                                      .cores = 64,
                                      .pin = pin,
                                      .step_us = 1000000,
                                      .out_bytes = 1e6};
            double work_s[BATCHES], most = (double)(3 * workers + 1) * 1e6;
            struct rig rig;

            for (int i = 0; i < BATCHES; i++)
                setting.work_us[i] = 1000;
            run(&rig, &setting, work_s);
            near_exact(pin ? rig.ledger.pinned_bytes.max : rig.ledger.shm_bytes.max,
                       most);
            assert_true(pin ? rig.ledger.shm_bytes.max < most
                            : rig.ledger.pinned_bytes.max == 0);
            near_exact(rig.ledger.shm_bytes.level, 0);
            near_exact(rig.ledger.pinned_bytes.level, 0);
            rig_release(&rig);
        }
}

/* Every time twice as long: every result twice as late, also where workers share too
 * few cores and everybody shares locks. A lock changes hands by force after 5 ms, which
 * is no time of the work: the demands under it stay below. */
static void doubled(void **state)
{
    uint64_t random = SEED;

    (void)state;
    print_message("seed %d\n", SEED);
    for (int round = 0; round < ROUNDS; round++) {
        double work_s[BATCHES], twice_s[BATCHES];
        struct setting setting, twice;
        struct rig once, again;

        draw(&setting, &random);
        setting.cores = 1 + below(&random, 4);
        setting.put_us = below(&random, 500);
        setting.receive_us = below(&random, 500);
        setting.handshake_us = below(&random, 500);
        twice = setting;
        twice.step_us *= 2;
        twice.put_us *= 2;
        twice.receive_us *= 2;
        twice.handshake_us *= 2;
        for (int i = 0; i < BATCHES; i++)
            twice.work_us[i] *= 2;
        run(&once, &setting, work_s);
        run(&again, &twice, twice_s);
        for (int i = 0; i < BATCHES; i++) {
            assert_int_equal(again.order[i], once.order[i]);
            near_absolute(again.arrive_s[i], 2 * once.arrive_s[i], 1e-6);
        }
        rig_release(&once);
        rig_release(&again);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrivals), cmocka_unit_test(period),  cmocka_unit_test(window),
        cmocka_unit_test(stored),   cmocka_unit_test(doubled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
