/*
 * call_sites.c - code of a domain calls code of the same domain
 *
 * Remoting hands objects of one domain to another. Their methods are the former
 * domain's code, which then runs in the other. A call in it that was not made
 * before goes to a trampoline. Mono's compiles the callee for the domain in
 * which the thread is, and links the call to it for all threads. Then the
 * former domain runs code whose statics are the other's, and crashes once that
 * domain is unloaded. In stock Mono it is rare, since a domain has mostly run
 * its code before. Here a new version has all its calls unlinked.
 *
 * So such a trampoline does its work as if the thread were in the domain of the
 * code.
 * What links a call on other ways does so only for code of the thread's domain;
 * a call that is not linked goes through its trampoline again.
 *
 * Process-wide: it stands in for mono_get_trampoline_func() and
 * mono_arch_patch_callsite() in Mono's code. Thread: any that runs managed
 * code. It takes no lock of its own.
 */
#include <stdint.h>

#include <mono/jit/jit.h>
#include <mono/metadata/appdomain.h>

#include "vm/domains.h"
#include "vm/internals.h"

static cofm_trampoline_fn *jit_trampoline;

/* NULL: it is the code of `domain`, or of none that is known. */
static MonoDomain *foreign(MonoDomain *domain, uint8_t *code)
{
	return cofm_domains_are_several() &&
			       !mono_jit_info_table_find(domain, code) ?
		       cofm_domains_owner(domain, code) :
		       NULL;
}

static void *trampoline(void *regs, uint8_t *after_call, void *method,
			uint8_t *tramp)
{
	MonoDomain *domain = mono_domain_get();
	MonoDomain *owner = foreign(domain, after_call);
	MonoAppContext *context;	/* found there by the collector */
	void *callee;

	if (!owner || mono_domain_is_unloading(owner))
		return jit_trampoline(regs, after_call, method, tramp);
	/* The thread may be about to be aborted: that stays as it is. To go to
	 * a domain is to go to its default context. */
	context = mono_context_get();
	mono_domain_set_internal_with_options(owner, 0);
	callee = jit_trampoline(regs, after_call, method, tramp);
	mono_domain_set_internal_with_options(domain, 0);
	mono_context_set(context);
	return callee;
}

void *__wrap_mono_get_trampoline_func(int kind)
{
	void *func = __real_mono_get_trampoline_func(kind);

	if (kind != COFM_TRAMPOLINE_JIT)
		return func;
	jit_trampoline = (cofm_trampoline_fn *)func;
	return (void *)trampoline;
}

void __wrap_mono_arch_patch_callsite(uint8_t *method, uint8_t *after_call,
				     uint8_t *callee)
{
	if (!foreign(mono_domain_get(), after_call))
		__real_mono_arch_patch_callsite(method, after_call, callee);
}
