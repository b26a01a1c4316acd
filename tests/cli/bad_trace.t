#!/bin/sh
# bad_trace.t: every mistake in a recording or a database gets its message, and nothing is half-written.
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

# a missing file
dlsim import spans nowhere.spans.csv -o new.db
is_exit 1
err_is 'nowhere.spans.csv: error: cannot read: No such file or directory'
out_is ''
[ ! -e new.db ]
ok $? "no database after a failure"

# a folder
mkdir folder.spans.csv
dlsim import spans folder.spans.csv -o new.db
is_exit 1
err_is 'folder.spans.csv: error: cannot read: Is a directory'
out_is ''
[ ! -e new.db ]
ok $? "no database after a failure"

# an empty file
: >bad.spans.csv
dlsim import spans bad.spans.csv -o new.db
is_exit 3
err_is 'bad.spans.csv:1: error: expected a header line, found an empty file
1 error; nothing was done'
out_is ''
[ ! -e new.db ]
ok $? "no database after a failure"

# a header and nothing else
printf 'epoch,batch,sample,worker,pid,tid,stage,op,start_ns,dur_ns,cpu_ns,bytes\n' >bad.spans.csv
dlsim import spans bad.spans.csv -o new.db
is_exit 3
err_is 'bad.spans.csv:2: error: empty recording: expected rows after the header, found none
1 error; nothing was done'
out_is ''
[ ! -e new.db ]
ok $? "no database after a failure"

# another header
printf 'epoch,batch,sample\n0,0,0\n' >bad.spans.csv
dlsim import spans bad.spans.csv -o new.db
is_exit 3
err_is 'bad.spans.csv:1: error: column '\''worker'\'' is missing
bad.spans.csv:1: error: column '\''pid'\'' is missing
bad.spans.csv:1: error: column '\''tid'\'' is missing
bad.spans.csv:1: error: column '\''stage'\'' is missing
bad.spans.csv:1: error: column '\''op'\'' is missing
bad.spans.csv:1: error: column '\''start_ns'\'' is missing
bad.spans.csv:1: error: column '\''dur_ns'\'' is missing
bad.spans.csv:1: error: column '\''cpu_ns'\'' is missing
bad.spans.csv:1: error: column '\''bytes'\'' is missing
9 errors; nothing was done'
out_is ''
[ ! -e new.db ]
ok $? "no database after a failure"

# bytes that are no text
printf '\000\001\377binary\n' >bad.spans.csv
dlsim import spans bad.spans.csv -o new.db
is_exit 3
err_is 'bad.spans.csv:1:1: error: expected text, found byte 0x00
1 error; nothing was done'
out_is ''
[ ! -e new.db ]
ok $? "no database after a failure"

# a field too few
printf 'epoch,batch,sample,worker,pid,tid,stage,op,start_ns,dur_ns,cpu_ns,bytes\n0,0,-1,-1,1,1,wait,next,1,1,1\n' >bad.spans.csv
dlsim import spans bad.spans.csv -o new.db
is_exit 3
err_is 'bad.spans.csv:2: error: expected 12 fields, found 11
1 error; nothing was done'
out_is ''
[ ! -e new.db ]
ok $? "no database after a failure"

# a word for a number
printf 'epoch,batch,sample,worker,pid,tid,stage,op,start_ns,dur_ns,cpu_ns,bytes\n0,0,-1,-1,1,1,wait,next,one,1,1,-1\n' >bad.spans.csv
dlsim import spans bad.spans.csv -o new.db
is_exit 3
err_is 'bad.spans.csv:2:25: error: '\''start_ns'\'' must be a whole number, found '\''one'\''
1 error; nothing was done'
out_is ''
[ ! -e new.db ]
ok $? "no database after a failure"

# a negative duration
printf 'epoch,batch,sample,worker,pid,tid,stage,op,start_ns,dur_ns,cpu_ns,bytes\n0,0,-1,-1,1,1,wait,next,1,-5,1,-1\n' >bad.spans.csv
dlsim import spans bad.spans.csv -o new.db
is_exit 3
err_is 'bad.spans.csv:2:27: error: '\''dur_ns'\'' must be at least 0, found -5
1 error; nothing was done'
out_is ''
[ ! -e new.db ]
ok $? "no database after a failure"

# a number beyond 64 bits
printf 'epoch,batch,sample,worker,pid,tid,stage,op,start_ns,dur_ns,cpu_ns,bytes\n0,0,-1,-1,1,1,wait,next,99999999999999999999,5,1,-1\n' >bad.spans.csv
dlsim import spans bad.spans.csv -o new.db
is_exit 3
err_is 'bad.spans.csv:2:25: error: '\''start_ns'\'' must be at most 9223372036854775807, found 99999999999999999999
1 error; nothing was done'
out_is ''
[ ! -e new.db ]
ok $? "no database after a failure"

# an unknown stage
printf 'epoch,batch,sample,worker,pid,tid,stage,op,start_ns,dur_ns,cpu_ns,bytes\n0,0,-1,-1,1,1,dekode,next,1,5,1,-1\n' >bad.spans.csv
dlsim import spans bad.spans.csv -o new.db
is_exit 3
err_is 'bad.spans.csv:2:15: error: unknown stage '\''dekode'\'' (did you mean '\''decode'\''?)
1 error; nothing was done'
out_is ''
[ ! -e new.db ]
ok $? "no database after a failure"

# a last line that is cut off
printf 'epoch,batch,sample,worker,pid,tid,stage,op,start_ns,dur_ns,cpu_ns,bytes\n0,0,-1,-1,1,1,wait,next,1,5,1,-1' >bad.spans.csv
dlsim import spans bad.spans.csv -o new.db
is_exit 3
err_is 'bad.spans.csv:2: error: the last line has no line end: the file is cut off
1 error; nothing was done'
out_is ''
[ ! -e new.db ]
ok $? "no database after a failure"

# a gzip file cut short
gzip -c good.spans.csv | head -c 60 >bad.spans.csv.gz
dlsim import spans bad.spans.csv.gz -o new.db
is_exit 3
err_is 'bad.spans.csv.gz: error: gzip data is cut off at byte 60 of the file
1 error; nothing was done'
out_is ''
[ ! -e new.db ]
ok $? "no database after a failure"

# batches of negative time
printf 'epoch,batch,request_ns,arrive_ns,done_ns\n0,0,500,430,430\n' >bad.batches.csv
dlsim import spans good.spans.csv --batches bad.batches.csv -o new.db
is_exit 3
err_is 'bad.batches.csv:2:9: error: '\''arrive_ns'\'' must be at least 500, found 430
bad.batches.csv:2:13: error: '\''done_ns'\'' must be at least 500, found 430
2 errors; nothing was done'
out_is ''
[ ! -e new.db ]
ok $? "no database after a failure"

# a configuration that is no JSON
printf '{"config": ' >bad.json
dlsim import spans good.spans.csv --config bad.json -o new.db
is_exit 3
err_is 'bad.json:1:12: error: JSON ends too early: the file is cut off
  1 | {"config": 
    |            ^
1 error; nothing was done'
out_is ''
[ ! -e new.db ]
ok $? "no database after a failure"

# a configuration without config
printf '{}\n' >bad.json
dlsim import spans good.spans.csv --config bad.json -o new.db
is_exit 3
err_is 'bad.json: error: key '\''config'\'' is missing in the file
1 error; nothing was done'
out_is ''
[ ! -e new.db ]
ok $? "no database after a failure"

# a database that is none
cp good.spans.csv none.db
dlsim import spans good.spans.csv -o none.db
is_exit 3
err_is 'none.db: error: not a trace database: no SQLite file
1 error; nothing was done'
out_is ''
cmp -s none.db good.spans.csv
ok $? "the file is as it was"

# a folder that is not there
dlsim import spans good.spans.csv -o nowhere/t.db
is_exit 1
err_is 'nowhere/t.db: error: cannot write: No such file or directory'
out_is ''
[ ! -e nowhere ]
ok $? "nothing was made"

# a full disk
dlsim import spans good.spans.csv -o /dev/full
is_exit 1
err_is '/dev/full: error: cannot write: not a regular file'
out_is ''

# the same recording twice
"$DLSIM" import spans good.spans.csv --batches good.batches.csv --config good.json -o t.db --quiet
dlsim import spans good.spans.csv -o t.db
is_exit 3
err_is 'good.spans.csv: error: the same file is in the database already: recording '\''good'\'', number 1
1 error; nothing was done'
out_is ''

# micro: a word for a number
printf 'test,class,n,value,unit\nrate,decode,1,fast,ops_per_s\n' >bad.csv
dlsim import micro bad.csv -o new.db
is_exit 3
err_is 'bad.csv:2:15: error: '\''value'\'' must be a finite number, found '\''fast'\''
1 error; nothing was done'
out_is ''
[ ! -e new.db ]
ok $? "no database after a failure"

# calibrate: a database that is not there
dlsim calibrate nowhere.db -o p.yaml
is_exit 1
err_is 'nowhere.db: error: cannot open: No such file or directory'
out_is ''
[ ! -e p.yaml ]
ok $? "no parameter file"

# calibrate: no database at all
dlsim calibrate good.spans.csv -o p.yaml
is_exit 3
err_is 'good.spans.csv: error: not a trace database: no SQLite file
1 error; nothing was done'
out_is ''

# calibrate: another schema
cp t.db other.db
printf "\000\000\000\011" | dd of=other.db bs=1 seek=60 conv=notrunc 2>/dev/null
dlsim calibrate other.db -o p.yaml
is_exit 3
err_is 'other.db: error: expected version 1 of the trace database, found 9
1 error; nothing was done'
out_is ''

# calibrate: without a place for the result
dlsim calibrate t.db
is_exit 2
err_is 'error: '\''calibrate'\'' needs the parameter file to write: -o params.yaml
usage: dlsim calibrate [options] TRACE.db -o PARAMS.yaml'
out_is ''

# calibrate: an unknown recording
dlsim calibrate t.db -o p.yaml --recording other
is_exit 3
err_is 't.db: error: no recording '\''other'\'' in this database
1 error; nothing was done'
out_is ''

# calibrate: a recording without batch times
"$DLSIM" import spans good.spans.csv --config good.json -o nobatch.db --quiet
dlsim calibrate nobatch.db -o p.yaml
is_exit 3
err_is 'nobatch.db: table '\''trace'\'', row 1: error: recording '\''good'\'' has no batch times at the training loop
1 error; nothing was done'
out_is ''

# calibrate: a recording without configuration
"$DLSIM" import spans good.spans.csv --batches good.batches.csv -o noconfig.db --quiet
dlsim calibrate noconfig.db -o p.yaml
is_exit 3
err_is 'noconfig.db: table '\''trace'\'', row 1: error: recording '\''good'\'' needs '\''batch'\'', '\''cores'\'' and '\''prefetch'\'' of at least 1 in its configuration
1 error; nothing was done'
out_is ''

# calibrate: a recording without collate
grep -v collate good.spans.csv >nocollate.spans.csv
"$DLSIM" import spans nocollate.spans.csv --batches good.batches.csv --config good.json -o nocollate.db --quiet
dlsim calibrate nocollate.db -o p.yaml
is_exit 3
err_is 'nocollate.db: table '\''trace'\'', row 1: error: recording '\''nocollate'\'' has no collate span: its batches cannot be told apart
1 error; nothing was done'
out_is ''

# calibrate: measurements only
printf 'test,class,n,value,unit\nrate,decode,1,355,ops_per_s\n' >micro.csv
"$DLSIM" import micro micro.csv -o micro.db --quiet
dlsim calibrate micro.db -o p.yaml
is_exit 3
err_is 'micro.db: error: the database holds no recording with spans
1 error; nothing was done'
out_is ''
[ ! -e p.yaml ]
ok $? "no parameter file after all these"

# calibrate: a full disk
dlsim calibrate t.db -o /dev/full
is_exit 1
err_is 'error: cannot write '\''/dev/full'\'': No space left on device'
out_is ''

# calibrate: a folder that is not there
dlsim calibrate t.db -o nowhere/p.yaml
is_exit 1
err_is 'error: cannot write '\''nowhere/p.samples.csv'\'': No such file or directory'
out_is ''
[ ! -e nowhere ]
ok $? "nothing was made"

done_testing
