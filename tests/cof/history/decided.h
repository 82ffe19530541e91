/*
 * decided.h - a verdict of mode auto, and the evidence it is from
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "history.h"
#include "history/run_verdict.h"

#define CPU "some CPU"
#define COF "0.1.0"

static struct cof_history_rules rules = {
	.retry_runs = 20, .short_ns = SECOND, .gain_permille = 5,
};

static struct cof_run_evidence evidence;

static inline enum cof_history_verdict
decide(const struct cof_history_past *past)
{
	cof_history_run_evidence(past, COF, CPU, &rules, &evidence);
	return cof_history_run_verdict(&evidence, &rules);
}
