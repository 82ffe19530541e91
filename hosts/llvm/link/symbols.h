/*
 * symbols.h - the table of the program's names and their addresses
 *
 * A name stands for one of
 *
 *	a method of the program		its address is the stub
 *	data of the program
 *	a symbol of the process		found by dlsym(3)
 *	what the override knows
 *	nothing
 *
 * Each name is looked up once, and the result stays.
 *
 * Thread: the holder of the loader's lock.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cof;
struct cofl_method;

/* As the ABI's __tls_get_addr() takes it; module 0 is the program's own. */
struct cofl_tls_index {
	uintptr_t module, offset;
};

struct cofl_symbol {
	struct cofl_symbol    *next;	/* of the same hash */
	char                  *name;
	uintptr_t              address;	/* 0: nothing, or not found */
	struct cofl_method    *method;	/* NULL: not a method of the program */
	bool                   looked;	/* up in the process */
	bool                   is_tls;
	uintptr_t              got;	/* a word with the address; 0: none */
	uintptr_t              near;	/* a jump to it in reach; 0: none */
	struct cofl_tls_index *tls;	/* NULL: none */
};

/* The address that replaces dlsym(3)'s for `name`; 0: none does. */
typedef uintptr_t cofl_symbols_override(const char *name);

/* Fill in what is known of ->name, in place of the search by dlsym(3). False:
 * nothing is. */
typedef bool cofl_symbols_define(void *ctx, struct cofl_symbol *symbol);

struct cofl_symbols {
	struct cof           *cof;
	cofl_symbols_override *override;
	cofl_symbols_define  *define;	/* NULL: dlsym(3) finds what is not in
					 * the table */
	void                 *ctx;	/* define()'s */
	struct cofl_symbol  **bucket;
	size_t                n_buckets;	/* power of two */
};

/* `expected`: about how many names there will be. */
void cofl_symbols_init(struct cofl_symbols *symbols, struct cof *cof,
		       size_t expected, cofl_symbols_override *override);

/* The entry for `name`, created if there is none. Never NULL; the table owns
 * it. */
struct cofl_symbol *cofl_symbols_get(struct cofl_symbols *symbols,
				     const char *name);

/* The same. If the program does not define `name`, looks it up in the
 * process. */
struct cofl_symbol *cofl_symbols_resolve(struct cofl_symbols *symbols,
					 const char *name);

/* A word with the symbol's address, in reach of any code. 0: no memory. */
uintptr_t cofl_symbols_got(struct cofl_symbols *symbols,
			   struct cofl_symbol *symbol);

/* A call target in reach of `from`: the symbol's address, or a jump to it. 0:
 * no memory. */
uintptr_t cofl_symbols_near(struct cofl_symbols *symbols,
			    struct cofl_symbol *symbol, uintptr_t from);

/* The address of a function that cof-llvm itself has in place of a library's.
 * A search for a version passes it by, since it has none. 0: it has none of
 * that name. */
uintptr_t cofl_symbols_of_host(const char *name);
