// mixed.js - N rounds of a sieve, calls, strings, a table and a sort; N is a
// global variable
function sieve(n) {
	var prime = [], found = 0, i, k;
	for (i = 0; i <= n; i++)
		prime.push(true);
	for (i = 2; i <= n; i++) {
		if (!prime[i])
			continue;
		found++;
		for (k = 2 * i; k <= n; k += i)
			prime[k] = false;
	}
	return found;
}

function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

function words(n) {
	var count = {}, state = 1, i, w;
	for (i = 0; i < n; i++) {
		state = (state * 1103 + 12345) % 65536;
		w = "w" + state % 97;
		count[w] = (count[w] || 0) + w.length;
	}
	return Object.keys(count).sort().map(function (w) {
		return w + ":" + count[w];
	}).join(" ");
}

var total = 0, round;
for (round = 0; round < N; round++)
	total += sieve(5000) + fib(15) + words(3000).length;
print(total);
