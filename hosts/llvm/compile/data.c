/*
 * data.c - see data.h
 */
#include "compile/data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/build.h"
#include "image/program_load.h"
#include "ir/blockaddress.h"
#include "ir/clone.h"
#include "ir/copy.h"
#include "ir/list.h"
#include "support/startup.h"
#include "support/xcalloc.h"

const char *cofl_data_name(LLVMValueRef v)
{
	return LLVMGetValueName2(v, &(size_t){ 0 });
}

static bool is_llvms(LLVMValueRef g)
{
	return strncmp(cofl_data_name(g), "llvm.", 5) == 0;
}

static bool is_variable(LLVMValueRef g)
{
	return !LLVMIsDeclaration(g) && !is_llvms(g) &&
	       LLVMGetLinkage(g) != LLVMAvailableExternallyLinkage;
}

/*
 * A variable table of blockaddresses exists once, so the body that it points
 * into may exist only once: that method is pinned. A constant table is copied
 * with each body (ir/clone.c).
 */
void cofl_data_pin(const struct cofl_copy *copy, cofl_data_pin_fn *pin,
		   void *arg)
{
	for (LLVMValueRef g = LLVMGetFirstGlobal(copy->module); g != NULL;
	     g = LLVMGetNextGlobal(g)) {
		LLVMValueRef f;
		int64_t number;

		if (!is_variable(g) || LLVMIsGlobalConstant(g))
			continue;
		f = cofl_blockaddress_owner(LLVMGetInitializer(g));
		number = f ? cofl_copy_number(copy, f) : -1;
		if (number >= 0)
			pin(arg, (uint32_t)number);
	}
}

static void pin_method(void *arg, uint32_t number)
{
	struct cofl *host = arg;

	host->method[number].pinned = true;
}

/* Add bodies of pinned methods, with their tables. */
static int add_pinned_bodies(struct cofl *host, struct cofl_clone *unit)
{
	struct cofl_copy *copy = host->copy;

	for (uint32_t i = 0; i < host->n_methods; i++) {
		char body[512];

		if (!host->method[i].pinned)
			continue;
		snprintf(body, sizeof(body), "%s.pinned", host->method[i].name);
		if (!cofl_copy_body(copy, i) ||
		    cofl_clone_function(unit, copy->function[i], body,
					LLVMExternalLinkage) == NULL)
			return -COF_E_INVAL;
	}
	return 0;
}

/* A constructor or destructor. */
struct start {
	uint64_t priority;
	size_t   place;
	char    *name;
};

static int by_priority(const void *a, const void *b)
{
	const struct start *x = a, *y = b;

	if (x->priority != y->priority)
		return x->priority < y->priority ? -1 : 1;
	return x->place < y->place ? -1 : 1;
}

static void add_start(struct cofl_list *to, uint64_t priority, LLVMValueRef f)
{
	struct start start = { priority, to->n, NULL };

	if (LLVMIsAGlobalAlias(f))
		f = LLVMAliasGetAliasee(f);
	if (!LLVMIsAFunction(f))
		return;
	start.name = cofl_xcalloc_dup(cofl_data_name(f));
	memcpy(cofl_list_add(to, 1), &start, sizeof(start));
}

/* An entry without a number comes after all that have one. */
#define PRIORITY_LAST 65535u

/*
 * Functions, or arrays of them, that the program itself put into `section`. The
 * number in "SECTION.NUMBER" is their priority.
 */
static void add_section(struct cofl_list *to, LLVMModuleRef module,
			const char *section)
{
	size_t n = strlen(section);

	for (LLVMValueRef g = LLVMGetFirstGlobal(module); g != NULL;
	     g = LLVMGetNextGlobal(g)) {
		const char *at = LLVMGetSection(g);
		LLVMValueRef value = LLVMGetInitializer(g);
		uint64_t priority = PRIORITY_LAST;

		if (value == NULL || at == NULL || !is_variable(g) ||
		    strncmp(at, section, n) != 0 ||
		    (at[n] != '\0' && at[n] != '.'))
			continue;
		if (at[n] == '.')
			priority = strtoull(at + n + 1, NULL, 10);
		if (!LLVMIsAConstantArray(value)) {
			add_start(to, priority, value);
			continue;
		}
		for (int i = 0, all = LLVMGetNumOperands(value); i < all; i++)
			add_start(to, priority,
				  LLVMGetOperand(value, (unsigned)i));
	}
}

/* llvm.global_ctors or _dtors: { priority, function, associated data } each. */
static void add_list(struct cofl_list *to, LLVMModuleRef module,
		     const char *global)
{
	LLVMValueRef g = LLVMGetNamedGlobal(module, global);
	LLVMValueRef list = g ? LLVMGetInitializer(g) : NULL;

	if (list == NULL || !LLVMIsAConstantArray(list))
		return;
	for (int i = 0, n = LLVMGetNumOperands(list); i < n; i++) {
		LLVMValueRef entry = LLVMGetOperand(list, (unsigned)i);

		add_start(to,
			  LLVMConstIntGetZExtValue(LLVMGetOperand(entry, 0)),
			  LLVMGetOperand(entry, 1));
	}
}

/* Names by priority, but for the first `early`; NULL at the end. Frees the
 * list. */
static char **names_of(struct cofl_list *list, size_t early)
{
	struct start *start = (void *)list->at;
	char **names = cofl_xcalloc(list->n + 1, sizeof(*names));

	if (list->n > early)
		qsort(start + early, list->n - early, sizeof(*start),
		      by_priority);
	for (size_t i = 0; i < list->n; i++)
		names[i] = start[i].name;
	cofl_list_free(list);
	return names;
}

void cofl_data_starts(LLVMModuleRef module, char ***start_list,
		      char ***end_list)
{
	struct cofl_list list = { .size = sizeof(struct start) };
	size_t early;

	add_section(&list, module, ".preinit_array");
	early = list.n;
	add_section(&list, module, ".init_array");
	add_list(&list, module, "llvm.global_ctors");
	*start_list = names_of(&list, early);
	add_section(&list, module, ".fini_array");
	add_list(&list, module, "llvm.global_dtors");
	*end_list = names_of(&list, 0);
}

bool cofl_data_define(struct cofl_clone *unit)
{
	LLVMModuleRef module = unit->copy->module;
	size_t length;
	const char *text = LLVMGetModuleInlineAsm(module, &length);

	if (length != 0)
		LLVMSetModuleInlineAsm2(unit->module, text, length);
	for (LLVMValueRef g = LLVMGetFirstGlobal(module); g != NULL;
	     g = LLVMGetNextGlobal(g)) {
		/* Tables of blockaddresses come with their bodies. */
		if (is_variable(g) &&
		    !cofl_blockaddress_is_in(LLVMGetInitializer(g)))
			cofl_clone_global(unit, g);
	}
	return length != 0;
}

int cofl_data_load(struct cofl *host, char *why, size_t why_bytes)
{
	struct cofl_copy *copy = host->copy;
	struct cofl_clone unit;
	LLVMMemoryBufferRef object = NULL;
	int err;

	cofl_startup_part(COFL_STARTUP_DATA);
	cofl_data_starts(copy->module, &host->start_list, &host->end_list);
	cofl_clone_init(&unit, copy, "data");
	unit.defines_tables = true;
	cofl_data_pin(copy, pin_method, host);
	err = add_pinned_bodies(host, &unit);
	if (err == 0 && cofl_data_define(&unit))
		cof_reclaim_disable(host->cof,
				    "the program has module-level assembly");
	if (err == 0 && *unit.why != '\0')
		err = -COF_E_INVAL;
	if (err != 0)
		snprintf(why, why_bytes, "%s",
			 *unit.why ? unit.why : copy->error);
	else
		object = cofl_build_object(copy, COFL_FAST, unit.module, why,
					   why_bytes);
	cofl_clone_dispose(&unit);
	if (object == NULL)
		return -COF_E_INVAL;
	host->data = object;
	return cofl_program_load_data(host, LLVMGetBufferStart(object),
				      LLVMGetBufferSize(object), why,
				      why_bytes);
}

/* -- Names ----------------------------------------------------------------- */

static bool is_missing(struct cofl *host, LLVMValueRef v)
{
	struct cofl_symbol *s;

	if (!LLVMIsDeclaration(v) || is_llvms(v) ||
	    LLVMGetLinkage(v) == LLVMExternalWeakLinkage)
		return false;
	s = cofl_symbols_resolve(&host->symbols, cofl_data_name(v));
	return s->address == 0 && !s->is_tls;
}

/* Uses are in bodies, which are read only now that a name is missing. */
static bool is_used(struct cofl *host, LLVMValueRef v)
{
	for (uint32_t i = 0; i < host->n_methods; i++)
		cofl_copy_body(host->copy, i);
	return LLVMGetFirstUse(v) != NULL;
}

const char *cofl_data_undefined(struct cofl *host)
{
	LLVMModuleRef module = host->copy->module;

	for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL;
	     f = LLVMGetNextFunction(f))
		if (LLVMGetIntrinsicID(f) == 0 && is_missing(host, f) &&
		    is_used(host, f))
			return cofl_data_name(f);
	for (LLVMValueRef g = LLVMGetFirstGlobal(module); g != NULL;
	     g = LLVMGetNextGlobal(g))
		if (is_missing(host, g) && is_used(host, g))
			return cofl_data_name(g);
	return NULL;
}
