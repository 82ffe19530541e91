/*
 * guid.c - MD5, by RFC 1321
 */
#include "guid.h"

#include <math.h>
#include <string.h>

struct md5 {
	uint32_t a, b, c, d;
};

static uint32_t rotate(uint32_t x, int n)
{
	return x << n | x >> (32 - n);
}

static uint32_t little_endian(const unsigned char *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	       (uint32_t)p[3] << 24;
}

/* One block of 64 bytes: four rounds of sixteen steps (3.4). */
static void step_block(struct md5 *sum, const unsigned char *block)
{
	static const int shift[4][4] = { { 7, 12, 17, 22 }, { 5, 9, 14, 20 },
					 { 4, 11, 16, 23 }, { 6, 10, 15, 21 } };
	struct md5 s = *sum;

	for (int i = 0; i < 64; i++) {
		/* T[i + 1]: the sine of i + 1, as a fraction of 2^32. */
		uint32_t t = (uint32_t)(fabs(sin(i + 1)) * 4294967296.0);
		uint32_t f, b = s.b;
		int k;

		switch (i / 16) {
		case 0:
			f = (b & s.c) | (~b & s.d);
			k = i;
			break;
		case 1:
			f = (b & s.d) | (s.c & ~s.d);
			k = (5 * i + 1) % 16;
			break;
		case 2:
			f = b ^ s.c ^ s.d;
			k = (3 * i + 5) % 16;
			break;
		default:
			f = s.c ^ (b | ~s.d);
			k = 7 * i % 16;
			break;
		}
		b += rotate(s.a + f + little_endian(block + 4 * k) + t,
			    shift[i / 16][i % 4]);
		s = (struct md5){ .a = s.d, .b = b, .c = s.b, .d = s.c };
	}
	sum->a += s.a;
	sum->b += s.b;
	sum->c += s.c;
	sum->d += s.d;
}

uint64_t cofl_guid(const char *name)
{
	struct md5 sum = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476 };
	size_t n = strlen(name), left = n;
	unsigned char last[128] = { 0 };
	size_t n_last;

	for (; left >= 64; left -= 64, name += 64)
		step_block(&sum, (const unsigned char *)name);
	memcpy(last, name, left);
	last[left] = 0x80;
	n_last = left < 56 ? 64 : 128;
	for (int i = 0; i < 8; i++)
		last[n_last - 8 + (size_t)i] =
			(unsigned char)((uint64_t)n * 8 >> 8 * i);
	for (size_t i = 0; i < n_last; i += 64)
		step_block(&sum, last + i);
	return sum.a | (uint64_t)sum.b << 32;
}
