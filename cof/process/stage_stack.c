/*
 * stage_stack.c - map, keep, unmap; see stage_stack.h
 */
#include "process/stage_stack.h"

#include <stdint.h>
#include <sys/mman.h>

#include "base/align.h"
#include "base/units.h"

bool cof_stage_stack_make(struct cof_stage_stack *stack, pthread_attr_t *attr)
{
	size_t bytes;
	char *at;

	stack->at = NULL;
	if (pthread_attr_getstacksize(attr, &bytes) != 0)
		return false;
	bytes = cof_align_up(bytes, COF_PAGE_BYTES) + COF_PAGE_BYTES;
	at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1,
		  0);
	if (at == MAP_FAILED)
		return false;
	*stack = (struct cof_stage_stack){ at, bytes };
	if (mprotect(at, COF_PAGE_BYTES, PROT_NONE) == 0 &&
	    pthread_attr_setstack(attr, at + COF_PAGE_BYTES,
				  bytes - COF_PAGE_BYTES) == 0)
		return true;
	cof_stage_stack_free(stack);
	return false;
}

void cof_stage_stack_keep(const struct cof_stage_stack *stack)
{
	uintptr_t record = (uintptr_t)pthread_self();
	size_t below = (record & ~(uintptr_t)(COF_PAGE_BYTES - 1)) -
		       (uintptr_t)stack->at;

	if (stack->at != NULL && below < stack->bytes)
		madvise(stack->at, below, MADV_DONTFORK);
}

void cof_stage_stack_free(struct cof_stage_stack *stack)
{
	if (stack->at != NULL)
		munmap(stack->at, stack->bytes);
	stack->at = NULL;
}
