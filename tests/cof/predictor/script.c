/*
 * script.c - the statements of a script; see script.h
 */
#include "script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/role.h"
#include "instance.h"
#include "predictor/forecast.h"
#include "predictor/phase.h"
#include "predictor/predictor.h"
#include "stats/stats_file.h"

#define METHODS  64
#define VERSIONS 256
#define WORDS    20	/* on a line */

static struct cof         cof;
static uint64_t           touched_words[1024], forecast_words[1024];
static struct cof_method  method[METHODS];
static struct cof_version version[VERSIONS];
static int                n_methods, n_versions;

/* Of the last generation. */
static struct cof_forecast forecast[64];
static int                 n_forecasts;
static uint64_t            phases;	/* rows before it */
static uint64_t            random_state;

static const char *file;
static int         line;

#define FAIL(...) (print_error("%s:%d: ", file, line), \
		   print_error(__VA_ARGS__), print_error("\n"), fail())

int script_setup(void **state)
{
	(void)state;
	memset(&cof, 0, sizeof(cof));
	random_state = 1;
	cof_opts_init(&cof.opts);
	cof_ring_init(&cof.touched, touched_words, 1024);
	cof_ring_init(&cof.forecasts, forecast_words, 1024);
	cof.stats_file = cof_stats_file_open("none", "test", "");
	assert_non_null(cof.stats_file);
	cof.flow = cof.stats_file->flow;
	cof_role = COF_ROLE_PREDICTOR;
	n_methods = n_versions = n_forecasts = 0;
	return cof_predictor_new(&cof);
}

int script_teardown(void **state)
{
	(void)state;
	for (int i = 0; i < n_methods; i++)
		free(method[i].name);
	cof_predictor_free(&cof);
	cof_stats_file_close(cof.stats_file);
	return 0;
}

static struct cof_version *current(struct cof_method *m)
{
	return atomic_load(&m->current);
}

static void new_version(struct cof_method *m)
{
	assert_true(n_versions < VERSIONS);
	version[n_versions] = (struct cof_version){
		.method = m, .number = m->code.next_number++,
	};
	atomic_store(&m->current, &version[n_versions++]);
}

static struct cof_method *find(const char *name)
{
	int i = 0;

	while (i < n_methods && strcmp(method[i].name, name))
		i++;
	if (i == n_methods) {
		assert_true(n_methods < METHODS);
		method[i] = (struct cof_method){ .name = strdup(name) };
		n_methods++;
		new_version(&method[i]);
	}
	return &method[i];
}

/* What SAM does by predictor.h, in the code buckets from `first` on. */
static void sample(struct cof_version *v, uint32_t n, uint32_t buckets,
		   uint32_t first)
{
	uint64_t was, record = (uint64_t)(uintptr_t)v;

	while (n-- > 0) {
		if (cof_word_read(&v->word).flags & COF_WORD_HIT)
			cof_code_buckets_add(&v->sampled.buckets,
					     first + n % buckets);
		was = atomic_fetch_add(&v->word, (uint64_t)1 << 32);
		if (cof_word_unpack(was).calls == 0)
			assert_true(cof_ring_push(&cof.touched, &record, 1));
	}
}

static void check_balance(void)
{
	struct cof_flow_predictor *f = &cof.flow->predictor;

	assert_int_equal(f->candidates, f->forecast + f->drop_NOT_CHOSEN +
			 f->drop_SETTLED + f->drop_DEAD + f->drop_QUEUE_FULL);
	assert_int_equal(cof.flow->phase.begun,
			 cof.flow->phase.new + cof.flow->phase.returned);
	assert_int_equal(f->generations, cof.generation);
	assert_int_equal(f->generations, cof.pre_turns);
}

static void end_generation(void)
{
	uint64_t w[COF_FORECAST_WORDS];

	phases = cof.stats_file->n_phases;
	cof_predictor_turn(&cof);
	n_forecasts = 0;
	while (cof_ring_pop(&cof.forecasts, w, COF_FORECAST_WORDS)) {
		struct cof_forecast f = cof_forecast_unpack(w);

		assert_int_equal(f.generation, cof.generation);
		assert_int_equal(f.slot, n_forecasts);
		forecast[n_forecasts++] = f;
	}
	check_balance();
}

/* METHOD, METHOD/a or METHOD/b. */
static void sample_at(char *name, uint32_t n)
{
	char *half = strchr(name, '/');
	uint32_t first = half && half[1] == 'b' ? COF_CODE_BUCKETS / 2 : 0;

	if (half)
		*half = '\0';
	sample(current(find(name)), n,
	       half ? COF_CODE_BUCKETS / 2 : COF_CODE_BUCKETS, first);
}

/* The same numbers in each run. */
static uint32_t draw(uint32_t n)
{
	random_state = random_state * 6364136223846793005u +
		       1442695040888963407u;
	return (uint32_t)((random_state >> 33) % n);
}

static void noisy(char **word, int n)
{
	long times = atol(word[0]);
	uint32_t share[WORDS], sum = 0;
	char name[WORDS][80];

	for (int i = 1; i < n; i++) {
		const char *calls = strrchr(word[i], ':');

		if (!calls)
			FAIL("%s: no share", word[i]);
		snprintf(name[i], sizeof(name[i]), "%.*s",
			 (int)(calls - word[i]), word[i]);
		share[i] = (uint32_t)atol(calls + 1);
		sum += share[i];
	}
	for (; times > 0; times--) {
		for (int k = 0; k < 50; k++) {
			uint32_t at = draw(sum), half;
			int i = 1;
			char *slash;

			for (; at >= share[i]; i++)
				at -= share[i];
			slash = strchr(name[i], '/');
			half = slash && slash[1] == 'b' ?
			       COF_CODE_BUCKETS / 2 : 0;
			if (slash)
				*slash = '\0';
			sample(current(find(name[i])), 1, 1, half +
			       draw(slash ? COF_CODE_BUCKETS / 2 :
					    COF_CODE_BUCKETS));
			if (slash)
				*slash = '/';
		}
		end_generation();
	}
}

static void generation(char **word, int n)
{
	long times = 1;

	if (n > 0 && word[0][0] == 'x' && !strchr(word[0], ':')) {
		times = atol(word[0] + 1);
		word++;
		n--;
	}
	for (; times > 0; times--) {
		for (int i = 0; i < n; i++) {
			char name[80];
			const char *calls = strrchr(word[i], ':');

			if (!calls)
				FAIL("%s: no samples", word[i]);
			snprintf(name, sizeof(name), "%.*s",
				 (int)(calls - word[i]), word[i]);
			sample_at(name, (uint32_t)atol(calls + 1));
		}
		end_generation();
	}
}

static void expect_forecast(char **word, int n)
{
	for (int i = 0; i < n || i < n_forecasts; i++) {
		const char *want = i < n ? word[i] : "nothing";
		const char *got = i < n_forecasts ?
				  forecast[i].version->method->name : "nothing";

		if (strcmp(want, got))
			FAIL("forecast %d is %s, not %s", i, got, want);
	}
}

static void expect_number(const char *what, uint64_t got, const char *lo,
			  const char *hi)
{
	if (got < strtoull(lo, NULL, 10) || got > strtoull(hi, NULL, 10))
		FAIL("%s is %llu, not %s to %s", what, (unsigned long long)got,
		     lo, hi);
}

static void expect(char **word, int n)
{
	struct cof_flow_predictor *f = &cof.flow->predictor;
	const char *what = word[0];

	if (!strcmp(what, "phase") && n == 1) {
		if (cof.stats_file->n_phases != phases + 1)
			FAIL("no phase began");
	} else if (!strcmp(what, "no") && n == 2) {
		if (cof.stats_file->n_phases != phases)
			FAIL("a phase began, similarity %u",
			     (unsigned)f->similarity);
	} else if (!strcmp(what, "list") && n == 2) {
		enum cof_list list = strcmp(word[1], "heavy") ?
				     COF_LIST_CLIMB : COF_LIST_HEAVY;

		if (cof_predictor_list(&cof) != list)
			FAIL("the list is not %s", word[1]);
		for (int i = 0; i < n_forecasts; i++)
			assert_int_equal(forecast[i].list, list);
	} else if (!strcmp(what, "similarity") && n == 3) {
		expect_number(what, f->similarity, word[1], word[2]);
	} else if (!strcmp(what, "forecast")) {
		expect_forecast(word + 1, n - 1);
	} else if (!strcmp(what, "weight") && n == 3) {
		struct cof_version *v = current(find(word[1]));

		expect_number(word[1], cof_word_read(&v->word).weight, word[2],
			      word[2]);
	} else if (!strcmp(what, "hits") && n == 2) {
		expect_number(what, f->hits, word[1], word[1]);
	} else if (!strcmp(what, "changes") && n == 2) {
		expect_number(what, f->phase_changes, word[1], word[1]);
	} else if (!strcmp(what, "in") && n == 2) {
		expect_number(what, cof.flow->phase.now, word[1], word[1]);
		assert_int_equal(cof_phase_id(cof.phase), cof.flow->phase.now);
	} else if (!strcmp(what, "begun") && n == 2) {
		expect_number(what, cof.flow->phase.begun, word[1], word[1]);
	} else if (!strcmp(what, "returned") && n == 2) {
		expect_number(what, cof.flow->phase.returned, word[1], word[1]);
	} else if (!strcmp(what, "known") && n == 2) {
		expect_number(what, cof.flow->phase.known, word[1], word[1]);
	} else if (!strcmp(what, "noise") && n == 2) {
		expect_number(what, cof.flow->phase.noise, word[1], word[1]);
	} else if (!strcmp(what, "row") && n == 3) {
		const struct cof_stats_file_phase *row =
			&cof.stats_file->phase[(cof.stats_file->n_phases - 1) %
					       COF_STATS_FILE_PHASE_ROWS];

		expect_number(what, row->id, word[1], word[1]);
		assert_int_equal(row->returned, !strcmp(word[2], "back"));
	} else {
		FAIL("expect what?");
	}
}

static void flags(char **word, int n, uint16_t set, uint16_t clear)
{
	for (int i = 0; i < n; i++)
		cof_word_flags(&current(find(word[i]))->word, set, clear);
}

static void set(const char *name, const char *value)
{
	if (!strcmp(name, "hit_weight"))
		cof.opts.hit_weight = (uint32_t)atol(value);
	else if (!strcmp(name, "similar_permille"))
		cof.opts.similar_permille = (uint32_t)atol(value);
	else
		FAIL("set what?");
}

static void step(char **word, int n)
{
	if (!strcmp(word[0], "set") && n == 3) {
		set(word[1], word[2]);
	} else if (!strcmp(word[0], "gen")) {
		generation(word + 1, n - 1);
	} else if (!strcmp(word[0], "noisy") && n > 2) {
		noisy(word + 1, n - 1);
	} else if (!strcmp(word[0], "settle")) {
		flags(word + 1, n - 1, COF_WORD_SETTLED, 0);
	} else if (!strcmp(word[0], "unsettle")) {
		flags(word + 1, n - 1, 0, COF_WORD_SETTLED);
	} else if (!strcmp(word[0], "replace") && n == 2) {
		flags(word + 1, 1, COF_WORD_DEAD, 0);
		new_version(find(word[1]));
	} else if (!strcmp(word[0], "expect") && n > 1) {
		expect(word + 1, n - 1);
	} else {
		FAIL("%s?", word[0]);
	}
}

void script_replay(const char *name)
{
	const char *srcdir = getenv("srcdir");
	char path[512], text[512], *word[WORDS], *save;
	int steps = 0;
	FILE *in;

	snprintf(path, sizeof(path), "%s/tests/data/%s", srcdir ? srcdir : ".",
		 name);
	in = fopen(path, "r");
	if (!in)
		print_error("%s cannot be read\n", path);
	assert_non_null(in);
	file = name;
	for (line = 1; fgets(text, sizeof(text), in); line++) {
		int n = 0;
		char *w = strtok_r(text, " \t\n", &save);

		if (!w || w[0] == '#')
			continue;
		for (; w && n < WORDS; w = strtok_r(NULL, " \t\n", &save))
			word[n++] = w;
		step(word, n);
		steps++;
	}
	fclose(in);
	assert_true(steps > 0);
}
