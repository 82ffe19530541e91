/*
 * counting_thunk.c - make a thunk, retarget it, switch its counting
 */
#include "patcher/counting_thunk.h"

#include "codemem/block.h"
#include "codemem/codemem.h"
#include "codemem/insn.h"
#include "instance.h"
#include "patcher/stub.h"

#define INC_BYTES 7u

/* inc qword [rip + d]; nop */
static uint64_t inc(uintptr_t at, uintptr_t counter)
{
	uint32_t d = (uint32_t)(counter - (at + INC_BYTES));

	return UINT64_C(0x9000000000000000) | (uint64_t)d << 24 |
	       UINT64_C(0x05ff48);
}

/* Nops of the same length: a jump would take longer than the inc. */
#define PASS UINT64_C(0x9000000000801f0f)

bool cof_counting_thunk_make(struct cof_method *method)
{
	struct cof *cof = method->cof;
	struct cof_code block;

	if (method->thunk.address)
		return true;
	if (!method->thunk.entries)
		method->thunk.entries = cof_codemem_data(cof->codemem,
							 COF_CACHELINE,
							 COF_CACHELINE);
	if (!method->thunk.entries ||
	    cof_codemem_alloc(cof->codemem, COF_CACHELINE, COF_CODE_FIRST,
			      &block) != 0)
		return false;
	cof_insn_store64(block.write, PASS);
	method->thunk.address = (uintptr_t)block.exec;
	cof_block_count(cof);
	return true;
}

void cof_counting_thunk_lead(struct cof_method *method, uintptr_t to)
{
	cof_stub_lead(method->cof,
		      method->thunk.address + COF_COUNTING_THUNK_PAST, to);
}

void cof_counting_thunk_count(struct cof_method *method, bool on)
{
	struct cof_codemem *mem = method->cof->codemem;

	cof_codemem_own(mem);
	if (cof_codemem_range(mem)->closed)
		return;		/* a child that shares the pages */
	cof_insn_store64(cof_codemem_write(mem, method->thunk.address),
			 on ? inc(method->thunk.address,
				  (uintptr_t)method->thunk.entries) :
			      PASS);
}
