/*
 * tls.c - the room in each thread, or one block a thread; see tls.h
 */
#include "link/tls.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/fatal.h"
#include "support/memory_reserve.h"

extern void *__tls_get_addr(const struct cofl_tls_index *index);

static const void   *image;
static size_t        image_bytes, image_size, image_align = 16;
static pthread_key_t block_key;

/* Not zero: for zeros the dynamic linker has no bytes to copy from. */
static _Thread_local _Alignas(COFL_TLS_ALIGN) char room[COFL_TLS_ROOM]
	__attribute__((tls_model("initial-exec"))) = { 1 };
static bool in_room;

/* Initial-exec: the fast path is two loads and an add. */
static _Thread_local char *block __attribute__((tls_model("initial-exec")));
static _Thread_local void *mapping;	/* contains the block */

/* Enough to align the block. */
static size_t mapping_bytes(void)
{
	return image_size + image_align;
}

/*
 * Key destructors run in rounds, and those of the program's keys may still use
 * its variables. So the block is freed in the last of the rounds that POSIX
 * promises.
 */
static _Thread_local unsigned rounds_left;

static void block_free(void *p)
{
	if (rounds_left-- > 1 && pthread_setspecific(block_key, p) == 0)
		return;
	block = NULL;
	munmap(mapping, mapping_bytes());
}

intptr_t cofl_tls_distance(void)
{
	return room - (char *)__builtin_thread_pointer();
}

static void fill(char *to)
{
	memcpy(to, image, image_bytes);
	memset(to + image_bytes, 0, image_size - image_bytes);
}

/* Find the bytes that the dynamic linker copies into `room` in a new thread. */
static int find_room(struct dl_phdr_info *info, size_t size, void *found)
{
	uintptr_t start = (uintptr_t)info->dlpi_tls_data;

	(void)size;
	for (int i = 0; start != 0 && i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type != PT_TLS || (uintptr_t)room < start ||
		    (uintptr_t)room - start + sizeof(room) > p->p_filesz)
			continue;
		*(char **)found = (char *)info->dlpi_addr + p->p_vaddr +
				  ((uintptr_t)room - start);
		return 1;
	}
	return 0;
}

/* These bytes are on pages that are read-only after relocation. */
static void fill_room(void)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from, n;
	char *at = NULL;

	dl_iterate_phdr(find_room, &at);
	from = (uintptr_t)at & ~(page - 1);
	n = ((uintptr_t)at + sizeof(room) + page - 1 - from) & ~(page - 1);
	if (at == NULL ||
	    mprotect((void *)from, n, PROT_READ | PROT_WRITE) != 0)
		cofl_fatal("no place for thread-local variables");
	fill(at);
	mprotect((void *)from, n, PROT_READ);
	fill(room);
}

bool cofl_tls_in_room(void)
{
	return in_room;
}

void cofl_tls_measured(size_t size, size_t align)
{
	image_size = size;
	if (align > image_align)
		image_align = align;
	in_room = cofl_tls_fits(size, align);
	if (!in_room && pthread_key_create(&block_key, block_free) != 0)
		cofl_fatal("no thread-specific keys left");
}

void cofl_tls_image(const void *bytes, size_t n_bytes)
{
	image = bytes;
	image_bytes = n_bytes;
	if (in_room && image_size != 0)
		fill_room();
}

/* Not by malloc(3): it may be the program's, and use such variables itself. */
static char *block_make(void)
{
	do
		mapping = mmap(NULL, mapping_bytes(), PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	while (mapping == MAP_FAILED && cofl_memory_reserve_release());
	if (mapping == MAP_FAILED)
		cofl_fatal("out of memory for thread-local variables");
	block = (char *)(((uintptr_t)mapping + image_align - 1) &
			 ~(uintptr_t)(image_align - 1));
	fill(block);
	rounds_left = PTHREAD_DESTRUCTOR_ITERATIONS;
	pthread_setspecific(block_key, block);
	return block;
}

void cofl_tls_thread_begin(void)
{
	if (!in_room && image_size != 0 && block == NULL)
		block_make();
}

void *cofl_tls_get_addr(const struct cofl_tls_index *index)
{
	if (index->module != 0)
		return __tls_get_addr(index);
	if (in_room)
		return room + index->offset;
	return (block ? block : block_make()) + index->offset;
}

struct search {
	uintptr_t              address;	/* the calling thread's instance */
	struct cofl_tls_index *out;
};

/* Does this thread's block of this module contain the address? */
static int search_module(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct search *s = arg;
	uintptr_t start = (uintptr_t)info->dlpi_tls_data;

	(void)size;
	if (start == 0)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		if (info->dlpi_phdr[i].p_type != PT_TLS ||
		    s->address - start >= info->dlpi_phdr[i].p_memsz)
			continue;
		s->out->module = info->dlpi_tls_modid;
		s->out->offset = s->address - start;
		return 1;
	}
	return 0;
}

int cofl_tls_of_process(const char *name, struct cofl_tls_index *out)
{
	struct search s = { (uintptr_t)dlsym(RTLD_DEFAULT, name), out };

	return s.address != 0 && dl_iterate_phdr(search_module, &s) ? 0 : -1;
}
