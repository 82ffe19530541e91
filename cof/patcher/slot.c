/*
 * slot.c - add slots, have them follow, remove them
 *
 * Ordering: each store into the host's word is a release (A). Its partner (B)
 * is in the program: the load of the word, and the jump through it, which
 * depends on the load. A thread that jumps to the loaded address finds the code
 * there, with its sites bound.
 */
#include "patcher/slot.h"

#include "instance.h"
#include "memory/mem.h"

#define HOSTS 0u	/* slot->ours: the host changed the word and owns it */

/* The exchange is A. False: the host changed the word first. */
static bool swap(struct cof_slot *slot, uintptr_t to)
{
	uintptr_t from = slot->ours;

	if (!atomic_compare_exchange_strong_explicit(slot->word, &from, to,
						     memory_order_release,
						     memory_order_relaxed)) {
		slot->ours = HOSTS;
		return false;
	}
	slot->ours = to;
	return true;
}

static void follow(struct cof_method *method, struct cof_slot *slot)
{
	uintptr_t entry = atomic_load_explicit(&method->entry,
					       memory_order_relaxed);

	if (slot->ours == HOSTS)
		return;
	if (cof_method_left_alone(method))
		entry = 0;
	if (!swap(slot, entry ? entry : method->stub))
		cof_count_add(&method->cof->flow->patcher.slot_moved, 1);
}

void cof_slots_follow(struct cof_method *method)
{
	for (struct cof_slot *slot = method->code.slots; slot;
	     slot = slot->next)
		follow(method, slot);
}

void cof_slots_free(struct cof_method *method)
{
	struct cof_slot *slot, *next;

	for (slot = method->code.slots; slot; slot = next) {
		next = slot->next;
		cof_mem_free(slot);
	}
	method->code.slots = NULL;
}

/* The call makes the word libcof's, whatever it held. */
int cof_slot_add(struct cof_method *method, void **word)
{
	struct cof_slot *slot;

	if (!method || !word || (uintptr_t)word % sizeof(*word) != 0)
		return -COF_E_INVAL;
	slot = cof_mem_alloc(sizeof(*slot));
	if (!slot)
		return -COF_E_NOMEM;
	slot->word = (_Atomic(uintptr_t) *)(void *)word;
	pthread_mutex_lock(&method->cof->code_lock);
	slot->ours = method->stub;
	atomic_store_explicit(slot->word, slot->ours,
			      memory_order_release);	/* A */
	method->code.raw_reach = true;
	slot->next = method->code.slots;
	method->code.slots = slot;
	follow(method, slot);
	pthread_mutex_unlock(&method->cof->code_lock);
	return 0;
}

/*
 * The program may use the word long after this, and nobody updates it any more.
 * So the stub, which stays valid, is left in it.
 */
void cof_slot_remove(struct cof_method *method, void **word)
{
	struct cof_slot *slot = NULL;

	pthread_mutex_lock(&method->cof->code_lock);
	for (struct cof_slot **p = &method->code.slots; *p; p = &(*p)->next) {
		if ((void *)(*p)->word != (void *)word)
			continue;
		slot = *p;
		*p = slot->next;
		if (slot->ours != HOSTS)
			swap(slot, method->stub);
		break;
	}
	pthread_mutex_unlock(&method->cof->code_lock);
	cof_mem_free(slot);
}
