/*
 * image_stream.c - the shared memory; see image_stream.h
 */
#include "image/image_stream.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/align.h"

static const char magic[8] = { 'c', 'o', 'f', 'd', 'l', 'v', '\r', '\n' };

struct cofl_image_stream_head {
	char             magic[8];
	uint32_t         n_methods;
	_Atomic uint32_t state;
	_Atomic uint64_t end;		/* of the pieces so far */
	struct {
		_Atomic uint32_t wanted;
		_Atomic uint32_t instructions;
	} method[];
};

#define ALIGN 64u	/* of lengths and of pieces, in memory */

static uint64_t align(uint64_t n)
{
	return cof_align_up(n, ALIGN);
}

static uint64_t first_piece(uint32_t n_methods)
{
	return align(sizeof(struct cofl_image_stream_head) +
		     (uint64_t)n_methods * sizeof(uint32_t[2]));
}

static bool map(struct cofl_image_stream *d, int fd, uint64_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_NORESERVE, fd, 0);

	if (p == MAP_FAILED)
		return false;
	d->head = p;
	d->bytes = bytes;
	return true;
}

/* Beyond this limit the kernel would send the program a signal. */
static bool is_allowed(uint64_t bytes)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
	       (limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur);
}

int cofl_image_stream_new(struct cofl_image_stream *d, uint32_t n_methods,
			  uint64_t room)
{
	uint64_t first = first_piece(n_methods), bytes = first + room;
	int fd;

	*d = (struct cofl_image_stream){ .at = first };
	if (!is_allowed(bytes))
		return -1;
	fd = memfd_create("cof-image", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0)
		return -1;
	/* Sealed: the other side cannot shrink what is mapped here. */
	if (ftruncate(fd, (off_t)bytes) != 0 ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) ||
	    !map(d, fd, bytes)) {
		close(fd);
		return -1;
	}
	memcpy(d->head->magic, magic, sizeof(magic));
	d->head->n_methods = n_methods;
	atomic_store_explicit(&d->head->end, first, memory_order_relaxed);
	return fd;
}

bool cofl_image_stream_open(struct cofl_image_stream *d, int fd)
{
	struct stat st;

	*d = (struct cofl_image_stream){ 0 };
	if (fcntl(fd, F_GET_SEALS) <= 0 || fstat(fd, &st) != 0 ||
	    (uint64_t)st.st_size < first_piece(0) ||
	    !map(d, fd, (uint64_t)st.st_size))
		return false;
	d->at = first_piece(d->head->n_methods);
	if (memcmp(d->head->magic, magic, sizeof(magic)) == 0 &&
	    d->at <= d->bytes)
		return true;
	cofl_image_stream_close(d);
	return false;
}

void cofl_image_stream_close(struct cofl_image_stream *d)
{
	if (d->head != NULL)
		munmap(d->head, d->bytes);
	*d = (struct cofl_image_stream){ 0 };
}

/* -- Words ----------------------------------------------------------------- */

void cofl_image_stream_want(struct cofl_image_stream *d, uint32_t method,
			    uint32_t much)
{
	atomic_store_explicit(&d->head->method[method].wanted, much,
			      memory_order_relaxed);
}

uint32_t cofl_image_stream_wanted(const struct cofl_image_stream *d,
				  uint32_t method)
{
	return method < d->head->n_methods ?
	       atomic_load_explicit(&d->head->method[method].wanted,
				    memory_order_relaxed) : 0;
}

void cofl_image_stream_announce(struct cofl_image_stream *d, uint32_t method,
			   uint32_t instructions)
{
	if (method < d->head->n_methods)
		atomic_store_explicit(&d->head->method[method].instructions,
				      instructions, memory_order_relaxed);
}

uint32_t cofl_image_stream_instructions(const struct cofl_image_stream *d,
					uint32_t method)
{
	return atomic_load_explicit(&d->head->method[method].instructions,
				    memory_order_relaxed);
}

void cofl_image_stream_enter(struct cofl_image_stream *d,
			     enum cofl_image_stream_state state)
{
	atomic_store_explicit(&d->head->state, state,
			      memory_order_release);	/* C */
}

enum cofl_image_stream_state
cofl_image_stream_state(const struct cofl_image_stream *d)
{
	return (enum cofl_image_stream_state)atomic_load_explicit(
		&d->head->state, memory_order_acquire);	/* D */
}

/* -- Pieces ---------------------------------------------------------------- */

bool cofl_image_stream_put(struct cofl_image_stream *d, const void *piece,
			   size_t n)
{
	uint64_t length = n;
	char *to;

	if (d->bytes - d->at < ALIGN ||
	    n > d->bytes - d->at - ALIGN || n > UINT64_MAX / 2)
		return false;
	to = (char *)d->head + d->at;
	memcpy(to, &length, sizeof(length));
	memcpy(to + ALIGN, piece, n);
	d->at += align(ALIGN + n);
	if (d->at > d->bytes)
		d->at = d->bytes;
	atomic_store_explicit(&d->head->end, d->at,
			      memory_order_release);	/* A */
	return true;
}

bool cofl_image_stream_next(struct cofl_image_stream *d, const void **piece,
			    size_t *n)
{
	uint64_t end = atomic_load_explicit(&d->head->end,
					    memory_order_acquire); /* B */
	const char *from = (const char *)d->head + d->at;
	uint64_t length;

	if (end > d->bytes || end < d->at || end - d->at < ALIGN)
		return false;
	memcpy(&length, from, sizeof(length));
	if (length == 0 || length > end - d->at - ALIGN)
		return false;
	*piece = from + ALIGN;
	*n = length;
	d->at += align(ALIGN + length);
	if (d->at > end)
		d->at = end;
	return true;
}
