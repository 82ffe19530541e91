/*
 * mainloop.c - all work is in one loop of main(), which is entered once
 *
 *	mainloop UNITS
 *
 * A machine of eight instructions executes a program of 64, which is drawn anew
 * for each stretch of STRETCH instructions: what is frequent in one stretch is
 * rare in the next. The frame of main() stays in the loop, so only on-stack
 * replacement reaches it. Four stretches are a unit, a fifth of a second or
 * more, and print a line.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define STRETCH  UINT64_C(40000000)
#define STRETCHES 4
#define LENGTH   64u

static uint32_t state = 88675123u;

static uint32_t draw(uint32_t n)
{
	state = state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)(state >> 8) * n >> 24);
}

static void draw_program(unsigned char *program)
{
	uint32_t often = draw(8);

	for (uint32_t i = 0; i < LENGTH; i++)
		program[i] = (unsigned char)(draw(4) ? often : draw(8));
}

int main(int argc, char **argv)
{
	unsigned long units = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
	uint64_t end = units * STRETCHES * STRETCH;
	unsigned char program[LENGTH];
	uint32_t a = 1, b = 2, c = 3;

	for (uint64_t i = 0; i < end; i++) {
		if (i % STRETCH == 0)
			draw_program(program);
		switch (program[i % LENGTH]) {
		case 0: a += b; break;
		case 1: b ^= a >> 3; break;
		case 2: c = c * 5 + a; break;
		case 3: a = b > c ? a - c : a + 1; break;
		case 4: if (c & 15) b += 7; else b = a; break;
		case 5: c ^= b << 2; break;
		case 6: a = (a << 5 | a >> 27) + c; break;
		default: if (a < b) c++; else c += 3; break;
		}
		if ((i + 1) % (STRETCHES * STRETCH) == 0) {
			printf("%" PRIu32 " %" PRIu32 " %" PRIu32 "\n", a, b,
			       c);
			fflush(stdout);
		}
	}
	return 0;
}
