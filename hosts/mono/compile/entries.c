/*
 * entries.c - one instruction before the method counts its entries
 */
#include "compile/entries.h"

#include <string.h>

#include "base/clock.h"
#include "vm/tuning.h"

#define CODE_BYTES 21u

/* `inc` may change the flags: at an entry they hold nothing. */
static void write_code(const struct cof_code *block, const uint64_t *count,
		       const void *to)
{
	static const uint8_t inc[] = { 0x48, 0xff, 0x05 }; /* [rip + 4 b] */
	static const uint8_t jmp[] = { 0xff, 0x25, 0, 0, 0, 0 }; /* [rip] */
	uint8_t *p = block->write;
	int32_t d = (int32_t)((intptr_t)count -
			      ((intptr_t)block->exec + 7));

	memcpy(p, inc, sizeof(inc));
	memcpy(p + 3, &d, sizeof(d));
	memcpy(p + 7, jmp, sizeof(jmp));
	memcpy(p + 13, &to, sizeof(to));
}

int cofm_entries_count(struct cofm_method *m, struct cof_version_desc *out)
{
	struct cofm_entries *e = &m->entries;
	struct cof *cof = m->host->cof;

	if (!e->count)
		e->count = cof_data_alloc(cof, sizeof(*e->count),
					  sizeof(*e->count));
	if (!e->count ||
	    cof_code_alloc(cof, CODE_BYTES, COF_CODE_HOT, &out->block) != 0)
		return -1;
	__atomic_store_n(e->count, 0, __ATOMIC_RELAXED);
	e->seen = 0;
	e->began_ns = cof_clock_ns();
	write_code(&out->block, e->count, m->copy);
	out->start = out->block.exec;
	out->size_bytes = CODE_BYTES;
	return 0;
}

/* The count has ended when it rises no more: nothing reports that the version
 * has ceased to be current. */
uint64_t cofm_entries_counted(struct cofm_method *m)
{
	struct cofm_entries *e = &m->entries;
	uint64_t n, ns;

	if (!e->count)
		return 0;
	n = __atomic_load_n(e->count, __ATOMIC_RELAXED);
	if (n == e->seen)
		return n;
	e->seen = n;
	ns = cof_clock_ns() - e->began_ns;
	if (ns < COFM_TUNE(entries_least_ms) * UINT64_C(1000000))
		ns = COFM_TUNE(entries_least_ms) * UINT64_C(1000000);
	__atomic_store_n(&e->per_second,
			 (uint64_t)((double)n * 1e9 / (double)ns),
			 __ATOMIC_RELAXED);
	return n;
}

double cofm_entries_per_second(const struct cofm_method *m)
{
	return (double)__atomic_load_n(&m->entries.per_second,
				       __ATOMIC_RELAXED);
}
