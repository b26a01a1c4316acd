#!/bin/sh
# accuracy.t: do the limits of tests/validation/cases.yaml still hold? 29 recorded runs replayed, 140 measured ones predicted.
set -u
dlsim=${DLSIM:-build/dlsim}
said=$("$dlsim" validate tests/validation/cases.yaml --quiet 2>&1)
status=$?
echo 1..1
[ $status -eq 0 ] && echo 'ok 1 - every limit of the validation is met' && exit 0
echo 'not ok 1 - every limit of the validation is met'
echo "$said" | sed 's/^/# /'
exit 1
