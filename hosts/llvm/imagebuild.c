/*
 * imagebuild.c - a unit with everything, and the tables beside it
 */
#include "imagebuild.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "build.h"
#include "clone.h"
#include "copy.h"
#include "data.h"
#include "fatal.h"
#include "label.h"
#include "llvm.h"
#include "osr.h"

/* A growing list of elements of one size. */
struct list {
	char  *at;
	size_t n, room, size;
};

static void *list_add(struct list *list, size_t n)
{
	void *to;

	if (list->n + n > list->room) {
		while (list->n + n > list->room)
			list->room = list->room ? 2 * list->room : 64;
		list->at = realloc(list->at, list->room * list->size);
		if (list->at == NULL)
			cofl_fatal("out of memory");
	}
	to = list->at + list->n * list->size;
	list->n += n;
	return to;
}

struct making {
	struct cofl_copy *copy;
	struct cofl_unit  unit;
	uint32_t          flags;
	struct list       methods, aliases, ifuncs, starts, ends, names;
};

static uint32_t add_name(struct making *m, const char *name)
{
	size_t n = strlen(name) + 1, at = m->names.n;

	if (at + n > UINT32_MAX)
		cofl_fatal("its names take more than 4 GB");
	memcpy(list_add(&m->names, n), name, n);
	return (uint32_t)at;
}

static const char *name_of(LLVMValueRef v)
{
	return LLVMGetValueName2(v, &(size_t){ 0 });
}

static bool add_method(struct making *m, uint32_t i, char *why, size_t why_bytes)
{
	LLVMValueRef f = m->copy->function[i];
	struct cofl_image_method *to;

	if (!cofl_copy_body(m->copy, i)) {
		snprintf(why, why_bytes, "%s", m->copy->error);
		return false;
	}
	to = list_add(&m->methods, 1);
	*to = (struct cofl_image_method){
		.name = add_name(m, name_of(f)),
		.n_instructions = cofl_build_count(f),
		.flags = cofl_label_escapes(f) ? COFL_IMAGE_KEEPS_LABELS : 0,
	};
	cofl_osr_image_method(&m->unit, f, i);
	if (cofl_unit_function(&m->unit, f, NULL, LLVMExternalLinkage) != NULL) {
		cofl_osr_finish(&m->unit);
		return true;
	}
	snprintf(why, why_bytes, "%s", m->unit.why);
	return false;
}

static void add_pair(struct making *m, struct list *to, LLVMValueRef name,
		     LLVMValueRef of)
{
	struct cofl_image_pair pair = { add_name(m, name_of(name)),
					add_name(m, name_of(of)) };

	memcpy(list_add(to, 1), &pair, sizeof(pair));
}

static void add_other_names(struct making *m)
{
	LLVMModuleRef module = m->copy->module;

	for (LLVMValueRef a = LLVMGetFirstGlobalAlias(module); a != NULL;
	     a = LLVMGetNextGlobalAlias(a))
		if (LLVMIsAFunction(LLVMAliasGetAliasee(a)))
			add_pair(m, &m->aliases, a, LLVMAliasGetAliasee(a));
	for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(module); i != NULL;
	     i = LLVMGetNextGlobalIFunc(i))
		add_pair(m, &m->ifuncs, i, cofl_llvm_resolver(i));
}

/* Takes the list apart. */
static void add_names(struct making *m, struct list *to, char **list)
{
	for (char **name = list; *name != NULL; name++) {
		uint32_t at = add_name(m, *name);

		memcpy(list_add(to, 1), &at, sizeof(at));
		free(*name);
	}
	free(list);
}

static void pin(void *arg, uint32_t number)
{
	struct making *m = arg;

	((struct cofl_image_method *)m->methods.at)[number].flags |=
		COFL_IMAGE_PINNED;
}

static LLVMMemoryBufferRef make_object(struct making *m, char *why,
				       size_t why_bytes)
{
	char **starts, **ends;

	m->unit.defines_tables = true;
	cofl_osr_image_begin(&m->unit, m->copy->n_functions);
	for (uint32_t i = 0; i < m->copy->n_functions; i++)
		if (!add_method(m, i, why, why_bytes))
			return NULL;
	cofl_osr_image_end(&m->unit, m->copy->n_functions);
	cofl_data_pin(m->copy, pin, m);
	add_other_names(m);
	cofl_data_starts(m->copy->module, &starts, &ends);
	add_names(m, &m->starts, starts);
	add_names(m, &m->ends, ends);
	add_name(m, "");	/* an image has at least one */
	if (cofl_data_define(&m->unit))
		m->flags |= COFL_IMAGE_ASSEMBLY;
	if (m->unit.moves_stack)
		m->flags |= COFL_IMAGE_MOVES_STACK;
	if (*m->unit.why != '\0') {
		snprintf(why, why_bytes, "%s", m->unit.why);
		return NULL;
	}
	return cofl_build_object(m->copy, COFL_DEFAULT, m->unit.module, why,
				 why_bytes);
}

static void *put_together(const struct making *m, LLVMMemoryBufferRef object,
			  const uint8_t key[COFL_HASH_BYTES], size_t *n_image)
{
	struct cofl_image_parts parts = { .flags = m->flags };
	const struct list *lists[] = { &m->methods, &m->aliases, &m->ifuncs,
				       &m->starts, &m->ends, &m->names };

	for (int i = 0; i < COFL_IMAGE_OBJECT; i++) {
		parts.part[i] = lists[i]->at;
		parts.n[i] = lists[i]->n;
	}
	parts.part[COFL_IMAGE_OBJECT] = LLVMGetBufferStart(object);
	parts.n[COFL_IMAGE_OBJECT] = LLVMGetBufferSize(object);
	return cofl_image_make(&parts, key, n_image);
}

void *cofl_image_build(const void *bytes, size_t n_bytes,
		       const uint8_t key[COFL_HASH_BYTES], size_t *n_image,
		       char *why, size_t why_bytes)
{
	struct making m = {
		.methods.size = sizeof(struct cofl_image_method),
		.aliases.size = sizeof(struct cofl_image_pair),
		.ifuncs.size = sizeof(struct cofl_image_pair),
		.starts.size = sizeof(uint32_t), .ends.size = sizeof(uint32_t),
		.names.size = 1,
	};
	LLVMMemoryBufferRef bitcode, object;
	void *image = NULL;

	bitcode = LLVMCreateMemoryBufferWithMemoryRange(bytes, n_bytes, "", 0);
	m.copy = cofl_copy_open(bitcode, why, why_bytes);
	if (m.copy != NULL) {
		cofl_unit_init(&m.unit, m.copy, "image");
		object = make_object(&m, why, why_bytes);
		if (object != NULL) {
			image = put_together(&m, object, key, n_image);
			if (image == NULL)
				snprintf(why, why_bytes, "out of memory");
			LLVMDisposeMemoryBuffer(object);
		}
		cofl_unit_dispose(&m.unit);
		cofl_copy_dispose(m.copy);
	}
	LLVMDisposeMemoryBuffer(bitcode);
	free(m.methods.at);
	free(m.aliases.at);
	free(m.ifuncs.at);
	free(m.starts.at);
	free(m.ends.at);
	free(m.names.at);
	return image;
}
