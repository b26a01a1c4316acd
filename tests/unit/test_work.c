/* test_work.c: work programs: merging, the account by stage, where demands come from.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "models/registry.h"
#include "sim/work.h"
#include "tests/support/rig.h"

enum { OPS = 4 };

/* Adds the lower roles with a chain of `count` ops. */
static void chain_add(struct rig *rig, struct dls_op *ops, size_t count)
{
    const struct dls_kind *source = dls_registry_find("source.files");
    const struct dls_kind *transform = dls_registry_find("transform.chain");
    void *conf;

    for (int role = DLS_ROLE_CPU; role <= DLS_ROLE_FILESYSTEM; role++) {
        const struct dls_kind *kind = dls_registry_default((enum dls_role)role);

        conf = rig_conf(kind);
        if (role == DLS_ROLE_CPU)
            *(int64_t *)rig_field(kind, conf, "threads_per_core") = 1;
        if (role == DLS_ROLE_FILESYSTEM)
            *(double *)rig_field(kind, conf, "open") = 0;
        rig_add(rig, kind, conf);
    }
    conf = rig_conf(source);
    *(const struct dls_samples **)rig_field(source, conf, "table") = &rig->table;
    *(struct dls_law *)rig_field(source, conf,
                                 "size") = (struct dls_law){.kind = DLS_LAW_CONSTANT};
    *(int *)rig_field(source, conf, "order") = 3; /* recorded */
    rig_add(rig, source, conf);
    conf = rig_conf(transform);
    *(struct dls_list *)rig_field(transform, conf, "ops") = (struct dls_list){ops,
                                                                              count};
    rig_add(rig, transform, conf);
}

static struct dls_op op(const char *name, int stage, int class, bool interpreter,
                        double seconds)
{
    return (struct dls_op){.name = name,
                           .stage = stage,
                           .class = class,
                           .interpreter = interpreter,
                           .scale = 1,
                           .demand = {.kind = DLS_LAW_CONSTANT, .a = seconds}};
}

static enum dls_engine_end run_loader(struct rig *rig, int64_t workers, int64_t batch)
{
    const struct dls_kind *loader = dls_registry_find("loader.pytorch");
    const struct dls_kind *consumer = dls_registry_find("consumer.gpu");
    void *conf = rig_conf(loader);

    *(int64_t *)rig_field(loader, conf, "workers") = workers;
    *(int64_t *)rig_field(loader, conf, "batch") = batch;
    rig_add(rig, loader, conf);
    return rig_run(rig, consumer, rig_conf(consumer));
}

static void near(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-9 * fmax(1, fabs(expected))))
        fail_msg("expected %.12g, found %.12g", expected, found);
}

/* Ops of one class and lock merge with their neighbours only: open, read, then a+b, c,
 * d. */
static void neighbours_merge(void **state)
{
    struct dls_op ops[OPS] = {
        op("a", DLS_STAGE_DECODE, DLS_CPU_NUMERIC, false, 1),
        op("b", DLS_STAGE_TRANSFORM, DLS_CPU_NUMERIC, false, 1),
        op("c", DLS_STAGE_TRANSFORM, DLS_CPU_NUMERIC, true, 1),
        op("d", DLS_STAGE_TRANSFORM, DLS_CPU_PYTHON, true, 1),
    };
    struct rig rig;

    (void)state;
    rig_init(&rig, 8, NULL, 1);
    rig.table.columns = 0;
    chain_add(&rig, ops, OPS);
    assert_int_equal(
        dls_program_length(dls_program_new(rig.roles.of[DLS_ROLE_TRANSFORM])), 5);
    rig_release(&rig);
}

/* A merged use of 3 + 1 ms is booked 3 : 1, also where it takes longer: two workers on
 * one processor need 8 ms each for it. */
static void stages_share_by_demand(void **state)
{
    struct dls_op ops[2] = {op("a", DLS_STAGE_DECODE, DLS_CPU_NUMERIC, false, 3e-3),
                            op("b", DLS_STAGE_TRANSFORM, DLS_CPU_NUMERIC, false, 1e-3)};
    struct rig rig;

    (void)state;
    rig_init(&rig, 1, NULL, 2);
    rig.table.columns = 0;
    chain_add(&rig, ops, 2);
    assert_int_equal(run_loader(&rig, 2, 1), DLS_END_STOPPED);
    near(rig.arrive_s[0], 8e-3);
    near(rig.arrive_s[1], 8e-3);
    near(rig.ledger.demand_ns[DLS_STAGE_DECODE], 6e6);
    near(rig.ledger.demand_ns[DLS_STAGE_TRANSFORM], 2e6);
    near(rig.ledger.stage_ns[DLS_STAGE_DECODE], 12e6);
    near(rig.ledger.stage_ns[DLS_STAGE_TRANSFORM], 4e6);
    rig_release(&rig);
}

/* A column of the table wins over the op's own law, unless the op is random; scale
 * applies to both: 2 x (5 + 10) ms from the column, 2 x (7 + 7) ms from the law. */
static void where_demands_come_from(void **state)
{
    static const double column_s[2] = {5e-3, 10e-3};

    (void)state;
    for (int random = 0; random < 2; random++) {
        struct dls_op work = op("work", DLS_STAGE_DECODE, DLS_CPU_DECODE, false, 7e-3);
        struct rig rig;

        work.random = random;
        work.scale = 2;
        rig_init(&rig, 1, column_s, 2);
        chain_add(&rig, &work, 1);
        assert_int_equal(run_loader(&rig, 0, 2), DLS_END_STOPPED);
        near(rig.arrive_s[0], random ? 28e-3 : 30e-3);
        rig_release(&rig);
    }
}

/* CPU demand of two epochs of ten samples whose op is lognormal, by epoch. */
static void demands_of(int64_t workers, bool random, double demand_ns[2])
{
    struct dls_op work = op("draw", DLS_STAGE_DECODE, DLS_CPU_DECODE, false, 0);
    struct rig rig;

    work.random = random;
    work.demand = (struct dls_law){.kind = DLS_LAW_LOGNORMAL, .a = 1e-3, .b = 1e-3};
    for (int64_t epochs = 1; epochs <= 2; epochs++) {
        rig_init(&rig, 16, NULL, 10);
        rig.table.columns = 0;
        rig.run.epochs = epochs;
        chain_add(&rig, &work, 1);
        assert_int_equal(run_loader(&rig, workers, 1), DLS_END_STOPPED);
        demand_ns[epochs - 1] = rig.ledger.demand_ns[DLS_STAGE_DECODE];
        rig_release(&rig);
    }
}

/* Draws belong to sample, visit and op: 0, 1 and 8 workers do the same work; a fixed op
 * does the same in the second epoch, a random one does not. */
static void the_same_samples_for_all(void **state)
{
    double one[2], other[2];

    (void)state;
    for (int random = 0; random < 2; random++) {
        demands_of(1, random, one);
        assert_true(one[0] > 0);
        for (int64_t workers = 0; workers <= 8; workers += 8) {
            demands_of(workers, random, other);
            near(other[0], one[0]);
            near(other[1], one[1]);
        }
        if (random)
            assert_true(fabs(one[1] - 2 * one[0]) > 1e-3 * one[0]);
        else
            near(one[1], 2 * one[0]);
    }
}

/* Two threads of one process, and what a third sees of the second after 2 ms. */
struct locked {
    struct dls_work work[2];
    struct dls_task *task[2];
    double early_ns[DLS_CAUSES];
};

static void locked_ended(struct dls_engine *engine, struct dls_task *task)
{
    (void)engine;
    dls_work_wait(task->self, task, DLS_CAUSE_IDLE);
}

static void locked_looked_at(struct dls_engine *engine, struct dls_task *task)
{
    struct locked *locked = task->self;

    (void)engine;
    for (int c = 0; c < DLS_CAUSES; c++)
        locked->early_ns[c] = dls_work_cause_ns(&locked->work[1], locked->task[1],
                                                (enum dls_cause)c);
}

/* The first thread computes 4 ms under the lock, the second then 2 ms: of its wait 2 ms
 * are told after 2 ms, 4 in the end, and its 2 ms of computing are told apart. */
static void waits_for_the_lock_only_grow(void **state)
{
    struct locked locked = {0};
    struct dls_interpreter *interpreter;
    struct dls_task *look;
    struct dls_model *cpu;
    struct rig rig;

    (void)state;
    rig_init(&rig, 2, NULL, 1);
    rig.table.columns = 0;
    chain_add(&rig, NULL, 0);
    cpu = rig.roles.of[DLS_ROLE_CPU];
    interpreter = DLS_KIND_OF(cpu, cpu)->interpreter_new(cpu);
    for (int i = 0; i < 2; i++) {
        locked.work[i].owner = rig.roles.of[DLS_ROLE_TRANSFORM];
        locked.work[i].interpreter = interpreter;
        locked.work[i].then = locked_ended;
        locked.task[i] = dls_task_new(rig.engine, NULL, &locked.work[i]);
        assert_false(dls_work_use(&locked.work[i], locked.task[i], DLS_STAGE_PUT,
                                  i == 0 ? 4e6 : 2e6, DLS_CPU_PYTHON, true));
    }
    look = dls_task_new(rig.engine, locked_looked_at, &locked);
    dls_engine_after(rig.engine, look, 2000000, DLS_PRIORITY_NORMAL, DLS_CAUSE_IDLE);
    dls_engine_run(rig.engine, &(struct dls_engine_limits){0});
    near(locked.early_ns[DLS_CAUSE_INTERPRETER], 2e6);
    near(locked.early_ns[DLS_CAUSE_CPU], 0);
    near(locked.work[1].cause_ns[DLS_CAUSE_INTERPRETER], 4e6);
    near(locked.work[1].cause_ns[DLS_CAUSE_CPU], 2e6);
    rig_release(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_merge),
        cmocka_unit_test(stages_share_by_demand),
        cmocka_unit_test(where_demands_come_from),
        cmocka_unit_test(the_same_samples_for_all),
        cmocka_unit_test(waits_for_the_lock_only_grow),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
