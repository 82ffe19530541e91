/*
 * image_launch.c - the process, and the thread that waits for it; see
 * image_launch.h
 */
#include "image/image_launch.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "image/image_cache.h"
#include "image/image_load.h"
#include "image/image_stream.h"
#include "support/tuning.h"

extern char **environ;

/* The pause between two looks for the image grows with the time so far, since
 * large programs take long. After the last look no process is making the
 * image. */
#define LOOK_MS      20u
#define LOOK_MOST_MS 1000u
#define LOOKS_MS     300000u

/* Address space for pieces; only pages that are written take memory. */
#define ROOM          16u		/* bytes, for a byte of bitcode */
#define ROOM_AT_LEAST (16u << 20)

/* The process inherits the environment, working directory and limits, and the
 * stream as its standard input, if there is one. */
static int spawn(pid_t *pid, char **argv, int stream)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t all, none;
	int err;

	sigfillset(&all);
	sigemptyset(&none);
	if (posix_spawn_file_actions_init(&files) != 0)
		return -1;
	if (posix_spawnattr_init(&attr) != 0) {
		posix_spawn_file_actions_destroy(&files);
		return -1;
	}
	if (stream < 0)
		posix_spawn_file_actions_addopen(&files, 0, "/dev/null",
						 O_RDWR, 0);
	else
		posix_spawn_file_actions_adddup2(&files, stream, 0);
	posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_RDWR, 0);
	posix_spawn_file_actions_adddup2(&files, 1, 2);
	posix_spawn_file_actions_addclosefrom_np(&files, 3);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF |
					POSIX_SPAWN_SETSIGMASK |
					POSIX_SPAWN_SETSID);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setsigmask(&attr, &none);
	/* cof-llvm, not the program (exe/proc_self_exe.h). */
	err = posix_spawn(pid, "/proc/self/./exe", &files, &attr, argv,
			  environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return err;
}

#define NICE 10

/*
 * The priority of the build workers. With a lower one they would delay the
 * image, while methods that are not hot run at half speed. The process has a
 * session, so an autogroup of its own (sched(7)), and priorities count within
 * an autogroup only. Without the group's priority the program and its workers
 * would share one of two cores, and this process would have the other.
 */
static void be_nice(void)
{
	FILE *group;

	setpriority(PRIO_PROCESS, 0, NICE);
	group = fopen("/proc/self/autogroup", "w");
	if (group == NULL)
		return;		/* the kernel has no autogroups */
	fprintf(group, "%d", NICE);
	fclose(group);
}

void cofl_image_launch_detach(void)
{
	pid_t child = fork();

	if (child != 0)
		_exit(child < 0);
	be_nice();
}

/* -- Going over ------------------------------------------------------------ */

struct wait {
	struct cofl              *host;
	struct cofl_image_stream  stream;	/* .head NULL: none */
	unsigned                  quiet_ms;	/* since a piece came */
	uint8_t                   key[COFL_HASH_BYTES];
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

static void wish(struct wait *w)
{
	for (uint32_t i = 0; i < w->host->n_methods; i++) {
		const struct cofl_method *m = &w->host->method[i];

		if (atomic_load_explicit(&m->compiled, memory_order_relaxed))
			cofl_image_stream_want(&w->stream, i, worth(m));
	}
}

static void set_coming(struct wait *w, bool coming)
{
	atomic_store_explicit(&w->host->image_streaming, coming,
			      memory_order_relaxed);
}

/* Take the pieces that are there. False: no more will come. */
static bool take(struct wait *w)
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
static bool look(struct wait *w)
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

static bool goes_on(struct wait *w)
{
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

static void *wait_for_image(void *arg)
{
	unsigned pause = LOOK_MS;
	struct wait *w = arg;

	pthread_setname_np(pthread_self(), "cof-image");
	for (unsigned ms = 0; ms < LOOKS_MS && goes_on(w); ms += pause) {
		pause = ms / 16 < LOOK_MS ? LOOK_MS : ms / 16;
		if (pause > LOOK_MOST_MS)
			pause = LOOK_MOST_MS;
		nanosleep(&(struct timespec){
				  .tv_sec = pause / 1000,
				  .tv_nsec = pause % 1000 * 1000000,
			  }, NULL);
		w->quiet_ms += pause;
	}
	set_coming(w, false);
	cofl_image_stream_close(&w->stream);
	free(w);
	return NULL;
}

/* Owns `wait` from now on. */
static void start_waiting(struct wait *wait)
{
	if (cof_thread_create(wait_for_image, wait) != 0) {
		cofl_image_stream_close(&wait->stream);
		free(wait);
	}
}

/* False: no process makes the image. */
static bool start_making(struct wait *wait, uint64_t max_mb)
{
	struct cofl *host = wait->host;
	char mb[40], *path = (char *)(uintptr_t)host->path;
	char *argv[] = { "runtime", "--cof-image=launched", mb, "--", path,
			 NULL };
	int status = 0, fd, err;
	pid_t pid;

	snprintf(mb, sizeof(mb), "--cof-image-mb=%llu",
		 (unsigned long long)max_mb);
	fd = cofl_image_stream_new(&wait->stream, host->n_methods,
			       ROOM_AT_LEAST + ROOM * host->n_bytes);
	err = spawn(&pid, argv, fd);
	if (fd >= 0)
		close(fd);
	if (err != 0)
		return false;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return true;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void cofl_image_launch(struct cofl *host, const uint8_t key[COFL_HASH_BYTES],
		       uint64_t max_mb)
{
	struct wait *wait;

	if (cofl_image_cache_failed(key) ||
	    (wait = calloc(1, sizeof(*wait))) == NULL)
		return;
	wait->host = host;
	memcpy(wait->key, key, sizeof(wait->key));
	if (start_making(wait, max_mb)) {
		start_waiting(wait);
		return;
	}
	cofl_image_stream_close(&wait->stream);
	free(wait);
}
