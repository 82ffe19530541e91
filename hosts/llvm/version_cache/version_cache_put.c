/*
 * version_cache_put.c - add what was built, and what trials showed of it
 */
#include "version_cache/version_cache_host.h"

#include <stdlib.h>

#include "support/xcalloc.h"
#include "version_cache/version_cache_state.h"
#include "version_cache/version_cache_write.h"

struct addition {
	struct cofl_version_cache_host         *host;
	const struct cofl_version_cache_header *record;
	bool wait, done;
};

static void add_job(void *arg)
{
	struct addition *a = arg;

	a->done = cofl_version_cache_write_add(a->host->key, a->record,
					       a->host->max_bytes, a->wait);
}

static bool add(struct cofl_version_cache_host *k,
		const struct cofl_version_cache_header *record, bool wait)
{
	struct addition a = { k, record, wait, false };

	cof_call_with_private_files(k->host->cof, add_job, &a);
	return a.done;
}

/* Under `writing`. Also writes verdicts that were queued while another thread
 * had the file. */
static void put_verdicts(struct cofl_version_cache_host *k, bool wait)
{
	struct cofl_version_cache_header *h;

	while ((h = cofl_verdicts_first(&k->verdicts)) != NULL &&
	       add(k, h, wait))
		cofl_verdicts_drop(&k->verdicts);
}

static struct cofl_version_cache_header
header_of(const struct cofl_version_cache_host *k, const struct cofl_method *m)
{
	struct cofl_version_cache_header h = { .method = m->number };

	memcpy(h.key, k->key, sizeof(h.key));
	cofl_version_cache_name(m, h.name);
	return h;
}

void cofl_version_cache_host_put(struct cofl_method *m,
				 const struct cof_version_desc *desc,
				 const struct cofl_built *b)
{
	struct cofl_version_cache_host *k = m->host->version_cache;
	struct cofl_version *version = desc->data;
	struct cofl_version_cache_header what, *h;
	uint32_t *inlined;

	if (k == NULL)
		return;
	what = header_of(k, m);
	what.kind = b->kind;
	what.n_loops = b->n_loops;
	what.flags = b->moves_stack ? COFL_VERSION_CACHE_MOVES_STACK : 0;
	what.object_bytes = b->object_bytes;
	what.profile_bytes = b->profile_bytes;
	what.n_inlined = (uint32_t)desc->n_inlined;
	cof_hash(b->profile, b->profile_bytes, what.profile);
	inlined = cofl_xcalloc(desc->n_inlined, sizeof(*inlined));
	for (size_t i = 0; i < desc->n_inlined; i++)
		inlined[i] = ((struct cofl_method *)
			      cof_method_data(desc->inlined[i]))->number;
	h = cofl_version_cache_make(&what, inlined, b->profile, b->object);
	free(inlined);
	if (h == NULL)
		return;
	pthread_mutex_lock(&k->writing);
	if (add(k, h, true)) {
		version->cached_id = cofl_version_cache_id(h);
		put_verdicts(k, true);
	}
	pthread_mutex_unlock(&k->writing);
	free(h);
}

/* Queue a record of all that is known of the version, and write it if
 * possible. */
static void add_verdict(struct cofl_version_cache_host *k, void *method,
			const struct cofl_version *version)
{
	struct cofl_version_cache_header what = header_of(k, method), *h;

	what.kind = COFL_VERSION_CACHE_VERDICT;
	what.flags = version->verdict.flags;
	what.permille = version->verdict.permille;
	what.over = version->verdict.over;
	what.progress = version->verdict.progress;
	what.of = version->cached_id;
	h = cofl_version_cache_make(&what, NULL, NULL, NULL);
	if (h == NULL)
		return;
	cofl_verdicts_add(&k->verdicts, h);
	/* P/O does not wait: the thread that writes now, or next, adds it. */
	if (pthread_mutex_trylock(&k->writing) != 0)
		return;
	put_verdicts(k, false);
	pthread_mutex_unlock(&k->writing);
}

void cofl_version_cache_host_trial_result(void *ctx, void *method, void *data,
				    int stays, unsigned permille,
				    enum cof_plan over)
{
	struct cofl_version_cache_host *k = ((struct cofl *)ctx)->version_cache;
	struct cofl_version *version = data;

	if (k == NULL || version == NULL || version->cached_id == 0)
		return;
	version->verdict.flags = !stays ? COFL_VERSION_CACHE_ROLLED_BACK :
		stays == COF_TRIAL_UNSEEN ? COFL_VERSION_CACHE_UNSEEN : 0;
	version->verdict.permille = permille;
	version->verdict.over = over;
	add_verdict(k, method, version);
}

void cofl_version_cache_host_trial_progress(void *ctx, void *method, void *data,
				  unsigned permille, unsigned error_permille,
				  enum cof_plan over)
{
	struct cofl_version_cache_host *k = ((struct cofl *)ctx)->version_cache;
	struct cofl_version *version = data;

	if (k == NULL || version == NULL || version->cached_id == 0 ||
	    permille > UINT16_MAX || error_permille > UINT16_MAX)
		return;
	if (version->verdict.over != over)
		version->verdict.permille = 0;
	version->verdict.over = over;
	version->verdict.progress = permille << 16 | error_permille;
	add_verdict(k, method, version);
}
