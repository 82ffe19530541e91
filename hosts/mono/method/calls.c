/*
 * calls.c - read a method's IL once
 */
#include "method/calls.h"

#include <stdlib.h>
#include <string.h>

#include <mono/metadata/class.h>
#include <mono/metadata/loader.h>
#include <mono/metadata/metadata.h>
#include <mono/metadata/opcodes.h>
#include <mono/metadata/attrdefs.h>

#include "vm/method_flags.h"
#include "method/il.h"
#include "method/stack_calls.h"
#include "vm/tuning.h"

#define CALLS_MAX    64u

struct reader {
	struct cofm_method *m;
	MonoImage          *image;
	MonoGenericContext *context;
	struct cofm_call    call[CALLS_MAX];
	uint32_t            n;
};

uint64_t cofm_calls_hash(uint64_t hash, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;

	for (size_t i = 0; i < n; i++)
		hash = (hash ^ p[i]) * 0x100000001b3u;
	return hash;
}

/* Bytes of the callee's IL. 0: it has none, or clauses, which Mono does not
 * inline. */
static uint32_t il_size(MonoMethod *callee)
{
	struct cofm_il il;

	return cofm_il_find(callee, &il) && !il.has_clauses ? il.size : 0;
}

/* Does every such call lead to this method? */
static bool is_fixed(MonoMethod *callee, bool virtual)
{
	uint32_t flags = mono_method_get_flags(callee, NULL);
	uint32_t klass;

	if (!virtual || !(flags & MONO_METHOD_ATTR_VIRTUAL))
		return true;
	klass = mono_class_get_flags(mono_method_get_class(callee));
	return (flags & MONO_METHOD_ATTR_FINAL) ||
	       (klass & MONO_TYPE_ATTR_SEALED);
}

static bool can_be_inlined(MonoMethod *callee)
{
	uint32_t impl, flags = mono_method_get_flags(callee, &impl);

	return !(flags & (MONO_METHOD_ATTR_ABSTRACT |
			  MONO_METHOD_ATTR_PINVOKE_IMPL)) &&
	       !(impl & (MONO_METHOD_IMPL_ATTR_NOINLINING |
			 MONO_METHOD_IMPL_ATTR_SYNCHRONIZED |
			 MONO_METHOD_IMPL_ATTR_INTERNAL_CALL |
			 MONO_METHOD_IMPL_ATTR_RUNTIME)) &&
	       !cofm_method_is_wrapper(callee) &&
	       !cofm_method_is_dynamic(callee);
}

/*
 * Would the program see that it is inlined? Mono inlines no method that calls
 * others, unless it inlines these too. So what is called finds its caller, and
 * the caller's assembly.
 */
static bool is_seen(const struct reader *r, MonoMethod *callee)
{
	MonoImage *image = mono_class_get_image(mono_method_get_class(callee));
	bool foreign = image != r->image && image != mono_get_corlib();

	return foreign ? cofm_stack_calls_any(callee) :
			 cofm_stack_calls_named(callee);
}

static void note_call(struct reader *r, uint32_t token, bool virtual)
{
	MonoMethod *callee;
	uint32_t size;

	callee = mono_get_method_full(r->image, token, NULL, r->context);
	if (!callee || callee == r->m->mono || !is_fixed(callee, virtual) ||
	    !can_be_inlined(callee) || is_seen(r, callee))
		return;
	for (uint32_t i = 0; i < r->n; i++)
		if (r->call[i].callee == callee) {
			r->call[i].sites++;
			return;
		}
	size = il_size(callee);
	if (size == 0 || size > COFM_TUNE(inline_callee_bytes) ||
	    r->n == CALLS_MAX)
		return;
	r->call[r->n++] = (struct cofm_call){ callee, size, 1 };
	r->m->has_calls |= size > COFM_TUNE(inline_own_bytes);
}

static void read_code(struct reader *r, const struct cofm_il *il)
{
	const unsigned char *ip = il->code, *end = il->code + il->size;
	struct cofm_il_op op;

	while (cofm_il_next(&ip, end, &op))
		if (op.code == MONO_CEE_CALL || op.code == MONO_CEE_CALLVIRT)
			note_call(r, op.token, op.code == MONO_CEE_CALLVIRT);
}

/* Has Mono resolved all that the method names? Not if the code is of the
 * program's own image: what is never executed was never loaded. */
static bool is_resolved(const struct cofm_method *m, MonoImage *image)
{
	return !m->from_image || image == mono_get_corlib();
}

void cofm_calls_read(struct cofm_method *m)
{
	struct cofm_il il;
	struct reader r = {
		.m = m,
		.image = mono_class_get_image(mono_method_get_class(m->mono)),
		.context = mono_method_get_context(m->mono),
	};

	if (!cofm_il_find(m->mono, &il))
		return;
	m->shape = cofm_calls_hash(COFM_CALLS_HASH_START, il.code, il.size);
	if (is_resolved(m, r.image))
		read_code(&r, &il);
	if (r.n == 0)
		return;
	m->call = calloc(r.n, sizeof(*m->call));
	if (!m->call)
		return;
	memcpy(m->call, r.call, r.n * sizeof(*m->call));
	m->n_calls = r.n;
}
