/*
 * unwinders.c - the stand-ins for the two functions by which unwinders look for
 * a function's unwind table: _dl_find_object(3) and dl_iterate_phdr(3)
 *
 * GCC's unwinder calls the first. LLVM's and the one of libunwind.org call the
 * second, and get libcof's code as further objects, after all others. No other
 * caller gets them: they list what is loaded.
 */
#include <link.h>
#include <stdint.h>

#include "preload/native.h"
#include "preload/object_symbols.h"
#include "preload/rtld_next.h"

/* As in unwind_tables.c: .eh_frame_hdr without count and search table. */
#define HEADER_BYTES 12u

struct iteration {
	int    (*fn)(struct dl_phdr_info *info, size_t bytes, void *arg);
	void    *arg;
	uint32_t changes;	/* of libcof's objects */
	struct dl_phdr_info last;	/* the last of the dynamic linker's */
};

STAND_IN
int _dl_find_object(void *pc, struct dl_find_object *found)
{
	const struct cofl_events *events = native_events();

	if (events != NULL && events->find_object != NULL &&
	    events->find_object(pc, found))
		return 0;
	return rtld_next._dl_find_object(pc, found);
}

/* Is it the code of an unwinder? */
static bool is_unwinder(void *pc)
{
	static const char *const names[] = {
		"_Unwind_RaiseException", "_ULx86_64_step", "_Ux86_64_step",
	};
	struct dl_find_object found;

	if (rtld_next._dl_find_object(pc, &found) != 0)
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (object_symbols_define(found.dlfo_link_map, names[i]))
			return true;
	return false;
}

/* Unwinders keep what they found until these counts are other ones. */
static void count_changes(const struct iteration *it, struct dl_phdr_info *info)
{
	info->dlpi_adds += it->changes;
	info->dlpi_subs += it->changes;
}

static int pass_on(struct dl_phdr_info *info, size_t bytes, void *arg)
{
	struct iteration *it = arg;

	(void)bytes;
	it->last = *info;
	count_changes(it, info);
	return it->fn(info, sizeof(*info), it->arg);
}

static int pass_ours(const struct iteration *it,
		     const struct dl_find_object *found)
{
	uintptr_t start = (uintptr_t)found->dlfo_map_start;
	size_t bytes = (uintptr_t)found->dlfo_map_end - start;
	const Elf64_Phdr headers[] = { {
		.p_type = PT_LOAD, .p_flags = PF_R | PF_X,
		.p_filesz = bytes, .p_memsz = bytes,
	}, {
		.p_type = PT_GNU_EH_FRAME, .p_flags = PF_R,
		.p_vaddr = (uintptr_t)found->dlfo_eh_frame - start,
		.p_filesz = HEADER_BYTES, .p_memsz = HEADER_BYTES,
	} };
	struct dl_phdr_info info = {
		.dlpi_addr = start, .dlpi_name = "", .dlpi_phdr = headers,
		.dlpi_phnum = sizeof(headers) / sizeof(*headers),
		.dlpi_adds = it->last.dlpi_adds,
		.dlpi_subs = it->last.dlpi_subs,
	};

	count_changes(it, &info);
	return it->fn(&info, sizeof(info), it->arg);
}

STAND_IN
int dl_iterate_phdr(int (*fn)(struct dl_phdr_info *, size_t, void *),
		    void *arg)
{
	const struct cofl_events *events = native_events();
	struct iteration it = { .fn = fn, .arg = arg };
	struct dl_find_object found = { .dlfo_map_end = NULL };
	int stop;

	if (events == NULL || events->next_object == NULL ||
	    !is_unwinder(__builtin_return_address(0)))
		return rtld_next.dl_iterate_phdr(fn, arg);
	events->next_object(NULL, &found, &it.changes);
	stop = rtld_next.dl_iterate_phdr(pass_on, &it);
	found.dlfo_map_end = NULL;
	while (stop == 0 && events->next_object(found.dlfo_map_end, &found,
						&(uint32_t){ 0 }))
		stop = pass_ours(&it, &found);
	return stop;
}
