#!/bin/sh
# dlsim import: rows into a database, once; nothing after a failure.
. "$(dirname "$0")/harness.sh"

cat >micro.csv <<'CSV'
test,class,n,value,unit
rate,decode,1,355,ops_per_s
rate,decode,2,973,ops_per_s
CSV
dlsim import micro micro.csv -o trace.db
is_exit 0
out_is 'trace.db: trace 1: 2 micros'
err_is ''

cat >run.spans.csv <<'CSV'
epoch,batch,sample,worker,pid,tid,stage,op,start_ns,dur_ns,cpu_ns,bytes
0,0,-1,-1,10,10,wait,next,1000,500,400,-1
0,0,3,-1,10,10,read,jpg,1010,100,90,4096
0,0,-1,-1,10,10,step,sleep,1500,200,0,-1
CSV
printf 'epoch,batch,request_ns,arrive_ns,done_ns\n0,0,0,500,700\n' >run.batches.csv
dlsim import spans run.spans.csv --batches run.batches.csv -o trace.db --json
is_exit 0
out_has '{"db": "trace.db", "trace": 2, "spans": 3, "batches": 1, *"clock_offset_ns": 1000,*}'

dlsim import spans run.spans.csv --quiet -o trace.db
is_exit 3
out_is ''
err_has '*run.spans.csv*'

printf 'test,class,n,value,unit\nrate,decode,one,355,ops_per_s\n' >bad.csv
dlsim import micro bad.csv -o new.db
is_exit 3
err_has 'bad.csv:2*'
[ ! -e new.db ]
ok $? 'no database after a failure'

dlsim import micro nowhere.csv -o new.db
is_exit 1
err_has '*nowhere.csv*No such file or directory*'
[ ! -e new.db ]
ok $? 'no database after a failure'

done_testing
