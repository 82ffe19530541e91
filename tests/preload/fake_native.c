/*
 * fake_native.c - a libcof-native.so that counts what it is told
 *
 * Option log=FILE: at the end of the process a line with the counts is appended
 * to FILE. Option refuse: it does not open. As libcof it has a signal for
 * samples, which it sends to the thread that begins, and a thread that does not
 * end.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/libc_signal.h"
#include "preload/services.h"

#define SIGNAL COF_LIBC_SIGNAL_CANCEL

static struct {
	_Atomic unsigned begins, ends, samples, quiet, writes;
	_Atomic unsigned switches;
} n;

static char log_file[4096];
static const struct cofl_services *given;

static void add(const char *how)
{
	char line[200];
	int fd = open(log_file, O_WRONLY | O_CREAT | O_APPEND, 0600);
	int bytes = snprintf(line, sizeof(line),
			     "%s begins=%u ends=%u samples=%u quiet=%u "
			     "writes=%u switches=%u\n", how, n.begins, n.ends,
			     n.samples, n.quiet, n.writes, n.switches);

	if (fd >= 0 && write(fd, line, (size_t)bytes) == bytes)
		close(fd);
}

/* As a timer would. libc takes what tgkill(2) sends for its own. */
static void thread_begins(void)
{
	siginfo_t info = { .si_signo = SIGNAL, .si_code = SI_TIMER };

	n.begins++;
	info.si_value.sival_ptr = &n;
	syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), SIGNAL, &info);
}

static void thread_ends(void)
{
	n.ends++;
}

static void exits(void)
{
	if (n.quiet == 0)
		add("exits");
}

static void exits_async_safe(void)
{
	if (n.quiet == 0)
		add("exits_async_safe");
}

/* The thread that does not end otherwise ends then. A fork's child has none. */
static _Atomic bool may_end, ended;
static pid_t its_process;

static void quiesce(void)
{
	n.quiet++;
	add("quiesce");
	may_end = true;
	while (!ended && getpid() == its_process)
		usleep(1000);
}

static void code_writes(const void *from, size_t bytes)
{
	(void)from;
	n.writes += bytes != 0;
}

static void switches_stacks(const char *why)
{
	n.switches += why != NULL;
}

/* -- The signal ------------------------------------------------------------ */

static struct sigaction former;	/* of the start's looks */

static void on_signal(int sig, siginfo_t *info, void *context)
{
	if (info->si_value.sival_ptr == &n)
		n.samples++;
	else if (former.sa_flags & SA_SIGINFO)
		former.sa_sigaction(sig, info, context);
}

static void *stay(void *unused)
{
	given->own_thread_begins();
	given->own_thread_made();
	while (!may_end)
		usleep(1000);
	ended = true;
	return unused;
}

/* This is the library of both names. */
int cofl_libc_init(const struct cofl_services *services)
{
	given = services;
	return services->size >= sizeof(*services) ? 0 : EINVAL;
}

static void (*first[2])(void);

static void *run_first(void *unused)
{
	given->own_thread_begins();
	first[0]();
	first[1]();
	given->own_thread_ends();
	return unused;
}

int cofl_libc_first_thread(void (*before)(void), void (*run)(void))
{
	pthread_t thread;

	first[0] = before;
	first[1] = run;
	return pthread_create(&thread, NULL, run_first, NULL);
}

int cofl_native_open(const struct cofl_services *services,
		     struct cofl_events *events, char *why, size_t why_bytes)
{
	const char *at = strstr(services->options, "log=");
	struct sigaction act = { .sa_sigaction = on_signal,
				 .sa_flags = SA_SIGINFO };
	pthread_t thread;

	given = services;
	if (at != NULL)
		snprintf(log_file, sizeof(log_file), "%.*s",
			 (int)strcspn(at + 4, ","), at + 4);
	if (strstr(services->options, "refuse") != NULL) {
		snprintf(why, why_bytes, "it is refused");
		return -EINVAL;
	}
	cof_libc_signal_action(SIGNAL, &act, &former);
	its_process = getpid();
	given->own_thread_making();
	pthread_create(&thread, NULL, stay, NULL);
	*events = (struct cofl_events){
		.size = sizeof(*events), .signal = SIGNAL,
		.thread_begins = thread_begins, .thread_ends = thread_ends,
		.exits = exits,
		.exits_async_safe = exits_async_safe, .quiesce = quiesce,
		.code_writes = code_writes, .switches_stacks = switches_stacks,
	};
	return 0;
}
