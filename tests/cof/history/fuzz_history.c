/*
 * fuzz_history.c - libFuzzer target: any bytes as a history file (make fuzz)
 *
 * tests/tools/write_history makes a file to begin with.
 * The first bytes of an input are made right: else their check would be all
 * that is reached. Writes below $TMPDIR, else /dev/shm.
 */
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "history/run_verdict.h"
#include "history/store/sqlite.h"
#include "history/store/store.h"
#include "tests/support/fuzz.h"

static const uint8_t head[] =
	"SQLite format 3\0\x10\0\x01\x01\0\x40\x20\x20\0\0\0\x02";
/* From byte 60 on: version, incremental vacuum, application. */
#define BIG_ENDIAN_4(n) (n) >> 24 & 0xff, (n) >> 16 & 0xff, (n) >> 8 & 0xff, \
			(n) & 0xff
static const uint8_t marks[] = {
	BIG_ENDIAN_4(COF_HISTORY_SCHEMA), BIG_ENDIAN_4(1),
	BIG_ENDIAN_4(COF_HISTORY_APPLICATION),
};

static void write_input(const char *path, const uint8_t *data, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	if (size >= 100 && (pwrite(fd, head, 24, 0) != 24 ||
			    pwrite(fd, marks, sizeof(marks), 60) !=
				    (ssize_t)sizeof(marks)))
		abort();
	close(fd);
}

/* Ask the store all that it is ever asked. */
static void use(struct cof_history_store *store)
{
	const struct cof_history_limits limits = {
		.runs = 40, .programs = 200, .bytes = 1 << 20,
	};
	const struct cof_history_rules rules = { 20, 1000000000, 5 };
	char why[COF_HISTORY_WHY] = "", text[COF_HISTORY_WHY];
	struct cof_run_evidence evidence;
	struct cof_history_id id[8];
	struct cof_history_past past;
	uint32_t n;

	if (store->ops->find(store, "guest", id, 8, &n, why) != COF_HISTORY_OK)
		return;
	for (uint32_t i = 0; i < n; i++) {
		if (store->ops->load(store, &id[i], &limits, &past, why) !=
		    COF_HISTORY_OK)
			return;
		cof_history_run_evidence(&past, "0.1.0", "some CPU", &rules,
				  &evidence);
		cof_history_explain(cof_history_run_verdict(&evidence, &rules),
				    &evidence, &rules, text, sizeof(text));
		for (uint32_t k = 0; k < past.n_runs; k++)
			if (!cof_history_run_ok(&past.run[k]))
				abort();
		for (uint32_t k = 0; k < past.n_methods; k++)
			if (!cof_history_method_ok(&past.method[k]))
				abort();
		cof_history_past_free(&past);
		fuzz_valid();
	}
}

static void save(const char *path)
{
	const struct cof_history_limits limits = {
		.runs = 2, .programs = 2, .bytes = 1 << 20,
	};
	struct cof_history_record record = {
		.id = { { 1 }, 16 }, .name = "/usr/bin/guest",
		.run = { .began_ns = 1, .pid = 1 },
	};
	char why[COF_HISTORY_WHY] = "";
	struct cof_history_store *store;

	if (cof_history_store_open(path, COF_HISTORY_WRITE,
				   cof_clock_ns() + 1000000000, &store,
				   why) != COF_HISTORY_OK)
		return;
	store->ops->save(store, &record, &limits, why);
	store->ops->close(store);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char dir[64], path[96], other[112];
	char why[COF_HISTORY_WHY] = "";
	struct cof_history_store *store;

	if (dir[0] == '\0') {
		const char *tmp = getenv("TMPDIR");

		snprintf(dir, sizeof(dir), "%.40s/cof-fuzz-XXXXXX",
			 tmp ? tmp : "/dev/shm");
		if (!mkdtemp(dir))
			abort();
		snprintf(path, sizeof(path), "%s/history.db", dir);
	}
	write_input(path, data, size);
	if (cof_history_store_open(path, COF_HISTORY_LOOK,
				   cof_clock_ns() + 1000000000, &store,
				   why) == COF_HISTORY_OK) {
		use(store);
		store->ops->close(store);
	}
	save(path);
	(void)unlink(path);
	snprintf(other, sizeof(other), "%s.2", path);
	(void)unlink(other);
	snprintf(other, sizeof(other), "%s.damaged", path);
	(void)unlink(other);
	snprintf(other, sizeof(other), "%s-journal", path);
	(void)unlink(other);
	return 0;
}
