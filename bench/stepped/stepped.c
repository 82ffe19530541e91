/*
 * stepped.c - drawn programs with libcof, in steps: the same figures each time
 *
 *	stepped [--seeds N] [--first SEED] [--shake N] [--counters] [FAMILY]...
 *
 * A line of JSON for each program: how much sooner its work was done than at
 * tier 0, all costs included, and what libcof did. A family has N programs,
 * from SEED on, or more if they are short. In a build with --enable-tuning
 * COF_TUNING changes constants, and the last line names those that were read.
 * With another --shake the programs are the same, but samples fall elsewhere:
 * how much that changes is chance. bench/sensitivity --stepped compares such
 * runs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/stepped/run.h"
#include "options/tuning.h"

#define FULL_S 80	/* of work, in most families */

struct wish {
	uint64_t first, seeds, shake;
	int      counters;
};

static void print(const struct family *f, uint64_t seed, const struct run *r,
		  const struct wish *wish)
{
	printf("{\"family\": \"%s\", \"seed\": %llu, \"work_s\": %.3f, "
	       "\"cpu_s\": %.6f, \"waited_s\": %.6f, \"gain_pct\": %.2f, "
	       "\"built\": %llu, \"kept\": %llu, \"rolled_back\": %llu, "
	       "\"digest\": \"%016llx\"", f->name, (unsigned long long)seed,
	       (double)r->work_ns / 1e9, (double)r->cpu_ns / 1e9,
	       (double)r->waited_ns / 1e9,
	       100 * ((double)r->work_ns / (double)r->cpu_ns - 1),
	       (unsigned long long)(cof_count_get(&r->flow.optimizer.built) +
				    cof_count_get(&r->flow.profile.built)),
	       (unsigned long long)cof_count_get(&r->flow.audit.kept),
	       (unsigned long long)cof_count_get(&r->flow.audit.rolled_back),
	       (unsigned long long)r->digest);
	for (size_t i = 0; wish->counters && i < cof_flow_table_len; i++) {
		const struct cof_flow_desc *d = &cof_flow_table[i];

		printf(", \"%s.%s\": %llu", d->stage, d->name,
		       (unsigned long long)cof_flow_read(&r->flow, d));
	}
	printf("}\n");
}

/* Short programs are cheap, and chance decides more in them. */
static uint64_t seeds_of(const struct family *f, uint64_t seeds)
{
	return f->work_s < FULL_S ? (uint64_t)(seeds * FULL_S / f->work_s) :
				    seeds;
}

static void run_family(const struct family *f, const struct wish *wish)
{
	static struct run run;
	uint64_t first = 1 + seeds_of(f, wish->first - 1);
	uint64_t last = seeds_of(f, wish->first - 1 + wish->seeds);

	for (uint64_t seed = first; seed <= last; seed++) {
		run_program(f, seed, wish->shake, &run);
		print(f, seed, &run, wish);
	}
}

static void print_read(void)
{
	size_t at = 0;
	const char *name = cof_tuning_next_read(&at), *before = "";

	if (!name)
		return;
	printf("{\"read\": [");
	for (; name; name = cof_tuning_next_read(&at), before = ", ")
		printf("%s\"%s\"", before, name);
	printf("]}\n");
}

static void usage(void)
{
	fprintf(stderr, "usage: stepped [--seeds N] [--first SEED] "
		"[--shake N] [--counters] [FAMILY]...\nfamilies:");
	for (size_t i = 0; i < n_families; i++)
		fprintf(stderr, " %s", families[i].name);
	fprintf(stderr, "\n");
	exit(2);
}

/* Returns where the families begin. */
static int read_options(int argc, char **argv, struct wish *wish)
{
	int i = 1;

	for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++)
		if (strcmp(argv[i], "--counters") == 0)
			wish->counters = 1;
		else if (strcmp(argv[i], "--seeds") == 0 && i + 1 < argc)
			wish->seeds = strtoull(argv[++i], NULL, 10);
		else if (strcmp(argv[i], "--first") == 0 && i + 1 < argc)
			wish->first = strtoull(argv[++i], NULL, 10);
		else if (strcmp(argv[i], "--shake") == 0 && i + 1 < argc)
			wish->shake = strtoull(argv[++i], NULL, 10);
		else
			usage();
	for (int k = i; k < argc; k++)
		if (!family_of(argv[k]))
			usage();
	return i;
}

int main(int argc, char **argv)
{
	struct wish wish = { .first = 1, .seeds = 3 };
	int at = read_options(argc, argv, &wish);

	for (int i = at; i < argc; i++)
		run_family(family_of(argv[i]), &wish);
	for (size_t i = 0; at == argc && i < n_families; i++)
		run_family(&families[i], &wish);
	print_read();
	return 0;
}
