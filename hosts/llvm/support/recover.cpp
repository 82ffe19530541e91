/*
 * recover.cpp - see recover.h
 *
 * Compiled with exceptions, as nothing else of the host is.
 */
#include "support/recover.h"

#include <cxxabi.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

#include "support/memory_reserve.h"

namespace {

struct given_up {
	char reason[200];
};

thread_local unsigned depth;	/* of cofl_recover() */

/* One line. */
void say(char *why, size_t why_bytes, const char *reason)
{
	snprintf(why, why_bytes, "%s", reason);
	for (; *why != '\0'; why++)
		if (*why == '\n')
			*why = ' ';
}

} /* namespace */

bool cofl_recover(cofl_recover_fn *f, void *arg, char *why, size_t why_bytes)
{
	bool done = true;
	/* The thread's variables for exceptions, while there is memory. */
	void *volatile touched = abi::__cxa_get_globals();

	(void)touched;
	depth++;
	try {
		f(arg);
	} catch (const given_up &e) {
		say(why, why_bytes, e.reason);
		done = false;
	} catch (const std::bad_alloc &) {
		cofl_memory_reserve_refused();
		say(why, why_bytes, "out of memory");
		done = false;
	}
	depth--;
	return done;
}

bool cofl_recover_locked(pthread_mutex_t *lock, cofl_recover_fn *f, void *arg,
			 char *why, size_t why_bytes)
{
	bool done;

	pthread_mutex_lock(lock);
	done = cofl_recover(f, arg, why, why_bytes);
	pthread_mutex_unlock(lock);
	return done;
}

void cofl_recover_leave(const char *reason)
{
	given_up e;

	if (depth == 0)
		return;
	snprintf(e.reason, sizeof(e.reason), "%s", reason);
	throw e;
}
