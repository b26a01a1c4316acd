#!/bin/sh
# Wrong use of the command line: message and usage on stderr, nothing on stdout, exit 2.
. "$(dirname "$0")/harness.sh"

dlsim
is_exit 2
out_is ''
err_is "usage: dlsim COMMAND [options] [FILE]; 'dlsim help' lists the commands"

dlsim rum
is_exit 2
out_is ''
err_has "*unknown command 'rum' (did you mean 'run'?)"

dlsim zzzzzzzz
is_exit 2
err_has "*unknown command 'zzzzzzzz'; 'dlsim help' lists the commands"

dlsim --json
is_exit 2
err_has "*a command is due before '--json'"

dlsim models --jsn
is_exit 2
out_is ''
err_has "*unknown option '--jsn' of 'models' (did you mean '--json'?)"
err_has 'usage: dlsim models *'

dlsim models -x
is_exit 2
err_has "*unknown option '-x' of 'models'; 'dlsim help models' lists the options"

dlsim models --json=yes
is_exit 2
err_has "*'--json' takes no value, found 'yes'"

dlsim models --out
is_exit 2
err_has "*'--out' needs a value: FILE"

dlsim models --jobs=0
is_exit 2
err_has "*'--jobs' must be a whole number 1..1024, found '0'"

dlsim models -jmany
is_exit 2
err_has "*'--jobs' must be a whole number 1..1024, found 'many'"

dlsim models --seed 99999999999999999999
is_exit 2
err_has "*'--seed' must be a whole number of at least 0, found '99999999999999999999'"

dlsim models --color sometimes
is_exit 2
err_has "*'--color' must be one of auto, always, never, found 'sometimes'"

# All mistakes of one line are told.
dlsim models --bad1 --bad2 cpu memory
is_exit 2
err_has "*unknown option '--bad1'*"
err_has "*unknown option '--bad2'*"
err_has "*'models' takes at most 1 argument, found 'memory'"

dlsim run
is_exit 2
err_has "*'run' needs SCENARIO.yaml"

dlsim import nonsense file -o x.db
is_exit 2
err_has "*unknown format 'nonsense', expected one of: spans, micro"

dlsim import span file -o x.db
is_exit 2
err_has "*unknown format 'span' (did you mean 'spans'?)"

dlsim import micro micro.csv
is_exit 2
err_has "*'import' needs the database: -o trace.db"

dlsim import micro micro.csv --batches b.csv -o x.db
is_exit 2
err_has "*'--batches' and '--config' belong to format 'spans' only"
[ ! -e x.db ]
ok $? 'no database after a wrong command line'

# What is no option: after "--", and "-" alone.
dlsim models -- --json
is_exit 2
err_has "*unknown kind '--json'*"

done_testing
