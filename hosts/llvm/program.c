/*
 * program.c - open a program, give its names addresses, run it
 */
#include "cofl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "callbacks.h"
#include "copy.h"
#include "data.h"
#include "fatal.h"
#include "forks.h"
#include "host.h"
#include "special.h"
#include "thread.h"
#include "tls.h"

bool cofl_is_bitcode(const char *path)
{
	unsigned char magic[4] = { 0 };
	FILE *f = fopen(path, "rb");
	bool is;

	if (f == NULL)
		return false;
	/* Raw bitcode, and bitcode in the wrapper Darwin puts around it. */
	is = fread(magic, 1, 4, f) == 4 &&
	     (memcmp(magic, "BC\xc0\xde", 4) == 0 ||
	      memcmp(magic, "\xde\xc0\x17\x0b", 4) == 0);
	fclose(f);
	return is;
}

static const char *name_of(LLVMValueRef v)
{
	return LLVMGetValueName2(v, &(size_t){ 0 });
}

/* The name as the source has it: without what copy.c appended. */
static void add_method(struct cofl *host, uint32_t i)
{
	struct cofl_method *m = &host->method[i];
	const char *name = name_of(host->copy->function[i]);
	size_t n = strlen(name);
	struct cofl_symbol *symbol;
	char shown[256];

	if (n > 4 && strcmp(name + n - 4, ".cof") == 0)
		n -= 4;
	snprintf(shown, sizeof(shown), "%.*s", (int)(n < 255 ? n : 255), name);
	m->host = host;
	m->number = i;
	if (cof_method_add(host->cof, shown, m, &m->method) != 0)
		cofl_fatal("no room for its functions; option code_mb makes room");
	symbol = cofl_symbol(&host->symbols, name);
	symbol->method = m;
	symbol->address = (uintptr_t)cof_method_stub(m->method);
	m->name = symbol->name;
}

static void not_resolved(void)
{
	cofl_fatal("an ifunc was called before its resolver ran");
}

/* Other names of functions, and names that a resolver decides on. */
static void add_aliases(struct cofl *host)
{
	LLVMModuleRef module = host->copy->module;

	for (LLVMValueRef a = LLVMGetFirstGlobalAlias(module); a != NULL;
	     a = LLVMGetNextGlobalAlias(a)) {
		LLVMValueRef of = LLVMAliasGetAliasee(a);

		if (LLVMIsAFunction(of)) {
			struct cofl_symbol *s =
				cofl_symbol(&host->symbols, name_of(of));
			struct cofl_symbol *alias =
				cofl_symbol(&host->symbols, name_of(a));

			alias->address = s->address;
			alias->method = s->method;
		}
	}
	for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(module); i != NULL;
	     i = LLVMGetNextGlobalIFunc(i))
		cofl_symbol(&host->symbols, name_of(i))->address = (uintptr_t)
			cof_stub_new(host->cof, (void *)(uintptr_t)not_resolved);
}

static void resolve_ifuncs(struct cofl *host)
{
	for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(host->copy->module);
	     i != NULL; i = LLVMGetNextGlobalIFunc(i)) {
		struct cofl_symbol *s = cofl_symbol(&host->symbols, name_of(i));
		LLVMValueRef by = LLVMGetGlobalIFuncResolver(i);
		void *(*resolver)(void);

		if (LLVMIsAGlobalAlias(by))
			by = LLVMAliasGetAliasee(by);
		resolver = (void *(*)(void))cofl_symbol(&host->symbols,
							name_of(by))->address;
		cof_stub_retarget(host->cof, (void *)s->address, resolver());
	}
}

static void note_hazards(struct cofl *host)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(host->copy->module);
	     f != NULL; f = LLVMGetNextFunction(f)) {
		const char *why = LLVMIsDeclaration(f) ?
				  cofl_special_hazard(name_of(f)) : NULL;

		if (why != NULL)
			cof_reclaim_disable(host->cof, why);
	}
}

static struct cofl *fail(struct cofl *host)
{
	if (host->cof != NULL) {
		cofl_thread_leave(host);
		cof_stop(host->cof);
	}
	return NULL;
}

/* Names get addresses, data gets its place. */
static bool link_program(struct cofl *host, char why[COFL_WHY_BYTES])
{
	const char *missing;
	struct cofl_symbol *entry;

	host->n_methods = host->copy->n_functions;
	host->method = calloc(host->n_methods + 1, sizeof(*host->method));
	if (host->method == NULL)
		cofl_fatal("out of memory");
	cofl_symbols_init(&host->symbols, host->cof, host->n_methods);
	for (uint32_t i = 0; i < host->n_methods; i++)
		add_method(host, i);
	add_aliases(host);
	note_hazards(host);
	entry = cofl_symbol(&host->symbols, "main");
	if (entry->address == 0) {
		snprintf(why, COFL_WHY_BYTES, "no main function in the program");
		return false;
	}
	if (cofl_data_load(host, why, COFL_WHY_BYTES) != 0)
		return false;
	missing = cofl_data_undefined(host);
	if (missing != NULL) {
		snprintf(why, COFL_WHY_BYTES, "undefined symbol %.400s", missing);
		return false;
	}
	return true;
}

struct cofl *cofl_open(const char *path, const char *options,
		       void (*log)(const char *line), char why[COFL_WHY_BYTES])
{
	struct cofl *host = calloc(1, sizeof(*host));
	struct cof_host callbacks;
	char *error;

	if (host == NULL)
		cofl_fatal("out of memory");
	*why = '\0';
	cofl_fatal_init(path);
	host->log = log;
	pthread_mutex_init(&host->loader_lock, NULL);
	pthread_mutex_init(&host->pool_lock, NULL);
	if (LLVMCreateMemoryBufferWithContentsOfFile(path, &host->bitcode,
						     &error)) {
		snprintf(why, COFL_WHY_BYTES, "%s", error);
		LLVMDisposeMessage(error);
		return NULL;
	}
	LLVMInitializeX86TargetInfo();
	LLVMInitializeX86Target();
	LLVMInitializeX86TargetMC();
	LLVMInitializeX86AsmPrinter();
	LLVMInitializeX86AsmParser();
	cofl_fatal_guard_begin("damaged bitcode");
	host->copy = cofl_copy_open(host->bitcode, why, COFL_WHY_BYTES);
	cofl_fatal_guard_end();
	if (host->copy == NULL)
		return NULL;
	cofl_callbacks(host, &callbacks);
	if (cof_start(&callbacks, options, why, &host->cof) != 0)
		return NULL;
	cof_program(host->cof, path);
	cofl_special_init(host);
	if (cofl_forks_init(host) != 0)
		cofl_fatal("out of memory");
	cofl_thread_enter(host);
	cofl_fatal_guard_begin("damaged bitcode");
	if (!link_program(host, why)) {
		cofl_fatal_guard_end();
		return fail(host);
	}
	cofl_fatal_guard_end();
	resolve_ifuncs(host);
	return host;
}

struct cof *cofl_cof(struct cofl *host)
{
	return host->cof;
}

/* -- Running ---------------------------------------------------------------- */

static struct cofl *running;	/* for run_ends(), which has no argument */

static uintptr_t address_of(struct cofl *host, const char *name)
{
	return cofl_symbol(&host->symbols, name)->address;
}

/* Destructor functions run after all of atexit(3)'s, last started first. */
static void run_ends(void)
{
	char **name = running->end_list;
	size_t n = 0;

	while (name[n] != NULL)
		n++;
	while (n-- > 0)
		((void (*)(void))address_of(running, name[n]))();
}

int cofl_main(struct cofl *host, int argc, char **argv, char **envp)
{
	int (*entry)(int, char **, char **);

	running = host;
	cofl_tls_thread_begin();
	if (host->end_list[0] != NULL)
		atexit(run_ends);
	for (char **name = host->start_list; *name != NULL; name++)
		((void (*)(int, char **, char **))address_of(host, *name))(
			argc, argv, envp);
	entry = (int (*)(int, char **, char **))address_of(host, "main");
	return entry(argc, argv, envp);
}
