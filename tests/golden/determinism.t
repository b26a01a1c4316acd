#!/bin/sh
# determinism.t: one answer, byte for byte, whatever runs it: threads, address randomisation, a plot beside it, compiler.
set -u
dlsim=${DLSIM:-build/dlsim}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
number=0
failed=0

run() { "$@" run scenarios/monai_3d.yaml --json --quiet; }

same() {
    number=$((number + 1))
    if cmp -s "$work/reference" "$work/other"; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        failed=1
    fi
}

skip() {
    number=$((number + 1))
    echo "ok $number - $1 # SKIP $2"
}

echo 1..5
run "$dlsim" >"$work/reference" || echo "# run failed"
"$dlsim" run scenarios/monai_3d.yaml --json --quiet -j1 >"$work/other"
same '-j1'
"$dlsim" run scenarios/monai_3d.yaml --json --quiet -j2 >"$work/other"
same '-j2'
if setarch -R true 2>/dev/null; then
    run setarch -R "$dlsim" >"$work/other"
    same 'without address randomisation'
else
    skip 'without address randomisation' 'setarch -R is not allowed here'
fi
if command -v gnuplot >/dev/null 2>&1; then
    "$dlsim" run scenarios/monai_3d.yaml --json --quiet --plot "$work/plot.svg" >"$work/other"
    same '--plot'
else
    skip '--plot' 'no gnuplot'
fi
if [ -x build/clang/dlsim ] && [ ! build/clang/dlsim -ot "$dlsim" ]; then
    run build/clang/dlsim >"$work/other"
    same 'built with clang'
else
    skip 'built with clang' 'no build of clang as new as this one (make CC=clang)'
fi
exit $failed
