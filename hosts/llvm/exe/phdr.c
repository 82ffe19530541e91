/*
 * phdr.c - dl_iterate_phdr(3), with the program's variables as a segment
 *
 * Process-wide: cof-llvm defines it. The dynamic linker knows no object that
 * contains the program's variables. Garbage collectors such as libgc find their
 * roots by this call.
 */
#include <link.h>
#include <stddef.h>

#include "dynlib/exported_names.h"
#include "exe/rtld_next.h"

typedef int visit_fn(struct dl_phdr_info *info, size_t size, void *arg);
typedef int iterate_fn(visit_fn *visit, void *arg);

struct walk {
	visit_fn           *visit;
	void               *arg;
	struct dl_phdr_info last;	/* libc's, for its counts of objects */
};

static int visit_and_note(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct walk *walk = arg;

	if (size >= sizeof(walk->last))
		walk->last = *info;
	return walk->visit(info, size, walk->arg);
}

__attribute__((visibility("default")))
int dl_iterate_phdr(visit_fn *visit, void *arg)
{
	struct walk walk = { .visit = visit, .arg = arg };
	ElfW(Phdr) data = { .p_type = PT_LOAD, .p_flags = PF_R | PF_W };
	struct dl_phdr_info program = {
		.dlpi_name = "", .dlpi_phdr = &data, .dlpi_phnum = 1,
	};
	static void *_Atomic known;
	int status = ((iterate_fn *)next_of(&known, "dl_iterate_phdr"))(
		visit_and_note, &walk);

	if (status != 0)
		return status;
	data.p_vaddr = cofl_exported_names_data(&data.p_memsz);
	if (data.p_memsz == 0)
		return 0;
	program.dlpi_adds = walk.last.dlpi_adds;
	program.dlpi_subs = walk.last.dlpi_subs;
	return visit(&program, sizeof(program), arg);
}
