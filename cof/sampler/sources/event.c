/*
 * event.c - from an event's name to the fields of perf_event_open(2)
 */
#include "sampler/sources/event.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#ifdef HAVE_LIBPFM
#include <dlfcn.h>
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

#define UNKNOWN_PER_US 1000u	/* of an event that is not in the table */
#define SONAME         "libpfm.so.4"

/*
 * libpfm is loaded only when an event needs it. Its tables are a megabyte of
 * addresses, and relocating them would add 1 ms to the start of every program.
 */
struct pfm {
	pfm_err_t   (*initialize)(void);
	pfm_err_t   (*encode)(const char *, int, pfm_os_t, void *);
	const char *(*strerror)(int);
};

static bool load_libpfm(struct pfm *pfm)
{
	void *lib = dlopen(SONAME, RTLD_LAZY | RTLD_LOCAL);

	if (!lib)
		return false;	/* once loaded it stays */
	*(void **)&pfm->initialize = dlsym(lib, "pfm_initialize");
	*(void **)&pfm->encode = dlsym(lib, "pfm_get_os_event_encoding");
	*(void **)&pfm->strerror = dlsym(lib, "pfm_strerror");
	return pfm->initialize && pfm->encode && pfm->strerror;
}

static int find_by_libpfm(const char *name, struct cof_event *out, char *why,
			  size_t why_bytes)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg) };
	struct pfm pfm;
	int err;

	if (!load_libpfm(&pfm)) {
		snprintf(why, why_bytes, "event %s: no such name, and no "
			 SONAME " that may know it", name);
		return -COF_E_INVAL;
	}
	err = pfm.initialize();	/* may be called more than once */
	if (err == PFM_SUCCESS)
		err = pfm.encode(name, PFM_PLM3, PFM_OS_PERF_EVENT, &arg);
	if (err != PFM_SUCCESS) {
		snprintf(why, why_bytes, "event %s: %s", name,
			 pfm.strerror(err));
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
