/*
 * tls.c - one block a thread, from the image
 */
#include "tls.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "fatal.h"

extern void *__tls_get_addr(const struct cofl_tls_index *index);

static const void   *image;
static size_t        image_bytes, image_size, image_align = 16;
static pthread_key_t block_key;

/* Initial-exec: the fast path is two loads and an add. */
static _Thread_local char *block __attribute__((tls_model("initial-exec")));

/*
 * Key destructors run in rounds, and those of the program's keys may still ask
 * for its variables: the block goes in the last of the rounds POSIX promises.
 */
static _Thread_local unsigned rounds_left;

static void block_free(void *p)
{
	if (rounds_left-- > 1 && pthread_setspecific(block_key, p) == 0)
		return;
	block = NULL;
	free(p);
}

void cofl_tls_image(const void *bytes, size_t n_bytes, size_t size, size_t align)
{
	image = bytes;
	image_bytes = n_bytes;
	image_size = size;
	if (align > image_align)
		image_align = align;
	if (pthread_key_create(&block_key, block_free) != 0)
		cofl_fatal("no thread-specific keys left");
}

static char *block_make(void)
{
	size_t n = (image_size + image_align - 1) & ~(image_align - 1);
	char *p = aligned_alloc(image_align, n ? n : image_align);

	if (p == NULL)
		cofl_fatal("out of memory for thread-local variables");
	memcpy(p, image, image_bytes);
	memset(p + image_bytes, 0, image_size - image_bytes);
	rounds_left = PTHREAD_DESTRUCTOR_ITERATIONS;
	pthread_setspecific(block_key, p);
	return block = p;
}

void cofl_tls_thread_begin(void)
{
	if (image_size != 0 && block == NULL)
		block_make();
}

void *cofl_tls_get_addr(const struct cofl_tls_index *index)
{
	if (index->module != 0)
		return __tls_get_addr(index);
	return (block ? block : block_make()) + index->offset;
}

struct search {
	uintptr_t              address;	/* the calling thread's instance */
	struct cofl_tls_index *out;
};

/* Does this module's thread-local block, of this thread, hold the address? */
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
