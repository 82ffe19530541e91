/*
 * counter_shards.c - blocks, and ranges in all of them; see counter_shards.h
 */
#include "profile/counter_shards.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/fork_code.h"
#include "base/fork_data.h"

#define LINE        64u
#define BLOCK_BYTES ((size_t)1 << 20)	/* only pages in use take memory */
#define LINES       (BLOCK_BYTES / LINE)

struct block {
	struct block *next;
	struct block *next_idle;
	char         *bytes;
};

/*
 * For threads without a block of their own. The linker puts common symbols
 * after all other memory, so that what is written to lies together: fork(2)
 * copies a page of page tables for each 2 MiB with a page in it.
 */
extern char cofl_counter_shards_common[BLOCK_BYTES];
char cofl_counter_shards_common[BLOCK_BYTES]
	__attribute__((common, aligned(4096)));
#define shared cofl_counter_shards_common

/* Initial-exec: the distance from the thread pointer is the same everywhere. */
static _Thread_local char *mine __attribute__((tls_model("initial-exec"))) =
	shared;

static COF_FORK_DATA struct {
	pthread_mutex_t lock;
	pthread_once_t  once;
	pthread_key_t   key;
	bool            has_key;
	struct block   *all, *idle;
} shards = { .lock = PTHREAD_MUTEX_INITIALIZER, .once = PTHREAD_ONCE_INIT };

static bool taken[LINES];	/* under the lock */

int64_t cofl_counter_shards_word(void)
{
	return (char *)&mine - (char *)__builtin_thread_pointer();
}

/* Code that runs after this in the thread counts in the common block. */
static void leave(void *arg)
{
	struct block *b = arg;

	mine = shared;
	pthread_mutex_lock(&shards.lock);
	b->next_idle = shards.idle;
	shards.idle = b;
	pthread_mutex_unlock(&shards.lock);
}

static void make_key(void)
{
	shards.has_key = pthread_key_create(&shards.key, leave) == 0;
}

/* Under the lock. */
static struct block *make_block(void)
{
	struct block *b = malloc(sizeof(*b));
	void *p;

	if (b == NULL)
		return NULL;
	p = mmap(NULL, BLOCK_BYTES, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED) {
		free(b);
		return NULL;
	}
	*b = (struct block){ .next = shards.all, .bytes = p };
	shards.all = b;
	return b;
}

void cofl_counter_shards_enter(void)
{
	struct block *b;

	pthread_once(&shards.once, make_key);
	if (!shards.has_key || mine != shared)
		return;
	pthread_mutex_lock(&shards.lock);
	b = shards.idle;
	if (b != NULL)
		shards.idle = b->next_idle;
	else
		b = make_block();
	pthread_mutex_unlock(&shards.lock);
	if (b == NULL || pthread_setspecific(shards.key, b) != 0)
		return;		/* at worst the block is never used again */
	mine = b->bytes;
}

static void zero(uint32_t offset, size_t bytes)
{
	memset(shared + offset, 0, bytes);
	for (struct block *b = shards.all; b != NULL; b = b->next)
		memset(b->bytes + offset, 0, bytes);
}

static void mark(size_t line, size_t n, bool is_taken)
{
	for (size_t i = 0; i < n; i++)
		taken[line + i] = is_taken;
}

bool cofl_counter_shards_alloc(size_t bytes, uint32_t *offset)
{
	size_t n = (bytes + LINE - 1) / LINE, run = 0;
	bool found = false;

	pthread_mutex_lock(&shards.lock);
	for (size_t i = 0; i < LINES && !found; i++) {
		run = taken[i] ? 0 : run + 1;
		if (run < n)
			continue;
		*offset = (uint32_t)((i + 1 - n) * LINE);
		mark(i + 1 - n, n, true);
		zero(*offset, n * LINE);
		found = true;
	}
	pthread_mutex_unlock(&shards.lock);
	return found;
}

void cofl_counter_shards_free(uint32_t offset, size_t bytes)
{
	pthread_mutex_lock(&shards.lock);
	mark(offset / LINE, (bytes + LINE - 1) / LINE, false);
	pthread_mutex_unlock(&shards.lock);
}

void cofl_counter_shards_each(uint32_t offset,
			      void (*fn)(void *arg, const void *range),
			      void *arg)
{
	pthread_mutex_lock(&shards.lock);
	fn(arg, shared + offset);
	for (struct block *b = shards.all; b != NULL; b = b->next)
		fn(arg, b->bytes + offset);
	pthread_mutex_unlock(&shards.lock);
}

void cofl_counter_shards_lock(void)
{
	pthread_mutex_lock(&shards.lock);
}

COF_FORK_CODE void cofl_counter_shards_unlock(void)
{
	pthread_mutex_unlock(&shards.lock);
}
