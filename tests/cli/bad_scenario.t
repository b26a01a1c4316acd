#!/bin/sh
# bad_scenario.t: every mistake in a scenario, its files or its options gets its message, and nothing is half-written.
. "$(dirname "$0")/harness.sh"
. "$root/tests/cli/small.sh"

# an empty file
: >bad.yaml
dlsim run bad.yaml
is_exit 3
err_is 'bad.yaml: error: the file is empty
1 error; nothing was done'
out_is ''

# a tab in the indentation
printf 'dlsim: 1\n\tname: x\n' >bad.yaml
dlsim run bad.yaml
is_exit 3
err_has 'bad.yaml:2:1: error: not valid YAML: found a tab character that violates indentation while scanning a plain scalar'
out_is ''

# no text at all
printf '\377\376\000' >bad.yaml
dlsim run bad.yaml
is_exit 3
err_has 'bad.yaml:1:1: error: not a text file: invalid leading UTF-8 octet'
out_is ''

# another kind of YAML file
printf 'name: x\n' >bad.yaml
dlsim run bad.yaml
is_exit 3
err_is 'bad.yaml:1:1: error: the file must begin with '\''dlsim: 1'\''
  1 | name: x
    | ^~~~
1 error; nothing was done'
out_is ''

# another version
sed 's/dlsim: 1/dlsim: 2/' small.yaml >bad.yaml
dlsim run bad.yaml
is_exit 3
err_is 'bad.yaml:1:8: error: '\''dlsim'\'' must be 1, the version that this program reads, found '\''2'\''
  1 | dlsim: 2
    |        ^
1 error; nothing was done'
out_is ''

# an unknown kind
sed 's/loader.pytorch/loader.pool/' small.yaml >bad.yaml
dlsim run bad.yaml
is_exit 3
err_is 'bad.yaml:11:16: error: unknown kind '\''loader.pool'\'' of loader: valid kinds are loader.pytorch, loader.monai, loader.none (did you mean '\''loader.none'\''?)
  11 | loader: {kind: loader.pool, workers: 2, batch: 10}
     |                ^~~~~~~~~~~
1 error; nothing was done'
out_is ''

# an unknown key
sed 's/workers: 2/workres: 2/' small.yaml >bad.yaml
dlsim run bad.yaml
is_exit 3
err_is 'bad.yaml:11:32: error: unknown key '\''workres'\'' in loader.pytorch (did you mean '\''workers'\''?)
  11 | loader: {kind: loader.pytorch, workres: 2, batch: 10}
     |                                ^~~~~~~
1 error; nothing was done'
out_is ''

# an unknown section
sed 's/^run:/rnu:/' small.yaml >bad.yaml
dlsim run bad.yaml
is_exit 3
err_is 'bad.yaml:13:1: error: unknown section '\''rnu'\'' (did you mean '\''run'\''?)
  13 | rnu: {epochs: 2, replications: 4, seed: 1}
     | ^~~
1 error; nothing was done'
out_is ''

# prefetch with 0 workers
sed 's/workers: 2/workers: 0, prefetch: 2/' small.yaml >bad.yaml
dlsim run bad.yaml
is_exit 3
err_is 'bad.yaml:11:54: error: '\''prefetch'\'' needs at least 1 worker, found '\''workers'\'' 0
  11 | loader: {kind: loader.pytorch, workers: 0, prefetch: 2, batch: 10}
     |                                                      ^
1 error; nothing was done'
out_is ''

# a batch larger than the data set
sed 's/batch: 10/batch: 1000/' small.yaml >bad.yaml
dlsim run bad.yaml
is_exit 3
err_is 'bad.yaml:11:51: error: '\''batch'\'' must be at most 200, the samples of a rank in an epoch, found 1000
  11 | loader: {kind: loader.pytorch, workers: 2, batch: 1000}
     |                                                   ^~~~
1 error; nothing was done'
out_is ''

# a negative count
sed 's/workers: 2/workers: -1/' small.yaml >bad.yaml
dlsim run bad.yaml
is_exit 3
err_is 'bad.yaml:11:41: error: '\''workers'\'' must be at least 0, found -1
  11 | loader: {kind: loader.pytorch, workers: -1, batch: 10}
     |                                         ^~
1 error; nothing was done'
out_is ''

# no replications
sed 's/replications: 4/replications: 0/' small.yaml >bad.yaml
dlsim run bad.yaml
is_exit 3
err_is 'bad.yaml:13:32: error: '\''replications'\'' must be at least 1, found 0
  13 | run: {epochs: 2, replications: 0, seed: 1}
     |                                ^
1 error; nothing was done'
out_is ''

# half a worker
sed 's/workers: 2/workers: 2.5/' small.yaml >bad.yaml
dlsim run bad.yaml
is_exit 3
err_is 'bad.yaml:11:41: error: '\''workers'\'' must be a whole number, found '\''2.5'\''
  11 | loader: {kind: loader.pytorch, workers: 2.5, batch: 10}
     |                                         ^~~
1 error; nothing was done'
out_is ''

# a time without unit
sed 's/20 ms/20/' small.yaml >bad.yaml
dlsim run bad.yaml
is_exit 3
err_is 'bad.yaml:12:45: error: '\''step.base'\'' must be a time with unit (ns, us, ms, s, min, h), found '\''20'\''
  12 | consumer: {kind: consumer.gpu, step: {base: 20}}
     |                                             ^~
1 error; nothing was done'
out_is ''

# a size where a time is due
sed 's/8 ms/8 MB/' small.yaml >bad.yaml
dlsim run bad.yaml
is_exit 3
err_is 'bad.yaml:10:58: error: '\''demand'\'' must be a time with unit (ns, us, ms, s, min, h), found '\''8 MB'\''
  10 |     - {op: decode, stage: decode, class: decode, demand: 8 MB}
     |                                                          ^~~~
1 error; nothing was done'
out_is ''

# a missing key
sed 's/, batch: 10//' small.yaml >bad.yaml
dlsim run bad.yaml
is_exit 3
err_is 'bad.yaml:11:9: error: missing key '\''batch'\'' in loader.pytorch
  11 | loader: {kind: loader.pytorch, workers: 2}
     |         ^
1 error; nothing was done'
out_is ''

# two mistakes are both reported
sed 's/workers: 2/workers: -2/; s/cores: 8/cores: 0/' small.yaml >bad.yaml
dlsim run bad.yaml
is_exit 3
err_is 'bad.yaml:4:15: error: '\''cores'\'' must be at least 1, found 0
  4 | host: {cores: 0}
    |               ^
bad.yaml:11:41: error: '\''workers'\'' must be at least 0, found -2
  11 | loader: {kind: loader.pytorch, workers: -2, batch: 10}
     |                                         ^~
2 errors; nothing was done'
out_is ''

# a key given twice
sed 's/^name: small/name: small\nname: again/' small.yaml >bad.yaml
dlsim run bad.yaml
is_exit 3
err_is 'bad.yaml:3:1: error: duplicate key '\''name'\'' (first on line 2)
  3 | name: again
    | ^~~~
1 error; nothing was done'
out_is ''

# a key and its synonym
sed 's/workers: 2/workers: 2, num_workers: 4/' small.yaml >bad.yaml
dlsim run bad.yaml
is_exit 3
err_is 'bad.yaml:11:44: error: '\''workers'\'' is given twice, as '\''workers'\'' on line 11 and as '\''num_workers'\''
  11 | loader: {kind: loader.pytorch, workers: 2, num_workers: 4, batch: 10}
     |                                            ^~~~~~~~~~~
1 error; nothing was done'
out_is ''

# an anchor
sed 's/^name: small/name: \&a small/' small.yaml >bad.yaml
dlsim run bad.yaml
is_exit 3
err_is 'bad.yaml:2:7: error: anchors are not supported: write the value out
  2 | name: &a small
    |       ^~~~~~~~
1 error; nothing was done'
out_is ''

# a list where a mapping is due
sed 's/^host: .*/host: [8]/' small.yaml >bad.yaml
dlsim run bad.yaml
is_exit 3
err_is 'bad.yaml:4:7: error: section '\''host'\'' must be a mapping, found a list
  4 | host: [8]
    |       ^
bad.yaml:4:7: error: missing key '\''cores'\'' in host
  4 | host: [8]
    |       ^
2 errors; nothing was done'
out_is ''

# a study
sed 's/^name: small/vary: {loader.workers: [1, 2]}\nname: small/' small.yaml >bad.yaml
dlsim run bad.yaml
is_exit 3
err_is 'bad.yaml:2:1: error: '\''vary'\'' belongs to sweep, which this version does not have
  2 | vary: {loader.workers: [1, 2]}
    | ^~~~
1 error; nothing was done'
out_is ''

# a missing parameter file
sed 's/^name: small/params: p.yaml\nname: small/' small.yaml >bad.yaml
dlsim run bad.yaml
is_exit 1
err_is 'error: cannot read '\''p.yaml'\'': No such file or directory
bad.yaml:2:9: note: the parameter file is named here
  2 | params: p.yaml
    |         ^~~~~~'
out_is ''

# a parameter file of another version
printf 'dlsim_params: 7\nname: p\n' >p.yaml
dlsim run bad.yaml
is_exit 3
err_is 'p.yaml:1:15: error: '\''dlsim_params'\'' must be 1, the version that this program reads, found '\''7'\''
  1 | dlsim_params: 7
    |               ^
1 error; nothing was done'
out_is ''

# a missing table
printf 'dlsim_params: 1\nname: p\nsource: {table: t.csv}\n' >p.yaml
dlsim run bad.yaml
is_exit 1
err_is 'error: cannot read '\''t.csv'\'': No such file or directory
p.yaml:3:17: note: the table is named here
  3 | source: {table: t.csv}
    |                 ^~~~~'
out_is ''

# a table with a row cut short
printf 'sample,bytes,decode\n1,2\n' >t.csv
dlsim run bad.yaml
is_exit 3
err_is 't.csv:2: error: expected 3 fields as in the header, found 2
1 error; nothing was done'
out_is ''

# a table with a word
printf 'sample,bytes,decode\n1,2,abc\n' >t.csv
dlsim run bad.yaml
is_exit 3
err_is 't.csv:2:5: error: '\''decode'\'' must be a number, found '\''abc'\''
1 error; nothing was done'
out_is ''

# a table with a negative size
printf 'sample,bytes,decode\n1,-2,3\n' >t.csv
dlsim run bad.yaml
is_exit 3
err_is 't.csv:2:3: error: '\''bytes'\'' must not be negative, found -2
1 error; nothing was done'
out_is ''

# a table without rows
printf 'sample,bytes,decode\n' >t.csv
dlsim run bad.yaml
is_exit 3
err_is 't.csv: error: expected at least one row after the header
1 error; nothing was done'
out_is ''

# a parameter no kind has
printf 'dlsim_params: 1\nname: p\nloader: {speed: 3}\n' >p.yaml
dlsim run bad.yaml
is_exit 3
err_is 'p.yaml:3:10: error: unknown key '\''speed'\'' in loader.pytorch
  3 | loader: {speed: 3}
    |          ^~~~~
1 error; nothing was done'
out_is ''

# a file that is not there
dlsim run nowhere.yaml
is_exit 1
err_is 'error: cannot read '\''nowhere.yaml'\'': No such file or directory'
out_is ''

# a folder
mkdir folder.yaml
dlsim run folder.yaml
is_exit 1
err_is 'error: cannot read '\''folder.yaml'\'': Is a directory'
out_is ''

# a path below a file
dlsim run small.yaml/x.yaml
is_exit 1
err_is 'error: cannot read '\''small.yaml/x.yaml'\'': Not a directory'
out_is ''

# --set without a value
dlsim run small.yaml --set loader.workers
is_exit 2
err_is 'error: '\''--set'\'' needs PATH=VALUE, found '\''loader.workers'\''
usage: dlsim run [options] SCENARIO.yaml'
out_is ''

# --set of an unknown section
dlsim run small.yaml --set loder.workers=2
is_exit 3
err_is '--set loder.workers: error: unknown section '\''loder'\'' (did you mean '\''loader'\''?)
1 error; nothing was done'
out_is ''

# --set of an unknown key
dlsim run small.yaml --set loader.wokers=2
is_exit 3
err_is '--set loader.wokers: error: unknown key '\''wokers'\'' in loader.pytorch (did you mean '\''workers'\''?)
1 error; nothing was done'
out_is ''

# --set of a word
dlsim run small.yaml --set loader.workers=two
is_exit 3
err_is '--set loader.workers:1:1: error: '\''workers'\'' must be a whole number, found '\''two'\''
  1 | two
    | ^~~
1 error; nothing was done'
out_is ''

# an unknown preset
dlsim run small.yaml --set host.preset=h100
is_exit 3
err_is '--set host.preset:1:1: error: unknown preset '\''h100'\'' of host: valid presets are h100_node, hgx_h100_64
  1 | h100
    | ^~~~
1 error; nothing was done'
out_is ''

# a preset of another kind
dlsim run small.yaml --set consumer.kind=consumer.sleep --set consumer.preset=h100_rnnt
is_exit 3
err_is '--set consumer.kind:1:1: error: preset '\''h100_rnnt'\'' belongs to consumer.gpu, not to consumer.sleep
  1 | consumer.sleep
    | ^~~~~~~~~~~~~~
1 error; nothing was done'
out_is ''

# scale of an op that is not there
dlsim run small.yaml --set transform.jpeg.scale=0.5
is_exit 3
err_is '--set transform.jpeg.scale: error: unknown key '\''jpeg'\'' in transform.chain
1 error; nothing was done'
out_is ''

# full disk
dlsim run small.yaml --json --out /dev/full
is_exit 1
err_is '[{"severity": "error", "text": "cannot write '\''/dev/full'\'': No space left on device"}]'
out_is ''

# a folder that is not there
dlsim run small.yaml --json --out nowhere/r.json
is_exit 1
err_is '[{"severity": "error", "text": "cannot write '\''nowhere/r.json'\'': No such file or directory"}]'
out_is ''
[ ! -e nowhere ]
ok $? "nothing was made"

# a plot on a full disk
dlsim run small.yaml --quiet --plot /dev/full
is_exit 1
err_is 'error: cannot write '\''/dev/full'\'': No space left on device'
out_is 'no: decode-bound; the GPU waits 54.5 % of the time'

# a plot into a folder that is not there
dlsim run small.yaml --quiet --plot nowhere/p.svg
is_exit 1
err_is 'error: cannot write '\''nowhere/p.svg'\'': No such file or directory'
out_is 'no: decode-bound; the GPU waits 54.5 % of the time'
[ ! -e nowhere ]
ok $? "nothing was made"

done_testing
