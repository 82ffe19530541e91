/*
 * lines.c - the maps of bodies, and Mono's look-ups
 *
 * The holder of the lock only loads and stores. So neither a collection nor a
 * stopped world can find it asleep.
 */
#include "compile/lines.h"

#include <stdlib.h>
#include <string.h>

#include <mono/metadata/appdomain.h>
#include <mono/metadata/mono-debug.h>

#include "vm/internals.h"
#include "method/inlined_code.h"
#include "method/method.h"
#include "vm/jit_record.h"

#define BUCKETS 256u

/* The maps of one body: of one that libcof asked for, or the lines only of one
 * that Mono made. */
struct lines {
	struct lines             *next;
	const struct cofm_domain *domain;
	const MonoJitInfo        *record;
	MonoDebugLineNumberEntry *line;	/* by native offset; --debug only */
	uint32_t                  n;
	void                     *points;	/* NULL: not known */
	bool                      own;		/* this file frees the points */
	struct cofm_inlined_code  inlined;
};

/* The body that Mono looked at last, on this thread. */
struct latest {
	MonoMethod        *method;	/* NULL: none, or already used */
	const MonoJitInfo *record;
};

static struct cofm *the_host;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct lines *bucket[BUCKETS];	/* lock */
static _Thread_local struct latest latest;
static _Thread_local bool compiling; /* keep the next points that Mono frees */
static _Thread_local void *kept;

/* Their names are the linker's (--wrap). */
MonoMethod *__real_mono_jit_info_get_method(MonoJitInfo *info);
MonoMethod *__wrap_mono_jit_info_get_method(MonoJitInfo *info);
MonoDebugSourceLocation *__real_mono_debug_lookup_source_location(
	MonoMethod *method, uint32_t offset, MonoDomain *domain);
MonoDebugSourceLocation *__wrap_mono_debug_lookup_source_location(
	MonoMethod *method, uint32_t offset, MonoDomain *domain);
MonoBoolean __real_mono_seq_point_find_prev_by_native_offset(
	void *points, int offset, void *out);
void __real_mono_seq_point_info_free(void *points);
void __wrap_mono_seq_point_info_free(void *points);
MonoBoolean __wrap_mono_seq_point_find_prev_by_native_offset(
	void *points, int offset, void *out);

void cofm_lines_begin(struct cofm *host)
{
	the_host = host;
}

/* -- Lines of bodies ------------------------------------------------------- */

static struct lines **bucket_of(const MonoJitInfo *record)
{
	return &bucket[((uintptr_t)record >> 4) % BUCKETS];
}

/* Under the lock. */
static struct lines *find(const MonoJitInfo *record)
{
	struct lines *l = *bucket_of(record);

	while (l && l->record != record)
		l = l->next;
	return l;
}

static void destroy(struct lines *l)
{
	if (!l)
		return;
	if (l->own)
		__real_mono_seq_point_info_free(l->points);
	free(l->inlined.part);
	free(l->line);
	free(l);
}

static void copy_lines(struct lines *l, const MonoDebugMethodJitInfo *of)
{
	l->line = calloc((size_t)of->num_line_numbers + 1, sizeof(*l->line));
	if (!l->line)
		return;
	l->n = of->num_line_numbers;
	if (l->n > 0)
		memcpy(l->line, of->line_numbers, l->n * sizeof(*l->line));
}

/* Mono's map of lines, which is of the method's latest body. NULL: it has
 * none. */
static MonoDebugMethodJitInfo *map_of(const struct cofm_method *m)
{
	if (!mono_debug_enabled())
		return NULL;
	return mono_debug_find_method(m->mono, m->domain->mono);
}

static void add(struct lines *l)
{
	struct lines **at = bucket_of(l->record);

	pthread_mutex_lock(&lock);
	if (!find(l->record)) {
		l->next = *at;
		*at = l;
		l = NULL;
	}
	pthread_mutex_unlock(&lock);
	destroy(l);
}

/* Keep version 0's lines, which the compilation would replace. */
static void keep_first(const struct cofm_method *m)
{
	MonoDebugMethodJitInfo *map = map_of(m);
	struct lines *l;

	if (!map)
		return;
	l = map->code_start == m->start ? calloc(1, sizeof(*l)) : NULL;
	if (l) {
		l->domain = m->domain;
		l->record = mono_jit_info_table_find(m->domain->mono,
						     (char *)m->start);
		copy_lines(l, map);
		add(l);
	}
	mono_debug_free_method_jit_info(map);
}

void cofm_lines_before(const struct cofm_method *m)
{
	keep_first(m);
	compiling = true;
	kept = NULL;
}

void cofm_lines_after(struct cofm_method *m, const struct cofm_body *body,
		      const void *cfg)
{
	MonoDebugMethodJitInfo *map;
	struct lines *l;

	compiling = false;
	l = body ? calloc(1, sizeof(*l)) : NULL;
	if (!l) {
		if (kept)
			__real_mono_seq_point_info_free(kept);
		return;
	}
	l->domain = m->domain;
	l->record = body->info;
	memcpy(&l->points, (char *)body->info + COFM_JIT_INFO_POINTS,
	       sizeof(l->points));
	l->own = kept != NULL;
	cofm_inlined_code_read(cfg, &l->inlined);
	if (!l->own)
		atomic_store(&m->points, l->points);
	map = map_of(m);
	if (map && map->code_start == body->code)
		copy_lines(l, map);
	if (map)
		mono_debug_free_method_jit_info(map);
	add(l);
}

/* Mono frees the points of every body of a method but the first. It leaves the
 * pointer to them in the record. */
void __wrap_mono_seq_point_info_free(void *points)
{
	if (compiling && !kept)
		kept = points;
	else
		__real_mono_seq_point_info_free(points);
}

void cofm_lines_forget(const MonoJitInfo *record)
{
	struct lines *l, **at = bucket_of(record);

	pthread_mutex_lock(&lock);
	while (*at && (*at)->record != record)
		at = &(*at)->next;
	l = *at;
	if (l)
		*at = l->next;
	pthread_mutex_unlock(&lock);
	destroy(l);
}

static void unload_from(struct lines **at, const struct cofm_domain *domain,
			struct lines **all)
{
	struct lines *l;

	while ((l = *at) != NULL) {
		if (l->domain != domain) {
			at = &l->next;
			continue;
		}
		*at = l->next;
		l->next = *all;
		*all = l;
	}
}

void cofm_lines_unload(const struct cofm_domain *domain)
{
	struct lines *all = NULL, *l;

	pthread_mutex_lock(&lock);
	for (uint32_t i = 0; i < BUCKETS; i++)
		unload_from(&bucket[i], domain, &all);
	pthread_mutex_unlock(&lock);
	while ((l = all) != NULL) {
		all = l->next;
		destroy(l);
	}
}

/* -1: not known. */
static int64_t il_offset(const MonoJitInfo *record, uint32_t native_offset)
{
	const struct lines *l;
	int64_t il = -1;

	pthread_mutex_lock(&lock);
	l = find(record);
	if (l && l->n > 0)
		il = cofm_inlined_code_find(&l->inlined, native_offset);
	for (uint32_t i = l ? l->n : 0; i-- > 0 && il < 0;)
		if (l->line[i].native_offset <= native_offset)
			il = l->line[i].il_offset;
	pthread_mutex_unlock(&lock);
	return il;
}

/* -- Mono's look-ups ------------------------------------------------------- */

/* NULL: libcof does not know the method in this domain. */
static struct cofm_method *known(MonoMethod *method, MonoDomain *domain)
{
	const struct cofm_domain *d =
		method && the_host ? cofm_domains_find(domain) : NULL;

	return d ? cofm_method_find(the_host, d, method) : NULL;
}

/* Each note serves one look-up: before another one, Mono notes a body again. */
static struct latest take_latest(void)
{
	struct latest body = latest;

	latest.method = NULL;
	return body;
}

MonoMethod *__wrap_mono_jit_info_get_method(MonoJitInfo *info)
{
	MonoMethod *method = __real_mono_jit_info_get_method(info);

	/* Also when the loop has ended: versions stay, and finalizers run. */
	if (!the_host)
		return method;
	latest.method = method;
	latest.record = info;
	cofm_jit_record_walked(info);
	return method;
}

MonoDebugSourceLocation *__wrap_mono_debug_lookup_source_location(
	MonoMethod *method, uint32_t offset, MonoDomain *domain)
{
	struct latest body = take_latest();
	const struct cofm_method *m = known(method, domain);
	int64_t il = m && body.method == method ? il_offset(body.record, offset)
						: -1;

	if (il >= 0)
		return mono_debug_lookup_source_location_by_il(
			method, (uint32_t)il, domain);
	/* Mono's map for this domain is of another body. */
	if (m && m->redirected)
		return NULL;
	return __real_mono_debug_lookup_source_location(method, offset, domain);
}

/* The last point at or before an IL offset. False: there is none. */
static MonoBoolean point_before(void *points, int32_t il_offset,
				struct cofm_point *out)
{
	struct cofm_point_iter at;
	MonoBoolean found = 0;

	mono_seq_point_iterator_init(&at, points);
	while (mono_seq_point_iterator_next(&at))
		if (at.point.il_offset <= il_offset &&
		    at.point.il_offset >= 0 &&
		    (!found || at.point.il_offset > out->il_offset)) {
			*out = at.point;
			found = 1;
		}
	return found;
}

/* Under the lock. */
static MonoBoolean point_at(const struct lines *l, int offset, void *out)
{
	int64_t call = cofm_inlined_code_find(&l->inlined, (uint32_t)offset);

	return call < 0 ? __real_mono_seq_point_find_prev_by_native_offset(
				  l->points, offset, out) :
			  point_before(l->points, (int32_t)call, out);
}

/* True: the record's body has points here; they give *found and *out. */
static bool find_point(const MonoJitInfo *record, int offset, void *out,
		       MonoBoolean *found)
{
	const struct lines *l;
	bool ours;

	pthread_mutex_lock(&lock);
	l = find(record);
	ours = l && l->points;
	if (ours)
		*found = point_at(l, offset, out);
	pthread_mutex_unlock(&lock);
	return ours;
}

MonoBoolean __wrap_mono_seq_point_find_prev_by_native_offset(
	void *points, int offset, void *out)
{
	struct latest body = take_latest();
	const struct cofm_method *m;
	MonoBoolean found = 0;

	if (body.method && find_point(body.record, offset, out, &found))
		return found;
	/* The body is an image's, so in the first domain, and has no points.
	 * These are of our first body. */
	m = known(body.method, mono_get_root_domain());
	if (m && points == atomic_load(&m->points))
		return 0;
	return __real_mono_seq_point_find_prev_by_native_offset(points, offset,
								out);
}
