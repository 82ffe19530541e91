/*
 * poke.c - one timer for each thread, made when it is first needed
 */
#include "threads/poke.h"

#include <time.h>

#include "cof.h"
#include "instance.h"
#include "threads/cpu_timer.h"
#include "threads/threads.h"

int cof_poke(struct cof *cof, struct cof_thread *t)
{
	int sig = cof->threads->poke_signal;

	if (sig == 0)
		return -COF_E_PERM;
	if (!t->has_poke &&
	    cof_cpu_timer_make(sig, t->tid, COF_COOKIE_POKE, &t->poke) != 0)
		return -COF_E_PERM;
	t->has_poke = true;
	cof_cpu_timer_arm(t->poke, 1, 0);
	return 0;
}

void cof_poke_end(struct cof_thread *t)
{
	if (t->has_poke)
		timer_delete(t->poke);
	t->has_poke = false;
}
