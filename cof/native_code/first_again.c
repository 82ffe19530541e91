/*
 * first_again.c - see first_again.h
 */
#include "native_code/first_again.h"

#include <string.h>

#include "base/log.h"
#include "codemem/insn.h"
#include "cof.h"
#include "instance.h"
#include "patcher/patcher.h"

/* jmp to the target, wherever it is. */
static void write_jump(const struct cof_code *block, uintptr_t to)
{
	uint64_t word[2] = { COF_INSN_JMP_FAR, to };

	if (cof_insn_reaches((uintptr_t)block->exec + COF_INSN_CALL_BYTES, to))
		word[0] = cof_insn_jmp((uintptr_t)block->exec, to);
	memcpy(block->write, word, sizeof(word));
}

/* The version that the method has a copy of; NULL: of none. */
static struct cof_version *first_of(struct cof_method *method)
{
	struct cof_version *copy;

	pthread_mutex_lock(&method->cof->code_lock);
	copy = method->code.copy;
	pthread_mutex_unlock(&method->cof->code_lock);
	return copy ? copy->code.copy_of : NULL;
}

bool cof_first_again(struct cof_method *method)
{
	struct cof_version *first = first_of(method), *v;
	struct cof_version_desc desc = { .size = sizeof(desc) };
	int err;

	if (!first || cof_code_alloc(method->cof, 2 * sizeof(uint64_t),
				     COF_CODE_FIRST, &desc.block) != 0)
		return false;
	write_jump(&desc.block, first->code.entry);
	desc.start = desc.block.exec;
	desc.size_bytes = desc.block.size_bytes;
	desc.plan = first->plan;
	desc.data = first->code.data;
	v = cof_patcher_prepare(method, &desc, &err);
	if (!v) {
		cof_code_free(method->cof, &desc.block);
		return false;
	}
	v->code.entries = first->code.entries;
	v->code.is_again = true;
	v->retired.never = true;
	if (!cof_patcher_install(v, NULL, true))
		return false;
	/* sampler/credit.c has the acquire. */
	pthread_mutex_lock(&method->cof->code_lock);
	atomic_store_explicit(&first->code.again, v, memory_order_release);
	pthread_mutex_unlock(&method->cof->code_lock);
	cof_log(method->cof, "COF: %s runs its first version again",
		method->name);
	return true;
}
