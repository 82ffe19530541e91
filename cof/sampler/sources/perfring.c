/*
 * perfring.c - read perf records; see perfring.h
 */
#include "sampler/sources/perfring.h"

#define FRAMES_MAX 64u	/* option stack_depth's bound */

/* The ring's data. word(at): the word at byte `at` of all ever written. */
struct view {
	const uint64_t *word;
	uint64_t        mask;	/* words - 1 */
};

static uint64_t word(const struct view *v, uint64_t at)
{
	return v->word[(at / 8) & v->mask];
}

/* A sample of n words at `at`: ip, pid and tid, then count and addresses. */
static void sample(const struct view *v, uint64_t at, uint64_t n, bool chain,
		   cof_sample_fn *sink, void *arg)
{
	uint64_t rec[1 + FRAMES_MAX], len = 1, frames = 0;
	bool first = true;

	rec[0] = word(v, at);
	if (chain && n >= 3)
		frames = word(v, at + 16);
	if (frames > n - 3)
		frames = n >= 3 ? n - 3 : 0;
	for (uint64_t i = 0; i < frames && len <= FRAMES_MAX; i++) {
		uint64_t address = word(v, at + 24 + 8 * i);

		/* A mark between the kernel's frames and the user's. */
		if (address >= (uint64_t)PERF_CONTEXT_MAX)
			continue;
		/* The chain begins with the pc itself. */
		if (!first || address != rec[0])
			rec[len++] = address;
		first = false;
	}
	sink(arg, rec, len);
}

uint64_t cof_perfring_read(struct perf_event_mmap_page *page, const void *data,
			   uint64_t bytes, bool chain, cof_sample_fn *sink,
			   void *arg)
{
	struct view v = { .word = data, .mask = bytes / 8 - 1 };
	uint64_t head = __atomic_load_n(&page->data_head,
					__ATOMIC_ACQUIRE);	/* C */
	uint64_t tail = page->data_tail;
	uint64_t lost = 0;

	if (head - tail > bytes)
		tail = head;
	while (tail != head) {
		/* struct perf_event_header: type:32, misc:16, size:16 */
		uint64_t header = word(&v, tail);
		uint32_t type = (uint32_t)header;
		uint64_t size = header >> 48;

		if (size < 8 || size % 8 != 0 || size > head - tail) {
			tail = head;
			break;
		}
		if (type == PERF_RECORD_SAMPLE && size >= 16)
			sample(&v, tail + 8, size / 8 - 1, chain, sink, arg);
		else if (type == PERF_RECORD_LOST && size >= 24)
			lost += word(&v, tail + 16);
		else if (type == PERF_RECORD_LOST_SAMPLES && size >= 16)
			lost += word(&v, tail + 8);
		/* Other records, such as throttling, lose no sample. */
		tail += size;
	}
	__atomic_store_n(&page->data_tail, tail, __ATOMIC_RELEASE);	/* D */
	return lost;
}
