# mixed.pl N - N rounds of a sieve, calls, strings, a table and a sort
sub sieve {
	my ($n) = @_;
	my @prime = (1) x ($n + 1);
	my $found = 0;
	for my $i (2 .. $n) {
		next unless $prime[$i];
		$found++;
		for (my $k = 2 * $i; $k <= $n; $k += $i) { $prime[$k] = 0 }
	}
	return $found;
}

sub fib { my ($n) = @_; return $n < 2 ? $n : fib($n - 1) + fib($n - 2) }

sub words {
	my ($n) = @_;
	my (%count, $state);
	$state = 1;
	for (1 .. $n) {
		$state = ($state * 1103 + 12345) % 65536;
		my $w = "w" . $state % 97;
		$count{$w} += length $w;
	}
	return join " ", map { "$_:$count{$_}" } sort keys %count;
}

my $total = 0;
for (1 .. $ARGV[0]) {
	$total += sieve(5000) + fib(15) + length(words(3000));
}
print "$total\n";
