/*
 * hold_stats.c - keep a stats file open and count in it, for test_cof_stats.sh
 *
 *	hold_stats DIR [WORKERS]
 *
 * It prints the file's path when the file is complete, and ends on SIGTERM. So
 * do its workers, children with a file of their own.
 * Some names in the file would do harm to a careless printer.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/role.h"
#include "code/version.h"
#include "cof.h"
#include "stats/stats_file.h"

static volatile sig_atomic_t over;

static void on_term(int sig)
{
	(void)sig;
	over = 1;
}

static char *const names[] = {
	(char *)"System.Collections.Hashtable:get_Item (object)",
	(char *)"evil\033[2J\n\"quoted\"\\ \x80\xff caf\xc3\xa9",
	(char *)"main",
};
#define N_NAMES (sizeof(names) / sizeof(names[0]))

static void fill(struct cof_stats_file *s)
{
	static struct cof_method method[N_NAMES];
	static struct cof_version version[N_NAMES];
	struct cof_version *v[N_NAMES];
	uint32_t calls[N_NAMES];

	for (unsigned i = 0; i < N_NAMES; i++) {
		method[i].name = names[i];
		version[i] = (struct cof_version){
			.word = cof_word_pack((struct cof_word){
				.weight = (uint16_t)(120 - 30 * i), .calls = 7,
				.flags = i == 0 ? COF_WORD_SETTLED :
					 i == 1 ? COF_WORD_DEAD : 0 }),
			.sampled.total = 1000 / (i + 1),
			.code.start = 0x10000 + 64 * i,
			.code.end = 0x10040 + 64 * i, .method = &method[i],
			.number = i, .plan = (enum cof_plan)i,
		};
		atomic_store(&version[i].trial.state,
			     i == 2 ? COF_AUDIT_KEPT : COF_AUDIT_NONE);
		atomic_store(&version[i].trial.gain_permille, i == 2 ? 300 : 0);
		atomic_store(&version[i].trial.speed_permille,
			     i == 2 ? 1300 : 0);
		v[i] = &version[i];
		calls[i] = 7;
	}
	cof_stats_file_hot(s, v, calls, N_NAMES);
	cof_stats_file_phase(s, 0, 0, names[2]);
	cof_stats_file_phase(s, 17, 250, names[1]);

	cof_count_set(&s->flow->sampler.taken, 2000);
	cof_count_set(&s->flow->sampler.counted, 2000);
	cof_count_set(&s->flow->sampler.recompiled, 500);
	cof_count_set(&s->flow->improved.counted, 2000);
	cof_count_set(&s->flow->improved.rebuilt, 500);
	cof_count_set(&s->flow->improved.drop_NOT_WORTH, 100);
	cof_count_set(&s->flow->improved.drop_NO_IR, 100);
	cof_count_set(&s->flow->improved.drop_HOST_1, 1300);
	cof_count_set(&s->flow->sampler.drop_RING_FULL, 3);
	cof_count_set(&s->flow->predictor.drop_SETTLED, 7);
	cof_count_set(&s->flow->optimizer.drop_CODE_FULL, 1);
	cof_count_set(&s->flow->audit.kept, 1);
	cof_count_set(&s->flow->sampler.guest_ns, 1000000000);
	cof_count_set(&s->flow->sampler.handler_ns, 1000000);
	cof_count_set(&s->flow->sampler.sam_ns, 3000000);
	cof_count_set(&s->flow->predictor.pre_ns, 1000000);
	cof_count_set(&s->flow->optimizer.build_ns, 20000000);
	cof_count_set(&s->flow->patcher.code_hot, 1536);
	cof_count_set(&s->flow->patcher.code_reserved, 512u << 20);
	snprintf(s->header->source, sizeof(s->header->source), "timer");
	snprintf(s->header->source_why, sizeof(s->header->source_why),
		 "no PMU here");
}

/* As the loop that begins in a child. */
static bool begin_worker(struct cof_stats_file *s, const char *dir)
{
	if (cof_stats_file_forked(s) != 0 ||
	    cof_stats_file_in_child(s, dir, "test", "") != 0)
		return false;
	printf("%s\n", s->path);
	fflush(stdout);
	return true;
}

int main(int argc, char **argv)
{
	const struct timespec tick = { .tv_nsec = 10000000 };
	struct sigaction sa = { .sa_handler = on_term };
	static const struct cof_reason old = { "TOO_OLD", "it is \033old" };
	struct cof_stats_file *s;

	if (argc != 2 && argc != 3)
		return 2;
	sigaction(SIGTERM, &sa, NULL);
	cof_role = COF_ROLE_PREDICTOR;
	s = cof_stats_file_open(argv[1], "test", "sample_hz=499");
	if (s == NULL || s->path[0] == '\0') {
		fprintf(stderr, "hold_stats: %s\n", s ? s->why : "no memory");
		return 1;
	}
	cof_stats_file_reasons(s, &old, 1);
	fill(s);
	printf("%s\n", s->path);
	fflush(stdout);
	for (int i = 0; argc == 3 && i < atoi(argv[2]); i++)
		if (fork() == 0) {
			if (!begin_worker(s, argv[1]))
				return 1;
			break;
		}
	while (!over) {
		cof_count_add(&s->flow->sampler.taken, 5);
		s->header->updated_ns = cof_clock_ns();
		nanosleep(&tick, NULL);
	}
	cof_stats_file_close(s);
	return 0;
}
