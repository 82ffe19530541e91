/*
 * osr_cached.c - see osr_cached.h
 */
#include "osr/osr_cached.h"

#include <stdlib.h>

#include "compile/profile_restore.h"
#include "link/loader.h"
#include "version_cache/version_cache_host.h"

static bool is_of_use(const struct cofl_osr_points *points,
		      const uint64_t *arrived, void *const *entry)
{
	for (uint32_t k = 0; k < points->n_loops; k++)
		if (entry[k] != NULL && arrived[k] != 0 &&
		    atomic_load_explicit(&points->word[k].go,
					 memory_order_relaxed) == NULL)
			return true;
	return false;
}

bool cofl_osr_cached_take(struct cofl_method *m, const char *table,
			  const struct cofl_osr_points *points,
			  const uint64_t *arrived, struct cof_version_desc *out)
{
	size_t n = cofl_profile_restore_save(m, NULL, 0);
	void *profile = n != 0 ? malloc(n) : NULL;
	bool found;

	found = profile != NULL &&
		cofl_profile_restore_save(m, profile, n) == n &&
		cofl_version_cache_host_continuations(
			m, table, points->n_loops, profile, n, out);
	free(profile);
	if (!found || is_of_use(points, arrived, out->entry))
		return found;
	cofl_loader_unload(m->host, out->data);
	cof_code_free(m->host->cof, &out->block);
	return false;
}
