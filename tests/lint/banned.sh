#!/bin/sh
# banned.sh: functions that nobody may call, and those that only the program itself may call. Comments and strings do
# not count.
cd "$(dirname "$0")/../.." || exit 1
status=0
for file in $(ls sim/*.[ch] sim/*/*.[ch] models/*.[ch] models/presets/*.[ch] traces/*.[ch] calib/*.[ch] plots/*.[ch] 2>/dev/null); do
    awk -v FILE="$file" '
    # Lines without comments and string literals.
    function code(text,    out) {
        gsub(/\\./, "", text)
        gsub(/"[^"]*"/, "\"\"", text)
        out = ""
        while (text != "") {
            if (inside) {
                if (!match(text, /\*\//))
                    return out
                text = substr(text, RSTART + 2)
                inside = 0
            } else if (match(text, /\/\*/)) {
                out = out substr(text, 1, RSTART - 1)
                text = substr(text, RSTART + 2)
                inside = 1
            } else {
                return out text
            }
        }
        return out
    }
    BEGIN {
        never = "sprintf vsprintf strcpy strcat gets atoi atol atof rand srand random strtok"
        program_only = "printf vprintf puts putchar fprintf exit _exit abort"
        split(never, names, " ")
        for (i in names) banned[names[i]] = "is banned"
        if (FILE !~ /^sim\/cmd\// && FILE !~ /^sim\/base\/(status|mem)[.]c$/) {
            split(program_only, names, " ")
            for (i in names) banned[names[i]] = "belongs to sim/cmd"
        }
    }
    {
        text = code($0)
        while (match(text, /[A-Za-z_][A-Za-z_0-9]*[ \t]*\(/)) {
            name = substr(text, RSTART, RLENGTH - 1)
            sub(/[ \t]+$/, "", name)
            # A field or an attribute argument of that name is something else.
            before = substr(text, 1, RSTART - 1)
            if (name in banned && before !~ /(->|[.])[ \t]*$/) {
                printf "%s:%d: %s() %s\n", FILE, NR, name, banned[name]
                bad++
            }
            text = substr(text, RSTART + RLENGTH)
        }
    }
    END { exit bad > 0 }
    ' "$file" >&2 || status=1
done
exit "$status"
