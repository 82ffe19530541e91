/*
 * jit_record.c - two bits of MonoJitInfo that Mono does not use
 *
 * The walk that makes a stack trace marks a record while a frame of its body is
 * on the stack. A body is freed only when no frame is left. So the mark comes
 * first.
 */
#include "vm/jit_record.h"

#include "vm/internals.h"

#define OURS   0x80u
#define WALKED 0x40u

static _Atomic uint64_t kept;

static uint8_t *flags_of(MonoJitInfo *record)
{
	return (uint8_t *)record + COFM_JIT_INFO_FLAGS;
}

void cofm_jit_record_begin(MonoJitInfo *record)
{
	__atomic_fetch_or(flags_of(record), OURS, __ATOMIC_SEQ_CST);
}

bool cofm_jit_record_is_ours(const MonoJitInfo *record)
{
	return __atomic_load_n(flags_of((MonoJitInfo *)record),
			       __ATOMIC_RELAXED) & OURS;
}

void cofm_jit_record_walked(MonoJitInfo *record)
{
	uint8_t flags = __atomic_load_n(flags_of(record), __ATOMIC_RELAXED);

	if ((flags & (OURS | WALKED)) == OURS)
		__atomic_fetch_or(flags_of(record), WALKED, __ATOMIC_SEQ_CST);
}

/*
 * Remove the record and do not free it. Mono frees a removed record at once,
 * unless copies of its table exist: then it puts the record on a list until the
 * copies are gone. So pretend that there is a copy, and take the record off the
 * list.
 */
static void remove_only(MonoDomain *domain, MonoJitInfo *record)
{
	int *copies = (int *)(void *)((char *)domain + COFM_DOMAIN_COPIES);
	struct cofm_links **list = (struct cofm_links **)(void *)
		((char *)domain + COFM_DOMAIN_TO_FREE);

	mono_domain_lock(domain);
	++*copies;
	mono_jit_info_table_remove(domain, record);
	--*copies;
	if (*list && (*list)->data == record)
		*list = monoeg_g_slist_delete_link(*list, *list);
	mono_domain_unlock(domain);
}

bool cofm_jit_record_end(MonoDomain *domain, MonoJitInfo *record)
{
	uint8_t flags = __atomic_load_n(flags_of(record), __ATOMIC_SEQ_CST);

	if (!(flags & WALKED)) {
		mono_jit_info_table_remove(domain, record);
		return true;
	}
	remove_only(domain, record);
	atomic_fetch_add(&kept, 1);
	return false;
}

uint64_t cofm_jit_record_kept(void)
{
	return atomic_load(&kept);
}
