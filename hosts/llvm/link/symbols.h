/*
 * symbols.h - names of the program, and where each leads
 *
 * A name is one of: a method of the program (its address is the stub), data of
 * the program, something of the process found by dlsym(3), what the override
 * knows, or nothing. Found once, kept for good.
 *
 * Thread: the holder of the loader's lock.
 */
#ifndef COFL_LINK_SYMBOLS_H
#define COFL_LINK_SYMBOLS_H

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
	bool                   looked;	/* dlsym() was asked */
	bool                   is_tls;
	uintptr_t              got;	/* a word with the address; 0: none yet */
	uintptr_t              near;	/* a jump to it in reach; 0: none yet */
	struct cofl_tls_index *tls;	/* NULL: none yet */
};

/* The address that stands for `name` in place of dlsym(3)'s; 0: none does. */
typedef uintptr_t cofl_symbols_override(const char *name);

struct cofl_symbols {
	struct cof           *cof;
	cofl_symbols_override *override;
	struct cofl_symbol  **bucket;
	size_t                n_buckets;	/* power of two */
};

void cofl_symbols_init(struct cofl_symbols *symbols, struct cof *cof,
		       size_t expected, cofl_symbols_override *override);
void cofl_symbols_free(struct cofl_symbols *symbols);

/* The entry for `name`, made if there is none; never NULL. */
struct cofl_symbol *cofl_symbols_get(struct cofl_symbols *symbols, const char *name);

/* As above, and looked up in the process if the program does not define it. */
struct cofl_symbol *cofl_symbols_resolve(struct cofl_symbols *symbols,
					const char *name);

/* A word in reach of any code that holds the symbol's address. 0: no room. */
uintptr_t cofl_symbols_got(struct cofl_symbols *symbols,
			  struct cofl_symbol *symbol);

/* Where a call in reach can go: the address itself or a jump to it. 0: no room. */
uintptr_t cofl_symbols_near(struct cofl_symbols *symbols,
			   struct cofl_symbol *symbol, uintptr_t from);

#endif /* COFL_LINK_SYMBOLS_H */
