#!/usr/bin/perl
# scenarios.t: did a shipped result change? Every scenarios/*.yaml is run with its own seed, the large ones on fewer samples, and
# compared with scenarios.golden: numbers to 6 digits, fingerprints exactly. GOLDEN_UPDATE=1 rewrites the file and prints
# what moved; the commit then says why.
use strict;
use warnings;
use JSON::PP;

my $dlsim = $ENV{DLSIM} // 'build/dlsim';
my $golden = 'tests/golden/scenarios.golden';
my %fewer = (imagenet_pytorch => 20000, speech_librispeech => 9600, nlp_pretrain => 19200);
my @metrics = qw(samples_per_s items_per_s au step_s step_s_p50 step_s_p95 wait_s first_batch_s epoch_s cache_hit_ratio
                 bytes_read_per_epoch device_busy cpu_busy cpu_s shm_peak_bytes pinned_peak_bytes);

sub number { defined $_[0] ? sprintf '%.6g', $_[0] : 'null' }

# One scenario as lines "scenario key value".
sub measure {
    my ($path) = @_;
    my ($name) = $path =~ m{([^/]+)\.yaml$};
    my @set = ('--set', 'run.replications=2');
    push @set, '--set', "source.samples=$fewer{$name}" if $fewer{$name};
    open my $out, '-|', $dlsim, 'run', $path, '--json', '--quiet', @set or die "$dlsim: $!";
    my $text = do { local $/; <$out> };
    close $out;
    my $result = eval { decode_json($text) } or return "$name failed $?";
    my @lines = ("$name verdict $result->{verdict}");
    for my $metric (@metrics) {
        my $value = $result->{metrics}{$metric};
        push @lines, join ' ', $name, $metric, map { number($value->{$_}) } qw(value low high predict_low predict_high);
    }
    my $print = $result->{fingerprint};
    push @lines, "$name fingerprint " . (ref $print ? encode_json($print) : $print);
    return @lines;
}

my @found = map { measure($_) } sort glob 'scenarios/*.yaml';
my @kept;
if (open my $file, '<', $golden) {
    chomp(@kept = <$file>);
}
my %kept = map { /^(\S+ \S+) (.*)$/ ? ($1 => $2) : () } @kept;
if ($ENV{GOLDEN_UPDATE}) {
    for (@found) {
        my ($key, $value) = /^(\S+ \S+) (.*)$/;
        print "# $key: ", $kept{$key} // 'new', " -> $value\n" if ($kept{$key} // '') ne $value;
    }
    open my $file, '>', $golden or die "$golden: $!";
    print $file "$_\n" for @found;
    close $file or die "$golden: $!";
    print "1..1\nok 1 - $golden written\n";
    exit 0;
}
print '1..', scalar @found, "\n";
my $number = 0;
my $failed = 0;
for (@found) {
    my ($key, $value) = /^(\S+ \S+) (.*)$/;
    my $same = defined $kept{$key} && $kept{$key} eq $value;
    $failed ||= !$same;
    print $same ? 'ok ' : 'not ok ', ++$number, " - $key\n";
    print '# kept ', $kept{$key} // 'nothing', ", found $value\n" unless $same;
}
exit $failed;
