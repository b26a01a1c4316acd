#!/bin/sh
# dlsim validate: calibrates, predicts, judges; the same answer for any number of threads; nothing left behind.
. "$(dirname "$0")/harness.sh"

cases()
{
    cat <<YAML
dlsim_cases: 1
name: small
micro: micro.csv
outcomes: outcomes.csv
replications: 2
paths:
  workers: loader.workers
  prefetch: {path: loader.prefetch, unless: {workers: 0}}
  batch: loader.batch
  step_ms: {path: consumer.step.base, unit: ms}
families:
  - {name: medical, recordings: [medical-w0, medical-w2], groups: [medical.workers]}
  - {name: again, type: replay, recordings: [medical-w0]}
limits:
  blind: {median: $1}
  replay_epoch: {each: $1}
YAML
}

data="$root/tests/validation/data"
cases '100 %' >wide.yaml
cases '0 %' | sed 's/^  blind:.*/  known_speed: {median: 0 %}/' >narrow.yaml
TMPDIR=$scratch
export TMPDIR

dlsim validate wide.yaml --data "$data" -j 1
is_exit 0
err_is ''
rows=$(grep -c '^  medical.workers ' "$scratch/out")
[ "$rows" -ge 3 ]
ok $? 'the group stands in the tables' "$scratch/out"
out_has 'small: 2 of 2 limits met; 16 measured rows, 1 replay, 2 replications'
out_has '  medical-w0 *'
cp "$scratch/out" first
dlsim validate wide.yaml --data "$data" -j 3
cmp -s first "$scratch/out"
ok $? 'three threads give the same bytes'
[ -z "$(find "$scratch" -name 'dlsim-validate-*')" ]
ok $? 'the temporary folder is gone'

dlsim validate narrow.yaml --data "$data"
is_exit 4
err_has 'error: known_speed median: *, limit 0.00 %'
out_has '  replay_epoch medical-w0: *, limit 0.00 %'

mkdir kept
dlsim validate wide.yaml --data "$data" --work kept --json --results page.md
is_exit 0
perl -MJSON::PP -e '
local $/;
my $answer = decode_json(<STDIN>);
my $row = $answer->{rows}[0];
my $error = 100 * ($row->{known_speed}{cpu_s} / $row->{measured}{cpu_s} - 1);
exit !($answer->{met} && @{$answer->{rows}} == 16 && $answer->{replays}[0]{batches} == 12 && abs($error) < 1)
' <"$scratch/out"
ok $? 'JSON: at known speed the CPU seconds are the measured ones' "$scratch/err"
grep -q '^| medical.workers | 16 |' page.md
ok $? 'the page holds the group' page.md
dlsim run kept/medical.yaml --set loader.workers=4
is_exit 0

sed 's/medical-w2/medical-w9/' wide.yaml >absent.yaml
dlsim validate absent.yaml --data "$data"
is_exit 1
err_has "*medical-w9.spans.csv*"
sed 's/workers: loader.workers/workers: loader.wrokers/' wide.yaml >misspelt.yaml
dlsim validate misspelt.yaml --data "$data"
is_exit 4
err_has 'error: 16 rows or replays without a prediction'
out_has "  medical.workers 219, repetition 0 (line *) and 15 more: unknown key 'wrokers'*"
printf 'dlsim_cases: 1\nname: n\n' >empty.yaml
dlsim validate empty.yaml
is_exit 3
err_has "empty.yaml:1:1: error: missing key 'families'"
dlsim validate wide.yaml --set loader.workers=2
is_exit 2
err_has "error: 'validate' takes no '--set'*"

done_testing
