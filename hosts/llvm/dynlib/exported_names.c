/*
 * exported_names.c - open an object of names from memory; see exported_names.h
 */
#include "dynlib/exported_names.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "dynlib/memory_dso.h"
#include "dynlib/rpath.h"
#include "dynlib/tls_names.h"
#include "support/xcalloc.h"

/* One program a process. Constant once the program is open. */
static void *object;	/* dlopen(3)'s; NULL: none was made */
static void *tls_object;	/* of thread-local variables; likewise */
static const char **libraries;	/* their names in the file, NULL at the end */

static uintptr_t data_from, data_to;	/* the program's; constant as well */

static struct {
	void (*bind)(void *arg);	/* NULL: called */
	void  *arg;
	char   path[64];
} opening;

static void bind_once(void)
{
	void (*bind)(void *) = opening.bind;

	opening.bind = NULL;
	if (bind != NULL)
		bind(opening.arg);
}

/* The dynamic linker calls this while it opens the object, after it relocated
 * everything. glibc makes the object global only after all constructors; they
 * need it before. */
static void bind_first(void)
{
	object = dlopen(opening.path, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
	bind_once();
}

/* -- Contents -------------------------------------------------------------- */

/* False: the program's bitcode does not define the name. Then it is the
 * linker's, or a copy of a library's variable, which stays the library's
 * here. */
static bool name_of(struct cofl *host, const struct cofl_dynamic_name *from,
		    struct cofl_memory_dso_name *name)
{
	unsigned bind = ELF64_ST_BIND(from->symbol.st_info);
	unsigned type = ELF64_ST_TYPE(from->symbol.st_info);
	const struct cofl_symbol *s = cofl_symbols_get(&host->symbols,
						       from->name);

	*name = (struct cofl_memory_dso_name){
		.name = s->name, .address = s->address,
		.size = from->symbol.st_size,
		/* An ifunc's address is its stub. */
		.info = ELF64_ST_INFO(bind == STB_WEAK ? STB_WEAK : STB_GLOBAL,
				      type == STT_GNU_IFUNC ? STT_FUNC : type),
	};
	if (type != STT_TLS)
		return s->address != 0;
	if (!s->is_tls || s->tls == NULL || s->tls->module != 0 ||
	    !cofl_tls_names_can())
		return false;
	name->address = cofl_tls_names_value(s->tls->offset);
	return true;
}

/* Thread-local variables if `tls`, else all others. */
static struct cofl_memory_dso_name *
list_names(struct cofl *host, const struct cofl_dynamic *dynamic, bool tls,
	   size_t *n)
{
	struct cofl_memory_dso_name *list =
		cofl_xcalloc(dynamic->n_exported, sizeof(*list));

	*n = 0;
	for (size_t i = 0; i < dynamic->n_exported; i++) {
		const struct cofl_dynamic_name *from = &dynamic->exported[i];

		if ((ELF64_ST_TYPE(from->symbol.st_info) == STT_TLS) == tls &&
		    name_of(host, from, &list[*n]))
			++*n;
	}
	return list;
}

/* -- Opening --------------------------------------------------------------- */

static bool all_there(const struct cofl_dynamic *dynamic)
{
	for (size_t i = 0; i < dynamic->n_needed; i++)
		if (dlopen(dynamic->needed[i], RTLD_NOW | RTLD_GLOBAL |
						       RTLD_NOLOAD) == NULL)
			return false;
	return true;
}

static bool write_all(int fd, const char *bytes, size_t n)
{
	for (size_t at = 0; at < n;) {
		ssize_t more = write(fd, bytes + at, n - at);

		if (more < 0 && errno != EINTR)
			return false;
		at += more > 0 ? (size_t)more : 0;
	}
	return true;
}

/* A descriptor, and its path in opening.path. No program opens a file by such a
 * path: the dynamic linker remembers it, and would take another file of that
 * name for this one. Negative: no file may be so large (writing past the limit
 * raises a signal), or there is no /proc. */
static int new_file(const char *bytes, size_t n)
{
	struct rlimit limit;
	int fd;

	if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || n > limit.rlim_cur)
		return -1;
	fd = memfd_create("program", MFD_CLOEXEC);
	if (fd < 0)
		return -1;
	snprintf(opening.path, sizeof(opening.path), "/proc/self/./fd/%d", fd);
	if (write_all(fd, bytes, n) && access(opening.path, R_OK) == 0)
		return fd;
	close(fd);
	return -1;
}

/* The libraries without the object: they do not find the program's names. */
static bool open_each(const struct cofl_memory_dso *dso)
{
	for (size_t i = 0; i < dso->n_needed; i++)
		if (cofl_rpath_open(dso->needed[i],
				    RTLD_NOW | RTLD_GLOBAL) == NULL)
			return false;
	return true;
}

static void nothing(void) {}

/* Thread-local variables are in an object of their own: it must have cof-llvm's
 * block before the dynamic linker sees a library that refers to them. If it
 * cannot be made, libraries do not find them. Returns the descriptor, to be
 * closed after the other object is open, since the dynamic linker knows both by
 * their numbers; negative: there is none. */
static int open_tls(struct cofl *host, const struct cofl_dynamic *dynamic)
{
	struct cofl_memory_dso dso = { .first = (uintptr_t)nothing };
	struct cofl_memory_dso_name *names;
	char *bytes;
	int fd = -1;
	size_t n;

	dso.name = names = list_names(host, dynamic, true, &dso.n_names);
	if (dso.n_names != 0) {
		bytes = cofl_memory_dso_make(&dso, &n);
		fd = new_file(bytes, n);
		free(bytes);
		if (fd >= 0)
			tls_object = dlopen(opening.path,
					    RTLD_NOW | RTLD_GLOBAL);
		if (tls_object != NULL)
			cofl_tls_names_adopt(tls_object);
	}
	free(names);
	return fd;
}

static bool open_dso(const struct cofl_memory_dso *dso)
{
	size_t n;
	char *bytes = cofl_memory_dso_make(dso, &n);
	int fd = new_file(bytes, n);

	free(bytes);
	if (fd < 0)
		return open_each(dso);
	object = dlopen(opening.path, RTLD_NOW | RTLD_GLOBAL);
	close(fd);
	return object != NULL;
}

static void keep_libraries(const struct cofl_dynamic *dynamic)
{
	libraries = cofl_xcalloc(dynamic->n_needed, sizeof(*libraries));
	for (size_t i = 0; i < dynamic->n_needed; i++)
		libraries[i] = dynamic->needed[i];
}

bool cofl_exported_names_open(struct cofl *host,
			      const struct cofl_dynamic *dynamic,
			      void (*bind)(void *arg), void *arg, char *why,
			      size_t why_bytes)
{
	struct cofl_memory_dso dso = {
		.needed = dynamic->needed, .n_needed = dynamic->n_needed,
		.dirs_tag = dynamic->dirs_tag, .first = (uintptr_t)bind_first,
	};
	struct cofl_memory_dso_name *names;
	bool opened = true;
	int fd;

	opening.bind = bind;
	opening.arg = arg;
	data_from = cofl_symbols_get(&host->symbols, "etext")->address;
	data_to = cofl_symbols_get(&host->symbols, "end")->address;
	cofl_rpath_init(dynamic, host->path);
	fd = open_tls(host, dynamic);
	dso.name = names = list_names(host, dynamic, false, &dso.n_names);
	if (dso.n_names != 0 || !all_there(dynamic)) {
		dso.dirs = cofl_rpath_dirs();
		keep_libraries(dynamic);
		opened = open_dso(&dso);
		if (!opened)
			snprintf(why, why_bytes, "%s", dlerror());
	}
	free(names);
	if (fd >= 0)
		close(fd);
	if (opened)
		bind_once();
	return opened;
}

/* -- Finding --------------------------------------------------------------- */

/* By its version. A library without any versions would match too, but it would
 * be searched next anyway. */
void *cofl_exported_names_own(const char *name)
{
	void *own = object != NULL ?
		    dlvsym(object, name, COFL_MEMORY_DSO_VERSION) : NULL;

	return own != NULL || tls_object == NULL ? own :
	       dlvsym(tls_object, name, COFL_MEMORY_DSO_VERSION);
}

uintptr_t cofl_exported_names_data(uint64_t *bytes)
{
	*bytes = data_to - data_from;
	return data_from;
}

bool cofl_exported_names_is_data(const void *address)
{
	return (uintptr_t)address >= data_from && (uintptr_t)address < data_to;
}

void *cofl_exported_names_base(void)
{
	struct link_map *map;

	return object != NULL && dlinfo(object, RTLD_DI_LINKMAP, &map) == 0 ?
	       (void *)map->l_addr : NULL;
}

void *cofl_exported_names_next(const char *name)
{
	void *address = dlsym(RTLD_DEFAULT, name);

	if (address == NULL || address != cofl_exported_names_own(name))
		return address;
	address = NULL;
	for (const char **library = libraries;
	     *library != NULL && address == NULL; library++) {
		void *handle = dlopen(*library, RTLD_LAZY | RTLD_NOLOAD);

		if (handle == NULL)
			continue;
		address = dlsym(handle, name);
		dlclose(handle);
	}
	return address;
}
