/*
 * stress_toy.c - guest threads run toy methods while all of them are replaced
 *
 *	stress_toy [seconds [seed]]	or COF_STRESS_SECONDS, COF_STRESS_SEED
 *
 * With option stress every sampled method is rebuilt with a random plan, and
 * the host, which is the main thread, puts tier 0 back at random. Four threads
 * call methods. These compute, call each other, call back into C and from there
 * into methods again (deep recursion), and sleep or spin there. So threads are
 * inside old versions in every possible way. Now and then a thread forks.
 *
 * In the second half new versions are on trial as well: methods switch between
 * two versions, by their counting thunks, and a random one of the two stays.
 *
 * Checked meanwhile: each value; that a thread never sees a method go back to
 * an older version, unless there are trials; what the forked child computes.
 * Checked at the end: every stage balances, versions in use were met and not
 * freed, others were freed, and each version and IR was given back exactly
 * once. The seed is printed first.
 */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/units.h"
#include "hosts/toy/toy.h"
#include "instance.h"
#include "tests/support/balance.h"

#define THREADS   4
#define LEAVES    8	/* compute */
#define CALLERS   8	/* and call another one, through a call site */
#define DEEP      4	/* and call back into C, which calls such a method */
#define PAUSERS   5	/* and sleep or spin in C, or loop for long */
#define METHODS   (LEAVES + CALLERS + DEEP + PAUSERS)
#define LONG_TURNS 1500000	/* some 40 ms at tier 0 */
#define DEPTH     120
#define PAUSE_MASK 1023	/* one call in 1024 is of a pauser; of the last
			 * thread's, one in two */
#define BEYOND_S 600	/* longer than asked for, until all was seen */
#define FORK_CALLS 20000	/* calls of one thread between two forks */

static struct toy        toy;
static struct toy_method method[METHODS];
static _Atomic bool      over;
static _Atomic unsigned  forks;
static bool              trials;	/* methods may go back */

static struct toy_method *const deep = &method[LEAVES + CALLERS];
static struct toy_method *const pauser = &method[LEAVES + CALLERS + DEEP];

static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static void die(const char *what, const char *name)
{
	fprintf(stderr, "stress_toy: %s: %s\n", name, what);
	if (toy.cof)
		show_flow(toy.cof->flow);
	exit(1);
}

/* -- The callbacks of methods ---------------------------------------------- */

static long recurse(long x)
{
	return x <= 0 ? 0 : toy_call(&deep[x * 7 % DEEP], x - 1).value;
}

static void spin(uint64_t ns)
{
	uint64_t t0 = cof_clock_thread_ns();

	while (cof_clock_thread_ns() - t0 < ns)
		;
}

static long pause_asleep(long x)
{
	struct timespec t = { .tv_nsec = 1000000 + x % 30 * 1000000 };

	nanosleep(&t, NULL);
	return x;
}

static long pause_awake(long x)
{
	spin(2000000);
	return x;
}

static long pause_both(long x)
{
	pause_asleep(x);
	return pause_awake(x);
}

/* -- The expected values --------------------------------------------------- */

static long expected(const struct toy_method *m, long x)
{
	long v = x;

	if (m->callback == recurse)
		v = x <= 0 ? 0 : expected(&deep[x * 7 % DEEP], x - 1);
	if (m->callee)
		v = expected(m->callee, v);
	return v + (long)m->turns * m->step;
}

static void add_methods(uint64_t *rng)
{
	static long (*const pauses[PAUSERS])(long) = {
		pause_asleep, pause_awake, pause_both, NULL, NULL,
	};
	static char name[METHODS][16];

	for (int i = 0; i < METHODS; i++) {
		struct toy_method *m = &method[i];

		snprintf(name[i], sizeof(name[i]), "method%d", i);
		m->name = name[i];
		m->turns = TOY_TURNS *
			   (1 + (uint32_t)(next_random(rng) % 2000));
		m->step = (int32_t)(next_random(rng) % 1000) - 500;
		if (i >= LEAVES && i < LEAVES + CALLERS)
			m->callee = &method[next_random(rng) % (uint64_t)i];
		if (m >= deep)
			m->callback = recurse;
		if (m >= pauser)
			m->callback = pauses[m - pauser];
		if (!m->callback && m >= pauser)
			m->turns = TOY_TURNS * LONG_TURNS;
		if (toy_add(&toy, m) != 0)
			die("cannot be added", m->name);
	}
}

/* -- Guests ---------------------------------------------------------------- */

struct guest {
	pthread_t thread;
	uint64_t  rng;
	int       number;
	uint64_t  calls;
	uint64_t  seen[METHODS];	/* latest version that was not tier 0 */
};

static void call(struct guest *g, int i, long x)
{
	const struct toy_method *m = &method[i];
	struct toy_answer a = toy_call(m, x);
	uint64_t version = a.version >> 2;

	if (a.value != expected(m, x))
		die("wrong value", m->name);
	if (version == 0 || version > toy.versions)
		die("a version that was never made", m->name);
	/* Not for tier 0: two threads may race to make it. */
	if ((a.version & 3) != COF_PLAN_NONE) {
		if (version < g->seen[i] && !trials)
			die("went back to an older version", m->name);
		g->seen[i] = version;
	}
	g->calls++;
}

static void call_some(struct guest *g)
{
	uint64_t r = next_random(&g->rng);
	int i = (int)(r % (LEAVES + CALLERS + DEEP));

	if (r >> 32 & (g->number == THREADS - 1 ? 1 : PAUSE_MASK))
		call(g, i, (long)(r >> 48) % DEPTH);
	else
		call(g, METHODS - 1 - (int)(r >> 48) % PAUSERS,
		     (long)(r >> 48));
}

/* The child calls methods on its own, and exits with the result. */
static void fork_once(struct guest *g)
{
	int status;
	pid_t pid = fork();

	if (pid < 0) {
		if (errno != EAGAIN && errno != ENOMEM)
			die(strerror(errno), "fork");
		return;
	}
	if (pid == 0) {
		for (int i = 0; i < LEAVES + CALLERS + DEEP; i++)
			call(g, i, i);
		_exit(0);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			die(strerror(errno), "waitpid");
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		die("went wrong", "a forked child");
	forks++;
}

static void *guest_main(void *arg)
{
	struct guest *g = arg;
	uint64_t fork_at = FORK_CALLS;

	if (cof_thread_attach(toy.cof, NULL, NULL) != 0)
		die("cannot be attached", "a guest thread");
	fork_once(g);
	while (!over) {
		call_some(g);
		if (g->number == 0 && g->calls >= fork_at) {
			fork_once(g);
			fork_at = g->calls + FORK_CALLS;
		}
	}
	cof_thread_detach(toy.cof);
	return NULL;
}

/* -- The run --------------------------------------------------------------- */

static uint64_t setting(const char *arg, const char *env, uint64_t otherwise)
{
	const char *s = arg ? arg : getenv(env);

	return s && *s ? strtoull(s, NULL, 0) : otherwise;
}

static void check_end(const struct cof_flow *f)
{
	if (unbalanced(f))
		die("does not balance", unbalanced(f));
	if (f->optimizer.built == 0)
		die("nothing was rebuilt", "optimizer");
	if (f->reclaim.in_use == 0 && !trials)	/* trials replace fewer */
		die("no version was ever found in use", "reclaim");
	if (f->reclaim.freed == 0)
		die("no version was ever freed", "reclaim");
	if (f->memory.own_bytes > 64u << 20)
		die("libcof's own memory grew", "memory");
	if (trials && f->audit.kept + f->audit.rolled_back == 0)
		die("no trial came to an end", "audit");
	if (f->patcher.parked != 0)
		die("versions stay parked", "patcher");
}

/*
 * A busy machine may need longer than asked for, until all that check_end()
 * looks for has happened.
 */
static bool all_seen(uint64_t end)
{
	const struct cof_flow *f = toy.cof->flow;

	if (cof_clock_ns() > end + BEYOND_S * COF_S_NS)
		return true;
	return f->optimizer.built != 0 && f->reclaim.freed != 0 &&
	       (trials ? f->audit.kept + f->audit.rolled_back != 0 :
			 f->reclaim.in_use != 0);
}

static void run(uint64_t seconds, uint64_t seed)
{
	struct cof_host host = toy_host(&toy);
	char options[240], why[COF_WHY_BYTES] = "";
	static struct guest guest[THREADS];
	uint64_t rng = seed, calls = 0, replaced = 0, end;

	snprintf(options, sizeof(options), "mode=co,stress=%llu,stats=none,"
		 "workers=2,"
		 "build_pct=6400,generation_ms=10,drain_ms=2,reclaim_ms=5,"
		 "hit_weight=1,budget_permille=0,code_mb=16,sample_hz=1000,"
		 "audit=%s", (unsigned long long)seed, trials ? "on" : "off");
	if (cof_start(&host, options, why, &toy.cof) != 0)
		die(why, "cof_start");
	add_methods(&rng);
	end = cof_clock_ns() + seconds * 1000000000u;
	over = false;
	for (int i = 0; i < THREADS; i++) {
		guest[i] = (struct guest){ .number = i,
					   .rng = next_random(&rng) };
		if (pthread_create(&guest[i].thread, NULL, guest_main,
				   &guest[i]) != 0)
			die("cannot be made", "a guest thread");
	}
	while (cof_clock_ns() < end || !all_seen(end)) {
		size_t i = next_random(&rng) % METHODS;

		/* This ends a trial, so half of the methods are left out. */
		if (!trials || i % 2 == 0) {
			host.first_call(&toy, &method[i]);
			replaced++;
		}
		nap();
	}
	over = true;
	for (int i = 0; i < THREADS; i++) {
		pthread_join(guest[i].thread, NULL);
		calls += guest[i].calls;
	}
	cof_stop(toy.cof);
	check_end(toy.cof->flow);
	printf("stress_toy: %llu calls, %u forks, %llu rebuilt, %llu by the "
	       "host, %llu freed, %llu times in use, %llu tried, %llu taken "
	       "back\n", (unsigned long long)calls, forks,
	       (unsigned long long)toy.cof->flow->optimizer.built,
	       (unsigned long long)replaced,
	       (unsigned long long)toy.cof->flow->reclaim.freed,
	       (unsigned long long)toy.cof->flow->reclaim.in_use,
	       (unsigned long long)toy.cof->flow->audit.tried,
	       (unsigned long long)toy.cof->flow->audit.rolled_back);
	cof_free(toy.cof);
	toy.cof = NULL;
	if (toy.discarded != toy.versions)
		die("not each was discarded once", "versions");
	if (toy.dropped != toy.gathered)
		die("not each was dropped once", "IR");
	memset(&toy, 0, sizeof(toy));
	memset(method, 0, sizeof(method));
}

int main(int argc, char **argv)
{
	uint64_t seconds = setting(argc > 1 ? argv[1] : NULL,
				   "COF_STRESS_SECONDS", 6);
	uint64_t seed = setting(argc > 2 ? argv[2] : NULL, "COF_STRESS_SEED",
				cof_clock_ns() & 0xffffffff);

	seed = (uint32_t)seed ? (uint32_t)seed : 1;
	printf("stress_toy: seed %llu, %llu s\n", (unsigned long long)seed,
	       (unsigned long long)seconds);
	fflush(stdout);
	run((seconds + 1) / 2, seed);
	trials = true;
	run((seconds + 1) / 2, seed);
	return 0;
}
