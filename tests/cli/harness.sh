# harness.sh: sourced by tests/cli/*.t. Runs dlsim in a scratch folder and compares; speaks TAP.
#
#   dlsim ARGUMENTS...          runs $DLSIM (build/dlsim of this tree, or the environment's); the results are in the files
#                               $scratch/out, $scratch/err and in $exit
#   is_exit N                   the exit status
#   out_is / err_is TEXT        the whole output, exactly (without the last newline)
#   out_has / err_has PATTERN   a shell pattern that some line matches: 'unknown option *'
#   out_lacks / err_lacks PATTERN
#   narrow                      no line of stdout is longer than 80 characters
#   done_testing                last line of every script
#
# Variables: $root is the source tree. The current folder is empty and disappears at the end.
set -u
LC_ALL=C
export LC_ALL
unset NO_COLOR
root=$(cd "$(dirname "$0")/../.." && pwd)
DLSIM=${DLSIM:-$root/build/dlsim}
scratch=$(mktemp -d)
trap 'cd /; rm -rf "$scratch"' EXIT
mkdir "$scratch/work"
cd "$scratch/work" || exit 1
tests=0
failures=0
exit=0
command_line=

dlsim()
{
    command_line="dlsim $*"
    "$DLSIM" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    exit=$?
}

# ok CONDITION-STATUS NAME [FILE TO SHOW]
ok()
{
    tests=$((tests + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $tests - $2"
        return
    fi
    failures=$((failures + 1))
    echo "not ok $tests - $2"
    [ $# -lt 3 ] || sed 's/^/#   /' "$3"
}

is_exit()
{
    [ "$exit" -eq "$1" ]
    ok $? "$command_line: exit $1, found $exit" "$scratch/err"
}

# is STREAM TEXT
is()
{
    printf '%s' "${2:+$2
}" >"$scratch/expected"
    diff -u "$scratch/expected" "$scratch/$1" >"$scratch/difference"
    ok $? "$command_line: std$1" "$scratch/difference"
}

has_line()
{
    while IFS= read -r line || [ -n "$line" ]; do
        # shellcheck disable=SC2254
        case $line in
        $2) return 0 ;;
        esac
    done <"$scratch/$1"
    return 1
}

out_is() { is out "$1"; }
err_is() { is err "$1"; }

out_has() { has_line out "$1"; ok $? "$command_line: stdout has '$1'" "$scratch/out"; }
err_has() { has_line err "$1"; ok $? "$command_line: stderr has '$1'" "$scratch/err"; }

out_lacks() { ! has_line out "$1"; ok $? "$command_line: stdout lacks '$1'" "$scratch/out"; }
err_lacks() { ! has_line err "$1"; ok $? "$command_line: stderr lacks '$1'" "$scratch/err"; }

narrow()
{
    ! grep -q '.\{81\}' "$scratch/out"
    ok $? "$command_line: at most 80 columns" "$scratch/out"
}

done_testing()
{
    echo "1..$tests"
    [ "$failures" -eq 0 ]
    exit
}
