/*
 * image_build.c - see image_build.h
 */
#include "module/image_build.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <llvm-c/Core.h>

#include "compile/build.h"
#include "compile/data.h"
#include "ir/blockaddress.h"
#include "ir/copy.h"
#include "ir/instruction.h"
#include "ir/list.h"
#include "module/image_tables.h"
#include "points/osr_image.h"
#include "points/osr_point.h"
#include "support/tuning.h"
#include "support/xcalloc.h"

#define STEP_MS 5u	/* between looks whether a method is wanted */

struct making {
	LLVMMemoryBufferRef       bitcode;
	struct cofl_copy         *copy;
	uint32_t                  n_read;	/* instructions, in this copy */
	struct cofl_image_stream *stream;	/* NULL: no program waits */
	uint32_t                  flags;
	uint32_t                  n_methods;
	struct cofl_image_tables  tables;
	struct cofl_image_method *method;	/* of the tables */
	bool                     *done;		/* by number */
	uint32_t                  n_done;	/* instructions */
	struct cofl_list          pieces, objects;
	char                     *why;
	size_t                    why_bytes;
};

static bool fail(struct making *m, const char *why)
{
	snprintf(m->why, m->why_bytes, "%s", why);
	return false;
}

static bool open_copy(struct making *m)
{
	cofl_copy_dispose(m->copy);
	m->copy = cofl_copy_open(m->bitcode, NULL, m->why, m->why_bytes);
	m->n_read = 0;
	return m->copy != NULL;
}

/* Read a body, and note its size and flags. */
static bool read_body(struct making *m, uint32_t i)
{
	LLVMValueRef f = m->copy->function[i];

	if (!cofl_copy_body(m->copy, i))
		return fail(m, m->copy->error);
	m->method[i].n_instructions = cofl_instruction_count(f);
	m->n_read += m->method[i].n_instructions;
	if (cofl_blockaddress_escapes(f))
		m->method[i].flags |= COFL_IMAGE_KEEPS_BLOCKADDRESSES;
	return true;
}

/* -- Pieces ---------------------------------------------------------------- */

/* Add the object of a piece. */
static bool add_object(struct making *m, size_t piece,
		       LLVMMemoryBufferRef object)
{
	size_t n = LLVMGetBufferSize(object);
	size_t room = (n + COFL_IMAGE_ALIGN - 1) / COFL_IMAGE_ALIGN *
		      COFL_IMAGE_ALIGN;
	size_t at = m->objects.n / COFL_IMAGE_ALIGN;
	char *to;

	if (n > UINT32_MAX || at > UINT32_MAX)
		return fail(m, "its code takes more than 4 GB");
	((struct cofl_image_piece *)m->pieces.at)[piece] =
		(struct cofl_image_piece){ (uint32_t)at, (uint32_t)n };
	to = cofl_list_add(&m->objects, room);
	memset(to, 0, room);
	memcpy(to, LLVMGetBufferStart(object), n);
	return true;
}

/* Add the bodies of `member`, by number, with points. */
static bool add_bodies(struct making *m, struct cofl_clone *unit,
		       const bool *member)
{
	cofl_osr_image_begin(unit, m->n_methods);
	for (uint32_t i = 0; i < m->n_methods; i++) {
		LLVMValueRef f = m->copy->function[i];

		cofl_osr_image_method(unit, member[i] ? f : NULL, i);
		if (!member[i])
			continue;
		if (cofl_clone_function(unit, f, NULL,
					LLVMExternalLinkage) == NULL)
			return fail(m, unit->why);
		cofl_osr_point_finish(unit);
	}
	cofl_osr_image_end(unit, m->n_methods);
	return true;
}

/* Compile the bodies of `member`; with `data` the variables as well. */
static LLVMMemoryBufferRef compile(struct making *m, const bool *member,
				   bool data)
{
	LLVMMemoryBufferRef object = NULL;
	struct cofl_clone unit;

	cofl_clone_init(&unit, m->copy, data ? "data" : "image");
	unit.defines_tables = data;
	if (add_bodies(m, &unit, member)) {
		if (data && cofl_data_define(&unit))
			m->flags |= COFL_IMAGE_ASSEMBLY;
		if (unit.moves_stack)
			m->flags |= COFL_IMAGE_MOVES_STACK;
		if (*unit.why != '\0')
			fail(m, unit.why);
		else
			object = cofl_build_object(m->copy, COFL_DEFAULT,
						   unit.module, m->why,
						   m->why_bytes);
	}
	cofl_clone_dispose(&unit);
	return object;
}

static bool make_code(struct making *m, const bool *member)
{
	LLVMMemoryBufferRef object = compile(m, member, false);
	bool made;

	if (object == NULL)
		return false;
	cofl_list_add(&m->pieces, 1);
	made = add_object(m, m->pieces.n - 1, object);
	if (made && m->stream != NULL &&
	    !cofl_image_stream_put(m->stream, LLVMGetBufferStart(object),
				   LLVMGetBufferSize(object)))
		m->stream = NULL;	/* the program waits for the image */
	LLVMDisposeMemoryBuffer(object);
	return made;
}

/* -- What comes next ------------------------------------------------------- */

struct candidate {
	uint32_t wanted, number;
};

static int by_wanted(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->wanted != y->wanted)
		return x->wanted > y->wanted ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* List methods that are not done, those wanted most first. */
static uint32_t list_candidates(const struct making *m, struct candidate *list)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < m->n_methods; i++)
		if (!m->done[i])
			list[n++] = (struct candidate){
				m->stream ?
				cofl_image_stream_wanted(m->stream, i) : 0, i };
	qsort(list, n, sizeof(*list), by_wanted);
	return n;
}

/* Choose the members of a piece, and read them. Methods with flags are left to
 * the first piece, so *used, in instructions, may be 0. */
static bool choose(struct making *m, const struct candidate *list, uint32_t n,
		   bool *member, uint32_t *used)
{
	/* If a program waits, as little as is worth a piece: it comes soon, and
	 * others may be wanted more by then. Later pieces are larger, so that
	 * an image does not have hundreds. */
	uint32_t most = m->stream == NULL ? COFL_TUNE(piece_most) :
			COFL_TUNE(piece_least) +
			m->n_done / COFL_TUNE(piece_grows_part);

	*used = 0;
	for (uint32_t k = 0; k < n && *used < most; k++) {
		uint32_t i = list[k].number;

		if (list->wanted > 0 && list[k].wanted == 0)
			break;
		if (!read_body(m, i))
			return false;
		m->done[i] = true;
		if (m->method[i].flags != 0)
			continue;
		member[i] = true;
		*used += m->method[i].n_instructions;
		if (m->stream != NULL)
			cofl_image_stream_announce(m->stream, i,
					      m->method[i].n_instructions);
	}
	m->n_done += *used;
	return true;
}

/* Wait a moment until a method is wanted: the program is just beginning. */
static void wait_until_wanted(struct making *m)
{
	for (uint32_t i = 0; i < COFL_TUNE(piece_wait_ms) / STEP_MS; i++) {
		for (uint32_t k = 0; k < m->n_methods; k++)
			if (cofl_image_stream_wanted(m->stream, k) > 0)
				return;
		nanosleep(&(struct timespec){ .tv_nsec = STEP_MS * 1000000 },
			  NULL);
	}
}

static bool make_pieces(struct making *m)
{
	struct candidate *list = cofl_xcalloc(m->n_methods, sizeof(*list));
	bool *member = cofl_xcalloc(m->n_methods, sizeof(*member));
	bool made = true;
	uint32_t n, used;

	if (m->stream != NULL)
		wait_until_wanted(m);
	while (made && (n = list_candidates(m, list)) > 0) {
		memset(member, 0, m->n_methods);
		/* Opening the copy again frees the bodies it has read. */
		made = (m->n_read <= COFL_TUNE(piece_copy_most) ||
			open_copy(m)) &&
		       choose(m, list, n, member, &used) &&
		       (used == 0 || make_code(m, member));
	}
	free(list);
	free(member);
	return made;
}

/* -- The first piece ------------------------------------------------------- */

/* Variables, and the bodies whose blockaddresses may be in them. */
static bool make_first(struct making *m)
{
	bool *member = cofl_xcalloc(m->n_methods, sizeof(*member));
	LLVMMemoryBufferRef object = NULL;
	bool made = open_copy(m);

	for (uint32_t i = 0; i < m->n_methods && made; i++) {
		member[i] = m->method[i].flags != 0;
		made = !member[i] || read_body(m, i);
	}
	if (made)
		object = compile(m, member, true);
	made = object != NULL && add_object(m, 0, object);
	if (object != NULL)
		LLVMDisposeMemoryBuffer(object);
	free(member);
	return made;
}

/* The first piece is compiled last, since no program waits for it. */
static bool make_objects(struct making *m)
{
	cofl_image_tables(&m->tables, m->copy);
	m->n_methods = m->tables.n_methods;
	m->method = m->tables.method;
	m->done = cofl_xcalloc(m->n_methods, sizeof(*m->done));
	cofl_list_add(&m->pieces, 1);
	if (!make_pieces(m))
		return false;
	if (m->stream != NULL)
		cofl_image_stream_enter(m->stream, COFL_IMAGE_STREAM_ENDED);
	return make_first(m);
}

static void *image_of(const struct making *m,
		      const uint8_t key[COFL_HASH_BYTES], size_t *n_image)
{
	struct cofl_image_parts parts = {
		.flags = m->flags,
		.part = { [COFL_IMAGE_PIECES] = m->pieces.at,
			  [COFL_IMAGE_OBJECTS] = m->objects.at },
		.n = { [COFL_IMAGE_PIECES] = m->pieces.n,
		       [COFL_IMAGE_OBJECTS] = m->objects.n },
	};

	cofl_image_tables_parts(&m->tables, &parts);
	return cofl_image_make(&parts, key, n_image);
}

void *cofl_image_build(const void *bytes, size_t n_bytes,
		       const uint8_t key[COFL_HASH_BYTES],
		       struct cofl_image_stream *stream, size_t *n_image,
		       char *why, size_t why_bytes)
{
	struct making m = {
		.bitcode = LLVMCreateMemoryBufferWithMemoryRange(
			bytes, n_bytes, "", 0),
		.stream = stream, .why = why, .why_bytes = why_bytes,
		.pieces.size = sizeof(struct cofl_image_piece),
		.objects.size = 1,
	};
	void *image = NULL;

	if (open_copy(&m) && make_objects(&m)) {
		image = image_of(&m, key, n_image);
		if (image == NULL)
			fail(&m, "out of memory");
	}
	cofl_copy_dispose(m.copy);
	LLVMDisposeMemoryBuffer(m.bitcode);
	cofl_image_tables_free(&m.tables);
	free(m.done);
	cofl_list_free(&m.pieces);
	cofl_list_free(&m.objects);
	return image;
}
