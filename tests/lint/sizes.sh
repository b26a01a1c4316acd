#!/bin/sh
# sizes.sh: warnings about files past 500 lines and functions past 60; they want splitting, they do not fail.
cd "$(dirname "$0")/../.." || exit 1
for file in sim/*.[ch] sim/*/*.[ch] models/*.[ch] models/presets/*.[ch] traces/*.[ch] calib/*.[ch] plots/*.[ch] \
    tests/*/*.[ch]; do
    [ -f "$file" ] || continue
    awk -v file="$file" '
    # A function is from the line before its opening brace in column one to its closing brace.
    /^\{/ { start = NR }
    /^[A-Za-z_].*\(/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
    /^\}/ {
        if (start && NR - start - 1 > 60)
            printf "%s:%d: warning: %s() has %d lines\n", file, start, name, NR - start - 1
        start = 0
    }
    END {
        if (NR > 500)
            printf "%s: warning: %d lines\n", file, NR
    }
    ' "$file"
done
