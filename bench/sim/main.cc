/*
 * main.cc - runs the simulated chip
 *
 *	sim UNITS
 *
 * A unit is CYCLES cycles of the clock. It prints a line with what the cores
 * have written so far.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "Vchip.h"
#include "verilated.h"

#define CYCLES 2000

/* Verilator's own clock is that of $time, which nothing here asks for. */
double sc_time_stamp() { return 0; }

int main(int argc, char **argv)
{
	unsigned long units = argc > 1 ? strtoul(argv[1], nullptr, 10) : 0;
	VerilatedContext context;
	Vchip chip(&context);

	if (units == 0) {
		fputs("usage: sim UNITS\n", stderr);
		return 2;
	}
	chip.resetn = 0;
	for (unsigned long u = 0; u < units; u++) {
		for (int c = 0; c < CYCLES; c++) {
			if (u == 0 && c == 10)
				chip.resetn = 1;
			chip.clk = 0;
			chip.eval();
			chip.clk = 1;
			chip.eval();
		}
		printf("%08x\n", static_cast<unsigned>(chip.sum));
		fflush(stdout);
	}
	chip.final();
	return 0;
}
