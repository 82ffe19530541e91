/*
 * launch.c - the other process, and the thread that waits for its work
 */
#include "launch.h"

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

#include "cache.h"
#include "imageload.h"

extern char **environ;

/* Between looks for the image: a part of the time it took so far, since large
 * programs take long, and after the last one nobody makes one. */
#define LOOK_MS      20u
#define LOOK_MOST_MS 1000u
#define LOOKS_MS     300000u

/* With nothing of ours but environment, folder and limits. */
static int spawn(pid_t *pid, char **argv)
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
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDWR, 0);
	posix_spawn_file_actions_adddup2(&files, 0, 1);
	posix_spawn_file_actions_adddup2(&files, 0, 2);
	posix_spawn_file_actions_addclosefrom_np(&files, 3);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF |
					POSIX_SPAWN_SETSIGMASK |
					POSIX_SPAWN_SETSID);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setsigmask(&attr, &none);
	err = posix_spawn(pid, "/proc/self/exe", &files, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return err;
}

void cofl_launch_detach(void)
{
	pid_t child = fork();

	if (child != 0)
		_exit(child < 0);
	/* As the build workers: nicer, and they would keep the image waiting
	 * while what is not hot runs at half speed. */
	setpriority(PRIO_PROCESS, 0, 10);
}

/* -- Going over ------------------------------------------------------------- */

struct wait {
	struct cofl *host;
	uint8_t      key[COFL_HASH_BYTES];
};

static void adopt(struct cofl *host, const struct cofl_image *image)
{
	char why[256], line[300];

	if (cofl_image_adopt(host, image, why, sizeof(why)))
		snprintf(line, sizeof(line), "the program goes over to its image");
	else
		snprintf(line, sizeof(line), "the image is not used: %s", why);
	cof_say(host->cof, line);
}

static void *wait_for_image(void *arg)
{
	struct wait wait = *(struct wait *)arg;
	unsigned pause = LOOK_MS;
	struct cofl_image image;

	free(arg);
	pthread_setname_np(pthread_self(), "cof-image");
	for (unsigned ms = 0; ms < LOOKS_MS; ms += pause) {
		pause = ms / 16 < LOOK_MS ? LOOK_MS : ms / 16;
		if (pause > LOOK_MOST_MS)
			pause = LOOK_MOST_MS;
		nanosleep(&(struct timespec){ .tv_sec = pause / 1000,
					      .tv_nsec = pause % 1000 * 1000000 },
			  NULL);
		if (!cofl_cache_has(wait.key))
			continue;
		if (cofl_cache_find(wait.key, &image)) {
			adopt(wait.host, &image);
			cofl_cache_close(&image);
		}
		break;
	}
	return NULL;
}

static void start_waiting(struct cofl *host, const uint8_t *key)
{
	struct wait *wait = malloc(sizeof(*wait));
	sigset_t all, before;
	pthread_t thread;

	if (wait == NULL)
		return;
	wait->host = host;
	memcpy(wait->key, key, sizeof(wait->key));
	/* Signals are the program's. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (pthread_create(&thread, NULL, wait_for_image, wait) == 0)
		pthread_detach(thread);
	else
		free(wait);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void cofl_launch(struct cofl *host, const uint8_t key[COFL_HASH_BYTES],
		 uint64_t max_mb)
{
	char mb[40], *path = (char *)(uintptr_t)host->path;
	char *argv[] = { "runtime", "--cof-image=launched", mb, "--", path, NULL };
	pid_t pid;
	int status;

	if (cofl_cache_failed(key))
		return;
	snprintf(mb, sizeof(mb), "--cof-image-mb=%llu",
		 (unsigned long long)max_mb);
	if (spawn(&pid, argv) != 0)
		return;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return start_waiting(host, key);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		start_waiting(host, key);
}
