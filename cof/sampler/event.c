/*
 * event.c - from an event's name to what perf_event_open(2) wants
 */
#include "event.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#ifdef HAVE_LIBPFM
#include <perfmon/pfmlib_perf_event.h>
#endif

#include "cof.h"

#define ROW(n, t, c, rate, doc) \
	{ n, { .type = PERF_TYPE_##t, .config = PERF_COUNT_##c, \
	       .per_us = rate } },

static const struct {
	const char      *name;
	struct cof_event event;
} table[] = { COF_EVENTS(ROW) };

#ifdef HAVE_LIBPFM

#define UNKNOWN_PER_US 1000u	/* of an event we know nothing about */

static int find_by_libpfm(const char *name, struct cof_event *out, char *why,
			  size_t why_bytes)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg) };
	int err = pfm_initialize();	/* counts its callers' calls as one */

	if (err == PFM_SUCCESS)
		err = pfm_get_os_event_encoding(name, PFM_PLM3,
						PFM_OS_PERF_EVENT, &arg);
	if (err != PFM_SUCCESS) {
		snprintf(why, why_bytes, "event %s: %s", name,
			 pfm_strerror(err));
		return -COF_E_INVAL;
	}
	*out = (struct cof_event){
		.type = attr.type, .config = attr.config,
		.config1 = attr.config1, .config2 = attr.config2,
		.per_us = UNKNOWN_PER_US,
	};
	return 0;
}

#else

static int find_by_libpfm(const char *name, struct cof_event *out, char *why,
			  size_t why_bytes)
{
	(void)out;
	snprintf(why, why_bytes,
		 "event %s: no such name (built without libpfm4)", name);
	return -COF_E_INVAL;
}

#endif

int cof_event_find(const char *name, struct cof_event *out, char *why,
		   size_t why_bytes)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		if (strcmp(name, table[i].name) == 0) {
			*out = table[i].event;
			return 0;
		}
	}
	return find_by_libpfm(name, out, why, why_bytes);
}
