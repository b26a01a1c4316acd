#!/bin/sh
# bad_params.t: mistakes in parameter files and sample tables, and results that cannot be written: a message, and older
# files as they were.
. "$(dirname "$0")/harness.sh"
. "$root/tests/cli/small.sh"

sed '/- {op/d; /^  ops:/d; /kind: transform/d; s/^transform:/transform: {kind: transform.chain, from: params}/
s/^name: small/name: small\nparams: p.yaml/' small.yaml >s.yaml
cat >good.yaml <<'YAML'
dlsim_params: 1
name: p
source: {table: t.csv}
transform:
  ops:
    - {op: jpeg, stage: decode, class: decode, demand: 8 ms}
YAML
cp good.yaml p.yaml
printf 'sample,bytes,jpeg\n7,5000,0.008\n3,4000,0.009\n' >good.csv
cp good.csv t.csv
dlsim run s.yaml --quiet
is_exit 0

# rejected TEXT: run and check refuse the scenario with these messages, and write nothing
rejected()
{
    for command in run check; do
        dlsim $command s.yaml --out result
        is_exit 3
        err_is "$1"
        out_is ''
        [ ! -e result ]
        ok $? "no result after a failure"
    done
    cp good.yaml p.yaml
    cp good.csv t.csv
}

# an empty parameter file
: >p.yaml
rejected 'p.yaml: error: the file is empty
1 error; nothing was done'

# a parameter file cut off
head -c 100 good.yaml >p.yaml
rejected 'p.yaml:7:1: error: not valid YAML: did not find expected '\'','\'' or '\''}'\'' while parsing a flow mapping
1 error; nothing was done'

# a scenario instead
cp small.yaml p.yaml
rejected 'p.yaml:1:1: error: the file must begin with '\''dlsim_params: 1'\''
  1 | dlsim: 1
    | ^~~~~
1 error; nothing was done'

# an unknown section
sed 's/^transform/transfrm/' good.yaml >p.yaml
rejected 'p.yaml:4:1: error: unknown section '\''transfrm'\'' in a parameter file (did you mean '\''transform'\''?)
  4 | transfrm:
    | ^~~~~~~~
1 error; nothing was done'

# an unknown key of an op
sed 's/demand/deman/' good.yaml >p.yaml
rejected 'p.yaml:6:48: error: unknown key '\''deman'\'' in transform.chain (did you mean '\''demand'\''?)
  6 |     - {op: jpeg, stage: decode, class: decode, deman: 8 ms}
    |                                                ^~~~~
1 error; nothing was done'

# a demand without unit
sed 's/8 ms/8/' good.yaml >p.yaml
rejected 'p.yaml:6:56: error: '\''demand'\'' must be a time with unit (ns, us, ms, s, min, h), found '\''8'\''
  6 |     - {op: jpeg, stage: decode, class: decode, demand: 8}
    |                                                        ^
1 error; nothing was done'

# no ops
sed '/^transform/,$d' good.yaml >p.yaml
rejected 's.yaml:8:42: error: '\''from: params'\'' needs a parameter file with a section '\''transform'\''
  8 | transform: {kind: transform.chain, from: params}
    |                                          ^~~~~~
1 error; nothing was done'

# a table without a name
sed 's/t.csv/""/' good.yaml >p.yaml
rejected 'p.yaml:3:17: error: '\''table'\'' must be the path of a table, found '\'''\''
  3 | source: {table: ""}
    |                 ^~
1 error; nothing was done'

# an empty table
: >t.csv
rejected 't.csv: error: the file is empty
1 error; nothing was done'

# a table of bytes that are no text
printf 'sample,bytes\n\000\001\n' >t.csv
rejected 't.csv: error: not a text file: it holds zero bytes
1 error; nothing was done'

# another header
printf 'bytes,jpeg\n5000,0.008\n' >t.csv
rejected 't.csv:1:1: error: the first column must be '\''sample'\'', found '\''bytes'\''
1 error; nothing was done'

# a column twice
printf 'sample,bytes,jpeg,jpeg\n7,5000,0.008,1\n' >t.csv
rejected 't.csv:1:19: error: duplicate column '\''jpeg'\''
1 error; nothing was done'

# a table cut off within its last number
printf 'sample,bytes,jpeg\n7,5000,0.0' >t.csv
rejected 't.csv:2: error: the last line has no line end: the file is cut off
1 error; nothing was done'

# a table cut off within its last row
printf 'sample,bytes,jpeg\n7,5000' >t.csv
rejected 't.csv:2: error: expected 3 fields as in the header, found 2
1 error; nothing was done'

# not a number
printf 'sample,bytes,jpeg\n7,5000,nan\n' >t.csv
rejected 't.csv:2:8: error: '\''jpeg'\'' must be a number, found '\''nan'\''
1 error; nothing was done'

# a negative demand
printf 'sample,bytes,jpeg\n7,5000,0.1\n8,5000,-0.1\n' >t.csv
rejected 't.csv:3:8: error: '\''jpeg'\'' must not be negative, found -0.1
1 error; nothing was done'

# a demand beyond any clock
printf 'sample,bytes,jpeg\n7,5000,0.1\n8,5000,1e300\n' >t.csv
rejected 'p.yaml:3:17: error: line 3 of the table: '\''jpeg'\'' must be at most 1e+15, found 1e+300
  3 | source: {table: t.csv}
    |                 ^~~~~
1 error; nothing was done'

# a file beyond any disk
printf 'sample,bytes,jpeg\n7,9e99,1\n' >t.csv
rejected 'p.yaml:3:17: error: line 2 of the table: '\''bytes'\'' must be at most 1e+15, found 9e+99
  3 | source: {table: t.csv}
    |                 ^~~~~
1 error; nothing was done'

# folders in the place of files
rm p.yaml t.csv
mkdir p.yaml
dlsim run s.yaml
is_exit 1
err_is 'error: cannot read '\''p.yaml'\'': Is a directory
s.yaml:3:9: note: the parameter file is named here
  3 | params: p.yaml
    |         ^~~~~~'
rmdir p.yaml
cp good.yaml p.yaml
mkdir t.csv
dlsim run s.yaml
is_exit 1
err_is 'error: cannot read '\''t.csv'\'': Is a directory
p.yaml:3:17: note: the table is named here
  3 | source: {table: t.csv}
    |                 ^~~~~'
rmdir t.csv
cp good.csv t.csv

# an older result stays when there is no new one
echo old >result
dlsim run s.yaml --set loader.workers=-1 --json --out result
is_exit 3
[ "$(cat result)" = old ]
ok $? "the older result is as it was"

# results that cannot be written
mkdir folder
for command in run check; do
    dlsim $command small.yaml --out /dev/full
    is_exit 1
    err_is "error: cannot write '/dev/full': No space left on device"
    out_is ''
    dlsim $command small.yaml --json --out /dev/full
    is_exit 1
    err_is '[{"severity": "error", "text": "cannot write '\''/dev/full'\'': No space left on device"}]'
    dlsim $command small.yaml --out folder
    is_exit 1
    err_is "error: cannot write 'folder': Is a directory"
    dlsim $command small.yaml --out small.yaml/r
    is_exit 1
    err_is "error: cannot write 'small.yaml/r': Not a directory"
    dlsim $command small.yaml --out /proc/r
    is_exit 1
    err_is "error: cannot write '/proc/r': No such file or directory"
done
dlsim run small.yaml --quiet --plot folder
is_exit 1
err_is "error: cannot write 'folder': Is a directory"
dlsim run small.yaml --quiet --plot /proc/p.svg
is_exit 1
err_is "error: cannot write '/proc/p.svg': No such file or directory"
[ "$(ls -A folder)" = '' ]
ok $? "nothing was left in the folder"

# a whole disk of output on stdout
if [ -w /dev/full ]; then
    "$DLSIM" run small.yaml >/dev/full 2>"$scratch/err"
    exit=$?
    command_line='dlsim run small.yaml >/dev/full'
    is_exit 1
    err_is "error: cannot write 'standard output': No space left on device"
fi

# demands longer than the clock goes end the run with an answer, not with a crash
dlsim run small.yaml --quiet --set transform.decode.demand='1000000 s' --set transform.decode.scale=1000000
is_exit 5

done_testing
