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

# half a nanosecond
printf 'epoch,batch,sample,worker,pid,tid,stage,op,start_ns,dur_ns,cpu_ns,bytes\n0,0,-1,-1,1,1,wait,next,1.5,1,1,-1\n' >bad.spans.csv
dlsim import spans bad.spans.csv -o new.db
is_exit 3
err_is 'bad.spans.csv:2:25: error: '\''start_ns'\'' must be a whole number, found '\''1.5'\''
1 error; nothing was done'
out_is ''
[ ! -e new.db ]
ok $? "no database after a failure"

# an end beyond the clock
printf 'epoch,batch,sample,worker,pid,tid,stage,op,start_ns,dur_ns,cpu_ns,bytes\n0,0,-1,-1,1,1,wait,next,9223372036854775807,1,1,-1\n' >bad.spans.csv
dlsim import spans bad.spans.csv -o new.db
is_exit 3
err_is 'bad.spans.csv:2:45: error: '\''start_ns'\'' + '\''dur_ns'\'' is beyond 64 bits
1 error; nothing was done'
out_is ''
[ ! -e new.db ]
ok $? "no database after a failure"

# batches or a configuration that are not there
dlsim import spans good.spans.csv --batches nowhere.csv -o new.db
is_exit 1
err_is 'nowhere.csv: error: cannot read: No such file or directory'
out_is ''
dlsim import spans good.spans.csv --config nowhere.json -o new.db
is_exit 1
err_is 'nowhere.json: error: cannot read: No such file or directory'
out_is ''
[ ! -e new.db ]
ok $? "no database after a failure"

# a path below a file
dlsim import spans good.spans.csv/x.csv -o new.db
is_exit 1
err_is 'good.spans.csv/x.csv: error: cannot read: Not a directory'
out_is ''

# places where nothing can be written
mkdir folder
dlsim import spans good.spans.csv -o folder
is_exit 1
err_is 'folder: error: cannot write: Is a directory'
dlsim import spans good.spans.csv -o good.json/t.db
is_exit 1
err_is 'good.json/t.db: error: cannot write: Not a directory'
dlsim import spans good.spans.csv -o /proc/t.db
is_exit 1
err_is '/proc/t.db: error: cannot write: No such file or directory'

# a recording that is rejected leaves the database as it was
"$DLSIM" import spans good.spans.csv --batches good.batches.csv --config good.json -o kept.db --quiet
cp kept.db before.db
printf 'epoch,batch,sample,worker,pid,tid,stage,op,start_ns,dur_ns,cpu_ns,bytes\n0,0,-1,-1,1,1,wait,next,1,-5,1,-1\n' >bad.spans.csv
dlsim import spans bad.spans.csv -o kept.db
is_exit 3
cmp -s kept.db before.db
ok $? "the database is as it was"

# half a database
head -c 6000 kept.db >half.db
cp half.db before.db
dlsim import spans bad.spans.csv -o half.db
is_exit 3
dlsim import spans good.spans.csv -o half.db
is_exit 3
err_is 'half.db: error: cannot read: database disk image is malformed
1 error; nothing was done'
cmp -s half.db before.db
ok $? "the database is as it was"

done_testing
