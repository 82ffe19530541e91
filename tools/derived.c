/*
 * derived.c - figures made of several counters
 */
#include "derived.h"

struct name {
	const char *stage, *name;
};

/* The sum of the named counters, in ns, over the guest's CPU time. */
static bool percent(const struct reader *r, const struct name *names, int n,
		    double *out)
{
	double sum = 0;
	uint64_t v, guest;

	if (!reader_find(r, "sampler", "guest_ns", &guest) || guest == 0)
		return false;
	for (int i = 0; i < n; i++) {
		if (!reader_find(r, names[i].stage, names[i].name, &v))
			return false;
		sum += (double)v;
	}
	*out = 100.0 * sum / (double)guest;
	return true;
}

static struct derived_part part(const struct reader *r, const char *name)
{
	struct derived_part p = { .known = false };

	p.known = reader_find(r, "patcher", name, &p.value);
	return p;
}

struct derived derived_of(const struct reader *r)
{
	static const struct name own[] = {
		{ "sampler", "handler_ns" }, { "sampler", "delivery_ns" },
		{ "sampler", "sam_ns" }, { "predictor", "pre_ns" },
		{ "optimizer", "picker_ns" },
		{ "optimizer", "files_ns" },
	};
	static const struct name builds[] = {
		{ "optimizer", "gather_ns" }, { "optimizer", "build_ns" },
	};
	struct derived d = {
		.reserved = part(r, "code_reserved"),
		.first = part(r, "code_first"),
		.hot = part(r, "code_hot"),
		.retired = part(r, "code_retired"),
		.data = part(r, "data_bytes"),
	};

	d.overhead_known = percent(r, own, sizeof(own) / sizeof(own[0]),
				   &d.overhead_pct);
	d.builds_known = percent(r, builds, sizeof(builds) / sizeof(builds[0]),
				 &d.builds_pct);
	return d;
}
