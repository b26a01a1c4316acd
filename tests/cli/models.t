#!/bin/sh
# dlsim models: everything that it lists can be asked for.
. "$(dirname "$0")/harness.sh"

dlsim models
is_exit 0
err_is ''
narrow
out_has 'loader'
out_has '  loader.pytorch *'
kinds=$(sed -n 's/^  \([a-z]*\.[a-z_]*\) .*/\1/p' "$scratch/out")
out_has '  host *'
roles=$(sed -n 's/^\([a-z]*\)$/\1/p' "$scratch/out")
[ "$(echo "$roles" | wc -l)" -eq 13 ]
ok $? 'thirteen roles'
for role in $roles; do
    echo "$kinds" | grep -q "^$role\."
    ok $? "role '$role' has a kind"
done

for kind in $kinds; do
    dlsim models "$kind"
    is_exit 0
    narrow
    out_has "$kind: *"
done

dlsim models loader.pytorch
out_has '  workers (or num_workers): count*'
out_has '  prefetch (or prefetch_factor): count*'

dlsim models loader
is_exit 0
out_has '  loader.pytorch *'
out_lacks '  storage.*'

dlsim models host
is_exit 0
narrow
out_has 'host: *'
out_has '  cores: count, *; required'
out_has 'presets'

dlsim models loader.pytorc
is_exit 2
out_is ''
err_has "*unknown kind 'loader.pytorc' (did you mean 'loader.pytorch'?)"

dlsim models quux
is_exit 2
err_has "*unknown kind 'quux'; 'dlsim models' lists the kinds"

dlsim models --json
is_exit 0
if command -v python3 >/dev/null; then
    python3 - "$scratch/out" <<'PY'
import json, sys
document = json.load(open(sys.argv[1]))
names = [kind["name"] for kind in document["kinds"]]
assert len(names) == len(set(names)) >= 13, names
for kind in document["kinds"]:
    assert kind["name"].startswith(kind["role"] + "."), kind
    for key in kind["keys"]:
        assert key["required"] in (True, False) and key["type"], key
PY
    ok $? 'valid JSON with the fields'
fi

done_testing
