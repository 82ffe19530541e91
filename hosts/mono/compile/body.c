/*
 * body.c - take a body out of all of Mono's tables and lists
 */
#include "compile/body.h"

#include <mono/utils/mono-publib.h>

#include "vm/attach.h"
#include "vm/internals.h"
#include "method/lines.h"
#include "vm/jit_record.h"

static bool is_in(const struct cofm_body *body, const void *ip)
{
	return (uintptr_t)ip - (uintptr_t)body->code < body->size;
}

static void remove_from(struct cofm_jumps *jumps, const struct cofm_body *body)
{
	struct cofm_links *at = jumps->first, *next;

	for (; at; at = next) {
		next = at->next;
		if (is_in(body, at->data))
			jumps->first = monoeg_g_slist_delete_link(jumps->first,
								  at);
	}
}

/* The caller holds the domain's lock. */
static void *jit_table(struct cofm *host, size_t offset)
{
	char *jit, *domain = (char *)host->domain;

	jit = *(char **)(void *)(domain + COFM_DOMAIN_JIT);
	return *(void **)(void *)(jit + offset);
}

bool cofm_body_take(struct cofm *host, MonoMethod *mono,
		    const struct cofm_body *body)
{
	bool found;
	void *table;

	mono_domain_lock(host->domain);
	table = jit_table(host, COFM_JIT_DYNAMIC);
	found = table &&
		monoeg_g_hash_table_lookup(table, mono) == body->dynamic;
	if (found)
		monoeg_g_hash_table_remove(table, mono);
	mono_domain_unlock(host->domain);
	return found;
}

/* The jumps are tail calls of methods that are not compiled yet. When Mono
 * compiles such a method, it writes to the place of the jump, whatever lies
 * there by then. */
static void forget_jumps(struct cofm *host, const struct cofm_body *body)
{
	struct cofm_hash_iter iter;
	void *key, *jumps;

	mono_domain_lock(host->domain);
	jumps = jit_table(host, COFM_JIT_JUMPS);
	if (jumps) {
		monoeg_g_hash_table_iter_init(&iter, jumps);
		while (monoeg_g_hash_table_iter_next(&iter, &key, &jumps))
			remove_from(jumps, body);
	}
	mono_domain_unlock(host->domain);
}

/*
 * The record goes before the code. Otherwise Mono could enter another body at
 * the same address into its table before this one is taken out.
 *
 * A record waits while a copy of Mono's table exists. A copy that was being
 * read when it was replaced waits until the next look-up. If there is none, up
 * to 200,000 records would pile up, so mono_thread_hazardous_try_free_all()
 * looks.
 */
static void end(struct cofm *host, const struct cofm_body *body)
{
	forget_jumps(host, body);
	if (cofm_jit_record_end(host, body->info))
		cofm_lines_forget(body->info);
	mono_thread_hazardous_try_free_all();
	mono_code_manager_destroy(body->manager);
	mono_free(body->dynamic);
}

/* If Mono does not run, the body stays for ever. */
void cofm_body_free(struct cofm *host, const struct cofm_body *body)
{
	if (!body->manager || !cofm_attach_enter(host))
		return;
	end(host, body);
	cofm_attach_leave();
}
