#!/bin/sh
# dlsim check: validation, and where every value comes from.
. "$(dirname "$0")/harness.sh"
. "$root/tests/cli/small.sh"

dlsim check small.yaml
is_exit 0
out_is 'small.yaml: ok'
err_is ''

dlsim check --quiet small.yaml
is_exit 0
out_is ''

dlsim check --explain small.yaml --set loader.prefetch=4 --seed 9
is_exit 0
out_has 'loader.workers * 2 * small.yaml:11'
out_has 'loader.prefetch * 4 * --set*'
out_has 'run.seed * 9 * --set*'
out_has 'loader.in_order * true * default'

dlsim check small.yaml --explain --json
is_exit 0
if command -v python3 >/dev/null; then
    python3 - "$scratch/out" <<'PY'
import json, sys
document = json.load(open(sys.argv[1]))
assert document["ok"] is True and len(document["hash"]) == 16
values = {v["path"]: v["value"] for v in document["values"]}
assert values["loader.workers"] == "2" and values["run.epochs"] == "2", values
PY
    ok $? 'valid JSON with the values'
fi

sed 's/cores: 8/corse: 8/; s/8 ms/8 MB/' small.yaml >bad.yaml
dlsim check bad.yaml
is_exit 3
out_is ''
err_has "bad.yaml:4:8: error: unknown key 'corse' *(did you mean 'cores'?)"
err_has 'bad.yaml:10:*: error: *8 MB*'

dlsim check --json bad.yaml
is_exit 3
if command -v python3 >/dev/null; then
    python3 -c 'import json, sys; rows = json.load(open(sys.argv[1])); assert rows[0]["file"] == "bad.yaml" and rows[0]["line"] == 4, rows' "$scratch/err"
    ok $? 'messages as JSON'
fi

dlsim check nowhere.yaml
is_exit 1
out_is ''

done_testing
