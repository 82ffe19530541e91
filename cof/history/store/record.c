/*
 * record.c - free records, and check that their values are possible
 */
#include "history/store/record.h"

#include <string.h>

#include "memory/mem.h"
#include "options/opts.h"

static void methods_free(struct cof_history_method *method, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		cof_mem_free(method[i].profile);
	cof_mem_free(method);
}

void cof_history_record_free(struct cof_history_record *r)
{
	methods_free(r->method, r->n_methods);
	cof_mem_free(r->phase);
	r->method = NULL;
	r->phase = NULL;
	r->n_methods = r->n_phases = 0;
}

void cof_history_past_free(struct cof_history_past *p)
{
	methods_free(p->method, p->n_methods);
	cof_mem_free(p->run);
	p->method = NULL;
	p->run = NULL;
	p->n_methods = p->n_runs = 0;
}

static bool ends(const char *text, size_t room)
{
	return memchr(text, '\0', room) != NULL;
}

/* No control characters: names are shown on terminals. */
static bool text_ok(const char *text, size_t room)
{
	if (!ends(text, room))
		return false;
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return false;
	return true;
}

static bool in(int64_t v, int64_t lo, int64_t hi)
{
	return v >= lo && v <= hi;
}

bool cof_history_run_ok(const struct cof_history_run *r)
{
	const int64_t whole[] = {
		r->began_ns, r->wall_ns, r->cpu_ns, r->own_ns, r->build_ns,
		r->paid_ns, r->period_ns, r->first_patch_ns, r->samples,
		r->counted, r->recompiled, r->builds, r->installed,
		r->generations, r->phases, r->promised_ns, r->untried_ns,
		r->once_ns, r->checked_ns, r->open,
	};

	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++)
		if (!in(whole[i], 0, i == 0 ? INT64_MAX : COF_HISTORY_NS_MAX))
			return false;
	return in(r->measured_ns, -COF_HISTORY_NS_MAX, COF_HISTORY_NS_MAX) &&
	       in(r->pid, 1, INT32_MAX) && r->mode <= COF_MODE_AUTO &&
	       (unsigned)r->verdict < COF_HISTORY_VERDICTS &&
	       r->counted <= r->samples && r->recompiled <= r->counted &&
	       r->open <= r->counted &&
	       text_ok(r->libcof, sizeof(r->libcof)) &&
	       text_ok(r->cpu, sizeof(r->cpu));
}

bool cof_history_run_carries(const struct cof_history_run *r, int64_t short_ns)
{
	return r->cpu_ns >= short_ns || r->builds > 0;
}

#define PERMILLE_MAX 1000000u	/* a thousand times as fast */

bool cof_history_method_ok(const struct cof_history_method *m)
{
	return m->name[0] != '\0' && text_ok(m->name, sizeof(m->name)) &&
	       in(m->samples, 0, COF_HISTORY_NS_MAX) &&
	       m->plan < COF_PLAN_COUNT &&
	       m->promised_permille <= PERMILLE_MAX &&
	       m->measured_permille <= PERMILLE_MAX &&
	       m->error_permille <= PERMILLE_MAX &&
	       (unsigned)m->audit < COF_HISTORY_AUDITS &&
	       m->profile_bytes <= COF_HISTORY_PROFILE;
}

bool cof_history_id_ok(const struct cof_history_id *id)
{
	return id->bytes >= COF_HISTORY_ID_MIN &&
	       id->bytes <= COF_HISTORY_ID_MAX;
}

void cof_history_text(char *to, size_t room, const char *from)
{
	size_t n = strnlen(from, room);

	if (n == room)
		for (n = room - 1; n > 0; n--)
			if (((unsigned char)from[n] & 0xc0) != 0x80)
				break;
	memcpy(to, from, n);
	to[n] = '\0';
	for (; *to; to++)
		if ((unsigned char)*to < ' ' || *to == 0x7f)
			*to = '?';
}
