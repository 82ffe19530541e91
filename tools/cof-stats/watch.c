/*
 * watch.c - cof-stats --watch
 */
#include "watch.h"

#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

static volatile sig_atomic_t asked;	/* to end, after this look */

/* A reader of the output that has stopped does not keep it from ending. */
static void on_signal(int sig)
{
	if (asked)
		_exit(128 + sig);
	asked = 1;
}

/* A write that waits is to go on, and a sleep to end. */
static void catch_signals(void)
{
	struct sigaction sa = { .sa_handler = on_signal,
				.sa_flags = SA_RESTART };

	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
}

static void sleep_until(uint64_t ns)
{
	struct timespec t = {
		.tv_sec = (time_t)(ns / 1000000000u),
		.tv_nsec = (long)(ns % 1000000000u),
	};

	while (!asked && clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t,
					 NULL) == EINTR)
		;
}

int watch_run(int fd, FILE *to, uint64_t period_ns, watch_print print,
	      bool lines, char why[READER_WHY])
{
	bool terminal = isatty(fileno(to)) == 1, over = false;
	struct reader look[2] = { 0 };
	uint64_t next = cof_clock_ns();
	unsigned turn = 0;
	int err = 0;

	catch_signals();
	for (; !over && !asked; turn++) {
		struct reader *r = &look[turn % 2];
		struct reader *before = &look[(turn + 1) % 2];

		reader_free(r);
		err = reader_read(r, fd, why);
		if (err != 0)
			break;
		if (!lines && terminal)
			fputs("\033[H\033[2J", to);	/* clear: ECMA-48 */
		else if (!lines && turn > 0)
			fputc('\n', to);
		print(to, r, turn > 0 ? before : NULL);
		over = r->life == COF_LIFE_DEAD || r->unlinked;
		if (over && !lines && r->life != COF_LIFE_DEAD)
			fprintf(to, "\nlibcof was freed in this process\n");
		if (fflush(to) != 0) {
			why[0] = '\0';
			err = -1;
			break;
		}
		next += period_ns;
		/* It was stopped, or its reader was. */
		if (next < cof_clock_ns())
			next = cof_clock_ns() + period_ns;
		if (!over)
			sleep_until(next);
	}
	reader_free(&look[0]);
	reader_free(&look[1]);
	return err;
}
