/*
 * phases.c - what is hot, what branches do and who is called changes in time
 *
 * guest-hot:
 * guest-reclaims:
 */
#include "guest.h"

typedef uint64_t step(uint64_t, uint64_t);

NOINLINE static uint64_t shifts(uint64_t h, uint64_t i)
{
	return h ^ h << 7 ^ i;
}
NOINLINE static uint64_t mults(uint64_t h, uint64_t i) { return (h + i) * 31; }

static step *volatile current = shifts;

NOINLINE static uint64_t branchy(const unsigned char *p, int n, int limit)
{
	uint64_t h = MIX0;

	for (int i = 0; i < n; i++) {
		if (p[i] < limit)
			h = h * 3 + p[i];
		else
			h = mix(h, p[i]);
		h = current(h, (uint64_t)i);
	}
	return h;
}

NOINLINE static uint64_t sieve(int n)
{
	static unsigned char composite[20001];
	uint64_t count = 0;

	for (int i = 2; i <= n; i++)
		composite[i] = 0;
	for (int i = 2; i <= n; i++) {
		if (composite[i])
			continue;
		count++;
		for (int j = i * 2; j <= n; j += i)
			composite[j] = 1;
	}
	return count;
}

NOINLINE static uint64_t matrix(int n)
{
	static double a[32][32], b[32][32], c[32][32];
	double s = 0;

	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			a[i][j] = i + j * .5;
			b[i][j] = i - j * .25;
		}
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			double t = 0;

			for (int k = 0; k < n; k++)
				t += a[i][k] * b[k][j];
			c[i][j] = t;
		}
	for (int i = 0; i < n; i++)
		s += c[i][n - 1 - i];
	return bits(s);
}

static unsigned char data[4096];

static uint64_t phase_low(void)
{
	current = shifts;
	return branchy(data, 4096, 250);
}

static uint64_t phase_high(void)
{
	current = mults;
	return branchy(data, 4096, 5);
}

static uint64_t phase_sieve(void) { return sieve(20000); }
static uint64_t phase_matrix(void) { return matrix(32); }

int main(void)
{
	for (unsigned i = 0; i < sizeof(data); i++)
		data[i] = (unsigned char)(i * 2654435761u >> 13);
	for (int turn = 0; turn < 2; turn++) {
		guest_run("low", phase_low);
		guest_run("high", phase_high);
		guest_run("sieve", phase_sieve);
		guest_run("matrix", phase_matrix);
	}
	return 0;
}
