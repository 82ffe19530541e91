/*
 * fuzz_stats.c - libFuzzer target: any bytes as a stats file (make fuzz)
 *
 * The file of tests/tools/hold_stats is what it begins with
 * (docs/cof-stats.1, FILES).
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cof-stats/print_json.h"
#include "cof-stats/print_summary.h"
#include "cof-stats/print_text.h"
#include "cof-stats/reader.h"
#include "tests/support/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *null;
	static int fd = -1;
	char why[READER_WHY];
	struct reader r;

	if (null == NULL) {
		null = fopen("/dev/null", "w");
		fd = memfd_create("fuzz", MFD_CLOEXEC);
		if (null == NULL || fd < 0)
			abort();
	}
	if (ftruncate(fd, 0) != 0 ||
	    pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	if (reader_read(&r, fd, why) != 0)
		return 0;
	fuzz_valid();
	print_summary(null, &r, &r);
	print_text(null, &r);
	print_text_rates(null, &r, &r);
	print_json(null, &r);
	reader_free(&r);
	return 0;
}
