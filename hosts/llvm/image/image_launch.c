/*
 * image_launch.c - the thread that waits for the image; see image_launch.h
 */
#include "image/image_launch.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "image/image_cache.h"
#include "image/image_load.h"
#include "image/image_stream.h"
#include "process/stage.h"
#include "support/maker.h"
#include "support/memory_reserve.h"
#include "support/tuning.h"

/* The pause between two looks for the image grows with the time so far, since
 * large programs take long. After the last look no process is making the
 * image. */
#define LOOK_MS      20u
#define LOOK_MOST_MS 1000u
#define LOOKS_MS     300000u

/* Address space for pieces; only pages that are written take memory. */
#define ROOM          16u		/* bytes, for a byte of bitcode */
#define ROOM_AT_LEAST (16u << 20)

/* -- Going over ------------------------------------------------------------ */

struct cofl_image_wait {
	struct cof_stage          stage;
	struct cofl              *host;
	struct cofl_image_stream  stream;	/* .head NULL: none */
	unsigned                  quiet_ms;	/* since a piece came */
	uint8_t                   key[COFL_HASH_BYTES];
	uint64_t                  max_mb;
	bool                      making;	/* a process makes it */
};

static void adopt(struct cofl *host, const struct cofl_image *image)
{
	char why[256], line[300];

	if (cofl_image_adopt(host, image, why, sizeof(why)))
		snprintf(line, sizeof(line),
			 "the program goes over to its image");
	else
		snprintf(line, sizeof(line), "the image is not used: %s", why);
	cof_log_line(host->cof, line);
}

/*
 * Methods that ran are wanted, by samples over compile time: by W. E. Smith's
 * rule this order minimizes the weighted time that they wait.
 */
static uint32_t worth(const struct cofl_method *m)
{
	uint64_t n = cof_method_samples(m->method);
	uint64_t cost = COFL_TUNE(piece_method) + atomic_load_explicit(
		&m->n_instructions, memory_order_relaxed);

	n = n < UINT32_MAX ? (n << 16) / cost + 1 : UINT32_MAX;
	return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

static void wish(struct cofl_image_wait *w)
{
	for (uint32_t i = 0; i < w->host->n_methods; i++) {
		const struct cofl_method *m = &w->host->method[i];

		if (atomic_load_explicit(&m->compiled, memory_order_relaxed))
			cofl_image_stream_want(&w->stream, i, worth(m));
	}
}

static void set_coming(struct cofl_image_wait *w, bool coming)
{
	atomic_store_explicit(&w->host->image_streaming, coming,
			      memory_order_relaxed);
}

/* Take the pieces that are there. False: no more will come. */
static bool take(struct cofl_image_wait *w)
{
	enum cofl_image_stream_state state =
		cofl_image_stream_state(&w->stream);
	char why[256], line[300];
	int n = cofl_image_take(w->host, &w->stream, why, sizeof(why));

	if (n < 0) {
		snprintf(line, sizeof(line), "the image is not used: %s", why);
		cof_log_line(w->host->cof, line);
		return false;
	}
	if (n > 0) {
		w->quiet_ms = 0;
		cof_log_line(w->host->cof,
			     "the program goes over to its image");
	}
	set_coming(w, state == COFL_IMAGE_STREAM_COMING &&
		      w->quiet_ms < COFL_TUNE(image_quiet_ms));
	return state != COFL_IMAGE_STREAM_ENDED;
}

struct finding {
	const uint8_t    *key;
	struct cofl_image image;
	bool              found;
};

static void find_job(void *arg)
{
	struct finding *f = arg;

	f->found = cofl_image_cache_find(f->key, &f->image);
}

/* Adopt the whole image once it is in the cache. False: stop waiting. */
static bool look(struct cofl_image_wait *w)
{
	struct finding f = { .key = w->key };

	if (!cofl_image_cache_has(w->key))
		return true;
	cof_call_with_private_files(w->host->cof, find_job, &f);
	if (f.found) {
		adopt(w->host, &f.image);
		cofl_image_cache_close(&f.image);
	}
	return false;
}

static bool goes_on(struct cofl_image_wait *w)
{
	if (cofl_memory_reserve_is_short())
		return false;
	if (w->stream.head == NULL)
		return look(w);
	switch (cofl_image_stream_state(&w->stream)) {
	case COFL_IMAGE_STREAM_NEVER:
		cofl_image_stream_close(&w->stream);
		return true;
	case COFL_IMAGE_STREAM_NOT_BEGUN:
	case COFL_IMAGE_STREAM_COMING:
	case COFL_IMAGE_STREAM_ENDED:
		break;
	}
	wish(w);
	return take(w);
}

/* False: the thread is to end. */
static bool pause_ms(struct cofl_image_wait *w, unsigned ms)
{
	w->quiet_ms += ms;
	return cof_stage_sleep(&w->stage, ms * UINT64_C(1000000));
}

static uint64_t used_ms(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (uint64_t)used.tv_sec * 1000 + (uint64_t)used.tv_nsec / 1000000;
}

/* Until the process has used so much CPU time. The pause grows, so that a
 * program that is idle stays so. False: the thread is to end. */
static bool wait_until_used(struct cofl_image_wait *w, unsigned ms)
{
	unsigned pause = LOOK_MS;

	while (used_ms() < ms) {
		if (!pause_ms(w, pause))
			return false;
		if (pause < LOOKS_MS)
			pause += pause / 16 + 1;
	}
	w->quiet_ms = 0;
	return true;
}

static void start_making(struct cofl_image_wait *wait)
{
	struct cofl *host = wait->host;
	char mb[40], of[sizeof(COFL_IMAGE_OF) + 2 * COFL_HASH_BYTES];
	char *argv[] = { "runtime", "--cof-image=launched", mb, of, "--",
			 (char *)(uintptr_t)host->path, NULL };
	int fd;

	strcpy(of, COFL_IMAGE_OF);
	for (size_t i = 0; i < COFL_HASH_BYTES; i++)
		sprintf(of + strlen(of), "%02x", host->hash[i]);
	snprintf(mb, sizeof(mb), "--cof-image-mb=%llu",
		 (unsigned long long)wait->max_mb);
	fd = cofl_image_stream_new(&wait->stream, host->n_methods,
				   ROOM_AT_LEAST + ROOM * host->n_bytes);
	wait->making = cofl_maker_start(argv, fd);
	if (fd >= 0)
		close(fd);
}

static void start_job(void *arg)
{
	start_making(arg);
}

/* While the program runs: its next descriptor has the number it would have
 * natively. The thread for that lives as long as the instance, as it has to. */
static bool make_late(struct cofl_image_wait *w)
{
	if (!wait_until_used(w, COFL_TUNE(image_first_ms)))
		return false;
	cof_call_with_private_files(w->host->cof, start_job, w);
	return w->making;
}

static void wait_for_image(struct cofl_image_wait *w)
{
	unsigned ms = 0, pause;

	if (!w->making && !make_late(w))
		return;
	do {
		pause = ms / 16 < LOOK_MS ? LOOK_MS : ms / 16;
		if (pause > LOOK_MOST_MS)
			pause = LOOK_MOST_MS;
		ms += pause;
	} while (ms < LOOKS_MS && goes_on(w) && pause_ms(w, pause));
	set_coming(w, false);
	while (!cofl_maker_reap() && pause_ms(w, LOOK_MOST_MS))
		;
}

static void run(void *arg)
{
	struct cofl_image_wait *w = arg, *none = w;

	wait_for_image(w);
	/* Whoever takes it from the host frees it. */
	if (!atomic_compare_exchange_strong_explicit(
		    &w->host->image_wait, &none, NULL, memory_order_relaxed,
		    memory_order_relaxed))
		return;
	pthread_detach(pthread_self());
	cofl_image_stream_close(&w->stream);
	free(w);
}

/* Owns `wait` from now on. */
static void start_waiting(struct cofl_image_wait *wait)
{
	struct cofl *host = wait->host;

	atomic_store_explicit(&host->image_wait, wait, memory_order_relaxed);
	cof_stage_init(&wait->stage, "cof-image", COF_ROLE_APP, run, wait);
	if (cof_stage_start(&wait->stage) == 0)
		return;
	atomic_store_explicit(&host->image_wait, NULL, memory_order_relaxed);
	cofl_image_stream_close(&wait->stream);
	free(wait);
}

void cofl_image_launch(struct cofl *host, const uint8_t key[COFL_HASH_BYTES],
		       uint64_t max_mb, bool now)
{
	struct cofl_image_wait *wait;

	if (cofl_image_cache_failed(key) ||
	    (wait = calloc(1, sizeof(*wait))) == NULL)
		return;
	wait->host = host;
	wait->max_mb = max_mb;
	memcpy(wait->key, key, sizeof(wait->key));
	if (now)
		start_making(wait);
	if (!now || wait->making) {
		start_waiting(wait);
		return;
	}
	cofl_image_stream_close(&wait->stream);
	free(wait);
}
