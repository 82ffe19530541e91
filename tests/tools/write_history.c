/*
 * write_history.c - write runs of a program to a history, for test_why.sh
 *
 *	write_history HISTORY PROGRAM NAME gain|none|short COUNT
 *
 * PROGRAM is a file; its content identifies the program.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "history/cpu.h"
#include "tests/cof/history/history.h"

static struct cof_history_id identity_of(const char *path)
{
	struct cof_history_id id = { .bytes = COF_HASH_BYTES };
	struct cof_hash h;
	unsigned char buf[4096];
	FILE *f = fopen(path, "rb");
	size_t n;

	if (!f)
		abort();
	cof_hash_init(&h);
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
		cof_hash_add(&h, buf, n);
	fclose(f);
	cof_hash_end(&h, id.byte);
	return id;
}

int main(int argc, char **argv)
{
	if (argc != 6)
		return 2;
	for (int i = 0; i < atoi(argv[5]); i++) {
		struct cof_history_record r = history_record(1, i, 3);

		r.id = identity_of(argv[2]);
		cof_history_text(r.name, sizeof(r.name), argv[3]);
		memset(r.run.cpu, 0, sizeof(r.run.cpu));
		cof_history_cpu(r.run.cpu);
		cof_history_text(r.run.libcof, sizeof(r.run.libcof),
				 COF_VERSION_STRING);
		if (strcmp(argv[4], "gain") != 0)
			r.run.measured_ns = 0;
		if (strcmp(argv[4], "short") == 0) {
			r.run.cpu_ns = SECOND / 100;
			r.run.own_ns = r.run.build_ns = r.run.paid_ns = 0;
		}
		if (history_save(argv[1], r, &history_limits) != COF_HISTORY_OK)
			return 1;
	}
	return 0;
}
