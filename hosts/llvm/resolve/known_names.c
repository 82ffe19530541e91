/*
 * known_names.c - see known_names.h
 */
#include "resolve/known_names.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "dynlib/symbol_overrides.h"

static bool is_one_of(const char *name, const char *const *list)
{
	for (; *list != NULL; list++)
		if (strcmp(name, *list) == 0)
			return true;
	return false;
}

/* Also the helpers of compilers, which are in libgcc_s as well. */
bool cofl_known_name(const char *name)
{
	static const char *const bounds[] = {	/* dynlib/exports.c */
		"etext", "_etext", "__etext", "edata", "_edata", "end", "_end",
		"data_start", "__data_start", "__bss_start", NULL
	};

	return is_one_of(name, bounds) ||
	       strncmp(name, "__start_", 8) == 0 ||
	       strncmp(name, "__stop_", 7) == 0 ||
	       cofl_symbol_overrides_find(name) != 0 ||
	       (strncmp(name, "__", 2) == 0 &&
		dlsym(RTLD_DEFAULT, name) != NULL);
}

bool cofl_known_name_of_linker(const char *name)
{
	static const char *const names[] = {
		"_start", "_init", "_fini", "_IO_stdin_used", "__TMC_END__",
		"_DYNAMIC", "_GLOBAL_OFFSET_TABLE_", "__dso_handle",
		"__executable_start", "__ehdr_start", "__abi_tag",
		"__libc_csu_init", "__libc_csu_fini", NULL
	};

	return is_one_of(name, names) || cofl_known_name(name) ||
	       strncmp(name, "__init_array", 12) == 0 ||
	       strncmp(name, "__fini_array", 12) == 0 ||
	       strncmp(name, "__preinit_array", 15) == 0 ||
	       strncmp(name, "__rela_iplt", 11) == 0;
}
