/*
 * firmware.c - the program of the simulated cores, without a library
 *
 * Each core does the same work for ever, in an order of its own, and writes a
 * figure to OUT after each piece.
 */
#include <stdint.h>

#define CORE (*(volatile uint32_t *)0x10000000)	/* which core this is */
#define OUT  (*(volatile uint32_t *)0x10000004)

static uint32_t state;

static uint32_t draw(void)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state;
}

/* Integers only: not every core has a multiplier, and there is no library. */
static uint32_t times(uint32_t a, uint32_t b)
{
	uint32_t sum = 0;

	for (; b != 0; b >>= 1, a <<= 1)
		if (b & 1)
			sum += a;
	return sum;
}

static uint16_t words[512];

static uint32_t sort(void)
{
	for (int i = 0; i < 64; i++)
		words[i] = (uint16_t)draw();
	for (int i = 1; i < 64; i++) {
		uint16_t w = words[i];
		int k = i;

		for (; k > 0 && words[k - 1] > w; k--)
			words[k] = words[k - 1];
		words[k] = w;
	}
	return words[7];
}

static uint32_t crc(void)
{
	uint32_t c = ~0u;

	for (int i = 0; i < 128; i++) {
		c ^= draw() & 255;
		for (int k = 0; k < 8; k++)
			c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
	}
	return c;
}

static uint32_t matrix(void)
{
	uint32_t sum = 0;

	for (int i = 0; i < 100; i++)
		words[i] = (uint16_t)(draw() & 255);
	for (int i = 0; i < 7; i++)
		for (int j = 0; j < 7; j++)
			for (int k = 0; k < 7; k++)
				sum += times(words[i * 7 + k],
					     words[49 + k * 7 + j]);
	return sum;
}

static uint32_t sieve(void)
{
	uint8_t *composite = (uint8_t *)words;
	uint32_t n = 0;

	for (int i = 0; i < 1000; i++)
		composite[i] = 0;
	for (int i = 2; i < 1000; i++) {
		if (composite[i])
			continue;
		n++;
		for (int k = i + i; k < 1000; k += i)
			composite[k] = 1;
	}
	return n;
}

static uint32_t text(void)
{
	const char *const t = "the quick brown fox jumps over the lazy dog";
	uint32_t hash = 5381;

	for (uint32_t from = draw() & 7, i = from; t[i] != '\0'; i++)
		hash = (hash << 5) + hash + (uint32_t)t[i];
	return hash;
}

int main(void)
{
	uint32_t core = CORE;

	state = 0x9e3779b9u ^ core << 8;
	for (uint32_t next = core & 3;; next = next == 4 ? 0 : next + 1) {
		uint32_t figure;

		switch (next) {
		case 0: figure = sort(); break;
		case 1: figure = crc(); break;
		case 2: figure = matrix(); break;
		case 3: figure = sieve(); break;
		default: figure = text(); break;
		}
		OUT = figure;
	}
}
