/*
 * fuzz.h - what the libFuzzer targets share: they say how many inputs were
 * valid, so that fuzz.sh sees that what it begins with still is
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t fuzz_n_valid;

static void fuzz_say(void)
{
	fprintf(stderr, "valid inputs: %llu\n",
		(unsigned long long)fuzz_n_valid);
}

static inline void fuzz_valid(void)
{
	if (fuzz_n_valid++ == 0)
		atexit(fuzz_say);
}
