/*
 * split.h - for tests of fork(): code in both processes, which take turns
 */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "instance.h"

static struct cof *cof;

/* What the host says; it runs on the thread that begins the loop. */
static int (*child_begins)(void);

/* Its own code; bytes of 0: none. */
static const void *own_code;
static size_t      own_code_bytes;

static inline int setup(void **state)
{
	(void)state;
	signal(SIGPROF, SIG_DFL);
	child_begins = NULL;
	own_code_bytes = 0;
	return 0;
}

static inline int host_child_begins(void *ctx)
{
	(void)ctx;
	return child_begins ? child_begins() : 0;
}

static inline void start_as(const char *options, bool fork_shares_code)
{
	struct cof_host host = { .size = sizeof(host), .name = "test",
				 .fork_shares_code = fork_shares_code,
				 .child_begins = host_child_begins,
				 .own_code = own_code,
				 .own_code_bytes = own_code_bytes };
	char why[COF_WHY_BYTES] = "";

	if (cof_start(&host, options, why, &cof) != 0)
		fail_msg("%s", why);
}

static inline void end(void)
{
	cof_free(cof);
	cof = NULL;
}

/* End what a failed test left running. */
static inline int teardown(void **state)
{
	(void)state;
	if (cof)
		cof_thread_detach(cof);
	end();
	return 0;
}

/* Write a function that returns `v`. */
static inline void write_ret(const struct cof_code *code, unsigned char v)
{
	unsigned char text[] = { 0xb8, v, 0, 0, 0, 0xc3 };

	memcpy(code->write, text, sizeof(text));
}

/* Such a function in a block of its own. */
static inline struct cof_code new_ret(unsigned char v)
{
	struct cof_code code;

	assert_int_equal(cof_code_alloc(cof, 64, COF_CODE_FIRST, &code), 0);
	write_ret(&code, v);
	return code;
}

static inline int run_code(const struct cof_code *code)
{
	return ((int (*)(void))(uintptr_t)code->exec)();
}

/* A signal ends the child if it takes too long. */
static inline pid_t fork_in_time(void)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0)
		alarm(120);
	return pid;
}

/* Each process tells the other by a byte in a pipe that it has written. */
struct turns {
	int to_child[2], to_parent[2];
};

static inline struct turns open_turns(void)
{
	struct turns turns;

	assert_int_equal(pipe(turns.to_child), 0);
	assert_int_equal(pipe(turns.to_parent), 0);
	return turns;
}

static inline void close_turns(const struct turns *turns)
{
	close(turns->to_child[0]), close(turns->to_child[1]);
	close(turns->to_parent[0]), close(turns->to_parent[1]);
}

/* Without assertions: after a failed one a child would run the other tests. */
static inline void say_done(const int pipe[2])
{
	if (write(pipe[1], "", 1) != 1)
		_exit(97);
}

static inline void wait_for(const int pipe[2])
{
	char byte;

	if (read(pipe[0], &byte, 1) != 1)
		_exit(98);
}
