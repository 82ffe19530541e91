/*
 * image_tables.c - see image_tables.h
 */
#include "module/image_tables.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "compile/data.h"
#include "ir/ifunc.h"
#include "support/fatal.h"
#include "support/xcalloc.h"

static uint32_t add_name(struct cofl_image_tables *t, const char *name)
{
	size_t n = strlen(name) + 1, at = t->names.n;

	if (at + n > UINT32_MAX)
		cofl_fatal("its names take more than 4 GB");
	memcpy(cofl_list_add(&t->names, n), name, n);
	return (uint32_t)at;
}

static void add_pair(struct cofl_image_tables *t, struct cofl_list *to,
		     LLVMValueRef name, LLVMValueRef of)
{
	struct cofl_image_pair pair = { add_name(t, cofl_data_name(name)),
					add_name(t, cofl_data_name(of)) };

	memcpy(cofl_list_add(to, 1), &pair, sizeof(pair));
}

static void add_other_names(struct cofl_image_tables *t, LLVMModuleRef module)
{
	for (LLVMValueRef a = LLVMGetFirstGlobalAlias(module); a != NULL;
	     a = LLVMGetNextGlobalAlias(a))
		if (LLVMIsAFunction(LLVMAliasGetAliasee(a)))
			add_pair(t, &t->aliases, a, LLVMAliasGetAliasee(a));
	for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(module); i != NULL;
	     i = LLVMGetNextGlobalIFunc(i))
		add_pair(t, &t->ifuncs, i, cofl_ifunc_resolver(i));
}

/* Frees the list. */
static void add_names(struct cofl_image_tables *t, struct cofl_list *to,
		      char **list)
{
	for (char **name = list; *name != NULL; name++) {
		uint32_t at = add_name(t, *name);

		memcpy(cofl_list_add(to, 1), &at, sizeof(at));
		free(*name);
	}
	free(list);
}

static void pin(void *arg, uint32_t number)
{
	struct cofl_image_tables *t = arg;

	t->method[number].flags |= COFL_IMAGE_PINNED;
}

void cofl_image_tables(struct cofl_image_tables *t, struct cofl_copy *copy)
{
	char **starts, **ends;

	*t = (struct cofl_image_tables){
		.n_methods = copy->n_functions,
		.method = cofl_xcalloc(copy->n_functions, sizeof(*t->method)),
		.aliases.size = sizeof(struct cofl_image_pair),
		.ifuncs.size = sizeof(struct cofl_image_pair),
		.starts.size = sizeof(uint32_t),
		.ends.size = sizeof(uint32_t),
		.names.size = 1,
	};
	for (uint32_t i = 0; i < t->n_methods; i++) {
		LLVMValueRef f = copy->function[i];

		t->method[i].name = add_name(t, cofl_data_name(f));
		t->method[i].align = LLVMGetAlignment(f);
	}
	cofl_data_pin(copy, pin, t);
	add_other_names(t, copy->module);
	cofl_data_starts(copy->module, &starts, &ends);
	add_names(t, &t->starts, starts);
	add_names(t, &t->ends, ends);
	add_name(t, "");	/* an image has at least one */
}

void cofl_image_tables_free(struct cofl_image_tables *t)
{
	free(t->method);
	cofl_list_free(&t->aliases);
	cofl_list_free(&t->ifuncs);
	cofl_list_free(&t->starts);
	cofl_list_free(&t->ends);
	cofl_list_free(&t->names);
}

void cofl_image_tables_parts(const struct cofl_image_tables *t,
			     struct cofl_image_parts *parts)
{
	const struct cofl_list *list[] = {
		[COFL_IMAGE_ALIASES] = &t->aliases,
		[COFL_IMAGE_IFUNCS] = &t->ifuncs,
		[COFL_IMAGE_STARTS] = &t->starts,
		[COFL_IMAGE_ENDS] = &t->ends,
		[COFL_IMAGE_NAMES] = &t->names,
	};

	parts->part[COFL_IMAGE_METHODS] = t->method;
	parts->n[COFL_IMAGE_METHODS] = t->n_methods;
	for (int i = COFL_IMAGE_ALIASES; i <= COFL_IMAGE_NAMES; i++) {
		parts->part[i] = list[i]->at;
		parts->n[i] = list[i]->n;
	}
}
