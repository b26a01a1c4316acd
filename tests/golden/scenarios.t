#!/usr/bin/perl
# scenarios.t: did a shipped result change? Every scenarios/*.yaml is run with its own seed, the large ones on fewer samples, and
# the whole result is compared with scenarios.golden: numbers to 6 digits, texts and fingerprints exactly. Version, hashes of the
# files and lines of origin are left out. GOLDEN_UPDATE=1 rewrites the file and prints what moved; the commit then says why.
use strict;
use warnings;
use JSON::PP;

my $dlsim = $ENV{DLSIM} // 'build/dlsim';
my $golden = 'tests/golden/scenarios.golden';
my %fewer = (imagenet_pytorch => 20000, speech_librispeech => 9600, nlp_pretrain => 19200);
my $masked = qr/^provenance\.(version|(scenario|params)\.(path|hash))$/;
my $json = JSON::PP->new->allow_bignum(0);

# A tree as a hash "path" => value.
sub flatten {
    my ($into, $path, $tree) = @_;
    if (ref $tree eq 'HASH') {
        flatten($into, $path eq '' ? $_ : "$path.$_", $tree->{$_}) for keys %$tree;
    } elsif (ref $tree eq 'ARRAY') {
        flatten($into, "$path.$_", $tree->[$_]) for 0 .. $#$tree;
    } else {
        $into->{$path} = text($tree);
    }
}

# JSON::PP keeps numbers as numbers: only those are rounded.
sub text {
    my ($value) = @_;
    return 'null' unless defined $value;
    return $value ? 'true' : 'false' if JSON::PP::is_bool($value);
    return $json->allow_nonref->encode($value) =~ /^"/ ? $value : sprintf '%.6g', $value;
}

# One scenario as "name path" => value.
sub measure {
    my ($path) = @_;
    my ($name) = $path =~ m{([^/]+)\.yaml$};
    my @set = ('--set', 'run.replications=2');
    push @set, '--set', "source.samples=$fewer{$name}" if $fewer{$name};
    open my $out, '-|', $dlsim, 'run', $path, '--json', '--quiet', @set or die "$dlsim: $!";
    my $said = do { local $/; <$out> };
    close $out;
    my $result = eval { $json->decode($said) } or return ("$name run" => "failed, status $?");
    my $values = delete $result->{provenance}{values};
    my %flat;
    flatten(\%flat, '', $result);
    $flat{"value $_->{path}"} = $_->{value} for @$values;
    delete $flat{$_} for grep { $_ =~ $masked } keys %flat;
    return map { ("$name $_" => $flat{$_}) } keys %flat;
}

sub scenario_of { (split / /, $_[0])[0] }

my %found = map { measure($_) } glob 'scenarios/*.yaml';
my %kept;
if (open my $file, '<', $golden) {
    while (<$file>) {
        chomp;
        my ($key, $value) = split /\t/, $_, 2;
        $kept{$key} = $value;
    }
}
my (%all, %moved);
for my $key (sort keys %{{%found, %kept}}) {
    my ($old, $new) = ($kept{$key} // 'nothing', $found{$key} // 'nothing');
    $all{scenario_of($key)}++;
    push @{$moved{scenario_of($key)}}, sprintf '# %-64s %24s -> %s', $key, $old, $new if $old ne $new;
}
if ($ENV{GOLDEN_UPDATE}) {
    print "$_\n" for map { @{$moved{$_}} } sort keys %moved;
    open my $file, '>', $golden or die "$golden: $!";
    print $file "$_\t$found{$_}\n" for sort keys %found;
    close $file or die "$golden: $!";
    print "1..1\nok 1 - $golden written\n";
    exit 0;
}
print '1..', scalar keys %all, "\n";
my $number = 0;
for my $name (sort keys %all) {
    print $moved{$name} ? 'not ok ' : 'ok ', ++$number, " - $name: $all{$name} values\n";
    print "$_\n" for @{$moved{$name} // []};
}
exit(%moved ? 1 : 0);
