/*
 * piece.h - small pieces of x86-64 code, for tests that run what they patch
 */
#pragma once

#include <stdint.h>
#include <string.h>

#include "cof.h"

#define PIECE_CALLS 1100

struct piece {
	unsigned char byte[8192];
	size_t        n;
	struct {
		size_t             at;	/* of the displacement */
		struct cof_method *callee;
	} call[PIECE_CALLS];
	size_t        n_calls;
};

static inline void piece_put(struct piece *p, const void *bytes, size_t n)
{
	assert_true(p->n + n <= sizeof(p->byte));
	memcpy(p->byte + p->n, bytes, n);
	p->n += n;
}

#define piece_bytes(p, ...)						\
	piece_put(p, (const unsigned char[]){ __VA_ARGS__ },		\
		  sizeof((const unsigned char[]){ __VA_ARGS__ }))

/* mov $value, %eax; ret */
static inline void piece_return(struct piece *p, int value)
{
	piece_bytes(p, 0xb8);
	piece_put(p, &value, sizeof(value));
	piece_bytes(p, 0xc3);
}

/* nops up to `n` bytes in all */
static inline void piece_pad(struct piece *p, size_t n)
{
	while (p->n < n)
		piece_bytes(p, 0x90);
}

/* call rel32, for libcof to bind */
static inline void piece_call(struct piece *p, struct cof_method *callee)
{
	assert_true(p->n_calls < PIECE_CALLS);
	piece_bytes(p, 0xe8);
	p->call[p->n_calls].at = p->n;
	p->call[p->n_calls++].callee = callee;
	piece_bytes(p, 0, 0, 0, 0);
}

/* mov $function, %rax; call *%rax */
static inline void piece_call_c(struct piece *p, const void *function)
{
	piece_bytes(p, 0x48, 0xb8);
	piece_put(p, &function, sizeof(function));
	piece_bytes(p, 0xff, 0xd0);
}

/* jmp *function, no register changed */
static inline void piece_jump_c(struct piece *p, const void *function)
{
	piece_bytes(p, 0xff, 0x25, 0, 0, 0, 0);
	piece_put(p, &function, sizeof(function));
}

/* sub $8, %rsp, for a frame with aligned calls; leave ends it */
static inline void piece_enter(struct piece *p)
{
	piece_bytes(p, 0x48, 0x83, 0xec, 8);
}

static inline void piece_leave(struct piece *p)
{
	piece_bytes(p, 0x48, 0x83, 0xc4, 8, 0xc3);
}

/*
 * Copy it into a block of its own. The sites go to `calls`, to which the result
 * points.
 */
static inline struct cof_version_desc
piece_place(struct cof *cof, const struct piece *p, struct cof_call_site *calls)
{
	struct cof_version_desc d = { .size = sizeof(d) };

	assert_int_equal(cof_code_alloc(cof, p->n, COF_CODE_FIRST, &d.block),
			 0);
	memcpy(d.block.write, p->byte, p->n);
	d.start = d.block.exec;
	d.size_bytes = p->n;
	for (size_t i = 0; i < p->n_calls; i++) {
		calls[i].rel32 = (char *)d.block.exec + p->call[i].at;
		calls[i].callee = p->call[i].callee;
	}
	d.calls = calls;
	d.n_calls = p->n_calls;
	return d;
}

/* Add it as the method's new version. */
static inline void piece_add(struct cof *cof, struct cof_method *method,
			     const struct piece *p, void *data)
{
	static _Thread_local struct cof_call_site calls[PIECE_CALLS];
	struct cof_version_desc d = piece_place(cof, p, calls);

	d.data = data;
	assert_int_equal(cof_version_add(method, &d), 0);
}

/* Add a version that returns `value`. */
static inline void piece_add_return(struct cof *cof, struct cof_method *method,
				    int value)
{
	struct piece p = { .n = 0 };

	piece_return(&p, value);
	piece_add(cof, method, &p, NULL);
}

static inline struct cof_method *piece_method(struct cof *cof, void *data)
{
	struct cof_method *method;

	assert_int_equal(cof_method_add(cof, "piece", data, &method), 0);
	return method;
}

static inline int piece_run(const void *code)
{
	return ((int (*)(void))(uintptr_t)code)();
}
