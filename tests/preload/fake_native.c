/*
 * fake_native.c - a libcof-native.so that counts what it is told
 *
 * Option log=FILE: at the end of the process a line with the counts is appended
 * to FILE. Option refuse: it does not open.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "preload/services.h"

static struct {
	_Atomic unsigned begins, ends, actions, quiet, writes, switches;
} n;

static char log_file[4096];

static void add(const char *how)
{
	char line[200];
	int fd = open(log_file, O_WRONLY | O_CREAT | O_APPEND, 0600);
	int bytes = snprintf(line, sizeof(line),
			     "%s begins=%u ends=%u actions=%u quiet=%u "
			     "writes=%u switches=%u\n", how, n.begins, n.ends,
			     n.actions, n.quiet, n.writes, n.switches);

	if (fd >= 0 && write(fd, line, (size_t)bytes) == bytes)
		close(fd);
}

static void thread_begins(void)
{
	n.begins++;
}

static void thread_ends(void)
{
	n.ends++;
}

static void exits(void)
{
	add("exits");
}

static void exits_async_safe(void)
{
	add("exits_async_safe");
}

static void quiesce(void)
{
	n.quiet++;
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

int cofl_native_open(const struct cofl_services *services,
		     struct cofl_events *events, char *why, size_t why_bytes)
{
	const char *at = strstr(services->options, "log=");

	if (at != NULL)
		snprintf(log_file, sizeof(log_file), "%.*s",
			 (int)strcspn(at + 4, ","), at + 4);
	if (strstr(services->options, "refuse") != NULL) {
		snprintf(why, why_bytes, "it is refused");
		return -EINVAL;
	}
	*events = (struct cofl_events){
		.size = sizeof(*events), .thread_begins = thread_begins,
		.thread_ends = thread_ends, .exits = exits,
		.exits_async_safe = exits_async_safe, .quiesce = quiesce,
		.code_writes = code_writes, .switches_stacks = switches_stacks,
	};
	return 0;
}
