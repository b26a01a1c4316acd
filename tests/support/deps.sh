#!/bin/sh
# deps.sh [ci]: installs the packages that building and testing need, on Debian and its relatives; does nothing when all
# are there. With 'ci' also the compilers and checkers of .ci/run. Elsewhere it names the packages and exits 1.
set -eu

wanted='gcc make pkg-config libgsl-dev libsqlite3-dev libyaml-dev libcjson-dev zlib1g-dev libcmocka-dev gnuplot-nox perl'
[ "${1:-}" != ci ] || wanted="$wanted clang clang-format clang-tidy cppcheck"

# Present is what works, whichever package or hand brought it.
has()
{
    case $1 in
    libgsl-dev) pkg-config --exists gsl ;;
    libsqlite3-dev) pkg-config --exists sqlite3 ;;
    libyaml-dev) pkg-config --exists yaml-0.1 ;;
    libcjson-dev) pkg-config --exists libcjson ;;
    zlib1g-dev) pkg-config --exists zlib ;;
    libcmocka-dev) pkg-config --exists cmocka ;;
    gnuplot-nox) command -v gnuplot ;;
    *) command -v "$1" ;;
    esac >/dev/null 2>&1
}

missing=
for package in $wanted; do
    has "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

echo "missing:$missing"
if ! command -v apt-get >/dev/null 2>&1; then
    echo 'no apt-get here: install these, or what your system calls them, by hand' >&2
    exit 1
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || { echo "not root and no sudo: run 'apt-get install$missing' as root" >&2; exit 1; }
    as_root=sudo
fi
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086
$as_root apt-get install -y --no-install-recommends $missing ||
    { $as_root apt-get update && $as_root apt-get install -y --no-install-recommends $missing; }
