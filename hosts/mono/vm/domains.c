/*
 * domains.c - the list of domains, and code that outlives its domain
 *
 * Process-wide: it stands in for mono_code_manager_destroy() and
 * mono_threads_abort_appdomain_threads() in Mono's code (the linker's --wrap).
 */
#include "vm/domains.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <mono/jit/jit.h>
#include <mono/metadata/appdomain.h>
#include <mono/metadata/profiler.h>

#include "vm/host.h"
#include "vm/internals.h"

/* Writers unload a domain. */
static pthread_rwlock_t unloading = PTHREAD_RWLOCK_INITIALIZER;

/* Of the lists, and of each domain's `uses` and `is_left`. The holder only
 * loads and stores, or looks into a table of Mono's without a lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct cofm_domain *) list;
static _Atomic uint32_t listed;
static struct cofm_domain *unloaded;	/* that have code yet */

static void loaded(MonoProfiler *ctx, MonoDomain *mono)
{
	struct cofm_domain *d = calloc(1, sizeof(*d));

	(void)ctx;
	if (!d)
		return;		/* nothing in it is optimized */
	d->mono = mono;
	d->uses = 1;
	pthread_mutex_lock(&lock);
	d->next = atomic_load(&list);
	atomic_store(&list, d);
	atomic_fetch_add(&listed, 1);
	pthread_mutex_unlock(&lock);
}

void cofm_domains_follow(struct cofm *host)
{
	mono_profiler_set_domain_loaded_callback(host->profiler, loaded);
}

void cofm_domains_hold(void)
{
	pthread_rwlock_rdlock(&unloading);
}

void cofm_domains_release(void)
{
	pthread_rwlock_unlock(&unloading);
}

struct cofm_domain *cofm_domains_first(void)
{
	return atomic_load(&list);
}

static struct cofm_domain *find(MonoDomain *mono)
{
	struct cofm_domain *d = atomic_load(&list);

	while (d && d->mono != mono)
		d = d->next;
	return d;
}

struct cofm_domain *cofm_domains_find(MonoDomain *mono)
{
	struct cofm_domain *d;

	pthread_mutex_lock(&lock);
	d = find(mono);
	pthread_mutex_unlock(&lock);
	return d;
}

bool cofm_domains_are_several(void)
{
	return atomic_load_explicit(&listed, memory_order_relaxed) > 1;
}

static bool has(MonoDomain *domain, uint8_t *code)
{
	return mono_jit_info_table_find(domain, (char *)code) != NULL;
}

/* Only the first domain has code of images. To look there may take locks of
 * Mono's; and it is never unloaded. */
MonoDomain *cofm_domains_owner(MonoDomain *now, uint8_t *code)
{
	MonoDomain *root = mono_get_root_domain(), *owner = NULL;

	if (now != root && has(root, code))
		return root;
	pthread_mutex_lock(&lock);
	for (struct cofm_domain *d = atomic_load(&list); d && !owner;
	     d = d->next)
		if (d->mono != now && d->mono != root && has(d->mono, code))
			owner = d->mono;
	pthread_mutex_unlock(&lock);
	return owner;
}

MonoDomain *cofm_domains_go(const struct cofm_domain *domain)
{
	MonoDomain *before = mono_domain_get();

	if (before != domain->mono)
		mono_domain_set(domain->mono, 0);
	return before;
}

void cofm_domains_back(MonoDomain *before)
{
	if (mono_domain_get() != before)
		mono_domain_set(before, 0);
}

/* -- Unloading ------------------------------------------------------------- */

static void remove_from(struct cofm_domain **at, const struct cofm_domain *d)
{
	while (*at != d)
		at = &(*at)->next;
	*at = d->next;
}

static void take_off(struct cofm_domain *d)
{
	struct cofm_domain *first = atomic_load(&list);

	remove_from(&first, d);
	atomic_store(&list, first);
	atomic_fetch_sub(&listed, 1);
}

/* A thread that holds the domains may wait for a collection, and that for this
 * thread, if it counted as one that runs managed code. */
static void wait_for_holders(void)
{
	void *stack, *cookie = mono_threads_enter_gc_safe_region(&stack);

	pthread_rwlock_wrlock(&unloading);
	mono_threads_exit_gc_safe_region(cookie, &stack);
}

/* Should the domain not be unloaded after all, it runs what it has. */
MonoBoolean __wrap_mono_threads_abort_appdomain_threads(MonoDomain *mono,
							int timeout_ms)
{
	MonoBoolean gone = __real_mono_threads_abort_appdomain_threads(
		mono, timeout_ms);
	struct cofm_domain *d = gone ? cofm_domains_find(mono) : NULL;

	if (d) {
		wait_for_holders();
		d->is_closed = true;
		pthread_rwlock_unlock(&unloading);
	}
	return gone;
}

struct cofm_domain *cofm_domains_unload_begin(MonoDomain *mono)
{
	struct cofm_domain *d = cofm_domains_find(mono);

	if (d)
		wait_for_holders();
	return d;
}

void cofm_domains_unload_end(struct cofm_domain *d)
{
	pthread_mutex_lock(&lock);
	take_off(d);
	d->code = *(void **)(void *)((char *)d->mono + COFM_DOMAIN_CODE);
	d->mono = NULL;
	d->next = unloaded;
	unloaded = d;
	pthread_mutex_unlock(&lock);
	pthread_rwlock_unlock(&unloading);
	cofm_domain_unuse(d);
}

void cofm_domain_use(struct cofm_domain *d)
{
	pthread_mutex_lock(&lock);
	d->uses++;
	pthread_mutex_unlock(&lock);
}

/* Under the lock. NULL: the code is still in use, or Mono has not left it. */
static struct cofm_domain *take_if_over(struct cofm_domain *d)
{
	if (d->uses > 0 || !d->is_left)
		return NULL;
	remove_from(&unloaded, d);
	return d;
}

static void end(struct cofm_domain *d)
{
	if (!d)
		return;
	__real_mono_code_manager_destroy(d->code);
	free(d);
}

void cofm_domain_unuse(struct cofm_domain *d)
{
	pthread_mutex_lock(&lock);
	d->uses--;
	d = take_if_over(d);
	pthread_mutex_unlock(&lock);
	end(d);
}

void __wrap_mono_code_manager_destroy(void *manager)
{
	struct cofm_domain *d, *over = NULL;

	pthread_mutex_lock(&lock);
	d = unloaded;
	while (d && d->code != manager)
		d = d->next;
	if (d) {
		d->is_left = true;
		over = take_if_over(d);
	}
	pthread_mutex_unlock(&lock);
	end(over);
	if (!d)
		__real_mono_code_manager_destroy(manager);
}
