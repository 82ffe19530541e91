/*
 * exec.c - the program becomes another one; nothing of ours may be left
 *
 * The timers, blocked signals and handlers of whoever ran us must not reach the
 * new program: it would die of a signal it never asked for.
 *
 * guest-hot:
 */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "guest.h"

int main(void)
{
	/* Burns CPU time, then shows its blocked and ignored signals. */
	static const char script[] =
		"i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done;"
		"echo $i $*; exec grep -E '^Sig(Blk|Ign)' /proc/self/status";

	guest_run("exec", guest_work_round);
	fflush(stdout);
	setenv("GUEST_SAYS", "hello", 1);
	execl("/bin/sh", "sh", "-c", script, "name", "one", "two words",
	      (char *)NULL);
	return 1;
}
