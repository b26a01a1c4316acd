#!/bin/sh
# floors.sh: who may include whom. A file includes its own folder and lower floors, never upwards or sideways; some
# library headers are fenced to single files. Tests may include anything.
cd "$(dirname "$0")/../.." || exit 1
grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]' sim/*.[ch] sim/*/*.[ch] models/*.[ch] models/presets/*.[ch] \
    traces/*.[ch] calib/*.[ch] plots/*.[ch] /dev/null 2>/dev/null |
    awk '
    # Folder of a path; sim/model.h, sim/model.c, sim/work.h and sim/work.c are a floor of their own.
    function folder(path) {
        if (path ~ /^sim\/(model|work)[a-z_]*\.[ch]$/)
            return "sim/model"
        if (path ~ /^models\//)
            return "models"
        sub(/\/[^\/]*$/, "", path)
        return path
    }
    function complain(text) {
        printf "%s:%s: %s\n", file, line, text
        bad++
    }
    # The header may be included by files that match the pattern only.
    function fence(header, allowed) {
        if (target ~ header && file !~ allowed)
            complain(target " belongs to " allowed " only")
    }
    BEGIN {
        floor["sim/base"] = 0
        floor["sim/stats"] = 1
        floor["sim/engine"] = 2; floor["traces"] = 2
        floor["sim/model"] = 3
        floor["models"] = 4
        floor["sim/scenario"] = 5
        floor["sim/graph"] = 6
        floor["sim/result"] = 7
        floor["sim/run"] = 8
        floor["calib"] = 9
        floor["plots"] = 10
        floor["sim/report"] = 11
        floor["sim/cmd"] = 12
    }
    {
        match($0, /^[^:]*:[0-9]*:/)
        split(substr($0, 1, RLENGTH), at, ":")
        file = at[1]; line = at[2]
        rest = substr($0, RLENGTH + 1)
        is_ours = rest ~ /"/
        match(rest, /[<"][^>"]*[>"]/)
        target = substr(rest, RSTART + 1, RLENGTH - 2)

        fence("^gsl/gsl_(cdf|statistics)", "^(sim/stats/.*|calib/.*)$")
        fence("^gsl/gsl_(rng|randist)", "^sim/engine/(rng|dist|rng_gsl)[.][ch]$")
        fence("^gsl/gsl_(fit|multifit|multimin|min|roots|linalg)", "^calib/.*$")
        fence("^(cjson/)?cJSON", "^(traces/.*|sim/report/.*json.*)$")
        fence("^sqlite3", "^(traces/.*|sim/result/result_db[.]c)$")
        fence("^zlib", "^traces/.*$")
        fence("^yaml[.]h", "^sim/scenario/yaml_tree[.]c$")
        fence("^(pthread|threads)[.]h", "^sim/run/.*$")
        if (!is_ours)
            next

        from = folder(file); to = folder(target)
        if (!(from in floor)) { complain("folder " from " has no floor"); next }
        if (!(to in floor)) { complain("includes \"" target "\": write the path from the root"); next }
        if (target ~ /_int[.]h$/ && from != to)
            complain("includes the insides of another folder, " target)
        if (from == "models" && file ~ /^models\/[a-z]*_/ && file ~ /[.]c$/)
            check_kind()
        if (from == to || (from == "sim/graph" && target == "models/storage_limiter.h"))
            next
        if (floor[to] > floor[from])
            complain("includes " target ", a higher floor")
        else if (floor[to] == floor[from])
            complain("includes " target ", a neighbour of the same floor")
    }
    # A kind knows its own header, those with the insides that kinds share, and the presets; not its neighbours.
    function check_kind(    own) {
        own = file
        sub(/[.]c$/, ".h", own)
        if (to == "models" && target != own && target !~ /_int[.]h$/ && target !~ /^models\/presets\// &&
            target !~ /^models\/(registry|storage_limiter)[.]h$/)
            complain("a kind includes its neighbour " target)
    }
    END { exit bad > 0 }
    '
status=$?
[ "$status" -eq 0 ] || echo 'floors: see the messages above' >&2
exit "$status"
