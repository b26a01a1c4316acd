#!/bin/sh
# Help, version, and that they agree with each other and with the manual page and completion.
. "$(dirname "$0")/harness.sh"

dlsim --version
is_exit 0
out_is 'dlsim 0.1.0'
err_is ''

dlsim --help
is_exit 0
narrow
err_is ''
out_has 'usage: dlsim COMMAND *'
out_has '  run  *'
out_has '  4  ran, but the answer is no*'
cp "$scratch/out" "$scratch/overview"

dlsim help
is_exit 0
cmp -s "$scratch/out" "$scratch/overview"
ok $? "'dlsim help' is 'dlsim --help'"

dlsim help nothing-like-it
is_exit 2
out_is ''

commands=$(sed -n '/^commands/,/^$/s/^  \([a-z]*\) .*/\1/p' "$scratch/overview")
[ -n "$commands" ]
ok $? 'there are commands'
for command in $commands; do
    dlsim help "$command"
    is_exit 0
    narrow
    out_has "usage: dlsim $command \[options\]*"
    out_has 'options of every command'
    cp "$scratch/out" "$scratch/explained"
    grep -o -e '--[a-z-]*' "$scratch/explained" | sort -u >"$scratch/options"
    missing=$(while read -r option; do
        grep -qF -e "$(echo "$option" | sed 's/-/\\-/g')" "$root/sim/cmd/dlsim.1" || echo "$option"
    done <"$scratch/options")
    [ -z "$missing" ]
    ok $? "options of '$command' are in the manual page: $missing"
    grep -q "^\.SS $command\$\|^\.B dlsim $command\$" "$root/sim/cmd/dlsim.1"
    ok $? "'$command' is in the manual page"

    dlsim "$command" --help
    is_exit 0
    cmp -s "$scratch/out" "$scratch/explained"
    ok $? "'dlsim $command --help' is 'dlsim help $command'"
done

# --help wins over missing arguments, not over mistakes.
dlsim run --help --bad
is_exit 2
out_is ''

# Output goes where it is told, and a full disk is noticed.
dlsim help --out help.txt
is_exit 0
out_is ''
cmp -s help.txt "$scratch/overview"
ok $? '--out writes the same'
if [ -w /dev/full ]; then
    dlsim help --out /dev/full
    is_exit 1
    err_has "*cannot write '/dev/full': No space left on device"
    "$DLSIM" help >/dev/full 2>"$scratch/err"
    exit=$?
    command_line='dlsim help >/dev/full'
    is_exit 1
    err_has "*cannot write 'standard output': No space left on device"
fi
dlsim help -o no/such/folder/x
is_exit 1
err_has "*cannot write 'no/such/folder/x': No such file or directory"

done_testing
