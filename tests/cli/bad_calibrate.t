#!/bin/sh
# bad_calibrate.t: a database that cannot be calibrated from, a place that cannot be written: a message, and every file
# as it was.
. "$(dirname "$0")/harness.sh"

# A recording of two batches, 0 workers, that is good.
cat >good.spans.csv <<'CSV'
epoch,batch,sample,worker,pid,tid,stage,op,start_ns,dur_ns,cpu_ns,bytes
0,0,-1,-1,10,10,wait,next,1000,400,400,-1
0,-1,7,-1,10,10,decode,jpeg,1010,200,190,5000
0,-1,-1,-1,10,10,collate,stack,1310,50,50,-1
0,1,-1,-1,10,10,wait,next,1500,300,300,-1
0,-1,3,-1,10,10,decode,jpeg,1510,180,170,4000
0,-1,-1,-1,10,10,collate,stack,1710,50,50,-1
CSV
printf 'epoch,batch,request_ns,arrive_ns,done_ns\n0,0,30,430,430\n0,1,530,830,830\n' >good.batches.csv
printf '{"config": {"workers": 0, "batch": 1, "prefetch": 2, "cores": 2, "domain": "a"}}\n' >good.json

"$DLSIM" import spans good.spans.csv --batches good.batches.csv --config good.json -o t.db --quiet

# changed NAME SQL: a copy of the database after a change
changed()
{
    cp t.db "$1"
    sqlite3 "$1" "$2"
}

# a database that is not there
dlsim calibrate nowhere.db -o p.yaml
is_exit 1
err_is 'nowhere.db: error: cannot open: No such file or directory'
out_is ''
[ ! -e p.yaml ]
ok $? "no parameter file"

# no database at all
dlsim calibrate good.spans.csv -o p.yaml
is_exit 3
err_is 'good.spans.csv: error: not a trace database: no SQLite file
1 error; nothing was done'
out_is ''

# another schema
cp t.db other.db
printf "\000\000\000\011" | dd of=other.db bs=1 seek=60 conv=notrunc 2>/dev/null
dlsim calibrate other.db -o p.yaml
is_exit 3
err_is 'other.db: error: expected version 1 of the trace database, found 9
1 error; nothing was done'
out_is ''

# without a place for the result
dlsim calibrate t.db
is_exit 2
err_is 'error: '\''calibrate'\'' needs the parameter file to write: -o params.yaml
usage: dlsim calibrate [options] TRACE.db -o PARAMS.yaml'
out_is ''

# an unknown recording
dlsim calibrate t.db -o p.yaml --recording other
is_exit 3
err_is 't.db: error: no recording '\''other'\'' in this database
1 error; nothing was done'
out_is ''

# a recording without batch times
"$DLSIM" import spans good.spans.csv --config good.json -o nobatch.db --quiet
dlsim calibrate nobatch.db -o p.yaml
is_exit 3
err_is 'nobatch.db: table '\''trace'\'', row 1: error: recording '\''good'\'' has no batch times at the training loop
1 error; nothing was done'
out_is ''

# a recording without configuration
"$DLSIM" import spans good.spans.csv --batches good.batches.csv -o noconfig.db --quiet
dlsim calibrate noconfig.db -o p.yaml
is_exit 3
err_is 'noconfig.db: table '\''trace'\'', row 1: error: recording '\''good'\'' has no '\''batch'\'' in its configuration
noconfig.db: table '\''trace'\'', row 1: error: recording '\''good'\'' has no '\''cores'\'' in its configuration
2 errors; nothing was done'
out_is ''

# a recording without collate
grep -v collate good.spans.csv >nocollate.spans.csv
"$DLSIM" import spans nocollate.spans.csv --batches good.batches.csv --config good.json -o nocollate.db --quiet
dlsim calibrate nocollate.db -o p.yaml
is_exit 3
err_is 'nocollate.db: table '\''trace'\'', row 1: error: recording '\''nocollate'\'' has no collate span: its batches cannot be told apart
1 error; nothing was done'
out_is ''

# measurements only
printf 'test,class,n,value,unit\nrate,decode,1,355,ops_per_s\n' >micro.csv
"$DLSIM" import micro micro.csv -o micro.db --quiet
dlsim calibrate micro.db -o p.yaml
is_exit 3
err_is 'micro.db: error: the database holds no recording with spans
1 error; nothing was done'
out_is ''
[ ! -e p.yaml ]
ok $? "no parameter file after all these"

# a full disk
dlsim calibrate t.db -o /dev/full
is_exit 1
err_is 'error: cannot write '\''/dev/full'\'': No space left on device'
out_is ''

# a folder that is not there
dlsim calibrate t.db -o nowhere/p.yaml
is_exit 1
err_is 'error: cannot write '\''nowhere/p.yaml'\'': No such file or directory'
out_is ''
[ ! -e nowhere ]
ok $? "nothing was made"

# a folder in the place of the parameter file
mkdir folder
dlsim calibrate t.db -o folder
is_exit 1
err_is 'error: cannot write '\''folder'\'': Is a directory'
[ ! -e folder.samples.csv ]
ok $? "no table beside it"

# a database that is a folder, or empty
dlsim calibrate folder -o p.yaml
is_exit 1
err_is 'folder: error: cannot open: Is a directory'
: >zero.db
dlsim calibrate zero.db -o p.yaml
is_exit 3
err_is 'zero.db: error: not a trace database: expected application id 0x646c7374, found 0x00000000
1 error; nothing was done'
head -c 6000 t.db >half.db
dlsim calibrate half.db -o p.yaml
is_exit 3
err_is 'half.db: error: cannot read: database disk image is malformed
1 error; nothing was done'

# recordings of different data
printf '{"config": {"workers": 0, "batch": 1, "prefetch": 2, "cores": 2, "domain": "b"}}\n' >other.json
sed 's/,jpeg,/,flac,/' good.spans.csv >other.spans.csv
cp t.db two.db
"$DLSIM" import spans other.spans.csv --batches good.batches.csv --config other.json -o two.db --quiet
dlsim calibrate two.db -o p.yaml
is_exit 3
err_is 'two.db: table '\''trace'\'', row 1: error: recordings '\''good'\'' and '\''other'\'' are of different data: choose one family with --recording
1 error; nothing was done'
dlsim calibrate two.db -o one.yaml --recording good --quiet
is_exit 0

# numbers of the configuration
printf '{"config": {"workers": 0, "batch": "many", "prefetch": 1.5, "cores": 0, "step_ms": -1}}\n' >bad.json
"$DLSIM" import spans good.spans.csv --batches good.batches.csv --config bad.json -o badconfig.db --quiet
dlsim calibrate badconfig.db -o p.yaml
is_exit 3
err_is 'badconfig.db: table '\''trace'\'', row 1: error: recording '\''good'\'': '\''batch'\'' in its configuration must be a whole number from 1 to 2147483647, found '\''many'\''
badconfig.db: table '\''trace'\'', row 1: error: recording '\''good'\'': '\''cores'\'' in its configuration must be a whole number from 1 to 2147483647, found '\''0'\''
badconfig.db: table '\''trace'\'', row 1: error: recording '\''good'\'': '\''prefetch'\'' in its configuration must be a whole number from 1 to 2147483647, found '\''1.5'\''
badconfig.db: table '\''trace'\'', row 1: error: recording '\''good'\'': '\''step_ms'\'' in its configuration must be a number from 0 to 2147483647, found '\''-1'\''
4 errors; nothing was done'

# rows that another program has changed
if command -v sqlite3 >/dev/null; then
    changed m.db 'update span set dur_ns = -5 where span = 2'
    dlsim calibrate m.db -o p.yaml
    is_exit 3
    err_is 'm.db: table '\''span'\'', row 2: error: '\''dur_ns'\'' must be at least 0, found -5
1 error; nothing was done'
    changed m.db "update span set stage = 'dekode' where span = 2"
    dlsim calibrate m.db -o p.yaml
    is_exit 3
    err_is 'm.db: table '\''span'\'', row 2: error: unknown stage '\''dekode'\''
1 error; nothing was done'
    changed m.db 'update batch set arrive_ns = 1 where row = 2'
    dlsim calibrate m.db -o p.yaml
    is_exit 3
    err_is 'm.db: table '\''batch'\'', row 2: error: '\''arrive_ns'\'' lies before '\''request_ns'\''
1 error; nothing was done'
    changed m.db 'drop table span'
    dlsim calibrate m.db -o p.yaml
    is_exit 3
    err_is 'm.db: error: cannot read: no such table: span
1 error; nothing was done'
    sqlite3 foreign.db 'create table a(b)'
    dlsim calibrate foreign.db -o p.yaml
    is_exit 3
    err_is 'foreign.db: error: not a trace database: expected application id 0x646c7374, found 0x00000000
1 error; nothing was done'
else
    ok 0 "rows that another program has changed # SKIP no sqlite3"
fi
[ ! -e p.yaml ] && [ ! -e p.samples.csv ]
ok $? "no parameter file after all these"

# files of an earlier calibration stay as they were, all of them
echo old >p.yaml
echo old >p.samples.csv
echo old >s.yaml
untouched()
{
    set -- p.* s.*
    [ $# -eq 3 ] && [ "$(cat "$@" | tr '\n' ' ')" = 'old old old ' ]
    ok $? "$command_line: older files are as they were"
}
dlsim calibrate two.db -o p.yaml --scenario s.yaml
is_exit 3
untouched
dlsim calibrate t.db -o p.yaml --scenario nowhere/s.yaml
is_exit 1
err_is 'error: cannot write '\''nowhere/s.yaml'\'': No such file or directory'
untouched
dlsim calibrate t.db -o p.yaml --scenario /dev/full
is_exit 1
err_is 'error: cannot write '\''/dev/full'\'': No space left on device'
untouched
dlsim calibrate t.db -o folder --scenario s.yaml
is_exit 1
untouched

# one file for two things
cp t.db before.db
dlsim calibrate t.db -o ./t.db
is_exit 2
err_is 'error: parameter file and database would be one file: '\''./t.db'\''
usage: dlsim calibrate [options] TRACE.db -o PARAMS.yaml'
cmp -s t.db before.db
ok $? "the database is as it was"
dlsim calibrate t.db -o p.yaml --scenario p.yaml
is_exit 2
err_is 'error: scenario and parameter file would be one file: '\''p.yaml'\''
usage: dlsim calibrate [options] TRACE.db -o PARAMS.yaml'
dlsim calibrate t.db -o p.yaml --scenario p.samples.csv
is_exit 2
err_is 'error: scenario and sample table would be one file: '\''p.samples.csv'\''
usage: dlsim calibrate [options] TRACE.db -o PARAMS.yaml'
untouched

# the scenario finds its parameters from any folder
mkdir a a/b
dlsim calibrate t.db -o a/p.yaml --scenario a/b/s.yaml --quiet
is_exit 0
grep -q '^params: "../p.yaml"$' a/b/s.yaml
ok $? "the path of the parameters is seen from the scenario"
dlsim run a/b/s.yaml --quiet
is_exit 0

done_testing
