/*
 * units.c - figures and states as people read them
 */
#include "units.h"

#include <inttypes.h>
#include <stdio.h>

#include "cof.h"
#include "stats/stats_file.h"
#include "code/version.h"

const char *units_time(uint64_t ns, char buf[UNITS_TEXT])
{
	uint64_t s = ns / 1000000000u;

	if (s < 60)
		snprintf(buf, UNITS_TEXT, "%.1f s", (double)ns / 1e9);
	else if (s < 3600)
		snprintf(buf, UNITS_TEXT, "%" PRIu64 " min %02" PRIu64 " s",
			 s / 60, s % 60);
	else if (s < 24 * 3600)
		snprintf(buf, UNITS_TEXT, "%" PRIu64 " h %02" PRIu64 " min",
			 s / 3600, s / 60 % 60);
	else
		snprintf(buf, UNITS_TEXT, "%" PRIu64 " d %02" PRIu64 " h",
			 s / 86400, s / 3600 % 24);
	return buf;
}

const char *units_bytes(uint64_t bytes, char buf[UNITS_TEXT])
{
	static const char *const unit[] = { "KiB", "MiB", "GiB", "TiB" };
	double v = (double)bytes / 1024;
	int i = 0;

	if (bytes < 1024) {
		snprintf(buf, UNITS_TEXT, "%" PRIu64 " B", bytes);
		return buf;
	}
	for (; v >= 1024 && i < 3; i++)
		v /= 1024;
	snprintf(buf, UNITS_TEXT, "%.1f %s", v, unit[i]);
	return buf;
}

const char *units_plan(uint32_t plan, char buf[UNITS_TEXT])
{
	static const char *const name[] = {
		[COF_PLAN_NONE] = "none", [COF_PLAN_STATIC] = "static",
		[COF_PLAN_AVERAGE] = "average", [COF_PLAN_SPEED] = "speed",
		[COF_PLAN_PROFILE] = "profile",
	};

	_Static_assert(sizeof(name) / sizeof(name[0]) == COF_PLAN_COUNT, "");
	if (plan < COF_PLAN_COUNT)
		return name[plan];
	snprintf(buf, UNITS_TEXT, "%" PRIu32, plan);
	return buf;
}

const char *units_state(const struct cof_stats_file_hot *row,
			char buf[UNITS_TEXT])
{
	const char *name = cof_method_state_name(row->state);

	if (row->dead)
		return "replaced";
	if (row->state == COF_METHOD_QUIET && row->settled)
		return "settled";
	if (name)
		return name;
	snprintf(buf, UNITS_TEXT, "%" PRIu32, row->state);
	return buf;
}

const char *units_audit(uint32_t state, char buf[UNITS_TEXT])
{
	const char *name = cof_audit_state_name(state);

	if (name)
		return name;
	snprintf(buf, UNITS_TEXT, "%" PRIu32, state);
	return buf;
}

const char *units_gain(uint32_t state, int32_t permille, char buf[UNITS_TEXT])
{
	if (state == COF_AUDIT_NONE || state == COF_AUDIT_TRIAL)
		return "-";
	snprintf(buf, UNITS_TEXT, "%+.1f %%", permille / 10.0);
	return buf;
}
