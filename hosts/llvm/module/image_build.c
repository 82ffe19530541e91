/*
 * image_build.c - units of what is wanted most
 */
#include "module/image_build.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <llvm-c/Core.h>

#include "compile/build.h"
#include "ir/clone.h"
#include "ir/copy.h"
#include "compile/data.h"
#include "support/fatal.h"
#include "module/image_tables.h"
#include "ir/blockaddress.h"
#include "ir/list.h"
#include "ir/instruction.h"
#include "points/osr_image.h"
#include "points/osr_point.h"
#include "support/xcalloc.h"
#include "support/tuning.h"

#define STEP_MS 5u	/* between looks whether there is a wish */

struct making {
	LLVMMemoryBufferRef       bitcode;
	struct cofl_copy         *copy;
	uint32_t                  n_read;	/* instructions, in this copy */
	struct cofl_image_stream     *to;		/* NULL: to nobody */
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

/* -- Bodies ----------------------------------------------------------------- */

static bool open_copy(struct making *m)
{
	cofl_copy_dispose(m->copy);
	m->copy = cofl_copy_open(m->bitcode, m->why, m->why_bytes);
	m->n_read = 0;
	return m->copy != NULL;
}

/* Read a body, and what there is to know of it. */
static bool read_body(struct making *m, uint32_t i)
{
	LLVMValueRef f = m->copy->function[i];

	if (!cofl_copy_body(m->copy, i))
		return fail(m, m->copy->error);
	m->method[i].n_instructions = cofl_instruction_count(f);
	m->n_read += m->method[i].n_instructions;
	if (cofl_blockaddress_escapes(f))
		m->method[i].flags |= COFL_IMAGE_KEEPS_LABELS;
	return true;
}

/* -- Pieces ----------------------------------------------------------------- */

static bool add_object(struct making *m, LLVMMemoryBufferRef object)
{
	size_t n = LLVMGetBufferSize(object);
	size_t room = (n + COFL_IMAGE_ALIGN - 1) & ~(size_t)(COFL_IMAGE_ALIGN - 1);
	struct cofl_image_piece piece = {
		.at = (uint32_t)(m->objects.n / COFL_IMAGE_ALIGN),
		.bytes = (uint32_t)n,
	};
	char *to;

	if (n > UINT32_MAX || m->objects.n / COFL_IMAGE_ALIGN > UINT32_MAX)
		return fail(m, "its code takes more than 4 GB");
	to = cofl_list_add(&m->objects, room);
	memset(to, 0, room);
	memcpy(to, LLVMGetBufferStart(object), n);
	memcpy(cofl_list_add(&m->pieces, 1), &piece, sizeof(piece));
	return true;
}

/* The methods of `member`, by number, with points (osr/osr.h). */
static bool add_bodies(struct making *m, struct cofl_clone *unit,
		       const bool *member)
{
	cofl_osr_image_begin(unit, m->n_methods);
	for (uint32_t i = 0; i < m->n_methods; i++) {
		LLVMValueRef f = m->copy->function[i];

		if (!member[i]) {
			cofl_osr_image_none(unit, i);
			continue;
		}
		cofl_osr_image_method(unit, f, i);
		if (cofl_clone_function(unit, f, NULL,
				       LLVMExternalLinkage) == NULL)
			return fail(m, unit->why);
		cofl_osr_point_finish(unit);
	}
	cofl_osr_image_end(unit, m->n_methods);
	return true;
}

static LLVMMemoryBufferRef compile(struct making *m, struct cofl_clone *unit)
{
	if (unit->moves_stack)
		m->flags |= COFL_IMAGE_MOVES_STACK;
	if (*unit->why != '\0') {
		fail(m, unit->why);
		return NULL;
	}
	return cofl_build_object(m->copy, COFL_DEFAULT, unit->module, m->why,
				 m->why_bytes);
}

static bool make_code(struct making *m, const bool *member)
{
	LLVMMemoryBufferRef object = NULL;
	struct cofl_clone unit;
	bool made;

	cofl_clone_init(&unit, m->copy, "image");
	if (add_bodies(m, &unit, member))
		object = compile(m, &unit);
	cofl_clone_dispose(&unit);
	if (object == NULL)
		return false;
	made = add_object(m, object);
	if (made && m->to != NULL &&
	    !cofl_image_stream_put(m->to, LLVMGetBufferStart(object),
			       LLVMGetBufferSize(object)))
		m->to = NULL;	/* the program waits for all of it */
	LLVMDisposeMemoryBuffer(object);
	return made;
}

/* -- What comes next -------------------------------------------------------- */

struct wish {
	uint32_t wanted, number;
};

static int by_wish(const void *a, const void *b)
{
	const struct wish *x = a, *y = b;

	if (x->wanted != y->wanted)
		return x->wanted > y->wanted ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static uint32_t list_wishes(const struct making *m, struct wish *wish)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < m->n_methods; i++)
		if (!m->done[i])
			wish[n++] = (struct wish){
				m->to ? cofl_image_stream_wanted(m->to, i) : 0, i };
	qsort(wish, n, sizeof(*wish), by_wish);
	return n;
}

/* Choose the members of a piece, read and marked as done. Methods that keep
 * labels are left to the first piece, so *used may be 0. */
static bool choose(struct making *m, const struct wish *wish, uint32_t n,
		   bool *member, uint32_t *used)
{
	/* If somebody waits, as little as is worth a piece: it is to be there
	 * soon, and another may be wanted more. More later, when it matters
	 * less, so that an image is not of hundreds. */
	uint32_t room = m->to == NULL ? COFL_TUNE(piece_most) :
			COFL_TUNE(piece_least) +
			m->n_done / COFL_TUNE(piece_grows_part);

	*used = 0;
	for (uint32_t k = 0; k < n && *used < room; k++) {
		uint32_t i = wish[k].number;

		if (k > 0 && wish->wanted > 0 && wish[k].wanted == 0)
			break;
		if (!read_body(m, i))
			return false;
		m->done[i] = true;
		if (m->method[i].flags != 0)
			continue;
		member[i] = true;
		*used += m->method[i].n_instructions;
		if (m->to != NULL)
			cofl_image_stream_say(m->to, i,
					  m->method[i].n_instructions);
	}
	m->n_done += *used;
	return true;
}

/* Nothing is wanted by now? Then for a moment more: the program begins. */
static void wait_for_wishes(struct making *m)
{
	for (uint32_t i = 0; i < COFL_TUNE(piece_wish_ms) / STEP_MS; i++) {
		for (uint32_t k = 0; k < m->n_methods; k++)
			if (cofl_image_stream_wanted(m->to, k) > 0)
				return;
		nanosleep(&(struct timespec){ .tv_nsec = STEP_MS * 1000000 },
			  NULL);
	}
}

static bool make_pieces(struct making *m)
{
	struct wish *wish = cofl_xcalloc(m->n_methods, sizeof(*wish));
	bool *member = cofl_xcalloc(m->n_methods, sizeof(*member));
	bool made = true;
	uint32_t n, used = 0;

	if (m->to != NULL)
		wait_for_wishes(m);
	while (made && (n = list_wishes(m, wish)) > 0) {
		memset(member, 0, m->n_methods);
		/* Opened anew it gives back what bodies take. */
		made = (m->n_read <= COFL_TUNE(piece_copy_most) ||
			open_copy(m)) &&
		       choose(m, wish, n, member, &used) &&
		       (used == 0 || make_code(m, member));
	}
	free(wish);
	free(member);
	return made;
}

/* -- The first piece -------------------------------------------------------- */

/* Variables, and bodies whose labels may stand in them, or be kept. */
static LLVMMemoryBufferRef make_first(struct making *m)
{
	bool *member = cofl_xcalloc(m->n_methods, sizeof(*member));
	LLVMMemoryBufferRef object = NULL;
	struct cofl_clone unit;
	bool read = open_copy(m);

	for (uint32_t i = 0; i < m->n_methods && read; i++) {
		member[i] = m->method[i].flags != 0;
		read = !member[i] || read_body(m, i);
	}
	if (read) {
		cofl_clone_init(&unit, m->copy, "data");
		unit.defines_tables = true;
		if (add_bodies(m, &unit, member)) {
			if (cofl_data_define(&unit))
				m->flags |= COFL_IMAGE_ASSEMBLY;
			object = compile(m, &unit);
		}
		cofl_clone_dispose(&unit);
	}
	free(member);
	return object;
}

/* It is compiled last, for nobody waits for it, and comes first. */
static bool make_objects(struct making *m)
{
	struct cofl_list pieces, objects;
	struct cofl_image_piece *piece;
	LLVMMemoryBufferRef first;
	bool made;

	cofl_image_tables(&m->tables, m->copy);
	m->n_methods = m->tables.n_methods;
	m->method = m->tables.method;
	m->done = cofl_xcalloc(m->n_methods, sizeof(*m->done));
	if (!make_pieces(m))
		return false;
	if (m->to != NULL)
		cofl_image_stream_enter(m->to, COFL_IMAGE_STREAM_ENDED);
	first = make_first(m);
	if (first == NULL)
		return false;
	pieces = m->pieces;
	objects = m->objects;
	m->pieces = (struct cofl_list){ .size = pieces.size };
	m->objects = (struct cofl_list){ .size = objects.size };
	made = add_object(m, first);
	LLVMDisposeMemoryBuffer(first);
	piece = (struct cofl_image_piece *)pieces.at;
	for (size_t i = 0; i < pieces.n && made; i++)
		piece[i].at += (uint32_t)(m->objects.n / COFL_IMAGE_ALIGN);
	if (made && pieces.n > 0) {
		memcpy(cofl_list_add(&m->pieces, pieces.n), pieces.at,
		       pieces.n * pieces.size);
		memcpy(cofl_list_add(&m->objects, objects.n), objects.at, objects.n);
	}
	cofl_list_free(&pieces);
	cofl_list_free(&objects);
	return made;
}

static void *put_together(const struct making *m,
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
		       struct cofl_image_stream *to, size_t *n_image, char *why,
		       size_t why_bytes)
{
	struct making m = {
		.bitcode = LLVMCreateMemoryBufferWithMemoryRange(
			bytes, n_bytes, "", 0),
		.to = to, .why = why, .why_bytes = why_bytes,
		.pieces.size = sizeof(struct cofl_image_piece),
		.objects.size = 1,
	};
	void *image = NULL;

	if (open_copy(&m) && make_objects(&m)) {
		image = put_together(&m, key, n_image);
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
