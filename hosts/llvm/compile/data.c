/*
 * data.c - one unit with everything that has one instance
 */
#include "compile/data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/build.h"
#include "ir/clone.h"
#include "ir/copy.h"
#include "support/fatal.h"
#include "image/program_load.h"
#include "support/startup.h"

static bool is_llvms(LLVMValueRef g)
{
	size_t length;
	const char *name = LLVMGetValueName2(g, &length);

	return length >= 5 && memcmp(name, "llvm.", 5) == 0;
}

static const char *name_of(LLVMValueRef v)
{
	size_t length;

	return LLVMGetValueName2(v, &length);
}

static bool is_variable(LLVMValueRef g)
{
	return !LLVMIsDeclaration(g) && !is_llvms(g) &&
	       LLVMGetLinkage(g) != LLVMAvailableExternallyLinkage;
}

/*
 * A variable table of label addresses exists once, so the body it points into
 * may exist only once: that method is pinned. (A constant table is copied with
 * each body, ir/clone.c.)
 */
void cofl_data_pin(const struct cofl_copy *copy, cofl_data_pin_fn *pin,
		   void *arg)
{
	for (LLVMValueRef g = LLVMGetFirstGlobal(copy->module); g != NULL;
	     g = LLVMGetNextGlobal(g)) {
		LLVMValueRef owner;
		int64_t number;

		if (!is_variable(g) || LLVMIsGlobalConstant(g) ||
		    (owner = cofl_clone_label_owner(LLVMGetInitializer(g))) == NULL)
			continue;
		number = cofl_copy_number(copy, owner);
		if (number >= 0)
			pin(arg, (uint32_t)number);
	}
}

static void pin_method(void *arg, uint32_t number)
{
	struct cofl *host = arg;

	host->method[number].pinned = true;
}

/* Bodies of pinned methods, with their tables. */
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

struct start {
	uint64_t priority;
	uint32_t place;
	char    *name;
};

static int by_priority(const void *a, const void *b)
{
	const struct start *x = a, *y = b;

	if (x->priority != y->priority)
		return x->priority < y->priority ? -1 : 1;
	return x->place < y->place ? -1 : 1;
}

struct starts {
	struct start *start;
	uint32_t      n, room;
};

static void add_start(struct starts *to, uint64_t priority, LLVMValueRef f)
{
	char *name;

	if (LLVMIsAGlobalAlias(f))
		f = LLVMAliasGetAliasee(f);
	if (!LLVMIsAFunction(f))
		return;
	if (to->n == to->room) {
		to->room = to->room ? 2 * to->room : 16;
		to->start = realloc(to->start, to->room * sizeof(*to->start));
	}
	name = strdup(name_of(f));
	if (to->start == NULL || name == NULL)
		cofl_fatal("out of memory");
	to->start[to->n] = (struct start){ priority, to->n, name };
	to->n++;
}

/* Without a number of its own an entry comes after all that have one. */
#define PRIORITY_LAST 65535u

/*
 * What the program put into `section` by hand: a function, or an array of them.
 * "SECTION.NUMBER" has a priority.
 */
static void add_section(struct starts *to, LLVMModuleRef module,
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
static void add_list(struct starts *to, LLVMModuleRef module, const char *global)
{
	LLVMValueRef g = LLVMGetNamedGlobal(module, global);
	LLVMValueRef list = g ? LLVMGetInitializer(g) : NULL;

	if (list == NULL || !LLVMIsAConstantArray(list))
		return;
	for (int i = 0, n = LLVMGetNumOperands(list); i < n; i++) {
		LLVMValueRef entry = LLVMGetOperand(list, (unsigned)i);

		add_start(to, LLVMConstIntGetZExtValue(LLVMGetOperand(entry, 0)),
			  LLVMGetOperand(entry, 1));
	}
}

/* Names in order, NULL at the end; `first` comes before all of them. */
static char **names_of(struct starts *first, struct starts *from)
{
	char **names = calloc(first->n + from->n + 1, sizeof(*names));

	if (names == NULL)
		cofl_fatal("out of memory");
	if (from->n != 0)
		qsort(from->start, from->n, sizeof(*from->start), by_priority);
	for (uint32_t i = 0; i < first->n; i++)
		names[i] = first->start[i].name;
	for (uint32_t i = 0; i < from->n; i++)
		names[first->n + i] = from->start[i].name;
	free(first->start);
	free(from->start);
	return names;
}

void cofl_data_starts(LLVMModuleRef module, char ***start_list, char ***end_list)
{
	struct starts none = { 0 }, early = { 0 }, start = { 0 }, end = { 0 };

	add_section(&early, module, ".preinit_array");
	add_section(&start, module, ".init_array");
	add_list(&start, module, "llvm.global_ctors");
	*start_list = names_of(&early, &start);
	add_section(&end, module, ".fini_array");
	add_list(&end, module, "llvm.global_dtors");
	*end_list = names_of(&none, &end);
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
		if (!is_variable(g) ||
		    cofl_clone_has_blockaddress(LLVMGetInitializer(g)))
			continue;	/* it came, or comes, with its body */
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
			      LLVMGetBufferSize(object), why, why_bytes);
}

/* -- Names ------------------------------------------------------------------ */

static bool is_missing(struct cofl *host, LLVMValueRef v)
{
	struct cofl_symbol *s;

	if (!LLVMIsDeclaration(v) || is_llvms(v) ||
	    LLVMGetLinkage(v) == LLVMExternalWeakLinkage)
		return false;
	s = cofl_symbols_resolve(&host->symbols, name_of(v));
	return s->address == 0 && !s->is_tls;
}

/* Uses stand in bodies, which are read only now that something is missing. */
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
			return name_of(f);
	for (LLVMValueRef g = LLVMGetFirstGlobal(module); g != NULL;
	     g = LLVMGetNextGlobal(g))
		if (is_missing(host, g) && is_used(host, g))
			return name_of(g);
	return NULL;
}
