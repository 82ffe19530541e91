/*
 * osr_points.c - arm points, and count the threads that pass; see osr_points.h
 */
#include "link/osr_points.h"

#include <linux/membarrier.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "support/tuning.h"
#include "support/xcalloc.h"

#define TEST 0xa9	/* test $imm32, %eax */
#define JMP  0xe9	/* jmp rel32 */

#define STEP_MS  2	/* between two reads of the counts */

struct cofl_osr_points *cofl_osr_points_new(uint32_t n_loops,
					    struct cofl_word *word)
{
	struct cofl_osr_points *p = calloc(1, sizeof(*p));

	if (p == NULL)
		return NULL;
	p->n_loops = n_loops;
	p->words_lent = word != NULL;
	p->word = word ? word : calloc(n_loops, sizeof(*p->word));
	if (p->word != NULL)
		return p;
	free(p);
	return NULL;
}

void cofl_osr_points_free(struct cofl_osr_points *p)
{
	if (p == NULL)
		return;
	if (!p->words_lent)
		free(p->word);
	free(p->turns);
	free(p->point);
	free(p);
}

bool cofl_osr_points_count(struct cofl_osr_points *p)
{
	p->turns = aligned_alloc(_Alignof(struct cofl_turns),
				 sizeof(*p->turns));
	if (p->turns == NULL)
		return false;
	memset(p->turns, 0, sizeof(*p->turns));
	return true;
}

uint64_t cofl_osr_points_turns(const struct cofl_osr_points *p)
{
	uint64_t n = 0;

	for (uint32_t i = 0; p->turns != NULL && i < COFL_OSR_TURN_SLOTS; i++)
		n += atomic_load_explicit(&p->turns->slot[i].n,
					  memory_order_relaxed);
	return n;
}

static uintptr_t address(const struct cofl_site *s)
{
	return (uintptr_t)&s->at + (uintptr_t)(intptr_t)s->at;
}

bool cofl_osr_points_place(struct cofl_osr_points *p,
			   const struct cof_code *block, const void *records,
			   size_t bytes)
{
	const struct cofl_site *site = records;
	size_t n = bytes / sizeof(*site);
	uintptr_t lo = (uintptr_t)block->exec;

	p->point = cofl_xcalloc(n, sizeof(*p->point));
	for (size_t i = 0; i < n; i++) {
		uintptr_t at = address(&site[i]);
		unsigned char *byte;

		byte = (unsigned char *)block->write + (at - lo);
		if (site[i].loop >= p->n_loops || at < lo ||
		    at - lo >= block->size_bytes || *byte != TEST) {
			p->n = 0;
			return false;
		}
		p->point[p->n++] = (struct cofl_point){ byte,
							site[i].loop };
	}
	return p->n > 0;
}

static void store(const struct cofl_osr_points *p, unsigned char *at,
		  unsigned char byte)
{
	if (p->store != NULL)
		p->store(at, byte);
	else
		__atomic_store_n(at, byte, __ATOMIC_RELEASE);
}

/*
 * libcof registered the process for this at its start. If the kernel refuses, a
 * thread may run the old instruction for a while, which is correct too.
 */
static void barrier(void)
{
	(void)syscall(__NR_membarrier,
		      MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
}

static bool leads_nowhere(const struct cofl_osr_points *p, uint32_t loop)
{
	return atomic_load_explicit(&p->word[loop].go, memory_order_relaxed) ==
	       NULL;
}

void cofl_osr_points_arm(struct cofl_osr_points *p, const bool *loop, bool on)
{
	for (uint32_t i = 0; i < p->n; i++)
		if (loop == NULL || loop[p->point[i].loop])
			store(p, p->point[i].byte, on ? JMP : TEST);
	barrier();
}

/* The release pairs with the acquire of add_point() (points/osr_point.c): a
 * thread that sees a continuation sees its code. */
void cofl_osr_points_lead(struct cofl_osr_points *p, void *const *entry)
{
	for (uint32_t k = 0; k < p->n_loops; k++)
		if (entry[k] != NULL)
			atomic_store_explicit(&p->word[k].go, entry[k],
					      memory_order_release);
	for (uint32_t i = 0; i < p->n; i++)
		if (entry[p->point[i].loop] != NULL)
			store(p, p->point[i].byte, JMP);
		else if (p->listens && leads_nowhere(p, p->point[i].loop))
			store(p, p->point[i].byte, TEST);
	p->listens = false;
	barrier();
}

void cofl_osr_points_disarm(struct cofl_osr_points *p)
{
	for (uint32_t k = 0; k < p->n_loops; k++)
		atomic_store_explicit(&p->word[k].go, NULL,
				      memory_order_relaxed);
	cofl_osr_points_arm(p, NULL, false);
	p->listens = false;
}

static uint64_t count(const struct cofl_osr_points *p, uint64_t *arrived)
{
	uint64_t n = 0;

	for (uint32_t k = 0; k < p->n_loops; k++) {
		arrived[k] = atomic_load_explicit(&p->word[k].arrived,
						  memory_order_relaxed);
		n += arrived[k];
	}
	return n;
}

/* For at most most_ms, or osr_outer_ms more once a thread passed. */
static void wait(const struct cofl_osr_points *p, uint32_t most_ms,
		 const int *stop, uint64_t *arrived)
{
	struct timespec step = { 0, STEP_MS * 1000000 };
	bool seen = false;

	for (uint32_t ms = 0; ms < most_ms &&
	     !__atomic_load_n(stop, __ATOMIC_RELAXED); ms += STEP_MS) {
		nanosleep(&step, NULL);
		if (!seen && count(p, arrived) > 0) {
			seen = true;
			if (most_ms > ms + COFL_TUNE(osr_outer_ms))
				most_ms = ms + COFL_TUNE(osr_outer_ms);
		}
	}
}

bool cofl_osr_points_listen(struct cofl_osr_points *p, uint32_t most_ms,
			    const int *stop, uint64_t *arrived)
{
	bool *quiet = calloc(p->n_loops, sizeof(*quiet));
	bool seen;

	if (quiet == NULL)
		return false;
	for (uint32_t k = 0; k < p->n_loops; k++)
		quiet[k] = leads_nowhere(p, k);
	if (!p->listens) {
		for (uint32_t k = 0; k < p->n_loops; k++)
			atomic_store_explicit(&p->word[k].arrived, 0,
					      memory_order_relaxed);
		cofl_osr_points_arm(p, quiet, true);
		wait(p, most_ms, stop, arrived);
	}
	seen = count(p, arrived) > 0;
	if (seen)
		cofl_osr_points_arm(p, quiet, false);
	p->listens = !seen;
	free(quiet);
	return seen;
}
