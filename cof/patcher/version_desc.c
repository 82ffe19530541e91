/*
 * version_desc.c - check a description, and copy it into a record
 */
#include "patcher/version_desc.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "code/version.h"
#include "codemem/codemem.h"
#include "instance.h"
#include "memory/mem.h"
#include "threads/unwind.h"

/* from->size says which fields the caller knew; the others read as zero. */
static bool read_desc(struct cof_version_desc *to,
		      const struct cof_version_desc *from)
{
	size_t bytes;

	if (!from || from->size < offsetof(struct cof_version_desc, entry))
		return false;
	bytes = from->size < sizeof(*to) ? from->size : sizeof(*to);
	memset(to, 0, sizeof(*to));
	memcpy(to, from, bytes);
	return true;
}

static bool block_is_good(const struct cof_codemem *mem,
			  const struct cof_code *block, uintptr_t start,
			  uintptr_t end)
{
	uintptr_t lo = (uintptr_t)block->exec, hi = lo + block->size_bytes;

	if (!block->exec)
		return true;
	return hi > lo && cof_codemem_holds(mem, lo, hi) &&
	       cof_codemem_write(mem, lo) == block->write &&
	       lo <= start && end <= hi;
}

/* Sites are written through the alias, so they must lie in code memory. */
static bool calls_are_good(const struct cof *cof,
			   const struct cof_version_desc *desc,
			   uintptr_t start, uintptr_t end)
{
	if (desc->n_calls == 0)
		return true;
	if (!desc->calls || desc->n_calls > UINT32_MAX || end - start < 4 ||
	    !cof_codemem_holds(cof->codemem, start, end))
		return false;
	for (size_t i = 0; i < desc->n_calls; i++) {
		uintptr_t at = (uintptr_t)desc->calls[i].rel32;

		if (at < start || at > end - 4 || !desc->calls[i].callee ||
		    desc->calls[i].callee->cof != cof)
			return false;
	}
	return true;
}

static bool inlined_are_good(const struct cof *cof,
			     const struct cof_version_desc *desc)
{
	if (desc->n_inlined == 0)
		return true;
	if (!desc->inlined || desc->n_inlined > UINT32_MAX)
		return false;
	for (size_t i = 0; i < desc->n_inlined; i++)
		if (!desc->inlined[i] || desc->inlined[i]->cof != cof)
			return false;
	return true;
}

static bool is_good(const struct cof *cof, const struct cof_version_desc *desc)
{
	uintptr_t start = (uintptr_t)desc->start;
	uintptr_t end = start + desc->size_bytes;
	uintptr_t entry = desc->entry ? (uintptr_t)desc->entry : start;

	return start && end > start && entry >= start && entry < end &&
	       (unsigned)desc->plan < COF_PLAN_COUNT &&
	       block_is_good(cof->codemem, &desc->block, start, end) &&
	       calls_are_good(cof, desc, start, end) &&
	       inlined_are_good(cof, desc);
}

void cof_version_desc_forget(struct cof_version *v)
{
	if (v) {
		if (v->code.unwound)
			cof_unwind_remove((const void *)v->code.start);
		cof_mem_free(v->links.inlined);
		cof_mem_free(v->links.sites);
	}
	cof_mem_free(v);
}

/* False: no memory. */
static bool copy_lists(struct cof_version *v,
		       const struct cof_version_desc *desc)
{
	if (desc->n_calls != 0 &&
	    !(v->links.sites =
		      cof_mem_alloc(desc->n_calls * sizeof(*v->links.sites))))
		return false;
	v->links.n_sites = (uint32_t)desc->n_calls;
	for (uint32_t i = 0; i < v->links.n_sites; i++) {
		v->links.sites[i].callee = desc->calls[i].callee;
		v->links.sites[i].caller = v->method;
		v->links.sites[i].rel32 = (uintptr_t)desc->calls[i].rel32;
	}
	if (desc->n_inlined != 0 &&
	    !(v->links.inlined = cof_mem_alloc(desc->n_inlined *
					       sizeof(*v->links.inlined))))
		return false;
	v->links.n_inlined = (uint32_t)desc->n_inlined;
	for (uint32_t i = 0; i < v->links.n_inlined; i++)
		v->links.inlined[i] = desc->inlined[i];
	return true;
}

static struct cof_version *new_version(struct cof_method *method,
				       const struct cof_version_desc *desc)
{
	struct cof_version *v = cof_mem_alloc(sizeof(*v));

	if (!v)
		return NULL;
	v->code.start = (uintptr_t)desc->start;
	v->code.end = v->code.start + desc->size_bytes;
	v->code.entry = desc->entry ? (uintptr_t)desc->entry : v->code.start;
	v->method = method;
	v->plan = desc->plan;
	v->code.data = desc->data;
	v->code.entries = desc->entries;
	v->code.same_as_first = desc->same_as_first != 0;
	v->code.block = desc->block;
	if (!copy_lists(v, desc)) {
		cof_version_desc_forget(v);
		return NULL;
	}
	/* If that fails, stacks through this version are cut short. */
	v->code.unwound = desc->eh_frame &&
			  cof_unwind_add(desc->start,
					 (const void *)v->code.end,
					 desc->eh_frame,
					 desc->eh_frame_bytes) == 0;
	return v;
}

struct cof_version *cof_version_desc_make(struct cof_method *method,
					  const struct cof_version_desc *from,
					  int *err)
{
	struct cof_version_desc desc;
	struct cof_version *v;

	*err = -COF_E_INVAL;
	if (!read_desc(&desc, from) || !is_good(method->cof, &desc))
		return NULL;
	v = new_version(method, &desc);
	*err = v ? 0 : -COF_E_NOMEM;
	return v;
}
