#!/bin/sh
# analyse.sh FLAGS...: cppcheck and clang-tidy over the sources, each where it is installed. Two processes.
cd "$(dirname "$0")/../.." || exit 1
status=0
sources=$(ls sim/*.c sim/*/*.c models/*.c models/presets/*.c traces/*.c calib/*.c plots/*.c 2>/dev/null)

if command -v cppcheck >/dev/null 2>&1; then
    # shellcheck disable=SC2086
    cppcheck --quiet -j2 --std=c11 --platform=unix64 --enable=warning,portability --inline-suppr --error-exitcode=1 \
        --suppress=missingIncludeSystem --suppress=nullPointerRedundantCheck --max-configs=4 \
        -I. -D_POSIX_C_SOURCE=200809L $sources || status=1
else
    echo 'lint: no cppcheck here, passed over' >&2
fi

if command -v clang-tidy >/dev/null 2>&1; then
    printf '%s\n' $sources |
        xargs -P2 -n8 sh -c 'flags=$1; shift; clang-tidy --quiet "$@" -- -std=c11 $flags 2>/dev/null' sh "$*" || status=1
else
    echo 'lint: no clang-tidy here, passed over' >&2
fi
exit "$status"
