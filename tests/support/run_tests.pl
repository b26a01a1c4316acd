#!/usr/bin/perl
# run_tests.pl [--verbose] [-j N] PROGRAM|SCRIPT.t ...: runs tests that speak TAP, N at a time, and counts test cases.
#
# One line for each program, what it said when something failed, and one last line "N passed, N failed, N skipped". A
# program that crashes, hangs, breaks its plan or exits with a status that its cases do not explain is one failed case
# more. Exit status 1 when a case failed or none ran.
use strict;
use warnings;
use File::Temp qw(tempdir);
use Getopt::Long qw(:config bundling);
use POSIX qw(:sys_wait_h setpgid);
use TAP::Parser;
use Time::HiRes qw(time);

my ($verbose, $jobs, $limit_s) = (0, 2, 600);
GetOptions('verbose' => \$verbose, 'j=i' => \$jobs, 'limit=i' => \$limit_s) or exit 2;

$ENV{CMOCKA_MESSAGE_OUTPUT} = 'TAP';
$ENV{LC_ALL} = 'C';
# cmocka catches signals itself, which would hide the sanitizer's report; a test asks for more memory than there is.
$ENV{ASAN_OPTIONS} = join ':', grep { defined && length } $ENV{ASAN_OPTIONS},
    'allow_user_segv_handler=0:handle_segv=2:allocator_may_return_null=1';
$ENV{UBSAN_OPTIONS} = join ':', grep { defined && length } $ENV{UBSAN_OPTIONS}, 'print_stacktrace=1';

my $folder = tempdir('dlsim-tests-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my %total = (passed => 0, failed => 0, skipped => 0);

sub slurp
{
    my ($path) = @_;
    open my $file, '<', $path or return '';
    local $/;
    return scalar(<$file>) // '';
}

# A script without execute permission is run by the interpreter of its first line.
sub command_of
{
    my ($path) = @_;
    return $path =~ m{/} ? $path : "./$path" if -x $path;
    open my $file, '<', $path or return $path;
    my $line = <$file> // '';
    return ($1, $path) if $line =~ m{^#!\s*(\S+)};
    return ('sh', $path);
}

sub start
{
    my ($index, $path) = @_;
    my @command = command_of($path);
    my $pid = fork // die "run_tests.pl: cannot fork: $!\n";
    if ($pid == 0) {
        setpgid(0, 0);
        open STDIN, '<', '/dev/null';
        open STDOUT, '>', "$folder/$index.out";
        open STDERR, '>', "$folder/$index.err";
        exec { $command[0] } @command or do {
            print STDERR "cannot run $path: $!\n";
            POSIX::_exit(127);
        };
    }
    setpgid($pid, $pid);
    return { pid => $pid, index => $index, path => $path, started => time, hung => 0 };
}

sub how_it_ended
{
    my ($test, $status) = @_;
    return "ran longer than $limit_s s" if $test->{hung};
    return 'ended by signal ' . ($status & 127) if $status & 127;
    return 'exit status ' . ($status >> 8);
}

# Counts the cases of a finished test; returns its counts and the reasons why the program itself failed.
sub judge
{
    my ($test, $status) = @_;
    my $said = slurp("$folder/$test->{index}.out");
    my %count = (passed => 0, failed => 0, skipped => 0);
    my @wrong;
    my $parser = TAP::Parser->new({ tap => length $said ? $said : "\n" });
    while (my $result = $parser->next) {
        next unless $result->is_test;
        my $kind = !$result->is_ok ? 'failed' : $result->has_skip ? 'skipped' : 'passed';
        $count{$kind}++;
    }
    push @wrong, $parser->parse_errors;
    push @wrong, how_it_ended($test, $status) if $test->{hung} || $status & 127 || ($status && !$count{failed});
    push @wrong, "says that all is well in spite of $count{failed} failed" if !$status && $count{failed};
    if (defined $parser->skip_all) {
        $count{skipped}++;
        @wrong = () if !$status;
    }
    $count{failed}++ if @wrong;
    return (\%count, @wrong);
}

sub report
{
    my ($test, $status) = @_;
    my ($count, @wrong) = judge($test, $status);
    $total{$_} += $count->{$_} for keys %total;
    (my $name = $test->{path}) =~ s{^(?:build/|tests/)}{};
    printf "%-6s %-36s %4d passed%s%s  %.1f s\n", $count->{failed} ? 'FAILED' : 'ok', $name, $count->{passed},
        $count->{failed} ? ", $count->{failed} failed" : '', $count->{skipped} ? ", $count->{skipped} skipped" : '',
        time - $test->{started};
    print "    $name: $_\n" for @wrong;
    return unless $verbose || $count->{failed};
    for my $stream ('out', 'err') {
        for my $line (split /\n/, slurp("$folder/$test->{index}.$stream")) {
            print "    $line\n" if $verbose || $stream eq 'err' || $line !~ /^(?:ok |1\.\.)/;
        }
    }
}

my %running;
my @waiting = @ARGV;
my $started = 0;
$SIG{$_} = sub { kill 'KILL', map { -$_ } keys %running; exit 130 } for 'INT', 'TERM';
$| = 1;
while (@waiting || %running) {
    while (@waiting && keys %running < $jobs) {
        my $test = start($started++, shift @waiting);
        $running{ $test->{pid} } = $test;
    }
    my $pid = waitpid -1, WNOHANG;
    if ($pid > 0 && $running{$pid}) {
        my $status = $?;
        kill 'KILL', -$pid; # what a test left behind
        report(delete $running{$pid}, $status);
        next;
    }
    for my $test (values %running) {
        next if time - $test->{started} < $limit_s;
        $test->{hung} = 1;
        kill 'KILL', -$test->{pid};
    }
    select undef, undef, undef, 0.01;
}
print "$total{passed} passed, $total{failed} failed, $total{skipped} skipped\n";
exit($total{failed} || !($total{passed} + $total{skipped}) ? 1 : 0);
