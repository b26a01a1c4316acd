#!/bin/sh
# dlsim run: the answer, its bytes, its exit status.
. "$(dirname "$0")/harness.sh"
. "$root/tests/cli/small.sh"

dlsim run small.yaml
is_exit 0
err_is ''
narrow
out_has 'small: two workers that decode slower than the GPU steps'
out_has 'no: decode-bound; the GPU waits *'
out_has '  2 workers: * % busy, * of that in decode'
out_has '  raise loader.workers from 2 to *'
out_has '    dlsim run small.yaml --set loader.workers=*'
out_has '  samples_per_s *'
out_has '4 replications, seed 1, *'
sed -n '2p' "$scratch/out" >"$scratch/verdict"
cp "$scratch/out" "$scratch/report"

# What the report tells to try can be typed as it stands, and helps.
try=$(sed -n 's/^    dlsim //p' "$scratch/report" | head -n 1)
eval "dlsim $try --json"
is_exit 0
after=$(sed -n '/"samples_per_s"/,/"value"/s/.*"value":[[:space:]]*\([0-9.e+]*\),.*/\1/p' "$scratch/out" | head -n 1)
dlsim run small.yaml --json
before=$(sed -n '/"samples_per_s"/,/"value"/s/.*"value":[[:space:]]*\([0-9.e+]*\),.*/\1/p' "$scratch/out" | head -n 1)
awk "BEGIN { exit !($after > 1.2 * $before) }"
ok $? "the hint helps: $before to $after samples/s"

dlsim run --quiet small.yaml
is_exit 0
out_is "$(cat "$scratch/verdict")"

# The same bytes for any number of threads, with a plot, in another locale.
dlsim run small.yaml --json -j1
cp "$scratch/out" "$scratch/first"
dlsim run small.yaml --json -j4
cmp -s "$scratch/out" "$scratch/first"
ok $? '-j1 and -j4 give the same JSON'
LC_ALL=de_DE.UTF-8 "$DLSIM" run small.yaml --json >"$scratch/out"
cmp -s "$scratch/out" "$scratch/first"
ok $? 'another locale gives the same JSON'
dlsim run small.yaml --json --seed 2
cmp -s "$scratch/out" "$scratch/first"
[ $? -eq 1 ]
ok $? 'another seed gives another result'
dlsim run --json - <small.yaml
if command -v python3 >/dev/null; then
    python3 - "$scratch/first" <<'PY'
import json, sys
result = json.load(open(sys.argv[1]))
assert result["dlsim_result"] == 1 and result["scenario"] == "small"
rate = result["metrics"]["samples_per_s"]
assert rate["n"] == 4 and rate["low"] <= rate["value"] <= rate["high"], rate
assert rate["predict_low"] <= rate["low"] and rate["high"] <= rate["predict_high"], rate
assert 220 < rate["value"] < 255, rate  # at most 2 workers / 8 ms = 250 per s
assert 0.4 < result["metrics"]["au"]["value"] < 0.5, result["metrics"]["au"]
assert len(result["epochs"]) == 2
assert result["bottleneck"]["stage"] == "decode"
assert len(result["fingerprint"]) == 16
origins = {v["path"]: v["origin"] for v in result["provenance"]["values"]}
assert origins["loader.workers"] == "small.yaml:11", origins["loader.workers"]
PY
    ok $? 'the JSON holds what it should'
fi

"$DLSIM" run --json - <small.yaml >"$scratch/out" 2>"$scratch/err"
exit=$?
command_line='dlsim run --json - <small.yaml'
is_exit 0
out_has '*"scenario":*"small"*'

# One replication has no interval.
dlsim run small.yaml --replications 1
is_exit 0
out_has '1 replication, seed 1, *'
out_lacks '*of the mean*'

dlsim run small.yaml --verbose --set loader.workers=3
is_exit 0
narrow
out_has '  loader.workers * 3 * --set*'
out_has '  source.samples * 200 * small.yaml:6'

dlsim run small.yaml --color always
is_exit 0
out_has "$(printf '\033')*no: decode-bound*"
dlsim run small.yaml
out_lacks "$(printf '*\033*')"

# Conditions.
echo 'expect: [{metric: au, min: 0.9}, {metric: samples_per_s, min: 1}, {metric: wait_s, max: 1e-9}]' |
    cat small.yaml - >expect.yaml
dlsim run expect.yaml
is_exit 4
out_has 'no: decode-bound*'
err_has "expect.yaml:14:*: error: expected 'au' of at least 90 %, found * %"
err_has "expect.yaml:14:*: error: expected 'wait_s' of at most 1 ns, found * ms"
err_lacks '*samples_per_s*expected*'
dlsim run expect.yaml --set loader.workers=8 --set run.epochs=1 --set source.samples=2000
is_exit 0
err_is ''
echo 'expect: [{metric: auu, min: 0.9}]' | cat small.yaml - >expect.yaml
dlsim run expect.yaml
is_exit 3
out_is ''
err_has "*unknown metric 'auu' (did you mean 'au'?)"

# Wrong input and a failing machine.
dlsim run nowhere.yaml
is_exit 1
err_has '*nowhere.yaml*No such file or directory*'
sed 's/workers: 2/workers: -1/; s/batch: 10/bach: 10/' small.yaml >bad.yaml
dlsim run bad.yaml
is_exit 3
out_is ''
err_has "bad.yaml:11:*: error: *'workers'*-1*"
err_has "bad.yaml:11:*: error: unknown key 'bach' *(did you mean 'batch'?)"
err_has '* errors; nothing was done'
dlsim run small.yaml --set loader.workers
is_exit 2
err_has "*'--set' needs PATH=VALUE, found 'loader.workers'"
dlsim run small.yaml --set loader.wrkers=3
is_exit 3
err_has "*loader.wrkers*"
dlsim run small.yaml --set loader.batch=500 --json
is_exit 3
out_is ''
if [ -w /dev/full ]; then
    dlsim run small.yaml -o /dev/full
    is_exit 1
    err_has "*cannot write '/dev/full': No space left on device"
fi
dlsim run small.yaml -o answer.txt
is_exit 0
out_is ''
cmp -s answer.txt "$scratch/report"
ok $? '-o writes the same report'

# Plots.
dlsim run small.yaml --plot -
is_exit 2
err_has "*'--plot' needs a file, found '-'"
if command -v gnuplot >/dev/null; then
    dlsim run small.yaml --json --plot small.svg
    is_exit 0
    cmp -s "$scratch/out" "$scratch/first"
    ok $? '--plot leaves the JSON as it is'
    grep -q 'no: decode-bound' small.svg && grep -q 'one of 2 workers' small.svg
    ok $? 'the plot tells the verdict'
    dlsim run small.yaml --plot no/folder/small.svg
    is_exit 1
    err_has "*cannot write 'no/folder/small.svg': No such file or directory"
fi
PATH=/nowhere "$DLSIM" run small.yaml --plot missing.svg >"$scratch/out" 2>"$scratch/err"
exit=$?
command_line='PATH=/nowhere dlsim run small.yaml --plot missing.svg'
is_exit 1
out_has 'no: decode-bound*'
err_has "*'gnuplot' is not installed; *package 'gnuplot-nox'*"
[ ! -e missing.svg ]
ok $? 'no plot is left behind'

# Another kind by one word: the file's keys for the old kind are left out, its own mistakes are not.
dlsim run small.yaml --quiet --set loader.kind=loader.none
is_exit 0
out_is 'yes: the GPU is kept busy; it waits 0.0 % of the time'
err_is ''
dlsim run small.yaml --quiet --set loader.kind=loader.none --set loader.workers=3
is_exit 3
err_has "--set loader.workers: error: unknown key 'workers' in loader.none"
sed 's/kind: consumer.gpu, step: {base: 20 ms}/preset: h100_rnnt/' small.yaml >preset.yaml
dlsim run preset.yaml --quiet --set consumer.kind=consumer.sleep --set consumer.step='20 ms'
is_exit 0
err_is ''

done_testing
