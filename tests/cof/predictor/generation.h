/*
 * generation.h - fixture: generations of samples made by hand
 */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "predictor/generation.h"
#include "code/version.h"

#define MANY 64u

static struct cof_opts    opts;
static struct cof_method  m[MANY];
static struct cof_version v[MANY];
static struct cof_generation gen;
static uint64_t           generation;

static struct cof_version *touched[2 * MANY];
static uint32_t            n_touched;

static inline int setup(void **state)
{
	(void)state;
	opts = (struct cof_opts){ .hit_weight = 10, .similar_permille = 500 };
	memset(v, 0, sizeof(v));
	for (uint32_t i = 0; i < MANY; i++)
		v[i].method = &m[i];
	generation = 0;
	n_touched = 0;
	cof_generation_init(&gen);
	return 0;
}

static inline int teardown(void **state)
{
	(void)state;
	cof_generation_free(&gen);
	return 0;
}

static inline void sample(uint32_t i, uint32_t n)
{
	if (cof_word_read(&v[i].word).calls == 0)
		touched[n_touched++] = &v[i];
	atomic_fetch_add(&v[i].word, (uint64_t)n << 32);
}

static inline void check_balance(void)
{
	assert_int_equal(gen.candidates, gen.n_forecasts + gen.dead +
			 gen.settled + gen.not_chosen);
}

static inline void begin_and_touch(void)
{
	cof_generation_begin(&gen, ++generation, &opts);
	cof_generation_touch(&gen, touched, n_touched, &opts);
	n_touched = 0;
}

static inline void end(void)
{
	cof_generation_end(&gen, &opts);
	check_balance();
}

static inline void go(void)
{
	begin_and_touch();
	end();
}

/* The first n get 1000, 998, ... samples: even, so that halves are whole. */
static inline void sample_first(uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		sample(i, 1000 - 2 * i);
}

static inline void go_steady(uint32_t n)
{
	for (int i = 0; i < 6; i++) {
		sample_first(n);
		go();
	}
	assert_int_equal(gen.list, COF_LIST_HEAVY);
}
