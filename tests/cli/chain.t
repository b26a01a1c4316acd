#!/bin/sh
# chain.t: from a recording to a prediction, on recordings whose every time is known: import, calibrate, run.
. "$(dirname "$0")/harness.sh"

# record NAME WORKERS SPREAD: eight batches of two samples. Sample s takes 10 + s % SPREAD ms to decode, collate 2 ms, nothing
# else takes time. Without workers the loop does it all; with workers, batch b is of worker b % WORKERS, and the loop takes
# each as it is ready.
record()
{
    awk -v name="$1" -v workers="$2" -v spread="$3" '
    function span(batch, sample, worker, stage, op, start, duration) {
        printf "0,%d,%d,%d,1,%d,%s,%s,%d,%d,%d,%d\n", batch, sample, worker, worker + 10, stage, op, start, duration,
            stage == "wait" ? 0 : duration, stage == "decode" ? 1000 : -1 >spans
    }
    BEGIN {
        ms = 1000000
        spans = name ".spans.csv"
        batches = name ".batches.csv"
        print "epoch,batch,sample,worker,pid,tid,stage,op,start_ns,dur_ns,cpu_ns,bytes" >spans
        print "epoch,batch,request_ns,arrive_ns,done_ns" >batches
        for (b = 0; b < 8; b++) {
            worker = workers > 0 ? b % workers : -1
            at = workers > 0 ? free[worker] : request
            for (s = 2 * b; s < 2 * b + 2; s++) {
                span(b, s, worker, "decode", "jpeg", at, (10 + s % spread) * ms)
                at += (10 + s % spread) * ms
            }
            span(b, -1, worker, "collate", "stack", at, 2 * ms)
            at += 2 * ms
            free[worker] = at
            arrive = at > request ? at : request
            span(b, -1, -1, "wait", "next", request, arrive - request)
            printf "0,%d,%d,%d,%d\n", b, request, arrive, arrive >batches
            request = arrive
        }
    }' </dev/null
    echo "{\"config\": {\"workers\": $2, \"batch\": 2, \"prefetch\": 2, \"cores\": 8}}" >"$1.json"
}

# imported NAME DATABASE
imported()
{
    dlsim import spans "$1.spans.csv" --batches "$1.batches.csv" --config "$1.json" -o "$2"
    is_exit 0
}

# Without workers everything is in line: the epoch is the sum of the spans, 4 x (10 + 11 + 12 + 13) ms of decoding and
# 8 x 2 ms of collate, and the first batch is there after 10 + 11 + 2 ms.
record none 0 4
imported none none.db
out_has 'none.db: trace 1: 32 spans, 8 batches, *'
dlsim calibrate none.db -o none.yaml --scenario replay.yaml
is_exit 0
out_has '  jpeg * 11.5 ms * decode *'
out_has '  loader.collate_main.per_sample * 1 ms *'
grep -q '^2,1000,0.012$' none.samples.csv
ok $? 'the table holds each sample: 12 ms for sample 2'
dlsim run replay.yaml
is_exit 0
out_has '  epoch_s * 200 ms'
out_has '  first_batch_s * 23 ms'
out_has '  samples_per_s * 80 /s'
out_has '  decode * 184 ms *'
out_has '  collate * 16 ms *'
out_has '  cpu_s * 200 ms'

# A step of 5 ms a batch comes on top; a processor of twice the speed halves the rest; two epochs are twice the work.
dlsim run replay.yaml --set consumer.step='5 ms'
is_exit 0
out_has '  epoch_s * 240 ms'
dlsim run replay.yaml --set host.speed=2
is_exit 0
out_has '  epoch_s * 100 ms'
dlsim run replay.yaml --set run.epochs=2
is_exit 0
out_has '  cpu_s * 400 ms'

# Two workers take batches of 2 x 10 + 2 ms in turn: 4 rounds of 22 ms.
record two 2 1
imported two two.db
dlsim calibrate two.db -o two.yaml --scenario replay.yaml
is_exit 0
out_has '  jpeg * 10 ms * decode *'
out_has '  loader.collate.per_sample * 1 ms *'
dlsim run replay.yaml
is_exit 0
out_has '  epoch_s * 88 ms'
out_has '  first_batch_s * 22 ms'
out_has '  decode * 160 ms *'
out_has '  collate * 16 ms *'
out_has '  cpu_s * 176 ms'

# What was never recorded: four workers need 2 rounds, one worker 8.
dlsim run replay.yaml --set loader.workers=4
is_exit 0
out_has '  epoch_s * 44 ms'
dlsim run replay.yaml --set loader.workers=1
is_exit 0
out_has '  epoch_s * 176 ms'

# Both recordings in one database know both ways to collate.
record alone 0 1
imported alone both.db
imported two both.db
dlsim calibrate both.db -o both.yaml --scenario replay.yaml
is_exit 0
dlsim run replay.yaml --set host.speed=1
is_exit 0
out_has '  epoch_s * 88 ms'
dlsim run replay.yaml --set host.speed=1 --set loader.workers=0
is_exit 0
out_has '  epoch_s * 176 ms'

done_testing
