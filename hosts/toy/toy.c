/*
 * toy.c - a compiler that emits a dozen instructions, and its callbacks
 */
#include "toy.h"

#include <stdlib.h>
#include <string.h>

#define CODE_BYTES 64		/* no method is longer */

/* -- The compiler ---------------------------------------------------------- */

static uint8_t *put(uint8_t *at, const void *bytes, size_t n)
{
	memcpy(at, bytes, n);
	return at + n;
}
#define CODE(at, bytes) put(at, bytes, sizeof(bytes) - 1)

static uint8_t *put32(uint8_t *at, uint32_t v)
{
	return put(at, &v, sizeof(v));
}

/* Compile `m` with `plan` and describe the result. 0, or -1: no memory. */
static int compile(struct toy *toy, const struct toy_method *m,
		   enum cof_plan plan, struct cof_version_desc *out)
{
	struct cof_call_site *call = calloc(1, sizeof(*call));
	uint8_t *at;

	if (!call || cof_code_alloc(toy->cof, CODE_BYTES, plan ? COF_CODE_HOT :
				    COF_CODE_FIRST, &out->block) != 0) {
		free(call);
		return -1;
	}
	at = out->block.write;
	at = CODE(at, "\x55\x48\x89\xe5");	/* push rbp; mov rbp, rsp */
	at = CODE(at, "\x48\x89\xf8");		/* mov rax, rdi */
	if (m->callback) {
		at = CODE(at, "\x48\xb8");	/* mov rax, callback */
		at = put(at, &m->callback, sizeof(m->callback));
		at = CODE(at, "\xff\xd0");	/* call rax */
	}
	if (m->callee) {
		at = CODE(at, "\x48\x89\xc7");	/* mov rdi, rax */
		at = CODE(at, "\xe8");		/* call callee */
		call->callee = m->callee->method;
		call->rel32 = (char *)out->block.exec +
			      (at - (uint8_t *)out->block.write);
		at = put32(at, 0);		/* libcof fills it in */
	}
	at = put32(CODE(at, "\xb9"), m->turns >> 2 * plan); /* mov ecx, turns */
	at = CODE(at, "\x48\x05");		/* 1: add rax, step */
	at = put32(at, (uint32_t)m->step << 2 * plan);
	at = CODE(at, "\xff\xc9\x75\xf6");	/* dec ecx; jnz 1b */
	at = put32(CODE(at, "\xba"), ++toy->versions << 2 | plan);
	at = CODE(at, "\x5d\xc3");	/* mov edx, version; pop rbp; ret */

	out->start = out->block.exec;
	out->size_bytes = (size_t)(at - (uint8_t *)out->block.write);
	out->plan = plan;
	out->data = call;		/* the version's, until discard() */
	out->calls = call;
	out->n_calls = m->callee != NULL;
	return 0;
}

/* -- Callbacks ------------------------------------------------------------- */

static void first_call(void *ctx, void *method)
{
	struct cof_version_desc desc = { .size = sizeof(desc) };
	struct toy_method *m = method;

	if (compile(ctx, m, COF_PLAN_NONE, &desc) != 0 ||
	    cof_version_add(m->method, &desc) != 0)
		abort();	/* the toy language has no exceptions */
}

static int estimate(void *ctx, void *method, enum cof_plan now,
		    enum cof_plan plan, struct cof_estimate *out)
{
	(void)ctx, (void)method;
	out->speedup = (double)(1u << 2 * (plan - now));
	out->cost_ns = 20000;
	return 0;
}

/* The toy's IR is a copy of the method's description. */
static void *gather(void *ctx, void *method)
{
	struct toy_method *ir = malloc(sizeof(*ir));

	if (!ir)
		return NULL;
	((struct toy *)ctx)->gathered++;
	return memcpy(ir, method, sizeof(*ir));
}

static int build(void *ctx, void *ir, enum cof_plan plan, const int *stop,
		 struct cof_version_desc *out)
{
	(void)stop;		/* a build is too short to look at it */
	if (compile(ctx, ir, plan, out) != 0)
		return -1;
	((struct toy *)ctx)->built++;
	return 0;
}

static void drop(void *ctx, void *ir)
{
	free(ir);
	((struct toy *)ctx)->dropped++;
}

static void discard(void *ctx, void *version)
{
	free(version);
	((struct toy *)ctx)->discarded++;
}

struct cof_host toy_host(struct toy *toy)
{
	return (struct cof_host){
		.size = sizeof(struct cof_host), .name = "toy", .ctx = toy,
		.first_call = first_call, .estimate = estimate,
		.gather = gather, .build = build,
		.drop = drop, .discard = discard,
	};
}

int toy_add(struct toy *toy, struct toy_method *m)
{
	m->toy = toy;
	return cof_method_add(toy->cof, m->name, m, &m->method);
}
