/*
 * damage.c - a copy of a file with something in it changed
 *
 *	damage SEED FROM TO [OFFSET BYTES]
 *
 * The seed says what is changed, and where: the same one always changes the
 * same. OFFSET and BYTES are of the part that may change; all of it if they are
 * not given.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

/* S. Vigna's splitmix64. */
static uint64_t next(void)
{
	uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static size_t below(size_t n)
{
	return n == 0 ? 0 : (size_t)(next() % n);
}

static void flip_bits(uint8_t *p, size_t n, size_t times)
{
	while (times-- > 0)
		p[below(n)] ^= (uint8_t)(1u << below(8));
}

static void overwrite(uint8_t *p, size_t n, size_t bytes, int with)
{
	size_t at = below(n);

	for (size_t i = at; i < n && i < at + bytes; i++)
		p[i] = with >= 0 ? (uint8_t)with : (uint8_t)next();
}

static void exchange(uint8_t *p, size_t n)
{
	size_t a = below(n / 4) * 4, b = below(n / 4) * 4;
	uint8_t word[4];

	memcpy(word, p + a, 4);
	memcpy(p + a, p + b, 4);
	memcpy(p + b, word, 4);
}

/* Returns how many bytes of the part are left. */
static size_t damage(uint8_t *p, size_t n)
{
	switch (below(8)) {
	case 0:
	case 1:
		flip_bits(p, n, 1);
		return n;
	case 2:
		flip_bits(p, n, 2 + below(8));
		return n;
	case 3:
		overwrite(p, n, 1, -1);
		return n;
	case 4:
		overwrite(p, n, 1 + below(64), below(2) ? 0 : 0xff);
		return n;
	case 5:
		overwrite(p, n, 1 + below(16), -1);
		return n;
	case 6:
		exchange(p, n);
		return n;
	default:
		return below(n);	/* cut off */
	}
}

static int fail(const char *what)
{
	perror(what);
	return 1;
}

int main(int argc, char **argv)
{
	static uint8_t bytes[16 << 20];
	size_t n, at = 0, part, left;
	FILE *from, *to;

	if (argc != 4 && argc != 6) {
		fputs("usage: damage SEED FROM TO [OFFSET BYTES]\n", stderr);
		return 2;
	}
	state = strtoul(argv[1], NULL, 10);
	from = fopen(argv[2], "rb");
	if (from == NULL)
		return fail(argv[2]);
	n = fread(bytes, 1, sizeof(bytes), from);
	fclose(from);
	part = n;
	if (argc == 6) {
		at = strtoul(argv[4], NULL, 10);
		part = strtoul(argv[5], NULL, 10);
	}
	if (at > n || part > n - at)
		return fail("no such part");
	left = damage(bytes + at, part);
	/* A file in which another part follows keeps its length. */
	if (argc == 6)
		memset(bytes + at + left, 0, part - left);
	else
		n = left;
	to = fopen(argv[3], "wb");
	if (to == NULL || fwrite(bytes, 1, n, to) != n || fclose(to) != 0)
		return fail(argv[3]);
	return 0;
}
