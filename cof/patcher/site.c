/*
 * site.c - bind call sites, unbind them, have them follow
 */
#include "patcher/site.h"

#include <assert.h>

#include "codemem/codemem.h"
#include "codemem/insn.h"
#include "instance.h"
#include "patcher/counting_thunk.h"

static void lead(struct cof *cof, const struct cof_site *site, uintptr_t to)
{
	void *write = cof_codemem_write(cof->codemem, site->rel32);
	uintptr_t end = site->rel32 + 4;

	if (!to || !cof_insn_reaches(end, to))
		to = site->callee->stub;
	assert(cof_insn_reaches(end, to));	/* one range */
	cof_codemem_own(cof->codemem);
	cof_insn_store32(write, (uint32_t)(to - end));
}

/* A caller that is part of a trial, whichever it is, enters uncounted. */
static uintptr_t target_of(const struct cof_site *site)
{
	struct cof_method *callee = site->callee;

	if (cof_method_left_alone(callee))
		return 0;
	if (callee->thunk.callers != COF_THUNKED_NO)
		return callee->thunk.address +
		       (site->caller->thunk.inside ? COF_COUNTING_THUNK_PAST
						   : 0);
	return atomic_load_explicit(&callee->entry, memory_order_relaxed);
}

static void list(struct cof_site *site)
{
	struct cof_site **head = &site->callee->code.sites;

	site->next = *head;
	site->link = head;
	if (site->next)
		site->next->link = &site->next;
	*head = site;
}

void cof_sites_bind(struct cof_version *version)
{
	struct cof *cof = version->method->cof;
	uint32_t far = 0;

	for (uint32_t i = 0; i < version->links.n_sites; i++) {
		struct cof_site *site = &version->links.sites[i];

		if (cof_insn_in_line(site->rel32)) {
			list(site);
			lead(cof, site, target_of(site));
		} else {
			lead(cof, site, 0);
			far++;
		}
	}
	version->links.bound = true;
	cof_count_add(&cof->flow->patcher.sites, version->links.n_sites);
	cof_count_add(&cof->flow->patcher.far_sites, far);
}

void cof_sites_unbind(struct cof_version *version)
{
	struct cof *cof = version->method->cof;
	uint32_t far = 0;

	if (!version->links.bound)
		return;
	for (uint32_t i = 0; i < version->links.n_sites; i++) {
		struct cof_site *site = &version->links.sites[i];

		if (!site->link) {
			far++;
			continue;
		}
		*site->link = site->next;
		if (site->next)
			site->next->link = site->link;
		site->link = NULL;
	}
	version->links.bound = false;
	cof_count_add(&cof->flow->patcher.sites,
		      -(uint64_t)version->links.n_sites);
	cof_count_add(&cof->flow->patcher.far_sites, -(uint64_t)far);
}

void cof_sites_follow(struct cof_method *method)
{
	struct cof *cof = method->cof;
	uint64_t n = 0;

	for (struct cof_site *site = method->code.sites; site;
	     site = site->next) {
		lead(cof, site, target_of(site));
		n++;
	}
	cof_count_add(&cof->flow->patcher.site_writes, n);
}
