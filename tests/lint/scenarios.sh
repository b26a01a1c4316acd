#!/bin/sh
# scenarios.sh DLSIM: every shipped scenario passes 'dlsim check'.
program=$1
status=0
[ -x "$program" ] || exit 0
for file in scenarios/*.yaml; do
    [ -f "$file" ] || continue
    "$program" check --quiet "$file" >/dev/null || {
        echo "$file: does not pass 'dlsim check'" >&2
        status=1
    }
done
exit "$status"
