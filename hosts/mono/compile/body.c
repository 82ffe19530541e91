/*
 * body.c - take a body out of all of Mono's tables and lists
 */
#include "compile/body.h"

#include <pthread.h>

#include <mono/utils/mono-publib.h>

#include "compile/lines.h"
#include "vm/attach.h"
#include "vm/internals.h"
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
static void *jit_table(MonoDomain *domain, size_t offset)
{
	char *jit;

	jit = *(char **)(void *)((char *)domain + COFM_DOMAIN_JIT);
	return *(void **)(void *)(jit + offset);
}

bool cofm_body_take(MonoMethod *mono, const struct cofm_body *body)
{
	MonoDomain *domain = body->domain->mono;
	bool found;
	void *table;

	mono_domain_lock(domain);
	table = jit_table(domain, COFM_JIT_DYNAMIC);
	found = table &&
		monoeg_g_hash_table_lookup(table, mono) == body->dynamic;
	if (found)
		monoeg_g_hash_table_remove(table, mono);
	mono_domain_unlock(domain);
	return found;
}

/* -- All of them ----------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cofm_body *list;	/* lock */

void cofm_body_keep(struct cofm_body *body)
{
	cofm_domain_use(body->domain);
	pthread_mutex_lock(&lock);
	body->next = list;
	body->link = &list;
	if (list)
		list->link = &body->next;
	list = body;
	pthread_mutex_unlock(&lock);
}

static void unlist(struct cofm_body *body)
{
	pthread_mutex_lock(&lock);
	*body->link = body->next;
	if (body->next)
		body->next->link = body->link;
	pthread_mutex_unlock(&lock);
}

/* -- Freeing --------------------------------------------------------------- */

/* The jumps are tail calls of methods that are not compiled yet. When Mono
 * compiles such a method, it writes to the place of the jump, whatever lies
 * there by then. */
static void forget_jumps(const struct cofm_body *body)
{
	MonoDomain *domain = body->domain->mono;
	struct cofm_hash_iter iter;
	void *key, *jumps;

	mono_domain_lock(domain);
	jumps = jit_table(domain, COFM_JIT_JUMPS);
	if (jumps) {
		monoeg_g_hash_table_iter_init(&iter, jumps);
		while (monoeg_g_hash_table_iter_next(&iter, &key, &jumps))
			remove_from(jumps, body);
	}
	mono_domain_unlock(domain);
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
static void end(const struct cofm_body *body)
{
	if (body->domain->mono) {
		forget_jumps(body);
		if (cofm_jit_record_end(body->domain->mono, body->info))
			cofm_lines_forget(body->info);
		mono_thread_hazardous_try_free_all();
	}
	mono_code_manager_destroy(body->manager);
	mono_free(body->dynamic);
}

/* If Mono does not run, the body stays for ever. */
void cofm_body_free(struct cofm *host, struct cofm_body *body)
{
	bool ended;

	cofm_domains_hold();
	unlist(body);
	ended = cofm_attach_enter(host);
	if (ended) {
		end(body);
		cofm_attach_leave();
	}
	cofm_domains_release();
	if (ended)
		cofm_domain_unuse(body->domain);
}

/* The list of jumps goes with the domain. A record that a stack walk has met
 * stays: nobody can tell when its exception is gone. */
void cofm_body_unload(const struct cofm_domain *domain)
{
	pthread_mutex_lock(&lock);
	for (struct cofm_body *b = list; b; b = b->next)
		if (b->domain == domain)
			cofm_jit_record_end(domain->mono, b->info);
	pthread_mutex_unlock(&lock);
}
