/*
 * fuzz_perfring.c - libFuzzer target: any bytes as the kernel's ring of perf
 * records (make fuzz)
 *
 * The first two bytes say where head and tail are.
 */
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sampler/sources/perfring.h"
#include "tests/support/fuzz.h"

#define BYTES 4096u	/* of the ring */

static void take(void *arg, const uint64_t *words, uint64_t n)
{
	uint64_t *sum = arg;

	for (uint64_t i = 0; i < n; i++)
		*sum += words[i];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct perf_event_mmap_page page;
	uint64_t sum = 0;
	uint8_t *ring;

	if (size < 2 || size - 2 > BYTES || !(ring = calloc(1, BYTES)))
		return 0;
	memcpy(ring, data + 2, size - 2);
	page.data_tail = data[0] * 8u;
	page.data_head = page.data_tail + data[1] * 16u;
	cof_perfring_read(&page, ring, BYTES, size & 1, take, &sum);
	if (page.data_tail != page.data_head)
		abort();
	if (sum != 0)
		fuzz_valid();
	free(ring);
	return 0;
}
