/*
 * stub.c - make stubs, retarget them, and the first call through one
 */
#include "patcher/stub.h"

#include <assert.h>
#include <errno.h>

#include "base/tsan.h"
#include "codemem/codemem.h"
#include "codemem/insn.h"
#include "instance.h"

/* The last trap of the glue: the target of a stub that leads nowhere. */
static uintptr_t trap_of(const struct cof *cof)
{
	return cof_codemem_glue(cof->codemem) + 63;
}

void cof_stub_lead(struct cof *cof, uintptr_t stub, uintptr_t to)
{
	uint64_t *write = cof_codemem_write(cof->codemem, stub);

	cof_codemem_own(cof->codemem);
	if (cof_codemem_range(cof->codemem)->closed)
		return;		/* a child that shares the pages */
	if (cof_insn_reaches(stub + COF_INSN_CALL_BYTES, to)) {
		cof_insn_store64(write, cof_insn_jmp(stub, to));
		return;
	}
	cof_insn_store64(write + 1, to);
	cof_insn_store64(write, COF_INSN_JMP_FAR);
}

uintptr_t cof_stub_make(struct cof *cof, struct cof_method *owner)
{
	uintptr_t glue = cof_codemem_glue(cof->codemem);
	uintptr_t stub = cof_codemem_stub(cof->codemem);
	unsigned char *write = cof_codemem_write(cof->codemem, glue);

	if (!stub)
		return 0;
	if (*write == COF_INSN_TRAP)
		cof_stub_write_glue(cof, write, cof_stub_first_call);
	if (!owner) {
		cof_stub_lead(cof, stub, trap_of(cof));
		return stub;
	}
	/* No other thread knows the stub's address yet. */
	atomic_store_explicit(cof_codemem_stub_word(cof->codemem, stub), owner,
			      memory_order_relaxed);
	cof_insn_store64(cof_codemem_write(cof->codemem, stub),
			 cof_insn_call(stub, glue));
	return stub;
}

/*
 * The call goes on at the stub, never at an entry. So no register keeps an
 * address of code that may be freed, which a scan would take for a thread
 * inside. If first_call() made no version, the stub calls this again: the
 * program cannot go on without a version, so the host is asked again.
 */
static uintptr_t first_call(struct cof *cof, uintptr_t after_call)
{
	uintptr_t stub = after_call - COF_INSN_CALL_BYTES, to = stub;
	struct cof_method *method = atomic_load_explicit(
		cof_codemem_stub_word(cof->codemem, stub),
		memory_order_relaxed);
	int saved = errno;

	cof_count_add_shared(&cof->flow->patcher.first_calls, 1);
	if (atomic_load_explicit(&method->entry, memory_order_acquire) != 0)
		return to;	/* publish.c: D */
	if (cof->host.first_call)
		cof->host.first_call(cof->host.ctx, method->data);
	else
		to = trap_of(cof);
	errno = saved;
	return to;
}

/* One thread after another is on a stack of stub_stack.h: the frame is where it
 * was. ThreadSanitizer sees nothing of how the stack is handed on. */
uintptr_t cof_stub_first_call(struct cof *cof, uintptr_t after_call)
{
	void *frame = __builtin_frame_address(0);
	uintptr_t to;

	cof_tsan_acquire(frame);
	to = first_call(cof, after_call);
	cof_tsan_release(frame);
	return to;
}

void *cof_stub_new(struct cof *cof, const void *target)
{
	uintptr_t stub;

	if (!cof)
		return NULL;
	pthread_mutex_lock(&cof->code_lock);
	stub = cof_stub_make(cof, NULL);
	if (stub)
		cof_stub_lead(cof, stub, (uintptr_t)target);
	pthread_mutex_unlock(&cof->code_lock);
	return (void *)stub;
}

void cof_stub_retarget(struct cof *cof, void *stub, const void *target)
{
	pthread_mutex_lock(&cof->code_lock);
	assert(!atomic_load_explicit(
		cof_codemem_stub_word(cof->codemem, (uintptr_t)stub),
		memory_order_relaxed));
	cof_stub_lead(cof, (uintptr_t)stub, (uintptr_t)target);
	pthread_mutex_unlock(&cof->code_lock);
}
