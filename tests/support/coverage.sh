#!/bin/sh
# coverage.sh FOLDER: lines and branches reached, per source file, from the gcov data below FOLDER.
LC_ALL=C
export LC_ALL
root=$(pwd)
find "$1" -name '*.gcda' -not -path '*/tests/*' | sort | while read -r data; do
    (cd "$(dirname "$data")" && gcov -b -n -o . "$(basename "$data")" 2>/dev/null) |
        awk -v root="$root/" '
        /^File / { file = $2; gsub(/\047/, "", file); sub("^" root, "", file) }
        /^Lines executed/ { split($0, part, /[:%]| of /); lines = part[2]; count = part[4] }
        /^Branches executed/ { split($0, part, /[:%]/) }
        /^Taken at least once/ { split($0, part, /[:%]/); branches = part[2] }
        /^No branches/ { branches = "" }
        /^(Calls executed|No calls)/ && file ~ /[.]c$/ { printf "%-32s %6s %% of lines  %6s %% of branches\n", file, lines, branches }
        '
done | sort -u
