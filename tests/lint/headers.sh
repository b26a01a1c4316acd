#!/bin/sh
# headers.sh FLAGS...: every header compiles alone, and has the guard of its path.
cd "$(dirname "$0")/../.." || exit 1
status=0
for header in sim/*.h sim/*/*.h models/*.h models/presets/*.h traces/*.h calib/*.h plots/*.h tests/support/*.h; do
    [ -f "$header" ] || continue
    printf '#include "%s"\n' "$header" |
        ${CC:-cc} -std=c11 -Wall -Wextra -Wno-unused-function -Werror "$@" -I. -fsyntax-only -x c - || {
        echo "$header: does not compile alone" >&2
        status=1
    }
    guard=DLS_$(printf '%s' "$header" | tr 'a-z/.' 'A-Z__')
    if ! grep -q "^#ifndef $guard\$" "$header"; then
        echo "$header: guard is not $guard" >&2
        status=1
    fi
done
exit "$status"
