/*
 * check.c - compare Mono's name, and some of its structures, with the known
 * build
 *
 * Before anything is written at an offset, a value read there is compared with
 * what Mono's public functions say.
 */
#include "compile/check.h"

#include <stdio.h>
#include <string.h>

#include <mono/metadata/appdomain.h>
#include <mono/metadata/class.h>

#include "vm/method_flags.h"
#include "vm/internals.h"
#include "vm/stop_world.h"

/* Mono's version and Debian's. A rebuild with other structures would have
 * another. */
#define BUILD "6.8.0.105 (Debian 6.8.0.105+dfsg-3.3"

bool cofm_check(char *why, size_t why_bytes)
{
	char *build = mono_get_runtime_build_info();
	bool known = strncmp(build, BUILD, strlen(BUILD)) == 0;

	if (!known)
		snprintf(why, why_bytes, "Mono is %s, and only %s) is known",
			 build, BUILD);
	mono_free(build);
	return known;
}

/* -- While it runs --------------------------------------------------------- */

static bool is_at(const void *object, size_t offset, const void *what,
		  size_t bytes)
{
	return memcmp((const char *)object + offset, what, bytes) == 0;
}

static bool is_method(MonoMethod *m)
{
	uint32_t token = mono_method_get_token(m), impl;
	const char *name = mono_method_get_name(m);
	uint16_t iflags;

	mono_method_get_flags(m, &impl);
	iflags = (uint16_t)impl;
	return is_at(m, COFM_METHOD_IFLAGS, &iflags, sizeof(iflags)) &&
	       is_at(m, COFM_METHOD_TOKEN, &token, sizeof(token)) &&
	       is_at(m, COFM_METHOD_NAME, &name, sizeof(name)) &&
	       !cofm_method_is_wrapper(m) && !cofm_method_is_dynamic(m) &&
	       !cofm_method_is_inflated(m);
}

static bool is_domain(MonoDomain *domain)
{
	int32_t id = mono_domain_get_id(domain);

	return cofm_domains_find(domain) &&
	       is_at(domain, COFM_DOMAIN_ID, &id, sizeof(id));
}

/* The calling thread. */
static bool is_thread(const void *thread)
{
	pthread_t id = pthread_self();

	return thread && is_at(thread, COFM_INTERNAL_ID, &id, sizeof(id));
}

bool cofm_check_running(MonoDomain *domain, char *why, size_t why_bytes)
{
	MonoMethod *m = mono_class_get_method_from_name(
		mono_get_object_class(), "ToString", 0);

	if (mono_use_interpreter) {
		snprintf(why, why_bytes, "--interpreter: Mono compiles no "
			 "method of the program");
		return false;
	}
	if (!cofm_stop_world_is_safe()) {
		snprintf(why, why_bytes, "MONO_THREADS_SUSPEND is preemptive: "
			 "threads cannot be stopped where code may change");
		return false;
	}
	if (!m || !is_method(m) || !is_domain(domain) ||
	    !is_thread(mono_thread_internal_current())) {
		snprintf(why, why_bytes, "Mono's structures are not those of "
			 "%s)", BUILD);
		return false;
	}
	return true;
}

bool cofm_check_body(const struct cofm_body *body)
{
	return mono_jit_info_table_find(body->domain->mono,
					(char *)body->code) == body->info &&
	       mono_jit_info_get_code_start(body->info) == body->code &&
	       mono_jit_info_get_code_size(body->info) == (int)body->size;
}
